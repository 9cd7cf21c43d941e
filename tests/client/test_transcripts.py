"""Transcripts of a profile: audited, and copied to where the user wants."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.client.transcripts import audit_file, save_transcript, save_transcripts
from lanuno.log.faults import AuditVerdict
from lanuno.store.errors import FileProblem, StoreError
from tests.harness.log_table.log_table import new_table


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "game.lanuno"
    path.write_bytes(new_table(2).run().file)
    return path


def test_a_transcript_is_audited(transcript: Path) -> None:
    assert audit_file(transcript).verdict is AuditVerdict.VERIFIED
    transcript.write_bytes(transcript.read_bytes()[:-1])
    assert audit_file(transcript).verdict is AuditVerdict.INCOMPLETE


@pytest.mark.parametrize("name", ["missing", "."])
def test_a_transcript_that_cannot_be_read_is_named(name: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        audit_file(tmp_path / name)
    assert (caught.value.problem, caught.value.path) == (
        FileProblem.NOT_READABLE,
        tmp_path / name,
    )
    assert caught.value.detail


def test_a_copy_replaces_an_earlier_one(transcript: Path, tmp_path: Path) -> None:
    save = tmp_path / "copy.lanuno"
    save.write_bytes(b"an earlier and much longer file" * 10_000)
    assert save_transcript(transcript, save) == save
    assert save.read_bytes() == transcript.read_bytes()


def test_a_copy_onto_itself_leaves_the_file(transcript: Path, tmp_path: Path) -> None:
    whole = transcript.read_bytes()
    link = tmp_path / "link.lanuno"
    link.symlink_to(transcript)
    for save in (transcript, link):
        assert save_transcript(transcript, save) == save
    assert transcript.read_bytes() == whole


@pytest.mark.parametrize("name", ["no folder/copy.lanuno", "."])
def test_a_place_that_cannot_be_written_is_named(
    name: str, transcript: Path, tmp_path: Path
) -> None:
    with pytest.raises(StoreError) as caught:
        save_transcript(transcript, tmp_path / name)
    assert (caught.value.problem, caught.value.path) == (
        FileProblem.NOT_WRITABLE,
        tmp_path / name,
    )


def test_transcripts_are_copied_into_a_new_folder(transcript: Path, tmp_path: Path) -> None:
    folder = tmp_path / "new" / "folder"
    for _ in range(2):
        assert save_transcripts([transcript], folder) == folder
    assert [each.read_bytes() for each in folder.iterdir()] == [transcript.read_bytes()]
    assert save_transcripts([transcript], tmp_path) == tmp_path, "where it is already"


def test_a_file_in_the_way_of_a_folder_is_named(transcript: Path) -> None:
    with pytest.raises(StoreError) as caught:
        save_transcripts([transcript], transcript)
    assert (caught.value.problem, caught.value.path) == (FileProblem.NOT_WRITABLE, transcript)
