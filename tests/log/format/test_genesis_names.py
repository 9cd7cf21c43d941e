"""Names that users see: one spelling, nothing invisible, nothing that moves other text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.log.format.genesis import (
    LONGEST_NAME,
    LONGEST_NAME_BYTES,
    clean_name,
    is_too_long,
    look_alike,
)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Ana", "Ana"),
        ("  Ana   María ", "Ana María"),
        ("Ana\u00a0B\u2003C\u3000D\u1680E", "Ana B C D E"),
        ("Ａｎａ", "Ana"),
        ("e\u0301l", "él"),
        ("ﬁn", "fin"),
        ("李小龍", "李小龍"),
        ("🎴", "🎴"),
        ("❤\ufe0f", "❤"),
        ("e\ufe00\u0301", "é"),
        ("x" * 20, "x" * 20),
        ("😀" * 16, "😀" * 16),
        ("𝔄𝔫𝔞", "Ana"),
    ],
)
def test_what_a_name_becomes(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "   ",
        "\u3000",
        "\ufe0f",
        "x" * 21,
        "😀" * 17,
        "😀" * 16 + "a",
        "a\nb",
        "a\tb",
        "a\x00b",
        "a\x7fb",
        "a\x85b",
        "a\u2028b",
        "a\u2029b",
        "a\u200bb",
        "a\u200db",
        "a\u202eb",
        "a\u2066b",
        "a\ufeffb",
        "a\u00adb",
        "a\ue000b",
        "a\U000f0000b",
        "a\u0378b",
        "a\ud800b",
        "a\U000e0041b",
        "\u115f",
        "a\u1160",
        "a\u3164",
        "a\uffa0",
        "\u2800",
        "a\u034fb",
        "a\u17b5",
        "a\u180bb",
        "a\U0001d159",
        "\u0301a",
        "\u20dd",
    ],
)
def test_text_that_is_no_name_is_refused(typed: str) -> None:
    assert clean_name(typed) is None


@given(st.text(max_size=30))
def test_a_clean_name_is_clean(typed: str) -> None:
    name = clean_name(typed)
    if name is None:
        return
    assert clean_name(name) == name
    assert 0 < len(name) <= LONGEST_NAME
    assert len(name.encode()) <= LONGEST_NAME_BYTES
    assert name.isprintable()
    assert "  " not in name
    assert name == name.strip()


def test_other_limits() -> None:
    assert clean_name("x" * 30) is None
    assert clean_name("x" * 30, 30, 30) == "x" * 30
    assert clean_name("é" * 20, 30, 30) is None


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("Ana", "Ana", True),
        ("Ana", "aNA", True),
        ("Ana", "\u0410na", True),
        ("ana", "\u0430n\u0430", True),
        ("AB", "\u0391\u0392", True),
        ("Ana", "Anna", False),
        ("Al", "AI", False),
    ],
)
def test_names_that_look_alike(one: str, other: str, alike: bool) -> None:
    assert look_alike(one, other) is alike
    assert look_alike(other, one) is alike


@pytest.mark.parametrize(
    ("text", "too_long"),
    [
        ("x" * 20, False),
        ("x" * 21, True),
        ("x" * 20 + " ", True),
        ("e\u0301" * 20, False),
        ("\ufb03" * 7, True),
        ("\U0001f600" * 16, False),
        ("\U0001f600" * 17, True),
        ("\u202e", False),
        ("", False),
    ],
)
def test_how_long_a_name_is(text: str, too_long: bool) -> None:
    assert is_too_long(text) is too_long
