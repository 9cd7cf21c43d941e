"""Actions and the clock: what is refused, what is proven at once, what only the audit can see."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec
import pytest

from lanuno.dealing.sealing import seal, seal_info
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, HaltReason, Payload
from lanuno.log.faults import Check, Fault, Refusal, Verdict, VoidReason
from lanuno.log.round_record import Phase
from lanuno.rules.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    Object,
    Play,
    RefuseShow,
    SayUno,
    Show,
    Vote,
)
from lanuno.rules.actions import Verdict as Word
from lanuno.rules.cards import Rank, deck_tables
from lanuno.rules.manners import Matter
from lanuno.rules.ruleset import DrawRule, Manners, Ruleset, WildFour
from lanuno.rules.state import Phase as Moment
from tests.log.log_table import SHORT, Choose, LogTable, new_table

RANKS = deck_tables(108).ranks


def deciding(table: LogTable) -> bool:
    """Somebody has to decide and can read its cards."""
    current = table.replay.round
    if current is None or current.number == 0 or current.engine.decider is None:
        return False
    return current.reads_its_cards(current.engine.decider)


def blame_of(table: LogTable) -> list[tuple[int | None, Fault]]:
    report = table.run().audit()
    assert report.verdict is Verdict.CHEATING
    return [(each.seat, each.fault) for each in report.blame]


def plays(table: LogTable, seat: int) -> list[Play]:
    legal = table.engine.legal(seat, table.cards(seat))
    return [act for act in legal if isinstance(act, Play)]


def find(
    good: Callable[[LogTable], bool],
    ruleset: Ruleset,
    players: int = 2,
    choose: Choose | None = None,
) -> LogTable:
    """A table that comes to such a point; tries one after the other."""
    for salt in range(200):
        table = new_table(players, ruleset, salt=salt)
        table.choose = choose or table.choose
        for _ in range(400):
            if deciding(table) and good(table):
                return table
            if not table.step():
                break
    raise AssertionError("no such table among them")


@pytest.fixture(scope="module")
def turn() -> LogTable:
    """Three players; somebody's turn who can play a card."""

    def can_play(table: LogTable) -> bool:
        seat = table.engine.decider
        return table.engine.phase is Moment.TURN and seat is not None and bool(plays(table, seat))

    return find(can_play, SHORT, 3)


# ---- refused --------------------------------------------------------------------------------


def test_nobody_acts_before_the_cards_are_dealt() -> None:
    table = new_table(2)
    for _ in range(12):
        table.step()
        for payload in (bodies.Act(0, Draw(), b""), bodies.TimeOut(0), bodies.Settle(Matter.CARD)):
            author = 0 if isinstance(payload, bodies.Act) else HOST
            assert table.refused(author, payload) is Refusal.NOT_NOW


def test_an_act_answers_the_decision_that_is_open(turn: LogTable) -> None:
    seat, decision = turn.engine.decider, turn.engine.decision
    assert seat is not None
    for other in (decision - 1, decision + 1, 2**32 - 1):
        for action in (Draw(), SayUno()):
            if other < decision and isinstance(action, SayUno):
                continue
            assert turn.refused(seat, bodies.Act(other, action, b"")) is Refusal.STALE_DECISION
    assert turn.refused(seat, bodies.Act(decision - 1, SayUno(), b"")) is Refusal.ILLEGAL


@pytest.mark.parametrize(
    "action",
    [
        Keep(),
        Accept(),
        Challenge(),
        Show(),
        RefuseShow(),
        Word(True),
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
def test_what_the_rules_forbid_for_all_to_see(turn: LogTable, action: Action) -> None:
    seat = turn.engine.decider
    assert seat is not None
    act = bodies.Act(turn.engine.decision, action, bytes(32))
    assert turn.refused(seat, act) is Refusal.ILLEGAL


def test_only_what_has_something_to_prove_brings_a_proof(turn: LogTable) -> None:
    seat = turn.engine.decider
    assert seat is not None
    draw = bodies.Act(turn.engine.decision, Draw(), b"x")
    assert turn.refused(seat, draw) is Refusal.WRONG_SHAPE
    card = plays(turn, seat)[0]
    right = turn.act(seat, card)
    for proof in (b"", right.proof[:-1], right.proof + b"\x00"):
        wrong = msgspec.structs.replace(right, proof=proof)
        assert turn.refused(seat, wrong) is Refusal.WRONG_SHAPE


def test_nobody_acts_on_cards_that_it_cannot_read_yet() -> None:
    """Nor does the clock decide for it."""

    def choose(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        del table, seat
        return next((act for act in acts if isinstance(act, Draw)), acts[-1])

    table = new_table(3, choose=choose).run(deciding)
    table.decide()
    seat, decision = table.engine.decider, table.engine.decision
    assert seat is not None
    assert table.engine.phase is Moment.DRAWN
    assert not table.log.reads_its_cards(seat)
    assert table.refused(seat, bodies.Act(decision, Keep(), b"")) is Refusal.NOT_NOW
    assert table.refused(HOST, bodies.TimeOut(decision)) is Refusal.NOT_NOW
    table.run(deciding)
    table.fork().say(HOST, bodies.TimeOut(decision))
    table.say(seat, bodies.Act(decision, Keep(), b""))


def test_no_card_is_opened_before_all_other_keys_are_out() -> None:
    """The needs see to that; were one forgotten, nothing would be opened."""

    def drawn_unread(table: LogTable) -> bool:
        current = table.replay.round
        if current is None or current.number == 0 or table.engine.phase is not Moment.DRAWN:
            return False
        return not current.reads_its_cards(table.engine.decider or 0)

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
    assert table.refused(seat_of(table), table.act(seat_of(table), drawn_play(table))) is (
        Refusal.NOT_NOW
    )


def test_a_draw_answers_the_stock_that_its_author_saw(turn: LogTable) -> None:
    """Signed before the stock was there, or before it ran out."""
    seat, decision = turn.engine.decider, turn.engine.decision
    assert seat is not None
    early = turn.entries[turn.log.stock_entry - 1].hash
    act = bodies.Act(decision, Draw(), b"")
    assert turn.refusal(turn.signed(seat, act, head=early)) is Refusal.STALE_DECISION
    seen = turn.entries[turn.log.stock_entry].hash
    turn.fork().append(turn.signed(seat, act, head=seen))
    card = turn.act(seat, plays(turn, seat)[0])
    turn.fork().append(turn.signed(seat, card, head=early))


# ---- words at any time ----------------------------------------------------------------------


def silent(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Plays without ever saying "UNO"."""
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
        assert table.refusal(early) is Refusal.STALE_DECISION
        # An older decision number is all right: such words answer none.
        late = bodies.Act(0, action, b"")
        fork = table.fork()
        assert isinstance(fork.say(seat, late)[0], events.ActionTaken)
        assert fork.run().audit().verdict is Verdict.VERIFIED


def test_a_vote_is_about_the_accusation_that_its_author_saw() -> None:
    table = new_table(5, Ruleset(hand_size=2, advice=True)).run(deciding)
    first = table.replay.head
    table.say(1, bodies.Act(table.engine.decision, Accuse(2), b""))
    vote = bodies.Act(table.engine.decision, Vote(True), b"")
    held_back = table.signed(3, vote, head=first)
    assert table.refusal(held_back) is Refusal.STALE_DECISION
    table.say(3, vote)
    table.say(4, bodies.Act(table.engine.decision, Vote(False), b""))
    running = table.engine.accusation
    table.say(HOST, bodies.Settle(Matter.VOTE))
    assert (running is None, table.engine.accusation) == (False, None)
    assert table.run().audit().verdict is Verdict.VERIFIED


def test_an_objection_is_about_the_card_that_its_author_saw() -> None:
    ruleset = Ruleset(hand_size=2, manners=Manners.HONOUR)

    def wrong_card(table: LogTable) -> bool:
        seat = table.engine.decider
        assert seat is not None
        return table.engine.phase is Moment.TURN and bool(misfits(table, seat))

    table = find(wrong_card, ruleset)
    seat, before = table.engine.decider, table.replay.head
    assert seat is not None
    other = 1 - seat
    table.say(seat, table.act(seat, misfits(table, seat)[0]))
    act = bodies.Act(table.engine.decision, Object(), b"")
    assert table.refusal(table.signed(other, act, head=before)) is Refusal.STALE_DECISION
    kept = table.fork()
    kept.say(HOST, bodies.Settle(Matter.CARD))
    assert kept.run().audit().verdict is Verdict.VERIFIED
    table.say(other, act)
    # The card is back in the hand, for all to see, and can be played again.
    assert table.run().audit().verdict is Verdict.VERIFIED


def misfits(table: LogTable, seat: int) -> list[Play]:
    """Cards that do not fit but can be laid on honour."""
    engine, cards = table.engine, table.cards(seat)
    found = []
    for slot in engine.hands[seat]:
        card = cards[slot]
        fits = card in engine.deck.playable[engine.colour][engine.deck.ranks[engine.top]]
        if not fits and engine.refusal(seat, Play(slot, card), {}) is None:
            found.append(Play(slot, card))
    return found


# ---- proven at once -------------------------------------------------------------------------


def test_a_wrong_key_with_a_card(turn: LogTable) -> None:
    table = turn.fork()
    seat = table.engine.decider
    assert seat is not None
    act = msgspec.structs.replace(table.act(seat, plays(table, seat)[0]), proof=b"\x07" * 32)
    assert isinstance(table.say(seat, act)[0], events.FaultFound)
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
    table.say(seat, act)
    assert table.log.void is VoidReason.FAULT
    assert blame_of(table) == [(seat, Fault.ILLEGAL_PLAY)]


def test_a_slot_that_opens_to_a_card_that_lies_elsewhere(turn: LogTable) -> None:
    """Who is to blame the audit finds: here nobody, so the record is bent on purpose."""
    table = turn.fork()
    seat = table.engine.decider
    assert seat is not None
    card = plays(table, seat)[0]
    table.log.hidden.discard(card.card)
    happened = table.say(seat, table.act(seat, card))
    assert table.log.void is VoidReason.NO_CARD
    assert isinstance(happened[0], events.RoundVoided)


# ---- the clock ------------------------------------------------------------------------------


def test_the_clock_decides_once_for_each_decision(turn: LogTable) -> None:
    table = turn.fork()
    seat, decision = table.engine.decider, table.engine.decision
    assert seat is not None
    assert table.refused(HOST, bodies.TimeOut(decision + 1)) is Refusal.STALE_DECISION
    happened = table.say(HOST, bodies.TimeOut(decision))
    assert happened[0] == events.ActionTaken(seat, Draw(), by_clock=True)
    assert table.refused(HOST, bodies.TimeOut(decision)) is Refusal.STALE_DECISION


def test_nobody_is_blamed_for_what_the_clock_did() -> None:
    """Where a playable card has to be played, the clock draws and keeps all the same."""
    ruleset = Ruleset(hand_size=4, draw=DrawRule.STUCK, forced_play=True)

    def can_play(table: LogTable) -> bool:
        seat = table.engine.decider
        return table.engine.phase is Moment.TURN and seat is not None and bool(plays(table, seat))

    table = find(can_play, ruleset)
    seat = table.engine.decider
    assert seat is not None
    clock = table.fork()
    clock.say(HOST, bodies.TimeOut(clock.engine.decision))
    assert clock.run().audit().verdict is Verdict.VERIFIED
    table.say(seat, bodies.Act(table.engine.decision, Draw(), b""))
    assert blame_of(table) == [(seat, Fault.ILLEGAL_PLAY)]


def test_where_nobody_decides_the_clock_does_not_either() -> None:
    table = new_table(2, Ruleset(hand_size=3, manners=Manners.HONOUR)).run(
        lambda each: (
            each.replay.number == 1
            and each.log.phase.name == "PLAY"
            and each.engine.phase is Moment.OBJECTION
        )
    )
    assert table.refused(HOST, bodies.TimeOut(table.engine.decision)) is Refusal.NOT_NOW
    assert table.refused(HOST, bodies.Settle(Matter.VOTE)) is Refusal.NOT_NOW


# ---- what only the audit can see ------------------------------------------------------------


def illegal_fours(table: LogTable, seat: int) -> list[Play]:
    """Wild Draw Fours that only the rest of the hand forbids."""
    engine, cards = table.engine, table.cards(seat)
    return [
        Play(slot, cards[slot], 0)
        for slot in engine.hands[seat]
        if RANKS[cards[slot]] == Rank.WILD_DRAW_FOUR
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
    table.say(seat, table.act(seat, illegal_fours(table, seat)[0]))
    assert blame_of(table) == [(seat, Fault.ILLEGAL_PLAY)]


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
    "wrong", ["no box", "for another use", "another hand", "too little", "no keys"]
)
def test_a_box_that_does_not_hold_the_hand(wrong: str) -> None:
    table = challenged(Moment.SHOW)
    accused, challenger = table.engine.accused, table.engine.challenger
    hand, others = table.engine.accused_hand, table.engine.hands[challenger]
    box, log = table.log.commits[challenger].view_key, table.log
    info = seal_info(log.table_id, log.open_hash, accused, challenger, "show")
    proof: bytes = {
        "no box": bytes(80),
        "for another use": table.sealed(accused, challenger, hand, "escrow"),
        "another hand": table.sealed(challenger, challenger, others, "show"),
        "too little": table.sealed(accused, challenger, hand[:-1], "show"),
        "no keys": seal(bytes(32 * len(hand)), box, info),
    }[wrong]
    table.say(accused, bodies.Act(table.engine.decision, Show(), proof))
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
    assert report.verdict is Verdict.INCOMPLETE
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
        "another use": table.sealed(move.seat, move.to, move.slots, "show"),
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
        blame = blame_of(table)
        assert set(blame) == {(1, Fault.BAD_LOCK)}
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
