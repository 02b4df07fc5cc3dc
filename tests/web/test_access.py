"""What no cookie and no key changes: other sites, and HEAD.

Who may do what, and is told what, is said by the door table (`test_doors.py`).
"""

import asyncio
import json
from collections.abc import Callable, Coroutine, Mapping
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from shutbox.web.actions.registry import ACTIONS, BY_FORM
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
