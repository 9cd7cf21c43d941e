"""Whether a port of TCP accepts connections."""

from __future__ import annotations

import socket

from lanuno.net.diagnostics.port_probe import answers_at
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
