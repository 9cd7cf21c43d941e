"""Golden outputs of the window: the values shown of simulated tables and of every scene."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import product
from pathlib import Path
from typing import cast
from unittest.mock import patch

from PySide6.QtCore import QTimer

from lanuno.app.bridge import Bridge
from lanuno.app.controllers import chat, table
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.pacer import Pacer
from lanuno.app.loop import LoopThread
from lanuno.app.running import Running
from lanuno.app.sound_output import SILENT_VARIABLE
from lanuno.client.events import SessionEvent, TableUpdated, TournamentStanding
from lanuno.client.snapshot import TableStage
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.log.faults import Blame, Fault
from lanuno.log.format.bodies import CloseReason
from lanuno.store.paths import Home
from lanuno.store.profile import rename
from lanuno.table.messages import Reaction
from lanuno.table.outputs import (
    ActionRefused,
    ChatReceived,
    NodeStopped,
    ReactionSeen,
    RematchChanged,
    Spectator,
    SpectatorsChanged,
)
from tests.app.golden_wording import LANGUAGES
from tests.app.pictures import scenes_table
from tests.app.pictures.render import application
from tests.app.pictures.scene import View, scenes
from tests.app.pictures.tables import Simulated
from tests.app.qml_values import QmlValues
from tests.golden.canonical import name_of
from tests.golden.recording import Golden
from tests.golden.snapshots import CLAIMING, WATCHING, event_text, play

ROUND_END_SECONDS = 3600.0
"""How long the end of a round would stay open; the golden output closes it earlier."""


class Controllers:
    """The controllers of the app without a window, with a clock that only a test advances."""

    def __init__(self, home: Home, language: str, loop: LoopThread) -> None:
        self.now = 0.0
        self.said: list[str] = []
        self.bridge = Bridge(loop)
        self.app = app = Application(home, self.bridge)
        app.settings_controller.change("language", language)
        app.settings_controller.change("avatar", 0)
        screen = app.table_controller
        screen.pacer = Pacer(
            screen.show, screen, gap=0, clock=self.monotonic, holds=screen.pacer.holds
        )
        screen.round_end_seconds = ROUND_END_SECONDS
        screen.challenge_waits = False
        screen.chance = lambda _below: 0
        app.announced.connect(lambda words, urgent: self.said.append(f"says {words!r} {urgent}"))
        screen.moved.connect(lambda *motion: self.said.append(f"moves {motion!r}"))
        screen.jumped.connect(lambda: self.said.append("jumps"))
        screen.my_turn_began.connect(lambda: self.said.append("own turn"))
        app.chat_controller.reacted.connect(lambda *shown: self.said.append(f"reacts {shown!r}"))
        self.shown = QmlValues(app)

    def monotonic(self) -> float:
        """The time that controllers and scenes see."""
        return self.now

    def lines(self) -> Iterator[str]:
        """Yield what was announced, and each shown value that has changed."""
        yield from self.said
        self.said.clear()
        yield from self.shown.changes()


@contextmanager
def controllers(language: str) -> Iterator[Controllers]:
    """Make the controllers of a new player, Ana."""
    with ExitStack() as rest, tempfile.TemporaryDirectory() as folder:
        # The history shows days in the time zone of the computer.
        rest.enter_context(patch.dict(os.environ, {"TZ": "UTC", SILENT_VARIABLE: "1"}))
        time.tzset()
        rest.callback(time.tzset)
        application()
        home = Home.at(Path(folder) / "home")
        home.create()
        rename(home, "Ana")
        loop = LoopThread()
        loop.start()
        rest.callback(loop.close)
        made = Controllers(home, language, loop)
        rest.callback(made.app.close)
        for module in (table, chat, scenes_table):
            rest.enter_context(patch.object(module, "time", made))
        yield made
        # A pending timer would fire after its controller has closed.
        for timer in made.app.findChildren(QTimer):
            timer.stop()


# ---- simulated tables ---------------------------------------------------------------------------

RARE = "rare"
NAMES_THERE = ("Ana", "Begoña", "Carlos", "Dídac")
FIRST = (
    *(f"{CLAIMING}-1/0/en", f"{CLAIMING}-1/1/es", f"{WATCHING}-1/None/en", f"{WATCHING}-1/1/es"),
    *("1/1/en", "2/0/es", f"{RARE}/0/en", f"{RARE}/0/es"),
)
"""Cases that cover much in a short time: the table, the seat that sees it, the language."""
SEATS = {WATCHING: ("0", "1", "None"), CLAIMING: ("0", "1")}
WORLDS = 40


def _table_cases() -> Iterator[str]:
    yield from FIRST
    for scene, seats in SEATS.items():
        for seat, language in product(seats, LANGUAGES):
            yield f"{scene}-1/{seat}/{language}"
    for seed in range(WORLDS):
        yield f"{seed}/{seed % 2}/{LANGUAGES[seed // 2 % 2]}"


def _rarely_told() -> Iterator[tuple[float, SessionEvent]]:
    """Events that no simulated table causes: refusals, evidence, rematches, a tournament."""
    match = Simulated(4, seed=2, names=NAMES_THERE).rounds(99)
    watches = Spectator("Eve", bytes(range(32)))
    blame = Blame(1, Fault.BAD_MASK, 2, 30, "a shuffle that cannot be")
    yield 0.0, Simulated(4, seed=2, names=NAMES_THERE).my_turn().seen()
    yield 1.0, ActionRefused("late", "")
    yield 2.0, SpectatorsChanged((watches,))
    yield 3.0, ChatReceived("Eve", -1, "<b>Hello</b>", watches.identity)
    yield from ((4.0, ReactionSeen(NAMES_THERE[1], 1, reaction)) for reaction in Reaction)
    yield 5.0, NodeStopped(blame)
    yield 6.0, NodeStopped(blame, given_up=True)
    yield 7.0, match.seen(TableStage.CLOSED, closed=CloseReason.FINISHED)
    for wanted, opener in (((2,), None), ((2, 0), 2)):
        yield 8.0, RematchChanged((0, 2, 3), wanted, opener)
    for waits, winners, broken in (
        (False, (), None),
        (True, (), None),
        (False, (1, 2), None),
        (False, (), TournamentBreak(BreakReason.AWAY, NAMES_THERE[:2])),
    ):
        yield (
            9.0,
            TournamentStanding(
                names=NAMES_THERE,
                avatars=(0, 1, 2, 3),
                totals=(5, 30, 30, 0),
                mine=0,
                rotation=1,
                rotations=7,
                winners=winners,
                awaiting_other_table=waits,
                broken=broken,
            ),
        )


def _told(world: str, seat: str) -> Iterable[tuple[float, SessionEvent]]:
    """Return the events that the window of a seat receives, each with its time."""
    if world == RARE:
        return _rarely_told()
    told: list[tuple[float, SessionEvent]] = []

    def hear(who: int | None, what: SessionEvent, at: float) -> None:
        if str(who) == seat:
            told.append((at, what))

    play(world, hear)
    return told


def _table_lines(case: str) -> Iterator[str]:
    world, seat, language = case.split("/")
    with controllers(language) as here:
        if world == RARE:
            here.app.reset_to("table")  # no event reports the start
        yield from here.lines()
        for at, what in _told(world, seat):
            here.now = at
            here.app.session_controller._receive(what)
            told = name_of(type(what)) if isinstance(what, TableUpdated) else event_text(what)
            yield f"-- {at!r} {told}"
            yield from here.lines()
            screen, result = here.app.table_controller, here.app.result_controller
            if screen.property("roundEnd")["open"]:
                screen.closeRoundEnd()
                yield from here.lines()
            if here.app.property("page") == "result" and result.property("goesOn"):
                result.goOn()
                yield from here.lines()
        # Every shown text must change with the language.
        other = next(each for each in LANGUAGES if each != language)
        here.app.settings_controller.change("language", other)
        yield f"-- {other}"
        yield from here.lines()


TABLES = Golden(
    "tables_shown", tuple(dict.fromkeys(_table_cases())), _table_lines, tested=len(FIRST)
)
"""What the window shows of simulated tables, after every event."""


# ---- scenes -------------------------------------------------------------------------------------


class _NoWindowError(Exception):
    """A scene needs the window, for example to click or to scroll."""


class _Windowless:
    """The running app without its window."""

    def __init__(self, here: Controllers) -> None:
        self.app, self.bridge = here.app, here.bridge

    def __getattr__(self, name: str) -> object:
        raise _NoWindowError(name)


SCENES_BY_NAME = {scene.name: scene for scene in scenes()}


def _scene_cases() -> Iterator[str]:
    """Yield each scene once, in alternating languages, and then all other cases."""
    for number, (name, scene) in enumerate(SCENES_BY_NAME.items()):
        yield f"{name}/{scene.players[0]}/{LANGUAGES[number % 2]}"
    for name, scene in SCENES_BY_NAME.items():
        for players in scene.players:
            yield from (f"{name}/{players}/{language}" for language in LANGUAGES)


def _arranged(case: str, here: Controllers) -> None:
    """Bring the controllers to a scene, as far as it needs no window."""
    name, players, language = case.split("/")
    view = View(language=language, players=int(players))
    with suppress(_NoWindowError):
        SCENES_BY_NAME[name].arrange(cast(Running, _Windowless(here)), view)


def _scene_lines(case: str) -> Iterator[str]:
    with controllers(case.rpartition("/")[2]) as here:
        _arranged(case, here)
        yield from here.lines()


SCENES = Golden(
    "scenes_shown", tuple(dict.fromkeys(_scene_cases())), _scene_lines, tested=len(SCENES_BY_NAME)
)
"""What the window shows in every scene."""


# ---- names --------------------------------------------------------------------------------------


def _names(case: str) -> Iterator[str]:
    with controllers("en") as here:
        if case == "properties":
            yield from here.shown.names()
    if case == "properties":
        return
    keys: dict[str, set[tuple[str, ...]]] = {}
    for each in SCENES.cases:
        if each.endswith("/en"):
            with controllers("en") as here:
                _arranged(each, here)
                list(here.lines())
                for called, found in here.shown.keys.items():
                    keys.setdefault(called, set()).update(found)
    for called in sorted(keys):
        yield from (f"{called}: {' '.join(each)}" for each in sorted(keys[called]))


NAMES = Golden("names_shown", ("properties", "keys"), _names, tested=1, as_text=True)
"""The names that QML uses: the only golden output in which a renamed property or role appears."""
