"""Name the programs that use a UDP port, as far as this user can see.

Rule: only read /proc and try the port; change nothing and run nothing. Other systems than Linux
have no /proc, so nothing is named there.
"""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from lanuno.net.discovery.multicast import check_shared
from lanuno.system.files import user_name

_COMMANDS: Final = {
    "darwin": "sudo lsof -nP -iUDP:{port}",
    "win32": "netstat -abno -p UDP",
}
_TABLES: Final = {"udp": socket.AF_INET, "udp6": socket.AF_INET6}
_LINUX_COMMAND: Final = "sudo ss -ulpn 'sport = :{port}'"


class PortUser(Struct, frozen=True):
    """Who has a socket on a port: a process, or only a user if the process cannot be read."""

    user: str
    program: str = ""
    pid: int = 0


def naming_command(port: int, platform: str = sys.platform) -> str:
    """Return the command with which an administrator sees which programs use a UDP port."""
    return _COMMANDS.get(platform, _LINUX_COMMAND).format(port=port)


def exclusive_users(port: int) -> tuple[PortUser, ...]:
    """Return who else has a UDP port in a family in which it cannot be shared. Never raises."""
    return port_users(port, tables=[each for each in _TABLES if not _can_share(each, port)])


def _can_share(table: str, port: int) -> bool:
    with suppress(OSError):
        check_shared(port, _TABLES[table], only_ipv6=True)
        return True
    return False


def port_users(
    port: int, proc: Path = Path("/proc"), tables: Collection[str] = tuple(_TABLES)
) -> tuple[PortUser, ...]:
    """Return who else has a socket on a UDP port. Never raises."""
    owners = {
        inode: uid for table in tables for inode, uid in _sockets(proc / "self/net" / table, port)
    }
    found: dict[PortUser, None] = {}
    unseen = dict(owners)
    for pid, inode in _holders(proc, owners) if owners else ():
        unseen.pop(inode, None)
        if pid != os.getpid():
            with suppress(OSError):
                name = (proc / str(pid) / "comm").read_text("utf-8", "replace").strip()
                found[PortUser(user_name(owners[inode]), name, pid)] = None
    found |= dict.fromkeys(PortUser(user_name(uid)) for uid in unseen.values())
    return tuple(found)


def _sockets(table: Path, port: int) -> Iterator[tuple[str, int]]:
    """Yield the inode and the user id of each socket on this port (proc(5), /proc/net/udp)."""
    with suppress(OSError):
        for line in table.read_text("ascii", "replace").splitlines()[1:]:
            fields = line.split()
            with suppress(ValueError, IndexError):
                if int(fields[1].rpartition(":")[2], 16) == port:
                    yield fields[9], int(fields[7])


def _holders(proc: Path, inodes: dict[str, int]) -> Iterator[tuple[int, str]]:
    """Yield each readable process that holds one of these sockets, and the socket's inode."""
    wanted = {f"socket:[{inode}]": inode for inode in inodes}
    for folder in proc.iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):  # of another user, or just ended
                for link in (folder / "fd").iterdir():
                    with suppress(OSError):
                        inode = wanted.get(str(link.readlink()))
                        if inode is not None:
                            yield int(folder.name), inode
