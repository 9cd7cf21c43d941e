"""Observes the nodes of a simulated table from outside: their outputs and their roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from enum import Enum
from functools import wraps
from typing import Any
from unittest.mock import patch

from lanuno.table import roles
from lanuno.table.node import Node
from lanuno.table.outputs import Output


class Role(Enum):
    """The roles of a node, as the recorded tables name them."""

    SEARCHING = "searching"
    AWAITING_PEER = "awaiting peer"
    FOLLOWING = "following"
    PLEDGED = "pledged"
    READING = "reading"
    HOSTING = "hosting"
    STOPPED = "stopped"


ROLES = {
    roles.Searching: Role.SEARCHING,
    roles.AwaitingPeer: Role.AWAITING_PEER,
    roles.Following: Role.FOLLOWING,
    roles.Pledged: Role.PLEDGED,
    roles.Reading: Role.READING,
    roles.Hosting: Role.HOSTING,
    roles.Stopped: Role.STOPPED,
}

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
"""The inputs of a node: its methods and their recorded names."""

OnInput = Callable[[Node, str, tuple[Role, Role], Sequence[Output], float], None]
"""Called after an input with the node, the input, its role before and after, outputs and time."""


def role_of(node: Node) -> Role:
    """Return the role of a node."""
    return ROLES[type(node.role)]


@contextmanager
def watched(hear: OnInput) -> Iterator[None]:
    """Within the context, report every input of a node to `hear`."""
    inside: set[int] = set()

    def watching(method: str) -> Callable[..., Sequence[Output]]:
        plain: Callable[..., Sequence[Output]] = getattr(Node, method)

        @wraps(plain)
        def watching(node: Node, *given: Any, **named: Any) -> Sequence[Output]:
            if id(node) in inside:  # an input that another input caused
                return plain(node, *given, **named)
            inside.add(id(node))
            before = role_of(node)
            try:
                out = plain(node, *given, **named)
            finally:
                inside.discard(id(node))
            name = INPUTS[method]
            if method == "receive":
                name += f" {type(given[1]).__name__}"
            hear(node, name, (before, role_of(node)), out, node._now)
            return out

        return watching

    with ExitStack() as patches:
        for method in INPUTS:
            patches.enter_context(patch.object(Node, method, watching(method)))
        yield
