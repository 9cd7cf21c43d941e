"""The public state of one round, derived from the log, and queries on it.

This module holds the state that all modules of this package share, and queries that change nothing.
The modules that `round_log.py` calls decide what a payload may do and what follows from it. All
secrets here are published in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, IntEnum

from msgspec import Struct
from msgspec.structs import astuple

from lanuno.dealing.deal import Deal, DealFault
from lanuno.dealing.errors import DealingError
from lanuno.dealing.escrow import check_share
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets, commitments
from lanuno.dealing.slots import SlotTable
from lanuno.log.faults import Blame, BodyRefused, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason
from lanuno.log.format.genesis import Roster
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import DealerResult, RoundResult
from lanuno.rules.engine.round import Round

ESCROW_FROM_OWNERS = 4
"""Seeds are put in escrow from this number of owners on. With fewer, too few owners would remain
after a loss to continue the round (`MIN_REMAINING_OWNERS` in `seed_recovery.py`). With two, the
only share would be the whole seed."""

ESCROW = "escrow"
"""The purpose in the seal of a share."""


class ProtocolPhase(IntEnum):
    """The phases of a round in the protocol."""

    COMMIT = 0
    ESCROW = 1
    PLAY = 2
    """Shuffling, unlocking and playing. The deal, needs and engine determine what is due."""
    REVEAL = 3
    ATTEST = 4
    DONE = 5


class KeyNeed(Struct):
    """Slots that one seat or everybody must be able to read, and the seats that owe keys."""

    number: int
    slots: tuple[int, ...]
    to: int | None
    """The receiving seat, or None for everybody."""
    waiting: set[int]
    """Seats that have not published their keys."""


class ShownHand(Struct, frozen=True):
    """A hand that was shown or given away, as its owner sealed it to the receiver."""

    entry: int
    seat: int
    to: int
    slots: tuple[int, ...]
    purpose: str
    """The purpose in the seal: that of a challenge or of a move."""
    sealed: bytes
    challenge: bool = False
    """Whether the hand was shown in a challenge."""


class Move(Struct, frozen=True):
    """A hand that changed owners and whose keys its giver still owes to the receiver."""

    number: int
    seat: int
    """The giver."""
    to: int
    slots: tuple[int, ...]


class Acted(Struct, frozen=True):
    """A seat, or the clock for it, acted."""

    entry: int
    seat: int
    action: Action
    by_clock: bool


class SlotOpened(Struct, frozen=True):
    """A slot was opened to everybody."""

    entry: int
    slot: int
    card: int


class TimeSettled(Struct, frozen=True):
    """The time for objections or a vote was up."""

    entry: int
    matter: Matter


class ShuffleDone(Struct, frozen=True):
    """A deal was finished."""

    entry: int
    deal: int


class LeftRound(Struct, frozen=True):
    """The game continues without a seat whose keys everybody knows."""

    entry: int
    seat: int


Input = Acted | SlotOpened | TimeSettled | ShuffleDone | LeftRound
"""An input of the engine. The record keeps all inputs in order, so the audit can repeat them."""


class ClockEffect(Enum):
    """What an act of the clock decided."""

    CHALLENGE = "challenge"
    """A challenge was lost, or not made, that the cards would have won."""
    LAST_CARD = "last-card"
    """A last card that could have been played stayed in the hand."""
    END = "end"
    """The act ended the round."""


class ClockAct(Struct, frozen=True):
    """An act of the clock that decided something."""

    seat: int
    round: int
    entry: int
    effect: ClockEffect


class RoundRecord:
    """The state of one round. Only the modules of this package may change its attributes."""

    def __init__(
        self,
        table_id: bytes,
        roster: Roster,
        owners: tuple[int, ...],
        filled: Mapping[int, int],
        opened: bodies.Open,
    ) -> None:
        """Start a round whose Open the replay has checked.

        `owners` holds, for every seat, the seat of the person on whose node it is played. `filled`
        holds the same for the seats in which a bot fills in for an absent player.
        """
        self.table_id = table_id
        self.roster = roster
        self.number = opened.number
        self.kind = opened.kind
        self.seats = opened.seats
        self.order = tuple(sorted(opened.seats))
        """The seats in genesis order, in which they mask and lock."""
        self.dealer = opened.dealer
        self.open_hash = b""
        """Hash of the Open entry, to which every secret of the round is bound."""
        self.engine = self.new_engine()
        self.phase = ProtocolPhase.COMMIT
        self.void: VoidReason | None = None
        self.faults: list[Blame] = []
        """Faults that the log itself proves before any audit."""
        self.commits: dict[int, bodies.Commit] = {}
        self.escrows: dict[int, bodies.Escrow] = {}
        self.escrow_entries: dict[int, int] = {}
        self.deals: list[Deal] = []
        self.deal_entries: list[list[int]] = []
        """For each deal, the entry number of each accepted step."""
        self.slots = SlotTable()
        self.needs: dict[int, KeyNeed] = {}
        """Needs that wait for keys, by number."""
        self.hidden: set[int] = set()
        """Cards that may still be in a slot that has not been opened to everybody."""
        self.inputs: list[Input] = []
        self.nothing_to_draw = False
        """Whether no card can be drawn, not even after a shuffle."""
        self.draw_change_entry = -1
        """Number of the last entry that changed `nothing_to_draw`."""
        self.earliest_heads: dict[type, int] = {}
        """By kind of act that is legal at any time: the number of the entry that its author must
        hold at least."""
        self.shown: list[ShownHand] = []
        """Hands that were shown or given away, in order."""
        self.moves: dict[int, Move] = {}
        """Given-away hands whose keys are still owed, by number of the move."""
        self.moves_made = 0
        """Number of hands that have changed owners so far."""
        self.halts: dict[int, tuple[HaltReason, int]] = {}
        """By seat that halted the round: the reason and the entry number."""
        self.reveals: dict[int, bodies.Reveal] = {}
        self.reveal_entries: dict[int, int] = {}
        self.attests: dict[int, tuple[int, ...]] = {}
        self.attest_entries: dict[int, int] = {}
        self.attest_heads: dict[int, int] = {}
        """By seat: the number of the last entry that it held when it attested. Its attestation does
        not cover later entries."""
        self.dropped_in_reveal: dict[int, int] = {}
        """Seats dropped while only their seeds were missing, and the number of the Drop entry."""
        self.result: RoundResult | DealerResult | None = None
        self.reveal_hash = b""
        """Hash of the entry that completed the reveal; attestations name it."""
        self.lost: set[int] = set()
        """Seats of this round that were dropped."""
        self.drop_hashes: dict[int, bytes] = {}
        """By lost seat: hash of its Drop entry."""
        self.dropped_by: dict[int, int] = {}
        """Seats that a host dropped without a signed Leave as the reason, and that host."""
        self.disputed_drops: set[tuple[int, int]] = set()
        """(dropped owner, host that dropped it), if the round is void and they contradict each
        other: the owner could be reached, or only the host says that its seeds never came."""
        self.dropped_in_play: set[int] = set()
        """Seats that were dropped before the attestations began."""
        self.clock_turns: dict[int, set[int]] = {}
        """By seat: the numbers of its turns in which the clock made a decision."""
        self.clock_acts: tuple[ClockAct, ...] = ()
        """Acts of the clock that decided something, once all hands are known."""
        self.recovering: dict[int, dict[int, bytes]] = {}
        """Lost seats whose seed is being recovered, and the published shares by receiver."""
        self.recovered: dict[int, RoundSecrets] = {}
        """Lost seats whose seed was rebuilt from its shares."""
        self.departed: set[int] = set()
        """Recovered seats without which the game continued."""
        self.voided_by: set[int] = set()
        """Owners against whom the round counts, if it is void: they are gone, and their seeds or
        their hands are missing."""
        self._owners = owners
        self.filled = dict(filled)
        """Seats in which a bot fills in for an absent player, and the owner of the bot."""

    def new_engine(self) -> Round | DealerRound:
        """Return a new rules engine for this round, at its start."""
        rules = self.roster.ruleset
        if self.dealer is None:
            return DealerRound(rules, self.seats)
        return Round(rules, self.seats, self.dealer)

    # ---- owners and shares ------------------------------------------------------------------

    @property
    def escrowed(self) -> bool:
        """Whether the seats of this round split their seeds among the other owners."""
        return len({self._owners[seat] for seat in self.seats}) >= ESCROW_FROM_OWNERS

    @property
    def dealing_seats(self) -> tuple[int, ...]:
        """The seats that mask and lock a new deal, in genesis order."""
        return tuple([seat for seat in self.order if seat not in self.departed])

    def owner_of(self, seat: int) -> int:
        """Return the seat of the person who owns a seat in this round."""
        return self._owners[seat]

    def responsible_player(self, seat: int) -> int:
        """Return the player to blame for what a seat signs; if a bot fills in, its owner."""
        return self.filled.get(seat, seat)

    def remaining_owners(self) -> frozenset[int]:
        """Return the owners of this round's seats that were not dropped."""
        return frozenset(self._owners[seat] for seat in self.seats if seat not in self.lost)

    def missing_shares(self, of: int) -> tuple[int, ...]:
        """Return the seats that must still publish their share of a lost seat's seed."""
        out = self.recovering[of]
        receivers = self.share_receivers(of)
        return tuple(
            [seat for seat in receivers if seat not in out and not self.has_known_box_keys(seat)]
        )

    @property
    def void_without(self) -> tuple[tuple[int, bool], ...]:
        """The owners for whose absence the round is void, and whether each signed a Leave."""
        if self.void is not VoidReason.LOST:
            return ()
        owners = self.voided_by | {owner for owner, _ in self.disputed_drops}
        return tuple((owner, owner not in self.dropped_by) for owner in sorted(owners))

    def can_judge_halt(self, seat: int) -> bool:
        """Whether this seat's seeds cannot keep the audit from judging its halt.

        Shares give the round seed of a lost seat, but not the view seed, which opens boxes.
        """
        got_box = any(shown.to == seat for shown in self.shown)
        known = seat in self.reveals or (seat in self.recovered and not got_box)
        return known or seat not in self.commits

    def has_known_box_keys(self, seat: int) -> bool:
        """Whether a seat is lost but its box keys are known, because it revealed correct seeds.

        Box keys follow from the view seed, which is not in escrow: only the seat's Reveal gives it.
        """
        return seat in self.lost and seat in self.reveals and self.revealed(seat) is not None

    def committed_to(self, seat: int, secrets: RoundSecrets) -> bool:
        """Whether these secrets have the round seed to which a seat committed."""
        return self.commits[seat].seed == secrets.commitment()

    def known_secrets(self) -> dict[int, RoundSecrets]:
        """Return the secrets of every seat whose seed is known and matches its commitment."""
        return self.recovered | {seat: right[0] for seat, right in self.revealed_seeds().items()}

    def revealed_seeds(self) -> dict[int, tuple[RoundSecrets, ViewSecrets]]:
        """Return the secrets of every seat whose Reveal matches all its commitments."""
        found = {seat: self.revealed(seat) for seat in sorted(self.reveals)}
        return {seat: right for seat, right in found.items() if right is not None}

    def share_receivers(self, seat: int) -> tuple[int, ...]:
        """Return the seats that get a share of this seat's seed: one per other owner, rising.

        An owner receives at its own seat or, if that does not play in this round, at the first of
        its bots.
        """
        own = self._owners[seat]
        found: dict[int, int] = {}
        for other in self.order:
            owner = self._owners[other]
            if owner != own and (owner not in found or other == owner):
                found[owner] = other
        return tuple(sorted(found.values()))

    def givers(self, seat: int) -> tuple[int, ...]:
        """Return the seats that give this seat a share of their seed, rising."""
        if not self.escrowed:
            return ()
        return tuple([other for other in self.order if seat in self.share_receivers(other)])

    def box_of(self, to: int, giver: int) -> bytes:
        """Return the public key to which `giver` seals its share for `to`."""
        return self.commits[to].boxes[self.givers(to).index(giver)]

    def has_masked(self, seat: int) -> bool:
        """Whether a seat has done a step in any deal of this round."""
        return any(taken.seat == seat for deal in self.deals for taken in deal.accepted)

    def read_share(self, of: int, to: int, box_private: bytes) -> bytes | None:
        """Return the share of `of`'s seed that was sealed to `to`; None if it is wrong."""
        place = self.share_receivers(of).index(to)
        escrow = self.escrows[of]
        info = seal_info(self.table_id, self.open_hash, of, to, ESCROW)
        try:
            share = unseal(escrow.sealed[place], box_private, info)
        except DealingError:
            return None
        return share if check_share(share, escrow.hashes[place], self.context(of), to) else None

    # ---- seeds ------------------------------------------------------------------------------

    def context(self, seat: int) -> RoundContext:
        """Return the context to which a seat's secrets and commitments of this round are bound."""
        return RoundContext(self.table_id, self.open_hash, seat, self.roster.seats[seat].identity)

    def revealed(self, seat: int) -> tuple[RoundSecrets, ViewSecrets] | None:
        """Return the secrets of a seat's revealed seeds; None if it committed to others."""
        reveal = self.reveals[seat]
        secrets = RoundSecrets(reveal.seed, self.context(seat))
        view = ViewSecrets(reveal.view, self.context(seat))
        same = astuple(self.commits[seat]) == commitments(secrets, view, self.givers(seat))
        return (secrets, view) if same else None

    # ---- what is due ------------------------------------------------------------------------

    def missing(self) -> tuple[int, ...]:
        """Return the seats that have not done their part of the present phase; none in play."""
        parts: dict[ProtocolPhase, Mapping[int, object]] = {
            ProtocolPhase.COMMIT: self.commits,
            ProtocolPhase.ESCROW: self.escrows,
            ProtocolPhase.REVEAL: self.reveals,
            ProtocolPhase.ATTEST: self.attests,
        }
        if self.phase not in parts:
            return ()
        done = parts[self.phase]
        due = sorted(self.commits) if self.phase is ProtocolPhase.REVEAL else self.order
        return tuple(seat for seat in due if seat not in done and seat not in self.lost)

    def require_step(self, phase: ProtocolPhase, seat: int, done: Mapping[int, object]) -> None:
        """Refuse a step that this seat has done, or that belongs to another phase."""
        if seat in done:
            raise BodyRefused(RefusalReason.ALREADY_DONE)
        if self.phase is not phase:
            raise BodyRefused(RefusalReason.NOT_NOW)

    @property
    def deal(self) -> Deal | None:
        """The deal under way, if any."""
        if self.phase is not ProtocolPhase.PLAY or not self.deals or self.deals[-1].done:
            return None
        return self.deals[-1]

    def step_entry(self, number: int, fault: DealFault) -> int:
        """Return the number of the entry that holds the faulty step of a deal."""
        steps = zip(self.deals[number].accepted, self.deal_entries[number], strict=True)
        wanted = (fault.kind, fault.seat)
        return next(entry for taken, entry in steps if (taken.kind, taken.seat) == wanted)

    def can_read_hand(self, seat: int) -> bool:
        """Whether a seat can read its hand: it waits for no keys, and no moved hand is pending."""
        return all(need.to != seat for need in self.needs.values()) and not self.moves

    def key_owner(self, slot: int, holder: int) -> int:
        """Return the seat that holds the last key of a slot in a hand: it was first dealt it."""
        if not isinstance(self.engine, Round):
            return holder
        return self.engine.first_owner.get(slot, holder)

    # ---- state ------------------------------------------------------------------------------

    def public_state(self) -> tuple[object, ...]:
        """Return the public state of the round as canonical tuples, for the state hash."""
        deal = self.deal
        return (
            self.number,
            self.phase,
            self.void,
            tuple(sorted(self.commits)),
            tuple(sorted(self.escrows)),
            (len(self.deals), 0 if deal is None else len(deal.accepted)),
            tuple((need.number, tuple(sorted(need.waiting))) for need in self.needs.values()),
            tuple(sorted(self.reveals)),
            tuple(sorted(self.attests.items())),
            tuple(sorted(self.lost)),
            tuple((seat, tuple(sorted(out))) for seat, out in sorted(self.recovering.items())),
            tuple(sorted(self.recovered)),
            (self.moves_made, tuple(sorted(self.moves))),
            self.engine.public_state(),
        )
