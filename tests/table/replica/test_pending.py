"""Bodies that a seat has signed and that are not in its log yet: which are still valid."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, Payload, SignedBody, sign_body
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Action, Catch, Draw, OpenHand, SayUno, Show, Verdict
from lanuno.rules.engine.round import Round
from lanuno.table.recovery import RecoveredSeat
from lanuno.table.replica.pending import (
    MOST_PENDING,
    PendingBodies,
    SentBody,
    fits_still,
    may_come_late,
    steps_done_by,
    still_wanted,
)
from tests.harness.host_and_seats.small_table import SmallTable, in_phase, passes, turns
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.replaying import replayed


def _signed(replay: Replay, counter: int, payload: Payload, seat: int = 1) -> SignedBody:
    body = Body(replay.table_id, replay.number, seat, counter, replay.head, payload)
    return sign_body(body, identity(0 if seat == bodies.HOST else seat))


def _sent(replay: Replay, counter: int, payload: Payload, seat: int = 1) -> SentBody:
    signed = _signed(replay, counter, payload, seat)
    return SentBody(signed, payload, replay.number, replay.head)


def _engine(replay: Replay) -> Round:
    assert replay.round is not None
    assert isinstance(replay.round.engine, Round)
    return replay.round.engine


def _act(decision: int, action: Action) -> bodies.Act:
    return bodies.Act(decision, action, b"")


@cache
def _played() -> SmallTable:
    return SmallTable(3, 1).run(turns(2)).settle()


def _playing() -> Replay:
    table = _played()
    return replayed(table.genesis, table.journal)


# ---- what is remembered -------------------------------------------------------------------------


def test_no_counter_is_used_again_after_a_start() -> None:
    replay = _playing()
    leave = _signed(replay, 40, bodies.Leave())
    assert PendingBodies().counter == 0
    assert PendingBodies(RecoveredSeat(next_counter=12)).counter == 12
    assert PendingBodies(RecoveredSeat(bodies={40: leave}, next_counter=12)).counter == 41
    assert PendingBodies(RecoveredSeat(bodies={40: leave}, next_counter=90)).counter == 90


def test_an_unreadable_body_is_not_sent_again() -> None:
    kept = RecoveredSeat(bodies={7: SignedBody(b"\xc0", bytes(64))})
    assert (len(PendingBodies(kept)), PendingBodies(kept).counter) == (0, 8)


def test_the_last_ones_that_were_kept_are_remembered() -> None:
    replay = _playing()
    first = replay.next_counter(1)
    kept = {
        first + number: _signed(replay, first + number, bodies.Leave())
        for number in range(MOST_PENDING + 3)
    }
    pending = PendingBodies(RecoveredSeat(bodies=kept))
    assert len(pending) == MOST_PENDING
    assert pending.under_way(replay, 1)[0][0] == first + 3
    [(_, last)] = pending.under_way(replay, 1)[-1:]
    assert last.signed == kept[max(kept)]
    assert (last.round, last.head) == (replay.number, replay.head)


def test_the_oldest_is_forgotten_first() -> None:
    replay = _playing()
    pending, first = PendingBodies(), replay.next_counter(1)
    for number in range(MOST_PENDING + 1):
        pending.put(first + number, _sent(replay, first + number, bodies.Leave()))
    assert len(pending) == MOST_PENDING
    assert pending.take(first) is None
    assert pending.take(first + 1) is not None
    assert pending.take(first + 1) is None


def test_a_body_with_a_used_counter_is_not_under_way() -> None:
    replay = _playing()
    pending, unused = PendingBodies(), replay.next_counter(1)
    pending.put(unused - 1, _sent(replay, unused - 1, bodies.Leave()))
    assert pending.under_way(replay, 1) == []
    assert not pending.has(replay, 1, bodies.Leave)
    pending.put(unused, _sent(replay, unused, bodies.Listen(5)))
    assert [counter for counter, _ in pending.under_way(replay, 1)] == [unused]
    assert pending.has(replay, 1, bodies.Listen)
    assert not pending.has(replay, 1, bodies.Leave)


def test_the_repr_of_pending_bodies_shows_no_secret() -> None:
    pending = PendingBodies(RecoveredSeat(seeds={(bytes(32), "round"): b"seed of a round" * 2}))
    assert repr(pending) == "PendingBodies(0 bodies, <secret>)"
    assert "seed of" not in repr(_sent(_playing(), 1, bodies.Leave()))


# ---- still valid --------------------------------------------------------------------------------


def test_the_same_bytes_fit_only_on_a_head_that_is_known_in_their_round() -> None:
    replay = _playing()
    sent = _sent(replay, 1, bodies.Leave())
    assert fits_still(replay, sent)
    assert not fits_still(replay, replace(sent, head=bytes(32)))
    assert not fits_still(replay, replace(sent, round=sent.round + 1))
    closed = SmallTable(3, 1).run().host_role.replay
    late = SentBody(sent.signed, sent.payload, closed.number, closed.head)
    assert not fits_still(closed, late)


def _wanted(replay: Replay, payload: Payload, seat: int = 1) -> bool:
    return still_wanted(replay, seat, {}, _sent(replay, 99, payload, seat))


def test_bodies_about_the_table_are_wanted_until_they_are_true() -> None:
    replay = _playing()
    assert _wanted(replay, bodies.Leave())
    assert not _wanted(replay, bodies.Return())
    assert _wanted(replay, bodies.Listen(4711))
    replay.ports[1] = 4711
    assert not _wanted(replay, bodies.Listen(4711))
    assert _wanted(replay, bodies.Listen(4712))
    assert not _wanted(replay, bodies.Reveal(bytes(32), bytes(32))), "that is an automatic step"


def _append(replay: Replay, seat: int, payload: Payload) -> None:
    signed = _signed(replay, replay.next_counter(seat), payload, seat)
    replay.append(signed, replay.times.ms, identity(0))


def test_a_leaving_seat_need_not_leave_again_and_a_dropped_seat_may_return() -> None:
    replay = _playing()
    _append(replay, 1, bodies.Leave())
    assert 1 in replay.leaving
    assert not _wanted(replay, bodies.Leave())
    _append(replay, bodies.HOST, bodies.Drop(1, bodies.DropReason.LEFT))
    assert 1 in replay.dropped
    assert not _wanted(replay, bodies.Leave())
    assert _wanted(replay, bodies.Return())


def test_an_act_is_wanted_while_its_decision_is_open_and_it_is_legal() -> None:
    replay = _playing()
    engine = _engine(replay)
    decider = engine.decider
    assert decider is not None
    draw = _act(engine.decision, Draw())
    assert _wanted(replay, draw, decider)
    assert not _wanted(replay, draw, (decider + 1) % 3)
    assert not _wanted(replay, _act(engine.decision - 1, Draw()), decider)
    assert not _wanted(replay, _act(engine.decision, Catch((decider + 1) % 3)), decider)
    sent = _sent(replay, 99, draw, decider)
    assert not still_wanted(replay, decider, {}, replace(sent, round=sent.round - 1))


def test_a_claim_is_wanted_while_its_round_is_played() -> None:
    table = SmallTable(3, 1).run(turns(2)).settle()
    replay = table.host_role.replay
    halt = bodies.Halt(bodies.HaltReason.NO_CARD, None)
    assert _wanted(replay, halt)
    sent = _sent(replay, 99, halt)
    assert not still_wanted(replay, 1, {}, replace(sent, round=sent.round + 1))
    table.run(in_phase(1, ProtocolPhase.REVEAL))
    assert not _wanted(replay, halt)


def test_acts_and_halts_are_not_wanted_before_or_after_play() -> None:
    first = (
        SmallTable(3, 1).run(lambda each: each.host_role.replay.round is not None).host_role.replay
    )
    stopped = SmallTable(3, 1).run(turns(1)).settle()
    engine = _engine(stopped.host_role.replay)
    decider, draw = engine.decider, _act(engine.decision, Draw())
    assert decider is not None
    stopped.host_role.stop(stopped.now)
    closed = stopped.host_role.replay
    assert closed.closed is not None
    assert closed.round is not None
    assert closed.round.phase is ProtocolPhase.PLAY
    for replay in (Replay(first.genesis), first, closed):
        assert not _wanted(replay, draw, decider)
        assert not _wanted(replay, _act(0, Draw()), 1)
        assert not _wanted(replay, bodies.Halt(bodies.HaltReason.NO_CARD, None))
    assert not may_come_late(Replay(first.genesis), _act(1, SayUno()))


def test_while_the_dealer_is_chosen_nothing_is_played() -> None:
    def choosing(table: SmallTable) -> bool:
        current = table.host_role.replay.round
        return current is not None and (current.number, current.phase) == (0, ProtocolPhase.PLAY)

    replay = SmallTable(3, 1).run(choosing).host_role.replay
    assert not _wanted(replay, _act(0, Draw()))


def test_a_late_word_may_be_right_while_cards_are_played() -> None:
    table = SmallTable(3, 1).run(turns(2)).settle()
    replay = table.host_role.replay
    engine = _engine(replay)
    for action in (SayUno(), Catch(0)):
        assert may_come_late(replay, _act(engine.decision - 1, action))
    assert not may_come_late(replay, _act(engine.decision, Draw()))
    assert not may_come_late(replay, bodies.Leave())
    table.run(in_phase(1, ProtocolPhase.REVEAL))
    assert not may_come_late(replay, _act(1, SayUno()))


def test_a_complaint_excuses_from_a_pass_and_from_the_share_it_is_about() -> None:
    replay = SmallTable(3, 1).run(passes(1, 1)).host_role.replay
    [seat] = [step.seat for step in automatic_steps(replay) if step.kind is AutomaticStepKind.PASS]
    found = steps_done_by(replay, seat, bodies.Complain((seat + 1) % 3, bytes(32)))
    assert [(step.seat, step.kind) for step in found] == [(seat, AutomaticStepKind.PASS)]
    assert steps_done_by(replay, (seat + 1) % 3, bodies.Complain(seat, bytes(32))) == ()


def test_a_complaint_about_a_share_excuses_from_that_share_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    due = (
        AutomaticStep(1, AutomaticStepKind.SHARE, 1, 0),
        AutomaticStep(1, AutomaticStepKind.SHARE, 1, 2),
        AutomaticStep(2, AutomaticStepKind.SHARE, 1, 0),
        AutomaticStep(1, AutomaticStepKind.UNLOCK, 1, 0),
    )
    monkeypatch.setattr("lanuno.table.replica.pending.automatic_steps", lambda replay: due)
    assert steps_done_by(_playing(), 1, bodies.Complain(0, bytes(32))) == due[:1]
    assert steps_done_by(_playing(), 1, bodies.Complain(2, bytes(32))) == due[1:2]


# ---- after catching up --------------------------------------------------------------------------


def test_pending_bodies_are_sent_again_signed_anew_or_discarded() -> None:
    replay = _playing()
    engine = _engine(replay)
    decider = engine.decider
    assert decider is not None
    pending, unused = PendingBodies(), replay.next_counter(decider)
    draw = _act(engine.decision, Draw())
    old = replace(_sent(replay, unused + 1, draw, decider), head=bytes(32))
    moot = replace(_sent(replay, unused + 2, bodies.Return(), decider), head=bytes(32))
    listen = _sent(replay, unused, bodies.Listen(4711), decider)
    pending.put(unused, listen)
    pending.put(unused + 1, old)
    pending.put(unused + 2, moot)
    again = pending.sort_out(replay, decider, {})
    assert again.send_again == (listen,)
    assert again.sign_anew == (old,)
    assert not again.lost
    assert len(pending) == 1, "what is to be signed anew gets another counter"


def test_a_pending_act_is_sent_again_only_if_it_may_still_be_right() -> None:
    replay = _playing()
    engine = _engine(replay)
    unused = replay.next_counter(1)
    late = _sent(replay, unused, _act(engine.decision - 1, SayUno()))
    draw = _sent(replay, unused, _act(engine.decision - 1, Draw()))
    for sent, same, lost in ((late, (late,), False), (draw, (), True)):
        pending = PendingBodies()
        pending.put(unused, sent)
        again = pending.sort_out(replay, 1, {})
        assert (again.send_again, again.sign_anew, again.lost) == (same, (), lost)


def test_a_body_in_doubt_is_not_signed_anew() -> None:
    replay = _playing()
    pending, unused = PendingBodies(), replay.next_counter(1)
    leave = replace(_sent(replay, unused, bodies.Leave()), head=bytes(32), sign_anew=False)
    pending.put(unused, leave)
    again = pending.sort_out(replay, 1, {})
    assert (again.send_again, again.sign_anew, again.lost) == ((), (), False)


@pytest.mark.parametrize(
    ("action", "back", "lost"),
    [
        *((Draw(), 0, True), (Draw(), 1, False), (Show(), 0, False)),
        *((Verdict(guilty=True), 0, False), (OpenHand(), 0, False)),
    ],
)
def test_a_decision_that_is_dropped_is_told_if_a_player_made_it(
    action: Draw | Show | Verdict | OpenHand, back: int, lost: bool
) -> None:
    replay = _playing()
    pending, unused = PendingBodies(), replay.next_counter(1)
    act = _act(_engine(replay).decision - 1, action)
    sent = _sent(replay, unused, act)
    pending.put(unused, replace(sent, head=bytes(32), round=sent.round - back))
    again = pending.sort_out(replay, 1, {})
    assert (again.send_again, again.sign_anew) == ((), ())
    assert again.lost is lost
    assert len(pending) == 0


def test_a_step_that_is_still_due_goes_out_again_as_it_was() -> None:
    replay = SmallTable(3, 1).run(in_phase(1, ProtocolPhase.COMMIT)).host_role.replay
    due = [step for step in automatic_steps(replay) if step.kind is AutomaticStepKind.COMMIT]
    seat = due[0].seat
    pending, unused = PendingBodies(), replay.next_counter(seat)
    commit = bodies.Commit(bytes(32), bytes(32), (), bytes(32))
    pending.put(unused, _sent(replay, unused, commit, seat))
    [same] = pending.sort_out(replay, seat, {}).send_again
    assert same.steps == (due[0],)
    assert isinstance(same.steps[0], AutomaticStep)


def test_an_act_of_a_lost_end_is_signed_anew_only_where_its_decision_is_seen_now() -> None:
    replay = _playing()
    engine = _engine(replay)
    decider = engine.decider
    assert decider is not None
    pending, unused = PendingBodies(), replay.next_counter(decider)
    now, before = _act(engine.decision, Draw()), _act(engine.decision - 1, Draw())
    sent = [_sent(replay, unused, each, decider) for each in (now, before, bodies.Listen(1))]
    sent = [replace(each, head=bytes(32)) for each in sent]
    sent += [_sent(replay, unused, before, decider), replace(sent[0], sign_anew=False)]
    sent += [replace(sent[0], round=sent[0].round - 1)]
    for counter, each in enumerate(sent, unused):
        pending.put(counter, each)
    pending.withdraw(replay)
    found = [each.sign_anew for _, each in pending.under_way(replay, decider)]
    assert found == [True, False, True, True, False, False]
