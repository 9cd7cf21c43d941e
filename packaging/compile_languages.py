"""Compiles each resources/languages/CODE.po into the two files that LanUNO loads.

    python packaging/compile_languages.py

CODE.mo has every entry, for `gettext` of the standard library. CODE.qm has the entries with a
context, for QTranslator. Neither has entries that are untranslated or marked as fuzzy. Files that
are newer than their source and this program are left alone. In that case Babel, which reads a .po
and writes a .mo, is not even imported.

The format of a .qm is what QTranslator reads (qtbase, `src/corelib/kernel/qtranslator.cpp`) and
lrelease writes (qttools, `src/linguist/shared/qm.cpp`): a magic number, then sections of a tag, a
length and data, all big-endian. A lookup hashes the source text with its disambiguation, finds the
hash by bisection, and compares the context and both texts with those stored for the translation.
"""

from __future__ import annotations

import email
import io
import os
import re
import string
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from babel.messages.catalog import Catalog, Message

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDER: Final = ROOT / "resources" / "languages"

ENGLISH: Final = "en"

ARGPARSE: Final = "argparse"
"""The context of the texts of Python's argparse, which are in English by default."""

HEADER: Final = re.compile(r'(?:#.*\n|\n)*msgid ""\nmsgstr ((?:".*"\n)+)')
"""The first entry of a .po, with the comments before it. The only group is the quoted fields."""

CODE: Final = re.compile("[a-z]{2,3}(_[A-Z]{2})?")
"""A language, optionally as spoken in one country, as in the locale of a computer."""

_LINE: Final = re.compile(
    r'(?:#.*|(?:(?:msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\]) )?"(?:[^"\\]|\\[\\"nrt])*")?'
)
"""A line of a .po. Babel would accept an unterminated string and cut off its last character."""

_PLURAL_FORMS: Final = re.compile(
    r"\s*nplurals\s*=\s*([1-9])\s*;\s*plural\s*=\s*([^;\\]+?)\s*;?\s*"
)

_OTHER_HEADER: Final = re.compile(r'^msgid ""\nmsgstr', re.MULTILINE)

_MAGIC: Final = bytes.fromhex("3cb86418caef9c95cd211cbf60a1bddd")

# Sections of a .qm.
_HASHES, _MESSAGES, _NUMERUS_RULES, _LANGUAGE = 0x42, 0x69, 0x88, 0xA7
# Fields of a message in a .qm.
_END, _TRANSLATION, _SOURCE_TEXT, _CONTEXT, _COMMENT = 1, 3, 6, 7, 8
# Plural rules in a .qm: conditions on the number or its remainder by 100, and their connectives.
_EQUAL, _LESS, _BETWEEN, _NOT, _BY_100 = 0x01, 0x02, 0x04, 0x08, 0x20
_AND, _OR, _NEW_RULE = b"\xfd", b"\xfe", b"\xff"

_LARGE_NUMBERS: Final = (
    *range(200, 1102),
    *(number + more for number in (10**4, 10**5, 10**6 - 100) for more in range(100)),
)


class BadCatalogue(Exception):
    """A .po cannot be compiled. The message names the file and the reason."""


def compile_all(folder: Path = FOLDER, target: Path | None = None) -> list[Path]:
    """Compile every .po of `folder` into `target` (default: beside its source).

    Returns the paths of the compiled files. Keeps files that are up to date, and removes those
    without a source. Raises `BadCatalogue`, `ImportError` without Babel, and `OSError` if a file
    cannot be read or written.
    """
    target = target or folder
    made: list[Path] = []
    for source in sorted(folder.glob("*.po")):
        paths = [target / f"{source.stem}.mo", target / f"{source.stem}.qm"]
        if not all(_is_fresh(path, source) for path in paths):
            for path, data in zip(paths, compiled(source), strict=True):
                _write(data, path)
        made += paths
    for stale in {*target.glob("*.mo"), *target.glob("*.qm")} - {*made}:
        # Another start of the program may have removed it already.
        stale.unlink(missing_ok=True)
    return made


def compiled(source: Path) -> tuple[bytes, bytes]:
    """Return the .mo and the .qm of one .po. Raises `BadCatalogue`."""
    catalogue = read(source)
    forms = catalogue.num_plurals
    messages = [message for message in catalogue if message.id]
    for message in messages:
        if any(translations(message)) and not all(translations(message)):
            raise BadCatalogue(f"{source}:{message.lineno}: not all of {forms} plural forms")
    try:
        rules = plural_rules(forms, catalogue.plural_expr)
    except ValueError as error:
        raise BadCatalogue(f"{source}: Plural-Forms: {error}") from None
    translated = [message for message in messages if is_translated(message)]
    english = source.with_name(f"{ENGLISH}.po")
    known = read(english) if source != english and english.exists() else catalogue
    for message in translated:
        try:
            _check_places(message, known)
        except ValueError as error:
            raise BadCatalogue(f"{source}:{message.lineno}: {error}") from None
    if not any(message.id == "language.name" for message in translated):
        raise BadCatalogue(f"{source}: language.name, the language's own name, is missing")
    return (
        _mo(source.stem, catalogue.plural_forms, translated),
        _qm(source.stem, rules, [message for message in translated if message.context]),
    )


def _check_places(message: Message, english: Catalog) -> None:
    """Raise `ValueError` unless a translation has the same placeholders as the English text.

    A wrong placeholder would crash the program when the text is shown. All plural forms except the
    last may omit the number.
    """
    original = text_of(message)
    if message.context is None:
        original = translations(english.get(message.id) or message)[-1]
    wanted = _places(original, message.context)
    without_number = wanted - Counter({"{number}": 1, "%n": 1})
    *few, last = translations(message)
    for text in (*few, last):
        found = _places(text, message.context)
        if found != wanted and (text is last or found != without_number):
            raise ValueError(f"{sorted(found)} instead of {sorted(wanted)} in: {text}")


def _places(text: str, context: str | None) -> Counter[str]:
    """Return the placeholders in a text. Raises `ValueError` if its brackets do not match."""
    if context == ARGPARSE:
        return Counter(re.findall(r"%(?:\(\w+\))?.", text))
    if context is not None:
        return Counter(re.findall(r"\{\w+\}|%L?\d+|%n", text))
    return Counter(
        f"{{{name}{f'!{how}' if how else ''}{f':{form}' if form else ''}}}"
        for _, name, form, how in string.Formatter().parse(text)
        if name is not None
    )


def read(path: Path) -> Catalog:
    """Return the entries of a .po in order, without commented-out (obsolete) ones.

    Raises `BadCatalogue` if the file is damaged or not one of LanUNO's.
    """
    from babel.messages.pofile import PoFileError, read_po

    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadCatalogue(f"{path}: not UTF-8: {error}") from None
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        if not _LINE.fullmatch(line.strip()):
            raise BadCatalogue(f"{path}:{number}: this is not a line of a .po file: {line}")
    if not CODE.fullmatch(path.stem):
        raise BadCatalogue(f"{path}: its name is not a language code such as pl or pt_BR")
    header = HEADER.match(text)
    fields = _fields(header[1]) if header else {}
    if header is None or fields.get("Language") != path.stem:
        raise BadCatalogue(f"{path}: its header does not say Language: {path.stem}")
    plural = _PLURAL_FORMS.fullmatch(fields.get("Plural-Forms", ""))
    if not plural:
        raise BadCatalogue(f"{path}: its header has no Plural-Forms: nplurals=…; plural=…;")
    if other := _OTHER_HEADER.search(text, header.end()):
        number = text.count("\n", 0, other.start()) + 1
        raise BadCatalogue(f"{path}:{number}: this entry has an empty text")
    # Pass only one header field to Babel, which raises various errors if others, such as dates,
    # have an unexpected form. The blank lines preserve the line numbers.
    forms = f'msgid ""\nmsgstr "Plural-Forms: nplurals={plural[1]}; plural={plural[2]};\\n"\n'
    blank = "\n" * (header[0].count("\n") - 2)
    file = io.StringIO(forms + blank + text[header.end() :])
    try:
        catalogue = read_po(file, ignore_obsolete=True, abort_invalid=True)
    except PoFileError as error:
        why = str(error).removesuffix(f" on {error.lineno}")
        raise BadCatalogue(f"{path}:{error.lineno + 1}: {why}") from None
    # Babel silently keeps only the first of several entries with the same id.
    kept = {message.lineno for message in catalogue}
    starts = [number for number, line in enumerate(lines, 1) if line.startswith("msgid ")]
    for number in starts[1:]:
        if number not in kept:
            raise BadCatalogue(f"{path}:{number}: this entry is in the file twice")
    return catalogue


def _fields(quoted: str) -> Mapping[str, str]:
    """Return the fields of a header."""
    joined = "".join(line[1:-1] for line in quoted.splitlines())
    return dict(email.message_from_string(joined.replace("\\n", "\n")).items())


def is_translated(message: Message) -> bool:
    """Whether an entry is completely translated and not marked as fuzzy."""
    return all(translations(message)) and not message.fuzzy


def text_of(message: Message) -> str:
    """Return the id of an entry, or its English text if it has a context."""
    return message.id if isinstance(message.id, str) else message.id[0]


def translations(message: Message) -> list[str]:
    """Return the translation of an entry, or one for each plural form; "" if missing."""
    strings = message.string or ""
    return [strings] if isinstance(strings, str) else [*strings]


def plural_rules(forms: int, formula: str) -> bytes:
    """Return Qt's byte code for all plural forms except the last; `formula` is gettext's.

    A rule is a chain of comparisons (qtbase, `isValidNumerusRules` and `numerusHelper` in
    qtranslator.cpp; the codes are in qtranslator_p.h). The rule for a form lists the runs of
    numbers below 100 that use it, and the runs of remainders by 100 for larger numbers. So Qt can
    express a formula that depends, from 100 on, only on this remainder. A form for whole millions,
    as in French, is left out: nothing in the window is counted in millions.

    Raises `ValueError` if Qt cannot express the formula, or if it is not a formula.
    """
    form = _form_of_number(forms, formula)
    small, large = [[form(start + number) for number in range(100)] for start in (0, 100)]
    if any(form(number) != large[number % 100] for number in _LARGE_NUMBERS):
        raise ValueError(f"Qt has no such plural rule: {formula}")
    rules = []
    for index in range(forms - 1):
        used = [(few == index, many == index) for few, many in zip(small, large, strict=True)]
        always = _OR.join(_condition(run, _BY_100) for run in _runs(used, (True, True)))
        below = _OR.join(_condition(run) for run in _runs(used, (True, False)))
        from_100 = bytes([_NOT | _LESS, 100])
        above = _OR.join(
            _condition(run, _BY_100) + _AND + from_100 for run in _runs(used, (False, True))
        )
        # A condition that is never true, for a form that is never used: no number is negative.
        rules.append(_OR.join(filter(None, (always, below, above))) or bytes([_LESS, 0]))
    return _NEW_RULE.join(rules)


def _form_of_number(forms: int, formula: str) -> Callable[[int], int]:
    """Return a function from a number to its plural form. Both raise `ValueError`."""
    import gettext

    evaluate: Callable[[int], int] = gettext.c2py(formula)

    def form(number: int) -> int:
        try:
            index = evaluate(number)
        except ArithmeticError as error:
            raise ValueError(f"{error} for {number}: {formula}") from None
        if not 0 <= index < forms:
            raise ValueError(f"form {index} of {forms} for {number}: {formula}")
        return index

    return form


def _runs(used: list[tuple[bool, bool]], wanted: tuple[bool, bool]) -> Iterator[tuple[int, int]]:
    """Yield the first and last position of each maximal run of `wanted`."""
    first = None
    for position, each in enumerate([*used, None]):
        if each == wanted and first is None:
            first = position
        elif each != wanted and first is not None:
            yield first, position - 1
            first = None


def _condition(run: tuple[int, int], operand: int = 0) -> bytes:
    """Return the byte code for: the number, after applying the operand, is in a run."""
    first, last = run
    if first == last:
        return bytes([_EQUAL | operand, first])
    return bytes([_BETWEEN | operand, first, last])


def _mo(language: str, plural_forms: str, messages: list[Message]) -> bytes:
    from babel.messages.catalog import Catalog
    from babel.messages.mofile import write_mo

    class Compiled(Catalog):
        """A catalogue without dates and names in its header, for reproducible files."""

        mime_headers = property(
            lambda self: [
                ("Language", language),
                ("MIME-Version", "1.0"),
                ("Content-Type", f"text/plain; charset={self.charset}"),
                ("Plural-Forms", plural_forms),
            ]
        )

    entries = Compiled()
    for message in messages:
        entries[message.id] = message
    file = io.BytesIO()
    write_mo(file, entries)
    return file.getvalue()


def _qm(language: str, rules: bytes, messages: list[Message]) -> bytes:
    data = bytearray()
    hashes: list[tuple[int, int]] = []
    for message in messages:
        # Qt reads context, text and comment as UTF-8, and needs the comment even if it is empty.
        text = text_of(message).encode()
        comment = b""
        hashes.append((_elf_hash(text + comment), len(data)))
        for each in translations(message):
            data += _field(_TRANSLATION, each.encode("utf-16-be"))
        data += _field(_COMMENT, comment)
        data += _field(_SOURCE_TEXT, text)
        data += _field(_CONTEXT, (message.context or "").encode())
        data.append(_END)
    index = b"".join(struct.pack(">II", *each) for each in sorted(hashes))
    return (
        _MAGIC
        + _field(_LANGUAGE, language.encode())
        + _field(_HASHES, index)
        + _field(_MESSAGES, bytes(data))
        + (_field(_NUMERUS_RULES, rules) if rules else b"")
    )


def _field(tag: int, data: bytes) -> bytes:
    return struct.pack(">BI", tag, len(data)) + data


def _elf_hash(text: bytes) -> int:
    """Return the hash of a symbol name in ELF (System V ABI, chapter 5), but never 0."""
    value = 0
    for byte in text:
        value = (value << 4) + byte
        high = value & 0xF0000000
        value = (value ^ (high >> 24)) & ~high & 0xFFFFFFFF
    return value or 1


def _is_fresh(path: Path, source: Path) -> bool:
    """Whether a compiled file is newer than its source and than this program."""
    try:
        made = path.stat().st_mtime_ns
    except FileNotFoundError:
        return False
    return all(made > each.stat().st_mtime_ns for each in (source, Path(__file__)))


def _write(data: bytes, path: Path) -> None:
    if path.exists() and path.read_bytes() == data:
        # Mark it as up to date. In a read-only checkout, it is compiled every time.
        with suppress(OSError):
            path.touch()
        return
    # A running app maps the file into memory, so replace the file and never change its contents.
    new = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        new.write_bytes(data)
        new.replace(path)
    finally:
        new.unlink(missing_ok=True)


def how_to_install(error: ImportError, extra: str) -> str:
    """Return instructions for a missing library of an extra of pyproject.toml."""
    return f"{error}. Install it: {sys.executable} -m pip install -e '{ROOT}[{extra}]'"


def main() -> int:
    """Compile all languages. Return 1 if one of them cannot be compiled."""
    try:
        compile_all()
    except ImportError as error:
        sys.stderr.write(f"{how_to_install(error, 'checkout')}\n")
        return 1
    except (BadCatalogue, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
