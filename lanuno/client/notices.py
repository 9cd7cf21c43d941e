"""Notices about a table besides the game: who is away, who hosts, who is back.

`notices` is pure. It compares the state before an event with the state after it. The user interface
supplies the texts.
"""

from __future__ import annotations

from lanuno.client.events import SessionNotice
from lanuno.client.observed_state import ObservedState
from lanuno.client.room_changes import OF_PEOPLE, room_changes
from lanuno.log.replay.times import AUTOPILOT_AFTER, PROGRAM_ACTIONS
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp, PlaysElsewhere, RuntimeEvent
from lanuno.rules.engine import events as moves
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.ruleset_changes import changes
from lanuno.table import messages, outputs
from lanuno.table.host.grace import CLAIM_SECONDS


def notices(
    before: ObservedState, after: ObservedState, event: RuntimeEvent
) -> tuple[SessionNotice, ...]:
    """Return the notices for an event, in the order in which to show them."""
    match event:
        case messages.LobbyState() if before.room is not None:
            return _room_changed(before.room, event)
        case outputs.SeatsAwaited():
            return _awaited(before, after, event)
        case outputs.ClaimOffered() if event.seats:
            names, minutes = _names(after, event.seats), round(CLAIM_SECONDS / 60)
            return _passing("table.may_claim", names=names, minutes=minutes)
        case CaughtUp():
            key = {0: "table.caught_up.none", 1: "table.caught_up.one"}.get(
                event.entries, "table.caught_up.other"
            )
            return _passing(key, name=after.name_of(event.host), number=event.entries)
        case PlaysElsewhere():
            return _passing("table.elsewhere")
        case outputs.RoundHalted():
            return _lasting("table.halted")
        case outputs.TruncateJournal():
            return _passing("table.cut", entry=event.count)
        case outputs.QuorumChanged() if after.short_of is not None:
            return _passing("table.frozen", here=event.here, wanted=event.wanted)
        case outputs.QuorumChanged() if before.short_of is not None:
            return _passing("table.thawed")
        case outputs.HostingChanged() if not event.on:
            return _passing("table.no_longer_hosting")
        case outputs.HostingChanged() if before.hosting_is_news:
            return _passing("table.hosting")
        case _:
            return _of_log(before, after, event)


def _of_log(
    before: ObservedState, after: ObservedState, event: RuntimeEvent
) -> tuple[SessionNotice, ...]:
    """Return the notices for log events about hosts, rounds, clocks, hands and seats."""
    match event:
        case events.HostElected():
            return _lasting("table.new_host", name=after.name_of(event.seat), term=event.term)
        case events.RoundVoided():
            key = "table.void" if event.number else "table.void_dealer"
            return _lasting(key, number=event.number, why=event.reason)
        case events.ActionTaken() if not isinstance(event.action, PROGRAM_ACTIONS):
            return _of_clock(before, event)
        case moves.HandOpened():
            key = "table.opened_bluff" if event.guilty else "table.opened_no_bluff"
            return _lasting(key, name=after.name_of(event.seat))
        case events.SeatFilled():
            name, owner = after.name_of(event.seat), after.name_of(event.owner)
            return _lasting("table.filled", name=name, owner=owner)
        case events.Forfeited():
            loser, winner = after.name_of(event.loser), after.name_of(event.winner)
            return _lasting("table.forfeited", name=loser, winner=winner)
        case _:
            return _of_absence(before, after, event)


def _of_absence(
    before: ObservedState, after: ObservedState, event: RuntimeEvent
) -> tuple[SessionNotice, ...]:
    """Return the notices for log events about a seat that leaves or is dropped, or returns."""
    match event:
        case events.LeaveAnnounced():
            # A host that leaves first lets the other owners elect a new host.
            key = "table.handed_over" if event.seat == after.former_host else "table.leaves"
            return _lasting(key, name=after.name_of(event.seat))
        case events.SeatDropped():
            return _lasting("table.dropped", name=after.name_of(event.seat), why=event.reason)
        case events.StepDone(step="share") if before.to_recover:
            return _lasting("table.recovering", names=_names(after, before.to_recover))
        case events.SeatRecovered():
            return _lasting("table.recovered", name=after.name_of(event.seat))
        case events.SeatReturned():
            return _lasting("table.returned", name=after.name_of(event.seat))
        case events.SeatExpelled():
            key = "table.expelled_cheat" if event.cheated else "table.expelled_void"
            return _lasting(key, name=after.name_of(event.seat))
        case _:
            return ()


def _awaited(
    before: ObservedState, after: ObservedState, event: outputs.SeatsAwaited
) -> tuple[SessionNotice, ...]:
    told: list[SessionNotice] = []
    for seat in before.missing:
        if seat not in event.seats:
            told += _passing("table.back", name=after.name_of(seat))
    if event.seats:
        seats = () if after.roster is None else after.roster.seats
        key = "table.waits"
        if sum(not seat.bot for seat in seats) == 2:
            key = "table.waits_host" if after.host in event.seats else "table.waits_forfeit"
        seconds = outputs.shown_seconds(event.seconds)
        told += _passing(key, names=_names(after, event.seats), seconds=seconds)
    return tuple(told)


def _of_clock(before: ObservedState, event: events.ActionTaken) -> tuple[SessionNotice, ...]:
    """Return the notices for an act by a seat or by its clock."""
    name, time_outs = before.name_of(event.seat), before.time_outs_of(event.seat)
    if event.by_clock and time_outs < AUTOPILOT_AFTER:
        last = time_outs + 1 == AUTOPILOT_AFTER
        return _lasting("table.autopilot" if last else "table.timed_out", name=name)
    if not event.by_clock and time_outs >= AUTOPILOT_AFTER:
        return _lasting("table.awake", name=name)
    return ()


def _named_settings(ruleset: Ruleset) -> tuple[str, tuple[tuple[str, object], ...]]:
    """Return what notices show of the rules: the preset, and the settings that differ from it."""
    changed = changes(ruleset)
    names = (*changed.house, *changed.settings)
    return ruleset.preset, tuple((name, getattr(ruleset, name)) for name in names)


def _room_changed(
    before: messages.LobbyState, after: messages.LobbyState
) -> tuple[SessionNotice, ...]:
    """Return what else has changed than the list of players, which is shown with each change."""
    told: tuple[SessionNotice, ...] = ()
    if _named_settings(before.ruleset) != _named_settings(after.ruleset):
        told = _passing("table.rules_changed", rules=after.ruleset)
    what = tuple(each for each in room_changes(before, after) if each.id not in OF_PEOPLE)
    return (*told, *_passing("table.room_changed", what=what)) if what else told


def _names(state: ObservedState, seats: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(state.name_of(seat) for seat in seats)


def _lasting(key: str, **values: object) -> tuple[SessionNotice, ...]:
    return (SessionNotice(key, values, lasting=True),)


def _passing(key: str, **values: object) -> tuple[SessionNotice, ...]:
    return (SessionNotice(key, values, lasting=False),)
