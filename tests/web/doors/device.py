"""The door of a device without a server: the same Python, and the browser's database."""

import asyncio
import json
from collections.abc import Mapping
from typing import Any

from shutbox.web.actions.registry import ACTIONS
from shutbox.web.device.device import Device
from shutbox.web.live.room_dice import open_envelope
from web.doors.api import Reply
from web.doors.worlds import (
    AT_SCREEN,
    NO_DAY,
    TINY,
    facts_of,
    links_of,
    move_due,
    new_action,
    news_of,
    offers_of,
)


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

    async def rooms(self, most: int) -> str:
        newest = sorted((at, id) for (id, _), (at, _) in self.rows.items())
        found = list(dict.fromkeys(id for _, id in reversed(newest) if id[0] != "~"))
        return json.dumps(found[:most])

    async def seed(self, gid: str) -> str:
        return self.rows.get((f"~{gid}", 1), (0, ""))[1]

    async def days(self) -> str:
        rows = [(id, n, entry) for (id, n), (_, entry) in self.rows.items()]
        return json.dumps([row for row in rows if row[0].startswith("~day ")])

    async def append(self, room: str, rows: str, gid: str, seed: str) -> bool:
        if self.is_full:
            raise OSError("QuotaExceededError")
        found = {(room, number): (at, entry) for number, at, entry in json.loads(rows)}
        first = min(number for _, number in found)
        found |= {(f"~{gid}", 1): (0, seed)} if gid else {}
        if found.keys() & self.rows.keys() or (first > 1 and (room, first - 1) not in self.rows):
            return False
        self.rows |= found
        return True


PATHS = {action.name: action for action in ACTIONS}


class DeviceWorld:
    """A table at one screen, kept by the browser."""

    def __init__(self, phase: str) -> None:
        self.phase, self.room, self.number = phase, "", 0
        self.disk = Disk()
        self.told: list[dict[str, Any]] = []
        self.device = self._page()
        self._hears: asyncio.Task[None] | None = None
        self._kept: tuple[Any, ...] = ()

    async def ask(self, action: str, sends: Mapping[str, Any]) -> tuple[int, Any]:
        about = PATHS[action]
        path, body = about.path.format(room=self.room, day=NO_DAY), ""
        if about.takes is bytes:
            body = sends["record"]
        elif about.method == "POST":
            body = json.dumps({"action": new_action(), **sends})
        answer = json.loads(await self.device.ask(about.method, path, body))
        return answer["status"], answer["body"]

    async def call(self, who: str, action: str, **sends: Any) -> Any:
        status, body = await self.ask(action, sends)
        assert status == 200, (self.phase, action, body)
        return body

    async def view(self) -> Any:
        return (await self.call("screen", "room"))["view"]

    async def begin(self, table: Mapping[str, Any]) -> None:
        about = {**TINY, "seats": AT_SCREEN, **table}
        opened = await self.call("screen", "open-room", **about)
        self.room = opened["view"]["room"]
        if self.phase == "over":
            while (view := await self.view())["phase"] == "playing":
                await self.call("screen", "act", **move_due(view))
            for live in self.device.rooms.loaded_rooms:
                await open_envelope(self.device.rooms, live)
        elif self.phase == "given-up":
            await self.call("screen", "end")

    def keep(self) -> None:
        """Note everything as it is now, for `rewind`."""
        self._kept = dict(self.disk.rows), self.number

    async def rewind(self) -> None:
        """Put everything back as it was, and hear what comes from now on as another page does."""
        if self._hears is not None:
            self._hears.cancel()
        rows, self.number = self._kept
        self.disk.rows = dict(rows)
        self.told.clear()
        self.device = self._page()
        await self.view()
        self._hears = asyncio.create_task(self.device.listen(self.room, self.number))
        await asyncio.sleep(0)

    def _page(self) -> Device:
        return Device(self.disk, lambda text, page=0: self.told.append(json.loads(text)))

    async def news(self, who: str) -> list[str]:
        last = (await self.view())["number"]
        since, self.number = self.number, last
        found: dict[int, str] = {}
        while len(found) < last - since:
            messages = [one["message"] for one in self.told if "message" in one]
            events = [one for one in messages if one["type"] == "event" and one["number"] > since]
            found = {one["number"]: news_of(one) for one in events}
            await asyncio.sleep(0)
        return [found[number] for number in sorted(found)]


class Devices:
    """The engine in the browser, at the addresses of the API; who is at the screen plays all."""

    name = "device"

    def has(self, action: str) -> bool:
        return action in PATHS

    def expects(self, code: str, action: str) -> str:
        return code

    async def do(
        self, world: DeviceWorld, who: str, action: str, sends: Mapping[str, Any], beside: str
    ) -> Reply:
        status, body = await world.ask(action, sends)
        if status != 200:
            code = body["error"]["code"]
            if code == "out-of-date" and body.get("view") != await world.view():
                code += " without the table as it is"
            return Reply(code)
        opens = action == "open-room"
        return Reply("ok", room=body["view"]["room"] if opens else "")

    async def shown(self, world: DeviceWorld, who: str, beside: str = "") -> frozenset[str] | None:
        status, body = await world.ask("room", {})
        if status != 200:
            return None
        view, you = body["view"], body["you"]
        return facts_of(view, you) | offers_of(view, you) | links_of(you)
