"""Tests of the colour of a player who has chosen none."""

from __future__ import annotations

from lanuno.log.format.avatar import AVATARS, own_avatar


def test_every_key_has_a_colour_and_every_colour_is_somebodys() -> None:
    assert {own_avatar(bytes([first]) * 32) for first in range(256)} == set(range(AVATARS))
