"""Golden counts: the number of continuations of a fixed deal, one to five acts long, by ruleset.

This module counts and compares with `golden_counts.toml`, which holds the numbers.

A changed count means a changed rule. After an intended change, run this file as a program from the
root of the project (`python -m tests.rules.test_golden`): it writes the numbers anew, and the diff
shows which rulesets the change affects.
"""

from __future__ import annotations

import argparse
import random
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lanuno.rules.cards import Rank
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.rounds.random_play import everybodys_acts
from tests.harness.rounds.table_of_cards import CardTable

FILE = Path(__file__).with_name("golden_counts.toml")
LONGEST = 5
HAND = 3
"""Small hands, so that rounds can end within a few acts."""


def _house(**settings: Any) -> Ruleset:
    return msgspec.structs.replace(PRESETS["classic"], **settings)


HOUSE_RULES: dict[str, Ruleset] = {
    name: _house(**{name: True})
    for name in (
        *("stack_draw_two", "stack_wild_four", "stack_cross", "seven_zero", "jump_in"),
        *("draw_until_playable", "forced_play", "no_bluff"),
    )
}
"""The house rules that change a round; the one about the next dealer does not."""
RULESETS: dict[str, Ruleset] = {
    **{name: PRESETS[name] for name in ("classic", "deck112", "express", "masters")},
    **HOUSE_RULES,
    "all-house-rules": _house(
        stack_cross=True, seven_zero=True, jump_in=True, draw_until_playable=True, forced_play=True
    ),
    "short": msgspec.structs.replace(PRESETS["masters-short"], laps=1, stack_cross=True),
    "honour": _house(manners=Manners.HONOUR),
    "advice": _house(advice=True),
}


_RICH = (
    (Rank.WILD, Rank.WILD_FOUR),
    (Rank.ZERO, Rank.SEVEN, Rank.SKIP, Rank.REVERSE, Rank.DRAW_TWO),
)
_HITS = ((Rank.WILD_FOUR,), (Rank.DRAW_TWO,))


@dataclass(frozen=True)
class Deal:
    """A fixed deal: the ruleset, the number of seats, and the number of the deal."""

    rules: str
    seats: int
    kind: str
    """"plain": any cards; "rich": with actions, wilds, sevens and zeros; "hits": with +2 and +4."""
    number: int


DEALS = [
    Deal(rules, seats, kind, number)
    for rules, ruleset in RULESETS.items()
    for seats in (2, 3)
    for kind, number in (("plain", 1), ("plain", 2), ("rich", 1), ("rich", 2), ("hits", 1))
    if not (ruleset.advice and seats == 2)
]


def start(deal: Deal) -> CardTable:
    """Return the table after the deal; later shuffles are seeded."""
    ruleset = msgspec.structs.replace(RULESETS[deal.rules], hand_size=HAND)
    chance = random.Random(f"{deal.kind} {deal.seats} {deal.number}")
    cards = list(range(ruleset.deck))
    chance.shuffle(cards)
    if deal.kind != "plain":
        # One wild card per seat is enough, because each can be played in four or eight ways.
        wilds, others = _RICH if deal.kind == "rich" else _HITS
        ranks = {card: face.rank for card, face in enumerate(deck_tables(ruleset.deck).faces)}
        top = [card for card in cards if ranks[card] in wilds][: deal.seats]
        top += [card for card in cards if ranks[card] in others][: (HAND - 1) * deal.seats]
        cards = [*top, *(card for card in cards if card not in top)]
    return CardTable.deal(ruleset, deal.seats, deck=cards)


def ways(table: CardTable) -> list[tuple[str, tuple[Any, ...]]]:
    """Return everything that can happen next: acts, and what the table settles."""
    game = table.round
    found: list[tuple[str, tuple[Any, ...]]] = [("act", each) for each in everybodys_acts(table)]
    if game.phase is RoundPhase.OBJECTION:
        found.append(("settle", (Matter.CARD,)))
    if game.accusation is not None:
        found.append(("settle", (Matter.VOTE,)))
    return found


def count(table: CardTable, length: int) -> int:
    """Count the continuations of this length, and shorter ones where the round ends earlier."""
    if length == 0 or table.round.over:
        return 1
    following = ways(table)
    if length == 1:
        return len(following)
    total = 0
    for method, arguments in following:
        after = table.copy()
        getattr(after, method)(*arguments)
        total += count(after, length - 1)
    return total


def counts(deal: Deal) -> list[int]:
    """Return the counts for the lengths from 1 to `LONGEST`."""
    return [count(start(deal), length) for length in range(1, LONGEST + 1)]


def written() -> dict[Deal, list[int]]:
    """Return the numbers in the file."""
    content = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return {
        Deal(rules, int(seats.removesuffix("-players")), *_kind(name)): numbers
        for rules, tables in content.items()
        for seats, deals in tables.items()
        for name, numbers in deals.items()
    }


def _kind(name: str) -> tuple[str, int]:
    kind, _, number = name.partition("-")
    return kind, int(number)


GOLDEN = written() if FILE.exists() else {}


@pytest.mark.parametrize("deal", DEALS, ids=str)
def test_golden_counts(deal: Deal) -> None:
    assert counts(deal) == GOLDEN[deal]


def test_the_file_holds_what_is_counted() -> None:
    assert set(GOLDEN) == set(DEALS)
    assert all(len(numbers) == LONGEST for numbers in GOLDEN.values())


@pytest.mark.parametrize("name", [*HOUSE_RULES, "honour"])
@pytest.mark.parametrize("seats", [2, 3])
def test_every_rule_makes_a_difference(name: str, seats: int) -> None:
    """At least one of the same deals has other counts than under the classic rules."""
    classic, changed = (
        [numbers for deal, numbers in GOLDEN.items() if (deal.rules, deal.seats) == (rules, seats)]
        for rules in ("classic", name)
    )
    assert classic != changed


if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m tests.rules.test_golden", description=__doc__
    ).parse_args()
    lines = [
        "# In how many ways a deal can go on: one act long, two, and so on. See test_golden.py."
    ]
    for rules in RULESETS:
        for seats in (2, 3):
            mine = [deal for deal in DEALS if (deal.rules, deal.seats) == (rules, seats)]
            if mine:
                lines += ["", f"[{rules}.{seats}-players]"]
            lines += [f"{deal.kind}-{deal.number} = {counts(deal)}" for deal in mine]
    FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")
