"""The file format: framing, torn tails, limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import lanuno.log.format.transcript as transcript_module
from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import encode
from lanuno.log.format.transcript import MAGIC, read, record, salvage, write
from tests.harness.log_table.log_table import LogTable


def test_a_written_transcript_is_read_again(played: LogTable) -> None:
    transcript = read(played.file)
    assert transcript.genesis == played.genesis
    assert list(transcript.entries) == played.entries
    assert not transcript.torn
    assert write(transcript.genesis, transcript.entries) == played.file


def test_the_file_begins_with_its_name_and_version(played: LogTable) -> None:
    assert played.file[:8] == MAGIC == b"LANUNO\x00\x02"
    for changed, why in (
        (b"PK\x03\x04" + played.file[4:], "not a LanUNO transcript"),
        (MAGIC[:-1] + b"\x01" + played.file[8:], "another version"),
        (MAGIC[:-1] + b"\x03" + played.file[8:], "another version"),
        (MAGIC[:-1], "another version"),
        (b"", "not a LanUNO transcript"),
        (MAGIC, "no genesis"),
        (MAGIC + b"\x00\x00", "no genesis"),
        (MAGIC + record(b"\xc0"), "DecodeError|ValidationError"),
        (MAGIC + (65_537).to_bytes(4, "big"), "a record above"),
    ):
        with pytest.raises(Unreadable, match=why):
            read(changed)


def test_a_torn_tail_is_seen_at_every_byte(played: LogTable) -> None:
    first = len(MAGIC) + len(record(encode(played.genesis)))
    ends = {first, first + len(record(encode(played.entries[0])))}
    for cut in range(first, max(ends) + 1):
        transcript = read(played.file[:cut])
        assert transcript.torn == (cut not in ends)
        assert len(transcript.entries) == (cut == max(ends))


def test_no_record_is_longer_than_a_frame(played: LogTable) -> None:
    start = MAGIC + record(encode(played.genesis))
    assert read(start + (65_536).to_bytes(4, "big")).torn
    with pytest.raises(Unreadable, match="a record above"):
        read(start + (65_537).to_bytes(4, "big"))
    with pytest.raises(Unreadable):
        read(start + record(b""))


def test_no_transcript_is_longer_than_a_match(
    played: LogTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcript_module, "MAX_FILE_BYTES", len(played.file))
    monkeypatch.setattr(transcript_module, "MAX_ENTRIES", len(played.entries))
    read(played.file)
    with pytest.raises(Unreadable, match="longer than any match"):
        read(played.file + b"\x00")
    monkeypatch.setattr(transcript_module, "MAX_ENTRIES", len(played.entries) - 1)
    with pytest.raises(Unreadable, match="more entries"):
        read(played.file)


def test_entries_before_a_damaged_record_are_kept(played: LogTable) -> None:
    """The audit needs the records that may prove something; `read` refuses such a file."""
    whole = [encode(entry) for entry in played.entries[:6]]
    begin = MAGIC + record(encode(played.genesis)) + b"".join(map(record, whole[:4]))
    for damage in (record(b"\xc1"), record(b""), b"\xff" * 8):
        data = begin + damage + b"".join(map(record, whole[4:]))
        found = salvage(data)
        assert [encode(entry) for entry in found.entries] == whole[:4]
        assert found.damaged
        assert not found.torn
        with pytest.raises(Unreadable):
            read(data)
    assert salvage(begin) == read(begin)


@given(st.binary(max_size=100))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for begin in (b"", MAGIC):
        with pytest.raises(Unreadable):
            read(begin + data)
