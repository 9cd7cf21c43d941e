"""Which adapters are used, and how texts become socket addresses."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import pytest

from lanuno.net.discovery.multicast import interfaces
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport import adapters, addresses
from lanuno.net.transport.adapters import (
    EVERYWHERE,
    Adapter,
    choose,
    chosen,
    listen_hosts,
    scan,
    scoped,
    without_address,
)
from lanuno.net.transport.addresses import ResolvedAddress, address_text, numeric_targets, resolve
from tests.harness.sockets.running import run

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), "lo")
WIRE = Adapter("enp3s0", 2, ("192.168.1.5",), ("2001:db8::5", "fe80::5"), "enp3s0")
WIFI = Adapter("wlan0", 3, (), ("fe80::6",), "wlan0")
DOCKER = Adapter("docker0", 4, ("172.17.0.1",), (), "docker0")


def fault_of(call: Callable[[], object]) -> NetFault:
    with pytest.raises(NetError) as caught:
        call()
    return caught.value.fault


def test_real_adapters_are_used_and_loopback_only_alone() -> None:
    assert choose([LOOP, WIRE, DOCKER, WIFI]) == (WIRE, WIFI)
    assert choose([LOOP, DOCKER]) == (LOOP,)
    assert fault_of(lambda: choose([DOCKER])) is NetFault.ADAPTER
    assert fault_of(lambda: choose([])) is NetFault.ADAPTER


def test_a_wish_is_fulfilled_or_refused() -> None:
    windows = Adapter("{0A1B}", 9, ("10.0.0.1",), (), "Ethernet 2")
    assert choose([LOOP, WIRE, windows], "lo") == (LOOP,)
    assert choose([LOOP, WIRE, windows], "Ethernet 2") == (windows,)
    assert choose([LOOP, DOCKER], "docker0") == (DOCKER,)
    assert fault_of(lambda: choose([LOOP, WIRE], "eth9")) is NetFault.ADAPTER


@pytest.mark.parametrize(
    "name",
    [
        *("docker0", "br-0123456789ab", "veth12ab", "virbr0", "vmnet8", "vboxnet0", "tun0", "tap1"),
        *("wg0", "tailscale0", "ztabcdef", "utun3", "lxcbr0", "podman0", "cni0", "ppp0", "awdl0"),
        *("vEthernet (WSL)", "VMware Network Adapter VMnet1", "VirtualBox Host-Only", "My VPN"),
    ],
)
def test_adapters_that_lead_to_no_party(name: str) -> None:
    assert Adapter(name, 1, ("10.0.0.1",), ()).virtual
    assert Adapter("{0A1B}", 1, ("10.0.0.1",), (), name).virtual


@pytest.mark.parametrize(
    "name",
    ["eth0", "enp3s0", "wlan0", "wlp2s0", "en0", "br0", "bond0", "Ethernet", "Wi-Fi", "usb0"],
)
def test_adapters_that_may_lead_to_a_party(name: str) -> None:
    assert not Adapter(name, 1, ("10.0.0.1",), ()).virtual


def test_this_computer_has_loopback() -> None:
    (loop,) = [each for each in scan() if each.loopback]
    assert "127.0.0.1" in loop.addresses
    assert chosen(loop.name) == (loop,)
    assert chosen()


def test_where_a_host_listens() -> None:
    assert listen_hosts([WIRE, WIFI]) == EVERYWHERE
    assert listen_hosts([LOOP]) == ("127.0.0.1", "::1")
    assert listen_hosts([WIRE], "enp3s0") == ("192.168.1.5", "2001:db8::5", "fe80::5%2")


def test_where_multicast_goes() -> None:
    assert interfaces([WIRE, WIFI, LOOP]) == ["192.168.1.5", "fe80::5", "fe80::6", "127.0.0.1"]
    assert interfaces([Adapter("eth1", 5, (), ("fd00::1",))]) == ["fd00::1"]


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
    assert numeric_targets("fe80::1%lo", 5) == [
        ResolvedAddress(socket.AF_INET6, ("fe80::1", 5, 0, 1))
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


def test_whether_something_is_plugged_in() -> None:
    """An adapter of unknown state counts as connected."""
    assert all(each.connected for each in scan() if each.name == "lo")
    assert adapters._is_running("no-such")
    assert Adapter("new", 1, ("192.0.2.1",), ()).connected
    assert without_address(()) == tuple(
        name
        for _, name in socket.if_nameindex()
        if name != "lo" and not Adapter(name, 0, (), ()).virtual
    )
