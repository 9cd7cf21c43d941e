"""Tests of the paths of files that a desktop names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl

from lanuno.app.local_files import local_path, shown_name


@pytest.mark.parametrize(
    "name", [b"game.lanuno", "año 1#2?.lanuno".encode(), b"100%.lanuno", b"caf\xe9.lanuno"]
)
def test_a_url_names_the_file_whatever_its_bytes(tmp_path: Path, name: bytes) -> None:
    path = tmp_path / os.fsdecode(name)
    path.write_bytes(b"")
    url = QUrl.fromEncoded(path.as_uri().encode())
    assert local_path(url).samefile(path)


def test_a_name_is_shown_with_marks_for_bytes_that_are_no_text() -> None:
    assert shown_name(Path(os.fsdecode(b"caf\xe9.lanuno"))) == "caf\ufffd.lanuno"
    assert shown_name(Path("año.lanuno")) == "año.lanuno"
