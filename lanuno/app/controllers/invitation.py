"""A link from outside: asked about before anything is sent to where it leads.

A browser, a mail, a desktop file or a second start of the program hands over a link that the person
may never have seen. Until they agree nobody is connected to, no name is resolved, and the name and
the key of the player stay here.
"""

from __future__ import annotations

import logging
from typing import Final

from PySide6.QtCore import Property, QObject, Qt, QTimer, Signal, Slot

from lanuno.app.controllers.destinations import Destination, Destinations
from lanuno.app.controllers.fields import told
from lanuno.app.controllers.join import LONGEST, JoinController
from lanuno.app.controllers.playing import Playing
from lanuno.app.controllers.stage import Stage
from lanuno.app.reasons import net_problem
from lanuno.app.words import translate
from lanuno.cli.network import Place, place_of
from lanuno.cli.output import Failure
from lanuno.net.errors import Fault

_log = logging.getLogger(__name__)

READ_MS: Final = 1000
"""How long the question has to be there before an answer counts: it may come up under a click or a
key that was meant for something else, and a web page can choose the moment."""

NOTHING: Final = Destination("", "", "", "", "good", named=False)


class InvitationController(QObject):
    """For QML:

      asking: bool; ready: bool (an answer counts now); table, host, address, near, mood: str, as
        `Destination` says
    Slots: accept(), decline()
    """

    changed = Signal()

    def __init__(
        self, stage: Stage, playing: Playing, door: JoinController, destinations: Destinations
    ) -> None:
        """Nothing is asked."""
        super().__init__(stage)
        self._stage = stage
        self._playing = playing
        self._door = door
        self._destinations = destinations
        self._link = ""
        self._place: Place | None = None
        self._another = False
        self._ready = False
        self.face = NOTHING
        self._reading = QTimer(self)
        self._reading.setSingleShot(True)
        self._reading.setInterval(READ_MS)
        self._reading.timeout.connect(self._be_ready)
        stage.retranslated.connect(self._put_into_words)
        playing.busyChanged.connect(self._sat_down)

    def ask(self, link: str) -> None:
        """Ask whether this link is to be followed. One question at a time."""
        if self._at_a_table():
            self._refuse_at_table()
        elif self._place is not None:
            if not self._another:
                self._another = True
                self._stage.notice(
                    translate("Invitation", "Answer this question first, then open the link again.")
                )
        else:
            self._ask(link[:LONGEST].strip())

    def _ask(self, link: str) -> None:
        try:
            place = place_of(link)
        except Failure:
            place = None
        # Nobody has typed this: letters that only look like others are not even asked about.
        if place is None or not all(each.isascii() and each.isprintable() for each in place.hosts):
            self._stage.notice(net_problem(Fault.LINK), "error")
            return
        self._link, self._place, self._another = link, place, False
        self.face = self._destinations.of(place)
        _log.info("a link from outside is asked about")
        self._read()
        self._announce()

    def _announce(self) -> None:
        face = self.face
        question = translate("Invitation", "Join the table of this link?")
        text = self._stage.texts((question, face.near, face.table, face.host, face.address))
        self._stage.announce(text, urgent=True)

    def look_again(self) -> None:
        """Something was heard on the network: perhaps the name of the table, which then stays."""
        if self._place is not None and not self.face.named:
            face = self._destinations.of(self._place)
            if face.named:
                self.face = face
                # What the question says is another: it is to be read before it is answered.
                self._read()

    def seen(self, state: Qt.ApplicationState) -> None:
        """The click that brought the window to the front is no answer."""
        if self._place is not None and state is Qt.ApplicationState.ApplicationActive:
            self._read()

    def _read(self) -> None:
        self._ready = False
        self._reading.start()
        self.changed.emit()

    def _be_ready(self) -> None:
        self._ready = self._place is not None
        self.changed.emit()

    def _put_into_words(self) -> None:
        if self._place is not None:
            self.face = self._destinations.of(self._place)
            self.changed.emit()

    def _at_a_table(self) -> bool:
        return self._playing.plays

    def _sat_down(self) -> None:
        """Somewhere else, where a rematch began for example."""
        if self._place is not None and self._at_a_table():
            self._withdraw()
            self._refuse_at_table()

    def _refuse_at_table(self) -> None:
        text = translate("Application", "Leave this table first, then open the link again.")
        self._stage.notice(text, "error")

    def _withdraw(self) -> None:
        self._reading.stop()
        self._link, self._place, self._ready = "", None, False
        self.face = NOTHING
        self.changed.emit()

    @Slot()
    def accept(self) -> None:
        """Go there."""
        if self._ready:
            link = self._link
            self._withdraw()
            self._door.follow(link)

    @Slot()
    def decline(self) -> None:
        """Forget the link: nothing of it was sent anywhere."""
        if self._ready:
            self._withdraw()

    def _get_asking(self) -> bool:
        return self._place is not None

    def _get_ready(self) -> bool:
        return self._ready

    asking = Property(bool, _get_asking, notify=changed)
    ready = Property(bool, _get_ready, notify=changed)
    table = told(str, "table", changed)
    host = told(str, "host", changed)
    address = told(str, "address", changed)
    near = told(str, "near", changed)
    mood = told(str, "mood", changed)
