"""The rulebook's sentences against the engine: each test plays a situation and reads a sentence.

Here: what a sentence claims (its numbers, who begins, whether there is a choice), compared with the
engine's behaviour for the same ruleset, in both languages. Not here: copies of sentences, and
whether the languages agree (test_rule_texts.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
import pytest

from lanuno.cli.rule_choice import changed_rules
from lanuno.client.languages import Language
from lanuno.client.rule_texts import RuleTexts
from lanuno.rules.engine.actions import Draw, Keep, NameColour
from lanuno.rules.engine.events import RoundEnding
from lanuno.rules.engine.results import DealerResult, RoundResult
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.match.formats import pair_of
from lanuno.rules.match.match import Match
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import Rule
from lanuno.rules.rulebook.relevance import matters
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.rounds.scenario_language.files import Scenario
from tests.harness.rounds.scenario_language.rounds import RoundStage

STACKING = ("stack_draw_two", "stack_wild_four", "stack_cross")
SPOKEN = ("en", "es")
"""The languages whose words these tests look for."""
MAY_PASS_ON = {"en": "unless", "es": "a menos que"}
NUMBERS = re.compile(r"\d+")


def sentences(ruleset: Ruleset, language: Language, seats: int | None = None) -> dict[str, str]:
    """Return the rulebook's sentences by rule id."""
    texts = RuleTexts(language)
    rules: Iterator[Rule] = (rule for section in rulebook(ruleset, seats) for rule in section.rules)
    return {rule.id: texts.sentence(rule) for rule in rules}


def said(found: dict[str, str], begins: str) -> str:
    """Return the only sentence whose id begins with `begins`."""
    (key,) = (key for key in found if re.fullmatch(rf"{begins}(_[a-z_]+)?", key))
    return found[key]


def numbers(text: str) -> set[int]:
    return {int(number) for number in NUMBERS.findall(text)}


def began(players: int, start: str, **settings: object) -> RoundStage:
    """Return a round that the last player has dealt, with this starting card."""
    given = {"players": players, "start": start, "ruleset": settings}
    stage = RoundStage(Scenario("", "round", "", "", (), given))
    decider = stage.game.decider
    assert decider is not None
    if stage.game.phase is RoundPhase.COLOUR:
        stage.table.act(decider, NameColour(0))
    return stage


STARTS = {"red +2": "draw_two", "red skip": "skip", "red reverse": "reverse"}


SOME_STACKING = [
    {name: bool(bits >> place & 1) for place, name in enumerate(STACKING)} for bits in range(8)
]


def stacking(settings: dict[str, bool]) -> Ruleset:
    return msgspec.structs.replace(PRESETS["classic"], **settings)


# ---- the starting card ------------------------------------------------------------------------


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("settings", SOME_STACKING)
def test_between_two_who_begins_after_a_starting_card(
    settings: dict[str, bool], language: Language
) -> None:
    """The dealer begins, unless the other player may choose to pass a penalty on."""
    deciders = {start: began(2, start, **settings).game for start in STARTS}
    dealer = 1
    chooses = {start: game.phase is RoundPhase.PENALTY for start, game in deciders.items()}
    for start, game in deciders.items():
        assert game.decider == (1 - dealer if chooses[start] else dealer), start
    text = said(sentences(stacking(settings), language), "start.two")
    assert (MAY_PASS_ON[language] in text) == any(chooses.values()), text
    # With a starting Wild, the other player begins.
    assert began(2, "wild", **settings).game.decider == 1 - dealer


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("settings", SOME_STACKING)
def test_whether_a_starting_draw_two_can_be_passed_on(
    settings: dict[str, bool], language: Language
) -> None:
    game = began(3, "red +2", **settings).game
    text = said(sentences(stacking(settings), language), "start.draw_two")
    assert (MAY_PASS_ON[language] in text) == (game.phase is RoundPhase.PENALTY)
    if game.phase is not RoundPhase.PENALTY:
        assert game.decider == 1, "the dealer's left has lost the turn"
        assert numbers(text) == {len(game.hands[0]) - game.ruleset.hand_size}


BEGINS = {
    "en": {"dealer": r"with the dealer\b", "left": r"on the dealer's left\b"},
    "es": {"dealer": r"juega primero el repartidor\b", "left": r"a la izquierda del repartidor\b"},
}
"""Patterns by which a sentence says who begins."""


@pytest.mark.parametrize("language", SPOKEN)
def test_who_begins_and_in_which_direction(language: Language) -> None:
    found = sentences(PRESETS["classic"], language)
    plain, turned = began(4, "red 5").game, began(4, "red reverse").game
    assert (plain.decider, plain.direction) == (0, 1), "the last of four has dealt"
    assert (turned.decider, turned.direction) == (3, -1)
    assert re.search(BEGINS[language]["left"], found["deal.begin"])
    assert re.search(BEGINS[language]["dealer"], found["start.reverse"])
    assert not re.search(BEGINS[language]["left"], found["start.reverse"])


# ---- claims by number only --------------------------------------------------------------------


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("hand_size", [2, 7, 20])
def test_the_number_of_cards_that_is_told_is_dealt(hand_size: int, language: Language) -> None:
    game = began(3, "red 5", hand_size=hand_size).game
    text = sentences(Ruleset(hand_size=hand_size), language)["deal.hands"]
    assert numbers(text) == {len(hand) for hand in game.hands.values()}


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("start", ["red 5", "red +2"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_named_numbers_of_players_can_play(preset: str, start: str, language: Language) -> None:
    """The smallest and the largest number of players in the text are both playable."""
    ruleset = PRESETS[preset]
    found = sentences(ruleset, language)
    counts = playable_seats(ruleset)
    text = next(found[key] for key in found if key.startswith("seats."))
    if ruleset.format is Format.ROTATION:
        assert numbers(text) >= {2 * counts[0]}, "two tables"
        return
    assert numbers(text) == {counts[0], counts[-1]}
    for count in (counts[0], counts[-1]):
        assert began(count, start, preset=preset).game.decider is not None


@pytest.mark.parametrize("language", SPOKEN)
def test_pairs_are_more_than_two_against_two(language: Language) -> None:
    """With ten players, the winner's pair scores what four other pairs hold."""
    pairs = PRESETS["pairs"]
    counts = playable_seats(pairs)
    most = counts[-1]
    match = Match(pairs, most)
    match.finish(DealerResult(0))
    plan = match.next()
    assert plan is not None
    held = tuple(0 if seat == 0 else 10 for seat in plan.seats)
    match.finish(RoundResult(RoundEnding.OUT, plan.seats, (0,), held, held))
    partner = pair_of(plan.seats, 0)[1]
    assert [match.totals[seat] for seat in (0, partner)] == [10 * (most - 2)] * 2
    text = " ".join([*RuleTexts(language).preset(pairs), sentences(pairs, language)["aim.pairs"]])
    assert not re.search(
        r"two (by|against|and) two|dos (contra|a|y|en) dos|de dos en dos", text, re.IGNORECASE
    )
    assert {counts[0], most} <= numbers(text)


# ---- how a match ends -------------------------------------------------------------------------


def plays_to(ruleset: Ruleset, seats: int) -> int:
    """Return the points that end a match of one round, found by bisection."""
    low, high = 0, 10_000
    while high - low > 1:
        middle = (low + high) // 2
        match = Match(ruleset, seats)
        match.finish(DealerResult(0))
        plan = match.next()
        assert plan is not None
        held = (0, middle, *(0 for _ in plan.seats[2:]))
        match.finish(RoundResult(RoundEnding.OUT, plan.seats, (0,), held, held))
        low, high = (low, middle) if match.over or match.playing != plan.seats else (middle, high)
    return high


WITH_TARGETS = {
    "duel": changed_rules("duel", [("target", "200")]),
    "duel for two": changed_rules("duel", [("target_two", "150")]),
    "express": changed_rules("express", [("target", "300")]),
    "express for two": changed_rules("express", [("target_two", "50")]),
    "classic": changed_rules("classic", [("target", "200"), ("target_two", "90")]),
    "three or more": changed_rules("classic", [("seats_min", "3"), ("target", "200")]),
    "low-score": changed_rules("low-score", [("target", "200"), ("target_two", "60")]),
    "elimination": changed_rules("elimination", [("target", "70")]),
    "pairs": changed_rules("pairs", [("target", "80")]),
    **{f"as it is: {name}": PRESETS[name] for name in ("classic", "express", "duel", "pairs")},
}


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("ruleset", WITH_TARGETS.values(), ids=WITH_TARGETS)
def test_the_points_that_are_told_are_those_that_end_a_match(
    ruleset: Ruleset, language: Language
) -> None:
    """Checked in the rulebook for one number of players, for any number, and in the summary."""
    ends = {seats: plays_to(ruleset, seats) for seats in playable_seats(ruleset)}
    for seats in (None, *ends):
        text = said(
            {
                key: text
                for key, text in sentences(ruleset, language, seats).items()
                if re.fullmatch(r"ending\.(points|low_score|elimination|pairs)(_by_seats)?", key)
            },
            "ending.[a-z]+",
        )
        told = {number for number in numbers(text) if number > 10}
        assert told == (set(ends.values()) if seats is None else {ends[seats]}), text
    summary = RuleTexts(language).preset(ruleset)[1]
    told = {number for number in numbers(summary) if number > 10} - {ruleset.deck}
    assert told == set(ends.values()), summary
    for seats, points in ends.items():
        shown = {
            getattr(ruleset, name)
            for name in ("target", "target_two")
            if matters(name, ruleset, seats)
        }
        assert shown == {points}


@pytest.mark.parametrize("preset", ["classic", "express", "duel", "low-score"])
def test_the_points_that_are_asked_for_are_those_that_are_played(preset: str) -> None:
    """`target` applies to any number of players, unless `target_two` is given too."""
    asked = changed_rules(preset, [("target", "200")])
    assert {plays_to(asked, seats) for seats in playable_seats(asked)} == {200}
    apart = changed_rules(preset, [("target", "200"), ("target_two", "90")])
    assert {plays_to(apart, seats) for seats in playable_seats(apart)} <= {90, 200}
    assert plays_to(apart, 2) == 90


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("laps", [1, 4])
def test_the_short_game_ends_after_the_turns_that_are_told(
    laps: int, players: int, language: Language
) -> None:
    ruleset = msgspec.structs.replace(PRESETS["masters-short"], laps=laps)
    game = (stage := began(players, "red 5", preset="masters-short", laps=laps)).game
    turns = 0
    while not game.over:
        assert game.decider is not None
        stage.table.act(game.decider, Draw())
        if game.phase is RoundPhase.DRAWN:
            stage.table.act(game.decider, Keep())
        turns += 1
    assert game.ending is RoundEnding.LAPS
    found = sentences(ruleset, language, players)
    assert numbers(found["ending.laps_turns"]) == {turns}
    one = {"en": "one lap", "es": "una vuelta"}[language]
    assert numbers(found["ending.laps"]) == ({laps} if laps > 1 else set())
    assert laps > 1 or one in found["ending.laps"]
    assert ({laps} if laps > 1 else set()) == numbers(RuleTexts(language).preset(ruleset)[1])


@pytest.mark.parametrize("language", SPOKEN)
@pytest.mark.parametrize("hands", [None, 3])
def test_the_short_game_in_rounds_ends_after_the_rounds_that_are_told(
    hands: int | None, language: Language
) -> None:
    """Every card left counts one, and the fewest win. The points of the cards do not count."""
    settings = [("format", "deals"), *([] if hands is None else [("hands", str(hands))])]
    ruleset = changed_rules("masters-short", settings)
    match = Match(ruleset, 3)
    match.finish(DealerResult(0))
    rounds = 0
    while not match.over:
        plan = match.next()
        assert plan is not None
        match.finish(RoundResult(RoundEnding.OUT, plan.seats, (0,), (0, 100, 2), (0, 2, 3)))
        rounds += 1
    assert match.winners == (0,)
    assert match.totals == [0, 2 * rounds, 3 * rounds]
    assert rounds == (hands or 10)
    found = sentences(ruleset, language)
    assert numbers(found["ending.deals"]) == {rounds}
    assert numbers(RuleTexts(language).preset(ruleset)[1]) == {rounds}
    assert not matters("laps", ruleset)
    assert not matters("hands", PRESETS["masters-short"])
