"""The notices about a table, each with the event that causes it."""

from __future__ import annotations

import pytest

from lanuno.client.events import SessionNotice
from lanuno.client.notices import notices
from lanuno.client.observed_state import ObservedState, observe
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp, RuntimeEvent
from lanuno.rules.engine.actions import Draw, OpenHand, RefuseVerdict
from lanuno.rules.engine.events import DrawReason, Drew, HandOpened
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from tests.harness.log_table.log_table import make_genesis, make_roster


def table(players: int = 4) -> ObservedState:
    """Return a table whose host is p0."""
    began = outputs.TableBegan(make_genesis(make_roster(players)))
    return observe(ObservedState(), began, None, 0.0)


def noticed(
    *happened: RuntimeEvent, state: ObservedState | None = None
) -> tuple[SessionNotice, ...]:
    """Return the notices for the last of these events."""
    after = table() if state is None else state
    found: tuple[SessionNotice, ...] = ()
    for event in happened:
        before, after = after, observe(after, event, None, 0.0)
        found = notices(before, after, event)
        assert notices(before, after, event) == found, "the same input has the same output"
    return found


def told(
    *happened: RuntimeEvent, state: ObservedState | None = None
) -> list[tuple[str, dict[str, object]]]:
    """Return the notices for the last of these events, as ids and values."""
    return [(each.id, dict(each.values)) for each in noticed(*happened, state=state)]


def lobby(ruleset: Ruleset) -> messages.LobbyState:
    return messages.LobbyState(bytes(16), "mesa", messages.LobbyPhase.OPEN, ruleset, 4, (), 0)


def timed_out(seat: int, *, by_clock: bool = True) -> events.ActionTaken:
    return events.ActionTaken(seat, Draw(), by_clock)


DROPPED = events.SeatDropped(2, DropReason.SILENT)
NOTICES: list[tuple[tuple[RuntimeEvent, ...], str, dict[str, object], bool]] = [
    (
        (lobby(Ruleset()), lobby(Ruleset(jump_in=True))),
        "table.rules_changed",
        {"rules": Ruleset(jump_in=True)},
        False,
    ),
    (
        (outputs.SeatsAwaited((1, 2), 59.2),),
        "table.waits",
        {"names": ("p1", "p2"), "seconds": 60},
        False,
    ),
    (
        (outputs.SeatsAwaited((1,), 60.0), outputs.SeatsAwaited((), 0.0)),
        "table.back",
        {"name": "p1"},
        False,
    ),
    ((outputs.ClaimOffered((1,)),), "table.may_claim", {"names": ("p1",), "minutes": 10}, False),
    ((CaughtUp(1, 0),), "table.caught_up.none", {"name": "p1", "number": 0}, False),
    ((CaughtUp(1, 1),), "table.caught_up.one", {"name": "p1", "number": 1}, False),
    ((CaughtUp(1, 7),), "table.caught_up.other", {"name": "p1", "number": 7}, False),
    ((outputs.TruncateJournal(9),), "table.cut", {"entry": 9}, False),
    ((outputs.QuorumChanged(1, 2),), "table.frozen", {"here": 1, "wanted": 2}, False),
    ((outputs.QuorumChanged(1, 2), outputs.QuorumChanged(2, 2)), "table.thawed", {}, False),
    ((events.HostElected(1, 1), outputs.HostingChanged(on=True)), "table.hosting", {}, False),
    ((outputs.HostingChanged(on=False),), "table.no_longer_hosting", {}, False),
    ((events.HostElected(1, 3),), "table.new_host", {"name": "p1", "term": 3}, True),
    (
        (events.RoundVoided(3, VoidReason.LOST, "nobody reads this"),),
        "table.void",
        {"number": 3, "why": VoidReason.LOST},
        True,
    ),
    (
        (events.RoundVoided(0, VoidReason.LOST, "nobody reads this"),),
        "table.void_dealer",
        {"number": 0, "why": VoidReason.LOST},
        True,
    ),
    ((timed_out(3),), "table.timed_out", {"name": "p3"}, True),
    ((timed_out(3), timed_out(3)), "table.autopilot", {"name": "p3"}, True),
    (
        (timed_out(3), timed_out(3), timed_out(3, by_clock=False)),
        "table.awake",
        {"name": "p3"},
        True,
    ),
    ((HandOpened(1, (3, 4), guilty=True),), "table.opened_bluff", {"name": "p1"}, True),
    ((HandOpened(1, (3, 4), guilty=False),), "table.opened_no_bluff", {"name": "p1"}, True),
    ((events.LeaveAnnounced(1),), "table.leaves", {"name": "p1"}, True),
    (
        (events.HostElected(1, 1), events.LeaveAnnounced(0)),
        "table.handed_over",
        {"name": "p0"},
        True,
    ),
    ((DROPPED,), "table.dropped", {"name": "p2", "why": DropReason.SILENT}, True),
    (
        (DROPPED, events.SeatDropped(1, DropReason.LEFT), events.StepDone(0, "share")),
        "table.recovering",
        {"names": ("p2", "p1")},
        True,
    ),
    ((events.SeatRecovered(2),), "table.recovered", {"name": "p2"}, True),
    ((events.SeatReturned(2),), "table.returned", {"name": "p2"}, True),
    ((events.SeatFilled(0, 1),), "table.filled", {"name": "p0", "owner": "p1"}, True),
    ((events.SeatExpelled(3, cheated=True),), "table.expelled_cheat", {"name": "p3"}, True),
    ((events.SeatExpelled(3, cheated=False),), "table.expelled_void", {"name": "p3"}, True),
    ((events.Forfeited(0, 1),), "table.forfeited", {"name": "p0", "winner": "p1"}, True),
]
"""Events, the notice for the last one, and whether that notice is lasting."""


@pytest.mark.parametrize(("happened", "key", "values", "lasting"), NOTICES)
def test_a_notice(
    happened: tuple[RuntimeEvent, ...], key: str, values: dict[str, object], lasting: bool
) -> None:
    assert noticed(*happened) == (SessionNotice(key, values, lasting=lasting),)


SILENT: list[tuple[RuntimeEvent, ...]] = [
    (lobby(Ruleset()),),
    (lobby(Ruleset()), lobby(Ruleset())),
    (outputs.SeatsAwaited((), 12.0),),
    (outputs.ClaimOffered((1,)), outputs.ClaimOffered(())),
    (outputs.QuorumChanged(2, 2),),
    (outputs.HostingChanged(on=True),),
    (timed_out(3, by_clock=False),),
    (timed_out(3), timed_out(3, by_clock=False)),
    (timed_out(3), timed_out(3), timed_out(3)),
    (timed_out(3), timed_out(3), events.ActionTaken(3, OpenHand(), by_clock=False)),
    (events.ActionTaken(3, RefuseVerdict(), by_clock=True),),
    (events.StepDone(0, "share"),),
    (DROPPED, events.StepDone(0, "share"), events.StepDone(1, "share")),
    (DROPPED, events.StepDone(0, "commit")),
    (DROPPED, events.RoundOpened(2, RoundKind.PLAY, (0, 1), 1), events.StepDone(0, "share")),
    (events.RoundOpened(1, RoundKind.PLAY, (0, 1, 2, 3), 1),),
    (events.RoundClosed(3, None, counted=False),),
    (Drew(1, (3,), DrawReason.TURN),),
    (outputs.ViewChanged(),),
    (outputs.ChatReceived("p1", 1, "hi"),),
]


@pytest.mark.parametrize("happened", SILENT)
def test_no_notice(happened: tuple[RuntimeEvent, ...]) -> None:
    assert noticed(*happened) == ()


def test_a_player_who_is_back_is_told_before_those_who_are_missing() -> None:
    waits = outputs.SeatsAwaited((1, 2), 60.0), outputs.SeatsAwaited((2, 3), 31.5)
    assert told(*waits) == [
        ("table.back", {"name": "p1"}),
        ("table.waits", {"names": ("p2", "p3"), "seconds": 32}),
    ]


def test_a_seat_that_was_dropped_is_not_said_to_be_back() -> None:
    assert told(outputs.SeatsAwaited((2,), 60.0), DROPPED, outputs.SeatsAwaited((), 0.0)) == []
    assert told(outputs.SeatsAwaited((1,), 60.0), CaughtUp(1, 2), outputs.SeatsAwaited((), 0)) == []


def test_with_two_people_the_notice_says_what_the_wait_is_for() -> None:
    waits = {"names": ("p1",), "seconds": 60}
    silent = outputs.SeatsAwaited((1,), 60.0)
    assert told(silent, state=table(2)) == [("table.waits_forfeit", waits)]
    ((key, _),) = told(outputs.SeatsAwaited((0,), 60.0), state=table(2))
    assert key == "table.waits_host"
    elected = events.HostElected(1, 1)
    ((key, _),) = told(elected, outputs.SeatsAwaited((0,), 60.0), state=table(2))
    assert key == "table.waits_forfeit"


def test_a_table_that_was_resumed_says_that_this_computer_is_the_host() -> None:
    resumed = ObservedState(hosting_is_news=True)
    assert told(outputs.HostingChanged(on=True), state=resumed) == [("table.hosting", {})]


def test_a_former_host_hands_nothing_over_in_a_later_round() -> None:
    opened = events.RoundOpened(5, RoundKind.PLAY, (0, 2, 3), 2)
    happened = events.HostElected(2, 1), opened, events.LeaveAnnounced(0)
    assert told(*happened) == [("table.leaves", {"name": "p0"})]


def test_rules_that_are_said_in_the_same_words_have_not_changed() -> None:
    """The limits for the number of seats are shown beside the rules, not in them."""
    assert told(lobby(Ruleset()), lobby(Ruleset(seats_max=6))) == []
