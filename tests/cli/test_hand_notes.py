"""The notes of a killed and restarted program's hand, compared with the true hands."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from lanuno.cli.hand_notes import HandCheck, Note, check, read_notes
from lanuno.log.format.transcript import Transcript, read
from lanuno.system.processes import KILLED
from tests.cli.matches import in_the_middle
from tests.harness.processes.programs import WorkingFolder
from tests.harness.systems import is_private


@pytest.fixture
def noted(table: WorkingFolder) -> tuple[Transcript, list[tuple[Note, ...]]]:
    """A game of two players, one of whose programs was killed, and the notes of both hands."""
    files = [table.folder / name / "private" / "hand" for name in ("Ana", "Beto")]
    host = table.host("--seats", "2", "--rounds", "1", "--note-hand", str(files[0]))
    bot = table.bot("--note-hand", str(files[1]), name="Beto")
    in_the_middle(host, bot)
    bot.process.kill()
    bot.end(KILLED)
    again = ("bot", "--resume", "--adapter", "127.0.0.1", "--note-hand", str(files[1]))
    bot = table.run(*again, name="Beto")
    for each in (host, bot):
        each.end(0)
    assert all(is_private(file) for file in files)
    transcript = read(table.transcript("Ana").read_bytes())
    return transcript, [read_notes(file) for file in files]


Change = Callable[[Note], Note]


def _another_card(note: Note) -> Note:
    (slot, card), *rest = note.cards
    return msgspec.structs.replace(note, cards=((slot, (card + 1) % 108), *rest))


def _another_slot(note: Note) -> Note:
    return msgspec.structs.replace(note, slots=(*note.slots[:-1], note.slots[-1] + 1))


def _blind(note: Note) -> Note:
    return msgspec.structs.replace(note, cards=())


def _elsewhere(note: Note) -> Note:
    return msgspec.structs.replace(note, round=note.round + 1)


def test_hands_are_compared(
    noted: tuple[Transcript, list[tuple[Note, ...]]], tmp_path: Path
) -> None:
    transcript, (host, bot) = noted
    whole = len(transcript.entries)
    right = check(transcript, whole, [host, bot])
    assert [(each.starts, each.wrong) for each in right] == [(0, ()), (1, ())]
    assert (right[0].resumed, right[1].resumed, right[1].empty_handed) == (0, 1, 0)
    assert right[0].notes > 2
    first = next(n for n, each in enumerate(bot) if each.process != bot[0].process)
    assert bot[first].cards

    def changed(change: Change) -> HandCheck:
        notes = [*bot[:first], change(bot[first]), *bot[first + 1 :]]
        return check(transcript, whole, [host, notes])[1]

    where = f"Beto, {bot[first].round}, {bot[first].entries}"
    for change in (_another_card, _another_slot, _blind):
        found = changed(change)
        assert found.wrong[0] == where
    assert changed(_elsewhere).wrong[0] == f"Beto, {bot[first].round + 1}, {bot[first].entries}"
    # Notes about entries that are not in the log prove nothing.
    unheard = changed(lambda note: msgspec.structs.replace(note, head=bytes(32)))
    assert (unheard.starts, unheard.wrong) == (1, ())
    assert changed(lambda note: msgspec.structs.replace(note, seat=0)).wrong
    assert read_notes(tmp_path / "none") == ()
