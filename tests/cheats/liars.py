"""What a changed program lies about: lies of the simulation, in the mouth of a real driver.

A `Liar` is given a `MemberDriver` that is about to begin and changes what its machines say. That
what it says is a lie, and how it is called, is in `tests/sim`; here is only how it comes onto a
real connection. Each counts how often it has lied (`fired`).
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
from lanuno.log import bodies
from lanuno.log.bodies import CloseReason
from lanuno.log.entries import Entry
from lanuno.log.replay import Replay
from lanuno.log.votes import Vote, sign_vote
from lanuno.net.member_driver import MemberDriver
from lanuno.table import messages
from lanuno.table.election import SendTo, Standing, Step
from lanuno.table.lobby_peer import LobbyPeer, Seating
from lanuno.table.messages import AtTable, FromPeer
from lanuno.table.outputs import Output
from lanuno.table.session import Session
from tests.harness.adversaries.host_attacks import Craft, Office, branch
from tests.harness.host_and_seats.table_sim import Player, SimPeer, Tamper


class Liar:
    """A changed program that does not lie yet."""

    def __init__(self) -> None:
        self.fired = 0

    def sit(self, driver: MemberDriver) -> None:
        """The log begins, or goes on."""

    def says(self, driver: MemberDriver, link: int, message: AtTable) -> Iterable[AtTable]:
        """What it says over a link instead of this."""
        return [message]


def peer_of(driver: MemberDriver) -> SimPeer:
    """What the lies of the simulation want to know of whoever tells them."""
    member, chance = driver.member, SystemRandom()
    seat = member.seat
    assert seat is not None
    identity = member._stay.identities[0]
    seating = Seating(name="liar", lobby=bytes(16), host=identity.public)
    return SimPeer(
        seat,
        seating.name,
        identity,
        chance,
        LobbyPeer(identity, seating, chance.randbytes),
        SensiblePlayer(chance),
        session=member.first,
    )


class SeatLiar(Liar):
    """Signs something else than its program wants, or nothing, or more: any seat, a host's too."""

    def __init__(self, tamper: Tamper, player: Callable[[SimPeer], Player] | None = None) -> None:
        """`player`: who decides for the seat, so that there is an occasion."""
        super().__init__()
        self._tamper = tamper
        self._player = player

    def sit(self, driver: MemberDriver) -> None:
        member, honest, peer = driver.member, driver.member._to_host, peer_of(driver)
        if self._player is not None:
            playing = driver._programs._playing
            playing[0] = (member.first, Autoplay(member.first, self._player(peer)))

        def to_host(session: Session, message: FromPeer) -> list[Output]:
            if session is not member.first or member.replay.round is None:
                return honest(session, message)
            out: list[Output] = []
            for each in self._tamper(peer, message):
                if isinstance(each, bytes):
                    for line in driver._lines.values():
                        line.channel.send(each)
                else:
                    out += honest(session, each)
            self.fired = int(getattr(self._tamper, "fired", 0))
            return out

        vars(member)["_to_host"] = to_host


@dataclass
class _Own:
    """A seat whose key the liar has."""

    identity: Identity


@dataclass
class _OpenOffice:
    """A real host, as the lies of the simulation want to know it."""

    host: Identity
    journal: Sequence[Entry]
    peers: Mapping[int, _Own]
    replay: Replay
    sequencer: _OpenOffice | None = field(init=False)

    def __post_init__(self) -> None:
        self.sequencer = self


def office_of(driver: MemberDriver) -> Office:
    """The office of a host that runs."""
    member = driver.member
    assert member.sequencer is not None
    own = {
        number: _Own(identity)
        for identity in member._stay.identities
        for number, seat in enumerate(member.replay.roster.seats)
        if seat.identity == identity.public
    }
    return _OpenOffice(
        member._stay.identities[0], member.first.entries, own, member.sequencer.replay
    )


class HostLiar(Liar):
    """Sends another entry than the one that its office has appended, the same to everybody."""

    def __init__(self, craft: Craft) -> None:
        super().__init__()
        self._craft = craft
        self._forged: tuple[int, Entry] | None = None

    def says(self, driver: MemberDriver, link: int, message: AtTable) -> Iterable[AtTable]:
        if not driver.member.hosts or not isinstance(message, messages.Entries):
            return [message]
        told = tuple(self._told(driver, entry) for entry in message.entries)
        return [messages.Entries(message.first, told)]

    def _told(self, driver: MemberDriver, entry: Entry) -> Entry:
        core = entry.read()
        if self._forged is None:
            crafted = self._craft(office_of(driver), core)
            if crafted is None:
                return entry
            self._forged = (core.seq, crafted)
            self.fired += 1
        return self._forged[1] if core.seq == self._forged[0] else entry


class TwoStories(Liar):
    """As host: tells one guest that the match is broken off, and goes on with the others."""

    def __init__(self) -> None:
        super().__init__()
        self._victim: int | None = None

    def says(self, driver: MemberDriver, link: int, message: AtTable) -> Iterable[AtTable]:
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
        totals = tuple(0 for _ in driver.member.replay.match.totals)
        close = bodies.Close(CloseReason.INCOMPLETE, totals, core.seq)
        told = message.entries[: core.seq - message.first]
        other = branch(office_of(driver), core.seq, close)
        return [messages.Entries(message.first, (*told, other)), messages.Firm(core.seq + 1)]


class ManyVotes(Liar):
    """Gives its vote of a term to whoever asks for it.

    As host it leaves in the middle of a deal, and asks each of the others to take over.
    """

    def __init__(self) -> None:
        super().__init__()
        self._given: dict[int, set[int]] = {}
        self._leaves = False

    def sit(self, driver: MemberDriver) -> None:
        election = driver.member.election
        assert election is not None
        honest, key = election.asked, driver.member._stay.identities[0]

        def asked(
            seat: int, message: messages.AskVote, now: float, standing: Standing
        ) -> list[Step]:
            own = driver.member.seat
            if message.pre or own is None:
                return honest(seat, message, now, standing)
            given = self._given.setdefault(message.term, set())
            given.add(seat)
            self.fired += len(given) == 2
            held = (message.last_term, message.count, message.head)
            vote = sign_vote(Vote(standing.table, message.term, seat, own, *held), key)
            answer = messages.GiveVote(False, message.term, True, vote, message.term)
            return [SendTo(seat, answer)]

        vars(election)["asked"] = asked

    def says(self, driver: MemberDriver, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.Abdicate):
            line = driver._lines.get(link)
            seat = None if line is None else driver._seats.get(line.channel.identity)
            return [message if seat is None else messages.Abdicate(message.term, seat)]
        if not self._leaves and driver.member.hosts and _is_pass(message):
            self._leaves = True
            asyncio.get_running_loop().call_soon(driver.leave)
        return [message]


class VotesAgain(Liar):
    """Votes for a candidate, and once that one is the host for somebody else as well."""

    def __init__(self) -> None:
        super().__init__()
        self._given: messages.GiveVote | None = None

    def says(self, driver: MemberDriver, link: int, message: AtTable) -> Iterable[AtTable]:
        if isinstance(message, messages.GiveVote) and message.vote is not None:
            self._given = message
        given, replay = self._given, driver.member.replay
        if given is None or given.vote is None or self.fired or replay.term < given.term:
            return [message]
        self.fired = 1
        vote = given.vote.read()
        other = next(seat for seat in replay.owners if seat not in (vote.candidate, vote.voter))
        second = sign_vote(replace(vote, candidate=other), driver.member._stay.identities[0])
        return [message, replace(given, vote=second)]


def _is_pass(message: AtTable) -> bool:
    return isinstance(message, messages.Entries) and any(
        isinstance(entry.read().signed_body.read().payload, bodies.Pass)
        for entry in message.entries
    )
