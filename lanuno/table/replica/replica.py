"""A node's copy of a table's log: it appends new entries, and cuts off an end that is given up.

A node has one replica for all its seats. The keys, automatic steps and signatures of a seat are in
its session (`seat.py`), which the replica calls for each new entry (`LogReader`). A message that no
honest host can have sent stops the replica, which keeps the evidence. Sans I/O.
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
from lanuno.table.messages import AtTable
from lanuno.table.outputs import (
    TO_HOST,
    AppendEntry,
    EntriesOnDisk,
    Happened,
    HostDoubted,
    NodeStopped,
    SeatOutput,
    SeatsAwaited,
    Send,
    StoreGenesis,
    StoreOtherEnd,
    SyncJournal,
    TruncateJournal,
    ViewChanged,
)
from lanuno.table.released_secrets import ReleaseBinding, Released
from lanuno.table.succession import fork_choice
from lanuno.table.succession.fork_choice import ForkReader, LocalLog
from lanuno.table.succession.round_starts import RoundStarts


class LogReader(Protocol):
    """A reader of the replica's log, such as the session of a seat.

    All readers are notified of an entry before any of them acts on it. They act in the order in
    which they were attached.
    """

    def note_entry(self, happened: Sequence[LogEvent]) -> None:
        """The log has grown by one entry, now or while it is read again."""

    def after_entry(self) -> list[SeatOutput]:
        """The log has grown by one entry from the host, and all readers have noted it."""

    def proceed(self) -> list[SeatOutput]:
        """No more entries are arriving, or more are final: do what is due now."""

    def caught_up_again(self) -> list[SeatOutput]:
        """After a time without contact, this node again holds all that the host holds.

        Do what is due now.
        """

    def body_refused(self, message: messages.BodyRefusal) -> list[SeatOutput]:
        """The host has refused a body of any of this node's seats."""

    def before_rewind(self) -> None:
        """The last entries are about to be given up."""

    def start_over(self, happened: Sequence[LogEvent]) -> None:
        """The log is back at an entry with these events, from which it will be read again."""

    def read_again(self) -> None:
        """The log has been read again, up to its present end."""


class Replica:
    """A node's copy of the log of a table."""

    def __init__(self, genesis: Genesis, released: Released | None = None) -> None:
        """Begin at a genesis; raises `Unreadable` if it is invalid.

        `released`: the last release recorded on disk; None if the node has released nothing.
        """
        self.replay = Replay(genesis)
        self.stopped: Blame | None = None
        """The fault for which this replica has stopped; None while it runs."""
        self.final_count = 0
        """Number of entries that are final: all owners have acknowledged them.

        It is not kept on disk. After a restart, a node knows of no final entries until it has the
        acknowledgements again, so it publishes no secret too early. Earlier releases are on disk.
        """
        self.entries: list[Entry] = []
        """The log as received, for the host role. Read only."""
        self.starts = RoundStarts(genesis)
        """The starts of the last rounds. Read only."""
        self.owners_changed_at = 0
        """Number of entries up to the last change of the owners that count; 0 without a change."""
        self.in_contact = False
        """Whether the host is in contact."""
        self.caught_up = False
        """Whether the host is in contact and this node holds all that the host holds."""
        self.host_is_known: Callable[[], bool] = _is_known
        """Whether the log names the followed owner as host. If not, it still owes its votes."""
        self.binding = ReleaseBinding(released)
        """The node's releases at this table."""
        self.job_numbers: Iterator[int] = count(1)
        """Numbers for the jobs of all readers."""
        self._readers: list[LogReader] = []
        self.on_disk = 0
        """Number of entries on this node's disk."""
        self._rewinds = 0
        self._fork_reader = ForkReader()

    def attach(self, reader: LogReader) -> None:
        """Attach a reader, at the beginning of the log or between two rounds."""
        self._readers.append(reader)

    # ---- state ------------------------------------------------------------------------------

    @property
    def binding_count(self) -> int:
        """Number of entries that are never given up: final, or a secret was released for them."""
        return max(self.final_count, self.binding.count)

    @property
    def holds_released(self) -> bool:
        """Whether the log has the last entry for which a secret was released.

        A journal may lack its end. Until the end is back, this node signs nothing and gives no
        vote.
        """
        return self.binding.holds(self.replay)

    @property
    def releasable_count(self) -> int:
        """Number of entries for which secrets may be released: final, and on this node's disk."""
        return min(self.final_count, self.on_disk)

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self) -> list[SeatOutput]:
        """Start: store the genesis. The entries of the journal are not written again."""
        out: list[SeatOutput] = [StoreGenesis(self.replay.genesis), ViewChanged()]
        if self.stopped is not None:
            given_up = self.binding.denied_by(self.replay)
            return [*out, NodeStopped(self.stopped, given_up=given_up)]
        return [*out, SyncJournal(self.replay.seq, self._rewinds)] if self.entries else out

    def connected(self) -> list[SeatOutput]:
        """The host is connected: fetch the missed entries before signing anything."""
        if self.stopped is not None:
            return []
        self.in_contact, self.caught_up = True, False
        self._fork_reader.clear()
        return [Send(TO_HOST, messages.Fetch(self.replay.seq))]

    def disconnected(self) -> None:
        """The host is no longer in contact."""
        self.in_contact = self.caught_up = False
        self._fork_reader.clear()

    def synced(self, done: SyncJournal) -> list[SeatOutput]:
        """The journal has been synced to disk, as requested: acknowledge its entries."""
        if done.cuts != self._rewinds or not self.on_disk < done.count <= self.replay.seq:
            return []
        self.on_disk = done.count
        # Before catching up, the host may not have this end of the log: do not acknowledge it.
        return [EntriesOnDisk(done.count), *self._proceed()] if self.caught_up else []

    def receive(self, message: AtTable) -> list[SeatOutput]:
        """Handle a message from the host."""
        if self.stopped is not None:
            return []
        match message:
            case messages.Entries():
                return self._receive_entries(message)
            case messages.BodyRefusal():
                return [each for reader in self._readers for each in reader.body_refused(message)]
            case messages.Said():
                return [*checked_chat(message, self.replay.roster.seats)]
            case messages.Reacted():
                return [*checked_reaction(message, self.replay.roster.seats)]
            case messages.Waiting():
                known = range(len(self.replay.roster.seats))
                seats = tuple(seat for seat in message.seats if seat in known)
                return [SeatsAwaited(seats, message.ms / 1000)]
            case _:
                return []

    def certified(self, count: int) -> list[SeatOutput]:
        """All owners have acknowledged the first `count` entries, so these are final.

        Before catching up, the host may not have the end of this log, which then is not final.
        """
        if count <= self.final_count or not self.caught_up:
            return []
        self.final_count = count
        return self._proceed()

    def take_closed_end(self, first: int, entries: tuple[Entry, ...]) -> list[SeatOutput]:
        """Accept the end of a closed log from another node, already checked up to its close.

        `first`: number of its first entry. Entries held here from that number on are given up.
        """
        if self.stopped is not None:
            return []
        if first < min(self.binding_count, self.replay.seq):
            return [StoreOtherEnd(first, entries), self._stop_without_release()]
        if first < self.replay.seq:
            return self._rewind(first, entries)
        out = self._receive_entries(messages.Entries(first, entries))
        if self.replay.closed is not None and not self.holds_released:
            out.append(self._stop_without_release())
        return out

    # ---- the log ----------------------------------------------------------------------------

    def read_journal(self, entries: Sequence[Entry]) -> None:
        """Read a journal, once all readers are attached; raises `HostFault` if it is invalid.

        A replica that stopped for a fault has appended the evidence to the journal, as its last
        entry. Reading this entry stops the replica again.
        """
        for number, entry in enumerate(entries, 1):
            try:
                self._append(entry, trusted=False)
            except HostFault as fault:
                if number < len(entries):
                    raise
                self.stopped = fault.blame
        if self.stopped is None and self.binding.denied_by(self.replay):
            self._stop_without_release()
        for reader in self._readers:
            reader.read_again()

    def _receive_entries(self, message: messages.Entries) -> list[SeatOutput]:
        replay = self.replay
        if self._fork_reader.following:
            return self._resolve_fork(self._fork_reader.read_on(message.first, message.entries))
        held = replay.seq - message.first
        if held < 0:
            if replay.closed is not None or self._catching_up:
                return []  # requested before an end was cut off; the gap is requested as well
            return self._stop(fork_choice.missing_entry(replay))
        for number, entry in enumerate(message.entries[:held], message.first):
            if not replay.knows(entry.hash):
                theirs = message.entries[number - message.first :]
                return self._resolve_fork(
                    self._fork_reader.begin_fork(self._local_log, number, theirs)
                )
        # Nothing may follow a close: a later entry would make the journal unreadable.
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
            # Continue after the page, not after this log, because the two may fork in between.
            out.append(Send(TO_HOST, messages.Fetch(message.first + len(message.entries))))
        elif self._catching_up and not fresh and not held:
            out += self._set_caught_up()
        return out

    def _set_caught_up(self) -> list[SeatOutput]:
        """This node holds all that the host holds: sync, acknowledge, and let the readers act."""
        if not self.holds_released:
            return [self._stop_without_release()]
        self.caught_up = True
        out: list[SeatOutput] = []
        if self.on_disk < self.replay.seq:
            out.append(SyncJournal(self.replay.seq, self._rewinds))
        if self.on_disk:
            out.append(EntriesOnDisk(self.on_disk))
        for reader in self._readers:
            out += reader.caught_up_again()
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
        """Act on the fork choice for entries that do not continue this log."""
        match found:
            case fork_choice.ReadFrom():
                return [Send(TO_HOST, messages.Fetch(found.first))]
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
        """Replace the entries after the first `count`: another host was elected without them."""
        for reader in self._readers:
            reader.before_rewind()
        self.on_disk = min(self.on_disk, count)
        self._rewinds += 1
        self.caught_up = False
        self._read_again(self.entries, count)
        return [TruncateJournal(count), *self._receive_entries(messages.Entries(count, rest))]

    def _read_again(self, entries: Sequence[Entry], count: int) -> None:
        """Rebuild the state after the first `count` of these entries."""
        start = self.starts.last(count)
        self.starts.give_up(count)
        self.replay, self.owners_changed_at = start.replay.copy(), start.changed
        self.entries = [*entries[: self.replay.seq]]
        for reader in self._readers:
            reader.start_over(start.happened)
        for entry in entries[self.replay.seq : count]:
            self._append(entry, trusted=True)
        for reader in self._readers:
            reader.read_again()

    def _refuse_without_release(self, entry: Entry) -> list[SeatOutput]:
        """Stop, because the next entry replaces one for which a secret was released."""
        try:
            self.replay.copy().follow(entry)
        except HostFault as fault:
            return self._stop(fault.blame, entry)
        return [StoreOtherEnd(self.replay.seq, (entry,)), self._stop_without_release()]

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
        """Append one entry to the log, and notify the readers."""
        before = self.replay.absence.present_owners
        happened = self.replay.follow(entry, trusted=trusted)
        self.entries.append(entry)
        if self.replay.absence.present_owners != before:
            self.owners_changed_at = len(self.entries)
        self.starts.note(self.replay, happened, self.owners_changed_at, self.binding_count)
        for reader in self._readers:
            reader.note_entry(happened)
        return happened

    def _stop_without_release(self) -> NodeStopped:
        """Stop for a log that lacks an entry for which this node released a secret."""
        replay, why = self.replay, "a log without an entry on which a secret was released"
        self.stopped = Blame(None, Fault.BAD_ORDER, replay.number, replay.seq, why)
        return NodeStopped(self.stopped, given_up=True)

    def _stop(self, blame: Blame, evidence: Entry | None = None) -> list[SeatOutput]:
        if blame.seat is None and not self.host_is_known():
            # Any peer can send such entries, so they must not stop this node for good.
            self._fork_reader.clear()
            return [HostDoubted()]
        self.stopped = blame
        kept = [] if evidence is None else [AppendEntry(evidence)]
        return [*kept, NodeStopped(blame)]


def _is_known() -> bool:
    """The default: the log names the followed owner as host."""
    return True
