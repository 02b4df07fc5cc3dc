"""Attackers for `bench.attack`. Each does what costs the server most, from one address."""

import asyncio
import base64
import itertools
import os
import struct
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import aiohttp

LARGE = "classic(tiles=1-30,dice=12d18,cover=one)"
SLOW = "classic(tiles=1-24,dice=3d8)"
FRAMES = {"pings": (0x89, b""), "parts": (0x00, b""), "long pings": (0x89, b"x" * 125)}
FIELDS = 6_000
"""The number of shortest possible fields that fill a request head."""
PAGES = ("/", "/new", "/games", "/help", "/today", "/practice", "/analysis", "/api/games")


class People:
    """A client that sends requests from one address."""

    def __init__(self, url: str, address: str) -> None:
        self.client = aiohttp.ClientSession(
            base_url=url,
            connector=aiohttp.TCPConnector(limit=0, local_addr=(address, 0)),
            cookie_jar=aiohttp.CookieJar(unsafe=True),  # for an address without a name
            timeout=aiohttp.ClientTimeout(total=60),
        )
        self._ids = 0

    def id(self) -> str:
        self._ids += 1
        return f"attack-{os.getpid()}-{self._ids:06}"

    async def opened(self, **about: Any) -> dict[str, Any]:
        body = {"action": self.id(), "seats": [{"who": "me"}], **about}
        async with self.client.post("/api/rooms", json=body) as response:
            found: dict[str, Any] = await response.json()
        return found

    async def opened_at_last(self, **about: Any) -> dict[str, Any]:
        """Open a room, and repeat until the server accepts it."""
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                if "view" in (found := await self.opened(**about)):
                    return found
            await asyncio.sleep(0.05)

    async def step(self, opened: dict[str, Any]) -> None:
        """Throw, choose, or start another game. Stores the new view in `opened`."""
        table, room = opened["view"]["table"], opened["view"]["room"]
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        body = {"action": self.id(), "game": table["game"]}
        if table["does"] == "over":
            path = f"/api/rooms/{room}/rematch"
        else:
            path = f"/api/rooms/{room}/act"
            body |= {"seat": 0, "version": table["version"], "do": table["does"]}
            if table["does"] == "choose":
                body["choice"] = table["offers"][0]["text"]
        async with self.client.post(path, json=body, headers=headers) as response:
            response.raise_for_status()
            opened["view"] = (await response.json())["view"]

    async def look(self, opened: dict[str, Any]) -> int:
        """Request the table, as a page does, and return the number of its last event."""
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        path = f"/api/rooms/{opened['view']['room']}"
        while True:
            with suppress(aiohttp.ClientError, TimeoutError):
                async with self.client.get(path, headers=headers) as response:
                    response.raise_for_status()
                    number: int = (await response.json())["view"]["number"]
                    return number
            await asyncio.sleep(0.05)

    async def page(self, path: str) -> None:
        """Request a page, as a browser does, which has a cookie."""
        async with self.client.get(path) as response:
            response.raise_for_status()
            await response.read()

    async def hint(self, opened: dict[str, Any]) -> None:
        headers = {"Authorization": f"Bearer {opened['keys']['0']}"}
        path = f"/api/rooms/{opened['view']['room']}/hint"
        async with self.client.get(path, headers=headers) as response:
            response.raise_for_status()
            await response.read()


# Attacks through the API


async def opens(url: str, address: str) -> None:
    """Open tables that a computer player needs long to solve, six at a time."""
    people = People(url, address)
    seats = [{"who": "computer:perfect"}, {"who": "computer:careful"}]

    async def open_on() -> None:
        for game in (LARGE, SLOW):
            with suppress(aiohttp.ClientError, TimeoutError):
                await people.opened(game=game, seats=seats)

    await forever(open_on, 6)


async def asks(url: str, address: str) -> None:
    """Ask for hints at tables that take long to solve, four at a time."""
    people = People(url, address)
    tables: list[dict[str, Any]] = []
    for game in (LARGE, SLOW):
        with suppress(aiohttp.ClientError, TimeoutError):
            tables.append(await people.opened(game=game))

    async def ask_on() -> None:
        for table in tables:
            with suppress(aiohttp.ClientError, TimeoutError, KeyError):
                if table["view"]["table"]["does"] == "throw":
                    await people.step(table)
                await people.hint(table)

    await forever(ask_on, 4)


async def uploads(url: str, address: str) -> None:
    """Upload a long record for replay, four at a time."""
    people = People(url, address)
    record = await asyncio.to_thread(long_record)

    async def upload() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            headers = {"Content-Type": "text/plain"}
            async with people.client.post("/api/records", data=record, headers=headers) as told:
                await told.read()

    await forever(upload, 4)


async def sends(url: str, address: str) -> None:
    """Send a form of 1 MB that holds no record to the page of replays, four at a time."""
    people = People(url, address)
    fields = b"text=" + b"x" * 1_000_000
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Origin": url}

    async def send() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with people.client.post("/replay", data=fields, headers=headers) as page:
                await page.read()

    await forever(send, 4)


async def watches(url: str, address: str) -> None:
    """Open 200 event streams of a large table, and reopen each when it ends."""
    people = People(url, address)
    seats = [{"who": "me"}] * 12
    opened = await people.opened_at_last(game=LARGE, seats=seats, format="rounds=9")
    headers = {"Authorization": f"Bearer {opened['keys']['watch']}"}

    async def watch() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            path = f"/api/rooms/{opened['view']['room']}/live"
            async with people.client.ws_connect(path, headers=headers) as stream:
                async for _ in stream:
                    pass

    await forever(watch, 200)


async def computers(url: str, address: str) -> None:
    """Open tables with long games between computer players and listen to them, four at a time."""
    people = People(url, address)
    seats = [{"who": "computer:fewest"}] * 2

    async def play_on() -> None:
        opened = await people.opened_at_last(game="classic", seats=seats, format="rounds=500")
        headers = {"Authorization": f"Bearer {opened['keys']['watch']}"}
        path = f"/api/rooms/{opened['view']['room']}/live"
        with suppress(aiohttp.ClientError, TimeoutError):
            async with people.client.ws_connect(path, headers=headers) as stream:
                async for message in stream:
                    if b'"over"' in message.data.encode():
                        break

    await forever(play_on, 4)


async def plays(url: str, address: str) -> None:
    """Play at six tables at once, as fast as the server answers."""
    people = People(url, address)

    async def play() -> None:
        opened = await people.opened_at_last(game="classic")
        while True:
            try:
                await people.step(opened)
            except (aiohttp.ClientError, TimeoutError):
                await asyncio.sleep(0.05)

    await forever(play, 6)


async def reads(url: str, address: str) -> None:
    """Request pages, eight at a time."""
    people = People(url, address)
    pages = itertools.cycle(PAGES)

    async def read() -> None:
        with suppress(aiohttp.ClientError, TimeoutError):
            async with people.client.get(next(pages)) as page:
                await page.read()

    await forever(read, 8)


# Attacks on the protocol


async def floods(url: str, address: str, frame: tuple[int, bytes]) -> None:
    """Send WebSocket frames as fast as possible without reading any, and reconnect when cut off."""
    people = People(url, address)
    room = (await people.opened_at_last(game="classic"))["view"]["room"]
    opcode, data = frame
    cookies = "; ".join(f"{c.key}={c.value}" for c in people.client.cookie_jar)
    key = base64.b64encode(os.urandom(16)).decode()
    head = head_of(
        *(f"/api/rooms/{room}/live", url, f"Cookie: {cookies}", "Connection: Upgrade"),
        *("Upgrade: websocket", "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}"),
    )
    frames = (struct.pack("!BB", opcode, 0x80 | len(data)) + bytes(4) + data) * 2000

    async def flood() -> None:
        await sent_on(url, address, head, frames, reads=False)

    await forever(flood, 1)


async def heads(url: str, address: str) -> None:
    """Send requests whose heads are full of fields, repeatedly on four connections."""
    head = head_of("/", url, *["a:"] * FIELDS)
    await forever(lambda: sent_on(url, address, head, head), 4)


async def healths(url: str, address: str) -> None:
    """Request `/health` repeatedly on four connections that stay open."""
    head = head_of("/health", url)
    await forever(lambda: sent_on(url, address, head, head * 100), 4)


async def connects(url: str, address: str) -> None:
    """Open a new connection for each request."""
    head = head_of("/health", url, "Connection: close")
    await forever(lambda: sent_on(url, address, head, b""), 20)


async def idles(url: str, address: str) -> None:
    """Open connections and send only the beginning of a request."""
    await forever(lambda: sent_on(url, address, b"GET / HT", b""), 600)


def head_of(path: str, url: str, *fields: str) -> bytes:
    """Return the head of a GET request."""
    host = url.removeprefix("http://")
    return "\r\n".join((f"GET {path} HTTP/1.1", f"Host: {host}", *fields, "", "")).encode()


async def sent_on(url: str, address: str, first: bytes, then: bytes, *, reads: bool = True) -> None:
    """Send `first`, and then `then` repeatedly, until the connection ends."""
    host, port = url.removeprefix("http://").split(":")
    with suppress(OSError):
        reader, writer = await asyncio.open_connection(host, int(port), local_addr=(address, 0))

        async def send() -> None:
            writer.write(first)
            while then:
                writer.write(then)
                await writer.drain()

        sending = asyncio.create_task(send())
        try:
            while reads and await reader.read(65536):
                pass
            if not reads:
                await sending
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)
            writer.close()


async def forever(does: Callable[[], Awaitable[None]], times: int) -> None:
    """Call `does` repeatedly, in `times` tasks at once."""

    async def again() -> None:
        while True:
            await does()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(again() for _ in range(times)))


@cache
def long_record() -> bytes:
    """Return a valid record of about 150 kB."""
    from shutbox import Table
    from shutbox.engine.cups import SeededCup
    from shutbox.engine.seats import Seat
    from shutbox.record import Source, written
    from shutbox.table.lookup import match_of
    from shutbox.table.setup import Sitting

    match = match_of("classic", ["Ann", "Bob"], "rounds=500")
    table = Table(match, SeededCup("attack"))
    while table.due is not None and table.version < 4_500:
        offers = table.scene.offers
        if offers:
            table.apply(table.prepare_choice(offers[0].text, seat=table.due))
        else:
            table.apply(table.prepare_throw(seat=table.due))
    seats = [Seat("Ann"), Seat("Bob")]
    source = Source("seed", "attack")
    facts = {"program": "attack", "begun": "2026-11-22 12:00:00 UTC"}
    return written(Sitting.begin(match, seats, source, **facts).header, match, table.log)


ATTACKS: dict[str, Callable[[str, str], Awaitable[None]]] = {
    **{
        name: lambda url, address, frame=frame: floods(url, address, frame)  # type: ignore[misc]
        for name, frame in FRAMES.items()
    },
    "heads": heads,
    "health": healths,
    "connect": connects,
    "idle": idles,
    "pages": reads,
    "plays": plays,
    "tables": opens,
    "computers": computers,
    "hints": asks,
    "records": uploads,
    "forms": sends,
    "watchers": watches,
}


async def attack(name: str, url: str, addresses: Sequence[str]) -> None:
    """Run an attack from all these addresses at once."""
    if name == "records":
        await asyncio.to_thread(long_record)
    await asyncio.gather(*(ATTACKS[name](url, address) for address in addresses))
