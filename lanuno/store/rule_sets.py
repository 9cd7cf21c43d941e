"""Rules that the user has saved under their own names, in a JSON file that they may edit.

A rule set is stored as its preset and the differences from it. A set that only another version
understands is skipped and stays in the file. A file that cannot be understood is never overwritten:
`load_rule_sets` raises an error that names the file, and `open_rule_sets` moves the whole file
aside and continues with the valid sets. The names stay on this computer; only rulesets are sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from lanuno.log.format.genesis import is_possible
from lanuno.log.format.names import clean_name, look_alike
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import PRESET_LENGTH, Ruleset
from lanuno.rules.ruleset_changes import PLAYED
from lanuno.rules.settings import SETTINGS
from lanuno.store.durable import make_private_folder, read_text, set_aside, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

VERSION = 1
"""The version of the file; later versions are not understood."""

MOST_RULE_SETS: Final = 50
LONGEST_RULES_NAME: Final = 32
LONGEST_RULES_NAME_BYTES: Final = 128
_LARGEST = 256 * 1024


class RuleSet(Struct, frozen=True):
    """A ruleset with the name under which it was saved."""

    name: str
    ruleset: Ruleset


class _StoredRuleSet(Struct, frozen=True):
    """One rule set as it is stored in the file."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_RULES_NAME)]
    preset: Annotated[str, Meta(max_length=PRESET_LENGTH)]
    settings: Annotated[
        dict[Annotated[str, Meta(max_length=64)], bool | int | Annotated[str, Meta(max_length=64)]],
        Meta(max_length=100),
    ] = {}
    """The differences from the preset, by setting; an enum value is stored by its name."""


class _File(Struct, frozen=True):
    version: int
    rule_sets: Annotated[tuple[_StoredRuleSet, ...], Meta(max_length=MOST_RULE_SETS)]


class _Loose(Struct, frozen=True):
    rule_sets: tuple[msgspec.Raw, ...]


class _Version(Struct, frozen=True):
    version: int


# Created on import: concurrent creation crashes (see `prepare` in lanuno/log/format/codec.py).
_decoder = msgspec.json.Decoder(_File)
_stored_decoder = msgspec.json.Decoder(_StoredRuleSet)
_loose_decoder = msgspec.json.Decoder(_Loose)
_version_decoder = msgspec.json.Decoder(_Version)


def rules_name(text: str) -> str | None:
    """Return a name in its usable form, or None. It must not look like the name of a preset."""
    name = clean_name(text, LONGEST_RULES_NAME, LONGEST_RULES_NAME_BYTES)
    return None if name is None or any(look_alike(name, each) for each in PRESETS) else name


def find_rule_set(rule_sets: Sequence[RuleSet], name: str) -> RuleSet | None:
    """Return the set with this name, or with one that looks the same."""
    clean = clean_name(name, LONGEST_RULES_NAME, LONGEST_RULES_NAME_BYTES)
    if clean is None:
        return None
    return next((each for each in rule_sets if look_alike(each.name, clean)), None)


def with_rule_set(rule_sets: Sequence[RuleSet], new: RuleSet) -> tuple[RuleSet, ...]:
    """Return these sets with a new one, which replaces a set of the same name.

    Raise ValueError if there are too many, if the name cannot be used, or if the preset is unknown.
    """
    if rules_name(new.name) != new.name:
        raise ValueError(f"no name for rules: {new.name!r}")
    if new.ruleset.preset not in PRESETS:
        raise ValueError(f"no such preset: {new.ruleset.preset!r}")
    same = find_rule_set(rule_sets, new.name)
    changed = [new if each is same else each for each in rule_sets]
    if same is None:
        changed.append(new)
    if len(changed) > MOST_RULE_SETS:
        raise ValueError(f"more than {MOST_RULE_SETS} sets of rules")
    return tuple(changed)


def load_rule_sets(home: Home) -> tuple[RuleSet, ...]:
    """Return the saved rule sets in their order; empty if there is no file.

    Raise `StoreError`: DAMAGED, FOREIGN if only a newer program can read it, TOO_LARGE,
    NOT_READABLE.
    """
    return _understood(_load(home))


def open_rule_sets(home: Home) -> tuple[tuple[RuleSet, ...], StoreError | None]:
    """Return the rule sets that can be understood, and the error to show if some cannot.

    A file with a mistake in it is kept under another name (`rule_sets.json.aside0`), and a new file
    holds the valid sets.
    """
    try:
        return load_rule_sets(home), None
    except StoreError as error:
        if error.problem not in (FileProblem.DAMAGED, FileProblem.FOREIGN, FileProblem.TOO_LARGE):
            return (), error
        right = () if error.problem is FileProblem.TOO_LARGE else _readable_rule_sets(home)
        try:
            set_aside(home.rule_sets)
            save_rule_sets(home, right)
        except StoreError as worse:
            return right, worse
        return right, error


def save_rule_sets(home: Home, rule_sets: Sequence[RuleSet]) -> None:
    """Write these sets, together with those that only another version understands.

    Raise `StoreError`: BAD_NAME if a set of another version has the name of one of these, FOREIGN
    if there is no room for both. A file that cannot be understood is not overwritten.
    """
    foreign = [each for each in _load(home) if _ruleset(each) is None]
    for each in foreign:
        if find_rule_set(rule_sets, each.name) is not None:
            why = "a set of another version has this name"
            raise StoreError(FileProblem.BAD_NAME, home.rule_sets, why)
    together = (*(_stored(each) for each in rule_sets), *foreign)
    if len(together) > MOST_RULE_SETS:
        why = f"more than {MOST_RULE_SETS} sets, with those of another version"
        raise StoreError(FileProblem.FOREIGN, home.rule_sets, why)
    make_private_folder(home.rule_sets.parent)
    data = msgspec.json.format(msgspec.json.encode(_File(VERSION, together)), indent=2)
    write_private(home.rule_sets, data + b"\n")


def _load(home: Home) -> tuple[_StoredRuleSet, ...]:
    data = read_text(home.rule_sets, _LARGEST)
    if data is None:
        return ()
    try:
        version = _version_decoder.decode(data).version
        if version > VERSION:
            raise StoreError(FileProblem.FOREIGN, home.rule_sets, f"version {version}")
        kept = _decoder.decode(data).rule_sets
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise StoreError(FileProblem.DAMAGED, home.rule_sets, str(error)) from error
    for place, each in enumerate(kept):
        if not _is_named(each, kept[:place]):
            raise StoreError(FileProblem.DAMAGED, home.rule_sets, f"the name of set {place + 1}")
    return kept


def _readable_rule_sets(home: Home) -> tuple[RuleSet, ...]:
    """Return the sets that can be understood, each checked alone."""
    data = read_text(home.rule_sets, _LARGEST) or b""
    try:
        loose = _loose_decoder.decode(data).rule_sets[:MOST_RULE_SETS]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ()
    right: list[_StoredRuleSet] = []
    for raw in loose:
        try:
            kept = _stored_decoder.decode(raw)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue
        if _is_named(kept, right):
            right.append(kept)
    return _understood(right)


def _is_named(kept: _StoredRuleSet, before: Sequence[_StoredRuleSet]) -> bool:
    """Whether it has a usable name that none of the sets in `before` has."""
    taken = any(look_alike(each.name, kept.name) for each in before)
    return rules_name(kept.name) == kept.name and not taken


def _understood(kept: Sequence[_StoredRuleSet]) -> tuple[RuleSet, ...]:
    found = [(each.name, _ruleset(each)) for each in kept]
    return tuple(RuleSet(name, rules) for name, rules in found if rules is not None)


def _stored(each: RuleSet) -> _StoredRuleSet:
    usual = PRESETS[each.ruleset.preset]
    settings: dict[str, bool | int | str] = {}
    for key in PLAYED:
        value = getattr(each.ruleset, key)
        if value != getattr(usual, key):
            settings[key] = value.name.lower() if isinstance(value, IntEnum) else value
    return _StoredRuleSet(each.name, each.ruleset.preset, settings)


def _ruleset(kept: _StoredRuleSet) -> Ruleset | None:
    """Return the rules, or None if this version does not understand them."""
    usual = PRESETS.get(kept.preset)
    values: dict[str, Any] = {key: _value(key, value) for key, value in kept.settings.items()}
    if usual is None or None in values.values():
        return None
    rules = msgspec.structs.replace(usual, **values)
    return rules if is_possible(rules, rules.seats_min) else None


def _value(key: str, value: bool | int | str) -> int | None:
    """Return a value as the ruleset stores it, or None for an unknown setting or value."""
    kind: type = SETTINGS[key].kind if key in PLAYED else type(None)
    if issubclass(kind, IntEnum):
        return next((each for each in kind if each.name.lower() == value), None)
    return value if not isinstance(value, str) and type(value) is kind else None
