"""The hands that one seat can read: its own, those given to it, and one shown to it.

The last key of a slot in a hand is that of the seat to which it was first dealt. This module keeps
the keys that this seat holds (its own, and those handed to it in a sealed box), opens slots with
them, and reports a slot that opens to an impossible card. No repr shows a key or a card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from lanuno.dealing.errors import DealingError
from lanuno.dealing.group import parse_scalar, public_key
from lanuno.dealing.sealing import Seal, seal, seal_info, unseal
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.log.format.bodies import HaltReason
from lanuno.log.round import events
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ShownHand
from lanuno.log.round.shown_hand import hand_content, slot_key
from lanuno.rules.engine.actions import Show
from lanuno.rules.engine.round import Round

KEY_BYTES = 32


class Unsound(Struct, frozen=True):
    """A fault that no honest table leads to, and for which the round must be halted."""

    reason: HaltReason
    of: int | None


class HandKeys:
    """The keys and cards of one seat in one round."""

    def __init__(
        self,
        log: RoundLog,
        seat: int,
        secrets: RoundSecrets,
        view: ViewSecrets,
        sealer: Seal | None = None,
    ) -> None:
        """Follow this round with the secrets to which this seat committed in it.

        `sealer` makes the boxes; None for `seal`.
        """
        self._log = log
        self._seat = seat
        self.secrets = secrets
        self.view = view
        self._sealer = sealer
        self._received: dict[int, bytes] = {}
        self._cards: dict[int, int] = {}

    def __repr__(self) -> str:
        return f"HandKeys(seat {self._seat}, <secret>)"

    @property
    def cards(self) -> Mapping[int, int]:
        """The card in every slot that this seat can read, including hands that it once held."""
        return self._cards

    def open_new(self, event: object) -> Unsound | None:
        """Open the cards that an event makes readable; return a fault in them, if any."""
        match event:
            case events.HandUnlocked() if event.to == self._seat:
                return self._open_hand()
            case events.HandGiven() if event.to == self._seat:
                return self._read(self._log.shown[-1]) or self._open_hand()
            case events.ActionTaken() if isinstance(event.action, Show):
                return self._read_shown() if self._log.shown[-1].to == self._seat else None
            case events.DeckReady() if event.deal > 0:
                hands = {slot for hand in self._log.engine.hands.values() for slot in hand}
                self._cards = {slot: card for slot, card in self._cards.items() if slot in hands}
        return None

    def holds(self, hand: Sequence[int]) -> bool:
        """Whether this seat holds the last keys of all slots of a hand that is or was its own."""
        owner = self._log.key_owner
        return all(owner(slot, self._seat) == self._seat or slot in self._received for slot in hand)

    def key(self, slot: int) -> bytes:
        """Return the last key of a slot in a hand that this seat `holds`."""
        if self._log.key_owner(slot, self._seat) == self._seat:
            return slot_key(self._log.slots, self.secrets, slot)
        return self._received[slot]

    def seal(self, slots: Sequence[int], to: int, purpose: str) -> bytes:
        """Return the last keys of these slots, sealed to a seat."""
        log = self._log
        info = seal_info(log.table_id, log.open_hash, self._seat, to, purpose)
        return (self._sealer or seal)(hand_content(self.key, slots), log.commits[to].view_key, info)

    def _read_shown(self) -> Unsound | None:
        """Open the hand just shown to this seat; return a fault in its keys or cards, if any."""
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
        """Unseal the keys in a box, and check each against the public key of its slot."""
        log = self._log
        wrong = Unsound(HaltReason.BAD_SEAL, shown.seat)
        info = seal_info(log.table_id, log.open_hash, shown.seat, self._seat, shown.purpose)
        try:
            content = unseal(shown.sealed, self.view.private_key, info)
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
        """Open every card of this seat's hand whose keys are all known by now."""
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
        """Open one slot with its last key; return a fault if the card is impossible there."""
        owner = self._log.key_owner(slot, holder)
        key = self._received[slot] if slot in self._received else self.key(slot)
        card = self._log.slots.open(slot, {owner: key})
        elsewhere = (other for place, other in self._cards.items() if place != slot)
        face_up = self._log.engine.face_up.get(slot)
        if card is None or card in elsewhere or not (card in self._log.hidden or card == face_up):
            return Unsound(HaltReason.NO_CARD, None)
        self._cards[slot] = card
        return None
