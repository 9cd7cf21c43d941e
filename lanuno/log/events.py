"""What the log tells those who follow it: one frozen class for each thing that happened.

Everything here is public. What the rules of the game say happened comes as the rules' own events
beside these.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.log.bodies import CloseReason, DropReason
from lanuno.log.faults import Blame, VoidReason
from lanuno.rules.actions import Action
from lanuno.rules.events import Event as Move
from lanuno.rules.results import DealerResult, RoundKind, RoundResult


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """A round began; its seats now commit to their seeds."""

    number: int
    kind: RoundKind
    seats: tuple[int, ...]
    dealer: int | None


@dataclass(frozen=True, slots=True)
class StepDone:
    """A seat did its automatic part of the deal."""

    seat: int
    step: str
    """`commit`, `escrow`, `common`, `mask`, `lock` or `share`."""


@dataclass(frozen=True, slots=True)
class DeckReady:
    """All seats have masked and locked the cards of this deal number."""

    deal: int
    cards: int


@dataclass(frozen=True, slots=True)
class HandUnlocked:
    """All others have published their keys for these slots; the receiver can read them now."""

    need: int
    to: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ActionTaken:
    """A seat, or the clock for it, did this. The rules' events about it follow."""

    seat: int
    action: Action
    by_clock: bool


@dataclass(frozen=True, slots=True)
class HandGiven:
    """A seat sealed the keys of the hand that it gave away to the new owner."""

    seat: int
    to: int
    move: int


@dataclass(frozen=True, slots=True)
class FaultFound:
    """The log itself proves a fault; the round is void."""

    blame: Blame


@dataclass(frozen=True, slots=True)
class RoundVoided:
    """The round counts for nothing; it goes straight to its reveal and audit."""

    number: int
    reason: VoidReason
    why: str
    """English words for a log or a developer."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A seat published its seeds of this round."""

    seat: int


@dataclass(frozen=True, slots=True)
class RoundRevealed:
    """All seeds that can come are out; every seat now audits and attests."""

    number: int
    result: RoundResult | DealerResult | None
    """What the rules make of the opened hands; None if void or if the cards do not fit."""


@dataclass(frozen=True, slots=True)
class Attested:
    """A seat signed what its audit of the round says."""

    seat: int
    blamed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """All attestations are in. `counted` says whether the result counts in the match."""

    number: int
    result: RoundResult | DealerResult | None
    counted: bool


@dataclass(frozen=True, slots=True)
class SeatDropped:
    """The host goes on without this seat."""

    seat: int
    reason: DropReason


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """The seat said that it leaves; the host drops it next."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatRecovered:
    """A lost seat's seed came back from the shares: everybody knows its keys of this round."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """A seat that was dropped plays again from the next round on."""

    seat: int


@dataclass(frozen=True, slots=True)
class SeatExpelled:
    """This seat is out of the match."""

    seat: int
    cheated: bool
    """Whether a fault was proven; else the leaving of its owner has voided a second round."""


@dataclass(frozen=True, slots=True)
class SeatFilled:
    """A bot of another owner plays an empty seat from now on."""

    seat: int
    owner: int
    """On whose computer it runs."""


@dataclass(frozen=True, slots=True)
class Forfeited:
    """Of two people one is gone: the other has won the match."""

    loser: int
    winner: int


@dataclass(frozen=True, slots=True)
class HostElected:
    """The owners made this seat the host: a new term begins."""

    seat: int
    term: int


@dataclass(frozen=True, slots=True)
class LogClosed:
    """The last entry of this log."""

    reason: CloseReason


Event = (
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
    | SeatLeft
    | SeatRecovered
    | SeatReturned
    | SeatExpelled
    | SeatFilled
    | Forfeited
    | HostElected
    | LogClosed
    | Move
)
"""What taking an entry can make happen: something of the log, or a move of the rules."""
