"""A screen reader without speech: reads commands on standard input, answers on standard output.

It runs in the system's Python, which has pyatspi, so it imports nothing of the project. Each line
is one JSON object:

    {"do": "look"}                             -> {"items": […]}, in reading order
    {"do": "act", "path": […], "name": "…"}    -> {"done": bool}; false if the element is gone

Every answer has "heard": all announcements so far, in their order.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Callable
from typing import Any

import pyatspi
from gi.repository import Atspi, GLib

MOST_DEEP = 64
PATIENCE_MS = 60_000
"""Time limit for an answer of the app. The library's default is 0.8 s, after which it reports that
a request was not carried out."""

heard: list[str] = []
names: dict[int, str] = {}


def state_names(states: Any) -> list[str]:
    """Return the names of states: `focusable` for STATE_FOCUSABLE."""
    found = []
    for state in states.getStates():
        if state not in names:
            names[state] = pyatspi.stateToString(state)
        found.append(names[state])
    return found


def actions_of(node: Any) -> int:
    """Return the number of actions of an element."""
    try:
        return int(node.queryAction().nActions)
    except NotImplementedError:
        return 0


def items(node: Any, path: list[int], shown: bool, out: list[dict[str, Any]]) -> None:
    """Append an element and all below it to `out`, in reading order.

    Elements that disappear in the meantime are left out. `shown`: whether all parents are visible.
    """
    if node is None or len(path) > MOST_DEEP:
        return
    try:
        states = state_names(node.getState())
        shown = shown and "showing" in states and "visible" in states
        item = {
            "path": path,
            # Older versions of the library say "push button", newer ones "button".
            "role": node.getRoleName().removeprefix("push "),
            "name": node.name,
            "description": node.description,
            "states": states,
            "shown": shown,
            "actions": actions_of(node) if shown and "focusable" in states else 0,
        }
        count = node.childCount
        out.append(item)
        for number in range(count):
            items(node.getChildAtIndex(number), [*path, number], shown, out)
    except (GLib.Error, LookupError, RuntimeError):
        return


def the_app() -> Any:
    """Return the app on the accessibility bus, or None before it has registered there."""
    desktop = pyatspi.Registry.getDesktop(0)
    for number in range(desktop.childCount):
        found = desktop.getChildAtIndex(number)
        if found is not None and found.name == "LanUNO":
            found.setCacheMask(0)
            return found
    return None


def node_at(path: list[int]) -> Any:
    """Return the element that is at this path now, or None."""
    node = the_app()
    for number in path:
        node = None if node is None else node.getChildAtIndex(number)
    return node


def look(_command: dict[str, Any]) -> dict[str, Any]:
    """Return all elements of the app."""
    app = the_app()
    out: list[dict[str, Any]] = []
    if app is not None:
        for number in range(app.childCount):
            items(app.getChildAtIndex(number), [number], True, out)
    return {"items": out}


def act(command: dict[str, Any]) -> dict[str, Any]:
    """Perform the first action of an element, if it still has this name."""
    node = node_at(command["path"])
    if node is None or node.name != command["name"]:
        return {"done": False}
    return {"done": bool(node.queryAction().doAction(0))}


COMMANDS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {"look": look, "act": act}


def hear(event: Any) -> None:
    """Record an announcement."""
    heard.append(str(event.any_data))


def answer(_source: object, condition: int) -> bool:
    """Answer one command. Return False, which ends the calls, at the end of the input."""
    line = sys.stdin.readline()
    if not line or condition & GLib.IO_ERR:
        pyatspi.Registry.stop()
        return False
    command = json.loads(line)
    try:
        told = COMMANDS[command["do"]](command)
    except (GLib.Error, LookupError, NotImplementedError, AttributeError) as error:
        told = {"items": [], "done": False, "error": repr(error)}
    sys.stdout.write(json.dumps({**told, "heard": heard}) + "\n")
    sys.stdout.flush()
    return True


def main() -> None:
    """Answer commands until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    Atspi.set_timeout(PATIENCE_MS, PATIENCE_MS)
    pyatspi.Registry.registerEventListener(hear, "object:announcement")
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR, answer)
    pyatspi.Registry.start()


if __name__ == "__main__":
    main()
