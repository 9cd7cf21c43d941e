"""One computer at the table that it sat at when its program was interrupted.

Who is the host, of what term, and whether it still has its seat follows from the log: the same
program comes back as a host, a candidate or a player. What it remembers is read by `lanuno.store`.
"""

from __future__ import annotations

import asyncio
import logging

from lanuno.dealing.identity import Identity
from lanuno.net.endings import Ending, Observer
from lanuno.net.goodbyes import depart, see_out
from lanuno.net.member_driver import MemberDriver
from lanuno.net.setup import Setup
from lanuno.net.table_log import SHORT
from lanuno.net.table_peer import open_member
from lanuno.table.outputs import TableBegan
from lanuno.table.recall import Recall

_log = logging.getLogger(__name__)


class TableAgain:
    """Comes back, and plays to the end."""

    def __init__(self, recall: Recall, identity: Identity, setup: Setup, observe: Observer) -> None:
        """`setup.arrangements`: as they were kept. `setup.seats`: the owner's, then its bots'."""
        self._recall = recall
        self._identity = identity
        self._setup = setup
        self._observe = observe
        self._left = False
        self.driver: MemberDriver | None = None
        """What runs once the door is open."""

    @property
    def ending(self) -> Ending | None:
        """Why it is over; None before."""
        return None if self.driver is None else self.driver.ending

    async def run(self) -> Ending:
        """Play until the table is over for this computer; closes everything.

        Raises `NetError` if there is no port to listen on, `Unreadable`, `TableError` or
        `HostFault` if what was remembered is not the log, and what made it impossible to go on.
        """
        genesis = self._recall.genesis
        _log.info("coming back to table %s", genesis.table_id.hex()[:SHORT])
        try:
            driver = await open_member(
                genesis, self._identity, self._setup, self._observe, recall=self._recall
            )
        except BaseException:
            self._setup.records.close()
            raise
        self.driver = driver
        try:
            self._observe(TableBegan(genesis))
            driver.begin()
            if self._left:
                driver.finish(Ending.LOST)
            await see_out(driver)
        except asyncio.CancelledError:
            driver.cut()
            raise
        finally:
            await driver.shut()
        if driver.failure is not None:
            raise driver.failure
        return driver.ending or Ending.LOST

    async def leave(self) -> None:
        """Leave on purpose; whoever is not back at the table yet just goes."""
        self._left = True
        if self.driver is not None:
            await depart(self.driver)
