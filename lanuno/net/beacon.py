"""Finding tables where multicast is blocked: a small datagram to everybody on the wire.

A host in its lobby broadcasts on IPv4 what its advert says, every two seconds and at every change;
whoever listens takes the sender's address as the table's. The datagram:

    "LANUNO" | kind (1: here, 0: gone) | TCP port, u16 | TXT record as in the advert

Law: like everything heard, a hint. `Ear` is pure (time is passed in); sockets are below it.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from ipaddress import AddressValueError, IPv4Address
from types import TracebackType
from typing import Final, Self, cast

from lanuno.net.adapters import chosen
from lanuno.net.browse import MAX_TABLES, Change, Heard
from lanuno.net.errors import Fault, NetError
from lanuno.net.to_the_end import to_the_end
from lanuno.net.txt import MAX_TXT, TableAdvert, decode_txt, encode_txt

BEACON_PORT: Final = 47474
"""UDP; the number of the TCP port, which is another port."""

EVERY: Final = 2.0
"""Seconds between two beacons of a host."""

FORGET: Final = 3.5 * EVERY
"""Seconds after which a table that was not heard of any more is gone."""

_MAGIC: Final = b"LANUNO"
_HEAD: Final = len(_MAGIC) + 3
_ECHO: Final = 2
"""A kind that says nothing of tables."""


def datagram(table: TableAdvert, *, here: bool = True) -> bytes:
    """What a host broadcasts; `NetError` (`PROTOCOL`) if nobody would accept the table."""
    text = encode_txt(replace(table, addresses=("127.0.0.1",), update=0))
    return _MAGIC + bytes([here]) + table.port.to_bytes(2, "big") + text


def echo(number: bytes) -> bytes:
    """What only its sender listens to, to see that it is heard at all; to others it is nothing."""
    return _MAGIC + bytes([_ECHO, 0, 0]) + number


class Ear:
    """Makes tables of datagrams, and forgets those that are not heard of any more."""

    def __init__(self, heard: Heard) -> None:
        """Tell `heard` what is heard."""
        self._heard = heard
        self._last: dict[str, float] = {}

    def hear(self, data: bytes, source: str, now: float) -> None:
        """Take a datagram of any stranger."""
        if len(data) > _HEAD + MAX_TXT or data[: len(_MAGIC)] != _MAGIC or len(data) < _HEAD:
            return
        kind, port = data[len(_MAGIC)], int.from_bytes(data[_HEAD - 2 : _HEAD], "big")
        advert = decode_txt(data[_HEAD:], (source,), port)
        if advert is None or kind > 1:
            return
        # Nobody else can change or withdraw it: the sender is a part of its name.
        key = f"{source}/{advert.fp}/{port}"
        if not kind:
            self._last.pop(key, None)
            self._heard.drop(key)
            return
        # Nothing keeps old datagrams back, so the last one to come is the newest.
        self._heard.put(key, replace(advert, update=0))
        if key in self._heard.tables:
            self._last[key] = now
        if len(self._last) > MAX_TABLES:
            self._last = {each: self._last[each] for each in self._heard.tables}

    def forget(self, now: float) -> None:
        """Drop what was not heard of for too long."""
        for key in [key for key, last in self._last.items() if now - last >= FORGET]:
            del self._last[key]
            self._heard.drop(key)


class _Nothing(asyncio.DatagramProtocol):
    """Sends only; an adapter that is down now may be up for the next beacon."""


def _networks(adapter: str | None) -> dict[str, str]:
    """The address and the broadcast address of each network that one is in now."""
    return {
        address: broadcast
        for each in chosen(adapter)
        for address, broadcast in zip(each.ipv4, each.broadcasts, strict=True)
    }


class _Listening(asyncio.DatagramProtocol):
    def __init__(self, ear: Ear) -> None:
        self._ear = ear
        self._loop = asyncio.get_running_loop()

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        try:
            source = str(IPv4Address(str(addr[0])))
        except AddressValueError:
            return
        self._ear.hear(data, source, self._loop.time())


class Beacon:
    """A table being broadcast. Make it with `shine`."""

    def __init__(self, table: TableAdvert, adapter: str | None, port: int) -> None:
        """Reach nobody yet; use `shine` instead."""
        self._table = table
        self._data = datagram(table)
        self._adapter = adapter
        self._ways: dict[tuple[str, str], asyncio.DatagramTransport] = {}
        self._port = port
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Broadcast from now on; part of `shine`."""
        try:
            await self._follow()
        except BaseException:
            self._let_go()
            raise
        if not self._ways:
            raise NetError(Fault.ADAPTER, "no adapter can broadcast")
        self._task = asyncio.create_task(self._shine())

    def update(self, table: TableAdvert) -> None:
        """Broadcast this from now on. Raises `NetError` (`PROTOCOL`) like `datagram`."""
        data = datagram(table)
        if data != self._data:
            self._data = data
            self._table = table
            self._changed.set()

    async def withdraw(self) -> None:
        """Say that the table is gone, and close."""
        if self._task is None or self._task.done():
            return
        await to_the_end(self._withdraw(self._task))

    async def _withdraw(self, shining: asyncio.Task[None]) -> None:
        shining.cancel()
        await asyncio.wait([shining])
        self._send(datagram(self._table, here=False))
        self._let_go()
        # The transports close in the next turn of the loop.
        await asyncio.sleep(0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.withdraw()

    async def _shine(self) -> None:
        while True:
            self._changed.clear()
            self._send(self._data)
            with suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._changed.wait()
            # Adapters come and go, and get other addresses.
            with suppress(NetError):
                await self._follow()

    async def _follow(self) -> None:
        networks = _networks(self._adapter)
        for way in self._ways.keys() - networks.items():
            self._ways.pop(way).close()
        for address, broadcast in networks.items() - self._ways.keys():
            with suppress(OSError):
                transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                    _Nothing, local_addr=(address, 0), allow_broadcast=True
                )
                self._ways[address, broadcast] = transport

    def _let_go(self) -> None:
        for transport in self._ways.values():
            transport.close()

    def _send(self, data: bytes) -> None:
        for (_, broadcast), transport in self._ways.items():
            with suppress(OSError):
                transport.sendto(data, (broadcast, self._port))


class BeaconBrowser:
    """Hears of beacons; like `lanuno.net.browse.Browser`. Make it with `watch`."""

    def __init__(self, adapter: str | None, port: int) -> None:
        """Hear nothing yet; use `watch` instead."""
        self._heard = Heard()
        self._ear = Ear(self._heard)
        self._adapter = adapter
        self._port = port
        self._ways: dict[str, asyncio.BaseTransport] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen from now on; part of `watch`."""
        fault = await self._follow()
        if not self._ways:
            raise fault or NetError(Fault.ADAPTER, "no adapter can broadcast")
        self._task = asyncio.create_task(self._forget())

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All tables heard of now, by key."""
        return self._heard.tables

    def asked(self, key: str, *, answered: bool) -> None:
        """A table's host was asked; `key` is that of `key_of`."""
        self._heard.asked(key, answered=answered)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Change:
        return await self._heard.next()

    async def close(self) -> None:
        """Stop listening; the iteration ends."""
        await to_the_end(self._close())

    async def _close(self) -> None:
        self._heard.end()
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for transport in self._ways.values():
            transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def _forget(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(EVERY / 2)
            self._ear.forget(loop.time())
            with suppress(NetError):
                await self._follow()

    async def _follow(self) -> NetError | None:
        """Listen in every network that one is in now; what went wrong in one of them."""
        networks = set(_networks(self._adapter).values())
        fault: NetError | None = None
        for broadcast in self._ways.keys() - networks:
            self._ways.pop(broadcast).close()
        for broadcast in networks - self._ways.keys():
            try:
                self._ways[broadcast] = await _listen(broadcast, self._port, self._ear)
            except NetError as error:
                fault = error
        return fault


async def shine(
    table: TableAdvert, *, adapter: str | None = None, port: int = BEACON_PORT
) -> Beacon:
    """Broadcast a table on every real adapter, or on the named one.

    Raises `NetError`: `ADAPTER` (none that can broadcast), `PROTOCOL`.
    """
    beacon = Beacon(table, adapter, port)
    await beacon.start()
    return beacon


async def watch(*, adapter: str | None = None, port: int = BEACON_PORT) -> BeaconBrowser:
    """Listen for beacons on every real adapter, or on the named one.

    Raises `NetError`: `ADAPTER`, or `PORT` if another program has the port for itself.
    """
    browser = BeaconBrowser(adapter, port)
    try:
        await browser.start()
    except BaseException:
        await browser.close()
        raise
    return browser


def hearing(broadcast: str, port: int) -> socket.socket:
    """A socket that hears what is broadcast on one network.

    Raises `NetError`: `PORT` if another program has the port for itself, `ADAPTER`.
    """
    # Bound to the broadcast address, it hears broadcasts of that network and nothing else.
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        # Several programs on one computer may listen.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((broadcast, port))
    except OSError as error:
        sock.close()
        if error.errno == errno.EADDRINUSE:
            raise NetError(Fault.PORT, "the port of beacons is taken") from None
        raise NetError(Fault.ADAPTER, type(error).__name__) from None
    return sock


async def _listen(broadcast: str, port: int, ear: Ear) -> asyncio.BaseTransport:
    sock = hearing(broadcast, port)
    try:
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Listening(ear), sock=sock
        )
    except BaseException:
        sock.close()
        raise
    return cast(asyncio.BaseTransport, transport)
