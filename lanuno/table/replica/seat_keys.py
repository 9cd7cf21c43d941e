"""The secrets of one seat, round by round: seeds, its own keys, and the cards that these open.

Only `seat.py` uses this module. Everything made for other nodes is a payload; the outputs that
store its secrets come before it. No repr shows a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from lanuno.dealing.deal import Deal, packed, take_step
from lanuno.dealing.errors import DealingError
from lanuno.dealing.escrow import share_hash, split
from lanuno.dealing.passes import PassStep
from lanuno.dealing.sealing import Seal, seal, seal_info
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets, commitments
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason, Payload
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ESCROW
from lanuno.log.round.shown_hand import hand_content, purpose_of_move, purpose_of_show, slot_key
from lanuno.rules.engine.round import Round
from lanuno.table.lobby.peer import Entropy
from lanuno.table.outputs import SeatOutput, StoreSeed
from lanuno.table.replica.hand_keys import HandKeys, Unsound

SEED_LABELS = ("round", "view")
"""The seeds of a round: of its secrets, and of the secrets for what is shown to the seat."""


class SeatKeys:
    """One seat's secrets, round by round. A spectator has none."""

    def __init__(
        self,
        replay: Replay,
        seat: int | None,
        entropy: Entropy,
        seeds: dict[tuple[bytes, str], bytes] | None = None,
        sealer: Seal | None = None,
    ) -> None:
        """Follow this replay for this seat.

        `seeds`: the seeds drawn so far, by hash of the round's Open entry and label. New seeds are
        added to this mapping. `sealer` makes the boxes; None for `seal`.
        """
        self._replay = replay
        self._seat = seat
        self._entropy = entropy
        self._sealer = sealer
        self._hands: HandKeys | None = None
        """With the secrets of the present round; None while they are not known."""
        self._seeds = {} if seeds is None else seeds

    def __repr__(self) -> str:
        return f"SeatKeys(seat {self._seat}, <secret>)"

    @property
    def _log(self) -> RoundLog:
        current = self._replay.round
        assert current is not None
        return current

    @property
    def _own_hand(self) -> tuple[int, RoundSecrets, ViewSecrets]:
        assert self._seat is not None
        return self._seat, self._hand_keys.secrets, self._hand_keys.view

    @property
    def has_secrets(self) -> bool:
        """Whether this seat's secrets for the present round are known."""
        return self._hands is not None

    # ---- cards ------------------------------------------------------------------------------

    def readable(self) -> Mapping[int, int]:
        """Return the slots that this seat can read: its hand, and hands shown or given to it."""
        return {} if self._hands is None else self._hands.cards

    def open_new(self, event: object) -> Unsound | None:
        """Open the cards that an event makes readable; return a fault in them, if any."""
        if isinstance(event, events.RoundOpened):
            self._hands = None
        elif isinstance(event, events.StepDone) and event.seat == self._seat:
            self._restore_secrets()
        return None if self._hands is None else self._hands.open_new(event)

    def _restore_secrets(self) -> None:
        """Load the secrets of this seat's commitment after a restart, if their seeds were kept."""
        if self._hands is not None or self._seat is None:
            return
        if all((self._log.open_hash, label) in self._seeds for label in SEED_LABELS):
            self._hands = self._hands_from_seeds(self._seat)

    def _hands_from_seeds(self, seat: int) -> HandKeys:
        """Derive the secrets of the present round from its seeds."""
        opened, context = self._log.open_hash, self._log.context(seat)
        secrets, view = (self._seeds[opened, label] for label in SEED_LABELS)
        return HandKeys(
            self._log,
            seat,
            RoundSecrets(secrets, context),
            ViewSecrets(view, context),
            self._sealer,
        )

    def holds(self, hand: Sequence[int]) -> bool:
        """Whether this seat holds the last keys of all slots of a hand that is or was its own.

        The log says which boxes were sent to the seat, but not whether they opened.
        """
        return self._hands is not None and self._hands.holds(hand)

    def opened(self, hand: Sequence[int]) -> bool:
        """Whether this seat has opened every card of a hand: its own, or one shown to it."""
        return self.readable().keys() >= set(hand)

    def own_key(self, slot: int) -> bytes:
        """Return the last key of a slot in this seat's hand."""
        return self._hand_keys.key(slot)

    @property
    def _hand_keys(self) -> HandKeys:
        assert self._hands is not None
        return self._hands

    # ---- automatic steps --------------------------------------------------------------------

    def commit(self) -> tuple[list[SeatOutput], Payload]:
        """Return the commitment to this round's seeds, and the new seeds to store first.

        A second call in the same round returns the same commitment. A host that refused the first
        one may still append it, so the commitment must stay true.
        """
        assert self._seat is not None
        opened = self._log.open_hash
        keep: list[SeatOutput] = []
        for label in SEED_LABELS:
            if (opened, label) not in self._seeds:
                seed = self._seeds[opened, label] = self._entropy(32)
                keep.append(StoreSeed(self._seat, opened, label, seed))
        hands = self._hands = self._hands_from_seeds(self._seat)
        made = commitments(hands.secrets, hands.view, self._log.givers(self._seat))
        return keep, bodies.Commit(*made)

    def escrow(self) -> Payload:
        """Return this seat's seed in sealed shares, one for every other owner."""
        seat, secrets, _ = self._own_hand
        log = self._log
        receivers = log.share_receivers(seat)
        boxes = [log.box_of(to, seat) for to in receivers]
        shares = split(secrets, receivers, boxes)
        sealed = tuple(
            (self._sealer or seal)(
                share, box, seal_info(log.table_id, log.open_hash, seat, to, ESCROW)
            )
            for to, box, share in zip(receivers, boxes, shares, strict=True)
        )
        hashes = tuple(
            share_hash(share, log.context(seat), to)
            for to, share in zip(receivers, shares, strict=True)
        )
        return bodies.Escrow(sealed, hashes)

    def complaint(self) -> Payload | None:
        """Return a complaint about a wrong share for this seat, possible until its first mask."""
        seat, _, view = self._own_hand
        if self._log.has_masked(seat):
            return None
        for of in self._log.givers(seat):
            if self._log.read_share(of, seat, view.box_private(of)) is None:
                return bodies.Complain(of, view.box_private(of))
        return None

    def pass_work(self) -> Callable[[], object]:
        """Return the job for this seat's pass step. Its result is a `PassStep` or `Unsound`."""
        deal = self._log.deal
        assert deal is not None
        return partial(_pass, deal, self._own_hand[1])

    def pass_payload(self, result: object) -> Payload:
        """Return the payload for a finished pass step."""
        deal = self._log.deal
        assert deal is not None
        assert isinstance(result, PassStep)
        points, keys = packed(result)
        return bodies.Pass(deal.number, len(deal.accepted), points, keys)

    def unlock(self, needs: Sequence[int]) -> tuple[bodies.SlotKeyList, ...]:
        """Return this seat's slot keys for these needs."""
        slots, secrets = self._log.slots, self._own_hand[1]

        def key(slot: int) -> bytes:
            return slot_key(slots, secrets, slot)

        return tuple(
            bodies.SlotKeyList(need, hand_content(key, self._log.needs[need].slots))
            for need in needs
        )

    def share(self, of: int) -> Payload:
        """Return this seat's share of a lost seat's seed, or a complaint if the share is wrong."""
        seat, _, view = self._own_hand
        share = self._log.read_share(of, seat, view.box_private(of))
        if share is None:
            # This happens only before this seat's first mask: it would have complained by then.
            return bodies.Complain(of, view.box_private(of))
        return bodies.Share(of, share)

    def hand_over(self, number: int) -> Payload:
        """Return the keys of a hand that this seat gave away, sealed to the hand's new owner."""
        move = self._log.moves[number]
        sealed = self._hand_keys.seal(move.slots, move.to, purpose_of_move(number))
        return bodies.HandOver(number, sealed)

    def reveal(self) -> Payload:
        """Return the payload with both seeds."""
        _, secrets, view_secrets = self._own_hand
        return bodies.Reveal(secrets.seed, view_secrets.seed)

    def audit_work(self) -> Callable[[], object]:
        """Return the job that audits the round. Its result is a `RoundReport`."""
        return partial(audit_round, self._log)

    # ---- challenges -------------------------------------------------------------------------

    def show(self) -> bytes:
        """Return the keys of the challenged hand, sealed to the challenger."""
        engine = self._log.engine
        assert isinstance(engine, Round)
        purpose = purpose_of_show(engine.decision)
        return self._hand_keys.seal(engine.accused_hand, engine.challenger, purpose)

    def open_hand(self) -> bytes:
        """Return the last keys of the challenged hand, to be published."""
        engine = self._log.engine
        assert isinstance(engine, Round)
        return hand_content(self._hand_keys.key, engine.accused_hand)


def _pass(deal: Deal, secrets: RoundSecrets) -> PassStep | Unsound:
    try:
        return take_step(deal, secrets)
    except DealingError:
        fault = deal.off_curve()
        return Unsound(HaltReason.BAD_POINTS, None if fault is None else fault.seat)
