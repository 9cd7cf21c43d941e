"""The program's own rotating log: what happened, for whoever has to find out why.

Readable by the owner only. No secrets go here: keys and seeds hide themselves when printed, and
tracebacks are written without the values of variables.
"""

from __future__ import annotations

import io
import logging
import os
from logging.handlers import RotatingFileHandler
from pathlib import Path

from lanuno.store.durable import PRIVATE_FILE, make_private_folder
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home

_LARGEST = 1024 * 1024
_OLD_FILES = 3
_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"


class _PrivateRotatingFile(RotatingFileHandler):
    """Rotates like its base, but nobody else may read what it writes."""

    def _open(self) -> io.TextIOWrapper:
        file = os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE)
        return io.TextIOWrapper(
            io.FileIO(file, "ab", closefd=True), encoding="utf-8", write_through=True
        )

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the base's name
        """Stay silent: a full disk must not put a traceback in front of a person."""


def open_log(home: Home) -> logging.Handler:
    """A handler that writes to these folders' log; the caller adds it and closes it.

    Raises `StoreError` or OSError if nothing can be written there.
    """
    make_private_folder(home.state)
    handler = _PrivateRotatingFile(home.log, maxBytes=_LARGEST, backupCount=_OLD_FILES)
    handler.setFormatter(logging.Formatter(_FORMAT))
    return handler


def write_crash(home: Home, error: BaseException) -> Path | None:
    """Write the traceback of an unexpected error to the log.

    Returns the file; None if it cannot be written, which must not hide the error itself.
    """
    try:
        handler = open_log(home)
    except (StoreError, OSError):
        return None
    try:
        record = logging.LogRecord(
            "lanuno",
            logging.CRITICAL,
            __file__,
            0,
            "unexpected error",
            None,
            (type(error), error, error.__traceback__),
        )
        handler.handle(record)
    finally:
        handler.close()
    return home.log
