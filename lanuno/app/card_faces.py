"""What is printed on cards, as QML takes it: a card on the screen carries no more than its rank."""

from __future__ import annotations

from typing import Final

from lanuno.rules.cards import Rank

RANKS: Final = tuple(
    {"text": rank.traits.text, "icon": rank.traits.icon, "wild": rank.traits.is_wild}
    for rank in sorted(Rank)
)
"""By rank: the text or the name of the icon, each "" if there is none, and whether it is wild."""
