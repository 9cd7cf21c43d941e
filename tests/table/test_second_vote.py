"""An owner shows its host a vote that contradicts the one by which that host was elected."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from lanuno.log.audit.audit import audit
from lanuno.log.faults import AuditVerdict, Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Elect
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.table import inputs
from lanuno.table.host.role import HostRole
from lanuno.table.messages import VoteReply
from lanuno.table.outputs import AppendEntry, Output
from tests.harness.log_table.elections import elect, vote
from tests.harness.log_table.log_table import identity, new_table
from tests.harness.node_world.watched_world import QUICK, ended, in_phase, until
from tests.harness.node_world.world import SimulatedNode, World


def said(out: Sequence[Output]) -> list[bodies.Payload]:
    """Return the payloads that were appended to the log."""
    kept = [each.entry for each in out if isinstance(each, AppendEntry)]
    return [entry.read().signed_body.read().payload for entry in kept]


def test_only_a_vote_that_contradicts_the_log_is_exposed_and_that_once() -> None:
    table = new_table(4, salt=6)
    elect(table, 1, 3)
    host_role = HostRole(table.replay, table.entries, identity(1), 0.0)
    for nothing in (
        SignedVote(b"nonsense", bytes(64)),
        vote(table, 2, 3, 2),
        vote(table, 2, 3, 0),
        vote(table, 2, 1, 3),
        vote(table, 0, 3, 3),
        SignedVote(vote(table, 2, 3, 3).vote, bytes(64)),
    ):
        assert host_role.check_vote(nothing, 0.0) == []
    exposed = said(host_role.check_vote(vote(table, 2, 3, 3), 0.0))
    assert isinstance(exposed[0], bodies.ExposeVotes)
    assert host_role.check_vote(vote(table, 2, 3, 3), 0.0) == []
    assert host_role.check_vote(vote(table, 2, 0, 3), 0.0) == []


def votes_of(host: SimulatedNode) -> list[ElectionVote]:
    """Return the votes by which this host was elected."""
    elected = host.running.replica.entries[host.running.replay.terms[-1].first]
    payload = elected.read().signed_body.read().payload
    assert isinstance(payload, Elect)
    return [signed.read() for signed in payload.votes]


def with_another_host() -> tuple[World, SimulatedNode, SimulatedNode, SignedVote]:
    """Return a table that lost its first host, the next host, a voter for it, and a second vote."""
    world = World(4, 1, ruleset=QUICK, rounds=1)
    world.start()
    until(world, in_phase(world.nodes[1], ProtocolPhase.PLAY))
    world.crash(world.nodes[0])
    until(world, lambda: any(each.running.hosts for each in world.running))
    (host,) = [each for each in world.running if each.running.hosts]
    given = next(each for each in votes_of(host) if each.voter != host.number)
    liar = world.nodes[given.voter]
    other = next(seat for seat in (1, 2, 3) if seat not in (host.number, given.voter))
    return world, host, liar, sign_vote(replace(given, candidate=other), liar.config.identities[0])


def test_the_host_names_who_votes_again_and_the_others_play_on() -> None:
    world, host, liar, second = with_another_host()
    link = next(link for link, (there, _) in host.links.items() if there is liar)
    shown = VoteReply(False, host.running.replay.term, True, second, host.running.replay.term)
    world.do(host, host.running.step(inputs.MessageReceived(link, shown), world.now))
    until(world, ended(world, 1, 2, 3))
    report = audit(world.transcript(host))
    assert report.verdict is AuditVerdict.CHEATING
    blame = {(each.seat, each.fault) for each in report.blame}
    assert blame == {(liar.number, Fault.DOUBLE_VOTE)}
    assert liar.number not in host.running.replay.match.playing
    assert report.rounds[-1].complete


def test_the_host_exposes_the_contradicting_vote_of_a_returning_owner() -> None:
    _, host, liar, second = with_another_host()
    link = next(link for link, (there, _) in host.links.items() if there is liar)
    word = replace(liar.running._rejoin_message(), vote=second)
    assert any(
        isinstance(each, bodies.ExposeVotes)
        for each in said(host.running.step(inputs.MessageReceived(link, word), 0))
    )


def test_a_guest_does_not_expose_a_contradicting_vote() -> None:
    world, host, liar, second = with_another_host()
    (guest,) = [each for each in world.running if each not in (host, liar)]
    until(world, lambda: guest.running.replay.term == host.running.replay.term)
    link = next(iter(guest.links))
    shown = VoteReply(False, host.running.replay.term, True, second, host.running.replay.term)
    assert said(guest.running.step(inputs.MessageReceived(link, shown), world.now)) == []
