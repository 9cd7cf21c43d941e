"""Watches the computers of a simulated table from outside: their outputs, and the roles they take.

A role is read from the fields that make it up today. The rest of the product names none of them;
when it does, only `role_of` changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from enum import Enum
from functools import wraps
from typing import Any
from unittest.mock import patch

from lanuno.table.node import Node
from lanuno.table.outputs import Output


class Role(Enum):
    """What a computer at a table is doing about the host."""

    SEARCHING = "searching"
    """It has no host: it dials, asks, and stands for election."""
    AWAITING_PEER = "awaiting peer"
    """It was the host of two owners, and asks the other one for its own entries."""
    FOLLOWING = "following"
    """It takes what the host sends, and acknowledges it."""
    PLEDGED = "pledged"
    """It has voted in a later term than that of the host it is connected to."""
    READING = "reading"
    """As pledged, and the host rules on: it takes entries and acknowledges nothing."""
    HOSTING = "hosting"
    """It orders the log."""
    STOPPED = "stopped"
    """What it received cannot be; it goes no further."""


INPUTS = {
    "begin": "start",
    "link_up": "link_up",
    "link_down": "link_down",
    "connect_failed": "connect_failed",
    "receive": "receive",
    "tick": "tick",
    "synced": "synced",
    "job_done": "job_done",
    "carry_out": "act",
    "say": "say",
    "react": "react",
    "leave": "leave",
    "stop": "stop",
    "paused": "paused",
    "claim": "claim",
    "send_away": "send_away",
}
"""The inputs of a computer: its methods, and what they are called here."""

OnInput = Callable[[Node, str, tuple[Role, Role], list[Output], float], None]
"""Called after an input: computer, input, role before and after, outputs, and when."""


def role_of(member: Node) -> Role:
    """The one role of a computer. Raises `AssertionError` if it has more than one."""
    hosts, follows = member.host_role is not None, member.host_link is not None
    awaits = member._awaits_peer
    assert hosts + follows + awaits <= 1, f"{hosts=} {follows=} {awaits=}"
    if member.main_session.stopped is not None:
        return Role.STOPPED
    if hosts:
        return Role.HOSTING
    if awaits:
        return Role.AWAITING_PEER
    if not follows:
        return Role.SEARCHING
    if not member._promised_more:
        return Role.FOLLOWING
    return Role.READING if member._only_reads else Role.PLEDGED


@contextmanager
def watched(hear: OnInput) -> Iterator[None]:
    """Tell of every input that a computer gets meanwhile."""
    inside: set[int] = set()

    def watching(method: str) -> Callable[..., list[Output]]:
        plain: Callable[..., list[Output]] = getattr(Node, method)

        @wraps(plain)
        def watching(member: Node, *given: Any, **named: Any) -> list[Output]:
            if id(member) in inside:  # an input that is made of another one
                return plain(member, *given, **named)
            inside.add(id(member))
            before = role_of(member)
            try:
                out = plain(member, *given, **named)
            finally:
                inside.discard(id(member))
            name = INPUTS[method]
            if method == "receive":
                name += f" {type(given[1]).__name__}"
            hear(member, name, (before, role_of(member)), out, member._now)
            return out

        return watching

    with ExitStack() as patches:
        for method in INPUTS:
            patches.enter_context(patch.object(Node, method, watching(method)))
        yield
