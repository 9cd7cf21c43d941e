"""The exit codes of the commands. Scripts rely on the numbers, so they never change."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of every command, as in resources/docs/scripting.md and `lanuno --help`."""

    OK = 0
    """Success. For `verify`: every file is verified."""

    CHEATING = 1
    """A player is proven to have cheated, by their own signature."""

    USAGE = 2
    """The command line is invalid."""

    UNREADABLE = 3
    """An input file cannot be read, or is not what it should be.

    For `verify` also: the file was changed after the game. That accuses no player.
    """

    INCOMPLETE = 4
    """A game was cut short or void. Everything that could be checked is correct.

    For `verify` of several files also: copies of one table end differently, or the files could not
    be compared. Nothing is proven against any player.
    """

    NETWORK = 5
    """The network, or a computer on it, does not answer as it should.

    Also used if there are several tables of the wanted name.
    """

    FILES = 6
    """A problem with this computer's own files: profile, settings, a full disk, a lock.

    Also used if a window is open already and no safe channel to it exists.
    """

    NO_WINDOW = 7
    """No window can be opened: no usable display, nothing can be drawn, or Qt lacks a library."""

    INTERNAL = 70
    """A bug in the program. The message names a log with the details."""

    INTERRUPTED = 130
    """Ended by Ctrl+C, or because the reader of the output is gone."""
