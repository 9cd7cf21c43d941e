"""How texts become socket addresses, and the forms in which addresses are compared."""

from __future__ import annotations

import asyncio
import socket

import pytest

from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport import addresses
from lanuno.net.transport.adapters import Adapter, scoped
from lanuno.net.transport.addresses import (
    ResolvedAddress,
    address_text,
    canonical_address,
    network_of,
    numeric_targets,
    resolve,
)
from tests.harness.sockets.running import run
from tests.net.faults import fault_of

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), "lo")
WIRE = Adapter("enp3s0", 2, ("192.168.1.5",), ("2001:db8::5", "fe80::5"), "enp3s0")
WIFI = Adapter("wlan0", 3, (), ("fe80::6",), "wlan0")
DOCKER = Adapter("docker0", 4, ("172.17.0.1",), (), "docker0")


def test_scopes() -> None:
    assert scoped("fe80::1", 3) == "fe80::1%3"
    assert scoped("fd00::1", 3) == "fd00::1"
    assert address_text(("fe80::1", 1, 0, 3)) == "fe80::1%3"
    assert address_text(("fe80::1%eth0", 1, 0, 3)) == "fe80::1%eth0"
    assert address_text(("10.0.0.1", 1)) == "10.0.0.1"


def test_numbers() -> None:
    assert numeric_targets("10.0.0.1", 5) == [ResolvedAddress(socket.AF_INET, ("10.0.0.1", 5))]
    assert numeric_targets("::1", 5) == [ResolvedAddress(socket.AF_INET6, ("::1", 5, 0, 0))]
    assert numeric_targets("fe80::1%7", 5) == [
        ResolvedAddress(socket.AF_INET6, ("fe80::1", 5, 0, 7))
    ]
    index, name = socket.if_nameindex()[0]
    assert numeric_targets(f"fe80::1%{name}", 5) == [
        ResolvedAddress(socket.AF_INET6, ("fe80::1", 5, 0, index))
    ]
    assert numeric_targets("a-name", 5) == []
    assert numeric_targets("fe80::1%7", 5)[0].text == "fe80::1%7"


def test_a_link_local_address_without_scope_is_tried_on_every_adapter() -> None:
    targets = numeric_targets("fe80::9", 5, [LOOP, WIRE, WIFI, DOCKER])
    assert [target.sockaddr for target in targets] == [
        ("fe80::9", 5, 0, 2),
        ("fe80::9", 5, 0, 3),
    ]


@pytest.mark.parametrize("host", ["fe80::1%no-such", "10.0.0.1%eth0", "fe80::1%" + "9" * 30])
def test_impossible_scopes(host: str) -> None:
    assert fault_of(lambda: numeric_targets(host, 5)) is NetFault.ADDRESS


def test_names_are_resolved_and_repetitions_left_out() -> None:
    async def main() -> None:
        targets = await resolve(["127.0.0.1", "localhost", "127.0.0.1"], 5, most=9, seconds=60.0)
        assert ResolvedAddress(socket.AF_INET, ("127.0.0.1", 5)) in targets
        assert len(set(targets)) == len(targets)
        assert len(await resolve([f"10.0.0.{n}" for n in range(99)], 5, most=9, seconds=1)) == 9

    run(main())


def test_a_name_server_that_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async def silent(*args: object, **rest: object) -> list[object]:
            await asyncio.Event().wait()
            return []

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", silent)
        with pytest.raises(NetError) as caught:
            await resolve(["some-name"], 5, most=9, seconds=0.01)
        assert caught.value.fault is NetFault.TIMEOUT
        # Numeric addresses need no name server, and are still tried.
        targets = await resolve(["some-name", "127.0.0.1"], 5, most=9, seconds=0.01)
        assert targets == (ResolvedAddress(socket.AF_INET, ("127.0.0.1", 5)),)

    run(main())


def test_odd_answers_of_a_resolver_are_left_out() -> None:
    assert addresses._target(socket.AF_INET6, (1, b"raw"), 5) is None
    assert addresses._target(socket.AF_INET, ("10.0.0.1", 5), 5) == ResolvedAddress(
        socket.AF_INET, ("10.0.0.1", 5)
    )


@pytest.mark.parametrize(
    ("address", "same", "together"),
    [
        ("192.168.1.5", "192.168.1.5", "192.168.1.5"),
        ("::ffff:192.168.1.5", "192.168.1.5", "192.168.1.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64%"),
        ("2001:DB8:1:2::6", "2001:db8:1:2::6", "2001:db8:1:2::/64%"),
        # The scope only names the adapter; the address is the same.
        ("fe80::6%3", "fe80::6", "fe80::/64%3"),
        ("fe80::7%eth0", "fe80::7", "fe80::/64%eth0"),
        ("nowhere", "nowhere", "nowhere"),
    ],
)
def test_addresses_are_compared_in_one_form(address: str, same: str, together: str) -> None:
    assert (canonical_address(address), network_of(address)) == (same, together)


@pytest.mark.parametrize("port", [-1, 0, 65_536])
def test_impossible_ports_are_refused_before_anything_is_looked_up(port: int) -> None:
    assert fault_of(lambda: addresses.check_port(port)) is NetFault.ADDRESS

    async def main() -> None:
        with pytest.raises(NetError) as caught:
            await resolve(["127.0.0.1"], port, most=9, seconds=60.0)
        assert caught.value.fault is NetFault.ADDRESS

    run(main())


@pytest.mark.parametrize("port", [1, 65_535])
def test_the_first_and_the_last_port_are_possible(port: int) -> None:
    assert addresses.check_port(port) == port


# The last ones are addresses to the system, and not the ones that people read.
@pytest.mark.parametrize(
    "name",
    [
        *("no-such-host.invalid", "a" * 300, "a..b", ""),
        *("127.0.0.010", "0x7f000001", "127.1", "2130706433", "\uff11\uff12\uff17.1"),
    ],
)
def test_a_name_that_cannot_be_resolved_is_left_out(
    monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    async def main() -> None:
        with pytest.raises(NetError) as caught:
            await resolve([name], 5, most=9, seconds=60.0)
        assert caught.value.fault is NetFault.ADDRESS
        targets = await resolve([name, "127.0.0.1"], 5, most=9, seconds=60.0)
        assert [target.text for target in targets] == ["127.0.0.1"]

    run(main())


def test_no_name_is_looked_up_once_there_are_enough_targets(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def main() -> None:
        async def unwanted(*_args: object, **_rest: object) -> list[object]:
            raise AssertionError("looked up")

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", unwanted)
        hosts = ["10.0.0.1", "10.0.0.2", "some-name"]
        targets = await resolve(hosts, 5, most=2, seconds=60.0)
        assert [target.text for target in targets] == ["10.0.0.1", "10.0.0.2"]

    run(main())


def test_a_name_of_a_link_local_address_keeps_its_scope(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the scope the operating system does not know on which adapter to connect."""

    async def main() -> None:
        async def found(*_args: object, **_rest: object) -> list[object]:
            kind = socket.AF_INET6, socket.SOCK_STREAM, 6, ""
            return [(*kind, ("fe80::9", 5, 0, 3)), (*kind, ("fe80::9", 5, 0, 2))]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)
        targets = await resolve(["printer.local"], 5, most=9, seconds=60.0)
        assert [target.text for target in targets] == ["fe80::9%3", "fe80::9%2"]

    run(main())
