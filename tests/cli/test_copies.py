"""`lanuno verify` of several files: copies of one game, and which of them decides."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.cli.main import main
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.format.transcript import write
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.verification import ComparableFile, Comparison, Unchecked, Verifier
from tests.cli.verify_cases import FIELDS, changed, verify
from tests.harness.log_table.elections import elect
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.tournaments import play, tournament_genesis

pytestmark = pytest.mark.usefixtures("own_home")


def test_several_files_the_worst_decides(
    good: Path, played: LogTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut, bad, missing = (tmp_path / name for name in ("cut", "bad", "missing"))
    cut.write_bytes(played.file[:-1])
    bad.write_bytes(write(played.genesis, changed(played, 5, state=bytes(32))))
    for paths, code in (
        ([good, good], 0),
        ([good, cut], 4),
        ([missing, good, cut], 3),
        ([missing, bad, good, cut], 1),
    ):
        found = verify(*paths, capsys=capsys)
        assert sorted(found) == ["blame", "command", "exit", "files", "verdict"]
        assert found["exit"] == code
        assert [each["file"] for each in found["files"]] == [str(path) for path in paths]
        for each in found["files"]:
            assert sorted(each) == sorted([*FIELDS, "file"])


def test_two_copies_of_one_game_that_differ(
    played: LogTable, good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An honest host might have signed each copy, but not both."""
    number = len(played.entries) - 1
    other = played.fork(number - 4)
    other.add(HOST, other.close(CloseReason.INCOMPLETE))
    copy, missing = tmp_path / "copy.lanuno", tmp_path / "missing"
    copy.write_bytes(other.file)
    assert verify(copy, capsys=capsys)["exit"] == 4
    found = verify(missing, good, copy, copy, capsys=capsys)
    assert (found["exit"], found["verdict"]) == (1, "cheating")
    verdicts = [each["verdict"] for each in found["files"]]
    assert verdicts == ["unreadable", "verified", "incomplete", "incomplete"]
    blame = {"player": "p0", "fault": "equivocation", "round": 0, "entry": number - 4}
    assert found["blame"] == [blame]
    assert main(["verify", str(good), str(copy), "--lang", "en"]) == 1
    assert "p0, the host, signed two versions" in capsys.readouterr().out


def test_two_copies_of_which_each_has_another_host_of_one_term(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each copy shows a valid election; both together reveal who voted in both."""
    table = new_table(3, salt=4)
    copies = [tmp_path / "one.lanuno", tmp_path / "two.lanuno"]
    for candidate, copy in enumerate(copies, 1):
        one = table.fork()
        elect(one, candidate, 1, 0, candidate)
        copy.write_bytes(one.file)
        assert verify(copy, capsys=capsys)["exit"] == 4
    found = verify(*copies, capsys=capsys)
    assert found["exit"] == 1
    blame = {"player": "p0", "fault": "double-vote", "round": 0, "entry": table.replay.seq}
    assert found["blame"] == [blame]
    assert main(["verify", *map(str, copies), "--lang", "en"]) == 1
    assert "p0: voted twice" in capsys.readouterr().out


@pytest.fixture(scope="module")
def two_ends() -> tuple[LogTable, LogTable]:
    """A match of three players, and what two of them continued after an earlier entry."""
    table = new_table(3, Ruleset(hand_size=2, format=Format.SINGLE), salt=1)
    table.run(lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.PLAY)
    other = table.fork()
    elect(other, 1, 1, 1, 2)
    other.drop(0)
    return table.run(), other.run()


def test_two_closed_copies_that_end_differently_are_no_success(
    two_ends: tuple[LogTable, LogTable], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = two_ends
    paths = tmp_path / "one.lanuno", tmp_path / "other.lanuno"
    for path, table in zip(paths, two_ends, strict=True):
        path.write_bytes(table.file)
        assert verify(path, capsys=capsys)["exit"] == 0
    found = verify(*paths, paths[0], capsys=capsys)
    assert sorted(found) == ["apart", "blame", "command", "exit", "files", "verdict"]
    assert (found["exit"], found["verdict"], found["blame"]) == (4, "incomplete", [])
    assert [each["verdict"] for each in found["files"]] == ["verified"] * 3
    (apart,) = found["apart"]
    old = next(n for n, e in enumerate(other.entries) if e.core != one.entries[n].core)
    assert (apart["table_id"], apart["entry"]) == (one.genesis.table_id.hex(), old)
    names = [str(path) for path in paths]
    assert apart["copies"] == [
        {"file": name, "verdict": "verified", "closed": True, "winner": winner}
        for name, winner in zip(names, ("p0", "p1"), strict=True)
    ]
    assert [each["player"] for each in apart["suspected"]] == ["p1", "p2"]
    for each in apart["suspected"]:
        assert (each["voted_in"], each["shown_in"]) == (names[1], names[0])
        assert (each["entry"], each["claimed"]) == (old, old)
        assert old < each["held"] <= each["shown_by"] < len(one.entries)


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("end differently", "winner: p0", "suspected: p1 voted", "no proof")),
        (
            "es",
            ("terminan de forma distinta", "ganador: p0", "sospecha: p1 votó", "No es una prueba"),
        ),
    ],
)
def test_copies_that_end_differently_in_words(
    two_ends: tuple[LogTable, LogTable],
    language: str,
    said: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    paths = tmp_path / "one.lanuno", tmp_path / "other.lanuno"
    for path, table in zip(paths, two_ends, strict=True):
        path.write_bytes(table.file)
    assert main(["verify", *map(str, paths), "--lang", language]) == 4
    out, err = capsys.readouterr()
    assert err == ""
    for each in said:
        assert each in out
    assert "p0 " not in out.partition(said[0])[2].partition(said[2])[2]


def test_copies_of_which_one_was_never_closed_part_too(
    two_ends: tuple[LogTable, LogTable], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = two_ends
    paths = tmp_path / "one.lanuno", tmp_path / "other.lanuno"
    paths[0].write_bytes(write(one.genesis, one.entries[:-2]))
    paths[1].write_bytes(other.file)
    found = verify(*paths, capsys=capsys)
    assert (found["exit"], found["verdict"]) == (4, "incomplete")
    assert [each["closed"] for each in found["apart"][0]["copies"]] == [False, True]
    main(["verify", *map(str, paths), "--lang", "en"])
    out = capsys.readouterr().out
    assert "are copies of the same table and differ from entry" in out
    assert "suspected: p2 voted" in out


def test_copies_of_other_games_are_not_compared(
    good: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other.lanuno"
    other.write_bytes(new_table(2, salt=7).run().file)
    found = verify(good, other, capsys=capsys)
    assert (found["exit"], found["blame"]) == (0, [])


def test_one_good_copy_says_nothing_about_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """This also holds beside the genesis of a tournament, which combines the good tables."""
    genesis = tournament_genesis()
    table = play(TournamentReplay(genesis).table(0))
    forged = Entry(table.entries[-1].core, bytes(64))
    paths = [tmp_path / name for name in ("genesis", "good", "cut", "forged")]
    paths[0].write_bytes(write(genesis, ()))
    paths[1].write_bytes(write(table.genesis, table.entries))
    paths[2].write_bytes(write(table.genesis, table.entries[:-5]))
    paths[3].write_bytes(write(table.genesis, (*table.entries[:-1], forged)))
    found = verify(*paths, capsys=capsys)
    assert found["exit"] == 3
    verdicts = [each["verdict"] for each in found["files"]]
    assert verdicts == ["incomplete", "verified", "incomplete", "changed"]
    assert len(found["tournament"]["tables"]) == 1


def test_copies_that_cannot_be_compared_are_no_success(
    two_ends: tuple[LogTable, LogTable],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    paths = tmp_path / "one.lanuno", tmp_path / "other.lanuno"
    for path, table in zip(paths, two_ends, strict=True):
        path.write_bytes(table.file)

    def change(_: Verifier, files: list[ComparableFile]) -> Comparison | Unchecked:
        paths[0].write_bytes(two_ends[1].file)
        return compare(verifier, files)

    verifier = Verifier()
    compare = Verifier.compare
    with verifier:
        monkeypatch.setattr(Verifier, "compare", change)
        found = verify(*paths, capsys=capsys)
    assert (found["exit"], found["verdict"]) == (4, "incomplete")
    assert [each["verdict"] for each in found["files"]] == ["verified"] * 2
    assert "changed while it was checked" in found["not_compared"]
