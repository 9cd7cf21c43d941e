"""The rules to read: every preset and every house rule in words, and how each rule is checked.

`lanuno.rules.rulebook.rulebook` says which rules apply; the sentences are in resources/languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache
from operator import attrgetter

from PySide6.QtCore import Property, QObject, Signal

from lanuno.app.controllers.navigator import Navigator
from lanuno.app.models.rows import Rows
from lanuno.app.models.rule_rows import Mark, PresetRow, RuleSection
from lanuno.app.rule_texts import rule_texts
from lanuno.app.texts import sentence, translate
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy, Rule
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.rulebook.scope import Section

HOUSE = "house"
"""The id of the entry for all house rules in the list of presets."""


class RulesController(QObject):
    """The rules, for QML.

    presets: Rows(id, name, summary); preset (rw): id of the selected preset; "house": all house
      rules; title, summary: str of the selected preset
    sections: Rows(id, title, paragraphs [{text, checked, checkedText}]) - the rules that match
    marks: Rows(id, name, meaning) - what "live", "audit", "agreement" and "note" mean
    search (rw): words that a rule must contain; found: int - rules that are shown
    """

    changed = Signal()
    searchChanged = Signal()

    def __init__(self, navigator: Navigator) -> None:
        """Make no texts before QML reads the first one."""
        super().__init__(navigator)
        self._preset = "classic"
        self._search = ""
        self._found = 0
        self._presets = Rows(PresetRow, "id", self)
        self._sections = Rows(RuleSection, "id", self)
        self._marks = Rows(Mark, "id", self)
        self._shown = False
        navigator.retranslated.connect(self._retranslate)

    # ---- words ------------------------------------------------------------------------------

    def _retranslate(self) -> None:
        if self._shown:
            self._show_lists()
            self._show()

    def _look(self) -> None:
        """Make the texts when QML reads the first one."""
        if not self._shown:
            self._shown = True
            self._show_lists()
            self._fill()  # without `changed`: nothing has been read that would differ now

    def _show_lists(self) -> None:
        texts = rule_texts()
        house = translate("Rules", "House rules")
        more = translate(
            "Rules",
            "Extra rules that a table can agree on. The host adds them when opening the table.",
        )
        self._presets.show(
            [
                *(PresetRow(name, *texts.preset(rules)) for name, rules in PRESETS.items()),
                PresetRow(HOUSE, house, more),
            ]
        )
        self._marks.show(
            [
                Mark(each.name.lower(), sentence(name), meaning)
                for each in CheckedBy
                for name, meaning in (texts.checked(each),)
            ]
        )

    def _show(self) -> None:
        self._fill()
        self.changed.emit()

    def _fill(self) -> None:
        texts = rule_texts()
        words = re.findall(r"\w+", folded(self._search))
        shown, found = [], 0
        for section in _sections(self._preset):
            title = texts.section(section.id)
            lines = [(rule, texts.sentence(rule)) for rule in section.rules]
            kept = [each for each in lines if _has(words, f"{title} {each[1]}")]
            if kept:
                found += len(kept)
                shown.append(RuleSection(section.id, title, _paragraphs(kept)))
        self._found = found
        self._sections.show(shown)

    # ---- for QML ----------------------------------------------------------------------------

    def _set_preset(self, preset: str) -> None:
        if preset != self._preset and (preset == HOUSE or preset in PRESETS):
            self._look()
            self._preset = preset
            self._show()

    def _set_search(self, search: str) -> None:
        if search != self._search:
            self._look()
            self._search = search
            self._show()
            self.searchChanged.emit()

    def _get_row(self) -> PresetRow:
        self._look()
        return next(row for row in self._presets.rows if row.id == self._preset)

    def _get_title(self) -> str:
        return self._get_row().name

    def _get_summary(self) -> str:
        return self._get_row().summary

    def _get_found(self) -> int:
        self._look()
        return self._found

    def _get_presets(self) -> QObject:
        self._look()
        return self._presets

    def _get_sections(self) -> QObject:
        self._look()
        return self._sections

    def _get_marks(self) -> QObject:
        self._look()
        return self._marks

    preset = Property(str, attrgetter("_preset"), _set_preset, notify=changed)
    title = Property(str, _get_title, notify=changed)
    summary = Property(str, _get_summary, notify=changed)
    found = Property(int, _get_found, notify=changed)
    search = Property(str, attrgetter("_search"), _set_search, notify=searchChanged)
    presets = Property(QObject, _get_presets, constant=True)
    sections = Property(QObject, _get_sections, constant=True)
    marks = Property(QObject, _get_marks, constant=True)


@cache
def _sections(preset: str) -> tuple[Section, ...]:
    if preset == HOUSE:
        return (Section(HOUSE, tuple(rule.sentence for rule in HOUSE_RULES.values())),)
    return rulebook(PRESETS[preset])


def _paragraphs(lines: Sequence[tuple[Rule, str]]) -> tuple[dict[str, str], ...]:
    texts = rule_texts()
    return tuple(
        {
            "text": text,
            "checked": rule.checked.name.lower(),
            "checkedText": sentence(texts.checked(rule.checked)[0]),
        }
        for rule, text in lines
    )


def _has(wanted: Sequence[str], text: str) -> bool:
    words = re.findall(r"\w+", folded(text))
    return all(any(word.startswith(each) for word in words) for each in wanted)


def folded(text: str) -> str:
    """Return text without capitals and accents, as people type it to search."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(each for each in apart if not unicodedata.combining(each))
