"""The replay of a trace: what it repeats, which differences it finds, which traces it refuses."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.log.faults import Unreadable
from lanuno.rules.engine.actions import Draw
from lanuno.table import inputs
from lanuno.table.trace import FORMAT, Trace, TraceLine
from lanuno.table.trace_replay import TraceReplay, recorded_steps
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.traced_program import TraceLines, traced_worlds
from tests.harness.node_world.watched_world import QUICK
from tests.harness.node_world.world import World
from tests.table.trace_lines import decoded, differences, encoded, replayed


@pytest.fixture(scope="module")
def trace() -> list[bytes]:
    """The trace of a small table without faults."""
    recorded = TraceLines()
    with repeatable(1), traced_worlds(recorded):
        world = World(4, 1, ruleset=QUICK)  # four owners seal shares of their seeds
        world.start()
        world.run(lambda: all(node.running.over for node in world.nodes))
    return recorded.lines


def test_a_changed_record_is_noticed(trace: list[bytes]) -> None:
    assert differences(trace) == []
    changed: dict[str, list[bytes]] = {}
    for number, data in enumerate(trace):
        line = decoded(data)
        before, after = trace[:number], trace[number + 1 :]
        if line.random is not None:
            other = msgspec.structs.replace(line, random=bytes(len(line.random)))
            changed.setdefault("random", [*before, encoded(other), *after])
        if line.sealed is not None:
            changed.setdefault("sealed", [*before, *after])
        if line.output is not None:
            output = msgspec.structs.replace(line.output, digest="0" * 16)
            other = msgspec.structs.replace(line, output=output)
            changed.setdefault("output", [*before, encoded(other), *after])
            changed.setdefault("no output", [*before, *after])
        if line.role == "Hosting":
            other = msgspec.structs.replace(line, role="Searching")
            changed.setdefault("role", [*before, encoded(other), *after])
        if isinstance(line.input, inputs.MessageReceived):
            changed.setdefault("no input", [*before, *after])
    assert changed.keys() == {"random", "sealed", "output", "no output", "role", "no input"}
    assert [kind for kind, lines in changed.items() if not differences(lines)] == []


def test_a_trace_may_end_anywhere(trace: list[bytes]) -> None:
    signs = next(number for number, data in enumerate(trace) if decoded(data).signed is not None)
    for length in (signs, len(trace) // 3, len(trace) // 2, len(trace) - 1):
        cut = [*trace[:length], trace[length][: len(trace[length]) // 2]]
        assert differences(cut) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"\n", "line 1 is not of a trace"),
        (b'{"node":0,"at":1.0,"input":{"type":"Sleep"}}\n', "line 1 is not of a trace"),
        (b'{"node":0,"role":"Hosting"}\n', "node 0 has not begun"),
        (b'{"node":0,"about":"\xff"}\n', "line 1 is not of a trace"),
        (
            b'{"node":0,"at":1.0,"input":{"type":"JobDone","job":1,"result":' + b"[" * 9999,
            "no node",
        ),
        (
            b'{"node":0,"at":1.0,"input":{"type":"JobDone","job":1,"result":'
            + b"[" * 9999
            + b"]" * 9999
            + b"}}\n",
            "line 1 is not of a trace",
        ),
        (b"", "no node begins"),
    ],
)
def test_a_file_that_is_not_a_trace(line: bytes, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        list(recorded_steps([line]))


def test_a_trace_of_another_format(trace: list[bytes]) -> None:
    first = decoded(trace[0])
    assert first.begins is not None
    begins = msgspec.structs.replace(first.begins, format=FORMAT + 1)
    with pytest.raises(Unreadable, match="format"):
        list(recorded_steps([encoded(msgspec.structs.replace(first, begins=begins))]))


def test_an_input_before_its_node(trace: list[bytes]) -> None:
    inputs_only = [data for data in trace if decoded(data).input is not None]
    with pytest.raises(Unreadable, match="has not begun"):
        replayed(inputs_only)


def test_a_failure_of_the_node_is_recorded_and_repeated() -> None:
    world, recorded = World(2, 5), TraceLines()
    one = Trace(0, recorded.write, world.genesis, world.nodes[0].config)
    with pytest.raises(IndexError):
        one.step(inputs.PlayerActed(7, Draw()), 0.0)
    steps = replayed(recorded.lines)
    assert [step.error for step in steps] == ["", "IndexError"]
    assert [step.differences for step in steps] == [[], []]
    failed = encoded(msgspec.structs.replace(decoded(recorded.lines[-1]), error="ValueError"))
    *_, last = replayed([*recorded.lines[:-1], failed])
    assert last.differences == ["error: recorded ValueError, repeated IndexError"]


def with_input(trace: list[bytes], wanted: type, change: inputs.NodeInput) -> list[bytes]:
    """Return the trace with another input in place of the first one of a kind."""
    for place, data in enumerate(trace):
        line = decoded(data)
        if isinstance(line.input, wanted):
            changed = encoded(msgspec.structs.replace(line, input=change))
            return [*trace[:place], changed, *trace[place + 1 :]]
    raise AssertionError("no such input among them")


def test_another_input_leads_to_outputs_that_differ_from_the_record(trace: list[bytes]) -> None:
    changed = with_input(trace, inputs.LinkUp, inputs.TimePassed())
    first = next(step for step in replayed(changed) if step.differences)
    assert all(text.startswith("output") for text in first.differences)


def test_a_job_that_the_node_has_not_requested_is_a_difference(trace: list[bytes]) -> None:
    changed = with_input(trace, inputs.JobDone, inputs.JobDone(999))
    first = next(step for step in replayed(changed) if step.differences)
    assert first.differences == ["it has not asked for this job"]


def test_a_step_lists_the_lines_up_to_the_next_step() -> None:
    lines = [
        TraceLine(0, at=1.0, about="first", input=inputs.TimePassed()),
        TraceLine(1, at=2.0, input=inputs.LeaveRequested()),
        TraceLine(0, random=b"abc"),
        TraceLine(0, sealed=b"box"),
        TraceLine(0, signed=(b"public", b"message", b"signature")),
        TraceLine(1, error="ValueError"),
        TraceLine(0, role="Hosting"),
        TraceLine(0, at=3.0, input=inputs.StopRequested()),
    ]
    first, *rest = recorded_steps([encoded(line) for line in lines])
    assert (first.node, first.given, first.at, first.about) == (
        0,
        inputs.TimePassed(),
        1.0,
        "first",
    )
    assert (first.random, first.sealed, first.roles) == ([b"abc"], [b"box"], ["Hosting"])
    assert first.signed == {(b"public", b"message"): b"signature"}
    assert not first.last
    ends = {(each.node, type(each.given).__name__, each.error, each.last) for each in rest}
    assert ends == {(0, "StopRequested", "", True), (1, "LeaveRequested", "ValueError", True)}


def test_the_nodes_of_a_replay_can_be_inspected_between_steps(trace: list[bytes]) -> None:
    replay = TraceReplay()
    lengths = []
    with repeatable(0):
        for step in recorded_steps(trace):
            replay.repeat(step)
            lengths.append(replay.nodes[step.node].replay.seq)
    assert set(replay.nodes) == {0, 1, 2, 3}
    assert {node.replay.closed is not None for node in replay.nodes.values()} == {True}
    assert lengths[0] == 0
    assert len({node.replay.head for node in replay.nodes.values()}) == 1
