"""The first page: tables on this network, and everything that can be begun from here."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import msgspec
from PySide6.QtCore import Property, QObject, Signal, Slot

from lanuno.app.controllers.playing import Playing
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.words import translate
from lanuno.app.worker.practice import Practice, PracticeTable
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset

MOST_BOTS: Final = 9


class HomeController(QObject):
    """For QML:

      practiceBots (rw): how many bots one practises against, 1…9
    Slots: practise(bots)
    """

    practiceBotsChanged = Signal()

    def __init__(self, stage: Stage, settings: SettingsController, playing: Playing) -> None:
        """Nothing is looked for before the page is shown."""
        super().__init__(stage)
        self._stage = stage
        self._settings = settings
        self._playing = playing
        settings.practiceBotsChanged.connect(self.practiceBotsChanged)
        self.thinks: float | None = None
        """Seconds that bots take for a move, if not the usual ones."""

    # ---- practice ---------------------------------------------------------------------------

    @Slot(int)
    def practise(self, bots: int) -> None:
        """Play against so many bots, by the classic rules, without a network."""
        self.practise_by(PRESETS["classic"], max(1, min(MOST_BOTS, bots)))

    def practise_by(self, ruleset: Ruleset, bots: int) -> None:
        """The same by these rules."""
        # Nobody waits for the player: there is no clock.
        rules = msgspec.structs.replace(ruleset, turn_clock_s=0)
        name = translate("Home", "Practice")
        plan = Practice(rules, bots, name)
        if self.thinks is not None:
            plan = replace(plan, thinks=self.thinks)
        self._playing.sit(
            partial(PracticeTable, self._stage.home_folders, plan),
            page="table",
            again=partial(self.practise_by, ruleset, bots),
            alone=True,
        )

    def _get_bots(self) -> int:
        return self._settings.kept.practice_bots

    def _set_bots(self, bots: int) -> None:
        self._settings.put("practice_bots", bots)

    practiceBots = Property(int, _get_bots, _set_bots, notify=practiceBotsChanged)
