"""Names of all files and folders on this computer, and the lock on them.

Other modules decide what is in the files.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from platformdirs import PlatformDirs

from lanuno.store.durable import PRIVATE_FILE, check_private, make_private_folder, refusals
from lanuno.store.errors import FileProblem, StoreError

TRANSCRIPT_SUFFIX = ".lanuno"


@dataclass(frozen=True)
class Home:
    """The folders of one profile. Nothing is created or read by naming them."""

    data: Path
    """Profile, games, and the private folder."""

    config: Path
    """Settings that a person may edit."""

    state: Path
    """Logs of the program."""

    @classmethod
    def at(cls, folder: Path) -> Home:
        """Everything below one folder, for a second profile, a stick, or a test."""
        folder = folder.expanduser().absolute()
        return cls(data=folder, config=folder, state=folder)

    @classmethod
    def default(cls) -> Home:
        """The folders that this system means for such things (on Linux the XDG folders)."""
        folders = PlatformDirs("lanuno", appauthor=False)
        return cls(folders.user_data_path, folders.user_config_path, folders.user_state_path)

    @property
    def private(self) -> Path:
        """Folder of everything that must stay private."""
        return self.data / "private"

    @property
    def identity(self) -> Path:
        """File of the key that signs."""
        return self.private / "identity"

    @property
    def profile(self) -> Path:
        """File of the display name."""
        return self.data / "profile.json"

    @property
    def settings(self) -> Path:
        """File of the settings."""
        return self.config / "settings.json"

    @property
    def rule_sets(self) -> Path:
        """File of the rules that a person has saved under a name."""
        return self.config / "rule_sets.json"

    @property
    def games(self) -> Path:
        """Folder of the transcripts."""
        return self.data / "games"

    @property
    def history(self) -> Path:
        """Database that lists the games; it can always be made anew from the transcripts."""
        return self.data / "history.sqlite3"

    @property
    def app_state(self) -> Path:
        """File of the state that the app saves by itself."""
        return self.state / "remembered.json"

    @property
    def log(self) -> Path:
        """The newest of the rotating logs of the program."""
        return self.state / "lanuno.log"

    def transcript(self, table: bytes) -> Path:
        """Journal, and later transcript, of the table with this id."""
        return self.games / (table.hex() + TRANSCRIPT_SUFFIX)

    def sidecar(self, table: bytes) -> Path:
        """What must stay private about the table with this id."""
        return self.private / (table.hex() + ".sidecar")

    def table_metadata(self, table: bytes) -> Path:
        """Metadata of the table with this id, which is not in its log."""
        return self.private / (table.hex() + ".table.json")

    def create(self) -> None:
        """Make the folders that are missing, for the owner only, and check the private one.

        Raises `StoreError`: NOT_WRITABLE, NOT_PRIVATE, NOT_OURS.
        """
        for folder in (self.data, self.config, self.state, self.games, self.private):
            make_private_folder(folder)
        check_private(self.private)

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Hold this profile alone while playing: two programs with one key could contradict.

        Raises `StoreError` IN_USE at once if another program holds it. Reading, verifying and
        listing need no lock. The lock ends with the program, however that ends.
        """
        path = self.private / "lock"
        with refusals(path, FileProblem.NOT_WRITABLE):
            file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, PRIVATE_FILE)
        try:
            hold(file, path)
            yield
        finally:
            os.close(file)


def hold(file: int, path: Path) -> None:
    """Lock an open file against every other opening of it; `StoreError` IN_USE if it is locked."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise StoreError(FileProblem.IN_USE, path) from error
