"""Readiness: the digest of an offer, and why the players of a lobby cannot play by some rules."""

from __future__ import annotations

from lanuno.rules.ruleset import Ruleset
from lanuno.table.lobby.readiness import offer_digest

OTHER = Ruleset(jump_in=True)


def test_what_somebody_is_ready_for_is_told_apart() -> None:
    said = {
        offer_digest(Ruleset(), 3),
        offer_digest(Ruleset(), 4),
        offer_digest(OTHER, 3),
        offer_digest(Ruleset(target=1), 3),
    }
    assert len(said) == 4
