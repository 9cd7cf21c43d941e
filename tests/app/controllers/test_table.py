"""Tests of the table's controller: which acts its slots send, and what it refuses.

Simulated tables provide the snapshots. `acts` are the acts that the controller sends.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.pacer import Pacer
from lanuno.app.controllers.table import MOST_MOVES, VERDICT_LIMIT_SECONDS, TableController
from lanuno.client.events import TableUpdated
from lanuno.client.observed_state import Clock
from lanuno.client.snapshot import TableStage
from lanuno.rules.engine import events
from lanuno.rules.engine.actions import Action, Catch, Draw, NameColour, Play, SayUno, Swap, Vote
from lanuno.rules.engine.events import DrawReason
from lanuno.rules.view import Held, SeatView
from tests.app.announcements import announced, plain
from tests.app.pictures.scenes_table import asking
from tests.app.pictures.tables import Simulated
from tests.app.waiting import settle

NOT_NOW = "This cannot be done at this moment."


@pytest.fixture
def table(english: Application) -> TableController:
    return english.table_controller


@pytest.fixture
def acts(table: TableController) -> list[Action]:
    sent: list[Action] = []
    table.acted.connect(sent.append)
    return sent


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The clock of the controller: one number, which a test can change."""
    clock = [1000.0]
    monkeypatch.setattr(
        "lanuno.app.controllers.table.time", SimpleNamespace(monotonic=lambda: clock[0])
    )
    return clock


def see(table: TableController, simulated: Simulated, **values: Any) -> SeatView:
    """Show the present moment of a simulated table, and return its view."""
    table.receive(TableUpdated(simulated.snapshot(**values), (), 0.0))
    settle()
    return simulated.own


def see_legal(table: TableController, *legal: Action) -> None:
    """Show a moment at which exactly these acts are legal."""
    simulated = Simulated(3, seed=3).my_turn()
    view = msgspec.structs.replace(simulated.own, legal=legal)
    table.receive(TableUpdated(simulated.snapshot(view=view), (), 0.0))
    settle()


def plays(view: SeatView) -> list[Play]:
    return [each for each in view.legal if isinstance(each, Play)]


def told(app: Application) -> list[str]:
    return [row.text for row in app._notices.rows]


# ---- playing a card -----------------------------------------------------------------------------


def test_a_card_that_fits_is_played(
    english: Application, table: TableController, acts: list[Action]
) -> None:
    view = see(table, Simulated(3, seed=3).my_turn())
    chosen = next(each for each in plays(view) if each.colour is None and not each.uno)
    assert table.whyNot(chosen.slot) == ""
    table.play(chosen.slot)
    assert acts == [chosen]
    assert told(english) == []


def test_a_card_that_does_not_fit_is_refused_with_the_reason(
    english: Application, table: TableController, acts: list[Action]
) -> None:
    view = see(
        table, Simulated(3, seed=3).until(lambda seen: seen.decider == 0 and bool(seen.unplayable))
    )
    slot = view.unplayable[0][0]
    table.play(slot)
    assert acts == []
    assert told(english) == [table.whyNot(slot)]
    assert table.whyNot(slot) not in ("", NOT_NOW)


def test_a_wild_card_waits_for_its_colour(table: TableController, acts: list[Action]) -> None:
    view = see(table, asking("wild"))
    wild = next(each for each in plays(view) if each.colour == 2 and not each.uno)
    table.play(wild.slot)
    assert (table.property("colourWanted"), table.property("colourSlot")) == (True, wild.slot)
    assert acts == []
    table.chooseColour(2)
    assert acts == [wild]
    assert (table.property("colourWanted"), table.property("colourSlot")) == (False, -1)


def test_a_wild_card_can_be_kept_after_all(table: TableController, acts: list[Action]) -> None:
    view = see(table, asking("wild"))
    table.play(next(each.slot for each in plays(view) if each.colour is not None))
    table.cancelColour()
    assert not table.property("colourWanted")
    table.chooseColour(1)
    assert acts == []


def test_the_colour_of_the_starting_card_is_chosen_without_a_card(
    table: TableController, acts: list[Action]
) -> None:
    see_legal(table, *map(NameColour, range(4)))
    assert table.property("colourSlot") == -1
    table.chooseColour(3)
    assert acts == [NameColour(3)]


def test_uno_is_said_with_the_next_card(table: TableController, acts: list[Action]) -> None:
    silent, loud = Play(5, 1, None, False), Play(5, 1, None, True)
    see_legal(table, silent, loud)
    table.uno()
    assert table.property("unoArmed")
    table.play(5)
    assert acts == [loud]
    # It is armed for one card only, and a second press takes it back.
    assert not table.property("unoArmed")
    table.uno()
    table.uno()
    table.play(5)
    assert acts == [loud, silent]


def test_uno_that_is_owed_is_said_at_once(
    english: Application, table: TableController, acts: list[Action]
) -> None:
    see_legal(table, SayUno())
    table.uno()
    assert acts == [SayUno()]
    see_legal(table, Draw())
    table.uno()
    assert acts == [SayUno()]
    assert told(english) == ["You do not have to say “UNO” now."]


# ---- the other acts -----------------------------------------------------------------------------


@pytest.mark.parametrize("slot", ["draw", "keep", "accept", "challenge", "object"])
def test_an_act_that_is_not_legal_is_refused(
    english: Application, table: TableController, acts: list[Action], slot: str
) -> None:
    see_legal(table)
    getattr(table, slot)()
    assert acts == []
    assert told(english) == [NOT_NOW]


def test_only_a_legal_seat_is_swapped_with(
    english: Application, table: TableController, acts: list[Action]
) -> None:
    see_legal(table, Swap(1), Swap(2))
    assert table.property("swapSeats") == [1, 2]
    table.swapWith(0)
    table.accuse(1)
    assert acts == []
    assert told(english) == [NOT_NOW]
    table.swapWith(2)
    assert acts == [Swap(2)]


def test_a_catch_without_a_seat_is_for_the_first(
    english: Application, table: TableController, acts: list[Action]
) -> None:
    see_legal(table, Catch(2), Catch(1))
    table.catchSeat(0)
    assert acts == []
    assert told(english) == ["There is nothing to catch: “UNO” was said, or it is too late."]
    table.catchSeat(1)
    table.catchSeat(-1)
    assert acts == [Catch(1), Catch(2)]


def test_a_catch_is_offered_only_once_it_counts(table: TableController, now: list[float]) -> None:
    """Until then, the player who forgot may still say "UNO"."""
    view = see(table, asking("catch"))
    assert view.uno_owed is not None
    assert table.property("catchSeats") == []
    now[0] += view.ruleset.uno_catch_ms / 1000 - 0.1
    table._tick()
    assert table.property("catchSeats") == []
    now[0] += 0.2
    table._tick()
    assert table.property("catchSeats") == [view.uno_owed]


def test_a_vote_is_the_one_that_the_player_chose(
    table: TableController, acts: list[Action]
) -> None:
    see_legal(table, Vote(False), Vote(True))
    table.vote(True)
    assert acts == [Vote(True)]


def test_the_wait_is_ended_only_where_the_player_may_do_so(table: TableController) -> None:
    ended: list[bool] = []
    table.claimed.connect(lambda: ended.append(True))
    simulated = Simulated(2, seed=3).my_turn()
    see(table, simulated)
    table.claim()
    see(table, simulated, claimable=(1,), in_contact=False)
    table.claim()
    assert ended == []
    see(table, simulated, claimable=(1,))
    table.claim()
    assert ended == [True]


def test_a_refused_act_is_reported_unless_the_app_made_it(
    english: Application, table: TableController
) -> None:
    table._sent_automatically = True
    table.refused("too late")
    assert told(english) == []
    table.refused("too late")
    assert told(english) == ["too late"]


def test_the_reason_of_a_refusal_disappears_with_its_moment(
    english: Application, table: TableController
) -> None:
    game = Simulated(3, seed=3).until(lambda seen: seen.decider == 1)
    view = see(table, game)
    table.play(view.hand[0].slot)
    assert told(english) == ["It is \u2068Begoña\u2069's turn"]
    see(table, game, claimable=(1,))
    assert len(told(english)) == 1, "it is still that turn"
    see(table, game.until(lambda seen: seen.decider != 1))
    assert told(english) == []


# ---- the newest snapshot and the display --------------------------------------------------------


def test_acts_apply_to_the_newest_snapshot_while_the_display_lags(
    english: Application, table: TableController, acts: list[Action]
) -> None:
    table.pacer = Pacer(table.show, table, gap=3600.0)
    simulated = Simulated(3, seed=3).my_turn()
    before = plays(simulated.own)[0]
    drew = events.Drew(1, (90,), DrawReason.TURN)
    table.receive(TableUpdated(simulated.snapshot(), (drew,), table.pacer._clock()))
    view = msgspec.structs.replace(simulated.own, legal=(Draw(),))
    table.receive(TableUpdated(simulated.snapshot(view=view), (drew,), table.pacer._clock()))
    # The hand still shows the card as playable.
    assert any(row.playable and row.slot == before.slot for row in table._hand.rows)
    table.play(before.slot)
    assert acts == []
    assert len(told(english)) == 1
    table.draw()
    assert acts == [Draw()]


def test_why_a_card_cannot_be_played(table: TableController) -> None:
    assert table.whyNot(5) == "Everybody is shuffling the cards"
    simulated = Simulated(3, seed=3, names=("Ana", "Ben", "Cleo"))
    simulated.until(lambda seen: seen.decider == 1)
    view = see(table, simulated)
    assert plain(table.whyNot(view.hand[0].slot)) == "It is Ben's turn"
    watching = Simulated(3, seed=3, mine=None)
    see(table, watching)
    assert table.whyNot(5) == "Everybody is shuffling the cards"


@pytest.mark.parametrize("watching", [True, False])
def test_who_cannot_act_at_all_is_told_so(
    english: Application, table: TableController, acts: list[Action], watching: bool
) -> None:
    """For a spectator, "UNO" was said too late or not, but never by them."""
    see(table, Simulated(3, seed=3, mine=None if watching else 0))
    table.let_bot_play(not watching)
    why = "You are watching: only players can do that."
    for act in (table.draw, table.uno, table.object, table.challenge, table.keep):
        act()
    table.catchSeat(-1)
    said = {each.text for each in english._notices.rows}
    assert said == {why if watching else "A bot plays for you until you take over"}
    assert acts == []


def test_moves_are_emitted_in_order_and_not_for_a_jump(table: TableController) -> None:
    moved: list[tuple[str, int]] = []
    jumps: list[bool] = []
    table.moved.connect(lambda kind, source, _target, _cards: moved.append((kind, source)))
    table.jumped.connect(lambda: jumps.append(True))
    snapshot = replace(Simulated(3).snapshot(), view=None)
    happened = (events.Drew(1, (90,), DrawReason.TURN), events.UnoSaid(2))
    update = TableUpdated(snapshot, happened, 0.0)
    table.show(update)
    assert [kind for kind, _ in moved] == ["draw", "uno"]
    assert jumps == []
    table.show(update, jump=True)
    assert len(moved) == 2
    assert jumps == [True]


def test_the_list_of_moves_is_bounded(table: TableController) -> None:
    snapshot = replace(Simulated(3).snapshot(), view=None)
    happened = tuple(events.UnoSaid(number % 3) for number in range(MOST_MOVES + 5))
    table.show(TableUpdated(snapshot, happened, 0.0), jump=True)
    rows = table._moves.rows
    assert [row.id for row in rows] == list(range(6, MOST_MOVES + 6))


# ---- time ---------------------------------------------------------------------------------------


def test_the_end_of_a_turn_is_announced_once(
    english: Application, table: TableController, now: list[float]
) -> None:
    said = announced(english)
    simulated = Simulated(3, seed=3).my_turn()
    see(table, simulated, clock=Clock(0, 60.0, now[0]))
    for seconds in (49.0, 0.5, 1.0, 5.0):
        now[0] += seconds
        table._tick()
    assert [text for text in said if "seconds left" in text] == ["10 seconds left"]
    assert (table.property("clockTotal"), table.property("clockLeft")) == (60.0, 5.0)


@pytest.mark.parametrize("how", ["time", "the player", "the end of the round", "the next round"])
def test_a_shown_hand_closes(table: TableController, now: list[float], how: str) -> None:
    simulated = Simulated(3, seed=3).my_turn()
    slots = tuple(simulated.game.hands[1])
    snapshot = simulated.snapshot()
    faces = simulated.open_hands()[1].cards
    seen = tuple((1, Held(slot, 0, face)) for slot, face in zip(slots, faces, strict=True))
    snapshot = replace(snapshot, view=msgspec.structs.replace(simulated.own, seen=seen))
    table.show(TableUpdated(snapshot, (events.Shown(1, 0, slots),), 0.0))
    assert len(table.property("shown")["cards"]) == len(slots)
    if how == "time":
        now[0] += VERDICT_LIMIT_SECONDS
        table._tick()
        assert table.property("shown")["open"]
        now[0] += 0.1
        table._tick()
    elif how == "the player":
        table.closeShown()
    elif how == "the end of the round":
        table.receive(TableUpdated(replace(snapshot, stage=TableStage.REVEALING), (), 0.0))
    else:
        table.receive(TableUpdated(replace(snapshot, number=2), (), 0.0))
    assert table.property("shown") == {"open": False}


def test_a_hand_that_is_shown_to_another_player_stays_hidden(table: TableController) -> None:
    simulated = Simulated(3, seed=3).my_turn()
    shown = events.Shown(1, 2, tuple(simulated.game.hands[1]))
    table.show(TableUpdated(simulated.snapshot(), (shown,), 0.0))
    assert table.property("shown") == {"open": False}


# ---- the rest -----------------------------------------------------------------------------------


def test_the_hand_is_sorted_in_three_ways(english: Application, table: TableController) -> None:
    simulated = Simulated(3, seed=3).my_turn()
    english.settings_controller.change("sorting", "hand")
    drawn = [held.slot for held in see(table, simulated).hand]
    orders = []
    for _ in range(3):
        orders.append([row.slot for row in table._hand.rows])
        table.sortNext()
    assert orders[0] == drawn
    assert [row.slot for row in table._hand.rows] == drawn
    colours = {row.slot: row.colour for row in table._hand.rows}
    ranks = {row.slot: row.rank for row in table._hand.rows}
    coloured = [colours[slot] for slot in orders[1] if colours[slot] >= 0]
    assert coloured == sorted(coloured)
    assert [ranks[slot] for slot in orders[2]] == sorted(ranks.values())
    assert english.settings_controller.values.sorting == "hand"


def test_the_situation_is_announced_again_on_request(
    english: Application, table: TableController
) -> None:
    said = announced(english)
    see(table, Simulated(3, seed=3).my_turn())
    said.clear()
    table.tellAgain()
    (text,) = said
    assert text.startswith("Nothing has happened since your last turn. On the discard pile: ")
    assert text.endswith(table.property("prompt"))


def test_another_table_begins_empty(table: TableController, acts: list[Action]) -> None:
    see(table, asking("wild"))
    table.play(next(each.slot for each in plays(asking("wild").own) if each.colour is not None))
    table.show(TableUpdated(asking("wild").snapshot(), (events.UnoSaid(1),), 0.0))
    table.clear()
    assert (table.property("seated"), table.property("colourWanted")) == (False, False)
    for rows in (table._hand, table._opponents, table._moves, table._dealing):
        assert rows.rows == ()
    assert table.property("since") == ""
    table.draw()
    assert acts == []
