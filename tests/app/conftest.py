"""Fixtures of the app's tests: one Qt application without a display, windows and controllers.

A test fails if Qt or QML emits a message. It also fails on an exception in the event loop, which
pytest-qt reports.
"""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

os.environ["QT_QPA_PLATFORM"] = "offscreen"
os.environ["QT_QUICK_BACKEND"] = "software"
# Tests that run on a desktop must not show notifications there.
os.environ["DBUS_SESSION_BUS_ADDRESS"] = "disabled:"

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication
from PySide6.QtQuick import QQuickWindow
from PySide6.QtQuickControls2 import QQuickStyle

from lanuno.app.bridge import Bridge
from lanuno.app.collector import Collector
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.pacer import Pacer
from lanuno.app.loop import LoopThread
from lanuno.app.running import Running
from lanuno.bots.pace import BotPace
from lanuno.rules.engine.actions import Action
from lanuno.store.paths import Home
from lanuno.store.profile import rename
from tests.app.network import AppFactory
from tests.app.pictures.render import QT_ABOUT_ITSELF, SMALL
from tests.app.waiting import settle


@pytest.fixture(scope="session")
def qapp_cls() -> type[QGuiApplication]:
    """The class that pytest-qt creates. The app has no widgets."""
    return QGuiApplication


@pytest.fixture(scope="session")
def qt(qapp: QGuiApplication) -> QGuiApplication:
    """The one application object that a process may have."""
    qapp.setQuitOnLastWindowClosed(False)
    QQuickStyle.setStyle("Basic")
    return qapp


@pytest.fixture(autouse=True)
def no_qt_message(qt: QGuiApplication) -> Iterator[None]:
    """Fail a test if Qt or QML emits a message before its last window has closed."""
    said: list[str] = []

    def hear(_kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
        if text not in QT_ABOUT_ITSELF:
            said.append(f"{text} ({context.file}:{context.line})")

    qInstallMessageHandler(hear)
    try:
        yield
        settle()
    finally:
        qInstallMessageHandler(None)
    assert said == []


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """The folders of a player."""
    return Home.at(tmp_path / "home")


@pytest.fixture
def opened(home: Home) -> Iterator[Callable[[], Running]]:
    """Return a function that opens apps in these folders; close all of them at the end."""
    all_running: list[Running] = []

    def start() -> Running:
        running = Running(home, language="en")
        running.app.table_controller.round_end_seconds = 0
        running.app.table_controller.challenge_waits = False
        running.app.room_controller.comparing_seconds = 0
        all_running.append(running)
        return running

    yield start
    for running in all_running:
        running.close()


@pytest.fixture
def running(opened: Callable[[], Running]) -> Running:
    """One app, with its window."""
    return opened()


@pytest.fixture
def window(running: Running) -> QQuickWindow:
    """The window of this app, at its smallest size and without animation."""
    assert isinstance(running.window, QQuickWindow)
    running.app.settings_controller.change("motion", 0.0)
    running.window.resize(*SMALL)
    settle()
    return running.window


@pytest.fixture
def done(running: Running) -> list[Action]:
    """The acts that the player requests at this app's table."""
    acts: list[Action] = []
    running.app.table_controller.acted.connect(acts.append)
    return acts


@pytest.fixture
def make_app(qt: QGuiApplication) -> Iterator[Callable[[Home], Application]]:
    """Return a function that makes controllers without a window, and without delays.

    Bots act quickly, snapshots are shown immediately, and an answer to a link counts immediately.
    """
    made: list[tuple[Application, LoopThread]] = []
    collector = Collector()

    def make(folders: Home) -> Application:
        loop = LoopThread()
        loop.start()
        bridge = Bridge(loop)
        app = Application(folders, bridge)
        bridge.failed.connect(lambda error: sys.excepthook(type(error), error, error.__traceback__))
        table = app.table_controller
        table.pacer = Pacer(table.show, table, gap=0, holds=table.pacer.holds)
        table.round_end_seconds = 0
        table.challenge_waits = False
        table.chance = lambda _below: 0
        app.session_controller.bot_pace = BotPace(move=0.01, uno=0.0)
        app.invitation_controller._ready_timer.setInterval(0)
        app.room_controller._ready_timer.setInterval(0)
        app.room_controller.comparing_seconds = 0
        made.append((app, loop))
        return app

    yield make
    for app, loop in made:
        app.close()
        loop.close()
    collector.close()


@pytest.fixture
def app(make_app: Callable[[Home], Application], home: Home) -> Application:
    """Controllers without a window, for the player of `home`."""
    return make_app(home)


@pytest.fixture
def english(app: Application) -> Application:
    """The controllers of `app`, in English."""
    app.settings_controller.change("language", "en")
    return app


@pytest.fixture
def app_of(make_app: Callable[[Home], Application], tmp_path: Path) -> AppFactory:
    """Return a function that makes a named player's app, in English, on loopback alone."""

    def make(name: str) -> Application:
        home = Home.at(tmp_path / name)
        home.create()
        rename(home, name)
        app = make_app(home)
        app.settings_controller.change("language", "en")
        app.settings_controller.change("adapter", "lo")
        return app

    return make


@pytest.fixture
def table_name() -> str:
    """A table name that no other test uses."""
    return f"T {secrets.token_hex(4)}"
