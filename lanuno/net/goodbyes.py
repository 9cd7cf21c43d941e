"""How a computer ends its time at a table that plays: it waits for the others, or leaves.

The same for whoever opened the table, sat down at it, or came back. Nothing is closed here.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from lanuno.net.endings import Ending
from lanuno.net.member_driver import MemberDriver

LAST_ENTRY_SECONDS: Final = 5.0
"""How long a host waits for those in contact to have the closing entry."""

ABSENT_SECONDS: Final = 15.0
"""How long it waits in all if somebody was away at that moment, and may be on the way back.

So long the others wait in its place if it was lost before it said goodbye.
"""

GOODBYE_SECONDS: Final = 10.0
"""How long the others wait for the host to say goodbye: it waits for those who lack something."""

LEAVE_SECONDS: Final = 5.0
"""How long leaving on purpose may take; then the connections are closed all the same."""

FORFEIT_SECONDS: Final = 10.0
"""The same for a host of two: the log is to be closed, by whoever leaves."""

STAY_SECONDS: Final = 600.0
"""How long somebody stays at a table that is over, to hear who wants to play again."""


async def see_out(driver: MemberDriver) -> None:
    """Wait until the table is over for this computer, and until it is of no more use to others."""
    await driver.ended.wait()
    if driver.ending is not Ending.CLOSED:
        return
    absent = ABSENT_SECONDS
    if driver.rematch is not None:
        loop = asyncio.get_running_loop()
        ended = loop.time()
        await _stay(driver)
        absent = max(0.0, absent - (loop.time() - ended))
    elif not driver.member.hosts:
        # Others are connected too once a host was lost: they wait for the same goodbye.
        await _first(driver.hostless, driver.dispersed, seconds=GOODBYE_SECONDS)
    if driver.member.hosts:
        with suppress(TimeoutError):
            await asyncio.wait_for(driver.settled.wait(), LAST_ENTRY_SECONDS)
            await asyncio.wait_for(driver.complete.wait(), absent)
    elif driver.deserted:
        # Somebody may not have heard of the end, and there is no host to ask any more.
        await asyncio.sleep(absent)


async def _first(*events: asyncio.Event, seconds: float) -> None:
    """Wait until one of these is set, but not for longer."""
    waiting = [asyncio.create_task(each.wait()) for each in events]
    try:
        await asyncio.wait(waiting, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for each in waiting:
            each.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _stay(driver: MemberDriver) -> None:
    """Wait until nobody waits here for another match any more."""
    with suppress(TimeoutError):
        await asyncio.wait_for(driver.dispersed.wait(), ABSENT_SECONDS)
    # Who was away when it ended has come by now; for others the table is over.
    driver.hide()
    with suppress(TimeoutError):
        await asyncio.wait_for(driver.dispersed.wait(), STAY_SECONDS - ABSENT_SECONDS)
    driver.disperse()


async def depart(driver: MemberDriver) -> None:
    """Leave the table on purpose: it goes on under another host if this was the host."""
    if not driver.member.in_contact:
        # Nobody could hear it: to the others this is a connection that was lost.
        driver.finish(Ending.LOST)
        return
    forfeits = driver.member.hosts and len(driver.member.replay.owners) == 2
    driver.leave()
    with suppress(TimeoutError):
        await asyncio.wait_for(driver.parted.wait(), FORFEIT_SECONDS if forfeits else LEAVE_SECONDS)
    driver.finish(Ending.LOST)
