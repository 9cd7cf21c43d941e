"""A node that resumes a table after its program was interrupted.

The log shows who is the host, in which term, and whether this node still has its seat. So the same
code resumes as host, candidate or player. `lanuno.store` reads the recovered state.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine

from lanuno.dealing.identity import Identity
from lanuno.net.runtime.config import RuntimeConfig
from lanuno.net.runtime.endings import Observer, TableEnding
from lanuno.net.runtime.lobby_guest import open_runtime
from lanuno.net.runtime.node_runtime import NodeRuntime
from lanuno.net.runtime.shutdown import finish_table, leave_table
from lanuno.net.runtime.table_logger import ID_CHARACTERS
from lanuno.table.outputs import TableBegan
from lanuno.table.recovery import RecoveredState

_log = logging.getLogger(__name__)


class ResumedTable:
    """Resumes a table, and plays until it ends."""

    def __init__(
        self,
        recovered: RecoveredState,
        identity: Identity,
        config: RuntimeConfig,
        observe: Observer,
    ) -> None:
        """`config.metadata` is as saved. `config.seats` is the owner's seat, then its bots'."""
        self._recovered = recovered
        self._identity = identity
        self._config = config
        self._observe = observe
        self._left = False
        self.runtime: NodeRuntime | None = None
        """Set once the listener is open."""

    @property
    def ending(self) -> TableEnding | None:
        """Why this node's time at the table has ended; None before."""
        return None if self.runtime is None else self.runtime.ending

    async def run(
        self, stay: Callable[[NodeRuntime], Coroutine[object, object, None]] | None = None
    ) -> TableEnding:
        """Play until the table is over for this node, `stay` there, then close everything.

        Raises `NetError` if there is no port to listen on; `Unreadable`, `TableError` or
        `HostFault` if the recovered entries are not a log; or the failure of this node.
        """
        genesis = self._recovered.genesis
        _log.info("resuming table %s", genesis.table_id.hex()[:ID_CHARACTERS])
        try:
            runtime = await open_runtime(
                genesis, self._identity, self._config, self._observe, recovered=self._recovered
            )
        except BaseException:
            self._config.records.close()
            raise
        self.runtime = runtime
        try:
            self._observe(TableBegan(genesis))
            runtime.begin()
            if self._left:
                runtime.finish(TableEnding.LOST)
            await finish_table(runtime)
            if stay is not None:
                await stay(runtime)
        except asyncio.CancelledError:
            runtime.cut_off()
            raise
        finally:
            await runtime.shut_down()
        if runtime.failure is not None:
            raise runtime.failure
        return runtime.ending or TableEnding.LOST

    async def leave(self) -> None:
        """Leave on purpose. Before the node is back at the table, this only stops it."""
        self._left = True
        if self.runtime is not None:
            await leave_table(self.runtime)
