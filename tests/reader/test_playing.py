"""A practice match, all pages and the help are used through a screen reader alone."""

from __future__ import annotations

import re
import time
from pathlib import Path

from lanuno.client.texts import Texts
from lanuno.log.format import transcript
from lanuno.log.replay.replay import Replay
from lanuno.rules.cards import Card
from lanuno.rules.decks import deck_tables
from lanuno.rules.engine import events as moves
from lanuno.rules.engine.events import DrawReason, GameEvent
from lanuno.store.app_state import AppState, TableWishes, save_app_state
from lanuno.store.paths import Home
from lanuno.store.settings import Settings, save_settings
from tests.reader.screen_reader import Item, ScreenReader, Tree, screen_reader

AGAIN = 10.0
"""Seconds after which an action is repeated if the app shows no change."""
LONGEST_MATCH = 240.0
"""Time limit for a match of one round, in seconds."""

RANK = r"(?:\d|Skip|Reverse|Draw Two)"
CARD = rf"(?i:(?:red|yellow|green|blue) {RANK}|Wild Draw Four|Wild)"
ANY_CARD = re.compile(rf"(?i:red|yellow|green|blue) {RANK}|Wild(?: Draw Four)?")
PUBLIC = (
    re.compile(rf"^\u2068[^\u2069]+\u2069 (?:plays|jumps in with) {CARD}$"),
    re.compile(rf"^The first card is {CARD}$"),
    re.compile(rf"^On the discard pile: {CARD}; (?:the colour is \w+|no colour is chosen yet)$"),
)
OWN = re.compile(r"^(?:New in your hand|Your hand): (.+)$")
NO_ROLES = ("unknown", "invalid", "")


def one_round(folder: Path) -> None:
    """Prepare the folders of a player whose next table is a short match of one round."""
    home = Home.at(folder)
    save_settings(home, Settings(adapter="lo", language="en", motion=0.0, sound=False))
    table = TableWishes(preset="masters-short", seats=2, rules={"hand_size": 3})
    save_app_state(home, AppState(table=table))


def said(tree: Tree) -> list[str]:
    """Return all announcements, divided into sentences."""
    return [part for text in tree.heard for part in text.split(". ")]


def below(tree: Tree, item: Item) -> list[Item]:
    """Return the shown elements inside another one."""
    depth = len(item.path)
    return [each for each in tree.shown if each.path[:depth] == item.path and each != item]


def hand(tree: Tree) -> list[Item]:
    """Return the cards of the player's hand."""
    found = tree.find("Your hand", "list")
    return [] if found is None else [each for each in below(tree, found) if each.usable]


def look_after(tree: Tree) -> None:
    """Check that the shown elements have names and roles, and that a shown one has the focus."""
    for item in tree.shown:
        if "focusable" in item.states:
            assert item.name, f"{item.role} without a name\n{tree.words}"
            assert item.role not in NO_ROLES, f"{item.name!r} is a {item.role}"
    focused = [each for each in tree.shown if "focused" in each.states]
    assert not [each for each in tree.items if "focused" in each.states and not each.shown]
    assert focused, tree.words


def is_public(text: str) -> bool:
    """Whether a text names no card, or only a card that all players see."""
    text = text.removeprefix("Since your last turn: ")
    return ANY_CARD.search(text) is None or any(known.match(text) for known in PUBLIC)


def look_for_secrets(tree: Tree) -> None:
    """Check all elements and announcements, shown or not, for cards of other hands.

    A text may name a card only if all players see it, or if it is in the player's own hand.
    """
    own = tree.find("Your hand", "list")
    if own is None:
        return  # the round is over, and all hands are open
    for item in tree.items:
        if item.path[: len(own.path)] != own.path:
            for text in (item.name, item.description):
                assert all(is_public(part) for part in text.split(". ")), text
    for text in said(tree):
        assert is_public(text) or OWN.match(text), text


def check(listener: ScreenReader, tree: Tree) -> None:
    """Check names, focus and secrets. A failure counts only if it persists in a stable tree."""
    try:
        look_after(tree)
        look_for_secrets(tree)
    except AssertionError:
        tree = listener.look()
        look_after(tree)
        look_for_secrets(tree)


def step(listener: ScreenReader, tree: Tree, armed: list[int]) -> bool:
    """Answer a question, say "UNO", or play; return whether an action was performed.

    `armed`: the numbers of announcements at which "UNO" was said, so that it is said once.
    """
    dialog = next((each for each in tree.shown if each.role == "dialog"), None)
    if dialog is not None:
        answers = [each for each in below(tree, dialog) if each.role == "button"]
        return bool(answers) and listener.act(answers[0])
    cards = hand(tree)
    fits = [card for card in cards if ", playable" in card.name]
    uno = tree.find("Say UNO", "button")
    if len(cards) == 2 and fits and uno is not None and uno.usable and len(tree.heard) not in armed:
        armed.append(len(tree.heard))
        return listener.act(uno)
    if fits:
        return listener.act(fits[0])
    for name in ("Keep", "Draw"):
        button = tree.find(name, "button")
        if button is not None and button.usable:
            return listener.act(button)
    return False


def play(listener: ScreenReader) -> Tree:
    """Play until the result is shown, and check every tree; return the last one."""
    end = time.monotonic() + LONGEST_MATCH
    armed: list[int] = []
    done: tuple[str, ...] = ()
    since = 0.0
    while True:
        tree = listener.glance()
        if tree.find("Play again", "button") is not None:
            return listener.look()
        assert time.monotonic() < end, f"{tree.words}\n{tree.heard}"
        check(listener, tree)
        if tree.find("Your hand", "list") is None:
            continue
        names = [card.name for card in hand(tree)]
        # While nothing has changed, the last action may not have been handled yet.
        now = (*names, *[each.name for each in tree.shown if each.role in ("dialog", "label")])
        now = (*now, *[each.name for each in tree.shown if each.usable])
        if now == done and time.monotonic() < since + AGAIN:
            time.sleep(0.05)
        elif step(listener, tree, armed):
            done, since = now, time.monotonic()


def happened(home: Path) -> list[GameEvent]:
    """Return the events of the game in its transcript."""
    (file,) = home.rglob("*.lanuno")
    game = transcript.read(file.read_bytes())
    replay = Replay(game.genesis)
    return [
        event
        for entry in game.entries
        for event in replay.follow(entry, trusted=True)
        if isinstance(event, GameEvent)
    ]


def test_a_match_is_played_by_a_screen_reader_alone(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    one_round(folder)
    with screen_reader(folder) as listener:
        listener.press("That’s me")
        listener.press("Host a table")
        listener.press("Alone against bots", "check box")
        listener.item("Begin")
        tree = listener.look()
        look_after(tree)
        chosen = [each.name for each in tree.shown if "checked" in each.states]
        assert "Short Masters" in chosen
        listener.press("Begin")
        listener.wait(lambda tree: tree.find("Your hand", "list"))
        tree = listener.look()
        assert not {"Host a table", "Begin", "Practise"} & {each.name for each in tree.items}
        play(listener)
        listener.wait(lambda tree: tree.starting("Shuffle verified") or tree.starting("This game"))
        tree = listener.look()
        look_after(tree)
        events = happened(folder)
        once(events, said(tree))
        listener.press("Leave")
        listener.item("Host a table")
        listener.app.terminate()
        assert listener.app.wait(60) == 0


def test_every_page_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    one_round(folder)
    with screen_reader(folder) as listener:
        listener.press("That’s me")
        for page in ("Join by link or code", "Verify", "History", "Rules", "Settings"):
            listener.item("Host a table")
            look_after(listener.look())
            listener.press(page)
            listener.item("Back")
            tree = listener.look()
            look_after(tree)
            # The elements of the previous page are gone.
            assert "Host a table" not in {each.name for each in tree.items}
            listener.press("Back")
        listener.item("Host a table")
        listener.app.terminate()
        assert listener.app.wait(60) == 0


def test_the_help_can_be_read_only_while_it_is_open(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    one_round(folder)
    with screen_reader(folder) as listener:
        listener.press("That’s me")
        listener.press("Practise")
        listener.press("Keys")
        listener.wait(lambda tree: tree.find("Keys", "dialog"))
        tree = listener.look()
        look_after(tree)
        assert tree.find("D: Draw", "label") is not None
        listener.press("Close")
        listener.wait(lambda tree: tree.find("Keys", "dialog") is None)
        assert listener.look().find("D: Draw") is None
        listener.app.terminate()
        assert listener.app.wait(60) == 0


def once(events: list[GameEvent], heard: list[str]) -> None:
    """Check that each kind of event was announced as often as it happened, and plays in order."""
    texts, faces = Texts("en"), deck_tables(108).faces

    def name(card: Card) -> str:
        rank = texts.member(card.rank)
        if card.colour is None:
            return rank
        return texts("card.coloured", colour=texts.member(card.colour), rank=rank)

    played = [name(faces[each.card]) for each in events if isinstance(each, moves.Played)]
    told = [each.partition(" plays ")[2] for each in heard if " plays " in each]
    assert told == played
    over = ("goes out", "The laps are played", "Nobody can play any more")
    assert sum(any(words in text for words in over) for text in heard) == 1
    drew = [
        e for e in events if isinstance(e, moves.Drew) and e.slots and e.why is not DrawReason.DEAL
    ]
    assert sum(" draws " in text for text in heard) == len(drew)
    for words, kind in WORDS.items():
        assert sum(words in text for text in heard) == sum(
            isinstance(each, kind) for each in events
        ), words


WORDS: dict[str, type[GameEvent]] = {
    " keeps it": moves.Kept,
    " says “UNO”": moves.UnoSaid,
    " loses the turn": moves.Skipped,
    "The first card is ": moves.StartingCard,
    " names ": moves.ColourNamed,
}
