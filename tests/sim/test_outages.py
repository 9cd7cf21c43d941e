"""What a network outage costs each player, with the usual settings, at tables of every kind."""

from __future__ import annotations

from functools import partial

import pytest

from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.round import events
from lanuno.rules.ruleset import Ruleset
from lanuno.table import inputs, outputs
from lanuno.table.host.counted_time import READING_SECONDS
from lanuno.table.host.grace import CLAIM_SECONDS, MOST_BEYOND, RETURN_SECONDS
from tests.harness.node_world.world import SimulatedNode
from tests.sim.outages import (
    Cut,
    PlayerPlace,
    SlowWorld,
    outage,
    player_places,
    pull,
    put_back,
    suspend,
    table,
    wait,
)

GRACE = float(Ruleset().grace_first_s)
TOTAL = float(Ruleset().grace_total_s)


def dropped(world: SlowWorld) -> dict[int, float]:
    """Return the seats that the first host's log drops, and when."""
    return {
        event.seat: when
        for when, who, event in world.events
        if who == 0 and isinstance(event, events.SeatDropped)
    }


def listen(world: SlowWorld) -> list[tuple[float, outputs.ClaimOffered]]:
    """Record the claims that the host is offered from now on."""
    told: list[tuple[float, outputs.ClaimOffered]] = []

    def hear(node: SimulatedNode, output: outputs.Output) -> None:
        if node.number == 0 and isinstance(output, outputs.ClaimOffered):
            told.append((world.now, output))

    world.on_output = hear
    return told


def claimable(host: SimulatedNode) -> tuple[int, ...]:
    """Return the seats for which the host's player may end the wait."""
    return host.running.claimable


# ---- where the players are afterwards -----------------------------------------------------------


@pytest.mark.parametrize("cut", Cut)
@pytest.mark.parametrize("seconds", [30.0, 66.0, 200.0])
@pytest.mark.parametrize("owners", [2, 3, 5])
def test_where_an_outage_leaves_everybody(owners: int, seconds: float, cut: Cut) -> None:
    """Only a host that a majority has missed for longer than the grace time is dropped.

    The others have elected a new host meanwhile; the old one sits down again for the next round.
    """
    missed = cut is Cut.HOST and owners > 2 and seconds > GRACE
    first = PlayerPlace.BACK if missed else PlayerPlace.THERE
    assert player_places(outage(owners, seconds, cut)) == [
        first,
        *[PlayerPlace.THERE] * (owners - 1),
    ]


@pytest.mark.parametrize("owners", [3, 5])
@pytest.mark.parametrize("seconds", [66.0, 200.0])
def test_a_player_back_soon_after_the_quorum_is_not_dropped(owners: int, seconds: float) -> None:
    """The others come back in the last second of the time that every player has."""
    late = RETURN_SECONDS - 1.0
    returns = dict.fromkeys(range(owners // 2 + 1, owners), late)
    world = outage(owners, seconds, Cut.ALL, returns)
    assert player_places(world) == [PlayerPlace.THERE] * owners


def test_an_absent_player_is_missed_from_the_quorum_on() -> None:
    world = table(3)
    pull(world, 0, 1, 2)
    wait(world, 200.0)
    put_back(world, 0, 1)
    back = world.now
    wait(world, 90.0)
    assert list(dropped(world)) == [2]
    assert back + GRACE < dropped(world)[2] + 5.0 < back + GRACE + 10.0


def test_one_outage_takes_nothing_of_the_time_for_later() -> None:
    """A guest that was away with all the others for an hour still has all of its time."""
    world = table(3)
    pull(world, 1, 2)
    wait(world, 3_600.0)
    put_back(world, 1, 2)
    wait(world, 30.0)
    assert not dropped(world)
    pull(world, 2)
    began = world.now
    wait(world, GRACE - 5.0)
    assert not dropped(world)
    wait(world, 20.0)
    assert dropped(world)[2] == pytest.approx(began + GRACE + 4.0, abs=2.0)


def test_a_new_host_drops_nobody_for_the_time_before_it() -> None:
    """The old host was lost when it had missed a player for almost the whole grace time."""
    world = table(5)
    pull(world, 4)
    wait(world, GRACE - 5.0)
    pull(world, 0)
    wait(world, 30.0)
    elected = [
        (when, event.seat)
        for when, who, event in world.events
        if who == 1 and isinstance(event, events.HostElected)
    ]
    assert [seat for _, seat in elected] == [1]
    wait(world, elected[0][0] + GRACE - 5.0 - world.now)
    assert world.nodes[1].running.replay.dropped == {}
    put_back(world, 0, 4)
    wait(world, 60.0)
    assert player_places(world) == [PlayerPlace.THERE] * 5


def test_under_a_new_host_too_a_player_back_soon_after_the_quorum_is_not_dropped() -> None:
    """After an outage of all nodes, the first ones back elect a host. The rules give 5 s.

    The last ones back may just have begun an attempt to connect, which fails after 2 s.
    """
    world = table(5, ruleset=Ruleset(grace_first_s=5, grace_total_s=15))
    pull(world, *range(5))
    wait(world, 60.0)
    put_back(world, 1, 2, 3)
    assert world.run(lambda: any(each.running.replay.term for each in world.nodes))
    world.after(RETURN_SECONDS - 2.5, partial(put_back, world, 0, 4))
    wait(world, 120.0)
    assert player_places(world) == [PlayerPlace.THERE] * 5


# ---- players that come and go -------------------------------------------------------------------


def comes_and_goes(world: SlowWorld, number: int, away: float, there: float) -> None:
    """Make a node unreachable for `away` seconds, then reachable for `there`, forever."""

    def leave() -> None:
        pull(world, number)
        world.after(away, come)

    def come() -> None:
        put_back(world, number)
        world.after(there, leave)

    leave()


def test_a_guest_that_comes_and_goes_keeps_no_absent_one_at_the_table() -> None:
    """All players get time again whenever the quorum returns, but not forever."""
    world = table(3)
    pull(world, 2)
    comes_and_goes(world, 1, away=6.0, there=12.0)
    began = world.now
    assert world.run(lambda: 2 in dropped(world), most=began + 3_600.0)
    # Of 18 s the quorum lasts for about 12; the limit on the counted time is the same for all.
    assert dropped(world)[2] < began + (GRACE + MOST_BEYOND + TOTAL) * 2


def test_a_guest_that_comes_and_goes_while_a_quorum_stands_uses_its_time_up() -> None:
    world = table(3)
    comes_and_goes(world, 2, away=30.0, there=12.0)
    began = world.now
    assert world.run(lambda: 2 in dropped(world), most=began + 3_600.0)
    # It counts as missing for about 26 s of 42: from its silence until its return.
    assert dropped(world)[2] < began + TOTAL * 2


# ---- two owners ---------------------------------------------------------------------------------


def test_with_two_owners_the_person_at_the_host_ends_a_silence() -> None:
    world = table(2)
    told = listen(world)
    host = world.nodes[0]
    pull(world, 1)
    began = world.now
    wait(world, GRACE)
    assert (told, claimable(host)) == ([], ())
    world.do(host, host.running.step(inputs.ClaimMade(), world.now))
    wait(world, 10.0)
    assert [(round(when - began), said.seats) for when, said in told] == [(64, (1,))]
    assert claimable(host) == (1,)
    wait(world, 300.0)
    assert not dropped(world)
    world.do(host, host.running.step(inputs.ClaimMade(), world.now))
    wait(world, 10.0)
    assert host.running.replay.dropped == {1: DropReason.LOST}
    assert told[-1][1].seats == ()
    assert claimable(host) == ()
    assert world.run(lambda: host.running.replay.closed is CloseReason.FINISHED)
    assert host.running.replay.match.winners == (0,)


def test_with_two_owners_a_host_without_a_person_waits_for_ten_minutes() -> None:
    world = table(2)
    pull(world, 0)
    began = world.now
    assert world.run(lambda: bool(dropped(world)), most=began + 3_600.0)
    assert dropped(world)[1] == pytest.approx(began + 4.0 + CLAIM_SECONDS, abs=1.0)


def test_with_two_owners_a_returned_player_cannot_be_claimed() -> None:
    world = table(2)
    told = listen(world)
    host = world.nodes[0]
    pull(world, 1)
    wait(world, GRACE + 30.0)
    assert claimable(host) == (1,)
    put_back(world, 1)
    wait(world, 30.0)
    assert [said.seats for _, said in told] == [(1,), ()]
    world.do(host, host.running.step(inputs.ClaimMade(), world.now))
    wait(world, 10.0)
    assert not dropped(world)


def test_with_two_owners_a_guest_whose_program_has_ended_is_dropped_after_its_grace() -> None:
    """Its computer reports the end of the program, which shows that the network works."""
    world = table(2)
    told = listen(world)
    world.crash(world.nodes[1])
    began = world.now
    assert world.run(lambda: bool(dropped(world)), most=began + 3_600.0)
    assert dropped(world)[1] == pytest.approx(began + GRACE, abs=3.0)
    assert not told


def test_with_two_owners_an_outage_uses_up_no_time_of_a_program_that_ends() -> None:
    world = table(2)
    for _ in range(4):
        pull(world, 0)
        wait(world, 200.0)
        put_back(world, 0)
        wait(world, 30.0)
    world.crash(world.nodes[1])
    began = world.now
    assert world.run(lambda: bool(dropped(world)), most=began + 3_600.0)
    assert dropped(world)[1] == pytest.approx(began + GRACE, abs=3.0)


def test_with_two_owners_a_guest_that_keeps_falling_silent_can_be_claimed() -> None:
    """Each silence is shorter than the grace time, so no timer drops the guest."""
    world = table(2)
    told = listen(world)
    comes_and_goes(world, 1, away=50.0, there=10.0)
    began = world.now
    assert world.run(lambda: bool(told), most=began + 3_600.0)
    assert told[0][0] < began + (TOTAL + MOST_BEYOND) * 2
    assert not dropped(world)


# ---- a host that did not run --------------------------------------------------------------------


@pytest.mark.parametrize("owners", [2, 3])
def test_a_host_that_did_not_run_gives_everybody_time_to_come_back(owners: int) -> None:
    """Its program stops for an hour, two seconds before a player would have been dropped."""
    world = table(owners)
    host, last = world.nodes[0], world.nodes[-1]
    world.crash(last)
    wait(world, GRACE - 2.0)
    suspend(world, 3_600.0)
    world.do(host, host.running.step(inputs.ProgramPaused(3_600.0), world.now))
    began = world.now
    assert world.run(lambda: bool(dropped(world)), most=began + 3_600.0)
    since = dropped(world)[owners - 1] - began
    assert since == pytest.approx(RETURN_SECONDS + READING_SECONDS, abs=0.5)


def test_a_host_that_did_not_run_times_nobody_out() -> None:
    """A player's decision made meanwhile is read before that player's clock runs out."""
    world = table(2)
    host, guest = world.nodes
    for node in (host, guest):
        node.idle = True
    wait(world, 10.0)  # the table waits only for a decision
    host_role = host.running.host_role
    assert host_role is not None
    assert host_role.deadline is not None
    wait(world, host_role.deadline - world.now - 1.0)
    timeouts = len(clocks_decided(world))
    suspend(world, 3_600.0)
    world.do(host, host.running.step(inputs.ProgramPaused(3_600.0), world.now))
    wait(world, 1.0 + READING_SECONDS - 0.5)
    assert len(clocks_decided(world)) == timeouts
    wait(world, 1.0)
    assert len(clocks_decided(world)) == timeouts + 1


def test_a_guest_that_did_not_run_has_nothing_to_make_up_for() -> None:
    world = table(2)
    assert world.nodes[1].running.step(inputs.ProgramPaused(3_600.0), world.now) == []
    assert world.nodes[1].running.step(inputs.ClaimMade(), world.now) == []
    assert claimable(world.nodes[1]) == ()


def clocks_decided(world: SlowWorld) -> list[events.ActionTaken]:
    """Return the decisions that the clock made, by the host's log."""
    heard = [event for _, who, event in world.events if who == 0]
    return [each for each in heard if isinstance(each, events.ActionTaken) and each.by_clock]
