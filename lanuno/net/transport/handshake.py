"""Mutual authentication inside TLS, as two state machines without sockets.

    client -> host   ClientHello   version, nonce
    host -> client   HostHello     version, nonce, identity, signature, role, context
    client -> host   ClientAuth    identity, signature
    host -> client   Welcome       (or Refusal with a code, in place of any answer)

The signatures are over H("host-auth", …) and H("client-auth", …) of context (lobby or table id),
SHA-256 of the TLS certificate, client nonce and host nonce; the host's also over its role: 1 if it
hosts the table, 0 if it only plays there and listens for the other players. A relay in the middle
has another certificate, so its signatures do not verify. The client sends nothing about itself
before the host has proved its identity. It may leave at that point, which confirms a table before
joining is offered.

Rule: randomness is passed in. Every received byte is checked here, and invalid input raises
`NetError`. All messages have fixed layouts, so each has exactly one encoding.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from msgspec import Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import (
    PUBLIC_BYTES,
    SIGNATURE_BYTES,
    Identity,
    check_public,
    fingerprint,
    verify,
)
from lanuno.net.errors import NetError, NetFault

VERSION: Final = 1
NONCE_BYTES: Final = 32
MAX_CONTEXT: Final = 64
_MAGIC: Final = b"lanuno"
_HOST_FIXED: Final = 1 + 2 + NONCE_BYTES + PUBLIC_BYTES + SIGNATURE_BYTES + 1
_CLIENT_HELLO, _HOST_HELLO, _CLIENT_AUTH, _WELCOME, _REFUSAL = range(1, 6)


class HandshakeRefusal(IntEnum):
    """Why a host refuses to continue. One byte on the wire."""

    OTHER = 0
    VERSION = 1
    PROTOCOL = 2
    IDENTITY = 3
    FULL = 4

    @property
    def fault(self) -> NetFault:
        """The fault that the client reports."""
        return _FAULTS[self]


_FAULTS: Final = {
    HandshakeRefusal.OTHER: NetFault.REFUSED,
    HandshakeRefusal.VERSION: NetFault.VERSION,
    HandshakeRefusal.PROTOCOL: NetFault.PROTOCOL,
    HandshakeRefusal.IDENTITY: NetFault.IDENTITY,
    HandshakeRefusal.FULL: NetFault.FULL,
}


class HostIdentity(Struct, frozen=True):
    """A host that has proved its identity."""

    identity: bytes
    """Its public key."""

    context: bytes
    """The lobby or table id that it serves now."""

    hosts: bool
    """Whether it hosts that table, so that others can join or watch there."""

    @property
    def fingerprint(self) -> str:
        """The fingerprint of its key, as adverts and links show it."""
        return fingerprint(self.identity)


def refusal_message(code: HandshakeRefusal) -> bytes:
    """Encode the refusal that a host sends in place of an answer."""
    return bytes([_REFUSAL, code])


class HostSide:
    """The host's half. Pass two messages to `receive`, send its answers, then read `peer`."""

    __slots__ = (
        "_certificate",
        "_client_nonce",
        "_identity",
        "_nonce",
        "_peer",
        "_role",
        "context",
    )

    def __init__(
        self,
        identity: Identity,
        context: bytes,
        certificate_hash: bytes,
        nonce: bytes,
        *,
        hosts: bool = True,
    ) -> None:
        """Prepare for one client. `nonce` is 32 fresh random bytes, `context` has 1 to 64 bytes.

        `hosts`: whether this node hosts the table.

        Raises `NetError` (`PROTOCOL`) for another length.
        """
        if not 1 <= len(context) <= MAX_CONTEXT or len(nonce) != NONCE_BYTES:
            raise NetError(NetFault.PROTOCOL, "a context or nonce of impossible length")
        self._identity = identity
        self._certificate = certificate_hash
        self._nonce = nonce
        self._client_nonce: bytes | None = None
        self.context = context
        self._role = bytes([hosts])
        self._peer: bytes | None = None

    @property
    def peer(self) -> bytes:
        """The client's public key; `NetError` (`IDENTITY`) until it is proved."""
        if self._peer is None:
            raise NetError(NetFault.IDENTITY, "the client has not proved its identity")
        return self._peer

    def receive(self, message: bytes) -> bytes:
        """Process one message and return the answer.

        Raises `NetError` if the client must be refused: `PROTOCOL`, `VERSION`, `IDENTITY`.
        """
        if self._peer is not None:
            raise NetError(NetFault.PROTOCOL, "the handshake is over")
        if self._client_nonce is None:
            return self._hello(message)
        return self._auth(message, self._client_nonce)

    def _hello(self, message: bytes) -> bytes:
        head = bytes([_CLIENT_HELLO]) + _MAGIC
        if not message.startswith(head) or len(message) < len(head) + 2:
            raise NetError(NetFault.PROTOCOL, "not a greeting")
        version = int.from_bytes(message[len(head) : len(head) + 2], "big")
        # The layout after the version belongs to that version, so check the version first.
        if version != VERSION:
            raise NetError(NetFault.VERSION, f"the client speaks version {version}")
        nonce = message[len(head) + 2 :]
        if len(nonce) != NONCE_BYTES:
            raise NetError(NetFault.PROTOCOL, "a greeting of the wrong length")
        self._client_nonce = nonce
        digest = H("host-auth", self._role, self.context, self._certificate, nonce, self._nonce)
        return b"".join(
            (
                bytes([_HOST_HELLO]),
                VERSION.to_bytes(2, "big"),
                self._nonce,
                self._identity.public,
                self._identity.sign(digest),
                self._role,
                self.context,
            )
        )

    def _auth(self, message: bytes, client_nonce: bytes) -> bytes:
        if len(message) != 1 + PUBLIC_BYTES + SIGNATURE_BYTES or message[0] != _CLIENT_AUTH:
            raise NetError(NetFault.PROTOCOL, "not a proof of identity")
        public, signature = message[1 : 1 + PUBLIC_BYTES], message[1 + PUBLIC_BYTES :]
        digest = H("client-auth", self.context, self._certificate, client_nonce, self._nonce)
        if not verify(public, signature, digest):
            raise NetError(NetFault.IDENTITY, "the client cannot prove its identity")
        self._peer = public
        return bytes([_WELCOME])


class ClientSide:
    """The client's half: send `hello`, pass the answer to `host`, send `auth`, then `welcome`."""

    __slots__ = ("_certificate", "_context", "_fingerprint", "_host", "_host_nonce", "_nonce")

    def __init__(
        self,
        certificate_hash: bytes,
        nonce: bytes,
        *,
        fingerprint: str | None = None,
        context: bytes | None = None,
    ) -> None:
        """Expect a host with this fingerprint and context; None accepts any.

        `nonce` is 32 fresh random bytes.
        """
        self._certificate = certificate_hash
        self._nonce = nonce
        self._fingerprint = fingerprint
        self._context = context
        self._host_nonce = b""
        self._host: HostIdentity | None = None

    def hello(self) -> bytes:
        """Return the first message, which reveals nothing about this player."""
        return bytes([_CLIENT_HELLO]) + _MAGIC + VERSION.to_bytes(2, "big") + self._nonce

    def host(self, message: bytes) -> HostIdentity:
        """Check the host's answer and return the proved identity.

        Raises `NetError`: `IDENTITY` if the host is not the expected one or cannot prove its key,
        `WRONG_TABLE`, `VERSION`, `PROTOCOL`, or the fault of the host's refusal.
        """
        _raise_refusal(message)
        if len(message) < 3 or message[0] != _HOST_HELLO:
            raise NetError(NetFault.PROTOCOL, "not a host's greeting")
        version = int.from_bytes(message[1:3], "big")
        if version != VERSION:
            raise NetError(NetFault.VERSION, f"the host speaks version {version}")
        if not _HOST_FIXED < len(message) <= _HOST_FIXED + MAX_CONTEXT:
            raise NetError(NetFault.PROTOCOL, "a greeting of the wrong length")
        nonce = message[3:35]
        public = message[35:67]
        signature = message[67:131]
        role, context = message[131:132], message[132:]
        if not check_public(public):
            raise NetError(NetFault.IDENTITY, "the host's key is not acceptable")
        if self._fingerprint is not None and fingerprint(public) != self._fingerprint:
            raise NetError(NetFault.IDENTITY, "the host has another identity")
        digest = H("host-auth", role, context, self._certificate, self._nonce, nonce)
        if not verify(public, signature, digest):
            raise NetError(NetFault.IDENTITY, "the host cannot prove its identity")
        if role not in (b"\0", b"\1"):
            raise NetError(NetFault.PROTOCOL, "the host has no such role")
        if self._context is not None and context != self._context:
            raise NetError(NetFault.WRONG_TABLE, "this host serves another table")
        self._host_nonce = nonce
        self._host = HostIdentity(public, context, role == b"\1")
        return self._host

    def auth(self, identity: Identity) -> bytes:
        """Return the proof of this player's identity for the host that `host` has verified.

        Raises `NetError` (`PROTOCOL`) before that.
        """
        if self._host is None:
            raise NetError(NetFault.PROTOCOL, "the host is not known yet")
        digest = H(
            "client-auth", self._host.context, self._certificate, self._nonce, self._host_nonce
        )
        return bytes([_CLIENT_AUTH]) + identity.public + identity.sign(digest)

    def welcome(self, message: bytes) -> None:
        """Check that the host has accepted.

        Raises `NetError`: the fault of the host's refusal, or `PROTOCOL` for another message.
        """
        _raise_refusal(message)
        if message != bytes([_WELCOME]):
            raise NetError(NetFault.PROTOCOL, "not a welcome")


def _raise_refusal(message: bytes) -> None:
    if len(message) == 2 and message[0] == _REFUSAL:
        known = message[1] in HandshakeRefusal.__members__.values()
        code = HandshakeRefusal(message[1]) if known else HandshakeRefusal.OTHER
        raise NetError(code.fault, "the host refused")


def refusal_for(error: NetError) -> HandshakeRefusal:
    """Return the refusal code that reports this error to the client."""
    codes = {fault: code for code, fault in _FAULTS.items()}
    return codes.get(error.fault, HandshakeRefusal.PROTOCOL)
