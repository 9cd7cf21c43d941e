"""A whole practice match is played by what a screen reader hears and finds, and by nothing else."""

from __future__ import annotations

import re
import time
from collections import Counter
from pathlib import Path
from typing import get_args

from lanuno.log import transcript
from lanuno.log.replay import Replay
from lanuno.rules import events as moves
from lanuno.rules.cards import deck_tables
from lanuno.rules.events import Event, Why
from lanuno.store.paths import Home
from lanuno.store.remembered import Remembered, TableWishes, save_remembered
from lanuno.store.settings import Settings, save_settings
from tests.reader.listener import Item, Listener, Tree, listening

AGAIN = 10.0
"""Seconds after which it is done again if nothing has happened."""
LONGEST_MATCH = 240.0
"""Seconds after which a match of one round counts as stuck."""

RANK = r"(?:\d|Skip|Reverse|Draw Two)"
CARD = rf"(?:(?:red|yellow|green|blue) {RANK}|Wild Draw Four|Wild)"
ANY_CARD = re.compile(CARD, re.IGNORECASE)
OWN_CARD = re.compile(rf"^({CARD})(?:, (?:playable|not playable))?, \d+ of \d+$", re.IGNORECASE)
PUBLIC = (
    re.compile(rf"^\u2068[^\u2069]+\u2069 (?:plays|jumps in with) {CARD}$"),
    re.compile(rf"^The first card is {CARD}$"),
    re.compile(rf"^On the discard pile: {CARD}; (?:the colour is \w+|no colour is chosen yet)$"),
    re.compile(r"^What happened|^Since your last turn: "),
)
OWN = re.compile(r"^(?:New in your hand|Your hand): (.+)$")
KINDS = get_args(Event)
ROLES = frozenset(
    ("push button", "label", "list", "list item", "dialog", "heading", "text", "check box")
) | frozenset(("radio button", "spin button", "combo box", "page tab", "page tab list"))


def one_round(folder: Path) -> None:
    """Folders of somebody who plays one round with short hands against one bot."""
    home = Home.at(folder)
    save_settings(home, Settings(adapter="lo", language="en", motion=0.0, sound=False))
    table = TableWishes(preset="masters", seats=2, rules={"hand_size": 3})
    save_remembered(home, Remembered(table=table))


def said(tree: Tree) -> list[str]:
    """All that was announced, one sentence after the other."""
    return [part for text in tree.heard for part in text.split(". ")]


def below(tree: Tree, item: Item) -> list[Item]:
    """What is shown in it."""
    depth = len(item.path)
    return [each for each in tree.shown if each.path[:depth] == item.path and each != item]


def hand(tree: Tree) -> list[Item]:
    """The own cards."""
    found = tree.find("Your hand", "list")
    return [] if found is None else [each for each in below(tree, found) if each.usable]


def look_after(tree: Tree) -> None:
    """What must be true of everything that a screen reader comes across."""
    for item in tree.shown:
        if "focusable" in item.states:
            assert item.name, f"{item.role} without a name\n{tree.words}"
            assert item.role in ROLES, f"{item.name!r} is a {item.role}"
    focused = [each for each in tree.shown if "focused" in each.states]
    assert not [each for each in tree.items if "focused" in each.states and not each.shown]
    assert focused, tree.words


def look_for_secrets(tree: Tree) -> None:
    """Whether it is shown or not: a card is named where everybody sees it, or in the own hand."""
    own = tree.find("Your hand", "list")
    for item in tree.items:
        for text in (item.name, item.description):
            if own is not None and item.path[: len(own.path)] == own.path:
                continue
            if ANY_CARD.search(text):
                assert any(known.search(text) for known in PUBLIC), text
    for text in said(tree):
        if ANY_CARD.search(text):
            assert any(known.search(text) for known in PUBLIC) or OWN.match(text), text


def step(listener: Listener, tree: Tree, armed: list[int]) -> bool:
    """Do what is to be done, if anything is; whether something was."""
    dialog = next((each for each in tree.shown if each.role == "dialog"), None)
    if dialog is not None:
        answers = [each for each in below(tree, dialog) if each.role == "push button"]
        return bool(answers) and listener.act(answers[0])
    cards = hand(tree)
    fits = [card for card in cards if ", playable" in card.name]
    uno = tree.find("Say UNO", "push button")
    if len(cards) == 2 and fits and uno is not None and uno.usable and len(tree.heard) not in armed:
        armed.append(len(tree.heard))
        return listener.act(uno)
    if fits:
        return listener.act(fits[0])
    for name in ("Keep", "Draw"):
        button = tree.find(name, "push button")
        if button is not None and button.usable:
            return listener.act(button)
    return False


def play(listener: Listener) -> Tree:
    """Until the result is there."""
    end = time.monotonic() + LONGEST_MATCH
    own: set[str] = set()
    armed: list[int] = []
    done: tuple[str, ...] = ()
    since = 0.0
    while True:
        tree = listener.look()
        if tree.find("Play again", "push button") is not None:
            return tree
        assert time.monotonic() < end, f"{tree.words}\n{tree.heard}"
        look_after(tree)
        if tree.find("Your hand", "list") is None:
            continue
        look_for_secrets(tree)
        names = [card.name for card in hand(tree)]
        own |= {found[1].lower() for found in map(OWN_CARD.match, names) if found}
        # What was done is on its way for as long as nothing has changed.
        now = (*names, *[each.name for each in tree.shown if each.role in ("dialog", "label")])
        now = (*now, *[each.name for each in tree.shown if each.usable])
        if now == done and time.monotonic() < since + AGAIN:
            time.sleep(0.05)
        elif step(listener, tree, armed):
            done, since = now, time.monotonic()


def happened(home: Path) -> list[Event]:
    """The game as it was written down."""
    (file,) = home.rglob("*.lanuno")
    game = transcript.read(file.read_bytes())
    replay = Replay(game.genesis)
    return [
        event
        for entry in game.entries
        for event in replay.follow(entry, trusted=True)
        if isinstance(event, KINDS)
    ]


def test_a_match_is_played_by_a_screen_reader_alone(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    one_round(folder)
    with listening(folder) as listener:
        listener.press("That’s me")
        listener.press("Host a table")
        listener.press("Alone against bots", "check box")
        tree = listener.wait(lambda tree: tree if tree.find("Begin", "push button") else None)
        look_after(tree)
        chosen = [each.name for each in tree.shown if "checked" in each.states]
        assert "Masters" in chosen
        listener.press("Begin")
        listener.wait(lambda tree: tree.find("Your hand", "list"))
        tree = listener.look()
        assert not {"Host a table", "Begin", "Practise"} & {each.name for each in tree.items}
        tree = play(listener)
        listener.wait(lambda tree: tree.starting("Shuffle verified") or tree.starting("This game"))
        look_after(tree)
        events = happened(folder)
        once(events, said(tree))
        listener.press("Leave")
        listener.item("Host a table")
        listener.app.terminate()
        assert listener.app.wait(60) == 0


def once(events: list[Event], heard: list[str]) -> None:
    """Every event was announced, once, and in its order."""
    faces = deck_tables(108).faces
    played = [each for each in events if isinstance(each, moves.Played)]
    plays = [found[0] for text in heard if " plays " in text and (found := ANY_CARD.search(text))]
    ranks = [faces[each.card].rank.name.replace("_", " ").lower() for each in played]
    assert len(plays) == len(played), (plays, ranks)
    words = Counter(word for text in heard for word in WORDS if word in text)
    drew = [e for e in events if isinstance(e, moves.Drew) and e.slots and e.why is not Why.DEAL]
    assert words[" draws "] == len(drew)
    for word, kind in WORDS.items():
        if kind is not None:
            assert words[word] == sum(isinstance(each, kind) for each in events), word


WORDS: dict[str, type[Event] | None] = {
    " draws ": None,
    " keeps it": moves.Kept,
    " says “UNO”": moves.UnoSaid,
    " loses the turn": moves.Skipped,
    " goes out": moves.RoundOver,
    "The first card is ": moves.StartingCard,
    " names ": moves.ColourNamed,
}
