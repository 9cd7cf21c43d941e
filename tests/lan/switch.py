"""Several computers on a switch, each a network namespace, and failures of their cables.

Use this only inside `unshare`, like `network.py`: everything created here vanishes with the
process. Each computer is named after the person who plays on it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.harness.processes.programs import Program, WorkingFolder
from tests.lan.network import tool

HUB: Final = "hub"
"""The namespace of the switches."""

SETTING: Final = "/proc/sys/net/ipv6/conf/{}/{}"


def on(computer: str, *command: str) -> tuple[str, ...]:
    """Return the command line that runs a command on a computer."""
    return ("ip", "netns", "exec", computer, *command)


def ip(computer: str, *command: str) -> str:
    """Run `ip` on a computer."""
    return tool("ip", "-n", computer, *command)


def address_of(number: int, network: int = 0) -> str:
    """Return the address of the computer with this number."""
    return f"10.{77 + network}.0.{number}"


class Wiring:
    """Computers, switches, and the cables between them."""

    def __init__(self, *computers: str, ipv4: bool = True, ipv6: bool = True) -> None:
        """Connect these computers to the first switch, and number them from 1."""
        tool("mount", "-t", "tmpfs", "none", "/run")
        tool("ip", "netns", "add", HUB)
        self._ipv4, self._ipv6 = ipv4, ipv6
        self._switches: set[int] = set()
        self.numbers = {name: number for number, name in enumerate(computers, 1)}
        for name in computers:
            tool("ip", "netns", "add", name)
            ip(name, "link", "set", "lo", "up")
            self.plug(name)

    def plug(self, computer: str, network: int = 0) -> None:
        """Plug a cable into one more adapter of a computer, named eth and the network's number."""
        if network not in self._switches:
            self._switches.add(network)
            switch = ("link", "add", f"switch{network}", "type", "bridge", "mcast_snooping", "0")
            ip(HUB, *switch)
            ip(HUB, "link", "set", f"switch{network}", "up")
        adapter, port = f"eth{network}", self._port(computer, network)
        # As on real computers, every computer has other adapter indexes, and so other scopes.
        index = str(10 * self.numbers[computer] + network + 2)
        veth = ("link", "add", adapter, "index", index, "type", "veth")
        ip(computer, *veth, "peer", "name", port, "netns", HUB)
        ip(HUB, "link", "set", port, "master", f"switch{network}", "up")
        # Makes addresses usable immediately, without a second of duplicate address detection.
        setting = ("accept_dad", "0") if self._ipv6 else ("disable_ipv6", "1")
        self.set(computer, SETTING.format(adapter, setting[0]), setting[1])
        if self._ipv4:
            self.give(computer, self.numbers[computer], network)
        ip(computer, "link", "set", adapter, "up")

    def set(self, computer: str, setting: str, value: str) -> None:
        """Change a kernel setting of a computer."""
        tool(*on(computer, "sh", "-c", f"echo {value} >{setting}"))

    def give(self, computer: str, number: int, network: int = 0) -> None:
        """Replace a computer's address in a network."""
        ip(computer, "-4", "address", "flush", "dev", f"eth{network}")
        address = f"{address_of(number, network)}/24"
        ip(computer, "address", "add", address, "brd", "+", "dev", f"eth{network}")

    def pull(self, computer: str, network: int = 0) -> None:
        """Pull the computer's cable out of the switch."""
        ip(HUB, "link", "set", self._port(computer, network), "down")

    def put_back(self, computer: str, network: int = 0) -> None:
        """Plug the cable in again."""
        ip(HUB, "link", "set", self._port(computer, network), "up")

    def keep_multicast_back(self, network: int = 0) -> None:
        """Block multicast on the switch."""
        for computer in self.numbers:
            slave = ("link", "set", self._port(computer, network), "type", "bridge_slave")
            ip(HUB, *slave, "mcast_flood", "off")

    def firewall(self, computer: str, *rules: str) -> None:
        """Switch on a firewall that drops incoming packets that match any of these rules."""
        chain = "add chain inet wall in { type filter hook input priority 0; policy accept; }"
        lines = [f"add rule inet wall in {rule} drop" for rule in rules]
        for line in ("add table inet wall", chain, *lines):
            tool(*on(computer, "nft", line))

    def _port(self, computer: str, network: int) -> str:
        return f"p{network}-{self.numbers[computer]}"


class Computers(WorkingFolder):
    """Programs on these computers. A host or bot runs on the computer of its name."""

    def __init__(self, folder: Path, wiring: Wiring) -> None:
        super().__init__(folder)
        self.wiring = wiring

    def on(self, computer: str, *arguments: str, home: str = "") -> Program:
        """Start a program on a computer, without network options."""
        program = Program(*arguments, home=self.folder / (home or computer), within=on(computer))
        self._programs.append(program)
        return program

    def module(self, computer: str, module: str, *arguments: str) -> Program:
        """Start a module of the project on a computer."""
        program = Program(
            *arguments, home=self.folder / computer, within=on(computer), module=module
        )
        self._programs.append(program)
        return program

    def opens(self, name: str, *arguments: str, seats: int = 3) -> Program:
        """Let a player open the table."""
        own = ("--table", self.table, "--name", name, "--seats", str(seats))
        return self.on(name, "host", *own, *arguments)

    def sits_down(self, name: str, *where: str) -> Program:
        """Let a player take a seat: at `where`, or at the table that it finds."""
        return self.on(name, "bot", *(where or ("--table", self.table)), "--name", name)

    def finds(self, computer: str, seconds: str = "8") -> Program:
        """Search for tables, by default for longer than a host takes to notice a new cable."""
        return self.on(computer, "find", "--seconds", seconds, "--json", home=f"find-{computer}")


@contextmanager
def computers(folder: Path, wiring: Wiring) -> Iterator[Computers]:
    """Yield the computers, and end their programs afterwards."""
    here = Computers(folder, wiring)
    try:
        yield here
    finally:
        here.close()
