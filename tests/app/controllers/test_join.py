"""Tests of the page that joins by link, code or address."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QGuiApplication

from lanuno.app.controllers.application import Application
from lanuno.app.controllers.join import LONGEST_LINK

LINK = "lanuno://203.0.113.7:47474/00112233445566778899aabbccddeeff#" + "a" * 32


def test_a_place_that_is_typed_is_shown_before_anybody_goes_there(app: Application) -> None:
    app.settings_controller.change("language", "en")
    app.join_controller.setProperty("text", "127.0.0.1:47474")
    where = app.join_controller.property("where")
    assert where["near"] == "This is the address of this computer."
    assert where["address"] == "\u2068127.0.0.1\u2069, port 47474"
    assert where["host"].startswith("The address does not say whose table it is")
    app.join_controller.setProperty("text", "8.8.8.8:47474")
    where = app.join_controller.property("where")
    assert (where["mood"], "on the internet" in where["near"]) == ("danger", True)
    # The end of a long name is shown, because it names the domain.
    app.join_controller.setProperty("text", "ana.local." * 20 + "example.com:47474")
    shown = app.join_controller.property("where")["address"]
    assert shown.startswith("\u2068…")
    assert shown.endswith(".example.com\u2069, port 47474")
    assert len(shown) < 100
    app.join_controller.setProperty("text", "\u202egpj:47474")
    assert app.join_controller.property("where")["address"].startswith(
        "\u2068an address that cannot be shown\u2069"
    )
    app.join_controller.setProperty("text", "")
    assert app.join_controller.property("where") == {}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", ""),
        ("   ", ""),
        (LINK, ""),
        (f"  {LINK}  ", ""),
        ("192.0.2.1:47474", ""),
        ("lanuno:x", "This link cannot be read."),
        (LINK[:-1] + "!", "This link cannot be read."),
        ("hello world", "This is neither a link nor a code nor an address."),
    ],
)
def test_a_text_that_cannot_be_read_says_why(english: Application, text: str, problem: str) -> None:
    join = english.join_controller
    join.setProperty("text", text)
    assert join.property("problem").startswith(problem)
    assert bool(join.property("problem")) == bool(problem)
    assert join.property("valid") == (not problem and bool(text.strip()))


def test_an_invalid_text_leads_nowhere(english: Application) -> None:
    join = english.join_controller
    join.setProperty("text", "hello world")
    join.join()
    join.watch()
    assert english.session_controller.session is None
    assert (join.property("busy"), join.property("error")) == (False, "")


def test_a_text_from_the_clipboard_is_trimmed_and_bounded(english: Application) -> None:
    join = english.join_controller
    QGuiApplication.clipboard().setText(f"\n {LINK} \n")
    join.paste()
    assert (join.property("text"), join.property("valid")) == (LINK, True)
    QGuiApplication.clipboard().setText("x" * (LONGEST_LINK + 1))
    join.paste()
    assert join.property("text") == "x" * LONGEST_LINK


def test_a_pin_is_cleared_when_the_text_changes(english: Application) -> None:
    """It was typed for one table, and must not be sent to another one."""
    join = english.join_controller
    join.setProperty("text", LINK)
    join.setProperty("pin", "4711")
    join.setProperty("text", LINK)
    assert join.property("pin") == "4711"
    join.setProperty("text", LINK.replace("203", "198"))
    assert join.property("pin") == ""


def test_the_destination_is_described_in_the_current_language(english: Application) -> None:
    join = english.join_controller
    join.setProperty("text", "8.8.8.8:47474")
    english.settings_controller.change("language", "es")
    assert "está en internet" in join.property("where")["near"]
