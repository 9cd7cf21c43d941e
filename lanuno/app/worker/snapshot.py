"""A frozen picture of a table that plays, as one seat (or a spectator) may see it.

Made on the asyncio side from the session's view, the roster and the replay; shown on the GUI side.
Nothing in it changes, and nothing in it is secret to who sits there. Words are made elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import msgspec

from lanuno.dealing.deal import StepKind
from lanuno.dealing.verify import dealt_cards
from lanuno.log.bodies import CloseReason, DropReason
from lanuno.log.course import Decided
from lanuno.log.faults import VoidReason
from lanuno.log.genesis import avatars
from lanuno.log.replay import Replay
from lanuno.log.round_log import RoundLog
from lanuno.log.round_record import Phase
from lanuno.rules.cards import Card, deck_tables
from lanuno.rules.dealer import DealerRound
from lanuno.rules.engine import Round
from lanuno.rules.formats import pair_of
from lanuno.rules.relevance import has_target
from lanuno.rules.results import RoundKind
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.rules.view import SeatView
from lanuno.table.session import Session

PAIRED: Final = (Format.PAIRS, Format.PARTNERS, Format.ROTATION)
"""Formats in which partners win their points together."""


class Stage(Enum):
    """What a table is doing, as far as somebody who looks at it cares."""

    BEGINNING = auto()
    """No round has begun."""
    DEALING = auto()
    """Everybody commits, shuffles and locks; hands come."""
    CHOOSING = auto()
    """The same for the cards that choose the dealer."""
    PLAYING = auto()
    RECOVERING = auto()
    """Somebody is lost; the others open what is needed to go on."""
    REVEALING = auto()
    """All hands are opened, and everybody checks the round."""
    BETWEEN = auto()
    """A round is closed and the next has not begun."""
    CLOSED = auto()
    """The log is closed."""


@dataclass(frozen=True, slots=True)
class Person:
    """One seat of the roster."""

    seat: int
    name: str
    bot: bool
    owner: int
    """Seat of the person on whose computer it is played."""
    slow: bool
    team: int
    """Number of the pair that it plays in now; -1 without pairs."""
    avatar: int = 0


@dataclass(frozen=True, slots=True)
class Steps:
    """What a seat has done of the deal under way."""

    seat: int
    committed: bool
    shuffled: bool
    locked: bool


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
    of: int
    here: int | None = None
    """How many of them were still at the table, and so could look; None: all."""


@dataclass(frozen=True, slots=True)
class OpenHand:
    """A hand at the end of a round, open to all."""

    seat: int
    cards: tuple[Card, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShot:
    """Everything that a screen needs of one table at one moment."""

    table: bytes
    name: str
    ruleset: Ruleset
    people: tuple[Person, ...]
    mine: int | None
    host: int
    hosting: bool
    in_contact: bool
    stage: Stage
    number: int
    dealer: int | None
    seats: tuple[int, ...]
    """Who plays in this round, clockwise."""
    view: SeatView | None
    to_move: bool
    steps: tuple[Steps, ...]
    drawn_for_deal: tuple[OpenHand, ...]
    """The open cards that choose the dealer."""
    clock: Clock | None
    waits: tuple[tuple[int, float], ...]
    """Seats that the table waits for, and until when on the steady clock."""
    claimable: tuple[int, ...]
    """Those for whom the person here may end the wait."""
    short_of: tuple[int, int] | None
    """Owners in contact and owners needed, while nothing can become certain."""
    dropped: tuple[tuple[int, DropReason], ...]
    leaving: tuple[int, ...]
    totals: tuple[int, ...]
    target: int
    """The points that end the match; 0 where none do."""
    winners: tuple[int, ...]
    void: VoidReason | None
    scores: tuple[RoundScore, ...]
    open_hands: tuple[OpenHand, ...]
    attested: tuple[int, ...]
    blamed: tuple[int, ...]
    last_mover: int | None
    closed: CloseReason | None
    decided: Decided | None = None
    """What decides the match, as far as it has come."""
    clocked: bool = False
    """Whether the clock has decided for the own seat since its player last did something."""
    agreed: int | None = None
    """Rounds after which it was agreed to stop; None: the match goes on to its end."""
    forfeited: tuple[int, int] | None = None
    """Who was gone when only two people were left, and who won by it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What a picture needs besides the machines: what only somebody who followed it knows."""

    name: str = ""
    hosting: bool = False
    in_contact: bool = True
    clock: Clock | None = None
    waits: tuple[tuple[int, float], ...] = ()
    claimable: tuple[int, ...] = ()
    short_of: tuple[int, int] | None = None
    scores: tuple[RoundScore, ...] = ()
    open_hands: tuple[OpenHand, ...] = ()
    last_mover: int | None = None
    agreed: int | None = None


def picture(session: Session, facts: Facts) -> TableShot:
    """The table as this session sees it now."""
    replay, current = session.replay, session.replay.round
    roster = replay.roster
    match = replay.match
    engine = None if current is None else current.engine
    stage = _stage(replay)
    return TableShot(
        table=replay.table_id,
        name=facts.name,
        ruleset=roster.ruleset,
        people=_people(replay),
        mine=session.seat,
        host=replay.host,
        hosting=facts.hosting,
        in_contact=facts.in_contact,
        stage=stage,
        number=replay.number,
        dealer=None if current is None else current.dealer,
        seats=() if current is None else tuple(current.seats),
        view=still(session.view(), stage),
        to_move=session.to_move,
        steps=() if current is None else steps_of(current),
        drawn_for_deal=_chosen(engine) if isinstance(engine, DealerRound) else (),
        clock=facts.clock,
        waits=facts.waits,
        claimable=facts.claimable,
        short_of=facts.short_of,
        dropped=tuple(sorted(replay.dropped.items())),
        leaving=tuple(sorted(replay.leaving)),
        totals=tuple(match.totals),
        # No points are needed where the first round that counts is the last one.
        target=match.target if has_target(match.ruleset) and facts.agreed != 1 else 0,
        winners=tuple(match.winners),
        void=None if current is None else current.void,
        scores=facts.scores,
        open_hands=facts.open_hands,
        attested=() if current is None else tuple(sorted(current.attests)),
        blamed=_blamed(replay),
        last_mover=facts.last_mover,
        closed=replay.closed,
        decided=replay.course.decided(match.winners),
        clocked=session.seat is not None and replay.times.idle[session.seat] > 0,
        agreed=facts.agreed,
        forfeited=replay.course.forfeited,
    )


def still(view: SeatView | None, stage: Stage) -> SeatView | None:
    """The same once no card is laid any more: a void round asks nobody for anything."""
    over = stage in (Stage.REVEALING, Stage.BETWEEN, Stage.CLOSED)
    return at_rest(view) if over else view


def at_rest(view: SeatView | None) -> SeatView | None:
    """The same cards, but nothing can be done."""
    return None if view is None else msgspec.structs.replace(view, legal=(), unplayable=())


def _people(replay: Replay) -> tuple[Person, ...]:
    roster, current = replay.roster, replay.round
    pairs = roster.ruleset.format in PAIRED
    chairs = () if current is None or not pairs else tuple(current.seats)
    teams: dict[int, int] = {}
    for seat in chairs:
        pair = pair_of(chairs, seat)
        for each in pair:
            teams[each] = min(chairs.index(member) for member in pair)
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


def _stage(replay: Replay) -> Stage:
    current = replay.round
    if replay.closed is not None:
        return Stage.CLOSED
    if current is None:
        return Stage.BEGINNING
    if current.phase is Phase.DONE:
        return Stage.BETWEEN
    if current.phase in (Phase.REVEAL, Phase.ATTEST):
        return Stage.REVEALING
    if current.kind is RoundKind.DEALER:
        return Stage.CHOOSING
    if current.recovering:
        return Stage.RECOVERING
    engine = current.engine
    dealt = isinstance(engine, Round) and engine.decider is not None
    return Stage.PLAYING if current.phase is Phase.PLAY and dealt else Stage.DEALING


def steps_of(current: RoundLog) -> tuple[Steps, ...]:
    """How far every seat is with the newest deal of a round."""
    deal = current.deals[-1] if current.deals else None
    found = []
    for seat in current.order:
        if seat in current.lost:
            continue
        done = set() if deal is None else {each.kind for each in deal.taken if each.seat == seat}
        found.append(
            Steps(seat, seat in current.commits, StepKind.MASK in done, StepKind.LOCK in done)
        )
    return tuple(found)


def _chosen(engine: DealerRound) -> tuple[OpenHand, ...]:
    faces = engine.deck.faces
    return tuple(
        OpenHand(
            seat, tuple(faces[engine.face_up[slot]] for slot in slots if slot in engine.face_up)
        )
        for seat, slots in engine.hands.items()
    )


def open_hands(current: RoundLog) -> tuple[OpenHand, ...]:
    """The hands as they were when the round ended; empty before all seeds are out."""
    engine = current.engine
    if current.phase < Phase.ATTEST or current.void is not None or not isinstance(engine, Round):
        return ()
    cards = dealt_cards(current.slots.deals, current.known_secrets())
    faces = deck_tables(current.roster.ruleset.deck).faces
    return tuple(
        OpenHand(seat, tuple(faces[cards[slot]] for slot in slots if slot in cards))
        for seat, slots in engine.hands.items()
    )


def _blamed(replay: Replay) -> tuple[int, ...]:
    current = replay.round
    found = {blame.seat for blame in replay.exposed if blame.seat is not None}
    if current is not None:
        seats = {fault.seat for fault in current.faults if fault.seat is not None}
        seats.update(*current.attests.values())
        found |= {current.answers_for(seat) for seat in seats}
    return tuple(sorted(found))
