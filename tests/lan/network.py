"""An isolated network: two computers and a cable, in namespaces that vanish with this process.

Only `tests.lan.scenarios` and `tests.lan.playing` use this, inside `unshare`. All links, processes
and names under /run are in private namespaces. So nothing is left on the machine, however a test
ends.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

PEER = "peer"
"""Namespace of the other computer. This computer has none."""

HERE_ADAPTER, PEER_ADAPTER = "cable0", "cable1"
HERE_ADDRESS, PEER_ADDRESS = "10.77.0.1", "10.77.0.2"

BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>
"""

AVAHI = """[server]
host-name={name}
use-ipv4=yes
use-ipv6=yes
enable-dbus=yes
[wide-area]
enable-wide-area=no
"""


def tool(*command: str) -> str:
    """Run a tool to its end, and return its output."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def on_peer(*command: str) -> tuple[str, ...]:
    """Return the command line that runs a command on the other computer."""
    return ("ip", "netns", "exec", PEER, *command)


def lay_cable() -> None:
    """Set up two computers and a cable between them, with IPv4 and IPv6."""
    tool("mount", "-t", "tmpfs", "none", "/run")
    tool("ip", "link", "set", "lo", "up")
    tool("ip", "netns", "add", PEER)
    tool(*("ip", "link", "add", HERE_ADAPTER, "type", "veth"), *("peer", "name", PEER_ADAPTER))
    tool("ip", "link", "set", PEER_ADAPTER, "netns", PEER)
    # Makes addresses usable immediately, without a second of duplicate address detection.
    setting = "/proc/sys/net/ipv6/conf/{}/accept_dad"
    Path(setting.format(HERE_ADAPTER)).write_text("0")
    tool(*on_peer("sh", "-c", f"echo 0 >{setting.format(PEER_ADAPTER)}"))
    tool("ip", "address", "add", f"{HERE_ADDRESS}/24", "dev", HERE_ADAPTER)
    tool("ip", "-n", PEER, "address", "add", f"{PEER_ADDRESS}/24", "dev", PEER_ADAPTER)
    tool("ip", "-n", PEER, "link", "set", "lo", "up")
    tool("ip", "-n", PEER, "link", "set", PEER_ADAPTER, "up")
    tool("ip", "link", "set", HERE_ADAPTER, "up")


class Program:
    """A background program and its output."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    async def line(self) -> str:
        """Return the next line of output. Fails if the program has ended."""
        stdout = self.process.stdout
        assert stdout is not None
        data = await stdout.readline()
        assert data, "the program has ended"
        return data.decode("utf-8", "replace").rstrip("\n")

    async def line_with(self, *parts: str) -> str:
        """Return the next line that contains all of these parts."""
        while True:
            line = await self.line()
            if all(part in line for part in parts):
                return line


@asynccontextmanager
async def program(*command: str, bus: Path | None = None) -> AsyncIterator[Program]:
    """Run a program while the block runs; its output is read line by line."""
    environment = dict(os.environ)
    if bus is not None:
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = f"unix:path={bus}"
    process = await asyncio.create_subprocess_exec(
        *("stdbuf", "-oL", *command),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=environment,
    )
    try:
        yield Program(process)
    finally:
        if process.returncode is None:
            process.terminate()
        if process.stdout is not None:
            await process.stdout.read()
        await process.wait()


def python(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command line that runs a module of the project."""
    return (sys.executable, "-u", "-m", module, *arguments)


@asynccontextmanager
async def avahi(*, peer: bool = True) -> AsyncIterator[Path]:
    """Run a real Avahi daemon with its own D-Bus; yield the bus for its tools."""
    wrap = on_peer if peer else lambda *command: command
    with tempfile.TemporaryDirectory() as folder:
        bus, config = Path(folder) / "bus", Path(folder) / "avahi.conf"
        busconfig = Path(folder) / "bus.conf"
        busconfig.write_text(BUS.format(path=bus))
        config.write_text(AVAHI.format(name="peer" if peer else "here"))
        daemon = ("avahi-daemon", "-f", str(config), "--no-drop-root", "--no-chroot")
        async with program(
            "dbus-daemon", f"--config-file={busconfig}", "--nofork", "--print-address"
        ) as dbus:
            await dbus.line()
            command = wrap(*daemon, "--no-rlimits", "--no-proc-title")
            async with program(*command, bus=bus):
                await _answering(bus)
                yield bus


async def _answering(bus: Path) -> None:
    """Wait until the daemon answers."""
    while True:
        async with program("avahi-browse", "-pt", "_lanuno._tcp", bus=bus) as attempt:
            if await attempt.process.wait() == 0:
                return
        await asyncio.sleep(0.05)
