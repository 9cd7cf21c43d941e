"""How a simulated table must have ended once nothing went wrong any more.

Everybody honest holds the same closed log, with every firm entry in it, and its audit says what the
log says. With somebody dishonest it may end in other ways, of which each is named here; nobody
honest is blamed in any of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.log.audit import Report, audit
from lanuno.log.faults import Verdict
from lanuno.log.replay import Replay
from lanuno.log.round_audit import proves
from lanuno.log.terms import majority
from tests.harness.adversaries.lying_nodes import Crooked
from tests.harness.node_world.broken import Broken
from tests.harness.node_world.documented import only
from tests.harness.node_world.invariants import Watch
from tests.harness.node_world.knowledge import one_story
from tests.harness.node_world.world import Computer, World


@dataclass
class Ending:
    """The end of one world."""

    world: World
    watch: Watch
    crook: Crooked | None
    named: bool = False
    """Whether an audit proves something against whoever lies."""

    def judge(self, *, over: bool) -> None:
        """Raise `Broken` if it may not end like this. `over`: everybody honest says so."""
        honest = [each for each in self.world.honest if each.member is not None]
        closed = [each for each in honest if each.up.replay.closed is not None]
        if not over:
            self._may_wait(honest)
        self.watch.knowledge.judge()
        reports: dict[bytes, Report] = {}
        for computer in honest:
            key = computer.disk.entries[-1].hash if computer.disk.entries else b""
            if key not in reports:
                reports[key] = self._audited(computer)
        if self.watch.leeway.places or not closed:
            return
        longest = max(closed, key=lambda each: (each.up.replay.term, each.up.replay.seq))
        for computer in closed:
            self._same_end(computer, longest)
        if not self.watch.leeway.firm:
            self._nothing_lost(longest, reports[longest.disk.entries[-1].hash])

    def _may_wait(self, honest: list[Computer]) -> None:
        """Nobody can go on without a majority, and a liar, or whoever stopped, gives none.

        Nor does whoever has signed to leave: the host that took it would count on that. Nor, where
        somebody signs two stories, or has voted for a log that lacks firm entries, whoever follows
        the other one: firm entries are given up for no election. Who counts the longest log says
        that somebody able holds: in it somebody may have been dropped who has not heard of it. And
        those who counted before a drop have to have it, or nothing behind it becomes firm.
        """
        for computer in honest:
            if computer.up.over:
                continue
            able = {
                each.number: each
                for each in honest
                if each.up.first.stopped is None
                and (each.up.election is None or not each.up.election.left)
                and (one_story(computer, each) or not self._parts)
            }
            logs = [computer, *able.values()]
            longest = max(logs, key=lambda each: (each.up.replay.term, each.up.replay.seq))
            fixed = max(each.up.first.fixed for each in logs)
            if all(
                len(able.keys() & set(owners)) >= majority(len(owners))
                for owners in self._counting(longest, fixed)
            ):
                where = [(each.number, each.up.replay.term, each.up.replay.seq) for each in honest]
                raise Broken(f"the table did not end: {where}")

    def _counting(self, computer: Computer, fixed: int) -> list[tuple[int, ...]]:
        """Who counts at the end of a log, and before each change of that which is not firm yet."""
        replay, found = Replay(self.world.genesis), [computer.up.replay.owners]
        for entry in computer.up.first.entries:
            if replay.seq >= fixed:
                found.append(replay.absence.here)
            replay.follow(entry, trusted=True)
        return found

    @property
    def _parts(self) -> bool:
        """Whether a liar can make two logs of one table that both have honest followers."""
        return self.watch.leeway.places or self.watch.leeway.firm

    def _audited(self, computer: Computer) -> Report:
        """Nobody honest is blamed by a log that somebody honest holds."""
        report = only((), audit)(self.world.transcript(computer))
        self.named |= any(
            proves(blame) and blame.seat in self.watch.liars for blame in report.blame
        )
        liars, stopped = self.watch.liars, computer.up.first.stopped is not None
        for blame in report.blame:
            if (
                proves(blame)
                and blame.seat not in liars
                and (blame.seat is not None or not stopped)
            ):
                raise Broken(f"{computer.number}: the audit blames {blame}")
        if report.verdict is Verdict.UNREADABLE and computer.disk.entries:
            raise Broken(f"{computer.number}: {report.reason}")
        if report.verdict is Verdict.CHEATING and not liars:
            raise Broken(f"{computer.number}: {report.verdict} {report.reason}")
        return report

    def _same_end(self, computer: Computer, longest: Computer) -> None:
        """The same log, but for a close that nobody else has heard before another host made one."""
        one, two = computer.up.replay, longest.up.replay
        if one.head == two.head:
            return
        alone = one.hashes[:-1] == two.hashes[: one.seq - 1] and one.term < two.term
        if not alone or self._before_close(computer) != self._account(longest, one.seq - 1):
            raise Broken(f"{computer.number} ends with another log")

    def _before_close(self, computer: Computer) -> tuple[int, ...]:
        return self._account(computer, computer.up.replay.seq - 1)

    def _account(self, computer: Computer, count: int) -> tuple[int, ...]:
        """What everybody has won after so many entries."""
        replay = Replay(self.world.genesis)
        for entry in computer.up.first.entries[:count]:
            replay.follow(entry, trusted=True)
        return tuple(replay.match.totals)

    def _nothing_lost(self, longest: Computer, report: Report) -> None:
        """Every firm entry is in the log, and the audit finds the scores that it says."""
        replay, firm = longest.up.replay, self.watch.firm
        if replay.hashes[: len(firm)] != firm:
            raise Broken(f"{longest.number} ends without {len(firm)} firm entries")
        counted = [each.number for each in replay.summaries if each.counted]
        found = [each.round for each in report.rounds if each.complete]
        found += [blame.round for blame in report.blame if proves(blame)]
        if set(counted) - set(found):
            raise Broken(f"rounds {counted} count, and only {found} can be checked")
        if report.scores != tuple(replay.match.totals) and report.verdict is Verdict.VERIFIED:
            raise Broken(f"the audit finds {report.scores}, the log says {replay.match.totals}")
        if self.crook is None:
            return
        if not self.crook.proven(report, longest.disk.entries, self.watch.liars):
            raise Broken(f"nobody names {self.watch.liars} for {self.crook.name}")
