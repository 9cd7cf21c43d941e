"""Whether sockets of TCP and of this computer accept connections."""

from __future__ import annotations

import secrets
import socket
from pathlib import Path

from lanuno.net.diagnostics.port_probe import answers_at, answers_locally
from tests.harness.sockets.running import PATIENCE, open_files


def test_a_port_answers_while_a_program_listens_there() -> None:
    before = open_files()
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port = sock.getsockname()[1]
        assert not answers_at("127.0.0.1", port, PATIENCE), "bound, but not listening"
        sock.listen()
        assert answers_at("127.0.0.1", port, PATIENCE)
        # The probe has closed its end, so the listener reads the end of the stream.
        accepted, _ = sock.accept()
        with accepted:
            assert accepted.recv(1) == b""
    assert not answers_at("127.0.0.1", port, PATIENCE)
    assert open_files() == before


def test_an_unknown_name_does_not_answer() -> None:
    assert not answers_at("no-such-host.invalid", 1, PATIENCE)


def test_a_local_socket_answers_while_a_program_listens_there(tmp_path: Path) -> None:
    file = tmp_path / "socket"
    path = str(file)
    assert not answers_locally(path, PATIENCE)
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(path)
        assert not answers_locally(path, PATIENCE), "bound, but not listening"
        sock.listen()
        assert answers_locally(path, PATIENCE)
    # The file outlives its program.
    assert file.exists()
    assert not answers_locally(path, PATIENCE)


def test_a_local_socket_may_have_an_abstract_name() -> None:
    name = f"\0lanuno-test-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(name)
        sock.listen()
        assert answers_locally(name, PATIENCE)
    assert not answers_locally(name, PATIENCE)


def test_a_path_without_a_socket_does_not_answer(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    for path in (file, tmp_path, tmp_path / ("long" * 100)):
        assert not answers_locally(str(path), PATIENCE)
