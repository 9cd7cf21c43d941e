"""What a computer remembers of a table when its program starts again.

Only values live here: read from disk by `lanuno.store`, used by `session.py` and `member.py`. No
repr shows a secret.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lanuno.dealing.identity import Identity
from lanuno.log.bodies import SignedBody
from lanuno.log.entries import Entry
from lanuno.log.genesis import Genesis
from lanuno.table.messages import Place
from lanuno.table.release import Released


@dataclass(frozen=True, slots=True, repr=False)
class SeatRecall:
    """What is remembered for one seat that this computer plays."""

    seeds: Mapping[tuple[bytes, str], bytes] = field(default_factory=dict)
    """By hash of the round's Open entry and label ("round", "view")."""
    bodies: Mapping[int, SignedBody] = field(default_factory=dict)
    """Own signed bytes by counter, as far as they were kept."""
    next_counter: int = 0
    """No counter from this one on was ever used, whatever was lost."""

    def __repr__(self) -> str:
        return f"SeatRecall({len(self.seeds)} seeds, {len(self.bodies)} bodies, <secret>)"


@dataclass(frozen=True, slots=True)
class Recall:
    """What is remembered of a table."""

    genesis: Genesis
    entries: tuple[Entry, ...]
    seats: Mapping[int, SeatRecall]
    """By seat: the owner's own and its bots'."""
    votes: Mapping[int, bytes] = field(default_factory=dict)
    """The signed votes that the owner cast, by term."""
    released: Released | None = None
    """The last entry on which this computer has released a secret."""
    places: tuple[Place, ...] = ()
    """Where the others' computers were last seen."""
    stand_ins: Mapping[int, Identity] = field(default_factory=dict)
    """This computer's bots that filled chairs, by seat."""
