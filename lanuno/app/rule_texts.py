"""The rules and presets in plain words, in the language that is spoken."""

from __future__ import annotations

from lanuno.app.texts import current_language, isolated
from lanuno.client.rule_texts import RuleTexts
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset


def rule_texts() -> RuleTexts:
    """The sentences of the language that is spoken now."""
    return RuleTexts(current_language())


def preset_name(preset: str) -> str:
    """What a preset is called; its identifier, isolated, if this version does not know it."""
    if preset not in PRESETS:
        return isolated(preset)
    return rule_texts().preset(PRESETS[preset])[0]


def preset_summary(preset: str) -> str:
    """One line about a preset."""
    return rule_texts().preset(PRESETS[preset])[1] if preset in PRESETS else ""


def is_changed(ruleset: Ruleset) -> bool:
    """Whether this is not just the preset that it says it is."""
    return ruleset != PRESETS.get(ruleset.preset)
