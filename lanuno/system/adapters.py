"""What systems do differently about network adapters and their ports."""

from __future__ import annotations

import errno
import socket
import struct
import sys
from typing import Final

if sys.platform == "linux":
    import fcntl

    # <linux/sockios.h> SIOCGIFFLAGS; <linux/if.h> IFF_UP and IFF_RUNNING.
    _GET_FLAGS: Final = 0x8913
    _RUNNING: Final = 0x1 | 0x40

    def is_running(name: str) -> bool:
        """Whether an adapter is up and running (netdevice(7)). Other systems than Linux: True."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
            try:
                answer = fcntl.ioctl(sock, _GET_FLAGS, struct.pack("16s24x", name.encode()))
            except OSError:
                return True
        flags: int = struct.unpack_from("H", answer, 16)[0]
        return flags & _RUNNING == _RUNNING

else:

    def is_running(name: str) -> bool:
        return True


IN_USE: Final = (errno.EADDRINUSE, errno.EACCES) if sys.platform == "win32" else (errno.EADDRINUSE,)
"""Errors of binding a port to share it that another program has alone. Windows forbids that."""


def broadcast_place(address: str, broadcast: str) -> str:
    """Return the address to bind, to receive the broadcasts of the network of an own `address`.

    A socket at the broadcast address receives nothing else. Windows has no such sockets; there, one
    at the own address receives broadcasts, too.
    """
    return address if sys.platform == "win32" else broadcast


if sys.platform == "win32":

    def keep_port(sock: socket.socket) -> None:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)

else:

    def keep_port(sock: socket.socket) -> None:
        """Let no other program bind the port of this socket, and do not wait for old connections.

        On Windows, every program could take the port otherwise, and there are no old connections to
        wait for.
        """
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
