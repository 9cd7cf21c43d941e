"""How a round and a match ended: few and many players, a void round, a problem, partners."""

from __future__ import annotations

from functools import cache
from typing import Any

from lanuno.app.running import Running
from lanuno.app.worker.follower import TournamentStands
from lanuno.app.worker.snapshot import RoundScore, Stage
from lanuno.log.bodies import CloseReason, DropReason
from lanuno.log.course import Decided
from lanuno.log.faults import VoidReason
from lanuno.net.tournament_breaks import Break, Why
from lanuno.rules.presets import PRESETS
from lanuno.table.outputs import RematchStands
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.stage import settle
from tests.app.pictures.tables import NAMES, Simulated


@cache
def played(players: int, rounds: int, preset: str = "classic") -> Simulated:
    """A match after so many rounds, or at its end."""
    rules = PRESETS[preset]
    return Simulated(players, rules=rules, seed=2).rounds(rounds)


def put(running: Running, table: Simulated, stage: Stage, **facts: Any) -> None:
    """Show the result of this."""
    result = running.app.result_screen
    result.clear()
    hands = table.open_hands()
    result.show(table.shot(stage, open_hands=hands, number=len(table.scores), **facts))
    result.allow_rematch(True)
    if not result.property("matchOver"):
        result._count_down()
        result._ticking.stop()
    running.app.go("result")
    settle()


def after_a_round(running: Running, view: View) -> None:
    put(running, played(view.players or 4, 2), Stage.BETWEEN)


def after_the_match(running: Running, view: View) -> None:
    put(running, played(view.players or 4, 99), Stage.CLOSED, closed=CloseReason.FINISHED)


def after_an_absence(running: Running, view: View) -> None:
    facts = {"closed": CloseReason.FINISHED, "decided": Decided.ABSENCE}
    put(running, played(view.players or 4, 99), Stage.CLOSED, **facts)


def being_checked(running: Running, view: View) -> None:
    del view
    put(running, played(4, 1), Stage.REVEALING, attested=(0, 2))


def wrong(running: Running, view: View) -> None:
    del view
    put(running, played(4, 2), Stage.CLOSED, blamed=(1,), closed=CloseReason.CHEATING)


def void(running: Running, view: View) -> None:
    del view
    table = played(4, 2)
    last = table.scores[-1]
    none = RoundScore(last.number + 1, (), (0,) * 4, last.totals, VoidReason(2), 4, 4)
    put(running, table, Stage.BETWEEN, scores=(*table.scores, none))


def partners(running: Running, view: View) -> None:
    del view
    put(running, played(4, 3, "partners"), Stage.BETWEEN)


def tournament(**how: Any) -> Any:
    """A scene between two tables of a tournament, or behind the last one."""

    def arrange(running: Running, view: View) -> None:
        del view
        put(running, played(4, 4, "tournament"), Stage.CLOSED, closed=CloseReason.FINISHED)
        running.app.result_screen.allow_rematch(False)
        stands = {"winners": (), "waits": False, "broken": None, "rotation": 3, **how}
        totals = (120, 85, 240, 60, 0, 85, 310, 45)
        told = TournamentStands(
            names=NAMES[:8], avatars=tuple(range(8)), totals=totals, mine=0, rotations=7, **stands
        )
        running.app.result_screen.stand(told)
        settle()

    return arrange


def agreed(running: Running, view: View) -> None:
    del view
    put(running, played(4, 1), Stage.CLOSED, closed=CloseReason.STOPPED, agreed=1, target=0)


def stopped(running: Running, view: View) -> None:
    del view
    put(running, played(4, 2), Stage.CLOSED, closed=CloseReason.STOPPED)


def forfeited(running: Running, view: View) -> None:
    del view
    facts = {"winners": (1,), "forfeited": (0, 1), "dropped": ((0, DropReason.LEFT),)}
    put(running, played(2, 2), Stage.CLOSED, closed=CloseReason.FINISHED, mine=1, **facts)


def rematch(*wanted: int, mine: bool = False, opener: int | None = None) -> Any:
    """A scene in which these want to play again."""

    def arrange(running: Running, view: View) -> None:
        after_the_match(running, view)
        names = dict(enumerate(NAMES))
        told = RematchStands((0, 2, 3), wanted, opener, mine)
        running.app.playing._tell_of_rematch(told, names)
        running.app.result_screen.allow_rematch(not mine)
        settle()

    return arrange


SCENES = [
    Scene("result-round", after_a_round, (2, 4, 10), outside=NAMES),
    Scene("result-match", after_the_match, (2, 4, 10), outside=NAMES),
    Scene("result-absence", after_an_absence, outside=NAMES),
    Scene("result-checking", being_checked, outside=NAMES),
    Scene("result-problem", wrong, outside=NAMES),
    Scene("result-void", void, outside=NAMES),
    Scene("result-partners", partners, outside=NAMES),
    Scene("result-agreed-rounds", agreed, outside=NAMES, often=False),
    Scene("result-ended-by-host", stopped, outside=NAMES, often=False),
    Scene("result-other-left", forfeited, outside=NAMES, often=False),
    Scene("result-rematch-asked", rematch(2, 3), outside=NAMES, often=False),
    Scene("result-rematch-waiting", rematch(0, 2, mine=True), outside=NAMES, often=False),
    Scene("result-rematch-opened", rematch(3, opener=3), outside=NAMES, often=False),
    Scene("result-tournament-waits", tournament(waits=True), outside=NAMES),
    Scene(
        "result-tournament-over", tournament(rotation=7, winners=(6,)), outside=NAMES, often=False
    ),
    Scene(
        "result-tournament-broken",
        tournament(broken=Break(Why.LEFT, NAMES[2:3])),
        outside=NAMES,
        often=False,
    ),
]
