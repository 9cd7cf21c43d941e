"""What a dishonest player can still learn: each test states the desired property, and fails.

These attacks stay possible until every step of a deal is proven before the first card is opened and
finality is signed. `resources/spec/threats.md` names them under what is not promised. A test that
passes marks a leak as fixed: remove its marker then, and the threat with it.
"""

from __future__ import annotations

from random import Random

import pytest

from lanuno.dealing.deal import Deal, StepKind, slot_scalars, take_step
from lanuno.dealing.escrow import rebuild, split
from lanuno.dealing.group import card_points, inverse, multiply
from lanuno.dealing.passes import PassStep
from lanuno.dealing.secrets import RoundContext, RoundSecrets, ViewSecrets
from lanuno.dealing.slots import SlotTable
from lanuno.log.format.bodies import Act
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.view import SeatView
from lanuno.table.messages import Submit
from lanuno.table.outputs import Send
from tests.harness.host_and_seats.table_sim import SimPeer, TableSim

DECK = 108
TABLE, OPEN = bytes(32), bytes(31) + b"o"
LIAR, VICTIM = 0, 1


class Waiting:
    """A player that never decides."""

    def choose(self, seen: SeatView) -> Action | None:
        del seen
        return None


def secrets_of(seat: int, seed: int = 1) -> RoundSecrets:
    """Return the secrets of one seat in one round."""
    context = RoundContext(TABLE, OPEN, seat, bytes([seat] * 32))
    return RoundSecrets(Random(f"{seat} {seed}").randbytes(32), context)


def fresh(cards: int = 30) -> Deal:
    """Return a deal of two seats in which the liar masks first."""
    return Deal(1, DECK, range(cards), (LIAR, VICTIM), table=TABLE, open_hash=OPEN)


@pytest.mark.xfail(strict=True, reason="masks are not proven: a list with a mark shows its way")
def test_a_point_that_a_liar_marks_is_not_recognised_behind_the_next_mask() -> None:
    """The liar's mask holds a card twice, once multiplied by a number that only the liar knows."""
    deal, mark = fresh(), 7
    honest = take_step(deal, secrets_of(LIAR))
    marked = (*honest.points[:-1], multiply(honest.points[0], mark))
    assert deal.accept(LIAR, PassStep(marked, honest.keys)) is None
    masked = take_step(deal, secrets_of(VICTIM))
    pairs = [
        (one, two)
        for one, point in enumerate(masked.points)
        for two, other in enumerate(masked.points)
        if multiply(point, mark) == other
    ]
    assert pairs == [], "the liar knows where the first card of its list went"


@pytest.mark.xfail(strict=True, reason="locks are not proven: a liar may move what is locked")
def test_the_key_of_one_slot_opens_no_other() -> None:
    """The liar locks last, and moves a card to another card's place."""
    deal = Deal(1, DECK, range(30), (VICTIM, LIAR), table=TABLE, open_hash=OPEN)
    for seat in (VICTIM, LIAR, VICTIM):
        assert deal.accept(seat, take_step(deal, secrets_of(seat))) is None
    lock = take_step(deal, secrets_of(LIAR))
    points = (lock.points[5], *lock.points[1:5], lock.points[0], *lock.points[6:])
    assert deal.accept(LIAR, PassStep(points, lock.keys)) is None
    given, own = slot_scalars(deal, secrets_of(VICTIM)), slot_scalars(deal, secrets_of(LIAR))
    opened = multiply(multiply(deal.points[5], inverse(given[0])), inverse(own[0]))
    assert opened not in card_points(DECK), "the key of slot 0 has opened what lies in slot 5"


@pytest.mark.xfail(strict=True, reason="a common step is not proven: it answers a guess")
def test_a_guess_that_is_put_into_a_common_pass_is_not_answered() -> None:
    """Closed slots return to the deck, and the liar replaces a public card by a guess.

    One scalar of the victim is then on the guess and on the cards of all of these slots.
    """
    before = fresh()
    for seat in (LIAR, VICTIM, LIAR, VICTIM):
        assert before.accept(seat, take_step(before, secrets_of(seat))) is None
    slots = SlotTable()
    slots.add(before)
    back = slots.locked([3, 4], (LIAR, VICTIM))
    deal = Deal(2, DECK, [40], (LIAR, VICTIM), table=TABLE, open_hash=OPEN, locked=back)
    common = take_step(deal, secrets_of(LIAR))
    scalar = secrets_of(LIAR).common_scalar(2, deal.step_input(StepKind.COMMON, LIAR))
    keys = [slot_scalars(before, secrets_of(seat))[3] for seat in (LIAR, VICTIM)]
    guess = multiply(multiply(back[0].point, inverse(keys[0])), inverse(keys[1]))
    assert guess in card_points(DECK), "a lucky guess, so that there is something to see"
    points = (multiply(guess, scalar), *common.points[1:])
    assert deal.accept(LIAR, PassStep(points, common.keys)) is None
    answer = take_step(deal, secrets_of(VICTIM)).points
    assert answer[0] not in answer[1:], "the liar knows in which slot the card is"


@pytest.mark.xfail(strict=True, reason="all other owners together hold all shares of a seed")
def test_all_others_together_do_not_have_a_seed() -> None:
    """Each of them contributes the share that it opens with its own box key."""
    victim = secrets_of(VICTIM)
    views = [ViewSecrets(secrets_of(seat).seed, secrets_of(seat).context) for seat in (0, 2, 3)]
    boxes = [view.box_key(VICTIM) for view in views]
    shares = split(victim, (0, 2, 3), boxes)
    assert rebuild(shares) != victim.seed


@pytest.mark.xfail(strict=True, reason="a Play holds the last key of its card, taken or not")
def test_a_card_that_is_named_in_vain_stays_closed() -> None:
    """The host receives the name of a card, and appends a different body to the log."""
    sim = TableSim(2, 3)
    player = sim.peers[VICTIM]
    player.player = Waiting()

    def to_play() -> bool:
        return player.session is not None and player.seat_session.to_move and bool(_plays(player))

    sim.run_until(to_play)
    play = _plays(player)[0]
    said = [each.message for each in player.seat_session.act(play) if isinstance(each, Send)]
    [act] = [each.body.read().payload for each in said if isinstance(each, Submit)]
    assert isinstance(act, Act)
    assert sim.host_role is not None
    current = sim.host_role.replay.round
    assert current is not None
    assert current.slots.missing(play.slot) == (VICTIM,), "only the victim's key keeps it closed"
    assert current.slots.open(play.slot, {VICTIM: act.proof}) is None


def _plays(peer: SimPeer) -> list[Play]:
    seen = peer.seat_session.view()
    return [] if seen is None else [each for each in seen.legal if isinstance(each, Play)]
