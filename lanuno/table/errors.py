"""The one error base of this package."""

from __future__ import annotations


class TableError(Exception):
    """A call that a table cannot carry out now; nothing has changed."""
