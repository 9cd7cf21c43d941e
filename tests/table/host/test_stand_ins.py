"""Stand-ins: which seat a bot of the host takes, what is stored before it signs, and who plays."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from lanuno.dealing.identity import Identity
from lanuno.log.faults import RefusalReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason, Payload
from lanuno.log.format.entries import Entry
from lanuno.log.replay.due_steps import automatic_steps
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import messages
from lanuno.table.host.clocks import Clocks, Pace
from lanuno.table.host.finality import Finality
from lanuno.table.host.role import HostRole
from lanuno.table.host.stand_ins import StandIns, empty_seat
from lanuno.table.outputs import OWN, AppendEntry, CloseLink, HostOutput, Output, StoreStandIn
from lanuno.table.recovery import RecoveredState
from lanuno.table.replica.seat import SeatSession
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.simulated_lobby import sent_to_peers
from tests.harness.log_table.elections import elect
from tests.harness.log_table.filling import fill_in_payload, incomplete_pairs, take_seat_back
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import SHORT, LogTable, identity, new_table
from tests.harness.log_table.moments import playing

BOTS = {4: 0, 5: 0}


def entropy(count: int) -> bytes:
    return b"e" * count


def seat_of_bot(seed: bytes = b"e" * 32) -> bytes:
    return Identity.from_seed(seed).public


@pytest.fixture(scope="module")
def waiting() -> LogTable:
    """Return a table of two pairs, one of which has lost a player."""
    return incomplete_pairs()


def session_of(table: LogTable, seat: int = 0) -> SeatSession:
    """Return the session of an owner that has received everything."""
    session = one_seat(table.genesis, identity(seat), entropy)
    session.replica.connected()
    session.replica.receive(messages.Entries(0, tuple(table.entries)))
    session.replica.certified(len(table.entries))
    return session


# ---- which seat ------------------------------------------------------------------------------


def test_a_chair_is_empty_only_between_rounds_and_where_partners_need_it(
    waiting: LogTable,
) -> None:
    assert empty_seat(waiting.replay) == 3
    table = waiting.fork()
    table.add(HOST, fill_in_payload(table, 3))
    assert empty_seat(table.replay) is None, "it is filled"
    running = new_table(4, PAIRS).run(playing)
    running.drop(3)
    assert empty_seat(running.replay) is None, "this round is not over"
    alone = new_table(4, SHORT)
    alone.drop(3)
    assert empty_seat(alone.replay) is None, "the others play without"
    given_up = new_table(4, PAIRS, bots={2: 0, 3: 1})
    given_up.drop(1)
    assert empty_seat(given_up.replay) is None, "of two, the other has won"


def test_the_seats_of_ones_own_node_are_not_filled() -> None:
    """The former host is host again, and its bots have not announced their return yet."""
    table = new_table(6, PAIRS, bots=BOTS).run(playing)
    elect(table, 1, 1, 1, 2, 3)
    table.drop(0)
    table.run(lambda each: each.replay.between_rounds)
    assert empty_seat(table.replay) == 0
    take_seat_back(table, 0)
    assert empty_seat(table.replay) == 4
    elect(table, 0, 2, 0, 2, 3)
    assert empty_seat(table.replay) is None
    for bot in BOTS:
        take_seat_back(table, bot)
    assert table.replay.next_plan() is not None


# ---- the bot ----------------------------------------------------------------------------------


def test_its_key_is_kept_before_it_signs_and_only_once(waiting: LogTable) -> None:
    table = waiting.fork()
    stand_ins = StandIns(entropy)
    filled = stand_ins.fill(table.replay)
    assert filled is not None
    keep, fill_in = filled
    assert keep == [StoreStandIn(3, entropy(32))]
    assert fill_in.identity == seat_of_bot()
    assert stand_ins.fill(table.replay) == ([], fill_in), "the same key for good"
    assert "eee" not in repr((keep, stand_ins))
    table.add(HOST, fill_in)
    assert table.replay.owner_of(3) == 0
    assert stand_ins.fill(table.replay) is None


def test_a_program_that_starts_again_has_the_same_bot(waiting: LogTable) -> None:
    recovered = RecoveredState(waiting.genesis, (), {}, stand_ins={3: identity(77)})
    stand_ins = StandIns(entropy, recovered)
    filled = stand_ins.fill(waiting.replay)
    assert filled is not None
    assert (filled[0], filled[1].identity) == ([], identity(77).public)


def test_it_sits_down_once_the_log_says_so_where_its_owner_stands(waiting: LogTable) -> None:
    table = waiting.fork()
    stand_ins = StandIns(entropy)
    filled = stand_ins.fill(table.replay)
    assert filled is not None
    assert stand_ins.newly_seated(session_of(table).replica) == []
    table.add(HOST, filled[1])
    first = session_of(table)
    [bot] = stand_ins.newly_seated(first.replica)
    assert (bot.seat, bot.replica) == (3, first.replica)
    assert stand_ins.newly_seated(first.replica) == [], "it sits"


# ---- the host role ----------------------------------------------------------------------------


class Hosted:
    """A host role at a table of three players and an empty seat; entries are final immediately."""

    def __init__(self, table: LogTable, *, fills: bool = True) -> None:
        self.table = table
        self.now = 100.0
        self.stand_ins = StandIns(entropy) if fills else None
        self.host_role = HostRole(
            table.replay, table.entries, identity(0), self.now, stand_ins=self.stand_ins
        )
        for owner in table.replay.absence.present_owners:
            self.host_role.attach(owner, owner, table.replay.seq, self.now)
        self.out = self.final(self.host_role.begin(self.now))

    def final(self, out: Sequence[HostOutput]) -> Sequence[HostOutput]:
        """Acknowledge all new entries for every owner."""
        count = -1
        while count != self.host_role.replay.seq and self.host_role.replay.closed is None:
            count = self.host_role.replay.seq
            for owner in self.host_role.replay.absence.present_owners:
                out = [*out, *self.host_role.acknowledge(owner, count, self.now)]
        return out

    def said(self, out: Sequence[Output]) -> list[Payload]:
        kept = [each.entry for each in out if isinstance(each, AppendEntry)]
        return [payload_of(entry) for entry in kept]

    def wait(self, seconds: float) -> Sequence[HostOutput]:
        self.now += seconds
        return self.host_role.tick(self.now)

    def submit(self, peer: int, signed: bodies.SignedBody) -> Sequence[HostOutput]:
        return self.host_role.receive(peer, messages.Submit(signed), self.now)


def payload_of(entry: Entry) -> Payload:
    return entry.read().signed_body.read().payload


def test_the_host_seats_a_stand_in_and_opens_the_next_round(waiting: LogTable) -> None:
    at = Hosted(waiting.fork())
    kinds = [type(each) for each in at.out if isinstance(each, StoreStandIn | AppendEntry)]
    assert kinds == [StoreStandIn, AppendEntry, AppendEntry]
    assert [type(each) for each in at.said(at.out)] == [bodies.FillIn, bodies.Open]


def test_without_bots_it_waits_for_the_owner_that_left(waiting: LogTable) -> None:
    at = Hosted(waiting.fork(), fills=False)
    assert at.said(at.out) == []
    patience = at.host_role.replay.roster.ruleset.grace_total_s
    assert at.said(at.wait(patience - 1.0)) == []
    [close] = at.said(at.wait(2.0))
    assert isinstance(close, bodies.Close)
    assert close.reason is CloseReason.INCOMPLETE


def test_the_host_accepts_only_a_return_from_a_replaced_player(waiting: LogTable) -> None:
    """A body that the leaver signed before it got the news is no attack."""
    at = Hosted(waiting.fork())
    table = at.table
    at.host_role.attach(9, 3, table.replay.seq, at.now)
    late = table.signed(3, table.commit(3), by=identity(3))
    out = at.submit(9, late)
    assert [each.refusal for each in sent_to_peers(out, messages.BodyRefusal)] == ["not-a-seat"]
    assert not [each for each in out if isinstance(each, CloseLink)]
    back = at.submit(9, table.signed(3, bodies.Return(), by=identity(3)))
    assert at.said(back) == [bodies.Return()]
    assert at.host_role.replay.absence.filled == {3: 0}
    # The bot's own body counts as before, and only from its owner's node.
    bot = Identity.from_seed(entropy(32))
    said = table.signed(3, table.commit(3), by=bot)
    assert sent_to_peers(at.submit(9, said), messages.BodyRefusal)
    assert [type(each) for each in at.said(at.submit(0, said))] == [bodies.Commit]


def test_bots_return_with_their_owner_but_a_leave_waits_until_that_is_final(
    waiting: LogTable,
) -> None:
    """An owner repeats its return, and its bots return with it."""
    table = new_table(6, PAIRS, bots=BOTS).run(playing)
    elect(table, 1, 1, 1, 2, 3)
    table.drop(0)
    table.run(lambda each: each.replay.between_rounds)
    host_role = HostRole(table.replay, table.entries, identity(1), 0.0)
    for owner in range(4):
        host_role.attach(owner, owner, table.replay.seq, 0.0)
    host_role.begin(0.0)
    for owner in (1, 2):
        host_role.acknowledge(owner, table.replay.seq, 0.0)
    for seat in (0, *BOTS):
        signed = table.signed(seat, bodies.Return())
        assert not sent_to_peers(
            host_role.receive(0, messages.Submit(signed), 0.0), messages.BodyRefusal
        )
    assert table.replay.dropped == {}
    signed = table.signed(2, bodies.Leave())
    [refused] = sent_to_peers(
        host_role.receive(2, messages.Submit(signed), 0.0), messages.BodyRefusal
    )
    assert refused.refusal == RefusalReason.UNKNOWN_HEAD.value


def test_a_player_who_is_lost_again_is_awaited_only_after_regaining_the_seat(
    waiting: LogTable,
) -> None:
    at = Hosted(waiting.fork())
    table = at.table
    at.host_role.attach(9, 3, table.replay.seq, at.now)
    at.submit(9, table.signed(3, bodies.Return(), by=identity(3)))
    at.final([])
    gone = at.host_role.link_down(9, at.now)
    assert not sent_to_peers(gone, messages.Waiting), "a bot plays there now"
    table.identities[3] = Identity.from_seed(entropy(32))
    out: Sequence[HostOutput] = []
    while at.host_role.replay.absence.filled:
        out = step(at)
    assert [each.seats for each in sent_to_peers(out, messages.Waiting, 1)][-1] == (3,)
    for _ in range(200):
        if 3 in at.host_role.replay.dropped:
            break
        at.wait(1.0)
    assert at.host_role.replay.dropped == {3: DropReason.LOST}


def step(at: Hosted) -> Sequence[HostOutput]:
    """Let a seat do its due automatic step, or let the decider act."""
    table = at.table
    owed = automatic_steps(table.replay)
    if owed:
        seat, payload = owed[0].seat, table.payload_for(owed[0])
    else:
        decider = table.engine.decider
        assert decider is not None
        acts = table.engine.legal(decider, table.cards(decider))
        seat, payload = decider, table.act(decider, table.choose(table, decider, tuple(acts)))
    at.now += 0.1
    owner = table.replay.owner_of(seat)
    return at.final(at.submit(owner, table.signed(seat, payload)))


def test_a_host_takes_its_own_node_for_no_attacker(waiting: LogTable) -> None:
    """A host that excluded its own node could not continue."""
    table = waiting.fork()
    host_role = HostRole(table.replay, table.entries, identity(0), 0.0)
    for peer, owner in ((OWN, 0), (1, 1), (2, 2)):
        host_role.attach(peer, owner, table.replay.seq, 0.0)
    host_role.begin(0.0)
    nonsense = messages.Submit(bodies.SignedBody(b"nonsense", bytes(64)))
    out = host_role.receive(OWN, nonsense, 1.0)
    assert sent_to_peers(out, messages.BodyRefusal)
    assert not [each for each in out if isinstance(each, CloseLink)]
    assert host_role.has_subscriber(OWN)


# ---- clocks -----------------------------------------------------------------------------------


def test_a_match_that_waits_for_a_partner_waits_no_shorter_for_an_outage(
    waiting: LogTable,
) -> None:
    """Without a bot for the seat, the match ends when the grace time of one player is over."""
    table = waiting.fork()
    patience = float(table.replay.roster.ruleset.grace_total_s)
    host_role = HostRole(table.replay, table.entries, identity(0), 0.0)

    def all_are_there(now: float) -> None:
        for peer, owner in ((OWN, 0), (1, 1), (2, 2)):
            host_role.attach(peer, owner, table.replay.seq, now)
            host_role.acknowledge(owner, table.replay.seq, now)

    def stands_at() -> tuple[bool, float | None]:
        return host_role.no_quorum, host_role.deadline

    all_are_there(0.0)
    host_role.begin(0.0)
    all_are_there(0.0)
    assert stands_at() == (False, patience)
    for peer in (1, 2):
        host_role.link_down(peer, patience / 2)
    assert stands_at() == (True, None)
    host_role.tick(10 * patience)
    all_are_there(10 * patience)
    assert stands_at() == (False, 10.5 * patience)
    host_role.tick(10.5 * patience - 0.1)
    assert host_role.replay.closed is None
    host_role.tick(10.5 * patience)
    assert host_role.replay.closed is CloseReason.INCOMPLETE


def _without_stand_ins(table: LogTable) -> HostRole:
    """Return a host role that waits for a partner since 0 s, with every entry final."""
    host_role = HostRole(table.replay, table.entries, identity(0), 0.0)
    for peer, owner in ((OWN, 0), (1, 1), (2, 2)):
        host_role.attach(peer, owner, table.replay.seq, 0.0)
    host_role.begin(0.0)
    _acknowledge(host_role, 0.0)
    return host_role


def _acknowledge(host_role: HostRole, now: float) -> None:
    for owner in (0, 1, 2):
        host_role.acknowledge(owner, host_role.replay.seq, now)


def test_a_partner_that_is_back_begins_a_new_wait(waiting: LogTable) -> None:
    """The next round waits for another player, and the first wait no longer ends the match."""
    table = waiting.fork()
    host_role = _without_stand_ins(table)
    patience = float(table.replay.roster.ruleset.grace_total_s)
    host_role.link_down(2, patience - 10.0)
    host_role.attach(9, 3, table.replay.seq, patience - 5.0)
    back = table.signed(3, bodies.Return(), by=identity(3))
    host_role.receive(9, messages.Submit(back), patience - 5.0)
    _acknowledge(host_role, patience - 5.0)
    host_role.tick(patience + 1.0)
    assert host_role.deadline is not None
    assert host_role.deadline > patience + 1.0, (
        "else the program does nothing but look at its clock"
    )
    leaves = table.signed(3, bodies.Leave(), by=identity(3))
    host_role.receive(9, messages.Submit(leaves), patience + 2.0)
    for owner in (0, 1, 3):
        host_role.acknowledge(owner, table.replay.seq, patience + 2.0)
    assert table.replay.next_plan() is None
    assert host_role.replay.closed is None


def test_a_wait_for_a_partner_ends_only_once_all_entries_are_final(waiting: LogTable) -> None:
    table = waiting.fork()
    host_role = _without_stand_ins(table)
    patience = float(table.replay.roster.ruleset.grace_total_s)
    listens = messages.Submit(table.signed(2, bodies.Listen(4711)))
    host_role.receive(2, listens, patience - 1.0)
    host_role.tick(patience + 1.0)
    assert host_role.deadline == patience - 1.0 + Pace().step
    _acknowledge(host_role, patience + 2.0)
    assert host_role.replay.closed is CloseReason.INCOMPLETE


def _handing_over(table: LogTable) -> HostRole:
    """Return a host that hands over while one guest is silent and another is missing."""
    host_role = _without_stand_ins(table)
    host_role.link_down(2, 1.0)
    listens = messages.Submit(table.signed(1, bodies.Listen(4711)))
    host_role.receive(1, listens, 1.0)
    host_role.transfer(2.0)
    return host_role


def test_a_host_that_hands_over_waits_for_no_clock(waiting: LogTable) -> None:
    """No clock keeps the program busy meanwhile."""
    host_role = _handing_over(waiting.fork())
    for now in (2.0, 70.0, 500.0):
        host_role.tick(now)
        assert (host_role.transferred_to, host_role.deadline) == (None, None)
    _acknowledge(host_role, 501.0)
    assert host_role.transferred_to == (1, 1)


@pytest.mark.parametrize("stopped", [False, True])
def test_a_host_that_hands_over_closes_the_table_once_nobody_is_left(
    waiting: LogTable, stopped: bool
) -> None:
    host_role = _handing_over(waiting.fork())
    if stopped:
        host_role.stop(2.5)
    assert (host_role.replay.closed, host_role.transferred_to) == (None, None)
    host_role.link_down(1, 3.0)
    assert (host_role.replay.closed, host_role.transferred_to) == (CloseReason.STOPPED, None)


def test_a_bot_that_fills_in_is_waited_for_like_all_others(waiting: LogTable) -> None:
    table = waiting.fork()
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = identity(77)
    table.run(playing)
    final = Finality(table.replay)
    for owner in table.replay.owners:
        final.acknowledge(owner, table.replay.seq)
    clocks = Clocks(table.replay, Pace(), final)
    clocks.update(0.0)
    clocks.lost(3, 10.0)
    assert clocks.waiting(10.0) is not None
    clocks.returned(3, 30.0)
    elect(table, 1, 1, 1, 2)
    table.drop(0)
    for owner in table.replay.owners:
        final.acknowledge(owner, table.replay.seq)
    clocks.lost(3, 40.0)
    clocks.update(40.0)
    assert clocks.waiting(40.0) == ((), 0), "nobody plays there"
    assert clocks.gone(10**6) is None


def test_a_bot_has_a_grace_time_of_its_own(waiting: LogTable) -> None:
    table = waiting.fork()
    final = Finality(table.replay)
    clocks = Clocks(table.replay, Pace(), final)
    rules = table.replay.roster.ruleset
    table.add(HOST, fill_in_payload(table, 3))
    first = float(rules.grace_first_s)
    for start in (0.0, 100.0, 200.0):
        clocks.lost(3, start)
        clocks.returned(3, start + first)
    clocks.lost(3, 1000.0)
    assert clocks.gone(1000.0) == (3, DropReason.LOST), "it has none left"
    take_seat_back(table)
    clocks.update(1000.0)
    assert clocks.gone(10**6) is None, "who sits there now was not missed"
    clocks.lost(3, 1000.0)
    assert clocks.gone(1000.0 + first - 0.1) is None
    assert clocks.gone(1000.0 + first) == (3, DropReason.LOST)


def test_a_player_back_in_the_seat_is_present_although_the_owner_of_its_bot_is_not(
    waiting: LogTable,
) -> None:
    """The former host has attested for both of its seats when its node disappears.

    The bot's player comes back, the round ends, and the player has the seat again. The new host,
    which has missed the bot, does not treat the player as missing.
    """
    table = waiting.fork()
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = identity(77)
    table.run(lambda each: each.log.phase is ProtocolPhase.ATTEST)
    for seat in (0, 3):
        table.add(seat, table.attest(seat))
    elect(table, 1, 1, 1, 2)
    host_role = HostRole(table.replay, table.entries, identity(1), 0.0)
    for owner in (1, 2, 9):
        host_role.attach(owner, 3 if owner == 9 else owner, table.replay.seq, 0.0)
    host_role.begin(0.0)

    def final(now: float) -> None:
        for owner in (1, 2, 3):
            host_role.acknowledge(owner, host_role.replay.seq, now)

    final(1.0)
    host_role.receive(9, messages.Submit(table.signed(3, bodies.Return(), by=identity(3))), 1.0)
    final(1.0)
    for seat in (1, 2):
        host_role.receive(seat, messages.Submit(table.signed(seat, table.attest(seat))), 2.0)
        final(2.0)
    table.identities[3] = identity(3)
    assert host_role.replay.roster == host_role.replay.genesis.read()
    for later in range(120):
        host_role.tick(3.0 + later)
        final(3.0 + later)
        while owed := [each for each in automatic_steps(host_role.replay) if each.seat != 0]:
            seat = owed[0].seat
            said = messages.Submit(table.signed(seat, table.payload_for(owed[0])))
            host_role.receive(9 if seat == 3 else seat, said, 3.0 + later)
            final(3.0 + later)
    assert host_role.replay.dropped == {0: DropReason.LOST}
