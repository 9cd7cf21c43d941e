"""The rules of a table as one line and as JSON."""

from __future__ import annotations

import pytest

from lanuno.cli.rule_title import changed_fields, rules_line, rules_title
from lanuno.client.languages import Language
from lanuno.client.texts import Texts
from lanuno.rules.presets import EXPRESS
from lanuno.rules.ruleset import Ruleset, WildFour

FRIDAY = Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT)


@pytest.mark.parametrize(
    ("language", "house", "settings", "title"),
    [
        ("en", 0, 0, "classic"),
        ("en", 1, 0, "classic + 1 house rule"),
        ("en", 6, 0, "classic + 6 house rules"),
        ("en", 0, 1, "classic + 1 changed setting"),
        ("en", 2, 2, "classic + 2 house rules, 2 changed settings"),
        ("es", 1, 2, "classic + 1 regla de la casa, 2 ajustes cambiados"),
        ("es", 2, 1, "classic + 2 reglas de la casa, 1 ajuste cambiado"),
    ],
)
def test_what_is_changed_is_counted(
    language: Language, house: int, settings: int, title: str
) -> None:
    assert rules_title(Texts(language), "classic", house, settings) == title


def test_what_is_changed_is_named() -> None:
    text = Texts("en")
    assert rules_line(text, EXPRESS) == "express"
    assert rules_line(text, FRIDAY) == (
        "classic + 1 house rule, 2 changed settings (jump_in=on, target=300, wild_four=strict)"
    )
    assert changed_fields(FRIDAY) == {
        "house_rules": ["jump_in"],
        "changed_settings": {"target": 300, "wild_four": "strict"},
    }
