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

from lanuno.net.adapters import Adapter, choose, scan
from lanuno.net.advert import advertise
from lanuno.net.beacon import BEACON_PORT, BeaconBrowser, shine, watch
from lanuno.net.browse import Browser, browse
from lanuno.net.errors import NetError
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

    REACHED = "reached"
    NOT_REACHED = "not_reached"
    """A connection to an address of this computer came in, or did not: name, address."""

    FIREWALL_UFW = "firewall_ufw"
    FIREWALL_FIREWALLD = "firewall_firewalld"
    FIREWALL_WINDOWS = "firewall_windows"
    FIREWALL_MACOS = "firewall_macos"
    """A firewall is switched on that may be in the way: port."""


_BAD: Final = frozenset({What.NO_ADAPTER, What.NO_MULTICAST, What.NO_BROADCAST, What.NOT_REACHED})
_HINTS: Final = frozenset(
    {
        *(What.ALONE, What.SKIPPED_VIRTUAL, What.PORT_TAKEN, What.BEACON_TAKEN),
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


def adapters_now(adapters: Iterable[Adapter], wanted: str | None) -> tuple[Finding, ...]:
    """Which adapters are used, and why the others are not. Pure."""
    everything = tuple(adapters)
    try:
        used = choose(everything, wanted)
    except NetError as error:
        return (Finding(What.NO_ADAPTER, {"detail": error.detail}),)
    found = [_of(What.USED, each) for each in used]
    if all(each.loopback for each in used) and wanted is None:
        found.append(Finding(What.ALONE))
    for each in everything:
        if each not in used and (each.loopback or each.virtual):
            what = What.SKIPPED_LOOPBACK if each.loopback else What.SKIPPED_VIRTUAL
            found.append(_of(what, each))
    return tuple(found)


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
    found = list(adapters_now(scan(), wanted))
    used: tuple[Adapter, ...] = ()
    with suppress(NetError):
        used = choose(scan(), wanted)
    looks: list[Awaitable[Finding | None]] = [_multicast(each) for each in used]
    looks += [_broadcast(each) for each in used if each.broadcasts and not each.loopback]
    looks += [_reach(each) for each in used]
    found += [each for each in await asyncio.gather(*looks) if each is not None]
    found.append(_usual_port(port))
    if not await _may_hear(wanted, beacon_port) and any(not each.loopback for each in used):
        found.append(Finding(What.BEACON_TAKEN, {"port": str(beacon_port)}))
    if any(not each.loopback for each in used):
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


async def _comes_back(browser: Browser | BeaconBrowser, mine: TableAdvert) -> bool:
    with suppress(TimeoutError):
        async with asyncio.timeout(PATIENCE):
            async for _ in browser:
                if any(each.id == mine.id for each in browser.tables.values()):
                    return True
    return False


async def _broadcast(adapter: Adapter) -> Finding:
    """Broadcast something on one adapter to a port of our own, and hear it."""
    mine = _table()
    port = _free_port()
    try:
        async with (
            await watch(adapter=adapter.name, port=port) as browser,
            await shine(mine, adapter=adapter.name, port=port),
        ):
            heard = await _comes_back(browser, mine)
    except NetError as error:
        return _of(What.NO_BROADCAST, adapter, detail=error.detail)
    if heard:
        return _of(What.BROADCAST, adapter)
    return _of(What.NO_BROADCAST, adapter, detail=NO_ECHO)


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("", 0))
        port: int = sock.getsockname()[1]
        return port


async def _reach(adapter: Adapter) -> Finding | None:
    """Listen on an address of this computer, and connect to it. None: it has no IPv4 address."""
    if not adapter.ipv4:
        return None
    address = adapter.ipv4[0]
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
                await came.wait()
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


async def _may_hear(wanted: str | None, port: int) -> bool:
    try:
        browser = await watch(adapter=wanted, port=port)
    except NetError:
        return False
    await browser.close()
    return True
