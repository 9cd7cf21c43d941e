"""Which cards the adversaries of a simulated table can read, given all that they can have received.

Every output of an honest node is searched for secrets derived by honest seats: seeds, shares, keys
of boxes, final keys of slots. An output counts even if the end of the log for which it was sent was
given up later. Together with the secrets of the dishonest seats, they are closed under what the
protocol computes: a seed gives everything derived from it, all shares give a seed, a key opens its
box.

Cards are followed through the lists of all deals. A place in a list is a point. Two points hold the
same card if that can be seen without a secret of an honest seat: they have the same bytes, the same
place before and after a lock or a common step, or a known permutation moves one to the other. If
one of the points that hold a card is known, all are: a card of the deck itself, or a slot whose
keys are all known.

All of this is linear. A liar that marks points, or compares answers with a guess, learns more
(`resources/spec/threats.md`, the part on what is not promised).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from unittest.mock import patch

from lanuno.dealing.deal import Deal, LockedSlot, StepKind, permutation, slot_scalars
from lanuno.dealing.group import card_points, scalar_bytes
from lanuno.dealing.passes import PassStep
from lanuno.dealing.permutation import permute
from lanuno.dealing.sealing import box_public
from lanuno.dealing.secrets import Commitments, RoundSecrets, ViewSecrets, commitments
from lanuno.dealing.slots import SlotTable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import Body, SignedBody
from lanuno.rules.engine.actions import Play
from lanuno.table.replica import hand_keys, seat_keys

WINDOW = 32
"""The length in bytes of every secret, and of the first part of every box."""

Author = tuple[bytes, int]
"""The author of a secret: the hash of the round's Open entry, and the seat."""


@dataclass(frozen=True)
class SecretValue:
    """The meaning of a secret of 32 bytes."""

    kind: str
    """`seed`, `view`, `box key`, `share`, `slot key` or `box`."""
    author: Author
    item: tuple[object, ...] = ()
    """Box key: the giver. Share, box: its number. Slot key: input of the lock, and the place."""


@dataclass
class _Box:
    """A box sealed by an honest seat."""

    to: bytes
    """The public key of its receiver."""
    content: bytes


@dataclass
class _Split:
    """The shares into which an honest seat has split its seed."""

    author: Author
    shares: tuple[bytes, ...]


@dataclass
class _Mask:
    """An honest seat's mask."""

    author: Author
    before: tuple[bytes, ...]
    after: tuple[bytes, ...]
    order: tuple[int, ...]


@dataclass(frozen=True)
class _Dealt:
    """A deal that was finished on some end of the log."""

    points: tuple[bytes, ...]
    locks: tuple[tuple[int, bytes], ...]
    """By seat: the input of its lock."""


@dataclass(frozen=True)
class Published:
    """A body that has left an honest node."""

    head: bytes
    """The last entry held by its author."""
    meant: SecretValue

    @property
    def of(self) -> bytes:
        """The hash of the Open entry of its round; empty for a box."""
        return self.meant.author[0]


@dataclass
class Secrets:
    """The secrets that honest seats have derived, and those that have left their nodes."""

    honest: set[bytes] = field(default_factory=set)
    """Identities of seats on honest nodes."""
    said: list[Published] = field(default_factory=list)
    _meanings: dict[bytes, SecretValue] = field(default_factory=dict)
    _views: dict[bytes, SecretValue] = field(default_factory=dict)
    """By public key of an honest seat: the secret that opens boxes sealed to it."""
    _boxes: list[_Box] = field(default_factory=list)
    _splits: list[_Split] = field(default_factory=list)
    _masks: list[_Mask] = field(default_factory=list)
    _locks: set[tuple[Author, bytes]] = field(default_factory=set)
    """Every lock made by an honest seat, by its input."""
    _locked_with: dict[bytes, SecretValue] = field(default_factory=dict)
    """By point locked by an honest seat: the key."""
    _came_from: dict[bytes, bytes] = field(default_factory=dict)
    """By locked point: the point before the lock."""
    _dealt: dict[tuple[bytes, ...], _Dealt] = field(default_factory=dict)
    _same: dict[tuple[tuple[bytes, ...], tuple[bytes, ...]], None] = field(default_factory=dict)
    """Pairs of lists whose points at the same place publicly hold the same card."""
    _looked: set[bytes] = field(default_factory=set)
    _decks: set[int] = field(default_factory=set)

    # ---- derived secrets ----------------------------------------------------------------------

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Record what is derived and sealed, and every deal, while a world runs."""
        add, locked = SlotTable.add, SlotTable.locked

        def committed(
            secrets: RoundSecrets, view: ViewSecrets, givers: Iterable[int] = ()
        ) -> Commitments:
            givers = tuple(givers)
            self._committed(secrets, view, givers)
            return commitments(secrets, view, givers)

        def added(table: SlotTable, deal: Deal) -> None:
            add(table, deal)
            self._finished(deal)

        def goes_back(
            table: SlotTable, slots: Iterable[int], order: Iterable[int]
        ) -> tuple[LockedSlot, ...]:
            slots = tuple(slots)
            found = locked(table, slots, order)
            here = [table.point(slot) for slot in slots]
            self._hold_the_same(here, [each.point for each in found])
            return found

        with ExitStack() as patches:
            patches.enter_context(patch.object(seat_keys, "commitments", committed))
            patches.enter_context(patch.object(SlotTable, "add", added))
            patches.enter_context(patch.object(SlotTable, "locked", goes_back))
            for module in (seat_keys, hand_keys):
                patches.enter_context(patch.object(module, "seal", self._seal(module)))
            yield

    def _seal(self, module: ModuleType) -> Callable[[bytes, bytes, bytes], bytes]:
        """Return a wrapper of a module's seal function that records what it seals."""
        honest: Callable[[bytes, bytes, bytes], bytes] = vars(module)["seal"]

        def seal(plaintext: bytes, recipient: bytes, info: bytes) -> bytes:
            box = honest(plaintext, recipient, info)
            self._sealed(plaintext, recipient, box)
            return box

        return seal

    def is_honest(self, secrets: RoundSecrets) -> bool:
        """Whether these are the secrets of a seat on an honest node."""
        return secrets.context.identity in self.honest

    def _committed(self, secrets: RoundSecrets, view: ViewSecrets, givers: tuple[int, ...]) -> None:
        if not self.is_honest(secrets):
            return
        author = _author(secrets)
        self._meanings[secrets.seed] = SecretValue("seed", author)
        meant = self._meanings[view.seed] = SecretValue("view", author)
        self._views[view.public_key] = meant
        for giver in givers:
            private = view.box_private(giver)
            meant = self._meanings[private] = SecretValue("box key", author, (giver,))
            self._views[box_public(private)] = meant

    def step(self, deal: Deal, secrets: RoundSecrets, step: PassStep) -> None:
        """Record a seat's step of a deal."""
        assert deal.expected is not None
        kind, _ = deal.expected
        if kind is StepKind.MASK:
            order = permutation(deal, secrets)
            mask = _Mask(_author(secrets), deal.input, step.points, order)
            if self.is_honest(secrets):
                self._masks.append(mask)
            else:
                self._hold_the_same(permute(mask.before, order), mask.after)
            return
        self._hold_the_same(deal.input, step.points)
        if kind is not StepKind.LOCK:
            return
        self._came_from.update(zip(step.points, deal.input, strict=True))
        if not self.is_honest(secrets):
            return
        author, asked = _author(secrets), deal.step_input(StepKind.LOCK, secrets.context.seat)
        if (author, asked) in self._locks:
            return
        self._locks.add((author, asked))
        for place, scalar in enumerate(slot_scalars(deal, secrets)):
            key = SecretValue("slot key", author, (asked, place))
            self._meanings[scalar_bytes(scalar)] = self._locked_with[step.points[place]] = key

    def split(self, secrets: RoundSecrets, shares: tuple[bytes, ...]) -> None:
        """Record the shares into which a seat has split its seed."""
        if not self.is_honest(secrets) or shares[0] in self._meanings:
            return
        author = _author(secrets)
        for number, share in enumerate(shares):
            self._meanings[share] = SecretValue("share", author, (len(self._splits), number))
        self._splits.append(_Split(author, shares))

    def _sealed(self, plaintext: bytes, recipient: bytes, box: bytes) -> None:
        # The adversaries know a sealed value anyway if it is not a secret of an honest seat.
        author = (b"", -1)
        self._meanings[box[:WINDOW]] = SecretValue("box", author, (len(self._boxes),))
        self._boxes.append(_Box(recipient, plaintext))

    def _finished(self, deal: Deal) -> None:
        if deal.points in self._dealt:
            return
        locks = tuple((seat, deal.step_input(StepKind.LOCK, seat)) for seat in deal.order)
        self._dealt[deal.points] = _Dealt(deal.points, locks)
        self._decks.add(deal.deck)

    def _hold_the_same(self, before: Sequence[bytes], after: Sequence[bytes]) -> None:
        self._same[tuple(before), tuple(after)] = None

    # ---- published bodies ---------------------------------------------------------------------

    def hear(self, signed: SignedBody) -> None:
        """Record a body that leaves an honest node."""
        if signed.body in self._looked:
            return
        self._looked.add(signed.body)
        body = signed.read()
        if _is_no_secret(body):
            return
        for start in range(len(signed.body) - WINDOW + 1):
            meant = self._meanings.get(signed.body[start : start + WINDOW])
            if meant is not None:
                self.said.append(Published(body.head, meant))

    # ---- known secrets ------------------------------------------------------------------------

    def known(self, said: Iterable[Published]) -> Known:
        """Return what follows from these bodies and the secrets of the dishonest seats."""
        known, todo = set[SecretValue](), [each.meant for each in said]
        sealed: dict[SecretValue, list[int]] = {}
        while todo:
            meant = todo.pop()
            if meant in known:
                continue
            known.add(meant)
            if meant.kind == "box":
                [number] = meant.item
                assert isinstance(number, int)
                lock = self._views.get(self._boxes[number].to)
                if lock is None or lock in known:
                    todo += self._inside(number)
                else:
                    sealed.setdefault(lock, []).append(number)
            elif meant.kind == "share":
                split = self._splits[int(str(meant.item[0]))]
                if all(self._meanings[share] in known for share in split.shares):
                    todo.append(SecretValue("seed", split.author))
            elif meant.kind == "view":
                todo += [
                    lock
                    for lock in self._views.values()
                    if lock.author == meant.author and lock.kind == "box key"
                ]
            for number in sealed.pop(meant, ()):
                todo += self._inside(number)
        return Known(self, known)

    def _inside(self, number: int) -> list[SecretValue]:
        content = self._boxes[number].content
        windows = (content[at : at + WINDOW] for at in range(len(content) - WINDOW + 1))
        return [self._meanings[each] for each in windows if each in self._meanings]


class Known:
    """The knowledge of an adversary that has received every body."""

    def __init__(self, secrets: Secrets, facts: set[SecretValue]) -> None:
        """`facts`: closed under seeds, shares and boxes."""
        self._secrets = secrets
        self.facts = facts
        self._over: dict[bytes, bytes] = {}
        self._join()
        self._open = {self._root(point) for point in self._readable()}

    def reads(self, point: bytes) -> bool:
        """Whether the card of a point is known."""
        return self._root(point) in self._open

    def was_moved(self, point: bytes, place: int) -> bool:
        """Whether a liar has moved a point after an honest seat locked it.

        The keys for another place then fit it, and the keys of its own place do not. This is
        possible until locks are proven (`test_known_leaks.py`); the audit names the liar.
        """
        return any(key.item[1] != place for key in self._keys_of(point))

    def _root(self, point: bytes) -> bytes:
        while (above := self._over.get(point)) is not None:
            point = above
        return point

    def _unite(self, one: bytes, two: bytes) -> None:
        first, second = self._root(one), self._root(two)
        if first != second:
            self._over[first] = second

    def _join(self) -> None:
        pairs = list(self._secrets._same)
        pairs += [
            (tuple(permute(mask.before, mask.order)), mask.after)
            for mask in self._secrets._masks
            if SecretValue("seed", mask.author) in self.facts
        ]
        for before, after in pairs:
            for one, two in zip(before, after, strict=True):
                self._unite(one, two)

    def _readable(self) -> Iterator[bytes]:
        """Yield the cards of the deck, and the slots whose keys are all known."""
        for deck in self._secrets._decks:
            yield from card_points(deck)
        for dealt in self._secrets._dealt.values():
            lockers = {
                author
                for seat, asked in dealt.locks
                for author in self._authors(seat, asked)
                if SecretValue("seed", author) not in self.facts
            }
            for point in dealt.points:
                keys = self._keys_of(point)
                if lockers <= {key.author for key in keys if key in self.facts}:
                    yield point

    def _keys_of(self, point: bytes | None) -> list[SecretValue]:
        """Return the keys with which honest seats have locked a point.

        They belong to its places in those seats' lists; a liar may have moved it since.
        """
        found: list[SecretValue] = []
        while point is not None:
            if point in self._secrets._locked_with:
                found.append(self._secrets._locked_with[point])
            point = self._secrets._came_from.get(point)
        return found

    def _authors(self, seat: int, asked: bytes) -> list[Author]:
        """Return the authors of a lock, if the seat is honest."""
        return [by for by, other in self._secrets._locks if other == asked and by[1] == seat]


def _author(secrets: RoundSecrets) -> Author:
    return (secrets.context.open_hash, secrets.context.seat)


def _is_no_secret(body: Body) -> bool:
    """Whether a body holds only lists of points, followed as such, or a card that was named.

    It is not promised that nobody has seen a card that was named but not accepted.
    """
    payload = body.payload
    plays = isinstance(payload, bodies.Act) and isinstance(payload.action, Play)
    return plays or isinstance(payload, bodies.Pass)
