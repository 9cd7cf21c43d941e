"""A peer's own copy of a table's log: what comes is followed, what others gave up is cut off.

All that somebody does who only watches, and nothing that takes a seat: keys, automatic steps and
signatures are in `session.py`, which is told here what has come (`_learn`, `_go_on`). Nothing is
guessed: what an honest host cannot have sent stops the peer, with the evidence kept. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanuno.log.entries import Entry
from lanuno.log.events import Event
from lanuno.log.faults import Blame, Fault, HostFault
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.table import messages, other_ends
from lanuno.table.chat import heard, seen
from lanuno.table.messages import FromHost
from lanuno.table.other_ends import OtherEnds, OwnEnd
from lanuno.table.outputs import (
    Changed,
    CutEntries,
    Doubted,
    Happened,
    KeepEntry,
    KeepGenesis,
    KeepOtherEnd,
    Output,
    Stopped,
    Sync,
    TableWaits,
    ToHost,
)
from lanuno.table.release import Binding
from lanuno.table.round_starts import RoundStart, RoundStarts


class Follower:
    """Somebody who follows the log of a table."""

    def __init__(self, genesis: Genesis, binding: Binding | None = None) -> None:
        """Begin at genesis; raises `Unreadable` if it is not wholly right.

        `binding`: what the computer has released at this table so far.
        """
        self.replay = Replay(genesis)
        self.stopped: Blame | None = None
        """Why this peer goes no further, if it stopped."""
        self.firm = 0
        """So many entries are firm, as the host says.

        It is not kept on disk: a program that starts again knows of none until its host has told
        it, and so publishes no secret too early. What it has released before is on disk.
        """
        self.entries: list[Entry] = []
        """The log as it came, for whoever becomes the host. For reading."""
        self.starts = RoundStarts(genesis)
        """Where the last rounds began. For reading."""
        self.changed = 0
        """Number of entries up to the last change of the owners who count; 0 without one."""
        self.caught_up = False
        """Whether this peer is in contact with the host and holds all that it holds."""
        self.host_is_known: Callable[[], bool] = _is_known
        """Whether the log names the owner that is followed as host; else it has to show that."""
        self._binding = Binding() if binding is None else binding
        self._durable = 0
        self._cuts = 0
        self._connected = False
        self._ends = OtherEnds()

    # ---- what a seat does about it ----------------------------------------------------------

    def _learn(self, happened: Sequence[Event]) -> None:
        """The log has gone on by one entry, now or when it is read again."""

    def _after_entry(self) -> list[Output]:
        """An entry has come."""
        return []

    def _go_on(self) -> list[Output]:
        """Nothing more comes at the moment, or more is firm: do what may be done."""
        return []

    def _return(self) -> list[Output]:
        """All that the host holds is held here too, after a time without it."""
        return []

    def _start_over(self, start: RoundStart, entries: Sequence[Entry]) -> None:
        """The end of the log is given up: these entries remain behind the start of a round."""
        self._learn(start.happened)
        for entry in entries:
            self._take(entry, trusted=True)

    @property
    def durable(self) -> int:
        """Number of entries on this computer's own disk."""
        return self._durable

    @property
    def cuts(self) -> int:
        """How often an end of the log was given up."""
        return self._cuts

    @property
    def fixed(self) -> int:
        """Number of entries never given up: firm, or something was released on them."""
        return max(self.firm, self._binding.count)

    @property
    def complete(self) -> bool:
        """Whether the log has the last entry on which something was released.

        A journal may lack its end. Until that is back nothing is signed and nobody is voted for.
        """
        return self._binding.holds(self.replay)

    @property
    def _sure(self) -> int:
        """Number of entries to release secrets for: firm, and on this computer's own disk."""
        return min(self.firm, self._durable)

    # ---- inputs -----------------------------------------------------------------------------

    def stand_where(self, other: Follower) -> None:
        """Follow what another peer of this program follows: nothing in it is checked again."""
        self.starts = other.starts.copy()
        self._read_again(other.entries, len(other.entries))
        self.firm, self._durable, self._cuts = other.firm, other.durable, other.cuts

    def begin(self) -> list[Output]:
        """Start: put the genesis on disk. What is in the journal already is not written again."""
        out: list[Output] = [KeepGenesis(self.replay.genesis), Changed()]
        if self.stopped is not None:
            given_up = self._binding.denied_by(self.replay)
            return [*out, Stopped(self.stopped, given_up=given_up)]
        return [*out, Sync(self.replay.seq, self._cuts)] if self.entries else out

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
        return [ToHost(messages.Ack(done.count)), *self._go_on()] if self.caught_up else []

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
                return self._go_on()
            case messages.Said():
                return heard(message, self.replay.roster.seats)
            case messages.Reacted():
                return seen(message, self.replay.roster.seats)
            case messages.Waiting():
                seats = tuple(seat for seat in message.seats if self._is_seat(seat))
                return [TableWaits(seats, message.ms / 1000)]
            case _:
                return []

    def end_with(self, first: int, entries: tuple[Entry, ...]) -> list[Output]:
        """Take the end of a closed log from whoever holds it, checked to the close before.

        `first`: number of its first entry; what is held here from there on is given up for it.
        """
        if self.stopped is not None:
            return []
        if first < min(self.fixed, self.replay.seq):
            self.stopped = self._without_release()
            return [KeepOtherEnd(first, entries), Stopped(self.stopped, given_up=True)]
        if first < self.replay.seq:
            return self._rewind(first, entries)
        out = self._entries(messages.Entries(first, entries))
        if self.replay.closed is not None and not self.complete:
            self.stopped = self._without_release()
            out.append(Stopped(self.stopped, given_up=True))
        return out

    def _is_seat(self, seat: int) -> bool:
        return 0 <= seat < len(self.replay.roster.seats)

    # ---- the log ----------------------------------------------------------------------------

    def _recall(self, entries: Sequence[Entry]) -> None:
        """Read a journal; raises `HostFault` if it is not the log.

        A program that stopped kept the evidence behind the last entry of the log. Whoever reads
        that again stops again.
        """
        for number, entry in enumerate(entries, 1):
            try:
                self._take(entry, trusted=False)
            except HostFault as fault:
                if number < len(entries):
                    raise
                self.stopped = fault.blame
        if self.stopped is None and self._binding.denied_by(self.replay):
            self.stopped = self._without_release()

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
            if self.stopped is not None or isinstance(out[-1], Doubted):
                return out
        if fresh:
            out += [Sync(replay.seq, self._cuts), *self._go_on(), Changed()]
        if self._catching_up and message.entries:
            # After the page, not after this log: the two may part in between.
            out.append(ToHost(messages.Fetch(message.first + len(message.entries))))
        elif self._catching_up and not fresh and not held:
            out += self._catch_up()
        return out

    def _catch_up(self) -> list[Output]:
        """All that the host holds is held here too."""
        if not self.complete:
            self.stopped = self._without_release()
            return [Stopped(self.stopped, given_up=True)]
        self.caught_up = True
        out: list[Output] = (
            [Sync(self.replay.seq, self._cuts)] if self._durable < self.replay.seq else []
        )
        if self._durable:
            out.append(ToHost(messages.Ack(self._durable)))
        return [*out, *self._return(), *self._go_on(), Changed()]

    @property
    def _catching_up(self) -> bool:
        return self._connected and not self.caught_up

    @property
    def _end(self) -> OwnEnd:
        return OwnEnd(self.replay, self.entries, self.fixed, self._catching_up, self.starts)

    def _settle(self, found: other_ends.Found) -> list[Output]:
        """What becomes of entries that do not stand behind ours."""
        match found:
            case other_ends.LookAt():
                return [ToHost(messages.Fetch(found.first))]
            case other_ends.Newer():
                return self._rewind(found.first, found.entries)
            case other_ends.GivenUp():
                self.stopped = found.blame
                other = KeepOtherEnd(found.first, found.entries)
                return [other, Stopped(found.blame, given_up=True)]
            case other_ends.Wrong():
                return self._stop(found.blame, found.entry)
            case None:
                return []

    def _rewind(self, count: int, rest: tuple[Entry, ...]) -> list[Output]:
        """Others were elected before our last entries were firm: the log goes on without those."""
        self._durable = min(self._durable, count)
        self._cuts += 1
        self.caught_up = False
        self._read_again(self.entries, count)
        return [CutEntries(count), *self._entries(messages.Entries(count, rest))]

    def _read_again(self, entries: Sequence[Entry], count: int) -> None:
        """Begin anew behind the first `count` of these entries."""
        start = self.starts.last(count)
        self.starts.give_up(count)
        self.replay, self.changed = start.replay.copy(), start.changed
        self.entries = [*entries[: self.replay.seq]]
        self._start_over(start, entries[self.replay.seq : count])

    def _refuse_without_release(self, entry: Entry) -> list[Output]:
        """The next entry is another than that on which something was released, if it is one."""
        try:
            self.replay.copy().follow(entry)
        except HostFault as fault:
            return self._stop(fault.blame, entry)
        self.stopped = self._without_release()
        return [KeepOtherEnd(self.replay.seq, (entry,)), Stopped(self.stopped, given_up=True)]

    def _follow(self, entry: Entry) -> list[Output]:
        if self._binding.forbids(self.replay, entry):
            return self._refuse_without_release(entry)
        try:
            happened = self._take(entry, trusted=False)
        except HostFault as fault:
            out = self._stop(fault.blame, entry)
            if self.stopped is None:
                self._read_again(self.entries, len(self.entries))
            return out
        return [KeepEntry(entry), *map(Happened, happened), *self._after_entry()]

    def _take(self, entry: Entry, *, trusted: bool) -> list[Event]:
        """Let the log go on by an entry."""
        before = self.replay.absence.here
        happened = self.replay.follow(entry, trusted=trusted)
        self.entries.append(entry)
        if self.replay.absence.here != before:
            self.changed = len(self.entries)
        self.starts.note(self.replay, happened, self.changed, self.fixed)
        self._learn(happened)
        return happened

    def _without_release(self) -> Blame:
        """The log lacks an entry on which this computer has released something."""
        replay, why = self.replay, "a log without an entry on which a secret was released"
        return Blame(None, Fault.BAD_ORDER, replay.number, replay.seq, why)

    def _stop(self, blame: Blame, evidence: Entry | None = None) -> list[Output]:
        if blame.seat is None and not self.host_is_known():
            # Anybody can say so, and it would stop this computer for good.
            self._ends.forget()
            return [Doubted()]
        self.stopped = blame
        kept = [] if evidence is None else [KeepEntry(evidence)]
        return [*kept, Stopped(blame)]


def _is_known() -> bool:
    """The default: the owner that is followed is the host."""
    return True
