"""Checks how a simulated table ended after all faults were over.

All honest nodes hold the same closed log. It contains every final entry, and its audit agrees with
it. With a dishonest node, other endings are possible. Each is named here, and none of them blames
an honest player.
"""

from __future__ import annotations

from dataclasses import dataclass

from lanuno.log.audit.audit import Report, audit
from lanuno.log.faults import AuditVerdict
from lanuno.log.replay.replay import Replay
from lanuno.log.replay.terms import majority
from lanuno.log.round.round_audit import is_proof
from tests.harness.adversaries.lying_nodes import LyingNode
from tests.harness.node_world.documented import only
from tests.harness.node_world.errors import InvariantViolation
from tests.harness.node_world.invariants import InvariantChecker
from tests.harness.node_world.knowledge import on_one_log
from tests.harness.node_world.world import SimulatedNode, World


@dataclass
class EndCheck:
    """The end of one world."""

    world: World
    checker: InvariantChecker
    liar: LyingNode | None
    liar_named: bool = False
    """Whether an audit proves a fault of the liar."""

    def check(self, *, over: bool) -> None:
        """Raise `InvariantViolation` if the table may not end like this.

        `over`: whether every honest node reports that the table is over.
        """
        honest = [each for each in self.world.honest if each.program is not None]
        closed = [each for each in honest if each.running.replay.closed is not None]
        if not over:
            self._check_waiting(honest)
        self.checker.knowledge.judge()
        reports: dict[bytes, Report] = {}
        for node in honest:
            key = node.disk.entries[-1].hash if node.disk.entries else b""
            if key not in reports:
                reports[key] = self._audit(node)
        if self.checker.leeway.log_places or not closed:
            return
        longest = max(closed, key=lambda each: (each.running.replay.term, each.running.replay.seq))
        for node in closed:
            self._check_same_log(node, longest)
        if not self.checker.leeway.finality:
            self._check_nothing_lost(longest, reports[longest.disk.entries[-1].hash])

    def _check_waiting(self, honest: list[SimulatedNode]) -> None:
        """Check that a table that waits lacks a majority.

        Some nodes do not count towards it: a liar; a stopped node; an owner that has signed Leave,
        because a host that appends it would count on that. If a liar signs two logs, or has voted
        for a log that lacks final entries, a node that follows the other log does not count
        either, because no election gives up final entries. The longest log of an able node defines
        the owners: it may drop an owner who has not received that entry. The owners before a drop
        must hold it, or nothing after it becomes final.
        """
        for node in honest:
            if node.running.over:
                continue
            able = {
                each.number: each
                for each in honest
                if each.running.replica.stopped is None
                and (each.running.voter is None or not each.running.voter.left)
                and (on_one_log(node, each) or not self._logs_may_fork)
            }
            logs = [node, *able.values()]
            longest = max(
                logs, key=lambda each: (each.running.replay.term, each.running.replay.seq)
            )
            fixed = max(each.running.replica.binding_count for each in logs)
            if all(
                len(able.keys() & set(owners)) >= majority(len(owners))
                for owners in self._owners_counting(longest, fixed)
            ):
                where = [
                    (each.number, each.running.replay.term, each.running.replay.seq)
                    for each in honest
                ]
                raise InvariantViolation(f"the table did not end: {where}")

    def _owners_counting(self, node: SimulatedNode, fixed: int) -> list[tuple[int, ...]]:
        """Return the owners at the end of a log, and before each change that is not final yet."""
        replay, found = Replay(self.world.genesis), [node.running.replay.owners]
        for entry in node.running.replica.entries:
            if replay.seq >= fixed:
                found.append(replay.absence.present_owners)
            replay.follow(entry, trusted=True)
        return found

    @property
    def _logs_may_fork(self) -> bool:
        """Whether a liar can make two logs of one table, each with honest nodes that follow it."""
        return self.checker.leeway.log_places or self.checker.leeway.finality

    def _audit(self, node: SimulatedNode) -> Report:
        """Audit the log of an honest node; it must blame no honest player."""
        report = only((), audit)(self.world.transcript(node))
        self.liar_named |= any(
            is_proof(blame) and blame.seat in self.checker.liars for blame in report.blame
        )
        liars, stopped = self.checker.liars, node.running.replica.stopped is not None
        for blame in report.blame:
            if (
                is_proof(blame)
                and blame.seat not in liars
                and (blame.seat is not None or not stopped)
            ):
                raise InvariantViolation(f"{node.number}: the audit blames {blame}")
        if report.verdict is AuditVerdict.UNREADABLE and node.disk.entries:
            raise InvariantViolation(f"{node.number}: {report.reason}")
        if report.verdict is AuditVerdict.CHEATING and not liars:
            raise InvariantViolation(f"{node.number}: {report.verdict} {report.reason}")
        return report

    def _check_same_log(self, node: SimulatedNode, longest: SimulatedNode) -> None:
        """The logs are equal, except for a close of this node that preceded another host's."""
        one, two = node.running.replay, longest.running.replay
        if one.head == two.head:
            return
        alone = one.hashes[:-1] == two.hashes[: one.seq - 1] and one.term < two.term
        if not alone or self._scores_before_close(node) != self._scores_after(longest, one.seq - 1):
            raise InvariantViolation(f"{node.number} ends with another log")

    def _scores_before_close(self, node: SimulatedNode) -> tuple[int, ...]:
        return self._scores_after(node, node.running.replay.seq - 1)

    def _scores_after(self, node: SimulatedNode, count: int) -> tuple[int, ...]:
        """Return the scores after the first `count` entries."""
        replay = Replay(self.world.genesis)
        for entry in node.running.replica.entries[:count]:
            replay.follow(entry, trusted=True)
        return tuple(replay.match.totals)

    def _check_nothing_lost(self, longest: SimulatedNode, report: Report) -> None:
        """The log contains every final entry, and its audit confirms the scores."""
        replay, final = longest.running.replay, self.checker.final
        if replay.hashes[: len(final)] != final:
            raise InvariantViolation(f"{longest.number} ends without {len(final)} final entries")
        counted = [each.number for each in replay.summaries if each.counted]
        found = [each.round for each in report.rounds if each.complete]
        found += [blame.round for blame in report.blame if is_proof(blame)]
        if set(counted) - set(found):
            raise InvariantViolation(f"rounds {counted} count, and only {found} can be checked")
        if report.scores != tuple(replay.match.totals) and report.verdict is AuditVerdict.VERIFIED:
            raise InvariantViolation(
                f"the audit finds {report.scores}, the log says {replay.match.totals}"
            )
        if self.liar is None:
            return
        if not self.liar.proven(report, longest.disk.entries, self.checker.liars):
            raise InvariantViolation(f"nobody names {self.checker.liars} for {self.liar.name}")
