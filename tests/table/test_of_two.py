"""Of two owners only the host rules, and the other one cannot keep it from doing so."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from lanuno.log import events
from lanuno.log.bodies import HOST, CloseReason, DropReason
from lanuno.log.codec import encode
from lanuno.log.round_record import Phase
from lanuno.table import messages
from lanuno.table.messages import AtTable
from lanuno.table.outputs import Hosting, KeepVote
from lanuno.table.sequencer import Sequencer
from tests.harness.adversaries.false_claims import voted_for
from tests.harness.log_table.elections import signed_vote
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.node_world.watched_world import begun, finish, heard, in_phase, until
from tests.harness.node_world.world import Computer, World


class Withholding:
    """Signs a vote of a later term for itself, shows it again and again, and gives no other.

    `grants`: it says beforehand that it would. `votes`: it even gives it, and acknowledges nothing.
    """

    def __init__(self, *, grants: bool = False, votes: bool = False, acks: bool = False) -> None:
        self.grants, self.votes, self.acks = grants, votes, acks
        self.term = 0

    def sit(self, world: World, computer: Computer) -> None:
        pass

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if not self.term:
            return [message]
        if isinstance(message, messages.GiveVote):
            if message.pre:
                return [messages.GiveVote(True, message.term, self.grants, None, self.term)]
            return [message] if self.votes else []
        if isinstance(message, messages.Ack):
            return [message] if self.acks else []
        if isinstance(message, messages.Resume):
            return [resume(computer, self.term)]
        return [message]


def resume(guest: Computer, term: int) -> messages.Resume:
    """It shows that it has promised a later term."""
    end = guest.up.replay.end
    return messages.Resume(end.term, end.count, end.head, term, 0, voted_for(guest, guest, term))


def shows_again_and_again(world: World, guest: Computer, every: float = 5.0) -> None:
    """Each time in a term that is later than the log's."""
    crook = guest.crook
    assert isinstance(crook, Withholding)

    def again() -> None:
        if guest.up.replay.closed is None:
            crook.term = max(crook.term, guest.up.replay.term + 1)
            for link in list(guest.links):
                world.send(guest, link, resume(guest, crook.term))
            world.after(every, again)

    again()


@pytest.mark.parametrize(
    ("grants", "votes"), [(False, False), (True, False), (True, True)], ids=["no", "says", "gives"]
)
def test_a_guest_that_shows_a_vote_and_then_does_nothing_is_dropped(
    grants: bool, votes: bool
) -> None:
    world = begun(2)
    host, guest = world.computers
    guest.crook = Withholding(grants=grants, votes=votes)
    until(world, in_phase(host, Phase.PLAY))
    shows_again_and_again(world, guest)
    began = world.now
    until(world, lambda: host.up.replay.closed is not None)
    assert world.now < began + 90
    assert host.up.replay.closed is CloseReason.FINISHED
    assert host.up.replay.dropped[guest.number] in (DropReason.SILENT, DropReason.LOST)
    assert host.up.replay.match.winners == (host.number,)


def test_a_guest_that_shows_votes_and_plays_on_holds_nothing_up() -> None:
    """Each election takes a moment, and none comes soon after another."""
    world = begun(2)
    host, guest = world.computers
    guest.crook = Withholding(grants=True, votes=True, acks=True)
    until(world, in_phase(host, Phase.PLAY))
    shows_again_and_again(world, guest, every=0.4)
    began = world.now
    until(world, lambda: host.up.replay.closed is not None)
    assert world.now < began + 90
    assert 1 <= len(heard(world, events.HostElected, 0)) <= 1 + world.now / 20


def test_an_honest_guest_with_a_later_promise_elects_the_host_while_that_rules_on() -> None:
    world = begun(2)
    host, guest = world.computers
    until(world, in_phase(host, Phase.PLAY))
    assert guest.up.election is not None
    guest.disk.votes[1] = encode(voted_for(guest, guest, 1))
    world.crash(guest)
    world.restart(guest)
    assert finish(world) is CloseReason.STOPPED
    assert host.up.replay.term == 2
    assert len(heard(world, events.HostElected, 0)) == 1


# ---- what is certain of two ---------------------------------------------------------------------


def left_by_a_third(*, firm: bool) -> tuple[LogTable, Sequencer]:
    """Of three owners one was dropped; the host of the next term, and what it knows of that."""
    table = new_table(3)
    table.say(HOST, table.boundary())
    table.drop(2, DropReason.LOST)
    unsure = 0 if firm else table.replay.seq
    votes = [signed_vote(table.replay, seat, table.replay.host) for seat in (0, 1)]
    entry, _ = table.replay.elect(votes, table.replay.times.ms, identity(0))
    table.entries.append(entry)
    office = Sequencer(table.replay, table.entries, identity(0), 0.0, unsure=unsure)
    office.attach(0, 0, table.replay.seq, 0.0)
    office.begin(0.0)
    return table, office


@pytest.mark.parametrize("firm", [True, False])
def test_a_host_of_two_drops_the_other_alone_only_where_these_two_are_certain(firm: bool) -> None:
    table, office = left_by_a_third(firm=firm)
    office.receive(0, messages.Ack(table.replay.seq), 1.0)
    grace = table.replay.roster.ruleset.grace_first_s
    office.tick(grace + 2.0)
    # Nobody knows why it is not there: the person here says when to go on without it.
    assert 1 not in office.replay.dropped
    assert office.claimable == ((1,) if firm else ())
    office.claim(grace + 2.0)
    assert (1 in office.replay.dropped) is firm
    if firm:
        return
    standing = office._firm
    assert standing.changing
    # The other one says that it has all of it.
    office.attach(1, 1, 0, grace + 3.0)
    office.receive(1, messages.Ack(office.replay.seq), grace + 3.0)
    assert (standing.changing, standing.decides_alone) == (False, True)


class Boaster(Withholding):
    """Says that it holds more than the host that has started again, and shows nothing."""

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.Resume) and self.term:
            return [replace(message, count=message.count + 5)]
        return [message]


def test_a_host_of_two_that_started_again_says_that_it_waits_for_what_the_other_holds() -> None:
    """It cannot know that nothing was lost here, and signs nothing twice."""
    world = begun(2)
    world.trace = []
    host, guest = world.computers
    until(world, in_phase(host, Phase.PLAY))
    guest.crook = crook = Boaster()
    crook.term = 1
    world.crash(host)
    world.trace.clear()
    world.restart(host)
    world.run(lambda: False, most=world.now + 30)
    assert host.links
    assert not host.up.hosts
    assert [line for line in world.trace if " 0: TableFrozen(here=1, wanted=2)" in line]
    crook.term = 0
    assert finish(world) is CloseReason.STOPPED
    assert [line for line in world.trace if " 0: TableFrozen(here=2, wanted=2)" in line]


def test_a_host_that_votes_for_another_rules_no_more() -> None:
    """It promised a later term to itself when there were two; by now a third may be elected."""
    world = begun(3)
    host = world.computers[0]
    until(world, in_phase(host, Phase.PLAY))
    assert host.up.election is not None
    host.up.election.promised = 3
    link = next(link for link, (there, _) in host.links.items() if there.number == 1)
    end = host.up.replay.end
    ask = messages.AskVote(False, 4, end.term, end.count, end.head)
    out = host.up.heard(link, ask, world.now)
    assert [each for each in out if isinstance(each, KeepVote)]
    assert Hosting(False) in out
    assert not host.up.hosts
