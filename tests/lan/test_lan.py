"""Run the scenarios of this package, each on an isolated network; `box.py` lists what that needs.

Scenarios that others cover run only with the longer command, `python -m tests.lan`.
"""

from __future__ import annotations

import pytest

from tests.lan import box
from tests.lan.matches import MATCHES
from tests.lan.scenarios import SCENARIOS

LONGER = {
    *("over_ipv4", "over_ipv6_link_local_only"),
    *("the_cable_is_pulled", "a_beacon_across_a_cable"),
}
"""Left out here, because the scenarios below cover them."""


def test_where_it_is_not_allowed_the_summary_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(box, "why_not", lambda: "only root may")
    with pytest.raises(pytest.skip.Exception, match=r"not played.*only root may"):
        box.play("tests.lan.matches", "no_such_match")


@pytest.mark.parametrize("name", [each for each in SCENARIOS if each not in LONGER])
def test_every_scenario_between_computers_succeeds(name: str) -> None:
    box.play("tests.lan.scenarios", name)


@pytest.mark.parametrize("name", [each for each in MATCHES if each not in LONGER])
def test_several_computers_play(name: str) -> None:
    box.play("tests.lan.matches", name)
