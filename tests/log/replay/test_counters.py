"""Counters of bodies: which are used, and whose they are."""

from __future__ import annotations

from lanuno.log.format.bodies import HOST, MAX_COUNTER
from lanuno.log.replay.counters import Counters
from tests.harness.log_table.log_table import identity, make_roster

SIGNED = make_roster(4)
BOT = identity(77)


def test_a_counter_follows_the_highest_that_was_used() -> None:
    counters, key = Counters(SIGNED), identity(1).public
    assert counters.next(1, key) == 0
    counters.use(1, key, 40)
    assert (counters.next(1, key), counters.next(2, identity(2).public)) == (41, 0)
    counters.use(1, key, MAX_COUNTER)
    assert counters.next(1, key) == MAX_COUNTER + 1


def test_a_bot_uses_up_no_counters_of_the_absent_player() -> None:
    counters = Counters(SIGNED)
    counters.use(3, identity(3).public, 5)
    counters.use(3, BOT.public, MAX_COUNTER)
    assert counters.next(3, identity(3).public) == 6
    assert counters.next(3, BOT.public) == MAX_COUNTER + 1
    assert counters.next(3, identity(78).public) == 0


def test_all_hosts_share_the_counters_of_the_host_role() -> None:
    """The counters of the role and those of the seat of the host are separate."""
    counters = Counters(SIGNED)
    counters.use(HOST, identity(0).public, 9)
    assert counters.next(HOST, identity(2).public) == 10
    assert counters.next(0, identity(0).public) == 0


def test_the_public_state_names_an_identity_only_for_bots() -> None:
    """Its order does not depend on the order of use."""
    uses = [(1, identity(1).public, 3), (3, BOT.public, 8), (3, identity(3).public, 2)]
    states = []
    for order in (uses, uses[::-1]):
        counters = Counters(SIGNED)
        for use in order:
            counters.use(*use)
        states.append(counters.public_state())
    assert states[0] == states[1] == ((1, 3), (3, 2), (3, BOT.public, 8))
