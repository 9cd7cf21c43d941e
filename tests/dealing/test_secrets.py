"""Derivation from seeds: what changes it and what does not; commitments cannot be borrowed."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from lanuno.dealing.errors import Misuse
from lanuno.dealing.group import ORDER, wide_scalars
from lanuno.dealing.hashing import H, frame, u32
from lanuno.dealing.permutation import permutation
from lanuno.dealing.secrets import RoundSecrets, ViewSecrets, commitments
from tests.dealing.players import OPEN, TABLE, context, secrets_of

if TYPE_CHECKING:
    from lanuno.dealing.secrets import RoundContext

SEED = H("test-seed")


def whole_hkdf(seed: bytes, length: int, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(seed)


def test_derivation_is_hkdf_with_the_specified_info() -> None:
    secrets = RoundSecrets(SEED, context(0))
    info = frame(TABLE, OPEN, u32(7), b"slots", u32(0))
    assert secrets.slot_scalars(7, 108) == wide_scalars(whole_hkdf(SEED, 48 * 108, info))
    info = frame(TABLE, OPEN, u32(7), b"mask", u32(0))
    assert secrets.mask_scalar(7) == wide_scalars(whole_hkdf(SEED, 48, info))[0]


def test_the_stream_of_words_goes_on_in_a_second_expansion() -> None:
    secrets = RoundSecrets(SEED, context(0))
    words = b"".join(
        whole_hkdf(SEED, 512, frame(TABLE, OPEN, u32(2), b"permutation", u32(index)))
        for index in range(2)
    )
    expected = [int.from_bytes(words[at : at + 4], "big") for at in range(0, 1024, 4)]
    assert list(islice(secrets._words(2), 256)) == expected
    assert secrets.permutation(2, 200) == permutation(200, iter(expected))


def test_every_use_has_its_own_secret() -> None:
    secrets = RoundSecrets(SEED, context(0))
    view = ViewSecrets(SEED, context(0))
    values = [
        *(secrets.mask_scalar(deal).to_bytes(32, "big") for deal in range(3)),
        *(secrets.common_scalar(deal).to_bytes(32, "big") for deal in range(3)),
        *(s.to_bytes(32, "big") for deal in range(3) for s in secrets.slot_scalars(deal, 9)),
        secrets.coin,
        secrets.box_private,
        secrets.box_key,
        view.private_key,
        view.public_key,
        SEED,
    ]
    assert len(set(values)) == len(values)
    assert secrets.permutation(0, 108) != secrets.permutation(1, 108)
    assert all(0 < scalar < ORDER for scalar in secrets.slot_scalars(0, 112))
    # The first keys of a deal do not depend on how long it is, and asking twice changes nothing.
    assert secrets.slot_scalars(0, 5) == secrets.slot_scalars(0, 112)[:5]
    assert secrets.permutation(0, 108) is secrets.permutation(0, 108)


@pytest.mark.parametrize(
    "elsewhere",
    [replace(context(0), table=H("elsewhere")), replace(context(0), open=H("elsewhere"))],
)
def test_secrets_are_bound_to_table_and_round(elsewhere: RoundContext) -> None:
    here = context(0)
    assert RoundSecrets(SEED, here).mask_scalar(0) != RoundSecrets(SEED, elsewhere).mask_scalar(0)


ELSEWHERE = [
    replace(context(1), seat=2),
    replace(context(1), identity=context(2).identity),
    replace(context(1), table=H("elsewhere")),
    replace(context(1), open=H("elsewhere")),
    context(2),
]


@pytest.mark.parametrize("other", ELSEWHERE)
def test_a_commitment_copied_from_another_seat_fails(other: RoundContext) -> None:
    """Even with the seed in hand, what seat 1 published opens for nobody and nowhere else."""
    published = commitments(RoundSecrets(SEED, context(1)), ViewSecrets(SEED, context(1)))
    again = commitments(RoundSecrets(SEED, context(1)), ViewSecrets(SEED, context(1)))
    copied = commitments(RoundSecrets(SEED, other), ViewSecrets(SEED, other))
    assert published == again
    assert published.seed != copied.seed
    assert published.view != copied.view
    assert published.coin != copied.coin


def test_another_seed_does_not_open_a_commitment() -> None:
    view = ViewSecrets(SEED, context(1))
    published = commitments(RoundSecrets(SEED, context(1)), view)
    other = commitments(secrets_of(1), view)
    assert published.view == other.view
    assert published.seed != other.seed
    assert published.coin != other.coin
    assert published.box_key != other.box_key
    kinds = {published.seed, published.view, published.coin}
    assert len(kinds) == 3  # one seed used for both still gives different digests


def test_no_secret_shows() -> None:
    for secret in (RoundSecrets(SEED, context(3)), ViewSecrets(SEED, context(3))):
        assert repr(secret) == str(secret) == f"{type(secret).__name__}(seat 3, <secret>)"
    with pytest.raises(Misuse) as caught:
        RoundSecrets(SEED[:31], context(3))
    assert SEED[:31].hex() not in str(caught.value)
