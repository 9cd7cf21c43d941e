"""Votes and elections at the level of the log, signed with the keys of the tests."""

from __future__ import annotations

from typing import Any

import msgspec

from lanuno.dealing.identity import Identity
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.replay.replay import Replay
from lanuno.log.round import events
from tests.harness.log_table.log_table import LogTable, identity


def signed_vote(
    replay: Replay,
    voter: int,
    candidate: int = 1,
    term: int = 1,
    *,
    by: Identity | None = None,
    **other: Any,
) -> SignedVote:
    """Return the vote of a seat that holds this log; `by`: the signer, if it is another seat."""
    end = replay.end
    vote = ElectionVote(replay.table_id, term, candidate, voter, end.term, end.count, end.head)
    return sign_vote(msgspec.structs.replace(vote, **other), identity(voter) if by is None else by)


def vote(at: LogTable, voter: int, candidate: int = 1, term: int = 1, **other: Any) -> SignedVote:
    return signed_vote(at.replay, voter, candidate, term, **other)


def votes(table: LogTable, *voters: int, **other: Any) -> tuple[SignedVote, ...]:
    return tuple(vote(table, voter, **other) for voter in voters)


def elect(
    table: LogTable, candidate: int = 1, term: int = 1, *voters: int
) -> list[events.LogEvent]:
    """Elect a host, with the votes of `voters`, by default of seats 1 to 3."""
    given = votes(table, *(voters or (1, 2, 3)), candidate=candidate, term=term)
    entry, happened = table.replay.elect(given, table.replay.times.ms, identity(candidate))
    table.entries.append(entry)
    table.happened += happened
    return happened
