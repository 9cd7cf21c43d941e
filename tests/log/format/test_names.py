"""Names that users see: one spelling, nothing invisible, nothing that moves other text."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import combinations, product
from pathlib import Path
from typing import Any

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
    readings,
)
from tests.harness.interpreters import interpreters
from tests.log.format import name_sweep

ROOT = Path(__file__).resolve().parents[3]
KNOWN: dict[str, list[Any]] = json.loads(
    (ROOT / "tests" / "vectors" / "names.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize(("typed", "shown"), KNOWN["clean"])
def test_what_a_name_becomes(typed: str, shown: str) -> None:
    assert clean_name(typed) == shown


@pytest.mark.parametrize("typed", [*KNOWN["refused"], "a\ud800b"])
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


@pytest.mark.parametrize(("one", "other", "alike"), KNOWN["alike"])
def test_names_that_look_alike(one: str, other: str, alike: bool) -> None:
    assert look_alike(one, other) is alike
    assert look_alike(other, one) is alike


@pytest.mark.parametrize("names", KNOWN["apart"])
def test_names_that_people_tell_apart(names: list[str]) -> None:
    assert all(clean_name(name) for name in names)
    assert not [pair for pair in combinations(names, 2) if look_alike(*pair)]


def test_names_look_alike_if_they_have_a_reading_in_common() -> None:
    names = ["".join(each) for length in (1, 2, 3) for each in product("ILilmnr", repeat=length)]
    names += [f"{name}{mark}" for name in names[:7] for mark in "\u0301\u0307"]
    read = {name: {"".join(each) for each in product(*readings(name))} for name in names}
    alike = {pair for pair in product(names, repeat=2) if look_alike(*pair)}
    assert alike == {(a, b) for a, b in product(names, repeat=2) if read[a] & read[b]}
    assert {("m", "rn"), ("Lm", "lrn"), ("Li", "lI")} <= alike
    assert not {("L", "I"), ("M", "rn"), ("i", "l")} & alike


def test_names_made_to_be_compared_for_long() -> None:
    """A comparison without memory would take 3 ** 18 steps, in the lobby of an honest host."""
    assert not look_alike("m" * 18 + "xm", "m" * 18 + "ym")
    assert not look_alike("Il" * 9 + "xI", "lI" * 9 + "yI")


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


SWEPT = "61f624d489b7118011ac97f2125c6ea418e2c5382309056227139179c6b12876"
"""The digest of `name_sweep`, recorded with Python 3.11."""


def test_every_python_gives_the_same_answers() -> None:
    """This one, with which the test runs in CI, and the others of this machine."""
    assert name_sweep.digest() == SWEPT
    others = [each for each in interpreters() if each.version != sys.version_info[:2]]
    for other in others:
        command = [other.path, "-m", "tests.log.format.name_sweep"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        assert done.stdout.strip() == SWEPT, other
