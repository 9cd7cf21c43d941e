"""Tests that only some systems can run, each with the reason that pytest prints."""

from __future__ import annotations

import sys

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
