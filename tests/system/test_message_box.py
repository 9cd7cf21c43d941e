"""Messages without a terminal; what Windows shows was looked at under Wine."""

from __future__ import annotations

from lanuno.system.message_box import show_message
from tests.harness.systems import not_on_windows


@not_on_windows("somebody would have to close it")
def test_other_systems_show_none() -> None:
    show_message("LanUNO", "lost")
