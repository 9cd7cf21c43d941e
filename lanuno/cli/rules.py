"""`lanuno rules`: show the rules of a preset with settings, and how each rule is checked."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Sequence

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import add_number, add_settings
from lanuno.cli.output import CommandOutput
from lanuno.cli.rule_choice import apply_rule_set, choose_for_anybody, choose_rules
from lanuno.cli.rule_title import changed_pairs, plain_value, rules_line
from lanuno.client.rule_texts import RuleTexts, rules_as_json
from lanuno.client.texts import Texts, plain
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import PRESETS
from lanuno.rules.rule import CheckedBy
from lanuno.rules.rulebook.rulebook import rulebook
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.settings import SETTINGS
from lanuno.store.rule_sets import RuleSet, find_rule_set, load_rule_sets

WIDTH = 96
"""Line width in columns, for people."""


def add(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the arguments."""
    parser.add_argument(
        "preset",
        nargs="?",
        metavar=text("metavar.preset"),
        help=text("help.rules.which"),
    )
    add_settings(parser, text)
    add_number(parser, text, "--seats", "help.rules.seats", 2, MAX_SEATS)


def run(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Show the rules asked for, or list the presets."""
    texts = RuleTexts(out.text.language)
    if args.preset is not None and args.preset not in PRESETS:
        found = find_rule_set(load_rule_sets(args.home), args.preset)
        if found is not None:
            apply_rule_set(args, found.ruleset)
    if args.preset is None and args.seats is None and not args.settings:
        _list_presets(out, texts, load_rule_sets(args.home))
    else:
        ruleset = (
            choose_for_anybody(args.preset, args.settings)
            if args.seats is None
            else choose_rules(args.preset, args.settings, args.seats)
        )
        _show(out, texts, ruleset, args.seats)
    return ExitCode.OK


def _list_presets(out: CommandOutput, texts: RuleTexts, saved: Sequence[RuleSet]) -> None:
    presets = []
    for name, ruleset in PRESETS.items():
        title, summary = texts.preset(ruleset)
        presets.append({"preset": name, "name": title, "summary": summary})
    house = [rule.sentence for rule in HOUSE_RULES.values()]
    own = [
        {
            "name": each.name,
            "preset": each.ruleset.preset,
            "settings": dict(changed_pairs(each.ruleset)),
        }
        for each in saved
    ]
    out.result(presets=presets, house_rules=rules_as_json(house, texts), saved=own)
    out.line("rules.presets")
    for each in presets:
        out.show(_item(f"{each['preset']}: {each['summary']}"))
    if saved:
        out.line("rules.saved")
    for kept in saved:
        out.show(_item(f"{plain(kept.name)}: {rules_line(out.text, kept.ruleset)}"))
    out.line("rules.house")
    for name, rule in zip(HOUSE_RULES, house, strict=True):
        out.show(_item(f"{name}: {texts.sentence(rule)} [{texts.checked(rule.checked)[0]}]"))
    out.line("rules.more")


def _show(out: CommandOutput, texts: RuleTexts, ruleset: Ruleset, seats: int | None) -> None:
    sections = rulebook(ruleset, seats)
    out.result(
        preset=ruleset.preset,
        settings={name: plain_value(getattr(ruleset, name)) for name in SETTINGS},
        sections=[
            {
                "id": section.id,
                "title": texts.section(section.id),
                "rules": rules_as_json(section.rules, texts),
            }
            for section in sections
        ],
    )
    out.show(f"{texts.preset(ruleset)[0]} ({ruleset.preset})")
    changed = [f"{name}={value}" for name, value in changed_pairs(ruleset, seats)]
    if changed:
        out.line("rules.changed", changes=", ".join(changed))
    for section in sections:
        out.show(f"\n{texts.section(section.id)}")
        for rule in section.rules:
            out.show(_item(f"{texts.sentence(rule)} [{texts.checked(rule.checked)[0]}]"))
    out.line("rules.legend")
    for checked in CheckedBy:
        word, meaning = texts.checked(checked)
        out.show(_item(f"[{word}] {meaning}"))


def _item(text: str) -> str:
    """Return a list item, wrapped to `WIDTH`."""
    return textwrap.fill(
        text, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_long_words=False
    )
