"""The main module of `demo`'s child programs: runs a command that ends when its parent does.

Standard input is a pipe that is never written to. Only the parent holds its other end, so the pipe
closes however the parent ends. In all other respects the command is an ordinary one.
"""

from __future__ import annotations

import os
import sys
import threading
import time

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.system import signals

CHILD_LEAVE_SECONDS = 10.0
"""Seconds that leaving the table may take once the parent is gone."""


def _watch() -> None:
    while os.read(0, 1):
        pass
    signals.request_end()
    # Meanwhile the main thread leaves the table and ends the program.
    time.sleep(CHILD_LEAVE_SECONDS)
    os._exit(ExitCode.INTERRUPTED)


if __name__ == "__main__":
    threading.Thread(target=_watch, daemon=True).start()
    sys.exit(main())
