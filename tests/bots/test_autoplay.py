"""Autoplay: a bot acts once per decision, and again only if its act was refused."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import cast

from lanuno.bots.autoplay import Autoplay
from lanuno.rules.engine.actions import Action, Catch, Draw, Keep, Play
from lanuno.rules.view import SeatView
from lanuno.table.errors import TableError
from lanuno.table.outputs import Output, ViewChanged
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.moving import act_now


class FakeSession:
    """A session that records the acts it receives."""

    def __init__(self) -> None:
        self.seen: SimpleNamespace | None = SimpleNamespace(seat=1, decider=1, number=1, decision=5)
        self.to_move = True
        self.done: list[Action] = []
        self.forbids = False

    def view(self) -> SeatView | None:
        return cast("SeatView | None", self.seen)

    def act(self, action: Action) -> Sequence[Output]:
        if self.forbids:
            raise TableError("not now")
        self.done.append(action)
        return [ViewChanged()]


class FixedPlayer:
    """A bot that always wants the same act."""

    def __init__(self, action: Action | None) -> None:
        self.action = action

    def choose(self, seen: SeatView) -> Action | None:
        return self.action


def seat(action: Action | None) -> tuple[FakeSession, Autoplay, FixedPlayer]:
    session, player = FakeSession(), FixedPlayer(action)
    return session, Autoplay(cast("SeatSession", session), player), player


def test_one_move_for_each_decision() -> None:
    session, hand, _ = seat(Draw())
    assert hand.next_action() == Draw()
    assert act_now(hand) == [ViewChanged()]
    assert hand.next_action() is None
    assert act_now(hand) == []
    assert session.seen is not None
    session.seen.decision = 6
    assert act_now(hand) == [ViewChanged()]
    session.seen.number, session.seen.decision = 2, 6
    assert act_now(hand) == [ViewChanged()]
    assert session.done == [Draw()] * 3


def test_a_refused_move_is_made_again() -> None:
    session, hand, player = seat(Draw())
    act_now(hand)
    hand.retry()
    player.action = Keep()
    assert act_now(hand) == [ViewChanged()]
    assert session.done == [Draw(), Keep()]


def test_acts_that_are_possible_at_any_time_need_no_turn() -> None:
    session, hand, player = seat(Catch(0))
    session.to_move = False
    assert act_now(hand) == [ViewChanged()]
    assert act_now(hand) == []
    player.action = Draw()
    assert act_now(hand) == []
    session.to_move = True
    # It has caught another player during this decision, and still has to move.
    assert act_now(hand) == [ViewChanged()]
    assert session.done == [Catch(0), Draw()]


def test_nothing_is_wanted_without_a_game_a_seat_or_a_wish() -> None:
    session, hand, player = seat(Draw())
    session.seen = None
    assert hand.next_action() is None
    session.seen = SimpleNamespace(seat=None, number=1, decision=5)
    assert hand.next_action() is None
    session.seen.seat = 1
    player.action = None
    assert hand.next_action() is None


def test_a_forbidden_act_is_done_once_it_is_allowed() -> None:
    session, hand, _ = seat(Draw())
    session.forbids = True
    assert act_now(hand) == []
    session.forbids = False
    assert act_now(hand) == [ViewChanged()]


def test_a_card_out_of_turn_is_laid_while_another_seat_decides() -> None:
    session, hand, _ = seat(Play(slot=3, card=7))
    session.to_move = False
    assert hand.next_action() is None
    assert session.seen is not None
    session.seen.decider = 0
    assert act_now(hand) == [ViewChanged()]
    assert session.done == [Play(slot=3, card=7)]
    assert hand.next_action() is None


def test_nothing_is_done_at_a_table_that_is_gone() -> None:
    session, hand, _ = seat(Draw())
    session.seen = None
    assert act_now(hand) == []
    assert not hand.act(Draw(), session.act)
    assert session.done == []
