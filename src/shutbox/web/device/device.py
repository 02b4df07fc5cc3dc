"""The engine in the browser, which answers the page at the addresses of the server's API.

Rooms, actions and pages are the same as on a server, but there are no links and no workers, and the
log is in the database of the browser. Other pages of the browser write to the same log; if two
write at once, the database accepts the first.
"""

import asyncio
import json
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import parse_qsl

from shutbox.errors import NotKept, OutOfDate, ShutboxError
from shutbox.lru import LruCache
from shutbox.match import Format, presets
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, room_caller
from shutbox.web.actions.registry import ACTIONS, Action
from shutbox.web.device import pages
from shutbox.web.errors import BadRequest, NotAllowed, UnknownRoom, sentence
from shutbox.web.http.context import HttpServices
from shutbox.web.live.access import opener_seats
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.bot_runner import BotRunner
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.live.sealing import Sealing
from shutbox.web.rooms import events, sealing
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.ports import Addition, Entries
from shutbox.web.rooms.requests import NewRoom, read_number
from shutbox.web.rooms.room import Room, replayed
from shutbox.web.rooms.shapes import json_text, shaped
from shutbox.web.rooms.view import table_card

T = TypeVar("T")
_OPENS_SECONDS = 0.5  # between two looks for games that have ended


class EventStore(Protocol):
    """The database of the browser."""

    def read(self, room: str, after: int) -> Awaitable[str]:
        """Return the events of a room after that number: a JSON list of number, time and text."""

    def append(self, room: str, rows: str, gid: str, seed: str) -> Awaitable[bool]:
        """Store `rows` as `read` returns them; none, and False, if a number is taken or skipped.

        If `gid` is not empty, store the `seed` of these dice with them.
        """

    def seed(self, gid: str) -> Awaitable[str]:
        """Return a stored seed; empty if there is none."""

    def rooms(self, most: int) -> Awaitable[str]:
        """Return up to `most` rooms as a JSON list, that with the newest event first."""


class _DeviceLog:
    """The log of this device; see `rooms/ports.py`."""

    shared = True

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._seats: dict[str, frozenset[int]] = {}
        """The seats of each room that was read: everyone at the screen may use every human seat."""

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        found = await self.read(room)
        return replayed(room, found.events), found

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        rows = json.loads(await _answered(self._store.read(room, max(0, after - 1))))
        if not rows or rows[0][0] != max(1, after):  # the browser has cleared its data
            raise UnknownRoom("there is no such table")
        found = [(number, at, events.decoded(text)) for number, at, text in rows]
        if after:
            return Entries(found[1:])
        self._seat(room, found[0][2])
        return Entries(found)

    async def has(self, room: str) -> bool:
        return True  # unchecked: a write finds out

    async def append(self, addition: Addition) -> tuple[str, int]:
        room = addition.room.id
        rows = [(number, at, events.encoded(event)) for number, at, event in addition.events]
        if not rows:
            return "", 0
        gid, seed = sealing.gid_in(addition.made.events), addition.made.seed.hex()
        if not await _answered(self._store.append(room, json.dumps(rows), gid, seed)):
            raise OutOfDate("the table has moved on; look again")
        if addition.opens:
            self._seat(room, addition.events[0][2])
        return "", 0

    def _seat(self, room: str, opened: events.RoomEvent) -> None:
        if isinstance(opened, events.Opened):
            self._seats[room] = frozenset(opener_seats(opened))

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        return self._seats.get(room, frozenset())

    async def seed_of(self, gid: str) -> bytes:
        """Return the seed of sealed dice by their gid, or nothing if it is gone."""
        return bytes.fromhex(await _answered(self._store.seed(gid)))

    async def newest_dice(self, most: int) -> Sequence[tuple[str, int]]:
        """Return the different throws and seals of the newest sealed rooms, with numbers."""
        found = Counter[str]()
        for room in await self.rooms_of("", most):
            texts = [text for _, _, text in json.loads(await _answered(self._store.read(room, 0)))]
            if any('"step":"envelope"' in text for text in texts):
                found.update(text[:60] for text in texts)
        return list(found.items())

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        found: Sequence[str] = json.loads(await _answered(self._store.rooms(most)))
        return found


async def _answered(asked: Awaitable[T]) -> T:
    """Return what the browser's database answers. Raise NotKept for any error."""
    try:
        return await asked
    except Exception as error:  # usually storage that is full or disabled
        raise NotKept("this browser cannot save any more: {why}", why=error) from None


class _AtOnce:
    """A stand-in for the pool that runs work at once: a device has no workers."""

    closed = False

    async def do(self, who: str, work: Callable[..., T], *about: Any, **queue: Any) -> T:
        return work(*about)

    def warm(self) -> None:
        """Do nothing: there is no worker to start."""


async def _allow(*about: object, **more: object) -> None:
    """Allow everything: a device has only its own user."""


def _named(method: str, path: str) -> tuple[Action, str]:
    """Return the action and the room ("" if none) of an address. Raises BadRequest."""
    for action in ACTIONS:
        if (named := action.named_by(method, path)) and not action.needs_server:
            return action, named.groupdict().get("room", "")
    raise BadRequest("there is nothing at this address")


def _asked(action: Action, body: str, fields: Mapping[str, str]) -> Any:
    """Return an action's argument, read from a request's body or address fields.

    Raises BadRequest, and NotAllowed for seats by link.
    """
    if action.takes is bytes:
        return body.encode()
    if action.takes is None:
        number = fields.get(action.query)
        if number is not None and not number.isdecimal():  # an address that no page has made
            raise BadRequest("there is nothing at this address")
        return read_number(number, action.query)
    asked = json.loads(body)
    if action.takes is NewRoom and (preset := presets().get(asked.pop("preset", ""))):
        asked["format"] = str(Format.parse(asked.get("format", ""), preset.format))
    found = shaped(asked, action.takes)
    if isinstance(found, NewRoom) and any(seat.who == "link" for seat in found.seats):
        raise NotAllowed("there are no links here; play together at this screen")
    return found


def _to_console(event: str, **about: object) -> None:
    logging.warning("%s: %s", event, about)


_CONSOLE = SimpleNamespace(warning=_to_console, error=_to_console)


class Device(HttpServices):
    """The engine of one page. `post` sends a message to the page, as JSON."""

    def __init__(self, store: EventStore, post: Callable[[str], None]) -> None:
        super().__init__(writes=lambda: 0)
        self._post = post
        self.site = pages.ORIGIN
        uncounted = dict.fromkeys(("check", "check_day", "let_in"), _allow)
        self.rates = cast(Any, SimpleNamespace(**uncounted, stored=lambda who, size: None))
        self.metrics = cast(Any, SimpleNamespace(refused=lambda error: None))  # nobody reads them
        self.pool = cast(Any, _AtOnce())
        self.advisor = Advisor(self.pool)
        self.reviews = LruCache[str, Any](limits.CACHED_REVIEWS)
        self.turns = LruCache[str, Any](limits.CACHED_TURNS)
        log = _DeviceLog(store)
        self.newest_dice = log.newest_dice
        self.rooms = Rooms(
            log,
            None,
            lambda message: json_text(message).encode(),
            cast(Any, _CONSOLE),
            seed_of=log.seed_of,
            shown=self._shown,
        )
        self._opening: asyncio.Task[None] | None = None
        self.sealing = Sealing(self.rooms)
        bots = BotRunner(
            self.rooms, self.pool, cast(Any, _CONSOLE), self.sealing, refused=self._refused
        )
        self.rooms.bots = bots.start
        self._me = Caller(self, "device", (), "", "")

    async def ask(self, method: str, address: str, body: str) -> str:
        """Answer a request with JSON: its `status`, and as `body` the reply or the refusal.

        An address outside the API is one of a page, whose `body` is its text.
        """
        path, _, query = address.partition("?")
        if not path.startswith("/api/"):
            status, text = await pages.answer(self, method, address, body)
            return json_text({"status": status, "body": text})
        pairs = parse_qsl(query, keep_blank_values=True)  # an empty preset is a choice too
        room = ""
        try:
            action, room = _named(method, path)
            return json_text({"status": 200, "body": await self._answer(action, room, pairs, body)})
        except ShutboxError as error:
            reason = {"error": {"code": error.code, "message": sentence(error)}}
            if isinstance(error, UnknownRoom) and room:
                self._forget_room(room)
            if isinstance(error, OutOfDate) and room:
                view = (await self.rooms.find(room)).broadcast.present()
                reason |= {"number": view.number, "view": view}  # type: ignore[dict-item]
            return json_text({"status": 422, "body": reason})

    async def _answer(
        self, action: Action, room: str, pairs: list[tuple[str, str]], body: str
    ) -> Any:
        context = await room_caller(self._me, room) if action.in_room else self._me
        reply = await action(context, _asked(action, body, dict(pairs)))
        return reply.decode() if isinstance(reply, bytes) else reply

    # Messages to the page

    async def listen(self, id: str, since: int) -> None:
        """Send the page the messages of a room after that number, until the room is gone."""
        try:
            inside = await room_caller(self._me, id)
        except UnknownRoom:
            self._forget_room(id)
            return
        listener = inside.live.broadcast.listen(since, inside.viewer)
        while messages := await listener.next():
            for message in messages:
                self._post(json_text({"room": id, "message": json.loads(message)}))

    async def look(self, id: str) -> None:
        """Load the new events of a room, written by another page, if the room is loaded here."""
        await self.rooms.on_room_changed(id)

    def _forget_room(self, id: str) -> None:
        """Tell the page that a room is gone: the page may have drawn it from a copy."""
        self._post(json_text({"gone": id}))

    def _shown(self, live: LiveRoom) -> None:
        """Send the page a room's snapshot, from which its next load is drawn, and its card.

        Open the envelope of an ended game soon.
        """
        self.sealing.note(live)
        if live.room.to_open and (self._opening is None or self._opening.done()):
            self._opening = asyncio.create_task(self._open_ended())
        people = (n for n, seat in enumerate(live.room.seats) if not seat.plan.computer)
        snapshot = RoomCaller(
            self._me, live, Viewer(frozenset(people), opener=True, watcher=True)
        ).snapshot
        goes_on = snapshot.view.phase in ("waiting", "playing")
        card = table_card(live.room, snapshot.view) if goes_on else None
        boot = json_text({**vars(snapshot), "kinds": stand_ins()})
        self._post(json_text({"room": live.room.id, "boot": boot, "card": card}))

    async def _open_ended(self) -> None:
        """Open the envelopes of ended games; one that cannot be is opened when it is read again."""
        while self.sealing.waits:
            await asyncio.sleep(_OPENS_SECONDS)
            with suppress(ShutboxError):
                await self.sealing.open_ended()

    def _refused(self, live: LiveRoom, error: ShutboxError) -> None:
        """Tell the page why a computer player cannot act: there is no request to answer."""
        self._post(json_text({"room": live.room.id, "refusal": sentence(error)}))
