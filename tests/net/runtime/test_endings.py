"""What the end of a connection says about the network."""

from __future__ import annotations

import errno

import pytest

from lanuno.net.errors import Goodbye, NetError, NetFault
from lanuno.net.runtime.endings import silent_seconds, went_quiet
from tests.harness.sockets.running import RawPeer, run, serving, until


@pytest.mark.parametrize(
    ("end", "quiet", "silent"),
    [
        (None, False, 0.0),
        (Goodbye.SHUTDOWN, False, 0.0),
        (NetError(NetFault.FLOOD, "too many messages"), False, 0.0),
        (NetError(NetFault.CLOSED, "cut by this side"), False, 0.0),
        (NetError(NetFault.LOST, "the connection was closed"), False, 0.0),
        (NetError(NetFault.LOST, ConnectionResetError.__name__), False, 0.0),
        (NetError(NetFault.SLOW, "took nothing for 5.0 s"), True, 0.0),
        (NetError(NetFault.LOST, "silent for 4.0 s"), True, 4.0),
        (NetError(NetFault.LOST, type(OSError(errno.ETIMEDOUT, "")).__name__), True, 0.0),
        (NetError(NetFault.LOST, type(OSError(errno.ENETUNREACH, "")).__name__), True, 0.0),
        (NetError(NetFault.LOST, ConnectionAbortedError.__name__), True, 0.0),
    ],
)
def test_only_some_ends_of_a_connection_suggest_a_network_failure(
    end: NetError | Goodbye | None, *, quiet: bool, silent: float
) -> None:
    assert (went_quiet(end), silent_seconds(end, 4.0)) == (quiet, silent)


def test_invalid_tls_records_do_not_look_like_a_network_failure() -> None:
    """A guest that breaks its connection this way is dropped after the usual grace time."""

    async def story() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            own = peer.writer.get_extra_info("socket")
            with own.dup() as sock:
                sock.send(b"no record of TLS at all, and longer than a header")
            await until(lambda: channel.end is not None)
            assert isinstance(channel.end, NetError)
            assert not went_quiet(channel.end)
            await peer.close()

    run(story())


@pytest.mark.parametrize("reset", [True, False])
def test_a_program_that_ends_does_not_look_like_a_network_failure(*, reset: bool) -> None:
    """The operating system closes the connection, or resets it if data was unread."""

    async def story() -> None:
        async with serving() as (server, arrived):
            peer = await RawPeer.authenticated(server.port)
            channel = await arrived.get()
            if reset:
                peer.writer.transport.abort()
            else:
                peer.writer.write_eof() if peer.writer.can_write_eof() else peer.writer.close()
            await until(lambda: channel.end is not None)
            assert isinstance(channel.end, NetError)
            assert not went_quiet(channel.end)
            await peer.close()

    run(story())
