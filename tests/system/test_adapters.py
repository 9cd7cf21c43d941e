"""Whether an adapter runs, as the system says."""

from __future__ import annotations

from lanuno.system.adapters import is_running


def test_an_adapter_of_unknown_state_counts_as_running() -> None:
    assert is_running("lo")
    assert is_running("no-such")
