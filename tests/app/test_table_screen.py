"""The table screen: the effects of cards, keys and buttons, by mouse and keyboard."""

from __future__ import annotations

import time
from itertools import combinations, pairwise

import msgspec
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPointF, Qt
from PySide6.QtQuick import QQuickItem, QQuickWindow
from PySide6.QtTest import QTest

from lanuno.app.controllers.table import TableController
from lanuno.app.running import Running
from lanuno.client.events import TableUpdated
from lanuno.client.observed_state import RevealedHand
from lanuno.client.snapshot import TableStage
from lanuno.log.replay.times import DEAL_MS
from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import (
    Accept,
    Action,
    Catch,
    Challenge,
    Draw,
    NameColour,
    Play,
    Swap,
    Vote,
)
from lanuno.rules.engine.events import ChallengeDecided, HandOpened
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.settings import SETTINGS
from tests.app.pictures import scenes_table as scenes
from tests.app.pictures.inspection import spots
from tests.app.pictures.scene import View
from tests.app.pictures.tables import Simulated
from tests.app.user_input import FREE, LEFT, click, dismiss, find, keyboard_at, press, write
from tests.app.waiting import drawn, settle, until

STRIP = 24


def cards(window: QQuickWindow) -> list[QQuickItem]:
    """Return the cards of the own hand, in the order of the model, which is left to right."""
    return [
        each
        for each in find(window, "hand").childItems()
        if each.property("slot") is not None and each.property("rank") is not None
    ]


def calm(window: QQuickWindow) -> None:
    """Wait until a page transition has ended and everything is in its place.

    The window ignores clicks before.
    """
    stack = window.findChild(QObject, "stack")
    assert stack is not None
    until(lambda: not stack.property("busy"))
    drawn(window)


def playable(running: Running) -> set[int]:
    return {each.slot for each in running.app.table_controller._hand.rows if each.playable}


def notices(running: Running) -> list[str]:
    return [each.text for each in running.app._notices.rows]


def test_thirty_cards_lie_within_the_window_and_each_can_be_touched(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.put(running, scenes.game(10, 30))
    calm(window)
    hand = cards(window)
    assert len(hand) >= 30
    places = [each.mapRectToScene(each.childrenRect()) for each in hand]
    for one, other in pairwise(places):
        assert other.center().x() - one.center().x() >= STRIP - 0.5
    wanted = playable(running)
    for card in hand:
        spot = card.mapToScene(card.boundingRect().topLeft()).toPoint()
        assert 0 <= spot.x() <= window.width() - STRIP
        if card.property("slot") in wanted:
            before = len(done)
            QTest.mouseClick(window, LEFT, FREE, card.mapToScene(scenes.CORNER).toPoint())
            settle()
            if running.app.table_controller.property("colourWanted"):
                assert running.app.table_controller.property("colourSlot") == card.property("slot")
                press(window, Qt.Key.Key_Escape)
                continue
            (act,) = done[before:]
            assert isinstance(act, Play)
            assert act.slot == card.property("slot")


def test_the_keyboard_alone_lays_a_card(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.put(running, scenes.game(4))
    assert keyboard_at(window) == "hand"
    rows = running.app.table_controller._hand.rows
    at = 0
    press(window, Qt.Key.Key_Home)
    refused = [each for each in rows if not each.playable]
    for number, row in enumerate(rows):
        if row.playable:
            at = number
    for _ in range(at):
        press(window, Qt.Key.Key_Right)
    # The ring of the focus is outside the outline of a playable card.
    ring = find(window, "focusRing")
    card = ring.parentItem()
    outlines = [each for each in card.childItems() if each.isVisible() and each.x() < 0]
    assert sorted(each.x() for each in outlines) == [ring.x(), -4]
    press(window, Qt.Key.Key_Return)
    (act,) = done
    assert isinstance(act, Play)
    assert act.slot == rows[at].slot
    place = rows.index(refused[0])
    press(window, Qt.Key.Key_Home)
    for _ in range(place):
        press(window, Qt.Key.Key_Right)
    assert find(window, "whyNot").property("text") == refused[0].why_not != ""
    press(window, Qt.Key.Key_Space)
    assert len(done) == 1
    assert notices(running) == [refused[0].why_not]


def test_without_hints_the_hand_does_not_show_what_fits(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.put(running, scenes.game(4))
    hand = find(window, "hand")
    press(window, Qt.Key.Key_Home)
    assert hand.property("choosing")
    running.app.settings_controller.change("hints", False)
    assert not hand.property("choosing")
    assert hand.property("whyNot") == ""
    rows = running.app.table_controller._hand.rows
    running.app.table_controller.play(next(each.slot for each in rows if not each.playable))
    assert done == []
    assert len(notices(running)) == 1


def test_letters_play_but_not_while_something_is_typed(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    app = running.app
    scenes.put(running, scenes.game(4))
    press(window, Qt.Key.Key_D)
    assert done == [Draw()]
    press(window, Qt.Key.Key_K)
    assert (len(done), len(notices(running))) == (1, 1)
    sorting = app.settings_controller.values.sorting
    press(window, Qt.Key.Key_S)
    assert app.settings_controller.values.sorting != sorting
    sound = app.settings_controller.property("sound")
    press(window, Qt.Key.Key_M)
    assert app.settings_controller.property("sound") is not sound
    said: list[str] = []
    app.chat_controller.said.connect(said.append)
    press(window, Qt.Key.Key_T)
    assert app.chat_controller.property("open")
    write(window, "dkucahojsm1")
    press(window, Qt.Key.Key_Return)
    assert (said, done) == (["dkucahojsm1"], [Draw()])
    assert app.settings_controller.property("sound") is not sound
    press(window, Qt.Key.Key_Escape)
    assert (keyboard_at(window), app.property("page")) == ("hand", "table")
    press(window, Qt.Key.Key_T)
    assert not app.chat_controller.property("open")
    press(window, Qt.Key.Key_L)
    find(window, "side")
    press(window, Qt.Key.Key_F1)
    until(lambda: keyboard_at(window) == "closeKeys")
    dismiss(window)
    assert app.property("page") == "table"
    assert keyboard_at(window) == "hand"
    press(window, Qt.Key.Key_Escape)
    assert app.property("page") == "home"


def test_the_keyboard_is_never_lost(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.put(running, scenes.game(4))
    click(window, "draw")
    assert done == [Draw()]
    waiting = Simulated(4, seed=3)
    waiting.until(lambda seen: seen.decider not in (0, None))
    running.app.table_controller.receive(waiting.whole())
    assert "draw" not in {spot.item.objectName() for spot in spots(window)}
    press(window, Qt.Key.Key_D)
    assert notices(running) == ["This cannot be done at this moment."]
    press(window, Qt.Key.Key_Right)
    assert keyboard_at(window) == "hand"


def test_a_wild_card_asks_for_its_colour(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.colour(running, View())
    find(window, "colours")
    press(window, Qt.Key.Key_Escape)
    assert not running.app.table_controller.property("colourWanted")
    assert (done, keyboard_at(window)) == ([], "hand")
    scenes.colour(running, View())
    press(window, Qt.Key.Key_3)
    scenes.colour(running, View())
    until(lambda: keyboard_at(window) == "colours")
    press(window, Qt.Key.Key_Right)
    press(window, Qt.Key.Key_Return)
    colours = [each.colour for each in done if isinstance(each, Play)]
    assert colours == [Colour.GREEN, Colour.YELLOW]


def test_a_penalty_is_taken_or_doubted(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.put(running, scenes.asking("challenge"))
    find(window, "challenge")
    press(window, Qt.Key.Key_Return)
    press(window, Qt.Key.Key_H)
    press(window, Qt.Key.Key_A)
    assert done == [Accept(), Challenge(), Accept()]


def test_a_player_who_forgot_uno_is_caught(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.asked("catch")(running, View())
    click(window, "catch")
    press(window, Qt.Key.Key_C)
    seat = scenes.asking("catch").own.uno_owed
    assert seat is not None
    click(window, f"seat{seat}")
    assert done == [Catch(seat)] * 3


def test_hands_are_swapped_with_the_player_who_is_chosen(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    scenes.put(running, scenes.asking("swap"))
    click(window, "seat3")
    find(window, "seat2").forceActiveFocus()
    press(window, Qt.Key.Key_Return)
    assert done == [Swap(3), Swap(2)]


def test_a_vote_is_cast(running: Running, window: QQuickWindow, done: list[Action]) -> None:
    scenes.put(running, scenes.asking("vote"))
    click(window, "other")
    click(window, "accept")
    assert done == [Vote(True), Vote(False)]


def test_the_first_colour_is_chosen_without_a_card(
    running: Running, window: QQuickWindow, done: list[Action]
) -> None:
    table = Simulated(2, seed=0, mine=0)
    for seed in range(400):
        table = Simulated(2, seed=seed)
        if any(isinstance(each, NameColour) for each in table.own.legal):
            break
    scenes.put(running, table)
    press(window, Qt.Key.Key_Escape)
    assert running.app.property("leaveQuestion") == "" != running.app.property("page")
    scenes.put(running, table)
    press(window, Qt.Key.Key_4)
    assert done == [NameColour(Colour.BLUE)]


def test_a_hand_that_was_shown_is_looked_at_and_put_away(
    running: Running, window: QQuickWindow
) -> None:
    scenes.shown(running, View())
    until(lambda: keyboard_at(window) == "goOn")
    press(window, Qt.Key.Key_Return)
    assert not running.app.table_controller.property("shown")["open"]
    assert keyboard_at(window) == "hand"


def test_a_click_on_a_shown_hand_goes_on(running: Running, window: QQuickWindow) -> None:
    scenes.shown(running, View())
    click(window, "verdict")
    assert not running.app.table_controller.property("shown")["open"]


def opened_hand(running: Running, seat: int, *, guilty: bool) -> list[str]:
    """Open the hand of a seat to all; return the list of moves as seat 0 sees it."""
    table = Simulated(4, seed=5)
    slots = tuple(table.game.hands[seat])
    for slot in slots:
        table.game.face_up[slot] = table.card_in(slot)
    scenes.put(running, table)
    snapshot = table.snapshot(TableStage.PLAYING, view=table.own)
    running.app.table_controller.show(
        TableUpdated(
            snapshot, (HandOpened(seat, slots, guilty), ChallengeDecided(0, seat, guilty)), 0.0
        ),
        True,
    )
    return [each.text for each in running.app.table_controller._moves.rows]


@pytest.mark.parametrize("guilty", [True, False])
def test_a_hand_that_was_opened_to_all_is_seen_with_what_was_found(
    running: Running, window: QQuickWindow, guilty: bool
) -> None:
    line = opened_hand(running, 2, guilty=guilty)[-2]
    assert line.endswith(": it was a bluff" if guilty else ": it was no bluff")
    shown = running.app.table_controller.property("shown")
    assert (shown["open"], shown["toAll"], shown["seat"]) == (True, True, 2)
    assert len(shown["cards"]) == 7
    assert "Everybody sees this" in str(find(window, "shown").property("title"))
    until(lambda: keyboard_at(window) == "goOn")
    press(window, Qt.Key.Key_Return)
    assert not running.app.table_controller.property("shown")["open"]


def test_the_own_hand_that_was_opened_is_where_it_was(
    running: Running, window: QQuickWindow
) -> None:
    opened_hand(running, 0, guilty=True)
    assert running.app.table_controller.property("shown")["cards"] == []
    assert len(cards(window)) == 7


@pytest.mark.parametrize("seat", [0, 2])
def test_what_is_said_while_a_hand_is_to_be_opened(running: Running, seat: int) -> None:
    table = Simulated(4, seed=5)
    view = msgspec.structs.replace(table.own, phase=RoundPhase.OPEN_HAND, decider=seat)
    scenes.put(running, table, {"view": view, "to_move": False})
    prompt = running.app.table_controller.property("prompt")
    assert prompt.endswith("shown to everybody" if seat == 0 else "shows the hand to everybody")


def test_a_narrow_header_keeps_the_name_of_the_table(
    running: Running, window: QQuickWindow
) -> None:
    """Also beside the names of a dealer and a last mover, and with every button."""
    scenes.safety(running, View(players=10))
    name = find(window, "tableName")
    assert (name.isVisible(), name.property("text")) == (True, "Kitchen table")
    assert not name.property("truncated")
    scenes.put(running, scenes.game(4), {"name": "R1 A"})
    assert find(window, "tableName").isVisible(), "of a short name all is shown"
    running.app.settings_controller.change("text_scale", 1.5)
    window.resize(800, 560)
    scenes.put(running, scenes.game(4), {"agreed": 3})
    calm(window)
    shown = window.findChild(QQuickItem, "tableName")
    assert shown is not None
    assert shown.isVisible(), "also beside the rounds that were agreed on"


def test_at_uno_a_seat_shows_its_points_as_before(running: Running, window: QQuickWindow) -> None:
    scenes.put(running, scenes.game(4), {"totals": [120, 120, 120, 120]})
    seat = find(window, "seat1")
    seat.setProperty("count", 1)
    seat.setProperty("uno", True)
    calm(window)
    shown = {
        word: each.whole
        for each in spots(window)
        for word in (each.item.property("text"), each.item.property("name"))
        if seat in each.above and word in ("1", "UNO", "trophy", "120")
    }
    assert len(shown) == 4
    assert not any(one.intersects(other) for one, other in combinations(shown.values(), 2))


def test_spectators_see_counts_and_no_hand(running: Running, window: QQuickWindow) -> None:
    scenes.put(running, scenes.game(4, 0, None))
    calm(window)
    seen = {spot.item.objectName() for spot in spots(window)}
    assert "deck" in seen
    assert seen.isdisjoint({"hand", "me", "uno", "draw", "sort"})
    assert [find(window, f"seat{seat}").property("count") for seat in range(4)] == list(
        scenes.game(4, 0, None).own.counts
    )


@pytest.fixture
def lively(window: QQuickWindow, running: Running) -> QObject:
    """Return the item that animates the cards, with full motion."""
    running.app.settings_controller.change("motion", 1.0)
    table = Simulated(4, seed=5)
    scenes.put(running, table)
    motions = window.findChild(QObject, "motions")
    assert motions is not None
    return motions


def test_words_over_the_table_cover_nothing_that_there_is_to_do(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    """The words of a reversal and of a colour right after it appear one above the other."""
    scenes.put(running, Simulated(4, seed=5))
    motions, strip = find(window, "motions"), find(window, "turn")
    shown = running.app.table_controller
    shown.moved.emit("reverse", 1, -1, [])
    shown.moved.emit("colour", 1, -1, [{"slot": 0, "colour": 1, "rank": 0}])
    said = [each for each in motions.findChildren(QQuickItem) if each.property("lasts")]
    tops = sorted(each.mapToScene(QPointF(0, 0)).y() for each in said)
    assert len(tops) == 2
    assert tops[1] - tops[0] >= 30
    assert tops[1] < strip.mapToScene(QPointF(0, 0)).y()


def test_cards_fly_and_arrive(running: Running, window: QQuickWindow, lively: QObject) -> None:
    table = Simulated(4, seed=5)
    running.app.table_controller.show(table.seen())
    assert lively.property("flying") > 7
    until(lambda: not lively.property("flying"))
    assert all(card.opacity() == 1 for card in cards(window))
    for _ in range(12):
        table.step()
        running.app.table_controller.show(table.seen())
    assert lively.property("flying") > 0
    running.app.table_controller.jumped.emit()
    assert lively.property("flying") == 0
    assert find(window, "deck").property("cardsMissing") == 0


CARD = {"slot": 3, "colour": 1, "rank": 12}


def words(motions: QObject) -> list[str]:
    """Return the words that are shown over the table now, the oldest first."""
    return [
        str(each.property("text"))
        for each in motions.findChildren(QQuickItem)
        if each.property("lasts") is not None
    ]


def test_a_played_card_lies_on_top_before_the_next_one_flies(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    table, deck = running.app.table_controller, find(window, "deck")
    flights: list[tuple[int, int]] = []
    deck.cardsMissingChanged.connect(  # type: ignore[attr-defined]
        lambda: flights.append((deck.property("cardsMissing"), lively.property("flying")))
    )
    table.moved.emit("play", 1, -2, [CARD])
    table.moved.emit("play", 2, -2, [CARD])
    until(lambda: deck.property("cardsMissing") == 0)
    # Two cards are missing, one of them flies; then the first one lies there.
    assert flights == [(1, 0), (2, 1), (1, 0), (0, 0)]


def test_an_own_act_ends_the_motions_before_it(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    table, deck = running.app.table_controller, find(window, "deck")
    table.moved.emit("play", 1, -2, [CARD])
    table.moved.emit("skip", 2, 2, [])
    assert (deck.property("cardsMissing"), words(lively)) == (1, [])
    table.moved.emit("mine", 0, 0, [])
    assert (deck.property("cardsMissing"), words(lively)) == (0, ["Skipped"])
    table.moved.emit("play", 0, -2, [CARD])
    assert (deck.property("cardsMissing"), lively.property("flying")) == (1, 1)


@pytest.mark.parametrize("landed", [True, False])
@pytest.mark.parametrize("motion", [1.0, 0.0])
def test_an_own_card_leaves_the_hand_with_the_click(
    running: Running,
    window: QQuickWindow,
    lively: QObject,
    done: list[Action],
    *,
    motion: float,
    landed: bool,
) -> None:
    """However slow the host is. The pile counts it only once the host has taken it."""
    running.app.settings_controller.change("motion", motion)
    table, screen, slot, card = own_card(running, window)
    resting, deck = lively.findChild(QQuickItem, "resting"), find(window, "deck")
    assert isinstance(resting, QQuickItem)
    screen.play(slot)
    assert [each.slot for each in done if isinstance(each, Play)] == [slot]
    assert card.opacity() == 0
    assert lively.property("flying") == (motion > 0)
    if landed or not motion:
        until(resting.isVisible)
        assert not lively.property("flying")
    before = screen.property("discardPile")
    table.act(done[0])
    screen.receive(replace(table.seen(), at=screen.pacer._clock()))
    assert screen.property("discardPile") == before + 1
    until(lambda: deck.property("cardsMissing") == 0 and not lively.property("flying"))
    # It did not fly a second time.
    assert not resting.isVisible()
    assert lively.property("sent") == -1
    assert slot not in {each.property("slot") for each in cards(window)}


@pytest.mark.parametrize("how", ["refused", "the clock was faster", "the host is away"])
def test_an_own_card_that_was_not_taken_is_in_the_hand_again(
    running: Running, window: QQuickWindow, lively: QObject, done: list[Action], how: str
) -> None:
    table, screen, slot, card = own_card(running, window)
    screen.play(slot)
    assert (len(done), card.opacity()) == (1, 0)
    if how == "refused":
        screen.refused("too late")
    elif how == "the clock was faster":
        table.act(Draw())
        screen.receive(replace(table.seen(), at=screen.pacer._clock()))
    else:
        away = table.snapshot(in_contact=False)
        screen.receive(TableUpdated(away, (), screen.pacer._clock()))
    until(lambda: not lively.property("flying"))
    resting = lively.findChild(QQuickItem, "resting")
    assert isinstance(resting, QQuickItem)
    assert (card.opacity(), resting.isVisible()) == (1, False)
    assert find(window, "deck").property("cardsMissing") == 0


def own_card(
    running: Running, window: QQuickWindow
) -> tuple[Simulated, TableController, int, QQuickItem]:
    """Show a table at which this player is on turn, and return a coloured card that fits."""
    table = Simulated(4, seed=5).my_turn()
    table.seen()
    screen = running.app.table_controller
    screen.receive(TableUpdated(table.snapshot(), (), screen.pacer._clock()))
    settle()
    calm(window)
    plays = [each for each in table.own.legal if isinstance(each, Play) and each.colour is None]
    slot = plays[0].slot
    (card,) = [each for each in cards(window) if each.property("slot") == slot]
    return table, screen, slot, card


def test_the_first_card_comes_after_the_deal_and_acts_after_that(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    table, deck = running.app.table_controller, find(window, "deck")
    hidden = [{"slot": slot, "colour": -2, "rank": -2} for slot in range(5)]
    for seat in (1, 2):
        table.moved.emit("deal", -1, seat, hidden)
    table.moved.emit("start", -1, -2, [CARD])
    table.moved.emit("draw", -1, 1, hidden[:2])
    table.moved.emit("skip", 1, 1, hidden[:2])
    # The cards of both seats fly together, three for each.
    assert (lively.property("flying"), deck.property("cardsMissing"), words(lively)) == (6, 1, [])
    until(lambda: deck.property("cardsMissing") == 0)
    assert words(lively) == []
    until(lambda: words(lively) == ["+2, skipped"])
    assert lively.property("flying") == 0


def test_a_card_that_waits_to_be_drawn_is_not_in_the_hand_yet(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    """It shows once: first it flies, then it lies there."""
    table, screen = scenes.game(4), running.app.table_controller
    screen.show(TableUpdated(table.snapshot(), (), 0.0), True)
    settle()
    held = table.own.hand[-1]
    (card,) = [each for each in cards(window) if each.property("slot") == held.slot]
    screen.moved.emit("play", 1, -2, [CARD])
    drawn = {"slot": held.slot, "colour": card.property("colour"), "rank": card.property("rank")}
    screen.moved.emit("draw", -1, 0, [drawn])
    assert (lively.property("flying"), card.opacity()) == (1, 0)
    until(lambda: card.opacity() == 1)
    assert lively.property("flying") == 0


@pytest.mark.parametrize("landed", [True, False])
def test_cards_that_are_opened_late_turn_over_in_the_hand(
    running: Running, window: QQuickWindow, lively: QObject, *, landed: bool
) -> None:
    """A card turns over whether it is opened in flight or after it has landed."""
    table, screen = scenes.game(4), running.app.table_controller
    held = table.own.hand
    before = table.snapshot(view=msgspec.structs.replace(table.own, hand=held[:-2]))
    screen.show(TableUpdated(before, (), 0.0), True)
    slots = [each.slot for each in held[-2:]]
    closed = [{"slot": slot, "colour": -2, "rank": -2} for slot in slots]
    screen.moved.emit("draw", -1, 0, closed)
    assert lively.property("flying") == 2
    if landed:
        until(lambda: not lively.property("flying"))
    screen.show(TableUpdated(table.snapshot(), (), 0.0))
    late = [each for each in cards(window) if each.property("slot") in slots]
    assert [card.opacity() for card in late] == [0, 0]
    until(lambda: all(card.opacity() == 1 for card in late))
    assert lively.property("flying") == 0


def test_with_reduced_motion_nothing_flies(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    running.app.settings_controller.change("motion", 0.0)
    running.app.table_controller.show(Simulated(4, seed=5).seen())
    assert lively.property("flying") == 0
    assert all(card.opacity() == 1 for card in cards(window))


def test_everything_that_can_happen_is_shown_and_passes(
    running: Running, window: QQuickWindow, lively: QObject
) -> None:
    table = running.app.table_controller
    card = {"slot": 3, "colour": 1, "rank": 12}
    hidden = {"slot": 4, "colour": -2, "rank": -2}
    for kind, source, target, held in (
        *(("play", seat, -2, [card]) for seat in range(4)),
        *(("draw", -1, seat, [hidden, card]) for seat in range(4)),
        *((kind, 1, 1, []) for kind in ("skip", "uno", "turn", "drop", "return", "host", "out")),
        ("reverse", -1, -1, []),
        ("catch", 0, 2, []),
        ("challenge", 0, 3, []),
        ("shown", 3, 0, []),
        ("swap", 0, 2, [card]),
        ("swap", 1, 3, [hidden, hidden]),
        ("colour", 0, -2, [{"slot": -1, "colour": 2, "rank": -1}]),
        ("shuffle", -2, -1, []),
        ("start", -1, -2, [card]),
        ("void", -1, -1, []),
        ("unknown", 0, 0, []),
    ):
        table.moved.emit(kind, source, target, held)
    assert lively.property("flying") > 0
    until(lambda: lively.property("saying") > 8)
    until(lambda: not lively.property("flying") and not lively.property("saying"))
    assert find(window, "deck").property("cardsMissing") == 0


def test_a_question_over_the_window_keeps_the_keyboard(
    running: Running, window: QQuickWindow
) -> None:
    scenes.put(running, scenes.game(4))
    running.app.set_leave_question(lambda: "Really?")
    press(window, Qt.Key.Key_Escape)
    until(lambda: keyboard_at(window) == "cancelLeave")
    running.app.reset_to("result")
    settle()
    assert keyboard_at(window) == "cancelLeave"
    scenes.put(running, scenes.asking("challenge"))
    assert keyboard_at(window) == "cancelLeave"
    running.app.cancelLeave()
    until(lambda: keyboard_at(window) == "accept")


@pytest.mark.parametrize("how", ["the page", "the cards"])
def test_cards_that_choose_the_dealer_may_go_while_they_are_made(
    running: Running, window: QQuickWindow, how: str
) -> None:
    """The cards are created one after the other, and the page may change before the last one."""
    calm(window)
    table = running.app.table_controller
    running.app.reset_to("table")
    calm(window)
    values = {"view": None, "to_move": False}
    drawn = tuple(RevealedHand(hand.seat, hand.cards[:1]) for hand in scenes.game(10).open_hands())
    chosen = scenes.game(10).whole(TableStage.CHOOSING, drawn_for_deal=drawn, **values)
    table.show(chosen, True)
    if how == "the page":
        running.app.reset_to("home")
    else:
        table.show(scenes.game(10).whole(TableStage.DEALING, **values), True)
    settle()
    calm(window)


def test_players_may_go_while_their_places_are_made(running: Running, window: QQuickWindow) -> None:
    """Deferred work of a place does nothing after its player has gone."""
    table = running.app.table_controller
    running.app.reset_to("table")
    calm(window)
    for players in (10, 2, 10, 3):
        table.show(scenes.game(players).whole(TableStage.PLAYING), True)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    settle()
    calm(window)


def test_the_host_may_wait_no_longer_for_somebody_who_fell_silent(
    running: Running, window: QQuickWindow
) -> None:
    claims: list[bool] = []
    running.app.table_controller.claimed.connect(lambda: claims.append(True))
    missing = {"waits": ((1, 0.0),), "claimable": ()}
    scenes.put(running, scenes.game(2), missing)
    calm(window)
    assert "You can play a card" in find(window, "notice").property("text")
    assert "noticeOffer" not in {spot.item.objectName() for spot in spots(window)}
    running.app.table_controller.claim()
    assert claims == []
    scenes.put(running, scenes.game(2), missing | {"claimable": (1,)})
    assert "You can end the wait" in find(window, "notice").property("text")
    assert [other.waiting for other in running.app.table_controller._opponents.rows] == [-1]
    click(window, "noticeOffer")
    assert claims == [True]
    find(window, "noticeOffer").forceActiveFocus()
    press(window, Qt.Key.Key_Return)
    assert claims == [True, True]


def test_no_time_is_counted_while_too_few_are_there(running: Running, window: QQuickWindow) -> None:
    def missing() -> tuple[bool, int]:
        rows = running.app.table_controller._opponents.rows
        return next((other.asleep, other.waiting) for other in rows if other.seat == 1)

    scenes.put(running, scenes.game(3), {"waits": ((1, time.monotonic() + 60.0),)})
    calm(window)
    assert missing()[1] > 50
    values = {"waits": ((1, time.monotonic() + 60.0),), "short_of": (1, 2)}
    scenes.put(running, scenes.game(3), values)
    assert missing() == (True, -1)


def test_the_time_in_which_no_clock_runs_covers_the_deal(running: Running, lively: QObject) -> None:
    """The pause covers the deal of the largest hand, by the durations of its animations."""
    bounds = SETTINGS["hand_size"].bounds
    assert bounds is not None
    largest = bounds[1]
    # These cards are still closed: each lands, and turns over once it is opened.
    closed = [{"slot": slot, "colour": -2, "rank": -2} for slot in range(1000, 1000 + largest)]
    running.app.table_controller.moved.emit("deal", -1, 0, closed)
    flights = [
        {each.property("duration") for each in item.findChildren(QObject)} - {None}
        for item in lively.findChildren(QQuickItem)
        if item.property("delay") is not None
    ]
    assert len(flights) == largest
    # The first card has no delay, so its longest duration is the time of a flight.
    play = min(max(durations) for durations in flights)
    assert play > 0
    last = max(duration for durations in flights for duration in durations)
    assert last + 2 * play <= DEAL_MS
