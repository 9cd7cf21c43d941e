"""`--rules NAME`: rules that the player has saved under a name, in the window or by hand."""

from __future__ import annotations

import argparse

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from lanuno.cli.rule_title import changed_pairs, option_value
from lanuno.rules.ruleset import Ruleset
from lanuno.store.paths import Home
from lanuno.store.rule_sets import find_rule_set, load_rule_sets


def use_saved(args: argparse.Namespace) -> None:
    """Replace `--rules` by its preset and settings, with every `--set` applied after them.

    Raises `Failure` (USAGE), and `StoreError` if the file of saved rules cannot be read.
    """
    if args.saved is None:
        return
    if args.preset is not None:
        raise Failure(ExitCode.USAGE, "error.rules_and_preset")
    apply_rule_set(args, saved_rules(args.home, args.saved))


def apply_rule_set(args: argparse.Namespace, ruleset: Ruleset) -> None:
    """Set `args` as if the rules had been written out. Values of `--set` take precedence."""
    saved = dict(changed_pairs(ruleset))
    if "target" in dict(args.settings):
        # A `target` in `--set` is for any number of players, whatever was saved for two.
        saved.pop("target_two", None)
    elif "target" in saved:
        # A `target` alone would also set the points for two players, which the rules may not do.
        saved["target_two"] = option_value(ruleset.target_two)
    args.preset = ruleset.preset
    args.settings = [*saved.items(), *args.settings]


def saved_rules(home: Home, name: str) -> Ruleset:
    """Return the saved rules of this name. Raises `Failure` (USAGE), `StoreError`."""
    rule_sets = load_rule_sets(home)
    found = find_rule_set(rule_sets, name)
    if found is None:
        known = ", ".join(each.name for each in rule_sets) or "-"
        raise Failure(ExitCode.USAGE, "error.saved_rules", value=name, known=known)
    return found.ruleset
