"""House rules that everybody sees, and a host who changes them while people wait."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from lanuno.app.controllers import room as room_module
from lanuno.app.controllers.application import Application
from lanuno.app.reasons import rules_refusal
from lanuno.app.setting_words import rules_news, rules_title, summary, summary_of
from lanuno.log.audit import audit_bytes
from lanuno.net.codes import read_code
from lanuno.net.links import parse_link
from lanuno.rules.changes import changes
from lanuno.rules.house import HOUSE_RULES
from lanuno.rules.presets import EXPRESS, PRESETS
from lanuno.rules.ruleset import Ruleset
from lanuno.store.rule_sets import MOST_RULE_SETS, load_rule_sets
from lanuno.table.readiness import RulesRefusal
from tests.app.network import Sit, followed, found, opened, play, plays, row, shows
from tests.app.told import announced
from tests.app.waiting import until
from tests.harness.processes.programs import Program

HOUSE = ("jump_in", "seven_zero", "stack_draw_two")


def change(host: Application, **settings: int) -> None:
    """As a host does it: open the rules, change some, use them."""
    host.opener.edit()
    assert host.property("page") == "host"
    for key, value in settings.items():
        host.opener.set(key, value)
    host.opener.begin()
    until(partial(shows, host, "room"))


@pytest.fixture
def english(desk: Application) -> Application:
    desk.preferences.put("language", "en")
    return desk


# ---- words ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "rules", "title"),
    [
        ("en", Ruleset(), "Classic"),
        ("en", Ruleset(jump_in=True), "Classic + 1 house rule"),
        ("en", Ruleset(jump_in=True, no_bluff=True), "Classic + 2 house rules"),
        ("en", Ruleset(target=300), "Classic + 1 changed setting"),
        ("en", Ruleset(jump_in=True, target=300), "Classic + 1 house rule, 1 changed setting"),
        ("es", Ruleset(jump_in=True), "Clásico + 1 regla de la casa"),
        (
            "es",
            Ruleset(jump_in=True, no_bluff=True, target=300, hand_size=5),
            "Clásico + 2 reglas de la casa, 2 ajustes cambiados",
        ),
        ("en", Ruleset(preset="<b>mine</b>"), "\u2068<b>mine</b>\u2069"),
    ],
)
def test_what_is_changed_is_counted(
    desk: Application, language: str, rules: Ruleset, title: str
) -> None:
    desk.preferences.put("language", language)
    assert rules_title(rules.preset, changes(rules)) == title


@pytest.mark.usefixtures("english")
def test_what_differs_between_two_rulesets_is_named() -> None:
    other = Ruleset(hand_size=5, jump_in=True)
    assert rules_news(Ruleset(), other) == ("Jump in: on", "Cards dealt to each player: 5")
    assert rules_news(other, Ruleset()) == ("Jump in: off", "Cards dealt to each player: 7")
    assert rules_news(Ruleset(), EXPRESS) == ("Express",)


@pytest.mark.usefixtures("english")
def test_the_list_of_rules_has_the_numbers_of_the_table() -> None:
    said = summary(Ruleset(target=300, deck=112, jump_in=True))
    assert "112 cards, to 300 points" in said[0]
    assert len(said) == 4


@pytest.mark.usefixtures("english")
def test_what_an_advert_cannot_name_is_counted() -> None:
    said = summary_of("later", ("jump_in",), 2, 1)
    assert len(said) == 3
    assert said[1] == "2 house rules that this version does not know"
    assert said[2].startswith("1 other setting is changed")
    assert len(summary_of("classic", (), 0, 0)) == 1


@pytest.mark.usefixtures("english")
def test_every_refusal_has_a_sentence() -> None:
    assert len({rules_refusal(why) for why in RulesRefusal}) == len(RulesRefusal)


# ---- over the network ---------------------------------------------------------------------------


def test_house_rules_are_seen_in_the_list_and_in_the_waiting_room(
    sit: Sit, table_name: str
) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    for key in HOUSE:
        ana.opener.set(key, 1)
    ana.opener.set("target", 300)
    title = "Classic + 3 house rules, 1 changed setting"
    assert ana.opener.property("rulesTitle") == title
    opened(ana, table_name, seats=3)
    ben.start()
    seen = found(ben, table_name)
    assert seen.rules_title == title
    assert title in seen.accessible_name
    assert len(seen.rules) == 1 + len(HOUSE) + 1, "the preset, each house rule, and a number"
    ben.first.join(seen.id, "")
    until(partial(shows, ben, "room"))
    assert ben.room_screen.property("rulesTitle") == title
    assert len(ben.room_screen.property("rules")) == 1 + len(HOUSE) + 1


def test_the_host_changes_the_rules_and_everybody_is_asked_again(sit: Sit, table_name: str) -> None:
    ana, ben, cleo = sit("Ana"), sit("Ben"), sit("Cleo")
    opened(ana, table_name, seats=4, bots=1)
    followed(ben, ana.room_screen.property("link"))
    until(partial(shows, ben, "room"))
    room = ben.room_screen
    room.setReady(True)
    until(lambda: ana.room_screen.property("canStart"))
    cleo.start()
    assert found(cleo, table_name).rules == ()
    told = announced(ben)

    change(ana, jump_in=1, hand_size=5)
    news = "The host changed the rules: Jump in: on; Cards dealt to each player: 5."
    until(lambda: not room.property("ready") and news in room.property("status"))
    assert room.property("status") == f"{news} Say again that you are ready."
    assert told.count(news) == 1
    assert not ana.room_screen.property("canStart")
    title = "Classic + 1 house rule, 1 changed setting"
    assert [each.room_screen.property("rulesTitle") for each in (ana, ben)] == [title, title]
    assert [each.text for each in ana._notices.rows] == [
        "The rules were changed: everybody is asked again whether they are ready."
    ]
    until(lambda: (seen := row(cleo, table_name)) is not None and seen.rules_title == title)
    assert [each.name for each in cleo.first._tables.rows].count(table_name) == 1

    # A click that was meant for what stood there a moment before agrees to nothing.
    room._reading.setInterval(60_000)
    room._reading.start()
    room.setReady(True)
    room._reading.stop()
    room._again()
    assert room.property("canAnswer")
    assert not room.property("ready")
    # The bot is ready again by itself.
    until(lambda: next(each for each in ana.room_screen.face.seats if each.bot).ready)
    room.setReady(True)
    until(lambda: ana.room_screen.property("canStart"))
    assert news not in room.property("status")
    assert told.count(news) == 1
    ana.room_screen.begin()
    for app in (ana, ben):
        until(partial(plays, app))
    play([ana, ben], lambda: ben.result_screen._rounds.rowCount() == 1, 120)
    (kept,) = ben.home_folders.games.glob("*.lanuno")
    report = audit_bytes(kept.read_bytes())
    assert report.ruleset == Ruleset(jump_in=True, hand_size=5)


def test_a_bot_of_another_computer_is_ready_again_by_itself(
    sit: Sit, table_name: str, tmp_path: Path
) -> None:
    ana = sit("Ana")
    opened(ana, table_name, seats=2, preset="masters", spectators=False)
    place = ("--table", table_name, "--adapter", "lo", "--name", "Robo", "--json")
    with Program("bot", *place, home=tmp_path / "Robo" / "home") as robo:
        until(lambda: ana.room_screen.property("canStart"), 60)
        change(ana, hand_size=2, jump_in=1)
        until(lambda: ana.room_screen.property("rulesTitle").startswith("Masters + "))
        until(lambda: ana.room_screen.property("canStart"))
        ana.room_screen.begin()
        until(partial(plays, ana), 60)
        play([ana], lambda: ana.result_screen.property("matchOver"), 120)
        told = robo.end(0).json
    assert told["house_rules"] == ["jump_in"]
    assert told["changed_settings"] == {"hand_size": 2}
    assert [each["rules"] for each in told["notices"] if each["id"] == "table.rules_changed"] == [
        "masters + 1 house rule, 1 changed setting (jump_in=on, hand_size=2)"
    ]


def test_who_reads_something_else_is_told_by_a_notice(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=3)
    followed(ben, ana.room_screen.property("link"))
    until(partial(shows, ben, "room"))
    ben.open("rules")
    ana.opener.edit()
    ana.opener.setProperty("seats", 6)
    ana.opener.begin()
    until(lambda: ben.room_screen.property("capacity") == 6)
    assert ben.property("page") == "rules"
    assert [each.text for each in ben._notices.rows] == ["The host changed the rules: 6 seats."]


def test_rules_that_do_not_fit_those_who_wait_are_refused(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=4, bots=1)
    followed(ben, ana.room_screen.property("link"))
    until(lambda: ana.room_screen.property("taken") == 3)
    host = ana.opener
    host.edit()
    assert host.property("editing")
    host.setProperty("seats", 2)
    assert host.property("problem").startswith("There are more players at the table than seats")
    host.begin()
    assert ana.property("page") == "host"
    host.choosePreset("tournament")
    assert host.property("problem").startswith("A tournament is played by eight people")
    host.choosePreset("classic")
    host.set("hand_size", 20)
    host.setProperty("seats", 10)
    assert host.property("problem")
    # Nothing of it is kept by who goes back.
    ana.back()
    assert not host.property("editing")
    assert (ana.property("page"), host.property("seats")) == ("room", 4)
    assert ana.room_screen.property("rulesTitle") == "Classic"


def test_a_host_that_began_in_the_meantime_is_told_why(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = sit("Ana")
    opened(ana, table_name, seats=4)
    sitting = ana.room_screen.sitting
    assert sitting is not None

    async def refuse(_rules: Ruleset, _seats: int) -> RulesRefusal:
        return RulesRefusal.STARTED

    monkeypatch.setattr(sitting, "change_rules", refuse)
    ana.opener.edit()
    ana.opener.begin()
    until(ana._notices.rowCount)
    assert ana._notices.rows[0].text.startswith("The game is beginning")
    # The table is gone: there is nothing more to change.
    ana.playing.leave()
    until(lambda: ana.playing.sitting is None)
    assert not ana.opener.property("editing")


def test_many_changes_are_not_all_named(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=3)
    followed(ben, ana.room_screen.property("link"))
    until(partial(shows, ben, "room"))
    change(ana, **dict.fromkeys(HOUSE_RULES, 1))
    asked = " Say again that you are ready."
    until(lambda: ben.room_screen.property("status").endswith(asked))
    # To stack both on each other takes the place of the two other rules about stacking.
    more = len(HOUSE_RULES) - 2 - room_module.MOST_NEWS
    assert ben.room_screen.property("status").endswith(f"; {more} more changes.{asked}")


def test_waiting_for_the_host_alone_is_not_waiting_for_a_player(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=2)
    followed(ben, ana.room_screen.property("link"))
    until(partial(shows, ben, "room"))
    until(lambda: ana.room_screen.property("taken") == 2)
    assert ana.room_screen.property("status") == "Waiting for one player to be ready"
    ben.room_screen.setReady(True)
    until(lambda: ana.room_screen.property("canStart"))
    assert ana.room_screen.property("status") == "Everybody is ready: you can begin."
    until(lambda: ben.room_screen.property("ready"))
    assert ben.room_screen.property("status") == "Everybody is ready: \u2068Ana\u2069 can begin."


def test_a_guest_shows_the_way_too_and_no_pin(sit: Sit, table_name: str) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=3, pin="s3cret")
    ben.start()
    seen = found(ben, table_name)
    ben.first.join(seen.id, "")
    ben.first.join(seen.id, "s3cret")
    until(partial(shows, ben, "room"))
    theirs, mine = ben.room_screen.property("link"), ana.room_screen.property("link")
    assert parse_link(theirs) == parse_link(mine)
    assert ben.room_screen.property("qr")[0][0] is True
    assert "s3cret" not in theirs
    ben.room_screen.copyLink()
    assert "s3cret" not in str(ben.room_screen.face)
    code = ana.room_screen.property("code")
    assert ben.room_screen.property("code") == code
    assert code == "" or read_code(code)[0] == "127.0.0.1"


def test_an_address_of_this_computer_alone_leads_nobody_there(
    sit: Sit, table_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = sit("Ana"), sit("Ben")
    opened(ana, table_name, seats=3)
    monkeypatch.setattr("lanuno.app.controllers.playing.LOOPBACK_NAMES", frozenset())
    followed(ben, ana.room_screen.property("link"))
    until(partial(shows, ben, "room"))
    assert ben.room_screen.property("link") == ""


# ---- saved rules --------------------------------------------------------------------------------


def test_rules_are_saved_chosen_renamed_and_deleted(english: Application) -> None:
    host = english.opener
    for key in HOUSE:
        host.set(key, 1)
    assert host.savedProblem("Friday", "") == ""
    host.saveRules("  Friday ")
    assert host.property("savedName") == "Friday"
    (line,) = host._saved.rows
    assert (line.name, line.summary) == ("Friday", "Classic + 3 house rules")
    host.choosePreset("classic")
    assert (host.property("rulesTitle"), host.property("savedName")) == ("Classic", "")
    host.choosePreset("express")
    host.choosePreset("nonsense")
    assert host.property("preset") == "express"
    host.chooseSaved("FRIDAY")
    assert host.property("rulesTitle") == "Classic + 3 house rules"
    # The same name once more replaces them.
    host.set("target", 300)
    assert host.isSaved("friday")
    host.saveRules("Friday")
    assert [each.ruleset.target for each in load_rule_sets(english.home_folders)] == [300]
    host.set("target", 400)
    host.saveRules("Saturday")
    assert host.savedProblem("FRIDAY", "Saturday") == "Other rules have this name."
    host.renameSaved("Saturday", "Friday")
    assert [each.name for each in host._saved.rows] == ["Friday", "Saturday"]
    host.renameSaved("Saturday", "Sunday")
    host.renameSaved("Monday", "Tuesday")
    assert [each.name for each in host._saved.rows] == ["Friday", "Sunday"]
    host.deleteSaved("Friday")
    host.chooseSaved("Friday")
    assert [each.name for each in load_rule_sets(english.home_folders)] == ["Sunday"]


def test_names_that_mislead_are_refused(english: Application) -> None:
    host = english.opener
    for name in ("", "\u202e", "Classic", "classic", "ехpress", "x" * 33):
        assert host.savedProblem(name, "").startswith("Choose another name")
        host.saveRules(name)
    assert host._saved.rows == ()
    sets = [f"set {number}" for number in range(MOST_RULE_SETS)]
    for name in sets:
        host.saveRules(name)
    assert host.savedProblem("one more", "") == "50 sets of rules are saved: delete one first."
    assert host.savedProblem("set 3", "") == ""
    host.saveRules("one more")
    assert host._saved.rowCount() == MOST_RULE_SETS


def test_a_damaged_file_of_saved_rules_is_told_at_the_start(sit: Sit) -> None:
    ana = sit("Ana")
    ana.home_folders.rule_sets.write_text("nonsense")
    again = sit("Ana")
    assert any("rule_sets.json" in each.text for each in again._notices.rows)
    assert again.home_folders.rule_sets.with_name("rule_sets.json.aside0").exists()


def test_where_nothing_can_be_saved_it_is_told(english: Application) -> None:
    english.home_folders.rule_sets.mkdir(parents=True)
    english.opener.set("jump_in", 1)
    english.opener.saveRules("Friday")
    assert english.opener._saved.rows == ()
    assert english._notices.rowCount() == 1


def test_every_preset_can_be_chosen_beside_saved_rules(english: Application) -> None:
    for preset in PRESETS:
        english.opener.choosePreset(preset)
        assert english.opener.property("preset") == preset


def test_rules_of_another_version_keep_their_name(english: Application) -> None:
    kept = {"name": "Friday", "preset": "later", "settings": {"jump_in": True}}
    file = english.home_folders.rule_sets
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"version": 1, "rule_sets": [kept]}), encoding="utf-8")
    english.opener.saveRules("Friday")
    assert [each.text for each in english._notices.rows] == ["Other rules have this name."]
    assert english.opener._saved.rows == ()
    assert json.loads(file.read_text())["rule_sets"] == [kept]
