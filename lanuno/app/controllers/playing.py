"""The table at which this computer sits: begins it, hands what is told to the screens, ends it.

One table at a time. Which screen is shown follows from what happens there; what a screen shows is
its own controller's.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Property, QObject, Signal

from lanuno.app.bridge import Bridge, Job
from lanuno.app.controllers.chat import ChatController
from lanuno.app.controllers.result import ResultController
from lanuno.app.controllers.room import RoomController
from lanuno.app.controllers.settings import SettingsController
from lanuno.app.controllers.stage import Stage
from lanuno.app.controllers.table import TableController
from lanuno.app.reasons import lobby_refusal, net_problem, store_problem
from lanuno.app.words import translate
from lanuno.app.worker.follower import (
    Began,
    ChatSaid,
    Disagreed,
    Halted,
    Opened,
    Seen,
    Told,
)
from lanuno.app.worker.sitting import Left, Sitting
from lanuno.net.endings import Ending
from lanuno.net.errors import NetError
from lanuno.rules.actions import Action
from lanuno.store.errors import StoreError
from lanuno.table.messages import LobbyState
from lanuno.table.outputs import TurnedAway

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Screens:
    """The controllers that show a table."""

    room: RoomController
    table: TableController
    result: ResultController
    chat: ChatController


Make = Callable[[Callable[[Told], None]], Sitting]
"""Makes what sits at the table, given whom to tell."""


class Playing(QObject):
    """Sits at one table at a time."""

    busyChanged = Signal()
    ended = Signal(object)
    """A game has ended here; its transcript (`Path`), or None."""
    failed = Signal(str)
    """It was not possible to sit down, or to go on: why, for a person."""

    def __init__(
        self, stage: Stage, settings: SettingsController, bridge: Bridge, screens: Screens
    ) -> None:
        """Nothing is played."""
        super().__init__(stage)
        self._stage = stage
        self._settings = settings
        self._bridge = bridge
        self._screens = screens
        self._sitting: Sitting | None = None
        self._job: Job[Left] | None = None
        self._again: Callable[[], None] | None = None
        self._alone = False
        self._over = False
        self._closed = False
        self.transcript: Path | None = None
        """Of the last game that ended here."""
        screens.table.acted.connect(self._act)
        screens.chat.said.connect(self._say)
        screens.result.rematchWanted.connect(self._rematch)
        stage.leaving.connect(self._leave)
        stage.guard(self._question)

    @property
    def sitting(self) -> Sitting | None:
        """What sits at the table now."""
        return self._sitting

    def sit(
        self, make: Make, *, page: str, again: Callable[[], None] | None = None, alone: bool = False
    ) -> None:
        """Sit down. `again`: how to play the same once more; `alone`: nobody else is concerned."""
        if self._job is not None and self._job.running:
            self._stage.notice(
                translate("Playing", "You are sitting at a table already: leave it first."), "error"
            )
            return
        self._screens.table.clear()
        self._screens.result.clear()
        self._screens.chat.clear()
        self._screens.room.clear()
        self._screens.chat.my_name = self._settings.property("playerName")
        self._stage.dismiss_all()
        self._again, self._alone, self._over, self._closed = again, alone, False, False
        sitting: list[Sitting] = []

        def hear(told: Told) -> None:
            # What an earlier table still had to say is of no interest.
            if sitting and sitting[0] is self._sitting:
                self._hear(told)

        made = make(self._bridge.back(hear))
        sitting.append(made)
        self._sitting = made
        self._screens.room.sitting = made
        self._job = self._bridge.run(made.run(), self._left, self._broken)
        self.busyChanged.emit()
        self._stage.go(page)

    # ---- what is told -----------------------------------------------------------------------

    def _hear(self, told: Told) -> None:
        match told:
            case LobbyState():
                self._screens.room.show(told)
                if not self._alone and self._stage.property("page") not in ("room", "table"):
                    self._stage.go("room")
            case Began():
                self._screens.room.began(told.genesis)
                self._stage.go("table")
            case Seen():
                self._see(told)
            case ChatSaid():
                self._screens.chat.hear(told)
            case Disagreed():
                _log.info("refused by the host: %s %s", told.refusal, told.detail)
                self._screens.table.refused(
                    translate("Playing", "The table has gone on: that came too late.")
                )
            case Halted():
                self._halted(told)
            case Opened():
                self._screens.room.opened(told)
            case TurnedAway():
                pass  # told by how the table ends

    def _see(self, seen: Seen) -> None:
        if self._screens.chat.mine != seen.shot.mine:
            self._screens.chat.mine = seen.shot.mine
        self._screens.table.see(seen)
        self._screens.result.see(seen)
        if (seen.shot.winners or seen.shot.closed is not None) and not self._over:
            self._over = True
            self._screens.result.allow_rematch(self._again is not None)
            if self._stage.property("page") in ("table", "result"):
                self._stage.open("result")

    def _halted(self, halted: Halted) -> None:
        text = translate(
            "Playing",
            "The game was stopped: what came from the host cannot be. The evidence was kept: {why}",
        )
        self._stage.notice(text.replace("{why}", halted.blame.detail), "error")

    # ---- the end ----------------------------------------------------------------------------

    def _left(self, left: Left) -> None:
        self.transcript = left.transcript or self.transcript
        self._sitting = None
        self.busyChanged.emit()
        page = self._stage.property("page")
        if left.refusal is not None and not left.asked:
            self._say_why(lobby_refusal(left.refusal))
        elif left.ending is Ending.LOST and not left.asked:
            self._say_why(
                translate(
                    "Playing",
                    "The connection to the table was lost for too long. What was played is kept; it"
                    " can be gone on with from the first page while the others are there.",
                )
            )
        self.ended.emit(left.transcript)
        stays = page == "result" and not left.asked
        if not stays and page in ("room", "table", "result", "join"):
            self._stage.go("home")

    def _say_why(self, text: str) -> None:
        self._stage.notice(text, "error")
        self.failed.emit(text)

    def _broken(self, error: Exception) -> None:
        self._sitting = None
        self.busyChanged.emit()
        if isinstance(error, NetError):
            _log.info("the table failed: %s", error)
            self._say_why(net_problem(error))
        elif isinstance(error, StoreError):
            _log.warning("the table failed: %s", error)
            self._say_why(store_problem(error))
        else:
            self._bridge.failed.emit(error)
        self.ended.emit(None)
        if self._stage.property("page") in ("room", "table"):
            self._stage.go("home")

    # ---- what the player does ---------------------------------------------------------------

    def _act(self, action: Action) -> None:
        sitting = self._sitting
        if sitting is not None:
            self._bridge.run(sitting.act(action), self._acted)

    def _acted(self, why: str) -> None:
        if why:
            _log.info("refused: %s", why)
            self._screens.table.refused(
                translate("Playing", "The table has gone on: that came too late.")
            )

    def _say(self, text: str) -> None:
        if self._sitting is not None:
            self._bridge.run(self._sitting.say(text))

    def _rematch(self) -> None:
        again = self._again
        if again is None:
            return
        if self._job is not None and self._job.running and self._sitting is not None:
            self._bridge.run(self._sitting.leave(), lambda _: self._when_left(again))
        else:
            again()

    def _when_left(self, then: Callable[[], None]) -> None:
        """Once the table of before has ended here."""
        if self._sitting is None:
            then()
            return

        def once(_transcript: object) -> None:
            self.ended.disconnect(once)
            then()

        self.ended.connect(once)

    def _leave(self) -> None:
        if self._sitting is not None:
            self._bridge.run(self._sitting.leave())
        if self._stage.property("page") in ("room", "table", "result"):
            self._stage.go("home")

    def _question(self) -> str:
        """What leaving means for the others; "" if nobody is concerned."""
        if self._sitting is None or self._over:
            return ""
        if self._alone:
            return translate("Playing", "Leave this game? It ends here.")
        driver_runs = self._screens.room.playing
        if not driver_runs:
            if self._screens.room.property("hosting"):
                return translate(
                    "Playing", "Close this table? Whoever is waiting here is sent home."
                )
            return ""
        if self._screens.room.property("hosting"):
            return translate(
                "Playing",
                "Leave this game? Another computer takes over as host, and the others go on"
                " without you; between two players you lose the match.",
            )
        return translate(
            "Playing",
            "Leave this game? The others go on without you; between two players you lose the"
            " match.",
        )

    def _get_busy(self) -> bool:
        return self._sitting is not None

    busy = Property(bool, _get_busy, notify=busyChanged)
