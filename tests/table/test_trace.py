"""Traces of whole simulated tables: what they contain, and that every node repeats its steps."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import msgspec
import pytest

from lanuno.dealing.identity import Identity
from lanuno.rules.ruleset import Format, Ruleset
from lanuno.table import inputs
from lanuno.table.node import NodeConfig
from lanuno.table.roles import TRANSITIONS
from lanuno.table.trace import Trace
from tests.harness.node_world import faults
from tests.harness.node_world.faults import Plan
from tests.harness.node_world.repeatable import repeatable
from tests.harness.node_world.traced_program import TraceLines, traced_worlds
from tests.harness.node_world.world import World
from tests.table.trace_lines import decoded, differences

PLANS = {
    **dict.fromkeys((2, 37, 69, 213, 267), Plan(honest=True)),
    11: Plan(
        honest=True,
        owners=5,
        fault_count=8,
        fault_seconds=20.0,
        faults=("the host is cut off", "the candidate crashes"),
    ),
}
"""By seed: tables at which nodes crash, are cut off, leave, elect hosts and restart.

Their nodes have every role but that of a stopped node.
"""


@pytest.mark.parametrize("seed", PLANS)
def test_every_node_repeats_what_it_did(seed: int) -> None:
    recorded = TraceLines()
    with traced_worlds(recorded):
        faults.run(seed, plan=PLANS[seed])
        assert differences(recorded.lines) == []


def test_traces_of_faults_contain_every_kind_of_line() -> None:
    seen: Counter[str] = Counter()
    for seed, plan in PLANS.items():
        recorded = TraceLines()
        with traced_worlds(recorded):
            faults.run(seed, plan=plan)
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


def test_private_keys_are_not_recorded() -> None:
    world, recorded = World(2, 5), TraceLines()
    seed = bytes(range(32))
    trace = Trace(0, recorded.write, world.genesis, world.nodes[0].config)
    trace.step(inputs.JobDone(3, seed), 0.0)
    text = b"".join(recorded.lines)
    assert msgspec.json.encode(seed).strip(b'"') not in text


def test_the_private_key_of_a_stand_in_is_not_recorded() -> None:
    recorded = TraceLines()
    ruleset = Ruleset(hand_size=3, format=Format.PAIRS, grace_first_s=2, grace_total_s=30)
    with repeatable(5), traced_worlds(recorded):
        world = World(4, 5, ruleset=ruleset, rounds=1)
        world.start()
        leaver, host = world.nodes[3], world.nodes[0]
        world.do(leaver, leaver.running.step(inputs.LeaveRequested(), world.now))
        assert world.run(lambda: host.running.over, most=world.now + 600.0)
    key = host.disk.stand_ins[3]
    made = [line.stand_in for line in map(decoded, recorded.lines) if line.stand_in is not None]
    assert made == [Identity.from_seed(key).public]
    text = b"".join(recorded.lines)
    assert msgspec.json.encode(key).strip(b'"') not in text
    assert key.hex().encode() not in text
    assert differences(recorded.lines) == []


def test_after_the_end_of_its_file_nothing_is_recorded() -> None:
    world = World(2, 5)
    lines: list[bytes] = []

    def write(line: bytes) -> bool:
        lines.append(line)
        return len(lines) < 2

    one = Trace(0, write, world.genesis, NodeConfig(identities=(), entropy=bytes))
    with patch("lanuno.table.trace.msgspec.json.encode", side_effect=AssertionError):
        todo = one.step(inputs.NodeStarted(), 0.0)
        one._signing(Identity.from_seed(bytes(32))).sign(b"an action")
    assert todo, "the node goes on"
    assert len(lines) == 2
