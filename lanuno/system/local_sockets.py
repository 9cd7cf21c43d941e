"""Sockets between programs of one computer: whether anybody answers, and whose program that is.

Windows has named pipes instead; access lists protect them (`Instance` in the app).
"""

from __future__ import annotations

import contextlib
import os
import socket
import struct
import sys
from typing import Final

# <sys/un.h> of macOS: LOCAL_PEERCRED at the level SOL_LOCAL, which is 0. Python defines neither.
_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 0x001
_XUCRED_BYTES: Final = 76
_XUCRED: Final = struct.Struct("=II")
"""The start of `struct xucred`: version, user."""
_UCRED: Final = struct.Struct("=iII")
"""<sys/socket.h> of Linux, `struct ucred`: process, user, group."""


if sys.platform == "win32":

    def answers(path: str, seconds: float) -> bool:
        return False

    def is_own_user(descriptor: int) -> bool:
        return True

else:

    def answers(path: str, seconds: float) -> bool:
        """Whether a Unix socket accepts a connection. An abstract name begins with a zero byte."""
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(seconds)
            sock.connect(path)
            return True
        return False

    def is_own_user(descriptor: int) -> bool:
        """Whether the other end of this connected socket belongs to the user of this program.

        False if the system call fails. On a platform without such a call the result is True,
        because the folder of the socket is the only protection there.
        """
        try:
            with socket.socket(fileno=os.dup(descriptor)) as sock:
                if sys.platform == "linux":
                    data = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
                    user: int = _UCRED.unpack(data)[1]
                elif sys.platform == "darwin":
                    data = sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
                    user: int = _XUCRED.unpack_from(data)[1]
                else:
                    return True
        except (OSError, struct.error):
            return False
        return user == os.geteuid()
