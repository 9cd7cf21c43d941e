"""Everything that a seat or the host can sign: one frozen class per kind of payload, and the body.

This module defines shapes and bounds. When a payload is legal is decided in `replay/replay.py` and,
within a round, in the modules that `round/round_log.py` calls. `lanuno.dealing` interprets the
cryptographic fields.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from msgspec import Meta, Struct

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, verify
from lanuno.log.format.codec import decode, encode, prepare
from lanuno.log.format.votes import SignedVote
from lanuno.rules.cards import MAX_SEATS
from lanuno.rules.decks import DECKS
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind

HOST = 255
"""Author number of the host role. Bodies of the host's seat carry the number of that seat."""

MAX_COUNTER = (1 << 48) - 1
MAX_CARDS = max(DECKS)

MAX_SEAT_BODY = 8_192
"""Limit in bytes of a body signed by a seat. The longest honest one locks a whole deck."""
MAX_BODY = 20_480
"""Limit in bytes of any body. The longest is an Expose, which holds two bodies of a seat."""

Hash = Annotated[bytes, Meta(min_length=32, max_length=32)]
Key32 = Annotated[bytes, Meta(min_length=32, max_length=32)]
Signature = Annotated[bytes, Meta(min_length=64, max_length=64)]
SeatNumber = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
AuthorNumber = Annotated[int, Meta(ge=0, le=HOST)]
Count = Annotated[int, Meta(ge=0, le=0xFFFFFFFF)]
Counter = Annotated[int, Meta(ge=0, le=MAX_COUNTER)]
Score = Annotated[int, Meta(ge=-0x7FFFFFFF, le=0x7FFFFFFF)]
PackedPoints = Annotated[bytes, Meta(max_length=33 * MAX_CARDS)]
SlotKeys = Annotated[bytes, Meta(max_length=32 * MAX_CARDS)]
SealedShare = Annotated[bytes, Meta(min_length=80, max_length=80)]
Proof = Annotated[bytes, Meta(max_length=4_096)]
BodyBytes = Annotated[bytes, Meta(max_length=MAX_BODY)]
SeatBodyBytes = Annotated[bytes, Meta(max_length=MAX_SEAT_BODY)]


class HaltReason(IntEnum):
    """A seat's reason for stopping a round."""

    NO_CARD = 0
    """A slot dealt to the author opens to no card, or to one that is already elsewhere."""
    BAD_SEAL = 1
    """A box sealed to the author does not open, or does not hold the keys of the slots."""
    WRONG_VERDICT = 2
    """The verdict about the author's hand is false."""
    BAD_POINTS = 3
    """A published list that the author must work on holds bytes that are not a point."""
    REACHABLE = 4
    """A player that was dropped without a signed Leave can be reached and signs that it is present.
    The author therefore gives no share of its seed. This claims no fault."""


class DropReason(IntEnum):
    """Why the host drops a seat."""

    LOST = 0
    """The seat's connection was lost and the grace time is over."""
    LEFT = 1
    """The player left: the seat's signed Leave is in the log."""
    SILENT = 2
    """The seat is connected but did not do an automatic step in time."""
    ATTACK = 3
    """The seat's node sent bytes that no honest node sends."""


class CloseReason(IntEnum):
    """Why a log ends."""

    FINISHED = 0
    """The match has a winner."""
    STOPPED = 1
    """The host ended the match after a whole, attested round."""
    CHEATING = 2
    """The audit of a round proved a fault."""
    INCOMPLETE = 3
    """A player was lost, or a round could not be finished."""
    TOO_LONG = 4
    """The log would outgrow its limits."""


class _Payload(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="t"):
    """Settings of all payloads: immutable, positional, no unknown fields."""


class Open(_Payload, frozen=True, tag=0):
    """Host: begin a round. All fields follow from the match; they are included for readers."""

    number: Count
    kind: RoundKind
    seats: Annotated[tuple[SeatNumber, ...], Meta(max_length=MAX_SEATS)]
    """The seats that play, clockwise."""
    dealer: SeatNumber | None


class Commit(_Payload, frozen=True, tag=1):
    """Commitments to the seeds that this seat reveals after the round, and its public keys."""

    seed: Hash
    view: Hash
    boxes: Annotated[tuple[Key32, ...], Meta(max_length=MAX_SEATS)]
    """X25519 keys to which escrow shares for this seat are sealed: one for each seat that gives it
    a share, rising. Empty in a round without escrow."""
    view_key: Key32
    """X25519 key to which hands shown to this seat are sealed."""


class Escrow(_Payload, frozen=True, tag=2):
    """This seat's round seed, split among the other owners, each share sealed to its receiver."""

    sealed: Annotated[tuple[SealedShare, ...], Meta(max_length=MAX_SEATS)]
    hashes: Annotated[tuple[Hash, ...], Meta(max_length=MAX_SEATS)]


class Complain(_Payload, frozen=True, tag=3):
    """Show that the share from a seat is wrong, by publishing the box key for that seat."""

    of: SeatNumber
    box_private: Key32


class Pass(_Payload, frozen=True, tag=4):
    """One seat's step in a deal. The log determines the kind of the step."""

    deal: Count
    step: Count
    """Number of earlier steps in this deal, so that the body cannot serve as a later step."""
    points: PackedPoints
    keys: PackedPoints
    """The public key (33 bytes) of a common or mask step; of a lock, one public key per slot."""


class SlotKeyList(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The keys for one need, in the order of its slots."""

    need: Count
    keys: SlotKeys


class Unlock(_Payload, frozen=True, tag=5):
    """This seat's keys for every open need that waits for it."""

    lists: Annotated[tuple[SlotKeyList, ...], Meta(min_length=1, max_length=64)]


class Act(_Payload, frozen=True, tag=6):
    """A game action that answers one decision, or a word."""

    decision: Count
    action: Action
    proof: Proof
    """Play: the 32-byte key of the slot. Show: the keys of the shown slots, sealed. OpenHand: these
    keys unsealed, one after the other. Otherwise empty."""


class Reveal(_Payload, frozen=True, tag=7):
    """Both seeds of this seat, published after the round."""

    seed: Hash
    view: Hash


class Attest(_Payload, frozen=True, tag=8):
    """The result of this seat's audit of the round."""

    reveal: Hash
    """Hash of the entry that completed the reveal: the point up to which the round was audited."""
    blamed: Annotated[tuple[SeatNumber, ...], Meta(max_length=MAX_SEATS)]
    """Seats against which the audit finds a fault proven, rising; empty if there are none."""


class Halt(_Payload, frozen=True, tag=9):
    """Stop the round: it becomes void and is audited."""

    reason: HaltReason
    of: SeatNumber | None
    """The seat that the author suspects, if any."""
    here: Signature | None = None
    """For `REACHABLE`: the dropped player's signature over `presence_digest`."""


class Leave(_Payload, frozen=True, tag=10):
    """Leave the table on purpose."""


class Expose(_Payload, frozen=True, tag=11):
    """Host: two bodies that one author signed with one counter, which proves equivocation."""

    first: SeatBodyBytes
    first_signature: Signature
    second: SeatBodyBytes
    second_signature: Signature


class Drop(_Payload, frozen=True, tag=12):
    """Host: the table continues, or ends, without this seat."""

    seat: SeatNumber
    reason: DropReason


class TimeOut(_Payload, frozen=True, tag=13):
    """Host: the time for this decision is up; the rules define the consequences."""

    decision: Count


class Close(_Payload, frozen=True, tag=14):
    """Host: the last entry of the log."""

    reason: CloseReason
    scores: Annotated[tuple[Score, ...], Meta(max_length=MAX_SEATS)]
    count: Count
    """Number of entries before this one."""


class Settle(_Payload, frozen=True, tag=15):
    """Host: the time for objections, or for a vote, is up."""

    matter: Matter


class HandOver(_Payload, frozen=True, tag=16):
    """The keys of a hand that this seat gave away, sealed to the hand's new owner."""

    move: Count
    """Number of the move in this round."""
    sealed: Proof
    """The keys of the slots that moved, in order, sealed to the receiver's view key."""


class Share(_Payload, frozen=True, tag=17):
    """Publish the share of a lost seat's seed that was sealed to this seat."""

    of: SeatNumber
    share: Key32


class Return(_Payload, frozen=True, tag=18):
    """A dropped seat comes back, to play in later rounds."""


class FillIn(_Payload, frozen=True, tag=19):
    """Host: a bot on the host's node plays an empty seat whose partner cannot play alone."""

    seat: SeatNumber
    identity: Key32
    """The bot's identity, which signs for the seat from now on."""
    signature: Signature
    """The bot's signature over `fill_in_digest`: it agrees to play this seat."""


class Elect(_Payload, frozen=True, tag=20):
    """Host: the first entry of a new term, with the votes that made its author the host."""

    votes: Annotated[tuple[SignedVote, ...], Meta(min_length=1, max_length=MAX_SEATS)]


class Listen(_Payload, frozen=True, tag=21):
    """The node of this seat's owner listens on this TCP port for the other nodes."""

    port: Annotated[int, Meta(ge=1, le=65_535)]


class ExposeVotes(_Payload, frozen=True, tag=22):
    """Host: two different votes that one owner signed for one term."""

    first: SignedVote
    second: SignedVote


RoundPayload = (
    Commit | Escrow | Complain | Pass | Unlock | Act | Reveal | Attest | Halt | HandOver | Share
)
"""All payloads that a seat signs within a round."""
SeatPayload = RoundPayload | Leave | Return | Listen
HostPayload = Open | Expose | Drop | TimeOut | Settle | Close | FillIn | Elect | ExposeVotes
Payload = SeatPayload | HostPayload
HOST_PAYLOADS = (Open, Expose, Drop, TimeOut, Settle, Close, FillIn, Elect, ExposeVotes)


class Body(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A statement of one author at one point of one table's log."""

    table: Hash
    round: Count
    author: AuthorNumber
    """A seat, or `HOST` for the host role."""
    counter: Counter
    """Strictly rising for each identity that plays a seat, and for the host role. Gaps are legal;
    no counter is used twice."""
    head: Hash
    """Hash of the last entry that the author holds."""
    payload: Payload


class SignedBody(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The exact bytes of a body as its author signed them."""

    body: BodyBytes
    signature: Signature

    def read(self) -> Body:
        """Parse the bytes; raises `Unreadable` if they are not a body."""
        return decode(self.body, Body)

    def signed_by(self, public: bytes) -> bool:
        """Whether this identity made the signature over exactly these bytes."""
        return verify(public, self.signature, H("body", self.body))


def fill_in_digest(table: bytes, seat: int, identity: bytes, owner: bytes) -> bytes:
    """Return the digest that a bot signs to play an empty seat on the node of an owner."""
    return H("fill-in", table, seat.to_bytes(4, "big"), identity, owner)


def presence_digest(table: bytes, owner: int, drop: bytes) -> bytes:
    """Return the digest that a reachable player signs after the Drop entry with the hash `drop`."""
    return H("here", table, owner.to_bytes(4, "big"), drop)


def sign_body(body: Body, identity: Identity) -> SignedBody:
    """Encode a body and sign it. Its bytes are stored and forwarded unchanged afterwards."""
    data = encode(body)
    return SignedBody(data, identity.sign(H("body", data)))


prepare(Body, SignedBody)
