"""Detect the active firewalls of this system, as far as a user without root can see.

Rule: only read files and names; change nothing and run nothing. Only common desktop firewalls are
detected. What a router does is invisible from here.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from enum import Enum
from pathlib import Path
from typing import Final


class Firewall(Enum):
    """A firewall that may block the game."""

    UFW = "ufw"
    FIREWALLD = "firewalld"
    WINDOWS = "windows"
    """Windows asks when a program first listens. After a refusal, its settings must allow it."""

    MACOS = "macos"
    """macOS asks before a program may use the local network."""


_ENABLED: Final = re.compile(r"^\s*ENABLED\s*=\s*[\"']?yes\b", re.MULTILINE | re.IGNORECASE)


def active(root: Path = Path("/"), platform: str = sys.platform) -> tuple[Firewall, ...]:
    """Return the firewalls that are active, or that every system of this platform has."""
    if platform == "win32":
        return (Firewall.WINDOWS,)
    if platform == "darwin":
        return (Firewall.MACOS,)
    checks = ((Firewall.UFW, _ufw(root)), (Firewall.FIREWALLD, _firewalld(root)))
    return tuple(firewall for firewall, is_active in checks if is_active)


def _ufw(root: Path) -> bool:
    with suppress(OSError, UnicodeDecodeError):
        text = (root / "etc/ufw/ufw.conf").read_text("utf-8")
        return _ENABLED.search(text) is not None
    return False


def _firewalld(root: Path) -> bool:
    with suppress(OSError):
        return (root / "run/firewalld.pid").is_file() or (root / "run/firewalld").is_dir()
    return False
