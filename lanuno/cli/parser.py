"""The command line as argparse sees it: common options, commands, and argparse's own words.

A command is a module here with `add(parser, text)` and `run(args, out) -> ExitCode`; only the one
that is called is imported. No command is run here.
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NoReturn, Protocol, cast

from lanuno import __version__
from lanuno.cli.exits import ExitCode
from lanuno.cli.options import LOG_LEVELS, path
from lanuno.cli.output import CommandOutput
from lanuno.client.languages import Language, catalogue, languages
from lanuno.client.texts import Texts

COMMANDS: Final = (
    *("host", "find", "join", "bot", "open", "verify", "demo", "rules", "simulate", "doctor"),
)
"""In the order of the help. `help.<name>.summary` and `help.<name>.examples` are their messages."""


class Command(Protocol):
    """What the module of a command offers."""

    def add(self, parser: argparse.ArgumentParser, text: Texts) -> None:
        """Define the arguments of the command."""

    def run(self, args: argparse.Namespace, out: CommandOutput) -> ExitCode:
        """Do it. `args.home` is a `Home`, `args.command` the name."""


class WrongUsage(Exception):
    """The command line cannot be understood."""

    def __init__(self, usage: str, message: str) -> None:
        """`usage` is how it is used, `message` what is wrong."""
        super().__init__(message)
        self.usage = usage
        self.message = message


class HelpShown(Exception):
    """The command line only asked for help or the version."""

    def __init__(self, answer: str) -> None:
        """`answer` is what has to be shown."""
        super().__init__(answer)
        self.answer = answer


class _Parser(argparse.ArgumentParser):
    """Raises where its base would print, or end the program.

    What argparse makes of an output that is closed or full depends on the version of Python.
    """

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(self.format_usage(), message)

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        raise HelpShown(self.format_help())


class _Version(argparse.Action):
    """`--version`."""

    def __call__(self, *_: object) -> NoReturn:
        raise HelpShown(f"LanUNO {__version__}")


@dataclass(frozen=True)
class EarlyOptions:
    """What has to be known before the command line can be parsed at all."""

    command: str | None
    language: str | None
    as_json: bool


def early_options(arguments: Sequence[str]) -> EarlyOptions:
    """Look for the command, the language and --json without judging anything."""
    command = language = None
    as_json = False
    rest = iter(arguments)
    for argument in rest:
        name, _, value = argument.partition("=")
        if argument == "--":
            break
        if name in ("--lang", "--home", "--log"):
            value = value or next(rest, "")
            language = value if name == "--lang" else language
        elif argument == "--json":
            as_json = True
        elif command is None and not argument.startswith("-"):
            command = argument
    return EarlyOptions(command if command in COMMANDS else None, language, as_json)


def command_module(name: str) -> Command:
    """Import the module of a command."""
    return cast("Command", importlib.import_module(f"lanuno.cli.{name}"))


def build(text: Texts, command: str | None) -> argparse.ArgumentParser:
    """The parser, complete for `command`; the other commands have no more than their summary."""
    _translate_argparse(text.language)
    parser = _Parser(
        prog="lanuno",
        description=text("help.main.description"),
        epilog=text("help.main.epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_common(parser, text, first=True)
    commands = parser.add_subparsers(
        dest="command", metavar=text("metavar.command"), title=text("help.main.commands")
    )
    for name in COMMANDS:
        summary = text(f"help.{name}.summary")
        one = commands.add_parser(
            name,
            help=summary,
            description=summary,
            epilog=text(f"help.{name}.examples"),
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        if name == command:
            command_module(name).add(one, text)
        _add_common(one, text, first=False)
    return parser


def _add_common(parser: argparse.ArgumentParser, text: Texts, *, first: bool) -> None:
    """The options of every command, which may stand before or behind its name."""

    def default(value: object) -> object:
        # Behind the name they must not undo what was said before it.
        return value if first else argparse.SUPPRESS

    group = parser.add_argument_group(text("help.main.common"))
    group.add_argument(
        "--json", action="store_true", default=default(False), help=text("help.main.json")
    )
    group.add_argument(
        "--home",
        type=path(text),
        default=default(None),
        metavar=text("metavar.folder"),
        help=text("help.main.home"),
    )
    group.add_argument(
        "--lang", choices=languages(), default=default(None), help=text("help.main.lang")
    )
    group.add_argument(
        "--log", choices=LOG_LEVELS, default=default(None), help=text("help.main.log")
    )
    group.add_argument(
        "--version",
        action=_Version,
        nargs=0,
        default=argparse.SUPPRESS,
        help=text("help.main.version"),
    )


def _translate_argparse(language: Language) -> None:
    """Give argparse its own words in our language.

    argparse asks `gettext` for them, which would need the environment to agree. Its two names for
    `gettext` are replaced instead; a word that it has and we do not know stays as it is.
    """
    words = catalogue(language)
    vars(argparse).update(
        _=partial(words.pgettext, "argparse"), ngettext=partial(words.npgettext, "argparse")
    )
