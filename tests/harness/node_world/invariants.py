"""What must hold at every step of a simulated world, watched independently of the code.

A firm entry is one that a majority of the owners who count has on disk; no later host may lack it.
A place in the log, a counter, a term and a vote are each used once. Secrets leave a computer only
when the log asks for them and only for firm entries. Cards are conserved. Nobody honest is blamed.

Of a computer that lies nothing is expected. What its lies may spoil for others is in `Leeway`:
talk (an acknowledgement, a count of firm entries) is no evidence and cannot be checked by anybody,
and two votes of one owner can make two hosts of one term, which two signatures then prove.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, SignedBody
from lanuno.log.entries import Entry
from lanuno.log.terms import double_vote
from lanuno.log.votes import SignedVote
from lanuno.rules.engine import Round
from lanuno.rules.state import Phase
from lanuno.table import messages, outputs
from tests.harness.node_world.broken import Broken
from tests.harness.node_world.knowledge import Knowledge
from tests.harness.node_world.oracle import Oracle
from tests.harness.node_world.world import Computer, World

EVERY = 8
"""Cards are counted once in so many entries."""


ENDLESS = 4_000
"""More bodies than any seat of a simulated match has a reason to sign."""


@dataclass(frozen=True)
class Leeway:
    """What cannot hold any more because somebody lies."""

    firm: bool = False
    """What is called firm may be lost: somebody acknowledges, or calls firm, what is not."""
    places: bool = False
    """One place in the log may be taken twice: its host, or a voter, has signed two things."""
    stops: bool = False
    """Somebody honest may be made to stop, by what nobody honest would say."""


@dataclass
class Watch:
    """Looks at everything that leaves a machine of a world."""

    world: World
    leeway: Leeway = field(default_factory=Leeway)
    signed: dict[tuple[int, int, bool, int], bytes] = field(default_factory=dict)
    """By computer, author, whether it is the author's own player, and counter: the body. Of the
    host's office: whoever is host."""
    hosts: dict[int, int] = field(default_factory=dict)
    """Who rules in which term."""
    votes: dict[tuple[int, int], int] = field(default_factory=dict)
    """By voter and term: the candidate."""
    asked: dict[tuple[int, int], tuple[int, int, bytes]] = field(default_factory=dict)
    """By candidate and term: the end of the log with which somebody honest stands."""
    places: dict[tuple[int, int], Entry] = field(default_factory=dict)
    """By term and number: the entry."""
    elects: dict[int, list[bodies.Elect]] = field(default_factory=dict)
    """By term: the elections that somebody honest holds."""
    firm: list[bytes] = field(default_factory=list)
    """Hashes of the entries that were firm for somebody."""

    def __post_init__(self) -> None:
        self.world.on_step = self.look
        self.oracle = Oracle(self.world.genesis)
        self.liars = frozenset(
            seat
            for each in self.world.computers
            if not each.honest
            for seat in self._seats_of(each)
        )
        self.knowledge = Knowledge(self.world, self.oracle)
        self._keys = {each.number: each.stay.identities[0].public for each in self.world.computers}
        self._people = self.world.genesis.read().seats
        self._counted: set[bytes] = set()
        self._placed: set[bytes] = set()
        self._bodies: Counter[int] = Counter()
        """By author."""

    def _seats_of(self, computer: Computer) -> list[int]:
        own = {identity.public for identity in computer.stay.identities}
        roster = self.world.genesis.read()
        return [seat for seat, info in enumerate(roster.seats) if info.identity in own]

    def look(self, computer: Computer, output: outputs.Output) -> None:
        """Look at one output before it takes effect."""
        if not computer.honest:
            return
        self.knowledge.look(computer, output)
        match output:
            case outputs.ToLink():
                self._sent(computer, output)
            case outputs.KeepEntry() if computer.up.first.stopped is None:
                self._kept(computer, output.entry)
            case outputs.Hosting() if output.on:
                self._rules(computer)
            case outputs.Stopped():
                self._stopped(computer, output)
            case outputs.Happened():
                self._blames(computer, output.event)
            case _:
                pass
        self._firm_entries(computer)

    # ---- what is said -----------------------------------------------------------------------

    def _sent(self, computer: Computer, output: outputs.ToLink) -> None:
        match output.message:
            case messages.Submit():
                self._submitted(computer, output.message.body)
            case messages.AskVote(pre=False, term=term, last_term=last, count=count, head=head):
                self.asked[computer.number, term] = (last, count, head)
            case messages.GiveVote() if output.message.vote is not None:
                self._voted(computer, output.message.vote)
            case messages.Entries() | messages.Copy():
                for entry in output.message.entries:
                    self._takes_place(computer, entry)
            case messages.Ack():
                self._acknowledged(computer, output.link, output.message.count)
            case _:
                pass

    def _acknowledged(self, computer: Computer, link: outputs.Peer, count: int) -> None:
        held = computer.disk.durable
        if count > held:
            raise Broken(f"{computer.number} acknowledges {count}, holds {held}")
        if link not in computer.links:
            return  # nobody hears it
        host = computer.links[link][0]
        # The host counts it in its own term, of which a part of the log may not be told yet.
        rules = host.member is not None and host.up.hosts
        promised = max(computer.disk.votes, default=0)
        term = host.up.replay.term if rules else computer.up.replay.term
        if term < promised:
            raise Broken(
                f"{computer.number} acknowledges in term {term} and has voted in {promised}"
            )

    def _submitted(self, computer: Computer, signed: SignedBody) -> None:
        body = signed.read()
        # A bot that fills a chair and whoever sat there each have counters of their own.
        own = body.author == HOST or signed.signed_by(self._people[body.author].identity)
        key = (computer.number, body.author, own, body.counter)
        known = self.signed.get(key)
        self.signed[key] = signed.body
        if known == signed.body:
            return
        self.knowledge.hear(signed)
        self._bodies[body.author] += 1
        if self._bodies[body.author] > ENDLESS:
            raise Broken(f"seat {body.author} signs without end")
        if known is not None:
            raise Broken(f"seat {body.author} signs two bodies with counter {body.counter}")
        if computer.disk.bounds.get(body.author, 0) <= body.counter:
            raise Broken(f"seat {body.author} uses a counter that is not on its disk")
        self._published(computer, body)

    def _published(self, computer: Computer, body: bodies.Body) -> None:
        """What asks for a secret must be on the disks of a majority of the owners by now."""
        if isinstance(body.payload, bodies.Share):
            self._shared(computer, body.payload.of)
        self.oracle.learn(computer.up.first.entries)
        asked = self.oracle.asked_since(body)
        if asked is None:
            return
        since = [each for each in asked if each is not None]
        if len(since) < len(asked):
            what = type(body.payload).__name__
            raise Broken(f"seat {body.author} publishes a secret that nobody asks for: {what}")
        recorded = computer.disk.released
        if recorded is None or recorded.count < max(since):
            raise Broken(f"seat {body.author} publishes a secret that is not recorded on its disk")
        self._held_by_many(computer, max(since), body.head, "publishes a secret for")

    def _shared(self, computer: Computer, seat: int) -> None:
        """Whoever has not said that it leaves, and goes on, must have been looked for in vain."""
        replay = computer.up.replay
        current = replay.round
        owner = seat if current is None else current.owner_of(seat)
        # It may have come back for the next round by now.
        left = current is not None and seat not in current.dropped_by
        lost = next(each for each in self.world.computers if each.number == owner)
        silent = lost.crook is not None or lost.member is None
        silent = silent or lost.up.first.stopped is not None or lost.up._leaving
        if not (left or silent or (computer.number, owner) in self.world.in_vain):
            raise Broken(f"{computer.number} gives a share of {owner}, whom it has not looked for")

    def _voted(self, computer: Computer, signed: SignedVote) -> None:
        vote = signed.read()
        before = self.votes.setdefault((vote.voter, vote.term), vote.candidate)
        if before != vote.candidate:
            raise Broken(f"{vote.voter} votes twice in term {vote.term}")
        held = (vote.last_term, vote.count, vote.head)
        asked = self.asked.get((vote.candidate, vote.term), held)
        if asked[:2] < held[:2] or (asked[:2] == held[:2] and asked != held):
            raise Broken(f"{vote.voter} votes for a log that is behind its own in {vote.term}")
        if vote.term not in computer.disk.votes:
            raise Broken(f"{vote.voter} shows a vote that is not on its disk")

    # ---- the log ----------------------------------------------------------------------------

    def _kept(self, computer: Computer, entry: Entry) -> None:
        core = entry.read()
        replay = computer.up.replay
        if entry.hash not in self._counted:
            self._counted.add(entry.hash)
            if core.seq % EVERY == 0 and replay.head == entry.hash:
                self._cards(computer)
        body = core.signed_body.read()
        if isinstance(body.payload, bodies.Elect):
            self.elects.setdefault(core.term, []).append(body.payload)
        if not computer.up.hosts or replay.host != computer.number:
            self._takes_place(computer, entry)
            return
        # Into a chair that a bot fills here whoever sat there returns, and signs that elsewhere.
        returns = isinstance(body.payload, bodies.Return) and body.author != computer.number
        own = body.author != HOST and replay.owner_of(body.author) == computer.number
        if own and not returns:
            self._submitted(computer, core.signed_body)

    def _takes_place(self, computer: Computer, entry: Entry) -> None:
        """Somebody hears of an entry: its place in the log, and its counter, are used up.

        What a host has written, told nobody and lost with its power has taken no place.
        """
        if entry.hash in self._placed:
            return
        self._placed.add(entry.hash)
        core = entry.read()
        before = self.places.setdefault((core.term, core.seq), entry)
        if before.hash != entry.hash:
            self._taken_twice(computer, before, entry)
        body = core.signed_body.read()
        if body.author != HOST:
            return
        known = self.signed.setdefault((-1, HOST, True, body.counter), core.body)
        if known != core.body and not self.leeway.places:
            raise Broken(f"the host signs two bodies with {body.counter}")

    def _taken_twice(self, computer: Computer, one: Entry, two: Entry) -> None:
        """Two entries for one place: only a liar signs two, or two votes that make two hosts."""
        core = two.read()
        where = f"entry {core.seq} of term {core.term}"
        if not self.leeway.places:
            raise Broken(f"{computer.number} holds another {where}")
        for liar in self.liars & set(self._keys):
            if one.signed_by(self._keys[liar]) and two.signed_by(self._keys[liar]):
                return
        roster, table = self.world.genesis.read(), self.world.genesis.table_id
        elects = self.elects.get(core.term, [])
        for first in elects:
            for second in elects:
                for vote in first.votes:
                    for other in second.votes:
                        if double_vote(roster, table, vote, other) in self.liars:
                            return
        # More than half of the owners, if they lie, can go on with an end on which others count:
        # its hosts are elected by nobody who has a vote on this one, and nobody votes twice.
        most = 2 * len(self.liars & set(self._keys)) > len(self._keys)
        if most and core.prev != one.read().prev:
            return
        raise Broken(f"{computer.number} holds another {where}, and nothing proves whose fault")

    def _cards(self, computer: Computer) -> None:
        """Every card of the deck is somewhere, once."""
        current = computer.up.replay.round
        engine = None if current is None else current.engine
        if current is None or not isinstance(engine, Round) or not engine.hands:
            return
        if engine.phase in (Phase.NEW, Phase.SHUFFLE, Phase.OPEN) or current.recovering:
            return
        if current.void is not None:
            return  # nobody plays on
        slots = [slot for hand in engine.hands.values() for slot in hand]
        slots += range(engine.pile_next, engine.pile_end)
        slots += [slot for slot, _ in engine.discard]
        size = self.world.genesis.read().ruleset.deck
        if len(set(slots)) != len(slots) or len(slots) != size:
            raise Broken(f"{len(slots)} cards, {len(set(slots))} of them different, of {size}")
        known: dict[int, int] = dict(engine.discard)
        for each in self.world.honest:
            if each.member is None or each.member.replay.head != computer.up.replay.head:
                continue
            for session in each.member.sessions:
                for slot, card in session._keys.readable().items():
                    if slot in set(slots) and known.setdefault(slot, card) != card:
                        raise Broken(f"slot {slot} is card {card} and card {known[slot]}")
        here = [card for slot, card in known.items() if slot in set(slots)]
        if len(set(here)) != len(here) and not self.liars:
            raise Broken(f"a card lies in two places: {sorted(here)}")

    def _rules(self, computer: Computer) -> None:
        replay = computer.up.replay
        before = self.hosts.setdefault(replay.term, computer.number)
        if before != computer.number and not self.leeway.places:
            raise Broken(f"two hosts of term {replay.term}: {before} and {computer.number}")
        if self.leeway.firm or self.leeway.places:
            return
        if replay.closed is not None:
            return  # it signs nothing more: it shows the end to others who lack it
        if replay.hashes[: len(self.firm)] != self.firm[: len(replay.hashes)]:
            raise Broken(f"host {computer.number} does not hold every firm entry")
        if len(replay.hashes) < len(self.firm) and replay.term > 0:
            raise Broken(f"host {computer.number} lacks firm entries")

    def _firm_entries(self, computer: Computer) -> None:
        if computer.member is None or self.leeway.firm or self.leeway.places:
            return
        session = computer.up.first
        count = min(session.firm, len(session.replay.hashes))
        both = min(count, len(self.firm))
        if both and session.replay.hashes[both - 1] != self.firm[both - 1]:
            raise Broken(f"{computer.number} has another firm entry {both - 1}")
        if count > len(self.firm):
            self.oracle.learn(session.entries)
            self._held_by_many(computer, count, session.replay.head, "calls firm")
            self.firm = session.replay.hashes[:count]

    def _held_by_many(self, computer: Computer, count: int, head: bytes, does: str) -> None:
        """Whether majorities have these entries on their disks, counted by ourselves."""
        if self.leeway.firm or self.leeway.places or count <= 0:
            return
        firm = min(count, len(self.firm))
        if firm and self.oracle.hash_at(head, firm) != self.firm[firm - 1]:
            raise Broken(f"{computer.number} {does} {count} entries that are not the firm ones")
        for at, owners in self.oracle.decided_by(firm, head, count):
            wanted = self.oracle.hash_at(head, at)
            holders = {
                each.number
                for each in self.world.computers
                if each.disk.durable >= at and each.disk.entries[at - 1].hash == wanted
            }
            # Owners that signed that they leave vote no more: nothing firm can be lost by them.
            holders |= computer.up.replay.leaving
            dropped = computer.up.replay.dropped.items()
            holders |= {seat for seat, why in dropped if why is bodies.DropReason.LEFT}
            if len(owners) > 2 and len(holders & set(owners)) <= len(owners) // 2:
                raise Broken(f"{computer.number} {does} {at} entries that only {holders} hold")

    # ---- blame ------------------------------------------------------------------------------

    def _stopped(self, computer: Computer, output: outputs.Stopped) -> None:
        blame = output.blame
        if not self.leeway.stops or blame.seat not in {None, *self.liars}:
            raise Broken(f"{computer.number} stopped: {blame}")

    def _blames(self, computer: Computer, event: object) -> None:
        """Nobody honest is blamed, by the log or by anybody honest."""
        match event:
            case events.FaultFound() if event.blame.seat not in self.liars:
                raise Broken(f"{computer.number} hears blame: {event.blame}")
            case events.Attested() if event.seat not in self.liars:
                if set(event.blamed) - self.liars:
                    raise Broken(f"{event.seat} blames {event.blamed}")
            case events.SeatExpelled() if event.cheated and event.seat not in self.liars:
                raise Broken(f"seat {event.seat} is expelled as a cheat")
            case _:
                pass
