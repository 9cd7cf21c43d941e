"""The documents lead somewhere; the two READMEs are short and have the same parts."""

from __future__ import annotations

import re
import struct
from pathlib import Path

import pytest

from lanuno import __version__
from lanuno.net.discovery.beacon import BEACON_PORT
from lanuno.net.transport.listener import DEFAULT_PORT
from lanuno.rules.presets import PRESETS

ROOT = Path(__file__).resolve().parent.parent
ENGLISH = ROOT / "README.md"
SPANISH = ROOT / "resources" / "docs" / "README.es.md"
DOCUMENTS = sorted(
    {*ROOT.glob("*.md"), *(ROOT / "resources").rglob("*.md"), *(ROOT / ".github").rglob("*.md")}
)
BOTH = pytest.mark.parametrize("page", [ENGLISH, SPANISH], ids=lambda page: page.name)


def outline(page: Path) -> list[str]:
    """Return the parts that a translation keeps: headings, commands, pictures, lists and tables."""
    text = page.read_text(encoding="utf-8")
    found = []
    for line in text.splitlines():
        kind = re.match(r"#+ |- |\d\. |\|", line)
        found += [kind[0]] if kind else []
        found += [
            f"image {name}" for name in re.findall(r"!\[.*?\]\([./a-z]*/([a-z-]+\.png)\)", line)
        ]
        if line.startswith("packaging/"):
            found.append(line.partition("#")[0].strip())
    return found


def test_the_translation_has_the_same_parts() -> None:
    assert outline(SPANISH) == outline(ENGLISH)
    assert len(outline(ENGLISH)) > 50


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page."""
    heads = re.findall(r"^#+ (.+)", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8")):
        if not link.startswith("https:"):
            name, _, anchor = link.partition("#")
            target = page.parent / name if name else page
            assert target.exists(), link
            assert not anchor or anchor in anchors(target), link


@pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: str(page.relative_to(ROOT)))
def test_paths_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:lanuno|packaging|resources|tests)/[\w./-]+)`", text)
    assert [path for path in named if "CODE" not in path and not (ROOT / path).exists()] == []


@BOTH
def test_numbers_are_those_of_the_program(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert f" {__version__}." in text
    assert f"| TCP {DEFAULT_PORT} |" in text
    assert f"| UDP {BEACON_PORT} |" in text
    assert len(PRESETS) == 11  # written out in words


@pytest.mark.parametrize(("name", "words"), [("README.md", 1200), ("CONTRIBUTING.md", 2500)])
def test_it_is_short(name: str, words: int) -> None:
    assert len((ROOT / name).read_text(encoding="utf-8").split()) <= words


def test_the_moving_picture_is_small_and_moves() -> None:
    """`python -m tests.app.pictures --moving` makes it."""
    data = (ROOT / "resources" / "pictures" / "round.png").read_bytes()
    assert len(data) < 1_000_000
    at = data.index(b"acTL")
    frames, plays = struct.unpack_from(">II", data, at + 4)
    assert (frames > 10, plays) == (True, 0)
    assert data.count(b"fcTL") == frames
