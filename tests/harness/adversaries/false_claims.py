"""Nodes that make false claims to other nodes: a later log, a vote, another host."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from lanuno.log.format.votes import SignedVote
from lanuno.table import messages
from lanuno.table.messages import AtTable
from tests.harness.log_table.elections import signed_vote
from tests.harness.node_world.world import SimulatedNode, World

FalseClaim = Callable[[World, SimulatedNode], AtTable]


def false_rejoin(world: World, liar: SimulatedNode, **changes: object) -> messages.Rejoin:
    end = liar.running.replay.end
    said = messages.Rejoin(end.term, end.count, end.head, 0, liar.config.port)
    return replace(said, **changes)


def vote_for_itself(signer: SimulatedNode, liar: SimulatedNode, term: int) -> SignedVote:
    """Return a vote of a node for itself, signed by another node or by itself."""
    own = liar.number
    return signed_vote(liar.running.replay, own, own, term, by=signer.config.identities[0])


class FalseClaimant:
    """Runs an honest program, but sends false messages too, and shows another log."""

    def __init__(
        self, shows: Callable[[messages.LogPage], messages.LogPage] = lambda copy: copy
    ) -> None:
        self.shows = shows
        self.shown = 0

    def program_started(self, world: World, node: SimulatedNode) -> None:
        pass

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.LogPage):
            self.shown += 1
            return [self.shows(message)]
        return [message]


def keep_claiming(world: World, liar: SimulatedNode, lie: FalseClaim, every: float = 0.7) -> None:
    def again() -> None:
        if liar.program is not None and liar.running.replay.closed is None:
            for link in list(liar.links):
                world.send(liar, link, lie(world, liar))
            world.after(every, again)

    again()


def connect_to_all(world: World, one: SimulatedNode) -> None:
    for other in world.nodes[1:]:
        if other is not one:
            world._connect(one, other)


class FalseHost(FalseClaimant):
    """Sends nothing but the claim to be the host, once a node asks."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.on = False

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if not self.on:
            return [message]
        self.shown += 1
        return [messages.HostIs(node.running.replay.term + 1, node.number)]
