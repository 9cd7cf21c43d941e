"""Multicast DNS on the adapters that a game uses, even when adapters come and go.

Rule: only this file creates a `Zeroconf`. `mdns_announce.py` sends over it, `mdns_browse.py`
receives.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from zeroconf import Error, IPVersion
from zeroconf.asyncio import AsyncZeroconf

from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter, chosen
from lanuno.net.transport.to_completion import to_completion
from lanuno.system.adapters import IN_USE

SERVICE: Final = "_lanuno._tcp.local."
MULTICAST_PORT: Final = 5353
"""The port of multicast DNS (RFC 6762)."""
RESCAN_SECONDS = 5.0
"""Interval between two scans of the adapters."""


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a log record of zeroconf is worth keeping.

    zeroconf warns, with a traceback, of every adapter that cannot send. An unplugged cable is
    normal, and the next scan updates the adapters.
    """
    return record.exc_info is None or not isinstance(record.exc_info[1], OSError)


logging.getLogger("zeroconf").addFilter(_is_news)


def interfaces(adapters: Sequence[Adapter]) -> list[str]:
    """Return the addresses to pass to `Zeroconf`: one for each adapter and family.

    A group is joined once per adapter. IPv6 multicast is sent from the link-local address, and does
    not work on loopback.
    """
    found: list[str] = []
    for each in adapters:
        found.extend(each.ipv4[:1])
        if each.ipv6 and not each.loopback:
            local = [one for one in each.ipv6 if one.lower().startswith("fe80:")]
            found.append((local or list(each.ipv6))[0])
    return found


class Multicast:
    """A `Zeroconf` on a set of adapters. Create it with `open_multicast`."""

    def __init__(
        self, zeroconf: AsyncZeroconf, adapters: tuple[Adapter, ...], adapter: str | None
    ) -> None:
        """Take ownership of a `Zeroconf`. Use `open_multicast` instead."""
        self.zeroconf = zeroconf
        self.adapters = adapters
        self._adapter = adapter
        self.on_change: Callable[[], None] = lambda: None
        """Called after each change of `adapters`."""
        self._watcher = asyncio.create_task(self._watch())

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses of the adapters, without scope."""
        return tuple(dict.fromkeys(text for each in self.adapters for text in each.addresses))

    async def close(self) -> None:
        """Withdraw everything that is still advertised, and close all sockets."""
        await to_completion(self._close())

    async def _close(self) -> None:
        self._watcher.cancel()
        try:
            await asyncio.wait([self._watcher])
        finally:
            with suppress(Error, OSError, TimeoutError):
                await self.zeroconf.async_close()

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(RESCAN_SECONDS)
            await self.rescan()

    async def rescan(self) -> None:
        """Scan the adapters now, and switch to those found."""
        try:
            adapters = chosen(self._adapter)
        except (NetError, OSError):
            return  # no adapter at the moment: keep the previous ones
        names = interfaces(adapters)
        if not names:
            return
        with suppress(Error, OSError, RuntimeError):
            # Even without a change: a new IPv6 address cannot be used in its first second.
            await self.zeroconf.async_update_interfaces(names)
        if adapters != self.adapters:
            self.adapters = adapters
            self.on_change()


async def open_multicast(adapter: str | None = None) -> Multicast:
    """Join the multicast groups on every physical adapter, or on the named one (`"lo"`: loopback).

    Raises `NetError`: `ADAPTER`, `MULTICAST`, `MULTICAST_PORT`.
    """
    adapters = chosen(adapter)
    names = interfaces(adapters)
    if not names:
        raise NetError(NetFault.ADAPTER, "the adapter has no usable address")
    try:
        zeroconf = _zeroconf(names)
    except (OSError, RuntimeError, Error) as error:
        taken = isinstance(error, OSError) and error.errno in IN_USE
        fault = NetFault.MULTICAST_PORT if taken else NetFault.MULTICAST
        raise NetError(fault, str(error)) from None
    try:
        await zeroconf.zeroconf.async_wait_for_start()
    except BaseException as error:
        await to_completion(zeroconf.async_close())
        if isinstance(error, OSError | Error):
            raise NetError(NetFault.MULTICAST, type(error).__name__) from None
        raise
    return Multicast(zeroconf, adapters, adapter)


def _zeroconf(names: list[str]) -> AsyncZeroconf:
    try:
        _check_port(names)
        return AsyncZeroconf(interfaces=names)
    except (OSError, RuntimeError):
        ipv4 = [name for name in names if ":" not in name]
        if not ipv4 or len(ipv4) == len(names):
            raise
        # IPv6 is disabled in some part of this system, so use IPv4 only.
        _check_port(ipv4)
        return AsyncZeroconf(interfaces=ipv4, ip_version=IPVersion.V4Only)


def _check_port(names: list[str]) -> None:
    """Bind the port of multicast DNS as zeroconf would, which leaves a socket open if it fails.

    Raises `OSError`.
    """
    ipv6 = any(":" in name for name in names)
    check_shared(MULTICAST_PORT, socket.AF_INET6 if ipv6 else socket.AF_INET, only_ipv6=False)


def check_shared(port: int, family: socket.AddressFamily, *, only_ipv6: bool) -> None:
    """Bind a UDP port that several programs may share. Raises `OSError` if one does not share it.

    `only_ipv6`: whether a socket of IPv6 leaves the port of IPv4 alone.
    """
    with socket.socket(family, socket.SOCK_DGRAM) as sock:
        if family is socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, int(only_ipv6))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "SO_REUSEPORT"):
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        sock.bind(("", port))
