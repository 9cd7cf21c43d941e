"""The events that an entry of the log causes: one frozen class per kind.

All of them are public. The events of the rules (`lanuno.rules.engine.events`) are part of
`LogEvent` too.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.log.faults import Blame, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.events import GameEvent
from lanuno.rules.engine.results import DealerResult, RoundKind, RoundResult


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round began; its seats now commit to their seeds."""

    number: int
    kind: RoundKind
    seats: tuple[int, ...]
    dealer: int | None


@dataclass(frozen=True, slots=True)
class StepDone:
    """A seat did an automatic step of the round: one of those below."""

    seat: int
    step: str
    """`commit`, `escrow`, `common`, `mask`, `lock` or `share`."""


@dataclass(frozen=True, slots=True)
class DeckReady:
    """All seats have masked and locked the cards of this deal."""

    deal: int
    cards: int


@dataclass(frozen=True, slots=True)
class HandUnlocked:
    """All other seats have published their keys for these slots; the receiver can read them."""

    need: int
    to: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A seat, or the clock for it, took an action. The events of the rules follow."""

    seat: int
    action: Action
    by_clock: bool


@dataclass(frozen=True, slots=True)
class HandGiven:
    """A seat sealed the keys of a hand that it gave away to the new owner."""

    seat: int
    to: int
    move: int


@dataclass(frozen=True, slots=True)
class FaultFound:
    """The log itself proves a fault; a round under way becomes void."""

    blame: Blame


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round counts for nothing; it skips to its reveal and audit."""

    number: int
    reason: VoidReason
    why: str
    """An English phrase for logs and developers."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat published its seeds of this round."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundRevealed:
    """All seeds that can come are revealed; every seat now audits and attests."""

    number: int
    result: RoundResult | DealerResult | None
    """The result by the rules; None if the round is void."""


@dataclass(frozen=True, slots=True)
class Attested:
    """A seat signed the result of its audit of the round."""

    seat: int
    blamed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """All attestations are in. `counted` tells whether the result counts in the match."""

    number: int
    result: RoundResult | DealerResult | None
    counted: bool


@dataclass(frozen=True, slots=True)
class SeatDropped:
    """The host dropped a seat."""

    seat: int
    reason: DropReason


@dataclass(frozen=True, slots=True)
class LeaveAnnounced:
    """A seat signed a Leave; the host drops it next."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatRecovered:
    """A lost seat's seed was recovered from its shares: its keys of this round are public."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """A dropped seat came back, to play in later rounds."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatExpelled:
    """A seat is out of the match for good."""

    seat: int
    cheated: bool
    """Whether a fault was proven; otherwise a second void round counts against its owner."""


@dataclass(frozen=True, slots=True)
class SeatFilled:
    """A bot of another owner plays an empty seat from now on."""

    seat: int
    owner: int
    """The owner on whose node the bot runs."""


@dataclass(frozen=True, slots=True)
class Forfeited:
    """One of the last two owners is gone, so the other has won the match."""

    loser: int
    winner: int


@dataclass(frozen=True, slots=True)
class HostElected:
    """The owners elected this seat as host: a new term begins."""

    seat: int
    term: int


@dataclass(frozen=True, slots=True)
class LogClosed:
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
