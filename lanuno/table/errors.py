"""The base class of the errors of this package."""

from __future__ import annotations


class TableError(Exception):
    """A call that the table cannot carry out now. It has changed nothing."""
