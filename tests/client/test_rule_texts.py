"""The rules as sentences: the languages agree, cover everything, and have the right numbers."""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from random import Random

import msgspec
import pytest

from lanuno.client.languages import SOURCE, Language, languages
from lanuno.client.rule_texts import RuleTexts, title_with_changes
from lanuno.client.texts import Texts
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy, Rule, live
from lanuno.rules.rulebook.relevance import has_target
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.rulebook.scope import Scope, playable_seats
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Manners, Ruleset, UnoRule
from lanuno.rules.settings import SETTINGS
from tests.harness.catalogues import sentences
from tests.harness.rounds.any_rules import any_ruleset, any_value

UNITS = {"ms": "seconds"}
"""Units that use the word of another unit."""


def placeholders(sentence: str) -> Counter[tuple[str, str]]:
    return Counter(
        (name, spec or "")
        for _, name, spec, _ in string.Formatter().parse(sentence)
        if name is not None
    )


@cache
def some_rules() -> dict[str, Rule]:
    """Return one rule for every id, from the presets and from random rulesets."""
    rulesets = [*PRESETS.values(), *(any_ruleset(Random(seed)) for seed in range(1500))]
    found: dict[str, Rule] = {}
    for ruleset in rulesets:
        for count in (None, *playable_seats(ruleset)[:1]):
            if playable_seats(ruleset):
                for section in rulebook(ruleset, count):
                    found.update({rule.id: rule for rule in section.rules})
                    found[f"section.{section.id}"] = live(f"section.{section.id}")
    return found


def used() -> set[str]:
    """Return every text id that a rule, a preset or a number needs."""
    keys = set(some_rules())
    keys |= {f"preset.{name}.{part}" for name in PRESETS for part in ("name", "summary")}
    keys |= {"preset.masters-short.deals", "goal.by_seats"}
    one_round = ("classic", "express", "duel", "low-score", "elimination", "pairs", "partners")
    keys |= {f"preset.{name}.one_round" for name in one_round}
    keys |= {
        f"checked.{each.name.lower()}.{part}" for each in CheckedBy for part in ("name", "meaning")
    }
    words = {
        UNITS.get(spec, spec)
        for sentence in chain.from_iterable(sentences(SOURCE).values())
        for name, spec in placeholders(sentence)
        if spec
    }
    return keys | {f"word.{word}" for word in words}


@pytest.mark.parametrize("language", languages())
def test_every_language_has_the_same_sentences(language: Language) -> None:
    english, other = sentences(SOURCE), sentences(language)
    assert other.keys() == english.keys()
    for key, forms in other.items():
        wanted = placeholders(english[key][-1])
        # The singular form may omit the number.
        one = wanted - Counter([("number", "")])
        assert all(placeholders(form) in (one, wanted) for form in forms), key


@pytest.mark.parametrize("language", languages())
def test_every_sentence_is_used_and_every_rule_has_one(language: Language) -> None:
    known = set(sentences(language))
    assert used() - known == set()
    assert known - used() == set()


@pytest.mark.parametrize("language", languages())
def test_a_sentence_has_all_the_numbers_of_its_rule(language: Language) -> None:
    for rule in some_rules().values():
        (sentence,) = sentences(language)[rule.id]
        names = {name for name, _ in placeholders(sentence)}
        assert names == set(rule.values), rule.id


@pytest.mark.parametrize("language", languages())
def test_no_two_rules_are_told_alike(language: Language) -> None:
    told = Counter(RuleTexts(language).sentence(rule) for rule in some_rules().values())
    assert [text for text, number in told.items() if number > 1] == []


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_is_told_whole_with_every_house_rule(preset: str, language: Language) -> None:
    texts = RuleTexts(language)
    title, summary = texts.preset(PRESETS[preset])
    well_formed(summary)
    assert title
    for name in (None, *HOUSE_RULES):
        changes = {} if name is None else {name: True}
        ruleset = msgspec.structs.replace(PRESETS[preset], **changes)
        if not playable_seats(ruleset):
            continue
        for section in rulebook(ruleset):
            assert texts.section(section.id)
            for rule in section.rules:
                well_formed(texts.sentence(rule))


def well_formed(sentence: str) -> None:
    assert re.search(r"[{}]|\s\s|\s[.,;:]|\.\.|,\.", sentence) is None, sentence
    assert sentence[0].isupper() or sentence[0].isdigit(), sentence
    assert sentence.endswith("."), sentence
    assert not any(ord(letter) < 32 for letter in sentence), sentence


@pytest.mark.parametrize(
    ("ruleset", "told"),
    [
        (PRESETS["classic"], "to 500 points;"),
        (PRESETS["express"], "to 200 points (100 when two play);"),
        (PRESETS["duel"], "to 500 points."),
        (Ruleset(preset="duel", seats_max=2, target_two=150), "to 150 points."),
        (Ruleset(preset="classic", seats_min=3, target=300), "to 300 points;"),
        (Ruleset(preset="low-score", format=Format.LOW_SCORE, target_two=9), "(9 when two play)"),
        (Ruleset(preset="masters-short", format=Format.DEALS, hands=7), "7 rounds are played"),
        (Ruleset(preset="masters-short", format=Format.LAPS, laps=7), "after 7 laps"),
        (Ruleset(preset="classic", format=Format.SINGLE), "A single round decides the match."),
    ],
)
def test_a_summary_has_the_numbers_of_the_very_rules(ruleset: Ruleset, told: str) -> None:
    assert told in RuleTexts("en").preset(ruleset)[1]
    well_formed(RuleTexts("es").preset(ruleset)[1])


@pytest.mark.parametrize(
    ("language", "value", "spec", "text"),
    [
        ("en", 1, "cards", "one card"),
        ("en", 2, "cards", "2 cards"),
        ("es", 1, "cards", "una carta"),
        ("es", 21, "cards", "21 cartas"),
        ("en", 1000, "ms", "one second"),
        ("en", 2500, "ms", "2.5 seconds"),
        ("es", 2500, "ms", "2,5 segundos"),
        ("es", 1, "seconds", "un segundo"),
        ("en", 0, "points", "0 points"),
        ("en", 7, "", "7"),
    ],
)
def test_numbers_have_the_right_form(language: Language, value: int, spec: str, text: str) -> None:
    assert RuleTexts(language).format_field(value, spec) == text


# Every setting appears in the text, wherever it matters.


def scoped(ruleset: Ruleset) -> Scope:
    return Scope(ruleset, playable_seats(ruleset))


def no_target(ruleset: Ruleset) -> bool:
    return not has_target(ruleset)


def two_matters(ruleset: Ruleset) -> bool:
    points = ruleset.format in (Format.POINTS, Format.LOW_SCORE)
    return points and scoped(ruleset).two_may_play


SILENT: dict[str, Callable[[Ruleset, Ruleset], bool]] = {
    # A name for people, shown as the title.
    "preset": lambda _a, _b: True,
    # No effect if the format, the deck or advice sets narrower limits.
    "seats_min": lambda a, b: playable_seats(a) == playable_seats(b),
    "seats_max": lambda a, b: playable_seats(a) == playable_seats(b),
    # Some formats have no target. A target matters only if that number of players may play.
    "target": lambda a, _b: no_target(a) or not scoped(a).more_may_play,
    "target_two": lambda a, _b: not two_matters(a),
    "laps": lambda a, _b: a.format is not Format.LAPS,
    "hands": lambda a, _b: a.format not in (Format.PARTNERS, Format.ROTATION, Format.DEALS),
    "cycles": lambda a, _b: a.format is not Format.PARTNERS,
    # A house rule may override these.
    "wild_four": lambda a, b: scoped(a).wild_four is scoped(b).wild_four,
    "drawn": lambda a, b: scoped(a).drawn is scoped(b).drawn,
    # Penalties and times of what cannot happen.
    "challenge_penalty": lambda a, _b: not scoped(a).bluffing,
    "objection_penalty": lambda a, _b: a.manners is Manners.ENFORCED,
    "objection_ms": lambda a, _b: a.manners is Manners.ENFORCED,
    "advice_penalty": lambda a, _b: not a.advice,
    "vote_ms": lambda a, _b: not a.advice,
    "uno_catch_ms": lambda a, _b: a.uno is UnoRule.AUTOMATIC,
    "turn_extra_ms": lambda a, _b: not a.turn_clock_s,
    "grace_first_s": lambda a, _b: not a.grace_total_s,
    "grace_total_s": lambda a, _b: not a.grace_first_s,
}
"""For each setting, when the text does not mention a change of it; the comments say why."""


def changes() -> Iterator[tuple[str, Ruleset, Ruleset]]:
    """Yield a setting, a playable ruleset, and the same ruleset with that setting changed."""
    for number in range(4000):
        chance = Random(f"change {number}")
        ruleset = any_ruleset(chance)
        name = chance.choice(list(SETTINGS))
        value = any_value(name, getattr(ruleset, name), chance)
        changed = msgspec.structs.replace(ruleset, **{name: value})
        if changed != ruleset and playable_seats(ruleset) and playable_seats(changed):
            yield name, ruleset, changed


def words(ruleset: Ruleset, language: Language) -> list[str]:
    texts = RuleTexts(language)
    return [texts.sentence(rule) for section in rulebook(ruleset) for rule in section.rules]


def test_changing_a_setting_changes_what_is_told_unless_it_changes_nothing() -> None:
    seen: Counter[str] = Counter()
    for number, (name, ruleset, changed) in enumerate(changes()):
        language = languages()[number % len(languages())]
        silent = name in SILENT and SILENT[name](ruleset, changed)
        same = words(ruleset, language) == words(changed, language)
        assert same == silent, (name, ruleset, changed)
        seen[name] += not same
    assert set(seen) == set(SETTINGS)
    assert min(seen.values()) > 0, seen


def test_a_stuck_player_is_told_once_that_it_has_to_play() -> None:
    stuck = Ruleset(draw=DrawRule.STUCK, drawn=DrawnRule.STUCK)
    forced = Ruleset(draw=DrawRule.STUCK, drawn=DrawnRule.FORCED)
    assert words(stuck, "en") == words(forced, "en")


@pytest.mark.parametrize(
    ("language", "house", "settings", "title"),
    [
        ("en", 0, 0, "classic"),
        ("en", 1, 0, "classic + 1 house rule"),
        ("en", 6, 0, "classic + 6 house rules"),
        ("en", 0, 1, "classic + 1 changed setting"),
        ("en", 2, 2, "classic + 2 house rules, 2 changed settings"),
        ("es", 1, 2, "classic + 1 regla de la casa, 2 ajustes cambiados"),
        ("es", 2, 1, "classic + 2 reglas de la casa, 1 ajuste cambiado"),
    ],
)
def test_changes_are_counted(language: Language, house: int, settings: int, title: str) -> None:
    assert title_with_changes(Texts(language), "classic", house, settings) == title
