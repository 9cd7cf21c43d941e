"""Sheets and banners of the table cover neither seats nor piles nor the hand, and move no pile."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest
from PySide6.QtCore import QObject, QRectF
from PySide6.QtQuick import QQuickWindow

from lanuno.app.controllers.shown_hand import ShownHandPanel
from lanuno.app.running import Running
from lanuno.client.languages import languages
from lanuno.client.snapshot import TableStage
from lanuno.log.faults import VoidReason
from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Accept, Action, Challenge, NameColour, Play, Vote
from lanuno.rules.engine.state import RoundPhase
from tests.app.pictures.inspection import is_in_fan, spots
from tests.app.pictures.render import LARGE, SMALL
from tests.app.pictures.tables import Simulated
from tests.app.user_input import find
from tests.app.waiting import drawn, settle, until

SIZES = (SMALL, (1024, 640), LARGE)
VISIBLE_CARD, VISIBLE_AT_LEAST = 40, 24
"""Pixels of the height of every card in the hand that stay visible; the second is for a sheet and a
banner at once."""
LONG_NAME = 2
"""The seat with the longest name."""


@cache
def table_of(players: int, mine: int | None = 0) -> Simulated:
    """Return a table in the middle of a round, on the turn of the own seat."""
    table = Simulated(players, seed=3, mine=mine)
    return table.until(
        lambda seen: seen.decider == 0 and len(seen.discards) > 3 and seen.top is not None, 20_000
    )


def values_of(kind: str, table: Simulated) -> dict[str, Any]:
    """Return the values of the snapshot in which this sheet or banner is shown."""
    view, by = table.own, min(LONG_NAME, len(table.names) - 1)
    replace = msgspec.structs.replace
    late = time.monotonic() + 73.9
    asked = {"penalty": 4, "accused": by, "accused_colour": Colour.YELLOW, "decider": 0}
    legal: tuple[Action, ...]
    match kind:
        case "challenge":
            legal = (Accept(), Challenge())
            return {"view": replace(view, legal=legal, phase=RoundPhase.PENALTY, **asked)}
        case "stack":
            plays = [each for each in view.legal if isinstance(each, Play)]
            legal = (Accept(), Challenge(), *plays)
            return {"view": replace(view, legal=legal, phase=RoundPhase.PENALTY, **asked)}
        case "vote" | "votes of others":
            legal = (Vote(True), Vote(False)) if kind == "vote" else ()
            return {"view": replace(view, legal=legal, accusation=(by, 0))}
        case "colour":
            legal = tuple(NameColour(int(each)) for each in Colour)
            return {"view": replace(view, legal=legal, phase=RoundPhase.COLOUR)}
        case "shown" | "opened" | "verdict":
            held = tuple((1, each) for each in table.seen_by(1).hand)
            return {"view": replace(view, seen=held)}
        case "asleep":
            return {"waits": ((by, late),)}
        case "asleep, challenge":
            return {"waits": ((by, late),), **values_of("challenge", table)}
        case "claimable":
            return {"waits": ((by, 0.0),), "claimable": (by,)}
        case "host away":
            return {"in_contact": False, "host": by}
        case "frozen":
            return {"short_of": (1, 3)}
        case _:
            return {"void": VoidReason(3), "to_move": False}


def put(running: Running, table: Simulated, values: dict[str, Any], stage: TableStage) -> None:
    """Show this state of a table on the page that is open, without animation."""
    controller = running.app.table_controller
    controller.clear()
    controller.show(table.whole(stage, **values), True)
    controller.closeShown()
    controller._clock_timer.stop()


def show(running: Running, kind: str, table: Simulated) -> None:
    """Show this sheet or banner."""
    stage = TableStage.BETWEEN if kind == "void" else TableStage.PLAYING
    put(running, table, values_of(kind, table), stage)
    controller = running.app.table_controller
    if kind == "wild":
        controller._set_colour_slot(table.own.hand[0].slot)
    if kind in ("shown", "opened", "verdict"):
        slots = tuple(each.slot for each in table.seen_by(1).hand)
        controller._shown_hand = ShownHandPanel(
            table.snapshot().number,
            1,
            () if kind == "verdict" else slots,
            kind == "opened",
            time.monotonic() + 60,
            min(LONG_NAME, len(table.names) - 1),
            f"No bluff: {table.names[min(LONG_NAME, len(table.names) - 1)]} draws 6 cards",
        )
        controller.shownChanged.emit()
    settle()


NAMED = {
    "stack": ("challenge",),
    "votes of others": ("vote",),
    "colour": ("colours",),
    "wild": ("colours",),
    "opened": ("shown",),
    "verdict": ("shown",),
    "asleep, challenge": ("challenge", "notice"),
    **dict.fromkeys(("asleep", "claimable", "host away", "frozen", "void"), ("notice",)),
}
KINDS = ("challenge", "vote", "shown", *NAMED)
WATCHED = ("votes of others", "opened", "verdict", "asleep", "host away", "void")
"""What a spectator sees, too."""


def faults(window: QQuickWindow, names: tuple[str, ...], piles: QRectF) -> Iterator[str]:
    """Yield what these sheets cover or push away, and what of them is cut."""
    seen = list(spots(window))
    places = {spot.item.objectName(): spot.whole for spot in seen if spot.item.objectName()}
    inside = QRectF(0, 0, window.width(), window.height())
    if places.get("piles", piles) != piles:
        yield f"the piles have moved from {piles} to {places['piles']}"
    kept = {
        name: place
        for name, place in places.items()
        if name in ("me", "piles", "colourBadge", "penalty", "leave", "turn")
        or name.startswith("seat")
    }
    cards = [spot.whole for spot in seen if is_in_fan(spot.item) and spot.item.isEnabled()]
    hand = [each for each in cards if each.top() > places["turn"].top()]
    for name in names:
        if name not in places:
            yield f"{name} is not shown"
            continue
        sheet = places[name]
        if not inside.contains(sheet):
            yield f"{name} goes beyond the window: {sheet}"
        for other, place in kept.items():
            if other != "turn" and sheet.intersects(place):
                yield f"{name} covers {other}"
        if any(sheet.intersects(each) for each in hand):
            yield f"{name} covers the hand"
        for spot in seen:
            within = spot.item.objectName() != name and any(
                each.objectName() == name for each in spot.above
            )
            if not within:
                continue
            words = spot.item.property("text") or spot.item.objectName()
            if words and not sheet.adjusted(-1, -1, 1, 1).contains(spot.whole):
                yield f"{words!r} sticks out of {name}"
            if spot.item.property("truncated"):
                yield f"{spot.item.property('text')!r} is cut short"
    for one in hand:
        least = VISIBLE_CARD if len(names) == 1 else VISIBLE_AT_LEAST
        if one.intersected(inside).height() < least:
            yield f"only {one.intersected(inside).height():.0f} px of a card are visible"
            break


PILES: dict[tuple[object, ...], QRectF] = {}
"""Where the piles are without a sheet, by all that differs between two calls."""


def looked_at(
    running: Running, window: QQuickWindow, kind: str, players: int, mine: int | None = 0
) -> list[str]:
    table, settings = table_of(players, mine), running.app.settings_controller
    shown = settings.textScale, settings.language
    place = (players, mine, *shown, window.width(), window.height())
    if place not in PILES:
        put(running, table, {"to_move": False}, TableStage.PLAYING)
        find(window, "piles")
        drawn(window)
        PILES[place] = {spot.item.objectName(): spot.whole for spot in spots(window)}["piles"]
    show(running, kind, table)
    drawn(window)
    return list(faults(window, NAMED.get(kind, (kind,)), PILES[place]))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("kind", KINDS)
def test_a_sheet_covers_neither_seats_nor_piles_nor_the_hand(
    running: Running, window: QQuickWindow, kind: str, size: tuple[int, int]
) -> None:
    """In the smallest window with any number of players, at the usual and the largest text."""
    settings = running.app.settings_controller
    window.resize(*size)
    running.app.reset_to("table")
    stack = window.findChild(QObject, "stack")
    assert stack is not None
    until(lambda: not stack.property("busy"))
    found, spoken = [], languages()
    for number, players in enumerate(range(2, 11) if size == SMALL else (2, 5, 10)):
        settings.change("language", spoken[number % len(spoken)])
        for scale in (1.0, 1.5):
            settings.change("text_scale", scale)
            for mine in (0, None) if kind in WATCHED else (0,):
                each = looked_at(running, window, kind, players, mine)
                found += [f"{players} players, {mine}, text {scale}: {fault}" for fault in each]
    assert found == []
