"""The output of every command: lines for people, or exactly one JSON object for programs.

Results go to standard output. Progress, diagnostics and errors go to standard error in both modes.
No command prints in any other way.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import TextIO

from lanuno.cli.exits import ExitCode
from lanuno.client.texts import Texts, plain
from lanuno.store.errors import StoreError
from lanuno.store.ownership import foreign_file
from lanuno.system import files


class Failure(Exception):
    """Raised by a command to end with one translated line and an exit code.

    Use it for what may happen to any user (no answer, no such table). Any other exception is a bug
    in the program.
    """

    def __init__(self, code: ExitCode, key: str, /, **values: object) -> None:
        """`key`: the id of a message. `values`: the values that the message needs."""
        super().__init__(key)
        self.code = code
        self.key = key
        self.values = values


class OutputLost(Exception):
    """Output cannot be written: its reader is gone, or its disk is full."""

    def __init__(self, cause: OSError) -> None:
        """`cause`: the error of the operating system."""
        super().__init__(str(cause))
        self.cause = cause


class CommandOutput:
    """The output of one run of a command."""

    def __init__(
        self,
        texts: Texts,
        *,
        as_json: bool,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        """Write in the language of `texts`, by default to the standard streams."""
        self.text = texts
        """`out.text("some.key", name=…)` returns the message in the user's language."""
        self.as_json = as_json
        self._stdout = stdout or sys.stdout
        self._stderr = stderr or sys.stderr
        self._fields: dict[str, object] = {}
        self.when_lost: Callable[[], None] | None = None
        """Called instead of raising `OutputLost` when a reader is gone."""

    def line(self, key: str, /, **values: object) -> None:
        """Print a message that is part of the result. Silent with --json."""
        self.show(self.text(key, **values))

    def show(self, text: str) -> None:
        """Print finished text (a table, a hand) that is part of the result. Silent with --json."""
        if not self.as_json:
            self._write(self._stdout, text)

    def answer(self, text: str) -> None:
        """Print help or the version, in both modes."""
        self._write(self._stdout, text.rstrip("\n"))

    def result(self, **fields: object) -> None:
        """Add fields to the JSON object. Each field is set at most once. Silent without --json.

        Values are JSON types: str, int, float, bool, None, lists or tuples, dicts.
        """
        json.dumps(fields, allow_nan=False)  # fail here, not at the end, if a value is not JSON
        for name, value in fields.items():
            if name in self._fields or name in ("exit", "error"):
                raise ValueError(f"the field {name} is set already")
            self._fields[name] = value

    def progress(self, key: str, /, **values: object) -> None:
        """Print a progress message on standard error, in both modes."""
        self._write(self._stderr, self.text(key, **values))

    def error(self, key: str, /, **values: object) -> None:
        """Print an error message on standard error, in both modes; with --json also as `error`."""
        self._error(key, self.text(key, **values))

    def usage_error(self, usage: str, message: str) -> None:
        """Print the usage, and what is wrong with the command line."""
        if not self.as_json:
            self._write(self._stderr, usage.rstrip("\n"))
        self._error("usage", plain(message))

    def store_error(self, error: StoreError) -> None:
        """Print which of this computer's files causes a problem, and why."""
        text = self.text.member(error.problem, path=error.path)
        detail = f" ({plain(error.detail)})" if error.detail else ""
        foreign = foreign_file(error)
        if foreign is not None:
            key = "store.owner" if foreign.command else "store.foreign_owner"
            text = self.text(key, path=foreign.path, owner=foreign.owner, command=foreign.command)
        self._error(f"store.{error.problem.name.lower()}", text + detail, path=str(error.path))

    def finish(self, code: ExitCode) -> None:
        """With --json: print the object, including the exit code. Called once, by main."""
        if self.as_json:
            # ASCII, so that the object does not depend on the encoding of the output.
            text = json.dumps(self._fields | {"exit": int(code)}, allow_nan=False)
            self._write(self._stdout, text)

    def _error(self, name: str, text: str, **more: str) -> None:
        # Keep the first error, which is the cause.
        self._fields.setdefault("error", {"id": name, "text": text, **more})
        self._write(self._stderr, f"lanuno: {text}")

    def _write(self, stream: TextIO, text: str) -> None:
        try:
            stream.write(text + "\n")
            stream.flush()
        except OSError as error:
            _abandon(stream)
            if error.errno not in files.READER_GONE or self.when_lost is None:
                raise OutputLost(error) from error
            self.when_lost()


def _abandon(stream: TextIO) -> None:
    """Redirect a lost stream to the null device, so that a command can finish leaving its table.

    It also keeps Python from failing visibly on its buffered text at exit.
    """
    with contextlib.suppress(OSError, ValueError):
        nobody = files.open_null()
        try:
            os.dup2(nobody, stream.fileno())
        finally:
            os.close(nobody)
