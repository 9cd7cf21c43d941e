"""Finding the way to a host and proving who is at both ends.

All addresses of a host are tried, each a moment after the one before it, up to the point where the
host has proved who it is; only then, and only on the first connection that got so far, does the
client say who it is. So one player never appears twice at the host.

Law: what adverts and links say is a hint; the identity that comes out of here is a fact.
"""

from __future__ import annotations

import asyncio
import secrets
import socket
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from lanuno.dealing.identity import Identity
from lanuno.net.addresses import Target, resolve
from lanuno.net.channel import Channel
from lanuno.net.errors import Fault, Goodbye, NetError
from lanuno.net.handshake import NONCE_BYTES, ClientSide, Host
from lanuno.net.limits import DEFAULT, Limits
from lanuno.net.tls import SERVER_NAME, certificate_hash, client_context
from lanuno.net.wire import Wire, secure

_context = cache(client_context)

# Which of several failures says most: the later, the more.
_TELLING = (
    Fault.ADDRESS,
    Fault.UNREACHABLE,
    Fault.TIMEOUT,
    Fault.TLS,
    Fault.LOST,
    Fault.CLOSED,
    Fault.PROTOCOL,
    Fault.TOO_BIG,
    Fault.REFUSED,
    Fault.VERSION,
    Fault.IDENTITY,
    Fault.WRONG_TABLE,
    Fault.FULL,
)


@dataclass(frozen=True, slots=True)
class Found:
    """A host that answered and proved who it is."""

    host: Host
    address: str
    """The address that led to it, with scope, without port."""


@dataclass(frozen=True, slots=True)
class _Met:
    wire: Wire
    side: ClientSide
    host: Host
    target: Target


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

    `hosts` are numeric addresses (link-local ones with or without scope) or names. A host whose
    key has another `fingerprint`, or that serves another `context` (lobby or table id), is
    refused before it learns anything about this player. Raises `NetError`.
    """
    met = await _meet(hosts, port, fingerprint, context, limits)
    try:
        async with asyncio.timeout(limits.auth):
            met.wire.authenticated()
            met.wire.send(met.side.auth(identity))
            met.side.welcome(await met.wire.receive())
    except TimeoutError:
        await met.wire.cut()
        raise NetError(Fault.TIMEOUT, "the host does not answer") from None
    except BaseException:
        await met.wire.cut()
        raise
    return Channel(met.wire, met.host.identity, met.host.context, met.target.text)


async def probe(
    hosts: Iterable[str],
    port: int,
    *,
    fingerprint: str | None = None,
    context: bytes | None = None,
    limits: Limits = DEFAULT,
) -> Found:
    """Ask who is there, without saying who asks: confirms a table before joining is offered.

    Takes and raises the same as `connect`.
    """
    met = await _meet(hosts, port, fingerprint, context, limits)
    await met.wire.close(Goodbye.DONE)
    return Found(met.host, met.target.text)


async def _meet(
    hosts: Iterable[str],
    port: int,
    fingerprint: str | None,
    context: bytes | None,
    limits: Limits,
) -> _Met:
    targets = await resolve(hosts, port, most=limits.addresses, patience=limits.connect)
    waiting = list(reversed(targets))
    running: set[asyncio.Task[_Met | NetError]] = set()
    errors: list[NetError] = []
    met: list[_Met] = []
    try:
        while waiting or running:
            if waiting:
                attempt = _try(waiting.pop(), fingerprint, context, limits)
                running.add(asyncio.create_task(attempt))
            done, running = await asyncio.wait(
                running,
                timeout=limits.stagger if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            results = [task.result() for task in done]
            met += [each for each in results if isinstance(each, _Met)]
            if met:
                break
            errors.extend(each for each in results if isinstance(each, NetError))
        for late in met[1:]:
            await late.wire.cut()
        await _call_off(running)
    except BaseException:
        for each in met:
            each.wire.abort()
        await _call_off(running)
        raise
    if not met:
        raise max(errors, key=_telling)
    return met[0]


def _telling(error: NetError) -> int:
    return _TELLING.index(error.fault) if error.fault in _TELLING else -1


async def _try(
    target: Target, fingerprint: str | None, context: bytes | None, limits: Limits
) -> _Met | NetError:
    try:
        return await _greet(target, fingerprint, context, limits)
    except NetError as error:
        return error


async def _call_off(tasks: set[asyncio.Task[_Met | NetError]]) -> None:
    """Nobody wants these any more, however far they are; and whether or not this is cancelled."""
    for task in tasks:
        task.cancel()
        task.add_done_callback(_let_go)
    if tasks:
        await asyncio.wait(tasks)


def _let_go(task: asyncio.Task[_Met | NetError]) -> None:
    if not task.cancelled() and task.exception() is None:
        result = task.result()
        if isinstance(result, _Met):
            result.wire.abort()


async def _greet(
    target: Target, fingerprint: str | None, context: bytes | None, limits: Limits
) -> _Met:
    """Up to the point where the host has proved who it is."""
    sock = await _open(target, limits)
    wire = await secure(sock, _context(), limits, SERVER_NAME)
    try:
        side = ClientSide(
            certificate_hash(wire.certificate),
            secrets.token_bytes(NONCE_BYTES),
            fingerprint=fingerprint,
            context=context,
        )
        async with asyncio.timeout(limits.auth):
            wire.send(side.hello())
            host = side.host(await wire.receive())
        return _Met(wire, side, host, target)
    except TimeoutError:
        await wire.cut()
        raise NetError(Fault.TIMEOUT, "the host does not answer") from None
    except BaseException:
        await wire.cut()
        raise


async def _open(target: Target, limits: Limits) -> socket.socket:
    sock = socket.socket(target.family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        async with asyncio.timeout(limits.connect):
            await asyncio.get_running_loop().sock_connect(sock, target.sockaddr)
    except TimeoutError:
        sock.close()
        raise NetError(Fault.TIMEOUT, "no answer to the connection") from None
    except OSError as error:
        sock.close()
        raise NetError(Fault.UNREACHABLE, type(error).__name__) from None
    except BaseException:
        sock.close()
        raise
    return sock
