"""The hands that one seat can read: its own, those given to it, and one shown to it.

A slot of a hand is locked last by the key of the seat that it was first dealt to. This module keeps
the keys that this seat holds (its own, and those handed to it in a sealed box), opens slots with
them, and reports a slot that opens to a card that cannot be there. No repr shows a key or a card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lanuno.dealing.errors import DealingError
from lanuno.dealing.group import parse_scalar, public_key
from lanuno.dealing.sealing import seal, seal_info, unseal
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.log.format.bodies import HaltReason
from lanuno.log.round import events
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ShownHand
from lanuno.log.round.shown_hand import hand_content, slot_key
from lanuno.rules.engine.actions import Show
from lanuno.rules.engine.round import Round

KEY_BYTES = 32


@dataclass(frozen=True, slots=True)
class Unsound:
    """Something that an honest table cannot lead to: the round has to halt."""

    reason: HaltReason
    of: int | None


class HandKeys:
    """Keys and cards of one seat in one round."""

    def __init__(self, log: RoundLog, seat: int, secrets: RoundSecrets, view: ViewSecrets) -> None:
        """Follow this round with the secrets that this seat committed to for it."""
        self._log = log
        self._seat = seat
        self._secrets = secrets
        self._view = view
        self._received: dict[int, bytes] = {}
        self._cards: dict[int, int] = {}

    def __repr__(self) -> str:
        return f"HandKeys(seat {self._seat}, <secret>)"

    @property
    def cards(self) -> Mapping[int, int]:
        """Every slot that this seat can read, and the card in it; also hands it once held."""
        return self._cards

    def open_new(self, event: object) -> Unsound | None:
        """Open cards that the log has just made readable; returns a fault in them, if any."""
        match event:
            case events.HandUnlocked() if event.to == self._seat:
                return self._open_hand()
            case events.HandGiven() if event.to == self._seat:
                return self._read(self._log.shown[-1]) or self._open_hand()
            case events.ActionTaken() if isinstance(event.action, Show):
                return self.read_shown() if self._log.shown[-1].to == self._seat else None
            case events.DeckReady() if event.deal > 0:
                hands = {slot for hand in self._log.engine.hands.values() for slot in hand}
                self._cards = {slot: card for slot, card in self._cards.items() if slot in hands}
        return None

    def key(self, slot: int) -> bytes:
        """The last key of a slot of this seat's hand, its own or one handed to it."""
        if self._log.key_owner(slot, self._seat) == self._seat:
            return slot_key(self._log.slots, self._secrets, slot)
        return self._received[slot]

    def seal(self, slots: Sequence[int], to: int, purpose: str) -> bytes:
        """The last keys of these slots, sealed to a seat."""
        log = self._log
        info = seal_info(log.table_id, log.open_hash, self._seat, to, purpose)
        return seal(hand_content(self.key, slots), log.commits[to].view_key, info)

    def read_shown(self) -> Unsound | None:
        """Open the hand that was just shown to this seat."""
        shown = next(each for each in reversed(self._log.shown) if each.challenge)
        unsound = self._read(shown)
        if unsound is not None:
            return unsound
        for slot in shown.slots:
            unsound = self._open(slot, shown.seat)
            if unsound is not None:
                return unsound
        return None

    def _read(self, shown: ShownHand) -> Unsound | None:
        """Take the keys out of a box, and check each against the public key of its slot."""
        log = self._log
        wrong = Unsound(HaltReason.BAD_SEAL, shown.seat)
        info = seal_info(log.table_id, log.open_hash, shown.seat, self._seat, shown.purpose)
        try:
            content = unseal(shown.sealed, self._view.private_key, info)
            if len(content) != KEY_BYTES * len(shown.slots):
                return wrong
            for place, slot in enumerate(shown.slots):
                key = content[KEY_BYTES * place : KEY_BYTES * (place + 1)]
                owner = log.key_owner(slot, shown.seat)
                if public_key(parse_scalar(key)) != log.slots.public_key(owner, slot):
                    return wrong
                self._received[slot] = key
        except DealingError:
            return wrong
        return None

    def _open_hand(self) -> Unsound | None:
        """Open every card of the own hand whose keys are all known by now."""
        engine = self._log.engine
        hand = engine.hands.get(self._seat, ()) if isinstance(engine, Round) else ()
        for slot in hand:
            owner = self._log.key_owner(slot, self._seat)
            known = owner == self._seat or slot in self._received
            if slot not in self._cards and known and set(self._log.slots.missing(slot)) <= {owner}:
                unsound = self._open(slot, self._seat)
                if unsound is not None:
                    return unsound
        return None

    def _open(self, slot: int, holder: int) -> Unsound | None:
        """Open one slot with its last key."""
        owner = self._log.key_owner(slot, holder)
        key = self._received[slot] if slot in self._received else self.key(slot)
        card = self._log.slots.open(slot, {owner: key})
        elsewhere = (other for place, other in self._cards.items() if place != slot)
        face_up = self._log.engine.face_up.get(slot)
        if card is None or card in elsewhere or not (self._log.hides(card) or card == face_up):
            return Unsound(HaltReason.NO_CARD, None)
        self._cards[slot] = card
        return None
