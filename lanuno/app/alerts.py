"""Alerts for a player who looks elsewhere: a flashing task bar entry and desktop notifications.

All of them go through `Alerts.call`. Their texts never contain text from outside, because some
desktops interpret markup in notifications. Alerts never carry information on their own.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Callable
from typing import Any, Final, Protocol

from PySide6.QtCore import SLOT, QObject, QProcess, Qt, Signal, Slot

from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.texts import translate

try:
    from PySide6.QtDBus import (
        QDBusConnection,
        QDBusMessage,
        QDBusPendingCall,
        QDBusPendingCallWatcher,
    )
except ImportError:  # a system without D-Bus, or a bundle without that part of Qt
    HAS_BUS = False
else:
    HAS_BUS = True

_log = logging.getLogger(__name__)

SERVICE: Final = "org.freedesktop.portal.Desktop"
PATH: Final = "/org/freedesktop/portal/desktop"
INTERFACE: Final = "org.freedesktop.portal.Notification"
ACTION: Final = "show"
"""The action of a click on a notification: the window comes to the front."""
DESKTOP_ANSWER_MS: Final = 3000
"""Time limit for an answer of the desktop; no code waits for it."""

Start = Callable[[str, list[str]], bool]


class Desktop(Protocol):
    """A service that shows notifications."""

    def show(self, tag: str, title: str, text: str) -> None:
        """Show a notification, in place of an earlier one with this tag."""

    def hide(self, tag: str) -> None:
        """Remove the notification with this tag, because it has been seen."""


def _start(program: str, arguments: list[str]) -> bool:
    return bool(QProcess.startDetached(program, arguments)[0])


class PortalDesktop(QObject):
    """Notifications by the desktop portal on the session's D-Bus, or else by `notify-send`."""

    chosen = Signal()
    """A notification was clicked."""

    def __init__(self, parent: QObject | None = None, start: Start = _start) -> None:
        """Connect to nothing before the first notification."""
        super().__init__(parent)
        self._start = start
        self._listening = False
        self._waiting: list[QDBusPendingCallWatcher] = []
        self._without_portal = not HAS_BUS

    def show(self, tag: str, title: str, text: str) -> None:
        """Show a notification, in place of an earlier one with this tag."""
        if self._without_portal or not QDBusConnection.sessionBus().isConnected():
            self._by_command(title, text)
            return
        self._listen()
        watcher = QDBusPendingCallWatcher(self.send(show_message(tag, title, text)), self)
        self._waiting.append(watcher)

        def answered() -> None:
            if watcher not in self._waiting:
                return
            self._waiting.remove(watcher)
            if watcher.isError():
                _log.info("no notification by the portal: %s", watcher.error().message())
                self._without_portal = True
                self._by_command(title, text)
            # The watcher stays a child of this object: deleting it here, within its own signal,
            # crashed the program (measured).

        watcher.finished.connect(answered)
        if watcher.isFinished():  # the call failed before it was sent
            answered()

    def _listen(self) -> None:
        """Subscribe to clicks, at the first notification."""
        if not self._listening:
            self._listening = True
            slot: Any = SLOT("clicked(QDBusMessage)")  # a str, contrary to the stubs
            bus = QDBusConnection.sessionBus()
            bus.connect(SERVICE, PATH, INTERFACE, "ActionInvoked", self, slot)

    @Slot("QDBusMessage")
    def clicked(self, message: QDBusMessage) -> None:
        """Handle the portal's report of a click on a notification of this program."""
        if ACTION in message.arguments():
            self.chosen.emit()

    def hide(self, tag: str) -> None:
        """Remove the notification with this tag, because it has been seen."""
        if not self._without_portal and QDBusConnection.sessionBus().isConnected():
            self.send(hide_message(tag))

    def send(self, message: QDBusMessage) -> QDBusPendingCall:
        """Send a message on the session bus, without waiting for the answer."""
        return QDBusConnection.sessionBus().asyncCall(message, DESKTOP_ANSWER_MS)

    def _by_command(self, title: str, text: str) -> None:
        program = shutil.which("notify-send")
        if program is not None:
            self._start(program, ["--app-name=LanUNO", "--icon=lanuno", "--", title, text])


def show_message(tag: str, title: str, text: str) -> QDBusMessage:
    """Return the call that shows a notification.

    It is `AddNotification` of org.freedesktop.portal.Notification, version 1.
    """
    message = QDBusMessage.createMethodCall(SERVICE, PATH, INTERFACE, "AddNotification")
    shown = {"title": title, "body": text, "priority": "high", "default-action": ACTION}
    message.setArguments([tag, shown])
    return message


def hide_message(tag: str) -> QDBusMessage:
    """Return the call that removes a notification."""
    message = QDBusMessage.createMethodCall(SERVICE, PATH, INTERFACE, "RemoveNotification")
    message.setArguments([tag])
    return message


class Alerts(QObject):
    """Alerts the player while the window is not in front."""

    def __init__(
        self, navigator: Navigator, settings: SettingsController, desktop: Desktop
    ) -> None:
        """`desktop` is used only if the settings allow notifications."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self._desktop = desktop
        self._shown: set[str] = set()

    def your_turn(self) -> None:
        """Alert the player that it is their turn."""
        self.call("turn", translate("Alerts", "It is your turn."))

    def call(self, tag: str, text: str) -> None:
        """Flash in the task bar and show a notification, unless the window is in front."""
        window = self._navigator.window
        if window is None or window.isActive():
            return
        window.alert(0)
        if self._settings.values.notifications:
            self._shown.add(tag)
            self._desktop.show(tag, "LanUNO", text)

    def application_state_changed(self, state: Qt.ApplicationState) -> None:
        """Remove the notifications when the program comes to the front."""
        if state is Qt.ApplicationState.ApplicationActive:
            for tag in sorted(self._shown):
                self._desktop.hide(tag)
            self._shown.clear()
