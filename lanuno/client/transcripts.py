"""A player's transcripts as files: audited after a game, and copied to where the user wants."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from lanuno.log.audit.audit import Report, audit_bytes
from lanuno.store.errors import FileProblem, StoreError


def audit_file(transcript: Path) -> Report:
    """Audit a transcript of this profile. Raises `StoreError`."""
    try:
        return audit_bytes(transcript.read_bytes())
    except OSError as error:
        raise StoreError(FileProblem.NOT_READABLE, transcript, error.strerror or "") from None


def save_transcript(transcript: Path, save: Path) -> Path:
    """Copy a transcript to the path `save` and return that path. Raises `StoreError`."""
    try:
        shutil.copyfile(transcript, save)
    except shutil.SameFileError:
        return save
    except OSError as error:
        raise StoreError(FileProblem.NOT_WRITABLE, save, error.strerror or "") from None
    return save


def save_transcripts(transcripts: Iterable[Path], folder: Path) -> Path:
    """Copy transcripts into a folder, made if missing, and return it. Raises `StoreError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(FileProblem.NOT_WRITABLE, folder, error.strerror or "") from None
    for each in transcripts:
        save_transcript(each, folder / each.name)
    return folder
