"""The main module of the programs that `demo` starts: a command that ends when its parent does.

Standard input is a pipe to which nobody writes and whose other end only the parent holds. It closes
however the parent ends. Nothing else about the command is different.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main

LEAVE_SECONDS = 10.0
"""How long leaving the table may take once the parent is gone."""


def _watch() -> None:
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(LEAVE_SECONDS)
    os._exit(ExitCode.INTERRUPTED)


if __name__ == "__main__":
    threading.Thread(target=_watch, daemon=True).start()
    sys.exit(main())
