"""The page for script authors lists every exit code, command and notice."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from lanuno.cli.exits import ExitCode
from lanuno.cli.parser import COMMANDS

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "resources" / "docs" / "scripting.md").read_text(encoding="utf-8")
NOTICES = ROOT / "lanuno" / "client" / "notices.py"


def section(title: str) -> str:
    """Return the text from a heading to the next heading."""
    return re.split(r"^#+ ", PAGE.split(f"# {title}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0]


def first_cells(text: str) -> Iterator[str]:
    """Yield the first cell of every table row in a text."""
    for line in text.splitlines():
        if line.startswith("| ") and "---" not in line:
            yield line.split(" | ")[0].removeprefix("| ")


def test_it_lists_every_exit_code() -> None:
    numbers = [int(cell) for cell in first_cells(section("Exit codes")) if cell.isdigit()]
    assert numbers == [int(code) for code in ExitCode]


def test_it_lists_every_command() -> None:
    cells = " ".join(first_cells(section("Commands")))
    assert set(re.findall(r"`([a-z]+)", cells)) == set(COMMANDS)


def test_it_lists_every_notice() -> None:
    listed = re.findall(r"`(table\.[a-z_.]+)`", " ".join(first_cells(section("Notices"))))
    tree = ast.parse(NOTICES.read_text(encoding="utf-8"))
    strings = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    known = {each for each in strings if isinstance(each, str) and each.startswith("table.")}
    assert len(known) > 20
    assert sorted(listed) == sorted(known)
