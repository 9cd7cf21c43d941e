"""The secrets of one seat: each is drawn, stored and used for one round and one input only."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.dealing.group import parse_scalar, public_key, unpack
from lanuno.dealing.sealing import box_public, seal_info
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, HaltReason
from lanuno.log.replay.due_steps import AutomaticStepKind
from lanuno.log.replay.replay import open_payload
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Show
from lanuno.rules.engine.state import RoundPhase
from lanuno.table.outputs import StoreSeed
from lanuno.table.replica.hand_keys import Unsound
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.adversaries.lying_authors import OFF_CURVE
from tests.harness.log_table.boxes import seal
from tests.harness.log_table.challenges import challenged
from tests.harness.log_table.leaving import escrowing
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.log_table.moments import deciding, is_due
from tests.harness.log_table.moving_hands import moving

ME = 1


def no_entropy(count: int) -> bytes:
    raise AssertionError(f"{count} random bytes are drawn")


class Holder:
    """One seat's keys, which read the log of a table from its first entry.

    The seeds are those with which the table signs for the seat.
    """

    def __init__(self, source: LogTable, seat: int | None = ME) -> None:
        self.table = LogTable(source.genesis, source.choose)
        self.seat = seat
        self.seeds: dict[tuple[bytes, str], bytes] = {}
        self.keys = SeatKeys(self.table.replay, seat, no_entropy, self.seeds, seal)
        for entry in source.entries:
            happened = self.table.replay.follow(entry, trusted=True)
            self.table.entries.append(entry)
            self._read(happened)

    def add(self, author: int, payload: bodies.Payload) -> None:
        self._read(self.table.add(author, payload))

    def _read(self, happened: list[events.LogEvent]) -> None:
        for event in happened:
            if isinstance(event, events.RoundOpened) and self.seat is not None:
                opened = self.table.log.open_hash
                self.seeds[opened, "round"] = self.table.secrets(self.seat).seed
                self.seeds[opened, "view"] = self.table.view_secrets(self.seat).seed
            assert self.keys.open_new(event) is None


def opened(salt: int = 0) -> LogTable:
    """Return a table whose first round waits for commitments."""
    return new_table(3, salt=salt).run(lambda table: table.replay.round is not None)


def due(kind: AutomaticStepKind, number: int, seat: int = ME) -> LogTable:
    """Return a table at which a seat has to take an automatic step in round `number`."""
    return new_table(3).run(is_due(kind, number, seat))


# ---- seeds --------------------------------------------------------------------------------------


def test_a_commitment_comes_after_the_two_new_seeds_that_it_is_made_of() -> None:
    table = opened()
    seeds: dict[tuple[bytes, str], bytes] = {}
    first, second = table.secrets(ME).seed, table.view_secrets(ME).seed
    drawn = iter((first, second))
    keys = SeatKeys(table.replay, ME, lambda count: next(drawn), seeds, seal)
    assert not keys.has_secrets
    open_hash = table.log.open_hash
    stored, payload = keys.commit()
    assert stored == [
        StoreSeed(ME, open_hash, "round", first),
        StoreSeed(ME, open_hash, "view", second),
    ]
    assert payload == table.commit(ME)
    assert seeds == {(open_hash, "round"): first, (open_hash, "view"): second}
    assert keys.has_secrets


def test_a_second_commitment_in_a_round_is_the_first_one_again() -> None:
    table = opened()
    random = Random(1)
    keys = SeatKeys(table.replay, ME, random.randbytes, sealer=seal)
    _, first = keys.commit()
    state = random.getstate()
    assert keys.commit() == ([], first)
    assert random.getstate() == state, "nothing is drawn"


def test_a_restarted_program_commits_to_the_seeds_that_it_has_stored() -> None:
    table = opened()
    seeds: dict[tuple[bytes, str], bytes] = {}
    _, before = SeatKeys(table.replay, ME, Random(1).randbytes, seeds, seal).commit()
    again = SeatKeys(table.replay, ME, no_entropy, dict(seeds), seal)
    assert again.commit() == ([], before)


def test_a_seed_that_was_lost_is_replaced_and_stored() -> None:
    table = opened()
    seeds: dict[tuple[bytes, str], bytes] = {}
    SeatKeys(table.replay, ME, Random(1).randbytes, seeds, seal).commit()
    del seeds[table.log.open_hash, "view"]
    kept, _ = SeatKeys(table.replay, ME, lambda count: b"v" * count, seeds, seal).commit()
    assert kept == [StoreSeed(ME, table.log.open_hash, "view", b"v" * 32)]


def test_a_round_that_another_entry_opens_gets_other_seeds() -> None:
    """On a fork the same round is opened again. Seeds used on both would open the hands of both."""
    table = new_table(3)
    plan = table.replay.next_plan()
    assert plan is not None
    seeds: dict[tuple[bytes, str], bytes] = {}
    random = Random(1)
    commits: list[bodies.Payload] = []
    for ms in (0, 10):
        fork = table.fork()
        fork.replay.append(fork.signed(HOST, open_payload(plan)), ms, fork.host)
        stored, commit = SeatKeys(fork.replay, ME, random.randbytes, seeds, seal).commit()
        assert [type(each) for each in stored] == [StoreSeed, StoreSeed]
        commits.append(commit)
    assert len(set(seeds.values())) == 4
    one, two = commits
    assert isinstance(one, bodies.Commit)
    assert isinstance(two, bodies.Commit)
    assert one.seed != two.seed
    assert one.view != two.view
    assert one.view_key != two.view_key


def test_the_next_round_begins_without_the_secrets_of_the_last() -> None:
    holder = Holder(new_table(3).run(lambda table: table.replay.number == 1 and deciding(table)))
    assert holder.keys.readable()
    holder.keys.open_new(events.RoundOpened(2, holder.table.log.kind, (0, 1, 2), 0))
    assert not holder.keys.has_secrets
    assert holder.keys.readable() == {}


@pytest.mark.parametrize("lost", [None, "round", "view"])
def test_secrets_are_restored_only_from_both_seeds_of_the_round(lost: str | None) -> None:
    table = opened()
    seeds: dict[tuple[bytes, str], bytes] = {}
    SeatKeys(table.replay, ME, Random(1).randbytes, seeds, seal).commit()
    if lost is not None:
        del seeds[table.log.open_hash, lost]
    keys = SeatKeys(table.replay, ME, no_entropy, seeds, seal)
    keys.open_new(events.StepDone(0, "commit"))
    assert not keys.has_secrets, "another seat has committed"
    keys.open_new(events.StepDone(ME, "commit"))
    assert keys.has_secrets == (lost is None)


def test_a_spectator_has_no_secrets_and_reads_no_card() -> None:
    holder = Holder(new_table(3).run(lambda table: table.replay.number == 1 and deciding(table)))
    eve = Holder(holder.table, None)
    assert not eve.keys.has_secrets
    assert eve.keys.readable() == {}


def test_the_repr_shows_no_secret() -> None:
    assert repr(Holder(opened()).keys) == "SeatKeys(seat 1, <secret>)"


# ---- shares -------------------------------------------------------------------------------------


def test_every_receiver_can_read_its_own_share_and_no_other() -> None:
    holder = Holder(escrowing())
    table = holder.table
    payload = holder.keys.escrow()
    assert isinstance(payload, bodies.Escrow)
    holder.add(ME, payload)
    receivers = table.log.share_receivers(ME)
    assert receivers == (0, 2, 3, 4)
    for to in receivers:
        private = table.view_secrets(to).box_private(ME)
        assert table.log.read_share(ME, to, private) is not None
        others = [other for other in receivers if other != to]
        assert [table.log.read_share(ME, other, private) for other in others] == [None] * 3


def with_wrong_share(giver: int, to: int) -> LogTable:
    """Return a table at which a seat has sealed 32 zero bytes as the share of one receiver."""
    table = escrowing()
    for other in range(5):
        escrow = table.escrow(other)
        if other == giver:
            log = table.log
            info = seal_info(log.table_id, log.open_hash, giver, to, "escrow")
            sealed = list(escrow.sealed)
            place = log.share_receivers(giver).index(to)
            sealed[place] = seal(bytes(32), log.box_of(to, giver), info)
            escrow = bodies.Escrow(tuple(sealed), escrow.hashes)
        table.add(other, escrow)
    return table


def test_a_complaint_publishes_the_key_of_the_wrong_share_and_of_no_other() -> None:
    holder = Holder(with_wrong_share(giver=3, to=ME))
    log = holder.table.log
    complaint = holder.keys.complaint()
    assert isinstance(complaint, bodies.Complain)
    assert complaint.of == 3
    assert box_public(complaint.box_private) == log.box_of(ME, 3)
    for giver in (0, 2, 4):
        assert log.read_share(giver, ME, complaint.box_private) is None
    assert holder.keys.share(3) == complaint, "instead of the wrong share"
    assert holder.keys.share(4) == holder.table.share(ME, 4)


def test_a_seat_with_right_shares_has_no_complaint() -> None:
    assert Holder(with_wrong_share(giver=3, to=2)).keys.complaint() is None


def test_a_seat_that_has_masked_complains_no_more() -> None:
    holder = Holder(with_wrong_share(giver=3, to=ME))
    for seat in (0, ME):
        holder.add(seat, holder.table.take_pass(seat))
    assert holder.keys.complaint() is None


# ---- the shuffle --------------------------------------------------------------------------------


def test_a_pass_that_is_computed_again_is_the_same() -> None:
    holder = Holder(due(AutomaticStepKind.PASS, 1))
    keys = holder.keys
    first = keys.pass_payload(keys.pass_work()())
    assert first == keys.pass_payload(keys.pass_work()())
    assert first == holder.table.take_pass(ME)


def test_passes_of_different_lists_have_no_point_and_no_key_in_common() -> None:
    """Two masks with one scalar and one permutation would show where every card went."""
    source = due(AutomaticStepKind.PASS, 1).fork()
    before = source.fork(-1)
    honest = before.take_pass(0)
    size = before.log.deals[0].size
    points = unpack(honest.points, size)
    shifted = b"".join([*points[1:], points[0]])
    before.add(0, bodies.Pass(honest.deal, honest.step, shifted, honest.keys))
    passes = []
    for table in (source, before):
        keys = Holder(table).keys
        made = keys.pass_payload(keys.pass_work()())
        assert isinstance(made, bodies.Pass)
        passes.append(made)
    one, two = passes
    assert not set(unpack(one.points, size)) & set(unpack(two.points, size))
    assert one.keys != two.keys


def test_points_off_the_curve_are_the_fault_of_the_seat_that_published_them() -> None:
    table = due(AutomaticStepKind.PASS, 1, seat=0)
    honest = table.take_pass(0)
    table.add(0, bodies.Pass(honest.deal, honest.step, OFF_CURVE + honest.points[33:], honest.keys))
    assert Holder(table).keys.pass_work()() == Unsound(HaltReason.BAD_POINTS, 0)


# ---- keys of slots ------------------------------------------------------------------------------


def test_an_unlock_has_the_keys_of_the_requested_needs_and_of_no_other() -> None:
    holder = Holder(due(AutomaticStepKind.UNLOCK, 1))
    log = holder.table.log
    owed = [need for need in log.needs.values() if ME in need.waiting]
    assert len(owed) > 1
    [listed] = holder.keys.unlock([owed[0].number])
    assert listed.need == owed[0].number
    found = [listed.keys[at : at + 32] for at in range(0, len(listed.keys), 32)]
    assert [public_key(parse_scalar(key)) for key in found] == [
        log.slots.public_key(ME, slot) for slot in owed[0].slots
    ]
    both = holder.keys.unlock([need.number for need in owed])
    assert [each.need for each in both] == [need.number for need in owed]
    assert both[0] == listed


def test_a_challenged_hand_is_sealed_to_the_challenger() -> None:
    table = challenged(RoundPhase.SHOW)
    holder = Holder(table, table.engine.accused)
    sealed = holder.keys.show()
    assert sealed == table.show()
    reader = Holder(table, table.engine.challenger)
    decision = table.engine.decision
    reader.add(table.engine.accused, bodies.Act(decision, Show(), sealed))
    assert reader.keys.opened(table.engine.accused_hand)


def test_an_opened_hand_has_the_last_keys_of_its_slots_in_order() -> None:
    table = challenged(RoundPhase.OPEN_HAND)
    accused = table.engine.accused
    holder = Holder(table, accused)
    content = holder.keys.open_hand()
    hand = table.engine.accused_hand
    assert content == b"".join(holder.keys.own_key(slot) for slot in hand)
    for place, slot in enumerate(hand):
        key = parse_scalar(content[32 * place : 32 * place + 32])
        assert public_key(key) == table.log.slots.public_key(accused, slot)


def test_a_given_hand_is_sealed_to_its_new_owner_alone() -> None:
    table = moving(Rank.SEVEN)
    for move in table.log.moves.values():
        assert Holder(table, move.seat).keys.hand_over(move.number) == table.hand_over(move.number)


# ---- the end of a round -------------------------------------------------------------------------


def test_a_reveal_publishes_the_seeds_to_which_the_seat_committed() -> None:
    table = due(AutomaticStepKind.REVEAL, 0)
    holder = Holder(table)
    holder.add(ME, holder.keys.reveal())
    assert holder.table.log.revealed(ME) is not None


def test_the_audit_of_an_honest_round_blames_nobody() -> None:
    table = due(AutomaticStepKind.ATTEST, 0)
    assert table.log.phase is ProtocolPhase.ATTEST
    report = Holder(table).keys.audit_work()()
    assert getattr(report, "blamed", None) == ()
