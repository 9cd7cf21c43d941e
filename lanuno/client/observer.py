"""Observes one table for a screen: keeps what the replay does not hold, and emits snapshots.

It is the observer of a `LobbyHost`, `LobbyGuest` or `NodeRuntime`. Everything that happens within
one step of the event loop becomes one frozen `TableUpdated`. No Qt, no texts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace

from lanuno.client.events import (
    ActRefused,
    ChatSaid,
    MatchBegan,
    ReactionShown,
    SessionEvent,
    SessionStopped,
    SpectatorsWatching,
    TableUpdated,
)
from lanuno.client.observed_state import Clock, ObservedState, RoundScore, open_hands
from lanuno.client.snapshot import table_snapshot
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.times import TimedDecision
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.engine.results import RoundKind, RoundResult
from lanuno.table import messages, outputs


class TableObserver:
    """Turns the events of a node runtime into snapshots."""

    def __init__(
        self, emit: Callable[[SessionEvent], None], runtime: Callable[[], NodeRuntime | None]
    ) -> None:
        """`emit` takes frozen values; `runtime` returns the node runtime, once there is one."""
        self._emit = emit
        self._runtime = runtime
        self._happened: list[object] = []
        self._flush_soon: asyncio.Handle | None = None
        self._observed = ObservedState()
        self._decision: TimedDecision | None = None
        self._clock_stopped_at: float | None = None
        """Since when the clock of the decision is stopped, if it is."""
        self._host_seconds_left: tuple[float, float] | None = None
        """Seconds left of the decision as the host stated them, and when they arrived."""
        self._gains: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """The name of the table, as far as it is known."""
        return self._observed.name

    def set_name(self, name: str) -> None:
        """Set the name of the table."""
        self._observed = replace(self._observed, name=name)

    def __call__(self, event: object) -> None:
        """Observe."""
        match event:
            case messages.LobbyState():
                self.set_name(event.table)
                self._emit(event)
            case outputs.TableBegan():
                self._emit(MatchBegan(event.genesis))
            case outputs.TurnedAway() | outputs.RematchChanged():
                self._emit(event)
            case outputs.ChatReceived() | outputs.ReactionSeen() | outputs.SpectatorsChanged():
                self._emit(_social_event(event))
            case outputs.ActionRefused():
                self._emit(ActRefused(event.refusal, event.detail))
            case outputs.NodeStopped():
                self._emit(SessionStopped(event.blame, event.given_up))
            case outputs.SeatsAwaited():
                self._set_awaited(event)
            case outputs.ClaimOffered():
                self._observed = replace(self._observed, claimable=event.seats)
                self._schedule_update()
            case outputs.QuorumChanged():
                short = (event.here, event.wanted) if event.here < event.wanted else None
                self._observed = replace(self._observed, short_of=short)
                self._schedule_update()
            case CaughtUp():
                # These waits are from before this node was away. Those of now follow this event.
                self._observed = replace(self._observed, waits=())
                self._schedule_update()
            case outputs.HostingChanged():
                self._observed = replace(self._observed, hosting=event.on)
                if not event.on:
                    self._emit(SpectatorsWatching(()))
                self._record(event)
            case _:
                self._record(event)

    def _set_awaited(self, event: outputs.SeatsAwaited) -> None:
        now = time.monotonic()
        if not event.seats:
            self._host_seconds_left = event.seconds, now
        waits = tuple((seat, now + event.seconds) for seat in event.seats)
        self._observed = replace(self._observed, waits=waits)
        self._schedule_update()

    def _schedule_update(self) -> None:
        """Emit an update at the end of this step of the event loop."""
        if self._flush_soon is None:
            self._flush_soon = asyncio.get_running_loop().call_soon(self._flush)

    def replay_past(self, runtime: NodeRuntime) -> None:
        """Replay what happened before this program observed the table."""
        replay = Replay(runtime.node.replay.genesis)
        for entry in runtime.node.replica.entries:
            for event in replay.follow(entry, trusted=True):
                self._observe(event, replay)
                self._happened.append(event)
        self._schedule_update()

    def _record(self, event: object) -> None:
        runtime = self._runtime()
        if runtime is not None:
            self._observe(event, runtime.node.replay)
        self._happened.append(event)
        self._schedule_update()

    def _observe(self, event: object, replay: Replay) -> None:
        match event:
            case events.HostElected():
                # Its clocks begin anew.
                self._decision = None
            case events.RoundOpened():
                self._observed = replace(self._observed, open_hands=(), last_mover=None)
            case events.ActionTaken():
                self._observed = replace(self._observed, last_mover=event.seat)
            case events.SeatDropped() | events.SeatReturned():
                waits = tuple(each for each in self._observed.waits if each[0] != event.seat)
                self._observed = replace(self._observed, waits=waits)
            case events.RoundRevealed() if replay.round is not None:
                self._observed = replace(self._observed, open_hands=open_hands(replay.round))
            case events.RoundClosed():
                self._add_score(event, replay)
            case _:
                pass

    def _add_score(self, closed: events.RoundClosed, replay: Replay) -> None:
        current = replay.round
        if current is None or current.kind is not RoundKind.PLAY:
            return
        before = self._observed.scores[-1].totals if self._observed.scores else None
        totals = tuple(replay.match.totals)
        gains = tuple(
            now - (0 if before is None else before[seat]) for seat, now in enumerate(totals)
        )
        winners = closed.result.winners if isinstance(closed.result, RoundResult) else ()
        score = RoundScore(
            number=closed.number,
            winners=tuple(winners),
            gains=gains,
            totals=totals,
            void=current.void,
            attested=sum(1 for blamed in current.attests.values() if not blamed),
            seats=len(current.order),
            here=sum(1 for seat in current.order if seat not in current.lost),
        )
        self._observed = replace(self._observed, scores=(*self._observed.scores, score))

    # ---- emitting ---------------------------------------------------------------------------

    def _flush(self) -> None:
        self._flush_soon = None
        runtime = self._runtime()
        happened, self._happened = tuple(self._happened), []
        if runtime is None:
            return
        now = time.monotonic()
        in_contact = runtime.node.in_contact or runtime.node.replay.closed is not None
        agreed = runtime.metadata.rounds
        self._observed = replace(self._observed, in_contact=in_contact, agreed=agreed)
        self._update_clock(runtime, now)
        snapshot = table_snapshot(runtime.seat_session, self._observed)
        self._emit(TableUpdated(snapshot, happened, now))

    def _update_clock(self, runtime: NodeRuntime, now: float) -> None:
        """Since when the clock of the present decision runs, as far as this computer knows."""
        times = runtime.node.replay.times
        asked = times.open_decision
        if asked is None:
            self._decision, self._host_seconds_left = None, None
            self._observed = replace(self._observed, clock=None)
            return
        deal = asked.deal / 1000
        total = 0.0
        if asked.limit is not None and not asked.by_program:
            total = asked.limit / 1000 - deal
        if asked is not self._decision:
            self._decision = asked
            # A returning player receives the decision later than it began by the host's clock.
            since = now + deal - (times.ms - asked.ms) / 1000
            self._observed = replace(self._observed, clock=Clock(asked.seat, total, since))
        clock = self._observed.clock
        if clock is None:
            return
        since = clock.since + self._stopped_seconds(now, clock)
        if self._host_seconds_left is not None and self._host_seconds_left[0] > 0:
            left, received_at = self._host_seconds_left
            since = received_at + min(left, total + deal) - total
        self._host_seconds_left = None
        self._observed = replace(self._observed, clock=replace(clock, since=since))

    def _stopped_seconds(self, now: float, clock: Clock) -> float:
        """Seconds for which the host's clock was stopped, once it runs again: they do not count."""
        observed = self._observed
        if observed.waits or observed.short_of is not None or not observed.in_contact:
            self._clock_stopped_at = (
                now if self._clock_stopped_at is None else self._clock_stopped_at
            )
            return 0.0
        stood, self._clock_stopped_at = self._clock_stopped_at, None
        return 0.0 if stood is None else max(0.0, now - max(stood, clock.since))


def _social_event(
    event: outputs.ChatReceived | outputs.ReactionSeen | outputs.SpectatorsChanged,
) -> SessionEvent:
    """What people do besides playing."""
    if isinstance(event, outputs.ChatReceived):
        return ChatSaid(event.name, event.seat, event.text, event.watcher)
    if isinstance(event, outputs.ReactionSeen):
        return ReactionShown(event.name, event.seat, event.reaction)
    return SpectatorsWatching(event.spectators)
