"""One seat (or spectator) in a lobby, over any transport, until the table's log begins.

`node_runtime.py` continues from there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import assert_never

from lanuno.dealing.identity import Identity
from lanuno.log.format.genesis import Genesis
from lanuno.net.runtime.endings import Observer, TableEnding
from lanuno.table import outputs
from lanuno.table.lobby.peer import Entropy, LobbyPeer, Seating
from lanuno.table.messages import AtTable, LobbyRefusal, LobbyState, Watch
from lanuno.table.outputs import LobbyPeerOutput


class LobbySeatRuntime:
    """Carries out the outputs of a `LobbyPeer`."""

    def __init__(
        self,
        identity: Identity,
        seating: Seating,
        entropy: Entropy,
        send: Callable[[AtTable], None],
        observe: Observer,
        *,
        watch: bool = False,
        on_end: Callable[[], None] | None = None,
        store_genesis: Callable[[Genesis], None] | None = None,
    ) -> None:
        """`send` sends a message to the host and must not call back. `watch` means without a seat.

        `on_end` is called when the genesis is complete, or when it is certain that there will be
        none. `store_genesis` writes a genesis to disk before anything else. This seat can resume
        from then on.
        """
        self.lobby = LobbyPeer(identity, seating, entropy)
        self.genesis: Genesis | None = None
        """The genesis, once the log begins."""
        self.tournament: Genesis | None = None
        """The genesis of a tournament, once all seats of its lobby have signed."""
        self.ending: TableEnding | None = None
        self.refusal: LobbyRefusal | None = None
        """Why the host turned this seat away."""
        self.failure: Exception | None = None
        self.identity = identity.public
        """The public key that this seat signs with."""
        self._seating = seating
        self._send = send
        self._observe = observe
        self._watch = watch
        self._on_end = on_end
        self._store_genesis = store_genesis

    @property
    def answered(self) -> bool:
        """Whether the host has answered the request: with the room, the log or a refusal."""
        began_or_ended = self.genesis is not None or self.ending is not None
        return began_or_ended or self.lobby.state is not None

    def begin(self, version: int) -> None:
        """Request a seat, or permission to watch."""
        if self._watch:
            self._send(Watch(version, self._seating.name))
        else:
            self._run(self.lobby.join)

    def ready(self, ready: bool, shown: LobbyState | None = None) -> None:
        """Send whether this seat is ready. `shown` is the room that the player saw."""
        self._run(partial(self.lobby.ready, ready, shown))

    def take_seat(self, place: int) -> None:
        """Request another place at the table."""
        self._run(partial(self.lobby.take_seat, place))

    def send_chat(self, text: str) -> None:
        """Send a line of chat."""
        self._run(partial(self.lobby.say, text))

    def receive(self, message: AtTable) -> None:
        """Process a message from the host."""
        if self.ending is None and self.genesis is None:
            self._run(partial(self.lobby.receive, message))

    def connection_lost(self) -> None:
        """End as lost, because the connection ended."""
        self._end(TableEnding.LOST)

    def _run(self, work: Callable[[], list[LobbyPeerOutput]]) -> None:
        try:
            for output in work():
                self._carry_out(output)
        except Exception as error:  # noqa: BLE001 - timers and tasks have no caller to raise to
            self.failure = error
            self._end(TableEnding.FAILED)

    def _carry_out(self, output: LobbyPeerOutput) -> None:
        match output:
            case outputs.Send():
                self._send(output.message)
            case outputs.TableBegan():
                self._began(output)
            case outputs.TurnedAway():
                self.refusal = output.why
                self._observe(output)
                self._end(TableEnding.TURNED_AWAY)
            case outputs.Happened():
                self._observe(output.event)
            case outputs.ChatReceived():
                self._observe(output)
            case _:
                assert_never(output)

    def _began(self, began: outputs.TableBegan) -> None:
        if began.genesis.read().is_tournament:
            self.tournament = began.genesis
            self._end(TableEnding.TOURNAMENT)
            return
        if self._store_genesis is not None:
            self._store_genesis(began.genesis)
        self._observe(began)
        self.genesis = began.genesis
        if self._on_end is not None:
            self._on_end()

    def _end(self, ending: TableEnding) -> None:
        if self.ending is None and self.genesis is None:
            self.ending = ending
            if self._on_end is not None:
                self._on_end()
