"""The tables that were interrupted here and can be resumed. Read from the disk, never cached.

A table that the player does not want to be asked about again stays in the history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from lanuno.app.bridge import BridgeJob
from lanuno.app.controllers.app_state import SavedAppState
from lanuno.app.controllers.navigator import Navigator
from lanuno.app.controllers.session_controller import SessionController, SessionOptions
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.models.room_rows import InterruptedTable
from lanuno.app.models.rows import Rows
from lanuno.app.problem_texts import store_problem
from lanuno.app.texts import filled, isolated, listed, moment, translate
from lanuno.client.find import DiscoveredTable
from lanuno.client.places import TablePlace
from lanuno.client.resume import (
    Interrupted,
    ResumableTables,
    ResumeRequest,
    find_resumable,
)
from lanuno.client.session import TableSession
from lanuno.net.discovery.advert import TableState
from lanuno.store.app_state import MOST_FORGOTTEN
from lanuno.store.errors import FileProblem


class InterruptedTables(QObject):
    """The list of interrupted tables, and resuming one of them."""

    changed = Signal()

    def __init__(
        self,
        navigator: Navigator,
        settings: SettingsController,
        sessions: SessionController,
        app_state: SavedAppState,
    ) -> None:
        """Read nothing before `refresh`."""
        super().__init__(navigator)
        self._navigator = navigator
        self._settings = settings
        self._sessions = sessions
        self._app_state = app_state
        self._found: tuple[Interrupted, ...] = ()
        self._reported_paths: set[str] = set()
        self._job: BridgeJob[ResumableTables] | None = None
        self._requested = False
        self._announced: dict[bytes, TableState] = {}
        self.rows = Rows(InterruptedTable, "id", self)
        sessions.ended.connect(self._ended)
        navigator.retranslated.connect(self._show)

    def refresh(self) -> None:
        """Read the interrupted tables, unless a session is running."""
        self._requested = True
        if self._sessions.session is None:
            if self._job is not None:
                # The result of an earlier read may be older, however late it arrives.
                self._job.cancel()
            work = asyncio.to_thread(find_resumable, self._navigator.home_folders)
            self._job = self._navigator.bridge.run(work, self._receive, lambda _error: None)

    def _ended(self, _transcript: object) -> None:
        if self._requested:
            self.refresh()

    def _receive(self, found: ResumableTables) -> None:
        self._found = found.tables
        for error in found.damaged:
            path = str(error.path)
            if error.problem is not FileProblem.EVIDENCE and path not in self._reported_paths:
                self._reported_paths.add(path)
                self._navigator.notice(store_problem(error), "error")
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        forgotten = set(self._app_state.state.forgotten)
        me = self._settings.property("playerName")
        rows = []
        for each in self._found:
            if each.id.hex() in forgotten:
                continue
            others = [name for name in each.table.names if name != me]
            text = last_played(others, each.table.written)
            now = {state for context, state in self._announced.items() if each.is_at(context)}
            if now == {TableState.OVER}:
                text = translate("Home", "It ended without you: see how")
            elif now:
                text = translate("Home", "It is being played now: continue playing")
            name = each.name or translate("Home", "A table")
            if each.table.roster.binding is not None:
                name = translate("Home", "A tournament")
            rows.append(InterruptedTable(each.id.hex(), name, text))
        self.rows.show(rows)

    def lists(self, context: bytes) -> bool:
        """Whether the table with this id on the network is among those shown."""
        found = self.at_context(context)
        return found is not None and any(row.id == found.id.hex() for row in self.rows.rows)

    def mark_announced(self, announced: dict[bytes, TableState]) -> None:
        """Set the tables that are announced on the network, by id, and whether they still play."""
        if announced != self._announced:
            self._announced = announced
            self._show()

    def at_context(self, context: bytes | None) -> Interrupted | None:
        """Return the table with this id on the network, or whose waiting room had this id."""
        if context is None:
            return None
        return next((each for each in self._found if each.is_at(context)), None)

    def resume(self, chosen: Interrupted, announced: DiscoveredTable | None = None) -> None:
        """Resume a table. `announced`: its entry in the discovery, if any."""
        owner_place = None
        if announced is not None and announced.answered:
            place = TablePlace(announced.addresses, announced.port, announced.fingerprint)
            owner_place = chosen.owner_at(place)
        plan = ResumeRequest(
            chosen=chosen,
            owner_place=owner_place,
            adapter=self._settings.values.adapter,
            stays_for_rematch=True,
        )
        self._sessions.start_session(
            partial(TableSession, self._navigator.home_folders, plan), SessionOptions()
        )

    def by_id(self, table: str) -> Interrupted | None:
        """Return the interrupted table with this id, or None."""
        return next((each for each in self._found if each.id.hex() == table), None)

    def forget(self, table: str) -> None:
        """Stop showing this table."""
        kept = [each for each in self._app_state.state.forgotten if each != table]
        self._app_state.change(forgotten=(*kept, table)[-MOST_FORGOTTEN:])
        self._show()
        self.changed.emit()


def last_played(others: Sequence[str], written: float) -> str:
    """Return with whom a table was played, and when. `written`: seconds since 1970."""
    text = translate("Home", "With {names}, last played {when}")
    names = listed([isolated(name) for name in others])
    return filled(text, names=names, when=moment(written))
