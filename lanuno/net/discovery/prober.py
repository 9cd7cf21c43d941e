"""Probe announced hosts in parallel, and again when the answer may have changed.

An advert may come from a stranger, who may send it sooner and more often than the genuine host. A
host counts as reached only if it proves the announced key for the announced table.
"""

from __future__ import annotations

import asyncio
import dataclasses
import logging
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from lanuno.net.discovery.advert import TableAdvert
from lanuno.net.discovery.probe_limits import ProbeLimits
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.connect import probe

PROBE_SECONDS: Final = 3.0
"""Time limit for a host to answer, from the turn of its first address on."""
SILENT_RETRY_SECONDS: Final = 5.0
"""Time after which a host that did not answer is probed again."""
REPROBE_SECONDS: Final = 10.0
"""Time after which a host that answered is probed again, because a computer that crashes or is
unplugged sends no goodbye. Where no table is expected, `SILENT_RETRY_SECONDS` applies instead."""
DOUBTFUL_RETRY_SECONDS: Final = 1.0
"""Time after which a host is probed again if its advert was withdrawn. It may have answered just
before it closed."""
DOUBTFUL_TRIES: Final = 3
"""Number of such probes, after which `SILENT_RETRY_SECONDS` applies, because anybody can forge a
withdrawal."""


class ProbeTarget(Struct, frozen=True):
    """A host to probe, and its announced addresses."""

    hosts: tuple[str, ...]
    port: int
    fingerprint: str
    context: bytes | None = None
    """Id of the table that it must serve; None accepts any table."""
    must_host: bool = True
    """Whether it must host the table; a player who searches for the table only plays there."""
    doubtful: bool = False
    """Whether the advert was withdrawn, so that the host is probed more often."""


class ProbeAnswer(Struct, frozen=True):
    """The result of the last probe of one host."""

    reached: bool = False
    """Whether it answered the last probe and proved its identity."""
    fault: NetFault | None = None
    """Why it was not reached; None if it was, and before the first answer."""
    address: str = ""
    """The address at which it last answered."""
    context: bytes = b""
    """The lobby or table id that it served at its last answer."""

    @property
    def settled(self) -> bool:
        """Whether the first probe has ended."""
        return self.reached or self.fault is not None


_log = logging.getLogger(__name__)


@dataclass(slots=True)
class _ProbedHost:
    """The state of one host."""

    target: ProbeTarget
    probed_at: float
    """When the last probe began, by the clock of the event loop."""
    answer: ProbeAnswer = field(default_factory=ProbeAnswer)
    asked: set[str] = field(default_factory=set)
    """The addresses that have been asked in vain. The others come first the next time."""
    doubts: int = 0
    """Consecutive probes made because its advert was withdrawn."""
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class Prober:
    """Probes hosts and remembers their answers. Close it after use."""

    def __init__(
        self, on_answer: Callable[[str, bool], None], limits: ProbeLimits | None = None
    ) -> None:
        """`on_answer` is called with the key of each probed host and whether it was reached.

        `limits`: None if every address comes from the user.
        """
        self._on_answer = on_answer
        self._limits = limits
        self._hosts: dict[str, _ProbedHost] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def probe(self, key: str, target: ProbeTarget) -> ProbeAnswer:
        """Return the last answer of the host with this key, and probe it if a probe is due."""
        now = asyncio.get_running_loop().time()
        known = self._hosts.get(key)
        if known is None:
            known = self._hosts[key] = _ProbedHost(target, now)
        else:
            if not target.doubtful:
                known.doubts = 0
            if not _is_due(known, target, now):
                return known.answer
        known.target, known.probed_at = target, now
        if target.doubtful:
            known.doubts += 1
        known.task = asyncio.create_task(self._probe_host(key, known))
        self._tasks.add(known.task)
        known.task.add_done_callback(self._tasks.discard)
        return known.answer

    def answer(self, key: str) -> ProbeAnswer:
        """Return the last answer of a host, without probing it."""
        known = self._hosts.get(key)
        return ProbeAnswer() if known is None else known.answer

    def forget_all_but(self, keys: Collection[str]) -> None:
        """Forget all other hosts, and cancel their probes."""
        for key in [key for key in self._hosts if key not in keys]:
            gone = self._hosts.pop(key)
            if gone.task is not None:
                gone.task.cancel()

    async def wait(self, seconds: float | None = None) -> None:
        """Wait until all running probes have ended, or for this time."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def close(self) -> None:
        """Cancel all probes."""
        self.forget_all_but(())
        await self.wait()

    async def _probe_host(self, key: str, host: _ProbedHost) -> None:
        target, before = host.target, host.answer
        hosts = target.hosts
        if before.address and before.address not in hosts:
            hosts = (before.address, *hosts)
        if self._limits is not None:
            hosts = self._limits.nearby(hosts)
        host.asked.intersection_update(hosts)
        if host.asked.issuperset(hosts):
            host.asked.clear()
        now = asyncio.get_running_loop().time

        async def turn(address: str) -> None:
            if self._limits is not None:
                await self._limits.turn(address)
            host.asked.add(address)
            if limit.when() is None:
                limit.reschedule(now() + PROBE_SECONDS)

        try:
            if not hosts:
                raise NetError(NetFault.ELSEWHERE)
            async with asyncio.timeout(None) as limit:
                found = await probe(
                    sorted(hosts, key=host.asked.__contains__),
                    target.port,
                    fingerprint=target.fingerprint,
                    context=target.context,
                    turn=turn,
                )
            if target.must_host and not found.host.hosts:
                raise NetError(NetFault.WRONG_TABLE, "this player does not host the table")
        except NetError as error:
            host.answer = replace(before, reached=False, fault=error.fault)
        except TimeoutError:
            host.answer = replace(before, reached=False, fault=NetFault.TIMEOUT)
        else:
            host.answer = ProbeAnswer(True, None, found.address, found.host.context)
            host.asked.clear()
        if (host.answer.reached, host.answer.fault) != (before.reached, before.fault):
            fault = host.answer.fault
            why = "" if fault is None else f", {fault.name}"
            word = "answers" if host.answer.reached else "does not answer"
            _log.debug("the host at %s %s%s", ", ".join(hosts), word, why)
        host.task = None
        self._on_answer(key, host.answer.reached)


def _is_due(known: _ProbedHost, target: ProbeTarget, now: float) -> bool:
    """Whether a known host should be probed again now."""
    if known.task is not None:
        # A new advert must not cancel a probe, since a stranger could send new ones endlessly.
        return False
    sure = known.answer.reached and not target.doubtful
    if known.target.doubtful != target.doubtful or set(known.target.hosts) != set(target.hosts):
        return not (sure and known.answer.address in target.hosts)
    wait = SILENT_RETRY_SECONDS
    if sure and target.context is not None:
        wait = REPROBE_SECONDS
    elif target.doubtful and known.answer.reached and known.doubts < DOUBTFUL_TRIES:
        wait = DOUBTFUL_RETRY_SECONDS
    return now - known.probed_at >= wait


def as_answered(advert: TableAdvert, answer: ProbeAnswer) -> TableAdvert:
    """Return the advert with only the address at which its host answers.

    If it does not answer any more, the address at which it last did comes first.
    """
    if not answer.address:
        return advert
    others = (each for each in advert.addresses if each != answer.address)
    return dataclasses.replace(
        advert, addresses=(answer.address, *(() if answer.reached else others))
    )
