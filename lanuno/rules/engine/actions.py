"""What a seat can do: one frozen class per act, ready for the wire.

Here: the shapes. Not here: whether an act is legal (legality.py) and what it does (round.py).
Every value is an int, a bool or None; the tags are on the wire and are never reused.
"""

from __future__ import annotations

import msgspec


class Play(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=1
):
    """Lay a card from one's hand. Begins a turn."""

    slot: int
    """Where the card lies in the hand."""
    card: int
    """The `CardId` that the slot holds, as everybody can now check."""
    colour: int | None = None
    """The colour named with a wild card; None with every other card."""
    uno: bool = False
    """Say "UNO" together with the card; only right when one card is left after it."""


class Draw(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=2
):
    """Draw one card of one's own accord. Begins a turn. A pass if nothing is left to draw."""


class Keep(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=3
):
    """Keep the card just drawn; the turn passes."""


class NameColour(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=4
):
    """Name the colour of a wild starting card."""

    colour: int


class SayUno(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=5
):
    """Say "UNO" after the card lay."""


class Catch(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=6
):
    """Catch a seat that has not said "UNO"."""

    seat: int


class Accept(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=7
):
    """Take the pending penalty cards and lose the turn."""


class Challenge(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=8
):
    """Doubt that the Wild Draw Four just played was allowed."""


class Show(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=9
):
    """The challenged seat shows its hand to the challenger (the log carries the sealed keys)."""


class RefuseShow(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=10
):
    """The challenged seat neither shows nor opens its hand, which counts as guilty."""


class Verdict(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=11
):
    """The challenger's word on the hand it was shown."""

    guilty: bool


class Swap(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=12
):
    """Answer a card that asks whose hand to take: exchange hands with this seat."""

    seat: int


class Object(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=13
):
    """Under table manners "honour": object to the card just laid."""


class Accuse(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=14
):
    """Accuse a seat of having advised a play; the others vote."""

    seat: int


class Vote(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=15
):
    """Vote on the running accusation."""

    guilty: bool


class OpenHand(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=16
):
    """The challenged seat opens its hand to everybody (the log carries the keys)."""


class RefuseVerdict(
    msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False, tag=17
):
    """The challenger gives no verdict: the hand has to be opened to everybody."""


Action = (
    Play
    | Draw
    | Keep
    | NameColour
    | SayUno
    | Catch
    | Accept
    | Challenge
    | Show
    | RefuseShow
    | Verdict
    | Swap
    | Object
    | Accuse
    | Vote
    | OpenHand
    | RefuseVerdict
)

ANY_TIME = (SayUno, Catch, Object, Accuse, Vote)
"""Acts that answer no decision: they are legal by what has happened, not by whose turn it is.

A table that refuses stale decision numbers does so for every other act. A `Play` out of turn
(house rule "jump in") does answer the current decision: it is only right on the card seen."""
