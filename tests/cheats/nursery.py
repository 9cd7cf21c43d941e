"""Programs that start at once: a process that has loaded everything becomes each of them.

To load Python's modules takes more of the processor than to play a short match, and each table
needs four programs. So one process loads them, and for every program it forks: twice, for the
program and for a keeper that waits for its end and ends it when nobody wants it any more. What
runs is `lanuno` itself, or what `changed.py` makes of it, with its own memory, streams and
sockets; to whoever starts it, `cradle.py` is that program.
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
from tests.cheats.changed import Changed
from tests.cheats.faults import liar_of

ROOT: Final = Path(__file__).resolve().parents[2]
CRADLE: Final = Path(__file__).with_name("cradle.py")
READY: Final = b"ready\n"
LOADED: Final = (bot, host, verify)
"""What else a command loads when it is asked for."""


class Nursery:
    """Where programs can be started."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def within(self, liar: str = "") -> tuple[str, ...]:
        """The command that runs a command here, with this liar in it."""
        return (sys.executable, "-I", "-S", str(CRADLE), str(self._place), liar)


@contextlib.contextmanager
def nursery() -> Iterator[Nursery]:
    """A nursery that is gone when this ends, with everybody in it."""
    with tempfile.TemporaryDirectory(prefix="lanuno-n-") as folder:
        place = Path(folder, "s")
        command = [sys.executable, "-m", "tests.cheats.nursery", str(place)]
        own = {**os.environ, "PYTHONWARNINGS": "error", "PYTHONUNBUFFERED": "1"}
        with subprocess.Popen(
            command, cwd=ROOT, env=own, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            try:
                assert process.stdout is not None
                assert process.stdout.readline() == READY
                yield Nursery(place)
            finally:
                process.kill()


def _serve(place: str) -> int:
    """Fork until nobody wants more; returns only in a program, with its exit code."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as door:
        door.bind(place)
        door.listen(64)
        os.write(1, READY)
        while True:
            ready, _, _ = select.select([door.fileno(), 0], [], [])
            if 0 in ready:
                return 0  # whoever started this is gone
            cradle, _ = door.accept()
            if os.fork():
                cradle.close()
                continue
            break
    return _keep(cradle)


def _keep(cradle: socket.socket) -> int:
    """As keeper: run the program, wait for its end or for that of its cradle."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    head, streams, _, _ = socket.recv_fds(cradle, 4, 2)
    size, data = int.from_bytes(head, "big"), b""
    while len(data) < size:
        data += cradle.recv(size - len(data))
    liar, arguments, environment = json.loads(data)
    lives, held = os.pipe()
    program = os.fork()
    if not program:
        cradle.close()
        os.close(lives)
        return _become(streams, liar, arguments, environment)
    os.close(held)
    while True:
        ready, _, _ = select.select([cradle.fileno(), lives], [], [])
        if lives in ready:
            break
        said = cradle.recv(1)
        os.kill(program, signal.SIGINT if said else signal.SIGKILL)
        if not said:
            break
    _, status = os.waitpid(program, 0)
    with contextlib.suppress(OSError):
        cradle.sendall(str(os.waitstatus_to_exitcode(status) % 256).encode())
    os._exit(0)


def _become(
    streams: list[int], liar: str, arguments: list[str], environment: dict[str, str]
) -> int:
    """Be the program."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    for wanted, stream in enumerate((nothing, *streams)):
        os.dup2(stream, wanted)
        os.close(stream)
    sys.stdout, sys.stderr = _stream(1), _stream(2)
    os.environ.clear()
    os.environ.update(environment)
    return Changed(liar_of(liar)).run(arguments) if liar else command_line(arguments)


def _stream(number: int) -> TextIO:
    """What Python makes of a descriptor where nothing is to be buffered."""
    return io.TextIOWrapper(open(number, "wb", 0, closefd=False), "utf-8", write_through=True)


if __name__ == "__main__":
    sys.exit(_serve(sys.argv[1]))
