"""Boxes that do not open, at a table whose host leaves the Halt out.

What the log says a seat can read is no proof that it can: the content of a box is checked by its
receiver alone. A seat acts only on keys that it holds, and after its own Halt plays no more.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import get_args

import pytest

from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, HaltReason, Payload
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.rules.engine import actions
from lanuno.rules.engine.actions import Action, Play, Swap
from lanuno.rules.ruleset import DrawRule, Ruleset
from lanuno.table.errors import TableError
from tests.harness.host_and_seats.seat_under_test import VICTIM, SeatUnderTest, payloads
from tests.harness.log_table.log_table import LogTable, new_table


class Need(Enum):
    """What a session must have before it signs."""

    SECRETS = auto()
    """The secrets to which it committed."""
    HAND = auto()
    """The keys and the cards of its whole hand."""
    GIVEN_KEYS = auto()
    """The keys of the hand that it shows, opens or gives away."""
    SHOWN_CARDS = auto()
    """The cards of the hand that was shown to it."""
    FINAL = auto()
    """That the entry that asks is final."""
    SOUND = auto()
    """That it has found no fault in the round."""


ACT = {Need.SECRETS, Need.HAND, Need.SOUND}
WORD = {Need.SOUND}
NEEDS: dict[type, set[Need]] = {
    bodies.Commit: set(),
    bodies.Escrow: {Need.SECRETS, Need.FINAL, Need.SOUND},
    bodies.Complain: {Need.SECRETS, Need.FINAL, Need.SOUND},
    bodies.Pass: {Need.SECRETS, Need.SOUND},
    bodies.Unlock: {Need.SECRETS, Need.FINAL, Need.SOUND},
    bodies.Share: {Need.SECRETS, Need.FINAL, Need.SOUND},
    bodies.HandOver: {Need.SECRETS, Need.GIVEN_KEYS, Need.FINAL, Need.SOUND},
    bodies.Reveal: {Need.SECRETS, Need.FINAL},
    bodies.Attest: set(),
    bodies.Halt: set(),
    bodies.Leave: set(),
    bodies.Return: set(),
    bodies.Listen: set(),
    actions.Play: ACT,
    actions.Draw: ACT,
    actions.Keep: ACT,
    actions.NameColour: ACT,
    actions.Accept: ACT,
    actions.Challenge: ACT,
    actions.Swap: ACT,
    actions.SayUno: WORD,
    actions.Catch: WORD,
    actions.Object: WORD,
    actions.Accuse: WORD,
    actions.Vote: WORD,
    actions.Show: {Need.SECRETS, Need.GIVEN_KEYS, Need.FINAL, Need.SOUND},
    actions.OpenHand: {Need.SECRETS, Need.GIVEN_KEYS, Need.FINAL, Need.SOUND},
    actions.Verdict: {Need.SECRETS, Need.SHOWN_CARDS, Need.FINAL, Need.SOUND},
}
"""Everything that a session signs by itself, for a player or for a bot, and what each needs."""


def needs(payload: Payload) -> set[Need]:
    return NEEDS[type(payload.action) if isinstance(payload, bodies.Act) else type(payload)]


BY_OTHERS = {
    *(bodies.Open, bodies.Expose, bodies.Drop, bodies.TimeOut, bodies.Settle, bodies.Close),
    *(bodies.FillIn, bodies.Elect, bodies.ExposeVotes),
    *(actions.RefuseShow, actions.RefuseVerdict),
}
"""What the host role or the clock does."""


def test_the_table_lists_every_act_of_a_seat() -> None:
    every = {*get_args(bodies.Payload), *get_args(actions.Action)}
    assert every == {*NEEDS, *BY_OTHERS, bodies.Act}


def movers_first(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Take the hand of the victim, or play a card that moves hands, as soon as possible."""
    swaps = [act for act in acts if isinstance(act, Swap) and act.seat == VICTIM]
    plays = [act for act in acts if isinstance(act, Play)]
    movers = [act for act in plays if table.engine.deck.faces[act.card].rank in (0, 7)]
    return [*swaps, *movers, *plays, *acts][0]


def with_a_bad_box(salt: int) -> tuple[LogTable, SeatUnderTest, list[Payload]] | None:
    """Play until the victim was given a box that does not open; return what it then signs."""
    rules = Ruleset(hand_size=7, seven_zero=True, draw=DrawRule.STUCK)
    table = new_table(3, rules, salt=salt, choose=movers_first)
    victim = SeatUnderTest(table)
    while table.replay.closed is None and table.replay.number < 2:
        for signed in victim.follow_log(final=True):
            table.append(signed)
        owed = [step for step in automatic_steps(table.replay) if step.seat != VICTIM]
        if not owed and automatic_steps(table.replay):
            continue
        if not owed and table.replay.between_rounds:
            table.add(HOST, table.host_payload())
        elif not owed and table.engine.decider == VICTIM:
            table.add(HOST, bodies.TimeOut(table.engine.decision))
        elif not owed:
            table.decide()
        elif isinstance(honest := table.payload_for(owed[0]), bodies.HandOver):
            if table.log.moves[honest.move].to != VICTIM:
                table.add(owed[0].seat, honest)
                continue
            table.add(owed[0].seat, bodies.HandOver(honest.move, bytes(100)))
            return table, victim, payloads(victim.follow_log(final=True))
        else:
            table.add(owed[0].seat, honest)
    return None


@pytest.mark.parametrize("salt", range(4))
def test_after_a_box_that_does_not_open_a_seat_signs_nothing_but_its_halt(salt: int) -> None:
    found = with_a_bad_box(salt)
    assert found is not None
    table, victim, said = found
    giver = table.log.shown[-1].seat
    halt = bodies.Halt(HaltReason.BAD_SEAL, giver)
    assert [each for each in said if Need.SOUND in needs(each)] == []
    assert [each for each in said if isinstance(each, bodies.Halt)] == [halt]
    # The host leaves the Halt out, and its guests move hands again and again.
    for _ in range(60):
        if not table.log.can_read_hand(VICTIM) or table.replay.between_rounds:
            break
        seen = victim.session.view()
        for action in () if seen is None else seen.legal:
            with pytest.raises(TableError):
                victim.session.act(action)
        assert not victim.session.to_move
        if table.engine.decider == VICTIM:
            table.add(HOST, bodies.TimeOut(table.engine.decision))
        elif owed := [s for s in automatic_steps(table.replay) if s.seat != VICTIM]:
            table.add(owed[0].seat, table.payload_for(owed[0]))
        elif automatic_steps(table.replay):
            break
        else:
            table.decide()
        said = payloads(victim.follow_log(final=True))
        assert [each for each in said if Need.SOUND in needs(each)] == []
