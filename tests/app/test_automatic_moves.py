"""Automatic moves: the app acts by itself only if the rules leave the player exactly one act."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from itertools import chain, pairwise, product
from random import Random
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from lanuno.app.automatic_moves import (
    DRAW_PAUSE_MS,
    NO_AUTOMATIC_MOVES,
    PAUSE_MS,
    RANDOM_PAUSE_MS,
    AutomaticMoves,
    automatic,
    pause_ms,
)
from lanuno.app.controllers.application import Application
from lanuno.app.controllers.table import TOO_LATE_SECONDS
from lanuno.bots.simulation import Simulation
from lanuno.bots.strategies import RandomPlayer
from lanuno.client.events import TableUpdated
from lanuno.client.observed_state import Clock
from lanuno.client.snapshot import TableSnapshot
from lanuno.rules.engine import events
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.events import DrawReason
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import PRESETS
from lanuno.rules.rulebook.scope import playable_seats
from lanuno.rules.ruleset import DrawnRule, Manners, Ruleset
from lanuno.rules.validation import validate
from lanuno.rules.view import SeatView
from lanuno.rules.view import view as view_of
from tests.app.announcements import announced, plain
from tests.app.pictures.tables import Simulated
from tests.app.slot_player import SlotPlayer
from tests.app.waiting import settle, until
from tests.harness.rounds.any_rules import any_ruleset

UNTIL = Ruleset(draw_until_playable=True)
STACKING = Ruleset(stack_draw_two=True)
KINDS = {RoundPhase.DRAWN: (Keep, Draw), RoundPhase.PENALTY: (Accept,)}


def thinkable(game: Round, seat: int, cards: dict[int, int]) -> Iterator[Action]:
    """Yield every act that a player could attempt, except votes."""
    colours = (None, 0, 1, 2, 3)
    known = {**game.face_up, **cards}
    for slot, colour, uno in product(game.hands[seat], colours, (False, True)):
        yield Play(slot, known[slot], colour, uno)
    yield from (Draw(), Keep(), Accept(), Challenge(), SayUno(), Object(), OpenHand())
    yield from (Show(), RefuseShow(), RefuseVerdict(), Verdict(False), Verdict(True))
    yield from map(NameColour, range(4))
    for other in game.seats:
        yield from (Swap(other), Catch(other))


MOST = 400
"""Decisions that are checked in one game, because a random game may be long."""


class Enough(Exception):
    """Enough decisions of a game have been checked."""


class Watched(Simulation):
    """Random games that check the automatic move at every decision of every seat."""

    def __init__(self, ruleset: Ruleset, seats: int, seed: int) -> None:
        super().__init__(ruleset, seats, seed)
        self.made: Counter[str] = Counter()
        """The number of automatic moves, by kind."""
        self.asked = 0
        """The number of decisions that were left to the player."""

    def watch(self, rounds: int) -> None:
        """Play this number of rounds, or until `MOST` decisions have been checked."""
        with suppress(Enough):
            for _ in self.play(rounds):
                pass

    def _decision(self, match: Any, game: Round, table: Any) -> list[Any]:
        if game.decider is not None:
            self._judge(match, game, table, game.decider)
            if self.asked + self.made.total() >= MOST:
                raise Enough
        return super()._decision(match, game, table)

    def _judge(self, match: Any, game: Round, table: Any, seat: int) -> None:
        seen = view_of(match, game, seat, table.known[seat])
        snapshot = snapshot_of(seen)
        act = automatic(snapshot, AutomaticMoves())
        known = {**game.face_up, **table.known[seat]}
        right = {
            each
            for each in thinkable(game, seat, table.known[seat])
            if game.refusal(seat, each, known) is None
        }
        if act is None:
            self.asked += 1
            [*only] = right
            forced = len(only) == 1 and isinstance(only[0], KINDS.get(seen.phase, ()))
            assert not forced, f"nobody has to be asked: {only}"
        else:
            self.made[type(act).__name__] += 1
            assert right == {act}, "there was a choice"
            assert isinstance(act, KINDS[seen.phase])
            for other in game.seats:
                if other != seat:
                    view = view_of(match, game, other, table.known[other])
                    assert automatic(snapshot_of(view), AutomaticMoves()) is None
        assert automatic(snapshot, NO_AUTOMATIC_MOVES) is None
        assert automatic(replace(snapshot, to_move=False), AutomaticMoves()) is None
        assert automatic(replace(snapshot, clocked=True), AutomaticMoves()) is None
        assert automatic(replace(snapshot, in_contact=False), AutomaticMoves()) is None


@cache
def blank() -> TableSnapshot:
    """Return some snapshot, as the base of others."""
    return Simulated(2).snapshot()


def snapshot_of(seen: SeatView) -> TableSnapshot:
    """Return a snapshot with this seat view."""
    mine = seen.seat == seen.decider
    return replace(blank(), view=seen, mine=seen.seat, to_move=mine, ruleset=seen.ruleset)


PLAYED: list[tuple[str, Ruleset, int]] = [
    *((name, rules, playable_seats(rules)[0]) for name, rules in PRESETS.items()),
    *((each, msgspec.structs.replace(Ruleset(), **{each: True}), 3) for each in HOUSE_RULES),
    *((each.name, Ruleset(manners=each, advice=True), 3) for each in Manners),
    *((each.name, Ruleset(drawn=each, draw_until_playable=True), 2) for each in DrawnRule),
]


@pytest.mark.parametrize(
    ("rules", "seats"), [each[1:] for each in PLAYED], ids=[each[0] for each in PLAYED]
)
def test_only_the_one_legal_answer_is_automatic(rules: Ruleset, seats: int) -> None:
    game = Watched(rules, seats, 1)
    game.watch(6)
    assert game.asked
    if rules.manners is Manners.ENFORCED:
        assert game.made["Keep"] or rules.draw_until_playable
        assert game.made["Draw"] or not rules.draw_until_playable


def test_automatic_moves_are_forced_under_any_rules() -> None:
    made: Counter[str] = Counter()
    for seed in range(80):
        chance = Random(seed)
        rules, seats = any_ruleset(chance), chance.randint(2, 6)
        if validate(rules, seats) is None:
            game = Watched(rules, seats, seed)
            game.watch(1)
            made += game.made
    assert set(made) == {"Keep", "Draw", "Accept"}


def test_nothing_before_every_card_of_the_hand_is_open() -> None:
    seen = next(each.own for each in decisions(UNTIL) if isinstance(first(each), Draw))
    assert automatic(snapshot_of(seen), AutomaticMoves()) == Draw()
    unread = msgspec.structs.replace(seen, hand=seen.hand[:-1])
    assert automatic(snapshot_of(unread), AutomaticMoves()) is None


def test_nothing_for_a_spectator() -> None:
    seen = next(each.own for each in decisions(UNTIL) if isinstance(first(each), Draw))
    watching = msgspec.structs.replace(seen, seat=None)
    assert automatic(replace(snapshot_of(seen), view=watching, mine=None), AutomaticMoves()) is None


@pytest.mark.parametrize("act", [SayUno(), Catch(1), Object()])
def test_a_moment_that_may_pass_is_a_choice(act: Action) -> None:
    seen = next(each.own for each in decisions(UNTIL) if isinstance(first(each), Draw))
    more = msgspec.structs.replace(seen, legal=(*seen.legal, act))
    assert automatic(snapshot_of(more), AutomaticMoves()) is None
    voting = msgspec.structs.replace(seen, legal=(*seen.legal, Vote(True), Accuse(1)))
    assert automatic(snapshot_of(voting), AutomaticMoves()) == Draw()


def test_each_kind_is_a_setting_of_its_own() -> None:
    kinds: set[type[Action]] = set()
    for table in chain(decisions(STACKING), decisions(UNTIL)):
        act = first(table)
        snapshot = table.snapshot()
        if act is None or type(act) in kinds:
            continue
        kinds.add(type(act))
        only: dict[str, type[Action]] = {"keep": Keep, "draw": Draw, "accept": Accept}
        for name, kind in only.items():
            wanted = replace(NO_AUTOMATIC_MOVES, **{name: True})
            assert automatic(snapshot, wanted) == (act if isinstance(act, kind) else None)
    assert kinds == {Keep, Draw, Accept}


def test_the_pause_lasts_as_motion_does_and_tells_little() -> None:
    assert pause_ms(Draw(), 1.0, Random(1).randrange) == DRAW_PAUSE_MS
    assert pause_ms(Draw(), 0.0, Random(1).randrange) == 0
    below: list[int] = []

    def chance(limit: int) -> int:
        below.append(limit)
        return 17

    assert pause_ms(Keep(), 0.5, chance) == PAUSE_MS // 2 + 17
    assert pause_ms(Accept(), 0.0, chance) == 17
    assert below == [RANDOM_PAUSE_MS] * 2


# ---- at a table -----------------------------------------------------------------------------


def first(table: Simulated) -> Action | None:
    """Return the automatic move for the own seat, or None."""
    return automatic(table.snapshot(), AutomaticMoves())


def ended(table: Simulated) -> bool:
    """Whether the round is over. The caller of `decisions` may have ended it just now."""
    return table.game.over


def decisions(rules: Ruleset, seed: int = 1, rounds: int = 30) -> Iterator[Simulated]:
    """Yield a random game at each decision of the own seat."""
    table = Simulated(3, rules=rules, seed=seed, first=RandomPlayer(Random(seed)))
    for _ in range(rounds):
        while not table.game.over:
            if table.game.decider == table.mine:
                yield table
            if not ended(table):
                table.step()
        table.score()
        if table.match.over:
            return
        table.begin()


class At:
    """The table controller of an app, and the acts that it sends."""

    def __init__(self, app: Application) -> None:
        self.app = app
        self.screen = app.table_controller
        self.acts: list[Action] = []
        app.settings_controller.change("motion", 0.0)
        app.session_controller._screens.table.acted.connect(self.acts.append)
        self.screen.clear()

    def see(self, seen: TableUpdated) -> None:
        self.screen.receive(seen)
        settle()

    def waits(self) -> bool:
        """Whether an automatic move is planned."""
        return self.screen._automatic_timer.isActive()

    def told(self) -> list[str]:
        return [each.text for each in self.app._notices.rows]


@pytest.fixture
def at(app: Application) -> At:
    return At(app)


def forced(kind: type[Action]) -> Simulated:
    """Return a table at which an act of this kind is the only one of the own seat."""
    rules = UNTIL if kind is Draw else STACKING
    tables = (each for seed in range(9) for each in decisions(rules, seed))
    return next(each for each in tables if isinstance(first(each), kind))


@pytest.mark.parametrize(
    "rules",
    [Ruleset(), UNTIL, STACKING, Ruleset(jump_in=True, stack_cross=True, forced_play=True)],
    ids=["classic", "draw until", "stacking", "more"],
)
def test_a_player_with_a_choice_is_asked_and_others_are_not(at: At, rules: Ruleset) -> None:
    made = asked = 0
    for table in decisions(rules, rounds=2):
        at.acts.clear()
        at.see(table.seen())
        act = first(table)
        if act is None:
            asked += 1
            assert (at.waits(), at.acts) == (False, [])
        else:
            made += 1
            until(lambda: at.acts)
            assert at.acts == [act]
            assert at.screen.property("challengeQuestion") == {"open": False}
            table._do(0, act)
    assert made
    assert asked


@pytest.mark.parametrize("kind", [Keep, Draw, Accept])
def test_an_automatic_move_is_sent_once(at: At, kind: type[Action]) -> None:
    table = forced(kind)
    at.see(table.seen())
    until(lambda: at.acts)
    at.see(table.seen())
    at.screen._tick()
    assert not at.waits()
    click(at, kind)
    assert [type(each) for each in at.acts] == [kind], "a click behind it says nothing new"


def click(at: At, kind: type[Action]) -> None:
    {Keep: at.screen.keep, Draw: at.screen.draw, Accept: at.screen.accept}[kind]()


@pytest.mark.parametrize("kind", [Keep, Draw, Accept])
def test_a_click_during_the_pause_counts_and_nothing_is_done_behind_it(
    at: At, kind: type[Action]
) -> None:
    slowly(at)
    at.see(forced(kind).seen())
    assert (at.waits(), at.acts) == (True, [])
    click(at, kind)
    assert [type(each) for each in at.acts] == [kind]
    at.screen._send_planned()
    at.screen._tick()
    assert len(at.acts) == 1
    assert not at.waits()


def slowly(at: At) -> None:
    """Make the pause before an automatic move longer than any test."""
    at.screen.chance = lambda _limit: 10**7
    at.app.settings_controller.change("motion", 1.0)


def test_nothing_is_done_about_a_decision_that_has_changed(at: At) -> None:
    table = forced(Keep)
    slowly(at)
    at.see(table.seen())
    assert at.waits()
    table._note(table.game.act(0, Keep()))
    assert table.game.decider != 0
    planned = at.screen._planned_action
    at.screen._newest_snapshot = table.snapshot()
    at.screen._send_planned()
    assert at.acts == []
    at.screen._planned_action = planned
    at.see(table.seen())
    assert not at.waits()


def test_nothing_is_planned_before_it_is_shown(at: At) -> None:
    table = forced(Keep)
    at.screen._newest_snapshot = table.snapshot()
    at.screen._plan_automatic()
    assert not at.waits()
    at.see(table.seen())
    until(lambda: at.acts == [Keep()])


@pytest.mark.parametrize("kind", [Keep, Accept])
def test_a_click_that_comes_just_behind_it_is_no_mistake(
    at: At, kind: type[Action], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [1000.0]
    clock = SimpleNamespace(monotonic=lambda: now[0])
    monkeypatch.setattr("lanuno.app.controllers.table.time", clock)
    table = forced(kind)
    at.see(table.seen())
    until(lambda: at.acts)
    table._do(0, at.acts[0])
    at.see(table.seen())
    now[0] += TOO_LATE_SECONDS - 0.1
    click(at, kind)
    assert at.told() == []
    at.screen.draw()
    assert len(at.told()) == 1, "of another kind"
    now[0] += 0.2
    at.app.dismiss_all()
    click(at, kind)
    assert len(at.told()) == 1
    assert len(at.acts) == 1


def test_a_setting_that_is_turned_off_during_the_pause_counts(at: At) -> None:
    slowly(at)
    at.see(forced(Accept).seen())
    assert at.waits()
    assert at.screen.property("prompt").startswith("You are hit and draw")
    assert not at.screen.property("challengeQuestion")["open"]
    at.app.settings_controller.change("auto_accept", False)
    assert not at.waits()
    assert at.screen.property("challengeQuestion")["open"]
    at.app.settings_controller.change("auto_accept", True)
    assert at.waits()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Keep, "The card you drew does not fit: you keep it"),
        (Draw, "The card you drew does not fit: you draw on"),
    ],
)
def test_it_is_said_what_will_be_done(at: At, kind: type[Action], words: str) -> None:
    slowly(at)
    at.see(forced(kind).seen())
    assert at.screen.property("prompt") == words


def test_a_refused_automatic_move_is_repeated_without_a_notice(at: At) -> None:
    at.see(forced(Keep).seen())
    until(lambda: at.acts)
    at.screen.refused("too late")
    assert at.told() == []
    at.screen._tick()
    until(lambda: at.acts == [Keep()] * 2)
    at.screen.clear()
    at.acts.clear()
    slowly(at)
    at.see(forced(Draw).seen())
    at.screen.draw()
    at.screen.refused("too late")
    assert at.told() == ["too late"]


@pytest.mark.parametrize("motion", [1.0, 0.0])
def test_nothing_is_done_while_cards_are_dealt_for_all_to_see(at: At, motion: float) -> None:
    at.app.settings_controller.change("motion", motion)
    table = forced(Accept)
    ahead = Clock(0, 60.0, time.monotonic() + 3600.0)
    at.see(replace(table.seen(), snapshot=table.snapshot(clock=ahead)))
    if motion:
        assert at.waits()
        assert at.screen._automatic_timer.interval() > 10**6
    else:
        until(lambda: at.acts == [Accept()])


def test_a_planned_move_is_dropped_with_its_table(at: At) -> None:
    slowly(at)
    at.see(forced(Keep).seen())
    at.screen.clear()
    assert not at.waits()
    at.screen._send_planned()
    assert at.acts == []


class AsksNothing(SlotPlayer):
    """A player who acts only where the app does not act by itself."""

    def _act(self, action: Action, view: SeatView) -> None:
        snapshot = self._app.table_controller._newest_snapshot
        assert snapshot is not None
        if automatic(snapshot, AutomaticMoves()) is None:
            super()._act(action, view)


def test_a_real_round_goes_on_without_the_clicks_that_decide_nothing(app: Application) -> None:
    """A real round against bots continues without clicks for decisions that leave no choice."""
    acts: list[Action] = []
    app.table_controller.acted.connect(acts.append)
    rules = Ruleset(draw_until_playable=True, hand_size=4)
    app.home_controller.practise_by(rules, 1)
    hands = AsksNothing(app)

    def enough() -> bool:
        hands.play()
        # The app makes the second of two draws in a row.
        drew_on = any(isinstance(a, Draw) and isinstance(b, Draw) for a, b in pairwise(acts))
        return drew_on or app.result_controller._rounds.rowCount() > 3

    until(enough, 120)
    drawn = [each.text for each in app.table_controller._moves.rows if each.kind == "draw"]
    assert drawn
    assert [each.text for each in app._notices.rows] == []


# ---- texts ----------------------------------------------------------------------------------


def drew(seat: int, *slots: int, why: DrawReason = DrawReason.TURN) -> events.Drew:
    return events.Drew(seat, slots, why)


def lines(at: At) -> list[str]:
    return [plain(each.text) for each in at.screen._moves.rows]


def test_a_row_of_draws_is_one_line_and_each_is_said_once(at: At) -> None:
    said = announced(at.app)
    table = Simulated(3, names=("Ana", "Blas", "Ada"))
    snapshot = replace(table.snapshot(), view=None)
    for slot in range(6):
        at.see(TableUpdated(snapshot, (drew(2, slot),), 0.0))
    assert lines(at) == ["Ada draws 6 cards"]
    assert [plain(text) for text in said if text] == ["Ada draws a card"] * 6
    at.see(TableUpdated(snapshot, (drew(1, 7), drew(1, 8), events.Kept(1), drew(1, 9)), 0.0))
    assert lines(at) == [
        "Ada draws 6 cards",
        "Blas draws 2 cards",
        "Blas keeps it",
        "Blas draws a card",
    ]
    assert len({each.id for each in at.screen._moves.rows}) == 4
    at.app.settings_controller.change("language", "es")
    assert lines(at)[0] == "Ada toma 6 cartas"
    assert lines(at)[3] == "Blas toma una carta"
