"""Contact sheets of every page and state, for visual checks: `docs/makers/sheets.py`.

Each page is brought into its state once, and then captured at every width in every look. A sheet
shows one state, with a row for each look. The sheets are written to build/sheets and are not part
of the project. `python docs/makers/sheets.py table` makes those whose names begin with `table`.
Needs playwright, Pillow and Chromium.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from browser.visitors import TWELVE_NAMES, Visitor, browser_command, launched  # noqa: E402
from serving import Served  # noqa: E402
from shutbox.table.today import Day  # noqa: E402
from shutbox.web.storage.database import Database  # noqa: E402
from shutbox.web.tries import store_day  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FOLDER = ROOT / "build" / "sheets"
WINDOWS = ((320, 640), (390, 844), (768, 1024), (1440, 900))
LOOKS: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"color_scheme": "dark"},
    "contrast": {"contrast": "more"},
    "forced": {"forced_colors": "active"},
}
PLAIN: Any = {"color_scheme": "light", "contrast": "no-preference", "forced_colors": "none"}
MOST = 2.4
"""The most of a long page to capture, in window heights."""
SCALE = 0.5

ME = {"who": "me", "name": "Ann"}
BOB = {"who": "here", "name": "Bob"}
LINK = {"who": "link"}
COMPUTER = {"who": "computer:fewest"}
SIX = [ME, *({"who": "here", "name": name} for name in ("Bob", "Cy", "Dee", "Eve", "Fay"))]
TWELVE = [{"who": "here", "name": name} for name in TWELVE_NAMES]

SHUTS = "4+5 3+5 3+4 2+4 2+3 5+5"
STICKS = "3+5 4+5 1+2 6+6"
DAY = Day("2026-11-02", "classic", "2026-11-02 classic 5eed")
"""A past day, whose secret is published."""
Visit = Callable[..., Visitor]
State = Callable[[Visit], Visitor]
STATES: dict[str, tuple[str, State]] = {}
"""For each state: the first dice, and the function that brings a visitor there."""


def state(name: str, rolls: str = "") -> Callable[[State], State]:
    """Register a function as a state to capture."""

    def entered(does: State) -> State:
        STATES[name] = (rolls, does)
        return does

    return entered


def page(name: str, path: str, *presses: str) -> None:
    """Register a public page, after some presses."""

    def does(visit: Visit) -> Visitor:
        ann = visit()
        ann.allows.append("status of 4..")
        ann.page.goto(path)
        ann.ready()
        for selector in presses:
            ann.page.click(selector)
        return ann

    STATES[name] = ("", does)


def table(name: str, most: int = 0, *presses: str, rolls: str = "", **about: Any) -> None:
    """Register a table after `most` throws and choices and some presses."""

    def does(visit: Visit) -> Visitor:
        ann = visit()
        ann.open(**{"game": "classic", "seats": [ME], **about})
        ann.play(most=most, undoes=False, tries=False)
        for selector in presses:
            ann.page.click(selector)
            if selector == "#go":
                ann.shown()
            if selector == "#hint":
                ann.page.wait_for_selector("#advice li")
        return ann

    STATES[name] = (rolls, does)


page("home", "/")
page("menu-settings", "/help", "#menu > summary")
page("learn", "/learn")
page("new", "/new")
page("new-match", "/new?preset=pub")
page("new-people", "/new", "[data-step=people]")
page("analysis", "/p/classic:1.5.9/2+2")
page("analysis-start", "/analysis")
page("practice", "/practice")
page("practice-answered", "/practice", ".answers button >> nth=0")
page("games-none", "/games")
page("review-form", "/review")
page("help", "/help")
page("offline", "/offline")
page("nowhere", "/nowhere")
page("today", "/today")
page("today-after", f"/today/{DAY.day}")

table("table-start")
table("table-fits", 1)
table("table-picked", 1, ".tile:not([aria-disabled]) >> nth=-1")
table("table-hint", 0, "#go", "#hint", rolls=STICKS)
table("table-moves", 6, "#show-moves")
table("table-rules", 1, "#show-rules")
table("table-players", 1, "#menu > summary", "[data-opens]", seats=[ME, BOB])
table("table-menu", 1, "#menu > summary")
table("table-hand", 0, dice="hand")
table("table-double-shutter", 3, game="double-shutter")
table("table-300", 3, game="the-300")
table("table-cargo", 2, game="cargo")
table("table-tray", 2, game="tray")
table("table-thirty", 1, game="classic(tiles=1-30,dice=5d6)")
table("table-six", 9, game="pub", seats=SIX)
table("table-twelve", 5, game="pub", seats=TWELVE)
table("table-high-roll", 1, game="parlour-night", seats=[ME, BOB])
table("table-match", 12, game="markers-five", seats=[ME, BOB])
table("table-match-moves", 30, "#show-moves", game="pub", seats=[ME, BOB, *SIX[2:3]])
table("over-double", 40, game="double-shutter")
table("over-double-shut", 4, game="classic(tiles=4.5,behind=5.4,fewer=never)", rolls="4+5 4+5")
table("over-stuck", 40, rolls=STICKS)
table("over-match", 400, game="pub", seats=[ME, BOB])
table("over-six", 400, game="pub", seats=SIX)


def covers(ann: Visitor, *tiles: str) -> None:
    """Throw two dice and cover one of these tiles, for each of them in turn."""
    for tile in tiles:
        offers = ann.page.locator("#offers .main:not([hidden])")
        ann.press(offers.last if offers.count() > 1 else "#go")
        if ann.page.locator("#board .tile[data-only]").count():
            ann.press("#board .tile[data-only] >> nth=0")  # covers all of them
            continue
        for key in tile.split("."):
            ann.page.click(f"#board [data-key='{key}'] button")
        ann.press("#go")


@state("table-choice", SHUTS)
def _choice(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="classic", seats=[ME])
    covers(ann, "9", "8", "7")
    return ann


@state("over-shut", SHUTS)
def _shut(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="classic", seats=[ME])
    covers(ann, "9", "8", "7", "6", "5", "1.2.3.4")
    ann.page.wait_for_selector("#stage.over:not(.ending)")
    ann.page.wait_for_selector("#verdict .sums")
    return ann


@state("home-back")
def _back(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="classic", seats=[ME])
    ann.open(game="pub", seats=[ME, BOB])
    ann.page.goto("/")
    ann.ready()
    return ann


@state("lobby")
def _lobby(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="pub", seats=[ME, LINK])
    return ann


@state("lobby-three")
def _lobby_three(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="pub", seats=[ME, LINK, LINK])
    ann.page.locator("#lobby .qr summary").first.click()
    return ann


@state("enter-name")
def _enter(visit: Visit) -> Visitor:
    ann, bob = visit(), visit()
    ann.open(game="pub", seats=[ME, LINK])
    bob.page.goto(ann.page.evaluate("() => table.you.links.seats[1]"))
    bob.page.wait_for_function("() => document.activeElement.id === 'name'")
    return bob


@state("enter-key")
def _key(visit: Visit) -> Visitor:
    ann, bob = visit(), visit()
    room = ann.open(game="pub", seats=[ME, LINK])
    bob.page.goto(f"/r/{room}")
    return bob


@state("table-watched")
def _watched(visit: Visit) -> Visitor:
    ann, bob = visit(), visit()
    ann.open(game="pub", seats=[ME, BOB])
    ann.play(most=3, undoes=False, tries=False)
    bob.page.goto(ann.page.evaluate("() => table.you.links.watch"))
    bob.page.wait_for_selector("#board .tile")
    bob.ready()
    return bob


@state("table-waiting")
def _waiting(visit: Visit) -> Visitor:
    ann, bob = visit(), visit()
    ann.open(game="pub", seats=[ME, LINK])
    bob.page.goto(ann.page.evaluate("() => table.you.links.seats[1]"))
    bob.page.fill("#name", "Bob")
    bob.page.keyboard.press("Enter")
    bob.page.wait_for_selector("#go")
    for one in (ann, bob):
        one.shows(ann.view()["number"])
    return bob if ann.page.evaluate("() => table.isMine()") else ann


@state("review", STICKS)
def _review(visit: Visit) -> Visitor:
    ann = visit()
    room = ann.open(game="classic", seats=[ME])
    ann.play(undoes=False, tries=False)
    ann.page.goto(f"/r/{room}/review")
    ann.ready()
    return ann


@state("review-begun", STICKS)
def _review_begun(visit: Visit) -> Visitor:
    ann = visit()
    room = ann.open(game="classic", seats=[ME])
    ann.play(most=3, undoes=False, tries=False)
    ann.page.goto(f"/r/{room}/review")
    ann.ready()
    return ann


@state("games")
def _games(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="classic", seats=[ME])
    ann.play(undoes=False, tries=False)
    ann.open(game="pub", seats=[ME, BOB])
    ann.page.goto("/games")
    ann.ready()
    return ann


@state("games-taken")
def _taken(visit: Visit) -> Visitor:
    ann, other = visit(), visit()
    ann.open(game="pub", seats=[ME, LINK])
    ann.page.goto("/games")
    ann.page.get_by_role("button", name="Use them on another device").click()
    other.page.goto(ann.page.get_by_label("Link to your games").input_value())
    other.page.get_by_role("button", name="Add them here").wait_for()
    return other


@state("games-handed-over")
def _handed_over(visit: Visit) -> Visitor:
    ann = visit()
    ann.open(game="pub", seats=[ME, LINK])
    ann.page.goto("/games")
    ann.page.get_by_role("button", name="Use them on another device").click()
    ann.page.get_by_label("Link to your games").wait_for()
    return ann


@state("guide", STICKS)
def _guide(visit: Visit) -> Visitor:
    ann = visit(is_new=True)
    ann.open(game="classic", seats=[ME])
    return ann


@state("guide-tiles", STICKS)
def _guide_tiles(visit: Visit) -> Visitor:
    ann = visit(is_new=True)
    ann.open(game="classic", seats=[ME])
    ann.press("#go")
    return ann


@state("today-ended")
def _today(visit: Visit) -> Visitor:
    ann = visit()
    ann.page.goto("/today")
    ann.page.locator(".show .main").click()
    ann.page.wait_for_url("**/r/*")
    ann.ready()
    ann.play(most=100, undoes=False, tries=False)
    ann.page.goto("/today")
    ann.ready()
    return ann


def shots(visitor: Visitor, look: str) -> Iterator[Image.Image]:
    """Yield a screenshot of the page at every width."""
    page = visitor.page
    page.emulate_media(**{**PLAIN, **LOOKS[look]})
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        high = page.evaluate("() => document.documentElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": width, "height": min(high, MOST * height)}
        yield Image.open(BytesIO(page.screenshot(full_page=True, clip=clip)))


def sheet(visitor: Visitor, looks: list[str]) -> Image.Image:
    """Return the sheet of a state: a row for each look, a column for each width."""
    lines = [list(shots(visitor, look)) for look in looks]
    across = sum(width for width, _ in WINDOWS) + 20 * (len(WINDOWS) - 1)
    whole = Image.new("RGB", (across, sum(max(s.height for s in line) + 20 for line in lines)))
    top = 0
    for line in lines:
        left = 0
        for shot in line:
            whole.paste(shot, (left, top))
            left += shot.width + 20
        top += max(shot.height for shot in line) + 20
    return whole.resize((round(whole.width * SCALE), round(whole.height * SCALE)))


def main() -> None:
    """Make the sheets: `sheets.py [BEGINNING [LOOK…]]`."""
    from playwright.sync_api import sync_playwright

    beginning, looks = (sys.argv[1:2] or [""])[0], sys.argv[2:] or list(LOOKS)
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        playwright = stack.enter_context(sync_playwright())
        browser = stack.enter_context(launched(playwright, browser_command() or ""))
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        served = stack.enter_context(Served(folder, deals="sheets"))
        beside = Database(served.database, for_admin=True)
        with beside.writer.begin() as connection:
            store_day(connection, DAY)
        beside.close()
        for name, (rolls, does) in STATES.items():
            if name.startswith(beginning):
                served.deal(rolls)
                picture(browser, served.url, name, does, looks)


def picture(browser: "Browser", url: str, name: str, does: State, looks: list[str]) -> None:
    """Write the sheet of one state."""
    visitors: list[Visitor] = []

    def visit(**options: Any) -> Visitor:
        # On a wide screen, the drawer with the moves would open by itself and stay open.
        visitors.append(Visitor(browser, url, viewport={"width": 390, "height": 844}, **options))
        return visitors[-1]

    file = FOLDER / f"{name}.png"
    sheet(does(visit), looks).save(file)
    print(f"{file.relative_to(ROOT)}: {file.stat().st_size:,} bytes", flush=True)
    for visitor in visitors:
        visitor.close()


if __name__ == "__main__":
    main()
