"""A changed copy of the project, and the commands that run in it.

This module copies the project, changes files at named anchors, adds texts, and runs programs of the
copy. The changes themselves are elsewhere.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from tests.harness.processes.programs import (
    FORBIDDEN_OUTPUT,
    RUN,
    WAIT_SECONDS,
    WARNINGS,
    Ended,
)

ROOT = Path(__file__).resolve().parents[3]
COPIED = ("lanuno", "resources", "packaging", "tests/harness")
"""The program, its languages with their compiler, and the harness with which tests drive it."""

LANGUAGES = ("en", "es")
"""The languages of the copy. The changes add texts in these, and none may lack a translation."""


class AnchorError(Exception):
    """The text to change is not in its file exactly once: the project differs from the anchors."""


class ChangedProject:
    """A copy of the project in a separate folder."""

    def __init__(self, folder: Path, *tests: str) -> None:
        """`tests`: the folders of tests whose modules run in the copy."""
        self.folder = folder
        for name in (*COPIED, *tests):
            shutil.copytree(
                ROOT / name,
                folder / name,
                ignore=shutil.ignore_patterns("__pycache__", "*.mo", "*.qm"),
            )
        for file in (folder / "resources" / "languages").glob("*.po"):
            if file.stem not in LANGUAGES:
                file.unlink()
        for name in ("pyproject.toml", "tests/__init__.py"):
            shutil.copyfile(ROOT / name, folder / name)

    # ---- changes ----------------------------------------------------------------------------

    def add(self, path: str, source: Path) -> None:
        """Add a file."""
        target = self.folder / path
        if target.exists():
            raise AnchorError(f"{path} exists already")
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, target)

    def replace(self, path: str, old: str, new: str) -> None:
        """Replace text that is in the file exactly once."""
        file = self.folder / path
        text = file.read_text(encoding="utf-8")
        if text.count(old) != 1:
            raise AnchorError(f"{path}: {text.count(old)} times: {old}")
        file.write_text(text.replace(old, new), encoding="utf-8")

    def insert_after(self, path: str, anchor: str, added: str) -> None:
        """Insert text after text that is in the file exactly once."""
        self.replace(path, anchor, anchor + added)

    def insert_before(self, path: str, anchor: str, added: str) -> None:
        """Insert text before text that is in the file exactly once."""
        self.replace(path, anchor, added + anchor)

    def add_texts(self, language: str, texts: Mapping[str, str]) -> None:
        """Add texts by id."""
        file = self.folder / "resources" / "languages" / f"{language}.po"
        before = file.read_text(encoding="utf-8")
        for name in texts:
            if f'msgid "{name}"\n' in before:
                raise AnchorError(f"{file.name} has {name} already")
        entries = [f'\nmsgid "{name}"\nmsgstr "{text}"\n' for name, text in texts.items()]
        file.write_text(before + "".join(entries), encoding="utf-8")

    def compile_languages(self) -> None:
        """Put the texts in order and compile them; all of them must be translated."""
        packaging = self.folder / "packaging"
        self.python(str(packaging / "catalogues.py"), "update")
        missing = self.python(str(packaging / "catalogues.py"), "missing")
        assert not missing.out, missing
        self.python(str(packaging / "compile_languages.py"))

    # ---- programs ---------------------------------------------------------------------------

    def python(self, *arguments: str, code: int = 0, warnings: str = WARNINGS) -> Ended:
        """Run Python in the copy, and nothing of the project that was copied."""
        # Commands that ran in this process set PYTHONSAFEPATH, which a person does not.
        own = {"PYTHONPATH": str(self.folder), "PYTHONSAFEPATH": "", "PYTHONWARNINGS": warnings}
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env={**os.environ, **own},
            capture_output=True,
            text=True,
            timeout=WAIT_SECONDS,
            check=False,
        )
        ended = Ended(done.returncode, done.stdout, done.stderr)
        assert ended.code == code, ended
        assert not any(word in ended.err for word in FORBIDDEN_OUTPUT), ended
        return ended

    def lanuno(self, *arguments: str, language: str = "en", code: int = 0) -> Ended:
        """Run a command of the copy."""
        home = ("--home", str(self.folder / "home"), "--lang", language)
        return self.python("-c", RUN, *arguments, *home, code=code)
