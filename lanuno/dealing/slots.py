"""`SlotTable`: all slots of a round, their published keys, the released keys, and opening.

Rule: public information, plus keys that the caller passes for a single call. Other modules decide
what a card means and who may see it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanuno.dealing.deal import Deal, LockedSlot, StepKind, slot_scalars
from lanuno.dealing.errors import Misuse, PointError, ScalarError
from lanuno.dealing.group import (
    card_numbers,
    inverse,
    multiply,
    parse_scalar,
    product,
    public_key,
    scalar_bytes,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanuno.dealing.secrets import RoundSecrets


class SlotTable:
    """The slots of all finished deals of one round."""

    def __init__(self) -> None:
        """Start with no slots."""
        self.deals: list[Deal] = []
        """The finished deals, in the order in which they were added."""
        self._slots: dict[int, tuple[Deal, int]] = {}
        self._keys: dict[tuple[int, int], int] = {}

    def __contains__(self, slot: int) -> bool:
        return slot in self._slots

    def add(self, deal: Deal) -> None:
        """Add the slots of a finished deal.

        Raises `Misuse` if the deal is unfinished, or if its number or one of its slots is taken.
        """
        if not deal.done or any(each.number == deal.number for each in self.deals):
            raise Misuse("the deal is unfinished, or its number is taken")
        if any(slot in self._slots for slot in deal.slots):
            raise Misuse("a slot number is taken")
        self.deals.append(deal)
        for index, slot in enumerate(deal.slots):
            self._slots[slot] = (deal, index)

    def point(self, slot: int) -> bytes:
        """Return the slot's locked point."""
        deal, index = self._find(slot)
        return deal.points[index]

    def holders(self, slot: int) -> tuple[int, ...]:
        """Return the seats whose keys lock the slot, in genesis order."""
        return self._find(slot)[0].order

    def public_key(self, seat: int, slot: int) -> bytes:
        """Return the public key of a seat's slot key; `Misuse` if the seat did not lock it."""
        deal, index = self._find(slot)
        if seat not in deal.slot_keys:
            raise Misuse("this seat did not lock that slot")
        return deal.slot_keys[seat][index]

    def release(self, seat: int, slot: int, key: bytes) -> bool:
        """Store a seat's published key for a slot; return False and change nothing if it is wrong.

        A key of another slot, seat or deal is wrong, and so are bytes that are not a scalar.
        """
        entry = self._slots.get(slot)
        if entry is None or seat not in entry[0].slot_keys:
            return False
        try:
            scalar = parse_scalar(key)
        except ScalarError:
            return False
        known = self._keys.get((seat, slot))
        if known is not None:
            return known == scalar
        deal, index = entry
        if public_key(scalar) != deal.slot_keys[seat][index]:
            return False
        self._keys[seat, slot] = scalar
        return True

    def release_from_seed(self, secrets: RoundSecrets) -> tuple[int, ...]:
        """Store every key of a seat whose seed is public; return the slots that do not match.

        Each returned slot proves that the seat did not lock it with the key that its seed gives.
        """
        seat = secrets.context.seat
        wrong = []
        for deal in self.deals:
            if seat not in deal.slot_keys:
                continue
            scalars = slot_scalars(deal, secrets)
            for slot, scalar in zip(deal.slots, scalars, strict=True):
                if not self.release(seat, slot, scalar_bytes(scalar)):
                    wrong.append(slot)
        return tuple(wrong)

    def key(self, seat: int, slot: int) -> bytes | None:
        """Return a seat's released key for the slot, 32 bytes; None if it is unknown."""
        scalar = self._keys.get((seat, slot))
        return None if scalar is None else scalar_bytes(scalar)

    def missing(self, slot: int) -> tuple[int, ...]:
        """Return the seats whose key for the slot is not released, in genesis order."""
        return tuple([seat for seat in self.holders(slot) if (seat, slot) not in self._keys])

    def open(self, slot: int, keys: Mapping[int, bytes] | None = None) -> int | None:
        """Return the card in a slot, using released keys and the keys passed for this call.

        Passed `keys` are by seat. Returns None if the slot opens to no card, or to a card that did
        not go into the deal: then a seat has cheated and the round must halt. Raises `Misuse` while
        a key is missing, and `ScalarError` for a passed key that is not a scalar.
        """
        deal, index = self._find(slot)
        lent = {seat: parse_scalar(key) for seat, key in (keys or {}).items()}
        scalars = []
        for seat in deal.order:
            scalar = lent.get(seat) or self._keys.get((seat, slot))
            if scalar is None:
                raise Misuse("a key of the slot is missing")
            scalars.append(scalar)
        try:
            point = multiply(deal.points[index], inverse(product(scalars)))
        except PointError:
            return None
        card = card_numbers(deal.deck).get(point)
        if card is None or deal.locked or card in deal.cards:
            return card
        return None

    def locked(self, slots: Iterable[int], order: Iterable[int]) -> tuple[LockedSlot, ...]:
        """Describe slots that are still locked as the input of a new deal by the seats in `order`.

        Keys of seats that no longer deal are removed. Raises `Misuse` if one of these keys is not
        known, and `PointError` if a point is off the curve.
        """
        order_now = tuple(order)
        staying = set(order_now)
        described = []
        for slot in slots:
            deal, index = self._find(slot)
            gone = [seat for seat in deal.order if seat not in staying]
            point = deal.points[index]
            if any((seat, slot) not in self._keys for seat in gone):
                raise Misuse("a key of a seat that has left is not known")
            if gone:
                point = multiply(point, inverse(product(self._keys[seat, slot] for seat in gone)))
            seats = [seat for seat in order_now if seat in deal.slot_keys]
            keys = tuple([(seat, deal.slot_keys[seat][index]) for seat in seats])
            inputs = tuple([(seat, deal.step_input(StepKind.LOCK, seat)) for seat in seats])
            described.append(LockedSlot(slot, point, deal.number, deal.size, index, keys, inputs))
        return tuple(described)

    def _find(self, slot: int) -> tuple[Deal, int]:
        entry = self._slots.get(slot)
        if entry is None:
            raise Misuse("no such slot")
        return entry
