"""What strangers may do at a host's listener, over real sockets."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Sequence
from typing import NoReturn

import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport import listener
from lanuno.net.transport.adapters import EVERYWHERE
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect, probe
from lanuno.net.transport.limits import Limits
from lanuno.net.transport.listener import Listener, bind, listen
from tests.harness.sockets.running import GUEST, HOST, LOBBY, LOOPBACK, RawPeer, run, serving, until
from tests.net.attackers import greeting
from tests.net.spectator_clients import connect_from

PATIENT = Limits(tls=60.0, first_byte=60.0)
"""Keeps silent connections open while a test examines them."""


async def tcp(port: int, source: str = "127.0.0.1") -> RawPeer:
    """Open a connection that does not even begin TLS."""
    return RawPeer(*await asyncio.open_connection("127.0.0.1", port, local_addr=(source, 0)))


async def ended(peer: RawPeer) -> None:
    """Wait until the host has closed the connection, then close it here."""
    await peer.end()
    await peer.close()


def test_both_families_on_one_port() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            assert tuple(each.getsockname()[0] for each in server._sockets) == LOOPBACK
            for host in LOOPBACK:
                async with await connect([host], server.port, GUEST) as guest:
                    assert guest.address == host
                    assert (await arrived.get()).address == host

    run(main())


def test_the_table_changes_while_the_host_listens() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            first = await connect(["127.0.0.1"], server.port, GUEST, context=LOBBY)
            server.context = b"t" * 32
            second = await connect(["127.0.0.1"], server.port, GUEST, context=b"t" * 32)
            assert [(await arrived.get()).context for _ in range(2)] == [LOBBY, b"t" * 32]
            with pytest.raises(NetError) as caught:
                await connect(["127.0.0.1"], server.port, GUEST, context=LOBBY)
            assert caught.value.fault is NetFault.WRONG_TABLE
            assert arrived.empty()
            first.send(b"still here")
            await first.close()
            await second.close()

    run(main())


def test_closing_says_goodbye_to_everybody_and_delivers() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            guests = [await connect(["127.0.0.1"], server.port, GUEST) for _ in range(3)]
            for _ in guests:
                (await arrived.get()).send(b"last")
            assert len(server.channels) == 3
            closing = asyncio.create_task(server.close(Goodbye.SHUTDOWN))
            for guest in guests:
                assert [message async for message in guest] == [b"last"]
                assert guest.end is Goodbye.SHUTDOWN
                await guest.close()
            await until(lambda: not any(channel.open for channel in server.channels))
            with pytest.raises(NetError) as caught:
                await probe(["127.0.0.1"], server.port)
            assert caught.value.fault is NetFault.UNREACHABLE
        await closing
        await server.close()

    run(main())


def test_serving_may_end_first_and_may_fail(caplog: pytest.LogCaptureFixture) -> None:
    async def main() -> None:
        async def serve(channel: Channel) -> None:
            if await channel.receive() == b"lose":
                channel.abort()
                await channel.receive()

        async with await listen(HOST, LOBBY, serve, hosts=LOOPBACK, port=0) as server:
            async with await connect(["127.0.0.1"], server.port, GUEST) as guest:
                guest.send(b"bye")
                assert [message async for message in guest] == []
                assert guest.end is Goodbye.DONE
            async with await connect(["127.0.0.1"], server.port, GUEST) as guest:
                guest.send(b"lose")
                with pytest.raises(NetError):
                    await guest.receive()
            await until(lambda: not server.channels)

    with caplog.at_level(logging.DEBUG, logger="lanuno.net.transport.listener"):
        run(main())
    assert "channel of 127.0.0.1 ended: closed" in caplog.text


def test_a_bug_in_serving_closes_its_channel_and_is_reported() -> None:
    async def main() -> None:
        reported: list[BaseException] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, report: reported.append(report["exception"])
        )

        async def serve(channel: Channel) -> None:
            raise ZeroDivisionError

        async with await listen(HOST, LOBBY, serve, hosts=LOOPBACK, port=0) as server:
            guest = await connect(["127.0.0.1"], server.port, GUEST)
            assert [message async for message in guest] == []
            await guest.close()
            await until(lambda: bool(reported))
        assert [type(error) for error in reported] == [ZeroDivisionError]

    run(main())


def test_serving_may_close_its_own_server() -> None:
    async def main() -> None:
        closed = asyncio.Event()

        async def serve(channel: Channel) -> None:
            await server.close()
            closed.set()

        server = await listen(HOST, LOBBY, serve, hosts=LOOPBACK, port=0)
        guest = await connect(["127.0.0.1"], server.port, GUEST)
        await closed.wait()
        await guest.close()
        await server.close()

    run(main())


def test_serving_that_does_not_end_is_cancelled() -> None:
    async def main() -> None:
        cancelled = asyncio.Event()

        async def serve(channel: Channel) -> None:
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

        server = await listen(HOST, LOBBY, serve, hosts=LOOPBACK, port=0, limits=Limits(close=0.1))
        guest = await connect(["127.0.0.1"], server.port, GUEST)
        await server.close()
        assert cancelled.is_set()
        await guest.close()

    run(main())


# Limits on strangers.


def test_a_stranger_that_does_not_begin_tls_is_dropped() -> None:
    async def main() -> None:
        async with serving(Limits(tls=0.1)) as (server, _):
            peer = await tcp(server.port)
            await ended(peer)
            await until(lambda: len(server._half_open) == 0)

    run(main())


def test_a_stranger_that_speaks_no_tls_is_dropped() -> None:
    async def main() -> None:
        async with serving() as (server, _):
            peer = await tcp(server.port)
            peer.writer.write(b"GET / HTTP/1.1\r\n\r\n" * 10)
            await ended(peer)

    run(main())


def test_a_stranger_that_stops_in_the_handshake_is_dropped() -> None:
    async def main() -> None:
        async with serving(Limits(auth=0.2, close=0.1)) as (server, arrived):
            for part in (b"", b"\x00\x00\x00\x29\x01lan"):
                peer = await RawPeer.open(server.port)
                peer.writer.write(part)
                await ended(peer)
            await until(lambda: len(server._half_open) == 0)
            assert arrived.empty()

    run(main())


def test_a_stranger_that_goes_away_leaves_nothing() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            await (await tcp(server.port)).close()
            await (await RawPeer.open(server.port)).close()
            await until(lambda: len(server._half_open) == 0)
            assert arrived.empty()

    run(main())


@pytest.mark.parametrize("header", [(4097).to_bytes(4, "big"), b"\x7f\xff\xff\xff"])
def test_long_messages_before_authentication_are_refused(header: bytes) -> None:
    async def main() -> None:
        async with serving() as (server, _):
            peer = await RawPeer.open(server.port)
            peer.writer.write(header)
            await ended(peer)

    run(main())


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"\x01lanuno\x00\x02whatever", b"\x05\x01"),
        (b"hello", b"\x05\x02"),
        (b"\x01lanuno\x00\x01" + bytes(31), b"\x05\x02"),
    ],
)
def test_refusals_are_typed(message: bytes, code: bytes) -> None:
    async def main() -> None:
        async with serving(Limits(close=0.1)) as (server, _):
            peer = await RawPeer.open(server.port)
            peer.frame(message)
            assert await peer.read() == code
            await ended(peer)

    run(main())


def test_somebody_who_cannot_prove_an_identity_is_refused() -> None:
    async def main() -> None:
        async with serving(Limits(close=0.1)) as (server, arrived):
            peer = await RawPeer.open(server.port)
            peer.frame(b"\x01lanuno\x00\x01" + bytes(32))
            await peer.read()
            peer.frame(b"\x03" + GUEST.public + bytes(64))
            assert await peer.read() == b"\x05\x03"
            await ended(peer)
            assert arrived.empty()

    run(main())


async def greeted(port: int, source: str) -> RawPeer:
    """Open a connection that sends only its ClientHello."""
    peer = await tcp(port, source)
    peer.writer.write(greeting())
    return peer


async def probe_again_and_again(port: int) -> None:
    """Probe the host repeatedly until one probe completes in time."""
    while True:
        try:
            assert (await probe(["127.0.0.1"], port)).host.identity == HOST.public
        except NetError:
            continue
        return


async def closed_all(server: Listener, peers: list[RawPeer]) -> None:
    for peer in peers:
        await peer.close()
    await until(lambda: len(server._half_open) == 0)


def test_a_stranger_has_a_second_for_its_first_byte() -> None:
    async def main() -> None:
        async with serving(Limits(first_byte=0.1, tls=60.0)) as (server, _):
            server.reserve([], ["127.0.0.3"], lambda _: False)
            begun, seated = await tcp(server.port), await tcp(server.port, "127.0.0.3")
            begun.writer.write(b"\x16")
            await until(lambda: len(server._half_open) == 2)
            await ended(await tcp(server.port))
            assert len(server._half_open) == 2
            for peer in (begun, seated):
                await peer.close()

    run(main())


def test_strangers_of_one_address_who_say_nothing_make_room_for_each_other() -> None:
    async def main() -> None:
        async with serving(replace(PATIENT, queue_places=3)) as (server, _):
            some = [await tcp(server.port) for _ in range(3)]
            await until(lambda: len(server._half_open) == 3)
            other = await tcp(server.port, "127.0.0.2")
            await ended(some.pop(0))
            assert len(server._half_open) == 3
            # A client that sends something gets in, even from the same address.
            for host in LOOPBACK:
                assert (await probe([host], server.port)).host.identity == HOST.public
            await closed_all(server, [*some, other])

    run(main())


def test_strangers_who_stop_behind_their_greeting_take_turns() -> None:
    limits = Limits(tls=60.0, auth=60.0, half_open=3, half_open_each=2, turn=0.05)

    async def main() -> None:
        async with serving(limits) as (server, _):
            some = [await greeted(server.port, f"127.0.0.{2 + each % 3}") for each in range(12)]
            for _ in range(3):
                await probe_again_and_again(server.port)
            await closed_all(server, some)

    run(main())


def test_nobody_loses_its_place_in_the_handshake_too_early() -> None:
    limits = Limits(tls=60.0, half_open=2, half_open_each=1, turn=60.0)

    async def main() -> None:
        async with serving(limits) as (server, _):
            some = [await greeted(server.port, f"127.0.0.{2 + each}") for each in range(2)]
            for each in some:
                assert await each.reader.read(1)
            last = await greeted(server.port, "127.0.0.9")
            await until(lambda: len(server._half_open) == 3)
            assert [each.reader.at_eof() for each in (*some, last)] == [False] * 3
            await some[0].close()
            assert await last.reader.read(1)
            await closed_all(server, [*some, last])

    run(main())


def test_the_places_of_seated_players_are_taken_by_nobody_else() -> None:
    limits = Limits(tls=60.0, first_byte=60.0, queue_places=2, half_open=2, half_open_each=1)

    async def main() -> None:
        async with serving(replace(limits, turn=60.0, handshakes=1e-6)) as (server, _):
            server.reserve([GUEST.public], ["::ffff:127.0.0.1"], lambda _: False)
            some = [await greeted(server.port, f"127.0.0.{2 + each}") for each in range(6)]
            some += [await tcp(server.port, f"127.0.0.{2 + each}") for each in range(6)]
            await until(lambda: len(server._half_open) == 4)
            async with await connect(["127.0.0.1"], server.port, GUEST) as guest:
                assert guest.open
            await closed_all(server, some)

    run(main())


def test_handshakes_of_strangers_are_bounded_each_second() -> None:
    async def main() -> None:
        limits = Limits(tls=60.0, handshakes=1e-6, handshakes_at_once=3)
        async with serving(limits) as (server, _):
            for _ in range(3):
                await probe(["127.0.0.1"], server.port)
            await until(lambda: len(server._half_open) == 0)
            late = asyncio.create_task(probe(["127.0.0.1"], server.port))
            await until(lambda: len(server._half_open) == 1)
            # Seated players have their own rate limit.
            server.reserve([], ["::1"], lambda _: False)
            for _ in range(3):
                await probe(["::1"], server.port)
            assert not late.done()
            late.cancel()
            await asyncio.wait([late])

    run(main())


def test_closing_while_strangers_connect() -> None:
    async def main() -> None:
        async with serving() as (server, _):
            some = [await tcp(server.port), await RawPeer.open(server.port)]
            some.append(await tcp(server.port))
            some.append(await greeted(server.port, "127.0.0.2"))
        for peer in some:
            await ended(peer)

    run(main())


def test_no_connection_is_left_for_strangers() -> None:
    async def main() -> None:
        async with serving(Limits(strangers=1)) as (server, arrived):
            first = await connect(["127.0.0.1"], server.port, GUEST)
            await arrived.get()
            other = Identity.from_seed(b"o" * 32)
            with pytest.raises(NetError) as caught:
                await connect(["127.0.0.1"], server.port, other)
            assert caught.value.fault is NetFault.FULL
            # A probe needs no place, and seated players have their own places.
            await probe(["127.0.0.1"], server.port)
            server.reserve([other.public], [], lambda _: False)
            seated = [await connect(["127.0.0.1"], server.port, other) for _ in range(4)]
            assert first.open
            for channel in (first, *seated):
                await channel.close()

    run(main())


def test_a_stranger_who_does_nothing_makes_room_for_another() -> None:
    async def main() -> None:
        async with serving(Limits(strangers=2)) as (server, arrived):
            watching = await connect(["127.0.0.1"], server.port, GUEST)
            watched = await arrived.get()
            server.reserve([], [], lambda channel: channel is not watched)
            idle = await connect(["127.0.0.1"], server.port, GUEST)
            late = await connect(["127.0.0.1"], server.port, GUEST)
            with pytest.raises(NetError):
                await idle.receive()
            assert watching.open
            assert late.open
            for channel in (watching, idle, late):
                await channel.close()

    run(main())


def test_of_one_network_the_most_crowded_address_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Everybody on a LAN has one IPv6 /64, also a newcomer that is slow because others flood."""
    monkeypatch.setattr(listener, "network_of", lambda _address: "fd00::/64")

    async def main() -> None:
        async with serving(Limits(strangers=3)) as (server, _):
            server.reserve([], [], lambda _: True)
            slow = await connect_from("127.9.6.1", server.port, GUEST)
            keys = [Identity.from_seed(bytes([number]) * 32) for number in range(4)]
            many = [await connect_from("127.9.6.2", server.port, key) for key in keys]
            await until(lambda: sum(each.open for each in (slow, *many)) == 3)
            assert slow.open
            for channel in (slow, *many):
                await channel.close()

    run(main())


def test_a_seated_player_with_too_many_connections_loses_its_own_oldest() -> None:
    async def main() -> None:
        async with serving(Limits(connections_each=2)) as (server, _):
            other = Identity.from_seed(b"o" * 32)
            server.reserve([GUEST.public, other.public], [], lambda _: False)
            neighbour = await connect(["127.0.0.1"], server.port, other)
            mine = [await connect(["127.0.0.1"], server.port, GUEST) for _ in range(3)]
            with pytest.raises(NetError):
                await mine[0].receive()
            assert [each.open for each in (neighbour, *mine[1:])] == [True] * 3
            for channel in (neighbour, *mine):
                await channel.close()

    run(main())


def test_of_one_players_connections_those_that_flood_end_first() -> None:
    """Another program with this key cannot end the connection with which the player plays."""

    async def main() -> None:
        limits = Limits(connections_each=3, inbox_messages=10)
        async with serving(limits) as (server, arrived):
            server.reserve([GUEST.public], [], lambda _: False)
            mine = [await connect(["127.0.0.1"], server.port, GUEST) for _ in range(3)]
            there = [await arrived.get() for _ in mine]
            for _ in range(100):
                mine[1].send(b"unread")
            await until(lambda: there[1].paused)
            mine.append(await connect(["127.0.0.1"], server.port, GUEST))
            assert [each.end is None for each in there] == [True, False, True]
            for channel in mine:
                channel.abort()
                await channel.close()

    run(main())


def test_no_descriptors_left_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "_ACCEPT_PAUSE", 0.01)

    class Exhausted:
        """A listening socket that reports twice that no descriptor is left."""

        failures = 2

        def __init__(self, real: socket.socket) -> None:
            self.real = real

        def accept(self) -> tuple[socket.socket, object]:
            if self.failures:
                self.failures -= 1
                raise OSError(errno.EMFILE, "none left")
            return self.real.accept()

    async def main() -> None:
        async with serving() as (server, _):
            poor = Exhausted(server._sockets[0])
            loop = asyncio.get_running_loop()
            accept = server._accept
            monkeypatch.setattr(server, "_accept", lambda _: accept(poor))  # type: ignore[arg-type]
            silent = await tcp(server.port)
            await until(lambda: len(server._half_open) == 1)
            server._stop_accepting()
            loop.call_soon(server._accept_more)
            assert (await probe(["127.0.0.1"], server.port)).host.identity == HOST.public
            assert poor.failures == 0
            # The stranger's connection was dropped to free a descriptor.
            await ended(silent)

    run(main())


# Ports.


def test_the_default_port_or_the_next_free_one(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[int] = []
    real = listener._bind_all

    def noting(hosts: Sequence[str], port: int) -> list[socket.socket]:
        tried.append(port)
        return real(hosts, port)

    first = bind(LOOPBACK, 0)
    port = first[0].getsockname()[1]
    # Use a port of this test as the default: other programs may take or free the usual ports.
    monkeypatch.setattr(listener, "DEFAULT_PORT", port)
    monkeypatch.setattr(listener, "_bind_all", noting)
    second = bind(LOOPBACK, None)
    try:
        ports = [sock.getsockname()[1] for sock in (*first, *second)]
        assert ports[0] == ports[1] == port
        assert ports[2] == ports[3] > port
        assert tried == list(range(port, ports[2] + 1))
        with pytest.raises(NetError) as caught:
            bind(LOOPBACK, port)
        assert caught.value.fault is NetFault.PORT
    finally:
        for sock in (*first, *second):
            sock.close()


def test_a_port_must_be_free_in_both_families() -> None:
    (only,) = bind(["::1"], 0)
    try:
        port = only.getsockname()[1]
        with pytest.raises(NetError) as caught:
            bind(LOOPBACK, port)
        assert caught.value.fault is NetFault.PORT
    finally:
        only.close()


def test_any_free_port_when_all_the_usual_ones_are_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (taken,) = bind(["127.0.0.1"], 0)
    monkeypatch.setattr(listener, "DEFAULT_PORT", taken.getsockname()[1])
    monkeypatch.setattr(listener, "PORTS_TRIED", 1)
    other = bind(["127.0.0.1"], None)
    assert other[0].getsockname()[1] != taken.getsockname()[1]
    for sock in (taken, *other):
        sock.close()


def test_addresses_that_are_not_here_are_left_out() -> None:
    unplugged = f"fe80::1%{max(index for index, _ in socket.if_nameindex()) + 1}"
    sockets = bind(("192.0.2.77", unplugged, "127.0.0.1", "2001:db8::77"), 0)
    assert [sock.getsockname()[0] for sock in sockets] == ["127.0.0.1"]
    sockets[0].close()
    with pytest.raises(NetError) as caught:
        bind(("192.0.2.77",), 0)
    assert caught.value.fault is NetFault.ADAPTER


@pytest.mark.parametrize("number", [errno.EACCES, errno.EMFILE])
def test_a_port_that_the_system_refuses_is_not_called_taken(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which ports are refused, and to whom, depends on the system; tests.lan has a real one."""

    def refuse(*_: object, **__: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(socket.socket, "bind", refuse)
    with pytest.raises(NetError) as caught:
        bind(LOOPBACK, 80)
    assert caught.value.fault is NetFault.PORT_REFUSED
    assert caught.value.detail == f"port 80: {os.strerror(number)}"


@pytest.mark.parametrize("port", [-1, 65_536])
def test_impossible_ports(port: int) -> None:
    with pytest.raises(NetError) as caught:
        bind(LOOPBACK, port)
    assert caught.value.fault is NetFault.PORT


def test_listening_everywhere_opens_one_socket_for_each_ip_version() -> None:
    sockets = bind(EVERYWHERE, 0)
    assert [sock.family for sock in sockets] == [socket.AF_INET, socket.AF_INET6]
    assert sockets[1].getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
    for sock in sockets:
        sock.close()


@pytest.mark.parametrize("context", [b"", bytes(65)])
def test_impossible_contexts_are_refused_before_listening(context: bytes) -> None:
    async def serve(channel: Channel) -> None:
        """Do nothing; never called."""

    async def main() -> None:
        with pytest.raises(NetError) as caught:
            await listen(HOST, context, serve, hosts=LOOPBACK, port=0)
        assert caught.value.fault is NetFault.PROTOCOL

    run(main())
