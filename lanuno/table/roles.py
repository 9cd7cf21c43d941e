"""The roles of a node: what it does about the host of its table, and what it remembers for that.

A node is in exactly one role. A class here holds the state of a role and nothing else: what a node
does in each role is in `node.py`. `TRANSITIONS` lists every change of role, and what leads to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from lanuno.log.faults import Blame
from lanuno.table.host.role import HostRole
from lanuno.table.outputs import Peer


@dataclass(slots=True)
class HostLink:
    """The link to the host that this node is in contact with, and what is known of that host."""

    link: Peer
    term: int
    """The term in which it says it is the host; its log may still have to show that."""
    since: float
    """When this node began to follow it."""
    shown_at: float
    """When it last sent an entry of its log."""
    rejoined_at: float
    """When it last got a `Rejoin` of this node."""


@dataclass(slots=True)
class Searching:
    """No host is in contact: dial the owners, ask them for the host, stand for election."""

    no_quorum: bool = False
    """Whether it was reported that too few owners can be reached."""


@dataclass(slots=True)
class AwaitingPeer:
    """This program began again as the host of two owners, and waits for the other one.

    That owner may hold more of what was signed in this term than the disk here: nothing is signed
    before it has said how far its log goes.
    """

    peer: int
    """Seat of the other owner."""
    no_quorum: bool = False
    """As in `Searching`."""


@dataclass(slots=True)
class Following:
    """Take the entries of the host, acknowledge them, submit bodies."""

    host: HostLink


@dataclass(slots=True)
class Pledged:
    """This owner has voted in a later term than that of the host that it is in contact with.

    Nothing that the host sends counts, so that no entry of its term becomes final by this node.
    """

    host: HostLink


@dataclass(slots=True)
class Reading:
    """As `Pledged`, but that host has gone on: its entries are taken and not acknowledged."""

    host: HostLink


@dataclass(slots=True)
class Hosting:
    """This node is the host: it orders the log."""

    host_role: HostRole


@dataclass(slots=True)
class Stopped:
    """A message proved that no honest host sent it: all links are closed, messages are ignored."""

    blame: Blame


LinkedToHost = Following | Pledged | Reading
Role = Searching | AwaitingPeer | LinkedToHost | Hosting | Stopped

_STOPPED: Final = "the log cannot be right, or lacks an entry for which a secret was released"
_LOST: Final = (
    "the link is down; its owner states that another one is the host, or asks for one; the log"
    " names another host; it has not shown its votes in time, or sends what cannot be the log"
)
_WON: Final = "a majority of the owners elected this node"
_ANNOUNCED: Final = "an owner announces that it is the host, or its log proves it"
_READ: Final = "the same, in a term below that of this owner's last vote"

TRANSITIONS: Final[Mapping[type[Role], Mapping[type[Role], str]]] = MappingProxyType(
    {
        Searching: {
            Following: _ANNOUNCED,
            Reading: _READ,
            Hosting: f"the table begins, or goes on with one owner, or is closed; {_WON}",
            AwaitingPeer: "this program begins again as the host of two owners",
            Stopped: _STOPPED,
        },
        AwaitingPeer: {
            Hosting: "the peer holds no more of this term",
            Searching: "a log proves a later term; this owner has voted for another; a third owner"
            " is back, and the peer has shown all that it holds or is gone",
            Stopped: _STOPPED,
        },
        Following: {
            Following: f"{_ANNOUNCED}: another one, in another term or over another link",
            Reading: _READ,
            Pledged: "this owner votes in a later term",
            Searching: _LOST,
            Hosting: f"{_WON}, in a term below that of the host that is followed",
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
            Reading: f"{_READ}: another one, in another term or over another link",
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
"""From each role to the roles that may follow it, and the events that lead there."""
