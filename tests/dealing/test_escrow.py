"""All shares together rebuild the seed, fewer do not; each share is bound to both its seats."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from lanuno.dealing.errors import Misuse, ShareError
from lanuno.dealing.escrow import check_share, rebuild, share_hash
from lanuno.dealing.escrow import split as split_for
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.secrets import RoundSecrets
from tests.dealing.players import context, secrets_of, view_of

if TYPE_CHECKING:
    from collections.abc import Sequence


def boxes(receivers: Sequence[int], giver: int = 0) -> list[bytes]:
    """Return the keys to which one seat seals its shares for these receivers."""
    return [view_of(seat).box_key(giver) for seat in receivers]


def split(secrets: RoundSecrets, receivers: Sequence[int]) -> tuple[bytes, ...]:
    return split_for(secrets, receivers, boxes(receivers))


@pytest.mark.parametrize("owners", range(3, 10))
def test_all_shares_give_the_seed(owners: int) -> None:
    secrets = secrets_of(0)
    shares = split(secrets, range(1, owners))
    assert len(shares) == owners - 1
    assert rebuild(shares) == rebuild(shares[::-1]) == secrets.seed
    rebuilt = RoundSecrets(rebuild(shares), context(0))
    assert rebuilt.commitment() == secrets.commitment()
    assert split(rebuilt, range(1, owners)) == shares


def test_fewer_shares_give_something_else() -> None:
    secrets = secrets_of(0)
    shares = split(secrets, range(1, 5))
    for count in (2, 3):
        for some in combinations(shares, count):
            assert rebuild(some) != secrets.seed
    assert secrets.seed not in shares
    assert len(set(shares)) == len(shares)


def test_a_wrong_share_gives_a_seed_that_does_not_fit_its_commitment() -> None:
    secrets = secrets_of(0)
    first, *rest = split(secrets, (3, 5, 7))
    wrong = bytes([first[0] ^ 1]) + first[1:]
    rebuilt = RoundSecrets(rebuild((wrong, *rest)), context(0))
    assert rebuilt.commitment() != secrets.commitment()


def test_share_hashes_are_bound_to_giver_and_receiver() -> None:
    share = split(secrets_of(0), (1, 2, 3))[0]
    published = share_hash(share, context(0), 1)
    assert check_share(share, published, context(0), 1)
    assert not check_share(share, published, context(0), 2)
    assert not check_share(share, published, context(4), 1)
    assert not check_share(share[:-1], published, context(0), 1)
    assert not check_share(share[:-1] + b"\x00", published, context(0), 1)
    short = share[:-1]
    assert not check_share(short, share_hash(short, context(0), 1), context(0), 1)


@pytest.mark.parametrize("receivers", [(), (1,), (1, 2, 1)])
def test_receivers_are_two_or_more_and_different(receivers: tuple[int, ...]) -> None:
    with pytest.raises(Misuse):
        split(secrets_of(0), receivers)


def test_shares_depend_on_who_receives_them_and_on_their_keys() -> None:
    """Shares of two different splits do not combine, so nobody can gather a seed from them."""
    secrets, receivers = secrets_of(0), (1, 2, 5)
    shares = split(secrets, receivers)
    keys = boxes(receivers)
    assert split_for(secrets, receivers, keys) == shares
    others = [
        split(secrets, (1, 2, 6)),
        split(secrets, (1, 2, 5, 6)),
        split(secrets, (2, 1, 5)),
        *(
            split_for(secrets, receivers, [*keys[:at], H("box", u32(at)), *keys[at + 1 :]])
            for at in range(3)
        ),
    ]
    every = [share for some in (shares, *others) for share in some]
    assert len(set(every)) == len(every)
    for some in others:
        assert rebuild(some) == secrets.seed
        assert rebuild((*shares[:2], some[-1])) != secrets.seed


def test_every_receiver_has_a_key() -> None:
    with pytest.raises(ValueError, match="zip"):
        split_for(secrets_of(0), (1, 2, 5), boxes((1, 2)))


@pytest.mark.parametrize("shares", [(), (bytes(32),), (bytes(32), bytes(31)), (bytes(33), b"")])
def test_malformed_shares_are_one_error(shares: tuple[bytes, ...]) -> None:
    with pytest.raises(ShareError):
        rebuild(shares)
