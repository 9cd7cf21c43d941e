"""One peer at a table whose log has begun: a seat that plays, or somebody who watches. Sans I/O.

It follows the log, does its seat's automatic steps, keeps the keys of its own hand, and signs what
its player decides. It never guesses: what an honest host cannot have sent stops it, with the
evidence kept. Secrets leave it only as the protocol says, and only for firm entries.
"""

from __future__ import annotations

from collections.abc import Callable

from lanuno.dealing.identity import Identity
from lanuno.log import bodies
from lanuno.log.bodies import Body, Payload, SignedBody, sign_body
from lanuno.log.duties import RELEASES, Duty, DutyKind, duties
from lanuno.log.entries import Entry
from lanuno.log.faults import Blame, Fault, HostFault
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.log.round_audit import RoundReport
from lanuno.rules.actions import Action, Play, Show, Verdict
from lanuno.rules.engine import Round
from lanuno.rules.state import Phase as Moment
from lanuno.rules.view import SeatView, view
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.keyring import Keyring, Unsound
from lanuno.table.lobby_peer import Entropy
from lanuno.table.messages import FromHost
from lanuno.table.outputs import (
    ActionRefused,
    Changed,
    ChatHeard,
    Compute,
    Happened,
    KeepBody,
    KeepEntry,
    KeepGenesis,
    Output,
    Stopped,
    TableWaits,
    ToHost,
)

RETRY_STALE = frozenset({"stale-counter", "unknown-head", "wrong-round"})
"""Refusals after which an automatic step is signed again on the newest head."""


class Session:
    """A seat (or, without one, a spectator) at a table."""

    def __init__(
        self,
        genesis: Genesis,
        identity: Identity | None,
        entropy: Entropy,
    ) -> None:
        """`identity`: signs for its seat; None to watch. Raises `Unreadable`, `TableError`."""
        self.replay = Replay(genesis)
        self.seat: int | None = None
        if identity is not None:
            owners = [seat.identity for seat in self.replay.roster.seats]
            if identity.public not in owners:
                raise TableError("this identity has no seat at the table")
            self.seat = owners.index(identity.public)
        self.stopped: Blame | None = None
        """Why this peer goes no further, if it stopped."""
        self.firm = 0
        """So many entries are firm, as the host says."""
        self.report: RoundReport | None = None
        """Result of the last audit of a round that this seat made itself."""
        self._identity = identity
        self._keys = Keyring(self.replay, self.seat, entropy)
        self._counter = 0
        self._since: dict[Duty, int] = {}
        self._begun: set[Duty] = set()
        self._jobs: dict[int, tuple[Duty, Callable[[object], Payload]]] = {}
        self._job = 0
        self._sent: dict[int, Duty | Action | None] = {}
        self._answered: set[tuple[int, int, Moment]] = set()
        self._halted: set[int] = set()

    # ---- what a player may look at ----------------------------------------------------------

    def view(self) -> SeatView | None:
        """What this seat (or a spectator) may see of the game now; None between rounds."""
        current = self.replay.round
        if current is None or not isinstance(current.engine, Round):
            return None
        cards = self._keys.readable()
        return view(self.replay.match, current.engine, self.seat, cards)

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
            and all(need.to != self.seat for need in current.needs.values())
        )

    def _playing(self) -> bool:
        current = self.replay.round
        return self.replay.closed is None and current is not None and current.phase.name == "PLAY"

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self) -> list[Output]:
        """Start: put the genesis on disk and ask for what was missed."""
        return [KeepGenesis(self.replay.genesis), ToHost(messages.Fetch(0))]

    def receive(self, message: FromHost) -> list[Output]:
        """Take a message of the host."""
        if self.stopped is not None:
            return []
        match message:
            case messages.Entries():
                return self._entries(message)
            case messages.Firm():
                self.firm = max(self.firm, min(message.count, self.replay.seq))
                return self._do_duties() + self._answer_challenge()
            case messages.BodyRefusal():
                return self._refused(message)
            case messages.Said():
                return [ChatHeard(message.name, message.seat, message.text)]
            case messages.Waiting():
                return [TableWaits(message.seats, message.ms / 1000)]
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
        refusal = engine.refusal(self.seat, action, self._keys.readable())
        if refusal is not None:
            raise TableError(refusal.name.lower().replace("_", " "))
        return self._act(engine, action)

    def leave(self) -> list[Output]:
        """Leave the table on purpose."""
        if self.seat is None or self.replay.closed is not None or self.stopped:
            return []
        return self._submit(bodies.Leave(), None)

    def say(self, text: str) -> list[Output]:
        """Chat."""
        return [ToHost(messages.Say(text[: messages.LONGEST_CHAT]))]

    def computed(self, job: int, result: object) -> list[Output]:
        """The result of a `Compute`."""
        duty, finish = self._jobs.pop(job)
        if self.stopped is not None or duty not in duties(self.replay):
            return []
        if isinstance(result, Unsound):
            return self._halt(result.reason, result.of)
        return self._submit(finish(result), duty)

    # ---- following the log ------------------------------------------------------------------

    def _entries(self, message: messages.Entries) -> list[Output]:
        out: list[Output] = []
        if message.first > self.replay.seq:
            blame = Blame(
                None, Fault.BAD_ORDER, self.replay.number, self.replay.seq, "an entry is missing"
            )
            return self._stop(blame)
        fresh = message.entries[self.replay.seq - message.first :]
        for entry in fresh:
            out += self._follow(entry)
            if self.stopped is not None:
                return out
        if fresh:
            out.append(ToHost(messages.Ack(self.replay.seq)))
            out += self._do_duties()
            out += self._answer_challenge()
            out.append(Changed())
        return out

    def _follow(self, entry: Entry) -> list[Output]:
        try:
            happened = self.replay.follow(entry)
        except HostFault as fault:
            return [KeepEntry(entry), *self._stop(fault.blame)]
        out: list[Output] = [KeepEntry(entry)]
        out += [Happened(event) for event in happened]
        for event in happened:
            unsound = self._keys.learn(event)
            if unsound is not None:
                out += self._halt(unsound.reason, unsound.of)
        return out

    def _stop(self, blame: Blame) -> list[Output]:
        self.stopped = blame
        return [Stopped(blame)]

    # ---- automatic steps --------------------------------------------------------------------

    def _do_duties(self) -> list[Output]:
        """Begin every automatic step of this seat that may be done now."""
        if self.seat is None or self.stopped is not None:
            return []
        due = {duty: self._since.get(duty, self.replay.seq) for duty in duties(self.replay)}
        self._since = due
        self._begun &= set(due)
        out: list[Output] = []
        unlocks: list[Duty] = []
        for duty, since in due.items():
            if duty.seat != self.seat or duty in self._begun:
                continue
            if duty.kind in RELEASES and self.firm < since:
                continue
            self._begun.add(duty)
            if duty.kind is DutyKind.UNLOCK:
                unlocks.append(duty)
            else:
                out += self._do(duty)
        if unlocks:
            lists = self._keys.unlock([duty.item for duty in unlocks])
            out += self._submit(bodies.Unlock(lists), unlocks[0])
        return out

    def _do(self, duty: Duty) -> list[Output]:
        if duty.kind is DutyKind.COMMIT:
            keep, commit = self._keys.commit()
            return [*keep, *self._submit(commit, duty)]
        if duty.kind is DutyKind.ESCROW:
            return self._submit(self._keys.escrow(), duty)
        if duty.kind is DutyKind.REVEAL:
            return self._submit(self._keys.reveal(), duty)
        if duty.kind is DutyKind.PASS:
            complaint = self._keys.complaint()
            if complaint is not None:
                return self._submit(complaint, duty)
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
        if current is None or self.seat is None or not self._playing():
            return []
        engine = current.engine
        if not isinstance(engine, Round) or engine.decider != self.seat:
            return []
        moment = (current.number, engine.decision, engine.phase)
        if moment in self._answered or engine.phase not in (Moment.SHOW, Moment.VERDICT):
            return []
        if engine.phase is Moment.SHOW:
            if self.firm < self.replay.seq:
                return []
            self._answered.add(moment)
            return self._act(engine, Show())
        self._answered.add(moment)
        unsound = self._keys.read_shown()
        if unsound is not None:
            return self._halt(unsound.reason, unsound.of)
        cards = self._keys.readable()
        for guilty in (False, True):
            if engine.refusal(self.seat, Verdict(guilty), cards) is None:
                return self._act(engine, Verdict(guilty))
        return []

    def _halt(self, reason: bodies.HaltReason, of: int | None) -> list[Output]:
        if self.replay.number in self._halted:
            return []
        self._halted.add(self.replay.number)
        return self._submit(bodies.Halt(reason, of), None)

    # ---- signing ----------------------------------------------------------------------------

    def _act(self, engine: Round, action: Action) -> list[Output]:
        proof = b""
        if isinstance(action, Play):
            proof = self._keys.own_key(action.slot)
        elif isinstance(action, Show):
            proof = self._keys.show()
        return self._submit(bodies.Act(engine.decision, action, proof), action)

    def _submit(self, payload: Payload, about: Duty | Action | None) -> list[Output]:
        assert self._identity is not None
        assert self.seat is not None
        self._counter = max(self._counter, self.replay.next_counter(self.seat))
        body = Body(
            self.replay.table_id,
            self.replay.number,
            self.seat,
            self._counter,
            self.replay.head,
            payload,
        )
        signed: SignedBody = sign_body(body, self._identity)
        self._sent[self._counter] = about
        self._counter += 1
        return [KeepBody(body.counter, signed.body), ToHost(messages.Submit(signed))]

    def _refused(self, message: messages.BodyRefusal) -> list[Output]:
        about = self._sent.pop(message.counter, None)
        if isinstance(about, Duty):
            if message.refusal in RETRY_STALE:
                self._begun.discard(about)
                return self._do_duties()
            return []
        if about is None or isinstance(about, Show | Verdict):
            return []
        return [ActionRefused(message.refusal, message.detail), Changed()]
