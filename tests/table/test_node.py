"""Whole nodes at one table: the host, who plays on, and the final contents of every journal."""

from __future__ import annotations

from functools import partial

import pytest
from msgspec import structs

from lanuno.log.format.bodies import CloseReason, DropReason, Return
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import inputs, messages, outputs
from lanuno.table.messages import Reaction
from lanuno.table.node import Node, NodeConfig
from lanuno.table.outputs import StoreBody
from lanuno.table.roles import Reading
from tests.harness.node_world.node_in_role import without_the_third
from tests.harness.node_world.watched_world import (
    ended,
    events_of,
    finish,
    hosts_of,
    in_phase,
    started_world,
    until,
)
from tests.harness.node_world.world import SimulatedNode

# ---- nothing goes wrong -------------------------------------------------------------------------


@pytest.mark.parametrize(("owners", "bots"), [(2, 0), (2, 2), (3, 0), (3, 1), (5, 0)])
def test_a_table_at_which_nothing_goes_wrong(owners: int, bots: int) -> None:
    world = started_world(owners, bots=bots)
    assert finish(world) is CloseReason.STOPPED
    assert hosts_of(world) == [0]
    assert world.nodes[1].running.replay.term == 0
    assert not any(each.disk.votes or each.disk.aside for each in world.nodes)


def test_a_player_reacts_through_the_host_and_who_watches_does_not() -> None:
    world = started_world(3)
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    shown = world.nodes[0].running.step(inputs.ReactionSent(Reaction.WOW), world.now)
    sent = [each.message for each in shown if isinstance(each, outputs.Send)]
    assert sent == [messages.Reacted(0, Reaction.WOW)] * 2
    [own] = [each for each in shown if isinstance(each, outputs.ReactionSeen)]
    assert (own.seat, own.reaction) == (0, Reaction.WOW)
    genesis = world.nodes[0].running.replay.genesis
    eve = Node(genesis, NodeConfig(identities=(), entropy=bytes))
    assert eve.step(inputs.ReactionSent(Reaction.WOW), world.now) == []


def test_a_node_knows_where_the_others_are() -> None:
    world = started_world(3)
    finish(world)
    for each in world.nodes:
        assert {place.address for place in each.running.places} <= each.running.addresses


def test_only_the_owner_keeps_the_journal_of_a_node_with_bots() -> None:
    world = started_world(2, bots=2)
    finish(world)
    host = world.nodes[0]
    assert len(host.running.sessions) == 3
    assert len(host.disk.entries) == host.running.replay.seq
    assert set(host.disk.seeds) == {0, 2, 3}


# ---- the host is lost ---------------------------------------------------------------------------


@pytest.mark.parametrize("owners", [3, 5])
@pytest.mark.parametrize("power", [False, True])
def test_a_host_that_stays_away_is_replaced_and_dropped(owners: int, power: bool) -> None:
    world = started_world(owners)
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    world.crash(world.nodes[0], power=power)
    guests = range(1, owners)
    finish(world, *guests)
    assert 0 in world.nodes[1].running.replay.dropped
    assert world.nodes[1].running.replay.term >= 1
    assert len(hosts_of(world)) == 1


@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize(
    "phase", [ProtocolPhase.COMMIT, ProtocolPhase.ESCROW, ProtocolPhase.PLAY, ProtocolPhase.REVEAL]
)
def test_a_host_whose_program_starts_again_is_a_guest_or_elected(
    phase: ProtocolPhase, power: bool
) -> None:
    world = started_world(4)
    host = world.nodes[0]
    until(world, in_phase(host, phase))
    world.crash(host, power=power)
    world.after(0.5, lambda: world.restart(host))
    finish(world)
    assert host.running.replay.term >= 1
    assert len(hosts_of(world)) == 1


@pytest.mark.parametrize("power", [False, True])
def test_with_two_owners_a_restarted_host_continues_with_the_entries_of_the_guest(
    power: bool,
) -> None:
    world = started_world(2)
    host, guest = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    world.crash(host, power=power)
    if power:
        del host.disk.entries[max(1, len(host.disk.entries) - 9) :]
    world.after(1.0, lambda: world.restart(host))
    assert finish(world) is CloseReason.STOPPED
    assert guest.running.replay.term == 0
    assert hosts_of(world) == [0]


def test_everybody_loses_power_at_once_and_plays_on() -> None:
    world = started_world(3)
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    hand = world.nodes[1].running.main_session.view()
    for node in world.nodes:
        world.crash(node)
    for number, node in enumerate(world.nodes):
        world.after(1.0 + number, partial(world.restart, node))
    until(world, lambda: world.nodes[1].program is not None)
    again = world.nodes[1].running.main_session.view()
    assert hand is not None
    assert again is not None
    assert again.hand == hand.hand
    finish(world)


# ---- partitions ---------------------------------------------------------------------------------


def test_a_host_cut_off_from_most_makes_nothing_final_and_comes_back_as_a_guest() -> None:
    world = started_world(5)
    alone = world.nodes[:2]
    until(world, in_phase(world.nodes[4], ProtocolPhase.PLAY))
    for one in alone:
        for other in world.nodes[2:]:
            world.block(one, other)
    before = world.now
    final = world.nodes[0].running.replica.final_count
    until(world, lambda: world.now > before + 12 and len(hosts_of(world)) > 0)
    until(world, lambda: any(number > 1 for number in hosts_of(world)))
    seq = len(world.nodes[0].disk.entries)
    assert world.nodes[0].running.replica.final_count <= max(final, seq)
    assert world.nodes[0].running.replay.term == 0
    world.unblock_all()
    finish(world)
    assert len(hosts_of(world)) == 1
    assert hosts_of(world)[0] > 1


def test_without_a_majority_no_host_is_elected_until_an_owner_returns() -> None:
    world = started_world(3)
    one, two, three = world.nodes
    until(world, in_phase(three, ProtocolPhase.PLAY))
    world.crash(one)
    world.crash(two)
    before = world.now
    world.run(lambda: world.now > before + 60, most=before + 61)
    assert hosts_of(world) == []
    assert three.running.replay.closed is None
    world.restart(two)
    finish(world, 1, 2)
    assert hosts_of(world) in ([1], [2])


def test_a_host_struck_while_a_third_owner_returns_is_elected_again() -> None:
    """Only its own disk holds the return; by the other logs, two owners cannot elect a host."""
    world = without_the_third(rounds=6)
    host, _, third = world.nodes
    look = world.on_output
    assert look is not None
    crashed = False

    def crash(node: SimulatedNode, output: outputs.Output) -> None:
        nonlocal crashed
        look(node, output)
        if crashed or node is not host or not isinstance(output, outputs.AppendEntry):
            return
        crashed = isinstance(output.entry.read().signed_body.read().payload, Return)
        if crashed:
            world.after(0.0, partial(world.crash, host))
            world.after(1.0, partial(world.restart, host))

    world.on_output = crash
    world.restart(third)
    finish(world)
    assert crashed
    assert host.running.replay.term >= 1


def test_an_owner_that_returns_while_it_only_reads_goes_on_hearing_the_log() -> None:
    """It was asked to stand for a later term; its promise triggers no election so soon."""
    world = started_world(4, rounds=2)
    host, guest = world.nodes[:2]

    def hands_over_to_the_guest_alone() -> None:
        [link] = [link for link, (there, _) in host.links.items() if there is guest]
        world.send(host, link, messages.TransferHost(host.running.replay.term + 1, guest.number))

    until(world, in_phase(guest, ProtocolPhase.PLAY))
    hands_over_to_the_guest_alone()
    until(world, lambda: guest.running.replay.term > 0)
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    hands_over_to_the_guest_alone()
    until(world, lambda: isinstance(guest.running.role, Reading))
    finish(world)


def test_an_owner_that_promised_a_later_term_in_vain_hears_the_host_again() -> None:
    """A host that was reported to be leaving announces that it is still there."""
    world = started_world(3)
    host, guest = world.nodes[:2]
    [link] = [link for link, (there, _) in host.links.items() if there is guest]
    world.send(host, link, messages.TransferHost(1, guest.number))
    world.send(host, link, messages.HostIs(0, host.number))
    finish(world)
    assert guest.running.voter is not None
    assert guest.running.voter.promised >= 1


def test_a_host_is_reminded_of_a_promise_that_holds_up_everything() -> None:
    """It was just elected again because of another promise, and does not stand again so soon."""
    world = started_world(3, rounds=2)
    host, guest, third = world.nodes
    [link] = [link for link, (there, _) in host.links.items() if there is guest]

    def hands_over() -> None:
        world.send(host, link, messages.TransferHost(host.running.replay.term + 1, guest.number))

    until(world, in_phase(guest, ProtocolPhase.PLAY))
    hands_over()
    until(world, lambda: guest.running.replay.term > 0)
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    hands_over()
    until(world, lambda: isinstance(guest.running.role, Reading))
    world.crash(third)
    world.after(40.0, partial(world.restart, third))
    finish(world)


# ---- leaving and coming back --------------------------------------------------------------------


@pytest.mark.parametrize("owners", [3, 5])
def test_a_host_that_leaves_hands_over_at_once(owners: int) -> None:
    world = started_world(owners)
    host = world.nodes[0]
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    before = world.now
    world.do(host, host.running.step(inputs.LeaveRequested(), world.now))
    until(world, lambda: any(number > 0 for number in hosts_of(world)))
    assert world.now < before + 1.0, "nobody waits for a host that has said that it goes"
    finish(world)
    assert 0 in host.running.replay.dropped
    assert len(events_of(world, events.HostElected, 1)) == 1


def test_a_host_that_leaves_repeats_it_to_owners_that_missed_it() -> None:
    """All links break during its handover, and are restored before it steps down."""
    world = started_world(3)
    host, one, two = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    world.do(host, host.running.step(inputs.LeaveRequested(), world.now))
    host_role = host.running.host_role
    assert host_role is not None
    until(world, lambda: host_role.transferred_to is not None)
    for other in (one, two):
        world.cut(host, other)
    assert host.running.hosts
    until(world, ended(world, 1, 2))
    assert one.running.replay.term > 0


def test_with_two_owners_the_one_that_leaves_forfeits() -> None:
    for leaver in (0, 1):
        world = started_world(2)
        until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
        gone = world.nodes[leaver]
        world.do(gone, gone.running.step(inputs.LeaveRequested(), world.now))
        until(world, ended(world))
        replay = world.nodes[1 - leaver].running.replay
        assert replay.closed is CloseReason.FINISHED
        assert replay.match.winners == (1 - leaver,)


def test_a_guest_that_was_dropped_plays_from_the_next_round() -> None:
    world = started_world(3, rounds=2)
    guest = world.nodes[2]
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    world.crash(guest)
    until(world, lambda: 2 in world.nodes[0].running.replay.dropped)
    world.restart(guest)
    finish(world)
    assert events_of(world, events.SeatReturned, 0)
    assert guest.running.replay.dropped == {}


def test_a_dropped_player_asks_for_the_seat_as_soon_as_it_is_back() -> None:
    """At the end of the round its request would come after the next round has been opened."""
    world = started_world(3, rounds=3)
    host, guest = world.nodes[0].running, world.nodes[2]
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    world.crash(guest)
    until(world, lambda: host.replay.number == 2)
    assert 2 in host.replay.dropped
    world.restart(guest)
    until(world, lambda: 2 not in host.replay.dropped)
    assert host.replay.number == 2
    finish(world)


@pytest.mark.parametrize("leaver", [0, 2])
def test_a_player_who_left_and_comes_back_plays_a_later_round(leaver: int) -> None:
    """Leaving forfeits the round, not the match. Only a program that was started again returns."""
    world = started_world(4, rounds=3)
    gone, other = world.nodes[leaver], world.nodes[1]
    until(world, in_phase(other, ProtocolPhase.PLAY))
    world.do(gone, gone.running.step(inputs.LeaveRequested(), world.now))
    until(world, lambda: other.running.replay.dropped.get(leaver) is DropReason.LEFT)
    until(world, lambda: leaver in gone.running.replay.dropped)
    world.crash(gone)
    world.restart(gone)
    finish(world)
    assert events_of(world, events.SeatReturned, 1) == [events.SeatReturned(leaver)]
    assert other.running.replay.dropped == {}
    current = other.running.replay.round
    assert current is not None
    assert leaver in current.seats


def test_a_body_refused_for_good_is_not_sent_again_at_once() -> None:
    world = started_world(2)
    guest = world.nodes[1]
    until(world, lambda: guest.running.replay.ports.get(1) == guest.config.port)
    link = guest.running.host_link
    assert link is not None
    guest.running._config = structs.replace(guest.config, port=50_000)
    refused = messages.BodyRefusal(1, guest.running.replay.next_counter(1) + 1, "not-a-seat", "")
    assert not any(
        isinstance(each, StoreBody)
        for each in guest.running.step(inputs.MessageReceived(link, refused), world.now)
    )
    waiting = messages.Waiting((), 0)
    assert any(
        isinstance(each, StoreBody)
        for each in guest.running.step(inputs.MessageReceived(link, waiting), world.now)
    )


def test_a_host_that_left_ends_the_match_without_the_other_one_who_hears_of_it_later() -> None:
    world = started_world(2)
    host, guest = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    world.crash(guest)
    world.do(host, host.running.step(inputs.LeaveRequested(), world.now))
    until(world, ended(world, 0))
    world.restart(guest)
    until(world, ended(world))
    assert guest.running.replay.head == host.running.replay.head
    assert guest.running.replay.match.over
