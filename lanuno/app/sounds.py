"""Short sounds for table events.

Sound never carries information on its own. Without an audio device, every call here does nothing.
packaging/sounds.py makes the sounds; `sound_output.py` has them played.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

LOW_CLOCK: Final = 10.0
"""Seconds left at which the sound of the clock is played."""

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
"""The sound of each kind of move (see `TableController.moved`); the other kinds have none."""

TURN: Final = "turn"
CLOCK: Final = "clock"
SAMPLE: Final = "card"
"""The sound by which the user judges the volume."""

SOUND_NAMES: Final = (*dict.fromkeys(OF_MOVES.values()), TURN, CLOCK)


class SoundSink(Protocol):
    """An output that plays sounds."""

    def play(self, name: str, volume: float) -> None:
        """Play a sound at a share (0…1) of its full loudness."""


class Sounds:
    """Plays sounds at the volume that the user has set."""

    def __init__(self, percent: Callable[[], int], output: SoundSink) -> None:
        """`percent`: returns the volume that the user has set, 0 for no sound."""
        self._percent = percent
        self.output = output
        """The output that plays the sounds."""
        self._low = False

    def moved(self, kind: str) -> None:
        """Play the sound of a kind of move, if it has one."""
        if kind in OF_MOVES:
            self.play(OF_MOVES[kind])

    def turn(self) -> None:
        """Play the sound of this player's turn."""
        self.play(TURN)

    def clock(self, left: float, mine: bool) -> None:
        """Play the sound of the clock once when this player has few seconds left."""
        low = mine and 0 < left <= LOW_CLOCK
        if low and not self._low:
            self.play(CLOCK)
        self._low = low

    def sample(self) -> None:
        """Play the sound by which the user judges the volume."""
        self.play(SAMPLE)

    def play(self, name: str) -> None:
        """Play a sound, unless the volume is 0."""
        percent = self._percent()
        if percent > 0:
            # To the ear, a quarter of the loudness is about a half.
            self.output.play(name, (percent / 100) ** 2)
