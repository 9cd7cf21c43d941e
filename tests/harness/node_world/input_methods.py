"""The methods of a node that are its inputs."""

from __future__ import annotations

import inspect

from lanuno.table.node import Node


def input_methods() -> set[str]:
    """Return the names of the methods of `Node` that are told the time: all of its inputs."""
    return {
        name
        for name, method in inspect.getmembers(Node, inspect.isfunction)
        if not name.startswith("_") and "now" in inspect.signature(method).parameters
    }
