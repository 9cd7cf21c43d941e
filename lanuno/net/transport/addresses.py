"""Resolve host texts to socket addresses, and reduce addresses to a form that can be compared.

Numeric addresses need no resolver. A link-local address without a scope is tried on each adapter.

Rule: nothing connects here.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final

from msgspec import Struct

from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter, scan

NAME_SERVER_SILENT: Final = "the name server does not answer"
"""Detail of `TIMEOUT` if the address of a name is not known in time."""


class ResolvedAddress(Struct, frozen=True):
    """One socket address to try."""

    family: socket.AddressFamily
    sockaddr: tuple[str, int] | tuple[str, int, int, int]

    @property
    def text(self) -> str:
        """The address for display and logs, with its scope, without the port."""
        return address_text(self.sockaddr)


def address_text(sockaddr: tuple[str | int, ...]) -> str:
    """Return the host part of a socket address, with a scope id as %number."""
    host = str(sockaddr[0])
    scope = sockaddr[3] if len(sockaddr) == 4 else 0
    return f"{host}%{scope}" if scope and "%" not in host else host


def with_port(address: str, port: int) -> str:
    """Return an address and a port as people type them."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def canonical_address(address: str) -> str:
    """Return the form in which addresses are compared: no scope, mapped IPv4 as plain IPv4."""
    parsed = parse_address(address)
    return address if parsed is None else str(parsed)


def network_of(address: str) -> str:
    """Return the network that one person may control, as text.

    This is the address itself for IPv4, the /64 for IPv6, and additionally the scope for link-local
    addresses.
    """
    parsed = parse_address(address)
    if not isinstance(parsed, IPv6Address):
        return canonical_address(address)
    scope = address.partition("%")[2] if parsed.is_link_local else ""
    return f"{IPv6Network((parsed, 64), strict=False)}%{scope}"


def parse_address(address: str) -> IPv4Address | IPv6Address | None:
    """Parse an address without its scope, mapped IPv4 as plain IPv4. Return None for a name."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return mapped or parsed


def check_port(port: int) -> int:
    """Return a valid TCP port unchanged; raise `NetError` (`ADDRESS`) otherwise."""
    if not 1 <= port <= 65535:
        raise NetError(NetFault.ADDRESS, f"no such port: {port}")
    return port


def numeric_targets(
    host: str, port: int, adapters: Iterable[Adapter] | None = None
) -> list[ResolvedAddress]:
    """Return the targets of a numeric address, or an empty list for a host name.

    A link-local IPv6 address without a scope becomes one target on each of `adapters` (by default
    all adapters of this computer) except loopback. Raises `NetError` (`ADDRESS`) for a scope that
    does not exist, or on an IPv4 address.
    """
    bare, _, scope = host.partition("%")
    try:
        address = ip_address(bare)
    except ValueError:
        return []
    if not isinstance(address, IPv6Address):
        if scope:
            raise NetError(NetFault.ADDRESS, "an IPv4 address with a scope")
        return [ResolvedAddress(socket.AF_INET, (str(address), port))]
    if not address.is_link_local:
        return [ResolvedAddress(socket.AF_INET6, (str(address), port, 0, 0))]
    if scope:
        indexes = [_scope_index(scope)]
    else:
        known = scan() if adapters is None else adapters
        indexes = [each.index for each in known if each.ipv6 and not each.loopback]
    return [ResolvedAddress(socket.AF_INET6, (str(address), port, 0, index)) for index in indexes]


def _scope_index(scope: str) -> int:
    if scope.isascii() and scope.isdigit() and len(scope) < 10:
        return int(scope)
    try:
        return socket.if_nametoindex(scope)
    except (OSError, ValueError):
        raise NetError(NetFault.ADDRESS, "no adapter of that scope") from None


async def resolve(
    hosts: Iterable[str], port: int, *, most: int, seconds: float
) -> tuple[ResolvedAddress, ...]:
    """Resolve numeric addresses and host names to at most `most` distinct targets.

    A name server has `seconds` for each name. Raises `NetError` (`ADDRESS`) for an invalid port or
    scope. Without a target it raises `TIMEOUT` if a name server did not answer, else `ADDRESS`.
    """
    check_port(port)
    found: dict[ResolvedAddress, None] = {}
    silent = False
    for host in hosts:
        if len(found) >= most:
            break
        try:
            targets = numeric_targets(host, port) or await _lookup(host, port, seconds)
        except TimeoutError:
            silent = True
            continue
        found.update(dict.fromkeys(targets))
    if not found and silent:
        raise NetError(NetFault.TIMEOUT, NAME_SERVER_SILENT)
    if not found:
        raise NetError(NetFault.ADDRESS, "no usable address")
    return tuple(found)[:most]


async def _lookup(host: str, port: int, seconds: float) -> list[ResolvedAddress]:
    with suppress(OSError, UnicodeError):
        # The system reads some names as numbers: 127.1, 0x7f000001, or 192.168.1.020 as …16. People
        # would be shown another address than the one that is connected to.
        socket.getaddrinfo(host, port, flags=socket.AI_NUMERICHOST)
        return []
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(seconds):
            infos = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except TimeoutError:
        raise  # also an OSError, but a silent name server does not mean that the name is unknown
    except (OSError, UnicodeError):
        return []
    return [target for info in infos if (target := _target(info[0], info[4], port)) is not None]


def _target(
    family: socket.AddressFamily, sockaddr: Sequence[str | int | bytes], port: int
) -> ResolvedAddress | None:
    match family, sockaddr:
        case socket.AF_INET, (str(host), _):
            return ResolvedAddress(family, (host, port))
        case socket.AF_INET6, (str(host), _, int(flow), int(scope)):
            return ResolvedAddress(family, (host, port, flow, scope))
        case _:
            return None
