"""A game told from behind: all cards are known, and each can be followed wherever it went."""

from __future__ import annotations

import msgspec

from lanuno.log.bodies import DropReason
from lanuno.log.faults import VoidReason
from lanuno.log.round_record import Acted, Phase, ShuffleDone
from lanuno.log.story import Place, RoundStory, Story, path, tell
from lanuno.log.transcript import read
from lanuno.rules.actions import Action, Play
from lanuno.rules.cards import deck_tables
from lanuno.rules.engine import Round
from lanuno.rules.results import RoundResult
from tests.harness.log_table.log_table import SHORT, LogTable, new_table


def told(table: LogTable) -> Story:
    return tell(read(table.file), len(table.entries))


def play(story: Story) -> RoundStory:
    return next(each for each in story.rounds if each.dealer is not None)


def test_every_hand_and_every_card_is_known(finished: LogTable) -> None:
    steps: list[tuple[int, int]] = []
    total = len(finished.entries)
    story = tell(read(finished.file), total, lambda *step: steps.append(step))
    assert steps == [(done, total) for done in range(1, total + 1)]
    assert story.players == ("p0", "p1", "p2")
    assert story.ruleset == finished.replay.roster.ruleset
    assert [each.number for each in story.rounds] == [0, 1]
    assert [each.dealer for each in story.rounds] == [None, finished.log.dealer]
    size = deck_tables(story.ruleset.deck).size
    for each in story.rounds:
        assert sorted(each.cards.values()) == list(range(size))
        assert each.moments[0].said is None
        assert each.moments[0].entry == -1
        entries = [moment.entry for moment in each.moments]
        assert entries == sorted(entries)
        assert each.void is None
        assert each.result is not None


def test_what_was_played_is_what_the_shuffle_had_put_there(finished: LogTable) -> None:
    told_round = play(told(finished))
    played = 0
    for moment in told_round.moments:
        if isinstance(moment.said, Acted) and isinstance(moment.said.action, Play):
            action = moment.said.action
            assert told_round.cards[action.slot] == action.card == moment.top
            played += 1
    assert played > 1
    result = told_round.result
    assert isinstance(result, RoundResult)
    last = told_round.moments[-1]
    out = told_round.seats.index(result.winners[0])
    assert last.hands[out] == ()


def test_a_card_is_followed_from_the_deck_to_the_discard_pile(finished: LogTable) -> None:
    told_round = play(told(finished))
    first = next(
        moment.said.action
        for moment in told_round.moments
        if isinstance(moment.said, Acted) and isinstance(moment.said.action, Play)
    )
    stations = path(told_round, first.card)
    places = [station.place for station in stations if station.place is not Place.PILE]
    assert places == [Place.DECK, *[Place.SHUFFLED] * 3, Place.HAND, Place.DISCARD]
    assert stations[0].position == first.card
    assert [station.seat for station in stations[1:4]] == [0, 1, 2]
    shuffle = told_round.shuffles[0]
    assert stations[3].position == first.slot - shuffle.first_slot
    assert isinstance(told_round.moments[stations[3].moment].said, ShuffleDone)
    held = stations[-2]
    assert held.seat is not None
    hand = told_round.seats.index(held.seat)
    assert first.slot in told_round.moments[held.moment].hands[hand]


def test_a_card_that_nobody_drew_stays_on_the_pile(finished: LogTable) -> None:
    told_round = play(told(finished))
    bottom = told_round.cards[told_round.moments[-1].pile[1] - 1]
    last = path(told_round, bottom)[-1]
    assert (last.place, last.seat) == (Place.PILE, None)
    first, end = told_round.moments[last.moment].pile
    assert last.position == end - first - 1


def test_cards_that_choose_the_dealer_are_followed_too(finished: LogTable) -> None:
    chosen = told(finished).rounds[0]
    ends = {path(chosen, card)[-1].place for card in chosen.cards.values()}
    assert ends == {Place.HAND, Place.PILE}
    for moment in chosen.moments:
        assert (moment.top, moment.colour, moment.decider) == (-1, -1, None)
        assert moment.clockwise


def test_a_moment_is_what_everybody_saw_then() -> None:
    """Right after each thing that is fed to the engine, at a table that turns its direction."""
    # Of three, whose cards are the same in every run: no boxes are sealed before they are dealt.
    table = new_table(3, SHORT, salt=5)
    seen: dict[int, tuple[object, ...]] = {}

    def look(now: LogTable) -> bool:
        if not now.replay.number or not now.log.inputs:
            return False
        engine = now.engine
        hands = tuple(tuple(engine.hands.get(seat, ())) for seat in now.log.seats)
        pile = (engine.pile_next, engine.pile_end)
        turn = (engine.direction == 1, engine.decider)
        seen[len(now.log.inputs)] = (hands, pile, engine.top, engine.colour, *turn)
        return now.replay.between_rounds

    table.run(look)
    last = told(table).rounds[-1]
    assert {said[-2] for said in seen.values()} == {True, False}
    for number, moment in enumerate(last.moments):
        if number in seen:
            table_then = (moment.hands, moment.pile, moment.top, moment.colour)
            assert (*table_then, moment.clockwise, moment.decider) == seen[number]
    assert len(seen) > len(last.moments) // 2


def test_a_card_that_is_shuffled_again_goes_on() -> None:
    """Draw until the discards are needed, then play it out."""

    def choose(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        plays = [act for act in acts if isinstance(act, Play)]
        many = len(table.engine.hands[seat]) > 8
        return plays[0] if plays and (many or len(table.log.deals) > 1) else acts[-1]

    told_round = play(told(new_table(2, choose=choose, salt=5).run()))
    assert len(told_round.shuffles) > 1
    again = told_round.shuffles[1]
    stations = path(told_round, again.orders[0][0])
    places = [each.place for each in stations]
    assert places.count(Place.DECK) == 2
    assert Place.DISCARD in places[: places.index(Place.DECK, 1)]
    assert stations[-1].moment > stations[0].moment


def test_before_the_first_round_there_is_nothing_to_tell(finished: LogTable) -> None:
    assert tell(read(finished.file), 0).rounds == ()


def test_a_round_that_is_not_over_is_told_as_far_as_it_goes(finished: LogTable) -> None:
    table = finished.fork(len(finished.entries) // 2)
    table.run(lambda now: bool(now.log.inputs) and now.log.phase is Phase.PLAY)
    before = len(table.log.inputs)
    last = told(table).rounds[-1]
    assert len(last.moments) == before + 1
    assert last.shuffles == ()
    assert last.cards == dict(table.log.engine.face_up)
    assert last.result is None


def test_a_seed_that_never_came_leaves_what_lay_open() -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is Phase.REVEAL)
    table.say(1, table.reveal(1))
    table.drop(2, DropReason.SILENT)
    table.run(lambda now: now.replay.between_rounds)
    last = told(table).rounds[-1]
    assert last.void is VoidReason.LOST
    assert last.shuffles == ()
    assert 0 < len(last.cards) < 108
    opened = next(iter(last.cards.values()))
    assert not any(station.place is Place.SHUFFLED for station in path(last, opened))


def test_a_false_seed_is_not_believed() -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is Phase.REVEAL)
    table.say(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run(lambda now: now.replay.between_rounds)
    last = told(table).rounds[-1]
    assert last.void is VoidReason.FAULT
    assert last.shuffles == ()


def test_whoever_left_is_told_of_from_the_seed_that_came_back() -> None:
    table = new_table(4, SHORT, salt=3)
    table.run(lambda now: now.replay.number == 1 and _in_play(now))
    table.drop(2)
    table.run(lambda now: now.replay.between_rounds)
    last = told(table).rounds[-1]
    assert last.void is None
    assert len(last.shuffles[0].seats) == 4
    assert last.moments[-1].hands[last.seats.index(2)] == ()


def _in_play(table: LogTable) -> bool:
    return isinstance(table.log.engine, Round) and table.engine.decider is not None
