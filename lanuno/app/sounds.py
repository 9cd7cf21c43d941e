"""What is heard: short sounds for what happens at the table.

Never the only sign of anything: without a device everything here does nothing. The sounds are made
by packaging/sounds.py; `sound_output.py` has them played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

LOW_CLOCK: Final = 10.0
"""Seconds left at which the clock is heard."""

OF_MOVES: Final = {
    "play": "card",
    "draw": "draw",
    "deal": "deal",
    "shuffle": "deal",
    "skip": "action",
    "reverse": "action",
    "swap": "action",
    "challenge": "action",
    "catch": "action",
    "uno": "uno",
    "out": "win",
}
"""Which sound a move has, by the kinds of `TableController.moved`; the others have none."""

TURN: Final = "turn"
CLOCK: Final = "clock"
SAMPLE: Final = "card"
"""The sound that lets hear how loud they are."""

NAMES: Final = (*dict.fromkeys(OF_MOVES.values()), TURN, CLOCK)


class SoundSink(Protocol):
    """Something that plays sounds."""

    def play(self, name: str, volume: float) -> None:
        """Play one, with a share of its full loudness."""


class Sounds:
    """Plays them, if they are wanted."""

    def __init__(self, percent: Callable[[], int], output: SoundSink) -> None:
        """`percent`: how loud the user wants them now, 0 for not at all."""
        self._percent = percent
        self.output = output
        """Where they go."""
        self._low = False

    def moved(self, kind: str) -> None:
        """Something happened at the table."""
        if kind in OF_MOVES:
            self.play(OF_MOVES[kind])

    def turn(self) -> None:
        """It is this player's turn."""
        self.play(TURN)

    def clock(self, left: float, mine: bool) -> None:
        """So many seconds are left, for this player or another."""
        low = mine and 0 < left <= LOW_CLOCK
        if low and not self._low:
            self.play(CLOCK)
        self._low = low

    def sample(self) -> None:
        """Let the user hear how loud sounds are."""
        self.play(SAMPLE)

    def play(self, name: str) -> None:
        """Play one."""
        percent = self._percent()
        if percent > 0:
            # The ear hears a quarter of the loudness as about a half.
            self.output.play(name, (percent / 100) ** 2)
