"""The changed program: `lanuno` with one law broken, and nothing else.

It runs the command line with a liar in the driver. What that did it says on standard error: `LIED`
for each lie, `CUT` when a connection has ended, `REFUSED` for what the host did not take.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final
from unittest.mock import patch

from lanuno.cli.main import main as command_line
from lanuno.log.faults import Unreadable
from lanuno.net.errors import Goodbye
from lanuno.net.member_driver import MemberDriver
from lanuno.table.messages import BodyRefusal, at_table
from lanuno.table.outputs import Output, ToLink
from tests.cheats.liars import Liar

LIED: Final = "cheat: lied"
CUT: Final = "cheat: a connection has ended"
REFUSED: Final = "cheat: refused"


class Changed:
    """The laws of a driver, with a liar among them."""

    def __init__(self, liar: Liar) -> None:
        self._liar = liar
        self._told = 0
        self._begin, self._carry_out = MemberDriver.begin, MemberDriver._carry_out
        self._unlinked, self._hear = MemberDriver.unlinked, MemberDriver.hear

    def run(self, arguments: Sequence[str]) -> int:
        """The command line with it; the exit code."""

        def begin(driver: MemberDriver) -> None:
            self._liar.sit(driver)
            self._begin(driver)

        def carry_out(driver: MemberDriver, todo: list[Output]) -> None:
            self._carry_out(driver, [said for each in todo for said in self._says(driver, each)])
            while self._told < self._liar.fired:
                self._told += 1
                _say(LIED)

        def unlinked(driver: MemberDriver, link: int) -> None:
            if link in driver._lines:
                _say(CUT)
            self._unlinked(driver, link)

        def hear(driver: MemberDriver, link: int, data: bytes) -> Goodbye | None:
            with suppress(Unreadable):
                message = at_table(data)
                if isinstance(message, BodyRefusal):
                    _say(f"{REFUSED}: {message.refusal}")
            return self._hear(driver, link, data)

        with (
            patch.object(MemberDriver, "begin", begin),
            patch.object(MemberDriver, "_carry_out", carry_out),
            patch.object(MemberDriver, "unlinked", unlinked),
            patch.object(MemberDriver, "hear", hear),
        ):
            return command_line(arguments)

    def _says(self, driver: MemberDriver, output: Output) -> list[Output]:
        if not isinstance(output, ToLink):
            return [output]
        return [
            output if said is output.message else ToLink(output.link, said)
            for said in self._liar.says(driver, output.link, output.message)
        ]


def _say(what: str) -> None:
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()
