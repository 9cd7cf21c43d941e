"""The host's office: one order for what the seats sign, from genesis to close. Sans I/O.

It decides *when*, never *what*: every entry holds a body that its author signed or one that follows
from the log, and everybody checks it again. What the seats say is taken in `desk.py`; here is what
the host does by itself. Clocks, grace times, the wait around "UNO" and the limits belong to the
two of them, because the engine and the log know no time. `now` is seconds of any steady clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from lanuno.dealing.identity import Identity
from lanuno.log import bodies
from lanuno.log.bodies import (
    CloseReason,
    DropReason,
)
from lanuno.log.entries import Entry
from lanuno.log.faults import BodyRefused
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay, open_payload
from lanuno.log.votes import SignedVote
from lanuno.table import messages
from lanuno.table.clocks import Pace
from lanuno.table.desk import Desk
from lanuno.table.filling import StandIns
from lanuno.table.messages import FromPeer
from lanuno.table.outputs import (
    MayClaim,
    Output,
    Peer,
    Spectator,
    SpectatorsChanged,
    TableFrozen,
    ToPeer,
)


class Sequencer(Desk):
    """The host of one table whose log begins."""

    def __init__(
        self,
        replay: Replay,
        entries: Sequence[Entry],
        host: Identity,
        now: float,
        *,
        rounds: int | None = None,
        pace: Pace | None = None,
        stand_ins: StandIns | None = None,
        unsure: int = 0,
    ) -> None:
        """Host the table of a log that stands behind these entries; nobody is in contact yet.

        `replay` is the office's own from now on. `rounds`: close after so many counted rounds of
        play; None for the whole match. `stand_ins`: fill chairs that partners cannot do without;
        None to wait for those who left. `unsure`: see `Firmness`.
        """
        super().__init__(replay, entries, host, now, pace, unsure)
        self.abdicated: tuple[int, int] | None = None
        """Term and seat of the candidate, once this host has handed over."""
        self._rounds = rounds
        self._stand_ins = stand_ins
        self._now = now
        self._begun = False
        self._stopping = False
        self._announced: tuple[Spectator, ...] = ()
        """Who watches, as this computer was told."""
        self._nobody_plays: float | None = None
        """Since when, in time that counts, no round can open because somebody is waited for."""
        self._offered: tuple[int, ...] = ()

    @classmethod
    def fresh(
        cls,
        genesis: Genesis,
        host: Identity,
        now: float,
        *,
        rounds: int | None = None,
        pace: Pace | None = None,
        stand_ins: StandIns | None = None,
    ) -> Sequencer:
        """Host a table whose log is empty."""
        replay = Replay(genesis)
        return cls(replay, (), host, now, rounds=rounds, pace=pace, stand_ins=stand_ins)

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if nothing waits for time."""
        if self.replay.closed is not None or self._abdicating:
            return self._audience.deadline
        moments = [self._clocks.held_until(held.body, self._now) for held in self._held.values()]
        moments.append(self._clocks.deadline(self._now, self._decided, drops=self._may_drop))
        moments.append(self._audience.deadline)
        if self._nobody_plays is not None and self.firm >= self.replay.seq:
            moments.append(self._clocks.when(self._nobody_plays + self._patience))
        certain = (moment for moment in moments if moment is not None and isfinite(moment))
        return min(certain, default=None)

    @property
    def claimable(self) -> tuple[int, ...]:
        """Seats of a player for whom `claim` ends the wait; see `MayClaim`."""
        return self._offered

    @property
    def settled(self) -> bool:
        """Whether the log is closed and everybody who is still connected holds all of it.

        A seat that was dropped is not waited for, nor anybody who never answers: whoever asks
        sets a time limit.
        """
        return self.replay.closed is not None and all(
            count >= self.replay.seq
            for seat, count in self._audience.acknowledged.items()
            if seat not in self.replay.dropped
        )

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self, now: float) -> list[Output]:
        """Go on where the log stands: everybody who is not attached by now counts as lost."""
        self._begun = True
        self._miss_the_absent(now)
        return self._advance(now)

    def attach(self, peer: Peer, seat: int, count: int, now: float) -> list[Output]:
        """The computer of an owner is connected, and holds `count` entries of this very log.

        It replaces an older link of the same owner.
        """
        out = self._audience.attach(peer, seat, count)
        for each in self.replay.absence.seats_of(seat):
            self._clocks.found(each, now)
        if not self._begun:
            return out
        return out + self._advance(now) + self._audience.tell_places()

    def hear_vote(self, signed: SignedVote, now: float) -> list[Output]:
        """An owner shows a vote: beside those of an election in this log it may be its second."""
        proof = self._witness.voted_twice(signed, self._entries)
        if proof is None:
            return []
        try:
            return self._advance_after(self._say_as_host(proof, now), now)
        except BodyRefused:
            return []  # it is in the log already

    def place(self, peer: Peer, address: str, port: int) -> list[Output]:
        """Where a computer is, as its link says, and the port that it names."""
        return self._audience.place(peer, address, port)

    def abdicate(self, now: float) -> list[Output]:
        """The host leaves politely: another one takes over, or with nobody left the table ends."""
        if self.replay.closed is not None:
            return []
        owners = self.replay.owners
        if len(owners) == 2:
            return self._advance_after(self._forfeit(now), now)
        if len(owners) < 2 or len(self._audience.seats) < self.replay.majority:
            return self.stop(now)
        self._abdicating = True
        return self._advance(now)

    def receive(self, peer: Peer, message: FromPeer, now: float) -> list[Output]:
        """Take a message of a peer."""
        match message:
            case messages.Submit():
                return self._submit(peer, message.body, now) + self._advance(now)
            case messages.Ack():
                self._audience.acknowledge(peer, message.count)
                return self._audience.tell_firm() + self._advance(now)
            case messages.Fetch():
                return self._with_spectators(self._audience.fetch(peer, message.first, now))
            case messages.Say():
                return self._audience.say(peer, message.text, now)
            case messages.React():
                return self._audience.react(peer, message.reaction, now)
            case messages.Join():
                return [ToPeer(peer, messages.Refused(messages.LobbyRefusal.STARTED))]
            case _:
                return []

    def watch(self, peer: Peer, name: str, identity: bytes) -> list[Output]:
        """Let somebody watch; the driver has checked the PIN, and who was sent away."""
        return self._with_spectators(self._audience.watch(peer, name, identity))

    def send_away(self, identity: bytes | None, why: messages.LobbyRefusal) -> list[Output]:
        """The host wants this person not to watch; None: nobody."""
        return self._with_spectators(self._audience.send_away(identity, why))

    def _with_spectators(self, done: list[Output]) -> list[Output]:
        """Tell this computer too who watches, if those are others than before."""
        here = self._audience.spectators
        if here == self._announced:
            return done
        self._announced = here
        return [*done, SpectatorsChanged(here)]

    def left(self, peer: Peer, now: float, *, quiet: bool = False) -> list[Output]:
        """A connection ended. `quiet`: whether nothing showed that the network works."""
        owner = self._audience.left(peer)
        out = self._with_spectators([])
        if owner is None or self.replay.closed is not None:
            return out
        self._lose(owner, now, quiet=quiet)
        return out + self._advance(now)

    def paused(self, seconds: float, now: float) -> list[Output]:
        """This program did not run in these seconds, up to now: nobody was late meanwhile."""
        self._clocks.paused(seconds, now)
        return self._advance(now)

    def claim(self, now: float) -> list[Output]:
        """The person here waits no longer for a player who fell silent (`claimable`)."""
        if self._offered:
            self._clocks.claim(now)
        return self._advance(now)

    def stop(self, now: float) -> list[Output]:
        """The host ends the match: after a whole round if it can, else as it is."""
        self._stopping = True
        if self.replay.closed is not None:
            return []
        if self.replay.between_rounds:
            return self._advance(now, certain=True)
        return self._close(CloseReason.INCOMPLETE, now)

    def tick(self, now: float) -> list[Output]:
        """Let time pass."""
        return self._audience.serve(now) + self._advance(now)

    # ---- what follows by itself -------------------------------------------------------------

    def _advance(self, now: float, *, certain: bool = False) -> list[Output]:
        """Do everything that is the host's to do now.

        Ends: each turn of the loop makes an entry, or answers a body that was held.
        """
        self._now = now
        out: list[Output] = []
        while self.replay.closed is None and self.abdicated is None:
            self._look_at_quorum(now)
            step = self._hand_over() if self._abdicating else self._release_held(now)
            if step is None and not self._abdicating:
                step = self._next(now, certain)
            if step is None:
                break
            out += step
            # A seat that was dropped holds up nobody any more.
            out += self._audience.tell_firm()
        out += self._tell_frost()
        waiting = self._clocks.waiting(now)
        if waiting is not None and self.replay.closed is None:
            out += self._audience.tell(messages.Waiting(*waiting))
        return out + self._offer_claim(now)

    def _next(self, now: float, certain: bool) -> list[Output] | None:
        replay = self.replay
        self._clocks.look(now)
        if replay.full:
            between = replay.between_rounds
            return self._between(now) if between else self._close(CloseReason.TOO_LONG, now)
        if self._may_drop:
            for seat in sorted(replay.leaving):
                return self._drop(seat, DropReason.LEFT, now)
            gone = self._clocks.gone(now)
            if gone is not None:
                return self._drop(gone[0], gone[1], now)
        if replay.between_rounds:
            return self._between(now) if certain or self.firm >= replay.seq else None
        matter = self._clocks.to_settle(now)
        if matter is not None:
            return self._say_as_host(bodies.Settle(matter), now)
        decision = self._clocks.ran_out(now, self._decided)
        if decision is not None:
            return self._say_as_host(bodies.TimeOut(decision), now)
        return None

    def _drop(self, seat: int, reason: DropReason, now: float) -> list[Output]:
        """Go on without an owner and its bots; without the host's own seat there is no going on."""
        absence = self.replay.absence
        # Who is back counts, even while a bot plays on in their seat.
        owner = seat if seat in absence.here else absence.owner_of(seat)
        for each in absence.seats_of(owner):
            for catching in (False, True):
                self._held.pop((each, catching), None)
        if owner == self.replay.host and not (
            reason is DropReason.LEFT and len(self.replay.absence.here) == 2
        ):
            return self._close(CloseReason.INCOMPLETE, now)
        return self._say_as_host(bodies.Drop(owner, reason), now)

    def _forfeit(self, now: float) -> list[Output]:
        """The host leaves the single other one: its own seat says so first, then this."""
        if self.replay.host in self.replay.leaving:
            return self._drop(self.replay.host, DropReason.LEFT, now)
        return []

    def _advance_after(self, done: list[Output], now: float) -> list[Output]:
        return done + self._advance(now)

    def _hand_over(self) -> list[Output] | None:
        """Once the best candidate holds everything, all are told to vote for it."""
        replay = self.replay
        others = {
            seat: count
            for seat, count in self._audience.acknowledged.items()
            if seat != replay.host and seat in replay.owners
        }
        if not others:
            return self.stop(self._now) if not self._stopping else None
        candidate = max(sorted(others), key=lambda seat: others[seat])
        if others[candidate] < replay.seq:
            return None
        self.abdicated = (replay.term + 1, candidate)
        return self._audience.tell_members(messages.Abdicate(*self.abdicated))

    def _look_at_quorum(self, now: float) -> None:
        """No time counts while too few computers are in contact for anything to become firm."""
        reached, wanted = self._firm.reach(self._audience.seats)
        self._frozen = reached < wanted and not self._firm.among_two
        self._clocks.quorum(now, stands=not self._frozen)

    def _tell_frost(self) -> list[Output]:
        """Say when too few computers are in contact for anything to become firm, and when not."""
        if self._frozen == self._told_frozen or self.replay.closed is not None:
            return []
        self._told_frozen = self._frozen
        return [TableFrozen(*self._firm.reach(self._audience.seats))]

    def _offer_claim(self, now: float) -> list[Output]:
        """Say when the person here may end the wait for somebody, and when not any more."""
        over = self.replay.closed is not None or not self._may_drop
        offered = () if over else self._clocks.claimable(now)
        if offered == self._offered:
            return []
        self._offered = offered
        return [MayClaim(offered)]

    @property
    def _may_drop(self) -> bool:
        """Whether somebody can be dropped: not while that could not become firm."""
        firm = self._firm
        free = firm.abandoned or firm.decides_alone or not firm.changing
        return free and not self._frozen

    @property
    def _patience(self) -> float:
        """Seconds for which a match waits for somebody to come back."""
        return float(self.replay.roster.ruleset.grace_total_s)

    def _between(self, now: float) -> list[Output] | None:
        replay = self.replay
        if not replay.sound:
            guilty = replay.blamed
            return self._close(CloseReason.CHEATING if guilty else CloseReason.INCOMPLETE, now)
        if replay.match.over:
            return self._close(CloseReason.FINISHED, now)
        if self._stopping or (self._rounds is not None and self._played >= self._rounds):
            return self._close(CloseReason.STOPPED, now)
        if replay.nearly_full:
            return self._close(CloseReason.TOO_LONG, now)
        plan = replay.next_plan()
        if plan is not None:
            self._nobody_plays = None
            if self._clocks.pausing:
                # Whoever comes back in time plays it; who does not has left no round half played.
                return None
            return self._say_as_host(open_payload(plan), now)
        filled = None if self._stand_ins is None else self._stand_ins.fill(replay)
        if filled is not None:
            keep, fill_in = filled
            return [*keep, *self._say_as_host(fill_in, now)]
        if self._nobody_plays is None:
            self._nobody_plays = self._clocks.at(now)
        if self._clocks.at(now) < self._nobody_plays + self._patience:
            return None
        return self._close(CloseReason.INCOMPLETE, now)

    def _close(self, reason: CloseReason, now: float) -> list[Output]:
        close = bodies.Close(reason, tuple(self.replay.match.totals), self.replay.seq)
        return self._say_as_host(close, now)
