"""Hostile connections to a table with players: floods, slow drips, and a relay in the middle.

These tests use real sockets on loopback. A single limit is tested with the module that enforces it.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import psutil
import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.genesis import VERSION, nonce_commitment, safety_hand, sign_roster
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.runtime import lobby_host
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_host import STATES_BURST, STATES_RATE
from lanuno.net.runtime.message_budget import (
    STEPS_BURST,
    STEPS_RATE,
    STRANGERS_BURST,
    STRANGERS_RATE,
)
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect, probe
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.rules.ruleset import Ruleset
from lanuno.table import inputs, messages
from lanuno.table.budget import ADDRESS_CHAT_BURST, ADDRESS_CHAT_RATE, CHAT_BURST
from lanuno.table.links import MOST_STRANGERS
from lanuno.table.lobby.readiness import room_roster
from lanuno.table.messages import from_host
from lanuno.table.outputs import ChatReceived
from tests.harness.sockets.running import RawPeer, run, serving, until
from tests.harness.sockets.tables import Table, hear, identity, say, table, until_end

HALF_OPEN = 400
BEYOND = 1_990
"""Messages of one connection: no more than the burst of a player."""
GROWTH = 32 * 1024 * 1024
"""Bytes by which a host may grow under attack."""


@asynccontextmanager
async def silent_connections(port: int, count: int) -> AsyncIterator[None]:
    """Open `count` silent connections from a hundred addresses."""
    socks = [socket.socket() for _ in range(count)]
    try:
        for number, sock in enumerate(socks):
            sock.setblocking(False)
            sock.bind((f"127.0.1.{1 + number % 100}", 0))
            sock.connect_ex(("127.0.0.1", port))
        yield
    finally:
        for sock in socks:
            sock.close()


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(psutil.Process().memory_info().rss)


async def flood(channel: Channel) -> None:
    """Send chat messages as fast as possible."""
    while channel.open:
        try:
            await say(channel, messages.Say("x" * 300))
        except NetError:
            break
        await asyncio.sleep(0)
    await until_end(channel)
    await channel.close()


def test_a_flooded_table_plays_on_and_lets_newcomers_in_afterwards() -> None:
    async def story() -> None:
        async with table(4) as at:
            flooders = [await at.channel(100 + number) for number in range(2)]
            guests = [asyncio.create_task((await at.peer(each)).run()) for each in (1, 2, 3)]
            await until(lambda: len(at.host_records.entries) > 3)
            before = resident()
            async with silent_connections(at.port, HALF_OPEN):
                assert at.host.listener is not None
                listener = at.host.listener
                await until(lambda: len(listener._half_open) == DEFAULT.queue_places)
                await asyncio.gather(*map(flood, flooders))
                assert {each.end for each in flooders} == {Goodbye.FLOOD}
                await at.host.wait()
                assert resident() - before < GROWTH
            async with asyncio.timeout(10):
                await (await connect(["127.0.0.1"], at.port, identity(9))).close()
            await at.host.close()
            assert await asyncio.gather(*guests) == [TableEnding.CLOSED] * 3
        assert at.host_records.report.verdict is AuditVerdict.VERIFIED
        assert not any(each.blame for each in (at.host_records.report, at.records[0].report))

    run(story())


@pytest.mark.parametrize("tls", [False, True])
def test_a_slow_drip_is_dropped_in_the_same_time_as_silence(tls: bool) -> None:
    """The time limit covers the whole message; an occasional byte does not restart it."""

    async def story() -> None:
        # The other limit is too long to matter, so no connection is dropped before it drips.
        limits = Limits(tls=60.0, auth=2.0) if tls else Limits(tls=2.0, auth=60.0)
        async with serving(replace(limits, close=0.1)) as (server, arrived):
            if tls:
                peer = await RawPeer.open(server.port)
                drip = b"\x00\x00\x00\x29\x01lanuno" + bytes(4096)
            else:
                peer = RawPeer(*await asyncio.open_connection("127.0.0.1", server.port))
                drip = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(505)
            loop = asyncio.get_running_loop()
            await until(lambda: len(server._half_open) == 1)
            began, sent = loop.time(), 0
            while len(server._half_open):
                peer.writer.write(drip[sent : sent + 1])
                sent += 1
                await asyncio.sleep(0.01)
                assert loop.time() < began + 60, "the connection was not dropped"
            assert 1 < sent < len(drip)
            await peer.close()
            assert arrived.empty()

    run(story())


def test_nobody_takes_all_connections_of_a_waiting_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_host, "IDLE_SECONDS", 0.2)

    async def story() -> None:
        async with table(4) as at:
            seated, watching = await at.channel(1), await at.channel(2)
            mine = identity(1).public
            await say(seated, messages.Join(VERSION, "guest", bytes(32), mine, False, False))
            await hear(seated, messages.LobbyState)
            await say(watching, messages.Watch(VERSION, "watcher"))
            await hear(watching, messages.LobbyState)
            # One at a time, so that half-open places do not run out. Some share an identity.
            idle = [await at.channel(50 + number % 7) for number in range(MOST_STRANGERS + 5)]
            await until(lambda: len(at.host._guests) == 2 + MOST_STRANGERS)
            await asyncio.gather(*(until_end(each) for each in idle if not each.open))
            assert seated.open
            assert watching.open
            assert at.host.lobby.taken == 2
            for each in (seated, watching, *idle):
                each.abort()
                await each.close()

    run(story())


async def play(at: Table, guest: int) -> bytes:
    """Play a whole game with one guest; return the table id that this guest saw."""
    running = asyncio.create_task((await at.peer(guest)).run())
    await at.host.wait()
    await at.host.close()
    assert await running is TableEnding.CLOSED
    genesis = at.records[0].genesis
    assert genesis is not None
    return genesis.table_id


def test_somebody_in_between_fails_or_shows_another_safety_hand() -> None:
    """The relay has its own identity: it is a host to the guest, and a guest to the host."""

    async def story() -> None:
        async with table(2) as real, table(2, who=50) as relay:
            known = fingerprint(identity(0).public)
            with pytest.raises(NetError) as caught:
                await connect(["127.0.0.1"], relay.port, identity(1), fingerprint=known)
            assert caught.value.fault is NetFault.IDENTITY
            # A client without a fingerprint accepts the relay, but sees a table of its own.
            found = await probe(["127.0.0.1"], relay.port)
            assert found.host.identity == identity(50).public
            host_sees, guest_sees = await asyncio.gather(play(real, 50), play(relay, 1))
            assert safety_hand(host_sees) != safety_hand(guest_sees)

    run(story())


async def messages_handled(at: Table, who: int, message: messages.AtTable) -> int:
    """Send far more messages than a budget allows, over one new connection after the other.

    Return how many of them were handled.
    """
    runtime = at.host.runtime
    assert runtime is not None
    counted, told = 0, runtime._tell

    def count(given: inputs.NodeInput) -> None:
        nonlocal counted
        counted += isinstance(given, inputs.MessageReceived) and given.message == message
        told(given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(runtime, "_tell", count)
        for attempt in range(6):
            # A seat has one key. A stranger has a new one each time.
            channel = await at.channel(who if who < 50 else who + attempt)
            for _ in range(BEYOND):
                await say(channel, message)
            await asyncio.wait([asyncio.create_task(until_end(channel))], timeout=0.5)
            channel.abort()
            await channel.close()
    return counted


@pytest.mark.parametrize("seat", [True, False], ids=["seat", "new keys"])
def test_a_new_connection_renews_no_budget(seat: bool) -> None:
    async def story() -> None:
        slow = Ruleset(hand_size=20, turn_clock_s=60)
        async with table(2, rounds=None, ruleset=slow) as at:
            running = asyncio.create_task((await at.peer(1)).run())
            await until(lambda: len(at.host_records.entries) > 3)
            loop = asyncio.get_running_loop()
            began = loop.time()
            message: messages.AtTable = messages.Statements(()) if seat else messages.Fetch(0)
            handled = await messages_handled(at, 1 if seat else 60, message)
            seconds = loop.time() - began
            if seat:
                assert handled <= STEPS_BURST + STEPS_RATE * seconds + 6
                assert at.host.runtime is not None
                assert 1 in at.host.runtime.node._links.seats, "its honest connection stays"
            else:
                assert handled <= STRANGERS_BURST + STRANGERS_RATE * seconds + 6
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            await asyncio.wait([running])

    run(story())


def test_a_guest_sits_down_and_is_heard_while_others_use_up_the_turns() -> None:
    async def story() -> None:
        heard: list[str] = []

        def observe(event: object) -> None:
            if isinstance(event, ChatReceived):
                heard.append(event.text)

        async with table(3, observe=observe) as at:
            others = [await at.channel(60 + number) for number in range(MOST_STRANGERS)]
            for channel in others:
                for _ in range(BEYOND):
                    await say(channel, messages.Fetch(0))
            honest, mine = await at.channel(1), identity(1).public
            await say(honest, messages.Join(VERSION, "ana", bytes(32), mine, False, False))
            await hear(honest, messages.LobbyState)
            await say(honest, messages.Say("hello"))
            await until(lambda: heard == ["hello"])
            assert all(channel.open for channel in others), "they still wait for their turns"
            for channel in (honest, *others):
                channel.abort()
                await channel.close()

    run(story())


def test_an_identity_that_connects_again_and_again_is_refused() -> None:
    async def story() -> None:
        limits = Limits(connects=1e-6, connects_at_once=3)
        async with serving(limits) as (server, _):
            server.reserve([identity(1).public], [], lambda _: False)
            for _ in range(3):
                await (await connect(["127.0.0.1"], server.port, identity(1))).close()
            with pytest.raises(NetError) as caught:
                await connect(["127.0.0.1"], server.port, identity(1))
            assert caught.value.fault is NetFault.FULL
            await (await connect(["127.0.0.1"], server.port, identity(2))).close()

    run(story())


def test_a_guest_that_changes_its_mind_all_the_time_does_not_flood_the_others() -> None:
    """The attack: a message of 10 bytes made a host send 2 kB to each of 30, 200 times a second."""

    async def story() -> None:
        async with table(4) as at:
            loop = asyncio.get_running_loop()
            watching, flooding = await at.channel(1), await at.channel(2)
            await say(watching, messages.Watch(VERSION, "eve"))
            await hear(watching, messages.LobbyState)
            mine = identity(2).public
            await say(flooding, messages.Join(VERSION, "flood", bytes(32), mine, False, False))
            began = loop.time()
            for _ in range(STRANGERS_BURST):
                await say(flooding, messages.Ready(None))
            await say(flooding, messages.Say("over"))
            states = 0
            async for data in watching:
                message = from_host(data)
                states += isinstance(message, messages.LobbyState)
                if isinstance(message, messages.Said):
                    break
            assert states <= STATES_BURST + STATES_RATE * (loop.time() - began) + 1
            flooding.abort()
            left = False
            while not left:  # the newest state arrives, however late
                state = await hear(watching, messages.LobbyState)
                left = isinstance(state, messages.LobbyState) and len(state.seats) == 1
            await flooding.close()
            await watching.close()

    run(story())


def test_a_guest_that_takes_its_ready_back_has_seen_it_before() -> None:
    """Otherwise its window would go on showing it as ready: a signature may still be used."""

    async def story() -> None:
        async with table(4) as at:
            channel, me = await at.channel(2), identity(2)
            nonce = nonce_commitment(me.public, bytes(32))
            await say(channel, messages.Join(VERSION, "guest", nonce, me.public, False, False))
            for _ in range(STATES_BURST):
                await say(channel, messages.Ready(None))
            shown = await hear(channel, messages.LobbyState)
            assert isinstance(shown, messages.LobbyState)
            signature = sign_roster(room_roster(shown, channel.identity, None), me)
            await say(channel, messages.Ready(signature, shown.revision))
            await say(channel, messages.Ready(None))
            await say(channel, messages.Say("over"))
            ready = []
            async for data in channel:
                message = from_host(data)
                if isinstance(message, messages.LobbyState):
                    ready.append(message.seats[1].ready)
                elif isinstance(message, messages.Said):
                    break
            assert True in ready[:-1]
            assert not ready[-1]
            await channel.close()

    run(story())


def test_new_keys_in_the_free_seat_do_not_flood_the_chat() -> None:
    async def story() -> None:
        heard: list[ChatReceived] = []

        def observe(event: object) -> None:
            if isinstance(event, ChatReceived):
                heard.append(event)

        async with table(3, observe=observe) as at:
            loop = asyncio.get_running_loop()
            began = loop.time()
            for number in range(60, 70):
                channel = await at.channel(number)
                mine = identity(number).public
                await say(
                    channel,
                    messages.Join(VERSION, f"guest {number}", bytes(32), mine, False, False),
                )
                await hear(channel, messages.LobbyState)
                for line in range(CHAT_BURST):
                    await say(channel, messages.Say(f"line {line}"))
                await say(channel, messages.Ready(None))  # answered after the lines
                await hear(channel, messages.LobbyState)
                await channel.close()
                await until(lambda: at.host.lobby.taken == 1)
            seconds = loop.time() - began
            assert len(heard) <= ADDRESS_CHAT_BURST + ADDRESS_CHAT_RATE * seconds
            at.host.own_seat.send_chat("please stop")
            await until(lambda: heard[-1].text == "please stop")

    run(story())
