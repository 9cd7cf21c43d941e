"""The process that plays sounds: `python -m lanuno.app.sound_player FOLDER`, started by the app.

It plays with just_playback: a maintained MIT library that has wheels for every Linux, needs no
compiler and feeds the device without Python's help (miniaudio has no wheel for Linux on aarch64).

It is a process of its own because a sound server may block or crash the program that plays, and
because ALSA and JACK write to standard error. One request a line on standard input:

    play NAME VOLUME TIME      VOLUME 0…1 of FOLDER/NAME.wav; TIME is `time.monotonic` of the app
    look TIME                  only find out whether there is a device

and for each one line on standard output: `on`, or `none` where there is no device. It ends with
its standard input. Nothing of Qt belongs here.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Protocol

ON: Final = "on"
NONE: Final = "none"

LATE: Final = 0.7
"""Seconds after which a sound is not played any more: it would belong to nothing."""

QUIET: Final = 3.0
"""Seconds after which the device of a sound is closed, longer than any sound. It uses CPU."""

LINE: Final = 4096
"""Longer input is not ours."""


class Sound(Protocol):
    """A device with one sound. The system mixes the devices of several sounds."""

    def play(self) -> None:
        """Play it from its beginning."""

    def close(self) -> None:
        """Give the device back."""


class NoDeviceError(Exception):
    """There is nothing that could be heard."""


OpenSound = Callable[[Path, float], Sound]
"""Opens a device for a file at a volume; raises `NoDeviceError`."""


def open_sound(file: Path, volume: float) -> Sound:
    """A device of just_playback."""
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
    """Whether it is the device that miniaudio invents where there is no other.

    The library does not tell; where a later one hides its state, the device counts as real.
    """
    from _ma_playback import lib

    attributes: Any = getattr(sound, "_Playback__ma_attrs", None)
    try:
        return bool(attributes.device.pContext.backend == lib.ma_backend_null)
    except AttributeError:
        return False


class _Checked:
    """A sound of the library, with our error."""

    def __init__(self, sound: Any, error: type[Exception]) -> None:
        self._sound, self._error = sound, error

    def play(self) -> None:
        """Play it from its beginning."""
        try:
            self._sound.play()
        except self._error as error:
            raise NoDeviceError(str(error)) from None

    def close(self) -> None:
        """Give the device back."""
        with contextlib.suppress(self._error):
            self._sound.close()


class SoundPlayer:
    """Opens devices when they are needed, and closes them when it has been quiet."""

    def __init__(self, folder: Path, open_: OpenSound = open_sound) -> None:
        """`folder`: where the sounds are."""
        self._folder = folder
        self._open = open_
        self._sounds: dict[str, tuple[Sound, float, float]] = {}
        """By name: with the volume that it was opened for, and the time until which it is kept."""

    def answer(self, line: str, now: float) -> str:
        """Do what a line asks for."""
        match line.split():
            case ["play", name, volume, asked] if now - float(asked) <= LATE:
                return self._play(name, float(volume), now)
            case ["play", *_]:
                return ON
            case _:
                return self._look()

    def _play(self, name: str, volume: float, now: float) -> str:
        for _attempt in range(2):  # the server may have been started again since the last time
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
        """Close what is quiet. Seconds until it has to be asked again; None: not before a line."""
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
    """Answer the lines of a pipe until its end."""
    rest = b""
    while True:
        wait = player.rest(time.monotonic())
        readable, _, _ = select.select([requests], [], [], wait)
        if not readable:
            continue
        data = os.read(requests, LINE)
        *lines, rest = (rest + data).split(b"\n")
        if not data or len(rest) > LINE:
            return
        for line in lines:
            said = player.answer(line.decode(), time.monotonic())
            os.write(answers, said.encode() + b"\n")


def main(arguments: list[str]) -> None:
    """Play what standard input asks for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C is for the app, which ends this one
    with contextlib.suppress(BrokenPipeError):
        serve(SoundPlayer(Path(arguments[0])), sys.stdin.fileno(), sys.stdout.fileno())
    sys.stdout.flush()
    # A device whose server does not answer must not keep this process.
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
