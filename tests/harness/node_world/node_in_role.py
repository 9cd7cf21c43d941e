"""One node of a simulated table in a role chosen by the test, and the messages that it receives.

A function named after a role plays a table until one of its nodes has that role. From then on the
test alone gives inputs to this node, and nothing else at the table moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.log.format.bodies import (
    HOST,
    Body,
    Drop,
    Listen,
    Payload,
    SignedBody,
    sign_body,
)
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.terms import LogEnd
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import inputs, messages, outputs, roles
from lanuno.table.messages import AtTable
from lanuno.table.node import Node
from lanuno.table.outputs import NodeOutput
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.replaying import replayed
from tests.harness.node_world.watched_world import in_phase, started_world, until
from tests.harness.node_world.world import SimulatedNode, World


@dataclass
class NodeUnderTest:
    """One node of a halted table, and a link between it and another node."""

    world: World
    node: SimulatedNode
    other: SimulatedNode
    """The node at the other end of the link: the host, if the node under test has one."""
    link: int

    @property
    def running(self) -> Node:
        return self.node.running

    @property
    def now(self) -> float:
        return self.world.now

    @property
    def end(self) -> LogEnd:
        """The end of this node's log."""
        return self.running.replay.end

    @property
    def log(self) -> Replay:
        """Another replay of the log, even for a node that an entry has stopped."""
        return replayed(self.world.genesis, self.running.replica.entries)

    @property
    def third(self) -> int:
        """An owner at neither end of the link; with two owners, the one at the other end."""
        thirds = {*self.running.replay.owners} - {self.node.number, self.other.number}
        return max(thirds, default=self.other.number)

    def role(self) -> type[roles.Role]:
        return role_of(self.node)

    def receive(self, message: AtTable) -> list[NodeOutput]:
        """Receive a message from the other node."""
        return self.running.step(inputs.MessageReceived(self.link, message), self.now)

    def later(self, seconds: float) -> list[NodeOutput]:
        """Let time pass."""
        self.world.now += seconds
        return self.running.step(inputs.TimePassed(), self.now)

    def shows_its_votes(self, asked: Sequence[NodeOutput]) -> list[NodeOutput]:
        """Receive the requested pages from the other node, up to its election."""
        entries = self.other.running.replica.entries
        end = self.other.running.replay.terms[-1].first + 1
        out = list(asked)
        while wanted := requests(out, self.link):
            first = wanted[0].first
            out = self.receive(messages.LogPage(first, tuple(entries[first:end])))
        return out

    def links_again(self, link: int = 99) -> list[NodeOutput]:
        """Report a new connection that this node has made to the other node."""
        self.link = link
        number = self.other.number
        return self.running.step(
            inputs.LinkUp(link, number, address="10.0.0.9", dialled=True), self.now
        )

    def link_from(self, seat: int, link: int) -> int:
        """Report a new connection from an owner's node; return the link."""
        self.running.step(inputs.LinkUp(link, seat, address="10.0.0.8"), self.now)
        return link


def role_of(node: SimulatedNode) -> type[roles.Role]:
    """Return the class of a node's role."""
    return type(node.running.role)


# ---- outputs of a node --------------------------------------------------------------------------


def sent(out: Sequence[NodeOutput], link: int) -> list[AtTable]:
    """Return the messages sent over a link."""
    return [each.message for each in out if isinstance(each, outputs.Send) and each.link == link]


def requests(out: Sequence[NodeOutput], link: int) -> list[messages.RequestLog]:
    """Return the requests for pages sent over a link."""
    return [each for each in sent(out, link) if isinstance(each, messages.RequestLog)]


def kinds(out: Sequence[NodeOutput], link: int) -> list[type]:
    """Return the classes of the messages sent over a link."""
    return [type(message) for message in sent(out, link)]


def kept(out: Sequence[NodeOutput]) -> list[Entry]:
    """Return the entries written to the journal."""
    return [each.entry for each in out if isinstance(each, outputs.AppendEntry)]


# ---- messages of other nodes --------------------------------------------------------------------


def rejoin_of(node: SimulatedNode) -> messages.Rejoin:
    """Return the message in which a node states the end of its log."""
    return node.running._rejoin_message()


def held_by(node: SimulatedNode, first: int) -> tuple[Entry, ...]:
    """Return the entries that a node holds from this number on."""
    return tuple(node.running.replica.entries[first:])


def identity_of(world: World, seat: int) -> Identity:
    """Return the identity of an owner."""
    return world.nodes[seat].config.identities[0]


def body_of(tested: NodeUnderTest, author: int, payload: Payload) -> SignedBody:
    """Return a body signed at the end of the log; `HOST` signs as the host of the log."""
    replay = tested.log
    seat = replay.host if author == HOST else author
    counter = replay.next_counter(author)
    body = Body(replay.table_id, replay.number, author, counter, replay.head, payload)
    return sign_body(body, identity_of(tested.world, seat))


def next_entry(
    tested: NodeUnderTest, author: int | None = None, payload: Payload | None = None
) -> Entry:
    """Return an entry that the host of the log could append next.

    By default it holds the port that the other node's owner announces.
    """
    replay = tested.log
    signed = body_of(
        tested,
        tested.other.number if author is None else author,
        Listen(4711) if payload is None else payload,
    )
    entry, _ = replay.append(signed, replay.times.ms, identity_of(tested.world, replay.host))
    return entry


def impossible_entry(tested: NodeUnderTest) -> Entry:
    """Return the next entry, signed by the host with an impossible state."""
    core = replace(next_entry(tested).read(), state=bytes(32))
    return sign_entry(core, identity_of(tested.world, tested.running.replay.host))


def vote_of(tested: NodeUnderTest, voter: int, candidate: int, term: int) -> SignedVote:
    """Return the vote of an owner who holds the same log as the node under test."""
    by = identity_of(tested.world, voter)
    return signed_vote(tested.running.replay, voter, candidate, term, by=by)


def election_of(tested: NodeUnderTest, candidate: int, term: int) -> Entry:
    """Return the entry by which a majority of the owners elects a host at the end of this log."""
    replay = tested.log
    voters = replay.owners[-replay.majority :]
    votes = [vote_of(tested, voter, candidate, term) for voter in voters]
    entry, _ = replay.elect(votes, replay.times.ms, identity_of(tested.world, candidate))
    return entry


class MissesEntries:
    """A program that receives no entries."""

    def program_started(self, world: World, node: SimulatedNode) -> None:
        pass

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        return [message]

    def intercepts(self, node: SimulatedNode, link: int, message: AtTable) -> bool:
        return isinstance(message, messages.Entries)


def more(tested: NodeUnderTest) -> messages.Entries:
    """Return the entries that the host appends next; the table plays on until there are some."""
    tested.node.adversary = MissesEntries()
    first = tested.running.replay.seq
    until(tested.world, lambda: tested.other.running.replay.seq > first)
    return messages.Entries(first, held_by(tested.other, first))


def impossible(tested: NodeUnderTest) -> messages.Entries:
    """Return the next entry of the host's log, signed by the host with an impossible state."""
    return messages.Entries(tested.running.replay.seq, (impossible_entry(tested),))


# ---- nodes in a role ----------------------------------------------------------------------------


def moment_for(node: SimulatedNode, *, early: bool) -> Callable[[], bool]:
    """Return the condition at which to halt: in play, or once this node knows of final entries.

    The second is several times faster, for tests in which the phase of the round does not matter.
    """
    if early:
        return lambda: node.running.replica.final_count > 0
    return in_phase(node, ProtocolPhase.PLAY)


def following(*, early: bool = False) -> NodeUnderTest:
    """A guest and its host, in the middle of a round."""
    world = started_world(4)
    host, guest = world.nodes[:2]
    until(world, moment_for(guest, early=early))
    assert guest.running.host_link is not None
    tested = NodeUnderTest(world, guest, host, guest.running.host_link)
    assert tested.role() is roles.Following
    return tested


def pledged(*, early: bool = False) -> NodeUnderTest:
    """A guest that was asked to stand for the next term, and has voted for itself."""
    tested = following(early=early)
    tested.receive(messages.TransferHost(tested.running.replay.term + 1, tested.node.number))
    assert tested.role() is roles.Pledged
    return tested


def reading(*, early: bool = False) -> NodeUnderTest:
    """A guest that promised a later term in vain, and whose host continues without it."""
    world = started_world(4, rounds=2)
    host, guest = world.nodes[:2]

    def hands_over_to_the_guest_alone() -> None:
        until(world, moment_for(guest, early=early))
        [link] = [link for link, (there, _) in host.links.items() if there is guest]
        world.send(host, link, messages.TransferHost(host.running.replay.term + 1, guest.number))

    hands_over_to_the_guest_alone()
    until(world, lambda: guest.running.replay.term > 0)
    hands_over_to_the_guest_alone()
    until(world, lambda: isinstance(guest.running.role, roles.Reading))
    [new] = [each for each in world.running if each.running.hosts]
    assert guest.running.host_link is not None
    tested = NodeUnderTest(world, guest, new, guest.running.host_link)
    assert tested.role() is roles.Reading
    return tested


def searching(*, early: bool = False) -> NodeUnderTest:
    """A guest that has lost its host, and a new connection from that host's node."""
    tested = following(early=early)
    tested.running.step(inputs.LinkDown(tested.link), tested.now)
    tested.link = tested.link_from(tested.other.number, 99)
    assert tested.role() is roles.Searching
    return tested


def hosting(*, early: bool = False) -> NodeUnderTest:
    """A host and one of its guests, in the middle of a round."""
    world = started_world(4)
    host, guest = world.nodes[:2]
    until(world, moment_for(guest, early=early))
    [link] = [link for link, (there, _) in host.links.items() if there is guest]
    tested = NodeUnderTest(world, host, guest, link)
    assert tested.role() is roles.Hosting
    return tested


def stopped(*, early: bool = False) -> NodeUnderTest:
    """A guest that its host has stopped with a false entry, and a new connection from that host."""
    tested = following(early=early)
    tested.receive(impossible(tested))
    tested.link = tested.link_from(tested.other.number, 99)
    assert tested.role() is roles.Stopped
    return tested


def restarted_node(world: World, node: SimulatedNode) -> Node:
    """Return a node's program, restarted."""
    return Node(world.genesis, node.config, node.disk.recovered(world.genesis))


def awaiting(lost: int = 0, *, early: bool = False) -> NodeUnderTest:
    """The restarted host of two. `lost`: how many of its last entries it has lost."""
    world = started_world(2)
    host, guest = world.nodes
    until(world, moment_for(guest, early=early))
    world.crash(host)
    if lost:
        lose_entries(host, len(host.disk.entries) - lost)
        host.disk.released = None
    return started_again(world, host, guest)


def awaiting_what_it_needs() -> NodeUnderTest:
    """The host of two that has lost the last entry for which it released a secret."""
    world = started_world(2)
    host, guest = world.nodes
    until(world, in_phase(guest, ProtocolPhase.PLAY))
    world.crash(host)
    assert host.disk.released is not None
    lose_entries(host, host.disk.released.count - 1)
    return started_again(world, host, guest)


def lose_entries(node: SimulatedNode, left: int) -> None:
    """Remove the end of a node's journal."""
    del node.disk.entries[left:]
    node.disk.durable = min(node.disk.durable, left)


def started_again(world: World, host: SimulatedNode, other: SimulatedNode) -> NodeUnderTest:
    """The host of two, restarted and connected to the other owner."""
    host.program = restarted_node(world, host)
    tested = NodeUnderTest(world, host, other, 99)
    assert outputs.HostingChanged(True) not in host.running.step(inputs.NodeStarted(), world.now)
    assert kinds(tested.links_again(), 99) == [messages.Rejoin]
    assert tested.role() is roles.AwaitingPeer
    return tested


def split() -> World:
    """A stopped host of three whose last entry, on its own disk alone, drops the third.

    The other two have elected a host in a log without that drop.
    """
    world = started_world(3, rounds=6)
    world.all_found = True
    host, other, third = world.nodes
    until(world, in_phase(third, ProtocolPhase.PLAY))
    world.crash(third)
    look = world.on_output
    assert look is not None

    def part(node: SimulatedNode, output: outputs.Output) -> None:
        look(node, output)
        if node is host and isinstance(output, outputs.AppendEntry):
            payload = output.entry.read().signed_body.read().payload
            if isinstance(payload, Drop) and payload.seat == third.number:
                world.block(host, other)

    world.on_output = part
    until(world, lambda: third.number in host.running.replay.dropped)
    until(world, lambda: host.disk.durable == host.running.replay.seq)
    world.on_output = look
    world.crash(host)
    assert third.number in other.running.replay.owners
    world.unblock_all()
    world.restart(third)
    until(world, lambda: other.running.hosts or third.running.hosts)
    until(world, lambda: other.disk.durable == other.running.replay.seq == third.running.replay.seq)
    return world


def replaced() -> NodeUnderTest:
    """The restarted host of two (by its own log), and the host of a later term."""
    world = split()
    host, other, third = world.nodes
    return started_again(world, host, other if other.running.hosts else third)


def without_the_third(rounds: int) -> World:
    """A table of three whose host has dropped the third owner."""
    world = started_world(3, rounds=rounds)
    world.all_found = True
    host, _, third = world.nodes
    until(world, in_phase(third, ProtocolPhase.PLAY))
    world.crash(third)
    until(world, lambda: third.number in host.running.replay.dropped)
    return world


def with_a_third_owner_lost() -> NodeUnderTest:
    """A host of three that lost its entries, beginning with the return of the third owner."""
    world = without_the_third(rounds=6)
    host, other, third = world.nodes
    before = host.running.replay.seq
    world.restart(third)
    until(world, lambda: third.number in host.running.replay.owners)
    until(world, lambda: host.running.replay.seq == other.running.replay.seq)
    world.crash(host)
    lose_entries(host, before)
    host.disk.released = None
    return started_again(world, host, other)


def with_a_third_owner_back_and_gone() -> tuple[NodeUnderTest, tuple[messages.LogPage, ...], int]:
    """A host of three that lost the return of the third owner and the drop after it.

    It had voted for itself in a later term. Returns it, the two pages that bring the third owner
    back and drop it again, and the third owner.
    """
    world = without_the_third(rounds=9)
    host, other, third = world.nodes
    before = host.running.replay.seq
    world.restart(third)
    until(world, lambda: third.number in host.running.replay.owners)
    until(world, lambda: third.running.replay.seq == host.running.replay.seq)
    world.crash(third)
    back = len(third.disk.entries)
    until(world, lambda: third.number in host.running.replay.dropped)
    until(world, lambda: host.running.replay.seq == other.running.replay.seq)
    world.crash(host)
    lose_entries(host, before)
    host.disk.released = None
    voter = host.number
    vote = signed_vote(other.running.replay, voter, voter, 5, by=host.config.identities[0])
    host.disk.votes[5] = encode(vote)
    pages = (
        messages.LogPage(before, held_by(other, before)[: back - before]),
        messages.LogPage(back, held_by(other, back)),
    )
    return started_again(world, host, other), pages, third.number
