"""Whether there is a display. The check precedes Qt, which would abort the program."""

from __future__ import annotations

import argparse
import ctypes
import socket
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanuno.cli import window
from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure
from tests.harness.systems import skip_module_on_windows

skip_module_on_windows("these are displays of Linux")

OPTIONS = argparse.Namespace(folder=None, lang=None, log=None, debug=False, trace=None)
"""The options of a command line without any."""


@pytest.fixture(autouse=True)
def linux_without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def screen() -> Iterator[socket.socket]:
    """A port of an X server with no listener: nothing answers until the test listens."""
    with socket.socket() as server:
        for port in range(7000, 15_000):
            try:
                server.bind(("127.0.0.1", port))
            except OSError:
                continue
            break
        else:
            raise AssertionError("no port is free")
        yield server


def stops_answering(screen: socket.socket) -> None:
    """Stop answering but keep the port, which another program might otherwise take and answer."""
    screen.shutdown(socket.SHUT_RDWR)


def display_of(screen: socket.socket) -> str:
    return f"127.0.0.1:{screen.getsockname()[1] - 6000}"


def test_a_display_counts_if_it_answers(
    screen: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not window.has_display()
    names = (display_of(screen), f"{display_of(screen)}.0")
    for name in names:
        monkeypatch.setenv("DISPLAY", name)
        assert not window.has_display()
    screen.listen()
    for name in names:
        monkeypatch.setenv("DISPLAY", name)
        assert window.has_display()
    stops_answering(screen)
    assert not window.has_display()


@pytest.mark.parametrize("name", ["", "nonsense", ":9999", "unix:9999", ":", "x:y", ":-1"])
def test_an_invalid_display_is_none(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", name)
    assert not window.has_display()


def test_wayland(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-7")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    assert not window.has_display()
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        assert window.has_display()
        monkeypatch.setenv("WAYLAND_DISPLAY", str(tmp_path / "wayland-7"))
        assert window.has_display()


def test_a_chosen_qt_platform_needs_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert window.has_display()


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> None:
    """An app whose window is closed immediately."""
    module = types.ModuleType("lanuno.app.main")
    vars(module).update(main=lambda _arguments: 0)
    monkeypatch.setitem(sys.modules, "lanuno.app.main", module)
    # The displays here answer without being X servers; test_start.py has real ones.
    monkeypatch.setattr(window, "_x_accepts", lambda: True)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Parts of the names of Qt plugins that lack a library."""
    names: list[str] = []

    def load(path: str) -> None:
        assert Path(path).is_file()
        if any(name in path for name in names):
            raise OSError("libmissing.so.4: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", load)
    return names


@pytest.mark.usefixtures("app")
def test_a_library_that_qt_would_abort_for(
    screen: socket.socket, broken: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.listen()
    monkeypatch.setenv("DISPLAY", display_of(screen))
    broken.append("xcb")
    with pytest.raises(Failure) as caught:
        window.open_window(OPTIONS)
    assert caught.value.code is ExitCode.NO_WINDOW
    assert "libmissing.so.4" in str(caught.value.values["why"])
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert window.open_window(OPTIONS) is ExitCode.OK
    monkeypatch.delenv("QT_QPA_PLATFORM")
    broken.clear()
    assert window.open_window(OPTIONS) is ExitCode.OK


@pytest.mark.usefixtures("app")
def test_the_library_is_named_in_a_frozen_program_too(
    screen: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    def load(_path: str) -> None:
        raise OSError("not found when it was frozen") from OSError("libmissing.so.4: cannot open")

    screen.listen()
    monkeypatch.setenv("DISPLAY", display_of(screen))
    monkeypatch.setattr(ctypes, "CDLL", load)
    with pytest.raises(Failure) as caught:
        window.open_window(OPTIONS)
    assert caught.value.values["why"] == "libmissing.so.4: cannot open"


@pytest.mark.usefixtures("app")
def test_one_plugin_is_enough(
    screen: socket.socket, broken: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen.listen()
    monkeypatch.setenv("DISPLAY", display_of(screen))
    monkeypatch.setenv("WAYLAND_DISPLAY", str(tmp_path / "wayland-7"))
    with socket.socket(socket.AF_UNIX) as compositor:
        compositor.bind(str(tmp_path / "wayland-7"))
        compositor.listen()
        broken.append("wayland")
        assert window.open_window(OPTIONS) is ExitCode.OK
        broken.append("xcb")
        with pytest.raises(Failure):
            window.open_window(OPTIONS)
