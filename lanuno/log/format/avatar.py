"""The colour in which a player is shown, by its number. The app defines the colours themselves."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

AVATARS = 10
"""Number of colours."""

Avatar = Annotated[int, Meta(ge=0, lt=AVATARS)]
"""Number of a colour. Every node shows a player in the same one."""
