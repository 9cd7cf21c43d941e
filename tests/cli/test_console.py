"""What the terminal shows a person of a table, and what JSON holds of it in the end."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.cli.console import ConsoleRenderer
from lanuno.client.events import HostReached, LobbyOpened
from lanuno.client.languages import Language, languages
from lanuno.client.observer import TableObserver
from lanuno.dealing.identity import fingerprint
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.round import events
from lanuno.net.runtime.endings import CaughtUp, PlaysElsewhere, RuntimeEvent
from lanuno.rules.engine.actions import Draw, Keep, OpenHand, RefuseVerdict, Verdict
from lanuno.rules.engine.events import DirectionTurned, DrawReason, Drew, HandOpened, Kept
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Ruleset
from lanuno.store.known_people import KnownName, KnownPeople
from lanuno.table import outputs
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from tests.cli.captured_output import CapturedOutput
from tests.harness.log_table.log_table import make_genesis, make_roster

Told = tuple[list[str], list[str]]
"""Message ids for a program, and lines for a person."""


def told(
    happened: list[RuntimeEvent],
    players: int = 4,
    language: Language = "en",
    rules: Ruleset | None = None,
) -> Told:
    """Return the output for these events at a table whose host is p0."""
    captured = CapturedOutput(language)
    renderer = ConsoleRenderer(captured.out)
    observer = TableObserver(renderer, lambda: None, snapshots=False)
    roster = make_roster(players) if rules is None else make_roster(players, rules)
    observer(outputs.TableBegan(make_genesis(roster)))
    for event in happened:
        observer(event)
    return [str(each["id"]) for each in renderer.notices], captured.all_lines[1:]


def dropped(seat: int, reason: DropReason = DropReason.LOST) -> events.SeatDropped:
    return events.SeatDropped(seat, reason)


def timed_out(seat: int, *, by_clock: bool = True) -> events.ActionTaken:
    return events.ActionTaken(seat, Draw(), by_clock)


EVERYTHING: list[RuntimeEvent] = [
    outputs.SeatsAwaited((1, 2), 60.0),
    outputs.SeatsAwaited((2,), 31.5),
    dropped(2, DropReason.SILENT),
    events.StepDone(0, "share"),
    events.StepDone(1, "share"),
    events.SeatRecovered(2),
    events.HostElected(1, 1),
    events.LeaveAnnounced(0),
    dropped(0, DropReason.LEFT),
    events.RoundVoided(3, VoidReason.LOST, "nobody reads this"),
    events.RoundOpened(4, RoundKind.PLAY, (1, 3), 1),
    events.StepDone(1, "share"),
    events.SeatReturned(2),
    events.SeatFilled(0, 1),
    outputs.QuorumChanged(1, 2),
    outputs.QuorumChanged(2, 2),
    timed_out(3),
    timed_out(3),
    timed_out(3),
    events.ActionTaken(3, Verdict(guilty=True), by_clock=False),
    events.ActionTaken(3, RefuseVerdict(), by_clock=True),
    events.ActionTaken(3, OpenHand(), by_clock=False),
    timed_out(3, by_clock=False),
    outputs.HostingChanged(on=True),
    outputs.HostingChanged(on=False),
    outputs.TruncateJournal(9),
    CaughtUp(1, 0),
    CaughtUp(1, 1),
    CaughtUp(1, 7),
    PlaysElsewhere(),
    outputs.RoundHalted(1),
    HandOpened(1, (3, 4), guilty=True),
    HandOpened(1, (3, 4), guilty=False),
    events.SeatExpelled(3, cheated=True),
    events.SeatExpelled(3, cheated=False),
    events.Forfeited(0, 1),
]


def test_all_that_can_happen_to_a_table() -> None:
    notices, lines = told(EVERYTHING)
    assert notices == [
        "table.waits",
        "table.back",
        "table.waits",
        "table.dropped",
        "table.recovering",
        "table.recovered",
        "table.new_host",
        "table.handed_over",
        "table.dropped",
        "table.void",
        "table.returned",
        "table.filled",
        "table.frozen",
        "table.thawed",
        "table.timed_out",
        "table.autopilot",
        "table.awake",
        "table.hosting",
        "table.no_longer_hosting",
        "table.cut",
        "table.caught_up.none",
        "table.caught_up.one",
        "table.caught_up.other",
        "table.elsewhere",
        "table.halted",
        "table.opened_bluff",
        "table.opened_no_bluff",
        "table.expelled_cheat",
        "table.expelled_void",
        "table.forfeited",
    ]
    assert lines[:4] == [
        "waiting for p1, p2, 60 s at most",
        "p1 is back",
        "waiting for p2, 32 s at most",
        "p2 is gone: the computer is connected, but did not do its part of the deal in time",
    ]
    assert "p0, the host, has handed the table over and leaves it" in lines
    assert "-- round 3 does not count: a player was gone" in lines
    assert "a bot on the computer of p1 plays for p0" in lines


def test_a_reverse_says_whose_it_was() -> None:
    assert told([DirectionTurned(clockwise=False, seat=2)])[1] == ["p2 reverses"]
    _, lines = told([DirectionTurned(clockwise=False, seat=None)])
    assert lines == ["the starting card reverses: play begins counter-clockwise"]


@pytest.mark.parametrize("language", languages())
def test_every_language_has_words_for_all_of_it(language: Language) -> None:
    _, lines = told(EVERYTHING, language=language)
    assert len(lines) == 31, lines
    assert not [line for line in lines if "{" in line or not line.strip()]


def test_with_two_people_the_notice_says_what_the_wait_is_for() -> None:
    assert told([outputs.SeatsAwaited((1,), 60.0)], 2)[0] == ["table.waits_forfeit"]
    assert told([outputs.SeatsAwaited((0,), 60.0)], 2)[0] == ["table.waits_host"]


def test_with_two_people_a_notice_says_when_the_wait_may_be_ended() -> None:
    ids, lines = told([outputs.ClaimOffered((1,)), outputs.ClaimOffered(())], 2)
    assert ids == ["table.may_claim"]
    assert "p1" in lines[0]
    assert "10 minutes" in lines[0]


def test_a_guest_who_leaves_hands_nothing_over() -> None:
    opened = events.RoundOpened(5, RoundKind.PLAY, (0, 2, 3), 2)
    notices, _ = told(
        [
            events.LeaveAnnounced(1),
            events.HostElected(2, 1),
            opened,
            events.LeaveAnnounced(0),
            CaughtUp(3, 2),
        ]
    )
    assert notices == [
        *("table.leaves", "table.new_host", "table.leaves", "table.caught_up.other"),
    ]


@pytest.mark.parametrize(("language", "word"), [("en", "watching"), ("es", "espectador")])
def test_a_line_of_a_spectator_says_so(language: Language, word: str) -> None:
    said: list[RuntimeEvent] = [
        outputs.ChatReceived("Bea", 1, "hi"),
        outputs.ChatReceived("Eve", -1, "hi", b"e" * 32),
    ]
    assert told(said, language=language) == ([], ["Bea: hi", f"Eve ({word}): hi"])


def drawing(seat: int, *slots: int) -> list[RuntimeEvent]:
    """Return the events of a seat that draws in its turn."""
    return [
        events.ActionTaken(seat, Draw(), by_clock=False),
        Drew(seat, slots, DrawReason.TURN),
        events.HandUnlocked(1, seat, slots),
        outputs.ViewChanged(),
    ]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", ["p1 draws 3 cards", "p1 draws 2 cards", "p2 draws 1 card"]),
        ("es", ["p1 toma 3 cartas", "p1 toma 2 cartas", "p2 toma 1 carta"]),
    ],
)
def test_a_row_of_draws_is_one_line(language: Language, words: list[str]) -> None:
    happened = [
        *(each for slot in range(3) for each in drawing(1, slot)),
        events.ActionTaken(1, Keep(), by_clock=False),
        Kept(1),
        Drew(1, (7, 8), DrawReason.UNO),
        *drawing(2, 9),
        events.ActionTaken(2, Keep(), by_clock=False),
    ]
    rules = Ruleset(draw_until_playable=True)
    assert told(happened, language=language, rules=rules)[1] == words


def test_without_that_rule_each_draw_is_told_at_once() -> None:
    assert told(drawing(1, 4))[1] == ["p1 draws 1 card"]
    assert told(drawing(1, 4), rules=Ruleset(draw_until_playable=True))[1] == []


def test_a_row_that_the_round_ends_is_told_before_that() -> None:
    rules = Ruleset(draw_until_playable=True)
    lines = told([*drawing(1, 4), *drawing(1, 5), dropped(2)], rules=rules)[1]
    assert lines[0] == "p1 draws 2 cards"
    assert len(lines) == 2


def test_the_links_of_a_table_that_was_opened_here_are_shown() -> None:
    captured = CapturedOutput()
    renderer = ConsoleRenderer(captured.out)
    renderer(LobbyOpened(("lanuno://there",), ("ABC-DEF",), "Kitchen table", 7777))
    lines = captured.errors
    assert len(lines) == 3
    assert "Kitchen table" in lines[0]
    assert "7777" in lines[0]
    assert "lanuno://there" in lines[1]
    assert "ABC-DEF" in lines[2]


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_player_or_table_that_only_looks_like_a_known_one_is_told_once(
    language: Language,
) -> None:
    captured = CapturedOutput(language)
    known = KnownPeople((KnownName("Ana", "a" * 64),), (KnownName("Kitchen", "a" * 64),))
    renderer = ConsoleRenderer(captured.out, known)
    seats = tuple(
        LobbySeat(name, name.encode().ljust(32), b"o" * 32, bot, False)
        for name, bot in (("An\u0430", False), ("Ben", False), ("\u0410na", True))
    )
    state = LobbyState(bytes(16), "K\u0456tchen", LobbyPhase.OPEN, Ruleset(), 4, seats[:1], 0)
    renderer(HostReached("192.0.2.1", 1, "f" * 64, b"h" * 32, bytes(16)))
    for shown in (seats[:1], seats[:2], seats):
        renderer(msgspec.structs.replace(state, seats=shown))
    told = [captured.out.text("table.other_host_key", name="Kitchen")]
    told.append(captured.out.text("table.other_key", name="An\u0430", other="Ana"))
    assert [line for line in captured.all_lines if line.lstrip() in told] == told
    assert captured.out.text("table.other_key", name="\u0410na", other="Ana") not in (
        captured.all_lines
    )


def test_a_host_cannot_avoid_the_warnings_by_showing_something_else_first() -> None:
    captured = CapturedOutput("en")
    keys = {name: name.encode().ljust(32) for name in ("Ana", "Ben", "me")}
    people = (KnownName("Ana", fingerprint(keys["Ana"])), KnownName("Me", "m" * 64))
    known = KnownPeople(people, (KnownName("Kitchen", "a" * 64),), fingerprint(keys["me"]))
    # The table was looked for by this name, and calls itself otherwise.
    renderer = ConsoleRenderer(captured.out, known, "Kitchen")
    renderer(HostReached("192.0.2.1", 1, "f" * 64, b"h" * 32, bytes(16)))
    real, other, me = (
        LobbySeat(name, keys[key], keys[key], False, False)
        for name, key in (("Ana", "Ana"), ("Ana", "Ben"), ("Me", "me"))
    )
    state = LobbyState(bytes(16), "Cellar", LobbyPhase.OPEN, Ruleset(), 4, (real, me), 0)
    warnings = []
    # First Ana herself, then another key behind her name.
    for seats in ((real, me), (other, me), (other, me)):
        renderer(msgspec.structs.replace(state, seats=seats))
        warnings.append([line for line in captured.all_lines if "may not be" in line])
    table = captured.out.text("table.other_host_key", name="Kitchen")
    player = captured.out.text("table.other_key", name="Ana", other="Ana")
    assert [[line.strip() for line in lines] for lines in warnings] == [
        [table],
        [table, player],
        [table, player],
    ]
