"""How many entries a node missed while it had no contact with a host."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from lanuno.net.runtime.endings import CaughtUp
from lanuno.net.runtime.missed_entries import MissedEntries
from lanuno.table.node import Node


class Observed:
    """The missed entries of a node whose state a test sets."""

    def __init__(self, held: int | None) -> None:
        self.reports: list[object] = []
        self._missed = MissedEntries(self.reports.append, held)

    def at(self, entries: int, *, caught_up: bool, host: int = 0) -> list[object]:
        """Check a node with this number of entries, and return all reports so far."""
        replay = SimpleNamespace(seq=entries, host=host)
        node = SimpleNamespace(replay=replay, replica=SimpleNamespace(caught_up=caught_up))
        self._missed.check(cast(Node, node))
        return self.reports


def test_a_new_node_has_missed_nothing() -> None:
    observed = Observed(None)
    assert observed.at(0, caught_up=False) == []
    assert observed.at(7, caught_up=True) == []


def test_a_resumed_node_reports_its_missed_entries_once_it_has_caught_up() -> None:
    observed = Observed(5)
    assert observed.at(5, caught_up=False) == []
    assert observed.at(9, caught_up=False) == [], "more entries are to come"
    assert observed.at(12, caught_up=True) == [CaughtUp(0, 7)]
    assert observed.at(30, caught_up=True) == [CaughtUp(0, 7)], "reported once"


def test_each_loss_is_counted_from_its_own_beginning() -> None:
    observed = Observed(None)
    observed.at(10, caught_up=True)
    observed.at(14, caught_up=True)
    observed.at(14, caught_up=False)
    observed.at(20, caught_up=False)
    assert observed.at(20, caught_up=True, host=2) == [CaughtUp(2, 6)], "the present host's seat"
    observed.at(25, caught_up=False)
    assert observed.at(25, caught_up=True)[1:] == [CaughtUp(0, 0)]


def test_a_log_that_has_become_shorter_has_no_missed_entries() -> None:
    """The node gave up an end of the log that only it had."""
    observed = Observed(None)
    observed.at(10, caught_up=True)
    observed.at(10, caught_up=False)
    assert observed.at(8, caught_up=True) == [CaughtUp(0, 0)]
