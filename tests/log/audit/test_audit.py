"""The conclusions of an audit about whole transcripts, and forks between two copies."""

from __future__ import annotations

import msgspec
import pytest

from lanuno.dealing.hashing import H
from lanuno.log.audit.audit import audit, audit_bytes, prove_fork
from lanuno.log.audit.conclusion import Conclusion
from lanuno.log.faults import AuditVerdict, Blame, Check, Fault, NoGameReason
from lanuno.log.format import bodies
from lanuno.log.format.bodies import HOST, CloseReason, DropReason
from lanuno.log.format.entries import Entry, sign_entry
from lanuno.log.format.genesis import Genesis
from lanuno.log.format.transcript import MAX_FILE_BYTES, Transcript, record, write
from lanuno.log.replay.replay import Replay
from lanuno.log.round.events import RoundClosed
from lanuno.log.round.round_audit import audit_round
from lanuno.rules.ruleset import Format, Ruleset
from tests.harness.log_table.log_table import (
    SHORT,
    LogTable,
    identity,
    in_words,
    make_genesis,
    make_roster,
    new_table,
)
from tests.harness.log_table.moments import playing, wrong_checks

# ---- verdicts -------------------------------------------------------------------------------


def test_a_whole_match_is_verified(finished: LogTable) -> None:
    steps: list[tuple[int, int]] = []
    report = audit_bytes(finished.file, lambda done, total: steps.append((done, total)))
    assert report.verdict is AuditVerdict.VERIFIED
    assert report.conclusion is Conclusion.VERIFIED
    assert report.closed is CloseReason.FINISHED
    assert report.players == ("p0", "p1", "p2")
    assert report.table_id == finished.replay.table_id
    assert report.entries == len(finished.entries)
    assert report.scores == tuple(finished.replay.match.totals)
    assert report.winners == finished.replay.match.winners
    assert len(report.winners) == 1
    assert report.attestations == 6
    assert report.preset == "classic"
    assert report.blame == ()
    assert [each.round for each in report.rounds] == [0, 1]
    for each in report.rounds:
        assert each.complete
        assert [check.name for check in each.checks] == list(Check)
        assert all(check.ok for check in each.checks)
    total = len(finished.entries)
    assert steps == [(done, total) for done in range(1, total + 1)]


def test_shares_are_checked_too(escrowed: LogTable) -> None:
    report = escrowed.audit()
    assert report.verdict is AuditVerdict.VERIFIED
    assert set(escrowed.log.escrows) == {0, 1, 2, 3}
    wrong = escrowed.fork().log
    sent = wrong.escrows[2]
    wrong.escrows[2] = msgspec.structs.replace(sent, sealed=sent.sealed[::-1])
    found = audit_round(wrong)
    assert [(each.seat, each.fault) for each in found.blame] == [(2, Fault.BAD_SHARE)] * 2
    assert set(wrong_checks(found)) == {Check.SHARES}


def test_a_match_that_its_host_stopped_is_verified(played: LogTable) -> None:
    report = played.audit()
    assert (report.verdict, report.closed) == (AuditVerdict.VERIFIED, CloseReason.STOPPED)


def test_a_log_without_its_close_is_incomplete(played: LogTable) -> None:
    for upto in range(0, len(played.entries), 7):
        report = audit_bytes(write(played.genesis, played.entries[:upto]))
        assert report.verdict is AuditVerdict.INCOMPLETE
        assert report.blame == ()
        assert report.entries == upto


def test_a_torn_log_is_incomplete(played: LogTable) -> None:
    report = audit_bytes(played.file[:-1])
    assert (report.verdict, report.reason) == (AuditVerdict.INCOMPLETE, "the log was not closed")


def test_bytes_after_the_close_are_a_change(played: LogTable) -> None:
    for more in (b"\x00", b"\x00\x00\x00\x01", played.file[-200:]):
        assert audit_bytes(played.file + more).verdict is AuditVerdict.CHANGED
    again = write(played.genesis, [*played.entries, played.entries[-1]])
    report = audit_bytes(again)
    assert (report.verdict, report.reason) == (
        AuditVerdict.CHANGED,
        "bytes after the closing entry",
    )


@pytest.mark.parametrize(
    ("data", "no_game"),
    [
        (b"", NoGameReason.FOREIGN),
        (b"x" * 1_000, NoGameReason.FOREIGN),
        (b"\x89PNG\r\n\x1a\n", NoGameReason.FOREIGN),
        (b"LANUNO\x00\x01", NoGameReason.VERSION),
        (b"LANUNO\x00\x02", NoGameReason.EMPTY),
        (bytes(MAX_FILE_BYTES + 1), NoGameReason.TOO_LONG),
    ],
)
def test_bytes_that_are_no_transcript(data: bytes, no_game: NoGameReason) -> None:
    report = audit_bytes(data)
    assert (report.verdict, report.no_game) == (AuditVerdict.UNREADABLE, no_game)
    assert in_words(report.reason)
    assert (report.players, report.rounds, report.entries) == ((), (), 0)


def test_a_genesis_that_not_all_have_signed_was_changed(played: LogTable) -> None:
    genesis = msgspec.structs.replace(played.genesis, signatures=played.genesis.signatures[::-1])
    report = audit(Transcript(genesis, tuple(played.entries), torn=False))
    assert (report.verdict, report.players) == (AuditVerdict.CHANGED, ())
    assert in_words(report.reason)


def test_whether_the_last_entry_is_the_one_that_nobody_signed(played: LogTable) -> None:
    """A node that stopped because of such an entry has stored it, so the file was not changed."""
    whole, unsigned = played.entries, Entry(played.entries[9].core, bytes(64))
    for entries, at_end in (
        ([*whole[:9], unsigned], True),
        ([*whole[:9], unsigned, whole[10]], False),
        ([*whole, unsigned], False),
    ):
        report = audit_bytes(write(played.genesis, entries))
        assert (report.verdict, report.at_end) == (AuditVerdict.CHANGED, at_end)
    for more in (b"\x00\x00", record(b"\xc1")):
        report = audit_bytes(write(played.genesis, [*whole[:9], unsigned]) + more)
        assert (report.verdict, report.at_end) == (AuditVerdict.CHANGED, False)


def test_the_genesis_of_a_tournament_is_no_table() -> None:
    genesis = make_genesis(make_roster(8, Ruleset(format=Format.ROTATION)))
    report = audit(Transcript(genesis, (), torn=False))
    assert (report.verdict, report.no_game) == (AuditVerdict.UNREADABLE, NoGameReason.PLAYERS)
    assert in_words(report.reason)


def test_a_match_that_was_broken_off_is_incomplete(played: LogTable) -> None:
    for upto, why in ((0, "not everything"), (30, "a round was not finished")):
        table = played.fork(upto)
        table.add(HOST, table.close(CloseReason.INCOMPLETE))
        report = table.audit()
        assert report.verdict is AuditVerdict.INCOMPLETE
        assert why in report.reason
    table = played.fork(len(played.entries) - 1)
    table.add(HOST, table.close(CloseReason.INCOMPLETE))
    report = table.audit()
    assert (report.verdict, report.reason) == (AuditVerdict.INCOMPLETE, "the match was broken off")


def test_a_log_is_verified_without_a_seat_that_went(played: LogTable) -> None:
    table = played.fork(len(played.entries) - 1)
    table.drop(1, DropReason.LEFT)
    assert table.run().audit().verdict is AuditVerdict.VERIFIED


@pytest.mark.parametrize("why", DropReason)
def test_an_absence_rests_on_the_hosts_word_unless_it_was_signed(why: DropReason) -> None:
    table = new_table(3, SHORT).run(playing)
    assert not table.fork().run().audit().on_hosts_word
    table.drop(1, why)
    assert table.run().audit().on_hosts_word == (why is not DropReason.LEFT)


def test_a_broken_log_keeps_what_was_found_before(played: LogTable) -> None:
    """The audit stops at the first wrong entry, and checks everything before it."""
    for at in (1, len(played.entries) - 1):
        entries = list(played.entries)
        core = msgspec.structs.replace(entries[at].read(), state=bytes(32))
        entries[at] = sign_entry(core, identity(0))
        report = audit_bytes(write(played.genesis, entries))
        assert report.verdict is AuditVerdict.CHEATING
        assert [(each.seat, each.fault, each.entry) for each in report.blame] == [
            (0, Fault.BAD_STATE, at)
        ]
        assert Check.STATES in wrong_checks(report.rounds[-1])
        assert report.entries == at
    first = sign_entry(msgspec.structs.replace(played.entries[0].read(), seq=1), identity(0))
    report = audit_bytes(write(played.genesis, [first]))
    assert [each.round for each in report.rounds] == [0]
    assert set(wrong_checks(report.rounds[0])) == set(Check)
    assert report.blame[0].seat is None


# ---- two copies -----------------------------------------------------------------------------


def copy_of(table: LogTable) -> tuple[Genesis, list[Entry]]:
    return table.genesis, table.entries


def test_two_entries_with_one_number_are_a_fork(played: LogTable) -> None:
    other = played.fork(40)
    other.add(HOST, bodies.Drop(1, DropReason.LOST))
    blame = prove_fork(copy_of(played), copy_of(other))
    assert blame == Blame(0, Fault.EQUIVOCATION, 0, 40, "two entries of the host with one number")
    assert prove_fork(copy_of(other), copy_of(played)) == blame


def test_copies_that_do_not_differ_prove_nothing(played: LogTable) -> None:
    assert prove_fork(copy_of(played), copy_of(played)) is None
    assert prove_fork(copy_of(played), copy_of(played.fork(20))) is None
    assert prove_fork(copy_of(played), copy_of(new_table(2, salt=9).run())) is None


def test_only_what_the_host_signed_proves_a_fork(played: LogTable) -> None:
    entry = played.entries[40]
    core = msgspec.structs.replace(entry.read(), ms=1)
    good = sign_entry(core, identity(0))

    def with_entry(changed: Entry) -> tuple[Genesis, list[Entry]]:
        return played.genesis, [*played.entries[:40], changed]

    assert prove_fork(copy_of(played), with_entry(good)) is not None
    for changed in (
        sign_entry(core, identity(1)),
        Entry(good.core, bytes(64)),
        sign_entry(msgspec.structs.replace(core, seq=41), identity(0)),
        sign_entry(msgspec.structs.replace(core, term=1), identity(0)),
        sign_entry(msgspec.structs.replace(core, table=bytes(32)), identity(0)),
    ):
        assert prove_fork(copy_of(played), with_entry(changed)) is None
    # If only the host's signature differs, there is no fork.
    assert prove_fork(copy_of(played), with_entry(Entry(entry.core, bytes(64)))) is None


def test_no_copy_makes_the_comparison_fail(played: LogTable) -> None:
    unsigned = msgspec.structs.replace(played.genesis, signatures=())
    assert prove_fork((unsigned, played.entries), copy_of(played.fork(10))) is None
    nonsense = Entry(b"\x90", identity(0).sign(H("entry", b"\x90")))
    assert prove_fork(copy_of(played), (played.genesis, [nonsense])) is None
    other = played.fork(0)
    other.add(HOST, bodies.Drop(1, DropReason.LOST))
    assert prove_fork((unsigned, played.entries), copy_of(other)) is None


def broken_from(table: LogTable, entries: int) -> int | None:
    """Return the round from which a log with only its first entries is not whole."""
    return table.fork(entries).audit().broken_from


def test_a_log_that_is_cut_off_is_broken_from_the_round_of_its_next_entry() -> None:
    table = new_table(2, rounds=2).run()
    replay = Replay(table.genesis)
    ends = [
        number
        for number, entry in enumerate(table.entries, 1)
        if any(isinstance(each, RoundClosed) for each in replay.follow(entry))
    ]
    assert len(ends) == 3
    for number, end in enumerate(ends):
        assert broken_from(table, end - 1) == number
        assert broken_from(table, end) == number + 1
    assert broken_from(table, 0) == 0
    assert table.audit().broken_from is None


def test_only_the_end_is_missing_of_a_log_in_which_everything_was_played() -> None:
    single = new_table(2, Ruleset(hand_size=2, format=Format.SINGLE)).run()
    roster = msgspec.structs.replace(make_roster(2, SHORT), rounds=1)
    agreed = LogTable(make_genesis(roster)).run()
    totals = agreed.replay.match.totals
    winner = (totals.index(max(totals)),)
    assert agreed.audit().winners == winner, "nobody else is as good"
    unfinished = make_genesis(msgspec.structs.replace(roster, rounds=2))
    assert LogTable(unfinished).run().audit().winners == (), "stopped after one round"
    # A host that is behind goes on until it is ahead.
    longer = LogTable(make_genesis(roster), rounds=6).run()
    assert longer.replay.match.totals.index(max(longer.replay.match.totals)) not in winner
    assert longer.audit().winners == winner
    for table in (single, agreed):
        report = table.fork(len(table.entries) - 1).audit()
        assert (report.verdict, report.broken_from) == (AuditVerdict.INCOMPLETE, None)
