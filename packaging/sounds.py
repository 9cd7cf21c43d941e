"""Generates the game's sounds from sines and noise: `python packaging/sounds.py`.

Writes resources/sounds/*.wav (mono, 16 bits). Every run produces the same files.
"""

from __future__ import annotations

import math
import random
import sys
import wave
from collections.abc import Callable, Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "resources" / "sounds"
RATE = 22_050
LOUDEST = 0.5

Samples = list[float]


def silence(seconds: float) -> Samples:
    """Return silence of this length."""
    return [0.0] * round(seconds * RATE)


def note(pitch: float, seconds: float, *, soft: float = 6.0, bright: float = 0.25) -> Samples:
    """Return a struck bar: a decaying sine with two overtones. A higher `soft` decays faster."""
    found = []
    for number in range(round(seconds * RATE)):
        time = number / RATE
        attack = min(1.0, time / 0.004)
        fall = math.exp(-soft * time / seconds)
        wave_ = math.sin(2 * math.pi * pitch * time)
        wave_ += bright * math.sin(2 * math.pi * pitch * 2 * time) * math.exp(-8 * time / seconds)
        wave_ += (
            bright / 3 * math.sin(2 * math.pi * pitch * 4 * time) * math.exp(-14 * time / seconds)
        )
        found.append(attack * fall * wave_)
    return found


def rustle(seconds: float, low: float, high: float, *, seed: str, rise: float = 0.3) -> Samples:
    """Return paper sliding over paper: noise through a filter that moves from `low` to `high`."""
    noise = random.Random(seed)
    found: Samples = []
    slow = fast = 0.0
    count = round(seconds * RATE)
    for number in range(count):
        share = number / count
        pitch = low + (high - low) * share
        keep = math.exp(-2 * math.pi * pitch / RATE)
        fast = keep * fast + (1 - keep) * noise.uniform(-1, 1)
        slow = 0.995 * slow + 0.005 * fast
        shape = min(1.0, share / rise) * (1 - share) ** 1.5
        found.append((fast - slow) * shape)
    return found


def tap(seed: str, pitch: float = 190.0) -> Samples:
    """Return the sound of a card that lands on other cards."""
    body = note(pitch, 0.09, soft=9, bright=0.1)
    paper = rustle(0.06, 5200, 1500, seed=seed, rise=0.05)
    return mixed([(0, body, 0.6), (0, paper, 1.6)])


def mixed(parts: Sequence[tuple[float, Samples, float]]) -> Samples:
    """Mix parts, each given as (start in seconds, samples, volume)."""
    length = max(round(begin * RATE) + len(samples) for begin, samples, _ in parts)
    found = [0.0] * length
    for begin, samples, strength in parts:
        first = round(begin * RATE)
        for number, sample in enumerate(samples):
            found[first + number] += strength * sample
    return found


def card() -> Samples:
    """Return the sound of a card being laid."""
    return tap("card")


def draw() -> Samples:
    """Return the sound of a card sliding off the draw pile."""
    return rustle(0.16, 1200, 4800, seed="draw")


def deal() -> Samples:
    """Return the sound of shuffling and dealing."""
    return mixed([(0.055 * n, tap(f"deal {n}", 170 + 8 * n), 0.8) for n in range(7)])


def action() -> Samples:
    """Return the sound of an action card taking effect."""
    return mixed([(0, note(392, 0.16), 0.7), (0.07, note(311.1, 0.22), 0.7)])


def uno() -> Samples:
    """Return the sound of a player's "UNO"."""
    return mixed(
        [(0, note(523.3, 0.18), 0.7), (0.09, note(659.3, 0.18), 0.7), (0.18, note(784, 0.3), 0.8)]
    )


def turn() -> Samples:
    """Return the sound for the start of the player's turn."""
    return mixed([(0, note(587.3, 0.3, soft=5), 0.7), (0.12, note(880, 0.4, soft=5), 0.6)])


def clock() -> Samples:
    """Return the sound for ten seconds left."""
    tick = note(1046.5, 0.07, soft=8, bright=0.5)
    return mixed([(0, tick, 0.7), (0.18, tick, 0.7), (0.36, tick, 0.7)])


def win() -> Samples:
    """Return the sound for a player who has gone out."""
    pitches = (523.3, 659.3, 784.0, 1046.5)
    return mixed([(0.11 * n, note(pitch, 0.5, soft=4.5), 0.6) for n, pitch in enumerate(pitches)])


SOUNDS: dict[str, Callable[[], Samples]] = {
    make.__name__: make for make in (card, draw, deal, action, uno, turn, clock, win)
}


def written(samples: Samples, path: Path) -> None:
    """Write samples to a file, scaled to the same peak as all sounds."""
    most = max(abs(sample) for sample in samples)
    values = [round(sample / most * LOUDEST * 32_767) for sample in samples]
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(b"".join(value.to_bytes(2, "little", signed=True) for value in values))


def main(folder: Path = FOLDER) -> int:
    """Write all sounds."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in SOUNDS.items():
        written(make(), folder / f"{name}.wav")
    return 0


if __name__ == "__main__":
    sys.exit(main())
