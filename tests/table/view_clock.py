"""Views in time: who is waited for, who is dropped, and who hosts next.

The rules of time of `resources/spec/views.md`, as a machine for each owner, on a network whose
messages take their time or are lost. A game goes on beside it: each entry asks one owner for a
message, which it sends once the entry is final there. So a table goes on if and only if all its
owners and its host do what they owe.

Entries, base and quorums are those of `tests/table/view_model.py`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.table.view_model import NOTHING, Leave, Model, Rules, bits

Time = float
"""Seconds since the table began."""

STATUS_SECONDS = 1.0
REACH_SECONDS = 5.0
OWED_SECONDS = 5.0
STRETCH_SECONDS = 60.0
MATCH_SECONDS = 180.0
TIRED_SECONDS = 15.0
IDLE_SECONDS = 30.0
NEED_SECONDS = 12.0
MARK_SECONDS = 30.0
STRAGGLERS_SECONDS = 2.0
REQUEST_SECONDS = 6.0
WAKE_SECONDS = 15.0
THINKING_SECONDS = 1.5
REACH_OF_NUMBERS = 64
MOST_RETURNS = 2
TICK = 0.5


class Status(NamedTuple):
    """What an owner tells all others, each second and whenever it changes."""

    author: int
    at: Time
    """By the author's clock: rising, also over a restart."""
    view: int
    """The View entry of the view that it adopted last."""
    point: int
    promise: int
    request: Request | None
    """Why the promise is above the view."""
    drops: frozenset[int]
    tired: frozenset[int]
    """For whom this person no longer waits."""
    marks: frozenset[int]
    """Who, by its own observation, should not host."""
    choice: int
    rehosts: bool
    """Whether it restarted as a host, and may append nothing before another view (rule 9)."""
    final: int


class Request(NamedTuple):
    number: int
    host: int
    drops: frozenset[int]
    returns: frozenset[int]
    statuses: tuple[Status, ...]
    """One of each member of S."""

    @property
    def members(self) -> frozenset[int]:
        return frozenset(status.author for status in self.statuses)


class Consent(NamedTuple):
    author: int
    request: Request
    point: int


class Return(NamedTuple):
    author: int
    view: int
    """The Begun view without its author."""


class Said(NamedTuple):
    """A message of the game, which answers an entry."""

    author: int
    entry: int


class Logged(NamedTuple):
    """An entry, with the log below it, and the Leaves and Returns of View entries."""

    entry: int
    request: Request | None = None


class Ack(NamedTuple):
    author: int
    entry: int


class Table:
    """What all owners share: the entries, and what each entry is."""

    def __init__(self, owners: int) -> None:
        self.model = Model(Rules(owners=owners))
        self.owners = owners
        self._seats: dict[int, frozenset[int]] = {}

    def owners_of(self, entry: int) -> frozenset[int]:
        mask = self.model.of[entry]
        if mask not in self._seats:
            self._seats[mask] = frozenset(bits(mask))
        return self._seats[mask]

    def begins(self, entry: int) -> bool:
        """Return whether `entry` is a View entry that needs a Begun."""
        return self.model.view[entry] == entry and entry != 0

    def asked(self, entry: int) -> int:
        """Return the seat that must answer an entry, or NOTHING."""
        if self.begins(entry):
            return NOTHING
        owners = sorted(self.owners_of(entry))
        return owners[self.model.sequence[entry] % len(owners)]


@dataclass
class Debt:
    stretch: float = 0.0
    total: float = 0.0


@dataclass
class Disk:
    """What an owner keeps over a restart."""

    point: int = 0
    promise: int = 0
    request: Request | None = None
    final: int = 0
    own: dict[Any, Any] = field(default_factory=dict)
    debts: dict[int, Debt] = field(default_factory=dict)
    left: bool = False


@dataclass
class Mark:
    until: Time = 0.0
    length: float = MARK_SECONDS


class Owner:
    """An honest owner: `step` takes what arrives and returns what everybody is to be told."""

    def __init__(
        self, table: Table, seat: int, now: Time, disk: Disk | None = None, broken: str = ""
    ) -> None:
        self.table, self.model, self.seat, self.broken = table, table.model, seat, broken
        self.disk = disk or Disk()
        self.fresh = disk is None
        self.rehosts = disk is not None and self.model.host[self.disk.point] == seat
        """Whether a restarted host must host another view first (rule 9)."""
        self.woke = -WAKE_SECONDS if self.fresh else now
        self.last = now
        self.statuses: dict[int, Status] = {}
        self.heard: dict[int, Time] = dict.fromkeys(range(table.owners), now)
        self.acks: dict[int, dict[int, int]] = {}
        """By seat and view, the last entry that it acked."""
        self.had: dict[int, Time] = {0: now}
        """Since when each entry is held and passed on."""
        self.fronts: dict[int, int] = {0: 0}
        """By view, the last entry that is here."""
        self.final_at: dict[int, Time] = {0: now}
        self.said: dict[int, Time] = {}
        """By entry, since when its answer is here."""
        self.requests: dict[Request, Time] = {}
        self.consents: dict[Request, dict[int, Consent]] = {}
        self.complete: dict[Request, Time] = {}
        self.leaves: dict[int, Leave] = {}
        self.returns: dict[int, Return] = {}
        self.marks: dict[int, Mark] = {}
        self.absent: dict[int, Mark] = {}
        """Who was out of reach lately, and is not the best choice for that."""
        self.failed: dict[int, Mark] = {}
        self.judged: set[Request] = set()
        self.needed: dict[int, float] = {}
        """By choice, for how long a view was needed in its place."""
        self.needed_since: Time | None = None
        self.idle: dict[tuple[int, int], float] = {}
        self.tired = frozenset[int]()
        self.impatient = False
        self.asked_at = -1e9
        self.certified: dict[int, int] = {}
        self.shown: Status | None = None
        self.outbox: list[Any] = []
        self.seen: set[Any] = set()
        self.to_say: list[tuple[Time, Said]] = []

    def restore(self, log: Iterable[int], now: Time) -> None:
        """Go on with the log that was on disk, and with what it says of acks."""
        for entry in log:
            self.had[entry] = now
            view = self.model.view[entry]
            self.fronts[view] = max(self.fronts.get(view, view), entry, key=self.model.place)
            acks = self.acks.setdefault(self.model.host[view], {})
            acks[view] = self.fronts[view]
        self.acks.setdefault(self.seat, {})[self.view] = self.disk.point

    # ---- what the log says --------------------------------------------------------------------

    @property
    def view(self) -> int:
        return self.model.view[self.disk.point]

    @property
    def number(self) -> int:
        return self.model.number[self.disk.point]

    @property
    def host(self) -> int:
        return self.model.host[self.disk.point]

    @property
    def owners(self) -> frozenset[int]:
        return self.table.owners_of(self.disk.point)

    @property
    def standing(self) -> frozenset[int]:
        """Those who are owners of the next view unless it drops them."""
        return self.table.owners_of(self.model.since_begun(self.disk.point)[-1])

    def holds(self, entry: int) -> bool:
        return entry in self.had or self.model.follows(self.disk.point, entry)

    def begun(self, view: int) -> bool:
        return view == 0 or any(
            self.model.view[entry] == view and entry != view for entry in self.had
        )

    # ---- the only entrance --------------------------------------------------------------------

    def step(self, item: Any, now: Time) -> list[Any]:
        """Take one signed item, or None when time has passed; return what to tell everybody."""
        self.outbox = []
        if item is None:
            self._time_passed(now)
        elif (type(item), item) in self.seen:
            return []
        else:
            self.seen.add((type(item), item))
            if self.broken != "no passing on":
                self.outbox.append(item)
            self._take(item, now)
        if not self.disk.left:
            self._act(now)
        return self.outbox

    def _tell(self, item: Any, now: Time) -> None:
        self.seen.add((type(item), item))
        self.outbox.append(item)
        self._take(item, now)

    def _take(self, item: Any, now: Time) -> None:
        if isinstance(item, Status):
            known = self.statuses.get(item.author)
            if known is None or known.at < item.at:
                self.statuses[item.author] = item
                self.heard[item.author] = now
                if item.request is not None:
                    self._request_seen(item.request, now)
        elif isinstance(item, Ack):
            self._acked(item, now)
        elif isinstance(item, Logged):
            self._logged(item.entry, now)
        elif isinstance(item, Said):
            self.said.setdefault(item.entry, now)
        elif isinstance(item, Request):
            self._request_seen(item, now)
        elif isinstance(item, Consent):
            self._request_seen(item.request, now)
            given = self.consents.setdefault(item.request, {})
            given.setdefault(item.author, item)
            if set(given) >= item.request.members:
                self.complete.setdefault(item.request, now)
        elif isinstance(item, Leave):
            self.leaves[item.author] = item
        elif isinstance(item, Return):
            self.returns[item.author] = item
            self.leaves.pop(item.author, None)

    def _request_seen(self, request: Request, now: Time) -> None:
        if request not in self.requests and self.valid(request):
            self.requests[request] = now

    def _acked(self, ack: Ack, now: Time) -> None:
        view = self.model.view[ack.entry]
        acks = self.acks.setdefault(ack.author, {})
        if self.model.sequence[ack.entry] >= self.model.sequence[acks.get(view, view)]:
            acks[view] = ack.entry
        self._count(view, now)

    def _count(self, view: int, now: Time) -> None:
        """Count the acks of a view, and note what they make final."""
        last = NOTHING
        for seat in self.table.owners_of(view):
            acked = self.acks.get(seat, {}).get(view)
            if acked is None:
                return
            last = acked if last < 0 else self.model.common(last, acked)
        if self.model.view[last] != view:
            return
        self.certified[view] = last
        while last >= 0 and last not in self.final_at:
            if last in self.had:
                self.final_at[last] = now
                later = self.model.place(last) > self.model.place(self.disk.final)
                if later and self.model.follows(self.disk.point, last):
                    self.disk.final = last
                    if not self.table.begins(last):
                        self.needed.clear()
            last = self.model.before[last]

    def _logged(self, entry: int, now: Time) -> None:
        below = entry
        while below not in self.had and not self.model.follows(self.disk.final, below):
            self.had[below] = now
            host, view = self.model.host[below], self.model.view[below]
            self.fronts[view] = max(self.fronts.get(view, view), below, key=self.model.place)
            acks = self.acks.setdefault(host, {})
            if self.model.sequence[below] >= self.model.sequence[acks.get(view, view)]:
                acks[view] = below
            below = self.model.before[below]
        self._count(self.model.view[entry], now)
        if len(self.had) > 60:
            old = [
                below
                for below in self.had
                if below not in (0, self.view)
                and self.model.follows(self.disk.final, below)
                and self.model.sequence[below] < self.model.sequence[self.disk.final] - 20
            ]
            for below in old:
                del self.had[below]
                self.final_at.pop(below, None)
                self.said.pop(below, None)

    def everything(self) -> list[Any]:
        """Return what a node is told to which a link stands again."""
        items: list[Any] = [Logged(entry) for entry in sorted(self.had)]
        items += [Said(self.table.asked(entry), entry) for entry in self.said]
        items += [
            Ack(seat, entry)
            for seat, acks in self.acks.items()
            for entry in acks.values()
            if self.model.number[entry] >= self.number - 1
        ]
        items += [request for request in self.requests if request.number > self.number]
        items += [
            consent
            for request, given in self.consents.items()
            if request.number > self.number
            for consent in given.values()
        ]
        items += self.leaves.values()
        items += self.returns.values()
        items += self.statuses.values()
        return items

    # ---- time ---------------------------------------------------------------------------------

    def reaches(self, seat: int, now: Time) -> bool:
        return seat == self.seat or now - self.heard[seat] < REACH_SECONDS

    def _time_passed(self, now: Time) -> None:
        past = now - self.last
        self.last = now
        if past > 3.0:
            self.woke = now
        if now - self.woke < WAKE_SECONDS and not self.fresh:
            return
        self.fresh = False
        for seat in range(self.table.owners):
            if seat == self.seat:
                continue
            debt = self.disk.debts.setdefault(seat, Debt())
            if seat in self.standing | self.owners and self.owes(seat, now):
                debt.stretch += past
                debt.total += past
            else:
                debt.stretch = 0.0
            if not self.reaches(seat, now):
                self._mark(self.absent, seat, now)
        self._judge_host(past, now)
        if self.impatient:
            self.tired = frozenset(
                seat for seat, debt in self.disk.debts.items() if debt.stretch >= TIRED_SECONDS
            )

    def _mark(self, marks: dict[int, Mark], seat: int, now: Time) -> None:
        if self.broken == "no marks":
            return
        mark = marks.setdefault(seat, Mark(length=MARK_SECONDS / 2))
        if mark.until <= now:
            mark.length *= 2
        mark.until = now + mark.length

    def _marked(self, marks: dict[int, Mark], seat: int, now: Time) -> bool:
        return seat in marks and marks[seat].until > now

    def _judge_host(self, past: float, now: Time) -> None:
        """Mark a choice in whose place a view was needed too long, and an idle host."""
        choice = self.choice(now)
        if self.plan(choice, now, others=True) is not None:
            if self.needed_since is None:
                self.needed_since = now
            self.needed[choice] = self.needed.get(choice, 0.0) + past
            if self.needed[choice] > NEED_SECONDS:
                self.needed[choice] = 0.0
                self._mark(self.marks, choice, now)
        else:
            self.needed_since = None
            due = self._host_due(now)
            if due is not None and self.reaches(self.host, now) and self.host != self.seat:
                key = (self.host, self._front())
                self.idle[key] = self.idle.get(key, 0.0) + past
                if self.idle[key] > IDLE_SECONDS:
                    self.idle[key] = 0.0
                    self._mark(self.marks, self.host, now)

    def _front(self) -> int:
        """Return the last entry here of the adopted view."""
        return max(self.fronts.get(self.view, 0), self.disk.point, key=self.model.place)

    def _host_due(self, now: Time) -> Time | None:
        """Return since when the host of the adopted view owes an entry."""
        front = self._front()
        if self.table.begins(front):
            return self.final_at.get(front)
        return self.said.get(front)

    def owes(self, seat: int, now: Time) -> bool:
        """Return whether an owner owes something for too long (rule 16)."""
        if not self.reaches(seat, now):
            return True
        late = now - OWED_SECONDS
        status = self.statuses.get(seat)
        promised = (
            status is not None
            and (status.request in self.requests or self.broken == "any promise")
            and status.promise > self.number
        )
        acked = self.acks.get(seat, {}).get(self.view, None if self.view else 0)
        for entry, since in self.had.items():
            if since > late or self.model.view[entry] != self.view:
                continue
            here = acked is not None and self.model.place(acked) >= self.model.place(entry)
            if not here and not promised and seat in self.owners - {self.host}:
                return True
            asked = self.table.asked(entry) == seat and entry not in self.said
            if asked and self.final_at.get(entry, now) <= late:
                return True
        for request, since in self.requests.items():
            if request.number <= self.number or since > late:
                continue
            if status is not None and status.promise > request.number:
                continue
            if seat in request.members and seat not in self.consents.get(request, {}):
                return True
            if seat == request.host and self.complete.get(request, now) <= late:
                return True
        if seat != self.host or promised or (status is not None and status.rehosts):
            return False
        due = self._host_due(now)
        return due is not None and due <= late

    def over(self, seat: int, now: Time) -> bool:
        debt = self.disk.debts.get(seat, Debt())
        if debt.stretch <= 0:
            return False
        if debt.stretch >= STRETCH_SECONDS or debt.total >= MATCH_SECONDS:
            return True
        others = [
            other
            for other in self.owners
            if other not in (seat, self.seat) and self.reaches(other, now)
        ]
        return (
            debt.stretch >= TIRED_SECONDS
            and seat in self.tired
            and all(
                other in self.statuses and seat in self.statuses[other].tired for other in others
            )
        )

    def drops(self, now: Time) -> frozenset[int]:
        return frozenset(
            seat
            for seat in self.standing | self.owners
            if seat != self.seat and (seat in self.leaves or self.over(seat, now))
        )

    def shunned(self, now: Time) -> frozenset[int]:
        """Return whom more than half of those in reach mark or would drop, this owner counted."""
        near = [seat for seat in self.standing if self.reaches(seat, now)]
        own = self.drops(now) | {seat for seat in self.marks if self._marked(self.marks, seat, now)}
        votes = [
            own if seat == self.seat else self.statuses[seat].marks | self.statuses[seat].drops
            for seat in near
            if seat == self.seat or seat in self.statuses
        ]
        return frozenset(
            seat for seat in self.standing if 2 * sum(seat in each for each in votes) > len(near)
        )

    def newest_host(self, now: Time) -> int:
        """Return the host of the newest view that somebody in reach has adopted."""
        shown = [
            status.view
            for seat, status in self.statuses.items()
            if self.reaches(seat, now) and self.holds(status.view)
        ]
        return self.model.host[max([self.view, *shown], key=lambda view: self.model.number[view])]

    def choice(self, now: Time) -> int:
        shunned = self.shunned(now)
        here = self.standing - self.leaves.keys()
        host = self.newest_host(now)
        if host in here - shunned:
            return host
        near = sorted(seat for seat in here if self.reaches(seat, now))
        steady = [seat for seat in near if not self._marked(self.absent, seat, now)]
        for best in (
            [seat for seat in steady if seat not in shunned],
            [seat for seat in near if seat not in shunned],
            near,
        ):
            if best:
                return best[0]
        return self.seat

    def offer(self, now: Time) -> Status:
        """Return the present status."""
        disk = self.disk
        return Status(
            self.seat,
            now,
            self.view,
            disk.point,
            max(disk.promise, self.number),
            disk.request if disk.promise > self.number else None,
            self.drops(now),
            self.tired,
            frozenset(seat for seat in self.marks if self._marked(self.marks, seat, now)),
            self.choice(now),
            self.rehosts,
            disk.final,
        )

    # ---- the next view ------------------------------------------------------------------------

    def plan(
        self, host: int, now: Time, *, others: bool = False
    ) -> tuple[frozenset[int], frozenset[int]] | None:
        """Return S and whom it drops if a view is needed with this host, else None (rule 19).

        `others` takes all for members who choose another host: whether anybody has to act.
        """
        mine = self.offer(now)
        agree = {self.seat: mine} if mine.choice == host or others else {}
        for seat in self.standing | self.returning(now):
            status = self.statuses.get(seat)
            if seat == self.seat or status is None or not self.reaches(seat, now):
                continue
            if self._marked(self.failed, seat, now) and self.broken != "failed are asked":
                continue
            far = status.promise - mine.promise >= REACH_OF_NUMBERS
            if far and self.broken != "any number":
                continue
            if status.choice == host or others:
                agree[seat] = status
        if host not in agree and not others:
            return None
        left = frozenset(seat for seat in mine.drops if seat in self.leaves)
        wanted = left | {
            seat
            for seat in mine.drops
            if self._passes({j for j in agree if seat in agree[j].drops}, left | {seat}, agree)
        }
        for drops in (wanted, *(left | {seat} for seat in sorted(wanted - left)), left):
            members = frozenset(
                seat for seat in agree if drops <= agree[seat].drops and seat not in drops
            )
            if self.seat not in members or not self._passes(members, drops, agree):
                continue
            if drops & self.owners or self._needed(host, agree, members, now):
                return members, drops
        return None

    def returning(self, now: Time) -> frozenset[int]:
        return frozenset(
            seat
            for seat, item in self.returns.items()
            if seat not in self.standing
            and self.model.number[item.view] <= self.number
            and self._returned(seat) < MOST_RETURNS
        )

    def _returned(self, seat: int) -> int:
        """Return how often an owner returned in the log."""
        times, view = 0, self.view
        while view:
            times += self.model.returned[view] >> seat & 1
            view = self.model.view[self.model.before[view]]
        return times

    def _needed(
        self, host: int, agree: dict[int, Status], members: frozenset[int], now: Time
    ) -> bool:
        restarted = self.host in agree and agree[self.host].rehosts
        if host != self.host or restarted:
            return True
        if host == self.host and self.returning(now) & members and self.begun(self.view):
            return True
        return any(
            status.promise > self.number
            and (status.request in self.requests or self.broken == "any promise")
            for status in agree.values()
        )

    def _passes(
        self, members: Iterable[int], drops: frozenset[int], agree: dict[int, Status]
    ) -> bool:
        """Return whether rule 6 holds by the points in the statuses."""
        points = [(seat, agree[seat].point) for seat in members if self.holds(agree[seat].point)]
        used = [self.leaves[seat] for seat in drops if seat in self.leaves]
        return self._quorums(points, used)

    def _quorums(self, points: list[tuple[int, int]], used: list[Leave]) -> bool:
        named = points + [(leave.author, leave.point) for leave in used]
        base = self.model.base(named)
        if base < 0 or not self.model.follows(base, self.disk.final):
            return False
        counted = 0
        for seat, _ in points:
            if base >= 0:
                counted |= 1 << seat
        return self.model.quorums(counted, base, used)

    def valid(self, request: Request) -> bool:
        """Return whether the statuses in a Request ask for it."""
        for status in request.statuses:
            if status.choice != request.host or not request.drops <= status.drops:
                return False
        if request.host not in request.members or request.drops & request.members:
            return False
        agree = {status.author: status for status in request.statuses}
        highest = max(max(s.promise, self.model.number[s.view]) for s in request.statuses)
        return request.number == highest + 1 and self._passes(request.members, request.drops, agree)

    # ---- acting -------------------------------------------------------------------------------

    def _act(self, now: Time) -> None:
        self._adopt(now)
        self._ack(now)
        self._consent(now)
        self._form(now)
        self._host(now)
        self._answer(now)
        self._judge_requests(now)
        self._propose(now)
        self._rejoin(now)
        status, shown = self.offer(now), self.shown
        if shown is not None:
            same = status._replace(at=shown.at, point=shown.point, final=shown.final) == shown
            if now <= shown.at or (same and now - shown.at < STATUS_SECONDS):
                return
        self.shown = status
        self._tell(status, now)

    def _adopt(self, now: Time) -> None:
        for entry in sorted(self.had, key=lambda entry: self.model.number[entry], reverse=True):
            view = self.model.view[entry]
            number = self.model.number[view]
            if number <= self.number:
                return
            if number < self.disk.promise or not self.model.of[view] >> self.seat & 1:
                continue
            if not self.model.follows(view, self.disk.final):
                continue
            if not self.reaches(self.model.host[view], now):
                continue
            self._go_to(view, now)
            return

    def _go_to(self, view: int, now: Time) -> None:
        self.disk.point = view
        self.disk.promise = max(self.disk.promise, self.model.number[view])
        self.returns.pop(self.seat, None)
        self._tell(Ack(self.seat, view), now)

    def _ack(self, now: Time) -> None:
        if self.disk.promise > self.number or self.seat not in self.owners:
            return
        if self.host != self.seat:
            front = self._front()
            if front != self.disk.point:
                self.disk.point = front
                self._tell(Ack(self.seat, front), now)

    def _consent(self, now: Time) -> None:
        for request in list(self.requests):
            if self.seat not in request.members or request.number <= self.disk.promise:
                continue
            mine = next(status for status in request.statuses if status.author == self.seat)
            if now - mine.at > REQUEST_SECONDS or request.number <= self.number:
                continue
            if request.number > max(self.disk.promise, self.number) + REACH_OF_NUMBERS:
                continue
            self._give(request, now)

    def _give(self, request: Request, now: Time) -> None:
        self.disk.promise, self.disk.request = request.number, request
        self._tell(Consent(self.seat, request, self.disk.point), now)

    def _form(self, now: Time) -> None:
        for request in self.complete:
            if request.host != self.seat or request.number != self.disk.promise:
                continue
            if request.number <= self.number:
                continue
            points = [(c.author, c.point) for c in self.consents[request].values()]
            used = [self.leaves[seat] for seat in request.drops if seat in self.leaves]
            if not self._quorums(points, used):
                continue
            base = self.model.base(points + [(leave.author, leave.point) for leave in used])
            standing = self.table.owners_of(self.model.since_begun(base)[-1])
            owners = (standing - request.drops) | request.returns
            entry = self.model._add(
                ("view", base, request),
                base,
                request.number,
                self.seat,
                sum(1 << seat for seat in owners),
                sum(1 << seat for seat in request.members),
                sum(1 << seat for seat in request.returns),
            )
            self.rehosts = False
            self.asked_at = now - REQUEST_SECONDS + STRAGGLERS_SECONDS
            self._tell(Logged(entry, request), now)
            self._go_to(entry, now)
            return

    def _host(self, now: Time) -> None:
        if self.host != self.seat or self.rehosts or self.disk.promise > self.number:
            return
        if self.seat not in self.owners:
            return
        front = self.disk.point
        ready = front in self.final_at if self.table.begins(front) else front in self.said
        if ready:
            entry = self.model.entry_after(front)
            self.disk.point = entry
            self._tell(Logged(entry), now)

    def _answer(self, now: Time) -> None:
        front = self._front()
        asked = self.table.asked(front) == self.seat and front not in self.said
        begun = any(said.entry == front for _, said in self.to_say)
        if asked and not begun and front in self.final_at:
            self.to_say.append((now + THINKING_SECONDS, Said(self.seat, front)))
        due = [said for at, said in self.to_say if at <= now]
        self.to_say = [(at, said) for at, said in self.to_say if at > now]
        for said in due:
            self._tell(said, now)

    def _propose(self, now: Time) -> None:
        if now - self.asked_at < REQUEST_SECONDS or self.choice(now) != self.seat:
            return
        plan = self.plan(self.seat, now)
        if plan is None:
            return
        members, drops = plan
        rest = {
            seat
            for seat in self.standing - drops - members
            if self.reaches(seat, now) and self.failed.get(seat, Mark()).until <= now
        }
        since = self.needed_since if self.needed_since is not None else now
        self.needed_since = since
        if rest and (now - since < STRAGGLERS_SECONDS or self.broken == "waits for all"):
            return
        statuses = [
            (self.offer(now) if seat == self.seat else self.statuses[seat])._replace(request=None)
            for seat in sorted(members)
        ]
        number = 1 + max(max(s.promise, self.model.number[s.view]) for s in statuses)
        returns = self.returning(now) & members
        request = Request(number, self.seat, drops, returns, tuple(statuses))
        self.asked_at = now
        self._tell(request, now)
        self._give(request, now)

    def _judge_requests(self, now: Time) -> None:
        """Note who was in S and did not consent."""
        for request, since in self.requests.items():
            if request in self.judged or now - since < REQUEST_SECONDS:
                continue
            self.judged.add(request)
            if request.number <= self.number or request in self.complete:
                continue
            for seat in request.members - set(self.consents.get(request, {})) - {self.seat}:
                status = self.statuses.get(seat)
                if status is None or status.promise <= request.number:
                    self._mark(self.failed, seat, now)

    def _rejoin(self, now: Time) -> None:
        """Ask to return if a Begun view goes on without this owner."""
        if self.seat in self.returns:
            return
        views = {self.model.view[entry] for entry in self.had if not self.table.begins(entry)}
        newest = max(views, key=lambda view: self.model.number[view])
        if (
            self.seat not in self.table.owners_of(newest)
            and self.number < self.model.number[newest]
        ):
            self.disk.promise = max(self.disk.promise, self.model.number[newest])
            self._tell(Return(self.seat, newest), now)
