"""Scenes of the first page, of opening and joining a table, and of the waiting room."""

from __future__ import annotations

import asyncio
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QMetaObject, QObject
from PySide6.QtQuick import QQuickWindow

from lanuno.app.controllers.resumable import last_played
from lanuno.app.models.room_rows import InterruptedTable
from lanuno.app.move_texts import qml_card
from lanuno.app.problem_texts import net_problem
from lanuno.app.running import Running
from lanuno.app.texts import translate
from lanuno.client.find import DiscoveredTable, DiscoveredTables
from lanuno.client.places import TablePlace
from lanuno.client.requests import BOT_NAMES, JoinRequest
from lanuno.client.session import TableSession
from lanuno.log.format.genesis import NO_NONCE, VERSION, Roster, SeatInfo, safety_hand
from lanuno.net.discovery.advert import TableState
from lanuno.net.errors import NetFault
from lanuno.rules.presets import PRESETS
from lanuno.store.known_people import KnownName, KnownPeople
from lanuno.store.rule_sets import RuleSet
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from lanuno.table.outputs import ChatReceived, Spectator
from tests.app.pictures.render import settle
from tests.app.pictures.scene import Scene, View
from tests.app.pictures.tables import NAMES
from tests.app.user_input import click, write

LINK = "lanuno://192.168.1.20:47474/0123456789abcdef0123456789abcdef#" + "0123456789abcdef" * 4
CODE = "R2M-025-025"
FOUND = (
    ("Mesa de Ana", "Ana", "classic", 6, 3, TableState.OPEN, False, None),
    ("Viernes noche", "Dídac", "pairs", 4, 3, TableState.OPEN, True, None),
    (NAMES[7] + " " + NAMES[2], NAMES[2], "low-score", 10, 10, TableState.PLAYING, False, None),
    ("<b>Mesa</b>", "<b>Eva</b>", "express", 4, 1, TableState.OPEN, False, NetFault.TIMEOUT),
)
"""Tables found: name, host, preset, seats, taken seats, state, PIN, fault."""
CHANGED = {0: (0b10111101, 0), 1: (0b11, 1)}
"""The house rules as bits, and the number of other changed settings, by table."""

LONG = (NAMES[2],)
"""Texts that may be cut."""


def found_table(number: int) -> DiscoveredTable:
    """Return one of the tables in `FOUND`."""
    name, host, preset, seats, taken, state, pin, fault = FOUND[number]
    return DiscoveredTable(
        key=str(number),
        id=bytes([number]) * 16,
        fingerprint="0" * 64,
        addresses=("192.168.1.20",),
        port=47474,
        name=name,
        host=host,
        preset=preset,
        seats=seats,
        taken=taken,
        state=state,
        pin=pin,
        avatar=number,
        house=CHANGED.get(number, (0, 0))[0],
        changed=CHANGED.get(number, (0, 0))[1],
        version=VERSION,
        answered=fault is None,
        fault=fault,
    )


def see(running: Running, seen: DiscoveredTables, known: KnownPeople | None = None) -> None:
    """Show the first page during a search that has found these tables."""
    home = running.app.home_controller
    running.app.known_people.receive(known or KnownPeople())
    if home._discovery is None:
        home._discovery = running.bridge.run(_look())
    home._started = True
    home._just_started = True
    home._found = seen
    running.app.settings_controller.met()
    running.app.home_controller._interrupted_tables.rows.show([])
    running.app.home_controller._visiting.busy = False
    running.app.home_controller._visiting.forget()
    home._show_tables()


async def _look() -> None:
    """Stand in for the search on the network, because the scene provides the tables."""
    await asyncio.Event().wait()


def found(running: Running, view: View) -> None:
    see(
        running,
        DiscoveredTables(tuple(found_table(each) for each in range(len(FOUND))), None, True),
    )


def found_before(running: Running, view: View) -> None:
    """Show a host that answers at its last address."""
    there = replace(found_table(0), name="", preset="", seats=0, taken=0)
    see(running, DiscoveredTables((there,), None, True))


def nothing(running: Running, view: View) -> None:
    see(running, DiscoveredTables((), None, True))


def nothing_for_long(running: Running, view: View) -> None:
    nothing(running, view)
    running.app.home_controller._nothing_found()


def blocked(running: Running, view: View) -> None:
    see(running, DiscoveredTables((), None, True, NetFault.MULTICAST_PORT))


def newcomer(running: Running, view: View) -> None:
    nothing(running, view)
    running.app.settings_controller._newcomer = True
    running.app.settings_controller.newcomerChanged.emit()


def interrupted(running: Running, view: View) -> None:
    see(running, DiscoveredTables((found_table(0),), None, True))
    text = last_played(("Begoña", "Dídac", "Eva"), 1_790_000_000)
    rows = [InterruptedTable("1", "Domingo en casa", text), InterruptedTable("2", NAMES[2], text)]
    running.app.home_controller._interrupted_tables.rows.show(rows)


def table_rules(running: Running, view: View) -> None:
    found(running, view)
    _click(running, "tableRules")


def pin(running: Running, view: View) -> None:
    found(running, view)
    running.app.home_controller._visiting.ask_pin("1", "Viernes noche", (bytes(16), ""))


def other_key(running: Running, view: View) -> None:
    """Show tables that look like others: a known one under another key, and the real one."""
    first = found_table(1)
    known = KnownPeople(tables=(KnownName(first.name, "1" * 64),))
    real = replace(first, key="real", fingerprint="1" * 64)
    see(running, DiscoveredTables((first, real, found_table(2)), None, True), known)


def other_key_pin(running: Running, view: View) -> None:
    other_key(running, view)
    running.app.home_controller._visiting.ask_pin("1", found_table(1).name, (bytes(16), ""))


def room_other_key(running: Running, view: View) -> None:
    """Show a guest who has the name of a known person, but another key."""
    room(running, view)
    running.app.known_people.receive(KnownPeople((KnownName(NAMES[1], "f" * 64),)))


def joining(running: Running, view: View) -> None:
    found(running, view)
    visiting = running.app.home_controller._visiting
    visiting.page, visiting.name, visiting.busy = "home", NAMES[7] + " " + NAMES[2], True
    visiting.changed.emit()


def who_i_am(running: Running, view: View) -> None:
    nothing(running, view)
    _click(running, "me")


def long_name(running: Running, view: View) -> None:
    """Show a typed name that is too long."""
    who_i_am(running, view)
    assert isinstance(running.window, QQuickWindow)
    write(running.window, "Maximiliana Constanza de las Mercedes")


def _click(running: Running, name: str) -> None:
    assert isinstance(running.window, QQuickWindow)
    click(running.window, name)


def keys(running: Running, view: View) -> None:
    nothing(running, view)
    help_ = running.window.findChild(QObject, "keyHelp")
    assert help_ is not None
    QMetaObject.invokeMethod(help_, "open")


def host(running: Running, view: View) -> None:
    running.app.host_controller.setProperty("practice", False)
    running.app.host_controller.resetRules()
    running.app.host_controller._rule_sets = ()
    running.app.host_controller.choosePreset("classic")
    running.app.host_controller.setProperty("pin", "")
    running.app.open("host")


def house_rules(running: Running, view: View) -> None:
    host(running, view)
    running.app.host_controller.set("seven_zero", 1)
    running.app.host_controller.set("target", 300)
    running.app.host_controller.set("manners", 1)
    settle()
    area = running.window.findChild(QObject, "area")
    assert area is not None
    area.setProperty("contentY", 1130.0)


def host_clocks(running: Running, view: View) -> None:
    """Show the end of the settings for a host."""
    host(running, view)
    settle()
    area = running.window.findChild(QObject, "area")
    assert area is not None
    area.setProperty("contentY", area.property("contentHeight") - area.property("height"))


def short_in_rounds(running: Running, view: View) -> None:
    """Show the setting for the end of a short match."""
    host(running, view)
    running.app.host_controller.choosePreset("masters-short")
    running.app.host_controller.set("format", 8)
    settle()
    area = running.window.findChild(QObject, "area")
    assert area is not None
    area.setProperty("contentY", 1330.0 if view.text_scale == 1 else 2430.0)


def how_it_is_played(running: Running, view: View) -> None:
    house_rules(running, view)
    _click(running, "houseRules")


def saved(running: Running, view: View) -> None:
    host(running, view)
    opener = running.app.host_controller
    friday = msgspec.structs.replace(PRESETS["classic"], jump_in=True, seven_zero=True, target=300)
    names = ("Viernes noche", NAMES[2])
    opener._rule_sets = tuple(
        RuleSet(name, msgspec.structs.replace(friday, hand_size=7 + number))
        for number, name in enumerate(names)
    )
    opener._show()
    opener.chooseSaved(names[0])
    opener.setProperty("pin", "4711")


def save(running: Running, view: View) -> None:
    saved(running, view)
    running.app.host_controller.set("jump_in", 0)
    settle()
    area = running.window.findChild(QObject, "area")
    assert area is not None
    area.setProperty("contentY", 300.0)
    settle()
    _click(running, "keepRules")


def wrong_rules(running: Running, view: View) -> None:
    host(running, view)
    running.app.host_controller.setProperty("pin", "4711\u200b")


def join(running: Running, view: View) -> None:
    running.app.join_controller.setProperty("text", "")
    running.app.open("join")


def join_wrong(running: Running, view: View) -> None:
    join(running, view)
    running.app.join_controller.setProperty("text", CODE[:-1])


def join_failed(running: Running, view: View) -> None:
    join(running, view)
    running.app.join_controller.setProperty("text", CODE)
    visiting = running.app.home_controller._visiting
    visiting.page, visiting.error = "join", net_problem(NetFault.TIMEOUT, 47474)
    visiting.changed.emit()


def room(
    running: Running,
    view: View,
    *,
    hosting: bool = True,
    preset: str = "classic",
    before: Roster | None = None,
) -> None:
    """Show the waiting room of Ana's table, with one free seat; `before`: for a rematch."""
    app, players = running.app, view.players or 4
    app.room_controller.clear()
    app.known_people.receive(KnownPeople())
    app.chat_controller.clear()
    seats = tuple(
        LobbySeat(NAMES[each], bytes([each]) * 32, bytes([0]) * 32, each == 3, each != 2)
        for each in range(max(1, players - 1))
    )
    # The waiting room needs only the own identity and the host's from the session.
    mine = SimpleNamespace(identity=bytes([0 if hosting else 1]) * 32, hosts=hosting)
    mine.host_identity = bytes([0]) * 32
    place = TablePlace(("192.0.2.1",), 47474, None)
    mine.request = JoinRequest(place=place, expected=before)
    app.room_controller.session = cast("TableSession", mine)
    state = LobbyState(
        bytes(16), "Mesa de Ana", LobbyPhase.OPEN, PRESETS[preset], players, seats, 2, pin=True
    )
    app.room_controller.show(state)
    app.room_controller.set_invitation((LINK,), (CODE,))
    app.chat_controller.my_name = NAMES[0]
    app.chat_controller.mine = 0
    app.chat_controller.add_line(
        ChatReceived(NAMES[1], 1, "¿Jugamos con las reglas de casa? <b>Yo sí</b>")
    )
    app.chat_controller.add_line(ChatReceived(NAMES[0], 0, "Vale"))
    app.chat_controller.add_line(ChatReceived("Eva", -1, "¿Puedo mirar?", b"e" * 32))
    app.chat_controller.set_spectators((Spectator("Eva", b"e" * 32),) if hosting else ())
    app.reset_to("room")


def room_sent_away(running: Running, view: View) -> None:
    room(running, view)
    app = running.app
    app.chat_controller._sent_away = {b"m" * 32: NAMES[4]}
    app.chat_controller.changed.emit()


def room_of_pairs(running: Running, view: View) -> None:
    room(running, view, preset="pairs")


def room_as_guest(running: Running, view: View) -> None:
    room(running, view, hosting=False)


CHANGED_RULES = msgspec.structs.replace(
    PRESETS["classic"], jump_in=True, seven_zero=True, stack_draw_two=True, hand_size=5, target=300
)


def _show(running: Running, **parts: Any) -> None:
    """Show the waiting room with changes to its state, when they have been visible for long."""
    screen = running.app.room_controller
    assert screen.state is not None
    screen.show(msgspec.structs.replace(screen.state, **parts))
    screen._ready_timer.stop()
    screen._refresh()


def room_rules(running: Running, view: View) -> None:
    room(running, view)
    _show(running, ruleset=CHANGED_RULES)
    running.app.dismiss_all()
    _click(running, "rules")


def room_change(running: Running, view: View) -> None:
    room(running, view)
    _show(running, ruleset=CHANGED_RULES)
    running.app.dismiss_all()
    running.app.host_controller.edit()
    running.app.host_controller.setProperty("seats", 2)


def room_changed(running: Running, view: View) -> None:
    room(running, view, hosting=False)
    screen = running.app.room_controller
    assert screen.state is not None
    waiting = [msgspec.structs.replace(seat, ready=False) for seat in screen.state.seats]
    _show(running, ruleset=CHANGED_RULES, seats=tuple(waiting))


def room_people_changed(running: Running, view: View) -> None:
    """Show what has changed since the player was ready: a key, a bot for a person, and places."""
    room(running, view, hosting=False, preset="pairs")
    screen = running.app.room_controller
    assert screen.state is not None
    host, mine, *others = (
        msgspec.structs.replace(seat, ready=False) for seat in screen.state.seats
    )
    if others:
        others[0] = msgspec.structs.replace(others[0], identity=bytes([77]) * 32)
    more = [LobbySeat(BOT_NAMES[0], bytes([78]) * 32, host.identity, bot=True, ready=True)]
    _show(running, seats=(host, *others, mine, *more[: screen.state.capacity - len(others) - 2]))


def room_rematch(running: Running, view: View, *, others: bool = False) -> None:
    """Show the room of a rematch, in which somebody is missing or somebody else sits."""
    players = view.players or 4
    seats = tuple(
        SeatInfo(NAMES[each], bytes([each]) * 32, bytes([each]) * 32, False, False, NO_NONCE)
        for each in range(players)
    )
    roster = Roster(VERSION, bytes(16), 0, PRESETS["classic"], seats)
    room(running, view, hosting=False, before=roster)
    screen = running.app.room_controller
    here = [
        LobbySeat(seat.name, seat.identity, seat.owner, False, ready=False) for seat in seats[:-1]
    ]
    if others:
        here.append(LobbySeat(NAMES[players], bytes([77]) * 32, bytes([77]) * 32, False, False))
    assert screen.state is not None
    screen._agreed, screen.state = roster, None
    screen.show(
        LobbyState(
            bytes(16), "Mesa de Ana", LobbyPhase.OPEN, PRESETS["classic"], players, tuple(here), 0
        )
    )


def _full(running: Running, view: View, *, hosting: bool) -> None:
    """Show a full waiting room in which everybody is ready except the host, who begins."""
    room(running, view, hosting=hosting)
    screen = running.app.room_controller
    assert screen.state is not None
    here = [
        msgspec.structs.replace(seat, ready=place > 0)
        for place, seat in enumerate(screen.state.seats)
    ]
    _show(running, capacity=len(here), seats=tuple(here))
    running.app.dismiss_all()
    screen._first = screen._agreed = screen.state
    screen._ready_timer.stop()
    screen._refresh()


def room_begin(running: Running, view: View) -> None:
    _full(running, view, hosting=True)


def room_begin_guest(running: Running, view: View) -> None:
    _full(running, view, hosting=False)


def room_leaving_guest(running: Running, view: View) -> None:
    room(running, view, hosting=False)
    running.app._set_question(
        translate("Playing", "Leave this table? Your seat becomes free for another player.")
    )


def room_comparing(running: Running, view: View) -> None:
    """Show the safety hand, turned over once everybody has signed."""
    _full(running, view, hosting=False)
    screen = running.app.room_controller
    screen._safety = [qml_card(-1, card) for card in safety_hand(bytes(16))]
    screen.safetyChanged.emit()
    before, screen.comparing_seconds = screen.comparing_seconds, 3600.0
    screen.compare(people=4)
    screen.comparing_seconds = before


def room_menu(running: Running, view: View) -> None:
    room(running, view)
    _click(running, "seatMenu")


def room_spectators(running: Running, view: View) -> None:
    room(running, view)
    _click(running, "hideMessages")


def leaving(running: Running, view: View) -> None:
    room(running, view)
    running.app._set_question(
        translate("Playing", "Close this table? Everybody who is waiting here has to leave.")
    )


def notices(running: Running, view: View) -> None:
    nothing(running, view)
    running.app.notice(translate("Application", "The report was copied."), "good")
    running.app.notice(net_problem(NetFault.TIMEOUT, 47474), "error")


def crash(running: Running, view: View) -> None:
    found(running, view)
    running.unexpected(ZeroDivisionError("on purpose"))


SCENES: list[Scene] = [
    Scene("home", found, outside=LONG),
    Scene("home-found-before", found_before, often=False),
    Scene("home-nothing", nothing, often=False),
    Scene("home-quiet", nothing_for_long, often=False),
    Scene("home-blocked", blocked),
    Scene("home-newcomer", newcomer),
    Scene("home-interrupted", interrupted, outside=LONG),
    Scene("home-pin", pin, outside=LONG),
    Scene("home-other-key", other_key, outside=LONG, often=False),
    Scene("home-other-key-pin", other_key_pin, outside=LONG, often=False),
    Scene("home-tablerules", table_rules, outside=LONG, often=False),
    Scene("home-joining", joining, outside=LONG, often=False),
    Scene("home-me", who_i_am, often=False),
    Scene("home-me-long", long_name, often=False),
    Scene("home-keys", keys, often=False),
    Scene("home-notices", notices, overlapping=("dismiss",)),
    Scene("home-crash", crash, outside=LONG),
    Scene("host", host),
    Scene("host-rules", house_rules),
    Scene("host-clocks", host_clocks, often=False),
    Scene("host-problem", wrong_rules, often=False),
    Scene("host-short-in-rounds", short_in_rounds, often=False),
    Scene("host-how", how_it_is_played, often=False),
    Scene("host-saved", saved, outside=LONG, often=False),
    Scene("host-save", save, outside=LONG, often=False),
    Scene("join", join, often=False),
    Scene("join-wrong", join_wrong),
    Scene("join-failed", join_failed),
    Scene("room", room, (2, 4, 10), outside=LONG),
    Scene("room-other-key", room_other_key, (4,), outside=LONG, often=False),
    Scene("room-pairs", room_of_pairs, (4, 10), outside=LONG),
    Scene("room-guest", room_as_guest, (4,), outside=LONG, often=False),
    Scene("room-rules", room_rules, (4,), outside=LONG, often=False),
    Scene("room-sent-away", room_sent_away, (4,), outside=LONG, often=False),
    Scene("room-change", room_change, (4,), outside=LONG, often=False),
    Scene("room-changed", room_changed, (4,), outside=LONG, often=False),
    Scene("room-people-changed", room_people_changed, (4,), outside=LONG, often=False),
    Scene("room-rematch", room_rematch, (4,), outside=LONG, often=False),
    Scene(
        "room-rematch-others",
        partial(room_rematch, others=True),
        (4,),
        outside=LONG,
        often=False,
    ),
    Scene("room-begin", room_begin, (4,), outside=LONG, often=False),
    Scene("room-beginguest", room_begin_guest, (4,), outside=LONG, often=False),
    Scene("room-leavingguest", room_leaving_guest, (4,), outside=LONG, often=False),
    Scene("room-comparing", room_comparing, (4,), outside=LONG),
    Scene("room-menu", room_menu, (4,), outside=LONG, often=False),
    Scene("room-spectators", room_spectators, (4,), outside=LONG, often=False),
    Scene("room-leaving", leaving, (4,), outside=LONG),
]
