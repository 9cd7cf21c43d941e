"""CPU time of auditing a round, compared with the multiplications of its deals.

One round of a simulated table is audited in two ways. `audit_round` is what every seat runs before
it attests; the budget applies to it. The audit of the whole transcript goes from bytes to verdict
and includes the round that chose the dealer. It also checks signatures: these are timed separately,
with bare `cryptography` and one key object per identity, and subtracted. The rest of its work every
peer has already done while playing: one multiplication per released key, and the state after every
entry. The bare work is parse + multiply + format with coincurve's classes, once for every point
that the deals published.
"""

from __future__ import annotations

import gc
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import TYPE_CHECKING

from coincurve import PublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lanuno.dealing.group import card_points, scalar_bytes
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.identity import Identity
from lanuno.dealing.secrets import NO_INPUT, RoundContext, RoundSecrets
from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict
from lanuno.log.format.bodies import HOST
from lanuno.log.format.transcript import read
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_audit import audit_round
from lanuno.log.round.round_log import RoundLog
from tests.bench.row import Row
from tests.harness.host_and_seats.table_sim import TableSim

if TYPE_CHECKING:
    from collections.abc import Callable

SEED = 1
SEATS = (4, 10)
REPEATS = 7
BUDGET = 1.5


@dataclass(frozen=True, slots=True)
class Signed:
    """One signature of a log, ready for verification by the bare library."""

    key: Ed25519PublicKey
    signature: bytes
    message: bytes


@dataclass(frozen=True, slots=True)
class Game:
    """A finished table of one round of play."""

    seats: int
    round: RoundLog
    """The round of play, as the host's replay holds it."""

    data: bytes
    """The whole transcript, with the round that chose the dealer."""

    signed: tuple[Signed, ...]
    """Two signatures per entry: the author's and the host's."""

    points: int
    """The number of points in the deals of all rounds, and so of multiplications."""


def run() -> list[Row]:
    """Audit rounds of 4 and 10 seats; the parts alternate, and the best run of each counts."""
    rows = []
    for seats in SEATS:
        game = play(seats)
        one = multiplications(game.round)
        bare = alone = whole = signatures = float("inf")
        for _ in range(REPEATS):
            bare = min(bare, seconds(partial(multiply_bare, one)) / one)
            alone = min(alone, seconds(partial(judge, game)))
            whole = min(whole, seconds(partial(judge_file, game)))
            signatures = min(signatures, seconds(partial(verify_bare, game)))
        note = f"{alone * 1e3:.1f} ms, bare {bare * one * 1e3:.1f} ms ({one} multiplications)"
        rows.append(Row(f"audit of a round, {seats} seats", alone / (bare * one), BUDGET, note))
        work = whole - signatures
        note = (
            f"{whole * 1e3:.1f} ms less {signatures * 1e3:.1f} ms for {len(game.signed)} "
            f"signatures, bare {bare * game.points * 1e3:.1f} ms"
        )
        rows.append(
            Row(f"audit of its file, {seats} seats", work / (bare * game.points), None, note)
        )
    return rows


def play(seats: int) -> Game:
    """Play one round at a simulated table, after the round that chooses the dealer."""
    card_points(108)  # computed once per process, so not part of the measurement
    table = TableSim(seats, seed=SEED)
    table.run()
    assert table.host_role is not None
    replay = table.host_role.replay
    assert replay.round is not None
    data = table.peers[0].file
    first = Replay(read(data).genesis)
    points = 0
    signed = []
    for entry in table.journal:
        first.follow(entry)
        if first.between_rounds and first.round is not None and first.closed is None:
            points += multiplications(first.round)
        core = entry.read()
        author = core.signed_body.read().author
        signed.append(bare(first, HOST, entry.signature, entry.hash))
        signed.append(bare(first, author, core.body_signature, H("body", core.body)))
    return Game(seats, replay.round, data, tuple(signed), points)


def bare(replay: Replay, author: int, signature: bytes, message: bytes) -> Signed:
    """Return a signature in the form that the library accepts."""
    key = Ed25519PublicKey.from_public_bytes(replay.public_key(author))
    return Signed(key, signature, message)


def multiplications(current: RoundLog) -> int:
    """Count the points published in the passes of a round: every way of dealing needs them."""
    return sum(len(deal.accepted) * deal.size for deal in current.deals)


def multiply_bare(count: int) -> None:
    """Do this number of multiplications, and nothing else."""
    points = card_points(108)
    secrets = RoundSecrets(b"s" * 32, RoundContext(b"t" * 32, b"o" * 32, 0, b"i" * 32))
    factors = [scalar_bytes(each) for each in secrets.slot_scalars(0, 108, NO_INPUT)]
    for at in range(count):
        PublicKey(points[at % 108]).multiply(factors[at % 108], update=True).format()


def verify_bare(game: Game) -> None:
    """Verify all signatures with the library alone; raise if one is wrong."""
    for each in game.signed:
        each.key.verify(each.signature, each.message)


def judge(game: Game) -> None:
    """Audit the round as a seat does before it attests."""
    report = audit_round(game.round)
    assert report.complete
    assert not report.blame


def judge_file(game: Game) -> None:
    """Audit the transcript as `lanuno verify` does."""
    report = audit_bytes(game.data)
    assert report.verdict is AuditVerdict.VERIFIED, report


def seconds(work: Callable[[], None]) -> float:
    """Return the CPU seconds of one call, after flushing the cache of known signatures."""
    stranger = Identity.from_seed(b"x" * 32)
    for number in range(1000):
        stranger.sign(u32(number))
    gc.collect()
    start = process_time()
    work()
    return process_time() - start
