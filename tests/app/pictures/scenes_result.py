"""Scenes of results: few and many players, a void round, a problem, partners, a tournament."""

from __future__ import annotations

from functools import cache
from typing import Any

from lanuno.app.controllers.result import ROUND_RESULT_SECONDS
from lanuno.app.running import Running
from lanuno.client.events import TableUpdated, TournamentStanding
from lanuno.client.observed_state import RoundScore
from lanuno.client.snapshot import TableStage
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import Decided
from lanuno.rules.presets import PRESETS
from lanuno.table.outputs import RematchChanged
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.tables import NAMES, Simulated


@cache
def played(players: int, rounds: int, preset: str = "classic") -> Simulated:
    """Return a match after this number of rounds, or at its end."""
    rules = PRESETS[preset]
    return Simulated(players, rules=rules, seed=2).rounds(rounds)


def put(running: Running, table: Simulated, stage: TableStage, **values: Any) -> None:
    """Show the result of a match."""
    result = running.app.result_controller
    result.clear()
    hands = table.open_hands()
    snapshot = table.snapshot(stage, open_hands=hands, number=len(table.scores), **values)
    result.receive(TableUpdated(snapshot, (), 0.0))
    result.allow_rematch(True)
    if not result.property("matchOver"):
        result._set_seconds_left(ROUND_RESULT_SECONDS)
    running.app.reset_to("result")
    settle()


def after_a_round(running: Running, view: View) -> None:
    put(running, played(view.players or 4, 2), TableStage.BETWEEN)


def after_the_match(running: Running, view: View) -> None:
    put(running, played(view.players or 4, 99), TableStage.CLOSED, closed=CloseReason.FINISHED)


def after_an_absence(running: Running, view: View) -> None:
    values = {"closed": CloseReason.FINISHED, "decided": Decided.ABSENCE}
    put(running, played(view.players or 4, 99), TableStage.CLOSED, **values)


def being_checked(running: Running, view: View) -> None:
    del view
    put(running, played(4, 1), TableStage.REVEALING, attested=(0, 2))


def wrong(running: Running, view: View) -> None:
    del view
    put(running, played(4, 2), TableStage.CLOSED, blamed=(1,), closed=CloseReason.CHEATING)


def void(running: Running, view: View) -> None:
    del view
    table = played(4, 2)
    last = table.scores[-1]
    none = RoundScore(last.number + 1, (), (0,) * 4, last.totals, VoidReason(2), False, 2, 3, 2)
    put(running, table, TableStage.BETWEEN, scores=(*table.scores, none))


def broken_off(running: Running, view: View) -> None:
    del view
    put(running, played(4, 2), TableStage.CLOSED, closed=CloseReason.INCOMPLETE)


def partners(running: Running, view: View) -> None:
    del view
    put(running, played(4, 3, "partners"), TableStage.BETWEEN)


def tournament(**how: Any) -> Any:
    """Return a scene between two tables of a tournament, or after the last one."""

    def arrange(running: Running, view: View) -> None:
        del view
        put(running, played(4, 4, "tournament"), TableStage.CLOSED, closed=CloseReason.FINISHED)
        running.app.result_controller.allow_rematch(False)
        tournament_standing = {
            "winners": (),
            "awaiting_other_table": False,
            "broken": None,
            "rotation": 3,
            **how,
        }
        totals = (120, 85, 240, 60, 0, 85, 310, 45)
        told = TournamentStanding(
            names=NAMES[:8],
            avatars=tuple(range(8)),
            totals=totals,
            mine=0,
            rotations=7,
            **tournament_standing,
        )
        running.app.result_controller.show_standing(told)
        settle()

    return arrange


def agreed(running: Running, view: View) -> None:
    del view
    table = played(4, 1)
    best = table.match.totals.index(max(table.match.totals))
    values = {"closed": CloseReason.STOPPED, "winners": (best,), "agreed": 1, "target": 0}
    put(running, table, TableStage.CLOSED, **values)


def stopped(running: Running, view: View) -> None:
    del view
    put(running, played(4, 2), TableStage.CLOSED, closed=CloseReason.STOPPED)


def forfeited(running: Running, view: View) -> None:
    del view
    values = {"winners": (1,), "forfeited": (0, 1), "dropped": ((0, DropReason.LEFT),)}
    put(running, played(2, 2), TableStage.CLOSED, closed=CloseReason.FINISHED, mine=1, **values)


def rematch(*wanted: int, opener: int | None = None) -> Any:
    """Return a scene in which these seats want to play again."""

    def arrange(running: Running, view: View) -> None:
        after_the_match(running, view)
        table = running.app.session_controller
        table._snapshot = running.app.result_controller._snapshot
        table._show_rematch(RematchChanged((0, 2, 3), wanted, opener))
        table._snapshot = None
        running.app.result_controller.allow_rematch(True)
        settle()

    return arrange


SCENES = [
    Scene("result-round", after_a_round, (2, 4, 10), outside=NAMES),
    Scene("result-match", after_the_match, (2, 4, 10), outside=NAMES),
    Scene("result-absence", after_an_absence, outside=NAMES),
    Scene("result-checking", being_checked, outside=NAMES),
    Scene("result-problem", wrong, outside=NAMES),
    Scene("result-void", void, outside=NAMES),
    Scene("result-broken-off", broken_off, outside=NAMES, often=False),
    Scene("result-partners", partners, outside=NAMES),
    Scene("result-agreed-rounds", agreed, outside=NAMES, often=False),
    Scene("result-ended-by-host", stopped, outside=NAMES, often=False),
    Scene("result-other-left", forfeited, outside=NAMES, often=False),
    Scene("result-rematch-asked", rematch(2, 3), outside=NAMES, often=False),
    Scene("result-rematch-opened", rematch(3, opener=3), outside=NAMES, often=False),
    Scene("result-tournament-waits", tournament(awaiting_other_table=True), outside=NAMES),
    Scene(
        "result-tournament-over", tournament(rotation=7, winners=(6,)), outside=NAMES, often=False
    ),
    Scene(
        "result-tournament-broken",
        tournament(broken=TournamentBreak(BreakReason.LEFT, NAMES[2:3], NAMES[0])),
        outside=NAMES,
        often=False,
    ),
]
