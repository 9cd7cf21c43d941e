"""What happens at the table: one frozen class per event, all of it public.

Here: the events that the engine emits for the table, the bots and the screen. Not here: any
decision. Events repeat what the public state already holds; no rule may depend on them.

Seats are ints from 0, slots and cards as in cards.py. Seat tuples are in clockwise order.
"""

from __future__ import annotations

from enum import IntEnum, unique

import msgspec


@unique
class DrawReason(IntEnum):
    """Why somebody draws."""

    DEAL = 0  # the cards at the start
    TURN = 1  # of their own accord
    PENALTY = 2  # a Draw Two or Wild Draw Four
    CHALLENGE_LOST = 3  # the challenge failed
    CHALLENGED = 4  # the challenge succeeded
    UNO = 5  # "UNO" was not said
    OBJECTION = 6  # a wrong card was taken back
    ADVICE = 7  # advising a play


@unique
class RoundEnding(IntEnum):
    """Why a round is over."""

    OUT = 0  # a hand is empty
    BLOCKED = 1  # nothing left to draw and nobody could play
    LAPS = 2  # the laps are played
    VOID = 3  # it counts for nothing; the same dealer deals again


class ShuffleNeeded(msgspec.Struct, frozen=True, gc=False):
    """The table has to shuffle; until `Round.shuffled()` only acts about "UNO" are legal.

    The input is `cards` in the given order, then `slots` in the given order. The output takes the
    contiguous slots `first_slot`, `first_slot + 1`, …; the lowest is the top of the draw pile.
    """

    deal: int
    """Number of this shuffle in the round, from 0; a repeated one has a new number."""
    cards: tuple[int, ...]
    """Cards that everybody knows."""
    slots: tuple[int, ...]
    """Slots that are still locked and go in unopened."""
    first_slot: int


class OpenNeeded(msgspec.Struct, frozen=True, gc=False):
    """Slots have to be opened: to one seat, or face up to everybody (`to` is None).

    The engine waits for `Round.opened()` only in the second case.
    """

    need: int
    """Unique in the round and rising."""
    slots: tuple[int, ...]
    to: int | None


class Dealt(msgspec.Struct, frozen=True, gc=False):
    """A seat has its cards for the round (or, choosing the dealer, its one open card)."""

    seat: int
    slots: tuple[int, ...]


class StartingCard(msgspec.Struct, frozen=True, gc=False):
    """The first card of the discard pile was turned up."""

    slot: int
    card: int


class StartingCardReturned(msgspec.Struct, frozen=True, gc=False):
    """The card turned up may not start; it goes back and the pile is shuffled again."""

    slot: int
    card: int


class TurnStarted(msgspec.Struct, frozen=True, gc=False):
    """It is this seat's turn."""

    seat: int


class Played(msgspec.Struct, frozen=True, gc=False):
    """A card lies on the discard pile."""

    seat: int
    slot: int
    card: int
    left: int
    """Cards left in the hand."""
    jumped: bool = False
    """Whether it was laid out of turn (house rule)."""


class ColourNamed(msgspec.Struct, frozen=True, gc=False):
    """The current colour was named with a wild card."""

    seat: int
    colour: int


class Drew(msgspec.Struct, frozen=True, gc=False):
    """A seat drew; a draw that is interrupted by a shuffle makes two of these events."""

    seat: int
    slots: tuple[int, ...]
    why: DrawReason


class NothingToDraw(msgspec.Struct, frozen=True, gc=False):
    """A seat had to draw and there was nothing left; `missing` cards were not drawn."""

    seat: int
    missing: int
    why: DrawReason


class Kept(msgspec.Struct, frozen=True, gc=False):
    """The card just drawn was kept."""

    seat: int


class Passed(msgspec.Struct, frozen=True, gc=False):
    """A forced pass: it was this seat's turn, and nothing was left to draw."""

    seat: int


class Skipped(msgspec.Struct, frozen=True, gc=False):
    """This seat loses its turn."""

    seat: int


class DirectionTurned(msgspec.Struct, frozen=True, gc=False):
    """The direction of play turned.

    `seat`: who played the Reverse; None if it is the starting card.
    """

    clockwise: bool
    seat: int | None


class PenaltyPending(msgspec.Struct, frozen=True, gc=False):
    """This seat is hit and has to answer before it draws."""

    seat: int
    cards: int
    challengeable: bool


class UnoSaid(msgspec.Struct, frozen=True, gc=False):
    """A seat said "UNO", with the card or after it."""

    seat: int


class UnoMissed(msgspec.Struct, frozen=True, gc=False):
    """A seat did not say "UNO": `by` caught it; None if the rules punish it automatically."""

    seat: int
    by: int | None


class UnoLapsed(msgspec.Struct, frozen=True, gc=False):
    """This seat no longer owes "UNO"."""

    seat: int


class Accepted(msgspec.Struct, frozen=True, gc=False):
    """The seat that was hit takes the penalty."""

    seat: int


class Challenged(msgspec.Struct, frozen=True, gc=False):
    """A Wild Draw Four was challenged; `slots` is what the accused has to show."""

    seat: int
    accused: int
    slots: tuple[int, ...]


class Shown(msgspec.Struct, frozen=True, gc=False):
    """The accused showed the hand to the challenger alone."""

    seat: int
    to: int
    slots: tuple[int, ...]


class ShowRefused(msgspec.Struct, frozen=True, gc=False):
    """The accused did not show the hand."""

    seat: int


class VerdictRefused(msgspec.Struct, frozen=True, gc=False):
    """The challenger gave no verdict on the shown hand; it has to be opened to everybody."""

    seat: int


class HandOpened(msgspec.Struct, frozen=True, gc=False):
    """The accused opened the challenged hand to everybody."""

    seat: int
    slots: tuple[int, ...]
    guilty: bool
    """What the rules find in it."""


class ChallengeDecided(msgspec.Struct, frozen=True, gc=False):
    """The challenge is settled."""

    seat: int
    """The challenger."""
    accused: int
    guilty: bool


class Reshuffled(msgspec.Struct, frozen=True, gc=False):
    """The draw pile is new."""

    cards: int


class HandsMoved(msgspec.Struct, frozen=True, gc=False):
    """Hands changed owners: (from, to, slots) for each of them."""

    moves: tuple[tuple[int, int, tuple[int, ...]], ...]


class Objected(msgspec.Struct, frozen=True, gc=False):
    """A wrong card was objected to and taken back."""

    seat: int
    """Who laid it."""
    by: int | None
    """None if the card was taken back because its player left."""
    slot: int
    card: int


class Settled(msgspec.Struct, frozen=True, gc=False):
    """Nobody objected in time: the card stays on the pile."""

    seat: int


class Accused(msgspec.Struct, frozen=True, gc=False):
    """A seat is accused of advising a play; the vote runs."""

    seat: int
    """The accused."""
    by: int


class Voted(msgspec.Struct, frozen=True, gc=False):
    """A vote on the running accusation."""

    seat: int
    guilty: bool


class VoteDecided(msgspec.Struct, frozen=True, gc=False):
    """The vote is over."""

    seat: int
    """The accused."""
    guilty: bool


class SeatLeft(msgspec.Struct, frozen=True, gc=False):
    """A seat left; its cards go face up under the discard pile."""

    seat: int
    slots: tuple[int, ...]


class RoundOver(msgspec.Struct, frozen=True, gc=False):
    """The round is over; the hands are revealed next."""

    ending: RoundEnding
    seat: int | None
    """OUT: who went out."""


class DealerTie(msgspec.Struct, frozen=True, gc=False):
    """These seats drew equally high cards and draw again."""

    seats: tuple[int, ...]


class DealerChosen(msgspec.Struct, frozen=True, gc=False):
    """This seat deals the first round."""

    seat: int


GameEvent = (
    ShuffleNeeded
    | OpenNeeded
    | Dealt
    | StartingCard
    | StartingCardReturned
    | TurnStarted
    | Played
    | ColourNamed
    | Drew
    | NothingToDraw
    | Kept
    | Passed
    | Skipped
    | DirectionTurned
    | PenaltyPending
    | UnoSaid
    | UnoMissed
    | UnoLapsed
    | Accepted
    | Challenged
    | Shown
    | ShowRefused
    | VerdictRefused
    | HandOpened
    | ChallengeDecided
    | Reshuffled
    | HandsMoved
    | Objected
    | Settled
    | Accused
    | Voted
    | VoteDecided
    | SeatLeft
    | RoundOver
    | DealerTie
    | DealerChosen
)
