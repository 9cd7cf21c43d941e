"""The lies of a modified program: those of the simulation, sent by a real node runtime.

A `Liar` gets a `NodeRuntime` that is about to begin and changes the messages of its machines. The
lies themselves are in `tests/harness/adversaries`; this module puts them onto a real connection.
Each liar counts how often it has lied (`fired`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import SystemRandom

from msgspec.structs import replace

from lanuno.bots.autoplay import Autoplay
from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.identity import Identity
from lanuno.log.format import bodies
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.format.votes import ElectionVote, sign_vote
from lanuno.log.replay.replay import Replay
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.table import messages
from lanuno.table.lobby.peer import LobbyPeer, Seating
from lanuno.table.messages import AtTable
from lanuno.table.outputs import Output
from lanuno.table.succession.election import ElectionView, SendToOwner, VoterOutput
from tests.harness.adversaries.host_attacks import ForgeEntry, LyingHost, forked_entry
from tests.harness.host_and_seats.seat_outputs import is_of_seat
from tests.harness.host_and_seats.table_sim import Player, SimPeer, Tamper
from tests.harness.replacing import replace_method


class Liar:
    """A modified program; this base class does not lie."""

    def __init__(self) -> None:
        self.fired = 0

    def sit(self, runtime: NodeRuntime) -> None:
        """Handle the log's beginning or continuation."""

    def says(self, runtime: NodeRuntime, link: int, message: AtTable) -> Iterable[AtTable]:
        """Return the messages to send over a link instead of this one."""
        return [message]


def peer_of(driver: NodeRuntime) -> SimPeer:
    """Return the peer that lies, as the lies of the simulation expect it."""
    node, chance = driver.node, SystemRandom()
    seat = node.seat
    assert seat is not None
    identity = node._config.identities[0]
    seating = Seating(name="liar", lobby=bytes(16), host=identity.public)
    return SimPeer(
        seat,
        seating.name,
        identity,
        chance,
        LobbyPeer(identity, seating, chance.randbytes),
        SensiblePlayer(chance),
        session=node.main_session,
    )


class SeatLiar(Liar):
    """Signs bodies other than those of its program, or none, or additional ones, for any seat."""

    def __init__(self, tamper: Tamper, player: Callable[[SimPeer], Player] | None = None) -> None:
        """`player` makes the player that decides for the seat, so that the moment comes."""
        super().__init__()
        self._tamper = tamper
        self._player = player

    def sit(self, runtime: NodeRuntime) -> None:
        node, peer = runtime.node, peer_of(runtime)
        honest, acknowledge = node._route_to_host, node._acknowledge
        if self._player is not None:
            playing = runtime._bots._playing
            playing[0] = Autoplay(node.main_session, self._player(peer))

        def tampered(message: AtTable, send: Callable[[AtTable], Sequence[Output]]) -> list[Output]:
            out: list[Output] = []
            for each in self._tamper(peer, message):
                if isinstance(each, bytes):
                    for line in runtime._connections.values():
                        line.channel.send(each)
                else:
                    out += send(each) if isinstance(each, type(message)) else honest(each)
            self.fired = int(getattr(self._tamper, "fired", 0))
            return out

        def to_host(message: AtTable) -> Sequence[Output]:
            if not is_of_seat(message, node.seat) or node.replay.round is None:
                return honest(message)
            return tampered(message, honest)

        def acknowledges(count: int) -> Sequence[Output]:
            if node.replay.round is None:
                return acknowledge(count)
            # The lie decides whether anything is acknowledged, and what else is said then.
            return tampered(messages.Statements(()), lambda _: acknowledge(count))

        replace_method(node, "_route_to_host", to_host)
        replace_method(node, "_acknowledge", acknowledges)


@dataclass
class _Own:
    """A seat whose key the liar has."""

    identity: Identity


@dataclass
class _OpenHostRole:
    """A real host, with the interface that the lies of the simulation expect."""

    host: Identity
    journal: Sequence[Entry]
    peers: Mapping[int, _Own]
    replay: Replay
    host_role: _OpenHostRole | None = field(init=False)

    def __post_init__(self) -> None:
        self.host_role = self


def host_role_of(driver: NodeRuntime) -> LyingHost:
    """Return the host role of a running host, as the lies of the simulation expect it."""
    node = driver.node
    assert node.host_role is not None
    own = {
        number: _Own(identity)
        for identity in node._config.identities
        for number, seat in enumerate(node.replay.roster.seats)
        if seat.identity == identity.public
    }
    return _OpenHostRole(
        node._config.identities[0], node.replica.entries, own, node.host_role.replay
    )


class HostLiar(Liar):
    """Replaces an entry of its host role with another one, which is the same for all peers."""

    def __init__(self, craft: ForgeEntry) -> None:
        super().__init__()
        self._craft = craft
        self._forged: tuple[int, Entry] | None = None

    def says(self, runtime: NodeRuntime, link: int, message: AtTable) -> Iterable[AtTable]:
        if not runtime.node.hosts or not isinstance(message, messages.Entries):
            return [message]
        told = tuple(self._told(runtime, entry) for entry in message.entries)
        return [messages.Entries(message.first, told)]

    def _told(self, runtime: NodeRuntime, entry: Entry) -> Entry:
        core = entry.read()
        if self._forged is None:
            crafted = self._craft(host_role_of(runtime), core)
            if crafted is None:
                return entry
            self._forged = (core.seq, crafted)
            self.fired += 1
        return self._forged[1] if core.seq == self._forged[0] else entry


class TwoStories(Liar):
    """As host, tells one guest that the match is broken off, and continues with the others."""

    def __init__(self) -> None:
        super().__init__()
        self._victim: int | None = None

    def says(self, runtime: NodeRuntime, link: int, message: AtTable) -> Iterable[AtTable]:
        if link == self._victim:
            return []
        if self._victim is not None or not isinstance(message, messages.Entries):
            return [message]
        passed = [
            core
            for core in map(Entry.read, message.entries)
            if isinstance(core.signed_body.read().payload, bodies.Pass)
        ]
        if not passed:
            return [message]
        core = passed[0]
        self._victim = link
        self.fired += 1
        totals = tuple(0 for _ in runtime.node.replay.match.totals)
        close = bodies.Close(CloseReason.INCOMPLETE, totals, core.seq)
        told = message.entries[: core.seq - message.first]
        other = forked_entry(host_role_of(runtime), core.seq, close)
        return [messages.Entries(message.first, (*told, other))]


class ManyVotes(Liar):
    """Gives its vote of a term to every candidate that asks for it.

    As host it leaves in the middle of a deal, and asks each of the others to take over.
    """

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[int, set[int]] = {}
        self._leaves = False

    def sit(self, runtime: NodeRuntime) -> None:
        election = runtime.node.voter
        assert election is not None
        honest, key = election.vote_requested, runtime.node._config.identities[0]

        def asked(
            seat: int, message: messages.RequestVote, now: float, standing: ElectionView
        ) -> list[VoterOutput]:
            own = runtime.node.seat
            if message.pre or own is None:
                return honest(seat, message, now, standing)
            given = self._given.setdefault(message.term, set())
            given.add(seat)
            self.fired += len(given) == 2
            held = (message.last_term, message.count, message.head)
            vote = sign_vote(ElectionVote(standing.table, message.term, seat, own, *held), key)
            answer = messages.VoteReply(False, message.term, True, vote, message.term)
            return [SendToOwner(seat, answer)]

        replace_method(election, "vote_requested", asked)

    def says(self, runtime: NodeRuntime, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.TransferHost):
            line = runtime._connections.get(link)
            seat = None if line is None else runtime._seats_by_identity.get(line.channel.identity)
            return [message if seat is None else messages.TransferHost(message.term, seat)]
        if not self._leaves and runtime.node.hosts and _is_pass(message):
            self._leaves = True
            asyncio.get_running_loop().call_soon(runtime.leave)
        return [message]


class VotesAgain(Liar):
    """Votes for a candidate, and once that one is the host, for another candidate as well."""

    def __init__(self) -> None:
        super().__init__()
        self._given: messages.VoteReply | None = None

    def says(self, runtime: NodeRuntime, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.VoteReply) and message.vote is not None:
            self._given = message
        given, replay = self._given, runtime.node.replay
        if given is None or given.vote is None or self.fired or replay.term < given.term:
            return [message]
        self.fired = 1
        vote = given.vote.read()
        other = next(seat for seat in replay.owners if seat not in (vote.candidate, vote.voter))
        second = sign_vote(replace(vote, candidate=other), runtime.node._config.identities[0])
        return [message, replace(given, vote=second)]


def _is_pass(message: AtTable) -> bool:
    return isinstance(message, messages.Entries) and any(
        isinstance(entry.read().signed_body.read().payload, bodies.Pass)
        for entry in message.entries
    )
