"""The presets: rulesets with a name. Data only.

The identifiers are stable: the command line, logs, settings and tests use them.
"""

from __future__ import annotations

import msgspec

from lanuno.rules.ruleset import (
    DrawnRule,
    DrawRule,
    Format,
    Ruleset,
    UnoRule,
    WildFour,
)

CLASSIC = Ruleset()

DECK112 = msgspec.structs.replace(CLASSIC, preset="deck112", deck=112, drawn=DrawnRule.STUCK)

EXPRESS = msgspec.structs.replace(
    CLASSIC,
    preset="express",
    seats_max=4,
    target=200,
    target_two=100,
    wild_four=WildFour.STRICT,
    uno=UnoRule.AUTOMATIC,
    draw=DrawRule.STUCK,
)

MASTERS = msgspec.structs.replace(
    CLASSIC,
    preset="masters",
    format=Format.SINGLE,
    wild_four=WildFour.STRICTEST,
    uno=UnoRule.AUTOMATIC,
)

MASTERS_SHORT = msgspec.structs.replace(
    MASTERS, preset="masters-short", format=Format.LAPS, hands=10
)
"""Its source says "ten hands", read here as ten laps; `format=deals` reads it as ten rounds."""

DUEL = msgspec.structs.replace(CLASSIC, preset="duel", seats_max=2)

LOW_SCORE = msgspec.structs.replace(CLASSIC, preset="low-score", format=Format.LOW_SCORE)

ELIMINATION = msgspec.structs.replace(
    CLASSIC, preset="elimination", format=Format.ELIMINATION, seats_min=3
)

PAIRS = msgspec.structs.replace(CLASSIC, preset="pairs", format=Format.PAIRS, seats_min=4)

PARTNERS = msgspec.structs.replace(
    CLASSIC, preset="partners", format=Format.PARTNERS, seats_min=4, seats_max=4
)

TOURNAMENT = msgspec.structs.replace(PARTNERS, preset="tournament", format=Format.ROTATION)
"""One table of the tournament for eight players; see match/tournament.py."""

PRESETS: dict[str, Ruleset] = {
    each.preset: each
    for each in (
        CLASSIC,
        DECK112,
        EXPRESS,
        MASTERS,
        MASTERS_SHORT,
        DUEL,
        LOW_SCORE,
        ELIMINATION,
        PAIRS,
        PARTNERS,
        TOURNAMENT,
    )
}
