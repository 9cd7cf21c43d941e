"""Whether there is a display: asked before Qt is, which would abort the program."""

from __future__ import annotations

import ctypes
import socket
import sys
import types
from pathlib import Path
from typing import NoReturn

import pytest

from lanuno.cli import window
from lanuno.cli.exits import ExitCode
from lanuno.cli.output import Failure


@pytest.fixture(autouse=True)
def linux_without_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def screen() -> socket.socket:
    """A server where an X server of some number would be."""
    for port in range(7000, 15_000):
        try:
            return socket.create_server(("127.0.0.1", port))
        except OSError:
            continue
    raise AssertionError("no port is free")


def test_a_display_counts_if_it_answers(
    screen: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not window.has_display()
    display = f"127.0.0.1:{screen.getsockname()[1] - 6000}"
    with screen:
        for name in (display, f"{display}.0"):
            monkeypatch.setenv("DISPLAY", name)
            assert window.has_display()
    assert not window.has_display()


@pytest.mark.parametrize("name", ["", "nonsense", ":9999", "unix:9999", ":", "x:y", ":-1"])
def test_what_is_no_display(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_whoever_chooses_how_qt_draws_needs_no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert window.has_display()


def test_a_library_that_qt_would_abort_for(
    screen: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> NoReturn:
        raise OSError(f"{name}: cannot open shared object file")

    app = types.ModuleType("lanuno.app.main")
    vars(app).update(main=lambda _arguments: 0)
    monkeypatch.setitem(sys.modules, "lanuno.app.main", app)
    monkeypatch.setenv("DISPLAY", f"127.0.0.1:{screen.getsockname()[1] - 6000}")
    monkeypatch.setattr(ctypes, "CDLL", missing)
    with screen, pytest.raises(Failure) as caught:
        window.open_window(None, None)
    assert caught.value.code is ExitCode.NO_WINDOW
    assert "libxcb-cursor" in str(caught.value.values["why"])
    assert window.open_window(None, None) is ExitCode.OK
