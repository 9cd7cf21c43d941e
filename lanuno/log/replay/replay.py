"""The state of a table, derived from its log: chain, authors, terms and payloads.

Every node replays the same entries: the host before it signs one (`append`), every other node when
it receives one (`follow`), the audit when it reads a file. A replay holds public state only and
never guesses: an entry that no honest host can have written raises `HostFault`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from copy import deepcopy

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.faults import (
    FAULT_OF_REFUSAL,
    OTHER_FAULT,
    Blame,
    BodyRefused,
    Check,
    Fault,
    HostFault,
    NoGameReason,
    NoTranscript,
    RefusalReason,
    Unreadable,
)
from lanuno.log.format import bodies, limits
from lanuno.log.format.bodies import (
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
from lanuno.log.format.chain import Chain
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.format.genesis import Genesis, Roster, is_early
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.absence import Absence
from lanuno.log.replay.counters import Counters
from lanuno.log.replay.course import Course, RoundSummary
from lanuno.log.replay.terms import (
    COUNTERS_PER_TERM,
    LogEnd,
    Term,
    double_vote,
    elected_host,
    majority,
)
from lanuno.log.replay.times import DEAL_MS, Times
from lanuno.log.round import acting, closing, events, hand_transfer, seed_recovery
from lanuno.log.round.events import LogEvent
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.results import RoundKind, RoundPlan
from lanuno.rules.match.formats import ahead
from lanuno.rules.match.match import Match


class Replay:
    """The public state of one table after each entry of its log."""

    def __init__(self, genesis: Genesis) -> None:
        """Start at genesis; raises `Unreadable` if it is not wholly right."""
        self.genesis = genesis
        signed = genesis.read()
        if signed.is_tournament:
            raise NoTranscript(NoGameReason.PLAYERS, "a tournament, not a table")
        self.table_id = genesis.table_id
        self.term = 0
        self.host = signed.host
        self.seq = 0
        """Number of entries so far, and so the number of the next entry."""
        self.head = self.table_id
        """Hash of the last entry; the table id before the first."""
        self.size = 0
        """Bytes of the cores and signatures of all entries."""
        self.match = Match(signed.ruleset, len(signed.seats))
        self.round: RoundLog | None = None
        """The present or last round; None before the first."""
        self.summaries: list[RoundSummary] = []
        self.closed: CloseReason | None = None
        self.exposed: list[Blame] = []
        """Equivocations and double votes that were proven while no round was under way."""
        self.terms = [Term(0, 0, self.host)]
        """All terms with their hosts; the present one is last."""
        self.hashes = Chain()
        """The hash of every entry, by its number."""
        self.ports: dict[int, int] = {}
        """By owner: the TCP port on which its node listens."""
        self.absence = Absence(self.match, signed)
        """The players who are away."""
        self.times = Times(0 if is_early(genesis.roster) else DEAL_MS)
        """The clock, driven by the times of the entries."""
        self.course = Course()
        """What decides the match."""
        self.can_continue = True
        """Whether another round may follow. A player that is proven to have cheated is expelled,
        and the other players continue. The table halts if the attestations do not agree with the
        proof, or if a seat on the host's node is at fault."""
        self._counters = Counters(signed)

    # ---- the table now ----------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The round that bodies must name; 0 before the first round and in the dealer round."""
        return 0 if self.round is None else self.round.number

    @property
    def between_rounds(self) -> bool:
        """Whether no round is under way."""
        return self.round is None or self.round.phase is ProtocolPhase.DONE

    @property
    def roster(self) -> Roster:
        """The players now, including bots that fill in for a player."""
        return self.absence.roster

    @property
    def dropped(self) -> Mapping[int, bodies.DropReason]:
        """Seats that the host dropped, and why."""
        return self.absence.dropped

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won the match, or were ahead after the rounds agreed on; else none.

        Rounds that the host plays beyond these decide nothing.
        """
        rounds, played = self.roster.rounds, RoundKind.PLAY
        if self.closed is CloseReason.STOPPED and rounds is not None:
            counted = [each for each in self.summaries if each.counted and each.kind is played]
            if len(counted) >= rounds:
                return ahead(counted[rounds - 1].totals, self.match.ruleset.format, self.dropped)
        return tuple(self.match.winners)

    @property
    def leaving(self) -> Set[int]:
        """Seats that signed a Leave and have not been dropped yet."""
        return self.absence.leaving

    @property
    def blamed(self) -> bool:
        """Whether the log proves a fault, or an attestation of the last round blames a seat."""
        current = self.round
        in_round = current is not None and (current.faults or any(current.attests.values()))
        return bool(self.exposed or in_round)

    @property
    def full(self) -> bool:
        """Whether the log accepts only elections and its close."""
        return limits.full(self.seq, self.size)

    @property
    def nearly_full(self) -> bool:
        """Whether the rest of the log may be too short for another round."""
        return limits.nearly_full(self.seq, self.size)

    def next_plan(self) -> RoundPlan | None:
        """Return the plan of the next round, or None if the match is over or no round may open."""
        may_open = self.between_rounds and self.can_continue and not self.leaving
        return self.match.next() if may_open and self.closed is None else None

    @property
    def owners(self) -> tuple[int, ...]:
        """The owners who count now: neither dropped nor leaving."""
        return self.absence.owners

    @property
    def majority(self) -> int:
        """The number of owners that decide: more than half, and both of two."""
        return majority(len(self.owners))

    @property
    def end(self) -> LogEnd:
        """How far the log goes."""
        return LogEnd(self.term, self.seq, self.head)

    def owner_of(self, seat: int) -> int:
        """Return the seat of the person on whose node a seat is played."""
        return self.absence.owner_of(seat)

    def next_counter(self, author: int, public: bytes | None = None) -> int:
        """Return the lowest counter that this author may use next.

        `public` is the identity that signs; by default the player or bot that plays the seat now.
        """
        unused = self._counters.next(author, public or self.public_key(author))
        return max(unused, self.term * COUNTERS_PER_TERM) if author == HOST else unused

    def knows(self, head: bytes) -> bool:
        """Whether a hash names an entry of this log, or the table itself."""
        return self._number_of(head) is not None

    def _number_of(self, head: bytes) -> int | None:
        """Return the number of the entry with this hash, -1 for the table id, None if unknown."""
        return -1 if head == self.table_id else self.hashes.number(head)

    def public_key(self, author: int) -> bytes:
        """Return the identity that signs for an author; for the host role, the host's person."""
        signs = self.absence.signed_roster if author == HOST else self.roster
        return signs.seats[self.host if author == HOST else author].identity

    def copy(self) -> Replay:
        """Return an independent replay of the same log. It shares the hashes and costs little."""
        return deepcopy(self, {id(self.genesis): self.genesis})

    def suppose_left(self, *owners: int) -> list[LogEvent]:
        """In a copy only: let `owners`, who count, leave, and return what happens.

        The copy is then at the end of the present round or, if a round of play continues, still in
        it. This needs neither signatures nor the shares of other owners.
        """
        happened = [each for owner in owners for each in self.absence.leave(owner)]
        for seat in sorted(self.leaving):
            if seat == self.host and len(self.absence.present_owners) > 2:
                self.host = self.owners[0]
            happened += self._drop(bodies.Drop(seat, bodies.DropReason.LEFT))
        current = self.round
        if current is None or self.between_rounds:
            return happened
        happened += seed_recovery.suppose_recovered(current)
        if current.faults:
            return happened  # only an audit of the whole round can judge them
        if current.void is not None or current.phase is ProtocolPhase.ATTEST:
            current.phase = ProtocolPhase.ATTEST
            missing = current.missing()
            # The others find what those who have attested already found.
            found = audit_round(current).blamed if any(current.attests.values()) else ()
            current.attests.update(dict.fromkeys(missing, found))
            current.attest_heads.update(dict.fromkeys(missing, self.seq))
            happened += self._close_round()
        elif current.phase > ProtocolPhase.PLAY or current.engine.over or current.dealer is None:
            # Nobody knows the result before all seeds are revealed, nor who will deal.
            current.phase = ProtocolPhase.DONE
            happened += self.absence.settle()
        return happened

    def state(self) -> bytes:
        """Return the hash of the whole public state, which holds no clock and no secrets."""
        return H("state", encode(self.public_state()))

    def public_state(self) -> tuple[object, ...]:
        """Return the whole public state as canonical nested tuples."""
        return (
            self.term,
            self.host,
            self._counters.public_state(),
            self.absence.public_state(),
            tuple(sorted(self.ports.items())),
            self.closed,
            self.match.public_state(),
            None if self.round is None else self.round.public_state(),
        )

    # ---- bodies and entries -----------------------------------------------------------------

    def check(self, signed: SignedBody, *, trusted: bool = False) -> Body:
        """Check all of a body except what its payload means, and parse it; raises `BodyRefused`.

        `trusted` skips the signature, for a body whose signature has been checked.
        """
        try:
            body = signed.read()
        except Unreadable as error:
            raise BodyRefused(RefusalReason.MALFORMED, str(error)) from None
        if body.table != self.table_id:
            raise BodyRefused(RefusalReason.WRONG_TABLE)
        if body.author != HOST and body.author >= len(self.roster.seats):
            raise BodyRefused(RefusalReason.NOT_A_SEAT)
        if len(signed.body) > (MAX_BODY if body.author == HOST else MAX_SEAT_BODY):
            raise BodyRefused(RefusalReason.MALFORMED, "longer than any honest body")
        if (body.author == HOST) != isinstance(body.payload, HOST_PAYLOADS):
            raise BodyRefused(
                RefusalReason.NOT_A_SEAT, "payload of the host role from a seat, or the reverse"
            )
        public = self._check_author(signed, body, trusted=trusted)
        if self.closed is not None:
            raise BodyRefused(RefusalReason.CLOSED)
        if body.counter < self.next_counter(body.author, public):
            raise BodyRefused(RefusalReason.STALE_COUNTER)
        if not self.knows(body.head):
            raise BodyRefused(RefusalReason.UNKNOWN_HEAD)
        if body.round != self.number:
            raise BodyRefused(RefusalReason.WRONG_ROUND)
        returns = isinstance(body.payload, bodies.Return)
        if body.author != HOST and self.absence.may_not_sign(body.author) and not returns:
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "this seat was dropped")
        if self._is_too_full_for(body.payload):
            raise BodyRefused(RefusalReason.FULL)
        return body

    def _is_too_full_for(self, payload: Payload) -> bool:
        if isinstance(payload, bodies.Elect):
            return limits.only_close(self.seq, self.size)
        return self.full and not isinstance(payload, bodies.Close)

    def _check_author(self, signed: SignedBody, body: Body, *, trusted: bool) -> bytes:
        """Check the signature of a body and return the identity that signed it.

        The author of an Elect is the host that it elects.
        """
        host, term = self.host, self.term
        if isinstance(body.payload, bodies.Elect):
            host, term = self._election(body.payload)
        public = self._signer(body, host)
        if not trusted and not signed.signed_by(public):
            raise BodyRefused(RefusalReason.BAD_SIGNATURE)
        if body.author == HOST and body.counter // COUNTERS_PER_TERM != term:
            raise BodyRefused(RefusalReason.STALE_COUNTER, "a counter of another term")
        return public

    def _signer(self, body: Body, host: int) -> bytes:
        """Return the identity that must sign a body, if the seat `host` is the host."""
        signs = self.roster
        if body.author == HOST or isinstance(body.payload, bodies.Leave | bodies.Return):
            # A person signs their own Leave and Return, even while a bot fills in for them.
            signs = self.absence.signed_roster
        return signs.seats[host if body.author == HOST else body.author].identity

    def append(self, signed: SignedBody, ms: int, host: Identity) -> tuple[Entry, list[LogEvent]]:
        """As the host: apply a body, and make and sign the entry that holds it.

        `ms` is the milliseconds since genesis, from `Times.next`. Changes nothing if it raises
        `BodyRefused`.
        """
        body = self.check(signed)
        if not self.times.follows(ms):
            raise BodyRefused(RefusalReason.NOT_NOW, _TIME_GOES_BACK)
        happened = self._apply(body, ms)
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
        self._add_to_chain(entry, body, ms)
        return entry, happened

    def elect(
        self, votes: Sequence[SignedVote], ms: int, candidate: Identity
    ) -> tuple[Entry, list[LogEvent]]:
        """As the owner that these votes elect: begin the next term.

        Changes nothing if it raises `BodyRefused`.
        """
        payload = bodies.Elect(tuple(votes))
        _, term = self._election(payload)
        counter = term * COUNTERS_PER_TERM
        body = Body(self.table_id, self.number, HOST, counter, self.head, payload)
        return self.append(sign_body(body, candidate), ms, candidate)

    def follow(self, entry: Entry, *, trusted: bool = False) -> list[LogEvent]:
        """As any other node: apply the host's next entry; raises `HostFault`.

        `trusted` skips the signatures, for an entry that this process has checked. Do not use this
        object after a `HostFault`: later entries are not part of the log.
        """
        core, host = self._read_entry(entry, trusted=trusted)
        if core.table != self.table_id:
            raise self._forged("an entry of another table")
        if core.term == self.term and core.seq < self.seq and not self.knows(entry.hash):
            why = "the host signed two entries with this number"
            raise self._fault(self.host, Fault.EQUIVOCATION, why)
        later = core.term > self.term
        if core.term < self.term or core.seq != self.seq:
            raise self._forged(
                f"entry {core.seq} of term {core.term} where entry {self.seq} is next"
            )
        if core.prev != self.head:
            if later:
                raise self._forged("a term that does not follow this log")
            why = "the host signed two histories: this entry does not follow the last one"
            raise self._fault(self.host, Fault.EQUIVOCATION, why)
        if not self.times.follows(core.ms):
            raise self._fault(host, Fault.BAD_ORDER, _TIME_GOES_BACK)
        try:
            body = self.check(core.signed_body, trusted=trusted)
            if isinstance(body.payload, bodies.Elect) and not later:
                raise BodyRefused(RefusalReason.ILLEGAL, "an election in an entry of the old term")
            happened = self._apply(body, core.ms)
        except BodyRefused as refused:
            fault, check = FAULT_OF_REFUSAL.get(refused.refusal, OTHER_FAULT)
            raise self._fault(host, fault, str(refused), check) from None
        if core.state != self.state():
            raise self._fault(self.host, Fault.BAD_STATE, "another state", Check.STATES)
        self._add_to_chain(entry, body, core.ms)
        return happened

    def _read_entry(self, entry: Entry, *, trusted: bool) -> tuple[EntryCore, int]:
        """Parse an entry; return it with the seat of the host that signed it, present or new."""
        try:
            core = entry.read()
        except Unreadable as error:
            if not entry.signed_by(self.public_key(HOST)):
                raise self._forged(_NOT_SIGNED, Check.SIGNATURES) from None
            why = f"a signed entry that does not decode: {error}"
            raise self._fault(self.host, Fault.FORGED, why) from None
        host = self.host
        if core.term > self.term and core.table == self.table_id:
            # The author is not the host yet, so no seat can be blamed for an invalid entry.
            try:
                body = core.signed_body.read()
                if not isinstance(body.payload, bodies.Elect):
                    raise self._forged("a new term without votes")
                host, term = self._election(body.payload)
            except (Unreadable, BodyRefused) as error:
                raise self._forged(f"invalid election: {error}") from None
            if term != core.term:
                raise self._forged("votes of another term")
        if not trusted and not entry.signed_by(self.absence.signed_roster.seats[host].identity):
            raise self._forged(_NOT_SIGNED, Check.SIGNATURES)
        return core, host

    def _forged(self, why: str, check: Check = Check.CHAIN) -> HostFault:
        """Return the fault of an entry that blames nobody: anybody may have made it."""
        return self._fault(None, Fault.FORGED, why, check)

    def _fault(
        self, seat: int | None, fault: Fault, why: str, check: Check = Check.CHAIN
    ) -> HostFault:
        return HostFault(Blame(seat, fault, self.number, self.seq, why), check)

    def _add_to_chain(self, entry: Entry, body: Body, ms: int) -> None:
        self.times.note_entry(body, ms, self.seq, self.round)
        self.head = entry.hash
        self.hashes.append(entry.hash)
        self.seq += 1
        self.size += len(entry.core) + len(entry.signature)
        if self.round is not None:
            self.round.note_entry_hash(entry.hash)

    # ---- payloads ---------------------------------------------------------------------------

    def _apply(self, body: Body, ms: int) -> list[LogEvent]:
        """Apply the payload, or raise `BodyRefused` and change nothing."""
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
                happened = self.absence.return_seat(body.author, self.host, between_rounds=between)
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
                happened = acting.time_out(self._open_round(), payload, self.seq)
            case bodies.Settle():
                happened = hand_transfer.settle(self._open_round(), payload, self.seq)
            case _:
                head = self._number_of(body.head)
                assert head is not None  # `check` refused unknown heads
                happened = self._open_round().take(body.author, payload, self.seq, head)
        self._counters.use(body.author, signer, body.counter)
        happened += self._close_round()
        self.course.note_entry(happened, self.seq, self.round, self.dropped, self.match.playing)
        return happened

    def _open_round(self) -> RoundLog:
        if self.round is None:
            raise BodyRefused(RefusalReason.NOT_NOW, "no round is open")
        return self.round

    def _open(self, payload: bodies.Open) -> list[LogEvent]:
        plan = self.next_plan()
        if plan is None:
            raise BodyRefused(RefusalReason.NOT_NOW, "no round can open here")
        if payload != open_payload(plan):
            raise BodyRefused(RefusalReason.ILLEGAL, "not the round that follows from the match")
        absence = self.absence
        owners, filled = absence.owner_seats, absence.filled
        self.round = RoundLog(self.table_id, self.roster, owners, filled, payload)
        return [events.RoundOpened(payload.number, payload.kind, payload.seats, payload.dealer)]

    def _close(self, payload: bodies.Close) -> list[LogEvent]:
        if payload.count != self.seq or payload.scores != tuple(self.match.totals):
            raise BodyRefused(RefusalReason.ILLEGAL, "wrong number of entries or wrong scores")
        boundary = self.between_rounds and self.can_continue
        fits = {
            CloseReason.FINISHED: boundary and self.match.over,
            CloseReason.STOPPED: boundary and not self.match.over,
            CloseReason.CHEATING: self.between_rounds and self.blamed,
            CloseReason.INCOMPLETE: True,
            CloseReason.TOO_LONG: self.nearly_full,
        }
        if not fits[payload.reason]:
            raise BodyRefused(RefusalReason.ILLEGAL, "the log cannot close for this reason")
        self.closed = payload.reason
        return [events.LogClosed(payload.reason)]

    def _drop(self, payload: bodies.Drop) -> list[LogEvent]:
        before = set(self.dropped)
        gone = self.absence.drop(payload.seat, payload.reason, self.host)
        away = sorted(set(self.dropped) - (before - set(gone)))
        happened: list[LogEvent] = [events.SeatDropped(seat, payload.reason) for seat in away]
        if self.round is not None:
            left = payload.reason is bodies.DropReason.LEFT
            happened += self.round.drop(gone, self.seq, None if left else self.host)
        return happened + (self.absence.settle() if self.between_rounds else [])

    def _fill_in(self, payload: bodies.FillIn) -> list[LogEvent]:
        if not self.between_rounds:
            raise BodyRefused(RefusalReason.NOT_NOW, "a round is under way")
        return self.absence.fill_in(payload, self.table_id, self.host)

    def _expose(self, payload: bodies.Expose) -> list[LogEvent]:
        first = SignedBody(payload.first, payload.first_signature)
        second = SignedBody(payload.second, payload.second_signature)
        seat = proven_equivocation(self, first, second)
        as_host = seat is not None and first.read().author == HOST
        return self._record_fault(
            seat, Fault.EQUIVOCATION, "one counter used twice", person=as_host
        )

    def _record_fault(
        self, seat: int | None, fault: Fault, detail: str, *, person: bool
    ) -> list[LogEvent]:
        """Record a fault that two signatures prove, once.

        `seat` is None if they prove none. `person`: the seat's player is guilty, not a bot that
        fills in.
        """
        if seat is None:
            raise BodyRefused(RefusalReason.ILLEGAL, "this proves no fault")
        if person and seat in self.absence.filled:
            raise BodyRefused(RefusalReason.NOT_NOW, "a bot fills this seat now")
        # While a bot fills in, its owner is to blame, not the absent player.
        guilty = self.absence.filled.get(seat, seat)
        known = {(each.seat, each.fault) for each in self.exposed}
        in_round = {(each.seat, each.fault) for each in self.round.faults} if self.round else set()
        if (guilty, fault) in known or (seat, fault) in in_round:
            raise BodyRefused(RefusalReason.ALREADY_DONE)
        if self.round is not None and not self.between_rounds:
            return closing.convict(self.round, fault, seat, self.seq, detail)
        blame = Blame(guilty, fault, self.number, self.seq, detail)
        self.exposed.append(blame)
        return [events.FaultFound(blame), *self._expel((seat,)), *self.absence.settle()]

    def _expel(self, cheats: Sequence[int]) -> list[LogEvent]:
        """Expel proven cheats and continue, or halt if one of them is played on the host's node."""
        if any(self.owner_of(seat) == self.host for seat in cheats):
            self.can_continue = False
            return []
        return [each for seat in cheats for each in self.absence.convict(seat)]

    def _judge_attestations(self, current: RoundLog) -> list[LogEvent]:
        """Expel proven cheats; halt if an attestation contradicts the proof.

        Does nothing if no fault is proven or claimed. An attestation may omit a seat whose fault
        the log proves only after the last entry that the author of the attestation held.
        """
        if not current.faults and not any(current.attests.values()):
            return []
        proven = set(audit_round(current).blamed)
        for seat, blamed in current.attests.items():
            held = current.attest_heads[seat]
            later = {each.seat for each in current.faults if each.entry > held}
            if set(blamed) - proven or proven - set(blamed) - later:
                self.can_continue = False
                return []
        return self._expel(sorted(proven))

    def _election(self, payload: bodies.Elect) -> tuple[int, int]:
        """Return seat and term of the host that the votes elect; raises `BodyRefused`."""
        return elected_host(
            self.absence.signed_roster, self.table_id, self.owners, self.end, payload.votes
        )

    def _elect(self, payload: bodies.Elect) -> list[LogEvent]:
        self.host, self.term = self._election(payload)
        self.terms.append(Term(self.term, self.seq, self.host))
        return [events.HostElected(self.host, self.term)]

    def _expose_votes(self, payload: bodies.ExposeVotes) -> list[LogEvent]:
        seat = double_vote(self.absence.signed_roster, self.table_id, payload.first, payload.second)
        return self._record_fault(seat, Fault.DOUBLE_VOTE, "two votes in one term", person=True)

    def _listen(self, seat: int, payload: bodies.Listen) -> list[LogEvent]:
        if self.owner_of(seat) != seat:
            raise BodyRefused(RefusalReason.NOT_A_SEAT, "not a person's seat")
        if self.ports.get(seat) == payload.port:
            raise BodyRefused(RefusalReason.ALREADY_DONE)
        self.ports[seat] = payload.port
        return []

    def _close_round(self) -> list[LogEvent]:
        """Close the round once all attestations are in."""
        current = self.round
        if current is None or current.phase is not ProtocolPhase.ATTEST or current.missing():
            return []
        current.phase = ProtocolPhase.DONE
        clean = tuple(sorted(seat for seat, blamed in current.attests.items() if not blamed))
        result = current.result
        counted = result is not None and bool(clean) and len(clean) == len(current.attests)
        happened: list[LogEvent] = []
        if result is not None and counted:
            self.match.finish(result)
            if current.kind is RoundKind.PLAY:
                self.absence.sitting_out.clear()
        else:
            self.match.void()
            if current.void is not None:
                happened += self.absence.round_void(current.voided_by, current.disputed_drops)
        happened += self._judge_attestations(current) + self.absence.settle()
        players = tuple(seat for seat in current.order if current.owner_of(seat) == seat)
        self.summaries.append(
            RoundSummary(
                number=current.number,
                kind=current.kind,
                counted=counted,
                attested=clean,
                void=current.void,
                void_without=current.void_without,
                totals=tuple(self.match.totals),
                players=players,
                lost=tuple(seat for seat in players if seat in current.lost),
            )
        )
        return [events.RoundClosed(current.number, result, counted), *happened]


_NOT_SIGNED = "an entry that the host did not sign"
_TIME_GOES_BACK = "a time that does not follow the previous entry"


def open_payload(plan: RoundPlan) -> bodies.Open:
    """Return the only Open that fits a plan."""
    return bodies.Open(plan.number, plan.kind, plan.seats, plan.dealer)


def proven_equivocation(replay: Replay, first: SignedBody, second: SignedBody) -> int | None:
    """Return the seat that signed two different bodies with one counter of this table, or None.

    Both bodies must name this table and carry the author's signature; anything less proves nothing.
    """
    try:
        one, two = first.read(), second.read()
    except Unreadable:
        return None
    same = one.author == two.author and one.counter == two.counter
    if not same or not one.table == two.table == replay.table_id or first.body == second.body:
        return None
    seats, seat = replay.roster.seats, one.author
    if seat == HOST:
        seats, term = replay.absence.signed_roster.seats, one.counter // COUNTERS_PER_TERM
        seat = next((each.host for each in replay.terms if each.number == term), HOST)
    if seat >= len(seats):
        return None
    key = seats[seat].identity
    return seat if first.signed_by(key) and second.signed_by(key) else None
