"""Tests of the end of the program: the window closes, even if a table does not end."""

from __future__ import annotations

import asyncio

import pytest

from lanuno.app.controllers import application
from lanuno.app.running import Running
from lanuno.bots.pace import BotPace
from lanuno.client.session import TableSession
from tests.app.waiting import until


def test_closing_the_window_ends_the_program(running: Running) -> None:
    ended: list[bool] = []
    running.app.ended.connect(lambda: ended.append(True))
    running.window.close()
    until(lambda: ended)


def test_the_program_ends_though_the_table_does_not(
    running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(_session: TableSession) -> None:
        await asyncio.Event().wait()

    ended: list[bool] = []
    monkeypatch.setattr(TableSession, "_leave_table", never)
    monkeypatch.setattr(application, "LEAVE_MS", 100)
    running.app.ended.connect(lambda: ended.append(True))
    running.app.session_controller.bot_pace = BotPace(move=60.0, uno=0.0)
    running.app.home_controller.practise(1)
    until(lambda: running.app.session_controller.game_file)
    running.app.end()
    until(lambda: ended)
    assert running.app.session_controller.session is not None
