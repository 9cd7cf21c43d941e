"""Several computers on a switch, each a network namespace, and what can happen to their cables.

Only to be used behind `unshare`, like `network.py`: everything made here vanishes with the process.
A computer is named like the person who plays on it.
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
    """The command that runs a command on a computer."""
    return ("ip", "netns", "exec", computer, *command)


def ip(computer: str, *command: str) -> str:
    """Run `ip` on a computer."""
    return tool("ip", "-n", computer, *command)


def address_of(number: int, network: int = 0) -> str:
    """The address of the computer of this number."""
    return f"10.{77 + network}.0.{number}"


class Wiring:
    """Computers, switches and the cables between them."""

    def __init__(self, *computers: str, ipv4: bool = True, ipv6: bool = True) -> None:
        """So many computers on the first switch, numbered from 1 on."""
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
        """Put a cable into one more adapter of a computer, called eth and the network's number."""
        if network not in self._switches:
            self._switches.add(network)
            switch = ("link", "add", f"switch{network}", "type", "bridge", "mcast_snooping", "0")
            ip(HUB, *switch)
            ip(HUB, "link", "set", f"switch{network}", "up")
        adapter, port = f"eth{network}", self._port(computer, network)
        # As on real computers: the same cable is another number, and so another scope, on each.
        index = str(10 * self.numbers[computer] + network + 2)
        veth = ("link", "add", adapter, "index", index, "type", "veth")
        ip(computer, *veth, "peer", "name", port, "netns", HUB)
        ip(HUB, "link", "set", port, "master", f"switch{network}", "up")
        # Addresses can be used at once, without a second of asking whether they are taken.
        setting = ("accept_dad", "0") if self._ipv6 else ("disable_ipv6", "1")
        self.set(computer, SETTING.format(adapter, setting[0]), setting[1])
        if self._ipv4:
            self.give(computer, self.numbers[computer], network)
        ip(computer, "link", "set", adapter, "up")

    def set(self, computer: str, setting: str, value: str) -> None:
        """Set something of a computer's kernel."""
        tool(*on(computer, "sh", "-c", f"echo {value} >{setting}"))

    def give(self, computer: str, number: int, network: int = 0) -> None:
        """Give a computer an address; it has no other one in that network afterwards."""
        ip(computer, "-4", "address", "flush", "dev", f"eth{network}")
        address = f"{address_of(number, network)}/24"
        ip(computer, "address", "add", address, "brd", "+", "dev", f"eth{network}")

    def pull(self, computer: str, network: int = 0) -> None:
        """Pull the cable out of the switch."""
        ip(HUB, "link", "set", self._port(computer, network), "down")

    def put_back(self, computer: str, network: int = 0) -> None:
        """Put it in again."""
        ip(HUB, "link", "set", self._port(computer, network), "up")

    def keep_multicast_back(self, network: int = 0) -> None:
        """The switch passes no multicast any more."""
        for computer in self.numbers:
            slave = ("link", "set", self._port(computer, network), "type", "bridge_slave")
            ip(HUB, *slave, "mcast_flood", "off")

    def firewall(self, computer: str, *rules: str) -> None:
        """Switch a firewall on that drops what comes in and fits one of these rules."""
        chain = "add chain inet wall in { type filter hook input priority 0; policy accept; }"
        lines = [f"add rule inet wall in {rule} drop" for rule in rules]
        for line in ("add table inet wall", chain, *lines):
            tool(*on(computer, "nft", line))

    def _port(self, computer: str, network: int) -> str:
        return f"p{network}-{self.numbers[computer]}"


class Computers(WorkingFolder):
    """Programs on these computers; the host is on the computer of its name, and so is a bot."""

    def __init__(self, folder: Path, wiring: Wiring) -> None:
        super().__init__(folder)
        self.wiring = wiring

    def on(self, computer: str, *arguments: str, home: str = "") -> Program:
        """Start a program on a computer, without a word about the network."""
        program = Program(*arguments, home=self.folder / (home or computer), within=on(computer))
        self._programs.append(program)
        return program

    def module(self, computer: str, module: str, *arguments: str) -> Program:
        """Start one of our own modules on a computer."""
        program = Program(
            *arguments, home=self.folder / computer, within=on(computer), module=module
        )
        self._programs.append(program)
        return program

    def opens(self, name: str, *arguments: str, seats: int = 3) -> Program:
        """Somebody opens the table."""
        own = ("--table", self.table, "--name", name, "--seats", str(seats))
        return self.on(name, "host", *own, *arguments)

    def sits_down(self, name: str, *where: str) -> Program:
        """Somebody sits down at it, and finds it unless it is told where it is."""
        return self.on(name, "bot", *(where or ("--table", self.table)), "--name", name)

    def finds(self, computer: str, seconds: str = "8") -> Program:
        """Somebody looks for tables: for longer than a host takes to see another cable."""
        return self.on(computer, "find", "--seconds", seconds, "--json", home=f"find-{computer}")


@contextmanager
def computers(folder: Path, wiring: Wiring) -> Iterator[Computers]:
    """Computers whose programs end with the test."""
    here = Computers(folder, wiring)
    try:
        yield here
    finally:
        here.close()
