"""A frozen snapshot of a table in play, as one seat (or a spectator) may see it.

The asyncio thread makes it from the session's view, the roster and the replay; the GUI thread shows
it. It contains no texts, and nothing that this seat may not see.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

import msgspec
from msgspec import Struct

from lanuno.client.observed_state import Clock, ObservedState, RevealedHand, RoundScore
from lanuno.dealing.deal import StepKind
from lanuno.log.audit.conclusion import Conclusion, conclude
from lanuno.log.faults import AuditVerdict, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.format.genesis import avatars
from lanuno.log.replay.course import Decided
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.engine.round import Round
from lanuno.rules.match.formats import pair_of
from lanuno.rules.rulebook.relevance import has_target
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.view import SeatView
from lanuno.table.leave_effect import LeaveEffect
from lanuno.table.replica.seat import SeatSession

PAIRED: Final = (Format.PAIRS, Format.PARTNERS, Format.ROTATION)
"""Formats in which partners win their points together."""


class TableStage(Enum):
    """The present stage of a table, as far as its screen shows it."""

    BEGINNING = auto()
    """No round has begun."""
    DEALING = auto()
    """All seats commit, shuffle and lock; the hands are dealt."""
    CHOOSING = auto()
    """The same, for the cards that choose the dealer."""
    PLAYING = auto()
    RECOVERING = auto()
    """A player is lost. The other players open the cards that are needed to continue."""
    HALTED = auto()
    """This player's computer has found a fault and plays no more. The host has to end the round."""
    REVEALING = auto()
    """All hands are open, and every node audits the round."""
    BETWEEN = auto()
    """A round is closed and the next one has not begun."""
    CLOSED = auto()
    """The log is closed."""


NOTHING_TO_PLAY: Final = (
    TableStage.HALTED,
    TableStage.REVEALING,
    TableStage.BETWEEN,
    TableStage.CLOSED,
)
"""The stages in which no card can be played any more in the round."""


class Person(Struct, frozen=True):
    """One seat of the roster, as a screen shows it."""

    seat: int
    name: str
    bot: bool
    owner: int
    """Seat of the player whose computer plays this seat."""
    slow_clock: bool
    team: int
    """Number of this seat's pair in the present round; -1 without pairs."""
    avatar: int = 0


class Steps(Struct, frozen=True):
    """The steps of the present deal that a seat has completed."""

    seat: int
    committed: bool
    shuffled: bool
    locked: bool


class TableSnapshot(Struct, frozen=True, kw_only=True):
    """Everything that a screen needs to show one table at one moment."""

    table: bytes
    name: str
    ruleset: Ruleset
    people: tuple[Person, ...]
    mine: int | None
    host: int
    hosting: bool
    in_contact: bool
    stage: TableStage
    number: int
    dealer: int | None
    seats: tuple[int, ...]
    """The seats in this round, clockwise."""
    view: SeatView | None
    to_move: bool
    steps: tuple[Steps, ...]
    drawn_for_deal: tuple[RevealedHand, ...]
    """The open cards that choose the dealer."""
    clock: Clock | None
    waits: tuple[tuple[int, float], ...]
    """Seats that the table waits for, each with the deadline on the monotonic clock."""
    without_waited: LeaveEffect | None = None
    """What happens if those owners do not come back; None without a wait."""
    claimable: tuple[int, ...]
    """Missing seats for which the player here may end the wait."""
    short_of: tuple[int, int] | None
    """Owners in contact and owners needed, while there is no quorum."""
    dropped: tuple[tuple[int, DropReason], ...]
    expelled: tuple[int, ...] = ()
    """Seats that are out of the match for good."""
    leaving: tuple[int, ...]
    totals: tuple[int, ...]
    target: int
    """The points that end the match; 0 if no points end it."""
    winners: tuple[int, ...]
    void: VoidReason | None
    scores: tuple[RoundScore, ...]
    open_hands: tuple[RevealedHand, ...]
    attested: tuple[int, ...]
    blamed: tuple[int, ...]
    last_mover: int | None
    closed: CloseReason | None
    decided: Decided | None = None
    """What decides the match, as far as known."""
    clocked: bool = False
    """Whether the clock has acted for this seat since its player last acted."""
    agreed: int | None = None
    """Number of rounds after which the players agreed to stop; None to play to the end."""
    void_without: tuple[tuple[int, bool], ...] = ()
    """The owners for whose absence the round is void, and whether each left on purpose."""
    forfeited: tuple[int, int] | None = None
    """When only two people were left: the seat that was gone, and the seat that won by it."""

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return bool(self.winners) or self.closed is not None

    @property
    def judged_round(self) -> RoundScore | None:
        """The round that `conclusion` is about; of a match that is over, the last that counts."""
        judged = [each for each in self.scores if each.counted] if self.over else self.scores
        return judged[-1] if judged else None

    @property
    def conclusion(self) -> Conclusion | None:
        """What there is to say of the match, if it is over, or else of the last round.

        None if there is nothing to say yet.
        """
        judged = self.judged_round
        if self.blamed or self.closed is CloseReason.CHEATING:
            return Conclusion.CHEATING
        if self.closed is CloseReason.INCOMPLETE:
            return Conclusion.INCOMPLETE
        if self.over:
            decided = self.decided
        elif judged is None:
            return None
        else:
            decided = Decided.CARDS if judged.counted else None
        checked = judged is None or not judged.counted or 0 < judged.here <= judged.attested
        return conclude(AuditVerdict.VERIFIED if checked else AuditVerdict.INCOMPLETE, decided)


def table_snapshot(session: SeatSession, observed: ObservedState) -> TableSnapshot:
    """Return the table as this session sees it now."""
    replay, current = session.replay, session.replay.round
    roster = replay.roster
    match = replay.match
    engine = None if current is None else current.engine
    stage = _stage(session)
    return TableSnapshot(
        table=replay.table_id,
        name=observed.name,
        ruleset=roster.ruleset,
        people=_people(replay),
        mine=session.seat,
        host=replay.host,
        hosting=observed.hosting,
        in_contact=observed.in_contact,
        stage=stage,
        number=replay.number,
        dealer=None if current is None else current.dealer,
        seats=() if current is None else tuple(current.seats),
        view=view_once_stopped(session.view(), stage),
        to_move=session.to_move,
        steps=() if current is None else steps_of(current),
        drawn_for_deal=_dealer_cards(engine) if isinstance(engine, DealerRound) else (),
        clock=observed.clock,
        waits=observed.waits,
        without_waited=observed.without_waited,
        claimable=observed.claimable,
        short_of=observed.short_of,
        dropped=tuple(sorted(replay.dropped.items())),
        expelled=tuple(sorted({*replay.course.expelled, *replay.course.cheated})),
        leaving=tuple(sorted(replay.leaving)),
        totals=tuple(match.totals),
        # If the match ends after its first counted round, no points are needed.
        target=match.target if has_target(match.ruleset) and roster.rounds != 1 else 0,
        winners=replay.winners,
        void=None if current is None else current.void,
        scores=observed.scores,
        open_hands=observed.open_hands,
        attested=() if current is None else tuple(sorted(current.attests)),
        blamed=_blamed(replay),
        last_mover=observed.last_mover,
        closed=replay.closed,
        decided=replay.course.decided(replay.winners),
        clocked=session.seat is not None and replay.times.idle[session.seat] > 0,
        agreed=roster.rounds,
        void_without=() if current is None else current.void_without,
        forfeited=replay.course.forfeited,
    )


def has_cards(snapshot: TableSnapshot) -> bool:
    """Whether the first card is on the table: one that chooses the dealer, or one of a hand."""
    chosen = any(hand.cards for hand in snapshot.drawn_for_deal)
    return chosen or (snapshot.view is not None and any(snapshot.view.counts))


def view_once_stopped(view: SeatView | None, stage: TableStage) -> SeatView | None:
    """Return the view, without legal actions once no card can be played in this round."""
    return view_without_actions(view) if stage in NOTHING_TO_PLAY else view


def view_without_actions(view: SeatView | None) -> SeatView | None:
    """Return the same view without legal actions."""
    return None if view is None else msgspec.structs.replace(view, legal=(), unplayable=())


def _people(replay: Replay) -> tuple[Person, ...]:
    roster, current = replay.roster, replay.round
    pairs = roster.ruleset.format in PAIRED
    seats = () if current is None or not pairs else tuple(current.seats)
    teams = {seat: min(map(seats.index, pair_of(seats, seat))) for seat in seats}
    colours = avatars(roster.seats)
    return tuple(
        Person(
            number,
            info.name,
            info.bot,
            replay.owner_of(number),
            info.slow_clock,
            teams.get(number, -1),
            colours[info.identity],
        )
        for number, info in enumerate(roster.seats)
    )


def _stage(session: SeatSession) -> TableStage:
    replay, current = session.replay, session.replay.round
    if replay.closed is not None:
        return TableStage.CLOSED
    if current is None:
        return TableStage.BEGINNING
    if current.phase is ProtocolPhase.DONE:
        return TableStage.BETWEEN
    if current.phase in (ProtocolPhase.REVEAL, ProtocolPhase.ATTEST):
        return TableStage.REVEALING
    if session.halted:
        return TableStage.HALTED
    if current.kind is RoundKind.DEALER:
        return TableStage.CHOOSING
    if current.recovering:
        return TableStage.RECOVERING
    engine = current.engine
    dealt = isinstance(engine, Round) and engine.decider is not None
    return (
        TableStage.PLAYING if current.phase is ProtocolPhase.PLAY and dealt else TableStage.DEALING
    )


def steps_of(current: RoundLog) -> tuple[Steps, ...]:
    """Return the progress of every seat in the newest deal of a round."""
    deal = current.deals[-1] if current.deals else None
    found = []
    for seat in current.order:
        if seat in current.lost:
            continue
        done = set() if deal is None else {each.kind for each in deal.accepted if each.seat == seat}
        found.append(
            Steps(seat, seat in current.commits, StepKind.MASK in done, StepKind.LOCK in done)
        )
    return tuple(found)


def _dealer_cards(engine: DealerRound) -> tuple[RevealedHand, ...]:
    faces = engine.deck.faces
    return tuple(
        RevealedHand(
            seat, tuple(faces[engine.face_up[slot]] for slot in slots if slot in engine.face_up)
        )
        for seat, slots in engine.hands.items()
    )


def _blamed(replay: Replay) -> tuple[int, ...]:
    current = replay.round
    found = {blame.seat for blame in replay.exposed if blame.seat is not None}
    found |= set(replay.course.cheated)
    if current is not None:
        seats = {fault.seat for fault in current.faults if fault.seat is not None}
        seats.update(*current.attests.values())
        found |= {current.responsible_player(seat) for seat in seats}
    return tuple(sorted(found))
