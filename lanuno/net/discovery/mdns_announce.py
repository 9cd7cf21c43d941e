"""Announce, update and withdraw one table by multicast DNS.

Rule: one advert, one table, one task. The newest value wins; a value that is replaced before it was
sent is never sent.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable
from contextlib import suppress
from dataclasses import replace
from typing import Final, Self

from zeroconf import Error, NonUniqueNameException
from zeroconf.asyncio import AsyncServiceInfo

from lanuno.net.discovery.advert import TableAdvert, encode_txt
from lanuno.net.discovery.multicast import SERVICE, Multicast, open_multicast
from lanuno.net.errors import NetError, NetFault
from lanuno.net.transport.to_completion import to_completion

TTL_SECONDS: Final = 60
"""How long clients list a table whose host vanished without a goodbye."""

UPDATE_SECONDS: Final = 0.25
"""Minimum time between two updates."""

NAMES_TRIED: Final = 4


def instance_name(table: bytes) -> str:
    """Make a service name of the table's id and random digits, so that no two runs share one."""
    return f"{table.hex()[:16]}-{secrets.token_hex(4)}"


class Advert:
    """Advertises a table. Create it with `advertise`, and withdraw it when the table closes."""

    def __init__(self, multicast: Multicast, table: TableAdvert, service: str) -> None:
        """Take ownership of a `Multicast`. Use `advertise` instead."""
        self._multicast = multicast
        self._wanted = table
        self._count = 0
        self.name = instance_name(table.id)
        """The service's instance name on the network."""
        self._service = service
        self._server = f"{secrets.token_hex(8)}.local."
        self._dirty = asyncio.Event()
        self._sending: asyncio.Future[None] | None = None
        self._withdrawn = False
        self._updater: asyncio.Task[None] | None = None
        multicast.on_change = self._dirty.set

    @property
    def table(self) -> TableAdvert:
        """The advert with the announced addresses and its number of changes."""
        return replace(self._wanted, addresses=self._multicast.addresses, update=self._count)

    def update(self, table: TableAdvert) -> None:
        """Change the advert. `addresses` and `update` of `table` are ignored.

        May be called at any rate; an unchanged value costs nothing. Raises `NetError` (`PROTOCOL`)
        for a value that browsers would reject.
        """
        table = replace(table, addresses=self._multicast.addresses, update=self._count)
        if table != self.table:
            encode_txt(table)
            self._wanted = table
            self._dirty.set()

    async def withdraw(self) -> None:
        """Send a goodbye, so that clients drop the table immediately, and close."""
        if self._withdrawn:
            return
        self._withdrawn = True
        await to_completion(self._withdraw())

    async def _withdraw(self) -> None:
        if self._updater is not None:
            self._updater.cancel()
            await asyncio.wait([self._updater])
        self._stop_sending()
        try:
            with suppress(Error, OSError):
                await self._multicast.zeroconf.async_unregister_all_services()
        finally:
            await self._multicast.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.withdraw()

    async def announce(self) -> None:
        """Claim a name and send the first announcement. Called by `advertise`.

        Raises `NetError` (`MULTICAST`).
        """
        zeroconf = self._multicast.zeroconf
        for attempt in range(NAMES_TRIED):
            # A stranger may claim every name tried, so the last one is used without asking.
            last = attempt == NAMES_TRIED - 1
            try:
                sending = await zeroconf.async_register_service(
                    self._info(), cooperating_responders=last
                )
            except NonUniqueNameException:
                self.name = instance_name(self._wanted.id)
                continue
            except (Error, OSError) as error:
                raise NetError(NetFault.MULTICAST, type(error).__name__) from None
            self._send(sending)
            break
        self._updater = asyncio.create_task(self._update())

    def _info(self) -> AsyncServiceInfo:
        table = self.table
        return AsyncServiceInfo(
            self._service,
            f"{self.name}.{self._service}",
            port=table.port,
            properties=encode_txt(table),
            server=self._server,
            host_ttl=TTL_SECONDS,
            other_ttl=TTL_SECONDS,
            parsed_addresses=list(table.addresses),
        )

    async def _update(self) -> None:
        while True:
            await self._dirty.wait()
            self._dirty.clear()
            self._count += 1
            # Repetitions of an older value must not be sent after the new one.
            self._stop_sending()
            with suppress(Error, OSError):
                self._send(await self._multicast.zeroconf.async_update_service(self._info()))
            await asyncio.sleep(UPDATE_SECONDS)

    def _send(self, sending: Awaitable[None]) -> None:
        self._sending = asyncio.ensure_future(sending)
        self._sending.add_done_callback(_take_result)

    def _stop_sending(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None


def _take_result(sending: asyncio.Future[None]) -> None:
    """Ignore the failure of a repetition, because the next answer replaces it."""
    if not sending.cancelled():
        sending.exception()


async def advertise(
    table: TableAdvert, *, adapter: str | None = None, service: str = SERVICE
) -> Advert:
    """Announce a table on every physical adapter, or on the named one.

    The addresses of the adapters replace `table.addresses`. Returns after the first announcement.
    That takes about a second, because the network is first asked whether the name is free. Raises
    `NetError`: `ADAPTER`, `MULTICAST`, `MULTICAST_PORT`, `PROTOCOL`.
    """
    multicast = await open_multicast(adapter)
    advert = Advert(multicast, table, service)
    try:
        encode_txt(advert.table)
        await advert.announce()
    except BaseException:
        await advert.withdraw()
        raise
    return advert
