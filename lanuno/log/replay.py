"""The table as its log tells it: chain, authors, terms, and which payload goes where.

Everybody runs this over the same entries: the host before it signs one (`append`), every other
peer when it receives one (`follow`), the audit when it reads a file. It holds public state only
and never guesses: what an honest host cannot have written raises `HostFault`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from copy import deepcopy

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log import bodies, events, limits
from lanuno.log.absence import Absence
from lanuno.log.bodies import (
    HOST,
    HOST_PAYLOADS,
    MAX_BODY,
    MAX_SEAT_BODY,
    Body,
    CloseReason,
    Payload,
    SignedBody,
    sign_body,
)
from lanuno.log.chain import Chain
from lanuno.log.codec import encode
from lanuno.log.counters import Counters, used_twice
from lanuno.log.course import Course, RoundSummary
from lanuno.log.entries import Entry, EntryCore, sign_entry
from lanuno.log.events import Event
from lanuno.log.faults import (
    MISPLACED,
    OUT_OF_PLACE,
    Blame,
    BodyRefused,
    Check,
    Fault,
    HostFault,
    NoTranscript,
    Refusal,
    Unfit,
    Unreadable,
    VoidReason,
)
from lanuno.log.genesis import Genesis, Roster, is_early
from lanuno.log.round_audit import audit_round
from lanuno.log.round_log import RoundLog
from lanuno.log.round_record import Phase
from lanuno.log.terms import (
    COUNTERS_A_TERM,
    LogEnd,
    Term,
    double_vote,
    elected,
    majority,
)
from lanuno.log.times import DEAL_MS, Times
from lanuno.log.votes import SignedVote
from lanuno.rules.match import Match
from lanuno.rules.results import RoundPlan


class Replay:
    """One table's log, entry by entry."""

    def __init__(self, genesis: Genesis) -> None:
        """Begin at genesis; raises `Unreadable` if it is not wholly right."""
        self.genesis = genesis
        signed = genesis.read()
        if signed.is_tournament:
            raise NoTranscript(Unfit.PLAYERS, "the players of a tournament, and no table")
        self.table_id = genesis.table_id
        self.term = 0
        self.host = signed.host
        self.seq = 0
        """Number of entries so far, which is the sequence number of the next one."""
        self.head = self.table_id
        """Hash of the last entry; the table id before the first."""
        self.size = 0
        """Bytes of all entries."""
        self.match = Match(signed.ruleset, len(signed.seats))
        self.round: RoundLog | None = None
        """The present or last round; None before the first."""
        self.summaries: list[RoundSummary] = []
        self.closed: CloseReason | None = None
        self.exposed: list[Blame] = []
        """Equivocations that were proven while no round was under way."""
        self.terms = [Term(0, 0, self.host)]
        """Who ruled since when; the present term last."""
        self.hashes = Chain()
        """Hash of every entry, by its number."""
        self.ports: dict[int, int] = {}
        """Where the owners' computers said that they listen."""
        self.absence = Absence(self.match, signed)
        """Who is away."""
        self.times = Times(0 if is_early(genesis.roster) else DEAL_MS)
        """What the entries' own times say."""
        self.course = Course()
        """What decides the match."""
        self._halted = False
        self._counters = Counters(signed)

    # ---- what the table stands at -----------------------------------------------------------

    @property
    def number(self) -> int:
        """Number that bodies name as their round; 0 before the first round and in it."""
        return 0 if self.round is None else self.round.number

    @property
    def between_rounds(self) -> bool:
        """Whether no round is under way."""
        return self.round is None or self.round.phase is Phase.DONE

    @property
    def roster(self) -> Roster:
        """Who plays what now; bots that fill in for somebody are in it."""
        return self.absence.roster

    @property
    def dropped(self) -> Mapping[int, bodies.DropReason]:
        """Seats that the table goes on without, and why."""
        return self.absence.dropped

    @property
    def leaving(self) -> Set[int]:
        """Seats that said that they leave and were not dropped yet."""
        return self.absence.leaving

    @property
    def sound(self) -> bool:
        """Whether another round may follow.

        Whoever is proven to have cheated is out, and the others go on. It ends where they do not
        agree on who that is, or where it is the host.
        """
        return not self._halted

    @property
    def blamed(self) -> bool:
        """Whether the log itself proves a fault, or somebody's last attestation blames a seat."""
        if self.exposed:
            return True
        return self.round is not None and bool(
            self.round.faults or any(self.round.attests.values())
        )

    @property
    def full(self) -> bool:
        """Whether the log takes only elections and its close."""
        return limits.full(self.seq, self.size)

    @property
    def nearly_full(self) -> bool:
        """Whether the next round may be too long for what is left of the log."""
        return limits.nearly_full(self.seq, self.size)

    def next_plan(self) -> RoundPlan | None:
        """The round that comes next, or None if the match is over or nothing may follow."""
        if self.closed is not None or not self.between_rounds or not self.sound or self.leaving:
            return None
        return self.match.next()

    @property
    def owners(self) -> tuple[int, ...]:
        """The owners who count now: neither dropped nor leaving."""
        return self.absence.owners

    @property
    def majority(self) -> int:
        """How many owners decide: more than half, and both of two."""
        return majority(len(self.owners))

    @property
    def end(self) -> LogEnd:
        """How far the log goes."""
        return LogEnd(self.term, self.seq, self.head)

    def owner_of(self, seat: int) -> int:
        """The seat of the person on whose computer a seat is played."""
        return self.absence.owner_of(seat)

    def next_counter(self, author: int, public: bytes | None = None) -> int:
        """The lowest counter that this author may use next.

        `public`: the identity that signs; by default the player or bot that plays the seat now.
        """
        unused = self._counters.next(author, public or self.public_key(author))
        return max(unused, self.term * COUNTERS_A_TERM) if author == HOST else unused

    def knows(self, head: bytes) -> bool:
        """Whether a hash names an entry of this log (or the table itself)."""
        return self._number_of(head) is not None

    def _number_of(self, head: bytes) -> int | None:
        """The number of the entry with this hash; the table itself is before the first."""
        return -1 if head == self.table_id else self.hashes.number(head)

    def public_key(self, author: int) -> bytes:
        """Identity that signs for an author; the host's is a person's, whoever plays its seat."""
        signs = self.absence.signed if author == HOST else self.roster
        return signs.seats[self.host if author == HOST else author].identity

    def copy(self) -> Replay:
        """Another view of the same log, which goes its own way; for the price of a few entries."""
        return deepcopy(self, {id(self.genesis): self.genesis})

    def state(self) -> bytes:
        """Hash of the whole public state: no clock, nothing private."""
        return H("state", encode(self.public()))

    def public(self) -> tuple[object, ...]:
        """The whole public state as nested tuples, canonical."""
        return (
            self.term,
            self.host,
            self._counters.public(),
            self.absence.public(),
            tuple(sorted(self.ports.items())),
            self.closed,
            self.match.public(),
            None if self.round is None else self.round.public(),
        )

    # ---- taking bodies and entries ----------------------------------------------------------

    def check(self, signed: SignedBody, *, trusted: bool = False) -> Body:
        """Whether a body fits here, its payload aside; raises `BodyRefused`.

        `trusted`: its signature was checked before.
        """
        try:
            body = signed.read()
        except Unreadable as error:
            raise BodyRefused(Refusal.MALFORMED, str(error)) from None
        if body.table != self.table_id:
            raise BodyRefused(Refusal.WRONG_TABLE)
        if body.author != HOST and body.author >= len(self.roster.seats):
            raise BodyRefused(Refusal.NOT_A_SEAT)
        if len(signed.body) > (MAX_BODY if body.author == HOST else MAX_SEAT_BODY):
            raise BodyRefused(Refusal.MALFORMED, "longer than any honest body")
        if (body.author == HOST) != isinstance(body.payload, HOST_PAYLOADS):
            raise BodyRefused(Refusal.NOT_A_SEAT, "the host's office and a seat are two things")
        public = self._check_author(signed, body, trusted=trusted)
        if self.closed is not None:
            raise BodyRefused(Refusal.CLOSED)
        if body.counter < self.next_counter(body.author, public):
            raise BodyRefused(Refusal.STALE_COUNTER)
        if not self.knows(body.head):
            raise BodyRefused(Refusal.UNKNOWN_HEAD)
        if body.round != self.number:
            raise BodyRefused(Refusal.WRONG_ROUND)
        returns = isinstance(body.payload, bodies.Return)
        if body.author != HOST and self.absence.silenced(body.author) and not returns:
            raise BodyRefused(Refusal.NOT_A_SEAT, "this seat was dropped")
        if self._has_no_room(body.payload):
            raise BodyRefused(Refusal.FULL)
        return body

    def _has_no_room(self, payload: Payload) -> bool:
        if isinstance(payload, bodies.Elect):
            return limits.only_close(self.seq, self.size)
        return self.full and not isinstance(payload, bodies.Close)

    def _check_author(self, signed: SignedBody, body: Body, *, trusted: bool) -> bytes:
        """Whether its author signed a body, who may just be about to become the host; as whom."""
        host, term = self.host, self.term
        if isinstance(body.payload, bodies.Elect):
            host, term = self._election(body.payload)
        public = self._signer(body, host)
        if not trusted and not signed.signed_by(public):
            raise BodyRefused(Refusal.BAD_SIGNATURE)
        if body.author == HOST and body.counter // COUNTERS_A_TERM != term:
            raise BodyRefused(Refusal.STALE_COUNTER, "a counter of another term")
        return public

    def _signer(self, body: Body, host: int) -> bytes:
        """Identity that signs a body of this author where this seat is the host."""
        signs = self.roster
        if body.author == HOST or isinstance(body.payload, bodies.Leave | bodies.Return):
            # A person comes and goes in their own name, even while a bot fills in for them.
            signs = self.absence.signed
        return signs.seats[host if body.author == HOST else body.author].identity

    def append(self, signed: SignedBody, ms: int, host: Identity) -> tuple[Entry, list[Event]]:
        """As host: take a body, make the entry that holds it, and sign it.

        `ms`: milliseconds since genesis, from `Times.next`. Raises `BodyRefused` and then has
        changed nothing.
        """
        body = self.check(signed)
        if not self.times.follows(ms):
            raise BodyRefused(Refusal.NOT_NOW, _OTHER_TIME)
        happened = self._take(body, ms)
        core = EntryCore(
            self.table_id,
            self.term,
            self.seq,
            self.head,
            signed.body,
            signed.signature,
            self.state(),
            ms,
        )
        entry = sign_entry(core, host)
        self._chain(entry, body, ms)
        return entry, happened

    def elect(
        self, votes: Sequence[SignedVote], ms: int, candidate: Identity
    ) -> tuple[Entry, list[Event]]:
        """As the one whom these votes make the host: begin the next term.

        Raises `BodyRefused` and then has changed nothing.
        """
        payload = bodies.Elect(tuple(votes))
        _, term = self._election(payload)
        counter = term * COUNTERS_A_TERM
        body = Body(self.table_id, self.number, HOST, counter, self.head, payload)
        return self.append(sign_body(body, candidate), ms, candidate)

    def follow(self, entry: Entry, *, trusted: bool = False) -> list[Event]:
        """As anybody else: take the host's next entry; raises `HostFault`.

        `trusted`: an entry that this program took before, whose signatures are right. After a
        `HostFault` this object must not be used further: what follows is not the log.
        """
        core, host = self._core(entry, trusted=trusted)
        if core.table != self.table_id:
            raise self._forged(None, "an entry of another table")
        if core.term == self.term and core.seq < self.seq and not self.knows(entry.hash):
            why = "the host signed another entry with this number before"
            blame = Blame(self.host, Fault.EQUIVOCATION, self.number, self.seq, why)
            raise HostFault(blame, Check.CHAIN)
        later = core.term > self.term
        if (core.term != self.term and not later) or core.seq != self.seq:
            raise self._forged(
                None, f"entry {core.seq} of term {core.term} stands where {self.seq} is next"
            )
        if core.prev != self.head:
            if later:
                raise self._forged(None, "a term that does not follow this log")
            blame = Blame(
                self.host,
                Fault.EQUIVOCATION,
                self.number,
                self.seq,
                "the host signed two histories: this entry does not follow the one before",
            )
            raise HostFault(blame, Check.CHAIN)
        if not self.times.follows(core.ms):
            blame = Blame(host, Fault.BAD_ORDER, self.number, self.seq, _OTHER_TIME)
            raise HostFault(blame, Check.CHAIN)
        try:
            body = self.check(core.signed_body, trusted=trusted)
            if isinstance(body.payload, bodies.Elect) and not later:
                raise BodyRefused(Refusal.ILLEGAL, "an election in an entry of the old term")
            happened = self._take(body, core.ms)
        except BodyRefused as refused:
            fault, check = MISPLACED.get(refused.refusal, OUT_OF_PLACE)
            blame = Blame(host, fault, self.number, self.seq, str(refused))
            raise HostFault(blame, check) from None
        if core.state != self.state():
            blame = Blame(self.host, Fault.BAD_STATE, self.number, self.seq, "another state")
            raise HostFault(blame, Check.STATES)
        self._chain(entry, body, core.ms)
        return happened

    def _core(self, entry: Entry, *, trusted: bool) -> tuple[EntryCore, int]:
        """What stands in an entry, and the host that signed it: the present or a new one."""
        try:
            core = entry.read()
        except Unreadable as error:
            if not entry.signed_by(self.public_key(HOST)):
                why = "an entry that the host did not sign"
                raise self._forged(None, why, Check.SIGNATURES) from None
            raise self._forged(self.host, f"a signed entry that is none: {error}") from None
        host = self.host
        if core.term > self.term and core.table == self.table_id:
            # Whoever signs this was not the host before: nobody can be blamed for what is wrong.
            try:
                body = core.signed_body.read()
                if not isinstance(body.payload, bodies.Elect):
                    raise self._forged(None, "a new term without votes")
                host, term = self._election(body.payload)
            except (Unreadable, BodyRefused) as error:
                raise self._forged(None, f"no election: {error}") from None
            if term != core.term:
                raise self._forged(None, "votes of another term")
        if not trusted and not entry.signed_by(self.absence.signed.seats[host].identity):
            raise self._forged(None, "an entry that the host did not sign", Check.SIGNATURES)
        return core, host

    def _forged(self, seat: int | None, why: str, check: Check = Check.CHAIN) -> HostFault:
        return HostFault(Blame(seat, Fault.FORGED, self.number, self.seq, why), check)

    def _chain(self, entry: Entry, body: Body, ms: int) -> None:
        self.times.taken(body, ms, self.seq, self.round)
        self.head = entry.hash
        self.hashes.append(entry.hash)
        self.seq += 1
        self.size += len(entry.core) + len(entry.signature)
        if self.round is not None:
            self.round.entry_is(entry.hash)

    # ---- payloads ---------------------------------------------------------------------------

    def _take(self, body: Body, ms: int) -> list[Event]:
        """Let the payload take effect, or raise `BodyRefused` with nothing changed."""
        payload = body.payload
        signer = self._signer(body, self.host)
        self.times.check(payload, ms)
        match payload:
            case bodies.Open():
                happened = self._open(payload)
            case bodies.Close():
                happened = self._close(payload)
            case bodies.Drop():
                happened = self._drop(payload)
            case bodies.Leave():
                happened = self.absence.leave(body.author)
            case bodies.Return():
                between = self.between_rounds
                happened = self.absence.come_back(body.author, self.host, between_rounds=between)
            case bodies.FillIn():
                happened = self._fill_in(payload)
            case bodies.Expose():
                happened = self._expose(payload)
            case bodies.Elect():
                happened = self._elect(payload)
            case bodies.ExposeVotes():
                happened = self._expose_votes(payload)
            case bodies.Listen():
                happened = self._listen(body.author, payload)
            case bodies.TimeOut():
                happened = self._running().time_out(payload, self.seq)
            case bodies.Settle():
                happened = self._running().settle(payload, self.seq)
            case _:
                head = self._number_of(body.head)
                assert head is not None  # `check` has looked
                happened = self._running().take(body.author, payload, self.seq, head)
        self._counters.use(body.author, signer, body.counter)
        happened += self._settle()
        self.course.taken(happened, self.seq, self.round, self.dropped, self.match.playing)
        return happened

    def _running(self) -> RoundLog:
        if self.round is None:
            raise BodyRefused(Refusal.NOT_NOW, "no round is open")
        return self.round

    def _open(self, payload: bodies.Open) -> list[Event]:
        plan = self.next_plan()
        if plan is None:
            raise BodyRefused(Refusal.NOT_NOW, "no round can open here")
        if payload != open_payload(plan):
            raise BodyRefused(Refusal.ILLEGAL, "not the round that follows from the match")
        absence = self.absence
        owners, filled = absence.owner_seats, absence.filled
        self.round = RoundLog(self.table_id, self.roster, owners, filled, payload)
        return [events.RoundOpened(payload.number, payload.kind, payload.seats, payload.dealer)]

    def _close(self, payload: bodies.Close) -> list[Event]:
        if payload.count != self.seq or payload.scores != tuple(self.match.totals):
            raise BodyRefused(Refusal.ILLEGAL, "count or scores are not those of the log")
        boundary = self.between_rounds and self.sound
        fits = {
            CloseReason.FINISHED: boundary and self.match.over,
            CloseReason.STOPPED: boundary and not self.match.over,
            CloseReason.CHEATING: self.between_rounds and self.blamed,
            CloseReason.INCOMPLETE: True,
            CloseReason.TOO_LONG: self.nearly_full,
        }
        if not fits[payload.reason]:
            raise BodyRefused(Refusal.ILLEGAL, "not why this log can close")
        self.closed = payload.reason
        return [events.LogClosed(payload.reason)]

    def _drop(self, payload: bodies.Drop) -> list[Event]:
        before = set(self.dropped)
        gone = self.absence.drop(payload.seat, payload.reason, self.host)
        away = sorted(set(self.dropped) - (before - set(gone)))
        happened: list[Event] = [events.SeatDropped(seat, payload.reason) for seat in away]
        if self.round is not None:
            left = payload.reason is bodies.DropReason.LEFT
            happened += self.round.drop(gone, self.seq, None if left else self.host)
        return happened + (self.absence.settle() if self.between_rounds else [])

    def _fill_in(self, payload: bodies.FillIn) -> list[Event]:
        if not self.between_rounds:
            raise BodyRefused(Refusal.NOT_NOW, "a round is under way")
        return self.absence.fill_in(payload, self.table_id, self.host)

    def _expose(self, payload: bodies.Expose) -> list[Event]:
        first = SignedBody(payload.first, payload.first_signature)
        second = SignedBody(payload.second, payload.second_signature)
        author = proven_equivocation(self, first, second)
        if author is None:
            raise BodyRefused(Refusal.ILLEGAL, "that proves nothing")
        as_host = first.read().author == HOST
        return self._proven(author, Fault.EQUIVOCATION, "one counter used twice", person=as_host)

    def _proven(self, seat: int, fault: Fault, detail: str, *, person: bool) -> list[Event]:
        """Note a fault that two signatures prove, once. `person`: not of whatever plays there."""
        if person and seat in self.absence.filled:
            raise BodyRefused(Refusal.NOT_NOW, "another plays that seat now")
        # Where a bot fills in, its owner is to blame, and not the player who is away.
        guilty = self.absence.filled.get(seat, seat)
        known = {(each.seat, each.fault) for each in self.exposed}
        in_round = {(each.seat, each.fault) for each in self.round.faults} if self.round else set()
        if (guilty, fault) in known or (seat, fault) in in_round:
            raise BodyRefused(Refusal.ALREADY_DONE)
        if self.round is not None and not self.between_rounds:
            return self.round.convict(fault, seat, self.seq, detail)
        blame = Blame(guilty, fault, self.number, self.seq, detail)
        self.exposed.append(blame)
        return [events.FaultFound(blame), *self._expel((seat,)), *self.absence.settle()]

    def _expel(self, cheats: Sequence[int]) -> list[Event]:
        """Go on without proven cheats, unless the host is one of them."""
        if any(self.owner_of(seat) == self.host for seat in cheats):
            self._halted = True
            return []
        return [each for seat in cheats for each in self.absence.convict(seat)]

    def _judge(self, current: RoundLog) -> list[Event]:
        """Whether everybody attested what this log proves, if a fault is proven or claimed."""
        if not current.faults and not any(current.attests.values()):
            return []
        proven = set(audit_round(current).blamed)
        for seat, blamed in current.attests.items():
            held = current.attest_heads[seat]
            later = {each.seat for each in current.faults if each.entry > held}
            if set(blamed) - proven or proven - set(blamed) - later:
                self._halted = True
                return []
        return self._expel(sorted(proven))

    def _election(self, payload: bodies.Elect) -> tuple[int, int]:
        """Seat and term of whom the votes make host here; raises `BodyRefused`."""
        return elected(self.absence.signed, self.table_id, self.owners, self.end, payload.votes)

    def _elect(self, payload: bodies.Elect) -> list[Event]:
        self.host, self.term = self._election(payload)
        self.terms.append(Term(self.term, self.seq, self.host))
        return [events.HostElected(self.host, self.term)]

    def _expose_votes(self, payload: bodies.ExposeVotes) -> list[Event]:
        seat = double_vote(self.absence.signed, self.table_id, payload.first, payload.second)
        if seat is None:
            raise BodyRefused(Refusal.ILLEGAL, "that proves nothing")
        return self._proven(seat, Fault.DOUBLE_VOTE, "two votes in one term", person=True)

    def _listen(self, seat: int, payload: bodies.Listen) -> list[Event]:
        if self.owner_of(seat) != seat:
            raise BodyRefused(Refusal.NOT_A_SEAT, "no owner's computer")
        if self.ports.get(seat) == payload.port:
            raise BodyRefused(Refusal.ALREADY_DONE)
        self.ports[seat] = payload.port
        return []

    def _settle(self) -> list[Event]:
        """Close the round once all attestations are in."""
        current = self.round
        if current is None or current.phase is not Phase.ATTEST or current.missing():
            return []
        current.phase = Phase.DONE
        clean = tuple(sorted(seat for seat, blamed in current.attests.items() if not blamed))
        result = current.result
        counted = result is not None and bool(clean) and len(clean) == len(current.attests)
        happened: list[Event] = []
        if result is not None and counted:
            self.match.finish(result)
        else:
            self.match.void()
            if current.void is VoidReason.LOST:
                happened += self.absence.round_void(current.spoilers, current.denied)
        happened += self._judge(current) + self.absence.settle()
        self.summaries.append(
            RoundSummary(current.number, current.kind, counted, clean, current.void)
        )
        return [events.RoundClosed(current.number, result, counted), *happened]


_OTHER_TIME = "a time that does not follow the entry before"


def open_payload(plan: RoundPlan) -> bodies.Open:
    """The one Open that fits a plan."""
    return bodies.Open(plan.number, plan.kind, plan.seats, plan.dealer)


def proven_equivocation(replay: Replay, first: SignedBody, second: SignedBody) -> int | None:
    """The seat whose owner signed two different bodies with one counter of this table, or None."""
    signed, roster = replay.absence.signed, replay.roster
    return used_twice(replay.table_id, signed, roster, replay.terms, first, second)
