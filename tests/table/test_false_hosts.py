"""Nodes that falsely claim an election, or whose messages are lost, do not stop the table."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from msgspec.structs import replace

from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason, sign_body
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import messages
from lanuno.table.messages import AtTable
from tests.harness.adversaries.false_claims import (
    FalseClaim,
    FalseClaimant,
    FalseHost,
    connect_to_all,
    false_rejoin,
    keep_claiming,
    vote_for_itself,
)
from tests.harness.node_world.invariants import InvariantChecker, Leeway
from tests.harness.node_world.watched_world import (
    QUICK,
    events_of,
    finish,
    hosts_of,
    in_phase,
    started_world,
    until,
)
from tests.harness.node_world.world import SimulatedNode, World
from tests.harness.replacing import replace_method


def _unsigned(world: World, liar: SimulatedNode) -> AtTable:
    """Return a fork in a later term for which no owner has voted."""
    entries = liar.running.replica.entries
    first = len(entries) // 2
    core = replace(entries[first].read(), term=liar.running.replay.term + 1)
    return messages.Entries(first, (Entry(encode(core), bytes(64)),))


def _out_of_place(world: World, liar: SimulatedNode) -> AtTable:
    entries = liar.running.replica.entries
    return messages.Entries(len(entries), (entries[-3],))


def _signed_by_the_liar(world: World, liar: SimulatedNode) -> AtTable:
    """Return an election that carries only the liar's own vote."""
    replay = liar.running.replay
    vote = vote_for_itself(liar, liar, replay.term + 1)
    body = bodies.Body(
        replay.table_id, replay.number, bodies.HOST, 1, replay.head, bodies.Elect((vote,))
    )
    told = sign_body(body, liar.config.identities[0])
    last = liar.running.replica.entries[-1].read()
    core = replace(
        last,
        term=replay.term + 1,
        seq=replay.seq,
        prev=replay.head,
        body=told.body,
        body_signature=told.signature,
    )
    return messages.Entries(replay.seq, (sign_entry(core, liar.config.identities[0]),))


@pytest.mark.parametrize("lie", [_unsigned, _out_of_place, _signed_by_the_liar])
@pytest.mark.parametrize("bots", [0, 1])
def test_nobody_is_stopped_for_good_by_somebody_who_only_says_that_it_was_elected(
    lie: FalseClaim, bots: int
) -> None:
    world = World(4, 1, bots=[1] * bots, ruleset=QUICK, rounds=1)
    InvariantChecker(world, Leeway(stops=True))
    world.start()
    liar = world.nodes[3]
    liar.adversary = adversary = FalseHost(world)
    until(world, in_phase(liar, ProtocolPhase.PLAY))
    connect_to_all(world, liar)
    connect_to_all(world, world.nodes[2])
    world.crash(world.nodes[0])
    adversary.on = True
    told = 0

    def outgoing(node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        nonlocal told
        if not adversary.on:
            return [message]
        if isinstance(message, messages.Entries):
            told += 1
            return [message]
        return [messages.HostIs(node.running.replay.term + 1, node.number)]

    replace_method(adversary, "outgoing", outgoing)

    def again() -> None:
        for link in list(liar.links):
            world.send(liar, link, messages.HostIs(liar.running.replay.term + 1, liar.number))
            world.send(liar, link, lie(world, liar))
        if world.now < before + 40:
            world.after(0.5, again)

    before = world.now
    again()
    until(world, lambda: world.now > before + 45)
    adversary.on = False
    assert [each.stopped for each in world.nodes] == [None] * 4
    finish(world, 1, 2)


class Unlucky(FalseClaimant):
    """An honest node that loses some of its requests."""

    def __init__(self, loses: Callable[[messages.RequestVote, SimulatedNode], bool]) -> None:
        super().__init__()
        self.loses = loses

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        there, _ = node.links.get(link, (None, 0))
        if there is not None and isinstance(message, messages.RequestVote):
            return [] if self.loses(message, there) else [message]
        return [message]


def test_two_voters_that_are_out_of_step_elect_an_honest_candidate() -> None:
    """Each has voted for it in a different term, and must wait before its next vote."""
    world = started_world(5)
    candidate, *voters = world.nodes[1:4]
    until(world, in_phase(candidate, ProtocolPhase.PLAY))
    for voter in voters:
        voter.adversary = Unlucky(lambda asked, there: True)  # nobody else can be elected

    def loses(asked: messages.RequestVote, there: SimulatedNode) -> bool:
        """Both are asked for a vote, but only the one with fewer votes cast receives it."""
        one, two = (len(voter.disk.votes) for voter in voters)
        if asked.pre or there not in voters or min(one, two) > 5:
            return False
        return there is not voters[0 if one <= two else 1]

    candidate.adversary = Unlucky(loses)
    world.crash(world.nodes[4])
    world.crash(world.nodes[0])
    until(world, lambda: all(len(voter.disk.votes) > 5 for voter in voters))
    out_of_step = world.now
    assert not hosts_of(world)
    assert world.run(lambda: hosts_of(world) == [1], most=out_of_step + 45)
    for voter in voters:
        voter.adversary = None
    finish(world, 1, 2, 3)


def test_a_host_with_one_accomplice_has_itself_elected_again_only_so_often() -> None:
    """The others can check the accomplice's vote, and play on between the elections."""
    world = started_world(5)
    host, liar = world.nodes[0], world.nodes[4]
    until(world, in_phase(liar, ProtocolPhase.PLAY))

    def promised(world: World, liar: SimulatedNode) -> AtTable:
        host.running._claimed_terms._vote_requests.clear()  # it may stand again each time
        term = liar.running.replay.term + 1
        return false_rejoin(world, liar, promised=term, vote=vote_for_itself(liar, liar, term))

    keep_claiming(world, liar, promised, every=0.3)
    began = world.now
    until(world, lambda: world.now > began + 35)
    elections = len(events_of(world, events.HostElected, 1))
    assert 2 <= elections <= 4
    assert hosts_of(world) in ([0], [])
    assert finish(world, 0, 1, 2, 3) is CloseReason.STOPPED
