"""Every fault that a seat can commit: a table of attacks, and the fault that each one proves.

This module is data only. The lies are in `lies.py`; `test_cheating_peers.py` plays a table with
each of them and asserts the outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from msgspec.structs import replace

from lanuno.log.faults import Fault
from lanuno.log.format import bodies
from lanuno.log.format.bodies import (
    HaltReason,
)
from lanuno.rules.presets import EXPRESS
from lanuno.rules.ruleset import DrawnRule, Ruleset, WildFour
from tests.harness.adversaries.forging import (
    Forger,
    in_pass,
)
from tests.harness.adversaries.lies import (
    LOCK,
    MASK,
    CopiedCommit,
    UntilShown,
    bottom_off_the_curve,
    commit_of,
    false_attestation,
    false_complaint,
    false_slot_keys,
    false_verdict,
    forbidden_four,
    forbidden_keep,
    foreign_complaint,
    given_with_other_keys,
    half_swapped,
    halting,
    hand_of_no_keys,
    hand_of_other_keys,
    hand_with_a_card_less,
    handing,
    key_of_another_slot,
    keys_in_another_order,
    mask_key_off_the_curve,
    misnamed_card,
    needless_draw,
    no_encoding,
    no_scalars,
    of,
    off_the_curve,
    one_too_few,
    opening,
    other_lock,
    other_permutation,
    pass_of,
    random_first_key,
    repeated,
    repeated_slot_key,
    revealing,
    showing,
    sorted_permutation,
    swapped_card,
    swapped_locks,
    two_attestations,
    two_bodies,
    two_refused_bodies,
    unhashed_share,
    unlocking,
    unopenable_share,
    untouched,
    weak_box_key,
    wrong_last_key,
    wrong_share,
)
from tests.harness.host_and_seats.players import CROWDED, DOUBTERS, Hoarder
from tests.harness.host_and_seats.table_sim import Player, SimPeer, Tamper

STRICT = replace(EXPRESS, hand_size=20, wild_four=WildFour.STRICT)
DOUBTERS_OF_TWO = {seat: DOUBTERS[seat] for seat in (0, 1)}
SWAPPING = replace(CROWDED, seven_zero=True)
FORCED = replace(CROWDED, drawn=DrawnRule.FORCED)


@dataclass(frozen=True)
class PeerAttack:
    """One way to cheat."""

    name: str
    make: Callable[[], Tamper]
    fault: Fault
    live: bool
    """Whether the log proves it immediately; otherwise the audit does once the seeds are out."""
    late: bool = False
    """Whether it comes when other seats may already have attested that all was well."""
    seats: int = 3
    ruleset: Ruleset = field(default_factory=Ruleset)
    players: dict[int, Callable[[SimPeer], Player]] = field(default_factory=dict)
    """By seat: the player that makes the moment come."""
    cheater: int = 1
    accomplices: tuple[int, ...] = ()
    """Seats that give no verdict on any hand, which is no fault."""


ATTACKS: tuple[PeerAttack, ...] = (
    PeerAttack("mask: a card swapped", pass_of(MASK, swapped_card), Fault.BAD_MASK, False),
    PeerAttack(
        "mask: half of the cards swapped",
        lambda: Forger(bodies.Pass, in_pass(MASK, half_swapped, after=0)),
        Fault.BAD_MASK,
        False,
        seats=2,
    ),
    PeerAttack(
        "mask: a card of one's own swapped, and shown to a challenger",
        UntilShown,
        Fault.BAD_MASK,
        False,
        seats=2,
        ruleset=CROWDED,
        players=DOUBTERS_OF_TWO,
    ),
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
    PeerAttack(
        "lock: off the curve at the bottom, by the last seat",
        lambda: Forger(bodies.Pass, in_pass(LOCK, bottom_off_the_curve, after=0)),
        Fault.BAD_LOCK,
        False,
        seats=4,
        cheater=3,
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
        lambda: CopiedCommit("seed", "view", "boxes", "view_key"),
        Fault.BAD_COMMITMENT,
        True,
    ),
    PeerAttack(
        "commit: seed copied", lambda: CopiedCommit("seed"), Fault.BAD_COMMITMENT, True, seats=4
    ),
    PeerAttack(
        "commit: view copied", lambda: CopiedCommit("view"), Fault.BAD_COMMITMENT, True, cheater=2
    ),
    PeerAttack(
        "commit: all copied, with the keys of boxes",
        lambda: CopiedCommit("seed", "view", "boxes", "view_key"),
        Fault.BAD_COMMITMENT,
        True,
        seats=4,
    ),
    PeerAttack(
        "commit: box keys copied",
        lambda: CopiedCommit("boxes"),
        Fault.BAD_COMMITMENT,
        True,
        seats=4,
    ),
    PeerAttack(
        "commit: view key copied", lambda: CopiedCommit("view_key"), Fault.BAD_COMMITMENT, True
    ),
    PeerAttack(
        "commit: a weak box key",
        of(bodies.Commit, weak_box_key),
        Fault.BAD_COMMITMENT,
        True,
        seats=4,
    ),
    PeerAttack(
        "commit: a weak view key",
        of(bodies.Commit, lambda peer, body: replace(commit_of(body), view_key=bytes(32))),
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
        "give: garbage",
        lambda: handing(lambda peer, sealed: b"\x55" * len(sealed)),
        Fault.BAD_SEAL,
        False,
        ruleset=SWAPPING,
    ),
    PeerAttack(
        "give: keys of nothing",
        lambda: handing(given_with_other_keys),
        Fault.BAD_SEAL,
        False,
        ruleset=SWAPPING,
    ),
    PeerAttack(
        "give: nothing",
        lambda: handing(lambda peer, sealed: sealed[:47]),
        Fault.BAD_SEAL,
        False,
        ruleset=SWAPPING,
    ),
    PeerAttack(
        "a false verdict",
        of(bodies.Act, false_verdict),
        Fault.FALSE_VERDICT,
        False,
        ruleset=CROWDED,
        players=DOUBTERS,
    ),
    *(
        PeerAttack(
            f"open: {name}",
            partial(opening, change),
            Fault.BAD_KEY,
            True,
            ruleset=CROWDED,
            players=DOUBTERS,
            accomplices=(0, 2),
        )
        for name, change in (
            ("a random key", random_first_key),
            ("keys of other cards of the hand", keys_in_another_order),
            ("no scalars", no_scalars),
        )
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
        ruleset=STRICT,
    ),
    PeerAttack(
        "draw: with a playable card",
        lambda: Forger(bodies.Act, needless_draw),
        Fault.ILLEGAL_PLAY,
        False,
        ruleset=STRICT,
    ),
    PeerAttack(
        "keep: a card that must be played",
        lambda: Forger(bodies.Act, forbidden_keep),
        Fault.ILLEGAL_PLAY,
        False,
        ruleset=FORCED,
        players={1: Hoarder},
    ),
    *(
        PeerAttack(
            f"halt: {reason.name.lower()}",
            partial(halting, reason, 0),
            Fault.FALSE_HALT,
            False,
        )
        for reason in sorted(set(HaltReason) - {HaltReason.REACHABLE})
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
