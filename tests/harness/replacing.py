"""Replaces a method of one object, as a dishonest program or a planted mistake would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def replace_method(owner: object, name: str, by: Callable[..., Any]) -> None:
    """Let one object use another function for a method.

    Raises `AttributeError` if it has no such method: an attack on a method that was renamed would
    attack nothing, and pass.
    """
    getattr(owner, name)
    vars(owner)[name] = by
