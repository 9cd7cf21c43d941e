"""Explains to a person why something cannot be done: what happened, why, and what to do.

Each member of each enum of refusals has one sentence. Nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

from lanuno.app.instance import Reply
from lanuno.app.texts import translate
from lanuno.net.errors import NetFault
from lanuno.net.transport.listener import DEFAULT_PORT
from lanuno.rules.refusals import ActRefusal
from lanuno.store.errors import FileProblem, StoreError
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyRefusal

_NET: Final[Mapping[NetFault, object]] = {
    NetFault.UNREACHABLE: QT_TRANSLATE_NOOP(
        "Net",
        "This table cannot be reached: nothing answers there. Check that both computers are on"
        " the same network; a firewall may be blocking port {port}.",
    ),
    NetFault.TIMEOUT: QT_TRANSLATE_NOOP(
        "Net",
        "This table was found, but its computer does not answer: a firewall may be blocking port"
        " {port}.",
    ),
    NetFault.TLS: QT_TRANSLATE_NOOP(
        "Net", "The program that answers there is not LanUNO. Ask the host for the link again."
    ),
    NetFault.PROTOCOL: QT_TRANSLATE_NOOP(
        "Net",
        "The other computer sent something that makes no sense, so the connection was closed.",
    ),
    NetFault.VERSION: QT_TRANSLATE_NOOP(
        "Net", "The other computer has another version of LanUNO. Update both, then try again."
    ),
    NetFault.IDENTITY: QT_TRANSLATE_NOOP(
        "Net",
        "This is not the host named in the invitation. Do not play there; ask for a new"
        " invitation.",
    ),
    NetFault.WRONG_TABLE: QT_TRANSLATE_NOOP(
        "Net", "This table is over, and its host has another one now. Choose it on the first page."
    ),
    NetFault.REFUSED: QT_TRANSLATE_NOOP("Net", "The host refused the connection."),
    NetFault.FULL: QT_TRANSLATE_NOOP(
        "Net", "The host accepts no more connections right now. Try again in a moment."
    ),
    NetFault.TOO_BIG: QT_TRANSLATE_NOOP(
        "Net", "The other computer sent more than is allowed, so the connection was closed."
    ),
    NetFault.FLOOD: QT_TRANSLATE_NOOP(
        "Net", "Too many messages were sent, so the connection was closed."
    ),
    NetFault.SLOW: QT_TRANSLATE_NOOP(
        "Net", "The connection is too slow to play on. Move closer to the router or use a cable."
    ),
    NetFault.LOST: QT_TRANSLATE_NOOP(
        "Net", "The connection was lost. Check the network, then join again."
    ),
    NetFault.CLOSED: QT_TRANSLATE_NOOP("Net", "The host closed the connection."),
    NetFault.ADDRESS: QT_TRANSLATE_NOOP(
        "Net", "This address cannot be reached. Check the link or the code."
    ),
    NetFault.PORT: QT_TRANSLATE_NOOP(
        "Net",
        "No port is free for a table. Close other programs that host a table, then try again.",
    ),
    NetFault.LINK: QT_TRANSLATE_NOOP(
        "Net", "This link cannot be read. Copy it whole, from “lanuno:” to its end."
    ),
    NetFault.ADAPTER: QT_TRANSLATE_NOOP(
        "Net", "This network cannot be used. Connect to it, or choose another adapter in Settings."
    ),
    NetFault.MULTICAST: QT_TRANSLATE_NOOP(
        "Net",
        "This computer cannot look for tables on its network: a firewall may be blocking multicast."
        " You can still join by link or code.",
    ),
}

_RULES: Final[Mapping[RulesRefusal, object]] = {
    RulesRefusal.STARTED: QT_TRANSLATE_NOOP(
        "Rules", "The game is beginning: its rules cannot be changed any more."
    ),
    RulesRefusal.BOUND: QT_TRANSLATE_NOOP(
        "Rules", "This table is part of a tournament, whose rules everybody has signed."
    ),
    RulesRefusal.TOO_MANY: QT_TRANSLATE_NOOP(
        "Rules",
        "There are more players at the table than seats: free a seat first, or choose more seats.",
    ),
    RulesRefusal.UNPLAYABLE: QT_TRANSLATE_NOOP(
        "Rules", "These rules do not allow this number of players."
    ),
    RulesRefusal.NO_BOTS: QT_TRANSLATE_NOOP(
        "Rules", "A tournament is played by eight people: send the bots away first."
    ),
}
_LOBBY: Final[Mapping[LobbyRefusal, object]] = {
    LobbyRefusal.FULL: QT_TRANSLATE_NOOP("Lobby", "The table filled up before you sat down."),
    LobbyRefusal.NAME_TAKEN: QT_TRANSLATE_NOOP(
        "Lobby", "Somebody at this table already has your name. Change yours in Settings."
    ),
    LobbyRefusal.BAD_NAME: QT_TRANSLATE_NOOP(
        "Lobby", "The host does not accept your name. Change it in Settings."
    ),
    LobbyRefusal.WRONG_PIN: QT_TRANSLATE_NOOP(
        "Lobby",
        "That is not the PIN. Ask the host; after five wrong ones you must wait for a minute.",
    ),
    LobbyRefusal.STARTED: QT_TRANSLATE_NOOP("Lobby", "This table has already begun to play."),
    LobbyRefusal.NO_SPECTATORS: QT_TRANSLATE_NOOP(
        "Lobby", "This table accepts no more spectators."
    ),
    LobbyRefusal.KICKED: QT_TRANSLATE_NOOP("Lobby", "The host removed you from this table."),
    LobbyRefusal.ALREADY_SEATED: QT_TRANSLATE_NOOP(
        "Lobby", "You are already at this table, perhaps in another window."
    ),
    LobbyRefusal.BAD_ROSTER: QT_TRANSLATE_NOOP(
        "Lobby",
        "The host tried to begin a different game from the one agreed on. Nothing was signed; do"
        " not play there.",
    ),
    LobbyRefusal.TOO_SLOW: QT_TRANSLATE_NOOP(
        "Lobby", "Your computer took too long to begin. Join again."
    ),
    LobbyRefusal.HOST_LEFT: QT_TRANSLATE_NOOP("Lobby", "The host closed the table."),
    LobbyRefusal.OTHER_VERSION: QT_TRANSLATE_NOOP(
        "Lobby", "The host has another version of LanUNO. Update both, then try again."
    ),
    LobbyRefusal.NOT_INVITED: QT_TRANSLATE_NOOP(
        "Lobby", "This table is only for the players of a tournament."
    ),
}

_STORE: Final[Mapping[FileProblem, object]] = {
    FileProblem.NOT_READABLE: QT_TRANSLATE_NOOP("Store", "{path} cannot be read."),
    FileProblem.NOT_WRITABLE: QT_TRANSLATE_NOOP(
        "Store", "{path} cannot be written. Check that the folder is yours and that the disk works."
    ),
    FileProblem.DISK_FULL: QT_TRANSLATE_NOOP(
        "Store", "The disk is full: there is no room for {path}. Nothing is lost; make room first."
    ),
    FileProblem.READ_ONLY: QT_TRANSLATE_NOOP(
        "Store", "{path} is on a read-only disk. Make it writable first."
    ),
    FileProblem.NOT_PRIVATE: QT_TRANSLATE_NOOP(
        "Store",
        "Other people on this computer can reach {path}, which must stay secret. Remove their"
        " access, then start again.",
    ),
    FileProblem.NOT_OURS: QT_TRANSLATE_NOOP(
        "Store", "{path} belongs to another user of this computer."
    ),
    FileProblem.TOO_LARGE: QT_TRANSLATE_NOOP(
        "Store", "{path} is too large to be one of LanUNO's files."
    ),
    FileProblem.DAMAGED: QT_TRANSLATE_NOOP(
        "Store", "{path} is damaged and was not changed. Move it away, or restore a copy."
    ),
    FileProblem.FOREIGN: QT_TRANSLATE_NOOP(
        "Store", "{path} is not a file of this kind, or it comes from a newer version."
    ),
    FileProblem.IN_USE: QT_TRANSLATE_NOOP(
        "Store", "Another LanUNO process is using this profile. Close it first."
    ),
    FileProblem.ALREADY_THERE: QT_TRANSLATE_NOOP(
        "Store", "{path} already exists and is not overwritten."
    ),
    FileProblem.CONTRADICTION: QT_TRANSLATE_NOOP(
        "Store",
        "{path} already holds something else under the same name. LanUNO never signs twice, so"
        " this table cannot be continued here.",
    ),
    FileProblem.CLOSED: QT_TRANSLATE_NOOP(
        "Store", "{path} cannot be written after an earlier error. Start LanUNO again."
    ),
    FileProblem.MISSING_RESOURCES: QT_TRANSLATE_NOOP(
        "Store", "{path} is missing: this installation is broken. Install LanUNO again."
    ),
    FileProblem.EVIDENCE: QT_TRANSLATE_NOOP(
        "Store", "This game ends with a proof against its host and cannot be continued."
    ),
    FileProblem.BAD_NAME: QT_TRANSLATE_NOOP(
        "Store", "This name cannot be shown to others: use 1 to 20 visible letters."
    ),
}

_PLAY: Final[Mapping[ActRefusal, object]] = {
    ActRefusal.ROUND_OVER: QT_TRANSLATE_NOOP("Play", "This round is over."),
    ActRefusal.WAITING: QT_TRANSLATE_NOOP("Play", "The cards are being shuffled: just a moment."),
    ActRefusal.NOT_SEATED: QT_TRANSLATE_NOOP("Play", "You do not play in this round."),
    ActRefusal.NOT_YOUR_TURN: QT_TRANSLATE_NOOP("Play", "It is not your turn."),
    ActRefusal.WRONG_MOMENT: QT_TRANSLATE_NOOP("Play", "This cannot be done at this moment."),
    ActRefusal.NOT_YOUR_CARD: QT_TRANSLATE_NOOP("Play", "This card is not in your hand any more."),
    ActRefusal.NO_SUCH_CARD: QT_TRANSLATE_NOOP("Play", "The deck has no such card."),
    ActRefusal.WRONG_CARD: QT_TRANSLATE_NOOP("Play", "This is not the card that was announced."),
    ActRefusal.UNPLAYABLE: QT_TRANSLATE_NOOP(
        "Play", "Neither its colour nor its number or symbol matches the card on the table."
    ),
    ActRefusal.ONLY_DRAWN_CARD: QT_TRANSLATE_NOOP(
        "Play", "After drawing, only the card just drawn may be played."
    ),
    ActRefusal.COLOUR_MISSING: QT_TRANSLATE_NOOP("Play", "Choose a colour for this card."),
    ActRefusal.COLOUR_UNWANTED: QT_TRANSLATE_NOOP("Play", "This card has a colour of its own."),
    ActRefusal.NOTHING_TO_SAY: QT_TRANSLATE_NOOP("Play", "You do not have to say “UNO” now."),
    ActRefusal.NOTHING_TO_CATCH: QT_TRANSLATE_NOOP(
        "Play", "There is nothing to catch: “UNO” was said, or it is too late."
    ),
    ActRefusal.NO_CATCHING: QT_TRANSLATE_NOOP(
        "Play", "With these rules nobody is caught: forgetting “UNO” costs cards automatically."
    ),
    ActRefusal.NOT_ONESELF: QT_TRANSLATE_NOOP("Play", "You cannot do that to yourself."),
    ActRefusal.HOLDS_COLOUR: QT_TRANSLATE_NOOP(
        "Play", "You hold a card of the current colour, so a Wild Draw Four is not allowed."
    ),
    ActRefusal.HOLDS_PLAYABLE: QT_TRANSLATE_NOOP(
        "Play", "You hold another card that fits, so a Wild Draw Four is not allowed."
    ),
    ActRefusal.MUST_PLAY: QT_TRANSLATE_NOOP(
        "Play", "You hold a card that fits, so you must play instead of drawing."
    ),
    ActRefusal.MUST_PLAY_DRAWN: QT_TRANSLATE_NOOP(
        "Play", "The card you drew fits, so it must be played."
    ),
    ActRefusal.FALSE_VERDICT: QT_TRANSLATE_NOOP("Play", "The hand that was shown says otherwise."),
    ActRefusal.NOT_CHALLENGEABLE: QT_TRANSLATE_NOOP("Play", "There is nothing to challenge now."),
    ActRefusal.NO_SUCH_SEAT: QT_TRANSLATE_NOOP("Play", "That player is not in this round."),
    ActRefusal.MUST_DRAW: QT_TRANSLATE_NOOP(
        "Play", "By the house rules you draw until you have a card that fits."
    ),
    ActRefusal.RIGHT_CARD: QT_TRANSLATE_NOOP(
        "Play", "That card is allowed: there is nothing to object to."
    ),
    ActRefusal.NO_VOTING: QT_TRANSLATE_NOOP("Play", "There is nothing to vote on."),
    ActRefusal.VOTE_RUNNING: QT_TRANSLATE_NOOP("Play", "Another accusation is being voted on."),
    ActRefusal.ALREADY_DONE: QT_TRANSLATE_NOOP("Play", "You have done that already."),
    ActRefusal.DRAWN_FITS: QT_TRANSLATE_NOOP(
        "Play", "The card you drew fits, so nothing more is drawn."
    ),
}


def net_problem(fault: NetFault, port: int = DEFAULT_PORT) -> str:
    """Return what is wrong with the network, or with the computer at its other end."""
    return translate("Net", str(_NET[fault])).replace("{port}", str(port))


def lobby_refusal(why: LobbyRefusal) -> str:
    """Return why a waiting room does not admit a player."""
    return translate("Lobby", str(_LOBBY[why]))


def rules_refusal(why: RulesRefusal) -> str:
    """Return why the rules of a waiting room cannot be changed."""
    return translate("Rules", str(_RULES[why]))


def store_problem(error: StoreError) -> str:
    """Return what is wrong with this computer's own files."""
    return translate("Store", str(_STORE[error.problem])).replace("{path}", str(error.path))


def no_socket(refused: Sequence[StoreError]) -> str:
    """Return what a window without a socket cannot do, and what prevents the socket."""
    text = translate(
        "Application",
        "Links and games that you open outside this window cannot reach it, because"
        " LanUNO has no private folder for that here. Use “Join by link or code” and the verifier.",
    )
    return " ".join((text, *dict.fromkeys(map(store_problem, refused))))


def not_handed_over(reply: Reply, refused: Sequence[StoreError]) -> str:
    """Return why a second start could not hand its command to the open window."""
    if reply is Reply.FOREIGN:
        return translate(
            "Application",
            "LanUNO is already open, but a program of another user answers in its place. Nothing"
            " was sent to that program. Use the open window instead.",
        )
    if reply is Reply.NOWHERE:
        text = translate(
            "Application",
            "LanUNO is already open, but its window cannot be told what to open. Use the open"
            " window instead.",
        )
        return " ".join((text, *dict.fromkeys(map(store_problem, refused))))
    return translate(
        "Application",
        "LanUNO is already open, but its window does not answer. Use that window; if it hangs,"
        " close it and start LanUNO again.",
    )


def play_refusal(why: ActRefusal) -> str:
    """Return why the rules do not allow a move."""
    return translate("Play", str(_PLAY[why]))
