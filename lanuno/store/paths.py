"""The names of all files and folders on this computer, and the lock on them.

Other modules decide what is in the files.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

from lanuno.store.durable import NO_HOME, check_private, make_private_folder, refusals
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files

TRANSCRIPT_SUFFIX = ".lanuno"


@dataclass(frozen=True)
class Home:
    """The folders of one profile. Naming them creates and reads nothing."""

    data: Path
    """The folder of the profile, the games and the private folder."""

    config: Path
    """The folder of the settings, which the user may edit."""

    state: Path
    """The folder of the program's logs and saved state."""

    @classmethod
    def at(cls, folder: Path) -> Home:
        """Put everything under one folder: for a second profile, a USB stick, or a test."""
        folder = folder.expanduser().absolute()
        return cls(data=folder, config=folder, state=folder)

    @classmethod
    def default(cls) -> Home:
        """Use the standard folders of this system (on Linux the XDG folders).

        Without a home folder, reading finds nothing and `create` raises `StoreError` NO_HOME.
        """
        folders = PlatformDirs("lanuno", appauthor=False)
        try:
            return cls(folders.user_data_path, folders.user_config_path, folders.user_state_path)
        except RuntimeError:  # this user has no home folder
            return cls(NO_HOME, NO_HOME, NO_HOME)

    @property
    def private(self) -> Path:
        """The folder of everything that must stay private."""
        return self.data / "private"

    @property
    def identity(self) -> Path:
        """The file of the signing key."""
        return self.private / "identity"

    @property
    def profile(self) -> Path:
        """The file of the display name."""
        return self.data / "profile.json"

    @property
    def settings(self) -> Path:
        """The file of the settings."""
        return self.config / "settings.json"

    @property
    def rule_sets(self) -> Path:
        """The file of the rule sets that the user has saved."""
        return self.config / "rule_sets.json"

    @property
    def games(self) -> Path:
        """The folder of the transcripts."""
        return self.data / "games"

    @property
    def history(self) -> Path:
        """The database that lists the games; it can always be rebuilt from the transcripts."""
        return self.data / "history.sqlite3"

    @property
    def app_state(self) -> Path:
        """The file of the state that the app saves automatically."""
        return self.state / "remembered.json"

    @property
    def log(self) -> Path:
        """The newest of the program's rotating logs."""
        return self.state / "lanuno.log"

    def transcript(self, table: bytes) -> Path:
        """Return the path of a table's journal, which later is its transcript."""
        return self.games / (table.hex() + TRANSCRIPT_SUFFIX)

    def sidecar(self, table: bytes) -> Path:
        """Return the path of a table's private sidecar."""
        return self.private / (table.hex() + ".sidecar")

    def table_metadata(self, table: bytes) -> Path:
        """Return the path of a table's metadata, which is not in its log."""
        return self.private / (table.hex() + ".table.json")

    def tournament_end(self, tournament: bytes) -> Path:
        """Return the path of the mark that a tournament does not go on."""
        return self.private / (tournament.hex() + ".ended")

    def create(self) -> None:
        """Create the missing folders, for the owner only, and check the private one.

        Raise `StoreError`: NOT_WRITABLE, NOT_PRIVATE, NOT_OURS, NO_HOME.
        """
        for folder in (self.data, self.config, self.state, self.games, self.private):
            make_private_folder(folder)
        check_private(self.private)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Lock this profile while playing: two programs with one key could contradict each other.

        Raise `StoreError` IN_USE immediately if another program holds the lock. Reading, verifying
        and listing need no lock. The lock ends with the program, even after a crash.
        """
        path = self.private / "lock"
        with refusals(path, FileProblem.NOT_WRITABLE):
            file = files.open_to_change(path, follow=True)
        try:
            hold(file, path)
            yield
        finally:
            os.close(file)


def hold(file: int, path: Path) -> None:
    """Lock an open file against all other openings. Raise `StoreError` IN_USE if it is locked."""
    with refusals(path, FileProblem.NOT_WRITABLE):
        locked = files.lock(file)
    if not locked:
        raise StoreError(FileProblem.IN_USE, path)
