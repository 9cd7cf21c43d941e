"""Reads the files of scenarios: one entry for each scenario, of any kind.

The other modules interpret the entries of each kind.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[3] / "rules" / "scenarios"
KINDS = ("settings", "dealer", "round", "match", "tournament")


@dataclass(frozen=True)
class Scenario:
    """One entry of a file."""

    file: str
    kind: str
    """One of `KINDS`."""
    title: str
    rule: str
    """The sentence of the rules that it covers, in this project's words."""
    steps: tuple[str, ...]
    given: dict[str, Any]
    """All other entries."""


def scenarios() -> list[Scenario]:
    """Return all scenarios of all files, in order."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        unknown = set(content) - set(KINDS)
        assert not unknown, f"unknown kinds in {path.name}: {sorted(unknown)}"
        for kind, entries in content.items():
            for each in entries:
                title, rule, steps = each.pop("title"), each.pop("rule"), each.pop("steps")
                found.append(Scenario(path.name, kind, title, rule, tuple(steps), each))
    return found
