"""Avatars: each player has the same colour on every screen of every computer."""

from __future__ import annotations

from contextlib import closing
from functools import partial

from lanuno.app.controllers.application import Application
from lanuno.store.history import History
from lanuno.store.profile import load_profile
from lanuno.store.statistics import statistics
from tests.app.network import AppFactory, begin_game, open_table, play_until, wait_for_table
from tests.app.waiting import until


def in_the_room(app: Application) -> dict[str, int]:
    return {seat.name: seat.avatar for seat in app.room_controller.view.seats if seat.taken}


def at_the_table(app: Application) -> dict[str, int]:
    colours = {each.name: each.avatar for each in app.table_controller._opponents.rows}
    me = app.table_controller.property("me")
    return colours | ({me["name"]: me["avatar"]} if me else {})


def in_the_result(app: Application) -> dict[str, int]:
    return {row.name: row.avatar for row in app.result_controller.view.standings}


def test_everybody_has_one_colour_on_every_screen(app_of: AppFactory, table_name: str) -> None:
    """Host and guest chose the same one, and a bot none: all three have different ones."""
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    for app, avatar in ((ana, 6), (ben, 6), (cleo, 2)):
        app.settings_controller.setProperty("avatar", avatar)
    open_table(ana, table_name, preset="masters", seats=3, bots=1)
    begin_game(ana, ben)
    colours = in_the_room(ana)
    assert in_the_room(ben) == colours
    assert sorted(colours.values()) == [0, 1, 6]
    assert 6 in (colours["Ana"], colours["Ben"])
    cleo.start()
    until(lambda: wait_for_table(cleo, table_name).state == "playing")
    cleo.home_controller.watch(wait_for_table(cleo, table_name).id, "")
    until(lambda: cleo.table_controller.property("phase") == "playing")
    for app in (ana, ben, cleo):
        assert at_the_table(app) == colours
    # A change during a match applies to the next table.
    ana.settings_controller.setProperty("avatar", 9)
    play_until([ana, ben], lambda: ben.result_controller.property("matchOver"))
    for app in (ana, ben, cleo):
        until(partial(app.result_controller.property, "matchOver"))
        assert in_the_result(app) == colours
    until(lambda: ben.session_controller.game_file is not None)
    ben.result_controller.verify()
    until(lambda: ben.verifier_controller._hands.rowCount() == 3)
    assert {row.name: row.avatar for row in ben.verifier_controller._hands.rows} == colours
    with closing(History(ben.home_folders)) as history:
        history.refresh()
        me = load_profile(ben.home_folders).identity.public
        (person,) = statistics(history, me).people
    assert (person.name, person.avatar) == ("Ana", colours["Ana"])
