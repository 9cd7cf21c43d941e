"""CPU time of auditing a round, against the multiplications that its deals hold.

Here: one round of a simulated table, judged twice: by `audit_round` alone, which is what every seat
does before it attests and what the budget is for, and by the audit of the whole transcript, from
bytes to verdict, with the round that chose the dealer. The second also checks signatures; they are
timed by themselves, with bare `cryptography` and one key object an identity, and taken off. What it
does beyond that, every peer has done while playing: one multiplication for each released key, and
the state after every entry. The bare work is parse + multiply + format by coincurve's classes, once
for every point that the deals published.
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
    """One signature of a log, ready to be verified by the bare library."""

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
    """Two signatures an entry: its author's and the host's."""

    points: int
    """How many points the deals of all rounds hold together: the multiplications."""


def run() -> list[Row]:
    """Audit rounds of 4 and 10 seats; the parts take turns, and the best of each counts."""
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
    """One round of play (and the one before it for the dealer) of a simulated table."""
    card_points(108)  # made once in the life of a process
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
    """A signature as the library takes it."""
    key = Ed25519PublicKey.from_public_bytes(replay.public_key(author))
    return Signed(key, signature, message)


def multiplications(current: RoundLog) -> int:
    """Points published in the passes of a round: no way of dealing makes fewer."""
    return sum(len(deal.accepted) * deal.size for deal in current.deals)


def multiply_bare(count: int) -> None:
    """As many multiplications, and nothing else."""
    points = card_points(108)
    secrets = RoundSecrets(b"s" * 32, RoundContext(b"t" * 32, b"o" * 32, 0, b"i" * 32))
    factors = [scalar_bytes(each) for each in secrets.slot_scalars(0, 108, NO_INPUT)]
    for at in range(count):
        PublicKey(points[at % 108]).multiply(factors[at % 108], update=True).format()


def verify_bare(game: Game) -> None:
    """All signatures, by the library alone; raises if one is wrong."""
    for each in game.signed:
        each.key.verify(each.signature, each.message)


def judge(game: Game) -> None:
    """What a seat does before it attests."""
    report = audit_round(game.round)
    assert report.complete
    assert not report.blame


def judge_file(game: Game) -> None:
    """What `lanuno verify` does."""
    report = audit_bytes(game.data)
    assert report.verdict is AuditVerdict.VERIFIED, report


def seconds(work: Callable[[], None]) -> float:
    """CPU seconds of one call, to which no signature is known from before."""
    stranger = Identity.from_seed(b"x" * 32)
    for number in range(1000):
        stranger.sign(u32(number))
    gc.collect()
    start = process_time()
    work()
    return process_time() - start
