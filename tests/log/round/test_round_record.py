"""Queries on a round: shares and their receivers, missing steps, and revealed seeds."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from lanuno.dealing.deal import DealFault, StepKind
from lanuno.dealing.group import Flaw
from lanuno.log.faults import BodyRefused, RefusalReason
from lanuno.log.format import bodies
from lanuno.log.round.round_record import ProtocolPhase
from tests.harness.log_table.log_table import LogTable
from tests.harness.log_table.moments import come_to, opened


def in_first_round(phase: ProtocolPhase) -> LogTable:
    """Return a table of four owners whose first round has just reached a phase."""
    return come_to(phase, 4, number=0)


def test_seeds_are_in_escrow_only_with_four_or_more_owners() -> None:
    assert not opened(3).log.escrowed
    assert not opened(5, bots={3: 0, 4: 1}).log.escrowed
    assert opened(4).log.escrowed


def test_a_share_for_every_other_owner_and_none_for_ones_own_bots() -> None:
    table = opened(6, bots={4: 0, 5: 1})
    log = table.log
    assert [log.share_receivers(seat) for seat in range(6)] == [
        (1, 2, 3),
        (0, 2, 3),
        (0, 1, 3),
        (0, 1, 2),
        (1, 2, 3),
        (0, 2, 3),
    ]


def test_the_first_bot_receives_the_shares_of_an_owner_that_does_not_play() -> None:
    table = opened(6, bots={4: 0, 5: 0})
    log = table.log
    log.order = (1, 2, 3, 4, 5)
    assert [log.share_receivers(seat) for seat in log.order] == [
        (2, 3, 4),
        (1, 3, 4),
        (1, 2, 4),
        (1, 2, 3),
        (1, 2, 3),
    ]


def test_a_seat_has_the_box_keys_of_those_that_give_it_a_share() -> None:
    table = opened(6, bots={4: 0, 5: 1})
    givers = [table.log.givers(seat) for seat in range(6)]
    assert givers == [(1, 2, 3, 5), (0, 2, 3, 4), (0, 1, 3, 4, 5), (0, 1, 2, 4, 5), (), ()]
    for seat in range(6):
        table.add(seat, table.commit(seat))
    log = table.log
    for seat, some in enumerate(givers):
        for giver in some:
            assert log.box_of(seat, giver) == table.view_secrets(seat).box_key(giver)


def test_an_owner_gets_its_share_at_its_own_seat_although_its_bot_sits_before_it() -> None:
    log = opened(5, bots={1: 3}).log
    assert [log.share_receivers(seat) for seat in range(5)] == [
        (2, 3, 4),
        (0, 2, 4),
        (0, 3, 4),
        (0, 2, 4),
        (0, 2, 3),
    ]


@pytest.mark.parametrize("bots", [{}, {4: 0, 5: 1}, {1: 5}])
def test_the_receivers_of_a_seat_have_it_as_their_giver(bots: dict[int, int]) -> None:
    """Both directions follow from the same owners, and no owner gives a share to itself."""
    log = opened(6, bots=bots).log
    pairs = {(giver, to) for giver in range(6) for to in log.share_receivers(giver)}
    assert pairs == {(giver, to) for to in range(6) for giver in log.givers(to)}
    assert {log.owner_of(giver) == log.owner_of(to) for giver, to in pairs} == {False}
    assert opened(3).log.givers(0) == ()


def test_a_share_is_read_only_if_it_is_the_one_in_the_box() -> None:
    table = in_first_round(ProtocolPhase.PLAY)
    log, key = table.log, table.view_secrets(2).box_private(1)
    right = table.share(2, 1).share
    assert log.read_share(1, 2, key) == right
    assert log.read_share(1, 2, table.view_secrets(2).box_private(0)) is None
    assert log.read_share(1, 2, table.view_secrets(3).box_private(1)) is None
    # Nor is a share read whose hash is not the published one, although the box opens.
    sent = log.escrows[1]
    log.escrows[1] = msgspec.structs.replace(sent, hashes=(*sent.hashes[1:], sent.hashes[0]))
    assert log.read_share(1, 2, key) is None


# ---- what is due -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phase", "payload"),
    [
        (ProtocolPhase.COMMIT, LogTable.commit),
        (ProtocolPhase.ESCROW, LogTable.escrow),
        (ProtocolPhase.REVEAL, LogTable.reveal),
        (ProtocolPhase.ATTEST, LogTable.attest),
    ],
)
def test_a_seat_is_missing_until_it_has_done_its_step(
    phase: ProtocolPhase, payload: Callable[[LogTable, int], bodies.Payload]
) -> None:
    table = in_first_round(phase)
    assert table.log.missing() == (0, 1, 2, 3)
    table.add(1, payload(table, 1))
    assert table.log.missing() == (0, 2, 3)
    assert table.refusal_of(1, payload(table, 1)) is RefusalReason.ALREADY_DONE
    table.log.lost.add(3)
    assert table.log.missing() == (0, 2)


def test_no_seat_is_missing_in_play_and_after_the_round() -> None:
    """In play, the deal, the needs and the engine determine what is due."""
    assert in_first_round(ProtocolPhase.PLAY).log.missing() == ()
    assert in_first_round(ProtocolPhase.DONE).log.missing() == ()


def test_a_step_belongs_to_one_phase_and_is_done_once() -> None:
    log = opened(4).log
    log.require_step(ProtocolPhase.COMMIT, 1, {0: None})
    with pytest.raises(BodyRefused) as raised:
        log.require_step(ProtocolPhase.REVEAL, 1, {0: None})
    assert raised.value.refusal is RefusalReason.NOT_NOW
    # A step that was done in an earlier phase is reported as done.
    with pytest.raises(BodyRefused) as raised:
        log.require_step(ProtocolPhase.REVEAL, 0, {0: None})
    assert raised.value.refusal is RefusalReason.ALREADY_DONE


def test_a_deal_is_under_way_until_its_last_lock() -> None:
    table = in_first_round(ProtocolPhase.PLAY)
    deal = table.log.deals[0]
    assert not table.log.has_masked(0)
    while not deal.done:
        assert table.log.deal is deal
        table.step()
    assert table.log.deal is None
    assert [table.log.has_masked(seat) for seat in range(5)] == [True] * 4 + [False]
    fault = DealFault(3, StepKind.LOCK, Flaw.DIFFERS)
    assert table.log.step_entry(0, fault) == table.replay.seq - 1
    first = DealFault(0, StepKind.MASK, Flaw.DIFFERS)
    assert table.log.step_entry(0, first) == table.replay.seq - len(deal.accepted)


# ---- seeds -----------------------------------------------------------------------------------


@pytest.mark.parametrize("field", ["seed", "view"])
def test_only_seeds_that_match_all_commitments_are_known(field: str) -> None:
    table = in_first_round(ProtocolPhase.REVEAL)
    table.add(0, table.reveal(0))
    table.add(1, msgspec.structs.replace(table.reveal(1), **{field: bytes(32)}))
    log = table.log
    assert log.revealed(1) is None
    assert (set(log.known_secrets()), set(log.revealed_seeds())) == ({0}, {0})
    assert log.known_secrets()[0].seed == table.secrets(0).seed
    assert log.revealed_seeds()[0][1].seed == table.view_secrets(0).seed


def test_the_box_keys_of_a_lost_seat_are_known_only_by_a_right_reveal() -> None:
    table = in_first_round(ProtocolPhase.REVEAL)
    table.add(0, table.reveal(0))
    table.add(1, msgspec.structs.replace(table.reveal(1), view=bytes(32)))
    assert not table.log.has_known_box_keys(0)  # it is present and can open its boxes itself
    table.log.lost |= {0, 1, 2}
    assert [table.log.has_known_box_keys(seat) for seat in range(4)] == [True, False, False, False]


def test_the_secrets_of_a_round_are_bound_to_its_open_and_to_the_player_of_the_seat() -> None:
    table = opened(4)
    bound = table.log.context(2)
    assert (bound.table, bound.open_hash, bound.seat) == (
        table.replay.table_id,
        table.entries[-1].hash,
        2,
    )
    assert bound.identity == table.replay.roster.seats[2].identity
