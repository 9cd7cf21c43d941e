"""The vocabulary of everything that can be wrong with a log: refusals, faults, verdicts and checks.

The log, the audit and every report share these closed enumerations and the errors that carry them.
The rules that decide when something is wrong are in other modules.
"""

from __future__ import annotations

from enum import Enum, IntEnum

from msgspec import Struct


class LogError(Exception):
    """Base of the errors that `lanuno.log` defines."""


class Unreadable(LogError):
    """Bytes from outside are not a well-formed value of the expected kind."""


class NoGameReason(Enum):
    """Why a file holds no game to audit."""

    FOREIGN = "foreign"
    """It does not begin like a transcript: a picture, a text, a file of another application."""
    VERSION = "version"
    """A transcript of another version of the format."""
    TOO_LONG = "too-long"
    """It is longer than any match can be."""
    EMPTY = "empty"
    """It begins like a transcript but holds no game."""
    PLAYERS = "players"
    """It is the genesis of a tournament: the file holds its players, but no table."""


class NoTranscript(Unreadable):
    """Bytes that hold no game; `no_game` says why."""

    def __init__(self, no_game: NoGameReason, detail: str) -> None:
        super().__init__(detail)
        self.no_game = no_game


class RefusalReason(Enum):
    """Why a host does not append a body. A refusal blames nobody and is not logged."""

    MALFORMED = "malformed"
    """The bytes are not a body."""
    WRONG_TABLE = "wrong-table"
    """The body names another table."""
    WRONG_ROUND = "wrong-round"
    """The body names a round other than the present one."""
    NOT_A_SEAT = "not-a-seat"
    """The author has no seat at this table, or its seat may not say this."""
    BAD_SIGNATURE = "bad-signature"
    """The signature is not the author's."""
    STALE_COUNTER = "stale-counter"
    """The author has already used this counter or a higher one."""
    UNKNOWN_HEAD = "unknown-head"
    """The body builds on an entry that is not in this log."""
    STALE_DECISION = "stale-decision"
    """The action answers a decision that has passed."""
    NOT_NOW = "not-now"
    """At this point the log does not expect this body from this seat."""
    ALREADY_DONE = "already-done"
    """This seat has already done its part of this step."""
    ILLEGAL = "illegal"
    """The rules of the game forbid the action; the detail holds the rules' own reason."""
    WRONG_SHAPE = "wrong-shape"
    """The right kind of body with a part that is missing, superfluous, out of order or of a wrong
    length, or that names a wrong seat."""
    CLOSED = "closed"
    """The log is closed."""
    FULL = "full"
    """The log has reached its limits: only an election or a close may follow."""


class Fault(Enum):
    """What can be proven against a seat or the host."""

    EQUIVOCATION = "equivocation"
    FORGED = "forged"
    BAD_ORDER = "bad-order"
    BAD_STATE = "bad-state"
    BAD_COMMITMENT = "bad-commitment"
    BAD_MASK = "bad-mask"
    BAD_LOCK = "bad-lock"
    BAD_KEY = "bad-key"
    BAD_SHARE = "bad-share"
    BAD_SEAL = "bad-seal"
    ILLEGAL_PLAY = "illegal-play"
    FALSE_VERDICT = "false-verdict"
    FALSE_HALT = "false-halt"
    NO_REVEAL = "no-reveal"
    DOUBLE_VOTE = "double-vote"


class VoidReason(IntEnum):
    """Why a round counts for nothing. The numbers are part of the public state."""

    FAULT = 1
    """The log itself proves a fault."""
    LOST = 2
    """A seat was dropped before its seeds were out."""
    NO_CARD = 3
    """A slot opened to no card, or to a card that lies elsewhere. The audit shows who cheated."""
    HALTED = 4
    """A seat signed a halt."""


class AuditVerdict(Enum):
    """What an audit concludes about a whole transcript."""

    VERIFIED = "verified"
    CHEATING = "cheating"
    INCOMPLETE = "incomplete"
    CHANGED = "changed"
    """A part of the transcript is not what was signed at the table; nobody is accused of it."""
    UNREADABLE = "unreadable"


class Check(Enum):
    """The named checks of a report, in the order in which they are shown."""

    CHAIN = "chain"
    SIGNATURES = "signatures"
    MEMBERS = "members"
    COMMITMENTS = "commitments"
    MASKS = "masks"
    LOCKS = "locks"
    KEYS = "keys"
    CARDS = "cards"
    RULES = "rules"
    SCORES = "scores"
    REVEALS = "reveals"
    SHARES = "shares"
    STATES = "states"


FAULT_OF_REFUSAL = {
    RefusalReason.MALFORMED: (Fault.FORGED, Check.SIGNATURES),
    RefusalReason.BAD_SIGNATURE: (Fault.FORGED, Check.SIGNATURES),
    RefusalReason.NOT_A_SEAT: (Fault.BAD_ORDER, Check.MEMBERS),
    RefusalReason.WRONG_TABLE: (Fault.BAD_ORDER, Check.CHAIN),
    RefusalReason.WRONG_ROUND: (Fault.BAD_ORDER, Check.CHAIN),
    RefusalReason.STALE_COUNTER: (Fault.BAD_ORDER, Check.CHAIN),
    RefusalReason.UNKNOWN_HEAD: (Fault.BAD_ORDER, Check.CHAIN),
    RefusalReason.FULL: (Fault.BAD_ORDER, Check.CHAIN),
}
"""What an entry proves against the host that signed it although its body has to be refused: the
fault and the failed check, by the reason for the refusal. `OTHER_FAULT` applies to all others."""
OTHER_FAULT = (Fault.BAD_ORDER, Check.RULES)


class Blame(Struct, frozen=True):
    """One proven fault: the seat, the fault, the round, and the entry that proves it."""

    seat: int | None
    """A seat of the roster, or None if the bytes prove nothing against any seat."""
    fault: Fault
    round: int
    entry: int
    """Sequence number of the entry that proves the fault."""
    detail: str = ""
    """An English phrase for logs and developers; never a secret."""


class BodyRefused(LogError):
    """A body cannot be appended to the log as it stands."""

    def __init__(self, refusal: RefusalReason, detail: str = "") -> None:
        super().__init__(f"{refusal.value}: {detail}" if detail else refusal.value)
        self.refusal = refusal
        self.detail = detail


class HostFault(LogError):
    """An entry that no honest host writes. The reader stops there and keeps it as evidence."""

    def __init__(self, blame: Blame, check: Check) -> None:
        super().__init__(f"{blame.fault.value} at entry {blame.entry}: {blame.detail}")
        self.blame = blame
        self.check = check
