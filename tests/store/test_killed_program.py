"""If a program is killed at any system call, its files are readable and hold everything stored."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from lanuno.log.format.transcript import read
from lanuno.store.errors import StoreError
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.recovery import read_table, unfinished_tables
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import load_metadata
from lanuno.store.table_records import TableRecords
from tests.harness.systems import skip_module_on_windows
from tests.store import killed_program as dying
from tests.store.killed_program import CALLS, ENTRIES, KEPT, SIGNED

skip_module_on_windows("a process cannot be copied to die at each of its calls")

table = cache(dying.played)


@pytest.fixture(autouse=True)
def _fast_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "fsync", lambda _file: None)


def lives(story: str, folder: Path) -> list[tuple[Home, list[str]]]:
    """Return (home, words told) of each process killed in a story, and of the one that survived."""
    folder = folder / "lives"
    folder.mkdir()
    command = [sys.executable, "-m", "tests.store.killed_program", story, str(folder)]
    subprocess.run(command, check=True, cwd=Path(__file__).resolve().parents[2])
    homes = [Home.at(each) for each in sorted(folder.iterdir())]
    assert len(homes) > 2 * len(CALLS)
    return [(home, (home.data / "told").read_text().splitlines()) for home in homes]


def entries_in(path: Path) -> int:
    """Return how many entries of the story's table a complete, undamaged transcript holds."""
    found = read(path.read_bytes())
    assert not found.torn
    assert found.entries == tuple(table().entries[: len(found.entries)])
    return len(found.entries)


def test_a_cut_loses_nothing(tmp_path: Path) -> None:
    genesis = table().genesis
    identity = genesis.read().seats[0].identity
    damaged: list[StoreError] = []
    for home, told in lives("cut", tmp_path):
        path = home.transcript(genesis.table_id)
        written = sum(word.startswith("entry") for word in told)
        # Restart, and see how far the log goes.
        records = TableRecords(home, resumed=True)
        records.begin(genesis)
        here = entries_in(path)
        asides = sorted(home.games.glob("[!.]*.aside*"))
        # The glob leaves out the incomplete copy of a killed program.
        held = max([entries_in(aside) for aside in asides], default=0)
        assert max(here, held) >= written
        if "cut" in told:
            assert held == ENTRIES
            assert here >= KEPT + sum(word.startswith("again") for word in told)
        elif here < written:
            assert (here, held) == (KEPT, ENTRIES)
        # The program continues, and truncates again, no matter what was truncated before.
        records.truncate(KEPT)
        for entry in table().entries[entries_in(path) : ENTRIES]:
            records.entry(entry)
        records.body(0, 0, SIGNED)
        records.close()
        assert entries_in(path) == ENTRIES
        (left,) = unfinished_tables(home, identity, damaged.append)
        assert read_table(home, left.table_id).state.entries == tuple(table().entries[:ENTRIES])
    assert not damaged


def test_a_sidecar_keeps_what_it_said(tmp_path: Path) -> None:
    for home, told in lives("sidecar", tmp_path):
        with Sidecar(home.sidecar(b"t" * 32)) as kept:
            for word in told:
                what, _, digits = word.partition(" ")
                number = int(digits or 0)
                match what:
                    case "bot":
                        assert kept.bots() == (b"b" * 32,)
                    case "seed":
                        seed = bytes([number]) * 32
                        assert kept.seeds()[number] == {(b"o" * 32, "round"): seed}
                    case "signed":
                        assert kept.signed()[number][250 * number] == b"signed"
                    case "later":
                        assert kept.signed()[number][250 * number + 100] == b"signed"
                    case "vote":
                        assert kept.votes()[number] == b"vote"
            for seat, bodies in kept.signed().items():
                assert max(bodies) < kept.next_counter(seat)
        # All of it can be stored again: the same bytes are no contradiction.
        dying.sidecar(table())(home, lambda _word: None)
        with Sidecar(home.sidecar(b"t" * 32)) as kept:
            assert kept.torn is None
            assert len(kept.votes()) == len(kept.seeds()) == len(kept.signed()) == 3


def test_a_newcomer_has_one_key_for_ever(tmp_path: Path) -> None:
    for home, told in lives("profile", tmp_path):
        key = load_profile(home).identity.public.hex()
        assert told[:1] in ([], [key])
        kept = load_metadata(home, b"t" * 32)
        port = int(told[-1].removeprefix("port ")) if len(told) > 1 else 0
        assert (0 if kept is None else kept.port or 0) in (port, port + 1)


def test_a_deletion_is_whole_or_can_be_done_again(tmp_path: Path) -> None:
    genesis = table().genesis
    for home, told in lives("delete", tmp_path):
        history = History(home)
        assert history.set_aside_reason is None
        left = [path for path in home.data.rglob("*") if genesis.table_id.hex() in path.name]
        history.refresh()
        assert history.unusable() == ()
        listed = history.game(genesis.table_id) is not None
        assert listed == home.transcript(genesis.table_id).exists()
        assert listed or left == []
        assert not (listed and told)
        history.delete(genesis.table_id)
        history.close()
        # A killed program may leave incomplete files of other kinds, but no file of this game.
        assert not [path for path in home.data.rglob("*") if genesis.table_id.hex() in path.name]
