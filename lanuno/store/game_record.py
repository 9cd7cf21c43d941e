"""The facts about a transcript that the list of games shows.

They are read from the log by the same replay as during play, and are not stored here. The audit,
which takes longer and runs only on demand, checks whether the game was fair.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct

from lanuno.log.faults import HostFault
from lanuno.log.format.bodies import CloseReason
from lanuno.log.format.entries import Entry
from lanuno.log.format.genesis import Genesis, Roster, avatars
from lanuno.log.format.transcript import Transcript
from lanuno.log.replay.course import Decided
from lanuno.log.replay.replay import Replay
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.ruleset import Format


class PlayerRecord(Struct, frozen=True):
    """One seat of a game."""

    seat: int
    name: str
    """The name in the roster that all seats signed. Text from outside."""
    identity: bytes
    owner: bytes
    """The identity of the owner on whose computer this seat began; a player's own identity."""
    bot: bool
    score: int
    won: bool
    """Whether this seat won the match, alone or with others."""
    avatar: int = 0
    """The colour of the seat on every screen."""
    gone: bool = False
    """Whether its player had left when the log ended."""


class GameRecord(Struct, frozen=True):
    """One game."""

    table_id: bytes
    preset: str
    """Text from outside if the transcript came from another person."""
    format: Format
    players: tuple[PlayerRecord, ...]
    """By seat."""
    rounds: int
    """The rounds that counted, without the one that chose the dealer."""
    entries: int
    """The number of valid entries."""
    played_ms: int
    """Milliseconds from genesis to the last entry, by the host's clock."""
    reason: CloseReason | None
    """Why the log was closed; None if it was not closed, at least not here."""
    decided: Decided | None = None
    """What decided the match, as the audit says it; None if nothing counts."""
    cheated: bool = False
    """Whether the log shows without an audit that a player cheated."""
    tournament: bytes | None = None
    """The id of the tournament that it belongs to; for a tournament's own genesis, its own id."""


def read_game(transcript: Transcript) -> GameRecord:
    """Return the game in a transcript that this computer wrote. Raise `Unreadable`.

    The game ends at the first entry that no honest host can have written; later entries are not
    read. Signatures are not checked: a program that can write these files could also write the list
    made from them.
    """
    genesis = transcript.genesis
    roster = genesis.read()
    if roster.is_tournament:
        return _tournament(genesis.table_id, roster)
    replay = _replayed(genesis, transcript.entries)
    return GameRecord(
        table_id=replay.table_id,
        preset=roster.ruleset.preset,
        format=Format(roster.ruleset.format),
        players=_players(roster, replay.match.totals, replay.winners, replay.dropped),
        rounds=sum(each.counted and each.kind is RoundKind.PLAY for each in replay.summaries),
        entries=replay.seq,
        played_ms=transcript.entries[replay.seq - 1].read().ms if replay.seq else 0,
        reason=replay.closed,
        decided=replay.course.decided(replay.winners),
        cheated=bool(replay.course.cheated),
        tournament=None if roster.binding is None else roster.binding.tournament,
    )


def _replayed(genesis: Genesis, entries: Sequence[Entry]) -> Replay:
    replay = Replay(genesis)
    for number, entry in enumerate(entries):
        if replay.closed is not None:
            break
        try:
            replay.follow(entry, trusted=True)
        except HostFault:
            # The failed replay is unusable now; the log is valid up to this entry.
            return _replayed(genesis, entries[:number])
    return replay


def _tournament(table_id: bytes, roster: Roster) -> GameRecord:
    players = _players(roster, [0] * len(roster.seats), (), ())
    ruleset = roster.ruleset
    return GameRecord(
        table_id,
        ruleset.preset,
        Format(ruleset.format),
        players,
        rounds=0,
        entries=0,
        played_ms=0,
        reason=None,
        tournament=table_id,
    )


def _players(
    roster: Roster, scores: Sequence[int], winners: Sequence[int], gone: Collection[int]
) -> tuple[PlayerRecord, ...]:
    colours = avatars(roster.seats)
    return tuple(
        PlayerRecord(
            seat=number,
            name=seat.name,
            identity=seat.identity,
            owner=seat.owner,
            bot=seat.bot,
            score=scores[number],
            won=number in winners,
            avatar=colours[seat.identity],
            gone=number in gone,
        )
        for number, seat in enumerate(roster.seats)
    )
