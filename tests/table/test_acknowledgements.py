"""Acknowledgements: which ones count, what they certify, and to whom they are passed on."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from msgspec.structs import replace

from lanuno.dealing.hashing import H
from lanuno.log.format.bodies import CloseReason, DropReason, Return
from lanuno.log.format.statements import Acknowledgement, SignedStatement, sign_statement
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import SeatDropped, SeatReturned
from lanuno.rules.ruleset import Ruleset
from lanuno.table.acknowledgements import PASS_ON_SECONDS, Acknowledgements
from lanuno.table.host.clocks import Pace
from lanuno.table.messages import AtTable, Statements, Submit
from tests.harness.adversaries.lying_nodes import LyingNode
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.node_world.watched_world import finish, started_world, until
from tests.harness.node_world.world import SimulatedNode, World

LINK, NOW = 7, 100.0


def signed(replay: Replay, owner: int, count: int) -> SignedStatement:
    """Return what an honest owner signs."""
    made = Acknowledgements().sign(replay, owner, identity(owner), count, NOW)
    assert made is not None
    return made


@pytest.fixture
def table() -> LogTable:
    return new_table(3).run(lambda each: each.replay.seq == 12)


def test_entries_are_certified_once_every_owner_has_acknowledged_them(table: LogTable) -> None:
    known = Acknowledgements()
    assert known.sign(table.replay, 0, identity(0), 12, NOW) is not None
    assert known.take(table.replay, LINK, signed(table.replay, 1, 9), NOW)
    assert known.certified(table.replay) == 0
    assert known.take(table.replay, LINK, signed(table.replay, 2, 11), NOW)
    assert known.certified(table.replay) == 9
    table.drop(1, DropReason.LOST)
    assert known.certified(table.replay) == 11, "who was dropped delays nothing"


def test_a_newer_acknowledgement_counts_once_the_log_has_its_entry(table: LogTable) -> None:
    """Until then the older one counts, and is passed on. One of another log never does."""
    known, behind = Acknowledgements(), new_table(3).run(lambda each: each.replay.seq == 10)
    older, newer = signed(table.replay, 1, 9), signed(table.replay, 1, 12)
    for each in (older, newer):
        known.take(behind.replay, LINK, each, NOW)
    known.update(behind.replay, NOW)
    assert known.count_of(behind.replay, 1) == 9
    assert known.unexchanged(behind.replay, 8) == (older,)
    known.update(table.replay, NOW)
    assert known.count_of(table.replay, 1) == 12
    assert known.unexchanged(table.replay, 8) == (newer,)
    forked = behind.fork(8).run(lambda each: each.replay.seq == 8)
    assert known.count_of(forked.replay, 1) == 0


def test_whoever_signs_for_what_nobody_has_keeps_nobody_from_what_counts(table: LogTable) -> None:
    known, true = Acknowledgements(), signed(table.replay, 1, 9)
    said = replace(true.read(), count=2**31, head=H("nothing"))
    assert known.take(table.replay, LINK, sign_statement(said, identity(1)), NOW)
    assert known.take(table.replay, 8, true, NOW)
    assert known.take(table.replay, LINK, signed(table.replay, 1, 10), NOW)
    assert known.count_of(table.replay, 1) == 10
    assert known.unexchanged(table.replay, 8) == (signed(table.replay, 1, 10),)


def test_a_message_costs_no_check_for_each_of_many_statements(table: LogTable) -> None:
    known, many = Acknowledgements(), [signed(table.replay, 1, count) for count in range(3, 10)]
    known.receive(table.replay, LINK, many, NOW)
    assert known.count_of(table.replay, 1) == 4, "two of one author, and no more"
    broken = SignedStatement(many[-1].statement, bytes(64))
    known.receive(table.replay, LINK, [broken, signed(table.replay, 2, 9)], NOW)
    assert (known.count_of(table.replay, 1), known.count_of(table.replay, 2)) == (4, 0)


def test_an_owner_that_was_dropped_is_heard_before_its_return_is_known(table: LogTable) -> None:
    table.drop(1, DropReason.LOST)
    known, behind = Acknowledgements(), table.fork()
    table.add(1, Return())
    known.take(behind.replay, LINK, signed(table.replay, 1, 14), NOW)
    behind = table.fork()
    known.update(behind.replay, NOW)
    assert known.count_of(behind.replay, 1) == 14


def test_a_new_term_needs_new_acknowledgements(table: LogTable) -> None:
    known = Acknowledgements()
    known.take(table.replay, LINK, signed(table.replay, 1, 12), NOW)
    elect(table, 2, 1, 1, 2)
    assert known.count_of(table.replay, 1) == 0
    assert known.sign(table.replay, 0, identity(0), 12, NOW) is None
    known.take(table.replay, LINK, signed(table.replay, 1, 13), NOW)
    assert known.count_of(table.replay, 1) == 13


def test_only_owners_acknowledge_and_only_for_themselves(table: LogTable) -> None:
    known, honest = Acknowledgements(), signed(table.replay, 1, 9).read()
    assert isinstance(honest, Acknowledgement)
    for said, by in (
        (honest, 2),
        (replace(honest, table=H("another")), 1),
        (replace(honest, author=3), 3),
    ):
        assert known.take(table.replay, LINK, sign_statement(said, identity(by)), NOW) is None
    assert known.take(table.replay, LINK, SignedStatement(b"", bytes(64)), NOW) is None
    for wrong in (replace(honest, elected=H("another")), replace(honest, count=10)):
        of_one = Acknowledgements()
        of_one.take(table.replay, LINK, sign_statement(wrong, identity(1)), NOW)
        assert of_one.count_of(table.replay, 1) == 0


def test_an_owner_signs_no_less_than_before_and_the_same_bytes_again(table: LogTable) -> None:
    known = Acknowledgements()
    first = known.sign(table.replay, 0, identity(0), 9, NOW)
    assert first is not None
    assert known.sign(table.replay, 0, identity(0), 9, NOW) == first
    assert known.sign(table.replay, 0, identity(0), 8, NOW) is None


def test_a_link_carries_each_statement_once_in_either_direction(table: LogTable) -> None:
    known = Acknowledgements()
    own = known.sign(table.replay, 0, identity(0), 9, NOW)
    assert own is not None
    assert known.pass_on_at == NOW + PASS_ON_SECONDS
    known.note_sent(LINK, 0, own)
    heard = signed(table.replay, 1, 9)
    known.take(table.replay, LINK, heard, NOW)
    assert known.unexchanged(table.replay, LINK) == ()
    assert known.unexchanged(table.replay, 8) == (own, heard)
    assert known.unexchanged(table.replay, 8) == ()
    known.drop_link(8)
    assert known.unexchanged(table.replay, 8) == (own, heard)


def test_acknowledgements_are_passed_on_where_two_owners_have_no_link() -> None:
    world = started_world(4)
    world.block(world.nodes[1], world.nodes[2])
    assert finish(world) is CloseReason.STOPPED
    assert 2 not in world.nodes[1].running._links.seats
    until(
        world,
        lambda: all(each.running.certified == each.running.replay.seq for each in world.nodes),
    )


class Mute(LyingNode):
    """An owner that sends nothing of one kind, or no acknowledgements of its own."""

    def __init__(self, kind: type[AtTable]) -> None:
        super().__init__(f"no {kind.__name__}", Random(1))
        self._kind = kind

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> list[AtTable]:
        if not isinstance(message, self._kind):
            return [message]
        if not isinstance(message, Statements):
            return []
        others = tuple(each for each in message.signed if each.read().author != node.number)
        return [Statements(others)] if others else []


def table_with(liar: LyingNode) -> World:
    """Start a table with three honest owners, and a liar at seat 1."""
    rules = Ruleset(hand_size=3, grace_first_s=60, grace_total_s=180)
    world = World(4, 5, ruleset=rules, rounds=3)
    world.all_found = True
    world.nodes[1].adversary = liar
    world.start()
    return world


def test_a_guest_that_acknowledges_nothing_delays_a_match_by_its_grace_time() -> None:
    """It takes its seat back again and again, and is waited for 5 s each time after that."""
    world = table_with(Mute(Statements))
    host = world.nodes[0].running
    assert world.run(lambda: host.replay.closed is not None, most=180 + 100)
    assert host.replay.closed is CloseReason.STOPPED
    came_and_went = [
        (at, type(event))
        for at, node, event in world.events
        if node == 0 and isinstance(event, SeatDropped | SeatReturned)
    ]
    waits = [
        dropped - returned
        for (returned, kind), (dropped, _) in pairwise(came_and_went)
        if kind is SeatReturned
    ]
    assert sum(waits[:2]) > 60
    assert waits[3:], "it came back after its grace time was used up"
    assert max(waits[3:]) < Pace().step + 1


class WithholdingHost(LyingNode):
    """A host that passes on no acknowledgements but its own."""

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> list[AtTable]:
        if not isinstance(message, Statements):
            return [message]
        own = tuple(each for each in message.signed if each.read().author == node.number)
        return [Statements(own)] if own else []


def test_a_host_that_withholds_acknowledgements_makes_nobody_late() -> None:
    world = World(4, 5, ruleset=Ruleset(hand_size=3), rounds=1)
    world.all_found = True
    world.nodes[0].adversary = WithholdingHost("withholds", Random(1))
    world.start()
    assert finish(world, 1, 2, 3) is CloseReason.STOPPED
    assert not world.nodes[1].running.replay.dropped


def test_an_owner_that_is_dropped_still_acknowledges_that_it_was() -> None:
    """Until a majority of the owners before has the drop, nobody else may be dropped."""
    world = table_with(Mute(Submit))
    world.run(lambda: False, most=64.5)
    world.crash(world.nodes[3])
    host = world.nodes[0].running
    assert world.run(lambda: host.replay.closed is not None, most=200)
    assert host.replay.dropped.keys() == {1, 3}
