"""Whether an address is on a network of this computer, as far as can be known without sending.

Rule: no packet is sent and no name is resolved. A nearby address may still belong to anyone.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum, auto
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

from lanuno.net.errors import NetError
from lanuno.net.transport.adapters import Adapter, choose
from lanuno.net.transport.addresses import parse_address

SHORTEST_PREFIX: Final = {4: 8, 6: 32}
"""Shortest prefix of a local network, by IP version; an adapter may report an implausible one."""


class Nearness(Enum):
    """Where an address leads."""

    COMPUTER = auto()
    """To this computer itself."""
    NETWORK = auto()
    """To a network on which games are played."""
    OTHER_ADAPTER = auto()
    """To a network of a VPN, a container or a virtual machine, or of an adapter not chosen."""
    PRIVATE = auto()
    """To a private network that this computer is not part of."""
    PUBLIC = auto()
    """To the internet."""
    NAME = auto()
    """To an address that only a name server knows."""


def nearness(host: str, adapters: Iterable[Adapter], adapter: str | None = None) -> Nearness:
    """Return where an address or name leads. `adapter` is the one chosen in the settings."""
    address = parse_address(host)
    if address is None:
        return Nearness.NAME
    everything = tuple(adapters)
    own = {ip_address(text) for each in everything for text in each.addresses}
    # A connection to the unspecified address reaches this computer on most systems.
    if address.is_loopback or address.is_unspecified or address in own:
        return Nearness.COMPUTER
    try:
        used = choose(everything, adapter)
    except NetError:
        used = ()
    if on_network(host, used):
        return Nearness.NETWORK
    if on_network(host, everything):
        return Nearness.OTHER_ADAPTER
    return Nearness.PUBLIC if address.is_global else Nearness.PRIVATE


def on_network(host: str, adapters: Iterable[Adapter]) -> bool:
    """Whether a numeric address is one that a computer can have on the network of an adapter."""
    address, scope = parse_address(host), host.partition("%")[2]
    if address is None:
        return False
    if isinstance(address, IPv6Address) and address.is_link_local:
        # A link-local address is on the network of each adapter, or only of that in its scope.
        return any(
            each.ipv6 and scope in ("", str(each.index), each.name)
            for each in adapters
            if not each.loopback
        )
    networks = [ip_network(text) for each in adapters for text in each.networks]
    return any(
        network.version == address.version
        and network.prefixlen >= SHORTEST_PREFIX[network.version]
        and address in network
        and not (network.prefixlen < 31 and address == network.broadcast_address)
        for network in networks
    )
