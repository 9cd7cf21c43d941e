"""Derivation from seeds: what changes it and what does not; commitments cannot be copied."""

from __future__ import annotations

from itertools import islice

import pytest
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from msgspec.structs import replace

from lanuno.dealing.errors import Misuse, SealError
from lanuno.dealing.group import ORDER, scalar_bytes, wide_scalars
from lanuno.dealing.hashing import H, frame, u32
from lanuno.dealing.permutation import draw_permutation
from lanuno.dealing.sealing import box_public, seal, unseal
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets, commitments
from tests.dealing.players import OPEN, TABLE, context, secrets_of

SEED = H("test-seed")
INPUT = H("test-input")


def whole_hkdf(seed: bytes, length: int, info: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=None, info=info).derive(seed)


def test_derivation_is_hkdf_with_the_specified_info() -> None:
    secrets = RoundSecrets(SEED, context(0))
    info = frame(TABLE, OPEN, u32(7), b"slots", u32(0), INPUT)
    assert secrets.slot_scalars(7, 108, INPUT) == wide_scalars(whole_hkdf(SEED, 48 * 108, info))
    info = frame(TABLE, OPEN, u32(7), b"mask", u32(0), INPUT)
    assert secrets.mask_scalar(7, INPUT) == wide_scalars(whole_hkdf(SEED, 48, info))[0]
    info = frame(TABLE, OPEN, u32(7), b"common", u32(0), INPUT)
    assert secrets.common_scalar(7, INPUT) == wide_scalars(whole_hkdf(SEED, 48, info))[0]
    info = frame(TABLE, OPEN, u32(0), b"box", u32(4), bytes(32))
    assert ViewSecrets(SEED, context(0)).box_private(4) == whole_hkdf(SEED, 32, info)


def test_the_stream_of_words_goes_on_in_a_second_expansion() -> None:
    secrets = RoundSecrets(SEED, context(0))
    words = b"".join(
        whole_hkdf(SEED, 512, frame(TABLE, OPEN, u32(2), b"permutation", u32(index), INPUT))
        for index in range(2)
    )
    expected = [int.from_bytes(words[at : at + 4], "big") for at in range(0, 1024, 4)]
    assert list(islice(secrets._words(2, INPUT), 256)) == expected
    assert secrets.permutation(2, 200, INPUT) == draw_permutation(200, iter(expected))


def test_every_use_has_its_own_secret() -> None:
    secrets = RoundSecrets(SEED, context(0))
    view = ViewSecrets(SEED, context(0))
    uses = [(deal, step_input) for deal in range(3) for step_input in (INPUT, H("other-input"))]
    values = [
        *(scalar_bytes(secrets.mask_scalar(*use)) for use in uses),
        *(scalar_bytes(secrets.common_scalar(*use)) for use in uses),
        *(scalar_bytes(s) for deal, step in uses for s in secrets.slot_scalars(deal, 9, step)),
        *(view.box_private(giver) for giver in range(10)),
        *(view.box_key(giver) for giver in range(10)),
        view.private_key,
        view.public_key,
        SEED,
    ]
    assert len(set(values)) == len(values)
    assert len({secrets.permutation(deal, 108, step_input) for deal, step_input in uses}) == 6
    assert all(0 < scalar < ORDER for scalar in secrets.slot_scalars(0, 112, INPUT))
    # The first keys of a deal do not depend on its length, and asking twice changes nothing.
    assert secrets.slot_scalars(0, 5, INPUT) == secrets.slot_scalars(0, 112, INPUT)[:5]
    assert secrets.permutation(0, 108, INPUT) is secrets.permutation(0, 108, INPUT)


def test_a_box_key_opens_the_share_of_its_giver_only() -> None:
    view = ViewSecrets(SEED, context(0))
    sealed = {giver: seal(bytes([giver]), view.box_key(giver), b"") for giver in (1, 2, 5)}
    for giver, box in sealed.items():
        assert box_public(view.box_private(giver)) == view.box_key(giver)
        for other in sealed:
            if other == giver:
                assert unseal(box, view.box_private(other), b"") == bytes([giver])
            else:
                with pytest.raises(SealError):
                    unseal(box, view.box_private(other), b"")


def test_there_is_one_published_box_key_for_every_giver() -> None:
    secrets, view = RoundSecrets(SEED, context(0)), ViewSecrets(SEED, context(0))
    assert commitments(secrets, view).boxes == ()
    expected = tuple([view.box_key(giver) for giver in (1, 2, 5)])
    assert commitments(secrets, view, (1, 2, 5)).boxes == expected


@pytest.mark.parametrize(
    "elsewhere",
    [replace(context(0), table=H("elsewhere")), replace(context(0), open_hash=H("elsewhere"))],
)
def test_secrets_are_bound_to_table_and_round(elsewhere: RoundContext) -> None:
    here, there = RoundSecrets(SEED, context(0)), RoundSecrets(SEED, elsewhere)
    assert here.mask_scalar(0, INPUT) != there.mask_scalar(0, INPUT)
    views = ViewSecrets(SEED, context(0)), ViewSecrets(SEED, elsewhere)
    assert views[0].box_private(1) != views[1].box_private(1)
    assert views[0].private_key != views[1].private_key


ELSEWHERE = [
    replace(context(1), seat=2),
    replace(context(1), identity=context(2).identity),
    replace(context(1), table=H("elsewhere")),
    replace(context(1), open_hash=H("elsewhere")),
    context(2),
]


@pytest.mark.parametrize("other", ELSEWHERE)
def test_a_commitment_copied_from_another_seat_fails(other: RoundContext) -> None:
    """A commitment of seat 1 fits no other seat and no other round, even if the seed is known."""
    published = commitments(RoundSecrets(SEED, context(1)), ViewSecrets(SEED, context(1)))
    again = commitments(RoundSecrets(SEED, context(1)), ViewSecrets(SEED, context(1)))
    copied = commitments(RoundSecrets(SEED, other), ViewSecrets(SEED, other))
    assert published == again
    assert published.seed != copied.seed
    assert published.view != copied.view


def test_another_seed_does_not_open_a_commitment() -> None:
    secrets, view = RoundSecrets(SEED, context(1)), ViewSecrets(SEED, context(1))
    published = commitments(secrets, view, (2,))
    other = commitments(secrets_of(1), view, (2,))
    assert published.seed != other.seed
    # Every key to which something is sealed follows from the view seed, which shares never give.
    assert (published.view, published.view_key) == (other.view, other.view_key)
    assert published.boxes == other.boxes
    other = commitments(secrets, ViewSecrets(H("other-seed"), context(1)), (2,))
    assert published.seed == other.seed
    assert published.view != other.view
    assert published.view_key != other.view_key
    assert published.boxes != other.boxes
    assert published.seed != published.view  # one seed used for both gives two different digests


def test_no_secret_shows() -> None:
    for secret in (RoundSecrets(SEED, context(3)), ViewSecrets(SEED, context(3))):
        assert repr(secret) == str(secret) == f"{type(secret).__name__}(seat 3, <secret>)"
    with pytest.raises(Misuse) as caught:
        RoundSecrets(SEED[:31], context(3))
    assert SEED[:31].hex() not in str(caught.value)
