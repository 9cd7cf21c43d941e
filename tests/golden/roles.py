"""Observes the nodes of a simulated table from outside: their outputs and their roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from unittest.mock import patch

from lanuno.table import inputs, roles
from lanuno.table.inputs import NodeInput
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

INPUTS: dict[type[NodeInput], str] = {
    inputs.NodeStarted: "start",
    inputs.LinkUp: "link_up",
    inputs.LinkDown: "link_down",
    inputs.ConnectFailed: "connect_failed",
    inputs.MessageReceived: "receive",
    inputs.TimePassed: "tick",
    inputs.JournalSynced: "synced",
    inputs.JobDone: "job_done",
    inputs.PlayerActed: "act",
    inputs.ChatSent: "say",
    inputs.ReactionSent: "react",
    inputs.ScoreShown: "read_score",
    inputs.LeaveRequested: "leave",
    inputs.StopRequested: "stop",
    inputs.ProgramPaused: "paused",
    inputs.ClaimMade: "claim",
    inputs.SpectatorSentAway: "send_away",
}
"""The recorded names of the inputs."""

OnInput = Callable[[Node, str, tuple[Role, Role], Sequence[Output], float], None]
"""Called after an input with the node, the input, its role before and after, outputs and time."""


def role_of(node: Node) -> Role:
    """Return the role of a node."""
    return ROLES[type(node.role)]


@contextmanager
def watched(hear: OnInput) -> Iterator[None]:
    """Within the context, report every input of a node to `hear`."""
    plain = Node.step

    def watching(node: Node, given: NodeInput, now: float) -> Sequence[Output]:
        before = role_of(node)
        out = plain(node, given, now)
        name = INPUTS[type(given)]
        if isinstance(given, inputs.MessageReceived):
            name += f" {type(given.message).__name__}"
        hear(node, name, (before, role_of(node)), out, now)
        return out

    with patch.object(Node, "step", watching):
        yield
