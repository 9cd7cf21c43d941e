"""An honest seat at the level of the log: signs what it must and may, and halts when it has to.

It judges everything by itself and from the log alone, and it never signs two things for one matter.
Who takes what it signs, when, and in which order is the host's business, honest or not.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from lanuno.dealing.errors import DealingError
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.log import bodies
from lanuno.log.bodies import Body, HaltReason, Payload, SignedBody, sign_body
from lanuno.log.duties import DutyKind, duties
from lanuno.log.round_record import Phase, ShownHand
from lanuno.log.shown_hand import holds_keys, purpose_of_move, purpose_of_show
from lanuno.rules.actions import Action, Catch, OpenHand, Play, SayUno, Show, Verdict
from lanuno.rules.engine import Round
from lanuno.rules.state import Phase as Stage
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.log_table import LogTable, identity


class Unsound(Exception):
    """What this seat sees cannot come from honest seats."""

    def __init__(self, reason: HaltReason, of: int | None = None) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.of = of


Moment = object
"""What something is signed for: a duty, a decision, a word about a card."""


@dataclass(frozen=True)
class Wish:
    """A signed body that its author wants in the log."""

    author: HonestSeat
    moment: Moment
    signed: SignedBody


@dataclass
class HonestSeat:
    """One seat of a table, with its own counter and the keys that were given to it."""

    table: LogTable
    seat: int
    chance: Random
    counter: int = 0
    signed: set[object] = field(default_factory=set)
    received: dict[tuple[int, int], bytes] = field(default_factory=dict)
    cards: dict[tuple[int, int], int] = field(default_factory=dict)

    def wants(self) -> list[Wish]:
        """Everything new that this seat signs now."""
        replay = self.table.replay
        if replay.round is None or replay.closed is not None or self.seat in replay.dropped:
            return []
        if self.seat not in replay.round.seats:
            return []
        try:
            wishes = [*self._duties(), *self._acts()]
        except Unsound as unsound:
            moment = ("halt", replay.number)
            if replay.round.phase >= Phase.REVEAL or not self._once(moment):
                return []
            wishes = [(moment, bodies.Halt(unsound.reason, unsound.of))]
        return [Wish(self, moment, self._sign(payload)) for moment, payload in wishes]

    def lost(self, moment: object) -> None:
        """What was signed for this cannot be taken any more: it is to be signed again."""
        self.signed.discard(moment)

    def _sign(self, payload: Payload) -> SignedBody:
        replay = self.table.replay
        self.counter = max(self.counter + 1, replay.next_counter(self.seat))
        body = Body(replay.table_id, replay.number, self.seat, self.counter, replay.head, payload)
        return sign_body(body, identity(self.seat))

    def _once(self, moment: object) -> bool:
        """Whether something is to be signed that was not signed before."""
        if moment in self.signed:
            return False
        self.signed.add(moment)
        return True

    # ---- what it owes -----------------------------------------------------------------------

    def _duties(self) -> list[tuple[Moment, Payload]]:
        table, found = self.table, list[tuple[Moment, Payload]]()
        for duty in duties(table.replay):
            if duty.seat != self.seat or not self._once(duty):
                continue
            complaint = self._complaint() if duty.kind in (DutyKind.PASS, DutyKind.SHARE) else None
            if complaint is not None:
                found.append((duty, complaint))
            elif duty.kind is DutyKind.UNLOCK:
                found.append((duty, table.unlock(self.seat, [duty.item])))
            elif duty.kind is DutyKind.HAND:
                move = table.log.moves[duty.item]
                sealed = self._sealed(move.slots, move.to, purpose_of_move(duty.item))
                found.append((duty, bodies.HandOver(duty.item, sealed)))
            else:
                try:
                    found.append((duty, table.duty(duty)))
                except DealingError:
                    raise Unsound(HaltReason.BAD_POINTS) from None
        return found

    def _complaint(self) -> Payload | None:
        """A complaint about the first share for this seat that is not right."""
        log, view = self.table.log, self.table.view_secrets(self.seat)
        for of in sorted(log.escrows):
            receives = self.seat in log.share_receivers(of)
            if receives and log.read_share(of, self.seat, view.box_private(of)) is None:
                return bodies.Complain(of, view.box_private(of))
        return None

    # ---- what it reads ----------------------------------------------------------------------

    def _key(self, slot: int) -> bytes:
        """The last key of a slot of this hand, its own or one that it was given."""
        log = self.table.log
        if log.key_owner(slot, self.seat) == self.seat:
            return self.table.key(self.seat, slot)
        return self.received[log.number, slot]

    def _sealed(self, slots: tuple[int, ...], to: int, purpose: str) -> bytes:
        log = self.table.log
        info = seal_info(log.table_id, log.open_hash, self.seat, to, purpose)
        return seal(b"".join(map(self._key, slots)), log.commits[to].view_key, info)

    def _read_boxes(self) -> None:
        """Take the keys out of every box that is for this seat."""
        log = self.table.log
        for shown in log.shown:
            if shown.to == self.seat and (log.number, shown.slots[-1]) not in self.received:
                self._read(shown)

    def _read(self, shown: ShownHand) -> None:
        log = self.table.log
        info = seal_info(log.table_id, log.open_hash, shown.seat, self.seat, shown.purpose)
        private = self.table.view_secrets(self.seat).private_key
        try:
            content = unseal(shown.sealed, private, info)
        except DealingError:
            raise Unsound(HaltReason.BAD_SEAL, shown.seat) from None
        owners = [log.key_owner(slot, shown.seat) for slot in shown.slots]
        if not holds_keys(content, log.slots, shown.slots, owners):
            raise Unsound(HaltReason.BAD_SEAL, shown.seat)
        for place, slot in enumerate(shown.slots):
            self.received[log.number, slot] = content[32 * place : 32 * place + 32]

    def _open(self, slot: int, holder: int) -> int:
        log = self.table.log
        known = self.cards.get((log.number, slot))
        if known is not None:
            return known
        key = self._key(slot) if holder == self.seat else self.received[log.number, slot]
        card = log.slots.open(slot, {log.key_owner(slot, holder): key})
        if card is None or not (log.hides(card) or log.engine.face_up.get(slot) == card):
            raise Unsound(HaltReason.NO_CARD)
        self.cards[log.number, slot] = card
        return card

    def _cards(self, engine: Round) -> dict[int, int]:
        cards: dict[int, int] = {}
        log = self.table.log
        for slot in engine.hands.get(self.seat, ()):
            if set(log.slots.missing(slot)) <= {log.key_owner(slot, self.seat)}:
                cards[slot] = self._open(slot, self.seat)
        if len(set(cards.values())) != len(cards):
            raise Unsound(HaltReason.NO_CARD)
        return {**cards, **engine.face_up}

    # ---- what it does -----------------------------------------------------------------------

    def _acts(self) -> list[tuple[Moment, Payload]]:
        log, engine = self.table.log, self.table.log.engine
        if log.phase is not Phase.PLAY or not isinstance(engine, Round):
            return []
        self._read_boxes()
        if not log.reads_its_cards(self.seat):
            return []
        cards = self._cards(engine)
        found: list[tuple[Moment, Payload]] = []
        if engine.phase is Stage.VERDICT and engine.challenger == self.seat:
            cards |= {slot: self._open(slot, engine.accused) for slot in engine.accused_hand}
        for moment, action in self._chosen(engine, cards):
            proof = b""
            if isinstance(action, Play):
                proof = self._key(action.slot)
            elif isinstance(action, Show):
                purpose = purpose_of_show(engine.decision)
                proof = self._sealed(engine.accused_hand, engine.challenger, purpose)
            elif isinstance(action, OpenHand):
                proof = b"".join([self._key(slot) for slot in engine.accused_hand])
            found.append((moment, bodies.Act(engine.decision, action, proof)))
        return found

    def _chosen(self, engine: Round, cards: dict[int, int]) -> list[tuple[Moment, Action]]:
        legal = engine.legal(self.seat, cards)
        words = [act for act in legal if isinstance(act, SayUno | Catch)]
        others = [act for act in legal if not isinstance(act, SayUno | Catch)]
        chosen: list[tuple[Moment, Action]] = []
        moment = ("act", self.table.log.number, engine.decision, engine.phase)
        if others and self._once(moment):
            true = [
                act
                for act in others
                if not isinstance(act, Verdict) or engine.refusal(self.seat, act, cards) is None
            ]
            chosen.append((moment, self.chance.choice(true)))
        for word in words:
            said = (word, self.table.log.number, engine.turns)
            if self.chance.random() < 0.5 and self._once(said):
                chosen.append((said, word))
        return chosen
