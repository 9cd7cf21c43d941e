"""A screen reader without a voice: reads commands on standard input, answers on standard output.

Runs in the system's Python, which has pyatspi, and so imports nothing of the project. One JSON
object per line:

    {"do": "look"}                             -> {"items": […]}, in reading order
    {"do": "act", "path": […], "name": "…"}    -> {"done": bool}; false if it is gone by now
    {"do": "type", "path": […], "text": "…"}   -> {"done": bool}

Every answer has "heard": all announcements so far, in their order.
"""

import json
import os
import signal
import sys

import pyatspi
from gi.repository import GLib

MOST_DEEP = 64

heard = []
names = {}


def state_names(states):
    """`focusable` for STATE_FOCUSABLE."""
    found = []
    for state in states.getStates():
        if state not in names:
            names[state] = pyatspi.stateToString(state)
        found.append(names[state])
    return found


def actions_of(node):
    """The names of what can be done with it."""
    try:
        action = node.queryAction()
    except NotImplementedError:
        return []
    return [action.getName(number) for number in range(action.nActions)]


def items(node, path, shown, out):
    """Everything below this, in reading order; what goes away meanwhile is left out."""
    if node is None or len(path) > MOST_DEEP:
        return
    try:
        states = state_names(node.getState())
        # A window is no less shown because another one has the keyboard.
        shown = shown and "showing" in states and "visible" in states
        item = {
            "path": path,
            "role": node.getRoleName(),
            "name": node.name,
            "description": node.description,
            "states": states,
            "shown": shown,
            "actions": actions_of(node) if shown and "focusable" in states else [],
        }
        count = node.childCount
        out.append(item)
        for number in range(count):
            items(node.getChildAtIndex(number), [*path, number], shown, out)
    except (GLib.Error, LookupError, RuntimeError):
        return


def the_app():
    """The app itself, as the accessibility bus knows it; None before it is there."""
    desktop = pyatspi.Registry.getDesktop(0)
    for number in range(desktop.childCount):
        found = desktop.getChildAtIndex(number)
        if found is not None and found.name == "LanUNO":
            found.setCacheMask(0)
            return found
    return None


def node_at(path):
    """What is there now; None if there is nothing."""
    node = the_app()
    for number in path:
        node = None if node is None else node.getChildAtIndex(number)
    return node


def look(_command):
    """All that is in the tree."""
    app = the_app()
    out = []
    if app is not None:
        for number in range(app.childCount):
            items(app.getChildAtIndex(number), [number], True, out)
    return {"items": out}


def act(command):
    """The first action of an element, if it still has this name."""
    node = node_at(command["path"])
    if node is None or node.name != command["name"]:
        return {"done": False}
    return {"done": bool(node.queryAction().doAction(command.get("action", 0)))}


def put(command):
    """A text into a field."""
    node = node_at(command["path"])
    return {"done": bool(node.queryEditableText().setTextContents(command["text"]))}


COMMANDS = {"look": look, "act": act, "type": put}


def hear(event):
    """An announcement."""
    heard.append(str(event.any_data))


def answer(_source, condition):
    """One line."""
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


def main():
    """Until standard input ends."""
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    pyatspi.Registry.registerEventListener(hear, "object:announcement")
    GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP | GLib.IO_ERR, answer)
    pyatspi.Registry.start()


if __name__ == "__main__":
    main()
