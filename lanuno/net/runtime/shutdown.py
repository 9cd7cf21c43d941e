"""How a node ends its time at a table that plays: it waits for the others, or leaves.

The same for the host, a guest and a resumed node. Nothing is closed here.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.node_runtime import NodeRuntime

LAST_ENTRY_SECONDS: Final = 5.0
"""How long a host waits for those in contact to have the closing entry."""

ABSENT_SECONDS: Final = 15.0
"""How long it waits in all if a player was out of contact at that moment, and may return.

The others wait this long in its place if it was lost before it said goodbye.
"""

GOODBYE_SECONDS: Final = 10.0
"""How long the others wait for the goodbye of the host, which waits for incomplete replicas."""

LEAVE_SECONDS: Final = 5.0
"""How long leaving on purpose may take; then the connections are closed anyway."""

FORFEIT_SECONDS: Final = 10.0
"""The same for a host with one opponent, which closes the log as it leaves."""

REMATCH_SECONDS: Final = 600.0
"""How long a node stays at a finished table, to see who wants to play again."""


async def finish_table(runtime: NodeRuntime) -> None:
    """Wait until the table is over for this node, and until no other node needs it."""
    await runtime.ended.wait()
    if runtime.ending is not TableEnding.CLOSED:
        return
    absent = ABSENT_SECONDS
    if runtime.rematch is not None:
        loop = asyncio.get_running_loop()
        ended = loop.time()
        await _await_rematch(runtime)
        absent = max(0.0, absent - (loop.time() - ended))
    elif not runtime.node.hosts:
        # After a lost host other nodes are connected too: they wait for the same goodbye.
        await _wait_for_any(runtime.hostless, runtime.stay_ended, seconds=GOODBYE_SECONDS)
    if runtime.node.hosts:
        with suppress(TimeoutError):
            await asyncio.wait_for(runtime.delivered_to_connected.wait(), LAST_ENTRY_SECONDS)
            await asyncio.wait_for(runtime.delivered_to_all.wait(), absent)
    elif runtime.host_lost_after_close:
        # Another node may lack the end of the log, and there is no host to ask any more.
        await asyncio.sleep(absent)


async def _wait_for_any(*events: asyncio.Event, seconds: float) -> None:
    """Wait until one of these is set, or the time is over."""
    waiting = [asyncio.create_task(each.wait()) for each in events]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _await_rematch(runtime: NodeRuntime) -> None:
    """Wait until the rematch is decided, or the time for it is over."""
    with suppress(TimeoutError):
        await asyncio.wait_for(runtime.stay_ended.wait(), ABSENT_SECONDS)
    # Players who were away at the end have returned by now; nobody else can join.
    runtime.stop_announcing()
    with suppress(TimeoutError):
        await asyncio.wait_for(runtime.stay_ended.wait(), REMATCH_SECONDS - ABSENT_SECONDS)
    runtime.end_stay()


async def leave_table(runtime: NodeRuntime) -> None:
    """Leave the table on purpose. It goes on, under another host if this node was the host."""
    if not runtime.node.in_contact:
        # No message would arrive: to the others this is a lost connection.
        runtime.finish(TableEnding.LOST)
        return
    forfeits = runtime.node.hosts and len(runtime.node.replay.owners) == 2
    runtime.leave()
    with suppress(TimeoutError):
        await asyncio.wait_for(
            runtime.left_game.wait(), FORFEIT_SECONDS if forfeits else LEAVE_SECONDS
        )
    runtime.finish(TableEnding.LOST)
