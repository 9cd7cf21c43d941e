"""A node's copy of a table's log: it follows new entries, and cuts off an end that was given up.

A node has one replica, for all seats that are played on it. Keys, automatic steps and signatures of
a seat are in its session (`seat.py`), which the replica calls for each new entry (`LogReader`). A
message that no honest host can have sent stops the replica, which keeps the evidence. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import Protocol

from lanuno.log.faults import Blame, Fault, HostFault
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import LogEvent
from lanuno.table import messages
from lanuno.table.chat import checked_chat, checked_reaction
from lanuno.table.messages import FromHost
from lanuno.table.outputs import (
    AppendEntry,
    Happened,
    HostDoubted,
    NodeStopped,
    SeatOutput,
    SeatsAwaited,
    SendToHost,
    StoreGenesis,
    StoreOtherEnd,
    SyncJournal,
    TruncateJournal,
    ViewChanged,
)
from lanuno.table.release import ReleaseBinding
from lanuno.table.succession import fork_choice
from lanuno.table.succession.fork_choice import ForkReader, LocalLog
from lanuno.table.succession.round_starts import RoundStarts


class LogReader(Protocol):
    """What reads the log with a replica: the session of a seat.

    All readers learn of an entry before any of them acts on it. They act in the order in which they
    were attached.
    """

    def note_entry(self, happened: Sequence[LogEvent]) -> None:
        """The log has gone on by one entry, now or when it is read again."""

    def after_entry(self) -> list[SeatOutput]:
        """The host has sent an entry, and the log has gone on by it."""

    def proceed(self) -> list[SeatOutput]:
        """No more entries come at the moment, or more are final: do what is due now."""

    def caught_up_again(self) -> list[SeatOutput]:
        """This node holds all that the host holds, after a time without contact."""

    def body_refused(self, message: messages.BodyRefusal) -> list[SeatOutput]:
        """The host refused a body of some seat."""

    def before_rewind(self) -> None:
        """The last entries are about to be given up."""

    def start_over(self) -> None:
        """The log is at an earlier place, from which it is read again."""

    def read_again(self) -> None:
        """The log was read again, up to its present end."""


class Replica:
    """A node's copy of the log of a table."""

    def __init__(self, genesis: Genesis, binding: ReleaseBinding | None = None) -> None:
        """Begin at genesis; raises `Unreadable` if it is not wholly right.

        `binding`: what the node has released at this table so far.
        """
        self.replay = Replay(genesis)
        self.stopped: Blame | None = None
        """The proof for which this replica stopped, if it did."""
        self.final_count = 0
        """Number of entries that are final, as the host says.

        It is not kept on disk: a program that starts again knows of none until its host announces
        them, and so publishes no secret too early. What it has released before is on disk.
        """
        self.entries: list[Entry] = []
        """The log as it came, for the host role. For reading."""
        self.starts = RoundStarts(genesis)
        """The starts of the last rounds. For reading."""
        self.owners_changed_at = 0
        """Number of entries up to the last change of the owners who count; 0 without one."""
        self.in_contact = False
        """Whether the host is in contact."""
        self.caught_up = False
        """Whether this node is in contact with the host and holds all that the host holds."""
        self.host_is_known: Callable[[], bool] = _is_known
        """Whether the log names the owner that is followed as host; else its votes are due."""
        self.binding = ReleaseBinding() if binding is None else binding
        """What this node has released."""
        self.job_numbers: Iterator[int] = count(1)
        """Numbers for the jobs of all readers."""
        self._readers: list[LogReader] = []
        self._on_disk = 0
        self._rewinds = 0
        self._fork_reader = ForkReader()

    def attach(self, reader: LogReader) -> None:
        """Let a reader follow the log: from its beginning, or from now on, between two rounds."""
        self._readers.append(reader)

    # ---- state ------------------------------------------------------------------------------

    @property
    def on_disk(self) -> int:
        """Number of entries on this node's own disk."""
        return self._on_disk

    @property
    def binding_count(self) -> int:
        """Number of entries that are never given up: final, or a secret was released for them."""
        return max(self.final_count, self.binding.count)

    @property
    def holds_released(self) -> bool:
        """Whether the log has the last entry for which a secret was released.

        A journal may lack its end. Until that is back, this node signs nothing and gives no vote.
        """
        return self.binding.holds(self.replay)

    @property
    def releasable_count(self) -> int:
        """Number of entries for which secrets may be released: final, and on the own disk."""
        return min(self.final_count, self._on_disk)

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self) -> list[SeatOutput]:
        """Start: store the genesis. The entries of the journal are not written again."""
        out: list[SeatOutput] = [StoreGenesis(self.replay.genesis), ViewChanged()]
        if self.stopped is not None:
            given_up = self.binding.denied_by(self.replay)
            return [*out, NodeStopped(self.stopped, given_up=given_up)]
        return [*out, SyncJournal(self.replay.seq, self._rewinds)] if self.entries else out

    def connected(self) -> list[SeatOutput]:
        """The host is connected: fetch the missed entries before anything is signed."""
        if self.stopped is not None:
            return []
        self.in_contact, self.caught_up = True, False
        self._fork_reader.clear()
        return [SendToHost(messages.Fetch(self.replay.seq))]

    def disconnected(self) -> None:
        """The host is not in contact any more."""
        self.in_contact = self.caught_up = False
        self._fork_reader.clear()

    def synced(self, done: SyncJournal) -> list[SeatOutput]:
        """The journal is synced to disk up to the requested entry."""
        if done.cuts != self._rewinds or not self._on_disk < done.count <= self.replay.seq:
            return []
        self._on_disk = done.count
        # An end of the log that the host does not have is nothing to acknowledge.
        return [SendToHost(messages.Ack(done.count)), *self._proceed()] if self.caught_up else []

    def receive(self, message: FromHost) -> list[SeatOutput]:
        """Take a message of the host."""
        if self.stopped is not None:
            return []
        match message:
            case messages.Entries():
                return self._receive_entries(message)
            case messages.FinalUpTo():
                if not self.caught_up:
                    # This host may not have the end of this log, which then is not final.
                    return []
                self.final_count = max(self.final_count, min(message.count, self.replay.seq))
                return self._proceed()
            case messages.BodyRefusal():
                return [each for reader in self._readers for each in reader.body_refused(message)]
            case messages.Said():
                return [*checked_chat(message, self.replay.roster.seats)]
            case messages.Reacted():
                return [*checked_reaction(message, self.replay.roster.seats)]
            case messages.Waiting():
                seats = tuple(seat for seat in message.seats if self._plays_seat(seat))
                return [SeatsAwaited(seats, message.ms / 1000)]
            case _:
                return []

    def take_closed_end(self, first: int, entries: tuple[Entry, ...]) -> list[SeatOutput]:
        """Take the end of a closed log from another node, checked up to its close before.

        `first`: number of its first entry; entries that are held here from there on are given up.
        """
        if self.stopped is not None:
            return []
        if first < min(self.binding_count, self.replay.seq):
            self.stopped = self._lacks_release()
            return [StoreOtherEnd(first, entries), NodeStopped(self.stopped, given_up=True)]
        if first < self.replay.seq:
            return self._rewind(first, entries)
        out = self._receive_entries(messages.Entries(first, entries))
        if self.replay.closed is not None and not self.holds_released:
            self.stopped = self._lacks_release()
            out.append(NodeStopped(self.stopped, given_up=True))
        return out

    def _plays_seat(self, seat: int) -> bool:
        return 0 <= seat < len(self.replay.roster.seats)

    # ---- the log ----------------------------------------------------------------------------

    def read_journal(self, entries: Sequence[Entry]) -> None:
        """Read a journal, once all readers are attached; raises `HostFault` if it is not the log.

        A replica that stopped has kept the evidence behind the last entry of the log. Reading it
        again stops the replica again.
        """
        for number, entry in enumerate(entries, 1):
            try:
                self._append(entry, trusted=False)
            except HostFault as fault:
                if number < len(entries):
                    raise
                self.stopped = fault.blame
        if self.stopped is None and self.binding.denied_by(self.replay):
            self.stopped = self._lacks_release()
        for reader in self._readers:
            reader.read_again()

    def _receive_entries(self, message: messages.Entries) -> list[SeatOutput]:
        replay = self.replay
        if self._fork_reader.following:
            return self._resolve_fork(self._fork_reader.read_on(message.first, message.entries))
        held = replay.seq - message.first
        if held < 0:
            if replay.closed is not None or self._catching_up:
                return []  # fetched before an end was cut off; the missing entries are fetched too
            return self._stop(fork_choice.missing_entry(replay))
        for number, entry in enumerate(message.entries[:held], message.first):
            if not replay.knows(entry.hash):
                theirs = message.entries[number - message.first :]
                return self._resolve_fork(
                    self._fork_reader.begin_fork(self._local_log, number, theirs)
                )
        # Nothing follows a close: a later entry would make the journal unreadable.
        fresh = () if replay.closed is not None else message.entries[held:]
        if fresh and self._catching_up and fork_choice.parts_before(replay, fresh[0]):
            return self._resolve_fork(
                self._fork_reader.begin_fork(self._local_log, replay.seq, fresh)
            )
        out: list[SeatOutput] = []
        for entry in fresh:
            out += self._follow(entry)
            if self.stopped is not None or isinstance(out[-1], HostDoubted):
                return out
        if fresh:
            out += [SyncJournal(replay.seq, self._rewinds), *self._proceed(), ViewChanged()]
        if self._catching_up and message.entries:
            # After the page, not after this log: the two may fork in between.
            out.append(SendToHost(messages.Fetch(message.first + len(message.entries))))
        elif self._catching_up and not fresh and not held:
            out += self._set_caught_up()
        return out

    def _set_caught_up(self) -> list[SeatOutput]:
        """This node holds all that the host holds."""
        if not self.holds_released:
            self.stopped = self._lacks_release()
            return [NodeStopped(self.stopped, given_up=True)]
        self.caught_up = True
        out: list[SeatOutput] = (
            [SyncJournal(self.replay.seq, self._rewinds)] if self._on_disk < self.replay.seq else []
        )
        if self._on_disk:
            out.append(SendToHost(messages.Ack(self._on_disk)))
        for reader in self._readers:
            out += [*reader.caught_up_again(), *reader.proceed()]
        return [*out, ViewChanged()]

    def _proceed(self) -> list[SeatOutput]:
        return [each for reader in self._readers for each in reader.proceed()]

    @property
    def _catching_up(self) -> bool:
        return self.in_contact and not self.caught_up

    @property
    def _local_log(self) -> LocalLog:
        return LocalLog(
            self.replay, self.entries, self.binding_count, self._catching_up, self.starts
        )

    def _resolve_fork(self, found: fork_choice.ForkFinding) -> list[SeatOutput]:
        """Act on the fork choice for entries that do not follow this log."""
        match found:
            case fork_choice.ReadFrom():
                return [SendToHost(messages.Fetch(found.first))]
            case fork_choice.BetterFork():
                return self._rewind(found.first, found.entries)
            case fork_choice.AbandonedFork():
                self.stopped = found.blame
                other = StoreOtherEnd(found.first, found.entries)
                return [other, NodeStopped(found.blame, given_up=True)]
            case fork_choice.InvalidFork():
                return self._stop(found.blame, found.entry)
            case None:
                return []

    def _rewind(self, count: int, rest: tuple[Entry, ...]) -> list[SeatOutput]:
        """Give up the last entries: another host was elected before they were final."""
        for reader in self._readers:
            reader.before_rewind()
        self._on_disk = min(self._on_disk, count)
        self._rewinds += 1
        self.caught_up = False
        self._read_again(self.entries, count)
        return [TruncateJournal(count), *self._receive_entries(messages.Entries(count, rest))]

    def _read_again(self, entries: Sequence[Entry], count: int) -> None:
        """Begin anew behind the first `count` of these entries."""
        start = self.starts.last(count)
        self.starts.give_up(count)
        self.replay, self.owners_changed_at = start.replay.copy(), start.changed
        self.entries = [*entries[: self.replay.seq]]
        for reader in self._readers:
            reader.start_over()
        for reader in self._readers:
            reader.note_entry(start.happened)
        for entry in entries[self.replay.seq : count]:
            self._append(entry, trusted=True)
        for reader in self._readers:
            reader.read_again()

    def _refuse_without_release(self, entry: Entry) -> list[SeatOutput]:
        """Stop: the next entry is not the one for which a secret was released."""
        try:
            self.replay.copy().follow(entry)
        except HostFault as fault:
            return self._stop(fault.blame, entry)
        self.stopped = self._lacks_release()
        return [StoreOtherEnd(self.replay.seq, (entry,)), NodeStopped(self.stopped, given_up=True)]

    def _follow(self, entry: Entry) -> list[SeatOutput]:
        if self.binding.forbids(self.replay, entry):
            return self._refuse_without_release(entry)
        try:
            happened = self._append(entry, trusted=False)
        except HostFault as fault:
            out = self._stop(fault.blame, entry)
            if self.stopped is None:
                self._read_again(self.entries, len(self.entries))
            return out
        done = [each for reader in self._readers for each in reader.after_entry()]
        return [AppendEntry(entry), *map(Happened, happened), *done]

    def _append(self, entry: Entry, *, trusted: bool) -> list[LogEvent]:
        """Let the log go on by one entry."""
        before = self.replay.absence.present_owners
        happened = self.replay.follow(entry, trusted=trusted)
        self.entries.append(entry)
        if self.replay.absence.present_owners != before:
            self.owners_changed_at = len(self.entries)
        self.starts.note(self.replay, happened, self.owners_changed_at, self.binding_count)
        for reader in self._readers:
            reader.note_entry(happened)
        return happened

    def _lacks_release(self) -> Blame:
        """The log lacks an entry for which this node has released a secret."""
        replay, why = self.replay, "a log without an entry on which a secret was released"
        return Blame(None, Fault.BAD_ORDER, replay.number, replay.seq, why)

    def _stop(self, blame: Blame, evidence: Entry | None = None) -> list[SeatOutput]:
        if blame.seat is None and not self.host_is_known():
            # Any peer can send such entries, and they would stop this node for good.
            self._fork_reader.clear()
            return [HostDoubted()]
        self.stopped = blame
        kept = [] if evidence is None else [AppendEntry(evidence)]
        return [*kept, NodeStopped(blame)]


def _is_known() -> bool:
    """The default: the owner that is followed is the host."""
    return True
