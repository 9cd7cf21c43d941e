"""Files for `lanuno verify`: one of each kind, with the same bytes every time."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from msgspec.structs import replace

from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.transcript import write
from lanuno.log.replay.replay import open_payload
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.log.tournament import TournamentReplay
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.elections import elect
from tests.harness.log_table.filling import BOT, fill_in_payload
from tests.harness.log_table.leaving import PAIRS
from tests.harness.log_table.log_table import LogTable, identity, new_table
from tests.harness.log_table.moments import (
    dropped_before_its_mask,
    dropped_twice_as_silent,
    playing,
)
from tests.harness.log_table.tournaments import play, tournament_genesis


def _in_round_one(table: LogTable) -> bool:
    return table.replay.number == 1


def _filled() -> LogTable:
    table = new_table(4, PAIRS, rounds=1).run(playing)
    table.drop(3)
    table.run(lambda each: each.replay.between_rounds)
    table.add(HOST, fill_in_payload(table, 3))
    table.identities[3] = BOT
    return table.run()


def _dropped(players: int, reason: DropReason) -> LogTable:
    table = new_table(players).run(_in_round_one)
    table.drop(players - 1, reason)
    return table.run()


def _unrevealed() -> LogTable:
    table = new_table(3).run(
        lambda each: _in_round_one(each) and each.log.phase is ProtocolPhase.REVEAL
    )
    table.drop(1, DropReason.SILENT)
    return table.run()


def _halted() -> LogTable:
    table = new_table(2).run(_in_round_one)
    table.add(1, bodies.Halt(bodies.HaltReason.NO_CARD, None))
    return table.run()


def _nothing_counts() -> LogTable:
    table = new_table(3, rounds=0)
    plan = table.replay.next_plan()
    assert plan is not None
    table.add(HOST, open_payload(plan))
    return table.run()


def _clocked(turns: int) -> LogTable:
    table = new_table(2, Ruleset(hand_size=5))

    def played_by_clock() -> bool:
        current = table.replay.round
        return current is not None and len(current.clock_turns.get(0, ())) == turns

    while not played_by_clock():
        ready = table.replay.times.open_decision
        if ready is not None and ready.seat == 0:
            table.add(HOST, bodies.TimeOut(ready.decision))
        else:
            table.step()
    return table.run()


def _changed(table: LogTable, number: int, **other: object) -> bytes:
    """Return the entries up to one that the host signed with different content."""
    core = replace(table.entries[number].read(), **other)
    entries = (*table.entries[:number], sign_entry(core, identity(0)))
    return write(table.genesis, entries)


def _copies(good: LogTable) -> Mapping[str, bytes]:
    """Return differing copies of one table."""
    fork = good.fork(len(good.entries) - 5)
    fork.add(HOST, fork.close(CloseReason.INCOMPLETE))
    found = {"fork": fork.file}
    voting = new_table(3, salt=4)
    for candidate, name in ((1, "voted-one"), (2, "voted-two")):
        one = voting.fork()
        elect(one, candidate, 1, 0, candidate)
        found[name] = one.file
    table = new_table(3, Ruleset(hand_size=2, format=Format.SINGLE), salt=1)
    table.run(lambda each: _in_round_one(each) and each.log.phase is ProtocolPhase.PLAY)
    other = table.fork()
    elect(other, 1, 1, 1, 2)
    other.drop(0)
    table.run()
    found["end-one"], found["end-two"] = table.file, other.run().file
    found["end-one-open"] = write(table.genesis, table.entries[:-2])
    return found


def _of_a_tournament() -> Mapping[str, bytes]:
    genesis = tournament_genesis()
    table = play(TournamentReplay(genesis).table(0))
    return {
        "tournament": write(genesis, ()),
        "tournament-table": write(table.genesis, table.entries),
        "tournament-cut": write(table.genesis, table.entries[:-5]),
    }


@cache
def made() -> Mapping[str, bytes]:
    """Return all files by name."""
    good = new_table(2).run()
    forged = [*good.entries]
    forged[20] = Entry(forged[20].core, bytes(64))
    bit = bytearray(good.file)
    bit[len(bit) // 2] ^= 1
    return {
        "good": good.file,
        "three-rounds": new_table(4, salt=2, rounds=3).run().file,
        "without-somebody": dropped_before_its_mask().file,
        "filled": _filled().file,
        "silenced-twice": dropped_twice_as_silent().file,
        "unrevealed": _unrevealed().file,
        "given-up": _dropped(2, DropReason.LEFT).file,
        "void": _dropped(3, DropReason.LOST).file,
        "attack": _dropped(3, DropReason.ATTACK).file,
        "halted": _halted().file,
        "nothing-counts": _nothing_counts().file,
        "clock-once": _clocked(1).file,
        "clock-twice": _clocked(2).file,
        "cut": write(good.genesis, good.entries[:-3]),
        "torn": good.file[:-1],
        "genesis": write(good.genesis, ()),
        "bad-state": _changed(good, 5, state=bytes(32)),
        "forged-end": write(
            good.genesis, (*good.entries[:-1], Entry(good.entries[-1].core, bytes(64)))
        ),
        "changed": write(good.genesis, forged),
        "bit": bytes(bit),
        "empty": b"",
        "text": b"not a game\n" * 100,
        "newer": good.file[:7] + b"\x02" + good.file[8:],
        "picture": b"\x89PNG\r\n\x1a\n" + bytes(500),
        "header": good.file[:8],
        **_copies(good),
        **_of_a_tournament(),
    }


ALONE: Final = (
    *("good", "three-rounds", "without-somebody", "filled", "silenced-twice", "unrevealed"),
    *("given-up", "void", "attack", "halted", "nothing-counts", "clock-once", "clock-twice"),
    *("cut", "torn", "genesis", "bad-state", "forged-end", "changed", "bit", "empty", "text"),
    *("newer", "picture", "header", "fork", "voted-one", "end-two", "tournament"),
)
"""Names of the files that are verified alone."""
