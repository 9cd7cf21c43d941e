"""Who may join or watch a table: the PIN, spectators, and bans.

Every host of a table applies these rules. The lobby assigns the seats (`lanuno.table.lobby.host`).
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable
from typing import Final

from lanuno.log.format.genesis import VERSION
from lanuno.log.format.names import clean_name
from lanuno.net.transport.addresses import network_of
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.limits import remember
from lanuno.table.chat import is_name_taken
from lanuno.table.lobby.peer import Entropy
from lanuno.table.lobby.pin_proof import HostPin, HostPinProof
from lanuno.table.messages import (
    MAX_SPECTATORS,
    BeginPinProof,
    ConfirmPin,
    FromHost,
    Join,
    LobbyRefusal,
    PinConfirmed,
    PinProofAnswer,
    Refused,
    Watch,
)
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
PIN_PROOFS_AT_ONCE: Final = 32
"""Proofs under way for one IPv4 address or IPv6 /64: a whole table with its spectators."""

BAN_SECONDS: Final = 600.0
"""How long nobody may watch from the address of a banned spectator, who could immediately create a
new key. The key itself is banned for as long as this node is the host."""
MOST_BANNED: Final = 1_024
"""Limit of banned keys, and of banned addresses, that are remembered."""
BROKEN_START_SECONDS: Final = 60.0
"""How long nobody sits down with the key, or from the address, of a peer that broke off a start."""
PIN_GUESTS: Final = 64
"""Limit of identities remembered for knowing the PIN. The oldest are forgotten."""


class Admission:
    """Decides on requests to join or watch. Remembers wrong PINs and bans."""

    def __init__(self, metadata: TableMetadata, host: bytes, entropy: Entropy) -> None:
        """`metadata` is that of the table, with its PIN and whether spectators are allowed.

        `host` is the key of this node, `entropy` the source of the randomness of proofs.
        """
        self._pin = metadata.pin or ""
        self._host, self._entropy = host, entropy
        self._host_pin: HostPin | None = None
        """Computed for the first proof."""
        self._proofs: dict[Channel, HostPinProof] = {}
        """The proofs that wait for the guest's confirmation."""
        self._spectators = metadata.spectators
        self._wrong_pins: dict[str, tuple[int, float]] = {}
        self._guests: dict[bytes, None] = {}
        """Identities that have proved to know the PIN, the newest last. They may sit and watch."""
        self._banned: dict[bytes, None] = {}
        """Keys that were sent away."""
        self._banned_addresses: dict[tuple[bytes, str], float] = {}
        """When a spectator with this key was sent away from this address."""
        self._broke_start: dict[bytes | str, float] = {}
        """When each key, and each address or IPv6 /64, has last broken off a start."""
        self._reserved: tuple[Spectator, ...] = ()

    def reserve(self, spectators: Iterable[Spectator]) -> None:
        """Reserve places for these spectators. Nobody else may use their names."""
        self._reserved = tuple(spectators)

    def allow_spectators(self, allowed: bool) -> None:
        """Set whether new spectators are admitted."""
        self._spectators = allowed

    def ban(self, identity: bytes, addresses: Iterable[str], now: float) -> None:
        """Ban this key, and everybody from watching at these addresses for `BAN_SECONDS`.

        A player is banned without addresses, because neighbours behind them may watch.
        """
        remember(self._banned, identity, None, MOST_BANNED)
        for address in addresses:
            remember(self._banned_addresses, (identity, address), now, MOST_BANNED)

    def let_in(self, identity: bytes) -> None:
        """Lift the ban of this key, and those of addresses that were banned for it."""
        self._banned.pop(identity, None)
        self._banned_addresses = {
            where: since for where, since in self._banned_addresses.items() if where[0] != identity
        }

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
        if request.version != VERSION:
            return LobbyRefusal.OTHER_VERSION
        if self._pin and identity not in self._guests:
            return LobbyRefusal.WRONG_PIN
        if identity in self._banned:
            return LobbyRefusal.KICKED
        if isinstance(request, Join) and self._waits(identity, address, now):
            return LobbyRefusal.BROKE_START
        if isinstance(request, Join) or any(each.identity == identity for each in self._reserved):
            return None
        bans = [since for (_, at), since in self._banned_addresses.items() if at == address]
        if any(now - since < BAN_SECONDS for since in bans):
            return LobbyRefusal.KICKED
        if is_name_taken(clean_name(request.name) or "", identity, self._reserved):
            return LobbyRefusal.NAME_TAKEN
        others = {each.identity for each in spectators} - {each.identity for each in self._reserved}
        full = len(others - {identity}) >= MAX_SPECTATORS - len(self._reserved)
        return LobbyRefusal.NO_SPECTATORS if full else None

    def prove(self, guest: Channel, message: BeginPinProof | ConfirmPin, now: float) -> FromHost:
        """Take a step of a proof that guest and host know the PIN. Return the answer.

        A wrong confirmation is a failed proof; so is one that is begun and given up. `PIN_TRIES`
        failed ones lock an address, `PIN_TRIES_TOGETHER` an IPv6 /64. A lock lasts
        `PIN_LOCK_SECONDS`, and is checked before anything is computed. It does not affect an
        identity whose last proof was right, because others may share its address.
        """
        if isinstance(message, ConfirmPin):
            return self._confirm(guest, message, now)
        if not self._pin:
            return Refused(LobbyRefusal.NO_PIN)
        self.left(guest, now)
        here = network_of(guest.address)
        at_once = sum(network_of(each.address) == here for each in self._proofs)
        if self._is_locked_out(guest, now) or at_once >= PIN_PROOFS_AT_ONCE:
            return Refused(LobbyRefusal.WRONG_PIN)
        if self._host_pin is None:
            self._host_pin = HostPin(self._pin, self._host, self._entropy)
        proof = self._host_pin.answer(message.element, guest=guest.identity, table=guest.context)
        if proof is None:
            self._failed(guest, now)
            return Refused(LobbyRefusal.WRONG_PIN)
        self._proofs[guest] = proof
        return PinProofAnswer(proof.element)

    def _confirm(self, guest: Channel, message: ConfirmPin, now: float) -> FromHost:
        # Removed first: each proof tests one confirmation.
        proof = self._proofs.pop(guest, None)
        # Locked also while the proof was under way, by others from the same address.
        if proof is None or self._is_locked_out(guest, now):
            return Refused(LobbyRefusal.WRONG_PIN)
        if not proof.is_confirmed_by(message.confirmation):
            self._failed(guest, now)
            return Refused(LobbyRefusal.WRONG_PIN)
        remember(self._guests, guest.identity, None, PIN_GUESTS)
        return PinConfirmed(proof.confirmation)

    def left(self, guest: Channel, now: float) -> None:
        """End the proof of a guest, if one is under way: it has failed."""
        if self._proofs.pop(guest, None) is not None:
            self._failed(guest, now)

    def _is_locked_out(self, guest: Channel, now: float) -> bool:
        address = guest.address
        # For IPv4 the address is its own network, and the smaller limit applies.
        bounds = {network_of(address): PIN_TRIES_TOGETHER} | {address: PIN_TRIES}
        locked = any(self._tries(where, now) >= most for where, most in bounds.items())
        if locked and guest.identity not in self._guests:
            _log.info("%s is locked out: wrong PINs", address, extra={"address": address})
            return True
        return False

    def _failed(self, guest: Channel, now: float) -> None:
        """Count a failed proof."""
        address = guest.address
        self._guests.pop(guest.identity, None)
        tried = (address, self._tries(address, now) + 1, PIN_TRIES)
        _log.info("%s gave a wrong PIN (%d of %d)", *tried, extra={"address": address})
        for where in {address, network_of(address)}:
            remember(self._wrong_pins, where, (self._tries(where, now) + 1, now), PIN_ADDRESSES)

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
        """Return why a request to watch a table in progress is refused, or None."""
        refusal = self.refusal(identity, address, request, spectators, now)
        if refusal is None and not self._spectators:
            return LobbyRefusal.NO_SPECTATORS
        return refusal
