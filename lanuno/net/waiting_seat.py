"""One seat (or spectator) in a waiting room, for any transport, until the table's log begins.

What comes then is `member_driver.py`'s.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from lanuno.dealing.identity import Identity
from lanuno.log.genesis import Genesis
from lanuno.net.endings import Ending, Observer
from lanuno.table import outputs
from lanuno.table.lobby_peer import Entropy, LobbyPeer, Offer, Seating
from lanuno.table.messages import FromHost, FromPeer, LobbyRefusal, Watch
from lanuno.table.outputs import Output


class WaitingSeat:
    """Carries out what a `LobbyPeer` wants."""

    def __init__(
        self,
        identity: Identity,
        seating: Seating,
        entropy: Entropy,
        send: Callable[[FromPeer], None],
        observe: Observer,
        *,
        watch: bool = False,
        on_end: Callable[[], None] | None = None,
        keep: Callable[[Genesis], None] | None = None,
    ) -> None:
        """`send`: takes a message to the host; must not call back. `watch`: without a seat.

        `on_end` is called when there is a genesis, and when it is clear that there will be none.
        `keep` takes a genesis to disk before anything else: from then on this seat can come back.
        """
        self.lobby = LobbyPeer(identity, seating, entropy)
        self.genesis: Genesis | None = None
        """The genesis of the table that begins here."""
        self.tournament: Genesis | None = None
        """Set when the waiting room was that of a tournament, and all have signed."""
        self.ending: Ending | None = None
        self.refusal: LobbyRefusal | None = None
        """Why it was turned away."""
        self.failure: Exception | None = None
        self.identity = identity.public
        """The public key that this seat signs with."""
        self._seating = seating
        self._send = send
        self._observe = observe
        self._watch = watch
        self._on_end = on_end
        self._keep = keep

    def begin(self, version: int) -> None:
        """Ask for a seat, or to watch."""
        if self._watch:
            self._send(Watch(version, self._seating.name, self._seating.pin))
        else:
            self._do(self.lobby.join)

    def ready(self, ready: bool, shown: Offer | None = None) -> None:
        """Say whether this seat may begin. `shown`: the rules and seats that the player saw."""
        self._do(partial(self.lobby.ready, ready, shown))

    def take_seat(self, place: int) -> None:
        """Ask for another place at the table."""
        self._do(partial(self.lobby.take_seat, place))

    def say(self, text: str) -> None:
        """Chat."""
        self._do(partial(self.lobby.say, text))

    def hear(self, message: FromHost) -> None:
        """Take a message of the host."""
        if self.ending is None and self.genesis is None:
            self._do(partial(self.lobby.receive, message))

    def lost(self) -> None:
        """The connection is over."""
        self._end(Ending.LOST)

    def _do(self, work: Callable[[], list[Output]]) -> None:
        try:
            for output in work():
                self._carry_out(output)
        except Exception as error:  # noqa: BLE001 - timers and tasks have no caller to raise to
            self.failure = error
            self._end(Ending.FAILED)

    def _carry_out(self, output: Output) -> None:
        match output:
            case outputs.ToHost():
                self._send(output.message)
            case outputs.TableBegan():
                self._began(output)
            case outputs.TurnedAway():
                self.refusal = output.why
                self._observe(output)
                self._end(Ending.TURNED_AWAY)
            case outputs.Happened():
                self._observe(output.event)
            case _:
                self._observe(output)

    def _began(self, began: outputs.TableBegan) -> None:
        if began.genesis.read().is_tournament:
            self.tournament = began.genesis
            self._end(Ending.TOURNAMENT)
            return
        if self._keep is not None:
            self._keep(began.genesis)
        self._observe(began)
        self.genesis = began.genesis
        if self._on_end is not None:
            self._on_end()

    def _end(self, ending: Ending) -> None:
        if self.ending is None and self.genesis is None:
            self.ending = ending
            if self._on_end is not None:
                self._on_end()
