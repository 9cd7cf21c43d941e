"""Whether anybody answers at a local or remote socket, of which nothing else is wanted."""

from __future__ import annotations

import contextlib
import socket


def answers_at(host: str, port: int, patience: float) -> bool:
    """Whether this TCP port takes a connection within so many seconds."""
    with contextlib.suppress(OSError):
        socket.create_connection((host, port), patience).close()
        return True
    return False


def answers_locally(path: str, patience: float) -> bool:
    """Whether this Unix socket does; a name that begins with a zero byte is an abstract one."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as there:
        there.settimeout(patience)
        there.connect(path)
        return True
    return False
