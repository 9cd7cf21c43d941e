"""The output of a command, captured in memory."""

from __future__ import annotations

import io
import json
from typing import Any

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput
from lanuno.client.languages import Language
from lanuno.client.texts import Texts


class _Stream(io.StringIO):
    """A stream that also writes into another one."""

    def __init__(self, both: io.StringIO) -> None:
        super().__init__()
        self._both = both

    def write(self, text: str) -> int:
        self._both.write(text)
        return super().write(text)


class CapturedOutput:
    """An output, and what was written to it."""

    def __init__(self, language: Language = "en", *, as_json: bool = False) -> None:
        self._both = io.StringIO()
        self._stdout, self._stderr = _Stream(self._both), _Stream(self._both)
        self.out = CommandOutput(
            Texts(language), as_json=as_json, stdout=self._stdout, stderr=self._stderr
        )

    @property
    def lines(self) -> list[str]:
        """The lines on standard output so far."""
        return self._stdout.getvalue().splitlines()

    @property
    def errors(self) -> list[str]:
        """The lines on standard error so far."""
        return self._stderr.getvalue().splitlines()

    @property
    def all_lines(self) -> list[str]:
        """The lines on both streams so far, in their order."""
        return self._both.getvalue().splitlines()

    def json(self, code: ExitCode = ExitCode.OK) -> dict[str, Any]:
        """Finish with this exit code, and return the one JSON object."""
        self.out.finish(code)
        (line,) = self.lines
        found = json.loads(line)
        assert isinstance(found, dict)
        return found
