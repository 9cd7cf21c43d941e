"""Who may come in at the door of a table: PINs, and people who watch.

The same for every host of it. Seats are given by the waiting room (`lanuno.table.lobby`), not here.
"""

from __future__ import annotations

from hmac import compare_digest
from typing import Final

from lanuno.log.genesis import VERSION
from lanuno.table.arrangements import Arrangements
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import LobbyRefusal, Watch

PIN_TRIES: Final = 5
PIN_LOCK_SECONDS: Final = 60.0
PIN_ADDRESSES: Final = 1_024
"""So many addresses that gave a wrong PIN are remembered; then the oldest is forgotten."""


class Doorkeeper:
    """Knows the PIN, and who tried to guess it."""

    def __init__(self, arrangements: Arrangements) -> None:
        """Keep the door of a table with these arrangements."""
        self._pin = arrangements.pin or ""
        self._spectators = arrangements.spectators
        self._wrong_pins: dict[str, tuple[int, float]] = {}

    def locked(self, address: str, pin: str, now: float) -> bool:
        """Whether somebody must wait: five wrong PINs lock an address for a minute."""
        if not self._pin:
            return False
        tries, since = self._wrong_pins.get(address, (0, now))
        if now - since >= PIN_LOCK_SECONDS:
            tries = 0
        if tries >= PIN_TRIES:
            return True
        if not self._is_right(pin):
            self._wrong_pins.pop(address, None)
            self._wrong_pins[address] = (tries + 1, now)
            if len(self._wrong_pins) > PIN_ADDRESSES:
                del self._wrong_pins[next(iter(self._wrong_pins))]
        return False

    def why_not_watch(
        self, address: str, asked: Watch, watchers: int, now: float
    ) -> LobbyRefusal | None:
        """Why somebody may not watch a table that plays, and has so many who do; None if they may.

        The time that the answer takes says nothing about the PIN.
        """
        if self.locked(address, asked.pin, now):
            return LobbyRefusal.WRONG_PIN
        if asked.version != VERSION:
            return LobbyRefusal.OTHER_VERSION
        if not self._is_right(asked.pin):
            return LobbyRefusal.WRONG_PIN
        if not self._spectators or watchers >= MAX_SPECTATORS:
            return LobbyRefusal.NO_SPECTATORS
        return None

    def _is_right(self, pin: str) -> bool:
        return not self._pin or compare_digest(self._pin.encode(), pin.encode())
