"""An X server with one app on it, read through the accessibility tree, used by mouse and keys.

Any message of Qt, Python or the app's log at the end fails the test.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TypeVar

T = TypeVar("T")

ROOT = Path(__file__).resolve().parents[3]
SIZE = (1200, 800)
WAIT_SECONDS = 60.0
POLL_SECONDS = 0.1
SOFTWARE = "software"


@dataclass(frozen=True)
class Item:
    """One item on the screen, as a screen reader finds it."""

    role: str
    name: str
    value: str
    rect: tuple[int, int, int, int]
    focused: bool
    disabled: bool
    checked: bool

    @property
    def middle(self) -> tuple[int, int]:
        """The point to click."""
        x, y, width, height = self.rect
        return x + width // 2, y + height // 2

    @property
    def edge(self) -> tuple[int, int]:
        """The point to click if a neighbour covers the item's right part."""
        x, y, _, height = self.rect
        return x + 12, y + height // 2


@dataclass(frozen=True)
class ScreenContents:
    """The contents of the screen at one moment."""

    page: str
    moving: bool
    """Whether pages are changing, so that nobody would press anything."""
    items: tuple[Item, ...]
    announced: tuple[str, ...]
    window: tuple[int, int, int, int]
    """The place of the window with its frame. All places are in logical pixels."""

    def find(self, *parts: str, role: str = "") -> Item | None:
        """Return the first enabled item whose name contains all of these parts."""
        for item in self.items:
            fits = all(part.lower() in item.name.lower() for part in parts)
            if fits and not item.disabled and role in ("", item.role):
                return item
        return None

    @property
    def words(self) -> str:
        """All names on the screen, one per line."""
        return "\n".join(item.name for item in self.items if item.name)

    @property
    def focused(self) -> Item | None:
        """The item with the keyboard focus."""
        found = [item for item in self.items if item.focused and item.role != "Window"]
        return found[-1] if found else None


class Screen:
    """One app on its own X server."""

    def __init__(
        self,
        display: str,
        home: Path,
        errors: IO[bytes],
        *arguments: str,
        backend: str = SOFTWARE,
        environment: Mapping[str, str] | None = None,
        scale: float = 1.0,
        python: Sequence[str] = (sys.executable,),
    ) -> None:
        """Start the app on this display, with this Python.

        `backend`: the scene graph's, "" for Qt's own choice. `environment`: replaces the variables
        that select a locale. `scale`: the pixels of the screen in a logical pixel.
        """
        dropped: tuple[str, ...] = ("QT_", "WAYLAND", "XDG")
        if environment is not None:
            dropped += ("LC_", "LANG", "LOCPATH")
        self.home = home
        self._scale = scale
        self._errors = errors
        self._env = {
            **{k: v for k, v in os.environ.items() if not k.startswith(dropped)},
            **(environment or {}),
            "DISPLAY": display,
            "QT_QPA_PLATFORM": "xcb",
            "QT_QUICK_BACKEND": backend,
            "QT_SCALE_FACTOR": str(scale),
            "PYTHONUNBUFFERED": "1",
            "NO_AT_BRIDGE": "1",
        }
        self.process = subprocess.Popen(
            [
                *python,
                "-m",
                "tests.harness.screens.instrumented_app",
                "--home",
                str(home),
                *arguments,
            ],
            cwd=ROOT,
            env=self._env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        )

    # ---- reading ----------------------------------------------------------------------------

    def look(self) -> ScreenContents:
        """Return what is on the screen now."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(b"?\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"the app ended with {self.process.wait(WAIT_SECONDS)}: {self.said()}"
        found = json.loads(line)
        items = tuple(Item(**{**each, "rect": tuple(each["rect"])}) for each in found["items"])
        return ScreenContents(
            found["page"],
            found["moving"],
            items,
            tuple(found["announced"]),
            tuple(found["window"]),
        )

    def wait(
        self, wanted: Callable[[ScreenContents], T | None], patience: float = WAIT_SECONDS
    ) -> T:
        """Look until this function finds something."""
        end = time.monotonic() + patience
        while True:
            seen = self.look()
            found = wanted(seen)
            if found:
                return found
            if time.monotonic() > end:
                with suppress(FileNotFoundError):  # not every machine has ImageMagick
                    self.picture(Path(tempfile.gettempdir()) / "lanuno-waited.png")
                said = "\n".join(seen.announced)
                raise AssertionError(
                    f"waited in vain on page {seen.page!r}:\n{seen.words}\nannounced:\n{said}"
                )
            time.sleep(POLL_SECONDS)

    def item(self, *parts: str, role: str = "", patience: float = WAIT_SECONDS) -> Item:
        """Wait for an item by parts of its name, on a page that is not changing."""
        return self.wait(
            lambda seen: None if seen.moving else seen.find(*parts, role=role), patience
        )

    def gone(self, *parts: str, role: str = "") -> None:
        """Wait until an item has disappeared; until then it may receive pressed keys."""
        self.wait(lambda seen: not seen.find(*parts, role=role))

    def page(self, name: str, patience: float = WAIT_SECONDS) -> None:
        """Wait for a page."""
        self.wait(lambda seen: seen.page == name and not seen.moving, patience)

    def picture(self, path: Path) -> None:
        """Save a picture of the X server's screen."""
        command = ["import", "-window", "root", str(path)]
        subprocess.run(command, env=self._env, check=False, capture_output=True)

    # ---- input ------------------------------------------------------------------------------

    def click(self, *parts: str, role: str = "") -> None:
        """Click an item as soon as it appears."""
        self.click_at(self.item(*parts, role=role).middle)

    def click_at(self, where: tuple[int, int]) -> None:
        """Click a point."""
        x, y = (str(round(each * self._scale)) for each in where)
        self._do("mousemove", x, y, "click", "1")

    def keys(self, *keys: str) -> None:
        """Press keys, by their X names."""
        self._do("key", "--delay", "40", *keys)

    def type(self, text: str) -> None:
        """Type a text."""
        self._do("type", "--delay", "20", text)

    def take_keyboard(self) -> None:
        """Give this window the keyboard focus, as a window manager does."""
        self.wait(lambda seen: seen.items)
        self._do("search", "--sync", "--onlyvisible", "--name", "LanUNO", "windowfocus", "--sync")

    def _do(self, *command: str) -> None:
        done = subprocess.run(
            ["xdotool", *command],
            env=self._env,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 0, done.stderr

    # ---- the end ----------------------------------------------------------------------------

    def said(self) -> str:
        """Its standard error."""
        self._errors.seek(0)
        return self._errors.read().decode("utf-8", "replace")

    def end(self) -> None:
        """Wait until the app has ended on its own, and check its output."""
        assert self.process.wait(WAIT_SECONDS) == 0, self.said()
        assert self.said() == ""
        for log in sorted(self.home.rglob("*.log")):
            text = log.read_text("utf-8")
            assert not [line for line in text.splitlines() if "WARNING" in line or "ERROR" in line]

    def kill(self) -> None:
        """Make sure that it has ended."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                stream.close()


def server(size: tuple[int, int] = SIZE) -> list[str]:
    """Return the command that starts an X server with a screen of this size.

    Without `-noreset` the server restarts when its last client leaves, and refuses others then.
    """
    return ["Xvfb", "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-noreset"]


@contextmanager
def screen(
    home: Path,
    *arguments: str,
    backend: str = SOFTWARE,
    environment: Mapping[str, str] | None = None,
    size: tuple[int, int] = SIZE,
    scale: float = 1.0,
    python: Sequence[str] = (sys.executable,),
) -> Iterator[Screen]:
    """An X server and an app on it, in folders of its own. The rest is as for `Screen`."""
    reading, writing = os.pipe()
    display = subprocess.Popen(
        [*server(size), "-displayfd", str(writing)],
        pass_fds=(writing,),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, "the X server did not start"
        with tempfile.TemporaryFile() as errors:
            shown = Screen(
                f":{number}",
                home,
                errors,
                *arguments,
                backend=backend,
                environment=environment,
                scale=scale,
                python=python,
            )
            try:
                yield shown
            finally:
                shown.kill()
    finally:
        display.terminate()
        display.wait()
