"""A player that uses the app through the slots that its screens call."""

from __future__ import annotations

import time
from random import Random

from lanuno.app.controllers.application import Application
from lanuno.bots.sensible import SensiblePlayer
from lanuno.rules.engine.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Play,
    SayUno,
    Swap,
)
from lanuno.rules.view import SeatView

PLAY_SECONDS = 3.0
"""Seconds after which an act that had no effect is repeated."""


class SlotPlayer:
    """Plays the seat of one app with the sensible strategy, one act for each decision."""

    def __init__(self, app: Application, seed: int = 0) -> None:
        self._app = app
        self._player = SensiblePlayer(Random(seed))
        self._done: tuple[int, int, bool] | None = None
        self._when = 0.0

    def play(self) -> bool:
        """Act if an act is due; return whether it was sent."""
        snapshot = self._app.table_controller._newest_snapshot
        view = None if snapshot is None else snapshot.view
        if snapshot is None or view is None or view.seat is None:
            return False
        if self._app.property("page") == "result" and view.decider is not None:
            # The next round has been dealt behind the score. Bots wait for this click.
            self._app.result_controller.goOn()
        action = self._player.choose(view)
        if action is None:
            return False
        key = (view.number, view.decision, isinstance(action, SayUno | Catch))
        now = time.monotonic()
        again = key == self._done and now - self._when > PLAY_SECONDS
        if (key == self._done and not again) or (
            view.decider == view.seat and not snapshot.to_move
        ):
            return False
        self._done, self._when = key, now
        self._act(action, view)
        return True

    def _act(self, action: Action, view: SeatView) -> None:
        table = self._app.table_controller
        match action:
            case Play():
                if action.uno:
                    table.uno()
                table.play(action.slot)
                if action.colour is not None:
                    table.chooseColour(action.colour)
            case Draw():
                table.draw()
            case Keep():
                table.keep()
            case NameColour():
                table.chooseColour(action.colour)
            case SayUno():
                table.uno()
            case Catch():
                table.catchSeat(action.seat)
            case Accept():
                table.accept()
            case Challenge():
                table.challenge()
            case Swap():
                table.swapWith(action.seat)
            case _:
                raise AssertionError(f"no hand for {action} at {view.decision}")
