"""TLS 1.3 contexts: a throw-away certificate for the host, which the client does not check.

The certificate identifies nobody. Identities are proved after the TLS handshake, by signatures that
cover the certificate (`handshake.py`).

Rule: the private key of a certificate is never on disk in the clear and never outlives the process.
"""

from __future__ import annotations

import secrets
import ssl
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

SERVER_NAME: Final = "lanuno"
"""The name in the certificate and in the client's ClientHello, the same for all players."""

# Nobody checks the dates. Fixed ones work on computers with a wrong clock, and reveal no clock.
_FROM: Final = datetime(2000, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Credentials:
    """The TLS context of a host for one run of the program, and the hash of its certificate."""

    context: ssl.SSLContext = field(repr=False)
    certificate_hash: bytes
    """SHA-256 of the certificate in DER, which the signatures of both sides cover."""


def certificate_hash(certificate: bytes) -> bytes:
    """SHA-256 of a DER certificate: the value of RFC 5929's tls-server-end-point."""
    return sha256(certificate).digest()


def host_credentials() -> Credentials:
    """Create a fresh Ed25519 key and a self-signed certificate for it.

    Python's ssl loads keys only from files. So the key is briefly written to a private folder,
    encrypted under a password that exists only in memory.
    """
    # Only a host needs these; the window would wait for them at its start.
    from cryptography import x509
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
    )
    from cryptography.x509.oid import NameOID

    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, SERVER_NAME)])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(_FROM)
        .not_valid_after(_UNTIL)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(SERVER_NAME)]), critical=False)
        .sign(key, None)
    )
    password = secrets.token_urlsafe(24).encode("ascii")
    sealed = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
    context = _context(ssl.PROTOCOL_TLS_SERVER)
    # Each connection is its own session. Tickets would only let a stranger link two visits.
    context.num_tickets = 0
    with tempfile.TemporaryDirectory(prefix="lanuno-") as folder:
        path = Path(folder) / "host.pem"
        path.touch(mode=0o600)
        path.write_bytes(certificate.public_bytes(Encoding.PEM) + sealed)
        context.load_cert_chain(path, password=password)
    return Credentials(context, certificate_hash(certificate.public_bytes(Encoding.DER)))


def client_context() -> ssl.SSLContext:
    """Return a context that accepts any certificate; the handshake afterwards proves the owner."""
    context = _context(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def _context(protocol: int) -> ssl.SSLContext:
    context = ssl.SSLContext(protocol)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.maximum_version = ssl.TLSVersion.TLSv1_3
    context.options |= ssl.OP_NO_COMPRESSION
    return context
