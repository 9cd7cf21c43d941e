"""The host's office: one order for what the seats sign, from genesis to close. Sans I/O.

It decides *when*, never *what*: every entry holds a body that its author signed or one that follows
from the log, and everybody checks it again. Clocks, grace times, the wait around "UNO" and the
limits live here, because the engine and the log know no time. `now` is seconds of any steady clock.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lanuno.dealing.identity import Identity
from lanuno.log import bodies, events
from lanuno.log.bodies import HOST, Body, CloseReason, DropReason, Payload, SignedBody, sign_body
from lanuno.log.entries import Entry
from lanuno.log.faults import BodyRefused, Refusal, Unreadable
from lanuno.log.genesis import Genesis, clean_name
from lanuno.log.replay import (
    MAX_ENTRIES,
    MAX_LOG_BYTES,
    Replay,
    open_payload,
    proven_equivocation,
)
from lanuno.log.round_log import owner_seats
from lanuno.rules.results import RoundKind
from lanuno.table import messages
from lanuno.table.clocks import Clocks, Pace
from lanuno.table.messages import FromHost, FromPeer
from lanuno.table.outputs import Disconnect, Happened, KeepEntry, KeepGenesis, Output, Peer, ToPeer

ROOM_ENTRIES = 6_000
ROOM_BYTES = 3 * 1024 * 1024
"""No round begins with less room than this in the log."""

REMEMBERED_BODIES = 64
"""How many of a seat's last bodies are kept to prove a counter used twice."""

OVERLONG = frozenset({Refusal.MALFORMED, Refusal.BAD_SIGNATURE})
"""Refusals that no honest client can cause: the connection is closed."""


@dataclass(slots=True)
class _Watcher:
    """A peer without a seat, and whether it has caught up with the log."""

    name: str
    caught_up: bool = False


@dataclass(slots=True)
class _Member:
    """A peer with a seat."""

    seat: int
    acknowledged: int = 0
    seen: dict[int, SignedBody] = field(default_factory=dict)


class Sequencer:
    """The host of one table whose log begins."""

    def __init__(
        self,
        genesis: Genesis,
        host: Identity,
        seats: dict[Peer, int],
        now: float,
        *,
        rounds: int | None = None,
        pace: Pace | None = None,
    ) -> None:
        """Host the table of a genesis.

        `seats`: who sits where, by connection. `rounds`: close after so many counted rounds of
        play; None for the whole match.
        """
        self.replay = Replay(genesis)
        self.firm = 0
        """So many entries are on the disks of a majority of owners."""
        self._genesis = genesis
        self._host = host
        self._rounds = rounds
        self._began = now
        self._entries: list[Entry] = []
        self._members = {peer: _Member(seat) for peer, seat in seats.items()}
        self._watchers: dict[Peer, _Watcher] = {}
        self._clocks = Clocks(self.replay, pace or Pace())
        self._held: dict[int, tuple[Peer, SignedBody]] = {}
        self._owners = owner_seats(self.replay.roster)
        self._played = 0
        self._stopping = False

    # ---- what it stands at ------------------------------------------------------------------

    @property
    def deadline(self) -> float | None:
        """When `tick` must be called at the latest; None if nothing waits for time."""
        return None if self.replay.closed is not None else self._clocks.deadline

    @property
    def settled(self) -> bool:
        """Whether the log is closed and everybody who is still connected holds all of it."""
        return self.replay.closed is not None and all(
            member.acknowledged >= self.replay.seq for member in self._members.values()
        )

    @property
    def watchers(self) -> int:
        """How many watch."""
        return len(self._watchers)

    # ---- inputs -----------------------------------------------------------------------------

    def begin(self, now: float) -> list[Output]:
        """Open the first round."""
        return [KeepGenesis(self._genesis), *self._advance(now)]

    def receive(self, peer: Peer, message: FromPeer, now: float) -> list[Output]:
        """Take a message of a peer."""
        match message:
            case messages.Submit():
                return self._submit(peer, message.body, now) + self._advance(now)
            case messages.Ack():
                return self._acknowledge(peer, message.count) + self._advance(now)
            case messages.Fetch():
                return self._page(peer, message.first)
            case messages.Watch():
                return self.watch(peer, message.name)
            case messages.Say():
                return self._say(peer, message.text)
            case messages.Join():
                return [ToPeer(peer, messages.Refused(messages.LobbyRefusal.STARTED))]
            case _:
                return []

    def watch(self, peer: Peer, name: str) -> list[Output]:
        """Let somebody watch; the driver has checked the limits."""
        clean = clean_name(name)
        if clean is None:
            return [ToPeer(peer, messages.Refused(messages.LobbyRefusal.BAD_NAME))]
        if peer in self._members:
            return []
        self._watchers[peer] = _Watcher(clean)
        return [ToPeer(peer, messages.Began(self._genesis))]

    def left(self, peer: Peer, now: float) -> list[Output]:
        """A connection ended."""
        self._watchers.pop(peer, None)
        member = self._members.pop(peer, None)
        if member is None or self.replay.closed is not None:
            return []
        self._clocks.lost(member.seat, now)
        return self._advance(now)

    def stop(self, now: float) -> list[Output]:
        """The host ends the match: after a whole round if it can, else as it is."""
        self._stopping = True
        if self.replay.closed is not None:
            return []
        if self.replay.between_rounds and self.replay.sound:
            return self._advance(now, certain=True)
        return self._close(CloseReason.INCOMPLETE, now)

    def tick(self, now: float) -> list[Output]:
        """Let time pass."""
        return self._advance(now)

    # ---- bodies -----------------------------------------------------------------------------

    def _submit(self, peer: Peer, signed: SignedBody, now: float) -> list[Output]:
        member = self._members.get(peer)
        if member is None:
            return []
        counter = 0
        try:
            body = signed.read()
            counter = body.counter
            if body.author != member.seat:
                raise BodyRefused(Refusal.NOT_A_SEAT, "not your seat")
            twice = self._used_twice(member, body, signed, now)
            if twice is not None:
                return twice
            if self._clocks.holds(body, now):
                self._held[member.seat] = (peer, signed)
                return []
            return self._append(signed, now)
        except Unreadable:
            refused = BodyRefused(Refusal.MALFORMED)
        except BodyRefused as error:
            refused = error
        out: list[Output] = [
            ToPeer(peer, messages.BodyRefusal(counter, refused.refusal.value, refused.detail[:200]))
        ]
        if refused.refusal in OVERLONG:
            out.append(Disconnect(peer))
        return out

    def _used_twice(
        self, member: _Member, body: Body, signed: SignedBody, now: float
    ) -> list[Output] | None:
        """Expose a seat that signs two things with one counter."""
        before = member.seen.get(body.counter)
        if before is None:
            if signed.signed_by(self.replay.public_key(body.author)):
                member.seen[body.counter] = signed
                if len(member.seen) > REMEMBERED_BODIES:
                    del member.seen[min(member.seen)]
            return None
        if proven_equivocation(self.replay, before, signed) is None:
            return None
        expose = bodies.Expose(before.body, before.signature, signed.body, signed.signature)
        return self._say_as_host(expose, now)

    def _append(self, signed: SignedBody, now: float) -> list[Output]:
        """Make the next entry; raises `BodyRefused`."""
        ms = max(0, int((now - self._began) * 1000))
        entry, happened = self.replay.append(signed, ms, self._host)
        first = len(self._entries)
        self._entries.append(entry)
        self._clocks.heard(signed.read())
        news = messages.Entries(first, (entry,))
        out: list[Output] = [KeepEntry(entry)]
        out += [Happened(event) for event in happened]
        out += [ToPeer(peer, news) for peer in self._listeners()]
        for event in happened:
            if isinstance(event, events.RoundClosed) and event.counted:
                current = self.replay.round
                if current is not None and current.kind is RoundKind.PLAY:
                    self._played += 1
        return out

    def _say_as_host(self, payload: Payload, now: float) -> list[Output]:
        replay = self.replay
        counter = replay.next_counter(HOST)
        body = Body(replay.table_id, replay.number, HOST, counter, replay.head, payload)
        return self._append(sign_body(body, self._host), now)

    # ---- firmness and backlog ---------------------------------------------------------------

    def _acknowledge(self, peer: Peer, count: int) -> list[Output]:
        member = self._members.get(peer)
        if member is None or count > self.replay.seq:
            return []
        member.acknowledged = max(member.acknowledged, count)
        held = {owner: 0 for owner in set(self._owners) if owner not in self.replay.dropped}
        for each in self._members.values():
            if each.seat in held:
                held[each.seat] = each.acknowledged
        majority = len(held) // 2 + 1
        firm = sorted(held.values(), reverse=True)[majority - 1]
        if firm <= self.firm:
            return []
        self.firm = firm
        return [ToPeer(other, messages.Firm(firm)) for other in self._listeners()]

    def _page(self, peer: Peer, first: int) -> list[Output]:
        page: list[Entry] = []
        size = 0
        for entry in self._entries[first : first + 1024]:
            size += len(entry.core) + len(entry.signature) + 16
            if page and size > messages.PAGE_BYTES:
                break
            page.append(entry)
        watcher = self._watchers.get(peer)
        if watcher is not None:
            watcher.caught_up = first + len(page) >= len(self._entries)
        return [ToPeer(peer, messages.Entries(first, tuple(page)))] if page else []

    def _listeners(self) -> list[Peer]:
        """Everybody to whom new entries are sent as they come."""
        watching = [peer for peer, watcher in self._watchers.items() if watcher.caught_up]
        return list(self._members) + watching

    def _say(self, peer: Peer, text: str) -> list[Output]:
        clean = clean_name(text, messages.LONGEST_CHAT, 4 * messages.LONGEST_CHAT)
        if clean is None:
            return []
        said: FromHost
        if peer in self._members:
            seat = self._members[peer].seat
            said = messages.Said(self.replay.roster.seats[seat].name, seat, clean)
        elif peer in self._watchers:
            said = messages.Said(self._watchers[peer].name, -1, clean)
        else:
            return []
        return [ToPeer(other, said) for other in [*self._members, *self._watchers]]

    # ---- what follows by itself -------------------------------------------------------------

    def _advance(self, now: float, *, certain: bool = False) -> list[Output]:
        """Do everything that is the host's to do now. Each turn of the loop makes an entry."""
        out: list[Output] = []
        while self.replay.closed is None:
            step = self._release_held(now)
            if step is None:
                step = self._next(now, certain)
            if step is None:
                break
            out += step
        waiting = self._clocks.waiting(now)
        if waiting is not None:
            out += [ToPeer(peer, messages.Waiting(*waiting)) for peer in self._listeners()]
        return out

    def _next(self, now: float, certain: bool) -> list[Output] | None:
        replay = self.replay
        self._clocks.look(now)
        for seat in sorted(replay.leaving - set(replay.dropped)):
            return self._drop(seat, DropReason.LEFT, now)
        gone = self._clocks.gone(now)
        if gone is not None:
            return self._drop(gone[0], gone[1], now)
        if replay.between_rounds:
            return self._between(now) if certain or self.firm >= replay.seq else None
        decision = self._clocks.ran_out(now)
        if decision is not None and not self._held:
            return self._say_as_host(bodies.TimeOut(decision), now)
        return None

    def _drop(self, seat: int, reason: DropReason, now: float) -> list[Output]:
        if seat == self.replay.host:
            return self._close(CloseReason.INCOMPLETE, now)
        return self._say_as_host(bodies.Drop(seat, reason), now)

    def _between(self, now: float) -> list[Output] | None:
        replay = self.replay
        if not replay.sound:
            guilty = replay.blamed
            return self._close(CloseReason.CHEATING if guilty else CloseReason.INCOMPLETE, now)
        if replay.match.over:
            return self._close(CloseReason.FINISHED, now)
        if self._stopping or (self._rounds is not None and self._played >= self._rounds):
            return self._close(CloseReason.STOPPED, now)
        full = replay.seq > MAX_ENTRIES - ROOM_ENTRIES or replay.size > MAX_LOG_BYTES - ROOM_BYTES
        if full:
            return self._close(CloseReason.TOO_LONG, now)
        plan = replay.next_plan()
        return None if plan is None else self._say_as_host(open_payload(plan), now)

    def _close(self, reason: CloseReason, now: float) -> list[Output]:
        close = bodies.Close(reason, tuple(self.replay.match.totals), self.replay.seq)
        return self._say_as_host(close, now)

    def _release_held(self, now: float) -> list[Output] | None:
        """Take the first held beginning of a turn once the wait around "UNO" is over."""
        for seat, (peer, signed) in list(self._held.items()):
            if self._clocks.holds(signed.read(), now):
                continue
            del self._held[seat]
            if peer in self._members:
                return self._submit(peer, signed, now)
        return None
