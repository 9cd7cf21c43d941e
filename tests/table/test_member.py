"""Whole computers at one table: who rules, who goes on, and what is in every journal in the end."""

from __future__ import annotations

import dataclasses
from functools import partial

import pytest

from lanuno.log import events
from lanuno.log.bodies import CloseReason, Return
from lanuno.log.round_record import Phase
from lanuno.table import messages, outputs
from lanuno.table.computer import Stay
from lanuno.table.member import Member
from lanuno.table.messages import Reaction
from lanuno.table.outputs import KeepBody
from tests.harness.node_world.watched_world import (
    begun,
    ended,
    finish,
    heard,
    in_phase,
    rulers,
    until,
)
from tests.harness.node_world.world import Computer

# ---- nothing goes wrong -------------------------------------------------------------------------


@pytest.mark.parametrize(("owners", "bots"), [(2, 0), (2, 2), (3, 0), (3, 1), (5, 0)])
def test_a_table_at_which_nothing_goes_wrong(owners: int, bots: int) -> None:
    world = begun(owners, bots=bots)
    assert finish(world) is CloseReason.STOPPED
    assert rulers(world) == [0]
    assert world.computers[1].up.replay.term == 0
    assert not any(each.disk.votes or each.disk.aside for each in world.computers)


def test_a_player_reacts_through_the_host_and_who_watches_does_not() -> None:
    world = begun(3)
    until(world, in_phase(world.computers[1], Phase.PLAY))
    shown = world.computers[0].up.react(Reaction.WOW, world.now)
    sent = [each.message for each in shown if isinstance(each, outputs.ToLink)]
    assert sent == [messages.Reacted(0, Reaction.WOW)] * 2
    [own] = [each for each in shown if isinstance(each, outputs.ReactionSeen)]
    assert (own.seat, own.reaction) == (0, Reaction.WOW)
    genesis = world.computers[0].up.replay.genesis
    eve = Member(genesis, Stay(identities=(), entropy=bytes))
    assert eve.react(Reaction.WOW, world.now) == []


def test_a_computer_knows_where_the_others_are() -> None:
    world = begun(3)
    finish(world)
    for each in world.computers:
        assert {place.address for place in each.up.places} <= each.up.addresses


def test_only_the_owner_keeps_the_journal_of_a_computer_with_bots() -> None:
    world = begun(2, bots=2)
    finish(world)
    host = world.computers[0]
    assert len(host.up.sessions) == 3
    assert len(host.disk.entries) == host.up.replay.seq
    assert set(host.disk.seeds) == {0, 2, 3}


# ---- the host is lost ---------------------------------------------------------------------------


@pytest.mark.parametrize("owners", [3, 5])
@pytest.mark.parametrize("power", [False, True])
def test_a_host_that_stays_away_is_replaced_and_dropped(owners: int, power: bool) -> None:
    world = begun(owners)
    until(world, in_phase(world.computers[1], Phase.PLAY))
    world.crash(world.computers[0], power=power)
    guests = range(1, owners)
    finish(world, *guests)
    assert 0 in world.computers[1].up.replay.dropped
    assert world.computers[1].up.replay.term >= 1
    assert len(rulers(world)) == 1


@pytest.mark.parametrize("power", [False, True])
@pytest.mark.parametrize("phase", [Phase.COMMIT, Phase.ESCROW, Phase.PLAY, Phase.REVEAL])
def test_a_host_whose_program_starts_again_is_a_guest_or_elected(phase: Phase, power: bool) -> None:
    world = begun(4)
    host = world.computers[0]
    until(world, in_phase(host, phase))
    world.crash(host, power=power)
    world.after(0.5, lambda: world.restart(host))
    finish(world)
    assert host.up.replay.term >= 1
    assert len(rulers(world)) == 1


@pytest.mark.parametrize("power", [False, True])
def test_of_two_the_same_host_goes_on_with_what_the_other_holds(power: bool) -> None:
    world = begun(2)
    host, guest = world.computers
    until(world, in_phase(host, Phase.PLAY))
    world.crash(host, power=power)
    if power:
        del host.disk.entries[max(1, len(host.disk.entries) - 9) :]
    world.after(1.0, lambda: world.restart(host))
    assert finish(world) is CloseReason.STOPPED
    assert guest.up.replay.term == 0
    assert rulers(world) == [0]


def test_everybody_loses_power_at_once_and_plays_on() -> None:
    world = begun(3)
    until(world, in_phase(world.computers[1], Phase.PLAY))
    hand = world.computers[1].up.first.view()
    for computer in world.computers:
        world.crash(computer)
    for number, computer in enumerate(world.computers):
        world.after(1.0 + number, partial(world.restart, computer))
    until(world, lambda: world.computers[1].member is not None)
    again = world.computers[1].up.first.view()
    assert hand is not None
    assert again is not None
    assert again.hand == hand.hand
    finish(world)


# ---- walls --------------------------------------------------------------------------------------


def test_a_host_cut_off_from_most_makes_nothing_firm_and_comes_back_as_a_guest() -> None:
    world = begun(5)
    alone = world.computers[:2]
    until(world, in_phase(world.computers[4], Phase.PLAY))
    for one in alone:
        for other in world.computers[2:]:
            world.wall(one, other)
    before = world.now
    firm = world.computers[0].up.first.firm
    until(world, lambda: world.now > before + 12 and len(rulers(world)) > 0)
    until(world, lambda: any(number > 1 for number in rulers(world)))
    seq = len(world.computers[0].disk.entries)
    assert world.computers[0].up.first.firm <= max(firm, seq)
    assert world.computers[0].up.replay.term == 0
    world.open_walls()
    finish(world)
    assert len(rulers(world)) == 1
    assert rulers(world)[0] > 1


def test_without_a_majority_nobody_rules_until_somebody_is_back() -> None:
    world = begun(3)
    one, two, three = world.computers
    until(world, in_phase(three, Phase.PLAY))
    world.crash(one)
    world.crash(two)
    before = world.now
    world.run(lambda: world.now > before + 60, most=before + 61)
    assert rulers(world) == []
    assert three.up.replay.closed is None
    world.restart(two)
    finish(world, 1, 2)
    assert rulers(world) in ([1], [2])


def test_a_host_struck_while_a_third_owner_returns_is_elected_again() -> None:
    """Only its own disk holds the return: by the logs of the others two owners elect nobody."""
    world = begun(3, rounds=6)
    world.found_by_name = True
    host, _, third = world.computers
    until(world, in_phase(third, Phase.PLAY))
    world.crash(third)
    until(world, lambda: third.number in host.up.replay.dropped)
    look = world.on_step
    assert look is not None
    struck = False

    def strike(computer: Computer, output: outputs.Output) -> None:
        nonlocal struck
        look(computer, output)
        if struck or computer is not host or not isinstance(output, outputs.KeepEntry):
            return
        struck = isinstance(output.entry.read().signed_body.read().payload, Return)
        if struck:
            world.after(0.0, partial(world.crash, host))
            world.after(1.0, partial(world.restart, host))

    world.on_step = strike
    world.restart(third)
    finish(world)
    assert struck
    assert host.up.replay.term >= 1


def test_an_owner_that_returns_while_it_only_reads_goes_on_hearing_the_log() -> None:
    """It was told to stand for a later term, and its promise brings about no election so soon."""
    world = begun(4, rounds=2)
    host, guest = world.computers[:2]

    def hands_over_to_the_guest_alone() -> None:
        [link] = [link for link, (there, _) in host.links.items() if there is guest]
        world.send(host, link, messages.Abdicate(host.up.replay.term + 1, guest.number))

    until(world, in_phase(guest, Phase.PLAY))
    hands_over_to_the_guest_alone()
    until(world, lambda: guest.up.replay.term > 0)
    until(world, in_phase(guest, Phase.PLAY))
    hands_over_to_the_guest_alone()
    until(world, lambda: guest.up._reads)
    finish(world)


def test_an_owner_that_promised_a_later_term_in_vain_hears_the_host_again() -> None:
    """A host that was said to go says that it is still there."""
    world = begun(3)
    host, guest = world.computers[:2]
    [link] = [link for link, (there, _) in host.links.items() if there is guest]
    world.send(host, link, messages.Abdicate(1, guest.number))
    world.send(host, link, messages.HostIs(0, host.number))
    finish(world)
    assert guest.up.election is not None
    assert guest.up.election.promised >= 1


def test_a_host_is_reminded_of_a_promise_that_holds_up_everything() -> None:
    """It has just been elected again for another one, and does not stand so soon."""
    world = begun(3, rounds=2)
    host, guest, third = world.computers
    [link] = [link for link, (there, _) in host.links.items() if there is guest]

    def hands_over() -> None:
        world.send(host, link, messages.Abdicate(host.up.replay.term + 1, guest.number))

    until(world, in_phase(guest, Phase.PLAY))
    hands_over()
    until(world, lambda: guest.up.replay.term > 0)
    until(world, in_phase(guest, Phase.PLAY))
    hands_over()
    until(world, lambda: guest.up._reads)
    world.crash(third)
    world.after(40.0, partial(world.restart, third))
    finish(world)


# ---- leaving and coming back --------------------------------------------------------------------


@pytest.mark.parametrize("owners", [3, 5])
def test_a_host_that_leaves_hands_over_at_once(owners: int) -> None:
    world = begun(owners)
    host = world.computers[0]
    until(world, in_phase(world.computers[1], Phase.PLAY))
    before = world.now
    world.do(host, host.up.leave(world.now))
    until(world, lambda: any(number > 0 for number in rulers(world)))
    assert world.now < before + 1.0, "nobody waits for a host that has said that it goes"
    finish(world)
    assert 0 in host.up.replay.dropped
    assert len(heard(world, events.HostElected, 1)) == 1


def test_a_host_that_leaves_says_so_again_to_whoever_did_not_hear_it() -> None:
    """All links break as it hands over, and are there again before it steps down."""
    world = begun(3)
    host, one, two = world.computers
    until(world, in_phase(host, Phase.PLAY))
    world.do(host, host.up.leave(world.now))
    office = host.up.sequencer
    assert office is not None
    until(world, lambda: office.abdicated is not None)
    for other in (one, two):
        world.cut(host, other)
    assert host.up.hosts
    until(world, ended(world, 1, 2))
    assert one.up.replay.term > 0


def test_of_two_whoever_leaves_forfeits() -> None:
    for leaver in (0, 1):
        world = begun(2)
        until(world, in_phase(world.computers[1], Phase.PLAY))
        gone = world.computers[leaver]
        world.do(gone, gone.up.leave(world.now))
        until(world, ended(world))
        replay = world.computers[1 - leaver].up.replay
        assert replay.closed is CloseReason.FINISHED
        assert replay.match.winners == (1 - leaver,)


def test_a_guest_that_was_dropped_plays_from_the_next_round() -> None:
    world = begun(3, rounds=2)
    guest = world.computers[2]
    until(world, in_phase(guest, Phase.PLAY))
    world.crash(guest)
    until(world, lambda: 2 in world.computers[0].up.replay.dropped)
    world.restart(guest)
    finish(world)
    assert heard(world, events.SeatReturned, 0)
    assert guest.up.replay.dropped == {}


def test_what_is_refused_for_good_is_not_said_again_at_once() -> None:
    world = begun(2)
    guest = world.computers[1]
    until(world, lambda: guest.up.replay.ports.get(1) == guest.stay.port)
    link = guest.up.home
    assert link is not None
    guest.up._stay = dataclasses.replace(guest.stay, port=50_000)
    refused = messages.BodyRefusal(1, guest.up.replay.next_counter(1) + 1, "not-a-seat", "")
    assert not any(isinstance(each, KeepBody) for each in guest.up.heard(link, refused, world.now))
    firm = messages.Firm(guest.up.first.firm)
    assert any(isinstance(each, KeepBody) for each in guest.up.heard(link, firm, world.now))


def test_a_host_that_left_ends_the_match_without_the_other_one_who_hears_of_it_later() -> None:
    world = begun(2)
    host, guest = world.computers
    until(world, in_phase(host, Phase.PLAY))
    world.crash(guest)
    world.do(host, host.up.leave(world.now))
    until(world, ended(world, 0))
    world.restart(guest)
    until(world, ended(world))
    assert guest.up.replay.head == host.up.replay.head
    assert guest.up.replay.match.over
