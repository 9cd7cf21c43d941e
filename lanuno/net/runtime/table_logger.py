"""Write the events of a table to the program's log, to find the cause of problems later.

Only this module logs the course of a game. It observes the outputs of the node, the events of the
log and the connections. A line contains only public data: seats, names, addresses, fingerprints,
reasons. No line contains cards, secret keys, seeds, PINs or chat. `lanuno.store.logfile` writes the
file.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Final

from lanuno.dealing.identity import Identity, fingerprint
from lanuno.log.faults import Blame
from lanuno.log.format.genesis import Genesis
from lanuno.log.round import events
from lanuno.net.errors import Goodbye
from lanuno.net.runtime.endings import CaughtUp, Observer, PlaysElsewhere, RuntimeEvent, TableEnding
from lanuno.net.transport.channel import Channel
from lanuno.rules.ruleset import Ruleset
from lanuno.table import messages, outputs
from lanuno.table.outputs import Link
from lanuno.table.roles import Role, describe_role

ID_CHARACTERS: Final = 12
"""Logged characters of an id or a fingerprint: enough to tell them apart."""

_log = logging.getLogger(__name__)


def short_key(identity: bytes) -> str:
    """Return the logged form of a public key."""
    return fingerprint(identity)[:ID_CHARACTERS]


def caused_by(channel: Channel) -> dict[str, str]:
    """Extra data for a log line that a peer can cause at will. The log limits it by address."""
    return {"address": channel.address}


def ending_text(channel: Channel) -> str:
    """Describe how a connection ended."""
    end = channel.end
    return f"goodbye, {end.name}" if isinstance(end, Goodbye) else str(end or "ended here")


def rules_for_log(ruleset: Ruleset) -> str:
    """Return the logged form of a ruleset."""
    return f"{ruleset.preset or 'own'} rules, {ruleset.format.name.lower()}"


class LobbyLogger:
    """Logs the events of one lobby, as one of its members receives them."""

    def __init__(self, observe: Observer) -> None:
        """`observe` is called with every event, after it is logged."""
        self._next_observer = observe
        self._seen: object = None
        self._rules: object = None

    def observe(self, event: RuntimeEvent) -> None:
        """Log an event of the lobby, or of this seat in it, and pass it on."""
        if isinstance(event, messages.LobbyState):
            self._room(event)
        elif isinstance(event, outputs.TurnedAway):
            _log.info("this computer was refused a seat: %s", event.why.name)
        self._next_observer(event)

    def _room(self, state: messages.LobbyState) -> None:
        seen = (state.phase, [seat.identity for seat in state.seats], state.watching)
        rules = state.ruleset, state.capacity
        if self._rules not in (None, rules):
            line = rules_for_log(state.ruleset)
            _log.info("the host changed the rules: %s, %d seats", line, state.capacity)
        self._rules = rules
        if seen == self._seen:
            return
        if self._seen is None:
            _log.info(
                "the waiting room of %s: table %s, %s, %d seats%s",
                state.table,
                state.lobby.hex()[:ID_CHARACTERS],
                rules_for_log(state.ruleset),
                state.capacity,
                ", with a PIN" if state.pin else "",
            )
        self._seen = seen
        names = ", ".join(f"{seat.name} ({short_key(seat.identity)})" for seat in state.seats)
        _log.info(
            "the waiting room (%s): %d of %d seated: %s; %d watching",
            state.phase.name.lower(),
            len(state.seats),
            state.capacity,
            names,
            state.watching,
        )


class TableLogger:
    """Logs the events of one table in progress, as one node observes them."""

    def __init__(self, genesis: Genesis, identity: Identity | None, observe: Observer) -> None:
        """`identity` is the owner's, or None to watch. `observe` is called after each log line."""
        roster = genesis.read()
        self._next_observer = observe
        self._names = [seat.name for seat in roster.seats]
        self._links: dict[Link, str] = {}
        self._waits: frozenset[int] = frozenset()
        self._without_quorum = False
        mine = None if identity is None else identity.public
        own = [number for number, seat in enumerate(roster.seats) if seat.identity == mine]
        _log.info(
            "table %s (waiting room %s) begins: %s, %s, %s",
            genesis.table_id.hex()[:ID_CHARACTERS],
            roster.lobby.hex()[:ID_CHARACTERS],
            f"own {self._seat(own[0])}" if own else "watching",
            f"{len(roster.seats)} seats, host {self._seat(roster.host)}",
            rules_for_log(roster.ruleset),
        )

    # ---- connections ------------------------------------------------------------------------

    def linked(self, link: Link, channel: Channel, seat: int | None, *, outgoing: bool) -> None:
        """Log that a connection was added."""
        peer = "a peer without a seat" if seat is None else self._seat(seat)
        self._links[link] = f"{peer} at {channel.address} ({short_key(channel.identity)})"
        direction = "out to" if outgoing else "in from"
        _log.info(
            "connection %d: %s %s", link, direction, self._links[link], extra=_about(channel, seat)
        )

    def unlinked(self, link: Link, channel: Channel, seat: int | None) -> None:
        """Log that a connection has ended."""
        lost = link, self._links.pop(link, ""), ending_text(channel)
        _log.info("connection %d: lost %s: %s", *lost, extra=_about(channel, seat))

    def refused(self, link: Link, why: Goodbye) -> None:
        """Log that a connection is closed because a message broke the rules."""
        _log.info("connection %d: ended, %s: %s", link, why.name, self._links.get(link, ""))

    def unreachable(self, seat: int) -> None:
        """Log that an attempt to connect to a node of the table failed."""
        _log.info("%s cannot be reached", self._seat(seat))

    # ---- this node --------------------------------------------------------------------------

    def role_changed(self, role: Role) -> None:
        """Log that the node has entered a role, which tells why a table has no host."""
        _log.debug("role: %s", describe_role(role))

    def ended(self, ending: TableEnding, failure: Exception | None) -> None:
        """Log that the table is over for this node."""
        why = "" if failure is None else f": {type(failure).__name__}: {failure}"
        _log.info("it is over for this computer: %s%s", ending.value, why)

    def observe(self, event: RuntimeEvent) -> None:
        """Log an event of the table, or an output for its owner, and pass it on."""
        self._log(event)
        self._next_observer(event)

    # ---- lines ------------------------------------------------------------------------------

    def _seat(self, seat: int | None) -> str:
        if seat is None:
            return "an unknown seat"
        name = f" ({self._names[seat]})" if 0 <= seat < len(self._names) else ""
        return f"seat {seat}{name}"

    def _seats(self, seats: Iterable[int]) -> str:
        return ", ".join(self._seat(seat) for seat in seats) or "nobody"

    def _blame(self, blame: Blame) -> str:
        where = f"round {blame.round}, entry {blame.entry}"
        return f"{blame.fault.value} by {self._seat(blame.seat)}, {where}: {blame.detail}"

    def _log(self, event: RuntimeEvent) -> None:  # noqa: C901 - one case for each event
        """Write the line of an event. Other events are not logged."""
        match event:
            # This node.
            case outputs.SeatsAwaited():
                self._waiting(event)
            case outputs.QuorumChanged():
                self._quorum_changed(event)
            case outputs.Send():
                self._sent(event)
            case outputs.HostingChanged(on=on):
                _log.info("this computer is %s", "the host now" if on else "no longer the host")
            case outputs.NodeStopped(blame=blame):
                _log.info("this computer stops: %s", self._blame(blame))
            case outputs.ActionRefused(refusal=refusal):
                _log.info("the host refused a move of this computer: %s", refusal)
            case outputs.RoundHalted(seat=seat):
                _log.info("%s has found a fault and halts the round", self._seat(seat))
            case CaughtUp(host=host, entries=entries):
                _log.info("caught up with %s: %d entries", self._seat(host), entries)
            case PlaysElsewhere():
                _log.info("another program plays with the identity of this one")
            # The log.
            case events.RoundOpened(number=number, kind=kind, seats=seats):
                who = self._seats(seats)
                _log.info("round %d begins (%s): %s", number, kind.name.lower(), who)
            case events.RoundVoided(number=number, reason=reason, why=why):
                _log.info("round %d is void: %s: %s", number, reason.name, why)
            case events.RoundClosed(number=number, counted=counted):
                word = "counts" if counted else "does not count"
                _log.info("round %d is closed and %s", number, word)
            case events.FaultFound(blame=blame):
                _log.info("a fault is proven: %s", self._blame(blame))
            case events.Attested(seat=seat, blamed=blamed) if blamed:
                _log.info("%s blames %s", self._seat(seat), self._seats(blamed))
            case events.SeatDropped(seat=seat, reason=reason):
                _log.info("%s is dropped: %s", self._seat(seat), reason.name)
            case events.LeaveAnnounced(seat=seat):
                _log.info("%s leaves", self._seat(seat))
            case events.SeatRecovered(seat=seat):
                _log.info("the cards of %s are recovered", self._seat(seat))
            case events.SeatReturned(seat=seat):
                _log.info("%s is back", self._seat(seat))
            case events.SeatExpelled(seat=seat, cheated=cheated):
                why = "it cheated" if cheated else "it was missing from a second void round"
                _log.info("%s is expelled: %s", self._seat(seat), why)
            case events.SeatFilled(seat=seat, owner=owner):
                _log.info("%s: played by a bot of %s", self._seat(seat), self._seat(owner))
            case events.Forfeited(loser=loser, winner=winner):
                _log.info("%s forfeits to %s", self._seat(loser), self._seat(winner))
            case events.HostElected(seat=seat, term=term):
                _log.info("the host of term %d is %s", term, self._seat(seat))
            case events.LogClosed(reason=reason):
                _log.info("the log is closed: %s", reason.name)

    def _waiting(self, event: outputs.SeatsAwaited) -> None:
        seats = frozenset(event.seats)
        found, lost = self._waits - seats, seats - self._waits
        self._waits = seats
        if found:
            _log.info("no longer waiting for %s", self._seats(sorted(found)))
        if lost:
            left = outputs.shown_seconds(event.seconds)
            _log.info("waiting for %s, %d s at most", self._seats(sorted(lost)), left)

    def _quorum_changed(self, event: outputs.QuorumChanged) -> None:
        without_quorum = event.here < event.wanted
        if without_quorum != self._without_quorum:
            self._without_quorum = without_quorum
            word = "frozen" if without_quorum else "continuing"
            _log.info("%s: %d players in contact, %d needed", word, event.here, event.wanted)

    def _sent(self, event: outputs.Send) -> None:
        message, to = event.message, self._links.get(event.link, "")
        if isinstance(message, messages.RequestVote):
            word = "asking for a pre-vote" if message.pre else "asking for the vote"
            _log.info("election of term %d: %s: %s", message.term, word, to)
        elif isinstance(message, messages.VoteReply):
            word = "would vote" if message.pre else "voted"
            word = f"{word} for" if message.granted else "no vote for"
            _log.info("election of term %d: %s %s", message.term, word, to)
        elif isinstance(message, messages.TransferHost):
            heir = self._seat(message.candidate)
            _log.info("handing over to %s in term %d: notified %s", heir, message.term, to)
        elif isinstance(message, messages.Refused):
            _log.info("refused (%s): %s", message.why.name, to)
        elif isinstance(message, messages.BodyRefusal):
            # Without the detail, which may reveal a decision in progress.
            _log.info("refused a move of %s: %s", self._seat(message.seat), message.refusal)


def _about(channel: Channel, seat: int | None) -> dict[str, str]:
    """Extra data for the rate limit. Lines about players do not count against strangers' limit."""
    return {} if seat is not None else caused_by(channel)
