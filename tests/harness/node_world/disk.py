"""What one node of a simulated world has written, and what is left of it when power is lost.

Only what a real journal and sidecar promise is kept here: what was flushed stays, what was only
handed to the operating system may be gone, wholly or in the middle of a record.
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
from lanuno.table.release import Released

COUNTERS_AT_ONCE = 256
"""So many counters are promised by one flush of the sidecar."""


@dataclass
class Disk:
    """What one node has written; `durable` says how much of it survives a loss of power."""

    begun: bool = False
    entries: list[Entry] = field(default_factory=list)
    durable: int = 0
    aside: list[list[Entry]] = field(default_factory=list)
    """Ends of the log that were given up; each is kept."""
    seeds: dict[int, dict[tuple[bytes, str], bytes]] = field(default_factory=dict)
    bodies: dict[int, dict[int, SignedBody]] = field(default_factory=dict)
    bounds: dict[int, int] = field(default_factory=dict)
    votes: dict[int, bytes] = field(default_factory=dict)
    stand_ins: dict[int, bytes] = field(default_factory=dict)
    """Keys of the bots that fill chairs here, by seat."""
    released: Released | None = None
    places: dict[int, tuple[str, int]] = field(default_factory=dict)
    """Where the others' nodes were last seen."""

    def lose_power(self, genesis: Genesis, chance: Random) -> None:
        """What was not on the disk itself may be gone: the file is cut at any byte behind it."""
        file = write(genesis, self.entries)
        safe = len(write(genesis, self.entries[: self.durable]))
        # Now and then nothing is lost, or all that can be.
        cut = chance.choice((safe, len(file), chance.randint(safe, len(file))))
        left = read(file[:cut])
        assert len(left.entries) >= self.durable
        self.entries = list(left.entries)
        for kept_bodies in self.bodies.values():
            for counter in sorted(kept_bodies)[-chance.randint(0, 8) or len(kept_bodies) :]:
                del kept_bodies[counter]

    def promise(self, seat: int, counter: int) -> None:
        """No counter up to this one is used again, whatever is lost."""
        if counter >= self.bounds.get(seat, 0):
            self.bounds[seat] = counter + COUNTERS_AT_ONCE

    def cut(self, count: int) -> None:
        """The journal goes on behind its first entries; the rest is set aside."""
        self.aside.append(self.entries[count:])
        del self.entries[count:]
        self.durable = min(self.durable, count)

    def recall(self, genesis: Genesis) -> RecoveredState:
        """What a program that starts again reads."""
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
