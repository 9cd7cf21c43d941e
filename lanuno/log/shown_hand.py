"""What a hand that is shown or given away is made of: the last keys of its slots, to be sealed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanuno.dealing.group import scalar_bytes
from lanuno.dealing.secrets import RoundSecrets
from lanuno.dealing.slots import SlotTable

SHOW = "show"
"""Purpose of the seal when a hand is shown to a challenger."""


def purpose_of_move(number: int) -> str:
    """Purpose of the seal when a hand changes owners; each move has its own."""
    return f"move {number}"


def own_key(slots: SlotTable, secrets: RoundSecrets, slot: int) -> bytes:
    """A seat's own 32-byte key for a slot of a finished deal, from its seed."""
    deal = next(each for each in slots.deals if slot in each.slots)
    return scalar_bytes(secrets.slot_scalars(deal.number, deal.size)[slot - deal.first_slot])


def hand_content(key: Callable[[int], bytes], hand: Sequence[int]) -> bytes:
    """The content of the box: the last key of each slot, in the order of the hand."""
    return b"".join([key(slot) for slot in hand])
