"""Exit code, standard output and standard error of each command line.

Commands run in this process, each in a new folder and without the language, home or display of the
user who runs the tests. In the mode `keys`, every command line also runs with `--json`, and its
single object is recorded. In each language, the texts are recorded.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shlex
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

from lanuno.cli.main import main
from lanuno.cli.options import BOT_SPEEDS, LOG_LEVELS
from lanuno.cli.parser import COMMANDS as NAMES
from lanuno.client.find import DiscoveredTable, DiscoveredTables
from lanuno.dealing.hashing import H, u32
from lanuno.log.audit.audit import Report, audit
from lanuno.log.format.transcript import Transcript, write
from lanuno.net.diagnostics.doctor import Finding, FindingKind
from lanuno.net.discovery.advert import TableAdvert, TableState
from lanuno.net.discovery.dedupe import table_key
from lanuno.net.discovery.directory import DirectoryEntry
from lanuno.net.discovery.prober import ProbeAnswer
from lanuno.net.errors import NetError, NetFault
from lanuno.rules.presets import PRESETS
from lanuno.rules.ruleset import Ruleset, WildFour
from lanuno.store.paths import Home
from lanuno.store.profile import load_profile
from lanuno.store.rule_sets import RuleSet, save_rule_sets
from lanuno.store.table_metadata import save_metadata
from lanuno.system.bounded_process import LimitReached, WorkLimit
from lanuno.table.metadata import TableMetadata
from tests.golden.recording import Golden
from tests.golden.text_modes import (
    RECORDED_LANGUAGES,
    TEXT_MODES,
    TextMode,
    language_of,
    spoken,
)
from tests.golden.transcripts import ALONE, made
from tests.harness.log_table.log_table import new_table

Line = Sequence[str]
"""The arguments of one command line."""

COLUMNS = 1_000
"""Terminal width: the line breaks of `argparse` depend on the version of Python."""

LINE = 100
"""Longer JSON is recorded in several lines."""

LONG = "x" * 5_000
RIGHT_TO_LEFT = "Ana\u202eanA"
NOT_A_LETTER = "\udcff"

LINK = f"lanuno://192.168.1.7:47474/{'01' * 16}#chtcnt2w53oteblnrgc6jw7nxcql5dph"

NEUTRAL = {
    **dict.fromkeys(("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE"), ""),
    **dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"), ""),
    "COLUMNS": str(COLUMNS),
}
"""An environment that specifies no language, display or terminal."""


def _nothing(folder: Path, patches: ExitStack) -> None:
    """Leave the computer as one on which LanUNO never ran."""


@dataclass(frozen=True)
class Scene:
    """Command lines that run one after another in one folder."""

    name: str
    lines: Sequence[Line]
    prepare: Callable[[Path, ExitStack], None] = _nothing
    """Puts files into the current folder, and replaces random choices with fixed ones."""
    voices: Sequence[TextMode] = TEXT_MODES
    as_json: bool = True
    """Whether there is an object to record; help and version print none."""


@dataclass(frozen=True)
class Ended:
    """The result of one run."""

    code: int
    out: str
    err: str


# ---- scenes ------------------------------------------------------------------------------------


def _saved_rules(folder: Path, patches: ExitStack) -> None:
    home = Home.default()
    home.create()
    friday = Ruleset(jump_in=True, target=300, wild_four=WildFour.STRICT)
    save_rule_sets(home, [RuleSet("Friday night", friday), RuleSet("Plain", Ruleset())])


def _damaged_rules(folder: Path, patches: ExitStack) -> None:
    home = Home.default()
    home.create()
    home.rule_sets.write_text("nonsense", "utf-8")


def _damaged_profile(folder: Path, patches: ExitStack) -> None:
    home = Home.default()
    home.create()
    home.profile.write_text("nonsense", "utf-8")


def _damaged_identity(folder: Path, patches: ExitStack) -> None:
    home = Home.default()
    home.create()
    home.profile.write_text('{"name": "Ana"}', "utf-8")
    home.identity.write_text("nonsense\n", "utf-8")
    home.identity.chmod(0o600)


def _open_folder(folder: Path, patches: ExitStack) -> None:
    home = Home.default()
    home.create()
    home.private.chmod(0o755)


def _in_use(folder: Path, patches: ExitStack) -> None:
    home = Home.default()
    home.create()
    home.profile.write_text('{"name": "Ana"}', "utf-8")
    patches.enter_context(home.locked())


class Here:
    """Replaces the process that checks files. It has no limits, because that is faster."""

    def __init__(self, **_limits: float) -> None:
        pass

    def run(self, work: Callable[[Any], object], told: Callable[[Any], None]) -> object:
        """Do the work immediately, in this process."""
        return work(told)

    def close(self) -> None:
        """Do nothing: there is no process to end."""


_reports: dict[bytes, Report] = {}


def _audit_once(transcript: Transcript, _progress: object = None, _begin: object = None) -> Report:
    """Audit a transcript; the report is the same in every language."""
    key = write(transcript.genesis, transcript.entries) + bytes([transcript.torn])
    if key not in _reports:
        _reports[key] = audit(transcript)
    return _reports[key]


def _played(folder: Path, patches: ExitStack) -> None:
    patches.enter_context(patch("lanuno.store.verification.BoundedProcess", Here))
    patches.enter_context(patch("lanuno.store.verification.audit", _audit_once))
    for name, data in made().items():
        Path(name).write_bytes(data)
    Path("folder").mkdir()


def _limited(limit: WorkLimit, folder: Path, patches: ExitStack) -> None:
    def run(*_: object) -> None:
        raise LimitReached(limit)

    _played(folder, patches)
    patches.enter_context(patch.object(Here, "run", run))


def _interrupted(folder: Path, patches: ExitStack) -> None:
    """Store two unfinished tables of a profile, one of them with a name."""
    patches.enter_context(_in_utc())
    home = Home.default()
    home.create()
    home.profile.write_text('{"name": "Ana"}', "utf-8")
    load_profile(home, lambda _: H("test-player", u32(0)))
    for number, salt in enumerate((3, 4)):
        table = new_table(2, salt=salt)
        file = home.transcript(table.genesis.table_id)
        file.write_bytes(table.file)
        home.sidecar(table.genesis.table_id).touch(0o600)
        os.utime(file, (0, 1_700_000_000 + 86_400 * number))
        if number:
            save_metadata(home, table.genesis.table_id, TableMetadata(name="mesa"))


@contextlib.contextmanager
def _in_utc() -> Iterator[None]:
    with patch.dict(os.environ, {"TZ": "UTC"}):
        time.tzset()
        yield
    time.tzset()


def _advert(name: str, number: int, **other: Any) -> TableAdvert:
    said: dict[str, Any] = {
        "id": bytes([number]) * 16,
        "name": name,
        "host": "Ana",
        "fp": f"{number:02}" * 8,
        "preset": "classic",
        "seats": 4,
        "taken": number,
        "state": TableState.OPEN,
        "pin": False,
        "version": 1,
        "addresses": ("192.168.1.7",),
        "port": 47474,
    }
    return TableAdvert(**said | other)


def _three_tables(folder: Path, patches: ExitStack) -> None:
    entries = [
        DirectoryEntry(_advert("mesa", 1), ProbeAnswer(reached=True)),
        DirectoryEntry(
            _advert("mesa", 2, addresses=("fe80::1%eth0",), house=5, changed=2), ProbeAnswer()
        ),
        DirectoryEntry(
            _advert("otra", 3, state=TableState.PLAYING, pin=True, house=1 << 40), ProbeAnswer(True)
        ),
    ]
    tables = [DiscoveredTable.of_entry(table_key(each.advert), each) for each in entries]
    found = DiscoveredTables(tuple(tables), None, True)
    patches.enter_context(patch("lanuno.cli.find.run_loop", lambda _: found))


def _no_tables(folder: Path, patches: ExitStack) -> None:
    patches.enter_context(
        patch("lanuno.cli.find.run_loop", lambda _: DiscoveredTables((), None, True))
    )


def _failing(folder: Path, patches: ExitStack) -> None:
    """Let each adapter fail in a different way."""

    async def look_out(adapter: str) -> None:
        if adapter == "interrupted":
            raise KeyboardInterrupt
        if adapter == "broken":
            raise ValueError("a detail for the log")
        raise NetError(NetFault[adapter], "a detail")

    patches.enter_context(patch("lanuno.client.find.listen_for_tables", look_out))


def _findings(bad: bool, folder: Path, patches: ExitStack) -> None:
    values = {"name": "eth0", "addresses": "192.168.1.7", "detail": "no echo", "port": "47474"}
    values |= {"beacon": "47475", "address": "192.168.1.7", "place": "192.168.1.7:47474"}
    values |= {"program": "vlc", "pid": "123", "user": "ana", "command": "sudo ss"}
    found = [Finding(what, values) for what in FindingKind]
    shown = [each for each in found if bad or each.health.value == "good"]
    patches.enter_context(patch("lanuno.cli.doctor.run_loop", lambda _: shown))
    patches.enter_context(patch("lanuno.cli.doctor.metadata.version", lambda _: "1.2.3"))
    system = SimpleNamespace(
        python_version=lambda: "3.11.0", system=lambda: "Linux", release=lambda: "6.1"
    )
    patches.enter_context(patch("lanuno.cli.doctor.platform", system))
    patches.enter_context(patch("lanuno.cli.doctor.__version__", "1.2.3"))


def _unwritable_log(folder: Path, patches: ExitStack) -> None:
    _findings(False, folder, patches)
    Home.default().log.mkdir(parents=True)


def _timed(tell_every: float, folder: Path, patches: ExitStack) -> None:
    """Advance the clock by half a second at each reading."""
    clock = SimpleNamespace(perf_counter=partial(next, count(0.0, 0.5)))
    patches.enter_context(patch("lanuno.cli.simulate.time", clock))
    patches.enter_context(patch("lanuno.cli.simulate.PROGRESS_SECONDS", tell_every))


def _versioned(folder: Path, patches: ExitStack) -> None:
    patches.enter_context(patch("lanuno.cli.parser.__version__", "1.2.3"))


ODD: tuple[Line, ...] = (
    *((each,) for each in ("", "--", "-1", "--json=1", "HOST", "hos", NOT_A_LETTER)),
    ("--home", "", "find"),
    ("--home", "~nobody-of-this-name/x", "find"),
    ("--log", "loud", "find"),
    ("find", "--home"),
    ("find", "--lang", "fr"),
    ("find", "--sec", "1"),
    *(("find", "--seconds", each) for each in ("1e3", "-1", "0", "\u0663", "inf", LONG)),
    ("find", "more"),
    ("find", "--adapter"),
    *(("host", "--table", each) for each in ("", " ", "x" * 33, RIGHT_TO_LEFT, "a\tb", "\u3164")),
    *(("host", "--name", each) for each in ("", "x" * 21, RIGHT_TO_LEFT, NOT_A_LETTER)),
    *(("host", "--seats", each) for each in ("1", "11", "2.0", "x", "", LONG)),
    *(("host", "--bots", each) for each in ("-1", "10")),
    ("host", "--seats", "2", "--bots", "2"),
    ("host", "--preset", "tournament", "--bots", "2"),
    *(("host", "--port", each) for each in ("0", "65536", "http")),
    *(("host", "--pin", each) for each in ("x" * 33, "a\u202eb", NOT_A_LETTER)),
    *(("host", "--rounds", each) for each in ("0", "1001")),
    *(("host", "--preset", each) for each in ("", "none", NOT_A_LETTER, LONG)),
    *(("host", "--set", each) for each in ("", "=", "a", "a=", "=a", "A=1", "none=1")),
    ("host", "--set", "preset=classic"),
    *(("host", "--set", f"hand_size={each}") for each in ("", "-1", "7.0", "\u0663", "0", "60")),
    ("host", "--set", "seven_zero=maybe"),
    ("host", "--set", "wild_four=sometimes"),
    ("host", "--set", "deck=54"),
    ("host", "--set", "format=pairs", "--seats", "3"),
    ("host", "--save", ""),
    ("host", "--bot-speed", "faster"),
    ("host", "--resume", "x", "--table", "mesa"),
    ("host", "--resume", "x", "--set", "deck=112"),
    ("bot",),
    ("bot", "--table", "T", "127.0.0.1:1"),
    ("bot", "--table", " "),
    ("bot", "--resume", "x", "--name", "Ana"),
    *(("bot", each) for each in ("", ":", "host", "host:", ":1", "host:0", "host:99999", "a:b:1")),
    *(("bot", each) for each in ("[host]", "::1:47474", "[]:1", "http://host:1/x", "a b:1", LONG)),
    *(("bot", each) for each in ("lanuno:", "lanuno://host", "lanuno://host:1/00#x")),
    ("bot", "127.0.0.1:1", "--pin", LONG),
    ("bot", "127.0.0.1:1", "--name", RIGHT_TO_LEFT),
    ("bot", "127.0.0.1:1", "--seconds", "3601"),
    ("join",),
    ("join", "host"),
    ("open",),
    ("open", ""),
    ("verify",),
    ("verify", ""),
    ("verify", "a\0b"),
    *(("demo", "--players", each) for each in ("1", "11")),
    ("demo", "--set", "hand_size=60"),
    ("demo", "--set", "format=pairs", "--players", "3"),
    ("demo", "--preset", "tournament", "--chaos", "1"),
    ("demo", "more"),
    *(("simulate", "--players", each) for each in ("1", "x")),
    *(("simulate", "--rounds", each) for each in ("0", "1000001")),
    *(("simulate", "--seed", each) for each in ("-1", "9007199254740993")),
    ("simulate", "--preset", "nonesuch"),
    ("simulate", "--preset", "duel", "--players", "4"),
    ("simulate", "--preset", "tournament", "--players", "8"),
    ("doctor", "more"),
)

UNREACHED: tuple[Line, ...] = (
    ("bot", "[zz]:1"),
    ("bot", "a..b:1"),
    ("bot", f"{NOT_A_LETTER}:1"),
    ("bot", "[fe80::1%nosuchadapter]:1"),
)

REFUSED_RULES: tuple[Line, ...] = (
    ("nonesuch",),
    ("classic", "--set", "handsize=5"),
    ("classic", "--set", "hand_size=many"),
    ("classic", "--set", "wild_four=maybe"),
    ("classic", "--set", "jump_in=maybe"),
    ("classic", "--set", "deck=110"),
    ("classic", "--seats", "10", "--set", "hand_size=20"),
    ("classic", "--set", "hand_size=20", "--set", "seats_min=8"),
    ("classic", "--set", "format=pairs", "--set", "seats_max=3"),
    ("pairs", "--seats", "3", "--set", "seats_max=3"),
    ("--set", "format=pairs", "--seats", "3", "--set", "seats_max=3"),
    ("classic", "--set", "hand_size=21"),
    ("classic", "--set", "hand_size=1"),
    ("classic", "--set", "preset=other"),
    ("classic", "--set", "uno_catch_ms=9000"),
    ("pairs", "--set", "seats_max=3"),
    ("partners", "--set", "winner_deals=on"),
    ("duel", "--set", "advice=on"),
    ("express", "--seats", "5"),
    ("classic", "--seats", "11"),
)

TOLD_RULES: tuple[Line, ...] = (
    (),
    ("classic",),
    ("classic", "--set=stack_draw_two=on", "--set=hand_size=5", "--set=uno=automatic"),
    ("classic", "--set=manners=honour", "--set=advice=on", "--set=jump_in=on"),
    ("--set", "deck=112"),
    ("--seats", "3"),
    ("express", "--seats", "2"),
    ("express", "--set", "target=300", "--set", "target_two=50"),
    ("masters-short", "--set", "format=deals", "--set", "laps=7"),
    ("classic", "--set", "hand_size=20"),
)


def _simulate(preset: str, seed: int, *more: str) -> Line:
    return ("simulate", "--preset", preset, "--rounds", "2", "--seed", str(seed), *more)


SIMULATED: tuple[Line, ...] = (
    *(_simulate(preset, seed) for seed, preset in enumerate(PRESETS)),
    *(_simulate("classic", seed, "--players", "3") for seed in (0, 2**53)),
    _simulate("classic", 1, "--set=manners=honour", "--set=advice=on"),
)

VERIFIED: tuple[Line, ...] = (
    *(("verify", name) for name in ALONE),
    ("verify", "missing"),
    ("verify", "folder"),
    ("verify", "good", "good"),
    ("verify", "good", "cut"),
    ("verify", "missing", "bad-state", "good", "cut"),
    ("verify", "changed", "good"),
    ("verify", "good", "nothing-counts"),
    ("verify", "good", "fork", "fork"),
    ("verify", "voted-one", "voted-two"),
    ("verify", "end-one", "end-two", "end-one"),
    ("verify", "end-one-open", "end-two"),
    ("verify", "tournament", "tournament-table"),
    ("verify", "tournament", "tournament-table", "tournament-cut", "good"),
)

WINDOW: tuple[Line, ...] = (
    (),
    ("join", LINK),
    ("join", "127.0.0.1:47474"),
    ("open", "some.lanuno"),
)

PLAYING: tuple[Line, ...] = (("host", "--resume"), ("bot", "127.0.0.1:1"), ("bot", "--resume"))

FAILING = (*NetFault.__members__, "interrupted", "broken")
"""Names of adapters that fail."""

SCENES: tuple[Scene, ...] = (
    Scene("help", [("--help",), *((each, "--help") for each in NAMES)], as_json=False),
    Scene("version", [("--version",), ("find", "--version")], _versioned, as_json=False),
    Scene("usage", ODD),
    Scene("unreached", UNREACHED),
    Scene("no-display", WINDOW),
    Scene("refused-rules", [("rules", *each) for each in REFUSED_RULES]),
    Scene("rules", [("rules", *each) for each in TOLD_RULES]),
    # Their sentences are in tests/rules/golden_rulebook.txt.
    Scene("presets", [("rules", name) for name in PRESETS], voices=("keys",)),
    Scene(
        "saved-rules",
        [
            ("rules",),
            ("rules", "friday NIGHT"),
            ("rules", "Friday night", "--set", "target=400"),
            ("simulate", "--rules", "Friday night", "--set", "target=0"),
            *((each, "--rules", "Saturday") for each in ("host", "demo", "simulate")),
            ("demo", "--rules", "Plain", "--preset", "express"),
        ],
        _saved_rules,
    ),
    Scene("damaged-rules", [("rules",), ("simulate", "--rules", "x")], _damaged_rules),
    Scene("damaged-profile", PLAYING, _damaged_profile),
    Scene("damaged-identity", PLAYING, _damaged_identity),
    Scene("open-folder", PLAYING, _open_folder),
    Scene("home-in-use", PLAYING, _in_use),
    Scene("no-folder", [(*each, "--home", "/dev/null/x") for each in (*PLAYING, ("demo",))]),
    Scene("nothing-to-resume", [("host", "--resume"), ("bot", "--resume", "mesa")]),
    Scene(
        "resume",
        [("host", "--resume"), ("bot", "--resume", "zzzz")],
        _interrupted,
    ),
    Scene("simulate", SIMULATED, partial(_timed, float("inf"))),
    Scene("simulate-progress", [_simulate("classic", 1)], partial(_timed, 0.0)),
    Scene("verify", VERIFIED, _played),
    Scene("verify-time", [("verify", "good", "cut")], partial(_limited, WorkLimit.TIME)),
    Scene("verify-memory", [("verify", "good", "cut")], partial(_limited, WorkLimit.MEMORY)),
    Scene("find", [("find",)], _three_tables),
    Scene("find-nothing", [("find",)], _no_tables),
    Scene("find-failing", [("find", "--adapter", each) for each in FAILING], _failing),
    Scene("doctor", [("doctor",)], partial(_findings, False)),
    Scene("doctor-bad", [("doctor",)], partial(_findings, True)),
    Scene("doctor-log", [("doctor",)], _unwritable_log),
)


# ---- running -----------------------------------------------------------------------------------


def _run(arguments: Sequence[str]) -> Ended:
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main(arguments)
    return Ended(code, out.getvalue(), err.getvalue())


def _told(scene: Scene, voice: TextMode) -> Iterator[str]:
    with ExitStack() as stack:
        # A path with a short random name may look like a key, which the program redacts.
        prefix = "recorded_outputs_of_commands_"
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix=prefix))
        here = str(Path(folder).resolve())
        homes = {
            f"XDG_{name}_HOME": f"{here}/{name.lower()}" for name in ("DATA", "CONFIG", "STATE")
        }
        stack.enter_context(patch.dict(os.environ, {**NEUTRAL, **homes, "HOME": here}))
        stack.enter_context(contextlib.chdir(here))
        stack.enter_context(spoken(voice))
        scene.prepare(Path(here), stack)
        usages = _usages(scene, voice)

        language = ("--lang", language_of(voice))
        for line in scene.lines:
            yield f"$ {_shown(line)}"
            said = _run([*language, *line])
            err = said.err
            for usage, name in usages:
                if err.startswith(usage):
                    err = err.removeprefix(usage)
                    yield f"! <{name}>"
            yield from _lines(said.out, "  ", here)
            yield from _lines(err, "! ", here)
            if voice != "keys":
                continue
            yield f"exit {said.code}"
            if scene.as_json:
                found = _run(["--json", *language, *line])
                assert found.code == said.code, line
                assert said.err.endswith(found.err), line
                yield from _json(_plain(found.out, here))


def _usages(scene: Scene, voice: TextMode) -> list[tuple[str, str]]:
    """Return each command's usage line, which the text of the help contains already."""
    if scene.name == "help":
        return []
    language = ("--lang", language_of(voice))
    found = []
    for name in ("", *NAMES):
        answer = _run([*language, *([name] if name else []), "--help"])
        found.append((answer.out.partition("\n\n")[0] + "\n", f"usage: lanuno {name}".rstrip()))
        if not name:
            found.append((answer.out, "help: lanuno"))
    return sorted(found, key=lambda each: -len(each[0]))


def _lines(text: str, mark: str, here: str) -> Iterator[str]:
    yield from ((mark + line).rstrip(" ") for line in _plain(text, here).splitlines())


def _plain(text: str, here: str) -> str:
    text = text.replace(here, "<folder>").replace(LONG, "<long>")
    for choices in (NAMES, RECORDED_LANGUAGES, LOG_LEVELS, BOT_SPEEDS):
        # Later versions of argparse omit the quotes.
        text = text.replace(", ".join(map(repr, choices)), ", ".join(choices))
    return text


def _shown(arguments: Line) -> str:
    return " ".join(("lanuno", *map(_quoted, arguments)))


def _quoted(argument: str) -> str:
    if argument.isascii() and argument.isprintable():
        return shlex.quote(argument.replace(LONG, "<long>"))
    return ascii(argument)


def _json(text: str) -> Iterator[str]:
    """Yield the lines of one object; long ones are broken without losing anything."""
    assert text.count("\n") == 1, text
    value = json.loads(text)
    assert json.dumps(value) + "\n" == text
    yield from _broken(value, "")


def _broken(value: object, indent: str, name: str = "") -> Iterator[str]:
    whole = f"{indent}{name}{json.dumps(value)}"
    if len(whole) <= LINE or not value or not isinstance(value, dict | list):
        yield whole
        return
    first, last = "{}" if isinstance(value, dict) else "[]"
    yield f"{indent}{name}{first}"
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _broken(each, indent + " ", f"{json.dumps(key)}: ")
    else:
        for each in value:
            yield from _broken(each, indent + " ")
    yield f"{indent}{last}"


_TOLD = {
    f"{voice}/{scene.name}": partial(_told, scene, voice)
    for scene in SCENES
    for voice in scene.voices
}

COMMANDS = Golden(
    "commands", tuple(_TOLD), lambda case: _TOLD[case](), tested=len(_TOLD), as_text=True
)
