"""One peer at a table whose log has begun: a seat that plays, or somebody who watches. Sans I/O.

It follows the log (`follower.py`), does its seat's automatic steps (`chores.py` says which), keeps
the keys of its own hand, and signs what its player decides. Secrets leave it only as the protocol
says, and only for firm entries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanuno.dealing.identity import Identity
from lanuno.log import bodies
from lanuno.log.bodies import MAX_COUNTER, Body, Payload, SignedBody, sign_body
from lanuno.log.duties import Duty, DutyKind
from lanuno.log.entries import Entry
from lanuno.log.events import Event, RoundOpened
from lanuno.log.faults import Refusal
from lanuno.log.genesis import Genesis, Roster
from lanuno.log.round_audit import RoundReport
from lanuno.log.round_record import Phase
from lanuno.rules.actions import ANY_TIME, Action, OpenHand, Play, Show, Verdict
from lanuno.rules.engine import Round
from lanuno.rules.state import Phase as Moment
from lanuno.rules.view import SeatView, view
from lanuno.table import messages
from lanuno.table.chores import MOST_TRIES, Chores
from lanuno.table.errors import TableError
from lanuno.table.follower import Follower
from lanuno.table.hand_keys import Unsound
from lanuno.table.keyring import Keyring
from lanuno.table.lobby_peer import Entropy
from lanuno.table.messages import FromHost
from lanuno.table.outputs import (
    ActionRefused,
    Changed,
    KeepBody,
    Output,
    ToHost,
)
from lanuno.table.pending import Pending, Sent, still_wanted
from lanuno.table.recall import Recall, SeatRecall
from lanuno.table.release import Binding
from lanuno.table.round_starts import RoundStart

STALE = frozenset(
    each.value for each in (Refusal.STALE_COUNTER, Refusal.UNKNOWN_HEAD, Refusal.WRONG_ROUND)
)
"""Refusals after which the same is signed again on the newest head."""

LISTS_A_BODY = 64
"""Needs that one body can answer."""

BY_ITSELF = (Moment.SHOW, Moment.VERDICT, Moment.OPEN_HAND)
"""Decisions that the program answers: there is nothing to choose."""


class Session(Follower):
    """A seat (or, without one, a spectator) at a table."""

    def __init__(
        self,
        genesis: Genesis,
        identity: Identity | None,
        entropy: Entropy,
        recall: Recall | None = None,
        *,
        stand_in: bool = False,
        binding: Binding | None = None,
    ) -> None:
        """`identity`: signs for its seat; None to watch. `recall`: what an earlier program kept.

        `binding`: what the computer has released, for all of its sessions; None for one of its own.
        `stand_in`: it has a seat only while the log lets it fill in for somebody; until then, and
        when the seat is taken again, it watches.

        Raises `Unreadable`, `TableError`, and `HostFault` if what was kept is not the log.
        """
        if binding is None:
            binding = Binding(None if recall is None else recall.released)
        super().__init__(genesis, binding)
        self.seat: int | None = None
        """The seat of this identity, even while somebody fills in for it."""
        self.presence: Callable[[int, bytes], bytes | None] = _reaches_nobody
        """What an owner signs that is there although the entry with this hash drops it: nothing
        where it cannot be reached from this computer; None if that is not known yet."""
        self.report: RoundReport | None = None
        """Result of the last audit of a round that this seat made itself."""
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
        self._chores = Chores()
        self._asked: tuple[int, int, int] | None = None
        self._answered: tuple[int, int] | None = None
        self._halted = -1
        self._wrong: Unsound | None = None
        """What cannot be right in this round, if anything."""
        self._take_place()
        if identity is not None and not (self._signs or stand_in):
            raise TableError("this identity has no seat at the table")
        self._recall(() if recall is None else recall.entries)
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
            public = None if self._identity is None else self._identity.public
            self._all_sent[seat] = Pending(kept, public)
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

    def receive(self, message: FromHost) -> list[Output]:
        """Take a message of the host."""
        if isinstance(message, messages.BodyRefusal) and self.stopped is None:
            return self._refused(message)
        return super().receive(message)

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
        if isinstance(action, Show | Verdict | OpenHand):
            raise TableError("hands are shown, judged and opened by themselves")
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

    def react(self, reaction: messages.Reaction) -> list[Output]:
        """Show something to everybody at the table."""
        return [ToHost(messages.React(reaction))]

    def computed(self, job: int, result: object) -> list[Output]:
        """The result of a `Compute`."""
        done = self._chores.computed(job)
        if done is None or self.stopped is not None or not self.caught_up:
            return []  # what is still due when this peer has caught up is begun anew
        if done.duty.seat != self.seat or not done.holds(self.replay):
            self._chores.void(done)
            return self._do_duties()
        if isinstance(result, Unsound):
            return self._halt(result.reason, result.of)
        return self._submit(done.finish(result), (done.duty,))

    # ---- following the log ------------------------------------------------------------------

    def _learn(self, happened: Sequence[Event]) -> None:
        self._take_place()
        wrong: list[Unsound] = []
        for event in happened:
            unsound = self._keys.learn(event)
            if unsound is not None:
                wrong.append(unsound)
            if isinstance(event, RoundOpened):
                self._wrong = None
        if wrong:
            self._wrong = wrong[0]

    def _after_entry(self) -> list[Output]:
        # Else it is said once there is a host to say it to.
        return self._say_what_is_wrong() if self.caught_up else []

    def _say_what_is_wrong(self) -> list[Output]:
        return [] if self._wrong is None else self._halt(self._wrong.reason, self._wrong.of)

    def _go_on(self) -> list[Output]:
        return self._do_duties() + self._answer_challenge()

    def _return(self) -> list[Output]:
        """Say again what has not come into the log."""
        self._answered = None
        self._chores.only_work()
        return [*(self._say_again() if self._signs else ()), *self._say_what_is_wrong()]

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
        self._chores.under_way(sent.duties)
        if isinstance(sent.payload, bodies.Act):
            self._answered = (sent.round, sent.payload.decision)
        elif isinstance(sent.payload, bodies.Halt):
            self._halted = sent.round

    def _rewind(self, count: int, rest: tuple[Entry, ...]) -> list[Output]:
        if self.seat is not None:
            # What is given up was signed all the same.
            used = self._sent.next_counter(self.replay, self.seat)
            self._sent.counter = max(self._sent.counter, used)
        return super()._rewind(count, rest)

    def _start_over(self, start: RoundStart, entries: Sequence[Entry]) -> None:
        self._chores.forget()
        self._asked = self._answered = self._wrong = None
        self._halted = -1
        self._roster = None
        self._take_place()
        self._sit()
        super()._start_over(start, entries)
        for sent in self._all_sent.values():
            sent.doubt(self.replay)

    # ---- automatic steps --------------------------------------------------------------------

    def go_on(self) -> list[Output]:
        """Something outside the log has changed: do what may be done now."""
        return self._go_on() if self.stopped is None else []

    def _do_duties(self) -> list[Output]:
        """Begin every automatic step of this seat that may be done now."""
        if not self._signs or self.stopped is not None or not self.caught_up:
            return []
        assert self.seat is not None
        ready = self._keys.ready
        begun = self._chores.begin(
            self.replay,
            self.seat,
            self._sure,
            ready=ready,
            complains=self._complains,
            shares=self._shares,
        )
        unlocks = [duty for duty in begun if duty.kind is DutyKind.UNLOCK]
        out: list[Output] = []
        for duty in begun:
            out += [] if duty.kind is DutyKind.UNLOCK else self._do(duty)
        for first in range(0, len(unlocks), LISTS_A_BODY):
            some = tuple(unlocks[first : first + LISTS_A_BODY])
            lists = self._keys.unlock([duty.item for duty in some])
            out += self._submit(bodies.Unlock(lists), some)
        return out

    def _reached(self, seat: int) -> bytes | None:
        """What a dropped player signs, who has not said that it leaves: nothing if it is gone.

        None if that is not known yet.
        """
        current = self.replay.round
        assert current is not None
        if seat not in current.dropped_by:
            return b""
        return self.presence(current.owner_of(seat), current.drop_hashes[seat])

    def _shares(self, seat: int) -> bool:
        return self._reached(seat) is not None

    def _complains(self) -> bool:
        return self._keys.complaint() is not None

    def _do(self, duty: Duty) -> list[Output]:
        if duty.kind is DutyKind.COMMIT:
            keep, commit = self._keys.commit()
            return [*keep, *self._submit(commit, (duty,))]
        if duty.kind is DutyKind.ESCROW:
            return self._submit(self._keys.escrow(), (duty,))
        if duty.kind is DutyKind.REVEAL:
            return self._submit(self._keys.reveal(), (duty,))
        if duty.kind is DutyKind.SHARE:
            here = self._reached(duty.item)
            if here:
                halt = bodies.Halt(bodies.HaltReason.REACHABLE, duty.item, here)
                return self._submit(halt, (duty,))
            return self._submit(self._keys.share(duty.item), (duty,))
        if duty.kind is DutyKind.HAND:
            return self._submit(self._keys.hand_over(duty.item), (duty,))
        if duty.kind is DutyKind.PASS:
            complaint = self._keys.complaint()
            if complaint is not None:
                return self._submit(complaint, (duty,))
            work, finish = self._keys.pass_work(), self._keys.passed
        else:
            work, finish = self._keys.audit_work(), self._attest
        return [self._chores.compute(self.replay, duty, work, finish)]

    def _attest(self, result: object) -> Payload:
        assert isinstance(result, RoundReport)
        current = self.replay.round
        assert current is not None
        self.report = result
        return bodies.Attest(current.last_head, result.blamed)

    def _answer_challenge(self) -> list[Output]:
        """Show the challenged hand, say the truth about the hand shown, or open it: no choice."""
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
        if self._sure < self._asked[2]:
            return []
        self._answered = moment
        if engine.phase is Moment.SHOW:
            return self._act(engine, Show())
        if engine.phase is Moment.OPEN_HAND:
            return self._act(engine, OpenHand())
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
        proof, asked = b"", 0
        if isinstance(action, Play):
            proof = self._keys.own_key(action.slot)
        elif isinstance(action, Show):
            proof = self._keys.show()
        elif isinstance(action, OpenHand):
            proof = self._keys.open_hand()
        if isinstance(action, Show | Verdict | OpenHand):
            assert self._asked is not None
            asked = self._asked[2]
        return self._submit(bodies.Act(engine.decision, action, proof), asked=asked)

    def _submit(
        self, payload: Payload, about: Sequence[Duty] = (), tries: int = 1, asked: int = 0
    ) -> list[Output]:
        """Sign something. `asked`: number of entries up to the one it releases a secret for."""
        assert self._identity is not None
        assert self.seat is not None
        if any(duty.releases for duty in about) or isinstance(payload, bodies.Complain):
            asked = self._chores.asked(about)
        used = self._sent.next_counter(self.replay, self.seat)
        counter = max(self._sent.counter, used)
        if counter > MAX_COUNTER:
            return []  # nobody could read it
        number, head = self.replay.number, self.replay.head
        body = Body(self.replay.table_id, number, self.seat, counter, head, payload)
        signed: SignedBody = sign_body(body, self._identity)
        self._sent.counter = counter + 1
        self._sent.put(counter, Sent(signed, payload, number, head, tuple(about), tries))
        kept: list[Output] = [*self._binding.release(self.replay, self.seat, counter, asked)]
        kept.append(KeepBody(self.seat, counter, signed))
        return [*kept, ToHost(messages.Submit(signed))] if self._connected else kept

    def _refused(self, message: messages.BodyRefusal) -> list[Output]:
        """The host did not take a body: try again if only the log has moved on, else say so."""
        if message.seat != self.seat or not self.caught_up:
            return []
        sent = self._sent.take(message.counter)
        if sent is None or self.replay.closed is not None:
            return []
        if sent.duties:
            # Whatever is still due is done again, at the latest when the log moves on.
            self._chores.undone(sent.duties)
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


def _reaches_nobody(owner: int, drop: bytes) -> bytes | None:
    """Of a session that knows no other computers."""
    del owner, drop
    return b""
