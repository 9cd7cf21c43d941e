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
from lanuno.app.words import translate
from lanuno.app.worker.follower import Reached
from lanuno.app.worker.joining import JoinedTable, Visit
from lanuno.store.remembered import KnownPlace
from lanuno.table.messages import LobbyRefusal


class Visiting(QObject):
    """One visit at a time."""

    changed = Signal()

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
        self._visit: Visit | None = None
        """The newest."""
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

    def ask_pin(self, key: str, name: str) -> None:
        """Before going there a PIN has to be given."""
        self.page, self.key, self.name = self._stage.property("page"), key, name
        self.error, self.pin_wanted, self.busy = "", key, False
        self.changed.emit()

    def forget(self) -> None:
        """What went wrong is of no interest any more."""
        if not self.busy:
            self.error = self.pin_wanted = ""
            self.changed.emit()

    def cancel(self) -> None:
        """Do not go there after all."""
        if self.busy:
            self.busy = False
            self._playing.leave()
        self.forget()

    def _arrived(self) -> None:
        self.busy = False
        self.error = self.pin_wanted = ""
        self.changed.emit()

    def _failed(self, visit: Visit, trouble: Trouble) -> None:
        if not self.busy:
            return
        self.busy = False
        self.error = trouble.text
        if trouble.refusal is LobbyRefusal.WRONG_PIN:
            self.pin_wanted = self.key
            if not visit.pin:
                self.error = translate("Visiting", "This table asks for a PIN. Its host knows it.")
        self.changed.emit()
        self._stage.announce(self.error, urgent=True)

    def _given_up(self, visit: Visit) -> None:
        if visit is self._visit:
            self.busy = False
            self.changed.emit()

    def _reached(self, reached: Reached, host: str) -> None:
        """Where somebody hosts: to look there where nothing is heard by itself."""
        self._memory.met(
            KnownPlace(
                host=reached.address,
                port=reached.port,
                fingerprint=reached.fingerprint,
                name=host,
            )
        )
