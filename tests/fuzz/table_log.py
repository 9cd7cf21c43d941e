"""Parsers of the log: genesis, entries, bodies, whole files; seats that sign arbitrary payloads."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from lanuno.log.audit.audit import audit_bytes
from lanuno.log.faults import AuditVerdict, BodyRefused, Unreadable
from lanuno.log.format import transcript
from lanuno.log.format.bodies import HOST, HOST_PAYLOADS, Body, Pass, Payload
from lanuno.log.format.codec import decode, decode_with, encode
from lanuno.log.format.entries import Entry, EntryCore
from lanuno.log.format.genesis import Genesis, check_roster, encode_roster, is_early, read_roster
from lanuno.log.round.round_audit import is_proof
from tests.fuzz.games import MOMENTS, moment, moment_of, played, reshuffled
from tests.fuzz.parser import Parser
from tests.harness.log_table.log_table import identity
from tests.harness.log_table.moments import play_on

NO_POINT = b"\x02" + (5).to_bytes(32, "big")
"""Bytes with the shape of a point that is not on the curve."""

_payloads: msgspec.msgpack.Decoder[Payload] = msgspec.msgpack.Decoder(Payload)


def _read(kind: type[object]) -> Callable[[bytes], None]:
    def feed(data: bytes) -> None:
        assert encode(decode(data, kind)) == data

    return feed


def _genesis(data: bytes) -> None:
    genesis = decode(data, Genesis)
    genesis.read()
    # No other genesis carries the signatures of both players.
    assert genesis == played().genesis


def _roster(data: bytes) -> None:
    roster = read_roster(data)
    check_roster(roster)
    assert is_early(data) or encode_roster(roster) == data


def _payload(data: bytes) -> None:
    """Let a seat sign an arbitrary payload at some moment of a game.

    The first byte is the moment, the second the author, the rest the payload: a fuzzer cannot make
    valid signatures itself. A refused payload must change nothing.
    """
    if len(data) < 3:
        raise Unreadable("too short")
    payload = decode_with(data[2:], _payloads)
    game = moment(data[0] % MOMENTS)
    author = HOST if isinstance(payload, HOST_PAYLOADS) else data[1] % 3
    by = identity(author % 2) if author != HOST else None
    signed = game.signed(author, payload, by=by)
    replay = game.replay
    before = (replay.state(), replay.seq, replay.head, replay.size)
    try:
        game.append(signed)
    except BodyRefused:
        assert before == (replay.state(), replay.seq, replay.head, replay.size)
        raise
    assert replay.seq == before[1] + 1


def _consequences(data: bytes) -> None:
    """Let one of four seats sign an arbitrary payload; then drop a seat and play on honestly.

    The first bytes are the moment, the author, the seat that the host drops and the number of
    entries before the drop; the rest is the payload. Its effects may be detected much later, and
    must blame no other seat.
    """
    if len(data) < 6:
        raise Unreadable("too short")
    payload = decode_with(data[5:], _payloads)
    author = HOST if isinstance(payload, HOST_PAYLOADS) else data[2] % 4
    whole = reshuffled()
    game = whole.fork(int.from_bytes(data[:2], "big") % len(whole.entries))
    game.add(author, payload)
    play_on(game, data[4] % 16)
    lost = 1 + data[3] % 3
    if game.replay.closed is None and lost not in game.replay.dropped:
        game.drop(lost)
    report = play_on(game).audit()
    liar = 0 if author == HOST else author
    assert {each.seat for each in report.blame if is_proof(each)} <= {liar}, report.blame


def _consequence_examples() -> list[bytes]:
    entries = reshuffled().entries
    found, passes = [], []
    for number, entry in enumerate(entries):
        body = entry.read().signed_body.read()
        who = 0 if body.author == HOST else body.author
        place = [*number.to_bytes(2, "big"), who]
        if isinstance(body.payload, Pass):
            points = body.payload.points[:-33] + NO_POINT
            wrong = msgspec.structs.replace(body.payload, points=points)
            # Four entries later all seats have unlocked the dealt hands.
            passes.append(bytes([*place, 0, 4]) + encode(wrong))
        else:
            found.append(bytes([*place, number % 3, number % 16]) + encode(body.payload))
    return passes + found[::7]


def _payload_examples() -> list[bytes]:
    found = []
    for number, entry in enumerate(played().entries):
        body = entry.read().signed_body.read()
        who = 0 if body.author == HOST else body.author
        found.append(bytes([moment_of(number), who]) + encode(body.payload))
    return found[::5]


def _transcript(data: bytes) -> None:
    found = transcript.read(data)
    if not found.torn:
        assert transcript.write(found.genesis, found.entries) == data


def _audit(data: bytes) -> None:
    report = audit_bytes(data)
    # A file that differs in any byte is not a verified game.
    assert (report.verdict is AuditVerdict.VERIFIED) == (data == played().file)
    assert all(blame.seat is None for blame in report.blame), "a player is blamed for it"
    assert report.verdict is not AuditVerdict.CHEATING, "somebody is said to have cheated"


def _some(part: Callable[[Entry], object]) -> Callable[[], list[bytes]]:
    return lambda: [encode(part(each)) for each in played().entries[::23]]


UNREADABLE = (Unreadable,)

PARSERS = (
    Parser("genesis", _genesis, UNREADABLE, lambda: [encode(played().genesis)]),
    Parser("roster", _roster, UNREADABLE, lambda: [played().genesis.roster]),
    Parser("entry", _read(Entry), UNREADABLE, _some(lambda each: each)),
    Parser("core", _read(EntryCore), UNREADABLE, _some(Entry.read)),
    Parser("body", _read(Body), UNREADABLE, _some(lambda each: each.read().signed_body.read())),
    Parser("payload", _payload, (Unreadable, BodyRefused), _payload_examples),
    Parser("consequences", _consequences, (Unreadable, BodyRefused), _consequence_examples),
    Parser("transcript", _transcript, UNREADABLE, lambda: [played().file[:4096]]),
    Parser("audit", _audit, (), lambda: [played().file]),
)
