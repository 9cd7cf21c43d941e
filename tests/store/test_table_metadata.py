"""The metadata that a host needs again and that is not in the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.paths import Home
from lanuno.store.table_metadata import load_metadata, save_metadata
from lanuno.table.messages import PeerAddress
from lanuno.table.metadata import TableMetadata
from tests.harness.systems import is_private


def test_they_are_kept_and_private(tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.create()
    assert load_metadata(home, b"t" * 32) is None
    places = (PeerAddress(1, "192.168.1.7", 47474), PeerAddress(2, "fe80::1%3", 47475))
    kept = TableMetadata(
        name="Casa", pin="4711", rounds=3, spectators=False, port=5000, places=places
    )
    save_metadata(home, b"t" * 32, TableMetadata())
    save_metadata(home, b"t" * 32, kept)
    assert load_metadata(home, b"t" * 32) == kept
    assert "4711" not in repr(kept)
    assert is_private(home.table_metadata(b"t" * 32))


@pytest.mark.parametrize("data", [b"", b"[]", b'{"pin": 4711}', b'{"port": 0}', b"\xff"])
def test_damage_is_told_without_quoting_and_kept(data: bytes, tmp_path: Path) -> None:
    home = Home.at(tmp_path)
    home.create()
    path = home.table_metadata(b"t" * 32)
    path.write_bytes(data)
    path.chmod(0o600)
    with pytest.raises(StoreError) as caught:
        load_metadata(home, b"t" * 32)
    assert caught.value.problem is FileProblem.DAMAGED
    assert "4711" not in str(caught.value)
    assert path.read_bytes() == data
