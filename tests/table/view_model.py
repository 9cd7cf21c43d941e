"""Histories of views: what disks hold and what was ever signed, with every rule of safety.

A state holds the disk of each owner and every signed item that was ever sent. An item may arrive at
any later moment, repeatedly, or never; an owner that does nothing more has crashed. So loss, delay,
repetition, partition, crash and restart need no actions of their own. The rules are those of
`resources/spec/views.md`, and `Rules` breaks them one by one.

A liar acks everything, consents to everything with whatever point helps it, signs two branches as a
host and two View entries for one number. Nobody forges a signature.

`search` visits every state of a small table. `walk` goes at random through larger ones. Time is a
matter of `tests/table/view_clock.py`.

`python -m tests.table.view_model` searches further than the tests do.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

NOTHING = -1
LOST = -2
"""The point of an owner that lost its disk."""


class Rules(NamedTuple):
    """The table of a search, and the rules that are broken on purpose."""

    owners: int = 3
    views: int = 3
    """The highest number of a view."""
    entries: int = 2
    """Entries of a view after its View entry."""
    liars: int = 0
    """A bit for each lying owner, as in every set of owners here."""
    drops: bool = False
    leaves: int = 0
    """Who may leave."""
    returns: bool = False
    losses: bool = False
    """Whether owners may lose their disks."""
    requests: int = 2
    """Requests for one number."""
    groups: tuple[int, ...] = ()
    """The sets of members of Requests; every set if empty."""
    broken: str = ""


class Node(NamedTuple):
    """The disk of one owner."""

    point: int = 0
    promise: int = 0
    acked: tuple[int, ...] = ()
    """The last entries that it acked in the views before the one of its point."""
    final: tuple[int, ...] = ()
    """The entries of which it holds certificates, the last of each view."""
    consents: tuple[tuple[int, int], ...] = ()
    """Number and point of each Consent."""
    away: str = ""
    """`left` after a Leave, `lost` without its disk."""
    left: int = NOTHING
    """The promise in its last Leave."""
    forgot: bool = False
    """Whether it ever lost its disk, so that rule 11 may well suspect it."""


class Request(NamedTuple):
    """A Request with the Consents of honest owners."""

    number: int
    host: int
    members: int
    dropped: int
    returned: int
    consents: tuple[tuple[int, int], ...] = ()
    left: tuple[tuple[int, int], ...] = ()
    """For those who ever left, the promise in the last Leave."""


class Leave(NamedTuple):
    author: int
    point: int
    promise: int


class State(NamedTuple):
    nodes: tuple[Node, ...]
    requests: tuple[Request, ...] = ()
    views: tuple[int, ...] = (0,)
    leaves: tuple[Leave, ...] = ()


Action = tuple[Any, ...]


class CounterExample(AssertionError):
    """A history that violates a promise."""


def bits(owners: int) -> list[int]:
    return [seat for seat in range(owners.bit_length()) if owners >> seat & 1]


class Entries:
    """All entries that anybody signed, and the rules that need nothing else.

    An entry is a number. Two entries are the same if the one before, the view and the content are.
    `broken` names a rule that is broken on purpose.
    """

    def __init__(self, owners: int, broken: str = "") -> None:
        self.broken = broken
        self.known: dict[tuple[Any, ...], int] = {}
        self.before: list[int] = []
        self.view: list[int] = []
        """Of each entry, the View entry of its view."""
        self.sequence: list[int] = []
        self.chain: list[int] = []
        """A bit for the entry and for each entry before it."""
        self.number: list[int] = []
        self.host: list[int] = []
        self.of: list[int] = []
        """The owners."""
        self.members: list[int] = []
        """Who consented."""
        self.returned: list[int] = []
        everybody = (1 << owners) - 1
        self.add(("genesis",), NOTHING, 0, 0, everybody, everybody, 0)

    def add(
        self,
        key: tuple[Any, ...],
        before: int,
        number: int,
        host: int,
        owners: int,
        members: int,
        returned: int,
    ) -> int:
        if key in self.known:
            return self.known[key]
        entry = len(self.before)
        self.known[key] = entry
        self.before.append(before)
        self.view.append(self.view[before] if key[0] == "entry" else entry)
        self.sequence.append(self.sequence[before] + 1 if before >= 0 else 0)
        self.chain.append((self.chain[before] if before >= 0 else 0) | 1 << entry)
        self.number.append(number)
        self.host.append(host)
        self.of.append(owners)
        self.members.append(members)
        self.returned.append(returned)
        return entry

    def entry_after(self, before: int, branch: int = 0) -> int:
        return self.add(
            ("entry", before, branch),
            before,
            self.number[before],
            self.host[before],
            self.of[before],
            0,
            0,
        )

    def follows(self, later: int, entry: int) -> bool:
        """Return whether the log up to `later` contains `entry`."""
        return bool(self.chain[later] >> entry & 1)

    def common(self, one: int, other: int) -> int:
        return (self.chain[one] & self.chain[other]).bit_length() - 1

    def place(self, entry: int) -> tuple[int, int]:
        return (self.number[entry], self.sequence[entry]) if entry >= 0 else (NOTHING, NOTHING)

    def base(self, points: list[tuple[int, int]]) -> int:
        """Return the base (rule 5) of the points, pairs of seat and entry."""
        at = [(seat, entry) for seat, entry in points if entry >= 0]
        if not at:
            return NOTHING
        if self.broken == "lowest base":
            return min((entry for _, entry in at), key=lambda entry: (self.place(entry), entry))
        newest = max(self.number[entry] for _, entry in at)
        at = [(seat, entry) for seat, entry in at if self.number[entry] == newest]
        best = max((entry for _, entry in at), key=lambda entry: (self.sequence[entry], -entry))
        if any(not self.follows(best, entry) for _, entry in at):
            others = [entry for seat, entry in at if seat != self.host[entry]]
            if others and self.broken != "host's point":
                best = max(others, key=lambda entry: (self.sequence[entry], -entry))
        return best

    def quorum(self, members: int, owners: int, host: int) -> bool:
        here = members & owners
        size = owners.bit_count()
        if here.bit_count() >= size // 2 + 1:
            return True
        alone = here == 1 << host or self.broken == "either of two"
        return size == 2 and here.bit_count() == 1 and alone

    def quorums(self, members: int, base: int, used: list[Leave]) -> bool:
        """Return whether `members` may form a view after `base` (rule 6)."""
        if self.broken == "no quorum":
            return True
        left = 0
        for leave in used:
            left |= 1 << leave.author
        for view in self.since_begun(base):
            if not self.quorum(members, self.of[view] & ~left, self.host[view]):
                return False
            if self.broken == "newest view only":
                break
        return True

    def since_begun(self, base: int) -> list[int]:
        """Return the views of a chain, the newest first, down to the newest that has Begun."""
        views = [self.view[base]]
        above = base
        while views[-1] != 0 and above == views[-1]:
            above = self.before[above]
            views.append(self.view[above])
        return views


class Model:
    """What may happen next in a state, and what must not."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.log = Entries(rules.owners, rules.broken)
        self.all = (1 << rules.owners) - 1
        self.honest = [seat for seat in range(rules.owners) if not rules.liars >> seat & 1]
        self._nodes: tuple[Node, ...] = ()
        self._certified: dict[int, int] = {}
        """By view, as of the nodes that were looked at last."""

    def start(self) -> State:
        return State((Node(),) * self.rules.owners)

    # ---- what the signed items prove ----------------------------------------------------------

    def last_acked(self, node: Node, view: int) -> int:
        for entry in (node.point, *node.acked):
            if entry >= 0 and self.log.view[entry] == view:
                return entry
        return NOTHING

    def certified(self, state: State, view: int) -> int:
        """Return the last entry of a view that all its owners acked. Liars ack everything."""
        if state.nodes is not self._nodes:
            self._nodes, self._certified = state.nodes, {}
        if view not in self._certified:
            self._certified[view] = self._count(state, view)
        return self._certified[view]

    def _count(self, state: State, view: int) -> int:
        honest = self.log.of[view] & ~self.rules.liars
        last = NOTHING
        for seat in bits(honest):
            acked = self.last_acked(state.nodes[seat], view)
            if acked < 0:
                return NOTHING
            last = acked if last < 0 else self.log.common(last, acked)
            if self.log.view[last] != view:
                return NOTHING
        return last

    def begun(self, state: State, view: int) -> bool:
        """Return whether anything may follow the View entry (rule 1)."""
        return view == 0 or self.rules.broken == "no Begun" or self.certified(state, view) >= 0

    # ---- what may happen next -----------------------------------------------------------------

    def actions(self, state: State, chance: random.Random | None = None) -> Iterator[Action]:
        """Yield what may happen next. `chance` draws a few Requests instead of all."""
        for seat in self.honest:
            node = state.nodes[seat]
            if not node.away:
                yield from self._acks(state, seat, node)
                view = self.log.view[node.point]
                once = all(leave.author != seat for leave in state.leaves)
                if (self.rules.leaves & self.log.of[view]) >> seat & 1 and (
                    once or self.rules.returns
                ):
                    yield ("leave", seat)
                if self.rules.losses and not node.forgot:
                    yield ("lose", seat)
            yield from self._adopts(state, seat, node)
            yield from self._requests(state, seat, node, chance)
            for at, request in enumerate(state.requests):
                if self._may_consent(state, seat, request):
                    yield ("consent", seat, at)
        for seat in bits(self.rules.liars):
            yield from self._numbers(state, range(1, self.rules.views + 1), seat, 0, chance)
        for at, request in enumerate(state.requests):
            if self._complete(state, request):
                yield ("form", at)

    def _acks(self, state: State, seat: int, node: Node) -> Iterator[Action]:
        rules, point = self.rules, node.point
        view = self.log.view[point]
        for other in state.views:
            last = self.certified(state, other)
            known = (
                any(self.log.follows(entry, last) for entry in node.final) if last >= 0 else True
            )
            if not known and self.log.follows(point, last):
                yield ("certificate", seat, last)
        allowed = node.promise <= self.log.number[view] or rules.broken == "acks below its promise"
        if not allowed or not self.log.of[view] >> seat & 1:
            return
        if point == view and not self.begun(state, view):
            return
        host = self.log.host[view]
        room = self.log.sequence[point] - self.log.sequence[view] < rules.entries
        if host == seat:
            if room:
                yield ("ack", seat, self.log.entry_after(point))
        elif rules.liars >> host & 1:
            if room:
                yield ("ack", seat, self.log.entry_after(point, 0))
                yield ("ack", seat, self.log.entry_after(point, 1))
        else:
            last = self.last_acked(state.nodes[host], view)
            if last >= 0 and last != point and self.log.follows(last, point):
                while self.log.before[last] != point:
                    last = self.log.before[last]
                yield ("ack", seat, last)

    def _adopts(self, state: State, seat: int, node: Node) -> Iterator[Action]:
        for view in state.views:
            number = self.log.number[view]
            if node.away == "lost" and not self.log.returned[view] >> seat & 1:
                continue
            if not self._came_back(seat, node.left, view):
                continue
            newest = self.log.number[node.point] if node.point >= 0 else NOTHING
            if not self.log.of[view] >> seat & 1 or number <= newest:
                continue
            mine = self.log.members[view] >> seat & 1
            below = number < node.promise or (number == node.promise and not mine)
            if below and self.rules.broken != "adopts below its promise":
                continue
            if self.rules.broken != "adopts without final" and not all(
                self.log.follows(view, entry) for entry in node.final
            ):
                continue
            yield ("adopt", seat, view)

    def _out(self, state: State, seat: int) -> bool:
        """Return whether there is a view without this seat, so that it may want to return."""
        return any(not self.log.of[view] >> seat & 1 for view in state.views)

    def _may_consent(self, state: State, seat: int, request: Request) -> bool:
        node = state.nodes[seat]
        if not request.members >> seat & 1 or any(who == seat for who, _ in request.consents):
            return False
        above = max(node.promise, self.log.number[node.point] if node.point >= 0 else 0)
        if node.away and not request.returned >> seat & 1:
            return False
        if self.rules.broken == "forgets its promise":
            above = self.log.number[node.point]
        return request.number > above

    def _requests(
        self, state: State, seat: int, node: Node, chance: random.Random | None
    ) -> Iterator[Action]:
        back = 1 << seat if node.away and self.rules.returns and self._out(state, seat) else 0
        if node.away and not back:
            return
        above = max(node.promise, self.log.number[node.point] if node.point >= 0 else 0)
        yield from self._numbers(state, range(above + 1, above + 3), seat, back, chance)

    def _numbers(
        self,
        state: State,
        numbers: range,
        seat: int,
        back: int,
        chance: random.Random | None,
    ) -> Iterator[Action]:
        if chance:
            numbers = range(chance.choice(numbers), self.rules.views + 1)[:1]
        for number in numbers:
            same = [request for request in state.requests if request.number == number]
            if number <= self.rules.views and len(same) < self.rules.requests:
                if chance:
                    yield ("draw", number, seat, back)
                else:
                    yield from self.shapes(state, number, seat, back, None)

    def shapes(
        self, state: State, number: int, host: int, back: int, chance: random.Random | None
    ) -> Iterator[Action]:
        groups: list[int] = [
            group for group in self.rules.groups or range(1, self.all + 1) if group >> host & 1
        ]
        for members in [chance.choice(groups)] if chance and groups else groups:
            if chance and not self.rules.groups and chance.random() < 0.3:
                members |= chance.randint(0, self.all)
            drops = [0]
            if self.rules.drops:
                outside = self.all & ~members
                some = outside & chance.randint(0, self.all) if chance else outside
                drops = [chance.choice((some, outside))] if chance else [0, outside]
            for dropped in drops:
                returned = back
                if self.rules.returns and chance:
                    for seat in bits(members):
                        if self._out(state, seat) and chance.random() < 0.7:
                            returned |= 1 << seat
                yield ("request", Request(number, host, members, dropped, returned))

    def _complete(self, state: State, request: Request) -> bool:
        agreed = 0
        for seat, _ in request.consents:
            agreed |= 1 << seat
        if request.members & ~self.rules.liars & ~agreed:
            return False
        if self.rules.liars >> request.host & 1:
            return True
        node = state.nodes[request.host]
        stale = node.point >= 0 and self.log.number[node.point] >= request.number
        back = request.returned >> request.host & 1
        return node.promise == request.number and not stale and (not node.away or bool(back))

    # ---- what it leads to ---------------------------------------------------------------------

    def apply(
        self, state: State, action: Action, chance: random.Random | None = None
    ) -> Iterator[State]:
        """Yield every state to which an action may lead."""
        kind = action[0]
        if kind == "form":
            yield from self._form(state, action[1], chance)
            return
        if kind == "request":
            request: Request = action[1]
            if self.rules.liars >> request.host & 1:
                yield state._replace(requests=(*state.requests, request))
            else:
                yield self._consent(state, request.host, request, None)
            return
        seat = action[1]
        node = state.nodes[seat]
        if kind == "ack":
            yield self._put(state, seat, node._replace(point=action[2]))
        elif kind == "certificate":
            last = action[2]
            kept = tuple(entry for entry in node.final if not self.log.follows(last, entry))
            yield self._put(state, seat, node._replace(final=(*kept, last)))
        elif kind == "adopt":
            view = action[2]
            yield self._put(state, seat, self._adopted(node, view))
        elif kind == "consent":
            yield self._consent(state, seat, state.requests[action[2]], action[2])
        elif kind == "leave":
            promise = max(node.promise, self.log.number[node.point])
            leave = Leave(seat, node.point, promise)
            acts = self.rules.broken == "acts after its Leave"
            gone = node._replace(away="left", left=promise)
            after = state if acts else self._put(state, seat, gone)
            yield after._replace(leaves=(*after.leaves, leave))
        else:
            lost = Node(
                LOST,
                acked=_with(node.acked, node.point),
                consents=node.consents,
                away="lost",
                forgot=True,
            )
            if self.rules.broken == "acts without its disk":
                lost = lost._replace(point=0, away="")
            yield self._put(state, seat, lost)

    def _adopted(self, node: Node, view: int) -> Node:
        acked = _with(node.acked, node.point) if node.point >= 0 else node.acked
        promise = max(node.promise, self.log.number[view])
        return node._replace(point=view, promise=promise, acked=acked, away="")

    def _put(self, state: State, seat: int, node: Node) -> State:
        return state._replace(nodes=(*state.nodes[:seat], node, *state.nodes[seat + 1 :]))

    def _consent(self, state: State, seat: int, request: Request, at: int | None) -> State:
        node = state.nodes[seat]
        point = node.point if node.point >= 0 else NOTHING
        left = (*request.left, (seat, node.left)) if node.left >= 0 else request.left
        given = request._replace(consents=(*request.consents, (seat, point)), left=left)
        promised = node._replace(
            promise=request.number, consents=(*node.consents, (request.number, point))
        )
        requests = list(state.requests)
        if at is None:
            requests.append(given)
        else:
            requests[at] = given
        return self._put(state, seat, promised)._replace(requests=tuple(requests))

    def _form(self, state: State, at: int, chance: random.Random | None) -> Iterator[State]:
        request = state.requests[at]
        liars = request.members & self.rules.liars
        for points in self._liars_points(state, request, bits(liars), chance):
            for used in self._used(state, request, chance):
                view = self._view(state, request, [*request.consents, *points], used)
                if view < 0 or view in state.views:
                    continue
                after = state._replace(views=(*state.views, view))
                if not self.rules.liars >> request.host & 1:
                    node = self._adopted(state.nodes[request.host], view)
                    after = self._put(after, request.host, node)
                    after = after._replace(
                        requests=(*state.requests[:at], *state.requests[at + 1 :])
                    )
                self.check_view(state, view)
                yield after

    def _used(
        self, state: State, request: Request, chance: random.Random | None
    ) -> Iterator[list[Leave]]:
        usable = [
            leave
            for leave in state.leaves
            if (request.number > leave.promise or self.rules.broken == "Leave below its promise")
            and not request.members >> leave.author & 1
        ]
        if chance:
            yield [leave for leave in usable if chance.random() < 0.75]
            return
        for chosen in range(1 << len(usable)):
            yield [leave for at, leave in enumerate(usable) if chosen >> at & 1]

    def _liars_points(
        self, state: State, request: Request, liars: list[int], chance: random.Random | None
    ) -> Iterator[list[tuple[int, int]]]:
        if not liars:
            yield []
            return
        around = set(state.views)
        for node in state.nodes:
            for entry in (node.point, *node.acked):
                while entry >= 0:
                    around.add(entry)
                    entry = self.log.before[entry]
        for view in state.views:
            if self.rules.liars >> self.log.host[view] & 1 and self.begun(state, view):
                level = [view]
                for _ in range(self.rules.entries):
                    level = [
                        self.log.entry_after(entry, side) for entry in level for side in (0, 1)
                    ]
                    around.update(level)
        around = {entry for entry in around if self.log.number[entry] < request.number}

        def of(seat: int) -> list[int]:
            return sorted(entry for entry in around if self.log.of[entry] >> seat & 1)

        if chance:
            yield [(seat, chance.choice(of(seat))) for seat in liars if of(seat)]
            return
        first, *rest = liars
        for entry in of(first):
            for more in self._liars_points(state, request, rest, None):
                yield [(first, entry), *more]

    def _view(
        self,
        state: State,
        request: Request,
        points: list[tuple[int, int]],
        used: list[Leave],
    ) -> int:
        """Return the View entry of a Request whose Consents name `points`, or NOTHING."""
        broken, host = self.rules.broken, request.host
        named = list(points)
        if broken != "Leave without point":
            named += [(leave.author, leave.point) for leave in used]
        base = self.log.base(named)
        if base < 0 or self.log.number[base] >= request.number:
            return NOTHING
        if any(self._spent(leave, base) for leave in used):
            return NOTHING
        if not self.rules.liars >> host & 1:
            final = state.nodes[host].final
            if not all(self.log.follows(base, entry) for entry in final):
                return NOTHING
        newest = self.log.since_begun(base)[-1]
        begun = self.log.of[newest]
        if request.returned & begun and broken != "an owner returns":
            return NOTHING
        for seat, promise in request.left:
            back = request.returned >> seat & 1
            if back and self.log.number[newest] <= promise and broken != "returns unmissed":
                return NOTHING
            if not back and not self._came_back(seat, promise, base):
                return NOTHING
        gone = request.dropped
        counted = 0
        for leave in used:
            gone |= 1 << leave.author
        for seat, point in points:
            if point >= 0:
                counted |= 1 << seat
        owners = (begun & ~gone) | request.returned
        if (
            request.members & ~owners
            or not owners >> host & 1
            or not self.log.quorums(counted, base, used)
        ):
            return NOTHING
        of = (request.number, host, owners, request.members, request.returned)
        return self.log.add(("view", base, *of), base, *of)

    def _spent(self, leave: Leave, base: int) -> bool:
        """Return whether the author of a Leave has returned since, by the log (rule 7)."""
        return self.rules.broken != "Leave after a return" and self._back(
            leave.author, leave.promise, base
        )

    def _came_back(self, seat: int, promise: int, entry: int) -> bool:
        """Return whether one that left may go on in the log up to `entry` (rule 8)."""
        if promise < 0 or self.rules.broken == "goes on beside its return":
            return True
        return self._back(seat, promise, entry)

    def _back(self, seat: int, promise: int, entry: int) -> bool:
        """Return whether the log up to `entry` returned a seat in a view above `promise`."""
        while entry >= 0:
            view = self.log.view[entry]
            if self.log.returned[view] >> seat & 1:
                return self.log.number[view] > promise
            entry = self.log.before[view]
        return False

    # ---- promises -----------------------------------------------------------------------------

    def check_view(self, state: State, view: int) -> None:
        """Raise if honest owners formed a view without what is final at any honest owner."""
        if self.rules.drops or self.rules.liars.bit_count() != 1:
            return
        if not self.log.members[view] & ~self.rules.liars:
            return
        for seat in self.honest:
            for entry in state.nodes[seat].final:
                if self.log.number[entry] < self.log.number[view] and not self.log.follows(
                    view, entry
                ):
                    raise CounterExample(
                        f"view {self.name(view)} lacks {self.name(entry)}, final at {seat}"
                    )

    def check(self, state: State) -> None:
        if not self.rules.liars or (self.rules.liars.bit_count() == 1 and not self.rules.drops):
            self._check_certificates(state)
        for seat in self.honest:
            node = state.nodes[seat]
            for entry in node.final:
                if node.point >= 0 and not self.log.follows(node.point, entry):
                    raise CounterExample(f"{seat} goes on without its final {self.name(entry)}")
            if not node.forgot:
                self._check_innocence(seat, node)

    def _check_certificates(self, state: State) -> None:
        last = [(view, self.certified(state, view)) for view in state.views]
        held = [entry for _, entry in last if entry >= 0]
        if self.rules.liars:
            held = [entry for seat in self.honest for entry in state.nodes[seat].final]
        for at, one in enumerate(held):
            for other in held[:at]:
                if not self.log.follows(one, other) and not self.log.follows(other, one):
                    raise CounterExample(f"final: {self.name(one)} and {self.name(other)}")

    def _check_innocence(self, seat: int, node: Node) -> None:
        acked = (*node.acked, node.point)
        for number, point in node.consents:
            for entry in acked:
                if self.log.number[entry] < number and (
                    self.log.place(point) < self.log.place(entry)
                    or (self.log.place(point) == self.log.place(entry) and point != entry)
                ):
                    raise CounterExample(f"{seat} is suspected: ack and Consent {number}")
        numbers = [number for number, _ in node.consents]
        if len(set(numbers)) < len(numbers):
            raise CounterExample(f"{seat} is suspected: two Consents for one number")

    def name(self, entry: int) -> str:
        return f"{entry} (view {self.log.number[entry]}, sequence {self.log.sequence[entry]})"

    def story(self, actions: list[Action]) -> str:
        lines = []
        for action in actions:
            about = action[1:]
            if action[0] in ("ack", "adopt", "certificate"):
                about = (action[1], self.name(action[2]))
            if action[0] == "request":
                made = action[1]
                about = (made.number, "by", made.host, bits(made.members))
                about += ("drops", bits(made.dropped)) if made.dropped else ()
                about += ("returns", bits(made.returned)) if made.returned else ()
            lines.append(" ".join(map(str, (action[0], *about))))
        return "\n".join(lines)


def _with(entries: tuple[int, ...], entry: int) -> tuple[int, ...]:
    return tuple(sorted((*entries, entry)))


def search(rules: Rules, most: int = 1_000_000, seconds: float = 600.0) -> tuple[int, bool]:
    """Return how many states were visited, and whether these are all."""
    model = Model(rules)
    first = model.start()
    waiting, known = deque([first]), {first}
    end = time.monotonic() + seconds
    while waiting and len(known) < most and time.monotonic() < end:
        state = waiting.popleft()
        for action in model.actions(state):
            for after in model.apply(state, action):
                if after not in known:
                    known.add(after)
                    model.check(after)
                    waiting.append(after)
    return len(known), not waiting


WEIGHTS = {
    "ack": 24,
    "adopt": 10,
    "certificate": 8,
    "draw": 5,
    "consent": 14,
    "form": 14,
    "leave": 1,
    "lose": 1,
}


class Walks(NamedTuple):
    """What random walks met."""

    walks: int
    steps: int
    views: int
    certified: int


def walk(rules: Rules, seed: int, steps: int, length: int = 70, seconds: float = 1e9) -> Walks:
    """Walk at random; raise `CounterExample` with the history of the first violation."""
    chance = random.Random(seed)
    model = Model(rules)
    walks = done = views = certified = 0
    end = time.monotonic() + seconds
    while done < steps and time.monotonic() < end:
        walks += 1
        state, history = model.start(), []
        for _ in range(length):
            kinds: dict[str, list[Action]] = {}
            for action in model.actions(state, chance):
                kinds.setdefault(action[0], []).append(action)
            if not kinds:
                break
            names = list(kinds)
            kind = chance.choices(names, [WEIGHTS[name] for name in names])[0]
            action = chance.choice(kinds[kind])
            if kind == "draw":
                _, number, seat, back = action
                shapes = list(model.shapes(state, number, seat, back, chance))
                if not shapes:
                    continue
                action = shapes[0]
            history.append(action)
            done += 1
            try:
                for after in model.apply(state, action, chance):
                    state = after
                    model.check(state)
            except CounterExample as found:
                raise CounterExample(f"{found}\n{model.story(history)}") from None
        views += len(state.views) - 1
        certified += sum(model.certified(state, view) >= 0 for view in state.views[1:])
        if len(model.log.before) > 20_000:
            model = Model(rules)
    return Walks(walks, done, views, certified)


THREE = Rules(owners=3, drops=True)
LEAVES = THREE._replace(leaves=0b111)
RETURNS = LEAVES._replace(returns=True, views=4)
LOSSES = THREE._replace(returns=True, losses=True, views=4)
LIAR_HOSTS = Rules(owners=3, liars=0b001)
LIAR_IS_GUEST = Rules(owners=3, liars=0b100)

WHOLE = {
    "two, one may be dropped": Rules(owners=2, views=2, entries=1, drops=True, requests=1),
    "two, one may leave": Rules(owners=2, views=1, entries=1, leaves=0b11),
    "three": Rules(owners=3, views=1, entries=1),
}
"""Tables small enough for a complete search."""

TABLES = {
    "two return": RETURNS._replace(owners=2),
    "three": THREE,
    "three leave": LEAVES,
    "three return": RETURNS,
    "three lose disks": LOSSES._replace(leaves=0b111),
    "four return": RETURNS._replace(owners=4, leaves=0b1111),
    "four halves": Rules(owners=4, views=4, drops=True, groups=(0b0011, 0b1100, 0b0111, 0b1110)),
    "five parts": Rules(owners=5, views=4, drops=True, groups=(0b00111, 0b00011, 0b11100)),
    "a liar hosts": LIAR_HOSTS,
    "a liar is guest": LIAR_IS_GUEST,
    "a liar hosts four": LIAR_HOSTS._replace(owners=4),
    "a liar of five": Rules(owners=5, liars=0b00010),
    "a liar, and drops": RETURNS._replace(liars=0b100),
    "two liars of three": Rules(owners=3, liars=0b011),
    "two liars of four": Rules(owners=4, liars=0b011, drops=True),
}
"""Tables for random walks."""

BROKEN = {
    "no Begun": THREE,
    "lowest base": THREE,
    "host's point": LIAR_HOSTS,
    "either of two": THREE,
    "no quorum": THREE,
    "newest view only": TABLES["five parts"]._replace(views=3),
    "an owner returns": LOSSES,
    "acks below its promise": THREE,
    "adopts below its promise": THREE,
    "adopts without final": TABLES["two liars of four"],
    "forgets its promise": THREE,
    "acts after its Leave": LEAVES,
    "acts without its disk": LOSSES,
    "Leave without point": LEAVES,
}
"""The rules that are broken on purpose, each with a table at which it shows."""


def main() -> None:
    """Walk through every table for a while, and search the small ones."""
    parser = argparse.ArgumentParser(prog="python -m tests.table.view_model", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0, help="for each table")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--broken", action="store_true", help="break every rule instead")
    options = parser.parse_args()
    if options.broken:
        for broken, rules in BROKEN.items():
            began, found = time.monotonic(), "not found"
            try:
                walk(rules._replace(broken=broken), options.seed, 10**9, seconds=options.seconds)
            except CounterExample as history:
                found = f"{time.monotonic() - began:.1f} s, {len(str(history).splitlines())} steps"
            sys.stdout.write(f"{broken}: {found}\n")
            sys.stdout.flush()
        return
    for name, rules in WHOLE.items():
        states, whole = search(rules, 3_000_000, options.seconds)
        sys.stdout.write(f"{name}: {states} states{'' if whole else ', and there are more'}\n")
    for name, rules in TABLES.items():
        walks = walk(rules, options.seed, 10**9, seconds=options.seconds)
        sys.stdout.write(f"{name}: {walks}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
