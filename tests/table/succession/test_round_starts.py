"""No node reads a whole log while others wait, neither in an election nor after one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from msgspec.structs import replace

from lanuno.log.format.chain import Chain
from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import inputs, messages
from lanuno.table.succession import round_starts
from lanuno.table.succession.round_starts import RoundStarts
from tests.harness.log_table.replaying import replayed
from tests.harness.node_world.watched_world import QUICK, finish, in_phase, until
from tests.harness.node_world.world import World

ROUNDS = 4


@contextmanager
def reading(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """Record the number of every entry that any node reads meanwhile."""
    numbers: list[int] = []
    follow = Replay.follow

    def counted(replay: Replay, entry: Entry, *, trusted: bool = False) -> list[LogEvent]:
        numbers.append(replay.seq)
        return follow(replay, entry, trusted=trusted)

    with monkeypatch.context() as patch:
        patch.setattr(Replay, "follow", counted)
        yield numbers


def _in_last_round(owners: int, *, bots: int = 0) -> World:
    world = World(owners, 1, bots=[0] * bots, ruleset=QUICK, rounds=ROUNDS)
    world.start()
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY, ROUNDS))
    return world


def test_a_new_host_reads_no_finished_round_again(monkeypatch: pytest.MonkeyPatch) -> None:
    world = _in_last_round(3)
    guests = world.nodes[1:]
    opened = min(
        guest.running.replica.starts.last(guest.running.replay.seq).replay.seq for guest in guests
    )
    assert opened > 100
    world.crash(world.nodes[0])
    with reading(monkeypatch) as numbers:
        until(world, lambda: all(guest.running.replay.term > 0 for guest in guests))
    assert numbers
    assert min(numbers) >= opened
    world.restart(world.nodes[0])
    finish(world)


def test_a_node_that_abandons_a_fork_reads_no_finished_round_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The old host holds entries that no other node has, and returns after the election."""
    world = _in_last_round(3, bots=1)
    old, others = world.nodes[0], world.nodes[1:]
    opened = old.running.replica.starts.last(old.running.replay.seq).replay.seq
    for other in others:
        world.block(old, other)
    until(world, lambda: all(other.running.replay.term > 0 for other in others))
    with reading(monkeypatch) as numbers:
        world.unblock_all()
        until(world, lambda: old.running.replay.term > 0)
    assert min(numbers) >= opened
    finish(world)


def test_the_log_behind_any_entry_is_what_its_beginning_says() -> None:
    world = _in_last_round(2)
    finish(world)
    session = world.nodes[1].running.main_session
    for count in range(0, len(session.replica.entries) + 1, 9):
        replay = session.replica.starts.behind(session.replica.entries, count)
        whole = replayed(session.replay.genesis, session.replica.entries[:count])
        assert (replay.seq, replay.head, replay.state()) == (whole.seq, whole.head, whole.state())
        assert list(replay.hashes) == list(whole.hashes)


def test_few_starts_are_remembered() -> None:
    world = _in_last_round(2)
    finish(world)
    entries, starts = world.nodes[1].running.replica.entries, RoundStarts(world.genesis)
    replay = Replay(world.genesis)
    for entry in entries:
        starts.note(replay, replay.follow(entry, trusted=True), 0, replay.seq)
    opened = starts.last(replay.seq).replay
    assert opened.number == ROUNDS
    assert starts.last(opened.seq - 1).replay.seq == 0, "nobody goes back behind it"
    starts.give_up(opened.seq - 1)
    assert starts.last(replay.seq).replay.seq == 0
    assert starts.behind(entries, 5).seq == 5


def test_a_waiting_message_does_not_search_the_log(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A host may send `Waiting` 400 times a second; with 50,000 entries each one took 20 ms."""
    world = World(4, 1, ruleset=replace(QUICK, grace_first_s=1, grace_total_s=1))
    world.start()
    node = world.nodes[1].running
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    world.crash(world.nodes[3])
    until(world, lambda: node.replay.round is not None and bool(node.replay.round.recovering))

    def looks(_chain: Chain, _place: object) -> None:
        raise AssertionError("entry after entry")

    monkeypatch.setattr(Chain, "__getitem__", looks)
    said = messages.Waiting((3,), 1_000)
    assert node.host_link is not None
    node.step(inputs.MessageReceived(node.host_link, said), world.now)


def test_no_host_fills_a_memory_with_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """It opens round after round and calls nothing final; one round start takes 200 KB."""
    world = _in_last_round(2)
    finish(world)
    entries, starts = world.nodes[1].running.replica.entries, RoundStarts(world.genesis)
    monkeypatch.setattr(round_starts, "MOST_ROUND_STARTS", 2)
    replay = Replay(world.genesis)
    for entry in entries:
        starts.note(replay, replay.follow(entry, trusted=True), 0, 0)
    newest = starts.last(replay.seq).replay
    before = starts.last(newest.seq - 1).replay
    assert (newest.number, before.number) == (ROUNDS, ROUNDS - 1)
    assert starts.last(before.seq - 1).replay.seq == 0
    for count in (before.seq - 1, newest.seq + 1):
        whole = replayed(world.genesis, entries[:count])
        assert starts.behind(entries, count).state() == whole.state()
