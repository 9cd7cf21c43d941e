"""Tests that only some systems can run, each with the reason that pytest prints."""

from __future__ import annotations

import stat
import sys
from pathlib import Path
from typing import Final

import pytest

if sys.platform == "win32":
    import ctypes

    WINE = hasattr(ctypes.windll.ntdll, "wine_get_version")
else:
    WINE = False
"""Whether this is Windows as Wine imitates it."""


def not_on_windows(reason: str) -> pytest.MarkDecorator:
    """Mark a test that Windows cannot run."""
    return pytest.mark.skipif(sys.platform == "win32", reason=f"not on Windows: {reason}")


def not_under_wine(reason: str) -> pytest.MarkDecorator:
    """Mark a test that fails under Wine because of Wine. On Windows it runs."""
    return pytest.mark.skipif(WINE, reason=f"not under Wine: {reason}")


def skip_module_on_windows(reason: str) -> None:
    """Skip the whole test module that is being imported, on Windows."""
    if sys.platform == "win32":
        pytest.skip(f"not on Windows: {reason}", allow_module_level=True)


def is_private(path: Path) -> bool:
    """Whether its mode lets only the owner use a file or folder. Windows has no modes: True."""
    mode = path.stat().st_mode
    wanted = 0o700 if stat.S_ISDIR(mode) else 0o600
    return sys.platform == "win32" or stat.S_IMODE(mode) == wanted


no_links_under_wine = not_under_wine("it makes no symbolic links")
needs_signals = not_on_windows("one program cannot be asked to end")

LINK_OR_PIPE: Final = (
    pytest.param("link", marks=no_links_under_wine),
    pytest.param("pipe", marks=not_on_windows("it has no pipes among its files")),
)
"""Kinds of what stands in the place of a file, for parametrized tests."""
