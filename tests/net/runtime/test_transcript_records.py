"""Records that also keep the log in memory: the same log as on disk."""

from __future__ import annotations

import pytest

from lanuno.log.audit.audit import audit
from lanuno.log.faults import AuditVerdict
from lanuno.net.runtime.transcript_records import TranscriptRecords
from tests.harness.log_table.log_table import LogTable, new_table
from tests.harness.sockets.tables import DiskFull, Memory, failing


@pytest.fixture(scope="module")
def played() -> LogTable:
    """Return a finished table."""
    return new_table(2).run()


def test_there_is_no_transcript_before_the_log_begins() -> None:
    assert TranscriptRecords(Memory()).transcript is None


def test_a_finished_table_can_be_audited_from_memory(played: LogTable) -> None:
    disk = Memory()
    records = TranscriptRecords(disk)
    records.begin(played.genesis)
    for entry in played.entries:
        records.entry(entry)
    transcript = records.transcript
    assert transcript is not None
    assert audit(transcript).verdict is AuditVerdict.VERIFIED
    assert (disk.genesis, tuple(disk.entries)) == (transcript.genesis, transcript.entries)


def test_an_end_of_the_log_that_is_given_up_is_forgotten(played: LogTable) -> None:
    disk = Memory()
    records = TranscriptRecords(disk)
    records.begin(played.genesis)
    for entry in played.entries[:5]:
        records.entry(entry)
    before = records.transcript
    records.truncate(3)
    assert before is not None
    assert before.entries == tuple(played.entries[:5]), "an earlier transcript does not change"
    after = records.transcript
    assert after is not None
    assert after.entries == tuple(disk.entries) == tuple(played.entries[:3])
    assert disk.aside == played.entries[3:5]
    # Another log, which is set aside, is none of this one.
    records.other_log(3, tuple(played.entries[3:]))
    assert records.transcript == after


def test_an_entry_that_is_not_on_disk_is_not_in_memory(played: LogTable) -> None:
    """The log in memory must not show an entry that this node may never have stored."""
    records = TranscriptRecords(Memory(failing("begin", 0)))
    with pytest.raises(DiskFull):
        records.begin(played.genesis)
    assert records.transcript is None
    records = TranscriptRecords(Memory(failing("entry", 1)))
    records.begin(played.genesis)
    records.entry(played.entries[0])
    with pytest.raises(DiskFull):
        records.entry(played.entries[1])
    transcript = records.transcript
    assert transcript is not None
    assert transcript.entries == (played.entries[0],)


def test_everything_else_goes_to_the_disk(played: LogTable) -> None:
    disk = Memory()
    records = TranscriptRecords(disk)
    records.begin(played.genesis)
    signed = played.entries[0].read().signed_body
    records.secret(1, bytes(32), "round", b"s" * 32)
    records.body(1, 0, signed)
    records.stand_in(1, b"k" * 32)
    records.vote(2, b"vote")
    records.release(1, 0, 1, bytes(32))
    records.sync()
    records.close()
    kinds = ("begin", "secret", "body", "bot", "vote", "release")
    assert disk.counts == dict.fromkeys(kinds, 1)
    assert disk.closed == 1
    assert b"s" * 32 not in str(vars(records)).encode()
