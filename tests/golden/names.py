"""What renamed classes were called when the golden outputs were recorded.

A class that is renamed gets an entry here in the same commit; the recorded digests stay.
"""

from __future__ import annotations

RECORDED_NAMES: dict[tuple[str, str], str] = {}
"""By the module and name of a class today: its name at the time of the recording."""
