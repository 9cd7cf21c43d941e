"""Generate the dealing vectors: `python -m tests.dealing.vectors > tests/vectors/dealing.json`.

The file lets a second implementation check itself; all bytes are lower-case hexadecimal. Generate
it again only when the version of the protocol changes: the test that compares it with today's code
keeps the protocol from changing unnoticed.
"""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any

from lanuno.dealing.deal import Deal, StepKind, packed, slot_scalars, take_step
from lanuno.dealing.escrow import share_hash, split
from lanuno.dealing.group import FIELD, ORDER, card_points, pack, scalar_bytes
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.identity import Identity, fingerprint
from lanuno.dealing.sealing import box_public, seal_info
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets, commitments
from lanuno.dealing.slots import SlotTable
from lanuno.dealing.verify import dealt_cards

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TABLE = H("vector-table")
OPEN = H("vector-open")
INPUT = H("vector-input")
SEATS = (0, 1, 2)

# HPKE generates an ephemeral key for each box, so this box was sealed once and is kept here.
SEALED = (
    "126fbffa44119143be2a7c2a4e1ba163c076161f59931938b52ad2b83de4d735"
    "e551fb4998b2901d6fb10f7b378c4d8de63576aa2682b120f757067105885c67"
    "f8"
)


def identity(seat: int) -> Identity:
    return Identity.from_seed(H("vector-identity", u32(seat)))


def context(seat: int) -> RoundContext:
    return RoundContext(TABLE, OPEN, seat, identity(seat).public)


def secrets_of(seat: int) -> RoundSecrets:
    return RoundSecrets(H("vector-seed", u32(seat)), context(seat))


def view_of(seat: int) -> ViewSecrets:
    return ViewSecrets(H("vector-view", u32(seat)), context(seat))


def hexes(values: Sequence[bytes]) -> list[str]:
    return [value.hex() for value in values]


def scalar_hexes(values: Sequence[int]) -> list[str]:
    return hexes([scalar_bytes(value) for value in values])


def hash_vectors() -> list[dict[str, Any]]:
    cases: list[tuple[str, tuple[bytes, ...]]] = [
        ("empty", ()),
        ("empty", (b"",)),
        ("two", (b"\x00", b"lanuno")),
    ]
    return [{"type": k, "parts": hexes(p), "digest": H(k, *p).hex()} for k, p in cases]


def identity_vectors() -> dict[str, Any]:
    own = identity(0)
    prime = 2**255 - 19
    return {
        "seed": H("vector-identity", u32(0)).hex(),
        "public": own.public.hex(),
        "fingerprint": fingerprint(own.public),
        "message": b"LanUNO".hex(),
        "signature": own.sign(b"LanUNO").hex(),
        "refused_publics": [
            {"why": "length", "public": own.public[:-1].hex()},
            {"why": "order 1", "public": (1).to_bytes(32, "little").hex()},
            {"why": "order 2", "public": (prime - 1).to_bytes(32, "little").hex()},
            {"why": "order 4", "public": bytes(32).hex()},
            {
                "why": "order 8",
                "public": "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
            },
            {"why": "y not below p", "public": (prime + 3).to_bytes(32, "little").hex()},
            {"why": "not on the curve", "public": (2).to_bytes(32, "little").hex()},
        ],
    }


def card_vectors() -> list[dict[str, Any]]:
    return [
        {
            "deck": deck,
            "first": hexes(card_points(deck)[:4]),
            "last": card_points(deck)[-1].hex(),
            "digest_of_all": H("vector-points", pack(card_points(deck))).hex(),
        }
        for deck in (108, 112)
    ]


def secret_vectors(seat: int) -> dict[str, Any]:
    secrets, view = secrets_of(seat), view_of(seat)
    givers = [giver for giver in SEATS if giver != seat]
    published = commitments(secrets, view, givers)
    return {
        "seat": seat,
        "identity": identity(seat).public.hex(),
        "round_seed": secrets.seed.hex(),
        "view_seed": view.seed.hex(),
        "commit_seed": published.seed.hex(),
        "commit_view": published.view.hex(),
        "givers": givers,
        "box_privates": hexes([view.box_private(giver) for giver in givers]),
        "box_keys": hexes(published.boxes),
        "view_private": view.private_key.hex(),
        "view_key": published.view_key.hex(),
        "input": INPUT.hex(),
        "mask_scalar_of_deal_3": scalar_bytes(secrets.mask_scalar(3, INPUT)).hex(),
        "common_scalar_of_deal_3": scalar_bytes(secrets.common_scalar(3, INPUT)).hex(),
        "slot_scalars_of_deal_3": scalar_hexes(secrets.slot_scalars(3, 5, INPUT)),
        "permutation_of_deal_3": list(secrets.permutation(3, 108, INPUT)),
    }


def escrow_vectors() -> dict[str, Any]:
    receivers = (1, 2, 5)
    keys = [view_of(seat).box_key(0) for seat in receivers]
    shares = split(secrets_of(0), receivers, keys)
    pairs = zip(receivers, shares, strict=True)
    return {
        "from": 0,
        "to": list(receivers),
        "box_keys": hexes(keys),
        "shares": hexes(shares),
        "hashes": [share_hash(share, context(0), seat).hex() for seat, share in pairs],
    }


def sealing_vectors() -> dict[str, Any]:
    private = H("vector-box")
    box = bytes.fromhex(SEALED)
    low = (1).to_bytes(32, "little") + box[32:]
    prime = 2**255 - 19
    return {
        "private": private.hex(),
        "public": box_public(private).hex(),
        "from": 1,
        "to": 2,
        "purpose": "share",
        "info": seal_info(TABLE, OPEN, 1, 2, "share").hex(),
        "sealed": box.hex(),
        "plaintext": b"a share of a seed".hex(),
        "refused": [
            {"why": "empty", "sealed": ""},
            {"why": "cut short", "sealed": box[:-1].hex()},
            {"why": "a byte too many", "sealed": (box + b"\0").hex()},
            {"why": "tag", "sealed": (box[:-1] + bytes([box[-1] ^ 1])).hex()},
            {"why": "ephemeral key of small order", "sealed": low.hex()},
        ],
        "refused_publics": [
            {"why": "length", "public": bytes(31).hex()},
            {"why": "small order", "public": (1).to_bytes(32, "little").hex()},
            {"why": "u not below p", "public": (prime + 9).to_bytes(32, "little").hex()},
        ],
    }


def list_vectors() -> list[dict[str, Any]]:
    good = card_points(108)[:3]
    odd = b"\x02" + (5).to_bytes(32, "big")
    large = b"\x02" + FIELD.to_bytes(32, "big")
    cases: list[tuple[str | None, tuple[bytes, ...]]] = [
        (None, good),
        ("count", good[:2]),
        ("encoding", (*good[:2], bytes(33))),
        ("encoding", (*good[:2], b"\x04" + good[2][1:])),
        ("encoding", (*good[:2], good[2][:-1])),
        ("encoding", (*good[:2], large)),
        ("duplicate", (*good[:2], good[0])),
        ("off-curve", (*good[:2], odd)),
    ]
    return [{"flaw": flaw, "count": 3, "points": hexes(points)} for flaw, points in cases]


def scalar_vectors() -> list[dict[str, Any]]:
    cases = [
        (True, scalar_bytes(1)),
        (True, scalar_bytes(ORDER - 1)),
        (False, bytes(32)),
        (False, ORDER.to_bytes(32, "big")),
        (False, bytes(31)),
        (False, b"\x00" + scalar_bytes(1)),
    ]
    return [{"good": good, "scalar": data.hex()} for good, data in cases]


def played(deal: Deal, secrets: Mapping[int, RoundSecrets]) -> list[dict[str, Any]]:
    """Play a deal to its end and return all its steps."""
    steps: list[dict[str, Any]] = []
    while deal.expected is not None:
        kind, seat = deal.expected
        step_input = deal.step_input(kind, seat).hex()
        step = take_step(deal, secrets[seat])
        points, keys = packed(step)
        name = "slot_keys" if kind is StepKind.LOCK else "public"
        said = {"points": points.hex(), name: keys.hex()}
        steps.append({"step": kind.value, "seat": seat, "input": step_input, **said})
        deal.accept(seat, step)
    return steps


def deal_vectors() -> list[dict[str, Any]]:
    """Deal eight cards, then shuffle one of them face up and two locked slots again."""
    secrets = {seat: secrets_of(seat) for seat in SEATS}
    cards = (0, 13, 26, 39, 52, 65, 78, 107)
    first = Deal(0, 108, cards, SEATS, table=TABLE, open_hash=OPEN)
    first_steps = played(first, secrets)
    table = SlotTable()
    table.add(first)
    where = dealt_cards((first,), secrets)
    second = Deal(
        1,
        108,
        (where[3],),
        SEATS,
        table=TABLE,
        open_hash=OPEN,
        locked=table.locked((5, 7), SEATS),
        first_slot=8,
    )
    second_steps = played(second, secrets)
    where = dealt_cards((first, second), secrets)
    return [
        {
            "deal": deal.number,
            "deck": deal.deck,
            "cards": list(deal.cards),
            "locked": [each.slot for each in deal.locked],
            "order": list(deal.order),
            "first_slot": deal.first_slot,
            "steps": steps,
            "opens_to": [where[slot] for slot in deal.slots],
            "keys": {str(seat): scalar_hexes(slot_scalars(deal, secrets[seat])) for seat in SEATS},
        }
        for deal, steps in ((first, first_steps), (second, second_steps))
    ]


def make() -> dict[str, Any]:
    """Return the whole file as one JSON value."""
    return {
        "version": "lanuno/1",
        "table": TABLE.hex(),
        "open": OPEN.hex(),
        "hashes": hash_vectors(),
        "identity": identity_vectors(),
        "card_points": card_vectors(),
        "secrets": [secret_vectors(seat) for seat in SEATS],
        "escrow": escrow_vectors(),
        "sealing": sealing_vectors(),
        "scalars": scalar_vectors(),
        "point_lists": list_vectors(),
        "deals": deal_vectors(),
    }


if __name__ == "__main__":
    argparse.ArgumentParser(
        prog="python -m tests.dealing.vectors", description=__doc__
    ).parse_args()
    print(json.dumps(make(), indent=1))  # noqa: T201 - it is a command
