"""What the doctor checks when no table is found, with real sockets on loopback."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Iterator
from typing import Protocol

import pytest
from msgspec.structs import replace

from lanuno.net.diagnostics import doctor
from lanuno.net.diagnostics.doctor import (
    Finding,
    FindingKind,
    Health,
    adapters_now,
    check_place,
    run_checks,
)
from lanuno.net.diagnostics.firewalls import Firewall
from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.beacon import receiving_socket
from lanuno.net.discovery.mdns_announce import Advert, advertise
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter
from tests.harness.sockets.running import run
from tests.net.loopback_network import OUTWARD

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), "lo")
WIRE = Adapter("enp3s0", 2, ("192.168.1.5",), ("fe80::5",), "enp3s0")
DOCKER = Adapter("docker0", 4, ("172.17.0.1",), (), "docker0")


def kinds_of(findings: tuple[Finding, ...]) -> list[FindingKind]:
    return [each.kind for each in findings]


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait long enough for every message to come back, however slow this computer is."""
    monkeypatch.setattr(doctor, "ECHO_SECONDS", 120.0)


@pytest.fixture
def port() -> Iterator[int]:
    """Yield a port that the code under test can bind, and that no other test is given."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("", 0))
        number = sock.getsockname()[1]
        if sys.platform == "win32":
            sock.close()  # no program could bind the port otherwise
        yield number


async def quiet(adapter: Adapter) -> Finding:
    """Report working multicast without testing it."""
    return Finding(FindingKind.MULTICAST, {"name": adapter.name})


def test_adapters_are_named_with_the_reason_for_leaving_them_out() -> None:
    found = adapters_now([LOOP, WIRE, DOCKER], None)
    assert kinds_of(found) == [
        FindingKind.USED,
        FindingKind.SKIPPED_LOOPBACK,
        FindingKind.SKIPPED_VIRTUAL,
    ]
    assert found[0].values == {"name": "enp3s0", "addresses": "192.168.1.5, fe80::5"}
    assert [each.health for each in found] == [Health.GOOD, Health.GOOD, Health.HINT]


def test_a_computer_without_a_network_is_alone() -> None:
    assert kinds_of(adapters_now([LOOP], None)) == [FindingKind.USED, FindingKind.ALONE]
    # Someone who chose loopback knows that only this computer can be reached.
    assert kinds_of(adapters_now([LOOP, WIRE], "lo")) == [FindingKind.USED]
    (nothing,) = adapters_now([], None)
    assert nothing.kind is FindingKind.NO_ADAPTER
    assert nothing.health is Health.BAD


def test_a_healthy_computer(port: int, beacon_port: int) -> None:
    async def main() -> tuple[Finding, ...]:
        return await run_checks("127.0.0.1", port=port, beacon_port=beacon_port)

    found = run(main())
    assert kinds_of(found) == [
        FindingKind.USED,
        FindingKind.MULTICAST,
        FindingKind.REACHED,
        FindingKind.PORT_FREE,
    ]
    assert all(each.health is Health.GOOD for each in found)


def test_no_such_adapter(port: int) -> None:
    found = run(run_checks("nonsense", port=port))
    assert found[0].kind is FindingKind.NO_ADAPTER
    assert "nonsense" in found[0].values["detail"]


def test_a_port_that_is_taken() -> None:
    with socket.socket() as sock:
        sock.bind(("", 0))
        sock.listen()
        found = run(run_checks("127.0.0.1", port=sock.getsockname()[1]))
    assert found[-1].kind is FindingKind.PORT_TAKEN
    assert found[-1].health is Health.HINT


def test_multicast_that_does_not_come_back(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    async def elsewhere(table: TableAdvert, *, adapter: str, **_where: object) -> Advert:
        return await advertise(table, adapter=adapter, service="_lanuno-other._tcp.local.")

    monkeypatch.setattr(doctor, "advertise", elsewhere)
    monkeypatch.setattr(doctor, "ECHO_SECONDS", 0.2)
    monkeypatch.setattr(doctor, "_reach", quiet)
    found = run(run_checks("127.0.0.1", port=port))
    (bad,) = (each for each in found if each.health is Health.BAD)
    assert bad.kind is FindingKind.NO_MULTICAST
    assert bad.values["detail"] == "no echo"


def test_multicast_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    async def broken(**_how: object) -> None:
        raise NetError(NetFault.MULTICAST, "not permitted")

    monkeypatch.setattr(doctor, "browse", broken)
    found = run(run_checks("127.0.0.1", port=port))
    (bad,) = (each for each in found if each.health is Health.BAD)
    assert (bad.kind, bad.values["detail"]) == (FindingKind.MULTICAST_UNUSABLE, "not permitted")


def test_a_connection_that_nobody_takes(monkeypatch: pytest.MonkeyPatch, port: int) -> None:
    real = asyncio.start_server

    def drop(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    async def start(_take: object, address: str, where: int) -> asyncio.Server:
        return await real(drop, address, where)

    monkeypatch.setattr(asyncio, "start_server", start)
    monkeypatch.setattr(doctor, "_multicast", quiet)
    monkeypatch.setattr(doctor, "ECHO_SECONDS", 0.2)
    found = run(run_checks("127.0.0.1", port=port))
    (bad,) = (each for each in found if each.health is Health.BAD)
    assert (bad.kind, bad.values["detail"]) == (FindingKind.NOT_REACHED, "TimeoutError")


def test_adapters_without_an_address_are_named() -> None:
    (alone, nothing) = adapters_now([], None, ("enp3s0",))
    assert (alone.kind, nothing) == (
        FindingKind.NO_ADAPTER,
        Finding(FindingKind.NO_ADDRESS, {"name": "enp3s0"}),
    )
    assert nothing.health is Health.GOOD
    found = adapters_now([LOOP], None, ("enp3s0",))
    assert kinds_of(found) == [FindingKind.USED, FindingKind.ALONE, FindingKind.NO_ADDRESS]
    assert found[1].health is Health.BAD


def test_an_adapter_without_a_cable_is_no_way_to_others(look: Look) -> None:
    pulled = replace(WIRE, connected=False)
    found = look(pulled, LOOP)
    assert kinds_of(found) == [
        *(
            FindingKind.USED,
            FindingKind.DISCONNECTED,
            FindingKind.ALONE,
            FindingKind.SKIPPED_LOOPBACK,
            FindingKind.PORT_FREE,
        )
    ]
    other = Adapter("enp4s0", 3, ("192.168.2.5",), ())
    assert FindingKind.ALONE not in kinds_of(adapters_now([pulled, other], None))


class Look(Protocol):
    """Runs the checks as on a computer with only these adapters."""

    def __call__(self, *adapters: Adapter) -> tuple[Finding, ...]: ...


@pytest.fixture
def look(monkeypatch: pytest.MonkeyPatch, port: int, beacon_port: int) -> Look:
    """Simulate adapters on loopback, as far as possible."""

    def at(*adapters: Adapter) -> tuple[Finding, ...]:
        monkeypatch.setattr(doctor, "scan", lambda: adapters)
        return run(
            run_checks(port=port, beacon_port=beacon_port, firewalls=lambda: (Firewall.UFW,))
        )

    monkeypatch.setattr(doctor, "without_address", lambda _: ())
    monkeypatch.setattr(doctor, "_multicast", quiet)
    return at


def test_where_there_is_only_ipv6_nobody_is_said_to_have_the_port_of_beacons(look: Look) -> None:
    six = Adapter("six", 1, (), ("::1",))
    found = look(six)
    assert kinds_of(found) == [
        *(
            FindingKind.USED,
            FindingKind.MULTICAST,
            FindingKind.REACHED,
            FindingKind.PORT_FREE,
            FindingKind.NO_IPV4,
        ),
        *(FindingKind.FIREWALL_UFW, FindingKind.INCOMING_UNKNOWN),
    ]
    assert found[2].values["address"] == "::1"
    assert found[-1].values["place"].startswith("[::1]:")


def test_the_beacons_own_port_is_tried(look: Look, beacon_port: int) -> None:
    assert FindingKind.BROADCAST in kinds_of(look(OUTWARD))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        if sys.platform == "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        sock.bind(("127.255.255.255", beacon_port))
        found = look(OUTWARD)
    (taken,) = (each for each in found if each.kind is FindingKind.BEACON_TAKEN)
    # The socket belongs to this process, so there is no other program to name.
    assert (taken.values["port"], taken.values["program"]) == (str(beacon_port), "")


def test_a_broadcast_that_cannot_be_heard(look: Look) -> None:
    away = replace(OUTWARD, broadcasts=("203.0.113.255",))
    (bad,) = (each for each in look(away) if each.health is Health.BAD)
    assert (bad.kind, bad.values["detail"]) == (FindingKind.NO_BROADCAST, "OSError")


def test_a_broadcast_that_does_not_come_back(monkeypatch: pytest.MonkeyPatch, look: Look) -> None:
    monkeypatch.setattr(
        doctor, "receiving_socket", lambda _, port: receiving_socket("127.0.0.1", port)
    )
    monkeypatch.setattr(doctor, "ECHO_SECONDS", 0.2)
    monkeypatch.setattr(doctor, "_reach", quiet)
    found = look(OUTWARD)
    (bad,) = (each for each in found if each.health is Health.BAD)
    assert (bad.kind, bad.values["detail"]) == (FindingKind.NO_BROADCAST, "no echo")


def test_where_no_name_server_answers_nothing_is_said_to_listen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> Finding:
        async def silent(*_args: object, **_rest: object) -> list[object]:
            raise TimeoutError

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", silent)
        return await check_place(("some-name",), 5, fingerprint=None, context=None)

    assert run(main()).kind is FindingKind.PLACE_UNREACHABLE
