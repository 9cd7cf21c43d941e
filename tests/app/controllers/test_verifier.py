"""The verifier: its verdict on a game, and the way through its moments."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from PySide6.QtCore import QMetaObject, QObject, Qt, QUrl
from PySide6.QtGui import QGuiApplication, QWindow
from PySide6.QtTest import QTest

from lanuno.app.bridge import Bridge
from lanuno.app.controllers import verifier as verifier_module
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.verifier import VerifierController
from lanuno.app.loop import LoopThread
from lanuno.app.models.rows import Rows
from lanuno.app.move_texts import HIDDEN
from lanuno.app.running import Running
from lanuno.log.audit.audit import audit
from lanuno.log.audit.story import build_story
from lanuno.log.faults import Check
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason
from lanuno.log.format.transcript import MAGIC, read, write
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.paths import Home
from lanuno.store.verification import Unchecked, Verified
from tests.app.announcements import announced
from tests.app.waiting import settle, until
from tests.harness.log_table.log_table import SHORT, LogTable, make_genesis, make_roster, new_table
from tests.harness.log_table.moments import (
    dropped_before_its_mask,
    dropped_twice_as_silent,
    playing,
)

SINGLE = Ruleset(hand_size=2, format=Format.SINGLE)


@pytest.fixture(scope="module")
def game() -> LogTable:
    return new_table(3, SINGLE, salt=1).run()


@pytest.fixture
def app(qt: QGuiApplication, home: Home) -> Iterator[Application]:
    loop = LoopThread()
    loop.start()
    made = Application(home, Bridge(loop))
    made.settings_controller.change("language", "en")
    yield made
    made.close()
    loop.close()


def opened(app: Application, data: bytes, folder: Path) -> VerifierController:
    """Return the verifier after it has checked a file."""
    file = folder / "game.lanuno"
    file.write_bytes(data)
    app.verifier_controller.openUrl(QUrl.fromLocalFile(str(file)))
    assert app.verifier_controller.property("state") == "busy"
    until(lambda: app.verifier_controller.property("state") != "busy")
    return app.verifier_controller


def rows(verifier: VerifierController, name: str) -> tuple[Any, ...]:
    return cast("Rows[Any]", verifier.property(name)).rows


def states(verifier: VerifierController, name: str) -> list[str]:
    return [each.state for each in rows(verifier, name)]


def test_a_fair_game_and_its_three_sentences(
    app: Application, game: LogTable, tmp_path: Path
) -> None:
    said = announced(app)
    verifier = opened(app, game.file, tmp_path)
    assert verifier.property("conclusion") == "verified"
    assert verifier.property("headline") == "This game was fair."
    assert said == ["This game was fair."]
    assert verifier.property("fileName") == "game.lanuno"
    assert states(verifier, "sentences") == ["good"] * 3
    first = rows(verifier, "sentences")[0].text
    assert first == "Every player's randomness was used in every shuffle."
    assert [each.id for each in rows(verifier, "checks")] == [each.value for each in Check]
    assert set(states(verifier, "checks")) == {"good"}
    assert rows(verifier, "blames") == ()
    assert states(verifier, "rounds") == ["good", "good"]
    assert verifier.property("round") == 1


def test_a_game_that_an_absence_decided(app: Application, tmp_path: Path) -> None:
    verifier = opened(app, dropped_twice_as_silent().file, tmp_path)
    assert (verifier.property("conclusion"), verifier.property("mood")) == ("absence", "open")
    assert verifier.property("headline") == "An absence decided this game."
    said = [each.text for each in rows(verifier, "absences")]
    assert [each.split()[1] for each in said[:3]] == ["was", "was", "is"]
    assert "only the host's word says why" in said[0]
    assert "was missing from two rounds that became void" in said[2]
    assert ["was not revealed" in each for each in said[3:]] == [True, True]
    assert set(states(verifier, "absences")) == {"open"}
    assert rows(verifier, "blames") == ()
    assert states(verifier, "sentences") == ["good"] * 3
    assert {each.detail for each in rows(verifier, "sentences")} == {"in every round that counts"}
    assert states(verifier, "rounds") == ["good", "open", "good", "open"]


def test_a_game_that_was_given_up_promises_nothing(app: Application, tmp_path: Path) -> None:
    table = new_table(2, SINGLE).run(playing)
    table.drop(1, DropReason.LEFT)
    verifier = opened(app, table.run().file, tmp_path)
    assert (verifier.property("conclusion"), verifier.property("mood")) == ("absence", "open")
    (sentence,) = rows(verifier, "sentences")
    assert (sentence.id, sentence.state) == ("nothing", "open")
    said = [each.text for each in rows(verifier, "absences")]
    assert "signed that" in said[0]
    assert "so \u2068" in said[1]


def test_a_game_of_which_no_round_counts(app: Application, tmp_path: Path) -> None:
    table = new_table(3, SHORT, rounds=9).run(playing)
    table.drop(1)
    table.run(lambda each: each.replay.between_rounds)
    table.rounds = 0
    verifier = opened(app, table.run().file, tmp_path)
    assert (verifier.property("conclusion"), verifier.property("mood")) == (
        "nothing-counts",
        "open",
    )
    assert verifier.property("headline") == "No round of this game counts."
    assert "no round of play has a result" in verifier.property("explanation")


def test_turns_of_the_clock_are_told(app: Application, tmp_path: Path) -> None:
    table = new_table(2, Ruleset(hand_size=5, format=Format.SINGLE)).run(playing)
    asked = table.replay.times.open_decision
    while asked is None:
        table.step()
        asked = table.replay.times.open_decision
    table.add(HOST, bodies.TimeOut(asked.decision))
    verifier = opened(app, table.run().file, tmp_path)
    assert verifier.property("conclusion") == "verified"
    assert "that a player signed" in rows(verifier, "sentences")[2].text
    (said,) = (each.text for each in rows(verifier, "absences"))
    assert said.startswith("The clock played 1 turn")


def test_a_void_round_does_not_weaken_the_promise_of_randomness(app: Application) -> None:
    table = dropped_twice_as_silent()
    report = audit(read(table.file))
    app.verifier_controller.show(
        Verified(report, build_story(read(table.file), report.entries), 1, 1)
    )
    first = rows(app.verifier_controller, "sentences")[0].text
    assert first == "Every player's randomness was used in every shuffle."


@pytest.mark.parametrize("mine", [None, 1, 4])
def test_absent_players_are_promised_no_randomness(app: Application, mine: int | None) -> None:
    table = dropped_before_its_mask()
    report = audit(read(table.file))
    app.verifier_controller.show(
        Verified(report, build_story(read(table.file), report.entries), mine, 1)
    )
    first = rows(app.verifier_controller, "sentences")[0].text
    assert first == (
        "Your own randomness was used in every shuffle."
        if mine == 1
        else "The randomness of everybody who was still there was used in every shuffle."
    )


def test_the_own_game_promises_the_own_randomness(app: Application, game: LogTable) -> None:
    file = game.replay.genesis
    report = audit(read(game.file))
    app.verifier_controller.show(
        Verified(report, build_story(read(game.file), report.entries), 1, len(file.roster))
    )
    first = rows(app.verifier_controller, "sentences")[0].text
    assert first == "Your own randomness was used in every shuffle."
    assert [each.mine for each in rows(app.verifier_controller, "hands")] == [
        seat == 1 for seat in game.log.seats
    ]


def test_a_game_is_gone_through_moment_by_moment(
    app: Application, game: LogTable, tmp_path: Path
) -> None:
    verifier = opened(app, game.file, tmp_path)
    moments = verifier.property("moments")
    verifier.goTo(0)
    assert (verifier.property("moment"), verifier.property("top")) == (0, {})
    texts = []
    for number in range(moments):
        verifier.goTo(number)
        assert verifier.property("moment") == number
        texts.append(verifier.property("momentText"))
    assert all(texts)
    verifier.goTo(1)
    assert verifier.property("top") == {}, "the starting card is still on the draw pile"
    held = sum(len(hand.cards) for hand in rows(verifier, "hands"))
    assert verifier.property("pile") == 108 - held
    verifier.goTo(moments - 1)
    assert any("plays" in text for text in texts)
    hands = rows(verifier, "hands")
    assert min(len(hand.cards) for hand in hands) == 0
    assert verifier.property("top")["rank"] >= 0
    assert verifier.property("pile") > 0
    verifier.step(1)
    assert verifier.property("moment") == moments - 1
    verifier.step(-1)
    assert verifier.property("moment") == moments - 2
    verifier.showRound(0)
    assert (verifier.property("round"), verifier.property("moment")) == (0, 0)
    verifier.showRound(7)
    assert verifier.property("round") == 0


def test_a_card_is_followed(app: Application, game: LogTable, tmp_path: Path) -> None:
    verifier = opened(app, game.file, tmp_path)
    verifier.goTo(verifier.property("moments") - 1)
    top = verifier.property("top")["card"]
    verifier.follow(top)
    assert verifier.property("card") == top
    assert verifier.property("cardName") != ""
    assert verifier.property("cardFace") == verifier.property("top")
    stops = rows(verifier, "path")
    assert [stop.kind for stop in stops][:4] == ["deck", "shuffled", "shuffled", "shuffled"]
    assert stops[-1].kind == "discard"
    assert [stop.now for stop in stops] == [False] * (len(stops) - 1) + [True]
    verifier.goTo(0)
    assert not any(stop.now for stop in rows(verifier, "path"))
    verifier.follow(-1)
    assert rows(verifier, "path") == ()
    assert verifier.property("cardFace") == {}


def test_another_file_is_opened_while_a_card_is_followed(
    app: Application, game: LogTable, tmp_path: Path
) -> None:
    verifier = opened(app, game.file, tmp_path)
    verifier.goTo(verifier.property("moments") - 1)
    verifier.follow(verifier.property("top")["card"])
    assert rows(verifier, "path") != ()
    verifier.again()
    assert (verifier.property("card"), rows(verifier, "path")) == (-1, ())
    until(lambda: verifier.property("state") == "done")


def test_a_cheater_is_named(app: Application, tmp_path: Path) -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is ProtocolPhase.REVEAL)
    table.add(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run()
    verifier = opened(app, table.file, tmp_path)
    assert verifier.property("conclusion") == "cheating"
    assert verifier.property("headline") == "\u2068p1\u2069 cheated in this game."
    assert "bad" in states(verifier, "sentences")
    blames = [each.text for each in rows(verifier, "blames")]
    assert len(blames) == 1
    assert "p1" in blames[0]
    assert "round 1" in blames[0]
    assert states(verifier, "rounds")[1] == "bad"
    assert "in: round 1" in " ".join(each.detail for each in rows(verifier, "checks"))


def test_an_unchecked_round_is_not_called_right(
    app: Application, game: LogTable, tmp_path: Path
) -> None:
    verifier = opened(app, game.fork(len(game.entries) // 2).file, tmp_path)
    assert verifier.property("conclusion") == "incomplete"
    assert states(verifier, "sentences")[0] == "open"
    assert rows(verifier, "rounds")[-1].state == "open"


def test_a_void_round_says_why(app: Application, tmp_path: Path) -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is ProtocolPhase.REVEAL)
    table.add(1, table.reveal(1))
    table.drop(2, DropReason.SILENT)
    table.run(lambda now: now.replay.between_rounds)
    verifier = opened(app, table.file, tmp_path)
    played, void = rows(verifier, "rounds")
    assert (played.state, played.detail) == ("good", "13 checks, all right")
    assert (void.state, void.detail) == ("open", "Void: a player was gone")
    verifier.goTo(verifier.property("moments") - 1)
    # Without all seeds, only the cards that were played in public are known.
    held = [card["rank"] for hand in rows(verifier, "hands") for card in hand.cards]
    assert held
    assert set(held) == {HIDDEN}
    assert verifier.property("top")["rank"] >= 0


def test_a_file_that_is_no_game_shows_nothing(app: Application, tmp_path: Path) -> None:
    verifier = opened(app, b"no game at all", tmp_path)
    assert verifier.property("conclusion") == "unreadable"
    assert (rows(verifier, "sentences"), rows(verifier, "rounds")) == ((), ())
    assert verifier.property("moments") == 0
    verifier.goTo(3)
    verifier.step(1)
    verifier.follow(5)
    assert verifier.property("moment") == 0
    assert verifier.property("headline") == "This is not a LanUNO game."


SAID_OF_FILES = {
    b"\x89PNG\r\n\x1a\n": "This is not a LanUNO game.",
    MAGIC[:-1] + b"\x01": "This game was written by another version of LanUNO.",
    MAGIC: "This file holds no game: none had begun, or the file is cut off.",
    write(make_genesis(make_roster(8, Ruleset(format=Format.ROTATION))), ()): (
        "This file only names the players of a tournament."
    ),
}


@pytest.fixture(scope="module")
def long_game() -> LogTable:
    """A game of three rounds."""
    table = new_table(3, SHORT, salt=9, rounds=3)
    return table.run(lambda now: now.replay.number == 3 and now.replay.between_rounds)


def round_end(table: LogTable, number: int) -> int:
    """Return the number of entries up to the end of a round."""
    replay = Replay(table.genesis)
    for done, entry in enumerate(table.entries, 1):
        replay.follow(entry, trusted=True)
        if replay.between_rounds and replay.number == number:
            return done
    raise AssertionError


@pytest.mark.parametrize("place", ["in the round", "before its end", "after the round before"])
def test_a_cut_file_says_from_which_round_and_opens_there(
    app: Application, long_game: LogTable, tmp_path: Path, place: str
) -> None:
    cut = {
        "in the round": (round_end(long_game, 2) + round_end(long_game, 3)) // 2,
        "before its end": round_end(long_game, 3) - 1,
        "after the round before": round_end(long_game, 2),
    }[place]
    verifier = opened(app, long_game.fork(cut).file, tmp_path)
    assert verifier.property("headline") == "Incomplete from round 3"
    assert verifier.property("mood") == "open"
    assert verifier.property("round") == len(rows(verifier, "rounds")) - 1
    assert verifier.property("moment") == verifier.property("moments") - 1
    shown = rows(verifier, "rounds")[-1]
    after = "after" if cut == round_end(long_game, 2) else "in"
    assert (shown.state, shown.detail) == ("open", f"The file ends {after} this round")
    app.settings_controller.change("language", "es")
    assert verifier.property("headline") == "Incompleta desde la ronda 3"


def test_a_changed_file_says_from_which_round_and_opens_there(
    app: Application, long_game: LogTable, tmp_path: Path
) -> None:
    data = bytearray(long_game.file)
    data[(len(long_game.fork(round_end(long_game, 2)).file) + len(data)) // 2] ^= 1
    verifier = opened(app, bytes(data), tmp_path)
    assert verifier.property("headline") == "Changed from round 3"
    shown = rows(verifier, "rounds")[verifier.property("round")]
    assert (shown.number, shown.detail) == (3, "The file was changed in this round")


def test_the_verifier_opens_on_the_first_round_with_cards_that_counts(
    app: Application, tmp_path: Path
) -> None:
    table = new_table(3, SHORT, salt=9).run(playing)
    table.drop(1, DropReason.SILENT)
    table.run(lambda now: now.replay.between_rounds)
    assert table.log.void is not None
    table.add(1, bodies.Return())
    table.run()
    verifier = opened(app, table.file, tmp_path)
    shown = rows(verifier, "rounds")[verifier.property("round")]
    assert (shown.number, shown.state) == (2, "good")
    assert all(hand.cards for hand in rows(verifier, "hands"))


@pytest.mark.parametrize(("data", "headline"), SAID_OF_FILES.items())
def test_each_reason_for_an_unreadable_game_has_a_text(
    data: bytes, headline: str, app: Application, tmp_path: Path
) -> None:
    verifier = opened(app, data, tmp_path)
    assert (verifier.property("conclusion"), verifier.property("headline")) == (
        "unreadable",
        headline,
    )


def test_a_changed_file_accuses_nobody(app: Application, game: LogTable, tmp_path: Path) -> None:
    """A changed file leads to no accusing verdict, no name of a player and no failed check."""
    ask = "Ask another player for their file of this game, and check that one."
    for at, headline, told in (
        (len(MAGIC) + 30, "This file was changed after the game.", False),
        (len(game.file) // 2, "Changed from round 1", True),
        (len(game.file) - 1, "This file does not end as it was signed.", True),
    ):
        data = bytearray(game.file)
        data[at] ^= 4
        verifier = opened(app, bytes(data), tmp_path)
        assert verifier.property("conclusion") == "changed"
        assert verifier.property("headline") == headline
        explanation = verifier.property("explanation")
        assert explanation.startswith("Nobody at the table is accused.")
        assert explanation.endswith(ask)
        assert ("was checked" in explanation) is told
        assert (rows(verifier, "blames"), rows(verifier, "absences")) == ((), ())
        for name in ("sentences", "checks", "rounds"):
            assert "bad" not in states(verifier, name)


def test_files_that_cannot_be_read_say_why(app: Application, tmp_path: Path) -> None:
    app.verifier_controller.openUrl(QUrl.fromLocalFile(str(tmp_path / "none.lanuno")))
    until(lambda: app.verifier_controller.property("state") == "failed")
    assert "There is no file " in app.verifier_controller.property("explanation")
    app.verifier_controller.openUrl(QUrl.fromLocalFile(str(tmp_path)))
    until(lambda: "is a folder" in app.verifier_controller.property("explanation"))
    app.verifier_controller.show(Unchecked(None))
    assert "time or memory" in app.verifier_controller.property("explanation")
    app.verifier_controller.openUrl(QUrl("https://example.org/game.lanuno"))
    assert "Only files" in notices(app)[-1]


def notices(app: Application) -> list[str]:
    return [each.text for each in cast("Rows[Any]", app.property("notices")).rows]


def test_another_language_says_it_at_once(app: Application, game: LogTable, tmp_path: Path) -> None:
    verifier = opened(app, game.file, tmp_path)
    app.settings_controller.change("language", "es")
    assert verifier.property("headline") == "Esta partida fue limpia."
    assert rows(verifier, "sentences")[1].text.startswith("Cada")


def test_a_copy_is_saved(app: Application, game: LogTable, tmp_path: Path) -> None:
    verifier = opened(app, game.file, tmp_path)
    verifier.saveCopy(QUrl.fromLocalFile(str(tmp_path / "copy.lanuno")))
    assert (tmp_path / "copy.lanuno").read_bytes() == game.file
    verifier.saveCopy(QUrl.fromLocalFile(str(tmp_path / "none" / "copy.lanuno")))
    assert "cannot be written" in notices(app)[-1]


def test_a_cancelled_check_reports_no_progress(
    app: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The progress of a cancelled check is ignored, even if its process reports it late."""
    words: list[Callable[[float], None]] = []

    async def endless(_path: Path, _me: bytes | None, progress: Callable[[float], None]) -> None:
        words.append(progress)
        await asyncio.Event().wait()

    monkeypatch.setattr(verifier_module, "verify_transcript", endless)
    file = tmp_path / "game.lanuno"
    app.verifier_controller.open_file(file)
    app.verifier_controller.open_file(file)
    until(lambda: len(words) == 2)
    shares: list[float] = []
    app.verifier_controller.progressChanged.connect(
        lambda: shares.append(app.verifier_controller.property("progress"))
    )
    words[0](0.75)
    words[1](0.5)
    until(lambda: 0.5 in shares)
    assert shares == [0.5]


def test_checking_can_be_given_up_and_begun_again(
    app: Application, game: LogTable, tmp_path: Path
) -> None:
    file = tmp_path / "game.lanuno"
    file.write_bytes(game.file)
    app.verifier_controller.open_file(file)
    app.verifier_controller.cancel()
    assert app.verifier_controller.property("state") == "empty"
    app.verifier_controller.again()
    until(lambda: app.verifier_controller.property("state") == "done")


@pytest.mark.parametrize("motion", [1.0, 0.0])
def test_a_round_plays_step_by_step_and_stops_at_its_end(
    running: Running, game: LogTable, tmp_path: Path, motion: float
) -> None:
    app, window = running.app, running.window
    assert window is not None
    app.settings_controller.change("motion", motion)
    window.resize(1024, 640)
    verifier = opened(app, game.file, tmp_path)
    app.open("verifier")
    settle()
    play, timer = (window.findChild(QObject, name) for name in ("playRound", "playTimer"))
    assert play is not None
    assert timer is not None
    assert timer.property("interval") == (1000 if motion else 2000)
    timer.setProperty("interval", 1)
    seen = []
    verifier.momentChanged.connect(lambda: seen.append(verifier.property("moment")))
    first, last = verifier.property("moment"), verifier.property("moments") - 1
    QTest.keyClick(window, Qt.Key.Key_Right)
    assert verifier.property("moment") == first + 1, "whatever had the focus"
    QTest.keyClick(window, Qt.Key.Key_Left)
    seen.clear()
    QTest.keyClick(window, Qt.Key.Key_P)
    assert timer.property("running")
    until(lambda: not timer.property("running"))
    assert seen == list(range(first + 1, last + 1)), "every moment once"
    # It begins again from the start, and pauses where the user looks.
    QMetaObject.invokeMethod(play, "clicked")
    until(lambda: 2 <= verifier.property("moment") < last)
    QMetaObject.invokeMethod(play, "clicked")
    here = verifier.property("moment")
    assert not timer.property("running")
    settle()
    assert verifier.property("moment") == here


def test_the_choice_of_a_file_goes_with_its_page(running: Running) -> None:
    """The file dialog closes if a game that begins changes the page."""

    def others() -> list[QWindow]:
        windows = QGuiApplication.topLevelWindows()
        return [each for each in windows if each.isVisible() and each is not running.window]

    assert running.window is not None
    running.app.open("verifier")
    settle()
    stack = running.window.findChild(QObject, "stack")
    assert stack is not None
    page = stack.property("currentItem")
    dialog = next(each for each in page.findChildren(QObject) if each.property("nameFilters"))
    QMetaObject.invokeMethod(dialog, "open")
    until(lambda: len(others()) == 1)
    running.app.reset_to("home")
    until(lambda: others() == [])
