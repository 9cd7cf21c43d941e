"""Tests of the navigator: pages and the way back, notices, and the question before leaving."""

from __future__ import annotations

import logging

import pytest

from lanuno.app.controllers.application import Application

SHORT = "The report was copied."


def texts(app: Application) -> list[str]:
    """Return the notices that are shown."""
    return [row.text for row in app._notices.rows]


def test_pages_and_back(app: Application) -> None:
    app.open("settings")
    app.open("rules")
    app.open("nothing")
    assert app.property("page") == "rules"
    app.open("settings")
    app.back()
    assert app.property("page") == "home"
    app.back()
    assert app.property("page") == "home"


def test_notices_are_announced_and_not_repeated(app: Application) -> None:
    heard: list[tuple[str, bool]] = []
    app.announced.connect(lambda text, urgent: heard.append((text, urgent)))
    app.notice("one")
    app.notice("two", "error")
    app.notice("one")
    notices = app._notices
    assert [row.text for row in notices.rows] == ["two", "one"]
    assert heard == [("one", False), ("two", True), ("one", False)]
    app.dismiss(notices.rows[0].id)
    assert [row.text for row in notices.rows] == ["one"]


def test_leaving_needs_confirmation_only_if_it_affects_others(app: Application) -> None:
    left: list[str] = []
    app.leaving.connect(lambda: left.append("leaving"))
    app.ask_to_leave(lambda: left.append("then"))
    assert left == ["leaving", "then"]
    app.set_leave_question(lambda: "the others wait")
    app.ask_to_leave(lambda: left.append("again"))
    assert app.property("leaveQuestion") == "the others wait"
    app.cancelLeave()
    app.ask_to_leave(lambda: left.append("really"))
    app.confirmLeave()
    assert left == ["leaving", "then", "leaving", "really"]
    assert app.property("leaveQuestion") == ""


def test_a_question_about_leaving_that_no_longer_holds_is_withdrawn(english: Application) -> None:
    said = ["the others wait"]
    english.set_leave_question(lambda: said[0], lambda: False)
    english.ask_to_leave(lambda: None)
    assert english.property("leaveQuestion") == "the others wait"
    said[0] = "the match ends"
    english.recheck_question()
    assert english.property("leaveQuestion") == ""
    (notice,) = english._notices.rows
    assert notice.text == "What leaving means here has just changed."


def test_a_notice_of_a_page_replaces_the_previous_one(app: Application) -> None:
    app.reset_to("rules")
    app.notice(SHORT, "good")
    for text in ("Not now.", "It is the turn of Ana.", "Not now."):
        app.notice(text, of="rules")
    assert texts(app) == [SHORT, "Not now."]


def test_a_notice_of_a_page_disappears_with_the_page(app: Application) -> None:
    for page in ("history", "home"):
        app.reset_to("rules")
        app.notice(SHORT, "good")
        app.notice("Not now.", of="rules")
        app.notice("Later.", of="settings")
        app.reset_to(page)
        assert texts(app) == [SHORT]
        app.dismiss_all()


def test_a_notice_of_the_next_page_stays(app: Application) -> None:
    app.notice("The rules were changed.", of="rules")
    app.open("rules")
    assert texts(app) == ["The rules were changed."]


def test_notices_are_written_to_the_log(app: Application, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="lanuno"):
        app.notice(SHORT, "error")
    assert f"shown (error): {SHORT}" in caplog.messages
