"""What is heard: short sounds for what happens at the table, where the extra for them is installed.

Never the only sign of anything. QtMultimedia comes with `lanuno[sound]`; without it, or without
a loudspeaker, everything here does nothing. The sounds are made by packaging/sounds.py.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, Protocol

from PySide6.QtCore import QObject, QUrl

from lanuno.store.errors import StoreError
from lanuno.store.resources import resource

_log = logging.getLogger(__name__)

VOLUME: Final = 0.6
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
NAMES: Final = (*dict.fromkeys(OF_MOVES.values()), TURN, CLOCK)


class Effect(Protocol):
    """A sound that can be played."""

    def play(self) -> None:
        """Play it from its beginning."""


Load = Callable[[QUrl, QObject], Effect | None]
"""Loads a sound for an owner; None where there is nothing to play it with."""


def what_is_missing() -> str | None:
    """Why nothing can be heard: "" if the extra is missing, else what it misses; None if nothing.

    Loads QtMultimedia if it is there, so it is asked only where somebody wants to know.
    """
    if find_spec("PySide6.QtMultimedia") is None:
        return ""
    try:
        _multimedia()
    except ImportError as error:
        return str(error)
    return None


def _multimedia() -> Any:
    return import_module("PySide6.QtMultimedia")


def load_effect(file: QUrl, owner: QObject) -> Effect | None:
    """A sound of QtMultimedia."""
    try:
        effect: Any = _multimedia().QSoundEffect(owner)
    except ImportError as error:  # the extra is missing, or a library of the system that it needs
        _log.info("no sound: %s", error)
        return None
    effect.setSource(file)
    effect.setVolume(VOLUME)
    loaded: Effect = effect
    return loaded


class Sounds(QObject):
    """Plays them, if they are wanted; each is loaded when it is heard first."""

    def __init__(
        self, wanted: Callable[[], bool], load: Load = load_effect, parent: QObject | None = None
    ) -> None:
        """`wanted`: whether the user wants sounds now."""
        super().__init__(parent)
        self._wanted = wanted
        self._load = load
        self._loaded: dict[str, Effect | None] = {}
        self._mute = False
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

    def play(self, name: str) -> None:
        """Play one."""
        if self._mute or not self._wanted():
            return
        if name not in self._loaded:
            self._loaded[name] = self._find(name)
        effect = self._loaded[name]
        if effect is not None:
            effect.play()

    def _find(self, name: str) -> Effect | None:
        try:
            path = resource("sounds", f"{name}.wav")
        except StoreError:
            _log.warning("the sound %s is missing", name)
            return None
        effect = self._load(QUrl.fromLocalFile(str(path)), self)
        self._mute = effect is None
        return effect
