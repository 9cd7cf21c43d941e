"""The complete command line, from which the manual pages and the completions are made."""

from __future__ import annotations

import argparse
from collections.abc import Mapping

import shtab

from lanuno.cli.parser import COMMANDS, build
from lanuno.client.languages import Language
from lanuno.client.texts import Texts
from lanuno.rules.presets import PRESETS


def subparsers(
    parser: argparse.ArgumentParser,
) -> argparse._SubParsersAction[argparse.ArgumentParser]:
    """Return the part of a parser that holds its commands."""
    return next(each for each in parser._actions if isinstance(each, argparse._SubParsersAction))


def complete_parser(language: Language) -> argparse.ArgumentParser:
    """Return the program's parser, with the arguments of every command.

    The program itself builds only those of the command that is called.
    """
    text = Texts(language)
    whole = build(text, None)
    commands = subparsers(whole).choices
    assert isinstance(commands, dict)
    for name in COMMANDS:
        one = subparsers(build(text, name)).choices
        assert isinstance(one, Mapping)
        commands[name] = one[name]
    for parser in (whole, *commands.values()):
        add_values(parser, text)
    return whole


def add_values(parser: argparse.ArgumentParser, text: Texts) -> None:
    """Declare the values of arguments for which the shell can offer completions."""
    for action in parser._actions:
        if action.metavar == text("metavar.file"):
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.metavar == text("metavar.folder"):
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar == text("metavar.preset"):
            action.choices = list(PRESETS)
