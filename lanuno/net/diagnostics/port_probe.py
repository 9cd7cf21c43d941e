"""Check whether a local or remote socket accepts connections."""

from __future__ import annotations

import contextlib
import socket


def answers_at(host: str, port: int, seconds: float) -> bool:
    """Whether a TCP port accepts a connection within `seconds`."""
    with contextlib.suppress(OSError):
        socket.create_connection((host, port), seconds).close()
        return True
    return False


def answers_locally(path: str, seconds: float) -> bool:
    """Whether a Unix socket accepts a connection. An abstract name begins with a zero byte."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as sock:
        sock.settimeout(seconds)
        sock.connect(path)
        return True
    return False
