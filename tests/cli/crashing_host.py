"""A host that gets killed for good: `python -m tests.cli.crashing_host MOMENT host …`.

It runs the command line, and kills itself (SIGKILL) as soon as its table reaches this moment of
`host_crash.py`. Everything it has sent by then is on its way, and it sends nothing more.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from unittest.mock import patch

from lanuno.cli.main import main as command_line
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.table.outputs import RuntimeOutput
from tests.cli.host_crash import MOMENTS


def main(moment: str, *arguments: str) -> int:
    """Run the command line until the moment; return the exit code if it never comes."""
    when, honest = MOMENTS[moment], NodeRuntime._carry_out

    def carry_out(runtime: NodeRuntime, todo: Sequence[RuntimeOutput]) -> None:
        honest(runtime, todo)
        if when.is_now(runtime.node.replay):
            # Every end that Windows knows is as sudden as SIGKILL.
            os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

    with patch.object(NodeRuntime, "_carry_out", carry_out):
        return command_line(arguments)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
