"""Every fault that a log can prove, once for a player and once for a host. Data only.

Who can commit what, and how it is tried here:

| fault            | a player                                | a host                              |
|------------------|------------------------------------------|--------------------------------------|
| `equivocation`   | two bodies with one counter             | two stories for two guests          |
| `forged`         | a body without its author's signature   | a body that nobody signed, an entry |
| `bad-order`      | cannot, it orders nothing: acts out of  | a time-out of no decision, a close  |
|                  | turn and the host's words are refused   | that is none, a body said before    |
| `bad-state`      | cannot: only a host signs states        | a state that is not the log's       |
| `bad-commitment` | another's commitment; other seeds       | the same, with its own seat         |
| `bad-mask`       | exchanges a card in its shuffle         | the same                            |
| `bad-lock`       | locks with other scalars than it says   | the same                            |
| `bad-key`        | releases a key that fits nothing        | the same                            |
| `bad-share`      | escrows a share that is not the seed's  | the same                            |
| `bad-seal`       | gives a hand away that cannot be read   | the same                            |
| `illegal-play`   | lays another card than it names         | the same                            |
| `false-verdict`  | says the opposite of the hand it sees   | the same                            |
| `false-halt`     | stops a sound round                     | the same                            |
| `no-reveal`      | keeps its seeds to itself               | the same                            |
| `double-vote`    | votes twice when the host is lost       | hands over to two                   |

`TESTED` is that table. `CASES` adds all other lies of the simulation, for which the test command
has no time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import partial
from typing import Final

from msgspec.structs import asdict

from lanuno.log.faults import Fault
from lanuno.log.format import bodies
from lanuno.rules.ruleset import Ruleset
from tests.cheats.runtime_lies import HostLiar, Liar, ManyVotes, SeatLiar, TwoStories, VotesAgain
from tests.harness.adversaries.forging import view_secrets_of
from tests.harness.adversaries.host_attacks import ATTACKS as HOST_LIES
from tests.harness.adversaries.host_attacks import HostAttack
from tests.harness.adversaries.invalid_peers import INVALID_PEERS, InvalidPeer, Mute
from tests.harness.adversaries.lies import halting, of
from tests.harness.adversaries.peer_attacks import ATTACKS as SEAT_LIES
from tests.harness.adversaries.peer_attacks import PeerAttack
from tests.harness.host_and_seats.players import Doubter
from tests.harness.host_and_seats.table_sim import Tamper


class Role(Enum):
    """The role of the liar."""

    PLAYER = "player"
    HOST = "host"


class End(Enum):
    """How the table ends. In every case, nobody blames an honest player."""

    PLAYS_ON = "named in the log that all have, the others play a whole round without the liar"
    ENDS = "named in the log that all have, which ends there: the liar is its host"
    STOPS = "the other nodes stop at the lie, and keep the evidence after the log"
    NOBODY = "the same, but the bytes prove nothing about anybody"
    FORKED = "each story is in order by itself; two of them side by side name the liar"
    BROKEN_OFF = "nobody is named, the host breaks the match off, which is never called verified"
    REFUSED = "refused, or waited for; nobody is named, and the match ends in order"


@dataclass(frozen=True)
class Case:
    """One lie at a table of real programs."""

    role: Role
    name: str
    make: Callable[[], Liar]
    end: End
    fault: Fault | None = None
    """The fault that the log then proves; None if it proves nothing."""
    seats: int = 3
    settings: Mapping[str, int] = field(default_factory=dict)
    doubting: bool = False
    """Whether all players play so that Wild Draw Fours are laid and challenged."""
    bots: int = 0
    """The number of the host's bots."""
    cheater: int = 1
    """The liar's seat, if the liar is a player."""
    host_is_killed: bool = False

    @property
    def id(self) -> str:
        """The name of the case on the command line."""
        return f"{self.role.value}: {self.name}"


# ---- seats --------------------------------------------------------------------------------------

SHORT: Final = {"hand_size": 3, "grace_first_s": 1}
"""Small hands, and short waits for a player who was cut off."""

SILENT: Final = (
    *("no acknowledgements", "no acts", "no attestation"),
    *("shows no hand", "gives no verdict", "gives no verdict and opens no hand"),
)
"""Lies by silence: there is nothing to refuse, and no connection to close."""

DOUBTER: Final = "doubter"
"""Not a lie, but a way to play: Wild Draw Fours are laid, and challenged."""


def _settings(rules: Ruleset) -> dict[str, int]:
    """Return the settings that differ from the usual ones in the rules that a lie needs."""
    usual = asdict(Ruleset())
    changed = {
        key: value
        for key, value in asdict(rules).items()
        if key != "preset" and value != usual[key]
    }
    return {**SHORT, **changed}


def _seat_lie(attack: PeerAttack, role: Role) -> Case:
    doubting = Doubter in attack.players.values()
    cheater = attack.cheater if role is Role.PLAYER else 0
    player = attack.players.get(attack.cheater)
    make = OF_A_HOST.get(attack.name, attack.make) if role is Role.HOST else attack.make
    # A seat whose attestation differs from the others' halts the table: not all can be right.
    halts = attack.late or attack.name.startswith("attest")
    alone = role is Role.HOST or attack.seats == 2 or halts
    return Case(
        role,
        attack.name,
        lambda: SeatLiar(make(), player),
        End.ENDS if alone else End.PLAYS_ON,
        attack.fault,
        attack.seats,
        _settings(attack.ruleset),
        doubting,
        cheater=cheater,
    )


def _invalid_peer(peer: InvalidPeer) -> Case:
    player = peer.players.get(1)
    return Case(
        Role.PLAYER,
        peer.name,
        lambda: SeatLiar(peer.make(), player),
        End.REFUSED,
        Fault.NO_REVEAL if peer.withheld else None,
        peer.seats,
        # The clock plays for a seat that does not act.
        {**_settings(peer.ruleset), "turn_clock_s": 30},
        Doubter in peer.players.values(),
    )


def attest_of(body: bodies.Body) -> bodies.Attest:
    """Return the attestation in a body."""
    assert isinstance(body.payload, bodies.Attest)
    return body.payload


OF_A_HOST: Final[Mapping[str, Callable[[], Tamper]]] = {
    **{f"halt: {reason.name.lower()}": partial(halting, reason, 1) for reason in bodies.HaltReason},
    "attest: blame somebody else": of(
        bodies.Attest, lambda _, body: bodies.Attest(attest_of(body).reveal, (1,))
    ),
    "complaint about a right share": of(
        bodies.Pass, lambda peer, _: bodies.Complain(1, view_secrets_of(peer).box_private(1))
    ),
    "complaint with a foreign key": of(
        bodies.Pass, lambda peer, _: bodies.Complain(1, b"\x05" * 32)
    ),
}
"""The lies of a seat about the host's seat, changed for a host: it lies about another seat."""


def _of_a_host(attack: PeerAttack) -> bool:
    """Whether the lie is possible from the host's seat, which is never the last of two."""
    return attack.cheater == 1 and attack.name != OWN_CARD and not attack.accomplices


OWN_CARD: Final = "mask: a card of one's own swapped, and shown to a challenger"


# ---- hosts --------------------------------------------------------------------------------------

WITH_A_BOT: Final = (
    "a body of another table",
    "a body of another round",
    "a body of another history",
    "a host's payload by a seat",
)
"""Lies with a body that a seat really signed. Such a body can only come from the host's own bot."""


def _host_lie(attack: HostAttack) -> Case:
    bots = 1 if attack.name in WITH_A_BOT else 0
    return Case(
        Role.HOST,
        attack.name,
        lambda: HostLiar(attack.craft),
        End.STOPS if attack.named else End.NOBODY,
        attack.fault,
        3 + bots,
        SHORT,
        bots=bots,
        cheater=0,
    )


EVERY: Final = (
    *(_seat_lie(each, Role.PLAYER) for each in SEAT_LIES if not each.accomplices),
    *(_invalid_peer(each) for each in INVALID_PEERS),
    Case(
        Role.PLAYER,
        "votes twice",
        VotesAgain,
        End.PLAYS_ON,
        Fault.DOUBLE_VOTE,
        seats=4,
        # Time for all players to switch to the new host.
        settings={**SHORT, "grace_first_s": 2},
        cheater=3,
        host_is_killed=True,
    ),
    *(_seat_lie(each, Role.HOST) for each in SEAT_LIES if _of_a_host(each)),
    *(_host_lie(each) for each in HOST_LIES),
    Case(
        Role.HOST,
        "no seeds",
        lambda: SeatLiar(Mute(bodies.Reveal)),
        End.BROKEN_OFF,
        settings=SHORT,
        cheater=0,
    ),
    Case(Role.HOST, "two stories", TwoStories, End.FORKED, Fault.EQUIVOCATION, 3, SHORT, cheater=0),
    Case(
        Role.HOST,
        "hands over to two",
        ManyVotes,
        End.FORKED,
        Fault.DOUBLE_VOTE,
        3,
        {**SHORT, "grace_total_s": 3},
        cheater=0,
    ),
)

CASES: Final[Mapping[str, Case]] = {case.id: case for case in EVERY}
"""Every lie there is, by its `id`."""

TESTED: Final[Mapping[Fault, tuple[str | None, str]]] = {
    Fault.EQUIVOCATION: ("two bodies with one counter", "two stories"),
    Fault.FORGED: ("a bad signature", "a forged body"),
    Fault.BAD_ORDER: ("the host's words: Drop", "time-out: of another decision"),
    Fault.BAD_STATE: (None, "another state"),
    Fault.BAD_COMMITMENT: ("commit: all copied", "commit: all copied"),
    Fault.BAD_MASK: ("mask: a card swapped", "mask: a card swapped"),
    Fault.BAD_LOCK: ("lock: not the slot keys' scalars", "lock: not the slot keys' scalars"),
    Fault.BAD_KEY: ("unlock: a random key", "unlock: a random key"),
    Fault.BAD_SHARE: ("escrow: a wrong share", "escrow: a wrong share"),
    Fault.BAD_SEAL: ("give: garbage", "give: garbage"),
    Fault.ILLEGAL_PLAY: ("play: another card than named", "play: another card than named"),
    Fault.FALSE_VERDICT: ("a false verdict", "a false verdict"),
    Fault.FALSE_HALT: ("halt: no_card", "halt: no_card"),
    Fault.NO_REVEAL: ("no seeds", "no seeds"),
    Fault.DOUBLE_VOTE: ("votes twice", "hands over to two"),
}
"""What the test command plays: the lie of a player, None if it cannot, and that of a host."""


def chosen(role: Role) -> Mapping[Fault, Case]:
    """Return the lies of one role that the test command plays, by the fault they try to commit."""
    place = 0 if role is Role.PLAYER else 1
    named = {fault: names[place] for fault, names in TESTED.items()}
    return {
        fault: CASES[f"{role.value}: {name}"] for fault, name in named.items() if name is not None
    }


def liar_of(wanted: str) -> Liar:
    """Return a case's liar, or an honest player with a way to play, for a modified program."""
    if wanted == DOUBTER:
        return SeatLiar(lambda _, message: [message], Doubter)
    return CASES[wanted].make()
