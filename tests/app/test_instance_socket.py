"""Tests of the window's socket: other users, too many connections, and folders without a socket."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtNetwork import QLocalServer

from lanuno.app import instance, program
from lanuno.app.controllers.application import Application
from lanuno.app.instance import LONGEST_COMMAND, MOST_CONNECTIONS, Instance, Reply
from lanuno.store import socket_places as module
from lanuno.store.paths import Home
from lanuno.store.socket_places import LONGEST_PATH, socket_places
from tests.app.waiting import settle, until

LINK = "lanuno://192.0.2.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32
NOBODY = 65534

OTHER_USER = f"""
import os, socket, sys
there = socket.socket(socket.AF_UNIX)
there.bind(sys.argv[1])
os.chmod(sys.argv[1], 0o777)
os.setgid({NOBODY})
os.setuid({NOBODY})
# A Unix socket belongs to the user who began to listen on it.
there.listen()
print("listens", flush=True)
line, _ = there.accept()
print(line.recv(65536), flush=True)
line.sendall(b"\\n")
"""
"""A program of another user that listens in the window's place, and prints what it receives."""

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can start another user's program")


@contextlib.contextmanager
def listening(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Run the program of another user, with its socket at this path."""
    with subprocess.Popen(
        [sys.executable, "-c", OTHER_USER, str(path)], stdout=subprocess.PIPE, text=True
    ) as other:
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "listens\n"
            yield other
        finally:
            other.kill()


@pytest.fixture
def home() -> Iterator[Home]:
    """Folders with paths short enough for a socket."""
    with tempfile.TemporaryDirectory(prefix="l", dir="/tmp") as name:
        home = Home.at(Path(name) / "home")
        home.create()
        yield home


@pytest.fixture
def nowhere(home: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    """Folders that hold no socket: their path is too long, and the system's are not private."""
    deep = Home.at(home.data / ("x" * LONGEST_PATH))
    deep.create()
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(shared))
    monkeypatch.setattr(module, "gettempdir", lambda: str(shared))
    return deep


@as_root
def test_another_users_program_is_told_nothing(home: Home) -> None:
    places, _ = socket_places(home)
    with listening(places[0]) as other:
        assert Instance(home).hand_over(["join", LINK], answer_seconds=1.0) is Reply.FOREIGN
        assert other.stdout is not None
        # The connection ended before the first byte of the command.
        assert other.stdout.readline() == "b''\n"


@as_root
def test_another_users_command_is_not_believed(home: Home) -> None:
    first = Instance(home)
    assert first.claim()
    assert first.place is not None
    taken: list[list[str]] = []
    first.commanded.connect(taken.append)
    first.answer()
    # With the real permissions, another user could not even connect.
    home.private.chmod(0o711)
    first.place.chmod(0o777)
    says = f"""
import os, socket
os.setgid({NOBODY})
os.setuid({NOBODY})
line = socket.socket(socket.AF_UNIX)
line.connect("window")
try:
    line.sendall(b'["join", "x"]\\n')
    print(line.recv(10))
except (BrokenPipeError, ConnectionResetError):
    print(b"")
"""
    with subprocess.Popen(
        [sys.executable, "-c", says], cwd=first.place.parent, stdout=subprocess.PIPE, text=True
    ) as other:
        until(lambda: other.poll() is not None)
        assert other.stdout is not None
        assert (other.returncode, other.stdout.read()) == (0, "b''\n")
    settle()
    assert taken == []
    # A command of the same user is accepted.
    own = connected(first.place)
    own.sendall(b'["join", "y"]\n')
    until(lambda: taken)
    assert taken == [["join", "y"]]
    own.close()
    first.close()


def connected(place: Path) -> socket.socket:
    line = socket.socket(socket.AF_UNIX)
    line.connect(str(place))
    line.setblocking(False)
    return line


def ended(line: socket.socket) -> bool:
    """Whether the other side has closed this connection."""
    try:
        return line.recv(1) == b""
    except BlockingIOError:
        return False
    except ConnectionResetError:
        return True


def test_connections_are_few_and_have_little_time(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(instance, "COMMAND_MS", 300)
    first = Instance(home)
    assert first.claim()
    assert first.place is not None
    taken: list[list[str]] = []
    first.commanded.connect(taken.append)
    first.answer()
    lines: list[socket.socket] = []
    for _ in range(4 * MOST_CONNECTIONS):
        lines.append(connected(first.place))
        settle()
        assert len(first._connections) <= MOST_CONNECTIONS
    # Excess connections end immediately, the others when their time is over.
    until(lambda: all(ended(line) for line in lines))
    until(lambda: not first._connections)
    # A long limit, so that a slow computer does not exceed it.
    monkeypatch.setattr(instance, "COMMAND_MS", 10**6)
    last = connected(first.place)
    last.sendall(b'["join", "z"]\n')
    until(lambda: taken)
    # A connection ends after its command.
    until(lambda: not first._connections)
    for line in (*lines, last):
        line.close()
    first.close()


@pytest.mark.parametrize("said", [b"x" * (LONGEST_COMMAND + 1), b"{}\n", b"\xff\n"])
def test_anything_but_a_command_ends_the_connection(home: Home, said: bytes) -> None:
    first = Instance(home)
    assert first.claim()
    assert first.place is not None
    first.commanded.connect(pytest.fail)
    first.answer()
    line = connected(first.place)
    line.sendall(said)
    until(lambda: ended(line))
    assert first._connections == []
    line.close()
    first.close()


def test_nothing_but_its_owner_keeps_the_window(home: Home) -> None:
    """Otherwise, the last connection would delete the server, and with it itself a second time."""
    first = Instance(home)
    assert first.claim()
    assert first.place is not None
    first.answer()
    line = connected(first.place)
    line.sendall(b"{}\n")
    while not ended(line):
        # Unlike a nested event loop, this does not carry out deferred deletions.
        QCoreApplication.processEvents()
    line.close()
    first.close()
    kept = weakref.ref(first)
    del first
    assert kept() is None
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def test_a_window_without_a_socket_says_so(
    nowhere: Home, app: Application, capsys: pytest.CaptureFixture[str], qt: QGuiApplication
) -> None:
    first = Instance(nowhere)
    # It is still the single window of its folder.
    assert first.claim()
    assert first.place is None
    app.report_no_socket(first.refused)
    (said,) = [row.text for row in app._notices.rows]
    assert said.startswith("Links and games that you open outside this window cannot reach it")
    second = Instance(nowhere)
    assert not second.claim()
    # Without a socket, there is nothing to wait for.
    assert second.hand_over(["join", LINK], answer_seconds=60.0) is Reply.NOWHERE
    first.close()


def test_where_listening_fails_the_next_place_is_taken_or_nothing_is_claimed_to_be_heard(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen = QLocalServer.listen
    places, _ = socket_places(home)

    def refuse(server: QLocalServer, name: str) -> bool:
        return name != str(places[0]) and listen(server, name)

    monkeypatch.setattr(QLocalServer, "listen", refuse)
    first = Instance(home)
    assert first.claim()
    assert first.place == (places[1] if len(places) > 1 else None)
    assert str(first.refused[-1].path) == str(places[0])
    first.close()


@pytest.mark.parametrize(
    ("reply", "code", "says"),
    [
        (Reply.SILENT, program.FAILED, "its window does not answer"),
        (Reply.FOREIGN, program.FILES, "a program of another user answers in its place"),
        (Reply.NOWHERE, program.FILES, "its window cannot be told what to open"),
    ],
)
def test_a_second_start_says_why_it_cannot_hand_over(
    home: Home, reply: Reply, code: int, says: str
) -> None:
    """A second start prints why it cannot hand over. A process has only one `QGuiApplication`."""
    first = Instance(home)
    assert first.claim()
    script = f"""
import sys
from lanuno.app import instance
from lanuno.app.program import run
instance.Instance.hand_over = lambda *_: instance.Reply.{reply.name}
sys.exit(run(["--home", {str(home.data)!r}, "--lang", "en", "join", {LINK!r}]))
"""
    other = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120
    )
    assert (other.returncode, other.stdout) == (code, "")
    assert says in other.stderr
    first.close()
