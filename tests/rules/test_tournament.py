"""The schedule of the tournament has the property that makes it fair."""

from __future__ import annotations

from collections import Counter

import pytest

from lanuno.rules.tournament import PLAYERS, ROTATIONS, TABLES, pairing, pairing_of


def test_everybody_plays_once_in_every_rotation() -> None:
    for rotation in range(ROTATIONS):
        seated = [player for table in range(TABLES) for player in pairing(rotation, table).players]
        assert sorted(seated) == list(range(PLAYERS))


def test_everybody_partners_everybody_once_and_opposes_everybody_twice() -> None:
    partners: Counter[frozenset[int]] = Counter()
    opponents: Counter[frozenset[int]] = Counter()
    for rotation in range(ROTATIONS):
        for table in range(TABLES):
            x, z, y, w = pairing(rotation, table).players
            partners.update((frozenset((x, y)), frozenset((z, w))))
            opponents.update(frozenset(pair) for pair in ((x, z), (x, w), (y, z), (y, w)))
    pairs = {frozenset((a, b)) for a in range(PLAYERS) for b in range(a)}
    assert partners == Counter(pairs)
    assert opponents == Counter(dict.fromkeys(pairs, 2))


def test_the_first_rotation_is_seated_as_the_schedule_says() -> None:
    h, b, a, d = 7, 1, 0, 3
    assert pairing(0, 0).players == (h, b, a, d)
    assert pairing_of(0, d) == pairing(0, 0)
    assert pairing_of(0, 2).table == 1


def test_there_is_no_eighth_rotation() -> None:
    with pytest.raises(IndexError):
        pairing(ROTATIONS, 0)
