"""`lanuno rules`: what is played, by preset and by setting, and how each rule is checked."""

from __future__ import annotations

import argparse
import textwrap
from enum import IntEnum

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import MAX_SEATS, add_settings, whole
from lanuno.cli.output import Output
from lanuno.cli.rule_choice import choose_for_anybody, choose_rules
from lanuno.cli.rule_texts import RuleTexts, together
from lanuno.cli.texts import Texts
from lanuno.rules.house import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.relevance import matters
from lanuno.rules.rulebook import rulebook
from lanuno.rules.rulebook_match import house_rule
from lanuno.rules.rulebook_scope import Checked
from lanuno.rules.ruleset import Ruleset

WIDTH = 96
"""Columns of a line for people."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "preset",
        nargs="?",
        metavar=text("metavar.preset"),
        help=text("help.rules.which"),
    )
    add_settings(parser, text)
    parser.add_argument(
        "--seats",
        type=whole(text, 2, MAX_SEATS),
        metavar=text("metavar.number"),
        help=text("help.rules.seats"),
    )


def run(args: argparse.Namespace, out: Output) -> ExitCode:
    """Tell the rules that were asked for, or list what there is."""
    texts = RuleTexts(out.text.language)
    if args.preset is None and args.seats is None and not args.settings:
        _list_presets(out, texts)
    else:
        ruleset = (
            choose_for_anybody(args.preset, args.settings)
            if args.seats is None
            else choose_rules(args.preset, args.settings, args.seats)
        )
        _tell(out, texts, ruleset, args.seats)
    return ExitCode.OK


def _list_presets(out: Output, texts: RuleTexts) -> None:
    presets = []
    for name, ruleset in PRESETS.items():
        title, summary = texts.preset(ruleset)
        presets.append({"preset": name, "name": title, "summary": summary})
    house = [house_rule(name) for name in HOUSE_RULES]
    out.result(presets=presets, house_rules=together(house, texts))
    out.line("rules.presets")
    for each in presets:
        out.show(_item(f"{each['preset']}: {each['summary']}"))
    out.line("rules.house")
    for name, rule in zip(HOUSE_RULES, house, strict=True):
        out.show(_item(f"{name}: {texts.sentence(rule)} [{texts.checked(rule.checked)[0]}]"))
    out.line("rules.more")


def _tell(out: Output, texts: RuleTexts, ruleset: Ruleset, seats: int | None) -> None:
    sections = rulebook(ruleset, seats)
    out.result(
        preset=ruleset.preset,
        settings=settings_of(ruleset),
        sections=[
            {
                "id": section.id,
                "title": texts.section(section.id),
                "rules": together(section.rules, texts),
            }
            for section in sections
        ],
    )
    out.show(f"{texts.preset(ruleset)[0]} ({ruleset.preset})")
    changed = _changes(ruleset, seats)
    if changed:
        out.line("rules.changed", changes=", ".join(changed))
    for section in sections:
        out.show(f"\n{texts.section(section.id)}")
        for rule in section.rules:
            out.show(_item(f"{texts.sentence(rule)} [{texts.checked(rule.checked)[0]}]"))
    out.line("rules.legend")
    for checked in Checked:
        word, meaning = texts.checked(checked)
        out.show(_item(f"[{word}] {meaning}"))


def settings_of(ruleset: Ruleset) -> dict[str, int | str | bool]:
    """Every setting as `--set` takes it; without the preset's name."""
    values = {
        name: getattr(ruleset, name) for name in ruleset.__struct_fields__ if name != "preset"
    }
    return {
        name: value.name.lower() if isinstance(value, IntEnum) else value
        for name, value in values.items()
    }


def _changes(ruleset: Ruleset, seats: int | None) -> list[str]:
    """What differs from the preset and makes a difference, as it is written behind `--set`."""
    usual = settings_of(PRESETS[ruleset.preset])
    return [
        f"{name}={_written(value)}"
        for name, value in settings_of(ruleset).items()
        if value != usual[name] and matters(name, ruleset, seats)
    ]


def _written(value: int | str | bool) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _item(text: str) -> str:
    """One point of a list, broken into lines."""
    return textwrap.fill(
        text, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_long_words=False
    )
