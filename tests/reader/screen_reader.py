"""Starts the X server, the session bus, the reader and the app, and commands the reader."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, TypeVar

from tests.harness.screens.screen import server

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[2]
WAIT_SECONDS = 60.0
POLL_SECONDS = 0.05
SYSTEM_PYTHON = "/usr/bin/python3"


@dataclass(frozen=True)
class Item:
    """One element of the accessibility tree."""

    path: tuple[int, ...]
    role: str
    name: str
    description: str
    states: frozenset[str]
    shown: bool
    """Whether the element and all its parents are visible. Screen readers skip all others."""
    actions: int
    """The number of its actions; 0 if it is not shown or cannot have the focus."""

    @property
    def usable(self) -> bool:
        """Whether its action can be performed now."""
        return self.shown and "enabled" in self.states and self.actions > 0


@dataclass(frozen=True)
class Tree:
    """The accessibility tree at one moment, and all announcements so far."""

    items: tuple[Item, ...]
    heard: tuple[str, ...]

    @property
    def shown(self) -> list[Item]:
        """The elements that a screen reader presents."""
        return [item for item in self.items if item.shown]

    def find(self, name: str, role: str = "") -> Item | None:
        """Return the first shown element with this name, and with this role if one is given."""
        for item in self.shown:
            if item.name == name and role in ("", item.role):
                return item
        return None

    def starting(self, beginning: str, role: str = "") -> Item | None:
        """Return the first shown element whose name begins like this."""
        for item in self.shown:
            if item.name.startswith(beginning) and role in ("", item.role):
                return item
        return None

    @property
    def words(self) -> str:
        """The shown elements as indented text, for messages of failed tests."""
        return "\n".join(f"{'  ' * len(item.path)}{item.role} {item.name!r}" for item in self.shown)


class ScreenReader:
    """A screen reader that reads one app."""

    def __init__(self, app: subprocess.Popen[bytes], reader: subprocess.Popen[str]) -> None:
        """`app` and `reader` are running processes."""
        self.app = app
        self._reader = reader

    def _ask(self, **command: Any) -> dict[str, Any]:
        assert self._reader.stdin is not None
        assert self._reader.stdout is not None
        self._reader.stdin.write(json.dumps(command) + "\n")
        self._reader.stdin.flush()
        line = self._reader.stdout.readline()
        assert line, "the reader ended"
        found: dict[str, Any] = json.loads(line)
        return found

    def look(self) -> Tree:
        """Return the tree once two glances in a row find the same elements."""
        end = time.monotonic() + WAIT_SECONDS
        before, tree = self.glance(), self.glance()
        while before.items != tree.items:
            assert time.monotonic() < end, f"it never stands still:\n{tree.words}"
            before, tree = tree, self.glance()
        return tree

    def glance(self) -> Tree:
        """Return the tree now. It takes many requests, so its parts may be of different moments."""
        assert self.app.poll() is None, f"the app ended with {self.app.poll()}"
        found = self._ask(do="look")
        items = tuple(
            Item(
                tuple(each["path"]),
                each["role"],
                each["name"],
                each["description"],
                frozenset(each["states"]),
                each["shown"],
                each["actions"],
            )
            for each in found["items"]
        )
        return Tree(items, tuple(found["heard"]))

    def wait(self, wanted: Callable[[Tree], T | None], patience: float = WAIT_SECONDS) -> T:
        """Read the tree until `wanted` returns something true, and return that."""
        end = time.monotonic() + patience
        while True:
            tree = self.glance()
            found = wanted(tree)
            if found:
                return found
            assert time.monotonic() < end, f"waited in vain:\n{tree.words}\n{tree.heard[-9:]}"
            time.sleep(POLL_SECONDS)

    def item(self, name: str, role: str = "") -> Item:
        """Wait for an element whose action can be performed, and return it."""

        def usable(tree: Tree) -> Item | None:
            found = tree.find(name, role)
            return found if found is not None and found.usable else None

        return self.wait(usable)

    def act(self, item: Item) -> bool:
        """Perform the action of an element; return whether the element was still there."""
        return bool(self._ask(do="act", path=item.path, name=item.name)["done"])

    def press(self, name: str, role: str = "button") -> None:
        """Wait for an element, and perform its action."""
        end = time.monotonic() + WAIT_SECONDS
        while not self.act(self.item(name, role)):
            assert time.monotonic() < end, name


@contextmanager
def screen_reader(home: Path, *arguments: str) -> Iterator[ScreenReader]:
    """Run an app with the folders in `home`, and a screen reader that reads it."""
    with ExitStack() as stack:
        # The test's own folder would not do, because the path of a socket has to be short.
        run = stack.enter_context(tempfile.TemporaryDirectory(prefix="lanuno-bus-"))
        errors = stack.enter_context(tempfile.TemporaryFile())
        env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("QT_", "WAYLAND", "XDG"))},
            "XDG_RUNTIME_DIR": run,
            "QT_QPA_PLATFORM": "xcb",
            "QT_QUICK_BACKEND": "software",
            "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
            "PYTHONUNBUFFERED": "1",
        }
        for name in ("NO_AT_BRIDGE", "DBUS_SESSION_BUS_ADDRESS", "AT_SPI_BUS_ADDRESS"):
            env.pop(name, None)

        def start(*command: str, **how: Any) -> subprocess.Popen[Any]:
            process = subprocess.Popen(command, cwd=ROOT, env=env, stderr=errors, **how)
            stack.callback(_end, process)
            return process

        env["DISPLAY"] = ":" + _told(
            lambda place: start(*server(), "-displayfd", str(place), pass_fds=(place,))
        )
        env["DBUS_SESSION_BUS_ADDRESS"] = _told(
            lambda place: start(
                *("dbus-daemon", "--session", "--nofork", f"--print-address={place}"),
                pass_fds=(place,),
            )
        )
        piped = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        script = str(Path(__file__).with_name("at_spi.py"))
        reader = start(SYSTEM_PYTHON, "-I", script, **piped)
        app = start(sys.executable, "-m", "lanuno.app.main", "--home", str(home), *arguments)
        try:
            yield ScreenReader(app, reader)
        except BaseException:
            sys.stderr.write(_text(errors))
            raise


def _told(start: Callable[[int], object]) -> str:
    """Start a server with the number of a pipe, and return the line that it writes there."""
    reading, writing = os.pipe()
    start(writing)
    os.close(writing)
    with os.fdopen(reading) as told:
        line = told.readline().strip()
    assert line, "it did not start"
    return line


def _end(process: subprocess.Popen[Any]) -> None:
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            stream.close()
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _text(errors: IO[bytes]) -> str:
    errors.seek(0)
    return errors.read().decode("utf-8", "replace")
