"""One outage of the network at a simulated table with the usual settings, and where it leaves whom.

Everybody plays slowly, as people do, so that the match goes on for longer than any outage. No
assertion about where somebody must be afterwards is here.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from enum import Enum
from functools import partial
from itertools import combinations

from lanuno.log import events
from lanuno.log.round_log import RoundLog
from lanuno.log.round_record import Phase
from lanuno.rules.ruleset import Ruleset
from tests.harness.node_world.world import Computer, World

PATIENCE = 1_800.0
"""Simulated seconds within which everything that a test waits for has to come."""


class Cut(Enum):
    """Whose cables are out."""

    ALL = "everybody"
    HOST = "the host alone"
    GUESTS = "all guests"


class Where(Enum):
    """Where a player is once everybody can be reached again."""

    THERE = "there"
    DROPPED = "dropped"
    BACK = "dropped, and sits down again"


class SlowWorld(World):
    """A world in which a decision takes some seconds."""

    thinks = 8.0

    def __init__(self, owners: int, seed: int, ruleset: Ruleset | None = None) -> None:
        super().__init__(owners, seed, ruleset=ruleset, rounds=99)
        self.out: set[int] = set()
        """Computers whose cables are out."""

    def _wake(self, computer: Computer) -> None:
        if not computer.awake:
            computer.awake = True
            later = self.chance.uniform(self.thinks / 2, self.thinks)
            self.after(later, partial(self._let_play, computer, computer.run))


def table(owners: int, seed: int = 1, ruleset: Ruleset | None = None) -> SlowWorld:
    """A long match in the middle of its first round."""
    world = SlowWorld(owners, seed, ruleset)
    world.start()
    assert world.run(partial(playing, world.computers[0]), most=PATIENCE)
    return world


def playing(computer: Computer) -> bool:
    """Whether cards are played."""
    current: RoundLog | None = computer.up.replay.round
    return current is not None and current.phase is Phase.PLAY and bool(current.engine.decider)


def wait(world: World, seconds: float) -> None:
    """Let time pass."""
    until = world.now + seconds
    world.run(lambda: False, most=until)
    world.now = until


def pull(world: SlowWorld, *numbers: int) -> None:
    """Take the cables of these computers out: nobody reaches them, nor they each other."""
    world.out |= {*numbers}
    for one, other in combinations(world.computers, 2):
        if {one.number, other.number} & world.out:
            world.wall(one, other)


def put_back(world: SlowWorld, *numbers: int) -> None:
    """Put these in again; whoever is still out reaches nobody."""
    world.out -= {*numbers}
    world.walls = {wall for wall in world.walls if wall & world.out}


def sleep(world: SlowWorld, seconds: float) -> None:
    """Nobody's program runs for so long; what was on its way, or due, comes right after it."""
    world.now += seconds
    later = [(moment + seconds, number, action) for moment, number, action in world._heap]
    heapq.heapify(later)
    world._heap = later


def cables(owners: int, cut: Cut) -> tuple[int, ...]:
    """Whose they are."""
    guests = tuple(range(1, owners))
    return {Cut.ALL: (0, *guests), Cut.HOST: (0,), Cut.GUESTS: guests}[cut]


def outage(
    owners: int, seconds: float, cut: Cut, returns: Mapping[int, float] | None = None
) -> SlowWorld:
    """Let the network fail for so long, and wait for another two minutes.

    `returns`: so many seconds later than the others somebody's cable is in again.
    """
    world, later = table(owners), returns or {}
    out = cables(owners, cut)
    pull(world, *out)
    wait(world, seconds)
    put_back(world, *(each for each in out if each not in later))
    for number, when in later.items():
        world.after(when, partial(put_back, world, number))
    wait(world, 120.0)
    return world


def whereabouts(world: SlowWorld) -> list[Where]:
    """Where everybody is, in the order of their seats; who was dropped may come back first.

    Fails if not everybody holds the same log by then, or if it does not go on.
    """
    world.thinks = 0.5  # whoever was dropped sits down before the next round
    gone = {event.seat for _, _, event in world.happened if isinstance(event, events.SeatDropped)}
    before = max(each.up.replay.seq for each in world.computers)

    def all_are_back() -> bool:
        each = [computer.up for computer in world.computers]
        here = all(not one.replay.dropped and one.replay.seq > before for one in each)
        return here or any(one.replay.closed is not None for one in each)

    assert world.run(all_are_back, most=world.now + PATIENCE)
    dropped = {seat for each in world.computers for seat in each.up.replay.dropped}
    seats = range(len(world.computers))
    back = [Where.BACK if seat in gone else Where.THERE for seat in seats]
    return [Where.DROPPED if seat in dropped else back[seat] for seat in seats]
