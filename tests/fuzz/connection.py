"""Parsers of data received over a connection: frames, greetings, messages."""

from __future__ import annotations

from collections.abc import Callable

from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import encode
from lanuno.net.errors import Goodbye, NetError
from lanuno.net.transport.framing import (
    HEARTBEAT_FRAME,
    Decoder,
    Farewell,
    Heartbeat,
    farewell_frame,
    message_frame,
)
from lanuno.net.transport.handshake import ClientSide, HostSide
from lanuno.table import messages
from lanuno.table.messages import at_table, from_host, from_peer, to_bytes
from tests.fuzz.games import played
from tests.fuzz.parser import Parser
from tests.harness.host_and_seats.acknowledging import acknowledgement
from tests.harness.log_table.log_table import identity

LIMIT = 1024
CERTIFICATE = b"h" * 32
NONCE = b"n" * 32


def _frames(data: bytes) -> None:
    """Frames do not depend on how the bytes are split; the first byte is the size of a piece."""
    step = 1 + (data[0] if data else 0)
    parts = Decoder(LIMIT)
    found = []
    for start in range(0, len(data), step):
        found += parts.feed(data[start : start + step])
    whole = Decoder(LIMIT)
    assert whole.feed(data) == found
    assert (whole.fault is None) == (parts.fault is None)
    for frame in found:
        assert isinstance(frame, Heartbeat | Farewell) or 1 <= len(frame) <= LIMIT


def _greeting(data: bytes) -> None:
    host = HostSide(identity(0), b"c" * 16, CERTIFICATE, NONCE)
    host.receive(data[:-97])
    host.receive(data[-97:])
    assert host.peer == identity(1).public


def _answer(data: bytes) -> None:
    client = ClientSide(CERTIFICATE, NONCE)
    found = client.host(data)
    assert found.identity == identity(0).public


def _hellos() -> tuple[bytes, bytes]:
    client = ClientSide(CERTIFICATE, NONCE)
    host = HostSide(identity(0), b"c" * 16, CERTIFICATE, NONCE)
    answer = host.receive(client.hello())
    client.host(answer)
    return client.hello() + client.auth(identity(1)), answer


def _checked_reader(read: Callable[[bytes], object]) -> Callable[[bytes], None]:
    """Check that each value has exactly one encoding."""

    def feed(data: bytes) -> None:
        assert encode(read(data)) == data

    return feed


def _message_examples() -> list[bytes]:
    entries = tuple(played().entries[5:7])
    return [
        to_bytes(each)
        for each in (
            messages.Entries(5, entries),
            messages.Submit(entries[0].read().signed_body),
            acknowledgement(played().replay, 1, identity(1), 7),
            messages.Fetch(2),
            messages.Say("hola 🃏"),
            messages.HostIs(2, 1),
        )
    ]


PARSERS = (
    Parser(
        "frames",
        _frames,
        (),
        lambda: [message_frame(b"x" * 9, LIMIT) + HEARTBEAT_FRAME + farewell_frame(Goodbye.DONE)],
    ),
    Parser("greeting", _greeting, (NetError,), lambda: [_hellos()[0]]),
    Parser("answer", _answer, (NetError,), lambda: [_hellos()[1]]),
    Parser("from_peer", _checked_reader(from_peer), (Unreadable,), _message_examples),
    Parser("from_host", _checked_reader(from_host), (Unreadable,), _message_examples),
    Parser("at_table", _checked_reader(at_table), (Unreadable,), _message_examples),
)
