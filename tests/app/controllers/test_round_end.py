"""The end of a round: the last card lands, then the winner is shown, then the score."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import SIGNAL, QObject, Qt
from PySide6.QtQuick import QQuickWindow

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.pacer import MOST_AT_ONCE
from lanuno.app.controllers.round_end import round_end, round_just_ended
from lanuno.app.running import Running
from lanuno.client.events import TableUpdated, TournamentStanding
from lanuno.client.snapshot import TableStage
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import CloseReason
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.rules.engine.events import RoundEnding, RoundOver
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from tests.app.announcements import plain
from tests.app.pictures.tables import Simulated
from tests.app.slot_player import SlotPlayer
from tests.app.user_input import click, find, keyboard_at, press
from tests.app.waiting import settle, until

LONG = 3600.0


@pytest.fixture
def window(running: Running, window: QQuickWindow) -> QQuickWindow:
    """The window, in which the end of a round stays open until the player closes it."""
    running.app.table_controller.round_end_seconds = LONG
    return window


def almost_over(seed: int = 2, mine: int | None = 0, preset: str = "classic") -> Simulated:
    """Return a table whose round ends with the next act, which plays a card."""
    rules = PRESETS[preset]
    table = Simulated(max(4, playable_seats(rules)[0]), rules=rules, seed=seed, mine=mine)
    shadow = Simulated(max(4, playable_seats(rules)[0]), rules=rules, seed=seed, mine=mine)
    steps = 0
    while not shadow.game.over:
        shadow.step()
        steps += 1
    for _ in range(steps - 1):
        table.step()
    assert not table.game.over
    return table


def begin(running: Running, table: Simulated) -> None:
    """Show the table before its last card."""
    screen = running.app.table_controller
    screen.clear()
    running.app.result_controller.clear()
    running.app.reset_to("table")
    screen.receive(TableUpdated(table.snapshot(), (), screen.pacer._clock()))
    table._told = len(table.happened)
    settle()


def last_card(running: Running, table: Simulated, **values: Any) -> None:
    """Play the card that ends the round."""
    table.step()
    assert table.game.over
    tell(running, table.seen(TableStage.REVEALING, **values))


def tell(running: Running, seen: TableUpdated) -> None:
    """Send an update to the table and result controllers."""
    screen = running.app.table_controller
    told = TableUpdated(seen.snapshot, seen.happened, screen.pacer._clock())
    screen.receive(told)
    running.app.result_controller.receive(told)
    settle()


def score(running: Running, table: Simulated, **values: Any) -> None:
    """Report that everybody has checked the round, so that it counts."""
    table.score()
    number = len(table.scores)
    snapshot = table.snapshot(TableStage.BETWEEN, number=number, **values)
    tell(running, TableUpdated(snapshot, (events.RoundClosed(number, None, True),), 0.0))


def page(running: Running) -> str:
    return str(running.app.property("page"))


def is_shown(running: Running) -> bool:
    return bool(running.app.table_controller.property("roundEnd")["open"])


@pytest.mark.parametrize("how", ["key", "click", "escape", "time"])
def test_the_score_comes_after_the_winner_was_seen(
    running: Running, window: QQuickWindow, how: str
) -> None:
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    score(running, table)
    assert (page(running), is_shown(running)) == ("table", True)
    until(lambda: keyboard_at(window) == "roundEnd")
    if how == "key":
        press(window, Qt.Key.Key_Shift)
        assert page(running) == "table"
        press(window, Qt.Key.Key_Return)
    elif how == "escape":
        press(window, Qt.Key.Key_Escape)
    elif how == "click":
        click(window, "roundEnd")
    else:
        running.app.table_controller._round_end_timer.start(0)
        until(lambda: page(running) == "result")
    assert (page(running), is_shown(running)) == ("result", False)
    assert running.app.result_controller.property("nextIn") == 8
    assert running.app.property("leaveQuestion") == ""


def test_going_on_before_the_round_was_checked_shows_the_score_once_it_is(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    find(window, "roundEnd")
    press(window, Qt.Key.Key_Space)
    assert (page(running), is_shown(running)) == ("table", False)
    until(lambda: keyboard_at(window) == "hand")
    score(running, table)
    assert page(running) == "result"


def test_the_winner_is_named_once_the_last_card_has_landed(
    running: Running, window: QQuickWindow
) -> None:
    running.app.settings_controller.change("motion", 1.0)
    table = almost_over()
    begin(running, table)
    deck = find(window, "deck")
    screen = running.app.table_controller
    table.step()
    # Qt processes no events in between, because the card might land first on a slow computer.
    seen = table.seen(TableStage.REVEALING)
    screen.receive(TableUpdated(seen.snapshot, seen.happened, screen.pacer._clock()))
    assert deck.property("cardsMissing") == 1
    assert window.findChild(QObject, "roundEnd") is None
    score(running, table)
    until(lambda: window.findChild(QObject, "roundEnd"))
    assert (deck.property("cardsMissing"), page(running)) == (0, "table")
    party = window.findChild(QObject, "roundEnd")
    assert party is not None
    assert party.property("signs") == 20
    until(lambda: party.property("flown") == 1)
    running.app.table_controller.closeRoundEnd()
    running.app.reset_to("table")
    until(lambda: window.findChild(QObject, "roundEnd") is None)


def test_with_reduced_motion_nothing_flies_but_the_winner_is_named(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    party = find(window, "roundEnd")
    assert (party.property("signs"), party.property("flown")) == (0, 0)
    assert "win" in find(window, "roundEndText").parentItem().property("text")


def test_without_time_for_it_the_score_comes_at_once(
    running: Running, window: QQuickWindow
) -> None:
    running.app.table_controller.round_end_seconds = 0
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    assert (page(running), is_shown(running)) == ("table", False)
    score(running, table)
    assert page(running) == "result"


def test_somebody_who_watches_sees_it_too(running: Running, window: QQuickWindow) -> None:
    table = almost_over(mine=None)
    begin(running, table)
    last_card(running, table)
    assert find(window, "roundEnd").property("text").endswith("wins the round!")
    score(running, table)
    assert page(running) == "table"
    press(window, Qt.Key.Key_Return)
    assert page(running) == "result"


def test_the_next_hand_is_shown_after_the_score(running: Running, window: QQuickWindow) -> None:
    """Not while the page changes, and already there when the player goes on."""
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    score(running, table)
    deal_next(running, table)
    screen = running.app.table_controller
    assert (screen.property("phase"), is_shown(running)) == ("revealing", True)
    screen.closeRoundEnd()
    settle()
    assert (page(running), screen.property("phase")) == ("result", "over")
    phases: list[str] = []
    running.app.pageChanged.connect(lambda: phases.append(screen.property("phase")))
    running.app.result_controller.goOn()
    assert (page(running), phases) == ("table", ["dealing"])


def test_a_deal_that_begins_with_the_score_is_shown_after_it(
    running: Running, window: QQuickWindow
) -> None:
    """A host whose log is final at once opens the next round in the same step."""
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    running.app.table_controller.closeRoundEnd()
    table.score()
    deal_next(running, table, events.RoundClosed(1, None, True))
    assert (page(running), running.app.table_controller.property("phase")) == (
        "result",
        "revealing",
    )
    running.app.result_controller._set_seconds_left(1)
    running.app.result_controller._tick()
    assert (page(running), running.app.table_controller.property("phase")) == ("table", "dealing")


def test_who_comes_back_in_a_later_round_is_not_shown_the_score_of_the_one_before(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    table.step()
    table.score()
    opened = events.RoundOpened(2, RoundKind.PLAY, tuple(range(4)), 1)
    missed = (events.RoundClosed(1, None, True), opened)
    tell(running, TableUpdated(table.snapshot(TableStage.PLAYING, number=2), missed, 0.0))
    assert page(running) == "table"
    assert not running.app.result_controller.opening_soon


def deal_next(running: Running, table: Simulated, *before: LogEvent) -> None:
    """Report that the next round is being dealt."""
    opened = events.RoundOpened(2, RoundKind.PLAY, tuple(range(4)), 1)
    values = {"view": None, "to_move": False, "number": 2}
    seen = table.snapshot(TableStage.DEALING, **values)
    tell(running, TableUpdated(seen, (*before, opened), 0.0))


def test_a_display_that_jumps_shows_the_end_all_the_same(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    screen = running.app.table_controller
    table.step()
    screen.show(table.seen(TableStage.REVEALING), True)
    assert is_shown(running)
    until(lambda: keyboard_at(window) == "roundEnd")


def test_a_last_card_that_is_still_to_be_shown_is_waited_for(
    running: Running, window: QQuickWindow
) -> None:
    """The end of the round is shown only after the pacer has shown the last card."""
    table = almost_over()
    begin(running, table)
    screen = running.app.table_controller
    screen.pacer._next_at = screen.pacer._clock() + LONG
    last_card(running, table)
    score(running, table)
    assert (page(running), is_shown(running), screen.shows_round_end) == ("table", False, True)
    screen.pacer._next_at = 0
    screen.pacer.show_due()
    assert is_shown(running)


def test_a_round_that_turns_out_void_is_not_celebrated(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    assert is_shown(running)
    tell(running, TableUpdated(table.snapshot(TableStage.REVEALING, void=VoidReason(1)), (), 0.0))
    assert not is_shown(running)
    begin(running, almost_over(seed=3))
    table = almost_over(seed=3)
    last_card(running, table, void=VoidReason(2))
    assert not is_shown(running)


def test_looking_at_something_else_is_not_disturbed(running: Running, window: QQuickWindow) -> None:
    table = almost_over()
    begin(running, table)
    running.app.open("rules")
    last_card(running, table)
    assert not is_shown(running)
    score(running, table)
    assert page(running) == "rules"


def test_no_page_opens_after_the_player_has_left_the_table(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    score(running, table)
    assert running.app.result_controller.opening_soon
    running.app.session_controller.leave()
    running.app.table_controller.closeRoundEnd()
    assert page(running) == "home"


def test_the_end_of_a_tournament_waits_for_the_last_card(
    running: Running, window: QQuickWindow
) -> None:
    over = TournamentStanding(
        names=("Ana", "Ben"),
        totals=(10, 0),
        avatars=(0, 1),
        mine=0,
        rotation=7,
        rotations=7,
        winners=(0,),
        awaiting_other_table=False,
        broken=None,
    )
    table = almost_over()
    begin(running, table)
    last_card(running, table)
    running.app.session_controller._receive(over)
    score(running, table, winners=(0,), closed=CloseReason.FINISHED)
    assert page(running) == "table"
    running.app.open("rules")
    running.app.table_controller.closeRoundEnd()
    assert page(running) == "result"


def test_a_table_that_is_left_by_its_host_meanwhile_still_shows_its_result(
    app: Application,
) -> None:
    """The result is shown even if the table closes right after its only round."""
    app.table_controller.round_end_seconds = 0.3
    pages: list[str] = []
    app.pageChanged.connect(lambda: pages.append(str(app.property("page"))))
    app.home_controller.practise_by(PRESETS["masters"], 1)
    hands = SlotPlayer(app)
    screen = app.table_controller
    seen: list[bool] = []
    screen.roundEndChanged.connect(lambda: seen.append(screen.property("roundEnd")["open"]))

    def over() -> bool:
        hands.play()
        return bool(app.property("page") == "result")

    until(over, 60)
    assert seen == [True, False]
    assert pages == ["table", "result"]
    until(lambda: app.session_controller.session is None)
    assert app.property("page") == "result"


@pytest.mark.parametrize("preset", PRESETS)
def test_who_is_named_has_won(preset: str) -> None:
    rules = PRESETS[preset]
    for seed in range(4):
        table = Simulated(playable_seats(rules)[-1], rules=rules, seed=seed)
        while not table.game.over:
            table.step()
        seen = table.seen(TableStage.REVEALING)
        over = next(each for each in seen.happened if isinstance(each, RoundOver))
        named = round_end(seen.snapshot, over)["seat"]
        table.score()
        assert (named,) == (table.scores[-1].winners if over.ending is RoundEnding.OUT else (-1,))


def words(preset: str, seat: int | None, ending: RoundEnding = RoundEnding.OUT) -> str:
    rules = PRESETS[preset]
    table = Simulated(4, rules=rules, seed=2, names=("Ana", "Ben", "Cleo", "Dora"))
    said = round_end(table.snapshot(TableStage.REVEALING), RoundOver(ending, seat))["text"]
    return plain(str(said))


def test_the_end_of_a_round_in_words() -> None:
    assert words("classic", 0) == "You win the round!"
    assert words("partners", 2) == "Cleo wins the round!"
    assert words("classic", None, RoundEnding.LAPS) == "The laps are played: the round ends"
    assert words("classic", None, RoundEnding.BLOCKED).startswith("Nobody can play any more")


def happened(*what: LogEvent) -> Callable[[TableStage], TableUpdated]:
    table = Simulated(2, seed=1)
    return lambda stage: TableUpdated(table.snapshot(stage), what, 0.0)


def test_when_a_round_has_just_ended() -> None:
    out, void = RoundOver(RoundEnding.OUT, 1), RoundOver(RoundEnding.VOID, None)
    opened = events.RoundOpened(2, RoundKind.PLAY, (0, 1), 1)
    assert round_just_ended(happened(out)(TableStage.REVEALING)) == out
    assert round_just_ended(happened(out)(TableStage.PLAYING)) is None
    assert round_just_ended(happened(void)(TableStage.REVEALING)) is None
    assert round_just_ended(happened(opened)(TableStage.BETWEEN)) is None
    assert round_just_ended(happened(out, opened)(TableStage.CLOSED)) is None
    assert round_just_ended(happened()(TableStage.CLOSED)) is None
    many = [opened] * MOST_AT_ONCE
    assert round_just_ended(happened(*many, out)(TableStage.BETWEEN)) is None


def test_a_line_of_chat_that_is_being_written_is_not_interrupted(
    running: Running, window: QQuickWindow
) -> None:
    table = almost_over()
    begin(running, table)
    press(window, Qt.Key.Key_T)
    before = keyboard_at(window)
    last_card(running, table)
    find(window, "roundEnd")
    assert keyboard_at(window) == before != "roundEnd"
    press(window, Qt.Key.Key_H)
    assert is_shown(running)


def test_nothing_but_signals_is_needed_to_hold(running: Running) -> None:
    """The controller has a `released` signal; a close without a round end does not emit it."""
    heard: list[bool] = []
    QObject.connect(running.app.table_controller, SIGNAL("released()"), lambda: heard.append(True))
    running.app.table_controller.closeRoundEnd()
    assert heard == []
