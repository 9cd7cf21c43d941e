"""Multicast DNS on the chosen adapters, also when they change or fail."""

from __future__ import annotations

import socket
import sys
from dataclasses import replace

import pytest
from zeroconf.asyncio import AsyncZeroconf

from lanuno.net.discovery import multicast
from lanuno.net.discovery.multicast import interfaces
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.adapters import Adapter
from tests.harness.sockets.running import run, until
from tests.net import mdns

LOOP = Adapter("lo", 1, ("127.0.0.1",), ("::1",), "lo")
WIRE = Adapter("enp3s0", 2, ("192.168.1.5",), ("2001:db8::5", "fe80::5"), "enp3s0")


WIFI = Adapter("wlan0", 3, (), ("fe80::6",), "wlan0")


def test_where_multicast_goes() -> None:
    assert interfaces([WIRE, WIFI, LOOP]) == ["192.168.1.5", "fe80::5", "fe80::6", "127.0.0.1"]
    assert interfaces([Adapter("eth1", 5, (), ("fd00::1",))]) == ["fd00::1"]


def test_no_such_adapter() -> None:
    async def main() -> None:
        for attempt in (
            mdns.browse(adapter="no-such"),
            mdns.advertise(mdns.table(), adapter="no-such"),
        ):
            with pytest.raises(NetError) as caught:
                await attempt
            assert caught.value.fault is NetFault.ADAPTER

    run(main())


def test_multicast_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(**_: object) -> AsyncZeroconf:
        raise OSError("no")

    async def main() -> None:
        monkeypatch.setattr(multicast, "AsyncZeroconf", broken)
        with pytest.raises(NetError) as caught:
            await mdns.browse()
        assert caught.value.fault is NetFault.MULTICAST

    run(main())


def test_a_system_without_ipv6_has_half_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    real = AsyncZeroconf
    tried: list[list[str]] = []

    def half(*, interfaces: list[str], **rest: object) -> AsyncZeroconf:
        tried.append(interfaces)
        if any(":" in each for each in interfaces):
            raise OSError("no IPv6")
        return real(interfaces=interfaces)

    async def main() -> None:
        monkeypatch.setattr(multicast, "AsyncZeroconf", half)
        odd = Adapter("odd", 1, ("127.0.0.1",), ("fe80::1",))
        monkeypatch.setattr(Adapter, "loopback", False)
        monkeypatch.setattr(multicast, "chosen", lambda _: (odd,))
        async with await mdns.browse():
            assert tried == [["127.0.0.1", "fe80::1"], ["127.0.0.1"]]

    run(main())


def test_adapters_come_and_go(monkeypatch: pytest.MonkeyPatch) -> None:
    one = Adapter("lo", 1, ("127.0.0.1",), ())
    two = Adapter("lo", 1, ("127.0.0.1", "127.0.0.2"), ())
    now: list[Adapter | None] = [one]

    def chosen(_: str | None) -> tuple[Adapter, ...]:
        if now[0] is None:
            raise NetError(NetFault.ADAPTER)
        return (now[0],)

    monkeypatch.setattr(multicast, "chosen", chosen)

    async def main() -> None:
        mine = mdns.table()
        async with (
            await mdns.browse() as browser,
            await mdns.advertise(mine) as advert,
        ):
            only = replace(mine, addresses=("127.0.0.1",))
            await mdns.seen(browser, only)
            now[0] = two
            await advert._multicast.rescan()
            await until(
                lambda: any(
                    set(each.addresses) == {"127.0.0.1", "127.0.0.2"}
                    for each in browser.tables.values()
                )
            )
            now[0] = None
            await advert._multicast.rescan()
            assert advert._multicast.adapters == (two,)

    run(main())


def test_the_port_of_multicast_dns_is_shared() -> None:
    """Another responder on this computer, such as Avahi, must still be able to start."""

    async def main() -> None:
        async with await mdns.browse():
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                if sys.platform != "win32":
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
                sock.bind(("", 5353))

    run(main())
