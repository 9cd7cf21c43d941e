"""How long a table waits, whom it drops and who hosts, on bad networks and with a liar."""

from __future__ import annotations

import pytest

from tests.table.view_world import LIES, Liar, World, random_table

FAR = (0.2, 0.8)
"""Delays of a bad network, in seconds."""


def test_a_game_stands_still_for_nobody_while_all_are_there() -> None:
    world = World(4, seed=1, delays=FAR)
    world.run(60.0)
    assert world.longest_stand() < 8
    assert (world.views, world.dropped) == (0, {})


@pytest.mark.parametrize("lost", [0, 1], ids=["host", "guest"])
def test_who_comes_back_in_time_is_an_owner_still(lost: int) -> None:
    world = World(3, seed=1)
    world.at(10.0, "stop", lost)
    world.at(60.0, "start", lost)
    world.run(100.0)
    assert world.dropped == {}
    assert world.now - world.played[-1] < 5
    assert {node.host for node in world.nodes.values()} == {0}
    # A host that restarted hosts a new view, so that it never signs two entries of one sequence.
    assert world.views == (1 if lost == 0 else 0)


@pytest.mark.parametrize("lost", [0, 1], ids=["host", "guest"])
@pytest.mark.parametrize(("impatient", "seconds"), [(False, 60), (True, 15)])
def test_a_table_waits_for_the_lost_no_longer_than_it_has_to(
    lost: int, impatient: bool, seconds: int
) -> None:
    world = World(4, seed=1, impatient=impatient)
    world.at(10.0, "stop", lost)
    world.run(120.0)
    assert set(world.dropped) == {lost}
    assert seconds < world.longest_stand() < seconds + 9
    assert {node.host for node in world.nodes.values()} == {1 if lost == 0 else 0}


def test_two_of_five_lost_at_once_leave_three_who_go_on() -> None:
    world = World(5, seed=1)
    world.at(10.0, "stop", 0)
    world.at(12.0, "stop", 1)
    world.run(120.0)
    assert set(world.dropped) == {0, 1}
    assert world.longest_stand() < 72


@pytest.mark.parametrize("owners", [3, 10])
def test_a_leave_of_the_host_takes_effect_at_once(owners: int) -> None:
    world = World(owners, seed=1)
    world.at(10.0, "leave", 0)
    world.run(30.0)
    assert set(world.dropped) == {0}
    assert world.longest_stand() < 4


def test_of_two_owners_only_the_host_goes_on_alone() -> None:
    for lost, goes_on in ((1, True), (0, False)):
        world = World(2, seed=1)
        world.at(10.0, "stop", lost)
        world.run(100.0)
        assert (set(world.dropped) == {lost}) is goes_on


def test_a_dropped_owner_returns() -> None:
    world = World(3, seed=1)
    world.at(10.0, "stop", 1)
    world.at(90.0, "start", 1)
    world.run(120.0)
    assert world.nodes[0].owners == {0, 1, 2}
    assert world.now - world.played[-1] < 5


def test_nobody_is_lost_whom_another_owner_reaches() -> None:
    world = World(4, seed=1, delays=FAR)
    for other in (0, 1):
        world.at(10.0, "separate", 3, other)
    world.run(150.0)
    assert world.dropped == {}
    assert world.longest_stand() < 12


def violations(
    lie: str,
    owners: int,
    liar: int,
    lost: int | None,
    seconds: float,
    *,
    broken: str = "",
    stand: float = 70.0,
) -> list[str]:
    """Play a table with a liar, and return which promises were broken.

    `stand` is for how many seconds the table may stand.
    """
    liars: dict[int, Liar] = {liar: LIES[lie]()}
    world = World(owners, seed=1, delays=(0.005, 0.2), liars=liars, broken=broken)
    if lost is not None:
        world.at(20.0, "stop", lost)
    world.run(seconds)
    honest = set(world.nodes) - {liar}
    debts = [world.nodes[seat].disk.debts for seat in honest]
    return [
        wrong
        for wrong, shown in {
            "dropped": not set(world.dropped) <= {liar, lost},
            "stood": world.longest_stand() > stand,
            "stands": world.now - world.played[-1] > 45,
            "views": world.views > 2 * seconds,
            "owes": any(each[seat].total > 10 for each in debts for seat in honest & set(each)),
        }.items()
        if shown
    ]


@pytest.mark.parametrize("lie", LIES)
def test_no_liar_holds_a_table_or_has_an_honest_owner_dropped(lie: str) -> None:
    """As the host, and as the one who is to follow a lost host."""
    # An idle host that then acks nothing owes twice: for 30 s, and for 60 s at a stretch.
    stand = 80.0 if lie == "asks far ahead" else 70.0
    assert violations(lie, 3, 0, None, 150.0, stand=stand) == []
    assert violations(lie, 5, 1, 0, 260.0, stand=160.0) == []


BROKEN: dict[str, tuple[str, int, int, int | None, float]] = {
    "no passing on": ("sends one no entries", 3, 0, None, 75.0),
    "failed are asked": ("never consents", 5, 4, 0, 75.0),
    "any number": ("promises much", 5, 4, 0, 75.0),
    "any promise": ("promises a little", 3, 2, None, 75.0),
    "waits for all": ("never drops", 5, 4, 0, 75.0),
    "no marks": ("forms nothing", 5, 1, 0, 90.0),
}
"""The rules of time that are broken on purpose, each with a lie that shows it: owners, the liar,
who is lost, and for how many seconds the table may stand with the rule."""


@pytest.mark.parametrize("broken", BROKEN)
def test_a_lie_shows_each_missing_rule_of_time(broken: str) -> None:
    lie, owners, liar, lost, stand = BROKEN[broken]
    seconds = 40.0 if broken == "any promise" else 130.0
    assert violations(lie, owners, liar, lost, seconds, stand=stand) == []
    assert violations(lie, owners, liar, lost, seconds, stand=stand, broken=broken) != []


@pytest.mark.parametrize("seed", range(1, 6))
@pytest.mark.parametrize("liar", [False, True], ids=["honest", "liar"])
def test_random_tables_go_on(seed: int, liar: bool) -> None:
    assert random_table(seed, lying=liar).violations() == []
