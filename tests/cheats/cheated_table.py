"""Play a table of real programs, one of which lies, and check what all others report.

`modified_program.py` lies, and `faults.py` says what must be reported.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path
from typing import Any, Final

from lanuno.cli.exits import ExitCode
from lanuno.log.faults import Fault, Unreadable
from lanuno.log.format.bodies import Attest, CloseReason
from lanuno.log.format.transcript import Transcript, read
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine.results import RoundKind
from tests.cheats.faults import DOUBTER, SILENT, Case, End
from tests.cheats.fork_server import ForkServer
from tests.cheats.modified_program import CUT, LIED, REFUSED
from tests.harness.log_table.replaying import replayed
from tests.harness.processes.programs import NAMES, Ended, Program, WorkingFolder, working_folder

TRIES: Final = 16
"""At most this many tables are played until a lie is possible: some lies need a rare card."""


class NoOpportunity(Exception):
    """The match ended without an opportunity to lie."""


@dataclass(frozen=True)
class Outcome:
    """The result of a case."""

    case: Case
    seconds: float
    tables: int
    """The number of tables played until the lie was possible."""
    what: str
    """A description of the result."""

    def __str__(self) -> str:
        fault = "-" if self.case.fault is None else self.case.fault.value
        again = f" ({self.tables} tables)" if self.tables > 1 else ""
        return f"{self.seconds:5.1f} s  {self.case.id:75} {fault:14} {self.what}{again}"


def play_case(case: Case, folder: Path, fork_server: ForkServer) -> Outcome:
    """Play tables until the lie was sent; fail unless that table ends as the case requires."""
    began = time.monotonic()
    for number in range(1, TRIES + 1):
        homes = folder / str(number) / "homes"
        homes.mkdir(parents=True)
        with working_folder(homes) as here:
            try:
                what = Table(case, here, fork_server).play()
            except NoOpportunity:
                continue
        return Outcome(case, time.monotonic() - began, number, what)
    raise AssertionError(f"there was never an occasion to lie: {case.id}")


class Table:
    """One table with a liar."""

    def __init__(self, case: Case, here: WorkingFolder, fork_server: ForkServer) -> None:
        self.case = case
        self.fork_server = fork_server
        self.here = here
        bots = (f"Bot {number + 1}" for number in range(case.bots))
        self.names = (NAMES[0], *bots, *NAMES[1:])[: case.seats]
        self.liar = self.names[case.cheater]
        self.programs: dict[str, Program] = {}

    @property
    def honest(self) -> list[str]:
        """Return the players that play to the end with the unmodified program."""
        return [name for name in self.programs if name != self.liar]

    def play(self) -> str:
        """Play from the waiting room to the last report; return a description of the result."""
        self._sit_down()
        if self.case.host_is_killed:
            self.programs[self.honest[-1]].heard("-- round")
            self.programs.pop(self.names[0]).process.kill()
        if (self.case.end, self.case.fault) == (End.FORKED, Fault.DOUBLE_VOTE):
            self._wait_for_two_hosts()
        ended = {name: self.programs[name].end() for name in self.honest}
        said = self._said_by_the_liar()
        lies = said.count(LIED)
        if not lies:
            raise NoOpportunity
        found = self._reports()
        logs = {name: read(self.here.transcript(name).read_bytes()) for name in self.honest}
        self._nobody_honest_is_blamed(found, logs.values())
        signs = [each for each in (CUT, REFUSED) if each in said]
        return Judge(self.case, self.liar, found, logs, ended, signs).judge()

    def _sit_down(self) -> None:
        """Let all players take their seats, one after the other."""
        case = self.case
        rules = [f"--set={key}={_value(value)}" for key, value in case.settings.items()]
        size = ("--seats", str(case.seats), "--bots", str(case.bots), "--rounds", "1")
        table = ("--table", self.here.table)
        host = self._run("host", *table, *size, *rules, name=self.names[0])
        port = re.search(r"port (\d+)", host.heard("is open on port"))
        assert port is not None
        for number, name in enumerate(self.names[1 + case.bots :], 2 + case.bots):
            guest = self._run("bot", f"127.0.0.1:{port[1]}", name=name)
            if number < case.seats:
                guest.heard(f"seats {number}/")

    def _wait_for_two_hosts(self) -> None:
        """Wait until all others were elected and lack the rest, then let them leave."""
        others = [self.programs[name] for name in self.honest]
        hosts = {each.heard(" is the host now").split(" is the host")[0] for each in others}
        if len(hosts) < len(others):
            raise NoOpportunity  # one of them learnt of the other in time
        self.programs[self.liar].process.kill()
        for each in others:
            each.heard("the table has stopped")
            each.interrupt()

    def _run(self, *arguments: str, name: str) -> Program:
        """Start a player's program, modified for the liar."""
        liar = ""
        if name == self.liar:
            liar = self.case.id
        elif self.case.doubting:
            liar = DOUBTER
        program = self._start(*arguments, "--name", name, "--adapter", "lo", name=name, liar=liar)
        self.programs[name] = program
        return program

    def _start(self, *arguments: str, name: str, liar: str = "") -> Program:
        within = self.fork_server.within(liar)
        program = Program(*arguments, home=self.here.folder / name, within=within)
        self.here._programs.append(program)
        return program

    def _said_by_the_liar(self) -> str:
        """End the modified program; return what it reported of its lies."""
        liar = self.programs[self.liar]
        with liar:
            pass
        return "".join(liar._said["err"])

    def _reports(self) -> dict[str, Any]:
        """Return the reports of `lanuno verify` on the honest players' transcripts."""
        files = [str(self.here.transcript(name)) for name in self.honest]
        ended = self._start("verify", "--json", *files, name="verifier").end().json
        return ended if len(files) > 1 else {**ended, "files": [ended], "blame": []}

    def _nobody_honest_is_blamed(self, found: dict[str, Any], logs: Iterable[Transcript]) -> None:
        """Check that no report and no honest player's attestation blames an honest player."""
        all_blame = [*found["blame"], *(each for file in found["files"] for each in file["blame"])]
        for each in all_blame:
            assert each["player"] in (self.liar, None), found
        for log in logs:
            for entry in log.entries:
                try:
                    body = entry.read().signed_body.read()
                except Unreadable:
                    continue  # a lie
                if isinstance(body.payload, Attest) and body.author != self.case.cheater:
                    assert set(body.payload.blamed) <= {self.case.cheater}, body


class Judge:
    """Checks that a lie had the required result."""

    def __init__(
        self,
        case: Case,
        liar: str,
        found: dict[str, Any],
        logs: Mapping[str, Transcript],
        ended: Mapping[str, Ended],
        signs: Sequence[str],
    ) -> None:
        self.case = case
        self.liar = liar
        self.found = found
        self.logs = logs
        self.codes = {each.code for each in ended.values()}
        self.ended = ended
        self.signs = signs
        self.files: list[dict[str, Any]] = found["files"]

    def judge(self) -> str:
        """Return a description of the result; fail if it is not the required one."""
        match self.case.end:
            case End.PLAYS_ON | End.ENDS:
                return self._named()
            case End.STOPS | End.NOBODY:
                return self._stopped()
            case End.FORKED:
                return self._forked()
            case End.BROKEN_OFF:
                return self._broken_off()
            case End.REFUSED:
                return self._refused()

    def _named(self) -> str:
        fault = self.case.fault
        assert fault is not None
        for file in self.files:
            assert file["verdict"] == "cheating", self.found
            assert (self.liar, fault.value) in _blame(file), file["blame"]
        assert self.codes == {ExitCode.CHEATING}, self.ended
        replay = self._the_one_log()
        assert replay.closed is not None
        plays_on = any(each.counted and each.kind is RoundKind.PLAY for each in replay.summaries)
        if self.case.end is End.PLAYS_ON:
            assert replay.closed is CloseReason.STOPPED, replay.closed
            assert self.case.cheater not in replay.match.playing
            assert plays_on, replay.summaries
            return "named; the others play on"
        return f"named; the match ends: {replay.closed.name.lower()}"

    def _stopped(self) -> str:
        fault = self.case.fault
        assert fault is not None
        if self.case.end is End.NOBODY:
            for file in self.files:
                assert (file["verdict"], file["blame"]) == ("changed", []), self.found
                assert [each["fault"] for each in file["noted"]] == [fault.value], file["noted"]
            assert self.codes == {ExitCode.UNREADABLE}, self.ended
            return "followed by nobody; forged, author unknown"
        for file in self.files:
            assert file["verdict"] == "cheating", self.found
            assert _blame(file) == {(self.liar, fault.value)}, file["blame"]
        assert self.codes == {ExitCode.CHEATING}, self.ended
        return "followed by nobody; named"

    def _forked(self) -> str:
        fault = self.case.fault
        assert fault is not None
        for file in self.files:
            assert (file["verdict"] == "cheating", file["blame"]) == (False, []), file
        assert _blame(self.found) == {(self.liar, fault.value)}, self.found
        verdicts = " and ".join(sorted(file["verdict"] for file in self.files))
        return f"named by two transcripts side by side ({verdicts})"

    def _refused(self) -> str:
        fault = self.case.fault
        noted = set() if fault is None else {(self.liar, fault.value)}
        for file in self.files:
            assert file["verdict"] == "verified", self.found
            assert (_blame(file), _noted(file)) == (set(), noted), file
        assert self.codes == {ExitCode.OK}, self.ended
        replay = self._the_one_log()
        if replay.closed is CloseReason.STOPPED:
            assert any(each.counted and each.kind is RoundKind.PLAY for each in replay.summaries)
        else:
            assert (replay.closed, self.case.seats) == (CloseReason.FINISHED, 2)
        assert self.signs or self.case.name in SILENT, self.ended
        gone = " and dropped" if self.case.cheater in replay.dropped else ""
        how = "refused" if REFUSED in self.signs else "cut off" if self.signs else "waited for"
        end = "the others play on" if self.case.seats > 2 else "it forfeits"
        return f"{how}{gone}; {end}"

    def _broken_off(self) -> str:
        for file in self.files:
            assert (file["verdict"], file["blame"]) == ("incomplete", []), self.found
        assert self.codes == {ExitCode.INCOMPLETE}, self.ended
        closed = self._the_one_log().closed
        assert closed is CloseReason.INCOMPLETE
        return "broken off by the host, never called verified"

    def _the_one_log(self) -> Replay:
        """Return the log, which is the same for all honest players."""
        first, *others = self.logs.values()
        assert all(each == first for each in others)
        return replayed(first.genesis, first.entries)


def _noted(said: dict[str, Any]) -> set[tuple[str | None, str]]:
    """Return the findings of a report that prove nothing, such as seeds that never came."""
    return {(each["player"], each["fault"]) for each in said["noted"]}


def _blame(said: dict[str, Any]) -> set[tuple[str | None, str]]:
    return {(each["player"], each["fault"]) for each in said["blame"]}


def _value(value: int) -> str:
    """Return a setting as the command line expects it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value.name.lower() if isinstance(value, IntEnum) else str(value)
