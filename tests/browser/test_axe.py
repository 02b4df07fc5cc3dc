"""Accessibility of every page in every state and look, tested with axe-core; and spoken texts."""

import pytest

from browser.conftest import Check, Visit
from browser.visitors import ANN, BOB, LINK, Visitor
from serving import Served
from shutbox.web.rooms.days import Day
from shutbox.web.storage.engine import Database
from shutbox.web.tries import store_day

REFUSED = "status of 4.."


def test_pages_about_tables(check: Check, ann: Visitor) -> None:
    page = ann.page
    ann.allows.append(REFUSED)
    for path in (
        "/",
        "/new",
        "/new?preset=pub",
        "/help",
        "/settings",
        "/review",
        "/nowhere",
        "/r/nowhere",
        "/offline",
        "/dice",
    ):
        page.goto(path)
        check(ann)
    page.goto("/new")
    ann.ready()
    page.get_by_label("Tile 10", exact=True).check()
    page.click("[data-step=people]")
    page.get_by_role("button", name="A friend gets a link").click()
    page.get_by_role("button", name="Name (You)").click()
    check(ann)
    page.click("[data-step=match]")
    page.get_by_label("Play for chips").check()
    page.get_by_role("radio", name="First to 100").check()
    page.wait_for_selector("#undo:visible")
    check(ann)
    page.click("[data-step=box]")
    page.get_by_text("All 29 boxes").click()
    page.get_by_text("More rules: dice, covers, result").click()
    page.get_by_text("Advanced: rules as code").click()
    page.fill("#format", "rounds=many")
    check(ann)
    page.click("text=Open the table")
    page.wait_for_selector("#error")
    check(ann)
    page.get_by_text("Settings", exact=True).click()
    check(ann)


def test_the_card_of_the_dice(check: Check, ann: Visitor) -> None:
    room = ann.open(game="two-dice")
    ann.page.goto(f"/r/{room}/dice")
    check(ann)
    ann.go_to(room)
    ann.play(undoes=False)
    ann.page.goto(f"/r/{room}/dice")
    check(ann)
    ann.page.goto("/dice")
    check(ann)


def test_the_games_of_a_device_and_the_menu(check: Check, ann: Visitor) -> None:
    page = ann.page
    ann.allows.append(REFUSED)
    page.goto("/games")
    check(ann)
    ann.open(game="classic", seats=[ANN])
    ann.play(undoes=False)
    ann.open(game="classic", seats=[ANN, LINK])
    check(ann)
    page.goto("/games")
    assert page.locator(".tables li").count() == 2
    check(ann)
    page.set_viewport_size({"width": 700, "height": 640})
    page.goto("/nowhere")
    page.get_by_text("Menu", exact=True).click()
    check(ann)


def test_a_table_from_beginning_to_end(check: Check, ann: Visitor, visit: Visit) -> None:
    page = ann.page
    room = ann.open(game="pub", seats=[ANN, LINK], coach=True)
    check(ann)  # the lobby
    stranger = visit()
    stranger.allows.append(REFUSED)
    stranger.page.goto(f"/r/{room}")
    check(stranger)
    stranger.page.goto(page.evaluate("() => table.you.links.watch"))
    stranger.page.wait_for_selector("#lobby")
    stranger.ready()
    ann.page.get_by_role("button", name="Nell plays").click()
    page.wait_for_function("() => table.view.phase === 'playing'")
    page.wait_for_function("() => table.isMine()")
    check(ann)  # a throw is due
    page.click("#go")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    page.click("#hint")
    page.wait_for_selector("#advice li")
    page.locator("#board button:not([aria-disabled])").first.click()
    check(ann)  # a choice is due, a hint is there, a tile is picked
    stranger.shows(ann.view()["number"])
    check(stranger)
    page.keyboard.press("?")
    page.wait_for_selector("dialog[open]")
    check(ann)
    page.keyboard.press("Escape")
    for tool in ("moves", "rules", "seating", "questions"):
        ann.drawer(tool)
        check(ann)
    page.keyboard.press("Escape")  # shuts the drawer
    page.keyboard.press("Escape")  # clears what is picked
    ann.play(undoes=False)
    check(ann)  # it is over, with a score sheet
    page.click("#steps")
    page.wait_for_selector("#review")
    page.click("#next")
    page.click("#whole summary")
    check(ann)


@pytest.mark.parametrize("seats", [[ANN], [ANN, BOB]], ids=len)
def test_a_hint_and_the_verdict(check: Check, ann: Visitor, seats: list[dict[str, str]]) -> None:
    ann.open(game="classic", format="rounds=1" if seats[1:] else "", seats=seats)
    ann.press("#go")
    ann.page.click("#hint")
    ann.page.wait_for_selector(".hint")
    check(ann)
    ann.play(undoes=False)
    ann.page.wait_for_selector("#verdict .sums")
    check(ann)


def test_a_table_that_waits_and_one_that_was_ended(
    check: Check, ann: Visitor, visit: Visit
) -> None:
    ann.open(game="pub", seats=[ANN, LINK])
    link = ann.page.evaluate("() => table.you.links.seats[1]")
    bob = visit()
    bob.allows.append(REFUSED)
    bob.page.goto(link)
    bob.page.wait_for_function("() => document.activeElement.id === 'name'")
    check(bob)
    bob.page.fill("#name", "Bob")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_selector("#go")
    bob.ready()
    bob.shows(ann.view()["number"])
    check(bob)  # waiting for Ann
    bob.drawer("seating")
    bob.agrees()
    bob.page.get_by_role("button", name="Bob: leave this seat").click()
    ann.drawer("seating")
    ann.page.wait_for_selector("#actions button:text-is('End the game')")
    check(ann)
    check(bob)
    ann.page.once("dialog", lambda dialog: dialog.accept())
    ann.page.click("#actions button:text-is('End the game')")
    ann.page.wait_for_selector("#result:visible")
    check(ann)


@pytest.mark.parametrize(
    "game", ["cargo", "tray", "the-300", "double-shutter", "classic(tiles=1-30,dice=5d6)"]
)
def test_boxes_of_all_kinds(check: Check, ann: Visitor, game: str) -> None:
    ann.open(game=game, seats=[ANN])
    ann.play(most=3, undoes=False)
    check(ann)


def test_real_dice(check: Check, ann: Visitor) -> None:
    page = ann.page
    ann.open(game="classic", seats=[ANN], dice="hand")
    check(ann)
    page.get_by_role("button", name="4", exact=True).click()
    page.get_by_role("button", name="3", exact=True).click()
    assert page.input_value("#roll") == "4 3"
    page.click("#go")
    page.wait_for_function("() => table.view.table.does === 'choose'")
    ann.shown()
    ann.drawer("questions")
    page.click("#correct")
    check(ann)
    page.fill("#roll", "6 5")
    page.click("#roll-go")
    ann.says("11 in all")
    assert ann.view()["table"]["target"] == 11


def test_pages_without_script(check: Check, visit: Visit) -> None:
    """The scripts do not come; axe-core itself needs some."""
    plain = visit()
    plain.allows.extend([REFUSED, "ERR_FAILED"])
    plain.context.route("**/static/**/*.js*", lambda route: route.abort())
    plain.page.goto("/")
    check(plain)
    plain.page.click(".begin button")
    plain.page.click(".plain button:has-text('Throw two dice')")
    plain.page.wait_for_selector("#board input[name=tile]")
    check(plain)
    plain.page.click("text=Cover the picked tiles")
    plain.page.wait_for_selector("[role=alert]")
    check(plain)


def test_todays_box_and_a_day_before(check: Check, served: Served, visit: Visit) -> None:
    ann = visit()
    seed = "2026-11-02 classic 5eed"
    beside = Database(served.database, for_admin=True)
    with beside.writer.begin() as connection:
        store_day(connection, Day("2026-11-02", "classic", seed))
    beside.close()
    ann.page.goto("/today")
    check(ann)
    with ann.page.expect_navigation(url="**/r/*"):
        ann.page.locator(".show .main").click()
    ann.ready()
    assert ann.page.inner_text("#round").endswith(", one try")
    check(ann)
    ann.play(most=100)
    ann.page.wait_for_selector(".score-card .squares")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.click("#share")
    ann.says("The result is copied.")
    at_table = ann.page.evaluate("navigator.clipboard.readText()")
    squares = ann.page.locator(".score-card .squares li").count()
    ann.page.goto("/today")
    ann.page.get_by_text("Place 1 of 1").wait_for()
    assert ann.page.locator(".squares li").count() == squares
    check(ann)
    ann.page.click("#share")
    ann.page.get_by_role("status").get_by_text("Copied").wait_for()
    said = ann.page.evaluate("navigator.clipboard.readText()")
    assert said == f"{ann.page.input_value('#line')}\n{served.url}/today" == at_table
    ann.page.click("#words")
    spoken = ann.page.get_attribute("#words", "data-words")
    ann.page.wait_for_function(
        "async words => await navigator.clipboard.readText() === words", arg=spoken
    )
    ann.page.goto("/today/2026-11-02")
    ann.page.get_by_text(seed).wait_for()
    check(ann)


def test_the_time_until_the_next_box_runs_down(visit: Visit) -> None:
    ann = visit()
    ann.page.clock.install()
    ann.page.goto("/today")
    seconds = int(str(ann.page.get_attribute("#next", "data-in")))
    shown = ann.page.inner_text("#next")
    ann.page.clock.run_for(61_000)
    assert ann.page.inner_text("#next") != shown
    ann.page.clock.run_for(1000 * seconds)
    assert ann.page.locator("#next a").get_attribute("href") == "/today"
