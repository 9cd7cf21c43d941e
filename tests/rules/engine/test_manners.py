"""Table manners: cards laid on honour, objections, and votes on advice."""

from __future__ import annotations

import pytest

from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Accuse, Draw, Object, Play, Vote
from lanuno.rules.engine.events import (
    Accused,
    DrawReason,
    Drew,
    Objected,
    Settled,
    TurnStarted,
    UnoLapsed,
    Voted,
    VoteDecided,
)
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.errors import IllegalAction
from lanuno.rules.presets import CLASSIC
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.table_of_cards import CardTable, card, stacked
from tests.rules.engine.small_tables import lay, play_of, seen, small_table

HONOUR = Ruleset(manners=Manners.HONOUR, objection_penalty=3)


@pytest.mark.parametrize(
    ("matter", "why"), [(Matter.CARD, ActRefusal.WRONG_MOMENT), (Matter.VOTE, ActRefusal.NO_VOTING)]
)
def test_a_matter_that_is_not_open_cannot_be_settled(matter: Matter, why: ActRefusal) -> None:
    table = CardTable.deal(CLASSIC)
    with pytest.raises(IllegalAction) as caught:
        table.settle(matter)
    assert caught.value.refusal is why


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
        table.act(1, game.clock_action())
    assert game.refusal(0, Play(slot, card("r6"))) is ActRefusal.WRONG_CARD
    assert Play(slot, five) in game.legal(0, {})


def test_an_objection_undoes_the_card_and_costs_its_player_cards_and_the_turn() -> None:
    table = small_table({0: "b1 y2"}, rules=HONOUR)
    game = table.round
    before = (game.top, game.colour, game.passes, game.played, list(game.discard))
    play = play_of(table, 0, "b1")
    table.act(0, play)
    assert (game.phase, game.decider, game.uno_owed) == (RoundPhase.OBJECTION, None, 0)
    first = game.pile_next
    assert seen(table.act(2, Object())) == [
        Objected(0, 2, play.slot, play.card),
        UnoLapsed(0),
        Drew(0, (first, first + 1, first + 2), DrawReason.OBJECTION),
        TurnStarted(1),
    ]
    assert (game.top, game.colour, game.passes, game.played, game.discard) == before
    assert play.slot in game.hands[0]
    assert game.laid is None


def test_a_wild_four_that_is_taken_back_cannot_be_challenged_any_more() -> None:
    table = small_table({0: "r1 w4 b2"}, pile="r9", rules=HONOUR)
    table.act(0, Draw())
    lay(table, 0, "w4", Colour.BLUE)
    assert table.round.accused == 0
    table.act(1, Object())
    assert table.round.accused == NOBODY


def test_a_card_that_nobody_objected_to_takes_effect() -> None:
    table = small_table({0: "bs b1 b2"}, rules=HONOUR)
    lay(table, 0, "bs")
    events = table.settle(Matter.CARD)
    assert events[0] == Settled(0)
    assert events[-1] == TurnStarted(2)


@pytest.mark.parametrize(
    ("seats", "votes", "guilty"),
    [
        (3, "Y", True),
        (3, "N", False),
        (4, "Y", True),
        (4, "NY", True),
        (4, "NN", False),
        (5, "YY", True),
        (5, "NN", False),
        (5, "NY", None),
        (5, "YN", None),
        (5, "YNN", False),
        (6, "YN", None),
        (6, "NNN", False),
    ],
)
def test_a_vote_ends_as_soon_as_the_missing_votes_cannot_change_it(
    seats: int, votes: str, guilty: bool | None
) -> None:
    """Seat 1 accuses seat 0 and so votes yes; the accused has no vote. Half is no majority."""
    table = small_table(rules=Ruleset(advice=True), seats=seats)
    table.act(1, Accuse(0))
    for seat, vote in enumerate(votes, 2):
        assert table.round.accusation is not None
        table.act(seat, Vote(vote == "Y"))
    decided = [event.guilty for event in table.events if isinstance(event, VoteDecided)]
    assert decided == ([] if guilty is None else [guilty])


def test_advice_costs_cards_but_no_turn() -> None:
    table = small_table(rules=Ruleset(advice=True, advice_penalty=3))
    assert table.act(1, Accuse(0)) == [Accused(0, 1)]
    first = table.round.pile_next
    assert seen(table.act(2, Vote(True))) == [
        Voted(2, True),
        VoteDecided(0, True),
        Drew(0, (first, first + 1, first + 2), DrawReason.ADVICE),
    ]
    assert (table.round.phase, table.round.decider) == (RoundPhase.TURN, 0)


def test_missing_votes_count_as_no() -> None:
    table = small_table(rules=Ruleset(advice=True), seats=5)
    table.act(1, Accuse(0))
    table.act(2, Vote(True))
    assert table.settle(Matter.VOTE) == [VoteDecided(0, False)]


@pytest.mark.parametrize(("leaver", "decided"), [(0, [False]), (1, [False]), (2, []), (3, [True])])
def test_a_vote_ends_with_its_parties_and_loses_the_votes_of_leavers(
    leaver: int, decided: list[bool]
) -> None:
    """Seat 1 accused seat 0, seat 2 voted yes and seat 3 no. Without seat 3 two of three agree."""
    table = small_table(rules=Ruleset(advice=True), seats=5)
    table.act(1, Accuse(0))
    table.act(2, Vote(True))
    table.act(3, Vote(False))
    events = table.drop(leaver)
    assert [event.guilty for event in events if isinstance(event, VoteDecided)] == decided
