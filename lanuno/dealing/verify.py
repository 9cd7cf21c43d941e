"""Checks of deals against revealed seeds: which published steps differ, and where each card lay.

Rule: every step is checked on the list that its author was given, so no seat is blamed for earlier
steps. Cards are found by composing permutations, without the curve.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanuno.dealing.deal import Deal, DealFault, honest_step, permutation
from lanuno.dealing.errors import Misuse, PointError
from lanuno.dealing.group import Flaw
from lanuno.dealing.permutation import permute

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lanuno.dealing.secrets import RoundSecrets


def verify_deal(deal: Deal, secrets: Mapping[int, RoundSecrets]) -> tuple[DealFault, ...]:
    """Recompute every accepted step of a deal, finished or not, and return those that differ.

    For seats that are not in `secrets`, only points off the curve are detected: the caller knows
    that their seeds are missing. A step whose input holds such a point cannot be checked; the
    author of that point is named instead.
    """
    faults = []
    for taken in deal.accepted:
        known = secrets.get(taken.seat)
        if known is None:
            if taken.off_curve:
                faults.append(DealFault(taken.seat, taken.kind, Flaw.OFF_CURVE))
            continue
        try:
            honest = honest_step(deal, taken.kind, taken.points, known)
        except PointError:
            continue
        if honest != taken.step:
            faults.append(DealFault(taken.seat, taken.kind, Flaw.DIFFERS))
    return tuple(faults)


def dealt_cards(deals: Iterable[Deal], secrets: Mapping[int, RoundSecrets]) -> dict[int, int]:
    """Return the card that the shuffles put into each slot of finished deals, given in their order.

    This is true of the published points wherever `verify_deal` finds no fault. A deal with locked
    slots must follow the deals from which they come. Raises `Misuse` if a deal is unfinished, or if
    a seed or an earlier deal is missing.
    """
    found: dict[int, int] = {}
    for deal in deals:
        if not deal.done or any(seat not in secrets for seat in deal.order):
            raise Misuse("an unfinished deal or a missing seed")
        if any(each.slot not in found for each in deal.locked):
            raise Misuse("the deal of a locked slot is missing")
        cards = [*deal.cards, *(found[each.slot] for each in deal.locked)]
        for seat in deal.order:
            cards = permute(cards, permutation(deal, secrets[seat]))
        found.update(zip(deal.slots, cards, strict=True))
    return found
