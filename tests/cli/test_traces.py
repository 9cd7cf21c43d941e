"""`--trace` and `--debug` of real programs, and the replay of what they wrote."""

from __future__ import annotations

import base64
from pathlib import Path

import msgspec
import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.cli.parser import COMMANDS, TRACED_COMMANDS
from lanuno.log.faults import Unreadable
from lanuno.table.trace import TraceLine
from tests import replay_trace
from tests.harness.processes.programs import WorkingFolder, secrets_of
from tests.harness.systems import is_private
from tests.replay_trace import lines_of, printable, replay_file
from tests.replay_trace import main as replay

PIN = "q7xpin4711"


def signing_keys(home: Path) -> list[bytes]:
    """Return the keys with which a home signs: the player's, and those of its bots."""
    decode = msgspec.json.Decoder(TraceLine).decode
    drawn = {decode(line).random for line in trace_of(home).read_bytes().splitlines()}
    return [secret for secret in secrets_of(home) if secret not in drawn]


def trace_of(home: Path) -> Path:
    return home.with_name(f"{home.name}.trace")


def test_the_traces_of_a_match_are_repeated_without_any_key(
    table: WorkingFolder, capsys: pytest.CaptureFixture[str]
) -> None:
    homes = [table.folder / name for name in ("Ana", "Beto")]

    def options(home: Path) -> list[str]:
        return ["--trace", str(trace_of(home)), "--debug", "--pin", PIN]

    host = table.host("--seats", "3", "--bots", "1", "--rounds", "1", *options(homes[0]))
    guest = table.bot(
        "--json", host.heard("link: ").removeprefix("link: "), *options(homes[1]), name="Beto"
    )
    ended = [host.end(0), guest.end(0)]
    for home, end in zip(homes, ended, strict=True):
        trace = trace_of(home)
        assert is_private(trace)
        assert replay_file(trace) == 0
        data = trace.read_bytes()
        keys = signing_keys(home)
        assert len(keys) == (2 if home.name == "Ana" else 1)
        for key in keys:
            assert base64.b64encode(key) not in data
            assert key.hex().encode() not in data
        assert PIN.encode() not in data
        assert "DEBUG lanuno.net.runtime.table_logger: role: " in end.err
    said = capsys.readouterr().out
    assert "JournalSynced" in said
    assert "DIFFERS" not in said


def test_a_trace_of_a_stranger_is_printed_without_control_characters() -> None:
    assert printable("a \x1b[2J\n\x07 ñ") == "a \\x1b[2J\\n\\x07 ñ"


def test_a_line_without_an_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_trace, "LONGEST_LINE", 4096)
    with Path("/dev/zero").open("rb") as zeros, pytest.raises(Unreadable, match="more than"):
        list(lines_of(zeros))


def test_a_trace_of_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert replay([str(tmp_path / "none")]) == 2
    (tmp_path / "a.trace").write_bytes(b"no trace\n")
    assert replay([str(tmp_path / "a.trace")]) == 2
    assert "line 1 is not of a trace" in capsys.readouterr().err


@pytest.mark.usefixtures("own_home")
@pytest.mark.parametrize("command", sorted(set(COMMANDS) - set(TRACED_COMMANDS)))
def test_commands_without_a_table_have_no_trace(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = [str(tmp_path / "x.lanuno")] if command == "verify" else []
    assert main(["--trace", str(tmp_path / "a.trace"), command, *more]) == ExitCode.USAGE
    assert f"'{command}' plays at no table" in capsys.readouterr().err
    assert not (tmp_path / "a.trace").exists()


@pytest.mark.usefixtures("own_home")
def test_a_file_that_is_there_is_not_overwritten(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.trace").write_bytes(b"precious")
    assert main(["--lang", "es", "host", "--trace", str(tmp_path / "a.trace")]) == ExitCode.FILES
    assert "ya existe" in capsys.readouterr().err
    assert (tmp_path / "a.trace").read_bytes() == b"precious"
