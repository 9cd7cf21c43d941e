"""What a person knows of a table besides its log, derived from the events of a runtime.

`observe` is pure: a state and an event produce the next state. It reads no clock; the time is an
argument. The window's snapshots and the commands' notices are made from this state.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from lanuno.dealing.verify import dealt_cards
from lanuno.log.faults import VoidReason
from lanuno.log.format.genesis import Roster
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.times import AUTOPILOT_AFTER, PROGRAM_ACTIONS, TimedDecision, Times
from lanuno.log.round import events
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.net.runtime.endings import CaughtUp, RuntimeEvent
from lanuno.rules.cards import Card
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.results import RoundKind, RoundResult
from lanuno.rules.engine.round import Round
from lanuno.table import messages, outputs
from lanuno.table.leave_effect import LeaveEffect


class Clock(Struct, frozen=True):
    """The clock of a decision that the table waits for."""

    seat: int
    total: float
    """Seconds allowed; 0 if there is no clock."""
    since: float
    """Start, on the monotonic clock; in the future while the round is still being dealt."""


class RoundScore(Struct, frozen=True):
    """The score of a finished round."""

    number: int
    winners: tuple[int, ...]
    gains: tuple[int, ...]
    """One item per seat of the match."""
    totals: tuple[int, ...]
    void: VoidReason | None
    counted: bool
    attested: int
    """Number of players whose own audit found nothing wrong."""
    players: int
    """Number of players in the round, without bots that another player's computer plays: their
    audit is that player's."""
    here: int
    """Number of these players who were still at the table and could audit."""
    void_without: tuple[tuple[int, bool], ...] = ()
    """The owners for whose absence it is void, and whether each left on purpose."""


class RevealedHand(Struct, frozen=True):
    """A hand at the end of a round, visible to all."""

    seat: int
    cards: tuple[Card, ...]


class ClockState(Struct, frozen=True):
    """What the displayed clock depends on besides the log."""

    decision: TimedDecision | None = None
    """The decision that the clock runs for."""
    stopped_since: float | None = None
    """When the clock was stopped; None while it runs."""
    stated: tuple[float, float] | None = None
    """Seconds left as sent by the host, and their time of arrival; None once applied."""


class ObservedState(Struct, frozen=True, kw_only=True):
    """What an observer of a table knows besides the replay."""

    name: str = ""
    """Name of the table."""
    room: messages.LobbyState | None = None
    """The lobby as it was last shown."""
    roster: Roster | None = None
    """None before the table begins."""
    host: int = 0
    """Seat of the host, according to the events so far."""
    former_host: int | None = None
    """Seat of the previous host, if a new host was elected in this round."""
    hosting: bool = False
    """Whether this node is the host."""
    hosting_is_news: bool = False
    """Whether to notify a person when this node becomes the host. False for a table opened here."""
    in_contact: bool = True
    clock: Clock | None = None
    clock_state: ClockState = ClockState()
    waits: tuple[tuple[int, float], ...] = ()
    """Seats that the table waits for, each with the deadline on the monotonic clock."""
    without_waited: LeaveEffect | None = None
    """What happens if those owners do not come back; None without a wait."""
    missing: tuple[int, ...] = ()
    """Seats reported missing to the person and not yet reported back."""
    claimable: tuple[int, ...] = ()
    """Missing seats for which the player here may end the wait."""
    short_of: tuple[int, int] | None = None
    """Owners in contact and owners needed; None while there is a quorum."""
    time_outs: tuple[tuple[int, int], ...] = ()
    """Consecutive turns played by the clock, by seat, up to `AUTOPILOT_AFTER`."""
    to_recover: tuple[int, ...] = ()
    """Seats dropped in this round whose recovery has not begun."""
    scores: tuple[RoundScore, ...] = ()
    open_hands: tuple[RevealedHand, ...] = ()
    last_mover: int | None = None

    def name_of(self, seat: int) -> str:
        """Return the name of the player in a seat; "" before the table begins."""
        return "" if self.roster is None else self.roster.seats[seat].name

    def time_outs_of(self, seat: int) -> int:
        """Return the number of consecutive turns played by a seat's clock (see `time_outs`)."""
        return dict(self.time_outs).get(seat, 0)


def observe(
    state: ObservedState, event: RuntimeEvent, replay: Replay | None, now: float
) -> ObservedState:
    """Return the state after an event.

    `replay`: the table including that event, to read scores and open hands; None to omit these.
    `now`: time on the monotonic clock.
    """
    match event:
        case messages.LobbyState():
            return replace(state, name=event.table, room=event)
        case outputs.TableBegan():
            roster = event.genesis.read()
            return replace(state, roster=roster, host=roster.host)
        case outputs.SeatsAwaited():
            memory = state.clock_state
            if not event.seats:
                memory = replace(memory, stated=(event.seconds, now))
            waits = tuple((seat, now + event.seconds) for seat in event.seats)
            return replace(state, waits=waits, missing=event.seats, clock_state=memory)
        case outputs.ClaimOffered():
            return replace(state, claimable=event.seats)
        case outputs.QuorumChanged():
            short = (event.here, event.wanted) if event.here < event.wanted else None
            return replace(state, short_of=short)
        case CaughtUp():
            # The old waits predate this node's absence. The current ones follow this event.
            missing = _without(state.missing, event.host)
            return replace(state, waits=(), missing=missing, host=event.host)
        case outputs.HostingChanged():
            return replace(state, hosting=event.on)
        case _:
            return _observe_log(state, event, replay)


def _observe_log(state: ObservedState, event: RuntimeEvent, replay: Replay | None) -> ObservedState:
    match event:
        case events.HostElected():
            # The new host restarts the clocks.
            memory = replace(state.clock_state, decision=None)
            return replace(
                state,
                host=event.seat,
                former_host=state.host,
                hosting_is_news=True,
                clock_state=memory,
            )
        case events.RoundOpened():
            return replace(state, open_hands=(), last_mover=None, former_host=None, to_recover=())
        case events.ActionTaken():
            return _after_action(state, event)
        case events.SeatDropped():
            waits = tuple(each for each in state.waits if each[0] != event.seat)
            missing = _without(state.missing, event.seat)
            to_recover = (*_without(state.to_recover, event.seat), event.seat)
            return replace(state, waits=waits, missing=missing, to_recover=to_recover)
        case events.SeatReturned():
            waits = tuple(each for each in state.waits if each[0] != event.seat)
            return replace(state, waits=waits)
        case events.StepDone(step="share"):
            return replace(state, to_recover=())
        case events.RoundRevealed() if replay is not None and replay.round is not None:
            return replace(state, open_hands=open_hands(replay.round))
        case events.RoundClosed() if replay is not None:
            return _with_score(state, event, replay)
        case _:
            return state


def _without(seats: tuple[int, ...], gone: int) -> tuple[int, ...]:
    return tuple(seat for seat in seats if seat != gone)


def _after_action(state: ObservedState, event: events.ActionTaken) -> ObservedState:
    seat, time_outs = event.seat, state.time_outs
    # An automatic act does not show whether the player is present.
    if (time_outs or event.by_clock) and not isinstance(event.action, PROGRAM_ACTIONS):
        others = tuple(each for each in time_outs if each[0] != seat)
        number = min(state.time_outs_of(seat) + 1, AUTOPILOT_AFTER)
        time_outs = (*others, (seat, number)) if event.by_clock else others
    return replace(state, last_mover=seat, time_outs=time_outs)


def _with_score(state: ObservedState, closed: events.RoundClosed, replay: Replay) -> ObservedState:
    # The log may be in a later round already: one message can contain several rounds.
    found = [each for each in replay.summaries if each.number == closed.number]
    if not found or found[-1].kind is not RoundKind.PLAY:
        return state
    played = found[-1]
    before = state.scores[-1].totals if state.scores else (0,) * len(played.totals)
    score = RoundScore(
        number=played.number,
        winners=closed.result.winners if isinstance(closed.result, RoundResult) else (),
        gains=tuple(now - then for now, then in zip(played.totals, before, strict=True)),
        totals=played.totals,
        void=played.void,
        counted=played.counted,
        attested=sum(1 for seat in played.players if seat in played.attested),
        players=len(played.players),
        here=len(played.players) - len(played.lost),
        void_without=played.void_without,
    )
    return replace(state, scores=(*state.scores, score))


def open_hands(current: RoundLog) -> tuple[RevealedHand, ...]:
    """Return the hands as they were at the end of the round; empty until all seeds are revealed."""
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


def update_clock(state: ObservedState, times: Times, now: float) -> ObservedState:
    """Return the state with the clock of the present decision.

    `times`: those of the log. `now`: time on the monotonic clock.
    """
    memory, clock, decision = state.clock_state, state.clock, times.open_decision
    if decision is None:
        return replace(state, clock=None, clock_state=replace(memory, decision=None, stated=None))
    deal = decision.deal / 1000
    total = 0.0
    if decision.limit is not None and not decision.by_program:
        total = decision.limit / 1000 - deal
    if clock is None or decision != memory.decision:
        # A returning player receives the decision after it began on the host's clock.
        since = now + deal - (times.ms - decision.ms) / 1000
        clock = Clock(decision.seat, total, since)
    since, stopped_since = clock.since, memory.stopped_since
    if state.waits or state.short_of is not None or not state.in_contact:
        stopped_since = now if stopped_since is None else stopped_since
    elif stopped_since is not None:
        # The host's clock runs again. The time during which it was stopped does not count.
        since += max(0.0, now - max(stopped_since, since))
        stopped_since = None
    if memory.stated is not None and memory.stated[0] > 0:
        left, received_at = memory.stated
        since = received_at + min(left, total + deal) - total
    memory = ClockState(decision, stopped_since)
    return replace(state, clock=replace(clock, since=since), clock_state=memory)
