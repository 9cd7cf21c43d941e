"""Commitments, shares, complaints: refusals, and blame that never falls on an honest seat."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.escrow import share_hash, split
from lanuno.dealing.sealing import seal_info
from lanuno.log.faults import Blame, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, DropReason
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import blame_of, come_to, opened

LOW_ORDER = bytes([1]) + bytes(31)


@pytest.fixture(scope="module")
def sharing() -> LogTable:
    """Four owners have committed, and none has split its seed."""
    return come_to(ProtocolPhase.ESCROW, 4, number=0)


@pytest.fixture(scope="module")
def shared() -> LogTable:
    """Four owners have split their seeds, and none has masked."""
    return come_to(ProtocolPhase.PLAY, 4, number=0)


# ---- commitments ----------------------------------------------------------------------------


def test_everybody_commits_once_and_the_deck_is_masked() -> None:
    table = opened()
    assert table.refusal_of(0, table.reveal(0)) is RefusalReason.NOT_NOW
    assert table.add(1, table.commit(1)) == [events.StepDone(1, "commit")]
    assert table.refusal_of(1, table.commit(1)) is RefusalReason.ALREADY_DONE
    assert table.log.missing() == (0,)
    table.add(0, table.commit(0))
    assert table.log.phase is ProtocolPhase.PLAY
    assert table.refusal_of(0, bodies.Escrow((), ())) is RefusalReason.NOT_NOW
    assert table.refusal_of(0, bodies.Complain(1, bytes(32))) is RefusalReason.NOT_NOW


@pytest.mark.parametrize("place", [None, 0, 1, 2])
@pytest.mark.parametrize("key", [LOW_ORDER, bytes(32), b"\xff" * 32])
def test_a_key_that_nothing_can_be_sealed_to_is_proven_at_once(
    place: int | None, key: bytes
) -> None:
    """The bad key is the view key or the box key of any giver."""
    table = opened(4)
    table.add(0, table.commit(0))
    right = table.commit(1)
    if place is None:
        wrong = msgspec.structs.replace(right, view_key=key)
    else:
        boxes = (*right.boxes[:place], key, *right.boxes[place + 1 :])
        wrong = msgspec.structs.replace(right, boxes=boxes)
    happened = table.add(1, wrong)
    assert table.log.void is VoidReason.FAULT
    assert any(isinstance(each, events.RoundVoided) for each in happened)
    assert set(blame_of(table)) == {(1, Fault.BAD_COMMITMENT)}


def test_the_copier_of_a_commitment_is_blamed_and_not_its_author() -> None:
    """A host that puts the copy first must not get the author of the original blamed."""
    for field in ("seed", "view", "boxes", "view_key"):
        table = opened(4 if field == "boxes" else 2)
        mine = msgspec.structs.asdict(table.commit(1))[field]
        table.add(0, msgspec.structs.replace(table.commit(0), **{field: mine}))
        for seat in table.log.missing():
            table.add(seat, table.commit(seat))
        assert table.log.phase is (ProtocolPhase.ESCROW if field == "boxes" else ProtocolPhase.PLAY)
        assert blame_of(table) == [(0, Fault.BAD_COMMITMENT)]


@pytest.mark.parametrize("owners", [2, 3, 4, 5])
def test_there_is_a_box_key_for_every_giver_and_no_other(owners: int) -> None:
    table = opened(owners)
    right = table.commit(1)
    assert len(right.boxes) == len(table.log.givers(1)) == (owners - 1 if owners >= 4 else 0)
    key = table.view_secrets(1).box_key(7)
    wrong = [(*right.boxes, key), (key,) * 10]
    if right.boxes:
        wrong += [right.boxes[:-1], ()]
    for boxes in wrong:
        body = msgspec.structs.replace(right, boxes=boxes)
        assert table.refusal_of(1, body) is RefusalReason.WRONG_SHAPE
    assert table.add(1, right) == [events.StepDone(1, "commit")]


def test_a_seat_that_is_out_of_the_match_commits_to_nothing() -> None:
    """In elimination, a seat that is out has no part in the round, and may leave without harm."""
    ruleset = Ruleset(hand_size=2, format=Format.ELIMINATION, seats_min=3, target=15)

    def without_a_guest(salt: int) -> LogTable | None:
        table = new_table(3, ruleset, rounds=20, salt=salt)
        while table.step():
            if table.replay.number > 0 and table.log.seats in ((0, 1), (0, 2)):
                return table
        return None

    table = next(table for salt in range(50) if (table := without_a_guest(salt)) is not None)
    out = ({1, 2} - set(table.log.seats)).pop()
    assert table.refusal_of(out, table.commit(out)) is RefusalReason.NOT_A_SEAT
    gone = events.SeatDropped(out, DropReason.LOST)
    assert table.add(HOST, bodies.Drop(out, DropReason.LOST)) == [gone]
    assert table.log.void is None


# ---- shares ---------------------------------------------------------------------------------


def test_shares_have_one_shape(sharing: LogTable) -> None:
    right = sharing.escrow(2)
    for wrong in (
        msgspec.structs.replace(right, sealed=right.sealed[:-1]),
        msgspec.structs.replace(right, hashes=right.hashes[:-1]),
        bodies.Escrow((), ()),
        bodies.Escrow(right.sealed * 2, right.hashes * 2),
    ):
        assert sharing.refusal_of(2, wrong) is RefusalReason.WRONG_SHAPE
    table = sharing.fork()
    assert table.add(2, right) == [events.StepDone(2, "escrow")]
    assert table.refusal_of(2, right) is RefusalReason.ALREADY_DONE
    assert table.refusal_of(2, table.commit(2)) is RefusalReason.ALREADY_DONE


def shares_with(table: LogTable, seat: int, to: int, wrong: str) -> bodies.Escrow:
    """Return shares of which the one for `to` is wrong."""
    log, receivers = table.log, table.log.share_receivers(seat)
    right = table.escrow(seat)
    place = receivers.index(to)
    sealed, hashes = list(right.sealed), list(right.hashes)
    info = seal_info(log.table_id, log.open_hash, seat, to, "escrow")
    boxes = [log.box_of(other, seat) for other in receivers]
    share = split(table.secrets(seat), receivers, boxes)[place]
    if wrong == "no box":
        sealed[place] = bytes(80)
    elif wrong == "another box":
        sealed[place] = right.sealed[place - 1]
    elif wrong == "another share":
        sealed[place] = seal(bytes(32), log.box_of(to, seat), info)
    elif wrong == "another hash":
        hashes[place] = share_hash(share, log.context(seat), 9)
    elif wrong == "not of the seed":
        sealed[place] = seal(bytes(32), log.box_of(to, seat), info)
        hashes[place] = share_hash(bytes(32), log.context(seat), to)
    return bodies.Escrow(tuple(sealed), tuple(hashes))


@pytest.mark.parametrize("wrong", ["no box", "another box", "another share", "another hash"])
@pytest.mark.parametrize("when", [ProtocolPhase.ESCROW, ProtocolPhase.PLAY])
def test_a_complaint_settles_the_blame(sharing: LogTable, wrong: str, when: ProtocolPhase) -> None:
    table = sharing.fork()
    table.add(2, shares_with(table, 2, 1, wrong))
    if when is ProtocolPhase.PLAY:
        table.run(lambda each: each.log.phase is ProtocolPhase.PLAY)
    box = table.view_secrets(1).box_private(2)
    happened = table.add(1, bodies.Complain(2, box))
    found = [each.blame for each in happened if isinstance(each, events.FaultFound)]
    assert found == [
        Blame(2, Fault.BAD_SHARE, 0, table.replay.seq - 1, "a share that is not right")
    ]
    assert set(blame_of(table)) == {(2, Fault.BAD_SHARE)}


@pytest.mark.parametrize(
    "wrong", ["no box", "another box", "another share", "another hash", "not of the seed"]
)
def test_a_wrong_share_is_found_without_a_complaint(sharing: LogTable, wrong: str) -> None:
    """The audit even finds a share that its receiver cannot tell from a right one."""
    table = sharing.fork()
    table.add(2, shares_with(table, 2, 1, wrong))
    table.run()
    assert table.replay.summaries[0].counted is False
    assert blame_of(table) == [(2, Fault.BAD_SHARE)]


def test_a_complaint_about_a_right_share_is_blamed(shared: LogTable) -> None:
    for box in (shared.view_secrets(1).box_private(2), bytes(32)):
        table = shared.fork()
        table.add(1, bodies.Complain(2, box))
        assert set(blame_of(table)) == {(1, Fault.FALSE_HALT)}


@pytest.mark.parametrize("right", [True, False])
def test_a_complaint_needs_the_box_key_of_the_very_giver(sharing: LogTable, *, right: bool) -> None:
    """A key for another giver opens nothing and proves nothing about this giver."""
    table = sharing.fork()
    table.add(2, table.escrow(2) if right else shares_with(table, 2, 1, "no box"))
    table.run(lambda each: each.log.phase is ProtocolPhase.PLAY)
    for giver in (0, 3):
        other = table.fork()
        happened = other.add(1, bodies.Complain(2, other.view_secrets(1).box_private(giver)))
        found = [each.blame for each in happened if isinstance(each, events.FaultFound)]
        wrong_key = "not the private box key"
        assert found == [Blame(1, Fault.FALSE_HALT, 0, other.replay.seq - 1, wrong_key)]


@pytest.mark.parametrize("masked", [False, True])
def test_a_complaint_after_a_deal_began_again(*, masked: bool) -> None:
    """A seat that masked before the restart has accepted its shares; others may complain.

    Seat 4 leaves in the middle of the first deal, and the deal begins again without it.
    """
    table = new_table(5).run(
        lambda each: each.replay.round is not None and each.log.phase is ProtocolPhase.ESCROW
    )
    table.add(2, shares_with(table, 2, 1, "no box"))
    table.run(lambda each: each.log.phase is ProtocolPhase.PLAY)
    for seat in (0, 1) if masked else (0,):
        table.add(seat, table.take_pass(seat))
    table.drop(4)
    table.run(lambda each: len(each.log.deals) == 2)
    assert [deal.order for deal in table.log.deals] == [(0, 1, 2, 3, 4), (0, 1, 2, 3)]
    assert not table.log.deals[1].accepted
    assert table.log.has_masked(1) is masked
    complaint = bodies.Complain(2, table.view_secrets(1).box_private(2))
    if masked:
        assert table.refusal_of(1, complaint) is RefusalReason.NOT_NOW
    else:
        table.add(1, complaint)
        assert set(blame_of(table)) == {(2, Fault.BAD_SHARE)}


def test_a_complaint_at_the_wrong_time_or_about_its_author_is_refused(
    sharing: LogTable, shared: LogTable
) -> None:
    assert sharing.refusal_of(1, bodies.Complain(2, bytes(32))) is RefusalReason.NOT_NOW
    assert shared.refusal_of(1, bodies.Complain(1, bytes(32))) is RefusalReason.NOT_A_SEAT
    table = shared.fork()
    table.add(0, table.take_pass(0))
    assert (
        table.refusal_of(0, bodies.Complain(2, table.view_secrets(0).box_private(2)))
        is RefusalReason.NOT_NOW
    )
    halted = shared.fork()
    halted.add(3, bodies.Halt(bodies.HaltReason.NO_CARD, None))
    assert halted.refusal_of(1, bodies.Complain(2, bytes(32))) is RefusalReason.NOT_NOW
