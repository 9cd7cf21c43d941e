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
from pathlib import Path
from typing import Final

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lanuno.net.transport.local_peer import is_own_user
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.socket_places import socket_places

MOST_ARGUMENTS: Final = 2
LONGEST_COMMAND: Final = 16 * 1024
MOST_CONNECTIONS: Final = 8
"""Connections at one time; more are closed, and their starts connect again."""
COMMAND_MS: Final = 5000
"""Time in which a connection has to say its command."""
ANSWER_SECONDS: Final = 15.0
"""Seconds in which the first one has to answer; it may just be starting."""
RETRY_SECONDS: Final = 0.1
CONNECT_MS: Final = 1000


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

    The start that has claimed it calls `answer` once its `commanded` signal is connected.
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
        self._connections: list[QLocalSocket] = []
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
            error = StoreError(FileProblem.NOT_WRITABLE, place, self._server.errorString())
            self.refused.append(error)
        return True

    def answer(self) -> None:
        """Take commands from now on. Earlier connections have waited: nothing is lost."""
        self._server.newConnection.connect(self._accept)
        self._accept()

    def hand_over(self, command: Sequence[str], answer_seconds: float = ANSWER_SECONDS) -> Reply:
        """Tell the window that is there already."""
        if not self._places:
            return Reply.NOWHERE
        until = time.monotonic() + answer_seconds
        while True:
            # It is at the first of these at which it could listen.
            for place in self._places:
                reply = self._send_command(place, command, until - time.monotonic())
                if reply is not Reply.SILENT:
                    return reply
            if time.monotonic() > until:
                return Reply.SILENT
            time.sleep(RETRY_SECONDS)

    def _send_command(self, place: Path, command: Sequence[str], answer_seconds: float) -> Reply:
        connection = QLocalSocket()
        connection.connectToServer(str(place))
        if not connection.waitForConnected(CONNECT_MS):
            return Reply.SILENT
        if not is_own_user(connection.socketDescriptor()):
            connection.abort()
            return Reply.FOREIGN
        connection.write(json.dumps(list(command)).encode() + b"\n")
        # Sent only once, however late it is read: a command sent twice would be run twice.
        has_answered = connection.waitForReadyRead(max(1, round(answer_seconds * 1000)))
        connection.disconnectFromServer()
        return Reply.HEARD if has_answered else Reply.SILENT

    def close(self) -> None:
        """Let another start be the first."""
        for connection in list(self._connections):
            self._drop(connection)
        self._server.close()
        self._lock.unlock()

    def _accept(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            if len(self._connections) >= MOST_CONNECTIONS or not is_own_user(
                connection.socketDescriptor()
            ):
                connection.abort()
                connection.deleteLater()
                continue
            self._connections.append(connection)
            # One more than is allowed, so that too long a command is seen to be that.
            connection.setReadBufferSize(LONGEST_COMMAND + 1)
            # If only these signals kept this object, it would be deleted while a connection is, and
            # delete that again. They hold methods of this object weakly, but not closures.
            connection.disconnected.connect(self._end_sender)
            connection.readyRead.connect(self._read_sender)
            # Also one that had gone before its end could be heard.
            patience = QTimer(connection)
            patience.setSingleShot(True)
            patience.timeout.connect(self._end_senders_parent)
            patience.start(COMMAND_MS)
            self._read_command(connection)

    def _end_sender(self) -> None:
        self._drop(self.sender())

    def _end_senders_parent(self) -> None:
        self._drop(self.sender().parent())

    def _read_sender(self) -> None:
        connection = self.sender()
        if isinstance(connection, QLocalSocket):
            self._read_command(connection)

    def _drop(self, connection: QObject | None) -> None:
        if isinstance(connection, QLocalSocket) and connection in self._connections:
            self._connections.remove(connection)
            connection.abort()
            connection.deleteLater()

    def _read_command(self, connection: QLocalSocket) -> None:
        if connection not in self._connections:
            return
        if not connection.canReadLine():
            if connection.bytesAvailable() > LONGEST_COMMAND:
                self._drop(connection)
            return
        command = read_command(bytes(connection.readLine(LONGEST_COMMAND).data()))
        if command is None:
            self._drop(connection)
            return
        connection.write(b"\n")
        connection.flush()
        # One command for each connection.
        connection.disconnectFromServer()
        self.commanded.emit(command)


def read_command(data: bytes) -> list[str] | None:
    """What another start says; None if it makes no sense."""
    try:
        words = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or len(words) > MOST_ARGUMENTS:
        return None
    if not all(isinstance(word, str) for word in words):
        return None
    return words
