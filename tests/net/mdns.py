"""Send and receive multicast DNS on loopback in tests of discovery, as LanUNO or as a stranger.

Each test uses its own service type, which `conftest.py` sets, because other tests send mDNS on
loopback at the same time. No assertions about the package live here.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncZeroconf

from lanuno.net.discovery import mdns_announce, mdns_browse
from lanuno.net.discovery.advert import TableAdvert, encode_txt
from lanuno.net.discovery.mdns_announce import Advert
from lanuno.net.discovery.mdns_browse import Browser
from tests.harness.sockets import dns
from tests.harness.sockets.adverts import TABLE
from tests.harness.sockets.changes import Change, changes

SERVICE = "_lanuno._tcp.local."
"""Replaced in every test by `conftest.py`."""


async def browse(**rest: Any) -> Browser:
    return await mdns_browse.browse(service=SERVICE, **({"adapter": "127.0.0.1"} | rest))


async def advertise(table: TableAdvert, **rest: Any) -> Advert:
    options = {"adapter": "127.0.0.1", "service": SERVICE} | rest
    return await mdns_announce.advertise(table, **options)


def table() -> TableAdvert:
    """Return the advert of a new table with a random id."""
    return replace(TABLE, id=secrets.token_bytes(16), addresses=("127.0.0.1", "::1"))


def kind() -> list[bytes]:
    """Return the labels of the service type."""
    return SERVICE.rstrip(".").encode().split(b".")


def pointer() -> bytes:
    """Return the DNS name under which services are found."""
    return dns.labels(kind())


def service(instance: bytes, text: bytes, port: int = 47474) -> bytes:
    """Return a whole advert in one packet."""
    return dns.service(instance, kind(), text, port)


def raw_text(of: TableAdvert) -> bytes:
    return encode_txt(of)


async def next_of(browser: Browser, wanted: TableAdvert) -> Change:
    """Return the next change of one table."""
    async for change in changes(browser):
        if change.advert.id == wanted.id:
            return change
    raise AssertionError


async def seen(browser: Browser, wanted: TableAdvert) -> Change:
    """Wait until the table is listed exactly as wanted."""
    async for change in changes(browser):
        if change.advert == wanted:
            return change
    raise AssertionError


@asynccontextmanager
async def stranger() -> AsyncIterator[AsyncZeroconf]:
    """Yield an independent multicast DNS responder."""
    zeroconf = AsyncZeroconf(interfaces=["127.0.0.1"])
    try:
        await zeroconf.zeroconf.async_wait_for_start()
        yield zeroconf
    finally:
        await zeroconf.async_close()


def foreign(text: bytes, name: str | None = None) -> ServiceInfo:
    return ServiceInfo(
        SERVICE,
        f"{name or secrets.token_hex(8)}.{SERVICE}",
        port=47474,
        properties=text,
        server=f"{secrets.token_hex(8)}.local.",
        parsed_addresses=["127.0.0.1"],
    )


HOST_PROGRAM = """
import asyncio, sys
from lanuno.net.discovery import mdns_announce
from lanuno.system.event_loop import run_in_loop
from tests.net import mdns
from dataclasses import replace

mdns_announce.TTL_SECONDS = int(sys.argv[2])

async def main():
    mine = replace(mdns.table(), id=bytes.fromhex(sys.argv[1]))
    async with await mdns_announce.advertise(mine, adapter="127.0.0.1", service=sys.argv[3]):
        print("ready", flush=True)
        await asyncio.Event().wait()

run_in_loop(main())
"""


@asynccontextmanager
async def host_program(of: TableAdvert, ttl: int) -> AsyncIterator[subprocess.Popen[bytes]]:
    """Run a process that advertises a table until it is interrupted or killed."""
    with subprocess.Popen(  # noqa: ASYNC220 - the loop of Windows starts no processes
        [sys.executable, "-W", "ignore", "-c", HOST_PROGRAM, of.id.hex(), str(ttl), SERVICE],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(["", *sys.path])},
    ) as process:
        try:
            assert process.stdout is not None
            line = await asyncio.to_thread(process.stdout.readline)
            assert line.rstrip() == b"ready"
            yield process
        finally:
            process.kill()
