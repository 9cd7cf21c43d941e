"""The page on the life of a move names only places that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "resources" / "docs" / "life-of-a-move.md").read_text(encoding="utf-8")
PLACE = re.compile(r"`([a-z_/]+\.py):(\w+)\.(\w+)`")
FILE = re.compile(r"`(resources/[\w/]+\.qml)`")


def faults(page: str) -> list[str]:
    """Return the places on a page that do not exist in the code."""
    missing = [path for path in FILE.findall(page) if not (ROOT / path).is_file()]
    for path, kind, method in PLACE.findall(page):
        file = ROOT / "lanuno" / path
        tree = ast.parse(file.read_text(encoding="utf-8")) if file.is_file() else ast.Module([], [])
        if not any(
            isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) and part.name == method
            for each in tree.body
            if isinstance(each, ast.ClassDef) and each.name == kind
            for part in each.body
        ):
            missing.append(f"{path}:{kind}.{method}")
    return missing


def test_every_place_on_the_page_exists() -> None:
    assert len(PLACE.findall(PAGE)) > 15
    assert faults(PAGE) == []


def test_a_place_that_is_gone_is_found() -> None:
    assert faults("`table/node.py:Node.step`, then `table/node.py:Node.gone`") == [
        "table/node.py:Node.gone"
    ]
    assert faults("`table/gone.py:Node.step`") == ["table/gone.py:Node.step"]
    assert faults("`resources/qml/Gone.qml`") == ["resources/qml/Gone.qml"]
