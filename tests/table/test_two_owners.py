"""Of two owners only the host decides, and the other one cannot prevent it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from lanuno.log.format.bodies import HOST, CloseReason, DropReason
from lanuno.log.format.codec import encode
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import inputs, messages
from lanuno.table.host.role import HostRole
from lanuno.table.messages import AtTable
from lanuno.table.outputs import HostingChanged, StoreVote
from tests.harness.adversaries.false_claims import vote_for_itself
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.node_world.watched_world import events_of, finish, in_phase, started_world, until
from tests.harness.node_world.world import SimulatedNode, World


class Withholding:
    """An adversary that keeps showing its vote for itself in a later term, and no other.

    `grants`: it grants pre-votes. `votes`: it grants votes too. `acks`: it acknowledges entries.
    """

    def __init__(self, *, grants: bool = False, votes: bool = False, acks: bool = False) -> None:
        self.grants, self.votes, self.acks = grants, votes, acks
        self.term = 0

    def program_started(self, world: World, node: SimulatedNode) -> None:
        pass

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if not self.term:
            return [message]
        if isinstance(message, messages.VoteReply):
            if message.pre:
                return [messages.VoteReply(True, message.term, self.grants, None, self.term)]
            return [message] if self.votes else []
        if isinstance(message, messages.Statements):
            return [message] if self.acks else []
        if isinstance(message, messages.Rejoin):
            return [resume(node, self.term)]
        return [message]


def resume(guest: SimulatedNode, term: int) -> messages.Rejoin:
    """Return a Rejoin by which the guest shows that it has promised a later term."""
    end = guest.running.replay.end
    return messages.Rejoin(
        end.term, end.count, end.head, term, 0, vote_for_itself(guest, guest, term)
    )


def shows_again_and_again(world: World, guest: SimulatedNode, every: float = 5.0) -> None:
    """Send such a Rejoin every `every` seconds, each time in a term later than the log's."""
    adversary = guest.adversary
    assert isinstance(adversary, Withholding)

    def again() -> None:
        if guest.running.replay.closed is None:
            adversary.term = max(adversary.term, guest.running.replay.term + 1)
            for link in list(guest.links):
                world.send(guest, link, resume(guest, adversary.term))
            world.after(every, again)

    again()


@pytest.mark.parametrize(
    ("grants", "votes"), [(False, False), (True, False), (True, True)], ids=["no", "says", "gives"]
)
def test_a_guest_that_shows_a_vote_and_then_does_nothing_is_dropped(
    grants: bool, votes: bool
) -> None:
    world = started_world(2)
    host, guest = world.nodes
    guest.adversary = Withholding(grants=grants, votes=votes)
    until(world, in_phase(host, ProtocolPhase.PLAY))
    shows_again_and_again(world, guest)
    began = world.now
    until(world, lambda: host.running.replay.closed is not None)
    assert world.now < began + 90
    assert host.running.replay.closed is CloseReason.FINISHED
    assert host.running.replay.dropped[guest.number] in (DropReason.SILENT, DropReason.LOST)
    assert host.running.replay.match.winners == (host.number,)


def test_a_guest_that_shows_votes_and_plays_on_holds_nothing_up() -> None:
    """Each election takes a moment, and elections are spaced apart."""
    world = started_world(2)
    host, guest = world.nodes
    guest.adversary = Withholding(grants=True, votes=True, acks=True)
    until(world, in_phase(host, ProtocolPhase.PLAY))
    shows_again_and_again(world, guest, every=0.4)
    began = world.now
    until(world, lambda: host.running.replay.closed is not None)
    assert world.now < began + 90
    assert 1 <= len(events_of(world, events.HostElected, 0)) <= 1 + world.now / 20


def test_an_honest_guest_with_a_later_promise_elects_the_host_while_that_rules_on() -> None:
    world = started_world(2)
    host, guest = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    assert guest.running.voter is not None
    guest.disk.votes[1] = encode(vote_for_itself(guest, guest, 1))
    world.crash(guest)
    world.restart(guest)
    assert finish(world) is CloseReason.STOPPED
    assert host.running.replay.term == 2
    assert len(events_of(world, events.HostElected, 0)) == 1


# ---- whether it is certain that two owners are left ---------------------------------------------


def left_by_a_third(*, final: bool) -> tuple[LogTable, HostRole]:
    """Drop one of three owners; return the next term's host role. `final`: the drop is final."""
    table = new_table(3)
    table.add(HOST, table.host_payload())
    table.drop(2, DropReason.LOST)
    unsure = 0 if final else table.replay.seq
    votes = [signed_vote(table.replay, seat, table.replay.host) for seat in (0, 1)]
    entry, _ = table.replay.elect(votes, table.replay.times.ms, identity(0))
    table.entries.append(entry)
    host_role = HostRole(table.replay, table.entries, identity(0), 0.0, unsure=unsure)
    host_role.attach(0, 0, table.replay.seq, 0.0)
    host_role.begin(0.0)
    return table, host_role


@pytest.mark.parametrize("final", [True, False])
def test_a_host_of_two_drops_the_other_alone_only_where_these_two_are_certain(final: bool) -> None:
    table, host_role = left_by_a_third(final=final)
    host_role.acknowledge(0, table.replay.seq, 1.0)
    grace = table.replay.roster.ruleset.grace_first_s
    host_role.tick(grace + 2.0)
    # The reason for the absence is unknown: the host's player decides when to continue without it.
    assert 1 not in host_role.replay.dropped
    assert host_role.claimable == ((1,) if final else ())
    host_role.claim(grace + 2.0)
    assert (1 in host_role.replay.dropped) is final
    if final:
        return
    standing = host_role._finality
    assert standing.changing
    # The other owner acknowledges everything.
    host_role.attach(1, 1, 0, grace + 3.0)
    host_role.acknowledge(1, host_role.replay.seq, grace + 3.0)
    assert (standing.changing, standing.decides_alone) == (False, True)


class Boaster(Withholding):
    """An owner that claims more entries than the restarted host holds, and shows none of them."""

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.Rejoin) and self.term:
            return [replace(message, count=message.count + 5)]
        return [message]


def test_a_restarted_host_of_two_says_that_it_waits_for_the_others_entries() -> None:
    """It cannot know whether it lost entries, and signs no entry number twice."""
    world = started_world(2)
    world.trace = []
    host, guest = world.nodes
    until(world, in_phase(host, ProtocolPhase.PLAY))
    guest.adversary = adversary = Boaster()
    adversary.term = 1
    world.crash(host)
    world.trace.clear()
    world.restart(host)
    world.run(lambda: False, most=world.now + 30)
    assert host.links
    assert not host.running.hosts
    assert [line for line in world.trace if " 0: QuorumChanged(here=1, wanted=2)" in line]
    adversary.term = 0
    assert finish(world) is CloseReason.STOPPED
    assert [line for line in world.trace if " 0: QuorumChanged(here=2, wanted=2)" in line]


def test_a_host_that_votes_for_another_rules_no_more() -> None:
    """It promised itself a later term as one of two owners; by now a third may be elected."""
    world = started_world(3)
    host = world.nodes[0]
    until(world, in_phase(host, ProtocolPhase.PLAY))
    assert host.running.voter is not None
    host.running.voter.promised = 3
    link = next(link for link, (there, _) in host.links.items() if there.number == 1)
    end = host.running.replay.end
    ask = messages.RequestVote(False, 4, end.term, end.count, end.head)
    out = host.running.step(inputs.MessageReceived(link, ask), world.now)
    assert [each for each in out if isinstance(each, StoreVote)]
    assert HostingChanged(False) in out
    assert not host.running.hosts
