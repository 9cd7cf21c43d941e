"""Who is known: only people with whom a game was signed, in real waiting rooms and games."""

from __future__ import annotations

from functools import partial

from lanuno.app.controllers.application import Application
from lanuno.store.known_people import KnownName, KnownPeople
from tests.app.announcements import announced, plain
from tests.app.network import AppFactory, begin_game, follow_link, open_table, shows_page
from tests.app.waiting import until


def names(app: Application) -> list[str]:
    return [each.name for each in app.known_people.known.people]


def leave(app: Application) -> None:
    app.session_controller.leave()
    until(lambda: app.session_controller.session is None)


def test_only_who_has_signed_a_game_is_known(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    open_table(ana, table_name)
    link = ana.room_controller.property("link")
    follow_link(ben, link)
    until(partial(shows_page, ben, "room"))
    until(lambda: ben.app_state.state.places)
    leave(ben)
    # The address is remembered, but nobody has played.
    ben.known_people.receive(KnownPeople((KnownName("Cleo", "c" * 64),)))
    ben.known_people.refresh()
    until(lambda: names(ben) == [])
    ben.invitation_controller.ask(link)
    assert ben.invitation_controller.property("host").startswith("You have not played")
    ben.invitation_controller._withdraw()

    begin_game(ana, ben)
    for app in (ben, ana):
        leave(app)
    until(lambda: (names(ana), names(ben)) == (["Ben"], ["Ana"]))
    assert {each.name for each in ben.known_people.known.tables} == {table_name}
    ben.invitation_controller.ask(link)
    assert ben.invitation_controller.property("host").startswith("You have played with this host")


def test_a_waiting_room_warns_of_who_only_looks_known(app_of: AppFactory, table_name: str) -> None:
    ana, ben = app_of("Ana"), app_of("Ben")
    known = KnownPeople((KnownName("Ben", "b" * 64),))
    ana.known_people.receive(known)
    ben.known_people.receive(KnownPeople(tables=(KnownName(table_name, "a" * 64),)))
    open_table(ana, table_name)
    told = announced(ana)
    follow_link(ben, ana.room_controller.property("link"))
    until(lambda: shows_page(ben, "room") and ana.room_controller.view.taken == 2)
    me, guest = ana.room_controller.view.seats
    warning = "This may not be the Ben you have played with: the key is another one."
    assert (me.warning, plain(guest.warning)) == ("", warning)
    assert plain(guest.accessible_name).endswith(warning)
    assert [plain(each) for each in told if "Ben" in each] == ["Ben sits down", warning]
    host, me = ben.room_controller.view.seats
    assert plain(host.warning) == (
        f"This may not be the table {table_name} you have played at: its host has another key."
    )
    assert me.warning == ""
    ana.known_people.receive(KnownPeople())
    assert ana.room_controller.view.seats[1].warning == ""
