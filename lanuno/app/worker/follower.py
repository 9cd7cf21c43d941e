"""Follows one table for a screen: notes what only somebody who was there knows, and tells pictures.

It is the observer of a `TableHost`, `TablePeer` or `MemberDriver`. Everything that happened within
one step of the event loop is told together, as one frozen `Seen`. No Qt, no words.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from lanuno.app.worker.snapshot import (
    Clock,
    Facts,
    RoundScore,
    TableShot,
    open_hands,
    picture,
)
from lanuno.log import events
from lanuno.log.faults import Blame
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.log.times import Asked
from lanuno.net.endings import CaughtUp
from lanuno.net.member_driver import MemberDriver
from lanuno.net.tournament_breaks import Break
from lanuno.rules.results import RoundKind, RoundResult
from lanuno.table import messages, outputs


@dataclass(frozen=True, slots=True)
class Seen:
    """What a table looks like now, and what happened since the last picture."""

    shot: TableShot
    happened: tuple[object, ...]
    """Events of the log and the rules, in log order."""
    at: float
    """On the steady clock."""


@dataclass(frozen=True, slots=True)
class ChatSaid:
    """Somebody said something."""

    name: str
    seat: int
    """-1 for somebody who watches."""
    text: str = field(repr=False)
    watcher: bytes | None = None
    """Identity of somebody who watches."""


@dataclass(frozen=True, slots=True)
class Reacted:
    """A player shows something."""

    name: str
    seat: int
    reaction: messages.Reaction


@dataclass(frozen=True, slots=True)
class Watched:
    """These watch the table of which this computer is the host; nobody once it is not."""

    spectators: tuple[outputs.Spectator, ...]


@dataclass(frozen=True, slots=True)
class Began:
    """The waiting room is over: this table begins."""

    genesis: Genesis


@dataclass(frozen=True, slots=True)
class Disagreed:
    """The host did not take what this seat did."""

    refusal: str
    detail: str


@dataclass(frozen=True, slots=True)
class Halted:
    """This computer goes no further: what came from the host cannot be."""

    blame: Blame
    given_up: bool = False
    """Whether the others went on without entries on which this computer released secrets."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The door of a table hosted here is open: how others come in."""

    links: tuple[str, ...]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reached:
    """The host of a table was reached, and has proved who it is."""

    address: str
    port: int
    fingerprint: str
    identity: bytes
    context: bytes
    """Id of the waiting room or the table, as its host has proved it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentStands:
    """How a tournament stands, by player."""

    names: tuple[str, ...]
    avatars: tuple[int, ...]
    totals: tuple[int, ...]
    """From the rotations that both tables have finished."""
    mine: int
    rotation: int
    """How many rotations are finished."""
    rotations: int
    winners: tuple[int, ...]
    """Once it is over."""
    waits: bool
    """Whether the other table is waited for."""
    broken: Break | None
    """Why it had to be broken off, if it had to."""


Told = (
    Seen
    | TournamentStands
    | ChatSaid
    | Reacted
    | Watched
    | Began
    | Disagreed
    | Halted
    | Opened
    | Reached
    | messages.LobbyState
    | outputs.RematchStands
    | outputs.TurnedAway
)


class Follower:
    """Turns what a driver tells into pictures."""

    def __init__(
        self, tell: Callable[[Told], None], driver: Callable[[], MemberDriver | None]
    ) -> None:
        """`tell` takes frozen values; `driver` says what runs, once something does."""
        self._tell = tell
        self._driver = driver
        self._happened: list[object] = []
        self._flush_soon: asyncio.Handle | None = None
        self._facts = Facts()
        self._turn: Asked | None = None
        self._standing: float | None = None
        """Since when the clock of the decision stands, if it does."""
        self._left: tuple[float, float] | None = None
        """What the host has said is left of the decision, and when."""
        self._gains: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        """What the table is called, as far as that was told."""
        return self._facts.name

    def named(self, name: str) -> None:
        """What the table is called."""
        self._facts = replace(self._facts, name=name)

    def __call__(self, event: object) -> None:
        """Observe."""
        match event:
            case messages.LobbyState():
                self.named(event.table)
                self._tell(event)
            case outputs.TableBegan():
                self._tell(Began(event.genesis))
            case outputs.TurnedAway() | outputs.RematchStands():
                self._tell(event)
            case outputs.ChatHeard() | outputs.ReactionSeen() | outputs.SpectatorsChanged():
                self._tell(_of_people(event))
            case outputs.ActionRefused():
                self._tell(Disagreed(event.refusal, event.detail))
            case outputs.Stopped():
                self._tell(Halted(event.blame, event.given_up))
            case outputs.TableWaits():
                self._wait(event)
            case outputs.MayClaim():
                self._facts = replace(self._facts, claimable=event.seats)
                self.look()
            case outputs.TableFrozen():
                short = (event.here, event.wanted) if event.here < event.wanted else None
                self._facts = replace(self._facts, short_of=short)
                self.look()
            case CaughtUp():
                # Whom this computer missed while it was away. For whom the others wait, if for
                # anybody, is told behind this.
                self._facts = replace(self._facts, waits=())
                self.look()
            case outputs.Hosting():
                self._facts = replace(self._facts, hosting=event.on)
                if not event.on:
                    self._tell(Watched(()))
                self._note(event)
            case _:
                self._note(event)

    def _wait(self, event: outputs.TableWaits) -> None:
        now = time.monotonic()
        if not event.seats:
            self._left = event.seconds, now
        waits = tuple((seat, now + event.seconds) for seat in event.seats)
        self._facts = replace(self._facts, waits=waits)
        self.look()

    def look(self) -> None:
        """The table may look different now."""
        if self._flush_soon is None:
            self._flush_soon = asyncio.get_running_loop().call_soon(self._flush)

    def catch_up(self, driver: MemberDriver) -> None:
        """Learn what happened before this program followed the table."""
        replay = Replay(driver.member.replay.genesis)
        for entry in driver.session.entries:
            for event in replay.follow(entry, trusted=True):
                self._learn(event, replay)
                self._happened.append(event)
        self.look()

    def _note(self, event: object) -> None:
        driver = self._driver()
        if driver is not None:
            self._learn(event, driver.member.replay)
        self._happened.append(event)
        self.look()

    def _learn(self, event: object, replay: Replay) -> None:
        match event:
            case events.HostElected():
                # Its clocks begin anew.
                self._turn = None
            case events.RoundOpened():
                self._facts = replace(self._facts, open_hands=(), last_mover=None)
            case events.ActionTaken():
                self._facts = replace(self._facts, last_mover=event.seat)
            case events.SeatDropped() | events.SeatReturned():
                waits = tuple(each for each in self._facts.waits if each[0] != event.seat)
                self._facts = replace(self._facts, waits=waits)
            case events.RoundRevealed() if replay.round is not None:
                self._facts = replace(self._facts, open_hands=open_hands(replay.round))
            case events.RoundClosed():
                self._score(event, replay)
            case _:
                pass

    def _score(self, closed: events.RoundClosed, replay: Replay) -> None:
        current = replay.round
        if current is None or current.kind is not RoundKind.PLAY:
            return
        before = self._facts.scores[-1].totals if self._facts.scores else None
        totals = tuple(replay.match.totals)
        gains = tuple(
            now - (0 if before is None else before[seat]) for seat, now in enumerate(totals)
        )
        winners = closed.result.winners if isinstance(closed.result, RoundResult) else ()
        score = RoundScore(
            number=closed.number,
            winners=tuple(winners),
            gains=gains,
            totals=totals,
            void=current.void,
            attested=sum(1 for blamed in current.attests.values() if not blamed),
            of=len(current.order),
            here=sum(1 for seat in current.order if seat not in current.lost),
        )
        self._facts = replace(self._facts, scores=(*self._facts.scores, score))

    # ---- telling ----------------------------------------------------------------------------

    def _flush(self) -> None:
        self._flush_soon = None
        driver = self._driver()
        happened, self._happened = tuple(self._happened), []
        if driver is None:
            return
        now = time.monotonic()
        in_contact = driver.member.in_contact or driver.member.replay.closed is not None
        agreed = driver.arrangements.rounds
        self._facts = replace(self._facts, in_contact=in_contact, agreed=agreed)
        self._look_at_clock(driver, now)
        shot = picture(driver.session, self._facts)
        self._tell(Seen(shot, happened, now))

    def _look_at_clock(self, driver: MemberDriver, now: float) -> None:
        """Since when the clock of the present decision runs, as far as this computer knows."""
        times = driver.member.replay.times
        asked = times.asked
        if asked is None:
            self._turn, self._left = None, None
            self._facts = replace(self._facts, clock=None)
            return
        deal = asked.deal / 1000
        total = 0.0
        if asked.limit is not None and not asked.by_program:
            total = asked.limit / 1000 - deal
        if asked is not self._turn:
            self._turn = asked
            # Somebody who comes back hears of it later than it began, by the host's own clock.
            since = now + deal - (times.ms - asked.ms) / 1000
            self._facts = replace(self._facts, clock=Clock(asked.seat, total, since))
        clock = self._facts.clock
        if clock is None:
            return
        since = clock.since + self._stood(now, clock)
        if self._left is not None and self._left[0] > 0:
            left, told = self._left
            since = told + min(left, total + deal) - total
        self._left = None
        self._facts = replace(self._facts, clock=replace(clock, since=since))

    def _stood(self, now: float, clock: Clock) -> float:
        """Seconds for which the host's clock has stood, once it goes on: nobody has lost them."""
        facts = self._facts
        if facts.waits or facts.short_of is not None or not facts.in_contact:
            self._standing = now if self._standing is None else self._standing
            return 0.0
        stood, self._standing = self._standing, None
        return 0.0 if stood is None else max(0.0, now - max(stood, clock.since))


def _of_people(
    event: outputs.ChatHeard | outputs.ReactionSeen | outputs.SpectatorsChanged,
) -> Told:
    """What people do besides playing."""
    if isinstance(event, outputs.ChatHeard):
        return ChatSaid(event.name, event.seat, event.text, event.watcher)
    if isinstance(event, outputs.ReactionSeen):
        return Reacted(event.name, event.seat, event.reaction)
    return Watched(event.spectators)
