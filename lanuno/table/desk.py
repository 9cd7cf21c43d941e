"""The host's desk: what the seats say is checked, held for a moment, refused, or made an entry.

*That* something is taken, never *what follows*: what the host does by itself, and when, is decided
in `sequencer.py`. Refusals are answers to their authors and stand in no log. Sans I/O.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lanuno.dealing.identity import Identity
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, MAX_SEAT_BODY, Body, DropReason, Payload, SignedBody, sign_body
from lanuno.log.entries import Entry
from lanuno.log.faults import BodyRefused, Refusal, Unreadable
from lanuno.log.replay import Replay
from lanuno.rules.results import RoundKind
from lanuno.table import messages
from lanuno.table.audience import Audience
from lanuno.table.clocks import Clocks, Pace, catches
from lanuno.table.firmness import Firmness
from lanuno.table.outputs import (
    OWN,
    Disconnect,
    Happened,
    KeepEntry,
    Output,
    Peer,
    Spectator,
    ToPeer,
)
from lanuno.table.witness import Witness

ATTACKS = frozenset({Refusal.MALFORMED, Refusal.WRONG_TABLE, Refusal.BAD_SIGNATURE})
"""Refusals that no honest client can cause: its seat is dropped at once."""

BESIDES = (bodies.Leave, bodies.Return, bodies.Listen)
"""What a seat may say at any time, and again and again."""
MOST_BESIDES = 12
BESIDES_SECONDS = 10.0
"""So often an owner may say such things in a row, and once more each time so much has passed. A log
has room for so many entries, and nobody may fill it."""


@dataclass(frozen=True, slots=True)
class _Held:
    """A body that waits until the time around "UNO" is over."""

    peer: Peer
    signed: SignedBody
    body: Body


class Desk:
    """Where one host takes what comes."""

    def __init__(
        self,
        replay: Replay,
        entries: Sequence[Entry],
        host: Identity,
        now: float,
        pace: Pace | None = None,
        unsure: int = 0,
    ) -> None:
        """Stand behind these entries; nobody is in contact yet. `replay` is its own from now on.

        `unsure`: see `Firmness`.
        """
        self.replay = replay
        self._host = host
        self._entries = list(entries)
        self._began = now - replay.times.ms / 1000
        self._witness = Witness(replay)
        self._firm = Firmness(replay, unsure)
        self._audience = Audience(replay, self._entries, self._firm)
        self._clocks = Clocks(replay, pace or Pace(), self._firm)
        self._held: dict[tuple[int, bool], _Held] = {}
        """By seat, and whether it catches somebody or begins a turn."""
        self._besides: dict[int, tuple[float, float]] = {}
        """By owner: how much of what may be said at any time is used up, and when that was so."""
        self._played = sum(
            each.counted and each.kind is RoundKind.PLAY for each in replay.summaries
        )
        self._abdicating = False
        self._frozen = False
        self._told_frozen = False

    @property
    def firm(self) -> int:
        """So many entries are on the disks of a majority of owners."""
        return self._firm.count

    @property
    def frozen(self) -> bool:
        """Whether too few owners are in contact for anything to become firm."""
        return self._frozen

    @property
    def spectators(self) -> tuple[Spectator, ...]:
        """Who watches."""
        return self._audience.spectators

    def tells(self, peer: Peer) -> bool:
        """Whether the log is told to whoever is there."""
        return self._audience.listens(peer)

    # ---- who is missed ----------------------------------------------------------------------

    def _miss_the_absent(self, now: float) -> None:
        """Whose computer is not in contact is waited for: also one whose seat a bot has played."""
        for owner in self.replay.absence.here:
            if owner not in self._audience.seats:
                self._lose(owner, now, quiet=True)

    def _lose(
        self, owner: int, now: float, reason: DropReason = DropReason.LOST, *, quiet: bool = False
    ) -> None:
        """A computer is out of contact, with all seats that are played on it."""
        for seat in self.replay.absence.seats_of(owner):
            self._clocks.lost(seat, now, reason, quiet=quiet)

    # ---- bodies -----------------------------------------------------------------------------

    def _submit(self, peer: Peer, signed: SignedBody, now: float) -> list[Output]:
        owner = self._audience.seat_of(peer)
        if owner is None or self._abdicating:
            # Whoever is host next is told again.
            return []
        seat, counter = owner, 0
        try:
            if len(signed.body) > MAX_SEAT_BODY:
                raise BodyRefused(Refusal.MALFORMED, "longer than any honest body")
            body = signed.read()
            counter = body.counter
            absence = self.replay.absence
            goes = isinstance(body.payload, bodies.Leave | bodies.Return)
            if body.author not in (absence.own if goes else absence.seats_of)(owner):
                raise BodyRefused(Refusal.NOT_A_SEAT, "not your seat")
            seat = body.author
            proof = self._witness.twice(body, signed)
            if proof is not None:
                out = self._say_as_host(proof, now)
                self._witness.exposed(seat)
                return out
            if self._firm.changing and goes and seat == owner:
                # One change of who counts at a time; its author says it again.
                raise BodyRefused(Refusal.UNKNOWN_HEAD, "somebody else is just leaving or coming")
            if self._clocks.held_until(body, now) is not None:
                # The last word of a seat counts. Nothing is said of the one before: whoever hears
                # that it is refused would say it again.
                self._held[seat, catches(body)] = _Held(peer, signed, body)
                return []
            if not isinstance(body.payload, BESIDES):
                return self._append(signed, now)
            used = self._besides_used(owner, now)
            out = self._append(signed, now)
            # Only what stands in the log counts: whoever comes too late says it again at once.
            self._besides[owner] = (used + 1, now)
            return out
        except Unreadable:
            return self._refuse(peer, seat, counter, BodyRefused(Refusal.MALFORMED), now)
        except BodyRefused as refused:
            return self._refuse(peer, seat, counter, refused, now)

    def _besides_used(self, owner: int, now: float) -> float:
        """What an owner has said besides the game; raises `BodyRefused` if that is enough."""
        used, at = self._besides.get(owner, (0.0, now))
        used = max(0.0, used - (now - at) / BESIDES_SECONDS)
        if used + 1 > MOST_BESIDES:
            raise BodyRefused(Refusal.NOT_NOW, "too often")
        return used

    def _refuse(
        self, peer: Peer, seat: int, counter: int, why: BodyRefused, now: float
    ) -> list[Output]:
        said = messages.BodyRefusal(seat, counter, why.refusal.value, why.detail[:200])
        if why.refusal not in ATTACKS or peer == OWN:
            return [ToPeer(peer, said)]
        owner = self._audience.left(peer)
        if owner is not None and self.replay.closed is None:
            self._lose(owner, now, DropReason.ATTACK)
        return [ToPeer(peer, said), Disconnect(peer)]

    def _append(self, signed: SignedBody, now: float) -> list[Output]:
        """Make the next entry; raises `BodyRefused`."""
        entry, happened = self.replay.append(signed, self._ms(now), self._host)
        self._entries.append(entry)
        self._firm.entry_taken()
        out: list[Output] = [KeepEntry(entry)]
        out += [Happened(event) for event in happened]
        out += self._audience.spread()
        for event in happened:
            if isinstance(event, events.RoundClosed):
                self._miss_the_absent(now)
                current = self.replay.round
                if event.counted and current is not None and current.kind is RoundKind.PLAY:
                    self._played += 1
        return out

    def _ms(self, now: float) -> int:
        """The next entry's time. Should this clock jump, it goes on from the last entry's."""
        told = int((now - self._began) * 1000)
        ms = self.replay.times.next(told)
        if ms != told:
            self._began = now - ms / 1000
        return ms

    def _say_as_host(self, payload: Payload, now: float) -> list[Output]:
        replay = self.replay
        counter = replay.next_counter(HOST)
        body = Body(replay.table_id, replay.number, HOST, counter, replay.head, payload)
        return self._append(sign_body(body, self._host), now)

    # ---- what waits ------------------------------------------------------------------------

    @property
    def _decided(self) -> set[int]:
        """Seats that have begun their turn, as far as it is up to them."""
        return {seat for seat, catching in self._held if not catching}

    def _release_held(self, now: float) -> list[Output] | None:
        """Take the first held body for which the wait around "UNO" is over."""
        for place, held in self._held.items():
            if self._clocks.held_until(held.body, now) is None:
                del self._held[place]
                return self._submit(held.peer, held.signed, now)
        return None
