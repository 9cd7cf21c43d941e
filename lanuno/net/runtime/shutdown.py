"""How a node ends its time at a table in progress: it waits for other nodes, or leaves.

Hosts, guests and resumed nodes all use this. Nothing is closed here.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.node_runtime import NodeRuntime

LAST_ENTRY_SECONDS: Final = 5.0
"""How long a host waits until the nodes in contact have the closing entry."""

ABSENT_SECONDS: Final = 15.0
"""How long the host waits in total if a player was out of contact then, and may return.

If the host was lost before its goodbye, the other nodes wait this long instead.
"""

GOODBYE_SECONDS: Final = 10.0
"""How long other nodes wait for the host's goodbye. The host waits for incomplete replicas."""

LEAVE_SECONDS: Final = 5.0
"""How long leaving on purpose may take before the connections are closed anyway."""

FORFEIT_SECONDS: Final = 10.0
"""How long leaving may take for a host with one opponent, which also closes the log."""

REMATCH_SECONDS: Final = 600.0
"""How long a node stays at a finished table, to see who wants to play again."""


async def finish_table(runtime: NodeRuntime) -> None:
    """Wait until the table is over for this node, and no other node needs this node."""
    await runtime.ended.wait()
    if runtime.ending is not TableEnding.CLOSED:
        return
    absent = ABSENT_SECONDS
    if runtime.awaits_rematch:
        loop = asyncio.get_running_loop()
        ended = loop.time()
        await _await_rematch(runtime)
        absent = max(0.0, absent - (loop.time() - ended))
    elif not runtime.node.hosts:
        # After the loss of a host, other guests may be connected too and wait for the same goodbye.
        await _wait_for_any(runtime.hostless, runtime.stay_ended, seconds=GOODBYE_SECONDS)
    if runtime.node.hosts:
        with suppress(TimeoutError):
            await asyncio.wait_for(runtime.delivered_to_connected.wait(), LAST_ENTRY_SECONDS)
            await asyncio.wait_for(runtime.delivered_to_all.wait(), absent)
    elif runtime.host_lost_after_close:
        # Another node may lack the end of the log, and has no host to ask.
        await asyncio.sleep(absent)


async def _wait_for_any(*events: asyncio.Event, seconds: float) -> None:
    """Wait until any of the events is set, or the time is over."""
    waiting = [asyncio.create_task(each.wait()) for each in events]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _await_rematch(runtime: NodeRuntime) -> None:
    """Wait until the rematch is decided, or its time is over."""
    with suppress(TimeoutError):
        await asyncio.wait_for(runtime.stay_ended.wait(), ABSENT_SECONDS)
    # Players who were away at the end have returned by now. Nobody else can join.
    runtime.stop_announcing()
    with suppress(TimeoutError):
        await asyncio.wait_for(runtime.stay_ended.wait(), REMATCH_SECONDS - ABSENT_SECONDS)
    runtime.end_stay()


async def leave_table(runtime: NodeRuntime) -> None:
    """Leave the table on purpose. If this node was the host, another one takes over."""
    if not runtime.node.in_contact:
        # No message would arrive, so other nodes see only a lost connection.
        runtime.finish(TableEnding.LOST)
        return
    forfeits = runtime.node.hosts and len(runtime.node.replay.owners) == 2
    runtime.leave()
    with suppress(TimeoutError):
        await asyncio.wait_for(
            runtime.left_game.wait(), FORFEIT_SECONDS if forfeits else LEAVE_SECONDS
        )
    runtime.finish(TableEnding.LOST)
