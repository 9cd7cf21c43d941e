"""The command line: common options, the commands, and the translation of argparse's own texts.

A command is a module in this package with `add(parser, text)` and `run(args, out) -> ExitCode`.
Only the module of the requested command is imported. This module runs no command.
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
"""The commands, in the order of the help. Their messages are `help.<name>.summary` and
`help.<name>.examples`."""


TRACED_COMMANDS: Final = ("host", "bot", "join", "open")
"""The commands with `--trace`: they play at a table, or open the window, in which people play."""


class Command(Protocol):
    """The interface of a command's module."""

    def add(self, parser: argparse.ArgumentParser, text: Texts) -> None:
        """Define the arguments of the command."""

    def run(self, args: argparse.Namespace, out: CommandOutput) -> ExitCode:
        """Run the command. `args.home` is a `Home`, `args.command` the name of the command."""


class WrongUsage(Exception):
    """The command line is invalid."""

    def __init__(self, usage: str, message: str) -> None:
        """`usage`: the correct usage. `message`: what is wrong."""
        super().__init__(message)
        self.usage = usage


class HelpShown(Exception):
    """The command line asked only for help or the version, which is the text of this exception."""


class _Parser(argparse.ArgumentParser):
    """A parser that raises where argparse would print or exit.

    How argparse handles closed or full output depends on the version of Python.
    """

    def error(self, message: str) -> NoReturn:
        raise WrongUsage(self.format_usage(), message)

    def print_help(self, file: object = None) -> NoReturn:  # noqa: ARG002
        raise HelpShown(self.format_help())


class _Version(argparse.Action):
    """The action of `--version`."""

    def __call__(self, *_: object) -> NoReturn:
        raise HelpShown(f"LanUNO {__version__}")


@dataclass(frozen=True)
class EarlyOptions:
    """The options that must be known before the command line can be parsed."""

    command: str | None
    language: str | None
    as_json: bool


def early_options(arguments: Sequence[str]) -> EarlyOptions:
    """Find the command, the language and --json, without validating anything."""
    command = language = None
    as_json = False
    rest = iter(arguments)
    for argument in rest:
        name, _, value = argument.partition("=")
        if argument == "--":
            break
        if name in ("--lang", "--home", "--log", "--trace"):
            value = value or next(rest, "")
            language = value if name == "--lang" else language
        elif argument == "--json":
            as_json = True
        elif command is None and not argument.startswith("-"):
            command = argument
    return EarlyOptions(command if command in COMMANDS else None, language, as_json)


def command_module(name: str) -> Command:
    """Import and return the module of a command."""
    return cast("Command", importlib.import_module(f"lanuno.cli.{name}"))


def build(text: Texts, command: str | None) -> argparse.ArgumentParser:
    """Return the parser, complete for `command`; other commands have only their summary."""
    _translate_argparse(text.language)
    parser = _Parser(
        prog="lanuno",
        description=text("help.main.description"),
        epilog=text("help.main.epilog"),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_common(parser, text, traced=True)
    parser.set_defaults(json=False, home=None, lang=None, log=None, debug=False, trace=None)
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
        _add_common(one, text, traced=name in TRACED_COMMANDS)
    return parser


def _add_common(parser: argparse.ArgumentParser, text: Texts, *, traced: bool) -> None:
    """Define the options of every command, which may come before or after its name.

    They have no defaults here: those of a command must not override a value given before its name.
    """
    absent = argparse.SUPPRESS
    group = parser.add_argument_group(text("help.main.common"), argument_default=absent)
    group.add_argument("--json", action="store_true", help=text("help.main.json"))
    group.add_argument(
        "--home", type=path(text), metavar=text("metavar.folder"), help=text("help.main.home")
    )
    group.add_argument("--lang", choices=languages(), help=text("help.main.lang"))
    group.add_argument("--log", choices=LOG_LEVELS, help=text("help.main.log"))
    group.add_argument("--debug", action="store_true", help=text("help.main.debug"))
    group.add_argument("--version", action=_Version, nargs=0, help=text("help.main.version"))
    if traced:
        parser.add_argument(
            "--trace",
            type=path(text),
            default=absent,
            metavar=text("metavar.file"),
            help=text("help.main.trace"),
        )


def _translate_argparse(language: Language) -> None:
    """Translate argparse's own messages into the user's language.

    argparse calls `gettext`, which would take the language from the environment. This replaces its
    two names for `gettext` instead. Messages unknown to our catalogue stay in English.
    """
    words = catalogue(language)
    vars(argparse).update(
        _=partial(words.pgettext, "argparse"), ngettext=partial(words.npgettext, "argparse")
    )
