"""Entries that do not go on where a peer's own log ends: what each of them means.

Whoever was away may hold an end that others gave up in an election, and even the first entry of a
term that never became firm. Such an end yields to one of a later term, and to nothing else. Here
only the question is answered which end that is, and whose fault it is if none; what is given up and
what is kept `session.py` decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto

from lanuno.log.bodies import HOST, Elect
from lanuno.log.entries import Entry
from lanuno.log.faults import Blame, Fault, HostFault, Unreadable
from lanuno.log.replay import Replay
from lanuno.table.round_starts import RoundStarts

FEWEST_VOTES = 2
"""That elect a host: of three owners."""


class Fork(Enum):
    """How an entry stands to what is held at its number."""

    NONE = auto()
    """Of the same term, or nothing that can be read: two ends of one term there are not."""
    BEFORE = auto()
    """The ends part further back."""
    EARLIER = auto()
    """They part here, and this one is of an earlier term: what follows it may be of a later one."""
    LATER = auto()
    """They part here, and this one begins a later term."""


@dataclass(frozen=True, slots=True)
class LookAt:
    """It is not known yet: the entries from this number on will tell."""

    first: int


@dataclass(frozen=True, slots=True)
class Newer:
    """The other end counts: ours is given up from this number on, and these follow."""

    first: int
    entries: tuple[Entry, ...]
    term: int
    """The later term that begins there, or in which the log was closed."""
    host: int
    """Seat of its host."""


@dataclass(frozen=True, slots=True)
class GivenUp:
    """A later term, by the votes in it, without entries that are final here.

    These follow in their place. Nothing less shows it: words alone must stop nobody.
    """

    blame: Blame
    first: int
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Wrong:
    """No honest host can say this."""

    blame: Blame
    entry: Entry
    """The evidence."""


Found = LookAt | Newer | GivenUp | Wrong | None
"""What other entries than ours mean; None if nothing at all."""


def _fork_at(replay: Replay, held: Sequence[Entry], entry: Entry, number: int) -> Fork:
    """How another entry than the held one stands to it; or an entry to the end, behind all."""
    try:
        core = entry.read()
    except Unreadable:
        return Fork.NONE
    ours = held[number].read().term if number < len(held) else replay.term
    if core.term == ours:
        return Fork.NONE
    if core.prev != (replay.hashes[number - 1] if number else replay.table_id):
        return Fork.BEFORE
    return Fork.LATER if core.term > ours else Fork.EARLIER


def parts_before(replay: Replay, entry: Entry) -> bool:
    """Whether an entry that comes next by its number belongs to an end that parts further back."""
    return _fork_at(replay, (), entry, replay.seq) is Fork.BEFORE


def follow_on(replay: Replay, entries: Sequence[Entry]) -> tuple[Entry, ...]:
    """Those with which the host of the present term goes on behind a log, until one is another.

    What follows that may be an old entry of the same host, or nobody's: it is no reason to stop.
    What the host did sign here is its own, right or not.
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
    """Whether an entry may belong to some end of this log: more than its sender alone signed it.

    To follow another end costs as much as to read the whole log again.
    """
    try:
        core = entry.read()
        payload = core.signed_body.read().payload
    except Unreadable:
        return False
    people = replay.absence.signed.seats
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
    """Where to look for the fork if it lies before a number: terms are given up as a whole."""
    return max([term.first for term in replay.terms if term.first < number], default=0)


def _other_story(replay: Replay, entry: Entry) -> Wrong:
    """An entry came again and was another one."""
    number, seq = replay.number, replay.seq
    if entry.signed_by(replay.public_key(HOST)):
        why = "the host signed another entry before"
        return Wrong(Blame(replay.host, Fault.EQUIVOCATION, number, seq, why), entry)
    return Wrong(Blame(None, Fault.FORGED, number, seq, "not signed by the host"), entry)


def _passed_over(number: int, count: int) -> Blame:
    """An election that would give up what a majority of the owners held: nobody can prove whose."""
    why = "an election that passes over firm entries"
    return Blame(None, Fault.BAD_ORDER, number, count, why)


def missing_entry(replay: Replay) -> Blame:
    """The host leaves something out; it may have been a message that was lost."""
    return Blame(None, Fault.BAD_ORDER, replay.number, replay.seq, "an entry is missing")


class _Branch:
    """Another end of a log, followed beside our own until it is seen whether it counts."""

    def __init__(self, own: OwnEnd, first: int, *, to_close: bool) -> None:
        """`first`: number of the entries of our log before it. `to_close`: see `OtherEnds`."""
        self.first = first
        """Number of its first entry."""
        self.entries: list[Entry] = []
        self._ours = own.replay.term
        self._to_close = to_close
        self._replay = own.behind(first)

    @property
    def count(self) -> int:
        """Number of the entry that comes next."""
        return self._replay.seq

    @property
    def number(self) -> int:
        """Of the round at its end so far."""
        return self._replay.number

    @property
    def _counts(self) -> bool:
        if self._to_close:
            return self._replay.closed is not None
        return self._replay.term > self._ours

    def go_on(self, first: int, entries: Sequence[Entry]) -> Found:
        """What is to be done after the next entries of it; none say that it ends here."""
        if first != self.count:
            return None
        for place, entry in enumerate(entries, 1):
            try:
                self._replay.follow(entry)
            except HostFault as fault:
                return Wrong(fault.blame, entry)
            self.entries.append(entry)
            if self._counts:
                rest = (*self.entries, *entries[place:])
                return Newer(self.first, rest, self._replay.term, self._replay.host)
        if not entries:
            why = "an end of the log that was given up"
            number = self._replay.number
            return Wrong(Blame(None, Fault.BAD_ORDER, number, self.first, why), self.entries[0])
        return LookAt(self.count)


@dataclass(frozen=True, slots=True)
class OwnEnd:
    """How far a peer's own log goes, and how sure that is."""

    replay: Replay
    entries: Sequence[Entry]
    fixed: int
    """Number of entries never given up: they are final, or secrets were released on them."""
    catching_up: bool
    """Whether what the host holds has been asked for: it comes from where it was asked for."""
    starts: RoundStarts
    """Where the last rounds of the log began."""

    def behind(self, count: int) -> Replay:
        """A view of its own of the log behind its first `count` entries."""
        return self.starts.behind(self.entries, count)


class OtherEnds:
    """What one peer hears of ends of the log that are not its own."""

    def __init__(self, *, to_close: bool = False) -> None:
        """None is heard of yet. `to_close`: only a closed end counts, and not yet a later term."""
        self._branch: _Branch | None = None
        self._to_close = to_close
        self._fixed = 0
        """Of our own log, when another end was met."""

    @property
    def following(self) -> bool:
        """Whether another end is followed, and it is not known yet which of the two counts."""
        return self._branch is not None

    def forget(self) -> None:
        """Another host will tell anew."""
        self._branch = None

    def meet(self, own: OwnEnd, number: int, entries: Sequence[Entry]) -> Found:
        """Other entries than our own from this number on: only a later term counts more."""
        replay = own.replay
        fork = _fork_at(replay, own.entries, entries[0], number)
        if fork is Fork.BEFORE and own.catching_up:
            return LookAt(_further_back(replay, number))
        if fork is Fork.LATER or (fork is Fork.EARLIER and own.catching_up):
            self._fixed = own.fixed
            self._branch = _Branch(own, number, to_close=self._to_close)
            return self.go_on(number, entries)
        return None if replay.closed is not None else _other_story(replay, entries[0])

    def compare(self, own: OwnEnd, first: int, entries: Sequence[Entry]) -> Found:
        """What the next entries of somebody's log mean of whom nothing is known.

        Unlike what a host says they are nobody's fault: `Wrong` and `GivenUp` mean that they show
        nothing.
        """
        if self.following:
            return self.go_on(first, entries)
        replay = own.replay
        for number, entry in enumerate(entries, first):
            if replay.knows(entry.hash):
                continue
            if number > replay.seq:
                return None  # nobody has asked for entries from behind our end
            if not _may_be(replay, entry):
                return None
            theirs = entries[number - first :]
            if number == replay.seq and not parts_before(replay, entry):
                # It may go on in our own term first, with what has not come here yet. Nothing that
                # is held is given up for it.
                self._fixed = 0
                self._branch = _Branch(own, number, to_close=self._to_close)
                return self.go_on(number, theirs)
            return self.meet(own, number, theirs)
        return LookAt(first + len(entries)) if entries else None

    def go_on(self, first: int, entries: Sequence[Entry]) -> Found:
        """Go on with the end that is followed."""
        assert self._branch is not None
        number, found = self._branch.number, self._branch.go_on(first, entries)
        if not isinstance(found, Newer):
            return found
        self._branch = None
        if found.first >= self._fixed:
            return found
        return GivenUp(_passed_over(number, found.first), found.first, found.entries)
