"""Leaving at every phase of a round, at tables of two, three, four and ten: the consequences.

By resources/spec/protocol.md, "Lost seats": of two owners, the other wins. With fewer than three
remaining owners a round cannot continue, nor before the shares of every seed are given out.
Otherwise the leaver's keys are recovered and the round counts. In every case the transcript is
verified and tells which round is void.

One honest game is played for each size of table; the moments are points of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

import pytest

from lanuno.dealing import deal, verify
from lanuno.dealing.deal import StepKind, honest_step
from lanuno.dealing.passes import PassStep
from lanuno.dealing.secrets import RoundSecrets
from lanuno.log.faults import AuditVerdict, Fault, VoidReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason
from lanuno.log.round import events
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.rules.cards import Rank
from lanuno.rules.engine.actions import Accuse, Action, Challenge, Draw, Keep, OpenHand, Play
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.engine.round import Round
from lanuno.rules.engine.state import NOBODY, RoundPhase
from lanuno.rules.ruleset import Manners, Ruleset
from tests.harness.log_table.log_table import LogTable, first_legal, new_table
from tests.harness.log_table.moments import RANKS

Leaver = Callable[[LogTable], int | None]
"""Returns who leaves now if the table has reached the moment; never the host."""


def bold(table: LogTable, seat: int, acts: tuple[Action, ...]) -> Action:
    """Lay a Wild Draw Four if possible, challenge those of others, and forget to say "UNO"."""
    doubts = [act for act in acts if isinstance(act, Challenge)]
    # With three or more seats the host leaves this to the seats that may leave.
    lays = seat != 0 or len(table.engine.seats) == 2
    fours = [each for each in acts if isinstance(each, Play) and _is_four(each.card) and lays]
    safe = [each for each in acts if not (isinstance(each, Play) and _is_four(each.card))]
    plays = [each for each in safe if isinstance(each, Play) and not each.uno]
    draws = [each for each in acts if isinstance(each, Draw) and table.engine.turns < 2]
    kept = [each for each in acts if isinstance(each, Keep)]
    chosen: list[Action] = [*doubts, *fours, *draws, *kept, *plays, *safe, *acts]
    return chosen[0]


def _is_four(card: int) -> bool:
    return RANKS[card] == Rank.WILD_FOUR


@pytest.fixture(autouse=True)
def _computed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache dealing results: the games share their beginnings, and audits repeat the steps."""
    for module in (deal, verify):
        monkeypatch.setattr(module, "honest_step", _honest_step)


_steps: dict[object, PassStep] = {}


def _honest_step(
    at: deal.Deal, kind: StepKind, points: tuple[bytes, ...], secrets: RoundSecrets
) -> PassStep:
    key = (at.number, at.locked, kind, points, secrets.seed, secrets.context)
    if key not in _steps:
        _steps[key] = honest_step(at, kind, points, secrets)
    return _steps[key]


# ---- the moment of leaving ------------------------------------------------------------------


def _guest(seat: int | None) -> int | None:
    return None if seat in (None, 0) else seat


def _last(table: LogTable) -> int:
    return table.log.seats[-1]


def preparing(number: int, phase: ProtocolPhase, *, done: int) -> Leaver:
    """Leave in the commit or escrow phase, once `done` seats have done their step."""

    def leaver(table: LogTable) -> int | None:
        log = table.log
        said = log.commits if phase is ProtocolPhase.COMMIT else log.escrows
        return _last(table) if (log.number, log.phase, len(said)) == (number, phase, done) else None

    return leaver


def passing(number: int, kind: StepKind, *, own: bool) -> Leaver:
    """Leave while a deal waits for the leaver's pass, or for another one after it."""

    def leaver(table: LogTable) -> int | None:
        log = table.log
        if log.number != number or log.deal is None or log.deal.expected is None:
            return None
        step, seat = log.deal.expected
        if step is not kind:
            return None
        if own:
            return _guest(seat)
        before = [each.seat for each in log.deal.accepted if each.kind is kind]
        return next((each for each in before if each), None)

    return leaver


def opening(number: int, *, to_all: bool) -> Leaver:
    """Leave while keys are published, for a card open to everybody or for hands."""

    def leaver(table: LogTable) -> int | None:
        log = table.log
        if log.number != number or log.phase is not ProtocolPhase.PLAY:
            return None
        for need in log.needs.values():
            if (need.to is None) is to_all and _last(table) in need.waiting:
                return _last(table)
        return None

    return leaver


def deciding(stage: RoundPhase, who: Callable[[Round], int | None]) -> Leaver:
    """Leave while a seat has to decide and can read its cards."""

    def leaver(table: LogTable) -> int | None:
        log = table.log
        if log.kind is not RoundKind.PLAY or log.phase is not ProtocolPhase.PLAY or log.needs:
            return None
        engine = table.engine
        if engine.phase is not stage or (engine.decider is not None and log.deal is not None):
            return None
        return _guest(who(engine))

    return leaver


def _decider(engine: Round) -> int | None:
    return engine.decider


def _somebody_else(engine: Round) -> int | None:
    return next((seat for seat in engine.seats if seat and seat != engine.decider), None)


def _owes_uno(engine: Round) -> int | None:
    return engine.uno_owed


def _may_catch(engine: Round) -> int | None:
    others = [seat for seat in engine.seats if seat and seat != engine.uno_owed]
    return others[-1] if others and engine.uno_owed is not None else None


def _was_hit(engine: Round) -> int | None:
    return engine.decider if engine.accused != NOBODY else None


def _laid_four(engine: Round) -> int | None:
    return None if engine.accused == NOBODY else engine.accused


def _challenged_by(engine: Round) -> int | None:
    return None if engine.challenger == NOBODY else engine.challenger


def _laid_on_honour(engine: Round) -> int | None:
    return None if engine.laid is None else engine.laid.seat


def ending(phase: ProtocolPhase) -> Leaver:
    """Leave while seeds are revealed or attested, before the last seat has done so."""

    def leaver(table: LogTable) -> int | None:
        log = table.log
        return _last(table) if (log.number, log.phase) == (1, phase) else None

    return leaver


# ---- events before the leaving --------------------------------------------------------------


def accusing(table: LogTable, leaver: int) -> None:
    """The leaver accuses the host of giving advice."""
    table.add(leaver, table.act(leaver, Accuse(0)))


def accused(table: LogTable, leaver: int) -> None:
    """The host accuses the leaver."""
    table.add(0, table.act(0, Accuse(leaver)))


def voting(table: LogTable, leaver: int) -> None:
    """The host accuses a third player, and the leaver has not voted yet."""
    third = next(seat for seat in table.engine.seats if seat not in (0, leaver))
    table.add(0, table.act(0, Accuse(third)))


def no_verdict(table: LogTable, leaver: int) -> None:
    """The challenger gives no verdict, so the hand must be opened to everybody."""
    table.add(HOST, bodies.TimeOut(table.engine.decision))
    assert table.engine.phase is RoundPhase.OPEN_HAND


def opened(table: LogTable, leaver: int) -> None:
    """The hand of the leaver has been opened to everybody and is judged."""
    no_verdict(table, leaver)
    table.add(leaver, table.act(leaver, OpenHand()))


def revealed(table: LogTable, leaver: int) -> None:
    """The leaver has revealed its seeds, the other seats have not."""
    table.add(leaver, table.reveal(leaver))


def attested(table: LogTable, leaver: int) -> None:
    """The leaver has attested the round."""
    table.add(leaver, table.attest(leaver))


def nothing(table: LogTable, leaver: int) -> None:
    """Nothing else happens before the leaving."""


@dataclass(frozen=True)
class Moment:
    """A point of the game at which a player leaves."""

    leaver: Leaver
    before: Callable[[LogTable, int], None] = nothing
    from_seats: int = 2
    """The smallest table that has this moment."""
    to_seats: int = 10
    """The largest table at which it is tested; at larger ones another moment covers the phase."""
    honour: bool = False


MOMENTS = {
    "dealer: commit": Moment(preparing(0, ProtocolPhase.COMMIT, done=1)),
    "dealer: shares": Moment(preparing(0, ProtocolPhase.ESCROW, done=1), from_seats=4, to_seats=4),
    "dealer: shuffle": Moment(passing(0, StepKind.MASK, own=True)),
    "dealer: lock": Moment(passing(0, StepKind.LOCK, own=True), to_seats=4),
    "dealer: cards": Moment(opening(0, to_all=True)),
    "commit: the first": Moment(preparing(1, ProtocolPhase.COMMIT, done=0), to_seats=4),
    "commit": Moment(preparing(1, ProtocolPhase.COMMIT, done=1)),
    "shares: the first": Moment(
        preparing(1, ProtocolPhase.ESCROW, done=0), from_seats=4, to_seats=4
    ),
    "shares": Moment(preparing(1, ProtocolPhase.ESCROW, done=1), from_seats=4),
    "shuffle, own pass": Moment(passing(1, StepKind.MASK, own=True)),
    "shuffle, after it": Moment(passing(1, StepKind.MASK, own=False), from_seats=3, to_seats=4),
    "lock, own pass": Moment(passing(1, StepKind.LOCK, own=True)),
    "lock, after it": Moment(passing(1, StepKind.LOCK, own=False), from_seats=3, to_seats=4),
    "keys for hands": Moment(opening(1, to_all=False)),
    "keys for all": Moment(opening(1, to_all=True)),
    "own turn": Moment(deciding(RoundPhase.TURN, _decider)),
    "another's turn": Moment(deciding(RoundPhase.TURN, _somebody_else)),
    "card drawn": Moment(deciding(RoundPhase.DRAWN, _decider), to_seats=4),
    "hit by +4": Moment(deciding(RoundPhase.PENALTY, _was_hit)),
    "laid the +4": Moment(deciding(RoundPhase.PENALTY, _laid_four), to_seats=4),
    "has to show": Moment(deciding(RoundPhase.SHOW, _decider), to_seats=4),
    "has to judge": Moment(deciding(RoundPhase.VERDICT, _decider)),
    "has to open": Moment(deciding(RoundPhase.VERDICT, _laid_four), no_verdict, to_seats=4),
    "has opened": Moment(deciding(RoundPhase.VERDICT, _laid_four), opened, to_seats=4),
    "gave no verdict": Moment(deciding(RoundPhase.VERDICT, _challenged_by), no_verdict, to_seats=4),
    "owes UNO": Moment(deciding(RoundPhase.TURN, _owes_uno)),
    "may catch": Moment(deciding(RoundPhase.TURN, _may_catch), to_seats=4),
    "vote, accused": Moment(deciding(RoundPhase.TURN, _somebody_else), accused, from_seats=3),
    "vote, accuser": Moment(
        deciding(RoundPhase.TURN, _somebody_else), accusing, from_seats=3, to_seats=4
    ),
    "vote, voter": Moment(
        deciding(RoundPhase.TURN, _somebody_else), voting, from_seats=3, to_seats=4
    ),
    "objection": Moment(deciding(RoundPhase.OBJECTION, _laid_on_honour), honour=True, to_seats=4),
    "reveal": Moment(ending(ProtocolPhase.REVEAL)),
    "reveal, done": Moment(ending(ProtocolPhase.REVEAL), revealed, to_seats=4),
    "attest": Moment(ending(ProtocolPhase.ATTEST)),
    "attest, done": Moment(ending(ProtocolPhase.ATTEST), attested, to_seats=4),
}

PLACES = [
    (seats, name)
    for seats in (2, 3, 4, 10)
    for name, moment in MOMENTS.items()
    if moment.from_seats <= seats <= moment.to_seats
]


@cache
def games(seats: int) -> dict[str, tuple[LogTable, int, int]]:
    """Return, for every moment, a game that reaches it, the entries until then, and the leaver."""
    wanted = {name for of, name in PLACES if of == seats}
    found: dict[str, tuple[LogTable, int, int]] = {}
    for salt in range(200):
        honour = salt % 2 == 1
        if any(MOMENTS[name].honour is honour for name in wanted - found.keys()):
            for name, place in _moments(_game(seats, salt, honour=honour), honour=honour):
                found.setdefault(name, place)
        if wanted <= found.keys():
            return found
    raise AssertionError(f"no game comes to {wanted - found.keys()}")


def _game(seats: int, salt: int, *, honour: bool) -> LogTable:
    manners = Manners.HONOUR if honour else Manners.ENFORCED
    rules = Ruleset(hand_size=4, manners=manners, advice=seats > 2)
    return new_table(seats, rules, salt=salt, choose=bold)


def _moments(table: LogTable, *, honour: bool) -> Iterator[tuple[str, tuple[LogTable, int, int]]]:
    table.step()
    while table.replay.number <= 1 and not table.replay.match.over:
        for name, each in MOMENTS.items():
            if each.honour is honour and (leaver := each.leaver(table)) is not None:
                yield name, (table, table.replay.seq, leaver)
        if not table.step():
            return


@pytest.mark.parametrize(("seats", "name"), PLACES)
def test_leaving(seats: int, name: str) -> None:
    game, entries, leaver = games(seats)[name]
    table = game.fork(entries, choose=first_legal)
    MOMENTS[name].before(table, leaver)
    log, number = table.log, table.replay.number
    # Whether the leaver's seeds are missing and cannot be recovered from shares.
    silent = leaver not in log.reveals
    spoils = silent and (seats < 4 or log.phase < ProtocolPhase.PLAY)
    revealing = log.phase is ProtocolPhase.REVEAL
    table.drop(leaver)
    finish(table)
    report, match = table.audit(), table.replay.match
    assert report.verdict is AuditVerdict.VERIFIED
    void = [(each.round, each.void, each.voided_by) for each in report.rounds if each.void]
    # In the reveal phase only the host says that the seeds never came.
    spoilers = () if revealing else (leaver,)
    assert void == ([(number, VoidReason.LOST, spoilers)] if spoils else [])
    assert all(each.complete for each in report.rounds if each.round != number or not spoils)
    blamed = {(each.seat, each.fault, each.round) for each in report.blame}
    assert blamed <= ({(leaver, Fault.NO_REVEAL, number)} if spoils else set())
    assert (events.SeatRecovered(leaver) in table.happened) == (silent and not spoils)
    if seats == 2:
        assert events.Forfeited(leaver, 0) in table.happened
        assert (table.replay.closed, match.winners) == (CloseReason.FINISHED, (0,))
        return
    assert match.absent == {leaver}
    opened = [each for each in table.happened if isinstance(each, events.RoundOpened)]
    if spoils:
        before, again = opened[number], opened[number + 1]
        assert again.seats == tuple(seat for seat in before.seats if seat != leaver)
        # The same dealer again, or the next seat.
        dealer = (leaver + 1) % seats if before.dealer == leaver else before.dealer
        assert (again.kind, again.dealer) == (before.kind, dealer)
    else:
        assert len(opened) == 2


def finish(table: LogTable) -> None:
    """Play to the close; the clock ends votes."""
    table.run(lambda each: not each.log.recovering)
    engine = table.log.engine
    if table.log.phase is ProtocolPhase.PLAY and isinstance(engine, Round) and engine.accusation:
        table.add(HOST, bodies.Settle(Matter.VOTE))
    table.run()
