"""The fork choice: which log counts when received entries do not continue a node's own log.

A node that was away may hold an end that the others gave up in an election, even the first entry of
a term that never became final. Such an end yields only to an end of a later term. This module
decides which of two ends counts and, if neither is valid, who is at fault. `replica/replica.py`
gives up and stores entries accordingly.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from msgspec import Struct

from lanuno.log.faults import Blame, Fault, HostFault, Unreadable
from lanuno.log.format.bodies import HOST, Elect
from lanuno.log.format.entries import Entry
from lanuno.log.replay.replay import Replay
from lanuno.table.succession.round_starts import RoundStarts

FEWEST_VOTES = 2
"""Minimum number of votes that elect a host: two of three owners."""


class Fork(Enum):
    """How an entry relates to the one that is held under its number."""

    NONE = auto()
    """It is of the same term, which cannot fork, or is unreadable."""
    BEFORE = auto()
    """The logs fork at an earlier entry."""
    EARLIER = auto()
    """The logs fork here, and this entry is of an earlier term. A later term may follow it."""
    LATER = auto()
    """The logs fork here, and this entry begins a later term."""


class ReadFrom(Struct, frozen=True):
    """The choice is not clear yet: request the entries from this number on."""

    first: int


class BetterFork(Struct, frozen=True):
    """The other log counts: replace this node's entries from this number on with these."""

    first: int
    entries: tuple[Entry, ...]
    term: int
    """The later term that begins there, or the term in which the log was closed."""
    host: int
    """Seat of the host of that term."""


class AbandonedFork(Struct, frozen=True):
    """A later term, proven by its votes, in a log that lacks entries that are final here.

    `entries` take their place. Nothing less proves this, because a mere claim must not stop a node.
    """

    blame: Blame
    first: int
    entries: tuple[Entry, ...]


class InvalidFork(Struct, frozen=True):
    """Entries that no honest host can send."""

    blame: Blame
    entry: Entry
    """The entry that is the evidence."""


ForkFinding = ReadFrom | BetterFork | AbandonedFork | InvalidFork | None
"""The result of the fork choice; None if the entries change nothing."""


def _fork_at(replay: Replay, held: Sequence[Entry], entry: Entry, number: int) -> Fork:
    """Relate an entry to the different one held under its number, or to the end of the log."""
    try:
        core = entry.read()
    except Unreadable:
        return Fork.NONE
    own_term = held[number].read().term if number < len(held) else replay.term
    if core.term == own_term:
        return Fork.NONE
    if core.prev != (replay.hashes[number - 1] if number else replay.table_id):
        return Fork.BEFORE
    return Fork.LATER if core.term > own_term else Fork.EARLIER


def parts_before(replay: Replay, entry: Entry) -> bool:
    """Whether the entry with the next number belongs to a log that forks further back."""
    return _fork_at(replay, (), entry, replay.seq) is Fork.BEFORE


def follow_on(replay: Replay, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Return the leading entries with which the host of the present term continues a log.

    Any entry after these is ignored: it may be unsigned, or an old entry of the same host, which is
    no reason to stop. An entry that the host signed for this place is returned even if it is
    invalid.
    """
    head, found = replay.head, list[Entry]()
    for number, entry in enumerate(entries, replay.seq):
        try:
            core = entry.read()
        except Unreadable:
            break
        place = (core.table, core.term, core.seq, core.prev)
        if place != (replay.table_id, replay.term, number, head):
            break
        if not entry.signed_by(replay.public_key(HOST)):
            break
        head = entry.hash
        found.append(entry)
    return tuple(found)


def _may_be(replay: Replay, entry: Entry) -> bool:
    """Whether an entry can belong to a fork of this log, judging by its signatures.

    It must be signed by the host of its term, or elect a host with enough valid votes, so that its
    sender alone cannot have made it up. Checking this first saves reading the fork, which can cost
    as much as reading the whole log again.
    """
    try:
        core = entry.read()
        payload = core.signed_body.read().payload
    except Unreadable:
        return False
    people = replay.absence.signed_roster.seats
    if not isinstance(payload, Elect):
        hosts = {term.host for term in replay.terms if term.number == core.term}
        return any(entry.signed_by(people[host].identity) for host in hosts)
    voters = set()
    for signed in payload.votes:
        try:
            vote = signed.read()
        except Unreadable:
            return False
        known = vote.voter < len(people) and vote.table == replay.table_id
        if known and signed.signed_by(people[vote.voter].identity):
            voters.add(vote.voter)
    return len(voters) >= FEWEST_VOTES


def _further_back(replay: Replay, number: int) -> int:
    """Return where to look for a fork before a number: terms are given up as a whole."""
    return max([term.first for term in replay.terms if term.first < number], default=0)


def _other_story(replay: Replay, entry: Entry) -> InvalidFork:
    """Return the finding for a different entry in a place that this log has filled already."""
    number, seq = replay.number, replay.seq
    if entry.signed_by(replay.public_key(HOST)):
        why = "the host signed another entry before"
        return InvalidFork(Blame(replay.host, Fault.EQUIVOCATION, number, seq, why), entry)
    return InvalidFork(Blame(None, Fault.FORGED, number, seq, "not signed by the host"), entry)


def missing_entry(replay: Replay) -> Blame:
    """Return the blame for an entry that the host left out, or that was lost on the way."""
    return Blame(None, Fault.BAD_ORDER, replay.number, replay.seq, "an entry is missing")


class _Branch:
    """Another end of a log, read without changing this node's log until the choice is clear."""

    def __init__(self, own: LocalLog, first: int, *, to_close: bool) -> None:
        """`first`: number of common entries before the branch. `to_close`: see `ForkReader`."""
        self.first = first
        """Number of the branch's first entry."""
        self.entries: list[Entry] = []
        self._ours = own.replay.term
        self._to_close = to_close
        self.replay = own.behind(first)
        """The branch up to its present end."""

    @property
    def _counts(self) -> bool:
        if self._to_close:
            return self.replay.closed is not None
        return self.replay.term > self._ours

    def go_on(self, first: int, entries: Sequence[Entry]) -> ForkFinding:
        """Read the next entries. An empty page means that the branch ends here."""
        if first != self.replay.seq:
            return None
        for place, entry in enumerate(entries, 1):
            try:
                self.replay.follow(entry)
            except HostFault as fault:
                return InvalidFork(fault.blame, entry)
            self.entries.append(entry)
            if self._counts:
                rest = (*self.entries, *entries[place:])
                return BetterFork(self.first, rest, self.replay.term, self.replay.host)
        if not entries:
            why = "an end of the log that was given up"
            blame = Blame(None, Fault.BAD_ORDER, self.replay.number, self.first, why)
            return InvalidFork(blame, self.entries[0])
        return ReadFrom(self.replay.seq)


class LocalLog(Struct, frozen=True):
    """A node's own log, and how much of it is fixed."""

    replay: Replay
    entries: Sequence[Entry]
    fixed: int
    """Number of entries that are never given up: final, or a secret was released for them."""
    catching_up: bool
    """Whether the other log's entries were requested, and so begin at the requested number."""
    starts: RoundStarts
    """The starts of the last rounds of the log."""

    def behind(self, count: int) -> Replay:
        """Return a new replay of the first `count` entries."""
        return self.starts.behind(self.entries, count)


class ForkReader:
    """Reads the entries of another log until the fork choice is clear."""

    def __init__(self, *, to_close: bool = False) -> None:
        """`to_close`: whether only a closed log counts, rather than a later term."""
        self._branch: _Branch | None = None
        self._to_close = to_close
        self._fixed = 0
        """Number of fixed entries in this node's log when the fork was found."""

    @property
    def following(self) -> bool:
        """Whether a fork is being read and the choice is not clear yet."""
        return self._branch is not None

    def clear(self) -> None:
        """Forget the fork, because another host will send its own entries."""
        self._branch = None

    def begin_fork(self, own: LocalLog, number: int, entries: Sequence[Entry]) -> ForkFinding:
        """Begin to read entries that differ from this node's log from this number on.

        Only a later term makes the other log count.
        """
        replay = own.replay
        fork = _fork_at(replay, own.entries, entries[0], number)
        if fork is Fork.BEFORE and own.catching_up:
            return ReadFrom(_further_back(replay, number))
        if fork is Fork.LATER or (fork is Fork.EARLIER and own.catching_up):
            self._fixed = own.fixed
            self._branch = _Branch(own, number, to_close=self._to_close)
            return self.read_on(number, entries)
        return None if replay.closed is not None else _other_story(replay, entries[0])

    def compare(self, own: LocalLog, first: int, entries: Sequence[Entry]) -> ForkFinding:
        """Check the next entries of the log of a node that is not the host.

        Unlike the host's entries they prove no fault: `InvalidFork` and `AbandonedFork` only mean
        that they do not count.
        """
        if self.following:
            return self.read_on(first, entries)
        replay = own.replay
        for number, entry in enumerate(entries, first):
            if replay.knows(entry.hash):
                continue
            if number > replay.seq:
                return None  # entries after the end of this node's log were not requested
            if not _may_be(replay, entry):
                return None
            theirs = entries[number - first :]
            if number == replay.seq and not parts_before(replay, entry):
                # The other log may first continue this node's term with entries that are missing
                # here. No entry held here is given up for it.
                self._fixed = 0
                self._branch = _Branch(own, number, to_close=self._to_close)
                return self.read_on(number, theirs)
            return self.begin_fork(own, number, theirs)
        return ReadFrom(first + len(entries)) if entries else None

    def read_on(self, first: int, entries: Sequence[Entry]) -> ForkFinding:
        """Continue reading the fork."""
        assert self._branch is not None
        number, found = self._branch.replay.number, self._branch.go_on(first, entries)
        if not isinstance(found, BetterFork):
            return found
        self._branch = None
        if found.first >= self._fixed:
            return found
        # This proves nobody's fault.
        why = "an election that passes over final entries"
        blame = Blame(None, Fault.BAD_ORDER, number, found.first, why)
        return AbandonedFork(blame, found.first, found.entries)
