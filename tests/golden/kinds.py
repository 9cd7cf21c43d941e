"""All kinds of golden outputs."""

from __future__ import annotations

from tests.golden.formats import FORMATS
from tests.golden.games import GAMES, RULE_SETTINGS, SIMULATIONS
from tests.golden.recording import Golden
from tests.golden.tables import TABLES
from tests.golden.worlds import WORLDS

KINDS: dict[str, Golden] = {
    golden.name: golden for golden in (WORLDS, GAMES, SIMULATIONS, RULE_SETTINGS, TABLES, FORMATS)
}
