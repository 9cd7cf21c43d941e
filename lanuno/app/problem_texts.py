"""Explains to a person why something cannot be done: what happened, why, and what to do.

Each member of each enum of refusals has one sentence. Nothing is decided here. The sentences about
files are in this module, so that they can be shown even if the files of the languages are broken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QT_TRANSLATE_NOOP

from lanuno.app.instance import Reply
from lanuno.app.texts import filled, texts, translate, window_member
from lanuno.net.errors import NetFault
from lanuno.net.transport.listener import DEFAULT_PORT
from lanuno.rules.refusals import ActRefusal
from lanuno.store.errors import FileProblem, StoreError
from lanuno.store.ownership import foreign_file
from lanuno.table.lobby.readiness import RulesRefusal
from lanuno.table.messages import LobbyRefusal

_STORE: Final[Mapping[FileProblem, object]] = {
    FileProblem.NOT_READABLE: QT_TRANSLATE_NOOP(
        "Store", "{path} cannot be read. Check that you may read it and that the disk works."
    ),
    FileProblem.MISSING: QT_TRANSLATE_NOOP("Store", "There is no file {path}."),
    FileProblem.NOT_A_FILE: QT_TRANSLATE_NOOP(
        "Store", "{path} is a folder or a device, not a file."
    ),
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
    FileProblem.NO_HOME: QT_TRANSLATE_NOOP(
        "Store",
        "This user has no home folder, so LanUNO has no place for its files. Set HOME to a folder"
        " of yours, or start LanUNO with --home FOLDER.",
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
    FileProblem.NO_TOURNAMENT: QT_TRANSLATE_NOOP(
        "Store",
        "The files of this tournament are incomplete or damaged, so it cannot be continued here.",
    ),
    FileProblem.BAD_NAME: QT_TRANSLATE_NOOP(
        "Store", "This name cannot be shown to others: use 1 to 20 visible letters."
    ),
}


def net_problem(fault: NetFault, port: int = DEFAULT_PORT) -> str:
    """Return what is wrong with the network, or with the computer at its other end."""
    return window_member(fault, port=port)


def lobby_refusal(why: LobbyRefusal) -> str:
    """Return why a waiting room does not admit a player."""
    return window_member(why)


def rules_refusal(why: RulesRefusal) -> str:
    """Return why the rules of a waiting room cannot be changed."""
    return texts().member(why)


def store_problem(error: StoreError) -> str:
    """Return what is wrong with this computer's own files."""
    foreign = foreign_file(error)
    if foreign is None:
        return filled(translate("Store", str(_STORE[error.problem])), path=str(error.path))
    text = (
        translate(
            "Store",
            "{path} belongs to {owner}, perhaps because LanUNO was once started with sudo. To give"
            " it back: {command}",
        )
        if foreign.command
        else translate("Store", "{path} belongs to {owner}. Use a folder of yours: --home FOLDER")
    )
    return filled(text, path=str(foreign.path), owner=foreign.owner, command=foreign.command)


def no_graphics(why: str) -> str:
    """Return why nothing can be drawn, and how to draw without OpenGL."""
    text = translate(
        "Application",
        "The window cannot be drawn: {why} Start LanUNO with QT_QUICK_BACKEND=software.",
    )
    return filled(text, why=" ".join(why.split()))


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
    return texts().member(why)
