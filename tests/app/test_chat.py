"""Tests of the chat: whose messages are hidden stays so wherever that player sits."""

from __future__ import annotations

from PySide6.QtQuick import QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.chat import Speaker
from lanuno.app.running import Running
from lanuno.app.worker.follower import ChatSaid
from tests.app.pictures import scenes_table as scenes
from tests.app.pointing import click

ANA, BEN = Speaker(b"a", "Ana", False), Speaker(b"b", "Ben", False)
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
    talk.hear(ChatSaid("Somebody who watches", -1, "four"))
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
