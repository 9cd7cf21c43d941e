"""Private parts of messages and outputs stay out of their repr, which may end up in a log."""

from __future__ import annotations

import pytest

from lanuno.log.format.bodies import SignedBody
from lanuno.table import messages, outputs
from lanuno.table.metadata import TableMetadata

PIN, CHAT, NONCE = "pin 4711", "a word among friends", b"n" * 32


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (messages.Join(1, "Bea", NONCE, NONCE, False, False, PIN), "Join"),
        (messages.Watch(1, "Bea", PIN), "Watch"),
        (messages.RevealNonce(NONCE), "RevealNonce"),
        (messages.Submit(SignedBody(NONCE, NONCE * 2)), "Submit"),
        (messages.Say(CHAT), "Say"),
        (messages.Said("Bea", 1, CHAT), "Said"),
        (outputs.SendToPeer(3, messages.Said("Bea", 1, CHAT)), "SendToPeer"),
        (outputs.ChatReceived("Bea", 1, CHAT), "ChatReceived"),
        (TableMetadata(pin=PIN), "TableMetadata"),
    ],
)
def test_a_repr_shows_the_kind_and_no_more(value: object, kind: str) -> None:
    said = repr(value)
    assert said.startswith(kind)
    assert not any(each in said for each in (PIN, CHAT, repr(NONCE)[2:-1]))
