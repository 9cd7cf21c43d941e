"""The rulebook of every preset and house rule, rule by rule, with its mark and numbers.

This module compares with `golden_rulebook.txt`, which holds classic for any number of seats in
full, and for every other ruleset the rules that differ. `rulebook/test_rulebook.py` tests why.
After an intended change, run this file as a program from the root of the project
(`python -m tests.rules.test_golden_rulebook`), and read the diff.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import DrawnRule, DrawRule, Format, Manners, Ruleset, UnoRule, WildFour

FILE = Path(__file__).with_name("golden_rulebook.txt")
CLASSIC = PRESETS["classic"]


def changed(**settings: object) -> Ruleset:
    return msgspec.structs.replace(CLASSIC, **settings)


CASES: dict[str, tuple[Ruleset, int | None]] = {
    **{name: (ruleset, None) for name, ruleset in PRESETS.items()},
    **{name: (changed(**{name: True}), None) for name in HOUSE_RULES},
    "four seats": (CLASSIC, 4),
    "honour": (changed(manners=Manners.HONOUR), None),
    "advice": (changed(advice=True), 3),
    "strictest": (changed(wild_four=WildFour.STRICTEST), None),
    "automatic": (changed(uno=UnoRule.AUTOMATIC), None),
    "no waiting for UNO": (changed(uno_hold_ms=0, uno_catch_ms=0), None),
    "draw only when stuck": (changed(draw=DrawRule.STUCK), None),
    "drawn forced": (changed(drawn=DrawnRule.FORCED), None),
    "stuck until playable": (changed(draw=DrawRule.STUCK, draw_until_playable=True), None),
    "no penalty for the innocent": (changed(challenge_penalty=0), None),
    "every stacking": (changed(stack_draw_two=True, stack_wild_four=True), None),
    "clock": (changed(turn_clock_s=30), None),
    "no grace": (changed(grace_first_s=0, grace_total_s=0), None),
    "partners twice": (msgspec.structs.replace(PRESETS["partners"], cycles=2, hands=3), None),
    "to 300 points": (changed(target=300), None),
    "short at four": (PRESETS["masters-short"], 4),
    "short in rounds": (
        msgspec.structs.replace(PRESETS["masters-short"], format=Format.DEALS),
        None,
    ),
}


def rulebook_lines(ruleset: Ruleset, seats: int | None) -> list[str]:
    """Return one line for every rule: its id, who checks it, and the numbers."""
    return [
        " ".join((rule.id, rule.checked.name, *(f"{k}={v}" for k, v in rule.values.items())))
        for section in rulebook(ruleset, seats)
        for rule in section.rules
    ]


def written() -> str:
    """Return the text that the file has to hold."""
    classic = rulebook_lines(CLASSIC, None)
    lines = ["classic", *classic]
    for name, (ruleset, seats) in CASES.items():
        mine = rulebook_lines(ruleset, seats)
        lines += ["", name]
        lines += [f"- {line}" for line in classic if line not in mine]
        lines += [f"+ {line}" for line in mine if line not in classic]
    return "\n".join(lines) + "\n"


def test_the_rulebook_is_as_recorded() -> None:
    assert written() == FILE.read_text(encoding="utf-8")


def test_every_ruleset_has_other_rules() -> None:
    said = [tuple(rulebook_lines(*case)) for name, case in CASES.items() if name != "classic"]
    assert len(set(said)) == len(said)
    assert tuple(rulebook_lines(CLASSIC, None)) not in said


if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m tests.rules.test_golden_rulebook", description=__doc__
    ).parse_args()
    FILE.write_text(written(), encoding="utf-8")
