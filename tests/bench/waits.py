"""What a person at the table waits for, from a click to the frame that shows what it did.

One window, without a screen and with the software renderer, practises against bots. Its player
acts as soon as it is on turn, which is right after a move of another player, and clicks everything
away that a click can end.
"""

from __future__ import annotations

import json
import statistics

from tests.bench.row import Row
from tests.bench.window import first_line

OWN_ACT = 50.0
"""Milliseconds within which a player's own card is in the picture."""

NEXT_CARDS = 300.0
"""Milliseconds from the last player's "Go on" to a picture of the next cards."""

ROUNDS = 4

PRACTICE = """
import json
import sys
from time import perf_counter
from msgspec.structs import replace
from lanuno.app import main, program, running
from lanuno.bots.pace import PACES
from lanuno.rules.presets import PRESETS
from PySide6.QtCore import SIGNAL, QObject, QTimer
from tests.app.slot_player import SlotPlayer
class Timed(running.Running):
    def __init__(self, *given, **named):
        super().__init__(*given, **named)
        self.table, self.result = self.app.table_controller, self.app.result_controller
        self.player = SlotPlayer(self.app)
        self.clicked, self.laid, self.wanted, self.ended = 0.0, False, None, None
        self.own, self.cards, self.ends = [], [], []
        self.table.moved.connect(self.move)
        self.table.roundEndChanged.connect(self.end)
        QObject.connect(self.window, SIGNAL("frameSwapped()"), self.frame)
        self.app.session_controller.bot_pace = PACES["fast"]
        self.ticking = QTimer(self.app)
        self.ticking.timeout.connect(self.tick)
        QTimer.singleShot(1000, self.app, self.begin)
    def begin(self):
        self.app.home_controller.practise_by(replace(PRESETS["classic"], hand_size=3), 3)
        self.ticking.start(2)
    def move(self, kind, *rest):
        self.laid = self.laid or kind == "lay"
    def end(self):
        if self.table.property("roundEnd")["open"]:
            self.ended = perf_counter()
            QTimer.singleShot(0, self.table, self.table.closeRoundEnd)
    def tick(self):
        if self.app.property("page") == "result" and self.result.property("nextIn"):
            # A person takes a moment to find the button, and the cards are dealt meanwhile.
            self.ticking.stop()
            QTimer.singleShot(1000, self.app, self.go_on)
            return
        if not self.laid:
            self.clicked = perf_counter()
        self.player.play()
    def go_on(self):
        self.wanted = self.table.property("roundNumber"), perf_counter()
        self.result.goOn()
        self.ticking.start(2)
    def frame(self):
        now = perf_counter()
        if self.laid:
            self.own.append(1000 * (now - self.clicked))
            self.laid = False
        page, hand = self.app.property("page"), self.table.property("hand").rowCount()
        if self.wanted is not None and page == "table" and hand and self.played():
            self.cards.append(1000 * (now - self.wanted[1]))
            self.ends.append(1000 * (now - self.ended) - 1000)
            self.wanted = None
            if len(self.cards) == int(sys.argv[2]):
                self.ticking.stop()
                print(json.dumps([self.own, self.cards, self.ends]), flush=True)
                sys.stdout.close()
    def played(self):
        return self.table.property("phase") == "playing"
running.Running = Timed
sys.exit(program.run(["--home", sys.argv[1]]))
"""


def run() -> list[Row]:
    """Play some rounds, and compare the waits with their limits."""
    own, cards, ends = json.loads(first_line(PRACTICE, str(ROUNDS))[2])
    return [
        Row(
            "click to own card",
            statistics.median(own) / OWN_ACT,
            1.0,
            f"{statistics.median(own):.0f} ms of {OWN_ACT:g}, at most {max(own):.0f} ms"
            f" ({len(own)} cards, right after another player's move)",
        ),
        Row(
            "round end to next card, once all have clicked",
            statistics.median(cards) / NEXT_CARDS,
            1.0,
            f"{statistics.median(cards):.0f} ms of {NEXT_CARDS:g}, at most {max(cards):.0f} ms;"
            f" {statistics.median(ends):.0f} ms since the last card, without the time to click",
        ),
    ]
