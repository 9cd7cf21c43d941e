"""Tests of joining and leaving tables, in any order of the events on both threads."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, cast

import pytest
from msgspec.structs import replace

from lanuno.app.controllers import session_controller
from lanuno.app.controllers.application import Application
from lanuno.client import session as client_session
from lanuno.client.connect import Route
from lanuno.client.events import LobbyOpened, SessionNotice, TournamentBegan, TournamentStanding
from lanuno.client.reach import reach
from lanuno.client.requests import HostRequest, JoinRequest
from lanuno.client.resume import Interrupted, ResumeRequest
from lanuno.client.session import SessionResult, TableSession
from lanuno.client.snapshot import has_cards
from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import Genesis
from lanuno.net.errors import NetFault
from lanuno.net.runtime import lobby_guest
from lanuno.net.runtime.lobby_guest import open_runtime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.presets import PRESETS
from lanuno.table.outputs import SeatsAwaited
from tests.app.network import (
    AppFactory,
    begin_game,
    follow_link,
    is_playing,
    open_table,
    play_until,
    say_ready,
    shows_page,
)
from tests.app.waiting import settle, until

LINK = "lanuno://192.0.2.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


@pytest.fixture
def sessions(monkeypatch: pytest.MonkeyPatch) -> list[TableSession]:
    """The sessions that have started."""
    begun: list[TableSession] = []

    run = TableSession.run

    async def noted(self: TableSession) -> SessionResult:
        begun.append(self)
        return await run(self)

    monkeypatch.setattr(TableSession, "run", noted)
    return begun


def left_soon(app: Application) -> None:
    """Bring the app to a table, and begin to leave it."""
    app.home_controller.practise(1)
    until(lambda: is_playing(app))
    app.back()
    app.confirmLeave()
    assert app.session_controller.session is not None
    assert not app.session_controller.is_playing


def wished_for_a_visit(app: Application) -> None:
    """Request to join another table while the app leaves one."""
    left_soon(app)
    app.join_controller.setProperty("text", LINK)
    app.open("join")
    app.join_controller.join()
    assert app.join_controller.property("busy")


def test_the_newest_request_counts_while_a_table_is_left(
    app: Application, sessions: list[TableSession]
) -> None:
    """Of several clicks before the table is left, only the last one takes effect."""
    left_soon(app)
    app.home_controller.practise(1)
    app.home_controller.practise(2)
    until(lambda: app.session_controller.session is not sessions[0])
    until(lambda: len(app.table_controller._opponents.rows) == 2)
    assert len(sessions) == 2


def test_a_request_can_be_cancelled_while_a_table_is_left(
    app: Application, sessions: list[TableSession]
) -> None:
    wished_for_a_visit(app)
    app.join_controller.cancel()
    until(lambda: app.session_controller.session is not sessions[0])
    assert app.session_controller.session is None
    assert app.property("page") == "join"
    assert len(sessions) == 1


@pytest.mark.parametrize("instead", ["practice", "leaving"])
def test_a_visit_that_another_request_replaces_ends(
    app: Application, sessions: list[TableSession], instead: str
) -> None:
    wished_for_a_visit(app)
    if instead == "practice":
        app.home_controller.practise(1)
    else:
        app.session_controller.leave()
    assert not app.join_controller.property("busy")
    until(lambda: app.session_controller.session is not sessions[0])
    assert (app.session_controller.session is None) == (instead == "leaving")


def test_a_player_who_leaves_when_a_tournament_begins_does_not_see_it(app: Application) -> None:
    """The tournament can begin just before the request to leave reaches the other thread."""
    left_soon(app)
    session = app.session_controller.session
    assert session is not None
    session._emit(TournamentBegan(cast("Genesis", object())))
    until(lambda: app.session_controller.session is None)
    assert shows_page(app, "home")


def test_a_host_that_changes_its_mind_without_end_fills_no_queue(app: Application) -> None:
    """Every message of a host about missing players changes what the window shows."""
    app.home_controller.practise(1)
    until(lambda: is_playing(app))
    session = app.session_controller.session
    assert session is not None

    async def flood() -> None:
        assert session.runtime is not None
        for number in range(1_000):
            session.runtime._observe(SeatsAwaited((number % 2,), 60.0))
            await asyncio.sleep(0)

    # This thread waits for the other one, as a window does that is busy.
    app.bridge.run(flood()).future.result()
    assert len(app.bridge._waiting) < 50
    until(lambda: not app.bridge._waiting)
    shown = app.session_controller._snapshot
    assert shown is not None
    assert [seat for seat, _ in shown.waits] == [1], "the newest is shown"


def test_a_visit_can_be_given_up_at_the_moment_of_arrival(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    leaving: list[asyncio.Task[None]] = []

    async def reached(
        request: JoinRequest, me: Identity, interrupted: Sequence[Interrupted]
    ) -> Route | ResumeRequest:
        route = await reach(request, me, interrupted)
        # Request to leave just before the caller continues.
        guest = ben.session_controller.session
        assert guest is not None
        guest.leave_requested = True
        leaving.append(asyncio.create_task(guest._leave_table()))
        return route

    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    monkeypatch.setattr(client_session, "reach", reached)
    follow_link(ben, ana.room_controller.property("link"))
    assert ben.session_controller.session is not None
    until(lambda: ben.session_controller.session is None)
    assert leaving[0].done()
    assert shows_page(ben, "join")
    assert not ana.room_controller.has_guests


def test_a_game_can_be_left_at_the_moment_at_which_it_begins(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A guest can leave while its node runtime opens its own listener."""
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def slowly(*args: Any, **kwargs: Any) -> NodeRuntime:
        now = asyncio.Event()
        loops.append((asyncio.get_running_loop(), now))
        await now.wait()
        return await open_runtime(*args, **kwargs)

    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    follow_link(ben, ana.room_controller.property("link"))
    until(lambda: shows_page(ben, "room"))
    monkeypatch.setattr(lobby_guest, "open_runtime", slowly)
    say_ready(ben)
    until(lambda: ana.room_controller.property("canStart"))
    ana.room_controller.begin()
    until(lambda: loops)
    ben.session_controller.leave()
    asked = ben.bridge.run(asyncio.sleep(0))
    until(asked.future.done)
    ((loop, now),) = loops
    loop.call_soon_threadsafe(now.set)
    until(lambda: ben.session_controller.session is None)
    until(lambda: ana.result_controller.property("matchOver"))


def test_the_end_of_a_tournament_changes_the_page_only_once(
    app: Application,
) -> None:
    """The second report of the end, after the last table closes, does not change the page."""
    over = TournamentStanding(
        names=("Ana", "Ben"),
        avatars=(0, 1),
        totals=(10, 0),
        mine=0,
        rotation=7,
        rotations=7,
        winners=(0,),
        awaiting_other_table=False,
        broken=None,
    )
    app.session_controller._receive(over)
    assert shows_page(app, "result")
    app.open("rules")
    app.session_controller._receive(over)
    assert shows_page(app, "rules")


def test_what_concerns_this_computer_is_news(english: Application) -> None:
    for notice in ("table.elsewhere", "table.halted"):
        english.session_controller._receive(SessionNotice(notice, {}, lasting=False))
    opened = LobbyOpened((), (), "Kitchen", 47474, NetFault.MULTICAST_PORT)
    english.session_controller._receive(opened)
    second, halted, port = (row.text for row in english._notices.rows)
    assert second.startswith("The host says that another program plays at this table")
    assert halted.startswith("A card that this computer was dealt or given cannot be opened.")
    assert halted.endswith("in it.")
    assert "5353" in port


def test_back_leads_from_the_proof_to_the_result_after_the_table_closes(
    app: Application,
) -> None:
    app.home_controller.practise_by(PRESETS["masters"], 1)
    play_until([app], lambda: app.result_controller.property("matchOver"))
    assert shows_page(app, "result")
    app.result_controller.verify()
    until(lambda: app.session_controller.session is None)
    assert shows_page(app, "verifier")
    app.back()
    assert shows_page(app, "result")
    assert app.result_controller.property("canRematch")
    app.back()
    assert shows_page(app, "home")


def test_the_next_table_knows_nothing_of_a_rematch_of_the_last_one(
    app: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rematch plan of an earlier table is discarded if the other thread returns it late."""
    plan = HostRequest(name="again", ruleset=PRESETS["classic"], seats=2)
    monkeypatch.setattr(session_controller, "rematch_plans", lambda _session, **_how: [plan])
    app.home_controller.practise(1)
    table, options = app.session_controller, app.session_controller._options
    assert options is not None
    table._options = replace(options, again=None)
    table._offer_rematch()
    table._options = replace(options, again=None)
    asked = app.bridge.run(asyncio.sleep(0))
    until(asked.future.done)
    settle()
    assert not table._rematch_plans
    assert not app.result_controller.property("canRematch")
    table._offer_rematch()
    until(lambda: table._rematch_plans == [plan])


def test_a_question_is_taken_back_when_leaving_means_something_else(
    app_of: AppFactory, table_name: str
) -> None:
    """The question to the host about closing the table disappears when the game begins."""
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    follow_link(ben, ana.room_controller.property("link"))
    until(lambda: shows_page(ben, "room"))
    until(lambda: ana.room_controller.has_guests)
    ana.room_controller.setReady(True)
    ana.back()
    assert ana.property("leaveQuestion").startswith("Close this table?")
    say_ready(ben)
    until(lambda: shows_page(ana, "table"))
    until(lambda: ana.property("leaveQuestion") == "")
    until(lambda: is_playing(ana))
    ana.back()
    until(lambda: ana.property("leaveQuestion").startswith("Leave this game?"))
    ben.session_controller.leave()
    until(lambda: ana.result_controller.property("matchOver"))
    assert ana.property("leaveQuestion") == ""


def test_the_room_shows_the_safety_hand_until_the_first_card_is_dealt(
    app_of: AppFactory, table_name: str
) -> None:
    """It stays at least for a while. Nobody waits for it: a click goes on, and so does the deal."""
    ana, ben = app_of("Ana"), app_of("Ben")
    ana.room_controller.comparing_seconds, ben.room_controller.comparing_seconds = 0.05, 3600.0
    dealt_when_shown: list[bool] = []

    def note_page() -> None:
        snapshot = ana.session_controller._snapshot
        if shows_page(ana, "table"):
            dealt_when_shown.append(snapshot is not None and has_cards(snapshot))

    ana.pageChanged.connect(note_page)
    open_table(ana, table_name)
    begin_game(ana, ben)
    until(lambda: shows_page(ana, "table"))
    assert dealt_when_shown == [True]
    assert is_playing(ben), "the deal goes on behind it"
    assert (ben.property("page"), ben.room_controller.property("comparing")) == ("room", True)
    assert ben.room_controller.property("safetyHand") == ana.room_controller.property("safetyHand")
    ben.room_controller.goOn()
    assert (ben.property("page"), ben.room_controller.property("comparing")) == ("table", False)


def test_who_leaves_while_comparing_is_at_no_table(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    ben.room_controller.comparing_seconds = 0.5
    open_table(ana, table_name)
    begin_game(ana, ben)
    ben.session_controller.leave()
    until(lambda: ana.result_controller.property("matchOver"))
    until(lambda: ben.session_controller.session is None)
    assert not ben.room_controller.property("comparing")
    assert ben.property("page") == "home"
