"""Where an address leads is determined without sending anything."""

from __future__ import annotations

import socket

import pytest

from lanuno.net.transport.adapters import Adapter, scan
from lanuno.net.transport.nearness import Nearness, nearness

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), networks=("127.0.0.0/8", "::1/128"))
WIRE = Adapter(
    "enp3s0",
    2,
    ("192.168.1.5",),
    ("fd12::5", "fe80::5"),
    networks=("192.168.1.0/24", "fd12::/64", "fe80::/64"),
)
VPN = Adapter("tun0", 7, ("10.8.0.2",), ("fe80::7",), networks=("10.8.0.0/16", "fe80::/64"))
OPEN = Adapter("eth1", 8, ("198.51.100.9",), (), networks=("0.0.0.0/0",))
ALL = (LOOP, WIRE, VPN)


@pytest.mark.parametrize(
    ("host", "where"),
    [
        ("127.0.0.1", Nearness.COMPUTER),
        ("127.44.0.9", Nearness.COMPUTER),
        ("::1", Nearness.COMPUTER),
        ("0.0.0.0", Nearness.COMPUTER),
        ("::", Nearness.COMPUTER),
        ("192.168.1.5", Nearness.COMPUTER),
        ("::ffff:192.168.1.5", Nearness.COMPUTER),
        ("fd12::5", Nearness.COMPUTER),
        ("192.168.1.20", Nearness.NETWORK),
        ("::ffff:192.168.1.20", Nearness.NETWORK),
        ("fd12::20", Nearness.NETWORK),
        ("fe80::20", Nearness.NETWORK),
        ("fe80::20%2", Nearness.NETWORK),
        ("fe80::20%enp3s0", Nearness.NETWORK),
        ("fe80::20%7", Nearness.OTHER_ADAPTER),
        ("fe80::20%9", Nearness.PRIVATE),
        ("10.8.0.9", Nearness.OTHER_ADAPTER),
        ("192.168.2.20", Nearness.PRIVATE),
        ("fd13::20", Nearness.PRIVATE),
        ("169.254.3.4", Nearness.PRIVATE),
        ("100.64.0.1", Nearness.PRIVATE),
        ("8.8.8.8", Nearness.PUBLIC),
        ("::ffff:8.8.8.8", Nearness.PUBLIC),
        ("2001:4860::8888", Nearness.PUBLIC),
        ("64:ff9b::808:808", Nearness.PUBLIC),
        ("ana.local", Nearness.NAME),
        ("192.168.1.20.example", Nearness.NAME),
        ("0xc0a80114", Nearness.NAME),
        ("3232235796", Nearness.NAME),
        ("192.168.1.020", Nearness.NAME),
    ],
)
def test_where_an_address_leads(host: str, where: Nearness) -> None:
    assert nearness(host, ALL) is where


def test_the_adapter_that_was_chosen_is_the_one_on_which_games_are_played() -> None:
    assert nearness("10.8.0.9", ALL, "tun0") is Nearness.NETWORK
    assert nearness("192.168.1.20", ALL, "tun0") is Nearness.OTHER_ADAPTER
    # The chosen adapter no longer exists, so no network is near.
    assert nearness("192.168.1.20", ALL, "gone") is Nearness.OTHER_ADAPTER
    assert nearness("192.168.1.20", ()) is Nearness.PRIVATE


def test_an_adapter_that_says_that_everything_is_its_network_is_not_believed() -> None:
    assert nearness("8.8.8.8", (OPEN,)) is Nearness.PUBLIC


def test_the_networks_of_this_computer(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a name was looked up")

    monkeypatch.setattr(socket, "getaddrinfo", refused)
    found = {each.name: each for each in scan()}
    (loopback,) = (each for each in found.values() if each.loopback)
    assert "127.0.0.0/8" in loopback.networks
    for each in found.values():
        assert len(each.networks) == len(each.addresses)
        for address in each.addresses:
            assert nearness(address, found.values()) is Nearness.COMPUTER
    assert nearness("example.invalid", found.values()) is Nearness.NAME
