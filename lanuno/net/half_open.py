"""Connections that have not authenticated: who may begin its handshake, and who must make room.

A connection first waits until its whole ClientHello is there (SILENT), then for its turn (WAITING),
then it is in the handshake (MEETING), which costs this computer work. Each address of a seated
player has places of its own in all of this. Everybody else is a stranger: strangers share theirs,
counted by IPv4 address or IPv6 /64, and take turns.

Law: no sockets and no clock. An address is a hint and no proof, so that nobody is ever let in
because of it: it only says whose places a connection takes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from math import inf
from typing import Final

from lanuno.net.addresses import exact, network
from lanuno.net.limits import Limits
from lanuno.net.rate import TokenBucket

REMEMBERED: Final = 1024
"""Addresses of which is known when they last had a turn, and networks: then the oldest is not."""


class Stage(IntEnum):
    """How far a connection is."""

    SILENT = 0
    """Its ClientHello is not there, or not all of it."""

    WAITING = 1
    """It is there, and waits for its turn."""

    MEETING = 2
    """In the TLS handshake, or in the one of identities."""


@dataclass(slots=True, eq=False)
class Caller:
    """A connection that has not authenticated."""

    address: str
    network: str
    """IPv4 address or IPv6 /64."""
    seated: bool
    """Whether a seated player was known to have this address when the connection came."""
    arrived: float
    stage: Stage
    spoke: bool
    """Whether anything has come."""
    began: float = 0.0
    """When its handshake began."""


class HalfOpen:
    """All of them."""

    def __init__(self, limits: Limits, now: float) -> None:
        """Nobody is there yet."""
        self._limits = limits
        self._callers: dict[Caller, None] = {}
        self._seated: frozenset[str] = frozenset()
        self._bucket = TokenBucket(limits.handshakes, limits.handshakes_at_once, now)
        self._buckets: dict[str, TokenBucket] = {}
        """Those of the addresses of seated players."""
        self._networks: dict[str, float] = {}
        """When a stranger of a network last had a turn."""
        self._addresses: dict[str, float] = {}
        """The same of an address."""

    def __len__(self) -> int:
        return len(self._callers)

    def seat(self, addresses: Iterable[str]) -> None:
        """Keep places for these addresses, and for no others any more."""
        self._seated = frozenset(exact(each) for each in addresses)
        self._buckets = {each: self._buckets[each] for each in self._seated & self._buckets.keys()}

    @property
    def waiting(self) -> bool:
        """Whether anybody's handshake has not begun."""
        return any(each.stage is not Stage.MEETING for each in self._callers)

    @property
    def partial(self) -> list[Caller]:
        """Those who have sent a part of a ClientHello."""
        return [each for each in self._callers if each.stage is Stage.SILENT and each.spoke]

    # ---- coming and going -------------------------------------------------------------------

    def arrive(
        self, address: str, now: float, *, spoke: bool, whole: bool
    ) -> tuple[Caller, Caller | None]:
        """Somebody has come; and who must go for it, which may be the same one."""
        where = exact(address)
        stage = Stage.WAITING if whole else Stage.SILENT
        caller = Caller(where, network(address), where in self._seated, now, stage, spoke)
        self._callers[caller] = None
        queue = self._queue(caller)
        most = self._limits.reserved if caller.seated else self._limits.queue_places
        return caller, self._last(queue, now) if len(queue) > most else None

    def shed(self, now: float) -> Caller | None:
        """The stranger who must go because there is no descriptor left for anybody else."""
        queue = [
            each for each in self._callers if each.stage is not Stage.MEETING and not each.seated
        ]
        return self._last(queue, now) if queue else None

    def gone(self, caller: Caller) -> None:
        """A connection was let in or has ended."""
        self._callers.pop(caller, None)

    def expired(self, now: float) -> list[Caller]:
        """Those who have waited, or have kept this computer waiting, for too long."""
        return [each for each in self._callers if now >= self._deadline(each)]

    # ---- turns ------------------------------------------------------------------------------

    def admit(self, now: float) -> tuple[list[Caller], list[Caller]]:
        """Those whose handshake begins now, and those in it who must go for them.

        Seated players' addresses first, each with its own places; then the network, and in it the
        address, whose last turn is longest ago.
        """
        begin, end = list[Caller](), list[Caller]()
        waiting = [each for each in self._callers if each.stage is Stage.WAITING]
        while waiting:
            caller = min(waiting, key=self._turn)
            meeting = self._meeting_beside(caller)
            mates = [each for each in meeting if each.network == caller.network]
            crowded = len(mates) >= self._most(caller)
            victim = None
            if crowded or (not caller.seated and len(meeting) >= self._limits.half_open):
                victim = self._oldest(mates if crowded else meeting, now)
                if victim is None:
                    waiting = _without(waiting, caller, mates_only=crowded)
                    continue
            if not self._bucket_of(caller, now).take(now):
                waiting = _without(waiting, caller, mates_only=False)
                continue
            if victim is not None:
                self.gone(victim)
                end.append(victim)
            self._begin(caller, now)
            waiting.remove(caller)
            begin.append(caller)
        return begin, end

    # ---- inside -----------------------------------------------------------------------------

    def _last(self, queue: list[Caller], now: float) -> Caller:
        """Who goes when a queue is too long: of the network with most in it, the address with most.

        Connections without a ClientHello go before those with one, once they have had time for it:
        an honest one comes a moment behind its connection. Of those with one, the next in turn goes
        last: otherwise a flood of callers that have had their turn would push out all the others
        before theirs.
        """
        crowd = Counter(each.network for each in queue)
        house = Counter(each.address for each in queue)

        def place(each: Caller) -> tuple[int, int, bool, float, float, float]:
            late = each.stage is Stage.SILENT and now - each.arrived >= self._limits.turn
            last = self._last_turn(each)
            crowded = -crowd[each.network], -house[each.address]
            return *crowded, not late, -last[0], -last[1], each.arrived

        return min(queue, key=place)

    def _queue(self, caller: Caller) -> list[Caller]:
        """Those who wait where this one waits."""
        return [
            each
            for each in self._callers
            if each.stage is not Stage.MEETING and _share_places(each, caller)
        ]

    def _meeting_beside(self, caller: Caller) -> list[Caller]:
        """Those in the handshake whose places this one may have."""
        meeting = (each for each in self._callers if each.stage is Stage.MEETING)
        return [each for each in meeting if _share_places(each, caller)]

    def _most(self, caller: Caller) -> int:
        """How many of its network may be in the handshake."""
        return self._limits.reserved if caller.seated else self._limits.half_open_each

    def _oldest(self, meeting: list[Caller], now: float) -> Caller | None:
        """Who makes room in the handshake: only one who has had time for an honest one."""
        settled = [each for each in meeting if now - each.began >= self._limits.turn]
        crowd = Counter(each.network for each in meeting)
        house = Counter(each.address for each in meeting)

        def place(each: Caller) -> tuple[int, int, float]:
            return -crowd[each.network], -house[each.address], each.began

        return min(settled, key=place, default=None)

    def _begin(self, caller: Caller, now: float) -> None:
        caller.stage, caller.began = Stage.MEETING, now
        _note(self._networks, caller.network, now)
        _note(self._addresses, caller.address, now)

    def _bucket_of(self, caller: Caller, now: float) -> TokenBucket:
        limits = self._limits
        if not caller.seated or caller.address not in self._seated:
            return self._bucket
        fresh = TokenBucket(limits.reserved_handshakes, limits.handshakes_at_once, now)
        return self._buckets.setdefault(caller.address, fresh)

    def _turn(self, caller: Caller) -> tuple[bool, float, float, float]:
        return (not caller.seated, *self._last_turn(caller), caller.arrived)

    def _last_turn(self, caller: Caller) -> tuple[float, float]:
        """When one of its network, and of its address, had a turn; that is long ago for nobody."""
        return self._networks.get(caller.network, -inf), self._addresses.get(caller.address, -inf)

    def _deadline(self, caller: Caller) -> float:
        if caller.stage is Stage.MEETING:
            return inf  # its handshake has a time of its own
        limits = self._limits
        patient = caller.spoke or caller.seated
        return caller.arrived + (limits.tls if patient else min(limits.first_byte, limits.tls))


def _share_places(one: Caller, other: Caller) -> bool:
    """Whether two compete: two strangers, or two at one seated player's address."""
    return one.seated == other.seated and (not one.seated or one.address == other.address)


def _without(waiting: list[Caller], caller: Caller, *, mates_only: bool) -> list[Caller]:
    """Those who may still have a turn now, when this one and those who share its fate may not."""
    return [
        each
        for each in waiting
        if not _share_places(each, caller) or (mates_only and each.network != caller.network)
    ]


def _note(times: dict[str, float], key: str, now: float) -> None:
    """Remember a turn, the newest last."""
    times.pop(key, None)
    times[key] = now
    if len(times) > REMEMBERED:
        del times[next(iter(times))]
