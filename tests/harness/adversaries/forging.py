"""What a dishonest program is made of: it runs an honest one and changes what that says.

A `Forger` waits for one kind of body of its peer, and lets a lie replace it: other bytes, signed
with the peer's own key, so that only what is said is wrong and never how it is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from lanuno.dealing.deal import StepKind
from lanuno.dealing.group import ORDER, off_curve, pack, unpack
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, Payload, sign_body
from lanuno.log.round.round_log import RoundLog
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.round import Round
from lanuno.table.messages import FromPeer, Submit
from tests.harness.host_and_seats.table_sim import SimPeer

Lie = Callable[[SimPeer, Body], Iterable[FromPeer | bytes] | None]
"""What to send instead of a body; None if this is not the moment."""


class Forger:
    """Tampers with a peer's bodies of one kind, so many times."""

    def __init__(self, kind: type, lie: Lie, times: int = 1) -> None:
        self.kind = kind
        self.lie = lie
        self.times = times
        self.fired = 0

    def __call__(self, peer: SimPeer, message: FromPeer) -> Iterable[FromPeer | bytes]:
        if not isinstance(message, Submit) or self.fired >= self.times:
            return [message]
        body = message.body.read()
        if not isinstance(body.payload, self.kind):
            return [message]
        instead = self.lie(peer, body)
        if instead is None:
            return [message]
        self.fired += 1
        return list(instead)


def signed_with(peer: SimPeer, body: Body, **changes: object) -> Submit:
    """A body with other contents, properly signed by its peer."""
    return Submit(sign_body(replace(body, **changes), peer.identity))


def with_payload(change: Callable[[SimPeer, Body], Payload | None]) -> Lie:
    """The lie that only changes the payload."""

    def lie(peer: SimPeer, body: Body) -> list[FromPeer] | None:
        payload = change(peer, body)
        return None if payload is None else [signed_with(peer, body, payload=payload)]

    return lie


def silence(peer: SimPeer, body: Body) -> list[FromPeer]:
    """The lie of saying nothing."""
    return []


# What a peer's program knows


def log_of(peer: SimPeer) -> RoundLog:
    """The round as the peer sees it."""
    current = peer.seat_session.replay.round
    assert current is not None
    return current


def game_of(peer: SimPeer) -> Round:
    """The rules' engine of the round."""
    engine = log_of(peer).engine
    assert isinstance(engine, Round)
    return engine


def secrets_of(peer: SimPeer) -> RoundSecrets:
    """What the peer keeps to itself."""
    secrets = peer.seat_session._keys._secrets
    assert secrets is not None
    return secrets


def view_secrets_of(peer: SimPeer) -> ViewSecrets:
    """What opens hands shown to the peer."""
    secrets = peer.seat_session._keys._view
    assert secrets is not None
    return secrets


def cards_of(peer: SimPeer) -> dict[int, int]:
    """The peer's hand: cards by slot."""
    hand = game_of(peer).hands[peer.number]
    return {slot: card for slot, card in peer.seat_session._keys.readable().items() if slot in hand}


def play(peer: SimPeer, body: Body, action: Action, slot: int) -> Submit:
    """A play with the right key of a slot, whatever the peer's own program thinks of it."""
    act = bodies.Act(game_of(peer).decision, action, peer.seat_session._keys.own_key(slot))
    return signed_with(peer, body, payload=act)


# Points


def in_pass(
    kind: StepKind,
    change: Callable[[SimPeer, list[bytes], list[bytes]], tuple[bytes, bytes]],
    after: int = -1,
) -> Lie:
    """The lie that changes one kind of pass; `change` is given points and keys, returns both.

    `after`: number of the last round in which it is honest.
    """

    def forge(peer: SimPeer, body: Body) -> Payload | None:
        deal, payload = log_of(peer).deal, body.payload
        assert deal is not None
        assert isinstance(payload, bodies.Pass)
        if deal.expected is None or deal.expected[0] is not kind or body.round <= after:
            return None
        keys = unpack(payload.keys, len(payload.keys) // 33)
        points, said_keys = change(peer, list(unpack(payload.points, deal.size)), list(keys))
        return bodies.Pass(payload.deal, payload.step, points, said_keys)

    return with_payload(forge)


def packed(points: Iterable[bytes], keys: Iterable[bytes]) -> tuple[bytes, bytes]:
    """Both fields of a pass."""
    return pack(tuple(points)), pack(tuple(keys))


def no_point() -> bytes:
    """Bytes with the shape of a point that lie on no curve."""
    number = 5
    while True:
        found = b"\x02" + number.to_bytes(32, "big")
        if off_curve((found,)) is not None:
            return found
        number += 1


LARGEST_SCALAR = ORDER - 1
