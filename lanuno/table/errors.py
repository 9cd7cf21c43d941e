"""The one error base of this package."""

from __future__ import annotations


class TableError(Exception):
    """Something was asked of a table that cannot be done now; nothing has changed."""
