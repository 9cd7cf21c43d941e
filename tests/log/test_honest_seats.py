"""No honest seat is ever blamed for bytes of another seat, the order of the host, or both.

A host that holds a cheating seat's key takes bodies of honest seats in any order and at any time,
and inserts bodies of its own, while the cheating seat signs random payloads. The log must raise no
error but a refusal, prove nothing against any other seat, and the audit of the whole must never
call the match verified unless it was sound.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from lanuno.dealing.group import pack, unpack
from lanuno.log.faults import AuditVerdict, BodyRefused, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason, HaltReason, Payload
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.log.replay.replay import open_payload
from lanuno.log.round.round_audit import is_proof
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine import actions
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import DrawRule, Format, Manners, Ruleset, UnoRule, WildFour
from tests.harness.log_table.honest_seat import HonestSeat, OfferedBody
from tests.harness.log_table.log_table import LogTable, identity, new_table

CHEATER = 1
AGAIN = (RefusalReason.STALE_COUNTER, RefusalReason.WRONG_ROUND)
"""Refusals after which an honest seat signs again what it still owes."""
OFF_CURVE = b"\x02" + (5).to_bytes(32, "big")

RULES = (
    Ruleset(hand_size=2),
    Ruleset(hand_size=3, seven_zero=True),
    Ruleset(hand_size=3, manners=Manners.HONOUR),
    Ruleset(hand_size=4, wild_four=WildFour.STRICT, draw=DrawRule.STUCK, uno=UnoRule.AUTOMATIC),
    Ruleset(hand_size=5, jump_in=True, stack_cross=True),
    Ruleset(hand_size=2, draw_until_playable=True, forced_play=True),
    Ruleset(hand_size=7, format=Format.SINGLE, deck=112),
)


class CheatingHostAndSeat:
    """A host and a seat that work together against honest seats."""

    def __init__(self, seed: int) -> None:
        self.chance = Random(seed)
        players = self.chance.choice((2, 3, 3, 4))
        self.table = new_table(
            players, self.chance.choice(RULES), salt=seed, rounds=2, host=CHEATER
        )
        self.honest = [
            HonestSeat(self.table, seat, self.chance) for seat in range(players) if seat != CHEATER
        ]
        self.pool: list[OfferedBody] = []
        self.spoils = self.chance.choice((0.0, 0.0, 0.01, 0.04))
        self.counter = 0

    # ---- running ----------------------------------------------------------------------------

    def run(self, steps: int = 400) -> LogTable:
        for _ in range(steps):
            if self.table.replay.closed is not None:
                break
            for seat in self.honest:
                self.pool += seat.new_bodies()
            self.step()
        if self.table.replay.closed is None:
            self.table.add(HOST, self.table.close(CloseReason.INCOMPLETE))
        return self.table

    def step(self) -> None:
        luck = self.chance.random()
        if self.table.replay.between_rounds and luck < 0.9:
            self.table.add(HOST, self.table.host_payload())
        elif luck < self.spoils:
            self.offer(self.nonsense())
        elif self.pool and luck < 0.75:
            self.take()
        elif luck < 0.97:
            self.offer(self.honest_word())
        else:
            self.offer(self.host_body())

    def take(self) -> None:
        """Take a pending body of an honest seat: the first, the last or any; now or later."""
        place = self.chance.choice((0, 0, 0, -1, self.chance.randrange(len(self.pool))))
        offer = self.pool[place]
        try:
            self.table.append(offer.signed)
            del self.pool[place]
        except BodyRefused as refused:
            if refused.refusal in AGAIN:
                offer.author.sign_again(offer.occasion)
            if refused.refusal in AGAIN or self.chance.random() < 0.7:
                del self.pool[place]

    def offer(self, payload: tuple[int, Payload] | None) -> None:
        """Sign and append a body of the host role or the cheating seat, if it is accepted."""
        if payload is None:
            return
        author, said = payload
        self.counter += self.chance.choice((1, 1, 1, 2, 0))
        counter = max(self.counter, self.table.replay.next_counter(author))
        head = self.table.replay.head
        if self.chance.random() < 0.1 and self.table.entries:
            head = self.chance.choice(self.table.entries).hash
        signed = self.table.signed(author, said, counter=counter, head=head, by=identity(CHEATER))
        try:
            self.table.append(signed)
        except BodyRefused:
            return

    # ---- payloads ---------------------------------------------------------------------------

    def honest_word(self) -> tuple[int, Payload] | None:
        """Return what the cheating seat would sign if it were honest, sometimes spoiled."""
        table = self.table
        owed = [step for step in automatic_steps(table.replay) if step.seat == CHEATER]
        said: Payload | None = None
        if owed:
            said = table.payload_for(self.chance.choice(owed))
        elif not table.replay.between_rounds:
            said = self.act()
        if said is not None and self.chance.random() < self.spoils:
            said = self.spoiled(said)
        return None if said is None else (CHEATER, said)

    def act(self) -> Payload | None:
        engine = self.table.log.engine
        if self.table.log.phase is not ProtocolPhase.PLAY or not isinstance(engine, Round):
            return None
        try:
            cards = self.table.cards(CHEATER)
        except AssertionError:
            return None
        acts = engine.legal(CHEATER, cards)
        if not acts:
            return None
        return self.table.act(CHEATER, self.chance.choice(acts))

    def host_body(self) -> tuple[int, Payload] | None:
        """Return a host payload that is allowed at any time, or one that is not."""
        replay, chance = self.table.replay, self.chance
        seat = chance.randrange(len(replay.roster.seats))
        decision = 0 if replay.round is None else replay.round.engine.decision
        plan = replay.match.next()
        choices: list[Payload] = [
            bodies.TimeOut(decision),
            bodies.TimeOut(decision),
            bodies.TimeOut(chance.randrange(9)),
            bodies.Settle(chance.choice(list(Matter))),
            self.exposure(),
            self.table.close(chance.choice((CloseReason.FINISHED, CloseReason.STOPPED))),
        ]
        if plan is not None:
            choices.append(open_payload(plan))
        if chance.random() < 0.1:
            choices.append(bodies.Drop(seat, chance.choice(list(DropReason))))
        return HOST, chance.choice(choices)

    def exposure(self) -> Payload:
        """Expose any two bodies, whether or not they prove something."""
        known = [entry.read().signed_body for entry in self.table.entries]
        known += [offer.signed for offer in self.pool]
        if not known:
            return bodies.Leave()
        first, second = self.chance.choice(known), self.chance.choice(known)
        return bodies.Expose(first.body, first.signature, second.body, second.signature)

    def nonsense(self) -> tuple[int, Payload]:
        """Return any payload of the cheating seat."""
        chance, seats = self.chance, range(len(self.table.replay.roster.seats))
        noise = chance.randbytes
        any_action: list[Callable[[], actions.Action]] = [
            lambda: actions.Play(chance.randrange(60), chance.randrange(-1, 120)),
            lambda: actions.Play(chance.randrange(9), chance.randrange(108), chance.randrange(9)),
            actions.Draw,
            actions.Keep,
            actions.SayUno,
            actions.Accept,
            actions.Challenge,
            actions.Show,
            actions.RefuseShow,
            actions.OpenHand,
            actions.RefuseVerdict,
            actions.Object,
            lambda: actions.NameColour(chance.randrange(-1, 5)),
            lambda: actions.Catch(chance.randrange(5)),
            lambda: actions.Swap(chance.randrange(5)),
            lambda: actions.Accuse(chance.randrange(5)),
            lambda: actions.Vote(chance.random() < 0.5),
            lambda: actions.Verdict(chance.random() < 0.5),
        ]
        decision = 0 if self.table.replay.round is None else self.table.log.engine.decision
        choices: list[Callable[[], Payload]] = [
            lambda: bodies.Commit(noise(32), noise(32), self.noisy_boxes(), noise(32)),
            lambda: bodies.Escrow(tuple(noise(80) for _ in seats), tuple(noise(32) for _ in seats)),
            lambda: bodies.Complain(chance.choice(seats), noise(32)),
            lambda: bodies.Complain(chance.choice(seats), self.box(chance.choice(seats))),
            lambda: bodies.Pass(
                chance.randrange(3), chance.randrange(6), noise(33 * 108), noise(33)
            ),
            lambda: bodies.Unlock((bodies.SlotKeyList(chance.randrange(9), noise(64)),)),
            lambda: bodies.Act(
                decision, chance.choice(any_action)(), chance.choice((b"", noise(32)))
            ),
            lambda: bodies.Act(decision, chance.choice(any_action)(), noise(144)),
            lambda: bodies.Reveal(noise(32), noise(32)),
            lambda: bodies.Attest(noise(32), (chance.choice(seats),)),
            lambda: bodies.Halt(chance.choice(list(HaltReason)), chance.choice((None, *seats))),
            lambda: bodies.HandOver(chance.randrange(3), noise(112)),
            bodies.Leave,
        ]
        return CHEATER, chance.choice(choices)()

    def box(self, giver: int) -> bytes:
        table = self.table
        if table.replay.round is None:
            return bytes(32)
        return table.view_secrets(CHEATER).box_private(giver)

    def noisy_boxes(self) -> tuple[bytes, ...]:
        """Return box keys, usually in the number that is due."""
        table = self.table
        due = 0 if table.replay.round is None else len(table.log.givers(CHEATER))
        if self.chance.random() < 0.2:
            due = self.chance.randrange(5)
        return tuple([self.chance.randbytes(32) for _ in range(due)])

    def spoiled(self, said: Payload) -> Payload:
        """Return the payload with one thing wrong."""
        chance = self.chance
        match said:
            case bodies.Pass():
                field = chance.choice(("points", "keys"))
                listed = list(unpack(getattr(said, field), len(getattr(said, field)) // 33))
                one, two = (chance.randrange(len(listed)) for _ in range(2))
                if chance.random() < 0.5:
                    listed[one], listed[two] = listed[two], listed[one]
                else:
                    listed[one] = chance.choice((OFF_CURVE, listed[two], bytes(33)))
                return msgspec.structs.replace(said, **{field: pack(listed)})
            case bodies.Commit() | bodies.Reveal():
                field = chance.choice([each.name for each in msgspec.structs.fields(said)])
                others = [bytes(32), chance.randbytes(32)]
                others += [
                    msgspec.structs.asdict(each).get(field, bytes(32)) for each in self.seen()
                ]
                changed: object = chance.choice(others)
                if field == "boxes" and isinstance(changed, bytes):
                    boxes = list(getattr(said, field))
                    if boxes:
                        boxes[chance.randrange(len(boxes))] = changed
                    changed = tuple(boxes)
                return msgspec.structs.replace(said, **{field: changed})
            case bodies.Unlock():
                first = said.lists[0]
                keys = chance.choice((first.keys[32:] + first.keys[:32], bytes(len(first.keys))))
                return bodies.Unlock((bodies.SlotKeyList(first.need, keys), *said.lists[1:]))
            case bodies.Escrow():
                return bodies.Escrow(said.sealed[::-1], said.hashes)
            case bodies.Attest():
                return bodies.Attest(said.reveal, (0,) if not said.blamed else ())
            case bodies.HandOver():
                return bodies.HandOver(said.move, chance.randbytes(112))
            case bodies.Act():
                return msgspec.structs.replace(said, proof=chance.randbytes(len(said.proof)))
            case _:
                return said

    def seen(self) -> list[Payload]:
        """Return the commitments of other seats and their signed bodies that are still pending."""
        waiting = [offer.signed.read().payload for offer in self.pool]
        return [*self.table.log.commits.values(), *waiting]


@pytest.mark.parametrize("seed", range(12))
def test_cheating_seats_and_hosts_blame_no_honest_seat(seed: int) -> None:
    table = CheatingHostAndSeat(seed).run()
    report = table.audit()
    proven = {blame.seat for blame in report.blame if is_proof(blame)}
    assert proven <= {CHEATER}, report.blame
    if report.verdict is AuditVerdict.VERIFIED:
        assert report.blame == ()
        assert all(summary.counted for summary in table.replay.summaries)
    # A replay of the file reaches the same state.
    assert table.fork().replay.state() == table.replay.state()
