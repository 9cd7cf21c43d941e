"""What has changed in a waiting room since a player was ready for it. Pure; the ids of texts.

The rules are not compared here: window and commands have their own words for them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct, field

from lanuno.client.texts import Texts
from lanuno.log.format.genesis import Roster, SeatInfo
from lanuno.rules.match.tournament import SCHEDULE, is_tournament
from lanuno.table.messages import LobbySeat, LobbyState

Seat = SeatInfo | LobbySeat

OF_PEOPLE: Final = frozenset({"room.came", "room.bot_came", "room.left", "room.places"})
"""The changes that a list of the players and their places shows, too."""
OF_TERMS: Final = frozenset(
    {
        "room.table",
        "room.seats",
        "room.rounds",
        "room.whole_match",
        "room.rotations",
        "room.watching",
        "room.not_watching",
    }
)
"""The changes that only the host can make, besides those of the rules."""


class RoomChange(Struct, frozen=True):
    """One change, as a message with its values."""

    id: str
    values: Mapping[str, str] = field(default_factory=dict)
    number: int | None = None
    """For a message with plural forms."""

    def words(self, text: Texts) -> str:
        """Return the change in words."""
        if self.number is not None:
            return text.count(self.id, self.number)
        return text(self.id, **self.values)


def room_changes(before: Roster | LobbyState, after: LobbyState) -> tuple[RoomChange, ...]:
    """Return what differs, most important first; `before` may be the match before a rematch."""
    # Otherwise several strangers who sit down would hide that somebody else was replaced.
    people = sorted(_people(before.seats, after.seats), key=lambda each: each.id in OF_PEOPLE)
    return (*people, *_terms(before, after))


def _people(before: Iterable[Seat], after: Iterable[Seat]) -> Iterator[RoomChange]:
    old, new = _by_key(before), _by_key(after)
    here = {seat.identity: seat.name for seat in after}
    left = {seat.name: seat for key, seat in old.items() if key not in new}
    came = [seat for key, seat in new.items() if key not in old]
    for seat in came:
        if seat.name in left:
            yield _replaced(left.pop(seat.name), seat, here)
        else:
            yield _came(seat, here)
    for name in left:
        yield RoomChange("room.left", {"name": name})
    for key, seat in new.items():
        earlier = old.get(key)
        if earlier is None:
            continue
        if earlier.name != seat.name:
            yield RoomChange("room.renamed", {"name": earlier.name, "new": seat.name})
        if earlier.owner != seat.owner:
            yield _bot("room.owner", seat, here)
        if earlier.slow_clock != seat.slow_clock:
            clock = "room.slow_clock" if seat.slow_clock else "room.usual_clock"
            yield RoomChange(clock, {"name": seat.name})
        if isinstance(earlier, LobbySeat) and earlier.avatar != seat.avatar:
            # From one match to the next, everybody may choose another one.
            yield RoomChange("room.colour", {"name": seat.name})
    names = [seat.name for seat in after]
    stayed = [seat.name for seat in before if seat.name in names]
    if stayed != [name for name in names if name in stayed]:
        yield RoomChange("room.places", {"names": ", ".join(names)})


def _by_key(seats: Iterable[Seat]) -> dict[bytes, Seat]:
    """Return the seats of people by identity, and of bots, whose keys change, by name."""
    return {seat.name.encode() if seat.bot else seat.identity: seat for seat in seats}


def _came(seat: Seat, here: Mapping[bytes, str]) -> RoomChange:
    if seat.bot:
        return _bot("room.bot_came", seat, here)
    return RoomChange("room.came", {"name": seat.name})


def _replaced(before: Seat, seat: Seat, here: Mapping[bytes, str]) -> RoomChange:
    """Return the change from one player to another one with the same name."""
    if seat.bot:
        return _bot("room.now_bot", seat, here)
    return RoomChange("room.now_person" if before.bot else "room.key", {"name": seat.name})


def _bot(message: str, seat: Seat, here: Mapping[bytes, str]) -> RoomChange:
    return RoomChange(message, {"name": seat.name, "owner": here.get(seat.owner, "?")})


def _terms(before: Roster | LobbyState, after: LobbyState) -> Iterator[RoomChange]:
    if isinstance(before, LobbyState):
        if before.table != after.table:
            yield RoomChange("room.table", {"name": after.table})
        if before.capacity != after.capacity:
            yield RoomChange("room.seats", number=after.capacity)
    if length_text(before) != length_text(after):
        yield length_text(after)
    if before.spectators != after.spectators:
        yield watching_text(allowed=after.spectators)


def length_text(table: Roster | LobbyState) -> RoomChange:
    """Return how long the match at this table lasts, or the tournament."""
    seats = table.capacity if isinstance(table, LobbyState) else len(table.seats)
    if is_tournament(table.ruleset, seats):
        return RoomChange("room.rotations", {}, len(SCHEDULE))
    if table.rounds is None:
        return RoomChange("room.whole_match")
    return RoomChange("room.rounds", {}, table.rounds)


def watching_text(*, allowed: bool) -> RoomChange:
    """Return who may watch."""
    return RoomChange("room.watching" if allowed else "room.not_watching")
