"""The exception for a file that cannot be used: what it says, and that users can read it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanuno.client.languages import languages
from lanuno.client.texts import Texts
from lanuno.store.errors import FileProblem, StoreError


def test_an_error_says_where_and_what() -> None:
    error = StoreError(FileProblem.IN_USE, Path("some", "file"))
    assert str(error) == f"{Path('some', 'file')}: IN_USE"
    assert (error.problem, error.path, error.detail) == (
        FileProblem.IN_USE,
        Path("some", "file"),
        "",
    )


def test_a_detail_is_added() -> None:
    error = StoreError(FileProblem.TOO_LARGE, Path("file"), "more than 9 bytes")
    assert str(error) == "file: TOO_LARGE: more than 9 bytes"


@pytest.mark.parametrize("language", languages())
def test_users_are_told_each_problem_in_other_words(language: str) -> None:
    """Every text names the file, except that of a name and of a user who have none."""
    text = Texts(language)
    told = {problem: text.member(problem, path="the/file") for problem in FileProblem}
    assert len(set(told.values())) == len(FileProblem)
    unnamed = {problem for problem, words in told.items() if "the/file" not in words}
    assert unnamed <= {FileProblem.BAD_NAME, FileProblem.NO_HOME}
