"""The profile: one key for ever, private, and on disk before its public half is visible."""

from __future__ import annotations

import getpass
from pathlib import Path

import pytest

from lanuno.dealing.identity import Identity, verify
from lanuno.store import profile as module
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.profile import FALLBACK_NAME, load_profile, rename
from tests.harness.systems import is_private, not_on_windows

SEED = bytes(range(32))


def test_the_key_is_made_once_and_kept_private(tmp_path: Path) -> None:
    home = Home.at(tmp_path / "h")
    first = load_profile(home)
    again = load_profile(home, lambda _: pytest.fail("a second key"))
    assert again.identity.public == first.identity.public
    assert again.name == first.name
    assert verify(first.identity.public, again.identity.sign(b"x"), b"x")
    assert is_private(home.identity)
    assert is_private(home.private)
    assert load_profile(Home.at(tmp_path / "g")).identity.public != first.identity.public


def test_the_key_comes_from_the_randomness_given(tmp_path: Path) -> None:
    profile = load_profile(Home.at(tmp_path), lambda length: SEED[:length])
    assert profile.identity.public == Identity.from_seed(SEED).public


def test_the_repr_of_a_profile_hides_the_key(tmp_path: Path) -> None:
    profile = load_profile(Home.at(tmp_path), lambda _: SEED)
    assert SEED.hex() not in repr(profile)
    assert repr(SEED)[2:-1] not in repr(profile)


def test_another_program_that_was_first_wins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.at(tmp_path)
    other: list[bytes] = []

    def meanwhile(length: int) -> bytes:
        monkeypatch.undo()
        other.append(load_profile(home).identity.public)
        return SEED[:length]

    assert load_profile(home, meanwhile).identity.public == other[0]


@not_on_windows("files have no mode")
def test_a_key_that_others_could_read_is_refused_and_kept(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    load_profile(home)
    before = home.identity.read_bytes()
    home.identity.chmod(0o644)
    with pytest.raises(StoreError) as caught:
        load_profile(home)
    assert caught.value.problem is FileProblem.NOT_PRIVATE
    assert caught.value.path == home.identity
    assert home.identity.read_bytes() == before


def write_key(home: Home, data: bytes) -> None:
    home.create()
    home.identity.write_bytes(data)
    home.identity.chmod(0o600)


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", FileProblem.FOREIGN),
        (b"lanuno identity 2\n" + SEED.hex().encode() + b"\n", FileProblem.FOREIGN),
        (b"lanuno identity 1\n", FileProblem.DAMAGED),
        (b"lanuno identity 1\n" + SEED[:31].hex().encode() + b"\n", FileProblem.DAMAGED),
        (b"lanuno identity 1\n" + SEED.hex().encode() + b"00\n", FileProblem.DAMAGED),
        (b"lanuno identity 1\n" + SEED.hex().upper().encode() + b"\n", FileProblem.DAMAGED),
        (b"lanuno identity 1\n" + SEED.hex(" ").encode() + b"\n", FileProblem.DAMAGED),
        (b"lanuno identity 1\n" + b"\xff" * 64 + b"\n", FileProblem.DAMAGED),
        (b"x" * 257, FileProblem.TOO_LARGE),
    ],
)
def test_a_damaged_key_is_kept_and_never_replaced(
    data: bytes, problem: FileProblem, tmp_path: Path
) -> None:
    home = Home.at(tmp_path)
    write_key(home, data)
    with pytest.raises(StoreError) as caught:
        load_profile(home)
    assert caught.value.problem is problem
    assert caught.value.__cause__ is None
    assert home.identity.read_bytes() == data


def test_a_key_without_its_last_line_end_is_read(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    write_key(home, b"lanuno identity 1\n" + SEED.hex().encode())
    assert load_profile(home).identity.public == Identity.from_seed(SEED).public


def test_a_key_that_cannot_be_written_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = Home.at(tmp_path)

    def refuse(path: Path, _data: bytes, *, replace: bool = True) -> None:
        raise StoreError(FileProblem.NOT_WRITABLE, path)

    load_profile(home)
    home.identity.unlink()
    monkeypatch.setattr(module, "write_private", refuse)
    with pytest.raises(StoreError) as caught:
        load_profile(home)
    assert caught.value.problem is FileProblem.NOT_WRITABLE


def test_a_key_that_vanishes_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = Home.at(tmp_path)
    load_profile(home)
    home.identity.unlink()
    monkeypatch.setattr(module, "write_private", lambda *_arguments, **_named: None)
    with pytest.raises(StoreError) as caught:
        load_profile(home)
    assert caught.value.problem is FileProblem.NOT_READABLE


def test_a_name_is_suggested_and_can_be_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ana")
    home = Home.at(tmp_path)
    assert load_profile(home).name == "Ana"
    assert rename(home, "  Ana María ") == "Ana María"
    assert load_profile(home).name == "Ana María"


@pytest.mark.parametrize("error", [OSError, KeyError])
def test_a_user_without_a_name_gets_one(
    error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody() -> str:
        raise error("no such user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    assert load_profile(Home.at(tmp_path)).name == FALLBACK_NAME


def test_a_login_that_may_not_be_shown_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "x" * 21)
    assert load_profile(Home.at(tmp_path)).name == FALLBACK_NAME


@pytest.mark.parametrize("name", ["", "   ", "x" * 21, "a\nb", "a\u202eb", "\u2800"])
def test_a_bad_name_is_refused_and_the_old_one_kept(name: str, tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    load_profile(home)
    rename(home, "Ana")
    with pytest.raises(StoreError) as caught:
        rename(home, name)
    assert caught.value.problem is FileProblem.BAD_NAME
    assert load_profile(home).name == "Ana"


@pytest.mark.parametrize(
    "data", [b"", b"{}", b'{"name": 1}', b'{"name": ""}', b'{"name": "\xff"}', b'{"name": "a\\nb"}']
)
def test_a_damaged_profile_is_named_and_kept(data: bytes, tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.profile.write_bytes(data)
    with pytest.raises(StoreError) as caught:
        load_profile(home)
    assert caught.value.problem is FileProblem.DAMAGED
    assert caught.value.path == home.profile
    assert home.profile.read_bytes() == data


def test_keys_of_a_newer_version_are_tolerated(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.profile.write_text('{"name": "Ana", "avatar": 3}')
    assert load_profile(home).name == "Ana"
