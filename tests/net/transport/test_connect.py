"""Reaching a host over real sockets, and rejecting anybody else."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.errors import NetFault
from lanuno.net.transport import connect as connect_module
from lanuno.net.transport.connect import connect, probe
from lanuno.net.transport.handshake import HostSide
from lanuno.net.transport.limits import Limits
from lanuno.net.transport.tls import client_context, host_credentials
from lanuno.net.transport.tls_connection import TlsConnection
from tests.harness.sockets.running import GUEST, HOST, LOBBY, run, serving, until
from tests.net.faults import awaited_fault

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
QUICK = Limits(connect=0.3, tls=0.3, auth=0.3, close=0.3)
PATIENT = Limits(connect=60.0, tls=60.0, auth=60.0, close=60.0)


async def cut(writer: asyncio.StreamWriter) -> None:
    """Cut a connection, and wait until it is closed."""
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


@asynccontextmanager
async def other_server(talk: Talk, context: ssl.SSLContext | None = None) -> AsyncIterator[int]:
    """Run a server that is no LanUNO host; yield its port."""
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await talk(reader, writer)
            await reader.read()
        except (OSError, EOFError):
            pass
        finally:
            await cut(writer)

    def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(serve(reader, writer))
        tasks.add(task)
        # A task cancelled before its first step cannot close the connection.
        task.add_done_callback(lambda _: writer.transport.abort())
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(begin, "127.0.0.1", 0, ssl=context)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await until(lambda: not tasks)
        await server.wait_closed()


async def quiet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Send nothing."""


def answering(data: bytes) -> Talk:
    """Return a handler that reads some data and sends one answer."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1000)
        writer.write(data)

    return talk


def test_a_probe_finds_the_identity_of_the_host() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            found = await probe(
                ["127.0.0.1"], server.port, fingerprint=fingerprint(HOST.public), context=LOBBY
            )
            assert (found.host.identity, found.host.context) == (HOST.public, LOBBY)
            assert found.address == "127.0.0.1"
            await until(lambda: len(server._half_open) == 0)
            assert arrived.empty()

    run(main())


def test_a_connect_to_a_port_without_a_listener_fails_as_unreachable() -> None:
    async def main() -> None:
        # Bound but not listening, so that no other program can listen there.
        with socket.socket() as nobody:
            nobody.bind(("", 0))
            port, hosts = nobody.getsockname()[1], ["127.0.0.1", "127.0.0.2"]
            assert await awaited_fault(connect(hosts, port, GUEST)) is NetFault.UNREACHABLE

    run(main())


def test_a_host_with_another_identity_learns_nothing_about_the_guest() -> None:
    async def main() -> None:
        heard = bytearray()
        async with serving(identity=Identity.from_seed(b"x" * 32)) as (server, arrived):
            async with relaying(server.port, heard, client_context()) as port:
                expected = fingerprint(HOST.public)
                attempt = connect(["127.0.0.1"], server.port, GUEST, fingerprint=expected)
                assert await awaited_fault(attempt) is NetFault.IDENTITY
                attempt = connect(["127.0.0.1"], port, GUEST, fingerprint=expected)
                assert await awaited_fault(attempt) is NetFault.IDENTITY
            assert arrived.empty()
        assert heard
        assert GUEST.public not in heard

    run(main())


@asynccontextmanager
async def relaying(
    port: int, heard: bytearray, onward: ssl.SSLContext | None
) -> AsyncIterator[int]:
    """Run a relay. If it reads the traffic (`onward`), it uses its own certificate."""

    async def relay(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        name = "lanuno" if onward else None
        there, back = await asyncio.open_connection(
            "127.0.0.1", port, ssl=onward, server_hostname=name
        )

        async def pump() -> None:
            while data := await there.read(65_536):
                writer.write(data)
            writer.close()

        pumping = asyncio.create_task(pump())
        try:
            while data := await reader.read(65_536):
                heard.extend(data)
                back.write(data)
        finally:
            # Cleans up even if the client has cancelled meanwhile.
            back.transport.abort()
            pumping.cancel()
            await asyncio.wait([pumping])

    inside = host_credentials().context if onward else None
    async with other_server(relay, inside) as relay_port:
        yield relay_port


def test_a_relay_that_looks_inside_fails_even_with_nobody_expected() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            heard = bytearray()
            async with relaying(server.port, heard, client_context()) as port:
                assert await awaited_fault(connect(["127.0.0.1"], port, GUEST)) is NetFault.IDENTITY
            assert GUEST.public not in heard
            assert arrived.empty()

    run(main())


def test_a_relay_that_only_forwards_is_a_cable() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            heard = bytearray()
            async with relaying(server.port, heard, None) as port:
                guest = await connect(["127.0.0.1"], port, GUEST)
                guest.send(b"a secret card")
                channel = await arrived.get()
                assert await channel.receive() == b"a secret card"
                await guest.close()
            assert b"a secret card" not in heard

    run(main())


def test_the_first_address_that_works_is_taken() -> None:
    async def main() -> None:
        async with (
            serving() as (server, arrived),
            other_server(quiet) as port,
        ):
            # An unknown name, an address where nothing listens, and the right address.
            hosts = ["no-such-host.invalid", "127.0.0.77", "::1"]
            guest = await connect(hosts, server.port, GUEST, limits=Limits(stagger=0.01))
            assert guest.address == "::1"
            await guest.close()
            await arrived.get()
            assert arrived.empty()
            assert port != server.port

    run(main())


def test_a_player_appears_once_however_many_addresses_lead_to_the_host() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            hosts = ["127.0.0.1", "127.0.0.2", "::1", "127.0.0.1"]
            # Servers listen only on 127.0.0.1 and ::1; both answer at the same time.
            guest = await connect(hosts, server.port, GUEST, limits=Limits(stagger=0.0))
            await arrived.get()
            await until(lambda: len(server._half_open) == 0)
            assert arrived.empty()
            assert len(server.channels) == 1
            await guest.close()

    run(main())


def test_a_cancelled_connect_leaves_nothing_behind() -> None:
    async def main() -> None:
        async with other_server(quiet, host_credentials().context) as port:
            attempt = asyncio.create_task(connect(["127.0.0.1", "localhost"], port, GUEST))
            for _ in range(5):
                await asyncio.sleep(0)
            attempt.cancel()
            await asyncio.wait([attempt])
            assert attempt.cancelled()

    run(main())


@pytest.mark.parametrize("ticks", range(12))
def test_a_connect_cancelled_at_any_moment_leaves_nothing_behind(ticks: int) -> None:
    async def main() -> None:
        async with serving() as (server, _):
            attempt = asyncio.create_task(connect(["127.0.0.1"], server.port, GUEST))
            for _ in range(ticks):
                await asyncio.sleep(0.0005)
            attempt.cancel()
            await asyncio.wait([attempt])
            if not attempt.cancelled():
                await attempt.result().close()

    run(main())


@pytest.mark.parametrize(
    ("talk", "tls", "fault"),
    [
        (quiet, False, NetFault.TIMEOUT),
        (answering(b"HTTP/1.1 400 Bad Request\r\n\r\n"), False, NetFault.TLS),
        (quiet, True, NetFault.TIMEOUT),
        (answering(b"\x00\x00\x00\x05hello"), True, NetFault.PROTOCOL),
        (answering(b"\x00\x00\x10\x01"), True, NetFault.TOO_BIG),
        (answering(b"\x00\x00\x00\x02\x05\x01"), True, NetFault.VERSION),
        (answering(b"\x00\x00\x00\x02\x05\x00"), True, NetFault.REFUSED),
    ],
    ids=["mute", "http", "mute in TLS", "nonsense", "too long", "version", "refusal"],
)
def test_servers_of_another_kind(talk: Talk, tls: bool, fault: NetFault) -> None:
    async def main() -> None:
        context = host_credentials().context if tls else None
        # A server that answers gets enough time to do so.
        limits = QUICK if fault is NetFault.TIMEOUT else PATIENT
        async with other_server(talk, context) as port:
            assert await awaited_fault(connect(["127.0.0.1"], port, GUEST, limits=limits)) is fault

    run(main())


def test_a_server_that_hangs_up() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    async def main() -> None:
        async with other_server(hang_up) as port:
            assert await awaited_fault(connect(["127.0.0.1"], port, GUEST)) is NetFault.TLS
        async with other_server(hang_up, host_credentials().context) as port:
            assert await awaited_fault(connect(["127.0.0.1"], port, GUEST)) in (
                NetFault.LOST,
                NetFault.TLS,
            )

    run(main())


def test_a_host_that_never_welcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async with serving(Limits(auth=30.0)) as (server, _):
            monkeypatch.setattr(server, "_handshake", never_welcome)
            attempt = connect(["127.0.0.1"], server.port, GUEST, limits=QUICK)
            assert await awaited_fault(attempt) is NetFault.TIMEOUT

    async def never_welcome(wire: TlsConnection, side: HostSide) -> bytes:
        wire.send(side.receive(await wire.receive()))
        await asyncio.Event().wait()
        return b""

    run(main())


def test_an_address_that_swallows_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        async def silent(*_: object) -> None:
            await asyncio.Event().wait()

        monkeypatch.setattr(asyncio.get_running_loop(), "sock_connect", silent)
        assert await awaited_fault(probe(["127.0.0.1"], 47_474, limits=QUICK)) is NetFault.TIMEOUT
        attempt = asyncio.create_task(probe(["127.0.0.1"], 47_474))
        await asyncio.sleep(0.01)
        attempt.cancel()
        await asyncio.wait([attempt])

    run(main())


@pytest.mark.parametrize("late", [False, True])
def test_one_of_two_simultaneous_connections_is_closed(
    monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    """If `late`, the second attempt completes in the moment of its cancellation."""

    async def main() -> None:
        async with serving() as (server, _):
            both = asyncio.Barrier(2)
            real = connect_module._prove_host

            async def greet(*args: Any) -> object:
                met = await real(*args)
                if await both.wait() and late:
                    try:
                        await asyncio.Event().wait()
                    except asyncio.CancelledError:
                        return met
                return met

            monkeypatch.setattr(connect_module, "_prove_host", greet)
            await probe(["127.0.0.1", "::1"], server.port, limits=Limits(stagger=0.0))
            await until(lambda: len(server._half_open) == 0)

    run(main())


def test_an_old_tls_is_refused() -> None:
    context = host_credentials().context
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.maximum_version = ssl.TLSVersion.TLSv1_2

    async def main() -> None:
        async with other_server(quiet, context) as port:
            assert await awaited_fault(probe(["127.0.0.1"], port)) is NetFault.TLS

    run(main())


def test_the_host_refuses_an_old_tls() -> None:
    async def main() -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        async with serving() as (server, _):
            # The reset may arrive before the alert.
            with pytest.raises((ssl.SSLError, ConnectionResetError)):
                await asyncio.open_connection("127.0.0.1", server.port, ssl=context)

    run(main())


@pytest.mark.parametrize("port", [0, 65_536, -1])
def test_impossible_ports(port: int) -> None:
    run(_expect_address(["127.0.0.1"], port))


@pytest.mark.parametrize("hosts", [[], [""], ["no-such-host.invalid"], ["a" * 300], ["fe80::1%no"]])
def test_impossible_hosts(hosts: list[str]) -> None:
    run(_expect_address(hosts, 47_474))


async def _expect_address(hosts: list[str], port: int) -> None:
    assert await awaited_fault(connect(hosts, port, GUEST)) is NetFault.ADDRESS
