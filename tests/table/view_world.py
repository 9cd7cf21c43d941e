"""A network of owners of `tests/table/view_clock.py`, what befalls them, and what one liar may do.

`python -m tests.table.view_world` plays random tables, more than the tests do.
"""

from __future__ import annotations

import argparse
import heapq
import random
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Any, NamedTuple

from tests.table.view_clock import (
    TICK,
    Ack,
    Consent,
    Disk,
    Logged,
    Owner,
    Request,
    Said,
    Status,
    Table,
    Time,
)


class World:
    """All owners, and the network between them."""

    def __init__(
        self,
        owners: int,
        seed: int,
        *,
        delays: tuple[float, float] = (0.005, 0.05),
        liars: dict[int, Liar] | None = None,
        impatient: bool = False,
        broken: str = "",
    ) -> None:
        """Start `owners` owners, with delays from the lower to the higher number of seconds.

        `impatient` people wait no longer as soon as they may.
        """
        self.chance = random.Random(seed)
        self.table = Table(owners)
        self.delays = delays
        self.impatient = impatient
        self.broken = broken
        self.liars = liars or {}
        self.now: Time = 0.0
        self.events: list[tuple[Time, int, str, tuple[Any, ...]]] = []
        self.count = 0
        self.nodes: dict[int, Owner] = {}
        self.disks: dict[int, tuple[Disk, dict[int, Time]]] = {}
        self.cut: set[frozenset[int]] = set()
        self.arrived: dict[tuple[int, int], Time] = {}
        self.played: list[Time] = [0.0]
        """When the table got longer."""
        self.top = 0
        self.dropped: dict[int, Time] = {}
        self.views = 0
        self.epoch: dict[int, int] = dict.fromkeys(range(owners), 0)
        for seat in range(owners):
            self.start(seat)

    def at(self, when: Time, kind: str, *about: Any) -> None:
        self.count += 1
        heapq.heappush(self.events, (when, self.count, kind, about))

    def start(self, seat: int) -> None:
        disk, had = self.disks.pop(seat, (None, {}))
        node = Owner(self.table, seat, self.now, disk, self.broken)
        node.impatient = self.impatient and seat not in self.liars
        node.restore(had, self.now)
        self.nodes[seat] = node
        self.epoch[seat] += 1
        self.at(self.now + self.chance.random() * TICK, "tick", seat, self.epoch[seat])
        for other in self.nodes:
            self.join(seat, other)

    def stop(self, seat: int) -> None:
        if seat in self.nodes:
            node = self.nodes.pop(seat)
            self.disks[seat] = (node.disk, node.had)

    def linked(self, one: int, other: int) -> bool:
        return (
            one != other
            and one in self.nodes
            and other in self.nodes
            and frozenset((one, other)) not in self.cut
        )

    def join(self, one: int, other: int) -> None:
        """A link stands again: tell each other everything."""
        if self.linked(one, other):
            for author, to in ((one, other), (other, one)):
                for item in self.nodes[author].everything():
                    self.send(author, to, item)

    def send(self, author: int, to: int, item: Any) -> None:
        if not self.linked(author, to):
            return
        if author in self.liars:
            item = self.liars[author].says(self, self.nodes[author], item, to)
            if item is None:
                return
        low, high = self.delays
        when = self.now + low + (high - low) * self.chance.random()
        when = max(when, self.arrived.get((author, to), 0.0))
        self.arrived[author, to] = when
        self.at(when, "arrive", author, to, self.epoch[to], item)

    def put(self, seat: int, item: Any) -> None:
        node = self.nodes[seat]
        if seat in self.liars:
            self.liars[seat].acts(self, node)
        for said in node.step(item, self.now):
            if isinstance(said, Logged):
                self._note(said.entry)
            for other in list(self.nodes):
                self.send(seat, other, said)

    def _note(self, entry: int) -> None:
        log = self.table.log
        if self.table.begins(entry):
            self.views = max(self.views, log.number[entry])

    def run(self, until: Time) -> None:
        while self.events and self.events[0][0] <= until:
            self.now, _, kind, about = heapq.heappop(self.events)
            if kind == "tick":
                seat, epoch = about
                if seat in self.nodes and self.epoch[seat] == epoch:
                    self.put(seat, None)
                    self._watch(seat)
                    self.at(self.now + TICK, "tick", seat, epoch)
            elif kind == "arrive":
                author, to, epoch, item = about
                if self.linked(author, to) and self.epoch[to] == epoch:
                    self.put(to, item)
            else:
                getattr(self, kind)(*about)
        self.now = until

    def _watch(self, seat: int) -> None:
        if seat in self.liars:
            return
        log, final = self.table.log, self.nodes[seat].disk.final
        if log.sequence[final] > log.sequence[self.top] and not self.table.begins(final):
            for gone in self.table.owners_of(0) - self.table.owners_of(final):
                self.dropped.setdefault(gone, self.now)
            self.top = final
            self.played.append(self.now)

    def start_again(self, seat: int) -> None:
        if seat in self.disks and not self.disks[seat][0].left:
            self.start(seat)

    # ---- what happens to owners ---------------------------------------------------------------

    def separate(self, one: int, other: int) -> None:
        self.cut.add(frozenset((one, other)))

    def heal(self, one: int, other: int) -> None:
        self.cut.discard(frozenset((one, other)))
        if one in self.nodes and other in self.nodes:
            self.join(one, other)

    def leave(self, seat: int) -> None:
        if seat in self.nodes:
            for said in self.nodes[seat].leave(self.now):
                for other in self.nodes:
                    self.send(seat, other, said)
            self.at(self.now + 5.0, "stop", seat)

    def longest_stand(self, since: Time = 0.0) -> float:
        times = [max(since, at) for at in (*self.played, self.now)]
        return max(b - a for a, b in pairwise(times))

    def summary(self) -> str:
        debts = {
            seat: {
                other: round(debt.total) for other, debt in node.disk.debts.items() if debt.total
            }
            for seat, node in self.nodes.items()
            if seat not in self.liars
        }
        return (
            f"{len(self.played)} entries, last at {self.played[-1]:.1f} of {self.now:.0f}, longest"
            f" stand {self.longest_stand():.1f}, view {self.views}, dropped"
            f" { {seat: round(at) for seat, at in self.dropped.items()} }, debts {debts}"
        )


class Liar:
    """An owner that lies in one way; by default it is honest."""

    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        return item

    def acts(self, world: World, node: Owner) -> None:
        return


class Withholds(Liar):
    """Says nothing of one kind, to anybody or to one victim."""

    def __init__(self, *kinds: type, victim: int | None = None) -> None:
        self.kinds = kinds
        self.victim = victim

    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        own = getattr(item, "author", node.seat) == node.seat
        hidden = isinstance(item, self.kinds) and own and self.victim in (None, to)
        return None if hidden else item


class FormsNothing(Liar):
    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        made = isinstance(item, Logged) and world.table.log.host[item.entry] == node.seat
        return None if made and world.table.begins(item.entry) else item


class BeginsNothing(Liar):
    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        log = world.table.log
        made = isinstance(item, Logged) and log.host[item.entry] == node.seat
        return None if made and log.view[item.entry] not in (0, item.entry) else item


class Slow(Liar):
    """Hosts, and logs every entry late."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.ready: dict[int, Time] = {}

    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        if isinstance(item, Logged) and world.table.log.host[item.entry] == node.seat:
            ready = self.ready.setdefault(item.entry, world.now + self.seconds)
            if world.now < ready:
                world.at(ready, "send", node.seat, to, item)
                return None
        return item


class Pretends(Liar):
    """Changes its status."""

    def __init__(self, change: Callable[[World, Owner, Status, int], Status | None]) -> None:
        self.change = change

    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        if not isinstance(item, Status) or item.author != node.seat:
            return item
        # What others pass on is a lie already.
        return self.change(world, node, item, to) if item == node.shown else None


def never_drops(world: World, node: Owner, status: Status, to: int) -> Status:
    return status._replace(drops=frozenset())


def drops_one(world: World, node: Owner, status: Status, to: int) -> Status:
    return status._replace(drops=status.drops | {1 if node.seat != 1 else 2})


def drops_all(world: World, node: Owner, status: Status, to: int) -> Status:
    return status._replace(drops=status.drops | (node.owners - {node.seat}))


def now_and_then(world: World, node: Owner, status: Status, to: int) -> Status:
    return status if int(world.now) % 2 else status._replace(drops=frozenset())


def chooses_itself(world: World, node: Owner, status: Status, to: int) -> Status:
    return status._replace(choice=node.seat)


def rarely(world: World, node: Owner, status: Status, to: int) -> Status | None:
    return status if world.now % 5.3 < 1.0 else None


def rarer(world: World, node: Owner, status: Status, to: int) -> Status | None:
    return status if world.now % 9.0 < 1.0 else None


def promises_much(world: World, node: Owner, status: Status, to: int) -> Status:
    return status._replace(promise=status.promise + 10**18)


def promises_a_little(world: World, node: Owner, status: Status, to: int) -> Status:
    number = node.number + 63
    own = status._replace(promise=number - 1, choice=node.seat)
    request = Request(number, node.seat, frozenset(), frozenset(), (own,))
    return status._replace(promise=number, request=request)


def is_out_of_reach_of_one(world: World, node: Owner, status: Status, to: int) -> Status | None:
    return None if to == 1 else status


def shows_each_another(world: World, node: Owner, status: Status, to: int) -> Status:
    return status._replace(choice=to)


class Asks(Liar):
    """Sends Requests without end, to everybody or to one victim, that drop nobody.

    `ahead` is how far the number in its own status is ahead of the truth.
    """

    def __init__(self, seconds: float, victim: int | None = None, ahead: int = 0) -> None:
        self.seconds = seconds
        self.ahead = ahead
        self.victim = victim
        self.next: Time = 5.0

    def acts(self, world: World, node: Owner) -> None:
        if world.now < self.next or len(node.statuses) < 2:
            return
        self.next = world.now + self.seconds
        statuses = [
            (node.offer(world.now) if seat == node.seat else node.statuses[seat])._replace(
                request=None
            )
            for seat in sorted(node.owners)
            if seat == node.seat or seat in node.statuses
        ]
        statuses = [
            status._replace(promise=status.promise + (status.author == node.seat) * self.ahead)
            for status in statuses
            if status.choice == node.seat
        ]
        if not statuses:
            return
        number = 1 + max(max(s.promise, node.log.number[s.view]) for s in statuses)
        request = Request(number, node.seat, frozenset(), frozenset(), tuple(statuses))
        if number > node.disk.promise:
            node.disk.promise, node.disk.request = number, request
            consent = Consent(node.seat, request, node.disk.point)
            node.take(consent, world.now)
            for to in range(world.table.owners):
                if self.victim in (None, to):
                    world.send(node.seat, to, request)
                    world.send(node.seat, to, consent)

    def says(self, world: World, node: Owner, item: Any, to: int) -> Any:
        if isinstance(item, Status) and self.victim not in (None, to):
            return item._replace(promise=node.number, request=None)
        return item


class ViewsWithoutEnd(Liar):
    """Hosts, and forms one view after another."""

    def acts(self, world: World, node: Owner) -> None:
        if world.now > 10:
            node.restarted_as_host = True


LIES: dict[str, Callable[[], Liar]] = {
    "acks nothing": lambda: Withholds(Ack),
    "acks to one only": lambda: Withholds(Ack, victim=0),
    "withholds its messages": lambda: Withholds(Said),
    "withholds its messages from the host": lambda: Withholds(Said, victim=0),
    "never consents": lambda: Withholds(Consent),
    "consents behind one's back": lambda: Withholds(Consent, victim=1),
    "sends one no entries": lambda: Withholds(Logged, victim=1),
    "sends nobody entries": lambda: Withholds(Logged),
    "tells one nothing": lambda: Withholds(object, victim=1),
    "forms nothing": FormsNothing,
    "begins nothing": BeginsNothing,
    "logs after 4 s": lambda: Slow(4.0),
    "logs after 29 s": lambda: Slow(29.0),
    "never drops": lambda: Pretends(never_drops),
    "drops one": lambda: Pretends(drops_one),
    "drops all": lambda: Pretends(drops_all),
    "drops now and then": lambda: Pretends(now_and_then),
    "chooses itself": lambda: Pretends(chooses_itself),
    "in reach now and then": lambda: Pretends(rarely),
    "in reach rarely": lambda: Pretends(rarer),
    "promises much": lambda: Pretends(promises_much),
    "promises a little": lambda: Pretends(promises_a_little),
    "out of reach of one": lambda: Pretends(is_out_of_reach_of_one),
    "shows each another choice": lambda: Pretends(shows_each_another),
    "asks every 3 s": lambda: Asks(3.0),
    "asks one every 3 s": lambda: Asks(3.0, victim=1),
    "asks every 20 s": lambda: Asks(20.0),
    "asks far ahead": lambda: Asks(20.0, ahead=10**18),
    "views without end": ViewsWithoutEnd,
}


class Played(NamedTuple):
    """How a table fared."""

    world: World
    befell: list[tuple[Time, str, int]]
    """When and how owners were lost, left, or were cut off."""

    def violations(self) -> list[str]:
        """Return which promises were broken."""
        world, found = self.world, []
        honest = {seat: node for seat, node in world.nodes.items() if seat not in world.liars}
        touched = {seat for _, _, seat in self.befell} | set(world.liars)
        if wrong := [seat for seat in world.dropped if seat not in touched]:
            found.append(f"{wrong} were dropped")
        for seat, node in honest.items():
            for other in honest:
                debt = node.disk.debts.get(other)
                if not {seat, other} & touched and debt is not None and debt.total > 15:
                    found.append(f"{other} owes {debt.total:.0f} s to {seat}")
        here = [node for node in honest.values() if not node.disk.left]
        newest = max(here, key=lambda node: node.number, default=None)
        if newest is None:
            return found
        owners = newest.owners
        present = {node.seat for node in here if node.number == newest.number} & owners
        two = len(owners) == 2 and newest.host not in present
        enough = len(present) > len(owners) // 2 or (len(owners) == 2 and len(present) == 1)
        if enough and not two and world.now - world.played[-1] > 30:
            found.append(f"the table stands since {world.played[-1]:.0f} s")
        return found


def random_table(seed: int, *, lying: bool) -> Played:
    """Play a table with up to five mishaps, and with one liar if so asked."""
    chance = random.Random(seed)
    owners = chance.choice((2, 3, 4, 5, 6))
    delays = chance.choice(((0.005, 0.05), (0.05, 0.4), (0.2, 0.8), (0.005, 1.5), (1.2, 1.5)))
    liars = {chance.randrange(owners): LIES[chance.choice(sorted(LIES))]()} if lying else {}
    world = World(owners, seed, delays=delays, liars=liars, impatient=chance.random() < 0.3)
    befell = []
    for _ in range(chance.choice((1, 2, 3, 5))):
        when, seat, other = (
            chance.uniform(5, 200),
            chance.randrange(owners),
            chance.randrange(owners),
        )
        kind = chance.choice(("down", "down", "down", "gone", "leave", "cut", "cut"))
        if kind == "cut" and other == seat:
            continue
        if kind == "cut":
            world.at(when, "separate", seat, other)
            world.at(when + chance.choice((2, 6, 20, 100)), "heal", seat, other)
        elif kind == "leave":
            world.at(when, "leave", seat)
        else:
            world.at(when, "stop", seat)
        if kind == "down":
            world.at(when + chance.choice((2, 5, 8, 20, 50, 58, 62, 90)), "start_again", seat)
        befell += [(when, kind, each) for each in ({seat, other} if kind == "cut" else {seat})]
    world.run(900.0 if lying else 500.0)
    return Played(world, befell)


def main() -> None:
    """Play random tables, with and without a liar."""
    parser = argparse.ArgumentParser(prog="python -m tests.table.view_world", description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1, help="of the first table")
    parser.add_argument("--lying", action="store_true", help="with one liar in each")
    options = parser.parse_args()
    for seed in range(options.seed, options.seed + options.tables):
        played = random_table(seed, lying=options.lying)
        for violation in played.violations():
            sys.stdout.write(f"{seed}: {violation}; {played.world.summary()}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{options.tables} tables\n")


if __name__ == "__main__":
    main()
