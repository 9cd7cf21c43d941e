"""How tests open tables and find them on loopback, by the slots of the screens. No test here."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from functools import partial

from msgspec import structs

from lanuno.app.controllers.application import Application
from lanuno.app.models.room_rows import FoundTable
from tests.app.hands import Hands
from tests.app.waiting import until

Sit = Callable[[str], Application]
"""Makes the app of somebody with this name."""


def on_a_port_of_its_own(app: Application) -> None:
    """Let tables open where no other does, not even while nobody listens there for a moment.

    It is none of the usual ports, and none that systems hand out.
    """
    while True:
        port = 20_000 + secrets.randbelow(8_000)
        with socket.socket() as tried:
            try:
                tried.bind(("", port))
            except OSError:
                continue
        settings = app.preferences
        settings.kept = structs.replace(settings.kept, port=port)
        return


def opened(
    app: Application,
    name: str,
    *,
    preset: str | None = None,
    seats: int = 2,
    bots: int = 0,
    **others: object,
) -> None:
    """Host a table and wait for its room."""
    host = app.opener
    if preset is not None:
        host.choosePreset(preset)
    wishes = {"tableName": name, **others, "seats": seats, "bots": bots}
    for key, value in wishes.items():
        host.setProperty(key, value)
    assert host.property("problem") == ""
    host.begin()
    until(lambda: app.room_screen.property("link") and app.room_screen.property("taken") > bots)


def row(app: Application, name: str) -> FoundTable | None:
    """This table in the list, if it is there."""
    return next((each for each in app.first._tables.rows if each.name == name), None)


def found(app: Application, name: str) -> FoundTable:
    """Wait until this table is in the list and has answered."""

    def here() -> bool:
        seen = row(app, name)
        return seen is not None and (seen.joinable or seen.can_watch)

    until(here)
    seen = row(app, name)
    assert seen is not None
    return seen


def play(apps: list[Application], over: Callable[[], bool], patience: float = 60) -> None:
    """All play until something is so."""
    hands = [Hands(app, number) for number, app in enumerate(apps)]

    def step() -> bool:
        for each in hands:
            each.play()
        return over()

    until(step, patience)


def shows(app: Application, page: str) -> bool:
    """Whether this page is shown."""
    return bool(app.property("page") == page)


def plays(app: Application) -> bool:
    """Whether cards lie on the table."""
    return bool(app.table_screen.property("phase") == "playing")


def followed(app: Application, link: str) -> None:
    """Open a link from outside, and agree to follow it."""
    app.take(["join", link])
    until(lambda: app.asked.property("ready"))
    app.asked.accept()


def begun(host: Application, *guests: Application) -> None:
    """Everybody sits down by the host's link, and the game begins."""
    for guest in guests:
        followed(guest, host.room_screen.property("link"))
        until(partial(shows, guest, "room"))
        guest.room_screen.setReady(True)
    names = {guest.preferences.property("playerName") for guest in guests}

    def all_ready() -> bool:
        ready = {seat.name for seat in host.room_screen.face.seats if seat.ready}
        return names <= ready and bool(host.room_screen.property("canStart"))

    until(all_ready)
    host.room_screen.begin()
    for app in (host, *guests):
        until(partial(plays, app))
