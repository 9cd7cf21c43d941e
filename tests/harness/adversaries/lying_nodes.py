"""Computers that lie: an honest program each, and what is changed in what it says.

What a *seat* can lie about in the log is the table of `peer_attacks.py` and `invalid_peers.py`,
played here in worlds where everything else goes wrong as well. What is here beside it is what a
computer can say to other computers: acknowledgements, where it stands, who is host, votes, entries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Set
from dataclasses import dataclass, replace
from functools import partial
from random import Random

import msgspec

from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.curve import POINT_BYTES
from lanuno.log.audit import Report
from lanuno.log.bodies import Body, Complain, Drop, Elect, Pass, sign_body
from lanuno.log.entries import Entry, EntryCore, sign_entry
from lanuno.log.round_audit import proves
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.election import Standing, Step
from lanuno.table.lobby_peer import LobbyPeer, Seating
from lanuno.table.messages import AtTable, FromPeer
from lanuno.table.outputs import Output, Sync, ToHost
from lanuno.table.session import Session
from tests.harness.adversaries.invalid_peers import NUISANCES, Nuisance
from tests.harness.adversaries.peer_attacks import ATTACKS, PeerAttack
from tests.harness.host_and_seats.table_sim import SimPeer, Tamper
from tests.harness.node_world.invariants import Leeway
from tests.harness.node_world.world import Computer, World

OF_A_HOST = Leeway(firm=True, places=True, stops=True)
"""A host that signs two stories: whoever follows stops with the proof, and no more is promised."""


class Crooked:
    """A dishonest computer that does nothing dishonest yet."""

    leeway = Leeway()
    hosts = False
    """Whether it has to be the host to lie."""

    def __init__(self, name: str, chance: Random) -> None:
        self.name = name
        self.chance = chance
        self.fired = 0
        """How often it has lied."""
        self.moves: Counter[str] = Counter()
        """How often it has done what, if it does several things."""

    def recruit(self, world: World) -> None:
        """Make others dishonest as well, before anything has begun."""

    def sit(self, world: World, computer: Computer) -> None:
        """Its program was just started."""

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        """What it says instead of this."""
        return [message]

    def proven(self, report: Report, entries: Iterable[Entry], seats: Set[int]) -> bool:
        """Whether a report on a log names it, if anything in that log can."""
        return True


class LyingSeat(Crooked):
    """Signs something else than its program wants, or nothing, or more."""

    def __init__(
        self, name: str, chance: Random, tamper: Tamper, attack: PeerAttack | None
    ) -> None:
        super().__init__(name, chance)
        self.tamper = tamper
        self.attack = attack
        self.lies: set[bytes] = set()
        """Bodies that no honest program would have signed."""

    def sit(self, world: World, computer: Computer) -> None:
        member, honest = computer.up, computer.up._to_host
        identity = computer.stay.identities[0]
        seating = Seating(name=f"p{computer.number}", lobby=bytes(16), host=identity.public)
        peer = SimPeer(
            computer.number,
            seating.name,
            identity,
            self.chance,
            LobbyPeer(identity, seating, self.chance.randbytes),
            SensiblePlayer(self.chance),
            session=member.first,
        )

        def to_host(session: Session, message: FromPeer) -> list[Output]:
            if session is not member.first or member.replay.round is None:
                return honest(session, message)
            out: list[Output] = []
            said = list(self.tamper(peer, message))
            self.fired += said != [message]
            for each in said:
                if isinstance(each, bytes):
                    # Whoever hears what is no message hangs up.
                    for other in world.computers:
                        world.after(0.0, partial(world.cut, computer, other))
                    continue
                if isinstance(each, messages.Submit) and each != message:
                    self.lies.add(each.body.body)
                out += honest(session, each)
            return out

        vars(member)["_to_host"] = to_host

    def proven(self, report: Report, entries: Iterable[Entry], seats: Set[int]) -> bool:
        """A lie in the log that the log proves, or that the audit of its round proves."""
        attack = self.attack
        if attack is None or any(each.seat in seats and proves(each) for each in report.blame):
            return True
        whole = {each.round for each in report.rounds if each.complete}
        said = [entry.read().signed_body for entry in entries]
        # A copied commitment shows when it is opened, which whoever is dropped before need not do.
        read = [signed.read() for signed in said]
        unopened = {
            body.round
            for body in read
            if isinstance(body.payload, Drop) and body.payload.seat in seats
        }
        dealt = {body.round for body in read if isinstance(body.payload, Pass | Complain)}
        for signed in said:
            if signed.body not in self.lies:
                continue
            number = signed.read().round
            # A wrong share is opened only by who is about to take the first step of a deal.
            unread = "escrow" in attack.name and number not in dealt
            if unread:
                continue
            if "copied" in attack.name and number in unopened:
                continue
            if attack.live or number in whole:
                return False
        return True


class Hasty(Crooked):
    """Acknowledges entries that are not on its disk, and loses them gladly."""

    leeway = Leeway(firm=True, stops=True)

    def sit(self, world: World, computer: Computer) -> None:
        session = computer.up.first
        honest = session.receive

        def receive(message: messages.FromHost) -> list[Output]:
            out = honest(message)
            early = [ToHost(messages.Ack(each.count)) for each in out if isinstance(each, Sync)]
            self.fired += len(early)
            return [*out, *early]

        vars(session)["receive"] = receive


class Faithless(Crooked):
    """Goes on acknowledging to a host after having voted for another, or votes for any log."""

    leeway = Leeway(firm=True, stops=True)

    def __init__(self, name: str, chance: Random, *, votes: bool) -> None:
        super().__init__(name, chance)
        self.votes = votes

    def sit(self, world: World, computer: Computer) -> None:
        member, election = computer.up, computer.up.election
        assert election is not None
        if not self.votes:
            vars(member)["_may_take"] = self._anything
            return

        def would_vote(seat: int, asked: messages.AskVote, now: float, standing: Standing) -> bool:
            self.fired += 1
            return standing.term < asked.term and asked.term > election.promised

        honest = election._sign

        def sign(term: int, candidate: int, standing: Standing) -> object:
            # It says that it holds nothing: nobody can tell.
            poor = replace(standing, last_term=0, count=0, head=standing.table)
            return honest(term, candidate, standing if candidate == computer.number else poor)

        vars(election)["_would_vote"] = would_vote
        vars(election)["_sign"] = sign

    def _anything(self, message: AtTable) -> bool:
        self.fired += 1
        return True


class DoubleVoter(Crooked):
    """Gives its vote to whoever asks."""

    leeway = OF_A_HOST

    def sit(self, world: World, computer: Computer) -> None:
        election = computer.up.election
        assert election is not None
        honest = election.asked

        def asked(
            seat: int, message: messages.AskVote, now: float, standing: Standing
        ) -> list[Step]:
            self.fired += not message.pre
            vars(election).update(_vote=None, promised=0, _lost_at=now)
            return honest(seat, message, now, standing)

        def would_vote(seat: int, asked: messages.AskVote, now: float, standing: Standing) -> bool:
            return asked.term > standing.term and seat in standing.owners

        vars(election)["asked"] = asked
        vars(election)["_would_vote"] = would_vote


class Twister(Crooked):
    """Says something else than its program, so many times."""

    def __init__(
        self,
        name: str,
        chance: Random,
        twist: Callable[[Twister, Computer, AtTable], Iterable[AtTable] | None],
        leeway: Leeway | None = None,
        *,
        hosts: bool = False,
        times: int = 5,
    ) -> None:
        super().__init__(name, chance)
        self.twist = twist
        self.leeway = leeway or Leeway()
        self.hosts = hosts
        self.times = times
        self.heard: list[AtTable] = []

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if self.fired >= self.times or (self.hosts and not computer.up.hosts):
            return [message]
        said = self.twist(self, computer, message)
        self.fired += said is not None
        self.heard.append(message)
        return [message] if said is None else said


class Forker(Crooked):
    """As host: from some entry on it signs another story for some of those who follow it."""

    leeway = OF_A_HOST
    hosts = True

    def __init__(
        self, name: str, chance: Random, change: Callable[[Entry], dict[str, object]]
    ) -> None:
        super().__init__(name, chance)
        self.change = change
        self.wait = chance.randrange(3, 80)
        self.victims: set[int] = set()
        self.from_on: int | None = None
        self.other: dict[bytes, Entry] = {}
        """By hash of an honest entry: what the victims are shown."""

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        if not computer.up.hosts or not isinstance(message, messages.Entries):
            return [message]
        if not self.victims:
            others = sorted({there.number for there, _ in computer.links.values()})
            self.victims = set(self.chance.sample(others, max(1, len(others) // 2)))
        if computer.links[link][0].number not in self.victims:
            return [message]
        told = tuple(self._told(computer, entry) for entry in message.entries)
        return [messages.Entries(message.first, told)]

    def _told(self, computer: Computer, entry: Entry) -> Entry:
        core = entry.read()
        own = core.term == computer.up.replay.term
        elect = isinstance(core.signed_body.read().payload, Elect)
        if not own or elect or core.seq < self.wait or entry.hash in self.other:
            return self.other.get(entry.hash, entry)
        changes = {} if self.from_on is not None else self.change(entry)
        if self.from_on is None:
            self.from_on = core.seq
        elif core.prev in self.other:
            changes = {"prev": self.other[core.prev].hash}
        self.fired += bool(changes)
        lie = sign_entry(msgspec.structs.replace(core, **changes), computer.stay.identities[0])
        self.other[entry.hash] = lie
        return lie


class Shifter(Forker):
    """As host: whoever is next is shown its own pass with the cards turned by one place.

    Nobody else hears of it, and its program starts again without that entry, as after a loss of
    power: the same seat is asked once more, with the right list, in the term for which the others
    elect it.
    """

    def __init__(self, name: str, chance: Random) -> None:
        super().__init__(name, chance, lambda entry: {})
        self.wait = chance.randrange(3)
        """So many of its passes are shown to everybody as they are."""
        self.world: World | None = None

    def sit(self, world: World, computer: Computer) -> None:
        self.world = world

    def says(self, computer: Computer, link: int, message: AtTable) -> Iterable[AtTable]:
        deal = None if computer.up.replay.round is None else computer.up.replay.round.deal
        if self.from_on is None and deal is not None and deal.expected is not None:
            # Nobody else's answer may come before: it would not fit the list that was shown.
            self.victims = {computer.up.replay.owner_of(deal.expected[1])} - {computer.number}
        said = list(super().says(computer, link, message)) if self.victims else [message]
        if not self.other or link not in computer.links:
            return said
        # All others hear nothing of it: two entries of one number would prove whose they are. And
        # whoever is shown it must not take it for final, or it would follow no other list.
        shown = isinstance(message, messages.Entries)
        hidden = shown and computer.links[link][0].number not in self.victims
        return [] if hidden or isinstance(message, messages.Firm) else said

    def _told(self, computer: Computer, entry: Entry) -> Entry:
        core = entry.read()
        if entry.hash in self.other:
            return self.other[entry.hash]
        if core.prev in self.other:
            changes: dict[str, object] = {"prev": self.other[core.prev].hash}
        elif self.from_on is not None or not self._is_turn(computer, core):
            return entry
        else:
            changes = self._turned(computer, core.signed_body.read())
            self.from_on, self.fired = core.seq, 1
            assert self.world is not None
            self.world.after(self.chance.uniform(0.1, 2.0), partial(self._again, computer))
        lie = sign_entry(msgspec.structs.replace(core, **changes), computer.stay.identities[0])
        self.other[entry.hash] = lie
        return lie

    def _is_turn(self, computer: Computer, core: EntryCore) -> bool:
        body = core.signed_body.read()
        mine = isinstance(body.payload, Pass) and body.author == computer.number
        if not mine or core.term != computer.up.replay.term:
            return False
        self.wait -= 1
        return self.wait < 0

    def _turned(self, computer: Computer, body: Body) -> dict[str, object]:
        payload = body.payload
        assert isinstance(payload, Pass)
        points = payload.points[POINT_BYTES:] + payload.points[:POINT_BYTES]
        turned = msgspec.structs.replace(payload, points=points)
        signed = sign_body(
            msgspec.structs.replace(body, payload=turned), computer.stay.identities[0]
        )
        return {"body": signed.body, "body_signature": signed.signature}

    def _again(self, computer: Computer) -> None:
        assert self.world is not None
        self.other.clear()
        self.world.crash(computer)
        assert self.from_on is not None
        del computer.disk.entries[self.from_on :]
        computer.disk.durable = min(computer.disk.durable, self.from_on)
        self.world.after(0.2, partial(self.world.restart, computer))


# ---- what is twisted ----------------------------------------------------------------------------


def _false_resume(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Of a later term than there is, of a promise that was not given, of another log."""
    if not isinstance(said, messages.Resume):
        return None
    chance = crook.chance
    return [
        msgspec.structs.replace(
            said,
            **chance.choice(
                (
                    {"term": said.term + chance.randint(1, 3)},
                    {"promised": said.promised + chance.randint(1, 200)},
                    {"head": chance.randbytes(32)},
                    {"count": said.count + chance.randint(1, 50), "head": chance.randbytes(32)},
                    {"count": 0, "head": bytes(32), "term": 0},
                    {"port": 1},
                )
            ),
        )
    ]


def _false_host(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Names somebody the host of a term that nobody was elected in."""
    if crook.chance.random() > 0.1:
        return None
    term = computer.up.replay.term + crook.chance.randint(0, 2)
    host = crook.chance.choice((computer.number, *computer.up.replay.owners))
    return [said, messages.HostIs(term, host)]


def _old_words(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Says again what it said before, to anybody, and out of order."""
    if not crook.heard or crook.chance.random() > 0.2:
        return None
    old = [crook.chance.choice(crook.heard) for _ in range(crook.chance.randint(1, 4))]
    return [*old, said, *old]


def _false_places(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Everybody is somewhere else."""
    if not isinstance(said, messages.Whereabouts):
        return None
    places = tuple(
        messages.Place(place.seat, "10.9.9.9", 1 + crook.chance.randrange(60_000))
        for place in said.places
    )
    return [messages.Whereabouts(places)]


def _false_abdication(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Hands over, and goes on."""
    if not isinstance(said, messages.Entries) or crook.chance.random() > 0.05:
        return None
    owners = computer.up.replay.owners
    return [messages.Abdicate(computer.up.replay.term + 1, crook.chance.choice(owners)), said]


def _firm_too_early(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Everything is firm as soon as it is said."""
    if not isinstance(said, messages.Entries):
        return None
    return [said, messages.Firm(said.first + len(said.entries))]


def _left_out(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """An entry is missing."""
    if not isinstance(said, messages.Entries) or crook.chance.random() > 0.02:
        return None
    return []


def _refusals(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Refuses, without a reason, what somebody signed of late."""
    if not isinstance(said, messages.Entries) or not said.entries:
        return None
    body = said.entries[-1].read().signed_body.read()
    if not 0 <= body.author < len(computer.up.replay.roster.seats):
        return None
    counter = body.counter + crook.chance.randint(0, 2)
    why = crook.chance.choice(("stale-counter", "unknown-head", "illegal", "not-now"))
    return [messages.BodyRefusal(body.author, counter, why, "not at all"), said]


def _false_votes(crook: Twister, computer: Computer, said: AtTable) -> list[AtTable] | None:
    """Stands with a log that it does not have, and answers with votes that are none."""
    match said:
        case messages.AskVote():
            return [msgspec.structs.replace(said, count=said.count + 1000, last_term=said.term - 1)]
        case messages.GiveVote():
            return [msgspec.structs.replace(said, granted=True, promised=said.term + 100)]
        case _:
            return None


def _another_time(entry: Entry) -> dict[str, object]:
    """Right in itself."""
    return {"ms": entry.read().ms + 1}


def _another_state(entry: Entry) -> dict[str, object]:
    return {"state": bytes(32)}


def _nobodys_body(entry: Entry) -> dict[str, object]:
    return {"body_signature": bytes(64)}


def _another_history(entry: Entry) -> dict[str, object]:
    return {"prev": bytes(32)}


Make = Callable[[Random], Crooked]


@dataclass(frozen=True)
class Kind:
    """One way to be dishonest."""

    name: str
    make: Make
    ruleset: Ruleset | None = None
    """Rules under which there is an occasion for it."""
    seats: int = 2
    """At least."""


def _twister(
    name: str,
    twist: Callable[[Twister, Computer, AtTable], Iterable[AtTable] | None],
    leeway: Leeway | None = None,
    *,
    hosts: bool = False,
    times: int = 5,
) -> Kind:
    return Kind(name, lambda chance: Twister(name, chance, twist, leeway, hosts=hosts, times=times))


def _seat(attack: PeerAttack) -> Kind:
    def make(chance: Random) -> Crooked:
        return LyingSeat(attack.name, chance, attack.make(), attack)

    rules = attack.ruleset if attack.ruleset != Ruleset() else None
    return Kind(attack.name, make, rules, attack.seats)


def _nuisance(each: Nuisance) -> Kind:
    rules = each.ruleset if each.ruleset != Ruleset() else None
    return Kind(each.name, lambda chance: LyingSeat(each.name, chance, each.make(), None), rules)


def _forker(name: str, change: Callable[[Entry], dict[str, object]]) -> Kind:
    return Kind(name, lambda chance: Forker(name, chance, change), seats=3)


SEATS = tuple(map(_seat, ATTACKS))
"""Seats that sign what is wrong: steps, keys, shares, seeds, acts, claims, one counter twice."""

NUISANCE = tuple(map(_nuisance, NUISANCES))
"""Seats that withhold, or say what proves nothing."""

TALK = (
    _twister("false resume", _false_resume),
    _twister("false host", _false_host),
    _twister("old words", _old_words, times=40),
    _twister("false votes", _false_votes),
    _twister("false places", _false_places, hosts=True),
    _twister("false abdication", _false_abdication, hosts=True),
    _twister("refusals", _refusals, hosts=True, times=30),
)
"""Computers that say to others what is not so, and what nobody has to believe."""

HOLDING = (
    Kind("false acknowledgements", lambda chance: Hasty("false acknowledgements", chance)),
    Kind("faithless", lambda chance: Faithless("faithless", chance, votes=False)),
    Kind("votes for any log", lambda chance: Faithless("votes for any log", chance, votes=True)),
    Kind("votes twice", lambda chance: DoubleVoter("votes twice", chance), seats=3),
)
"""Owners whose word about what they hold, or whose vote, is worth nothing."""

HOSTS = (
    _twister("firm too early", _firm_too_early, Leeway(firm=True, stops=True), hosts=True),
    _twister("left out", _left_out, Leeway(stops=True), hosts=True, times=1),
    Kind("shows a shifted list", lambda chance: Shifter("shows a shifted list", chance), seats=3),
    _forker("two stories", _another_time),
    _forker("another state", _another_state),
    _forker("nobody's body", _nobodys_body),
    _forker("another history", _another_history),
)
"""Hosts that lie to those who follow them."""

GROUPS: tuple[tuple[int, tuple[Kind, ...]], ...] = (
    (8, SEATS),
    (4, NUISANCE),
    (4, TALK),
    (3, HOLDING),
    (3, HOSTS),
)
"""How often each group is chosen."""


def choose(chance: Random, owners: int) -> Kind:
    """Some way to be dishonest at a table of so many owners."""
    weights = [weight for weight, _ in GROUPS]
    while True:
        group = chance.choices([kinds for _, kinds in GROUPS], weights)[0]
        kind = chance.choice(group)
        if kind.seats <= owners:
            return kind
