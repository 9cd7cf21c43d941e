"""The rules as sentences: the ids and numbers of a rulebook as text in one language.

The sentences are in resources/languages. In a sentence, `{name}` stands for a number, and
`{name:points}` for that number of points, in the form that `word.points` has for it. Not here:
which sentences apply (lanuno/rules/rulebook/rulebook.py), and printing.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any

from lanuno.client.languages import Language, catalogue, has_text
from lanuno.client.texts import Texts
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy, Rule
from lanuno.rules.rulebook.relevance import matters
from lanuno.rules.ruleset import Ruleset


class RuleTexts(string.Formatter):
    """The rules in one language."""

    def __init__(self, language: Language) -> None:
        """Load the texts of a language. Raises `StoreError` if the installation is broken."""
        self._language = language
        self._catalogue = catalogue(language)

    def sentence(self, rule: Rule) -> str:
        """Return a rule as a sentence."""
        return self._format(rule.id, rule.values)

    def section(self, name: str) -> str:
        """Return the title of a section."""
        return self._catalogue.gettext(f"section.{name}")

    def checked(self, checked: CheckedBy) -> tuple[str, str]:
        """Return how a rule is checked, as a word and as a sentence."""
        key = f"checked.{checked.name.lower()}"
        text = self._catalogue.gettext
        return text(f"{key}.name"), text(f"{key}.meaning")

    def preset(self, ruleset: Ruleset, rounds: int | None = None) -> tuple[str, str]:
        """Return a preset's name and a one-line summary with the numbers of this ruleset.

        `rounds`: after how many rounds the match ends in any case; a single one has no target.
        """
        values = {name: getattr(ruleset, name) for name in ruleset.__struct_fields__}
        values["goal"] = self._goal(ruleset)
        key = f"preset.{ruleset.preset}"
        form, changed = ruleset.format, ruleset.format is not PRESETS[ruleset.preset].format
        variant = f"{key}.{form.name.lower() if changed or rounds != 1 else 'one_round'}"
        name = self._format(f"{key}.name", values)
        if has_text(self._language, variant):
            return name, self._format(variant, values)
        if changed:
            return name, self._catalogue.gettext(f"aim.{form.name.lower()}")
        return name, self._format(f"{key}.summary", values)

    def _goal(self, ruleset: Ruleset) -> str:
        """Return the target points, for every number of players that these rules allow."""
        few, many = ruleset.target_two, ruleset.target
        two, more = (matters(name, ruleset) for name in ("target_two", "target"))
        if two and more and few != many:
            return self._format("goal.by_seats", {"two": few, "more": many})
        return self._counted("points", few if two and not more else many)

    def format_field(self, value: Any, format_spec: str) -> str:  # noqa: ANN401 - as in the base
        """Return a bare number, or with a word after the colon a count of that word."""
        if not format_spec:
            return str(value)
        if format_spec == "ms":
            return self._counted("seconds", value / 1000)
        return self._counted(format_spec, value)

    def _format(self, key: str, values: Mapping[str, Any]) -> str:
        return self.vformat(self._catalogue.gettext(key), (), values)

    def _counted(self, word: str, number: float) -> str:
        key = f"word.{word}"
        # Plural rules are defined for whole numbers. Fractions use the form for two.
        text = self._catalogue.ngettext(key, key, int(number) if number == int(number) else 2)
        sign = self._catalogue.gettext("language.decimal_sign")
        return text.replace("{number}", f"{number:g}".replace(".", sign))


def rules_as_json(rules: Sequence[Rule], texts: RuleTexts) -> list[dict[str, str]]:
    """Return rules as JSON: the id, the text and how each rule is checked."""
    return [
        {"id": rule.id, "text": texts.sentence(rule), "checked": rule.checked.name.lower()}
        for rule in rules
    ]


def title_with_changes(text: Texts, name: str, house: int, settings: int) -> str:
    """Return a title such as `Classic + 2 house rules, 1 changed setting`. `name`: the preset's."""
    parts = []
    if house:
        parts.append(text.count("rules.house_rules", house))
    if settings:
        parts.append(text.count("rules.changed_settings", settings))
    return f"{name} + {', '.join(parts)}" if parts else name
