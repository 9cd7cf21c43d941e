"""The process that plays sounds: `python -m lanuno.app.sound_player FOLDER`, started by the app.

It plays with just_playback: a maintained MIT library that has wheels for every Linux, needs no
compiler and feeds the device without Python's help (miniaudio has no wheel for Linux on aarch64).

It is a separate process because a sound server may block or crash the program that plays, and
because ALSA and JACK write to standard error. Each line on standard input is a request:

    play NAME VOLUME TIME      play FOLDER/NAME.wav; VOLUME 0…1, TIME is `time.monotonic` of the app
    look TIME                  only find out whether there is a device

Each request is answered with one line on standard output: `on`, or `none` if there is no device.
The process ends when its standard input ends. Nothing of Qt belongs here.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

from lanuno.system.files import READER_GONE
from lanuno.system.signals import ignore_interrupts

ON: Final = "on"
NONE: Final = "none"

LATE: Final = 0.7
"""Seconds after which a sound is not played any more, because its occasion is over."""

QUIET: Final = 3.0
"""Seconds after which the device of a sound is closed, longer than any sound. It uses CPU."""

LINE: Final = 4096
"""Limit for a line of input, in bytes. A longer line is not from the app: the process ends."""


class Sound(Protocol):
    """A device with one sound. The system mixes the devices of several sounds."""

    def play(self) -> None:
        """Play the sound from its beginning."""

    def close(self) -> None:
        """Close the device."""


class NoDeviceError(Exception):
    """There is no device on which a sound could be heard."""


OpenSound = Callable[[Path, float], Sound]
"""Opens a device for a file at a volume; raises `NoDeviceError`."""


def open_sound(file: Path, volume: float) -> Sound:
    """Open a device of just_playback. Raises `NoDeviceError`."""
    from just_playback import Playback
    from just_playback.ma_result import MiniaudioError

    try:
        sound = Playback()
        sound.set_volume(volume)
        sound.load_file(str(file))
    except MiniaudioError as error:
        raise NoDeviceError(str(error)) from None
    if _is_null(sound):
        sound.close()
        raise NoDeviceError("the null device")
    return _Checked(sound, MiniaudioError)


def _is_null(sound: Any) -> bool:
    """Whether it is the null device, which miniaudio opens where there is no other.

    The library does not say so. If a later version hides its state, the device counts as real.
    """
    from _ma_playback import lib

    attributes: Any = getattr(sound, "_Playback__ma_attrs", None)
    try:
        return bool(attributes.device.pContext.backend == lib.ma_backend_null)
    except AttributeError:
        return False


class _Checked:
    """A sound of the library that raises `NoDeviceError`."""

    def __init__(self, sound: Any, error: type[Exception]) -> None:
        self._sound, self._error = sound, error

    def play(self) -> None:
        """Play the sound from its beginning."""
        try:
            self._sound.play()
        except self._error as error:
            raise NoDeviceError(str(error)) from None

    def close(self) -> None:
        """Close the device."""
        with contextlib.suppress(self._error):
            self._sound.close()


class SoundPlayer:
    """Opens devices when they are needed, and closes them after a silence."""

    def __init__(self, folder: Path, open_: OpenSound = open_sound) -> None:
        """`folder`: the folder of the sound files."""
        self._folder = folder
        self._open = open_
        self._sounds: dict[str, tuple[Sound, float, float]] = {}
        """By name: the device, the volume for which it was opened, and when it may be closed."""

    def answer(self, line: str, now: float) -> str:
        """Carry out a request, and return the answer."""
        match line.split():
            case ["play", name, volume, asked] if now - float(asked) <= LATE:
                return self._play(name, float(volume), now)
            case ["play", *_]:
                return ON
            case _:
                return self._look()

    def _play(self, name: str, volume: float, now: float) -> str:
        for _attempt in range(2):  # the server may have been restarted since the last sound
            try:
                sound, loud, _ = self._sounds.get(name) or (None, volume, now)
                if sound is None or loud != volume:
                    self._close(name)
                    sound = self._open(self._folder / f"{name}.wav", volume)
                self._sounds[name] = sound, volume, now + QUIET
                sound.play()
            except NoDeviceError:
                self.close()
            else:
                return ON
        return NONE

    def _look(self) -> str:
        if self._sounds:
            return ON
        try:
            self._open(next(self._folder.glob("*.wav")), 0.0).close()
        except (NoDeviceError, StopIteration):
            return NONE
        return ON

    def rest(self, now: float) -> float | None:
        """Close silent devices. Returns the seconds until the next one is due, None without one."""
        for name, (_, _, until) in list(self._sounds.items()):
            if until <= now:
                self._close(name)
        ends = [until for _, _, until in self._sounds.values()]
        return min(ends) - now if ends else None

    def _close(self, name: str) -> None:
        if name in self._sounds:
            self._sounds.pop(name)[0].close()

    def close(self) -> None:
        """Close all devices."""
        for name in list(self._sounds):
            self._close(name)


def serve(player: SoundPlayer, requests: int, answers: int) -> None:
    """Answer the requests of a pipe until its end."""
    # A thread reads, because Windows cannot wait for a pipe with a time limit.
    pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, pieces), daemon=True).start()
    rest = b""
    while True:
        wait = player.rest(time.monotonic())
        try:
            data = pieces.get(timeout=wait)
        except queue.Empty:
            continue
        *lines, rest = (rest + data).split(b"\n")
        if not data or len(rest) > LINE:
            return
        for line in lines:
            said = player.answer(line.decode(), time.monotonic())
            os.write(answers, said.encode() + b"\n")


def _read(requests: int, pieces: queue.SimpleQueue[bytes]) -> None:
    """Pass on what comes from a pipe; at its end, an empty piece."""
    data = b"begin"
    while data:
        data = os.read(requests, LINE)
        pieces.put(data)


def main(arguments: list[str]) -> None:
    """Answer the requests on standard input."""
    ignore_interrupts()  # Ctrl+C is for the app, which ends this process
    try:
        serve(SoundPlayer(Path(arguments[0])), sys.stdin.fileno(), sys.stdout.fileno())
    except OSError as error:
        if error.errno not in READER_GONE:
            raise
    sys.stdout.flush()
    # Exit even if a device blocks because its server does not answer.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
