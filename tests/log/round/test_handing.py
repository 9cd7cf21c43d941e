"""Hands that are shown and hands that move: their boxes, the receivers, and wrong contents."""

from __future__ import annotations

from functools import cache

import pytest

from lanuno.dealing.sealing import seal_info
from lanuno.log.faults import AuditVerdict, Check, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, HaltReason, Payload
from lanuno.log.round import events
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import (
    Action,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    Show,
    Verdict,
)
from lanuno.rules.engine.events import ChallengeDecided, HandOpened
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.challenges import challenged, fours_first
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import RANKS, blame_of, deciding

# ---- shown hands -----------------------------------------------------------------------------


def test_a_true_verdict_is_verified_and_a_false_one_is_not() -> None:
    table = challenged(RoundPhase.VERDICT)
    truth = table.true_verdict()
    seat = table.engine.challenger
    right, wrong = table.fork(), table.fork()
    right.add(seat, right.act(seat, truth))
    assert right.run().audit().verdict is AuditVerdict.VERIFIED
    wrong.add(seat, wrong.act(seat, Verdict(not truth.guilty)))
    assert blame_of(wrong) == [(seat, Fault.FALSE_VERDICT)]


def test_a_disputed_true_verdict_is_blamed_and_a_false_one_is_not() -> None:
    table = challenged(RoundPhase.VERDICT)
    truth = table.true_verdict()
    seat, accused = table.engine.challenger, table.engine.accused
    halt = bodies.Halt(HaltReason.WRONG_VERDICT, seat)
    right, wrong = table.fork(), table.fork()
    right.add(seat, right.act(seat, truth))
    right.add(accused, halt)
    assert blame_of(right) == [(accused, Fault.FALSE_HALT)]
    wrong.add(seat, wrong.act(seat, Verdict(not truth.guilty)))
    wrong.add(accused, halt)
    assert blame_of(wrong) == [(seat, Fault.FALSE_VERDICT)]


def test_a_hand_is_shown_sealed() -> None:
    table = challenged(RoundPhase.SHOW)
    act = bodies.Act(table.engine.decision, Show(), b"")
    assert table.refusal_of(table.engine.accused, act) is RefusalReason.WRONG_SHAPE
    refusing = table.fork()
    refusing.add(table.engine.accused, bodies.Act(table.engine.decision, RefuseShow(), b""))
    assert refusing.run().audit().verdict is AuditVerdict.VERIFIED


@pytest.mark.parametrize(
    "wrong",
    [
        *("no box", "for another use", "for another decision", "for no decision"),
        *("another hand", "too little", "no keys"),
    ],
)
def test_a_box_that_does_not_hold_the_hand(wrong: str) -> None:
    table = challenged(RoundPhase.SHOW)
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
    table.add(accused, bodies.Act(decision, Show(), proof))
    quiet = table.fork()
    table.add(challenger, bodies.Halt(HaltReason.BAD_SEAL, accused))
    assert blame_of(table) == [(accused, Fault.BAD_SEAL)]
    # The audit also finds it if the challenger gave no verdict.
    quiet.add(HOST, bodies.TimeOut(quiet.engine.decision))
    assert blame_of(quiet) == [(accused, Fault.BAD_SEAL)]


def test_a_box_cannot_be_checked_without_its_receivers_seeds() -> None:
    table = challenged(RoundPhase.VERDICT)
    challenger = table.engine.challenger
    table.add(1 - challenger, bodies.Halt(HaltReason.WRONG_VERDICT, challenger))
    if challenger == table.replay.host:
        report = table.audit()
    else:
        table.add(HOST, bodies.Drop(challenger, bodies.DropReason.LOST))
        report = table.run().audit()
    assert report.verdict is not AuditVerdict.CHEATING
    keys = [check for check in report.rounds[-1].checks if check.name is Check.KEYS]
    assert [(check.ok, check.detail) for check in keys] == [(False, "a seed is missing")]


def test_a_false_claim_of_a_bad_seal_is_blamed() -> None:
    table = challenged(RoundPhase.VERDICT)
    challenger = table.engine.challenger
    table.add(challenger, bodies.Halt(HaltReason.BAD_SEAL, table.engine.accused))
    assert blame_of(table) == [(challenger, Fault.FALSE_HALT)]


# ---- hands opened to everybody --------------------------------------------------------------


def test_without_a_verdict_the_hand_is_opened_and_the_rules_judge() -> None:
    table = challenged(RoundPhase.VERDICT)
    truth = table.true_verdict()
    accused, hand = table.engine.accused, table.engine.accused_hand
    held = {slot: table.all_cards()[slot] for slot in hand}
    challenger = table.engine.challenger
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    assert (table.engine.phase, table.engine.decider) == (RoundPhase.OPEN_HAND, accused)
    happened = table.add(accused, table.act(accused, OpenHand()))
    assert HandOpened(accused, hand, truth.guilty) in happened
    assert ChallengeDecided(challenger, accused, truth.guilty) in happened
    assert held.items() <= table.engine.face_up.items()
    assert not set(held.values()) & table.log.hidden
    report = table.run().audit()
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
    assert all(each.complete for each in report.rounds)


@pytest.mark.parametrize("by_clock", [True, False])
def test_a_hand_that_is_not_opened_is_guilty_and_nobody_is_blamed(by_clock: bool) -> None:
    table = challenged(RoundPhase.OPEN_HAND)
    accused, challenger = table.engine.accused, table.engine.challenger
    if by_clock:
        happened = table.add(HOST, bodies.TimeOut(table.engine.decision))
    else:
        happened = table.add(accused, table.act(accused, RefuseShow()))
    assert ChallengeDecided(challenger, accused, True) in happened
    assert table.run().audit().verdict is AuditVerdict.VERIFIED


def test_a_challenger_may_say_that_it_gives_no_verdict() -> None:
    table = challenged(RoundPhase.VERDICT)
    challenger = table.engine.challenger
    table.add(challenger, table.act(challenger, RefuseVerdict()))
    assert table.engine.phase is RoundPhase.OPEN_HAND
    assert table.run().audit().verdict is AuditVerdict.VERIFIED


def test_every_key_of_an_open_hand_comes_with_it() -> None:
    table = challenged(RoundPhase.OPEN_HAND)
    accused = table.engine.accused
    right = table.act(accused, OpenHand())
    for proof in (b"", right.proof[:-1], right.proof[:-32], right.proof + bytes(32)):
        wrong = bodies.Act(right.decision, OpenHand(), proof)
        assert table.refusal_of(accused, wrong) is RefusalReason.WRONG_SHAPE
    assert table.refusal_of(1 - accused, right) is RefusalReason.ILLEGAL


@pytest.mark.parametrize("place", [0, -1])
def test_a_wrong_key_of_an_open_hand_is_its_authors_fault(place: int) -> None:
    table = challenged(RoundPhase.OPEN_HAND)
    accused = table.engine.accused
    act = table.act(accused, OpenHand())
    keys = [act.proof[at : at + 32] for at in range(0, len(act.proof), 32)]
    keys[place] = b"\x22" * 32
    table.add(accused, bodies.Act(act.decision, OpenHand(), b"".join(keys)))
    assert [(each.seat, each.fault) for each in table.log.faults] == [(accused, Fault.BAD_KEY)]
    assert blame_of(table) == [(accused, Fault.BAD_KEY)]


def test_cards_of_an_open_hand_are_played_like_any_other() -> None:
    """Their keys are already public; they go to the discard pile and into the next shuffle."""
    table = challenged(RoundPhase.OPEN_HAND)
    accused = table.engine.accused
    opened = set(table.engine.accused_hand)
    table.add(accused, table.act(accused, OpenHand()))
    table.choose = lambda each, seat, acts: next(
        (act for act in acts if isinstance(act, Play) and act.slot in opened), acts[0]
    )
    table.run(lambda each: opened.isdisjoint(each.engine.hands[accused]))
    assert table.run().audit().verdict is AuditVerdict.VERIFIED


def test_a_hand_that_opens_to_no_card_voids_the_round() -> None:
    """Another seat spoiled a card; its holder does not halt and has to open it."""
    table = challenged(RoundPhase.OPEN_HAND)
    accused = table.engine.accused
    slot = table.engine.accused_hand[0]
    table.log.hidden.discard(table.all_cards()[slot])
    table.add(accused, table.act(accused, OpenHand()))
    assert table.log.void is VoidReason.NO_CARD


def test_an_open_hand_that_once_was_anothers() -> None:
    """The last keys belong to the seats first dealt the slots; the holder has received them."""
    moved = 0
    for salt in range(200):
        table = new_table(3, Ruleset(hand_size=6, seven_zero=True), salt=salt)
        table.choose = movers_and_fours
        if not comes_to(table, RoundPhase.VERDICT):
            continue
        engine = table.engine
        accused, truth, hand = engine.accused, table.true_verdict(), engine.accused_hand
        others = [slot for slot in hand if table.log.key_owner(slot, accused) != accused]
        if not others:
            continue
        table.add(HOST, bodies.TimeOut(engine.decision))
        happened = table.add(accused, table.act(accused, OpenHand()))
        assert HandOpened(accused, hand, truth.guilty) in happened
        assert set(others) <= table.engine.face_up.keys()
        report = table.run().audit()
        assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
        moved += 1
        if moved == 2:
            return
    raise AssertionError("no such table among them")


def comes_to(table: LogTable, moment: RoundPhase) -> bool:
    while table.replay.closed is None:
        current = table.replay.round
        playing = current is not None and current.number and current.phase is ProtocolPhase.PLAY
        if playing and table.engine.phase is moment and deciding(table):
            return True
        table.step()
    return False


def movers_and_fours(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    moves = [
        act for act in acts if isinstance(act, Play) and RANKS[act.card] in (Rank.SEVEN, Rank.ZERO)
    ]
    return moves[0] if moves else fours_first(table, seat, acts)


# ---- moved hands ----------------------------------------------------------------------------

SEVEN_ZERO = Ruleset(hand_size=3, seven_zero=True)


def movers_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    for act in acts:
        if isinstance(act, Play) and RANKS[act.card] in (Rank.SEVEN, Rank.ZERO):
            return act
    return next((act for act in acts if isinstance(act, Play)), acts[0])


def moving(*ranks: Rank) -> LogTable:
    """Return a table where such a card has just moved hands and no key is handed over yet."""
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
    assert not any(table.log.can_read_hand(seat) for seat in range(3))
    report = table.run().audit()
    assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())


def test_keys_are_handed_over_once_by_the_giver() -> None:
    table = moving(Rank.SEVEN, Rank.ZERO)
    number, move = next(iter(table.log.moves.items()))
    right = table.hand_over(number)
    assert table.refusal_of(move.to, right) is RefusalReason.NOT_NOW
    assert table.refusal_of(move.seat, bodies.HandOver(99, right.sealed)) is RefusalReason.NOT_NOW
    assert table.refusal_of(move.seat, bodies.HandOver(number, b"")) is RefusalReason.WRONG_SHAPE
    happened = table.add(move.seat, right)
    assert happened == [events.HandGiven(move.seat, move.to, number)]
    assert table.refusal_of(move.seat, right) is RefusalReason.NOT_NOW


def test_cards_still_being_dealt_move_with_the_hand() -> None:
    """A seat receives a hand in which one card has not been unlocked yet."""
    for salt in range(100):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        while table.replay.closed is None:
            before = (
                {need.number: need.to for need in table.replay.round.needs.values()}
                if (table.replay.round is not None)
                else {}
            )
            if deciding(table) and table.log.phase is ProtocolPhase.PLAY:
                table.decide()
            else:
                table.step()
            now = {need.number: need.to for need in table.log.needs.values()}
            moved = [number for number, to in now.items() if before.get(number, to) != to]
            if moved:
                assert table.log.moves
                report = table.run().audit()
                assert (report.verdict, report.blame) == (AuditVerdict.VERIFIED, ())
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
    table.add(move.seat, bodies.HandOver(number, sealed))
    table.add(move.to, bodies.Halt(HaltReason.BAD_SEAL, move.seat))
    assert blame_of(table) == [(move.seat, Fault.BAD_SEAL)]


def test_nobody_is_blamed_for_keys_that_another_locked_with() -> None:
    """Seat 1 locks with scalars that its seed does not give; its cards go on to honest seats.

    Those seats pass on the keys that seat 1 published and gave them. They cannot check more.
    """
    passed_on = 0
    for salt in range(30):
        table = new_table(3, SEVEN_ZERO, salt=salt, choose=movers_first)
        table.run(lambda each: each.replay.number == 1)
        table.doubling_seats = frozenset({1})
        table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
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
    table.add(move.to, bodies.Halt(HaltReason.NO_CARD, None))
    assert table.refusal_of(move.seat, right) is RefusalReason.NOT_NOW
    assert blame_of(table) == [(move.to, Fault.FALSE_HALT)]


def test_of_two_seats_that_go_together_the_first_may_end_the_round() -> None:
    """Both seeds are recovered, but the first seat still owed the keys of a hand."""

    def owing(table: LogTable) -> bool:
        return table.replay.number > 0 and any(move.seat == 1 for move in table.log.moves.values())

    for salt in range(60):
        table = new_table(5, SEVEN_ZERO, bots={4: 1}, salt=salt, choose=movers_first)
        try:
            table.run(owing)
        except AssertionError:
            continue
        table.drop(1)
        table.run(lambda each: not each.log.recovering)
        assert set(table.log.recovered) == {1, 4}
        assert table.log.void is VoidReason.LOST
        assert table.log.voided_by == {1}
        assert not table.log.departed
        return
    raise AssertionError("no hand moved")
