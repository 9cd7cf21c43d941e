"""The fault of an attempt that has to fail."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from lanuno.net.errors import NetError, NetFault


def fault_of(call: Callable[[], object]) -> NetFault:
    """Return the fault that a call raises."""
    with pytest.raises(NetError) as caught:
        call()
    return caught.value.fault


async def awaited_fault(attempt: Awaitable[object]) -> NetFault:
    """Return the fault with which an attempt ends."""
    with pytest.raises(NetError) as caught:
        await attempt
    return caught.value.fault
