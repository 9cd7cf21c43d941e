"""Actions and the clock: refusals, faults that the log proves, and faults only an audit can see."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import AuditVerdict, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST
from lanuno.log.round import events
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Verdict,
    Vote,
)
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.ruleset import DrawRule, Manners, Ruleset, WildFour
from tests.harness.log_table.log_table import SHORT, LogTable, new_table
from tests.harness.log_table.moments import RANKS, blame_of, deciding, find, plays


@pytest.fixture(scope="module")
def turn() -> LogTable:
    """Three players, one of whom is on turn and can play a card."""

    def can_play(table: LogTable) -> bool:
        seat = table.engine.decider
        return (
            table.engine.phase is RoundPhase.TURN and seat is not None and bool(plays(table, seat))
        )

    return find(can_play, SHORT, 3)


# ---- refused --------------------------------------------------------------------------------


def test_nobody_acts_before_the_cards_are_dealt() -> None:
    table = new_table(2)
    for _ in range(12):
        table.step()
        for payload in (bodies.Act(0, Draw(), b""), bodies.TimeOut(0), bodies.Settle(Matter.CARD)):
            author = 0 if isinstance(payload, bodies.Act) else HOST
            assert table.refusal_of(author, payload) is RefusalReason.NOT_NOW


def test_an_act_answers_the_decision_that_is_open(turn: LogTable) -> None:
    seat, decision = turn.engine.decider, turn.engine.decision
    assert seat is not None
    for other in (decision - 1, decision + 1, 2**32 - 1):
        for action in (Draw(), SayUno()):
            if other < decision and isinstance(action, SayUno):
                continue
            assert (
                turn.refusal_of(seat, bodies.Act(other, action, b""))
                is RefusalReason.STALE_DECISION
            )
    assert turn.refusal_of(seat, bodies.Act(decision - 1, SayUno(), b"")) is RefusalReason.ILLEGAL


@pytest.mark.parametrize(
    "action",
    [
        Keep(),
        Accept(),
        Challenge(),
        Show(),
        RefuseShow(),
        OpenHand(),
        RefuseVerdict(),
        Verdict(True),
        SayUno(),
        Catch(0),
        Catch(2**63),
        Object(),
        Vote(True),
        Accuse(1),
        Play(2**64 - 1, -(2**63)),
        Play(-1, 2**64 - 1),
    ],
)
def test_an_act_that_the_public_state_forbids_is_refused(turn: LogTable, action: Action) -> None:
    seat = turn.engine.decider
    assert seat is not None
    act = bodies.Act(turn.engine.decision, action, bytes(32))
    assert turn.refusal_of(seat, act) is RefusalReason.ILLEGAL


def test_only_what_has_something_to_prove_brings_a_proof(turn: LogTable) -> None:
    seat = turn.engine.decider
    assert seat is not None
    draw = bodies.Act(turn.engine.decision, Draw(), b"x")
    assert turn.refusal_of(seat, draw) is RefusalReason.WRONG_SHAPE
    card = plays(turn, seat)[0]
    right = turn.act(seat, card)
    for proof in (b"", right.proof[:-1], right.proof + b"\x00"):
        wrong = msgspec.structs.replace(right, proof=proof)
        assert turn.refusal_of(seat, wrong) is RefusalReason.WRONG_SHAPE


def test_nobody_acts_on_cards_that_it_cannot_read_yet() -> None:
    """The clock does not decide for such a seat either."""

    def choose(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        del table, seat
        return next((act for act in acts if isinstance(act, Draw)), acts[-1])

    table = new_table(3, choose=choose).run(deciding)
    table.decide()
    seat, decision = table.engine.decider, table.engine.decision
    assert seat is not None
    assert table.engine.phase is RoundPhase.DRAWN
    assert not table.log.can_read_hand(seat)
    assert table.refusal_of(seat, bodies.Act(decision, Keep(), b"")) is RefusalReason.NOT_NOW
    assert table.refusal_of(HOST, bodies.TimeOut(decision)) is RefusalReason.NOT_NOW
    table.run(deciding)
    table.fork().add(HOST, bodies.TimeOut(decision))
    table.add(seat, bodies.Act(decision, Keep(), b""))


def test_no_card_is_opened_before_all_other_keys_are_out() -> None:
    """The needs ensure this; the key check also refuses the play if a need is missing."""

    def drawn_unread(table: LogTable) -> bool:
        current = table.replay.round
        if current is None or current.number == 0 or table.engine.phase is not RoundPhase.DRAWN:
            return False
        return not current.can_read_hand(table.engine.decider or 0)

    def fits(table: LogTable) -> bool:
        return table.engine.refusal(seat_of(table), drawn_play(table), {}) is None

    def seat_of(table: LogTable) -> int:
        assert table.engine.decider is not None
        return table.engine.decider

    def drawn_play(table: LogTable) -> Play:
        slot = table.engine.drawn
        assert slot is not None
        card = table.all_cards()[slot]
        return Play(slot, card, 0 if RANKS[card] >= Rank.WILD else None)

    tables = (
        new_table(3, salt=salt, choose=lambda each, seat, acts: acts[-1]).run(drawn_unread)
        for salt in range(50)
    )
    table = next(table for table in tables if fits(table))
    table.log.needs.clear()
    assert table.refusal_of(seat_of(table), table.act(seat_of(table), drawn_play(table))) is (
        RefusalReason.NOT_NOW
    )


def test_a_draw_answers_the_stock_that_its_author_saw(turn: LogTable) -> None:
    """Signed before the stock existed, or before it ran out, a draw is refused."""
    seat, decision = turn.engine.decider, turn.engine.decision
    assert seat is not None
    early = turn.entries[turn.log.draw_change_entry - 1].hash
    act = bodies.Act(decision, Draw(), b"")
    assert turn.refusal(turn.signed(seat, act, head=early)) is RefusalReason.STALE_DECISION
    seen = turn.entries[turn.log.draw_change_entry].hash
    turn.fork().append(turn.signed(seat, act, head=seen))
    card = turn.act(seat, plays(turn, seat)[0])
    turn.fork().append(turn.signed(seat, card, head=early))


# ---- words at any time ----------------------------------------------------------------------


def silent(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Play without ever saying "UNO"."""
    del table, seat
    return next((act for act in acts if isinstance(act, Play) and not act.uno), acts[0])


def owing(table: LogTable) -> bool:
    current = table.replay.round
    return current is not None and current.number > 0 and table.engine.uno_owed is not None


def test_uno_is_said_and_caught_by_those_who_saw_the_card() -> None:
    table = new_table(3, choose=silent).run(owing)
    owed = table.engine.uno_owed
    assert owed is not None
    other = (owed + 1) % 3
    before = table.entries[-2].hash
    for seat, action in ((owed, SayUno()), (other, Catch(owed))):
        act = bodies.Act(table.engine.decision, action, b"")
        early = table.signed(seat, act, head=before)
        assert table.refusal(early) is RefusalReason.STALE_DECISION
        # An older decision number is valid: these words answer no decision.
        late = bodies.Act(0, action, b"")
        fork = table.fork()
        assert isinstance(fork.add(seat, late)[0], events.ActionTaken)
        assert fork.run().audit().verdict is AuditVerdict.VERIFIED


def test_a_vote_is_about_the_accusation_that_its_author_saw() -> None:
    table = new_table(5, Ruleset(hand_size=2, advice=True)).run(deciding)
    first = table.replay.head
    table.add(1, bodies.Act(table.engine.decision, Accuse(2), b""))
    vote = bodies.Act(table.engine.decision, Vote(True), b"")
    held_back = table.signed(3, vote, head=first)
    assert table.refusal(held_back) is RefusalReason.STALE_DECISION
    table.add(3, vote)
    table.add(4, bodies.Act(table.engine.decision, Vote(False), b""))
    running = table.engine.accusation
    table.add(HOST, bodies.Settle(Matter.VOTE))
    assert (running is None, table.engine.accusation) == (False, None)
    assert table.run().audit().verdict is AuditVerdict.VERIFIED


def test_an_objection_is_about_the_card_that_its_author_saw() -> None:
    ruleset = Ruleset(hand_size=2, manners=Manners.HONOUR)

    def wrong_card(table: LogTable) -> bool:
        seat = table.engine.decider
        assert seat is not None
        return table.engine.phase is RoundPhase.TURN and bool(misfits(table, seat))

    table = find(wrong_card, ruleset)
    seat, before = table.engine.decider, table.replay.head
    assert seat is not None
    other = 1 - seat
    table.add(seat, table.act(seat, misfits(table, seat)[0]))
    act = bodies.Act(table.engine.decision, Object(), b"")
    assert table.refusal(table.signed(other, act, head=before)) is RefusalReason.STALE_DECISION
    kept = table.fork()
    kept.add(HOST, bodies.Settle(Matter.CARD))
    assert kept.run().audit().verdict is AuditVerdict.VERIFIED
    table.add(other, act)
    # The card is back in the hand, visible to everybody, and can be played again.
    assert table.run().audit().verdict is AuditVerdict.VERIFIED


def misfits(table: LogTable, seat: int) -> list[Play]:
    """Return plays of cards that do not fit but can be laid on honour."""
    engine, cards = table.engine, table.cards(seat)
    found = []
    for slot in engine.hands[seat]:
        card = cards[slot]
        fits = card in engine.deck.playable[engine.colour][engine.deck.ranks[engine.top]]
        if not fits and engine.refusal(seat, Play(slot, card), {}) is None:
            found.append(Play(slot, card))
    return found


# ---- proven by the log ----------------------------------------------------------------------


def test_a_wrong_key_with_a_card(turn: LogTable) -> None:
    table = turn.fork()
    seat = table.engine.decider
    assert seat is not None
    act = msgspec.structs.replace(table.act(seat, plays(table, seat)[0]), proof=b"\x07" * 32)
    assert isinstance(table.add(seat, act)[0], events.FaultFound)
    assert blame_of(table) == [(seat, Fault.BAD_KEY)]


def test_a_card_under_another_name(turn: LogTable) -> None:
    table = turn.fork()
    seat = table.engine.decider
    assert seat is not None
    slot = table.engine.hands[seat][0]
    held, cards = table.cards(seat)[slot], range(108)
    name = next(
        card
        for card in cards
        if card != held and table.engine.refusal(seat, Play(slot, card), {}) is None
    )
    act = bodies.Act(table.engine.decision, Play(slot, name), table.key(seat, slot))
    table.add(seat, act)
    assert table.log.void is VoidReason.FAULT
    assert blame_of(table) == [(seat, Fault.ILLEGAL_PLAY)]


def test_a_slot_that_opens_to_a_card_that_lies_elsewhere(turn: LogTable) -> None:
    """The audit finds who cheated. Nobody did here, so the test manipulates the record."""
    table = turn.fork()
    seat = table.engine.decider
    assert seat is not None
    card = plays(table, seat)[0]
    table.log.hidden.discard(card.card)
    happened = table.add(seat, table.act(seat, card))
    assert table.log.void is VoidReason.NO_CARD
    assert isinstance(happened[0], events.RoundVoided)


# ---- the clock ------------------------------------------------------------------------------


def test_the_clock_decides_once_for_each_decision(turn: LogTable) -> None:
    table = turn.fork()
    seat, decision = table.engine.decider, table.engine.decision
    assert seat is not None
    assert table.refusal_of(HOST, bodies.TimeOut(decision + 1)) is RefusalReason.STALE_DECISION
    happened = table.add(HOST, bodies.TimeOut(decision))
    assert happened[0] == events.ActionTaken(seat, Draw(), by_clock=True)
    assert table.refusal_of(HOST, bodies.TimeOut(decision)) is RefusalReason.STALE_DECISION


def test_nobody_is_blamed_for_what_the_clock_did() -> None:
    """Where a playable card must be played, the clock nevertheless draws and keeps."""
    ruleset = Ruleset(hand_size=4, draw=DrawRule.STUCK, forced_play=True)

    def can_play(table: LogTable) -> bool:
        seat = table.engine.decider
        return (
            table.engine.phase is RoundPhase.TURN and seat is not None and bool(plays(table, seat))
        )

    table = find(can_play, ruleset)
    seat = table.engine.decider
    assert seat is not None
    clock = table.fork()
    clock.add(HOST, bodies.TimeOut(clock.engine.decision))
    assert clock.run().audit().verdict is AuditVerdict.VERIFIED
    table.add(seat, bodies.Act(table.engine.decision, Draw(), b""))
    assert blame_of(table) == [(seat, Fault.ILLEGAL_PLAY)]


def test_the_clock_decides_nothing_while_no_seat_has_a_decision() -> None:
    table = new_table(2, Ruleset(hand_size=3, manners=Manners.HONOUR)).run(
        lambda each: (
            each.replay.number == 1
            and each.log.phase.name == "PLAY"
            and each.engine.phase is RoundPhase.OBJECTION
        )
    )
    assert table.refusal_of(HOST, bodies.TimeOut(table.engine.decision)) is RefusalReason.NOT_NOW
    assert table.refusal_of(HOST, bodies.Settle(Matter.VOTE)) is RefusalReason.NOT_NOW


# ---- visible only to the audit --------------------------------------------------------------


def illegal_fours(table: LogTable, seat: int) -> list[Play]:
    """Return Wild Draw Fours that only the rest of the hand makes illegal."""
    engine, cards = table.engine, table.cards(seat)
    return [
        Play(slot, cards[slot], 0)
        for slot in engine.hands[seat]
        if RANKS[cards[slot]] == Rank.WILD_FOUR
        and engine.refusal(seat, Play(slot, cards[slot], 0), {}) is None
        and engine.refusal(seat, Play(slot, cards[slot], 0), cards) is not None
    ]


@pytest.mark.parametrize("rule", [WildFour.STRICT, WildFour.STRICTEST])
def test_a_wild_draw_four_against_the_strict_rule(rule: WildFour) -> None:
    def can_cheat(table: LogTable) -> bool:
        seat = table.engine.decider
        return seat is not None and bool(illegal_fours(table, seat))

    table = find(can_cheat, Ruleset(hand_size=7, wild_four=rule))
    seat = table.engine.decider
    assert seat is not None
    table.add(seat, table.act(seat, illegal_fours(table, seat)[0]))
    assert blame_of(table) == [(seat, Fault.ILLEGAL_PLAY)]
