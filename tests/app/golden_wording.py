"""Golden outputs of the window's texts, in two languages.

`WORDS` has the results of the functions that put values into words, for every case that they know.
`CATALOGUE` has every text of the window, as it is in the sources and as it is shown.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, cast, get_type_hints
from unittest.mock import patch

import msgspec
from msgspec import structs
from PySide6.QtCore import QCoreApplication, QLocale

from lanuno.app import (
    leave_texts,
    move_texts,
    problem_texts,
    rule_texts,
    setting_texts,
    texts,
    verdict_texts,
)
from lanuno.app.controllers import result, round_end, session_controller, standstill
from lanuno.app.controllers.table_view import names_of
from lanuno.app.instance import Reply
from lanuno.app.texts import END_ISOLATE, ISOLATE
from lanuno.app.translations import Translations
from lanuno.client.snapshot import TableSnapshot
from lanuno.client.tournament_breaks import BreakReason, TournamentBreak
from lanuno.log.audit.audit import Report
from lanuno.log.audit.story import CardMove, CardPlace
from lanuno.log.faults import AuditVerdict, Blame, Fault, NoGameReason, VoidReason
from lanuno.log.format.bodies import CloseReason, DropReason
from lanuno.log.replay.course import Decided, DroppedSeat
from lanuno.log.round import events
from lanuno.log.round.round_record import ClockAct, ClockEffect
from lanuno.net import errors
from lanuno.rules import settings
from lanuno.rules.cards import Colour
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine import events as rule_events
from lanuno.rules.engine.house_rules.registry import HOUSE_RULES
from lanuno.rules.presets import CLASSIC, PRESETS
from lanuno.rules.refusals import ActRefusal
from lanuno.rules.ruleset import Ruleset
from lanuno.rules.ruleset_changes import changes
from lanuno.rules.settings import SETTINGS
from lanuno.rules.validation import SettingError, SettingProblem
from lanuno.store import errors as store_errors
from lanuno.store.errors import StoreError
from lanuno.table.leave_effect import LeaveEffect, RoundFate
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyRefusal
from tests.app.pictures import scenes_verifier
from tests.app.pictures.render import application
from tests.app.pictures.tables import Simulated
from tests.golden.canonical import name_of
from tests.golden.recording import Golden
from tests.harness.catalogues import NOT_OF_THE_WINDOW, with_context

LANGUAGES = ("en", "es")
"""The languages that are recorded. A further language changes no recording."""

NAMES = ("Ana", "Begoña", "Carlos", "Dídac")
FILE = Path("folder/file")
ISOLATED = str.maketrans({ISOLATE: "⟨", END_ISOLATE: "⟩"})
"""Replaces the invisible marks around names with visible ones."""

Lines = Iterator[tuple[object, str]]


@contextmanager
def spoken(language: str) -> Iterator[None]:
    """Install a language for the duration of the context."""
    application()
    before = QLocale()
    translations = Translations()
    with patch.dict(os.environ, {"TZ": "UTC"}):
        assert translations.install(language)
        try:
            yield
        finally:
            translations.remove()
            QLocale.setDefault(before)


def _members(kind: type[Enum], text: Callable[[Any], str]) -> Lines:
    for member in kind:
        yield member.name, text(member)


# ---- words, reasons -----------------------------------------------------------------------------


def _plain() -> Lines:
    yield from _members(Colour, texts.colour_name)
    for face in dict.fromkeys(deck_tables(108).faces):
        yield face.rank.name, texts.card_name(face)
    for number in range(1, 5):
        yield number, texts.listed(NAMES[:number])
    yield "sentence", texts.sentence(texts.colour_name(0))


def _reasons() -> Lines:
    yield from _members(errors.NetFault, problem_texts.net_problem)
    yield "another port", problem_texts.net_problem(errors.NetFault.TIMEOUT, 5000)
    yield from _members(LobbyRefusal, problem_texts.lobby_refusal)
    yield from _members(RulesRefusal, problem_texts.rules_refusal)
    yield from _members(
        store_errors.FileProblem,
        lambda problem: problem_texts.store_problem(StoreError(problem, FILE)),
    )
    yield from _members(ActRefusal, problem_texts.play_refusal)
    refused = [StoreError(problem, FILE) for problem in tuple(store_errors.FileProblem)[:2]]
    yield "no socket", problem_texts.no_socket(refused)
    yield from _members(Reply, lambda reply: problem_texts.not_handed_over(reply, refused))


# ---- moves --------------------------------------------------------------------------------------

HANDS = (((0, 1, (2, 3)), (1, 0, (4,))), ((0, 1, (2,)), (1, 2, (3,)), (2, 0, (4,))))
"""Hands that move: two players exchange theirs, or all hands move on by one seat."""
VALUES: dict[object, tuple[object, ...]] = {
    int: (1,),
    bool: (False, True),
    str: ("why",),
    int | None: (None, 2),
    tuple[int, ...]: ((), (7,), (7, 8)),
    tuple[tuple[int, int, tuple[int, ...]], ...]: HANDS,
}
"""The values for the fields of an event, by type."""


def _values(kind: object) -> tuple[object, ...]:
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(kind)
    return VALUES.get(kind, (None,))


def _events() -> Iterator[object]:
    """Yield every kind of event, with every value that may affect its text."""
    for module in (rule_events, events):
        for kind in vars(module).values():
            if not isinstance(kind, type) or kind.__module__ != module.__name__:
                continue
            if issubclass(kind, Enum):
                continue
            hints = get_type_hints(kind)
            for fields in product(*map(_values, hints.values())):
                yield kind(*fields)


def _moves() -> Lines:
    names = move_texts.Names(NAMES, 0, 108)
    own = {7: deck_tables(108).faces[5]}
    for event in _events():
        told = move_texts.line(1, event, names)
        motions = [
            (each.kind, each.source, each.target)
            for each in move_texts.motions([event], names, own)
        ]
        if told is None and not motions:
            continue
        shown = ", ".join(_field(event, name) for name in _names_of(event))
        said = "-" if told is None else f"[{told.kind} {told.seat} {told.colour}] {told.text}"
        yield f"{name_of(type(event))} {shown}", f"{said} {motions or ''}".rstrip()


def _names_of(event: object) -> tuple[str, ...]:
    if isinstance(event, msgspec.Struct):
        return event.__struct_fields__
    return tuple(field.name for field in dataclasses.fields(cast(Any, event)))


def _field(event: object, name: str) -> str:
    value = getattr(event, name)
    return value.name if isinstance(value, Enum) else repr(value)


# ---- why a table pauses, and how it ends ---------------------------------------------------------


def _paused(
    snapshot: TableSnapshot, waiting: tuple[tuple[int, int], ...] = (), **values: Any
) -> str:
    changed = structs.replace(snapshot, **values)
    return standstill.paused_text(changed, move_texts.Names(NAMES, 0, 108), waiting)


def _standstill() -> Lines:
    for seats in (2, 4):
        snapshot = Simulated(seats, seed=2, names=NAMES).my_turn().snapshot()
        paused = partial(_paused, snapshot)
        yield f"{seats}: nothing", paused()
        yield f"{seats}: host away", paused(in_contact=False)
        yield f"{seats}: too few", paused(short_of=(1, 3))
        yield f"{seats}: claim", paused(claimable=(1,))
        for left in (-1, 0, 1, 30):
            yield f"{seats}: {left} s", paused(((1, left),))
            yield f"{seats}: both, {left} s", paused(((0, left), (1, 5)))
        for fate in RoundFate:
            effect = LeaveEffect(round=fate, continues=True, remaining=(2, 3))
            yield f"{seats}: then {fate.name}", paused(((1, 30),), without_waited=effect)
    names = names_of(Simulated(4, seed=2, names=NAMES).snapshot())
    for reason in VoidReason:
        for without in ((), ((1, True),), ((1, False),), ((0, True), (1, False))):
            said = standstill.void_reason(reason, without, names)
            yield f"{reason.name} {without}", said


def _endings() -> Lines:
    table = Simulated(4, seed=2, names=NAMES).rounds(2)
    for ending, seat in product(rule_events.RoundEnding, (None, 0, 1)):
        over = rule_events.RoundOver(ending, seat)
        yield f"{ending.name} {seat}", str(round_end.round_end(table.snapshot(), over)["text"])
    outcomes: dict[str, dict[str, Any]] = {
        "won": {"winners": (1,)},
        "won by two": {"winners": (1, 3)},
        "by absence": {"winners": (1,), "decided": Decided.ABSENCE},
        "blamed": {"blamed": (1,)},
        "two blamed": {"blamed": (1, 2)},
        "agreed": {"agreed": 1, "winners": (1,)},
        "forfeited, lost": {"winners": (1,), "forfeited": (0, 1)},
        "forfeited, left": {
            "winners": (1,),
            "forfeited": (0, 1),
            "dropped": ((0, DropReason.LEFT),),
        },
        "no round": {"scores": ()},
        "plain": {},
    }
    for (name, values), closed in product(outcomes.items(), (None, *CloseReason)):
        view = result.result_view(table.snapshot(closed=closed, **values))
        reason = "open" if closed is None else closed.name
        said = (view.title, view.winner_text, view.closing_text, str(view.badge["text"]))
        yield f"{name}, {reason}", " | ".join(said)
    for why, number in product(BreakReason, (0, 1, 2)):
        if why is not BreakReason.LEFT or number:
            yield (
                f"{why.name} {number}",
                result.broken_tournament_text(TournamentBreak(why, NAMES[:number])),
            )


def _playing() -> Lines:
    yield "lost, watching", session_controller._lost(watching=True)
    yield "lost, playing", session_controller._lost(watching=False)
    yield "nowhere", session_controller._nowhere()
    yield "nobody opened", session_controller._nobody_opened()
    snapshot = Simulated(4, seed=2, names=NAMES).snapshot()
    for fate, ends in product(RoundFate, ("goes on", "bot", "expelled", "host", "won", "over")):
        effect = LeaveEffect(
            round=fate,
            continues=ends not in ("won", "over"),
            winners=(1,) if ends == "won" else (),
            remaining=(1,) if ends == "won" else (1, 2),
            bot=ends == "bot",
            expelled=ends == "expelled",
            hands_over=ends == "host",
        )
        yield f"leave, {fate.name}, {ends}", leave_texts.question_at_table(effect, snapshot)
    yield "leave, alone", leave_texts.question_at_table(LeaveEffect(), snapshot)
    yield "leave, unreachable", leave_texts.question_at_table(None, snapshot)


# ---- rules --------------------------------------------------------------------------------------


def _settings() -> Lines:
    shown = [setting.name for section in settings.SECTIONS.values() for setting in section]
    for key in (*shown, *HOUSE_RULES):
        yield key, setting_texts.setting_name(key)
        yield f"{key}, hint", setting_texts.setting_hint(key)
    for key, setting in SETTINGS.items():
        values = {*setting_texts.options(setting, CLASSIC), *setting.values}
        for value in sorted({*map(int, values), *(setting.bounds or ())}):
            yield f"{key} = {value}", setting_texts.value_text(setting, value)
    for seconds in (0.5, 1, 59, 60, 119, 120, 121, 3600):
        yield f"{seconds} s", setting_texts.time_text(seconds)
    wrong = ("seats", "hand_size", "uno_catch_ms", "advice", "winner_deals", "target", "unknown")
    for key, problem in product(wrong, SettingProblem):
        error = SettingError(key, problem, 5)
        yield f"{key} {problem.name}", setting_texts.setting_problem(error, 7, CLASSIC)
    pairs = SettingError("seats", SettingProblem.NOT_A_CHOICE)
    yield "pairs", setting_texts.setting_problem(pairs, 5, PRESETS["pairs"])


def _presets() -> Lines:
    house = {"jump_in": True, "seven_zero": True}
    for name, rules in PRESETS.items():
        yield name, rule_texts.preset_name(name)
        yield f"{name}, in a line", rule_texts.preset_summary(name)
        yield f"{name}, summary", " / ".join(setting_texts.summary(rules, rules.seats_max))
        changed: Ruleset = msgspec.structs.replace(rules, target=123, **house)
        yield f"{name}, changed", setting_texts.rules_title(name, changes(changed))
        yield f"{name}, news", " / ".join(setting_texts.rules_news(rules, changed))
        yield f"{name}, instead", " / ".join(setting_texts.rules_news(CLASSIC, rules))
    yield "unknown", rule_texts.preset_name("unknown")
    for number in (1, 2):
        yield f"{number} of each", setting_texts.rules_title_of("classic", number, number)
        said = setting_texts.summary_of("classic", tuple(house), number, number)
        yield f"advert, {number}", " / ".join(said)


# ---- verdicts -----------------------------------------------------------------------------------


def _reports() -> Iterator[tuple[str, Report]]:
    fair = scenes_verifier.fair(4).report
    yield "fair", fair
    yield "cheated", scenes_verifier.cheated().report
    absent = scenes_verifier.absent().report
    yield "absent", absent
    yield "changed", scenes_verifier.with_a_flipped_bit(0.6).report
    yield "changed at its end", scenes_verifier.with_a_flipped_bit(1.0).report
    for verdict in AuditVerdict:
        yield verdict.name, structs.replace(fair, verdict=verdict)
        yield f"{verdict.name}, open", structs.replace(fair, verdict=verdict, closed=None)
    for no_game in (None, *NoGameReason):
        name = "nothing" if no_game is None else no_game.name
        yield name, structs.replace(fair, verdict=AuditVerdict.UNREADABLE, no_game=no_game)
    yield "nothing counts", structs.replace(fair, decided=None, counted=())
    yield "by absence", structs.replace(fair, decided=Decided.ABSENCE)
    yield (
        "clock",
        structs.replace(
            fair,
            clock=((1, 1), (2, 3)),
            clock_acts=tuple(
                ClockAct(1, 1, 40 + number, effect) for number, effect in enumerate(ClockEffect)
            ),
        ),
    )
    wrong = structs.replace(
        fair.rounds[0],
        checks=tuple(structs.replace(each, ok=False) for each in fair.rounds[0].checks),
        unrevealed=(1, 2),
        filled=((3, 0),),
        left_out=(1,),
    )
    broken = structs.replace(fair, verdict=AuditVerdict.INCOMPLETE, rounds=(wrong,))
    yield "nothing proven", broken
    for number in (0, 2):
        cut = structs.replace(broken, closed=None, broken_from=number)
        yield f"cut in round {number}", cut
        yield f"changed in round {number}", structs.replace(cut, verdict=AuditVerdict.CHANGED)
    yield (
        "left out",
        structs.replace(
            fair, rounds=(structs.replace(fair.rounds[0], left_out=(1,)), *fair.rounds[1:])
        ),
    )
    yield (
        "who was away",
        structs.replace(
            broken,
            dropped=tuple(DroppedSeat(1, reason, 2, 120) for reason in DropReason),
            expelled=(2,),
            forfeited=(0, 1),
        ),
    )


def _verdicts() -> Lines:
    for name, report in _reports():
        yield name, f"{verdict_texts.headline(report)} / {verdict_texts.explanation(report)}"
        for mine in (0, None):
            for each in verdict_texts.promises(report, mine):
                yield (
                    f"  {each.id} for {mine}",
                    f"[{each.state}] {each.text} {each.detail}".rstrip(),
                )
        for each in verdict_texts.absences(report):
            yield "  absence", each.text
        for line in verdict_texts.checks(report):
            yield f"  {line.id}", f"[{line.state}] {line.text} {line.detail}".rstrip()
        for each in verdict_texts.blames(report):
            yield "  blame", each.text
    report = scenes_verifier.fair(4).report
    for fault in Fault:
        yield fault.name, verdict_texts.blame_text(report, Blame(1, fault, 3, 120))
    yield "nobody", verdict_texts.blame_text(report, Blame(None, next(iter(Fault)), 3, 120))
    for checked in (scenes_verifier.fair(4), scenes_verifier.cheated(), scenes_verifier.absent()):
        assert checked.story is not None
        for told in verdict_texts.round_lines(checked.report, checked.story.rounds):
            yield f"round {told.number}", f"{told.title}: [{told.state}] {told.detail}"
    for place in CardPlace:
        yield place.name, verdict_texts.card_move_text(CardMove(1, place, 1, 4), NAMES)


SECTIONS: dict[str, Callable[[], Lines]] = {
    "cards": _plain,
    "refusals": _reasons,
    "moves": _moves,
    "standstill": _standstill,
    "endings": _endings,
    "leaving": _playing,
    "settings": _settings,
    "presets": _presets,
    "verdicts": _verdicts,
}


def _words(case: str) -> Iterator[str]:
    name, _, language = case.rpartition("-")
    with spoken(language):
        said = [f"{of}: {text}".translate(ISOLATED) for of, text in SECTIONS[name]()]
    yield from said


WORDS = Golden(
    "words_shown",
    tuple(f"{name}-{language}" for name in SECTIONS for language in LANGUAGES),
    _words,
    tested=2 * len(SECTIONS),
    as_text=True,
)
"""The texts of the window for every case, by section and language."""


# ---- all translated texts -----------------------------------------------------------------------


def _catalogue(case: str) -> Iterator[str]:
    said = []
    with spoken(case):
        for context, source, translated in sorted(with_context("es")):
            if context in NOT_OF_THE_WINDOW:
                continue
            forms = [
                QCoreApplication.translate(context, source, "", number)
                for number in ((1, 2) if len(translated) > 1 else (-1,))
            ]
            said.append(json.dumps([context, source, *forms], ensure_ascii=False))
    yield from said


CATALOGUE = Golden("catalogue_shown", LANGUAGES, _catalogue, tested=2, as_text=True)
"""Every text of the window: its context, its source, and its text as shown."""
