"""What must hold at every step of a simulated world, watched independently of the code.

A firm entry is one that a majority of the owners who count has on disk; no later host may lack it.
A counter, a term and a vote are each used once. Secrets leave a computer only for firm entries.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanuno.log import bodies
from lanuno.log.bodies import SignedBody
from lanuno.log.duties import RELEASES, Duty, answered_by, duties
from lanuno.log.votes import SignedVote
from lanuno.table import messages, outputs
from tests.sim.world import Computer, World

SECRET = (bodies.Unlock, bodies.Reveal, bodies.Share, bodies.HandOver)
"""Payloads that publish what cannot be taken back."""


class Broken(AssertionError):
    """An invariant does not hold."""


@dataclass
class Watch:
    """Looks at everything that leaves a machine of a world."""

    world: World
    signed: dict[tuple[int, int], bytes] = field(default_factory=dict)
    hosts: dict[int, int] = field(default_factory=dict)
    """Who rules in which term."""
    votes: dict[tuple[int, int], int] = field(default_factory=dict)
    """By voter and term: the candidate."""
    due: dict[int, dict[Duty, int]] = field(default_factory=dict)
    """By computer: since how many entries each secret is asked for."""
    firm: list[bytes] = field(default_factory=list)
    """Hashes of the entries that were firm for somebody."""

    def __post_init__(self) -> None:
        self.world.on_step = self.look

    def look(self, computer: Computer, output: outputs.Output) -> None:
        """Look at one output before it takes effect."""
        if computer.member is not None:
            self._note_duties(computer)
        match output:
            case outputs.ToLink():
                self._sent(computer, output)
            case outputs.Hosting() if output.on:
                self._rules(computer)
            case outputs.Stopped():
                raise Broken(f"{computer.number} stopped: {output.blame}")
            case _:
                pass
        if computer.member is not None:
            self._firm_entries(computer)

    def _sent(self, computer: Computer, output: outputs.ToLink) -> None:
        match output.message:
            case messages.Submit():
                self._submitted(computer, output.message.body)
            case messages.GiveVote() if output.message.vote is not None:
                self._voted(computer, output.message.vote)
            case messages.Ack():
                held = computer.disk.durable
                if output.message.count > held:
                    raise Broken(
                        f"{computer.number} acknowledges {output.message.count}, holds {held}"
                    )
            case _:
                pass

    def _submitted(self, computer: Computer, signed: SignedBody) -> None:
        body = signed.read()
        before = self.signed.setdefault((body.author, body.counter), signed.body)
        if before != signed.body:
            raise Broken(f"seat {body.author} signs two bodies with counter {body.counter}")
        if computer.disk.bounds.get(body.author, 0) <= body.counter:
            raise Broken(f"seat {body.author} uses a counter that is not on its disk")
        if isinstance(body.payload, SECRET):
            self._published(computer, body)

    def _published(self, computer: Computer, body: bodies.Body) -> None:
        """What asks for a secret must be on the disks of a majority of the owners by now."""
        replay = computer.up.replay
        due = [
            since
            for duty, since in self.due.get(computer.number, {}).items()
            if duty in answered_by(replay, body.author, body.payload)
        ]
        if body.round != replay.number or not due:
            return  # too late to matter: the host refuses it
        self._held_by_many(computer, max(due), "publishes a secret for")

    def _note_duties(self, computer: Computer) -> None:
        """Since how many entries each automatic step is due, as this computer sees it."""
        replay = computer.up.replay
        before = self.due.get(computer.number, {})
        self.due[computer.number] = {
            duty: min(before.get(duty, replay.seq), replay.seq)
            for duty in duties(replay)
            if duty.kind in RELEASES
        }

    def _voted(self, computer: Computer, signed: SignedVote) -> None:
        vote = signed.read()
        before = self.votes.setdefault((vote.voter, vote.term), vote.candidate)
        if before != vote.candidate:
            raise Broken(f"{vote.voter} votes twice in term {vote.term}")
        if vote.term not in computer.disk.votes:
            raise Broken(f"{vote.voter} shows a vote that is not on its disk")

    def _rules(self, computer: Computer) -> None:
        replay = computer.up.replay
        before = self.hosts.setdefault(replay.term, computer.number)
        if before != computer.number:
            raise Broken(f"two hosts of term {replay.term}: {before} and {computer.number}")
        if replay.hashes[: len(self.firm)] != self.firm[: len(replay.hashes)]:
            raise Broken(f"host {computer.number} does not hold every firm entry")
        if len(replay.hashes) < len(self.firm) and replay.term > 0:
            raise Broken(f"host {computer.number} lacks firm entries")

    def _firm_entries(self, computer: Computer) -> None:
        session = computer.up.first
        count = min(session.firm, len(session.replay.hashes))
        known = session.replay.hashes[:count]
        both = min(count, len(self.firm))
        if both and known[both - 1] != self.firm[both - 1]:
            raise Broken(f"{computer.number} has another firm entry {both - 1}")
        if count > len(self.firm):
            self._held_by_many(computer, count, "calls firm")
            self.firm = known

    def _held_by_many(self, computer: Computer, count: int, does: str) -> None:
        """Whether a majority has these entries on its disks, counted by ourselves."""
        replay = computer.up.replay
        wanted = replay.hashes[count - 1]
        holders = {
            each.number
            for each in self.world.computers
            if each.disk.durable >= count and each.disk.entries[count - 1].hash == wanted
        }
        here = set(replay.absence.here)
        if len(here) > 2 and len(holders | replay.leaving) <= len(here) // 2:
            raise Broken(f"{computer.number} {does} {count} entries that only {holders} hold")
