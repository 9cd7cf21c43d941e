"""Seats with fixed seeds that deal honestly, for the tests in this folder.

Nothing here judges or cheats: a test itself changes the list, key or seed that it wants changed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanuno.dealing.deal import Deal, slot_scalars, take_step
from lanuno.dealing.group import scalar_bytes
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets
from lanuno.dealing.slots import SlotTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanuno.dealing.deal import LockedSlot, StepKind
    from lanuno.dealing.passes import PassStep

TABLE = H("test-table")
OPEN = H("test-open")


def context(seat: int) -> RoundContext:
    return RoundContext(TABLE, OPEN, seat, H("test-identity", u32(seat)))


def secrets_of(seat: int, salt: int = 0) -> RoundSecrets:
    return RoundSecrets(H("test-seed", u32(seat), u32(salt)), context(seat))


def view_of(seat: int) -> ViewSecrets:
    return ViewSecrets(H("test-view", u32(seat)), context(seat))


def company(seats: Iterable[int]) -> dict[int, RoundSecrets]:
    return {seat: secrets_of(seat) for seat in seats}


def new_deal(
    number: int,
    deck: int,
    cards: Iterable[int],
    order: Iterable[int],
    *,
    locked: Iterable[LockedSlot] = (),
    first_slot: int = 0,
) -> Deal:
    """Return a deal of the round to which the secrets here belong."""
    return Deal(
        number,
        deck,
        cards,
        order,
        table=TABLE,
        open_hash=OPEN,
        locked=locked,
        first_slot=first_slot,
    )


def play_until(deal: Deal, secrets: Mapping[int, RoundSecrets], stop: tuple[StepKind, int]) -> None:
    """Let all seats act honestly until the deal waits for `stop`."""
    while (expected := deal.expected) is not None and expected != stop:
        accept_honest(deal, secrets)


def accept_honest(deal: Deal, secrets: Mapping[int, RoundSecrets]) -> PassStep:
    expected = deal.expected
    assert expected is not None
    step = take_step(deal, secrets[expected[1]])
    assert deal.accept(expected[1], step) is None
    return step


def play(deal: Deal, secrets: Mapping[int, RoundSecrets]) -> Deal:
    while not deal.done:
        accept_honest(deal, secrets)
    return deal


def table_of(*deals: Deal) -> SlotTable:
    table = SlotTable()
    for deal in deals:
        table.add(deal)
    return table


def key_of(secrets: RoundSecrets, deal: Deal, slot: int) -> bytes:
    """Return the seat's key for a slot of that deal, as it would be published."""
    return scalar_bytes(slot_scalars(deal, secrets)[slot - deal.first_slot])


def release(
    table: SlotTable,
    deal: Deal,
    slots: Iterable[int],
    secrets: Mapping[int, RoundSecrets],
    *,
    but: int | None = None,
) -> None:
    """Publish the keys of all seats for these slots, except those of the seat `but`."""
    for slot in slots:
        for seat in deal.order:
            if seat != but:
                assert table.release(seat, slot, key_of(secrets[seat], deal, slot))
