"""One window for each data folder: a second start hands its command to the first, and ends.

A lock decides which start is first, and a local socket receives commands. Both belong to the user:
the socket is in a folder that only this user can reach, and each side checks which user runs the
process at the other end before it sends or accepts anything. A command is a list of a few words.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from lanuno.store.durable import refusals
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home, hold
from lanuno.store.socket_places import socket_places
from lanuno.system import files
from lanuno.system.local_sockets import is_own_user

MOST_ARGUMENTS: Final = 2
LONGEST_COMMAND: Final = 16 * 1024
MOST_CONNECTIONS: Final = 8
"""Simultaneous connections. Further ones are closed, and their starts connect again."""
COMMAND_MS: Final = 5000
"""Time in which a connection has to send its command."""
START_ANSWER_SECONDS: Final = 15.0
"""Seconds in which the first start has to answer; it may still be loading."""
RETRY_SECONDS: Final = 0.1
CONNECT_MS: Final = 1000


class Reply(Enum):
    """The outcome of handing over a command."""

    HEARD = auto()
    SILENT = auto()
    """Nothing answers at the window's socket."""
    FOREIGN = auto()
    """A program of another user answers there; nothing was sent to it."""
    NOWHERE = auto()
    """There is no folder in which the window could listen."""


class Instance(QObject):
    """This start of the program: the first one after `claim`, or one that calls `hand_over`.

    After a `claim`, call `answer` once the `commanded` signal is connected.
    """

    commanded = Signal(object)
    """The command of another start: `[]` (show the window), `["join", link]`, `["open", file]`.

    An object, because a list would become one of Qt's, whose texts lose bytes that are not UTF-8.
    """

    def __init__(self, home: Home) -> None:
        """Claim nothing yet. The private folder must exist."""
        super().__init__()
        self._lock_path = home.private / "window.lock"
        self._lock: int | None = None
        self._home = home
        self.refused: list[StoreError] = []
        """The errors of the folders in which the socket could not be."""
        self._connections: list[QLocalSocket] = []
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.setMaxPendingConnections(MOST_CONNECTIONS)

    @property
    def place(self) -> Path | None:
        """The socket that receives commands; None if there is none."""
        return Path(self._server.fullServerName()) if self._server.isListening() else None

    def claim(self) -> bool:
        """Return whether this start became the first. `place` then says whether it can listen.

        Raise `StoreError` if the lock's file cannot be opened.
        """
        # The system releases this lock when the program ends, however it ends; what the file
        # contains, and how old it is, does not matter.
        with refusals(self._lock_path, FileProblem.NOT_WRITABLE):
            file = files.open_to_change(self._lock_path, follow=True)
        try:
            hold(file, self._lock_path)
        except StoreError as error:
            os.close(file)
            if error.problem is FileProblem.IN_USE:
                return False
            raise
        self._lock = file
        places, self.refused = socket_places(self._home, renew=True)
        for place in places:
            # A socket that lies there was left by a program that was killed.
            QLocalServer.removeServer(str(place))
            if self._server.listen(str(place)):
                return True
            reason = self._server.errorString()
            self.refused.append(StoreError(FileProblem.NOT_WRITABLE, place, reason))
        return True

    def answer(self) -> None:
        """Accept commands from now on, including those of connections that have waited."""
        self._server.newConnection.connect(self._accept)
        self._accept()

    def hand_over(
        self, command: Sequence[str], answer_seconds: float = START_ANSWER_SECONDS
    ) -> Reply:
        """Send a command to the first start, and return what became of it."""
        until = time.monotonic() + answer_seconds
        while True:
            places, self.refused = socket_places(self._home)
            if self.refused and not places:
                return Reply.NOWHERE
            # The first start listens at the first of these places at which it could.
            for place in places:
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
        connection.write(written_command(command))
        # Sent only once, however late it is read: a command sent twice would be run twice.
        has_answered = connection.waitForReadyRead(max(1, round(answer_seconds * 1000)))
        connection.disconnectFromServer()
        return Reply.HEARD if has_answered else Reply.SILENT

    def close(self) -> None:
        """Release the lock, so that the next start becomes the first."""
        for connection in list(self._connections):
            self._drop(connection)
        self._server.close()
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _accept(self) -> None:
        while (connection := self._server.nextPendingConnection()) is not None:
            if len(self._connections) >= MOST_CONNECTIONS or not is_own_user(
                connection.socketDescriptor()
            ):
                connection.abort()
                connection.deleteLater()
                continue
            self._connections.append(connection)
            # One byte above the limit, so that a command that is too long is recognised.
            connection.setReadBufferSize(LONGEST_COMMAND + 1)
            # Methods, which signals hold weakly, not closures: if a closure held the last reference
            # to this object, deleting the connection would delete this object, and with it the
            # connection a second time.
            connection.disconnected.connect(self._end_sender)
            connection.readyRead.connect(self._read_sender)
            # This also drops a connection that ended before `disconnected` was connected.
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
        # One command per connection.
        connection.disconnectFromServer()
        self.commanded.emit(command)


def written_command(command: Sequence[str]) -> bytes:
    """Return a command as it is sent. Both sides may have another encoding of file names."""
    words = [os.fsencode(word).decode("utf-8", "surrogateescape") for word in command]
    return json.dumps(words).encode() + b"\n"


def read_command(data: bytes) -> list[str] | None:
    """Return the command of another start, or None if it is malformed."""
    try:
        words = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(words, list) or len(words) > MOST_ARGUMENTS:
        return None
    if not all(isinstance(word, str) for word in words):
        return None
    try:
        return [os.fsdecode(word.encode("utf-8", "surrogateescape")) for word in words]
    except UnicodeError:
        return None
