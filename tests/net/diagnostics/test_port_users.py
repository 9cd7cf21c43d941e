"""Which programs use a UDP port, seen in the real /proc, and in folders that a test writes."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lanuno.net.diagnostics.port_users import (
    PortUser,
    exclusive_users,
    naming_command,
    port_users,
)
from lanuno.system import files
from tests.harness.systems import not_on_windows, not_under_wine

HOLD = """
import socket, sys
sock = socket.socket(socket.{family}, socket.SOCK_DGRAM)
if {shared}:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
sock.bind(("", {port}))
print(sock.getsockname()[1], flush=True)
sys.stdin.read()
"""


@contextmanager
def holder(family: str, shared: int = 0) -> Iterator[tuple[int, int]]:
    """Run a program that uses a UDP port; yield its process id and the port.

    It uses any port exclusively, or shares the given one, over IPv6 only.
    """
    with subprocess.Popen(
        [sys.executable, "-c", HOLD.format(family=family, shared=bool(shared), port=shared)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())


@not_on_windows("only Linux lists the programs on its ports")
@pytest.mark.parametrize("family", ["AF_INET", "AF_INET6"])
def test_the_program_on_a_port_is_named(family: str) -> None:
    with holder(family) as (pid, port):
        name = Path(f"/proc/{pid}/comm").read_text("utf-8").strip()
        assert port_users(port) == (PortUser(files.user_name(files.own_ids()[0]), name, pid),)
    assert port_users(port) == ()


@not_on_windows("only Linux lists the programs on its ports")
def test_a_program_that_shares_the_port_is_not_accused() -> None:
    """Avahi, for one, then still uses the port over IPv6."""
    with holder("AF_INET") as (pid, port), holder("AF_INET6", port) as (other, _):
        assert {each.pid for each in port_users(port)} == {pid, other}
        assert {each.pid for each in exclusive_users(port)} == {pid}


@not_under_wine("it shows the /proc of Linux, with processes of other numbers")
def test_a_socket_of_this_program_is_not_another_program() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sock:
        sock.bind(("127.0.0.1", 0))
        assert port_users(sock.getsockname()[1]) == ()


@not_on_windows("only Linux lists the programs on its ports")
def test_a_program_that_cannot_be_read_is_known_by_its_user(tmp_path: Path) -> None:
    table = tmp_path / "self" / "net" / "udp"
    table.parent.mkdir(parents=True)
    line = "  7: 00000000:14E9 00000000:0000 07 0:0 00:0 0 {uid} 0 {inode} 2 0 0\n"
    table.write_text(
        "  sl  local_address rem_address st tx_queue\n"
        + line.format(uid=0, inode=99)
        + line.format(uid=4294967294, inode=98)
        + "not a line of this table\n"
    )
    # The process is gone, or its folder belongs to another user.
    (tmp_path / "12").mkdir()
    root = files.user_name(0)
    assert port_users(5353, tmp_path) == (PortUser(root), PortUser("4294967294"))
    assert port_users(5354, tmp_path) == ()
    assert port_users(5353, tmp_path / "another system") == ()


def test_the_command_that_names_the_program_is_the_systems() -> None:
    assert naming_command(5353, "linux") == "sudo ss -ulpn 'sport = :5353'"
    assert naming_command(5353, "darwin") == "sudo lsof -nP -iUDP:5353"
    assert naming_command(5353, "win32").startswith("netstat ")
