"""What happens at a table, as lines of the program's log: for people who have to find out why.

One place looks at what the machines of a table say and at its connections, so that nothing else
writes lines about a game. A line names what is public: seats, names, addresses, reasons. Cards,
keys, seeds, PINs and chat are in none; `lanuno.store.logfile` keeps the file.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from typing import Any, Final

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log import events
from lanuno.log.faults import Blame
from lanuno.log.genesis import Genesis
from lanuno.net.channel import Channel
from lanuno.net.endings import CaughtUp, Ending, Observer
from lanuno.net.errors import Goodbye
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.outputs import Peer

SHORT: Final = 12
"""Characters of an id or a fingerprint that are written: enough to tell them apart."""

_log = logging.getLogger(__name__)


def short(identity: bytes) -> str:
    """A public key, for a line."""
    return fingerprint(identity)[:SHORT]


def by(channel: Channel) -> dict[str, str]:
    """Marks a line that somebody at this address can have caused as often as they like."""
    return {"address": channel.address}


def ended(channel: Channel) -> str:
    """How a connection ended."""
    end = channel.end
    return f"goodbye, {end.name}" if isinstance(end, Goodbye) else str(end or "ended here")


def rules_line(ruleset: Ruleset) -> str:
    """What is played, for a line."""
    return f"{ruleset.preset or 'own'} rules, {ruleset.format.name.lower()}"


class WaitingRoomLog:
    """Tells of one waiting room, as somebody in it hears of it."""

    def __init__(self, observe: Observer) -> None:
        """`observe`: is told the same, after the log."""
        self._observe = observe
        self._seen: object = None
        self._rules: object = None

    def see(self, event: object) -> None:
        """Something was told of the waiting room, or of this seat in it."""
        if isinstance(event, messages.LobbyState):
            self._room(event)
        elif isinstance(event, outputs.TurnedAway):
            _log.info("this computer may not sit here: %s", event.why.name)
        self._observe(event)

    def _room(self, state: messages.LobbyState) -> None:
        seen = (state.phase, [seat.identity for seat in state.seats], state.watching)
        rules = state.ruleset, state.capacity
        if self._rules not in (None, rules):
            line = rules_line(state.ruleset)
            _log.info("the host changed the rules: %s, %d seats", line, state.capacity)
        self._rules = rules
        if seen == self._seen:
            return
        if self._seen is None:
            _log.info(
                "the waiting room of %s: table %s, %s, %d seats%s",
                state.table,
                state.lobby.hex()[:SHORT],
                rules_line(state.ruleset),
                state.capacity,
                ", with a PIN" if state.pin else "",
            )
        self._seen = seen
        names = ", ".join(f"{seat.name} ({short(seat.identity)})" for seat in state.seats)
        _log.info(
            "the waiting room (%s): %d of %d sit: %s; %d watch",
            state.phase.name.lower(),
            len(state.seats),
            state.capacity,
            names,
            state.watching,
        )


class TableLog:
    """Tells of one table that plays, from one computer's side."""

    def __init__(self, genesis: Genesis, identity: Identity | None, observe: Observer) -> None:
        """`identity`: the owner's, None to watch. `observe`: is told the same, after the log."""
        roster = genesis.read()
        self._observe = observe
        self._names = [seat.name for seat in roster.seats]
        self._links: dict[Peer, str] = {}
        self._waits: frozenset[int] = frozenset()
        self._frozen = False
        self._lines: dict[type[object], Callable[[Any], None]] = {
            outputs.TableWaits: self._waiting,
            outputs.TableFrozen: self._freezing,
            outputs.Hosting: self._hosting,
            outputs.Stopped: self._stopped,
            outputs.ToLink: self._sent,
            outputs.ActionRefused: self._action_refused,
            CaughtUp: self._caught_up,
            events.RoundOpened: self._opened,
            events.RoundVoided: self._voided,
            events.RoundClosed: self._closed_round,
            events.FaultFound: self._fault,
            events.Attested: self._attested,
            events.SeatDropped: self._dropped,
            events.SeatLeft: self._left,
            events.SeatRecovered: self._recovered,
            events.SeatReturned: self._returned,
            events.SeatExpelled: self._expelled,
            events.SeatFilled: self._filled,
            events.Forfeited: self._forfeited,
            events.HostElected: self._elected,
            events.LogClosed: self._closed,
        }
        """Which line an event makes; all others make none."""
        mine = None if identity is None else identity.public
        own = [number for number, seat in enumerate(roster.seats) if seat.identity == mine]
        _log.info(
            "table %s (waiting room %s) begins: %s, %s, %s",
            genesis.table_id.hex()[:SHORT],
            roster.lobby.hex()[:SHORT],
            f"own {self._seat(own[0])}" if own else "watching",
            f"{len(roster.seats)} seats, host {self._seat(roster.host)}",
            rules_line(roster.ruleset),
        )

    # ---- connections ------------------------------------------------------------------------

    def linked(self, link: Peer, channel: Channel, seat: int | None, *, dialled: bool) -> None:
        """A connection stands."""
        who = "somebody without a seat" if seat is None else self._seat(seat)
        self._links[link] = f"{who} at {channel.address} ({short(channel.identity)})"
        way = "out to" if dialled else "in from"
        _log.info("connection %d: %s %s", link, way, self._links[link], extra=_about(channel, seat))

    def unlinked(self, link: Peer, channel: Channel, seat: int | None) -> None:
        """A connection has ended."""
        lost = link, self._links.pop(link, ""), ended(channel)
        _log.info("connection %d: lost %s: %s", *lost, extra=_about(channel, seat))

    def refused(self, link: Peer, why: Goodbye) -> None:
        """What came over a connection ends it."""
        _log.info("connection %d: ended, %s: %s", link, why.name, self._links.get(link, ""))

    def unreachable(self, seat: int) -> None:
        """A computer of the table was dialled in vain."""
        _log.info("%s cannot be reached", self._seat(seat))

    # ---- this computer ----------------------------------------------------------------------

    def ended(self, ending: Ending, failure: Exception | None) -> None:
        """It is over for this computer."""
        if failure is None:
            _log.info("it is over for this computer: %s", ending.value)
        else:
            _log.info(
                "it is over for this computer: %s: %s: %s",
                ending.value,
                type(failure).__name__,
                failure,
            )

    def see(self, event: object) -> None:
        """Something happened at the table, or is to be told to its person."""
        tell = self._lines.get(type(event))
        if tell is not None:
            tell(event)
        self._observe(event)

    # ---- lines ------------------------------------------------------------------------------

    def _seat(self, seat: int | None) -> str:
        if seat is None:
            return "nobody provably"
        name = f" ({self._names[seat]})" if 0 <= seat < len(self._names) else ""
        return f"seat {seat}{name}"

    def _seats(self, seats: Iterable[int]) -> str:
        return ", ".join(self._seat(seat) for seat in seats) or "nobody"

    def _blame(self, blame: Blame) -> str:
        where = f"round {blame.round}, entry {blame.entry}"
        return f"{blame.fault.value} by {self._seat(blame.seat)}, {where}: {blame.detail}"

    def _waiting(self, event: outputs.TableWaits) -> None:
        seats = frozenset(event.seats)
        found, lost = self._waits - seats, seats - self._waits
        self._waits = seats
        if found:
            _log.info("no longer waiting for %s", self._seats(sorted(found)))
        if lost:
            left = outputs.shown_seconds(event.seconds)
            _log.info("waiting for %s, %d s at most", self._seats(sorted(lost)), left)

    def _freezing(self, event: outputs.TableFrozen) -> None:
        frozen = event.here < event.wanted
        if frozen != self._frozen:
            self._frozen = frozen
            word = "frozen" if frozen else "going on"
            _log.info("%s: %d players in contact, %d needed", word, event.here, event.wanted)

    def _hosting(self, event: outputs.Hosting) -> None:
        _log.info("this computer is %s", "the host now" if event.on else "no longer the host")

    def _stopped(self, event: outputs.Stopped) -> None:
        _log.info("this computer goes no further: %s", self._blame(event.blame))

    def _sent(self, event: outputs.ToLink) -> None:
        said, to = event.message, self._links.get(event.link, "")
        if isinstance(said, messages.AskVote):
            word = "asking beforehand" if said.pre else "asking for the vote"
            _log.info("election of term %d: %s: %s", said.term, word, to)
        elif isinstance(said, messages.GiveVote):
            word = "would vote" if said.pre else "voted"
            word = f"{word} for" if said.granted else "no vote for"
            _log.info("election of term %d: %s %s", said.term, word, to)
        elif isinstance(said, messages.Abdicate):
            heir = self._seat(said.candidate)
            _log.info("handing over to %s in term %d: told %s", heir, said.term, to)
        elif isinstance(said, messages.Refused):
            _log.info("refused (%s): %s", said.why.name, to)
        elif isinstance(said, messages.BodyRefusal):
            # Not the detail: it may name what is only being decided.
            _log.info("refused a move of %s: %s", self._seat(said.seat), said.refusal)

    def _action_refused(self, event: outputs.ActionRefused) -> None:
        _log.info("the host refused a move of this computer: %s", event.refusal)

    def _caught_up(self, event: CaughtUp) -> None:
        _log.info("caught up with %s: %d entries", self._seat(event.host), event.entries)

    def _opened(self, event: events.RoundOpened) -> None:
        seats = self._seats(event.seats)
        _log.info("round %d begins (%s): %s", event.number, event.kind.name.lower(), seats)

    def _voided(self, event: events.RoundVoided) -> None:
        _log.info("round %d is void: %s: %s", event.number, event.reason.name, event.why)

    def _closed_round(self, event: events.RoundClosed) -> None:
        word = "counts" if event.counted else "does not count"
        _log.info("round %d is closed and %s", event.number, word)

    def _fault(self, event: events.FaultFound) -> None:
        _log.info("a fault is proven: %s", self._blame(event.blame))

    def _attested(self, event: events.Attested) -> None:
        if event.blamed:
            _log.info("%s blames %s", self._seat(event.seat), self._seats(event.blamed))

    def _dropped(self, event: events.SeatDropped) -> None:
        _log.info("%s is dropped: %s", self._seat(event.seat), event.reason.name)

    def _left(self, event: events.SeatLeft) -> None:
        _log.info("%s leaves", self._seat(event.seat))

    def _recovered(self, event: events.SeatRecovered) -> None:
        _log.info("the cards of %s are recovered", self._seat(event.seat))

    def _returned(self, event: events.SeatReturned) -> None:
        _log.info("%s is back", self._seat(event.seat))

    def _expelled(self, event: events.SeatExpelled) -> None:
        why = "it cheated" if event.cheated else "its leaving has voided a second round"
        _log.info("%s is expelled: %s", self._seat(event.seat), why)

    def _filled(self, event: events.SeatFilled) -> None:
        _log.info("%s: played by a bot of %s", self._seat(event.seat), self._seat(event.owner))

    def _forfeited(self, event: events.Forfeited) -> None:
        _log.info("%s forfeits to %s", self._seat(event.loser), self._seat(event.winner))

    def _elected(self, event: events.HostElected) -> None:
        _log.info("the host of term %d is %s", event.term, self._seat(event.seat))

    def _closed(self, event: events.LogClosed) -> None:
        _log.info("the log is closed: %s", event.reason.name)


def _about(channel: Channel, seat: int | None) -> dict[str, str]:
    """Lines about players have room of their own; those about strangers share one."""
    return {} if seat is not None else by(channel)
