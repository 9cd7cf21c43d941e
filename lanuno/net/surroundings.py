"""What a computer at a table does on its network besides talking: its door, being found, finding.

One value that says on which adapter; every member of a table has one, whether it is the host now or
may become it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass

from lanuno.dealing.identity import Identity
from lanuno.net.adapters import chosen, listen_hosts
from lanuno.net.errors import NetError
from lanuno.net.gathering import gather
from lanuno.net.lookout import look_out
from lanuno.net.presence import Presence, announce
from lanuno.net.roll_call import RollCall
from lanuno.net.server import Serve, Server, listen
from lanuno.net.txt import TableAdvert

LOOK_AGAIN = 0.1
"""Seconds between two looks at the tables heard of."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """A network as one computer sees it."""

    adapter: str | None = None
    """Name of the only adapter to use; None for every real one."""

    async def open_door(
        self, identity: Identity, context: bytes, serve: Serve, *, port: int | None = None
    ) -> Server:
        """Listen for the others; raises `NetError`."""
        adapters = chosen(self.adapter)
        hosts = listen_hosts(adapters, self.adapter)
        return await listen(identity, context, serve, hosts=hosts, port=port)

    async def announce(self, advert: TableAdvert) -> Presence:
        """Let everybody find a table; raises `NetError`."""
        return await announce(advert, adapter=self.adapter)

    async def find(
        self, patience: float, wanted: Callable[[TableAdvert], bool]
    ) -> TableAdvert | None:
        """What somebody who is wanted says of a table, and proves; None if nobody does.

        Strangers may say the same, sooner and more often: whoever is heard is asked.
        """
        try:
            lookout = await look_out(adapter=self.adapter)
        except NetError:
            return None
        roll = RollCall(lookout.asked)
        try:
            async with asyncio.timeout(patience):
                while True:
                    found = gather(each for each in lookout.adverts if wanted(each))
                    for key, called in roll.hear(found).items():
                        if called.answer.there and key in found:
                            return called.advert
                    await asyncio.sleep(LOOK_AGAIN)
        except TimeoutError:
            return None
        finally:
            try:
                await roll.close()
            finally:
                await lookout.close()
