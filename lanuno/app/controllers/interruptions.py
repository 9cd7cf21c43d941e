"""The tables that were interrupted here and can be gone on with. Read from the disk, never kept.

A table that the player does not want to be asked about again stays in the history.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from lanuno.app.bridge import Bridge, Job
from lanuno.app.controllers.memory import Memory
from lanuno.app.controllers.playing import Playing
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.models.room_rows import InterruptedTable
from lanuno.app.models.rows import Rows
from lanuno.app.reasons import store_problem
from lanuno.app.words import isolated, listed, moment, translate
from lanuno.app.worker.discovery import Sighting
from lanuno.app.worker.returning import Return, ReturnedTable, Unfinished, look_for_unfinished
from lanuno.cli.coming_back import Interrupted, Met
from lanuno.store.errors import Problem
from lanuno.store.remembered import MOST_FORGOTTEN


class Interruptions(QObject):
    """Which there are, and going on with one."""

    changed = Signal()

    def __init__(
        self,
        stage: Stage,
        settings: SettingsController,
        bridge: Bridge,
        playing: Playing,
        memory: Memory,
    ) -> None:
        """Nothing is read before `look`."""
        super().__init__(stage)
        self._stage = stage
        self._settings = settings
        self._bridge = bridge
        self._playing = playing
        self._memory = memory
        self._found: tuple[Interrupted, ...] = ()
        self._told: set[str] = set()
        self._looking: Job[Unfinished] | None = None
        self._looked = False
        self._played: list[bytes] = []
        self.rows = Rows(InterruptedTable, "id", self)
        playing.ended.connect(self._ended)
        stage.retranslated.connect(self._show)

    def look(self) -> None:
        """Read which there are; nothing is asked while one is played."""
        self._looked = True
        if self._playing.sitting is None:
            if self._looking is not None:
                # What an earlier look finds may be older, however late it comes.
                self._looking.cancel()
            work = asyncio.to_thread(look_for_unfinished, self._stage.home_folders)
            self._looking = self._bridge.run(work, self._take, lambda _error: None)

    def _ended(self, _transcript: object) -> None:
        if self._looked:
            self.look()

    def _take(self, found: Unfinished) -> None:
        self._found = found.tables
        for error in found.damaged:
            path = str(error.path)
            if error.problem is not Problem.EVIDENCE and path not in self._told:
                self._told.add(path)
                self._stage.notice(store_problem(error), "error")
        self._show()
        self.changed.emit()

    def _show(self) -> None:
        forgotten = set(self._memory.kept.forgotten)
        me = self._settings.property("playerName")
        rows = []
        for each in self._found:
            if each.id.hex() in forgotten:
                continue
            others = [isolated(name) for name in each.table.names if name != me]
            text = translate("Home", "With {names}, last played {when}")
            text = text.replace("{names}", listed(others))
            text = text.replace("{when}", moment(each.table.written))
            if any(each.is_at(context) for context in self._played):
                text = translate("Home", "It is being played now: go on playing")
            name = each.name or translate("Home", "A table")
            rows.append(InterruptedTable(each.id.hex(), name, text))
        self.rows.show(rows)

    def lists(self, context: bytes) -> bool:
        """Whether the table of this name on the network is among those shown."""
        found = self.at(context)
        return found is not None and any(row.id == found.id.hex() for row in self.rows.rows)

    def mark_played(self, contexts: Sequence[bytes]) -> None:
        """These tables are announced on the network, so they are being played."""
        if list(contexts) != self._played:
            self._played = list(contexts)
            self._show()

    def at(self, context: bytes | None) -> Interrupted | None:
        """The one that has this name on the network, of now or of its waiting room."""
        if context is None:
            return None
        return next((each for each in self._found if each.is_at(context)), None)

    def go_on(self, chosen: Interrupted, seen: Sighting | None = None) -> None:
        """Go on with one. `seen`: it is announced there."""
        met = None
        if seen is not None:
            met = Met(chosen.somebody(seen.fingerprint), seen.addresses[0], seen.port)
        plan = Return(chosen, self._settings.kept.adapter, met)
        self._playing.sit(partial(ReturnedTable, self._stage.home_folders, plan))

    def by_id(self, table: str) -> Interrupted | None:
        """One of those shown."""
        return next((each for each in self._found if each.id.hex() == table), None)

    def forget(self, table: str) -> None:
        """Do not show this one again."""
        kept = [each for each in self._memory.kept.forgotten if each != table]
        self._memory.change(forgotten=(*kept, table)[-MOST_FORGOTTEN:])
        self._show()
        self.changed.emit()
