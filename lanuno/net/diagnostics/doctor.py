"""Check with real sockets what may keep this computer from finding tables or being found.

Rule: findings are values, and the caller translates them. No packet is sent that another LanUNO
would mistake for a table. These checks show only that this computer receives its own messages, not
whether they reach other computers.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from enum import Enum
from typing import Final

from msgspec import Struct, field

from lanuno.net.diagnostics.firewalls import Firewall, active
from lanuno.net.diagnostics.port_users import exclusive_users, naming_command
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.beacon import BEACON_PORT, receiving_socket, self_test_datagram
from lanuno.net.discovery.mdns_announce import advertise
from lanuno.net.discovery.mdns_browse import browse
from lanuno.net.discovery.multicast import MULTICAST_PORT
from lanuno.net.discovery.network_context import POLL_SECONDS
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter, choose, scan, scoped, without_address
from lanuno.net.transport.addresses import NAME_SERVER_SILENT, with_port
from lanuno.net.transport.connect import CONNECTION_REFUSED, NO_ANSWER, probe
from lanuno.net.transport.listener import DEFAULT_PORT
from lanuno.system.adapters import broadcast_place

CHECK_SERVICE: Final = "_lanuno-check._tcp.local."
"""The service type that the check announces. Clients that list tables do not query it."""

NO_ECHO: Final = "no echo"

ECHO_SECONDS: Final = 5.0
"""Time limit for a message of this computer to come back to it."""


class Health(Enum):
    """What a finding means for the player."""

    GOOD = "good"
    HINT = "hint"
    """Possibly a problem, or worth knowing."""

    BAD = "bad"
    """A problem: something does not work."""


class FindingKind(Enum):
    """What was found. Each kind lists the keys of `Finding.values` after a colon."""

    USED = "used"
    """An adapter is used: name, addresses."""

    SKIPPED_LOOPBACK = "skipped_loopback"
    SKIPPED_VIRTUAL = "skipped_virtual"
    """Loopback, or an adapter of a container, a virtual machine or a VPN, is not used: name,
    addresses."""

    ALONE = "alone"
    """No physical adapter has an address: only tables on this computer can be reached."""

    DISCONNECTED = "disconnected"
    """An adapter in use has an address, but no cable or Wi-Fi: name, addresses."""

    NO_ADDRESS = "no_address"
    """An adapter has no address, for example because it has no cable: name."""

    NO_ADAPTER = "no_adapter"
    """No adapter has an address, or none that has one has the wanted name: detail."""

    MULTICAST = "multicast"
    """Multicast DNS comes back on an adapter: name, addresses."""

    NO_MULTICAST = "no_multicast"
    """Multicast DNS does not come back, though it can be sent: name, addresses, detail."""

    MULTICAST_UNUSABLE = "multicast_unusable"
    """Multicast DNS cannot be used on an adapter: name, addresses, detail."""

    MULTICAST_TAKEN = "multicast_taken"
    """Another program uses the port of multicast DNS exclusively: port, and the fields of
    `_taken`."""

    BROADCAST = "broadcast"
    NO_BROADCAST = "no_broadcast"
    """Whether the beacon, which serves networks that block multicast, comes back: name, addresses,
    and detail if it does not."""

    PORT_FREE = "port_free"
    PORT_TAKEN = "port_taken"
    """Whether a host can listen on the usual port: port. If not, it uses the next free one."""

    BEACON_TAKEN = "beacon_taken"
    """Another program uses the port of beacons exclusively: port, and the fields of `_taken`."""

    NO_IPV4 = "no_ipv4"
    """This computer has only IPv6 addresses, and beacons need IPv4."""

    REACHED = "reached"
    NOT_REACHED = "not_reached"
    """Whether a connection to an address of this computer came in: name, addresses, address, and
    detail if it did not. The connection stays inside this computer, where few firewalls act."""

    ADDRESS_UNUSABLE = "address_unusable"
    """No program can listen or connect at an address of this computer: name, addresses, address,
    detail."""

    INCOMING_UNKNOWN = "incoming_unknown"
    """No check shows whether connections from other computers come in, because a firewall here
    may drop them silently: address, port, place (to be tested from another computer)."""

    PLACE_REACHED = "place_reached"
    """A host of LanUNO answers at the given place: place."""

    PLACE_REFUSED = "place_refused"
    """A computer refuses the connection, as one does where nothing listens: place."""

    PLACE_SILENT = "place_silent"
    """Nothing at all comes back from there: place, port."""

    PLACE_UNREACHABLE = "place_unreachable"
    """There is no way to that address, or no address of that name: place, detail."""

    PLACE_FOREIGN = "place_foreign"
    """Something listens there, but does not answer as the expected host of LanUNO: place,
    detail."""

    FIREWALL_UFW = "firewall_ufw"
    FIREWALL_FIREWALLD = "firewall_firewalld"
    FIREWALL_WINDOWS = "firewall_windows"
    FIREWALL_MACOS = "firewall_macos"
    """An active firewall that may block the game: port, beacon."""


_BAD: Final = frozenset(
    {
        *(FindingKind.ALONE, FindingKind.NO_ADAPTER),
        *(FindingKind.NO_MULTICAST, FindingKind.NO_BROADCAST, FindingKind.NOT_REACHED),
        *(FindingKind.MULTICAST_TAKEN, FindingKind.MULTICAST_UNUSABLE),
        *(FindingKind.ADDRESS_UNUSABLE, FindingKind.PLACE_REFUSED, FindingKind.PLACE_SILENT),
        *(FindingKind.PLACE_UNREACHABLE, FindingKind.PLACE_FOREIGN),
    }
)
_HINTS: Final = frozenset(
    {
        *(
            FindingKind.SKIPPED_VIRTUAL,
            FindingKind.DISCONNECTED,
            FindingKind.PORT_TAKEN,
            FindingKind.BEACON_TAKEN,
            FindingKind.NO_IPV4,
            FindingKind.INCOMING_UNKNOWN,
        ),
        *(FindingKind.FIREWALL_UFW, FindingKind.FIREWALL_FIREWALLD),
        *(FindingKind.FIREWALL_WINDOWS, FindingKind.FIREWALL_MACOS),
    }
)


class Finding(Struct, frozen=True):
    """The result of one check."""

    kind: FindingKind
    values: dict[str, str] = field(default_factory=dict)

    @property
    def health(self) -> Health:
        """What it means for the player."""
        if self.kind in _BAD:
            return Health.BAD
        return Health.HINT if self.kind in _HINTS else Health.GOOD


def adapters_now(
    adapters: Iterable[Adapter], wanted: str | None, bare: Iterable[str] = ()
) -> tuple[Finding, ...]:
    """Return which adapters are used, and why others are not. Pure.

    `bare` is the names of physical adapters without an address.
    """
    everything = tuple(adapters)
    unused = [Finding(FindingKind.NO_ADDRESS, {"name": name}) for name in bare]
    try:
        used = choose(everything, wanted)
    except NetError as error:
        return (Finding(FindingKind.NO_ADAPTER, {"detail": error.detail}), *unused)
    found = [_of(FindingKind.USED, each) for each in used]
    found += [_of(FindingKind.DISCONNECTED, each) for each in used if not each.connected]
    if all(each.loopback or not each.connected for each in used) and wanted is None:
        found.append(Finding(FindingKind.ALONE))
    for each in everything:
        if each not in used and (each.loopback or each.virtual):
            kind = FindingKind.SKIPPED_LOOPBACK if each.loopback else FindingKind.SKIPPED_VIRTUAL
            found.append(_of(kind, each))
    return (*found, *unused)


def _of(kind: FindingKind, adapter: Adapter, **more: str) -> Finding:
    name = adapter.label or adapter.name
    return Finding(kind, {"name": name, "addresses": ", ".join(adapter.addresses), **more})


async def run_checks(
    wanted: str | None = None,
    *,
    port: int = DEFAULT_PORT,
    beacon_port: int = BEACON_PORT,
    firewalls: Callable[[], tuple[Firewall, ...]] = active,
) -> tuple[Finding, ...]:
    """Run all checks, in a few seconds, on all adapters or on the wanted one. Never raises."""
    everything = scan()
    found = list(adapters_now(everything, wanted, without_address(everything)))
    used: tuple[Adapter, ...] = ()
    with suppress(NetError):
        used = tuple(each for each in choose(everything, wanted) if each.connected)
    outward = [each for each in used if not each.loopback]
    checks: list[Awaitable[Finding]] = [_multicast(each) for each in used]
    checks += [_broadcast(each, beacon_port) for each in outward if each.broadcasts]
    checks += [_reach(each) for each in used]
    for each in await asyncio.gather(*checks):
        if each not in found:
            found.append(each)
    found.append(_usual_port(port))
    if outward and not any(each.broadcasts for each in outward):
        found.append(Finding(FindingKind.NO_IPV4))
    if outward:
        for firewall in firewalls():
            kind = FindingKind[f"FIREWALL_{firewall.name}"]
            found.append(Finding(kind, {"port": str(port), "beacon": str(beacon_port)}))
        address = min((one for each in outward for one in each.addresses), key=_unlike_ipv4)
        place = with_port(address, port)
        values = {"address": address, "port": str(port), "place": place}
        found.append(Finding(FindingKind.INCOMING_UNKNOWN, values))
    return tuple(found)


def _unlike_ipv4(address: str) -> bool:
    return ":" in address


async def check_place(
    hosts: tuple[str, ...], port: int, *, fingerprint: str | None, context: bytes | None
) -> Finding:
    """Test the way to a host on another computer, without joining its table. Never raises.

    A refusal shows that packets come back from there. Silence does not tell apart a firewall, a
    network that separates its computers, and a computer that is off.
    """
    values = {"place": with_port(hosts[0], port), "port": str(port)}
    try:
        await probe(hosts, port, fingerprint=fingerprint, context=context)
    except NetError as error:
        return Finding(_place_kind(error), values | {"detail": str(error)})
    return Finding(FindingKind.PLACE_REACHED, values)


def _place_kind(error: NetError) -> FindingKind:
    if error.fault is NetFault.UNREACHABLE and error.detail == CONNECTION_REFUSED:
        return FindingKind.PLACE_REFUSED
    if error.fault is NetFault.TIMEOUT and error.detail == NO_ANSWER:
        return FindingKind.PLACE_SILENT
    no_way = error.fault in (NetFault.UNREACHABLE, NetFault.ADDRESS)
    if no_way or error.detail == NAME_SERVER_SILENT:
        return FindingKind.PLACE_UNREACHABLE
    return FindingKind.PLACE_FOREIGN


def _taken(kind: FindingKind, port: int) -> Finding:
    """Report that another program uses a UDP port exclusively.

    Fields: `port`; `program` and `pid` of the other programs, or `user` if they cannot be read;
    `command`, with which an administrator sees them. Without any of these nothing is known.
    """
    users = exclusive_users(port)
    seen = [each for each in users if each.pid]
    return Finding(
        kind,
        {
            "port": str(port),
            "program": ", ".join(each.program for each in seen),
            "pid": ", ".join(str(each.pid) for each in seen),
            "user": ", ".join(dict.fromkeys(each.user for each in seen or users)),
            "command": naming_command(port),
        },
    )


def _table() -> TableAdvert:
    """Return the advert of a table that nobody can join."""
    return TableAdvert(
        id=secrets.token_bytes(16),
        name="check",
        host="check",
        fp="a" * 32,
        preset="classic",
        seats=2,
        taken=2,
        state=TableState.OVER,
        pin=False,
        addresses=("127.0.0.1",),
        port=9,
    )


async def _multicast(adapter: Adapter) -> Finding:
    """Announce a table on one adapter, and receive it there with another socket."""
    advert = _table()
    try:
        async with (
            await browse(adapter=adapter.name, service=CHECK_SERVICE) as browser,
            await advertise(advert, adapter=adapter.name, service=CHECK_SERVICE),
        ):
            async with asyncio.timeout(ECHO_SECONDS):
                # A browser reports no changes: nobody else waits for a single table.
                while all(each.id != advert.id for each in browser.tables.values()):  # noqa: ASYNC110
                    await asyncio.sleep(POLL_SECONDS)
    except NetError as error:
        if error.fault is NetFault.MULTICAST_PORT:
            return _taken(FindingKind.MULTICAST_TAKEN, MULTICAST_PORT)
        return _of(FindingKind.MULTICAST_UNUSABLE, adapter, detail=error.detail)
    except TimeoutError:
        return _of(FindingKind.NO_MULTICAST, adapter, detail=NO_ECHO)
    return _of(FindingKind.MULTICAST, adapter)


class _Echo(asyncio.DatagramProtocol):
    """Waits for one datagram."""

    def __init__(self, wanted: bytes) -> None:
        self.wanted = wanted
        self.came = asyncio.Event()

    def datagram_received(self, data: bytes, _addr: tuple[str | int, ...]) -> None:
        if data == self.wanted:
            self.came.set()


async def _broadcast(adapter: Adapter, port: int) -> Finding:
    """Broadcast a datagram on one adapter to the port of beacons, and receive it there.

    Another port would not do, because a firewall may let only this one through.
    """
    loop = asyncio.get_running_loop()
    echo = _Echo(self_test_datagram(secrets.token_bytes(16)))
    try:
        sock = receiving_socket(broadcast_place(adapter.ipv4[0], adapter.broadcasts[0]), port)
    except NetError as error:
        if error.fault is NetFault.PORT:
            return _taken(FindingKind.BEACON_TAKEN, port)
        return _of(FindingKind.NO_BROADCAST, adapter, detail=error.detail)
    receiver, _ = await loop.create_datagram_endpoint(lambda: echo, sock=sock)
    try:
        sender, _ = await loop.create_datagram_endpoint(
            asyncio.DatagramProtocol, local_addr=(adapter.ipv4[0], 0), allow_broadcast=True
        )
        try:
            async with asyncio.timeout(ECHO_SECONDS):
                sender.sendto(echo.wanted, (adapter.broadcasts[0], port))
                await echo.came.wait()
        finally:
            sender.close()
    except TimeoutError:
        return _of(FindingKind.NO_BROADCAST, adapter, detail=NO_ECHO)
    except OSError as error:
        return _of(FindingKind.NO_BROADCAST, adapter, detail=type(error).__name__)
    finally:
        receiver.close()
    return _of(FindingKind.BROADCAST, adapter)


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
            async with asyncio.timeout(ECHO_SECONDS):
                _, writer = await asyncio.open_connection(address, port)
                try:
                    await came.wait()
                finally:
                    writer.close()
            await writer.wait_closed()
    except (OSError, TimeoutError) as error:
        # Only silence hints at a firewall. An address that is still being set up refuses at once.
        silent = isinstance(error, TimeoutError)
        kind = FindingKind.NOT_REACHED if silent else FindingKind.ADDRESS_UNUSABLE
        return _of(kind, adapter, address=address, detail=type(error).__name__)
    return _of(FindingKind.REACHED, adapter, address=address)


def _usual_port(port: int) -> Finding:
    """Check whether a host could listen on the usual port."""
    try:
        socket.create_server(("", port)).close()
    except OSError:
        return Finding(FindingKind.PORT_TAKEN, {"port": str(port)})
    return Finding(FindingKind.PORT_FREE, {"port": str(port)})
