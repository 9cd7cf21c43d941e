"""The content of a hand that is shown, opened or given away: the last keys of its slots.

The keys are sealed for one receiver, or published unsealed for everybody.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanuno.dealing.curve import SCALAR_BYTES
from lanuno.dealing.deal import slot_scalars
from lanuno.dealing.errors import ScalarError
from lanuno.dealing.group import parse_scalar, public_key, scalar_bytes
from lanuno.dealing.secrets import RoundSecrets
from lanuno.dealing.slots import SlotTable


def purpose_of_show(decision: int) -> str:
    """Return the purpose in the seal of a hand that is shown; each challenge has its own."""
    return f"show {decision}"


def purpose_of_move(number: int) -> str:
    """Return the purpose in the seal of a hand that changes owners; each move has its own."""
    return f"move {number}"


def slot_key(slots: SlotTable, secrets: RoundSecrets, slot: int) -> bytes:
    """Return a seat's 32-byte key for a slot of a finished deal, derived from its seed."""
    deal = next(each for each in slots.deals if slot in each.slots)
    return scalar_bytes(slot_scalars(deal, secrets)[slot - deal.first_slot])


def hand_content(key: Callable[[int], bytes], hand: Sequence[int]) -> bytes:
    """Join the last keys of all slots, in the order of the hand."""
    return b"".join([key(slot) for slot in hand])


def holds_keys(
    content: bytes, slots: SlotTable, hand: Sequence[int], owners: Sequence[int]
) -> bool:
    """Whether a box holds the last keys of all slots, matching the public keys of `owners`."""
    if len(content) != SCALAR_BYTES * len(hand):
        return False
    for place, (slot, owner) in enumerate(zip(hand, owners, strict=True)):
        key = content[SCALAR_BYTES * place : SCALAR_BYTES * (place + 1)]
        try:
            published = public_key(parse_scalar(key))
        except ScalarError:
            return False
        if published != slots.public_key(owner, slot):
            return False
    return True
