"""Electing the next host: every rule of the voter, and that the rules together suffice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lanuno.dealing.hashing import H
from lanuno.dealing.identity import Identity
from lanuno.log.faults import Unreadable
from lanuno.log.format.codec import encode
from lanuno.log.format.votes import ElectionVote, SignedVote, sign_vote
from lanuno.log.replay.terms import MAX_TERM_STEP
from lanuno.table.messages import RequestVote, VoteReply
from lanuno.table.outputs import StoreVote
from lanuno.table.succession.election import (
    MOST_LEAP,
    ElectionView,
    SendToOwner,
    Voter,
    VoterOutput,
    Won,
)
from tests.table.election_model import BROKEN, TABLES, CounterExample, Search

TABLE = H("table", b"test")
HEAD = H("entry", b"head")
PENS = {seat: Identity.from_seed(bytes([seat + 1]) * 32) for seat in range(6)}
NOW = 100.0


def standing(
    owners: tuple[int, ...] = (0, 1, 2),
    *,
    term: int = 0,
    host: int = 0,
    count: int = 7,
    head: bytes = HEAD,
) -> ElectionView:
    identities = {seat: pen.public for seat, pen in PENS.items()}
    return ElectionView(TABLE, term, host, owners, term, count, head, identities)


def election(seat: int = 1, *, lost: bool = True, at: ElectionView | None = None) -> Voter:
    made = Voter(seat, PENS[seat])
    if lost:
        made.host_lost(NOW, at or standing())
    return made


def ask(term: int = 1, *, pre: bool = False, count: int = 7, head: bytes = HEAD) -> RequestVote:
    return RequestVote(pre, term, 0, count, head)


def vote_of(
    voter: int,
    *,
    table: bytes = TABLE,
    term: int = 1,
    candidate: int = 1,
    count: int = 7,
    head: bytes = HEAD,
) -> SignedVote:
    return sign_vote(ElectionVote(table, term, candidate, voter, 0, count, head), PENS[voter])


def give(vote: SignedVote | None, term: int = 1) -> VoteReply:
    return VoteReply(False, term, True, vote, term)


def answer(steps: list[VoterOutput]) -> VoteReply:
    last = steps[-1]
    assert isinstance(last, SendToOwner)
    assert isinstance(last.message, VoteReply)
    return last.message


def asked_of(steps: list[VoterOutput]) -> list[tuple[int, bool, int]]:
    """Return each request: the owner asked, whether it is a pre-vote, and the term."""
    return [
        (step.seat, step.message.pre, step.message.term)
        for step in steps
        if isinstance(step, SendToOwner) and isinstance(step.message, RequestVote)
    ]


def candidate() -> Voter:
    """Return a candidate for term 1 that has cast its own vote."""
    made = election()
    made.tick(NOW + 4, standing())
    made.vote_replied(2, VoteReply(True, 1, True), NOW + 4, standing())
    assert made.promised == 1
    return made


def spent() -> Voter:
    """Return the voter of an owner that has promised the last term allowed after this log."""
    vote = encode(vote_of(1, term=MAX_TERM_STEP))
    made = Voter(1, PENS[1], {MAX_TERM_STEP: vote})
    made.host_lost(NOW, standing())
    return made


# ---- when somebody stands ---------------------------------------------------------------------


@pytest.mark.parametrize(("seat", "after"), [(1, 4.0), (2, 4.5), (3, 5.0)])
def test_ranks_suspect_one_after_the_other(seat: int, after: float) -> None:
    at = standing((0, 1, 2, 3))
    made = election(seat, at=at)
    assert made.deadline == NOW + after
    assert made.tick(NOW + after - 0.01, at) == []
    others = [other for other in (0, 1, 2, 3) if other != seat]
    assert asked_of(made.tick(NOW + after, at)) == [(other, True, 1) for other in others]
    assert made._campaign is not None
    assert made.promised == 0


def test_an_owner_in_contact_with_the_host_does_not_stand() -> None:
    made = election()
    made.host_in_contact()
    assert made.deadline is None
    assert made.tick(NOW + 9, standing()) == []


@pytest.mark.parametrize("owners", [(0, 1), (1,), (0, 2, 3)])
def test_two_owners_elect_nobody_else_nor_does_somebody_who_does_not_count(
    owners: tuple[int, ...],
) -> None:
    made = election()
    assert made.tick(NOW + 9, standing(owners)) == []
    assert not answer(made.vote_requested(2, ask(), NOW + 9, standing(owners))).granted
    assert made.host_transferred(1, 1, NOW + 9, standing(owners)) == []


def test_with_two_owners_the_host_is_elected_again_with_both_votes() -> None:
    """The other owner has promised a later term, and cannot acknowledge entries of this one."""
    two = standing((0, 1))
    host = election(0, lost=False)
    other = Voter(1, PENS[1], {3: encode(vote_of(1, term=3, candidate=2))})
    assert asked_of(host.outvoted(3, NOW, two)) == [(1, True, 4)]
    granted = answer(other.vote_requested(0, ask(4, pre=True), NOW, two))
    [_, question] = host.vote_replied(1, granted, NOW, two)
    assert isinstance(question, SendToOwner)
    assert isinstance(question.message, RequestVote)
    [won] = host.vote_replied(
        1, answer(other.vote_requested(0, question.message, NOW, two)), NOW, two
    )
    assert isinstance(won, Won)
    assert len(won.votes) == 2


def test_tries_again_with_growing_pauses_that_differ_by_rank() -> None:
    pauses: dict[int, list[float]] = {}
    for seat in (1, 2):
        made, now = election(seat), NOW
        for _ in range(4):
            due = made.deadline
            assert due is not None
            pauses.setdefault(seat, []).append(due - now)
            assert made.tick(due, standing())
            ends = made.deadline
            assert ends is not None
            assert made.tick(ends, standing()) == []
            now = ends
    assert pauses == {1: [4.0, 0.5, 1.0, 1.5], 2: [4.5, 1.0, 2.0, 3.0]}


def test_no_two_owners_stand_together_again_and_again() -> None:
    """Logs with different owners may rank two of them alike; their longest pauses differ."""
    longest: list[float] = []
    for seat, owners in ((1, (0, 1, 3)), (2, (0, 2, 3)), (3, (0, 3, 4))):
        at = standing(owners)
        made = election(seat, at=at)
        now = NOW
        for _ in range(24):
            assert made.deadline is not None
            now = made.deadline
            made.tick(now, at)
        assert made.deadline is not None
        longest.append(made.deadline - now)
    assert longest == [5.25, 5.5, 5.75]


def test_stands_for_a_later_term_than_anybody_has_promised() -> None:
    made = election()
    made.tick(NOW + 4, standing())
    made.vote_replied(2, VoteReply(True, 1, False, None, 5), NOW + 4, standing())
    made.tick(NOW + 6, standing())
    assert asked_of(made.tick(NOW + 7, standing()))[0] == (0, True, 6)


def test_no_false_promise_uses_up_the_terms() -> None:
    made = election()
    made.tick(NOW + 4, standing())
    made.vote_replied(2, VoteReply(True, 1, False, None, 0xFFFFFFFF), NOW + 4, standing())
    made.outvoted(0xFFFFFFFF, NOW + 5, standing())
    made.tick(NOW + 8, standing())
    assert asked_of(made.tick(NOW + 9, standing()))[0] == (0, True, MOST_LEAP)
    far = ask(MOST_LEAP + 1)
    assert not answer(election(2).vote_requested(1, far, NOW, standing())).granted
    assert spent().tick(NOW + 9, standing()) == []


def test_no_false_candidate_uses_up_the_terms() -> None:
    """All owners vote for it in the last possible term, and then it does nothing."""
    voters = {seat: election(seat) for seat in (0, 2)}
    for made in voters.values():
        assert answer(made.vote_requested(1, ask(MOST_LEAP), NOW, standing())).granted
    [pre] = {step[1:] for step in asked_of(voters[0].tick(NOW + 20, standing()))}
    assert pre == (True, MOST_LEAP + 1)
    granted = answer(
        voters[2].vote_requested(0, ask(MOST_LEAP + 1, pre=True), NOW + 20, standing())
    )
    assert granted.granted
    steps = voters[0].vote_replied(2, granted, NOW + 20, standing())
    assert {step[1:] for step in asked_of(steps)} == {(False, MOST_LEAP + 1)}
    said = answer(voters[2].vote_requested(0, ask(MOST_LEAP + 1), NOW + 20, standing()))
    [won] = voters[0].vote_replied(2, said, NOW + 20, standing())
    assert isinstance(won, Won)
    assert won.term == MOST_LEAP + 1
    far = ask(2 * MOST_LEAP + 2)
    assert not answer(voters[2].vote_requested(1, far, NOW + 30, standing())).granted


def stands_again(made: Voter, at: ElectionView, until: float) -> bool:
    """Whether it asks for votes again before `until` if only time passes."""
    while made.deadline is not None and made.deadline <= until:
        if asked_of(made.tick(made.deadline, at)):
            return True
    return False


def test_an_owner_that_voted_during_its_own_campaign_stands_again() -> None:
    """The candidate that it voted for may never win."""
    made = election()
    made.tick(NOW + 4, standing())
    assert made._campaign is not None
    made.vote_requested(2, ask(), NOW + 4, standing())
    assert stands_again(made, standing(), NOW + 20)


def test_an_owner_whose_votes_came_too_late_stands_again() -> None:
    """It won with a log that has grown since."""
    made = candidate()
    [won] = made.vote_replied(2, give(vote_of(2)), NOW + 5, standing())
    assert isinstance(won, Won)
    assert stands_again(made, standing(count=8), NOW + 20)


def test_an_owner_that_cannot_stand_yet_tries_again() -> None:
    """By then its log may be complete, or name other owners."""
    for at, made in ((two := standing((0, 1)), election(at=two)), (standing(), spent())):
        assert made.tick(NOW + 9, at) == []
        assert made.deadline is not None


def test_a_promise_to_a_false_candidate_ends_no_election() -> None:
    """One owner promised the last term open to the others, which hold the longer log."""
    fooled, long = election(2), election(0)
    false = ask(MOST_LEAP, count=1000)
    assert answer(fooled.vote_requested(1, false, NOW, standing(count=7))).granted
    fuller, now = standing(count=9), NOW
    for _ in range(4):
        assert long.deadline is not None
        now = long.deadline
        for seat, pre, term in asked_of(long.tick(now, fuller)):
            question = RequestVote(pre, term, 0, fuller.count, fuller.head)
            # Seat 1 makes arbitrary claims, and votes for no candidate.
            said = VoteReply(pre, term, False, None, 0xFFFF)
            if seat == 2:
                said = answer(fooled.vote_requested(0, question, now, standing(count=7)))
            for step in long.vote_replied(seat, said, now, fuller):
                if isinstance(step, SendToOwner) and step.seat == 2:
                    assert isinstance(step.message, RequestVote)
                    vote = answer(fooled.vote_requested(0, step.message, now, standing(count=7)))
                    [won] = long.vote_replied(2, vote, now, fuller)
                    assert isinstance(won, Won)
                    assert won.term == MOST_LEAP + 1
                    return
    raise AssertionError("nobody was elected")


# ---- winning ----------------------------------------------------------------------------------


def test_a_majority_beforehand_makes_it_vote_for_itself_and_ask() -> None:
    made = election()
    made.tick(NOW + 4, standing())
    assert made.vote_replied(1, VoteReply(True, 2, True), NOW + 4, standing()) == []
    assert made.vote_replied(5, VoteReply(True, 1, True), NOW + 4, standing()) == []
    steps = made.vote_replied(2, VoteReply(True, 1, True), NOW + 4, standing())
    assert isinstance(steps[0], StoreVote)
    assert steps[0].data == encode(vote_of(1))
    assert asked_of(steps) == [(0, False, 1), (2, False, 1)]


def test_a_majority_of_votes_wins_once() -> None:
    made = candidate()
    votes = (vote_of(1), vote_of(2))
    assert made.vote_replied(2, give(votes[1]), NOW + 5, standing()) == [Won(1, votes)]
    assert made.vote_replied(0, give(vote_of(0)), NOW + 5, standing()) == []
    assert made._campaign is None


WRONG = {
    "none": None,
    "unreadable": SignedVote(b"\xc1", bytes(64)),
    "other table": vote_of(2, table=HEAD),
    "other term": vote_of(2, term=2),
    "other candidate": vote_of(2, candidate=0),
    "other voter": vote_of(0),
    "longer log": vote_of(2, count=8),
    "other log": vote_of(2, head=TABLE),
    "forged": SignedVote(vote_of(2).vote, bytes(64)),
}


@pytest.mark.parametrize("vote", WRONG.values(), ids=WRONG)
def test_wrong_votes_count_for_nothing(vote: SignedVote | None) -> None:
    made = candidate()
    assert made.vote_replied(2, give(vote), NOW + 5, standing()) == []
    assert made._campaign is not None


def test_votes_of_strangers_and_of_other_terms_count_for_nothing() -> None:
    made = candidate()
    assert made.vote_replied(4, give(vote_of(4)), NOW + 5, standing()) == []
    assert made.vote_replied(2, give(vote_of(2), term=2), NOW + 5, standing()) == []
    assert made.vote_replied(2, VoteReply(True, 1, True), NOW + 5, standing()) == []


def test_one_vote_said_twice_is_one_vote() -> None:
    five = standing((0, 1, 2, 3, 4))
    made = election()
    made.tick(NOW + 4, five)
    for seat in (2, 2):
        assert made.vote_replied(seat, VoteReply(True, 1, True), NOW + 4, five) == []
    assert made.vote_replied(3, VoteReply(True, 1, True), NOW + 4, five)
    for _ in range(2):
        assert made.vote_replied(2, give(vote_of(2)), NOW + 5, five) == []
    assert made.vote_replied(3, give(vote_of(3)), NOW + 5, five)


def test_a_newer_term_in_the_log_ends_a_campaign() -> None:
    made = candidate()
    made.term_began(NOW + 5, standing(term=1))
    assert made._campaign is None
    assert made.vote_replied(2, give(vote_of(2)), NOW + 5, standing(term=1)) == []


# ---- voting -----------------------------------------------------------------------------------


def test_a_vote_is_kept_before_it_is_shown() -> None:
    made = election()
    kept, said = made.vote_requested(2, ask(), NOW + 5, standing())
    vote = vote_of(1, candidate=2)
    assert kept == StoreVote(1, encode(vote))
    assert said == SendToOwner(2, VoteReply(False, 1, True, vote, 1))
    assert made.promised == 1


def test_a_pre_vote_promises_nothing() -> None:
    made = election()
    assert made.vote_requested(2, ask(pre=True), NOW, standing()) == [
        SendToOwner(2, VoteReply(True, 1, True, None, 0))
    ]
    assert made.promised == 0


@pytest.mark.parametrize("pre", [True, False])
@pytest.mark.parametrize(
    "question",
    [ask(count=6), ask(head=TABLE), ask(0), RequestVote(False, 1, 0, 0, TABLE)],
    ids=["shorter", "other end", "no later term", "empty"],
)
def test_no_vote_for_a_log_that_says_less(question: RequestVote, pre: bool) -> None:
    question = RequestVote(pre, question.term, 0, question.count, question.head)
    made = election()
    assert not answer(made.vote_requested(2, question, NOW, standing())).granted
    assert made.promised == 0


def test_a_later_last_term_is_worth_more_than_a_longer_log() -> None:
    made = election()
    at = replace(standing(term=1), last_term=1)
    assert not answer(made.vote_requested(2, RequestVote(False, 3, 0, 99, TABLE), NOW, at)).granted
    assert answer(made.vote_requested(2, RequestVote(False, 3, 2, 1, TABLE), NOW, at)).granted


@pytest.mark.parametrize("pre", [True, False])
def test_an_owner_in_contact_with_the_host_votes_for_nobody(pre: bool) -> None:
    made = election(lost=False)
    for candidate in (2, 0):
        assert not answer(made.vote_requested(candidate, ask(pre=pre), NOW, standing())).granted


def test_an_owner_votes_once_in_a_term_and_repeats_the_same_bytes() -> None:
    made = election()
    first = made.vote_requested(2, ask(), NOW, standing())
    again = made.vote_requested(2, ask(), NOW, standing())
    assert again == first[1:]
    refused = answer(made.vote_requested(0, ask(), NOW, standing()))
    assert (refused.granted, refused.promised) == (False, 1)
    assert answer(made.vote_requested(0, ask(2), NOW, standing())).granted
    assert not answer(made.vote_requested(2, ask(), NOW, standing())).granted


def test_a_program_that_starts_again_keeps_its_word() -> None:
    kept = election().vote_requested(2, ask(4), NOW, standing())[0]
    assert isinstance(kept, StoreVote)
    made = Voter(1, PENS[1], {kept.term: kept.data, 2: b"older"})
    made.host_lost(NOW, standing())
    assert made.promised == 4
    assert not answer(made.vote_requested(0, ask(4), NOW, standing())).granted
    assert not answer(made.vote_requested(0, ask(3), NOW, standing())).granted
    assert encode(answer(made.vote_requested(2, ask(4), NOW, standing())).vote) == kept.data
    assert asked_of(made.tick(NOW + 9, standing()))[0] == (0, True, 5)
    with pytest.raises(Unreadable):
        Voter(1, PENS[1], {1: b""})


def test_a_candidate_that_starts_again_does_not_stand_for_the_same_term() -> None:
    made = Voter(1, PENS[1], {1: encode(vote_of(1))})
    assert made.host_transferred(1, 1, NOW, standing()) == []
    assert made.vote_replied(2, give(vote_of(2)), NOW, standing()) == []


def test_a_vote_for_another_ends_the_own_campaign_and_leaves_it_time() -> None:
    made = election()
    made.tick(NOW + 4, standing())
    made.vote_requested(2, ask(), NOW + 4, standing())
    assert made._campaign is None
    waiting = election()
    waiting.vote_requested(2, ask(), NOW + 3.9, standing())
    assert waiting.tick(NOW + 4, standing()) == []
    assert asked_of(waiting.tick(NOW + 6, standing()))[0] == (0, True, 2)


def test_an_owner_that_has_announced_its_leave_does_not_vote() -> None:
    made = election()
    made.left = True
    assert not answer(made.vote_requested(2, ask(), NOW, standing())).granted
    assert made.tick(NOW + 9, standing()) == []
    assert made.host_transferred(1, 1, NOW, standing()) == []


# ---- handing over, and being elected again ----------------------------------------------------


def test_the_candidate_of_a_host_that_leaves_stands_at_once() -> None:
    made = election(lost=False)
    steps = made.host_transferred(1, 1, NOW, standing())
    assert isinstance(steps[0], StoreVote)
    assert asked_of(steps) == [(0, False, 1), (2, False, 1)]


def test_the_others_vote_for_it_although_they_hear_the_host() -> None:
    made = election(2, lost=False)
    assert made.host_transferred(1, 1, NOW, standing()) == []
    assert answer(made.vote_requested(1, ask(), NOW, standing())).granted
    made.term_began(NOW, standing(term=1, host=1))


@pytest.mark.parametrize(("seat", "term"), [(1, 2), (1, 0), (5, 1)])
def test_an_invalid_transfer_of_the_host_role_is_ignored(seat: int, term: int) -> None:
    made = election(lost=False)
    assert made.host_transferred(seat, term, NOW, standing()) == []
    assert made.deadline is None


def test_a_host_that_somebody_outvoted_stands_for_the_term_after() -> None:
    made = election(0, lost=False)
    steps = made.outvoted(3, NOW, standing())
    assert asked_of(steps) == [(1, True, 4), (2, True, 4)]


def promise(voter: int = 2, term: int = 3, pen: int | None = None) -> SignedVote:
    """Return the vote that an owner shows when it can no longer follow the host."""
    said = ElectionVote(TABLE, term, voter, voter, 0, 7, HEAD)
    return sign_vote(said, PENS[voter if pen is None else pen])


def test_the_present_host_is_elected_again_only_for_a_verifiable_reason() -> None:
    """Otherwise it could discard entries that are not final at any time."""
    hears = election(1, lost=False)
    assert not answer(hears.vote_requested(0, ask(4), NOW, standing())).granted
    for reason in (
        promise(0),
        promise(5),
        promise(term=0),
        promise(term=4),
        promise(pen=0),
        SignedVote(b"?", bytes(64)),
        vote_of(2, table=bytes(32), term=3),
    ):
        question = RequestVote(False, 4, 0, 7, HEAD, reason)
        assert not answer(hears.vote_requested(0, question, NOW, standing())).granted
    for pre in (True, False):
        question = RequestVote(pre, 4, 0, 7, HEAD, promise())
        assert not answer(hears.vote_requested(2, question, NOW, standing())).granted, (
            "not the host"
        )
        assert answer(hears.vote_requested(0, question, NOW, standing())).granted
    host = election(0, lost=False)
    [step, _] = host.outvoted(3, NOW, standing(), promise())
    assert isinstance(step, SendToOwner)
    assert isinstance(step.message, RequestVote)
    assert step.message.reason == promise()
    host.term_began(NOW, standing(term=4))
    assert host._shown_vote is None


def test_one_accomplice_does_not_let_a_host_stand_again_at_every_moment() -> None:
    hears, now, elected = election(1, lost=False), NOW, list[float]()
    five = standing((0, 1, 2, 3, 4))
    while now < NOW + 60:
        term = 2 * len(elected)
        at = replace(five, term=term, last_term=term, count=7 + term)
        question = RequestVote(False, term + 2, term, 7 + term, HEAD, promise(2, term + 1))
        if answer(hears.vote_requested(0, question, now, at)).granted:
            elected.append(now)
            after = replace(at, term=term + 2)
            hears.term_began(now, after)
            hears.host_in_contact()
            # Another owner's promise is another reason.
            other = RequestVote(True, term + 4, term, 7 + term, HEAD, promise(3, term + 3))
            assert answer(hears.vote_requested(0, other, now, after)).granted
        now += 0.5
    assert elected == [NOW + 10 * each for each in range(6)]


def test_an_owner_that_voted_becomes_a_candidate_if_nobody_is_elected() -> None:
    """It was in contact with the host when it voted, and no longer follows it."""
    made = election(lost=False)
    made.host_transferred(2, 1, NOW, standing())
    made.host_in_contact()
    assert made.deadline is None
    made.host_transferred(2, 1, NOW, standing())
    assert answer(made.vote_requested(2, ask(), NOW, standing())).granted
    made.host_in_contact()
    assert answer(made.vote_requested(2, ask(2), NOW, standing())).granted
    assert stands_again(made, standing(), NOW + 20)


def test_an_owner_that_promised_a_later_term_votes_in_contact_with_the_host() -> None:
    made = election()
    made.vote_requested(2, ask(), NOW, standing())
    made.host_in_contact()
    assert answer(made.vote_requested(2, ask(2), NOW, standing())).granted


# ---- the rules suffice, and each is needed ------------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_no_history_of_a_small_table_loses_a_final_entry(name: str) -> None:
    search = Search(TABLES[name])
    search.run()
    assert search.whole


@pytest.mark.parametrize("bug", BROKEN)
def test_each_broken_rule_is_found(bug: str) -> None:
    search = Search(replace(BROKEN[bug], bug=bug))
    with pytest.raises(CounterExample):
        search.run()
