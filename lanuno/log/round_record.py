"""What the log says about one round so far: its fields, and questions about them.

Here: the public state that all the rooms of a round share, and readings of it that change nothing.
Not here: what a payload may do, and what follows from it (`preparation.py`, `shuffling.py`,
`acting.py`, `closing.py`; `round_log.py` is the door to all of them). Nothing here holds a secret
that is not published in the log.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

from lanuno.dealing.deal import Deal, DealFault
from lanuno.dealing.errors import DealingError
from lanuno.dealing.escrow import check_share
from lanuno.dealing.sealing import seal_info, unseal
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets, commitments
from lanuno.dealing.slots import SlotTable
from lanuno.log import bodies
from lanuno.log.bodies import HaltReason
from lanuno.log.faults import Blame, BodyRefused, Refusal, VoidReason
from lanuno.log.genesis import Roster
from lanuno.rules.actions import Action
from lanuno.rules.dealer import DealerRound
from lanuno.rules.engine import Round
from lanuno.rules.manners import Matter
from lanuno.rules.results import DealerResult, RoundResult

ESCROW_FROM_OWNERS = 4
"""With fewer owners a share would give a single other owner too much of the seed."""

ESCROW = "escrow"
"""Purpose of the seal around a share."""


class Phase(IntEnum):
    """Where a round stands."""

    COMMIT = 0
    ESCROW = 1
    PLAY = 2
    """Shuffling, unlocking and playing: what is due follows from the deal, needs and engine."""
    REVEAL = 3
    ATTEST = 4
    DONE = 5


@dataclass(slots=True)
class Need:
    """Slots that somebody must be able to read, and whose keys for them are still missing."""

    number: int
    slots: tuple[int, ...]
    to: int | None
    """The receiving seat, or None for everybody."""
    waiting: set[int]
    """Seats that have not published their keys."""
    heir: int | None = None
    """While hands move: who will be the receiver."""


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that was shown or given away, as its owner sealed it to the receiver."""

    entry: int
    seat: int
    to: int
    slots: tuple[int, ...]
    purpose: str
    """Purpose of the seal: that of a challenge, or that of a move."""
    sealed: bytes
    challenge: bool = False
    """Whether a challenge asked for it."""


@dataclass(frozen=True, slots=True)
class Move:
    """A hand that changed owners, whose keys its giver still owes to the receiver."""

    number: int
    seat: int
    """The giver."""
    to: int
    slots: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat, or the clock for it, acted."""

    entry: int
    seat: int
    action: Action
    by_clock: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A slot was opened to everybody."""

    entry: int
    slot: int
    card: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The time for objections or a vote was up."""

    entry: int
    matter: Matter


@dataclass(frozen=True, slots=True)
class ShuffleDone:
    """A deal was finished."""

    entry: int
    deal: int


@dataclass(frozen=True, slots=True)
class LeftRound:
    """The game goes on without a seat whose keys everybody knows."""

    entry: int
    seat: int


Input = Acted | Opened | Settled | ShuffleDone | LeftRound
"""What the engine was fed, in order, so that the audit can feed it the same again."""


class RoundRecord:
    """The present round of a table. The attributes are for reading from outside its rooms."""

    def __init__(
        self,
        table_id: bytes,
        roster: Roster,
        owners: tuple[int, ...],
        filled: Mapping[int, int],
        opened: bodies.Open,
    ) -> None:
        """Begin a round that the replay has found to be the right one.

        `owners`: for every seat, that of the person on whose computer it is played. `filled`: the
        same for seats whose own players are away and for whom a bot plays.
        """
        self.table_id = table_id
        self.roster = roster
        self.number = opened.number
        self.kind = opened.kind
        self.seats = opened.seats
        self.order = tuple(sorted(opened.seats))
        """Genesis order: in which seats mask and lock."""
        self.dealer = opened.dealer
        self.open_hash = b""
        """Hash of the Open entry, which every secret of the round is bound to."""
        self.engine = self.new_engine()
        self.phase = Phase.COMMIT
        self.void: VoidReason | None = None
        self.faults: list[Blame] = []
        """What the log proved by itself, before any audit."""
        self.commits: dict[int, bodies.Commit] = {}
        self.escrows: dict[int, bodies.Escrow] = {}
        self.escrow_entries: dict[int, int] = {}
        self.deals: list[Deal] = []
        self.deal_entries: list[list[int]] = []
        """For each deal: the entry of each accepted step."""
        self.slots = SlotTable()
        self.needs: dict[int, Need] = {}
        """Needs for which keys are missing, by number."""
        self.hidden: set[int] = set()
        """Cards that may still be in a slot that nobody has opened for all."""
        self.inputs: list[Input] = []
        self.stock_empty = False
        """Whether nothing is left to draw, not even after a shuffle."""
        self.stock_entry = -1
        """The last entry that changed this."""
        self.matters: dict[type, int] = {}
        """By kind of act that is legal at any time: the entry that it can only follow."""
        self.shown: list[ShownHand] = []
        """Hands shown and given away, in order."""
        self.moves: dict[int, Move] = {}
        """Hands given away whose keys are still owed, by number."""
        self.moves_made = 0
        """How many hands have changed owners so far."""
        self.halts: dict[int, tuple[HaltReason, int]] = {}
        """Who halted the round, why, and in which entry."""
        self.reveals: dict[int, bodies.Reveal] = {}
        self.reveal_entries: dict[int, int] = {}
        self.attests: dict[int, tuple[int, ...]] = {}
        self.attest_entries: dict[int, int] = {}
        self.attest_heads: dict[int, int] = {}
        """The last entry that each held when it attested: of a later one it says nothing."""
        self.withheld: dict[int, int] = {}
        """Seats dropped while only their seeds were missing, and the entry that says so."""
        self.result: RoundResult | DealerResult | None = None
        self.last_head = b""
        """Hash of the entry with which everything that can come out was out."""
        self.lost: set[int] = set()
        """Seats of this round that were dropped."""
        self.drop_hashes: dict[int, bytes] = {}
        """For each of them: hash of the entry that says so."""
        self.dropped_by: dict[int, int] = {}
        """Those of them whom the host dropped by its word alone, and who was the host."""
        self.denied: set[tuple[int, int]] = set()
        """Owners that were there all the same, and the host that dropped them: the round is void
        because of it."""
        self.missed: set[int] = set()
        """Those that were dropped before all was played and opened."""
        self.clocked: dict[int, set[int]] = {}
        """By seat: its turns in which the clock decided something, by their number."""
        self.recovering: dict[int, dict[int, bytes]] = {}
        """Lost seats whose seed is being put together, and the shares that are out, by giver."""
        self.recovered: dict[int, RoundSecrets] = {}
        """Lost seats whose seed is known from its shares."""
        self.departed: set[int] = set()
        """Those of them without whom the game went on."""
        self.spoilers: set[int] = set()
        """Owners whose leaving made the round void."""
        self._owners = owners
        self.filled = dict(filled)
        """Seats whose players are away and for whom a bot plays, and the owner of that bot."""

    def new_engine(self) -> Round | DealerRound:
        """The rules' engine of this round, at its start."""
        rules = self.roster.ruleset
        if self.dealer is None:
            return DealerRound(rules, self.seats)
        return Round(rules, self.seats, self.dealer)

    # ---- owners and shares ------------------------------------------------------------------

    @property
    def escrowed(self) -> bool:
        """Whether seeds are split among the owners in this round."""
        return len({self._owners[seat] for seat in self.seats}) >= ESCROW_FROM_OWNERS

    @property
    def dealing(self) -> tuple[int, ...]:
        """The seats that mask and lock a new deal, in genesis order."""
        return tuple([seat for seat in self.order if seat not in self.departed])

    def owner_of(self, seat: int) -> int:
        """The seat of the person who owns a seat in this round."""
        return self._owners[seat]

    def answers_for(self, seat: int) -> int:
        """The player who is to blame for what a seat signs: where a bot fills in, its owner."""
        return self.filled.get(seat, seat)

    def owners_here(self) -> frozenset[int]:
        """The owners of this round's seats that were not dropped."""
        return frozenset(self._owners[seat] for seat in self.seats if seat not in self.lost)

    def missing_shares(self, of: int) -> tuple[int, ...]:
        """Seats that still have to publish their share of a lost seat's seed."""
        out = self.recovering[of]
        receivers = self.share_receivers(of)
        return tuple([seat for seat in receivers if seat not in out and not self.opens_boxes(seat)])

    def opens_boxes(self, seat: int) -> bool:
        """Whether a seat is gone, but everybody knows its box keys, from seeds that are right.

        They follow from its view seed, which only its own Reveal gives: no shares bring it back.
        """
        return seat in self.lost and seat in self.reveals and self.revealed(seat) is not None

    def committed_to(self, seat: int, secrets: RoundSecrets) -> bool:
        """Whether a seat's commitment is to this round seed."""
        return self.commits[seat].seed == secrets.commitment()

    def known_secrets(self) -> dict[int, RoundSecrets]:
        """The secrets of every seat whose seed is out and is the one that it committed to."""
        return self.recovered | {seat: right[0] for seat, right in self._revealed()}

    def known_views(self) -> dict[int, ViewSecrets]:
        """The secrets of every seat whose Reveal gives all that it committed to."""
        return {seat: right[1] for seat, right in self._revealed()}

    def _revealed(self) -> Iterator[tuple[int, tuple[RoundSecrets, ViewSecrets]]]:
        for seat in self.reveals:
            right = self.revealed(seat)
            if right is not None:
                yield seat, right

    def share_receivers(self, seat: int) -> tuple[int, ...]:
        """The seats that get a share of this seat's seed: one for every other owner, rising.

        The owner's own seat, or where that does not play in this round the first of its bots.
        """
        own = self._owners[seat]
        found: dict[int, int] = {}
        for other in self.order:
            owner = self._owners[other]
            if owner != own and (owner not in found or other == owner):
                found[owner] = other
        return tuple(sorted(found.values()))

    def givers(self, seat: int) -> tuple[int, ...]:
        """The seats that give this one a share of their seed, rising."""
        if not self.escrowed:
            return ()
        return tuple([other for other in self.order if seat in self.share_receivers(other)])

    def box_of(self, to: int, giver: int) -> bytes:
        """The public key to which one seat seals its share for another."""
        return self.commits[to].boxes[self.givers(to).index(giver)]

    def has_masked(self, seat: int) -> bool:
        """Whether a seat has taken a step in any deal of this round."""
        return any(taken.seat == seat for deal in self.deals for taken in deal.taken)

    def read_share(self, of: int, to: int, box_private: bytes) -> bytes | None:
        """The share of a seat's seed that was sealed to another; None if it is not right."""
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
        """What a seat's secrets and commitments of this round are bound to."""
        return RoundContext(self.table_id, self.open_hash, seat, self.roster.seats[seat].identity)

    def revealed(self, seat: int) -> tuple[RoundSecrets, ViewSecrets] | None:
        """A seat's secrets, from the seeds it revealed; None if it committed to others."""
        reveal, said = self.reveals[seat], self.commits[seat]
        secrets = RoundSecrets(reveal.seed, self.context(seat))
        view = ViewSecrets(reveal.view, self.context(seat))
        right = commitments(secrets, view, self.givers(seat))
        same = (said.seed, said.view, said.boxes, said.view_key) == (
            right.seed,
            right.view,
            right.box_keys,
            right.view_key,
        )
        return (secrets, view) if same else None

    # ---- what is due ------------------------------------------------------------------------

    def missing(self) -> tuple[int, ...]:
        """Seats that have not done their part of the present phase (play aside)."""
        done: Mapping[int, object]
        match self.phase:
            case Phase.COMMIT:
                due, done = self.order, self.commits
            case Phase.ESCROW:
                due, done = self.order, self.escrows
            case Phase.REVEAL:
                due, done = tuple(sorted(self.commits)), self.reveals
            case Phase.ATTEST:
                due, done = self.order, self.attests
            case _:
                return ()
        return tuple(seat for seat in due if seat not in done and seat not in self.lost)

    def expect(self, phase: Phase, seat: int, done: Mapping[int, object]) -> None:
        """Refuse a step that this seat has done, or that another phase asks for."""
        if seat in done:
            raise BodyRefused(Refusal.ALREADY_DONE)
        if self.phase is not phase:
            raise BodyRefused(Refusal.NOT_NOW)

    @property
    def deal(self) -> Deal | None:
        """The deal that is being shuffled now, if any."""
        if self.phase is not Phase.PLAY or not self.deals or self.deals[-1].done:
            return None
        return self.deals[-1]

    def step_entry(self, number: int, fault: DealFault) -> int:
        """The entry that holds the faulty step of a deal."""
        steps = zip(self.deals[number].taken, self.deal_entries[number], strict=True)
        wanted = (fault.kind, fault.seat)
        return next(entry for taken, entry in steps if (taken.kind, taken.seat) == wanted)

    def hides(self, card: int) -> bool:
        """Whether a card may still be in a slot that nobody has opened for all."""
        return card in self.hidden

    def reads_its_cards(self, seat: int) -> bool:
        """Whether all keys for what this seat holds are out, so that it can know its hand."""
        return all(need.to != seat for need in self.needs.values()) and not self.moves

    def key_owner(self, slot: int, holder: int) -> int:
        """Whose key is the last one of a slot in a hand: the seat that it was first dealt to."""
        if not isinstance(self.engine, Round):
            return holder
        return self.engine.first_owner.get(slot, holder)

    # ---- state ------------------------------------------------------------------------------

    def public(self) -> tuple[object, ...]:
        """The spectator's whole view of the round, canonical, for the state hash."""
        deal = self.deal
        return (
            self.number,
            self.phase,
            self.void,
            tuple(sorted(self.commits)),
            tuple(sorted(self.escrows)),
            (len(self.deals), 0 if deal is None else len(deal.taken)),
            tuple((need.number, tuple(sorted(need.waiting))) for need in self.needs.values()),
            tuple(sorted(self.reveals)),
            tuple(sorted(self.attests.items())),
            tuple(sorted(self.lost)),
            tuple((seat, tuple(sorted(out))) for seat, out in sorted(self.recovering.items())),
            tuple(sorted(self.recovered)),
            (self.moves_made, tuple(sorted(self.moves))),
            self.engine.public(),
        )
