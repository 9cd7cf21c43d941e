"""The events that an entry of the log causes: one frozen class per kind.

All of them are public. The events of the rules (`lanuno.rules.engine.events`) are part of
`LogEvent` too.
"""

from __future__ import annotations

from msgspec import Struct

from lanuno.log.faults import Blame, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.results import DealerResult, RoundKind, RoundResult


class RoundOpened(Struct, frozen=True):
    """A round began; its seats now commit to their seeds."""

    number: int
    kind: RoundKind
    seats: tuple[int, ...]
    dealer: int | None


class StepDone(Struct, frozen=True):
    """A seat did an automatic step of the round: one of those below."""

    seat: int
    step: str
    """`commit`, `escrow`, `common`, `mask`, `lock` or `share`."""


class DeckReady(Struct, frozen=True):
    """All seats have masked and locked the cards of this deal."""

    deal: int
    cards: int


class HandUnlocked(Struct, frozen=True):
    """All other seats have published their keys for these slots; the receiver can read them."""

    need: int
    to: int
    slots: tuple[int, ...]


class ActionTaken(Struct, frozen=True):
    """A seat, or the clock for it, took an action. The events of the rules follow."""

    seat: int
    action: Action
    by_clock: bool


class HandGiven(Struct, frozen=True):
    """A seat sealed the keys of a hand that it gave away to the new owner."""

    seat: int
    to: int
    move: int


class FaultFound(Struct, frozen=True):
    """The log itself proves a fault; a round under way becomes void."""

    blame: Blame


class RoundVoided(Struct, frozen=True):
    """The round counts for nothing; it skips to its reveal and audit."""

    number: int
    reason: VoidReason
    why: str
    """An English phrase for logs and developers."""


class Revealed(Struct, frozen=True):
    """A seat published its seeds of this round."""

    seat: int


class RoundRevealed(Struct, frozen=True):
    """All seeds that can come are revealed; every seat now audits and attests."""

    number: int
    result: RoundResult | DealerResult | None
    """The result by the rules; None if the round is void."""


class Attested(Struct, frozen=True):
    """A seat signed the result of its audit of the round."""

    seat: int
    blamed: tuple[int, ...]


class RoundClosed(Struct, frozen=True):
    """All attestations are in. `counted` tells whether the result counts in the match."""

    number: int
    result: RoundResult | DealerResult | None
    counted: bool


class SeatDropped(Struct, frozen=True):
    """The host dropped a seat."""

    seat: int
    reason: DropReason


class LeaveAnnounced(Struct, frozen=True):
    """A seat signed a Leave; the host drops it next."""

    seat: int


class SeatRecovered(Struct, frozen=True):
    """A lost seat's seed was recovered from its shares: its keys of this round are public."""

    seat: int


class SeatReturned(Struct, frozen=True):
    """A dropped seat came back, to play in later rounds."""

    seat: int


class SeatExpelled(Struct, frozen=True):
    """A seat is out of the match for good."""

    seat: int
    cheated: bool
    """Whether a fault was proven; otherwise a second void round counts against its owner."""


class SeatFilled(Struct, frozen=True):
    """A bot of another owner plays an empty seat from now on."""

    seat: int
    owner: int
    """The owner on whose node the bot runs."""


class Forfeited(Struct, frozen=True):
    """One of the last two owners is gone, so the other has won the match."""

    loser: int
    winner: int


class HostElected(Struct, frozen=True):
    """The owners elected this seat as host: a new term begins."""

    seat: int
    term: int


class LogClosed(Struct, frozen=True):
    """The last entry of the log was applied."""

    reason: CloseReason


LogEvent = (
    RoundOpened
    | StepDone
    | DeckReady
    | HandUnlocked
    | ActionTaken
    | HandGiven
    | FaultFound
    | RoundVoided
    | Revealed
    | RoundRevealed
    | Attested
    | RoundClosed
    | SeatDropped
    | LeaveAnnounced
    | SeatRecovered
    | SeatReturned
    | SeatExpelled
    | SeatFilled
    | Forfeited
    | HostElected
    | LogClosed
    | GameEvent
)
"""Everything that an entry can cause: events of the log and events of the rules."""
