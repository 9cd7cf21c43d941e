"""Nodes that lie: each runs an honest program, whose messages are changed.

`peer_attacks.py` and `invalid_peers.py` list the lies of a *seat* in the log; here they are played
in worlds with all other faults. This module adds the lies of a node to other nodes: about
acknowledgements, the end of its log, the host, votes and entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import msgspec

from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.curve import POINT_BYTES
from lanuno.log.audit.audit import Report
from lanuno.log.format.bodies import Body, Complain, Drop, Elect, Pass, sign_body
from lanuno.log.format.entries import Entry, EntryCore, sign_entry
from lanuno.log.round.round_audit import is_proof
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.lobby.peer import LobbyPeer, Seating
from lanuno.table.messages import AtTable
from lanuno.table.outputs import EntriesOnDisk, Output, SyncJournal
from lanuno.table.succession.election import ElectionView, VoterOutput
from tests.harness.adversaries.invalid_peers import INVALID_PEERS, InvalidPeer
from tests.harness.adversaries.peer_attacks import ATTACKS, PeerAttack
from tests.harness.host_and_seats.seat_outputs import is_of_seat
from tests.harness.host_and_seats.table_sim import SimPeer, Tamper
from tests.harness.node_world.invariants import Leeway
from tests.harness.node_world.world import SimulatedNode, World
from tests.harness.replacing import replace_method

HOST_LEEWAY = Leeway(finality=True, log_places=True, stops=True)
"""For a host that signs two logs: replicas stop with the proof, and nothing further is promised."""


class LyingNode:
    """The base of all dishonest nodes. It does nothing dishonest itself."""

    leeway = Leeway()
    hosts = False
    """Whether it can lie only while it is the host."""

    def __init__(self, name: str, chance: Random) -> None:
        self.name = name
        self.chance = chance
        self.fired = 0
        """The number of lies so far."""
        self.moves: Counter[str] = Counter()
        """How often it has made each move, if it has several."""

    def recruit(self, world: World) -> None:
        """Make other nodes dishonest too, before the table begins."""

    def program_started(self, world: World, node: SimulatedNode) -> None:
        """Called right after the node's program has started."""

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        """Return the messages that the node sends instead of this one."""
        return [message]

    def proven(self, report: Report, entries: Iterable[Entry], seats: Set[int]) -> bool:
        """Whether a report on a log names it, if anything in that log can."""
        return True


class LyingSeat(LyingNode):
    """Signs bodies other than those of its program, or none, or additional ones."""

    def __init__(
        self, name: str, chance: Random, tamper: Tamper, attack: PeerAttack | None
    ) -> None:
        super().__init__(name, chance)
        self.tamper = tamper
        self.attack = attack
        self.lies: set[bytes] = set()
        """Bodies that no honest program would have signed."""

    def program_started(self, world: World, node: SimulatedNode) -> None:
        running, honest = node.running, node.running._route_to_host
        identity = node.config.identities[0]
        seating = Seating(name=f"p{node.number}", lobby=bytes(16), host=identity.public)
        peer = SimPeer(
            node.number,
            seating.name,
            identity,
            self.chance,
            LobbyPeer(identity, seating, self.chance.randbytes),
            SensiblePlayer(self.chance),
            session=running.main_session,
        )

        def to_host(message: AtTable) -> Sequence[Output]:
            if not is_of_seat(message, running.seat) or running.replay.round is None:
                return honest(message)
            out: list[Output] = []
            tampered = list(self.tamper(peer, message))
            self.fired += tampered != [message]
            for each in tampered:
                if isinstance(each, bytes):
                    # A node that receives an unreadable message closes the connection.
                    for other in world.nodes:
                        world.after(0.0, partial(world.cut, node, other))
                    continue
                if isinstance(each, messages.Submit) and each != message:
                    self.lies.add(each.body.body)
                out += honest(each)
            return out

        replace_method(running, "_route_to_host", to_host)

    def proven(self, report: Report, entries: Iterable[Entry], seats: Set[int]) -> bool:
        """Whether the report proves one of its lies, if the log or the audit of a round can."""
        attack = self.attack
        if attack is None or any(each.seat in seats and is_proof(each) for each in report.blame):
            return True
        whole = {each.round for each in report.rounds if each.complete}
        logged = [entry.read().signed_body for entry in entries]
        # A copied commitment is detected when it is opened; a seat dropped earlier need not do so.
        read = [signed.read() for signed in logged]
        unopened = {
            body.round
            for body in read
            if isinstance(body.payload, Drop) and body.payload.seat in seats
        }
        dealt = {body.round for body in read if isinstance(body.payload, Pass | Complain)}
        for signed in logged:
            if signed.body not in self.lies:
                continue
            number = signed.read().round
            # Only the seat about to take the first step of a deal opens a wrong share.
            unread = "escrow" in attack.name and number not in dealt
            if unread:
                continue
            if "copied" in attack.name and number in unopened:
                continue
            if attack.live or number in whole:
                return False
        return True


class EarlyAcknowledger(LyingNode):
    """Acknowledges entries that are not on its disk yet, and so may lose them."""

    leeway = Leeway(finality=True, stops=True)

    def program_started(self, world: World, node: SimulatedNode) -> None:
        replica = node.running.replica
        honest = replica.receive

        def receive(message: messages.AtTable) -> Sequence[Output]:
            out = honest(message)
            early = [EntriesOnDisk(each.count) for each in out if isinstance(each, SyncJournal)]
            self.fired += len(early)
            return [*out, *early]

        replace_method(replica, "receive", receive)


class PromiseBreaker(LyingNode):
    """Still acknowledges to a host after voting for another one, or votes for any log."""

    leeway = Leeway(finality=True, stops=True)

    def __init__(self, name: str, chance: Random, *, votes: bool) -> None:
        super().__init__(name, chance)
        self.votes = votes

    def program_started(self, world: World, node: SimulatedNode) -> None:
        running, voter = node.running, node.running.voter
        assert voter is not None
        if not self.votes:
            replace_method(running, "_may_take", self._anything)
            return

        def would_vote(
            seat: int, asked: messages.RequestVote, now: float, standing: ElectionView
        ) -> bool:
            self.fired += 1
            return standing.term < asked.term and asked.term > voter.promised

        honest = voter._sign

        def sign(term: int, candidate: int, standing: ElectionView) -> object:
            # It claims an empty log, which no other node can disprove.
            poor = replace(standing, last_term=0, count=0, head=standing.table)
            return honest(term, candidate, standing if candidate == node.number else poor)

        replace_method(voter, "_would_vote", would_vote)
        replace_method(voter, "_sign", sign)

    def _anything(self, message: AtTable) -> bool:
        self.fired += 1
        return True


class DoubleVoter(LyingNode):
    """Votes for every candidate."""

    leeway = HOST_LEEWAY

    def program_started(self, world: World, node: SimulatedNode) -> None:
        voter = node.running.voter
        assert voter is not None
        honest = voter.vote_requested

        def asked(
            seat: int, message: messages.RequestVote, now: float, standing: ElectionView
        ) -> list[VoterOutput]:
            self.fired += not message.pre
            voter.vote, voter.promised, voter._lost_at = None, 0, now
            return honest(seat, message, now, standing)

        def would_vote(
            seat: int, asked: messages.RequestVote, now: float, standing: ElectionView
        ) -> bool:
            return asked.term > standing.term and seat in standing.owners

        replace_method(voter, "vote_requested", asked)
        replace_method(voter, "_would_vote", would_vote)


class MessageChanger(LyingNode):
    """Replaces messages of its program, at most `times` times."""

    def __init__(
        self,
        name: str,
        chance: Random,
        change: Callable[[MessageChanger, SimulatedNode, AtTable], Iterable[AtTable] | None],
        leeway: Leeway | None = None,
        *,
        hosts: bool = False,
        times: int = 5,
    ) -> None:
        super().__init__(name, chance)
        self.change = change
        self.leeway = leeway or Leeway()
        self.hosts = hosts
        self.times = times
        self.seen: list[AtTable] = []

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if self.fired >= self.times or (self.hosts and not node.running.hosts):
            return [message]
        changed = self.change(self, node, message)
        self.fired += changed is not None
        self.seen.append(message)
        return [message] if changed is None else changed


class Forker(LyingNode):
    """As host, signs another log for some of its replicas, from some entry on."""

    leeway = HOST_LEEWAY
    hosts = True

    def __init__(
        self, name: str, chance: Random, change: Callable[[Entry], dict[str, object]]
    ) -> None:
        super().__init__(name, chance)
        self.change = change
        self.wait = chance.randrange(3, 80)
        self.victims: set[int] = set()
        self.forked_at: int | None = None
        self.forged: dict[bytes, Entry] = {}
        """By hash of an honest entry: the entry that the victims receive instead."""

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        if not node.running.hosts or not isinstance(message, messages.Entries):
            return [message]
        if not self.victims:
            others = sorted({there.number for there, _ in node.links.values()})
            self.victims = set(self.chance.sample(others, max(1, len(others) // 2)))
        if node.links[link][0].number not in self.victims:
            return [message]
        forged_entries = tuple(self._forged_entry(node, entry) for entry in message.entries)
        return [messages.Entries(message.first, forged_entries)]

    def _forged_entry(self, node: SimulatedNode, entry: Entry) -> Entry:
        core = entry.read()
        own = core.term == node.running.replay.term
        elect = isinstance(core.signed_body.read().payload, Elect)
        if not own or elect or core.seq < self.wait or entry.hash in self.forged:
            return self.forged.get(entry.hash, entry)
        changes = {} if self.forked_at is not None else self.change(entry)
        if self.forked_at is None:
            self.forked_at = core.seq
        elif core.prev in self.forged:
            changes = {"prev": self.forged[core.prev].hash}
        self.fired += bool(changes)
        lie = sign_entry(msgspec.structs.replace(core, **changes), node.config.identities[0])
        self.forged[entry.hash] = lie
        return lie


class ListShifter(Forker):
    """As host, sends the next seat the host's own pass with the cards rotated by one place.

    No other node receives that pass, and the host's program restarts without the entry, as after a
    power failure. The same seat is then asked again, with the right list, in the term for which the
    other owners elect the host.
    """

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name, chance, lambda entry: {})
        self.wait = chance.randrange(3)
        """The number of its passes that all nodes receive unchanged first."""
        self.world: World | None = None

    def program_started(self, world: World, node: SimulatedNode) -> None:
        self.world = world

    def outgoing(self, node: SimulatedNode, link: int, message: AtTable) -> Iterable[AtTable]:
        deal = None if node.running.replay.round is None else node.running.replay.round.deal
        if self.forked_at is None and deal is not None and deal.expected is not None:
            # No other seat may answer first: its answer would not fit the list that was sent.
            self.victims = {node.running.replay.owner_of(deal.expected[1])} - {node.number}
        forged = list(super().outgoing(node, link, message)) if self.victims else [message]
        if not self.forged or link not in node.links:
            return forged
        # No other node receives the entry: two entries with one number would prove the lie.
        has_entries = isinstance(message, messages.Entries)
        hidden = has_entries and node.links[link][0].number not in self.victims
        return [] if hidden else forged

    def _forged_entry(self, node: SimulatedNode, entry: Entry) -> Entry:
        core = entry.read()
        if entry.hash in self.forged:
            return self.forged[entry.hash]
        if core.prev in self.forged:
            changes: dict[str, object] = {"prev": self.forged[core.prev].hash}
        elif self.forked_at is not None or not self._is_turn(node, core):
            return entry
        else:
            changes = self._turned(node, core.signed_body.read())
            self.forked_at, self.fired = core.seq, 1
            assert self.world is not None
            self.world.after(self.chance.uniform(0.1, 2.0), partial(self._again, node))
        lie = sign_entry(msgspec.structs.replace(core, **changes), node.config.identities[0])
        self.forged[entry.hash] = lie
        return lie

    def _is_turn(self, node: SimulatedNode, core: EntryCore) -> bool:
        body = core.signed_body.read()
        mine = isinstance(body.payload, Pass) and body.author == node.number
        if not mine or core.term != node.running.replay.term:
            return False
        self.wait -= 1
        return self.wait < 0

    def _turned(self, node: SimulatedNode, body: Body) -> dict[str, object]:
        payload = body.payload
        assert isinstance(payload, Pass)
        points = payload.points[POINT_BYTES:] + payload.points[:POINT_BYTES]
        turned = msgspec.structs.replace(payload, points=points)
        signed = sign_body(msgspec.structs.replace(body, payload=turned), node.config.identities[0])
        return {"body": signed.body, "body_signature": signed.signature}

    def _again(self, node: SimulatedNode) -> None:
        assert self.world is not None
        self.forged.clear()
        self.world.crash(node)
        assert self.forked_at is not None
        del node.disk.entries[self.forked_at :]
        node.disk.durable = min(node.disk.durable, self.forked_at)
        self.world.after(0.2, partial(self.world.restart, node))


# ---- false messages -----------------------------------------------------------------------------


def _false_rejoin(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Claim a later term, a promise that was never given, or another log."""
    if not isinstance(message, messages.Rejoin):
        return None
    chance = liar.chance
    return [
        msgspec.structs.replace(
            message,
            **chance.choice(
                (
                    {"term": message.term + chance.randint(1, 3)},
                    {"promised": message.promised + chance.randint(1, 200)},
                    {"head": chance.randbytes(32)},
                    {"count": message.count + chance.randint(1, 50), "head": chance.randbytes(32)},
                    {"count": 0, "head": bytes(32), "term": 0},
                    {"port": 1},
                )
            ),
        )
    ]


def _false_host(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Name a host for a term without an election."""
    if liar.chance.random() > 0.1:
        return None
    term = node.running.replay.term + liar.chance.randint(0, 2)
    host = liar.chance.choice((node.number, *node.running.replay.owners))
    return [message, messages.HostIs(term, host)]


def _repeated_messages(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Repeat earlier messages, to any node and out of order."""
    if not liar.seen or liar.chance.random() > 0.2:
        return None
    old = [liar.chance.choice(liar.seen) for _ in range(liar.chance.randint(1, 4))]
    return [*old, message, *old]


def _false_addresses(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Announce a false address for every peer."""
    if not isinstance(message, messages.PeerAddresses):
        return None
    places = tuple(
        messages.PeerAddress(place.seat, "10.9.9.9", 1 + liar.chance.randrange(60_000))
        for place in message.places
    )
    return [messages.PeerAddresses(places)]


def _false_transfer(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Transfer the host role, and continue as host."""
    if not isinstance(message, messages.Entries) or liar.chance.random() > 0.05:
        return None
    owners = node.running.replay.owners
    return [
        messages.TransferHost(node.running.replay.term + 1, liar.chance.choice(owners)),
        message,
    ]


def _no_acknowledgements(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Lose a message of acknowledgements, its own among them."""
    return [] if isinstance(message, messages.Statements) else None


def _left_out(liar: MessageChanger, node: SimulatedNode, message: AtTable) -> list[AtTable] | None:
    """Leave out a message of entries."""
    if not isinstance(message, messages.Entries) or liar.chance.random() > 0.02:
        return None
    return []


def _refusals(liar: MessageChanger, node: SimulatedNode, message: AtTable) -> list[AtTable] | None:
    """Refuse a recently signed body without a valid reason."""
    if not isinstance(message, messages.Entries) or not message.entries:
        return None
    body = message.entries[-1].read().signed_body.read()
    if not 0 <= body.author < len(node.running.replay.roster.seats):
        return None
    counter = body.counter + liar.chance.randint(0, 2)
    why = liar.chance.choice(("stale-counter", "unknown-head", "illegal", "not-now"))
    return [messages.BodyRefusal(body.author, counter, why, "not at all"), message]


def _false_votes(
    liar: MessageChanger, node: SimulatedNode, message: AtTable
) -> list[AtTable] | None:
    """Request votes for a log that it does not hold, and answer requests with false votes."""
    match message:
        case messages.RequestVote():
            return [
                msgspec.structs.replace(
                    message, count=message.count + 1000, last_term=message.term - 1
                )
            ]
        case messages.VoteReply():
            return [msgspec.structs.replace(message, granted=True, promised=message.term + 100)]
        case _:
            return None


def _another_time(entry: Entry) -> dict[str, object]:
    """Change the time; the entry stays valid in itself."""
    return {"ms": entry.read().ms + 1}


def _another_state(entry: Entry) -> dict[str, object]:
    return {"state": bytes(32)}


def _nobodys_body(entry: Entry) -> dict[str, object]:
    return {"body_signature": bytes(64)}


def _another_history(entry: Entry) -> dict[str, object]:
    return {"prev": bytes(32)}


MakeLyingNode = Callable[[Random], LyingNode]


@dataclass(frozen=True)
class AdversaryKind:
    """One way to be dishonest."""

    name: str
    make: MakeLyingNode
    ruleset: Ruleset | None = None
    """Rules under which it is possible."""
    seats: int = 2
    """The smallest number of seats."""


def _message_changer(
    name: str,
    change: Callable[[MessageChanger, SimulatedNode, AtTable], Iterable[AtTable] | None],
    leeway: Leeway | None = None,
    *,
    hosts: bool = False,
    times: int = 5,
) -> AdversaryKind:
    return AdversaryKind(
        name, lambda chance: MessageChanger(name, chance, change, leeway, hosts=hosts, times=times)
    )


def _lying_seat(attack: PeerAttack) -> AdversaryKind:
    def make(chance: Random) -> LyingNode:
        return LyingSeat(attack.name, chance, attack.make(), attack)

    rules = attack.ruleset if attack.ruleset != Ruleset() else None
    return AdversaryKind(attack.name, make, rules, attack.seats)


def _invalid_seat(each: InvalidPeer) -> AdversaryKind:
    rules = each.ruleset if each.ruleset != Ruleset() else None
    return AdversaryKind(
        each.name, lambda chance: LyingSeat(each.name, chance, each.make(), None), rules
    )


def _forker(name: str, change: Callable[[Entry], dict[str, object]]) -> AdversaryKind:
    return AdversaryKind(name, lambda chance: Forker(name, chance, change), seats=3)


LYING_SEATS = tuple(map(_lying_seat, ATTACKS))
"""Seats that sign invalid steps, keys, shares, seeds, acts or claims, or use a counter twice."""

INVALID_SEATS = tuple(map(_invalid_seat, INVALID_PEERS))
"""Seats that withhold messages, or send messages that prove nothing."""

FALSE_MESSAGES = (
    _message_changer("false resume", _false_rejoin),
    _message_changer("false host", _false_host),
    _message_changer("old words", _repeated_messages, times=40),
    _message_changer("false votes", _false_votes),
    _message_changer("false places", _false_addresses, hosts=True),
    _message_changer("false abdication", _false_transfer, hosts=True),
    _message_changer("refusals", _refusals, hosts=True, times=30),
)
"""Nodes that send other nodes false statements which no node has to believe."""

LYING_OWNERS = (
    AdversaryKind(
        "false acknowledgements", lambda chance: EarlyAcknowledger("false acknowledgements", chance)
    ),
    AdversaryKind("faithless", lambda chance: PromiseBreaker("faithless", chance, votes=False)),
    AdversaryKind(
        "votes for any log", lambda chance: PromiseBreaker("votes for any log", chance, votes=True)
    ),
    AdversaryKind("votes twice", lambda chance: DoubleVoter("votes twice", chance), seats=3),
)
"""Owners whose acknowledgements or votes are worthless."""

LYING_HOSTS = (
    _message_changer("no acknowledgements", _no_acknowledgements, Leeway(), hosts=True),
    _message_changer("left out", _left_out, Leeway(stops=True), hosts=True, times=1),
    AdversaryKind(
        "shows a shifted list", lambda chance: ListShifter("shows a shifted list", chance), seats=3
    ),
    _forker("two stories", _another_time),
    _forker("another state", _another_state),
    _forker("nobody's body", _nobodys_body),
    _forker("another history", _another_history),
)
"""Hosts that lie to their replicas."""

GROUPS: tuple[tuple[int, tuple[AdversaryKind, ...]], ...] = (
    (8, LYING_SEATS),
    (4, INVALID_SEATS),
    (4, FALSE_MESSAGES),
    (3, LYING_OWNERS),
    (3, LYING_HOSTS),
)
"""The groups of adversaries, each with the weight of its choice."""


def choose_adversary(chance: Random, owners: int) -> AdversaryKind:
    """Return a random kind of adversary for a table with this number of owners."""
    weights = [weight for weight, _ in GROUPS]
    while True:
        group = chance.choices([kinds for _, kinds in GROUPS], weights)[0]
        kind = chance.choice(group)
        if kind.seats <= owners:
            return kind
