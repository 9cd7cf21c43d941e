"""Helpers for several tests of `lanuno verify`: changed logs, and running the command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.cli.main import main
from lanuno.log.format.entries import Entry, sign_entry
from tests.harness.log_table.log_table import LogTable, identity

FIELDS = [
    *("changed_settings", "house_rules"),
    *(
        "attestations",
        "blame",
        "clock",
        "clock_acts",
        "closed",
        "decided",
        "dropped",
        "entries",
        "expelled",
        "forfeited",
    ),
    *("noted", "players", "preset", "reason", "rounds", "scores", "table_id", "verdict"),
    "winner",
]


def changed(table: LogTable, number: int, **other: object) -> tuple[Entry, ...]:
    """Return the entries up to `number`, which the host signed with these changes."""
    core = replace(table.entries[number].read(), **other)
    return (*table.entries[:number], sign_entry(core, identity(0)))


def verify(*paths: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """Return the command's JSON for these files."""
    code = main(["verify", "--json", *map(str, paths)])
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert isinstance(found, dict)
    assert (found["exit"], found["command"]) == (code, "verify")
    assert err == ""
    return found
