"""Recovered state: what a node gets back from disk when it restarts.

These are plain values: `lanuno.store` reads them from disk, `replica/seat.py` and `node.py` use
them. No repr shows a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.table.messages import PeerAddress
from lanuno.table.released_secrets import Released


@dataclass(frozen=True, slots=True, repr=False)
class RecoveredSeat:
    """The recovered state of one seat that this node plays."""

    seeds: Mapping[tuple[bytes, str], bytes] = field(default_factory=dict)
    """Seeds, by hash of the round's Open entry and label ("round", "view")."""
    bodies: Mapping[int, SignedBody] = field(default_factory=dict)
    """Bodies that this node signed, by counter, as far as they were kept."""
    next_counter: int = 0
    """Upper bound of the used counters: all used ones are lower, even if their bodies are lost."""

    def __repr__(self) -> str:
        return f"RecoveredSeat({len(self.seeds)} seeds, {len(self.bodies)} bodies, <secret>)"


class RecoveredState(Struct, frozen=True):
    """The recovered state of a table."""

    genesis: Genesis
    entries: tuple[Entry, ...]
    seats: Mapping[int, RecoveredSeat]
    """By seat: the owner's seat and those of its bots."""
    votes: Mapping[int, bytes] = msgspec.field(default_factory=dict)
    """The signed votes that the owner cast, by term."""
    released: Released | None = None
    """The last entry for which this node has released a secret."""
    places: tuple[PeerAddress, ...] = ()
    """The last known addresses of the other nodes."""
    stand_ins: Mapping[int, Identity] = msgspec.field(default_factory=dict)
    """This node's stand-ins, by seat."""
