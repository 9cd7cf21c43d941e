"""Nodes that claim to other nodes what is not so: a later log, a vote, another host."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from lanuno.log.votes import SignedVote
from lanuno.table import messages
from lanuno.table.messages import AtTable
from tests.harness.log_table.elections import signed_vote
from tests.harness.node_world.world import Computer, World

Lie = Callable[[World, Computer], AtTable]


def resumed(world: World, liar: Computer, **changes: object) -> messages.Resume:
    end = liar.up.replay.end
    said = messages.Resume(end.term, end.count, end.head, 0, liar.stay.port)
    return replace(said, **changes)


def voted_for(signer: Computer, liar: Computer, term: int) -> SignedVote:
    """A vote in a node's name for itself, signed by another or by itself."""
    own = liar.number
    return signed_vote(liar.up.replay, own, own, term, by=signer.stay.identities[0])


class Liar:
    """Its program is honest, but for what it says besides, and for the log that it shows."""

    def __init__(self, shows: Callable[[messages.Copy], messages.Copy] = lambda copy: copy) -> None:
        self.shows = shows
        self.shown = 0

    def sit(self, world: World, computer: Computer) -> None:
        pass

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.Copy):
            self.shown += 1
            return [self.shows(message)]
        return [message]


def goes_on_lying(world: World, liar: Computer, lie: Lie, every: float = 0.7) -> None:
    def again() -> None:
        if liar.member is not None and liar.up.replay.closed is None:
            for link in list(liar.links):
                world.send(liar, link, lie(world, liar))
            world.after(every, again)

    again()


def meet_everybody(world: World, one: Computer) -> None:
    for other in world.computers[1:]:
        if other is not one:
            world._connect(one, other)


class Pretender(Liar):
    """Says nothing any more but that it is the host, once somebody asks."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world
        self.on = False

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if not self.on:
            return [message]
        self.shown += 1
        return [messages.HostIs(computer.up.replay.term + 1, computer.number)]
