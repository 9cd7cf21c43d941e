"""What a host agreed with people before a table began and the log does not tell: to host it again.

A value only. Whoever sits down is told of it in the waiting room (`LobbyState`), because any player
may have to host some day; `lanuno.store` keeps it. Everything about the game is in the log.
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from lanuno.log.bodies import MAX_SEATS
from lanuno.table.messages import MOST_ROUNDS, Place


class Arrangements(Struct, frozen=True, kw_only=True):
    """As far as this computer knows them."""

    name: Annotated[str, Meta(max_length=64)] = ""
    """Of the table, as it is shown; "" if unknown."""
    pin: Annotated[str, Meta(max_length=64)] | None = None
    """None: the table asks for none, or it is not known here."""
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """Rounds after which the host stops; None: the match goes on to its end."""
    spectators: bool = True
    """Whether people may watch."""
    port: Annotated[int, Meta(ge=1, le=65535)] | None = None
    """Port that this computer listens on, where the others look for it; None: it does not."""
    places: Annotated[tuple[Place, ...], Meta(max_length=MAX_SEATS)] = ()
    """Where the owners' computers were last seen, for one that was started again."""

    def __repr__(self) -> str:
        # Without the PIN.
        return f"Arrangements(name={self.name!r}, rounds={self.rounds}, port={self.port})"
