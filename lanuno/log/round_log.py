"""One round as the log tells it, from its Open to its last attestation: public state only.

Here lives what each payload may do at which point of a round, and what follows from it. The rules
of the game are the engine's (`lanuno.rules`), the algebra is `lanuno.dealing`'s; this file ties
slots, keys and turns together. Nothing here holds a secret that is not published in the log, and
every method either refuses before it changes anything or takes effect completely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum

from lanuno.dealing.deal import Deal
from lanuno.dealing.errors import DealingError
from lanuno.dealing.escrow import check_share
from lanuno.dealing.sealing import box_public, check_box_public, seal_info, unseal
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets
from lanuno.dealing.slots import SlotTable
from lanuno.dealing.verify import dealt_cards
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, HaltReason, Payload
from lanuno.log.faults import Blame, BodyRefused, Fault, Refusal
from lanuno.log.genesis import Roster
from lanuno.rules.actions import ANY_TIME, Action, Play, Show
from lanuno.rules.dealer import DealerRound
from lanuno.rules.engine import Round
from lanuno.rules.errors import RulesError
from lanuno.rules.events import OpenNeeded, ShuffleNeeded
from lanuno.rules.match import Match
from lanuno.rules.results import DealerResult, RoundResult

ESCROW_FROM_OWNERS = 4
"""With fewer owners a share would give a single other owner too much of the seed."""

Event = object
"""An event of the log (`lanuno.log.events`) or of the rules (`lanuno.rules.events`)."""


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


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand that was shown: what the audit checks when the view seed is out."""

    entry: int
    seat: int
    to: int
    slots: tuple[int, ...]
    sealed: bytes


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat, or the clock for it, acted."""

    entry: int
    seat: int
    action: Action
    by_clock: bool


@dataclass(frozen=True, slots=True)
class Opened:
    """A slot was turned face up for everybody."""

    entry: int
    slot: int
    card: int


@dataclass(frozen=True, slots=True)
class ShuffleDone:
    """A deal was finished."""

    entry: int
    deal: int


Input = Acted | Opened | ShuffleDone
"""What the engine was fed, in order, so that the audit can feed it the same again."""


class RoundLog:
    """The present round of a table."""

    def __init__(self, table_id: bytes, roster: Roster, opened: bodies.Open, match: Match) -> None:
        """Begin a round that the replay has found to be the right one."""
        self.table_id = table_id
        self.roster = roster
        self.number = opened.number
        self.kind = opened.kind
        self.seats = opened.seats
        self.order = tuple(sorted(opened.seats))
        """Genesis order: in which seats mask and lock."""
        self.dealer = opened.dealer
        self.open_hash = b""
        self.match = match.copy()
        """The match as it stood when the round opened, for the audit."""
        self.engine = self.new_engine()
        self.phase = Phase.COMMIT
        self.void = ""
        """Why the round is void; empty if it is not."""
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
        self.inputs: list[Input] = []
        self.shown: list[ShownHand] = []
        self.halts: dict[int, tuple[HaltReason, int]] = {}
        """Who halted the round, why, and in which entry."""
        self.reveals: dict[int, bodies.Reveal] = {}
        self.reveal_entries: dict[int, int] = {}
        self.attests: dict[int, tuple[int, ...]] = {}
        self.attest_entries: dict[int, int] = {}
        self.withheld: dict[int, int] = {}
        """Seats dropped while only their seeds were missing, and the entry that says so."""
        self.result: RoundResult | DealerResult | None = None
        self.last_head = b""
        """Hash of the entry with which everything that can come out was out."""
        self.lost: set[int] = set()
        self._hidden: set[int] = set()
        self._owner_seats = owner_seats(roster)

    def new_engine(self) -> Round | DealerRound:
        """The rules' engine of this round, at its start."""
        rules = self.roster.ruleset
        if self.dealer is None:
            return DealerRound(rules, self.seats)
        return Round(rules, self.seats, self.dealer)

    # ---- identities and owners --------------------------------------------------------------

    def context(self, seat: int) -> RoundContext:
        """What a seat's secrets and commitments of this round are bound to."""
        return RoundContext(self.table_id, self.open_hash, seat, self.roster.seats[seat].identity)

    @property
    def escrowed(self) -> bool:
        """Whether seeds are split among the owners in this round."""
        return len({self._owner_seats[seat] for seat in self.seats}) >= ESCROW_FROM_OWNERS

    def share_receivers(self, seat: int) -> tuple[int, ...]:
        """The seats of all other owners, who get a share of this seat's seed."""
        owners = {self._owner_seats[other] for other in self.seats}
        return tuple(sorted(owners - {self._owner_seats[seat]}))

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

    @property
    def deal(self) -> Deal | None:
        """The deal that is being shuffled now, if any."""
        if self.phase is not Phase.PLAY or not self.deals or self.deals[-1].done:
            return None
        return self.deals[-1]

    # ---- entries ----------------------------------------------------------------------------

    def entry_is(self, entry_hash: bytes) -> None:
        """Learn the hash of the entry that was just taken: later steps are bound to some."""
        if not self.open_hash:
            self.open_hash = entry_hash
        if self.phase is Phase.ATTEST and not self.last_head:
            self.last_head = entry_hash

    def take(self, seat: int, payload: Payload, entry: int) -> list[Event]:
        """Let a seat's payload (HOST for the clock's) take effect; raises `BodyRefused`."""
        if seat != HOST and seat not in self.seats:
            raise BodyRefused(Refusal.NOT_A_SEAT, "does not play in this round")
        match payload:
            case bodies.Commit():
                return self._commit(seat, payload, entry)
            case bodies.Escrow():
                return self._escrow(seat, payload, entry)
            case bodies.Complain():
                return self._complain(seat, payload, entry)
            case bodies.Pass():
                return self._pass(seat, payload, entry)
            case bodies.Unlock():
                return self._unlock(seat, payload, entry)
            case bodies.Act():
                return self._act(seat, payload, entry)
            case bodies.TimeOut():
                return self._time_out(payload, entry)
            case bodies.Halt():
                return self._halt(seat, payload, entry)
            case bodies.Reveal():
                return self._reveal(seat, payload, entry)
            case bodies.Attest():
                return self._attest(seat, payload, entry)
            case _:
                raise BodyRefused(Refusal.NOT_NOW)

    def drop(self, seat: int, entry: int) -> list[Event]:
        """Go on without a seat: a round whose seeds cannot all come out is void."""
        if seat not in self.seats or self.phase is Phase.DONE:
            return []
        if self.phase is Phase.REVEAL and seat in self.missing():
            self.withheld[seat] = entry
        self.lost.add(seat)
        if self.phase < Phase.REVEAL or (self.phase is Phase.REVEAL and seat not in self.reveals):
            return self._void("a seat was lost")
        return []

    def convict(self, fault: Fault, seat: int, entry: int, detail: str) -> list[Event]:
        """Note a fault that the log itself proves; the round is void."""
        blame = Blame(seat, fault, self.number, entry, detail)
        self.faults.append(blame)
        return [events.FaultFound(blame), *self._void(fault.value)]

    def _void(self, why: str) -> list[Event]:
        """Go straight to the reveal; what was played counts for nothing."""
        happened: list[Event] = []
        if not self.void:
            self.void = why
            happened.append(events.RoundVoided(self.number, why))
        self.needs.clear()
        self.phase = max(self.phase, Phase.REVEAL)
        return happened + self._all_out()

    def _expect(self, phase: Phase, seat: int, done: Mapping[int, object]) -> None:
        if seat in done:
            raise BodyRefused(Refusal.ALREADY_DONE)
        if self.phase is not phase:
            raise BodyRefused(Refusal.NOT_NOW)

    # ---- commit and escrow ------------------------------------------------------------------

    def _commit(self, seat: int, payload: bodies.Commit, entry: int) -> list[Event]:
        self._expect(Phase.COMMIT, seat, self.commits)
        copied = any(_values(payload) & _values(other) for other in self.commits.values())
        weak = not (check_box_public(payload.box) and check_box_public(payload.view_key))
        self.commits[seat] = payload
        happened: list[Event] = [events.StepDone(seat, "commit")]
        if copied or weak:
            detail = "copied from another seat" if copied else "a key nothing can be sealed to"
            return happened + self.convict(Fault.BAD_COMMITMENT, seat, entry, detail)
        if not self.missing():
            if self.escrowed:
                self.phase = Phase.ESCROW
            else:
                happened += self._begin_play()
        return happened

    def _escrow(self, seat: int, payload: bodies.Escrow, entry: int) -> list[Event]:
        self._expect(Phase.ESCROW, seat, self.escrows)
        receivers = len(self.share_receivers(seat))
        if not len(payload.sealed) == len(payload.hashes) == receivers:
            raise BodyRefused(Refusal.WRONG_SHAPE, "one share for every other owner")
        self.escrows[seat] = payload
        self.escrow_entries[seat] = entry
        happened: list[Event] = [events.StepDone(seat, "escrow")]
        if not self.missing():
            happened += self._begin_play()
        return happened

    def _complain(self, seat: int, payload: bodies.Complain, entry: int) -> list[Event]:
        """Settle a complaint: whoever is wrong, author of the share or complainer, is named."""
        masked = any(taken.seat == seat for deal in self.deals for taken in deal.taken)
        if payload.of not in self.escrows or self.phase > Phase.PLAY or masked:
            raise BodyRefused(Refusal.NOT_NOW)
        if seat not in self.share_receivers(payload.of):
            raise BodyRefused(Refusal.NOT_A_SEAT, "no share of that seed is for this seat")
        if box_public(payload.box_private) != self.commits[seat].box:
            return self.convict(Fault.FALSE_HALT, seat, entry, "not the private box key")
        if self.read_share(payload.of, seat, payload.box_private) is None:
            return self.convict(Fault.BAD_SHARE, payload.of, entry, "a share that is not right")
        return self.convict(Fault.FALSE_HALT, seat, entry, "the share is right")

    def read_share(self, of: int, to: int, box_private: bytes) -> bytes | None:
        """The share of a seat's seed that was sealed to another; None if it is not right."""
        place = self.share_receivers(of).index(to)
        escrow = self.escrows[of]
        info = seal_info(self.table_id, self.open_hash, of, to, "escrow")
        try:
            share = unseal(escrow.sealed[place], box_private, info)
        except DealingError:
            return None
        return share if check_share(share, escrow.hashes[place], self.context(of), to) else None

    # ---- shuffling and unlocking ------------------------------------------------------------

    def _begin_play(self) -> list[Event]:
        self.phase = Phase.PLAY
        return self._follow_engine(self.engine.start())

    def _pass(self, seat: int, payload: bodies.Pass, entry: int) -> list[Event]:
        deal = self.deal
        if deal is None or deal.number != payload.deal or deal.expected is None:
            raise BodyRefused(Refusal.NOT_NOW)
        kind, turn = deal.expected
        if turn != seat:
            raise BodyRefused(Refusal.NOT_NOW, "another seat's turn in this pass")
        happened: list[Event] = [events.StepDone(seat, kind.value)]
        fault = deal.accept_packed(seat, payload.points, payload.keys)
        if fault is not None:
            return happened + self.convict(Fault(fault.name), seat, entry, fault.flaw.value)
        self.deal_entries[-1].append(entry)
        if deal.done:
            self.slots.add(deal)
            self.inputs.append(ShuffleDone(entry, deal.number))
            happened.append(events.DeckReady(deal.number, deal.size))
            happened += self._follow_engine(self.engine.shuffled())
        return happened

    def _unlock(self, seat: int, payload: bodies.Unlock, entry: int) -> list[Event]:
        wanted = [keys.need for keys in payload.lists]
        if self.phase is not Phase.PLAY or len(set(wanted)) != len(wanted):
            raise BodyRefused(Refusal.NOT_NOW)
        for keys in payload.lists:
            need = self.needs.get(keys.need)
            if need is None or seat not in need.waiting:
                raise BodyRefused(Refusal.ALREADY_DONE, "no such need of this seat")
            if len(keys.keys) != 32 * len(need.slots):
                raise BodyRefused(Refusal.WRONG_SHAPE, "one key for every slot")
        met: list[Need] = []
        for keys in payload.lists:
            need = self.needs[keys.need]
            for place, slot in enumerate(need.slots):
                key = keys.keys[32 * place : 32 * place + 32]
                if not self.slots.release(seat, slot, key):
                    detail = f"the key of slot {slot} is another"
                    return self.convict(Fault.BAD_KEY, seat, entry, detail)
            need.waiting.discard(seat)
            if not need.waiting:
                met.append(self.needs.pop(need.number))
        happened: list[Event] = []
        for need in met:
            if need.to is not None:
                happened.append(events.HandUnlocked(need.number, need.to, need.slots))
                continue
            for slot in need.slots:
                if self.phase is Phase.PLAY:
                    happened += self._open(slot, entry)
        return happened

    def _open(self, slot: int, entry: int) -> list[Event]:
        """Turn a slot face up, now that all keys are known."""
        card = self.slots.open(slot)
        if card is None or card not in self._hidden:
            return self._void(f"slot {slot} opens to no card that can be there")
        self._hidden.discard(card)
        self.inputs.append(Opened(entry, slot, card))
        return self._follow_engine(self.engine.opened(slot, card))

    def _follow_engine(self, happened: Sequence[Event]) -> list[Event]:
        """Carry out what the engine asks for; pass its events on."""
        for event in happened:
            match event:
                case ShuffleNeeded():
                    self._new_deal(event)
                case OpenNeeded():
                    waiting = {seat for seat in self.order if seat != event.to}
                    self.needs[event.need] = Need(event.need, event.slots, event.to, waiting)
        if self.engine.over and self.phase is Phase.PLAY:
            self.needs.clear()
            self.phase = Phase.REVEAL
        return list(happened)

    def _new_deal(self, event: ShuffleNeeded) -> None:
        self._hidden.update(event.cards)
        self.deals.append(
            Deal(
                event.deal,
                self.roster.ruleset.deck,
                event.cards,
                self.order,
                locked=self.slots.locked(event.slots, self.order),
                first_slot=event.first_slot,
            )
        )
        self.deal_entries.append([])

    def hides(self, card: int) -> bool:
        """Whether a card may still be in a slot that nobody has opened for all."""
        return card in self._hidden

    # ---- acting -----------------------------------------------------------------------------

    def _act(self, seat: int, payload: bodies.Act, entry: int) -> list[Event]:
        engine, action = self.engine, payload.action
        if self.phase is not Phase.PLAY or not isinstance(engine, Round):
            raise BodyRefused(Refusal.NOT_NOW)
        current = payload.decision == engine.decision
        late = isinstance(action, ANY_TIME) and payload.decision < engine.decision
        if not current and not late:
            raise BodyRefused(Refusal.STALE_DECISION)
        refusal = engine.refusal(seat, action, {})
        if refusal is not None:
            raise BodyRefused(Refusal.ILLEGAL, refusal.name)
        if isinstance(action, Play):
            fault = self._prove(seat, action, payload.proof, entry)
            if fault is not None:
                return fault
        elif isinstance(action, Show):
            if not payload.proof:
                raise BodyRefused(Refusal.WRONG_SHAPE, "a hand is shown sealed")
            self.shown.append(
                ShownHand(entry, seat, engine.challenger, engine.accused_hand, payload.proof)
            )
        elif payload.proof:
            raise BodyRefused(Refusal.WRONG_SHAPE, "nothing to prove")
        self.inputs.append(Acted(entry, seat, action, by_clock=False))
        happened: list[Event] = [events.ActionTaken(seat, action, by_clock=False)]
        return happened + self._follow_engine(engine.act(seat, action))

    def _prove(self, seat: int, action: Play, key: bytes, entry: int) -> list[Event] | None:
        """Open the played slot with its last key; the fault if it is not the card named."""
        others = [other for other in self.slots.missing(action.slot) if other != seat]
        if others:
            raise BodyRefused(Refusal.NOT_NOW, "the others' keys for this card are missing")
        if not self.slots.release(seat, action.slot, key):
            return self.convict(Fault.BAD_KEY, seat, entry, f"the key of slot {action.slot}")
        card = self.slots.open(action.slot)
        face_up = self.engine.face_up.get(action.slot)
        if card is None or (card not in self._hidden and card != face_up):
            return self._void(f"slot {action.slot} opens to no card that can be there")
        if card != action.card:
            detail = "the card named is not the card played"
            return self.convict(Fault.ILLEGAL_PLAY, seat, entry, detail)
        self._hidden.discard(card)
        return None

    def _time_out(self, payload: bodies.TimeOut, entry: int) -> list[Event]:
        engine = self.engine
        if self.phase is not Phase.PLAY or not isinstance(engine, Round):
            raise BodyRefused(Refusal.NOT_NOW)
        seat = engine.decider
        if payload.decision != engine.decision:
            raise BodyRefused(Refusal.STALE_DECISION)
        if seat is None:
            raise BodyRefused(Refusal.NOT_NOW, "nobody has to decide")
        action = engine.time_out()
        self.inputs.append(Acted(entry, seat, action, by_clock=True))
        happened: list[Event] = [events.ActionTaken(seat, action, by_clock=True)]
        return happened + self._follow_engine(engine.act(seat, action))

    def _halt(self, seat: int, payload: bodies.Halt, entry: int) -> list[Event]:
        if self.phase >= Phase.REVEAL or seat in self.halts:
            raise BodyRefused(Refusal.NOT_NOW)
        self.halts[seat] = (payload.reason, entry)
        return self._void(f"halted: {payload.reason.name.lower()}")

    # ---- reveal and attest ------------------------------------------------------------------

    def _reveal(self, seat: int, payload: bodies.Reveal, entry: int) -> list[Event]:
        self._expect(Phase.REVEAL, seat, self.reveals)
        commit = self.commits.get(seat)
        if commit is None:
            raise BodyRefused(Refusal.NOT_NOW, "nothing was committed to")
        self.reveals[seat] = payload
        self.reveal_entries[seat] = entry
        happened: list[Event] = [events.Revealed(seat)]
        right = (self.secrets(seat).commitment(), self.view_secrets(seat).commitment())
        if right != (commit.seed, commit.view):
            detail = "the seeds are not those committed to"
            return happened + self.convict(Fault.BAD_COMMITMENT, seat, entry, detail)
        return happened + self._all_out()

    def _all_out(self) -> list[Event]:
        """Once no more seeds can come, work out the result and ask for attestations."""
        if self.phase is not Phase.REVEAL or self.missing():
            return []
        self.phase = Phase.ATTEST
        if not self.void:
            try:
                cards = dealt_cards(self.deals, {seat: self.secrets(seat) for seat in self.order})
                self.result = self.engine.reveal(cards)
            except (DealingError, RulesError) as error:
                self.void = f"the opened cards do not fit: {error}"
        return [events.RoundRevealed(self.number, self.result)]

    def secrets(self, seat: int) -> RoundSecrets:
        """A seat's secrets of this round, from its revealed seed."""
        return RoundSecrets(self.reveals[seat].seed, self.context(seat))

    def view_secrets(self, seat: int) -> ViewSecrets:
        """A seat's view secrets of this round, from its revealed seed."""
        return ViewSecrets(self.reveals[seat].view, self.context(seat))

    def _attest(self, seat: int, payload: bodies.Attest, entry: int) -> list[Event]:
        self._expect(Phase.ATTEST, seat, self.attests)
        if payload.reveal != self.last_head:
            raise BodyRefused(Refusal.STALE_DECISION, "attests another state")
        if list(payload.blamed) != sorted(set(payload.blamed)):
            raise BodyRefused(Refusal.WRONG_SHAPE, "seats rising")
        self.attests[seat] = payload.blamed
        self.attest_entries[seat] = entry
        return [events.Attested(seat, payload.blamed)]

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
            self.engine.public(),
        )


def owner_seats(roster: Roster) -> tuple[int, ...]:
    """For every seat, the seat of the person who owns it."""
    persons = {seat.identity: number for number, seat in enumerate(roster.seats)}
    return tuple(persons[seat.owner] for seat in roster.seats)


def _values(commit: bodies.Commit) -> set[bytes]:
    return {commit.seed, commit.view, commit.coin, commit.box, commit.view_key}
