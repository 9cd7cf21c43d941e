"""What a seat can do: one frozen class per act, ready for the wire.

legality.py decides whether an act is legal, and act_handlers.py what it does. Every field is an
int, a bool or None. The tags are on the wire and are never reused.
"""

from __future__ import annotations

import msgspec


class _Act(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True, gc=False):
    """The options that all acts inherit."""


class Play(_Act, frozen=True, tag=1):
    """Lay a card from the hand. Begins a turn."""

    slot: int
    """The slot of the card in the hand."""
    card: int
    """The `CardId` in the slot, which everybody can now check."""
    colour: int | None = None
    """The colour named with a wild card; None with all other cards."""
    uno: bool = False
    """Say "UNO" together with the card; legal only if one card is left after it."""


class Draw(_Act, frozen=True, tag=2):
    """Draw one card voluntarily. Begins a turn. It is a pass if nothing is left to draw."""


class Keep(_Act, frozen=True, tag=3):
    """Keep the card just drawn; the turn passes."""


class NameColour(_Act, frozen=True, tag=4):
    """Name the colour of a wild starting card."""

    colour: int


class SayUno(_Act, frozen=True, tag=5):
    """Say "UNO" after the card has been laid."""


class Catch(_Act, frozen=True, tag=6):
    """Catch a seat that has not said "UNO"."""

    seat: int


class Accept(_Act, frozen=True, tag=7):
    """Draw the pending penalty cards and lose the turn."""


class Challenge(_Act, frozen=True, tag=8):
    """Dispute that the Wild Draw Four just played was allowed."""


class Show(_Act, frozen=True, tag=9):
    """Show the challenged hand to the challenger alone (the log carries the sealed keys)."""


class RefuseShow(_Act, frozen=True, tag=10):
    """Neither show nor open the challenged hand, which counts as guilty."""


class Verdict(_Act, frozen=True, tag=11):
    """The challenger's verdict on the hand that it was shown."""

    guilty: bool


class Swap(_Act, frozen=True, tag=12):
    """Answer a card that asks whose hand to take: exchange hands with this seat."""

    seat: int


class Object(_Act, frozen=True, tag=13):
    """Under the manners "honour": object to the card just laid."""


class Accuse(_Act, frozen=True, tag=14):
    """Accuse a seat of having advised a play; the other seats vote."""

    seat: int


class Vote(_Act, frozen=True, tag=15):
    """Vote on the running accusation."""

    guilty: bool


class OpenHand(_Act, frozen=True, tag=16):
    """Open the challenged hand to everybody (the log carries the keys)."""


class RefuseVerdict(_Act, frozen=True, tag=17):
    """Give no verdict, so that the challenged hand has to be opened to everybody."""


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
"""Acts that answer no decision: past events make them legal, no matter whose turn it is.

A table that refuses stale decision numbers does so for every other act. A `Play` out of turn
(house rule "jump in") does answer the current decision: it is right only on the card seen."""
