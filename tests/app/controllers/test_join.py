"""Tests of the page that joins by link, code or address."""

from __future__ import annotations

from lanuno.app.controllers.application import Application


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
