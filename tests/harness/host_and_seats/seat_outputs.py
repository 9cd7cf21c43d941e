"""What a session wants sent to the host, read from its outputs."""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.format.bodies import Body, SignedBody
from lanuno.table import messages
from lanuno.table.outputs import Output, SendToHost


def sent_to_host(out: Sequence[Output]) -> list[messages.FromPeer]:
    """What a peer says to the host."""
    return [output.message for output in out if isinstance(output, SendToHost)]


def signed_bodies(out: Sequence[Output]) -> list[SignedBody]:
    """What is sent to be logged, as it is signed."""
    return [message.body for message in sent_to_host(out) if isinstance(message, messages.Submit)]


def submitted(out: Sequence[Output]) -> list[Body]:
    """What is sent to be logged."""
    return [signed.read() for signed in signed_bodies(out)]


def is_of_seat(message: messages.FromPeer, seat: int | None) -> bool:
    """Whether a message of a node to the host is not one of another seat that it plays."""
    return not isinstance(message, messages.Submit) or message.body.read().author == seat
