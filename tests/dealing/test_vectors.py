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


def unhex(text: str, size: int) -> list[str]:
    """Cut packed hexadecimal into the hexadecimal of things of `size` bytes."""
    return [text[at : at + 2 * size] for at in range(0, len(text), 2 * size)]


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


# What follows uses nothing but the reference.


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
    for name, value in (("seed", seat.seed), ("view", view.seed), ("coin", None)):
        content = seat.material("coin", 32) if value is None else value
        digest = reference.digest(f"commit-{name}", *bound, content)
        assert digest.hex() == secret[f"commit_{name}"]
    assert seat.material("coin", 32).hex() == secret["coin"]
    assert seat.material("box", 32).hex() == secret["box_private"]
    assert view.material("view", 32).hex() == secret["view_private"]
    hexed = [f"{scalar:064x}" for scalar in seat.scalars("slots", 3, 5)]
    assert hexed == secret["slot_scalars_of_deal_3"]
    assert f"{seat.scalars('mask', 3)[0]:064x}" == secret["mask_scalar_of_deal_3"]
    assert f"{seat.scalars('common', 3)[0]:064x}" == secret["common_scalar_of_deal_3"]
    assert seat.order(3, 108) == secret["permutation_of_deal_3"]


def test_shares_by_the_reference() -> None:
    escrow = KNOWN["escrow"]
    giver = KNOWN["secrets"][escrow["from"]]
    seat = seat_of(giver)
    shares = [seat.material("share", 32, index=to) for to in escrow["to"][:-1]]
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
    origin: dict[int, tuple[int, int, int]] = {}
    for deal in KNOWN["deals"]:
        number, locked = deal["deal"], deal["locked"]
        points = [reference.card_point(deal["deck"], card) for card in deal["cards"]]
        points += [final[slot] for slot in locked]
        size = len(points)
        for step in deal["steps"]:
            seat = seats[step["seat"]]
            kind = step["step"]
            if kind == "common":
                sources = [origin[slot] for slot in locked]
                old = [seat.scalars("slots", at, many)[index] for at, many, index in sources]
                points = seat.common(points, number, old)
                scalars = seat.scalars("common", number)
            elif kind == "mask":
                points = seat.mask(points, number, after_common=bool(locked))
                scalars = seat.scalars("mask", number)
            else:
                points = seat.lock(points, number)
                scalars = seat.scalars("slots", number, size)
            keys = [reference.compressed(reference.times(d, reference.G)).hex() for d in scalars]
            assert keys == unhex(step["slot_keys" if kind == "lock" else "public"], 33)
            assert [reference.compressed(point).hex() for point in points] == unhex(
                step["points"], 33
            )
        for index, point in enumerate(points):
            slot = deal["first_slot"] + index
            final[slot] = point
            origin[slot] = (number, size, index)
            product = 1
            for each in deal["order"]:
                product = product * int(deal["keys"][str(each)][index], 16) % reference.N
            card = reference.card_point(deal["deck"], deal["opens_to"][index])
            assert reference.times(product, card) == point
