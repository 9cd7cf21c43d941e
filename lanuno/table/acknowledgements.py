"""What the owners signed that they have on disk, and how much of the log is certified by it.

Entries are certified, and so final, once every owner has signed, in the present term, that it has
them on its disk. So no node believes another one about other disks. Sans I/O.

Each owner's node sends its acknowledgements to the host, which sends those of all owners to
everybody as soon as they certify more. Besides, each owner's node passes on those that count once a
second, over every link that has not carried them. So a host that withholds them delays owners that
have links to each other by a second.

An owner may sign anything: for entries that nobody has, or different things for different nodes.
So only what counts in a node's own log is passed on, and nothing displaces it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.format.statements import Acknowledgement, SignedStatement, sign_statement
from lanuno.log.replay.replay import Replay
from lanuno.table.outputs import Link

PASS_ON_SECONDS = 1.0
"""How long a new statement waits until it is passed on, so that one message carries several."""


class _Signed(NamedTuple):
    """An acknowledgement, and the signed bytes."""

    said: Acknowledgement
    signed: SignedStatement


class Acknowledgements:
    """The acknowledgements of all owners of one table."""

    def __init__(self) -> None:
        """Start without acknowledgements."""
        self.pass_on_at: float | None = None
        """When `unexchanged` is to be sent over all links; None while nothing is new."""
        self._counted: dict[int, _Signed] = {}
        """By person: the one for the most entries of this log."""
        self._ahead: dict[tuple[Link, int], _Signed] = {}
        """By link and person: the newest one for entries that this log does not have, or not yet.

        A signature for entries that nobody has displaces only what came over the same link.
        """
        self._exchanged: dict[Link, dict[int, SignedStatement]] = {}
        """By link and person: the last statement that was sent or received over it."""

    def sign(
        self, replay: Replay, owner: int, identity: Identity, count: int, now: float
    ) -> SignedStatement | None:
        """Sign that the first `count` entries are on the disk of this node, which is the owner's.

        Returns None if they end before the present term began, or if this owner has signed for
        more. The same statement has the same bytes.
        """
        if count < _least(replay) or self.count_of(replay, owner) > count:
            return None
        made = Acknowledgement(
            replay.table_id, owner, replay.term, _elected(replay), count, replay.hashes[count - 1]
        )
        known = self._counted.get(owner)
        if known is None or known.said != made:
            known = _Signed(made, sign_statement(made, identity))
            self._note(replay, known, now)
        return known.signed

    def receive(
        self, replay: Replay, link: Link, statements: Iterable[SignedStatement], now: float
    ) -> None:
        """Note the statements of one message.

        The rest is left out after two of one author, and after one that no honest node sends.
        Otherwise a message could cost the check of many signatures.
        """
        authors: set[int] = set()
        for signed in statements:
            author = self.take(replay, link, signed, now)
            if author is None or author in authors:
                return
            authors.add(author)

    def take(self, replay: Replay, link: Link, signed: SignedStatement, now: float) -> int | None:
        """Note a statement that came over a link, and return its author.

        Returns None if no honest node sends it: it is unreadable, of another table, or not signed
        by its author. The signature of a statement that changes nothing is not checked.
        """
        try:
            said = signed.read()
        except Unreadable:
            return None
        owner, counts = said.author, _counts(replay, said)
        if said.table != replay.table_id or owner not in replay.absence.people:
            return None
        if counts:
            is_news = said.count > self.count_of(replay, owner)
        else:
            ahead = self._ahead.get((link, owner))
            is_news = ahead is None or (ahead.said.term, ahead.said.count) < (said.term, said.count)
            is_news = is_news and said.term >= replay.term
        if is_news:
            if not signed.signed_by(replay.absence.signed_roster.seats[owner].identity):
                return None
            if counts:
                self._note(replay, _Signed(said, signed), now)
            else:
                self._ahead[link, owner] = _Signed(said, signed)
        known = self._counted.get(owner)
        if is_news or (known is not None and known.signed == signed):
            self._exchanged.setdefault(link, {})[owner] = signed
        return owner

    def update(self, replay: Replay, now: float) -> None:
        """Note which statements are about entries that this log has by now."""
        for place, each in tuple(self._ahead.items()):
            if _counts(replay, each.said):
                del self._ahead[place]
                self._note(replay, each, now)

    def count_of(self, replay: Replay, owner: int) -> int:
        """Return how many entries of this log an owner has acknowledged in the present term."""
        known = self._counted.get(owner)
        return known.said.count if known is not None and _counts(replay, known.said) else 0

    def certified(self, replay: Replay) -> int:
        """Return how many entries all owners have acknowledged in the present term."""
        return min((self.count_of(replay, owner) for owner in replay.owners), default=0)

    def unexchanged(self, replay: Replay, link: Link) -> tuple[SignedStatement, ...]:
        """Return what counts and was not exchanged over this link yet. From now on it was."""
        exchanged = self._exchanged.setdefault(link, {})
        fresh = {
            owner: known.signed
            for owner, known in self._counted.items()
            if exchanged.get(owner) != known.signed and _counts(replay, known.said)
        }
        exchanged.update(fresh)
        return tuple(fresh.values())

    def note_sent(self, link: Link, owner: int, signed: SignedStatement) -> None:
        """Note that this node's own statement was sent over a link."""
        self._exchanged.setdefault(link, {})[owner] = signed

    def link_up(self, now: float) -> None:
        """Note a link over which nothing was exchanged yet."""
        if self._counted:
            self._is_new(now)

    def drop_link(self, link: Link) -> None:
        """Forget a link that has ended."""
        self._exchanged.pop(link, None)
        for place in tuple(self._ahead):
            if place[0] == link:
                del self._ahead[place]

    def _note(self, replay: Replay, new: _Signed, now: float) -> None:
        """Keep a statement that counts, unless the author has signed for more."""
        if new.said.count > self.count_of(replay, new.said.author):
            self._counted[new.said.author] = new
            self._is_new(now)

    def _is_new(self, now: float) -> None:
        if self.pass_on_at is None:
            self.pass_on_at = now + PASS_ON_SECONDS


def _counts(replay: Replay, said: Acknowledgement) -> bool:
    """Whether the entries of an acknowledgement are those of this log, in its present term."""
    return (
        (said.term, said.elected) == (replay.term, _elected(replay))
        and said.count >= _least(replay)
        and replay.hashes.number(said.head) == said.count - 1
    )


def _least(replay: Replay) -> int:
    """Return the number of entries with which the present term begins."""
    term = replay.terms[-1]
    return term.first + 1 if term.number else 1


def _elected(replay: Replay) -> bytes:
    """Return the hash of the entry that began the present term."""
    term = replay.terms[-1]
    return replay.hashes[term.first] if term.number else replay.table_id
