"""Draws the wood and the felt of the box, without visible seams: `python docs/makers/textures.py`.

Each is grey around the middle. Blended with a colour, it makes the colour a little lighter or
darker, by at most `SPAN`. tests/browser/test_looks.py checks the contrast of the text on them.
Needs numpy and Pillow.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

FOLDER = Path(__file__).parents[2] / "src/shutbox/web/static/textures"
SEED = 2026
MIDDLE, SPAN = 128, 52
_FELT = ((0.4, 0.8), (1.5, 0.35), (9, 0.2))
"""The sizes of spots, and the weight of each."""
Grey = NDArray[np.float64]


def noise(random: np.random.Generator, high: int, wide: int, across: float, along: float) -> Grey:
    """Return seamless noise with mean 0 and deviation 1, with spots of these sizes in pixels."""
    waves = np.fft.fft2(random.standard_normal((high, wide)))
    y, x = np.meshgrid(np.fft.fftfreq(high), np.fft.fftfreq(wide), indexing="ij")
    waves *= 1 / (1 + (y * across * 4) ** 2 + (x * along * 4) ** 2)
    waves[0, 0] = 0
    found = np.real(np.fft.ifft2(waves))
    scaled: Grey = found / found.std()
    return scaled


def wood(random: np.random.Generator, high: int = 256, wide: int = 512) -> Grey:
    """Return wood: rings sawn lengthwise, the fibres between them, and pores."""
    rows = np.arange(high)[:, None] / high
    bends = noise(random, high, wide, 14, 80)
    # A ring grows darker towards autumn, and the next begins abruptly.
    rings = 1 - 2 * ((7 * rows + 0.55 * bends) % 1) ** 2.5
    fibres = noise(random, high, wide, 1.4, 70)
    pores = -np.clip(noise(random, high, wide, 0.8, 12) - 1.3, 0, None)
    return rings * 0.6 + fibres * 0.5 + bends * 0.35 + pores * 1.2


def felt(random: np.random.Generator, size: int = 160) -> Grey:
    """Return felt: short fibres in all directions, pressed flat in some places."""
    return sum(noise(random, size, size, spot, spot) * part for spot, part in _FELT)


def main() -> None:
    """Write both textures."""
    FOLDER.mkdir(exist_ok=True)
    random = np.random.default_rng(SEED)
    for name, grey, quality in (("wood", wood(random), 42), ("felt", felt(random), 40)):
        tile = MIDDLE + np.clip(grey / 3, -1, 1) * SPAN
        file = FOLDER / f"{name}.webp"
        Image.fromarray(tile.round().astype(np.uint8)).save(file, quality=quality, method=6)
        print(f"{file}: {file.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
