"""What happens at the table: one frozen class per event, all of it public.

The engine emits these events for the table, the bots and the screen. They only repeat what the
public state holds; no rule may depend on them.

Seats are ints from 0; slots and cards are as in cards.py. Seat tuples are in clockwise order.
"""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec


@unique
class DrawReason(IntEnum):
    """Why a seat draws."""

    DEAL = 0  # the cards at the start
    TURN = 1  # voluntarily
    PENALTY = 2  # a Draw Two or Wild Draw Four
    CHALLENGE_LOST = 3  # the challenge failed: the challenger draws
    CHALLENGED = 4  # the challenge succeeded: the challenged seat draws
    UNO = 5  # "UNO" was not said
    OBJECTION = 6  # a wrong card went back to the hand
    ADVICE = 7  # the seat advised a play


@unique
class RoundEnding(IntEnum):
    """Why a round is over."""

    OUT = 0  # a hand is empty
    BLOCKED = 1  # nothing is left to draw, and nobody could play
    LAPS = 2  # all laps are played
    VOID = 3  # the round does not count; the same dealer deals again


class GameEvent(msgspec.Struct, frozen=True, gc=False):
    """What all events have in common."""


class ShuffleNeeded(GameEvent, frozen=True):
    """The table has to shuffle. Until `Round.shuffled()`, only acts about "UNO" are legal.

    The input is `cards` in the given order, then `slots` in the given order. The output occupies
    the contiguous slots `first_slot`, `first_slot + 1`, …; the lowest is the top of the draw pile.
    """

    deal: int
    """The number of this shuffle in the round, from 0; a repeated shuffle has a new number."""
    cards: tuple[int, ...]
    """Cards that everybody knows."""
    slots: tuple[int, ...]
    """Slots that are still locked and enter the shuffle unopened."""
    first_slot: int


class OpenNeeded(GameEvent, frozen=True):
    """The table has to open slots: to one seat, or face up to everybody (`to` is None).

    The engine waits for `Round.opened()` only for slots opened face up.
    """

    need: int
    """Unique within the round, and rising."""
    slots: tuple[int, ...]
    to: int | None


class Dealt(GameEvent, frozen=True):
    """A seat has received its cards for the round (or, to choose the dealer, its one open card)."""

    seat: int
    slots: tuple[int, ...]


class StartingCard(GameEvent, frozen=True):
    """The first card of the discard pile was turned up."""

    slot: int
    card: int


class StartingCardReturned(GameEvent, frozen=True):
    """The card turned up may not start. It goes back, and the pile is shuffled again."""

    slot: int
    card: int


class TurnStarted(GameEvent, frozen=True):
    """This seat's turn has begun."""

    seat: int


class Played(GameEvent, frozen=True):
    """A seat laid a card on the discard pile."""

    seat: int
    slot: int
    card: int
    left: int
    """Cards left in the hand."""
    jumped: bool = False
    """Whether it was laid out of turn (house rule "jump in")."""


class ColourNamed(GameEvent, frozen=True):
    """A seat named the current colour for a wild card."""

    seat: int
    colour: int


class Drew(GameEvent, frozen=True):
    """A seat drew. A draw that is interrupted by a shuffle emits two of these events."""

    seat: int
    slots: tuple[int, ...]
    why: DrawReason


class NothingToDraw(GameEvent, frozen=True):
    """A seat had to draw, but nothing was left; `missing` cards were not drawn."""

    seat: int
    missing: int
    why: DrawReason


class Kept(GameEvent, frozen=True):
    """A seat kept the card that it had just drawn."""

    seat: int


class Passed(GameEvent, frozen=True):
    """A forced pass: this seat was on turn, and nothing was left to draw."""

    seat: int


class Skipped(GameEvent, frozen=True):
    """This seat loses its turn."""

    seat: int


class DirectionTurned(GameEvent, frozen=True):
    """The direction of play was reversed.

    `seat`: the seat that played the Reverse; None for the starting card.
    """

    clockwise: bool
    seat: int | None


class PenaltyPending(GameEvent, frozen=True):
    """A penalty hits this seat, which has to answer before it draws."""

    seat: int
    cards: int
    challengeable: bool


class UnoSaid(GameEvent, frozen=True):
    """A seat said "UNO", with the card or after it."""

    seat: int


class UnoMissed(GameEvent, frozen=True):
    """A seat did not say "UNO". Seat `by` caught it; None if the rules punish it automatically."""

    seat: int
    by: int | None


class UnoLapsed(GameEvent, frozen=True):
    """This seat no longer owes "UNO"."""

    seat: int


class Accepted(GameEvent, frozen=True):
    """The seat that was hit accepts the penalty."""

    seat: int


class Challenged(GameEvent, frozen=True):
    """A Wild Draw Four was challenged; `slots` is the hand that the accused has to show."""

    seat: int
    accused: int
    slots: tuple[int, ...]


class Shown(GameEvent, frozen=True):
    """The accused showed the hand to the challenger alone."""

    seat: int
    to: int
    slots: tuple[int, ...]


class ShowRefused(GameEvent, frozen=True):
    """The accused neither showed nor opened the hand."""

    seat: int


class VerdictRefused(GameEvent, frozen=True):
    """The challenger gave no verdict on the shown hand, so it has to be opened to everybody."""

    seat: int


class HandOpened(GameEvent, frozen=True):
    """The accused opened the challenged hand to everybody."""

    seat: int
    slots: tuple[int, ...]
    guilty: bool
    """What the rules conclude from the hand."""


class ChallengeDecided(GameEvent, frozen=True):
    """The challenge is settled."""

    seat: int
    """The challenger."""
    accused: int
    guilty: bool


class Reshuffled(GameEvent, frozen=True):
    """A shuffle has made a new draw pile."""

    cards: int


class HandsMoved(GameEvent, frozen=True):
    """Hands changed owners: one (from, to, slots) per hand."""

    moves: tuple[tuple[int, int, tuple[int, ...]], ...]


class Objected(GameEvent, frozen=True):
    """A wrong card was objected to and went back to the hand."""

    seat: int
    """The player of the card."""
    by: int | None
    """None if the card went back because its player left."""
    slot: int
    card: int


class Settled(GameEvent, frozen=True):
    """A card laid on honour stays: nobody objected in time, or it was right and its player left."""

    seat: int


class Accused(GameEvent, frozen=True):
    """A seat was accused of advising a play; the vote runs."""

    seat: int
    """The accused."""
    by: int


class Voted(GameEvent, frozen=True):
    """A seat voted on the running accusation."""

    seat: int
    guilty: bool


class VoteDecided(GameEvent, frozen=True):
    """The vote is over."""

    seat: int
    """The accused."""
    guilty: bool


class SeatLeft(GameEvent, frozen=True):
    """A seat left; its cards go face up under the discard pile."""

    seat: int
    slots: tuple[int, ...]


class RoundOver(GameEvent, frozen=True):
    """The round is over; the hands are revealed next."""

    ending: RoundEnding
    seat: int | None
    """OUT: the seat that went out."""


class DealerTie(GameEvent, frozen=True):
    """These seats drew equally high cards, and draw again."""

    seats: tuple[int, ...]


class DealerChosen(GameEvent, frozen=True):
    """This seat deals the first round."""

    seat: int
