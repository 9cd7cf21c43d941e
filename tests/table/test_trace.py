"""Traces of whole simulated tables, replayed; and traces that a replay must not accept."""

from __future__ import annotations

from collections import Counter
from functools import partial

import msgspec
import pytest

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.rules.engine.actions import Draw
from lanuno.table import inputs, messages
from lanuno.table.messages import to_bytes
from lanuno.table.node import NodeConfig
from lanuno.table.roles import TRANSITIONS
from lanuno.table.trace import FORMAT, Trace, TraceLine
from lanuno.table.trace_replay import RepeatedStep, TraceReplay, recorded_steps
from tests.harness.node_world import faults
from tests.harness.node_world.faults import Plan
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.traced_program import TraceLines, traced_worlds
from tests.harness.node_world.world import World

SEEDS = (2, 37, 69, 213, 267)
"""Tables at which nodes crash, are cut off, leave, elect hosts and restart.

Their nodes have every role but that of a stopped node.
"""

HONEST = Plan(honest=True)


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


@pytest.fixture(scope="module")
def trace() -> list[bytes]:
    """The trace of a small table without faults."""
    recorded = TraceLines()
    with repeatable(1), traced_worlds(recorded):
        world = World(3, 1)
        world.start()
        world.run(lambda: all(node.running.over for node in world.nodes))
    return recorded.lines


@pytest.mark.parametrize("seed", SEEDS)
def test_every_node_repeats_what_it_did(seed: int) -> None:
    recorded = TraceLines()
    with traced_worlds(recorded):
        faults.run(seed, plan=HONEST)
        assert differences(recorded.lines) == []


def test_traces_of_faults_contain_every_kind_of_line() -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        recorded = TraceLines()
        with traced_worlds(recorded):
            faults.run(seed, plan=HONEST)
        for line in map(decoded, recorded.lines):
            seen["begins"] += line.begins is not None
            seen["recovered"] += line.begins is not None and line.begins.recovered is not None
            seen["random"] += line.random is not None
            seen["signed"] += line.signed is not None
            seen["sealed"] += line.sealed is not None
            if line.input is not None:
                seen[type(line.input).__name__] += 1
            if line.role is not None:
                seen[line.role.split()[0]] += 1
    wanted = {"begins", "recovered", "random", "signed", "sealed"}
    wanted |= {"NodeStarted", "LinkUp", "LinkDown", "ConnectFailed", "MessageReceived"}
    wanted |= {
        "TimePassed",
        "JournalSynced",
        "JobDone",
        "PlayerActed",
        "LeaveRequested",
    }
    wanted |= {role.__name__ for role in TRANSITIONS} - {"Stopped"}
    assert not {each for each in wanted if not seen[each]}


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
    for length in (len(trace) // 3, len(trace) // 2, len(trace) - 1):
        cut = [*trace[:length], trace[length][: len(trace[length]) // 2]]
        assert differences(cut) == []


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"\n", "line 1 is not of a trace"),
        (b'{"node":0,"at":1.0,"input":{"type":"Sleep"}}\n', "line 1 is not of a trace"),
        (b'{"node":0,"role":"Hosting"}\n', "node 0 has not begun"),
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


def test_private_keys_and_pins_are_not_recorded() -> None:
    world, recorded = World(2, 5), TraceLines()
    seed, pin = bytes(range(32)), "4711-q7X"
    node = Trace(0, recorded.write).node(world.genesis, world.nodes[0].config)
    trace = Trace(1, recorded.write)
    for message in (
        messages.Watch(1, "Wanda", pin),
        messages.Join(1, "Wanda", bytes(32), bytes(32), False, False, pin),
    ):
        given = inputs.MessageReceived(0, message)
        assert pin.encode() in to_bytes(message)
        trace.step(given, 0.0, partial(inputs.deliver, node, given, 0.0))
    trace.step(
        inputs.JobDone(3, seed), 0.0, lambda: inputs.deliver(node, inputs.JobDone(3, seed), 0.0)
    )
    text = b"".join(recorded.lines)
    assert pin.encode() not in text
    assert msgspec.json.encode(seed).strip(b'"') not in text


def test_a_failure_of_the_node_is_recorded_and_repeated() -> None:
    world, recorded = World(2, 5), TraceLines()
    one = Trace(0, recorded.write)
    node = one.node(world.genesis, world.nodes[0].config)
    given = inputs.PlayerActed(7, Draw())
    with pytest.raises(IndexError):
        one.step(given, 0.0, lambda: inputs.deliver(node, given, 0.0))
    steps = replayed(recorded.lines)
    assert [step.error for step in steps] == ["", "IndexError"]
    assert [step.differences for step in steps] == [[], []]


def test_what_a_player_decides_between_two_inputs_belongs_to_the_next_one() -> None:
    world, recorded = World(2, 5), TraceLines()
    one = Trace(0, recorded.write)
    me = Identity.from_seed(bytes(32))
    signing = one._signing(me)
    one.node(world.genesis, NodeConfig(identities=(), entropy=bytes))
    before = len(recorded.lines)
    signing.sign(b"an action")
    assert len(recorded.lines) == before
    one.step(inputs.TimePassed(), 1.0, list)
    tick, signed = map(decoded, recorded.lines[before:])
    assert isinstance(tick.input, inputs.TimePassed)
    assert signed.signed is not None
    assert signed.signed[:2] == (me.public, b"an action")
