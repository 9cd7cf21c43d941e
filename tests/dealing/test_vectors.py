"""tests/vectors/dealing.json against the code, and against a second implementation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lanuno.dealing.errors import ScalarError, SealError
from lanuno.dealing.group import check_points, off_curve, parse_scalar
from lanuno.dealing.identity import check_public, verify
from lanuno.dealing.sealing import check_box_public, unseal
from tests.dealing import reference, vectors

FILE = Path(__file__).parent.parent / "vectors" / "dealing.json"
KNOWN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
TABLE = bytes.fromhex(KNOWN["table"])
OPEN = bytes.fromhex(KNOWN["open"])


def seat_of(secret: dict[str, Any], *, view: bool = False) -> reference.Seat:
    seed = bytes.fromhex(secret["view_seed" if view else "round_seed"])
    return reference.Seat(seed, TABLE, OPEN)


def test_the_code_still_makes_these_vectors() -> None:
    assert vectors.make() == KNOWN


def test_boxes_and_keys_that_have_to_be_refused() -> None:
    sealing, identity = KNOWN["sealing"], KNOWN["identity"]
    private, info = bytes.fromhex(sealing["private"]), bytes.fromhex(sealing["info"])
    opened = unseal(bytes.fromhex(sealing["sealed"]), private, info)
    assert opened.hex() == sealing["plaintext"]
    for case in sealing["refused"]:
        with pytest.raises(SealError):
            unseal(bytes.fromhex(case["sealed"]), private, info)
    for case in sealing["refused_publics"]:
        assert not check_box_public(bytes.fromhex(case["public"])), case["why"]
    for case in identity["refused_publics"]:
        assert not check_public(bytes.fromhex(case["public"])), case["why"]
    fields = (bytes.fromhex(identity[name]) for name in ("public", "signature", "message"))
    assert verify(*fields)


def test_scalars_and_lists_that_have_to_be_refused() -> None:
    for case in KNOWN["scalars"]:
        data = bytes.fromhex(case["scalar"])
        if case["good"]:
            parse_scalar(data)
        else:
            with pytest.raises(ScalarError):
                parse_scalar(data)
    for case in KNOWN["point_lists"]:
        points = [bytes.fromhex(point) for point in case["points"]]
        fault = check_points(points, case["count"])
        if case["flaw"] == "off-curve":
            assert fault is None
            assert off_curve(points) is not None
        else:
            assert (fault.value if fault else None) == case["flaw"]


# The tests below use only the reference implementation.


def test_hashes_and_card_points_by_the_reference() -> None:
    for case in KNOWN["hashes"]:
        parts = [bytes.fromhex(part) for part in case["parts"]]
        assert reference.digest(case["type"], *parts).hex() == case["digest"]
    for case in KNOWN["card_points"]:
        deck = case["deck"]
        points = [reference.compressed(reference.card_point(deck, i)) for i in range(deck)]
        assert [point.hex() for point in points[:4]] == case["first"]
        assert points[-1].hex() == case["last"]
        assert reference.digest("vector-points", b"".join(points)).hex() == case["digest_of_all"]


@pytest.mark.parametrize("secret", KNOWN["secrets"])
def test_secrets_by_the_reference(secret: dict[str, Any]) -> None:
    seat, view = seat_of(secret), seat_of(secret, view=True)
    bound = (TABLE, OPEN, reference.u32(secret["seat"]), bytes.fromhex(secret["identity"]))
    for name, value in (("seed", seat.seed), ("view", view.seed)):
        digest = reference.digest(f"commit-{name}", *bound, value)
        assert digest.hex() == secret[f"commit_{name}"]
    boxes = [view.material("box", 32, index=giver) for giver in secret["givers"]]
    assert [private.hex() for private in boxes] == secret["box_privates"]
    assert view.material("view", 32).hex() == secret["view_private"]
    of = bytes.fromhex(secret["input"])
    hexed = [f"{scalar:064x}" for scalar in seat.scalars("slots", 3, of, 5)]
    assert hexed == secret["slot_scalars_of_deal_3"]
    assert f"{seat.scalars('mask', 3, of)[0]:064x}" == secret["mask_scalar_of_deal_3"]
    assert f"{seat.scalars('common', 3, of)[0]:064x}" == secret["common_scalar_of_deal_3"]
    assert seat.order(3, of, 108) == secret["permutation_of_deal_3"]


def test_shares_by_the_reference() -> None:
    escrow = KNOWN["escrow"]
    giver = KNOWN["secrets"][escrow["from"]]
    seat = seat_of(giver)
    of = reference.receivers(escrow["to"], [bytes.fromhex(key) for key in escrow["box_keys"]])
    shares = [seat.material("share", 32, index=to, of=of) for to in escrow["to"][:-1]]
    rest = int.from_bytes(seat.seed, "big")
    for share in shares:
        rest ^= int.from_bytes(share, "big")
    shares.append(rest.to_bytes(32, "big"))
    assert [share.hex() for share in shares] == escrow["shares"]
    bound = (TABLE, OPEN, reference.u32(escrow["from"]), bytes.fromhex(giver["identity"]))
    hashes = [
        reference.digest("share", *bound, reference.u32(to) + share).hex()
        for to, share in zip(escrow["to"], shares, strict=True)
    ]
    assert hashes == escrow["hashes"]


def test_deals_by_the_reference() -> None:
    seats = {secret["seat"]: seat_of(secret) for secret in KNOWN["secrets"]}
    final: dict[int, reference.Point] = {}
    old_scalars: dict[tuple[int, int], int] = {}
    for deal in KNOWN["deals"]:
        number, order = deal["deal"], deal["order"]
        points = [reference.card_point(deal["deck"], card) for card in deal["cards"]]
        points += [final[slot] for slot in deal["locked"]]
        size = len(points)
        locked = [
            (slot, final[slot], [times_g(old_scalars[seat, slot]) for seat in order])
            for slot in deal["locked"]
        ]
        of = reference.first_input(TABLE, OPEN, number, deal["deck"], order, deal["cards"], locked)
        common = dict.fromkeys(order, 1)
        masks: dict[int, int] = {}
        for step in deal["steps"]:
            assert of.hex() == step["input"]
            number_of_seat, kind = step["seat"], step["step"]
            seat = seats[number_of_seat]
            if kind == "common":
                scalars = seat.scalars("common", number, of)
                common[number_of_seat] = scalars[0]
                old = [old_scalars[number_of_seat, slot] for slot in deal["locked"]]
                points = seat.common(points, scalars[0], old)
            elif kind == "mask":
                scalars = seat.scalars("mask", number, of)
                masks[number_of_seat] = scalars[0]
                places = seat.order(number, of, size)
                points = seat.mask(points, scalars[0], common[number_of_seat], places)
            else:
                scalars = seat.scalars("slots", number, of, size)
                points = seat.lock(points, masks[number_of_seat], scalars)
                for index, scalar in enumerate(scalars):
                    old_scalars[number_of_seat, deal["first_slot"] + index] = scalar
                assert [f"{scalar:064x}" for scalar in scalars] == deal["keys"][str(number_of_seat)]
            keys = [times_g(scalar) for scalar in scalars]
            assert reference.packed(keys).hex() == step["slot_keys" if kind == "lock" else "public"]
            assert reference.packed(points).hex() == step["points"]
            of = reference.next_input(of, kind, number_of_seat, points, keys)
        for index, point in enumerate(points):
            final[deal["first_slot"] + index] = point
            product = 1
            for each in order:
                product = product * int(deal["keys"][str(each)][index], 16) % reference.N
            card = reference.card_point(deal["deck"], deal["opens_to"][index])
            assert reference.times(product, card) == point


def times_g(scalar: int) -> reference.Point:
    return reference.times(scalar, reference.G)
