"""Checks that replay and audit raise only documented errors, whatever bytes they get."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from lanuno.log.audit import audit
from lanuno.log.faults import BodyRefused, HostFault
from lanuno.log.replay import replay
from lanuno.log.replay.replay import Replay
from lanuno.log.round import round_audit
from lanuno.table.replica import seat_keys
from tests.harness.node_world.errors import InvariantViolation

P = ParamSpec("P")
T = TypeVar("T")

METHODS: dict[str, tuple[type[Exception], ...]] = {
    "check": (BodyRefused,),
    "append": (BodyRefused,),
    "elect": (BodyRefused,),
    "follow": (HostFault,),
}
"""The methods of the replay, and the errors of each. An audit raises nothing."""


def only(allowed: tuple[type[Exception], ...], done: Callable[P, T]) -> Callable[P, T]:
    """Wrap a function: any other exception becomes an `InvariantViolation`."""

    @wraps(done)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return done(*args, **kwargs)
        except allowed:
            raise
        except InvariantViolation:
            raise
        except Exception as error:
            raise InvariantViolation(
                f"{type(error).__name__} out of {done.__name__}: {error}"
            ) from error

    return guarded


@contextmanager
def documented() -> Iterator[None]:
    """Watch every replay and every audit of a round."""
    with ExitStack() as patches:
        for name, allowed in METHODS.items():
            watched = only(allowed, getattr(Replay, name))
            patches.enter_context(patch.object(Replay, name, watched))
        for module in (audit, replay, seat_keys):
            watched = only((), round_audit.audit_round)
            patches.enter_context(patch.object(module, "audit_round", watched))
        yield
