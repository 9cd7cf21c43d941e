"""The parts of a dishonest program: it runs an honest one and changes its messages.

A `Forger` waits for one kind of body of its peer and lets a lie replace it. The new bytes are
signed with the peer's own key, so that only the contents are wrong.
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
from lanuno.table.messages import AtTable, Submit
from tests.harness.host_and_seats.table_sim import SimPeer

Lie = Callable[[SimPeer, Body], Iterable[AtTable | bytes] | None]
"""Returns the body to send instead; None if this is not the moment."""


class Forger:
    """Tampers with a peer's bodies of one kind, a number of times."""

    def __init__(self, kind: type, lie: Lie, times: int = 1) -> None:
        self.kind = kind
        self.lie = lie
        self.times = times
        self.fired = 0

    def __call__(self, peer: SimPeer, message: AtTable) -> Iterable[AtTable | bytes]:
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
    """Return a body with other contents, properly signed by its peer."""
    return Submit(sign_body(replace(body, **changes), peer.identity))


def with_payload(change: Callable[[SimPeer, Body], Payload | None]) -> Lie:
    """Return the lie that only changes the payload."""

    def lie(peer: SimPeer, body: Body) -> list[AtTable] | None:
        payload = change(peer, body)
        return None if payload is None else [signed_with(peer, body, payload=payload)]

    return lie


# The knowledge of a peer's program


def log_of(peer: SimPeer) -> RoundLog:
    """Return the round as the peer sees it."""
    current = peer.seat_session.replay.round
    assert current is not None
    return current


def game_of(peer: SimPeer) -> Round:
    """Return the rules' engine of the round."""
    engine = log_of(peer).engine
    assert isinstance(engine, Round)
    return engine


def secrets_of(peer: SimPeer) -> RoundSecrets:
    """Return the peer's secrets of the round."""
    return peer.seat_session._keys._hand_keys.secrets


def view_secrets_of(peer: SimPeer) -> ViewSecrets:
    """Return the key that opens hands shown to the peer."""
    return peer.seat_session._keys._hand_keys.view


def cards_of(peer: SimPeer) -> dict[int, int]:
    """Return the peer's hand: cards by slot."""
    hand = game_of(peer).hands[peer.number]
    return {slot: card for slot, card in peer.seat_session._keys.readable().items() if slot in hand}


def play(peer: SimPeer, body: Body, action: Action, slot: int) -> Submit:
    """Return a play with the right key of a slot, even if the peer's own program refuses it."""
    act = bodies.Act(game_of(peer).decision, action, peer.seat_session._keys.own_key(slot))
    return signed_with(peer, body, payload=act)


# Points


def in_pass(
    kind: StepKind,
    change: Callable[[SimPeer, list[bytes], list[bytes]], tuple[bytes, bytes]],
    after: int = -1,
) -> Lie:
    """Return the lie that changes one kind of pass; `change` maps points and keys to new ones.

    `after`: the last round in which the peer is honest.
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
    """Return both fields of a pass."""
    return pack(tuple(points)), pack(tuple(keys))


def no_point() -> bytes:
    """Return bytes with the shape of a point that are on no curve."""
    number = 5
    while True:
        found = b"\x02" + number.to_bytes(32, "big")
        if off_curve((found,)) is not None:
            return found
        number += 1


LARGEST_SCALAR = ORDER - 1
