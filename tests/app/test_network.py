"""Tests of tables over the network: people use several apps through the slots of the screens."""

from __future__ import annotations

import dataclasses
import re
import socket
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from lanuno.app.controllers import application
from lanuno.app.controllers.application import Application
from lanuno.app.models.table_rows import Opponent
from lanuno.client import reach
from lanuno.client.reach import REMATCH_POLICY
from lanuno.client.requests import HostRequest, JoinRequest
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Draw
from lanuno.store.paths import Home
from tests.app.announcements import announced
from tests.app.network import (
    AppFactory,
    begin_game,
    closed,
    follow_link,
    is_playing,
    open_table,
    play_until,
    say_ready,
    shows_page,
    table_row,
    use_own_port,
    wait_for_table,
)
from tests.app.waiting import until
from tests.harness.processes.programs import Program


def test_two_people_and_a_bot(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=4, bots=1)
    assert ana.property("page") == "room"
    room = ana.room_controller
    assert room.property("taken") == 2
    until(lambda: room.property("canStart"))
    assert room.property("link").startswith("lanuno://127.0.0.1:")
    assert room.property("qr")[0][0] is True
    ben.start()
    seen = wait_for_table(ben, table_name)
    assert (seen.host, seen.taken, seen.seats, seen.locked) == ("Ana", 2, 4, False)
    assert seen.text == "2 seats are free"
    ben.home_controller.join(seen.id, "")
    assert ben.property("home").property("joining")
    until(lambda: ben.property("page") == "room")
    assert not ben.home_controller.property("joining")
    assert not ben.home_controller.property("searching")  # The search stops during a game.
    assert [each.name for each in ben.room_controller.view.seats] == ["Ana", "Ada", "Ben", ""]
    until(lambda: room.property("taken") == 3)
    assert not room.property("canStart")
    ben.chat_controller.say("Hola")
    until(lambda: ana.chat_controller._lines.rowCount() == 1)
    room.addBot()
    until(lambda: room.property("taken") == 4)
    ana.chat_controller.sendAway(room.view.seats[3].key, room.view.seats[3].name)
    until(lambda: room.property("taken") == 3)
    ana.chat_controller.setMuted(room.view.seats[2].key, True)
    room.moveUp(room.view.seats[2].key)
    until(
        lambda: [each.name for each in ben.room_controller.view.seats[:3]] == ["Ana", "Ben", "Ada"]
    )
    until(lambda: ana.chat_controller.property("muted") == [1])  # Ben, at his new seat.
    ana.chat_controller.setMuted(room.view.seats[1].key, False)
    assert ben.room_controller.view.seats[2].can_sit
    ben.room_controller.sit(2)
    until(
        lambda: [each.name for each in ben.room_controller.view.seats[:3]] == ["Ana", "Ada", "Ben"]
    )
    room.setReady(True)
    until(lambda: not ben.room_controller.view.seats[0].can_sit)
    ben.room_controller.sit(0)
    assert [each.text for each in ben._notices.rows] == [
        "\u2068Ana\u2069 is ready and keeps this seat."
    ]
    say_ready(ben)
    until(lambda: room.property("canStart"))
    room.begin()
    until(lambda: ben.table_controller.property("phase") == "playing")
    assert ana.room_controller.property("safetyHand") == ben.room_controller.property("safetyHand")
    assert len(ana.room_controller.property("safetyHand")) == 8
    play_until([ana, ben], lambda: ben.result_controller._rounds.rowCount() == 1)
    until(lambda: ben.result_controller.property("badge")["state"] == "good")
    assert ben.result_controller.property("badge")["text"] == "Shuffle verified by 2 of 2 players"

    ana.back()
    until(lambda: ana.property("leaveQuestion"))
    assert ana.property("leaveQuestion") == (
        "Leave this game? You and \u2068Ben\u2069 are the only people still playing: the match"
        " ends, and \u2068Ben\u2069 wins it."
    )
    ana.confirmLeave()
    until(lambda: ben.result_controller.property("matchOver"))
    until(lambda: ana.session_controller.session is None and not ben.session_controller.is_playing)
    assert ana.property("page") == "home"
    (kept,) = ben.home_folders.games.glob("*.lanuno")
    assert audit_bytes(kept.read_bytes()).verdict in (
        AuditVerdict.VERIFIED,
        AuditVerdict.INCOMPLETE,
    )


@pytest.mark.parametrize(("rounds", "target"), [(1, 0), (2, 500)])
def test_one_agreed_round_is_played_to_no_target(
    app_of: AppFactory, table_name: str, rounds: int, target: int
) -> None:
    """A single round has no target, but with two rounds the first may reach it."""
    ana = app_of("Ana")
    open_table(ana, table_name, bots=1, rounds=rounds)
    until(lambda: ana.room_controller.property("canStart"))
    ana.room_controller.begin()
    until(lambda: is_playing(ana))
    assert ana.table_controller.property("target") == target


def test_a_pin_is_asked_for_and_a_wrong_one_is_told(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, pin="1234")
    ben.start()
    seen = wait_for_table(ben, table_name)
    assert seen.locked
    said = announced(ben)
    ben.home_controller.join(seen.id, "")
    assert ben.home_controller.property("pinWanted") == seen.id
    assert ben.session_controller.session is None
    ben.home_controller.join(seen.id, "9999")
    assert ben.home_controller.property("joining")
    assert ben.home_controller.property("joiningName") == table_name
    until(lambda: not ben.home_controller.property("joining"))
    error = ben.home_controller.property("joinError")
    assert error.startswith("That is not the PIN of this table. Ask the host")
    assert error in said
    assert (ben.property("page"), ben.home_controller.property("pinWanted")) == ("home", seen.id)
    until(lambda: ben.session_controller.session is None)
    ben.home_controller.join(seen.id, "1234")
    until(lambda: ben.property("page") == "room")
    assert ben.room_controller.property("pin")

    # First by Ana's link without the PIN, then as a spectator with it.
    cleo = app_of("Cleo")
    follow_link(cleo, ana.room_controller.property("link"))
    assert cleo.property("page") == "join"
    until(lambda: cleo.join_controller.property("error"))
    assert cleo.join_controller.property("error") == "This table needs a PIN. Ask the host for it."
    assert cleo.join_controller.property("pinWanted")
    until(lambda: cleo.session_controller.session is None)
    cleo.join_controller.setProperty("pin", "1234")
    cleo.join_controller.watch()
    until(lambda: cleo.property("page") == "room")
    assert not cleo.room_controller.property("seated")
    # Arrivals and departures do not close the rules page, which Ben reads meanwhile.
    ben.open("rules")
    until(lambda: [each.room_controller.property("watching") for each in (ana, ben)] == [1, 1])
    assert ben.property("page") == "rules"
    cleo.back()
    assert (cleo.property("page"), cleo.property("leaveQuestion")) == ("home", "")
    until(lambda: [each.room_controller.property("watching") for each in (ana, ben)] == [0, 0])
    assert ben.property("page") == "rules"

    # A closed table sends Ben home, with a notice.
    ana.back()
    assert ana.property("leaveQuestion") == (
        "Close this table? Everybody who is waiting here has to leave."
    )
    ana.confirmLeave()
    until(ben._notices.rowCount)
    assert [row.text for row in ben._notices.rows] == ["The host closed the table."]
    assert ben.property("page") == "rules"
    ben.back()
    assert ben.property("page") == "home"
    until(lambda: table_row(ben, table_name) is None)


def test_a_table_that_is_full_or_was_closed_or_sends_away(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name)
    link = ana.room_controller.property("link")
    ben.start()
    seen = wait_for_table(ben, table_name)
    follow_link(cleo, link)
    until(lambda: cleo.property("page") == "room")
    # The table fills up before Ben joins; his list of tables is a moment old.
    ben.home_controller.join(seen.id, "")
    until(lambda: ben.home_controller.property("joinError"))
    assert ben.home_controller.property("joinError") == "The table filled up before you sat down."
    until(lambda: ben.session_controller.session is None)

    away = ana.room_controller.view.seats[1]
    ana.chat_controller.sendAway(away.key, away.name)
    until(lambda: cleo.property("page") == "home")
    assert [row.text for row in cleo._notices.rows] == ["The host removed you from this table."]
    until(lambda: not ana.room_controller.has_guests)

    ana.back()
    assert ana.property("leaveQuestion") == "Close this table? Nobody else has come yet."
    ana.confirmLeave()
    assert ana.property("page") == "home"
    until(lambda: ana.session_controller.session is None)
    # Another program may have taken the table's port, so use a port on which nothing can listen.
    with socket.socket() as nobody:
        nobody.bind(("", 0))
        port = nobody.getsockname()[1]
        ben.join_controller.setProperty("text", re.sub(r":\d+/", f":{port}/", link))
        assert ben.join_controller.property("valid")
        ben.open("join")
        ben.join_controller.join()
        assert ben.join_controller.property("busy")
        until(lambda: ben.join_controller.property("error"))
    assert ben.join_controller.property("error") == (
        "This table cannot be reached: nothing answers there. Check that it is still open and that"
        " both computers are on the same network."
    )


def test_an_interrupted_table_is_gone_on_with(
    app_of: AppFactory, table_name: str, make_app: Callable[[Home], Application]
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, seats=3, bots=1)
    begin_game(ana, ben)
    ben.settings_controller.save()
    closed(ben)
    until(lambda: ana.table_controller.property("anyoneAway"))
    assert ana.table_controller.property("paused")
    assert "Ben" in ana.table_controller.property("pausedText")

    again = make_app(ben.home_folders)
    again.start()
    until(lambda: again.home_controller._interrupted_tables.rows.rowCount() == 1)
    (left,) = again.home_controller._interrupted_tables.rows.rows
    assert left.name == table_name
    assert left.text.startswith("With \u2068Ana\u2069 and \u2068Ada\u2069, last played ")
    # The table is also announced on the network, but it keeps its single row in the list.
    rows = again.home_controller._interrupted_tables.rows
    until(lambda: rows.rows[0].text == "It is being played now: continue playing")
    until(lambda: any(each.answered for each in again.home_controller._found.tables))
    assert table_row(again, table_name) is None
    assert rows.rowCount() == 1
    again.home_controller.goOn(left.id)
    until(lambda: again.property("page") == "table")
    until(
        lambda: again.table_controller.property("seated") and not again.table_controller.view.paused
    )
    until(lambda: not ana.table_controller.property("paused"))
    assert again.table_controller.property("tableName") == table_name
    play_until([ana, again], lambda: again.result_controller._rounds.rowCount() == 1)
    until(lambda: again.result_controller.property("badge")["state"] == "good")

    # Without the host, the last other owner waits, and can leave in the meantime.
    closed(ana)
    until(lambda: again.table_controller.property("hostAway"))
    assert "Ana" in again.table_controller.property("pausedText")
    again.back()
    until(lambda: again.property("leaveQuestion"))
    again.confirmLeave()
    until(lambda: again.session_controller.session is None)
    until(lambda: again.home_controller._interrupted_tables.rows.rowCount() == 1)
    again.home_controller.forget(left.id)
    assert again.home_controller._interrupted_tables.rows.rowCount() == 0


def test_a_rematch_with_the_same_people_while_somebody_watches(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    # The others look for the next table at the same port.
    use_own_port(ana)
    open_table(ana, table_name, preset="masters")
    begin_game(ana, ben)
    cleo.start()
    # The latest advert of the table may be out of date.
    until(lambda: wait_for_table(cleo, table_name).state == "playing")
    seen = wait_for_table(cleo, table_name)
    assert (seen.joinable, seen.can_watch) == (False, True)
    cleo.home_controller.watch(seen.id, "")
    until(lambda: cleo.table_controller.property("phase") == "playing")
    assert not cleo.table_controller.property("seated")
    assert cleo.table_controller._hand.rowCount() == 0
    assert [each.name for each in cleo.table_controller._opponents.rows] == ["Ana", "Ben"]
    ben.chat_controller.say("nice")
    until(lambda: [row.text for row in ana.chat_controller._lines.rows] == ["nice"])
    play_until([ana, ben], lambda: ben.result_controller.property("matchOver"))
    until(lambda: ben.property("page") == "result" and ana.property("page") == "result")
    until(lambda: cleo.property("page") == "result")
    until(lambda: ana.result_controller.property("canRematch"))
    until(lambda: ben.result_controller.property("canRematch"))
    assert not cleo.result_controller.property("canRematch")
    said = announced(ana)
    ben.result_controller.rematch()
    asked = "\u2068Ben\u2069 wants to play again"
    until(lambda: ana.result_controller.property("invitation") == asked)
    until(lambda: cleo.result_controller.property("invitation") == asked)
    until(lambda: ben.result_controller.property("waiting"))
    assert ben.result_controller.property("waiting") == "Waiting for the next table to open…"
    assert not ben.result_controller.property("invitation")
    assert said.count(asked) == 1
    # The rematch begins after one click of each player.
    ana.result_controller.rematch()
    until(lambda: is_playing(ana) and is_playing(ben))
    assert [each.name for each in ben.room_controller.view.seats] == ["Ana", "Ben"]
    assert ben.room_controller.property("tableName") == table_name
    assert [row.text for row in ana.chat_controller._lines.rows] == ["nice"], "what was said stays"
    until(lambda: cleo.result_controller.property("canRematch"))
    cleo.result_controller.rematch()
    until(lambda: is_playing(cleo))
    assert not cleo.table_controller.property("seated")


def test_a_rematch_keeps_seats_and_bots_without_players_who_left(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    use_own_port(ana)
    open_table(ana, table_name, seats=4, bots=1, preset="express")
    begin_game(ana, ben, cleo)
    names = ["Ana", "Ada", "Ben", "Cleo"]
    assert [each.name for each in ana.room_controller.view.seats] == names
    everybody = [ana, ben, cleo]
    play_until(
        everybody, lambda: all(each.result_controller.property("matchOver") for each in everybody)
    )
    for each in everybody:
        until(partial(each.result_controller.property, "canRematch"))
    ben.back()
    ana.result_controller.rematch()
    until(lambda: cleo.result_controller.property("invitation"))
    cleo.result_controller.rematch()
    until(
        lambda: (
            [each.name for each in cleo.room_controller.view.seats][:3] == ["Ana", "Ada", "Cleo"]
        )
    )
    assert shows_page(ana, "room")
    assert shows_page(ben, "home")
    missing = "\u2068Ben\u2069 is missing. Once everybody is back, the same match begins by itself."
    begin = "You can also begin as soon as the others do not want to wait either."
    until(lambda: ana.room_controller.property("status") == f"{missing} {begin}")
    wait = "Choose “Play now” if you do not want to wait."
    until(lambda: cleo.room_controller.property("status") == f"{missing} {wait}")
    seats = [each.accessible_name for each in cleo.room_controller.view.seats]
    assert seats[2] == "\u2068Cleo\u2069, is back"
    # Without Ben it is another match, for which everybody has to be ready again.
    assert not ana.room_controller.property("canStart")
    say_ready(cleo)
    until(lambda: ana.room_controller.property("canStart"))


def test_a_late_yes_to_a_rematch_is_answered_with_the_reason(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    use_own_port(ana)
    open_table(ana, table_name, seats=3, bots=1, preset="masters")
    begin_game(ana, ben)
    play_until([ana, ben], lambda: ben.result_controller.property("matchOver"))
    until(lambda: ana.result_controller.property("canRematch"))
    until(lambda: ben.result_controller.property("canRematch"))
    ana.result_controller.rematch()
    # It is a waiting room like any other, in which the seats of the match before are kept.
    until(lambda: shows_page(ana, "room") and ana.room_controller.property("canStart"))
    missing = "\u2068Ben\u2069 is missing. Once everybody is back, the same match begins by itself."
    assert ana.room_controller.property("status") == f"{missing} You can also begin now."
    ana.room_controller.begin()
    until(lambda: is_playing(ana))
    until(lambda: ben.result_controller.property("canRematch"))
    ben.result_controller.rematch()
    late = "This table has already begun to play."
    until(lambda: late in [each.text for each in ben._notices.rows])
    assert shows_page(ben, "result")
    assert not ben.result_controller.property("waiting")


def test_when_the_host_leaves_after_the_end_the_others_still_play_again(
    app_of: AppFactory, table_name: str
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    use_own_port(ana)
    open_table(ana, table_name, seats=3, preset="express")
    begin_game(ana, ben, cleo)
    everybody = [ana, ben, cleo]
    play_until(
        everybody, lambda: all(each.result_controller.property("matchOver") for each in everybody)
    )
    until(lambda: cleo.result_controller.property("canRematch"))
    until(lambda: ben.result_controller.property("canRematch"))
    ana.back()
    until(lambda: ana.session_controller.session is None)
    cleo.result_controller.rematch()
    until(lambda: cleo.result_controller.property("waiting"))
    # The next person in the order of the seats opens the table.
    ben.result_controller.rematch()
    until(lambda: [each.name for each in cleo.room_controller.view.seats][:2] == ["Ben", "Cleo"])
    assert ben.room_controller.property("tableName") == table_name


def after_a_match(app_of: AppFactory, table_name: str) -> tuple[Application, Application]:
    """Return the apps of a host and a guest who have played a match to its end."""
    ana, ben = app_of("Ana"), app_of("Ben")
    use_own_port(ana)
    open_table(ana, table_name, preset="express")
    begin_game(ana, ben)
    play_until([ana, ben], lambda: ben.result_controller.property("matchOver"))
    until(lambda: ana.result_controller.property("canRematch"))
    until(lambda: ben.result_controller.property("canRematch"))
    return ana, ben


def test_who_wants_to_play_again_too_late_opens_the_table(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host is gone, and the time in which computers wait for a rematch is over."""
    monkeypatch.setattr(reach, "REMATCH_POLICY", replace(REMATCH_POLICY, seconds=1.0))
    ana, ben = after_a_match(app_of, table_name)
    session = ben.session_controller.session

    async def wait_no_more() -> None:
        assert session is not None
        assert session.runtime is not None
        session.runtime.end_stay()

    ben.bridge.run(wait_no_more())
    until(lambda: ben.session_controller.session is None)
    closed(ana)
    ben.result_controller.rematch()
    until(lambda: shows_page(ben, "room"))
    assert [each.name for each in ben.room_controller.view.seats][:1] == ["Ben"]
    assert not ben._notices.rows


def test_the_next_table_is_found_where_its_port_was_taken(
    app_of: AppFactory, table_name: str
) -> None:
    """Another program takes the port between two tables, and the guest still finds the next one."""
    ana, ben = after_a_match(app_of, table_name)
    with socket.create_server(("127.0.0.1", 0)) as other:
        there = other.getsockname()[1]
        plans = ana.session_controller._rematch_plans[0], ben.session_controller._rematch_plans[0]
        assert isinstance(plans[0], HostRequest)
        assert isinstance(plans[1], JoinRequest)
        ana.session_controller._play_again(dataclasses.replace(plans[0], likely_port=there))
        assert plans[1].place is not None
        elsewhere = replace(plans[1].place, port=there)
        ben.session_controller._play_again(dataclasses.replace(plans[1], place=elsewhere))
        # The guest searches no longer than this.
        until(lambda: is_playing(ben), REMATCH_POLICY.seconds)
    assert [each.name for each in ben.room_controller.view.seats] == ["Ana", "Ben"]


def test_who_waits_for_a_rematch_may_go_elsewhere(app_of: AppFactory, table_name: str) -> None:
    """A finished match does not keep a player from another table."""
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name, preset="masters")
    begin_game(ana, ben)
    play_until([ana, ben], lambda: ben.result_controller.property("matchOver"))
    until(lambda: ben.result_controller.property("canRematch"))
    assert ben.session_controller.session is not None
    assert not ben.session_controller.is_playing
    ben.home_controller.practise(1)
    until(lambda: is_playing(ben))
    assert [each.name for each in ben.table_controller._opponents.rows] == ["Ada"]


def test_the_host_leaves_and_the_others_go_on(app_of: AppFactory, table_name: str) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=3, preset="express")
    begin_game(ana, ben, cleo)
    moved: list[str] = []
    ben.table_controller.moved.connect(lambda kind, *_: moved.append(kind))
    ana.back()
    until(lambda: ana.property("leaveQuestion"))
    said = ana.property("leaveQuestion")
    assert said.startswith("Leave this game? This round then does not count. The others play the")
    assert "Another computer takes over as host." in said
    ana.confirmLeave()
    until(lambda: ana.session_controller.session is None)
    assert ana.property("page") == "home"

    def new_host() -> bool:
        return all(
            app.table_controller.view.my_seat >= 0
            and not app.table_controller.view.host_away
            and app.session_controller._snapshot is not None
            and app.session_controller._snapshot.host != 0
            for app in (ben, cleo)
        )

    until(new_host)
    until(lambda: "host" in moved)
    play_until([ben, cleo], lambda: cleo.result_controller._rounds.rowCount() >= 1)
    # Ana left with her seeds, so the round is void, although both others have attested it.
    until(lambda: cleo.result_controller.property("badge")["state"] == "open")
    assert cleo.result_controller.property("badge")["text"] == "Does not count"
    gone = next(each for each in cleo.table_controller._opponents.rows if each.name == "Ana")
    assert gone.dropped
    assert any("Ana" in each.text for each in cleo.table_controller._moves.rows)


def has_turn(app: Application) -> bool:
    return bool(app.table_controller.property("myTurn"))


def has_a_colour(app: Application) -> bool:
    return not app.table_controller.property("colourWanted")


def have_discarded(apps: Sequence[Application], number: int) -> bool:
    return all(each.table_controller.property("discardPile") == number for each in apps)


def agree_on_the_turn(apps: Sequence[Application]) -> bool:
    return len({each.table_controller.property("turnSeat") for each in apps}) == 1


def says(app: Application, words: str) -> bool:
    return words in app.table_controller.property("pausedText")


def test_what_is_said_of_a_wait_is_what_happens(app_of: AppFactory, table_name: str) -> None:
    """While a player is away, cards can be played, and cards that are drawn wait."""
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=3)
    begin_game(ana, ben, cleo)
    until(lambda: any(has_turn(each) for each in (ana, ben, cleo)))
    closed(cleo)
    here = (ana, ben)
    until(lambda: all(each.table_controller.property("anyoneAway") for each in here))
    while True:
        until(partial(agree_on_the_turn, here))
        seat = ana.table_controller.property("turnSeat")
        if seat not in (0, 1):
            break
        until(partial(has_turn, here[seat]))
        table = here[seat].table_controller
        fitting = [each for each in table._hand.rows if each.playable]
        can = "play a card" if fitting else "decide"
        assert says(here[seat], f"You can {can}; cards that are drawn wait. No turn's clock runs.")
        if table.property("colourWanted"):  # of a wild starting card
            table.chooseColour(0)
            until(partial(has_a_colour, here[seat]))
            continue
        # An action card may let somebody draw.
        plain = [each for each in fitting if Rank(each.rank).traits.is_number]
        if not plain:
            table.draw()
            until(partial(says, here[seat], "Your next card waits."))
            return
        before = table.property("discardPile")
        table.play(plain[0].slot)
        until(partial(have_discarded, here, before + 1))
    assert says(ana, "It is \u2068Cleo\u2069's turn, so play waits.")


def test_a_guest_leaves_and_comes_back(app_of: AppFactory, table_name: str) -> None:
    """What is said before is what happens, and the others learn who it was and that it was meant.

    A player who comes back is one of three again, and is dealt in.
    """
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=3, preset="classic")
    begin_game(ana, ben, cleo)
    until(lambda: is_playing(ben))
    told: list[str] = []
    ben.table_controller.changed.connect(lambda: told.append(ben.table_controller.view.void_text))
    cleo.back()
    until(lambda: cleo.property("leaveQuestion"))
    assert cleo.property("leaveQuestion") == (
        "Leave this game? This round then does not count. The others play the next round without"
        " you. You can come back for a later round, from the first page."
    )
    cleo.confirmLeave()
    until(lambda: cleo.session_controller.session is None)

    def seen() -> Opponent:
        return next(each for each in ben.table_controller._opponents.rows if each.name == "Cleo")

    until(lambda: seen().has_left)
    until(lambda: len(ben.result_controller._rounds.rows) == 1)
    why = "\u2068Cleo\u2069 chose to leave."
    assert ben.result_controller.property("winnerText") == why
    assert f"This round is void and does not count: {why}" in told
    assert why[:-1] in [each.text for each in ben.table_controller._moves.rows]

    cleo.start()
    until(lambda: cleo.home_controller._interrupted_tables.rows.rowCount() == 1)
    (kept,) = cleo.home_controller._interrupted_tables.rows.rows
    cleo.home_controller.goOn(kept.id)
    until(lambda: shows_page(cleo, "table"))
    play_until([ana, ben, cleo], lambda: not (seen().dropped or seen().out))
    ben.reset_to("table")
    ben.back()
    until(lambda: ben.property("leaveQuestion"))
    assert "only people" not in ben.property("leaveQuestion")


def test_a_bot_plays_on_until_its_player_takes_over(app_of: AppFactory, table_name: str) -> None:
    """Everybody is told, and the player cannot act at the same time."""
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    begin_game(ana, ben)

    def heard() -> list[str]:
        return [each.text for each in ben.chat_controller._lines.rows]

    ana.letBotPlay()
    assert not ana.table_controller.property("botPlays"), "nobody was asked"
    ana.back()
    until(lambda: ana.property("botOffered"))
    ana.letBotPlay()
    table = ana.table_controller
    assert (ana.property("leaveQuestion"), table.property("botPlays")) == ("", True)
    until(lambda: heard() == ["I am away: a bot plays for me until I am back."])
    acted: list[object] = []
    table.acted.connect(acted.append)
    play_until([ana, ben], lambda: ben.result_controller._rounds.rowCount() == 1)
    assert acted == [], "only the bot plays"
    until(lambda: ben.result_controller.property("badge")["state"] == "good")
    ana.reset_to("table")
    ana.back()
    until(lambda: ana.property("leaveQuestion"))
    assert not ana.property("botOffered")
    ana.cancelLeave()
    table.takeOver()
    assert not table.property("botPlays")
    until(lambda: heard()[1:] == ["I am playing again myself."])
    play_until([ana, ben], lambda: bool(acted))


def test_computers_fall_silent_one_after_the_other(app_of: AppFactory, table_name: str) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=3)
    begin_game(ana, ben, cleo)
    table = ben.table_controller
    closed(cleo)
    until(lambda: table.property("anyoneAway"))
    assert table.property("paused")
    assert table.property("pausedText").startswith("\u2068Cleo\u2069 cannot be reached: ")
    (asleep,) = [each for each in table._opponents.rows if each.asleep]
    assert (asleep.name, asleep.waiting > 0) == ("Cleo", True)
    closed(ana)
    until(lambda: table.property("hostAway"))
    assert table.property("pausedText").startswith(
        "The host's computer (\u2068Ana\u2069) does not answer."
    )
    table.acted.emit(Draw())
    until(lambda: [each.text for each in ben._notices.rows])
    assert ben._notices.rows[0].text == (
        "The table cannot be reached right now: try again in a moment."
    )
    # One of three owners cannot become the host alone, but the table can be resumed later.
    ben.back()
    until(lambda: ben.property("leaveQuestion"))
    assert ben.property("leaveQuestion").startswith("Leave this game? Nobody can be reached")
    ben.confirmLeave()
    until(lambda: ben.session_controller.session is None)
    ben.start()
    until(lambda: ben.home_controller._interrupted_tables.rows.rowCount() == 1)
    assert ben.home_controller._interrupted_tables.rows.rows[0].name == table_name


def test_quitting_leaves_the_table_first(
    app_of: AppFactory, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, cleo = app_of("Ana"), app_of("Ben"), app_of("Cleo")
    open_table(ana, table_name, seats=3)
    begin_game(ana, ben, cleo)
    ended: list[bool] = []
    ana.ended.connect(lambda: ended.append(True))
    monkeypatch.setattr(application, "LEAVE_MS", 60_000)
    ana.quit()
    until(lambda: "Another computer takes over" in ana.property("leaveQuestion"))
    assert not ended
    ana.confirmLeave()
    until(lambda: ended)
    assert ana.session_controller.session is None
    until(
        lambda: (
            ben.session_controller._snapshot is not None
            and ben.session_controller._snapshot.host != 0
        )
    )
    until(lambda: not ben.table_controller.property("hostAway"))


def test_a_program_on_another_computer_sits_down(
    app_of: AppFactory, table_name: str, tmp_path: Path
) -> None:
    ana = app_of("Ana")
    open_table(ana, table_name, seats=3, bots=1, preset="masters", spectators=False)
    home = tmp_path / "Robo" / "home"
    place = ("--table", table_name, "--adapter", "lo")
    with Program("bot", *place, "--name", "Robo", "--json", home=home) as robo:
        until(lambda: ana.room_controller.property("taken") == 3, 60)
        assert [each.name for each in ana.room_controller.view.seats] == ["Ana", "Ada", "Robo"]
        ana.room_controller.setReady(True)
        play_until([ana], lambda: ana.result_controller.property("matchOver"))
        until(lambda: ana.result_controller.property("badge")["state"] == "good")
        told = robo.end(0).json
    assert told["verdict"] == "verified"
    winners = [each.name for each in ana.result_controller._standings.rows if each.winner]
    assert told["winner"] == ", ".join(winners)
