"""Wood and felt: text on them has enough contrast, and looks without textures have none."""

from io import BytesIO
from typing import Any

import pytest

from browser.conftest import Visit
from browser.visitors import ANN, BOB

LEAST = 4.5
"""Of the two luminances, for small letters."""

# Its place, once it is out of sight; and its colour.
UNCOVERED = """(one) => {
    const { color } = getComputedStyle(one);
    one.style.visibility = "hidden";
    const { x, y, width, height } = one.getBoundingClientRect();
    const colour = color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    return { clip: { x, y, width, height }, colour };
}"""
BACKGROUNDS = """() => [".box", ".rack", ".baize", ".rim"].flatMap((selector) =>
    [null, "::before"].map((part) => getComputedStyle(document.querySelector(selector), part))
).map((style) => style.backgroundImage).filter((image) => image.includes("url("))"""


def luminance(colour: tuple[float, ...]) -> float:
    """That of WCAG 2, of red, green and blue from 0 to 255."""
    parts = [part / 255 for part in colour]
    parts = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def ratio(light: float, other: float) -> float:
    """How much the lighter of two luminances is above the darker."""
    return (max(light, other) + 0.05) / (min(light, other) + 0.05)


@pytest.mark.parametrize("look", ["light", "dark"])
def test_letters_stand_out_at_the_darkest_and_the_lightest_grain(visit: Visit, look: Any) -> None:
    images = pytest.importorskip("PIL.Image", reason="Pillow is not installed")
    ann = visit(color_scheme=look, viewport={"width": 1024, "height": 900})
    ann.open(game="pub", seats=[ANN, BOB])
    ann.press("#go")
    ratios = {}
    for selector in ("#sum small", ".pot small, .pot span", ".rail h1"):
        place = ann.page.locator(selector).first.evaluate(UNCOVERED)
        shot = images.open(BytesIO(ann.page.screenshot(clip=place["clip"]))).convert("RGB")
        ground = [luminance(colour) for _, colour in shot.getcolors(shot.width * shot.height)]
        ink = luminance(tuple(place["colour"]))
        ratios[selector] = min(ratio(ink, each) for each in (min(ground), max(ground)))
    assert min(ratios.values()) >= LEAST, ratios


def test_who_needs_contrast_or_has_own_colours_has_no_texture(visit: Visit) -> None:
    for options, count in (({}, 4), ({"contrast": "more"}, 0), ({"forced_colors": "active"}, 0)):
        ann = visit(**options)
        ann.open(game="classic", seats=[ANN])
        assert len(ann.page.evaluate(BACKGROUNDS)) == count, options
