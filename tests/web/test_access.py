"""Permissions: every route, requested by every kind of client and credential.

Clients use a cookie, a bearer key, or a key that comes with the cookie of a permitted client. The
rows are checked against the application's routes, so a new route needs a row. A refused request
must change nothing, and no response may hold another client's secret.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from itertools import count, product
from typing import Any

import pytest
from sqlalchemy import select
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from nightly import one_in
from people import Person, scope_of
from shutbox.web.actions.registry import ACTIONS, BY_FORM, Action
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.room import INVITATION, OPENER, WATCHERS
from shutbox.web.server.app import PAGES, app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.engine import Database
from shutbox.web.storage.schema import seeds

ROOM = "/api/rooms/{room}"
SEERS = ("due", "other", "host", "watcher")
SEATED = ("due", "other", "host")
STAYING = ("due", "host")
"""Those at the table who have not left it, where `other` has."""
OUTSIDE = ("stranger", "neighbour", "revoked")
EVERYBODY = (*SEERS, *OUTSIDE)
NO_DAY = "2026-11-01"


class Visitor(Person):
    """Somebody in this process."""

    client: TestClient

    def __init__(self, client: TestClient) -> None:
        super().__init__(client)


_numbers = count(1)
Body = Callable[["World"], dict[str, Any]]


@dataclass
class World:
    """A room with everybody who may come to it: the host has no seat, seat 0 is due."""

    server: Server
    first: TestClient
    room: str = ""
    people: dict[str, Visitor] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    """The key of each, as a bearer shows it."""

    def client(self) -> TestClient:
        client = TestClient(self.first.app, follow_redirects=False, client=("127.0.0.1", 50000))
        client.portal = self.first.portal
        return client

    @property
    def number(self) -> int:
        live = self.server.rooms.cached_room(self.room)
        assert live is not None
        return live.room.number

    def asks(self, who: str, mode: str, may: tuple[str, ...]) -> tuple[TestClient, dict[str, str]]:
        """A client that asks as somebody, and the headers it sends."""
        if mode == "cookie":
            return self.people[who].client, {}
        client = self.people[may[0]].client if mode == "both" and may else self.client()
        return client, {"authorization": f"Bearer {self.keys[who]}"}

    def secrets(self) -> dict[str, set[str]]:
        """Every secret of the room, and who may have it."""
        live = self.server.rooms.cached_room(self.room)
        assert live is not None
        key = partial(self.server.rooms.access.key, live.room)
        known = {
            key(0): {"due"},
            key(1): {"other"},
            key(WATCHERS): {*SEERS},
            key(OPENER): set(),
            key(INVITATION): set() if live.room.table else {"host"},
        }
        if live.room.free:
            known[key(2)] = {"host"}
        rows = self.server.database.rows(select(seeds.c.seed).where(seeds.c.room == self.room))
        known |= {seed: set() for (seed,) in rows}
        for name, person in self.people.items():
            if (device := person.client.cookies.get("device")) is not None:
                known[device] = {name}
        return known


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, TestClient]]:
    settings = Settings(
        database=f"sqlite:///{tmp_path_factory.mktemp('access') / 'tables.db'}",
        unlimited=frozenset({"127.0.0.1"}),
    )
    server = Server(settings, Database(settings.database))
    with closing(server.database.writer.raw_connection()) as connection:
        connection.cursor().execute("PRAGMA synchronous = OFF")  # here speed is all
    with TestClient(app_of(server), client=("127.0.0.1", 50000)) as first:
        yield server, first


def world(served: tuple[Server, TestClient], state: str = "playing") -> World:
    """A new room in this state, with everybody at their places."""
    made = World(*served)
    people = made.people = {name: Visitor(made.client()) for name in EVERYBODY}
    opened = people["host"].open(
        game="classic",
        format="rounds=2,order=seats",
        seats=[{"who": "link"}] * (3 if state == "waiting" else 2),
    )
    room, keys = opened["view"]["room"], opened["keys"]
    made.room = room
    for name, key, called in (("due", "0", "Ann"), ("other", "1", "Bob")):
        seated = people[name].enter(room, keys[key], called).json()
        made.keys[name] = seated["key"]
    assert people["revoked"].enter(room, keys["watch"]).status_code == 200
    renewed = people["host"].post(f"{ROOM.format(room=room)}/renew", seat=-1).json()
    made.keys["revoked"] = keys["watch"]
    made.keys["watcher"] = renewed["you"]["links"]["watch"].partition("#")[2]
    assert people["watcher"].enter(room, made.keys["watcher"]).status_code == 200
    made.keys["host"] = keys["host"]
    theirs = people["neighbour"].open(game="classic")
    made.keys["neighbour"] = ",".join(theirs["keys"].values())
    made.keys["stranger"] = "x" * 22
    if state in ("left", "over"):
        path = f"{ROOM.format(room=room)}/leave"
        assert people["other"].post(path, seat=1).status_code == 200
    if state == "over":
        assert people["due"].post(f"{ROOM.format(room=room)}/end").status_code == 200
    return made


def new_action() -> str:
    return f"access-{next(_numbers):08}"


def throw(world: World) -> dict[str, Any]:
    return {"game": 1, "version": 0, "seat": 0, "do": "throw"}


def plain(**fields: Any) -> Body:
    return lambda world: fields


@dataclass(frozen=True)
class Row:
    """Who may ask this, and what comes of it."""

    method: str
    path: str
    may: tuple[str, ...] = EVERYBODY
    done: int = 200
    refused: int = 403
    body: Body | None = None
    state: str = "playing"
    changes: bool | None = False  # None: only the room of a client that sits there
    acts: bool = True  # whether the body has the id of an action
    query: str = ""

    what: str = ""
    for_browsers: bool = False
    """Whether it gives a cookie, and refuses whoever comes with a key."""

    @property
    def id(self) -> str:
        return f"{self.method} {self.path} {self.what}{self.query}".strip()


def old_key(world: World) -> dict[str, Any]:
    return {"key": world.keys["revoked"], "name": "Eve"}


def revoked_key(world: World) -> dict[str, Any]:
    return {"key": world.keys["revoked"]}


def watch_key(world: World) -> dict[str, Any]:
    return {"key": world.keys["watcher"]}


def a_word(world: World) -> dict[str, Any]:
    live = world.server.rooms.cached_room(world.room)
    assert live is not None
    assert live.room.dice is not None
    return {"seat": 0, "gid": live.room.dice.gid, "commitment": "0" * 64}


NEW_TABLE = {"game": "classic", "who": "me", "name": "Zoe"}
EXAMPLES: dict[str, tuple[tuple[dict[str, Any], tuple[str, ...], str], ...]] = {
    "act": (({"game": 1, "version": 0, "seat": 0, "do": "throw"}, ("due",), "playing"),),
    "leave": (({"seat": 0}, ("due",), "playing"),),
    "come-back": (({"seat": 1}, ("other",), "left"),),
    "stand-in": (({"seat": 1}, STAYING, "left"),),
    "end": (({}, STAYING, "left"),),
    "rematch": (({"game": 1}, SEATED, "over"),),
    "decline": (({"seat": 0, "game": 1}, ("due",), "over"),),
    "name": (({"seat": 0, "name": "Zoe"}, ("due",), "waiting"),),
    "clear-name": (({"seat": 0}, ("host",), "playing"),),
    "say": (({"seat": 0, "phrase": "luck"}, ("due",), "playing"),),
    "renew": (({"seat": 0}, ("due",), "playing"), ({"seat": -1}, ("host",), "playing")),
}
"""For every action of the registry what is sent, who may send it, and when."""
SITS = {0: ("due",), 1: ("other",), -1: ()}
PERMITTED: dict[Permission, Callable[[int], tuple[str, ...]]] = {
    Permission.SEES: lambda seat: SEERS,
    Permission.AT_TABLE: lambda seat: SEATED,
    Permission.FILLS: lambda seat: SEATED,
    Permission.HOSTS: lambda seat: ("host",),
    Permission.SITS: lambda seat: SITS[seat],
    Permission.ACTS: lambda seat: SITS[seat],
    Permission.HANDS_ON: lambda seat: ("host",) if seat < 0 else SITS[seat],
}
"""Whom the registry lets do it: the rules of a room may refuse some of these, and no others."""


def rows_of(action: Action) -> Iterator[Row]:
    """By its address for programs, and by its form."""
    for body, may, state in EXAMPLES[action.name]:
        send = plain(**body)
        yield Row("POST", action.path, may, body=send, state=state, changes=True)
        what = "" if action.form.endswith(f"/{action.name}") else action.name
        send = plain(what=what, **body) if what else send
        yield Row("POST", action.form, may, 303, 403, send, state, changes=True, what=what)


@pytest.mark.parametrize("action", BY_FORM.values(), ids=lambda action: action.name)
def test_the_registry_lets_nobody_else_do_it(action: Action) -> None:
    for body, may, _ in EXAMPLES[action.name]:
        assert set(may) <= set(PERMITTED[action.who](body.get("seat", -1)))


class Address(str):
    """A part of an address, whichever way the route takes it."""

    def __format__(self, converter: str) -> str:
        return self


ICON = Address("icon.svg")
SUBSCRIPTION = {
    "endpoint": "https://fcm.googleapis.com/send/abc",
    "p256dh": "A" * 87,
    "auth": "A" * 22,
}
POSITION = Address("classic:1.5.9/2+2")
ROWS = (
    # What is for everybody
    *(Row("GET", path) for path in ("/", "/new", "/new/changed", "/help", "/analysis")),
    Row("GET", "/p/{text:path}"),
    Row("GET", "/practice"),
    Row("POST", "/practice", done=200, body=plain(game="classic")),
    *(Row("GET", path) for path in ("/games", "/games/export", "/games/take")),
    *(Row("POST", path, body=plain()) for path in ("/games/link", "/games/phrase")),
    *(Row("GET", path) for path in ("/games/delete", "/settings", "/review")),
    Row("POST", "/games/delete", body=plain(), changes=None, for_browsers=True),
    Row("POST", "/games/take", (), refused=409, body=plain(key="x" * 24), for_browsers=True),
    Row("POST", "/language", done=303, refused=400, body=plain(language="en")),
    *(Row("GET", path) for path in ("/offline", "/manifest.webmanifest", "/sw.js")),
    *(Row("GET", path) for path in ("/ready", "/dice")),
    *(Row("GET", path) for path in ("/api/games", "/api/openapi.json")),
    Row("GET", "/static/{name:path}"),
    Row("GET", "/today"),
    Row("POST", "/today", done=303, body=plain(), for_browsers=True),
    Row("GET", "/today/{day}", (), refused=404),
    Row("GET", "/challenge", done=422),
    Row("POST", "/challenge", done=422, body=plain(dice="A"), for_browsers=True),
    Row("POST", "/api/challenges", done=422, body=plain(dice="A")),
    Row("GET", "/api/push"),
    Row("POST", "/api/push", body=plain(**SUBSCRIPTION), for_browsers=True),
    Row("POST", "/api/push/stop", body=plain()),
    Row("GET", "/api/today"),
    Row("POST", "/api/today", done=201, body=plain()),
    Row("GET", "/api/today/{day}", (), refused=404),
    Row("POST", "/play", done=303, body=plain(game="classic"), for_browsers=True),
    Row("POST", "/new", done=303, body=plain(**NEW_TABLE), for_browsers=True),
    Row("POST", "/api/rooms", done=201, body=plain(game="classic")),
    Row("POST", "/review", done=400, body=plain()),
    Row("POST", "/api/records", done=422, body=plain()),
    Row("POST", "/api/review", done=422, body=plain()),
    # What is seen of a room
    Row("GET", "/r/{room}", SEERS, refused=200),  # the page that asks for a key
    Row("GET", "/r/{room}/qr", SEERS),
    Row("GET", "/r/{room}/qr", ("due",), query="?seat=0"),
    Row("GET", "/r/{room}/record", SEERS),
    Row("GET", "/r/{room}/dice", SEERS),
    Row("GET", "/r/{room}/review", SEERS),
    Row("GET", "/r/{room}/review", SEERS, state="over"),
    Row("GET", "/r/{room}/verdict", SEERS),
    Row("GET", ROOM, SEERS),
    Row("GET", f"{ROOM}/record", SEERS),
    Row("GET", f"{ROOM}/challenge", ()),  # before the envelope is open
    Row("GET", f"{ROOM}/review", SEERS, state="over"),
    Row("GET", f"{ROOM}/verdict", SEERS),
    Row("GET", f"{ROOM}/events", SEERS),
    Row("WS", f"{ROOM}/live", SEERS),
    # What is for those at the table
    Row("GET", "/r/{room}/hint", SEATED),
    Row("GET", f"{ROOM}/hint", SEATED),
    *(row for action in BY_FORM.values() for row in rows_of(action)),
    Row("POST", f"{ROOM}/word", ("due",), body=a_word, changes=True),
    # Links
    Row("POST", f"{ROOM}/invitation", (), body=revoked_key, acts=False),
    Row("POST", f"{ROOM}/invitation", body=watch_key, acts=False),
    Row("POST", f"{ROOM}/enter", (), body=old_key),
    Row("POST", "/r/{room}/enter", (), refused=422, body=old_key, for_browsers=True),
    Row("POST", f"{ROOM}/enter", body=watch_key),
    Row("POST", "/r/{room}/enter", done=303, body=watch_key, for_browsers=True),
)


def test_every_route_has_its_row(served: tuple[Server, TestClient]) -> None:
    routes: set[tuple[str, str]] = {(e.method, e.path) for e in ACTIONS}
    routes |= {(method, path) for method, path, _ in PAGES}
    for route in app_of(served[0]).routes:
        match route:
            case Route(path=path, methods=methods):
                routes |= {(method, path) for method in methods or () if method != "HEAD"}
            case WebSocketRoute(path=path):
                routes.add(("WS", path))
            case _:
                pytest.fail(f"what is {route}?")
    assert routes == {(row.method, row.path) for row in ROWS}


class Answer:
    """What came back: its status, and all of it that somebody could read."""

    def __init__(self, status: int, text: str) -> None:
        self.status = status
        self.text = text


def ask(world: World, row: Row, who: str, mode: str) -> Answer:
    client, headers = world.asks(who, mode, row.may)
    path = (row.path + row.query).format(room=world.room, name=ICON, text=POSITION, day=NO_DAY)
    if row.method == "WS":
        return _socket(client, path, headers)
    if path.endswith("/events"):
        return _stream(world, client, path, headers)
    if row.method == "GET":
        response = client.get(path, headers=headers)
    elif path in ("/api/records", "/api/review"):
        response = client.post(path, content=b"no record", headers=headers)
    elif path.startswith("/api/"):
        assert row.body is not None
        action = {"action": new_action()} if row.acts else {}
        response = client.post(path, json={**action, **row.body(world)}, headers=headers)
    else:
        assert row.body is not None
        fields = {"action": new_action(), **row.body(world)}
        response = client.post(path, data=fields, headers=headers)
        if response.status_code == 307:  # with a cookie now
            response = client.post(response.headers["location"], data=fields, headers=headers)
    return Answer(response.status_code, f"{response.headers.multi_items()} {response.text}")


def _socket(client: TestClient, path: str, headers: dict[str, str]) -> Answer:
    try:
        # The test client cancels whoever serves it.
        with (
            contextlib.suppress(CancelledError),
            client.websocket_connect(path, headers=headers) as socket,
        ):
            answer = Answer(200, socket.receive_text())
    except WebSocketDisconnect as refused:
        return Answer(refused.code - 4000, refused.reason or "")
    return answer


def _stream(world: World, client: TestClient, path: str, headers: dict[str, str]) -> Answer:
    """The status of a stream, and what it says first; then whoever asked goes away."""
    scope = scope_of(client, path, headers)
    answer = Answer(0, "")

    async def asked() -> None:
        enough = asyncio.Event()
        requests = [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> Any:
            if requests:
                return requests.pop()
            await enough.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if message["type"] == "http.response.start":
                answer.status = message["status"]
                answer.text += str(message["headers"])
            else:
                answer.text += message.get("body", b"").decode()
            if "data:" in answer.text:
                enough.set()

        await asyncio.wait_for(world.first.app(scope, receive, send), 20)

    assert world.first.portal is not None
    world.first.portal.call(asked)
    return answer


def check_secrets(world: World, who: str, text: str) -> None:
    for secret, owners in world.secrets().items():
        assert who in owners or secret not in text, f"{who} is told a secret"


@pytest.mark.parametrize("row", one_in(3, ROWS), ids=lambda row: row.id)
def test_access(served: tuple[Server, TestClient], row: Row) -> None:
    here = world(served, row.state)
    before = here.number
    for who, mode in product(EVERYBODY, ("cookie", "key", "both")):
        if who in row.may:
            continue
        answer = ask(here, row, who, mode)
        refused = 403 if row.for_browsers and mode != "cookie" else row.refused
        assert answer.status == refused, (who, mode, answer.text)
        assert mode == "cookie" or "set-cookie" not in answer.text
        assert here.number == before, f"{who} changed the room"
        check_secrets(here, who, answer.text)
        assert "Bob" not in answer.text or who in SEERS, f"{who} is told who plays"
    modes = ("cookie", "key") if len(row.may) == 1 or not row.changes else ("cookie",)
    for who, mode in product(row.may, modes):
        here = world(served, row.state) if row.changes is not False else here
        before = here.number
        answer = ask(here, row, who, mode)
        done = 403 if row.for_browsers and mode == "key" else row.done
        assert answer.status == done, (who, mode, answer.text)
        # A language is no access.
        assert mode == "cookie" or row.path == "/language" or "set-cookie" not in answer.text
        sits = who in ("due", "other") and mode == "cookie"
        assert (here.number > before) == (sits if row.changes is None else row.changes), who
        if not row.path.endswith("/enter"):  # there the key of the link is told
            check_secrets(here, who, answer.text)


@pytest.mark.parametrize("path", ["/r/{room}", ROOM, f"{ROOM}/record", f"{ROOM}/hint"])
def test_head_is_refused_like_get(served: tuple[Server, TestClient], path: str) -> None:
    here = world(served)
    for who in OUTSIDE:
        client, address = here.people[who].client, path.format(room=here.room)
        assert client.head(address).status_code == client.get(address).status_code


def test_a_seat_that_is_not_there(served: tuple[Server, TestClient]) -> None:
    here = world(served)
    doings, before = ("leave", "come-back", "stand-in", "renew"), here.number
    for who, what, seat in product(SEERS, doings, (2, 11)):
        answer = here.people[who].post(f"{ROOM.format(room=here.room)}/{what}", seat=seat)
        assert answer.status_code == 403
    assert len(here.server.log.archive.events(here.room)) == before


OTHER_SITES = (
    {"origin": "https://evil.example"},
    {"origin": "null"},
    {"origin": "http://testserver:81"},
    {"origin": "https://testserver"},
    {"origin": "http://testserver.evil.example"},
    {"sec-fetch-site": "cross-site"},
    {"sec-fetch-site": "same-site"},
    {"origin": "null", "sec-fetch-site": "same-origin"},
)


def test_a_page_of_another_site_does_nothing_with_the_cookie(
    served: tuple[Server, TestClient],
) -> None:
    here = world(served, "left")
    before, rows = here.number, [row for row in ROWS if row.body is not None]
    for row, headers in product(rows, OTHER_SITES):
        assert row.body is not None
        body = {"action": new_action(), **row.body(here)}
        json, data = (body, None) if row.path.startswith("/api/") else (None, body)
        path, client = row.path.format(room=here.room, name=ICON), here.people["due"].client
        refused = client.post(path, headers=headers, json=json, data=data)
        assert refused.status_code == 403, (row.id, headers)
        assert "set-cookie" not in refused.headers
    assert here.number == before


def test_a_page_of_another_site_hears_nothing_with_the_cookie(
    served: tuple[Server, TestClient],
) -> None:
    here = world(served)
    path = f"{ROOM.format(room=here.room)}/live"
    for headers in OTHER_SITES:
        assert _socket(here.people["due"].client, path, headers).status == 403, headers


def test_our_own_pages_may_ask(served: tuple[Server, TestClient]) -> None:
    here = world(served)
    path, client = ROOM.format(room=here.room), here.people["due"].client
    own = {"origin": "http://testserver", "sec-fetch-site": "same-origin"}
    body = {"action": new_action(), **throw(here)}
    assert client.post(f"{path}/act", json=body, headers=own).status_code == 200
    assert _socket(client, f"{path}/live", own).status == 200


# Links that are made anew


def test_a_new_link_shuts_out_whoever_came_by_the_old_one(
    served: tuple[Server, TestClient],
) -> None:
    here = world(served)
    path, due = ROOM.format(room=here.room), here.people["due"]
    second = Person(here.client())
    assert second.enter(here.room, here.keys["due"]).json()["you"]["seats"] == [0]
    assert second.get(path).status_code == 200
    renewed = due.post(f"{path}/renew", seat=0).json()
    assert renewed["you"]["seats"] == [0]
    link = renewed["you"]["links"]["seats"]["0"].partition("#")[2]
    assert link != here.keys["due"]
    # The other device and the old key are out; whoever asked stays.
    assert second.get(path).status_code == 403
    assert second.enter(here.room, here.keys["due"]).status_code == 403
    assert due.get(path).json()["you"]["seats"] == [0]
    old = {"authorization": f"Bearer {here.keys['due']}"}
    assert here.client().get(path, headers=old).status_code == 403
    assert second.enter(here.room, link).json()["you"]["seats"] == [0]


def test_a_new_link_is_told_to_whoever_asks_by_key(served: tuple[Server, TestClient]) -> None:
    here = world(served)
    path = ROOM.format(room=here.room)
    client, headers = here.asks("due", "key", ())
    body = {"action": new_action(), "seat": 0}
    done = client.post(f"{path}/renew", json=body, headers=headers).json()
    key = done["you"]["links"]["seats"]["0"].partition("#")[2]
    new = {"authorization": f"Bearer {key}"}
    assert client.get(path, headers=new).json()["you"]["seats"] == [0]
    assert client.get(path, headers=headers).status_code == 403
