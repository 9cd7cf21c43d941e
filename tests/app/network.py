"""Helpers that open and find tables on loopback, through the slots of the screens. No test here."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from functools import partial

from msgspec import structs

from lanuno.app.controllers.application import Application
from lanuno.app.models.room_rows import FoundTable
from tests.app.slot_player import SlotPlayer
from tests.app.waiting import until

AppFactory = Callable[[str], Application]
"""Makes the app of a player with this name."""


def use_own_port(app: Application) -> None:
    """Set a random listening port, which no other table takes even while it is briefly free.

    It is outside the usual ports and the ephemeral range of operating systems.
    """
    while True:
        port = 20_000 + secrets.randbelow(8_000)
        with socket.socket() as tried:
            try:
                tried.bind(("", port))
            except OSError:
                continue
        settings = app.settings_controller
        settings.values = structs.replace(settings.values, port=port)
        return


def open_table(
    app: Application,
    name: str,
    *,
    preset: str | None = None,
    seats: int = 2,
    bots: int = 0,
    **others: object,
) -> None:
    """Host a table, and wait for its waiting room."""
    host = app.host_controller
    if preset is not None:
        host.choosePreset(preset)
    wishes = {"tableName": name, **others, "seats": seats, "bots": bots}
    for key, value in wishes.items():
        host.setProperty(key, value)
    assert host.property("problem") == ""
    host.begin()
    until(
        lambda: (
            app.room_controller.property("link") and app.room_controller.property("taken") > bots
        )
    )


def table_row(app: Application, name: str) -> FoundTable | None:
    """Return the row of this table in the list, or None."""
    return next((each for each in app.home_controller._tables.rows if each.name == name), None)


def wait_for_table(app: Application, name: str) -> FoundTable:
    """Wait until this table is in the list and has answered."""

    def here() -> bool:
        seen = table_row(app, name)
        return seen is not None and (seen.joinable or seen.can_watch)

    until(here)
    seen = table_row(app, name)
    assert seen is not None
    return seen


def play_until(apps: list[Application], over: Callable[[], bool], patience: float = 60) -> None:
    """Let all apps play until a condition holds."""
    hands = [SlotPlayer(app, number) for number, app in enumerate(apps)]

    def step() -> bool:
        for each in hands:
            each.play()
        return over()

    until(step, patience)


def shows_page(app: Application, page: str) -> bool:
    """Whether this page is shown."""
    return bool(app.property("page") == page)


def is_playing(app: Application) -> bool:
    """Whether the table of this app is in its playing phase."""
    return bool(app.table_controller.property("phase") == "playing")


def closed(app: Application) -> None:
    """Stop an app as if its computer were switched off, without a goodbye."""
    app.close()
    app.bridge._loop.close()


def follow_link(app: Application, link: str) -> None:
    """Open a link from outside, and confirm it."""
    app.run_command(["join", link])
    until(lambda: app.invitation_controller.property("ready"))
    app.invitation_controller.accept()


def say_ready(app: Application) -> None:
    """Let the player be ready for the room on the screen, as soon as it has been there for long."""
    room = app.room_controller
    until(partial(room.property, "canAnswer"))
    room.setReady(True)
    until(partial(room.property, "ready"))


def _has_taken(app: Application, seats: int) -> bool:
    return bool(app.room_controller.property("taken") == seats)


def begin_game(host: Application, *guests: Application) -> None:
    """Let all guests join by the host's link, and begin the game."""
    before = host.room_controller.property("taken")
    for number, guest in enumerate(guests, before + 1):
        follow_link(guest, host.room_controller.property("link"))
        until(partial(shows_page, guest, "room"))
        until(partial(_has_taken, host, number))
    for guest in guests:
        until(partial(_has_taken, guest, before + len(guests)))
        say_ready(guest)
    names = {guest.settings_controller.property("playerName") for guest in guests}

    def all_ready() -> bool:
        ready = {seat.name for seat in host.room_controller.view.seats if seat.ready}
        return names <= ready and bool(host.room_controller.property("canStart"))

    until(all_ready)
    host.room_controller.begin()
    for app in (host, *guests):
        until(partial(is_playing, app))
