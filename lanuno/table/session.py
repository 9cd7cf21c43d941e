"""One peer at a table whose log has begun: a seat that plays, or somebody who watches. Sans I/O.

It follows the log, does its seat's automatic steps, keeps the keys of its own hand, and signs what
its player decides. It never guesses: what an honest host cannot have sent stops it, with the
evidence kept. Secrets leave it only as the protocol says, and only for firm entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanuno.dealing.identity import Identity
from lanuno.log import bodies
from lanuno.log.bodies import Body, Payload, SignedBody, sign_body
from lanuno.log.duties import RELEASES, Duty, DutyKind, duties
from lanuno.log.entries import Entry
from lanuno.log.events import Event, RoundOpened
from lanuno.log.faults import Blame, HostFault, Refusal
from lanuno.log.genesis import Genesis, Roster
from lanuno.log.replay import Replay
from lanuno.log.round_audit import RoundReport
from lanuno.log.round_record import Phase
from lanuno.rules.actions import ANY_TIME, Action, Play, Show, Verdict
from lanuno.rules.engine import Round
from lanuno.rules.state import Phase as Moment
from lanuno.rules.view import SeatView, view
from lanuno.table import messages, other_ends
from lanuno.table.errors import TableError
from lanuno.table.hand_keys import Unsound
from lanuno.table.keyring import Keyring
from lanuno.table.lobby_peer import Entropy, heard_chat
from lanuno.table.messages import FromHost
from lanuno.table.other_ends import OtherEnds, OwnEnd
from lanuno.table.outputs import (
    ActionRefused,
    Changed,
    Compute,
    CutEntries,
    Happened,
    KeepBody,
    KeepEntry,
    KeepGenesis,
    Output,
    Stopped,
    Sync,
    TableWaits,
    ToHost,
)
from lanuno.table.pending import Pending, Sent, still_wanted
from lanuno.table.recall import Recall, SeatRecall

STALE = frozenset(
    each.value for each in (Refusal.STALE_COUNTER, Refusal.UNKNOWN_HEAD, Refusal.WRONG_ROUND)
)
"""Refusals after which the same is signed again on the newest head."""

MOST_TRIES = 8
"""So often is one thing signed anew: a host that refuses everything gets no endless work."""

LISTS_A_BODY = 64
"""Needs that one body can answer."""

WITHOUT_SECRETS = (DutyKind.COMMIT, DutyKind.ATTEST)
"""Steps for which nothing need be known of what this seat committed to."""

BY_ITSELF = (Moment.SHOW, Moment.VERDICT)
"""Decisions that the program answers: there is nothing to choose."""


class Session:
    """A seat (or, without one, a spectator) at a table."""

    def __init__(
        self,
        genesis: Genesis,
        identity: Identity | None,
        entropy: Entropy,
        recall: Recall | None = None,
        *,
        stand_in: bool = False,
    ) -> None:
        """`identity`: signs for its seat; None to watch. `recall`: what an earlier program kept.

        `stand_in`: it has a seat only while the log lets it fill in for somebody; until then, and
        when the seat is taken again, it watches.

        Raises `Unreadable`, `TableError`, and `HostFault` if what was kept is not the log.
        """
        self.replay = Replay(genesis)
        self.seat: int | None = None
        """The seat of this identity, even while somebody fills in for it."""
        self.stopped: Blame | None = None
        """Why this peer goes no further, if it stopped."""
        self.firm = 0
        """So many entries are firm, as the host says."""
        self.report: RoundReport | None = None
        """Result of the last audit of a round that this seat made itself."""
        self.entries: list[Entry] = []
        """The log as it came, for whoever becomes the host. For reading."""
        self.caught_up = False
        """Whether this peer is in contact with the host and holds all that it holds."""
        self._identity = identity
        self._entropy = entropy
        self._stand_in = stand_in
        self._remembered = {} if recall is None else recall.seats
        self._all_sent: dict[int | None, Pending] = {}
        self._sent = Pending()
        self._keys = Keyring(self.replay, None, entropy)
        self._roster: Roster | None = None
        self._signs = False
        """Whether the seat is this identity's to play now."""
        self._since: dict[Duty, int] = {}
        self._begun: set[Duty] = set()
        self._tries: dict[Duty, int] = {}
        self._jobs: dict[int, tuple[Duty, Callable[[object], Payload]]] = {}
        self._job = 0
        self._asked: tuple[int, int, int] | None = None
        self._answered: tuple[int, int] | None = None
        self._halted = -1
        self._wrong: Unsound | None = None
        """What could not be right while there was no host to tell it to."""
        self._durable = 0
        self._cuts = 0
        self._connected = False
        self._ends = OtherEnds()
        self._take_place()
        if identity is not None and not (self._signs or stand_in):
            raise TableError("this identity has no seat at the table")
        for entry in () if recall is None else recall.entries:
            self._take(entry, trusted=False)
        self._sent.doubt(self.replay)

    def _take_place(self) -> None:
        """See which seat is this identity's now, and whether it plays it."""
        roster = self.replay.roster
        if self._identity is None or roster is self._roster:
            return
        self._roster = roster
        here = [info.identity for info in roster.seats]
        self._signs = self._identity.public in here
        seat = here.index(self._identity.public) if self._signs else None
        if seat != self.seat and (self._signs or self._stand_in):
            self.seat = seat
            self._sit()

    def _sit(self) -> None:
        """Take up what this program, or an earlier one, knows of the seat."""
        seat = self.seat
        kept = SeatRecall() if seat is None else self._remembered.get(seat, SeatRecall())
        if seat not in self._all_sent:
            self._all_sent[seat] = Pending(kept)
        self._sent = self._all_sent[seat]
        self._keys = Keyring(self.replay, seat, self._entropy, self._sent.seeds)

    # ---- what a player may look at ----------------------------------------------------------

    def view(self) -> SeatView | None:
        """What this seat (or a spectator) may see of the game now; None between rounds."""
        current = self.replay.round
        if current is None or not isinstance(current.engine, Round):
            return None
        cards = self._keys.readable()
        return view(self.replay.match, current.engine, self.seat if self._signs else None, cards)

    @property
    def to_move(self) -> bool:
        """Whether this seat has to decide now and can read all that it was dealt."""
        current = self.replay.round
        if current is None or self.seat is None or self.stopped or not self._playing():
            return False
        engine = current.engine
        return (
            isinstance(engine, Round)
            and engine.decider == self.seat
            and engine.phase not in BY_ITSELF
            and self._sees_its_hand()
        )

    def _playing(self) -> bool:
        current = self.replay.round
        if current is None or self.replay.closed is not None:
            return False
        return self._signs and current.phase is Phase.PLAY

    def _sees_its_hand(self) -> bool:
        """Whether all cards that this seat was dealt are open to it: else it may err."""
        current = self.replay.round
        if current is None or self.seat is None:
            return True
        return self._keys.ready and current.reads_its_cards(self.seat)

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self) -> list[Output]:
        """Start: put the genesis on disk. What is in the journal already is not written again."""
        return [KeepGenesis(self.replay.genesis), Changed()]

    def connected(self) -> list[Output]:
        """There is a connection to the host: ask for what was missed before anything is signed."""
        if self.stopped is not None:
            return []
        self._connected, self.caught_up = True, False
        self._ends.forget()
        return [ToHost(messages.Fetch(self.replay.seq))]

    def disconnected(self) -> None:
        """The host is not in contact any more."""
        self._connected = self.caught_up = False
        self._ends.forget()

    def synced(self, done: Sync) -> list[Output]:
        """The journal is on the disk itself, as far as was asked for."""
        if done.cuts != self._cuts or not self._durable < done.count <= self.replay.seq:
            return []
        self._durable = done.count
        # An end of the log that the host does not have is nothing to acknowledge.
        return [ToHost(messages.Ack(done.count))] if self.caught_up else []

    def receive(self, message: FromHost) -> list[Output]:
        """Take a message of the host."""
        if self.stopped is not None:
            return []
        match message:
            case messages.Entries():
                return self._entries(message)
            case messages.Firm():
                if not self.caught_up:
                    # Of an end that this host may not have nothing is known to be firm.
                    return []
                self.firm = max(self.firm, min(message.count, self.replay.seq))
                return self._do_duties() + self._answer_challenge()
            case messages.BodyRefusal():
                return self._refused(message)
            case messages.Said():
                return self._heard(message)
            case messages.Waiting():
                seats = tuple(seat for seat in message.seats if self._is_seat(seat))
                return [TableWaits(seats, message.ms / 1000)]
            case _:
                return []

    def act(self, action: Action) -> list[Output]:
        """What the player decided. Raises `TableError` if the rules refuse it."""
        current = self.replay.round
        if current is None or self.seat is None or self.stopped or not self._playing():
            raise TableError("nothing can be played now")
        engine = current.engine
        if not isinstance(engine, Round):
            raise TableError("nothing can be played now")
        if not self.caught_up:
            raise TableError("the table is paused")
        if isinstance(action, Show | Verdict):
            raise TableError("hands are shown and judged by themselves")
        if not isinstance(action, ANY_TIME) and not self._sees_its_hand():
            raise TableError("not all cards of the hand are open yet")
        refusal = engine.refusal(self.seat, action, self._keys.readable())
        if refusal is not None:
            raise TableError(refusal.name.lower().replace("_", " "))
        return self._act(engine, action)

    def leave(self) -> list[Output]:
        """Leave the table on purpose."""
        if not self._may_say(bodies.Leave) or not self._signs:
            return []
        return self._submit(bodies.Leave())

    def take_seat_again(self) -> list[Output]:
        """Come back after having been dropped; this seat plays from the next round on."""
        if self._stand_in or self.seat not in self.replay.dropped:
            return []
        return self._submit(bodies.Return()) if self._may_say(bodies.Return) else []

    def listen(self, port: int) -> list[Output]:
        """Tell the others on which TCP port this computer listens for them."""
        if self.seat is None or not port or self.replay.ports.get(self.seat) == port:
            return []
        if self.seat in self.replay.dropped or self.replay.owner_of(self.seat) != self.seat:
            return []
        return self._submit(bodies.Listen(port)) if self._may_say(bodies.Listen) else []

    def _may_say(self, kind: type[Payload]) -> bool:
        """Whether something that is no part of the game can be said now, and is not being said."""
        if self.seat is None or self.stopped or self.replay.closed is not None:
            return False
        return self.caught_up and not self._sent.says(self.replay, self.seat, kind)

    def say(self, text: str) -> list[Output]:
        """Chat."""
        return [ToHost(messages.Say(text[: messages.LONGEST_CHAT]))]

    def computed(self, job: int, result: object) -> list[Output]:
        """The result of a `Compute`."""
        duty, finish = self._jobs.pop(job, (None, None))
        if duty is None or finish is None or self.stopped is not None or not self.caught_up:
            return []  # what is still due when this peer has caught up is begun anew
        if duty.seat != self.seat or duty not in duties(self.replay):
            return []
        if isinstance(result, Unsound):
            return self._halt(result.reason, result.of)
        return self._submit(finish(result), (duty,))

    # ---- following the log ------------------------------------------------------------------

    def _entries(self, message: messages.Entries) -> list[Output]:
        replay = self.replay
        if self._ends.following:
            return self._settle(self._ends.go_on(message.first, message.entries))
        held = replay.seq - message.first
        if held < 0:
            if replay.closed is not None or self._catching_up:
                return []  # asked for before an end was cut off; what is missing is asked for too
            return self._stop(other_ends.missing_entry(replay))
        for number, entry in enumerate(message.entries[:held], message.first):
            if not replay.knows(entry.hash):
                theirs = message.entries[number - message.first :]
                return self._settle(self._ends.meet(self._end, number, theirs))
        # Nothing follows a close: what came after it would make the journal unreadable.
        fresh = () if replay.closed is not None else message.entries[held:]
        if fresh and self._catching_up and other_ends.parts_before(replay, fresh[0]):
            return self._settle(self._ends.meet(self._end, replay.seq, fresh))
        out: list[Output] = []
        for entry in fresh:
            out += self._follow(entry)
            if self.stopped is not None:
                return out
        if fresh:
            out += [Sync(replay.seq, self._cuts), *self._do_duties()]
            out += [*self._answer_challenge(), Changed()]
        if self._catching_up and message.entries and (fresh or replay.closed is None):
            out.append(ToHost(messages.Fetch(replay.seq)))
        elif self._catching_up and not fresh and not held:
            out += self._catch_up()
        return out

    def _catch_up(self) -> list[Output]:
        """All that the host holds is held here too: say again what has not come into the log."""
        self.caught_up = True
        out: list[Output] = (
            [Sync(self.replay.seq, self._cuts)] if self._durable < self.replay.seq else []
        )
        if self._durable:
            out.append(ToHost(messages.Ack(self._durable)))
        self._answered = None
        self._begun = {duty for duty, _ in self._jobs.values()}
        if self._signs:
            out += self._say_again()
        if self._wrong is not None:
            out += self._halt(self._wrong.reason, self._wrong.of)
        return [*out, *self._do_duties(), *self._answer_challenge(), Changed()]

    def _say_again(self) -> list[Output]:
        """The same bytes where they can still be taken, else the same thing, else nothing."""
        assert self.seat is not None
        again = self._sent.look_again(self.replay, self.seat, self._keys.readable())
        for sent in (*again.same, *again.anew):
            self._has_said(sent)
        out: list[Output] = [ToHost(messages.Submit(sent.signed)) for sent in again.same]
        for sent in again.anew:
            out += self._submit(sent.payload, tries=sent.tries + 1)
        if again.lost:
            out.append(ActionRefused(Refusal.STALE_DECISION.value, "the table has gone on"))
        return out

    def _has_said(self, sent: Sent) -> None:
        """What is on its way again need not be said another time."""
        self._begun.update(sent.duties)
        if isinstance(sent.payload, bodies.Act):
            self._answered = (sent.round, sent.payload.decision)
        elif isinstance(sent.payload, bodies.Halt):
            self._halted = sent.round

    @property
    def _catching_up(self) -> bool:
        return self._connected and not self.caught_up

    @property
    def _end(self) -> OwnEnd:
        return OwnEnd(self.replay, self.entries, self.firm, self._catching_up)

    def _settle(self, found: other_ends.Found) -> list[Output]:
        """What becomes of entries that do not stand behind ours."""
        match found:
            case other_ends.LookAt():
                return [ToHost(messages.Fetch(found.first))]
            case other_ends.Newer():
                return self._rewind(found.first, found.entries)
            case other_ends.Wrong():
                return self._stop(found.blame, found.entry)
            case None:
                return []

    def _rewind(self, count: int, rest: tuple[Entry, ...]) -> list[Output]:
        """Others were elected before our last entries were firm: the log goes on without those."""
        entries, self.entries = self.entries[:count], []
        if self.seat is not None:
            used = self.replay.next_counter(self.seat)
            self._sent.counter = max(self._sent.counter, used)
        self.replay, self._roster = Replay(self.replay.genesis), None
        for of_duties in (self._since, self._begun, self._tries, self._jobs):
            of_duties.clear()
        self._asked = self._answered = self._wrong = None
        self._halted = -1
        self._durable = min(self._durable, count)
        self._cuts += 1
        self.caught_up = False
        self._take_place()
        self._sit()
        for entry in entries:
            self._take(entry, trusted=True)
        for sent in self._all_sent.values():
            sent.doubt(self.replay)
        return [CutEntries(count), *self._entries(messages.Entries(count, rest))]

    def _heard(self, said: messages.Said) -> list[Output]:
        if said.seat >= 0:
            if not self._is_seat(said.seat):
                return []
            name = self.replay.roster.seats[said.seat].name
            said = messages.Said(name, said.seat, said.text)
        return heard_chat(said)

    def _is_seat(self, seat: int) -> bool:
        return 0 <= seat < len(self.replay.roster.seats)

    def _follow(self, entry: Entry) -> list[Output]:
        try:
            happened, wrong = self._take(entry, trusted=False)
        except HostFault as fault:
            return self._stop(fault.blame, entry)
        out: list[Output] = [KeepEntry(entry)]
        out += [Happened(event) for event in happened]
        for unsound in wrong:
            out += self._halt(unsound.reason, unsound.of)
        return out

    def _take(self, entry: Entry, *, trusted: bool) -> tuple[list[Event], list[Unsound]]:
        """Let the log go on by an entry; what happened, and what of it cannot be right."""
        happened = self.replay.follow(entry, trusted=trusted)
        self.entries.append(entry)
        self._take_place()
        wrong: list[Unsound] = []
        for event in happened:
            unsound = self._keys.learn(event)
            if unsound is not None:
                wrong.append(unsound)
            if isinstance(event, RoundOpened):
                self._wrong = None
        if wrong and not self.caught_up:
            # It is said once there is a host to say it to.
            self._wrong, wrong = wrong[0], []
        return happened, wrong

    def _stop(self, blame: Blame, evidence: Entry | None = None) -> list[Output]:
        self.stopped = blame
        kept = [] if evidence is None else [KeepEntry(evidence)]
        return [*kept, Stopped(blame)]

    # ---- automatic steps --------------------------------------------------------------------

    def _do_duties(self) -> list[Output]:
        """Begin every automatic step of this seat that may be done now."""
        if not self._signs or self.stopped is not None or not self.caught_up:
            return []
        due = {duty: self._since.get(duty, self.replay.seq) for duty in duties(self.replay)}
        self._since = due
        self._begun &= set(due)
        self._tries = {duty: tries for duty, tries in self._tries.items() if duty in due}
        out: list[Output] = []
        unlocks: list[Duty] = []
        for duty, since in due.items():
            tries = self._tries.get(duty, 0)
            if duty.seat != self.seat or duty in self._begun or tries >= MOST_TRIES:
                continue
            if duty.kind in RELEASES and self.firm < since:
                continue
            if duty.kind not in WITHOUT_SECRETS and not self._keys.ready:
                continue  # the private file is gone, and with it what this seat could do
            self._begun.add(duty)
            self._tries[duty] = tries + 1
            if duty.kind is DutyKind.UNLOCK:
                unlocks.append(duty)
            else:
                out += self._do(duty)
        for first in range(0, len(unlocks), LISTS_A_BODY):
            some = tuple(unlocks[first : first + LISTS_A_BODY])
            lists = self._keys.unlock([duty.item for duty in some])
            out += self._submit(bodies.Unlock(lists), some)
        return out

    def _do(self, duty: Duty) -> list[Output]:
        if duty.kind is DutyKind.COMMIT:
            keep, commit = self._keys.commit()
            return [*keep, *self._submit(commit, (duty,))]
        if duty.kind is DutyKind.ESCROW:
            return self._submit(self._keys.escrow(), (duty,))
        if duty.kind is DutyKind.REVEAL:
            return self._submit(self._keys.reveal(), (duty,))
        if duty.kind is DutyKind.SHARE:
            return self._submit(self._keys.share(duty.item), (duty,))
        if duty.kind is DutyKind.HAND:
            return self._submit(self._keys.hand_over(duty.item), (duty,))
        if duty.kind is DutyKind.PASS:
            complaint = self._keys.complaint()
            if complaint is not None:
                return self._submit(complaint, (duty,))
            return self._compute(duty, self._keys.pass_work(), self._keys.passed)
        return self._compute(duty, self._keys.audit_work(), self._attest)

    def _attest(self, result: object) -> Payload:
        assert isinstance(result, RoundReport)
        current = self.replay.round
        assert current is not None
        self.report = result
        return bodies.Attest(current.last_head, result.blamed)

    def _compute(
        self, duty: Duty, work: Callable[[], object], finish: Callable[[object], Payload]
    ) -> list[Output]:
        self._job += 1
        self._jobs[self._job] = (duty, finish)
        return [Compute(self._job, work)]

    def _answer_challenge(self) -> list[Output]:
        """Show the challenged hand, and say the truth about the hand shown: no choice of ours."""
        current = self.replay.round
        if current is None or self.seat is None or not self._playing() or not self.caught_up:
            return []
        engine = current.engine
        if not isinstance(engine, Round) or engine.decider != self.seat or current.recovering:
            return []
        moment = (current.number, engine.decision)
        if engine.phase not in BY_ITSELF or self._answered == moment or not self._keys.ready:
            return []
        if self._asked is None or self._asked[:2] != moment:
            self._asked = (*moment, self.replay.seq)
        if engine.phase is Moment.SHOW:
            if self.firm < self._asked[2]:
                return []
            self._answered = moment
            return self._act(engine, Show())
        self._answered = moment
        unsound = self._keys.read_shown()
        if unsound is not None:
            return self._halt(unsound.reason, unsound.of)
        acquitted = engine.refusal(self.seat, Verdict(guilty=False), self._keys.readable())
        return self._act(engine, Verdict(guilty=acquitted is not None))

    def _halt(self, reason: bodies.HaltReason, of: int | None) -> list[Output]:
        current = self.replay.round
        if self._halted == self.replay.number or current is None or current.phase >= Phase.REVEAL:
            return []
        if not self._signs or self.replay.closed is not None:
            return []
        self._halted = self.replay.number
        return self._submit(bodies.Halt(reason, of))

    # ---- signing ----------------------------------------------------------------------------

    def _act(self, engine: Round, action: Action) -> list[Output]:
        proof = b""
        if isinstance(action, Play):
            proof = self._keys.own_key(action.slot)
        elif isinstance(action, Show):
            proof = self._keys.show()
        return self._submit(bodies.Act(engine.decision, action, proof))

    def _submit(self, payload: Payload, about: Sequence[Duty] = (), tries: int = 1) -> list[Output]:
        assert self._identity is not None
        assert self.seat is not None
        counter = max(self._sent.counter, self.replay.next_counter(self.seat))
        number, head = self.replay.number, self.replay.head
        body = Body(self.replay.table_id, number, self.seat, counter, head, payload)
        signed: SignedBody = sign_body(body, self._identity)
        self._sent.counter = counter + 1
        self._sent.put(counter, Sent(signed, payload, number, head, tuple(about), tries))
        kept = KeepBody(self.seat, counter, signed)
        return [kept, ToHost(messages.Submit(signed))] if self._connected else [kept]

    def _refused(self, message: messages.BodyRefusal) -> list[Output]:
        """The host did not take a body: try again if only the log has moved on, else say so."""
        if message.seat != self.seat or not self.caught_up:
            return []
        sent = self._sent.take(message.counter)
        if sent is None or self.replay.closed is not None:
            return []
        if sent.duties:
            # Whatever is still due is done again, at the latest when the log moves on.
            self._begun -= set(sent.duties)
            return self._do_duties() if message.refusal in STALE else []
        stale = message.refusal in (*STALE, Refusal.STALE_DECISION.value)
        if stale and sent.tries < MOST_TRIES and self._still_wanted(sent):
            return self._submit(sent.payload, tries=sent.tries + 1)
        if not sent.by_player:
            return []
        return [ActionRefused(message.refusal, message.detail), Changed()]

    def _still_wanted(self, sent: Sent) -> bool:
        """Whether what was signed for an earlier head is right on the present one."""
        cards = self._keys.readable()
        return self.seat is not None and still_wanted(self.replay, self.seat, cards, sent)
