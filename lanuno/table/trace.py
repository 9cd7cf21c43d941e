"""A trace: a record of everything that one node was told, and of everything that it answered.

A trace has one JSON object per line. A node begins with a line of what it was made from. Then each
input has a line, followed by lines for the random bytes, boxes and signatures that the node made,
for each change of its role, and for each output. From these lines `trace_replay.py` makes the same
node again and lets it repeat every step.

A trace contains no private key of a profile or a bot: it has the signatures instead. It contains
the random bytes of this node, and thus the cards of its seats, and the lines of chat. It holds no
PIN, because no message does. An output is written as its kind, a description without secrets and a
digest.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from lanuno.dealing.identity import Identity
from lanuno.dealing.sealing import Seal, seal
from lanuno.log.faults import Unreadable
from lanuno.log.format.bodies import HOST, Act, SignedBody
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.statements import SignedStatement
from lanuno.table import inputs, messages, outputs
from lanuno.table.host.clocks import Pace
from lanuno.table.host.stand_ins import NewKey, key_from
from lanuno.table.inputs import NodeInput
from lanuno.table.lobby.peer import Entropy
from lanuno.table.messages import AtTable, PeerAddress
from lanuno.table.node import Node, NodeConfig
from lanuno.table.outputs import NodeOutput
from lanuno.table.recovery import RecoveredSeat, RecoveredState
from lanuno.table.released_secrets import Released
from lanuno.table.roles import Role, describe_role

FORMAT: Final = 2
"""The version of the format. A replay accepts only its own."""

LONGEST_DESCRIPTION: Final = 160
DIGEST_CHARACTERS: Final = 16


class RecordedSeat(Struct, frozen=True):
    """A `RecoveredSeat`."""

    seat: int
    seeds: tuple[tuple[bytes, str, bytes], ...]
    """Hash of the round's Open entry, label, seed."""
    bodies: tuple[tuple[int, SignedBody], ...]
    next_counter: int


class RecordedRecovery(Struct, frozen=True):
    """A `RecoveredState`, apart from its genesis. A stand-in is recorded as its public key."""

    entries: tuple[Entry, ...]
    seats: tuple[RecordedSeat, ...]
    votes: tuple[tuple[int, bytes], ...]
    released: Released | None
    places: tuple[PeerAddress, ...]
    stand_ins: tuple[tuple[int, bytes], ...]


class Beginning(Struct, frozen=True):
    """What a node was made from."""

    format: int
    version: str
    """Of the program."""
    genesis: Genesis
    identities: tuple[bytes, ...]
    """Public keys; see `NodeConfig`."""
    rounds: int | None
    pace: Pace
    port: int
    recovered: RecordedRecovery | None = None


class RecordedOutput(Struct, frozen=True):
    """One output."""

    type: str
    about: str
    """A description for readers, without secrets."""
    digest: str


class TraceLine(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a trace. Exactly one of the fields from `begins` on is set, besides `about`."""

    node: int
    """Number of the node in this trace. A session plays on several nodes, one for each table."""
    begins: Beginning | None = None
    at: float | None = None
    """With an input: the time that the node was told, in seconds of a monotonic clock."""
    about: str = ""
    """With an input: a description for readers."""
    input: NodeInput | None = None
    random: bytes | None = None
    """Random bytes that the node took."""
    sealed: bytes | None = None
    """A box that the node sealed. Sealing takes random bytes of its own."""
    stand_in: bytes | None = None
    """The public key of a stand-in for which the node made a key. The private key is left out."""
    signed: tuple[bytes, bytes, bytes] | None = None
    """A signature that the node made: the public key, the signed bytes, and the signature."""
    role: str | None = None
    """The role that the node entered."""
    output: RecordedOutput | None = None
    error: str | None = None
    """The exception with which the node broke off a step, or refused an action."""


class SubstituteIdentity(Identity):
    """An identity whose signatures come from a function."""

    __slots__ = ("_make",)

    def __init__(self, public: bytes, make: Callable[[bytes], bytes]) -> None:
        """`make` returns the signature over some bytes."""
        self.public = public
        self._make = make

    def sign(self, message: bytes) -> bytes:
        """Return the signature over these bytes."""
        return self._make(message)


class Trace:
    """A node that is recorded."""

    def __init__(
        self,
        number: int,
        write: Callable[[bytes], bool],
        genesis: Genesis,
        config: NodeConfig,
        recovered: RecoveredState | None = None,
        *,
        version: str = "",
    ) -> None:
        """Make the node. The last parameters, and the errors, are those of `Node`.

        `number` tells the nodes of a trace apart. `write` receives each line as it arises, and
        returns whether the trace goes on.
        """
        self._number = number
        self._write = write
        self._goes_on = True
        beginning = Beginning(
            FORMAT,
            version,
            genesis,
            tuple(each.public for each in config.identities),
            config.rounds,
            config.pace,
            config.port,
            None if recovered is None else _recorded(recovered),
        )
        self._line(TraceLine(self._number, begins=beginning))
        new_key = config.new_key or partial(key_from, config.entropy)
        config = replace(
            config,
            identities=tuple(self._signing(each) for each in config.identities),
            entropy=partial(self._draw, config.entropy),
            sealer=partial(self._seal, config.sealer or seal),
            new_key=partial(self._make_key, new_key),
        )
        if recovered is not None:
            stand_ins = {seat: self._signing(each) for seat, each in recovered.stand_ins.items()}
            recovered = replace(recovered, stand_ins=stand_ins)
        self.node = Node(genesis, config, recovered)
        self.role_changed(self.node.role)

    def step(self, given: NodeInput, now: float) -> Sequence[NodeOutput]:
        """Pass an input to the node, record it with what the node does, and return the outputs."""
        if not self._goes_on:
            return self.node.step(given, now)
        recorded = _without_private(given)
        self._line(TraceLine(self._number, at=now, about=_about_input(given), input=recorded))
        try:
            todo = self.node.step(given, now)
        except Exception as error:
            self._line(TraceLine(self._number, error=type(error).__name__))
            raise
        for output in todo:
            self._line(TraceLine(self._number, output=record_output(output)))
        return todo

    def role_changed(self, role: Role) -> None:
        """Record that the node has entered a role."""
        self._line(TraceLine(self._number, role=describe_role(role)))

    def _signing(self, identity: Identity) -> Identity:
        return SubstituteIdentity(identity.public, partial(self._sign, identity))

    def _sign(self, identity: Identity, message: bytes) -> bytes:
        signature = identity.sign(message)
        self._line(TraceLine(self._number, signed=(identity.public, message, signature)))
        return signature

    def _draw(self, entropy: Entropy, count: int) -> bytes:
        drawn = entropy(count)
        self._line(TraceLine(self._number, random=drawn))
        return drawn

    def _make_key(self, new_key: NewKey) -> tuple[bytes, Identity]:
        seed, identity = new_key()
        self._line(TraceLine(self._number, stand_in=identity.public))
        return seed, self._signing(identity)

    def _seal(self, sealer: Seal, plaintext: bytes, recipient: bytes, info: bytes) -> bytes:
        box = sealer(plaintext, recipient, info)
        self._line(TraceLine(self._number, sealed=box))
        return box

    def _line(self, line: TraceLine) -> None:
        self._goes_on = self._goes_on and self._write(msgspec.json.encode(line) + b"\n")


def record_output(output: NodeOutput) -> RecordedOutput:
    """Return the record of an output."""
    content: object = output
    about = ""
    match output:
        case outputs.Send():
            about = f"link {output.link}: {about_message(output.message)}"
        case outputs.AppendEntry():
            about = _about_body(output.entry)
        case outputs.StoreStandIn():
            # A digest of the private key could not be repeated from the public one.
            content, about = output.seat, repr(output)
        case outputs.RunJob():
            # The work is a function; its number and its result are what counts.
            content, about = output.job, f"job {output.job}"
        case outputs.Happened():
            content, about = (type(output.event).__name__, output.event), repr(output.event)
        case outputs.StoreGenesis() | outputs.StoreOtherEnd() | outputs.StoreVote():
            pass
        case outputs.StoreRelease():
            about = f"seat {output.seat}, body {output.counter}, {output.count} entries"
        case _:
            about = repr(output)
    data = msgspec.msgpack.encode(content, enc_hook=_plain, order="deterministic")
    digest = sha256(data).hexdigest()[:DIGEST_CHARACTERS]
    return RecordedOutput(type(output).__name__, about[:LONGEST_DESCRIPTION], digest)


def about_message(message: AtTable) -> str:
    """Describe a message for readers, without what only its receiver may know."""
    name = type(message).__name__
    match message:
        case messages.Submit():
            return f"{name}: {_about_body(message.body)}"
        case messages.Entries() | messages.LogPage():
            listed = ", ".join(_about_body(each) for each in message.entries)
            return f"{name}: {listed}"
        case messages.Statements():
            return f"{name}: {', '.join(_about_statement(each) for each in message.signed)}"
        case _:
            return repr(message)


def _about_input(given: NodeInput) -> str:
    if isinstance(given, inputs.MessageReceived):
        return f"link {given.link}: {about_message(given.message)}"[:LONGEST_DESCRIPTION]
    return ""


def _about_body(content: SignedBody | Entry) -> str:
    """Describe a signed body, or the body in an entry, by the kind of its payload."""
    try:
        number = ""
        if isinstance(content, Entry):
            core = content.read()
            number, content = f"{core.seq} ", core.signed_body
        body = content.read()
    except Unreadable:
        return "unreadable"
    what = body.payload
    kind = type(what).__name__
    if isinstance(what, Act):
        kind = f"{kind} ({type(what.action).__name__})"
    return f"{number}{kind} by {'the host' if body.author == HOST else f'seat {body.author}'}"


def _about_statement(signed: SignedStatement) -> str:
    try:
        said = signed.read()
    except Unreadable:
        return "unreadable"
    return f"{said.count} entries of term {said.term} by seat {said.author}"


def _without_private(given: NodeInput) -> NodeInput:
    """Return what is recorded of an input: without results of jobs."""
    return inputs.JobDone(given.job) if isinstance(given, inputs.JobDone) else given


def _plain(value: object) -> object:
    """Encode the types that msgspec does not know."""
    if isinstance(value, Mapping):
        return dict(value)
    raise NotImplementedError(f"no encoding for {type(value).__name__}")


def _recorded(recovered: RecoveredState) -> RecordedRecovery:
    return RecordedRecovery(
        entries=recovered.entries,
        seats=tuple(
            RecordedSeat(
                number,
                tuple((opened, label, seed) for (opened, label), seed in seat.seeds.items()),
                tuple(seat.bodies.items()),
                seat.next_counter,
            )
            for number, seat in recovered.seats.items()
        ),
        votes=tuple(recovered.votes.items()),
        released=recovered.released,
        places=recovered.places,
        stand_ins=tuple((seat, each.public) for seat, each in recovered.stand_ins.items()),
    )


def recovered_state(
    genesis: Genesis, recorded: RecordedRecovery, identity: Callable[[bytes], Identity]
) -> RecoveredState:
    """Return the recovered state of a record. `identity` makes a stand-in from its public key."""
    return RecoveredState(
        genesis=genesis,
        entries=recorded.entries,
        seats={
            each.seat: RecoveredSeat(
                {(opened, label): seed for opened, label, seed in each.seeds},
                dict(each.bodies),
                each.next_counter,
            )
            for each in recorded.seats
        },
        votes=dict(recorded.votes),
        released=recorded.released,
        places=recorded.places,
        stand_ins={seat: identity(public) for seat, public in recorded.stand_ins},
    )
