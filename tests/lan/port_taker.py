"""A program that takes a UDP port exclusively: `python -m tests.lan.port_taker PORT [UID]`."""

from __future__ import annotations

import os
import signal
import socket
import sys


def main(port: str, uid: str = "") -> None:
    """Take the port, until the program is killed."""
    if uid:
        os.setuid(int(uid))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("", int(port)))
        sys.stdout.write("taken\n")
        sys.stdout.flush()
        signal.pause()


if __name__ == "__main__":
    main(*sys.argv[1:])
