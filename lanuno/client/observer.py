"""Turns the events of a runtime into the events of a session.

`TableObserver` observes a `LobbyHost`, `LobbyGuest` or `NodeRuntime`. `observed_state` and
`notices` interpret the events; this module adds only the time and the event loop. No Qt, no texts.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from lanuno.client.events import NodeEvent, SessionEvent, SessionNotice, TableUpdated
from lanuno.client.notices import notices
from lanuno.client.observed_state import ObservedState, observe, update_clock
from lanuno.client.snapshot import table_snapshot
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LogEvent
from lanuno.net.runtime.endings import CaughtUp, PlaysElsewhere, RuntimeEvent
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.table import messages, outputs
from lanuno.table.leave_effect import LeaveEffect, leave_effect

OF_THIS_COMPUTER = (PlaysElsewhere, outputs.RoundHalted)
"""Events that no log and no snapshot shows."""


class TableObserver:
    """Observes one table for a user interface.

    With snapshots, all events within one step of the event loop become one `TableUpdated`, and the
    only notices are those of `OF_THIS_COMPUTER`. Without snapshots, each event is emitted
    separately, followed by its notices.
    """

    def __init__(
        self,
        emit: Callable[[SessionEvent], None],
        runtime: Callable[[], NodeRuntime | None],
        *,
        snapshots: bool,
        resumed: bool = False,
    ) -> None:
        """`emit` receives frozen values; `runtime` returns the node runtime, or None while there is
        none.

        `resumed`: the table was resumed, so a notice reports that this computer is the host.
        """
        self._emit = emit
        self._runtime = runtime
        self._snapshots = snapshots
        self._observed = ObservedState(hosting_is_news=resumed)
        self._happened: list[LogEvent | NodeEvent] = []
        self._update_soon: asyncio.Handle | None = None
        self._supposed: tuple[bytes, dict[tuple[int, ...], LeaveEffect | None]] = b"", {}
        """The head of the log, and by absent seats what happens without them."""

    @property
    def name(self) -> str:
        """The name of the table; "" if it is not known."""
        return self._observed.name

    def set_name(self, name: str) -> None:
        """Set the name of the table."""
        self._observed = replace(self._observed, name=name)

    def __call__(self, event: RuntimeEvent) -> None:
        """Process an event of the runtime."""
        before = self._observed
        runtime = self._runtime() if self._snapshots else None
        replay = None if runtime is None else runtime.node.replay
        self._observed = observe(before, event, replay, time.monotonic())
        silent = self._snapshots and not isinstance(event, OF_THIS_COMPUTER)
        told = () if silent else notices(before, self._observed, event)
        if isinstance(event, messages.LobbyState):
            # Report changed rules before the players of the lobby.
            self._emit_each(told)
            told = ()
        self._pass_on(event)
        self._emit_each(told)

    def replay_past(self, runtime: NodeRuntime) -> None:
        """Replay the log from before this program observed the table, for the snapshots.

        Does nothing without snapshots.
        """
        if not self._snapshots:
            return
        self.set_name(runtime.metadata.name)
        replay, now = Replay(runtime.node.replay.genesis), time.monotonic()
        for entry in runtime.node.replica.entries:
            for event in replay.follow(entry, trusted=True):
                self._observed = observe(self._observed, event, replay, now)
                self._happened.append(event)
        self._schedule_update()

    # ---- emitting ---------------------------------------------------------------------------

    def _pass_on(self, event: RuntimeEvent) -> None:
        """Emit the event as a session event, now or with the next snapshot."""
        match event:
            case (
                messages.LobbyState()
                | outputs.ActionRefused()
                | outputs.ChatReceived()
                | outputs.NodeStopped()
                | outputs.ReactionSeen()
                | outputs.RematchChanged()
                | outputs.SpectatorsChanged()
                | outputs.TableBegan()
                | outputs.TurnedAway()
            ):
                self._emit(event)
            case PlaysElsewhere():
                pass  # its notice is enough
            case outputs.RoundHalted():
                self._schedule_update()
            case outputs.SeatsAwaited() | outputs.ClaimOffered() | outputs.QuorumChanged():
                self._schedule_update()
            case CaughtUp() | outputs.Send():  # either may change the contact to the host
                self._schedule_update()
            case outputs.HostingChanged(on=False):
                self._emit(outputs.SpectatorsChanged(()))
                self._add(event)
            case _:
                self._add(event)

    def _emit_each(self, told: Sequence[SessionNotice]) -> None:
        for each in told:
            self._emit(each)

    def _add(self, event: LogEvent | NodeEvent) -> None:
        """Emit the event with the next snapshot, or immediately without snapshots."""
        if self._snapshots:
            self._happened.append(event)
            self._schedule_update()
        else:
            self._emit(event)

    def _schedule_update(self) -> None:
        """Schedule an update for the end of this step of the event loop."""
        if self._snapshots and self._update_soon is None:
            self._update_soon = asyncio.get_running_loop().call_soon(self._emit_update)

    def _emit_update(self) -> None:
        self._update_soon = None
        runtime = self._runtime()
        happened, self._happened = tuple(self._happened), []
        if runtime is None:
            return
        now, replay = time.monotonic(), runtime.node.replay
        in_contact = runtime.node.in_contact or replay.closed is not None
        without = self._suppose_without(replay)
        observed = replace(self._observed, in_contact=in_contact, without_waited=without)
        self._observed = update_clock(observed, replay.times, now)
        snapshot = table_snapshot(runtime.seat_session, self._observed)
        self._emit(TableUpdated(snapshot, happened, now))

    def _suppose_without(self, replay: Replay) -> LeaveEffect | None:
        """Return what happens if those whom the table waits for do not come back.

        It is worked out once for each state of the log: a host may announce waits without end.
        """
        missing = tuple(sorted(seat for seat, _ in self._observed.waits if seat in replay.owners))
        if replay.head != self._supposed[0]:
            self._supposed = replay.head, {}
        effects = self._supposed[1]
        if missing and missing not in effects:
            effects[missing] = leave_effect(replay, *missing)
        return effects.get(missing)
