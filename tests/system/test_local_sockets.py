"""Whether a program answers at a socket of this computer, and which user's it is."""

from __future__ import annotations

import os
import secrets
import socket
from pathlib import Path

import pytest

from lanuno.system import files
from lanuno.system.local_sockets import answers, is_own_user
from tests.harness.sockets.running import PATIENCE
from tests.harness.systems import skip_module_on_windows

skip_module_on_windows("it has named pipes, which access lists protect")


def test_ones_own_program() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert is_own_user(one.fileno())
        # The check must not close the socket.
        one.sendall(b"x")
        assert other.recv(1) == b"x"


@pytest.mark.skipif(files.own_ids()[0] != 0, reason="only root can be another user")
def test_a_socket_of_another_user_is_not_of_the_own_user(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        monkeypatch.setattr(os, "geteuid", lambda: 65534)
        assert not is_own_user(one.fileno())


def test_a_descriptor_that_is_no_socket_is_not_of_the_own_user() -> None:
    assert not is_own_user(-1)
    read, write = os.pipe()
    assert not is_own_user(read)
    os.close(read)
    os.close(write)


def test_a_local_socket_answers_while_a_program_listens_there(tmp_path: Path) -> None:
    file = tmp_path / "socket"
    path = str(file)
    assert not answers(path, PATIENCE)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(path)
        assert not answers(path, PATIENCE), "bound, but not listening"
        sock.listen()
        assert answers(path, PATIENCE)
    # The file outlives its program.
    assert file.exists()
    assert not answers(path, PATIENCE)


def test_a_local_socket_may_have_an_abstract_name() -> None:
    name = f"\0lanuno-test-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(name)
        sock.listen()
        assert answers(name, PATIENCE)
    assert not answers(name, PATIENCE)


def test_a_path_without_a_socket_does_not_answer(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, tmp_path, tmp_path / ("long" * 100)):
        assert not answers(str(path), PATIENCE)
