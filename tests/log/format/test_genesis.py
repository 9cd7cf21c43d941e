"""Roster, nonces, table id and safety hand: a genesis is either wholly right or invalid."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.dealing.hashing import H, u32
from lanuno.log.faults import Unreadable
from lanuno.log.format.genesis import (
    Genesis,
    Roster,
    SeatInfo,
    avatars,
    check_roster,
    encode_roster,
    is_early,
    is_possible,
    nonce_commitment,
    owner_seats,
    read_roster,
    safety_hand,
    sign_roster,
)
from lanuno.log.replay.replay import Replay
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.cards import Card, Colour, Rank
from lanuno.rules.match.tournament import TABLES
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import (
    before_colours,
    identity,
    make_genesis,
    make_roster,
    nonce,
)
from tests.harness.log_table.tournaments import table_genesis, tournament_genesis


def with_seat(roster: Roster, number: int, **changes: object) -> Roster:
    seats = list(roster.seats)
    seats[number] = msgspec.structs.replace(seats[number], **changes)
    return msgspec.structs.replace(roster, seats=tuple(seats))


def test_a_genesis_gives_its_roster() -> None:
    roster = make_roster(3, bots={2: 0})
    genesis = make_genesis(roster)
    assert genesis.read() == roster
    assert owner_seats(roster) == (0, 1, 0)
    assert Replay(genesis).table_id == genesis.table_id


def test_the_table_id_follows_from_the_roster_and_every_nonce() -> None:
    roster = make_roster()
    genesis = make_genesis(roster)
    assert genesis.table_id == H("table", encode_roster(roster), nonce(0), nonce(1))
    ids = {genesis.table_id}
    ids.add(make_genesis(make_roster(salt=1), 1).table_id)
    ids.add(make_genesis(msgspec.structs.replace(roster, lobby=bytes(16))).table_id)
    ids.add(Genesis(genesis.roster, genesis.signatures, genesis.nonces[::-1]).table_id)
    assert len(ids) == 4
    unsigned = Genesis(genesis.roster, (), genesis.nonces)
    assert unsigned.table_id == genesis.table_id


def test_every_seat_signs_and_opens_its_nonce() -> None:
    genesis = make_genesis(make_roster())
    other = sign_roster(b"another roster", identity(1))
    for wrong in (
        msgspec.structs.replace(genesis, signatures=genesis.signatures[:1]),
        msgspec.structs.replace(genesis, signatures=genesis.signatures[::-1]),
        msgspec.structs.replace(genesis, signatures=(genesis.signatures[0], other)),
        msgspec.structs.replace(genesis, signatures=(*genesis.signatures, other)),
        msgspec.structs.replace(genesis, nonces=genesis.nonces[::-1]),
        msgspec.structs.replace(genesis, nonces=(genesis.nonces[0], bytes(32))),
        msgspec.structs.replace(genesis, nonces=genesis.nonces[:1]),
        msgspec.structs.replace(genesis, roster=genesis.roster + b"\x00"),
        msgspec.structs.replace(genesis, roster=b""),
    ):
        with pytest.raises(Unreadable):
            wrong.read()
        with pytest.raises(Unreadable):
            Replay(wrong)


def test_a_nonce_is_bound_to_its_seat() -> None:
    assert nonce_commitment(identity(0).public, nonce(0)) != nonce_commitment(
        identity(1).public, nonce(0)
    )


@pytest.mark.parametrize(
    ("why", "changes"),
    [
        ("one identity", {"identity": identity(0).public, "owner": identity(0).public}),
        ("one name", {"name": "P0"}),
        ("one name", {"name": "\u04400"}),
        ("one name", {"name": "\u03a10"}),
        ("no proper Ed25519 key", {"identity": bytes(32), "owner": bytes(32)}),
        ("no person at the table owns", {"owner": identity(7).public}),
        ("no person at the table owns", {"owner": identity(0).public}),
        ("no person at the table owns", {"bot": True}),
        ("not plain text", {"name": "p\u202e1"}),
        ("not plain text", {"name": " p1"}),
        ("not plain text", {"name": "ｐ１"}),
    ],
)
def test_seats_that_make_no_table(why: str, changes: dict[str, object]) -> None:
    roster = make_roster()
    check_roster(roster)
    with pytest.raises(Unreadable, match=why):
        check_roster(with_seat(roster, 1, **changes))


def test_a_bot_belongs_to_a_person() -> None:
    roster = make_roster(3, bots={1: 0, 2: 0})
    check_roster(roster)
    with pytest.raises(Unreadable, match="no person at the table owns"):
        check_roster(with_seat(roster, 2, owner=identity(1).public))


def test_the_host_is_a_person_with_a_seat() -> None:
    roster = make_roster(3, bots={1: 0})
    check_roster(msgspec.structs.replace(roster, host=2))
    for host in (1, 3, 9):
        with pytest.raises(Unreadable, match="host"):
            check_roster(msgspec.structs.replace(roster, host=host))


@pytest.mark.parametrize(
    "ruleset",
    [
        Ruleset(preset="\x1b[31mred"),
        Ruleset(preset=""),
        Ruleset(preset="x" * 33),
        Ruleset(deck=107),
        Ruleset(hand_size=60),
        Ruleset(seats_min=3),
        Ruleset(format=Format.PAIRS),
    ],
)
def test_rules_that_make_no_table(ruleset: Ruleset) -> None:
    with pytest.raises(Unreadable):
        check_roster(make_roster(2, ruleset))


INTS = [
    name
    for name, value in msgspec.structs.asdict(Ruleset()).items()
    if type(value) is int and name != "preset"
]


@given(st.sampled_from(INTS), st.sampled_from([-(2**63), -1, 2**31, 2**63, 2**64 - 1]))
def test_no_setting_of_a_stranger_is_without_bounds(name: str, value: int) -> None:
    ruleset = msgspec.structs.replace(Ruleset(), **{name: value})
    with pytest.raises(Unreadable):
        make_genesis(make_roster(2, ruleset)).read()


def test_a_seat_is_what_is_signed() -> None:
    seat = make_roster().seats[0]
    assert type(seat) is SeatInfo
    assert (seat.bot, seat.slow_clock) == (False, False)


def test_both_tables_of_a_tournament_compare_the_same_safety_hand() -> None:
    genesis = tournament_genesis()
    replay = TournamentReplay(genesis)
    one, other = (table_genesis(replay.table(number)) for number in range(TABLES))
    assert one.table_id != other.table_id
    assert one.compared_id == other.compared_id == genesis.compared_id == genesis.table_id


def test_the_safety_hand_is_eight_numbers_drawn_evenly() -> None:
    hand = safety_hand(H("test", b"one"))
    assert len(hand) == 8
    assert hand == safety_hand(H("test", b"one"))
    assert hand != safety_hand(H("test", b"two"))
    counts: Counter[Card] = Counter()
    for number in range(5_000):
        counts.update(safety_hand(H("test-many", u32(number))))
    assert set(counts) == {
        Card(colour, rank) for colour in Colour for rank in Rank if rank <= Rank.NINE
    }
    # 40 000 draws of 40 faces: chi-squared with 39 degrees of freedom is below 73 in 99.9 %.
    assert sum((count - 1000) ** 2 / 1000 for count in counts.values()) < 73


# ---- colours --------------------------------------------------------------------------------


def test_a_log_from_before_colours_is_still_read() -> None:
    roster = make_roster(3, bots={2: 0})
    data = before_colours(roster)
    assert data != encode_roster(roster)
    assert read_roster(data) == roster
    assert is_early(data)
    assert not is_early(encode_roster(roster))
    signatures = tuple(sign_roster(data, identity(seat)) for seat in range(3))
    genesis = Genesis(data, signatures, tuple(nonce(seat) for seat in range(3)))
    assert genesis.read() == roster
    assert Replay(genesis).table_id == genesis.table_id


@pytest.mark.parametrize(
    "changes",
    [{"version": 1}, {"version": 3}, {"lobby": bytes(15)}, {"lobby": bytes(17)}],
    ids=["an old version", "a later version", "a short lobby id", "a long lobby id"],
)
def test_the_version_and_the_lobby_id_have_bounds(changes: dict[str, object]) -> None:
    with pytest.raises(Unreadable):
        read_roster(encode_roster(msgspec.structs.replace(make_roster(), **changes)))


def test_a_roster_needs_two_seats() -> None:
    roster = make_roster()
    with pytest.raises(Unreadable):
        read_roster(encode_roster(msgspec.structs.replace(roster, seats=roster.seats[:1])))


@pytest.mark.parametrize("lengths", [(6, 7), (5, 5), (8, 8)])
def test_seats_of_other_lengths_are_no_roster(lengths: tuple[int, int]) -> None:
    parts = msgspec.to_builtins(make_roster(), builtin_types=(bytes,))[:-2]
    parts[4] = [[*seat, None][:length] for seat, length in zip(parts[4], lengths, strict=True)]
    with pytest.raises(Unreadable):
        read_roster(msgspec.msgpack.encode(parts))


@pytest.mark.parametrize(
    ("terms", "length"),
    [({}, 6), ({"rounds": 3}, 8), ({"spectators": False}, 8)],
)
def test_every_roster_has_one_encoding(terms: dict[str, object], length: int) -> None:
    """Rounds and spectators are left out if both are usual."""
    roster = msgspec.structs.replace(make_roster(), **terms)
    data = encode_roster(roster)
    assert len(msgspec.msgpack.decode(data)) == length
    assert read_roster(data) == roster
    if length == 6:
        with pytest.raises(Unreadable):
            read_roster(msgspec.msgpack.encode([*msgspec.msgpack.decode(data), None, True]))
    for rounds in (0, 1_001):
        with pytest.raises(Unreadable):
            read_roster(encode_roster(msgspec.structs.replace(roster, rounds=rounds)))


@pytest.mark.parametrize("avatar", [-1, 10, True, "red"])
def test_a_roster_with_an_unknown_avatar_is_unreadable(avatar: object) -> None:
    roster = with_seat(make_roster(), 1, avatar=avatar)
    with pytest.raises(Unreadable):
        read_roster(encode_roster(roster))


def test_rules_are_possible_whose_settings_some_table_could_have() -> None:
    for seats in (3, 10, 99):
        assert is_possible(Ruleset(hand_size=20), seats), "too many players is no lie"
    assert not is_possible(Ruleset(deck=7), 3)
    assert not is_possible(Ruleset(preset="a\u202eb"), 3)


class Chosen(NamedTuple):
    """The fields of a seat that determine its colour."""

    identity: bytes
    avatar: int | None


def test_everybody_has_the_colour_that_they_chose_unless_another_has_it() -> None:
    roster = with_seat(with_seat(make_roster(), 0, avatar=9), 1, avatar=9)
    genesis = make_genesis(roster)
    assert [seat.avatar for seat in genesis.read().seats] == [9, 9]
    seats = [Chosen(b"c", 9), Chosen(b"b", 9), Chosen(b"a", 3)]
    assert avatars(seats) == {b"a": 3, b"b": 9, b"c": 0}


def test_players_without_a_choice_get_the_remaining_avatars_in_any_seating() -> None:
    seats = [Chosen(b"d", None), Chosen(b"a", 0), Chosen(b"c", None), Chosen(b"b", 2)]
    assert avatars(seats) == {b"a": 0, b"b": 2, b"c": 1, b"d": 3}
    assert avatars(seats[::-1]) == avatars(seats)
    everybody = [Chosen(bytes([number]), None) for number in range(10)]
    assert sorted(avatars(everybody).values()) == list(range(10))
