"""Asking hosts whether they are there, many at once, and again where it may be otherwise by now.

What is heard of a host may be a stranger's word, said sooner and more often than the truth. Whoever
proves the key that was announced, for the table that was announced, is there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final

from lanuno.net.client import probe
from lanuno.net.errors import Fault, NetError
from lanuno.net.txt import TableAdvert

ANSWER: Final = 3.0
"""Seconds that a host has for its answer."""
AGAIN: Final = 5.0
"""Seconds after which a host that did not answer is asked again."""
CHECK: Final = 10.0
"""Seconds after which a host that answered is asked again: a computer that crashes or is unplugged
says no goodbye."""
SOON: Final = 1.0
"""The same for a host that is said to be gone: it may have answered just before it closed."""
SOON_TRIES: Final = 3
"""How often it is asked so; then `AGAIN`, for anybody can say that somebody is gone."""


@dataclass(frozen=True, slots=True)
class Target:
    """Whom to ask, and where it is said to be."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str
    context: bytes | None = None
    """Of the table that it is to serve; None if that does not matter."""
    doubtful: bool = False
    """Whether it may go at any moment, and is to be asked again and again."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is known of one host."""

    there: bool = False
    """Whether it has answered and has proved who it is, the last time it was asked."""
    fault: Fault | None = None
    """Why not; None as well before the first answer."""
    address: str = ""
    """Where it answered last."""
    context: bytes = b""
    """What it served then."""


@dataclass(slots=True)
class _Asked:
    """One host that is or was asked."""

    target: Target
    when: float
    """When it was asked last, by the clock of the loop."""
    answer: Answer = Answer()
    doubts: int = 0
    """How many times in a row it was asked because it is said to be gone."""
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class Asking:
    """Asks, and knows who has answered. Close it."""

    def __init__(self, tell: Callable[[str, bool], None]) -> None:
        """`tell` gets the name of each host that was asked, and whether it is there."""
        self._tell = tell
        self._asked: dict[str, _Asked] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def ask(self, key: str, target: Target) -> Answer:
        """What is known of a host, by a name that it keeps; it is asked if that is not enough."""
        now = asyncio.get_running_loop().time()
        known = self._asked.get(key)
        if known is None:
            known = self._asked[key] = _Asked(target, now)
        else:
            if not target.doubtful:
                known.doubts = 0
            if not _is_due(known, target, now):
                return known.answer
        known.target, known.when = target, now
        if target.doubtful:
            known.doubts += 1
        known.task = asyncio.create_task(self._learn(key, known))
        self._tasks.add(known.task)
        known.task.add_done_callback(self._tasks.discard)
        return known.answer

    def known(self, key: str) -> Answer:
        """What is known of a host without asking."""
        known = self._asked.get(key)
        return Answer() if known is None else known.answer

    def forget_all_but(self, keys: Collection[str]) -> None:
        """Ask the others no more."""
        for key in [key for key in self._asked if key not in keys]:
            gone = self._asked.pop(key)
            if gone.task is not None:
                gone.task.cancel()

    async def wait(self) -> None:
        """Until everybody who is asked now has answered or has had the time to."""
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self) -> None:
        """Ask no more."""
        self.forget_all_but(())
        await self.wait()

    async def _learn(self, key: str, asked: _Asked) -> None:
        target, before = asked.target, asked.answer
        hosts = target.hosts
        if before.address and before.address not in hosts:
            hosts = (before.address, *hosts)
        try:
            async with asyncio.timeout(ANSWER):
                met = await probe(
                    hosts, target.port, fingerprint=target.fingerprint, context=target.context
                )
        except NetError as error:
            asked.answer = replace(before, there=False, fault=error.fault)
        except TimeoutError:
            asked.answer = replace(before, there=False, fault=Fault.TIMEOUT)
        else:
            asked.answer = Answer(True, None, met.address, met.host.context)
        asked.task = None
        self._tell(key, asked.answer.there)


def _is_due(known: _Asked, target: Target, now: float) -> bool:
    """Whether to ask a host again that was asked before."""
    if known.task is not None:
        # Never broken off for another word: a stranger could go on saying new ones.
        return False
    sure = known.answer.there and not target.doubtful
    if known.target.doubtful != target.doubtful or set(known.target.hosts) != set(target.hosts):
        return not (sure and known.answer.address in target.hosts)
    wait = AGAIN
    if sure and target.context is not None:
        wait = CHECK
    elif target.doubtful and known.answer.there and known.doubts < SOON_TRIES:
        wait = SOON
    return now - known.when >= wait


def met_at(advert: TableAdvert, address: str) -> TableAdvert:
    """The same with the address where its host has answered in front; as it is without one."""
    if not address:
        return advert
    others = (each for each in advert.addresses if each != address)
    return replace(advert, addresses=(address, *others))
