"""Actions of a dishonest seat that prove nothing: they are refused, or waited for.

`test_cheating_peers.py` asserts the outcome.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from lanuno.dealing.hashing import H
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    MAX_SEAT_BODY,
    Body,
    CloseReason,
    Payload,
    SignedBody,
)
from lanuno.log.format.genesis import VERSION
from lanuno.log.format.statements import Acknowledgement, sign_statement
from lanuno.rules.engine.actions import (
    Accept,
    Accuse,
    Action,
    Catch,
    Challenge,
    Draw,
    Keep,
    NameColour,
    Object,
    OpenHand,
    Play,
    RefuseShow,
    RefuseVerdict,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.messages import AtTable, Submit
from tests.harness.adversaries.forging import (
    Forger,
    signed_with,
    with_payload,
)
from tests.harness.adversaries.lies import unlocking
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS
from tests.harness.host_and_seats.table_sim import Player, SimPeer, Tamper

KEEPS_SEAT, IS_DROPPED = False, True


@dataclass(frozen=True)
class InvalidPeer:
    """An action that no honest seat takes and that proves nothing."""

    name: str
    make: Callable[[], Tamper]
    is_dropped: bool
    """Whether the seat is dropped for it."""
    seats: int = 3
    withheld: bool = False
    """Whether the audit reports that the seat never published its seeds."""
    ruleset: Ruleset = field(default_factory=Ruleset)
    players: dict[int, Callable[[SimPeer], Player]] = field(default_factory=dict)
    """The player that makes the moment come soon."""


class SendsExtra:
    """Sends an extra message before an honest body, a number of times."""

    def __init__(
        self, make: Callable[[SimPeer, Body], Iterable[AtTable | bytes]], times: int = 3
    ) -> None:
        self.make = make
        self.times = times
        self.fired = 0

    def __call__(self, peer: SimPeer, message: AtTable) -> Iterable[AtTable | bytes]:
        if not isinstance(message, Submit) or self.fired >= self.times:
            return [message]
        self.fired += 1
        return [*self.make(peer, message.body.read()), message]


class Mute:
    """Never sends messages or acts of some kinds."""

    def __init__(self, *kinds: type) -> None:
        self.kinds = kinds
        self.fired = 0

    def __call__(self, peer: SimPeer, message: AtTable) -> Iterable[AtTable | bytes]:
        body = message.body.read().payload if isinstance(message, Submit) else message
        action = body.action if isinstance(body, bodies.Act) else None
        if isinstance(body, self.kinds) or isinstance(action, self.kinds):
            self.fired += 1
            return []
        return [message]


def unused(peer: SimPeer) -> int:
    """A counter that is used nowhere else."""
    return peer.chance.randrange(10**6, 10**9)


def unsigned(peer: SimPeer, body: Body) -> list[AtTable]:
    signed = signed_with(peer, body).body
    return [Submit(SignedBody(signed.body, bytes(64)))]


def garbage_body(peer: SimPeer, body: Body) -> list[AtTable]:
    data = peer.chance.randbytes(200)
    return [Submit(SignedBody(data, peer.identity.sign(H("body", data))))]


def long_body(peer: SimPeer, body: Body) -> list[AtTable]:
    data = peer.chance.randbytes(MAX_SEAT_BODY + 1)
    return [Submit(SignedBody(data, peer.identity.sign(H("body", data))))]


def _of_nothing(peer: SimPeer) -> AtTable:
    """Return an acknowledgement of more entries than any log has."""
    table = peer.seat_session.replay.table_id
    said = Acknowledgement(table, peer.number, 0, table, 2**32 - 1, bytes(32))
    return messages.Statements((sign_statement(said, peer.identity),))


def unexpected_messages(peer: SimPeer, body: Body) -> list[AtTable]:
    """Everything that may be sent out of turn, and invalid numbers."""
    return [
        _of_nothing(peer),
        messages.Fetch(2**32 - 1),
        messages.Fetch(0),
        messages.Say("\u202eolleh"),
        messages.Say("hello"),
        messages.Ready(bytes(64)),
        messages.RevealNonce(bytes(32)),
        messages.Join(VERSION, "another", bytes(32), peer.identity.public, False, False),
        messages.Watch(VERSION, "another"),
    ]


def host_payload(payload: Payload) -> Callable[[SimPeer, Body], list[AtTable]]:
    """A payload of the host, signed by a seat in its own name and in the host's."""

    def make(peer: SimPeer, body: Body) -> list[AtTable]:
        return [
            signed_with(peer, body, payload=payload, counter=unused(peer)),
            signed_with(peer, body, payload=payload, counter=unused(peer), author=bodies.HOST),
        ]

    return make


def out_of_turn(peer: SimPeer, body: Body) -> list[AtTable]:
    """Every act of the game, at moments when hardly any is right; numbers of every size."""
    acts: list[Action] = [
        *(Play(slot, card) for slot in (-(2**63), -1, 0, 10**6, 2**63) for card in (-1, 0, 200)),
        Draw(),
        Keep(),
        *(NameColour(colour) for colour in (-1, 4, 2**62)),
        *(kind(seat) for kind in (Catch, Swap, Accuse) for seat in (-1, 0, peer.number, 255)),
        SayUno(),
        Accept(),
        Challenge(),
        Show(),
        RefuseShow(),
        Verdict(True),
        RefuseVerdict(),
        OpenHand(),
        Object(),
        Vote(True),
    ]
    return [
        signed_with(
            peer,
            body,
            payload=bodies.Act(decision, action, b"x" * length),
            counter=unused(peer),
            head=bytes(32) if place % 2 else body.head,
        )
        for place, (action, decision, length) in enumerate(
            (action, decision, length)
            for action in acts
            for decision in (0, 2**32 - 1)
            for length in (0, 32)
        )
    ]


INVALID_PEERS: tuple[InvalidPeer, ...] = (
    InvalidPeer("no commitment", lambda: Mute(bodies.Commit), IS_DROPPED),
    InvalidPeer("no escrow", lambda: Mute(bodies.Escrow), IS_DROPPED, seats=4),
    InvalidPeer("no pass", lambda: Mute(bodies.Pass), IS_DROPPED),
    InvalidPeer("no keys", lambda: Mute(bodies.Unlock), IS_DROPPED),
    InvalidPeer("no keys, among two", lambda: Mute(bodies.Unlock), IS_DROPPED, seats=2),
    InvalidPeer("no seeds", lambda: Mute(bodies.Reveal), IS_DROPPED, withheld=True),
    InvalidPeer("no seeds, among two", lambda: Mute(bodies.Reveal), IS_DROPPED, 2, withheld=True),
    InvalidPeer("no attestation", lambda: Mute(bodies.Attest), IS_DROPPED),
    InvalidPeer("no acknowledgements", lambda: Mute(messages.Statements), IS_DROPPED),
    InvalidPeer(
        "no acknowledgements, among two", lambda: Mute(messages.Statements), IS_DROPPED, seats=2
    ),
    InvalidPeer("no acts", lambda: Mute(bodies.Act), KEEPS_SEAT),
    *(
        InvalidPeer(name, partial(Mute, *kinds), KEEPS_SEAT, ruleset=CROWDED, players=DOUBTERS)
        for name, kinds in (
            ("shows no hand", (Show,)),
            ("gives no verdict", (Verdict,)),
            ("gives no verdict and opens no hand", (Verdict, OpenHand)),
        )
    ),
    InvalidPeer("too few keys", lambda: unlocking(lambda peer, keys: keys[32:]), KEEPS_SEAT),
    InvalidPeer(
        "another round",
        lambda: SendsExtra(
            lambda peer, body: [signed_with(peer, body, round=7, counter=unused(peer))]
        ),
        KEEPS_SEAT,
    ),
    InvalidPeer(
        "another seat",
        lambda: SendsExtra(lambda peer, body: [signed_with(peer, body, author=2)]),
        KEEPS_SEAT,
    ),
    InvalidPeer(
        "a seat that is not there",
        lambda: SendsExtra(lambda peer, body: [signed_with(peer, body, author=77)]),
        KEEPS_SEAT,
    ),
    InvalidPeer(
        "an unknown head",
        lambda: SendsExtra(
            lambda peer, body: [signed_with(peer, body, head=bytes(32), counter=unused(peer))]
        ),
        KEEPS_SEAT,
    ),
    InvalidPeer(
        "another table",
        lambda: SendsExtra(lambda peer, body: [signed_with(peer, body, table=bytes(32))]),
        IS_DROPPED,
    ),
    InvalidPeer("a bad signature", lambda: SendsExtra(unsigned), IS_DROPPED),
    InvalidPeer("no body", lambda: SendsExtra(garbage_body), IS_DROPPED),
    InvalidPeer("an endless body", lambda: SendsExtra(long_body), IS_DROPPED),
    InvalidPeer(
        "no message", lambda: SendsExtra(lambda peer, body: [peer.chance.randbytes(50)]), IS_DROPPED
    ),
    InvalidPeer("talk", lambda: SendsExtra(unexpected_messages, 20), KEEPS_SEAT),
    InvalidPeer("acts out of turn", lambda: SendsExtra(out_of_turn, 2), KEEPS_SEAT),
    *(
        InvalidPeer(
            f"the host's words: {type(payload).__name__}",
            partial(SendsExtra, host_payload(payload), 1),
            KEEPS_SEAT,
        )
        for payload in (
            bodies.Open(1, RoundKind.PLAY, (0, 1, 2), 0),
            bodies.Drop(0, bodies.DropReason.LOST),
            bodies.TimeOut(1),
            bodies.Close(CloseReason.STOPPED, (0, 0, 0), 3),
            bodies.Expose(b"a", bytes(64), b"b", bytes(64)),
        )
    ),
    InvalidPeer(
        "everything twice",
        lambda: SendsExtra(lambda peer, body: [signed_with(peer, body)], 1000),
        KEEPS_SEAT,
    ),
    InvalidPeer(
        "leaves",
        lambda: Forger(bodies.Unlock, with_payload(lambda peer, body: bodies.Leave())),
        IS_DROPPED,
    ),
)
