"""What revealed seeds prove: every cheat is detected, and only its author is named."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from lanuno.dealing.deal import (
    Deal,
    DealFault,
    StepKind,
    honest_step,
    mask_scalar,
    take_step,
)
from lanuno.dealing.errors import Misuse
from lanuno.dealing.group import (
    Flaw,
    card_points,
    multiply,
    multiply_each,
    public_key,
    scalar_bytes,
)
from lanuno.dealing.passes import PassStep, lock_step, mask_step
from lanuno.dealing.permutation import permute
from lanuno.dealing.verify import dealt_cards, verify_deal
from tests.dealing.players import (
    OPEN,
    company,
    key_of,
    new_deal,
    play,
    play_until,
    release,
    secrets_of,
    table_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lanuno.dealing.passes import PassStep
    from lanuno.dealing.secrets import RoundSecrets

SIZE = 10
SEATS = (4, 1, 7)


def swapped_points(deal: Deal, secrets: RoundSecrets) -> PassStep:
    step = take_step(deal, secrets)
    first, second, *rest = step.points
    return replace(step, points=(second, first, *rest))


def swapped_card(deal: Deal, secrets: RoundSecrets) -> PassStep:
    """Replace one card by another point under the same scalar."""
    step = take_step(deal, secrets)
    strange = multiply(card_points(112)[50], mask_scalar(deal, secrets))
    return replace(step, points=(strange, *step.points[1:]))


def one_point_multiplied(deal: Deal, secrets: RoundSecrets) -> PassStep:
    step = take_step(deal, secrets)
    return replace(step, points=(*step.points[:-1], multiply(step.points[-1], 2)))


def another_public_key(deal: Deal, secrets: RoundSecrets) -> PassStep:
    step = take_step(deal, secrets)
    return replace(step, keys=(public_key(99), *step.keys[1:]))


def of_another_seed(deal: Deal, secrets: RoundSecrets) -> PassStep:
    """Do an honest step with a seed that was not committed to."""
    assert deal.expected is not None
    other = secrets_of(secrets.context.seat, salt=1)
    return honest_step(deal, deal.expected[0], deal.input, other)


def of_another_deal(deal: Deal, secrets: RoundSecrets) -> PassStep:
    """Use the scalars and the permutation of another deal number."""
    assert deal.expected is not None
    step_input = deal.step_input(*deal.expected)
    mask = secrets.mask_scalar(77, step_input)
    if deal.expected[0] is StepKind.MASK:
        order = secrets.permutation(77, deal.size, step_input)
        return mask_step(deal.input, mask, order)
    return lock_step(deal.input, mask, secrets.slot_scalars(77, deal.size, step_input))


def of_another_input(deal: Deal, secrets: RoundSecrets) -> PassStep:
    """Do an honest step with the secrets of a step at another table."""
    assert deal.expected is not None
    kind, seat = deal.expected
    other = Deal(deal.number, deal.deck, deal.cards, deal.order, table=b"elsewhere", open_hash=OPEN)
    play_until(other, company(deal.order), (kind, seat))
    return honest_step(other, kind, deal.input, secrets)


def points_of_an_earlier_list(deal: Deal, secrets: RoundSecrets) -> PassStep:
    """Publish the unchanged input as the result of the step."""
    return replace(take_step(deal, secrets), points=deal.input)


CHEATS = [
    swapped_points,
    swapped_card,
    one_point_multiplied,
    another_public_key,
    of_another_seed,
    of_another_deal,
    of_another_input,
    points_of_an_earlier_list,
]
PLACES = [(kind, seat) for kind in (StepKind.MASK, StepKind.LOCK) for seat in SEATS]


@pytest.mark.parametrize("cheat", CHEATS)
@pytest.mark.parametrize("place", PLACES)
def test_every_cheat_names_its_author_only(
    cheat: Callable[[Deal, RoundSecrets], PassStep], place: tuple[StepKind, int]
) -> None:
    kind, seat = place
    secrets = company(SEATS)
    deal = new_deal(0, 112, range(SIZE), SEATS)
    play_until(deal, secrets, place)
    assert deal.accept(seat, cheat(deal, secrets[seat])) is None
    # The result is the same if the deal ends here and if honest seats play it to the end.
    blamed = (DealFault(seat, kind, Flaw.DIFFERS),)
    assert verify_deal(deal, secrets) == blamed
    play(deal, secrets)
    assert verify_deal(deal, secrets) == blamed
    assert blamed[0].name == ("bad-mask" if kind is StepKind.MASK else "bad-lock")


def test_two_cheats_are_both_named() -> None:
    secrets = company(SEATS)
    deal = new_deal(0, 112, range(SIZE), SEATS)
    for place in ((StepKind.MASK, 1), (StepKind.LOCK, 4)):
        play_until(deal, secrets, place)
        assert deal.accept(place[1], swapped_points(deal, secrets[place[1]])) is None
    play(deal, secrets)
    assert [(fault.seat, fault.name) for fault in verify_deal(deal, secrets)] == [
        (1, "bad-mask"),
        (4, "bad-lock"),
    ]


def test_a_wrong_permutation_with_the_right_scalar_is_a_bad_mask() -> None:
    secrets = company(SEATS)
    deal = new_deal(0, 112, range(SIZE), SEATS)
    play_until(deal, secrets, (StepKind.MASK, 7))
    mask = mask_scalar(deal, secrets[7])
    chosen = permute(deal.input, tuple(range(SIZE)))
    step = PassStep(multiply_each(chosen, mask), (public_key(mask),))
    assert deal.accept(7, step) is None
    play(deal, secrets)
    assert verify_deal(deal, secrets) == (DealFault(7, StepKind.MASK, Flaw.DIFFERS),)
    # All cards are present: only the seeds show that one seat chose their places.
    table = table_of(deal)
    release(table, deal, deal.slots, secrets)
    opened = {slot: table.open(slot) for slot in deal.slots}
    assert set(opened.values()) == set(range(SIZE))
    assert opened != dealt_cards((deal,), secrets)


def test_a_lock_that_differs_from_its_slot_key() -> None:
    """The slot key belongs to another scalar than the point; once released, the slot is no card."""
    secrets = company(SEATS)
    deal = new_deal(0, 112, range(SIZE), SEATS)
    play_until(deal, secrets, (StepKind.LOCK, 1))
    step = take_step(deal, secrets[1])
    lie = replace(step, keys=(public_key(1234), *step.keys[1:]))
    assert deal.accept(1, lie) is None
    play(deal, secrets)
    table = table_of(deal)
    release(table, deal, (0,), secrets, but=1)
    assert not table.release(1, 0, key_of(secrets[1], deal, 0))
    assert table.release(1, 0, scalar_bytes(1234))
    assert table.open(0) is None
    assert verify_deal(deal, secrets) == (DealFault(1, StepKind.LOCK, Flaw.DIFFERS),)
    assert table.release_from_seed(secrets[1]) == (0,)


def test_seats_without_a_seed_are_passed_over() -> None:
    secrets = company(SEATS)
    deal = new_deal(0, 112, range(SIZE), SEATS)
    play_until(deal, secrets, (StepKind.MASK, 1))
    assert deal.accept(1, swapped_points(deal, secrets[1])) is None
    play(deal, secrets)
    present = {seat: secrets[seat] for seat in (4, 7)}
    assert verify_deal(deal, present) == ()
    with pytest.raises(Misuse):
        dealt_cards((deal,), present)


def test_cards_are_known_of_finished_deals_in_their_order() -> None:
    secrets = company(SEATS)
    with pytest.raises(Misuse):
        dealt_cards((new_deal(0, 112, range(SIZE), SEATS),), secrets)
    first = play(new_deal(0, 112, range(SIZE), SEATS), secrets)
    back = table_of(first).locked((1, 2), SEATS)
    second = play(new_deal(1, 112, (), SEATS, locked=back, first_slot=SIZE), secrets)
    with pytest.raises(Misuse):
        dealt_cards((second,), secrets)
    assert len(dealt_cards((first, second), secrets)) == SIZE + 2
    assert dealt_cards((), secrets) == {}


# Reshuffles with locked slots.


def reshuffle(secrets: dict[int, RoundSecrets]) -> Deal:
    first = play(new_deal(0, 112, range(SIZE), SEATS), secrets)
    table = table_of(first)
    release(table, first, (3,), secrets)
    turned = table.open(3)
    assert turned is not None
    back = table.locked((5, 6, 8), SEATS)
    return new_deal(1, 112, (turned,), SEATS, locked=back, first_slot=SIZE)


@pytest.mark.parametrize("kind", list(StepKind))
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize(
    "cheat", [swapped_points, one_point_multiplied, another_public_key, of_another_seed]
)
def test_cheats_in_a_reshuffle_name_their_author_only(
    cheat: Callable[[Deal, RoundSecrets], PassStep], seat: int, kind: StepKind
) -> None:
    secrets = company(SEATS)
    deal = reshuffle(secrets)
    play_until(deal, secrets, (kind, seat))
    assert deal.accept(seat, cheat(deal, secrets[seat])) is None
    play(deal, secrets)
    faults = verify_deal(deal, secrets)
    assert faults == (DealFault(seat, kind, Flaw.DIFFERS),)
    assert faults[0].name == ("bad-mask" if kind is StepKind.MASK else "bad-lock")
