"""Tests of the chat, its reactions, and the players and spectators whose messages are hidden."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, cast

import pytest
from PySide6.QtCore import Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.chat import ANNOUNCED_BURST, Speaker
from lanuno.app.running import Running
from lanuno.client.session import TableSession
from lanuno.table.messages import MAX_SPECTATORS, Reaction
from lanuno.table.outputs import ChatReceived, ReactionSeen, Spectator
from tests.app.pictures import scenes_table as scenes
from tests.app.user_input import click, find, press
from tests.app.waiting import until

ANA, BEN = Speaker(b"a", "Ana", False), Speaker(b"b", "Ben", False)
EVE, DAN = Spectator("Eve", b"e" * 32), Spectator("Dan", b"d" * 32)
BOT, CLEO = Speaker(b"o", "Ada", True), Speaker(b"c", "Cleo", False)


def heard(app: Application) -> list[str]:
    return [row.text for row in app.chat_controller._lines.rows]


def test_a_muted_player_stays_muted_in_another_seat(app: Application) -> None:
    chat = app.chat_controller
    chat.mine = 0
    chat.set_speakers([ANA, BEN, BOT])
    assert chat.property("people") == [{"key": b"b".hex(), "name": "Ben", "muted": False}]
    chat.setMuted(b"b".hex(), True)
    chat.add_line(ChatReceived("Ben", 1, "one"))
    chat.set_speakers([ANA, CLEO, BEN])
    assert chat.property("muted") == [2]
    chat.add_line(ChatReceived("Cleo", 1, "two"))
    chat.add_line(ChatReceived("Ben", 2, "three"))
    chat.add_line(ChatReceived("Somebody who watches", -1, "four", EVE.identity))
    chat.setMuted(b"b".hex(), False)
    chat.add_line(ChatReceived("Ben", 2, "five"))
    assert heard(app) == ["two", "four", "five"]
    chat.clear()
    assert chat.property("people") == []


def test_messages_are_hidden_from_the_table(running: Running) -> None:
    window, app = running.window, running.app
    assert isinstance(window, QQuickWindow)
    scenes.put(running, scenes.game(4))
    app.chat_controller.mine = 0
    app.chat_controller.set_speakers([ANA, BEN, BOT, CLEO])
    scenes.screen(running).setProperty("beside", "chat")
    click(window, "hideMessages")
    click(window, "entry1")
    assert app.chat_controller.property("muted") == [3]


def test_lines_of_spectators_say_so(app: Application, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(app, "announce", told.append)
    app.chat_controller.mine = 0
    app.chat_controller.set_speakers([ANA, BEN])
    app.chat_controller.add_line(ChatReceived("Eve", -1, "hi", EVE.identity))
    app.chat_controller.add_line(ChatReceived("Ben", 1, "hi"))
    assert [row.watching for row in app.chat_controller._lines.rows] == [True, False]
    assert ["watching" in text for text in told] == [True, False]


def test_a_spectator_stays_muted_under_another_name_and_connection(app: Application) -> None:
    chat = app.chat_controller
    chat.add_line(ChatReceived("Eve", -1, "one", EVE.identity))
    chat.setMuted(EVE.identity.hex(), True)
    chat.add_line(ChatReceived("Mallory", -1, "two", EVE.identity))
    chat.add_line(ChatReceived("Dan", -1, "three", DAN.identity))
    assert heard(app) == ["one", "three"]
    assert chat.property("spectators") == [
        {"key": EVE.identity.hex(), "name": "Mallory", "muted": True, "here": False},
        {"key": DAN.identity.hex(), "name": "Dan", "muted": False, "here": False},
    ]
    chat.setMuted(EVE.identity.hex(), False)
    chat.add_line(ChatReceived("Eve", -1, "four", EVE.identity))
    assert heard(app)[-1] == "four"


def test_only_the_newest_spectators_are_remembered(app: Application) -> None:
    for number in range(3 * MAX_SPECTATORS):
        app.chat_controller.add_line(
            ChatReceived(f"eve {number}", -1, "hi", number.to_bytes(32, "big"))
        )
    kept = cast(list[Any], app.chat_controller.property("spectators"))
    newest = range(2 * MAX_SPECTATORS, 3 * MAX_SPECTATORS)
    assert sorted(each["name"] for each in kept) == sorted(f"eve {each}" for each in newest)


class _Room:
    """A table session that records the requests of the chat."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    async def say(self, text: str) -> None:
        self.asked.append(text)

    async def react(self, reaction: Reaction) -> None:
        self.asked.append(reaction)

    async def send_away(self, identity: bytes) -> bool:
        self.asked.append(identity)
        return True

    async def let_in(self, identity: bytes) -> None:
        self.asked.append(("let in", identity))

    async def allow_spectators(self, allowed: bool) -> None:
        self.asked.append(allowed)


def test_the_host_sends_spectators_away_from_the_table(running: Running) -> None:
    window, app = running.window, running.app
    assert isinstance(window, QQuickWindow)
    scenes.put(running, scenes.game(4))
    chat, room = app.chat_controller, _Room()
    chat.session = cast(TableSession, room)
    running.app.chat_controller._bridge = cast(Any, _AtOnce())
    chat.mine = 0
    chat.set_speakers([ANA, BEN, BOT, CLEO])
    chat.set_hosting(True)
    chat.set_spectators((EVE, DAN))
    chat.add_line(ChatReceived("Eve", -1, "hi", EVE.identity))
    scenes.screen(running).setProperty("beside", "chat")
    # The entries mute two players and two spectators, and send away either spectator or all.
    for entry in (2, 4, 6):
        click(window, "hideMessages")
        click(window, f"entry{entry}")
    assert [one["muted"] for one in cast(list[Any], chat.property("spectators"))] == [True, False]
    assert room.asked == [EVE.identity, False]
    chat.set_spectators(())
    assert chat.property("sentAway") == [{"key": EVE.identity.hex(), "name": "Eve"}]
    click(window, "hideMessages")
    click(window, "entry4")
    assert room.asked == [EVE.identity, False, ("let in", EVE.identity)]
    assert chat.property("sentAway") == []
    click(window, "hideMessages")
    click(window, "entry3")
    assert room.asked[3:] == [True]
    chat.say(" hello ")
    assert room.asked[-1] == "hello"


def test_only_the_host_can_remove_spectators(running: Running) -> None:
    window, app = running.window, running.app
    assert isinstance(window, QQuickWindow)
    scenes.put(running, scenes.game(4))
    app.chat_controller.mine = 0
    app.chat_controller.set_speakers([ANA, BEN])
    app.chat_controller.add_line(ChatReceived("Eve", -1, "hi", EVE.identity))
    scenes.screen(running).setProperty("beside", "chat")
    panel = cast(Any, find(window, "hideMessages"))
    assert len(panel.property("entries").toVariant()) == 2


class _AtOnce:
    """A bridge that runs the work at once, in the same thread."""

    def run(self, work: Any, done: Callable[[Any], None] = lambda _: None) -> None:
        done(asyncio.run(work))


# ---- reactions --------------------------------------------------------------------------------


def flying(running: Running) -> list[tuple[int, str]]:
    """Return the drawn reactions: the seat and the word of each."""
    assert running.window is not None
    drawn = running.window.findChild(QQuickItem, "reactions")
    assert isinstance(drawn, QQuickItem)
    signs = drawn.childItems()[0].childItems()
    return [(each.property("seat"), each.property("text")) for each in signs]


def at_the_table(running: Running) -> Application:
    """Show a table of four, at which the own seat is the first and a bot the third."""
    scenes.put(running, scenes.game(4))
    app = running.app
    app.chat_controller.mine = 0
    app.chat_controller.set_speakers([ANA, BEN, BOT, CLEO])
    return app


def test_a_reaction_is_seen_and_said_once(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = at_the_table(running)
    told: list[str] = []
    monkeypatch.setattr(app, "announce", told.append)
    app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WELL_PLAYED))
    app.session_controller._receive(ReactionSeen("Ana", 0, Reaction.LAUGH))
    assert flying(running) == [(1, "Well played"), (0, "Ha ha")]
    assert told == ["\u2068Ben\u2069: Well played"], "one's own is not said"
    # A player's newest reaction replaces the one before.
    app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WOW))
    assert flying(running) == [(0, "Ha ha"), (1, "Wow")]
    assert heard(app) == [], "it stays nowhere"
    # It disappears by itself.
    until(lambda: not flying(running))


def test_no_more_reactions_are_drawn_than_can_be_looked_at(running: Running) -> None:
    scenes.put(running, scenes.game(10))
    for seat in range(10):
        running.app.session_controller._receive(
            ReactionSeen(f"player {seat}", seat, Reaction.OH_NO)
        )
    assert [seat for seat, _ in flying(running)] == [0, 1, 2, 3]


def test_a_jump_to_the_present_state_ends_the_reactions(running: Running) -> None:
    app = at_the_table(running)
    app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WOW))
    app.table_controller.jumped.emit()
    assert flying(running) == []


def test_hiding_messages_also_hides_reactions(running: Running) -> None:
    app = at_the_table(running)
    app.chat_controller.setMuted(app.chat_controller.speakers[1].identity.hex(), True)
    app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WOW))
    app.session_controller._receive(ReactionSeen("Cleo", 3, Reaction.WOW))
    assert flying(running) == [(3, "Wow")]


def test_reactions_can_be_turned_off(running: Running) -> None:
    app = at_the_table(running)
    window = running.window
    assert window is not None
    app.settings_controller.setProperty("reactions", False)
    try:
        app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WOW))
        assert flying(running) == []
        react = window.findChild(QQuickItem, "react")
        assert react is not None
        assert not react.isVisible()
    finally:
        app.settings_controller.setProperty("reactions", True)


def test_at_the_next_table_a_seat_may_be_that_of_another_player(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = at_the_table(running)
    told: list[str] = []
    monkeypatch.setattr(app, "announce", told.append)
    for _ in range(ANNOUNCED_BURST + 1):
        app.chat_controller.show_reaction(ReactionSeen("Ben", 1, Reaction.WOW))
    assert len(told) == ANNOUNCED_BURST
    app.chat_controller.start_rematch()
    app.chat_controller.set_speakers([ANA, CLEO, BEN])
    app.chat_controller.show_reaction(ReactionSeen("Cleo", 1, Reaction.WOW))
    assert told[ANNOUNCED_BURST:] == ["\u2068Cleo\u2069: Wow"]


def test_what_is_not_on_the_screen_is_not_said(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = at_the_table(running)
    told: list[str] = []
    monkeypatch.setattr(app, "announce", told.append)
    app.open("rules")
    app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WOW))
    assert told == []


def test_announced_reactions_are_limited(running: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen reader announces only some of many reactions, but the player's seat shows each."""
    app = at_the_table(running)
    told: list[str] = []
    seen: list[int] = []
    monkeypatch.setattr(app, "announce", told.append)
    app.chat_controller.reacted.connect(lambda seat, _symbol, _text: seen.append(seat))
    for _ in range(20):
        app.session_controller._receive(ReactionSeen("Ben", 1, Reaction.WOW))
    assert len(told) == ANNOUNCED_BURST
    assert all("Ben" in text for text in told)
    assert seen == [1] * 20


def test_a_reaction_is_chosen_by_keys_and_by_mouse(running: Running) -> None:
    app = at_the_table(running)
    window = running.window
    assert isinstance(window, QQuickWindow)
    room = _Room()
    app.chat_controller.session = cast(TableSession, room)
    app.chat_controller._bridge = cast(Any, _AtOnce())
    press(window, Qt.Key.Key_E)
    press(window, Qt.Key.Key_5)
    click(window, "react")
    click(window, "entry0")
    # The digits choose colours again.
    press(window, Qt.Key.Key_2)
    assert room.asked == [Reaction.HURRY, Reaction.THUMBS_UP]
    app.chat_controller.react(6)
    app.chat_controller.mine = None
    app.chat_controller.react(0)
    assert len(room.asked) == 2, "only a player has reactions, and there are six"
