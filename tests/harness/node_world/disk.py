"""What one node of a simulated world has written, and what survives a power failure.

It keeps only the promises of a real journal and sidecar: flushed data survives; data that only the
operating system has may be lost, entirely or from the middle of a record on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import read, write
from lanuno.table.recovery import RecoveredSeat, RecoveredState
from lanuno.table.released_secrets import Released

COUNTERS_AT_ONCE = 256
"""The number of counters that one flush of the sidecar reserves."""


@dataclass
class Disk:
    """The data that one node has written; `durable` entries survive a power failure."""

    begun: bool = False
    entries: list[Entry] = field(default_factory=list)
    durable: int = 0
    aside: list[list[Entry]] = field(default_factory=list)
    """Ends of the log that were given up; all are kept."""
    seeds: dict[int, dict[tuple[bytes, str], bytes]] = field(default_factory=dict)
    bodies: dict[int, dict[int, SignedBody]] = field(default_factory=dict)
    bounds: dict[int, int] = field(default_factory=dict)
    votes: dict[int, bytes] = field(default_factory=dict)
    stand_ins: dict[int, bytes] = field(default_factory=dict)
    """Keys of the stand-in bots of this node, by seat."""
    released: Released | None = None
    places: dict[int, tuple[str, int]] = field(default_factory=dict)
    """The last known addresses of the other nodes."""

    def lose_power(self, genesis: Genesis, chance: Random) -> None:
        """Cut the file at any byte after the durable part."""
        file = write(genesis, self.entries)
        safe = len(write(genesis, self.entries[: self.durable]))
        # Sometimes nothing is lost, sometimes everything that can be.
        cut = chance.choice((safe, len(file), chance.randint(safe, len(file))))
        left = read(file[:cut])
        assert len(left.entries) >= self.durable
        self.entries = list(left.entries)
        for kept_bodies in self.bodies.values():
            for counter in sorted(kept_bodies)[-chance.randint(0, 8) or len(kept_bodies) :]:
                del kept_bodies[counter]

    def promise(self, seat: int, counter: int) -> None:
        """Reserve the counters up to this one: none of them is used again, even after a loss."""
        if counter >= self.bounds.get(seat, 0):
            self.bounds[seat] = counter + COUNTERS_AT_ONCE

    def cut(self, count: int) -> None:
        """Keep the first entries of the journal, and set the rest aside."""
        self.aside.append(self.entries[count:])
        del self.entries[count:]
        self.durable = min(self.durable, count)

    def recovered(self, genesis: Genesis) -> RecoveredState:
        """Return what a restarted program reads."""
        seats = {
            seat: RecoveredSeat(
                dict(self.seeds.get(seat, {})),
                dict(self.bodies.get(seat, {})),
                self.bounds.get(seat, 0),
            )
            for seat in {*self.seeds, *self.bodies, *self.bounds}
        }
        bots = {seat: Identity.from_seed(seed) for seat, seed in self.stand_ins.items()}
        votes = dict(self.votes)
        return RecoveredState(
            genesis, tuple(self.entries), seats, votes, released=self.released, stand_ins=bots
        )
