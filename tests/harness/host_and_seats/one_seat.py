"""A seat session with a replica of its own, as on a node that plays one seat."""

from __future__ import annotations

from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import Genesis
from lanuno.table.lobby.peer import Entropy
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica.replica import Replica
from lanuno.table.replica.seat import SeatSession


def one_seat(
    genesis: Genesis,
    identity: Identity | None,
    entropy: Entropy,
    recovered: RecoveredState | None = None,
    *,
    stand_in: bool = False,
) -> SeatSession:
    """Return the session of an identity, or of a spectator.

    Raises `Unreadable`, `TableError`, and `HostFault` if the recovered journal is not the log.
    """
    replica = Replica(genesis, None if recovered is None else recovered.released)
    kept = {} if recovered is None else recovered.seats
    session = SeatSession(replica, identity, entropy, kept, stand_in=stand_in)
    replica.read_journal(() if recovered is None else recovered.entries)
    return session
