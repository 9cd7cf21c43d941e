"""Accept connections: limit strangers, do TLS, authenticate, and pass the channels on.

Rule: the listener accepts connections as long as it has descriptors, so that seated players never
wait for strangers. `half_open.py` decides which connection is dropped. Seats are not decided here.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import secrets
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final, Self, cast

from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.adapters import EVERYWHERE
from lanuno.net.transport.addresses import address_text, network_of
from lanuno.net.transport.channel import Channel
from lanuno.net.transport.client_hello import ClientHelloState, peek
from lanuno.net.transport.half_open import HalfOpenConnections, HandshakeStage, PendingConnection
from lanuno.net.transport.handshake import (
    MAX_CONTEXT,
    NONCE_BYTES,
    HandshakeRefusal,
    HostSide,
    refusal_for,
    refusal_message,
)
from lanuno.net.transport.limits import DEFAULT, Limits
from lanuno.net.transport.tls import Credentials, host_credentials
from lanuno.net.transport.tls_connection import TlsConnection, start_tls
from lanuno.system.adapters import keep_port
from lanuno.table.budget import Budget

DEFAULT_PORT: Final = 47474
PORTS_TRIED: Final = 32
"""The number of ports tried from the default one up, before any free port is used."""

_BACKLOG: Final = 256
"""Connections that the system queues until they are accepted."""

_AT_ONCE: Final = 32
"""Connections accepted in one turn of the event loop."""

_ACCEPT_PAUSE: Final = 0.5
_SWEEP_SECONDS: Final = 0.02
_NO_TLS: Final = "%s did not get in: it speaks no TLS"
_MADE_ROOM: Final = "%s did not get in: it made room for another connection"
_TOO_LATE: Final = "%s did not get in: it took too long"
_CLOSED: Final = "%s did not get in: the listener was closed"
_log = logging.getLogger(__name__)

Serve = Callable[[Channel], Awaitable[None]]
"""Serves a channel for as long as it is wanted. When it returns or fails, the channel is closed."""


class _PendingSocket(Struct):
    """The socket of a connection that has not authenticated."""

    sock: socket.socket
    address: str
    task: asyncio.Task[None] | None = None
    """Its handshake, once begun."""


class Listener:
    """Listens on IPv4 and IPv6 with one port. Create it with `listen`."""

    def __init__(
        self,
        identity: Identity,
        context: bytes,
        serve: Serve,
        sockets: Sequence[socket.socket],
        limits: Limits,
        credentials: Credentials,
    ) -> None:
        """Take ownership of listening sockets. Use `listen` instead."""
        self.context = context
        self.hosts = True
        """Whether this node hosts the table, so that others can join or watch here.

        May be set at any time, and applies to handshakes that begin later.
        """
        self.port: int = sockets[0].getsockname()[1]
        self._identity = identity
        self._serve = serve
        self._limits = limits
        self._credentials = credentials
        self._sockets = tuple(sockets)
        self._loop = asyncio.get_running_loop()
        self._handshaking: set[asyncio.Task[None]] = set()
        self._half_open = HalfOpenConnections(limits)
        self._connects = Budget[bytes](limits.connects, limits.connects_at_once)
        """The authenticated connections of each identity."""
        self._pending: dict[PendingConnection, _PendingSocket] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._seated: frozenset[bytes] = frozenset()
        self._is_idle: Callable[[Channel], bool] = lambda _channel: False
        self._serving: dict[asyncio.Task[None], Channel] = {}
        self._closed = False
        self._accepting = False
        self._accept_more()

    @property
    def context(self) -> bytes:
        """The lobby id before genesis, the table id after it: 1 to 64 bytes.

        May be set at any time, and applies to handshakes that begin later. An invalid length
        raises `NetError` (`PROTOCOL`).
        """
        return self._context

    @context.setter
    def context(self, context: bytes) -> None:
        if not 1 <= len(context) <= MAX_CONTEXT:
            raise NetError(NetFault.PROTOCOL, "a context has 1 to 64 bytes")
        self._context = context

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Channels being served now."""
        return tuple(self._serving.values())

    def reserve(
        self,
        identities: Iterable[bytes],
        addresses: Iterable[str],
        is_idle: Callable[[Channel], bool],
    ) -> None:
        """Reserve connections for seated players. Replaces earlier reservations.

        Authenticated connections are reserved by identity, half-open ones by the addresses from
        which players have connected. `is_idle` returns whether a stranger's channel may be ended to
        make room for another stranger.
        """
        self._seated = frozenset(identities)
        self._half_open.reserve(addresses)
        self._is_idle = is_idle

    async def close(self, reason: Goodbye = Goodbye.SHUTDOWN) -> None:
        """Stop listening, deliver queued messages, say goodbye on every channel, and end `serve`.

        Returns when all sockets are closed and all tasks have ended. A `serve` that is still
        running `limits.close` seconds after its channel ended is cancelled.
        """
        self._closed = True
        self._stop_accepting()
        for each in self._sockets:
            each.close()
        if self._sweeping is not None:
            self._sweeping.cancel()
        for pending in tuple(self._pending):
            self._end(pending, _CLOSED)
        # `serve` may close the listener that runs it; waiting for itself would be a deadlock.
        others = {task for task in self._serving if task is not asyncio.current_task()}
        try:
            await asyncio.gather(*(each.close(reason) for each in self.channels))
            if others:
                await asyncio.wait(others, timeout=self._limits.close)
        finally:
            for task in others:
                task.cancel()
        while rest := self._handshaking | (others & self._serving.keys()):
            await asyncio.wait(rest)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # Connections that have not authenticated.

    def _accept_more(self) -> None:
        """Start accepting connections, unless that is already happening or the listener closed."""
        if not self._accepting and not self._closed:
            self._accepting = True
            for each in self._sockets:
                self._loop.add_reader(each.fileno(), self._accept, each)

    def _stop_accepting(self) -> None:
        if self._accepting:
            self._accepting = False
            for each in self._sockets:
                self._loop.remove_reader(each.fileno())

    def _accept(self, listener: socket.socket) -> None:
        for _ in range(_AT_ONCE):
            try:
                sock, sockaddr = listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                break
            except OSError:  # out of descriptors or memory
                self._free_descriptor()
                break
            sock.setblocking(False)
            self._arrived(sock, address_text(sockaddr))
        self._admit()

    def _free_descriptor(self) -> None:
        shed = self._half_open.shed(self._loop.time())
        if shed is not None:
            self._end(shed, _MADE_ROOM)
            return
        self._stop_accepting()
        self._loop.call_later(_ACCEPT_PAUSE, self._accept_more)

    def _arrived(self, sock: socket.socket, address: str) -> None:
        hello = peek(sock)
        if hello is ClientHelloState.NONE:
            _log.info(_NO_TLS, address, extra=_about_address(address))
            sock.close()
            return
        pending, last = self._half_open.arrive(
            address,
            self._loop.time(),
            spoke=hello is not ClientHelloState.NOTHING,
            whole=hello is ClientHelloState.WHOLE,
        )
        self._pending[pending] = _PendingSocket(sock, address)
        if hello is ClientHelloState.NOTHING:
            self._loop.add_reader(sock.fileno(), self._check_hello, pending)
        if last is not None:
            self._end(last, _MADE_ROOM)
        self._sweep_later()

    def _check_hello(self, pending: PendingConnection) -> None:
        """Check for a ClientHello. An incomplete one is checked again by the sweep."""
        sock = self._pending[pending].sock
        hello = peek(sock)
        if hello is ClientHelloState.NOTHING:
            return
        self._loop.remove_reader(sock.fileno())
        if hello is ClientHelloState.NONE:
            self._end(pending, _NO_TLS)
            return
        pending.spoke = True
        if hello is ClientHelloState.WHOLE:
            pending.stage = HandshakeStage.WAITING
            self._admit()

    def _admit(self) -> None:
        """Start the handshakes whose turn has come."""
        begin, end = self._half_open.admit(self._loop.time())
        for each in end:
            self._end(each, _MADE_ROOM)
        for each in begin:
            pending_socket = self._pending[each]
            pending_socket.task = task = self._loop.create_task(
                self._serve_connection(pending_socket.sock, each, pending_socket.address)
            )
            self._handshaking.add(task)
            task.add_done_callback(partial(self._report, pending_socket.sock, each))

    def _sweep_later(self) -> None:
        if self._sweeping is None and self._half_open.waiting and not self._closed:
            self._sweeping = self._loop.call_later(_SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        """Do the work that depends on time: drop late connections, and start handshakes."""
        self._sweeping = None
        for each in self._half_open.expired(self._loop.time()):
            self._end(each, _TOO_LATE)
        for each in self._half_open.partial:
            self._check_hello(each)
        self._admit()
        self._sweep_later()

    def _end(self, pending: PendingConnection, why: str) -> None:
        """Drop a connection. `why` is a log message with a placeholder for the address."""
        self._half_open.remove(pending)
        pending_socket = self._pending.pop(pending)
        _log.info(why, pending.address, extra=_about_address(pending.address))
        if pending_socket.task is not None:
            pending_socket.task.cancel()
            return
        self._loop.remove_reader(pending_socket.sock.fileno())
        pending_socket.sock.close()

    def _handshake_over(self, task: asyncio.Task[None], pending: PendingConnection) -> None:
        """Remove a handshake that has succeeded or failed, and start waiting ones."""
        self._handshaking.discard(task)
        self._half_open.remove(pending)
        self._pending.pop(pending, None)
        if not self._closed:
            self._admit()

    def _report(
        self, sock: socket.socket, pending: PendingConnection, task: asyncio.Task[None]
    ) -> None:
        """Report a bug in `serve`. It ends this channel, but not the host."""
        if task in self._handshaking:  # cancelled before its first step: the socket is still ours
            sock.close()
            self._handshake_over(task, pending)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._loop.call_exception_handler(
                {"message": "serving a channel failed", "exception": error, "task": task}
            )

    async def _serve_connection(
        self, sock: socket.socket, pending: PendingConnection, address: str
    ) -> None:
        task = cast("asyncio.Task[None]", asyncio.current_task())
        try:
            channel = await self._authenticate(sock, address)
        except NetError as error:
            # A probe ends with a goodbye, and every client that lists tables sends probes.
            level = logging.DEBUG if error.fault is NetFault.CLOSED else logging.INFO
            _log.log(level, "%s did not get in: %s", address, error, extra=_about_address(address))
            return
        finally:
            self._handshake_over(task, pending)
        self._serving[task] = channel
        try:
            await self._serve(channel)
        except NetError as error:
            _log.info("channel of %s ended: %s", address, error, extra=_about_address(address))
        finally:
            try:
                await channel.close(Goodbye.SHUTDOWN if self._closed else Goodbye.DONE)
            finally:
                channel.abort()
                del self._serving[task]

    async def _authenticate(self, sock: socket.socket, address: str) -> Channel:
        wire = await start_tls(sock, self._credentials.context, self._limits, None)
        side = HostSide(
            self._identity,
            self.context,
            self._credentials.certificate_hash,
            secrets.token_bytes(NONCE_BYTES),
            hosts=self.hosts,
        )
        async with wire.handshake("no proof of identity in time"):
            peer = await self._handshake(wire, side)
        return Channel(wire, peer, side.context, address)

    async def _handshake(self, wire: TlsConnection, side: HostSide) -> bytes:
        try:
            wire.send(side.receive(await wire.receive()))
            answer = side.receive(await wire.receive())
        except NetError as error:
            await self._refuse(wire, refusal_for(error))
            raise
        if not self._make_room(side.peer):
            await self._refuse(wire, HandshakeRefusal.FULL)
            raise NetError(NetFault.FULL, "no connection left")
        wire.authenticated()
        wire.send(answer)
        return side.peer

    def _make_room(self, identity: bytes) -> bool:
        """Whether a newly authenticated connection may stay. Ends another one for it if necessary.

        A seated player uses only the places of that player. Closing connections are ended first,
        then those that send more than is read, then the oldest. An identity that connects too often
        is refused, although each connection replaces another.
        """
        if not self._connects.take(identity, self._loop.time()):
            return False
        there = [each for each in self.channels if each.end is None]
        if identity in self._seated:
            same = [each for each in there if each.identity == identity]
            # Nobody notices the end of a connection that is not read. Others must not end for it.
            idle = sorted(same, key=lambda each: not each.paused)
            most = self._limits.connections_each
        else:
            same = [each for each in there if each.identity not in self._seated]
            most, idle = self._limits.strangers, self._idle_by_crowd(same)
        if len(same) < most:
            return True
        closing = [each for each in same if not each.open]
        if not closing and not idle:
            return False
        (closing or idle)[0].abort()
        return True

    def _idle_by_crowd(self, strangers: list[Channel]) -> list[Channel]:
        """Return the idle channels: of the most crowded network and address first, then the oldest.

        Otherwise one computer that keeps reconnecting would displace every slow newcomer, even of
        its own network.
        """
        idle = [each for each in strangers if self._is_idle(each)]
        networks = Counter(network_of(each.address) for each in idle)
        addresses = Counter(each.address for each in idle)

        def crowd(each: Channel) -> tuple[int, int]:
            return -networks[network_of(each.address)], -addresses[each.address]

        return sorted(idle, key=crowd)

    async def _refuse(self, wire: TlsConnection, code: HandshakeRefusal) -> None:
        if wire.open:
            wire.send(refusal_message(code))
            await wire.close(Goodbye.PROTOCOL)


def _about_address(address: str) -> dict[str, str]:
    """Extra data for a log line that a stranger can cause at will. The log limits it by address."""
    return {"address": address}


async def listen(
    identity: Identity,
    context: bytes,
    serve: Serve,
    *,
    hosts: Sequence[str] = EVERYWHERE,
    port: int | None = None,
    limits: Limits = DEFAULT,
    credentials: Credentials | None = None,
) -> Listener:
    """Listen for connections.

    `context` is the lobby or table id (1 to 64 bytes). `hosts` are numeric addresses of either
    family; addresses that this computer does not have are skipped if at least one remains. `port`
    None means 47474 or the next free port; 0 means any free port. Raises `NetError`: `PORT`,
    `PORT_REFUSED`, or `PROTOCOL` for a context of another length.
    """
    sockets = bind(hosts, port)
    try:
        return Listener(
            identity, context, serve, sockets, limits, credentials or host_credentials()
        )
    except BaseException:
        for each in sockets:
            each.close()
        raise


def bind(hosts: Sequence[str], port: int | None) -> list[socket.socket]:
    """Return listening sockets on one port for all hosts.

    Raises `NetError`: `PORT`, `PORT_REFUSED`, or `ADAPTER` if this computer has none of the hosts.
    """
    if port is not None and not 0 <= port <= 65535:
        raise NetError(NetFault.PORT, f"no such port: {port}")
    wanted = (*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), *(0,) * 8)
    problem = NetError(
        NetFault.PORT, "no port is free" if port is None else f"port {port} is taken"
    )
    for candidate in wanted if port is None else (port,) * (1 if port else 8):
        try:
            return _bind_all(hosts, candidate)
        except OSError as error:
            if error.errno in _NOT_HERE:
                raise NetError(NetFault.ADAPTER, _reason(error)) from None
            if error.errno != errno.EADDRINUSE:
                problem = NetError(NetFault.PORT_REFUSED, f"port {candidate}: {_reason(error)}")
    raise problem


_NOT_HERE: Final = (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT, errno.ENODEV)
"""This computer has no such address, no IPv6, or no such adapter any more."""


def _bind_all(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """Return one socket for every usable host. Raise `OSError` unless all of them can listen."""
    sockets: list[socket.socket] = []
    missing: OSError | None = None
    for host in hosts:
        try:
            sock = _bind_one(host, port)
        except OSError as error:
            if error.errno in _NOT_HERE:
                missing = error  # use the remaining hosts
                continue
            for each in sockets:
                each.close()
            raise
        sockets.append(sock)
        port = sock.getsockname()[1]
    if missing is not None and not sockets:
        raise missing
    return sockets


def _reason(error: OSError) -> str:
    """Return the system's words."""
    return error.strerror or os.strerror(error.errno or 0)


def _bind_one(host: str, port: int) -> socket.socket:
    family, _, _, _, sockaddr = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST | socket.AI_PASSIVE
    )[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        keep_port(sock)
        if family is socket.AF_INET6:
            # Not dual-stack: IPv4 has a socket of its own.
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(sockaddr)
        sock.listen(_BACKLOG)
        sock.setblocking(False)
    except BaseException:
        sock.close()
        raise
    return sock
