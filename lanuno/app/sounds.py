"""What is heard: short sounds for what happens at the table, where the extra for them is installed.

Never the only sign of anything. QtMultimedia comes with `lanuno[sound]`; without it, or without
a loudspeaker, everything here does nothing.
"""

from __future__ import annotations

from importlib.util import find_spec


def sound_is_here() -> bool:
    """Whether the extra is installed."""
    return find_spec("PySide6.QtMultimedia") is not None
