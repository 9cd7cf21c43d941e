"""The roles of a node: its relation to the host of the table, and the state that goes with it.

A node is in exactly one role. The classes here hold only the state of a role; `node.py` implements
its behaviour. `TRANSITIONS` lists every permitted change of role and the events that cause it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from lanuno.log.faults import Blame
from lanuno.table.host.role import HostRole
from lanuno.table.outputs import Link


class HostLink(Struct):
    """The link to the host that this node is in contact with, and the state of that contact."""

    link: Link
    term: int
    """The term that the host claims. Its log may still have to prove the claim."""
    since: float
    """When this node began to follow the host."""
    shown_at: float
    """When the host last sent an entry of its log."""
    rejoined_at: float
    """When this node last sent the host a `Rejoin`."""


class Searching(Struct):
    """No contact to a host: dial the owners, ask them for the host, become a candidate."""

    no_quorum: bool = False
    """Whether the loss of the quorum has been reported."""


class AwaitingPeer(Struct):
    """This node restarted as the host of two owners and waits for the other owner.

    The other owner may hold entries of this term that the disk here has lost. So this node signs
    nothing until it has received the end of the other owner's log.
    """

    peer: int
    """Seat of the other owner."""
    no_quorum: bool = False
    """As in `Searching`."""


class Following(Struct):
    """This node follows the host: it accepts and acknowledges entries, and submits bodies."""

    host: HostLink


class Pledged(Struct):
    """This owner has voted in a later term than that of the host it is in contact with.

    The node ignores that host's entries, and acknowledges none. So it helps no entry of the older
    term to become final.
    """

    host: HostLink


class Reading(Struct):
    """Like `Pledged`, but that host has gone on: accept its entries without acknowledging them."""

    host: HostLink


class Hosting(Struct):
    """This node is the host and orders the log."""

    host_role: HostRole


class Stopped(Struct):
    """This node has stopped for good: it has closed all links and ignores all messages.

    No honest host can have sent what it received, or a log lacks an entry for which it released a
    secret.
    """

    blame: Blame


LinkedToHost = Following | Pledged | Reading
Role = Searching | AwaitingPeer | LinkedToHost | Hosting | Stopped


def describe_role(role: Role) -> str:
    """Return a role with what identifies it, for readers and to compare."""
    name = type(role).__name__
    match role:
        case AwaitingPeer(peer):
            return f"{name} (seat {peer})"
        case Stopped(blame):
            return f"{name} ({blame.fault.value})"
        case _ if isinstance(role, LinkedToHost):
            return f"{name} (link {role.host.link}, term {role.host.term})"
        case _:
            return name


_STOPPED: Final = "the log is invalid, or lacks an entry for which a secret was released"
_LOST: Final = (
    "the link is down; its owner names another host, or asks for one; the log names another host;"
    " the host has not shown its votes in time, or sends entries that cannot be of the log"
)
_WON: Final = "a majority of the owners elected this node"
_ANNOUNCED: Final = "an owner announces that it is the host, or its log proves it"
_READ: Final = "as for `Following`, in a term below that of this owner's last vote"

TRANSITIONS: Final[Mapping[type[Role], Mapping[type[Role], str]]] = MappingProxyType(
    {
        Searching: {
            Following: _ANNOUNCED,
            Reading: _READ,
            Hosting: f"the table begins, continues with one owner, or is closed; {_WON}",
            AwaitingPeer: "this node restarts as the host of two owners",
            Stopped: _STOPPED,
        },
        AwaitingPeer: {
            Hosting: "the peer holds no more of this term",
            Searching: "a log proves a later term; this owner has voted for another; a third owner"
            " is back, and the peer has shown all that it holds or is gone",
            Stopped: _STOPPED,
        },
        Following: {
            Following: f"{_ANNOUNCED}: another host, another term or another link",
            Reading: _READ,
            Pledged: "this owner votes in a later term",
            Searching: _LOST,
            Hosting: f"{_WON}, in a term below that of the followed host",
            Stopped: _STOPPED,
        },
        Pledged: {
            Following: _ANNOUNCED,
            Reading: _READ,
            Searching: f"{_LOST}; or nobody was elected in time",
            Hosting: _WON,
        },
        Reading: {
            Following: _ANNOUNCED,
            Reading: f"{_READ}: another host, another term or another link",
            Searching: _LOST,
            Hosting: _WON,
            Stopped: _STOPPED,
        },
        Hosting: {
            Searching: "a log proves a later term; this node hands over, or must be elected again",
            Stopped: _STOPPED,
        },
        Stopped: {},
    }
)
"""The permitted transitions, as from-role -> to-role -> the events that cause the change."""
