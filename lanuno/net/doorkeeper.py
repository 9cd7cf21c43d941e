"""Who may come in at the door of a table: PINs, people who watch, and who was sent away.

The same for every host of it. Seats are given by the waiting room (`lanuno.table.lobby`), not here.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from hmac import compare_digest
from typing import Final

from lanuno.log.genesis import VERSION, clean_name
from lanuno.net.addresses import network
from lanuno.table.arrangements import Arrangements
from lanuno.table.chat import taken
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.messages import Join, LobbyRefusal, Watch
from lanuno.table.outputs import Spectator

_log = logging.getLogger(__name__)

PIN_TRIES: Final = 5
PIN_TRIES_TOGETHER: Final = 50
"""The same for all addresses of an IPv6 /64: one computer has as many of them as it likes."""
PIN_LOCK_SECONDS: Final = 60.0
PIN_ADDRESSES: Final = 1_024
"""Addresses and networks remembered for wrong PINs; then the oldest is forgotten."""

SENT_AWAY_SECONDS: Final = 600.0
"""Time in which nobody watches from the address of a spectator who was sent away: a new key is made
in a moment. The key itself stays away for as long as this computer is the host."""
SENT_AWAY: Final = 1_024
"""The number of their keys, and of their addresses, that are remembered."""
PIN_GUESTS: Final = 64
"""Identities that gave the right PIN: the number remembered, the oldest forgotten first."""


class Doorkeeper:
    """Knows the PIN, and who tried to guess it."""

    def __init__(self, arrangements: Arrangements) -> None:
        """Keep the door of a table with these arrangements."""
        self._pin = arrangements.pin or ""
        self._spectators = arrangements.spectators
        self._wrong_pins: dict[str, tuple[int, float]] = {}
        self._guests: dict[bytes, None] = {}
        """Identities that gave the right PIN, the newest last."""
        self._sent_away: dict[bytes, None] = {}
        self._sent_away_from: dict[str, float] = {}
        self._awaited: tuple[Spectator, ...] = ()

    def reserve(self, spectators: Iterable[Spectator]) -> None:
        """These are to watch in any case: nobody else has their names, or takes their places."""
        self._awaited = tuple(spectators)

    def allow_spectators(self, allowed: bool) -> None:
        """People may watch from now on, or nobody."""
        self._spectators = allowed

    def send_away(self, identity: bytes, address: str, now: float) -> None:
        """This spectator shall not come back."""
        self._sent_away[identity] = None
        self._sent_away_from.pop(address, None)
        self._sent_away_from[address] = now
        if len(self._sent_away) > SENT_AWAY:
            del self._sent_away[next(iter(self._sent_away))]
        if len(self._sent_away_from) > SENT_AWAY:
            del self._sent_away_from[next(iter(self._sent_away_from))]

    def turns_away(
        self,
        identity: bytes,
        address: str,
        asked: Join | Watch,
        here: Collection[Spectator],
        now: float,
    ) -> LobbyRefusal | None:
        """Why somebody may not come in, where these watch; None if that is for others to say."""
        if self.locked(identity, address, asked.pin, now):
            return LobbyRefusal.WRONG_PIN
        if identity in self._sent_away:
            return LobbyRefusal.KICKED
        if isinstance(asked, Join) or any(each.identity == identity for each in self._awaited):
            return None
        since = self._sent_away_from.get(address)
        if since is not None and now - since < SENT_AWAY_SECONDS:
            return LobbyRefusal.KICKED
        if taken(clean_name(asked.name) or "", identity, self._awaited):
            return LobbyRefusal.NAME_TAKEN
        others = {each.identity for each in here} - {each.identity for each in self._awaited}
        full = len(others - {identity}) >= MAX_SPECTATORS - len(self._awaited)
        return LobbyRefusal.NO_SPECTATORS if full else None

    def locked(self, identity: bytes, address: str, pin: str, now: float) -> bool:
        """Whether somebody must wait: five wrong PINs lock an address for a minute, more a /64.

        But not for those who gave the right one before: others may share their address.
        """
        right = self._is_right(pin)
        if not self._pin or (right and identity in self._guests):
            return False
        # Of IPv4 the two are the same, and the smaller number holds.
        bounds = {network(address): PIN_TRIES_TOGETHER} | {address: PIN_TRIES}
        tries = {where: self._tries(where, now) for where in bounds}
        if any(tries[where] >= most for where, most in bounds.items()):
            _log.info("%s is locked out: wrong PINs", address, extra={"address": address})
            return True
        if right:
            self._guests[identity] = None
            if len(self._guests) > PIN_GUESTS:
                del self._guests[next(iter(self._guests))]
            return False
        tried = (address, tries[address] + 1, PIN_TRIES)
        _log.info("%s gave a wrong PIN (%d of %d)", *tried, extra={"address": address})
        for where, before in tries.items():
            self._wrong_pins.pop(where, None)
            self._wrong_pins[where] = (before + 1, now)
            if len(self._wrong_pins) > PIN_ADDRESSES:
                del self._wrong_pins[next(iter(self._wrong_pins))]
        return False

    def _tries(self, where: str, now: float) -> int:
        """Wrong PINs that came from an address or a network, up to a minute ago."""
        tries, since = self._wrong_pins.get(where, (0, now))
        return 0 if now - since >= PIN_LOCK_SECONDS else tries

    def why_not_watch(
        self,
        identity: bytes,
        address: str,
        asked: Watch,
        here: Collection[Spectator],
        now: float,
    ) -> LobbyRefusal | None:
        """Why somebody may not watch a table that plays; None if they may, as far as is known here.

        The time that the answer takes says nothing about the PIN.
        """
        why = self.turns_away(identity, address, asked, here, now)
        if why is not None:
            return why
        if asked.version != VERSION:
            return LobbyRefusal.OTHER_VERSION
        if not self._is_right(asked.pin):
            return LobbyRefusal.WRONG_PIN
        return None if self._spectators else LobbyRefusal.NO_SPECTATORS

    def _is_right(self, pin: str) -> bool:
        return not self._pin or compare_digest(self._pin.encode(), pin.encode())
