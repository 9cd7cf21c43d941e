"""Check which user runs the program at the other end of a Unix socket.

The permissions of the socket's folder keep other users out. This also checks the peer, before
anything is sent to it or accepted from it.
"""

from __future__ import annotations

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


def is_own_user(descriptor: int) -> bool:
    """Whether the other end of this connected socket belongs to the user of this program.

    False if the system call fails. On a platform without such a call the result is True, because
    the folder of the socket is the only protection there.
    """
    try:
        with socket.socket(fileno=os.dup(descriptor)) as sock:
            if sys.platform == "linux":
                data = sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
                user: int = _UCRED.unpack(data)[1]
            elif sys.platform == "darwin":
                data = sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES)
                user = _XUCRED.unpack_from(data)[1]
            else:
                return True
    except (OSError, struct.error):
        return False
    return user == os.geteuid()
