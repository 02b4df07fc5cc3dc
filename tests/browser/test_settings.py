"""The page of settings, and the skins of the box."""

from typing import TYPE_CHECKING

from browser.conftest import Check, Visit
from browser.visitors import ANN, Visitor
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


def test_a_skin_shows_at_once_and_on_every_box_from_then_on(check: Check, ann: Visitor) -> None:
    page = ann.page
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto("/settings")
    ann.ready()
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
        page.evaluate("document.querySelector('.menu').open = true")
        press(page, "skin", skin)
        page.evaluate("document.querySelector('.menu').open = false")
        check(ann)
    page.emulate_media(color_scheme="dark")
    assert token(page, "--baize-1", ".box") == WALNUT


def test_high_contrast_wins_over_every_skin(ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN])
    page.evaluate("document.querySelector('.menu').open = true")
    press(page, "skin", "night")
    press(page, "die", "black")
    page.emulate_media(contrast="more")
    assert token(page, "--baize-1", ".box") == BLACK
    assert token(page, "--die-1", ".box") == "#fff"
    page.emulate_media(contrast="no-preference")
    press(page, "look", "contrast")
    assert token(page, "--baize-1", ".box") == BLACK
    page.reload()
    ann.ready()
    assert token(page, "--baize-1", ".box") == BLACK


def test_a_name_given_in_the_settings_is_filled_in_at_the_next_table(ann: Visitor) -> None:
    page = ann.page
    page.goto("/settings")
    ann.ready()
    page.get_by_label("Your name").fill(" Zoe ")
    page.get_by_label("Your name").press("Tab")
    page.reload()
    assert page.get_by_label("Your name").input_value() == "Zoe"
    assert page.evaluate("localStorage.getItem('shutbox.name')") == "Zoe"


def test_without_https_the_page_says_what_the_browser_does_not_do(
    visit: Visit, served: Served
) -> None:
    """On another computer of a home network; each place says it in the same words."""
    ann = visit(url=served.url.replace("127.0.0.1", "box.local"))
    ann.allows.append("Cross-Origin-Opener-Policy")
    ann.page.goto("/settings")
    ann.ready()
    assert not ann.page.evaluate("isSecureContext")
    assert ann.page.get_by_label("Tell me when it is my turn").is_disabled()
    says = "Your browser does this only with https. Ask the host for a link that begins with https."
    assert ann.page.get_by_text(says).is_visible()
