"""The clocks of a table, tested directly: what is late, what waits, and what a pause moves."""

from __future__ import annotations

from collections.abc import Callable
from math import inf

import pytest
from msgspec.structs import replace

from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, DropReason
from lanuno.log.replay.times import AUTOMATIC_ANSWER_MS, AUTOPILOT_AFTER, AUTOPILOT_MS, DEAL_MS
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Accuse, Catch, Draw, Keep, Play, SayUno
from lanuno.rules.engine.effects import Effect
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.moving_hands import SWAP_HANDS
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Manners, Ruleset
from lanuno.table.host.clocks import MARGIN, Clocks, Pace
from lanuno.table.host.counted_time import READING_SECONDS
from lanuno.table.host.finality import Finality
from lanuno.table.host.grace import RETURN_SECONDS
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.timeline import timed_entries_of
from tests.table.host.watched_clocks import PausedClocks

STEP_SECONDS = 5.0
DEAL = DEAL_MS / 1000
TURN = DEAL + 61.0 + MARGIN
GRACE = 60.0


# ---- finality ---------------------------------------------------------------------------------


def test_what_a_majority_and_what_all_owners_have_acknowledged() -> None:
    sim = TableSim(5, 1, bots_of_host=1)
    sim.run_until(lambda: len(sim.journal) > 3)
    assert sim.host_role is not None
    replay = sim.host_role.replay
    final = Finality(replay)

    def counts() -> tuple[int, int]:
        final.advance()
        return final.count, final.certified

    for seat, count in ((1, 3), (0, 3), (2, 2)):
        final.acknowledge(seat, count)
    assert counts() == (0, 0), "a bot is no owner, and two of four no majority"
    final.acknowledge(3, 1)
    final.acknowledge(3, 0)
    assert counts() == (1, 0)
    assert final.missing_owners(3) == {2, 3, 4}
    replay.absence.dropped[4] = DropReason.LEFT
    final.entry_appended()
    assert counts() == (1, 1), "who was dropped delays nothing"
    for seat in (0, 2, 3):
        final.acknowledge(seat, replay.seq)
    assert counts() == (replay.seq, replay.seq)
    assert final.missing_owners(replay.seq + 1) == {0, 2, 3}


# ---- automatic steps --------------------------------------------------------------------------


def test_an_automatic_step_has_five_seconds_and_then_grace() -> None:
    at = PausedClocks()
    late = (at.decider + 1) % 3
    with at.owing(late, (at.decider + 2) % 3):
        at.look(1.0)
        assert at.clocks.deadline(at.now) == pytest.approx(1.0 + STEP_SECONDS)
        at.look(5.9)
        assert at.clocks.waiting(5.9) is None
        at.look(6.0)
        assert at.clocks.waiting(6.0) == ((late,), int(GRACE * 1000))
        assert at.clocks.waiting(6.5) is None, "told once"
        assert at.clocks.deadline(at.now) == pytest.approx(6.0 + GRACE)
        for moment in (10.0, 30.0, 65.0):
            at.clocks.returned(late, moment)  # a seat that only says hello has done nothing yet
            at.look(moment)
        assert at.clocks.gone(65.9) is None
        assert at.clocks.gone(66.0) == (late, DropReason.SILENT)
    at.look(66.5)
    assert at.clocks.gone(10**6) is None, "it was done after all"
    # The turn had run for 6 s when the wait began: exactly that much of it is used up.
    seats, left = at.clocks.waiting(66.5) or ((late,), 0)
    assert seats == ()
    assert left == pytest.approx((TURN - 6.0) * 1000, abs=1)


def test_without_a_clock_nothing_is_left_of_a_decision() -> None:
    at = PausedClocks(Ruleset(hand_size=2, turn_clock_s=0))
    at.look(1.0)
    at.clocks.lost(at.decider, 1.0)
    at.look(1.0)
    assert at.clocks.waiting(1.0) == ((at.decider,), int(GRACE * 1000))
    at.clocks.returned(at.decider, 2.0)
    at.look(2.0)
    assert at.clocks.waiting(2.0) == ((), 0)


def test_a_secret_is_not_late_before_it_is_final() -> None:
    at = PausedClocks()
    late, other = (at.decider + 1) % 3, (at.decider + 2) % 3
    assert at.replay.round is not None
    at.finality.certified -= 1
    with at.owing(late, other):
        at.look(1.0)
        at.look(50.0)
        assert at.clocks.waiting(50.0) is None
        at.acknowledge()
        at.finality.certified = at.replay.seq
        at.look(50.0)
        assert at.clocks.deadline(at.now) == pytest.approx(50.0 + STEP_SECONDS)


def test_a_pause_takes_no_time_from_a_turn() -> None:
    at = PausedClocks()
    late = (at.decider + 1) % 3
    with at.owing(late, (at.decider + 2) % 3):
        at.look(1.0)
        at.look(6.0)
        assert at.clocks.expired_decision(TURN + 1) is None
    at.look(36.0)
    assert at.clocks.deadline(at.now) == pytest.approx(TURN + 30.0)
    assert at.clocks.expired_decision(TURN + 29.9) is None
    assert at.clocks.expired_decision(TURN + 30.0) == at.game.decision


def test_grace_is_used_up() -> None:
    at = PausedClocks(Ruleset(grace_first_s=60, grace_total_s=70))
    late, other = (at.decider + 1) % 3, (at.decider + 2) % 3
    with at.owing(late, other):
        at.look(0.0)
        at.look(5.0)
    at.look(55.0)
    with at.owing(late, other):
        at.look(60.0)
        at.look(65.0)
        assert at.clocks.gone(84.9) is None
        assert at.clocks.gone(85.0) == (late, DropReason.SILENT)


def test_a_connection_lost_after_a_silence_gets_no_grace_anew() -> None:
    at = PausedClocks()
    late = (at.decider + 1) % 3
    with at.owing(late, (at.decider + 2) % 3):
        at.look(0.0)
        at.look(5.0)
        at.clocks.lost(late, 30.0)
        assert at.clocks.gone(65.0) == (late, DropReason.LOST)


def test_an_attacker_gets_no_grace() -> None:
    at = PausedClocks()
    at.clocks.lost(1, 5.0, DropReason.ATTACK)
    assert at.clocks.gone(5.0) == (1, DropReason.ATTACK)


def test_the_host_does_not_wait_for_a_dropped_player() -> None:
    at = PausedClocks()
    at.clocks.lost(1, 5.0)
    at.replay.absence.dropped[1] = DropReason.LOST
    at.look(6.0)
    assert at.clocks.gone(10**6) is None
    at.clocks.lost(1, 7.0)
    assert at.clocks.gone(10**6) is None
    deadline = at.clocks.deadline(at.now)
    assert deadline is None or deadline > 6.0


# ---- turns ------------------------------------------------------------------------------------


def test_a_turn_runs_out_and_two_in_a_row_are_autopilot() -> None:
    at = PausedClocks()
    assert at.clocks.deadline(at.now) == pytest.approx(TURN)
    assert at.clocks.expired_decision(TURN - 0.1) is None
    assert at.clocks.expired_decision(TURN) == at.game.decision
    at.replay.times.idle[at.decider] = AUTOPILOT_AFTER
    at.game.decision += 1
    at.look(200.0)
    assert at.clocks.deadline(at.now) == pytest.approx(200.0 + DEAL + AUTOPILOT_MS / 1000 + MARGIN)
    at.replay.times.idle[at.decider] = 0
    at.game.decision += 1
    at.look(300.0)
    assert at.clocks.deadline(at.now) == pytest.approx(300.0 + TURN)


@pytest.mark.parametrize("seconds", [0.5, 9.0])
def test_no_pace_is_faster_than_the_log_allows(seconds: float) -> None:
    at = PausedClocks()
    at.game.stage = RoundPhase.SHOW
    at.clocks = Clocks(at.replay, Pace(seconds), at.finality)
    at.look(0.0)
    least = max(seconds, AUTOMATIC_ANSWER_MS / 1000)
    assert at.clocks.deadline(at.now) == pytest.approx(least + MARGIN)


def test_a_held_decision_does_not_time_out() -> None:
    at = PausedClocks()
    assert at.clocks.deadline(at.now, {at.decider}) is None
    assert at.clocks.expired_decision(TURN, {at.decider}) is None
    assert at.clocks.expired_decision(TURN, {(at.decider + 1) % 3}) == at.game.decision


def test_nobodys_clock_runs_before_they_can_read_their_cards() -> None:
    at = PausedClocks()
    with at.owing((at.decider + 1) % 3, at.decider):
        at.look(1.0)
        assert at.clocks.expired_decision(10**6) is None
    at.look(3.0)
    assert at.clocks.deadline(at.now) == pytest.approx(3.0 + TURN)


# ---- "UNO" ------------------------------------------------------------------------------------


def test_beginnings_of_turns_and_catches_wait() -> None:
    at = PausedClocks()
    assert at.clocks.held_until(at.body(Draw()), 9.0) is None
    at.game.uno_owed = 1
    at.look(10.0)
    assert at.clocks.held_until(at.body(Draw()), 10.1) == pytest.approx(12.5)
    assert at.clocks.held_until(at.body(Catch(1)), 10.1) == pytest.approx(11.0)
    for action in (SayUno(), Keep()):
        assert at.clocks.held_until(at.body(action), 10.1) is None
    leave = Body(at.replay.table_id, 1, 0, 0, b"", bodies.Leave())
    assert at.clocks.held_until(leave, 10.1) is None
    assert at.clocks.held_until(at.body(Catch(1)), 11.0) is None
    assert at.clocks.held_until(at.body(Draw()), 12.5) is None
    at.game.uno_owed = None
    assert at.clocks.held_until(at.body(Draw()), 12.6) is None
    at.game.uno_owed = 2
    assert at.clocks.held_until(at.body(Draw()), 20.0) == pytest.approx(22.5), "anew"


def test_only_the_answer_to_a_question_begins_no_turn() -> None:
    """Any other act is held until its turn has begun, even though the question is open."""
    at = PausedClocks()
    swap = SWAP_HANDS.question
    assert swap is not None
    asks = Effect(question=replace(swap, kinds=(Play,)))
    at.game.rules = replace(at.game.rules, effects=(asks,) * len(Rank))
    at.game.stage = RoundPhase.QUESTION
    at.game.uno_owed = asked = at.decider
    at.look(10.0)
    answer = Play(at.game.hands[asked][0], 0)
    assert at.clocks.held_until(at.body(answer, asked), 10.1) is None
    assert at.clocks.held_until(at.body(answer, (asked + 1) % 3), 10.1) == pytest.approx(12.5)
    assert at.clocks.held_until(at.body(Draw(), asked), 10.1) == pytest.approx(12.5)


# ---- objections and votes ---------------------------------------------------------------------


def test_a_vote_has_its_time_and_a_pause_takes_none_of_it() -> None:
    at = PausedClocks(Ruleset(advice=True))
    late, other = (at.decider + 1) % 3, (at.decider + 2) % 3
    at.game.act(late, Accuse(other))
    at.look(10.0)
    assert at.clocks.to_settle(24.9) is None
    assert at.clocks.to_settle(25.0 + MARGIN) is Matter.VOTE
    with at.owing(late, other):
        at.look(11.0)
        at.look(16.0)
        assert at.clocks.to_settle(25.0) is None, "while somebody is lost the table pauses"
    at.look(21.0)
    assert at.clocks.to_settle(29.9) is None
    assert at.clocks.to_settle(30.0 + MARGIN) is Matter.VOTE
    assert at.clocks.deadline(at.now) == pytest.approx(30.0 + MARGIN)


def test_a_card_waits_for_objections_for_its_time() -> None:
    sim = TableSim(2, 1, Ruleset(hand_size=2, manners=Manners.HONOUR, objection_ms=4000))
    sim.run()
    settled = timed_entries_of(sim, bodies.Settle)
    assert settled
    for moment in settled:
        assert moment.payload == bodies.Settle(Matter.CARD)
        assert moment.waited == pytest.approx(4.0, abs=0.1)


# ---- time that does not count -----------------------------------------------------------------


def outage(at: PausedClocks, begins: float, ends: float) -> None:
    """Leave too few owners in contact for a while, then let all return simultaneously."""
    at.clocks.quorum(begins - 1.0, stands=True)
    at.clocks.quorum(begins, stands=False)
    at.look(begins)
    assert at.clocks.deadline(begins) is None
    at.look(ends)
    at.clocks.quorum(ends, stands=True)
    at.look(ends)


def pause(at: PausedClocks, begins: float, ends: float) -> None:
    """Stop the host's program for a while, then let it read what arrived meanwhile."""
    at.clocks.paused(ends - READING_SECONDS - begins, ends - READING_SECONDS)
    at.look(ends - READING_SECONDS)


Gap = Callable[[PausedClocks, float, float], None]
GAPS = pytest.mark.parametrize("gap", [outage, pause])


@GAPS
def test_no_turn_runs_through_it(gap: Gap) -> None:
    at = PausedClocks()
    gap(at, 10.0, 500.0)
    deadline = at.clocks.deadline(500.0)
    assert deadline is not None
    assert deadline == pytest.approx(TURN + 490.0)
    assert at.clocks.expired_decision(deadline - 0.001) is None
    assert at.clocks.expired_decision(deadline) == at.game.decision


@GAPS
def test_no_automatic_step_and_no_grace_runs_through_it(gap: Gap) -> None:
    at = PausedClocks()
    late = (at.decider + 1) % 3
    with at.owing(late, (at.decider + 2) % 3):
        at.look(1.0)
        gap(at, 3.0, 103.0)
        assert at.clocks.waiting(103.0) is None
        at.look(106.0)
        assert at.clocks.waiting(106.0) == ((late,), int(GRACE * 1000))
        gap(at, 116.0, 316.0)
        assert at.clocks.gone(365.9) is None
        assert at.clocks.gone(366.0) == (late, DropReason.SILENT)


@GAPS
def test_no_wait_around_uno_runs_through_it(gap: Gap) -> None:
    at = PausedClocks()
    at.game.uno_owed = 1
    at.look(10.0)
    gap(at, 11.5, 111.5)
    assert at.clocks.held_until(at.body(Draw()), 112.4) == pytest.approx(112.5)
    assert at.clocks.held_until(at.body(Draw()), 112.5) is None


@GAPS
def test_no_vote_runs_through_it(gap: Gap) -> None:
    at = PausedClocks(Ruleset(advice=True))
    at.game.act((at.decider + 1) % 3, Accuse((at.decider + 2) % 3))
    at.look(10.0)
    gap(at, 20.0, 120.0)
    assert at.clocks.to_settle(125.0) is None
    assert at.clocks.to_settle(125.01 + MARGIN) is Matter.VOTE


def test_a_body_stays_held_while_no_time_counts() -> None:
    at = PausedClocks()
    at.game.uno_owed = 1
    at.look(10.0)
    at.clocks.quorum(10.0, stands=False)
    assert at.clocks.held_until(at.body(Draw()), 10**6) == inf


@GAPS
def test_the_remaining_wait_is_announced_again_after_a_gap(gap: Gap) -> None:
    at = PausedClocks()
    at.clocks.lost(1, 0.0)
    at.look(0.0)
    assert at.clocks.waiting(0.0) == ((1,), int(GRACE * 1000))
    gap(at, 40.0, 540.0)
    now = 540.0 - (READING_SECONDS if gap is pause else 0.0)
    told = at.clocks.waiting(now)
    assert told == ((1,), 20_000)
    assert at.clocks.waiting(now + 0.5) is None


def test_a_loss_in_an_outage_is_reported_at_once_and_again_when_it_is_over() -> None:
    at = PausedClocks()
    at.clocks.quorum(0.0, stands=True)
    at.clocks.lost(1, 0.0)
    at.clocks.quorum(0.0, stands=False)
    assert at.clocks.waiting(0.0) == ((1,), int(GRACE * 1000))
    assert at.clocks.waiting(50.0) is None
    at.clocks.lost(2, 55.0)
    assert at.clocks.waiting(55.0) == ((1, 2), int(GRACE * 1000))
    at.clocks.quorum(66.0, stands=True)
    assert at.clocks.waiting(66.0) == ((1, 2), int(GRACE * 1000))


def test_the_first_quorum_of_a_host_gives_time_again_like_any_other() -> None:
    """The owners that elected the host were the first to come back."""
    at = PausedClocks(Ruleset(grace_first_s=5))
    at.clocks.lost(1, 0.0)
    at.clocks.quorum(0.0, stands=False)
    at.clocks.quorum(30.0, stands=True)
    assert at.clocks.gone(30.0 + RETURN_SECONDS - 0.1) is None
    assert at.clocks.gone(30.0 + RETURN_SECONDS) == (1, DropReason.LOST)
