"""Scenes of the history: empty, full of games, and the question before one is deleted."""

from __future__ import annotations

from concurrent.futures import Future

from lanuno.app.bridge import BridgeJob
from lanuno.app.running import Running
from lanuno.client.history import GameHistory
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import CloseReason
from lanuno.log.replay.course import Decided
from lanuno.rules.ruleset import Format
from lanuno.store.game_record import GameRecord, PlayerRecord
from lanuno.store.game_rows import COUNTING, Game
from lanuno.store.profile import load_profile
from lanuno.store.statistics import OpponentStatistics, Statistics
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View

NAMES = ("Ana", "Begoña", "Carlos", "Dídac", "Eva", "Fermín", "Greta", "Hugo", "Iñaki", "Julia")
HOSTILE = "<b>Eva</b> 🦊🎲🎉🦄🐙🌈🍕🎈 \u202eevil"
BEGAN = 1_790_000_000.0
MINUTE = 60_000
ENDS = {2: None, 4: CloseReason.INCOMPLETE}
"""The endings of special games: not closed on this computer, or incomplete."""


def person(number: int, name: str, me: bytes, *, score: int = 0, won: bool = False) -> PlayerRecord:
    identity = me if number == 0 else name.encode().ljust(32, b".")[:32]
    return PlayerRecord(number, name, identity, identity, name == "Bot", score, won)


def games(running: Running, names: tuple[str, ...]) -> tuple[Game, ...]:
    home = running.app.home_folders
    me = load_profile(home).identity.public
    presets = ("classic", "express", "duel", "pairs", "masters", "low-score", "elimination")
    verdicts = (
        AuditVerdict.VERIFIED,
        AuditVerdict.VERIFIED,
        None,
        AuditVerdict.CHEATING,
        AuditVerdict.INCOMPLETE,
    )
    found = []
    for number in range(9):
        seats = names[: 2 + number * 3 % (len(names) - 1)]
        winner = -1 if number in (*ENDS, 5) else (number * number) % len(seats)
        watched = number == 6
        players = tuple(
            person(
                seat + watched, name, me, score=(seat * 97 + number * 61) % 520, won=seat == winner
            )
            for seat, name in enumerate(seats)
        )
        record = GameRecord(
            table_id=bytes([number]) * 32,
            preset=presets[number % len(presets)],
            format=Format.POINTS,
            players=players,
            rounds=3 + number,
            entries=400,
            played_ms=(9 + 11 * number) * MINUTE,
            reason=ENDS.get(number, CloseReason.STOPPED if winner < 0 else CloseReason.FINISHED),
            decided=Decided.ABSENCE if number == 1 else Decided.CARDS,
        )
        path = home.transcript(record.table_id)
        ended = BEGAN - number * 70_000
        verdict = verdicts[number % len(verdicts)]
        counts = verdict is not AuditVerdict.CHEATING and record.reason in COUNTING
        by_cards = winner >= 0 and record.decided is Decided.CARDS
        found.append(Game(record, path, ended, verdict, counts, by_cards))
    return tuple(found)


def game_history(running: Running, names: tuple[str, ...]) -> GameHistory:
    found = games(running, names)
    people = tuple(
        OpponentStatistics(
            identity=name.encode(),
            name=name,
            games=24 - 2 * place,
            decided=20 - 2 * place,
            won=max(0, 9 - place),
            lost=place,
            together=0,
            last=BEGAN,
        )
        for place, name in enumerate(names[1:])
    )
    numbers = Statistics(
        games=57,
        decided=52,
        wins=21,
        points=12_480,
        rounds=341,
        played_ms=2417 * MINUTE,
        others=3,
        cheated=1,
        unfinished=1,
        longest=found[8],
        most_rounds=found[8],
        streak=3,
        best_streak=6,
        people=people,
    )
    return GameHistory(found, 57, numbers, 0)


def show(running: Running, seen: GameHistory) -> None:
    """Show a history without reading the folder."""
    running.app.open("history")
    settle()
    job = running.app.history_controller._job
    if job is not None:
        job.cancel()
        running.app.history_controller._job = None
    running.app.history_controller.cancelRemove()
    running.app.history_controller.show(seen)


def full(running: Running, view: View) -> None:
    show(running, game_history(running, NAMES))


def hostile(running: Running, view: View) -> None:
    show(running, game_history(running, (NAMES[0], HOSTILE, *NAMES[2:4])))


def empty(running: Running, view: View) -> None:
    show(running, GameHistory((), 0, Statistics(), 0))


def reading(running: Running, view: View) -> None:
    show(running, GameHistory((), 0, Statistics(), 0))
    past = running.app.history_controller
    past._history = None
    past._job = BridgeJob(Future())
    past.changed.emit()


def asked(running: Running, view: View) -> None:
    full(running, view)
    running.app.history_controller.remove((bytes([2]) * 32).hex())


SCENES = [
    Scene("history", full, outside=NAMES),
    Scene("history-hostile", hostile, outside=(*NAMES, "Eva")),
    Scene("history-empty", empty),
    Scene("history-reading", reading, often=False),
    Scene("history-asked", asked, outside=NAMES),
]
