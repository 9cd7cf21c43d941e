"""The messages that a session sends to the host, read from its outputs."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.format.bodies import Body, SignedBody
from lanuno.table import messages
from lanuno.table.outputs import Output, Send


def sent_to_host(out: Sequence[Output]) -> list[messages.AtTable]:
    """Return the messages to the host."""
    return [output.message for output in out if isinstance(output, Send)]


def signed_bodies(out: Sequence[Output]) -> list[SignedBody]:
    """Return the signed bodies submitted to the log."""
    return [message.body for message in sent_to_host(out) if isinstance(message, messages.Submit)]


def submitted(out: Sequence[Output]) -> list[Body]:
    """Return the bodies submitted to the log."""
    return [signed.read() for signed in signed_bodies(out)]


def is_of_seat(message: messages.AtTable, seat: int | None) -> bool:
    """Whether a message to the host belongs to this seat, not to another one of its node."""
    return not isinstance(message, messages.Submit) or message.body.read().author == seat
