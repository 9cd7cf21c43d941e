"""Bots of this computer in chairs that are empty, where partners cannot do without. Sans I/O.

Here: which chair is to be filled, the key and the consent of the bot that fills it, and its session
once the log has seated it. Not here: when the office asks (`sequencer.py`), what a chair is in the
log (`lanuno.log.absence`), and how a bot decides (the driver's player).

One computer has one bot for each seat, with one key for good: what was signed for a seat here, and
the counters that this used up, are remembered by seat. The key is on disk before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Mapping

from lanuno.dealing.identity import Identity
from lanuno.log.bodies import FillIn, fill_in_digest
from lanuno.log.genesis import Genesis
from lanuno.log.replay import Replay
from lanuno.rules.formats import FORMATS
from lanuno.table.lobby_peer import Entropy
from lanuno.table.outputs import KeepBot, Output
from lanuno.table.recall import Recall, SeatRecall
from lanuno.table.release import Binding
from lanuno.table.session import Session

SEED_BYTES = 32


class StandIns:
    """The bots with which one computer fills chairs."""

    def __init__(
        self,
        genesis: Genesis,
        entropy: Entropy,
        recall: Recall | None = None,
        binding: Binding | None = None,
    ) -> None:
        """None yet, or those whose keys an earlier program kept.

        `binding`: what the computer has released.
        """
        self._genesis = genesis
        self._entropy = entropy
        self._bots: dict[int, Identity] = {} if recall is None else dict(recall.stand_ins)
        self._remembered: Mapping[int, SeatRecall] = {} if recall is None else recall.seats
        self._sessions: dict[int, Session] = {}
        self._binding = Binding() if binding is None else binding

    def __repr__(self) -> str:
        return f"StandIns({sorted(self._bots)}, <secret>)"

    def fill(self, replay: Replay) -> tuple[list[Output], FillIn] | None:
        """As the host: a bot for the first empty chair, with what is to be kept before it is said.

        None where no chair is empty, or none is to be filled.
        """
        seat = empty_chair(replay)
        if seat is None:
            return None
        keep: list[Output] = []
        bot = self._bots.get(seat)
        if bot is None:
            seed = self._entropy(SEED_BYTES)
            bot = self._bots[seat] = Identity.from_seed(seed)
            keep.append(KeepBot(seat, seed))
        owner = replay.absence.signed.seats[replay.host].identity
        digest = fill_in_digest(replay.table_id, seat, bot.public, owner)
        return keep, FillIn(seat, bot.public, bot.sign(digest))

    def seated(self, first: Session) -> list[Session]:
        """Sessions of those bots that the log has seated by now and that had none.

        They stand where `first`, the owner's, stands.
        """
        fresh: list[Session] = []
        for seat, bot in sorted(self._bots.items()):
            sits = first.replay.roster.seats[seat].identity == bot.public
            if seat in self._sessions or not sits:
                continue
            recall = Recall(self._genesis, (), self._remembered)
            session = Session(
                self._genesis, bot, self._entropy, recall, stand_in=True, binding=self._binding
            )
            session.stand_where(first)
            self._sessions[seat] = session
            fresh.append(session)
        return fresh


def empty_chair(replay: Replay) -> int | None:
    """The first seat that a bot of the host has to play for a round to open; None if there is none.

    Seats of the host's own computer are never among them: their own players come back by
    themselves, and two of one computer must not sign for one seat.
    """
    match, absence = replay.match, replay.absence
    if not FORMATS[match.ruleset.format].teams or match.over or not replay.between_rounds:
        return None
    for seat in match.playing:
        if absence.silenced(seat) and seat not in absence.own(replay.host):
            return seat
    return None
