"""Maintains the catalogues: the texts of every language, in resources/languages/CODE.po.

    python packaging/catalogues.py update      add new texts from the sources, drop old ones
    python packaging/catalogues.py new CODE    start a language: pl, pt_BR
    python packaging/catalogues.py missing     print what is not translated; exit code 1 if any

`update` takes the window's texts from resources/qml and lanuno/app, those of the desktop's menus
from resources/desktop, and all others from en.po: messages with an id, and the texts of Python's
argparse. It never guesses: a changed text counts as a new one. Translate with any editor for .po
files. compile_languages.py compiles the catalogues into the files that LanUNO loads.
"""

from __future__ import annotations

import ast
import io
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

import compile_languages
from compile_languages import (
    ARGPARSE,
    CODE,
    ENGLISH,
    FOLDER,
    HEADER,
    ROOT,
    BadCatalogue,
    is_translated,
    text_of,
    translations,
)

if TYPE_CHECKING:
    from babel import Locale
    from babel.messages.catalog import Catalog, Message

QML: Final = ROOT / "resources" / "qml"
PYTHON: Final = ROOT / "lanuno" / "app"
DESKTOP: Final = ROOT / "resources" / "desktop"
_NOT_FOUND_HERE: Final = frozenset(
    {"QT_TR_NOOP", "QT_TRANSLATE_NOOP", "qsTranslate", "qsTrId", "qsTrNoOp", "QT_TRID_NOOP"}
)
"""Qt's other ways to mark a text in QML, which are not supported here."""


class Token(NamedTuple):
    """A token of a QML file that is neither white space nor a comment."""

    line: int
    kind: str
    """"name", "string" or "other"."""
    value: str


_ESCAPE: Final = re.compile(r"\\(u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", re.DOTALL)
_CHARACTERS: Final = dict(zip("bfnrtv0", "\b\f\n\r\t\v\0", strict=True)) | {"\n": ""}


class BadSource(Exception):
    """A text in the sources cannot be translated. The message names the file and the line."""


class SourceText(NamedTuple):
    """A translatable text in the sources."""

    context: str
    text: str
    plural: bool
    """Whether the text depends on a number."""


def source_texts() -> Iterator[SourceText]:
    """Yield each text in the sources once, sorted by context, then in source order.

    Raises `BadSource`.
    """
    found: dict[str, dict[str, bool]] = {}
    for each in _all_texts():
        texts = found.setdefault(each.context, {})
        if texts.setdefault(each.text, each.plural) != each.plural:
            raise BadSource(f"{each.context}: {each.text!r} both with and without a number")
    for context, texts in sorted(found.items()):
        yield from (SourceText(context, text, plural) for text, plural in texts.items())


def _all_texts() -> Iterator[SourceText]:
    for path in sorted(QML.rglob("*.qml")):
        yield from qml_texts(path)
    for path in sorted(PYTHON.rglob("*.py")):
        yield from python_texts(path)
    from lanuno.app.desktop import CONTEXT, translatable

    for path in sorted(DESKTOP.iterdir()):
        yield from (SourceText(CONTEXT, text, plural=False) for text in translatable(path))


def qml_texts(path: Path) -> Iterator[SourceText]:
    """Yield the text of every `qsTr` in a QML file, with the file's name as context.

    Raises `BadSource`.
    """
    tokens = _tokens(path.read_text(encoding="utf-8"))
    for position, token in enumerate(tokens):
        where = f"{path}:{token.line}"
        if token.kind == "string":
            if "qsTr(" in token.value:
                raise BadSource(f"{where}: qsTr inside a string")
        elif token.value in _NOT_FOUND_HERE:
            raise BadSource(f"{where}: {token.value} is not supported; use qsTr")
        elif token.value == "qsTr":
            text, *more = _arguments(tokens, position + 1, where)
            words = _literal(text, where)
            if more and _literal(more[0], where):
                raise BadSource(f"{where}: qsTr with a disambiguation")
            yield SourceText(path.stem, words, len(more) > 1 or "%n" in words)


def _tokens(source: str) -> list[Token]:
    from pygments.lexers.javascript import JavascriptLexer
    from pygments.token import Comment, Name, String, Whitespace

    tokens = []
    line = 1
    for kind, value in JavascriptLexer(stripnl=False).get_tokens(source):
        if kind not in Comment and kind not in Whitespace and value.strip():
            plain = kind in (String.Double, String.Single)
            name = "string" if plain else "name" if kind in Name else "other"
            tokens.append(Token(line, name, value))
        line += value.count("\n")
    return tokens


def _arguments(tokens: list[Token], position: int, where: str) -> list[list[Token]]:
    """Return the tokens of each argument of the call whose opening bracket is at `position`."""
    if position == len(tokens) or tokens[position].value != "(":
        raise BadSource(f"{where}: qsTr is not called")
    arguments: list[list[Token]] = [[]]
    depth = 0
    for token in tokens[position:]:
        value = token.value if token.kind == "other" else ""
        depth += (value in ("(", "[", "{")) - (value in (")", "]", "}"))
        if depth == 0 and value == ")":
            return arguments
        if depth == 0:
            break
        if depth == 1 and value == ",":
            arguments.append([])
        elif token is not tokens[position]:
            arguments[-1].append(token)
    raise BadSource(f"{where}: the brackets of qsTr do not match")


def _literal(tokens: list[Token], where: str) -> str:
    """Return the value of a string, or of strings joined by `+`."""
    strings, joints = tokens[::2], tokens[1::2]
    if (
        len(strings) != len(joints) + 1
        or any(token.kind != "string" for token in strings)
        or any(token.value != "+" for token in joints)
    ):
        raise BadSource(f"{where}: qsTr needs a plain string")
    return "".join(_unquoted(token.value) for token in strings)


def _unquoted(literal: str) -> str:
    """Return the value of a JavaScript string literal (ECMA-262, "String Literals")."""

    def character(escape: re.Match[str]) -> str:
        code = escape[1]
        if len(code) > 1:
            return chr(int(code[1:].strip("{}"), 16))
        return _CHARACTERS.get(code, code)

    text = _ESCAPE.sub(character, literal[1:-1])
    # A character beyond U+FFFF may be written as two escapes.
    return text.encode("utf-16", "surrogatepass").decode("utf-16")


def python_texts(path: Path) -> Iterator[SourceText]:
    """Yield the texts of every `translate` and `QT_TRANSLATE_NOOP` in a Python file.

    Skips calls of `translate` with a variable, because `QT_TRANSLATE_NOOP` marks those texts.
    Raises `BadSource`.
    """
    for node in _in_order(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        marked = name == "QT_TRANSLATE_NOOP"
        # With fewer arguments, `translate` is the method of a string.
        if not marked and (name != "translate" or len(node.args) < 2):
            continue
        where = f"{path}:{node.lineno}"
        words = [each.value if isinstance(each, ast.Constant) else each for each in node.args[:3]]
        match words:
            case [str(context), str(text)] | [str(context), str(text), ""]:
                yield SourceText(context, text, len(node.args) > 3 or (marked and "%n" in text))
            case [str(), ast.Name() | ast.Call() | ast.Subscript()] if not marked:
                pass
            case _:
                raise BadSource(f"{where}: {name} needs a context and a plain text")


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and its descendants in source order. `ast.walk` goes level by level."""
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def template(english: Catalog, language: str) -> Iterator[Message]:
    """Yield the entries that a language must have, in order and untranslated.

    `english` is the catalogue of en.po, the source of all entries except the window's. Raises
    `BadSource`.
    """
    from babel.messages.catalog import Message

    for entry in english:
        if entry.id and (entry.context is None or entry.context == ARGPARSE):
            told = language == ENGLISH or entry.context is not None
            comments = [] if told else filter(None, translations(entry))
            yield Message(entry.id, context=entry.context, auto_comments=comments)
    for each in source_texts():
        # The sources are in English, so English needs only the plural forms.
        if each.plural or language != ENGLISH:
            message_id = (each.text, each.text) if each.plural else each.text
            yield Message(message_id, context=each.context)


def path_of(language: str) -> Path:
    """Return the path of a language's catalogue."""
    return FOLDER / f"{language}.po"


def languages() -> list[str]:
    """Return the codes of the existing languages, English first."""
    found = {path.stem for path in FOLDER.glob("*.po")}
    return sorted(found, key=lambda code: (code != ENGLISH, code))


def update() -> None:
    """Give every catalogue the present entries, and keep their translations."""
    english = compile_languages.read(path_of(ENGLISH))
    for language in languages():
        path = path_of(language)
        old = compile_languages.read(path)
        header = HEADER.match(path.read_text(encoding="utf-8"))
        assert header is not None  # else `read` would have failed
        text = written(header[0], _updated(old, template(english, language)), old.plural_forms)
        if text != path.read_text(encoding="utf-8"):
            path.write_text(text, encoding="utf-8")


def _updated(old: Catalog, wanted: Iterable[Message]) -> Iterator[Message]:
    """Yield the wanted entries with the translations and comments of the old catalogue."""
    for message in wanted:
        known = old.get(message.id, message.context)
        if known is not None:
            message.user_comments = known.user_comments
            if known.pluralizable == message.pluralizable:
                message.string = known.string
                message.flags = known.flags
        yield message


def written(header: str, messages: Iterable[Message], plural_forms: str) -> str:
    """Return the text of a .po file: the given header, unchanged, then the entries."""
    from babel.messages.catalog import Catalog
    from babel.messages.pofile import write_po

    catalogue = Catalog()
    catalogue.mime_headers = [("Plural-Forms", plural_forms)]
    for message in messages:
        # Babel wrongly flags "10 % of" and "{name}" as Python formats.
        message.flags &= {"fuzzy"}
        catalogue[message.id] = message
    file = io.BytesIO()
    write_po(file, catalogue, width=100, no_location=True, omit_header=True)
    return f"{header}\n{file.getvalue().decode().rstrip()}\n"


def new(code: str) -> None:
    """Create the catalogue of a language. Raises `BadCatalogue` if that is not possible."""
    from babel.messages.plurals import get_plural
    from babel.numbers import get_decimal_symbol

    path = path_of(code)
    if path.exists():
        raise BadCatalogue(f"{path} exists already")
    locale = _locale(code)
    plural = get_plural(locale)
    try:
        compile_languages.plural_rules(plural.num_plurals, plural.plural_expr)
    except ValueError as error:
        raise BadCatalogue(f"{code}: {error}") from None
    name = locale.get_display_name(locale) or code
    known = {
        "language.name": name[:1].upper() + name[1:],
        "language.decimal_sign": get_decimal_symbol(locale),
    }
    english = compile_languages.read(path_of(ENGLISH))
    messages = list(template(english, code))
    for message in messages:
        message.string = known.get(text_of(message), message.string)
    fields = (
        f"Language: {code}",
        "MIME-Version: 1.0",
        "Content-Type: text/plain; charset=UTF-8",
        "Content-Transfer-Encoding: 8bit",
        f"Plural-Forms: {plural.plural_forms}",
    )
    header = "".join(f'"{field}\\n"\n' for field in fields)
    text = written(f'msgid ""\nmsgstr ""\n{header}', messages, plural.plural_forms)
    path.write_text(text, encoding="utf-8")


def _locale(code: str) -> Locale:
    from babel import Locale, UnknownLocaleError

    try:
        if CODE.fullmatch(code):
            return Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        pass
    raise BadCatalogue(f"{code}: no such language; give a code such as pl or pt_BR")


def missing() -> Iterator[str]:
    """Yield each missing translation: language, context if any, and id or English text."""
    english = compile_languages.read(path_of(ENGLISH))
    for language in languages():
        catalogue = compile_languages.read(path_of(language))
        for message in template(english, language):
            if language == ENGLISH and message.context == ARGPARSE:
                continue
            known = catalogue.get(message.id, message.context)
            if known is None or not is_translated(known):
                parts = [language, message.context, text_of(message).replace("\n", "\\n")]
                yield ": ".join(filter(None, parts))


def main(arguments: list[str]) -> int:
    """Run the command. Return 1 if it failed or a translation is missing, 2 on wrong usage."""
    try:
        match arguments:
            case ["update"]:
                update()
            case ["new", code]:
                new(code)
                sys.stdout.write(f"{path_of(code)}\n")
            case ["missing"]:
                lines = list(missing())
                sys.stdout.writelines(f"{line}\n" for line in lines)
                return 1 if lines else 0
            case _:
                sys.stderr.write(__doc__ or "")
                return 2
    except (BadCatalogue, BadSource, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except ImportError as error:
        sys.stderr.write(f"{compile_languages.how_to_install(error, 'test')}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
