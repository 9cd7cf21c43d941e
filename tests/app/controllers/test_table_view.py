"""The prompts of the table name exactly the acts that the rules allow, in any game."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from lanuno.app.controllers.table_view import ScreenState, TableView, table_view
from lanuno.client.snapshot import TableStage
from lanuno.log.format.bodies import DropReason
from lanuno.rules.engine.actions import (
    ANY_TIME,
    Accept,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Play,
    Swap,
)
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Manners, Ruleset
from lanuno.rules.validation import validate
from tests.app.announcements import plain
from tests.app.pictures.tables import Simulated
from tests.harness.rounds.any_rules import any_ruleset

WORDS = {
    "Your turn: play a card or draw": {Play, Draw},
    "Your turn: play a card or pass": {Play, Draw},
    "Your turn: play a card": {Play},
    "Your turn: nothing fits, so draw a card": {Draw},
    "Your turn: nothing fits, so draw until something does": {Draw},
    "Your turn: nothing fits and nothing is left to draw, so pass": {Draw},
    "Play the card you drew, or keep it": {Play, Keep},
    "Play the card you drew, or draw another one": {Play, Draw},
    "The card you drew fits: play it": {Play},
    "The card you drew does not fit: draw another one": {Draw},
    "The card you drew does not fit: keep it": {Keep},
    "Draw %n cards, challenge, or pass them on": {Accept, Challenge, Play},
    "Draw %n cards and lose your turn, or challenge": {Accept, Challenge},
    "Draw %n cards and lose your turn, or pass them on": {Accept, Play},
    "You must draw %n cards and lose your turn": {Accept},
    "You start: choose a colour": {NameColour},
    "Choose whose hand you take": {Swap},
}
"""The kinds of act that each prompt names: exactly these must be legal."""

RARE = {
    "Your turn: nothing fits and nothing is left to draw, so pass",
    "Your turn: play a card or pass",
    "Play the card you drew, or draw another one",
}
"""Prompts that need an empty draw pile, or a bluff that has just been drawn."""

BY_PROGRAM = (RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND)
STEPS = 400
SAMPLES = 10


def games() -> list[tuple[str, Ruleset, int]]:
    """Return every preset, alone and with each house rule, and two more rulesets."""
    found = []
    for name, rules in PRESETS.items():
        seats = playable_seats(rules)[0]
        found.append((name, rules, seats))
        for house in HOUSE_RULES:
            with_rule = msgspec.structs.replace(rules, **{house: True})
            if validate(with_rule, seats) is None:
                found.append((f"{name}+{house}", with_rule, seats))
    everything = msgspec.structs.replace(PRESETS["classic"], **dict.fromkeys(HOUSE_RULES, True))
    honour = msgspec.structs.replace(PRESETS["classic"], manners=Manners.HONOUR)
    return [*found, ("everything", everything, 4), ("honour", honour, 3)]


def without_count(text: str) -> str:
    """Return the source text of a prompt. Without a translation, %n is filled in with a number."""
    return " ".join("%n" if word.isdigit() else word for word in text.split(" "))


def compare(table: Simulated) -> str:
    """Check the prompt and the buttons of this moment against the legal acts; return the prompt."""
    snapshot = table.snapshot()
    view = snapshot.view
    assert view is not None
    shown = table_view(snapshot, ScreenState())
    kinds = {type(act) for act in view.legal if not isinstance(act, ANY_TIME)}
    prompt = without_count(shown.prompt)
    if not snapshot.to_move:
        assert prompt.endswith("but you can jump in") == bool(kinds), (prompt, kinds)
        assert not shown.challenge_question["open"]
        return ""
    if view.phase in BY_PROGRAM:
        return ""
    assert WORDS[prompt] == kinds, (prompt, kinds, view.phase)
    passes = view.draw_pile == 0 and shown.draw_passes
    assert prompt.endswith("pass") == (Draw in kinds and passes and view.phase is RoundPhase.TURN)
    buttons(shown, kinds)
    return prompt


def buttons(shown: TableView, kinds: set[type]) -> None:
    """Check that there is a button or a dialog for each act that the prompt names, and no other."""
    assert shown.can_draw == (Draw in kinds)
    assert shown.can_keep == (Keep in kinds)
    asked = shown.challenge_question
    assert asked["open"] == (Accept in kinds)
    if asked["open"]:
        assert asked["canChallenge"] == (Challenge in kinds)
        assert ("a bluff?" in asked["title"]) == (Challenge in kinds)
        assert (asked["colour"] >= 0) == (Challenge in kinds)
        assert ("play a card that passes them on" in asked["text"]) == (Play in kinds)


def play(table: Simulated, steps: int = STEPS) -> set[str]:
    """Compare at every moment of a game, over several rounds; return all prompts."""
    said = {compare(table)}
    for _ in range(steps):
        if table.game.over:
            table.score()
            if table.match.over:
                break
            table.begin()
        else:
            table.step()
        if not table.game.over:
            said.add(compare(table))
    return said


GAMES = [pytest.param(rules, seats, id=name) for name, rules, seats in games()]


@pytest.mark.parametrize(("rules", "seats"), GAMES)
def test_a_prompt_names_what_is_legal_and_nothing_else(rules: Ruleset, seats: int) -> None:
    for mine in (0, 1):
        play(Simulated(seats, rules=rules, seed=seats, mine=mine), STEPS // 2)


@pytest.mark.parametrize("sample", range(SAMPLES))
def test_under_any_rules_a_prompt_names_what_is_legal(sample: int) -> None:
    done = 0
    for seed in range(sample * 10, sample * 10 + 10):
        chance = Random(seed)
        rules, seats = any_ruleset(chance), chance.randint(2, 5)
        if validate(rules, seats) is None:
            play(Simulated(seats, rules=rules, seed=seed), 150)
            done += 1
    assert done


def test_every_prompt_is_met() -> None:
    """The games of these tests meet all prompts except the rare ones."""
    said: set[str] = set()
    house = msgspec.structs.replace
    classic = PRESETS["classic"]
    for rules in (
        house(classic, draw_until_playable=True),
        house(classic, draw_until_playable=True, forced_play=True),
        house(classic, stack_draw_two=True, stack_wild_four=True, seven_zero=True),
        house(classic, forced_play=True, deck=108, hand_size=20),
        house(classic, no_bluff=True),
        PRESETS["express"],
    ):
        for seed in range(6):
            said |= play(Simulated(5 if rules.hand_size == 20 else 2, rules=rules, seed=seed), 800)
    assert set(WORDS) - said <= RARE


def test_prompts_that_hardly_any_game_comes_to() -> None:
    table = Simulated(2, seed=3).my_turn()
    view = table.own
    card = next(act for act in view.legal if isinstance(act, Play))
    empty = {"draw_pile": 0, "nothing_left": True}
    said = set()
    for phase, legal, values in (
        (RoundPhase.TURN, (Draw(),), empty),
        (RoundPhase.TURN, (card, Draw()), empty),
        (RoundPhase.DRAWN, (card, Draw()), {}),
    ):
        moment = msgspec.structs.replace(view, phase=phase, legal=legal, **values)
        shown = table_view(table.snapshot(view=moment), ScreenState())
        assert shown.draw_passes == bool(values)
        assert WORDS[shown.prompt] == {type(act) for act in legal}
        said.add(shown.prompt)
    assert said == RARE


def test_a_name_that_looks_like_a_placeholder_does_not_become_another_name() -> None:
    table = Simulated(3, seed=3, names=("Ana", "{name}", "Cleo"))
    view = msgspec.structs.replace(table.own, accusation=(2, 1))
    asked = table_view(table.snapshot(view=view), ScreenState()).vote_question
    assert plain(asked["text"]).startswith("{name} accuses Cleo of having advised a play.")


def test_before_the_cards_can_be_read_nothing_is_said_of_them() -> None:
    """The prompt waits until a card just drawn is open to its player."""
    table = Simulated(2, seed=3).until(
        lambda seen: seen.phase is RoundPhase.DRAWN and seen.decider == 0
    )
    legal = (Draw(), Keep())
    view = msgspec.structs.replace(table.own, hand=table.own.hand[:-1], legal=legal)
    shown = table_view(table.snapshot(view=view, to_move=False), ScreenState())
    assert shown.prompt == "Your cards are on their way"


def test_the_cards_that_choose_the_dealer_are_no_round() -> None:
    table = Simulated(3)
    for stage in (TableStage.CHOOSING, TableStage.REVEALING, TableStage.BETWEEN):
        choosing = table_view(table.snapshot(stage, dealer=None, number=0), ScreenState()).prompt
        assert "hands" not in choosing
        assert "round is over" not in choosing
        later = table_view(table.snapshot(stage), ScreenState()).prompt
        assert (choosing == later) == (stage is TableStage.CHOOSING)


def test_a_player_who_is_gone_has_no_turn_and_a_decided_match_no_next_round() -> None:
    table = Simulated(3, seed=3).until(lambda seen: seen.decider == 1)
    here = table_view(table.snapshot(), ScreenState()).opponents[0]
    assert here.turn
    for why, said in ((DropReason.LEFT, "has left"), (DropReason.LOST, "is gone")):
        gone = table_view(table.snapshot(dropped=((1, why),)), ScreenState()).opponents[0]
        assert not gone.turn
        assert said in gone.accessible_name
        assert "turn" not in gone.accessible_name
    expelled = table.snapshot(dropped=((1, DropReason.LEFT),), expelled=(1,))
    gone = table_view(expelled, ScreenState()).opponents[0]
    assert gone.expelled
    assert "is out of the match" in gone.accessible_name
    assert table_view(table.snapshot(expelled=(0,)), ScreenState()).me["expelled"]
    over = table.snapshot(TableStage.BETWEEN, winners=(0,))
    assert table_view(over, ScreenState()).prompt == "The match is over"


def test_a_player_who_came_back_does_not_play_in_a_round_that_was_left() -> None:
    """The round was dealt to this seat, but its hand lies under the discard pile."""
    table = Simulated(4, seed=5)
    view = table.own
    here = [place for place, seat in enumerate(view.seats) if seat not in (0, 2)]
    left = msgspec.structs.replace(
        view,
        decider=1,
        seats=tuple(view.seats[place] for place in here),
        counts=tuple(view.counts[place] for place in here),
    )
    shown = table_view(table.snapshot(TableStage.PLAYING, view=left), ScreenState())
    assert [each.seat for each in shown.opponents if each.out] == [2]
    assert shown.me["out"]


def test_the_rounds_that_were_agreed_on_are_counted() -> None:
    table = Simulated(4, seed=5)
    shown = table_view(table.snapshot(TableStage.PLAYING, agreed=3), ScreenState())
    assert shown.agreed == "0 of 3"
    assert table_view(table.snapshot(TableStage.PLAYING), ScreenState()).agreed == ""
