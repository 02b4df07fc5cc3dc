"""The engine in the browser, which answers the page at the addresses of the server's API.

Rooms and actions are the same as on a server, but there are no links and no workers, and the log is
in the database of the browser. Other pages of the browser write to the same log; if two write at
once, the database accepts the first.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar
from urllib.parse import parse_qs

from shutbox.errors import NotKept, OutOfDate, ShutboxError
from shutbox.games.catalogue import find
from shutbox.lru import LruCache
from shutbox.match import Format, presets
from shutbox.picture import miniature, with_dice
from shutbox.typed_text import parse_name
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, Services, room_caller
from shutbox.web.actions.registry import ACTIONS, Action
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.errors import BadRequest, NotAllowed, UnknownRoom, sentence
from shutbox.web.live.access import opener_seats
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.bot_runner import BotRunner
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms import events
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.evenings import Rules, choose
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.ports import Addition, Entries
from shutbox.web.rooms.requests import NewRoom, read_number
from shutbox.web.rooms.room import Room, replayed
from shutbox.web.rooms.shapes import json_text, shaped
from shutbox.web.rooms.view import table_card

T = TypeVar("T")


class EventStore(Protocol):
    """The database of the browser."""

    def read(self, room: str, after: int) -> Awaitable[str]:
        """Return the events of a room after that number: a JSON list of number, time and text."""

    def keep(self, room: str, rows: str) -> Awaitable[bool]:
        """Store `rows` as `read` returns them; none, and False, if a number is taken or skipped."""


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
        if not await _answered(self._store.keep(room, json.dumps(rows))):
            raise OutOfDate("the table has moved on; look again")
        if addition.opens:
            self._seat(room, addition.events[0][2])
        return "", 0

    def _seat(self, room: str, opened: events.RoomEvent) -> None:
        if isinstance(opened, events.Opened):
            self._seats[room] = frozenset(opener_seats(opened))

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        return self._seats.get(room, frozenset())

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        return ()  # the pages themselves remember the tables of a device


async def _answered(asked: Awaitable[T]) -> T:
    """Return the browser's answer. Raise NotKept for any error."""
    try:
        return await asked
    except Exception as error:  # usually storage that is full or disabled
        raise NotKept("this browser keeps nothing more: {why}", why=error) from None


class _AtOnce:
    """A stand-in for the pool that runs work at once: a device has no workers."""

    closed = False

    async def do(self, who: str, work: Callable[..., T], *about: Any, **lane: Any) -> T:
        return work(*about)

    def warm(self) -> None:
        """Do nothing: there is no worker to start."""


class _Unlimited:
    """A stand-in for the rates that counts nothing: a device has only its own user."""

    async def check(self, rate: str, what: str, who: str, *, address: str = "") -> None:
        """Allow it."""

    async def check_day(self, who: str) -> None:
        """Allow it."""

    def stored(self, who: str, size: int) -> None:
        """Do nothing."""


def _box(asked: Mapping[str, str]) -> dict[str, Any]:
    """Return the rules selected in a form, and a picture and description of the box.

    `to` and `preset` replace the present box (`game`) and preset (`was`). Raises the refusal of an
    invalid name or format.
    """
    check_text(asked["game"])
    now = Rules(asked["game"], asked.get("was", ""), asked.get("format", ""))
    preset, to = asked.get("preset", now.preset), asked.get("to", "")
    base = parse_name(now.game)[0]
    choice = None
    if (to or base, preset) != (base, now.preset):
        choice = choose(now, to or base, preset)
    rules = choice.rules if choice else now
    game = find(rules.game)
    check_work(game)
    return {
        "rules": rules,
        "ends": rules.ends,
        "choice": choice,
        "miniature": miniature(with_dice(game)),
        "lines": game.card().lines,
    }


def _named(method: str, path: str) -> tuple[Action | None, str]:
    """Return the action and the room ("" if none) of an address; no action for `/api/box`.

    Raises BadRequest.
    """
    if (method, path) == ("GET", "/api/box"):
        return None, ""
    for action in ACTIONS:
        if (named := action.named_by(method, path)) and not action.needs_server:
            return action, named.groupdict().get("room", "")
    raise BadRequest("there is nothing at this address")


def _asked(action: Action, body: str, fields: Mapping[str, str]) -> Any:
    """Return the argument of an action. Raise BadRequest, and NotAllowed for seats by link."""
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
        raise NotAllowed("nobody comes by a link here; play round this screen")
    return found


class _Console:
    """A log that writes to the browser's console."""

    def warning(self, event: str, **about: object) -> None:
        logging.warning("%s: %s", event, about)

    def error(self, event: str, **about: object) -> None:
        logging.error("%s: %s", event, about)


class Device(Services):
    """The engine of one page. `post` sends a message to the page, as JSON."""

    def __init__(self, store: EventStore, post: Callable[[str], None]) -> None:
        self._post = post
        self.rates = _Unlimited()
        self.pool = _AtOnce()
        self.advisor = Advisor(self.pool)
        self.reviews = LruCache[str, Any](limits.KEPT_REVIEWS)
        self.rooms = Rooms(
            _DeviceLog(store),
            None,
            lambda message: json_text(message).encode(),
            _Console(),
            shown=self._shown,
        )
        bots = BotRunner(self.rooms, self.pool, _Console(), refused=self._refused)
        self.rooms.bots = bots.start
        self._me = Caller(self, "device", (), "", "")

    async def ask(self, method: str, address: str, body: str) -> str:
        """Answer a request with JSON: `status` is 200 or 422, `body` the reply or the refusal."""
        path, _, query = address.partition("?")
        fields = parse_qs(query, keep_blank_values=True)  # an empty preset is a choice too
        asked = {key: values[0] for key, values in fields.items()}
        room = ""
        try:
            action, room = _named(method, path)
            return json_text({"status": 200, "body": await self._answer(action, room, asked, body)})
        except ShutboxError as error:
            reason = {"error": {"code": error.code, "message": sentence(error)}}
            if isinstance(error, UnknownRoom) and room:
                self._gone(room)
            if isinstance(error, OutOfDate) and room:
                view = (await self.rooms.find(room)).broadcast.present()
                reason |= {"number": view.number, "view": view}  # type: ignore[dict-item]
            return json_text({"status": 422, "body": reason})

    async def _answer(
        self, action: Action | None, room: str, fields: Mapping[str, str], body: str
    ) -> Any:
        if action is None:
            return _box(fields)
        context = await room_caller(self._me, room) if action.in_room else self._me
        reply = await action(context, _asked(action, body, fields))
        return reply.decode() if isinstance(reply, bytes) else reply

    # Messages to the page

    async def listen(self, id: str, since: int) -> None:
        """Send the page the messages of a room after that number, until the room is gone."""
        try:
            there = await room_caller(self._me, id)
        except UnknownRoom:
            self._gone(id)
            return
        listener = there.live.broadcast.listen(since, there.viewer)
        while messages := await listener.next():
            for message in messages:
                self._post(json_text({"room": id, "message": json.loads(message)}))

    async def look(self, id: str) -> None:
        """Read what another page has written in a room, if the room is loaded here."""
        await self.rooms.on_room_changed(id)

    def _gone(self, id: str) -> None:
        """Tell the page that a room is gone: the page may have drawn it from a copy."""
        self._post(json_text({"gone": id}))

    def _shown(self, live: LiveRoom) -> None:
        """Send the page the data from which its next load is drawn."""
        people = (n for n, seat in enumerate(live.room.seats) if not seat.plan.computer)
        snapshot = RoomCaller(
            self._me, live, Viewer(frozenset(people), host=True, watcher=True)
        ).snapshot
        goes_on = snapshot.view.phase in ("waiting", "playing")
        card = table_card(live.room, snapshot.view) if goes_on else None
        boot = json_text({**vars(snapshot), "kinds": stand_ins()})
        self._post(json_text({"room": live.room.id, "boot": boot, "card": card}))

    def _refused(self, live: LiveRoom, error: ShutboxError) -> None:
        """Tell the page why a computer player cannot act: there is no request to answer."""
        self._post(json_text({"room": live.room.id, "refusal": sentence(error)}))
