"""What the other players can read after a player has left: only the leaver's own keys."""

from __future__ import annotations

import pytest

from lanuno.dealing.escrow import rebuild
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.log.format import bodies
from lanuno.log.format.bodies import DropReason
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Ruleset
from tests.harness.host_and_seats.seat_under_test import VICTIM, SeatUnderTest, payloads, run_until
from tests.harness.log_table.log_table import LogTable, new_table


def playing(table: LogTable) -> bool:
    current = table.replay.round
    if current is None or current.number != 1 or automatic_steps(table.replay):
        return False
    return current.phase is ProtocolPhase.PLAY and table.engine.decider is not None


@pytest.mark.parametrize("players", [4, 5])
def test_boxes_sealed_to_a_leaver_stay_closed(players: int) -> None:
    """One of two honest owners leaves, and every player learns its seed.

    The others then hold every share of the remaining honest owner's seed except the leaver's.
    """
    leaver = players - 1
    table = new_table(players, Ruleset(hand_size=5))
    victim = SeatUnderTest(table)
    run_until(table, victim, playing)
    table.drop(leaver, DropReason.LEFT)
    for seat in table.log.share_receivers(leaver):
        if seat != VICTIM:
            table.add(seat, table.share(seat, leaver))
    [signed] = victim.follow_log(final=True)
    [said] = payloads([signed])
    assert isinstance(said, bodies.Share)
    table.append(signed)
    log = table.log
    assert log.departed == {leaver}
    assert log.void is None
    known = log.recovered[leaver]
    assert known.seed == table.secrets(leaver).seed
    # The leaver's seed opens none of the boxes sealed to it.
    derived = [known, ViewSecrets(known.seed, known.context)]
    keys = [each.expand(b"box", 32, index=of) for each in derived for of in range(players)]
    keys += [each.expand(b"view", 32) for each in derived]
    for of in log.givers(leaver):
        assert [log.read_share(of, leaver, key) for key in keys] == [None] * len(keys)
    # It is the only share that the others lack.
    rest = [seat for seat in log.share_receivers(VICTIM) if seat != leaver]
    shares = [table.share(seat, VICTIM).share for seat in rest]
    assert not opens(table, shares)
    assert opens(table, [*shares, table.share(leaver, VICTIM).share])


def opens(table: LogTable, shares: list[bytes]) -> bool:
    """Whether these shares yield the victim's seed."""
    found = RoundSecrets(rebuild(shares), table.log.context(VICTIM))
    return table.log.committed_to(VICTIM, found)
