"""Roles that whole tables rarely enter: waiting for an owner, reading, pledged and stopped.

Each test puts one input into one node of a simulated table; nothing else of that table moves.
"""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest
from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import Body, Leave, Listen, Return, sign_body
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import sign_entry
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.engine.actions import Draw
from lanuno.table import inputs, log_pages, messages, outputs
from lanuno.table.errors import TableError
from lanuno.table.messages import AtTable
from lanuno.table.node import REQUEST_LOG_AGAIN_SECONDS, Node
from lanuno.table.roles import (
    AwaitingPeer,
    Following,
    Hosting,
    Pledged,
    Reading,
    Searching,
    Stopped,
)
from lanuno.table.succession.claimed_terms import SHOW_SECONDS, STAND_SECONDS
from tests.harness.adversaries.false_claims import vote_for_itself
from tests.harness.host_and_seats.acknowledging import acknowledged_by_all
from tests.harness.node_world.node_in_role import (
    NodeUnderTest,
    awaiting,
    following,
    held_by,
    impossible,
    kept,
    kinds,
    more,
    pledged,
    reading,
    rejoin_of,
    replaced,
    restarted_node,
    role_of,
    sent,
    split,
    with_a_third_owner_lost,
    without_the_third,
)
from tests.harness.node_world.watched_world import finish, in_phase, started_world, until
from tests.harness.node_world.world import SimulatedNode

# ---- waiting for the only other owner -----------------------------------------------------------


def test_a_restarted_host_of_two_looks_for_the_other_one_before_it_hosts() -> None:
    world = started_world(2)
    host, guest = world.nodes
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    world.crash(host)
    host.program = Node(world.genesis, host.config, host.disk.recovered(world.genesis))
    out = host.running.step(inputs.NodeStarted(), world.now)
    assert [each.seat for each in out if isinstance(each, outputs.Connect)] == [guest.number]
    assert role_of(host) is AwaitingPeer
    assert not host.running.in_contact


def test_while_waiting_it_says_that_the_table_stands_still_and_dials_again() -> None:
    tested = awaiting()
    assert outputs.QuorumChanged(1, 2) in tested.later(1.0)
    assert not [each for each in tested.later(1.0) if isinstance(each, outputs.QuorumChanged)]
    assert tested.running.step(inputs.LinkDown(tested.link), tested.now) == []
    assert tested.role() is AwaitingPeer
    assert tested.running.step(inputs.ConnectFailed(tested.other.number), tested.now) == []
    dialled = [each for each in tested.later(30.0) if isinstance(each, outputs.Connect)]
    assert [each.seat for each in dialled] == [tested.other.number]
    assert tested.role() is AwaitingPeer


def test_it_hosts_again_once_the_other_one_holds_no_more() -> None:
    tested = awaiting()
    tested.later(1.0)
    out = tested.receive(rejoin_of(tested.other))
    assert tested.role() is Hosting
    assert out[0] == outputs.HostingChanged(True)
    assert outputs.QuorumChanged(2, 2) in out
    assert messages.HostIs in kinds(out, tested.link)


def test_it_asks_the_other_one_for_what_it_lost_and_takes_it() -> None:
    tested = awaiting(lost=3)
    seq = tested.running.replay.seq
    assert sent(tested.receive(rejoin_of(tested.other)), tested.link) == [messages.RequestLog(seq)]
    out = tested.receive(messages.LogPage(seq, held_by(tested.other, seq)))
    assert kept(out) == list(held_by(tested.other, seq))
    assert tested.role() is AwaitingPeer
    tested.receive(rejoin_of(tested.other))
    assert tested.role() is Hosting
    theirs = held_by(tested.other, 0)
    assert held_by(tested.node, 0)[: len(theirs)] == theirs


def test_it_asks_for_that_again_only_after_a_while() -> None:
    tested = awaiting(lost=3)
    seq, ahead = tested.running.replay.seq, rejoin_of(tested.other)
    assert tested.receive(ahead)
    assert tested.receive(ahead) == []
    tested.world.now += REQUEST_LOG_AGAIN_SECONDS
    assert sent(tested.receive(ahead), tested.link) == [messages.RequestLog(seq)]


def test_a_waiting_host_takes_only_entries_that_it_has_signed() -> None:
    tested = awaiting(lost=3)
    seq = tested.running.replay.seq
    stranger = Identity.from_seed(b"s" * 32)
    [first, *_] = held_by(tested.other, seq)
    forged = sign_entry(first.read(), stranger)
    for said in (
        messages.LogPage(seq, (forged,)),
        messages.LogPage(seq, ()),
        messages.LogPage(seq + 1, held_by(tested.other, seq + 1)),
        messages.LogPage(seq, held_by(tested.other, 0)[:2]),
    ):
        assert kept(tested.receive(said)) == []
        assert tested.role() is AwaitingPeer


def test_messages_from_or_to_a_host_are_ignored_while_waiting() -> None:
    tested = awaiting()
    end = tested.running.replay.end
    for said in (
        messages.Entries(end.count, ()),
        acknowledged_by_all(
            tested.running.replay, [each.config.identities[0] for each in tested.world.nodes]
        ),
        messages.Fetch(0),
        messages.Say("hola"),
        messages.TransferHost(end.term + 1, tested.other.number),
        messages.VoteReply(True, end.term + 1, True, None, 0),
        messages.HostIs(end.term, tested.node.number),
        messages.HostIs(end.term, tested.other.number),
        messages.HostIs(end.term + 1, tested.node.number),
        messages.RequestLog(end.count),
    ):
        out = tested.receive(said)
        assert not kept(out)
        assert tested.role() is AwaitingPeer
    ask = messages.RequestVote(False, end.term + 1, end.term, end.count + 5, end.head)
    [answer] = sent(tested.receive(ask), tested.link)
    assert isinstance(answer, messages.VoteReply)
    assert not answer.granted
    assert tested.role() is AwaitingPeer


def test_actions_of_players_have_no_effect_while_waiting() -> None:
    tested = awaiting()
    node = tested.running
    assert node.step(inputs.StopRequested(), tested.now) == []
    assert node.step(inputs.ClaimMade(), tested.now) == []
    assert node.step(inputs.ProgramPaused(60.0), tested.now) == []
    assert node.step(inputs.SpectatorSentAway(None, messages.LobbyRefusal.FULL), tested.now) == []
    assert node.step(inputs.ChatSent("hola"), tested.now) == []
    assert node.step(inputs.ReactionSent(messages.Reaction.WOW), tested.now) == []
    assert node.step(inputs.JournalSynced(outputs.SyncJournal(0, 0)), tested.now) == []
    assert node.step(inputs.JobDone(1, None), tested.now) == []
    assert tested.role() is AwaitingPeer


def test_a_host_that_is_left_while_it_waits_is_left_once_it_hosts() -> None:
    tested = awaiting()
    assert tested.running.step(inputs.LeaveRequested(), tested.now) == []
    assert tested.role() is AwaitingPeer
    tested.world.do(tested.node, tested.receive(rejoin_of(tested.other)))
    replay = tested.running.replay
    assert tested.node.number in {*replay.leaving, *replay.dropped}


def later_term(tested: NodeUnderTest) -> messages.HostIs:
    """Return the other owner's claim that it was elected meanwhile."""
    return messages.HostIs(tested.running.replay.term + 1, tested.other.number)


def test_another_host_of_a_later_term_ends_the_waiting() -> None:
    """This log is old: a third owner came back meanwhile, and two of them elected a host."""
    tested = replaced()
    word = messages.HostIs(tested.other.running.replay.term, tested.other.number)
    out = tested.receive(word)
    assert kinds(out, tested.link) == [messages.RequestLog]
    assert tested.role() is AwaitingPeer, "it has not shown its votes"
    out = tested.shows_its_votes(out)
    assert kinds(out, tested.link) == [messages.Rejoin, messages.Fetch]
    assert tested.role() is Following
    assert tested.receive(rejoin_of(tested.other))
    assert tested.role() is not Hosting, "the host of a later term is there"


def test_a_wait_continues_if_the_claimed_host_shows_no_later_term() -> None:
    tested = awaiting()
    for _ in range(3):
        tested.receive(later_term(tested))
        out = tested.receive(messages.LogPage(0, held_by(tested.other, 0)))
        assert tested.role() is AwaitingPeer
        out += tested.later(SHOW_SECONDS)
        assert tested.role() is AwaitingPeer
        assert not [each for each in out if isinstance(each, outputs.SeatsAwaited)], "for itself"
    tested.receive(rejoin_of(tested.other))
    assert tested.role() is Hosting


def test_it_waits_no_more_once_it_has_seen_the_votes() -> None:
    tested = replaced()
    word = messages.HostIs(tested.other.running.replay.term, tested.other.number)
    tested.shows_its_votes(tested.receive(word))
    assert tested.role() is Following
    tested.running.step(inputs.LinkDown(tested.link), tested.now)
    assert tested.role() is Searching
    assert kinds(tested.links_again(101), 101) == [messages.Rejoin]
    tested.receive(word)
    assert tested.role() is Following


def test_a_log_of_a_later_term_is_asked_for_and_not_taken_for_less() -> None:
    """The other owner has only just learnt of that term and holds fewer entries."""
    tested = awaiting()
    end = tested.running.replay.end
    said = replace(rejoin_of(tested.other), term=end.term + 1, count=end.count - 1)
    assert set(kinds(tested.receive(said), tested.link)) == {messages.RequestLog}
    assert tested.role() is AwaitingPeer


def test_its_own_election_is_given_back() -> None:
    """Both owners elected it again, and it lost the end of its journal with that election."""
    world = started_world(2)
    host, guest = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    guest.disk.votes[1] = encode(vote_for_itself(guest, guest, 1))
    world.crash(guest)
    world.restart(guest)
    until(world, lambda: guest.running.replay.term == 2 and host.running.replay.term == 2)
    until(world, lambda: guest.disk.durable == guest.running.replay.seq)
    first = host.running.replay.terms[-1].first
    world.crash(host)
    del host.disk.entries[first:]
    host.disk.durable = first
    host.disk.released = None
    world.restart(host)
    until(world, lambda: host.running.hosts)
    finish(world)


def test_a_host_that_dropped_a_third_owner_follows_whom_the_others_elected() -> None:
    """Only its own disk holds the drop; by the other logs there are still three owners."""
    world = split()
    host, other, third = world.nodes
    world.restart(host)
    assert role_of(host) is AwaitingPeer
    until(
        world,
        lambda: host.running.replay.term == other.running.replay.term == third.running.replay.term,
    )
    assert role_of(host) is Following
    finish(world)


def test_a_host_that_was_not_elected_yet_is_followed_once_it_is() -> None:
    """The other owner restarted too, and reports what its log says before it is elected."""
    world = split()
    host, other, third = world.nodes
    world.crash(third)
    world.crash(other)
    world.restart(host)
    world.run(lambda: False, most=world.now + 3)
    world.restart(other)
    world.run(lambda: False, most=world.now + 30)
    world.restart(third)
    until(
        world,
        lambda: (
            host.running.replay.term == other.running.replay.term == third.running.replay.term > 1
        ),
    )
    finish(world)


@pytest.mark.parametrize("how", ["later terms", "old entries"])
def test_a_dropped_owner_does_not_keep_the_host_from_the_other_one(how: str) -> None:
    tested, third = beside_a_dropped_owner()
    node, term = tested.running, tested.running.replay.term
    for number in range(5):
        if how == "later terms" or not number:
            term += 1
            node.step(inputs.MessageReceived(77, messages.HostIs(term, third.number)), tested.now)
        if how == "old entries":
            node.step(
                inputs.MessageReceived(77, messages.Entries(0, held_by(tested.node, 0)[:1])),
                tested.now,
            )
        tested.later(3.0)
        assert tested.role() is AwaitingPeer
    tested.receive(rejoin_of(tested.other))
    assert tested.role() is Hosting


def beside_a_dropped_owner() -> tuple[NodeUnderTest, SimulatedNode]:
    """Return the restarted host of two owners, and a dropped third one with a link to it."""
    world = started_world(3, rounds=6)
    world.all_found = True
    host, other, third = world.nodes
    until(world, in_phase(third, ProtocolPhase.PLAY))
    world.crash(third)
    until(world, lambda: third.number in host.running.replay.dropped)
    until(world, lambda: other.running.replay.seq == host.running.replay.seq)
    world.run(lambda: False, most=world.now + 1)
    world.crash(host)
    host.program = Node(world.genesis, host.config, host.disk.recovered(world.genesis))
    tested = NodeUnderTest(world, host, other, 99)
    host.running.step(inputs.NodeStarted(), world.now)
    host.running.step(inputs.LinkUp(77, third.number, address="10.0.0.8"), world.now)
    tested.links_again()
    return tested, third


def test_a_chat_line_makes_a_host_that_leaves_sign_nothing() -> None:
    """Chat is refused while owners change; the host does not repeat that for every line."""
    world = split()
    host, other, third = world.nodes
    world.crash(third)
    world.crash(other)
    first = next(term.first for term in restarted_node(world, other).replay.terms if term.number)
    del other.disk.entries[first:]
    other.disk.durable = min(other.disk.durable, first)
    other.disk.votes.clear()
    other.program, host.program = restarted_node(world, other), restarted_node(world, host)
    tested = NodeUnderTest(world, host, other, 99)
    host.running.step(inputs.NodeStarted(), world.now)
    tested.links_again()
    host.running.step(inputs.LeaveRequested(), world.now)
    tested.receive(rejoin_of(other))
    assert tested.role() is Hosting
    assert host.number not in host.running.replay.leaving
    out = [
        each for _ in range(20) for each in tested.running.step(inputs.ChatSent("x"), tested.now)
    ]
    assert not [each for each in out if isinstance(each, outputs.StoreBody)]


def test_a_page_that_was_not_requested_breaks_nothing() -> None:
    world = split()
    host, other, third = world.nodes
    new = other if other.running.hosts else third
    elected = new.running.replica.entries[new.running.replay.terms[-1].first]
    del host.disk.entries[5:]
    host.disk.durable, host.disk.released = 5, None
    host.program = restarted_node(world, host)
    host.running.step(inputs.NodeStarted(), world.now)
    host.running.step(inputs.LinkUp(99, new.number), world.now)
    assert role_of(host) is Searching
    beyond = host.running.replay.seq + 1000
    assert (
        host.running.step(
            inputs.MessageReceived(99, messages.LogPage(beyond, (elected,))), world.now
        )
        == []
    )
    assert role_of(host) is Searching


def test_a_host_that_finds_a_third_owner_in_what_it_lost_is_elected_again() -> None:
    """The third may hold more of this term than the other shows, so the host signs nothing."""
    tested = with_a_third_owner_lost()
    other, before = tested.other, tested.running.replay.seq
    assert messages.RequestLog in kinds(tested.receive(rejoin_of(other)), tested.link)
    tested.receive(messages.LogPage(before, held_by(other, before)))
    assert tested.running.replay.seq == other.running.replay.seq
    assert tested.role() is AwaitingPeer, "more may follow"
    out = tested.receive(rejoin_of(other))
    assert tested.role() is Searching
    assert messages.RequestVote in kinds(out, tested.link)
    tested.receive(rejoin_of(other))
    assert tested.role() is Searching


@pytest.mark.parametrize("page", [48 * 1024, 8_000, 1_500])
def test_a_third_owner_may_be_back_by_one_page_and_dropped_by_the_next(
    page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_pages, "PAGE_BYTES", page)
    world = without_the_third(rounds=9)
    host, other, third = world.nodes
    before = host.running.replay.seq
    world.restart(third)
    until(world, lambda: third.number in host.running.replay.owners)
    world.crash(third)
    until(world, lambda: third.number in host.running.replay.dropped)
    world.run(lambda: False, most=world.now + 1)
    until(world, lambda: host.running.replay.seq == other.running.replay.seq)
    world.crash(host)
    del host.disk.entries[before:]
    host.disk.durable, host.disk.released = before, None
    world.restart(host)
    assert world.run(lambda: host.running.hosts, most=world.now + 60)


def test_if_the_other_one_goes_before_it_has_shown_all_others_are_asked() -> None:
    tested = with_a_third_owner_lost()
    before = tested.running.replay.seq
    tested.receive(messages.LogPage(before, held_by(tested.other, before)))
    assert tested.role() is AwaitingPeer
    tested.running.step(inputs.LinkDown(tested.link), tested.now)
    assert tested.role() is Searching
    tested.later(1.0)
    assert tested.running.voter is not None
    assert tested.running.voter._campaign is not None


def test_the_log_of_a_guest_is_not_read_without_end() -> None:
    """The elected host is gone; the remaining guest shows the votes, and nothing else."""
    world = split()
    host, other, third = world.nodes
    new, guest = (other, third) if other.running.hosts else (third, other)
    until(world, lambda: guest.disk.durable == guest.running.replay.seq)
    world.crash(new)
    said: list[AtTable] = []
    send = world.send

    def listen(node: SimulatedNode, link: int, message: AtTable) -> None:
        said.append(message)
        send(node, link, message)

    with patch.object(world, "send", listen):
        world.restart(host)
        world.run(lambda: False, most=world.now + 60)
    assert role_of(host) is Searching
    assert len(said) < 200


# ---- reading ------------------------------------------------------------------------------------


def test_a_reader_takes_entries_and_acknowledges_nothing() -> None:
    tested = reading()
    said = more(tested)
    assert tested.role() is Reading
    out = tested.receive(said)
    assert kept(out) == list(said.entries)
    assert tested.role() is Reading
    asked = [each for each in out if isinstance(each, outputs.SyncJournal)]
    assert asked
    done = tested.running.step(inputs.JournalSynced(asked[-1]), tested.now)
    assert not {messages.Statements, messages.Submit} & set(kinds(out + done, tested.link))


def test_a_reader_submits_only_its_return_to_its_host() -> None:
    tested = reading()
    node, seat = tested.running, tested.node.number
    assert kinds(node.step(inputs.ChatSent("hola"), tested.now), tested.link) == [messages.Say]
    assert kinds(
        node.step(inputs.ReactionSent(messages.Reaction.WOW), tested.now), tested.link
    ) == [messages.React]
    table = node.replay.table_id
    identity = tested.node.config.identities[0]
    for payload, said in ((Leave(), []), (Listen(4711), []), (Return(), [messages.Submit])):
        signed = sign_body(Body(table, 1, seat, 99, node.replay.head, payload), identity)
        out = node._route_to_host(messages.Submit(signed))
        assert kinds(out, tested.link) == said
    assert node._acknowledge(node.replay.seq) == []
    assert kinds(node._route_to_host(messages.Fetch(1)), tested.link) == [messages.Fetch]
    assert tested.role() is Reading


def test_a_reader_that_loses_its_host_looks_for_one() -> None:
    tested = reading()
    out = tested.running.step(inputs.LinkDown(tested.link), tested.now)
    assert tested.role() is Searching
    assert [each for each in out if isinstance(each, outputs.SeatsAwaited)]
    others = [each.link for each in out if isinstance(each, outputs.Send)]
    assert others
    assert tested.link not in others


def test_a_host_of_the_promised_term_is_followed() -> None:
    tested = reading()
    election = tested.running.voter
    assert election is not None
    out = tested.receive(messages.HostIs(election.promised, tested.other.number))
    assert kinds(out, tested.link)[:2] == [messages.Rejoin, messages.Fetch]
    assert tested.role() is Following


def test_the_same_host_is_read_on() -> None:
    tested = reading()
    said = messages.HostIs(tested.other.running.replay.term, tested.other.number)
    assert tested.receive(said) == []
    assert tested.role() is Reading


def test_a_reader_shows_its_promise_again_and_again() -> None:
    tested = reading()
    for _ in range(2):
        reminded = kinds(tested.later(STAND_SECONDS), tested.link)
        assert reminded[:2] == [messages.Rejoin, messages.Fetch]
        assert tested.role() is Reading


def test_a_reader_leaves_without_a_word() -> None:
    """The host counts a leaving owner as holding everything, so no vote may contradict that."""
    tested = reading()
    assert not [
        each
        for each in tested.running.step(inputs.LeaveRequested(), tested.now)
        if isinstance(each, outputs.StoreBody | outputs.Send)
    ]
    assert tested.role() is Reading


def test_a_reader_that_has_its_seat_again_shows_what_it_holds() -> None:
    """From then on it counts again, and so does its promise."""
    tested = reading()
    seat = tested.node.number
    out = tested.running._run(lambda: tested.running._handle_event(events.SeatReturned(seat)))
    assert kinds(out, tested.link)[:2] == [messages.Rejoin, messages.Fetch]
    assert tested.role() is Reading


@pytest.mark.parametrize("link", ["other", "new"])
def test_links_of_others_leave_a_reader_as_it_is(link: str) -> None:
    tested = reading()
    others = {each for each, _ in tested.node.links.items()} - {tested.link}
    if link == "other":
        tested.running.step(inputs.LinkDown(min(others)), tested.now)
    else:
        assert kinds(tested.running.step(inputs.LinkUp(99, 3, dialled=True), tested.now), 99) == []
    tested.running.step(inputs.ConnectFailed(3), tested.now)
    tested.later(0.01)
    assert tested.role() is Reading


def test_a_reader_that_is_shown_a_vote_of_a_later_term_may_vote() -> None:
    """It no longer follows this host, and may therefore vote for any candidate."""
    tested = reading()
    election, end = tested.running.voter, tested.running.replay.end
    assert election is not None
    link, (there, _) = next(
        (link, ends) for link, ends in tested.node.links.items() if link != tested.link
    )
    ask = messages.RequestVote(False, election.promised + 1, end.term, end.count, end.head)
    out = tested.running.step(inputs.MessageReceived(link, ask), tested.now)
    assert [each for each in out if isinstance(each, outputs.StoreVote)]
    [answer] = sent(out, link)
    assert isinstance(answer, messages.VoteReply)
    assert answer.granted
    assert answer.promised == election.promised
    assert tested.role() is Reading
    assert there.number != tested.other.number


# ---- pledged ------------------------------------------------------------------------------------


def test_a_pledged_owner_takes_nothing_of_its_host_and_acknowledges_nothing() -> None:
    tested = pledged()
    assert not kept(tested.receive(more(tested)))
    assert tested.running._acknowledge(tested.running.replay.seq) == []
    assert tested.role() is Pledged


@pytest.mark.parametrize("begin", [pledged, reading])
def test_nothing_becomes_final_after_a_vote_in_a_later_term(
    begin: Callable[[], NodeUnderTest],
) -> None:
    tested = begin()
    node, final = tested.running, tested.running.replica.final_count
    identities = [each.config.identities[0] for each in tested.world.nodes]
    tested.receive(acknowledged_by_all(node.replay, identities))
    assert node.certified == node.replay.seq > final
    assert node.replica.final_count == final


def test_a_pledged_owner_reads_on_when_its_host_says_that_it_stays() -> None:
    tested = pledged()
    out = tested.receive(messages.HostIs(tested.running.replay.term, tested.other.number))
    assert kinds(out, tested.link)[:2] == [messages.Rejoin, messages.Fetch]
    assert tested.role() is Reading


def test_a_pledged_owner_looks_for_a_host_once_nobody_has_won() -> None:
    tested = pledged()
    deadline = tested.running.deadline
    assert deadline is not None
    for _ in range(20):
        if tested.role() is Pledged:
            tested.later(1.0)
    assert tested.role() is Searching


# ---- stopped ------------------------------------------------------------------------------------


@pytest.mark.parametrize("begin", [following, reading])
def test_an_impossible_entry_stops_a_node(begin: Callable[[], NodeUnderTest]) -> None:
    tested = begin()
    links = {each for each, _ in tested.node.links.items()}
    out = tested.receive(impossible(tested))
    assert tested.role() is Stopped
    assert [each.blame.seat for each in out if isinstance(each, outputs.NodeStopped)]
    assert {each.link for each in out if isinstance(each, outputs.CloseLink)} == links
    assert tested.running.over
    assert tested.running.deadline is None


def test_a_stopped_node_sends_nothing_and_ignores_every_message() -> None:
    tested = following()
    tested.receive(impossible(tested))
    node, now, end = tested.running, tested.now, tested.running.replay.end
    assert node.step(inputs.LinkUp(77, tested.other.number), now) == []
    tested.link = 77
    for said in (
        messages.Entries(end.count, held_by(tested.other, end.count)),
        messages.HostIs(end.term, tested.other.number),
        messages.HostIs(end.term + 1, tested.other.number),
        rejoin_of(tested.other),
        messages.LogPage(end.count, held_by(tested.other, end.count)),
        messages.RequestLog(0),
        messages.RequestVote(False, end.term + 1, end.term, end.count, end.head),
        messages.TransferHost(end.term + 1, tested.node.number),
    ):
        assert tested.receive(said) == []
    assert node.step(inputs.LinkDown(77), now) == []
    assert node.step(inputs.TimePassed(), now + 600) == []
    assert node.step(inputs.JournalSynced(outputs.SyncJournal(end.count, 0)), now) == []
    assert node.step(inputs.JobDone(1, None), now) == []
    assert node.step(inputs.ChatSent("hola"), now) == []
    assert node.step(inputs.LeaveRequested(), now) == []
    assert node.step(inputs.StopRequested(), now) == []
    with pytest.raises(TableError):
        node.step(inputs.PlayerActed(0, Draw()), now)
    assert tested.role() is Stopped
