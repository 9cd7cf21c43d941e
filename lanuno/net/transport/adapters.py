"""Choose the network adapters of this computer that a game uses.

Rule: only `scan` and `without_address` query the operating system; the choice itself is pure.
"""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Iterable, Sequence
from ipaddress import ip_address, ip_interface
from typing import Final

import ifaddr
from msgspec import Struct

from lanuno.net.errors import NetError, NetFault
from lanuno.system.adapters import is_running

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104 - a host means to be reached from the network
"""The wildcard addresses of both families: all addresses of this computer."""

LOOPBACK_NAMES: Final = frozenset({"lo", "lo0"})

# Adapter names of containers, virtual machines and VPNs on Linux, macOS and Windows. LAN games do
# not use these networks. An advert there would reach strangers or nobody.
_VIRTUAL: Final = re.compile(
    r"""
    ( docker | br-[0-9a-f]{12}$ | veth | virbr | vnet | vmnet | vboxnet | vethernet
    | lxc | lxd | podman | cni | flannel | cali | cilium | kube | nerdctl | waydroid | ifb
    | tun | tap | wg | tailscale | zt | utun | ipsec | ppp | nordlynx | proton | mullvad | gpd
    | awdl | llw | anpi | dummy | sit[0-9] | gre(tap)?[0-9] | ip6(tnl|gre|_vti)
    | tunl[0-9] | erspan[0-9] | teql[0-9] | stf[0-9] | gif[0-9]
    )
    | .* ( hyper-v | vmware | virtualbox | wireguard | tap-windows | openvpn | tailscale
         | zerotier | \bvpn\b | wsl )
    """,
    re.VERBOSE | re.IGNORECASE,
)


class Adapter(Struct, frozen=True):
    """One network adapter and its addresses."""

    name: str
    """The name used by the operating system and by `--adapter`."""

    index: int
    """Scope id of the adapter's link-local IPv6 addresses."""

    ipv4: tuple[str, ...]
    ipv6: tuple[str, ...]
    """IPv6 addresses without scope."""

    label: str = ""
    """A longer display name, where the system has one."""

    broadcasts: tuple[str, ...] = ()
    """The broadcast address for each IPv4 address."""

    networks: tuple[str, ...] = ()
    """The network of each address, of both families, with its prefix length."""

    connected: bool = True
    """Whether a cable is plugged in or a Wi-Fi joined, as far as the system reports it."""

    @property
    def loopback(self) -> bool:
        """Whether this adapter leads only to this computer."""
        return self.name in LOOPBACK_NAMES or any(each.startswith("127.") for each in self.ipv4)

    @property
    def virtual(self) -> bool:
        """Whether the name looks like that of a container, a virtual machine or a VPN."""
        return any(_VIRTUAL.match(name) for name in (self.name, self.label) if name)

    @property
    def addresses(self) -> tuple[str, ...]:
        """All addresses, IPv4 first."""
        return self.ipv4 + self.ipv6


def scan() -> tuple[Adapter, ...]:
    """Return all adapters that have an address now."""
    found = []
    for each in ifaddr.get_adapters():
        ipv4 = tuple(ip.ip for ip in each.ips if isinstance(ip.ip, str))
        ipv6 = tuple(ip.ip[0] for ip in each.ips if isinstance(ip.ip, tuple))
        networks = [
            ip_interface(f"{ip.ip if ip.is_IPv4 else ip.ip[0]}/{ip.network_prefix}").network
            for ip in each.ips
        ]
        broadcasts = tuple(str(net.broadcast_address) for net in networks if net.version == 4)
        if ipv4 or ipv6:
            found.append(
                Adapter(
                    each.name,
                    each.index or 0,
                    ipv4,
                    ipv6,
                    each.nice_name,
                    broadcasts,
                    tuple(map(str, networks)),
                    connected=is_running(each.name),
                )
            )
    return tuple(found)


def without_address(adapters: Iterable[Adapter]) -> tuple[str, ...]:
    """Return the names of physical adapters without an address: no cable, or no Wi-Fi joined.

    Returns nothing on Windows, where each adapter has a dozen filters with names of their own.
    """
    known = {each.name for each in adapters}
    names = [] if sys.platform == "win32" else socket.if_nameindex()
    return tuple(
        name
        for _, name in names
        if name not in known | LOOPBACK_NAMES and not Adapter(name, 0, (), ()).virtual
    )


def choose(adapters: Iterable[Adapter], wanted: str | None = None) -> tuple[Adapter, ...]:
    """Return the adapters to play on.

    If `wanted` is None: every physical adapter, or loopback if no other exists. Otherwise: the
    adapter with that name, label or address, of any kind. Raises `NetError` (`ADAPTER`).
    """
    everything = tuple(adapters)
    if wanted is not None:
        chosen = tuple(each for each in everything if _is_meant(each, wanted))
        if not chosen:
            raise NetError(NetFault.ADAPTER, f"no adapter {wanted!r} with an address")
        return chosen
    real = tuple(each for each in everything if not each.loopback and not each.virtual)
    chosen = real or tuple(each for each in everything if each.loopback)
    if not chosen:
        raise NetError(NetFault.ADAPTER, "no network adapter has an address")
    return chosen


def _is_meant(adapter: Adapter, wanted: str) -> bool:
    """Whether this text is the name, label or an address of the adapter."""
    if wanted in (adapter.name, adapter.label):
        return True
    try:
        address, _, scope = str(ip_address(wanted)).partition("%")
    except ValueError:
        return False
    if scope and not (address.startswith("fe80:") and scope in (adapter.name, str(adapter.index))):
        return False
    return ip_address(address) in map(ip_address, adapter.addresses)


def chosen(wanted: str | None = None) -> tuple[Adapter, ...]:
    """Scan the adapters of this computer and `choose` among them."""
    return choose(scan(), wanted)


def listen_hosts(adapters: Sequence[Adapter], wanted: str | None = None) -> tuple[str, ...]:
    """Return the addresses to listen on: all, or only those of the wanted adapter."""
    if wanted is None and not all(each.loopback for each in adapters):
        return EVERYWHERE
    return tuple(
        host
        for each in adapters
        for host in each.ipv4 + tuple(scoped(address, each.index) for address in each.ipv6)
    )


def scoped(address: str, index: int) -> str:
    """Return an address with its scope if it is link-local IPv6, or unchanged."""
    return f"{address}%{index}" if address.lower().startswith("fe80:") else address
