"""Tests of the hand that lets a program move: once a decision, and again only if it was refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from lanuno.bots.autoplay import Autoplay
from lanuno.rules.actions import Action, Catch, Draw, Keep, Play
from lanuno.rules.view import SeatView
from lanuno.table.errors import TableError
from lanuno.table.outputs import Changed, Output
from lanuno.table.session import Session
from tests.harness.host_and_seats.moving import move


class FakeSession:
    """A session that writes down what was done."""

    def __init__(self) -> None:
        self.seen: SimpleNamespace | None = SimpleNamespace(seat=1, decider=1, number=1, decision=5)
        self.to_move = True
        self.done: list[Action] = []
        self.forbids = False

    def view(self) -> SeatView | None:
        return cast("SeatView | None", self.seen)

    def act(self, action: Action) -> list[Output]:
        if self.forbids:
            raise TableError("not now")
        self.done.append(action)
        return [Changed()]


class FixedPlayer:
    """Wants one thing."""

    def __init__(self, action: Action | None) -> None:
        self.action = action

    def choose(self, seen: SeatView) -> Action | None:
        return self.action


def seat(action: Action | None) -> tuple[FakeSession, Autoplay, FixedPlayer]:
    session, player = FakeSession(), FixedPlayer(action)
    return session, Autoplay(cast("Session", session), player), player


def test_one_move_for_each_decision() -> None:
    session, hand, _ = seat(Draw())
    assert hand.wants() == Draw()
    assert move(hand) == [Changed()]
    assert hand.wants() is None
    assert move(hand) == []
    assert session.seen is not None
    session.seen.decision = 6
    assert move(hand) == [Changed()]
    session.seen.number, session.seen.decision = 2, 6
    assert move(hand) == [Changed()]
    assert session.done == [Draw()] * 3


def test_a_refused_move_is_made_again() -> None:
    session, hand, player = seat(Draw())
    move(hand)
    hand.refused()
    player.action = Keep()
    assert move(hand) == [Changed()]
    assert session.done == [Draw(), Keep()]


def test_what_may_be_said_at_any_time_needs_no_turn() -> None:
    session, hand, player = seat(Catch(0))
    session.to_move = False
    assert move(hand) == [Changed()]
    assert move(hand) == []
    player.action = Draw()
    assert move(hand) == []
    session.to_move = True
    # It has caught somebody for this decision, and has still to move.
    assert move(hand) == [Changed()]
    assert session.done == [Catch(0), Draw()]


def test_nothing_is_wanted_without_a_game_a_seat_or_a_wish() -> None:
    session, hand, player = seat(Draw())
    session.seen = None
    assert hand.wants() is None
    session.seen = SimpleNamespace(seat=None, number=1, decision=5)
    assert hand.wants() is None
    session.seen.seat = 1
    player.action = None
    assert hand.wants() is None


def test_what_the_rules_forbid_is_not_done() -> None:
    session, hand, _ = seat(Draw())
    session.forbids = True
    assert move(hand) == []
    session.forbids = False
    assert move(hand) == [Changed()]


def test_a_card_out_of_turn_is_laid_while_somebody_else_decides() -> None:
    session, hand, _ = seat(Play(slot=3, card=7))
    session.to_move = False
    assert hand.wants() is None
    assert session.seen is not None
    session.seen.decider = 0
    assert move(hand) == [Changed()]
    assert session.done == [Play(slot=3, card=7)]
    assert hand.wants() is None


def test_nothing_is_done_at_a_table_that_is_gone() -> None:
    session, hand, _ = seat(Draw())
    session.seen = None
    assert move(hand) == []
    assert hand.do(Draw()) == []
    assert session.done == []
