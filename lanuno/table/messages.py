"""All messages between nodes, one frozen class each.

This module defines the shapes and bounds of messages, above framing and handshake. Their meaning is
decided in `lobby/host.py`, `lobby/peer.py`, `node.py`, `host/role.py` and `replica/seat.py`. Only
signed content, that is entries and signatures, is evidence.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder

from lanuno.log.format.avatar import Avatar
from lanuno.log.format.bodies import Count, Counter, Hash, Signature, SignedBody
from lanuno.log.format.codec import decode_with, encode
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import NO_NONCE, Genesis, Rounds, SeatInfo
from lanuno.log.format.statements import SignedStatement
from lanuno.log.format.votes import SignedVote
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.ruleset import Ruleset

LONGEST_CHAT = 300
MAX_SPECTATORS = 20
PAGE_BYTES = 48 * 1024
"""Upper bound for a page of entries, which leaves room for the rest of the frame."""

Text = Annotated[str, Meta(max_length=64)]
PinElement = Annotated[bytes, Meta(min_length=33, max_length=33)]
"""An element of SPAKE2: which side it is from, and a point of Ed25519."""


class LobbyRefusal(IntEnum):
    """Why a peer may not sit down or watch, or has lost its place."""

    FULL = 0
    NAME_TAKEN = 1
    BAD_NAME = 2
    WRONG_PIN = 3
    STARTED = 4
    """The table has begun to play. Spectators may still watch."""
    NO_SPECTATORS = 5
    KICKED = 6
    ALREADY_SEATED = 7
    """This identity has a seat already."""
    BAD_ROSTER = 8
    """The offered roster differs from the agreement."""
    TOO_SLOW = 9
    """The peer missed the deadline of an automatic step of the start."""
    HOST_LEFT = 10
    """The host closed the table before it began."""
    OTHER_VERSION = 11
    NOT_INVITED = 12
    """The seats of this table are reserved for certain players."""
    NO_PIN = 13
    """The peer wants a proof that the host knows the PIN, but the table has none."""
    BROKE_START = 14
    """The peer, or another one at its address, has just broken off a start, and has to wait."""
    NOT_HOST = 15
    """This player is at the table, but another one hosts it."""
    SEATS_KEPT = 16
    """The free seats of a rematch are kept for the players of the match before, for a while."""


class LobbyPhase(IntEnum):
    """The phases of a table until its log begins."""

    OPEN = 0
    STARTING = 1
    """All seats have signed the room, and publish their nonces."""
    PLAYING = 2


class Reaction(IntEnum):
    """A sign, without text, that a player shows to everybody."""

    THUMBS_UP = 0
    LAUGH = 1
    OH_NO = 2
    WOW = 3
    HURRY = 4
    WELL_PLAYED = 5


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="t"):
    """Common base: the encoding options of all messages."""


class _Private(_Message, frozen=True):
    """A message with content for its receiver only. Its repr, which may be logged, hides it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(<private>)"


class Join(_Message, frozen=True, tag=0):
    """Peer to host: request a seat or, if sent again, replace the nonce commitment."""

    version: Count
    name: Text
    nonce: Hash
    owner: Hash
    """Identity of the owner: the peer's own or, for a bot, that of the owner whose node runs it."""
    bot: bool
    slow_clock: bool
    avatar: Avatar | None = None
    """The colour in which all nodes show this player."""


class Watch(_Message, frozen=True, tag=1):
    """Peer to host: request to watch."""

    version: Count
    name: Text


class Ready(_Message, frozen=True, tag=2):
    """Peer to host: this seat's signature of the room as it is shown, or None: it is not ready."""

    signature: Signature | None
    revision: Count = 0
    """The revision of the room that was signed."""


class RevealNonce(_Private, frozen=True, tag=4):
    """Peer to host: the nonce behind this seat's commitment."""

    nonce: Hash


class Submit(_Private, frozen=True, tag=5):
    """Peer to host: append this body to the log."""

    body: SignedBody


class Statements(_Message, frozen=True, tag=6):
    """Between owners' nodes, and host to spectator: one statement of each of several owners."""

    signed: Annotated[tuple[SignedStatement, ...], Meta(max_length=MAX_SEATS)]


class Fetch(_Message, frozen=True, tag=7):
    """Peer to host: send entries from this number on."""

    first: Count


class Say(_Private, frozen=True, tag=8):
    """Peer to host: a line of chat. It is not in the log."""

    text: Annotated[str, Meta(max_length=LONGEST_CHAT)]


class Rejoin(_Message, frozen=True, tag=9):
    """From a node with a seat: it is connected, and this is the end of its log.

    This is the first message on every connection to a table that plays.
    """

    term: Count
    """Term of the last entry held; 0 if the log is empty."""
    count: Count
    head: Hash
    """Hash of the last entry held; the table id if the log is empty."""
    promised: Count
    """Highest term in which the owner has voted. The node acknowledges nothing of lower terms."""
    port: Annotated[int, Meta(ge=0, le=65_535)] = 0
    """The TCP port on which the sender listens for other nodes; 0 if it does not listen."""
    vote: SignedVote | None = None
    """The owner's vote in the promised term. Without it the promise is unproven."""


class LogPage(_Message, frozen=True, tag=10):
    """Reply to `RequestLog`, or entries that the receiver lacks by its `Rejoin`."""

    first: Count
    entries: Annotated[tuple[Entry, ...], Meta(max_length=1024)]


class RequestVote(_Message, frozen=True, tag=11):
    """Owner's node to owner's node: request a vote for the sender as host of this term."""

    pre: bool
    """Whether this is a pre-vote, whose answer is not binding."""
    term: Count
    last_term: Count
    count: Count
    head: Hash
    reason: SignedVote | None = None
    """If the sender is the present host: another owner's vote in a later term, which shows that
    this owner can no longer follow it."""


class VoteReply(_Message, frozen=True, tag=12):
    """Reply to `RequestVote`."""

    pre: bool
    term: Count
    granted: bool
    vote: SignedVote | None = None
    """The vote, if granted."""
    promised: Count = 0
    """Highest term in which the replying owner has voted."""


class TakeSeat(_Message, frozen=True, tag=13):
    """Peer to host, in the lobby: exchange the sender's place for this one."""

    place: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class RequestPresence(_Message, frozen=True, tag=14):
    """Owner's node to owner's node: this entry drops the receiver; sign that you are there."""

    drop: Entry


class PresenceReply(_Message, frozen=True, tag=15):
    """Reply to `RequestPresence`: the dropped player is there."""

    drop: Hash
    """Hash of the entry that drops the player."""
    here: Signature
    """Signature over the `presence_digest`."""


class BeginPinProof(_Message, frozen=True, tag=16):
    """Peer to host: begin a proof of both sides that they know the PIN."""

    element: PinElement


class ConfirmPin(_Message, frozen=True, tag=17):
    """Peer to host: the confirmation that only a peer with the host's PIN can compute."""

    confirmation: Hash


class React(_Message, frozen=True, tag=18):
    """Peer to host: show this reaction at the sender's seat. It is not in the log."""

    reaction: Reaction


class ReadsScore(_Message, frozen=True, tag=3):
    """Peer to host: the sender looks at the score of a round, or no longer does.

    It is not in the log.
    """

    number: Count
    reading: bool


class PlayAgain(_Message, frozen=True, tag=19):
    """After the close, to the host: the sender wants to play again, and can open the next table."""


class LobbySeat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A taken seat in the lobby."""

    name: Text
    identity: Hash
    owner: Hash
    bot: bool
    ready: bool
    avatar: Avatar | None = None
    slow_clock: bool = False
    nonce: Hash = NO_NONCE

    @property
    def info(self) -> SeatInfo:
        """This seat in a roster."""
        return SeatInfo(
            self.name,
            self.identity,
            self.owner,
            self.bot,
            self.slow_clock,
            self.nonce,
            self.avatar,
        )


class LobbyState(_Message, frozen=True, tag=20):
    """Host to all: the present state of the lobby, with all that the seats sign."""

    lobby: Annotated[bytes, Meta(max_length=32)]
    table: Text
    """Name of the table."""
    phase: LobbyPhase
    ruleset: Ruleset
    capacity: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    seats: Annotated[tuple[LobbySeat, ...], Meta(max_length=MAX_SEATS)]
    watching: Annotated[int, Meta(ge=0, le=MAX_SPECTATORS)]
    rounds: Rounds | None = None
    """Number of counted rounds of play after which the host closes; None for the whole match."""
    spectators: bool = True
    """Whether spectators may watch."""
    pin: bool = False
    """Whether the table asks for a PIN. Every seated player has proved to know the PIN."""
    revision: Count = 0
    """How often the room has changed. If it changes there and back, it has to be signed again."""


class PeerAddress(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The last known address of one owner's node."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    address: Text
    port: Annotated[int, Meta(ge=1, le=65_535)]


class Refused(_Message, frozen=True, tag=21):
    """Host to peer: the receiver may not, or may no longer, sit or watch at this table."""

    why: LobbyRefusal


class NoncesWanted(_Message, frozen=True, tag=23):
    """Host to seats: all seats have signed the room, as shown here; publish your nonce."""

    signatures: Annotated[tuple[Signature, ...], Meta(max_length=MAX_SEATS)]


class Began(_Message, frozen=True, tag=25):
    """Host to all: the genesis of the table's log."""

    genesis: Genesis


class Entries(_Message, frozen=True, tag=26):
    """Host to peer: the next entries, in order."""

    first: Count
    """Number of the first entry."""
    entries: Annotated[tuple[Entry, ...], Meta(max_length=1024)]


class BodyRefusal(_Message, frozen=True, tag=28):
    """Host to peer: the host has refused this body."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    counter: Counter
    refusal: Text
    """A value of `lanuno.log.faults.RefusalReason`."""
    detail: Annotated[str, Meta(max_length=200)]


class Said(_Private, frozen=True, tag=29):
    """Host to all: a player or a spectator wrote a line of chat."""

    name: Text
    seat: Annotated[int, Meta(ge=-1, lt=MAX_SEATS)]
    """Seat of the player; -1 for a spectator."""
    text: Annotated[str, Meta(max_length=LONGEST_CHAT)]
    watcher: Hash | None = None
    """Identity of the spectator, as the host knows it; None for a player."""


class Waiting(_Message, frozen=True, tag=30):
    """Host to all: the table waits for these seats, for at most `ms` milliseconds.

    Without seats the wait is over, and `ms` is the time left for the open decision.
    """

    seats: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    ms: Count


class RequestLog(_Message, frozen=True, tag=31):
    """Request the receiver's log from this entry on, because it may be longer than the sender's.

    Sent by a host that has lost the end of its own log, and by a node that checks the claim of a
    later term.
    """

    first: Count


class HostIs(_Message, frozen=True, tag=32):
    """Node to node: as far as the sender knows, this seat (maybe the sender's own) is the host."""

    term: Count
    host: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class TransferHost(_Message, frozen=True, tag=33):
    """Host to owners: the host leaves; the candidate requests votes for this term immediately."""

    term: Count
    candidate: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class PeerAddresses(_Message, frozen=True, tag=34):
    """Host to owners: the addresses of the owners' nodes, as the host sees them."""

    places: Annotated[tuple[PeerAddress, ...], Meta(max_length=MAX_SEATS)]


class PinProofAnswer(_Message, frozen=True, tag=35):
    """Host to peer: the answer to `BeginPinProof`."""

    element: PinElement


class PinConfirmed(_Message, frozen=True, tag=36):
    """Host to peer: its `ConfirmPin` was right; the confirmation that only a host can compute."""

    confirmation: Hash


class Reacted(_Message, frozen=True, tag=38):
    """Host to all: a player's reaction."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    reaction: Reaction


class RematchState(_Message, frozen=True, tag=39):
    """Host to all, after the close, if it stays: who wants to play again, and who opens the table.

    The next table is a lobby like any other.
    """

    here: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)] = ()
    """Seats of the people who are here."""
    wanted: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)] = ()
    """Seats that want to play again, in the order of their requests."""
    opener: Annotated[int, Meta(ge=0, lt=MAX_SEATS)] | None = None
    """Seat of the player whose node opens the next table; None until that is known."""


FromPeer = (
    Join
    | Watch
    | Ready
    | RevealNonce
    | Submit
    | Statements
    | Fetch
    | Say
    | Rejoin
    | LogPage
    | RequestVote
    | VoteReply
    | TakeSeat
    | RequestPresence
    | PresenceReply
    | BeginPinProof
    | ConfirmPin
    | React
    | ReadsScore
    | PlayAgain
)
FromHost = (
    LobbyState
    | Refused
    | NoncesWanted
    | Began
    | Entries
    | BodyRefusal
    | Said
    | Waiting
    | RequestLog
    | HostIs
    | TransferHost
    | PeerAddresses
    | PinProofAnswer
    | PinConfirmed
    | Reacted
    | RematchState
)
AtTable = FromPeer | FromHost
"""Messages between two nodes at a table that plays, in both directions: the host may change."""


_FROM_PEER: Decoder[FromPeer] = Decoder(FromPeer)
_FROM_HOST: Decoder[FromHost] = Decoder(FromHost)
_AT_TABLE: Decoder[AtTable] = Decoder(AtTable)


def to_bytes(message: FromPeer | FromHost) -> bytes:
    """Return the encoding of a message, as it is sent in a frame."""
    return encode(message)


def from_peer(data: bytes) -> FromPeer:
    """Decode a message from a peer; raises `Unreadable`."""
    return decode_with(data, _FROM_PEER)


def from_host(data: bytes) -> FromHost:
    """Decode a message from the host; raises `Unreadable`."""
    return decode_with(data, _FROM_HOST)


def at_table(data: bytes) -> AtTable:
    """Decode a message from another node at a table that plays; raises `Unreadable`."""
    return decode_with(data, _AT_TABLE)
