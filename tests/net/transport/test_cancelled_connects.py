"""Connection attempts that are cancelled at any point leave no socket open.

A program may exit right after its last attempt. A socket that asyncio closes only later is then
still open, and Python warns about it.
"""

from __future__ import annotations

import asyncio
import select
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport import connect as connect_module
from lanuno.net.transport.addresses import ResolvedAddress
from lanuno.net.transport.connect import connect, probe
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.net.transport.listener import bind
from lanuno.net.transport.tls import client_context, host_credentials
from lanuno.net.transport.tls_connection import start_tls
from tests.harness.sockets.running import GUEST, PATIENCE, run, serving, until

QUICK = Limits(connect=0.1, tls=0.1, auth=0.1, close=0.1)
THERE = "127.0.0.2"
RACE = Limits(stagger=0.05)
PARTS = 8
TURNS = 20
"""Turns of the event loop: enough to process everything that has arrived."""


@dataclass
class Stalling:
    """A relay that passes on at most `most` bytes from the host."""

    host: int
    most: int | None
    said: int = 0
    """Bytes passed on from the host."""
    stalled: asyncio.Event = field(default_factory=asyncio.Event)
    port: int = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        back, there = await asyncio.open_connection("127.0.0.1", self.host)
        pumping = asyncio.create_task(self._there(reader, there))
        try:
            await self._back(back, writer)
        finally:
            for each in (there, writer):
                each.transport.abort()
            await asyncio.wait([pumping])

    async def _there(self, reader: asyncio.StreamReader, there: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65_536):
                there.write(data)
            there.close()

    async def _back(self, back: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while True:
                if self.most is not None and self.said >= self.most:
                    self.stalled.set()
                    await asyncio.Event().wait()
                wanted = 65_536 if self.most is None else self.most - self.said
                data = await back.read(wanted)
                if not data:
                    return
                self.said += len(data)
                writer.write(data)


@asynccontextmanager
async def stalling(
    most: int | None, sockets: Sequence[socket.socket] = ()
) -> AsyncIterator[Stalling]:
    """Run a host behind such a relay, on any port or on these sockets."""
    tasks: set[asyncio.Task[None]] = set()
    async with serving() as (server, _):
        cable = Stalling(server.port, most)

        def begin(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(cable.serve(reader, writer))
            # A task cancelled before its first step cannot close the connection.
            task.add_done_callback(lambda _: writer.transport.abort())
            tasks.add(task)

        (sock,) = sockets or bind(("127.0.0.1",), 0)
        proxy = await asyncio.start_server(begin, sock=sock)
        cable.port = proxy.sockets[0].getsockname()[1]
        try:
            yield cable
        finally:
            proxy.close()
            for task in tasks:
                task.cancel()
            if tasks:
                await asyncio.wait(tasks)
            await proxy.wait_closed()


async def bytes_until_admission() -> int:
    """Return how many bytes a host sends until it has admitted a guest."""
    async with stalling(None) as cable:
        guest = await connect(["127.0.0.1"], cable.port, GUEST)
        said = cable.said
        await guest.close()
    return said


class Sockets:
    """Records every socket with which this process connects."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.opened: list[socket.socket] = []
        real = connect_module._open

        async def opening(target: ResolvedAddress, limits: Limits) -> socket.socket:
            sock = await real(target, limits)
            self.opened.append(sock)
            return sock

        monkeypatch.setattr(connect_module, "_open", opening)

    @property
    def left(self) -> int:
        return sum(each.fileno() >= 0 for each in self.opened)


@pytest.fixture
def sockets(monkeypatch: pytest.MonkeyPatch) -> Sockets:
    return Sockets(monkeypatch)


async def turns() -> None:
    """Let the loop process everything that has arrived."""
    for _ in range(TURNS):
        await asyncio.sleep(0)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_dial_that_is_called_off_anywhere(sockets: Sockets, part: int) -> None:
    async def main() -> None:
        most = await bytes_until_admission() * part // PARTS
        async with stalling(most) as cable:
            dial = asyncio.create_task(connect(["127.0.0.1"], cable.port, GUEST))
            await cable.stalled.wait()
            await turns()
            assert sockets.left == 1
            dial.cancel()
            await asyncio.wait([dial])
            assert dial.cancelled()
            assert sockets.left == 0

    run(main())


@pytest.mark.parametrize("part", range(PARTS))
def test_a_dial_that_gets_no_further(sockets: Sockets, part: int) -> None:
    async def main() -> None:
        most = await bytes_until_admission() * part // PARTS
        async with stalling(most) as cable:
            with pytest.raises(NetError) as caught:
                await connect(["127.0.0.1"], cable.port, GUEST, limits=QUICK)
            assert caught.value.fault is NetFault.TIMEOUT
            assert sockets.left == 0

    run(main())


def test_a_dial_that_is_refused(sockets: Sockets) -> None:
    async def main() -> None:
        async with serving() as (server, _):
            for told in ({"fingerprint": "x"}, {"context": b"another table"}):
                with pytest.raises(NetError):
                    await connect(["127.0.0.1"], server.port, GUEST, **told)
                assert sockets.left == 0

    run(main())


@pytest.mark.parametrize("part", range(PARTS))
def test_losing_connection_attempts_are_closed_before_the_winner_is_returned(
    sockets: Sockets, part: int
) -> None:
    async def main() -> None:
        most = await bytes_until_admission() * part // PARTS
        here, there = bind(("127.0.0.1", THERE), 0)
        async with serving(sockets=[here]) as (server, _), stalling(most, [there]) as cable:
            dial = asyncio.create_task(
                connect([THERE, "127.0.0.1"], server.port, GUEST, limits=RACE)
            )
            await cable.stalled.wait()
            guest = await dial
            assert guest.address == "127.0.0.1"
            assert sockets.left == 1
            await guest.close()
            assert sockets.left == 0

    run(main())


def test_a_dial_that_is_called_off_when_it_has_been_won(
    sockets: Sockets, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def main() -> None:
        won = asyncio.Event()
        real = connect_module._cancel_all
        calls = 0

        async def slowly(tasks: set[asyncio.Task[Any]]) -> None:
            nonlocal calls
            calls += 1
            if calls == 1:
                won.set()
                await asyncio.Event().wait()
            await real(tasks)

        monkeypatch.setattr(connect_module, "_cancel_all", slowly)
        here, there = bind(("127.0.0.1", THERE), 0)
        async with serving(sockets=[here]) as (server, _), stalling(1, [there]):
            dial = asyncio.create_task(
                connect([THERE, "127.0.0.1"], server.port, GUEST, limits=RACE)
            )
            await won.wait()
            assert sockets.left == 2
            dial.cancel()
            await asyncio.wait([dial])
            assert dial.cancelled()
            await until(lambda: sockets.left == 0)

    run(main())


@pytest.mark.parametrize("ticks", range(8))
@pytest.mark.parametrize("host", [False, True])
def test_tls_that_is_called_off(ticks: int, host: bool) -> None:
    """TLS may be cancelled at any step, even before it has begun."""

    async def main() -> None:
        mine, other = socket.socketpair()
        with other:
            mine.setblocking(False)
            context = host_credentials().context if host else client_context()
            name = None if host else "lanuno"
            task = asyncio.create_task(start_tls(mine, context, DEFAULT, name))
            await asyncio.sleep(0)
            for _ in range(ticks):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
            assert task.cancelled()
            assert mine.fileno() < 0

    run(main())


def test_a_connection_that_asyncio_has_closed_already_can_be_cut() -> None:
    """A connection cancelled as its handshake ends is closed by asyncio and by this side."""

    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as listener:
            mine = socket.create_connection(listener.getsockname())
            other, _ = listener.accept()
        for each in (mine, other):
            each.setblocking(False)
        wire, there = await asyncio.gather(
            start_tls(mine, client_context(), DEFAULT, "lanuno"),
            start_tls(other, host_credentials().context, DEFAULT, None),
        )
        wire.transport.close()
        wire.transport.close()
        wire.abort()
        await there.abort_and_wait()
        await asyncio.wait_for(wire.lost.wait(), PATIENCE)

    run(main())


@pytest.mark.parametrize("host", [False, True])
def test_tls_that_fails(host: bool) -> None:
    async def main() -> None:
        mine, other = socket.socketpair()
        with other:
            mine.setblocking(False)
            context = host_credentials().context if host else client_context()
            other.send(b"this is not TLS" * 10)
            with pytest.raises(NetError) as caught:
                await start_tls(mine, context, DEFAULT, None if host else "lanuno")
            assert caught.value.fault is NetFault.TLS
            assert mine.fileno() < 0

    run(main())


def test_a_closing_listener_ends_connections_that_it_has_just_accepted() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            with socket.create_connection(("127.0.0.1", server.port)) as there:
                # Accept before the loop runs again, so that the connection is still waiting.
                assert select.select(server._sockets, (), (), PATIENCE)[0]
                for listener in server._sockets:
                    server._accept(listener)
                assert len(server._half_open) == 1
                await server.close()
                assert len(server._half_open) == 0
                with suppress(ConnectionResetError):
                    assert there.recv(1) == b""
            assert arrived.empty()

    run(main())


def test_a_probe_leaves_no_socket_open(sockets: Sockets) -> None:
    async def main() -> None:
        async with serving() as (server, _):
            await probe(["127.0.0.1"], server.port)
            assert sockets.left == 0

    run(main())
