"""The story of a finished game: all cards are known, and the path of each card is complete."""

from __future__ import annotations

import msgspec

from lanuno.log.audit.story import CardPlace, RoundStory, Story, build_story, card_path
from lanuno.log.faults import VoidReason
from lanuno.log.format.bodies import DropReason
from lanuno.log.format.transcript import read
from lanuno.log.round.round_record import Acted, ProtocolPhase, ShuffleDone
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine.actions import Action, Play
from lanuno.rules.engine.results import RoundResult
from lanuno.rules.engine.round import Round
from tests.harness.log_table.log_table import SHORT, LogTable, new_table


def story_of(table: LogTable) -> Story:
    return build_story(read(table.file), len(table.entries))


def play(story: Story) -> RoundStory:
    return next(each for each in story.rounds if each.dealer is not None)


def test_every_hand_and_every_card_is_known(finished: LogTable) -> None:
    steps: list[tuple[int, int]] = []
    total = len(finished.entries)
    story = build_story(read(finished.file), total, lambda *step: steps.append(step))
    assert steps == [(done, total) for done in range(1, total + 1)]
    assert story.players == ("p0", "p1", "p2")
    assert story.ruleset == finished.replay.roster.ruleset
    assert [each.number for each in story.rounds] == [0, 1]
    assert [each.dealer for each in story.rounds] == [None, finished.log.dealer]
    size = deck_tables(story.ruleset.deck).size
    for each in story.rounds:
        assert sorted(each.cards.values()) == list(range(size))
        assert each.moments[0].taken_input is None
        assert each.moments[0].entry == -1
        entries = [moment.entry for moment in each.moments]
        assert entries == sorted(entries)
        assert each.void is None
        assert each.result is not None


def test_a_bot_is_known_as_one() -> None:
    assert story_of(new_table(3, SHORT, bots={2: 0})).bots == (False, False, True)


def test_played_cards_match_the_cards_of_the_shuffle(finished: LogTable) -> None:
    round_story = play(story_of(finished))
    played = 0
    for moment in round_story.moments:
        if isinstance(moment.taken_input, Acted) and isinstance(moment.taken_input.action, Play):
            action = moment.taken_input.action
            assert round_story.cards[action.slot] == action.card == moment.top
            played += 1
    assert played > 1
    result = round_story.result
    assert isinstance(result, RoundResult)
    last = round_story.moments[-1]
    out = round_story.seats.index(result.winners[0])
    assert last.hands[out] == ()


def test_a_card_is_followed_from_the_deck_to_the_discard_pile(finished: LogTable) -> None:
    round_story = play(story_of(finished))
    first = next(
        moment.taken_input.action
        for moment in round_story.moments
        if isinstance(moment.taken_input, Acted) and isinstance(moment.taken_input.action, Play)
    )
    moves = card_path(round_story, first.card)
    places = [station.place for station in moves if station.place is not CardPlace.PILE]
    assert places == [CardPlace.DECK, *[CardPlace.SHUFFLED] * 3, CardPlace.HAND, CardPlace.DISCARD]
    assert moves[0].position == first.card
    assert [station.seat for station in moves[1:4]] == [0, 1, 2]
    shuffle = round_story.shuffles[0]
    assert moves[3].position == first.slot - shuffle.first_slot
    assert isinstance(round_story.moments[moves[3].moment].taken_input, ShuffleDone)
    held = moves[-2]
    assert held.seat is not None
    hand = round_story.seats.index(held.seat)
    assert first.slot in round_story.moments[held.moment].hands[hand]


def test_a_card_that_nobody_drew_stays_on_the_pile(finished: LogTable) -> None:
    round_story = play(story_of(finished))
    bottom = round_story.cards[round_story.moments[-1].pile[1] - 1]
    last = card_path(round_story, bottom)[-1]
    assert (last.place, last.seat) == (CardPlace.PILE, None)
    first, end = round_story.moments[last.moment].pile
    assert last.position == end - first - 1


def test_cards_that_choose_the_dealer_are_followed_too(finished: LogTable) -> None:
    chosen = story_of(finished).rounds[0]
    ends = {card_path(chosen, card)[-1].place for card in chosen.cards.values()}
    assert ends == {CardPlace.HAND, CardPlace.PILE}
    for moment in chosen.moments:
        assert (moment.top, moment.colour, moment.decider) == (-1, -1, None)
        assert moment.clockwise


def test_a_moment_is_what_everybody_saw_then() -> None:
    """The moments after each engine input are compared, at a table that changes direction."""
    # Three players' cards are the same in every run: no boxes are sealed before they are dealt.
    table = new_table(3, SHORT, salt=5)
    seen: dict[int, tuple[object, ...]] = {}

    def look(now: LogTable) -> bool:
        if not now.replay.number or not now.log.inputs:
            return False
        engine = now.engine
        hands = tuple(tuple(engine.hands.get(seat, ())) for seat in now.log.seats)
        to_turn = 1 if engine.top < 0 < engine.pile_end else 0
        pile = (engine.pile_next - to_turn, engine.pile_end)
        turn = (engine.direction == 1, engine.decider)
        seen[len(now.log.inputs)] = (hands, pile, engine.top, engine.colour, *turn)
        return now.replay.between_rounds

    table.run(look)
    last = story_of(table).rounds[-1]
    assert {said[-2] for said in seen.values()} == {True, False}
    for number, moment in enumerate(last.moments):
        if number in seen:
            table_then = (moment.hands, moment.pile, moment.top, moment.colour)
            assert (*table_then, moment.clockwise, moment.decider) == seen[number]
    assert len(seen) > len(last.moments) // 2


def test_a_card_that_is_shuffled_again_goes_on() -> None:
    """The players draw until the discards are needed, and then play to the end."""

    def choose(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
        plays = [act for act in acts if isinstance(act, Play)]
        many = len(table.engine.hands[seat]) > 8
        return plays[0] if plays and (many or len(table.log.deals) > 1) else acts[-1]

    round_story = play(story_of(new_table(2, choose=choose, salt=5).run()))
    assert len(round_story.shuffles) > 1
    again = round_story.shuffles[1]
    moves = card_path(round_story, again.orders[0][0])
    places = [each.place for each in moves]
    assert places.count(CardPlace.DECK) == 2
    assert CardPlace.DISCARD in places[: places.index(CardPlace.DECK, 1)]
    assert moves[-1].moment > moves[0].moment


def test_before_the_first_round_the_story_is_empty(finished: LogTable) -> None:
    assert build_story(read(finished.file), 0).rounds == ()


def test_an_unfinished_round_is_in_the_story(finished: LogTable) -> None:
    table = finished.fork(len(finished.entries) // 2)
    table.run(lambda now: bool(now.log.inputs) and now.log.phase is ProtocolPhase.PLAY)
    before = len(table.log.inputs)
    last = story_of(table).rounds[-1]
    assert len(last.moments) == before + 1
    assert last.shuffles == ()
    assert last.cards == dict(table.log.engine.face_up)
    assert last.result is None


def test_a_seed_that_never_came_leaves_what_lay_open() -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is ProtocolPhase.REVEAL)
    table.add(1, table.reveal(1))
    table.drop(2, DropReason.SILENT)
    table.run(lambda now: now.replay.between_rounds)
    last = story_of(table).rounds[-1]
    assert last.void is VoidReason.LOST
    assert last.shuffles == ()
    assert 0 < len(last.cards) < 108
    opened = next(iter(last.cards.values()))
    assert not any(station.place is CardPlace.SHUFFLED for station in card_path(last, opened))


def test_a_false_seed_is_not_believed() -> None:
    table = new_table(3, SHORT, salt=9)
    table.run(lambda now: now.replay.number == 1 and now.log.phase is ProtocolPhase.REVEAL)
    table.add(1, msgspec.structs.replace(table.reveal(1), seed=bytes(32)))
    table.run(lambda now: now.replay.between_rounds)
    last = story_of(table).rounds[-1]
    assert last.void is VoidReason.FAULT
    assert last.shuffles == ()


def test_a_lost_seats_cards_come_from_its_recovered_seed() -> None:
    table = new_table(4, SHORT, salt=3)
    table.run(lambda now: now.replay.number == 1 and _in_play(now))
    table.drop(2)
    table.run(lambda now: now.replay.between_rounds)
    last = story_of(table).rounds[-1]
    assert last.void is None
    assert len(last.shuffles[0].seats) == 4
    assert last.moments[-1].hands[last.seats.index(2)] == ()


def _in_play(table: LogTable) -> bool:
    return isinstance(table.log.engine, Round) and table.engine.decider is not None
