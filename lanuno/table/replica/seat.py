"""The session of one seat, or of a spectator, at a table whose log has begun. Sans I/O.

It reads the log with its node's replica (`replica.py`), does the automatic steps of its seat
(`automatic_steps.py`), keeps the keys of its hand, and signs the decisions of its player. It
releases secrets only as the protocol permits, and only for final entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from lanuno.dealing.identity import Identity
from lanuno.dealing.sealing import Seal
from lanuno.log.faults import RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import MAX_COUNTER, Body, Payload, SignedBody, sign_body
from lanuno.log.format.genesis import Roster
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LogEvent, RoundOpened
from lanuno.log.round.round_audit import RoundReport
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import ANY_TIME, Action, OpenHand, Play, Show, Verdict
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.view import SeatView, view
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.lobby.peer import Entropy
from lanuno.table.outputs import (
    TO_HOST,
    ActionRefused,
    RoundHalted,
    SeatOutput,
    Send,
    StoreBody,
    ViewChanged,
)
from lanuno.table.recovery import RecoveredSeat
from lanuno.table.replica.automatic_steps import MOST_TRIES, AutomaticSteps
from lanuno.table.replica.hand_keys import Unsound
from lanuno.table.replica.pending import PendingBodies, SentBody, still_wanted
from lanuno.table.replica.replica import Replica
from lanuno.table.replica.seat_keys import SeatKeys

STALE_REFUSALS = frozenset(
    each.value
    for each in (RefusalReason.STALE_COUNTER, RefusalReason.UNKNOWN_HEAD, RefusalReason.WRONG_ROUND)
)
"""Refusals after which the same payload is signed again on the newest head."""

MOST_UNLOCKS_IN_BODY = 64
"""Maximum number of needs that one body answers."""

WITHOUT_SECRETS = (AutomaticStepKind.COMMIT, AutomaticStepKind.ATTEST)
"""Steps that need none of the secrets to which the seat committed."""

AFTER_HALT = (
    bodies.Halt,
    bodies.Reveal,
    bodies.Attest,
    bodies.Leave,
    bodies.Return,
    bodies.Listen,
)
"""What a seat still signs in a round in which it has found a fault: nothing that plays on."""

AUTOMATIC_PHASES = (RoundPhase.SHOW, RoundPhase.VERDICT, RoundPhase.OPEN_HAND)
"""Decisions that the node answers automatically, because the player has no choice."""


class SeatSession:
    """The session of one seat, or of a spectator without a seat.

    It reads the log with its node's replica (`LogReader`).
    """

    def __init__(
        self,
        replica: Replica,
        identity: Identity | None,
        entropy: Entropy,
        recovered: Mapping[int, RecoveredSeat] = MappingProxyType({}),
        *,
        stand_in: bool = False,
        sealer: Seal | None = None,
    ) -> None:
        """`identity`: signs for the seat; None to watch. `recovered`: recovered state, by seat.

        `stand_in`: the session has a seat only while the log lets it fill in for a player. Before
        that, and after the player has taken the seat again, it watches. `sealer` makes the boxes
        for other seats; None for `seal`.

        Raises `TableError` if the identity has no seat.
        """
        self.replica = replica
        self.seat: int | None = None
        """The seat of this identity, even while a bot fills in for it."""
        self.presence_of: Callable[[int, bytes], bytes | None] = _reaches_nobody
        """Called with an owner and the hash of the entry that drops it. Returns the owner's signed
        presence; b"" if this node cannot reach the owner; None if that is not known yet."""
        self._identity = identity
        self._entropy = entropy
        self._sealer = sealer
        self._stand_in = stand_in
        self._recovered = recovered
        self._all_sent: dict[int | None, PendingBodies] = {}
        self._sent = PendingBodies()
        self._keys = SeatKeys(self.replay, None, entropy, sealer=sealer)
        self._roster: Roster | None = None
        self._signs = False
        """Whether this identity plays the seat now."""
        self._steps = AutomaticSteps(replica.job_numbers)
        self._asked_at: tuple[int, int, int] | None = None
        self._answered_challenge: tuple[int, int] | None = None
        self._halted = -1
        self._unsound: Unsound | None = None
        """A fault that this seat has found in this round, if any."""
        self._take_place()
        if identity is not None and not (self._signs or stand_in):
            raise TableError("this identity has no seat at the table")
        replica.attach(self)

    @property
    def replay(self) -> Replay:
        """The log as this node holds it. Read only."""
        return self.replica.replay

    def _take_place(self) -> None:
        """Determine the present seat of this identity, and whether it plays that seat."""
        roster = self.replay.roster
        if self._identity is None or roster is self._roster:
            return
        self._roster = roster
        here = [info.identity for info in roster.seats]
        self._signs = self._identity.public in here
        seat = here.index(self._identity.public) if self._signs else None
        if seat != self.seat and (self._signs or self._stand_in):
            self.seat = seat
            self._begin_seat()

    def _begin_seat(self) -> None:
        """Load what this session, or the recovered state, holds for the seat."""
        seat = self.seat
        kept = RecoveredSeat() if seat is None else self._recovered.get(seat, RecoveredSeat())
        if seat not in self._all_sent:
            public = None if self._identity is None else self._identity.public
            self._all_sent[seat] = PendingBodies(kept, public)
        self._sent = self._all_sent[seat]
        self._keys = SeatKeys(
            self.replay, seat, self._entropy, self._sent.seeds, sealer=self._sealer
        )

    # ---- what a player may see --------------------------------------------------------------

    def view(self) -> SeatView | None:
        """Return what this seat, or a spectator, may see of the game; None between rounds."""
        current = self.replay.round
        if current is None or not isinstance(current.engine, Round):
            return None
        cards = self._keys.readable()
        return view(self.replay.match, current.engine, self.seat if self._signs else None, cards)

    @property
    def to_move(self) -> bool:
        """Whether this seat has to decide now and can read its whole hand."""
        game = self._game
        if game is None or game.decider != self.seat:
            return False
        return game.phase not in AUTOMATIC_PHASES and self._sees_its_hand

    @property
    def halted(self) -> bool:
        """Whether this seat has found a fault in this round, and plays no more in it."""
        return self._unsound is not None

    @property
    def _game(self) -> Round | None:
        """The game in which this seat can act now; None if there is none."""
        current = self.replay.round
        if current is None or self.replay.closed is not None or self.replica.stopped is not None:
            return None
        if self.halted or not self._signs or current.phase is not ProtocolPhase.PLAY:
            return None
        return current.engine if isinstance(current.engine, Round) else None

    @property
    def _sees_its_hand(self) -> bool:
        """Whether this seat can read its whole hand. Otherwise it could break the rules.

        The log must say so, or it would refuse the act. But the keys in a box may be wrong.
        """
        current = self.replay.round
        assert current is not None
        assert isinstance(current.engine, Round)
        assert self.seat is not None
        hand = current.engine.hands.get(self.seat, ())
        return (
            current.can_read_hand(self.seat) and self._keys.holds(hand) and self._keys.opened(hand)
        )

    # ---- inputs -----------------------------------------------------------------------------

    def act(self, action: Action) -> list[SeatOutput]:
        """Submit the player's decision. Raises `TableError` if the rules refuse it."""
        game = self._game
        if game is None or self.seat is None:
            raise TableError("nothing can be played now")
        if not self.replica.caught_up:
            raise TableError("the table is paused")
        if isinstance(action, Show | Verdict | OpenHand):
            raise TableError("hands are shown, judged and opened automatically")
        if not isinstance(action, ANY_TIME) and not self._sees_its_hand:
            raise TableError("not all cards of the hand are open yet")
        refusal = game.refusal(self.seat, action, self._keys.readable())
        if refusal is not None:
            raise TableError(refusal.name.lower().replace("_", " "))
        return self._act(game, action)

    def leave(self) -> list[SeatOutput]:
        """Leave the table on purpose."""
        if not self._may_submit(bodies.Leave) or not self._signs:
            return []
        return self._submit(bodies.Leave())

    def take_seat_again(self) -> list[SeatOutput]:
        """Return after having been dropped, to play in later rounds."""
        if self._stand_in or self.seat not in self.replay.dropped:
            return []
        return self._submit(bodies.Return()) if self._may_submit(bodies.Return) else []

    def listen(self, port: int) -> list[SeatOutput]:
        """Announce the TCP port on which this node listens for other nodes."""
        if self.seat is None or not port or self.replay.ports.get(self.seat) == port:
            return []
        if self.seat in self.replay.dropped or self.replay.owner_of(self.seat) != self.seat:
            return []
        return self._submit(bodies.Listen(port)) if self._may_submit(bodies.Listen) else []

    def _may_submit(self, kind: type[Payload]) -> bool:
        """Whether a body outside the game may be submitted now, and none of its kind is pending."""
        if self.seat is None or self.replica.stopped or self.replay.closed is not None:
            return False
        return self.replica.caught_up and not self._sent.has(self.replay, self.seat, kind)

    def say(self, text: str) -> list[SeatOutput]:
        """Send a line of chat."""
        return [Send(TO_HOST, messages.Say(text[: messages.LONGEST_CHAT]))]

    def react(self, reaction: messages.Reaction) -> list[SeatOutput]:
        """Send a reaction to everybody at the table."""
        return [Send(TO_HOST, messages.React(reaction))]

    def read_score(self, number: int, *, reading: bool) -> list[SeatOutput]:
        """Tell the host whether the player looks at the score of this round."""
        return [Send(TO_HOST, messages.ReadsScore(number, reading))]

    def job_done(self, job: int, result: object) -> list[SeatOutput]:
        """Accept the result of a `RunJob`."""
        done = self._steps.job_done(job)
        if done is None or self.replica.stopped is not None or not self.replica.caught_up:
            return []  # a step that is still due begins anew once the replica has caught up
        if done.step.seat != self.seat or not done.holds(self.replay):
            self._steps.discard(done)
            return self._begin_due_steps()
        if isinstance(result, Unsound):
            self._unsound = result
            return self._report_wrong()
        return self._submit(done.finish(result), (done.step,))

    # ---- following the log ------------------------------------------------------------------

    def note_entry(self, happened: Sequence[LogEvent]) -> None:
        """Open the cards that an entry makes readable, and look for faults in them."""
        self._take_place()
        if any(isinstance(event, RoundOpened) for event in happened):
            self._unsound = None
        found = [self._keys.open_new(event) for event in happened]
        self._unsound = next(filter(None, found), self._unsound)

    def after_entry(self) -> list[SeatOutput]:
        """Halt the round for a fault that an entry showed."""
        # Until the replica has caught up with a host, this waits for `caught_up_again`.
        return self._report_wrong() if self.replica.caught_up else []

    def _report_wrong(self) -> list[SeatOutput]:
        """Halt the round once for the fault that this seat has found in it, if any."""
        current, unsound = self.replay.round, self._unsound
        if unsound is None or current is None or current.phase >= ProtocolPhase.REVEAL:
            return []
        if not self._signs or self._halted == current.number or self.replay.closed is not None:
            return []
        assert self.seat is not None
        self._halted = current.number
        halt = bodies.Halt(unsound.reason, unsound.of)
        return [*self._submit(halt), RoundHalted(self.seat)]

    def proceed(self) -> list[SeatOutput]:
        """Do what is due now. Also called after a change outside the log."""
        if self.replica.stopped is not None:
            return []
        return self._begin_due_steps() + self._answer_challenge()

    def caught_up_again(self) -> list[SeatOutput]:
        """Submit again what is not in the log."""
        self._answered_challenge = None
        self._steps.keep_jobs_only()
        again = self._submit_again() if self._signs else []
        return [*again, *self._report_wrong(), *self.proceed()]

    def _submit_again(self) -> list[SeatOutput]:
        """Submit again each pending body that still fits, as the same bytes or signed anew."""
        assert self.seat is not None
        again = self._sent.sort_out(self.replay, self.seat, self._keys.readable())
        for sent in (*again.send_again, *again.sign_anew):
            self._is_submitted(sent)
        out: list[SeatOutput] = [
            Send(TO_HOST, messages.Submit(sent.signed)) for sent in again.send_again
        ]
        for sent in again.sign_anew:
            out += self._submit(sent.payload, tries=sent.tries + 1)
        if again.lost:
            out.append(ActionRefused(RefusalReason.STALE_DECISION.value, "the table has gone on"))
        return out

    def _is_submitted(self, sent: SentBody) -> None:
        """Note that a body is submitted again, so that its payload is not signed another time."""
        self._steps.mark_begun(sent.steps)
        if isinstance(sent.payload, bodies.Act):
            self._answered_challenge = (sent.round, sent.payload.decision)
        elif isinstance(sent.payload, bodies.Halt):
            self._halted = sent.round

    def before_rewind(self) -> None:
        """Note the used counters: those of bodies in the given-up entries stay used."""
        if self.seat is not None:
            used = self._sent.next_counter(self.replay, self.seat)
            self._sent.counter = max(self._sent.counter, used)

    def start_over(self, happened: Sequence[LogEvent]) -> None:
        """Forget what was read from an end that is given up, and read one entry again."""
        self._steps.clear()
        self._asked_at = self._answered_challenge = self._unsound = None
        self._halted = -1
        self._roster = None
        self._take_place()
        self._begin_seat()
        self.note_entry(happened)

    def read_again(self) -> None:
        """Withdraw the acts that were signed on an end of the log that is gone."""
        for sent in self._all_sent.values():
            sent.withdraw(self.replay)

    # ---- automatic steps --------------------------------------------------------------------

    def _begin_due_steps(self) -> list[SeatOutput]:
        """Begin every automatic step of this seat that may be done now."""
        if not self._signs or self.replica.stopped is not None or not self.replica.caught_up:
            return []
        assert self.seat is not None
        begun = self._steps.begin(
            self.replay,
            self.seat,
            self.replica.releasable_count,
            able=self._is_able,
            complains=lambda: self._keys.complaint() is not None,
        )
        unlocks = [step for step in begun if step.kind is AutomaticStepKind.UNLOCK]
        out: list[SeatOutput] = []
        for step in begun:
            if step.kind is not AutomaticStepKind.UNLOCK:
                out += self._begin_step(step)
        for first in range(0, len(unlocks), MOST_UNLOCKS_IN_BODY):
            some = tuple(unlocks[first : first + MOST_UNLOCKS_IN_BODY])
            lists = self._keys.unlock([step.item for step in some])
            out += self._submit(bodies.Unlock(lists), some)
        return out

    def _is_able(self, step: AutomaticStep) -> bool:
        """Whether this seat has what an automatic step needs.

        A node that has lost its private file has no secrets. A hand to be given away may be one
        whose keys never arrived. A share waits until it is known whether the lost player is gone.
        """
        if step.kind in WITHOUT_SECRETS:
            return True
        if not self._keys.has_secrets:
            return False
        if step.kind is AutomaticStepKind.HAND:
            assert self.replay.round is not None
            return self._keys.holds(self.replay.round.moves[step.item].slots)
        return step.kind is not AutomaticStepKind.SHARE or self._presence_of(step.item) is not None

    def _presence_of(self, seat: int) -> bytes | None:
        """Return the signed presence of a player that was dropped and did not leave on purpose.

        Returns b"" if the player is gone, and None if that is not known yet.
        """
        current = self.replay.round
        assert current is not None
        if seat not in current.dropped_by:
            return b""
        return self.presence_of(current.owner_of(seat), current.drop_hashes[seat])

    def _begin_step(self, step: AutomaticStep) -> list[SeatOutput]:
        if step.kind is AutomaticStepKind.COMMIT:
            keep, commit = self._keys.commit()
            return [*keep, *self._submit(commit, (step,))]
        if step.kind is AutomaticStepKind.ESCROW:
            return self._submit(self._keys.escrow(), (step,))
        if step.kind is AutomaticStepKind.REVEAL:
            return self._submit(self._keys.reveal(), (step,))
        if step.kind is AutomaticStepKind.SHARE:
            here = self._presence_of(step.item)
            if here:
                halt = bodies.Halt(bodies.HaltReason.REACHABLE, step.item, here)
                return self._submit(halt, (step,))
            return self._submit(self._keys.share(step.item), (step,))
        if step.kind is AutomaticStepKind.HAND:
            return self._submit(self._keys.hand_over(step.item), (step,))
        if step.kind is AutomaticStepKind.PASS:
            complaint = self._keys.complaint()
            if complaint is not None:
                return self._submit(complaint, (step,))
            work, finish = self._keys.pass_work(), self._keys.pass_payload
        else:
            work, finish = self._keys.audit_work(), self._attest
        return [self._steps.compute(self.replay, step, work, finish)]

    def _attest(self, result: object) -> Payload:
        assert isinstance(result, RoundReport)
        current = self.replay.round
        assert current is not None
        return bodies.Attest(current.reveal_hash, result.blamed)

    def _answer_challenge(self) -> list[SeatOutput]:
        """Show the challenged hand, judge the hand shown, or open this seat's hand, when due."""
        current, game = self.replay.round, self._game
        if current is None or game is None or not self.replica.caught_up:
            return []
        asked = game.decider == self.seat and game.phase in AUTOMATIC_PHASES
        moment = (current.number, game.decision)
        if not asked or self._answered_challenge == moment:
            return []
        hand, verdict = game.accused_hand, game.phase is RoundPhase.VERDICT
        if current.recovering or not (self._keys.opened if verdict else self._keys.holds)(hand):
            return []
        if self._asked_at is None or self._asked_at[:2] != moment:
            self._asked_at = (*moment, self.replay.seq)
        if self.replica.releasable_count < self._asked_at[2]:
            return []
        self._answered_challenge = moment
        if game.phase is RoundPhase.SHOW:
            return self._act(game, Show())
        if game.phase is RoundPhase.OPEN_HAND:
            return self._act(game, OpenHand())
        assert self.seat is not None
        acquitted = game.refusal(self.seat, Verdict(guilty=False), self._keys.readable())
        return self._act(game, Verdict(guilty=acquitted is not None))

    # ---- signing ----------------------------------------------------------------------------

    def _act(self, engine: Round, action: Action) -> list[SeatOutput]:
        proof, asked = b"", 0
        if isinstance(action, Play):
            proof = self._keys.own_key(action.slot)
        elif isinstance(action, Show):
            proof = self._keys.show()
        elif isinstance(action, OpenHand):
            proof = self._keys.open_hand()
        if isinstance(action, Show | Verdict | OpenHand):
            assert self._asked_at is not None
            asked = self._asked_at[2]
        return self._submit(bodies.Act(engine.decision, action, proof), asked=asked)

    def _submit(
        self, payload: Payload, about: Sequence[AutomaticStep] = (), tries: int = 1, asked: int = 0
    ) -> list[SeatOutput]:
        """Sign and submit a payload.

        `asked`: number of entries up to the one for which it releases a secret; 0 for no release.
        """
        assert self._identity is not None
        assert self.seat is not None
        if self.halted and not isinstance(payload, AFTER_HALT):
            return []
        if any(step.releases for step in about) or isinstance(payload, bodies.Complain):
            asked = self._steps.due_at(about)
        used = self._sent.next_counter(self.replay, self.seat)
        counter = max(self._sent.counter, used)
        if counter > MAX_COUNTER:
            return []  # no node could decode it
        number, head = self.replay.number, self.replay.head
        body = Body(self.replay.table_id, number, self.seat, counter, head, payload)
        signed: SignedBody = sign_body(body, self._identity)
        self._sent.counter = counter + 1
        self._sent.put(counter, SentBody(signed, payload, number, head, tuple(about), tries))
        release = self.replica.binding.release(self.replay, self.seat, counter, asked)
        kept: list[SeatOutput] = [*release, StoreBody(self.seat, counter, signed)]
        return [*kept, Send(TO_HOST, messages.Submit(signed))] if self.replica.in_contact else kept

    def body_refused(self, message: messages.BodyRefusal) -> list[SeatOutput]:
        """Sign a refused body again if only the log has grown; otherwise report the refusal."""
        if message.seat != self.seat or not self.replica.caught_up:
            return []
        sent = self._sent.take(message.counter)
        if sent is None or self.replay.closed is not None:
            return []
        if sent.steps:
            # A step that is still due is done again, at the latest when the log grows.
            self._steps.mark_undone(sent.steps)
            return self._begin_due_steps() if message.refusal in STALE_REFUSALS else []
        stale = message.refusal in (*STALE_REFUSALS, RefusalReason.STALE_DECISION.value)
        cards = self._keys.readable()
        if stale and sent.tries < MOST_TRIES and still_wanted(self.replay, self.seat, cards, sent):
            return self._submit(sent.payload, tries=sent.tries + 1)
        if not sent.by_player:
            return []
        return [ActionRefused(message.refusal, message.detail), ViewChanged()]


def _reaches_nobody(owner: int, drop: bytes) -> bytes | None:
    """The default for a session without a node: no owner can be reached."""
    del owner, drop
    return b""
