"""Kills the host of a real table for good at a chosen moment, and checks the remaining nodes.

The host kills itself (SIGKILL, in `crashing_host.py`) as soon as the table has reached the moment,
because some moments last only milliseconds. Afterwards the other nodes must elect a new host and
continue. Their logs must be identical to the last byte and verify, and no player may lose points or
cards.

To run it by hand: `python -m tests.cli.host_crash` plays all nine tables; see `--help`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lanuno.log.format.bodies import Act, SignedBody
from lanuno.log.format.transcript import Transcript, read
from lanuno.log.replay.replay import Replay
from lanuno.log.round.round_log import RoundLog
from lanuno.log.round.round_record import Acted, ProtocolPhase
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.engine.round import Round
from lanuno.system.processes import was_killed
from tests.harness.log_table.replaying import replayed
from tests.harness.processes.programs import (
    GRACE,
    NAMES,
    WAIT_SECONDS,
    Program,
    WorkingFolder,
    working_folder,
)

SEATS: Final = (3, 5, 10)

END_SECONDS: Final = 10.0
"""Seconds within which play must have continued."""


@dataclass(frozen=True)
class Moment:
    """A moment of a table at which to kill its host."""

    is_now: Callable[[Replay], bool]
    rounds: str
    """Number of rounds to play. The moment comes before the last one ends."""


def _playing(replay: Replay) -> RoundLog | None:
    """Return the round of the game that is being dealt or played at present."""
    current = replay.round
    if current is None or (current.kind, current.phase) != (RoundKind.PLAY, ProtocolPhase.PLAY):
        return None
    return current


def _a_turn(replay: Replay) -> bool:
    current = _playing(replay)
    if current is None or not isinstance(current.engine, Round):
        return False
    return current.engine.decider is not None and any(
        isinstance(each, Acted) for each in current.inputs
    )


def _a_deal(replay: Replay) -> bool:
    current = _playing(replay)
    return current is not None and current.deal is not None and bool(current.deal.accepted)


def _a_score_screen(replay: Replay) -> bool:
    return (
        replay.between_rounds
        and not replay.match.over
        and any(each.counted and each.kind is RoundKind.PLAY for each in replay.summaries)
    )


MOMENTS: Final = {
    "turn": Moment(_a_turn, "1"),
    "deal": Moment(_a_deal, "1"),
    "score": Moment(_a_score_screen, "2"),
}


@dataclass(frozen=True)
class Outcome:
    """The result of one table."""

    seats: int
    moment: str
    seconds: float
    """From the host's death until all other nodes have seen a card played."""
    elected: float
    """From the host's death until all other nodes know the new host."""
    new_host: str
    lost: int
    """Number of entries that only the dead host had."""
    void: tuple[int, ...]
    """Rounds that do not count."""
    rounds: int

    def __str__(self) -> str:
        void = f"void {list(self.void)}" if self.void else "no void round"
        return (
            f"{self.seats:2} seats, {self.moment:5}: play goes on after {self.seconds:4.1f} s "
            f"(new host {self.new_host} after {self.elected:.1f} s); {self.lost} entries unshared; "
            f"{self.rounds} rounds, {void}"
        )


def crash_host(here: WorkingFolder, seats: int, moment: str, *more: str) -> Outcome:
    """Play a match whose host is killed, and assert that everything is as it must be.

    `more`: further options for the host.
    """
    length = ("--rounds", MOMENTS[moment].rounds, "--set", "target=9999")
    host = _crashing_host(here, moment, "--seats", str(seats), *GRACE, *length, *more)
    host.heard("is open on port")
    others = {name: here.bot(name=name) for name in NAMES[1:seats]}
    host.process.wait(WAIT_SECONDS)
    died = time.monotonic()
    assert was_killed(host.end().code)
    before = read(here.transcript("Ana").read_bytes())
    for each in others.values():
        each.heard(" is the host now")
    elected = time.monotonic() - died
    for each in others.values():
        each.heard(" plays ")
    seconds = time.monotonic() - died
    for each in others.values():
        each.end(0)
    for report in here.verify(*others):
        assert (report["verdict"], report["blame"]) == ("verified", []), report
    (report,) = here.verify("Ana")
    assert (report["verdict"], report["blame"]) == ("incomplete", []), report
    logs = [here.transcript(name).read_bytes() for name in others]
    assert all(each == logs[0] for each in logs)
    log = read(logs[0])
    void, rounds, shared = _nothing_is_lost(log, before)
    names = [seat.name for seat in before.genesis.read().seats]
    new_host = names[replayed(log.genesis, log.entries).host]
    lost = len(before.entries) - shared
    return Outcome(seats, moment, seconds, elected, new_host, lost, void, rounds)


def _crashing_host(here: WorkingFolder, moment: str, *arguments: str) -> Program:
    """Start the host of the table, which kills itself at this moment."""
    home = here.folder / "Ana"
    own = ("--table", here.table, "--name", "Ana", "--adapter", "127.0.0.1")
    usual = ("--home", str(home), "--lang", "en")
    host = Program(
        *(moment, "host", *own, *usual, *arguments), home=home, module="tests.cli.crashing_host"
    )
    here._programs.append(host)
    return host


def hands(replay: Replay) -> dict[int, tuple[int, ...]]:
    """Return the slots held by every seat except the first."""
    current = _playing(replay)
    if current is None or not isinstance(current.engine, Round):
        return {}
    return {seat: tuple(hand) for seat, hand in current.engine.hands.items() if seat}


def _nothing_is_lost(log: Transcript, before: Transcript) -> tuple[tuple[int, ...], int, int]:
    """Compare the common log with the dead host's: void rounds, rounds, shared entries."""
    whole = replayed(log.genesis, log.entries)
    # Usually two terms, but votes may be split, and a new host may be too slow for the voters.
    assert {term.host == 0 for term in whole.terms[1:]} == {False}
    shared = whole.terms[1].first
    assert log.entries[:shared] == before.entries[:shared]
    then = replayed(before.genesis, before.entries)
    replay = replayed(log.genesis, log.entries[:shared])
    number, held_then = replay.number, hands(replay)
    for entry in log.entries[shared:]:
        core = entry.read()
        if isinstance(SignedBody(core.body, core.body_signature).read().payload, Act):
            break
        replay.follow(entry, trusted=True)
    assert replay.match.totals == then.match.totals
    if held_then and replay.number == number:
        assert hands(replay) == held_then
    void = tuple(each.number for each in whole.summaries if each.void is not None)
    return void, len(whole.summaries), shared


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the requested tables one after another."""
    parser = argparse.ArgumentParser(prog="python -m tests.cli.host_crash", description=__doc__)
    parser.add_argument("--seats", type=int, nargs="*", default=SEATS, choices=range(3, 11))
    parser.add_argument("--moments", nargs="*", default=tuple(MOMENTS), choices=MOMENTS)
    parser.add_argument("--times", type=int, default=1)
    asked = parser.parse_args(arguments)
    late = 0
    for _ in range(asked.times):
        for seats in asked.seats:
            for moment in asked.moments:
                with tempfile.TemporaryDirectory(prefix="lanuno-killing-") as folder:
                    homes = Path(folder, "homes")
                    homes.mkdir()
                    with working_folder(homes) as here:
                        outcome = crash_host(here, seats, moment)
                late += outcome.seconds > END_SECONDS
                late_word = "" if outcome.seconds <= END_SECONDS else "  TOO LATE"
                sys.stdout.write(f"{outcome}{late_word}\n")
                sys.stdout.flush()
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
