"""The glossary matches the code: one entry for each term, and every place it names exists.

Whether a definition is true is for readers to judge. These tests detect what goes out of date
unnoticed: a renamed class, or a new machine without an entry.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import pkgutil
import re
from collections import Counter
from enum import Enum
from pathlib import Path

import msgspec
import pytest

import lanuno.log
import lanuno.net.runtime
import lanuno.table

ROOT = Path(__file__).resolve().parent.parent
GLOSSARY = (ROOT / "resources" / "docs" / "glossary.md").read_text(encoding="utf-8")
MACHINES = (lanuno.log, lanuno.net.runtime, lanuno.table)
"""The packages whose machines a maintainer must be able to tell apart by name."""

Row = list[str]


def sections(text: str) -> dict[str, list[Row]]:
    """Return the rows of every section: a term with its other forms, its meaning, its places."""
    found: dict[str, list[Row]] = {}
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        lines = [line for line in body.splitlines() if line.startswith("|")]
        found[title] = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
    return found


def forms(row: Row) -> list[str]:
    """A term and its other forms, the term first."""
    return row[0].split(", ")


def faults(text: str) -> list[str]:
    """Return the faults in the form of a glossary."""
    every = [(title, row) for title, rows in sections(text).items() for row in rows]
    found = [f"not three cells: {row}" for _, row in every if len(row) != 3 or not all(row)]
    if found:
        return found
    terms = [form.lower() for _, row in every for form in forms(row)]
    found += [f"twice: {term}" for term in sorted(set(terms)) if terms.count(term) > 1]
    for title, rows in sections(text).items():
        order = [forms(row)[0].lower() for row in rows]
        if order != sorted(order):
            found.append(f"not in alphabetical order: {title}")
    for _, row in every:
        if not is_one_sentence(row[1]):
            found.append(f"not one sentence: {row[0]}")
        found += [f"no such place: {place}" for place in places(row) if not exists(place)]
        if not places(row):
            found.append(f"no place: {row[0]}")
    return found


def is_one_sentence(meaning: str) -> bool:
    """Whether a text begins with a capital and its only full stop is at the end."""
    return (
        meaning[0].isupper()
        and meaning.endswith(".")
        and not re.search(r"[.!?][\"')]* ", meaning[:-1])
    )


def places(row: Row) -> list[str]:
    """Return the names in backticks in the last cell."""
    return re.findall(r"`([^`]+)`", row[2])


def exists(place: str) -> bool:
    """Whether a path, module or class exists."""
    if not place.startswith("lanuno."):
        return (ROOT / place).exists()
    parent, _, name = place.rpartition(".")
    try:
        if name[0].isupper():
            return inspect.isclass(getattr(importlib.import_module(parent), name, None))
        importlib.import_module(place)
    except ModuleNotFoundError:
        return False
    return True


def machines() -> dict[str, type]:
    """Return the classes that keep state and act on it, by their dotted names.

    Values, enumerations, errors and protocols are what machines accept and return, so they do not
    count. A base class counts as a part of the class derived from it.
    """
    found: dict[str, type] = {}
    for package in MACHINES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for name, value in vars(importlib.import_module(module.name)).items():
                if inspect.isclass(value) and value.__module__ == module.name and name[0] != "_":
                    found[f"{module.name}.{name}"] = value
    return {name: value for name, value in found.items() if is_machine(value)}


def is_machine(value: type) -> bool:
    return not (
        dataclasses.is_dataclass(value)
        or issubclass(value, (Enum, BaseException, msgspec.Struct))
        or getattr(value, "_is_protocol", False)
        or any(each.__module__.startswith("lanuno.") for each in value.__subclasses__())
    )


def as_words(name: str) -> str:
    """Return `HandKeys` and `hand-key` as `hand key`, so that names and terms can be compared."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).replace("-", " ").lower()
    return words.removesuffix("s")


def test_the_glossary_is_in_order() -> None:
    found = sections(GLOSSARY)
    assert sum(map(len, found.values())) > 150
    assert faults(GLOSSARY) == []


def test_every_machine_has_an_entry_of_its_name() -> None:
    named = {
        (place, as_words(form))
        for rows in sections(GLOSSARY).values()
        for row in rows
        for place in places(row)
        for form in forms(row)
    }
    every = machines()
    assert len(every) > 40
    lacking = [name for name in every if (name, as_words(name.rpartition(".")[2])) not in named]
    assert lacking == []


def test_no_two_public_classes_have_one_name() -> None:
    names = Counter(
        node.name
        for path in sorted((ROOT / "lanuno").rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert len(names) > 500
    assert [name for name, count in names.items() if count > 1] == []


def test_places_that_the_text_points_at_are_there() -> None:
    paths = re.findall(r"`((?:lanuno|tests|resources)/[\w/.]+)`", GLOSSARY)
    links = re.findall(r"\]\(([^)]+)\)", GLOSSARY)
    assert all((ROOT / path).exists() for path in paths)
    assert all((ROOT / "resources" / "docs" / link).exists() for link in links)
    assert links


HEAD = "# Glossary\n\n## A\n\n| term | meaning | where |\n|---|---|---|\n"


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ("| b | It is. | `lanuno.log` |\n| a | It is. | `lanuno.log` |\n", "not in alphabetical"),
        ("| a | It is. | `lanuno.log` |\n| A | It is. | `lanuno.log` |\n", "twice: a"),
        ("| a | It is. | `lanuno.log` |\n| b, a | It is. | `lanuno.log` |\n", "twice: a"),
        ("| a | It is. It was. | `lanuno.log` |\n", "not one sentence"),
        ("| a | it is. | `lanuno.log` |\n", "not one sentence"),
        ("| a | It is | `lanuno.log` |\n", "not one sentence"),
        ("| a | It is. | somewhere |\n", "no place"),
        ("| a | It is. |\n", "not three cells"),
        ("| a | It is. | `lanuno.nobody` |\n", "no such place"),
        ("| a | It is. | `lanuno.nobody.Nobody` |\n", "no such place"),
        ("| a | It is. | `lanuno.log.faults.Nobody` |\n", "no such place"),
        ("| a | It is. | `lanuno/nobody.py` |\n", "no such place"),
    ],
)
def test_a_wrong_entry_is_seen(rows: str, fault: str) -> None:
    assert [found.startswith(fault) for found in faults(HEAD + rows)] == [True]


def test_a_right_entry_is_not() -> None:
    assert faults(HEAD + "| a, b | It is. | `lanuno.log`, `lanuno/log/faults.py` |\n") == []
