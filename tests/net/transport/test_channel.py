"""Channels over real TLS connections on loopback."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.framing import HEARTBEAT_FRAME
from lanuno.net.transport.limits import DEFAULT, Limits
from tests.harness.sockets.running import (
    GUEST,
    HOST,
    LOBBY,
    Pair,
    RawPeer,
    pair,
    run,
    serving,
    until,
)

BIG = bytes(range(256)) * 256
# Far more than any kernel buffers for one connection.
OVERFULL = 64 * 1024 * 1024


async def fault_of_end(channel: Channel) -> NetFault:
    """Read everything that arrived, and return the fault that ended the channel."""
    try:
        while True:
            await channel.receive()
    except NetError as error:
        return error.fault


def let_silence_pass(channel: Channel) -> None:
    """Advance the clock past the silence after which a peer is lost."""
    keepalive = channel._wire._keepalive
    assert keepalive is not None
    keepalive._received -= channel.limits.silence


def congest(channel: Channel, message: bytes = BIG) -> int:
    """Send until the network accepts no more; return the number of messages."""
    for count in range(1, OVERFULL // len(message)):
        channel.send(message)
        if channel._wire._full:
            return count
    raise AssertionError("the network never became congested")


def test_messages_arrive_whole_and_in_order() -> None:
    async def main() -> None:
        async with pair() as both:
            sent = [b"a", BIG, b"b" * 4097, bytes(1)] * 5
            for message in sent:
                both.guest.send(message)
                both.host.send(message)
            assert [await both.host.receive() for _ in sent] == sent
            assert [await both.guest.receive() for _ in sent] == sent

    run(main())


def test_each_side_of_a_channel_knows_the_identity_of_the_other() -> None:
    async def main() -> None:
        async with pair() as both:
            assert both.host.identity == GUEST.public
            assert both.guest.identity == HOST.public
            assert both.host.context == both.guest.context == LOBBY
            assert both.host.address == both.guest.address == "127.0.0.1"
            assert both.guest.limits == DEFAULT
            assert "open" in repr(both.guest)

    run(main())


def test_nagle_is_off_on_both_sides() -> None:
    async def main() -> None:
        async with pair() as both:
            for channel in (both.host, both.guest):
                sock = channel._wire.transport.get_extra_info("socket")
                assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

    run(main())


@pytest.mark.parametrize("reason", Goodbye)
def test_a_goodbye_delivers_what_was_sent_before(reason: Goodbye) -> None:
    async def main() -> None:
        async with pair() as both:
            for number in range(100):
                both.guest.send(b"%d" % number)
            await both.guest.close(reason)
            got = [message async for message in both.host]
            assert got == [b"%d" % number for number in range(100)]
            assert both.host.end is reason
            assert both.guest.end is reason
            assert "ended" in repr(both.host)

    run(main())


def test_a_goodbye_behind_a_full_network() -> None:
    async def main() -> None:
        async with pair() as both:
            count = congest(both.guest)
            closing = asyncio.create_task(both.guest.close())
            got = [message async for message in both.host]
            assert got == [BIG] * count
            await closing

    run(main())


def test_both_say_goodbye_at_once() -> None:
    async def main() -> None:
        async with pair() as both:
            both.guest.send(b"last")
            await asyncio.gather(both.guest.close(), both.host.close(), both.host.close())
            assert [message async for message in both.guest] == []
            assert not both.host.open

    run(main())


def test_a_waiting_reader_learns_of_the_end() -> None:
    async def main() -> None:
        async with pair() as both:
            waiting = asyncio.create_task(fault_of_end(both.guest))
            await asyncio.sleep(0)
            await both.guest.close()
            assert await waiting is NetFault.CLOSED

    run(main())


def test_a_cut_connection_is_a_loss() -> None:
    async def main() -> None:
        async with pair() as both:
            both.guest.send(b"last words")
            assert await both.host.receive() == b"last words"
            both.guest.abort()
            assert await fault_of_end(both.host) is NetFault.LOST
            assert await fault_of_end(both.guest) is NetFault.CLOSED
            with pytest.raises(NetError) as caught:
                async for _ in both.host:
                    pass
            assert caught.value.fault is NetFault.LOST

    run(main())


def test_an_orderly_end_of_tls_without_goodbye_is_a_loss() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            peer.frame(b"last words")
            peer.writer.close()
            assert await channel.receive() == b"last words"
            assert await fault_of_end(channel) is NetFault.LOST
            await peer.close()

    run(main())


def test_nothing_is_sent_after_the_end() -> None:
    async def main() -> None:
        async with pair() as both:
            closing = asyncio.create_task(both.guest.close())
            await asyncio.sleep(0)
            for _ in range(2):
                with pytest.raises(NetError) as caught:
                    both.guest.send(b"late")
                assert caught.value.fault is NetFault.CLOSED
                await closing

    run(main())


@pytest.mark.parametrize(
    ("message", "fault"), [(bytes(65_537), NetFault.TOO_BIG), (b"", NetFault.PROTOCOL)]
)
def test_impossible_messages_are_refused_before_sending(message: bytes, fault: NetFault) -> None:
    async def main() -> None:
        async with pair() as both:
            with pytest.raises(NetError) as caught:
                both.guest.send(message)
            assert caught.value.fault is fault
            both.guest.send(b"still open")
            assert await both.host.receive() == b"still open"

    run(main())


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        ((65_537).to_bytes(4, "big"), NetFault.TOO_BIG),
        (bytes(4), NetFault.PROTOCOL),
        (b"\x80\x00\x00\x01\x07", NetFault.PROTOCOL),
    ],
)
def test_a_peer_that_breaks_the_framing_is_dropped(data: bytes, fault: NetFault) -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            peer.frame(b"good")
            peer.writer.write(data)
            assert await channel.receive() == b"good"
            assert await fault_of_end(channel) is fault
            assert (await peer.end())[-6:] in (b"", b"\x80\x00\x00\x02\x01\x06")
            await peer.close()

    run(main())


def test_a_silent_peer_is_lost_and_is_sent_heartbeats_until_then() -> None:
    async def main() -> None:
        limits = Limits(heartbeat=0.02, silence=60.0)
        async with serving(limits) as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            assert await peer.read() == b"\x00"
            assert await peer.read() == b"\x00"
            assert channel.open
            let_silence_pass(channel)
            assert await fault_of_end(channel) is NetFault.LOST
            await peer.close()

    run(main())


def test_nobody_is_lost_because_this_computer_slept() -> None:
    """Both ends share one event loop, which is blocked for longer than the silence limit."""

    async def main() -> None:
        limits = Limits(heartbeat=0.05, silence=0.5, late=0.2)
        async with pair(limits) as both:
            await asyncio.sleep(0)
            time.sleep(2 * limits.silence)  # noqa: ASYNC251 - blocks the loop on purpose
            both.guest.send(b"good")
            assert await both.host.receive() == b"good"
            both.host.send(b"morning")
            assert await both.guest.receive() == b"morning"

    run(main())


def test_heartbeats_are_heard_and_not_handed_on() -> None:
    async def main() -> None:
        limits = Limits(heartbeat=0.01)
        async with pair(limits) as both:
            keepalive = both.host._wire._keepalive
            assert keepalive is not None
            first = keepalive._received
            await until(lambda: keepalive._received > first)
            both.guest.send(b"message")
            assert await both.host.receive() == b"message"
            assert both.host.open

    run(main())


def test_a_flood_of_heartbeats_is_a_flood() -> None:
    """A new connection has few of them, however many an old one may have saved up."""

    async def main() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            peer.writer.write(HEARTBEAT_FRAME * 1_000)
            assert await fault_of_end(channel) is NetFault.FLOOD
            await peer.close()

    run(main())


def test_a_heartbeat_before_authentication_breaks_the_protocol() -> None:
    async def main() -> None:
        async with serving() as (server, _):
            peer = await RawPeer.open(server.port)
            peer.writer.write(b"\x80\x00\x00\x01\x00")
            await peer.end()
            await peer.close()

    run(main())


def test_a_peer_that_takes_nothing_is_dropped_when_its_queue_is_full() -> None:
    async def main() -> None:
        async with serving(Limits(queue=256 * 1024)) as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            for _ in range(OVERFULL // len(BIG)):
                try:
                    channel.send(BIG)
                except NetError as error:
                    assert error.fault is NetFault.SLOW
                    break
                assert channel._wire.backlog <= 256 * 1024
            assert await fault_of_end(channel) is NetFault.SLOW
            await peer.close()

    run(main())


def test_a_peer_that_takes_nothing_is_dropped_after_a_while() -> None:
    async def main() -> None:
        async with serving(Limits(queue_age=0.2, queue=OVERFULL)) as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            congest(channel)
            # More than the buffers of the peer's kernel can still accept.
            for _ in range(OVERFULL // len(BIG) // 2):
                channel.send(BIG)
            assert await fault_of_end(channel) is NetFault.SLOW
            await peer.close()

    run(main())


def test_a_slow_peer_gets_everything_in_order() -> None:
    async def main() -> None:
        async with pair() as both:
            count = congest(both.guest)
            more = [b"%d" % number for number in range(10)]
            for message in more:
                both.guest.send(message)
            assert both.guest._wire.backlog > 0
            got = [await both.host.receive() for _ in range(count + 10)]
            assert got == [BIG] * count + more

    run(main())


def test_unread_messages_are_bounded_and_none_is_lost() -> None:
    async def main() -> None:
        limits = Limits(inbox=100_000, inbox_messages=50)
        async with pair(limits) as both:
            small = [b"%d" % number for number in range(1000)]
            for message in small:
                both.guest.send(message)
            wire = both.host._wire
            await until(lambda: not wire._reading)
            held = len(wire._inbox)
            # One more chunk of TLS records may arrive after the limit was reached, but no second.
            for _ in range(10):
                await asyncio.sleep(0)
                assert len(wire._inbox) == held
            assert [await both.host.receive() for _ in small] == small
            assert wire._reading

    run(main())


def test_a_node_that_does_not_read_does_not_call_its_peer_silent() -> None:
    async def main() -> None:
        limits = Limits(inbox_messages=1, silence=60.0, heartbeat=0.02)
        async with serving(limits) as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            for _ in range(10):
                peer.frame(b"x")
            wire = channel._wire
            await until(lambda: not wire._reading)
            let_silence_pass(channel)
            # The channel checks its keepalive each time that it sends a heartbeat.
            for _ in range(5):
                while await peer.read() != b"\x00":
                    pass
            assert channel.open
            assert [await channel.receive() for _ in range(10)] == [b"x"] * 10
            let_silence_pass(channel)
            assert await fault_of_end(channel) is NetFault.LOST
            await peer.close()

    run(main())


def test_one_reader_at_a_time() -> None:
    async def main() -> None:
        async with pair() as both:
            first = asyncio.create_task(both.host.receive())
            await asyncio.sleep(0)
            with pytest.raises(NetError):
                await both.host.receive()
            both.guest.send(b"for the first")
            assert await first == b"for the first"

    run(main())


def test_a_cancelled_reader_loses_nothing() -> None:
    async def main() -> None:
        async with pair() as both:
            waiting = asyncio.create_task(both.host.receive())
            await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            both.guest.send(b"kept")
            assert await both.host.receive() == b"kept"

    run(main())


def test_a_goodbye_to_somebody_who_does_not_answer_is_cut_short() -> None:
    async def main() -> None:
        async with serving(Limits(close=0.1)) as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            await channel.close(Goodbye.REMOVED)
            assert channel.end is Goodbye.REMOVED
            assert b"\x80\x00\x00\x02\x01\x03" in await peer.end()
            await peer.close()

    run(main())


def test_a_cancelled_goodbye_cuts_the_connection() -> None:
    async def main() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            closing = asyncio.create_task(channel.close())
            await asyncio.sleep(0)
            closing.cancel()
            await asyncio.wait([closing])
            assert closing.cancelled()
            await peer.end()
            await peer.close()

    run(main())


def test_a_channel_closes_itself_as_a_context() -> None:
    async def main() -> None:
        async with pair() as both:
            async with both.guest as channel:
                channel.send(b"in time")
            assert [message async for message in both.host] == [b"in time"]

    run(main())


def test_no_task_belongs_to_a_channel() -> None:
    async def count(both: Pair) -> int:
        both.guest.send(b"x")
        await both.host.receive()
        return len(asyncio.all_tasks())

    async def main() -> None:
        async with pair() as both:
            # The task of this test, and the server's `serve` for the one channel.
            assert await count(both) == 2

    run(main())
