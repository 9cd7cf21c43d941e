"""`Deal`: the public state machine of one deal, from its first input to its finished slots.

Rule: public information only. A deal knows whose step comes next, the input of that step, and
whether a published step has the right shape. It starts from a fresh deck, from public discards, or
from public discards and slots that are still locked. Only the seed of a step's author can show
whether the step is honest (`verify.py`).
"""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

from lanuno.dealing.errors import Misuse, PointError
from lanuno.dealing.group import Flaw, card_points, check_points, off_curve, pack, unpack
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.passes import PassStep, common_step, lock_step, mask_step

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lanuno.dealing.secrets import RoundSecrets


class StepKind(Enum):
    """The kinds of step in a deal, in the order in which they happen."""

    COMMON = "common"
    """Give all points one scalar, in place of this seat's keys of locked slots; only in deals that
    have locked slots."""

    MASK = "mask"
    """Multiply by one scalar and permute."""

    LOCK = "lock"
    """Give each slot its own scalar."""


class DealFault(Struct, frozen=True):
    """A wrong step, and the seat that published it."""

    seat: int
    """The author of the step, who is to blame."""

    kind: StepKind
    """The kind of step: a mask is reported as `bad-mask`, a lock or common step as `bad-lock`."""

    flaw: Flaw
    """What is wrong."""

    @property
    def name(self) -> str:
        """The name of the fault in reports."""
        return "bad-mask" if self.kind is StepKind.MASK else "bad-lock"


class LockedSlot(Struct, frozen=True):
    """A slot of an earlier deal that returns to the deck unopened."""

    slot: int
    """Number of the slot in the round."""

    point: bytes
    """The slot's point, without the keys of seats that have left."""

    deal: int
    """Number of the deal that locked it."""

    size: int
    """Number of slots of that deal."""

    index: int
    """Position of the slot in that deal, from 0."""

    keys: tuple[tuple[int, bytes], ...]
    """(seat, public key of the slot) for each seat of the new deal that locked the slot."""

    inputs: tuple[tuple[int, bytes], ...]
    """(seat, input of the step in which it locked the slot) for the same seats."""


class AcceptedStep(Struct, frozen=True):
    """A step that the deal has accepted."""

    kind: StepKind
    """The kind of step."""

    seat: int
    """The author of the step."""

    points: tuple[bytes, ...]
    """The list to which the step was applied."""

    step: PassStep
    """The published step."""

    @property
    def off_curve(self) -> bool:
        """Whether an x in the step belongs to no point. Costs one square root per point."""
        return off_curve((*self.step.points, *self.step.keys)) is not None


class Deal:
    """One deal under way. It accepts steps in order and uses public information only."""

    def __init__(
        self,
        number: int,
        deck: int,
        cards: Iterable[int],
        order: Iterable[int],
        *,
        table: bytes,
        open_hash: bytes,
        locked: Iterable[LockedSlot] = (),
        first_slot: int = 0,
    ) -> None:
        """Describe a deal.

        `number` is the deal number, never used twice in a round. `deck` is the number of cards in
        the whole deck. `cards` are the public cards that go in, in order; the `locked` slots follow
        them. `order` lists the seats that deal, in genesis order. `table` and `open_hash` are the
        table id and the hash of the round's Open entry. Position i of the result becomes slot
        `first_slot` + i. Raises `Misuse` if cards or seats are missing or repeated.
        """
        self.number = number
        self.deck = deck
        self.cards = tuple(cards)
        self.locked = tuple(locked)
        self.order = tuple(order)
        self.first_slot = first_slot
        self.size = len(self.cards) + len(self.locked)
        known = card_points(deck)
        if not self.size or not self.order or len(set(self.order)) != len(self.order):
            raise Misuse("a deal needs cards and distinct seats")
        if len(set(self.cards)) != len(self.cards) or not set(self.cards) <= set(range(deck)):
            raise Misuse("the cards must be distinct cards of the deck")
        self._points = tuple([known[card] for card in self.cards]) + tuple(
            [each.point for each in self.locked]
        )
        kinds = (
            (StepKind.COMMON, StepKind.MASK, StepKind.LOCK)
            if self.locked
            else (StepKind.MASK, StepKind.LOCK)
        )
        self._plan = [(kind, seat) for kind in kinds for seat in self.order]
        self._step_places = {step: place for place, step in enumerate(self._plan)}
        self._accepted: list[AcceptedStep] = []
        self._inputs = [self._first_input(table, open_hash)]
        """The input hash of each step, up to and including the expected one."""
        self.slot_keys: dict[int, tuple[bytes, ...]] = {}
        """The public key of every slot, by position, for each seat that has locked."""

    @property
    def accepted(self) -> tuple[AcceptedStep, ...]:
        """All accepted steps, in order."""
        return tuple(self._accepted)

    @property
    def expected(self) -> tuple[StepKind, int] | None:
        """The kind and the seat of the step that the deal waits for; None when it is done."""
        return None if self.done else self._plan[len(self._accepted)]

    @property
    def done(self) -> bool:
        """Whether every seat has locked."""
        return len(self._accepted) == len(self._plan)

    @property
    def input(self) -> tuple[bytes, ...]:
        """The list for the expected seat to work on; the final points when the deal is done."""
        return self._accepted[-1].step.points if self._accepted else self._points

    @property
    def points(self) -> tuple[bytes, ...]:
        """The points of the finished slots, by position; `Misuse` before the deal is done."""
        if not self.done:
            raise Misuse("the deal is not done")
        return self.input

    def step_input(self, kind: StepKind, seat: int) -> bytes:
        """Return the input hash of a step, to which the step's secrets are bound.

        The hash covers the cards and slots with which the deal began, and every earlier step. It
        does not cover terms, entries or times. Raises `Misuse` for a step that is not expected yet
        or is not part of this deal.
        """
        place = self._step_places.get((kind, seat))
        if place is None or place >= len(self._inputs):
            raise Misuse("the input of this step is not known")
        return self._inputs[place]

    def _first_input(self, table: bytes, open_hash: bytes) -> bytes:
        """Return the input hash of the first step."""
        locked = [
            u32(each.slot) + each.point + b"".join([key for _, key in each.keys])
            for each in self.locked
        ]
        return H(
            "deal",
            table,
            open_hash,
            u32(self.number),
            u32(self.deck),
            b"".join(map(u32, self.order)),
            b"".join(map(u32, self.cards)),
            *locked,
        )

    @property
    def slots(self) -> range:
        """The numbers of the slots that this deal creates."""
        return range(self.first_slot, self.first_slot + self.size)

    def accept(self, seat: int, step: PassStep) -> DealFault | None:
        """Accept the step that the expected seat published, or return the fault in its shape.

        A fault leaves the deal unchanged. Raises `Misuse` if another seat is expected: the caller
        checks the order of the log before the content.
        """
        kind, expected = self._next()
        if expected != seat:
            raise Misuse("not the seat that the deal waits for")
        flaw = check_points(step.points, self.size)
        flaw = flaw or check_points(step.keys, self._key_count(kind))
        if flaw is not None:
            return DealFault(seat, kind, flaw)
        if kind is StepKind.LOCK:
            self.slot_keys[seat] = step.keys
        before = self._inputs[-1]
        after = H("step", before, kind.value.encode("ascii"), u32(seat), *packed(step))
        self._accepted.append(AcceptedStep(kind, seat, self.input, step))
        self._inputs.append(after)
        return None

    def accept_packed(self, seat: int, points: bytes, keys: bytes) -> DealFault | None:
        """Do what `accept` does, with the two packed fields of a step, as they are sent.

        A wrong length counts as a fault of the seat.
        """
        kind, _ = self._next()
        try:
            step = PassStep(unpack(points, self.size), unpack(keys, self._key_count(kind)))
        except PointError:
            return DealFault(seat, kind, Flaw.COUNT)
        return self.accept(seat, step)

    def _key_count(self, kind: StepKind) -> int:
        return self.size if kind is StepKind.LOCK else 1

    def off_curve(self) -> DealFault | None:
        """Return the fault of the first step with an x that belongs to no point; None without one.

        `accept` does not check this, because it costs every peer one square root per point. Call it
        when a seat cannot do its step (`PointError`) or when a slot opens to no card, on this deal
        and on the deals from which its locked slots come.
        """
        for accepted in self._accepted:
            if accepted.off_curve:
                return DealFault(accepted.seat, accepted.kind, Flaw.OFF_CURVE)
        return None

    def _next(self) -> tuple[StepKind, int]:
        expected = self.expected
        if expected is None:
            raise Misuse("the deal is done")
        return expected


def packed(step: PassStep) -> tuple[bytes, bytes]:
    """Return the two fields of a step as they are sent: points, and public keys."""
    return pack(step.points), pack(step.keys)


def take_step(deal: Deal, secrets: RoundSecrets) -> PassStep:
    """Return the step that an honest seat publishes when the deal waits for it; change nothing.

    Raises `Misuse` if the deal waits for another seat, and `PointError` if an earlier step holds a
    point off the curve (`Deal.off_curve` finds its author).
    """
    expected = deal.expected
    if expected is None or expected[1] != secrets.context.seat:
        raise Misuse("the deal does not wait for this seat")
    return honest_step(deal, expected[0], deal.input, secrets)


def honest_step(
    deal: Deal, kind: StepKind, points: tuple[bytes, ...], secrets: RoundSecrets
) -> PassStep:
    """Return the step that the seed gives for a list; `PointError` for a point off the curve."""
    if kind is StepKind.COMMON:
        old = [_old_scalar(each, secrets) for each in deal.locked]
        return common_step(points, common_scalar(deal, secrets), old)
    mask = mask_scalar(deal, secrets)
    if kind is StepKind.MASK:
        common = common_scalar(deal, secrets) if deal.locked else 1
        return mask_step(points, mask, permutation(deal, secrets), common)
    return lock_step(points, mask, slot_scalars(deal, secrets))


def common_scalar(deal: Deal, secrets: RoundSecrets) -> int:
    """Return the scalar of a seat's common step; `Misuse` before its input is known."""
    step_input = deal.step_input(StepKind.COMMON, secrets.context.seat)
    return secrets.common_scalar(deal.number, step_input)


def mask_scalar(deal: Deal, secrets: RoundSecrets) -> int:
    """Return the scalar of a seat's mask; `Misuse` before its input is known."""
    step_input = deal.step_input(StepKind.MASK, secrets.context.seat)
    return secrets.mask_scalar(deal.number, step_input)


def permutation(deal: Deal, secrets: RoundSecrets) -> tuple[int, ...]:
    """Return the permutation of a seat's mask; `Misuse` before its input is known."""
    step_input = deal.step_input(StepKind.MASK, secrets.context.seat)
    return secrets.permutation(deal.number, deal.size, step_input)


def slot_scalars(deal: Deal, secrets: RoundSecrets) -> tuple[int, ...]:
    """Return a seat's keys for all slots of a deal; `Misuse` before its lock's input is known."""
    step_input = deal.step_input(StepKind.LOCK, secrets.context.seat)
    return secrets.slot_scalars(deal.number, deal.size, step_input)


def _old_scalar(slot: LockedSlot, secrets: RoundSecrets) -> int:
    """Return a seat's key for a slot of an earlier deal."""
    step_input = dict(slot.inputs)[secrets.context.seat]
    return secrets.slot_scalars(slot.deal, slot.size, step_input)[slot.index]
