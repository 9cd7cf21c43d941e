"""The two voices of every command: lines for people, or exactly one JSON object for programs.

Results go to standard output. Progress, diagnostics and errors go to standard error in both modes.
No command prints in any other way.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import sys
from collections.abc import Callable
from typing import Final, TextIO

from lanuno.cli.exits import ExitCode
from lanuno.client.texts import Texts, plain
from lanuno.store.errors import StoreError

GONE: Final = frozenset({errno.EPIPE, errno.EIO})
"""How systems say that a reader has gone, or a terminal was closed."""


class Failure(Exception):
    """Raised by a command to end with one translated line and an exit code.

    For what may happen to anybody (no answer, no such table). A mistake of the program is any
    other exception.
    """

    def __init__(self, code: ExitCode, key: str, /, **values: object) -> None:
        """`key` is the id of a message, `values` what it needs."""
        super().__init__(key)
        self.code = code
        self.key = key
        self.values = values


class OutputLost(Exception):
    """What a command says cannot be written: its reader has gone, or the disk behind it is full."""

    def __init__(self, cause: OSError) -> None:
        """`cause` is what the operating system said."""
        super().__init__(str(cause))
        self.cause = cause


class CommandOutput:
    """What one run of a command says."""

    def __init__(
        self,
        texts: Texts,
        *,
        as_json: bool,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        """Speak in the language of `texts`; to the standard streams where none are given."""
        self.text = texts
        """`out.text("some.key", name=…)` is the message in the user's language."""
        self.as_json = as_json
        self._stdout: TextIO | None = stdout or sys.stdout
        self._stderr: TextIO | None = stderr or sys.stderr
        self._fields: dict[str, object] = {}
        self.when_lost: Callable[[], None] | None = None
        """What to do instead of raising `OutputLost` where a reader has gone."""

    def line(self, key: str, /, **values: object) -> None:
        """Tell a person a part of the result. Silent with --json."""
        self.show(self.text(key, **values))

    def show(self, text: str) -> None:
        """Tell a person text that is composed already (a table, a hand). Silent with --json."""
        if not self.as_json:
            self._write(self._stdout, text)

    def answer(self, text: str) -> None:
        """Show help or the version, in both modes."""
        self._write(self._stdout, text.rstrip("\n"))

    def result(self, **fields: object) -> None:
        """Add fields to the one JSON object; a field is set once. Silent without --json.

        Values are what JSON knows: str, int, float, bool, None, lists or tuples, dicts.
        """
        json.dumps(fields, allow_nan=False)  # what cannot be said has to fail here, not at the end
        for name, value in fields.items():
            if name in self._fields or name in ("exit", "error"):
                raise ValueError(f"the field {name} is set already")
            self._fields[name] = value

    def progress(self, key: str, /, **values: object) -> None:
        """Say on standard error, in both modes, what is going on."""
        self._write(self._stderr, self.text(key, **values))

    def error(self, key: str, /, **values: object) -> None:
        """Say on standard error, in both modes, what went wrong; with --json also as `error`."""
        self._error(key, self.text(key, **values))

    def usage_error(self, usage: str, message: str) -> None:
        """Say what is wrong with the command line, and how it is used."""
        if not self.as_json:
            self._write(self._stderr, usage.rstrip("\n"))
        self._error("usage", plain(message))

    def store_error(self, error: StoreError) -> None:
        """Say which of this computer's files is in the way, and how."""
        text = self.text.member(error.problem, path=error.path)
        detail = f" ({plain(error.detail)})" if error.detail else ""
        self._error(f"store.{error.problem.name.lower()}", text + detail, path=str(error.path))

    def finish(self, code: ExitCode) -> None:
        """With --json: print the object, complete with its exit code. Called once, by main."""
        if self.as_json:
            # ASCII, so that it is the same whatever the encoding of the output is.
            text = json.dumps(self._fields | {"exit": int(code)}, allow_nan=False)
            self._write(self._stdout, text)

    def _error(self, name: str, text: str, **more: str) -> None:
        # The first is the cause.
        self._fields.setdefault("error", {"id": name, "text": text, **more})
        self._write(self._stderr, f"lanuno: {text}")

    def _write(self, stream: TextIO | None, text: str) -> None:
        if stream is None:  # the parent has closed it: nobody reads it
            return
        try:
            stream.write(text + "\n")
            stream.flush()
        except OSError as error:
            _abandon(stream)
            if error.errno not in GONE or self.when_lost is None:
                raise OutputLost(error) from error
            self.when_lost()


def _abandon(stream: TextIO) -> None:
    """Whatever is still said there is said to nobody: what leaves politely goes on doing so.

    Nor does what is still buffered fail once more, and visibly, when Python ends.
    """
    with contextlib.suppress(OSError, ValueError):
        nobody = os.open(os.devnull, os.O_WRONLY)
        try:
            os.dup2(nobody, stream.fileno())
        finally:
            os.close(nobody)
