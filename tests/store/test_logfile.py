"""Tests of the program's own log: private, rotating, and silent when it cannot be written."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from lanuno.store import logfile
from lanuno.store.logfile import open_log, write_crash
from lanuno.store.paths import Home
from tests.store.crashes import failing


def record(text: str) -> logging.LogRecord:
    return logging.LogRecord("lanuno.x", logging.INFO, __file__, 1, text, None, None)


def test_the_log_is_private_and_rotates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logfile, "_LARGEST", 400)
    home = Home.at(tmp_path / "h")
    handler = open_log(home)
    for number in range(100):
        handler.handle(record(f"line {number}"))
    handler.close()
    files = sorted(home.state.iterdir())
    assert [path.name for path in files] == ["lanuno.log", *(f"lanuno.log.{n}" for n in (1, 2, 3))]
    assert all(path.stat().st_mode & 0o777 == 0o600 for path in files)
    assert all(path.stat().st_size <= 400 for path in files)
    assert "line 99" in home.log.read_text(encoding="utf-8")


def test_a_crash_is_written_with_its_traceback(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "h")

    def crash() -> None:
        hidden = "value of a variable"
        raise ValueError("ñandú" + hidden[:0])

    try:
        crash()
    except ValueError as error:
        assert write_crash(home, error) == home.log
    text = home.log.read_text(encoding="utf-8")
    assert "ValueError: ñandú" in text
    assert "in crash" in text
    assert "CRITICAL" in text


def test_a_log_that_cannot_be_opened_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "h").write_bytes(b"a file in the way")
    assert write_crash(Home.at(tmp_path / "h"), ValueError("x")) is None
    home = Home.at(tmp_path / "g")
    home.log.mkdir(parents=True)
    assert write_crash(home, ValueError("x")) is None


def test_a_full_disk_makes_no_noise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    handler = open_log(Home.at(tmp_path))
    with monkeypatch.context() as broken:
        broken.setattr(handler, "format", failing(28))
        handler.handle(record("x"))
    handler.close()
    assert capfd.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == [tmp_path / "lanuno.log"]
