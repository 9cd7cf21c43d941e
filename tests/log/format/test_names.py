"""Names that users see: one spelling, nothing invisible, nothing that moves other text."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.log.format.name_characters import VISIBLE
from lanuno.log.format.names import (
    JOINER,
    LONGEST_NAME,
    LONGEST_NAME_BYTES,
    NON_JOINER,
    clean_name,
    is_too_long,
    look_alike,
)
from tests.harness.interpreters import interpreters
from tests.log.format import name_sweep

ROOT = Path(__file__).resolve().parents[3]


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
        # Pictographs that are younger than the Unicode of Python 3.11, or not yet assigned.
        ("Ana \U0001fae8\U0001f6dc\U0001faff", "Ana \U0001fae8\U0001f6dc\U0001faff"),
        # Joiners: Persian, Sinhala, Hindi, Malayalam, and pictographs made of others.
        ("علی\u200cرضا", "علی\u200cرضا"),
        ("ش\u0651\u200c\u0651ش", "ش\u0651\u200c\u0651ش"),
        ("ශ්\u200dරී", "ශ්\u200dරී"),
        ("क्\u200cष", "क्\u200cष"),
        ("ന്\u200d", "ന്\u200d"),
        ("👨\u200d💻", "👨\u200d💻"),
        ("👩🏽\u200d❤\ufe0f\u200d👩🏽", "👩🏽\u200d❤\u200d👩🏽"),
        ("🏴\u200d☠\ufe0f", "🏴\u200d☠"),
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
        "a\u200cb",
        "\u200d",
        "علی\u200c",
        "\u200cعلی",
        "علی\u200c\u200cرضا",
        "علی\u200dرضا",
        "رضا\u200cعلی",
        "👨\u200d",
        "👨\u200da",
        "👨\u200c💻",
        "👨\u200d\u200d💻",
        # Assigned by later versions of Unicode, and not reserved for pictographs.
        "a\U0001e4d0b",
        "a\u0cf3",
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
    assert all(each in VISIBLE or each in (JOINER, NON_JOINER) for each in name)
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
        ("علی\u200cرضا", "علیرضا", True),
        ("👨\u200d💻", "👨💻", True),
        ("ශ්\u200dරී", "ශ්රී", True),
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


SWEPT = "cbeb81a5a2c59508c38b3df2b37538ab351d7adc7dedef83c8c5415fd27cffeb"
"""The digest of `name_sweep`, recorded with Python 3.11."""


def test_every_python_gives_the_same_answers() -> None:
    """This one, with which the test runs in CI, and the others of this machine."""
    assert name_sweep.digest() == SWEPT
    others = [each for each in interpreters() if each.version != sys.version_info[:2]]
    for other in others:
        command = [other.path, "-m", "tests.log.format.name_sweep"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == SWEPT, other
