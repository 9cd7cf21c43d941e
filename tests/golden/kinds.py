"""All kinds of golden outputs."""

from __future__ import annotations

from tests.golden.narration import NARRATION
from tests.golden.recording import Golden
from tests.golden.worlds import WORLDS

KINDS: dict[str, Golden] = {golden.name: golden for golden in (WORLDS, NARRATION)}
