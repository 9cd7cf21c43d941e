"""The settings of a ruleset that are left to the audit."""

from __future__ import annotations

from lanuno.rules.rule import WhenChecked
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS


def checked_at_audit(ruleset: Ruleset) -> tuple[str, ...]:
    """Return the settings of this ruleset that only the audit can check, in wire order."""
    return tuple(
        [
            name
            for name, setting in SETTINGS.items()
            if setting.checked is WhenChecked.AUDIT and getattr(ruleset, name)
        ]
    )
