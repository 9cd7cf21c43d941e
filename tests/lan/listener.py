"""Wait for an adapter of the other computer to get an address, and then for a table on it."""

from __future__ import annotations

import asyncio
import sys

from lanuno.net.discovery.mdns_browse import browse
from lanuno.net.errors import NetError
from lanuno.net.transport.adapters import chosen
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import changes


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


async def main(adapter: str) -> None:
    """Print the IPv4 address of the table that is in the adapter's network."""
    say("waiting")
    while True:
        try:
            if any(each.ipv4 for each in chosen(adapter)):
                break
        except NetError:
            pass
        await asyncio.sleep(0.05)
    network = chosen(adapter)[0].ipv4[0].rsplit(".", 1)[0]
    async with await browse(adapter=adapter) as browser:
        async for change in changes(browser):
            near = [each for each in change.advert.addresses if each.startswith(network)]
            if change.advert.id == TABLE.id and near:
                say(f"found {near[0]}")
                break


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
