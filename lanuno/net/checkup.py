"""What may keep this computer from finding tables or being found, looked at with real sockets.

Law: tells findings, no words: whoever asks puts them into a language. Nothing is sent that another
program of the game would take for a table. Whether a message reaches the others cannot be seen from
here; that this computer sends and hears its own can.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from lanuno.net.adapters import Adapter, choose, scan, scoped, without_address
from lanuno.net.advert import advertise
from lanuno.net.beacon import BEACON_PORT, echo, hearing
from lanuno.net.browse import Browser, browse
from lanuno.net.errors import Fault, NetError
from lanuno.net.firewalls import Firewall, active
from lanuno.net.handshake import VERSION
from lanuno.net.server import DEFAULT_PORT
from lanuno.net.txt import TableAdvert, TableState

SERVICE: Final = "_lanuno-check._tcp.local."
"""What the check announces: nobody who looks for tables asks for it."""

NO_ECHO: Final = "no echo"

PATIENCE: Final = 5.0
"""Seconds for a message of this computer to come back to it."""


class Health(Enum):
    """What a finding means for whoever wants to play."""

    GOOD = "good"
    HINT = "hint"
    """May be in the way, or is worth knowing."""

    BAD = "bad"
    """Something does not work."""


class What(Enum):
    """What was found."""

    USED = "used"
    """An adapter is used: name, addresses."""

    SKIPPED_LOOPBACK = "skipped_loopback"
    SKIPPED_VIRTUAL = "skipped_virtual"
    """An adapter of a container, a virtual machine or a VPN is not used: name, addresses."""

    ALONE = "alone"
    """No real adapter has an address: only programs on this computer can be met."""

    DISCONNECTED = "disconnected"
    """An adapter that is used has an address, but no cable or Wi-Fi: name, addresses."""

    NO_ADDRESS = "no_address"
    """An adapter has no address, as without a cable: name."""

    NO_ADAPTER = "no_adapter"
    MULTICAST = "multicast"
    """Multicast DNS comes back on an adapter: name."""

    NO_MULTICAST = "no_multicast"
    """It does not, or cannot be used: name, detail."""

    BROADCAST = "broadcast"
    NO_BROADCAST = "no_broadcast"
    """The same of the beacon, for networks that keep multicast back: name, detail."""

    PORT_FREE = "port_free"
    PORT_TAKEN = "port_taken"
    """Another program listens on the usual port: port; a host takes the next one."""

    BEACON_TAKEN = "beacon_taken"
    """Another program has the port of beacons for itself: port."""

    NO_IPV4 = "no_ipv4"
    """Only IPv6 addresses are there, and beacons are of IPv4."""

    REACHED = "reached"
    NOT_REACHED = "not_reached"
    """A connection to an address of this computer came in, or did not: name, address. It takes a
    way inside this computer, which few firewalls are in."""

    FIREWALL_UFW = "firewall_ufw"
    FIREWALL_FIREWALLD = "firewall_firewalld"
    FIREWALL_WINDOWS = "firewall_windows"
    FIREWALL_MACOS = "firewall_macos"
    """A firewall is switched on that may be in the way: port."""


_BAD: Final = frozenset(
    {
        *(What.ALONE, What.NO_ADAPTER),
        *(What.NO_MULTICAST, What.NO_BROADCAST, What.NOT_REACHED),
    }
)
_HINTS: Final = frozenset(
    {
        *(
            What.SKIPPED_VIRTUAL,
            What.DISCONNECTED,
            What.PORT_TAKEN,
            What.BEACON_TAKEN,
            What.NO_IPV4,
        ),
        *(What.FIREWALL_UFW, What.FIREWALL_FIREWALLD),
        *(What.FIREWALL_WINDOWS, What.FIREWALL_MACOS),
    }
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    what: What
    values: dict[str, str] = field(default_factory=dict)

    @property
    def health(self) -> Health:
        """Whether it is as it should be."""
        if self.what in _BAD:
            return Health.BAD
        return Health.HINT if self.what in _HINTS else Health.GOOD


def adapters_now(
    adapters: Iterable[Adapter], wanted: str | None, bare: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Which adapters are used, and why the others are not. Pure.

    `bare`: names of real ones without an address.
    """
    everything = tuple(adapters)
    unused = [Finding(What.NO_ADDRESS, {"name": name}) for name in bare]
    try:
        used = choose(everything, wanted)
    except NetError as error:
        return (Finding(What.NO_ADAPTER, {"detail": error.detail}), *unused)
    found = [_of(What.USED, each) for each in used]
    found += [_of(What.DISCONNECTED, each) for each in used if not each.connected]
    if all(each.loopback or not each.connected for each in used) and wanted is None:
        found.append(Finding(What.ALONE))
    for each in everything:
        if each not in used and (each.loopback or each.virtual):
            what = What.SKIPPED_LOOPBACK if each.loopback else What.SKIPPED_VIRTUAL
            found.append(_of(what, each))
    return (*found, *unused)


def _of(what: What, adapter: Adapter, **more: str) -> Finding:
    name = adapter.label or adapter.name
    return Finding(what, {"name": name, "addresses": ", ".join(adapter.addresses), **more})


async def check_up(
    wanted: str | None = None,
    *,
    port: int = DEFAULT_PORT,
    beacon_port: int = BEACON_PORT,
    firewalls: Callable[[], tuple[Firewall, ...]] = active,
) -> tuple[Finding, ...]:
    """Look at everything, in a few seconds; `wanted`: on this adapter only. Raises nothing."""
    everything = scan()
    found = list(adapters_now(everything, wanted, without_address(everything)))
    used: tuple[Adapter, ...] = ()
    with suppress(NetError):
        used = tuple(each for each in choose(everything, wanted) if each.connected)
    outward = [each for each in used if not each.loopback]
    looks: list[Awaitable[Finding]] = [_multicast(each) for each in used]
    looks += [_broadcast(each, beacon_port) for each in outward if each.broadcasts]
    looks += [_reach(each) for each in used]
    found += [each for each in await asyncio.gather(*looks) if each not in found]
    found.append(_usual_port(port))
    if outward and not any(each.broadcasts for each in outward):
        found.append(Finding(What.NO_IPV4))
    if outward:
        for firewall in firewalls():
            what = What[f"FIREWALL_{firewall.name}"]
            found.append(Finding(what, {"port": str(port), "beacon": str(beacon_port)}))
    return tuple(found)


def _table() -> TableAdvert:
    """A table that nobody can sit down at."""
    number = secrets.token_bytes(16)
    fingerprint = "a" * 32
    return TableAdvert(
        id=number,
        name="check",
        host="check",
        fp=fingerprint,
        preset="classic",
        seats=2,
        taken=2,
        state=TableState.OVER,
        pin=False,
        version=VERSION,
        addresses=("127.0.0.1",),
        port=9,
    )


async def _multicast(adapter: Adapter) -> Finding:
    """Announce something on one adapter, and hear it there with another socket."""
    mine = _table()
    try:
        async with (
            await browse(adapter=adapter.name, service=SERVICE) as browser,
            await advertise(mine, adapter=adapter.name, service=SERVICE),
        ):
            heard = await _comes_back(browser, mine)
    except NetError as error:
        return _of(What.NO_MULTICAST, adapter, detail=error.detail)
    if heard:
        return _of(What.MULTICAST, adapter)
    return _of(What.NO_MULTICAST, adapter, detail=NO_ECHO)


async def _comes_back(browser: Browser, mine: TableAdvert) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for _ in browser:
                if any(each.id == mine.id for each in browser.tables.values()):
                    return True
    return False


class _Own(asyncio.DatagramProtocol):
    """Waits for one datagram."""

    def __init__(self, wanted: bytes) -> None:
        self.wanted = wanted
        self.came = asyncio.Event()

    def datagram_received(self, data: bytes, _addr: tuple[str | int, ...]) -> None:
        if data == self.wanted:
            self.came.set()


async def _broadcast(adapter: Adapter, port: int) -> Finding:
    """Broadcast something on one adapter to the port of beacons, and hear it there.

    To that port and no other: a firewall may well let nothing else through.
    """
    loop = asyncio.get_running_loop()
    own = _Own(echo(secrets.token_bytes(16)))
    try:
        sock = hearing(adapter.broadcasts[0], port)
    except NetError as error:
        if error.fault is Fault.PORT:
            return Finding(What.BEACON_TAKEN, {"port": str(port)})
        return _of(What.NO_BROADCAST, adapter, detail=error.detail)
    ear, _ = await loop.create_datagram_endpoint(lambda: own, sock=sock)
    try:
        mouth, _ = await loop.create_datagram_endpoint(
            asyncio.DatagramProtocol, local_addr=(adapter.ipv4[0], 0), allow_broadcast=True
        )
        try:
            async with asyncio.timeout(PATIENCE):
                mouth.sendto(own.wanted, (adapter.broadcasts[0], port))
                await own.came.wait()
        finally:
            mouth.close()
    except TimeoutError:
        return _of(What.NO_BROADCAST, adapter, detail=NO_ECHO)
    except OSError as error:
        return _of(What.NO_BROADCAST, adapter, detail=type(error).__name__)
    finally:
        ear.close()
    return _of(What.BROADCAST, adapter)


async def _reach(adapter: Adapter) -> Finding:
    """Listen on an address of this computer, and connect to it."""
    address = scoped(adapter.addresses[0], adapter.index)
    came = asyncio.Event()

    def take(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.set()
        writer.close()

    try:
        server = await asyncio.start_server(take, address, 0)
        async with server:
            port: int = server.sockets[0].getsockname()[1]
            async with asyncio.timeout(PATIENCE):
                _, writer = await asyncio.open_connection(address, port)
                try:
                    await came.wait()
                finally:
                    writer.close()
            await writer.wait_closed()
    except (OSError, TimeoutError) as error:
        return _of(What.NOT_REACHED, adapter, address=address, detail=type(error).__name__)
    return _of(What.REACHED, adapter, address=address)


def _usual_port(port: int) -> Finding:
    """Whether a host could take the usual port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind(("", port))
            sock.listen(1)
        except OSError:
            return Finding(What.PORT_TAKEN, {"port": str(port)})
    return Finding(What.PORT_FREE, {"port": str(port)})
