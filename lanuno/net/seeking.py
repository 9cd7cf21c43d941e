"""How players of one table find each other again when nobody is where they were.

Whoever is the host is announced (`hosting.py`). But after a power cut there may be no host, and
every computer may have got another address or another port. So whoever has been out of contact for
a moment is announced as somebody who looks for a table that plays; to everybody else that is no
table. What is heard is a hint: who is there is proved by the handshake.
"""

from __future__ import annotations

import asyncio
from typing import Final

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.genesis import Genesis
from lanuno.net.hosting import Hosting
from lanuno.net.surroundings import Surroundings
from lanuno.net.txt import TableAdvert, TableState
from lanuno.table.arrangements import Arrangements

AFTER: Final = 2.0
"""Seconds without contact after which to be announced: mostly the others are where they were."""


class Seeking:
    """One computer that may have to look for the others of its table, and to be found by them."""

    def __init__(
        self,
        surroundings: Surroundings,
        genesis: Genesis,
        identity: Identity,
        arrangements: Arrangements,
        port: int,
    ) -> None:
        """`port`: where this computer listens; 0 if it does not, then it only looks."""
        self._surroundings = surroundings
        self._table = genesis.table_id
        self._members = {fingerprint(each.identity) for each in genesis.read().seats}
        self._on = False
        self._timer: asyncio.TimerHandle | None = None
        self._announced: Hosting | None = None
        if port:
            state = TableState.SEEKING
            self._announced = Hosting(
                surroundings, genesis, identity, arrangements, port, state=state
            )

    def turn(self, on: bool) -> None:
        """This computer is out of contact from now on, or no longer."""
        if on == self._on or self._announced is None:
            return
        self._on = on
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if on:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(AFTER, self._announced.turn, True)
        else:
            self._announced.turn(False)

    async def find(self, key: str, *, host: bool, patience: float) -> TableAdvert | None:
        """Where somebody of this table is now; None if nobody says.

        `host`: whoever of its players is announced as the host of the table will do.
        """

        def wanted(advert: TableAdvert) -> bool:
            if advert.id != self._table:
                return False
            if advert.fp == key:
                return True
            return host and advert.fp in self._members and advert.state is not TableState.SEEKING

        return await self._surroundings.find(patience, wanted)

    async def close(self) -> None:
        """Say goodbye."""
        if self._timer is not None:
            self._timer.cancel()
        if self._announced is not None:
            await self._announced.close()
