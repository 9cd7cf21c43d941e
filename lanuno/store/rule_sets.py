"""Rules that a person has saved under names of their own, in a JSON file that they may edit.

A set keeps its preset and what differs from it. One that only another version understands is passed
over and stays in the file. A file that cannot be understood is an error that names it
(`load_rule_sets`), or is moved aside whole while what is right of it goes on (`open_rule_sets`); it
is never overwritten. The names stay on this computer: what goes out is the ruleset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from lanuno.log.format.genesis import clean_name, is_possible, look_alike
from lanuno.rules.changes import PLAYED
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import PRESET_LENGTH, Ruleset
from lanuno.rules.settings import SETTINGS
from lanuno.store.durable import make_private_folder, read_bounded, set_aside, write_private
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home

VERSION = 1
"""Of the file; one of a later version is not understood."""

MOST_RULE_SETS: Final = 50
LONGEST_RULES_NAME: Final = 32
LONGEST_RULES_NAME_BYTES: Final = 128
_LARGEST = 256 * 1024


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Rules under a name."""

    name: str
    ruleset: Ruleset


class _StoredRuleSet(Struct, frozen=True):
    """One of them in the file."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_RULES_NAME)]
    preset: Annotated[str, Meta(max_length=PRESET_LENGTH)]
    settings: Annotated[
        dict[Annotated[str, Meta(max_length=64)], bool | int | Annotated[str, Meta(max_length=64)]],
        Meta(max_length=100),
    ] = {}
    """What differs from the preset, by setting; a choice by its name."""


class _File(Struct, frozen=True):
    version: int
    rule_sets: Annotated[tuple[_StoredRuleSet, ...], Meta(max_length=MOST_RULE_SETS)]


class _Loose(Struct, frozen=True):
    rule_sets: tuple[msgspec.Raw, ...]


class _Version(Struct, frozen=True):
    version: int


# Made on import: threads that make it together crash (see `prepare` in lanuno/log/format/codec.py).
_decoder = msgspec.json.Decoder(_File)
_stored_decoder = msgspec.json.Decoder(_StoredRuleSet)
_loose_decoder = msgspec.json.Decoder(_Loose)
_version_decoder = msgspec.json.Decoder(_Version)


def rules_name(text: str) -> str | None:
    """A name as it may be used, or None: as names of tables, and not that of a preset."""
    name = clean_name(text, LONGEST_RULES_NAME, LONGEST_RULES_NAME_BYTES)
    return None if name is None or any(look_alike(name, each) for each in PRESETS) else name


def find_rule_set(rule_sets: Sequence[RuleSet], name: str) -> RuleSet | None:
    """The set of this name, or of one that looks the same."""
    clean = clean_name(name, LONGEST_RULES_NAME, LONGEST_RULES_NAME_BYTES)
    if clean is None:
        return None
    return next((each for each in rule_sets if look_alike(each.name, clean)), None)


def with_rule_set(rule_sets: Sequence[RuleSet], new: RuleSet) -> tuple[RuleSet, ...]:
    """These and a new one, in place of one that has the same name.

    Raises ValueError if there are too many, if the name cannot be used, or without its preset.
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
    """The saved rules in their order; none if there is no file.

    Raises `StoreError`: DAMAGED, FOREIGN if only a newer program can read it, TOO_LARGE,
    NOT_READABLE.
    """
    return _understood(_load(home))


def open_rule_sets(home: Home) -> tuple[tuple[RuleSet, ...], StoreError | None]:
    """The saved rules as far as they can be understood, and the error to show if not all can.

    A file with something wrong in it is kept under another name (`rule_sets.json.aside0`), and a
    new one holds the sets that were right.
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
    """Write these, and with them the sets that only another version understands.

    Raises `StoreError`: BAD_NAME if one of those has the name of one of these, FOREIGN if there is
    no room beside them. A file that cannot be understood is not overwritten.
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
    data = read_bounded(home.rule_sets, _LARGEST)
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
    """The sets that can be understood, each by itself."""
    data = read_bounded(home.rule_sets, _LARGEST) or b""
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
    """Whether it has a name that can be used, and that none of those before it has."""
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
    """The rules; None if this version does not understand them."""
    usual = PRESETS.get(kept.preset)
    values: dict[str, Any] = {key: _value(key, value) for key, value in kept.settings.items()}
    if usual is None or None in values.values():
        return None
    rules = msgspec.structs.replace(usual, **values)
    return rules if is_possible(rules, rules.seats_min) else None


def _value(key: str, value: bool | int | str) -> int | None:
    """A value as the ruleset has it; None if it has no such setting or value."""
    kind: type = SETTINGS[key].kind if key in PLAYED else type(None)
    if issubclass(kind, IntEnum):
        return next((each for each in kind if each.name.lower() == value), None)
    return value if not isinstance(value, str) and type(value) is kind else None
