"""All small faults that are put into the files of a package, one at a time, and the exceptions.

The operators are those of mutmut, and one more: a check that is forgotten. Only the places are
chosen here, because mutmut skips decorated code and code outside functions, which is where
properties and tables of rules live. `trial.py` tries the faults.

Left out, because no test could or should detect them:
- annotations, docstrings, `if TYPE_CHECKING:`, and the names given to `cast`, `TypeVar`: not run;
- texts for people, which are all strings of several words: no code decides by them;
- assertions: they cannot fail, so a weaker one makes the same program;
- decorators and `frozen=`, `kw_only=` of classes: they only forbid what mypy detects as well, and
  `gc=` only affects speed;
- arguments of `len` and `isinstance`, as in mutmut: this would only test the interpreter's errors.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider
from mutmut.mutation.mutators import mutation_operators

NAMES_ONLY = frozenset({"cast", "TypeVar", "ParamSpec", "NewType", "len", "isinstance"})
PROSE = re.compile(r"[A-Za-z,:'] [A-Za-z{]")
FORBIDDING = frozenset({"frozen", "kw_only", "slots", "weakref", "gc"})


@dataclass(frozen=True)
class Mutant:
    """One file with one fault."""

    file: str
    """Path relative to the root, with slashes."""
    line: int
    column: int
    number: int
    """Number among the mutants of the same place."""
    statement: tuple[int, int]
    """First and last line of the statement that contains the fault."""
    write: Callable[[], str] = field(repr=False, compare=False)

    @property
    def name(self) -> str:
        """A name that stays the same while the lines above do not change."""
        return f"{self.file}:{self.line}:{self.column}:{self.number}"

    @property
    def module(self) -> str:
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def source(self) -> str:
        """The whole changed file; empty if it is no longer a valid program."""
        text = self.write()
        try:
            compile(text, "<mutant>", "exec")
        except SyntaxError:
            return ""
        return text

    def difference(self, root: Path) -> str:
        before = (root / self.file).read_text(encoding="utf-8").splitlines()
        lines = difflib.unified_diff(before, self.source.splitlines(), lineterm="", n=0)
        return "\n".join(line for line in lines if not line.startswith(("---", "+++")))


def unchanged(root: Path, like: Mutant) -> Mutant:
    """Return the unchanged program as a mutant; no test may fail with it."""
    text = (root / like.file).read_text(encoding="utf-8")
    return replace(like, write=lambda: text)


def mutants(root: Path, package: str) -> list[Mutant]:
    """Yield all mutants of one package, in the order of its files and their lines."""
    files = sorted((root / "lanuno" / package).rglob("*.py"))
    return [
        each
        for file in files
        for each in _of_file(file.relative_to(root).as_posix(), file.read_text(encoding="utf-8"))
    ]


def _of_file(file: str, text: str) -> Iterator[Mutant]:
    wrapper = MetadataWrapper(cst.parse_module(text))
    where = wrapper.resolve(PositionProvider)
    numbers: Counter[tuple[int, int]] = Counter()
    for node, statement in _places(wrapper.module, wrapper.module):
        place = (where[node].start.line, where[node].start.column)
        lines = (where[statement].start.line, where[statement].end.line)
        for changed in _faults(node):
            write = partial(_written, wrapper.module, node, changed)
            yield Mutant(file, *place, numbers[place], lines, write)
            numbers[place] += 1


def _written(module: Any, node: Any, changed: Any) -> str:
    return str(module.deep_replace(node, changed).code)


def _faults(node: Any) -> Iterator[Any]:
    for kind, operator in mutation_operators:
        if isinstance(node, kind):
            yield from (changed for changed in operator(node) if not _reworded(node, changed))
    if isinstance(node, cst.If):
        yield node.with_changes(test=cst.Name("False"))


def _reworded(node: Any, changed: Any) -> bool:
    """Whether a fault only changes or removes texts for people."""
    match node, changed:
        case cst.Call(args=before), cst.Call(args=after):
            kept = {id(each) for each in after}
            gone = [each.value for each in before if id(each) not in kept]
            return bool(gone) and all(map(_is_prose, gone))
        case ((cst.Assign(value=value) | cst.AnnAssign(value=value)), _):
            return _is_prose(value)
        case _:
            return _is_prose(node)


def _is_prose(node: Any) -> bool:
    match node:
        case cst.SimpleString(value=text):
            return PROSE.search(text) is not None
        case cst.FormattedString() | cst.ConcatenatedString():
            return True
        case _:
            return False


def _places(node: Any, statement: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the nodes that may be changed, each with the statement that contains it."""
    if isinstance(node, (cst.BaseCompoundStatement, cst.SimpleStatementLine)):
        statement = node
    yield node, statement
    for child in node.children:
        if not _left_out(node, child):
            yield from _places(child, statement)


def _left_out(parent: Any, child: Any) -> bool:
    match child:
        case cst.Annotation() | cst.Assert() | cst.Import() | cst.ImportFrom() | cst.Decorator():
            return True
        case cst.If(test=cst.Name(value="TYPE_CHECKING")):
            return True
        case cst.Call(func=cst.Name(value=name)) if name in NAMES_ONLY:
            return True
        case cst.Arg(keyword=cst.Name(value=name)) if isinstance(parent, cst.ClassDef):
            return name in FORBIDDING
        case cst.AnnAssign(annotation=cst.Annotation(annotation=cst.Name(value="TypeAlias"))):
            return True
        case _:
            return False
