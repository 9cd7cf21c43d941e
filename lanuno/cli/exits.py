"""What the commands answer to the shell. Numbers are promised: scripts rely on them."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command; README.md and `lanuno --help` list them for people."""

    OK = 0
    """Done; for `verify`: every file is verified."""

    CHEATING = 1
    """Somebody is proven to have cheated, by their own signature."""

    USAGE = 2
    """The command line cannot be understood."""

    UNREADABLE = 3
    """A file that was to be read is not what it should be, or cannot be read.

    For `verify` also: it was changed after the game. Nobody is accused of that.
    """

    INCOMPLETE = 4
    """A game was cut short or void: what could be checked was, and nothing wrong was found.

    For `verify` of several files also: copies of one table end differently, or the files could not
    be compared. Nothing is proven against anybody.
    """

    NETWORK = 5
    """The network, or the computer at its other end, does not answer as it should."""

    FILES = 6
    """This computer's own files are in the way: profile, settings, a full disk, a lock.

    Also a window that is open already and cannot be told anything safely.
    """

    NO_WINDOW = 7
    """No window can be opened here: there is no display, or Qt lacks something."""

    INTERNAL = 70
    """A mistake in the program itself; a log with the details is named."""

    INTERRUPTED = 130
    """Ended by Ctrl+C, or because nobody reads the output any more."""
