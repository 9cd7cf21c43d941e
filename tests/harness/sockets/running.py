"""Runs coroutines and checks that they leave nothing open; also peers for tests.

This module asserts nothing about the package except that it leaks nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import secrets
import socket
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from lanuno.dealing.identity import Identity
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.connect import connect
from lanuno.net.transport.framing import HEADER_BYTES
from lanuno.net.transport.handshake import ClientSide
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.net.transport.listener import Listener, bind
from lanuno.net.transport.tls import certificate_hash, client_context, host_credentials

T = TypeVar("T")
HOST = Identity.from_seed(b"h" * 32)
GUEST = Identity.from_seed(b"g" * 32)
LOBBY = b"lobby-0123456789"
LOOPBACK = ("127.0.0.1", "::1")
PATIENCE = 120.0
"""Seconds after which a test counts as hanging; far beyond what the slowest machine needs."""


def run(main: Coroutine[Any, Any, T]) -> T:
    """Run to the end; no task, socket or other file may be left open."""
    gc.collect()
    before = open_files()

    async def checked() -> T:
        async with asyncio.timeout(PATIENCE):
            result = await main
        left = asyncio.all_tasks() - {asyncio.current_task()}
        assert not left, left
        return result

    with asyncio.Runner(loop_factory=asyncio.SelectorEventLoop) as runner:
        result = runner.run(checked())
    gc.collect()
    left = open_files() - before
    assert not left, left
    return result


async def until(condition: Callable[[], bool]) -> None:
    """Poll until a condition holds that nothing announces; give up after a long time."""
    while True:
        if condition():
            return
        await asyncio.sleep(0.001)


if sys.platform == "win32":
    import msvcrt

    _MOST_FILES: Final = 64

    def open_files() -> set[str]:
        found = set()
        for each in gc.get_objects():
            if isinstance(each, socket.socket) and each.fileno() != -1:
                found.add(f"socket {each.fileno()}")
        for number in range(_MOST_FILES):
            with contextlib.suppress(OSError):
                found.add(f"file {msvcrt.get_osfhandle(number)}")
        return found

else:

    def open_files() -> set[str]:
        """Return the open files of this process; sockets are distinguished by inode.

        On Windows: the sockets that Python knows, and the files below a low number.
        """
        found = set()
        for each in Path("/proc/self/fd").iterdir():
            try:
                found.add(str(each.readlink()))
            except FileNotFoundError:
                continue  # the one that lists them
        return {name for name in found if not name.endswith("/fd")}


@dataclass
class Pair:
    """Both ends of one connection."""

    server: Listener
    host: Channel
    """The host's end."""

    guest: Channel


@asynccontextmanager
async def serving(
    limits: Limits = DEFAULT, *, identity: Identity = HOST, sockets: Sequence[socket.socket] = ()
) -> AsyncIterator[tuple[Listener, asyncio.Queue[Channel]]]:
    """A server that hands over its channels and keeps them open until the end.

    It listens on any free port, or on these sockets.
    """
    arrived: asyncio.Queue[Channel] = asyncio.Queue()
    over = asyncio.Event()

    async def serve(channel: Channel) -> None:
        arrived.put_nowait(channel)
        await over.wait()

    doors = sockets or bind(LOOPBACK, 0)
    server = Listener(identity, LOBBY, serve, doors, limits, host_credentials())
    try:
        yield server, arrived
    finally:
        over.set()
        await server.close()


@asynccontextmanager
async def pair(limits: Limits = DEFAULT, guest_limits: Limits | None = None) -> AsyncIterator[Pair]:
    """A connected and authenticated pair of channels."""
    async with serving(limits) as (server, arrived):
        guest = await connect(["127.0.0.1"], server.port, GUEST, limits=guest_limits or limits)
        try:
            yield Pair(server, await arrived.get(), guest)
        finally:
            guest.abort()
            await guest.close()


class RawPeer:
    """A client that sends only what the test tells it to send."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    @classmethod
    async def open(cls, port: int) -> RawPeer:
        """Set up TLS only."""
        return cls(
            *await asyncio.open_connection(
                "127.0.0.1", port, ssl=client_context(), server_hostname="lanuno"
            )
        )

    @classmethod
    async def authenticated(cls, port: int) -> RawPeer:
        """Set up TLS and complete the handshake."""
        peer = await cls.open(port)
        certificate = peer.writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        side = ClientSide(certificate_hash(certificate), secrets.token_bytes(32))
        peer.frame(side.hello())
        side.host(await peer.read())
        peer.frame(side.auth(GUEST))
        side.welcome(await peer.read())
        return peer

    def frame(self, message: bytes) -> None:
        """Send one message."""
        self.writer.write(len(message).to_bytes(4, "big") + message)

    async def read(self) -> bytes:
        """Return one frame, control or not, without its header."""
        word = int.from_bytes(await self.reader.readexactly(HEADER_BYTES), "big")
        return await self.reader.readexactly(word & 0x7FFF_FFFF)

    async def end(self) -> bytes:
        """Return everything up to the end of the connection."""
        try:
            return await self.reader.read()
        except ConnectionError:
            return b""

    async def close(self) -> None:
        """Cut the connection."""
        self.writer.transport.abort()
        try:
            await self.writer.wait_closed()
        except (OSError, ConnectionError):
            return
