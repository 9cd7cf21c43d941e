"""The types of command-line values: what each accepts, and the message for anything else."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from lanuno.cli import options
from lanuno.client.texts import Texts

TEXT = Texts("en")


@pytest.mark.parametrize(("value", "number"), [("2", 2), ("10", 10), ("007", 7)])
def test_a_whole_number_within_bounds(value: str, number: int) -> None:
    assert options.whole(TEXT, 2, 10)(value) == number


def test_a_whole_number_may_be_negative() -> None:
    assert options.whole(TEXT, -5, 5)("-5") == -5


@pytest.mark.parametrize(
    "value", ["1", "11", "", "2.0", "2 ", "2\n", "+2", "1_0", "\u0663", "9" * 19, "x"]
)
def test_the_refusal_of_a_number_names_the_bounds(value: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not a number from 2 to 10"):
        options.whole(TEXT, 2, 10)(value)


@pytest.mark.parametrize(
    ("value", "number"), [("0.1", 0.1), ("3600", 3600.0), ("2.5", 2.5), ("0.100000", 0.1)]
)
def test_seconds_may_have_fractions(value: str, number: float) -> None:
    assert options.seconds(TEXT, 0.1, 3600)(value) == number


@pytest.mark.parametrize(
    "value", ["0.09", "3600.1", "nan", "inf", "-1", "1e3", "1,5", ".5", "5.", "", "0.1000000"]
)
def test_other_times_are_refused(value: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=r"from 0\.1 to 3600"):
        options.seconds(TEXT, 0.1, 3600)(value)


def test_a_path_is_taken_as_it_is_written() -> None:
    assert options.path(TEXT)("a b/../ñ") == Path("a b/../ñ")


@pytest.mark.parametrize("value", ["", "a\0b"])
def test_a_path_without_a_name_is_not_the_current_folder(value: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        options.path(TEXT)(value)


@pytest.mark.parametrize(
    ("value", "pair"),
    [
        ("target=300", ("target", "300")),
        ("jump_in=on", ("jump_in", "on")),
        ("a1=b=c", ("a1", "b=c")),
        ("a= ", ("a", " ")),
    ],
)
def test_a_setting_is_a_key_and_a_value(value: str, pair: tuple[str, str]) -> None:
    assert options.setting(TEXT)(value) == pair


@pytest.mark.parametrize(
    "value", ["", "target", "target=", "=300", "Target=3", "1a=3", "a-b=3", "a =3", "a\n=3", "ñ=3"]
)
def test_a_setting_without_a_key_or_value_is_refused(value: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="is not of the form key=value"):
        options.setting(TEXT)(value)


def test_rules_options_are_collected_in_their_order() -> None:
    parser = argparse.ArgumentParser()
    options.add_rules(parser, TEXT)
    line = ["--set", "b=1", "--rules", "Friday", "--set", "a=2", "--rounds", "3"]
    args = parser.parse_args(line)
    assert (args.settings, args.saved, args.rounds) == ([("b", "1"), ("a", "2")], "Friday", 3)
    assert args.preset is None
    assert parser.parse_args([]).settings == [], "the default list is not shared"
