"""The output of a command, captured in memory."""

from __future__ import annotations

import io
import json
from typing import Any

from lanuno.cli.exits import ExitCode
from lanuno.cli.output import CommandOutput
from lanuno.client.languages import Language
from lanuno.client.texts import Texts


class CapturedOutput:
    """An output, and what was written to it."""

    def __init__(self, language: Language = "en", *, as_json: bool = False) -> None:
        self._stdout, self._stderr = io.StringIO(), io.StringIO()
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

    def json(self, code: ExitCode = ExitCode.OK) -> dict[str, Any]:
        """Finish with this exit code, and return the one JSON object."""
        self.out.finish(code)
        (line,) = self.lines
        found = json.loads(line)
        assert isinstance(found, dict)
        return found
