"""One node at a table in progress, over real sockets: its work, its disk and its connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import VERSION
from lanuno.net.errors import Goodbye
from lanuno.net.runtime.endings import TableEnding
from lanuno.net.runtime.node_runtime import ADDRESS_SAVES_BURST, NodeRuntime
from lanuno.rules.engine.actions import Draw
from lanuno.table import inputs, messages, outputs
from lanuno.table.errors import TableError
from lanuno.table.inputs import NodeInput
from lanuno.table.messages import Began, Reaction
from lanuno.table.metadata import TableMetadata
from lanuno.table.node import Node
from lanuno.table.outputs import NodeOutput
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.sockets.running import run, until
from tests.harness.sockets.tables import Memory, Table, player, table
from tests.net.spectator_clients import SpectatorClient, connect_from
from tests.net.succession import PATIENT, Held, settle


class Mistake(Exception):
    """A simulated bug."""


def broken(*_: object) -> Callable[[], object]:
    def work() -> object:
        raise Mistake

    return work


def test_an_error_of_work_on_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        monkeypatch.setattr(SeatKeys, "pass_work", broken)
        async with table(2) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            with pytest.raises(Mistake):
                await at.host.wait()
            await at.host.close()
            assert await asyncio.wait_for(asyncio.shield(peer), 60) is TableEnding.LOST

    run(story())


def test_nothing_is_done_after_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that ends on its thread after the node was closed has no effect."""
    at_work, go_on = asyncio.Event(), asyncio.Event()

    async def slowly(work: Callable[..., object], *given: object) -> object:
        if isinstance(getattr(work, "__self__", None), Memory | NodeRuntime):
            return work(*given)  # nothing is sent to the other node before it is on disk
        at_work.set()
        try:
            await go_on.wait()
        except asyncio.CancelledError:
            return work()
        raise AssertionError

    async def story() -> None:
        monkeypatch.setattr(asyncio, "to_thread", slowly)
        async with table(2) as at:
            peer = asyncio.create_task((await at.peer(1)).run())
            await at_work.wait()
            at.host.stop()
            await at.host.wait()
            await at.host.close()
            assert await peer is TableEnding.CLOSED
            kept = dict(at.host_records.counts)
        assert at.host_records.counts == kept

    run(story())


@dataclass
class InPlay:
    """A table of two in the middle of a round, at which the host has the turn."""

    at: Table
    host: NodeRuntime
    guest: NodeRuntime
    running: asyncio.Task[TableEnding]


Save = Callable[[bytes, TableMetadata], None]


@asynccontextmanager
async def in_play(save: Save | None = None) -> AsyncIterator[InPlay]:
    """Play up to a decision of the host's seat. `save` stores the host's metadata."""
    own = Held(player(0))
    async with table(2, ruleset=PATIENT, decides=own) as at:
        at.host._config.save_metadata = save
        guest = await at.peer(1)
        [running] = await at.sit_down(guest)
        await until(lambda: at.host.runtime is not None)
        host = at.host.runtime
        assert host is not None
        await until(lambda: guest.runtime is not None)
        there = guest.runtime
        assert there is not None
        await settle(host, there)
        try:
            yield InPlay(at, host, there, running)
        finally:
            running.cancel()
            await asyncio.wait((running,))


async def stranger(at: Table) -> SpectatorClient:
    """Return a connection of an identity without a seat, on which nothing was sent."""
    me = Identity.from_seed(b"e" * 32)
    return SpectatorClient(await connect_from("127.0.0.1", at.port, me), me.public)


def test_only_an_action_that_the_rules_allow_reaches_the_log() -> None:
    async def story() -> None:
        async with in_play() as at:
            log = at.at.host_records.entries
            before = len(log)
            with pytest.raises(TableError):
                at.guest.act(Draw())
            assert (at.guest.failure, at.guest.ending) == (None, None), "a refusal is no failure"
            seen = at.host.seat_session.view()
            assert seen is not None
            allowed = seen.legal[0]  # not always a Draw: the first card may ask for a colour
            at.host.act(allowed)
            await until(lambda: len(log) > before)
            signed = log[before].read().signed_body.read()
            assert (signed.author, signed.payload.action) == (0, allowed)  # type: ignore[union-attr]

    run(story())


def test_a_message_of_a_connection_that_has_ended_is_not_read() -> None:
    async def story() -> None:
        async with in_play() as at:
            link = max(at.host._connections) + 1
            assert await at.host.take(link, b"\xc1") is Goodbye.DONE

    run(story())


@pytest.mark.parametrize("data", [b"\xc1", b"\x90", b"\x91\x63"])
def test_an_unreadable_message_ends_a_connection_and_not_the_table(data: bytes) -> None:
    async def story() -> None:
        async with in_play() as at:
            eve = await stranger(at.at)
            eve.channel.send(data)
            await eve.until_end()
            assert eve.channel.end is Goodbye.PROTOCOL
            await eve.close()
            assert (at.host.ending, at.host.failure) == (None, None)
            assert 1 in at.host.node._links.seats

    run(story())


def test_a_stranger_has_no_part_in_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages that only players may send do not reach the node, and are not answered."""
    received: list[object] = []

    def noted(node: Node, given: NodeInput, now: float) -> list[NodeOutput]:
        if isinstance(given, inputs.MessageReceived):
            received.append(given.message)
        return step(node, given, now)

    step = Node.step
    monkeypatch.setattr(Node, "step", noted)

    async def story() -> None:
        async with in_play() as at:
            eve = await stranger(at.at)
            before = len(at.at.events)
            sent = (
                messages.React(Reaction.WOW),
                messages.RequestLog(0),
                messages.Statements(()),
                messages.RequestVote(True, 9, 9, 10_000, bytes(32)),
                messages.TransferHost(9, 1),
            )
            for message in sent:
                eve.channel.send(messages.to_bytes(message))
            # All answers to the messages so far would arrive before the answer to this one.
            eve.say(messages.Watch(VERSION, "Eve"))
            assert isinstance(await eve.hear(), Began)
            # Messages of the players may arrive meanwhile.
            assert messages.Watch(VERSION, "Eve") in received
            assert [each for each in received if each in sent] == []
            shown = [type(each) for each in at.at.events[before:]]
            assert outputs.ReactionSeen not in shown
            await eve.close()

    run(story())


def test_metadata_are_saved_at_the_start_and_after_each_change() -> None:
    saved: list[tuple[bytes, TableMetadata]] = []

    async def story() -> None:
        async with in_play(lambda table, metadata: saved.append((table, metadata))) as at:
            tables = {each for each, _ in saved}
            assert tables == {at.host.node.replay.genesis.table_id}
            _, first = saved[0]
            assert (first.name, first.port, first.spectators) == ("table", at.at.port, True)
            at.host.allow_spectators(False)
            await at.host.finish_writing()
            assert saved[-1][1].spectators is False
            assert saved[-1][1] == at.host.metadata
            assert saved[0][1] == first, "what was saved does not change afterwards"

    run(story())


def test_a_host_that_always_reports_other_addresses_fills_no_disk() -> None:
    """The attack: each report made a guest write a file and wait for its disk, 400 times a second.

    A guest whose disk takes 10 ms for that does nothing else, and counts as silent.
    """
    saved: list[TableMetadata] = []

    async def story() -> None:
        async with in_play() as at:
            guest = at.guest
            guest._config.save_metadata = lambda _table, metadata: saved.append(metadata)
            host = guest.node.host_link
            assert host is not None
            for number in range(1, 201):
                told = messages.PeerAddress(0, f"192.168.7.{number}", 4747)
                guest.receive(host, messages.PeerAddresses((told,)))
                await guest.finish_writing()
            assert guest.failure is None
            assert saved[0].places[0].address == "192.168.7.1"

    run(story())
    assert len(saved) <= ADDRESS_SAVES_BURST + 1


def test_metadata_that_cannot_be_saved_stop_the_node() -> None:
    def fail(_table: bytes, metadata: TableMetadata) -> None:
        if not metadata.spectators:
            raise OSError("disk full")

    async def story() -> None:
        async with in_play(fail) as at:
            at.host.allow_spectators(False)
            await at.host.finish_writing()
            assert at.host.ending is TableEnding.FAILED
            with pytest.raises(OSError, match="disk full"):
                await at.at.host.wait()

    run(story())


def test_a_node_gives_up_after_the_search_deadline() -> None:
    async def story() -> None:
        own = Held(player(0))
        async with table(2, ruleset=PATIENT, decides=own) as at:
            guest = await at.peer(1)
            guest._config.search_seconds = 0.05
            [running] = await at.sit_down(guest)
            await until(lambda: guest.runtime is not None and guest.runtime.node.in_contact)
            assert guest.runtime is not None
            assert not guest.runtime.hostless.is_set()
            # The guest would connect to the host again if the host still listened.
            assert at.host.listener is not None
            await at.host.listener.close()
            assert await running is TableEnding.LOST
            assert guest.runtime.hostless.is_set()

    run(story())
