"""A host's door: listens, bounds strangers, speaks TLS, authenticates, hands channels over.

Law: it never stops accepting as long as there are descriptors, so that nobody who sits has to wait
behind strangers; `half_open.py` says who makes room. Who may sit at a table is not decided here.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import secrets
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from types import TracebackType
from typing import Final, Self, cast

from lanuno.dealing.identity import Identity
from lanuno.net.adapters import EVERYWHERE
from lanuno.net.addresses import address_text, network
from lanuno.net.channel import Channel
from lanuno.net.errors import Fault, Goodbye, NetError
from lanuno.net.greeting import Greeting, look_ahead
from lanuno.net.half_open import Caller, HalfOpen, Stage
from lanuno.net.handshake import (
    MAX_CONTEXT,
    NONCE_BYTES,
    HostSide,
    Refusal,
    refusal_for,
    refusal_message,
)
from lanuno.net.limits import DEFAULT, Limits
from lanuno.net.tls import Credentials, host_credentials
from lanuno.net.wire import Wire, secure

DEFAULT_PORT: Final = 47474
PORTS_TRIED: Final = 32
"""The default port and the ones after it; then any free one."""

_BACKLOG: Final = 256
"""Connections that the system keeps until they are accepted."""

_AT_ONCE: Final = 32
"""Connections that are accepted before the loop does its other work."""

_ACCEPT_PAUSE: Final = 0.5
_SWEEP_SECONDS: Final = 0.02
_NO_TLS: Final = "%s did not get in: it speaks no TLS"
_MADE_ROOM: Final = "%s did not get in: it made room for somebody else"
_TOO_LATE: Final = "%s did not get in: its time was over"
_CLOSED: Final = "%s did not get in: the door was closed"
_log = logging.getLogger(__name__)

Serve = Callable[[Channel], Awaitable[None]]
"""Runs as long as its channel is wanted; when it returns or fails, the channel is closed."""


@dataclass(slots=True)
class _Knock:
    """The connection of a caller."""

    sock: socket.socket
    address: str
    task: asyncio.Task[None] | None = None
    """Its handshake, once that has begun."""


def _nobody(_channel: Channel) -> bool:
    return False


class Server:
    """Listens on IPv4 and IPv6 with one port. Make it with `listen`."""

    def __init__(
        self,
        identity: Identity,
        context: bytes,
        serve: Serve,
        sockets: Sequence[socket.socket],
        limits: Limits,
        credentials: Credentials,
    ) -> None:
        """Take over listening sockets; use `listen` instead."""
        self.context = context
        self.port: int = sockets[0].getsockname()[1]
        self._identity = identity
        self._serve = serve
        self._limits = limits
        self._credentials = credentials
        self._sockets = tuple(sockets)
        self._loop = asyncio.get_running_loop()
        self._meeting: set[asyncio.Task[None]] = set()
        self._half_open = HalfOpen(limits, self._loop.time())
        self._knocking: dict[Caller, _Knock] = {}
        self._sweeping: asyncio.TimerHandle | None = None
        self._seated: frozenset[bytes] = frozenset()
        self._is_idle: Callable[[Channel], bool] = _nobody
        self._serving: dict[asyncio.Task[None], Channel] = {}
        self._closed = False
        self._accepting = False
        self._accept_more()

    @property
    def context(self) -> bytes:
        """Lobby id before genesis and table id after it, 1 to 64 bytes.

        May be set at any time; holds for every handshake that begins later. Setting an impossible
        one raises `NetError` (`PROTOCOL`).
        """
        return self._context

    @context.setter
    def context(self, context: bytes) -> None:
        if not 1 <= len(context) <= MAX_CONTEXT:
            raise NetError(Fault.PROTOCOL, "a context has 1 to 64 bytes")
        self._context = context

    @property
    def addresses(self) -> tuple[str, ...]:
        """What it listens on."""
        return tuple(address_text(each.getsockname()) for each in self._sockets)

    @property
    def half_open(self) -> int:
        """Connections that have not authenticated yet."""
        return len(self._half_open)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """Channels being served now."""
        return tuple(self._serving.values())

    def reserve(
        self,
        identities: Iterable[bytes],
        addresses: Iterable[str],
        idle: Callable[[Channel], bool],
    ) -> None:
        """Keep places for those who sit, and for no others any more.

        For their identities, which are proved in the handshake, and to get so far for the addresses
        where they were seen. `idle`: whether the channel of somebody without a seat may be ended
        for another stranger's.
        """
        self._seated = frozenset(identities)
        self._half_open.seat(addresses)
        self._is_idle = idle

    async def close(self, reason: Goodbye = Goodbye.SHUTDOWN) -> None:
        """Stop listening, say goodbye on every channel (what is queued is delivered), end `serve`.

        Returns when all sockets are closed and all tasks are over. A `serve` that goes on for
        `limits.close` seconds after its channel ended is cancelled.
        """
        self._closed = True
        self._stop_accepting()
        for each in self._sockets:
            each.close()
        if self._sweeping is not None:
            self._sweeping.cancel()
        for caller in tuple(self._knocking):
            self._end(caller, _CLOSED)
        # `serve` may close its own server; it cannot be waited for then.
        others = {task for task in self._serving if task is not asyncio.current_task()}
        try:
            await asyncio.gather(*(each.close(reason) for each in self.channels))
            if others:
                await asyncio.wait(others, timeout=self._limits.close)
        finally:
            for task in others:
                task.cancel()
        while rest := self._meeting | (others & self._serving.keys()):
            await asyncio.wait(rest)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    # Those who have not authenticated.

    def _accept_more(self) -> None:
        """Accept every connection, as long as there are descriptors; another one makes room."""
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
            except OSError:  # no descriptors or no memory left: others may give some back
                self._make_descriptors()
                break
            sock.setblocking(False)
            self._arrived(sock, address_text(sockaddr))
        self._admit()

    def _make_descriptors(self) -> None:
        shed = self._half_open.shed(self._loop.time())
        if shed is not None:
            self._end(shed, _MADE_ROOM)
            return
        self._stop_accepting()
        self._loop.call_later(_ACCEPT_PAUSE, self._accept_more)

    def _arrived(self, sock: socket.socket, address: str) -> None:
        greeting = look_ahead(sock)
        if greeting is Greeting.NONE:
            _log.info(_NO_TLS, address, extra=_by(address))
            sock.close()
            return
        caller, last = self._half_open.arrive(
            address,
            self._loop.time(),
            spoke=greeting is not Greeting.NOTHING,
            whole=greeting is Greeting.WHOLE,
        )
        self._knocking[caller] = _Knock(sock, address)
        if greeting is Greeting.NOTHING:
            self._loop.add_reader(sock.fileno(), self._look, caller)
        if last is not None:
            self._end(last, _MADE_ROOM)
        self._sweep_later()

    def _look(self, caller: Caller) -> None:
        """See whether a ClientHello is there; what is only a part of one is looked at again."""
        sock = self._knocking[caller].sock
        greeting = look_ahead(sock)
        if greeting is Greeting.NOTHING:
            return
        self._loop.remove_reader(sock.fileno())
        if greeting is Greeting.NONE:
            self._end(caller, _NO_TLS)
            return
        caller.spoke = True
        if greeting is Greeting.WHOLE:
            caller.stage = Stage.WAITING
            self._admit()

    def _admit(self) -> None:
        """Begin the handshakes of those whose turn it is."""
        begin, end = self._half_open.admit(self._loop.time())
        for each in end:
            self._end(each, _MADE_ROOM)
        for each in begin:
            knock = self._knocking[each]
            knock.task = task = self._loop.create_task(self._meet(knock.sock, each, knock.address))
            self._meeting.add(task)
            task.add_done_callback(partial(self._report, knock.sock, each))

    def _sweep_later(self) -> None:
        if self._sweeping is None and self._half_open.waiting and not self._closed:
            self._sweeping = self._loop.call_later(_SWEEP_SECONDS, self._sweep)

    def _sweep(self) -> None:
        """What happens without anything being heard: times are over, turns come."""
        self._sweeping = None
        for each in self._half_open.expired(self._loop.time()):
            self._end(each, _TOO_LATE)
        for each in self._half_open.partial:
            self._look(each)
        self._admit()
        self._sweep_later()

    def _end(self, caller: Caller, why: str) -> None:
        """Somebody has to go. `why`: a line for the log, with a place for the address."""
        self._half_open.gone(caller)
        knock = self._knocking.pop(caller)
        _log.info(why, caller.address, extra=_by(caller.address))
        if knock.task is not None:
            knock.task.cancel()
            return
        self._loop.remove_reader(knock.sock.fileno())
        knock.sock.close()

    def _met(self, task: asyncio.Task[None], caller: Caller) -> None:
        """Somebody is let in or sent away: there is a place for another."""
        self._meeting.discard(task)
        self._half_open.gone(caller)
        self._knocking.pop(caller, None)
        if not self._closed:
            self._admit()

    def _report(self, sock: socket.socket, caller: Caller, task: asyncio.Task[None]) -> None:
        """A bug in `serve` ends its channel, not the host; but it must not go unseen."""
        if task in self._meeting:  # cancelled before it had begun: nobody else has its socket
            sock.close()
            self._met(task, caller)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._loop.call_exception_handler(
                {"message": "serving a channel failed", "exception": error, "task": task}
            )

    async def _meet(self, sock: socket.socket, caller: Caller, address: str) -> None:
        task = cast("asyncio.Task[None]", asyncio.current_task())
        try:
            channel = await self._authenticate(sock, address)
        except NetError as error:
            # Asking who is there, as everybody does who lists tables, ends with a goodbye.
            level = logging.DEBUG if error.fault is Fault.CLOSED else logging.INFO
            _log.log(level, "%s did not get in: %s", address, error, extra=_by(address))
            return
        finally:
            self._met(task, caller)
        self._serving[task] = channel
        try:
            await self._serve(channel)
        except NetError as error:
            _log.info("channel of %s ended: %s", address, error, extra=_by(address))
        finally:
            try:
                await channel.close(Goodbye.SHUTDOWN if self._closed else Goodbye.DONE)
            finally:
                channel.abort()
                del self._serving[task]

    async def _authenticate(self, sock: socket.socket, address: str) -> Channel:
        wire = await secure(sock, self._credentials.context, self._limits, None)
        side = HostSide(
            self._identity,
            self.context,
            self._credentials.certificate_hash,
            secrets.token_bytes(NONCE_BYTES),
        )
        try:
            async with asyncio.timeout(self._limits.auth):
                peer = await self._handshake(wire, side)
        except TimeoutError:
            await wire.cut()
            raise NetError(Fault.TIMEOUT, "no proof of identity in time") from None
        except BaseException:
            await wire.cut()
            raise
        return Channel(wire, peer, side.context, address)

    async def _handshake(self, wire: Wire, side: HostSide) -> bytes:
        try:
            wire.send(side.receive(await wire.receive()))
            answer = side.receive(await wire.receive())
        except NetError as error:
            await self._refuse(wire, refusal_for(error))
            raise
        if not self._make_room(side.peer):
            await self._refuse(wire, Refusal.FULL)
            raise NetError(Fault.FULL, "no connection left")
        wire.authenticated()
        wire.send(answer)
        return side.peer

    def _make_room(self, identity: bytes) -> bool:
        """Whether somebody who has proved an identity can stay; another may have to go for it.

        Seated players take no places but their own. What ends already goes first.
        """
        there = [each for each in self.channels if each.end is None]
        if identity in self._seated:
            same = [each for each in there if each.identity == identity]
            most, idle = self._limits.connections_each, same
        else:
            same = [each for each in there if each.identity not in self._seated]
            most, idle = self._limits.strangers, self._by_crowd(same)
        if len(same) < most:
            return True
        for each in (*(each for each in same if not each.open), *idle):
            each.abort()
            return True
        return False

    def _by_crowd(self, strangers: list[Channel]) -> list[Channel]:
        """Those of them who do nothing: of the most crowded network, the oldest first.

        Else one computer that comes again and again would end everybody who is slow to speak.
        """
        idle = [each for each in strangers if self._is_idle(each)]
        crowd = Counter(network(each.address) for each in idle)
        return sorted(idle, key=lambda each: -crowd[network(each.address)])

    async def _refuse(self, wire: Wire, code: Refusal) -> None:
        if wire.open:
            wire.send(refusal_message(code))
            await wire.close(Goodbye.PROTOCOL)


def _by(address: str) -> dict[str, str]:
    """Marks a line as one that a stranger can have written as often as it likes."""
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
) -> Server:
    """Open a door.

    `context` is the lobby or table id (1 to 64 bytes). `hosts` are numeric addresses, of both
    families; those that this computer does not have are left out as long as one remains. `port`
    None means 47474 or the next free one; 0 any free one. Raises `NetError` (`PORT`).
    """
    sockets = bind(hosts, port)
    try:
        return Server(identity, context, serve, sockets, limits, credentials or host_credentials())
    except BaseException:
        for each in sockets:
            each.close()
        raise


def bind(hosts: Sequence[str], port: int | None) -> list[socket.socket]:
    """Listening sockets on one port for all hosts; `NetError` (`PORT`) if none can be had."""
    if port is not None and not 0 <= port <= 65535:
        raise NetError(Fault.PORT, f"no such port: {port}")
    wanted = (*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), *(0,) * 8)
    for candidate in wanted if port is None else (port,) * (1 if port else 8):
        sockets = _bind_all(hosts, candidate)
        if sockets:
            return sockets
    raise NetError(Fault.PORT, "no port is free" if port is None else f"port {port} is taken")


def _bind_all(hosts: Sequence[str], port: int) -> list[socket.socket]:
    """One socket for every usable host, or none at all if the port is taken on one of them."""
    sockets: list[socket.socket] = []
    for host in hosts:
        try:
            sock = _bind_one(host, port)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                continue  # no such address, no IPv6: the others will do
            for each in sockets:
                each.close()
            return []
        sockets.append(sock)
        port = sock.getsockname()[1]
    return sockets


def _bind_one(host: str, port: int) -> socket.socket:
    family, _, _, _, sockaddr = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_NUMERICHOST | socket.AI_PASSIVE
    )[0]
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.setblocking(False)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:
            sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        sock.bind(sockaddr)
        sock.listen(_BACKLOG)
    except BaseException:
        sock.close()
        raise
    return sock
