"""Tests of sitting down at tables and leaving them, in whatever order the two sides hear of it."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import replace
from typing import Any, cast

import pytest

from lanuno.app.controllers import interruptions, playing
from lanuno.app.controllers.application import Application
from lanuno.app.worker.follower import TournamentStands
from lanuno.app.worker.hosting import Opening
from lanuno.app.worker.joining import JoinedTable, Looking, Way
from lanuno.app.worker.practice import PracticeTable
from lanuno.app.worker.returning import Unfinished
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.log.genesis import Genesis
from lanuno.net import table_peer
from lanuno.net.member_driver import MemberDriver
from lanuno.net.table_peer import open_member
from lanuno.rules.presets import PRESETS
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import Profile
from tests.app.network import Sit, followed, opened, play, plays, shows
from tests.app.waiting import settle, until

LINK = "lanuno://192.0.2.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


@pytest.fixture
def sat(monkeypatch: pytest.MonkeyPatch) -> list[Sitting]:
    """What has sat down somewhere."""
    begun: list[Sitting] = []

    def noting(kind: type[PracticeTable | JoinedTable]) -> None:
        run: Any = kind.run

        async def noted(self: PracticeTable | JoinedTable) -> Left:
            begun.append(self)
            left: Left = await run(self)
            return left

        monkeypatch.setattr(kind, "run", noted)

    noting(PracticeTable)
    noting(JoinedTable)
    return begun


def left_soon(app: Application) -> None:
    """Sit at a table that is being left."""
    app.first.practise(1)
    until(lambda: plays(app))
    app.back()
    app.confirmLeave()
    assert app.playing.property("leaving")


def wished_for_a_visit(app: Application) -> None:
    """Meanwhile, want to sit down at somebody else's."""
    left_soon(app)
    app.door.setProperty("text", LINK)
    app.open("join")
    app.door.join()
    assert app.door.property("busy")


def test_of_what_is_wanted_while_a_table_is_left_the_newest_counts(
    desk: Application, sat: list[Sitting]
) -> None:
    """Nothing is to be seen of a click before the table is left: people click again."""
    left_soon(desk)
    desk.first.practise(1)
    desk.first.practise(2)
    until(lambda: desk.playing.sitting is not sat[0])
    until(lambda: len(desk.table_screen._opponents.rows) == 2)
    assert len(sat) == 2


def test_what_is_wanted_while_a_table_is_left_can_be_given_up(
    desk: Application, sat: list[Sitting]
) -> None:
    wished_for_a_visit(desk)
    desk.door.cancel()
    until(lambda: desk.playing.sitting is not sat[0])
    assert desk.playing.sitting is None
    assert desk.property("page") == "join"
    assert len(sat) == 1


@pytest.mark.parametrize("instead", ["practice", "leaving"])
def test_a_visit_that_something_else_takes_the_place_of_is_not_on_its_way(
    desk: Application, sat: list[Sitting], instead: str
) -> None:
    wished_for_a_visit(desk)
    if instead == "practice":
        desk.first.practise(1)
    else:
        desk.playing.leave()
    assert not desk.door.property("busy")
    until(lambda: desk.playing.sitting is not sat[0])
    assert (desk.playing.sitting is None) == (instead == "leaving")


def test_whoever_leaves_when_a_tournament_begins_is_not_taken_along(
    desk: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All eight signed before the wish to leave came to the other thread."""
    run = PracticeTable.run

    async def signed(self: PracticeTable) -> Left:
        left = await run(self)
        return replace(left, asked=False, tournament=cast("Genesis", object()))

    monkeypatch.setattr(PracticeTable, "run", signed)
    left_soon(desk)
    until(lambda: desk.playing.sitting is None)
    assert shows(desk, "home")


def test_a_visit_can_be_given_up_at_the_moment_of_arrival(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reach = JoinedTable._reach
    leaving: list[asyncio.Task[None]] = []

    async def reached(self: JoinedTable, profile: Profile, looking: Looking | None) -> Way:
        way = await reach(self, profile, looking)
        # As `leave` does that was asked a moment earlier: before whoever waits for this goes on.
        self.asked = True
        leaving.append(asyncio.create_task(self.go()))
        return way

    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name)
    monkeypatch.setattr(JoinedTable, "_reach", reached)
    followed(ben, ana.room_screen.property("link"))
    assert ben.playing.sitting is not None
    until(lambda: ben.playing.sitting is None)
    assert leaving[0].done()
    assert shows(ben, "join")
    assert not ana.room_screen.has_guests


def test_a_game_can_be_left_at_the_moment_at_which_it_begins(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computer of a guest opens a door of its own then, which takes a moment."""
    loops: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    async def slowly(*args: Any, **kwargs: Any) -> MemberDriver:
        now = asyncio.Event()
        loops.append((asyncio.get_running_loop(), now))
        await now.wait()
        return await open_member(*args, **kwargs)

    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name)
    followed(ben, ana.room_screen.property("link"))
    until(lambda: shows(ben, "room"))
    monkeypatch.setattr(table_peer, "open_member", slowly)
    ben.room_screen.setReady(True)
    ana.room_screen.setReady(True)
    until(lambda: loops)
    ben.playing.leave()
    asked = ben.bridge.run(asyncio.sleep(0))
    until(lambda: not asked.running)
    ((loop, now),) = loops
    loop.call_soon_threadsafe(now.set)
    until(lambda: ben.playing.sitting is None)
    until(lambda: ana.result_screen.property("matchOver"))


def test_who_looks_at_something_else_is_not_called_back_by_the_end_of_a_tournament(
    desk: Application,
) -> None:
    """How it ended is told at once, and again when its last table is closed."""
    over = TournamentStands(
        names=("Ana", "Ben"),
        avatars=(0, 1),
        totals=(10, 0),
        mine=0,
        rotation=7,
        rotations=7,
        winners=(0,),
        waits=False,
        broken=None,
    )
    desk.playing._hear(over)
    assert shows(desk, "result")
    desk.open("rules")
    desk.playing._hear(over)
    assert shows(desk, "rules")


def test_who_looks_at_the_proof_when_the_table_closes_comes_back_to_the_result(
    desk: Application,
) -> None:
    desk.first.practise_by(PRESETS["masters"], 1)
    play([desk], lambda: desk.result_screen.property("matchOver"))
    assert shows(desk, "result")
    desk.result_screen.verify()
    until(lambda: desk.playing.sitting is None)
    assert shows(desk, "verifier")
    desk.back()
    assert shows(desk, "result")
    assert desk.result_screen.property("canRematch")
    desk.back()
    assert shows(desk, "home")


def test_the_next_table_knows_nothing_of_a_rematch_of_the_last_one(
    desk: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The way to it is looked for on the other thread, which may take a moment."""
    plan = Opening(name="again", ruleset=PRESETS["classic"], seats=2)
    monkeypatch.setattr(playing, "rematch_of", lambda _sitting, **_how: plan)
    desk.first.practise(1)
    table, stay = desk.playing, desk.playing._stay
    assert stay is not None
    table._stay = replace(stay, again=None)
    table._look_for_rematch()
    table._stay = replace(stay, again=None)
    asked = desk.bridge.run(asyncio.sleep(0))
    until(lambda: not asked.running)
    settle()
    assert table._next is None
    assert not desk.result_screen.property("canRematch")
    table._look_for_rematch()
    until(lambda: table._next is plan)


def test_a_question_is_taken_back_when_leaving_means_something_else(
    sit: Sit, table_name: str
) -> None:
    """Whoever is about to close a waiting room may sit at a game when they press the button."""
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name)
    followed(ben, ana.room_screen.property("link"))
    until(lambda: shows(ben, "room"))
    ana.room_screen.setReady(True)
    until(lambda: ana.room_screen.has_guests)
    ana.back()
    assert ana.property("leaveQuestion").startswith("Close this table?")
    ben.room_screen.setReady(True)
    until(lambda: shows(ana, "table"))
    assert ana.property("leaveQuestion") == ""
    until(lambda: plays(ana))
    ana.back()
    assert ana.property("leaveQuestion").startswith("Leave this game?")
    ben.playing.leave()
    until(lambda: ana.result_screen.property("matchOver"))
    assert ana.property("leaveQuestion") == ""


def test_of_two_looks_for_interrupted_tables_the_later_one_counts(
    desk: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each reads the disk on a thread of its own, and may take as long as it likes."""
    home = desk.home_folders
    first, looks = threading.Event(), list[StoreError]()

    def look(_home: Home) -> Unfinished:
        wrong = StoreError(Problem.DAMAGED, home.games / f"{len(looks)}.lanuno", "")
        looks.append(wrong)
        if len(looks) == 1:
            assert first.wait(20)
        return Unfinished((), (wrong,))

    monkeypatch.setattr(interruptions, "look_for_unfinished", look)
    there = desk.first._interruptions
    there.look()
    until(lambda: len(looks) == 1)
    there.look()
    until(lambda: there._told)
    first.set()
    # Behind it, on the same way.
    asked = desk.bridge.run(asyncio.to_thread(int))
    until(lambda: not asked.running)
    settle()
    assert there._told == {str(looks[1].path)}
