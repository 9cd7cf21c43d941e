"""All golden outputs that are kept as texts."""

from __future__ import annotations

from tests.golden.commands import COMMANDS
from tests.golden.narrator import SCENES
from tests.golden.written import Written

WRITTEN: tuple[Written, ...] = (*COMMANDS, *SCENES)
