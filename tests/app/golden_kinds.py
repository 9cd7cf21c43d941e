"""The kinds of golden outputs that need Qt."""

from __future__ import annotations

from tests.app.golden_screens import NAMES, SCENES, TABLES
from tests.app.golden_wording import CATALOGUE, WORDS
from tests.golden.recording import Golden

KINDS: dict[str, Golden] = {
    golden.name: golden for golden in (TABLES, SCENES, NAMES, WORDS, CATALOGUE)
}
