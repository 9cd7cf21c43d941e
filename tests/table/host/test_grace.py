"""The grace time of a missing player: how it is used up, restored and ended by a claim."""

from __future__ import annotations

from msgspec.structs import replace

from lanuno.log.format.bodies import DropReason
from lanuno.rules.ruleset import Ruleset
from lanuno.table.host.grace import (
    CLAIM_SECONDS,
    MOST_BEYOND,
    MOST_SILENT,
    RETURN_SECONDS,
    AbsenceTimer,
)
from tests.table.host.watched_clocks import PausedClocks

LOST = DropReason.LOST
FIRST, TOTAL = 60.0, 180.0


def waiting(at: PausedClocks, claim: float | None = CLAIM_SECONDS) -> AbsenceTimer:
    return AbsenceTimer(at.replay, at.finality, claim)


def of_two(claim: float | None = CLAIM_SECONDS) -> AbsenceTimer:
    """Return the timer of a table where it is final that only two owners are left."""
    at = PausedClocks()
    at.replay.absence.dropped[2] = DropReason.LEFT
    at.finality.entry_appended()
    at.acknowledge()
    assert at.finality.among_two
    return waiting(at, claim)


def drops_at(grace: AbsenceTimer, since: float) -> float:
    """Return the seconds from `since` until the first drop."""
    return min(grace.moments(-1.0)) - since


def use_up(grace: AbsenceTimer) -> None:
    """Use up all the grace time that seat 1 has in a match."""
    for start in (0.0, 100.0, 200.0):
        grace.lost(1, start, LOST)
        grace.returned(1, start + FIRST)


# ---- what is used up ----------------------------------------------------------------------------


def test_each_absence_is_taken_from_the_total() -> None:
    grace = waiting(PausedClocks())
    for start in (0.0, 100.0, 200.0):
        grace.lost(1, start, LOST)
        assert drops_at(grace, start) == FIRST
        grace.returned(1, start + 50.0)
    grace.lost(1, 300.0, LOST)
    assert drops_at(grace, 300.0) == TOTAL - 150.0
    assert grace.gone(329.9) is None
    assert grace.gone(330.0) == (1, LOST)


def test_time_in_which_nobody_could_be_dropped_is_not_used_up() -> None:
    """Another owner acknowledged nothing for long, and no drop is possible before that is final."""
    grace = waiting(PausedClocks())
    grace.lost(1, 0.0, LOST)
    assert grace.gone(500.0) == (1, LOST)
    grace.returned(1, 500.0)
    grace.lost(1, 1_000.0, LOST)
    assert drops_at(grace, 1_000.0) == FIRST


def test_an_owner_that_takes_a_seat_back_is_not_missing_because_a_bot_was() -> None:
    """The node of the bot's owner is away, and the seat returns to its player in the next round."""
    at = PausedClocks()
    grace, absence = waiting(at), at.replay.absence
    player = absence.roster.seats[1]
    bot = replace(player, identity=b"b" * 32, owner=player.owner, bot=True)
    for away in (False, True):
        absence._set_player(1, bot)
        grace.lost(1, 0.0, LOST)
        absence._set_player(1, player)
        if away:
            grace.lost(1, 50.0, LOST)
        grace.forget_the_dropped(60.0)
        assert grace.gone(FIRST) is None
    assert drops_at(grace, 50.0) == FIRST
    grace.returned(1, 50.0)
    assert not grace


def test_a_dropped_seat_is_missing_no_more() -> None:
    at = PausedClocks()
    grace = waiting(at)
    grace.lost(1, 0.0, LOST)
    assert (bool(grace), 1 in grace, 2 in grace) == (True, True, False)
    at.replay.absence.dropped[1] = LOST
    grace.forget_the_dropped(1.0)
    grace.lost(1, 1.0, LOST)
    assert (bool(grace), grace.ends, grace.moments(0.0)) == (False, None, [])


def test_the_wait_for_a_dropped_seat_is_charged_to_its_player() -> None:
    at = PausedClocks()
    grace = waiting(at)
    grace.lost(1, 0.0, LOST)
    at.replay.absence.dropped[1] = LOST
    grace.forget_the_dropped(FIRST)
    del at.replay.absence.dropped[1]
    for again in range(1, 4):
        grace.lost(1, 1_000.0 * again, LOST)
        assert drops_at(grace, 1_000.0 * again) == min(FIRST, TOTAL - FIRST * again)
        grace.returned(1, 1_000.0 * again + FIRST)


def test_an_owner_that_has_returned_is_awaited_while_a_bot_that_is_gone_plays_its_seat() -> None:
    at = PausedClocks()
    grace = waiting(at)
    at.replay.absence.filled[1] = 2
    at.replay.absence.dropped[2] = LOST
    grace.lost(1, 0.0, DropReason.SILENT)
    grace.lost(2, 0.0, DropReason.SILENT)
    assert grace.seats == {1: DropReason.SILENT}


# ---- what is given again ------------------------------------------------------------------------


def test_everybody_who_is_missing_gets_time_again() -> None:
    grace = waiting(PausedClocks())
    grace.lost(1, 0.0, LOST)
    grace.lost(2, 50.0, LOST)
    grace.restart(59.0)
    assert grace.gone(59.0 + RETURN_SECONDS - 0.1) is None
    assert grace.gone(59.0 + RETURN_SECONDS) == (1, LOST)
    assert grace.ends == 50.0 + FIRST, "who has more has it still"


def test_a_seat_lost_again_while_all_come_back_gets_no_less() -> None:
    """The node of a player without time left returns for a moment and disappears again."""
    grace = waiting(PausedClocks())
    use_up(grace)
    grace.restart(1_000.0)
    grace.lost(1, 1_010.0, LOST)
    assert drops_at(grace, 1_010.0) == RETURN_SECONDS
    grace.returned(1, 1_011.0)
    grace.lost(1, 1_000.1 + RETURN_SECONDS, LOST)
    assert drops_at(grace, 1_000.1 + RETURN_SECONDS) == 0.0, "that is over"


def test_no_more_than_so_much_is_given_beyond_the_total() -> None:
    grace = waiting(PausedClocks())
    now, beyond = 1_000.0, 0.0
    use_up(grace)
    for _ in range(20):
        grace.restart(now)
        grace.lost(1, now, LOST)
        took = drops_at(grace, now)
        grace.returned(1, now + took)
        beyond, now = beyond + took, now + 100.0
    assert beyond == MOST_BEYOND


def test_an_attacker_gets_none_of_it() -> None:
    grace = waiting(PausedClocks())
    grace.lost(1, 0.0, DropReason.ATTACK)
    grace.restart(0.0)
    grace.lost(1, 1.0, LOST, quiet=True)
    assert grace.gone(0.0) == (1, DropReason.ATTACK)


# ---- two owners ---------------------------------------------------------------------------------


def test_with_three_owners_a_silence_counts_as_an_absence() -> None:
    grace = waiting(PausedClocks())
    grace.lost(1, 0.0, LOST, quiet=True)
    assert grace.claimable(FIRST) == ()
    assert grace.gone(FIRST) == (1, LOST)


def test_with_two_owners_a_silence_waits_to_be_claimed() -> None:
    grace = of_two(claim=None)
    grace.lost(1, 0.0, LOST, quiet=True)
    assert grace.moments(0.0) == [FIRST]
    grace.claim(FIRST - 0.1)
    assert grace.claimable(FIRST) == (1,)
    assert (grace.gone(10**6), grace.moments(FIRST)) == (None, [])
    grace.claim(FIRST)
    assert grace.claimable(FIRST) == ()
    assert grace.gone(FIRST) == (1, LOST)


def test_with_two_owners_a_program_claims_a_silence_by_itself() -> None:
    grace = of_two()
    grace.lost(1, 0.0, LOST, quiet=True)
    assert grace.gone(CLAIM_SECONDS - 0.1) is None
    assert grace.gone(CLAIM_SECONDS) == (1, LOST)
    assert max(grace.moments(0.0)) == CLAIM_SECONDS


def test_with_two_owners_an_earlier_silence_uses_up_no_grace_time() -> None:
    """An earlier silence, however long, has used up none of the time."""
    grace = of_two()
    grace.lost(1, 0.0, LOST, quiet=True)
    grace.returned(1, 500.0)
    grace.lost(1, 600.0, LOST)
    assert (drops_at(grace, 600.0), grace.claimable(10**6)) == (FIRST, ())
    grace.returned(1, 600.0)
    grace.lost(1, 700.0, DropReason.SILENT)
    assert grace.gone(700.0 + FIRST) == (1, DropReason.SILENT)


def test_with_two_owners_silences_add_up_until_each_can_be_claimed_at_once() -> None:
    grace = of_two(claim=None)
    now, waits = 0.0, list[float]()
    for _ in range(9):
        grace.lost(1, now, LOST, quiet=True)
        (ends,) = grace.moments(now - 1.0)
        waits.append(ends - now)
        grace.returned(
            1, now + 500.0
        )  # the person there has waited on for longer than anybody must
        now += 1_000.0
    assert waits == [FIRST] * 3 + [RETURN_SECONDS] * 4 + [0.0] * 2


def test_with_two_owners_repeated_silences_delay_a_program_only_for_a_limited_time() -> None:
    """A losing guest pulls its cable for almost ten minutes, repeatedly."""
    grace = of_two()
    now, waited = 0.0, 0.0
    for _ in range(20):
        grace.lost(1, now, LOST, quiet=True)
        lasts = max(grace.moments(now - 1.0)) - now
        away = min(lasts, CLAIM_SECONDS - 1.0)
        grace.returned(1, now + away)
        waited, now = waited + away, now + CLAIM_SECONDS
    assert waited <= MOST_SILENT + TOTAL + MOST_BEYOND
    grace.lost(1, now, LOST, quiet=True)
    assert grace.gone(now) == (1, LOST)


def test_with_two_owners_a_later_silence_does_not_undo_a_lost_connection() -> None:
    """The search for missing players after each round says nothing about the lost connection."""
    grace = of_two()
    grace.lost(1, 0.0, LOST)
    grace.lost(1, 1.0, LOST, quiet=True)
    assert grace.gone(FIRST) == (1, LOST)


def test_with_two_owners_the_grace_time_comes_from_the_ruleset() -> None:
    at = PausedClocks(Ruleset(grace_first_s=30, grace_total_s=300))
    at.replay.absence.dropped[2] = DropReason.LEFT
    at.finality.entry_appended()
    at.acknowledge()
    grace = waiting(at)
    grace.lost(1, 0.0, LOST, quiet=True)
    assert grace.claimable(29.9) == ()
    assert grace.claimable(30.0) == (1,)
