"""All messages between nodes: one frozen class for every message.

The shapes and bounds of the wire above framing and handshake. `lobby/host.py`, `lobby/peer.py`,
`node.py`, `host/role.py` and `replica/seat.py` decide what a message means. Only the content of
entries and signatures is evidence.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder

from lanuno.log.format.bodies import MAX_SEATS, Count, Counter, Hash, Signature, SignedBody
from lanuno.log.format.codec import decode_with, encode
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Avatar, Genesis
from lanuno.log.format.votes import SignedVote
from lanuno.rules.ruleset import Ruleset

LONGEST_CHAT = 300
PAGE_BYTES = 48 * 1024
"""A page of entries stays below this, so that it fits a frame with room to spare."""
MOST_ROUNDS = 1_000
"""The most rounds that a table may agree on; a match without a number ends by itself."""

Text = Annotated[str, Meta(max_length=64)]


class LobbyRefusal(IntEnum):
    """Why a peer does not get a seat or may not watch, or lost its place."""

    FULL = 0
    NAME_TAKEN = 1
    BAD_NAME = 2
    WRONG_PIN = 3
    STARTED = 4
    """The table plays already; spectators may watch."""
    NO_SPECTATORS = 5
    KICKED = 6
    ALREADY_SEATED = 7
    """This identity has a seat already."""
    BAD_ROSTER = 8
    """The offered roster is not what was agreed on."""
    TOO_SLOW = 9
    """An automatic step of the start was not done in time."""
    HOST_LEFT = 10
    """The host closed the table before it began."""
    OTHER_VERSION = 11
    NOT_INVITED = 12
    """This table is for certain players only."""


class LobbyPhase(IntEnum):
    """The phases of a table up to the beginning of its log."""

    OPEN = 0
    SIGNING = 1
    NONCES = 2
    PLAYING = 3


class Reaction(IntEnum):
    """A sign that a player shows to everybody without words."""

    THUMBS_UP = 0
    LAUGH = 1
    OH_NO = 2
    WOW = 3
    HURRY = 4
    WELL_PLAYED = 5


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="t"):
    """Settings shared by all messages."""


class _Private(_Message, frozen=True):
    """A message that holds what only its receiver may read: its repr may end in a log."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<private>)"


class Join(_Private, frozen=True, tag=0):
    """Peer: give me a seat; or, sent again, my new nonce commitment."""

    version: Count
    name: Text
    nonce: Hash
    owner: Hash
    """Identity of the owner; the peer's own unless it is a bot on its owner's node."""
    bot: bool
    slow_clock: bool
    pin: Text = ""
    avatar: Avatar | None = None
    """The colour under which everybody is to see this player."""

    def __repr__(self) -> str:
        # Without the PIN.
        return f"Join(version={self.version}, name={self.name!r}, bot={self.bot})"


class Watch(_Private, frozen=True, tag=1):
    """Peer: let me watch."""

    version: Count
    name: Text
    pin: Text = ""

    def __repr__(self) -> str:
        # Without the PIN.
        return f"Watch(version={self.version}, name={self.name!r})"


class Ready(_Message, frozen=True, tag=2):
    """Peer: I am, or am not, ready to begin."""

    ready: bool
    offer: Hash
    """What `offer_digest` gives for the rules and the seats that this is meant for."""


class Agree(_Message, frozen=True, tag=3):
    """Peer: my signature of the roster."""

    signature: Signature


class RevealNonce(_Private, frozen=True, tag=4):
    """Peer: the nonce that I committed to."""

    nonce: Hash


class Submit(_Private, frozen=True, tag=5):
    """Peer: take this body into the log."""

    body: SignedBody


class Ack(_Message, frozen=True, tag=6):
    """Peer: all entries before this number are on my disk."""

    count: Count


class Fetch(_Message, frozen=True, tag=7):
    """Peer: send me entries from this number on."""

    first: Count


class Say(_Private, frozen=True, tag=8):
    """Peer: chat. Not in the log."""

    text: Annotated[str, Meta(max_length=LONGEST_CHAT)]


class Rejoin(_Message, frozen=True, tag=9):
    """A node with a seat: I am connected, and hold this much of the log.

    The first message on every connection to a table that plays.
    """

    term: Count
    """Term of the last entry held; 0 if there is none."""
    count: Count
    head: Hash
    """Hash of the last entry held; the table id if there is none."""
    promised: Count
    """Highest term that its owner has voted in; nothing of lower terms is acknowledged."""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """The TCP port on which this node listens for the others; 0 if it does not."""
    vote: SignedVote | None = None
    """Its vote of the term that it promised; without it the promise is not proven."""


class LogPage(_Message, frozen=True, tag=10):
    """The answer to `RequestLog`."""

    first: Count
    entries: Annotated[tuple[Entry, ...], Meta(max_length=1024)]


class RequestVote(_Message, frozen=True, tag=11):
    """An owner's node to another: may I be the host of this term?"""

    pre: bool
    """A pre-vote: the answer binds nobody."""
    term: Count
    last_term: Count
    count: Count
    head: Hash
    reason: SignedVote | None = None
    """From a host that is still there: the vote of another owner in a later term, which therefore
    cannot follow it any more."""


class VoteReply(_Message, frozen=True, tag=12):
    """The answer to `RequestVote`."""

    pre: bool
    term: Count
    granted: bool
    vote: SignedVote | None = None
    """The vote itself, if it is given."""
    promised: Count = 0
    """Highest term that the answering owner has voted in."""


class TakeSeat(_Message, frozen=True, tag=13):
    """Peer: in the lobby, give me this place in exchange for mine."""

    place: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class RequestPresence(_Message, frozen=True, tag=14):
    """An owner's node to another: this entry drops you; are you there?"""

    drop: Entry


class PresenceReply(_Message, frozen=True, tag=15):
    """The answer to `RequestPresence`: I am."""

    drop: Hash
    """Hash of the entry."""
    here: Signature
    """Over what `presence_digest` gives."""


class React(_Message, frozen=True, tag=18):
    """Peer: show this over my seat. Not in the log."""

    reaction: Reaction


class PlayAgain(_Message, frozen=True, tag=19):
    """After the close: I am still here, and want to play again, or have not said so yet."""

    wanted: bool


class LobbySeat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A taken seat as the lobby shows it."""

    name: Text
    identity: Hash
    owner: Hash
    bot: bool
    ready: bool
    avatar: Avatar | None = None


class LobbyState(_Message, frozen=True, tag=20):
    """Host: the lobby as it is now."""

    lobby: Annotated[bytes, Meta(max_length=32)]
    table: Text
    """Name of the table."""
    phase: LobbyPhase
    ruleset: Ruleset
    capacity: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    seats: Annotated[tuple[LobbySeat, ...], Meta(max_length=MAX_SEATS)]
    watching: Count
    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] | None = None
    """Counted rounds of play after which the host closes; None: the match decides."""
    spectators: bool = True
    """Whether people may watch."""
    pin: bool = False
    """Whether the table asks for a PIN. Everybody with a seat knows it, having given it."""


class PeerAddress(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The last known address of one owner's node."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    address: Text
    port: Annotated[int, Meta(ge=1, le=65_535)]


class Refused(_Message, frozen=True, tag=21):
    """Host: you have no seat and do not watch here, or not any more."""

    why: LobbyRefusal


class RosterOffered(_Message, frozen=True, tag=22):
    """Host: seats are locked; sign this."""

    roster: Annotated[bytes, Meta(max_length=16_384)]


class NoncesWanted(_Message, frozen=True, tag=23):
    """Host: all have signed; here are the signatures, publish your nonce."""

    signatures: Annotated[tuple[Signature, ...], Meta(max_length=MAX_SEATS)]


class Reopened(_Message, frozen=True, tag=24):
    """Host: a seat was lost before the table began; commit to a new nonce."""


class Began(_Message, frozen=True, tag=25):
    """Host: the genesis of the table's log."""

    genesis: Genesis


class Entries(_Message, frozen=True, tag=26):
    """Host: the next entries, in order."""

    first: Count
    """Number of the first of them."""
    entries: Annotated[tuple[Entry, ...], Meta(max_length=1024)]


class FinalUpTo(_Message, frozen=True, tag=27):
    """Host: a majority of the owners has all entries before this number on disk."""

    count: Count


class BodyRefusal(_Message, frozen=True, tag=28):
    """Host: that body is not taken."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    counter: Counter
    refusal: Text
    """Value of `lanuno.log.faults.RefusalReason`."""
    detail: Annotated[str, Meta(max_length=200)]


class Said(_Private, frozen=True, tag=29):
    """Host: a player or a spectator wrote a line of chat."""

    name: Text
    seat: Annotated[int, Meta(ge=-1, lt=MAX_SEATS)]
    """-1 for a spectator."""
    text: Annotated[str, Meta(max_length=LONGEST_CHAT)]
    watcher: Hash | None = None
    """Identity of a spectator, as the host knows it; None for a seat."""


class Waiting(_Message, frozen=True, tag=30):
    """Host: the table waits for these seats, for `ms` milliseconds at the most.

    Without seats: the wait is over, and `ms` are left of the open decision.
    """

    seats: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    ms: Count


class RequestLog(_Message, frozen=True, tag=31):
    """Send me your log from this entry on: it may hold more than mine.

    It comes from a host that has lost the end of its own log, and from nodes that receive the claim
    of a later term.
    """

    first: Count


class HostIs(_Message, frozen=True, tag=32):
    """A node to another: as far as I know this seat is the host; it may be my own."""

    term: Count
    host: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class TransferHost(_Message, frozen=True, tag=33):
    """Host: I leave; this seat shall be host of the next term, without waiting."""

    term: Count
    candidate: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class PeerAddresses(_Message, frozen=True, tag=34):
    """Host: the addresses at which it sees the owners' nodes."""

    places: Annotated[tuple[PeerAddress, ...], Meta(max_length=MAX_SEATS)]


class Reacted(_Message, frozen=True, tag=38):
    """Host: a player reacts."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    reaction: Reaction


class RematchState(_Message, frozen=True, tag=39):
    """After the close: who is here, who wants to play again, and who opens the table."""

    here: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    wanted: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    """In the order of their answers."""
    opener: Annotated[int, Meta(ge=0, lt=MAX_SEATS)] | None = None
    """Seat of the player whose node opens the next table, once that is decided."""


FromPeer = (
    Join
    | Watch
    | Ready
    | Agree
    | RevealNonce
    | Submit
    | Ack
    | Fetch
    | Say
    | Rejoin
    | LogPage
    | RequestVote
    | VoteReply
    | TakeSeat
    | RequestPresence
    | PresenceReply
    | React
    | PlayAgain
)
FromHost = (
    LobbyState
    | Refused
    | RosterOffered
    | NoncesWanted
    | Reopened
    | Began
    | Entries
    | FinalUpTo
    | BodyRefusal
    | Said
    | Waiting
    | RequestLog
    | HostIs
    | TransferHost
    | PeerAddresses
    | Reacted
    | RematchState
)
AtTable = FromPeer | FromHost
"""Between two nodes at a table that plays: which of them is the host may change."""


_FROM_PEER: Decoder[FromPeer] = Decoder(FromPeer)
_FROM_HOST: Decoder[FromHost] = Decoder(FromHost)
_AT_TABLE: Decoder[AtTable] = Decoder(AtTable)


def to_bytes(message: FromPeer | FromHost) -> bytes:
    """A message as it goes into a frame."""
    return encode(message)


def from_peer(data: bytes) -> FromPeer:
    """What a peer sent; raises `Unreadable`."""
    return decode_with(data, _FROM_PEER)


def from_host(data: bytes) -> FromHost:
    """What the host sent; raises `Unreadable`."""
    return decode_with(data, _FROM_HOST)


def at_table(data: bytes) -> AtTable:
    """What another node at a table that plays sent; raises `Unreadable`."""
    return decode_with(data, _AT_TABLE)
