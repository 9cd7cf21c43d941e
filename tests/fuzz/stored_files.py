"""Parsers of the program's files, which a user or a broken disk may have changed."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from lanuno.log.format.transcript import MAGIC
from lanuno.rules.ruleset import Ruleset
from lanuno.store.app_state import AppState, WindowPlace, load_app_state, save_app_state
from lanuno.store.errors import StoreError
from lanuno.store.journal import read_journal
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.rule_sets import RuleSet, open_rule_sets, save_rule_sets
from lanuno.store.settings import load_settings
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import load_metadata
from lanuno.table.metadata import TableMetadata
from tests.fuzz.games import played
from tests.fuzz.parser import Parser

TABLE = b"t" * 32
APP_STATE = AppState(window=WindowPlace(x=1, y=2, width=3, height=4))


def _file(
    place: Callable[[Home], Path], load: Callable[[Home], object], *, cuts: bool = False
) -> Callable[[bytes], None]:
    """Check that a read, valid or not, leaves the file unchanged or sets it aside whole.

    `cuts`: for a journal opened for writing, whose torn tail is moved to a separate file.
    """

    def feed(data: bytes) -> None:
        with tempfile.TemporaryDirectory(prefix="lanuno-fuzz-") as folder:
            home = Home.at(Path(folder) / "home")
            home.create()
            path = place(home)
            path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.write_bytes(data)
            path.chmod(0o600)
            try:
                load(home)
            finally:
                kept = [each.read_bytes() for each in path.parent.glob(path.name + "*")]
                assert data in kept or cuts

    return feed


def _sidecar(home: Home) -> None:
    with Sidecar(home.sidecar(TABLE)) as found:
        assert found.next_counter(0) >= 0


def _journal(home: Home) -> None:
    read_journal(home.transcript(TABLE), MAGIC)


def _app_state(home: Home) -> None:
    _, trouble = load_app_state(home)
    if trouble is not None:
        raise trouble


def _rule_sets(home: Home) -> None:
    _, trouble = open_rule_sets(home)
    if trouble is not None:
        raise trouble


def _made(place: Callable[[Home], Path], make: Callable[[Home], object]) -> list[bytes]:
    with tempfile.TemporaryDirectory(prefix="lanuno-fuzz-") as folder:
        home = Home.at(Path(folder) / "home")
        home.create()
        place(home).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        make(home)
        return [place(home).read_bytes()]


def _make_sidecar(home: Home) -> None:
    with Sidecar(home.sidecar(TABLE)) as made:
        made.put_seed(0, b"o" * 32, "seed", b"s" * 32)
        made.put_bot(0, b"b" * 32)


REFUSED = (StoreError,)

PARSERS = (
    Parser(
        "settings",
        _file(lambda home: home.settings, load_settings),
        REFUSED,
        lambda: [b'{"version": 1, "language": "es", "text_scale": 1.5}'],
    ),
    Parser(
        "remembered",
        _file(lambda home: home.app_state, _app_state),
        REFUSED,
        lambda: _made(
            lambda home: home.app_state,
            lambda home: save_app_state(
                home, AppState(window=WindowPlace(x=1, y=2, width=3, height=4))
            ),
        ),
    ),
    Parser(
        "rule_sets",
        _file(lambda home: home.rule_sets, _rule_sets),
        REFUSED,
        lambda: _made(
            lambda home: home.rule_sets,
            lambda home: save_rule_sets(home, [RuleSet("Friday", Ruleset(jump_in=True))]),
        ),
    ),
    Parser(
        "profile",
        _file(lambda home: home.profile, load_profile),
        REFUSED,
        lambda: _made(lambda home: home.profile, load_profile),
    ),
    Parser(
        "arrangements",
        _file(lambda home: home.table_metadata(TABLE), lambda home: load_metadata(home, TABLE)),
        REFUSED,
        lambda: [msgspec.json.encode(TableMetadata(name="Kitchen"))],
    ),
    Parser(
        "sidecar",
        _file(lambda home: home.sidecar(TABLE), _sidecar, cuts=True),
        REFUSED,
        lambda: _made(lambda home: home.sidecar(TABLE), _make_sidecar),
    ),
    Parser(
        "journal",
        _file(lambda home: home.transcript(TABLE), _journal),
        REFUSED,
        lambda: [played().file[:4096]],
    ),
)
