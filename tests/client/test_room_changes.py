"""What a player is told of a waiting room that has changed since they were ready."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from lanuno.client.room_changes import room_changes
from lanuno.log.format.genesis import read_roster
from lanuno.rules.ruleset import Ruleset
from lanuno.table.lobby.readiness import room_roster, terms
from lanuno.table.messages import LobbyPhase, LobbySeat, LobbyState
from tests.harness.host_and_seats.simulated_lobby import HOST, public, seat, state

ROOM = state(seats=(seat(HOST), seat(1), seat(2)), capacity=4)


def bot(number: int, owner: int = HOST, **changes: Any) -> LobbySeat:
    return seat(number, bot=True, owner=public(owner), **changes)


def seats(*here: LobbySeat) -> LobbyState:
    return replace(ROOM, seats=here)


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (ROOM, []),
        (seats(*ROOM.seats, seat(3)), ["room.came player3"]),
        (seats(*ROOM.seats, bot(3)), ["room.bot_came player3 player0"]),
        (seats(seat(HOST), seat(2)), ["room.left player1"]),
        (seats(seat(HOST), seat(2), seat(1)), ["room.places player0, player2, player1"]),
        (seats(seat(HOST), seat(1), seat(2, identity=public(66))), ["room.key player2"]),
        (seats(seat(HOST), seat(1), bot(2)), ["room.now_bot player2 player0"]),
        (seats(seat(HOST), seat(1, name="Ana"), seat(2)), ["room.renamed player1 Ana"]),
        (replace(ROOM, capacity=3), ["room.seats 3"]),
        (replace(ROOM, rounds=3), ["room.rounds 3"]),
        (replace(ROOM, spectators=False), ["room.not_watching"]),
        (
            replace(seats(seat(HOST), seat(5), seat(1)), rounds=1),
            ["room.came player5", "room.left player2", "room.rounds 1"],
        ),
    ],
)
def test_every_change_of_a_room_has_words(after: LobbyState, said: list[str]) -> None:
    assert [
        " ".join(
            [each.id, *each.values.values(), *([] if each.number is None else [str(each.number)])]
        )
        for each in room_changes(ROOM, after)
    ] == said


def test_what_the_list_does_not_show_comes_first() -> None:
    """The attack: strangers sit down, so that another key for a name is among "more changes"."""
    strangers = (seat(5), seat(6), seat(7))
    after = seats(seat(HOST), *strangers, seat(1), seat(2, identity=public(66)))
    assert [each.id for each in room_changes(ROOM, after)] == ["room.key", *["room.came"] * 3]


def test_bots_that_change_hands_are_named() -> None:
    before = seats(seat(HOST), seat(1), bot(5))
    [owner] = room_changes(before, seats(seat(HOST), seat(1), bot(5, owner=1)))
    assert (owner.id, owner.values) == ("room.owner", {"name": "player5", "owner": "player1"})
    [person] = room_changes(before, seats(seat(HOST), seat(1), seat(5)))
    assert person.id == "room.now_person"


def test_the_bots_of_a_rematch_are_the_same_with_other_keys() -> None:
    before = read_roster(room_roster(seats(seat(HOST), seat(1), bot(5)), public(HOST), None))
    assert room_changes(before, seats(seat(HOST), seat(1), bot(5, identity=public(6)))) == ()
    [missing] = room_changes(before, seats(seat(HOST), bot(5, identity=public(6))))
    assert (missing.id, missing.values) == ("room.left", {"name": "player1"})


def test_nothing_that_takes_ready_away_stays_unsaid() -> None:
    """`terms` decides what takes ready away; rules have their own words."""
    changed = {
        "ruleset": Ruleset(jump_in=True),
        "lobby": b"x" * 16,
        "table": "Kitchen",
        "capacity": 3,
        "seats": (),
        "rounds": 1,
        "spectators": False,
    }
    unsaid = {"phase": LobbyPhase.STARTING, "watching": 3, "pin": True, "revision": 1}
    assert changed.keys() | unsaid.keys() == set(LobbyState.__struct_fields__)
    for name, value in changed.items():
        other = replace(ROOM, **{name: value})
        assert terms(other) != terms(ROOM)
        if name not in ("ruleset", "lobby"):
            assert room_changes(ROOM, other), name
    for name, value in unsaid.items():
        assert terms(replace(ROOM, **{name: value})) == terms(ROOM)
    fields = {"name": "Ana", "identity": public(9), "owner": public(9), "bot": True}
    fields |= {"slow_clock": True, "avatar": 4}
    assert fields.keys() | {"ready", "nonce"} == set(LobbySeat.__struct_fields__)
    for name, value in fields.items():
        other = seats(seat(HOST), seat(1), replace(seat(2), **{name: value}))
        assert terms(other) != terms(ROOM)
        assert room_changes(ROOM, other), name
