"""What a shown hand is made of: the owner's keys of its slots, to be sealed to the receiver."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.dealing.group import scalar_bytes
from lanuno.dealing.secrets import RoundSecrets
from lanuno.dealing.slots import SlotTable

SHOW = "show"
"""Purpose of the seal when a hand is shown to a challenger."""


def own_key(slots: SlotTable, secrets: RoundSecrets, slot: int) -> bytes:
    """A seat's own 32-byte key for a slot of a finished deal, from its seed."""
    deal = next(each for each in slots.deals if slot in each.slots)
    return scalar_bytes(secrets.slot_scalars(deal.number, deal.size)[slot - deal.first_slot])


def shown_keys(slots: SlotTable, secrets: RoundSecrets, hand: Sequence[int]) -> bytes:
    """The content of the box: the owner's keys of these slots, in their order."""
    return b"".join([own_key(slots, secrets, slot) for slot in hand])
