"""The verifier: nothing open, a fair game and one of its cards, a cheat named, a damaged file."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject

from lanuno.app.running import Running
from lanuno.log.audit import audit, unreadable
from lanuno.log.round_record import Phase
from lanuno.log.story import tell
from lanuno.log.transcript import read
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.errors import Problem
from lanuno.store.verification import Unchecked, Verified
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.stage import settle
from tests.log.log_table import LogTable, make_genesis, make_roster, new_table

SINGLE = Ruleset(hand_size=5, format=Format.SINGLE)
FILE = Path("kitchen.lanuno")
NAMES = (
    *("Ana", "Bruno", "Carmen", "David", "Elena", "Felix", "Greta", "Hugo", "Iñaki"),
    "María de los Ángeles",
)


@cache
def fair(players: int) -> Verified:
    return checked(named(players).run())


def named(players: int) -> LogTable:
    """A table of people who have names."""
    rules = msgspec.structs.replace(SINGLE, hand_size=3) if players > 4 else SINGLE
    roster = make_roster(players, rules, salt=3)
    seats = [
        msgspec.structs.replace(seat, name=name)
        for seat, name in zip(roster.seats, NAMES, strict=False)
    ]
    genesis = make_genesis(msgspec.structs.replace(roster, seats=tuple(seats)), 3)
    return LogTable(genesis)


@cache
def cheated() -> Verified:
    table = new_table(3, Ruleset(hand_size=2), salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is Phase.REVEAL)
    table.say(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run()
    return checked(table)


def checked(table: LogTable) -> Verified:
    transcript = read(table.file)
    report = audit(transcript)
    return Verified(report, tell(transcript, report.entries), 0, len(table.file))


def show(running: Running, outcome: Verified | Unchecked) -> None:
    """What the process that checks brings back, without it."""
    app = running.app
    app.checker.cancel()
    app.checker._path = FILE
    app.checker.show(outcome)
    app.open("verifier")


def nothing(running: Running, view: View) -> None:
    app = running.app
    app.checker.cancel()
    app.checker._path = None
    app.checker._found = None
    app.checker._stations = ()
    app.checker._state = "empty"
    app.checker._show()
    app.open("verifier")


def verified(running: Running, view: View) -> None:
    show(running, fair(view.players or 4))


def timeline(running: Running, view: View) -> None:
    verified(running, view)
    checker = running.app.checker
    checker.goTo(checker.property("moments") * 2 // 3)
    checker.follow(checker.property("top")["card"])
    settle()
    show_game(running)


def show_game(running: Running) -> None:
    """Where there is no room for both, the game is behind a tab."""
    tabs = running.window.findChild(QObject, "tabs")
    assert tabs is not None
    tabs.setProperty("current", 1)


def cheat(running: Running, view: View) -> None:
    show(running, cheated())


def damaged(running: Running, view: View) -> None:
    show(running, Unchecked(Problem.DAMAGED))


def nonsense(running: Running, view: View) -> None:
    report = unreadable("no transcript")
    show(running, Verified(report, None, None, 10))


SCENES = [
    Scene("verifier-empty", nothing),
    Scene("verifier-timeline", timeline, players=(2, 4, 10), outside=NAMES[-1:]),
    Scene("verifier-cheat", cheat),
    Scene("verifier-failed", damaged),
    Scene("verifier-unreadable", nonsense),
]
