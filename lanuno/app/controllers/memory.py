"""What the program remembers by itself, in one place for all controllers that change a part of it.

Written at every change: there are few. What it means is decided by whoever reads it.
"""

from __future__ import annotations

import logging
from typing import Any

import msgspec

from lanuno.app.controllers.stage import Stage
from lanuno.app.reasons import store_problem
from lanuno.store.errors import StoreError
from lanuno.store.remembered import KnownPlace, Remembered, load_remembered, save_remembered

_log = logging.getLogger(__name__)


class Memory:
    """The newest state of it."""

    def __init__(self, stage: Stage) -> None:
        """Load it; what cannot be understood is told, and begun anew."""
        self._stage = stage
        self.kept, trouble = load_remembered(stage.home_folders)
        if trouble is not None:
            stage.notice(store_problem(trouble), "error")

    def change(self, **parts: Any) -> None:
        """Replace these parts of it (the fields of `Remembered`)."""
        self._keep(msgspec.structs.replace(self.kept, **parts))

    def met(self, place: KnownPlace) -> None:
        """Somebody hosted a table there."""
        self._keep(self.kept.with_place(place))

    def _keep(self, changed: Remembered) -> None:
        if changed == self.kept:
            return
        self.kept = changed
        try:
            save_remembered(self._stage.home_folders, changed)
        except (StoreError, ValueError) as error:
            # Worth little: the next start only remembers less.
            _log.warning("not remembered: %s", error)
