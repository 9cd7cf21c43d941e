"""Who may join or watch a table: the PIN, spectators, and bans.

Every host of a table applies these rules. The lobby assigns the seats (`lanuno.table.lobby.host`).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from hmac import compare_digest
from typing import Final

from lanuno.log.format.genesis import VERSION
from lanuno.log.format.names import clean_name
from lanuno.net.transport.addresses import network_of
from lanuno.net.transport.limits import remember
from lanuno.table.chat import is_name_taken
from lanuno.table.lobby.host import MAX_SPECTATORS
from lanuno.table.messages import Join, LobbyRefusal, Watch
from lanuno.table.metadata import TableMetadata
from lanuno.table.outputs import Spectator

_log = logging.getLogger(__name__)

PIN_TRIES: Final = 5
"""Wrong PINs from one address before it is locked out."""
PIN_TRIES_TOGETHER: Final = 50
"""Wrong PINs from one IPv6 /64 before it is locked out. One computer can use all its addresses."""
PIN_LOCK_SECONDS: Final = 60.0
PIN_ADDRESSES: Final = 1_024
"""Limit of addresses and networks remembered for wrong PINs. The oldest are forgotten."""

BAN_SECONDS: Final = 600.0
"""How long nobody may watch from the address of a banned spectator, who could immediately create a
new key. The key itself is banned for as long as this node is the host."""
MOST_BANNED: Final = 1_024
"""Limit of banned keys, and of banned addresses, that are remembered."""
BROKEN_START_SECONDS: Final = 60.0
"""How long nobody sits down with the key, or from the address, of a peer that broke off a start."""
PIN_GUESTS: Final = 64
"""Limit of identities remembered for entering the right PIN. The oldest are forgotten."""


class Admission:
    """Decides on requests to join or watch. Remembers wrong PINs and bans."""

    def __init__(self, metadata: TableMetadata) -> None:
        """`metadata` is that of the table, with its PIN and whether spectators are allowed."""
        self._pin = metadata.pin or ""
        self._spectators = metadata.spectators
        self._wrong_pins: dict[str, tuple[int, float]] = {}
        self._guests: dict[bytes, None] = {}
        """Identities that entered the right PIN, the newest last."""
        self._banned: dict[bytes, None] = {}
        self._banned_addresses: dict[str, float] = {}
        self._broke_start: dict[bytes | str, float] = {}
        """When each key, and each address or IPv6 /64, has last broken off a start."""
        self._reserved: tuple[Spectator, ...] = ()

    def reserve(self, spectators: Iterable[Spectator]) -> None:
        """Reserve places for these spectators. Nobody else may use their names."""
        self._reserved = tuple(spectators)

    def allow_spectators(self, allowed: bool) -> None:
        """Set whether new spectators are admitted."""
        self._spectators = allowed

    def ban(self, identity: bytes, address: str, now: float) -> None:
        """Ban this spectator's key, and for `BAN_SECONDS` everybody at the address."""
        remember(self._banned, identity, None, MOST_BANNED)
        remember(self._banned_addresses, address, now, MOST_BANNED)

    def let_wait(self, identity: bytes, address: str, now: float) -> None:
        """Refuse a seat to this key, and to its address, for `BROKEN_START_SECONDS`."""
        for each in (identity, network_of(address)):
            remember(self._broke_start, each, now, MOST_BANNED)

    def _waits(self, identity: bytes, address: str, now: float) -> bool:
        since = (self._broke_start.get(each) for each in (identity, network_of(address)))
        return any(each is not None and now - each < BROKEN_START_SECONDS for each in since)

    def refusal(
        self,
        identity: bytes,
        address: str,
        request: Join | Watch,
        spectators: Collection[Spectator],
        now: float,
    ) -> LobbyRefusal | None:
        """Return why a request is refused before the lobby or the host decides, or None.

        `spectators` are those who are watching now.
        """
        if self.is_locked_out(identity, address, request.pin, now):
            return LobbyRefusal.WRONG_PIN
        if identity in self._banned:
            return LobbyRefusal.KICKED
        if isinstance(request, Join) and self._waits(identity, address, now):
            return LobbyRefusal.BROKE_START
        if isinstance(request, Join) or any(each.identity == identity for each in self._reserved):
            return None
        since = self._banned_addresses.get(address)
        if since is not None and now - since < BAN_SECONDS:
            return LobbyRefusal.KICKED
        if is_name_taken(clean_name(request.name) or "", identity, self._reserved):
            return LobbyRefusal.NAME_TAKEN
        others = {each.identity for each in spectators} - {each.identity for each in self._reserved}
        full = len(others - {identity}) >= MAX_SPECTATORS - len(self._reserved)
        return LobbyRefusal.NO_SPECTATORS if full else None

    def is_locked_out(self, identity: bytes, address: str, pin: str, now: float) -> bool:
        """Count a wrong PIN, and return whether any PIN is refused because of earlier ones.

        `PIN_TRIES` wrong ones lock an address, `PIN_TRIES_TOGETHER` an IPv6 /64. A lock lasts
        `PIN_LOCK_SECONDS`. It does not affect an identity that entered the right PIN before,
        because others may share its address.
        """
        right = self._is_right_pin(pin)
        if not self._pin or (right and identity in self._guests):
            return False
        # For IPv4 the address is its own network, and the smaller limit applies.
        bounds = {network_of(address): PIN_TRIES_TOGETHER} | {address: PIN_TRIES}
        tries = {where: self._tries(where, now) for where in bounds}
        if any(tries[where] >= most for where, most in bounds.items()):
            _log.info("%s is locked out: wrong PINs", address, extra={"address": address})
            return True
        if right:
            remember(self._guests, identity, None, PIN_GUESTS)
            return False
        tried = (address, tries[address] + 1, PIN_TRIES)
        _log.info("%s gave a wrong PIN (%d of %d)", *tried, extra={"address": address})
        for where, before in tries.items():
            remember(self._wrong_pins, where, (before + 1, now), PIN_ADDRESSES)
        return False

    def _tries(self, where: str, now: float) -> int:
        """Return the wrong PINs counted for an address or network that are not yet forgotten."""
        tries, since = self._wrong_pins.get(where, (0, now))
        return 0 if now - since >= PIN_LOCK_SECONDS else tries

    def spectator_refusal(
        self,
        identity: bytes,
        address: str,
        request: Watch,
        spectators: Collection[Spectator],
        now: float,
    ) -> LobbyRefusal | None:
        """Return why a request to watch a table in progress is refused, or None.

        The PIN is compared in constant time.
        """
        refusal = self.refusal(identity, address, request, spectators, now)
        if refusal is not None:
            return refusal
        if request.version != VERSION:
            return LobbyRefusal.OTHER_VERSION
        if not self._is_right_pin(request.pin):
            return LobbyRefusal.WRONG_PIN
        return None if self._spectators else LobbyRefusal.NO_SPECTATORS

    def _is_right_pin(self, pin: str) -> bool:
        return not self._pin or compare_digest(self._pin.encode(), pin.encode())
