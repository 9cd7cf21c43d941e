"""Every fault that a seat can commit: a table of what it does, and what it is then called.

Data and the lies behind it; how a table is played with one of them, and what must come out, is in
`test_cheating_peers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from lanuno.bots.sensible import SensiblePlayer
from lanuno.dealing.deal import StepKind
from lanuno.dealing.escrow import share_hash
from lanuno.dealing.group import multiply, public_key
from lanuno.dealing.hashing import H
from lanuno.dealing.sealing import seal, seal_info
from lanuno.log import bodies
from lanuno.log.bodies import (
    MAX_SEAT_BODY,
    Body,
    CloseReason,
    HaltReason,
    Payload,
    SignedBody,
)
from lanuno.log.faults import Fault
from lanuno.log.genesis import VERSION
from lanuno.log.shown_hand import SHOW, hand_content
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
    Play,
    RefuseShow,
    SayUno,
    Show,
    Swap,
    Verdict,
    Vote,
)
from lanuno.rules.cards import Rank
from lanuno.rules.presets import EXPRESS
from lanuno.rules.results import RoundKind
from lanuno.rules.ruleset import DrawnRule, Ruleset, WildFour
from lanuno.rules.view import SeatView
from lanuno.table import messages
from lanuno.table.messages import FromPeer, Submit
from tests.sim.forging import (
    Forger,
    cards_of,
    game_of,
    in_pass,
    instead,
    log_of,
    no_point,
    packed,
    play,
    said,
    secrets_of,
)
from tests.sim.table_sim import Player, SimPeer, Tamper

MASK, LOCK = StepKind.MASK, StepKind.LOCK
STOPPED, INCOMPLETE = CloseReason.STOPPED, CloseReason.INCOMPLETE

CROWDED = Ruleset(hand_size=20)
"""Many cards in hand: everything that depends on which cards one holds happens soon."""


@dataclass(frozen=True)
class PeerAttack:
    """One way to cheat."""

    name: str
    make: Callable[[], Tamper]
    fault: Fault
    live: bool
    """Whether the log proves it at once; else the audit does when the seeds are out."""
    late: bool = False
    """Whether it comes when others may have attested already that all was well."""
    seats: int = 3
    ruleset: Ruleset = field(default_factory=Ruleset)
    players: dict[int, Callable[[SimPeer], Player]] = field(default_factory=dict)
    """Who plays on purpose so that the moment comes."""
    cheater: int = 1


class Doubter:
    """Plays a Wild Draw Four as soon as it can, and challenges every other one."""

    def __init__(self, peer: SimPeer) -> None:
        self._usual = SensiblePlayer(peer.chance)

    def choose(self, seen: SeatView) -> Action | None:
        for action in seen.legal:
            if isinstance(action, Challenge):
                return action
        fours = {held.slot for held in seen.hand if held.face.rank is Rank.WILD_DRAW_FOUR}
        for action in seen.legal:
            if isinstance(action, Play) and action.slot in fours and len(seen.hand) > 2:
                return action
        return self._usual.choose(seen)


class Hoarder:
    """Draws and keeps, whatever it holds."""

    def __init__(self, peer: SimPeer) -> None:
        del peer

    def choose(self, seen: SeatView) -> Action | None:
        for kind in (Keep, Draw, Accept):
            for action in seen.legal:
                if isinstance(action, kind):
                    return action
        return seen.legal[0] if seen.legal and seen.decider == seen.seat else None


DOUBTERS: dict[int, Callable[[SimPeer], Player]] = {0: Doubter, 1: Doubter, 2: Doubter}


# ---- masks and locks --------------------------------------------------------------------------


def swapped_card(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    points[3] = multiply(points[3], 7)
    return packed(points, keys)


def other_permutation(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([points[1], points[0], *points[2:]], keys)


def sorted_permutation(
    peer: SimPeer, points: list[bytes], keys: list[bytes]
) -> tuple[bytes, bytes]:
    deal = log_of(peer).deal
    assert deal is not None
    scalar = secrets_of(peer).mask_scalar(deal.number)
    return packed([multiply(point, scalar) for point in deal.input], keys)


def repeated(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([points[1], *points[1:]], keys)


def off_the_curve(peer: SimPeer, points: list[bytes], keys: list[bytes]) -> tuple[bytes, bytes]:
    return packed([no_point(), *points[1:]], keys)


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
    """Other bytes in place of the first list of keys."""

    def forge(peer: SimPeer, body: Body) -> Payload:
        assert isinstance(body.payload, bodies.Unlock)
        first, *rest = body.payload.lists
        return bodies.Unlock((replace(first, keys=change(peer, first.keys)), *rest))

    return Forger(bodies.Unlock, instead(forge))


def key_of_another_slot(peer: SimPeer, keys: bytes) -> bytes:
    slots = log_of(peer).slots
    return peer.table._keys.own_key(slots.deals[0].slots[-1]) + keys[32:]


class CopiedCommit:
    """Waits for the first commitment of another seat and says the same."""

    def __init__(self, *fields: str) -> None:
        self.fields = fields
        self.fired = 0
        self._kept: Body | None = None

    def __call__(self, peer: SimPeer, message: FromPeer) -> Iterable[FromPeer | bytes]:
        def keep(peer: SimPeer, body: Body) -> list[FromPeer]:
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
        return [said(peer, self._kept, payload=copied), message]


def revealing(**changes: bytes) -> Tamper:
    """Other seeds than those committed to."""

    def forge(peer: SimPeer, body: Body) -> Payload:
        assert isinstance(body.payload, bodies.Reveal)
        return replace(body.payload, **changes)

    return Forger(bodies.Reveal, instead(forge))


def sealed_share(peer: SimPeer, to: int, share: bytes) -> bytes:
    log = log_of(peer)
    info = seal_info(log.table_id, log.open_hash, peer.number, to, "escrow")
    return seal(share, log.commits[to].box, info)


def wrong_share(peer: SimPeer, body: Body) -> Payload:
    """A share that fits its hash, but not the seed."""
    assert isinstance(body.payload, bodies.Escrow)
    log, share = log_of(peer), b"\x11" * 32
    to = log.share_receivers(peer.number)[0]
    sealed = (sealed_share(peer, to, share), *body.payload.sealed[1:])
    hashes = (share_hash(share, log.context(peer.number), to), *body.payload.hashes[1:])
    return bodies.Escrow(sealed, hashes)


def unhashed_share(peer: SimPeer, body: Body) -> Payload:
    """A share that does not fit its hash."""
    assert isinstance(body.payload, bodies.Escrow)
    to = log_of(peer).share_receivers(peer.number)[0]
    return replace(
        body.payload, sealed=(sealed_share(peer, to, b"\x11" * 32), *body.payload.sealed[1:])
    )


def unopenable_share(peer: SimPeer, body: Body) -> Payload:
    assert isinstance(body.payload, bodies.Escrow)
    return replace(body.payload, sealed=(bytes(80), *body.payload.sealed[1:]))


def false_complaint(peer: SimPeer, body: Body) -> Payload:
    return bodies.Complain(0, secrets_of(peer).box_private)


def foreign_complaint(peer: SimPeer, body: Body) -> Payload:
    return bodies.Complain(0, b"\x05" * 32)


# ---- acting -----------------------------------------------------------------------------------


def showing(change: Callable[[SimPeer, bytes], bytes]) -> Tamper:
    """Another box in place of the hand shown."""

    def forge(peer: SimPeer, body: Body) -> Payload | None:
        act = body.payload
        assert isinstance(act, bodies.Act)
        return replace(act, proof=change(peer, act.proof)) if isinstance(act.action, Show) else None

    return Forger(bodies.Act, instead(forge))


def sealed_hand(peer: SimPeer, content: bytes) -> bytes:
    log, game = log_of(peer), game_of(peer)
    to = game.challenger
    info = seal_info(log.table_id, log.open_hash, peer.number, to, SHOW)
    return seal(content, log.commits[to].view_key, info)


def true_keys(peer: SimPeer) -> bytes:
    return hand_content(peer.table._keys.own_key, game_of(peer).accused_hand)


def hand_of_other_keys(peer: SimPeer, proof: bytes) -> bytes:
    keys = true_keys(peer)
    return sealed_hand(peer, keys[32:] + keys[:32])


def hand_with_a_card_less(peer: SimPeer, proof: bytes) -> bytes:
    return sealed_hand(peer, true_keys(peer)[32:])


def hand_of_no_keys(peer: SimPeer, proof: bytes) -> bytes:
    return sealed_hand(peer, bytes(len(true_keys(peer))))


def false_verdict(peer: SimPeer, body: Body) -> Payload | None:
    act = body.payload
    assert isinstance(act, bodies.Act)
    if not isinstance(act.action, Verdict):
        return None
    return replace(act, action=Verdict(not act.action.guilty))


def misnamed_card(peer: SimPeer, body: Body) -> Payload | None:
    """Lay a card and call it another that would be right as well."""
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


def forbidden_four(peer: SimPeer, body: Body) -> list[FromPeer] | None:
    """Lay a Wild Draw Four although the colour is in hand."""
    game, cards = game_of(peer), cards_of(peer)
    if game.decider != peer.number or game.phase.name != "TURN":
        return None
    for slot, card in cards.items():
        action = Play(slot, card, 0)
        if game.deck.ranks[card] == Rank.WILD_DRAW_FOUR and (
            game.refusal(peer.number, action, {}) is None
            and game.refusal(peer.number, action, cards) is not None
        ):
            return [play(peer, body, action, slot)]
    return None


def needless_draw(peer: SimPeer, body: Body) -> list[FromPeer] | None:
    """Draw although a card could be played, where that is forbidden."""
    game = game_of(peer)
    if game.refusal(peer.number, Draw(), {}) is not None:
        return None
    if game.refusal(peer.number, Draw(), cards_of(peer)) is None:
        return None
    return [said(peer, body, payload=bodies.Act(game.decision, Draw(), b""))]


def forbidden_keep(peer: SimPeer, body: Body) -> list[FromPeer] | None:
    """Keep a drawn card that must be played."""
    game = game_of(peer)
    if game.refusal(peer.number, Keep(), {}) is not None:
        return None
    if game.refusal(peer.number, Keep(), cards_of(peer)) is None:
        return None
    return [said(peer, body, payload=bodies.Act(game.decision, Keep(), b""))]


# ---- claims -----------------------------------------------------------------------------------


def halting(reason: HaltReason, of: int | None) -> Tamper:
    """Claim something that is not so, in place of an automatic step."""
    return Forger(bodies.Unlock, instead(lambda peer, body: bodies.Halt(reason, of)))


def false_attestation(peer: SimPeer, body: Body) -> Payload:
    assert isinstance(body.payload, bodies.Attest)
    return replace(body.payload, blamed=(0,))


def two_bodies(peer: SimPeer, body: Body) -> list[FromPeer]:
    """Two things with one counter."""
    leave = said(peer, body, payload=bodies.Halt(HaltReason.NO_CARD, None))
    return [said(peer, body), leave]


def two_attestations(peer: SimPeer, body: Body) -> list[FromPeer]:
    """Two opinions on one round."""
    attest = body.payload
    assert isinstance(attest, bodies.Attest)
    return [said(peer, body), said(peer, body, payload=replace(attest, blamed=(0, 1, 2)))]


def two_refused_bodies(peer: SimPeer, body: Body) -> list[FromPeer]:
    """Two things with one counter, of which the host takes neither."""
    head = b"\x33" * 32
    return [said(peer, body, head=head), said(peer, body, head=bytes(32)), said(peer, body)]


def of(kind: type, lie: Callable[[SimPeer, Body], Payload | None]) -> Callable[[], Tamper]:
    """A forger of payloads."""
    return lambda: Forger(kind, instead(lie))


def pass_of(
    kind: StepKind, change: Callable[[SimPeer, list[bytes], list[bytes]], tuple[bytes, bytes]]
) -> Callable[[], Tamper]:
    """A forger of passes."""
    return lambda: Forger(bodies.Pass, in_pass(kind, change))


_STRICT = replace(EXPRESS, hand_size=20, wild_four=WildFour.STRICT)
_MUST_KEEP_NOTHING = replace(CROWDED, drawn=DrawnRule.FORCED)


def _commit(body: Body) -> bodies.Commit:
    assert isinstance(body.payload, bodies.Commit)
    return body.payload


ATTACKS: tuple[PeerAttack, ...] = (
    PeerAttack("mask: a card swapped", pass_of(MASK, swapped_card), Fault.BAD_MASK, False),
    PeerAttack("mask: other permutation", pass_of(MASK, other_permutation), Fault.BAD_MASK, False),
    PeerAttack(
        "mask: other permutation, among two",
        pass_of(MASK, other_permutation),
        Fault.BAD_MASK,
        False,
        seats=2,
    ),
    PeerAttack("mask: not shuffled", pass_of(MASK, sorted_permutation), Fault.BAD_MASK, False),
    PeerAttack("mask: a point twice", pass_of(MASK, repeated), Fault.BAD_MASK, True),
    PeerAttack("mask: off the curve", pass_of(MASK, off_the_curve), Fault.BAD_MASK, False),
    PeerAttack(
        "mask: off the curve, by the last seat",
        pass_of(MASK, off_the_curve),
        Fault.BAD_MASK,
        False,
        cheater=2,
    ),
    PeerAttack(
        "mask: public key off the curve",
        pass_of(MASK, mask_key_off_the_curve),
        Fault.BAD_MASK,
        False,
    ),
    PeerAttack("mask: a point too few", pass_of(MASK, one_too_few), Fault.BAD_MASK, True),
    PeerAttack("mask: no encoding", pass_of(MASK, no_encoding), Fault.BAD_MASK, True),
    PeerAttack("mask: nothing done", pass_of(MASK, untouched), Fault.BAD_MASK, False),
    PeerAttack(
        "lock: not the slot keys' scalars", pass_of(LOCK, other_lock), Fault.BAD_LOCK, False
    ),
    PeerAttack("lock: off the curve", pass_of(LOCK, off_the_curve), Fault.BAD_LOCK, False),
    PeerAttack(
        "lock: off the curve, by the last seat",
        pass_of(LOCK, off_the_curve),
        Fault.BAD_LOCK,
        False,
        cheater=2,
    ),
    PeerAttack("lock: a point twice", pass_of(LOCK, repeated), Fault.BAD_LOCK, True),
    PeerAttack("lock: a slot key twice", pass_of(LOCK, repeated_slot_key), Fault.BAD_LOCK, True),
    PeerAttack("lock: two slots swapped", pass_of(LOCK, swapped_locks), Fault.BAD_LOCK, True),
    PeerAttack("lock: false slot keys", pass_of(LOCK, false_slot_keys), Fault.BAD_KEY, True),
    PeerAttack(
        "unlock: a random key",
        lambda: unlocking(lambda peer, keys: b"\x22" * 32 + keys[32:]),
        Fault.BAD_KEY,
        True,
    ),
    PeerAttack(
        "unlock: a random key, among two",
        lambda: unlocking(lambda peer, keys: b"\x22" * 32 + keys[32:]),
        Fault.BAD_KEY,
        True,
        seats=2,
    ),
    PeerAttack(
        "unlock: the key of another slot",
        lambda: unlocking(key_of_another_slot),
        Fault.BAD_KEY,
        True,
    ),
    PeerAttack(
        "unlock: no scalar",
        lambda: unlocking(lambda peer, keys: b"\xff" * 32 + keys[32:]),
        Fault.BAD_KEY,
        True,
    ),
    PeerAttack(
        "unlock: zero",
        lambda: unlocking(lambda peer, keys: bytes(32) + keys[32:]),
        Fault.BAD_KEY,
        True,
    ),
    PeerAttack(
        "commit: all copied",
        lambda: CopiedCommit("seed", "view", "coin", "box", "view_key"),
        Fault.BAD_COMMITMENT,
        True,
    ),
    PeerAttack(
        "commit: seed copied", lambda: CopiedCommit("seed"), Fault.BAD_COMMITMENT, True, seats=4
    ),
    PeerAttack(
        "commit: view copied", lambda: CopiedCommit("view"), Fault.BAD_COMMITMENT, True, cheater=2
    ),
    PeerAttack("commit: coin copied", lambda: CopiedCommit("coin"), Fault.BAD_COMMITMENT, True),
    PeerAttack(
        "commit: box key copied", lambda: CopiedCommit("box"), Fault.BAD_COMMITMENT, True, seats=4
    ),
    PeerAttack(
        "commit: view key copied", lambda: CopiedCommit("view_key"), Fault.BAD_COMMITMENT, True
    ),
    PeerAttack(
        "commit: a weak box key",
        of(bodies.Commit, lambda peer, body: replace(_commit(body), box=bytes(32))),
        Fault.BAD_COMMITMENT,
        True,
    ),
    PeerAttack(
        "reveal: another seed", lambda: revealing(seed=b"\x44" * 32), Fault.BAD_COMMITMENT, True
    ),
    PeerAttack(
        "reveal: another view seed",
        lambda: revealing(view=b"\x44" * 32),
        Fault.BAD_COMMITMENT,
        True,
    ),
    PeerAttack(
        "escrow: a wrong share", of(bodies.Escrow, wrong_share), Fault.BAD_SHARE, False, seats=4
    ),
    PeerAttack(
        "escrow: a share beside its hash",
        of(bodies.Escrow, unhashed_share),
        Fault.BAD_SHARE,
        True,
        seats=4,
    ),
    PeerAttack(
        "escrow: a share that does not open",
        of(bodies.Escrow, unopenable_share),
        Fault.BAD_SHARE,
        True,
        seats=4,
    ),
    PeerAttack(
        "complaint about a right share",
        of(bodies.Pass, false_complaint),
        Fault.FALSE_HALT,
        True,
        seats=4,
    ),
    PeerAttack(
        "complaint with a foreign key",
        of(bodies.Pass, foreign_complaint),
        Fault.FALSE_HALT,
        True,
        seats=4,
    ),
    PeerAttack(
        "show: garbage",
        lambda: showing(lambda peer, proof: b"\x55" * len(proof)),
        Fault.BAD_SEAL,
        False,
        ruleset=CROWDED,
        players=DOUBTERS,
    ),
    PeerAttack(
        "show: keys of other cards of the hand",
        lambda: showing(hand_of_other_keys),
        Fault.BAD_SEAL,
        False,
        ruleset=CROWDED,
        players=DOUBTERS,
    ),
    PeerAttack(
        "show: a card less",
        lambda: showing(hand_with_a_card_less),
        Fault.BAD_SEAL,
        False,
        ruleset=CROWDED,
        players=DOUBTERS,
    ),
    PeerAttack(
        "show: no keys",
        lambda: showing(hand_of_no_keys),
        Fault.BAD_SEAL,
        False,
        ruleset=CROWDED,
        players=DOUBTERS,
    ),
    PeerAttack(
        "a false verdict",
        of(bodies.Act, false_verdict),
        Fault.FALSE_VERDICT,
        False,
        ruleset=CROWDED,
        players=DOUBTERS,
    ),
    PeerAttack(
        "play: another card than named", of(bodies.Act, misnamed_card), Fault.ILLEGAL_PLAY, True
    ),
    PeerAttack("play: a wrong last key", of(bodies.Act, wrong_last_key), Fault.BAD_KEY, True),
    PeerAttack(
        "play: a Wild Draw Four with the colour in hand",
        lambda: Forger(bodies.Act, forbidden_four),
        Fault.ILLEGAL_PLAY,
        False,
        ruleset=_STRICT,
    ),
    PeerAttack(
        "draw: with a playable card",
        lambda: Forger(bodies.Act, needless_draw),
        Fault.ILLEGAL_PLAY,
        False,
        ruleset=_STRICT,
    ),
    PeerAttack(
        "keep: a card that must be played",
        lambda: Forger(bodies.Act, forbidden_keep),
        Fault.ILLEGAL_PLAY,
        False,
        ruleset=_MUST_KEEP_NOTHING,
        players={1: Hoarder},
    ),
    *(
        PeerAttack(
            f"halt: {reason.name.lower()}",
            partial(halting, reason, 0),
            Fault.FALSE_HALT,
            False,
        )
        for reason in HaltReason
    ),
    PeerAttack(
        "attest: blame somebody else",
        of(bodies.Attest, false_attestation),
        Fault.FALSE_HALT,
        False,
    ),
    PeerAttack(
        "two bodies with one counter",
        lambda: Forger(bodies.Pass, two_bodies),
        Fault.EQUIVOCATION,
        True,
    ),
    PeerAttack(
        "two attestations with one counter",
        lambda: Forger(bodies.Attest, two_attestations),
        Fault.EQUIVOCATION,
        True,
        late=True,
    ),
    PeerAttack(
        "two reveals with one counter",
        lambda: Forger(bodies.Reveal, two_bodies),
        Fault.EQUIVOCATION,
        True,
        late=True,
    ),
    PeerAttack(
        "two refused bodies with one counter",
        lambda: Forger(bodies.Pass, two_refused_bodies),
        Fault.EQUIVOCATION,
        True,
    ),
)


# ---- what is no fault, or cannot be proven ----------------------------------------------------


@dataclass(frozen=True)
class Nuisance:
    """Something that no honest seat does and that proves nothing: refused, or waited for."""

    name: str
    make: Callable[[], Tamper]
    closes: CloseReason
    seats: int = 3
    withheld: bool = False
    """Whether the audit says that the seat never published its seeds."""


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
    """Does everything but one kind of message, from its first one on."""

    def __init__(self, *kinds: type) -> None:
        self.kinds = kinds
        self.fired = 0

    def __call__(self, peer: SimPeer, message: FromPeer) -> Iterable[FromPeer | bytes]:
        body = message.body.read().payload if isinstance(message, Submit) else message
        if isinstance(body, self.kinds):
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
        messages.Ready(True),
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
    Nuisance("no commitment", lambda: Mute(bodies.Commit), INCOMPLETE),
    Nuisance("no escrow", lambda: Mute(bodies.Escrow), INCOMPLETE, seats=4),
    Nuisance("no pass", lambda: Mute(bodies.Pass), INCOMPLETE),
    Nuisance("no keys", lambda: Mute(bodies.Unlock), INCOMPLETE),
    Nuisance("no keys, among two", lambda: Mute(bodies.Unlock), INCOMPLETE, seats=2),
    Nuisance("no seeds", lambda: Mute(bodies.Reveal), INCOMPLETE, withheld=True),
    Nuisance("no seeds, among two", lambda: Mute(bodies.Reveal), INCOMPLETE, 2, withheld=True),
    Nuisance("no attestation", lambda: Mute(bodies.Attest), INCOMPLETE),
    Nuisance("no acknowledgements", lambda: Mute(messages.Ack), STOPPED),
    Nuisance("no acknowledgements, among two", lambda: Mute(messages.Ack), INCOMPLETE, seats=2),
    Nuisance("no acts", lambda: Mute(bodies.Act), STOPPED),
    Nuisance("too few keys", lambda: unlocking(lambda peer, keys: keys[32:]), STOPPED),
    Nuisance(
        "another round",
        lambda: Also(lambda peer, body: [said(peer, body, round=7, counter=unused(peer))]),
        STOPPED,
    ),
    Nuisance(
        "another seat",
        lambda: Also(lambda peer, body: [said(peer, body, author=2)]),
        STOPPED,
    ),
    Nuisance(
        "a seat that is not there",
        lambda: Also(lambda peer, body: [said(peer, body, author=77)]),
        STOPPED,
    ),
    Nuisance(
        "an unknown head",
        lambda: Also(lambda peer, body: [said(peer, body, head=bytes(32), counter=unused(peer))]),
        STOPPED,
    ),
    Nuisance(
        "another table",
        lambda: Also(lambda peer, body: [said(peer, body, table=bytes(32))]),
        INCOMPLETE,
    ),
    Nuisance("a bad signature", lambda: Also(unsigned), INCOMPLETE),
    Nuisance("no body", lambda: Also(garbage_body), INCOMPLETE),
    Nuisance("an endless body", lambda: Also(long_body), INCOMPLETE),
    Nuisance(
        "no message", lambda: Also(lambda peer, body: [peer.chance.randbytes(50)]), INCOMPLETE
    ),
    Nuisance("talk", lambda: Also(talk, 20), STOPPED),
    Nuisance("acts out of turn", lambda: Also(out_of_turn, 2), STOPPED),
    *(
        Nuisance(
            f"the host's words: {type(payload).__name__}",
            partial(Also, host_says(payload), 1),
            STOPPED,
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
        STOPPED,
    ),
    Nuisance(
        "leaves",
        lambda: Forger(bodies.Unlock, instead(lambda peer, body: bodies.Leave())),
        INCOMPLETE,
    ),
)
