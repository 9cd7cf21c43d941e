"""What only an observer of a table knows: the state that a person sees besides the log."""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.dealing.verify import dealt_cards
from lanuno.log.faults import VoidReason
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Card, deck_tables
from lanuno.rules.engine.round import Round


@dataclass(frozen=True, slots=True)
class Clock:
    """A decision that the table waits for."""

    seat: int
    total: float
    """Seconds; 0 if there is no clock."""
    since: float
    """When it began, on the steady clock; ahead of now while the round is still being dealt."""


@dataclass(frozen=True, slots=True)
class RoundScore:
    """A round that is over."""

    number: int
    winners: tuple[int, ...]
    gains: tuple[int, ...]
    """One place per seat of the match."""
    totals: tuple[int, ...]
    void: VoidReason | None
    attested: int
    """How many seats found nothing wrong in their own audit."""
    seats: int
    here: int | None = None
    """How many of the seats were still at the table and could audit; None: all."""


@dataclass(frozen=True, slots=True)
class RevealedHand:
    """A hand at the end of a round, open to all."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedState:
    """What a snapshot needs besides the replay: what only an observer of the table knows."""

    name: str = ""
    hosting: bool = False
    in_contact: bool = True
    clock: Clock | None = None
    waits: tuple[tuple[int, float], ...] = ()
    claimable: tuple[int, ...] = ()
    short_of: tuple[int, int] | None = None
    scores: tuple[RoundScore, ...] = ()
    open_hands: tuple[RevealedHand, ...] = ()
    last_mover: int | None = None
    agreed: int | None = None


def open_hands(current: RoundLog) -> tuple[RevealedHand, ...]:
    """The hands as they were when the round ended; empty before all seeds are out."""
    engine = current.engine
    if (
        current.phase < ProtocolPhase.ATTEST
        or current.void is not None
        or not isinstance(engine, Round)
    ):
        return ()
    cards = dealt_cards(current.slots.deals, current.known_secrets())
    faces = deck_tables(current.roster.ruleset.deck).faces
    return tuple(
        RevealedHand(seat, tuple(faces[cards[slot]] for slot in slots if slot in cards))
        for seat, slots in engine.hands.items()
    )
