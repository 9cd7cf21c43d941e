"""A host on the other computer: announces a table in both ways and echoes every message."""

from __future__ import annotations

import asyncio
import sys
from dataclasses import replace

from lanuno.dealing.identity import fingerprint
from lanuno.net.discovery.beacon import broadcast
from lanuno.net.discovery.mdns_announce import advertise
from lanuno.net.transport.adapters import chosen, listen_hosts
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.listener import listen
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.running import HOST


async def echo(channel: Channel) -> None:
    async for message in channel:
        channel.send(message)


async def main(adapter: str) -> None:
    """Serve until the process is ended."""
    hosts = listen_hosts(chosen(adapter), adapter)
    async with await listen(HOST, TABLE.id, echo, hosts=hosts) as server:
        table = replace(TABLE, port=server.port, fp=fingerprint(HOST.public))
        async with (
            await advertise(table, adapter=adapter),
            await broadcast(table, adapter=adapter),
        ):
            sys.stdout.write("ready\n")
            sys.stdout.flush()
            await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
