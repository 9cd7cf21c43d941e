"""The language that the system has set."""

from __future__ import annotations

import sys

from lanuno.system.language import ui_languages


def test_windows_says_its_language() -> None:
    found = ui_languages()
    assert bool(found) == (sys.platform == "win32")
    assert all(name[:2].isalpha() for name in found)
