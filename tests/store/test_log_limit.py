"""The rate limit of log lines: by kind, by address, and the summaries of suppressed lines."""

from __future__ import annotations

from lanuno.store import log_limit
from lanuno.store.log_limit import OTHERS, RepeatLimit, Summary


def allowed(limit: RepeatLimit, times: int, kind: str, address: str, now: float) -> int:
    return sum(limit.allows(kind, address, now) for _ in range(times))


def test_each_kind_of_record_has_its_own_limit() -> None:
    limit = RepeatLimit()
    assert allowed(limit, 100, "a", "", 0.0) == log_limit.ANY_AT_ONCE
    assert allowed(limit, 100, "b", "", 0.0) == log_limit.ANY_AT_ONCE
    assert allowed(limit, 100, "a", "", log_limit.ANY_EVERY_SECONDS) == 1


def test_one_address_and_all_addresses() -> None:
    limit = RepeatLimit()
    assert allowed(limit, 100, "a", "one", 0.0) == log_limit.ONE_AT_ONCE
    others = [limit.allows("a", f"other {number}", 0.0) for number in range(100)]
    assert sum(others) == log_limit.STRANGERS_AT_ONCE - log_limit.ONE_AT_ONCE
    assert limit.summaries(log_limit.SUMMARY_SECONDS - 1) == []
    told = limit.summaries(log_limit.SUMMARY_SECONDS)
    assert told == [Summary("a", 180, log_limit.SUMMARY_SECONDS, "other 99")]
    assert limit.summaries(log_limit.SUMMARY_SECONDS) == []
    assert limit.allows("a", "one", log_limit.SUMMARY_SECONDS)


def test_an_address_that_was_quiet_is_heard_again() -> None:
    limit = RepeatLimit()
    assert allowed(limit, log_limit.ONE_AT_ONCE, "a", "one", 0.0) == log_limit.ONE_AT_ONCE
    later = log_limit.STRANGERS_EVERY_SECONDS * log_limit.STRANGERS_AT_ONCE
    assert limit.allows("a", "one", later)


def test_each_summary_has_its_time() -> None:
    limit = RepeatLimit()
    allowed(limit, 100, "a", "", 0.0)
    allowed(limit, 100, "b", "", 30.0)
    (first,) = limit.summaries(log_limit.SUMMARY_SECONDS)
    assert (first.kind, first.count) == ("a", 40)
    assert limit.summaries(log_limit.SUMMARY_SECONDS + 29) == []
    (second,) = limit.summaries(log_limit.SUMMARY_SECONDS + 30)
    assert (second.kind, second.count) == ("b", 40)


def test_the_memory_of_the_limit_is_bounded() -> None:
    limit = RepeatLimit()
    for number in range(10 * log_limit.MOST_KINDS):
        limit.allows(f"kind {number}", "", 0.0)
    for number in range(10 * log_limit.MOST_ADDRESSES):
        limit.allows("kind 1", f"address {number}", number * log_limit.STRANGERS_EVERY_SECONDS)
    assert len(limit._kinds) == log_limit.MOST_KINDS + 1
    assert max(len(each.by_address) for each in limit._kinds.values()) <= log_limit.MOST_ADDRESSES
    (told,) = limit.summaries(0.0, everything=True)
    assert told.kind == OTHERS
