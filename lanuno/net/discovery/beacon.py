"""Find tables by small broadcast datagrams, where multicast is blocked.

A beacon is an advert that is broadcast on IPv4, every two seconds and at every change.
`announcer.py` says when a node sends one. The sender's address is the address of the table. The
datagram:

    "LANUNO" | kind (1: here, 0: gone) | TCP port, u16 | TXT record as in the advert

Rule: a beacon is a hint, like every advert. `BeaconTables` is pure (time is passed in); the other
classes hold the sockets.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Final, Self, cast

from lanuno.net.discovery.advert import MAX_TXT, TableAdvert, decode_txt, encode_txt
from lanuno.net.discovery.table_list import MAX_TABLES, TableList
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import chosen
from lanuno.net.transport.to_completion import to_completion
from lanuno.system.adapters import IN_USE, broadcast_place
from lanuno.table.budget import Budget

BEACON_PORT: Final = 47474
"""A UDP port, with the same number as the TCP port."""

BEACON_SECONDS: Final = 2.0
"""Interval between two beacons of a node."""

BEACON_EXPIRY_SECONDS: Final = 3.5 * BEACON_SECONDS
"""A table is dropped after this time without a beacon."""

BEACON_RATE: Final = 40.0
BEACON_BURST: Final = 200
"""Rate limit for the datagrams of one address. All tables that fit into a list, on one computer,
send fewer."""

_MAGIC: Final = b"LANUNO"
_HEAD: Final = len(_MAGIC) + 3
_SELF_TEST: Final = 2
"""The kind of a datagram that announces no table, but checks the network."""


def datagram(table: TableAdvert, *, here: bool = True) -> bytes:
    """Encode a table's datagram. `NetError` (`PROTOCOL`) if every receiver would reject it."""
    text = encode_txt(replace(table, addresses=("127.0.0.1",), update=0))
    return _MAGIC + bytes([here]) + table.port.to_bytes(2, "big") + text


def self_test_datagram(number: bytes) -> bytes:
    """Encode a datagram that only its sender recognises, to check that broadcasts arrive."""
    return _MAGIC + bytes([_SELF_TEST, 0, 0]) + number


class BeaconTables:
    """Keeps a table list up to date from datagrams, and drops tables whose beacons stop."""

    def __init__(self, tables: TableList) -> None:
        """`tables` is the list to keep up to date."""
        self._tables = tables
        self._last_received: dict[str, float] = {}
        self._budget = Budget[str](BEACON_RATE, BEACON_BURST)

    def receive(self, data: bytes, source: str, now: float) -> None:
        """Process an untrusted datagram from `source`; invalid ones are ignored."""
        if len(data) > _HEAD + MAX_TXT or data[: len(_MAGIC)] != _MAGIC or len(data) < _HEAD:
            return
        if not self._budget.take(source, now):
            return
        kind, port = data[len(_MAGIC)], int.from_bytes(data[_HEAD - 2 : _HEAD], "big")
        advert = decode_txt(data[_HEAD:], (source,), port)
        if advert is None or kind > 1:
            return
        # The key contains the sender, so no other address can change or withdraw the table.
        key = f"{source}/{advert.fp}/{port}"
        if not kind:
            self._last_received.pop(key, None)
            self._tables.drop(key)
            return
        # Datagrams are not delayed, so the last one to arrive is the newest.
        self._tables.put(key, replace(advert, update=0))
        if key in self._tables.tables:
            self._last_received[key] = now
        if len(self._last_received) > MAX_TABLES:
            self._last_received = {each: self._last_received[each] for each in self._tables.tables}

    def expire(self, now: float) -> None:
        """Drop the tables whose last beacon is too old."""
        for key in [
            key for key, last in self._last_received.items() if now - last >= BEACON_EXPIRY_SECONDS
        ]:
            del self._last_received[key]
            self._tables.drop(key)


def _networks(adapter: str | None) -> dict[str, str]:
    """Return the broadcast address for each IPv4 address of this computer."""
    return {
        address: broadcast
        for each in chosen(adapter)
        for address, broadcast in zip(each.ipv4, each.broadcasts, strict=True)
    }


class _Receiver(asyncio.DatagramProtocol):
    def __init__(self, tables: BeaconTables) -> None:
        self._tables = tables
        self._loop = asyncio.get_running_loop()

    def datagram_received(self, data: bytes, addr: tuple[str | int, ...]) -> None:
        self._tables.receive(data, str(addr[0]), self._loop.time())


class Beacon:
    """Broadcasts a table. Create it with `broadcast`."""

    def __init__(self, table: TableAdvert, adapter: str | None, port: int) -> None:
        """Prepare without sending. Use `broadcast` instead."""
        self._table = table
        self._data = datagram(table)
        self._adapter = adapter
        self._transports: dict[tuple[str, str], asyncio.DatagramTransport] = {}
        self._port = port
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start broadcasting. Called by `broadcast`. Raises `NetError` (`ADAPTER`)."""
        try:
            await self._follow_adapters()
        except BaseException:
            self._close_transports()
            raise
        if not self._transports:
            raise NetError(NetFault.ADAPTER, "no adapter can broadcast")
        self._task = asyncio.create_task(self._broadcast())

    def update(self, table: TableAdvert) -> None:
        """Change the advert that is broadcast. Raises `NetError` (`PROTOCOL`) like `datagram`."""
        data = datagram(table)
        if data != self._data:
            self._data = data
            self._table = table
            self._changed.set()

    async def withdraw(self) -> None:
        """Broadcast that the table is gone, and close."""
        if self._task is None or self._task.done():
            return
        await to_completion(self._withdraw(self._task))

    async def _withdraw(self, broadcasting: asyncio.Task[None]) -> None:
        broadcasting.cancel()
        await asyncio.wait([broadcasting])
        self._send(datagram(self._table, here=False))
        self._close_transports()
        # The transports close in the next turn of the event loop.
        await asyncio.sleep(0)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.withdraw()

    async def _broadcast(self) -> None:
        while True:
            self._changed.clear()
            self._send(self._data)
            with suppress(TimeoutError):
                async with asyncio.timeout(BEACON_SECONDS):
                    await self._changed.wait()
            # Adapters come and go, and their addresses change.
            with suppress(NetError):
                await self._follow_adapters()

    async def _follow_adapters(self) -> None:
        networks = _networks(self._adapter)
        for key in self._transports.keys() - networks.items():
            self._transports.pop(key).close()
        for address, broadcast in networks.items() - self._transports.keys():
            with suppress(OSError):
                # Errors are ignored: an adapter that is down may be up for the next beacon.
                transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
                    asyncio.DatagramProtocol, local_addr=(address, 0), allow_broadcast=True
                )
                self._transports[address, broadcast] = transport

    def _close_transports(self) -> None:
        for transport in self._transports.values():
            transport.close()

    def _send(self, data: bytes) -> None:
        for (_, broadcast), transport in self._transports.items():
            with suppress(OSError):
                transport.sendto(data, (broadcast, self._port))


class BeaconBrowser:
    """Receives beacons, as `mdns_browse.Browser` receives adverts. Create with `browse_beacons`."""

    def __init__(self, adapter: str | None, port: int) -> None:
        """Prepare without receiving. Use `browse_beacons` instead."""
        self._list = TableList()
        self._received = BeaconTables(self._list)
        self._adapter = adapter
        self._port = port
        self._transports: dict[str, asyncio.BaseTransport] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start listening. Called by `browse_beacons`. Raises `NetError` (`ADAPTER`, `PORT`)."""
        fault = await self._follow_adapters()
        if not self._transports:
            raise fault or NetError(NetFault.ADAPTER, "no adapter can broadcast")
        self._task = asyncio.create_task(self._expire())

    @property
    def tables(self) -> Mapping[str, TableAdvert]:
        """All currently announced tables, by key."""
        return self._list.tables

    def host_probed(self, key: str, *, answered: bool) -> None:
        """Record the result of probing a table's host; `key` is the `table_key`."""
        self._list.host_probed(key, answered=answered)

    async def close(self) -> None:
        """Stop listening."""
        await to_completion(self._close())

    async def _close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        for transport in self._transports.values():
            transport.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _expire(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(BEACON_SECONDS / 2)
            self._received.expire(loop.time())
            with suppress(NetError):
                await self._follow_adapters()

    async def _follow_adapters(self) -> NetError | None:
        """Listen in every current network. Return the last error, if any network failed."""
        places = {
            broadcast_place(address, broadcast)
            for address, broadcast in _networks(self._adapter).items()
        }
        fault: NetError | None = None
        for place in self._transports.keys() - places:
            self._transports.pop(place).close()
        for place in places - self._transports.keys():
            try:
                self._transports[place] = await _listen(place, self._port, self._received)
            except NetError as error:
                fault = error
        return fault


async def broadcast(
    table: TableAdvert, *, adapter: str | None = None, port: int = BEACON_PORT
) -> Beacon:
    """Broadcast a table on every physical adapter, or on the named one.

    Raises `NetError`: `ADAPTER` if no adapter can broadcast, `PROTOCOL`.
    """
    beacon = Beacon(table, adapter, port)
    await beacon.start()
    return beacon


async def browse_beacons(*, adapter: str | None = None, port: int = BEACON_PORT) -> BeaconBrowser:
    """Listen for beacons on every physical adapter, or on the named one.

    Raises `NetError`: `ADAPTER`, or `PORT` if another program uses the port exclusively.
    """
    browser = BeaconBrowser(adapter, port)
    try:
        await browser.start()
    except BaseException:
        await browser.close()
        raise
    return browser


def receiving_socket(place: str, port: int) -> socket.socket:
    """Return a socket that receives the broadcasts of one network, at its `broadcast_place`.

    Raises `NetError`: `PORT` if another program uses the port exclusively, or `ADAPTER`.
    """
    sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try:
        sock.setblocking(False)
        # Lets several programs on one computer listen.
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((place, port))
    except OSError as error:
        sock.close()
        if error.errno in IN_USE:
            raise NetError(NetFault.PORT, "the port of beacons is taken") from None
        raise NetError(NetFault.ADAPTER, type(error).__name__) from None
    return sock


async def _listen(place: str, port: int, tables: BeaconTables) -> asyncio.BaseTransport:
    sock = receiving_socket(place, port)
    try:
        transport, _ = await asyncio.get_running_loop().create_datagram_endpoint(
            lambda: _Receiver(tables), sock=sock
        )
    except BaseException:
        sock.close()
        raise
    return cast(asyncio.BaseTransport, transport)
