"""What a seat can do that no honest one does and that proves nothing: it is refused, or waited for.

Data and what is sent; what must come out is in `test_cheating_peers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from lanuno.dealing.hashing import H
from lanuno.log import bodies
from lanuno.log.bodies import (
    MAX_SEAT_BODY,
    Body,
    CloseReason,
    Payload,
    SignedBody,
)
from lanuno.log.genesis import VERSION
from lanuno.rules.actions import (
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
from lanuno.rules.results import RoundKind
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.messages import FromPeer, Submit
from tests.harness.adversaries.forging import (
    Forger,
    instead,
    said,
)
from tests.harness.adversaries.lies import unlocking
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS
from tests.harness.host_and_seats.table_sim import Player, SimPeer, Tamper

STAYS, GOES = False, True


@dataclass(frozen=True)
class Nuisance:
    """Something that no honest seat does and that proves nothing: refused, or waited for."""

    name: str
    make: Callable[[], Tamper]
    goes: bool
    """Whether its seat is dropped for it."""
    seats: int = 3
    withheld: bool = False
    """Whether the audit says that the seat never published its seeds."""
    ruleset: Ruleset = field(default_factory=Ruleset)
    players: dict[int, Callable[[SimPeer], Player]] = field(default_factory=dict)
    """Who plays on purpose so that the moment comes."""


class Also:
    """Sends something more beside an honest body, so many times."""

    def __init__(
        self, make: Callable[[SimPeer, Body], Iterable[FromPeer | bytes]], times: int = 3
    ) -> None:
        self.make = make
        self.times = times
        self.fired = 0

    def __call__(self, peer: SimPeer, message: FromPeer) -> Iterable[FromPeer | bytes]:
        if not isinstance(message, Submit) or self.fired >= self.times:
            return [message]
        self.fired += 1
        return [*self.make(peer, message.body.read()), message]


class Mute:
    """Does everything but one kind of message or act, from its first one on."""

    def __init__(self, *kinds: type) -> None:
        self.kinds = kinds
        self.fired = 0

    def __call__(self, peer: SimPeer, message: FromPeer) -> Iterable[FromPeer | bytes]:
        body = message.body.read().payload if isinstance(message, Submit) else message
        action = body.action if isinstance(body, bodies.Act) else None
        if isinstance(body, self.kinds) or isinstance(action, self.kinds):
            self.fired += 1
            return []
        return [message]


def unused(peer: SimPeer) -> int:
    """A counter that is used nowhere else."""
    return peer.chance.randrange(10**6, 10**9)


def unsigned(peer: SimPeer, body: Body) -> list[FromPeer]:
    signed = said(peer, body).body
    return [Submit(SignedBody(signed.body, bytes(64)))]


def garbage_body(peer: SimPeer, body: Body) -> list[FromPeer]:
    data = peer.chance.randbytes(200)
    return [Submit(SignedBody(data, peer.identity.sign(H("body", data))))]


def long_body(peer: SimPeer, body: Body) -> list[FromPeer]:
    data = peer.chance.randbytes(MAX_SEAT_BODY + 1)
    return [Submit(SignedBody(data, peer.identity.sign(H("body", data))))]


def talk(peer: SimPeer, body: Body) -> list[FromPeer]:
    """All that may be said out of turn, and nonsense about numbers."""
    return [
        messages.Ack(2**32 - 1),
        messages.Fetch(2**32 - 1),
        messages.Fetch(0),
        messages.Say("\u202eolleh"),
        messages.Say("hello"),
        messages.Ready(True, bytes(32)),
        messages.Agree(bytes(64)),
        messages.NonceOut(bytes(32)),
        messages.Join(VERSION, "another", bytes(32), peer.identity.public, False, False),
        messages.Watch(VERSION, "another"),
    ]


def host_says(payload: Payload) -> Callable[[SimPeer, Body], list[FromPeer]]:
    """The host's words in a seat's mouth, and in the office's name."""

    def make(peer: SimPeer, body: Body) -> list[FromPeer]:
        return [
            said(peer, body, payload=payload, counter=unused(peer)),
            said(peer, body, payload=payload, counter=unused(peer), author=bodies.HOST),
        ]

    return make


def out_of_turn(peer: SimPeer, body: Body) -> list[FromPeer]:
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
        said(
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


NUISANCES: tuple[Nuisance, ...] = (
    Nuisance("no commitment", lambda: Mute(bodies.Commit), GOES),
    Nuisance("no escrow", lambda: Mute(bodies.Escrow), GOES, seats=4),
    Nuisance("no pass", lambda: Mute(bodies.Pass), GOES),
    Nuisance("no keys", lambda: Mute(bodies.Unlock), GOES),
    Nuisance("no keys, among two", lambda: Mute(bodies.Unlock), GOES, seats=2),
    Nuisance("no seeds", lambda: Mute(bodies.Reveal), GOES, withheld=True),
    Nuisance("no seeds, among two", lambda: Mute(bodies.Reveal), GOES, 2, withheld=True),
    Nuisance("no attestation", lambda: Mute(bodies.Attest), GOES),
    Nuisance("no acknowledgements", lambda: Mute(messages.Ack), STAYS),
    Nuisance("no acknowledgements, among two", lambda: Mute(messages.Ack), GOES, seats=2),
    Nuisance("no acts", lambda: Mute(bodies.Act), STAYS),
    *(
        Nuisance(name, partial(Mute, *kinds), STAYS, ruleset=CROWDED, players=DOUBTERS)
        for name, kinds in (
            ("shows no hand", (Show,)),
            ("gives no verdict", (Verdict,)),
            ("gives no verdict and opens no hand", (Verdict, OpenHand)),
        )
    ),
    Nuisance("too few keys", lambda: unlocking(lambda peer, keys: keys[32:]), STAYS),
    Nuisance(
        "another round",
        lambda: Also(lambda peer, body: [said(peer, body, round=7, counter=unused(peer))]),
        STAYS,
    ),
    Nuisance(
        "another seat",
        lambda: Also(lambda peer, body: [said(peer, body, author=2)]),
        STAYS,
    ),
    Nuisance(
        "a seat that is not there",
        lambda: Also(lambda peer, body: [said(peer, body, author=77)]),
        STAYS,
    ),
    Nuisance(
        "an unknown head",
        lambda: Also(lambda peer, body: [said(peer, body, head=bytes(32), counter=unused(peer))]),
        STAYS,
    ),
    Nuisance(
        "another table",
        lambda: Also(lambda peer, body: [said(peer, body, table=bytes(32))]),
        GOES,
    ),
    Nuisance("a bad signature", lambda: Also(unsigned), GOES),
    Nuisance("no body", lambda: Also(garbage_body), GOES),
    Nuisance("an endless body", lambda: Also(long_body), GOES),
    Nuisance("no message", lambda: Also(lambda peer, body: [peer.chance.randbytes(50)]), GOES),
    Nuisance("talk", lambda: Also(talk, 20), STAYS),
    Nuisance("acts out of turn", lambda: Also(out_of_turn, 2), STAYS),
    *(
        Nuisance(
            f"the host's words: {type(payload).__name__}",
            partial(Also, host_says(payload), 1),
            STAYS,
        )
        for payload in (
            bodies.Open(1, RoundKind.PLAY, (0, 1, 2), 0),
            bodies.Drop(0, bodies.DropReason.LOST),
            bodies.TimeOut(1),
            bodies.Close(CloseReason.STOPPED, (0, 0, 0), 3),
            bodies.Expose(b"a", bytes(64), b"b", bytes(64)),
        )
    ),
    Nuisance(
        "everything twice",
        lambda: Also(lambda peer, body: [said(peer, body)], 1000),
        STAYS,
    ),
    Nuisance(
        "leaves",
        lambda: Forger(bodies.Unlock, instead(lambda peer, body: bodies.Leave())),
        GOES,
    ),
)
