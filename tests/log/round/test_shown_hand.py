"""Hands that are shown to a challenger or opened to everybody: boxes, keys and wrong contents."""

from __future__ import annotations

import pytest

from lanuno.dealing.sealing import seal_info
from lanuno.dealing.slots import SlotTable
from lanuno.log.faults import AuditVerdict, Check, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, HaltReason
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.log.round.shown_hand import (
    hand_content,
    holds_keys,
    purpose_of_move,
    purpose_of_show,
    slot_key,
)
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
from tests.dealing.players import company, key_of, new_deal, play, secrets_of, table_of
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.challenges import challenged, fours_first
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import RANKS, blame_of, deciding

# ---- shown hands ----------------------------------------------------------------------------


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


# ---- the keys of a hand ----------------------------------------------------------------------

HAND, OWNERS = (4, 1, 3), (0, 1, 0)
"""Slots in the order of the hand; the first owner of each, whose key is the last."""


@pytest.fixture(scope="module")
def slots() -> SlotTable:
    return table_of(play(new_deal(0, 108, range(6), (0, 1)), company((0, 1))))


def last_key(slots: SlotTable, place: int) -> bytes:
    return slot_key(slots, secrets_of(OWNERS[place]), HAND[place])


def test_a_hand_holds_the_last_key_of_each_slot_in_its_order(slots: SlotTable) -> None:
    keys = dict(zip(HAND, (last_key(slots, place) for place in range(3)), strict=True))
    content = hand_content(keys.__getitem__, HAND)
    assert content == b"".join(keys.values())
    assert holds_keys(content, slots, HAND, OWNERS)
    assert holds_keys(b"", slots, (), ())


def test_wrong_keys_of_a_hand_are_detected(slots: SlotTable) -> None:
    first, second, third = (last_key(slots, place) for place in range(3))
    for wrong in (
        b"",
        first + second,  # too few
        first + second + third[:-1],
        first + second + third + third,
        third + second + first,  # in another order
        first + second + slot_key(slots, secrets_of(1), HAND[2]),  # of another seat
        first + second + slot_key(slots, secrets_of(0, salt=1), HAND[2]),  # of another seed
        first + second + bytes(32),  # not a scalar
        b"\xff" * 32 + second + third,
    ):
        assert not holds_keys(wrong, slots, HAND, OWNERS)


def test_keys_are_found_in_the_deal_of_their_slot() -> None:
    secrets = company((0, 1))
    deals = [play(new_deal(at, 108, range(3), (0, 1), first_slot=3 * at), secrets) for at in (0, 1)]
    both = table_of(*deals)
    for deal in deals:
        for slot in deal.slots:
            key = slot_key(both, secrets[0], slot)
            assert key == key_of(secrets[0], deal, slot)
            assert both.release(0, slot, key)


def test_each_challenge_and_each_move_has_a_purpose_of_its_own() -> None:
    """A box with one purpose does not open with another."""
    purposes = [
        purpose(number) for purpose in (purpose_of_show, purpose_of_move) for number in (1, 2)
    ]
    assert purposes == ["show 1", "show 2", "move 1", "move 2"]
