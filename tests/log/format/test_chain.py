"""Hashes that copies share, and logs that continue from a copy."""

from __future__ import annotations

from copy import deepcopy

import pytest

from lanuno.log.format.chain import Chain
from lanuno.log.format.transcript import read
from lanuno.log.replay.replay import Replay
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.host_and_seats.table_sim import TableSim

A, B, C, D = (bytes([number]) * 32 for number in range(4))

RULES = (
    Ruleset(hand_size=3),
    Ruleset(hand_size=3, seven_zero=True, draw_until_playable=True),
    Ruleset(hand_size=3, manners=Manners.HONOUR, deck=112),
    Ruleset(hand_size=4, jump_in=True, stack_cross=True),
)


def chain(*hashes: bytes) -> Chain:
    made = Chain()
    for digest in hashes:
        made.append(digest)
    return made


def test_a_chain_is_read_like_a_list() -> None:
    made = chain(A, B, C)
    assert list(made) == [A, B, C]
    assert (made[0], made[-1], made[1:], made[2:9]) == (A, C, [B, C], [C])
    assert (made.number(C), made.number(D), made.index(B)) == (2, None, 1)
    with pytest.raises(IndexError):
        made[3]


def test_a_copy_knows_nothing_of_what_comes_later() -> None:
    first = chain(A, B)
    second = deepcopy(first)
    first.append(C)
    assert (len(second), second.number(C)) == (2, None)
    with pytest.raises(IndexError):
        second[2]
    assert list(second) == [A, B]


def test_copies_that_go_the_same_way_stay_one() -> None:
    first = chain(A)
    second, third = deepcopy(first), deepcopy(first)
    for each in (first, second, third):
        each.append(B)
        each.append(C)
    assert list(first) == list(second) == list(third) == [A, B, C]


def test_copies_that_part_keep_what_is_their_own() -> None:
    first = chain(A, B)
    second = deepcopy(first)
    third = deepcopy(first)
    first.append(C)
    second.append(D)
    second.append(C)
    third.append(C)
    assert list(first) == list(third) == [A, B, C]
    assert list(second) == [A, B, D, C]
    assert (first.number(D), second.number(C), third.number(C)) == (None, 3, 2)


@pytest.mark.parametrize("rules", RULES, ids=["plain", "swapping", "honour", "jumping"])
def test_a_copy_of_a_log_goes_its_own_way(rules: Ruleset) -> None:
    """A copy made at any entry reaches the same end, and leaves its original unchanged."""
    sim = TableSim(3, seed=5, ruleset=rules)
    sim.run()
    transcript = read(sim.peers[0].file)
    entries = transcript.entries
    replay, copies = Replay(transcript.genesis), list[Replay]()
    for entry in entries:
        if replay.seq % 7 == 0:
            copies.append(replay.copy())
        replay.follow(entry)
    for copy in copies:
        state, count = copy.state(), copy.seq
        further = copy.copy()
        for entry in entries[count:]:
            further.follow(entry, trusted=True)
        assert (further.state(), further.head) == (replay.state(), replay.head)
        assert list(further.hashes) == [entry.hash for entry in entries]
        assert (copy.state(), copy.seq, len(copy.hashes)) == (state, count, count)
