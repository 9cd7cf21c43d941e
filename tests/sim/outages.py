"""One network outage at a simulated table with the usual settings, and where it leaves the players.

All players act slowly, as people do, so that the match lasts longer than any outage. This module
makes no assertion about where a player must be afterwards.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from enum import Enum
from functools import partial
from itertools import combinations

from lanuno.log.round import events
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.node_world.world import SimulatedNode, World

MOST_WAIT_SECONDS = 1_800.0
"""The limit, in simulated seconds, for everything that a test waits for."""


class Cut(Enum):
    """The nodes whose cables are out."""

    ALL = "everybody"
    HOST = "the host alone"
    GUESTS = "all guests"


class PlayerPlace(Enum):
    """Where a player is once all nodes are reachable again."""

    THERE = "there"
    DROPPED = "dropped"
    BACK = "dropped, and sits down again"


class SlowWorld(World):
    """A world in which a decision takes some seconds."""

    thinks = 8.0

    def __init__(self, owners: int, seed: int, ruleset: Ruleset | None = None) -> None:
        super().__init__(owners, seed, ruleset=ruleset, rounds=99)
        self.out: set[int] = set()
        """The nodes whose cables are out."""

    def _schedule_act(self, node: SimulatedNode) -> None:
        if not node.awake:
            node.awake = True
            later = self.chance.uniform(self.thinks / 2, self.thinks)
            self.after(later, partial(self._act, node, node.run_number))


def table(owners: int, seed: int = 1, ruleset: Ruleset | None = None) -> SlowWorld:
    """Return a long match in the middle of its first round."""
    world = SlowWorld(owners, seed, ruleset)
    world.start()
    assert world.run(partial(playing, world.nodes[0]), most=MOST_WAIT_SECONDS)
    return world


def playing(node: SimulatedNode) -> bool:
    """Whether the round is in its play phase."""
    current: RoundLog | None = node.running.replay.round
    return (
        current is not None and current.phase is ProtocolPhase.PLAY and bool(current.engine.decider)
    )


def wait(world: World, seconds: float) -> None:
    """Let time pass."""
    until = world.now + seconds
    world.run(lambda: False, most=until)
    world.now = until


def pull(world: SlowWorld, *numbers: int) -> None:
    """Unplug these nodes: nothing reaches them, and they do not reach each other."""
    world.out |= {*numbers}
    for one, other in combinations(world.nodes, 2):
        if {one.number, other.number} & world.out:
            world.block(one, other)


def put_back(world: SlowWorld, *numbers: int) -> None:
    """Plug these nodes in again; a node that is still unplugged stays unreachable."""
    world.out -= {*numbers}
    world.blocked = {wall for wall in world.blocked if wall & world.out}


def suspend(world: SlowWorld, seconds: float) -> None:
    """Stop all programs for `seconds`; messages in transit and due timers follow right after."""
    world.now += seconds
    later = [(moment + seconds, number, action) for moment, number, action in world._heap]
    heapq.heapify(later)
    world._heap = later


def cables(owners: int, cut: Cut) -> tuple[int, ...]:
    """Return the numbers of the nodes that this cut unplugs."""
    guests = tuple(range(1, owners))
    return {Cut.ALL: (0, *guests), Cut.HOST: (0,), Cut.GUESTS: guests}[cut]


def outage(
    owners: int, seconds: float, cut: Cut, returns: Mapping[int, float] | None = None
) -> SlowWorld:
    """Let the network fail for `seconds`, and wait for another two minutes.

    `returns`: by node, how many seconds later than the others it is plugged in again.
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


def player_places(world: SlowWorld) -> list[PlayerPlace]:
    """Return where all players are, by seat, after a dropped player had time to return.

    Fails unless all of them hold the same log by then and it still grows.
    """
    world.thinks = 0.5  # a dropped player sits down before the next round
    gone = {event.seat for _, _, event in world.events if isinstance(event, events.SeatDropped)}
    before = max(each.running.replay.seq for each in world.nodes)

    def all_are_back() -> bool:
        each = [node.running for node in world.nodes]
        here = all(not one.replay.dropped and one.replay.seq > before for one in each)
        return here or any(one.replay.closed is not None for one in each)

    assert world.run(all_are_back, most=world.now + MOST_WAIT_SECONDS)
    dropped = {seat for each in world.nodes for seat in each.running.replay.dropped}
    seats = range(len(world.nodes))
    back = [PlayerPlace.BACK if seat in gone else PlayerPlace.THERE for seat in seats]
    return [PlayerPlace.DROPPED if seat in dropped else back[seat] for seat in seats]
