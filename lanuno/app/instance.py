"""One window for each data folder: a second start hands its command to the first, and ends.

The lock says who is first, the local socket beside it takes commands. Both are the user's own: the
socket is in a folder of the user alone, and each side looks whose program is at the other end
before it sends or believes anything. What comes over the socket is a list of a few words.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lanuno.net.local_peer import is_own_user
from lanuno.store.errors import Problem, StoreError
from lanuno.store.paths import Home
from lanuno.store.socket_places import socket_places

MOST_WORDS: Final = 2
LONGEST_COMMAND: Final = 16 * 1024
MOST_CONNECTIONS: Final = 8
"""Starts that are heard at one time; more are sent away and come again."""
HURRY_MS: Final = 5000
"""Time in which a connection has to say its command."""
PATIENCE: Final = 15.0
"""Seconds in which the first one has to answer; it may just be starting."""
TRY_AGAIN: Final = 0.1
WAIT_MS: Final = 1000


class Reply(Enum):
    """What became of a command that was handed over."""

    HEARD = auto()
    SILENT = auto()
    """Nobody answers where the window should be."""
    FOREIGN = auto()
    """Another user's program is there; it was told nothing."""
    NOWHERE = auto()
    """There is no folder in which the window could listen."""


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
        self._places, self.refused = socket_places(home)
        """`refused`: why the socket is not in a folder where it could have been."""
        self._lines: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.setMaxPendingConnections(MOST_CONNECTIONS)

    @property
    def place(self) -> Path | None:
        """The socket on which commands are taken; None if they cannot be."""
        return Path(self._server.fullServerName()) if self._server.isListening() else None

    def claim(self) -> bool:
        """Be the one window of this folder, if there is no other; `place` says if it can listen."""
        if not self._lock.tryLock(0):
            return False
        for place in self._places:
            # What lies there is of a program that was killed.
            QLocalServer.removeServer(str(place))
            if self._server.listen(str(place)):
                return True
            error = StoreError(Problem.NOT_WRITABLE, place, self._server.errorString())
            self.refused.append(error)
        return True

    def answer(self) -> None:
        """Take commands from now on. Whoever came before has waited: nothing is lost."""
        self._server.newConnection.connect(self._come_in)
        self._come_in()

    def hand_over(self, command: Sequence[str], patience: float = PATIENCE) -> Reply:
        """Tell the window that is there already."""
        if not self._places:
            return Reply.NOWHERE
        until = time.monotonic() + patience
        while True:
            # It is at the first of these at which it could listen.
            for place in self._places:
                reply = self._tell(place, command, until - time.monotonic())
                if reply is not Reply.SILENT:
                    return reply
            if time.monotonic() > until:
                return Reply.SILENT
            time.sleep(TRY_AGAIN)

    def _tell(self, place: Path, command: Sequence[str], patience: float) -> Reply:
        line = QLocalSocket()
        line.connectToServer(str(place))
        if not line.waitForConnected(WAIT_MS):
            return Reply.SILENT
        if not is_own_user(line.socketDescriptor()):
            line.abort()
            return Reply.FOREIGN
        line.write(json.dumps(list(command)).encode() + b"\n")
        # Said only once, however late it is heard: a command that was said twice is done twice.
        heard = line.waitForReadyRead(max(1, round(patience * 1000)))
        line.disconnectFromServer()
        return Reply.HEARD if heard else Reply.SILENT

    def close(self) -> None:
        """Let another start be the first."""
        for line in list(self._lines):
            self._drop(line)
        self._server.close()
        self._lock.unlock()

    def _come_in(self) -> None:
        while (line := self._server.nextPendingConnection()) is not None:
            if len(self._lines) >= MOST_CONNECTIONS or not is_own_user(line.socketDescriptor()):
                line.abort()
                line.deleteLater()
                continue
            self._lines.append(line)
            # One more than is allowed, so that too long a command is seen to be that.
            line.setReadBufferSize(LONGEST_COMMAND + 1)
            line.disconnected.connect(partial(self._drop, line))
            line.readyRead.connect(partial(self._listen, line))
            # Also one that had gone before its end could be heard.
            QTimer.singleShot(HURRY_MS, line, partial(self._drop, line))
            self._listen(line)

    def _drop(self, line: QLocalSocket) -> None:
        if line in self._lines:
            self._lines.remove(line)
            line.abort()
            line.deleteLater()

    def _listen(self, line: QLocalSocket) -> None:
        if line not in self._lines:
            return
        if not line.canReadLine():
            if line.bytesAvailable() > LONGEST_COMMAND:
                self._drop(line)
            return
        command = read_command(bytes(line.readLine(LONGEST_COMMAND).data()))
        if command is None:
            self._drop(line)
            return
        line.write(b"\n")
        line.flush()
        # One command for each connection.
        line.disconnectFromServer()
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
