"""A node at a table opened by another: failures, ends and invalid messages, over real sockets."""

from __future__ import annotations

import asyncio
import socket
import sys
from contextlib import suppress

import pytest

from lanuno.log.faults import AuditVerdict
from lanuno.net.errors import NetError, NetFault
from lanuno.net.runtime import lobby_guest
from lanuno.net.runtime.config import PlayedSeat, RuntimeConfig
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.lobby_guest import LobbyGuest, open_runtime
from lanuno.net.runtime.message_budget import STEPS_BURST, STEPS_RATE
from lanuno.net.runtime.prove_pin import prove_pin
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.net.transport.listener import listen
from lanuno.rules.presets import PRESETS
from lanuno.table.lobby.peer import Seating
from lanuno.table.messages import LobbyPhase, LobbyRefusal, LobbyState, Said, to_bytes
from lanuno.table.metadata import TableMetadata
from tests.harness.log_table.log_table import identity as seat_identity
from tests.harness.log_table.log_table import new_table
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import (
    LOBBY,
    DiskFull,
    Memory,
    failing,
    identity,
    runtime_config,
    table,
)
from tests.net.loopback_network import Here


@pytest.mark.parametrize("kind", ["begin", "entry", "secret", "body"])
def test_a_guest_that_cannot_store_something_ends(kind: str) -> None:
    async def story() -> None:
        number = 0 if kind == "begin" else 3
        async with table(2) as at:
            peer = await at.peer(1, Memory(failing(kind, number)))
            with pytest.raises(DiskFull, match=kind):
                await peer.run()
            assert peer.ending is TableEnding.FAILED
            assert at.records[0].closed == 1
            await at.host.wait()
            report = at.host_records.report
            assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
            assert report.winners == (0,)

    run(story())


class Mistake(Exception):
    """A simulated bug."""


def test_an_error_while_the_runtime_is_opened_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        async def mistaken(*_: object, **__: object) -> None:
            raise Mistake

        monkeypatch.setattr(lobby_guest, "open_runtime", mistaken)
        async with table(2) as at:
            peer = await at.peer(1)
            with pytest.raises(Mistake):
                await peer.run()
            assert at.records[0].closed == 1

    run(story())


def test_a_guest_that_leaves_the_lobby_frees_its_seat() -> None:
    async def story() -> None:
        async with table(3) as at:
            peer = await at.peer(1)
            running = asyncio.create_task(peer.run())
            await until(lambda: at.host.lobby.taken == 2)
            await peer.leave()
            assert await running is TableEnding.LOST
            await until(lambda: at.host.lobby.taken == 1)

    run(story())


def test_a_guest_reads_no_more_from_its_host_than_from_a_player() -> None:
    async def flood(channel: Channel) -> None:
        state = to_bytes(
            LobbyState(LOBBY, "table", LobbyPhase.OPEN, PRESETS["classic"], 4, (), watching=0)
        )
        with suppress(NetError):
            while channel.open:
                if channel._wire.backlog < 100_000:
                    channel.send(state)
                else:
                    await asyncio.sleep(0)

    async def story() -> None:
        seen, loop = list[object](), asyncio.get_running_loop()
        async with await listen(identity(66), LOBBY, flood, hosts=("127.0.0.1",), port=0) as host:
            channel = await connect(["127.0.0.1"], host.port, identity(1))
            seating = Seating(name="guest", lobby=LOBBY, host=channel.identity, auto_ready=False)
            config = runtime_config(Memory(), 1)
            began = loop.time()
            guest = LobbyGuest(channel, identity(1), seating, config, seen.append)
            running = asyncio.create_task(guest.run())
            await until(lambda: len(seen) >= STEPS_BURST + STEPS_RATE)
            assert len(seen) <= STEPS_BURST + STEPS_RATE * (loop.time() - began) + 1
            assert channel.paused, "the rest waits at the host"
            await guest.leave()
            await running

    run(story())


def test_a_guest_does_not_wait_for_a_host_that_never_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lobby_guest, "ANSWER_SECONDS", 0.1)

    async def chat(channel: Channel) -> None:
        with suppress(NetError):
            async for _ in channel:
                channel.send(to_bytes(Said("host", 0, "wait")))

    async def story() -> None:
        async with await listen(identity(66), LOBBY, chat, hosts=("127.0.0.1",), port=0) as host:
            channel = await connect(["127.0.0.1"], host.port, identity(1))
            seating = Seating(name="guest", lobby=LOBBY, host=channel.identity)
            guest = LobbyGuest(
                channel, identity(1), seating, runtime_config(Memory(), 1), lambda event: None
            )
            assert await guest.run() is TableEnding.LOST
            assert guest.connection_error is not None
            assert guest.connection_error.fault is NetFault.TIMEOUT

    run(story())


def test_a_cancelled_guest_does_not_wait() -> None:
    async def story() -> None:
        async with table(2) as at:
            running = asyncio.create_task((await at.peer(1)).run())
            await until(lambda: len(at.host_records.entries) > 3)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert at.records[0].closed == 1

    run(story())


def test_a_spectator_in_the_lobby_gets_the_whole_log() -> None:
    async def story() -> None:
        async with table(2) as at:
            spectator = await at.peer(9, watch=True)
            watching = asyncio.create_task(spectator.run())
            await until(lambda: bool(at.host.lobby.watching))
            await at.play(1)
            assert await watching in (TableEnding.CLOSED, TableEnding.LOST)
            assert at.records[0].entries == at.host_records.entries
            assert "secret" not in at.records[0].counts

    run(story())


def test_an_unreadable_message_of_the_host_ends_the_guest() -> None:
    async def story() -> None:
        async with table(3) as at:
            peer = await at.peer(1)
            running = asyncio.create_task(peer.run())
            await until(lambda: at.host.lobby.taken == 2)
            (guest,) = at.host._guests.values()
            guest.send(b"\xc1")
            assert await running is TableEnding.LOST
            assert peer.connection_error is not None
            assert peer.connection_error.fault.value == "protocol"

    run(story())


def test_a_refused_guest_knows_why() -> None:
    async def story() -> None:
        async with table(3, pin="q7") as at:
            guest = await at.peer(1)
            assert await guest.run() is TableEnding.TURNED_AWAY
            assert (guest.ending, guest.refusal) == (
                TableEnding.TURNED_AWAY,
                LobbyRefusal.WRONG_PIN,
            )
            assert guest.runtime is None
            assert at.records[0].closed == 1

    run(story())


def test_a_guest_keeps_the_terms_of_the_lobby() -> None:
    """It needs them to host the table again after a succession."""

    async def story() -> None:
        async with table(2, pin="q7", rounds=1) as at:
            channel = await at.channel(1)
            assert await prove_pin(channel, identity(1).public, "q7") is None
            seating = Seating(name="guest", lobby=LOBBY, host=channel.identity, pin="q7")
            config = runtime_config(Memory(), 1)
            guest = LobbyGuest(channel, identity(1), seating, config, lambda event: None)
            [running] = await at.sit_down(guest)
            await at.host.wait()
            await at.host.close()
            assert await running is TableEnding.CLOSED
            assert guest.runtime is not None
            kept = guest.runtime.metadata
            assert (kept.name, kept.pin, kept.rounds, kept.spectators) == ("table", "q7", 1, True)

    run(story())


def configured() -> RuntimeConfig:
    """Return the configuration of player 1 of a `new_table`."""
    config = runtime_config(Memory(), 1, network=Here())
    config.seats = (PlayedSeat(seat_identity(1), None),)
    return config


@pytest.mark.parametrize("taken", [False, True])
def test_a_node_listens_on_its_previous_port_if_it_is_free(taken: bool) -> None:
    """The other nodes try that port first."""

    async def story() -> None:
        with socket.socket() as sock:
            # A bound socket that does not listen leaves the port to the node, and to nobody else.
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind(("127.0.0.1", 0))
            port = sock.getsockname()[1]
            if taken:
                sock.listen()
            elif sys.platform == "win32":
                sock.close()
            config = configured()
            config.metadata = TableMetadata(port=port)
            runtime = await open_runtime(
                new_table(2).genesis, seat_identity(1), config, lambda event: None
            )
            assert config.listener is not None
            assert (config.listener.port == port) is not taken
            assert runtime.metadata.port == config.listener.port
            await runtime.shut_down()

    run(story())


def test_a_port_that_was_asked_for_is_not_replaced() -> None:
    async def story() -> None:
        with socket.socket() as sock:
            sock.bind(("127.0.0.1", 0))
            sock.listen()
            config = configured()
            config.port = sock.getsockname()[1]
            with pytest.raises(NetError) as caught:
                await open_runtime(
                    new_table(2).genesis, seat_identity(1), config, lambda event: None
                )
            assert caught.value.fault is NetFault.PORT

    run(story())


def test_a_spectator_does_not_listen() -> None:
    async def story() -> None:
        config = runtime_config(Memory(), 1, watch=True, network=Here())
        runtime = await open_runtime(
            new_table(2).genesis, identity(1), config, lambda event: None, watch=True
        )
        assert (config.listener, config.admission) == (None, None)
        await runtime.shut_down()

    run(story())
