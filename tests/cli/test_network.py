"""The messages for a place or a table that does not exist."""

from __future__ import annotations

import pytest

from lanuno.cli.exits import ExitCode
from lanuno.cli.network import place_of, table_failure
from lanuno.cli.output import Failure
from lanuno.client.find import NotFoundReason, TableNotFound
from lanuno.client.texts import Texts


@pytest.mark.parametrize("reason", NotFoundReason)
def test_why_a_table_was_not_found(reason: NotFoundReason) -> None:
    failure = table_failure(TableNotFound("Kitchen", reason))
    assert failure.code is ExitCode.NETWORK
    assert Texts("en")(failure.key, **failure.values)
    assert failure.values == {"table": "Kitchen"}


@pytest.mark.parametrize(
    ("where", "key"), [("lanuno:x", "error.link"), ("127.0.0.1", "error.where")]
)
def test_an_invalid_place_is_a_usage_error(where: str, key: str) -> None:
    assert place_of("127.0.0.1:1").hosts == ("127.0.0.1",)
    with pytest.raises(Failure) as caught:
        place_of(where)
    assert (caught.value.code, caught.value.key) == (ExitCode.USAGE, key)
    assert caught.value.values == {"value": where}
