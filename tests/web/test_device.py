"""The rooms of a device without a server: requested as by the page, and saved before shown."""

import asyncio
import json
from typing import Any

import pytest

from shutbox.web.actions.registry import ACTIONS
from shutbox.web.device.device import Device
from shutbox.web.http.errors import encode as encode_by_server
from shutbox.web.live.live_room import EventMessage, PictureMessage, WatchingMessage
from shutbox.web.rooms.link_keys import new_action
from shutbox.web.rooms.shapes import json_text
from shutbox.web.rooms.view import log_lines

ME, HERE = {"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}
ROBO = {"who": "computer:fewest"}


class Disk:
    """Keeps events as a browser does: of each number the first, and none after a gap."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, int], tuple[float, str]] = {}
        self.is_full = self.is_denied = False

    async def read(self, room: str, after: int) -> str:
        if self.is_denied:
            raise OSError("SecurityError")
        rows = sorted((n, *row) for (id, n), row in self.rows.items() if id == room and n > after)
        return json.dumps(rows)

    async def keep(self, room: str, rows: str) -> bool:
        if self.is_full:
            raise OSError("QuotaExceededError")
        found = {(room, number): (at, entry) for number, at, entry in json.loads(rows)}
        first = min(number for _, number in found)
        if found.keys() & self.rows.keys() or (first > 1 and (room, first - 1) not in self.rows):
            return False
        self.rows |= found
        return True


class Page:
    """A page with an engine of its own."""

    def __init__(self, disk: Disk) -> None:
        self.told: list[dict[str, Any]] = []
        self.device = Device(disk, lambda text: self.told.append(json.loads(text)))
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


@pytest.mark.parametrize("seats", [[ME], [ME, HERE], [ME, ROBO]], ids=["alone", "two", "robo"])
def test_a_game_is_played_and_then_another(seats: list[dict[str, str]]) -> None:
    async def played() -> None:
        page = Page(Disk())
        await page.open(*seats, game="six", coach=True)
        await page.play()
        for what in ("hint", "verdict", "record?game=1"):
            assert (await page.ask("GET", f"/{what}"))[0] == 200
        status, done = await page.ask("POST", "/rematch", game=1)
        assert (status, done["view"]["table"]["game"]) == (200, 2)

    asyncio.run(played())


def test_real_dice_are_typed() -> None:
    async def played() -> None:
        page = Page(Disk())
        await page.open(ME, game="classic", dice="hand")
        table = await page.table()
        assert (await page.act(table))[1]["error"]["code"] == "not-understood"
        assert (await page.act(table, roll="3 5"))[0] == 200
        assert (await page.table())["target"] == 8

    asyncio.run(played())


def test_what_is_kept_is_there_for_the_next_page() -> None:
    async def played() -> None:
        disk = Disk()
        page, other = Page(disk), Page(disk)
        await page.open(ME, HERE, game="classic")
        await page.act(await page.table())
        before = (await page.ask("GET", ""))[1]
        other.at = page.at
        assert (await other.ask("GET", ""))[1] == before
        assert other.told[0]["card"]["title"] == before["view"]["title"]

    asyncio.run(played())


def test_an_action_that_is_repeated_is_done_once() -> None:
    async def played() -> None:
        page = Page(Disk())
        await page.open(ME, game="classic")
        table = await page.table()
        first = await page.act(table, action="the-same-one")
        again = await page.act(table, action="the-same-one")
        assert (first[0], again[0]) == (200, 200)
        assert first[1]["said"] == again[1]["said"]
        assert (await page.table())["version"] == 1

    asyncio.run(played())


def test_a_game_that_is_over_is_reviewed() -> None:
    async def played() -> None:
        page = Page(Disk())
        await page.open(ME, game="six")
        assert (await page.ask("GET", "/review"))[0] == 422
        await page.play()
        status, review = await page.ask("GET", "/review?game=1")
        assert (status, bool(review["steps"])) == (200, True)

    asyncio.run(played())


def test_of_two_pages_the_slower_is_told_where_things_stand() -> None:
    async def played() -> None:
        disk = Disk()
        page, other = Page(disk), Page(disk)
        await page.open(ME, game="classic")
        other.at = page.at
        table = await other.table()
        assert (await page.act(table))[0] == 200
        status, refused = await other.act(table)
        assert (status, refused["error"]["code"]) == (422, "out-of-date")
        assert refused["view"] == (await page.ask("GET", ""))[1]["view"]

    asyncio.run(played())


def test_what_is_not_kept_has_not_happened() -> None:
    async def played() -> None:
        disk = Disk()
        page = Page(disk)
        await page.open(ME, game="classic")
        before = await page.table()
        disk.is_full = True
        status, refused = await page.act(before)
        assert (status, refused["error"]["code"]) == (422, "not-kept")
        assert await page.table() == before

    asyncio.run(played())


def test_a_browser_that_keeps_nothing_says_so() -> None:
    async def asked() -> None:
        disk = Disk()
        disk.is_denied = True
        status, refused = await Page(disk).ask("POST", "/api/rooms", seats=[ME])
        assert (status, refused["error"]["code"]) == (422, "not-kept")

    asyncio.run(asked())


def test_why_a_computer_player_does_nothing_is_told() -> None:
    async def played() -> None:
        disk = Disk()
        page = Page(disk)
        await page.open(ROBO, ME, game="six")
        disk.is_full = True
        before = list(disk.rows)
        page.told.clear()
        while not page.told:
            await asyncio.sleep(0)
        (refusal,) = (told["refusal"] for told in page.told)
        assert refusal == "This browser keeps nothing more: QuotaExceededError."
        assert list(disk.rows) == before
        disk.is_full = False
        assert (await page.table())["seat"] == 1

    asyncio.run(played())


@pytest.mark.parametrize("seats", [[ME], [ME, ROBO]], ids=["alone", "robo"])
def test_a_table_whose_events_are_cleared_is_gone(seats: list[dict[str, str]]) -> None:
    async def played() -> None:
        disk = Disk()
        page = Page(disk)
        await page.open(*seats, game="classic")
        table = await page.table()
        assert (await page.act(table))[0] == 200
        disk.rows.clear()
        status, refused = await page.act(await page.table())
        assert (status, refused["error"]["code"]) == (422, "unknown-room")
        assert page.told[-1] == {"gone": page.at.rpartition("/")[2]}
        assert not disk.rows
        page.told.clear()
        await page.device.listen(page.at.rpartition("/")[2], 1)
        assert page.told == [{"gone": page.at.rpartition("/")[2]}]

    asyncio.run(played())


def test_a_page_lets_nobody_play_at_a_table_that_it_has_not_opened() -> None:
    async def played() -> None:
        disk = Disk()
        page, other = Page(disk), Page(disk)
        await page.open(ME, HERE, game="classic")
        await other.device.look(page.at.rpartition("/")[2])
        assert other.told == []
        other.at = page.at
        await other.table()
        await page.act(await page.table())
        await other.device.look(page.at.rpartition("/")[2])
        assert '"version":1' in other.told[-1]["boot"]

    asyncio.run(played())


@pytest.mark.parametrize("query", ["?game=", "?game=x", "?game=-1", "?game=9999999999"])
def test_a_record_without_a_number_is_refused(query: str) -> None:
    async def asked() -> None:
        page = Page(Disk())
        await page.open(ME, game="classic")
        status, refused = await page.ask("GET", f"/record{query}")
        assert (status, refused["error"]["code"]) == (422, "bad-request")

    asyncio.run(asked())


@pytest.mark.parametrize(
    ("path", "body", "code"),
    [
        ("/act", {"do": "throw", "game": 1, "version": 0, "seat": 1}, "not-allowed"),
        (
            "/act",
            {"do": "throw", "game": 1, "version": 0, "seat": 0, "roll": "6" * 201},
            "bad-request",
        ),
        ("/act", {"do": "throw", "hurry": True}, "bad-request"),
        ("/act", {"do": "throw"}, "bad-request"),
        ("/renew", {"seat": 0}, "bad-request"),
        ("/rematch", {"game": 1}, "not-allowed"),
        ("/leave", {"seat": 1}, "not-allowed"),
    ],
)
def test_a_refusal_changes_nothing(path: str, body: dict[str, Any], code: str) -> None:
    async def asked() -> None:
        page = Page(Disk())
        await page.open(ME, game="classic")
        before = await page.ask("GET", "")
        status, refused = await page.ask("POST", path, **body)
        assert (status, refused["error"]["code"]) == (422, code)
        assert await page.ask("GET", "") == before

    asyncio.run(asked())


@pytest.mark.parametrize(
    ("about", "code"),
    [
        ({"seats": [ME, {"who": "link"}]}, "not-allowed"),
        ({"seats": [ME], "game": "no-such-box"}, "unknown-game"),
        ({"seats": [ME], "game": "./mine.toml"}, "unknown-game"),
        ({"seats": [ME], "preset": "pub", "format": "rounds=0"}, "bad-format"),
    ],
)
def test_a_table_that_cannot_be_is_refused(about: dict[str, Any], code: str) -> None:
    async def asked() -> None:
        status, refused = await Page(Disk()).ask("POST", "/api/rooms", **about)
        assert (status, refused["error"]["code"]) == (422, code)

    asyncio.run(asked())


def test_a_box_is_drawn_or_what_is_wrong_with_it_is_said() -> None:
    async def asked() -> None:
        page = Page(Disk())
        status, box = await page.ask("GET", "/api/box?game=classic(tiles%3D1-12)")
        assert (status, box["lines"][0]) == (200, "The box has twelve tiles: 1 to 12.")
        assert box["miniature"].startswith("<svg")
        assert box["miniature"].count('href="#mini-') == 2
        asked = "/api/box?game=classic(tiles%3D1-12)&preset=race-200&to=covered"
        status, choice = await page.ask("GET", asked)
        assert (status, choice["choice"]["asks"]) == (200, True)
        assert choice["rules"]["game"] == "covered(tiles=1-12)"
        assert choice["ends"] == "The first to reach a total of 200 wins."
        asked = "/api/box?game=covered&was=race-200&format=&to=classic&preset="
        _, without = await page.ask("GET", asked)
        assert without["rules"] == {"game": "classic", "preset": "", "format": ""}
        assert without["ends"] == ""
        status, refused = await page.ask("GET", "/api/box?game=classic(tiles%3Dnone)")
        assert (status, refused["error"]["code"]) == (422, "bad-variant")

    asyncio.run(asked())


def test_the_page_hears_and_reads_the_same_as_of_a_server() -> None:
    async def played() -> None:
        page = Page(Disk())
        await page.open(ME, HERE, game="classic")
        await page.act(await page.table())
        (live,) = page.device.rooms.loaded_rooms
        room, view = live.room, live.broadcast.present()
        for value in (
            EventMessage(room.number, room.log[-1], view, you_changed=True),
            PictureMessage(3, view, log_lines(room)),
            WatchingMessage(2),
            view,
        ):
            assert json.loads(json_text(value)) == json.loads(encode_by_server(value))

    asyncio.run(played())


def test_what_a_page_cannot_do_without_a_server_needs_links_or_days() -> None:
    assert {action.name for action in ACTIONS if action.needs_server} == {
        *("openapi", "events"),  # of HTTP itself
        *("invitation", "enter", "renew"),
        *("today", "play-today", "past-day"),
    }
