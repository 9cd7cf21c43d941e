"""`lanuno verify`: its result for every kind of file."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from multiprocessing import active_children
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from lanuno.cli import verify as verify_module
from lanuno.cli.main import main
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.format.transcript import MAX_FILE_BYTES, write
from lanuno.log.replay.replay import open_payload
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.store.verification import ComparableFile, Comparison, Unchecked, Verifier
from tests.cli.verify_cases import FIELDS, changed, verify
from tests.harness.log_table.elections import elect
from tests.harness.log_table.filling import BOT, fill_in_payload
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import LogTable, make_genesis, make_roster, new_table
from tests.harness.log_table.moments import (
    dropped_before_its_mask,
    dropped_twice_as_silent,
    playing,
)
from tests.harness.log_table.tournaments import play, tournament_genesis
from tests.harness.systems import needs_signals, not_on_windows, not_under_wine

pytestmark = pytest.mark.usefixtures("own_home")

CHECKS = [
    *("chain", "signatures", "members", "commitments", "masks", "locks", "keys", "cards"),
    *("rules", "scores", "reveals", "shares", "states"),
]


def test_a_good_game(good: Path, played: LogTable, capsys: pytest.CaptureFixture[str]) -> None:
    found = verify(good, capsys=capsys)
    assert sorted(found) == sorted([*FIELDS, "command", "exit"])
    assert (found["exit"], found["verdict"]) == (0, "verified")
    assert found["table_id"] == played.genesis.table_id.hex()
    assert (found["preset"], found["players"]) == ("classic", ["p0", "p1"])
    assert (found["entries"], found["attestations"]) == (len(played.entries), 4)
    assert [each["round"] for each in found["rounds"]] == [0, 1]
    for each in found["rounds"]:
        assert sorted(each) == [
            *("checks", "counted", "filled", "left_out", "round", "spoilers", "unrevealed", "void"),
        ]
        assert (each["void"], each["spoilers"], each["unrevealed"]) == (None, [], [])
        assert each["counted"] is (each["round"] > 0)
        assert [check["name"] for check in each["checks"]] == CHECKS
        assert all(
            check == {"detail": "", "name": check["name"], "ok": True} for check in each["checks"]
        )
    assert found["scores"] == dict(zip(("p0", "p1"), played.replay.match.totals, strict=True))
    assert (found["blame"], found["winner"]) == ([], None)
    assert (found["decided"], found["dropped"], found["clock"]) == ("cards", [], [])
    assert (found["expelled"], found["forfeited"]) == ([], None)
    assert main(["verify", str(good)]) == 0
    assert capsys.readouterr().out.splitlines()[1:5] == [
        "Decided by the cards.",
        "Every player's randomness was used.",
        "Every shuffle matches it.",
        "Every card on the table came from those shuffles, and every move was legal.",
    ]


def test_a_shuffle_without_somebody(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict claims nothing for a player who was gone before the cards were masked."""
    path = tmp_path / "gone.lanuno"
    path.write_bytes(dropped_before_its_mask().file)
    found = verify(path, capsys=capsys)
    assert found["verdict"] == "verified"
    assert [each["left_out"] for each in found["rounds"]] == [[], ["p4"]]
    assert main(["verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "The randomness of everybody who was still there was used in every shuffle." in lines
    assert "Every player's randomness was used." not in lines


def test_a_chair_that_a_bot_has_filled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = new_table(4, PAIRS, rounds=1).run(playing)
    table.drop(3)
    table.run(lambda each: each.replay.between_rounds)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    path = tmp_path / "filled.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)
    assert found["rounds"][-1]["filled"] == [{"player": "p3", "by": "p0"}]
    assert main(["verify", str(path)]) == 0
    number = found["rounds"][-1]["round"]
    lines = capsys.readouterr().out.splitlines()
    assert f"round {number}: a bot of p0 played for p3" in lines


def test_a_match_that_the_hosts_word_decides(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The host reports an honest player silent twice; the output says so and blames no player."""
    path = tmp_path / "silent.lanuno"
    path.write_bytes(dropped_twice_as_silent().file)
    found = verify(path, capsys=capsys)
    assert (found["verdict"], found["decided"], found["blame"]) == ("verified", "absence", [])
    assert (found["expelled"], found["noted"]) == (["p1"], [])
    assert [(each["player"], each["reason"], each["signed"]) for each in found["dropped"]] == [
        ("p1", "silent", False)
    ] * 2
    assert [(each["counted"], each["unrevealed"]) for each in found["rounds"]] == [
        (False, []),
        (False, ["p1"]),
        (True, []),
        (False, ["p1"]),
    ]
    assert main(["verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("VERIFIED, BUT DECIDED BY ABSENCE: ")
    assert "Of every round that counts:" in lines
    assert "p1 is out of the match: was missing from two rounds that became void" in lines
    assert "round 3: these players never revealed their part of the randomness: p1" in lines
    said = [line for line in lines if "only the host's word says why" in line]
    assert [line.partition(":")[0] for line in said] == ["round 1", "round 3"]


def test_seeds_that_never_come_are_noted_and_blame_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(3).run(
        lambda each: each.replay.number == 1 and each.log.phase is ProtocolPhase.REVEAL
    )
    table.drop(1, bodies.DropReason.SILENT)
    path = tmp_path / "silent.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)
    assert (found["verdict"], found["decided"], found["blame"]) == ("verified", "absence", [])
    assert [(each["player"], each["fault"]) for each in found["noted"]] == [("p1", "no-reveal")]
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert "their part of the randomness: p1\n" in out
    assert "never revealed the secrets" not in out


def test_a_match_that_is_given_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The verdict claims nothing about cards that were never played."""
    table = new_table(2).run(lambda each: each.replay.number == 1)
    table.drop(1, bodies.DropReason.LEFT)
    path = tmp_path / "left.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)
    assert (found["verdict"], found["decided"]) == ("verified", "absence")
    assert (found["forfeited"], found["winner"]) == ("p1", "p0")
    assert [each["signed"] for each in found["dropped"]] == [True]
    assert main(["verify", str(path), "--lang", "es"]) == 0
    out = capsys.readouterr().out
    assert "Ninguna ronda de juego cuenta" in out
    assert "Se usó el azar" not in out
    assert "cada jugada" not in out
    assert "ronda 1: p1 se fue, y lo firmó\n" in out
    assert "p1 ya no estaba, así que p0 ganó la partida\n" in out


def test_a_match_of_which_nothing_counts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(3, rounds=0)
    plan = table.replay.next_plan()
    assert plan is not None
    table.add(HOST, open_payload(plan))
    path = tmp_path / "nothing.lanuno"
    path.write_bytes(table.run().file)
    assert verify(path, capsys=capsys)["decided"] is None
    assert main(["verify", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("VERIFIED, BUT NOTHING COUNTS: ")
    assert "Every player's randomness was used." not in lines


@pytest.mark.parametrize(("turns", "words"), [(1, "one turn of p0;"), (2, "2 turns of p0;")])
def test_turns_that_the_clock_played(
    turns: int, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def played_by_clock(table: LogTable) -> bool:
        current = table.replay.round
        return current is not None and len(current.clock_turns.get(0, ())) == turns

    table = new_table(2, Ruleset(hand_size=5))
    while not played_by_clock(table):
        ready = table.replay.times.open_decision
        if ready is not None and ready.seat == 0:
            table.add(HOST, bodies.TimeOut(ready.decision))
        else:
            table.step()
    path = tmp_path / "clock.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)
    assert found["clock"] == [{"player": "p0", "turns": turns}]
    assert found["decided"] == ("cards" if turns == 1 else "absence")
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert "every move that a player signed was legal.\n" in out
    assert f"the clock played {words}" in out


def test_a_game_cut_short(
    played: LogTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number, data in enumerate(
        (write(played.genesis, played.entries[:-3]), played.file[:-1], write(played.genesis, ()))
    ):
        path = tmp_path / f"{number}.lanuno"
        path.write_bytes(data)
        found = verify(path, capsys=capsys)
        assert sorted(found) == sorted([*FIELDS, "command", "exit"])
        assert (found["exit"], found["verdict"], found["blame"]) == (4, "incomplete", [])


def test_a_cut_or_changed_file_says_first_from_which_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(2, rounds=2)
    table.run(lambda each: each.replay.number == 2 and each.replay.between_rounds)
    path = tmp_path / "cut.lanuno"
    # The last attestation is missing: every check of the round holds, but it has no end.
    path.write_bytes(table.fork(len(table.entries) - 1).file)
    assert main(["verify", str(path)]) == 4
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("INCOMPLETE FROM ROUND 2: ")
    assert [each for each in said if each.startswith("round 2: ")] == [
        "round 2: not whole in this file"
    ]
    assert not [each for each in said if each.startswith("Decided")]
    assert main(["verify", "--lang", "es", str(path)]) == 4
    assert capsys.readouterr().out.startswith("INCOMPLETA DESDE LA RONDA 2: ")
    changed_file = bytearray(table.file)
    changed_file[-200] ^= 1
    path.write_bytes(changed_file)
    assert main(["verify", str(path)]) == 3
    assert capsys.readouterr().out.startswith("CHANGED FROM ROUND 2: ")


def test_a_round_that_is_void(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The game is verified, and the output says which round does not count, and why."""
    table = new_table(3).run(lambda each: each.replay.number == 1)
    table.drop(2)
    path = tmp_path / "void.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)
    assert (found["exit"], found["verdict"]) == (0, "verified")
    rounds = [(each["round"], each["void"], each["spoilers"]) for each in found["rounds"]]
    assert rounds == [(0, None, []), (1, "lost", ["p2"]), (2, None, [])]
    assert main(["verify", str(path)]) == 0
    out = capsys.readouterr().out
    assert "round 1: does not count, because a player was gone: p2\n" in out
    assert "round 2: all 13 checks passed\n" in out


def test_a_round_that_somebody_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = new_table(2).run(lambda each: each.replay.number == 1)
    table.add(1, bodies.Halt(bodies.HaltReason.NO_CARD, None))
    path = tmp_path / "halted.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)["rounds"][1]
    assert (found["void"], found["spoilers"]) == ("halted", [])
    main(["verify", str(path), "--lang", "es"])
    out = capsys.readouterr().out
    assert "ronda 1: no cuenta, porque un jugador la detuvo\n" in out


def test_a_stopped_round_counts_against_who_left_with_its_seeds(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = new_table(3).run(playing)
    table.add(1, bodies.Halt(bodies.HaltReason.NO_CARD, None))
    table.drop(1, bodies.DropReason.LEFT)
    path = tmp_path / "stopped.lanuno"
    path.write_bytes(table.run().file)
    found = verify(path, capsys=capsys)["rounds"][1]
    assert (found["void"], found["spoilers"]) == ("halted", ["p1"])
    main(["verify", str(path)])
    out = capsys.readouterr().out
    assert "round 1: does not count, because a player stopped it\n" in out
    assert "round 1: that it is void counts against: p1\n" in out


def test_a_host_that_cheats(
    played: LogTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.lanuno"
    path.write_bytes(write(played.genesis, changed(played, 5, state=bytes(32))))
    found = verify(path, capsys=capsys)
    assert sorted(found) == sorted([*FIELDS, "command", "exit"])
    assert (found["exit"], found["verdict"]) == (1, "cheating")
    blame = {"player": "p0", "fault": "bad-state", "round": 0, "entry": 5}
    assert found["blame"] == [blame]
    assert main(["verify", str(path), "--lang", "es"]) == 1
    assert "p0: firmó un estado" in capsys.readouterr().out


def test_something_that_its_author_did_not_sign(
    played: LogTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forged.lanuno"
    last = played.entries[-1]
    forged = Entry(last.core, bytes(64))
    path.write_bytes(write(played.genesis, (*played.entries[:-1], forged)))
    found = verify(path, capsys=capsys)
    assert (found["exit"], found["verdict"], found["blame"]) == (3, "changed", [])
    (noted,) = found["noted"]
    assert (noted["player"], noted["fault"]) == (None, "forged")
    assert main(["verify", str(path), "--lang", "en"]) == 3
    out = capsys.readouterr().out
    assert "does not end as it was signed" in out
    assert "the game was stopped" in out


def accusing(text: str) -> bool:
    """Whether a text mentions cheating, in either language."""
    words = r"cheat|tramp|hizo|forged|falsific|proven|demostrad|never revealed|nunca se reveló"
    return re.search(words, text, re.IGNORECASE) is not None


@pytest.mark.parametrize("language", ["en", "es"])
def test_one_changed_bit_accuses_nobody(
    language: str, played: LogTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No word, field or exit code accuses a player, and the output says what the user can do."""
    chance, path = Random(14), tmp_path / "mine.lanuno"
    for at in chance.sample(range(8, len(played.file)), 20):
        data = bytearray(played.file)
        data[at] ^= 1 << chance.randrange(8)
        path.write_bytes(data)
        found = verify(path, capsys=capsys)
        assert found["verdict"] in ("changed", "incomplete"), "a changed length may look like a cut"
        assert found["exit"] == {"changed": 3, "incomplete": 4}[found["verdict"]]
        assert found["blame"] == []
        assert all(each["player"] is None for each in found["noted"])
        assert main(["verify", str(path), "--lang", language]) == found["exit"]
        out = capsys.readouterr().out
        assert not accusing(out), out
        if found["verdict"] == "changed":
            advice = {"en": "Ask another player", "es": "Pide a otro jugador"}[language]
            assert advice in out


def test_a_changed_copy_beside_a_sound_one(
    played: LogTable, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another player's file of the same game is still verified."""
    mine, theirs = tmp_path / "mine.lanuno", tmp_path / "theirs.lanuno"
    theirs.write_bytes(played.file)
    entries = [*played.entries]
    entries[20] = Entry(entries[20].core, bytes(64))
    mine.write_bytes(write(played.genesis, entries))
    found = verify(mine, theirs, capsys=capsys)
    assert [each["verdict"] for each in found["files"]] == ["changed", "verified"]
    assert (found["exit"], found["verdict"], found["blame"]) == (3, "changed", [])


NO_FILE = {
    "missing": "there is no file {}",
    "folder": "{} is a folder or a device, not a file",
    "fifo": "{} is a folder or a device, not a file",
    "loop": "cannot read {}; check that you may read it and that the disk works",
}


def make(kind: str, path: Path, good: bytes) -> None:
    """Create something that is not a transcript."""
    match kind:
        case "missing":
            return
        case "folder":
            path.mkdir()
        case "fifo":
            os.mkfifo(path)
        case "loop":
            path.symlink_to(path)
        case "device":
            path.symlink_to("/dev/zero")
        case "huge":
            with path.open("wb") as file:
                file.truncate(MAX_FILE_BYTES + 1)
        case "empty":
            path.write_bytes(b"")
        case "text":
            path.write_bytes(b"not a game\\n" * 100)
        case "newer":
            path.write_bytes(good[:7] + b"\\x02" + good[8:])
        case "picture":
            path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(500))
        case "header":
            path.write_bytes(good[:8])


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "kind",
    [
        *("missing", "folder", "loop", "device", "huge", "empty", "text", "newer"),
        pytest.param("fifo", marks=not_on_windows("it has no pipes among its files")),
        *("header", "picture"),
    ],
)
def test_a_file_that_is_no_transcript_is_unreadable(
    kind: str, language: str, tmp_path: Path, played: LogTable, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.lanuno"
    make(kind, path, played.file)
    found = verify(path, capsys=capsys)
    assert sorted(found) == sorted([*FIELDS, "command", "exit"])
    assert (found["exit"], found["verdict"], found["blame"]) == (3, "unreadable", [])
    assert found["reason"]
    assert main(["verify", str(path), "--lang", language]) == 3
    out, err = capsys.readouterr()
    assert err == ""
    first, second, *rest = out.splitlines()
    assert first.startswith({"en": "UNREADABLE", "es": "ILEGIBLE"}[language])
    assert second.startswith({"en": "why: ", "es": "por qué: "}[language])
    assert rest == []
    if language == "en" and kind in NO_FILE:
        assert second == f"why: {NO_FILE[kind].format(path)}"


@pytest.mark.parametrize(
    ("language", "why"), [("en", "more than 0 s on this"), ("es", "más de 0 s en este")]
)
def test_what_takes_too_long_is_given_up(
    language: str,
    why: str,
    good: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(verify_module, "PROCESSOR_SECONDS", 0.0)
    found = verify(good, capsys=capsys)
    assert (found["exit"], found["verdict"], found["blame"]) == (4, "incomplete", [])
    assert main(["verify", str(good), "--lang", language]) == 4
    assert why in capsys.readouterr().out


@not_under_wine("it does not limit the memory of a job")
@pytest.mark.parametrize(
    ("language", "why"), [("en", "more than 1 MiB of memory"), ("es", "más de 1 MiB de memoria")]
)
def test_what_takes_too_much_memory_is_given_up(
    language: str,
    why: str,
    good: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A separate process runs out of memory; the command continues and reports it."""
    monkeypatch.setattr(verify_module, "MEMORY_BYTES", 2**20, raising=False)
    assert main(["verify", str(good), "--lang", language]) == 4
    out, err = capfd.readouterr()
    assert why in out
    assert err == ""
    assert active_children() == []


def test_a_tournament_is_put_together_within_the_limit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    genesis = tournament_genesis()
    table = play(TournamentReplay(genesis).table(0))
    paths = tmp_path / "genesis", tmp_path / "table"
    paths[0].write_bytes(write(genesis, ()))
    paths[1].write_bytes(write(table.genesis, table.entries))
    monkeypatch.setattr(verify_module, "PROCESSOR_SECONDS", 0.0)
    found = verify(*paths, capsys=capsys)
    assert "tournament" not in found
    assert found["exit"] != 0
    table_report = found["files"][1]
    assert (table_report["verdict"], table_report["rounds"]) == ("incomplete", [])
    assert "more than 0 s" in table_report["reason"]
    assert "more than 0 s" in found["not_compared"]


@needs_signals
def test_an_interruption_leaves_nothing_behind(played: LogTable, tmp_path: Path) -> None:
    """Ctrl+C reaches both processes, as from a terminal, at any moment."""
    path = tmp_path / "long.lanuno"
    path.write_bytes(new_table(4, Ruleset(hand_size=7), salt=2, rounds=3).run().file)
    for seconds in (0.2, 0.5, 0.8, 1.2):
        program = subprocess.Popen(
            [sys.executable, "-m", "lanuno.cli.main", "verify", "--lang", "en", *[str(path)] * 9],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        time.sleep(seconds)
        os.killpg(program.pid, signal.SIGINT)
        # Both pipes reach their end only when no process holds them any more.
        _, err = program.communicate(timeout=20)
        if seconds >= 0.8:
            assert program.returncode == 130
            assert err == "lanuno: interrupted\n"
        assert "spawn" not in err


def test_a_file_names_no_path_and_opens_no_connection(tmp_path: Path) -> None:
    """Names in the file that look like paths and addresses are never opened or requested."""
    names = ("../../etc/passwd", "http://10.0.0.1/a", "__import__('os')", "%s{0.__class__}")
    roster = make_roster(len(names))
    seats = [replace(seat, name=name) for seat, name in zip(roster.seats, names, strict=True)]
    table = LogTable(make_genesis(replace(roster, seats=tuple(seats))))
    path = tmp_path / "hostile.lanuno"
    path.write_bytes(table.run().file)
    script, seen = tmp_path / "watched.py", tmp_path / "seen"
    script.write_text(WATCHED, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(path), str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "XDG_STATE_HOME": str(tmp_path / "state"),
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
        },
    )
    assert json.loads(done.stdout)["players"] == list(names)
    events = [json.loads(line) for line in seen.read_text(encoding="utf-8").splitlines()]
    assert len({process for process, _, _ in events}) >= 2
    events = [(kind, name) for _, kind, name in events]
    # The process that reads the file audits the rounds in copies of itself.
    assert {kind for kind, _ in events} <= {"open", "os.fork"}
    opened = [name for kind, name in events if kind == "open"]
    assert str(path) in opened
    assert [name for name in opened if any(each in name for each in ("etc/passwd", "10.0."))] == []
    assert done.stderr == ""


# The process that checks the file imports this too, so it is also watched.
WATCHED = """
import json, os, sys
from lanuno.cli.main import main
import lanuno.cli.verify
seen = os.open(sys.argv[2] + "/seen", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
def watch(event, args):
    if event == "open" or event.split(".")[0] in ("socket", "subprocess", "ctypes", "shutil") or (
        event in ("os.exec", "os.fork", "os.forkpty", "os.posix_spawn", "os.spawn", "os.system",
                  "os.remove", "os.rename", "os.symlink", "os.link", "os.truncate")):
        first = str(args[0]) if args else ""
        os.write(seen, json.dumps((os.getpid(), event, first)).encode() + b"\\n")
sys.addaudithook(watch)
if __name__ == "__main__":
    main(["verify", "--json", sys.argv[1], "--home", sys.argv[2] + "/home"])
"""


# ---- copies that fork ----------------------------------------------------------------------------


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
