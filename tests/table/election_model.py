"""Every history of a small table: hosts, elections, crashes, lost messages, moving owners.

A state holds what the nodes have on disk and every message that was ever sent. A message may arrive
at any later moment, repeatedly, or never, so loss, delay, repetition and partition need no actions
of their own. Votes are decided by the real `Voter`, rebuilt from its disk for each question, as if
the node restarted before every message. The search looks for a term with two hosts, and for a final
entry that is missing in the log of a later host. Finality counts everything that was ever
acknowledged, and an entry is acknowledged as soon as it is received: no real host calls anything
final earlier.

Not modelled: loss of unflushed data (none of it was acknowledged), time, the pre-vote (both only
forbid more), and lying nodes.

`python -m tests.table.election_model` searches further than the tests do.
"""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple, TypeVar

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.format.codec import encode
from lanuno.log.format.votes import ElectionVote, SignedVote
from lanuno.log.replay.terms import majority
from lanuno.table.messages import RequestVote, VoteReply
from lanuno.table.outputs import StoreVote
from lanuno.table.succession.election import ElectionView, SendToOwner, Voter

T = TypeVar("T")
TABLE = H("table", b"model")


class Entry(NamedTuple):
    """An entry of the log. `kind`: x any body, e elected, d dropped, r returned, l leaves."""

    term: int
    kind: str
    seat: int = 0


Log = tuple[Entry, ...]


class Node(NamedTuple):
    """One owner's node."""

    log: Log = ()
    promised: int = 0
    choice: int = -1
    """The seat that it voted for in its promised term."""
    stands: int = 0
    """The term for which it is a candidate; lost in a crash."""
    left: bool = False


class State(NamedTuple):
    """The disks of all nodes, and every message ever sent."""

    nodes: tuple[Node, ...]
    asks: frozenset[tuple[int, int, Log]]
    """Term, candidate, and the candidate's log at that time."""
    votes: frozenset[tuple[int, int, int]]
    """Term, voter, candidate."""
    hosts: tuple[int, ...]
    """By term; -1 for none."""
    won: tuple[Log, ...]
    """By term: the log that won the election."""
    ruled: tuple[Log, ...]
    """By term: the log as its host extended it."""
    acks: tuple[tuple[int, ...], ...]
    """By term and seat."""


@dataclass(frozen=True)
class Table:
    """The limits of a search, and the rule that is broken on purpose."""

    owners: tuple[int, ...]
    seats: int
    terms: int
    """The last term."""
    longest: int
    """Entries of the longest log."""
    plain: int = 1
    """The number of entries without meaning in one log."""
    changes: tuple[tuple[str, int], ...] = ()
    """The changes of owners that a host may write, each once per log."""
    bug: str = ""
    limit: int = 10_000_000
    start: State | None = None


class CounterExample(AssertionError):
    """A history that violates a safety property."""


@cache
def owners_of(owners: tuple[int, ...], log: Log) -> tuple[int, ...]:
    here = set(owners)
    for entry in log:
        if entry.kind in ("d", "l"):
            here.discard(entry.seat)
        elif entry.kind == "r":
            here.add(entry.seat)
    return tuple(sorted(here))


def last_term(log: Log) -> int:
    return log[-1].term if log else 0


class Pen(Identity):
    """An identity without signatures: the model forges nothing."""

    def __init__(self) -> None:
        self.public = bytes(32)

    def sign(self, message: bytes) -> bytes:
        return bytes(64)


class Forgetful(Voter):
    """A voter that forgets its earlier votes."""

    def _would_vote(
        self, seat: int, asked: RequestVote, now: float, standing: ElectionView
    ) -> bool:
        self.promised = 0
        return super()._would_vote(seat, asked, now, standing)


class Careless(Voter):
    """A voter that does not compare logs."""

    def _would_vote(
        self, seat: int, asked: RequestVote, now: float, standing: ElectionView
    ) -> bool:
        flattered = RequestVote(asked.pre, asked.term, 0xFFFF, asked.count, asked.head)
        return super()._would_vote(seat, flattered, now, standing)


PEN = Pen()
KINDS: dict[str, type[Voter]] = {"votes twice": Forgetful, "log behind": Careless}


@cache
def election_view_of(owners: tuple[int, ...], log: Log) -> ElectionView:
    elected = [entry.seat for entry in log if entry.kind == "e"]
    head = H("entry", repr(log).encode()) if log else TABLE
    here = owners_of(owners, log)
    return ElectionView(
        TABLE,
        last_term(log),
        elected[-1] if elected else 0,
        here,
        last_term(log),
        len(log),
        head,
        {},
    )


@cache
def would_vote(
    owners: tuple[int, ...], seat: int, node: Node, term: int, candidate: int, log: Log, bug: str
) -> bool:
    """Return the answer of a real `Voter` that was just started from this disk."""
    standing, theirs = election_view_of(owners, node.log), election_view_of(owners, log)
    kept = {}
    if node.promised:
        vote = ElectionVote(TABLE, node.promised, node.choice, seat, 0, 0, TABLE)
        kept[node.promised] = encode(SignedVote(encode(vote), bytes(64)))
    election = KINDS.get(bug, Voter)(seat, PEN, kept)
    election.left = node.left and bug != "leaver votes"
    election.host_lost(0.0, standing)
    ask = RequestVote(False, term, theirs.last_term, theirs.count, theirs.head)
    said = election.vote_requested(candidate, ask, 9.0, standing)
    answer = said[-1]
    assert isinstance(answer, SendToOwner)
    assert isinstance(answer.message, VoteReply)
    if not answer.message.granted:
        assert len(said) == 1
        return False
    assert answer.message.vote is not None
    known = node.promised == term and node.choice == candidate and bug != "votes twice"
    # On disk before it is said, unless it lies there already.
    assert known or said[0] == StoreVote(term, encode(answer.message.vote))
    return True


@cache
def final_count_of(
    owners: tuple[int, ...], won: Log, log: Log, acks: tuple[int, ...], bug: str
) -> int:
    """Return how many entries a host may ever have called final, by `host/finality.py`."""
    counting = owners_of(owners, won)
    leaving = {entry.seat for entry in log if entry.kind == "l"}
    final, seen = 0, len(won)
    while True:
        held = sorted(
            (len(log) if seat in leaving else acks[seat] for seat in counting), reverse=True
        )
        final = max(final, held[majority(len(counting)) - 1])
        change = next(
            (at for at in range(seen + 1, len(log) + 1) if owners_of(owners, log[:at]) != counting),
            None,
        )
        left = owners_of(owners, log)
        if change is not None and len(counting) == 2 and len(left) == 1:
            # Of two one was dropped: the other decides alone.
            final = max(final, acks[left[0]])
        if change is None or final < change:
            break
        # What was counted by those before it ends here.
        final, seen, counting = change, change, owners_of(owners, log[:change])
    if won and final < len(won) and bug != "old entries":
        return 0
    return final


class Search:
    """A breadth-first search of one table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.seen = 0
        self.whole = False
        """Whether the search visited every state."""

    def start(self) -> State:
        table = self.table
        if table.start is not None:
            return table.start
        none = (-1,) * table.terms
        empty: Log = ()
        logs = (empty,) * (table.terms + 1)
        acks = ((0,) * table.seats,) * (table.terms + 1)
        return State(
            (Node(),) * table.seats, frozenset(), frozenset(), (0, *none), logs, logs, acks
        )

    def run(self) -> int:
        """Return the number of states; raise `CounterExample` for a violation."""
        first = self.start()
        waiting, known = deque([first]), {first}
        while waiting and len(known) < self.table.limit:
            for state in self.next(waiting.popleft()):
                if state not in known:
                    known.add(state)
                    self.check(state)
                    waiting.append(state)
        self.whole = not waiting
        self.seen = len(known)
        return self.seen

    def final(self, state: State, term: int) -> int:
        return final_count_of(
            self.table.owners,
            state.won[term],
            state.ruled[term],
            state.acks[term],
            self.table.bug,
        )

    def check(self, state: State) -> None:
        for term, host in enumerate(state.hosts):
            final = state.ruled[term][: self.final(state, term)] if host >= 0 else ()
            for later in range(term + 1, self.table.terms + 1):
                if state.hosts[later] >= 0 and state.won[later][: len(final)] != final:
                    raise CounterExample(f"{final} of term {term} is lost in term {later}: {state}")

    # ---- what may happen next ---------------------------------------------------------------

    def next(self, state: State) -> Iterator[State]:
        for seat, node in enumerate(state.nodes):
            yield from self.stand(state, seat, node)
            yield from self.vote(state, seat, node)
            yield from self.take(state, seat, node)
            if node.stands:
                yield from self.win(state, seat, node)
                yield self.put(state, seat, node._replace(stands=0))
            if self.table.bug == "forgets" and node.promised:
                yield self.put(state, seat, node._replace(stands=0, promised=0, choice=-1))
            if ("l", seat) in self.table.changes and not node.left:
                yield self.put(state, seat, node._replace(left=True))
        for term, host in enumerate(state.hosts):
            if host >= 0:
                yield from self.rule(state, term, host)

    def put(self, state: State, seat: int, node: Node) -> State:
        return state._replace(nodes=(*state.nodes[:seat], node, *state.nodes[seat + 1 :]))

    def stand(self, state: State, seat: int, node: Node) -> Iterator[State]:
        here = owners_of(self.table.owners, node.log)
        again = len(here) == 2 and election_view_of(self.table.owners, node.log).host == seat
        if node.left or not (len(here) > 2 or again) or seat not in here:
            return
        for term in range(max(node.promised, last_term(node.log)) + 1, self.table.terms + 1):
            after = self.put(state, seat, node._replace(promised=term, choice=seat, stands=term))
            yield after._replace(
                asks=state.asks | {(term, seat, node.log)},
                votes=state.votes | {(term, seat, seat)},
            )

    def vote(self, state: State, seat: int, node: Node) -> Iterator[State]:
        table = self.table
        for term, candidate, log in state.asks:
            if candidate == seat or (term, seat, candidate) in state.votes:
                continue
            if not would_vote(table.owners, seat, node, term, candidate, log, table.bug):
                continue
            stands = 0 if node.stands <= term else node.stands
            after = node._replace(
                promised=max(term, node.promised), choice=candidate, stands=stands
            )
            said = state.votes | {(term, seat, candidate)}
            yield self.put(state, seat, after)._replace(votes=said)

    def win(self, state: State, seat: int, node: Node) -> Iterator[State]:
        term = node.stands
        here = owners_of(self.table.owners, node.log)
        voters = {
            voter for at, voter, whom in state.votes if (at, whom) == (term, seat) and voter in here
        }
        if len(voters) < majority(len(here)) or len(node.log) >= self.table.longest:
            return
        if state.hosts[term] >= 0:
            if state.hosts[term] != seat:
                raise CounterExample(f"two hosts of term {term}: {state}")
            return
        log = (*node.log, Entry(term, "e", seat))
        after = self.put(state, seat, node._replace(log=log, stands=0))
        acks = tuple([len(log) if each == seat else 0 for each in range(self.table.seats)])
        yield after._replace(
            hosts=_at(state.hosts, term, seat),
            won=_at(state.won, term, log),
            ruled=_at(state.ruled, term, log),
            acks=_at(state.acks, term, acks),
        )

    def take(self, state: State, seat: int, node: Node) -> Iterator[State]:
        """Follow a host: accept one more entry and acknowledge the part of its log that is held."""
        for term, host in enumerate(state.hosts):
            ruled = state.ruled[term]
            if host < 0 or host == seat or not ruled or last_term(node.log) > term or node.left:
                continue
            if term < node.promised and self.table.bug != "acks lower":
                continue
            common = 0
            while common < min(len(ruled), len(node.log)) and ruled[common] == node.log[common]:
                common += 1
            holds = [node.log] if common == len(node.log) else []
            if common < len(ruled) and (
                common == len(node.log) or ruled[common].term > node.log[common].term
            ):
                holds.append(ruled[: common + 1])
            for log in holds:
                acks = state.acks[term]
                if len(log) <= acks[seat] and log == node.log:
                    continue
                acks = _at(acks, seat, max(len(log), acks[seat]))
                stands = 0 if node.stands <= last_term(log) else node.stands
                after = self.put(state, seat, node._replace(log=log, stands=stands))
                yield after._replace(acks=_at(state.acks, term, acks))

    def rule(self, state: State, term: int, host: int) -> Iterator[State]:
        """Let the host write an entry."""
        node, log, table = state.nodes[host], state.ruled[term], self.table
        # A later vote for itself need not end its rule: nobody else can win by that.
        outvoted = any(at > term and voter == host != whom for at, voter, whom in state.votes)
        if node.log != log or outvoted or len(log) >= table.longest or node.left:
            return
        if sum(entry.kind == "x" for entry in log) < table.plain:
            yield self.write(state, term, host, Entry(term, "x"))
        final = self.final(state, term)
        won = state.won[term]
        here = owners_of(table.owners, log)
        settled = here == owners_of(table.owners, log[: max(final, len(won))])
        begun = not won or final >= len(won)
        alone = len(here) == 2 and self.knows_of_two(state, term, here)
        may_change = (settled or table.bug == "two changes") and (
            begun or table.bug == "change before term"
        )
        for kind, seat in table.changes:
            if any((entry.kind, entry.seat) == (kind, seat) for entry in log) or seat == host:
                continue
            if kind == "r" and seat in here:
                continue
            if kind != "r" and (seat not in here or len(here) < 2):
                continue
            if kind == "l" and len(here) == 2:
                continue
            if not may_change and not (kind == "d" and alone):
                continue
            if kind == "l" and not self.hears_leave(state.nodes[seat], term):
                continue
            yield self.write(state, term, host, Entry(term, kind, seat))

    def knows_of_two(self, state: State, term: int, here: tuple[int, ...]) -> bool:
        """Whether it was final, in this or an earlier term, that only these two owners are left."""
        if self.table.bug == "drops alone":
            return True
        log = state.ruled[term]
        known = 0
        for at in range(term + 1):
            final = self.final(state, at) if state.hosts[at] >= 0 else 0
            if state.ruled[at][:final] == log[:final]:
                known = max(known, final)
        owners = self.table.owners
        return all(owners_of(owners, log[:at]) == here for at in range(known, len(log) + 1))

    def hears_leave(self, node: Node, term: int) -> bool:
        """An owner that promised a later term sends no leave to a host of an earlier one."""
        return node.left and (node.promised <= term or self.table.bug == "leaves lower")

    def write(self, state: State, term: int, host: int, entry: Entry) -> State:
        log = (*state.ruled[term], entry)
        after = self.put(state, host, state.nodes[host]._replace(log=log))
        acks = _at(state.acks[term], host, len(log))
        return after._replace(ruled=_at(state.ruled, term, log), acks=_at(state.acks, term, acks))


def _at(items: tuple[T, ...], at: int, item: T) -> tuple[T, ...]:
    return (*items[:at], item, *items[at + 1 :])


def later(table: Table, first: Log, host: int, voters: tuple[int, ...]) -> State:
    """Return a later starting state, so that a search gets further.

    Seat 0 wrote entries that no other node has. Then `voters` elected `host` in term 1, whose first
    entry no other node has either.
    """
    state = Search(table).start()
    log = (Entry(1, "e", host),)
    nodes = list(state.nodes)
    nodes[0] = Node(first)
    for voter in voters:
        nodes[voter] = Node((), 1, host)
    nodes[host] = Node(log, 1, host)
    return state._replace(
        nodes=tuple(nodes),
        votes=frozenset((1, voter, host) for voter in voters),
        hosts=_at(state.hosts, 1, host),
        won=_at(state.won, 1, log),
        ruled=(first, log, *state.ruled[2:]),
        acks=(
            _at(state.acks[0], 0, len(first)),
            _at(state.acks[1], host, 1),
            *state.acks[2:],
        ),
    )


TWO, THREE, FOUR, FIVE = (0, 1), (0, 1, 2), (0, 1, 2, 3), (0, 1, 2, 3, 4)
_OLD = Table(THREE, 3, 3, 2, 1)
_BRANCH = Table(FOUR, 5, 2, 3, 0, (("d", 3), ("r", 4)))

TABLES = {
    "two": Table(TWO, 2, 2, 3, 1),
    "two, the other one is dropped": Table(TWO, 2, 2, 4, 1, (("d", 1),)),
    "two, a third returns": Table(TWO, 3, 2, 3, 0, (("r", 2),)),
    "three": Table(THREE, 3, 1, 3, 2),
    "three, two terms": Table(THREE, 3, 2, 2, 1),
    "three, one is dropped": Table(THREE, 3, 2, 2, 0, (("d", 2),)),
    "three, one is dropped, and the host elected again": Table(THREE, 3, 1, 3, 1, (("d", 2),)),
    "three, two are dropped": Table(THREE, 3, 2, 3, 0, (("d", 2), ("d", 1))),
    "three, one leaves": Table(THREE, 3, 1, 3, 1, (("l", 2),)),
    "three, a fourth returns": Table(THREE, 4, 1, 3, 0, (("r", 3),)),
    "four": Table(FOUR, 4, 1, 2, 1),
    "four, one is dropped": Table(FOUR, 4, 1, 2, 0, (("d", 3),)),
    "four, two are dropped": Table(FOUR, 4, 1, 3, 0, (("d", 3), ("d", 2))),
    "four, one leaves": Table(FOUR, 4, 1, 2, 0, (("l", 3),)),
    "an old entry": replace(_OLD, start=later(_OLD, (Entry(0, "x"),), 1, (1, 2))),
}
"""Tables small enough for a complete search."""

BRANCHES = replace(_BRANCH, start=later(_BRANCH, (Entry(0, "d", 3),), 3, (1, 2, 3)))
"""Two hosts change the owners, each from the state before: a longer search."""

BROKEN = {
    "votes twice": TABLES["three"],
    "log behind": TABLES["three"],
    "forgets": TABLES["three"],
    "acks lower": TABLES["three"],
    "old entries": TABLES["an old entry"],
    "leaver votes": TABLES["three, one leaves"],
    "leaves lower": TABLES["three, one leaves"],
    "two changes": Table(FIVE, 5, 1, 3, 0, (("d", 4), ("d", 3))),
    "change before term": BRANCHES,
    "drops alone": Table(THREE, 3, 2, 3, 0, (("d", 2), ("d", 1))),
}
"""The table at which each broken rule shows."""

if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m tests.table.election_model", description=__doc__
    ).parse_args()
    longer = {
        **TABLES,
        "branches": BRANCHES,
        "three, longer": Table(THREE, 3, 2, 3, 1),
        "four, two terms": Table(FOUR, 4, 2, 3, 0, (("d", 3),)),
    }
    for name, table in longer.items():
        search = Search(replace(table, limit=3_000_000))
        search.run()
        more = "" if search.whole else ", and there are more"
        sys.stdout.write(f"{name}: {search.seen} states{more}\n")
