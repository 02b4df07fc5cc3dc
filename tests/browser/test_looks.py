"""Looks: the page of settings, skins of the box, and letters on wood and felt."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, BOB, Visitor
from serving import Served

if TYPE_CHECKING:
    from playwright.sync_api import Page


OAK, WALNUT, BLACK = "#2a7a56", "#7c2431", "#00301d"


def token(page: "Page", name: str, of: str) -> str:
    """A token of the look as it is for an element."""
    value: str = page.evaluate(
        "([name, of]) => getComputedStyle(document.querySelector(of)).getPropertyValue(name)",
        [name, of],
    )
    return value


def press(page: "Page", name: str, value: str) -> None:
    page.locator(f"[name=set-{name}][value={value}]").check()


def test_a_skin_shows_at_once_and_on_every_box_from_then_on(check: Check, visit: Visit) -> None:
    ann = visit(size=(1440, 900))
    page = ann.page
    ann.goto("/settings")
    assert token(page, "--baize-1", ".box") == OAK
    press(page, "skin", "walnut")
    press(page, "die", "red")
    assert token(page, "--baize-1", ".box") == WALNUT
    assert token(page, "--baize-1", "body") == OAK, "the page keeps its own colours"
    check(ann)
    red = token(page, "--die-1", ".box .die")
    ann.open(game="classic", seats=[ANN])
    assert token(page, "--baize-1", ".box") == WALNUT
    assert token(page, "--die-1", ".box") == red
    for skin in ("night", "paper", "walnut"):
        ann.menu()
        press(page, "skin", skin)
        ann.menu()
        check(ann)
    page.emulate_media(color_scheme="dark")
    assert token(page, "--baize-1", ".box") == WALNUT


def test_high_contrast_wins_over_every_skin(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    ann.menu()
    press(page, "skin", "night")
    press(page, "die", "black")
    page.emulate_media(contrast="more")
    assert token(page, "--baize-1", ".box") == BLACK
    assert token(page, "--die-1", ".box") == "#fff"
    page.emulate_media(contrast="no-preference")
    press(page, "look", "contrast")
    for _ in range(2):
        assert token(page, "--baize-1", ".box") == BLACK
        ann.reload()


def test_without_https_the_page_says_what_the_browser_does_not_do(
    visit: Visit, served: Served
) -> None:
    """On another computer of a home network; each place says it in the same words."""
    ann = visit(url=served.url.replace("127.0.0.1", "box.local"))
    ann.allows.append("Cross-Origin-Opener-Policy")
    ann.goto("/settings")
    assert not ann.page.evaluate("isSecureContext")
    assert ann.page.get_by_label("Tell me when it is my turn").is_disabled()
    says = "Your browser does this only with https. Ask the host for a link that begins with https."
    assert ann.page.get_by_text(says).is_visible()


LEAST = 4.5
"""Of the two luminances, for small letters."""


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
    ann = visit(color_scheme=look, size=(1024, 900))
    ann.open(game="pub", seats=[ANN, BOB])
    ann.press("#go")
    ratios = {}
    for selector in ("#sum small", ".pot small, .pot span", ".rail h1"):
        place = ann.run("uncover", selector)
        shot = images.open(BytesIO(ann.page.screenshot(clip=place["clip"]))).convert("RGB")
        ground = [luminance(colour) for _, colour in shot.getcolors(shot.width * shot.height)]
        ink = luminance(tuple(place["colour"]))
        ratios[selector] = min(ratio(ink, each) for each in (min(ground), max(ground)))
    assert min(ratios.values()) >= LEAST, ratios


@pytest.mark.rolls("4+5")
def test_who_needs_contrast_or_has_own_colours_has_no_texture_and_flat_dice(visit: Visit) -> None:
    """With own colours, the border tells which tiles can be picked."""
    for options, count in (({}, 4), ({"contrast": "more"}, 0), ({"forced_colors": "active"}, 0)):
        ann = visit(moves=True, **options)
        ann.open(game="classic", seats=[ANN])
        assert ann.run("textures") == count, options
        if not options:
            continue
        ann.press("#go")
        assert not ann.page.is_visible(".dice-canvas")
        assert ann.page.locator(".box.aloft").count() == 0
        colours = ann.page.eval_on_selector_all(
            ".dice.laid .pip", "pips => pips.map((pip) => getComputedStyle(pip).fill)"
        )
        assert len(colours) == 9
        assert "rgba(0, 0, 0, 0)" not in colours
    ann.page.click("#board [data-key='9'] button")
    ann.page.wait_for_selector(".tile[aria-disabled]")
    borders = ann.page.evaluate(
        """() => ["[aria-disabled]", ":not([aria-disabled])"].map((which) => getComputedStyle(
            document.querySelector(`.tile${which}[data-state=up] .flap`)).borderTopStyle)"""
    )
    assert borders == ["dashed", "solid"]
