"""One window for each data folder: a second start hands its command to the first, and ends.

The lock says who is first, the local socket beside it takes commands. Both are the user's own; what
comes over the socket is a list of a few words, and nothing else is believed.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lanuno.store.paths import Home

LONGEST_PATH: Final = 80
"""Bytes of a socket's path; systems allow some 100, and Qt adds to it while it makes the file."""
MOST_WORDS: Final = 2
LONGEST_COMMAND: Final = 16 * 1024
PATIENCE: Final = 15.0
"""Seconds in which the first one has to answer; it may just be starting."""
TRY_AGAIN: Final = 0.1
WAIT_MS: Final = 1000


class Instance(QObject):
    """This start of the program. `claim` it, or `hand_over` what is wanted of the first.

    Whoever has claimed it answers others from `answer` on, once somebody hears `commanded`.
    """

    commanded = Signal(list)
    """Another start wants this: `[]` (only the window), `["join", link]`, `["open", file]`."""

    def __init__(self, home: Home, parent: QObject | None = None) -> None:
        """Nothing is claimed yet. The private folder must be there."""
        super().__init__(parent)
        self._lock = QLockFile(str(home.private / "window.lock"))
        # The lock of a program that still runs is never taken away from it.
        self._lock.setStaleLockTime(0)
        self._name = socket_name(home)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)

    def claim(self) -> bool:
        """Be the one window of this folder, if there is no other."""
        if not self._lock.tryLock(0):
            return False
        # What lies there is of a program that was killed.
        QLocalServer.removeServer(self._name)
        self._server.listen(self._name)
        return True

    def answer(self) -> None:
        """Take commands from now on. Whoever came before has waited: nothing is lost."""
        self._server.newConnection.connect(self._come_in)
        self._come_in()

    def hand_over(self, command: Sequence[str], patience: float = PATIENCE) -> bool:
        """Tell the window that is there already; whether it has heard."""
        until = time.monotonic() + patience
        while True:
            if self._tell(command, until - time.monotonic()):
                return True
            if time.monotonic() > until:
                return False
            time.sleep(TRY_AGAIN)

    def _tell(self, command: Sequence[str], patience: float) -> bool:
        line = QLocalSocket()
        line.connectToServer(self._name)
        if not line.waitForConnected(WAIT_MS):
            return False
        line.write(json.dumps(list(command)).encode() + b"\n")
        # Said only once, however late it is heard: a command that was said twice is done twice.
        heard = line.waitForReadyRead(max(1, round(patience * 1000)))
        line.disconnectFromServer()
        return heard

    def close(self) -> None:
        """Let another start be the first."""
        self._server.close()
        self._lock.unlock()

    def _come_in(self) -> None:
        while (line := self._server.nextPendingConnection()) is not None:
            line.readyRead.connect(lambda line=line: self._listen(line))
            line.disconnected.connect(line.deleteLater)
            self._listen(line)

    def _listen(self, line: QLocalSocket) -> None:
        if not line.canReadLine():
            if line.bytesAvailable() > LONGEST_COMMAND:
                line.abort()
            return
        command = read_command(bytes(line.readLine(LONGEST_COMMAND).data()))
        if command is None:
            line.abort()
            return
        line.write(b"\n")
        line.flush()
        self.commanded.emit(command)


def read_command(data: bytes) -> list[str] | None:
    """What another start says; None if it makes no sense."""
    try:
        words = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or len(words) > MOST_WORDS:
        return None
    if not all(isinstance(word, str) for word in words):
        return None
    return words


def socket_name(home: Home) -> str:
    """Where commands are taken: in the private folder, if that is not too deep."""
    beside = str(home.private / "window")
    if len(os.fsencode(beside)) <= LONGEST_PATH:
        return beside
    folder = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    digest = hashlib.sha256(os.fsencode(beside)).hexdigest()[:16]
    return str(Path(folder) / f"lanuno-{digest}")
