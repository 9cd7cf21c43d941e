"""Tests of tables over the network, as two people with two computers use the app: by its slots."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

import pytest

from lanuno.app.controllers.application import Application
from lanuno.app.models.room_rows import FoundTable
from lanuno.log.audit import audit_bytes
from lanuno.log.faults import Verdict
from lanuno.store.paths import Home
from lanuno.store.profile import rename
from tests.app.hands import Hands
from tests.app.waiting import until

Sit = Callable[[str], Application]


@pytest.fixture
def sit(desks: Callable[[Home], Application], tmp_path: Path) -> Sit:
    """Makes the app of somebody with this name, which speaks English on loopback alone."""

    def make(name: str) -> Application:
        home = Home.at(tmp_path / name)
        home.create()
        rename(home, name)
        app = desks(home)
        app.preferences.put("language", "en")
        app.preferences.put("adapter", "lo")
        return app

    return make


@pytest.fixture
def table_name() -> str:
    """One that no other test uses."""
    return f"T {secrets.token_hex(4)}"


def opened(app: Application, name: str, *, seats: int = 2, bots: int = 0, **others: object) -> None:
    """Host a table and wait for its room."""
    host = app.opener
    wishes = {"tableName": name, "seats": seats, "bots": bots, **others}
    for key, value in wishes.items():
        host.setProperty(key, value)
    assert host.property("problem") == ""
    host.begin()
    until(lambda: app.room_screen.property("link") and app.room_screen.property("taken") > bots)


def row(app: Application, name: str) -> FoundTable | None:
    return next((each for each in app.first._tables.rows if each.name == name), None)


def found(app: Application, name: str) -> FoundTable:
    """Wait until this table is in the list and has answered."""

    def here() -> bool:
        seen = row(app, name)
        return seen is not None and (seen.joinable or seen.can_watch)

    until(here)
    seen = row(app, name)
    assert seen is not None
    return seen


def play(apps: list[Application], over: Callable[[], bool]) -> None:
    hands = [Hands(app, number) for number, app in enumerate(apps)]

    def step() -> bool:
        for each in hands:
            each.play()
        return over()

    until(step, 60)


def test_two_people_and_a_bot(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=4, bots=1)
    assert ana.property("page") == "room"
    room = ana.room_screen
    assert not room.property("canStart") or room.property("taken") == 2
    assert room.property("link").startswith("lanuno://127.0.0.1:")
    assert room.property("qr")[0][0] is True
    ben.start()
    seen = found(ben, table_name)
    assert (seen.host, seen.taken, seen.seats, seen.locked) == ("Ana", 2, 4, False)
    assert seen.text == "2 seats are free"
    ben.first.join(seen.id, "")
    assert ben.property("home").property("joining")
    until(lambda: ben.property("page") == "room")
    assert not ben.first.property("joining")
    assert [each.name for each in ben.room_screen.face.seats] == ["Ana", "Ada", "Ben", ""]
    assert not room.property("canStart")
    ben.talk.say("Hola")
    until(lambda: ana.talk._lines.rowCount() == 1)
    room.addBot()
    until(lambda: room.property("taken") == 4)
    room.removeBot(3)
    until(lambda: room.property("taken") == 3)
    room.moveUp(2)
    until(lambda: [each.name for each in ben.room_screen.face.seats[:3]] == ["Ana", "Ben", "Ada"])
    ben.room_screen.setReady(True)
    until(lambda: room.property("canStart"))
    room.begin()
    until(lambda: ben.table_screen.property("phase") == "playing")
    assert ana.room_screen.property("safetyHand") == ben.room_screen.property("safetyHand")
    assert len(ana.room_screen.property("safetyHand")) == 8
    play([ana, ben], lambda: ben.result_screen._rounds.rowCount() == 1)
    until(lambda: ben.result_screen.property("badge")["state"] == "verified")
    assert ben.result_screen.property("badge")["text"] == "Shuffle verified by 3 of 3 players"

    ana.back()
    assert ana.property("leaveQuestion").startswith(
        "Leave this game? There are only two of you: the match ends, and \u2068Ben\u2069 wins it."
    )
    ana.confirmLeave()
    until(lambda: ben.result_screen.property("matchOver"))
    until(lambda: not ana.playing.property("busy") and not ben.playing.property("busy"))
    assert ana.property("page") == "home"
    (kept,) = ben.home_folders.games.glob("*.lanuno")
    assert audit_bytes(kept.read_bytes()).verdict in (Verdict.VERIFIED, Verdict.INCOMPLETE)
