"""`lanuno doctor`: the problems it finds, as text and JSON, in both languages."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.cli import doctor
from lanuno.cli.exits import ExitCode
from lanuno.cli.main import main
from lanuno.client.languages import languages
from lanuno.client.texts import Texts
from lanuno.net.diagnostics.doctor import Finding, FindingKind, Health
from tests.harness.processes.programs import Program


def test_on_loopback_nothing_is_in_the_way(tmp_path: Path) -> None:
    program = Program("doctor", "--adapter", "127.0.0.1", "--json", home=tmp_path / "a" / "b")
    ended = program.end()
    assert ended.code == ExitCode.OK
    assert ended.json["healthy"] is True
    whats = [each["what"] for each in ended.json["findings"]]
    assert {"used", "multicast", "reached"} <= set(whats)
    assert ended.json["versions"]["zeroconf"] != "-"
    log = tmp_path / "a" / "b" / "lanuno.log"
    assert ended.json["log"] == {"file": str(log), "writable": True, "why": ""}


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "LanUNO writes its log to"), ("es", "LanUNO escribe su registro en")],
)
def test_it_names_the_log(
    language: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = [
        "doctor",
        "--adapter",
        "127.0.0.1",
        "--home",
        str(tmp_path / "h"),
        "--lang",
        language,
    ]
    log = tmp_path / "h" / "lanuno.log"
    assert main(command) == ExitCode.OK
    assert f"{said} {log}" in capsys.readouterr().out
    log.unlink()
    log.mkdir()
    assert main(command) == ExitCode.OK
    text = Texts(language)
    out = capsys.readouterr().out
    assert f"!  {text('doctor.no_log', why='')}" in out
    assert f"-> {text('doctor.advice.no_log', file=log)}" in out


def test_what_is_in_the_way_is_said_with_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(["doctor", "--adapter", "nonsense", "--home", str(tmp_path), "--lang", "es"])
    assert code == ExitCode.NETWORK
    out = capsys.readouterr().out
    assert "X  no hay ningún adaptador" in out
    assert "-> conecta este equipo" in out
    assert out.rstrip().endswith("consulta lo de arriba.")


TAKER = {"port": "5353", "program": "", "pid": "", "user": "", "command": "sudo ss -ulpn"}


@pytest.mark.parametrize(
    ("known", "named", "asks"),
    [
        ({"program": "vlc", "pid": "123", "user": "ana"}, "vlc (process 123, of the", False),
        ({"user": "root"}, "a program of the user root", True),
        ({}, "another program", True),
    ],
)
def test_who_has_the_port_is_said_or_how_to_find_out(
    known: dict[str, str],
    named: str,
    asks: bool,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = (Finding(FindingKind.MULTICAST_TAKEN, TAKER | known),)
    monkeypatch.setattr(doctor, "run_loop", lambda _: found)
    command = ["doctor", "--home", str(tmp_path), "--lang", "en"]
    assert main(command) == ExitCode.NETWORK
    out = capsys.readouterr().out
    assert named in out
    assert (f": {TAKER['command']}" in out) == asks
    assert "firewall" not in out


@pytest.mark.parametrize("language", languages())
def test_every_problem_comes_with_advice(language: str) -> None:
    text = Texts(language)
    values = {"name": "N", "addresses": "A", "detail": "D", "port": "1", "beacon": "2"}
    values |= {"address": "a", "place": "P", "taker": "T"}
    for what in FindingKind:
        finding = Finding(what, values)
        assert text.member(what, **finding.values)
        has = what in doctor._ADVICE
        assert has == (finding.health is not Health.GOOD), what
        if has:
            assert text(doctor._ADVICE[what], **finding.values)
