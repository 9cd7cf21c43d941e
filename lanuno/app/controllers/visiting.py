"""On the way to somebody else's table: from a click to the waiting room, or to why not.

Which table is meant is decided by the page that was clicked on; what happens at the table is the
work of `Playing`.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from lanuno.app.controllers.memory import Memory
from lanuno.app.controllers.playing import Playing, Trouble
from lanuno.app.controllers.stage import Stage
from lanuno.app.pins import Pins, TableKey
from lanuno.app.words import translate
from lanuno.app.worker.follower import Reached
from lanuno.app.worker.joining import JoinedTable, Visit
from lanuno.store.remembered import KnownPlace
from lanuno.table.messages import LobbyRefusal


class Visiting(QObject):
    """One visit at a time."""

    changed = Signal()
    arrived = Signal()
    """A visit, or anything else, has led to a table."""

    def __init__(self, stage: Stage, playing: Playing, memory: Memory) -> None:
        """Nobody goes anywhere."""
        super().__init__(stage)
        self._stage = stage
        self._playing = playing
        self._memory = memory
        self.page = ""
        """The page from which it began, which shows how it goes."""
        self.key = ""
        """What that page calls the table."""
        self.name = ""
        self.busy = False
        self.error = ""
        self.pin_wanted = ""
        """`key` of a table that asks for a PIN."""
        self.asked_by: TableKey | None = None
        """The table that asked for a PIN last: what is answered is for no other."""
        self.pins = Pins()
        self._visit: Visit | None = None
        """The newest, until it has been decided."""
        playing.arrived.connect(self._arrived)
        playing.reached.connect(self._reached)
        stage.retranslated.connect(self.forget)

    def go(self, visit: Visit, *, name: str, key: str) -> None:
        """Go there."""
        self.page, self.key, self.name = self._stage.property("page"), key, name
        self.error, self.pin_wanted, self.busy, self._visit = "", "", True, visit
        self.changed.emit()
        self._playing.sit(
            partial(JoinedTable, self._stage.home_folders, visit),
            port=visit.port,
            watching=visit.watch,
            on_trouble=partial(self._failed, visit),
            on_given_up=partial(self._given_up, visit),
        )

    def ask_pin(self, key: str, name: str, table: TableKey) -> None:
        """Before going there a PIN has to be given."""
        self.page, self.key, self.name = self._stage.property("page"), key, name
        self.error, self.pin_wanted, self.busy = "", key, False
        self.asked_by = table
        self.changed.emit()

    def forget(self) -> None:
        """What went wrong is of no interest any more."""
        if not self.busy:
            self.error = self.pin_wanted = ""
            self.changed.emit()

    def cancel(self) -> None:
        """Do not go there after all."""
        if self.busy:
            self.busy, self._visit = False, None
            self._playing.leave()
        self.forget()

    def _arrived(self) -> None:
        if not self.busy:
            # Somewhere else.
            self._visit = None
        self.busy = False
        self.error = self.pin_wanted = ""
        self.asked_by = None
        self.changed.emit()
        self.arrived.emit()

    def _failed(self, visit: Visit, trouble: Trouble) -> None:
        if not self.busy:
            return
        self.busy, self._visit = False, None
        self.error = trouble.text
        if trouble.refusal is LobbyRefusal.WRONG_PIN:
            self.pin_wanted = self.key
            self._asked_by(trouble.reached)
            if not visit.pin:
                self.error = translate("Visiting", "This table needs a PIN. Ask the host for it.")
        self.changed.emit()
        self._stage.announce(self.error, urgent=True)

    def _given_up(self, visit: Visit) -> None:
        if visit is self._visit:
            self.busy, self._visit = False, None
            self.changed.emit()

    def _asked_by(self, reached: Reached | None) -> None:
        if reached is not None:
            self.asked_by = (reached.context, reached.fingerprint)
            self.pins.forget(self.asked_by)

    def _reached(self, reached: Reached, host: str) -> None:
        """Where somebody hosts: to look there where nothing is heard by itself."""
        visit, self._visit = self._visit, None
        if visit is not None and visit.pin:
            self.pins.keep((reached.context, reached.fingerprint), visit.pin)
        self._memory.met(
            KnownPlace(
                host=reached.address,
                port=reached.port,
                fingerprint=reached.fingerprint,
                name=host,
            )
        )
