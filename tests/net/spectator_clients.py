"""Scripted spectators over real connections from chosen loopback addresses. No assertions here."""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import VERSION
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.handshake import NONCE_BYTES, ClientSide
from lanuno.net.transport.limits import DEFAULT
from lanuno.net.transport.tls import certificate_hash, client_context
from lanuno.net.transport.tls_connection import start_tls
from lanuno.table import messages
from lanuno.table.messages import AtTable, at_table, to_bytes
from tests.harness.sockets.tables import Table


async def connect_from(address: str, port: int, me: Identity) -> Channel:
    """Open a channel to a host on loopback from this source address."""
    sock = socket.socket()
    try:
        sock.setblocking(False)
        sock.bind((address, 0))
        await asyncio.get_running_loop().sock_connect(sock, ("127.0.0.1", port))
    except OSError:
        sock.close()
        raise
    wire = await start_tls(sock, client_context(), DEFAULT, "lanuno")
    try:
        side = ClientSide(certificate_hash(wire.certificate), secrets.token_bytes(NONCE_BYTES))
        wire.send(side.hello())
        host = side.host(await wire.receive())
        wire.authenticated()
        wire.send(side.auth(me))
        side.welcome(await wire.receive())
    except NetError:
        await wire.abort_and_wait()
        raise
    return Channel(wire, host.identity, host.context, "127.0.0.1")


class SpectatorClient:
    """One connection that has asked to watch."""

    def __init__(self, channel: Channel, key: bytes) -> None:
        self.channel = channel
        self.key = key
        self.said: list[messages.Said] = []
        self.pages = 0
        """Bytes received in log pages."""
        self.refused: messages.LobbyRefusal | None = None

    def say(self, message: AtTable) -> None:
        """Send a message, unless the connection has ended."""
        try:
            self.channel.send(to_bytes(message))
        except NetError:
            return

    async def hear(self) -> AtTable | None:
        """Return the next message, or None after the last."""
        try:
            data = await self.channel.receive()
        except NetError:
            return None
        message = at_table(data)
        if isinstance(message, messages.Entries):
            self.pages += len(data)
        if isinstance(message, messages.Said):
            self.said.append(message)
        elif isinstance(message, messages.Refused):
            self.refused = message.why
        return message

    async def until(self, kind: type[AtTable]) -> AtTable | None:
        """Read up to the next message of a kind, a refusal, or the end."""
        while True:
            message = await self.hear()
            if message is None or isinstance(message, kind | messages.Refused):
                return message

    async def until_end(self) -> None:
        """Read all messages until the end."""
        message: AtTable | None = messages.NoncesWanted(())
        while message is not None:
            message = await self.hear()

    @property
    def goodbye(self) -> bool:
        """Whether the host has ended the connection with a goodbye."""
        return isinstance(self.channel.end, Goodbye)

    async def close(self) -> None:
        self.channel.abort()
        await self.channel.close()


async def come(
    at: Table, number: int, name: str = "eve", address: str = "127.0.0.1", *, sit: bool = False
) -> SpectatorClient:
    """Connect, ask to watch (or for a seat if `sit`), and read the answer."""
    me = Identity.from_seed(number.to_bytes(32, "big"))
    client = SpectatorClient(await connect_from(address, at.port, me), me.public)
    if sit:
        nonce = bytes(32)
        client.say(messages.Join(VERSION, name, nonce, me.public, False, False))
    else:
        client.say(messages.Watch(VERSION, name))
    await client.until(messages.Began if at.host.runtime is not None else messages.LobbyState)
    return client


@asynccontextmanager
async def coming(
    at: Table, number: int, name: str = "eve", address: str = "127.0.0.1", *, sit: bool = False
) -> AsyncIterator[SpectatorClient]:
    """Like `come`, and close the connection afterwards."""
    client = await come(at, number, name, address, sit=sit)
    try:
        yield client
    finally:
        await client.close()
