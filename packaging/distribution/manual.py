"""Writes the manual pages from the help of the command line, in every language of the commands.

argparse-manpage is not used, because its headings are in English only.
"""

from __future__ import annotations

import argparse
import gzip
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Final

from distribution.parsers import complete_parser, subparsers
from lanuno.client.languages import SOURCE, Language, languages
from lanuno.client.texts import Texts

SECTION: Final = 6
"""The manual section for games."""

RULES: Final = "lanuno rules"
"""The command that the page refers to."""


def escaped(text: str) -> str:
    """Escape text so that troff shows it literally."""
    safe = text.replace("\\", "\\(rs").replace("-", "\\-")
    return re.sub(r"(?m)^([.'])", r"\\&\1", safe)


def quoted(text: str) -> str:
    """Escape text for use as one quoted argument in troff."""
    return text.replace("\\", "\\(rs").replace('"', "\\(dq")


def page(language: Language, version: str, date: datetime) -> str:
    """Return the manual page in one language."""
    parser = complete_parser(language)
    words = Texts(language)
    title, _, about = (parser.description or "").partition(": ")
    source, section = quoted(f"{title} {version}"), quoted(words("manual.section"))
    lines = [
        f'.TH LANUNO {SECTION} {date:%Y-%m-%d} "{source}" "{section}"',
        f".SH {escaped(words('manual.name'))}",
        f"lanuno \\- {escaped(about.rstrip('.'))}",
        f".SH {escaped(words('manual.synopsis'))}",
        *_synopsis(parser),
        f".SH {escaped(words('manual.description'))}",
        escaped(parser.description or ""),
        escaped(words("manual.window")),
        f".SH {escaped(words('manual.options'))}",
        *_arguments(parser._actions),
        f".SH {escaped(words('manual.commands'))}",
    ]
    # List the options that all commands have only once, above.
    known = {option for action in parser._actions for option in action.option_strings}
    for name, command in (subparsers(parser).choices or {}).items():
        lines += [
            f".SS {name}",
            *_synopsis(command),
            ".PP",
            escaped(_sentence(command.description or "")),
            *_arguments(each for each in command._actions if not known & set(each.option_strings)),
            *_verbatim(command.epilog or ""),
        ]
    lines += [
        *_ending(parser.epilog or ""),
        f".SH {escaped(words('manual.see'))}",
        escaped(words("manual.rules", command=RULES)).replace(RULES, f"\\fB{RULES}\\fR"),
    ]
    return "\n".join(lines) + "\n"


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:].rstrip(".") + "."


def _synopsis(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Yield the usage line without the heading "usage:"."""
    # argparse's width only decides where lines break, and troff breaks them itself.
    usage = " ".join(parser.format_usage().split()).partition(": ")[2]
    program, _, rest = usage.partition(parser.prog)
    yield f".B {escaped(program + parser.prog)}"
    yield escaped(rest.strip())


def _arguments(actions: Iterable[argparse.Action]) -> Iterator[str]:
    """Yield one paragraph for each argument that the help shows."""
    for action in actions:
        if action.help == argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        yield ".TP"
        yield _heading(action)
        # Fill in %(default)s and the like, as argparse does.
        yield escaped((action.help or "") % {**vars(action), "prog": "lanuno"})


def _heading(action: argparse.Action) -> str:
    metavar = action.metavar
    if metavar is None and action.choices is not None:
        metavar = "{" + ",".join(str(each) for each in action.choices) + "}"
    value = "" if action.nargs == 0 else f" \\fI{escaped(str(metavar or action.dest))}\\fR"
    if action.nargs == "?":
        value = f" [{value.strip()}]"
    if not action.option_strings:
        return value.strip()
    return ", ".join(f"\\fB{escaped(each)}\\fR{value}" for each in action.option_strings)


def _verbatim(text: str) -> Iterator[str]:
    """Yield text whose line breaks must be kept."""
    if text.strip():
        yield from (".PP", ".nf", escaped(text.strip("\n")), ".fi")


def _ending(epilog: str) -> Iterator[str]:
    """Yield the end of the help, with each paragraph as a section: examples, exit codes."""
    for paragraph in epilog.strip("\n").split("\n\n"):
        heading, _, body = paragraph.partition("\n")
        yield f".SH {heading.rstrip(':').upper()}"
        yield from _verbatim(body)


def write(share: Path, version: str, date: datetime) -> None:
    """Write the compressed pages below the folder `share`."""
    for language in languages():
        folder = share / "man" / ("" if language == SOURCE else language) / f"man{SECTION}"
        folder.mkdir(parents=True, exist_ok=True)
        packed = gzip.compress(page(language, version, date).encode(), 9, mtime=0)
        (folder / f"lanuno.{SECTION}.gz").write_bytes(packed)
