"""Nothing but the documented errors may leave replay and audit, whatever bytes a table has seen."""

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
"""Of the replay, and what each may raise. An audit raises nothing."""


def only(allowed: tuple[type[Exception], ...], done: Callable[P, T]) -> Callable[P, T]:
    """The same, but any other exception is `InvariantViolation`."""

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
    """Every replay and every audit of a round is watched."""
    with ExitStack() as patches:
        for name, allowed in METHODS.items():
            watched = only(allowed, getattr(Replay, name))
            patches.enter_context(patch.object(Replay, name, watched))
        for module in (audit, replay, seat_keys):
            watched = only((), round_audit.audit_round)
            patches.enter_context(patch.object(module, "audit_round", watched))
        yield
