"""The public interface of a connection: messages to and from a proved identity.

Rule: messages are opaque bytes here.
"""

from __future__ import annotations

from typing import Self

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.transport.limits import Limits
from lanuno.net.transport.tls_connection import TlsConnection


class Channel:
    """An authenticated connection. Iterate over it to receive; one reader at a time.

    Iteration stops after a goodbye of either side, and after `abort`. It raises `NetError` (`LOST`,
    `SLOW`, `FLOOD`, `TOO_BIG`, `PROTOCOL`) if the connection ended in any other way. Messages that
    arrived before the end are returned first; only `close` discards them.
    """

    __slots__ = ("_wire", "address", "context", "identity")

    def __init__(self, wire: TlsConnection, identity: bytes, context: bytes, address: str) -> None:
        """Take ownership of a wire whose handshake is complete."""
        self._wire = wire
        self.identity = identity
        """The peer's public key (32 bytes, Ed25519)."""

        self.context = context
        """The lobby or table id that both sides signed."""

        self.address = address
        """The peer's address as text, with its scope, without the port."""

        wire.start_keepalive()

    @property
    def open(self) -> bool:
        """Whether `send` can be called."""
        return self._wire.open

    @property
    def end(self) -> NetError | Goodbye | None:
        """Why the channel ended, or None while it is alive."""
        return self._wire.end

    @property
    def paused(self) -> bool:
        """Whether nothing is read for now, because the peer sends faster than this side takes."""
        return self._wire.paused

    @property
    def limits(self) -> Limits:
        """The limits of this channel."""
        return self._wire.limits

    def send(self, message: bytes) -> None:
        """Send 1 to 65,536 bytes without waiting.

        Raises `NetError`: `TOO_BIG`, `PROTOCOL` (an empty message), `SLOW` (the peer was dropped
        because its queue is full), `CLOSED`, or the error that ended the channel earlier.
        """
        self._wire.send(message)

    async def receive(self) -> bytes:
        """Return the next message.

        After the last message it raises `NetError`: `CLOSED` after a goodbye, or the error that
        ended the channel. `CLOSED` also means that another task is already receiving.
        """
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
        """Deliver queued messages, say goodbye, and return once the socket is closed.

        Received messages that were not read are discarded. Takes at most `limits.close`
        seconds. Safe to call repeatedly and from any task.
        """
        await self._wire.close(reason)

    def abort(self) -> None:
        """Cut the connection immediately, without a goodbye."""
        self._wire.abort()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        state = "open" if self.open else f"ended: {self.end!s}"
        return f"Channel({self.identity[:4].hex()}…@{self.address}, {state})"
