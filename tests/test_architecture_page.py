"""The pages on architecture and decisions name only files that exist, and link each other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "resources" / "docs"
PAGE = DOCS / "architecture.md"
DECISIONS = sorted((DOCS / "decisions").glob("*.md"))
PLACE = re.compile(r"`((?:lanuno|tests|packaging|resources)/[\w/.]+)`")
LINK = re.compile(r"\]\(([\w/.-]+)")
SECTIONS = ["## Context", "## Decision", "## Consequences"]


def missing(text: str, folder: Path) -> list[str]:
    """Return the files that a page names or links, and that do not exist."""
    named = [path for path in PLACE.findall(text) if not (ROOT / path).exists()]
    return named + [path for path in LINK.findall(text) if not (folder / path).is_file()]


def test_every_place_exists() -> None:
    for page in (PAGE, *DECISIONS):
        assert missing(page.read_text(encoding="utf-8"), page.parent) == [], page.name


def test_a_place_that_is_gone_is_found() -> None:
    assert missing("`lanuno/gone.py`, [gone](decisions/gone.md)", DOCS) == [
        "lanuno/gone.py",
        "decisions/gone.md",
    ]


def test_every_decision_is_linked_and_complete() -> None:
    linked = {path for path in LINK.findall(PAGE.read_text(encoding="utf-8")) if "/" in path}
    assert linked == {f"decisions/{page.name}" for page in DECISIONS}
    for page in DECISIONS:
        lines = page.read_text(encoding="utf-8").splitlines()
        assert [line for line in lines if line.startswith("## ")] == SECTIONS, page.name


def test_the_page_lists_every_package() -> None:
    text = PAGE.read_text(encoding="utf-8")
    packages = [path.parent.name for path in (ROOT / "lanuno").glob("*/__init__.py")]
    assert [name for name in packages if f"`lanuno/{name}`" not in text] == []
