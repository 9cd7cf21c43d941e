"""One honest session at a table of liars who sign everything validly and leave its Halts out.

Hands are given and shown in boxes that do not open, bodies get lost, the clock acts for the honest
seat, and the host drops it. Its program must neither fail nor sign anything that convicts it. Of
everything that it signs, `NEEDS` lists what it must have first.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum, auto
from random import Random
from typing import get_args
from unittest.mock import patch

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.strategies import RecklessPlayer
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.faults import BodyRefused
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason, HaltReason, Payload
from lanuno.log.replay.due_steps import (
    AutomaticStep,
    AutomaticStepKind,
    automatic_steps,
    steps_answered_by,
)
from lanuno.log.round.round_audit import is_proof
from lanuno.rules.cards import Rank
from lanuno.rules.engine import actions
from lanuno.rules.engine.actions import Action, Challenge, Play, Show, Swap
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import DrawRule, Ruleset, WildFour
from lanuno.rules.view import SeatView
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.host_and_seats.moving import act_now
from tests.harness.host_and_seats.seat_outputs import signed_bodies
from tests.harness.host_and_seats.seat_under_test import VICTIM, SeatUnderTest
from tests.harness.log_table.log_table import LogTable, make_genesis, make_roster
from tests.harness.log_table.moments import RANKS

SEEDS = range(100)
"""The rare acts need this many."""
MOST_STEPS = 1500
PATIENCE = 3
"""How often nothing may happen before the host drops the honest seat."""


class Need(Enum):
    """What a session must have before it signs."""

    HAND = auto()
    """The keys of its whole hand."""
    GIVEN_KEYS = auto()
    """The keys of the hand that it shows, opens or gives away."""
    SHOWN_KEYS = auto()
    """The keys of the hand that was shown to it."""
    FINAL = auto()
    """That the entry that asks is final."""
    SOUND = auto()
    """That it has found no fault in the round."""


ACT = {Need.HAND, Need.SOUND}
RELEASE = {Need.FINAL, Need.SOUND}
NEEDS: dict[type, set[Need]] = {
    bodies.Commit: {Need.SOUND},
    bodies.Escrow: RELEASE,
    bodies.Complain: RELEASE,
    bodies.Pass: {Need.SOUND},
    bodies.Unlock: RELEASE,
    bodies.Share: RELEASE,
    bodies.HandOver: {*RELEASE, Need.GIVEN_KEYS},
    bodies.Reveal: {Need.FINAL},
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
    actions.SayUno: {Need.SOUND},
    actions.Catch: {Need.SOUND},
    actions.Object: {Need.SOUND},
    actions.Accuse: {Need.SOUND},
    actions.Vote: {Need.SOUND},
    actions.Show: {*RELEASE, Need.GIVEN_KEYS},
    actions.OpenHand: {*RELEASE, Need.GIVEN_KEYS},
    actions.Verdict: {*RELEASE, Need.SHOWN_KEYS},
}
"""Everything that a session signs by itself, for a player or for a bot, and what each needs."""

BY_OTHERS = {
    *(bodies.Open, bodies.Expose, bodies.Drop, bodies.TimeOut, bodies.Settle, bodies.Close),
    *(bodies.FillIn, bodies.Elect, bodies.ExposeVotes),
    *(actions.RefuseShow, actions.RefuseVerdict),
}
"""What the host role or the clock does."""


def kind_of(payload: Payload) -> type:
    return type(payload.action if isinstance(payload, bodies.Act) else payload)


@dataclass
class LiarsTable(LogTable):
    """A table whose liars hold the honest seat's keys that they were given in boxes."""

    honest: list[SeatUnderTest] = field(default_factory=list)

    def secrets(self, seat: int) -> RoundSecrets:
        keys = self._keys_of_the_honest_seat(seat)
        return super().secrets(seat) if keys is None else keys._own_hand[1]

    def view_secrets(self, seat: int) -> ViewSecrets:
        keys = self._keys_of_the_honest_seat(seat)
        return super().view_secrets(seat) if keys is None else keys._own_hand[2]

    def _keys_of_the_honest_seat(self, seat: int) -> SeatKeys | None:
        if seat != VICTIM:
            return None
        keys = self.honest[0].session._keys
        return keys if keys.has_secrets else None


class Challenger(RecklessPlayer):
    """Challenges whatever can be challenged."""

    def choose(self, view: SeatView) -> Action | None:
        """Return a challenge where it is legal, else what a reckless player does."""
        challenges = (act for act in view.legal if isinstance(act, Challenge))
        return next(challenges, None) or super().choose(view)


class Liars:
    """Plays one table for everybody but the honest seat, with the choices of one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = Random(seed)
        rules = Ruleset(
            hand_size=chance.randint(3, 7),
            seven_zero=chance.random() < 0.8,
            draw=chance.choice(list(DrawRule)),
            wild_four=chance.choice([WildFour.BLUFF] * 4 + list(WildFour)),
        )
        genesis = make_genesis(make_roster(chance.randint(2, 4), rules, salt=seed), seed)
        self.table = LiarsTable(genesis, self._choose)
        self.victim = SeatUnderTest(self.table)
        self.table.honest.append(self.victim)
        self.bot = Autoplay(self.victim.session, Challenger(Random(seed)))
        self.takes_halts = chance.random() < 0.3
        self.lied = 0
        """How many boxes for the honest seat did not open."""
        self.signed: dict[bytes, type] = {}
        """By bytes of a body that the honest seat has signed: its kind of payload or action."""
        self._unread: set[tuple[int, int]] = set()
        """(round, slot) of the cards in such boxes."""
        self._due_at: dict[object, int] = {}
        """By automatic step or decision of the honest seat: entries in the log when it was due."""
        self._final = 0
        self._idle = 0

    def _choose(self, table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        """Take the honest seat's hand, challenge, or lay what can be challenged, where possible."""
        del table, seat
        challenges = [act for act in acts if isinstance(act, Challenge)]
        swaps = [act for act in acts if isinstance(act, Swap) and act.seat == VICTIM]
        fours = [act for act in acts if isinstance(act, Play) and RANKS[act.card] is Rank.WILD_FOUR]
        return self.chance.choice(swaps or challenges or fours or acts)

    def play(self) -> Report:
        """Play to the end of the match; return its audit."""
        for _ in range(MOST_STEPS):
            if self.table.replay.closed is not None:
                return audit_bytes(self.table.file)
            self._idle = 0 if self._step() else self._idle + 1
        raise AssertionError("the table did not come to an end")

    def _step(self) -> bool:
        """Do one thing; return whether the log has grown."""
        table, before = self.table, self.table.replay.seq
        self._listen(final=self.chance.random() < 0.9)
        due = automatic_steps(table.replay)
        owed = [step for step in due if step.seat != VICTIM]
        if table.replay.closed is not None:
            pass
        elif self._idle >= PATIENCE:
            self._give_up_waiting()
        elif owed:
            step = self.chance.choice(owed)
            table.add(step.seat, self._done(step))
        elif due:
            pass
        elif table.replay.between_rounds:
            table.add(HOST, table.host_payload())
        elif self.chance.random() < 0.01:
            table.add(0, bodies.Halt(HaltReason.NO_CARD, None))
        elif table.engine.decider == VICTIM:
            self._await_the_honest_seat()
        else:
            table.add(*self._decision())
        return table.replay.seq > before

    # ---- the honest seat --------------------------------------------------------------------

    def _listen(self, *, final: bool) -> None:
        """Show the honest seat the log, and take what it signs."""
        replay = self.table.replay
        for step in automatic_steps(replay):
            self._due_at.setdefault(step, replay.seq)
        if replay.round is not None and isinstance(replay.round.engine, Round):
            self._due_at.setdefault((replay.number, replay.round.engine.decision), replay.seq)
        self._final = replay.seq if final else self._final
        self._take(self.victim.follow_log(final=final))

    def _take(self, said: Sequence[bodies.SignedBody]) -> None:
        """Append what the honest seat has signed, but for what gets lost or is left out."""
        read = [(signed, signed.read().payload) for signed in said]
        for signed, payload in read:
            if signed.body in self.signed:
                continue  # sent again, as the same bytes
            kind = self.signed[signed.body] = kind_of(payload)
            lacking = {need for need in NEEDS[kind] if not self._has(need, payload)}
            assert not lacking, (payload, lacking)
        for signed, payload in read:
            left_out = isinstance(payload, bodies.Halt) and not self.takes_halts
            if self.chance.random() < 0.03 or left_out:
                continue
            with suppress(BodyRefused):
                self.table.append(signed)

    def _has(self, need: Need, payload: Payload) -> bool:
        """Whether the honest seat has what it needs, by what the liars know."""
        replay, log = self.table.replay, self.table.log
        unread = {slot for number, slot in self._unread if number == log.number}
        engine = log.engine
        match need:
            case Need.SOUND:
                return not unread
            case Need.HAND:
                return unread.isdisjoint(engine.hands[VICTIM])
            case Need.GIVEN_KEYS if isinstance(payload, bodies.HandOver):
                return unread.isdisjoint(log.moves[payload.move].slots)
            case Need.GIVEN_KEYS | Need.SHOWN_KEYS:
                assert isinstance(engine, Round)
                return unread.isdisjoint(engine.accused_hand)
            case Need.FINAL if isinstance(payload, bodies.Act):
                return self._due_at[log.number, payload.decision] <= self._final
            case Need.FINAL:
                steps = steps_answered_by(replay, VICTIM, payload)
                return all(self._due_at[step] <= self._final for step in steps)

    def _await_the_honest_seat(self) -> None:
        if self.chance.random() < 0.1 or self._idle == PATIENCE - 1:
            self.table.add(HOST, bodies.TimeOut(self.table.engine.decision))
        else:
            self._take(signed_bodies(act_now(self.bot)))

    def _give_up_waiting(self) -> None:
        """Let the honest seat send everything again; if that is not enough, drop it."""
        replica = self.victim.session.replica
        replica.disconnected()
        self.victim._do(replica.connected())
        before = self.table.replay.seq
        self.takes_halts = self.takes_halts or self.chance.random() < 0.5
        self._listen(final=True)
        if self.table.replay.seq == before and VICTIM not in self.table.replay.dropped:
            self.table.drop(VICTIM, DropReason.SILENT)

    # ---- the liars --------------------------------------------------------------------------

    def _done(self, step: AutomaticStep) -> Payload:
        """Return the payload of a liar's step; a box for the honest seat often does not open."""
        payload = self.table.payload_for(step)
        if step.kind is not AutomaticStepKind.HAND:
            return payload
        move = self.table.log.moves[step.item]
        if move.to != VICTIM or self.chance.random() < 0.3:
            return payload
        return bodies.HandOver(step.item, self._bad_box(move.slots))

    def _decision(self) -> tuple[int, Payload]:
        seat, act = self.table.decision()
        engine = self.table.engine
        shown = isinstance(act, bodies.Act) and isinstance(act.action, Show)
        if shown and engine.challenger == VICTIM and self.chance.random() < 0.2:
            return seat, bodies.Act(engine.decision, Show(), self._bad_box(engine.accused_hand))
        return seat, act

    def _bad_box(self, slots: Sequence[int]) -> bytes:
        self.lied += 1
        self._unread |= {(self.table.log.number, slot) for slot in slots}
        return self.chance.randbytes(100)


def convictions(liars: Liars) -> list[object]:
    """Play one table; return the faults of the honest seat."""
    blame = liars.play().blame
    return [each for each in blame if each.seat == VICTIM and is_proof(each)]


def test_the_needs_list_every_payload_and_action() -> None:
    every = {*get_args(bodies.Payload), *get_args(actions.Action)}
    assert every == {*NEEDS, *BY_OTHERS, bodies.Act}


def test_no_lie_of_the_others_convicts_or_stops_an_honest_session() -> None:
    tables = [Liars(seed) for seed in SEEDS]
    for seed, liars in zip(SEEDS, tables, strict=True):
        assert convictions(liars) == [], f"seed {seed}"
    assert sum(liars.lied for liars in tables) > len(SEEDS) // 2
    signed = {kind for liars in tables for kind in liars.signed.values()}
    assert {bodies.HandOver, bodies.Halt, Show, actions.Verdict, Swap} <= signed


def test_a_seat_that_believed_the_log_would_be_found() -> None:
    """The mistake: a seat holds and has opened whatever the log says that it can read."""

    def found(seed: int) -> bool:
        try:
            return convictions(Liars(seed)) != []
        except (AssertionError, KeyError):
            return True

    with (
        patch.object(SeatKeys, "holds", lambda *_: True),
        patch.object(SeatKeys, "opened", lambda *_: True),
        patch("lanuno.table.replica.seat.AFTER_HALT", (object,)),
    ):
        assert any(found(seed) for seed in SEEDS)
