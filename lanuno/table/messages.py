"""Everything that a host and a peer say to each other: one frozen class for every message.

The shapes and bounds of the wire above framing and handshake. What a message means is decided by
`lobby.py`, `lobby_peer.py`, `sequencer.py` and `session.py`. Only what stands inside entries is
evidence; the rest is talk.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder

from lanuno.log.bodies import MAX_SEATS, Count, Counter, Hash, Signature, SignedBody
from lanuno.log.codec import decode_with, encode
from lanuno.log.entries import Entry
from lanuno.log.genesis import Avatar, Genesis
from lanuno.log.votes import SignedVote
from lanuno.rules.ruleset import Ruleset

LONGEST_CHAT = 300
PAGE_BYTES = 48 * 1024
"""A page of entries stays below this, so that it fits a frame with room to spare."""
MOST_ROUNDS = 1_000
"""Nobody agrees on more rounds than this; a match without a number ends by itself."""

Text = Annotated[str, Meta(max_length=64)]


class LobbyRefusal(IntEnum):
    """Why somebody may not sit down, or no longer sits."""

    FULL = 0
    NAME_TAKEN = 1
    BAD_NAME = 2
    WRONG_PIN = 3
    STARTED = 4
    """The table plays already; one may watch."""
    NO_SPECTATORS = 5
    KICKED = 6
    ALREADY_SEATED = 7
    """This identity sits at the table already."""
    BAD_ROSTER = 8
    """The roster offered is not what was agreed on."""
    TOO_SLOW = 9
    """An automatic step of the start was not done in time."""
    HOST_LEFT = 10
    """The host closed the table before it began."""
    OTHER_VERSION = 11
    NOT_INVITED = 12
    """This table is for certain players only."""


class LobbyPhase(IntEnum):
    """Where a table stands before its log begins, and after."""

    OPEN = 0
    SIGNING = 1
    NONCES = 2
    PLAYING = 3


class Reaction(IntEnum):
    """What a player shows to everybody without words."""

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
    """Peer: let me sit down; or, sent again, my new nonce commitment."""

    version: Count
    name: Text
    nonce: Hash
    owner: Hash
    """Identity of the owner; the peer's own unless it is a bot on its owner's computer."""
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
    """What `offer_digest` gives for the rules and the seats that this was said about."""


class Agree(_Message, frozen=True, tag=3):
    """Peer: my signature of the roster."""

    signature: Signature


class NonceOut(_Private, frozen=True, tag=4):
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


class Resume(_Message, frozen=True, tag=9):
    """A computer with a seat: here I am again, and this is how much of the log I hold.

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
    """Where this computer listens for the others; 0 if it does not."""
    vote: SignedVote | None = None
    """Its vote of the term that it promised; without it nobody need believe the promise."""


class Copy(_Message, frozen=True, tag=10):
    """The answer to `WantCopy`."""

    first: Count
    entries: Annotated[tuple[Entry, ...], Meta(max_length=1024)]


class AskVote(_Message, frozen=True, tag=11):
    """An owner's computer to another: may I be the host of this term?"""

    pre: bool
    """Only a question before the vote: the answer binds nobody."""
    term: Count
    last_term: Count
    count: Count
    head: Hash
    reason: SignedVote | None = None
    """By a host that is still there: the vote of another owner in a later term, who can therefore
    not follow it any more."""


class GiveVote(_Message, frozen=True, tag=12):
    """The answer to `AskVote`."""

    pre: bool
    term: Count
    granted: bool
    vote: SignedVote | None = None
    """The vote itself, if it is given."""
    promised: Count = 0
    """Highest term that the answering owner has voted in."""


class TakeSeat(_Message, frozen=True, tag=13):
    """Peer: in the waiting room, let me sit at this place, in exchange for mine."""

    place: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class AskPresence(_Message, frozen=True, tag=14):
    """An owner's computer to another: this entry drops you; are you there?"""

    drop: Entry


class GivePresence(_Message, frozen=True, tag=15):
    """The answer: I am."""

    drop: Hash
    """Hash of the entry."""
    here: Signature
    """Over what `presence_digest` gives."""


class React(_Message, frozen=True, tag=18):
    """Peer: show this over my seat. Not in the log."""

    reaction: Reaction


class PlayAgain(_Message, frozen=True, tag=19):
    """After the log was closed: I am still here, and want to play again, or do not say so yet."""

    wanted: bool


class LobbySeat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A taken seat as the waiting room shows it."""

    name: Text
    identity: Hash
    owner: Hash
    bot: bool
    ready: bool
    avatar: Avatar | None = None


class LobbyState(_Message, frozen=True, tag=20):
    """Host: the waiting room as it is now."""

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
    """Whether whoever comes is asked for a PIN. Those who sit here know it: they gave it."""


class Place(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Where one owner's computer was last seen."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    address: Text
    port: Annotated[int, Meta(ge=1, le=65_535)]


class Refused(_Message, frozen=True, tag=21):
    """Host: you do not sit here, or no longer."""

    why: LobbyRefusal


class RosterOffered(_Message, frozen=True, tag=22):
    """Host: seats are locked; sign this."""

    roster: Annotated[bytes, Meta(max_length=16_384)]


class NoncesWanted(_Message, frozen=True, tag=23):
    """Host: all have signed; here are the signatures, publish your nonce."""

    signatures: Annotated[tuple[Signature, ...], Meta(max_length=MAX_SEATS)]


class Reopened(_Message, frozen=True, tag=24):
    """Host: somebody fell out before the table began; commit to a new nonce."""


class Began(_Message, frozen=True, tag=25):
    """Host: the genesis of the table's log."""

    genesis: Genesis


class Entries(_Message, frozen=True, tag=26):
    """Host: the next entries, in order."""

    first: Count
    """Number of the first of them."""
    entries: Annotated[tuple[Entry, ...], Meta(max_length=1024)]


class Firm(_Message, frozen=True, tag=27):
    """Host: a majority of the owners has all entries before this number on disk."""

    count: Count


class BodyRefusal(_Message, frozen=True, tag=28):
    """Host: that body is not taken."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    counter: Counter
    refusal: Text
    """Value of `lanuno.log.faults.Refusal`."""
    detail: Annotated[str, Meta(max_length=200)]


class Said(_Private, frozen=True, tag=29):
    """Host: somebody chats."""

    name: Text
    seat: Annotated[int, Meta(ge=-1, lt=MAX_SEATS)]
    """-1 for somebody who watches."""
    text: Annotated[str, Meta(max_length=LONGEST_CHAT)]
    watcher: Hash | None = None
    """Identity of somebody who watches, as the host knows it; None for a seat."""


class Waiting(_Message, frozen=True, tag=30):
    """Host: the table waits for these seats, for `ms` milliseconds at the most.

    Without seats: nobody is waited for any more, and `ms` are left of the open decision.
    """

    seats: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    ms: Count


class WantCopy(_Message, frozen=True, tag=31):
    """Show me your log from this entry on: it may say more than mine.

    A host asks who has lost the end of its own log, and everybody who is told of a later term.
    """

    first: Count


class HostIs(_Message, frozen=True, tag=32):
    """A computer to another: as far as I know this seat is the host; it may be my own."""

    term: Count
    host: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class Abdicate(_Message, frozen=True, tag=33):
    """Host: I leave; this seat shall be host of the next term, without waiting."""

    term: Count
    candidate: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]


class Whereabouts(_Message, frozen=True, tag=34):
    """Host: where it sees the computers of the owners."""

    places: Annotated[tuple[Place, ...], Meta(max_length=MAX_SEATS)]


class Reacted(_Message, frozen=True, tag=38):
    """Host: a player shows this."""

    seat: Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
    reaction: Reaction


class Rematch(_Message, frozen=True, tag=39):
    """After the log was closed: who is here, who wants to play again, and who opens the table."""

    here: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    wanted: Annotated[tuple[int, ...], Meta(max_length=MAX_SEATS)]
    """In the order in which they said so."""
    opener: Annotated[int, Meta(ge=0, lt=MAX_SEATS)] | None = None
    """Seat of the person whose computer opens the next table, once that is decided."""


FromPeer = (
    Join
    | Watch
    | Ready
    | Agree
    | NonceOut
    | Submit
    | Ack
    | Fetch
    | Say
    | Resume
    | Copy
    | AskVote
    | GiveVote
    | TakeSeat
    | AskPresence
    | GivePresence
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
    | Firm
    | BodyRefusal
    | Said
    | Waiting
    | WantCopy
    | HostIs
    | Abdicate
    | Whereabouts
    | Reacted
    | Rematch
)
AtTable = FromPeer | FromHost
"""Between two computers at a table that plays: which of them is the host may change."""


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
    """What another computer at a table that plays sent; raises `Unreadable`."""
    return decode_with(data, _AT_TABLE)
