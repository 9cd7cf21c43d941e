"""The print of each rank, for QML, whose cards carry no more than their rank and colour."""

from __future__ import annotations

from typing import Final

from lanuno.rules.cards import Rank

RANKS: Final = tuple(
    {"text": rank.traits.text, "icon": rank.traits.icon, "wild": rank.traits.is_wild}
    for rank in sorted(Rank)
)
"""By rank: the text or the name of the icon, "" for the missing one, and whether it is wild."""
