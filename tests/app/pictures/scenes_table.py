"""Scenes of the table: few and many players, every question, and every reason for a pause."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow

from lanuno.app.controllers.chat import Speaker
from lanuno.app.controllers.shown_hand import ShownHandPanel
from lanuno.app.leave_texts import question_at_table
from lanuno.app.move_texts import qml_card
from lanuno.app.running import Running
from lanuno.client.events import TableUpdated
from lanuno.client.observed_state import Clock, RevealedHand
from lanuno.client.snapshot import Steps, TableStage
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.format.genesis import safety_hand
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Catch,
    Challenge,
    Draw,
    Keep,
    Play,
    Swap,
    Vote,
)
from lanuno.rules.presets import CLASSIC, PARTNERS
from lanuno.rules.ruleset import Manners, Ruleset
from lanuno.rules.view import SeatView
from lanuno.table.leave_effect import LeaveEffect, RoundFate
from lanuno.table.messages import Reaction
from lanuno.table.outputs import ChatReceived, ReactionSeen, Spectator
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.tables import NAMES, Simulated
from tests.app.user_input import click

PLAYERS = (2, 4, 10)
CORNER = QPointF(10, 24)
"""The place of the index of a card, within the strip that a fan leaves visible."""
LEFT = 9.0
"""Seconds left of the turn in all scenes with a clock."""
SWAPPING = msgspec.structs.replace(CLASSIC, seven_zero=True)
STACKING = msgspec.structs.replace(CLASSIC, stack_draw_two=True)
ADVISING = msgspec.structs.replace(PARTNERS, advice=True, manners=Manners.HONOUR)
ACCUSING = msgspec.structs.replace(CLASSIC, advice=True)
Values = Callable[[Simulated], dict[str, Any]]


def nothing(_table: Simulated) -> dict[str, Any]:
    return {}


def clocked(table: Simulated) -> dict[str, Any]:
    """Return the clock of a turn with most of its time used."""
    seat = table.own.decider
    return {"clock": Clock(0 if seat is None else seat, 60.0, time.monotonic() + LEFT - 60.0)}


def put(
    running: Running,
    table: Simulated,
    values: dict[str, Any] | None = None,
    stage: TableStage = TableStage.PLAYING,
) -> None:
    """Show the present state of a table, without animation."""
    app = running.app
    app.chat_controller.clear()
    app.room_controller.clear()
    app.table_controller.clear()
    app.reset_to("table")
    app.table_controller.show(table.whole(stage, **(values or {})), True)
    app.table_controller.closeShown()
    # Stop the clock, so that the picture does not depend on the time that the page took.
    app.table_controller._clock_timer.stop()
    if values is not None and "clock" in values:
        app.table_controller._clock_left = LEFT
        app.table_controller.clockChanged.emit()
    settle()


def screen(running: Running) -> QObject:
    """Return the QML item of the table screen."""
    assert running.window is not None
    found = running.window.findChild(QObject, "tableScreen")
    assert isinstance(found, QObject)
    return found


@cache
def game(players: int, hoard: int = 0, mine: int | None = 0) -> Simulated:
    """Return a game that has run for a while, at the own turn."""
    table = Simulated(players, seed=3, hoard=hoard, mine=mine)
    if mine is None:
        return table.until(lambda seen: len(seen.discards) > 8)
    if hoard:
        return table.my_turn(hoard)
    return table.until(
        lambda seen: (
            seen.decider == 0
            and len(seen.discards) > players
            and any(isinstance(each, Play) for each in seen.legal)
        )
    )


@cache
def asking(kind: str) -> Simulated:
    """Return a game that asks the own seat a question of this kind."""

    def can(action: type) -> Callable[[SeatView], bool]:
        return lambda seen: any(isinstance(each, action) for each in seen.legal)

    def wild(seen: SeatView) -> bool:
        return any(isinstance(each, Play) and each.colour is not None for each in seen.legal)

    match kind:
        case "challenge":
            return Simulated(5, seed=3).until(can(Challenge))
        case "stack":
            table = Simulated(4, rules=STACKING, seed=1)
            return table.until(lambda seen: can(Accept)(seen) and can(Play)(seen), 20_000)
        case "catch":
            return Simulated(10, seed=2, silent=True).until(can(Catch))
        case "swap":
            return Simulated(5, rules=SWAPPING, seed=1).until(can(Swap))
        case "vote":
            table = Simulated(4, rules=ADVISING, seed=1)
            table.until(lambda _: any(isinstance(a, Accuse) for a in table.seen_by(1).legal))
            accusing = (a for a in table.seen_by(1).legal if isinstance(a, Accuse) and a.seat)
            table.act(next(accusing), seat=1)
            assert can(Vote)(table.own)
            return table
        case _:
            return Simulated(4, seed=5).until(lambda seen: seen.decider == 0 and wild(seen))


def playing(values: Values = clocked, hoard: int = 0, mine: int | None = 0) -> Any:
    """Return a scene of play."""

    def arrange(running: Running, view: View) -> None:
        table = game(view.players or 4, hoard, mine)
        put(running, table, values(table))

    return arrange


def asked(kind: str) -> Any:
    """Return a scene of a question."""

    def arrange(running: Running, view: View) -> None:
        del view
        put(running, asking(kind), clocked(asking(kind)))
        table, owed = running.app.table_controller, asking(kind).own.uno_owed
        if owed is not None:
            table._uno_owed_since = (owed, time.monotonic() - 5)
            table._refresh()
            settle()

    return arrange


@cache
def doubting(players: int) -> Simulated:
    """Return a game with a Wild Draw Four to challenge. Of two players, the accused is opposite."""
    return Simulated(players, seed=3).until(
        lambda seen: seen.challengeable and seen.decider == 0, 20_000
    )


def doubt(running: Running, view: View) -> None:
    table = doubting(view.players or 5)
    put(running, table, clocked(table))


@cache
def many_buttons() -> Simulated:
    """Return a game of ten in which the own seat may draw, catch another seat and accuse."""
    table = Simulated(10, rules=ACCUSING, seed=2, silent=True)
    return table.until(
        lambda seen: (
            seen.decider == 0
            and any(isinstance(each, Catch) for each in seen.legal)
            and any(isinstance(each, Accuse) for each in seen.legal)
            and any(isinstance(each, Draw) for each in seen.legal)
        ),
        20_000,
    )


def buttons(running: Running, view: View) -> None:
    """Show the largest number of buttons beside the prompt."""
    del view
    table = many_buttons()
    put(running, table, clocked(table))
    screen_ = running.app.table_controller
    owed = table.own.uno_owed
    assert owed is not None
    screen_._uno_owed_since = (owed, time.monotonic() - 5)
    screen_._refresh()
    settle()


def drawn_card(running: Running, view: View) -> None:
    """Show a drawn card that fits, and may be played or kept."""
    table = Simulated(view.players or 4, rules=ACCUSING, seed=5).until(
        lambda seen: (
            any(isinstance(each, Keep) for each in seen.legal)
            and any(isinstance(each, Play) for each in seen.legal)
        ),
        20_000,
    )
    put(running, table, clocked(table))


def round_end(running: Running, view: View) -> None:
    """Show the end of a round, with its last card and its winner."""
    table = Simulated(view.players or 4, seed=2)
    while not table.game.over:
        table.step()
    put_round_end(running, table)


def put_round_end(running: Running, table: Simulated) -> None:
    """Show the last card and the winner of a round that is over."""
    put(running, table, stage=TableStage.REVEALING)
    screen_ = running.app.table_controller
    before, screen_.round_end_seconds = screen_.round_end_seconds, 3600.0
    snapshot = table.snapshot(TableStage.REVEALING)
    screen_._show_round_end(TableUpdated(snapshot, tuple(table.happened[-1:]), 0.0))
    screen_.round_end_seconds = before
    screen_._round_end_timer.stop()
    settle()


def colour(running: Running, view: View) -> None:
    del view
    put(running, asking("wild"))
    table = running.app.table_controller
    slots = [
        each.slot for each in table._legal() if isinstance(each, Play) and each.colour is not None
    ]
    table.play(slots[0])


def _lay_open(running: Running, *, to_all: bool) -> None:
    table = game(4)
    held = tuple((1, each) for each in table.seen_by(1).hand)
    put(running, table, {"view": msgspec.structs.replace(table.own, seen=held)})
    slots = tuple(each.slot for _, each in held)
    ends = time.monotonic() + 12
    running.app.table_controller._shown_hand = ShownHandPanel(
        table.snapshot().number, 1, slots, to_all=to_all, ends=ends
    )
    running.app.table_controller.shownChanged.emit()


def shown(running: Running, view: View) -> None:
    del view
    _lay_open(running, to_all=False)


def opened(running: Running, view: View) -> None:
    del view
    _lay_open(running, to_all=True)


def dealing(running: Running, view: View) -> None:
    table = game(view.players or 4)
    seats = len(table.game.seats)
    steps = tuple(
        Steps(seat, True, seat <= seats // 2, seat <= seats // 3) for seat in range(seats)
    )
    put(running, table, {"view": None, "to_move": False, "steps": steps}, TableStage.DEALING)


def choosing(running: Running, view: View) -> None:
    table = game(view.players or 4)
    drawn = tuple(RevealedHand(hand.seat, hand.cards[:1]) for hand in table.open_hands())
    values = {"view": None, "to_move": False, "drawn_for_deal": drawn}
    put(running, table, values, TableStage.CHOOSING)


def asleep(table: Simulated) -> dict[str, Any]:
    return {
        "waits": ((2, time.monotonic() + 73.9),),
        "without_waited": LeaveEffect(round=RoundFate.VOID, continues=True, remaining=(0, 3)),
        "dropped": ((1, DropReason.LEFT),),
    }


def claimable(table: Simulated) -> dict[str, Any]:
    return {"waits": ((2, time.monotonic()),), "claimable": (2,)}


def leaving(running: Running, view: View) -> None:
    """Show the longest question before a player leaves."""
    table = game(view.players or 4)
    put(running, table)
    effect = LeaveEffect(
        round=RoundFate.VOID, continues=True, remaining=(1, 2), bot=True, hands_over=True
    )
    offered, running.app._bot_offered = running.app._bot_offered, lambda: True
    running.app._set_question(question_at_table(effect, table.snapshot()))
    running.app._bot_offered = offered


def bot_plays(running: Running, view: View) -> None:
    """Show the table of a player for whom a bot plays on."""
    put(running, game(view.players or 4))
    running.app.table_controller.let_bot_play(True)


def safety(running: Running, view: View) -> None:
    """Show the button of the safety hand, which practice and a resumed table do not have."""
    put(running, game(view.players or 4))
    room = running.app.room_controller
    room._safety = [qml_card(-1, card) for card in safety_hand(bytes(16))]
    room.safetyChanged.emit()


def void(running: Running, view: View) -> None:
    del view
    values = {"void": VoidReason.LOST, "void_without": ((2, True),), "to_move": False}
    put(running, game(4), values, TableStage.BETWEEN)


def partners(running: Running, view: View) -> None:
    del view
    rules: Ruleset = PARTNERS
    put(running, Simulated(4, rules=rules, seed=2).my_turn())


def chatting(running: Running, view: View) -> None:
    put(running, game(view.players or 4))
    running.app.chat_controller.set_speakers(
        [Speaker(name.encode(), name, False) for name in NAMES[:4]]
    )
    running.app.chat_controller.mine = 0
    running.app.chat_controller.setMuted(NAMES[2].encode().hex(), True)
    for seat, text in (
        (1, "Hello everybody!"),
        (-1, "May I play the next one?"),
        (0, "<b>hi</b>"),
        (3, "I have a very good hand this time, honestly: you will see that in a moment."),
        (1, "🦊🎲🎉🦄🐙🌈🍕🎈"),
    ):
        if seat < 0:
            running.app.chat_controller.add_line(
                ChatReceived(SPECTATORS[0].name, seat, text, SPECTATORS[0].identity)
            )
        else:
            running.app.chat_controller.add_line(ChatReceived(NAMES[seat], seat, text))
    screen(running).setProperty("beside", "chat")
    settle()


def sending_away(running: Running, view: View) -> None:
    """Show the host's menu to send spectators away."""
    chatting(running, view)
    running.app.chat_controller.set_hosting(True)
    running.app.chat_controller.set_spectators(SPECTATORS)
    running.app.chat_controller.setMuted(SPECTATORS[1].identity.hex(), True)
    settle()
    window = running.window
    assert isinstance(window, QQuickWindow)
    click(window, "hideMessages")


def keyboard_on(name: str) -> Any:
    """Return a scene of play with the keyboard focus on this item."""

    def arrange(running: Running, view: View) -> None:
        playing()(running, view)
        item = screen(running).findChild(QQuickItem, name)
        assert isinstance(item, QQuickItem)
        item.forceActiveFocus(Qt.FocusReason.TabFocusReason)
        settle()

    return arrange


def moves(running: Running, view: View) -> None:
    put(running, game(view.players or 4))
    screen(running).setProperty("beside", "moves")


SPECTATORS = tuple(
    Spectator(name, name.encode().ljust(32)) for name in ("Maximiliano Alejandro", "Eve")
)
OUTSIDE = (*NAMES, "Kitchen table", *(each.name for each in SPECTATORS))


def reacting(running: Running, view: View) -> None:
    """Show the reactions of three players, and the open list of reactions."""
    table = game(view.players or 4)
    put(running, table, clocked(table))
    running.app.chat_controller.mine = 0
    for seat, reaction in ((0, Reaction.THUMBS_UP), (2, Reaction.WELL_PLAYED), (3, Reaction.OH_NO)):
        running.app.session_controller._receive(ReactionSeen(NAMES[seat], seat, reaction))
    assert isinstance(running.window, QQuickWindow)
    click(running.window, "react")


SCENES = [
    Scene("table-play", playing(), PLAYERS, outside=OUTSIDE),
    Scene("table-thirty", playing(nothing, hoard=30), (4, 10), outside=OUTSIDE),
    Scene("table-watching", playing(clocked, mine=None), (4,), outside=OUTSIDE),
    Scene("table-dealing", dealing, PLAYERS, outside=OUTSIDE),
    Scene("table-choosing", choosing, PLAYERS, outside=OUTSIDE),
    Scene("table-asleep", playing(asleep), (4, 10), outside=OUTSIDE),
    Scene("table-claimable", playing(claimable), (4,), outside=OUTSIDE),
    Scene("table-host-away", playing(lambda _: {"in_contact": False}), (4,), outside=OUTSIDE),
    Scene("table-frozen", playing(lambda _: {"short_of": (1, 3)}), (4,), outside=OUTSIDE),
    Scene("table-void", void, outside=OUTSIDE),
    Scene("table-safety", safety, (4,), outside=OUTSIDE),
    Scene("table-bot-plays", bot_plays, (4,), outside=OUTSIDE),
    Scene("table-leaving", leaving, (4,), outside=OUTSIDE),
    Scene("table-challenge", asked("challenge"), outside=OUTSIDE),
    Scene("table-doubt", doubt, (2, 3, 10), outside=OUTSIDE, often=False),
    Scene("table-buttons", buttons, outside=OUTSIDE, often=False),
    Scene("table-drawn", drawn_card, (2, 10), outside=OUTSIDE, often=False),
    Scene(
        "table-round-end",
        round_end,
        (2, 4, 10),
        outside=OUTSIDE,
        often=False,
        overlapping=("roundEnd",),
    ),
    Scene("table-stack", asked("stack"), outside=OUTSIDE),
    Scene("table-catch", asked("catch"), outside=OUTSIDE),
    Scene("table-swap", asked("swap"), outside=OUTSIDE),
    Scene("table-vote", asked("vote"), outside=OUTSIDE),
    Scene("table-colour", colour, outside=OUTSIDE),
    Scene("table-shown", shown, outside=OUTSIDE),
    Scene("table-opened", opened, outside=OUTSIDE),
    Scene("table-partners", partners, outside=OUTSIDE),
    Scene("table-chat", chatting, (4, 10), outside=OUTSIDE),
    Scene("table-spectators", sending_away, (4,), outside=OUTSIDE),
    Scene("table-moves", moves, (10,), outside=OUTSIDE),
    Scene("table-reactions", reacting, (4, 10), outside=OUTSIDE, often=False),
    Scene("table-keyboard-on-discards", keyboard_on("discards"), (4,), OUTSIDE, often=False),
    Scene("table-keyboard-on-draw-pile", keyboard_on("draws"), (4,), OUTSIDE, often=False),
    Scene("table-keyboard-on-news", keyboard_on("since"), (4,), OUTSIDE, often=False),
]
