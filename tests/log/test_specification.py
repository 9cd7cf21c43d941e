"""resources/spec/protocol.md names what the code has: every structure, field, bound and member.

Prose cannot be tested. These tests notice a field that was added, moved or renamed.
"""

from __future__ import annotations

import re
from enum import Enum, IntEnum
from pathlib import Path
from typing import get_args

import pytest
from msgspec.inspect import (
    BoolType,
    BytesType,
    EnumType,
    IntType,
    NoneType,
    StrType,
    StructType,
    Type,
    UnionType,
    VarTupleType,
    type_info,
)

from lanuno.log.faults import AuditVerdict, Check, Fault, RefusalReason, VoidReason
from lanuno.log.format import bodies, votes
from lanuno.log.format.bodies import Body, Payload, SignedBody, SlotKeyList
from lanuno.log.format.entries import Entry, EntryCore
from lanuno.log.format.genesis import VERSION, Genesis, Roster, SeatInfo, TournamentBinding
from lanuno.log.format.limits import (
    ELECTION_BYTES,
    ELECTIONS,
    MAX_ENTRIES,
    MAX_LOG_BYTES,
    ROOM_BYTES,
    ROOM_ENTRIES,
    ROOM_TO_CLOSE,
)
from lanuno.log.format.transcript import MAGIC, MAX_RECORD_BYTES
from lanuno.log.format.votes import SignedVote
from lanuno.log.replay.terms import COUNTERS_PER_TERM, MAX_TERM_STEP
from lanuno.log.round.round_record import ProtocolPhase
from lanuno.net.errors import Goodbye
from lanuno.net.transport.handshake import HandshakeRefusal
from lanuno.rules.cards import Colour
from lanuno.rules.engine.actions import Action
from lanuno.rules.engine.dealer import DealerRound
from lanuno.rules.engine.manners import Matter
from lanuno.rules.engine.results import RoundKind
from lanuno.rules.engine.round import Round
from lanuno.rules.match.match import Match
from lanuno.rules.ruleset import (
    PRESET_LENGTH,
    DrawnRule,
    DrawRule,
    Format,
    Manners,
    Ruleset,
    UnoRule,
    WildFour,
)
from lanuno.rules.settings import SETTINGS
from lanuno.table import messages
from lanuno.table.messages import FromHost, FromPeer
from tests.harness.log_table.log_table import LogTable

ROOT = Path(__file__).resolve().parents[2]
SPEC = (ROOT / "resources" / "spec" / "protocol.md").read_text(encoding="utf-8")
FLAT = " ".join(SPEC.split())

STRUCTURES: tuple[type, ...] = (
    *(SeatInfo, TournamentBinding, Roster, Genesis, SignedBody, Body, EntryCore, Entry, Ruleset),
    *(SlotKeyList, SignedVote, messages.LobbySeat, messages.PeerAddress),
    *get_args(Payload),
    *get_args(Action),
    *get_args(FromPeer),
    *get_args(FromHost),
)

ENUMERATIONS: tuple[type[IntEnum], ...] = (
    *(RoundKind, bodies.HaltReason, bodies.DropReason, bodies.CloseReason, Matter, Colour),
    *(WildFour, UnoRule, DrawRule, DrawnRule, Manners, Format),
    *(messages.LobbyPhase, messages.LobbyRefusal),
)


def defined(name: str) -> list[str]:
    """Return the parts of the only definition `name = [a, b, …]`."""
    found = re.findall(rf"^{name} = \[(.*)\]$", SPEC, re.MULTILINE)
    assert len(found) == 1, f"{name} is defined {len(found)} times"
    parts = found[0].split(", ")
    return [part for part in parts if part]


@pytest.mark.parametrize("structure", STRUCTURES, ids=lambda each: each.__name__)
def test_every_structure_has_its_tag_and_fields_in_their_order(structure: type) -> None:
    parts = defined(structure.__name__)
    info = type_info(structure)
    assert isinstance(info, StructType)
    if info.tag is not None:
        assert parts.pop(0) == str(info.tag)
    assert [part.split(" ")[0] for part in parts] == [field.name for field in info.fields]


BYTES = {32: "hash", 33: "(33 bytes)", 64: "sig", 80: "(80 bytes)"}
NUMBERS = {
    (None, None): "int",
    (0, 9): "seat",
    (0, 2**32 - 1): "u32",
    (0, 2**48 - 1): "0..2⁴⁸−1",
    (1 - 2**31, 2**31 - 1): "(±2³¹−1)",
}
SPELLINGS = {
    "key": "hash",
    "key?": "hash?",
    "key[10]": "hash[10]",
    "0..9": "seat",
    "0..9?": "seat?",
}
"""Maps names of types on the page to the names that this test writes."""


def counted(least: int | None, most: int | None) -> str:
    if most is None:
        assert not least
        return ""
    return f"[{least}..{most}]" if least else f"[{most}]"


def written(kind: Type) -> str:
    """Return a type with its bounds as the page writes them."""
    match kind:
        case UnionType(types=types) if any(isinstance(each, NoneType) for each in types):
            (inner,) = (each for each in types if not isinstance(each, NoneType))
            return written(inner) + "?"
        case UnionType(types=types):
            classes = {each.cls for each in types if isinstance(each, StructType)}
            (name,) = (
                name
                for name, union in (("Payload", Payload), ("Action", Action))
                if classes == set(get_args(union))
            )
            return name
        case StructType(cls=cls) | EnumType(cls=cls):
            return cls.__name__
        case BytesType(min_length=least, max_length=most) if least is not None and least == most:
            return BYTES.get(least, f"bytes of {least}")
        case BytesType(min_length=least, max_length=most):
            return "bytes" + counted(least, most)
        case StrType(min_length=least, max_length=most):
            return "text" + counted(least, most)
        case IntType(ge=least, le=most, gt=None, lt=under, multiple_of=None):
            most = most if under is None else under - 1
            if least is not None and least == most:
                return str(least)
            return NUMBERS.get((least, most), f"{least}..{most}")
        case BoolType():
            return "bool"
        case VarTupleType(item_type=inner, min_length=least, max_length=most):
            return written(inner) + counted(least, most)
        case _:
            raise AssertionError(kind)


@pytest.mark.parametrize(
    ("name", "structure"),
    [*((each.__name__, each) for each in STRUCTURES), ("HostVote", votes.ElectionVote)],
)
def test_every_field_has_the_type_and_the_bounds_that_are_named(name: str, structure: type) -> None:
    info = type_info(structure)
    assert isinstance(info, StructType)
    said = [part.partition(" ")[2] for part in defined(name) if " " in part]
    assert [SPELLINGS.get(each, each) for each in said] == [
        written(field.type) for field in info.fields
    ]
    assert info.forbid_unknown_fields
    assert info.array_like


@pytest.mark.parametrize("members", ENUMERATIONS, ids=lambda each: each.__name__)
def test_every_enumeration_has_its_members(members: type[IntEnum]) -> None:
    wanted = ", ".join(f"{each.name} {int(each)}" for each in members)
    assert f"\n{members.__name__}: {wanted}\n" in SPEC


@pytest.mark.parametrize("members", [Goodbye, HandshakeRefusal, VoidReason])
def test_members_named_in_the_text(members: type[IntEnum]) -> None:
    assert ", ".join(f"{each.name} {int(each)}" for each in members) in FLAT


@pytest.mark.parametrize("words", [Fault, Check, RefusalReason])
def test_every_word_of_a_report_is_explained(words: type[Enum]) -> None:
    for each in words:
        assert f"`{each.value}`" in SPEC, each


def test_verdicts_and_phases() -> None:
    for verdict in AuditVerdict:
        assert f"*{verdict.value}*" in SPEC
    for phase in ProtocolPhase:
        assert f"| {int(phase)} {phase.name.lower()} |" in SPEC


def test_public_states_have_the_parts_that_are_named(played: LogTable) -> None:
    replay = played.replay
    ruleset = replay.roster.ruleset
    for name, public in (
        ("table", replay.public_state()),
        ("absence", replay.absence.public_state()),
        ("match", Match(ruleset, 2).public_state()),
        ("round", played.log.public_state()),
        ("dealer_engine", DealerRound(ruleset, (0, 1)).public_state()),
        ("play_engine", Round(ruleset, (0, 1), 0).public_state()),
    ):
        assert len(defined(name)) == len(public), name


def test_every_type_of_hash_and_every_label_is_listed() -> None:
    source = "\n".join(
        path.read_text(encoding="utf-8")
        for package in ("dealing", "log", "net", "table")
        for path in sorted((ROOT / "lanuno" / package).rglob("*.py"))
    )
    kinds = set(re.findall(r'\bH\(\s*"([a-z-]+)"', source))
    kinds |= set(re.findall(r'\.commit\("([a-z-]+)"', source))
    kinds |= set(re.findall(r'_digest\(\s*"([a-z-]+)"', source))
    labels = set(re.findall(r'\.expand\(b"([a-z]+)"', source))
    assert {"body", "entry", "commit-seed", "share", "host-auth"} <= kinds
    assert {"mask", "slots", "permutation", "share", "view"} <= labels
    for name in kinds - {"place"} | labels:
        assert f"`{name}`" in SPEC, name


def test_bounds_of_settings() -> None:
    choices = [
        f"{name} {' or '.join(map(str, setting.choices))}"
        for name, setting in SETTINGS.items()
        if setting.choices
    ]
    ranges = [
        "{} {}..{}".format(name, *setting.bounds)
        for name, setting in SETTINGS.items()
        if setting.bounds is not None
    ]
    said = [f"preset at most {PRESET_LENGTH} code points", *choices, *ranges]
    assert f"these bounds: {', '.join(said)}. " in FLAT


def test_limits() -> None:
    assert MAGIC == b"LANUNO\x00\x02"
    assert "`LANUNO 00 02`" in SPEC
    assert SPEC.startswith(f"# The LanUNO protocol, version {VERSION}\n")
    last = MAX_ENTRIES - 1
    for number in (MAX_ENTRIES, last, last - ELECTIONS, MAX_RECORD_BYTES, bodies.MAX_SEAT_BODY):
        assert f"{number:,}" in SPEC
    assert f"{bodies.MAX_BODY:,}" in SPEC
    kept = (ROOM_TO_CLOSE + ELECTIONS * ELECTION_BYTES) // 1024
    most = f"{MAX_LOG_BYTES // 2**20} MiB less"
    assert f"{most} {kept} KiB (sum" in FLAT
    assert f"{most} {ROOM_TO_CLOSE // 1024} KiB, and" in FLAT
    entries, size = MAX_ENTRIES - ROOM_ENTRIES, (MAX_LOG_BYTES - ROOM_BYTES) >> 20
    assert f"if the log holds more than {entries:,} entries or more than {size} MiB;" in FLAT
    assert f"The counters of the host role begin at {COUNTERS_PER_TERM:,} times the term" in FLAT
    # A body can hold every counter of every term, and no counter belongs to two terms.
    assert MAX_ENTRIES <= COUNTERS_PER_TERM
    # Terms are u32, and no log has more elections than entries.
    assert MAX_TERM_STEP * MAX_ENTRIES < 2**32
    assert bodies.MAX_COUNTER + 1 == 2**32 * COUNTERS_PER_TERM
    assert f"at most {MAX_TERM_STEP:,} above the present one" in FLAT
