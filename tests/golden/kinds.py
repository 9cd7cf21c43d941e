"""All kinds of golden outputs.

Those of the window need Qt. They are made and tested with the app's tests, which are skipped
without Qt; the other kinds can still be checked there.
"""

from __future__ import annotations

from importlib import import_module

from tests.golden.commands import COMMANDS
from tests.golden.console_cases import CONSOLE_CASES
from tests.golden.console_output import CONSOLE_OUTPUT
from tests.golden.formats import FORMATS
from tests.golden.games import GAMES, RULE_SETTINGS, SIMULATIONS
from tests.golden.in_words import IN_WORDS
from tests.golden.recording import Golden
from tests.golden.snapshots import SNAPSHOTS
from tests.golden.tables import TABLES
from tests.golden.worlds import WORLDS

KINDS: dict[str, Golden] = {
    golden.name: golden
    for golden in (
        *(GAMES, SIMULATIONS, RULE_SETTINGS, IN_WORDS),
        *(TABLES, WORLDS, FORMATS),
        *(COMMANDS, CONSOLE_CASES, CONSOLE_OUTPUT, SNAPSHOTS),
    )
}

OF_THE_WINDOW = ("tables_shown", "scenes_shown", "names_shown", "words_shown", "catalogue_shown")
"""The names of the kinds that need Qt."""


def kinds_of_the_window() -> dict[str, Golden]:
    """Return the kinds that need Qt; none where Qt is missing."""
    try:
        import_module("PySide6.QtQuick")
    except ImportError:
        return {}
    kinds: dict[str, Golden] = import_module("tests.app.golden_kinds").KINDS
    return kinds
