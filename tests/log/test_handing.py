"""Hands that are shown and hands that move: what is sealed, to whom, and what if it is wrong."""

from __future__ import annotations

from functools import cache

import pytest

from lanuno.dealing.sealing import seal_info
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, HaltReason, Payload
from lanuno.log.faults import Check, Fault, Refusal, Verdict
from lanuno.log.round_audit import audit_round
from lanuno.log.round_record import Phase
from lanuno.rules.actions import (
    Action,
    Challenge,
    Play,
    RefuseShow,
    Show,
)
from lanuno.rules.actions import Verdict as Word
from lanuno.rules.cards import Rank
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import Phase as Moment
from tests.dealing.boxes import seal
from tests.log.log_table import LogTable, new_table
from tests.log.moments import RANKS, blame_of, deciding, find

# ---- hands that are shown --------------------------------------------------------------------


def fours_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Plays Wild Draw Fours as soon as it has one, and challenges all of them."""
    for act in acts:
        if isinstance(act, Play) and RANKS[act.card] == Rank.WILD_DRAW_FOUR:
            return act
    return next((act for act in acts if isinstance(act, Challenge | Show | Play)), acts[0])


@cache
def once_challenged(moment: Moment) -> LogTable:
    return find(lambda each: each.engine.phase is moment, Ruleset(hand_size=5), 2, fours_first)


def challenged(moment: Moment) -> LogTable:
    """A table where a Wild Draw Four was challenged."""
    return once_challenged(moment).fork()


def test_a_true_verdict_is_verified_and_a_false_one_is_not() -> None:
    table = challenged(Moment.VERDICT)
    truth = table.true_verdict()
    seat = table.engine.challenger
    right, wrong = table.fork(), table.fork()
    right.say(seat, right.act(seat, truth))
    assert right.run().audit().verdict is Verdict.VERIFIED
    wrong.say(seat, wrong.act(seat, Word(not truth.guilty)))
    assert blame_of(wrong) == [(seat, Fault.FALSE_VERDICT)]
    # The clock acquits, which is nobody's fault.
    clock = table.fork()
    clock.say(HOST, bodies.TimeOut(clock.engine.decision))
    assert clock.run().audit().verdict is Verdict.VERIFIED


def test_whoever_disputes_a_true_verdict_is_named_and_a_false_one_is_not() -> None:
    table = challenged(Moment.VERDICT)
    truth = table.true_verdict()
    seat, accused = table.engine.challenger, table.engine.accused
    halt = bodies.Halt(HaltReason.WRONG_VERDICT, seat)
    right, wrong = table.fork(), table.fork()
    right.say(seat, right.act(seat, truth))
    right.say(accused, halt)
    assert blame_of(right) == [(accused, Fault.FALSE_HALT)]
    wrong.say(seat, wrong.act(seat, Word(not truth.guilty)))
    wrong.say(accused, halt)
    assert blame_of(wrong) == [(seat, Fault.FALSE_VERDICT)]


def test_a_hand_is_shown_sealed() -> None:
    table = challenged(Moment.SHOW)
    act = bodies.Act(table.engine.decision, Show(), b"")
    assert table.refused(table.engine.accused, act) is Refusal.WRONG_SHAPE
    refusing = table.fork()
    refusing.say(table.engine.accused, bodies.Act(table.engine.decision, RefuseShow(), b""))
    assert refusing.run().audit().verdict is Verdict.VERIFIED


@pytest.mark.parametrize(
    "wrong",
    [
        *("no box", "for another use", "for another decision", "for no decision"),
        *("another hand", "too little", "no keys"),
    ],
)
def test_a_box_that_does_not_hold_the_hand(wrong: str) -> None:
    table = challenged(Moment.SHOW)
    accused, challenger = table.engine.accused, table.engine.challenger
    hand, others = table.engine.accused_hand, table.engine.hands[challenger]
    box, log = table.log.commits[challenger].view_key, table.log
    decision = table.engine.decision
    purpose = f"show {decision}"
    info = seal_info(log.table_id, log.open_hash, accused, challenger, purpose)
    proof: bytes = {
        "no box": bytes(80),
        "for another use": table.sealed(accused, challenger, hand, "escrow"),
        "for another decision": table.sealed(accused, challenger, hand, f"show {decision + 1}"),
        "for no decision": table.sealed(accused, challenger, hand, "show"),
        "another hand": table.sealed(challenger, challenger, others, purpose),
        "too little": table.sealed(accused, challenger, hand[:-1], purpose),
        "no keys": seal(bytes(32 * len(hand)), box, info),
    }[wrong]
    table.say(accused, bodies.Act(decision, Show(), proof))
    quiet = table.fork()
    table.say(challenger, bodies.Halt(HaltReason.BAD_SEAL, accused))
    assert blame_of(table) == [(accused, Fault.BAD_SEAL)]
    # Also found where the challenger said nothing.
    quiet.say(HOST, bodies.TimeOut(quiet.engine.decision))
    assert blame_of(quiet) == [(accused, Fault.BAD_SEAL)]


def test_a_box_cannot_be_checked_without_its_receivers_seeds() -> None:
    table = challenged(Moment.VERDICT)
    challenger = table.engine.challenger
    table.say(1 - challenger, bodies.Halt(HaltReason.WRONG_VERDICT, challenger))
    if challenger == table.replay.host:
        report = table.audit()
    else:
        table.say(HOST, bodies.Drop(challenger, bodies.DropReason.LOST))
        report = table.run().audit()
    assert report.verdict is not Verdict.CHEATING
    keys = [check for check in report.rounds[-1].checks if check.name is Check.KEYS]
    assert [(check.ok, check.detail) for check in keys] == [(False, "a seed is missing")]


def test_whoever_claims_a_bad_seal_without_one_is_named() -> None:
    table = challenged(Moment.VERDICT)
    challenger = table.engine.challenger
    table.say(challenger, bodies.Halt(HaltReason.BAD_SEAL, table.engine.accused))
    assert blame_of(table) == [(challenger, Fault.FALSE_HALT)]


# ---- hands that move ------------------------------------------------------------------------

SEVEN_ZERO = Ruleset(hand_size=3, seven_zero=True)


def movers_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    for act in acts:
        if isinstance(act, Play) and RANKS[act.card] in (Rank.SEVEN, Rank.ZERO):
            return act
    return next((act for act in acts if isinstance(act, Play)), acts[0])


def moving(*ranks: Rank) -> LogTable:
    """A table where hands move because of such a card, and no key is handed over yet."""
    return once_moving(ranks).fork()


@cache
def once_moving(ranks: tuple[Rank, ...]) -> LogTable:
    for salt in range(100):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        while table.step():
            current = table.replay.round
            if current is not None and current.moves and RANKS[table.engine.top] in ranks:
                return table
    raise AssertionError("no such table among them")


@pytest.mark.parametrize("rank", [Rank.SEVEN, Rank.ZERO])
def test_hands_that_move_can_be_read_played_and_audited(rank: Rank) -> None:
    table = moving(rank)
    assert len(table.log.moves) == (2 if rank is Rank.SEVEN else 3)
    assert not any(table.log.reads_its_cards(seat) for seat in range(3))
    report = table.run().audit()
    assert (report.verdict, report.blame) == (Verdict.VERIFIED, ())


def test_keys_are_handed_over_once_by_the_giver() -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    number, move = next(iter(table.log.moves.items()))
    right = table.hand_over(number)
    assert table.refused(move.to, right) is Refusal.NOT_NOW
    assert table.refused(move.seat, bodies.HandOver(99, right.sealed)) is Refusal.NOT_NOW
    assert table.refused(move.seat, bodies.HandOver(number, b"")) is Refusal.WRONG_SHAPE
    happened = table.say(move.seat, right)
    assert happened == [events.HandGiven(move.seat, move.to, number)]
    assert table.refused(move.seat, right) is Refusal.NOT_NOW


def test_cards_still_being_dealt_move_with_the_hand() -> None:
    """Somebody is given a hand of which a card has not been unlocked yet."""
    for salt in range(100):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        while table.replay.closed is None:
            before = (
                {need.number: need.to for need in table.replay.round.needs.values()}
                if (table.replay.round is not None)
                else {}
            )
            if deciding(table) and table.log.phase is Phase.PLAY:
                table.decide()
            else:
                table.step()
            now = {need.number: need.to for need in table.log.needs.values()}
            moved = [number for number, to in now.items() if before.get(number, to) != to]
            if moved:
                assert table.log.moves
                report = table.run().audit()
                assert (report.verdict, report.blame) == (Verdict.VERIFIED, ())
                return
    raise AssertionError("no such table among them")


@pytest.mark.parametrize("wrong", ["no box", "another use", "another hand"])
def test_keys_that_are_not_those_of_the_hand(wrong: str) -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    number, move = next(iter(table.log.moves.items()))
    sealed: bytes = {
        "no box": bytes(112),
        "another use": table.sealed(move.seat, move.to, move.slots, f"move {number + 1}"),
        "another hand": table.sealed(move.seat, move.to, move.slots[::-1], f"move {number}"),
    }[wrong]
    if wrong == "another hand" and len(move.slots) < 2:
        sealed = table.sealed(move.seat, move.to, (), f"move {number}")
    table.say(move.seat, bodies.HandOver(number, sealed))
    table.say(move.to, bodies.Halt(HaltReason.BAD_SEAL, move.seat))
    assert blame_of(table) == [(move.seat, Fault.BAD_SEAL)]


def test_nobody_is_blamed_for_keys_that_another_locked_with() -> None:
    """Seat 1 locks with other scalars than its seed's; its cards go on to hands of honest seats.

    What those seal further is what seat 1 published and gave them, and all that they can check.
    """
    passed_on = 0
    for salt in range(30):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        table.run(lambda each: each.replay.number == 1)
        table.odd = frozenset({1})
        table.run(lambda each: each.log.phase is Phase.ATTEST)
        found = {(each.seat, each.fault) for each in audit_round(table.log).blame}
        assert found == {(1, Fault.BAD_LOCK)}
        passed_on += sum(
            shown.seat != 1
            and any(table.log.key_owner(slot, shown.seat) == 1 for slot in shown.slots)
            for shown in table.log.shown
        )
        if passed_on:
            return
    raise AssertionError("no such table among them")


def test_a_round_that_ends_owes_no_keys_any_more() -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    move = next(iter(table.log.moves.values()))
    right: Payload = table.hand_over(move.number)
    table.say(move.to, bodies.Halt(HaltReason.NO_CARD, None))
    assert table.refused(move.seat, right) is Refusal.NOT_NOW
    assert blame_of(table) == [(move.to, Fault.FALSE_HALT)]
