"""Golden outputs kept as readable text: cards, the texts of the rules, answers to broken bytes."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lanuno.cli.rule_title import rules_line
from lanuno.client.languages import Language
from lanuno.client.rule_texts import RuleTexts
from lanuno.client.texts import Texts
from lanuno.rules.cards import Colour, Rank
from lanuno.rules.decks import DECKS, deck_tables
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.errors import RulesError
from lanuno.rules.house_bits import house_bits, house_names
from lanuno.rules.match.tournament import SCHEDULE, Tournament
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Format, Manners, Ruleset
from lanuno.rules.settings import SETTINGS, Unit
from tests.golden.canonical import text
from tests.golden.corpus import answers
from tests.golden.games import RECORDED_SETTINGS
from tests.golden.names import RECORDED_MEMBERS
from tests.golden.recording import Golden
from tests.harness.rounds.audited_settings import checked_at_audit

CLASSIC = PRESETS["classic"]

_Told = tuple[Ruleset, int | None]
"""Rules, and the number of players that their text is for; None: any playable number."""


def _name(rank: Rank) -> str:
    return RECORDED_MEMBERS.get(("Rank", rank.name), rank.name)


def _cards() -> Iterator[str]:
    for size in DECKS:
        deck = deck_tables(size)
        yield f"deck of {deck.size}, Wild Draw Fours from {min(deck.restricted)}"
        for card, face in enumerate(deck.faces):
            colour = "-" if face.colour is None else face.colour.name
            assert deck.ranks[card] == face.rank
            assert deck.points[card] == face.points
            told = (
                f"{card} {colour} {_name(face.rank)} points={face.points}"
                f" height={face.dealer_value} wild={face.is_wild}"
                f" number={face.is_number} colour={deck.colours[card]}"
            )
            yield f"{told} twins={sorted(deck.twins[card])}"
        for each in Colour:
            yield f"{each.name}={each.value}: {_ranges(deck.of_colour[each])}"
        for rank in Rank:
            yield f"{_name(rank)}={rank.value}: {_ranges(deck.of_rank[rank])}"
        for on in Colour:
            for rank in Rank:
                yield f"on {on.name} {_name(rank)}: {_ranges(deck.playable[on][rank])}"
    yield ""
    for bit, (name, rule) in enumerate(HOUSE_RULES.items()):
        assert house_bits([name]) == 1 << bit
        yield f"house rule {name} {rule.checked.name} {house_bits([name])}"
    yield f"house rules of 65535: {', '.join(house_names(65535))}"
    for name, ruleset in PRESETS.items():
        yield f"{name} {text(ruleset)}"
        yield f"{name}, seen by the audit: {', '.join(checked_at_audit(ruleset))}"
    yield ""
    tournament = Tournament()
    for rotation, tables in enumerate(SCHEDULE):
        yield f"rotation {rotation}: {tables}"
        tournament.finish(1, (rotation, 20, 0, 5))
        tournament.finish(0, (7, 0, 3 * rotation, 1))
        yield f"{tournament.public_state()}"
    yield f"winners: {tournament.winners}"


def _ranges(cards: frozenset[int]) -> str:
    """Return numbers as `0-24, 100`."""
    parts: list[list[int]] = []
    for card in sorted(cards):
        if parts and parts[-1][-1] == card - 1:
            parts[-1][-1] = card
        else:
            parts.append([card, card])
    return ", ".join(str(low) if low == high else f"{low}-{high}" for low, high in parts)


def _cases() -> Iterator[tuple[str, _Told, _Told]]:
    """Yield every preset, and classic with one changed setting, each with its comparison."""
    usual: _Told = (CLASSIC, None)
    for name, ruleset in PRESETS.items():
        yield name, (ruleset, None), usual
        for seats in (2, 4, 8):
            yield f"{name}, {seats} players", (ruleset, seats), (ruleset, None)
    for form in Format:
        yield f"format={form.name}", (_with(CLASSIC, format=form), None), usual
    for name in RECORDED_SETTINGS:
        base = _showing(name)
        for value in _others(name, getattr(base, name)):
            shown = getattr(value, "name", value)
            yield f"{name}={shown}", (_with(base, **{name: value}), None), (base, None)


def _with(ruleset: Ruleset, **settings: object) -> Ruleset:
    changed: Ruleset = msgspec.structs.replace(ruleset, **settings)
    return changed


def _showing(name: str) -> Ruleset:
    """Return rules under which a setting makes a difference."""
    match name:
        case "laps":
            return _with(CLASSIC, format=Format.LAPS)
        case "uno_hold_ms":
            return _with(CLASSIC, uno_catch_ms=0)
        case "hands" | "cycles":
            return PRESETS["partners"]
        case "objection_penalty" | "objection_ms":
            return _with(CLASSIC, manners=Manners.HONOUR)
        case "advice" | "advice_penalty" | "vote_ms":
            return _with(CLASSIC, advice=True, seats_min=3)
        case _:
            return CLASSIC


def _others(name: str, usual: object) -> list[object]:
    setting = SETTINGS[name]
    values = setting.values
    if setting.bounds is not None:
        low, high = setting.bounds
        values = (low, low + 1, min(high, 1500) if setting.unit is Unit.MILLISECONDS else high)
    return [value for value in values if value != usual]


def _told(language: Language, ruleset: Ruleset, seats: int | None) -> list[str]:
    texts = RuleTexts(language)
    if ruleset.preset in PRESETS:
        said = [*texts.preset(ruleset), rules_line(Texts(language), ruleset)]
    else:
        said = [rules_line(Texts(language), ruleset)]
    try:
        sections = rulebook(ruleset, seats)
    except RulesError as error:
        return [*said, f"({error})"]
    for section in sections:
        said.append(f"## {texts.section(section.id)}")
        said += [f"[{rule.checked.name}] {texts.sentence(rule)}" for rule in section.rules]
    return said


def _rules(language: Language) -> Iterator[str]:
    texts = RuleTexts(language)
    for checked in CheckedBy:
        yield f"{checked.name}: {' | '.join(texts.checked(checked))}"
    for name, shown, other in _cases():
        mine = _told(language, *shown)
        yield ""
        yield f"# {name}"
        if shown == other:
            yield from mine
            continue
        usual = _told(language, *other)
        yield from (f"- {line}" for line in usual if line not in mine)
        yield from (f"+ {line}" for line in mine if line not in usual)


def _lines(case: str) -> Iterator[str]:
    match case:
        case "cards":
            return _cards()
        case "corpus":
            return answers()
        case _:
            return _rules(_LANGUAGE_OF[case])


_LANGUAGE_OF = {f"rules-{language}": language for language in ("en", "es")}
_CASES = ("cards", "corpus", *_LANGUAGE_OF)

IN_WORDS = Golden("in_words", _CASES, _lines, tested=len(_CASES), as_text=True)
