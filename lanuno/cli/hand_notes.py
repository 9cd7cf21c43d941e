"""Notes of a node's own hand over time, and the check that they were correct.

Only `demo --chaos` uses them, to show that a killed program continues with the same hand. Each
program writes what its own keys open, and nothing about other hands, to a file in its private
folder. After the match all seeds are revealed, and the transcript shows the true hands. Notes are
never printed or sent.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from lanuno.cli.options import path
from lanuno.client.events import SessionEvent
from lanuno.client.texts import Texts
from lanuno.log.audit.story import RoundStory, build_story
from lanuno.log.format.transcript import Transcript
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.rules.engine.round import Round
from lanuno.store.errors import FileProblem, StoreError
from lanuno.system import files
from lanuno.table.outputs import TableBegan, ViewChanged


class Note(msgspec.Struct, frozen=True):
    """The hand of this node's seat at one moment."""

    process: int
    """Id of the process that wrote the note, which distinguishes the runs of the program."""
    seat: int
    entries: int
    """Length of the log at that moment."""
    head: bytes
    """Hash of the last entry."""
    round: int
    hosts: bool
    slots: tuple[int, ...]
    """Slots of the hand; empty if the seat holds no cards."""
    cards: tuple[tuple[int, int], ...]
    """The slots whose cards this program can read, each with its card."""


# Made on import: two threads that make it together crash (see `prepare` in
# lanuno/log/format/codec.py).
_decoder = msgspec.json.Decoder(Note)


def add_notes(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Define the hidden option that writes notes: --note-hand."""
    parser.add_argument("--note-hand", type=path(text), help=argparse.SUPPRESS)


class HandNotes:
    """Passes the events of a session on, and notes the hand in a file."""

    def __init__(self, file: Path | None, show: Callable[[SessionEvent], None]) -> None:
        """`file`: None to write no notes. `show`: receives every event first."""
        self.runtime: Callable[[], NodeRuntime | None] = lambda: None
        """Returns the node runtime, once it exists."""
        self._file = file
        self._show = show
        self._last: Note | None = None

    def __call__(self, event: SessionEvent) -> None:
        """Pass the event on, and note the hand if it has changed."""
        self._show(event)
        runtime = self.runtime()
        if self._file is None or runtime is None:
            return
        session, last = runtime.seat_session, self._last
        if session.seat is None or not isinstance(event, ViewChanged | TableBegan):
            return
        replay = session.replay
        current = replay.round
        slots: tuple[int, ...] = ()
        if current is not None and isinstance(current.engine, Round):
            slots = tuple(current.engine.hands.get(session.seat, ()))
        now = (replay.number, runtime.node.hosts, slots, len(slots))
        if last is not None and now == (last.round, last.hosts, last.slots, len(last.cards)):
            return
        view = session.view() if slots else None
        held = () if view is None else tuple((each.slot, each.card) for each in view.hand)
        note = Note(
            process=os.getpid(),
            seat=session.seat,
            entries=replay.seq,
            head=replay.head,
            round=replay.number,
            hosts=runtime.node.hosts,
            slots=slots,
            cards=held,
        )
        self._last = note
        try:
            with os.fdopen(files.open_to_append(self._file), "ab") as notes:
                notes.write(msgspec.json.encode(note) + b"\n")
        except OSError as error:
            raise StoreError(FileProblem.NOT_WRITABLE, self._file, error.strerror or "") from None


def read_notes(file: Path) -> tuple[Note, ...]:
    """Return one player's notes in order; an incomplete last line is ignored."""
    try:
        lines = file.read_bytes().split(b"\n")[:-1]
    except FileNotFoundError:
        return ()
    return tuple(_decoder.decode(line) for line in lines)


class HandCheck(Struct, frozen=True):
    """The result of comparing one player's notes with the transcript."""

    starts: int
    """Number of restarts."""
    resumed: int
    """Number of restarts after which the program held a hand that agreed with the one before."""
    empty_handed: int
    """Number of restarts without a hand: between two rounds, or before the log had arrived."""
    notes: int
    """Number of hands compared."""
    wrong: tuple[str, ...]
    """Where a hand was wrong: player, round and log length. The cards are omitted."""


def check(transcript: Transcript, entries: int, notes: Sequence[Sequence[Note]]) -> list[HandCheck]:
    """Compare every player's notes with the hands that follow from all seeds.

    `entries`: the number of entries that an audit found correct. `notes`: one sequence per player.
    Notes about a part of the log that never became common are ignored.
    """
    story = build_story(transcript, entries)
    rounds = {each.number: each for each in story.rounds}
    heads = {number + 1: entry.hash for number, entry in enumerate(transcript.entries)}
    found = []
    for own in notes:
        if own:
            valid = [each for each in own if heads.get(each.entries) == each.head]
            found.append(_check(story.players[own[0].seat], own, valid, rounds))
    return found


def _check(
    name: str,
    own: Sequence[Note],
    valid: Sequence[Note],
    rounds: dict[int, RoundStory],
) -> HandCheck:
    runs = list(dict.fromkeys(each.process for each in own))
    wrong, compared, resumed = [], 0, 0
    for note in valid:
        true = _is_right(note, rounds.get(note.round)) if note.slots else None
        if true is not None:
            compared += 1
            if not true:
                wrong.append(f"{name}, {note.round}, {note.entries}")
    for number, run in enumerate(runs[1:], 1):
        first = next((each for each in valid if each.process == run), None)
        if first is None or not first.slots:
            continue
        before = next((each for each in reversed(valid) if each.process in runs[:number]), None)
        if before is not None and not _knows_cards_again(first, before):
            wrong.append(f"{name}, {first.round}, {first.entries}")
        elif first.cards:
            resumed += 1
    starts = len(runs) - 1
    return HandCheck(starts, resumed, starts - resumed, compared, tuple(wrong))


def _knows_cards_again(first: Note, before: Note) -> bool:
    """Whether every card known before that is still in the hand is known again."""
    if first.round != before.round or first.entries < before.entries:
        return True
    now = dict(first.cards)
    return all(now.get(slot) == card for slot, card in before.cards if slot in first.slots)


def _is_right(note: Note, story: RoundStory | None) -> bool | None:
    """Whether the note is the true hand; None if unknown because the round was cut short."""
    if story is None or note.seat not in story.seats:
        return False
    hands = [each.hands for each in story.moments if each.entry < note.entries]
    hand = hands[-1][story.seats.index(note.seat)]
    if set(hand) != set(note.slots) or not set(hand) >= {slot for slot, _ in note.cards}:
        return False
    known = [story.cards.get(slot) for slot, _ in note.cards]
    return None if None in known else known == [card for _, card in note.cards]
