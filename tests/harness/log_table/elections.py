"""Votes and elections at the level of the log, signed with the keys of the tests."""

from __future__ import annotations

from typing import Any

import msgspec

from lanuno.log import events
from lanuno.log.votes import SignedVote, Vote, sign_vote
from tests.harness.log_table.log_table import LogTable, identity


def vote(at: LogTable, voter: int, candidate: int = 1, term: int = 1, **other: Any) -> SignedVote:
    end = at.replay.end
    said = Vote(at.replay.table_id, term, candidate, voter, end.term, end.count, end.head)
    return sign_vote(msgspec.structs.replace(said, **other), identity(voter))


def votes(table: LogTable, *voters: int, **other: Any) -> tuple[SignedVote, ...]:
    return tuple(vote(table, voter, **other) for voter in voters)


def elect(table: LogTable, candidate: int = 1, term: int = 1, *voters: int) -> list[events.Event]:
    """Make somebody the host, with everybody's votes unless it is said whose."""
    given = votes(table, *(voters or (1, 2, 3)), candidate=candidate, term=term)
    entry, happened = table.replay.elect(given, table.replay.times.ms, identity(candidate))
    table.entries.append(entry)
    table.happened += happened
    return happened
