"""Computers that only say that they were elected, or whose words are lost: the table goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from msgspec.structs import replace

from lanuno.log import bodies, events
from lanuno.log.bodies import CloseReason, sign_body
from lanuno.log.codec import encode
from lanuno.log.entries import Entry, sign_entry
from lanuno.log.round_record import Phase
from lanuno.table import messages
from lanuno.table.messages import AtTable
from tests.harness.adversaries.false_claims import (
    Liar,
    Lie,
    Pretender,
    goes_on_lying,
    meet_everybody,
    resumed,
    voted_for,
)
from tests.harness.node_world.invariants import Leeway, Watch
from tests.harness.node_world.watched_world import (
    QUICK,
    begun,
    finish,
    heard,
    in_phase,
    rulers,
    until,
)
from tests.harness.node_world.world import Computer, World


def _unsigned(world: World, liar: Computer) -> AtTable:
    """Another end, of a later term, that nobody has voted for."""
    entries = liar.up.first.entries
    first = len(entries) // 2
    core = replace(entries[first].read(), term=liar.up.replay.term + 1)
    return messages.Entries(first, (Entry(encode(core), bytes(64)),))


def _out_of_place(world: World, liar: Computer) -> AtTable:
    entries = liar.up.first.entries
    return messages.Entries(len(entries), (entries[-3],))


def _signed_by_the_liar(world: World, liar: Computer) -> AtTable:
    """An election, with its own vote alone."""
    replay = liar.up.replay
    vote = voted_for(liar, liar, replay.term + 1)
    body = bodies.Body(
        replay.table_id, replay.number, bodies.HOST, 1, replay.head, bodies.Elect((vote,))
    )
    told = sign_body(body, liar.stay.identities[0])
    last = liar.up.first.entries[-1].read()
    core = replace(
        last,
        term=replay.term + 1,
        seq=replay.seq,
        prev=replay.head,
        body=told.body,
        body_signature=told.signature,
    )
    return messages.Entries(replay.seq, (sign_entry(core, liar.stay.identities[0]),))


@pytest.mark.parametrize("lie", [_unsigned, _out_of_place, _signed_by_the_liar])
@pytest.mark.parametrize("bots", [0, 1])
def test_nobody_is_stopped_for_good_by_somebody_who_only_says_that_it_was_elected(
    lie: Lie, bots: int
) -> None:
    world = World(4, 1, bots=[1] * bots, ruleset=QUICK, rounds=1)
    Watch(world, Leeway(stops=True))
    world.start()
    liar = world.computers[3]
    liar.crook = crook = Pretender(world)
    until(world, in_phase(liar, Phase.PLAY))
    meet_everybody(world, liar)
    meet_everybody(world, world.computers[2])
    world.crash(world.computers[0])
    crook.on = True
    told = 0

    def says(computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        nonlocal told
        if not crook.on:
            return [message]
        if isinstance(message, messages.Entries):
            told += 1
            return [message]
        return [messages.HostIs(computer.up.replay.term + 1, computer.number)]

    vars(crook)["says"] = says

    def again() -> None:
        for link in list(liar.links):
            world.send(liar, link, messages.HostIs(liar.up.replay.term + 1, liar.number))
            world.send(liar, link, lie(world, liar))
        if world.now < before + 40:
            world.after(0.5, again)

    before = world.now
    again()
    until(world, lambda: world.now > before + 45)
    crook.on = False
    assert [each.stopped for each in world.computers] == [None] * 4
    finish(world, 1, 2)


class Unlucky(Liar):
    """Honest; but some of what it asks is lost."""

    def __init__(self, loses: Callable[[messages.AskVote, Computer], bool]) -> None:
        super().__init__()
        self.loses = loses

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        there, _ = computer.links.get(link, (None, 0))
        if there is not None and isinstance(message, messages.AskVote):
            return [] if self.loses(message, there) else [message]
        return [message]


def test_two_voters_that_are_out_of_step_elect_an_honest_candidate() -> None:
    """Each has given it a vote in another term, and must wait before it gives the next one."""
    world = begun(5)
    candidate, *voters = world.computers[1:4]
    until(world, in_phase(candidate, Phase.PLAY))
    for voter in voters:
        voter.crook = Unlucky(lambda asked, there: True)  # nobody else can be elected

    def loses(asked: messages.AskVote, there: Computer) -> bool:
        """The vote is asked of both, and only the one hears of it that has given fewer."""
        one, two = (len(voter.disk.votes) for voter in voters)
        if asked.pre or there not in voters or min(one, two) > 5:
            return False
        return there is not voters[0 if one <= two else 1]

    candidate.crook = Unlucky(loses)
    world.crash(world.computers[4])
    world.crash(world.computers[0])
    until(world, lambda: all(len(voter.disk.votes) > 5 for voter in voters))
    out_of_step = world.now
    assert not rulers(world)
    assert world.run(lambda: rulers(world) == [1], most=out_of_step + 45)
    for voter in voters:
        voter.crook = None
    finish(world, 1, 2, 3)


def test_a_host_with_one_accomplice_has_itself_elected_again_only_so_often() -> None:
    """The others can check the accomplice's vote; but they play on in between."""
    world = begun(5)
    host, liar = world.computers[0], world.computers[4]
    until(world, in_phase(liar, Phase.PLAY))

    def promised(world: World, liar: Computer) -> AtTable:
        host.up._claims._stood.clear()  # it stands again as often as it is asked
        term = liar.up.replay.term + 1
        return resumed(world, liar, promised=term, vote=voted_for(liar, liar, term))

    goes_on_lying(world, liar, promised, every=0.3)
    began = world.now
    until(world, lambda: world.now > began + 35)
    elections = len(heard(world, events.HostElected, 1))
    assert 2 <= elections <= 4
    assert rulers(world) in ([0], [])
    assert finish(world, 0, 1, 2, 3) is CloseReason.STOPPED
