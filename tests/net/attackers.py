"""Strangers who want to keep others out of a table: each keeps up a connection and does one thing.

No assertions live here. Everything is in the event loop of the test, and over when its block is.
"""

from __future__ import annotations

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

from lanuno.dealing.identity import Identity
from lanuno.net.errors import NetError
from lanuno.net.transport.framing import HEARTBEAT_FRAME
from lanuno.net.transport.handshake import ClientSide
from lanuno.net.transport.tls import SERVER_NAME, certificate_hash, client_context
from tests.harness.sockets.running import RawPeer

STRANGERS = tuple(f"127.0.0.{number}" for number in range(21, 29))
"""Eight addresses of nobody at the table."""

EACH = 4
"""Connections of each address."""

AGAIN = 0.05
"""Seconds after which one that was closed is made anew."""


@dataclass
class Attack:
    """How far it is."""

    port: int
    source: str
    tries: int = 0
    """Connections that were made."""
    inside: int = 0
    """Those that were let in."""


def greeting() -> bytes:
    """A real ClientHello, as bytes."""
    out = ssl.MemoryBIO()
    tls = client_context().wrap_bio(ssl.MemoryBIO(), out, server_hostname=SERVER_NAME)
    with suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return out.read()


async def _tcp(attack: Attack) -> RawPeer:
    opened = await asyncio.open_connection("127.0.0.1", attack.port, local_addr=(attack.source, 0))
    attack.tries += 1
    return RawPeer(*opened)


async def say_nothing(attack: Attack) -> None:
    """TCP, and then nothing."""
    await _hold(await _tcp(attack))


async def greet(attack: Attack) -> None:
    """A whole ClientHello, and then nothing."""
    peer = await _tcp(attack)
    peer.writer.write(greeting())
    await _hold(peer)


async def start(attack: Attack) -> None:
    """One byte, and then nothing."""
    peer = await _tcp(attack)
    peer.writer.write(greeting()[:1])
    await _hold(peer)


async def dribble(attack: Attack) -> None:
    """A ClientHello, byte by byte, that never comes to its end."""
    peer = await _tcp(attack)
    ending = asyncio.create_task(peer.end())
    try:
        for byte in greeting()[:-1]:
            peer.writer.write(bytes([byte]))
            await asyncio.wait((ending,), timeout=0.05)
            if ending.done():
                break
        await ending
    finally:
        ending.cancel()
        await peer.close()


async def stop_after_tls(attack: Attack) -> None:
    """TLS, and then nothing."""
    await _hold(await _tls(attack))


async def be_somebody_new(attack: Attack) -> None:
    """The whole handshake with an identity that nobody knows, and then nothing but heartbeats."""
    peer = await _tls(attack)
    ending = None
    try:
        certificate = peer.writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        side = ClientSide(certificate_hash(certificate), secrets.token_bytes(32))
        peer.frame(side.hello())
        side.host(await peer.read())
        peer.frame(side.auth(Identity.from_seed(secrets.token_bytes(32))))
        side.welcome(await peer.read())
        attack.inside += 1
        ending = asyncio.create_task(peer.end())
        while not ending.done():
            peer.writer.write(HEARTBEAT_FRAME)
            await asyncio.wait((ending,), timeout=1)
    finally:
        if ending is not None:
            ending.cancel()
        await peer.close()


async def _tls(attack: Attack) -> RawPeer:
    opened = await asyncio.open_connection(
        "127.0.0.1",
        attack.port,
        ssl=client_context(),
        server_hostname=SERVER_NAME,
        local_addr=(attack.source, 0),
    )
    attack.tries += 1
    return RawPeer(*opened)


async def _hold(peer: RawPeer) -> None:
    try:
        await peer.end()
    finally:
        await peer.close()


KINDS: dict[str, Callable[[Attack], Awaitable[None]]] = {
    "nothing": say_nothing,
    "one byte": start,
    "dribble": dribble,
    "hello": greet,
    "tls": stop_after_tls,
    "identity": be_somebody_new,
}


async def _go_on(kind: Callable[[Attack], Awaitable[None]], attack: Attack) -> None:
    while True:
        with suppress(OSError, NetError, ssl.SSLError, asyncio.IncompleteReadError):
            await kind(attack)
        await asyncio.sleep(AGAIN)


@asynccontextmanager
async def attacking(
    kind: str, ports: Sequence[int], sources: Sequence[str], each: int = EACH
) -> AsyncIterator[list[Attack]]:
    """So many connections from each source to each port, kept up for as long as the block runs."""
    attacks = [Attack(port, source) for port in ports for source in sources for _ in range(each)]
    running = [asyncio.create_task(_go_on(KINDS[kind], attack)) for attack in attacks]
    try:
        yield attacks
    finally:
        for task in running:
            task.cancel()
        await asyncio.wait(running)
