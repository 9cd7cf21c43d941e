"""Checks whether a local or remote socket accepts connections."""

from __future__ import annotations

import contextlib
import socket


def answers_at(host: str, port: int, seconds: float) -> bool:
    """Whether this TCP port accepts a connection within this time."""
    with contextlib.suppress(OSError):
        socket.create_connection((host, port), seconds).close()
        return True
    return False


def answers_locally(path: str, seconds: float) -> bool:
    """Whether this Unix socket does; a name that begins with a zero byte is an abstract one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(seconds)
        sock.connect(path)
        return True
    return False
