"""The roster that all seats sign, the nonces that they reveal, and the resulting table id."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Annotated, Protocol

from msgspec import Meta, Struct
from msgspec.structs import astuple, replace

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity, check_public, verify
from lanuno.log.faults import Unreadable
from lanuno.log.format.avatar import AVATARS, Avatar
from lanuno.log.format.bodies import Count, Hash, SeatNumber, Signature
from lanuno.log.format.codec import decode, encode, prepare
from lanuno.log.format.names import LONGEST_NAME, clean_name, look_alike
from lanuno.rules.cards import MAX_SEATS, Card, Colour, Rank
from lanuno.rules.match.tournament import TABLES, is_tournament
from lanuno.rules.ruleset import PRESET_LENGTH, Format, Ruleset
from lanuno.rules.validation import SettingError, SettingProblem, validate

VERSION = 2
"""Version of the protocol, part of the roster that every seat signs. In version 1 the secrets of a
step did not depend on its input, so a host could read hands."""

LOBBY_ID_BYTES = 16
MOST_ROUNDS = 1_000
"""Upper bound for an agreed number of rounds. Without a number the match ends by its own rules."""
NO_NONCE = bytes(32)
"""In a lobby: the seat has not committed to a nonce for the next start yet."""

Rounds = Annotated[int, Meta(ge=1, le=MOST_ROUNDS)]


class _PlainSeat(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat in the older format without colours: `SeatInfo` without the last field."""

    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
    identity: Hash
    """The Ed25519 public key that signs for this seat."""
    owner: Hash
    """Identity of the person whose node plays this seat; for a person's seat, `identity`."""
    bot: bool
    slow_clock: bool
    """Whether the player asked for twice the time in each turn when joining."""
    nonce: Hash
    """Commitment to this seat's nonce."""


class SeatInfo(_PlainSeat, frozen=True):
    """One seat of the roster."""

    avatar: Avatar | None = None
    """The colour that the player has chosen; None for a bot and for players on the command line."""


class TournamentBinding(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The link from a table to the tournament that it belongs to."""

    tournament: Hash
    """Id of the tournament: the table id of its genesis, which all its players signed."""
    rotation: Count
    """Number of the rotation, from 0."""
    table: Count
    """Number of the table within the rotation, from 0."""
    before: Annotated[tuple[Hash, ...], Meta(max_length=TABLES)]
    """Hashes of the closing entries of all tables of the previous rotation; empty in the first."""


class _PlainRoster(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A roster in the older format, with `_PlainSeat` seats."""

    version: Annotated[int, Meta(ge=VERSION, le=VERSION)]
    lobby: Annotated[bytes, Meta(min_length=LOBBY_ID_BYTES, max_length=LOBBY_ID_BYTES)]
    host: SeatNumber
    """Seat of the first host."""
    ruleset: Ruleset
    seats: Annotated[tuple[_PlainSeat, ...], Meta(min_length=2, max_length=MAX_SEATS)]
    """In genesis order, which is also the initial order around the table, clockwise."""
    binding: TournamentBinding | None = None
    """Set at a table of a tournament."""


class _UsualRoster(_PlainRoster, frozen=True):
    """The encoding of a roster whose last two fields have their usual values."""

    seats: Annotated[tuple[SeatInfo, ...], Meta(min_length=2, max_length=MAX_SEATS)]


class Roster(_UsualRoster, frozen=True):
    """The room as its players saw it when they were ready: the first thing that all seats sign."""

    rounds: Rounds | None = None
    """Number of counted rounds of play after which the host closes; None for the whole match."""
    spectators: bool = True
    """Whether people may watch when the table begins."""

    @property
    def is_tournament(self) -> bool:
        """Whether these are the players of a whole tournament, so that no cards are dealt here."""
        return is_tournament(self.ruleset, len(self.seats))


class Genesis(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The roster as signed, and the nonces to which it commits."""

    roster: Annotated[bytes, Meta(max_length=16_384)]
    signatures: Annotated[tuple[Signature, ...], Meta(max_length=MAX_SEATS)]
    nonces: Annotated[tuple[Hash, ...], Meta(max_length=MAX_SEATS)]

    @property
    def table_id(self) -> bytes:
        """The permanent name of the table: the hash of the roster and all nonces."""
        return H("table", self.roster, *self.nonces)

    @property
    def compared_id(self) -> bytes:
        """The id whose safety hand the players compare: that of the table, or of its tournament."""
        binding = read_roster(self.roster).binding
        return self.table_id if binding is None else binding.tournament

    def read(self) -> Roster:
        """Parse and check everything: shape, names, keys, owners, signatures, nonces.

        Raises `Unreadable` unless all of it is right.
        """
        roster = read_roster(self.roster)
        check_roster(roster)
        if not len(self.signatures) == len(self.nonces) == len(roster.seats):
            raise Unreadable("not one signature and one nonce for every seat")
        for number, seat in enumerate(roster.seats):
            if not verify(seat.identity, self.signatures[number], roster_digest(self.roster)):
                raise Unreadable(f"seat {number} did not sign this roster")
            if nonce_commitment(seat.identity, self.nonces[number]) != seat.nonce:
                raise Unreadable(f"seat {number}'s nonce is not the one it committed to")
        return roster


def read_roster(data: bytes) -> Roster:
    """Parse a roster, including one in the older format without colours. Checks nothing else.

    No bytes fit two formats, because the arrays of the roster or of the seats differ in length.
    Raises `Unreadable`.
    """
    errors: list[Unreadable] = []
    for form in (_UsualRoster, Roster, _PlainRoster):
        try:
            found = decode(data, form)
        except Unreadable as error:
            errors.append(error)
            continue
        seats = tuple(SeatInfo(*astuple(seat)) for seat in found.seats)
        roster = Roster(*astuple(replace(found, seats=seats)))
        if form is Roster and encode_roster(roster) != data:
            raise Unreadable("a roster whose usual values are written out")
        return roster
    raise errors[0]


def is_early(data: bytes) -> bool:
    """Whether a roster is in the older format without colours."""
    try:
        decode(data, _PlainRoster)
    except Unreadable:
        return False
    return True


def check_roster(roster: Roster) -> None:
    """Check that a roster makes a table; raises `Unreadable` with the reason if not."""
    identities = {seat.identity for seat in roster.seats}
    if len(identities) != len(roster.seats):
        raise Unreadable("two seats with one identity")
    if any(look_alike(one.name, other.name) for one, other in combinations(roster.seats, 2)):
        raise Unreadable("two seats with one name")
    if roster.host >= len(roster.seats) or roster.seats[roster.host].bot:
        raise Unreadable("the host must be a person with a seat")
    people = {seat.identity for seat in roster.seats if not seat.bot}
    for seat in roster.seats:
        if not check_public(seat.identity):
            raise Unreadable("a key that is no proper Ed25519 key")
        if seat.owner not in people or (not seat.bot and seat.owner != seat.identity):
            raise Unreadable("a seat that no person at the table owns")
        if clean_name(seat.name) != seat.name:
            raise Unreadable("a name that is not plain text")
    if not _is_plain_preset(roster.ruleset):
        raise Unreadable("the name of the preset is not plain text")
    wrong = unplayable(roster.ruleset, len(roster.seats))
    if wrong is not None:
        raise Unreadable(f"impossible ruleset: {wrong}")


class Coloured(Protocol):
    """A seat of a roster or of a lobby."""

    @property
    def identity(self) -> bytes:
        """The identity that plays the seat."""

    @property
    def avatar(self) -> int | None:
        """The colour that the player has chosen, if any."""


def avatars(seats: Iterable[Coloured]) -> dict[bytes, int]:
    """Return the colour of every seat, by identity. All nodes compute the same colours.

    Of several seats that chose the same colour, the one with the smallest identity gets it: seats
    change places in the lobby. Bots, players on the command line and old logs choose none. The
    other seats get the colours that are left, in the order of identities.
    """
    ordered = sorted(seats, key=lambda seat: seat.identity)
    found: dict[bytes, int] = {}
    for seat in ordered:
        if seat.avatar is not None and seat.avatar not in found.values():
            found[seat.identity] = seat.avatar
    free = iter(set(range(AVATARS)) - set(found.values()))
    return found | {each.identity: next(free) for each in ordered if each.identity not in found}


def owner_seats(roster: Roster) -> tuple[int, ...]:
    """Return, for every seat, the seat of the person who owns it."""
    persons = {seat.identity: number for number, seat in enumerate(roster.seats)}
    return tuple(persons[seat.owner] for seat in roster.seats)


def unplayable(ruleset: Ruleset, seats: int) -> SettingError | None:
    """Return why `seats` seats cannot play by these rules, or None if they can.

    Eight seats can play a tournament.
    """
    return validate(ruleset, seats // TABLES if is_tournament(ruleset, seats) else seats)


def is_possible(ruleset: Ruleset, capacity: int) -> bool:
    """Whether some valid table could have each of these settings, taken alone.

    A host that announces other rules lies: no roster with such rules is valid.
    """
    wrong = validate(ruleset, capacity)
    if not _is_plain_preset(ruleset):
        return False
    return wrong is None or wrong.problem is SettingProblem.CONFLICT or wrong.setting == "seats"


def _is_plain_preset(ruleset: Ruleset) -> bool:
    """Whether the name of the preset may be shown unchanged."""
    return clean_name(ruleset.preset, PRESET_LENGTH, PRESET_LENGTH) == ruleset.preset


def may_begin(ruleset: Ruleset, seats: int, capacity: int) -> bool:
    """Whether a table that was opened for `capacity` players may begin with `seats` players.

    A tournament needs all eight: four players could be mistaken for one of its tables.
    """
    if ruleset.format is Format.ROTATION and seats != capacity:
        return False
    return unplayable(ruleset, seats) is None


def roster_digest(roster: bytes) -> bytes:
    """Return the digest that a seat signs to agree to a roster."""
    return H("roster", roster)


def sign_roster(roster: bytes, identity: Identity) -> bytes:
    """Return a seat's signature, which says that it is ready for exactly this room."""
    return identity.sign(roster_digest(roster))


def nonce_commitment(identity: bytes, nonce: bytes) -> bytes:
    """Return the commitment to a seat's share of the table id, bound to the seat's identity."""
    return H("nonce", identity, nonce)


def encode_roster(roster: Roster) -> bytes:
    """Return the bytes that all seats sign. The last two fields are omitted if both are usual."""
    if roster.rounds is None and roster.spectators:
        return encode(_UsualRoster(*astuple(roster)[:-2]))
    return encode(roster)


def safety_hand(compared_id: bytes) -> tuple[Card, ...]:
    """Return the safety hand: eight number cards derived from `compared_id` (about 42 bits).

    If all players see the same eight cards, there is no man in the middle. Each card is one of 40
    faces, drawn from a hash stream without bias: bytes of 240 and above are rejected.
    """
    faces: list[Card] = []
    block = 0
    while len(faces) < 8:
        for byte in H("safety", compared_id, block.to_bytes(4, "big")):
            if byte < 240 and len(faces) < 8:
                faces.append(Card(Colour(byte % 40 // 10), Rank(byte % 10)))
        block += 1
    return tuple(faces)


prepare(Genesis, Roster, _UsualRoster, _PlainRoster)
