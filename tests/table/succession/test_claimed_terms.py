"""Claims that another node is the host are believed only once they are proven."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, sign_body
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.votes import SignedVote, sign_vote
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import budget, inputs, messages
from lanuno.table import node as node_module
from lanuno.table.links import MOST_STRANGERS
from lanuno.table.log_pages import page_size
from lanuno.table.messages import PAGE_BYTES, AtTable, LogPage
from lanuno.table.outputs import CloseLink, HostingChanged, SeatsAwaited, Send
from lanuno.table.succession.claimed_terms import LOOK_SECONDS, MOST_PAGES, ClaimedTerms
from lanuno.table.succession.fork_choice import BetterFork, LocalLog, ReadFrom, _Branch
from tests.harness.adversaries.false_claims import (
    FalseClaim,
    FalseClaimant,
    FalseHost,
    connect_to_all,
    false_rejoin,
    keep_claiming,
    vote_for_itself,
)
from tests.harness.host_and_seats.acknowledging import acknowledged_by_all
from tests.harness.log_table.replaying import replayed
from tests.harness.node_world.watched_world import (
    events_of,
    finish,
    hosts_of,
    in_phase,
    started_world,
    until,
)
from tests.harness.node_world.world import SimulatedNode, World


def _anothers(world: World, liar: SimulatedNode) -> AtTable:
    vote = vote_for_itself(world.nodes[1], liar, 9)
    return false_rejoin(world, liar, promised=9, vote=vote)


def _of_another_table(world: World, liar: SimulatedNode) -> AtTable:
    vote = replace(vote_for_itself(liar, liar, 9).read(), table=bytes(32))
    return false_rejoin(world, liar, promised=9, vote=sign_vote(vote, liar.config.identities[0]))


LIES: dict[str, FalseClaim] = {
    "a later log": lambda world, liar: false_rejoin(world, liar, term=3),
    "a promise without a vote": lambda world, liar: false_rejoin(world, liar, promised=9),
    "a vote that somebody else signed": _anothers,
    "a vote at another table": _of_another_table,
    "no vote at all": lambda world, liar: false_rejoin(
        world, liar, promised=9, vote=SignedVote(b"?", bytes(64))
    ),
    "an old vote": lambda world, liar: false_rejoin(
        world, liar, promised=9, vote=vote_for_itself(liar, liar, 0)
    ),
    "a vote of a term far away": lambda world, liar: false_rejoin(
        world, liar, promised=5000, vote=vote_for_itself(liar, liar, 5000)
    ),
    "itself the host": lambda world, liar: messages.HostIs(4, liar.number),
    "somebody else the host": lambda world, liar: messages.HostIs(4, 1),
}


def test_a_host_that_has_not_shown_its_votes_makes_no_entry_final() -> None:
    """A node without a host follows the first claimant, but still checks its votes."""
    world = started_world(3)
    guest = world.nodes[1]
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    node, log = guest.running, guest.running.replay
    assert node.host_link is not None
    node.step(inputs.LinkDown(node.host_link), world.now)
    node.step(inputs.LinkUp(99, 2), world.now)
    node.step(inputs.MessageReceived(99, messages.HostIs(log.term + 1, 2)), world.now)
    assert node.host_link == 99
    final = node.replica.final_count
    identities = [each.config.identities[0] for each in world.nodes]
    said = acknowledged_by_all(log, identities)
    node.step(inputs.MessageReceived(99, said), world.now)
    assert node.certified == log.seq > final
    node.step(inputs.MessageReceived(99, messages.Entries(log.seq, ())), world.now)
    node.step(inputs.MessageReceived(99, messages.Waiting((-100, 77), 5)), world.now)
    assert not node.replica.caught_up
    assert node.replica.final_count == final


@pytest.mark.parametrize("name", LIES)
def test_a_claim_without_proof_changes_no_host(name: str) -> None:
    world = started_world(4)
    world.trace = []
    liar = world.nodes[3]
    liar.adversary = FalseClaimant()
    until(world, in_phase(liar, ProtocolPhase.PLAY))
    connect_to_all(world, liar)
    world.trace.clear()
    keep_claiming(world, liar, LIES[name])
    # The liar itself may fall behind: a repeated hello asks for the missed entries.
    assert finish(world, 0, 1, 2, behind=(3,)) is CloseReason.STOPPED
    assert hosts_of(world) == [0]
    assert not events_of(world, events.HostElected, 1)
    assert not [line for line in world.trace if HostingChanged.__name__ in line], (
        "the host has stepped down"
    )
    given_up = [line for line in world.trace if f"{SeatsAwaited.__name__}(seats=(0,)" in line]
    assert given_up == [], "somebody has left the host"


def _cut_short(copy: LogPage) -> LogPage:
    return replace(copy, entries=copy.entries[:-1])


def _signed_by_nobody(copy: LogPage) -> LogPage:
    return replace(copy, entries=tuple(replace(each, signature=bytes(64)) for each in copy.entries))


def _from_the_start(copy: LogPage) -> LogPage:
    return replace(copy, first=0)


@pytest.mark.parametrize("shows", [_cut_short, _signed_by_nobody, _from_the_start])
def test_a_log_without_a_later_term_moves_no_node(shows: Callable[[LogPage], LogPage]) -> None:
    world = started_world(4)
    liar = world.nodes[3]
    liar.adversary = adversary = FalseClaimant(shows)
    until(world, in_phase(liar, ProtocolPhase.PLAY))
    keep_claiming(world, liar, LIES["itself the host"])
    assert finish(world, 0, 1, 2) is CloseReason.STOPPED
    assert adversary.shown
    assert hosts_of(world) == [0]


def test_a_true_promise_brings_about_one_election_and_not_one_after_the_other() -> None:
    world = started_world(4)
    liar = world.nodes[3]
    until(world, in_phase(liar, ProtocolPhase.PLAY))

    def promised(world: World, liar: SimulatedNode) -> AtTable:
        term = liar.running.replay.term + 1
        return false_rejoin(world, liar, promised=term, vote=vote_for_itself(liar, liar, term))

    keep_claiming(world, liar, promised, every=0.3)
    before = world.now
    until(world, lambda: world.now > before + 15)
    assert len(events_of(world, events.HostElected, 1)) == 1
    finish(world, 0, 1, 2)  # the liar itself may fall behind


def test_an_old_host_believes_a_guest_who_shows_that_another_was_elected_and_is_gone() -> None:
    world = started_world(3)
    old = world.nodes[0]
    until(world, in_phase(old, ProtocolPhase.PLAY))
    for other in world.nodes[1:]:
        world.block(old, other)
    until(world, lambda: any(number > 0 for number in hosts_of(world)))
    elected = next(number for number in hosts_of(world) if number > 0)
    left = 3 - elected
    until(world, lambda: world.nodes[left].running.replay.term == 1)
    world.crash(world.nodes[elected])
    assert old.running.hosts
    world.unblock_all()
    finish(world, 0, left)
    assert old.running.replay.term >= 2


def test_a_guest_of_an_old_host_follows_the_new_one_when_it_can_show_its_votes() -> None:
    world = started_world(5)
    old, behind = world.nodes[:2]
    until(world, in_phase(old, ProtocolPhase.PLAY))
    for one in (old, behind):
        for other in world.nodes[2:]:
            world.block(one, other)
    until(world, lambda: any(number > 1 for number in hosts_of(world)))
    new = world.nodes[next(number for number in hosts_of(world) if number > 1)]
    assert behind.running.in_contact
    # Only between these two: nobody who knows better can tell the old host.
    world.blocked.discard(frozenset((behind.number, new.number)))
    world._connect(new, behind)
    until(world, lambda: behind.running.replay.term == 1)
    assert old.running.hosts
    world.unblock_all()
    finish(world)
    assert hosts_of(world) == [new.number]


@pytest.mark.parametrize("copies", [False, True])
def test_nobody_waits_long_for_somebody_who_only_says_that_it_was_elected(copies: bool) -> None:
    world = started_world(5)
    liar = world.nodes[4]
    liar.adversary = adversary = FalseHost(world)
    until(world, in_phase(liar, ProtocolPhase.PLAY))
    connect_to_all(world, liar)
    adversary.on = True
    world.crash(world.nodes[0])

    def lie(world: World, liar: SimulatedNode) -> AtTable:
        if copies and liar.running.replay.seq % 2:
            return messages.LogPage(0, tuple(liar.running.replica.entries))
        return messages.HostIs(liar.running.replay.term + 1, liar.number)

    keep_claiming(world, liar, lie, every=0.5)
    before = world.now
    until(world, lambda: any(number in (1, 2, 3) for number in hosts_of(world)))
    assert world.now < before + 25
    finish(world, 1, 2, 3)


def test_a_guest_ignores_an_impossible_host_and_the_word_of_a_spectator() -> None:
    world = started_world(3, bots=1)
    guest, watching = world.nodes[1], 99
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    for other in (world.nodes[0], world.nodes[2]):
        world.block(guest, other)
    until(world, lambda: not guest.running.in_contact)
    node, now = guest.running, world.now
    node.step(inputs.LinkUp(77, 2), now)
    node.step(inputs.LinkUp(watching, None), now)
    for link, host in ((77, 3), (77, 4), (77, 9), (watching, 2), (watching, 0)):
        assert node.step(inputs.MessageReceived(link, messages.HostIs(3, host)), now) == []
    assert not node.in_contact
    out = node.step(inputs.MessageReceived(77, messages.HostIs(3, 2)), now)
    assert [each for each in out if isinstance(each, Send)]


def _old_ones(copy: LogPage) -> LogPage:
    """Return entries that the host did sign, but for another place."""
    return replace(copy, entries=(*copy.entries[3:], *copy.entries[:3]))


def _with_an_old_one(copy: LogPage) -> LogPage:
    return replace(copy, entries=(*copy.entries[:2], copy.entries[0]))


@pytest.mark.parametrize("shows", [_signed_by_nobody, _from_the_start, _old_ones, _with_an_old_one])
def test_a_host_of_two_is_not_stopped_by_an_entry_that_it_never_signed(
    shows: Callable[[LogPage], LogPage],
) -> None:
    world = started_world(2)
    host, liar = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    adversary = FalseClaimant(lambda copy: shows(copy) if adversary.shown < 4 else copy)
    liar.adversary = adversary
    world.crash(host)
    del host.disk.entries[-6:]
    world.restart(host)
    assert finish(world) is CloseReason.STOPPED
    assert adversary.shown >= 2
    assert host.stopped is None


@pytest.mark.parametrize("seed", range(4))
def test_with_two_owners_no_honest_host_is_convicted(seed: int) -> None:
    """The host loses power in between, and the other owner understates what it holds."""
    world = started_world(2, seed)
    host, liar = world.nodes
    world.chance.seed(seed)
    until(world, lambda: len(host.disk.entries) > 20 + 3 * seed)
    told = list(liar.disk.entries)
    world.crash(host, power=True)
    assert told == host.disk.entries[: len(told)], "it was told of something that can be lost"
    held = len(host.disk.entries)

    class Poor(FalseClaimant):
        def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
            if isinstance(message, messages.Rejoin) and message.count > held - 5:
                entry = node.running.replay.hashes[held - 6]
                return [replace(message, count=held - 5, head=entry)]
            return [message]

    liar.adversary = Poor()
    world.restart(host)
    finish(world)
    signed: dict[tuple[int, int], bytes] = {}
    for entry in (*told, *host.disk.entries, *liar.disk.entries):
        core = entry.read()
        assert signed.setdefault((core.term, core.seq), entry.hash) == entry.hash


def test_links_that_nobody_uses_end_and_those_of_the_players_stay() -> None:
    world = started_world(3)
    host, guest = world.nodes[:2]
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    now = world.now
    for node, most in ((host.running, MOST_STRANGERS), (guest.running, MOST_STRANGERS)):
        outs = [
            node.step(inputs.LinkUp(1000 + each, None), now) for each in range(MOST_STRANGERS + 4)
        ]
        assert [CloseLink(1000 + each) in outs[most + each] for each in range(4)] == [True] * 4
        assert not any(outs[:most])
    outs = [host.running.step(inputs.LinkUp(2000 + each, 1), now) for each in range(5)]
    ended_now = {each.link for out in outs for each in out if isinstance(each, CloseLink)}
    assert ended_now == {2000, 2001, 2002}
    watch = messages.Watch(1, "somebody")
    host.running.step(inputs.MessageReceived(1009, watch), now)
    for each in range(20):
        assert CloseLink(1009) not in host.running.step(inputs.LinkUp(3000 + each, None), now)


def test_no_owner_is_shown_the_log_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither RequestLog nor Rejoin to a node that is not the host triggers repeated copies."""
    most = 64 * 1024
    monkeypatch.setattr(node_module, "OWNER_LOG_BURST", most)
    world = started_world(3)
    host, guest = world.nodes[:2]
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    now = world.now
    guest.running.step(inputs.LinkUp(2000, 2), now)
    guest.running.step(inputs.LinkUp(2001, 0), now)

    def shown(link: int) -> int:
        out = guest.running.step(inputs.MessageReceived(link, messages.RequestLog(0)), now)
        pages = [each.message for each in out if isinstance(each, Send) and each.link == link]
        return sum(page_size(page.entries) for page in pages if isinstance(page, LogPage))

    total = sum(shown(2001) for _ in range(1000))
    assert 0 < total < most + PAGE_BYTES
    assert shown(2001) == 0
    now += most / budget.LOG_RATE + 1
    assert shown(2001) > 0
    assert sum(shown(2000) for _ in range(100)) < most + PAGE_BYTES
    # Only the host knows the spectators.
    assert (
        guest.running.step(inputs.SpectatorSentAway(None, messages.LobbyRefusal.KICKED), now) == []
    )
    host.running.step(inputs.LinkUp(3000, None, identity=b"e" * 32), now)
    host.running.step(inputs.MessageReceived(3000, messages.Watch(1, "eve")), now)
    out = host.running.step(inputs.SpectatorSentAway(b"e" * 32, messages.LobbyRefusal.KICKED), now)
    assert CloseLink(3000) in out


# ---- looking at a log ---------------------------------------------------------------------------


def _two_logs() -> tuple[LocalLog, SimulatedNode]:
    """Return a former host's fork, and a node whose log has the term of the next host."""
    world = started_world(3)
    old = world.nodes[0]
    until(world, in_phase(old, ProtocolPhase.PLAY))
    for other in world.nodes[1:]:
        world.block(old, other)
    until(world, lambda: world.nodes[1].running.replay.term > 0)
    first = old.running.main_session
    own = LocalLog(
        first.replay, first.replica.entries, first.replica.final_count, True, first.replica.starts
    )
    return own, world.nodes[1]


def _look(
    claimed_terms: ClaimedTerms, own: LocalLog, theirs: SimulatedNode, most: int
) -> tuple[object, int]:
    """Read a log in pages of `most` entries; return the result and the number of pages."""
    asked = claimed_terms.start_look(5, 1, own, 100.0)
    assert asked is not None
    for pages in range(1, 100):
        entries = tuple(theirs.running.replica.entries[asked : asked + most])
        found = claimed_terms.take_page(5, 1, own, LogPage(asked, entries))
        if not isinstance(found, ReadFrom):
            return found, pages
        asked = found.first
    raise AssertionError("there is no end to it")


@pytest.mark.parametrize("most", [1, 7, 1000])
@pytest.mark.parametrize("lacking", [0, 1, 10])
def test_a_later_term_is_seen_whatever_is_missing_here(most: int, lacking: int) -> None:
    own, theirs = _two_logs()
    if lacking:
        held = list(own.entries)[:-lacking]
        own = LocalLog(replayed(own.replay.genesis, held), held, 0, True, own.starts)
    found, _ = _look(ClaimedTerms(), own, theirs, most)
    assert isinstance(found, BetterFork)
    assert (found.term, found.host) == (theirs.running.replay.term, theirs.running.replay.host)


def test_a_later_term_without_the_final_entries_proves_nothing() -> None:
    own, theirs = _two_logs()
    final = LocalLog(own.replay, own.entries, own.replay.seq, True, own.starts)
    found, _ = _look(ClaimedTerms(), final, theirs, 1000)
    assert found is None


def test_pages_that_were_not_requested_are_ignored() -> None:
    own, theirs = _two_logs()
    claimed_terms = ClaimedTerms()
    asked = claimed_terms.start_look(5, 1, own, 100.0)
    assert asked is not None
    right = LogPage(asked, tuple(theirs.running.replica.entries[asked:]))
    assert claimed_terms.take_page(6, 1, own, right) is None, "over another link"
    assert claimed_terms.take_page(5, 2, own, right) is None, "by somebody else"
    assert claimed_terms.take_page(5, 1, own, replace(right, first=asked + 1)) is None, (
        "another part"
    )
    assert isinstance(claimed_terms.take_page(5, 1, own, right), BetterFork)
    assert claimed_terms.take_page(5, 1, own, right) is None, "once more"


def _without_votes(entry: Entry) -> Entry:
    body = entry.read().signed_body.read()
    assert isinstance(body.payload, bodies.Elect)
    votes = (body.payload.votes[0],) * len(body.payload.votes)
    told = sign_body(replace(body, payload=bodies.Elect(votes)), Identity.from_seed(bytes(32)))
    core = replace(entry.read(), body=told.body, body_signature=told.signature)
    return sign_entry(core, Identity.from_seed(bytes(32)))


def test_a_log_is_followed_only_where_more_than_one_owner_speaks_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own, theirs = _two_logs()
    begun_again: list[int] = []

    def branch(own: LocalLog, first: int, *, to_close: bool) -> _Branch:
        begun_again.append(first)
        return _Branch(own, first, to_close=to_close)

    monkeypatch.setattr("lanuno.table.succession.fork_choice._Branch", branch)
    entries = list(theirs.running.replica.entries)
    fork = next(number for number, each in enumerate(entries) if each.read().term)
    for lie in (
        Entry(b"?", bytes(64)),
        Entry(entries[fork].core, bytes(64)),
        _without_votes(entries[fork]),
        sign_entry(replace(own.entries[-1].read(), ms=10**6), Identity.from_seed(bytes(32))),
    ):
        claimed_terms = ClaimedTerms()
        asked = claimed_terms.start_look(5, 1, own, 100.0)
        assert asked is not None
        assert (
            claimed_terms.take_page(5, 1, own, LogPage(asked, (*entries[asked:fork], lie))) is None
        )
    assert len(begun_again) <= 1, "the votes themselves are true in one of these"
    _look(ClaimedTerms(), own, theirs, 1000)
    assert begun_again


def test_the_pages_requested_for_one_claim_are_limited() -> None:
    """A former host's signed fork that diverges further back than the part it shows."""
    world = started_world(3)
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    world.crash(world.nodes[0])
    guest = world.nodes[1]
    until(world, lambda: guest.running.replay.term > 0 and guest.running.replay.seq > 0)
    first = guest.running.main_session
    own = LocalLog(first.replay, first.replica.entries, 0, True, first.replica.starts)
    lie = replace(own.entries[-1].read(), term=0, prev=bytes(32))
    old = sign_entry(lie, world.nodes[0].config.identities[0])
    claimed_terms, pages = ClaimedTerms(), 0
    asked = claimed_terms.start_look(5, 2, own, 100.0)
    while asked is not None:
        found = claimed_terms.take_page(5, 2, own, LogPage(asked, (*own.entries[asked:], old)))
        asked = found.first if isinstance(found, ReadFrom) else None
        pages += 1
    assert pages == MOST_PAGES


def test_a_claim_is_dropped_with_its_link() -> None:
    own, theirs = _two_logs()
    claimed_terms = ClaimedTerms()
    asked = claimed_terms.start_look(5, 1, own, 100.0)
    assert asked is not None
    claimed_terms.drop_link(5)
    assert (
        claimed_terms.take_page(
            5, 1, own, LogPage(asked, tuple(theirs.running.replica.entries[asked:]))
        )
        is None
    )


def test_votes_of_two_terms_are_not_given_to_one_owner_within_a_second() -> None:
    claimed_terms = ClaimedTerms()
    assert claimed_terms.may_request_vote(1, 7, 10.0)
    claimed_terms.voted(1, 7, 10.0)
    assert claimed_terms.may_request_vote(1, 7, 10.1), "the same again"
    assert not claimed_terms.may_request_vote(1, 8, 10.9)
    assert claimed_terms.may_request_vote(2, 8, 10.9)
    assert claimed_terms.may_request_vote(1, 8, 11.2)
    claimed_terms.voted(1, 8, 11.2)
    assert not claimed_terms.may_request_vote(1, 7, 11.3)


def test_the_pause_grows_up_to_a_bound_and_ends_with_an_election() -> None:
    """However often a node asks: a false candidate can raise the terms only at a limited rate."""
    claimed_terms, now = ClaimedTerms(), 0.0
    given: list[float] = []
    while now < 100:
        term = 1 + len(given)
        if claimed_terms.may_request_vote(1, term, now):
            claimed_terms.voted(1, term, now)
            given.append(now)
        now += 0.5
    assert [after - before for before, after in pairwise(given)] == [1, 2, 4, 8, 16, 16, 16, 16, 16]
    claimed_terms.host_elected()
    assert claimed_terms.may_request_vote(1, 99, given[-1])


def test_a_claimant_that_shows_nothing_is_read_less_and_less_often() -> None:
    own, _ = _two_logs()
    claimed_terms, now, looks = ClaimedTerms(), 0.0, []
    while now < 1000:
        if claimed_terms.start_look(5, 1, own, now) is not None:
            looks.append(now)
        now += LOOK_SECONDS / 5
    between = [after - before for before, after in pairwise(looks)]
    assert between[:5] == [5, 10, 20, 40, 80]
    assert max(between) == 80
    claimed_terms.mark_shown(1)
    assert claimed_terms.start_look(5, 1, own, looks[-1] + 0.1) is not None
    assert claimed_terms.start_look(5, 2, own, 0.0) is not None, "others are not held up by it"
