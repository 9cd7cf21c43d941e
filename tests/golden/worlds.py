"""Whole simulated tables: every output of every computer, and every change of its role."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from lanuno.table.member import Member
from lanuno.table.outputs import Output
from tests.golden.canonical import text
from tests.golden.recording import Golden
from tests.golden.roles import Role, watched
from tests.harness.node_world import faults

Transition = tuple[Role, str, Role]
"""Role before, input, role after."""


def _lines(case: str) -> Iterator[str]:
    lines: list[str] = []

    def hear(
        member: Member, name: str, roles: tuple[Role, Role], out: list[Output], now: float
    ) -> None:
        before, after = roles
        if before is not after:
            lines.append(f"{now!r} {member.seat} {before.value} -> {after.value}")
        lines.extend(f"{now!r} {member.seat} {text(output)}" for output in out)

    with watched(hear):
        seconds = faults.run(int(case)).seconds
    yield from lines
    yield repr(seconds)


def transitions(seeds: range) -> Counter[Transition]:
    """How often each input led from one role to another at these tables."""
    seen: Counter[Transition] = Counter()

    def hear(
        member: Member, name: str, roles: tuple[Role, Role], out: list[Output], now: float
    ) -> None:
        seen[roles[0], name, roles[1]] += 1

    with watched(hear):
        for seed in seeds:
            faults.run(seed)
    return seen


WORLDS = Golden("worlds", tuple(map(str, range(400))), _lines, tested=24)
