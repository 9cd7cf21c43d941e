"""Joining another host's table: from a click to the waiting room, or to the reason for a failure.

The page with the click chooses the table; `SessionController` does the rest.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from lanuno.app.controllers.app_state import SavedAppState
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.session_controller import (
    SessionController,
    SessionOptions,
    SessionProblem,
)
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.pins import Pins, TableKey
from lanuno.app.texts import translate
from lanuno.client.events import HostReached
from lanuno.client.places import TablePlace
from lanuno.client.requests import JoinRequest, clean_pin
from lanuno.client.session import TableSession
from lanuno.store.app_state import KnownPlace
from lanuno.table.messages import LobbyRefusal


class Visiting(QObject):
    """The way to another host's table; one visit at a time."""

    changed = Signal()
    arrived = Signal()
    """A table was entered, by a visit or in any other way."""

    def __init__(
        self,
        navigator: Navigator,
        settings: SettingsController,
        sessions: SessionController,
        app_state: SavedAppState,
    ) -> None:
        """Begin no visit yet."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self._sessions = sessions
        self._app_state = app_state
        self.page = ""
        """The page on which the visit began, which shows its progress."""
        self.key = ""
        """The id of the table on that page."""
        self.name = ""
        self.busy = False
        self.error = ""
        self.pin_wanted = ""
        """The `key` of a table that asks for a PIN."""
        self.asked_by: TableKey | None = None
        """The table that last asked for a PIN. A PIN that is typed then is for no other table."""
        self.pins = Pins()
        self._request: JoinRequest | None = None
        """The newest request, until its outcome is known."""
        sessions.arrived.connect(self._arrived)
        sessions.reached.connect(self._reached)
        navigator.retranslated.connect(self.forget)

    def begin(self, place: TablePlace, *, pin: str, watch: bool, name: str, key: str) -> None:
        """Begin a visit to a table."""
        request = JoinRequest(
            place=place,
            # What cannot be a PIN is a wrong one, not none.
            pin=clean_pin(pin) or pin,
            watch=watch,
            adapter=self._settings.values.adapter,
            slow_clock=self._settings.values.slow_clock,
            avatar=self._settings.values.avatar,
            stays_for_rematch=True,
        )
        self.page, self.key, self.name = self._navigator.property("page"), key, name
        self.error, self.pin_wanted, self.busy, self._request = "", "", True, request
        self.changed.emit()
        self._sessions.start_session(
            partial(TableSession, self._navigator.home_folders, request),
            SessionOptions(
                port=place.port,
                watching=watch,
                on_problem=partial(self._failed, request),
                on_abandoned=partial(self._abandoned, request),
            ),
        )

    def ask_pin(self, key: str, name: str, table: TableKey) -> None:
        """Ask the user for the PIN of a table before going there."""
        self.page, self.key, self.name = self._navigator.property("page"), key, name
        self.error, self.pin_wanted, self.busy = "", key, False
        self.asked_by = table
        self.changed.emit()

    def forget(self) -> None:
        """Remove the error, unless a visit is under way."""
        if not self.busy:
            self.error = self.pin_wanted = ""
            self.changed.emit()

    def cancel(self) -> None:
        """Break off the visit."""
        if self.busy:
            self.busy, self._request = False, None
            self._sessions.leave()
        self.forget()

    def _arrived(self) -> None:
        if not self.busy:
            # The table was entered in another way.
            self._request = None
        self.busy = False
        self.error = self.pin_wanted = ""
        self.asked_by = None
        self.changed.emit()
        self.arrived.emit()

    def _failed(self, request: JoinRequest, problem: SessionProblem) -> None:
        if not self.busy:
            return
        self.busy, self._request = False, None
        self.error = problem.text
        if problem.refusal in (LobbyRefusal.WRONG_PIN, LobbyRefusal.NO_PIN):
            self.pin_wanted = self.key if problem.refusal is LobbyRefusal.WRONG_PIN else ""
            if problem.reached is not None:
                self.asked_by = (problem.reached.context, problem.reached.fingerprint)
                self.pins.forget(self.asked_by)
            if not request.pin:
                self.error = translate("Visiting", "This table needs a PIN. Ask the host for it.")
        self.changed.emit()
        self._navigator.announce(self.error, urgent=True)

    def _abandoned(self, request: JoinRequest) -> None:
        if request is self._request:
            self.busy, self._request = False, None
            self.changed.emit()

    def _reached(self, reached: HostReached, host: str) -> None:
        """Remember the host's address, for networks where no adverts arrive."""
        request, self._request = self._request, None
        if request is not None and request.pin:
            self.pins.remember((reached.context, reached.fingerprint), request.pin)
        self._app_state.remember_host(
            KnownPlace(
                host=reached.address,
                port=reached.port,
                fingerprint=reached.fingerprint,
                name=host,
            )
        )
