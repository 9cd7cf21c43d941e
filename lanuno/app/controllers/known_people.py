"""The people and tables that this player knows from games, and those that only look like them."""

from __future__ import annotations

import asyncio
import logging

from PySide6.QtCore import QObject, Signal

from lanuno.app.controllers.navigator import Navigator
from lanuno.app.texts import filled, isolated, translate
from lanuno.store.known_people import KnownPeople, load_known_people

_log = logging.getLogger(__name__)


class KnownPeopleController(QObject):
    """Who is known, read from the disk by `refresh`."""

    changed = Signal()

    def __init__(self, navigator: Navigator) -> None:
        """Know nobody before `refresh`."""
        super().__init__(navigator)
        self._navigator = navigator
        self.known = KnownPeople()

    def refresh(self) -> None:
        """Read who is known."""
        work = asyncio.to_thread(load_known_people, self._navigator.home_folders)
        self._navigator.bridge.run(work, self.receive, self._failed)

    def receive(self, known: KnownPeople) -> None:
        """Know these people from now on."""
        if known != self.known:
            self.known = known
            self.changed.emit()

    def _failed(self, error: BaseException) -> None:
        # The list of games and the profile report their own errors.
        _log.warning("known people are not read: %s", error)

    def person_warning(self, name: str, key: str) -> str:
        """Return a sentence if a person only looks like a known one, or ""."""
        text = translate(
            "Known", "This may not be the {name} you have played with: the key is another one."
        )
        return _about(text, self.known.person_like(name, key))

    def table_warning(self, name: str, host: str, key: str) -> str:
        """Return a sentence if a table or its host only looks like a known one, or ""."""
        text = translate(
            "Known",
            "This may not be the table {name} you have played at: its host has another key.",
        )
        return _about(text, self.known.table_like(name, key)) or self.person_warning(host, key)


def _about(text: str, name: str) -> str:
    return filled(text, name=isolated(name)) if name else ""
