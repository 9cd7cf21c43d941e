"""Architecture rules as tests: import directions, pure packages, and the form of files.

These tests only read the repository. Behaviour is tested in the folders that mirror the packages.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).resolve().parent.parent

# A package imports only itself and the packages listed before it.
ORDER = (
    *("rules", "dealing", "log", "table", "bots"),
    *("system", "net", "store", "client", "cli", "app"),
)
PURE = ("rules", "dealing", "log", "table")
# Two user interfaces of one client: neither imports the other.
INTERFACES = ("cli", "app")

# The same order among the inner packages of a package. Modules beside them are not restricted.
INNER_ORDER = {
    "rules": ("engine", "match", "rulebook"),
    "log": ("format", "round", "replay", "audit"),
    "table": ("lobby", "succession", "replica", "host"),
    "net": ("transport", "discovery", "diagnostics", "runtime"),
}

# Modules that read or change the outside world, read the clock, or produce randomness.
IMPURE = frozenset(
    {
        *("_thread", "asyncio", "concurrent", "ctypes", "datetime", "fcntl", "ftplib"),
        *("getpass", "glob", "http", "io", "locale", "logging", "mmap"),
        *("multiprocessing", "os", "pathlib", "platform", "platformdirs", "queue", "random"),
        *("sched", "secrets", "select", "selectors", "shelve", "shutil", "signal"),
        *("socket", "socketserver", "sqlite3", "ssl", "subprocess", "sys", "tempfile"),
        *("threading", "time", "urllib", "uuid", "zeroconf", "ifaddr"),
    }
)
# Impure calls that need no import.
IMPURE_CALLS = frozenset({"open", "print", "input", "exec", "eval", "__import__", "breakpoint"})
# Only lanuno.system may use what one operating system has and another has not, or what Windows does
# in another way: text files are other bytes there, and a file that is open cannot be renamed.
SYSTEM_ONLY = frozenset(
    {
        *("fcntl", "grp", "posix", "pty", "pwd", "resource", "select", "selectors", "signal"),
        *("termios", "_winapi", "msvcrt", "winreg"),
    }
)
SYSTEM_CALLS = re.compile(
    r"os\.(open|O_\w+|fork|kill|killpg|link|fsync|fdatasync|rename|replace|pread|pwrite|statvfs|fchmod"
    r"|chown|umask|mkfifo|get_?e?[ug]id|set_blocking|setsid|setpgid|add_dll_directory|startfile)"
)
# Only lanuno.net and lanuno.system may use sockets.
NET_ONLY = frozenset({"socket", "socketserver", "ssl", "zeroconf", "ifaddr"})
QT = frozenset({"PySide6", "shiboken6", "PyQt6", "PyQt5"})

BANNED_NAMES = frozenset({"utils", "util", "helpers", "helper", "manager", "managers", "common"})
TOP_LEVEL = frozenset(
    {
        *("lanuno", "resources", "tests", "packaging"),
        *("pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md"),
    }
)


@dataclass(frozen=True)
class Source:
    """One Python file of the repository."""

    path: Path
    """Path relative to the repository root."""

    module: str
    """Dotted name, without a trailing `.__init__`."""

    text: str

    @property
    def package(self) -> str | None:
        """The package of `lanuno` that contains the file; None for lanuno/__init__.py itself."""
        parts = self.module.split(".")
        return parts[1] if parts[0] == "lanuno" and len(parts) > 1 else None

    @property
    def tree(self) -> ast.Module:
        return parsed(self.text)


@dataclass(frozen=True)
class Import:
    """One imported module and the line of its import."""

    name: str
    line: int
    runtime: bool
    """False below `if TYPE_CHECKING:`."""

    late: bool
    """True inside a function, where an import cannot cause a cycle while modules are loaded."""


@cache
def parsed(text: str) -> ast.Module:
    return ast.parse(text)


def repository_files() -> list[Path]:
    """Return every existing file that git tracks or would track (that is, does not ignore)."""
    listed = subprocess.run(
        # Root may run the tests in a checkout that belongs to another user.
        ["git", "-c", "safe.directory=*", "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    ).stdout
    names = {name for name in listed.decode("utf-8").split("\0") if name}
    return sorted(Path(name) for name in names if (ROOT / name).is_file())


def source(path: Path, text: str) -> Source:
    parts = list(path.with_suffix("").parts)
    if parts[-1] == "__init__":
        parts.pop()
    return Source(path, ".".join(parts), text)


FILES = repository_files()
SOURCES = [
    source(path, (ROOT / path).read_text(encoding="utf-8"))
    for path in FILES
    if path.suffix == ".py"
]
PRODUCT = [each for each in SOURCES if each.path.parts[0] == "lanuno"]
MODULES = frozenset(each.module for each in PRODUCT)


def imports(each: Source) -> list[Import]:
    """Return every import of a file; `from a import b` gives `a`, and `a.b` if it is a module."""
    found: list[Import] = []

    def visit(node: ast.AST, runtime: bool, late: bool) -> None:
        match node:
            case ast.Import(names=names):
                found.extend(Import(alias.name, node.lineno, runtime, late) for alias in names)
            case ast.ImportFrom(module=module, names=names, level=level):
                assert level == 0, f"{each.path}:{node.lineno}: relative import"
                assert module is not None
                inner = [f"{module}.{alias.name}" for alias in names]
                modules = [name for name in inner if name in MODULES]
                # `from package import module` needs the package only to find the module.
                targets = modules if len(modules) == len(inner) else [module, *modules]
                found.extend(Import(name, node.lineno, runtime, late) for name in targets)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                late = True
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                for inside in node.body:
                    visit(inside, False, late)
                for outside in node.orelse:
                    visit(outside, runtime, late)
                return
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            visit(child, runtime, late)

    visit(each.tree, True, False)
    return found


def arrow_faults(each: Source) -> list[str]:
    """Find imports of a later package. Type-only imports count too."""
    if each.package is None:
        return [
            f"{each.path}:{one.line}: lanuno/__init__.py imports nothing"
            for one in imports(each)
            if one.name != "__future__"
        ]
    if each.package not in ORDER:
        return [f"{each.path}: no such package in the order: {each.package}"]
    allowed = set(ORDER[: ORDER.index(each.package) + 1])
    if each.package in INTERFACES:
        allowed -= {*INTERFACES} - {each.package}
    faults = []
    for one in imports(each):
        parts = one.name.split(".")
        if parts[0] == "tests":
            faults.append(f"{each.path}:{one.line}: imports the tests")
        if parts[0] == "lanuno" and len(parts) > 1 and parts[1] not in allowed:
            faults.append(f"{each.path}:{one.line}: {each.package} imports {one.name}")
    return faults


def part(module: str) -> str:
    """Return the inner package that contains a module, or the module itself if there is none."""
    parts = module.split(".")
    inner = INNER_ORDER.get(parts[1], ()) if len(parts) > 2 else ()
    return ".".join(parts[:3]) if len(parts) > 2 and parts[2] in inner else module


def inner_arrow_faults(each: Source) -> list[str]:
    """Find imports between inner packages that violate `INNER_ORDER`."""
    order = INNER_ORDER.get(each.package or "", ())
    mine = part(each.module).split(".")[2:3]
    if not mine or mine[0] not in order:
        return []
    later = order[order.index(mine[0]) + 1 :]
    return [
        f"{each.path}:{one.line}: {each.package}.{mine[0]} imports {one.name}"
        for one in imports(each)
        if one.name.startswith(tuple(f"lanuno.{each.package}.{name}" for name in later))
    ]


def part_graph(sources: list[Source]) -> dict[str, set[str]]:
    """Map each part of a package to the other parts that it imports, early or late."""
    graph: dict[str, set[str]] = {}
    for each in sources:
        mine = part(each.module)
        graph.setdefault(mine, set()).update(
            part(one.name)
            for one in imports(each)
            if one.name in MODULES
            and one.name.split(".")[1:2] == [each.package]
            and part(one.name) != mine
        )
    return graph


def purity_faults(each: Source) -> list[str]:
    """Find impure imports and calls in a pure package."""
    if each.package not in PURE:
        return []
    faults = [
        f"{each.path}:{one.line}: {each.package} is pure and imports {one.name}"
        for one in imports(each)
        if one.name.split(".")[0] in IMPURE | QT
    ]
    for node in ast.walk(each.tree):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in IMPURE_CALLS:
                faults.append(f"{each.path}:{node.lineno}: {each.package} is pure and calls {name}")
            case _:
                pass
    return faults


def place_faults(each: Source) -> list[str]:
    """Find imports of Qt outside app, of sockets outside net, and of what one system only has."""
    faults = []
    for one in imports(each):
        top = one.name.split(".")[0]
        if top in QT and each.package != "app":
            faults.append(f"{each.path}:{one.line}: Qt outside app")
        if top in NET_ONLY and each.package not in ("net", "system"):
            faults.append(f"{each.path}:{one.line}: {top} outside net")
        if top in SYSTEM_ONLY and each.package != "system":
            faults.append(f"{each.path}:{one.line}: {top} outside system")
    if each.package != "system":
        faults += [
            f"{each.path}:{node.lineno}: {ast.unparse(node)} outside system"
            for node in ast.walk(each.tree)
            if isinstance(node, ast.Attribute) and SYSTEM_CALLS.fullmatch(ast.unparse(node))
        ]
    return faults


def keyword_faults(each: Source) -> list[str]:
    """Find properties and signals that a constructor of Qt receives as keyword arguments.

    PySide finds the setter with C's `toupper`, which leaves the i of `interval` as it is in a
    Turkish locale. Declarations such as `Property` are PySide's own.
    """
    classes: set[str] = set()
    modules: set[str] = set()
    for node in ast.walk(each.tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names) if module.split(".")[0] in QT:
                for alias in names:
                    (modules if module in QT else classes).add(alias.asname or alias.name)
            case ast.Import(names=names):
                modules.update(
                    alias.asname or alias.name for alias in names if alias.name.split(".")[0] in QT
                )
            case _:
                pass
    classes -= {"Property", "Signal", "Slot"}

    def constructs(function: ast.expr) -> bool:
        text = ast.unparse(function)
        return text in classes or any(
            text.startswith(f"{module}.") and text.rpartition(".")[2][:1] == "Q"
            for module in modules
        )

    # A class of ours that is derived from one of Qt's passes its arguments on.
    for node in ast.walk(each.tree):
        if isinstance(node, ast.ClassDef) and any(map(constructs, node.bases)):
            classes.add(f"{node.name}.super")
    faults = []
    for node in ast.walk(each.tree):
        match node:
            case ast.Call(func=function, keywords=[_, *_]) if constructs(function):
                faults.append(f"{each.path}:{node.lineno}: {ast.unparse(node)}")
            case ast.Call(
                func=ast.Attribute(value=ast.Call(func=ast.Name(id="super")), attr="__init__"),
                keywords=[_, *_],
            ) if any(name.endswith(".super") for name in classes):
                faults.append(f"{each.path}:{node.lineno}: {ast.unparse(node)}")
            case _:
                pass
    return faults


def imported_from_tests(each: Source) -> list[tuple[str, str, int]]:
    """Return what a module imports from the tests: module, imported name (if any) and line."""
    found: list[tuple[str, str, int]] = []
    for node in ast.walk(each.tree):
        match node:
            case ast.Import(names=names):
                found.extend((alias.name, "", node.lineno) for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                # The imported name may be a module: `from tests.log import test_codec`.
                found.extend((module, alias.name, node.lineno) for alias in names)
            case _:
                pass
    return [one for one in found if one[0].split(".")[0] == "tests"]


def sharing_faults(each: Source) -> list[str]:
    """Find imports of test modules and of private names by other modules of the tests.

    Shared code belongs in tests/harness or in a support module of its folder. The harness imports
    none of the test folders.
    """
    faults = []
    for module, name, line in imported_from_tests(each):
        where = f"{each.path}:{line}"
        parts = [*module.split("."), name]
        if any(part.startswith("test_") for part in parts):
            faults.append(f"{where}: imports the test module {module} ({name})")
        if any(part.startswith("_") and not part.endswith("__") for part in parts):
            faults.append(f"{where}: imports a private name: {name} of {module}")
        if each.path.is_relative_to("tests/harness") and parts[:2] != ["tests", "harness"]:
            faults.append(f"{where}: the harness imports {module}")
    return faults


def shape_faults(each: Source) -> list[str]:
    """Report a module without a docstring."""
    if (ast.get_docstring(each.tree) or "").strip():
        return []
    return [f"{each.path}: no module docstring"]


def has_code(tree: ast.Module) -> bool:
    """Whether a module has a function with a body. Other modules only declare values and types."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return any(
        not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant))
        for each in ast.walk(tree)
        if isinstance(each, functions)
        for statement in each.body
    )


def untested(sources: list[Source], tests: list[Source]) -> list[str]:
    """Find modules with code that have no test in `test_<module>.py` of the mirrored folder."""
    tested = {
        each.path
        for each in tests
        if any(
            isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef))
            and part.name.startswith("test_")
            for part in each.tree.body
        )
    }
    faults = []
    for each in sources:
        if each.path.stem.startswith("__") or not has_code(each.tree):
            continue
        wanted = Path("tests", *each.path.parts[1:-1], f"test_{each.path.name}")
        if wanted not in tested:
            faults.append(f"{each.path}: no test in {wanted}")
    return faults


def name_faults(path: Path) -> list[str]:
    """Find folders and files with meaningless names."""
    words = {re.split(r"\.", part)[0].lower() for part in path.parts}
    pieces = words | {piece for word in words for piece in word.split("_")}
    return [f"{path}: named {name}" for name in sorted(pieces & BANNED_NAMES)]


def cycle(graph: dict[str, set[str]]) -> list[str] | None:
    """Return a cycle of the graph, its first node repeated at the end, or None."""
    done: set[str] = set()
    for root in sorted(graph):
        path: list[str] = []
        stack: list[tuple[str, bool]] = [(root, True)]
        while stack:
            node, entering = stack.pop()
            if not entering:
                path.pop()
                done.add(node)
                continue
            if node in path:
                return [*path[path.index(node) :], node]
            if node in done:
                continue
            path.append(node)
            stack.append((node, False))
            stack.extend((target, True) for target in sorted(graph.get(node, ())))
    return None


def load_graph(sources: list[Source]) -> dict[str, set[str]]:
    """Map each module to the modules that it imports while it is being loaded."""
    return {
        each.module: {
            one.name
            for one in imports(each)
            if one.runtime and not one.late and one.name in MODULES and one.name != each.module
        }
        for each in sources
    }


# Folders that exist only on one machine. A shebang is valid on every machine and is allowed.
MACHINE_PATH = re.compile(
    r"(?<![\w.~-])/(?:home|root|work|Users|mnt|media|srv)/[\w.-]+|[A-Z]:\\Users"
)


# QML elements that draw text in the window. They could interpret a player's name as markup and
# fetch an image from any computer that the name specifies.
TEXT_ELEMENT = re.compile(r"(?<![\w.])(?:Text|TextEdit|TextArea|Label)\s*\{")

# Those that would paint marks piled on a letter over what is above or below.
LINE_ELEMENT = re.compile(r"(?<![\w.])(?:Text|T\.TextField)\s*\{")


def markup_faults(path: Path, text: str) -> list[str]:
    """Find text elements that do not declare their text as plain, or paint outside of it."""
    faults = []
    for element, wanted, fault in (
        (TEXT_ELEMENT, r"textFormat: \w+\.PlainText\b", "its text may be markup"),
        (LINE_ELEMENT, r"clip: true\b", "its text may paint outside its line"),
    ):
        if element is LINE_ELEMENT and path.name == "CardFace.qml":
            continue  # the program's own letters
        for found in element.finditer(text):
            depth, end = 1, found.end()
            while depth and end < len(text):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                end += 1
            if not re.search(wanted, text[found.end() : end]):
                line = text.count("\n", 0, found.start()) + 1
                faults.append(f"{path}:{line}: {fault}")
    return faults


def text_faults(path: Path, text: str) -> list[str]:
    """Find paths that exist only on one machine."""
    return [
        f"{path}:{number}: machine path {found.group()}"
        for number, line in enumerate(text.splitlines(), 1)
        if (found := MACHINE_PATH.search(line))
    ]


def test_imports_only_go_one_way() -> None:
    assert [fault for each in PRODUCT for fault in arrow_faults(each)] == []


def test_imports_inside_a_package_only_go_one_way() -> None:
    assert [fault for each in PRODUCT for fault in inner_arrow_faults(each)] == []
    assert cycle(part_graph(PRODUCT)) is None


def test_every_inner_package_is_in_the_order() -> None:
    inner = {
        tuple(each.module.split(".")[1:])
        for each in PRODUCT
        if each.path.name == "__init__.py" and each.package in INNER_ORDER
    }
    known = {(package, name) for package, names in INNER_ORDER.items() for name in names}
    assert {names for names in inner if len(names) == 2} == known


def test_pure_packages_are_pure() -> None:
    assert [fault for each in PRODUCT for fault in purity_faults(each)] == []


def test_qt_sockets_and_what_one_system_has_stay_in_their_packages() -> None:
    assert [fault for each in PRODUCT for fault in place_faults(each)] == []


def test_no_constructor_of_qt_receives_properties() -> None:
    assert [fault for each in PRODUCT for fault in keyword_faults(each)] == []


def test_no_cycles_between_modules() -> None:
    assert cycle(load_graph(PRODUCT)) is None


def test_no_test_imports_another_test_or_its_private_names() -> None:
    tests = [each for each in SOURCES if each.path.parts[0] == "tests"]
    assert [fault for each in tests for fault in sharing_faults(each)] == []


def test_every_module_has_tests_in_the_mirrored_folder() -> None:
    tests = [each for each in SOURCES if each.path.parts[0] == "tests"]
    assert untested(PRODUCT, tests) == []


def test_files_say_what_they_are_for() -> None:
    assert [fault for each in SOURCES for fault in shape_faults(each)] == []


def test_names_say_something() -> None:
    assert [fault for path in FILES for fault in name_faults(path)] == []


def test_top_level_holds_only_what_belongs_there() -> None:
    top = {path.parts[0] for path in FILES}
    assert {name for name in top if not name.startswith(".")} <= TOP_LEVEL


def test_no_text_in_the_window_is_markup() -> None:
    pages = [path for path in FILES if path.suffix == ".qml" and path.parts[0] == "resources"]
    assert pages
    faults = [markup_faults(path, (ROOT / path).read_text(encoding="utf-8")) for path in pages]
    assert [fault for each in faults for fault in each] == []


def test_no_machine_path_in_the_repository() -> None:
    faults: list[str] = []
    for path in FILES:
        try:
            text = (ROOT / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture or a sound
        if path != Path("tests/test_architecture.py"):
            faults.extend(text_faults(path, text))
    assert faults == []


def test_the_command_line_loads_no_qt() -> None:
    modules = sorted(each.module for each in PRODUCT if each.package == "cli")
    assert "lanuno.cli.main" in modules
    check = (
        f"import sys, {', '.join(modules)}; "
        f"loaded = sorted(n for n in sys.modules if n.split('.')[0] in {sorted(QT)!r}); "
        "assert not loaded, loaded"
    )
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


# Each rule must detect a violation.


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        ("lanuno/rules/x.py", "import lanuno.dealing.group", "rules imports lanuno.dealing.group"),
        ("lanuno/rules/x.py", "def f():\n    from lanuno import log", "imports lanuno.log"),
        ("lanuno/net/x.py", "from lanuno.cli import main", "net imports lanuno.cli"),
        ("lanuno/app/x.py", "from lanuno.cli import output", "app imports lanuno.cli"),
        ("lanuno/log/x.py", "import tests.bench", "imports the tests"),
        ("lanuno/other/x.py", "", "no such package"),
        ("lanuno/__init__.py", "import sys", "imports nothing"),
    ],
)
def test_wrong_arrows_are_seen(path: str, text: str, fault: str) -> None:
    faults = arrow_faults(source(Path(path), text))
    assert len(faults) == 1
    assert fault in faults[0]


@pytest.mark.parametrize(
    ("path", "text", "fault"),
    [
        (
            "lanuno/log/format/x.py",
            "from lanuno.log.audit.audit import audit",
            "log.format imports",
        ),
        (
            "lanuno/net/discovery/x.py",
            "import lanuno.net.runtime.missed_entries",
            "net.discovery imports",
        ),
        (
            "lanuno/table/replica/x.py",
            "def f():\n    import lanuno.table.host.role",
            "table.replica",
        ),
    ],
)
def test_wrong_arrows_inside_a_package_are_seen(path: str, text: str, fault: str) -> None:
    faults = inner_arrow_faults(source(Path(path), text))
    assert len(faults) == 1
    assert fault in faults[0]
    assert inner_arrow_faults(source(Path("lanuno/table/x.py"), text)) == []


def test_a_circle_through_a_module_beside_the_inner_packages_is_seen() -> None:
    beside = source(Path("lanuno/table/links.py"), "import lanuno.table.host.role")
    inside = source(Path("lanuno/table/host/x.py"), "import lanuno.table.links")
    assert cycle(part_graph([beside, inside])) is not None
    assert cycle(part_graph([inside])) is None


@pytest.mark.parametrize(
    "text",
    [
        "import os.path",
        "from time import monotonic",
        "def f():\n    import secrets",
        "from PySide6 import QtCore",
        "open('x')",
    ],
)
def test_impurity_is_seen(text: str) -> None:
    assert len(purity_faults(source(Path("lanuno/log/x.py"), text))) == 1
    assert purity_faults(source(Path("lanuno/store/x.py"), text)) == []


@pytest.mark.parametrize(
    "text",
    [
        "from PySide6.QtCore import QTimer\nQTimer(None, interval=1)",
        "from PySide6.QtCore import QTimer as Timer\nTimer(timeout=print)",
        "from PySide6 import QtCore\nQtCore.QTimer(**values)",
        "import PySide6.QtCore\nPySide6.QtCore.QTimer(interval=1)",
        "from PySide6.QtCore import QTimer\nclass X(QTimer):\n x = super().__init__(interval=1)",
    ],
)
def test_properties_in_a_constructor_of_qt_are_seen(text: str) -> None:
    assert len(keyword_faults(source(Path("lanuno/app/x.py"), text))) == 1


def test_misplaced_imports_are_seen() -> None:
    text = "import socket\nfrom PySide6.QtCore import QObject\n"
    assert len(place_faults(source(Path("lanuno/cli/x.py"), text))) == 2
    assert len(place_faults(source(Path("lanuno/net/x.py"), text))) == 1
    assert len(place_faults(source(Path("lanuno/app/x.py"), text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "import fcntl",
        "def f():\n    import pwd",
        "import os\nfile = os.open('x', 0)",
        "import os\nflags = os.O_NOFOLLOW",
        "import os\nopen('x', opener=os.open)",
        "import signal",
    ],
)
def test_what_one_system_only_has_is_seen(text: str) -> None:
    assert len(place_faults(source(Path("lanuno/store/x.py"), text))) == 1
    assert place_faults(source(Path("lanuno/system/x.py"), text)) == []


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("from tests.log.test_codec import BODIES", "imports the test module tests.log.test_codec"),
        ("from tests.log import test_codec", "imports the test module tests.log (test_codec)"),
        ("import tests.log.test_codec as codec", "imports the test module tests.log.test_codec"),
        ("def f():\n    from tests.log.test_codec import _X", "imports the test module"),
        ("from tests.net.mdns import _packet", "a private name: _packet of tests.net.mdns"),
        ("from tests.net import _mdns", "a private name: _mdns of tests.net"),
    ],
)
def test_what_tests_take_from_each_other_is_seen(text: str, fault: str) -> None:
    faults = sharing_faults(source(Path("tests/table/test_x.py"), text))
    assert faults
    assert fault in faults[0]


def test_what_tests_may_share_is_left_alone() -> None:
    text = (
        "from tests.harness.log_table.log_table import LogTable\n"
        "from tests.net import mdns\n"
        "from tests.bench import __main__ as bench\n"
        "from lanuno.store.sidecar import _LARGEST\n"
    )
    assert sharing_faults(source(Path("tests/net/test_x.py"), text)) == []
    inside = sharing_faults(source(Path("tests/harness/sockets/x.py"), text))
    assert [fault.split(": ")[1] for fault in inside] == [
        "the harness imports tests.net",
        "the harness imports tests.bench",
    ]


def test_cycles_are_seen() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"d"}, "c": {"d"}, "d": set()}) is None


def test_a_late_or_type_only_import_makes_no_cycle() -> None:
    name = min(MODULES - {"lanuno"})
    text = (
        "from typing import TYPE_CHECKING\n"
        f"if TYPE_CHECKING:\n    import {name}\n"
        f"def f():\n    import {name}\n"
    )
    assert load_graph([source(Path("lanuno/store/x.py"), text)]) == {"lanuno.store.x": set()}


def test_a_module_without_tests_is_seen() -> None:
    code = source(Path("lanuno/store/x.py"), "def f():\n    return 1\n")
    declared = source(Path("lanuno/store/y.py"), 'class A:\n    def f(self):\n        """F."""\n')
    elsewhere = source(Path("tests/test_x.py"), "def test_f():\n    pass\n")
    empty = source(Path("tests/store/test_x.py"), "def f():\n    pass\n")
    tested = source(Path("tests/store/test_x.py"), "async def test_f():\n    pass\n")
    assert len(untested([code, declared], [elsewhere, empty])) == 1
    assert untested([code, declared], [tested]) == []


def test_bad_shapes_are_seen() -> None:
    assert len(shape_faults(source(Path("lanuno/x.py"), "x = 1\n"))) == 1
    assert len(name_faults(Path("lanuno/net_utils/x.py"))) == 1
    assert len(name_faults(Path("tests/common.py"))) == 1
    assert name_faults(Path("lanuno/store/paths.py")) == []


def test_markup_is_seen() -> None:
    plain = "Item { Text { font { bold: true } textFormat: Text.PlainText; clip: true } }"
    assert markup_faults(Path("a.qml"), plain) == []
    either = "Item {\n  Text { text: name }\n  TextEdit { textFormat: TextEdit.PlainText }\n}"
    assert markup_faults(Path("a.qml"), either) == [
        "a.qml:2: its text may be markup",
        "a.qml:2: its text may paint outside its line",
    ]
    assert len(markup_faults(Path("a.qml"), "Item { clip: true; T.TextField { id: a } }")) == 1
    assert len(markup_faults(Path("a.qml"), "Label { textFormat: Text.RichText }")) == 1
    assert markup_faults(Path("a.qml"), "PlainText { } text: Text.Wrap") == []


@pytest.mark.parametrize("path", ["/home/ann/x", "/work/plan", "C:\\Users\\ann", "(/root/x)"])
def test_machine_paths_are_seen(path: str) -> None:
    assert len(text_faults(Path("README.md"), f"see {path} there")) == 1


@pytest.mark.parametrize(
    "text", ["#!/usr/bin/env bash", "a/home/b", "~/home/x", "/tmp", "net/work/x"]
)
def test_other_paths_are_left_alone(text: str) -> None:
    assert text_faults(Path(PurePosixPath("README.md")), text) == []
