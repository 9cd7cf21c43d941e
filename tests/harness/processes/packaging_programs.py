"""The location of packaging/, which is a folder of programs and not a package."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGING = ROOT / "packaging"
