"""Table metadata: the terms agreed in the lobby that are not in the log, needed to host again.

Every player gets them in the lobby (`LobbyState`), because any player may have to host the table
later; `lanuno.store` keeps them. Everything about the game itself is in the log.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.log.format.genesis import Rounds
from lanuno.rules.cards import MAX_SEATS
from lanuno.table.messages import PeerAddress


class TableMetadata(Struct, frozen=True, kw_only=True):
    """The metadata of one table, as far as this node knows it."""

    name: Annotated[str, Meta(max_length=64)] = ""
    """The displayed name of the table; "" if unknown."""
    pin: Annotated[str, Meta(max_length=64)] | None = None
    """None if the table asks for no PIN, or this node does not know it."""
    rounds: Rounds | None = None
    """Number of counted rounds of play after which the host closes; None for the whole match."""
    spectators: bool = True
    """Whether spectators may watch."""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """The port on which this node listens for other nodes; None if it does not listen."""
    places: Annotated[tuple[PeerAddress, ...], Meta(max_length=MAX_SEATS)] = ()
    """The last known addresses of the owners' nodes, for a restart."""

    def __repr__(self) -> str:
        # Without the PIN.
        return f"TableMetadata(name={self.name!r}, rounds={self.rounds}, port={self.port})"
