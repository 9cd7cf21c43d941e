"""The session of one seat: what it signs, what it shows, when it stops, and what it never does."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from lanuno.log.faults import Unreadable
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HaltReason
from lanuno.log.format.codec import encode
from lanuno.log.format.entries import Entry
from lanuno.log.replay.due_steps import AutomaticStep, AutomaticStepKind
from lanuno.log.round.round_record import KeyNeed, ProtocolPhase
from lanuno.rules.engine.actions import (
    ANY_TIME,
    Action,
    Challenge,
    Draw,
    OpenHand,
    Play,
    Show,
    Verdict,
)
from lanuno.rules.engine.state import RoundPhase
from lanuno.rules.presets import EXPRESS
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages
from lanuno.table.errors import TableError
from lanuno.table.messages import (
    AtTable,
    BodyRefusal,
    Entries,
    Reaction,
    from_host,
    from_peer,
)
from lanuno.table.outputs import (
    TO_HOST,
    ActionRefused,
    AppendEntry,
    ChatReceived,
    EntriesOnDisk,
    NodeStopped,
    ReactionSeen,
    RunJob,
    SeatsAwaited,
    Send,
    StoreBody,
    StoreGenesis,
    StoreSeed,
    SyncJournal,
    ViewChanged,
)
from lanuno.table.replica.automatic_steps import MOST_TRIES
from lanuno.table.replica.hand_keys import Unsound
from lanuno.table.replica.pending import MOST_PENDING
from lanuno.table.replica.seat import SeatSession
from lanuno.table.replica.seat_keys import SeatKeys
from tests.harness.adversaries.forging import cards_of, game_of, log_of
from tests.harness.host_and_seats.one_seat import one_seat
from tests.harness.host_and_seats.paused_table import (
    PausedTable,
    at_phase,
    at_round_phase,
    playing,
    refusal,
    with_lost_step,
)
from tests.harness.host_and_seats.players import CROWDED
from tests.harness.host_and_seats.seat_outputs import sent_to_host, submitted
from tests.harness.host_and_seats.simulated_lobby import identity
from tests.harness.host_and_seats.table_sim import TableSim
from tests.harness.host_and_seats.verdicts import reports

# ---- beginning --------------------------------------------------------------------------------


def test_it_begins_by_keeping_the_genesis_and_asking_for_what_it_missed() -> None:
    sim = TableSim(2, 1)
    sim.run_until(lambda: sim.host_role is not None)
    assert sim.host_role is not None
    genesis = sim.host_role.replay.genesis
    me = one_seat(genesis, sim.peers[1].identity, bytes)
    assert me.replica.begin() == [StoreGenesis(genesis), ViewChanged()]
    assert me.replica.connected() == [Send(TO_HOST, messages.Fetch(0))]
    assert me.seat == 1
    assert one_seat(genesis, None, bytes).seat is None
    with pytest.raises(TableError):
        one_seat(genesis, identity(44), bytes)


def test_it_pulls_page_after_page_until_there_is_no_more() -> None:
    paused = PausedTable(playing(4))
    journal = paused.sim.journal
    eve = one_seat(paused.sim.peers[0].seat_session.replay.genesis, None, bytes)
    eve.replica.begin()
    eve.replica.connected()
    for first in range(0, len(journal), 10):
        page = tuple(journal[first : first + 10])
        out = eve.replica.receive(Entries(first, page))
        assert sent_to_host(out)[-1] == messages.Fetch(first + len(page))
    out = eve.replica.receive(Entries(len(journal), ()))
    assert eve.replica.caught_up
    assert SyncJournal(len(journal), 0) in out
    assert sent_to_host(out) == []
    assert eve.replay.state() == paused.sim.peers[0].seat_session.replay.state()
    view = eve.view()
    assert view is not None
    assert (view.seat, view.hand, view.legal) == (None, (), ())
    assert submitted(eve.replica.certified(len(journal))) == []


def test_a_spectator_signs_nothing() -> None:
    paused = PausedTable(playing(2))
    eve = one_seat(paused.sim.peers[0].seat_session.replay.genesis, None, bytes)
    out = eve.replica.receive(Entries(0, tuple(paused.sim.journal)))
    assert submitted(out) == []
    assert not eve.to_move
    assert eve.leave() == []
    with pytest.raises(TableError):
        eve.act(Draw())


def test_the_same_entries_again_change_nothing() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    before = (me.replay.seq, me.replay.state())
    assert me.replica.receive(Entries(0, tuple(paused.sim.journal[:9]))) == []
    assert me.replica.receive(Entries(4, ())) == []
    assert (me.replay.seq, me.replay.state()) == before


# ---- acting -----------------------------------------------------------------------------------


def test_it_signs_what_its_player_decides_and_keeps_it_first() -> None:
    paused = PausedTable(playing())
    me = paused.decider().seat_session
    assert me.to_move
    view = me.view()
    assert view is not None
    action = next(each for each in view.legal if not isinstance(each, ANY_TIME))
    out = me.act(action)
    assert [type(output) for output in out] == [StoreBody, Send]
    [body] = submitted(out)
    assert isinstance(body.payload, bodies.Act)
    assert (body.author, body.payload.action) == (me.seat, action)
    assert body.payload.decision == view.decision
    assert body.head == me.replay.head


def test_it_refuses_its_own_illegal_acts_with_the_reason() -> None:
    paused = PausedTable(playing())
    me = paused.decider()
    game, cards = game_of(me), cards_of(me)
    slot, card = next(iter(cards.items()))
    other = next(number for number in range(108) if number != card)
    wrong: dict[str, Action] = {
        "wrong card": Play(slot, other),
        "not your card": Play(10**6, card),
        "no such card": Play(slot, 200),
        "wrong moment": Verdict(True) if game.stage is RoundPhase.VERDICT else Challenge(),
    }
    for why, action in wrong.items():
        with pytest.raises(TableError) as error:
            me.seat_session.act(action)
        if why != "wrong moment":
            assert str(error.value) == why
    waiting = paused.sim.peers[(me.number + 1) % 3].seat_session
    assert not waiting.to_move
    with pytest.raises(TableError, match="not your turn"):
        waiting.act(Draw())


def test_a_seat_refuses_its_own_act_that_only_hidden_cards_forbid() -> None:
    """Other players could see the fault only in the audit, which would then blame this seat."""
    paused = PausedTable(playing(), ruleset=replace(EXPRESS, hand_size=20))
    me = paused.decider()
    assert any(isinstance(each, Play) for each in game_of(me).legal(me.number, cards_of(me)))
    with pytest.raises(TableError, match="must play"):
        me.seat_session.act(Draw())


def test_it_does_not_act_before_it_can_read_its_hand() -> None:
    paused = PausedTable(playing())
    me = paused.decider()
    record = log_of(me)
    need = next(iter(record.needs.values()), None)
    assert need is None
    record.needs[999] = KeyNeed(999, (1,), me.number, {0})
    assert not me.seat_session.to_move
    with pytest.raises(TableError, match="not all cards"):
        me.seat_session.act(Draw())
    del record.needs[999]
    assert me.seat_session.to_move


def test_hands_are_shown_and_judged_by_the_program_alone() -> None:
    """So no player can show a hand before the challenge is final, or lie about one."""
    paused = PausedTable(playing())
    for action in (Show(), Verdict(True), Verdict(False), OpenHand()):
        with pytest.raises(TableError, match="opened automatically"):
            paused.decider().seat_session.act(action)


def test_nothing_can_be_done_between_rounds_or_while_the_dealer_is_chosen() -> None:
    for stage in (
        at_phase(0, ProtocolPhase.COMMIT),
        at_phase(0, ProtocolPhase.PLAY),
        at_phase(0, ProtocolPhase.REVEAL),
    ):
        paused = PausedTable(stage, settled=False)
        with pytest.raises(TableError):
            paused.sim.peers[1].seat_session.act(Draw())


def test_chat_is_cut_and_what_comes_in_is_cleaned() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    assert sent_to_host(me.say("x" * 1000)) == [messages.Say("x" * 300)]
    heard = me.replica.receive(messages.Said("somebody else", 2, "hi"))
    assert heard == [ChatReceived("player2", 2, "hi")], "a seat's name is the roster's"
    key = b"e" * 32
    eve = messages.Said("eve", -1, "hi", key)
    assert me.replica.receive(eve) == [ChatReceived("eve", -1, "hi", key)]
    for lie in (
        messages.Said("x", 7, "hi"),
        messages.Said("x", 1, "\x00"),
        messages.Said("x", 1, "hi", key),
        messages.Said("e\u202e", -1, "hi", key),
        messages.Said("eve", -1, "\x00", key),
        messages.Said("eve", -1, "hi"),
        messages.Said("PLAYER1", -1, "hi", key),
        messages.Said("eve", -1, "hi", paused.sim.peers[0].identity.public),
    ):
        assert me.replica.receive(lie) == []
    assert me.replica.receive(messages.Waiting((1, 9), 1500)) == [SeatsAwaited((1,), 1.5)]


def test_a_reaction_is_that_of_a_player_at_this_table() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    assert sent_to_host(me.react(Reaction.HURRY)) == [messages.React(Reaction.HURRY)]
    seen = me.replica.receive(messages.Reacted(2, Reaction.WELL_PLAYED))
    assert seen == [ReactionSeen("player2", 2, Reaction.WELL_PLAYED)]
    assert me.replica.receive(messages.Reacted(3, Reaction.WOW)) == []
    with pytest.raises(Unreadable):
        from_host(encode((38, 2, 6)))
    with pytest.raises(Unreadable):
        from_peer(encode((18, 6)))


# ---- refused bodies ---------------------------------------------------------------------------


def acted(paused: PausedTable) -> tuple[SeatSession, bodies.Body]:
    me = paused.decider().seat_session
    view = me.view()
    assert view is not None
    action = next(each for each in view.legal if not isinstance(each, ANY_TIME))
    [body] = submitted(me.act(action))
    return me, body


@pytest.mark.parametrize("why", ["stale-counter", "unknown-head", "stale-decision"])
def test_a_decision_that_came_too_early_or_late_is_signed_again(why: str) -> None:
    me, body = acted(PausedTable(playing()))
    [again] = submitted(me.replica.receive(refusal(body, why)))
    assert again.payload == body.payload
    assert again.counter > body.counter
    assert me.replica.receive(refusal(body, why)) == [], "that one was answered"


@pytest.mark.parametrize("why", ["illegal", "not-now", "not-a-seat", "anything"])
def test_a_decision_refused_for_good_is_told_to_its_player(why: str) -> None:
    me, body = acted(PausedTable(playing()))
    out = me.replica.receive(refusal(body, why, "no"))
    assert out == [ActionRefused(why, "no"), ViewChanged()]
    assert me.replica.receive(refusal(body, why, counter=10**6)) == []


def test_it_does_not_try_for_ever() -> None:
    me, body = acted(PausedTable(playing()))
    counter = body.counter
    for _ in range(MOST_TRIES - 1):
        [again] = submitted(me.replica.receive(refusal(body, "stale-counter", counter=counter)))
        counter = again.counter
    assert me.replica.receive(refusal(body, "stale-counter", counter=counter)) == [
        ActionRefused("stale-counter", ""),
        ViewChanged(),
    ]


def test_a_decision_that_has_passed_is_not_signed_again() -> None:
    paused = PausedTable(playing())
    sim = paused.sim
    me = paused.decider()
    view = me.seat_session.view()
    assert view is not None
    action = next(each for each in view.legal if not isinstance(each, ANY_TIME))
    [body] = submitted(me.seat_session.act(action))
    sim.run_until(lambda: sim.host_role is not None and sim.host_role.deadline is not None)
    before = game_of(me).decision
    while game_of(me).decision == before:
        if not sim.step():
            sim.let_time_pass()
    out = me.seat_session.replica.receive(refusal(body, "stale-decision"))
    assert out == [ActionRefused("stale-decision", ""), ViewChanged()]


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
    sim, peer, body = with_lost_step(kind, players)
    sim.act(peer.number, peer.seat_session.replica.receive(refusal(body, why)))
    if why == "not-now":
        # Nothing has changed since, so the seat waits.
        assert not peer.to_host
        assert not peer.jobs
        sim.act(
            peer.number,
            peer.seat_session.replica._proceed(),
        )
    sim.run()
    assert sim.host_role is not None
    assert sim.host_role.replay.closed is bodies.CloseReason.STOPPED
    reports(sim)


def test_a_commitment_made_again_is_the_same() -> None:
    sim, peer, body = with_lost_step(bodies.Commit)
    out = peer.seat_session.replica.receive(refusal(body, "stale-counter"))
    [again] = submitted(out)
    assert again.payload == body.payload
    assert not [output for output in out if isinstance(output, StoreSeed)]
    assert sim.label


def test_a_pass_is_done_again_where_only_the_log_has_moved_on() -> None:
    """A pass names its deal and step: it fits no other place, and is the same each time."""
    sim, peer, body = with_lost_step(bodies.Pass)
    assert peer.seat_session.replica.receive(refusal(body, "not-now")) == []
    out = peer.seat_session.replica._proceed()
    [job] = [output for output in out if isinstance(output, RunJob)]
    [again] = submitted(peer.seat_session.job_done(job.job, job.work()))
    assert again.payload == body.payload
    out = peer.seat_session.replica.receive(refusal(again, "stale-counter"))
    sim.act(peer.number, out)
    sim.run()
    reports(sim)


def test_a_refusal_of_another_seat_of_the_same_node_is_passed_over() -> None:
    me, body = acted(PausedTable(playing()))
    assert (
        me.replica.receive(BodyRefusal((body.author + 1) % 3, body.counter, "stale-counter", ""))
        == []
    )
    assert len(submitted(me.replica.receive(refusal(body, "stale-counter")))) == 1


def test_a_refused_step_is_tried_so_many_times() -> None:
    _, peer, body = with_lost_step(bodies.Reveal)
    counter, tries = body.counter, 1
    while True:
        again = submitted(
            peer.seat_session.replica.receive(refusal(body, "stale-counter", counter=counter))
        )
        if not again:
            break
        counter, tries = again[0].counter, tries + 1
    assert tries == MOST_TRIES


def test_a_refused_leave_is_sent_again_until_it_is_in_the_log() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    [body] = submitted(me.leave())
    [again] = submitted(me.replica.receive(refusal(body, "wrong-round")))
    assert again.payload == bodies.Leave()
    assert me.replica.receive(refusal(again, "already-done")) == []


def test_a_body_under_way_is_not_submitted_again() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    assert len(submitted(me.leave())) == 1
    assert me.leave() == []
    [body] = submitted(me.listen(4711))
    assert body.payload == bodies.Listen(4711)
    assert me.listen(4712) == []
    assert me.take_seat_again() == [], "it was not dropped"
    assert me.listen(0) == []


def test_the_number_of_bodies_under_way_is_limited() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    for _ in range(3 * MOST_PENDING):
        me._submit(bodies.Leave())
    assert len(me._sent) == MOST_PENDING


# ---- what is on the disk ----------------------------------------------------------------------


def test_a_seat_acknowledges_each_entry_on_its_disk_once() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    assert me.replica.synced(SyncJournal(me.replay.seq, 0)) == [], "it was acknowledged before"
    assert me.replica.synced(SyncJournal(me.replay.seq + 1, 0)) == [], "more than it holds"
    assert me.replica.synced(SyncJournal(10**9, 1)) == []
    eve = one_seat(me.replay.genesis, None, bytes)
    eve.replica.connected()
    journal = paused.sim.journal
    first, rest = tuple(journal[:4]), tuple(journal[4:9])
    assert SyncJournal(4, 0) in eve.replica.receive(Entries(0, first))
    assert SyncJournal(9, 0) in eve.replica.receive(Entries(4, rest))
    assert eve.replica.synced(SyncJournal(4, 0)) == [], "not before it has caught up"
    assert EntriesOnDisk(4) in eve.replica.receive(Entries(9, ()))
    assert eve.replica.synced(SyncJournal(9, 0)) == [EntriesOnDisk(9)]
    assert eve.replica.synced(SyncJournal(4, 0)) == []


# ---- halting ----------------------------------------------------------------------------------


def test_it_halts_a_round_once() -> None:
    paused = PausedTable(playing(2))
    me = paused.sim.peers[1].seat_session
    me._unsound = Unsound(HaltReason.NO_CARD, None)
    [body] = submitted(me.after_entry())
    assert body.payload == bodies.Halt(HaltReason.NO_CARD, None)
    assert me.after_entry() == []
    [again] = submitted(me.replica.receive(refusal(body, "stale-counter")))
    assert again.payload == body.payload


def test_without_its_secrets_a_seat_is_able_to_commit_and_to_attest() -> None:
    session = PausedTable(playing(2)).sim.peers[1].seat_session
    session._keys._hands = None
    kinds = [kind for kind in AutomaticStepKind if session._is_able(AutomaticStep(1, kind, 0))]
    assert kinds == [AutomaticStepKind.COMMIT, AutomaticStepKind.ATTEST]


# ---- work in the background -------------------------------------------------------------------


def test_work_that_nobody_waits_for_any_more_is_dropped() -> None:
    """The round has become void meanwhile, or the result arrives twice."""
    sim = TableSim(3, 1)
    sim.run_until(lambda: bool(sim.peers[1].jobs))
    job = sim.peers[1].jobs.popleft()
    result = job.work()
    liar = sim.peers[0].seat_session
    liar._unsound = Unsound(HaltReason.NO_CARD, None)
    sim.act(0, liar.after_entry())
    while sim.step():
        pass
    current = sim.peers[1].seat_session.replay.round
    assert current is not None
    assert current.void is not None
    assert sim.peers[1].seat_session.job_done(job.job, result) == []
    assert sim.peers[1].seat_session.job_done(job.job, result) == []
    assert sim.peers[1].seat_session.job_done(10**6, result) == []
    sim.run()
    assert {report.verdict.value for report in reports(sim, 0).values()} == {"cheating"}


def test_work_is_shown_without_its_secrets() -> None:
    sim = TableSim(3, 1)
    sim.run_until(lambda: bool(sim.peers[1].jobs))
    job = sim.peers[1].jobs[0]
    assert isinstance(job, RunJob)
    assert repr(job) == f"RunJob(job={job.job})"
    assert "secret" in repr(sim.peers[1].seat_session._keys)
    assert isinstance(sim.peers[1].seat_session._keys, SeatKeys)


# ---- every message at every stage -------------------------------------------------------------

STAGES: dict[str, Callable[[], PausedTable]] = {
    "commit": lambda: PausedTable(at_phase(0, ProtocolPhase.COMMIT), settled=False),
    "escrow": lambda: PausedTable(at_phase(0, ProtocolPhase.ESCROW), players=4, settled=False),
    "dealer": lambda: PausedTable(at_phase(0, ProtocolPhase.PLAY), settled=False),
    "reveal": lambda: PausedTable(at_phase(1, ProtocolPhase.REVEAL), settled=False),
    "attest": lambda: PausedTable(at_phase(1, ProtocolPhase.ATTEST), settled=False),
    "done": lambda: PausedTable(at_phase(0, ProtocolPhase.DONE), settled=False),
    "deal": lambda: PausedTable(at_phase(1, ProtocolPhase.PLAY), settled=False),
    "play": lambda: PausedTable(playing()),
    "show": lambda: PausedTable(
        at_round_phase(RoundPhase.SHOW), ruleset=CROWDED, seed=0, settled=False
    ),
    "verdict": lambda: PausedTable(
        at_round_phase(RoundPhase.VERDICT), ruleset=CROWDED, seed=0, settled=False
    ),
    "open hand": lambda: PausedTable(
        at_round_phase(RoundPhase.OPEN_HAND),
        ruleset=CROWDED,
        seed=0,
        settled=False,
        mute=(Verdict,),
    ),
    "closed": lambda: PausedTable(lambda sim: bool(sim.host_role and sim.host_role.settled)),
}


def harmless(sim: TableSim, held: int) -> list[AtTable]:
    """Return messages that an honest host can send at any time."""
    return [
        messages.LobbyState(bytes(16), "mesa", messages.LobbyPhase.OPEN, Ruleset(), 2, (), 0),
        messages.Refused(messages.LobbyRefusal.STARTED),
        messages.NoncesWanted(()),
        messages.Began(sim.peers[0].seat_session.replay.genesis),
        Entries(0, ()),
        Entries(0, tuple(sim.journal[: min(5, held)])),
        BodyRefusal(0, 10**6, "illegal", ""),
        messages.Said("eve", -1, "hi"),
        messages.Waiting((), 0),
        messages.Waiting((0, 9), 2**32 - 1),
    ]


@pytest.mark.parametrize("stage", STAGES.values(), ids=STAGES)
def test_every_message_at_every_stage(stage: Callable[[], PausedTable]) -> None:
    paused = stage()
    sim = paused.sim
    for peer in sim.seated:
        me = peer.seat_session
        before = (me.replay.seq, me.replay.state())
        for message in harmless(sim, me.replay.seq):
            for output in me.replica.receive(message):
                assert not isinstance(output, NodeStopped | AppendEntry)
        assert (me.replay.seq, me.replay.state()) == before
        assert me.replica.stopped is None
        assert me.replica.final_count <= me.replay.seq
        me.view()
        nonsense = Entries(me.replay.seq, (Entry(b"nonsense", bytes(64)),))
        out = me.replica.receive(nonsense)
        if me.replay.closed is not None:
            assert out == []
            continue
        assert [type(output) for output in out] == [AppendEntry, NodeStopped]
        for message in (*harmless(sim, me.replay.seq), nonsense):
            assert me.replica.receive(message) == []
        assert me.leave() == []
        assert not me.to_move
        with pytest.raises(TableError):
            me.act(Draw())
        assert me._begin_due_steps() == []
        assert (me.replay.seq, me.replay.state()) == before


def test_a_session_of_another_table_is_of_no_use() -> None:
    sim = TableSim(2, 1)
    sim.run_until(lambda: len(sim.journal) > 3)
    other = TableSim(2, 2)
    other.run_until(lambda: len(other.journal) > 3)
    me = one_seat(sim.peers[0].seat_session.replay.genesis, None, bytes)
    out = me.replica.receive(Entries(0, tuple(other.journal)))
    assert isinstance(out[-1], NodeStopped)
    assert out[-1].blame.seat is None
