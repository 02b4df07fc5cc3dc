"""Tables in each phase with all their callers, at a server in this process.

The phases are `lobby` (a seat is free), `playing` (Ann is to throw), `over`, `given-up`, `closed`
(by the host of the server) and `expired`. A table is made once, and put back after each change.
"""

import asyncio
import json
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, delete, insert, select
from starlette.types import ASGIApp, Message

from in_process import server_of, settings_in
from people import scope_of
from shutbox.web import limits
from shutbox.web.actions.registry import ACTIONS
from shutbox.web.live.room_dice import open_envelope
from shutbox.web.rooms.access import new_device
from shutbox.web.rooms.room import INVITATION, OPENER, WATCHERS
from shutbox.web.server.app import app_of
from shutbox.web.server.background import Orders
from shutbox.web.storage.log import delete_room, give_order
from shutbox.web.storage.schema import metadata, seeds

NAMES = ("Ann", "Bob", "Cleo", "Dan")
SEATS = {"player": 0, "phone": 0, "other": 1, "replaced": 2}
"""The callers at a table of friends who have a seat. The phone is Ann's second device, and at
Cleo's seat a computer player goes on. The host has no seat."""
AT_SCREEN = [
    {"who": who, "name": name} for who, name in zip(("me", "here", "here"), NAMES, strict=False)
]
OUTSIDERS = ("stranger", "shut-out")
TINY = {"game": "classic(tiles=1-2,dice=1d2)", "format": "rounds=1,order=seats"}
"""The first throw of a turn is always followed by a choice, and a turn has three throws at most."""
NEWS = {
    "open": "opens",
    "enter": "sits-down",
    "begin": "begins",
    "throw": "throws",
    "choose": "chooses",
    "take-back": "takes-back",
    "correct": "corrects",
    "leave": "leaves",
    "come-back": "comes-back",
    "stand-in": "is-replaced",
    "end": "ends",
    "answer": "answers",
    "name": "is-renamed",
    "say": "says",
    "renew": "renews",
    "close": "closes",
    "dice": "dice",
}
"""What the table calls each event that a listener is told of; any other by its own name."""
NO_DAY = "2026-11-01"  # a day without a box
_numbers = count(1)


def news_of(message: Mapping[str, Any]) -> str:
    """Return what the table calls an event that a listener is told of."""
    kind: str = message["happened"]["kind"]
    return NEWS.get(kind, kind)


def new_action() -> str:
    return f"door-{next(_numbers):08}"


@dataclass(frozen=True)
class Answer:
    """What came back from a server: its status, and all of it that somebody could read."""

    status: int
    headers: dict[str, str]
    text: str

    @property
    def json(self) -> Any:
        return json.loads(self.text)


async def ask(
    app: ASGIApp,
    method: str,
    path: str,
    headers: Mapping[str, str],
    body: bytes = b"",
    until: str = "",
) -> Answer:
    """Return the answer to a request; of a stream what comes up to the text `until`."""
    requests: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    enough, start, parts = asyncio.Event(), dict[str, Any](), list[bytes]()

    async def receive() -> Message:
        if requests:
            return requests.pop()
        await enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)
        else:
            parts.append(message.get("body", b""))
            if until and until in b"".join(parts).decode():
                enough.set()

    async with asyncio.timeout(60):
        await app(scope_of(path, headers, method), receive, send)
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return Answer(start["status"], found, b"".join(parts).decode())


async def listen(app: ASGIApp, path: str, headers: Mapping[str, str]) -> Answer:
    """Open a WebSocket; return the first message, or the code and reason of its closing."""
    comes = [{"type": "websocket.connect"}]
    enough, answers = asyncio.Event(), list[Answer]()

    async def receive() -> Message:
        if comes:
            return comes.pop()
        await enough.wait()
        return {"type": "websocket.disconnect", "code": 1000}

    async def send(message: Message) -> None:
        if message["type"] == "websocket.send":
            answers.append(Answer(200, {}, message["text"]))
            enough.set()
        elif message["type"] == "websocket.close":
            answers.append(Answer(message["code"], {}, message.get("reason") or ""))
            enough.set()

    async with asyncio.timeout(60):
        await app(scope_of(path, headers, kind="websocket"), receive, send)
    return answers[0]


@dataclass
class Person:
    """A caller: a browser by its cookie, a program by its key."""

    device: str = ""
    key: str = ""
    seat: int | None = None

    def cookie(self) -> dict[str, str]:
        return {"cookie": f"device={self.device}"} if self.device else {}


def facts_of(view: Mapping[str, Any], you: Mapping[str, Any]) -> frozenset[str]:
    """Return what a room's view tells, in the words of the door table, but not what is offered."""
    table = view["table"]
    phase = {"waiting": "lobby", "ended": "given-up"}.get(view["phase"], view["phase"])
    found = {phase, *(("host",) if you["host"] else ())}
    if table is not None:
        found.add(f"game-{table['game']}")
    for name, seat in zip(NAMES, view["seats"], strict=False):
        about = {
            seat["state"]: seat["state"] != "taken",
            "computer": bool(seat["computer"]),
            "again": seat["again"] is True,
            "no-more": seat["again"] is False,
            seat["name"].replace(" ", "-"): True,
        }
        found |= {f"{name.lower()}:{word}" for word, holds in about.items() if holds}
    return frozenset(found)


def offers_of(view: Mapping[str, Any], you: Mapping[str, Any]) -> frozenset[str]:
    """Return the actions that a room's view and the caller's permissions offer."""
    may, table = you["may"], view["table"]
    found = {name.replace("_", "-") for name, seats in may.items() if seats}
    found -= {"types-dice", "throw-for"}
    if "give-up" in found:
        found = (found - {"give-up"}) | {"end"}
    if table is None or view["phase"] not in ("playing", "over"):
        return frozenset(found)
    seat, mine = table["seat"], {*you["seats"]}
    if seat is not None and view["phase"] == "playing":
        here = view["seats"][seat]
        plays = seat in mine and here["state"] == "taken" and not here["computer"]
        if plays and (table["does"] == "choose" or may["types_dice"] or not by_hand(view)):
            found.add(table["does"])
    for word, key in (("take-back", "taker_back"), ("correct", "correctable")):
        if table[key] is not None and table[key] in mine:
            found.add(word)
    return frozenset(found)


def by_hand(view: Mapping[str, Any]) -> bool:
    return bool(view["settings"]["dice"] == "hand")


def move_due(view: Mapping[str, Any]) -> dict[str, Any]:
    """Return the throw or the first choice that is due at a table."""
    table = view["table"]
    move = {"do": table["does"], **{name: table[name] for name in ("game", "version", "seat")}}
    if table["does"] == "choose":
        return {**move, "choice": table["offers"][0]["text"]}
    return {**move, "roll": "1"} if by_hand(view) else move


def links_of(you: Mapping[str, Any]) -> frozenset[str]:
    """Return the links that a caller is shown: `link:watch`, `link:join` and `link:ann`."""
    links = you["links"]
    named = {f"link:{NAMES[int(seat)].lower()}" for seat in links["seats"]}
    return frozenset(named | {f"link:{kind}" for kind in ("watch", "join") if links[kind]})


OF_ROOM = [table for table in metadata.sorted_tables if table.name == "rooms" or "room" in table.c]
"""The tables of the database that hold what there is of a room."""


def _of(table: Table, world: "World") -> ColumnElement[bool]:
    return table.c["id" if table.name == "rooms" else "room"] == world.room


def _at(table: Table, world: "World") -> Select[Any]:
    return select(table).where(_of(table, world))


@dataclass
class World:
    """One table in a phase, with everybody who may come to it."""

    site: "Site"
    phase: str
    people: dict[str, Person] = field(default_factory=dict)
    room: str = ""
    number: int = 0  # of the last event that was looked at
    keys: dict[str, str] = field(default_factory=dict)
    """The keys of the links as they were at first, by seat, and of `watch` and `host`."""
    join: str = ""  # the key of the invitation
    _kept: tuple[Any, ...] = ()

    def keep(self) -> None:
        """Note everything as it is now, for `rewind`."""
        rows = {
            table: [dict(row._mapping) for row in self.site.server.database.rows(_at(table, self))]
            for table in OF_ROOM
        }
        self._kept = rows, deepcopy(self.people), self.number

    async def rewind(self) -> None:
        """Put everything back as it was."""
        rows, people, self.number = self._kept
        self.people = deepcopy(people)

        def restore(connection: Connection) -> None:
            for table in reversed(OF_ROOM):
                connection.execute(delete(table).where(_of(table, self)))
            for table in OF_ROOM:
                if rows[table]:
                    connection.execute(insert(table), rows[table])

        await self.site.server.log.write(restore)
        await self.site.server.rooms.on_room_deleted(self.room)

    async def call(self, who: str, action: str, **sends: Any) -> Any:
        """Do an action by the API, which must work, and return its reply."""
        answer = await self.site.api(self, self.people[who].cookie(), action, sends)
        assert answer.status < 400, (self.phase, who, action, answer.text)
        return answer.json

    async def view(self) -> Any:
        """Return the table as the host sees it."""
        return (await self.call(self.opener, "room"))["view"]

    @property
    def opener(self) -> str:
        return "host" if "host" in self.people else "screen"

    async def news(self, who: str) -> list[str]:
        """Return what others were told of since the last call; `who` has acted."""
        last = (await self.view())["number"]
        if last == self.number:
            return []
        since, self.number = self.number, last
        observer = "spectator" if "screen" in self.people else "other" if who != "other" else "host"
        path = f"{self.site.path(self, 'events')}?since={since}"
        cookie = self.people[observer].cookie()
        told = await ask(self.site.app, "GET", path, cookie, until=f"id: {last}\n")
        lines = [line for line in told.text.splitlines() if line.startswith("data: ")]
        messages = [json.loads(line.removeprefix("data: ")) for line in lines]
        return [news_of(one) for one in messages if one["type"] == "event"]

    def secrets(self) -> dict[str, set[str]]:
        """Return every secret of the room, with the callers who may be told it."""
        live = self.site.server.rooms.loaded_room(self.room)
        if live is None:
            return {}
        key = partial(self.site.server.rooms.access.key, live.room)
        known = {key(seat): set[str]() for seat in range(len(live.room.seats))}
        for who, seat in SEATS.items():
            if who in self.people:
                known[key(seat)].add(who)
        known[key(OPENER)] = set()
        known[key(INVITATION)] = known[key(WATCHERS)] = {*self.people} - {*OUTSIDERS}
        if "screen" in self.people:
            return {secret: {"screen", *owners} for secret, owners in known.items()}
        known[key(INVITATION)] = {"host"}
        if live.room.free and not live.room.closed:
            known[key(live.room.free[0])] = {"host"}
        if live.room.dice is None or live.room.dice.opening is None:
            query = select(seeds.c.seed).where(seeds.c.room == self.room)
            known |= {seed: set() for (seed,) in self.site.server.database.rows(query)}
        devices = {one.device: {name} for name, one in self.people.items() if one.device}
        return known | devices


async def at_once(caller: str, work: Any, *arguments: Any, **queue: Any) -> Any:
    """Do the work of a worker in this process."""
    return work(*arguments)


class Site:
    """A server in this process, without its background tasks, and the worlds at it."""

    def __init__(self, folder: Path) -> None:
        self.server = server_of(settings_in(folder))
        self.server.pool.do = at_once  # type: ignore[method-assign]
        self.server.pool.warm = lambda: None  # type: ignore[method-assign]
        connection = self.server.database.writer.raw_connection()
        connection.cursor().execute("PRAGMA synchronous = OFF")  # here speed is all
        connection.close()
        self.app = app_of(self.server)
        self.paths = {action.name: action for action in ACTIONS}
        self.worlds: dict[str, Any] = {}  # by how they were made
        self.neighbour = ""

    def path(self, world: World, action: str) -> str:
        return self.paths[action].path.format(room=world.room, day=NO_DAY)

    async def api(
        self, world: World, headers: Mapping[str, str], action: str, sends: Mapping[str, Any]
    ) -> Answer:
        """Send an action of the registry."""
        if action == "live":
            return await listen(self.app, f"{self.path(world, 'room')}/live", headers)
        about, path = self.paths[action], self.path(world, action)
        if action == "events":
            return await ask(self.app, "GET", path, headers, until="data:")
        if about.method == "GET":
            return await ask(self.app, "GET", path, headers)
        if about.takes is bytes:
            return await ask(self.app, "POST", path, headers, sends["record"].encode())
        body = {"action": new_action(), **sends}
        if action == "invitation":
            del body["action"]
        json_headers = {**headers, "content-type": "application/json"}
        return await ask(self.app, "POST", path, json_headers, json.dumps(body).encode())

    async def world(self, phase: str, *, screen: bool, table: Mapping[str, Any]) -> World:
        """Return a new table in a phase: of friends, or of several people at one screen."""
        world = World(self, phase)
        await (self._screen if screen else self._friends)(world, {**TINY, **table})
        await getattr(self, "_" + phase.replace("-", "_"))(world)
        if phase not in ("expired",):
            world.number = (await world.view())["number"]
        return world

    async def _friends(self, world: World, table: Mapping[str, Any]) -> None:
        names = ("host", *SEATS, "spectator", *OUTSIDERS)
        people = world.people = {name: Person(new_device()) for name in names}
        people["newcomer"] = Person()
        seats = 4 if world.phase == "lobby" else 3
        about = {"leaver": "any", "stand_in": "fewest", "seats": [{"who": "link"}] * seats}
        opened = await world.call("host", "open-room", **{**about, **table})
        world.room, keys = opened["view"]["room"], opened["keys"]
        world.keys, world.join = keys, opened["you"]["links"]["join"].partition("#")[2]
        people["host"].key = keys["host"]
        people["guest"] = Person(key=keys[str(seats - 1)])  # has a link, and has not followed it
        for who, seat in SEATS.items():
            key = people["player"].key if who == "phone" else keys[str(seat)]
            seated = await world.call(who, "enter", key=key, name=NAMES[seat])
            people[who].key, people[who].seat = seated["key"], seat
        await world.call("shut-out", "enter", key=keys["watch"])
        people["shut-out"].key = keys["watch"]
        renewed = await world.call("host", "renew", seat=-1)
        watch = people["spectator"].key = renewed["you"]["links"]["watch"].partition("#")[2]
        await world.call("spectator", "enter", key=watch)
        if table.get("leaver", "any") in ("any", "computer"):
            await world.call("replaced", "leave", seat=2)
            await world.call("host", "stand-in", seat=2)
        self.neighbour = self.neighbour or new_device()
        people["stranger"] = Person(self.neighbour)
        theirs = await world.call("stranger", "open-room")
        people["stranger"].key = ",".join(theirs["keys"].values())

    async def _screen(self, world: World, table: Mapping[str, Any]) -> None:
        world.people = {"screen": Person(new_device(), seat=0), "spectator": Person(new_device())}
        opened = await world.call("screen", "open-room", **{"seats": AT_SCREEN, **table})
        world.room, keys = opened["view"]["room"], opened["keys"]
        world.keys = {name: key for name, key in keys.items() if name != "watch"}
        world.people["screen"].key = ",".join(world.keys.values())
        await world.call("spectator", "enter", key=keys["watch"])

    async def _lobby(self, world: World) -> None:
        """Leave the table as it is: a seat is free."""

    async def _playing(self, world: World) -> None:
        """Leave the table as it is: the player is to throw."""

    async def _over(self, world: World) -> None:
        while (view := await world.view())["phase"] == "playing":
            seat = view["table"]["seat"]
            if view["seats"][seat]["computer"]:
                await asyncio.sleep(0.001)
                continue
            who = {0: "player", 1: "other"}[seat] if "host" in world.people else "screen"
            await world.call(who, "act", **move_due(view))
        await self.open_envelopes()

    async def _given_up(self, world: World) -> None:
        if world.opener == "screen":
            await world.call("screen", "end")
            return
        await world.call("other", "leave", seat=1)
        await world.call("host", "end")
        await world.call("other", "come-back", seat=1)

    async def _closed(self, world: World) -> None:
        await self.server.log.write(partial(give_order, kind="close", room=world.room))
        await Orders(self.server).carry_out()

    async def _expired(self, world: World) -> None:
        await self.server.log.write(partial(delete_room, room=world.room))
        await self.server.rooms.on_room_deleted(world.room)

    async def open_envelopes(self) -> None:
        """Open those of all games that are over, as a server does by itself."""
        for live in self.server.rooms.loaded_rooms:
            if live.room.needs_opening:
                await open_envelope(self.server.rooms, live)

    async def close(self) -> None:
        await self.server.close()


QUICK = {"COMPUTER_PAUSE": 0.0, "WORD_SECONDS": 0.0, "AWAY_SECONDS": 3600}
"""Bounds of the server that only cost time here, or that a slow machine would reach."""
assert all(hasattr(limits, name) for name in QUICK)
