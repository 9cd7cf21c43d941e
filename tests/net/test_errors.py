"""Faults and refusals as others read them: on the wire and in logs."""

from __future__ import annotations

import pytest

from lanuno.net.errors import Goodbye, NetError, NetFault


def test_the_bytes_of_a_goodbye_are_read_back() -> None:
    assert [Goodbye.read(each.value) for each in Goodbye] == list(Goodbye)


@pytest.mark.parametrize("code", [max(Goodbye) + 1, 255])
def test_a_goodbye_of_a_later_version_is_a_plain_one(code: int) -> None:
    assert Goodbye.read(code) is Goodbye.DONE


def test_an_error_names_its_fault_and_its_detail_if_there_is_one() -> None:
    assert str(NetError(NetFault.WRONG_TABLE)) == "wrong-table"
    error = NetError(NetFault.LOST, "silent for 4.0 s")
    assert (str(error), error.fault, error.detail) == (
        "lost: silent for 4.0 s",
        NetFault.LOST,
        "silent for 4.0 s",
    )
