"""One peer at a table: what it signs, what it shows, when it stops, and what it never does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from lanuno.log import bodies
from lanuno.log.bodies import HaltReason
from lanuno.log.codec import encode
from lanuno.log.entries import Entry
from lanuno.log.faults import Unreadable
from lanuno.log.genesis import SeatInfo
from lanuno.log.round_record import Need, Phase
from lanuno.rules.actions import (
    ANY_TIME,
    Action,
    Challenge,
    Draw,
    OpenHand,
    Play,
    Show,
    Verdict,
)
from lanuno.rules.presets import EXPRESS
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.state import Phase as Moment
from lanuno.table import messages
from lanuno.table.chat import seen
from lanuno.table.chores import MOST_TRIES
from lanuno.table.errors import TableError
from lanuno.table.keyring import Keyring
from lanuno.table.messages import (
    BodyRefusal,
    Entries,
    Firm,
    FromHost,
    Reaction,
    from_host,
    from_peer,
)
from lanuno.table.outputs import (
    ActionRefused,
    Changed,
    ChatHeard,
    Compute,
    KeepBody,
    KeepEntry,
    KeepGenesis,
    ReactionSeen,
    Stopped,
    Sync,
    TableWaits,
    ToHost,
)
from lanuno.table.pending import MOST_PENDING
from lanuno.table.session import Session
from tests.harness.adversaries.forging import cards_of, game_of, log_of
from tests.harness.host_and_seats.paused_table import (
    Frozen,
    at,
    at_moment,
    playing,
    refusal,
    unheard,
)
from tests.harness.host_and_seats.players import CROWDED
from tests.harness.host_and_seats.room import identity
from tests.harness.host_and_seats.seat_outputs import sent, submitted
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.verdicts import reports

# ---- beginning --------------------------------------------------------------------------------


def test_it_begins_by_keeping_the_genesis_and_asking_for_what_it_missed() -> None:
    sim = TableSim(2, 1)
    sim.run_until(lambda: sim.sequencer is not None)
    assert sim.sequencer is not None
    genesis = sim.sequencer.replay.genesis
    me = Session(genesis, sim.peers[1].identity, bytes)
    assert me.begin() == [KeepGenesis(genesis), Changed()]
    assert me.connected() == [ToHost(messages.Fetch(0))]
    assert me.seat == 1
    assert Session(genesis, None, bytes).seat is None
    with pytest.raises(TableError):
        Session(genesis, identity(44), bytes)


def test_it_pulls_page_after_page_until_there_is_no_more() -> None:
    frozen = Frozen(playing(4))
    journal = frozen.sim.journal
    eve = Session(frozen.sim.peers[0].table.replay.genesis, None, bytes)
    eve.begin()
    eve.connected()
    for first in range(0, len(journal), 10):
        page = tuple(journal[first : first + 10])
        out = eve.receive(Entries(first, page))
        assert sent(out)[-1] == messages.Fetch(first + len(page))
    out = eve.receive(Entries(len(journal), ()))
    assert eve.caught_up
    assert Sync(len(journal), 0) in out
    assert sent(out) == []
    assert eve.replay.state() == frozen.sim.peers[0].table.replay.state()
    view = eve.view()
    assert view is not None
    assert (view.seat, view.hand, view.legal) == (None, (), ())
    assert submitted(eve.receive(Firm(len(journal)))) == []


def test_a_watcher_signs_nothing() -> None:
    frozen = Frozen(playing(2))
    eve = Session(frozen.sim.peers[0].table.replay.genesis, None, bytes)
    out = eve.receive(Entries(0, tuple(frozen.sim.journal)))
    assert submitted(out) == []
    assert not eve.to_move
    assert eve.leave() == []
    with pytest.raises(TableError):
        eve.act(Draw())


def test_the_same_entries_again_change_nothing() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    before = (me.replay.seq, me.replay.state())
    assert me.receive(Entries(0, tuple(frozen.sim.journal[:9]))) == []
    assert me.receive(Entries(4, ())) == []
    assert (me.replay.seq, me.replay.state()) == before


# ---- acting -----------------------------------------------------------------------------------


def test_it_signs_what_its_player_decides_and_keeps_it_first() -> None:
    frozen = Frozen(playing())
    me = frozen.decider().table
    assert me.to_move
    view = me.view()
    assert view is not None
    action = next(each for each in view.legal if not isinstance(each, ANY_TIME))
    out = me.act(action)
    assert [type(output) for output in out] == [KeepBody, ToHost]
    [body] = submitted(out)
    assert isinstance(body.payload, bodies.Act)
    assert (body.author, body.payload.action) == (me.seat, action)
    assert body.payload.decision == view.decision
    assert body.head == me.replay.head


def test_it_refuses_its_own_illegal_acts_with_the_reason() -> None:
    frozen = Frozen(playing())
    me = frozen.decider()
    game, cards = game_of(me), cards_of(me)
    slot, card = next(iter(cards.items()))
    other = next(number for number in range(108) if number != card)
    wrong: dict[str, Action] = {
        "wrong card": Play(slot, other),
        "not your card": Play(10**6, card),
        "no such card": Play(slot, 200),
        "wrong moment": Verdict(True) if game.stage is Moment.VERDICT else Challenge(),
    }
    for why, action in wrong.items():
        with pytest.raises(TableError) as error:
            me.table.act(action)
        if why != "wrong moment":
            assert str(error.value) == why
    waiting = frozen.sim.peers[(me.number + 1) % 3].table
    assert not waiting.to_move
    with pytest.raises(TableError, match="not your turn"):
        waiting.act(Draw())


def test_what_only_hidden_cards_forbid_it_refuses_itself() -> None:
    """Others could not see it before the audit, which would then name this seat."""
    frozen = Frozen(playing(), ruleset=replace(EXPRESS, hand_size=20))
    me = frozen.decider()
    assert any(isinstance(each, Play) for each in game_of(me).legal(me.number, cards_of(me)))
    with pytest.raises(TableError, match="must play"):
        me.table.act(Draw())


def test_it_does_not_act_before_it_can_read_its_hand() -> None:
    frozen = Frozen(playing())
    me = frozen.decider()
    record = log_of(me)
    need = next(iter(record.needs.values()), None)
    assert need is None
    record.needs[999] = Need(999, (1,), me.number, {0})
    assert not me.table.to_move
    with pytest.raises(TableError, match="not all cards"):
        me.table.act(Draw())
    del record.needs[999]
    assert me.table.to_move


def test_hands_are_shown_and_judged_by_the_program_alone() -> None:
    """So no player can show a hand before the challenge is firm, or lie about one."""
    frozen = Frozen(playing())
    for action in (Show(), Verdict(True), Verdict(False), OpenHand()):
        with pytest.raises(TableError, match="by themselves"):
            frozen.decider().table.act(action)


def test_nothing_can_be_done_between_rounds_or_while_the_dealer_is_chosen() -> None:
    for stage in (at(0, Phase.COMMIT), at(0, Phase.PLAY), at(0, Phase.REVEAL)):
        frozen = Frozen(stage, settled=False)
        with pytest.raises(TableError):
            frozen.sim.peers[1].table.act(Draw())


def test_chat_is_cut_and_what_comes_in_is_cleaned() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    assert sent(me.say("x" * 1000)) == [messages.Say("x" * 300)]
    heard = me.receive(messages.Said("somebody else", 2, "hi"))
    assert heard == [ChatHeard("player2", 2, "hi")], "a seat's name is the roster's"
    key = b"e" * 32
    eve = messages.Said("eve", -1, "hi", key)
    assert me.receive(eve) == [ChatHeard("eve", -1, "hi", key)]
    for lie in (
        messages.Said("x", 7, "hi"),
        messages.Said("x", 1, "\x00"),
        messages.Said("x", 1, "hi", key),
        messages.Said("e\u202e", -1, "hi", key),
        messages.Said("eve", -1, "\x00", key),
        messages.Said("eve", -1, "hi"),
        messages.Said("PLAYER1", -1, "hi", key),
        messages.Said("eve", -1, "hi", frozen.sim.peers[0].identity.public),
    ):
        assert me.receive(lie) == []
    assert me.receive(messages.Waiting((1, 9), 1500)) == [TableWaits((1,), 1.5)]


def test_a_reaction_is_that_of_a_player_at_this_table() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    assert sent(me.react(Reaction.HURRY)) == [messages.React(Reaction.HURRY)]
    seen = me.receive(messages.Reacted(2, Reaction.WELL_PLAYED))
    assert seen == [ReactionSeen("player2", 2, Reaction.WELL_PLAYED)]
    assert me.receive(messages.Reacted(3, Reaction.WOW)) == []
    with pytest.raises(Unreadable):
        from_host(encode((38, 2, 6)))
    with pytest.raises(Unreadable):
        from_peer(encode((18, 6)))


def test_a_bot_shows_nothing_whatever_its_host_says() -> None:
    bot = SeatInfo("Ada", bytes(32), bytes(32), True, False, bytes(32))
    assert seen(messages.Reacted(0, Reaction.WOW), [bot]) == []


# ---- refused bodies ---------------------------------------------------------------------------


def acted(frozen: Frozen) -> tuple[Session, bodies.Body]:
    me = frozen.decider().table
    view = me.view()
    assert view is not None
    action = next(each for each in view.legal if not isinstance(each, ANY_TIME))
    [body] = submitted(me.act(action))
    return me, body


@pytest.mark.parametrize("why", ["stale-counter", "unknown-head", "stale-decision"])
def test_a_decision_that_came_too_early_or_late_is_signed_again(why: str) -> None:
    me, body = acted(Frozen(playing()))
    [again] = submitted(me.receive(refusal(body, why)))
    assert again.payload == body.payload
    assert again.counter > body.counter
    assert me.receive(refusal(body, why)) == [], "that one was answered"


@pytest.mark.parametrize("why", ["illegal", "not-now", "not-a-seat", "anything"])
def test_a_decision_refused_for_good_is_told_to_its_player(why: str) -> None:
    me, body = acted(Frozen(playing()))
    out = me.receive(refusal(body, why, "no"))
    assert out == [ActionRefused(why, "no"), Changed()]
    assert me.receive(refusal(body, why, counter=10**6)) == []


def test_it_does_not_try_for_ever() -> None:
    me, body = acted(Frozen(playing()))
    counter = body.counter
    for _ in range(MOST_TRIES - 1):
        [again] = submitted(me.receive(refusal(body, "stale-counter", counter=counter)))
        counter = again.counter
    assert me.receive(refusal(body, "stale-counter", counter=counter)) == [
        ActionRefused("stale-counter", ""),
        Changed(),
    ]


def test_a_decision_that_has_passed_is_not_signed_again() -> None:
    frozen = Frozen(playing())
    sim = frozen.sim
    me = frozen.decider()
    view = me.table.view()
    assert view is not None
    action = next(each for each in view.legal if not isinstance(each, ANY_TIME))
    [body] = submitted(me.table.act(action))
    sim.run_until(lambda: sim.sequencer is not None and sim.sequencer.deadline is not None)
    before = game_of(me).decision
    while game_of(me).decision == before:
        if not sim.step():
            sim.let_time_pass()
    out = me.table.receive(refusal(body, "stale-decision"))
    assert out == [ActionRefused("stale-decision", ""), Changed()]


@pytest.mark.parametrize(
    ("kind", "players"),
    [
        (bodies.Commit, 3),
        (bodies.Escrow, 4),
        (bodies.Unlock, 3),
        (bodies.Reveal, 3),
        (bodies.Attest, 3),
    ],
)
@pytest.mark.parametrize("why", ["wrong-round", "not-now"])
def test_an_automatic_step_refused_is_done_again_and_the_table_goes_on(
    kind: type, players: int, why: str
) -> None:
    sim, peer, body = unheard(kind, players)
    sim.act(peer.number, peer.table.receive(refusal(body, why)))
    if why == "not-now":
        # Nothing new is known: it waits for news.
        assert not peer.to_host
        assert not peer.jobs
        sim.act(peer.number, peer.table.receive(Firm(peer.table.firm)))
    sim.run()
    assert sim.sequencer is not None
    assert sim.sequencer.replay.closed is bodies.CloseReason.STOPPED
    reports(sim)


def test_a_commitment_made_again_is_the_same() -> None:
    sim, peer, body = unheard(bodies.Commit)
    out = peer.table.receive(refusal(body, "stale-counter"))
    [again] = submitted(out)
    assert again.payload == body.payload
    assert not [output for output in out if type(output).__name__ == "KeepSecret"]
    assert sim.label


def test_a_pass_is_done_again_where_only_the_log_has_moved_on() -> None:
    """It names its deal and its step: it can be taken for no other, and is the same each time."""
    sim, peer, body = unheard(bodies.Pass)
    assert peer.table.receive(refusal(body, "not-now")) == []
    out = peer.table.receive(Firm(peer.table.firm))
    [job] = [output for output in out if isinstance(output, Compute)]
    [again] = submitted(peer.table.computed(job.job, job.work()))
    assert again.payload == body.payload
    out = peer.table.receive(refusal(again, "stale-counter"))
    sim.act(peer.number, out)
    sim.run()
    reports(sim)


def test_a_refusal_of_another_seat_of_the_same_computer_is_passed_over() -> None:
    me, body = acted(Frozen(playing()))
    assert me.receive(BodyRefusal((body.author + 1) % 3, body.counter, "stale-counter", "")) == []
    assert len(submitted(me.receive(refusal(body, "stale-counter")))) == 1


def test_a_refused_step_is_tried_so_many_times() -> None:
    _, peer, body = unheard(bodies.Reveal)
    counter, tries = body.counter, 1
    while True:
        again = submitted(peer.table.receive(refusal(body, "stale-counter", counter=counter)))
        if not again:
            break
        counter, tries = again[0].counter, tries + 1
    assert tries == MOST_TRIES


def test_leaving_is_said_again_until_it_is_heard() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    [body] = submitted(me.leave())
    [again] = submitted(me.receive(refusal(body, "wrong-round")))
    assert again.payload == bodies.Leave()
    assert me.receive(refusal(again, "already-done")) == []


def test_what_is_said_once_is_not_said_again_while_it_is_under_way() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    assert len(submitted(me.leave())) == 1
    assert me.leave() == []
    [body] = submitted(me.listen(4711))
    assert body.payload == bodies.Listen(4711)
    assert me.listen(4712) == []
    assert me.take_seat_again() == [], "it was not dropped"
    assert me.listen(0) == []


def test_what_is_under_way_is_forgotten_in_the_end() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    for _ in range(3 * MOST_PENDING):
        me._submit(bodies.Leave())
    assert len(me._sent) == MOST_PENDING


# ---- what is on the disk ----------------------------------------------------------------------


def test_it_acknowledges_what_is_on_the_disk_and_nothing_twice() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    assert me.synced(Sync(me.replay.seq, 0)) == [], "it was acknowledged before"
    assert me.synced(Sync(me.replay.seq + 1, 0)) == [], "more than it holds"
    assert me.synced(Sync(10**9, 1)) == []
    eve = Session(me.replay.genesis, None, bytes)
    eve.connected()
    journal = frozen.sim.journal
    first, rest = tuple(journal[:4]), tuple(journal[4:9])
    assert Sync(4, 0) in eve.receive(Entries(0, first))
    assert Sync(9, 0) in eve.receive(Entries(4, rest))
    assert eve.synced(Sync(4, 0)) == [], "not before it has caught up"
    assert messages.Ack(4) in sent(eve.receive(Entries(9, ())))
    assert eve.synced(Sync(9, 0)) == [ToHost(messages.Ack(9))]
    assert eve.synced(Sync(4, 0)) == []


# ---- halting ----------------------------------------------------------------------------------


def test_it_halts_a_round_once() -> None:
    frozen = Frozen(playing(2))
    me = frozen.sim.peers[1].table
    [body] = submitted(me._halt(HaltReason.NO_CARD, None))
    assert body.payload == bodies.Halt(HaltReason.NO_CARD, None)
    assert me._halt(HaltReason.NO_CARD, None) == []
    [again] = submitted(me.receive(refusal(body, "stale-counter")))
    assert again.payload == body.payload


# ---- work in the background -------------------------------------------------------------------


def test_work_that_nobody_waits_for_any_more_is_dropped() -> None:
    """The round was void meanwhile, or the result comes twice."""
    sim = TableSim(3, 1)
    sim.run_until(lambda: bool(sim.peers[1].jobs))
    job = sim.peers[1].jobs.popleft()
    result = job.work()
    sim.act(0, sim.peers[0].table._halt(HaltReason.NO_CARD, None))
    while sim.step():
        pass
    current = sim.peers[1].table.replay.round
    assert current is not None
    assert current.void is not None
    assert sim.peers[1].table.computed(job.job, result) == []
    assert sim.peers[1].table.computed(job.job, result) == []
    assert sim.peers[1].table.computed(10**6, result) == []
    sim.run()
    assert {report.verdict.value for report in reports(sim, 0).values()} == {"cheating"}


def test_work_is_shown_without_its_secrets() -> None:
    sim = TableSim(3, 1)
    sim.run_until(lambda: bool(sim.peers[1].jobs))
    job = sim.peers[1].jobs[0]
    assert isinstance(job, Compute)
    assert repr(job) == f"Compute(job={job.job})"
    assert "secret" in repr(sim.peers[1].table._keys)
    assert isinstance(sim.peers[1].table._keys, Keyring)


# ---- every message at every stage -------------------------------------------------------------

STAGES: dict[str, Callable[[], Frozen]] = {
    "commit": lambda: Frozen(at(0, Phase.COMMIT), settled=False),
    "escrow": lambda: Frozen(at(0, Phase.ESCROW), players=4, settled=False),
    "dealer": lambda: Frozen(at(0, Phase.PLAY), settled=False),
    "reveal": lambda: Frozen(at(1, Phase.REVEAL), settled=False),
    "attest": lambda: Frozen(at(1, Phase.ATTEST), settled=False),
    "done": lambda: Frozen(at(0, Phase.DONE), settled=False),
    "deal": lambda: Frozen(at(1, Phase.PLAY), settled=False),
    "play": lambda: Frozen(playing()),
    "show": lambda: Frozen(at_moment(Moment.SHOW), ruleset=CROWDED, seed=0, settled=False),
    "verdict": lambda: Frozen(at_moment(Moment.VERDICT), ruleset=CROWDED, seed=0, settled=False),
    "open hand": lambda: Frozen(
        at_moment(Moment.OPEN_HAND), ruleset=CROWDED, seed=0, settled=False, mute=(Verdict,)
    ),
    "closed": lambda: Frozen(lambda sim: bool(sim.sequencer and sim.sequencer.settled)),
}


def harmless(sim: TableSim, held: int) -> list[FromHost]:
    """Messages that an honest host can send at any time."""
    return [
        messages.LobbyState(bytes(16), "mesa", messages.LobbyPhase.OPEN, Ruleset(), 2, (), 0),
        messages.Refused(messages.LobbyRefusal.STARTED),
        messages.RosterOffered(b""),
        messages.NoncesWanted(()),
        messages.Reopened(),
        messages.Began(sim.peers[0].table.replay.genesis),
        Entries(0, ()),
        Entries(0, tuple(sim.journal[: min(5, held)])),
        Firm(0),
        Firm(2**32 - 1),
        BodyRefusal(0, 10**6, "illegal", ""),
        messages.Said("eve", -1, "hi"),
        messages.Waiting((), 0),
        messages.Waiting((0, 9), 2**32 - 1),
    ]


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_every_message_at_every_stage(stage: Callable[[], Frozen]) -> None:
    frozen = stage()
    sim = frozen.sim
    for peer in sim.seated:
        me = peer.table
        before = (me.replay.seq, me.replay.state())
        for message in harmless(sim, me.replay.seq):
            for output in me.receive(message):
                assert not isinstance(output, Stopped | KeepEntry)
        assert (me.replay.seq, me.replay.state()) == before
        assert me.stopped is None
        assert me.firm <= me.replay.seq
        me.view()
        nonsense = Entries(me.replay.seq, (Entry(b"nonsense", bytes(64)),))
        out = me.receive(nonsense)
        if me.replay.closed is not None:
            assert out == []
            continue
        assert [type(output) for output in out] == [KeepEntry, Stopped]
        for message in (*harmless(sim, me.replay.seq), nonsense):
            assert me.receive(message) == []
        assert me.leave() == []
        assert not me.to_move
        with pytest.raises(TableError):
            me.act(Draw())
        assert me._do_duties() == []
        assert (me.replay.seq, me.replay.state()) == before


def test_a_session_of_another_table_is_of_no_use() -> None:
    sim = TableSim(2, 1)
    sim.run_until(lambda: len(sim.journal) > 3)
    other = TableSim(2, 2)
    other.run_until(lambda: len(other.journal) > 3)
    me = Session(sim.peers[0].table.replay.genesis, None, bytes)
    out = me.receive(Entries(0, tuple(other.journal)))
    assert isinstance(out[-1], Stopped)
    assert out[-1].blame.seat is None
