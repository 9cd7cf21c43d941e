"""Check whether a TCP port accepts connections."""

from __future__ import annotations

import contextlib
import socket


def answers_at(host: str, port: int, seconds: float) -> bool:
    """Whether a TCP port accepts a connection within `seconds`."""
    with contextlib.suppress(OSError):
        socket.create_connection((host, port), seconds).close()
        return True
    return False
