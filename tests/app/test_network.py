"""Tests of tables over the network, as two people with two computers use the app: by its slots."""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from lanuno.app.controllers import application
from lanuno.app.controllers.application import Application
from lanuno.app.worker.hosting import Opening
from lanuno.app.worker.joining import REMATCH, Visit
from lanuno.log.audit import audit_bytes
from lanuno.log.faults import Verdict
from lanuno.rules.actions import Draw
from lanuno.store.paths import Home
from lanuno.table import rematch
from tests.app.network import (
    Sit,
    begun,
    followed,
    found,
    on_a_port_of_its_own,
    opened,
    play,
    plays,
    row,
    shows,
)
from tests.app.told import announced
from tests.app.waiting import until
from tests.harness.processes.programs import Program


def test_two_people_and_a_bot(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=4, bots=1)
    assert ana.property("page") == "room"
    room = ana.room_screen
    assert not room.property("canStart") or room.property("taken") == 2
    assert room.property("link").startswith("lanuno://127.0.0.1:")
    assert room.property("qr")[0][0] is True
    ben.start()
    seen = found(ben, table_name)
    assert (seen.host, seen.taken, seen.seats, seen.locked) == ("Ana", 2, 4, False)
    assert seen.text == "2 seats are free"
    ben.first.join(seen.id, "")
    assert ben.property("home").property("joining")
    until(lambda: ben.property("page") == "room")
    assert not ben.first.property("joining")
    assert not ben.first.property("searching")  # Nothing is looked for while one plays.
    assert [each.name for each in ben.room_screen.face.seats] == ["Ana", "Ada", "Ben", ""]
    until(lambda: room.property("taken") == 3)
    assert not room.property("canStart")
    ben.talk.say("Hola")
    until(lambda: ana.talk._lines.rowCount() == 1)
    room.addBot()
    until(lambda: room.property("taken") == 4)
    room.removeBot(3)
    until(lambda: room.property("taken") == 3)
    room.mute(2, True)
    room.moveUp(2)
    until(lambda: [each.name for each in ben.room_screen.face.seats[:3]] == ["Ana", "Ben", "Ada"])
    until(lambda: ana.talk.property("muted") == [1])  # Ben, wherever he sits.
    room.mute(1, False)
    assert ben.room_screen.face.seats[2].can_sit
    ben.room_screen.sit(2)
    until(lambda: [each.name for each in ben.room_screen.face.seats[:3]] == ["Ana", "Ada", "Ben"])
    room.setReady(True)
    until(lambda: not ben.room_screen.face.seats[0].can_sit)
    ben.room_screen.sit(0)
    assert [each.text for each in ben._notices.rows] == [
        "\u2068Ana\u2069 is ready and keeps this seat."
    ]
    ben.room_screen.setReady(True)
    until(lambda: room.property("canStart"))
    room.begin()
    until(lambda: ben.table_screen.property("phase") == "playing")
    assert ana.room_screen.property("safetyHand") == ben.room_screen.property("safetyHand")
    assert len(ana.room_screen.property("safetyHand")) == 8
    play([ana, ben], lambda: ben.result_screen._rounds.rowCount() == 1)
    until(lambda: ben.result_screen.property("badge")["state"] == "verified")
    assert ben.result_screen.property("badge")["text"] == "Shuffle verified by 3 of 3 players"

    ana.back()
    assert ana.property("leaveQuestion").startswith(
        "Leave this game? There are only two of you: the match ends, and \u2068Ben\u2069 wins it."
    )
    ana.confirmLeave()
    until(lambda: ben.result_screen.property("matchOver"))
    until(lambda: not ana.playing.property("busy") and not ben.playing.plays)
    assert ana.property("page") == "home"
    (kept,) = ben.home_folders.games.glob("*.lanuno")
    assert audit_bytes(kept.read_bytes()).verdict in (Verdict.VERIFIED, Verdict.INCOMPLETE)


@pytest.mark.parametrize(("rounds", "target"), [(1, 0), (2, 500)])
def test_one_agreed_round_is_played_to_no_target(
    sit: Sit, table_name: str, rounds: int, target: int
) -> None:
    """It decides by any points; of two rounds the first may reach the target."""
    ana = sit("Ana")
    opened(ana, table_name, bots=1, rounds=rounds)
    ana.room_screen.begin()
    until(lambda: plays(ana))
    assert ana.table_screen.property("target") == target


def test_a_pin_is_asked_for_and_a_wrong_one_is_told(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, pin="1234")
    ben.start()
    seen = found(ben, table_name)
    assert seen.locked
    said = announced(ben)
    ben.first.join(seen.id, "")
    assert ben.first.property("pinWanted") == seen.id
    assert ben.playing.sitting is None
    ben.first.join(seen.id, "9999")
    assert ben.first.property("joining")
    assert ben.first.property("joiningName") == table_name
    until(lambda: not ben.first.property("joining"))
    error = ben.first.property("joinError")
    assert error.startswith("That is not the PIN. Ask the host")
    assert error in said
    assert (ben.property("page"), ben.first.property("pinWanted")) == ("home", seen.id)
    until(lambda: ben.playing.sitting is None)
    ben.first.join(seen.id, "1234")
    until(lambda: ben.property("page") == "room")
    assert ben.room_screen.property("pin")

    # By the link that Ana can send, without the PIN; then watching, with it.
    cleo = sit("Cleo")
    followed(cleo, ana.room_screen.property("link"))
    assert cleo.property("page") == "join"
    until(lambda: cleo.door.property("error"))
    assert cleo.door.property("error") == "This table needs a PIN. Ask the host for it."
    assert cleo.door.property("pinWanted")
    until(lambda: cleo.playing.sitting is None)
    cleo.door.setProperty("pin", "1234")
    cleo.door.watch()
    until(lambda: cleo.property("page") == "room")
    assert not cleo.room_screen.property("seated")
    # Ben reads the rules meanwhile: nobody who comes or goes calls him away.
    ben.open("rules")
    until(lambda: [each.room_screen.property("watching") for each in (ana, ben)] == [1, 1])
    assert ben.property("page") == "rules"
    cleo.back()
    assert (cleo.property("page"), cleo.property("leaveQuestion")) == ("home", "")
    until(lambda: [each.room_screen.property("watching") for each in (ana, ben)] == [0, 0])
    assert ben.property("page") == "rules"

    # Somebody is sent home when the table is closed, and is told.
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
    until(lambda: row(ben, table_name) is None)


def test_a_table_that_is_full_or_was_closed_or_sends_away(sit: Sit, table_name: str) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    opened(ana, table_name)
    link = ana.room_screen.property("link")
    ben.start()
    seen = found(ben, table_name)
    followed(cleo, link)
    until(lambda: cleo.property("page") == "room")
    # It fills while Ben is on his way: what he has seen is a moment old.
    ben.first.join(seen.id, "")
    until(lambda: ben.first.property("joinError"))
    assert ben.first.property("joinError") == "The table filled up before you sat down."
    until(lambda: ben.playing.sitting is None)

    ana.room_screen.kick(1)
    until(lambda: cleo.property("page") == "home")
    assert [row.text for row in cleo._notices.rows] == ["The host removed you from this table."]
    until(lambda: not ana.room_screen.has_guests)

    ana.back()
    assert ana.property("leaveQuestion") == "Close this table? Nobody else has come yet."
    ana.confirmLeave()
    assert ana.property("page") == "home"
    until(lambda: ana.playing.sitting is None)
    # Another program may have its port by now; at this one is nobody, nor can be.
    with socket.socket() as nobody:
        nobody.bind(("", 0))
        port = nobody.getsockname()[1]
        ben.door.setProperty("text", re.sub(r":\d+/", f":{port}/", link))
        assert ben.door.property("valid")
        ben.open("join")
        ben.door.join()
        assert ben.door.property("busy")
        until(lambda: ben.door.property("error"))
    assert ben.door.property("error") == (
        "This table cannot be reached: nothing answers there. Check that both computers are on the"
        f" same network; a firewall may be blocking port {port}."
    )


def closed(app: Application) -> None:
    """Its computer is switched off: nothing is said to anybody."""
    app.close()
    app.bridge._loop.close()


def test_an_interrupted_table_is_gone_on_with(
    sit: Sit, table_name: str, desks: Callable[[Home], Application]
) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=3, bots=1)
    begun(ana, ben)
    ben.preferences.save()
    closed(ben)
    until(lambda: ana.table_screen._sleeping.rowCount() == 1)
    assert ana.table_screen.property("paused")
    assert "Ben" in ana.table_screen.property("pausedText")

    again = desks(ben.home_folders)
    again.start()
    until(lambda: again.first._interruptions.rows.rowCount() == 1)
    (left,) = again.first._interruptions.rows.rows
    assert left.name == table_name
    assert left.text.startswith("With \u2068Ana\u2069 and \u2068Ada\u2069, last played ")
    # It is heard of on the network, too: that it is played now is told in the one line it has.
    rows = again.first._interruptions.rows
    until(lambda: rows.rows[0].text == "It is being played now: go on playing")
    until(lambda: any(each.answered for each in again.first._seen.tables))
    assert row(again, table_name) is None
    assert rows.rowCount() == 1
    again.first.goOn(left.id)
    until(lambda: again.property("page") == "table")
    until(lambda: again.table_screen.property("seated") and not again.table_screen.face.paused)
    until(lambda: not ana.table_screen.property("paused"))
    play([ana, again], lambda: again.result_screen._rounds.rowCount() == 1)
    until(lambda: again.result_screen.property("badge")["state"] == "verified")

    # Now the host is switched off; between two the other waits, and can go home meanwhile.
    closed(ana)
    until(lambda: again.table_screen.property("hostAway"))
    assert "Ana" in again.table_screen.property("hostText")
    again.back()
    again.confirmLeave()
    until(lambda: again.playing.sitting is None)
    until(lambda: again.first._interruptions.rows.rowCount() == 1)
    again.first.forget(left.id)
    assert again.first._interruptions.rows.rowCount() == 0


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """However slow this computer is, answers come in time."""
    monkeypatch.setattr(rematch, "ANSWER_SECONDS", 600.0)


@pytest.mark.usefixtures("patience")
def test_a_rematch_with_the_same_people_while_somebody_watches(sit: Sit, table_name: str) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    # The others look for the next table where this one is.
    on_a_port_of_its_own(ana)
    opened(ana, table_name, preset="masters")
    begun(ana, ben)
    cleo.start()
    # What is heard of a table may be as old as what was said of it last.
    until(lambda: found(cleo, table_name).state == "playing")
    seen = found(cleo, table_name)
    assert (seen.joinable, seen.can_watch) == (False, True)
    cleo.first.watch(seen.id, "")
    until(lambda: cleo.table_screen.property("phase") == "playing")
    assert not cleo.table_screen.property("seated")
    assert cleo.table_screen._hand.rowCount() == 0
    assert [each.name for each in cleo.table_screen._opponents.rows] == ["Ana", "Ben"]
    ben.talk.say("nice")
    until(lambda: [row.text for row in ana.talk._lines.rows] == ["nice"])
    play([ana, ben], lambda: ben.result_screen.property("matchOver"))
    until(lambda: ben.property("page") == "result" and ana.property("page") == "result")
    until(lambda: cleo.property("page") == "result")
    until(lambda: ana.result_screen.property("canRematch"))
    until(lambda: ben.result_screen.property("canRematch"))
    assert not cleo.result_screen.property("canRematch")
    said = announced(ana)
    ben.result_screen.rematch()
    asked = "\u2068Ben\u2069 wants to play again"
    until(lambda: ana.result_screen.property("invitation") == asked)
    until(lambda: cleo.result_screen.property("invitation") == asked)
    until(lambda: ben.result_screen.property("waiting"))
    assert ben.result_screen.property("waiting").startswith("Waiting for \u2068Ana\u2069")
    assert not ben.result_screen.property("invitation")
    assert said.count(asked) == 1
    # One click of everybody, and it begins.
    ana.result_screen.rematch()
    until(lambda: plays(ana) and plays(ben))
    assert [each.name for each in ben.room_screen.face.seats] == ["Ana", "Ben"]
    assert ben.room_screen.property("tableName") == table_name
    assert [row.text for row in ana.talk._lines.rows] == ["nice"], "what was said stays"
    until(lambda: cleo.result_screen.property("canRematch"))
    cleo.result_screen.rematch()
    until(lambda: plays(cleo))
    assert not cleo.table_screen.property("seated")


@pytest.mark.usefixtures("patience")
def test_a_rematch_keeps_seats_and_bots_and_leaves_out_who_went(sit: Sit, table_name: str) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    on_a_port_of_its_own(ana)
    opened(ana, table_name, seats=4, bots=1, preset="express")
    begun(ana, ben, cleo)
    names = ["Ana", "Ada", "Ben", "Cleo"]
    assert [each.name for each in ana.room_screen.face.seats] == names
    everybody = [ana, ben, cleo]
    play(everybody, lambda: all(each.result_screen.property("matchOver") for each in everybody))
    for each in everybody:
        until(partial(each.result_screen.property, "canRematch"))
    ben.result_screen.leave()
    cleo.result_screen.rematch()
    ana.result_screen.rematch()
    until(lambda: [each.name for each in cleo.room_screen.face.seats][:3] == ["Ana", "Ada", "Cleo"])
    assert shows(ana, "room")
    assert shows(ben, "home")
    until(lambda: ana.room_screen.property("canStart"))


def test_a_late_yes_to_a_table_that_plays_is_told_why_it_comes_to_nothing(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rematch, "ANSWER_SECONDS", 0.5)
    ana, ben = sit("Ana"), sit("Ben")
    on_a_port_of_its_own(ana)
    opened(ana, table_name, seats=3, bots=1, preset="masters")
    begun(ana, ben)
    play([ana, ben], lambda: ben.result_screen.property("matchOver"))
    until(lambda: ana.result_screen.property("canRematch"))
    until(lambda: ben.result_screen.property("canRematch"))
    ana.result_screen.rematch()
    until(lambda: shows(ana, "room") and ana.room_screen.property("canStart"))
    ana.room_screen.begin()
    until(lambda: plays(ana))
    until(lambda: ben.result_screen.property("canRematch"))
    ben.result_screen.rematch()
    late = "This table has already begun to play."
    until(lambda: late in [each.text for each in ben._notices.rows])
    assert shows(ben, "result")
    assert not ben.result_screen.property("waiting")


@pytest.mark.usefixtures("patience")
def test_when_the_host_leaves_after_the_end_the_others_still_play_again(
    sit: Sit, table_name: str
) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    on_a_port_of_its_own(ana)
    opened(ana, table_name, seats=3, preset="express")
    begun(ana, ben, cleo)
    everybody = [ana, ben, cleo]
    play(everybody, lambda: all(each.result_screen.property("matchOver") for each in everybody))
    until(lambda: cleo.result_screen.property("canRematch"))
    until(lambda: ben.result_screen.property("canRematch"))
    ana.result_screen.leave()
    until(lambda: ana.playing.sitting is None)
    cleo.result_screen.rematch()
    until(
        lambda: ben.result_screen.property("invitation") == "\u2068Cleo\u2069 wants to play again"
    )
    ben.result_screen.rematch()
    until(lambda: [each.name for each in cleo.room_screen.face.seats][:2] == ["Ben", "Cleo"])
    assert ben.room_screen.property("tableName") == table_name


def test_the_next_table_is_found_where_its_port_was_taken(sit: Sit, table_name: str) -> None:
    """By another program of this computer, in the moment between two tables."""
    ana, ben = sit("Ana"), sit("Ben")
    on_a_port_of_its_own(ana)
    opened(ana, table_name, preset="express")
    begun(ana, ben)
    play([ana, ben], lambda: ben.result_screen.property("matchOver"))
    until(lambda: ana.result_screen.property("canRematch"))
    until(lambda: ben.result_screen.property("canRematch"))
    with socket.create_server(("127.0.0.1", 0)) as other:
        there = other.getsockname()[1]
        plans = ana.playing._next, ben.playing._next
        assert isinstance(plans[0], Opening)
        assert isinstance(plans[1], Visit)
        ana.playing._play_again(replace(plans[0], likely_port=there))
        ben.playing._play_again(replace(plans[1], port=there))
        # As long as it is looked for.
        until(lambda: plays(ben), REMATCH)
    assert [each.name for each in ben.room_screen.face.seats] == ["Ana", "Ben"]


def test_who_waits_for_a_rematch_may_go_elsewhere(sit: Sit, table_name: str) -> None:
    """To sit at a table that is over is to miss nothing."""
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, preset="masters")
    begun(ana, ben)
    play([ana, ben], lambda: ben.result_screen.property("matchOver"))
    until(lambda: ben.result_screen.property("canRematch"))
    assert ben.playing.sitting is not None
    assert not ben.playing.plays
    ben.first.practise(1)
    until(lambda: plays(ben))
    assert [each.name for each in ben.table_screen._opponents.rows] == ["Ada"]


def test_the_host_leaves_and_the_others_go_on(sit: Sit, table_name: str) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    opened(ana, table_name, seats=3, preset="express")
    begun(ana, ben, cleo)
    moved: list[str] = []
    ben.table_screen.moved.connect(lambda kind, *_: moved.append(kind))
    ana.back()
    assert ana.property("leaveQuestion").startswith(
        "Leave this game? Another computer takes over as host, and the others go on without you."
    )
    ana.cancelLeave()
    ben.back()
    assert ben.property("leaveQuestion").startswith("Leave this game? The others go on without")
    ben.cancelLeave()
    ana.back()
    ana.confirmLeave()
    until(lambda: ana.playing.sitting is None)
    assert ana.property("page") == "home"

    def new_host() -> bool:
        return all(
            app.table_screen.face.my_seat >= 0
            and not app.table_screen.face.host_away
            and app.playing._shot is not None
            and app.playing._shot.host != 0
            for app in (ben, cleo)
        )

    until(new_host)
    until(lambda: "host" in moved)
    play([ben, cleo], lambda: cleo.result_screen._rounds.rowCount() >= 1)
    until(lambda: cleo.result_screen.property("badge")["state"] == "verified")
    gone = next(each for each in cleo.table_screen._opponents.rows if each.name == "Ana")
    assert gone.dropped
    assert any("Ana" in each.text for each in cleo.table_screen._moves.rows)


def test_computers_fall_silent_one_after_the_other(sit: Sit, table_name: str) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    opened(ana, table_name, seats=3)
    begun(ana, ben, cleo)
    table = ben.table_screen
    closed(cleo)
    until(lambda: [each.name for each in table._sleeping.rows] == ["Cleo"])
    assert table.property("paused")
    assert table.property("pausedText").startswith("\u2068Cleo\u2069 cannot be reached.")
    (asleep,) = [each for each in table._opponents.rows if each.asleep]
    assert (asleep.name, asleep.waiting > 0) == ("Cleo", True)
    closed(ana)
    until(lambda: table.property("hostAway"))
    assert table.property("hostText").startswith(
        "The host's computer (\u2068Ana\u2069) does not answer."
    )
    table.acted.emit(Draw())
    until(lambda: [each.text for each in ben._notices.rows])
    assert ben._notices.rows[0].text == (
        "The table cannot be reached right now: try again in a moment."
    )
    # Alone of three it cannot become the host; whoever comes back can go on.
    ben.back()
    assert ben.property("leaveQuestion").startswith("Leave this game? Nobody can be reached")
    ben.confirmLeave()
    until(lambda: ben.playing.sitting is None)
    ben.start()
    until(lambda: ben.first._interruptions.rows.rowCount() == 1)
    assert ben.first._interruptions.rows.rows[0].name == table_name


def test_quitting_leaves_the_table_first(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    opened(ana, table_name, seats=3)
    begun(ana, ben, cleo)
    ended: list[bool] = []
    ana.ended.connect(lambda: ended.append(True))
    monkeypatch.setattr(application, "LEAVE_MS", 60_000)
    ana.quit()
    assert ana.property("leaveQuestion").startswith("Leave this game? Another computer takes over")
    assert not ended
    ana.confirmLeave()
    until(lambda: ended)
    assert ana.playing.sitting is None
    until(lambda: ben.playing._shot is not None and ben.playing._shot.host != 0)
    until(lambda: not ben.table_screen.property("hostAway"))


def test_a_program_on_another_computer_sits_down(sit: Sit, table_name: str, tmp_path: Path) -> None:
    ana = sit("Ana")
    opened(ana, table_name, seats=3, bots=1, preset="masters", spectators=False)
    home = tmp_path / "Robo" / "home"
    place = ("--table", table_name, "--adapter", "lo")
    with Program("bot", *place, "--name", "Robo", "--json", home=home) as robo:
        until(lambda: ana.room_screen.property("taken") == 3, 60)
        assert [each.name for each in ana.room_screen.face.seats] == ["Ana", "Ada", "Robo"]
        ana.room_screen.setReady(True)
        play([ana], lambda: ana.result_screen.property("matchOver"))
        until(lambda: ana.result_screen.property("badge")["state"] == "verified")
        told = robo.end(0).json
    assert told["verdict"] == "verified"
    winners = [each.name for each in ana.result_screen._standings.rows if each.winner]
    assert told["winner"] == ", ".join(winners)
