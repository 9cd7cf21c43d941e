"""Nothing but the documented errors may leave replay and audit, whatever bytes a table has seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import ParamSpec, TypeVar
from unittest.mock import patch

from lanuno.log import audit, replay, round_audit
from lanuno.log.faults import BodyRefused, HostFault
from lanuno.log.replay import Replay
from lanuno.table import keyring
from tests.harness.node_world.broken import Broken

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
    """The same, but any other exception is `Broken`."""

    @wraps(done)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return done(*args, **kwargs)
        except allowed:
            raise
        except Broken:
            raise
        except Exception as error:
            raise Broken(f"{type(error).__name__} out of {done.__name__}: {error}") from error

    return guarded


@contextmanager
def documented() -> Iterator[None]:
    """Every replay and every audit of a round is watched."""
    with ExitStack() as patches:
        for name, allowed in METHODS.items():
            watched = only(allowed, getattr(Replay, name))
            patches.enter_context(patch.object(Replay, name, watched))
        for module in (audit, replay, keyring):
            watched = only((), round_audit.audit_round)
            patches.enter_context(patch.object(module, "audit_round", watched))
        yield
