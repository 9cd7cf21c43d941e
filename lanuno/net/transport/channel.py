"""The public interface of a connection: messages to and from a proved identity.

Rule: opaque bytes only; nothing here looks into a message.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.limits import Limits
from lanuno.net.transport.rate import TokenBucket
from lanuno.net.transport.tls_connection import TlsConnection


class Channel:
    """An authenticated connection. Iterate over it to receive; one reader at a time.

    Iteration stops after a goodbye of either side and raises `NetError` (`LOST`, `SLOW`, `FLOOD`,
    `TOO_BIG`, `PROTOCOL`) when the connection ended in any other way. Messages that came before
    the end are always returned first.
    """

    __slots__ = ("_wire", "address", "context", "identity")

    def __init__(self, wire: TlsConnection, identity: bytes, context: bytes, address: str) -> None:
        """Take over a wire whose handshake is done."""
        self._wire = wire
        self.identity = identity
        """The peer's public key (32 bytes, Ed25519)."""

        self.context = context
        """The lobby or table id that both sides signed."""

        self.address = address
        """The peer's address as text, with scope, without port."""

        wire.start_keepalive()

    @property
    def open(self) -> bool:
        """Whether `send` can be called."""
        return self._wire.open

    @property
    def end(self) -> NetError | Goodbye | None:
        """Why the channel ended, or None while it has not."""
        return self._wire.end

    @property
    def backlog(self) -> int:
        """Bytes that wait to be taken by the network."""
        return self._wire.backlog

    @property
    def limits(self) -> Limits:
        """The limits of this channel."""
        return self._wire.limits

    @property
    def bucket(self) -> TokenBucket | None:
        """Bounds the rate of received messages; None (the default) does not.

        A peer that exceeds it is dropped with `FLOOD`. Set `bucket.enabled` to False while cards
        are dealt. Its clock is that of the running event loop.
        """
        return self._wire.bucket

    @bucket.setter
    def bucket(self, bucket: TokenBucket | None) -> None:
        self._wire.bucket = bucket

    def send(self, message: bytes) -> None:
        """Send 1 to 65,536 bytes; never waits.

        Raises `NetError`: `TOO_BIG`, `SLOW` (the peer was dropped because too much waits for it),
        `CLOSED`, or the error that had ended the channel before.
        """
        self._wire.send(message)

    async def receive(self) -> bytes:
        """The next message; `NetError` after the last, with `CLOSED` after a goodbye."""
        return await self._wire.receive()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        try:
            return await self._wire.receive()
        except NetError as error:
            if error.fault is NetFault.CLOSED:
                raise StopAsyncIteration from None
            raise

    async def close(self, reason: Goodbye = Goodbye.DONE) -> None:
        """Deliver what is queued, say goodbye, close; returns when the socket is gone.

        Takes at most `limits.close` seconds. May be called more than once and by anybody.
        """
        await self._wire.close(reason)

    def abort(self) -> None:
        """Cut the connection now, without a goodbye."""
        self._wire.abort()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        state = "open" if self.open else f"ended: {self.end!s}"
        return f"Channel({self.identity[:4].hex()}…@{self.address}, {state})"
