"""Which user's program is at the other end of a Unix socket."""

from __future__ import annotations

import os
import socket

import pytest

from lanuno.system.local_sockets import is_own_user


def test_ones_own_program() -> None:
    one, other = socket.socketpair(socket.AF_UNIX)
    with one, other:
        assert is_own_user(one.fileno())
        # The check must not close the socket.
        one.sendall(b"x")
        assert other.recv(1) == b"x"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be another user")
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
