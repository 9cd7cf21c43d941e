"""The first bytes of a connection are classified before any TLS work is done."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.transport.client_hello import (
    MAX_CLIENT_HELLO,
    ClientHelloState,
    parse_client_hello,
    peek,
)
from tests.net.attackers import greeting


def test_every_part_of_a_greeting() -> None:
    whole = greeting()
    assert len(whole) < MAX_CLIENT_HELLO
    assert {parse_client_hello(whole[:end]) for end in range(1, len(whole))} == {
        ClientHelloState.PART
    }
    assert (
        parse_client_hello(whole) is parse_client_hello(whole + b"more") is ClientHelloState.WHOLE
    )


@pytest.mark.parametrize(
    "data",
    [
        b"G",
        b"\x16\x04",
        b"\x15\x03\x01\x00\x02\x01\x00\x00\x00",
        # Another handshake message; a ClientHello in several records; one that is too long.
        b"\x16\x03\x01\x01\x00\x02\x00\x00\xfc",
        b"\x16\x03\x01\x01\x00\x01\x00\x00\xfd",
        b"\x16\x03\x01\x10\x00\x01\x00\x0f\xfc",
    ],
)
def test_bytes_that_are_no_client_hello_are_recognised(data: bytes) -> None:
    assert parse_client_hello(data) is ClientHelloState.NONE


@given(st.binary(min_size=1, max_size=40), st.booleans())
def test_any_bytes(data: bytes, begun: bool) -> None:
    assert parse_client_hello(b"\x16\x03" + data if begun else data) in ClientHelloState


def test_peeking_leaves_the_bytes_in_the_socket() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        assert peek(here) is ClientHelloState.NOTHING
        there.sendall(greeting()[:7])
        assert peek(here) is peek(here) is ClientHelloState.PART
        assert len(here.recv(100)) == 7
        there.close()
        assert peek(here) is ClientHelloState.NONE
    assert peek(here) is ClientHelloState.NONE
