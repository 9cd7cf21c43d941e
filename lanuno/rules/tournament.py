"""The eight players' tournament: who sits where in each rotation. Data and readings of it.

Seven rotations of two tables. Everybody partners everybody else once and opposes everybody twice
(a test counts it). What is played at a table is the format ROTATION; how tables find each other
and are bound to what came before is the table's and the log's.
"""

from __future__ import annotations

from dataclasses import dataclass

PLAYERS = 8
TABLES = 2
SEATS = 4

_PAIRINGS = (
    ("HA v BD", "CG v EF"),
    ("HB v CE", "DA v FG"),
    ("HC v DF", "EB v GA"),
    ("HD v EG", "FC v AB"),
    ("HE v FA", "GD v BC"),
    ("HF v GB", "AE v CD"),
    ("HG v AC", "BF v DE"),
)
"""By rotation: the two tables. `XY v ZW`: X and Y are partners and play against Z and W."""

ROTATIONS = len(_PAIRINGS)


@dataclass(frozen=True, slots=True)
class Pairing:
    """One table of one rotation. Players are numbers from 0 (A) to 7 (H)."""

    rotation: int
    """From 0."""
    table: int
    """0 or 1."""
    players: tuple[int, int, int, int]
    """Clockwise; partners sit opposite. The first deals first, and hosts the table."""


def pairing(rotation: int, table: int) -> Pairing:
    """Who sits at a table of a rotation; IndexError beyond the schedule."""
    x, y, z, w = (
        ord(letter) - ord("A") for letter in _PAIRINGS[rotation][table] if letter.isupper()
    )
    return Pairing(rotation, table, (x, z, y, w))


def pairing_of(rotation: int, player: int) -> Pairing:
    """The table at which a player sits in a rotation."""
    first = pairing(rotation, 0)
    return first if player in first.players else pairing(rotation, 1)
