"""Secrets are bound to their input: what the input covers, and what a rewound seat gives away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace

from lanuno.dealing.deal import (
    Deal,
    StepKind,
    common_scalar,
    mask_scalar,
    packed,
    permutation,
    slot_scalars,
    take_step,
)
from lanuno.dealing.errors import Misuse
from lanuno.dealing.group import ORDER, card_points, multiply_each, public_key
from lanuno.dealing.hashing import H, u32
from lanuno.dealing.passes import PassStep, mask_step
from tests.dealing.players import OPEN, TABLE, accept_honest, company, play, play_until, table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lanuno.dealing.passes import PassStep

SIZE = 12
SEATS = (0, 1, 2)
SECRETS = company(SEATS)
ELSE = H("something-else")


def fresh(**changed: Any) -> Deal:
    about: dict[str, Any] = {"number": 4, "deck": 108, "cards": range(SIZE), "order": SEATS}
    return Deal(**(about | {"table": TABLE, "open_hash": OPEN} | changed))


def again(**changed: Any) -> Deal:
    """Return another deal, to which three locked slots return."""
    back = table_of(play(fresh(), SECRETS)).locked((3, 7, 8), SEATS)
    return fresh(**({"number": 5, "cards": (2, 90), "locked": back, "first_slot": SIZE} | changed))


def other_points(step: PassStep) -> PassStep:
    return replace(step, points=step.points[::-1])


def other_keys(step: PassStep) -> PassStep:
    return replace(step, keys=(public_key(5), *step.keys[1:]))


def played(
    deal: Deal, strange: int = -1, change: Callable[[PassStep], PassStep] = other_points
) -> Deal:
    """Play a deal to its end and change only the step of this number."""
    while deal.expected is not None:
        if len(deal.accepted) == strange:
            seat = deal.expected[1]
            assert deal.accept(seat, change(take_step(deal, SECRETS[seat]))) is None
        else:
            accept_honest(deal, SECRETS)
    return deal


def inputs(deal: Deal) -> list[bytes]:
    return [deal.step_input(taken.kind, taken.seat) for taken in deal.accepted]


# The coverage of the input.


@pytest.mark.parametrize(
    "changed",
    [
        {"table": ELSE},
        {"open_hash": ELSE},
        {"number": 6},
        {"deck": 112},
        {"order": (0, 2, 1)},
        {"order": (0, 1)},
        {"order": (0, 1, 2, 3)},
        {"cards": (2, 91)},
        {"cards": (90, 2)},
        {"cards": (2,)},
        {"cards": (2, 90, 91)},
        {"locked": ()},
    ],
)
def test_the_first_input_covers_what_the_deal_begins_with(changed: dict[str, Any]) -> None:
    assert first_of(again(**changed)) != first_of(again())


def first_of(deal: Deal) -> bytes:
    assert deal.expected is not None
    return deal.step_input(*deal.expected)


def test_the_first_input_covers_the_locked_slots() -> None:
    deal = again()
    one, two, three = deal.locked
    keys = one.keys
    changed = [
        (two, one, three),
        (one, two),
        (replace(one, slot=99), two, three),
        (replace(one, point=card_points(108)[50]), two, three),
        *(
            (replace(one, keys=(*keys[:at], (seat, public_key(9)), *keys[at + 1 :])), two, three)
            for at, seat in enumerate(SEATS)
        ),
        (replace(one, keys=(keys[1], keys[0], keys[2])), two, three),
    ]
    hashes = [first_of(deal), *(first_of(again(locked=locked)) for locked in changed)]
    assert len(set(hashes)) == len(hashes)


def test_the_first_input_covers_nothing_else() -> None:
    """Where a slot was locked and which numbers the new slots get is fixed by the log already."""
    deal = again()
    elsewhere = tuple(
        replace(each, deal=77, size=50, index=0, inputs=((0, ELSE), (1, ELSE), (2, ELSE)))
        for each in deal.locked
    )
    assert first_of(again(locked=elsewhere)) == first_of(deal)
    assert first_of(again(first_slot=500)) == first_of(deal)


@pytest.mark.parametrize("make", [fresh, again])
def test_inputs_are_chained_by_kind_seat_points_and_keys(make: Callable[[], Deal]) -> None:
    """The input has the specified bytes; its framing makes the hash depend on every part."""
    deal = played(make())
    chain = inputs(deal)
    for before, after, taken in zip(chain, chain[1:], deal.accepted, strict=False):
        points, keys = packed(taken.step)
        parts = [before, taken.kind.value.encode(), u32(taken.seat), points, keys]
        assert after == H("step", *parts)
        others = [ELSE, b"other", u32(9), points[33:] + points[:33], keys[:-1] + b"\x00"]
        for at, other in enumerate(others):
            assert H("step", *parts[:at], other, *parts[at + 1 :]) != after


@pytest.mark.parametrize("change", [other_points, other_keys])
@pytest.mark.parametrize("make", [fresh, again])
def test_every_earlier_step_changes_all_later_inputs(
    make: Callable[[], Deal], change: Callable[[PassStep], PassStep]
) -> None:
    honest = inputs(played(make()))
    for strange in range(len(honest)):
        found = inputs(played(make(), strange, change))
        assert found[: strange + 1] == honest[: strange + 1]
        assert not set(found[strange + 1 :]) & set(honest)


def test_a_refused_step_changes_no_input() -> None:
    deal, other = fresh(), fresh()
    step = take_step(deal, SECRETS[0])
    assert deal.accept(0, replace(step, points=step.points[:-1])) is not None
    assert deal.accept_packed(0, b"", b"") is not None
    assert inputs(played(deal)) == inputs(played(other))


def test_inputs_of_steps_to_come_are_not_known() -> None:
    deal = fresh()
    with pytest.raises(Misuse):
        deal.step_input(StepKind.COMMON, 0)  # not of this deal
    with pytest.raises(Misuse):
        deal.step_input(StepKind.MASK, 3)
    plan = [(kind, seat) for kind in (StepKind.MASK, StepKind.LOCK) for seat in SEATS]
    known = []
    for place, (kind, seat) in enumerate(plan):
        for later in plan[place + 1 :]:
            with pytest.raises(Misuse):
                deal.step_input(*later)
        known.append(deal.step_input(kind, seat))
        accept_honest(deal, SECRETS)
        assert inputs(deal) == known  # the inputs of earlier steps do not change
    for ask in (mask_scalar, permutation, slot_scalars):
        with pytest.raises(Misuse):
            ask(fresh(), SECRETS[1])
    with pytest.raises(Misuse):
        common_scalar(fresh(), SECRETS[0])


# The secrets that follow from the input.


def secrets_in(deal: Deal, seat: int) -> tuple[set[object], tuple[int, ...]]:
    """Return the scalars and the permutation that a seat uses in a finished deal."""
    secrets = SECRETS[seat]
    scalars: set[object] = {mask_scalar(deal, secrets), *slot_scalars(deal, secrets)}
    if deal.locked:
        scalars.add(common_scalar(deal, secrets))
    assert len(scalars) == deal.size + (2 if deal.locked else 1)
    return scalars, permutation(deal, secrets)


@pytest.mark.parametrize("make", [fresh, again])
def test_the_same_input_gives_the_same_secrets(make: Callable[[], Deal]) -> None:
    one, two = played(make()), played(make())
    for seat in SEATS:
        assert secrets_in(one, seat) == secrets_in(two, seat)
    assert one.points == two.points


@pytest.mark.parametrize("change", [other_points, other_keys])
@pytest.mark.parametrize("make", [fresh, again])
def test_another_input_gives_unrelated_secrets(
    make: Callable[[], Deal], change: Callable[[PassStep], PassStep]
) -> None:
    """If the first step differs, the seats after it use no scalar twice."""
    one, two = played(make()), played(make(), 0, change)
    for seat in SEATS[1:]:
        (scalars, order), (others, other_order) = (secrets_in(deal, seat) for deal in (one, two))
        assert not scalars & others
        assert one.size < SIZE or order != other_order
        assert not set(one.slot_keys[seat]) & set(two.slot_keys[seat])


def test_another_list_before_the_lock_gives_other_slot_keys() -> None:
    """If the last mask differs, the masks before it are the same and every lock is different."""
    one, two = played(fresh()), played(fresh(), 2)
    for seat in SEATS:
        assert mask_scalar(one, SECRETS[seat]) == mask_scalar(two, SECRETS[seat])
        assert permutation(one, SECRETS[seat]) == permutation(two, SECRETS[seat])
    keys = [{key for seat in SEATS for key in deal.slot_keys[seat]} for deal in (one, two)]
    assert not keys[0] & keys[1]


# The attack that bound inputs prevent.


def xs(points: Sequence[bytes]) -> list[bytes]:
    """Return the coordinates by which points and their mirror images are compared."""
    return [point[1:] for point in points]


def permutation_by_comparing(shown: Sequence[bytes], later: Sequence[bytes]) -> list[int]:
    """Return the secret order of a seat that masked a list and, earlier, the list shifted by one.

    The shifted list ends with a foreign point. A place whose x does not occur in the other answer
    therefore holds the last point. The place in the first answer with the x that the second answer
    has at that place holds the point before it, and so on.
    """
    places = {x: place for place, x in enumerate(xs(later))}
    follows = {place: places.get(x) for place, x in enumerate(xs(shown))}
    order = [-1] * len(later)
    behind = None
    for index in reversed(range(len(later))):
        behind = next(place for place, other in follows.items() if other == behind)
        order[behind] = index
    return order


@pytest.mark.parametrize("mirrored", [False, True])
def test_a_host_that_rewinds_a_guest_learns_nothing_by_its_two_answers(*, mirrored: bool) -> None:
    """The host publishes its list shifted on a tail that will be lost, and later the real list."""
    deal, tail = fresh(order=(0, 1)), fresh(order=(0, 1))
    host, guest = SECRETS[0], SECRETS[1]
    real = accept_honest(deal, {0: host})
    sign = {2: b"\x03", 3: b"\x02"} if mirrored else {2: b"\x02", 3: b"\x03"}
    shifted = tuple([sign[p[0]] + p[1:] for p in (*real.points[1:], public_key(1234))])
    assert tail.accept(0, PassStep(shifted, real.keys)) is None

    # With one scalar and one permutation per deal number, the two answers reveal everything.
    once, order = mask_scalar(deal, guest), permutation(deal, guest)
    shown, later = (mask_step(each.input, once, order) for each in (tail, deal))
    assert permutation_by_comparing(shown.points, later.points) == list(order)

    # With bound inputs the two answers share no point, and their keys differ.
    shown_now, later_now = (take_step(each, guest) for each in (tail, deal))
    assert not set(xs(shown_now.points)) & set(xs(later_now.points))
    assert shown_now.keys != later_now.keys
    assert permutation(tail, guest) != permutation(deal, guest)
    # Nor do the guest's secrets of the tail undo anything in the real list.
    wrong = multiply_each(later_now.points, pow(mask_scalar(tail, guest), -1, ORDER))
    assert not set(xs(wrong)) & set(xs(deal.input))


def test_a_guest_that_is_asked_the_same_again_gives_the_same_bytes() -> None:
    """This holds in another term too: the input covers nothing of the log around a deal."""
    deal, tail = fresh(), fresh()
    for each in (deal, tail):
        play_until(each, SECRETS, (StepKind.MASK, 1))
    assert packed(take_step(deal, SECRETS[1])) == packed(take_step(tail, SECRETS[1]))
