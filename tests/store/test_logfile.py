"""The program's log: private, bounded, shared, and silent when it cannot be written."""

from __future__ import annotations

import errno
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args, get_type_hints

import pytest

from lanuno.cli.options import LOG_LEVELS
from lanuno.store import log_limit, logfile
from lanuno.store.logfile import (
    LEVELS,
    USUAL_LEVEL,
    logging_to,
    open_log,
    sum_up_logs,
    why_not_writable,
    write_crash,
)
from lanuno.store.paths import Home
from lanuno.store.settings import Settings
from lanuno.system import files
from tests.harness.systems import LINK_OR_PIPE, is_private

ROOT = Path(__file__).resolve().parents[2]


def record(text: str, address: str = "") -> logging.LogRecord:
    """Return a log record, about a peer at an address if one is given."""
    found = logging.LogRecord("lanuno.x", logging.INFO, __file__, 1, text, None, None)
    if address:
        found.address = address
    return found


def text_of(home: Home) -> str:
    """Return the text of all log files, oldest first."""
    files = sorted(home.state.glob("lanuno.log*"), reverse=True)
    return "".join(file.read_text(encoding="utf-8") for file in files)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home.at(tmp_path / "h")


@pytest.fixture(autouse=True)
def as_it_was() -> Iterator[None]:
    """Check that no test leaves a handler or a changed level."""
    root, own = logging.getLogger(), logging.getLogger("lanuno")
    before = list(root.handlers), own.level
    yield
    assert (root.handlers, own.level) == before


def test_the_log_is_private_and_rotates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logfile, "LARGEST_LOG", 400)
    home = Home.at(tmp_path / "h")
    handler = open_log(home)
    for number in range(100):
        handler.handle(record(f"line {number}"))
    handler.close()
    files = sorted(home.state.iterdir())
    assert [path.name for path in files] == ["lanuno.log", *(f"lanuno.log.{n}" for n in (1, 2, 3))]
    assert all(is_private(path) for path in files)
    assert all(path.stat().st_size <= 400 for path in files)
    assert "this is LanUNO" not in home.log.read_text(encoding="utf-8")
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


def test_the_log_begins_with_version_command_and_python(home: Home) -> None:
    with logging_to(home, "host"):
        assert not home.data.exists()
        logging.getLogger("lanuno.table").info("a table")
    first, second = text_of(home).splitlines()
    assert "this is LanUNO" in first
    assert "(host), Python " in first
    assert second.endswith("INFO lanuno.table: a table")
    assert f"[{os.getpid()}]" in second
    assert second[:4].isdecimal()


def test_the_log_ignores_information_from_libraries(home: Home) -> None:
    with logging_to(home, "host"):
        logging.getLogger("a.library").info("nothing of interest")
    assert not home.log.exists()


@pytest.mark.logs_warnings
def test_it_takes_as_much_as_is_wanted(home: Home) -> None:
    assert tuple(LEVELS) == LOG_LEVELS == get_args(get_type_hints(Settings)["log"])
    assert Settings().log == USUAL_LEVEL
    for level in LEVELS:
        with logging_to(home, "host", level):
            for said in ("debug", "info", "warning"):
                getattr(logging.getLogger("lanuno.x"), said)("%s at %s", said, level)
    told = [line.partition("lanuno.x: ")[2] for line in text_of(home).splitlines()]
    assert [line for line in told if line] == [
        *("warning at warning", "info at info", "warning at info"),
        *("debug at debug", "info at debug", "warning at debug"),
    ]


@pytest.mark.parametrize("level", ["off", "info"])
def test_it_can_be_shown_in_full_besides(
    home: Home, level: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with logging_to(home, "host", level, shown=True):
        logging.getLogger("lanuno.x").debug("a detail of %s", "a peer\x1b[2J")
        logging.getLogger("a.library").info("nothing of interest")
    assert "DEBUG lanuno.x: a detail of a peer" in (shown := capsys.readouterr().err)
    assert "\x1b" not in shown
    assert len(shown.splitlines()) == 1
    assert not home.log.exists()
    logging.getLogger("lanuno.x").debug("no longer")
    assert capsys.readouterr().err == ""


def test_a_flood_is_not_shown_in_full(home: Home, capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to(home, "host", "off", shown=True):
        for _ in range(log_limit.ANY_AT_ONCE + 400):
            logging.getLogger("lanuno.x").debug("a line of a peer")
    *lines, last = capsys.readouterr().err.splitlines()
    assert len(lines) == log_limit.ANY_AT_ONCE
    assert last.endswith("and 400 more in 0 s: lanuno.x: a line of a peer")


@pytest.mark.logs_warnings
def test_switched_off_it_is_silent_everywhere(
    home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    with logging_to(home, "host", "off"):
        logging.getLogger("a.library").error("not on the terminal either")
    assert not home.data.exists()
    assert write_crash(home, ValueError("x")) == home.log
    assert capfd.readouterr() == ("", "")


def test_foreign_text_cannot_forge_lines_or_control_a_terminal(home: Home) -> None:
    names = ["Bea\n2026-01-01T00:00:00.000+00:00 [1] CRITICAL lanuno: forged", "\x1b[31mred\x07"]
    names += ["\u202egnirts", "\u2028\u2029\x85\r\x0b\x0c", "ñandú"]
    with logging_to(home, "host"):
        for name in names:
            logging.getLogger("lanuno.x").info("seat 1 (%s) leaves", name)
        try:
            raise ValueError("first\n2026-01-01T00:00:00.000+00:00 [1] ERROR lanuno: \x1b[2J")
        except ValueError:
            logging.getLogger("lanuno.x").info("failed", exc_info=True)
    text = text_of(home)
    assert not [each for each in text if not each.isprintable() and each != "\n"]
    assert "ñandú" in text
    mine = [line for line in text.split("\n") if f"[{os.getpid()}]" in line]
    assert len(mine) == len(names) + 2
    rest = [line for line in text.split("\n") if line and line not in mine]
    assert rest
    assert all(line.startswith("    ") for line in rest)


def test_a_lone_surrogate_is_written_as_an_escape(home: Home) -> None:
    # Bypass pytest, which cannot send this record to another process.
    open_log(home).handle(record("seat 1 (\ud800) leaves"))
    assert "seat 1 (\\ud800) leaves" in text_of(home)


def test_a_flood_does_not_push_other_records_out(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    handler = open_log(home)
    handler.handle(record("round 1 begins"))
    for number in range(100_000):
        now[0] += 0.01
        address = f"10.0.{number % 40}.{number % 250}"
        handler.handle(record("a stranger", address))
    now[0] += log_limit.SUMMARY_SECONDS
    handler.sum_up()
    handler.close()
    text = text_of(home)
    assert "round 1 begins" in text
    assert "more in 60 s, the last about 10.0." in text
    counted = sum(
        int(line.partition("and ")[2].split()[0]) for line in text.splitlines() if ": and " in line
    )
    assert counted + text.count("INFO lanuno.x: a stranger") == 100_000
    assert len(text) < 16 * 1024


def test_suppressed_records_are_counted_when_the_log_ends(home: Home) -> None:
    with logging_to(home, "host"):
        for _ in range(log_limit.ONE_AT_ONCE + 214):
            logging.getLogger("lanuno.x").info("refused", extra={"address": "10.0.0.9"})
        sum_up_logs()
        assert "more in" not in text_of(home)
    assert "and 214 more in 0 s, the last about 10.0.0.9: lanuno.x: refused" in text_of(home)


def test_a_log_that_cannot_be_written_disturbs_nobody(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "h").write_bytes(b"a file in the way")
    home = Home.at(tmp_path / "h")
    with logging_to(home, "host"):
        logging.getLogger("lanuno.x").info("lost")
        (tmp_path / "h").unlink()
        logging.getLogger("lanuno.x").info("kept")
    text = text_of(home)
    assert "this is LanUNO" in text
    assert "1 lines could not be written" in text
    assert "kept" in text
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("took", [0, 7])
def test_a_full_disk_raises_and_prints_nothing(
    took: int, home: Home, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    handler = open_log(home)
    handler.handle(record("before"))
    write = os.write

    def full(file: int, data: bytes) -> int:
        if not took:
            raise OSError(errno.ENOSPC, "full")
        return write(file, data[:took])

    with monkeypatch.context() as broken:
        broken.setattr(os, "write", full)
        handler.handle(record("nowhere"))
    handler.handle(record("after"))
    handler.close()
    lines = text_of(home).splitlines()
    assert [line.rpartition(": ")[2] for line in lines if line.endswith(("before", "after"))] == [
        "before",
        "after",
    ]
    assert any("1 lines could not be written" in line for line in lines)
    assert capfd.readouterr() == ("", "")


def test_a_record_that_cannot_be_formatted_loses_no_other_record(
    home: Home, capfd: pytest.CaptureFixture[str]
) -> None:
    class Awkward:
        def __str__(self) -> str:
            raise RuntimeError("no words")

    handler = open_log(home)
    unspeakable = record("%s")
    unspeakable.args = (Awkward(),)
    handler.handle(unspeakable)
    handler.handle(record("kept"))
    handler.close()
    assert "kept" in text_of(home)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("kind", ["folder", *LINK_OR_PIPE])
def test_only_a_file_is_written_to(kind: str, home: Home, tmp_path: Path) -> None:
    home.state.mkdir()
    reader = -1
    if kind == "link":
        home.log.symlink_to(tmp_path / "elsewhere")
    elif kind == "pipe":
        os.mkfifo(home.log)
        reader = os.open(home.log, os.O_RDONLY | os.O_NONBLOCK)
    else:
        home.log.mkdir()
    assert why_not_writable(home)
    with logging_to(home, "host"):
        logging.getLogger("lanuno.x").info("not there")
    assert not (tmp_path / "elsewhere").exists()
    if kind == "pipe":
        assert os.read(reader, 1) == b""
        os.close(reader)


def test_a_file_that_others_could_read_is_made_private(home: Home) -> None:
    home.state.mkdir()
    home.log.touch(0o644)
    home.log.chmod(0o644)
    assert why_not_writable(home) == ""
    assert is_private(home.log)


def test_a_disk_without_room_is_told(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "free_bytes", lambda _path: 0)
    assert "no space" in why_not_writable(home)


def test_a_log_that_is_moved_or_deleted_begins_anew(home: Home) -> None:
    handler = open_log(home)
    handler.handle(record("first"))
    home.log.unlink()
    handler.handle(record("second"))
    home.log.rename(home.log.with_name("away"))
    handler.handle(record("third"))
    handler.close()
    assert "second" in home.log.with_name("away").read_text(encoding="utf-8")
    assert "third" in home.log.read_text(encoding="utf-8")


def test_a_lock_held_for_long_lets_the_log_grow_to_twice_its_limit(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logfile, "LARGEST_LOG", 400)
    handler = open_log(home)
    handler.handle(record("first"))
    other = files.open_to_append(home.log)
    assert files.lock(other)
    for number in range(40):
        handler.handle(record(f"line {number}"))
    assert 400 < home.log.stat().st_size <= 800
    assert len(list(home.state.iterdir())) == 1
    os.close(other)
    handler.handle(record("last"))
    handler.close()
    assert "lines could not be written" in home.log.read_text(encoding="utf-8")
    assert "last" in home.log.read_text(encoding="utf-8")


MANY = """
import logging, sys
from pathlib import Path
from lanuno.store import logfile
from lanuno.store.paths import Home
logfile.LARGEST_LOG = 4000
handler = logfile.LogFile(Home.at(Path(sys.argv[1])))
for number in range(300):
    handler.handle(logging.LogRecord("x", 20, "", 0, f"{sys.argv[2]} {number} end", None, None))
handler.close()
"""


def test_programs_that_share_a_log_leave_whole_lines_and_bounded_files(home: Home) -> None:
    command = [sys.executable, "-c", MANY, str(home.state)]
    programs = [subprocess.Popen([*command, str(each)], cwd=ROOT) for each in range(4)]
    assert [each.wait(120) for each in programs] == [0] * 4
    files = sorted(home.state.iterdir())
    assert len(files) == 1 + logfile.OLD_FILES
    # Twice the limit while one program is slow to move the file aside, plus one line of each other.
    assert max(file.stat().st_size for file in files) < 2 * 4000 + 3 * 200
    lines = text_of(home).splitlines()
    assert lines
    others = [line for line in lines if not line.endswith(" end")]
    assert all("this is LanUNO" in each or "could not be written" in each for each in others)
