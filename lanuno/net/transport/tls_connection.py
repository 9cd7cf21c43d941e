"""One TLS connection as an asyncio protocol: frames in, frames out, bounds, heartbeats, goodbye.

Everything happens in the callbacks of the transport and one timer: no task per connection or
message. What is sent goes to the transport at once; while the transport is full it waits in a
queue here, bounded in bytes and age.

Rule: identities belong to `handshake.py`, the public interface to `channel.py`. Once `end` is set
it does not change, and no frame is sent any more.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from collections import deque
from contextlib import suppress
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
from lanuno.net.transport.rate import TokenBucket

WRITE_HIGH = 64 * 1024
"""Bytes that the transport itself may hold before the queue here begins."""

_CLOSING_TURNS = 100
"""Turns of the loop within which asyncio closes a socket for certain: it needs less than ten."""

HEARTBEATS = 10_000
"""Heartbeats that may come at once: those of hours in which this side did not read."""

_GOODBYE_FOR = {
    NetFault.FLOOD: Goodbye.FLOOD,
    NetFault.SLOW: Goodbye.SLOW,
    NetFault.TOO_BIG: Goodbye.PROTOCOL,
    NetFault.PROTOCOL: Goodbye.PROTOCOL,
}


def _is_news(record: logging.LogRecord) -> bool:
    """Whether a log record of asyncio is worth keeping.

    It warns of every write after a failed one until it reports the end, which it does in the next
    turn of its loop: a table that sends to a player who has just gone is nothing unusual.
    """
    return record.msg != "socket.send() raised exception."


logging.getLogger("asyncio").addFilter(_is_news)


class TlsConnection(asyncio.Protocol):
    """A connection before and after authentication."""

    def __init__(self, limits: Limits) -> None:
        """Wait for the transport; must be made inside a running loop."""
        self._loop = asyncio.get_running_loop()
        self.limits = limits
        self.end: NetError | Goodbye | None = None
        """Why nothing more will be received; `Goodbye` after an orderly end."""

        self.bucket: TokenBucket | None = None
        """Set by the layer above to bound the rate of messages received."""

        self.lost = asyncio.Event()
        """Set when the socket is gone."""

        self._decoder = Decoder(limits.frame_before)
        self._limit = limits.frame_before
        self._transport: asyncio.Transport | None = None
        self._keepalive: Keepalive | None = None
        self._heartbeats: TokenBucket | None = None
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

    # What the owner calls.

    @property
    def transport(self) -> asyncio.Transport:
        """The TLS transport; `NetError` (`LOST`) if there never was one."""
        if self._transport is None:
            raise NetError(NetFault.LOST, "the connection ended before it was made")
        return self._transport

    @property
    def ended(self) -> bool:
        """Whether nothing more can be received."""
        return self.end is not None

    @property
    def connected(self) -> bool:
        """Whether TLS came up and the socket is not gone."""
        return self._transport is not None

    @property
    def certificate(self) -> bytes:
        """The host's certificate in DER as the client sees it."""
        tls = cast(ssl.SSLObject, self.transport.get_extra_info("ssl_object"))
        return tls.getpeercert(binary_form=True) or b""

    @property
    def open(self) -> bool:
        """Whether messages can be sent."""
        return self.end is None and self._closing is None

    @property
    def congested(self) -> bool:
        """Whether the transport takes nothing at the moment."""
        return self._full

    @property
    def backlog(self) -> int:
        """Bytes that wait for the network, here and in the transport."""
        return self._queued + (self._transport.get_write_buffer_size() if self._transport else 0)

    def authenticated(self) -> None:
        """The peer has proved its identity: allow long messages."""
        self._limit = self._decoder.limit = self.limits.frame_after

    def start_keepalive(self) -> None:
        """Begin to send heartbeats and to expect them."""
        rate = 4 / self.limits.heartbeat
        self._heartbeats = TokenBucket(rate, HEARTBEATS, self._loop.time())
        self._keepalive = Keepalive(self.limits, self._loop.time())
        self._keepalive.set_paused(self._loop.time(), not self._reading)
        self._keepalive.set_waiting(self._loop.time() if self._full else None)
        self._arm()

    def send(self, message: bytes) -> None:
        """Send one message, now or as soon as the network takes it.

        Raises `NetError`: why the connection has ended, `CLOSED`, `TOO_BIG`, or `SLOW` if the
        peer has just been dropped because its queue is full.
        """
        frame = message_frame(message, self._limit)
        if self.end is not None or self._closing is not None:
            raise self._refusal()
        if not self._full:
            self._write(frame)
            return
        if self.backlog + len(frame) > self.limits.queue:
            self.fail(NetError(NetFault.SLOW, f"more than {self.limits.queue} bytes wait"))
            raise self._refusal()
        self._queue.append((self._loop.time(), frame))
        self._queued += len(frame)

    async def receive(self) -> bytes:
        """The next message. After the last one: `NetError`, with `CLOSED` after a goodbye."""
        while not self._inbox:
            if self.end is not None:
                raise self._refusal()
            if self._reader is not None:
                raise NetError(NetFault.CLOSED, "somebody else is receiving already")
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
        """Deliver what is queued, say goodbye, wait for the peer's, and close.

        After `limits.close` seconds, or if cancelled, the connection is cut instead.
        """
        if self._transport is None:
            self.lost.set()
        elif self.open:
            self._closing = reason
            frame = farewell_frame(reason)
            if not self._full:
                self._write(frame)
            else:
                self._queue.append((self._loop.time(), frame))
                self._queued += len(frame)
            # What still arrives is discarded, so that the peer's goodbye can be read.
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
        """Cut the connection at once; nothing waits for anything. Does nothing the second time."""
        self._finish(why or NetError(NetFault.CLOSED, "cut by this side"))
        if self._transport is None:
            self.lost.set()
        else:
            _abort(self._transport)

    async def abort_and_wait(self) -> None:
        """`abort`, and return when the socket is gone."""
        self.abort()
        await self.lost.wait()

    def fail(self, why: NetError) -> None:
        """Give the peer up: send a goodbye if that is possible at once, and cut."""
        if self.end is not None:
            return
        reason = _GOODBYE_FOR.get(why.fault)
        if reason is not None and not self._full and self._closing is None and self._transport:
            self._transport.write(farewell_frame(reason))
        self.abort(why)

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """TLS is up."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.set_write_buffer_limits(high=WRITE_HIGH)
        sock = transport.get_extra_info("socket")
        if sock is not None:
            # asyncio does so only for sockets made with an explicit protocol number.
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.end is not None:
            _abort(self._transport)

    def data_received(self, data: bytes) -> None:
        """Bytes from the peer."""
        if self.end is not None:
            return
        now = self._loop.time()
        if self._keepalive is not None:
            self._keepalive.received(now)
        try:
            for frame in self._decoder.feed(data):
                if type(frame) is bytes:
                    self._take(frame, now)
                else:
                    self._take_control(cast(Control, frame))
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
            if self._keepalive is not None:
                self._keepalive.set_paused(now, True)

    def eof_received(self) -> None:
        """The peer sends nothing more; the transport closes itself."""
        self._finish(NetError(NetFault.LOST, "the connection was closed"))

    def connection_lost(self, exc: Exception | None) -> None:
        """The socket is gone."""
        detail = "the connection broke" if exc is None else type(exc).__name__
        self._finish(NetError(NetFault.LOST, detail))
        self._transport = None
        self.lost.set()

    def pause_writing(self) -> None:
        """The transport is full."""
        self._full = True
        if self._keepalive is not None:
            self._keepalive.set_waiting(self._loop.time())
            self._arm()

    def resume_writing(self) -> None:
        """The transport has room again."""
        self._full = False
        if self._keepalive is not None:
            self._keepalive.set_waiting(None)
        while self._queue and not self.congested and not self.ended:
            since, frame = self._queue.popleft()
            self._queued -= len(frame)
            self._write(frame)
            self._note_waiting(since)
        self._arm()

    # Inside.

    def _note_waiting(self, since: float) -> None:
        if self._full and self._keepalive is not None:
            self._keepalive.set_waiting(since)

    def _write(self, frame: bytes) -> None:
        if self._transport is None:
            return
        if self._keepalive is not None:
            self._keepalive.sent(self._loop.time())
        self._transport.write(frame)

    def _take(self, message: bytes, now: float) -> None:
        if self._closing is not None:
            return
        if self.bucket is not None and not self.bucket.take(now):
            raise NetError(NetFault.FLOOD, "too many messages")
        self._inbox.append(message)
        self._inbox_bytes += len(message)

    def _take_control(self, control: Control) -> None:
        match control:
            case Heartbeat():
                if self._heartbeats is None:
                    raise NetError(NetFault.PROTOCOL, "a heartbeat before authentication")
                if not self._heartbeats.take(self._loop.time()):
                    raise NetError(NetFault.FLOOD, "too many heartbeats")
            case Farewell(reason):
                if self._closing is None and self._transport is not None:
                    # The answer that the peer waits for; it discards everything else.
                    self._transport.write(farewell_frame(reason))
                self._finish(reason)
                self._shutdown()

    def _shutdown(self) -> None:
        # A second close() of asyncio's TLS transport would make a later abort() do nothing.
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
                # A fresh one each time: a raised exception collects tracebacks.
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
        if self._keepalive is not None:
            self._keepalive.set_paused(self._loop.time(), False)
            self._arm()
        self._transport.resume_reading()

    def _arm(self) -> None:
        if self._keepalive is None or self.end is not None:
            return
        if self._timer is not None:
            self._timer.cancel()
        # A deadline that passed while bytes waited for the network is not a late timer.
        due = max(self._keepalive.due(), self._loop.time())
        self._timer = self._loop.call_at(due, self._tick, due)

    def _tick(self, due: float) -> None:
        self._timer = None
        if self._keepalive is None or self.end is not None:
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
    """Do the TLS handshake on a connected socket: the host's part if `server_name` is None.

    Raises `NetError` (`TLS`, `TIMEOUT`). The socket is closed then, also if this is cancelled.
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
    except OSError as error:  # ssl.SSLError is one
        await _wait_until_closed(sock)
        raise NetError(NetFault.TLS, type(error).__name__) from None
    except BaseException:
        # Cancelled: a transport that has not even begun would begin later, and must find an end.
        wire.abort()
        with suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)
        await _wait_until_closed(sock)
        raise
    if not wire.connected:
        raise NetError(NetFault.TLS, "the connection ended in the TLS handshake")
    return wire


def _abort(transport: asyncio.Transport) -> None:
    """Cut a connection, unless asyncio's TLS transport has been closed twice and has let go of it.

    asyncio itself closes it when a handshake is cancelled; the connection then ends by its own time
    limit. Python 3.11.2 raises where later versions do nothing.
    """
    with suppress(AttributeError):
        transport.abort()


async def _wait_until_closed(sock: socket.socket) -> None:
    """Wait until asyncio has closed a socket whose end it knows of: a few turns of its loop.

    It cannot signal this before TLS is up, and a program that ends before it has done so
    leaves the socket open.
    """
    for _ in range(_CLOSING_TURNS):
        if sock.fileno() < 0:
            return
        await asyncio.sleep(0)
