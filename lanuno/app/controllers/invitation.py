"""A link from outside: the user is asked before anything is sent to its destination.

A browser, a mail, a desktop file or a second start of the program hands over a link that the user
may never have seen. Until the user agrees, the program connects to nothing, resolves no name, and
sends neither the name nor the key of the player.
"""

from __future__ import annotations

import logging
from operator import attrgetter
from typing import Final

from PySide6.QtCore import Property, QObject, Qt, QTimer, Signal, Slot

from lanuno.app.controllers.destinations import Destination, Destinations
from lanuno.app.controllers.fields import view_property
from lanuno.app.controllers.join import LONGEST_LINK, JoinController
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.session_controller import SessionController
from lanuno.app.problem_texts import net_problem
from lanuno.app.texts import translate
from lanuno.client.places import InvalidPlace, TablePlace, parse_place
from lanuno.net.errors import NetFault

_log = logging.getLogger(__name__)

ANSWER_DELAY_MS: Final = 1000
"""How long the question has to be visible before an answer counts: it may appear under a click or
a key that was meant for something else, and a web page can choose that moment."""

NO_DESTINATION: Final = Destination("", "", "", "", "good", named=False)


class InvitationController(QObject):
    """The question about a link, for QML.

      asking: bool; ready: bool (an answer counts now); table, host, address, near, mood: str, the
        fields of `Destination`
    Slots: accept(), decline()
    """

    changed = Signal()

    def __init__(
        self,
        navigator: Navigator,
        sessions: SessionController,
        join_controller: JoinController,
        destinations: Destinations,
    ) -> None:
        """Begin without a question."""
        super().__init__(navigator)
        self._navigator = navigator
        self._sessions = sessions
        self._join_controller = join_controller
        self._destinations = destinations
        self._link = ""
        self._place: TablePlace | None = None
        self._told_to_wait = False
        self._ready = False
        self.view = NO_DESTINATION
        self._ready_timer = QTimer(self)
        self._ready_timer.setSingleShot(True)
        self._ready_timer.setInterval(ANSWER_DELAY_MS)
        self._ready_timer.timeout.connect(self._be_ready)
        navigator.retranslated.connect(self.describe_again)
        sessions.busyChanged.connect(self._session_changed)

    def ask(self, link: str) -> None:
        """Ask whether to follow this link. One question at a time."""
        if self._sessions.is_playing:
            self._refuse_at_table()
        elif self._place is not None:
            if not self._told_to_wait:
                self._told_to_wait = True
                self._navigator.notice(
                    translate("Invitation", "Answer this question first, then open the link again.")
                )
        else:
            self._ask(link[:LONGEST_LINK].strip())

    def _ask(self, link: str) -> None:
        try:
            place = parse_place(link)
        except InvalidPlace:
            place = None
        # The user has not typed this, so letters that only look like others are refused.
        if place is None or not all(each.isascii() and each.isprintable() for each in place.hosts):
            self._navigator.notice(net_problem(NetFault.LINK), "error")
            return
        self._link, self._place, self._told_to_wait = link, place, False
        self.view = self._destinations.describe(place)
        _log.info("a link from outside is asked about")
        self._restart_reading()
        view, question = self.view, translate("Invitation", "Join the table of this link?")
        text = " ".join((question, view.near, view.table, view.host, view.address))
        self._navigator.announce(text, urgent=True)

    def refresh(self) -> None:
        """Ask again once discovery knows the name of the table, which stays from then on."""
        if self._place is not None and not self.view.named:
            view = self._destinations.describe(self._place)
            if view.named:
                self.view = view
                # The text has changed, and is to be read before it is answered.
                self._restart_reading()

    def describe_again(self) -> None:
        """Say what is known of the table now, in the present language."""
        if self._place is not None:
            self.view = self._destinations.describe(self._place)
            self._restart_reading()

    def application_state_changed(self, state: Qt.ApplicationState) -> None:
        """Start the delay again: the click that brought the window to the front is no answer."""
        if self._place is not None and state is Qt.ApplicationState.ApplicationActive:
            self._restart_reading()

    def _restart_reading(self) -> None:
        self._ready = False
        self._ready_timer.start()
        self.changed.emit()

    def _be_ready(self) -> None:
        self._ready = self._place is not None
        self.changed.emit()

    def _session_changed(self) -> None:
        """Withdraw the question when a table is entered, for example by a rematch."""
        if self._place is not None and self._sessions.is_playing:
            self._withdraw()
            self._refuse_at_table()

    def _refuse_at_table(self) -> None:
        text = translate("Application", "Leave this table first, then open the link again.")
        self._navigator.notice(text, "error")

    def _withdraw(self) -> None:
        self._ready_timer.stop()
        self._link, self._place, self._ready = "", None, False
        self.view = NO_DESTINATION
        self.changed.emit()

    @Slot()
    def accept(self) -> None:
        """Follow the link."""
        if self._ready:
            link = self._link
            self._withdraw()
            self._join_controller.follow(link)

    @Slot()
    def decline(self) -> None:
        """Forget the link. Nothing was sent to its destination."""
        if self._ready:
            self._withdraw()

    def _get_asking(self) -> bool:
        return self._place is not None

    asking = Property(bool, _get_asking, notify=changed)
    ready = Property(bool, attrgetter("_ready"), notify=changed)
    table = view_property(str, "table", changed)
    host = view_property(str, "host", changed)
    address = view_property(str, "address", changed)
    near = view_property(str, "near", changed)
    mood = view_property(str, "mood", changed)
