"""CPU time of a whole deal and of its verification, compared with the bare multiplications.

The bare work is parse + multiply + format of one point with coincurve's classes, 2 × seats × cards
times, in the same run. Its scalars alternate as in a deal: one per list, then one per point. A deal
is every seat's mask and lock, all derivation from seeds, the slot keys, and one public machine that
checks every list. A separate row shows what each further peer spends on checking the same lists.
"""

from __future__ import annotations

import gc
from functools import partial
from time import process_time
from typing import TYPE_CHECKING

from coincurve import PublicKey

from lanuno.dealing.deal import Deal, take_step
from lanuno.dealing.group import card_points, scalar_bytes
from lanuno.dealing.secrets import NO_INPUT, RoundContext, RoundSecrets
from lanuno.dealing.verify import dealt_cards, verify_deal
from tests.bench.row import Row

if TYPE_CHECKING:
    from collections.abc import Callable

CARDS = 108
TABLE, OPEN = b"t" * 32, b"o" * 32
SEATS = (4, 10)
ROUNDS = 9
DEAL_BUDGET = 1.3
VERIFY_BUDGET = 1.5


def run() -> list[Row]:
    """Measure deals of 4 and 10 seats; the parts alternate, and the best run of each counts."""
    card_points(CARDS)  # computed once per process, so not part of the measurement
    rows = []
    for seats in SEATS:
        bare = dealt = peer = verified = float("inf")
        for _ in range(ROUNDS):
            bare = min(bare, seconds(partial(multiply_bare, seats)))
            deal, spent = timed(partial(play, seats))
            dealt = min(dealt, spent)
            peer = min(peer, seconds(partial(follow, deal)))
            verified = min(verified, seconds(partial(check, deal)))
        for what, spent, budget in (
            ("deal", dealt, DEAL_BUDGET),
            ("verify", verified, VERIFY_BUDGET),
            ("each further peer", peer, None),
        ):
            note = f"{spent * 1e3:.1f} ms, bare {bare * 1e3:.1f} ms"
            rows.append(Row(f"{what}, {seats} seats", spent / bare, budget, note))
    return rows


def multiply_bare(seats: int) -> None:
    """Do the multiplications that every way of dealing needs, and nothing else."""
    points = card_points(CARDS)
    secrets = fresh_secrets(1)[0]
    one_a_list = [scalar_bytes(secrets.mask_scalar(0, NO_INPUT))] * CARDS
    one_a_point = [scalar_bytes(each) for each in secrets.slot_scalars(0, CARDS, NO_INPUT)]
    for _ in range(seats):
        for factors in (one_a_list, one_a_point):
            for point, factor in zip(points, factors, strict=True):
                PublicKey(point).multiply(factor, update=True).format()


def fresh_secrets(seats: int) -> dict[int, RoundSecrets]:
    """Return secrets from fixed seeds, with nothing derived yet."""
    return {
        seat: RoundSecrets(bytes([seat]) * 32, RoundContext(TABLE, OPEN, seat, b"i" * 32))
        for seat in range(seats)
    }


def play(seats: int) -> Deal:
    """Deal a full deck with all seats."""
    secrets = fresh_secrets(seats)
    deal = Deal(0, CARDS, range(CARDS), range(seats), table=TABLE, open_hash=OPEN)
    while deal.expected is not None:
        seat = deal.expected[1]
        assert deal.accept(seat, take_step(deal, secrets[seat])) is None
    return deal


def follow(deal: Deal) -> None:
    """Check the steps of the other seats, as a peer does."""
    own = Deal(deal.number, deal.deck, deal.cards, deal.order, table=TABLE, open_hash=OPEN)
    for taken in deal.accepted:
        assert own.accept(taken.seat, taken.step) is None


def check(deal: Deal) -> None:
    """Audit a deal: recompute everything from seeds, and place every card."""
    secrets = fresh_secrets(len(deal.order))
    assert verify_deal(deal, secrets) == ()
    assert len(dealt_cards((deal,), secrets)) == CARDS


def timed(work: Callable[[], Deal]) -> tuple[Deal, float]:
    """Return a deal and the CPU seconds that it took."""
    gc.collect()
    start = process_time()
    deal = work()
    return deal, process_time() - start


def seconds(work: Callable[[], None]) -> float:
    """Return the CPU seconds of one call."""
    gc.collect()
    start = process_time()
    work()
    return process_time() - start
