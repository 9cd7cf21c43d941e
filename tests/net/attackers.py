"""Attackers that try to keep others out of a table. Each keeps one connection open and misuses it.

No assertions live here. All attacks run in the event loop of the test, and end with their block.
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
"""Eight addresses that no player uses."""

EACH = 4
"""Connections from each address."""

AGAIN = 0.05
"""Seconds after which a closed connection is opened again."""


@dataclass
class Attack:
    """The progress of one attacker."""

    port: int
    source: str
    tries: int = 0
    """Connections opened."""
    inside: int = 0
    """Connections that authenticated."""


def greeting() -> bytes:
    """Return the bytes of a valid ClientHello."""
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
    """Open TCP, and send nothing."""
    await _hold(await _tcp(attack))


async def greet(attack: Attack) -> None:
    """Send a whole ClientHello, and nothing more."""
    peer = await _tcp(attack)
    peer.writer.write(greeting())
    await _hold(peer)


async def start(attack: Attack) -> None:
    """Send one byte, and nothing more."""
    peer = await _tcp(attack)
    peer.writer.write(greeting()[:1])
    await _hold(peer)


async def dribble(attack: Attack) -> None:
    """Send a ClientHello byte by byte, without ever completing it."""
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
    """Complete the TLS handshake, and send nothing more."""
    await _hold(await _tls(attack))


async def be_somebody_new(attack: Attack) -> None:
    """Complete the whole handshake with an unknown identity, and send only heartbeats."""
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
    """Keep `each` connections open from every source to every port while the block runs."""
    attacks = [Attack(port, source) for port in ports for source in sources for _ in range(each)]
    running = [asyncio.create_task(_go_on(KINDS[kind], attack)) for attack in attacks]
    try:
        yield attacks
    finally:
        for task in running:
            task.cancel()
        await asyncio.wait(running)
