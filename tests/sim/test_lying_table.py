"""One honest session at a table of liars who sign everything validly and leave its Halts out.

Hands are given and shown in boxes that do not open, bodies get lost, the clock acts for the honest
seat, and the host drops it. Its program must neither fail nor sign anything that convicts it.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from unittest.mock import patch

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.faults import BodyRefused
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason, HaltReason, Payload
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.round.round_audit import is_proof
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Action, Show, Swap
from lanuno.rules.ruleset import DrawRule, Ruleset, WildFour
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.host_and_seats.moving import act_now
from tests.harness.host_and_seats.seat_outputs import signed_bodies
from tests.harness.host_and_seats.seat_under_test import VICTIM, SeatUnderTest
from tests.harness.log_table.log_table import LogTable, make_genesis, make_roster

SEEDS = range(40)
MOST_STEPS = 1500
PATIENCE = 3
"""How often nothing may happen before the host drops the honest seat."""


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


class Liars:
    """Plays one table for everybody but the honest seat, with the choices of one seed."""

    def __init__(self, seed: int) -> None:
        self.chance = chance = Random(seed)
        rules = Ruleset(
            hand_size=chance.randint(3, 7),
            seven_zero=chance.random() < 0.8,
            draw=chance.choice(list(DrawRule)),
            wild_four=chance.choice(list(WildFour)),
        )
        genesis = make_genesis(make_roster(chance.randint(2, 4), rules, salt=seed), seed)
        self.table = LiarsTable(genesis, self._choose)
        self.victim = SeatUnderTest(self.table)
        self.table.honest.append(self.victim)
        self.bot = Autoplay(self.victim.session, SensiblePlayer(Random(seed)))
        self.takes_halts = chance.random() < 0.3
        self.lied = 0
        self._idle = 0

    def _choose(self, table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        del table, seat
        swaps = [act for act in acts if isinstance(act, Swap) and act.seat == VICTIM]
        return self.chance.choice(swaps or acts)

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
        self._hear(self.victim.follow_log(final=self.chance.random() < 0.9))
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

    def _hear(self, said: list[bodies.SignedBody]) -> None:
        for signed in said:
            halt = isinstance(signed.read().payload, bodies.Halt)
            if self.chance.random() < 0.03 or (halt and not self.takes_halts):
                continue
            with suppress(BodyRefused):
                self.table.append(signed)

    def _done(self, step: AutomaticStep) -> Payload:
        """Return the payload of a liar's step; a box for the honest seat often does not open."""
        if step.kind is AutomaticStepKind.HAND and self.chance.random() < 0.4:
            self.lied += 1
            return bodies.HandOver(step.item, self.chance.randbytes(100))
        return self.table.payload_for(step)

    def _decision(self) -> tuple[int, Payload]:
        seat, act = self.table.decision()
        assert isinstance(act, bodies.Act)
        if isinstance(act.action, Show) and self.chance.random() < 0.4:
            self.lied += 1
            act = bodies.Act(act.decision, act.action, self.chance.randbytes(100))
        return seat, act

    def _await_the_honest_seat(self) -> None:
        if self.chance.random() < 0.1 or self._idle == PATIENCE - 1:
            self.table.add(HOST, bodies.TimeOut(self.table.engine.decision))
        else:
            self._hear(signed_bodies(act_now(self.bot)))

    def _give_up_waiting(self) -> None:
        """Let the honest seat send everything again; if that is not enough, drop it."""
        replica = self.victim.session.replica
        replica.disconnected()
        self.victim._do(replica.connected())
        before = self.table.replay.seq
        self.takes_halts = self.takes_halts or self.chance.random() < 0.5
        self._hear(self.victim.follow_log(final=True))
        if self.table.replay.seq > before:
            return
        current = self.table.replay.round
        if current is None or current.phase is ProtocolPhase.DONE or VICTIM in current.lost:
            return
        self.table.drop(VICTIM, DropReason.SILENT)


def convictions(seed: int) -> tuple[int, list[object]]:
    """Play one table; return how often the liars lied, and the faults of the honest seat."""
    liars = Liars(seed)
    report = liars.play()
    return liars.lied, [each for each in report.blame if each.seat == VICTIM and is_proof(each)]


def test_no_lie_of_the_others_convicts_or_stops_an_honest_session() -> None:
    lied = 0
    for seed in SEEDS:
        count, blame = convictions(seed)
        lied += count
        assert blame == [], f"seed {seed}"
    assert lied > len(SEEDS) // 2


def test_a_seat_that_believed_the_log_would_be_found() -> None:
    """The mistake: a seat holds and has opened whatever the log says that it can read."""

    def found(seed: int) -> bool:
        try:
            return bool(convictions(seed)[1])
        except KeyError:
            return True

    with (
        patch.object(SeatKeys, "holds", lambda *_: True),
        patch.object(SeatKeys, "opened", lambda *_: True),
        patch("lanuno.table.replica.seat.AFTER_HALT", (object,)),
    ):
        assert any(found(seed) for seed in SEEDS)
