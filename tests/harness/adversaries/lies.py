"""The lies behind `peer_attacks.py`, one function for each.

A lie gets the body that the honest program was about to send, and returns the one sent instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from lanuno.dealing.deal import StepKind, mask_scalar
from lanuno.dealing.escrow import share_hash
from lanuno.dealing.group import multiply, public_key
from lanuno.dealing.sealing import seal, seal_info
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    Body,
    HaltReason,
    Payload,
)
from lanuno.log.round.shown_hand import hand_content, purpose_of_move, purpose_of_show
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import (
    Draw,
    Keep,
    OpenHand,
    Play,
    Show,
    Verdict,
)
from lanuno.table.messages import AtTable
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.adversaries.forging import (
    Forger,
    cards_of,
    game_of,
    in_pass,
    log_of,
    no_point,
    packed,
    play,
    secrets_of,
    signed_with,
    view_secrets_of,
    with_payload,
)
from tests.harness.host_and_seats.table_sim import SimPeer, Tamper

MASK, LOCK = StepKind.MASK, StepKind.LOCK


# ---- masks and locks --------------------------------------------------------------------------


def swapped_card(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    points[3] = multiply(points[3], 7)
    return packed(points, keys)


def half_swapped(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([multiply(point, 7) if n % 2 else point for n, point in enumerate(points)], keys)


def own_last_card(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    """Spoil the last card dealt to the cheater; valid only for the last of two seats."""
    log = log_of(peer)
    place = 2 * log.roster.ruleset.hand_size - (1 if log.dealer == peer.number else 2)
    points[place] = multiply(points[place], 7)
    return packed(points, keys)


class CarelessKeys(SeatKeys):
    """The keys of a seat that plays on although one of its cards does not open."""

    def open_new(self, event: object) -> None:
        super().open_new(event)

    def opened(self, hand: Sequence[int]) -> bool:
        del hand
        return True


class UntilShown:
    """Spoil an own card silently, then have to show the hand with that card."""

    def __init__(self) -> None:
        self.fired = 0
        self._spoil = Forger(bodies.Pass, in_pass(MASK, own_last_card, after=0))
        self._show = Forger(bodies.Act, self._shown)

    def _shown(self, peer: SimPeer, body: Body) -> None:
        act = body.payload
        assert isinstance(act, bodies.Act)
        self.fired += isinstance(act.action, Show) and self._spoil.fired

    def __call__(self, peer: SimPeer, message: AtTable) -> Iterable[AtTable | bytes]:
        if self._spoil.fired:
            peer.seat_session._keys.__class__ = CarelessKeys
        for forger in (self._spoil, self._show):
            before = forger.fired
            said = list(forger(peer, message))
            if forger.fired > before:
                return said
        return [message]


def other_permutation(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([points[1], points[0], *points[2:]], keys)


def sorted_permutation(
    peer: SimPeer, points: list[bytes], keys: list[bytes]
) -> tuple[bytes, bytes]:
    deal = log_of(peer).deal
    assert deal is not None
    scalar = mask_scalar(deal, secrets_of(peer))
    return packed([multiply(point, scalar) for point in deal.input], keys)


def repeated(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([points[1], *points[1:]], keys)


def off_the_curve(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([no_point(), *points[1:]], keys)


def bottom_off_the_curve(
    peer: SimPeer, points: list[bytes], keys: list[bytes]
) -> tuple[bytes, bytes]:
    """Spoil the last slot, which is rarely dealt and may return to a shuffle unopened."""
    return packed([*points[:-1], no_point()], keys)


def mask_key_off_the_curve(
    peer: SimPeer, points: list[bytes], keys: list[bytes]
) -> tuple[bytes, bytes]:
    return packed(points, [no_point()])


def one_too_few(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed(points[1:], keys)


def no_encoding(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([b"\x04" + points[0][1:], *points[1:]], keys)


def untouched(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    deal = log_of(peer).deal
    assert deal is not None
    return packed(deal.input, keys)


def other_lock(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([multiply(point, 5) for point in points], keys)


def swapped_locks(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([points[1], points[0], *points[2:]], [keys[1], keys[0], *keys[2:]])


def false_slot_keys(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed(points, [public_key(1000 + place) for place in range(len(keys))])


def repeated_slot_key(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed(points, [keys[1], *keys[1:]])


# ---- keys, commitments, seeds, shares ---------------------------------------------------------


def unlocking(change: Callable[[SimPeer, bytes], bytes]) -> Tamper:
    """Publish other bytes instead of the first list of keys."""

    def forge(peer: SimPeer, body: Body) -> Payload:
        assert isinstance(body.payload, bodies.Unlock)
        first, *rest = body.payload.lists
        return bodies.Unlock((replace(first, keys=change(peer, first.keys)), *rest))

    return Forger(bodies.Unlock, with_payload(forge))


def key_of_another_slot(peer: SimPeer, keys: bytes) -> bytes:
    slots = log_of(peer).slots
    return peer.seat_session._keys.own_key(slots.deals[0].slots[-1]) + keys[32:]


class CopiedCommit:
    """Copy the first commitment of another seat."""

    def __init__(self, *fields: str) -> None:
        self.fields = fields
        self.fired = 0
        self._kept: Body | None = None

    def __call__(self, peer: SimPeer, message: AtTable) -> Iterable[AtTable | bytes]:
        def keep(peer: SimPeer, body: Body) -> list[AtTable]:
            self._kept = body
            return []

        if self.fired:
            return [message]
        if self._kept is None:
            return Forger(bodies.Commit, keep)(peer, message)
        others = log_of(peer).commits
        if not others:
            return [message]
        self.fired = 1
        model = next(iter(others.values()))
        own = self._kept.payload
        assert isinstance(own, bodies.Commit)
        copied = replace(own, **{name: getattr(model, name) for name in self.fields})
        # That seat may have published something else meanwhile.
        counter = max(self._kept.counter, peer.seat_session.replay.next_counter(peer.number))
        return [signed_with(peer, self._kept, payload=copied, counter=counter), message]


def revealing(**changes: bytes) -> Tamper:
    """Reveal other seeds than those committed to."""

    def forge(peer: SimPeer, body: Body) -> Payload:
        assert isinstance(body.payload, bodies.Reveal)
        return replace(body.payload, **changes)

    return Forger(bodies.Reveal, with_payload(forge))


def sealed_share(peer: SimPeer, to: int, share: bytes) -> bytes:
    log = log_of(peer)
    info = seal_info(log.table_id, log.open_hash, peer.number, to, "escrow")
    return seal(share, log.box_of(to, peer.number), info)


def wrong_share(peer: SimPeer, body: Body) -> Payload:
    """Publish a share that matches its hash, but not the seed."""
    assert isinstance(body.payload, bodies.Escrow)
    log, share = log_of(peer), b"\x11" * 32
    to = log.share_receivers(peer.number)[0]
    sealed = (sealed_share(peer, to, share), *body.payload.sealed[1:])
    hashes = (share_hash(share, log.context(peer.number), to), *body.payload.hashes[1:])
    return bodies.Escrow(sealed, hashes)


def unhashed_share(peer: SimPeer, body: Body) -> Payload:
    """Publish a share that does not match its hash."""
    assert isinstance(body.payload, bodies.Escrow)
    to = log_of(peer).share_receivers(peer.number)[0]
    return replace(
        body.payload, sealed=(sealed_share(peer, to, b"\x11" * 32), *body.payload.sealed[1:])
    )


def unopenable_share(peer: SimPeer, body: Body) -> Payload:
    assert isinstance(body.payload, bodies.Escrow)
    return replace(body.payload, sealed=(bytes(80), *body.payload.sealed[1:]))


def false_complaint(peer: SimPeer, body: Body) -> Payload:
    return bodies.Complain(0, view_secrets_of(peer).box_private(0))


def foreign_complaint(peer: SimPeer, body: Body) -> Payload:
    return bodies.Complain(0, b"\x05" * 32)


# ---- acting -----------------------------------------------------------------------------------


def showing(change: Callable[[SimPeer, bytes], bytes]) -> Tamper:
    """Show another box instead of the hand."""

    def forge(peer: SimPeer, body: Body) -> Payload | None:
        act = body.payload
        assert isinstance(act, bodies.Act)
        if not isinstance(act.action, Show):
            return None
        other = change(peer, act.proof)
        return None if other == act.proof else replace(act, proof=other)

    return Forger(bodies.Act, with_payload(forge))


def sealed_hand(peer: SimPeer, content: bytes) -> bytes:
    log, game = log_of(peer), game_of(peer)
    to = game.challenger
    info = seal_info(log.table_id, log.open_hash, peer.number, to, purpose_of_show(game.decision))
    return seal(content, log.commits[to].view_key, info)


def true_keys(peer: SimPeer) -> bytes:
    return hand_content(peer.seat_session._keys.own_key, game_of(peer).accused_hand)


def hand_of_other_keys(peer: SimPeer, proof: bytes) -> bytes:
    keys = true_keys(peer)
    # A single card cannot be replaced by another one.
    return sealed_hand(peer, keys[32:] + keys[:32]) if len(keys) > 32 else proof


def hand_with_a_card_less(peer: SimPeer, proof: bytes) -> bytes:
    return sealed_hand(peer, true_keys(peer)[32:])


def hand_of_no_keys(peer: SimPeer, proof: bytes) -> bytes:
    return sealed_hand(peer, bytes(len(true_keys(peer))))


def opening(change: Callable[[bytes], bytes]) -> Tamper:
    """Open the hand with other keys than its own."""

    def forge(peer: SimPeer, body: Body) -> Payload | None:
        act = body.payload
        assert isinstance(act, bodies.Act)
        if not isinstance(act.action, OpenHand):
            return None
        other = change(act.proof)
        return None if other == act.proof else replace(act, proof=other)

    return Forger(bodies.Act, with_payload(forge))


def random_first_key(keys: bytes) -> bytes:
    return b"\x22" * 32 + keys[32:]


def keys_in_another_order(keys: bytes) -> bytes:
    return keys[32:] + keys[:32]


def no_scalars(keys: bytes) -> bytes:
    return b"\xff" * len(keys)


def handing(change: Callable[[SimPeer, bytes], bytes]) -> Tamper:
    """Hand over another box instead of the hand."""

    def forge(peer: SimPeer, body: Body) -> Payload:
        assert isinstance(body.payload, bodies.HandOver)
        return replace(body.payload, sealed=change(peer, body.payload.sealed))

    return Forger(bodies.HandOver, with_payload(forge))


def given_with_other_keys(peer: SimPeer, sealed: bytes) -> bytes:
    """Send keys that fit no slot, in a box that opens."""
    log = log_of(peer)
    move = next(each for each in log.moves.values() if each.seat == peer.number)
    purpose = purpose_of_move(move.number)
    info = seal_info(log.table_id, log.open_hash, peer.number, move.to, purpose)
    return seal(b"\x09" * (32 * len(move.slots)), log.commits[move.to].view_key, info)


def false_verdict(peer: SimPeer, body: Body) -> Payload | None:
    act = body.payload
    assert isinstance(act, bodies.Act)
    if not isinstance(act.action, Verdict):
        return None
    return replace(act, action=Verdict(not act.action.guilty))


def misnamed_card(peer: SimPeer, body: Body) -> Payload | None:
    """Play a card and name it as another one that would also be legal."""
    act, game = body.payload, game_of(peer)
    assert isinstance(act, bodies.Act)
    if not isinstance(act.action, Play):
        return None
    for card in range(game.deck.size):
        other = replace(act.action, card=card)
        if card != act.action.card and game.refusal(peer.number, other, {}) is None:
            return replace(act, action=other)
    return None


def wrong_last_key(peer: SimPeer, body: Body) -> Payload | None:
    act = body.payload
    assert isinstance(act, bodies.Act)
    return replace(act, proof=b"\x22" * 32) if isinstance(act.action, Play) else None


def forbidden_four(peer: SimPeer, body: Body) -> list[AtTable] | None:
    """Play a Wild Draw Four with a card of the colour in hand."""
    game, cards = game_of(peer), cards_of(peer)
    if game.decider != peer.number or game.phase.name != "TURN":
        return None
    for slot, card in cards.items():
        action = Play(slot, card, 0)
        if game.deck.ranks[card] == Rank.WILD_FOUR and (
            game.refusal(peer.number, action, {}) is None
            and game.refusal(peer.number, action, cards) is not None
        ):
            return [play(peer, body, action, slot)]
    return None


def needless_draw(peer: SimPeer, body: Body) -> list[AtTable] | None:
    """Draw although a card could be played, where the rules forbid it."""
    game = game_of(peer)
    if game.refusal(peer.number, Draw(), {}) is not None:
        return None
    if game.refusal(peer.number, Draw(), cards_of(peer)) is None:
        return None
    return [signed_with(peer, body, payload=bodies.Act(game.decision, Draw(), b""))]


def forbidden_keep(peer: SimPeer, body: Body) -> list[AtTable] | None:
    """Keep a drawn card that must be played."""
    game = game_of(peer)
    if game.refusal(peer.number, Keep(), {}) is not None:
        return None
    if game.refusal(peer.number, Keep(), cards_of(peer)) is None:
        return None
    return [signed_with(peer, body, payload=bodies.Act(game.decision, Keep(), b""))]


# ---- claims -----------------------------------------------------------------------------------


def halting(reason: HaltReason, of: int | None) -> Tamper:
    """Make a false claim instead of an automatic step."""
    return Forger(bodies.Unlock, with_payload(lambda peer, body: bodies.Halt(reason, of)))


def false_attestation(peer: SimPeer, body: Body) -> Payload:
    assert isinstance(body.payload, bodies.Attest)
    return replace(body.payload, blamed=(0,))


def two_bodies(peer: SimPeer, body: Body) -> list[AtTable]:
    """Sign two bodies with one counter."""
    leave = signed_with(peer, body, payload=bodies.Halt(HaltReason.NO_CARD, None))
    return [signed_with(peer, body), leave]


def two_attestations(peer: SimPeer, body: Body) -> list[AtTable]:
    """Sign two attestations of one round."""
    attest = body.payload
    assert isinstance(attest, bodies.Attest)
    return [
        signed_with(peer, body),
        signed_with(peer, body, payload=replace(attest, blamed=(0, 1, 2))),
    ]


def two_refused_bodies(peer: SimPeer, body: Body) -> list[AtTable]:
    """Sign two bodies with one counter, neither of which the host appends."""
    head = b"\x33" * 32
    return [
        signed_with(peer, body, head=head),
        signed_with(peer, body, head=bytes(32)),
        signed_with(peer, body),
    ]


def of(kind: type, lie: Callable[[SimPeer, Body], Payload | None]) -> Callable[[], Tamper]:
    """A forger of payloads."""
    return lambda: Forger(kind, with_payload(lie))


def pass_of(
    kind: StepKind, change: Callable[[SimPeer, list[bytes], list[bytes]], tuple[bytes, bytes]]
) -> Callable[[], Tamper]:
    """A forger of passes."""
    return lambda: Forger(bodies.Pass, in_pass(kind, change))


def commit_of(body: Body) -> bodies.Commit:
    assert isinstance(body.payload, bodies.Commit)
    return body.payload


def weak_box_key(peer: SimPeer, body: Body) -> Payload:
    """One of its keys is of small order."""
    commit = commit_of(body)
    return replace(commit, boxes=(*commit.boxes[:-1], bytes(32)))
