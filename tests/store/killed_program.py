"""Kills a real program (SIGKILL) at every system call that writes.

`python -m tests.store.killed_program STORY FOLDER` runs a story repeatedly, each time in a new
folder and a new process. Each process kills itself at a later call: once before the call (which is
also after the previous one), and once in the middle of its write. The process of the last folder
survives to the end. The file `told` in a folder lists what the process was told is stored. This
module contains no tests.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from lanuno.log.format.bodies import SignedBody
from lanuno.store.history import History
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.sidecar import Sidecar
from lanuno.store.table_metadata import save_metadata
from lanuno.store.table_records import TableRecords
from lanuno.table.metadata import TableMetadata
from tests.harness.log_table.log_table import LogTable, new_table

CALLS = ("open", "write", "fsync", "close", "link", "unlink", "replace", "ftruncate", "mkdir")
MOST = 400
"""An upper bound on the calls of every story."""

Tell = Callable[[str], None]
Story = Callable[[Home, Tell], None]

NO_WRITE = 3
"""The exit code of a process that should die in the middle of a call that is not a write."""

ENTRIES = 9
KEPT = 4
SIGNED = SignedBody(b"body", b"g" * 64)


def played() -> LogTable:
    """The table of all stories: two players, one round of play, closed."""
    return new_table(2).run()


class Killer:
    """Counts the system calls of this process and kills it at one of them."""

    def __init__(self, number: int, *, torn: bool) -> None:
        """`torn` kills the process in the middle of the call, which has to be a write."""
        self._left = number
        self._torn = torn
        self._real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in CALLS}
        # fsync is counted but not executed: the operating system keeps the data of a dead process.
        self._real["fsync"] = lambda _file: None
        for name in CALLS:
            setattr(os, name, self._counted(name))

    def _counted(self, name: str) -> Callable[..., Any]:
        real = self._real[name]

        def call(*arguments: Any, **named: Any) -> Any:
            self._left -= 1
            if self._left == 0:
                if self._torn:
                    if name != "write":
                        os._exit(NO_WRITE)
                    file, data = arguments
                    real(file, bytes(data)[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **named)

        return call

    def tell(self, file: int, word: str) -> None:
        """Record that something is stored, without counting this write."""
        self._real["write"](file, word.encode() + b"\n")


def cut(table: LogTable) -> Story:
    """Truncate a log and continue it."""

    def story(home: Home, tell: Tell) -> None:
        records = TableRecords(home)
        records.begin(table.genesis)
        for number, entry in enumerate(table.entries[:ENTRIES]):
            records.entry(entry)
            tell(f"entry {number}")
        records.sync()
        records.truncate(KEPT)
        tell("cut")
        for number, entry in enumerate(table.entries[KEPT : KEPT + 2]):
            records.entry(entry)
            tell(f"again {number}")
        records.close()

    return story


def sidecar(_table: LogTable) -> Story:
    """Store every kind of sidecar record of a player: a bot, seeds, signed bytes and votes."""

    def story(home: Home, tell: Tell) -> None:
        with Sidecar(home.sidecar(b"t" * 32)) as kept:
            kept.put_bot(0, b"b" * 32)
            tell("bot")
            for number in range(3):
                kept.put_seed(number, b"o" * 32, "round", bytes([number]) * 32)
                tell(f"seed {number}")
                kept.put_signed(number, 250 * number, b"signed")
                tell(f"signed {number}")
                kept.put_signed(number, 250 * number + 100, b"signed")
                tell(f"later {number}")
                kept.put_vote(number, b"vote")
                tell(f"vote {number}")

    return story


def profile(_table: LogTable) -> Story:
    """Create a new key and name, and save the metadata of a table twice."""

    def story(home: Home, tell: Tell) -> None:
        tell(load_profile(home).identity.public.hex())
        for port in (1, 2):
            save_metadata(home, b"t" * 32, TableMetadata(port=port))
            tell(f"port {port}")

    return story


def delete(table: LogTable) -> Story:
    """Delete a listed game for good."""

    def story(home: Home, tell: Tell) -> None:
        history = History(home)
        history.delete(table.genesis.table_id)
        tell("deleted")
        history.close()

    return story


def leave_a_game(home: Home, table: LogTable) -> None:
    """Leave every file that a table can leave, and its rows in the list of games."""
    table_id = table.genesis.table_id
    path = home.transcript(table_id)
    path.write_bytes(table.file)
    path.with_name(path.name + ".aside0").write_bytes(table.file)
    save_metadata(home, table_id, TableMetadata(port=1))
    with Sidecar(home.sidecar(table_id)) as kept:
        kept.put_vote(1, b"vote")
    history = History(home)
    history.refresh()
    history.close()


STORIES: dict[str, Callable[[LogTable], Story]] = {
    "cut": cut,
    "sidecar": sidecar,
    "profile": profile,
    "delete": delete,
}


def main(name: str, folder: Path) -> None:
    """Run a story once for each of its calls, and kill the process at that call."""
    table = played()
    story = STORIES[name](table)
    before = folder.with_name(folder.name + "-before")
    before.mkdir()
    if name != "profile":
        Home.at(before).create()
    if name == "delete":
        leave_a_game(Home.at(before), table)
    for number in range(1, MOST):
        for torn in (True, False):
            home = Home.at(folder / f"{number:03}{'torn' if torn else 'whole'}")
            shutil.copytree(before, home.data)
            told = os.open(home.data / "told", os.O_WRONLY | os.O_CREAT, 0o600)
            child = os.fork()
            if child == 0:
                killer = Killer(number, torn=torn)
                story(home, partial(killer.tell, told))
                os._exit(0)
            os.close(told)
            _, status = os.waitpid(child, 0)
            if os.WIFSIGNALED(status):
                assert os.WTERMSIG(status) == signal.SIGKILL
            elif os.WEXITSTATUS(status) == NO_WRITE:
                shutil.rmtree(home.data)
            else:
                assert os.WEXITSTATUS(status) == 0
                return
    raise AssertionError("a story without an end")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
