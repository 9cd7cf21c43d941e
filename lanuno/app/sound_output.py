"""Plays sounds in a separate process, and knows whether there is a device on which they are heard.

No call here blocks. A process that crashes or does not answer is killed, and started again with a
later sound. A fault means silence, never a message. `sound_player.py` is the code of that process;
`sounds.py` decides which sounds are played, and when.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, QTimer, Signal

from lanuno.app.sound_player import NONE
from lanuno.store.errors import StoreError
from lanuno.store.resources import resource

_log = logging.getLogger(__name__)

SILENT_VARIABLE: Final = "LANUNO_SILENT"
"""If this environment variable is set, no device is opened: for tests, and for silence."""

ANSWER_MS: Final = 5_000
"""Time limit for an answer of the process."""

RESTART_SECONDS: Final = 5.0
"""Seconds until a missing device is looked for again, and a failed process is started again."""

PROGRAM: Final = (sys.executable, "-m", "lanuno.app.sound_player")
"""The command of the process; the folder of the sounds is added as its argument."""

IDLE_MS: Final = 120_000
"""How long the process is kept without requests. It needs about 10 MiB."""

KILL_MS: Final = 500
"""Time to wait for the end of the process after it was killed."""

MOST_UNSENT: Final = 16 * 1024
"""Bytes that may wait for the process. Further requests are dropped, as it does not read."""


class SoundOutput(QObject):
    """The process that plays: started by a request, ended when it is idle or the app ends."""

    heardChanged = Signal()

    def __init__(self, parent: QObject | None = None, program: Sequence[str] = PROGRAM) -> None:
        """Start no process yet."""
        super().__init__(parent)
        self._program = program
        self.can_be_heard = True
        """False if no device was found, or if the process has failed."""
        self._process: QProcess | None = None
        self._next_attempt_at = 0.0
        self._unread = b""
        self._answer_timer = QTimer(self)
        self._answer_timer.setSingleShot(True)
        self._answer_timer.setInterval(ANSWER_MS)
        self._answer_timer.timeout.connect(self._lost)
        self._idle_timer = QTimer(self)
        self._idle_timer.setSingleShot(True)
        self._idle_timer.setInterval(IDLE_MS)
        self._idle_timer.timeout.connect(self.close)

    def play(self, name: str, volume: float) -> None:
        """Play a sound at a share (0…1) of its full loudness."""
        self._request(f"play {name} {volume:.4f}")

    def check_device(self) -> None:
        """Find out whether there is a device, without playing a sound."""
        self._request("look")

    def _request(self, what: str) -> None:
        now = time.monotonic()
        if os.environ.get(SILENT_VARIABLE) or (
            now < self._next_attempt_at and not self.can_be_heard
        ):
            return
        if not self.can_be_heard:
            self._next_attempt_at = now + RESTART_SECONDS
        try:
            process = self._process or self._start()
        except StoreError as error:
            _log.info("no sound: %s", error)
            self._lost()
            return
        if process.bytesToWrite() < MOST_UNSENT:
            process.write(f"{what} {now:.3f}\n".encode())
        self._idle_timer.start()
        if not self._answer_timer.isActive():
            self._answer_timer.start()

    def _start(self) -> QProcess:
        folder = resource("sounds")
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        # Otherwise `-m` would import files in the current folder as modules.
        environment.insert("PYTHONSAFEPATH", "1")
        process.setProcessEnvironment(environment)
        # ALSA and JACK write their complaints there.
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(self._read_answers)
        process.errorOccurred.connect(self._failed)
        process.finished.connect(self._lost)
        self._process = process
        program, *arguments = self._program
        process.start(program, [*arguments, str(folder)])
        return process

    def _failed(self) -> None:
        if self._process is not None:
            _log.info("no sound: %s", self._process.errorString())
            self._lost()

    def _read_answers(self) -> None:
        if self._process is None:
            return
        data = bytes(self._process.readAllStandardOutput().data())
        *lines, self._unread = (self._unread + data).split(b"\n")
        if lines:
            self._answer_timer.stop()
            self._set_heard(lines[-1].decode() != NONE)

    def _lost(self) -> None:
        """Close the process, because it has ended or does not answer."""
        self.close()
        self._set_heard(False)

    def _set_heard(self, heard: bool) -> None:
        if not heard:
            self._next_attempt_at = time.monotonic() + RESTART_SECONDS
        if heard is not self.can_be_heard:
            self.can_be_heard = heard
            _log.info("there is a sound device" if heard else "there is no sound device")
            self.heardChanged.emit()

    def close(self) -> None:
        """Kill the process."""
        process, self._process = self._process, None
        self._answer_timer.stop()
        self._idle_timer.stop()
        self._unread = b""
        if process is not None:
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(KILL_MS)
            process.deleteLater()
