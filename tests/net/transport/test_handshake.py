"""The two halves of the handshake, against each other and against attackers."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.handshake import (
    MAX_CONTEXT,
    ClientSide,
    HandshakeRefusal,
    HostIdentity,
    HostSide,
    refusal_for,
    refusal_message,
)

HOST = Identity.from_seed(b"h" * 32)
GUEST = Identity.from_seed(b"g" * 32)
CERTIFICATE = b"c" * 32
HOST_NONCE = b"n" * 32
GUEST_NONCE = b"m" * 32
LOBBY = b"lobby"


@dataclass
class Talk:
    """The messages of one whole handshake."""

    hello: bytes
    answer: bytes
    auth: bytes
    welcome: bytes


def host_side(context: bytes = LOBBY, certificate: bytes = CERTIFICATE) -> HostSide:
    return HostSide(HOST, context, certificate, HOST_NONCE)


def client_side(
    *, fp: str | None = None, context: bytes | None = None, certificate: bytes = CERTIFICATE
) -> ClientSide:
    return ClientSide(certificate, GUEST_NONCE, fingerprint=fp, context=context)


def fault_of(call: object, *args: object) -> NetFault:
    assert callable(call)
    with pytest.raises(NetError) as caught:
        call(*args)
    return caught.value.fault


def offer(which: str, data: bytes) -> None:
    """Pass one message to its receiver, and any answer to the other side."""
    client, host = client_side(), host_side()
    match which:
        case "hello":
            # A changed nonce is the only change that the host accepts; the client detects it.
            client.host(host.receive(data))
        case "answer":
            client.host(data)
        case "auth":
            host.receive(client.hello())
            host.receive(data)
        case _:
            client.welcome(data)


def talk() -> Talk:
    host, client = host_side(), client_side()
    hello = client.hello()
    answer = host.receive(hello)
    client.host(answer)
    auth = client.auth(GUEST)
    return Talk(hello, answer, auth, host.receive(auth))


def test_both_learn_who_the_other_is() -> None:
    host = host_side()
    client = client_side(fp=fingerprint(HOST.public), context=LOBBY)
    found = client.host(host.receive(client.hello()))
    assert found == HostIdentity(HOST.public, LOBBY, hosts=True)
    assert found.fingerprint == fingerprint(HOST.public)
    assert fault_of(lambda: host.peer) is NetFault.IDENTITY
    client.welcome(host.receive(client.auth(GUEST)))
    assert host.peer == GUEST.public


def test_the_client_says_nothing_about_itself_at_first() -> None:
    assert GUEST.public not in talk().hello
    assert client_side().hello() == talk().hello
    assert fault_of(client_side().auth, GUEST) is NetFault.PROTOCOL


def test_another_host_than_expected_is_refused() -> None:
    client = client_side(fp=fingerprint(GUEST.public))
    assert fault_of(client.host, host_side().receive(client.hello())) is NetFault.IDENTITY
    assert fault_of(client.auth, GUEST) is NetFault.PROTOCOL


def test_another_table_than_expected_is_refused() -> None:
    client = client_side(context=b"another")
    assert fault_of(client.host, host_side().receive(client.hello())) is NetFault.WRONG_TABLE


def test_a_relay_with_its_own_certificate_fails_on_both_sides() -> None:
    client = client_side(certificate=b"r" * 32)
    assert fault_of(client.host, host_side().receive(client.hello())) is NetFault.IDENTITY
    # A relay that lies to the client about everything still cannot reuse the client's proof.
    relay = HostSide(HOST, LOBBY, b"r" * 32, HOST_NONCE)
    client.host(relay.receive(client.hello()))
    host = host_side()
    host.receive(client.hello())
    assert fault_of(host.receive, client.auth(GUEST)) is NetFault.IDENTITY


@pytest.mark.parametrize(
    "host",
    [
        HostSide(HOST, b"other lobby", CERTIFICATE, HOST_NONCE),
        HostSide(HOST, LOBBY, b"d" * 32, HOST_NONCE),
        HostSide(HOST, LOBBY, CERTIFICATE, b"o" * 32),
    ],
    ids=["context", "certificate", "nonce"],
)
def test_a_proof_made_elsewhere_or_earlier_is_worth_nothing(host: HostSide) -> None:
    replayed = talk()
    host.receive(replayed.hello)
    assert fault_of(host.receive, replayed.auth) is NetFault.IDENTITY


def test_a_host_greeting_of_an_earlier_talk_is_worth_nothing() -> None:
    later = ClientSide(CERTIFICATE, b"l" * 32)
    assert fault_of(later.host, talk().answer) is NetFault.IDENTITY


def test_a_host_signature_is_no_client_signature() -> None:
    """Otherwise an attacker could pass a host's own signature back to it."""
    said = talk()
    reflected = b"\x03" + said.answer[35:67] + said.answer[67:131]
    host = host_side()
    host.receive(said.hello)
    assert fault_of(host.receive, reflected) is NetFault.IDENTITY


@pytest.mark.parametrize(
    "public",
    [bytes(32), b"\x01" + bytes(31), b"\xee" + b"\xff" * 30 + b"\x7f", b"\xff" * 32],
    ids=["order 4", "neutral", "not canonical", "not canonical, signed"],
)
def test_weak_keys_are_refused_on_both_sides(public: bytes) -> None:
    said = talk()
    forged = said.answer[:35] + public + said.answer[67:]
    assert fault_of(client_side().host, forged) is NetFault.IDENTITY
    assert fault_of(client_side(fp=fingerprint(public)).host, forged) is NetFault.IDENTITY
    host = host_side()
    host.receive(said.hello)
    assert fault_of(host.receive, b"\x03" + public + said.auth[33:]) is NetFault.IDENTITY


@given(st.integers(0, 10_000), st.integers(1, 255), st.sampled_from(["hello", "answer", "auth"]))
def test_no_byte_can_be_changed(where: int, change: int, which: str) -> None:
    said = talk()
    data = bytearray(getattr(said, which))
    data[where % len(data)] ^= change
    with pytest.raises(NetError):
        offer(which, bytes(data))


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_by_everybody(data: bytes) -> None:
    for call in (host_side().receive, client_side().host, client_side().welcome):
        with pytest.raises(NetError):
            call(data)
    host = host_side()
    host.receive(talk().hello)
    with pytest.raises(NetError):
        host.receive(data)


@pytest.mark.parametrize("which", ["hello", "answer", "auth", "welcome"])
def test_a_byte_more_or_less_is_refused(which: str) -> None:
    said = talk()
    data: bytes = getattr(said, which)
    for changed in (data + b"\x00", data[:-1]):
        with pytest.raises(NetError):
            offer(which, changed)


def test_other_versions() -> None:
    said = talk()
    hello = said.hello[:7] + (2).to_bytes(2, "big") + b"whatever that version says"
    assert fault_of(host_side().receive, hello) is NetFault.VERSION
    answer = said.answer[:1] + (2).to_bytes(2, "big") + said.answer[3:]
    assert fault_of(client_side().host, answer) is NetFault.VERSION
    assert fault_of(client_side().host, answer[:1] + b"\x00\x02") is NetFault.VERSION


@pytest.mark.parametrize("code", HandshakeRefusal)
def test_refusals_have_a_code(code: HandshakeRefusal) -> None:
    assert fault_of(client_side().host, refusal_message(code)) is code.fault
    assert fault_of(client_side().welcome, refusal_message(code)) is code.fault
    assert refusal_for(NetError(code.fault)) is code


def test_codes_of_later_versions_and_of_other_faults() -> None:
    assert fault_of(client_side().host, b"\x05\xee") is NetFault.REFUSED
    assert refusal_for(NetError(NetFault.TOO_BIG)) is HandshakeRefusal.PROTOCOL


def test_a_player_who_does_not_host_says_so() -> None:
    client = client_side()
    plays = HostSide(HOST, LOBBY, CERTIFICATE, HOST_NONCE, hosts=False)
    assert not client.host(plays.receive(client.hello())).hosts
    assert client_side().host(talk().answer).hosts


def test_nothing_follows_the_handshake() -> None:
    said, host = talk(), host_side()
    host.receive(said.hello)
    host.receive(said.auth)
    assert fault_of(host.receive, said.auth) is NetFault.PROTOCOL


@pytest.mark.parametrize("context", [b"", bytes(MAX_CONTEXT + 1)])
def test_impossible_contexts(context: bytes) -> None:
    assert fault_of(host_side, context) is NetFault.PROTOCOL
    assert fault_of(HostSide, HOST, LOBBY, CERTIFICATE, b"short") is NetFault.PROTOCOL


def test_the_layout() -> None:
    said = talk()
    assert said.hello == b"\x01lanuno\x00\x01" + GUEST_NONCE
    assert said.answer[:67] == b"\x02\x00\x01" + HOST_NONCE + HOST.public
    assert said.answer[131:] == b"\x01" + LOBBY
    assert len(said.auth) == 97
    assert said.auth[:33] == b"\x03" + GUEST.public
    assert said.welcome == b"\x04"
