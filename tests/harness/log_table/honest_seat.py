"""An honest seat at the level of the log. It signs due and permitted bodies, and halts on a fault.

It judges everything alone, from the log only, and signs at most one body for each occasion. The
host, honest or not, decides which bodies it appends, when, and in which order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from lanuno.dealing.errors import DealingError
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, HaltReason, Payload, SignedBody, sign_body
from lanuno.log.replay.due_steps import AutomaticStepKind, automatic_steps
from lanuno.log.round.round_record import ProtocolPhase, ShownHand
from lanuno.log.round.shown_hand import holds_keys, purpose_of_move, purpose_of_show
from lanuno.rules.engine.actions import Action, Catch, OpenHand, Play, SayUno, Show, Verdict
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.log_table import LogTable, identity


class Unsound(Exception):
    """This seat received data that honest seats do not make."""

    def __init__(self, reason: HaltReason, of: int | None = None) -> None:
        super().__init__(reason.name)
        self.reason = reason
        self.of = of


Occasion = object
"""The reason to sign a body: an automatic step, a decision, or a remark about a card."""


@dataclass(frozen=True)
class OfferedBody:
    """A signed body that its author offers to the host."""

    author: HonestSeat
    occasion: Occasion
    signed: SignedBody


@dataclass
class HonestSeat:
    """One seat of a table, with its own counter and the keys that it has received."""

    table: LogTable
    seat: int
    chance: Random
    counter: int = 0
    signed: set[object] = field(default_factory=set)
    received: dict[tuple[int, int], bytes] = field(default_factory=dict)
    cards: dict[tuple[int, int], int] = field(default_factory=dict)

    def new_bodies(self) -> list[OfferedBody]:
        """Sign and return all bodies that this seat has an occasion for and has not signed yet."""
        replay = self.table.replay
        if replay.round is None or replay.closed is not None or self.seat in replay.dropped:
            return []
        if self.seat not in replay.round.seats:
            return []
        try:
            offers = [*self._automatic_steps(), *self._acts()]
        except Unsound as unsound:
            occasion = ("halt", replay.number)
            if replay.round.phase >= ProtocolPhase.REVEAL or not self._is_new(occasion):
                return []
            offers = [(occasion, bodies.Halt(unsound.reason, unsound.of))]
        return [OfferedBody(self, occasion, self._sign(payload)) for occasion, payload in offers]

    def sign_again(self, occasion: object) -> None:
        """Let this occasion be signed again, because its earlier body can no longer be appended."""
        self.signed.discard(occasion)

    def _sign(self, payload: Payload) -> SignedBody:
        replay = self.table.replay
        self.counter = max(self.counter + 1, replay.next_counter(self.seat))
        body = Body(replay.table_id, replay.number, self.seat, self.counter, replay.head, payload)
        return sign_body(body, identity(self.seat))

    def _is_new(self, occasion: object) -> bool:
        """Whether nothing was signed for this occasion yet. The call marks it as signed."""
        if occasion in self.signed:
            return False
        self.signed.add(occasion)
        return True

    # ---- automatic steps --------------------------------------------------------------------

    def _automatic_steps(self) -> list[tuple[Occasion, Payload]]:
        table, found = self.table, list[tuple[Occasion, Payload]]()
        for step in automatic_steps(table.replay):
            if step.seat != self.seat or not self._is_new(step):
                continue
            complaint = (
                self._complaint()
                if step.kind in (AutomaticStepKind.PASS, AutomaticStepKind.SHARE)
                else None
            )
            if complaint is not None:
                found.append((step, complaint))
            elif step.kind is AutomaticStepKind.UNLOCK:
                found.append((step, table.unlock(self.seat, [step.item])))
            elif step.kind is AutomaticStepKind.HAND:
                move = table.log.moves[step.item]
                sealed = self._sealed(move.slots, move.to, purpose_of_move(step.item))
                found.append((step, bodies.HandOver(step.item, sealed)))
            else:
                try:
                    found.append((step, table.payload_for(step)))
                except DealingError:
                    raise Unsound(HaltReason.BAD_POINTS) from None
        return found

    def _complaint(self) -> Payload | None:
        """Return a complaint about the first invalid share for this seat."""
        log, view = self.table.log, self.table.view_secrets(self.seat)
        for of in sorted(log.escrows):
            receives = self.seat in log.share_receivers(of)
            if receives and log.read_share(of, self.seat, view.box_private(of)) is None:
                return bodies.Complain(of, view.box_private(of))
        return None

    # ---- reading cards ----------------------------------------------------------------------

    def _key(self, slot: int) -> bytes:
        """Return the last key of a slot of this hand: the seat's own, or one handed over to it."""
        log = self.table.log
        if log.key_owner(slot, self.seat) == self.seat:
            return self.table.key(self.seat, slot)
        return self.received[log.number, slot]

    def _sealed(self, slots: tuple[int, ...], to: int, purpose: str) -> bytes:
        log = self.table.log
        info = seal_info(log.table_id, log.open_hash, self.seat, to, purpose)
        return seal(b"".join(map(self._key, slots)), log.commits[to].view_key, info)

    def _read_boxes(self) -> None:
        """Read the keys from every box sealed to this seat."""
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
        if card is None or not (card in log.hidden or log.engine.face_up.get(slot) == card):
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

    # ---- acts -------------------------------------------------------------------------------

    def _acts(self) -> list[tuple[Occasion, Payload]]:
        log, engine = self.table.log, self.table.log.engine
        if log.phase is not ProtocolPhase.PLAY or not isinstance(engine, Round):
            return []
        self._read_boxes()
        if not log.can_read_hand(self.seat):
            return []
        cards = self._cards(engine)
        found: list[tuple[Occasion, Payload]] = []
        if engine.phase is RoundPhase.VERDICT and engine.challenger == self.seat:
            cards |= {slot: self._open(slot, engine.accused) for slot in engine.accused_hand}
        for occasion, action in self._choose_actions(engine, cards):
            proof = b""
            if isinstance(action, Play):
                proof = self._key(action.slot)
            elif isinstance(action, Show):
                purpose = purpose_of_show(engine.decision)
                proof = self._sealed(engine.accused_hand, engine.challenger, purpose)
            elif isinstance(action, OpenHand):
                proof = b"".join([self._key(slot) for slot in engine.accused_hand])
            found.append((occasion, bodies.Act(engine.decision, action, proof)))
        return found

    def _choose_actions(
        self, engine: Round, cards: dict[int, int]
    ) -> list[tuple[Occasion, Action]]:
        legal = engine.legal(self.seat, cards)
        interjections = [act for act in legal if isinstance(act, SayUno | Catch)]
        others = [act for act in legal if not isinstance(act, SayUno | Catch)]
        chosen: list[tuple[Occasion, Action]] = []
        occasion = ("act", self.table.log.number, engine.decision, engine.phase)
        if others and self._is_new(occasion):
            true = [
                act
                for act in others
                if not isinstance(act, Verdict) or engine.refusal(self.seat, act, cards) is None
            ]
            chosen.append((occasion, self.chance.choice(true)))
        for word in interjections:
            said = (word, self.table.log.number, engine.turns)
            if self.chance.random() < 0.5 and self._is_new(said):
                chosen.append((said, word))
        return chosen
