"""The proof that guest and host know the PIN: what each side learns from it."""

from __future__ import annotations

from random import Random

import pytest

from lanuno.table.lobby.pin_proof import GuestPinProof, HostPin, HostPinProof

ANA, BEN, EVE = b"a" * 32, b"b" * 32, b"e" * 32
TABLE, OTHER = b"t" * 16, b"o" * 16


def prove(
    guest: tuple[str, bytes, bytes, bytes], host: tuple[str, bytes, bytes, bytes]
) -> tuple[bool, bool]:
    """Return whether the host is convinced and whether the guest is.

    Each side: its PIN, the key of the guest, the key of the host, and the table, as it sees them.
    """
    entropy = Random(1).randbytes
    mine = GuestPinProof(guest[0], guest=guest[1], host=guest[2], table=guest[3], entropy=entropy)
    answer = HostPin(host[0], host[2], entropy).answer(mine.element, guest=host[1], table=host[3])
    assert answer is not None
    confirmation = mine.confirm(answer.element)
    assert confirmation is not None
    return answer.is_confirmed_by(confirmation), mine.is_confirmed_by(answer.confirmation)


def test_both_sides_are_convinced_by_the_same_pin_alone() -> None:
    right = ("mango", BEN, ANA, TABLE)
    assert prove(right, right) == (True, True)
    for wrong in ("", "mang", "mango ", "mangos", "4711"):
        assert prove((wrong, *right[1:]), right) == (False, False)


@pytest.mark.parametrize(
    "seen_by_host",
    [("mango", EVE, ANA, TABLE), ("mango", BEN, EVE, TABLE), ("mango", BEN, ANA, OTHER)],
)
def test_a_proof_is_bound_to_both_keys_and_the_table(
    seen_by_host: tuple[str, bytes, bytes, bytes],
) -> None:
    """So a relay, which has keys of its own to both sides, convinces neither."""
    assert prove(("mango", BEN, ANA, TABLE), seen_by_host) == (False, False)


def test_no_bytes_of_the_other_side_raise() -> None:
    """Points off the curve, of small order, reflected ones, of the wrong side, and of any bytes."""
    random = Random(7)
    host = HostPin("mango", ANA, random.randbytes)
    sides = [b"A", b"B", b"S", b"\x00"]
    points = [bytes(32), b"\x01" + bytes(31), b"\xff" * 32, b"\xec" + b"\xff" * 30 + b"\x7f"]
    points += [random.randbytes(32) for _ in range(40)]
    accepted = 0
    for element in [side + point for side in sides for point in points]:
        accepted += host.answer(element, guest=BEN, table=TABLE) is not None
        mine = GuestPinProof("mango", guest=BEN, host=ANA, table=TABLE, entropy=random.randbytes)
        confirmation = mine.confirm(element)
        assert confirmation is None or not mine.is_confirmed_by(confirmation)
    assert accepted < len(points)
    reflected = GuestPinProof("mango", guest=BEN, host=ANA, table=TABLE, entropy=random.randbytes)
    assert reflected.confirm(b"B" + reflected.element[1:]) is None
    assert not reflected.is_confirmed_by(bytes(32))


def test_a_guest_is_not_convinced_by_its_own_confirmation() -> None:
    random = Random(3)
    mine = GuestPinProof("mango", guest=BEN, host=ANA, table=TABLE, entropy=random.randbytes)
    trap = HostPin("4711", ANA, random.randbytes).answer(mine.element, guest=BEN, table=TABLE)
    assert trap is not None
    confirmation = mine.confirm(trap.element)
    assert confirmation is not None
    assert not mine.is_confirmed_by(confirmation)


def test_nothing_in_a_representation_helps_to_guess() -> None:
    proof = HostPinProof(b"element", b"expected", b"confirmation")
    assert "expected" not in repr(proof)
    assert "confirmation" not in repr(proof)
    random = Random(1)
    shown = repr(HostPin("mango", ANA, random.randbytes))
    shown += repr(
        GuestPinProof(
            "mango", guest=BEN, host=ANA, table=TABLE, entropy=Random.randbytes.__get__(random)
        )
    )
    assert "mango" not in shown


def test_the_hosts_work_does_not_depend_on_the_pin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The curve in Python is not constant in time: a scalar of the PIN is used once a table."""
    from spake2 import ed25519_basic

    random = Random(5)
    host = HostPin("mango", ANA, random.randbytes)
    scalars: list[int] = []
    slow = ed25519_basic.scalarmult_element

    def counting(point: object, scalar: int) -> object:
        scalars.append(scalar)
        return slow(point, scalar)

    mine = GuestPinProof("mango", guest=BEN, host=ANA, table=TABLE, entropy=random.randbytes)
    monkeypatch.setattr(ed25519_basic, "scalarmult_element", counting)
    from spake2 import SPAKE2_B

    secret = SPAKE2_B(b"mango").pw_scalar
    assert host.answer(mine.element, guest=BEN, table=TABLE) is not None
    assert scalars
    assert not {secret, -secret % ed25519_basic.L} & set(scalars)
