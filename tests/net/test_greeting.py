"""What the first bytes of a connection are, before any TLS is done for it."""

from __future__ import annotations

import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.greeting import MAX_GREETING, Greeting, judge, look_ahead
from tests.net.attackers import greeting


def test_every_part_of_a_greeting() -> None:
    whole = greeting()
    assert len(whole) < MAX_GREETING
    assert {judge(whole[:end]) for end in range(1, len(whole))} == {Greeting.PART}
    assert judge(whole) is judge(whole + b"more") is Greeting.WHOLE


@pytest.mark.parametrize(
    "data",
    [
        b"G",
        b"\x16\x04",
        b"\x15\x03\x01\x00\x02\x01\x00\x00\x00",
        # Another handshake message; a ClientHello over several records; one that is too long.
        b"\x16\x03\x01\x01\x00\x02\x00\x00\xfc",
        b"\x16\x03\x01\x01\x00\x01\x00\x00\xfd",
        b"\x16\x03\x01\x10\x00\x01\x00\x0f\xfc",
    ],
)
def test_what_is_no_greeting(data: bytes) -> None:
    assert judge(data) is Greeting.NONE


@given(st.binary(min_size=1, max_size=40), st.booleans())
def test_any_bytes(data: bytes, begun: bool) -> None:
    assert judge(b"\x16\x03" + data if begun else data) in Greeting


def test_nothing_is_taken_by_looking() -> None:
    here, there = socket.socketpair()
    with here, there:
        here.setblocking(False)
        assert look_ahead(here) is Greeting.NOTHING
        there.sendall(greeting()[:7])
        assert look_ahead(here) is look_ahead(here) is Greeting.PART
        assert len(here.recv(100)) == 7
        there.close()
        assert look_ahead(here) is Greeting.NONE
    assert look_ahead(here) is Greeting.NONE
