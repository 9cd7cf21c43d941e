"""Inputs: values that say what happened to a node, as its runtime reports it.

`deliver` passes an input to the node and returns the outputs (`outputs.py`). Because inputs are
plain values, a runtime can record them (`trace.py`), and a recording can be replayed
(`trace_replay.py`).
"""

from __future__ import annotations

from typing import assert_never

from msgspec import Struct

from lanuno.rules.engine.actions import Action
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.node import Node
from lanuno.table.outputs import NodeOutput, Peer, SyncJournal


class _Input(Struct, frozen=True, forbid_unknown_fields=True, tag=True, tag_field="type"):
    """Common base: the encoding options of all inputs."""


class NodeStarted(_Input, frozen=True):
    """The node starts. Links that are already up have been reported."""


class LinkUp(_Input, frozen=True):
    """A connection to another node is up. The fields are those of `Node.link_up`."""

    link: Peer
    seat: int | None
    address: str
    dialled: bool
    identity: bytes


class LinkDown(_Input, frozen=True):
    """A connection ended. The fields are those of `Node.link_down`."""

    link: Peer
    silent: float
    quiet: bool


class ConnectFailed(_Input, frozen=True):
    """A connection requested by `Connect` could not be made."""

    seat: int


class MessageReceived(_Input, frozen=True):
    """A message arrived from another node."""

    link: Peer
    message: messages.AtTable


class TimePassed(_Input, frozen=True):
    """Time has passed."""


class JournalSynced(_Input, frozen=True):
    """The journal has been synced to disk, as requested."""

    done: SyncJournal


class JobDone(_Input, frozen=True):
    """A `RunJob` has a result."""

    job: int
    result: object = None
    """Not recorded, because a replay computes it again."""

    def __repr__(self) -> str:
        # The result may hold keys.
        return f"JobDone(job={self.job})"


class PlayerActed(_Input, frozen=True):
    """The player of one of the node's sessions decided on an action."""

    session: int
    """Index in `Node.sessions`."""
    action: Action


class ChatSent(_Input, frozen=True):
    """The owner or the spectator wrote a line of chat."""

    text: str

    def __repr__(self) -> str:
        return "ChatSent(<private>)"


class ReactionSent(_Input, frozen=True):
    """The owner reacts."""

    reaction: messages.Reaction


class ScoreShown(_Input, frozen=True):
    """The owner looks at the score of a round, or no longer does."""

    number: int
    reading: bool


class LeaveRequested(_Input, frozen=True):
    """The owner leaves the table on purpose."""


class StopRequested(_Input, frozen=True):
    """The person at the host ends the match."""


class ProgramPaused(_Input, frozen=True):
    """This program did not run for a time."""

    seconds: float


class SpectatorSentAway(_Input, frozen=True):
    """The person at the host sends a spectator away, or all of them for None."""

    identity: bytes | None
    why: messages.LobbyRefusal


class ClaimMade(_Input, frozen=True):
    """The person at the host ends the wait for a silent player."""


NodeInput = (
    NodeStarted
    | LinkUp
    | LinkDown
    | ConnectFailed
    | MessageReceived
    | TimePassed
    | JournalSynced
    | JobDone
    | PlayerActed
    | ChatSent
    | ReactionSent
    | ScoreShown
    | LeaveRequested
    | StopRequested
    | ProgramPaused
    | SpectatorSentAway
    | ClaimMade
)
"""The inputs of `Node`, from its runtime."""


def deliver(  # noqa: C901 - one case for each input
    node: Node, given: NodeInput, now: float
) -> list[NodeOutput]:
    """Pass an input to the node at this time, and return its outputs.

    An action that the rules refuse has no outputs of its own. A caller that shows the refusal to
    the player calls the session itself, and then `Node.carry_out`.
    """
    match given:
        case NodeStarted():
            return node.begin(now)
        case LinkUp():
            return node.link_up(
                given.link,
                given.seat,
                now,
                address=given.address,
                dialled=given.dialled,
                identity=given.identity,
            )
        case LinkDown():
            return node.link_down(given.link, now, silent=given.silent, quiet=given.quiet)
        case ConnectFailed():
            return node.connect_failed(given.seat, now)
        case MessageReceived():
            return node.receive(given.link, given.message, now)
        case TimePassed():
            return node.tick(now)
        case JournalSynced():
            return node.synced(given.done, now)
        case JobDone():
            return node.job_done(given.job, given.result, now)
        case PlayerActed():
            try:
                todo = node.sessions[given.session].act(given.action)
            except TableError:
                todo = []
            return node.carry_out(todo, now)
        case ChatSent():
            return node.say(given.text, now)
        case ReactionSent():
            return node.react(given.reaction, now)
        case ScoreShown():
            return node.read_score(given.number, now, reading=given.reading)
        case LeaveRequested():
            return node.leave(now)
        case StopRequested():
            return node.stop(now)
        case ProgramPaused():
            return node.paused(given.seconds, now)
        case SpectatorSentAway():
            return node.send_away(given.identity, given.why, now)
        case ClaimMade():
            return node.claim(now)
        case _:
            assert_never(given)
