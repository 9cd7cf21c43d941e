"""Acknowledgements at tables without nodes, whose seats talk to the host role directly."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.dealing.identity import Identity
from lanuno.log.replay.replay import Replay
from lanuno.table.acknowledgements import Acknowledgements
from lanuno.table.host.role import HostRole
from lanuno.table.messages import Statements
from lanuno.table.outputs import HostOutput, SeatOutput
from lanuno.table.replica.replica import Replica

NO_LINK = -1
"""Where it does not matter over which link a statement came."""


def acknowledgement(replay: Replay, owner: int, identity: Identity, count: int) -> Statements:
    """Return what an owner's node sends once this many entries are on its disk."""
    signed = Acknowledgements().sign(replay, owner, identity, count, 0.0)
    return Statements(() if signed is None else (signed,))


def acknowledged_by_all(replay: Replay, identities: Sequence[Identity]) -> Statements:
    """Return the acknowledgements of a whole log by all its owners. `identities`: by seat."""
    return Statements(
        tuple(
            signed
            for owner in replay.owners
            for signed in acknowledgement(replay, owner, identities[owner], replay.seq).signed
        )
    )


class Certificates:
    """What one program knows of all acknowledgements."""

    def __init__(self) -> None:
        self.known = Acknowledgements()

    def hear(self, replica: Replica, message: Statements) -> None:
        """Note acknowledgements."""
        for signed in message.signed:
            self.known.take(replica.replay, NO_LINK, signed, 0.0)

    def count(self, host: HostRole, message: Statements, now: float) -> list[HostOutput]:
        """Let a host role count what owners acknowledge of its log."""
        out: list[HostOutput] = []
        for signed in message.signed:
            self.known.take(host.replay, NO_LINK, signed, now)
        for owner in host.replay.absence.people:
            out += host.acknowledge(owner, self.known.count_of(host.replay, owner), now)
        return out

    def note(self, replica: Replica) -> list[SeatOutput]:
        """Tell a replica what is certified by now."""
        self.known.update(replica.replay, 0.0)
        return replica.certified(self.known.certified(replica.replay))
