"""Table metadata: what the lobby agreed on and the log does not hold, to host the table again.

A value only. Every player gets it in the lobby (`LobbyState`), because any player may have to host
the table later; `lanuno.store` keeps it. Everything about the game is in the log.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.log.format.bodies import MAX_SEATS
from lanuno.table.messages import MOST_ROUNDS, PeerAddress


class TableMetadata(Struct, frozen=True, kw_only=True):
    """The metadata of one table, as far as this node knows them."""

    name: Annotated[str, Meta(max_length=64)] = ""
    """Of the table, as it is shown; "" if unknown."""
    pin: Annotated[str, Meta(max_length=64)] | None = None
    """None if the table asks for none, or it is not known here."""
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """Rounds after which the host stops; None: the match goes on to its end."""
    spectators: bool = True
    """Whether spectators may watch."""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port on which this node listens for the others; None if it does not."""
    places: Annotated[tuple[PeerAddress, ...], Meta(max_length=MAX_SEATS)] = ()
    """The last known addresses of the owners' nodes, for a program that starts again."""

    def __repr__(self) -> str:
        # Without the PIN.
        return f"TableMetadata(name={self.name!r}, rounds={self.rounds}, port={self.port})"
