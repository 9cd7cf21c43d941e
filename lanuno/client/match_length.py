"""Whether a match is likely to outgrow its log, which has room for a limited number of rounds."""

from __future__ import annotations

from statistics import fmean
from typing import Final

from lanuno.log.format.limits import MAX_LOG_BYTES, ROOM_BYTES
from lanuno.rules.decks import deck_tables
from lanuno.rules.match.formats import FORMATS
from lanuno.rules.ruleset import Format, Ruleset

_POINTS_KEPT: Final = 0.6
"""How much of the points of a first hand is left in a losing hand at the end of a round; measured
with `lanuno simulate`."""
_LONGER: Final = 2
"""How much longer an elimination is than until somebody reaches the target; measured likewise."""


def rounds_that_fit(seats: int) -> int:
    """Return for about how many rounds a log has room.

    The bytes of a round were measured with two to ten bots.
    """
    return (MAX_LOG_BYTES - ROOM_BYTES) // (34_000 * seats - 18_000)


def too_long(ruleset: Ruleset, seats: int, rounds: int | None = None) -> int | None:
    """Return for how many rounds there is room, if the match may well need more; else None.

    `rounds`: after how many rounds the match ends in any case.
    """
    fit = rounds_that_fit(seats)
    needed = _rounds_needed(ruleset, seats)
    return fit if min(needed, rounds or needed) > fit else None


def _rounds_needed(ruleset: Ruleset, seats: int) -> float:
    """Estimate the rounds of a match between players who win equally often."""
    match ruleset.format:
        case Format.SINGLE | Format.LAPS:
            return 1
        case Format.ROTATION | Format.DEALS:
            return ruleset.hands
        case Format.PARTNERS:
            return ruleset.hands * 3 * ruleset.cycles
        case _:
            hand = ruleset.hand_size * fmean(deck_tables(ruleset.deck).points)
            side = 2 if FORMATS[ruleset.format].fixed_pairs else 1
            sides = seats // side
            gained = _POINTS_KEPT * hand * side * (sides - 1) / sides
            rounds = (ruleset.target_two if seats == 2 else ruleset.target) / gained
            return rounds * _LONGER if ruleset.format is Format.ELIMINATION else rounds
