"""Entries that do not go on where a peer's own log ends: what each of them means.

Here only the question is answered whether another end may stand in the place of ours, and whose
fault it is if not; what is given up and what is kept `session.py` decides.
"""

from __future__ import annotations

from collections.abc import Sequence

from lanuno.log.bodies import HOST
from lanuno.log.entries import Entry
from lanuno.log.faults import Blame, Fault, Unreadable
from lanuno.log.replay import Replay


def begins_later_term(replay: Replay, held: Sequence[Entry], entry: Entry, number: int) -> bool:
    """Whether another entry than the held one may stand at a number: the first of a later term.

    Whether its votes are right is seen when it is followed.
    """
    try:
        core = entry.read()
    except Unreadable:
        return False
    before = replay.hashes[number - 1] if number else replay.table_id
    return core.term > held[number].read().term and core.prev == before


def other_story(replay: Replay, entry: Entry) -> Blame:
    """Blame for an entry that came again and was another one."""
    if entry.signed_by(replay.public_key(HOST)):
        why = "the host signed another entry before"
        return Blame(replay.host, Fault.EQUIVOCATION, replay.number, replay.seq, why)
    return Blame(None, Fault.FORGED, replay.number, replay.seq, "not signed by the host")


def passed_over(replay: Replay, count: int) -> Blame:
    """An election that would give up what a majority of the owners held: nobody can prove whose."""
    why = "an election that passes over firm entries"
    return Blame(None, Fault.BAD_ORDER, replay.number, count, why)


def missing_entry(replay: Replay) -> Blame:
    """The host leaves something out; it may have been a message that was lost."""
    return Blame(None, Fault.BAD_ORDER, replay.number, replay.seq, "an entry is missing")
