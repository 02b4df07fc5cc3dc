"""Every page in every state, looked at once: by axe-core in every look, and by its measures.

Nothing is cut off, covered or too small, and nothing scrolls sideways, from phones to wall screens.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest

from browser.cases import cases
from browser.conftest import MEASURES, SIZES, Check, Visit, measured
from browser.visitors import ANN, BOB, LINK, Visitor
from nightly import EVERY
from serving import Served
from shutbox.engine.messages import languages
from shutbox.table.today import Day
from shutbox.web.storage.database import Database
from shutbox.web.tries import store_day

LANGUAGES = cases(["de"], languages()[1:])
REFUSED = "status of 4.."
OTHERS = [{"who": "here", "name": name} for name in ("Bob", "Cy", "Dee", "Eve", "Fay")]
PAGES = (
    *("/", "/new", "/new?preset=pub", "/help", "/settings", "/review", "/games", "/games/delete"),
    *("/learn", "/today", "/practice", "/challenge", "/dice", "/offline", "/nowhere", "/r/nowhere"),
    *("/analysis", "/p/classic", "/p/classic:1.2.4.6.7.8.9/4+6?aim=shut", "/p/classic:1.5.9/2+2"),
    *("/p/double-shutter:1-9.b1.b2/3+4", "/p/classic(tiles=1-24,dice=3d8)", "/p/cargo", "/p/tray"),
    *("/p/six[seats=2,rounds=1]:1;0;0;0,0;t0;1.2.3.4.5.6/3", "/p/nothing"),
)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_a_page(walked: Check, visit: Visit, path: str, language: str) -> None:
    ann = visit(locale=language)
    ann.allows += [REFUSED, "ERR_INTERNET_DISCONNECTED"]
    ann.page.goto(path)
    ann.context.set_offline(path == "/offline")  # which is left once there is a network
    assert ann.page.get_attribute("html", "lang") == language
    (walked if language == "en" else narrow)(ann)


def test_a_new_table(walked: Check, ann: Visitor) -> None:
    page = ann.page
    ann.allows.append(REFUSED)
    page.goto("/new")
    ann.ready()
    page.get_by_label("Tile 10", exact=True).check()
    page.click("[data-step=people]")
    page.get_by_role("button", name="A friend gets a link").click()
    page.get_by_role("button", name="Name (You)").click()
    walked(ann)
    page.click("[data-step=match]")
    page.get_by_label("Play for chips").check()
    page.get_by_role("radio", name="First to 100").check()
    page.wait_for_selector("#undo:visible")
    walked(ann)
    page.click("[data-step=box]")
    page.get_by_text("All 29 boxes").click()
    page.get_by_text("More rules: dice, covers, result").click()
    page.get_by_text("Advanced: rules as code").click()
    page.fill("#format", "rounds=many")
    walked(ann)
    page.click("text=Open the table")
    page.wait_for_selector("#format:focus")
    walked(ann)


def hint(ann: Visitor) -> None:
    ann.page.click("#hint")
    ann.page.wait_for_selector("#advice li")


def reviewed(ann: Visitor) -> None:
    ann.page.goto(f"/r/{ann.room}/review")
    ann.page.wait_for_selector("#review, #steps li", state="attached")


def answered(ann: Visitor) -> None:
    """An answer of the practice page."""
    ann.page.goto("/practice")
    ann.page.wait_for_selector("html.live")
    if ann.page.locator("#offers button").count():
        ann.page.locator("#offers button").last.click()
    else:
        offers = json.loads(ann.page.inner_text("#boot"))["offers"]
        for key in offers[-1]["takes"]:
            ann.page.locator(f"#board [data-key='{key}'] > button").click()
        ann.page.locator("#go").click()
    ann.page.wait_for_selector("#verd")


STEPS: dict[str, Callable[[Visitor], object]] = {
    "throw": lambda ann: ann.press("#go"),
    "play": lambda ann: ann.play(most=3, undoes=False),
    "dice": lambda ann: ann.page.goto(f"/r/{ann.room}/dice"),
    "over": Visitor.finish,
    "judged": Visitor.judged,
    **{one.__name__: one for one in (hint, reviewed, answered)},
}
"""What brings a table from one state to the next; any other word is a drawer to be opened."""
ALONE: dict[str, Any] = {"game": "classic", "seats": [ANN]}
ROUND: dict[str, Any] = {"format": "rounds=1"}
TABLES: list[tuple[dict[str, Any], str]] = [
    (ALONE, "throw hint judged reviewed answered"),
    ({**ALONE, **ROUND, "seats": [ANN, BOB]}, "throw hint judged"),
    ({"game": "pub", "seats": [ANN, LINK]}, ""),
    ({"game": "pub", "seats": [ANN, BOB]}, "moves rules seating questions play judged reviewed"),
    ({"game": "two-dice"}, "dice"),
    ({"game": "six", **ROUND, "seats": [ANN, BOB]}, "reviewed"),
    ({"game": "classic", "format": "rounds=2,stake=1", "seats": [ANN, BOB]}, "play"),
    ({"game": "family", "seats": [ANN, *[{"who": "computer:fewest"}] * 3]}, "throw play over"),
    ({"game": "double-shutter", **ROUND, "seats": [ANN, BOB]}, "play over"),
    ({"game": "cargo", "seats": [ANN]}, "play"),
    ({"game": "classic(tiles=1-30,dice=5d6)", "seats": [ANN]}, "play"),
]
MORE: list[tuple[dict[str, Any], str]] = [
    ({**ALONE, **ROUND, "seats": [ANN, *OTHERS]}, "throw hint judged"),
    ({"game": "cargo", "seats": [ANN]}, "over"),
    ({"game": "head-to-head", "seats": [ANN, {"who": "computer:fewest"}]}, "play over"),
    ({"game": "family", "seats": [ANN, *OTHERS]}, "play"),
    *(
        ({"game": game, **ROUND, "seats": [ANN, BOB]}, "play over")
        for game in ("the-300", "classic(tiles=1-12)")
    ),
    *(
        ({"game": game, "seats": [ANN]}, "play")
        for game in ("digital", "2012", "tray", "full-house")
    ),
]


@pytest.mark.parametrize(("about", "steps"), cases(TABLES, MORE), ids=str)
def test_a_table(
    walked: Check, check: Check, ann: Visitor, about: dict[str, Any], steps: str
) -> None:
    walks(ann, about, steps, walked, check)


def walks(ann: Visitor, about: dict[str, Any], steps: str, walked: Check, check: Check) -> None:
    """Open a table and look at each of its states; a drawer lies over a table on a phone."""
    ann.open(**about)
    walked(ann)
    for step in steps.split():
        if step in STEPS:
            STEPS[step](ann)
            walked(ann)
        else:
            ann.drawer(step)
            check(ann)
            ann.page.keyboard.press("Escape")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("about", "steps"), cases(TABLES[::2], TABLES + MORE), ids=str)
def test_a_table_in_another_language(
    visit: Visit, language: str, about: dict[str, Any], steps: str
) -> None:
    walks(visit(locale=language), about, steps, narrow, is_named)


def is_named(ann: Visitor) -> None:
    """Check that buttons in a drawer are named by what they show."""
    assert ann.page.evaluate(f"({MEASURES}).named()") == []


def narrow(ann: Visitor) -> None:
    """Measure a page at every size, or else at the narrowest, where long words do not fit."""
    measured(ann, SIZES if EVERY else SIZES[:1])


@pytest.mark.parametrize("players", cases([1], [6]))
@pytest.mark.rolls(" ".join(["4+5"] * 6))
def test_a_box_that_is_shut(walked: Check, ann: Visitor, players: int) -> None:
    rounds = ROUND if players > 1 else {}
    ann.open(game="classic(tiles=9)", seats=[ANN, *OTHERS[: players - 1]], **rounds)
    ann.judged()
    assert ann.page.locator(".lid.shut").count() == 1
    walked(ann)


def test_the_games_of_a_device_and_the_menu(check: Check, ann: Visitor) -> None:
    ann.allows.append(REFUSED)
    ann.open(game="classic", seats=[ANN])
    ann.finish()
    ann.open(game="classic", seats=[ANN, LINK])
    ann.page.goto("/games")
    assert ann.page.locator(".run, .done a").count() == 2
    check(ann)
    ann.resize(700, 640)
    for path in ("/nowhere", "/new"):
        ann.page.goto(path)
        ann.menu()
        check(ann)


def test_who_comes_waits_looks_on_and_leaves(
    check: Check, walked: Check, ann: Visitor, visit: Visit
) -> None:
    room = ann.open(game="pub", seats=[ANN, LINK], coach=True)
    links = ann.page.evaluate("() => table.you.links")
    bob, eve = visit(), visit()
    for one in (bob, eve):
        one.allows.append(REFUSED)
    eve.page.goto(f"/r/{room}")
    walked(eve)
    eve.goto(links["watch"])
    bob.page.goto(links["seats"]["1"])
    bob.until("document.activeElement.id === 'name'")
    walked(bob)
    bob.page.fill("#name", "Bob")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_selector("#go")
    bob.ready()
    bob.shows(ann.view()["number"])
    walked(bob)  # waiting for Ann
    ann.press("#go")
    ann.page.locator("#board button:not([aria-disabled])").first.click()
    check(ann)  # a tile is picked
    eve.shows(ann.view()["number"])
    walked(eve)
    ann.page.locator("#ask button").last.evaluate("button => button.click()")
    ann.page.wait_for_selector("dialog[open]")
    check(ann)
    ann.page.keyboard.press("Escape")
    bob.drawer("seating")
    bob.agrees()
    bob.page.get_by_role("button", name="Bob: leave this seat").click()
    ann.drawer("seating")
    ann.menu()
    end = ann.page.locator("#actions button:text-is('End the game')")
    end.wait_for()
    check(ann)
    check(bob)
    ann.agrees()
    end.click()
    ann.page.wait_for_selector("#result:not([hidden])", state="attached")
    check(ann)


def test_real_dice(check: Check, ann: Visitor) -> None:
    ann.open(game="classic", seats=[ANN], dice="hand")
    check(ann)
    for pips in ("4", "3"):
        ann.page.get_by_role("button", name=pips, exact=True).click()
    assert ann.page.input_value("#roll") == "4 3"
    ann.press("#go")
    ann.page.click("#correct")
    check(ann)
    ann.page.fill("#roll", "6 5")
    ann.press("#roll-go")
    assert ann.view()["table"]["target"] == 11


def copied(ann: Visitor) -> str:
    text: str = ann.page.evaluate("navigator.clipboard.readText()")
    return text


def test_todays_box_and_a_day_before(check: Check, served: Served, ann: Visitor) -> None:
    page, seed = ann.page, "2026-11-02 classic 5eed"
    beside = Database(served.database, for_admin=True)
    with beside.writer.begin() as connection:
        store_day(connection, Day("2026-11-02", "classic", seed))
    beside.close()
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/today")
    check(ann)
    with page.expect_navigation(url="**/r/*"):
        page.locator(".show .main").click()
    ann.ready()
    assert page.inner_text("#round").endswith(", one try")
    check(ann)
    ann.play(most=100)
    page.wait_for_selector(".score-card .squares")
    page.click("#share")
    ann.says("The result is copied.")
    at_table, squares = copied(ann), page.locator(".score-card .squares li").count()
    page.goto("/today")
    page.get_by_text("Perfect play with the same dice").wait_for()
    assert page.locator(".squares li").count() == squares
    check(ann)
    page.click("#share")
    page.get_by_role("status").get_by_text("Copied").wait_for()
    assert copied(ann) == f"{page.input_value('#line')}\n{served.url}/today" == at_table
    page.click("#words")
    spoken = page.get_attribute("#words", "data-words")
    page.wait_for_function(
        "async words => await navigator.clipboard.readText() === words", arg=spoken
    )
    page.goto("/today?month=2026-11")
    ann.resize(390, 844)
    page.locator("a[href^='/today/2026-11-02']").click()
    ann.until("document.activeElement.id === 'day'")
    day = ann.box("#day")
    assert 0 <= day["y"] < 844 - day["height"]  # in sight
    page.get_by_text("You still can").wait_for()
    check(ann)
    page.get_by_text("How to check the dice").click()
    page.get_by_text(seed).wait_for()
    page.get_by_role("button", name="Play this box").click()
    ann.ready()
    assert page.inner_text("#title") == "Box of 2 November"


def test_the_time_until_the_next_box_runs_down(ann: Visitor) -> None:
    ann.page.clock.install()
    ann.page.goto("/today")
    ann.page.click(".show .main")
    ann.page.goto("/today")
    seconds = int(str(ann.page.get_attribute("#next", "data-in")))
    shown = ann.page.inner_text("#next")
    ann.page.clock.run_for(61_000)
    assert ann.page.inner_text("#next") != shown
    ann.page.clock.run_for(1000 * seconds)
    assert ann.page.get_attribute("#next a", "href") == "/today"
