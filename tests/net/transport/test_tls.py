"""TLS contexts: handshakes in memory, the certificate, and where its private key may be."""

from __future__ import annotations

import ssl
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509

from lanuno.net.transport import tls
from lanuno.net.transport.tls import (
    SERVER_NAME,
    certificate_hash,
    client_context,
    host_credentials,
)
from tests.harness.systems import is_private


@dataclass
class Handshake:
    """Both ends of a TLS connection, without a network between them."""

    host: ssl.SSLObject
    client: ssl.SSLObject


def handshake(host: ssl.SSLContext, client: ssl.SSLContext) -> Handshake:
    """Complete a handshake, and the exchange of data after which session tickets would be known.

    Raises `ssl.SSLError` if one side refuses the other.
    """
    to_host, to_client = ssl.MemoryBIO(), ssl.MemoryBIO()
    made = Handshake(
        host.wrap_bio(to_host, to_client, server_side=True),
        client.wrap_bio(to_client, to_host, server_hostname=SERVER_NAME),
    )
    waiting: list[Callable[[], object]] = [made.client.do_handshake, made.host.do_handshake]
    while waiting:
        step = waiting.pop(0)
        try:
            step()
        except ssl.SSLWantReadError:
            waiting.append(step)
    made.host.write(b"hello")
    assert made.client.read() == b"hello"
    return made


def certificate_of(made: Handshake) -> bytes:
    certificate = made.client.getpeercert(binary_form=True)
    assert certificate is not None
    return certificate


def test_both_sides_know_the_hash_of_the_certificate_that_is_used() -> None:
    credentials = host_credentials()
    seen = certificate_of(handshake(credentials.context, client_context()))
    assert certificate_hash(seen) == credentials.certificate_hash == sha256(seen).digest()


def test_each_run_has_its_own_key() -> None:
    first, second = host_credentials(), host_credentials()
    assert first.certificate_hash != second.certificate_hash
    keys = {
        x509.load_der_x509_certificate(certificate_of(handshake(each.context, client_context())))
        .public_key()
        .public_bytes_raw()  # type: ignore[union-attr]
        for each in (first, second)
    }
    assert len(keys) == 2


def test_a_certificate_reveals_neither_a_person_nor_a_clock() -> None:
    made = handshake(host_credentials().context, client_context())
    certificate = x509.load_der_x509_certificate(certificate_of(made))
    assert certificate.subject == certificate.issuer
    assert certificate.subject.rfc4514_string() == f"CN={SERVER_NAME}"
    # Valid on every computer, however wrong its clock is.
    years = certificate.not_valid_before_utc.year, certificate.not_valid_after_utc.year
    assert years == (2000, 9999)


@pytest.mark.parametrize("old_host", [True, False])
def test_only_tls_1_3_is_spoken(old_host: bool) -> None:
    new = handshake(host_credentials().context, client_context())
    assert (new.host.version(), new.client.version()) == ("TLSv1.3", "TLSv1.3")
    host, client = host_credentials().context, client_context()
    old = host if old_host else client
    old.minimum_version = old.maximum_version = ssl.TLSVersion.TLSv1_2
    with pytest.raises(ssl.SSLError):
        handshake(host, client)


def test_a_host_gives_out_no_session_tickets() -> None:
    """With a ticket, a stranger could link two connections of the same client."""
    with_tickets = host_credentials().context
    with_tickets.num_tickets = 1
    session = handshake(with_tickets, client_context()).client.session
    assert session is not None
    assert session.has_ticket, "this test can see a ticket"
    session = handshake(host_credentials().context, client_context()).client.session
    assert session is None or not session.has_ticket


class Inspecting(ssl.SSLContext):
    """A context that notes the file from which it loads its key."""

    text: str
    private: bool

    def load_cert_chain(self, certfile: Any, keyfile: Any = None, password: Any = None) -> None:
        path = Path(certfile)
        type(self).text = path.read_text("ascii")
        type(self).private = is_private(path) and is_private(path.parent)
        super().load_cert_chain(certfile, keyfile, password)


def test_the_private_key_is_on_disk_only_encrypted_and_only_for_a_moment(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(tls, "_context", Inspecting)
    host_credentials()
    assert "BEGIN ENCRYPTED PRIVATE KEY" in Inspecting.text
    assert "BEGIN PRIVATE KEY" not in Inspecting.text
    assert Inspecting.private
    assert list(tmp_path.iterdir()) == []


def test_no_key_is_left_on_disk_if_it_cannot_be_loaded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def fail(*_: object, **__: object) -> None:
        assert list(tmp_path.rglob("*.pem"))
        raise ssl.SSLError("no")

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(Inspecting, "load_cert_chain", fail)
    monkeypatch.setattr(tls, "_context", Inspecting)
    with pytest.raises(ssl.SSLError):
        host_credentials()
    assert list(tmp_path.iterdir()) == []
