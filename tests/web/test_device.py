"""The rooms of a device without a server: requested as by the page, and saved before shown."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine
from functools import wraps
from html import escape
from io import BytesIO
from time import time
from typing import Any
from urllib.parse import urlencode

import pytest

from sealed import spellings, verify_dice
from shutbox.record import read
from shutbox.table.lookup import game_of, wrong_dice
from shutbox.table.today import KNOWN
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.device import device as site
from shutbox.web.device.device import FILES, Device, at_site
from shutbox.web.limits import TAKE_BACK_SECONDS
from shutbox.web.rooms.access import new_action
from shutbox.web.server.app import PAGES
from web.doors.device import Disk

ME = {"who": "me", "name": "Ann"}
ROBO = {"who": "computer:fewest"}


def in_a_loop(test: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
    """Run a test that waits for something."""
    return wraps(test)(lambda: asyncio.run(test()))


class Page:
    """A page with an engine of its own."""

    def __init__(self, disk: Disk) -> None:
        self.told: list[dict[str, Any]] = []
        self.device = Device(disk, lambda text, page=0: self.told.append(json.loads(text)))
        self.at = ""

    async def ask(self, method: str, path: str, **body: Any) -> tuple[int, Any]:
        if method == "POST":
            body = {"action": new_action(), **body}
        found = json.loads(await self.device.ask(method, self.at + path, json.dumps(body)))
        return found["status"], found["body"]

    async def open(self, *seats: dict[str, str], **about: Any) -> None:
        path = "/api/rooms"
        status, body = await self.ask("POST", path, seats=seats, **about)
        assert status == 200, body
        self.at = f"{path}/{body['view']['room']}"

    async def table(self) -> dict[str, Any]:
        """Where things stand, once it is the turn of people, or nobody's."""
        while True:
            view = (await self.ask("GET", ""))[1]["view"]
            seat = view["table"]["seat"]
            if seat is None or not view["seats"][seat]["computer"]:
                found: dict[str, Any] = view["table"]
                return found
            await asyncio.sleep(0)

    async def act(self, table: dict[str, Any], **more: Any) -> tuple[int, Any]:
        about = {name: table[name] for name in ("game", "version", "seat")}
        if table["does"] == "choose":
            more = {"choice": table["offers"][0]["text"], **more}
        return await self.ask("POST", "/act", do=table["does"], **about, **more)

    async def play(self) -> None:
        while (table := await self.table())["does"] != "over":
            status, body = await self.act(table)
            assert status == 200, body


@in_a_loop
async def test_what_is_kept_is_there_for_the_next_page() -> None:
    disk = Disk()
    page, other = Page(disk), Page(disk)
    await page.open(ME, game="classic")
    before = await page.table()
    assert (await page.act(before))[0] == 200
    now = (await page.ask("GET", ""))[1]
    other.at = page.at
    assert (await other.ask("GET", ""))[1] == now
    assert other.told[0]["card"]["title"] == now["view"]["title"]
    status, refused = await other.act(before)  # of two pages the slower is told
    assert (status, refused["error"]["code"]) == (422, "out-of-date")
    assert refused["view"] == now["view"]


@in_a_loop
async def test_what_is_not_kept_has_not_happened() -> None:
    disk = Disk()
    page = Page(disk)
    await page.open(ME, game="classic")
    before = await page.table()
    disk.is_full = True
    status, refused = await page.act(before)
    assert (status, refused["error"]["code"]) == (422, "not-kept")
    assert await page.table() == before
    disk.is_denied = True  # a browser that keeps nothing
    status, refused = await Page(disk).ask("POST", "/api/rooms", seats=[ME])
    assert (status, refused["error"]["code"]) == (422, "not-kept")


@in_a_loop
async def test_why_a_computer_player_does_nothing_is_told() -> None:
    disk = Disk()
    page = Page(disk)
    await page.open(ROBO, ME, game="six")
    disk.is_full = True
    before = list(disk.rows)
    page.told.clear()
    while not page.told:
        await asyncio.sleep(0)
    (refusal,) = (told["refusal"] for told in page.told)
    assert refusal == "This browser cannot save any more: QuotaExceededError."
    assert list(disk.rows) == before
    disk.is_full = False
    assert (await page.table())["seat"] == 1


@in_a_loop
async def test_a_table_whose_events_are_cleared_is_gone() -> None:
    for seats in ([ME], [ME, ROBO]):
        disk = Disk()
        page = Page(disk)
        await page.open(*seats, game="classic")
        assert (await page.act(await page.table()))[0] == 200
        disk.rows.clear()
        status, refused = await page.act(await page.table())
        assert (status, refused["error"]["code"]) == (422, "unknown-room")
        gone = {"gone": page.at.rpartition("/")[2]}
        assert page.told[-1] == gone
        assert not disk.rows
        page.told.clear()
        await page.device.listen(gone["gone"], 1)
        assert page.told == [gone]


PAGES_OF_DEVICE = (
    ("analysis.html", "Every throw"),
    ("position.html?text=classic:1.3.4.9/1%2B3", "11.5"),
    ("practice.html", 'name="tally"'),
    ("games.html", "No games yet"),
    ("fair.html", "Are the dice fair?"),
    ("review.html", "Open a saved game"),
    ("changed.json?game=classic(tiles%3D1-12)", "The box has twelve tiles: 1 to 12."),
)


@in_a_loop
async def test_a_page_lets_nobody_play_at_a_table_that_it_has_not_opened() -> None:
    disk = Disk()
    page, other = Page(disk), Page(disk)
    await page.open(ME, {"who": "here", "name": "Bob"}, game="classic")
    room = page.at.rpartition("/")[2]
    await other.device.look(room)
    assert other.told == []
    other.at = page.at
    await other.table()
    await page.act(await page.table())
    await other.device.look(room)
    assert '"version":1' in other.told[-1]["boot"]


def test_what_a_page_cannot_do_without_a_server_needs_links_or_days() -> None:
    assert {action.name for action in ACTIONS if action.needs_server} == {
        *("openapi", "events"),  # of HTTP itself
        *("invitation", "enter", "renew"),
        *("past-day", "push-key", "subscribe", "unsubscribe"),
    }


async def read_page(page: Page, address: str, method: str = "GET", **form: str) -> tuple[int, str]:
    """The status and text of a page of the site."""
    found = json.loads(await page.device.ask(method, address, urlencode(form)))
    return found["status"], found["body"]


@pytest.mark.usefixtures("drawn")
@in_a_loop
async def test_a_page_of_the_server_is_answered_on_the_device() -> None:
    page = Page(Disk())
    for address, words in PAGES_OF_DEVICE:
        status, text = await read_page(page, address)
        assert (status, words in text) == (200, True), address
        assert re.findall(r'\b(?:href|action)="/(?!static/)[^"]*"', text) == []


def test_the_server_and_the_site_answer_by_the_same_functions() -> None:
    served = {(method, path): page for method, path, page in PAGES}
    assert len(served) == len(PAGES)
    for asked, page in site.PAGES.items():
        assert served[asked] is page
        path = re.sub(r"{\w+(:path)?}", "x", asked[1])
        assert at_site(path).partition("?")[0] == FILES[asked[1]]


@pytest.mark.usefixtures("drawn")
@in_a_loop
async def test_the_pages_of_a_game_are_answered_on_the_device() -> None:
    page = Page(Disk())
    await page.open(ME, game="six")
    await page.play()
    room = page.at.rpartition("/")[2]
    _, games = await read_page(page, "games.html")
    assert f'href="review.html?room={room}"' in games
    _, record = await read_page(page, f"record.txt?room={room}&game=1")
    assert record.startswith("shutbox record")
    status, text = await read_page(page, f"review.html?room={room}&game=1")
    again, same = await read_page(page, "review.html", "POST", text=record)
    assert (status, again) == (200, 200)
    assert all('class="account"' in one for one in (text, same))
    assert f'href="review.html?room={room}&amp;game=1&amp;watch=1"' in text


@pytest.mark.usefixtures("drawn")
@in_a_loop
async def test_a_form_of_the_device_leads_to_a_table_or_says_why_not() -> None:
    page = Page(Disk())
    status, table = await read_page(page, "play.html", "POST", game="classic", position="1.2/1+2")
    assert (status, table.partition("=")[0]) == (303, "table.html?room")
    status, to = await read_page(page, "analysis.html?position=classic:1.2/1%2B2")
    assert (status, to) == (303, "position.html?text=classic:1.2/1%2B2")
    status, text = await read_page(page, "play.html", "POST", game="no-such-box")
    assert (status, "no-such-box" in text) == (422, True)
    status, text = await read_page(page, "delete.html")
    assert (status, "There is nothing at this address." in text) == (400, True)


@in_a_loop
async def test_a_game_on_a_device_is_sealed_and_its_envelope_opened() -> None:
    disk = Disk()
    page = Page(disk)
    await page.open(ME, ROBO, game="six")
    before = (await page.ask("GET", ""))[1]["view"]["seal"]
    await page.ask("POST", "/word", gid=before["gid"], seat=0, word="my word")
    await page.act((await page.ask("GET", ""))[1]["view"]["table"])
    seed = await disk.seed(before["gid"])
    await page.play()
    assert page.told[0]["card"]["title"] == "Six"
    assert page.told[-1]["card"] is None, "a game that is over does not go on"
    answers = [await page.ask("GET", path) for path in ("", "/record?game=1")]
    told = json.dumps([page.told, answers])
    assert [way for way in spellings(bytes.fromhex(seed)) if way.decode("latin-1") in told] == []
    page.device.rooms.now = lambda: time() + TAKE_BACK_SECONDS
    while (await page.ask("GET", ""))[1]["view"]["seal"]["state"] != "open":
        await asyncio.sleep(0.1)
    _, record = await page.ask("GET", "/record?game=1")
    assert f'opening {seed} 0 "my word"' in record
    assert verify_dice.problems(record, f'{before["envelope"]} 0 "my word"') == []


@pytest.mark.usefixtures("drawn")
@in_a_loop
async def test_a_day_has_one_try_with_the_dice_of_its_date() -> None:
    disk = Disk()
    page, other = Page(disk), Page(disk)
    assert escape(KNOWN, quote=False) in (await read_page(page, "today.html"))[1]
    for one in (page, other):  # the second leads to the try of the first
        status, to = await read_page(one, "today.html", "POST", action="a-new-try")
        assert status == 303, to
        one.at = "/api/rooms/" + to.partition("room=")[2]
    assert page.at == other.at
    await page.play()
    _, record = await page.ask("GET", "/record?game=1")
    assert f"\ndice date {page.device.days.today_date}\n" in record
    assert wrong_dice(read(BytesIO(record.encode()), game_of)) == ()
    page.at = ""
    _, today = await page.ask("GET", "/api/today")
    assert ", dice by date · " in today["share"]
    assert today["streak"]["days"] == 1
    assert today["spoken"] in (await read_page(other, "today.html"))[1]
