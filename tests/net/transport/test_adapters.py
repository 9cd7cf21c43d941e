"""Which adapters of this computer are used."""

from __future__ import annotations

import socket
from functools import partial

import pytest

from lanuno.net.errors import NetFault
from lanuno.net.transport.adapters import (
    EVERYWHERE,
    Adapter,
    choose,
    chosen,
    listen_hosts,
    scan,
    without_address,
)
from tests.harness.systems import not_on_windows
from tests.net.faults import fault_of

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), "lo")
WIRE = Adapter("enp3s0", 2, ("192.168.1.5",), ("2001:db8::5", "fe80::5"), "enp3s0")
WIFI = Adapter("wlan0", 3, (), ("fe80::6",), "wlan0")
DOCKER = Adapter("docker0", 4, ("172.17.0.1",), (), "docker0")


def test_real_adapters_are_used_and_loopback_only_alone() -> None:
    assert choose([LOOP, WIRE, DOCKER, WIFI]) == (WIRE, WIFI)
    assert choose([LOOP, DOCKER]) == (LOOP,)
    assert fault_of(lambda: choose([DOCKER])) is NetFault.ADAPTER
    assert fault_of(lambda: choose([])) is NetFault.ADAPTER


def test_the_wanted_adapter_is_used_or_refused() -> None:
    windows = Adapter("{0A1B}", 9, ("10.0.0.1",), (), "Ethernet 2")
    assert choose([LOOP, WIRE, windows], "lo") == (LOOP,)
    assert choose([LOOP, WIRE, windows], "Ethernet 2") == (windows,)
    assert choose([LOOP, DOCKER], "docker0") == (DOCKER,)
    assert fault_of(lambda: choose([LOOP, WIRE], "eth9")) is NetFault.ADAPTER


def test_an_adapter_is_also_wanted_by_its_address() -> None:
    wire = Adapter("eth0", 2, ("192.0.2.4", "10.0.0.1"), ("fe80::1", "2001:db8::4"))
    assert choose([LOOP, wire], "127.0.0.1") == (LOOP,)
    assert choose([LOOP, wire], "10.0.0.1") == (wire,)
    assert choose([LOOP, wire], "2001:DB8:0::4") == (wire,)
    assert choose([LOOP, wire], "fe80::1%2") == (wire,)
    assert choose([LOOP, wire], "FE80::1%eth0") == (wire,)
    for other in ("fe80::1%3", "fe80::1%eth1", "fe80::1%", "2001:db8::4%eth0", "10.0.0.1%eth0"):
        assert fault_of(partial(choose, [LOOP, wire], other)) is NetFault.ADAPTER
    assert fault_of(lambda: choose([LOOP, wire], "192.0.2.5")) is NetFault.ADAPTER


@pytest.mark.parametrize(
    "name",
    [
        *("docker0", "br-0123456789ab", "veth12ab", "virbr0", "vmnet8", "vboxnet0", "tun0", "tap1"),
        *("wg0", "tailscale0", "ztabcdef", "utun3", "lxcbr0", "podman0", "cni0", "ppp0", "awdl0"),
        *("vEthernet (WSL)", "VMware Network Adapter VMnet1", "VirtualBox Host-Only", "My VPN"),
    ],
)
def test_virtual_adapters_are_recognised_by_name(name: str) -> None:
    assert Adapter(name, 1, ("10.0.0.1",), ()).virtual
    assert Adapter("{0A1B}", 1, ("10.0.0.1",), (), name).virtual


@pytest.mark.parametrize(
    "name",
    ["eth0", "enp3s0", "wlan0", "wlp2s0", "en0", "br0", "bond0", "Ethernet", "Wi-Fi", "usb0"],
)
def test_physical_adapters_are_not_taken_for_virtual_ones(name: str) -> None:
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


def test_an_adapter_of_unknown_state_counts_as_connected() -> None:
    assert [each.connected for each in scan() if each.loopback] == [True]
    assert Adapter("new", 1, ("192.0.2.1",), ()).connected


@not_on_windows("each adapter has a dozen filters with names of their own")
def test_physical_adapters_without_an_address_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("lo", "enp3s0", "wlan0", "docker0", "eth1")
    monkeypatch.setattr(socket, "if_nameindex", lambda: list(enumerate(names, 1)))
    assert without_address([WIRE]) == ("wlan0", "eth1")
    assert without_address([WIRE, WIFI]) == ("eth1",)
