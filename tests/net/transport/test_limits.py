"""A limited memory, which forgets its oldest item."""

from __future__ import annotations

from lanuno.net.transport.limits import remember


def test_the_oldest_item_is_forgotten() -> None:
    items: dict[str, int] = {}
    for number, key in enumerate("abcd"):
        remember(items, key, number, 3)
    assert items == {"b": 1, "c": 2, "d": 3}


def test_an_item_that_is_set_again_is_the_newest() -> None:
    items: dict[str, int] = {}
    for number, key in enumerate("abcad"):
        remember(items, key, number, 3)
    assert items == {"c": 2, "a": 3, "d": 4}
