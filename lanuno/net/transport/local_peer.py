"""Which user's program is at the other end of a Unix socket.

The folder of a socket keeps other users out. This checks the peer as well, before anything is sent
or believed.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
from typing import Final

# <sys/un.h> of macOS: LOCAL_PEERCRED at the level SOL_LOCAL, which is 0; Python does not name them.
_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 0x001
_XUCRED_BYTES: Final = 76
_XUCRED: Final = struct.Struct("=II")
"""The beginning of `struct xucred`: version, user."""
_UCRED: Final = struct.Struct("=iII")
"""<sys/socket.h> of Linux, `struct ucred`: process, user, group."""


def is_own_user(descriptor: int) -> bool:
    """Whether the other end of this connected socket belongs to the user of this program.

    False also if the system could tell and does not. Where no system call tells, the folder that
    the socket is in has to be enough: True.
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
