"""What a restarted program recovers of its table: evidence, or a closed log."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from msgspec.structs import replace

from lanuno.log.faults import Blame, Fault, HostFault
from lanuno.log.format import bodies
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import inputs, messages
from lanuno.table.node import Node
from lanuno.table.outputs import (
    AppendEntry,
    EntriesOnDisk,
    NodeStopped,
    Output,
    Send,
    StoreGenesis,
    SyncJournal,
    ViewChanged,
)
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.seat_outputs import submitted
from tests.harness.host_and_seats.small_table import (
    SECRETS,
    SmallTable,
    SmallTableSeat,
    turns,
    unlocking,
)
from tests.harness.log_table.log_table import identity
from tests.harness.node_world.watched_world import ended, finish, in_phase, started_world, until
from tests.harness.node_world.world import SimulatedNode, World
from tests.harness.replacing import replace_method


def _other(entry: Entry) -> Entry:
    """Return another entry with the same number, validly signed by the same host."""
    core = entry.read()
    return sign_entry(replace(core, ms=core.ms + 1), identity(0))


# ---- evidence -----------------------------------------------------------------------------------


def _stopped() -> tuple[SmallTable, SmallTableSeat, Blame]:
    """Return a seat that received two logs from its host, and the evidence that it stored."""
    table = SmallTable(3, 1).run(turns(1)).settle()
    place = table.seats[1]
    at = len(table.journal) - 3
    out = place.running.replica.receive(messages.Entries(at, (_other(table.journal[at]),)))
    [kept, stopped] = out
    assert isinstance(kept, AppendEntry)
    assert isinstance(stopped, NodeStopped)
    place.disk.entries.append(kept.entry)
    return table, place, stopped.blame


def test_a_node_with_stored_evidence_stops_again_and_stores_it_once() -> None:
    table, place, blame = _stopped()
    assert (blame.seat, blame.fault) == (0, Fault.EQUIVOCATION)
    held = list(place.running.replica.entries)
    table.kill(place)
    recovered = place.disk.recovered(table.genesis)
    again = one_seat(table.genesis, place.identity, bytes, recovered)
    assert again.replica.entries == held == table.journal, "the evidence is no part of the log"
    out = again.replica.begin()
    assert [type(each) for each in out] == [StoreGenesis, ViewChanged, NodeStopped]
    assert again.replica.stopped is not None
    assert again.replica.stopped.seat == 0
    assert again.replica.connected() == []
    assert not again.to_move
    for message in (messages.Entries(len(held), ()), messages.Said("p", 0, "hello")):
        assert again.replica.receive(message) == []
    assert again.leave() == []
    assert again.take_seat_again() == []
    assert again.listen(4711) == []


def test_a_log_that_breaks_before_its_last_entry_is_no_evidence() -> None:
    table, place, _ = _stopped()
    place.disk.entries.append(place.disk.entries[-2])
    with pytest.raises(HostFault):
        one_seat(table.genesis, place.identity, bytes, place.disk.recovered(table.genesis))


def _evidence_at(number: int) -> tuple[Node, Sequence[Output]]:
    """Restart a node with evidence against its host, which may be the node itself."""
    world = started_world(3)
    node = world.nodes[number]
    until(world, in_phase(node, ProtocolPhase.PLAY))
    until(world, lambda: len(node.disk.entries) > 30)
    world.crash(node)
    last = node.disk.entries[-1]
    core = last.read()
    lie = replace(core, ms=core.ms + 1)
    node.disk.entries.append(sign_entry(lie, world.nodes[0].config.identities[0]))
    recovered = node.disk.recovered(world.genesis)
    restarted = Node(world.genesis, node.config, recovered)
    restarted.step(inputs.LinkUp(1, 2 - number % 2), world.now)
    return restarted, restarted.step(inputs.NodeStarted(), world.now)


@pytest.mark.parametrize("number", [0, 1])
def test_a_node_that_kept_evidence_does_nothing(number: int) -> None:
    node, out = _evidence_at(number)
    assert any(isinstance(each, NodeStopped) for each in out)
    assert not any(isinstance(each, Send | AppendEntry) for each in out)
    assert node.over
    assert not node.hosts
    assert node.deadline is None
    assert node.step(inputs.MessageReceived(1, messages.HostIs(4, 2)), 1e6) == []
    assert node.step(inputs.TimePassed(), 1e6) == []


# ---- a log that is closed -----------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1])
def test_a_node_restarted_after_the_end_is_at_the_end(number: int) -> None:
    world = started_world(3)
    closed = finish(world)
    one = world.nodes[number]
    log = list(one.disk.entries)
    world.crash(one)
    world.restart(one)
    assert one.running.over
    assert one.running.replay.closed is closed
    before = world.now
    world.run(lambda: world.now > before + 30, most=before + 31)
    assert one.disk.entries == log
    assert one.running.hosts is (number == 0), "for nodes that do not have the close"
    assert not one.running.main_session.to_move


def test_a_node_that_was_away_at_the_end_gets_it_from_the_host_that_closed() -> None:
    world = started_world(3)
    guest = world.nodes[2]
    until(world, in_phase(guest, ProtocolPhase.REVEAL))
    world.crash(guest)
    until(world, ended(world, 0, 1))
    world.restart(guest)
    until(world, ended(world, 2))
    assert guest.disk.entries == world.nodes[0].disk.entries or guest.disk.aside


# ---- what is final -------------------------------------------------------------------------------


def test_nothing_is_final_after_a_start_until_all_have_acknowledged_it() -> None:
    table = SmallTable(3, 1).run(unlocking)
    place = table.seats[1]
    assert place.running.replica.final_count > 0
    table.kill(place)
    me = table.restart(place)
    assert me.replica.final_count == 0
    me.replica.connected()
    count = me.replay.seq
    out = me.replica.receive(messages.Entries(count, tuple(table.journal[count:])))
    out += me.replica.receive(messages.Entries(me.replay.seq, ()))
    assert me.replica.caught_up
    assert not [each for each in submitted(out) if isinstance(each.payload, SECRETS)]
    told = me.replica.certified(me.replay.seq)
    assert me.replica.final_count == me.replay.seq
    assert not submitted(told), "nor for what is not on its own disk"
    told = me.replica.synced(next(each for each in reversed(out) if isinstance(each, SyncJournal)))
    assert [each for each in submitted(told) if isinstance(each.payload, SECRETS)]
    me.replica.certified(3)
    assert me.replica.final_count == me.replay.seq, "it never falls"


def test_what_was_flushed_before_a_start_is_acknowledged_only_when_flushed_again() -> None:
    """The program cannot know what its predecessor had flushed to the disk."""
    table = SmallTable(3, 1).run(turns(1)).settle()
    place = table.seats[1]
    table.kill(place)
    me = table.restart(place)
    me.replica.connected()
    out = me.replica.receive(messages.Entries(me.replay.seq, ()))
    assert not [each for each in out if isinstance(each, EntriesOnDisk)]
    place.syncs.clear()
    table.do(place, out)
    [done] = place.syncs
    assert done.count == me.replay.seq
    assert EntriesOnDisk(me.replay.seq) in me.replica.synced(done)


def _dies_behind_its_close(world: World, host: SimulatedNode) -> None:
    """Kill the host's program once the close is in its journal, before any node receives it."""
    carry_out = world._carry_out

    def carry(node: SimulatedNode, output: Output) -> None:
        carry_out(node, output)
        if node is host and isinstance(output, AppendEntry) and _is_close(output.entry):
            world.crash(host)

    replace_method(world, "_carry_out", carry)


def _is_close(entry: Entry) -> bool:
    return isinstance(entry.read().signed_body.read().payload, bodies.Close)


@pytest.mark.parametrize("owners", [2, 3])
def test_an_unsent_close_is_sent_after_a_restart_or_replaced_by_another(owners: int) -> None:
    world = started_world(owners)
    host = world.nodes[0]
    _dies_behind_its_close(world, host)
    until(world, lambda: bool(host.disk.entries) and _is_close(host.disk.entries[-1]))
    assert host.program is None
    assert not ended(world, *range(1, owners))()
    world.after(1.0, lambda: world.restart(host))
    finish(world)
    assert host.running.replay.term == 0


def test_a_dropped_node_gets_the_end_from_a_restarted_host() -> None:
    world = started_world(3)
    host, _, away = world.nodes
    until(world, in_phase(away, ProtocolPhase.PLAY))
    world.crash(away)
    until(world, ended(world, 0, 1))
    assert 2 in host.running.replay.dropped
    world.crash(host)
    world.restart(host)
    world.restart(away)
    finish(world)
