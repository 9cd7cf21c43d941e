"""Tests of practice against bots: from the first click to the verified round and to leaving."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from lanuno.app.controllers.application import Application
from lanuno.bots.pace import PACES, BotPace
from lanuno.client.snapshot import TableStage
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Format
from lanuno.store.paths import Home
from tests.app.announcements import announced
from tests.app.slot_player import SlotPlayer
from tests.app.waiting import until


def test_a_round_of_practice(app: Application, home: Home) -> None:
    table, result = app.table_controller, app.result_controller
    moved: list[tuple[str, int, int]] = []
    table.moved.connect(lambda kind, source, target, _cards: moved.append((kind, source, target)))
    said = announced(app)
    app.home_controller.practise(2)
    assert app.property("page") == "table"
    until(lambda: table.property("phase") == "playing")
    assert table.property("seated")
    assert [row.name for row in table._opponents.rows] == ["Ada", "Blas"]
    assert all(row.bot for row in table._opponents.rows)
    until(lambda: table._hand.rowCount() >= 7)
    assert table.property("dealingText") == "Shuffled and dealt by all 3 players"
    player = SlotPlayer(app)

    def round_over() -> bool:
        player.play()
        return result._rounds.rowCount() == 1

    until(round_over, 60)
    assert app.property("page") == "result"
    until(lambda: result.property("badge")["state"] == "good")
    assert result.property("badge")["text"] == "Shuffle verified by 1 of 1 player"
    kinds = {kind for kind, _, _ in moved}
    assert {"deal", "start", "play", "turn"} <= kinds
    assert [each for each in moved if each[0] == "deal"][:1] == [("deal", -1, moved_first(moved))]
    assert table._moves.rowCount() > 5
    assert any("plays" in text for text in said)
    assert sum(1 for row in result._standings.rows if row.place == 1) >= 1
    result.goOn()
    assert app.property("page") == "table"

    app.back()
    assert app.property("leaveQuestion") == "Leave this game? It ends here."
    app.confirmLeave()
    assert app.property("page") == "home"
    until(lambda: app.session_controller.session is None)
    (kept,) = home.games.glob("*.lanuno")
    report = audit_bytes(kept.read_bytes())
    assert report.verdict in (AuditVerdict.VERIFIED, AuditVerdict.INCOMPLETE)


def moved_first(moved: list[tuple[str, int, int]]) -> int:
    return next(target for kind, _, target in moved if kind == "deal")


def test_closing_the_app_ends_the_table(app: Application, home: Home) -> None:
    app.home_controller.practise(1)
    until(lambda: app.table_controller.property("phase") == "playing")


def test_practice_is_gone_on_with_after_a_power_cut(
    make_app: Callable[[Home], Application], home: Home
) -> None:
    before = make_app(home)
    before.settings_controller.change("language", "en")
    before.home_controller.practise(2)
    until(lambda: before.table_controller.property("phase") == "playing")
    moves = before.table_controller._moves.rowCount()
    before.settings_controller.save()
    before.close()
    before.bridge._loop.close()

    app = make_app(home)
    app.settings_controller.change("adapter", "nowhere0")  # Practice needs no network.
    app.start()
    until(lambda: app.home_controller._interrupted_tables.rows.rowCount() == 1)
    (left,) = app.home_controller._interrupted_tables.rows.rows
    assert left.name == "Practice"
    app.home_controller.goOn(left.id)
    until(lambda: app.table_controller.property("phase") == "playing")
    assert app.table_controller._moves.rowCount() >= moves
    player = SlotPlayer(app)
    until(lambda: player.play() and app.table_controller.property("discardPile") > 3, 60)
    app.back()
    until(lambda: app.property("leaveQuestion") == "Leave this game? It ends here.")
    app.confirmLeave()
    until(lambda: app.session_controller.session is None)
    until(lambda: app.home_controller._interrupted_tables.rows.rowCount() == 0)


def test_another_speed_of_the_bots_counts_at_once(app: Application) -> None:
    app.session_controller.bot_pace = None
    app.home_controller.practise(1)
    until(
        lambda: (
            app.session_controller.session is not None
            and app.session_controller.session.runtime is not None
        )
    )
    session = app.session_controller.session
    assert session is not None
    assert session.bot_pace == PACES["normal"]

    def plays_at(speed: str) -> bool:
        driver = session.runtime
        return driver is not None and driver._bots.pace == PACES[speed]

    assert plays_at("normal")
    for speed in ("slow", "fast"):
        app.settings_controller.change("bot_speed", speed)
        until(partial(plays_at, speed))


def test_a_match_without_a_target_shows_none(app: Application) -> None:
    """A short match by deals, chosen on the page, has no target at the table."""
    opener = app.host_controller
    opener.setProperty("practice", True)
    opener.choosePreset("masters-short")
    opener.set("format", int(Format.DEALS))
    opener.set("hands", 3)
    assert opener.property("problem") == ""
    opener.begin()
    until(lambda: app.table_controller.property("phase") == "playing")
    assert app.table_controller.property("target") == 0


def test_a_match_with_a_target_shows_it(app: Application) -> None:
    app.home_controller.practise(1)
    until(lambda: app.table_controller.property("phase") == "playing")
    assert app.table_controller.property("target") == 500


def test_bots_wait_for_a_player_who_looks_at_the_score(app: Application) -> None:
    """The next cards lie ready, and the bots go on with the player's click."""
    table, result = app.table_controller, app.result_controller
    app.session_controller.bot_pace = BotPace(move=0.01, deal=0.01, uno=0.0)
    app.home_controller.practise_by(replace(PRESETS["classic"], hand_size=2), 2)
    player = SlotPlayer(app)

    def scored() -> bool:
        player.play()
        return bool(app.property("page") == "result")

    until(scored, 60)

    def dealt() -> bool:
        # The first card lies there. The turn is the player's, or a bot's.
        snapshot = table._newest_snapshot
        return (
            snapshot is not None
            and snapshot.number > table.property("roundNumber")
            and snapshot.stage is TableStage.PLAYING
        )

    until(dealt, 60)
    session = app.session_controller.session
    assert session is not None
    assert session.runtime is not None
    reading = session.runtime._bots._delays._reading
    assert reading == {0: table.property("roundNumber")}
    result.goOn()
    assert (app.property("page"), table.property("phase")) == ("table", "playing")
    until(lambda: not reading)
