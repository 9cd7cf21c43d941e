"""Outputs: reprs that show no secret, and the seconds that clocks show."""

from __future__ import annotations

from functools import partial

import pytest

from lanuno.log.format.bodies import SignedBody
from lanuno.table import messages, outputs
from lanuno.table.outputs import shown_seconds

SECRET = b"n" * 32
SIGNED = SignedBody(SECRET, SECRET * 2)
CHAT = "a word among friends"


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (outputs.Send(3, messages.Said("Bea", 1, CHAT)), "Send(3, Said"),
        (outputs.Send(4, messages.Submit(SIGNED)), "Send(4, Submit"),
        (outputs.StoreSeed(1, bytes(32), "round", SECRET), "StoreSeed(seat=1, label='round'"),
        (outputs.StoreBody(1, 7, SIGNED), "StoreBody(seat=1, counter=7"),
        (outputs.StoreStandIn(2, SECRET), "StoreStandIn(seat=2"),
        (outputs.RunJob(5, partial(len, SECRET)), "RunJob(job=5"),
        (outputs.ChatReceived("Bea", 1, CHAT), "ChatReceived(name='Bea'"),
    ],
)
def test_the_repr_of_an_output_shows_its_kind_and_no_secret(value: object, kind: str) -> None:
    shown = repr(value)
    assert shown.startswith(kind)
    assert not any(each in shown for each in (repr(SECRET)[2:-1], SECRET.hex(), CHAT))


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.0, 0), (0.01, 1), (1.0, 1), (1.2, 2), (-3.5, 0), (59.999, 60)]
)
def test_seconds_left_are_rounded_up_and_never_negative(seconds: float, shown: int) -> None:
    assert shown_seconds(seconds) == shown
