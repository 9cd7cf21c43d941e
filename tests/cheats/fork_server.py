"""Programs that start immediately, as forks of a process that has loaded all modules.

Loading Python's modules takes more processor time than playing a short match, and each table needs
four programs. So one process loads the modules and forks twice for every program: once for the
program, and once for a supervisor, which waits for the program's end, and ends it when the
connection closes. The program is `lanuno` itself, or `modified_program.py`, with its own memory,
streams and sockets. The caller starts `forked_program.py`, which stands in for that program.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final, TextIO

from lanuno.cli import bot, host, verify
from lanuno.cli.main import main as command_line
from tests.cheats.faults import liar_of
from tests.cheats.modified_program import ModifiedProgram
from tests.harness.processes.programs import WARNINGS

ROOT: Final = Path(__file__).resolve().parents[2]
FORKED_PROGRAM: Final = Path(__file__).with_name("forked_program.py")
READY: Final = b"ready\n"
LOADED: Final = (bot, host, verify)
"""The modules of commands, which the command line imports only when needed."""


class ForkServer:
    """The address of a running fork server."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def within(self, liar: str = "") -> tuple[str, ...]:
        """Return the command that runs a command in this server, with this liar in it."""
        return (sys.executable, "-I", "-S", str(FORKED_PROGRAM), str(self._place), liar)


@contextlib.contextmanager
def fork_server() -> Iterator[ForkServer]:
    """Run a fork server; it and all its programs end with this context."""
    with tempfile.TemporaryDirectory(prefix="lanuno-n-") as folder:
        place = Path(folder, "s")
        command = [sys.executable, "-m", "tests.cheats.fork_server", str(place)]
        own = {**os.environ, "PYTHONWARNINGS": WARNINGS, "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(
            command, cwd=ROOT, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == READY
                yield ForkServer(place)
            finally:
                process.kill()


def _serve(place: str) -> int:
    """Fork for every connection; return only in a forked process, with its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(place)
        listener.listen(64)
        os.write(1, READY)
        while True:
            ready, _, _ = select.select([listener.fileno(), 0], [], [])
            if 0 in ready:
                return 0  # the parent is gone
            connection, _ = listener.accept()
            if os.fork():
                connection.close()
                continue
            break
    return _supervise(connection)


def _supervise(connection: socket.socket) -> int:
    """Run the program, and wait for its end or that of the connection."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, streams, _, _ = socket.recv_fds(connection, 4, 2)
    size, data = int.from_bytes(head, "big"), b""
    while len(data) < size:
        data += connection.recv(size - len(data))
    liar, arguments, environment = json.loads(data)
    read_end, write_end = os.pipe()
    program = os.fork()
    if not program:
        connection.close()
        os.close(read_end)
        return _run_program(streams, liar, arguments, environment)
    os.close(write_end)
    while True:
        ready, _, _ = select.select([connection.fileno(), read_end], [], [])
        if read_end in ready:
            break
        said = connection.recv(1)
        os.kill(program, signal.SIGINT if said else signal.SIGKILL)
        if not said:
            break
    _, status = os.waitpid(program, 0)
    with contextlib.suppress(OSError):
        connection.sendall(str(os.waitstatus_to_exitcode(status) % 256).encode())
    os._exit(0)


def _run_program(
    streams: list[int], liar: str, arguments: list[str], environment: dict[str, str]
) -> int:
    """Run the program in this process."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for wanted, stream in enumerate((nothing, *streams)):
        os.dup2(stream, wanted)
        os.close(stream)
    sys.stdout, sys.stderr = _stream(1), _stream(2)
    os.environ.clear()
    os.environ.update(environment)
    return ModifiedProgram(liar_of(liar)).run(arguments) if liar else command_line(arguments)


def _stream(number: int) -> TextIO:
    """Return an unbuffered text stream for a descriptor, as Python makes one for a program."""
    return io.TextIOWrapper(open(number, "wb", 0, closefd=False), "utf-8", write_through=True)


if __name__ == "__main__":
    sys.exit(_serve(sys.argv[1]))
