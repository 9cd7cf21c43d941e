"""The table of threats is accurate: its tests exist, and its numbers match the code.

The table is only read as text. Whether its tests prove what it claims is not checked here.
"""

from __future__ import annotations

import ast
import importlib
import re
from functools import cache
from pathlib import Path

import pytest

from lanuno.log.faults import Check, Fault
from lanuno.net.transport.limits import Limits
from tests.cheats.faults import Role, chosen
from tests.harness.adversaries.host_attacks import ATTACKS as HOST_ATTACKS
from tests.harness.adversaries.invalid_peers import INVALID_PEERS
from tests.harness.adversaries.peer_attacks import ATTACKS as PEER_ATTACKS

ROOT = Path(__file__).resolve().parent.parent
TABLE = (ROOT / "resources" / "spec" / "threats.md").read_text(encoding="utf-8")
HEAD = ["threat", "promise", "mechanism", "test"]
TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)(?:\[([^\]]+)\])?`")
NUMBER = re.compile(r"`(lanuno(?:\.\w+)+) = ([^`]+)`")
FILE = re.compile(r"`((?:lanuno|tests|resources)/[\w/.]+)`")
CASES = {
    "test_a_cheating_seat_is_caught_and_nobody_else_blamed": [each.name for each in PEER_ATTACKS],
    "test_a_seat_that_disturbs_is_refused_or_dropped_and_nobody_is_blamed": [
        each.name for each in INVALID_PEERS
    ],
    "test_a_lying_host_is_seen_by_everybody_who_follows": [each.name for each in HOST_ATTACKS],
    "test_a_changed_player_is_refused_or_named_and_the_others_play_on": [
        each.name for each in chosen(Role.PLAYER).values()
    ],
    "test_a_changed_host_is_named_by_what_the_others_hold": [
        each.name for each in chosen(Role.HOST).values()
    ],
}
PROSE = "all of the above"
"""The mechanism named in the row on random attacks."""

UNPROMISED = (
    "collusion",
    "the room",
    "fake tables",
    "a host that stops",
    "traffic analysis",
    "timing",
    "secrets in memory",
    "side channels",
)


def rows(text: str) -> list[list[str]]:
    """Return the cells of every table row, without headers and separator lines."""
    lines = [line.strip() for line in text.splitlines()]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in lines
        if line.startswith("|")
    ]
    return [
        row for row in cells if row != HEAD and not all(set(cell) <= set("-: ") for cell in row)
    ]


def row_faults(row: list[str]) -> list[str]:
    """Return what a row lacks."""
    if len(row) != len(HEAD) or not all(row):
        return [f"not four cells: {row}"]
    _, _, mechanism, test = row
    faults = []
    if not FILE.search(mechanism) and mechanism != PROSE:
        faults.append(f"no file keeps the promise: {row[0]}")
    named = TEST.findall(test)
    if not named:
        faults.append(f"no test: {row[0]}")
    faults += [fault for each in named for fault in wrong_test(*each)]
    return faults


def wrong_test(path: str, name: str, case: str) -> list[str]:
    """Report a test or test case that does not exist where the table places it."""
    if not (ROOT / path).is_file():
        return [f"no such file: {path}"]
    if name not in functions(path):
        return [f"no such test: {path}::{name}"]
    if case and case not in CASES.get(name, []):
        return [f"no such case: {path}::{name}[{case}]"]
    return []


@cache
def functions(path: str) -> frozenset[str]:
    """Return the names of the functions in a file, without importing it."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    return frozenset(
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )


def number_faults(text: str) -> list[str]:
    """Return the numbers in a text that differ from the code."""
    faults = []
    for name, said in NUMBER.findall(text):
        try:
            known = value(name)
        except AttributeError:
            faults.append(f"no such number: {name}")
            continue
        if known != ast.literal_eval(said):
            faults.append(f"{name} is {known}, not {said}")
    return faults


def value(name: str) -> object:
    """Return the object that a dotted name refers to."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for part in parts[length:]:
            found = getattr(found, part)
        return found
    raise AttributeError(name)


def test_every_row_is_whole_and_its_test_exists() -> None:
    found = rows(TABLE)
    assert len(found) > 80
    assert [fault for row in found for fault in row_faults(row)] == []


def test_no_threat_is_there_twice() -> None:
    threats = [row[0] for row in rows(TABLE)]
    assert len(threats) == len(set(threats))


def test_numbers_are_those_of_the_code() -> None:
    assert number_faults(TABLE) == []


def test_files_are_there() -> None:
    assert [path for path in FILE.findall(TABLE) if not (ROOT / path).is_file()] == []


def test_nothing_is_left_out() -> None:
    """Every limit on strangers, every fault and every check has a row."""
    numbers = {name.rpartition(".")[2] for name, _ in NUMBER.findall(TABLE)}
    assert set(Limits.__struct_fields__) <= numbers
    assert [each.value for each in Fault if f"`{each.value}`" not in TABLE] == []
    assert [each.value for each in Check if f"`{each.value}`" not in TABLE] == []
    last = TABLE.partition("## What is not promised")[2].lower()
    assert [each for each in UNPROMISED if each not in last] == []


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("| a | b | `lanuno/net/transport/channel.py` | |", "not four cells"),
        ("| a | b | `lanuno/net/transport/channel.py` |", "not four cells"),
        ("| a | b | somewhere | `tests/test_threats.py::rows` |", "no file"),
        ("| a | b | `lanuno/net/transport/channel.py` | one day |", "no test"),
        (
            "| a | b | `lanuno/net/transport/channel.py` | `tests/none.py::test_it` |",
            "no such file",
        ),
        (
            "| a | b | `lanuno/net/transport/channel.py` | `tests/test_threats.py::test_it` |",
            "no such test",
        ),
        (
            "| a | b | `lanuno/net/transport/channel.py` | `tests/test_threats.py::rows[x]` |",
            "no such case",
        ),
    ],
)
def test_a_wrong_row_is_seen(line: str, fault: str) -> None:
    (row,) = rows(line)
    assert [found.startswith(fault) for found in row_faults(row)] == [True]


def test_a_wrong_number_is_seen() -> None:
    assert number_faults("`lanuno.net.transport.limits.DEFAULT.half_open = 16`") == []
    assert len(number_faults("`lanuno.net.transport.limits.DEFAULT.half_open = 17`")) == 1
    assert len(number_faults("`lanuno.net.transport.limits.DEFAULT.none = 17`")) == 1
    assert len(number_faults("`nobody.none = 17` `lanuno.nobody.none = 17`")) == 1
