"""Inputs: values that say what happened to a node, as its runtime reports it.

`Node.step` takes each of them and returns outputs (`outputs.py`). Because inputs are plain values,
a runtime can record them (`trace.py`), and a recording can be replayed (`trace_replay.py`).
"""

from __future__ import annotations

from msgspec import Struct

from lanuno.rules.engine.actions import Action
from lanuno.table import messages
from lanuno.table.outputs import Link, SyncJournal


class _Input(Struct, frozen=True, forbid_unknown_fields=True, tag=True, tag_field="type"):
    """Common base: the encoding options of all inputs."""


class NodeStarted(_Input, frozen=True):
    """The node starts. Links that are already up have been reported."""


class LinkUp(_Input, frozen=True):
    """A connection to another node is up."""

    link: Link
    seat: int | None
    """The owner's seat, proven by the handshake; None for a spectator or a stranger."""
    address: str = ""
    dialled: bool = False
    """Whether this node made the connection."""
    identity: bytes = b""
    """The public key of the other node."""


class LinkDown(_Input, frozen=True):
    """A connection ended."""

    link: Link
    silent: float = 0.0
    """Seconds since the last data received on it."""
    quiet: bool = False
    """Whether there was no sign that the network works; always so after a silence."""


class ConnectFailed(_Input, frozen=True):
    """A connection requested by `Connect` could not be made."""

    seat: int


class MessageReceived(_Input, frozen=True):
    """A message arrived from another node."""

    link: Link
    message: messages.AtTable


class TimePassed(_Input, frozen=True):
    """Time has passed."""


class JournalSynced(_Input, frozen=True):
    """The journal has been synced to disk, as requested by this output."""

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
    """The player of one of the node's sessions, a person or a bot, acts."""

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
    """This program did not run for a time until now, so nobody was late."""

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
