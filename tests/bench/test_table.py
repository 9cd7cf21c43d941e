"""Tests of the frame of the measurements; no measurement is run, and no time is asserted."""

from __future__ import annotations

import importlib

import pytest

from tests.bench import __main__ as bench
from tests.bench.row import Row


def test_a_row_knows_whether_its_promise_is_kept() -> None:
    assert Row("a", 1.2, 1.3).kept
    assert not Row("a", 1.4, 1.3).kept
    assert Row("a", 99.0, None).kept
    assert Row("a", 1.4, 1.3, at_least=True).kept
    assert Row("a", None, 1.3).kept
    assert not Row("a", 1.2, 1.3, at_least=True).kept


def test_the_table_names_what_is_broken() -> None:
    rows = [
        ("deal", Row("4 seats", 1.2, 1.3, "12 ms")),
        ("engine", Row("x", 2.0, 1.0)),
        ("engine", Row("y", None, 1.0, "not here", at_least=True)),
        ("engine", Row("z", 3.0, None)),
    ]
    lines = bench.table(rows).splitlines()
    assert lines[1].split() == ["deal", "4", "seats", "1.20", "≤", "1.3", "kept", "12", "ms"]
    assert lines[2].split() == ["engine", "x", "2.00", "≤", "1", "BROKEN"]
    assert lines[3].split() == ["engine", "y", "-", "≥", "1", "unknown", "not", "here"]
    assert lines[4].split() == ["engine", "z", "3.00", "-"]


def test_every_module_that_measures_is_found_and_can_run() -> None:
    found = bench.measurements()
    people = {"begin", "idle", "memory", "move", "waits", "window"}
    assert set(found) == people | {"audit", "deal", "discovery", "engine"}
    for name in found:
        assert callable(importlib.import_module(f"tests.bench.{name}").run)


def broken() -> list[Row]:
    raise ValueError("cannot be measured")


def test_one_failure_does_not_hide_the_others(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = {"bad": broken, "good": lambda: [Row("fine", 1.0, 2.0)]}
    monkeypatch.setattr(bench, "measurements", lambda: parts)
    assert bench.main([]) == 1
    out, err = capsys.readouterr()
    assert "fine" in out
    assert "cannot be measured" in err
    assert bench.main(["good"]) == 0
    assert "bad" not in capsys.readouterr().out


def test_an_unknown_name_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        bench.main(["nonsense"])
    assert caught.value.code == 2
    assert "nonsense" in capsys.readouterr().err
