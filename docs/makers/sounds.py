"""Synthesises the sounds of the game and packs them into one file: `python docs/makers/sounds.py`.

A knock is modal: a body is a few damped sine waves (its modes), and a blow is a very short burst of
noise that excites them. A smaller or harder body has higher modes; wood loses its high modes first;
felt makes the blow longer and softer and damps the body. The samples are Opus in WebM, and
`model/takes.js` says where each take begins. Needs numpy and ffmpeg.
"""

import subprocess
import wave
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

STATIC = Path(__file__).parents[2] / "src/shutbox/web/static"
SAMPLES, TAKES = STATIC / "sounds/shutbox.webm", STATIC / "model/takes.js"
RATE = 44_100
SEED = 20
_RANDOM = np.random.default_rng(SEED)
Sound = NDArray[np.float64]
Modes = list[tuple[float, float, float]]
"""For each mode its frequency in Hz, the seconds until it is 60 dB lower, and its level."""

DIE: Modes = [
    *((2650, 0.050, 1.0), (4120, 0.036, 0.75), (5900, 0.026, 0.5), (8300, 0.016, 0.3)),
    (1480, 0.045, 0.35),
]
FELT: Modes = [(185, 0.090, 0.9), (310, 0.060, 0.5), (520, 0.040, 0.25)]
WALL: Modes = [
    *((420, 0.120, 0.8), (760, 0.090, 0.7), (1240, 0.065, 0.5), (1930, 0.045, 0.35)),
    (2900, 0.030, 0.2),
]
TILE: Modes = [
    *((940, 0.110, 1.0), (1710, 0.075, 0.7), (2630, 0.050, 0.45), (3880, 0.032, 0.3)),
    (410, 0.130, 0.55),
]
FLOOR: Modes = [(205, 0.160, 0.7), (345, 0.110, 0.4)]
LID: Modes = [
    *((78, 0.420, 0.55), (132, 0.340, 0.6), (221, 0.260, 0.6), (356, 0.190, 0.6)),
    *((590, 0.120, 0.55), (980, 0.080, 0.45), (1650, 0.05, 0.3)),
]
BRASS: Modes = [(3120, 0.160, 1.0), (4870, 0.120, 0.7), (7250, 0.080, 0.45), (1830, 0.080, 0.4)]


def body(modes: Modes, length: float, vary: float = 0.03) -> Sound:
    """Return the response of a body to an impulse, with slightly different modes at every call."""
    time = np.arange(int(length * RATE)) / RATE
    sound = np.zeros_like(time)
    for frequency, fall, level in modes:
        pitch = frequency * (1 + vary * _RANDOM.uniform(-1, 1))
        loud = level * 10 ** (_RANDOM.uniform(-2, 2) / 20)
        sound += loud * np.exp(-6.908 * time / fall) * np.sin(2 * np.pi * pitch * time)
    return sound


def blow(milliseconds: float, softness: float = 0.0) -> Sound:
    """Return the noise burst of one contact; `softness`, 0 to 1, takes away its high part."""
    size = max(8, int(RATE * milliseconds / 1000))
    noise = _RANDOM.normal(size=size) * np.hanning(size)
    noise += 2.0 * np.hanning(size)  # the push itself
    width = 1 + int(softness * 40)
    return np.convolve(noise, np.ones(width) / width, "same")


def hit(
    modes: Modes, length: float, milliseconds: float, softness: float = 0.0, vary: float = 0.03
) -> Sound:
    """Return a body that is hit once."""
    sound = np.convolve(body(modes, length, vary), blow(milliseconds, softness))
    return sound[: int(length * RATE)]


def mixed(*parts: tuple[Sound, float, float]) -> Sound:
    """Mix parts, each a sound with its start in seconds and its level."""
    size = max(int(start * RATE) + len(sound) for sound, start, _ in parts)
    found = np.zeros(size)
    for sound, start, level in parts:
        at = int(start * RATE)
        found[at : at + len(sound)] += level * sound / np.max(np.abs(sound))
    return found


def in_room(sound: Sound, length: float, level: float) -> Sound:
    """Add a short wooden room: noise after 9 ms that decays and gets darker."""
    time = np.arange(int(length * RATE)) / RATE
    tail = _RANDOM.normal(size=time.size) * np.exp(-6.908 * time / length)
    tail = np.convolve(tail, np.ones(14) / 14, "same")
    wet = np.convolve(sound, tail)[: len(sound) + time.size]
    wet *= level * np.max(np.abs(sound)) / np.max(np.abs(wet))
    late = int(0.009 * RATE)
    found = np.zeros(len(wet) + late)
    found[: len(sound)] += sound
    found[late:] += wet
    return found


def marimba(frequency: float, length: float) -> Sound:
    """Return one struck bar, whose overtones are two octaves up and near ten times as high."""
    modes = [(1.0, length, 1.0), (4.0, length * 0.32, 0.28), (9.9, length * 0.1, 0.09)]
    bar = [(frequency * ratio, fall, level) for ratio, fall, level in modes]
    return mixed((body(bar, length, 0), 0, 1.0), (hit(WALL, 0.06, 1.2), 0, 0.10))


def notes(numbers: list[int], step: float, last: float) -> Sound:
    """Return MIDI notes one after the other, so many seconds apart; the last one is longer."""
    *others, end = numbers
    lengths = [(note, 0.42, 0.8) for note in others] + [(end, last, 1.0)]
    bars = [
        (marimba(440 * 2 ** ((note - 69) / 12), length), place * step, level)
        for place, (note, length, level) in enumerate(lengths)
    ]
    return in_room(mixed(*bars), 0.25, 0.12)


def felt() -> Sound:
    """Return a die that falls on felt, and touches it once more."""
    die, ground, again = hit(DIE, 0.10, 0.9, 0.1), hit(FELT, 0.13, 5.0, 1.0), hit(DIE, 0.05, 1.0)
    return mixed(
        (die, 0, 1.0), (ground, 0.0004, 0.42), (again, _RANDOM.uniform(0.012, 0.022), 0.22)
    )


def wood() -> Sound:
    """Return a die that meets the wall of the box."""
    return mixed((hit(DIE, 0.09, 0.6), 0, 0.8), (hit(WALL, 0.16, 0.7), 0.0002, 1.0))


def hand() -> Sound:
    """Return two dice that meet in a hand."""
    one, other = hit(DIE, 0.06, 0.5), hit(DIE, 0.05, 0.5, vary=0.06)
    return mixed((one, 0, 1.0), (other, _RANDOM.uniform(0.009, 0.02), _RANDOM.uniform(0.3, 0.7)))


def pick() -> Sound:
    """Return dice that are picked up."""
    return mixed((hand(), 0, 1.0), (hand(), 0.055, 0.6))


def tile() -> Sound:
    """Return a tile that falls, and rebounds."""
    falls, floor = hit(TILE, 0.17, 0.6), hit(FLOOR, 0.2, 3.0, 0.5)
    return mixed((falls, 0, 1.0), (floor, 0.0005, 0.4), (hit(TILE, 0.06, 0.7), 0.052, 0.16))


def lid() -> Sound:
    """Return the lid."""
    slam, wall = hit(LID, 0.5, 1.6, 0.1), hit(WALL, 0.15, 0.8)
    again = hit(LID, 0.3, 3.0, 0.3)
    return in_room(mixed((slam, 0, 1.0), (wall, 0, 0.75), (again, 0.09, 0.22)), 0.32, 0.30)


def latch() -> Sound:
    """Return the latch of the lid."""
    first, second, wooden = hit(BRASS, 0.14, 0.4), hit(BRASS, 0.18, 0.4), hit(TILE, 0.1, 0.8)
    return mixed((first, 0, 0.5), (second, 0.046, 1.0), (wooden, 0.046, 0.5))


def creak() -> Sound:
    """Return the hinges of the lid: wood that sticks and slips, ever faster, and then rests."""
    sound = np.zeros(int(0.65 * RATE))
    at, wait = 0.01, 0.034
    while at < 0.5:
        slip = hit(WALL[1:4], 0.05, 0.5, 0.2, vary=0.06) * np.sin(np.pi * at / 0.52) ** 0.7
        sound[int(at * RATE) :][: len(slip)] += slip
        at, wait = at + wait, wait * _RANDOM.uniform(0.9, 0.97)
    return mixed((sound, 0, 1.0), (hit(LID[2:], 0.12, 4.0, 0.8), 0.52, 0.3))


def slide() -> Sound:
    """Return a wooden figure that slides over felt, and stands."""
    time = np.arange(int(0.38 * RATE)) / RATE
    cloth = np.convolve(_RANDOM.normal(size=time.size), np.ones(24) / 24, "same")
    cloth *= np.exp(-7 * time) * (1 - np.exp(-90 * time))
    return mixed(
        (cloth, 0, 0.6),
        (hit(FELT, 0.13, 5.0, 1.0), 0.3, 0.8),
        (hit(TILE[:3], 0.05, 1.0, 0.6), 0.3, 0.3),
    )


SOUNDS: dict[str, tuple[Callable[[], Sound], int, float, float]] = {
    "felt": (felt, 6, -16, 0.14),
    "wood": (wood, 3, -15, 0.16),
    "hand": (hand, 4, -20, 0.08),
    "tile": (tile, 4, -14, 0.20),
    "tick": (lambda: hit(TILE[1:4], 0.05, 0.4), 2, -24, 0.05),
    "tock": (lambda: hit(TILE[:3] + TILE[4:], 0.06, 0.8, 0.2), 2, -24, 0.06),
    "pick": (pick, 2, -22, 0.12),
    "latch": (latch, 1, -14, 0.22),
    "lid": (lid, 1, -8, 0.75),
    "win": (lambda: notes([67, 72, 76, 79, 84], 0.105, 0.9), 1, -13, 1.35),
    "stuck": (lambda: notes([74, 70, 67], 0.16, 0.6), 1, -16, 0.95),
    "creak": (creak, 1, -22, 0.65),
    "slide": (slide, 2, -20, 0.45),
}
"""How each sound is made, the number of takes, the peak in dBFS, and the most seconds."""


def finished(sound: Sound, peak: float, length: float) -> Sound:
    """Return a sound of at most this length and with this peak, which begins and ends softly."""
    sound = sound[: int(length * RATE)].copy()
    fade = min(len(sound) // 4, int(0.03 * RATE))
    sound[-fade:] *= np.cos(np.linspace(0, np.pi / 2, fade)) ** 2
    sound[:22] *= np.linspace(0, 1, 22)  # half a millisecond, so that it does not click
    found: Sound = sound * 10 ** (peak / 20) / np.max(np.abs(sound))
    return found


def all_takes() -> tuple[Sound, dict[str, list[list[float]]]]:
    """Return all takes in one sound, and the start and length of each in seconds."""
    whole, index = [np.zeros(int(0.05 * RATE))], dict[str, list[list[float]]]()
    at = len(whole[0])
    for name, (make, takes, peak, length) in SOUNDS.items():
        for take in range(takes):
            made = make()
            softer = _RANDOM.uniform(0, 1.5) if take else 0
            sound = finished(made, peak - softer, length)
            index.setdefault(name, []).append([round(at / RATE, 4), round(len(sound) / RATE, 4)])
            whole += [sound, np.zeros(int(0.03 * RATE))]
            at += len(sound) + len(whole[-1])
    return np.concatenate(whole), index


def packed(samples: Sound, target: Path) -> None:
    """Write samples as Opus in WebM."""
    with TemporaryDirectory() as folder:
        plain = Path(folder) / "samples.wav"
        with wave.open(str(plain), "wb") as file:
            file.setnchannels(1)
            file.setsampwidth(2)
            file.setframerate(RATE)
            file.writeframes((np.clip(samples, -1, 1) * 32767).astype("<i2").tobytes())
        program = ["ffmpeg", "-v", "error", "-y", "-i", str(plain), "-c:a", "libopus", "-b:a"]
        how = ["48k", "-frame_duration", "10", "-application", "audio", "-map_metadata", "-1"]
        subprocess.run([*program, *how, "-fflags", "+bitexact", str(target)], check=True)


def main() -> None:
    """Write the samples, and the module that says where each take is."""
    samples, index = all_takes()
    SAMPLES.parent.mkdir(exist_ok=True)
    packed(samples, SAMPLES)
    lines = "".join(f"  {name}: {takes},\n" for name, takes in index.items())
    head = TAKES.read_text().partition("export const")[0]
    TAKES.write_text(f"{head}export const TAKES = {{\n{lines}}};\n")
    print(f"{SAMPLES}: {len(samples) / RATE:.2f} s, {SAMPLES.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
