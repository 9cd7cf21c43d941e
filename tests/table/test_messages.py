"""Messages: their bounds on the wire, and reprs that show nothing private."""

from __future__ import annotations

import pytest

from lanuno.log.format.bodies import SignedBody
from lanuno.table import messages

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
    ],
)
def test_the_repr_of_a_message_shows_its_kind_and_nothing_private(value: object, kind: str) -> None:
    shown = repr(value)
    assert shown.startswith(kind)
    assert not any(each in shown for each in (PIN, CHAT, repr(NONCE)[2:-1]))
