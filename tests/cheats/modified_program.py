"""The modified program: `lanuno` with one rule broken, and nothing else.

It runs the command line with a liar in the node runtime. On standard error it reports `LIED` for
each lie, `CUT` when a connection has ended, and `REFUSED` for each body that the host refused.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final
from unittest.mock import patch

from lanuno.cli.main import main as command_line
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.table.messages import AtTable, BodyRefusal
from lanuno.table.outputs import RuntimeOutput, Send
from tests.cheats.runtime_lies import Liar

LIED: Final = "cheat: lied"
CUT: Final = "cheat: a connection has ended"
REFUSED: Final = "cheat: refused"


class ModifiedProgram:
    """The command line with a liar patched into its node runtime."""

    def __init__(self, liar: Liar) -> None:
        self._liar = liar
        self._told = 0
        self._begin, self._carry_out = NodeRuntime.begin, NodeRuntime._carry_out
        self._unlinked, self._receive = NodeRuntime.unlinked, NodeRuntime.receive

    def run(self, arguments: Sequence[str]) -> int:
        """Run the command line with the liar in it; return the exit code."""

        def begin(runtime: NodeRuntime) -> None:
            self._liar.sit(runtime)
            self._begin(runtime)

        def carry_out(runtime: NodeRuntime, todo: Sequence[RuntimeOutput]) -> None:
            self._carry_out(runtime, [said for each in todo for said in self._says(runtime, each)])
            while self._told < self._liar.fired:
                self._told += 1
                _say(LIED)

        def unlinked(runtime: NodeRuntime, link: int) -> None:
            if link in runtime._connections:
                _say(CUT)
            self._unlinked(runtime, link)

        def receive(runtime: NodeRuntime, link: int, message: AtTable) -> None:
            if isinstance(message, BodyRefusal):
                _say(f"{REFUSED}: {message.refusal}")
            self._receive(runtime, link, message)

        with (
            patch.object(NodeRuntime, "begin", begin),
            patch.object(NodeRuntime, "_carry_out", carry_out),
            patch.object(NodeRuntime, "unlinked", unlinked),
            patch.object(NodeRuntime, "receive", receive),
        ):
            return command_line(arguments)

    def _says(self, runtime: NodeRuntime, output: RuntimeOutput) -> Sequence[RuntimeOutput]:
        if not isinstance(output, Send):
            return [output]
        return [
            output if said is output.message else Send(output.link, said)
            for said in self._liar.says(runtime, output.link, output.message)
        ]


def _say(what: str) -> None:
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()
