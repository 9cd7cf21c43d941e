"""The lines of traces, decoded, changed and replayed."""

from __future__ import annotations

import msgspec

from lanuno.table.trace import TraceLine
from lanuno.table.trace_replay import RepeatedStep, TraceReplay, recorded_steps
from tests.harness.node_world.repeatable import repeatable


def replayed(lines: list[bytes]) -> list[RepeatedStep]:
    """Repeat every step of a trace."""
    replay = TraceReplay()
    with repeatable(0):  # the boxes of a simulation are not those of HPKE
        return [replay.repeat(step) for step in recorded_steps(lines)]


def differences(lines: list[bytes]) -> list[str]:
    """Return everything in which the repetition of a trace differs from the record."""
    return [each for step in replayed(lines) for each in step.differences]


def decoded(line: bytes) -> TraceLine:
    return msgspec.json.decode(line, type=TraceLine)


def encoded(line: TraceLine) -> bytes:
    return msgspec.json.encode(line) + b"\n"
