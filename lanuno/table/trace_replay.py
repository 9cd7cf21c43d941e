"""The replay of a trace: the same nodes, made again, repeat every recorded step.

`recorded_steps` reads the lines of a trace. `TraceReplay.repeat` lets the node of a step do it
again, and compares its roles and outputs with the recorded ones. The nodes are real: between two
steps their whole state can be inspected, and a mended `Node` can be tried on a recorded fault.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

import msgspec
from msgspec import Struct

from lanuno.dealing.identity import Identity
from lanuno.dealing.sealing import seal
from lanuno.log.faults import Unreadable
from lanuno.table import inputs
from lanuno.table.inputs import NodeInput
from lanuno.table.node import Node, NodeConfig
from lanuno.table.outputs import NodeOutput, RunJob
from lanuno.table.roles import Role, describe_role
from lanuno.table.trace import (
    FORMAT,
    Beginning,
    RecordedOutput,
    SubstituteIdentity,
    TraceLine,
    record_output,
    recovered_state,
)

_LINE = msgspec.json.Decoder(TraceLine)


@dataclass(slots=True)
class RecordedStep:
    """One step of a node, as recorded: its making, or an input, and everything up to the next."""

    node: int
    begins: Beginning | None
    """What the node was made from; None if the step is an input."""
    given: NodeInput | None
    at: float
    about: str
    random: list[bytes] = field(default_factory=list, repr=False)
    sealed: list[bytes] = field(default_factory=list, repr=False)
    stand_ins: list[bytes] = field(default_factory=list)
    """Public keys of the stand-ins for which keys were made."""
    signed: dict[tuple[bytes, bytes], bytes] = field(default_factory=dict, repr=False)
    """The signatures made, by public key and signed bytes."""
    roles: list[str] = field(default_factory=list)
    outputs: list[RecordedOutput] = field(default_factory=list)
    error: str = ""
    last: bool = False
    """Whether it is the last step of its node, whose lines may have been cut off."""


class RepeatedStep(Struct, frozen=True):
    """What a node did when it repeated a step."""

    roles: Sequence[str]
    outputs: Sequence[RecordedOutput]
    error: str
    differences: Sequence[str]
    """How this differs from the record; empty if it does not."""


def recorded_steps(lines: Iterable[bytes]) -> Iterator[RecordedStep]:
    """Read the steps of a trace, in the order of their first lines for each node.

    Raises `Unreadable` if a line, other than an unfinished last one, is not of a trace, or if no
    node begins.
    """
    steps: dict[int, RecordedStep] = {}
    for number, data in enumerate(lines, 1):
        if not data.endswith(b"\n"):
            break  # the program was killed while it wrote this line
        try:
            line = _LINE.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise Unreadable(f"line {number} is not of a trace: {error}") from None
        if line.begins is not None or line.input is not None:
            if line.node in steps:
                yield steps[line.node]
            if line.begins is not None and line.begins.format != FORMAT:
                found = line.begins.format
                raise Unreadable(f"line {number}: format {found} instead of {FORMAT}")
            at = line.at or 0.0
            steps[line.node] = RecordedStep(line.node, line.begins, line.input, at, line.about)
        elif line.node in steps:
            _add(steps[line.node], line)
        else:
            raise Unreadable(f"line {number}: node {line.node} has not begun")
    if not steps:
        raise Unreadable("no node begins")
    for step in steps.values():
        step.last = True
        yield step


def _add(step: RecordedStep, line: TraceLine) -> None:
    if line.random is not None:
        step.random.append(line.random)
    if line.sealed is not None:
        step.sealed.append(line.sealed)
    if line.stand_in is not None:
        step.stand_ins.append(line.stand_in)
    if line.signed is not None:
        public, message, signature = line.signed
        step.signed[public, message] = signature
    if line.role is not None:
        step.roles.append(line.role)
    if line.output is not None:
        step.outputs.append(line.output)
    if line.error is not None:
        step.error = line.error


class _Different(Exception):
    """The replayed node does something else than the recorded one."""


class _Unrecorded(_Different):
    """It wants random bytes, a box, a key or a signature that is not in the trace."""


class _Source:
    """The recorded random bytes, boxes and signatures of the present step of one node."""

    signed: dict[tuple[bytes, bytes], bytes]
    random: deque[bytes]
    sealed: deque[bytes]
    stand_ins: deque[bytes]

    def __init__(self, step: RecordedStep) -> None:
        self.take(step)

    def take(self, step: RecordedStep) -> None:
        self.random, self.sealed = deque(step.random), deque(step.sealed)
        self.stand_ins = deque(step.stand_ins)
        self.signed = step.signed

    def draw(self, count: int) -> bytes:
        if not self.random or len(self.random[0]) != count:
            raise _Unrecorded("it draws other random bytes")
        return self.random.popleft()

    def seal(self, plaintext: bytes, recipient: bytes, info: bytes) -> bytes:
        box = seal(plaintext, recipient, info)  # raises as it did then
        if not self.sealed or len(self.sealed[0]) != len(box):
            raise _Unrecorded("it seals something else")
        return self.sealed.popleft()

    def new_key(self) -> tuple[bytes, Identity]:
        if not self.stand_ins:
            raise _Unrecorded("it makes the key of a stand-in")
        return b"", self.identity(self.stand_ins.popleft())

    def identity(self, public: bytes) -> Identity:
        return SubstituteIdentity(public, partial(self._sign, public))

    def _sign(self, public: bytes, message: bytes) -> bytes:
        if (public, message) not in self.signed:
            raise _Unrecorded("it signs something else")
        return self.signed[public, message]


class TraceReplay:
    """The nodes of a trace, made again."""

    def __init__(self) -> None:
        """Begin without nodes."""
        self.nodes: dict[int, Node] = {}
        """The nodes, by their numbers in the trace."""
        self._sources: dict[int, _Source] = {}
        self._jobs: dict[tuple[int, int], Callable[[], object]] = {}
        """The work of jobs that are not done, by node and number."""
        self._roles: list[str] = []

    def repeat(self, step: RecordedStep) -> RepeatedStep:
        """Let the node of a step repeat it, and compare. Steps come in their recorded order.

        Raises `Unreadable` if the step is an input of a node that did not begin.
        """
        self._roles = []
        todo: list[NodeOutput] = []
        error, differences = "", []
        try:
            todo = self._do(step)
        except _Different as different:
            # These are written before all outputs: without outputs they may have been cut off.
            cut = step.last and not step.outputs and not step.error
            if not (cut and isinstance(different, _Unrecorded)):
                differences.append(str(different))
        except Unreadable:
            raise
        except Exception as raised:  # noqa: BLE001 - a recorded node may have raised anything
            error = type(raised).__name__
        given = [record_output(each) for each in todo]
        for output in todo:
            if isinstance(output, RunJob):
                self._jobs[step.node, output.job] = output.work
        if not differences:
            differences = list(_compare(step, self._roles, given, error))
        return RepeatedStep(self._roles, given, error, differences)

    def _do(self, step: RecordedStep) -> list[NodeOutput]:
        if step.begins is not None:
            self._begin(step, step.begins)
            return []
        if step.given is None or step.node not in self.nodes:
            raise Unreadable(f"node {step.node} has not begun")
        self._sources[step.node].take(step)
        given = step.given
        if isinstance(given, inputs.JobDone):
            work = self._jobs.pop((step.node, given.job), None)
            if work is None:
                raise _Different("it has not asked for this job")
            given = inputs.JobDone(given.job, work())
        return self.nodes[step.node].step(given, step.at)

    def _begin(self, step: RecordedStep, begins: Beginning) -> None:
        source = self._sources[step.node] = _Source(step)
        config = NodeConfig(
            identities=tuple(source.identity(public) for public in begins.identities),
            entropy=source.draw,
            sealer=source.seal,
            new_key=source.new_key,
            rounds=begins.rounds,
            pace=begins.pace,
            port=begins.port,
        )
        recovered = None
        if begins.recovered is not None:
            recovered = recovered_state(begins.genesis, begins.recovered, source.identity)
        node = self.nodes[step.node] = Node(begins.genesis, config, recovered)
        node.role_changed = self._role_changed
        self._role_changed(node.role)

    def _role_changed(self, role: Role) -> None:
        self._roles.append(describe_role(role))


def _compare(
    step: RecordedStep, roles: list[str], given: list[RecordedOutput], error: str
) -> Iterator[str]:
    """Yield the differences between the record of a step and its repetition."""
    cut = step.last and not step.error
    if roles != step.roles and not (cut and roles[: len(step.roles)] == step.roles):
        yield f"roles: recorded {step.roles}, repeated {roles}"
    if error != step.error and not cut:
        yield f"error: recorded {step.error or 'none'}, repeated {error or 'none'}"
    for place, (before, now) in enumerate(zip(step.outputs, given, strict=False)):
        if (before.type, before.digest) != (now.type, now.digest):
            yield f"output {place}: recorded {_line(before)}, repeated {_line(now)}"
    if len(given) != len(step.outputs) and not (cut and len(given) > len(step.outputs)):
        yield f"outputs: recorded {len(step.outputs)}, repeated {len(given)}"


def _line(output: RecordedOutput) -> str:
    return f"{output.type} ({output.about})"
