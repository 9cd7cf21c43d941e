"""When bots act, on a virtual clock that advances only while the loop waits."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from lanuno.bots.pace import BOTS_ONLY_PACE, BotPace
from lanuno.net.runtime.bot_runner import BotRunner
from lanuno.rules.engine.actions import Action, Catch, Draw
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset, UnoRule
from lanuno.rules.view import SeatView
from lanuno.table.messages import ReadsScore
from lanuno.table.node import Node
from lanuno.table.outputs import Output, ViewChanged
from lanuno.table.replica.seat import SeatSession

PERSON = 0


class _Waits(selectors.DefaultSelector):
    """Does not wait, but advances the clock of the loop by the time-out."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop_of = loop

    def select(self, timeout: float | None = None) -> Any:
        self._loop_of.now += timeout or 0.0
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock stands still while it works."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(_Waits(self))

    def time(self) -> float:
        return self.now


class Bot:
    """A simulated seat session of a bot, and the player that decides for it."""

    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat
        self.to_move = True

    def view(self) -> SeatView:
        seen = SimpleNamespace(
            seat=self.seat,
            decider=self.table.engine.decider,
            number=self.table.number,
            decision=self.table.engine.decision,
        )
        return cast("SeatView", seen)

    def act(self, action: Action) -> Sequence[Output]:
        loop = asyncio.get_running_loop()
        self.table.done.append((self.seat, action, round(loop.time(), 3)))
        if isinstance(action, Catch):
            self.table.engine.uno_owed = None
        elif self.table.turns:
            self.table.engine.actor = self.seat + 1
        self.table.engine.decision += 1
        return [ViewChanged()]

    def choose(self, _seen: SeatView) -> Action | None:
        """Catch a seat that owes "UNO", or else draw in turn."""
        owed = self.table.engine.uno_owed
        if owed is not None and owed != self.seat and self.table.ruleset.uno is UnoRule.CATCH:
            return Catch(owed)
        return Draw() if self.table.engine.decider == self.seat else None


class Table:
    """The parts of a table that the bot runner reads, with one person and two bots."""

    def __init__(self, pace: BotPace, ruleset: Ruleset | None = None) -> None:
        self.ruleset = ruleset or Ruleset()
        self.turns = False
        """Whether the turn moves on after each action."""
        self.number = 1
        self.engine = Round(self.ruleset, (0, 1, 2), 0)
        self.engine.actor, self.engine.uno_owed = PERSON, None
        self.done: list[tuple[int, Action, float]] = []
        bots = [Bot(self, 1), Bot(self, 2)]
        seats = [SimpleNamespace(bot=seat != PERSON) for seat in range(3)]
        self.replay = SimpleNamespace(
            round=SimpleNamespace(number=1, engine=self.engine),
            roster=SimpleNamespace(ruleset=self.ruleset, seats=seats),
        )
        node = SimpleNamespace(
            sessions=[cast("SeatSession", bot) for bot in bots],
            replay=self.replay,
            replica=SimpleNamespace(caught_up=True),
        )

        def act(session: SeatSession, action: Action) -> None:
            session.act(action)

        self.runner = BotRunner(cast("Node", node), bots, act, pace=pace)

    def next_round(self) -> None:
        self.number += 1
        self.replay.round.number = self.number
        self.runner.schedule()


def played(work: Callable[[], Any]) -> None:
    """Run this on a loop with a virtual clock."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(work())


def test_bots_move_one_after_the_other() -> None:
    """The turn of the second bot comes with the move of the first one, in the same step."""

    async def work() -> None:
        table = Table(BotPace(move=0.5, deal=0.1))
        table.engine.actor = 1
        table.turns = True
        table.runner.schedule()
        await asyncio.sleep(0.6)
        assert table.done == [(1, Draw(), 0.5)]
        await asyncio.sleep(0.5)
        assert table.done[1:] == [(2, Draw(), 1.0)]
        table.runner.stop()

    played(work)


def test_bots_go_on_as_soon_as_everybody_has_seen_the_score() -> None:
    async def work() -> None:
        table = Table(BotPace(move=0.5, deal=3.0))
        table.engine.actor = 1
        table.runner.note_reader(PERSON, ReadsScore(0, reading=True))
        table.runner.schedule()
        await asyncio.sleep(5.0)
        assert table.done == []
        table.runner.note_reader(PERSON, ReadsScore(0, reading=False))
        await asyncio.sleep(0.6)
        assert table.done[0] == (1, Draw(), 5.5)
        table.runner.stop()

    played(work)


def test_bots_look_on_while_cards_are_dealt() -> None:
    async def work() -> None:
        table = Table(BotPace(move=0.5, deal=3.0))
        table.engine.actor = 1
        table.runner.schedule()
        await asyncio.sleep(2.9)
        assert table.done == []
        await asyncio.sleep(0.2)
        assert table.done[0] == (1, Draw(), 3.0)
        before = len(table.done)
        table.next_round()
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(2.9)
        assert len(table.done) == before
        await asyncio.sleep(0.2)
        assert table.done[before][2] == pytest.approx(began + 3.0)
        table.runner.stop()

    played(work)


def test_two_bots_that_wait_catch_a_person_once_and_not_before_three_seconds() -> None:
    async def work() -> None:
        table = Table(BOTS_ONLY_PACE)
        table.runner.schedule()
        await asyncio.sleep(1.0)
        table.engine.uno_owed = PERSON
        table.runner.schedule()
        await asyncio.sleep(2.0)
        table.runner.schedule()
        await asyncio.sleep(0.9)
        assert table.done == []
        await asyncio.sleep(0.2)
        assert table.done == [(1, Catch(PERSON), 4.0)]
        table.runner.stop()

    played(work)


def test_a_person_has_the_time_also_while_nobody_has_to_decide() -> None:
    """No seat has to decide while a card may still be objected to, for example."""

    async def work() -> None:
        table = Table(BOTS_ONLY_PACE)
        table.runner.schedule()
        await asyncio.sleep(1.0)
        table.engine.actor, table.engine.uno_owed = None, PERSON
        table.runner.schedule()
        await asyncio.sleep(2.9)
        assert table.done == []
        await asyncio.sleep(0.2)
        assert table.done == [(1, Catch(PERSON), 4.0)]
        table.runner.stop()

    played(work)


def test_a_bot_that_says_uno_in_time_is_not_caught() -> None:
    async def work() -> None:
        table = Table(BOTS_ONLY_PACE)
        table.engine.uno_owed = PERSON
        table.runner.schedule()
        await asyncio.sleep(2.9)
        table.engine.uno_owed = None
        table.runner.schedule()
        await asyncio.sleep(5.0)
        assert table.done == []
        table.runner.stop()

    played(work)


def test_a_bot_whose_turn_it_is_waits_no_longer_than_that_and_plays_on() -> None:
    """The delay of a bot ends even if nothing else at the table changes."""

    async def work() -> None:
        table = Table(BOTS_ONLY_PACE, Ruleset(uno=UnoRule.AUTOMATIC))
        table.engine.actor, table.engine.uno_owed = 1, PERSON
        table.runner.schedule()
        await asyncio.sleep(2.9)
        assert table.done == []
        await asyncio.sleep(0.2)
        assert table.done[0] == (1, Draw(), 3.0)
        table.runner.stop()

    played(work)


def test_a_bot_that_forgot_is_caught_at_once() -> None:
    async def work() -> None:
        table = Table(BotPace(move=0.25))
        table.engine.uno_owed = 2
        table.runner.schedule()
        await asyncio.sleep(0.3)
        assert table.done == [(1, Catch(2), 0.25)]
        table.runner.stop()

    played(work)


def test_another_pace_counts_at_once_and_one_waits_while_others_move() -> None:
    async def work() -> None:
        table = Table(BotPace(move=1.0, deal=60.0))
        table.engine.actor = 1
        table.runner.schedule()
        await asyncio.sleep(5.0)
        assert table.done == []
        table.runner.pace = BotPace(move=0.5)
        await asyncio.sleep(0.6)
        assert table.done[0] == (1, Draw(), 5.5)
        table.runner.stop()
        before = len(table.done)
        await asyncio.sleep(100.0)
        assert len(table.done) == before

    played(work)


def test_a_wait_that_ends_while_bots_think_is_noticed_when_they_finish() -> None:
    async def work() -> None:
        table = Table(BotPace(move=2.0))
        table.engine.uno_owed = PERSON
        table.runner.schedule()
        await asyncio.sleep(2.5)
        table.runner.schedule()
        await asyncio.sleep(1.0)
        assert table.done == []
        await asyncio.sleep(1.1)
        assert table.done == [(1, Catch(PERSON), 4.5)]
        table.runner.stop()

    played(work)
