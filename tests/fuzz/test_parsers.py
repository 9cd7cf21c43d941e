"""Every parser accepts honest bytes and survives bytes that were changed, cut, mixed or random."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import stored_files
from tests.fuzz.parsers import CORPUS, PARSERS, kept

NAMES = sorted(PARSERS)
USUAL_INPUTS = 60
"""The number of changed inputs for most parsers."""

INPUTS_OF = {
    "audit": 8,
    "payload": 200,
    "consequences": 24,
    **{parser.name: 20 for parser in stored_files.PARSERS},
}
"""Exceptions: parsers that write files are slow, and payloads have many forms."""

Change = Callable[[Random, bytearray, bytes], None]


@cache
def honest(name: str) -> tuple[bytes, ...]:
    return tuple(PARSERS[name].examples())


@pytest.mark.parametrize("name", NAMES)
def test_honest_bytes_are_taken(name: str) -> None:
    assert any(PARSERS[name].takes(example) for example in honest(name))


def test_points_off_the_curve_are_borne_in_every_pass() -> None:
    """Their effects are detected only when a seat is lost later."""
    for example in honest("consequences")[:24]:
        assert PARSERS["consequences"].takes(example)


@pytest.mark.parametrize("name", NAMES)
def test_whatever_was_found_once_is_borne(name: str) -> None:
    for data in kept(name):
        PARSERS[name].takes(data)


def test_nothing_is_kept_of_a_parser_that_there_is_not() -> None:
    folders = {folder.name for folder in CORPUS.iterdir() if folder.is_dir()}
    assert folders <= set(PARSERS)


def flip(random: Random, data: bytearray, _other: bytes) -> None:
    place = random.randrange(len(data))
    data[place] ^= 1 << random.randrange(8)


def put(random: Random, data: bytearray, _other: bytes) -> None:
    place = random.randrange(len(data))
    data[place] = random.choice((0, 1, 0x7F, 0x80, 0x90, 0xC0, 0xC4, 0xDB, 0xDF, 0xFF))


def cut(random: Random, data: bytearray, _other: bytes) -> None:
    del data[random.randrange(len(data)) :]


def drop(random: Random, data: bytearray, _other: bytes) -> None:
    place = random.randrange(len(data))
    del data[place : place + random.randrange(1, 9)]


def repeat(random: Random, data: bytearray, _other: bytes) -> None:
    place = random.randrange(len(data))
    data[place:place] = data[place : place + random.randrange(1, 33)]


def mix(random: Random, data: bytearray, other: bytes) -> None:
    place = random.randrange(len(data))
    start = random.randrange(len(other) + 1)
    data[place:place] = other[start : start + 64]


CHANGES: tuple[Change, ...] = (flip, put, cut, drop, repeat, mix)


@pytest.mark.parametrize("name", NAMES)
def test_changed_bytes_are_borne(name: str) -> None:
    random = Random(f"changed {name}")
    examples = honest(name) + tuple(kept(name))
    for _ in range(INPUTS_OF.get(name, USUAL_INPUTS)):
        data = bytearray(random.choice(examples))
        for _ in range(random.randrange(1, 4)):
            if data:
                random.choice(CHANGES)(random, data, random.choice(examples))
        PARSERS[name].takes(bytes(data))


@pytest.mark.parametrize("name", NAMES)
def test_any_bytes_are_borne(name: str) -> None:
    @settings(max_examples=INPUTS_OF.get(name, USUAL_INPUTS) // 2)
    @given(st.binary(max_size=300))
    def feed(data: bytes) -> None:
        PARSERS[name].takes(data)

    feed()
