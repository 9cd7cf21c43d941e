"""Scenes of the verifier: no file, a game, a card, a cheat, an absence, a changed or other file."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import msgspec
from PySide6.QtCore import QObject

from lanuno.app.running import Running
from lanuno.log.audit.audit import audit, audit_bytes
from lanuno.log.audit.story import build_story
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST
from lanuno.log.format.transcript import Transcript, read
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.errors import FileProblem
from lanuno.store.verification import Unchecked, Verified
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View
from tests.harness.log_table.log_table import LogTable, make_genesis, make_roster, new_table
from tests.harness.log_table.moments import playing

SINGLE = Ruleset(hand_size=5, format=Format.SINGLE)
FILE = Path("kitchen.lanuno")
NAMES = (
    *("Ana", "Bruno", "Carmen", "David", "Elena", "Felix", "Greta", "Hugo", "Iñaki"),
    "María de los Ángeles",
)


@cache
def fair(players: int) -> Verified:
    return checked(named(players).run())


def named(players: int, rules: Ruleset = SINGLE) -> LogTable:
    """Return a table whose players have names."""
    rules = msgspec.structs.replace(rules, hand_size=3) if players > 4 else rules
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
    table.run(lambda now: now.replay.number == 1 and now.log.phase is ProtocolPhase.REVEAL)
    table.add(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run()
    return checked(table)


@cache
def absent() -> Verified:
    """Verify a game in which a silent seat is dropped twice and another seat's time runs out."""
    table = named(3, Ruleset(hand_size=2))
    table.rounds = 2
    for _ in range(2):
        if 1 in table.replay.dropped:
            table.add(1, bodies.Return())
        table.run(lambda now: playing(now) and 1 in now.engine.seats)
        table.drop(1, bodies.DropReason.SILENT)
        table.run(lambda now: now.replay.between_rounds)
    asked = None
    while asked is None:
        table.step()
        asked = table.replay.times.open_decision
    table.add(HOST, bodies.TimeOut(asked.decision))
    return checked(table.run())


def checked(table: LogTable) -> Verified:
    transcript = read(table.file)
    report = audit(transcript)
    return Verified(report, build_story(transcript, report.entries), 0, len(table.file))


def show(running: Running, outcome: Verified | Unchecked) -> None:
    """Show an outcome without running the process that checks files."""
    app = running.app
    app.verifier_controller.cancel()
    app.verifier_controller._path = FILE
    app.verifier_controller.show(outcome)
    app.open("verifier")


def nothing(running: Running, view: View) -> None:
    app = running.app
    app.verifier_controller.cancel()
    app.verifier_controller._path = None
    app.verifier_controller._verified = None
    app.verifier_controller._card_moves = ()
    app.verifier_controller._state = "empty"
    app.verifier_controller._show()
    app.open("verifier")


def verified(running: Running, view: View) -> None:
    show(running, fair(view.players or 4))


def timeline(running: Running, view: View) -> None:
    verified(running, view)
    checker = running.app.verifier_controller
    checker.goTo(checker.property("moments") * 2 // 3)
    checker.follow(checker.property("top")["card"])
    settle()
    show_game(running)


def show_game(running: Running) -> None:
    """Select the tab of the game, for windows without room for both."""
    tabs = running.window.findChild(QObject, "tabs")
    assert tabs is not None
    tabs.setProperty("current", 1)


def cheat(running: Running, view: View) -> None:
    show(running, cheated())


def absence(running: Running, view: View) -> None:
    show(running, absent())


def damaged(running: Running, view: View) -> None:
    show(running, Unchecked(FileProblem.DAMAGED))


def picture(running: Running, view: View) -> None:
    report = audit_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
    show(running, Verified(report, None, None, 508))


def changed(place: float) -> Callable[[Running, View], None]:
    """Return a scene of a fair game with one changed bit; `place` is 0 to 1, first to last byte."""

    def arrange(running: Running, view: View) -> None:
        show(running, with_a_flipped_bit(place))

    return arrange


@cache
def with_a_flipped_bit(place: float) -> Verified:
    table = named(4).run()
    data = bytearray(table.file)
    data[int(place * (len(data) - 1))] ^= 1
    report = audit_bytes(bytes(data))
    sound = Transcript(table.genesis, tuple(table.entries[: report.entries]), torn=False)
    return Verified(report, build_story(sound, report.entries), 0, len(data))


def cut(running: Running, view: View) -> None:
    show(running, with_its_tail_cut_off())


@cache
def with_its_tail_cut_off() -> Verified:
    table = named(4, Ruleset(hand_size=4))
    table.rounds = 3
    table.run(lambda now: now.replay.number == 3 and playing(now))
    for _ in range(20):
        table.step()
    return checked(table)


SCENES = [
    Scene("verifier-empty", nothing),
    Scene("verifier-timeline", timeline, players=(2, 4, 10), outside=NAMES[-1:]),
    Scene("verifier-cheat", cheat),
    Scene("verifier-absence", absence),
    Scene("verifier-failed", damaged),
    Scene("verifier-changed", changed(0.6)),
    Scene("verifier-cut", cut),
    Scene("verifier-changed-end", changed(1.0), often=False),
    Scene("verifier-picture", picture, often=False),
]
