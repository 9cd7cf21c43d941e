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

from tests.table.view_model import NOTHING, Entries, Leave, bits

Time = float
"""Seconds since the table began."""

STATUS_SECONDS = 1.0
REACH_SECONDS = 5.0
OWED_SECONDS = 5.0
STRETCH_SECONDS = 60.0
MATCH_SECONDS = 180.0
GAVE_UP_SECONDS = 15.0
REST_SECONDS = 10.0
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
    gave_up: frozenset[int]
    """For whom this person no longer waits."""
    marks: frozenset[int]
    """Who, by its own observation, should not host."""
    choice: int
    restarted_as_host: bool
    """Whether it restarted as a host, and may append nothing before another view (rule 9)."""
    returns: bool
    """Whether it was dropped and wants to return."""
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


class Said(NamedTuple):
    """A message of the game, which answers an entry."""

    author: int
    entry: int


class Logged(NamedTuple):
    """An entry, with the log below it."""

    entry: int


class Ack(NamedTuple):
    author: int
    entry: int


class Table:
    """What all owners share: the entries, and what each entry is."""

    def __init__(self, owners: int) -> None:
        self.log = Entries(owners)
        self.owners = owners
        self._seats: dict[int, frozenset[int]] = {}

    def owners_of(self, entry: int) -> frozenset[int]:
        mask = self.log.of[entry]
        if mask not in self._seats:
            self._seats[mask] = frozenset(bits(mask))
        return self._seats[mask]

    def begins(self, entry: int) -> bool:
        """Return whether `entry` is a View entry that needs a Begun."""
        return self.log.view[entry] == entry and entry != 0

    def asked(self, entry: int) -> int:
        """Return the seat that must answer an entry, or NOTHING."""
        if self.begins(entry):
            return NOTHING
        owners = sorted(self.owners_of(entry))
        return owners[self.log.sequence[entry] % len(owners)]


@dataclass
class Debt:
    stretch: float = 0.0
    total: float = 0.0
    rest: float = 0.0
    """For how long it has owed nothing."""


@dataclass
class Disk:
    """What an owner keeps over a restart."""

    point: int = 0
    promise: int = 0
    request: Request | None = None
    final: int = 0
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
        self.table, self.log, self.seat, self.broken = table, table.log, seat, broken
        self.disk = disk or Disk()
        self.fresh = disk is None
        self.restarted_as_host = disk is not None and self.log.host[self.disk.point] == seat
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
        self.marks: dict[int, Mark] = {}
        self.absent: dict[int, Mark] = {}
        """Who was out of reach lately, and is not the best choice for that."""
        self.failed: dict[int, Mark] = {}
        self.judged: set[Request] = set()
        self.needed: dict[int, float] = {}
        """By choice, for how long a view was needed in its place."""
        self.needed_since: Time | None = None
        self.idle: dict[tuple[int, int], float] = {}
        self.gave_up = frozenset[int]()
        self.impatient = False
        self.asked_at = -1e9
        self.shown: Status | None = None
        self.outbox: list[Any] = []
        self.seen: set[Any] = set()
        self.to_say: list[tuple[Time, Said]] = []

    def restore(self, log: Iterable[int], now: Time) -> None:
        """Go on with the log that was on disk, and with what it says of acks."""
        for entry in log:
            self.had[entry] = now
            view = self.log.view[entry]
            self.fronts[view] = max(self.fronts.get(view, view), entry, key=self.log.place)
            acks = self.acks.setdefault(self.log.host[view], {})
            acks[view] = self.fronts[view]
        self.acks.setdefault(self.seat, {})[self.view] = self.disk.point

    # ---- what the log says --------------------------------------------------------------------

    @property
    def view(self) -> int:
        return self.log.view[self.disk.point]

    @property
    def number(self) -> int:
        return self.log.number[self.disk.point]

    @property
    def host(self) -> int:
        return self.log.host[self.disk.point]

    @property
    def owners(self) -> frozenset[int]:
        return self.table.owners_of(self.disk.point)

    @property
    def standing(self) -> frozenset[int]:
        """Those who are owners of the next view unless it drops them."""
        return self.table.owners_of(self.log.since_begun(self.disk.point)[-1])

    def holds(self, entry: int) -> bool:
        return entry in self.had or self.log.follows(self.disk.point, entry)

    def missed(self) -> bool:
        """Return whether a begun view goes on without this owner."""
        newest = max((e for e in self.had if not self.table.begins(e)), key=self.log.place)
        return (
            self.seat not in self.table.owners_of(newest) and self.number < self.log.number[newest]
        )

    def begun(self, view: int) -> bool:
        return view == 0 or any(
            self.log.view[entry] == view and entry != view for entry in self.had
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
            self.take(item, now)
        if not self.disk.left:
            self._act(now)
        return self.outbox

    def tell(self, item: Any, now: Time) -> None:
        self.seen.add((type(item), item))
        self.outbox.append(item)
        self.take(item, now)

    def take(self, item: Any, now: Time) -> None:
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

    def _request_seen(self, request: Request, now: Time) -> None:
        if request not in self.requests and self.valid(request):
            self.requests[request] = now

    def _acked(self, ack: Ack, now: Time) -> None:
        view = self.log.view[ack.entry]
        acks = self.acks.setdefault(ack.author, {})
        if self.log.sequence[ack.entry] >= self.log.sequence[acks.get(view, view)]:
            acks[view] = ack.entry
        self._count(view, now)

    def _count(self, view: int, now: Time) -> None:
        """Count the acks of a view, and note what they make final."""
        last = NOTHING
        for seat in self.table.owners_of(view):
            acked = self.acks.get(seat, {}).get(view)
            if acked is None:
                return
            last = acked if last < 0 else self.log.common(last, acked)
        if self.log.view[last] != view:
            return
        while last >= 0 and last not in self.final_at:
            if last in self.had:
                self.final_at[last] = now
                later = self.log.place(last) > self.log.place(self.disk.final)
                if later and self.log.follows(self.disk.point, last):
                    self.disk.final = last
                    if not self.table.begins(last):
                        self.needed.clear()
            last = self.log.before[last]

    def _logged(self, entry: int, now: Time) -> None:
        below = entry
        while below not in self.had and not self.log.follows(self.disk.final, below):
            self.had[below] = now
            host, view = self.log.host[below], self.log.view[below]
            self.fronts[view] = max(self.fronts.get(view, view), below, key=self.log.place)
            acks = self.acks.setdefault(host, {})
            if self.log.sequence[below] >= self.log.sequence[acks.get(view, view)]:
                acks[view] = below
            below = self.log.before[below]
        self._count(self.log.view[entry], now)
        if len(self.had) > 60:
            old = [
                below
                for below in self.had
                if below not in (0, self.view)
                and self.log.follows(self.disk.final, below)
                and self.log.sequence[below] < self.log.sequence[self.disk.final] - 20
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
            if self.log.number[entry] >= self.number - 1
        ]
        items += [request for request in self.requests if request.number > self.number]
        items += [
            consent
            for request, given in self.consents.items()
            if request.number > self.number
            for consent in given.values()
        ]
        items += self.leaves.values()
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
                debt.rest = 0.0
            else:
                # A new view asks for everything anew, which takes the usual seconds.
                debt.rest += past
                if debt.rest > REST_SECONDS:
                    debt.stretch = 0.0
            if not self.reaches(seat, now):
                self._mark(self.absent, seat, now)
        self._judge_host(past, now)
        if self.impatient:
            self.gave_up = frozenset(
                seat for seat, debt in self.disk.debts.items() if debt.stretch >= GAVE_UP_SECONDS
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
        return max(self.fronts.get(self.view, 0), self.disk.point, key=self.log.place)

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
            if since > late or self.log.view[entry] != self.view:
                continue
            here = acked is not None and self.log.place(acked) >= self.log.place(entry)
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
        if seat != self.host or promised or (status is not None and status.restarted_as_host):
            return False
        due = self._host_due(now)
        return due is not None and due <= late

    def over(self, seat: int, now: Time) -> bool:
        debt = self.disk.debts.get(seat, Debt())
        if debt.rest > 0:
            return False
        if debt.stretch >= STRETCH_SECONDS or debt.total >= MATCH_SECONDS:
            return True
        others = [
            other
            for other in self.owners
            if other not in (seat, self.seat) and self.reaches(other, now)
        ]
        return (
            debt.stretch >= GAVE_UP_SECONDS
            and seat in self.gave_up
            and all(
                other in self.statuses and seat in self.statuses[other].gave_up for other in others
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
        return self.log.host[max([self.view, *shown], key=lambda view: self.log.number[view])]

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
            self.gave_up,
            frozenset(seat for seat in self.marks if self._marked(self.marks, seat, now)),
            self.choice(now),
            self.restarted_as_host,
            self.missed(),
            disk.final,
        )

    def leave(self, now: Time) -> list[Any]:
        """Leave the table; return what to tell everybody."""
        leave = Leave(self.seat, self.disk.point, max(self.disk.promise, self.number))
        self.disk.left = True
        return self.step(leave, now)

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
            for seat, status in self.statuses.items()
            if status.returns
            and seat not in self.standing
            and self.reaches(seat, now)
            and self._returned(seat) < MOST_RETURNS
        )

    def _returned(self, seat: int) -> int:
        """Return how often an owner returned in the log."""
        times, view = 0, self.view
        while view:
            times += self.log.returned[view] >> seat & 1
            view = self.log.view[self.log.before[view]]
        return times

    def _needed(
        self, host: int, agree: dict[int, Status], members: frozenset[int], now: Time
    ) -> bool:
        restarted = self.host in agree and agree[self.host].restarted_as_host
        if host != self.host or restarted:
            return True
        if self.returning(now) & members and self.begun(self.view):
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
        base = self.log.base(named)
        if base < 0 or not self.log.follows(base, self.disk.final):
            return False
        members = sum(1 << seat for seat, _ in points)
        return self.log.quorums(members, base, used)

    def valid(self, request: Request) -> bool:
        """Return whether the statuses in a Request ask for it."""
        for status in request.statuses:
            if status.choice != request.host or not request.drops <= status.drops:
                return False
        if request.host not in request.members or request.drops & request.members:
            return False
        known = max(self.disk.promise, *(self.log.number[entry] for entry in self.had))
        if request.number > known + REACH_OF_NUMBERS and self.broken != "any number":
            return False
        agree = {status.author: status for status in request.statuses}
        highest = max(max(s.promise, self.log.number[s.view]) for s in request.statuses)
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
        status, shown = self.offer(now), self.shown
        if shown is not None:
            same = status._replace(at=shown.at, point=shown.point, final=shown.final) == shown
            if now <= shown.at or (same and now - shown.at < STATUS_SECONDS):
                return
        self.shown = status
        self.tell(status, now)

    def _adopt(self, now: Time) -> None:
        for entry in sorted(self.had, key=lambda entry: self.log.number[entry], reverse=True):
            view = self.log.view[entry]
            number = self.log.number[view]
            if number <= self.number:
                return
            mine = self.log.members[view] >> self.seat & 1
            below = number < self.disk.promise + (not mine)
            if below or not self.log.of[view] >> self.seat & 1:
                continue
            if not self.log.follows(view, self.disk.final):
                continue
            if not self.reaches(self.log.host[view], now):
                continue
            self._go_to(view, now)
            return

    def _go_to(self, view: int, now: Time) -> None:
        self.disk.point = view
        self.disk.promise = max(self.disk.promise, self.log.number[view])
        self.tell(Ack(self.seat, view), now)

    def _ack(self, now: Time) -> None:
        if self.disk.promise > self.number or self.seat not in self.owners:
            return
        if self.host != self.seat:
            front = self._front()
            if front != self.disk.point:
                self.disk.point = front
                self.tell(Ack(self.seat, front), now)

    def _consent(self, now: Time) -> None:
        for request in list(self.requests):
            if self.seat not in request.members or request.number <= self.disk.promise:
                continue
            mine = next(status for status in request.statuses if status.author == self.seat)
            if now - mine.at > REQUEST_SECONDS or request.number <= self.number:
                continue
            self._give(request, now)

    def _give(self, request: Request, now: Time) -> None:
        self.disk.promise, self.disk.request = request.number, request
        self.tell(Consent(self.seat, request, self.disk.point), now)

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
            base = self.log.base(points + [(leave.author, leave.point) for leave in used])
            standing = self.table.owners_of(self.log.since_begun(base)[-1])
            owners = (standing - request.drops) | request.returns
            entry = self.log.add(
                ("view", base, request),
                base,
                request.number,
                self.seat,
                sum(1 << seat for seat in owners),
                sum(1 << seat for seat in request.members),
                sum(1 << seat for seat in request.returns),
            )
            self.restarted_as_host = False
            self.asked_at = now - REQUEST_SECONDS + STRAGGLERS_SECONDS
            self.tell(Logged(entry), now)
            self._go_to(entry, now)
            return

    def _host(self, now: Time) -> None:
        if self.host != self.seat or self.restarted_as_host or self.disk.promise > self.number:
            return
        if self.seat not in self.owners:
            return
        front = self.disk.point
        ready = front in self.final_at if self.table.begins(front) else front in self.said
        if ready:
            entry = self.log.entry_after(front)
            self.disk.point = entry
            self.tell(Logged(entry), now)

    def _answer(self, now: Time) -> None:
        front = self._front()
        asked = self.table.asked(front) == self.seat and front not in self.said
        begun = any(said.entry == front for _, said in self.to_say)
        if asked and not begun and front in self.final_at:
            self.to_say.append((now + THINKING_SECONDS, Said(self.seat, front)))
        due = [said for at, said in self.to_say if at <= now]
        self.to_say = [(at, said) for at, said in self.to_say if at > now]
        for said in due:
            self.tell(said, now)

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
        number = 1 + max(max(s.promise, self.log.number[s.view]) for s in statuses)
        returns = self.returning(now) & members
        request = Request(number, self.seat, drops, returns, tuple(statuses))
        self.asked_at = now
        self.tell(request, now)
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
