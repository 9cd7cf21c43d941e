"""Tests of packaging/locked, which packaging/lock writes: it fits pyproject.toml and itself."""

from __future__ import annotations

import re
import tomllib
from typing import Final

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.harness.processes.packaging_programs import PACKAGING, ROOT

LOCKED: Final = PACKAGING / "locked"
EXTRAS: Final = ("checkout", "package", "program", "test")
"""The files; "program" has no extra, and is for Windows alone."""

PROJECT: Final = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def locked(extra: str) -> dict[str, Version]:
    """Return the version of each distribution; assert that its files have hashes."""
    entries = re.split(r"^(?=\w)", (LOCKED / f"{extra}.txt").read_text(), flags=re.MULTILINE)[1:]
    found: dict[str, Version] = {}
    for entry in entries:
        pinned, *hashes = entry.rstrip().split(" \\\n    ")
        requirement = Requirement(pinned)
        (specifier,) = requirement.specifier
        assert specifier.operator == "=="
        assert hashes, pinned
        assert all(re.fullmatch(r"--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
        found[canonicalize_name(requirement.name)] = Version(specifier.version)
    return found


def wanted(extra: str) -> list[Requirement]:
    """Return what pyproject.toml names for the program with an extra."""
    found = []
    for text in [*PROJECT["dependencies"], *PROJECT["optional-dependencies"].get(extra, ())]:
        requirement = Requirement(text)
        if requirement.name == PROJECT["name"]:
            found += [each for inner in requirement.extras for each in wanted(inner)]
        else:
            found.append(requirement)
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_lock_has_what_pyproject_names(extra: str) -> None:
    """Else run packaging/lock."""
    versions = locked(extra)
    unmet = [
        str(each)
        for each in wanted(extra)
        if versions.get(canonicalize_name(each.name), Version("0")) not in each.specifier
    ]
    assert unmet == []


def test_the_locks_agree() -> None:
    """So what runs is what was tested, and the tests need no second installation."""
    tested = locked("test")
    assert locked("checkout").items() <= tested.items()
    packaged = locked("package")
    assert locked("program").items() <= packaged.items()
    shared = packaged.keys() & tested.keys()
    assert {name: packaged[name] for name in shared} == {name: tested[name] for name in shared}
