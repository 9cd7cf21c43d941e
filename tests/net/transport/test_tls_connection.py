"""States of a connection that real sockets do not produce on demand, with a simulated transport."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.framing import HEARTBEAT_FRAME, farewell_frame, message_frame
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.net.transport.tls_connection import HEARTBEATS, TlsConnection
from tests.harness.sockets.running import run, until

LONG = 1 << 20


class Transport(asyncio.Transport):
    """Records what a wire does to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []
        self.done: list[str] = []

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        self.written.append(bytes(data))

    def close(self) -> None:
        self.done.append("close")

    def abort(self) -> None:
        self.done.append("abort")

    def pause_reading(self) -> None:
        self.done.append("pause")

    def resume_reading(self) -> None:
        self.done.append("resume")

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None:
        """Ignore the limits, because nothing is buffered."""

    def get_write_buffer_size(self) -> int:
        return 0


def with_wire(
    play: Callable[[TlsConnection, Transport], Awaitable[None]],
    limits: Limits = DEFAULT,
    *,
    authenticated: bool = True,
) -> None:
    async def main() -> None:
        wire, transport = TlsConnection(limits), Transport()
        wire.connection_made(transport)
        if authenticated:
            wire.authenticated()
            wire.start_keepalive()
        await play(wire, transport)
        wire.connection_lost(None)
        assert wire._timer is None

    run(main())


def due(wire: TlsConnection) -> float:
    """Return when the timer of the wire is due."""
    assert wire._timer is not None
    return wire._timer.when()


def fault(wire: TlsConnection) -> NetFault:
    assert isinstance(wire.end, NetError)
    return wire.end.fault


def test_the_timer_is_never_later_than_what_is_due() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        keepalive = wire._keepalive
        assert keepalive is not None
        for step in (wire.pause_writing, wire.resume_writing) * 3:
            step()
            assert due(wire) <= keepalive.due()
        wire.pause_writing()
        wire.send(b"queued")
        wire.resume_writing()
        assert due(wire) <= keepalive.due()
        assert transport.written == [message_frame(b"queued", LONG)]

    with_wire(play)


def test_a_queue_that_moves_in_small_steps() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        def write_and_stall(data: bytes | bytearray | memoryview[Any]) -> None:
            transport.written.append(bytes(data))
            wire.pause_writing()

        transport.write = write_and_stall  # type: ignore[method-assign]
        wire.pause_writing()
        messages = [b"%d" % number for number in range(5)]
        for message in messages:
            wire.send(message)
        assert wire.backlog == sum(len(message_frame(each, LONG)) for each in messages)
        for count in range(1, 6):
            wire.resume_writing()
            assert len(transport.written) == count
            assert wire._full
        assert wire.backlog == 0

    with_wire(play)


def test_congestion_before_the_keepalive_begins_counts() -> None:
    async def play(wire: TlsConnection, _: Transport) -> None:
        wire.pause_writing()
        wire.start_keepalive()
        assert wire._keepalive is not None
        assert wire._keepalive._waiting < float("inf")
        wire.resume_writing()

    with_wire(play, authenticated=False)


def test_cut_before_it_was_made() -> None:
    async def main() -> None:
        wire, transport = TlsConnection(DEFAULT), Transport()
        with pytest.raises(NetError) as caught:
            _ = wire.transport
        assert caught.value.fault is NetFault.LOST
        wire.send(b"into the void")
        wire.abort()
        assert wire.lost.is_set()
        wire.connection_made(transport)
        assert transport.done == ["abort"]
        await wire.close(Goodbye.DONE)

    run(main())


def test_closed_before_it_was_made() -> None:
    async def main() -> None:
        wire = TlsConnection(DEFAULT)
        await wire.close(Goodbye.DONE)
        assert fault(wire) is NetFault.CLOSED

    run(main())


def test_a_broken_connection_says_how() -> None:
    async def play(wire: TlsConnection, _: Transport) -> None:
        wire.connection_lost(ConnectionResetError())
        assert fault(wire) is NetFault.LOST
        assert "ConnectionResetError" in str(wire.end)
        with pytest.raises(NetError):
            await wire.receive()

    with_wire(play)


def test_nothing_is_taken_after_the_end() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        wire.data_received(message_frame(b"first", LONG) + farewell_frame(Goodbye.REMOVED))
        assert wire.end is Goodbye.REMOVED
        assert transport.written == [farewell_frame(Goodbye.REMOVED)]
        assert transport.done == ["close"]
        wire.data_received(message_frame(b"second", LONG))
        wire.eof_received()
        wire.fail(NetError(NetFault.SLOW))
        wire._tick(asyncio.get_running_loop().time())
        assert wire.end is Goodbye.REMOVED
        assert transport.done == ["close"]
        assert await wire.receive() == b"first"
        with pytest.raises(NetError):
            await wire.receive()

    with_wire(play)


def test_nothing_after_a_goodbye_in_one_piece() -> None:
    async def play(wire: TlsConnection, _: Transport) -> None:
        wire.data_received(farewell_frame(Goodbye.DONE) + message_frame(b"late", LONG))
        assert not wire._inbox

    with_wire(play)


def test_messages_that_come_while_closing_are_thrown_away() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        wire.data_received(message_frame(b"unread", LONG))
        closing = asyncio.create_task(wire.close(Goodbye.SHUTDOWN))
        await asyncio.sleep(0)
        wire.data_received(message_frame(b"late", LONG) + farewell_frame(Goodbye.SHUTDOWN))
        assert transport.written == [farewell_frame(Goodbye.SHUTDOWN)]
        assert not wire._inbox
        wire.connection_lost(None)
        await closing
        assert wire.end is Goodbye.SHUTDOWN

    with_wire(play)


def test_a_fault_while_closing_is_still_a_goodbye() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        closing = asyncio.create_task(wire.close(Goodbye.SHUTDOWN))
        await asyncio.sleep(0)
        wire.data_received(b"\xff" * 8)
        assert wire.end is Goodbye.SHUTDOWN
        assert transport.done == ["abort"]
        wire.connection_lost(None)
        await closing

    with_wire(play)


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (NetFault.FLOOD, [farewell_frame(Goodbye.FLOOD)]),
        (NetFault.PROTOCOL, [farewell_frame(Goodbye.PROTOCOL)]),
        (NetFault.LOST, []),
    ],
)
def test_a_peer_that_is_given_up_is_told_why(why: NetFault, told: list[bytes]) -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        wire.fail(NetError(why))
        assert transport.written == told
        assert transport.done == ["abort"]
        assert fault(wire) is why

    with_wire(play)


def test_a_stalled_peer_is_not_told() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        wire.pause_writing()
        wire.fail(NetError(NetFault.SLOW))
        assert transport.written == []

    with_wire(play)


def test_heartbeats_of_a_long_absence() -> None:
    async def play(wire: TlsConnection, _: Transport) -> None:
        assert wire._heartbeats is not None
        wire._heartbeats._paid[None] -= 24 * 3600.0  # the connection is a day old
        wire.data_received(b"\x80\x00\x00\x01\x00" * HEARTBEATS)
        assert wire.open
        wire.data_received(b"\x80\x00\x00\x01\x00" * HEARTBEATS)
        assert fault(wire) is NetFault.FLOOD

    with_wire(play)


def test_reading_stops_and_goes_on() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        wire.data_received(message_frame(b"1234", LONG) * 6)
        wire.data_received(message_frame(b"1234", LONG))
        assert transport.done == ["pause"]
        for _ in range(7):
            await wire.receive()
        assert transport.done == ["pause", "resume"]

    with_wire(play, Limits(inbox_messages=5))


def test_an_overdue_timer_is_not_taken_for_a_sleep() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        keepalive = wire._keepalive
        assert keepalive is not None
        keepalive._sent -= 100.0
        keepalive._received -= 3.0
        heard = keepalive._received
        wire._arm()
        await until(lambda: transport.written != [])
        assert transport.written == [HEARTBEAT_FRAME]
        assert keepalive._received == heard

    with_wire(play)


def test_a_tick_that_comes_early_does_nothing() -> None:
    async def play(wire: TlsConnection, transport: Transport) -> None:
        wire._tick(asyncio.get_running_loop().time())
        assert transport.written == []
        assert wire._timer is not None

    with_wire(play)


def test_two_wakings_of_one_reader() -> None:
    async def play(wire: TlsConnection, _: Transport) -> None:
        reading = asyncio.create_task(wire.receive())
        await asyncio.sleep(0)
        wire.data_received(message_frame(b"a", LONG))
        wire.data_received(message_frame(b"b", LONG))
        assert await reading == b"a"
        assert await wire.receive() == b"b"

    with_wire(play)


def test_asyncio_does_not_complain_of_every_write_to_somebody_who_has_gone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    noise = logging.getLogger("asyncio")
    noise.warning("socket.send() raised exception.")
    noise.warning("SSL connection is closed")
    assert caplog.records == []
    noise.warning("something else")
    assert [record.message for record in caplog.records] == ["something else"]
    caplog.clear()
