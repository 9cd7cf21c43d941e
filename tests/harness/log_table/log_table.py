"""A table at the level of its log: honest seats with fixed seeds, and every body made on request.

It has no network, clock or bots: a test decides what is appended and when, and makes dishonest
bodies itself. The honest steps here follow the protocol, independently of `lanuno.table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from lanuno.dealing.deal import StepKind, packed, slot_scalars, take_step
from lanuno.dealing.escrow import share_hash, split
from lanuno.dealing.group import ORDER, multiply_each, parse_scalar, public_keys, scalar_bytes
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.identity import Identity
from lanuno.dealing.passes import PassStep
from lanuno.dealing.sealing import seal_info
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets, commitments
from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.log.faults import BodyRefused, RefusalReason, Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    HOST,
    Body,
    CloseReason,
    DropReason,
    Payload,
    SignedBody,
    sign_body,
)
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.format.genesis import (
    VERSION,
    Genesis,
    Roster,
    SeatInfo,
    encode_roster,
    nonce_commitment,
    sign_roster,
)
from lanuno.log.format.transcript import write
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind, automatic_steps
from lanuno.log.replay.replay import Replay, open_payload
from lanuno.log.round import events
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.shown_hand import hand_content, purpose_of_move, purpose_of_show, slot_key
from lanuno.rules.engine.actions import (
    Action,
    Catch,
    OpenHand,
    Play,
    RefuseVerdict,
    SayUno,
    Show,
    Verdict,
)
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.round import Round
from lanuno.rules.ruleset import Ruleset
from tests.harness.log_table.boxes import seal

SHORT = Ruleset(hand_size=2)
"""The rules of `classic` with hands of two cards, for short rounds."""

Choose = Callable[["LogTable", int, tuple[Action, ...]], Action]
"""Chooses one of a player's legal acts."""


def in_words(text: object) -> bool:
    """Whether something is a text for readers, not an identifier of the code."""
    return isinstance(text, str) and bool(text) and "_" not in text


def identity(number: int) -> Identity:
    return Identity.from_seed(H("test-player", u32(number)))


def nonce(number: int, salt: int = 0) -> bytes:
    return H("test-nonce", u32(number), u32(salt))


def make_roster(
    players: int = 2,
    ruleset: Ruleset = SHORT,
    bots: Mapping[int, int] | None = None,
    salt: int = 0,
    host: int = 0,
) -> Roster:
    """Return a roster of players p0, p1, …; `bots`: the seats of bots, with their owners."""
    owners = {seat: (bots or {}).get(seat, seat) for seat in range(players)}
    seats = tuple(
        SeatInfo(
            name=f"p{seat}",
            identity=identity(seat).public,
            owner=identity(owner).public,
            bot=owner != seat,
            slow_clock=False,
            nonce=nonce_commitment(identity(seat).public, nonce(seat, salt)),
        )
        for seat, owner in owners.items()
    )
    return Roster(VERSION, b"lobby of a test!", host, ruleset, seats)


def make_genesis(roster: Roster, salt: int = 0) -> Genesis:
    data = encode_roster(roster)
    numbers = range(len(roster.seats))
    signatures = tuple(sign_roster(data, identity(seat)) for seat in numbers)
    return Genesis(data, signatures, tuple(nonce(seat, salt) for seat in numbers))


def before_colours(roster: Roster) -> bytes:
    """Return the roster in the older format, without colours."""
    parts = msgspec.to_builtins(roster, builtin_types=(bytes,))[:-2]
    parts[4] = [seat[:-1] for seat in parts[4]]
    return msgspec.msgpack.encode(parts)


def first_legal(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Play a card if possible, saying "UNO" with it."""
    plays = [act for act in acts if isinstance(act, Play)]
    spoken = [act for act in plays if act.uno]
    chosen: list[Action] = [*spoken, *plays, *acts]
    return chosen[0]


@dataclass
class LogTable:
    """Genesis, the host's replay, and all entries so far."""

    genesis: Genesis
    choose: Choose = first_legal
    rounds: int = 1
    """Counted rounds of play after which the host closes."""
    entries: list[Entry] = field(default_factory=list)
    happened: list[LogEvent] = field(default_factory=list)
    doubling_seats: frozenset[int] = frozenset()
    """Seats that lock, and then unlock, with twice the scalars that their seeds give."""
    identities: dict[int, Identity] = field(default_factory=dict)
    """By seat: the identity that signs for it, if it is not the one of genesis."""
    _audited: tuple[object, tuple[int, ...]] | None = None
    _keys: dict[tuple[bytes, int, int, bool], bytes] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.replay = Replay(self.genesis)

    def fork(self, upto: int | None = None, choose: Choose | None = None) -> LogTable:
        """Return another table with the same first entries (all of them if `upto` is None)."""
        other = LogTable(
            self.genesis, choose or self.choose, self.rounds, doubling_seats=self.doubling_seats
        )
        for entry in self.entries[:upto]:
            # Signatures were made by this test; audits check them.
            other.happened += other.replay.follow(entry, trusted=True)
            other.entries.append(entry)
        return other

    # ---- reading ----------------------------------------------------------------------------

    @property
    def log(self) -> RoundLog:
        assert self.replay.round is not None
        return self.replay.round

    @property
    def engine(self) -> Round:
        assert isinstance(self.log.engine, Round)
        return self.log.engine

    @property
    def file(self) -> bytes:
        return write(self.genesis, self.entries)

    def audit(self) -> Report:
        report = audit_bytes(self.file)
        assert in_words(report.reason)
        for each in report.rounds:
            assert all(in_words(check.detail) != check.ok for check in each.checks)
        for blame in report.blame:
            assert in_words(blame.detail)
            # Where an entry is missing or broken, it is the one that should have come.
            assert blame.entry in range(len(self.entries) + 1)
        return report

    def secrets(self, seat: int) -> RoundSecrets:
        seed = H("test-seed", self.replay.table_id, u32(self.log.number), u32(seat))
        return RoundSecrets(seed, self.log.context(seat))

    def view_secrets(self, seat: int) -> ViewSecrets:
        seed = H("test-view", self.replay.table_id, u32(self.log.number), u32(seat))
        return ViewSecrets(seed, self.log.context(seat))

    def key(self, seat: int, slot: int) -> bytes:
        """Return a seat's own key of a slot."""
        odd = seat in self.doubling_seats
        place = (self.log.open_hash, seat, slot, odd)
        if place not in self._keys:
            key = slot_key(self.log.slots, self.secrets(seat), slot)
            self._keys[place] = scalar_bytes(2 * parse_scalar(key) % ORDER) if odd else key
        return self._keys[place]

    def last_key(self, holder: int, slot: int) -> bytes:
        """Return the key with which a slot's holder plays it: its own, or one handed over to it."""
        return self.key(self.log.key_owner(slot, holder), slot)

    def cards(self, seat: int) -> dict[int, int]:
        """Return the cards that a seat can read: its hand, as far as other seats' keys are out."""
        found = dict(self.engine.face_up)
        slots = self.log.slots
        for slot in self.engine.hands.get(seat, ()):
            owner = self.log.key_owner(slot, seat)
            if set(slots.missing(slot)) <= {owner}:
                card = slots.open(slot, {owner: self.key(owner, slot)})
                assert card is not None
                found[slot] = card
        return found

    def all_cards(self) -> dict[int, int]:
        """Return the card of every slot of a finished deal; the test knows all seeds."""
        slots, known = self.log.slots, {}
        for deal in slots.deals:
            for slot in deal.slots:
                keys = {seat: self.key(seat, slot) for seat in deal.order}
                card = slots.open(slot, keys)
                assert card is not None
                known[slot] = card
        return known

    # ---- signing and appending --------------------------------------------------------------

    def signed(
        self,
        author: int,
        payload: Payload,
        *,
        head: bytes | None = None,
        counter: int | None = None,
        round_number: int | None = None,
        table: bytes | None = None,
        by: Identity | None = None,
    ) -> SignedBody:
        """Return a body as an honest author signs it now, except for the fields given."""
        replay = self.replay
        seat = replay.host if author == HOST else author
        who = by or self.identities.get(seat, identity(seat))
        if counter is None:
            known = author == HOST or author < len(replay.roster.seats)
            counter = replay.next_counter(author, who.public) if known else 0
        body = Body(
            table=replay.table_id if table is None else table,
            round=replay.number if round_number is None else round_number,
            author=author,
            counter=counter,
            head=replay.head if head is None else head,
            payload=payload,
        )
        return sign_body(body, who)

    def append(self, signed: SignedBody) -> list[LogEvent]:
        """Let the host append a body."""
        entry, happened = self.replay.append(signed, self.ms(signed), self.host)
        self.entries.append(entry)
        self.happened += happened
        for event in happened:
            match event:
                case events.FaultFound(blame):
                    assert in_words(blame.detail)
                case events.RoundVoided(number, _, why):
                    assert number == self.replay.number
                    assert in_words(why)
        return happened

    def ms(self, signed: SignedBody) -> int:
        """Return the time of an honest host's entry: soon after the last, or when time is up."""
        times = self.replay.times
        open_since = [times.open_decision, *times.pending.values()]
        ends = [each.ms + each.limit for each in open_since if each and each.limit is not None]
        try:
            waits = isinstance(signed.read().payload, bodies.TimeOut | bodies.Settle)
        except Unreadable:
            waits = False
        moment = times.ms + 10 if self.replay.seq else 0
        return max([moment, *ends]) if waits else moment

    def add(self, author: int, payload: Payload) -> list[LogEvent]:
        """Sign a payload as an honest author and append it."""
        return self.append(self.signed(author, payload))

    def refusal(self, signed: SignedBody) -> RefusalReason:
        """Return the host's reason to refuse a body; check that the refusal changes nothing."""
        before = (self.replay.state(), self.replay.seq, self.replay.head, self.replay.size)
        try:
            self.replay.append(signed, self.ms(signed), self.host)
        except BodyRefused as refused:
            after = (self.replay.state(), self.replay.seq, self.replay.head, self.replay.size)
            assert before == after
            return refused.refusal
        raise AssertionError("the host took it")

    def refusal_of(self, author: int, payload: Payload) -> RefusalReason:
        return self.refusal(self.signed(author, payload))

    @property
    def host(self) -> Identity:
        return identity(self.replay.host)

    def entry(self, signed: SignedBody, **other: object) -> Entry:
        """Return a host-signed entry for any body, valid or not; append nothing."""
        replay = self.replay
        core = EntryCore(
            replay.table_id,
            replay.term,
            replay.seq,
            replay.head,
            signed.body,
            signed.signature,
            replay.state(),
            replay.times.ms,
        )
        return sign_entry(msgspec.structs.replace(core, **other), self.host)

    def drop(self, seat: int, reason: DropReason = DropReason.LOST) -> list[LogEvent]:
        """Let the host drop an owner; if the reason is LEFT, the owner signs a Leave first."""
        if reason is DropReason.LEFT and seat not in self.replay.leaving:
            self.add(seat, bodies.Leave())
        return self.add(HOST, bodies.Drop(seat, reason))

    # ---- honest steps -----------------------------------------------------------------------

    def commit(self, seat: int) -> bodies.Commit:
        givers = self.log.givers(seat)
        said = commitments(self.secrets(seat), self.view_secrets(seat), givers)
        return bodies.Commit(*said)

    def escrow(self, seat: int) -> bodies.Escrow:
        log, to = self.log, self.log.share_receivers(seat)
        boxes = [log.box_of(other, seat) for other in to]
        shares = list(zip(to, split(self.secrets(seat), to, boxes), strict=True))
        sealed = tuple(
            seal(
                share,
                log.box_of(other, seat),
                seal_info(log.table_id, log.open_hash, seat, other, "escrow"),
            )
            for other, share in shares
        )
        hashes = tuple(share_hash(share, log.context(seat), other) for other, share in shares)
        return bodies.Escrow(sealed, hashes)

    def share(self, seat: int, of: int) -> bodies.Share:
        share = self.log.read_share(of, seat, self.view_secrets(seat).box_private(of))
        assert share is not None
        return bodies.Share(of, share)

    def take_pass(self, seat: int) -> bodies.Pass:
        deal = self.log.deal
        assert deal is not None
        step = take_step(deal, self.secrets(seat))
        if seat in self.doubling_seats and deal.expected == (StepKind.LOCK, seat):
            scalars = slot_scalars(deal, self.secrets(seat))
            keys = public_keys(2 * each % ORDER for each in scalars)
            step = PassStep(multiply_each(step.points, 2), keys)
        return bodies.Pass(deal.number, len(deal.accepted), *packed(step))

    def unlock(self, seat: int, needs: Iterable[int]) -> bodies.Unlock:
        def keys(slots: Iterable[int]) -> bytes:
            return b"".join(self.key(seat, slot) for slot in slots)

        return bodies.Unlock(
            tuple(bodies.SlotKeyList(need, keys(self.log.needs[need].slots)) for need in needs)
        )

    def sealed(self, holder: int, to: int, slots: Sequence[int], purpose: str) -> bytes:
        """Return a box for another seat with the last keys of slots that a seat holds or held."""
        log = self.log
        content = hand_content(lambda slot: self.last_key(holder, slot), slots)
        info = seal_info(log.table_id, log.open_hash, holder, to, purpose)
        return seal(content, log.commits[to].view_key, info)

    def hand_over(self, number: int) -> bodies.HandOver:
        move = self.log.moves[number]
        sealed = self.sealed(move.seat, move.to, move.slots, purpose_of_move(number))
        return bodies.HandOver(number, sealed)

    def reveal(self, seat: int) -> bodies.Reveal:
        return bodies.Reveal(self.secrets(seat).seed, self.view_secrets(seat).seed)

    def attest(self, seat: int) -> bodies.Attest:
        del seat  # all seats hold the same log, and their audits agree: one audit is enough
        key = (self.log.reveal_hash, len(self.log.faults))
        if self._audited is None or self._audited[0] != key:
            self._audited = (key, audit_round(self.log).blamed)
        return bodies.Attest(self.log.reveal_hash, self._audited[1])

    def show(self) -> bytes:
        engine = self.engine
        purpose = purpose_of_show(engine.decision)
        return self.sealed(engine.accused, engine.challenger, engine.accused_hand, purpose)

    def open_hand(self) -> bytes:
        """Return the last keys of the challenged hand."""
        accused, hand = self.engine.accused, self.engine.accused_hand
        return hand_content(lambda slot: self.last_key(accused, slot), hand)

    def act(self, seat: int, action: Action) -> bodies.Act:
        proof = b""
        if isinstance(action, Play):
            proof = self.last_key(seat, action.slot)
        elif isinstance(action, Show):
            proof = self.show()
        elif isinstance(action, OpenHand):
            proof = self.open_hand()
        return bodies.Act(self.engine.decision, action, proof)

    def payload_for(self, step: AutomaticStep) -> Payload:
        """Return the honest payload for an automatic step."""
        match step.kind:
            case AutomaticStepKind.COMMIT:
                return self.commit(step.seat)
            case AutomaticStepKind.ESCROW:
                return self.escrow(step.seat)
            case AutomaticStepKind.PASS:
                return self.take_pass(step.seat)
            case AutomaticStepKind.UNLOCK:
                needs = [
                    need.number for need in self.log.needs.values() if step.seat in need.waiting
                ]
                return self.unlock(step.seat, needs)
            case AutomaticStepKind.HAND:
                return self.hand_over(step.item)
            case AutomaticStepKind.REVEAL:
                return self.reveal(step.seat)
            case AutomaticStepKind.ATTEST:
                return self.attest(step.seat)
            case AutomaticStepKind.SHARE:
                return self.share(step.seat, step.item)

    # ---- running ----------------------------------------------------------------------------

    def step(self) -> bool:
        """Append the next honest body; return False once the log is closed."""
        word = self.next_payload()
        if word is not None:
            self.add(*word)
        return word is not None

    def next_payload(self) -> tuple[int, Payload] | None:
        """Return the next author and payload if all are honest; None once the log is closed."""
        replay = self.replay
        if replay.closed is not None:
            return None
        owed = automatic_steps(replay)
        if owed:
            return owed[0].seat, self.payload_for(owed[0])
        if replay.between_rounds:
            return HOST, self.host_payload()
        if self.engine.decider is None:
            return HOST, bodies.Settle(Matter.CARD)
        return self.decision()

    def host_payload(self) -> Payload:
        """Return the payload that the host appends between two rounds."""
        replay = self.replay
        played = sum(1 for each in replay.summaries if each.counted and each.number > 0)
        plan = replay.next_plan()
        if plan is not None and played < self.rounds:
            return open_payload(plan)
        if replay.can_continue:
            reason = CloseReason.FINISHED if replay.match.over else CloseReason.STOPPED
        else:
            reason = CloseReason.CHEATING if replay.blamed else CloseReason.INCOMPLETE
        return self.close(reason)

    def close(self, reason: CloseReason) -> bodies.Close:
        return bodies.Close(reason, tuple(self.replay.match.totals), self.replay.seq)

    def decide(self) -> None:
        """Make the open decision."""
        self.add(*self.decision())

    def decision(self) -> tuple[int, Payload]:
        """Return the decider's seat and its decision by `choose`; a verdict is always true."""
        seat = self.engine.decider
        assert seat is not None
        cards = self.cards(seat)
        acts = tuple(
            act
            for act in self.engine.legal(seat, cards)
            if not isinstance(act, SayUno | Catch | Verdict | RefuseVerdict)
        )
        action = self.choose(self, seat, acts) if acts else self.true_verdict()
        return seat, self.act(seat, action)

    def true_verdict(self) -> Verdict:
        guilty = self.engine.refusal(self.engine.challenger, Verdict(False), self.all_cards())
        return Verdict(guilty is not None)

    def run(self, until: Callable[[LogTable], bool] | None = None, steps: int = 5_000) -> LogTable:
        """Continue honestly to the close, or until a condition holds; return the table itself."""
        for _ in range(steps):
            if until is not None and until(self):
                return self
            if not self.step():
                assert until is None, "the log was closed before"
                return self
        raise AssertionError("the table did not come to an end")


def new_table(
    players: int = 2,
    ruleset: Ruleset = SHORT,
    *,
    bots: Mapping[int, int] | None = None,
    salt: int = 0,
    choose: Choose = first_legal,
    rounds: int = 1,
    host: int = 0,
) -> LogTable:
    genesis = make_genesis(make_roster(players, ruleset, bots, salt, host), salt)
    return LogTable(genesis, choose, rounds)
