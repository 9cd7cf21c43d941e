"""The invariants of a simulated world at every step, checked independently of the code.

- Once a majority of the counting owners has an entry on disk, no later host lacks it.
- Each place in the log, each counter, each term and each vote is used once.
- A secret leaves a node only if the log asks for it, and only for final entries.
- Cards are conserved.
- Entries are final for a node only if every honest owner has acknowledged them.
- No honest node is blamed.

Nothing is expected of a lying node. `Leeway` says which invariants its lies may break for others.
Two votes of one owner can make two hosts of one term; the two signatures then prove it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, SignedBody
from lanuno.log.format.codec import decode
from lanuno.log.format.entries import Entry
from lanuno.log.format.statements import Acknowledgement
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.terms import double_vote
from lanuno.log.round import events
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import RoundPhase
from lanuno.table import messages, outputs
from tests.harness.node_world.errors import InvariantViolation
from tests.harness.node_world.knowledge import Knowledge
from tests.harness.node_world.oracle import Oracle
from tests.harness.node_world.world import SimulatedNode, World

ENTRIES_BETWEEN_CARD_COUNTS = 8
"""The number of entries between two counts of the cards."""


MOST_BODIES = 4_000
"""No seat of a simulated match has a reason to sign more bodies than this."""


@dataclass(frozen=True)
class Leeway:
    """The invariants that no longer hold because of a liar."""

    finality: bool = False
    """Final entries may be lost: a liar acknowledges what is not on its disk."""
    log_places: bool = False
    """Two entries may have the same place: a host or a voter has signed two versions."""
    stops: bool = False
    """An honest node may be made to stop, by a message that no honest node sends."""


@dataclass
class InvariantChecker:
    """Checks every output of the nodes of a world."""

    world: World
    leeway: Leeway = field(default_factory=Leeway)
    signed: dict[tuple[int, int, bool, int], bytes] = field(default_factory=dict)
    """Bodies by node, author, whether the author's own player signed, and counter. Bodies of the
    host role have the node -1, because the host may change."""
    hosts_by_term: dict[int, int] = field(default_factory=dict)
    """The host of each term."""
    candidates_voted: dict[tuple[int, int], int] = field(default_factory=dict)
    """By voter and term: the candidate."""
    election_logs: dict[tuple[int, int], tuple[int, int, bytes]] = field(default_factory=dict)
    """By candidate and term: the end of the log of an honest candidate."""
    entries_by_place: dict[tuple[int, int], Entry] = field(default_factory=dict)
    """By term and number: the entry."""
    elections: dict[int, list[bodies.Elect]] = field(default_factory=dict)
    """By term: the elections that honest nodes hold."""
    final: list[bytes] = field(default_factory=list)
    """Hashes of the entries that were final for some node."""
    acknowledged: dict[int, list[bytes]] = field(default_factory=dict)
    """By honest owner: the hash of each entry up to which it has acknowledged the log."""

    def __post_init__(self) -> None:
        self.world.on_output = self.check
        self.oracle = Oracle(self.world.genesis)
        self.liars = frozenset(
            seat for each in self.world.nodes if not each.honest for seat in self._seats_of(each)
        )
        self.knowledge = Knowledge(self.world, self.oracle)
        self._keys = {each.number: each.config.identities[0].public for each in self.world.nodes}
        self._people = self.world.genesis.read().seats
        self._counted: set[bytes] = set()
        self._placed: set[bytes] = set()
        self._certified: set[bytes] = set()
        self._bodies: Counter[int] = Counter()
        """By author."""

    def _seats_of(self, node: SimulatedNode) -> list[int]:
        own = {identity.public for identity in node.config.identities}
        roster = self.world.genesis.read()
        return [seat for seat, info in enumerate(roster.seats) if info.identity in own]

    def check(self, node: SimulatedNode, output: outputs.Output) -> None:
        """Check one output before it takes effect."""
        if not node.honest:
            return
        self.knowledge.look(node, output)
        match output:
            case outputs.Send():
                self._check_message(node, output)
            case outputs.AppendEntry() if node.running.replica.stopped is None:
                self._check_entry(node, output.entry)
            case outputs.HostingChanged() if output.on:
                self._check_host(node)
            case outputs.NodeStopped():
                self._check_stop(node, output)
            case outputs.Happened():
                self._check_blame(node, output.event)
            case _:
                pass
        self._check_final(node)
        self._check_certified(node)

    # ---- messages ---------------------------------------------------------------------------

    def _check_message(self, node: SimulatedNode, output: outputs.Send) -> None:
        match output.message:
            case messages.Submit():
                self._check_body(node, output.message.body)
            case messages.RequestVote(pre=False, term=term, last_term=last, count=count, head=head):
                self.election_logs[node.number, term] = (last, count, head)
            case messages.VoteReply() if output.message.vote is not None:
                self._check_vote(node, output.message.vote)
            case messages.Entries() | messages.LogPage():
                for entry in output.message.entries:
                    self._check_place(node, entry)
            case messages.Statements():
                for signed in output.message.signed:
                    self._check_acknowledged(node, signed.read())
            case _:
                pass

    def _check_acknowledged(self, node: SimulatedNode, said: Acknowledgement) -> None:
        """What an honest owner acknowledges is on its disk, in a term that it may still follow."""
        heads = self.acknowledged.setdefault(node.number, [])
        if said.author != node.number or said.head in heads[-1:]:
            return
        heads.append(said.head)
        held = node.disk.durable
        if said.count > held or node.disk.entries[said.count - 1].hash != said.head:
            raise InvariantViolation(f"{node.number} acknowledges {said.count}, holds {held}")
        promised = max(node.disk.votes, default=0)
        # A host of two that nobody elects again stays the host.
        if said.term >= promised or node.running.hosts:
            return
        # What the vote names may have been acknowledged before it, and is passed on later.
        if said.count > decode(node.disk.votes[promised], SignedVote).read().count:
            raise InvariantViolation(
                f"{node.number} acknowledges in term {said.term} and has voted in {promised}"
            )

    def _check_certified(self, node: SimulatedNode) -> None:
        if node.program is not None and node.running.replica.stopped is None:
            self._check_acknowledged_by_all(node, node.running.replica.final_count, "calls final")

    def _check_acknowledged_by_all(self, node: SimulatedNode, count: int, does: str) -> None:
        """Every honest owner has acknowledged these entries, whatever liars say."""
        replay = node.running.replay
        if not count or replay.hashes[count - 1] in self._certified:
            return
        self._certified.add(replay.hashes[count - 1])
        later = [each.read().signed_body.read() for each in node.running.replica.entries[count:]]
        # When these entries became final, an owner that returned after them did not count.
        returned = {body.author for body in later if isinstance(body.payload, bodies.Return)}
        honest = {each.number for each in self.world.honest}
        for owner in honest & set(replay.owners) - {node.number} - returned:
            numbers = (replay.hashes.number(head) for head in self.acknowledged.get(owner, ()))
            if not any(number is not None and number + 1 >= count for number in numbers):
                raise InvariantViolation(
                    f"{node.number} {does} {count} entries that {owner} does not acknowledge"
                )

    def _check_body(self, node: SimulatedNode, signed: SignedBody) -> None:
        body = signed.read()
        # A stand-in bot and the seat's owner have separate counters.
        own = body.author == HOST or signed.signed_by(self._people[body.author].identity)
        key = (node.number, body.author, own, body.counter)
        known = self.signed.get(key)
        self.signed[key] = signed.body
        if known == signed.body:
            return
        self.knowledge.hear(signed)
        self._bodies[body.author] += 1
        if self._bodies[body.author] > MOST_BODIES:
            raise InvariantViolation(f"seat {body.author} signs without end")
        if known is not None:
            raise InvariantViolation(
                f"seat {body.author} signs two bodies with counter {body.counter}"
            )
        if node.disk.bounds.get(body.author, 0) <= body.counter:
            raise InvariantViolation(f"seat {body.author} uses a counter that is not on its disk")
        self._check_secret(node, body)

    def _check_secret(self, node: SimulatedNode, body: bodies.Body) -> None:
        """All owners must have acknowledged the request for a secret; a majority must hold it."""
        if isinstance(body.payload, bodies.Share):
            self._check_share(node, body.payload.of)
        self.oracle.learn(node.running.replica.entries)
        asked = self.oracle.asked_since(body)
        if asked is None:
            return
        since = [each for each in asked if each is not None]
        if len(since) < len(asked):
            what = type(body.payload).__name__
            raise InvariantViolation(
                f"seat {body.author} publishes a secret that nobody asks for: {what}"
            )
        recorded = node.disk.released
        if recorded is None or recorded.count < max(since):
            raise InvariantViolation(
                f"seat {body.author} publishes a secret that is not recorded on its disk"
            )
        self._check_acknowledged_by_all(node, max(since), "publishes a secret for")
        self._check_majority(node, max(since), body.head, "publishes a secret for")

    def _check_share(self, node: SimulatedNode, seat: int) -> None:
        """The node must have tried in vain to reach an owner that did not leave."""
        replay = node.running.replay
        current = replay.round
        owner = seat if current is None else current.owner_of(seat)
        # The owner may have returned for the next round by now.
        left = current is not None and seat not in current.dropped_by
        lost = next(each for each in self.world.nodes if each.number == owner)
        silent = lost.adversary is not None or lost.program is None
        silent = silent or lost.running.replica.stopped is not None or lost.running._leaving
        if not (left or silent or (node.number, owner) in self.world.failed_connects):
            raise InvariantViolation(
                f"{node.number} gives a share of {owner}, whom it has not looked for"
            )

    def _check_vote(self, node: SimulatedNode, signed: SignedVote) -> None:
        vote = signed.read()
        before = self.candidates_voted.setdefault((vote.voter, vote.term), vote.candidate)
        if before != vote.candidate:
            raise InvariantViolation(f"{vote.voter} votes twice in term {vote.term}")
        held = (vote.last_term, vote.count, vote.head)
        asked = self.election_logs.get((vote.candidate, vote.term), held)
        if asked[:2] < held[:2] or (asked[:2] == held[:2] and asked != held):
            raise InvariantViolation(
                f"{vote.voter} votes for a log that is behind its own in {vote.term}"
            )
        if vote.term not in node.disk.votes:
            raise InvariantViolation(f"{vote.voter} shows a vote that is not on its disk")

    # ---- the log ----------------------------------------------------------------------------

    def _check_entry(self, node: SimulatedNode, entry: Entry) -> None:
        core = entry.read()
        replay = node.running.replay
        if entry.hash not in self._counted:
            self._counted.add(entry.hash)
            if core.seq % ENTRIES_BETWEEN_CARD_COUNTS == 0 and replay.head == entry.hash:
                self._check_cards(node)
        body = core.signed_body.read()
        if isinstance(body.payload, bodies.Elect):
            self.elections.setdefault(core.term, []).append(body.payload)
        if not node.running.hosts or replay.host != node.number:
            self._check_place(node, entry)
            return
        # The owner returns to a seat that a bot fills here, and signs so on another node.
        returns = isinstance(body.payload, bodies.Return) and body.author != node.number
        own = body.author != HOST and replay.owner_of(body.author) == node.number
        if own and not returns:
            self._check_body(node, core.signed_body)

    def _check_place(self, node: SimulatedNode, entry: Entry) -> None:
        """Record that a node received an entry: its place in the log and its counter are used.

        An entry that a host wrote, sent to nobody and lost in a power failure uses no place.
        """
        if entry.hash in self._placed:
            return
        self._placed.add(entry.hash)
        core = entry.read()
        before = self.entries_by_place.setdefault((core.term, core.seq), entry)
        if before.hash != entry.hash:
            self._check_double_place(node, before, entry)
        body = core.signed_body.read()
        if body.author != HOST:
            return
        known = self.signed.setdefault((-1, HOST, True, body.counter), core.body)
        if known != core.body and not self.leeway.log_places:
            raise InvariantViolation(f"the host signs two bodies with {body.counter}")

    def _check_double_place(self, node: SimulatedNode, one: Entry, two: Entry) -> None:
        """Only a liar signs two entries for one place, or two votes that make two hosts."""
        core = two.read()
        where = f"entry {core.seq} of term {core.term}"
        if not self.leeway.log_places:
            raise InvariantViolation(f"{node.number} holds another {where}")
        for liar in self.liars & set(self._keys):
            if one.signed_by(self._keys[liar]) and two.signed_by(self._keys[liar]):
                return
        roster, table = self.world.genesis.read(), self.world.genesis.table_id
        elects = self.elections.get(core.term, [])
        for first in elects:
            for second in elects:
                for vote in first.votes:
                    for other in second.votes:
                        if double_vote(roster, table, vote, other) in self.liars:
                            return
        # A lying majority of the owners can continue an end on which other owners count. No voter
        # of this log elected the hosts of that end, and nobody votes twice.
        most = 2 * len(self.liars & set(self._keys)) > len(self._keys)
        if most and core.prev != one.read().prev:
            return
        raise InvariantViolation(
            f"{node.number} holds another {where}, and nothing proves whose fault"
        )

    def _check_cards(self, node: SimulatedNode) -> None:
        """Every card of the deck exists exactly once."""
        current = node.running.replay.round
        engine = None if current is None else current.engine
        if current is None or not isinstance(engine, Round) or not engine.hands:
            return
        if (
            engine.phase in (RoundPhase.NEW, RoundPhase.SHUFFLE, RoundPhase.OPEN)
            or current.recovering
        ):
            return
        if current.void is not None:
            return  # nobody plays on
        slots = [slot for hand in engine.hands.values() for slot in hand]
        slots += range(engine.pile_next, engine.pile_end)
        slots += [slot for slot, _ in engine.discard]
        size = self.world.genesis.read().ruleset.deck
        if len(set(slots)) != len(slots) or len(slots) != size:
            raise InvariantViolation(
                f"{len(slots)} cards, {len(set(slots))} of them different, of {size}"
            )
        known: dict[int, int] = dict(engine.discard)
        for each in self.world.honest:
            if each.program is None or each.program.replay.head != node.running.replay.head:
                continue
            for session in each.program.sessions:
                for slot, card in session._keys.readable().items():
                    if slot in set(slots) and known.setdefault(slot, card) != card:
                        raise InvariantViolation(
                            f"slot {slot} is card {card} and card {known[slot]}"
                        )
        here = [card for slot, card in known.items() if slot in set(slots)]
        if len(set(here)) != len(here) and not self.liars:
            raise InvariantViolation(f"a card lies in two places: {sorted(here)}")

    def _check_host(self, node: SimulatedNode) -> None:
        replay = node.running.replay
        before = self.hosts_by_term.setdefault(replay.term, node.number)
        if before != node.number and not self.leeway.log_places:
            raise InvariantViolation(f"two hosts of term {replay.term}: {before} and {node.number}")
        if self.leeway.finality or self.leeway.log_places:
            return
        if replay.closed is not None:
            return  # it signs nothing more: it shows the end to others who lack it
        if replay.hashes[: len(self.final)] != self.final[: len(replay.hashes)]:
            raise InvariantViolation(f"host {node.number} does not hold every final entry")
        if len(replay.hashes) < len(self.final) and replay.term > 0:
            raise InvariantViolation(f"host {node.number} lacks final entries")

    def _check_final(self, node: SimulatedNode) -> None:
        if node.program is None or self.leeway.finality or self.leeway.log_places:
            return
        session = node.running.main_session
        count = min(session.replica.final_count, len(session.replay.hashes))
        both = min(count, len(self.final))
        if both and session.replay.hashes[both - 1] != self.final[both - 1]:
            raise InvariantViolation(f"{node.number} has another final entry {both - 1}")
        if count > len(self.final):
            self.oracle.learn(session.replica.entries)
            self._check_majority(node, count, session.replay.head, "calls final")
            self.final = session.replay.hashes[:count]

    def _check_majority(self, node: SimulatedNode, count: int, head: bytes, does: str) -> None:
        """Whether majorities have these entries on disk, by the checker's own count."""
        if self.leeway.finality or self.leeway.log_places or count <= 0:
            return
        final = min(count, len(self.final))
        if final and self.oracle.hash_at(head, final) != self.final[final - 1]:
            raise InvariantViolation(
                f"{node.number} {does} {count} entries that are not the final ones"
            )
        for at, owners in self.oracle.decided_by(final, head, count):
            wanted = self.oracle.hash_at(head, at)
            holders = {
                each.number
                for each in self.world.nodes
                if each.disk.durable >= at and each.disk.entries[at - 1].hash == wanted
            }
            # Owners that signed Leave no longer vote, so they cannot cause the loss of an entry.
            holders |= node.running.replay.leaving
            dropped = node.running.replay.dropped.items()
            holders |= {seat for seat, why in dropped if why is bodies.DropReason.LEFT}
            if len(owners) > 2 and len(holders & set(owners)) <= len(owners) // 2:
                raise InvariantViolation(
                    f"{node.number} {does} {at} entries that only {holders} hold"
                )

    # ---- blame ------------------------------------------------------------------------------

    def _check_stop(self, node: SimulatedNode, output: outputs.NodeStopped) -> None:
        blame = output.blame
        if not self.leeway.stops or blame.seat not in {None, *self.liars}:
            raise InvariantViolation(f"{node.number} stopped: {blame}")

    def _check_blame(self, node: SimulatedNode, event: object) -> None:
        """Neither the log nor an honest node blames an honest player."""
        match event:
            case events.FaultFound() if event.blame.seat not in self.liars:
                raise InvariantViolation(f"{node.number} hears blame: {event.blame}")
            case events.Attested() if event.seat not in self.liars:
                if set(event.blamed) - self.liars:
                    raise InvariantViolation(f"{event.seat} blames {event.blamed}")
            case events.SeatExpelled() if event.cheated and event.seat not in self.liars:
                raise InvariantViolation(f"seat {event.seat} is expelled as a cheat")
            case _:
                pass
