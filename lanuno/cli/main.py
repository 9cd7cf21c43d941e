"""The entry point of `lanuno`: parses, runs one command, and turns every outcome into an exit code.

This is the only place that catches every exception, so that no user ever sees a traceback.
"""

from __future__ import annotations

import lanuno.cli.unexpected_end  # noqa: F401 - must precede every import that can fail

# isort: split
import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence

from lanuno.cli.exits import ExitCode
from lanuno.cli.options import leave_unusable_folder
from lanuno.cli.output import CommandOutput, Failure, OutputLost
from lanuno.cli.parser import (
    TRACED_COMMANDS,
    HelpShown,
    WrongUsage,
    build,
    command_module,
    early_options,
)
from lanuno.cli.window import display_problem, has_display, open_window
from lanuno.client.languages import choose_language
from lanuno.client.texts import Texts
from lanuno.store.errors import StoreError
from lanuno.store.paths import Home
from lanuno.system import files
from lanuno.system.language import ui_languages
from lanuno.system.message_box import show_message


class LastWords(io.StringIO):
    """A stream that nobody reads: only the end of it is kept, however long the program runs."""

    MOST = 2000

    def write(self, text: str) -> int:
        """Add text, and forget the oldest."""
        kept = (self.getvalue() + text)[-self.MOST :]
        self.seek(0)
        self.truncate()
        super().write(kept)
        return len(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    unseen = _open_closed_streams()
    code = _exit_code(given)
    if code != ExitCode.OK and unseen is not None and (text := unseen.getvalue()):
        show_message("LanUNO", text)
    return int(code)


def _exit_code(given: list[str]) -> ExitCode:
    # Programs started from here must not import files of the current folder.
    os.environ.setdefault("PYTHONSAFEPATH", "1")
    _accept_any_letter()
    try:
        return _run(given)
    except KeyboardInterrupt:
        # A second Ctrl+C while the first was being handled.
        return ExitCode.INTERRUPTED
    except OutputLost as lost:
        if lost.cause.errno in files.READER_GONE:
            return ExitCode.INTERRUPTED
        with contextlib.suppress(OSError, AttributeError):
            sys.stderr.write(f"lanuno: {lost.cause.strerror}\n")
        return ExitCode.FILES


def _run(given: list[str]) -> ExitCode:
    seen = early_options(given)
    try:
        texts = Texts(choose_language(seen.language, os.environ, ui_languages()))
    except StoreError as error:
        # The texts are missing, so this message cannot come from them.
        sys.stderr.write(f"lanuno: this installation is broken: {error}\n")
        return ExitCode.INTERNAL
    out = CommandOutput(texts, as_json=seen.as_json)
    home = Home.default()
    try:
        args = _parse(given, seen.command, out)
        home = args.home
        leave_unusable_folder()
        code = _command(args, out)
    except HelpShown as asked:
        out.answer(str(asked))
        return ExitCode.OK
    except WrongUsage as error:
        out.usage_error(error.usage, str(error))
        code = ExitCode.USAGE
    except Failure as failure:
        out.error(failure.key, **failure.values)
        code = failure.code
    except OutputLost:
        raise
    except KeyboardInterrupt:
        out.error("error.interrupted")
        code = ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - no user may ever see a traceback
        code = _unexpected(error, home, out)
    out.finish(code)
    return code


def _parse(given: list[str], command: str | None, out: CommandOutput) -> argparse.Namespace:
    parser = build(out.text, command)
    args = parser.parse_args(given)
    if args.command is None and not has_display():
        problem = display_problem()
        if problem is not None:
            raise problem
        raise WrongUsage(parser.format_help(), out.text("error.no_command"))
    if args.trace is not None and args.command not in (None, *TRACED_COMMANDS):
        raise WrongUsage(parser.format_usage(), out.text("error.trace", command=args.command))
    args.folder = args.home
    try:
        args.home = Home.default() if args.home is None else Home.at(args.home)
    except RuntimeError:  # ~ for a user without a home folder
        usage = parser.format_usage()
        raise WrongUsage(usage, out.text("error.path", value=str(args.home))) from None
    return args


def _command(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Run the command, and report its failure. What that raises is a mistake of the program."""
    out.result(command=args.command)
    try:
        return open_window(args) if args.command is None else _logged(args, out)
    except Failure as failure:
        out.error(failure.key, **failure.values)
        return failure.code
    except StoreError as error:
        out.store_error(error)
        return ExitCode.FILES


def _logged(args: argparse.Namespace, out: CommandOutput) -> ExitCode:
    """Run the command with logging to the log file."""
    # Imported late, because help and usage need neither logging nor settings.
    from lanuno.store.logfile import USUAL_LEVEL, logging_to
    from lanuno.store.settings import load_settings

    level = args.log
    try:
        level = level or load_settings(args.home).log
    except StoreError:
        level = USUAL_LEVEL  # the commands that need the settings report the error
    with logging_to(args.home, args.command, level, shown=args.debug):
        return ExitCode(command_module(args.command).run(args, out))


def _unexpected(error: Exception, home: Home, out: CommandOutput) -> ExitCode:
    # Imported late, as in `_logged`.
    from lanuno.store.logfile import write_crash

    kind = type(error).__name__
    log = write_crash(home, error)
    if log is None:
        out.error("error.unexpected_unlogged", kind=kind)
    else:
        out.error("error.unexpected", kind=kind, log=log)
    return ExitCode.INTERNAL


def _open_closed_streams() -> LastWords | None:
    """Open the null device for closed standard streams; other files would get their numbers.

    A program of Windows without a console has none. Return what replaces standard error then.
    """
    for number in (0, 1, 2):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(files.open_null(), True)
    if sys.stdout is None:
        sys.stdout = LastWords()
    if sys.stderr is not None:
        return None
    sys.stderr = unseen = LastWords()
    return unseen


def _accept_any_letter() -> None:
    """Show `?` for letters that the terminal cannot encode, instead of failing.

    Programs and files get UTF-8 on Windows, too, whose own encoding lacks most letters.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            own = sys.platform != "win32" or stream.isatty()
            stream.reconfigure(encoding=None if own else "utf-8", errors="replace")


if __name__ == "__main__":
    sys.exit(main())
