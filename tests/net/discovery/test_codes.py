"""Codes to type: they decode to the same address, and typing mistakes are detected."""

from __future__ import annotations

from ipaddress import IPv4Address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanuno.net.discovery.codes import ALPHABET, read_code, write_code
from lanuno.net.errors import NetError, NetFault

PLACES = st.tuples(
    st.integers(0, 2**32 - 1).map(lambda number: str(IPv4Address(number))),
    st.integers(47_474, 47_505),
)


@given(PLACES)
def test_a_code_comes_back_however_it_is_typed(place: tuple[str, int]) -> None:
    code = write_code(*place)
    assert len(code) == 11
    assert read_code(code) == place
    assert read_code(f" {code.lower().replace('-', ' ')}\n") == place
    assert read_code(code.replace("0", "o").replace("1", "l")) == place
    assert read_code(code.replace("1", "i").replace("-", "")) == place


def test_a_code() -> None:
    assert write_code("192.168.1.5", 47_474) == "R2M-021-850"
    assert read_code("R2M-021-850") == ("192.168.1.5", 47_474)


def test_most_mistakes_of_one_letter_are_noticed() -> None:
    code = write_code("192.168.1.5", 47_480).replace("-", "")
    wrong = [
        code[:where] + letter + code[where + 1 :]
        for where in range(9)
        for letter in ALPHABET
        if letter != code[where]
    ]
    accepted = [each for each in wrong if accepts(each)]
    # One mistake in 256 passes by chance.
    assert len(accepted) <= 5


def accepts(text: str) -> bool:
    try:
        read_code(text)
    except NetError as error:
        assert error.fault is NetFault.LINK
        return False
    return True


@given(st.text(max_size=100))
def test_any_text_is_a_code_or_refused(text: str) -> None:
    if accepts(text):
        assert write_code(*read_code(text))


@pytest.mark.parametrize("text", ["", "R2M-021-85", "R2M-021-8500", "R2M-021-85U", "R2M-021-851"])
def test_text_that_is_no_code_is_refused(text: str) -> None:
    assert not accepts(text)


@pytest.mark.parametrize(
    ("address", "port"),
    [("::1", 47_474), ("box.lan", 47_474), ("10.0.0.1", 47_473), ("10.0.0.1", 47_506)],
)
def test_places_without_a_code(address: str, port: int) -> None:
    with pytest.raises(NetError) as caught:
        write_code(address, port)
    assert caught.value.fault is NetFault.ADDRESS
