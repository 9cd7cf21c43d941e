"""The host role: it puts what the seats sign into one order, from genesis to close. Sans I/O.

The host decides *when*, never *what*: every entry holds a body that its author signed, or one that
follows from the log, and every replica checks it again. The host checks each body from a seat, then
delays it for a moment, refuses it, or makes it an entry. A refusal is a reply to the author and is
not in the log. Clocks, grace times, the wait around "UNO" and rate limits belong here, because the
engine and the log know no time. `now` is in seconds of any monotonic clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite

from lanuno.dealing.identity import Identity
from lanuno.log.faults import BodyRefused, RefusalReason, Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    HOST,
    MAX_SEAT_BODY,
    Body,
    CloseReason,
    DropReason,
    Payload,
    SignedBody,
    sign_body,
)
from lanuno.log.format.entries import Entry
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay, open_payload
from lanuno.log.round import events
from lanuno.rules.engine.results import RoundKind
from lanuno.table import messages
from lanuno.table.budget import Budget
from lanuno.table.host.clocks import Clocks, Pace, catches
from lanuno.table.host.equivocation import EquivocationDetector
from lanuno.table.host.finality import Finality
from lanuno.table.host.stand_ins import StandIns
from lanuno.table.host.subscribers import Subscribers
from lanuno.table.messages import AtTable
from lanuno.table.outputs import (
    OWN,
    AppendEntry,
    ClaimOffered,
    CloseLink,
    HostOutput,
    Link,
    QuorumChanged,
    ScoreReader,
    Send,
    Spectator,
    SpectatorsChanged,
)

ATTACKS = frozenset(
    {RefusalReason.MALFORMED, RefusalReason.WRONG_TABLE, RefusalReason.BAD_SIGNATURE}
)
"""Refusals that no honest client causes. The host drops the seat immediately."""

ANY_TIME_PAYLOADS = (bodies.Leave, bodies.Return, bodies.Listen)
"""Payloads that a seat may submit at any time, and repeatedly."""
ANY_TIME_BURST = 12
ANY_TIME_REFILL_SECONDS = 10.0
"""Rate limit of an owner for these payloads: a burst of 12, then one per 10 s. A log has room for a
limited number of entries, and no owner may fill it."""
RETURN_COST = 4
"""An owner's own Return counts for as many, because the table then waits for its acknowledgements.
"""


class HostRole:
    """The host of one table whose log has begun."""

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
        """Host the table of a log that ends with these entries. No owner is in contact yet.

        The role takes ownership of `replay`. `rounds`: number of counted rounds of play after which
        to close; None for the whole match. `stand_ins`: fills seats that partners cannot do
        without; None to wait for players who left. `unsure`: see `Finality`.
        """
        self.replay = replay
        self.transferred_to: tuple[int, int] | None = None
        """Term and seat of the candidate to which this host has handed over."""
        self._host = host
        self._entries = list(entries)
        self._clock_start = now - replay.times.ms / 1000
        self._equivocation = EquivocationDetector(replay)
        self._finality = Finality(replay, unsure)
        self._subscribers = Subscribers(replay, self._entries, self._finality)
        self._clocks = Clocks(replay, pace or Pace(), self._finality)
        self._held: dict[tuple[int, bool], tuple[Link, SignedBody]] = {}
        """Bodies that are delayed until the wait around "UNO" is over, with their senders. By seat,
        and whether the body catches a seat or begins a turn."""
        self._any_time_budget = Budget[int](1 / ANY_TIME_REFILL_SECONDS, ANY_TIME_BURST)
        """The budget of each owner for `ANY_TIME_PAYLOADS`."""
        self._rounds = rounds
        self._stand_ins = stand_ins
        self._now = now
        self._begun = False
        self._stopping = False
        self._transferring = False
        self.no_quorum = False
        """Whether fewer than a majority of the owners are in contact."""
        self._reported_no_quorum = False
        self._announced_spectators: tuple[Spectator, ...] = ()
        """The spectators as last reported to the user interface."""
        self._nobody_plays: float | None = None
        """Since when, in counted time, too few seats have been present to open a round."""
        self.claimable: tuple[int, ...] = ()
        """The seats of a player for whom `claim` ends the wait; see `ClaimOffered`."""

    # ---- state -----------------------------------------------------------------------------------

    @property
    def final_count(self) -> int:
        """Number of entries that all owners have acknowledged."""
        return self._finality.certified

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """The spectators of this table."""
        return self._subscribers.spectators

    def has_subscriber(self, link: Link) -> bool:
        """Whether this role sends the log to a peer."""
        return self._subscribers.has(link)

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if no timer is running."""
        if self.replay.closed is not None or self._transferring:
            return self._subscribers.deadline
        held = [signed.read() for _, signed in self._held.values()]
        moments = [self._clocks.held_until(body, self._now) for body in held]
        turns = self._seats_with_held_turn
        moments.append(self._clocks.deadline(self._now, turns, drops=self._may_drop))
        moments.append(self._subscribers.deadline)
        if self._nobody_plays is not None and self.final_count >= self.replay.seq:
            moments.append(self._clocks.when(self._nobody_plays + self._match_grace_seconds))
        certain = (moment for moment in moments if moment is not None and isfinite(moment))
        return min(certain, default=None)

    @property
    def settled(self) -> bool:
        """Whether the log is closed and every connected owner has acknowledged all of it.

        Dropped seats do not count. The caller sets a time limit, because a connected owner may
        never acknowledge.
        """
        return self.replay.closed is not None and all(
            count >= self.replay.seq
            for seat, count in self._subscribers.acknowledged.items()
            if seat not in self.replay.dropped
        )

    # ---- inputs ----------------------------------------------------------------------------------

    def begin(self, now: float) -> list[HostOutput]:
        """Continue at the end of the log. Owners that are not attached by now count as lost."""
        self._begun = True
        self._wait_for_absent(now)
        return self._advance(now)

    def attach(self, link: Link, seat: int, count: int, now: float) -> list[HostOutput]:
        """Subscribe an owner's node that is connected and holds `count` entries of this log.

        The link replaces an older one of the same owner.
        """
        out = self._subscribers.attach(link, seat, count)
        for each in self.replay.absence.seats_of(seat):
            self._clocks.returned(each, now)
        if not self._begun:
            return out
        return out + self._advance(now) + self._subscribers.send_addresses()

    def check_vote(self, signed: SignedVote, now: float) -> list[HostOutput]:
        """Check an owner's vote, which may be its second one in a term of this log."""
        proof = self._equivocation.contradicts_vote(signed, self._entries)
        if proof is None:
            return []
        try:
            return self._append_own(proof, now) + self._advance(now)
        except BodyRefused:
            return []  # the proof is in the log already

    def place(self, link: Link, address: str, port: int) -> list[HostOutput]:
        """Note a node's address, as seen on its link, and the port that it reports."""
        return self._subscribers.place(link, address, port)

    def transfer(self, now: float) -> list[HostOutput]:
        """Hand the host role over because the host leaves, or end the table if nobody can host."""
        if self.replay.closed is not None:
            return []
        owners = self.replay.owners
        if len(owners) == 2:
            return self._forfeit(now) + self._advance(now)
        if not self.can_hand_over:
            return self.stop(now)
        self._transferring = True
        return self._advance(now)

    @property
    def can_hand_over(self) -> bool:
        """Whether enough other owners are in contact to elect a host; without one a match ends."""
        enough = len(self._subscribers.seats) >= self.replay.majority
        return len(self.replay.owners) > 1 and enough

    def receive(self, link: Link, message: AtTable, now: float) -> list[HostOutput]:
        """Handle a message from a peer."""
        match message:
            case messages.Submit():
                return self._submit(link, message.body, now) + self._advance(now)
            case messages.Fetch():
                pages = self._subscribers.fetch(link, message.first, now)
                return self._with_spectators(self._with_waits(pages, now))
            case messages.Say():
                return self._subscribers.say(link, message.text, now)
            case messages.React():
                return self._subscribers.react(link, message.reaction, now)
            case messages.ReadsScore():
                owner = self._subscribers.seat_of(link)
                return [] if owner is None else [ScoreReader(owner, message)]
            case messages.Join():
                return [Send(link, messages.Refused(messages.LobbyRefusal.STARTED))]
            case _:
                return []

    def acknowledge(self, seat: int, count: int, now: float) -> list[HostOutput]:
        """Note that an owner has acknowledged the first `count` entries of this log."""
        if count <= self._finality.acknowledged(seat):
            return []
        self._finality.acknowledge(seat, count)
        return self._subscribers.send_entries() + self._advance(now)

    def watch(self, link: Link, name: str, identity: bytes) -> list[HostOutput]:
        """Let a spectator watch. Admission has checked the PIN and who was sent away."""
        return self._with_spectators(self._subscribers.watch(link, name, identity))

    def send_away(self, identity: bytes | None, why: messages.LobbyRefusal) -> list[HostOutput]:
        """Send a spectator away, or all spectators for None."""
        return self._with_spectators(self._subscribers.send_away(identity, why))

    def link_down(self, link: Link, now: float, *, quiet: bool = False) -> list[HostOutput]:
        """A connection ended. `quiet`: whether there was no sign that the network works."""
        owner = self._subscribers.remove(link)
        out = self._with_spectators([])
        if owner is None or self.replay.closed is not None:
            return out
        self._owner_lost(owner, now, quiet=quiet)
        return out + self._advance(now)

    def paused(self, seconds: float, now: float) -> list[HostOutput]:
        """Note that this program did not run for `seconds` until now, so nobody was late."""
        self._clocks.paused(seconds, now)
        return self._advance(now)

    def claim(self, now: float) -> list[HostOutput]:
        """End the wait for a silent player (`claimable`), as the person at the host decided."""
        if self.claimable:
            self._clocks.claim(now)
        return self._advance(now)

    def stop(self, now: float) -> list[HostOutput]:
        """End the match now, as incomplete if a round is in progress."""
        self._stopping = True
        if self.replay.closed is not None:
            return []
        if self.replay.between_rounds:
            return self._advance(now)
        return self._close(CloseReason.INCOMPLETE, now)

    def tick(self, now: float) -> list[HostOutput]:
        """Act on the passage of time."""
        return self._with_waits(self._subscribers.serve(now), now) + self._advance(now)

    # ---- bodies of the seats ---------------------------------------------------------------------

    def _submit(self, link: Link, signed: SignedBody, now: float) -> list[HostOutput]:
        owner = self._subscribers.seat_of(link)
        if owner is None or self._transferring:
            # The seat will submit it again to the next host.
            return []
        seat, counter = owner, 0
        try:
            if len(signed.body) > MAX_SEAT_BODY:
                raise BodyRefused(RefusalReason.MALFORMED, "longer than any honest body")
            body = signed.read()
            counter = body.counter
            absence = self.replay.absence
            leaves_or_returns = isinstance(body.payload, bodies.Leave | bodies.Return)
            seats_of = absence.original_seats if leaves_or_returns else absence.seats_of
            if body.author not in seats_of(owner):
                raise BodyRefused(RefusalReason.NOT_A_SEAT, "not your seat")
            seat = body.author
            proof = self._equivocation.contradicts_body(body, signed)
            if proof is not None:
                out = self._append_own(proof, now)
                self._equivocation.mark_exposed(seat)
                return out
            if self._finality.changing and leaves_or_returns and seat == owner:
                # The owners that count change one at a time. The author will submit it again.
                raise BodyRefused(
                    RefusalReason.UNKNOWN_HEAD, "another owner is just leaving or returning"
                )
            if self._clocks.held_until(body, now) is not None:
                # A seat's newest body replaces the delayed one. The older body gets no refusal,
                # because its author would submit it again.
                self._held[seat, catches(body)] = (link, signed)
                return []
            if not isinstance(body.payload, ANY_TIME_PAYLOADS):
                return self._append(signed, now)
            if not self._any_time_budget.open(owner, now):
                raise BodyRefused(RefusalReason.NOT_NOW, "too often")
            out = self._append(signed, now)
            # Only entries count. A body that came too late is submitted again immediately.
            returns = isinstance(body.payload, bodies.Return) and seat == owner
            self._any_time_budget.spend(owner, RETURN_COST if returns else 1, now)
            return out
        except Unreadable:
            return self._refuse(link, seat, counter, BodyRefused(RefusalReason.MALFORMED), now)
        except BodyRefused as refused:
            return self._refuse(link, seat, counter, refused, now)

    def _refuse(
        self, link: Link, seat: int, counter: int, why: BodyRefused, now: float
    ) -> list[HostOutput]:
        refusal = messages.BodyRefusal(seat, counter, why.refusal.value, why.detail[:200])
        if why.refusal not in ATTACKS or link == OWN:
            return [Send(link, refusal)]
        owner = self._subscribers.remove(link)
        if owner is not None and self.replay.closed is None:
            self._owner_lost(owner, now, DropReason.ATTACK)
        return [Send(link, refusal), CloseLink(link)]

    @property
    def _seats_with_held_turn(self) -> set[int]:
        """Seats that have submitted the beginning of their turn, which is delayed."""
        return {seat for seat, catching in self._held if not catching}

    def _release_held(self, now: float) -> list[HostOutput] | None:
        """Submit the first delayed body for which the wait around "UNO" is over."""
        for place, (link, signed) in self._held.items():
            if self._clocks.held_until(signed.read(), now) is None:
                del self._held[place]
                return self._submit(link, signed, now)
        return None

    # ---- entries ---------------------------------------------------------------------------------

    def _append(self, signed: SignedBody, now: float) -> list[HostOutput]:
        """Make the body the next entry; raises `BodyRefused`."""
        entry, happened = self.replay.append(signed, self._entry_ms(now), self._host)
        self._entries.append(entry)
        self._finality.entry_appended()
        out: list[HostOutput] = [AppendEntry(entry)]
        out += self._subscribers.send_entries()
        if any(isinstance(event, events.RoundClosed) for event in happened):
            self._wait_for_absent(now)
        return out

    def _entry_ms(self, now: float) -> int:
        """Return the next entry's time. If this clock jumps, continue from the last entry's."""
        elapsed = int((now - self._clock_start) * 1000)
        ms = self.replay.times.next(elapsed)
        if ms != elapsed:
            self._clock_start = now - ms / 1000
        return ms

    def _append_own(self, payload: Payload, now: float) -> list[HostOutput]:
        replay = self.replay
        counter = replay.next_counter(HOST)
        body = Body(replay.table_id, replay.number, HOST, counter, replay.head, payload)
        return self._append(sign_body(body, self._host), now)

    # ---- steps of the host itself ----------------------------------------------------------------

    def _advance(self, now: float) -> list[HostOutput]:
        """Do everything that the host has to do now.

        The loop terminates, because each iteration makes an entry or answers a delayed body.
        """
        self._now = now
        out: list[HostOutput] = []
        while self.replay.closed is None and self.transferred_to is None:
            self._update_quorum(now)
            step = self._hand_over(now) if self._transferring else self._release_held(now)
            if step is None and not self._transferring:
                step = self._next_step(now)
            if step is None:
                break
            out += step
            # Dropping a seat can make more entries final.
            self._finality.advance()
            out += self._subscribers.send_entries()
        out += self._report_quorum()
        waiting = self._clocks.waiting(now)
        if waiting is not None and self.replay.closed is None:
            out += self._subscribers.send_all(messages.Waiting(*waiting))
        return out + self._offer_claim(now)

    def _with_waits(self, pages: list[HostOutput], now: float) -> list[HostOutput]:
        """Add whom the table waits for, after each page that tells a peer that it has caught up.

        The peer was not there when the wait was announced, for example because this host was not
        elected yet. If the table waits for nobody, the peer learns what is left for the decision.
        """
        seats, left = self._clocks.awaited(now)
        if not seats and not left:
            return pages
        out: list[HostOutput] = []
        for each in pages:
            out.append(each)
            if (
                isinstance(each, Send)
                and isinstance(each.message, messages.Entries)
                and not each.message.entries
            ):
                out.append(Send(each.link, messages.Waiting(seats, left)))
        return out

    def _next_step(self, now: float) -> list[HostOutput] | None:
        replay = self.replay
        self._clocks.update(now)
        if replay.full:
            between = replay.between_rounds
            return self._between_rounds(now) if between else self._close(CloseReason.TOO_LONG, now)
        if self._may_drop:
            if replay.leaving:
                return self._drop(min(replay.leaving), DropReason.LEFT, now)
            gone = self._clocks.gone(now)
            if gone is not None:
                return self._drop(*gone, now)
        if replay.between_rounds:
            certain = self._stopping or self.final_count >= replay.seq
            return self._between_rounds(now) if certain else None
        matter = self._clocks.to_settle(now)
        if matter is not None:
            return self._append_own(bodies.Settle(matter), now)
        decision = self._clocks.expired_decision(now, self._seats_with_held_turn)
        if decision is not None:
            return self._append_own(bodies.TimeOut(decision), now)
        return None

    def _between_rounds(self, now: float) -> list[HostOutput] | None:
        replay = self.replay
        if not replay.can_continue:
            guilty = replay.blamed
            return self._close(CloseReason.CHEATING if guilty else CloseReason.INCOMPLETE, now)
        if replay.match.over:
            return self._close(CloseReason.FINISHED, now)
        if self._stopping or self._enough_rounds:
            return self._close(CloseReason.STOPPED, now)
        if replay.nearly_full:
            return self._close(CloseReason.TOO_LONG, now)
        plan = replay.next_plan()
        if plan is not None:
            self._nobody_plays = None
            if self._clocks.waits_for_lost:
                # A player who returns in time plays this round. One who does not has spoiled none.
                return None
            return self._append_own(open_payload(plan), now)
        filled = None if self._stand_ins is None else self._stand_ins.fill(replay)
        if filled is not None:
            keep, fill_in = filled
            return [*keep, *self._append_own(fill_in, now)]
        if self._nobody_plays is None:
            self._nobody_plays = self._clocks.at(now)
        if self._clocks.at(now) < self._nobody_plays + self._match_grace_seconds:
            return None
        return self._close(CloseReason.INCOMPLETE, now)

    @property
    def _enough_rounds(self) -> bool:
        """Whether the agreed number of counted rounds of play is over."""
        played = [each.counted and each.kind is RoundKind.PLAY for each in self.replay.summaries]
        return self._rounds is not None and sum(played) >= self._rounds

    def _drop(self, seat: int, reason: DropReason, now: float) -> list[HostOutput]:
        """Drop an owner with its bots, or close the table if that is the host's own seat."""
        absence = self.replay.absence
        # An owner that is back counts, even while a bot still plays its seat.
        owner = seat if seat in absence.present_owners else absence.owner_of(seat)
        for each in absence.seats_of(owner):
            for catching in (False, True):
                self._held.pop((each, catching), None)
        forfeits = reason is DropReason.LEFT and len(absence.present_owners) == 2
        if owner == self.replay.host and not forfeits:
            return self._close(CloseReason.INCOMPLETE, now)
        return self._append_own(bodies.Drop(owner, reason), now)

    def _forfeit(self, now: float) -> list[HostOutput]:
        """As the leaving host of two owners: drop the host once its own seat has signed a Leave."""
        if self.replay.host in self.replay.leaving:
            return self._drop(self.replay.host, DropReason.LEFT, now)
        return []

    def _close(self, reason: CloseReason, now: float) -> list[HostOutput]:
        close = bodies.Close(reason, tuple(self.replay.match.totals), self.replay.seq)
        return self._append_own(close, now)

    def _hand_over(self, now: float) -> list[HostOutput] | None:
        """Ask all owners to vote for the best candidate, once it holds every entry.

        Stop instead once there is none.
        """
        replay = self.replay
        others = {
            seat: count
            for seat, count in self._subscribers.acknowledged.items()
            if seat != replay.host and seat in replay.owners
        }
        if not others:
            self._transferring = False
            self._stopping = True
            return None if replay.between_rounds else self._close(CloseReason.INCOMPLETE, now)
        candidate = max(sorted(others), key=lambda seat: others[seat])
        if others[candidate] < replay.seq:
            return None
        self.transferred_to = (replay.term + 1, candidate)
        return self._subscribers.send_owners(messages.TransferHost(*self.transferred_to))

    # ---- absence and quorum ----------------------------------------------------------------------

    def _wait_for_absent(self, now: float) -> None:
        """Wait for every owner whose node is not in contact, even if a bot has played its seat."""
        for owner in self.replay.absence.present_owners:
            if owner not in self._subscribers.seats:
                self._owner_lost(owner, now, quiet=True)

    def _owner_lost(
        self, owner: int, now: float, reason: DropReason = DropReason.LOST, *, quiet: bool = False
    ) -> None:
        """Note that a node is out of contact, with all seats that are played on it."""
        for seat in self.replay.absence.seats_of(owner):
            self._clocks.lost(seat, now, reason, quiet=quiet)

    def _update_quorum(self, now: float) -> None:
        """Stop the counted time while fewer than a majority of the owners are in contact."""
        reached, wanted = self._finality.reach(self._subscribers.seats)
        self.no_quorum = reached < wanted and not self._finality.among_two
        self._clocks.quorum(now, stands=not self.no_quorum)

    def _report_quorum(self) -> list[HostOutput]:
        """Report a lost or regained quorum."""
        if self.no_quorum == self._reported_no_quorum or self.replay.closed is not None:
            return []
        self._reported_no_quorum = self.no_quorum
        return [QuorumChanged(*self._finality.reach(self._subscribers.seats))]

    def _offer_claim(self, now: float) -> list[HostOutput]:
        """Report when the person at the host may end the wait for a player, and when no longer."""
        over = self.replay.closed is not None or not self._may_drop
        offered = () if over else self._clocks.claimable(now)
        if offered == self.claimable:
            return []
        self.claimable = offered
        return [ClaimOffered(offered)]

    @property
    def _may_drop(self) -> bool:
        """Whether a seat may be dropped now: not while a majority could not confirm the drop."""
        finality = self._finality
        free = finality.abandoned or finality.decides_alone or not finality.changing
        return free and not self.no_quorum

    @property
    def _match_grace_seconds(self) -> float:
        """Seconds for which the match waits for players to return when no round can open."""
        return float(self.replay.roster.ruleset.grace_total_s)

    # ---- spectators ------------------------------------------------------------------------------

    def _with_spectators(self, done: list[HostOutput]) -> list[HostOutput]:
        """Add a report of the spectators to these outputs, if they have changed."""
        spectators = self._subscribers.spectators
        if spectators == self._announced_spectators:
            return done
        self._announced_spectators = spectators
        return [*done, SpectatorsChanged(spectators)]
