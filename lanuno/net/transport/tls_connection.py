"""One TLS connection as an asyncio protocol: frames in, frames out, limits, heartbeats, goodbye.

All work happens in the transport's callbacks and one timer, without a task per connection or per
message. Sent data goes to the transport immediately. While the transport is full, data waits in a
queue here that is limited in bytes and age.

Rule: identities belong to `handshake.py`, the public interface to `channel.py`. Once `end` is set,
it does not change and no frame is sent.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import cast

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.framing import (
    HEARTBEAT_FRAME,
    Control,
    Decoder,
    Farewell,
    Heartbeat,
    farewell_frame,
    message_frame,
)
from lanuno.net.transport.keepalive import Keepalive, KeepaliveAction
from lanuno.net.transport.limits import Limits
from lanuno.table.budget import Budget

WRITE_HIGH = 64 * 1024
"""Bytes that the transport itself may buffer before this connection queues."""

_CLOSING_TURNS = 100
"""Event-loop turns to wait for asyncio to close a socket. It needs fewer than ten."""

HEARTBEATS = 10_000
"""Burst of heartbeats: they accumulate for hours if this side does not read."""
FIRST_HEARTBEATS = 20
"""What a new connection has of this burst, so that reconnecting does not renew it."""

_GOODBYE_FOR = {
    NetFault.FLOOD: Goodbye.FLOOD,
    NetFault.SLOW: Goodbye.SLOW,
    NetFault.TOO_BIG: Goodbye.PROTOCOL,
    NetFault.PROTOCOL: Goodbye.PROTOCOL,
}


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a log record of asyncio is worth keeping.

    asyncio warns of every write after a failed one, until it reports the end of the connection in
    the next turn of its loop. This is normal when a table sends to a player who has just left.
    """
    return record.msg not in ("socket.send() raised exception.", "SSL connection is closed")


logging.getLogger("asyncio").addFilter(_is_news)


class TlsConnection(asyncio.Protocol):
    """A connection before and after authentication."""

    def __init__(self, limits: Limits) -> None:
        """Wait for the transport. Must be created inside a running event loop."""
        self._loop = asyncio.get_running_loop()
        self.limits = limits
        self.end: NetError | Goodbye | None = None
        """Why nothing more will be received: a `Goodbye` after an orderly end."""

        self.lost = asyncio.Event()
        """Set when the socket is closed."""

        self._decoder = Decoder(limits.frame_before)
        self._limit = limits.frame_before
        self._transport: asyncio.Transport | None = None
        self._keepalive = Keepalive(limits, self._loop.time())
        self._heartbeats: Budget[None] | None = None
        """Set once heartbeats are sent and expected."""
        self._timer: asyncio.TimerHandle | None = None
        self._inbox: deque[bytes] = deque()
        self._inbox_bytes = 0
        self._reader: asyncio.Future[None] | None = None
        self._reading = True
        self._full = False
        self._queue: deque[tuple[float, bytes]] = deque()
        self._queued = 0
        self._closing: Goodbye | None = None
        self._transport_closed = False

    # Methods for the owner.

    @property
    def transport(self) -> asyncio.Transport:
        """The TLS transport; `NetError` (`LOST`) if there is none."""
        if self._transport is None:
            raise NetError(NetFault.LOST, "the connection ended before it was made")
        return self._transport

    @property
    def ended(self) -> bool:
        """Whether nothing more can be received."""
        return self.end is not None

    @property
    def connected(self) -> bool:
        """Whether TLS is up and the socket is still open."""
        return self._transport is not None

    @property
    def certificate(self) -> bytes:
        """The host's certificate in DER, as received by the client."""
        tls = cast(ssl.SSLObject, self.transport.get_extra_info("ssl_object"))
        return tls.getpeercert(binary_form=True) or b""

    @property
    def open(self) -> bool:
        """Whether messages can be sent."""
        return self.end is None and self._closing is None

    @property
    def paused(self) -> bool:
        """Whether reading has stopped because the inbox is full."""
        return not self._reading

    @property
    def backlog(self) -> int:
        """Bytes waiting for the network, here and in the transport."""
        return self._queued + (self._transport.get_write_buffer_size() if self._transport else 0)

    def authenticated(self) -> None:
        """Allow long messages, because the peer has proved its identity."""
        self._limit = self._decoder.limit = self.limits.frame_after

    def start_keepalive(self) -> None:
        """Start sending heartbeats and expecting them."""
        rate = 4 / self.limits.heartbeat
        self._heartbeats = Budget[None](rate, HEARTBEATS)
        self._heartbeats.spend(None, HEARTBEATS - FIRST_HEARTBEATS, self._loop.time())
        self._keepalive = Keepalive(self.limits, self._loop.time())
        self._keepalive.set_paused(self._loop.time(), not self._reading)
        self._keepalive.set_waiting(self._loop.time() if self._full else None)
        self._arm()

    def send(self, message: bytes) -> None:
        """Send one message, now or as soon as the network accepts it.

        Raises `NetError`: the error that ended the connection, `CLOSED`, `TOO_BIG`, `PROTOCOL` for
        an empty message, or `SLOW` if the peer has just been dropped because its queue is full.
        """
        frame = message_frame(message, self._limit)
        if not self.open:
            raise self._refusal()
        if self._full and self.backlog + len(frame) > self.limits.queue:
            self.fail(NetError(NetFault.SLOW, f"more than {self.limits.queue} bytes wait"))
            raise self._refusal()
        self._send(frame)

    async def receive(self) -> bytes:
        """Return the next message. After the last, raise `NetError` (`CLOSED` after a goodbye)."""
        while not self._inbox:
            if self.end is not None:
                raise self._refusal()
            if self._reader is not None:
                raise NetError(NetFault.CLOSED, "another task is already receiving")
            self._reader = self._loop.create_future()
            try:
                await self._reader
            finally:
                self._reader = None
        message = self._inbox.popleft()
        self._inbox_bytes -= len(message)
        if not self._reading:
            self._read_again()
        return message

    async def close(self, reason: Goodbye) -> None:
        """Deliver queued messages, say goodbye, wait for the peer's goodbye, and close.

        Messages that were not read are discarded. After `limits.close` seconds, or if
        cancelled, the connection is cut instead.
        """
        if self._transport is None:
            self.lost.set()
        elif self.open:
            self._closing = reason
            frame = farewell_frame(reason)
            self._send(frame)
            # Discard further messages, so that reading continues up to the peer's goodbye.
            self._inbox.clear()
            self._inbox_bytes = 0
            self._read_again()
        try:
            async with asyncio.timeout(self.limits.close):
                await self.lost.wait()
        except TimeoutError:
            pass
        finally:
            self.abort()
        await self.lost.wait()

    def abort(self, why: NetError | None = None) -> None:
        """Cut the connection without waiting. Further calls do nothing."""
        self._finish(why or NetError(NetFault.CLOSED, "cut by this side"))
        if self._transport is None:
            self.lost.set()
        else:
            _abort(self._transport)

    @asynccontextmanager
    async def handshake(self, late: str) -> AsyncIterator[None]:
        """Limit the time of mutual authentication, and cut the connection if it fails.

        After `limits.auth` seconds it raises `NetError` (`TIMEOUT`) with `late` as its detail.
        """
        try:
            async with asyncio.timeout(self.limits.auth):
                yield
        except BaseException as error:
            await self.abort_and_wait()
            if isinstance(error, TimeoutError):
                raise NetError(NetFault.TIMEOUT, late) from None
            raise

    async def abort_and_wait(self) -> None:
        """Cut the connection, and return when the socket is closed."""
        self.abort()
        await self.lost.wait()

    def fail(self, why: NetError) -> None:
        """Drop the peer: send a goodbye if the transport has room for it, then cut."""
        if self.end is not None:
            return
        reason = _GOODBYE_FOR.get(why.fault)
        if reason is not None and not self._full and self._closing is None and self._transport:
            self._transport.write(farewell_frame(reason))
        self.abort(why)

    # Callbacks of the transport.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport: TLS is up."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=WRITE_HIGH)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            # asyncio sets this only for sockets created with an explicit protocol number.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.end is not None:
            _abort(self._transport)

    def data_received(self, data: bytes) -> None:
        """Decode bytes from the peer, and stop reading while the inbox is full."""
        if self.end is not None:
            return
        now = self._loop.time()
        self._keepalive.received(now)
        try:
            for frame in self._decoder.feed(data):
                if type(frame) is not bytes:
                    self._take_control(cast(Control, frame))
                elif self._closing is None:
                    self._inbox.append(frame)
                    self._inbox_bytes += len(frame)
                if self.ended:
                    return
            if self._decoder.fault is not None:
                raise self._decoder.fault
        except NetError as error:
            self.fail(error)
            return
        self._wake()
        limits = self.limits
        full = self._inbox_bytes > limits.inbox or len(self._inbox) > limits.inbox_messages
        if full and self._reading and self._transport is not None:
            self._reading = False
            self._transport.pause_reading()
            self._keepalive.set_paused(now, True)

    def eof_received(self) -> None:
        """Record that the peer will send nothing more. The transport then closes itself."""
        self._finish(NetError(NetFault.LOST, "the connection was closed"))

    def connection_lost(self, exc: Exception | None) -> None:
        """Record that the socket is closed."""
        detail = "the connection broke" if exc is None else type(exc).__name__
        self._finish(NetError(NetFault.LOST, detail))
        self._transport = None
        self.lost.set()

    def pause_writing(self) -> None:
        """Queue from now on, because the transport's buffer is full."""
        self._full = True
        self._keepalive.set_waiting(self._loop.time())
        self._arm()

    def resume_writing(self) -> None:
        """Send the queue, because the transport has room again."""
        self._full = False
        self._keepalive.set_waiting(None)
        while self._queue and not self._full and self.end is None:
            since, frame = self._queue.popleft()
            self._queued -= len(frame)
            self._write(frame)
            self._note_waiting(since)
        self._arm()

    # Helpers.

    def _note_waiting(self, since: float) -> None:
        if self._full:
            self._keepalive.set_waiting(since)

    def _send(self, frame: bytes) -> None:
        if not self._full:
            self._write(frame)
            return
        self._queue.append((self._loop.time(), frame))
        self._queued += len(frame)

    def _write(self, frame: bytes) -> None:
        if self._transport is None:
            return
        self._keepalive.sent(self._loop.time())
        self._transport.write(frame)

    def _take_control(self, control: Control) -> None:
        match control:
            case Heartbeat():
                if self._heartbeats is None:
                    raise NetError(NetFault.PROTOCOL, "a heartbeat before authentication")
                if not self._heartbeats.take(None, self._loop.time()):
                    raise NetError(NetFault.FLOOD, "too many heartbeats")
            case Farewell(reason):
                if self._closing is None and self._transport is not None:
                    # The peer waits for this answer, and discards everything else.
                    self._transport.write(farewell_frame(reason))
                self._finish(reason)
                self._shutdown()

    def _shutdown(self) -> None:
        # If asyncio's TLS transport is closed twice, a later abort() does nothing.
        if not self._transport_closed and self._transport is not None:
            self._transport_closed = True
            self._transport.close()

    def _finish(self, why: NetError | Goodbye) -> None:
        if self.end is None:
            # Once this side has sent its goodbye, later errors do not matter.
            self.end = why if self._closing is None else self._closing
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._queue.clear()
        self._queued = 0
        self._wake()

    def _refusal(self) -> NetError:
        match self.end:
            case NetError() as error:
                # A new instance each time, because a raised exception accumulates tracebacks.
                return NetError(error.fault, error.detail)
            case Goodbye() as reason:
                return NetError(NetFault.CLOSED, reason.name)
            case None:
                return NetError(NetFault.CLOSED, "closing")

    def _wake(self) -> None:
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    def _read_again(self) -> None:
        half = self._inbox_bytes * 2 <= self.limits.inbox
        few = len(self._inbox) * 2 <= self.limits.inbox_messages
        if self._reading or not (half and few) or self._transport is None:
            return
        self._reading = True
        self._keepalive.set_paused(self._loop.time(), False)
        self._arm()
        self._transport.resume_reading()

    def _arm(self) -> None:
        if self._heartbeats is None or self.end is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        # A deadline that passed while bytes waited for the network does not mean a late timer.
        due = max(self._keepalive.due(), self._loop.time())
        self._timer = self._loop.call_at(due, self._tick, due)

    def _tick(self, due: float) -> None:
        self._timer = None
        if self.end is not None:
            return
        now = self._loop.time()
        if now - due > self.limits.late:
            self._keepalive.woke(now)
        match self._keepalive.check(now):
            case KeepaliveAction.BEAT:
                self._write(HEARTBEAT_FRAME)
            case KeepaliveAction.SILENT:
                self.fail(NetError(NetFault.LOST, f"silent for {self.limits.silence} s"))
            case KeepaliveAction.STUCK:
                self.fail(NetError(NetFault.SLOW, f"took nothing for {self.limits.queue_age} s"))
            case KeepaliveAction.NOTHING:
                pass
        self._arm()


async def start_tls(
    sock: socket.socket, context: ssl.SSLContext, limits: Limits, server_name: str | None
) -> TlsConnection:
    """Do the TLS handshake on a connected socket, as the host if `server_name` is None.

    Raises `NetError` (`TLS`, `TIMEOUT`). The socket is then closed, also on cancellation.
    """
    loop = asyncio.get_running_loop()
    wire = TlsConnection(limits)
    try:
        if server_name is None:
            await loop.connect_accepted_socket(
                lambda: wire,
                sock,
                ssl=context,
                ssl_handshake_timeout=limits.tls,
                ssl_shutdown_timeout=limits.close,
            )
        else:
            await loop.create_connection(
                lambda: wire,
                sock=sock,
                ssl=context,
                server_hostname=server_name,
                ssl_handshake_timeout=limits.tls,
                ssl_shutdown_timeout=limits.close,
            )
    except ConnectionAbortedError:
        await _wait_until_closed(sock)
        raise NetError(NetFault.TIMEOUT, "no TLS handshake in time") from None
    except OSError as error:  # includes ssl.SSLError
        await _wait_until_closed(sock)
        raise NetError(NetFault.TLS, type(error).__name__) from None
    except BaseException:
        # Cancelled. A transport that has not started yet may still start, and must then end.
        wire.abort()
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        await _wait_until_closed(sock)
        raise
    if not wire.connected:
        raise NetError(NetFault.TLS, "the connection ended in the TLS handshake")
    return wire


def _abort(transport: asyncio.Transport) -> None:
    """Cut a connection, even if asyncio's TLS transport was closed twice and dropped its own.

    asyncio itself closes it when a handshake is cancelled; the connection then ends by its own time
    limit. In this state Python 3.11.2 raises, where later versions do nothing.
    """
    with suppress(AttributeError):
        transport.abort()


async def _wait_until_closed(sock: socket.socket) -> None:
    """Wait a few event-loop turns until asyncio has closed a socket that has ended.

    asyncio cannot signal this before TLS is up, and a program that exits earlier leaks the socket.
    """
    for _ in range(_CLOSING_TURNS):
        if sock.fileno() < 0:
            return
        await asyncio.sleep(0)
