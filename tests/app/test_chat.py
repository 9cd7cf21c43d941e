"""Tests of the chat: whose messages are hidden stays so wherever that player sits."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest
from PySide6.QtQuick import QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.chat import Speaker
from lanuno.app.running import Running
from lanuno.app.worker.follower import ChatSaid
from lanuno.app.worker.sitting import Sitting
from lanuno.table.lobby import MAX_SPECTATORS
from lanuno.table.outputs import Spectator
from tests.app.pictures import scenes_table as scenes
from tests.app.pointing import click, find

ANA, BEN = Speaker(b"a", "Ana", False), Speaker(b"b", "Ben", False)
EVE, DAN = Spectator("Eve", b"e" * 32), Spectator("Dan", b"d" * 32)
BOT, CLEO = Speaker(b"o", "Ada", True), Speaker(b"c", "Cleo", False)


def heard(app: Application) -> list[str]:
    return [row.text for row in app.talk._lines.rows]


def test_whoever_is_muted_stays_so_at_another_place(desk: Application) -> None:
    talk = desk.talk
    talk.mine = 0
    talk.meet([ANA, BEN, BOT])
    assert talk.property("people") == [{"seat": 1, "name": "Ben", "muted": False}]
    talk.setMuted(1, True)
    talk.setMuted(7, True)
    talk.hear(ChatSaid("Ben", 1, "one"))
    talk.meet([ANA, CLEO, BEN])
    assert talk.property("muted") == [2]
    talk.hear(ChatSaid("Cleo", 1, "two"))
    talk.hear(ChatSaid("Ben", 2, "three"))
    talk.hear(ChatSaid("Somebody who watches", -1, "four", EVE.identity))
    talk.setMuted(2, False)
    talk.hear(ChatSaid("Ben", 2, "five"))
    assert heard(desk) == ["two", "four", "five"]
    talk.clear()
    assert talk.property("people") == []


def test_messages_are_hidden_from_the_table(running: Running) -> None:
    window, app = running.window, running.app
    assert isinstance(window, QQuickWindow)
    scenes.put(running, scenes.game(4))
    app.talk.mine = 0
    app.talk.meet([ANA, BEN, BOT, CLEO])
    scenes.screen(running).setProperty("beside", "chat")
    click(window, "hideMessages")
    click(window, "entry1")
    assert app.talk.property("muted") == [3]


def test_lines_of_spectators_say_so(desk: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(desk, "announce", told.append)
    desk.talk.mine = 0
    desk.talk.meet([ANA, BEN])
    desk.talk.hear(ChatSaid("Eve", -1, "hi", EVE.identity))
    desk.talk.hear(ChatSaid("Ben", 1, "hi"))
    assert [row.watching for row in desk.talk._lines.rows] == [True, False]
    assert ["watching" in text for text in told] == [True, False]


def test_a_spectator_stays_muted_under_another_name_and_connection(desk: Application) -> None:
    talk = desk.talk
    talk.hear(ChatSaid("Eve", -1, "one", EVE.identity))
    talk.muteSpectator(EVE.identity.hex(), True)
    talk.hear(ChatSaid("Mallory", -1, "two", EVE.identity))
    talk.hear(ChatSaid("Dan", -1, "three", DAN.identity))
    assert heard(desk) == ["one", "three"]
    assert talk.property("spectators") == [
        {"key": EVE.identity.hex(), "name": "Mallory", "muted": True, "here": False},
        {"key": DAN.identity.hex(), "name": "Dan", "muted": False, "here": False},
    ]
    talk.muteSpectator(EVE.identity.hex(), False)
    talk.hear(ChatSaid("Eve", -1, "four", EVE.identity))
    assert heard(desk)[-1] == "four"


def test_who_said_something_is_not_remembered_without_end(desk: Application) -> None:
    for number in range(3 * MAX_SPECTATORS):
        desk.talk.hear(ChatSaid(f"eve {number}", -1, "hi", number.to_bytes(32, "big")))
    assert len(cast(list[Any], desk.talk.property("spectators"))) == MAX_SPECTATORS


class _Room:
    """What is asked of a table."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    async def say(self, text: str) -> None:
        self.asked.append(text)

    async def send_spectator_away(self, identity: bytes) -> None:
        self.asked.append(identity)

    async def allow_spectators(self, allowed: bool) -> None:
        self.asked.append(allowed)


def test_the_host_sends_spectators_away_from_the_table(running: Running) -> None:
    window, app = running.window, running.app
    assert isinstance(window, QQuickWindow)
    scenes.put(running, scenes.game(4))
    talk, room = app.talk, _Room()
    talk.sitting = cast(Sitting, room)
    running.app.talk._bridge = cast(Any, _AtOnce())
    talk.mine = 0
    talk.meet([ANA, BEN, BOT, CLEO])
    talk.hosts(True)
    talk.watched((EVE, DAN))
    talk.hear(ChatSaid("Eve", -1, "hi", EVE.identity))
    scenes.screen(running).setProperty("beside", "chat")
    # Two players and two spectators to mute, two to send away, and all of them.
    for entry in (2, 4, 6):
        click(window, "hideMessages")
        click(window, f"entry{entry}")
    assert [one["muted"] for one in cast(list[Any], talk.property("spectators"))] == [True, False]
    assert room.asked == [EVE.identity, False]
    talk.watched(())
    click(window, "hideMessages")
    click(window, "entry3")
    assert room.asked == [EVE.identity, False, True]
    talk.say(" hello ")
    assert room.asked[-1] == "hello"


def test_nobody_but_the_host_can_send_away(running: Running) -> None:
    window, app = running.window, running.app
    assert isinstance(window, QQuickWindow)
    scenes.put(running, scenes.game(4))
    app.talk.mine = 0
    app.talk.meet([ANA, BEN])
    app.talk.hear(ChatSaid("Eve", -1, "hi", EVE.identity))
    scenes.screen(running).setProperty("beside", "chat")
    panel = cast(Any, find(window, "hideMessages"))
    assert len(panel.property("entries").toVariant()) == 2


class _AtOnce:
    """Instead of another thread."""

    def run(self, work: Any) -> None:
        asyncio.run(work)
