"""The interface of the engine: what the table may call, and when."""

from __future__ import annotations

import doctest
from types import ModuleType

import pytest

from lanuno.rules.engine import round as engine
from lanuno.rules.engine.actions import Draw, Keep, Object, Play
from lanuno.rules.engine.events import (
    DrawReason,
    NothingToDraw,
    OpenNeeded,
    Passed,
    Reshuffled,
    ShuffleNeeded,
    StartingCardReturned,
    TurnStarted,
)
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import Accusation, RoundPhase, RoundState
from lanuno.rules.errors import IllegalAction, RulesError
from lanuno.rules.match import match
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked


@pytest.mark.parametrize("module", [engine, match])
def test_examples(module: ModuleType) -> None:
    assert doctest.testmod(module).failed == 0


def phase(game: Round) -> RoundPhase:
    """Return the phase; a call stops mypy from narrowing the property."""
    return game.phase


@pytest.mark.parametrize(
    ("seats", "dealer"), [((0,), 0), ((0, 0), 0), ((0, 1), 2)], ids=["one", "twice", "dealer"]
)
def test_no_such_round(seats: tuple[int, ...], dealer: int) -> None:
    with pytest.raises(RulesError, match="two or more"):
        Round(CLASSIC, seats, dealer)


def test_the_order_of_a_round() -> None:
    game = Round(CLASSIC, (0, 1), 0)
    assert phase(game) is RoundPhase.NEW
    assert game.refusal(0, Draw()) is ActRefusal.WAITING
    with pytest.raises(RulesError, match="no shuffle"):
        game.shuffled()
    with pytest.raises(RulesError, match="nobody"):
        game.time_out()
    assert game.start() == [ShuffleNeeded(0, tuple(range(108)), (), 0)]
    assert phase(game) is RoundPhase.SHUFFLE
    with pytest.raises(RulesError, match="has started"):
        game.start()
    with pytest.raises(RulesError, match="not asked for"):
        game.opened(0, 0)
    game.shuffled()
    assert phase(game) is RoundPhase.OPEN
    assert game.opens == [OpenNeeded(2, (14,), None)]
    with pytest.raises(RulesError, match="no such card"):
        game.opened(14, 108)
    with pytest.raises(IllegalAction) as caught:
        game.settle(Matter.CARD)
    assert caught.value.refusal is ActRefusal.WAITING
    game.opened(14, 0)
    assert phase(game) is RoundPhase.TURN
    with pytest.raises(IllegalAction):
        game.act(0, Draw())
    with pytest.raises(RulesError, match="not over"):
        game.reveal({})


@pytest.mark.parametrize(
    ("matter", "why"), [(Matter.CARD, ActRefusal.WRONG_MOMENT), (Matter.VOTE, ActRefusal.NO_VOTING)]
)
def test_nothing_to_settle(matter: Matter, why: ActRefusal) -> None:
    table = CardTable.deal(CLASSIC)
    with pytest.raises(IllegalAction) as caught:
        table.settle(matter)
    assert caught.value.refusal is why


def test_cards_are_dealt_one_at_a_time_from_the_dealers_left() -> None:
    table = CardTable.deal(CLASSIC, 3, dealer=1, seed=1)
    assert table.round.hands == {
        2: list(range(0, 21, 3)),
        0: list(range(1, 21, 3)),
        1: list(range(2, 21, 3)),
    }
    assert list(table.round.hands) == [0, 1, 2]


def test_a_returned_starting_card_goes_in_with_the_locked_slots() -> None:
    four = card("w4")
    game = Round(CLASSIC, (0, 1), 1)
    game.start()
    game.shuffled()
    events = game.opened(14, four)
    assert events == [
        StartingCardReturned(14, four),
        ShuffleNeeded(1, (four,), tuple(range(15, 108)), 108),
    ]
    events = game.shuffled()
    assert events[0] == Reshuffled(94)
    assert events[1] == OpenNeeded(3, (108,), None)
    assert game.opened(108, 0)
    assert (game.pile_next, game.pile_end) == (109, 202)


def test_wrong_cards_on_paper() -> None:
    """A card is refused if the deck does not have it, or the slot is known to hold another."""
    table = CardTable.deal(CLASSIC, 2, deck=stacked({0: "r5"}, "r0", order=(0, 1)))
    slot = table.slot_of(0, card("r5"))
    game = table.round
    assert game.refusal(0, Play(slot, 108)) is ActRefusal.NO_SUCH_CARD
    assert game.refusal(0, Play(slot, -1)) is ActRefusal.NO_SUCH_CARD
    assert game.refusal(0, Play(slot, card("r6")), table.cards) is ActRefusal.WRONG_CARD
    assert game.refusal(0, Play(slot, card("r6"))) is None


def test_a_card_taken_back_is_known_to_all() -> None:
    rules = Ruleset(manners=Manners.HONOUR)
    deck = stacked({0: "b5"}, "r0", order=(0, 1))
    table = CardTable.deal(rules, 2, deck=deck)
    five = card("b5")
    slot = table.slot_of(0, five)
    table.act(0, Play(slot, five))
    table.act(1, Object())
    game = table.round
    assert game.face_up[slot] == five
    while game.decider != 0:
        table.act(1, game.time_out())
    assert game.refusal(0, Play(slot, card("r6"))) is ActRefusal.WRONG_CARD
    assert Play(slot, five) in game.legal(0, {})


def test_a_result_needs_every_hand() -> None:
    deck = stacked({0: "rs r1", 1: "w w4"}, "r0", order=(0, 1), size=2)
    table = CardTable.deal(Ruleset(hand_size=2), 2, deck=deck)
    for name in ("rs", "r1"):
        held = card(name)
        table.act(0, Play(table.slot_of(0, held), held))
    with pytest.raises(RulesError, match="not revealed"):
        table.round.reveal({})
    with pytest.raises(RulesError, match="not revealed"):
        table.round.reveal(dict.fromkeys(table.cards, 108))
    assert table.round.reveal(table.cards).points == (0, 100)


def test_leaving_before_the_deal() -> None:
    game = Round(CLASSIC, (0, 1, 2), 1)
    game.start()
    events = game.drop(1)
    assert game.shuffle == ShuffleNeeded(1, tuple(range(108)), (), 0)
    assert events[-1] == game.shuffle
    game.shuffled()
    assert set(game.hands) == {0, 2}
    game.opened(14, 0)
    assert game.decider == 2
    assert game.drop(1) == []


def test_leaving_before_the_deal_ends_a_round_of_two() -> None:
    game = Round(CLASSIC, (0, 1), 1)
    game.start()
    game.drop(0)
    assert game.over
    result = game.reveal({})
    assert result.left == (0,)
    assert result.winners == ()
    assert game.drop(1) == []


def test_leaving_before_the_starting_card_is_open() -> None:
    game = Round(CLASSIC, (0, 1, 2), 2)
    game.start()
    game.shuffled()
    game.drop(0)
    assert [needed.slots for needed in game.opens] == [(21,), tuple(range(0, 21, 3))]
    game.opened(0, 30)
    game.opened(21, 0)
    assert phase(game) is RoundPhase.OPEN
    for slot in range(3, 21, 3):
        game.opened(slot, 30 + slot)
    assert game.decider == 1
    assert [card for _, card in game.discard] == [48, 45, 42, 39, 36, 33, 30, 0]


def test_leaving_after_having_gone_out_changes_nothing_but_who_shuffles() -> None:
    deck = stacked({0: "rs r+2"}, "r0", order=(0, 1), size=2)
    table = CardTable.deal(Ruleset(hand_size=2), 2, deck=deck)
    skip, two = card("rs"), card("r+2")
    table.act(0, Play(table.slot_of(0, skip), skip))
    # Empty the pile as far as this round knows, so that the last card's draw has to wait.
    game = table.round
    game.pile_next = game.pile_end
    game.act(0, Play(table.slot_of(0, two), two))
    assert phase(game) is RoundPhase.SHUFFLE
    assert [type(event) for event in game.drop(0)] == [ShuffleNeeded]
    game.shuffled()
    assert game.over
    assert game.out == 0


def test_the_hit_player_leaves_before_it_is_asked() -> None:
    """A starting Draw Two could be passed on, and two seats leave while cards are opened."""
    game = Round(Ruleset(stack_draw_two=True, hand_size=2), (0, 1, 2, 3), 3)
    game.start()
    game.shuffled()
    game.drop(0)
    game.opened(8, card("r+2"))
    game.drop(1)
    for slot in (0, 4, 1, 5):
        game.opened(slot, slot)
    assert game.decider == 2
    assert phase(game) is RoundPhase.TURN
    assert game.penalty == 0


def test_a_copy_forgets_nothing_and_shares_nothing_that_changes() -> None:
    """Bots and the simulation search in copies, which must equal the round in every field."""
    game = Round(Ruleset(), (0, 1, 2), 0)
    for number, name in enumerate(RoundState.__slots__):
        value = getattr(game, name)
        if isinstance(value, list):
            value.append(number)
        elif isinstance(value, dict):
            value[number] = [number] if name == "hands" else number
        else:
            setattr(game, name, object())
    game.accusation = Accusation(2, 1, {1: True})
    copy = game.copy()
    for name in RoundState.__slots__:
        if name != "accusation":
            assert getattr(copy, name) == getattr(game, name), name
    assert copy.accusation is not None
    assert copy.accusation is not game.accusation
    assert copy.accusation.public_state() == game.accusation.public_state()
    assert copy.accusation.votes is not game.accusation.votes
    for name in ("hands", "discard", "agenda", "opens", "leaver_slots", "face_up", "accusers"):
        assert getattr(copy, name) is not getattr(game, name), name
    assert copy.first_owner is not game.first_owner
    assert all(copy.hands[seat] is not game.hands[seat] for seat in game.hands)


def test_who_can_draw_nothing_has_passed() -> None:
    """An event reports the pass, and the turn continues."""
    rules = Ruleset(hand_size=20)
    deck = stacked({}, "r0", order=(0, 1, 2, 3, 4), size=20)
    table = CardTable.deal(rules, 5, deck=deck)
    game = table.round
    while game.pile_next < game.pile_end:
        assert game.decider is not None
        table.act(game.decider, Draw())
        table.act(game.decider, Keep())
    seat = game.decider
    assert seat is not None
    table.act(seat, Draw())
    following = (seat + 1) % 5
    assert table.last == [
        NothingToDraw(seat, 1, DrawReason.TURN),
        Passed(seat),
        TurnStarted(following),
    ]
