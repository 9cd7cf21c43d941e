"""The rules and presets in plain words, in the current language."""

from __future__ import annotations

from lanuno.app.texts import current_language, isolated
from lanuno.client.rule_texts import RuleTexts
from lanuno.rules.presets import PRESETS


def rule_texts() -> RuleTexts:
    """Return the sentences of the current language."""
    return RuleTexts(current_language())


def preset_name(preset: str) -> str:
    """Return the name of a preset; its identifier, isolated, if this version does not know it."""
    if preset not in PRESETS:
        return isolated(preset)
    return rule_texts().preset(PRESETS[preset])[0]


def preset_summary(preset: str) -> str:
    """Return one line about a preset, or "" if this version does not know it."""
    return rule_texts().preset(PRESETS[preset])[1] if preset in PRESETS else ""
