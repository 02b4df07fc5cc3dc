"""What no cookie and no key changes: other sites, HEAD, and front ends elsewhere with keys alone.

Who may do what, and is told what, is said by the door table (`test_doors.py`).
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from starlette.testclient import TestClient

from people import Person, path_of
from shutbox.web.actions.registry import ACTIONS, BY_FORM
from shutbox.web.errors import BadRequest
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database
from web.doors.form import PAGES
from web.doors.worlds import NO_DAY, Answer, Site, World, ask, listen, new_action

OTHER_SITES = (
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver:81"},
    {"origin": "http://testserver.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "null", "sec-fetch-site": "same-origin"},
)
OWN = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
THROW = {"game": 1, "version": 0, "seat": 0, "do": "throw"}
JSON = {"content-type": "application/json"}
FORM = {"content-type": "application/x-www-form-urlencoded"}


def at_a_table(test: Callable[[World], Coroutine[Any, Any, None]]) -> Callable[[Path], None]:
    """Run a test at a table of friends, where the player is due."""

    async def whole(folder: Path) -> None:
        site = Site(folder)
        await test(await site.world("playing", screen=False, table={}))
        await site.close()

    def run(tmp_path: Path) -> None:
        asyncio.run(whole(tmp_path))

    return run


async def act(world: World, headers: Mapping[str, str]) -> Answer:
    body = json.dumps({"action": new_action(), **THROW}).encode()
    return await ask(world.site.app, "POST", world.site.path(world, "act"), headers, body)


@at_a_table
async def test_head_is_refused_like_get(world: World) -> None:
    for path, who in product(
        (
            f"/r/{world.room}",
            *(world.site.path(world, name) for name in ("room", "record", "hint")),
        ),
        ("stranger", "shut-out"),
    ):
        cookie = world.people[who].cookie()
        got, headed = [await ask(world.site.app, how, path, cookie) for how in ("GET", "HEAD")]
        assert headed.status == got.status


@at_a_table
async def test_a_page_of_another_site_does_nothing_with_the_cookie(world: World) -> None:
    cookie, app = world.people["player"].cookie(), world.site.app
    paths = {path for method, path in PAGES.values() if method == "POST"}
    paths |= {action.form for action in BY_FORM.values()}
    forms = {path.format(room=world.room): FORM for path in paths}
    programs = {
        action.path.format(room=world.room, day=NO_DAY): JSON
        for action in ACTIONS
        if action.method == "POST"
    }
    for (path, media), headers in product((forms | programs).items(), OTHER_SITES):
        sent = {"action": new_action(), **THROW, "what": "leave"}
        body = urlencode(sent) if media is FORM else json.dumps(sent)
        answer = await ask(app, "POST", path, {**cookie, **media, **headers}, body.encode())
        assert (answer.status, path) == (403, path), headers
        assert "set-cookie" not in answer.headers
    assert await world.news("player") == []


@at_a_table
async def test_a_page_of_another_site_hears_nothing_with_the_cookie(world: World) -> None:
    cookie, path = world.people["player"].cookie(), f"{world.site.path(world, 'room')}/live"
    for headers in OTHER_SITES:
        answer = await listen(world.site.app, path, {**cookie, **headers})
        assert answer.status == 4403, headers


@at_a_table
async def test_our_own_pages_may_ask(world: World) -> None:
    headers = {**world.people["player"].cookie(), **OWN}
    assert (await act(world, {**headers, **JSON})).status == 200
    path = f"{world.site.path(world, 'room')}/live"
    assert (await listen(world.site.app, path, headers)).status == 200


APP, OTHER = "https://app.example", "https://other.example"
ALLOWED = "access-control-allow-origin"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, origins=(APP,))


def test_a_front_end_elsewhere_plays_with_its_keys(ann: Person) -> None:
    asked = ann.client.options("/api/rooms", headers={"Origin": APP})
    assert (asked.status_code, asked.headers[ALLOWED]) == (204, APP)
    assert "Authorization" in asked.headers["access-control-allow-headers"]
    assert "access-control-allow-credentials" not in asked.headers
    ann.client.headers["Origin"] = APP
    opened = ann.open(game="six")
    room, key = opened["view"]["room"], opened["keys"]["0"]
    assert ann.act(room, opened["view"]["table"], "throw").status_code == 403
    ann.client.headers["Authorization"] = f"Bearer {key}"
    done = ann.act(room, ann.table(room), "throw")
    assert (done.status_code, done.headers[ALLOWED]) == (200, APP)
    assert "Origin" in done.headers["vary"]


def test_a_cookie_is_neither_read_nor_set_for_it(ann: Person) -> None:
    room = ann.open(game="six")["view"]["room"]
    assert ann.get(path_of(room)).status_code == 200
    refused = ann.get(path_of(room), headers={"Origin": APP})
    assert (refused.status_code, refused.headers[ALLOWED]) == (403, APP)
    ann.client.cookies.clear()
    ann.client.headers["Origin"] = APP
    ann.open(game="six")
    assert not ann.client.cookies


def test_other_origins_and_pages_are_refused_as_before(ann: Person, settings: Settings) -> None:
    for origin in (OTHER, "null", f"{APP}.evil.example", "http://app.example"):
        ann.client.headers["Origin"] = origin
        refused = ann.post("/api/rooms", game="six")
        assert (refused.status_code, ALLOWED in refused.headers) == (403, False)
        assert ann.client.options("/api/rooms").status_code == 405
    ann.client.headers["Origin"] = APP
    assert ALLOWED not in ann.get("/").headers
    assert ann.client.post("/new").status_code == 403
    plain = replace(settings, origins=())
    with TestClient(app_of(Server(plain, Database(f"{plain.database}.other")))) as client:
        sent = client.post("/api/rooms", json={"action": "action-1"}, headers={"Origin": APP})
        assert sent.status_code == 403


def test_what_is_no_origin_is_refused_at_the_start(settings: Settings) -> None:
    for origin in ("*", "app.example", "https://app.example/", "https://A.example"):
        with pytest.raises(BadRequest, match="is not an origin such as"):
            replace(settings, origins=(origin,))
