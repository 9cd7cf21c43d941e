"""Whole tables with a host and its peers: messages, outputs, files, and the results of audits.

A case is a number of players and a seed, which determine rules, rounds, bots, spectators and lost
connections. At the end, all files are recorded, and the audits of the transcript: unchanged,
truncated, and altered.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import pairwise
from random import Random

import msgspec
from msgspec.structs import replace

from lanuno.log.audit.audit import Report, audit_bytes, prove_fork
from lanuno.log.faults import Blame, Unreadable
from lanuno.log.format.transcript import Transcript, read, salvage
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.validation import validate
from lanuno.table.messages import AtTable, to_bytes
from lanuno.table.outputs import Output
from tests.golden.canonical import name_of, text
from tests.golden.games import random_rules
from tests.golden.recording import Golden
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim
from tests.harness.node_world.repeatable import repeatable

TABLES_OF = {2: 24, 3: 20, 4: 14, 5: 8, 6: 6, 8: 3, 10: 2}
"""Number of tables by number of players; tables of many players take long."""
QUICK = ("2-0", "2-3", "2-6", "3-1", "3-2", "3-5", "4-0", "4-3", "5-1")
"""Tables of every kind that finish quickly."""
CHANGES = 12
"""The number of altered copies of each transcript."""
LENGTHS = (1, 1, 2, 4, 33, 64, 700, 9_000)


def _cases() -> tuple[str, ...]:
    numbers = range(max(TABLES_OF.values()))
    others = (
        f"{players}-{number}"
        for number in numbers
        for players, count in TABLES_OF.items()
        if number < count
    )
    return tuple(dict.fromkeys((*QUICK, *others)))


def _rules(players: int, number: int) -> Ruleset:
    """Return a preset or random rules, with small hands so that rounds are short."""
    ruleset = (
        list(PRESETS.values())[number % 11]
        if number % 2
        else random_rules(100 * players + number)[0]
    )
    size = 3 if players < 5 else 2
    ruleset = msgspec.structs.replace(ruleset, hand_size=size)
    if validate(ruleset, players) is not None:
        ruleset = Ruleset(hand_size=size, jump_in=True, seven_zero=True, stack_cross=True)
    return ruleset


class _Table(TableSim):
    """A simulated table that records its messages and outputs."""

    def __init__(self, players: int, number: int) -> None:
        bots = (0, 1, 0, 2, 0)[number % 5]
        super().__init__(
            players,
            1_000 * players + number,
            _rules(players, number),
            rounds=1 + number % 2,
            bots_of_host=min(bots, players - 2),
            spectators=number % 3 % 2,
            slow=frozenset({1}) if number % 4 == 2 else frozenset(),
        )
        self.said: list[str] = []
        self.rewrite = self._to_peer
        for peer in self.peers:
            peer.tamper = self._to_host

    def _to_peer(self, number: int, message: AtTable) -> list[AtTable]:
        self.said.append(f"{self.now!r} to {number} {_message(message)}")
        return [message]

    def _to_host(self, peer: SimPeer, message: AtTable) -> list[AtTable]:
        self.said.append(f"{self.now!r} from {peer.number} {_message(message)}")
        return [message]

    def _do_host(self, todo: Sequence[Output]) -> None:
        self.said += [f"{self.now!r} host {text(output)}" for output in todo]
        super()._do_host(todo)

    def _do_peer(self, peer: SimPeer, todo: Sequence[Output]) -> None:
        self.said += [f"{self.now!r} peer {peer.number} {text(output)}" for output in todo]
        super()._do_peer(peer, todo)


def _message(message: AtTable) -> str:
    data = to_bytes(message)
    return f"{name_of(type(message))} {len(data)} {sha256(data).hexdigest()}"


def _play(table: _Table, number: int) -> None:
    table.start()
    table.admit_spectators()
    if number % 7 in (3, 5):
        # A player is lost: during the deal of the first round, or in the middle of a later one.
        for _ in range(150 if number % 7 == 3 else 500):
            if not table.step() and not table.let_time_pass():
                break
        table.disconnect(table.seated[-1].number)
    if number % 11 == 6:
        for _ in range(700):
            if not table.step() and not table.let_time_pass():
                break
        if table.host_role is not None:
            table.stop()
    table.run()


def _lines(case: str) -> Iterator[str]:
    players, number = map(int, case.split("-"))
    with repeatable(1_000 * players + number):
        table = _Table(players, number)
        _play(table, number)
        yield from table.said
        yield repr(table.now)
        yield _digest(b"".join(entry.core for entry in table.journal))
        for peer in table.peers:
            yield f"{peer.number} {text(peer.refused)} {text(peer.stopped)} {text(peer.secrets)}"
            yield f"{text(peer.turned_away)} {peer.connected}"
            if peer.genesis is not None:
                yield _digest(peer.file)
                session = peer.seat_session
                yield text(session.view())
        yield from _audits(table, number)


def _audits(table: _Table, number: int) -> Iterator[str]:
    """Audit the host's transcript: unchanged, truncated, altered, and against the peers' copies."""
    own = table.seated[0]
    if own.genesis is None:
        return
    data = own.file
    progress: list[tuple[int, int]] = []
    yield report_line(audit_bytes(data, lambda done, of: progress.append((done, of))))
    yield text(progress[-1:])
    chance = Random(f"changes {table.label}")
    records = _places(data)
    for _ in range(CHANGES // 3):
        first, second = sorted(chance.sample(range(1, len(records) - 1), 2))
        yield from _audited(data[: records[first]])
        yield from _audited(_without(data, records, first))
        yield from _audited(_swapped(data, records, first, second))
    for _ in range(CHANGES):
        yield from _audited(_changed(data, chance))
    mine = (own.genesis, own.journal)
    for other in table.peers[1:]:
        if other.genesis is not None:
            blame = prove_fork(mine, (other.genesis, other.journal))
            yield text(_silent(() if blame is None else (blame,)))


def _audited(data: bytes) -> Iterator[str]:
    yield _digest(data)
    yield report_line(audit_bytes(data))
    for way in (read, salvage):
        try:
            found: Transcript = way(data)
        except Unreadable as error:
            yield f"{name_of(type(error))} {text(getattr(error, 'no_game', None))}"
        else:
            yield f"{len(found.entries)} {found.torn} {bool(found.damaged)}"


def report_line(report: Report) -> str:
    """Return the line of a report without its messages, which may be reworded."""
    rounds = tuple(
        replace(
            each,
            checks=tuple(replace(check, detail=_told(check.detail)) for check in each.checks),
            blame=_silent(each.blame),
        )
        for each in report.rounds
    )
    reason, blame = _told(report.reason), _silent(report.blame)
    return text(replace(report, reason=reason, rounds=rounds, blame=blame))


def _silent(blame: tuple[Blame, ...]) -> tuple[Blame, ...]:
    return tuple(replace(each, detail=_told(each.detail)) for each in blame)


def _told(phrase: str) -> str:
    return "told" if phrase else ""


def _digest(data: bytes) -> str:
    return f"{len(data)} {sha256(data).hexdigest()}"


def _places(data: bytes) -> list[int]:
    """Return the offsets of the records, and of the end of the last one."""
    found = [8]
    while found[-1] < len(data):
        start = found[-1]
        found.append(start + 4 + int.from_bytes(data[start : start + 4], "big"))
    return found


def _without(data: bytes, records: list[int], number: int) -> bytes:
    return data[: records[number]] + data[records[number + 1] :]


def _swapped(data: bytes, records: list[int], first: int, second: int) -> bytes:
    """Return the file with two records exchanged."""
    parts = [data[start:end] for start, end in pairwise(records)]
    parts[first], parts[second] = parts[second], parts[first]
    return data[: records[0]] + b"".join(parts)


def _changed(data: bytes, chance: Random) -> bytes:
    """Return the file with some bytes changed, removed, repeated, or inserted."""
    start = chance.randrange(len(data))
    end = min(len(data), start + chance.choice(LENGTHS))
    piece = data[start:end]
    match chance.randrange(5):
        case 0:
            piece = bytes(byte ^ 1 << chance.randrange(8) for byte in piece)
        case 1:
            piece = b""
        case 2:
            piece += piece
        case 3:
            piece = chance.randbytes(4) + piece
        case _:
            piece = bytes(len(piece))
    return data[:start] + piece + data[end:]


TABLES = Golden("tables", _cases(), _lines, tested=len(QUICK))
