"""Golden counts: how many ways a fixed deal can go on, to a fixed depth, under different rules.

A count that changes means that a rule changed. After an intended change, run this file as a
program from the root of the project (`python -m tests.rules.test_golden`) and copy its lines.
"""

from __future__ import annotations

import sys

import msgspec
import pytest

from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Manners, Ruleset
from lanuno.rules.state import Phase
from tests.rules.random_play import everybodys_acts
from tests.rules.table_of_cards import CardTable

_ALL_HOUSE_RULES = msgspec.structs.replace(
    PRESETS["classic"],
    stack_cross=True,
    seven_zero=True,
    jump_in=True,
    draw_until_playable=True,
    forced_play=True,
)
RULESETS: dict[str, Ruleset] = {
    **{name: PRESETS[name] for name in ("classic", "deck112", "express", "masters", "duel")},
    "house": _ALL_HOUSE_RULES,
    "honour": msgspec.structs.replace(PRESETS["classic"], manners=Manners.HONOUR, advice=True),
}

GOLDEN: dict[tuple[str, int], tuple[int, ...]] = {
    ("classic", 1): (13, 56, 322),
    ("classic", 2): (6, 65, 934),
    ("deck112", 1): (32, 452, 4983),
    ("deck112", 2): (8, 95, 1051),
    ("express", 1): (7, 21, 47),
    ("express", 2): (1, 12, 172),
    ("masters", 1): (13, 56, 308),
    ("masters", 2): (2, 29, 466),
    ("duel", 1): (16, 278, 2016),
    ("duel", 2): (12, 115, 1047),
    ("house", 1): (13, 52, 199),
    ("house", 2): (5, 47, 463),
    ("honour", 1): (14, 126, 668),
    ("honour", 2): (11, 91, 611),
}


def start(name: str, seed: int) -> CardTable:
    """Hands of four, so that rounds end within reach; later shuffles stay seeded."""
    ruleset = msgspec.structs.replace(RULESETS[name], hand_size=4)
    return CardTable.deal(ruleset, 2 if name == "duel" else 3, seed=seed)


def count(table: CardTable, depth: int) -> int:
    """The continuations of exactly this many acts, or fewer where the round ends before."""
    if depth == 0 or table.round.over:
        return 1
    total = 0
    for seat, act in everybodys_acts(table):
        after = table.copy()
        after.act(seat, act)
        total += count(after, depth - 1)
    if table.round.phase is Phase.OBJECTION:
        return total + 1
    return total


def counts(name: str, seed: int) -> tuple[int, ...]:
    """To depth 2, 5 and 8; honour, where everything can be laid, to depth 3."""
    depths = (1, 2, 3) if name == "honour" else (2, 5, 8)
    return tuple(count(start(name, seed), depth) for depth in depths)


@pytest.mark.parametrize(("name", "seed"), list(GOLDEN))
def test_golden_counts(name: str, seed: int) -> None:
    assert counts(name, seed) == GOLDEN[name, seed]


def test_every_ruleset_has_its_counts() -> None:
    assert {name for name, _ in GOLDEN} == set(RULESETS)


if __name__ == "__main__":
    for name in RULESETS:
        for seed in (1, 2):
            sys.stdout.write(f'    ("{name}", {seed}): {counts(name, seed)},\n')
