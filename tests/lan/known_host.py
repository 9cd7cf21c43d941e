"""Search for tables as the window does, with one known host, until that host has answered."""

from __future__ import annotations

import asyncio
import sys

from lanuno.client.find import DiscoveredTables, TableFinder
from lanuno.net.transport.listener import DEFAULT_PORT
from lanuno.store.app_state import KnownPlace


async def main(host: str, fingerprint: str) -> None:
    """Find the table by a probe, because no advert arrives here."""
    there = asyncio.Event()

    def tell(seen: DiscoveredTables) -> None:
        for table in seen.tables:
            assert table.key.startswith("place-"), table
            if table.answered:
                assert (table.fingerprint, table.addresses) == (fingerprint, (host,))
                there.set()

    place = KnownPlace(host=host, port=DEFAULT_PORT, fingerprint=fingerprint, name="Ana")
    looking = asyncio.create_task(TableFinder(places=(place,)).run(tell))
    await there.wait()
    looking.cancel()
    await asyncio.wait((looking,))
    sys.stdout.write("still there\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
