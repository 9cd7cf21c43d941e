"""Tests of the waiting room: everybody sees its rules, and the host can change them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import cast

import pytest

from lanuno.app.controllers import room as room_module
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.room import RoomView
from lanuno.client.session import TableSession
from lanuno.log.audit.audit import audit_bytes
from lanuno.net.discovery.codes import read_code
from lanuno.net.discovery.table_link import parse_link
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PAIRS
from lanuno.rules.ruleset import Ruleset
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyState
from tests.app.announcements import announced, plain
from tests.app.network import (
    AppFactory,
    follow_link,
    is_playing,
    open_table,
    play_until,
    say_ready,
    shows_page,
    table_row,
    wait_for_table,
)
from tests.app.waiting import until
from tests.harness.host_and_seats.simulated_lobby import HOST, ME, public, seat, state
from tests.harness.processes.programs import Program

HOUSE = ("jump_in", "seven_zero", "stack_draw_two")


def change(host: Application, **settings: int) -> None:
    """Change settings as the host: open the rules, set the values, and apply them."""
    host.host_controller.edit()
    assert host.property("page") == "host"
    for key, value in settings.items():
        host.host_controller.set(key, value)
    host.host_controller.begin()
    until(partial(shows_page, host, "room"))


def test_house_rules_are_seen_in_the_list_and_in_the_waiting_room(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    for key in HOUSE:
        ana.host_controller.set(key, 1)
    ana.host_controller.set("target", 300)
    title = "Classic + 3 house rules, 1 changed setting"
    assert ana.host_controller.property("rulesTitle") == title
    open_table(ana, table_name, seats=3)
    ben.start()
    seen = wait_for_table(ben, table_name)
    assert seen.rules_title == title
    assert title in seen.accessible_name
    assert len(seen.rules) == 1 + len(HOUSE) + 1, "the preset, each house rule, and a number"
    ben.home_controller.join(seen.id, "")
    until(partial(shows_page, ben, "room"))
    assert ben.room_controller.property("rulesTitle") == title
    assert len(ben.room_controller.property("rules")) == 1 + len(HOUSE) + 1


def test_the_host_changes_the_rules_and_everybody_is_asked_again(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=4, bots=1)
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    room = ben.room_controller
    say_ready(ben)
    until(lambda: ana.room_controller.property("canStart"))
    cleo.start()
    assert wait_for_table(cleo, table_name).rules == ()
    told = announced(ben)

    change(ana, jump_in=1, hand_size=5)
    news = "The host changed the rules: Jump in: on; Cards dealt to each player: 5."
    until(lambda: not room.property("ready") and news in room.property("status"))
    assert room.property("status") == f"{news} Say again that you are ready."
    assert told.count(news) == 1
    assert not ana.room_controller.property("canStart")
    title = "Classic + 1 house rule, 1 changed setting"
    assert [each.room_controller.property("rulesTitle") for each in (ana, ben)] == [title, title]
    assert [each.text for each in ana._notices.rows] == [
        "The rules were changed: everybody has to be ready again."
    ]
    until(lambda: (seen := table_row(cleo, table_name)) is not None and seen.rules_title == title)
    assert [each.name for each in cleo.home_controller._tables.rows].count(table_name) == 1

    # A click just after the change does not count, because it may be meant for the old rules.
    room._ready_timer.setInterval(60_000)
    room._ready_timer.start()
    room.setReady(True)
    room._ready_timer.stop()
    room._refresh()
    assert room.property("canAnswer")
    assert not room.property("ready")
    # The bot becomes ready again by itself.
    until(lambda: next(each for each in ana.room_controller.view.seats if each.bot).ready)
    say_ready(ben)
    until(lambda: ana.room_controller.property("canStart"))
    until(lambda: news not in room.property("status"))
    assert told.count(news) == 1
    ana.room_controller.begin()
    for app in (ana, ben):
        until(partial(is_playing, app))
    play_until([ana, ben], lambda: ben.result_controller._rounds.rowCount() == 1, 120)
    (kept,) = ben.home_folders.games.glob("*.lanuno")
    report = audit_bytes(kept.read_bytes())
    assert report.ruleset == Ruleset(jump_in=True, hand_size=5)


def test_whoever_comes_or_goes_takes_ready_away_and_is_named(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=4)
    for guest in (ben, cleo):
        follow_link(guest, ana.room_controller.property("link"))
        until(partial(shows_page, guest, "room"))
    room = ben.room_controller
    until(lambda: room.property("taken") == 3)
    say_ready(ben)
    ana.room_controller.addBot()
    until(lambda: not room.property("ready"))
    again = "Say again that you are ready."
    assert room.property("status") == f"Ada sits down, a bot of Ana. {again}"
    cleo.session_controller.leave()
    until(lambda: room.property("taken") == 3)
    both = f"Ada sits down, a bot of Ana. Cleo does not sit here any more. {again}"
    assert room.property("status") == both, "all that has changed since"
    ben.settings_controller.setProperty("language", "es")
    until(lambda: room.property("status").endswith("Di otra vez que estás listo."))
    assert room.property("status").startswith("Ada toma asiento, un bot de Ana. Cleo ya no está")
    say_ready(ben)
    assert "Cleo" not in room.property("status")
    until(lambda: ana.room_controller.property("canStart"))


def test_a_bot_of_another_computer_is_ready_again_by_itself(
    app_of: AppFactory, table_name: str, tmp_path: Path
) -> None:
    ana = app_of("Ana")
    open_table(ana, table_name, seats=2, preset="masters", spectators=False)
    place = ("--table", table_name, "--adapter", "lo", "--name", "Robo", "--json")
    with Program("bot", *place, home=tmp_path / "Robo" / "home") as robo:
        until(lambda: ana.room_controller.property("canStart"), 60)
        change(ana, hand_size=2, jump_in=1)
        until(lambda: ana.room_controller.property("rulesTitle").startswith("Masters + "))
        until(lambda: ana.room_controller.property("canStart"))
        ana.room_controller.begin()
        until(partial(is_playing, ana), 60)
        play_until([ana], lambda: ana.result_controller.property("matchOver"), 120)
        told = robo.end(0).json
    assert told["house_rules"] == ["jump_in"]
    assert told["changed_settings"] == {"hand_size": 2}
    assert [each["rules"] for each in told["notices"] if each["id"] == "table.rules_changed"] == [
        "masters + 1 house rule, 1 changed setting (jump_in=on, hand_size=2)"
    ]


def test_changed_rules_become_a_notice_on_another_page(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=3)
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    ben.open("rules")
    ana.host_controller.edit()
    ana.host_controller.setProperty("seats", 6)
    ana.host_controller.begin()
    until(lambda: ben.room_controller.property("capacity") == 6)
    assert ben.property("page") == "rules"
    assert [each.text for each in ben._notices.rows] == ["The host changed the rules: 6 seats."]


def test_rules_that_do_not_fit_those_who_wait_are_refused(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=4, bots=1)
    follow_link(ben, ana.room_controller.property("link"))
    until(lambda: ana.room_controller.property("taken") == 3)
    host = ana.host_controller
    host.edit()
    assert host.property("editing")
    host.setProperty("seats", 2)
    assert host.property("problem").startswith("There are more players at the table than seats")
    host.begin()
    assert ana.property("page") == "host"
    host.choosePreset("tournament")
    assert host.property("problem").startswith("A tournament is played by eight people")
    host.choosePreset("classic")
    host.set("hand_size", 20)
    host.setProperty("seats", 10)
    assert host.property("problem")
    # Going back discards all changes.
    ana.back()
    assert not host.property("editing")
    assert (ana.property("page"), host.property("seats")) == ("room", 4)
    assert ana.room_controller.property("rulesTitle") == "Classic"


def test_a_host_that_began_in_the_meantime_is_told_why(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = app_of("Ana")
    open_table(ana, table_name, seats=4)
    session = ana.room_controller.session
    assert session is not None

    async def refuse(_rules: Ruleset, _seats: int) -> RulesRefusal:
        return RulesRefusal.STARTED

    monkeypatch.setattr(session, "change_rules", refuse)
    ana.host_controller.edit()
    ana.host_controller.begin()
    until(ana._notices.rowCount)
    assert ana._notices.rows[0].text.startswith("The game is beginning")
    # After the host has left the table, there are no rules to edit.
    ana.session_controller.leave()
    until(lambda: ana.session_controller.session is None)
    assert not ana.host_controller.property("editing")


def test_many_changes_are_not_all_named(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=3)
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    change(ana, **dict.fromkeys(HOUSE_RULES, 1))
    asked = " Say again that you are ready."
    until(lambda: ben.room_controller.property("status").endswith(asked))
    # The rule to stack both cards on each other replaces the two other stacking rules.
    more = len(HOUSE_RULES) - 2 - room_module.MOST_NEWS
    assert ben.room_controller.property("status").endswith(f"; {more} more changes.{asked}")


def test_waiting_for_the_host_alone_is_not_waiting_for_a_player(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=2)
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    until(lambda: ana.room_controller.property("taken") == 2)
    assert ana.room_controller.property("status") == "Waiting for one player to be ready"
    say_ready(ben)
    until(lambda: ana.room_controller.property("canStart"))
    assert ana.room_controller.property("status") == "Everybody is ready: you can begin."
    until(lambda: ben.room_controller.property("ready"))
    assert (
        ben.room_controller.property("status") == "Everybody is ready: \u2068Ana\u2069 can begin."
    )


def test_a_host_with_a_free_seat_reads_what_is_missing_to_begin(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=3)
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    until(lambda: ana.room_controller.property("taken") == 2)
    assert ana.room_controller.property("status") == "Waiting for one player to be ready"
    names = [plain(seat.accessible_name) for seat in ana.room_controller.view.seats]
    assert names == ["Ana, host", "Ben, not ready yet", "Free seat"]
    say_ready(ben)
    until(lambda: ana.room_controller.property("canStart"))
    assert ana.room_controller.property("status").startswith("One seat is free; the game begins")


def test_a_guest_shows_the_way_too_and_no_pin(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=3, pin="s3cret")
    ben.start()
    seen = wait_for_table(ben, table_name)
    ben.home_controller.join(seen.id, "")
    ben.home_controller.join(seen.id, "s3cret")
    until(partial(shows_page, ben, "room"))
    theirs, mine = ben.room_controller.property("link"), ana.room_controller.property("link")
    assert parse_link(theirs) == parse_link(mine)
    assert ben.room_controller.property("qr")[0][0] is True
    assert "s3cret" not in theirs
    ben.room_controller.copyLink()
    assert "s3cret" not in str(ben.room_controller.view)
    code = ana.room_controller.property("code")
    assert ben.room_controller.property("code") == code
    assert code == "" or read_code(code)[0] == "127.0.0.1"


def test_an_address_of_this_computer_alone_leads_nobody_there(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=3)
    monkeypatch.setattr("lanuno.app.controllers.session_controller.LOOPBACK_NAMES", frozenset())
    follow_link(ben, ana.room_controller.property("link"))
    until(partial(shows_page, ben, "room"))
    assert ben.room_controller.property("link") == ""


def shown_to_ben(ben: Application, state: LobbyState) -> RoomView:
    """Return what Ben's window shows of this room, which a dishonest host sends."""
    room = ben.room_controller
    if room.session is None:
        room.session = cast("TableSession", SilentSession())
    room.show(state)
    return room.view


class SilentSession:
    """A session that is not connected."""

    identity, host_identity, hosts, request = public(ME), public(HOST), False, None

    def __init__(self) -> None:
        self.begun: list[LobbyState] = []

    async def ready(self, ready: bool, shown: LobbyState) -> None:
        """Send nothing: the host answers with another room at once."""

    async def begin(self, shown: LobbyState) -> None:
        """Note the room with which the host wants to begin."""
        self.begun.append(shown)


def test_a_host_that_answers_ready_with_another_room_is_seen(app_of: AppFactory) -> None:
    """The attack: the window never shows that the player was ready, and so nothing as changed."""
    ben = app_of("Ben")
    people = (seat(HOST), seat(ME), seat(2))
    shown_to_ben(ben, state(seats=people))
    ben.room_controller.setReady(True)
    cheat = seat(2, identity=public(66))
    after = shown_to_ben(ben, state(seats=(*people[:2], cheat)))
    changed = "Another player, with another key, now has the name player2."
    assert plain(after.status) == f"{changed} Say again that you are ready."
    assert plain(after.seats[2].warning) == changed


def test_a_name_that_comes_back_with_another_key_is_marked(app_of: AppFactory) -> None:
    """The attack: between the two a player is ready, and then sees only somebody sit down."""
    ben = app_of("Ben")
    people = (seat(HOST), seat(ME), seat(2))
    shown_to_ben(ben, state(seats=people))
    shown_to_ben(ben, state(seats=(people[0], seat(ME, ready=True))))
    after = shown_to_ben(ben, state(seats=(*people[:2], seat(66, name="PIayer2"))))
    assert plain(after.seats[2].warning) == (
        "Another player, with another key, now has the name PIayer2."
    )
    after = shown_to_ben(ben, state(seats=people))
    assert after.seats[2].warning == ""


def test_the_pairs_are_those_of_the_players_who_are_there(app_of: AppFactory) -> None:
    """The attack: a table for six begins with the four who have signed, in other pairs."""
    ben = app_of("Ben")
    people = (seat(HOST), seat(ME), seat(2), seat(3), seat(4))
    after = shown_to_ben(ben, state(ruleset=PAIRS, capacity=6, seats=people[:4]))
    assert [each.team for each in after.seats] == [0, 1, 0, 1, -1, -1]
    after = shown_to_ben(ben, state(ruleset=PAIRS, capacity=6, seats=people))
    assert [each.team for each in after.seats] == [0, 1, 2] * 2, "five cannot begin"


def test_a_host_begins_with_no_room_that_has_just_changed(app_of: AppFactory) -> None:
    """The attack: a ready guest makes room for another one at the moment of the click."""
    ben = app_of("Ben")
    session = SilentSession()
    session.identity, session.hosts = public(HOST), True
    room = ben.room_controller
    room.session = cast("TableSession", session)
    room._ready_timer.setInterval(60_000)
    room.show(state(seats=(seat(HOST), seat(2, ready=True))))
    assert room.property("canStart")
    room.begin()
    until(lambda: len(session.begun) == 1)
    cheat = state(seats=(seat(HOST), seat(2, identity=public(66), ready=True)))
    room.show(cheat)
    assert not room.property("canStart")
    room.begin()
    room._ready_timer.stop()
    room.show(cheat)
    assert room.property("canStart")
    room.begin()
    until(lambda: len(session.begun) > 1)
    assert session.begun[1:] == [cheat], "the click before had no effect"
