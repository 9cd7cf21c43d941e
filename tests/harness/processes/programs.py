"""Runs the commands as processes, as users do, and checks their output.

In every test, no program may print a traceback, leave something open that Python warns about,
write a warning to its log, or reveal a secret. `Program.end` checks all of that.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Final, Self

import msgspec
import pytest

from lanuno.store.journal import read_journal
from lanuno.store.sidecar import _LARGEST, MAGIC

ROOT = Path(__file__).resolve().parents[3]
WAIT_SECONDS = 120.0
"""Seconds after which a test counts as hanging; far beyond what the slowest machine needs."""

WARNINGS: Final = os.environ.get(
    "PYTHONWARNINGS", "error,ignore::DeprecationWarning,ignore::PendingDeprecationWarning"
)
"""What Python does about warnings in the programs that tests start. With packaging/test --newest,
all of them are errors.
"""

GRACE: Final = ("--set", "grace_first_s=2")
"""How long a new host waits in vain for the dead one, and for the others to connect to it."""

NAMES: Final = ("Ana", "Beto", "Carla", "Dora", "Eva", "Fran", "Gabi", "Hugo", "Ines", "Juan")

RUN = """
import sys
from lanuno.cli.main import main
code = main()
if any(name.partition(".")[0] in ("PySide6", "shiboken6") for name in sys.modules):
    sys.stderr.write("Qt was loaded")
sys.exit(code)
"""

PRIVATE = (1, 5, 6)
"""Records of a sidecar that stay secret forever: seeds, and the keys of bots."""

FORBIDDEN_OUTPUT = (
    "Qt was loaded",
    "Traceback",
    "Exception ignored",
    "Warning",
    "was destroyed",
    "never retrieved",
)
"""Texts on standard error that show an unexpected error."""


@dataclass(frozen=True)
class Ended:
    """The output of a program that has ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object that it printed."""
        assert self.out.count("\n") == 1, self
        found = json.loads(self.out)
        assert isinstance(found, dict)
        assert found["exit"] == self.code, self
        return found


class Program:
    """One run of `lanuno`."""

    def __init__(
        self,
        *arguments: str,
        home: Path,
        language: str = "en",
        stdout: IO[bytes] | None = None,
        within: Sequence[str] = (),
        module: str = "",
        terminal: int | None = None,
    ) -> None:
        """Start the program. Python warnings are errors in it, printed to standard error.

        `stdout`: the destination of its standard output, which is then not checked. `within`: a
        command that runs this one. `module`: the module to run instead of `lanuno`, with these
        arguments only. `terminal`: the only terminal that it has, which receives all of its
        output.
        """
        self.home = home
        self.log_wanted = False
        """Whether this run is expected to write warnings to its log."""
        command = ["-c", RUN, *arguments, "--home", str(home), "--lang", language]
        if module:
            command = ["-m", module, *arguments]
        if terminal is not None:
            within = ("setsid", "--ctty", *within)
        self.process = subprocess.Popen(
            [*within, sys.executable, *command],
            cwd=ROOT,
            stdin=subprocess.DEVNULL if terminal is None else terminal,
            stdout=terminal or stdout or subprocess.PIPE,
            stderr=terminal or subprocess.PIPE,
            env={
                **os.environ,
                "PYTHONWARNINGS": WARNINGS,
                "PYTHONUNBUFFERED": "1",
                # The output of a killed program is dropped with the test.
                "TMPDIR": str(home.parent.parent),
            },
        )
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._said: dict[str, list[str]] = {"out": [], "err": []}
        self._readers = [
            threading.Thread(target=self._read, args=(stream, self._said[name]), daemon=True)
            for name, stream in (("out", self.process.stdout), ("err", self.process.stderr))
            if stream is not None
        ]
        for reader in self._readers:
            reader.start()

    def _read(self, stream: IO[bytes], said: list[str]) -> None:
        with stream:
            for line in stream:
                text = line.decode("utf-8").replace("\r\n", "\n")
                said.append(text)
                self._lines.put(text)
        self._lines.put(None)

    def heard(self, *parts: str) -> str:
        """Wait for the next line, on either stream, that contains all of these parts."""
        ends = 0
        while ends < len(self._readers):
            line = self._lines.get(timeout=WAIT_SECONDS)
            if line is None:
                ends += 1
            elif all(part in line for part in parts):
                return line.rstrip("\n")
        raise AssertionError(f"never said {parts}: {self._said}")

    def forget(self) -> None:
        """Ignore the output so far."""
        while not self._lines.empty():
            line = self._lines.get()
            if line is None:
                self._lines.put(None)
                break

    def interrupt(self) -> None:
        """Press Ctrl-C. Where that cannot be done to one program, the test is skipped."""
        if sys.platform == "win32":
            pytest.skip("not on Windows: one program cannot be asked to end")
        self.process.send_signal(signal.SIGINT)

    def end(self, code: int | None = None, patience: float = WAIT_SECONDS) -> Ended:
        """Wait for the program to end and check everything that it left."""
        self.process.wait(patience)
        for reader in self._readers:
            reader.join(WAIT_SECONDS)
        ended = Ended(
            self.process.returncode, "".join(self._said["out"]), "".join(self._said["err"])
        )
        if code is not None:
            assert ended.code == code, ended
        for word in FORBIDDEN_OUTPUT:
            assert word not in ended.err, ended.err
        log = self.home / "lanuno.log"
        if log.exists() and not self.log_wanted:
            assert not warnings_in(log.read_text(encoding="utf-8"))
        has_no_secret(ended.out + ended.err, (self.home,))
        return ended

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for reader in self._readers:
            reader.join(WAIT_SECONDS)


WARNING_LEVELS = re.compile(r"^\S+ \[\d+\] (?:WARNING|ERROR|CRITICAL) ", re.MULTILINE)


def warnings_in(log: str) -> list[str]:
    """Return the lines of a log that report more than information."""
    return WARNING_LEVELS.findall(log)


def secrets_of(home: Path) -> list[bytes]:
    """Return the signing key, the keys of bots and every seed in a home."""
    found = []
    identity = home / "private" / "identity"
    if identity.exists():
        found.append(bytes.fromhex(identity.read_text("ascii").split("\n")[1]))
    for sidecar in sorted((home / "private").glob("*.sidecar")):
        records, _ = read_journal(sidecar, MAGIC, _LARGEST)
        for tag, *_, data in map(msgspec.msgpack.decode, records):
            if tag in PRIVATE:
                found.append(data)
    return found


def has_no_secret(text: str, homes: tuple[Path, ...]) -> None:
    """Fail if a text contains a secret of these homes in any notation."""
    for home in homes:
        for secret in secrets_of(home):
            for form in (
                secret.hex(),
                base64.b64encode(secret).decode().rstrip("="),
                repr(secret)[2:-1],
                str(int.from_bytes(secret, "big")),
            ):
                assert form.lower() not in text.lower()


def new_name() -> str:
    """Return a name for a table that no other test uses."""
    return f"T {secrets.token_hex(4)}"


class WorkingFolder:
    """The environment of one test's programs: a folder of homes, loopback, one table's name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.table = new_name()
        self._programs: list[Program] = []

    def run(
        self,
        *arguments: str,
        name: str,
        stdout: IO[bytes] | None = None,
        language: str = "en",
        terminal: int | None = None,
    ) -> Program:
        """Start a program with a home of this name."""
        home = self.folder / name
        program = Program(
            *arguments, home=home, language=language, stdout=stdout, terminal=terminal
        )
        self._programs.append(program)
        return program

    def host(
        self,
        *arguments: str,
        stdout: IO[bytes] | None = None,
        language: str = "en",
        terminal: int | None = None,
    ) -> Program:
        """Start the host of the table."""
        own = ("--table", self.table, "--name", "Ana", "--adapter", "127.0.0.1", *arguments)
        return self.run(
            "host", *own, name="Ana", stdout=stdout, language=language, terminal=terminal
        )

    def bot(self, *arguments: str, name: str, terminal: int | None = None) -> Program:
        """Start a bot, which looks for the table unless the arguments say where it is."""
        told = any(each.startswith(("lanuno://", "127.", "[")) for each in arguments)
        where = () if told or "--table" in arguments else ("--table", self.table)
        own = (*where, "--name", name, "--adapter", "127.0.0.1")
        return self.run("bot", *own, *arguments, name=name, terminal=terminal)

    def find(self, seconds: str = "5") -> list[dict[str, Any]]:
        """Return what `lanuno find` reports about the tables of this name."""
        name = f"find{len(self._programs)}"
        arguments = ("find", "--seconds", seconds, "--adapter", "127.0.0.1", "--json")
        found = self.run(*arguments, name=name).end(0).json
        assert sorted(found) == ["command", "exit", "multicast_fault", "tables"]
        return [each for each in found["tables"] if each["name"] == self.table]

    @property
    def homes(self) -> tuple[Path, ...]:
        """All homes."""
        return tuple(sorted(self.folder.iterdir()))

    def begun(self, *names: str) -> None:
        """Wait until the log has begun in these homes."""
        until = time.monotonic() + WAIT_SECONDS
        for name in names:
            while not any((self.folder / name / "games").glob("*.lanuno")):
                assert time.monotonic() < until, f"the log of {name} has not begun"
                time.sleep(0.01)

    def transcript(self, name: str) -> Path:
        """Return the one transcript in a home."""
        (found,) = (self.folder / name / "games").glob("*.lanuno")
        return found

    def verify(self, *names: str) -> list[dict[str, Any]]:
        """Return what `lanuno verify` reports about the transcripts in these homes together."""
        files = [str(self.transcript(name)) for name in names]
        ended = self.run("verify", "--json", *files, name="verifier").end().json
        found: list[dict[str, Any]] = [ended] if len(files) == 1 else ended["files"]
        return found

    def close(self) -> None:
        """End every running program, and check that no output contains a secret."""
        for program in self._programs:
            program.__exit__(None, None, None)
        everything = "".join(
            "".join(each._said["out"] + each._said["err"]) for each in self._programs
        )
        for home in self.homes:
            for log in home.glob("lanuno.log*"):
                everything += log.read_text(encoding="utf-8")
        has_no_secret(everything, self.homes)


@contextmanager
def working_folder(folder: Path) -> Iterator[WorkingFolder]:
    """A working folder whose programs are ended with the test."""
    here = WorkingFolder(folder)
    try:
        yield here
    finally:
        here.close()
