"""Connect to a host and authenticate both sides.

All addresses of a host are tried, each a moment after the previous one, until one connection has
proved the host's identity. The client sends its own identity on that connection only, so a player
never appears twice at the host.

Rule: adverts and links are hints; only the identity of the channel is proved.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
from collections.abc import Awaitable, Callable, Iterable
from functools import cache
from typing import Final

from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.addresses import ResolvedAddress, resolve
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.handshake import NONCE_BYTES, ClientSide, HostIdentity
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.net.transport.tls import SERVER_NAME, certificate_hash, client_context
from lanuno.net.transport.tls_connection import TlsConnection, start_tls

CONNECTION_REFUSED: Final = ConnectionRefusedError.__name__
"""Detail of `UNREACHABLE` if a computer refused, as one does where nothing listens."""
NO_ANSWER: Final = "no answer to the connection"
"""Detail of `TIMEOUT` if nothing at all came back."""

Turn = Callable[[str], Awaitable[None]]
"""Waits until this computer may connect to an address, which has its scope and no port."""

_context = cache(client_context)
_log = logging.getLogger(__name__)

# If every address fails, the fault that is last in this order is reported: it is the most specific.
_BY_DETAIL = (
    NetFault.ADDRESS,
    NetFault.UNREACHABLE,
    NetFault.TIMEOUT,
    NetFault.TLS,
    NetFault.LOST,
    NetFault.CLOSED,
    NetFault.PROTOCOL,
    NetFault.TOO_BIG,
    NetFault.REFUSED,
    NetFault.VERSION,
    NetFault.IDENTITY,
    NetFault.WRONG_TABLE,
    NetFault.FULL,
)


class ProvenHost(Struct, frozen=True):
    """A host that answered and proved its identity."""

    host: HostIdentity
    address: str
    """The address that reached it, with its scope, without the port."""


class _ProvenConnection(Struct, frozen=True):
    wire: TlsConnection
    side: ClientSide
    host: HostIdentity
    target: ResolvedAddress


async def connect(
    hosts: Iterable[str],
    port: int,
    identity: Identity,
    *,
    fingerprint: str | None = None,
    context: bytes | None = None,
    limits: Limits = DEFAULT,
) -> Channel:
    """Open an authenticated channel to a host.

    `hosts` are numeric addresses (link-local ones with or without scope) or names. The client
    rejects a host whose key has another `fingerprint`, or that serves another `context` (lobby or
    table id), before the host learns anything about this player.

    Raises `NetError`. If all addresses fail, it has the most specific of their faults.
    """
    proven = await _reach(hosts, port, fingerprint, context, limits)
    async with proven.wire.handshake("the host does not answer"):
        proven.wire.authenticated()
        proven.wire.send(proven.side.auth(identity))
        proven.side.welcome(await proven.wire.receive())
    return Channel(proven.wire, proven.host.identity, proven.host.context, proven.target.text)


async def probe(
    hosts: Iterable[str],
    port: int,
    *,
    fingerprint: str | None = None,
    context: bytes | None = None,
    limits: Limits = DEFAULT,
    turn: Turn | None = None,
) -> ProvenHost:
    """Ask a host for its identity without revealing this player's identity.

    This confirms a table before the user interface offers to join it. `turn` is awaited before each
    connection; only one address waits at a time. The other parameters and the errors are those of
    `connect`.
    """
    proven = await _reach(hosts, port, fingerprint, context, limits, turn)
    await proven.wire.close(Goodbye.DONE)
    return ProvenHost(proven.host, proven.target.text)


async def _reach(
    hosts: Iterable[str],
    port: int,
    fingerprint: str | None,
    context: bytes | None,
    limits: Limits,
    turn: Turn | None = None,
) -> _ProvenConnection:
    targets = await resolve(hosts, port, most=limits.addresses, seconds=limits.connect)
    waiting = list(reversed(targets))
    running: set[asyncio.Task[_ProvenConnection | NetError]] = set()
    errors: list[NetError] = []
    proven: list[_ProvenConnection] = []
    has_turn = True

    async def attempt(target: ResolvedAddress) -> _ProvenConnection | NetError:
        nonlocal has_turn
        if turn is not None:
            has_turn = False
            await turn(target.text)
            has_turn = True
        return await _try(target, fingerprint, context, limits)

    try:
        while waiting or running:
            if waiting and has_turn:
                running.add(asyncio.create_task(attempt(waiting.pop())))
            done, running = await asyncio.wait(
                running,
                timeout=limits.stagger if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            results = [task.result() for task in done]
            proven += [each for each in results if isinstance(each, _ProvenConnection)]
            if proven:
                break
            errors.extend(each for each in results if isinstance(each, NetError))
        for late in proven[1:]:
            await late.wire.abort_and_wait()
        await _cancel_all(running)
    except BaseException:
        for each in proven:
            each.wire.abort()
        await _cancel_all(running)
        raise
    if not proven:
        raise max(errors, key=_detail_rank)
    return proven[0]


def _detail_rank(error: NetError) -> int:
    return _BY_DETAIL.index(error.fault) if error.fault in _BY_DETAIL else -1


async def _try(
    target: ResolvedAddress, fingerprint: str | None, context: bytes | None, limits: Limits
) -> _ProvenConnection | NetError:
    try:
        proven = await _prove_host(target, fingerprint, context, limits)
    except NetError as error:
        _log.debug("no connection to %s: %s", target.text, error)
        return error
    _log.debug("connected to %s", target.text)
    return proven


async def _cancel_all(tasks: set[asyncio.Task[_ProvenConnection | NetError]]) -> None:
    """Cancel attempts that are no longer needed, and wait until they have ended."""
    for task in tasks:
        task.cancel()
        task.add_done_callback(_abort_unwanted)
    if tasks:
        await asyncio.wait(tasks)


def _abort_unwanted(task: asyncio.Task[_ProvenConnection | NetError]) -> None:
    if not task.cancelled() and task.exception() is None:
        result = task.result()
        if isinstance(result, _ProvenConnection):
            result.wire.abort()


async def _prove_host(
    target: ResolvedAddress, fingerprint: str | None, context: bytes | None, limits: Limits
) -> _ProvenConnection:
    """Connect, up to the point at which the host has proved its identity."""
    sock = await _open(target, limits)
    wire = await start_tls(sock, _context(), limits, SERVER_NAME)
    async with wire.handshake("the host does not answer"):
        side = ClientSide(
            certificate_hash(wire.certificate),
            secrets.token_bytes(NONCE_BYTES),
            fingerprint=fingerprint,
            context=context,
        )
        wire.send(side.hello())
        host = side.host(await wire.receive())
    return _ProvenConnection(wire, side, host, target)


async def _open(target: ResolvedAddress, limits: Limits) -> socket.socket:
    sock = socket.socket(target.family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        async with asyncio.timeout(limits.connect):
            await asyncio.get_running_loop().sock_connect(sock, target.sockaddr)
    except BaseException as error:
        sock.close()
        if isinstance(error, TimeoutError):
            raise NetError(NetFault.TIMEOUT, NO_ANSWER) from None
        if isinstance(error, OSError):
            raise NetError(NetFault.UNREACHABLE, type(error).__name__) from None
        raise
    return sock
