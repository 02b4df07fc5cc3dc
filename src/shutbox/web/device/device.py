"""What the page asks of the engine in the browser, by the addresses of the API of a server.

The rooms are those of a server, and so is the registry of what can be asked of them: here they have
another host, and nobody who comes by a link. It is a log in the database of the browser, and nobody
who works but itself. Other pages of the browser write to the same log; of two that are equally
quick the database lets one be the first.
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
        """The events of a room after that number: a JSON list of number, time and text."""

    def keep(self, room: str, rows: str) -> Awaitable[bool]:
        """Keep such events, all or none; False: there is one of this number, or none before it."""


class _DeviceLog:
    """The log of this device; see `rooms/ports.py`."""

    shared = True

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._seats: dict[str, frozenset[int]] = {}
        """Of each room that was read: the people before the screen sit at all seats of people."""

    async def replayed(self, room: str, who: str) -> tuple[Room, Entries]:
        found = await self.read(room)
        return replayed(room, found.events), found

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        rows = json.loads(await _answered(self._store.read(room, max(0, after - 1))))
        if not rows or rows[0][0] != max(1, after):  # the browser has cleared it
            raise UnknownRoom("there is no such table")
        found = [(number, at, events.decoded(text)) for number, at, text in rows]
        if after:
            return Entries(found[1:])
        self._seat(room, found[0][2])
        return Entries(found)

    async def has(self, room: str) -> bool:
        return True  # who writes to it finds out

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
        return ()  # the pages of a device remember its tables


async def _answered(asked: Awaitable[T]) -> T:
    """Return what the browser answers. Raise NotKept for whatever else it says."""
    try:
        return await asked
    except Exception as error:  # it has no room left, most likely, or keeps nothing at all
        raise NotKept("this browser keeps nothing more: {why}", why=error) from None


class _AtOnce:
    """Does what takes a while at once: a device has nobody else for it."""

    closed = False

    async def do(self, who: str, work: Callable[..., T], *about: Any, **lane: Any) -> T:
        return work(*about)

    def warm(self) -> None:
        """Do nothing: the engine is there."""


class _Unlimited:
    """Counts nothing: a device asks for nobody else."""

    async def check(self, rate: str, what: str, who: str, *, address: str = "") -> None:
        """Let it be done."""

    async def check_day(self, who: str) -> None:
        """Let it be stored."""

    def stored(self, who: str, size: int) -> None:
        """Forget it."""


def _box(asked: Mapping[str, str]) -> dict[str, Any]:
    """Return the rules that a form has come to, with the box as it begins.

    `to` and `preset` choose another box and another match than `game` and `was`. Raises what is
    wrong with a name or a format.
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
    """Return the action of an address and the room it names; None for a box that is drawn.

    Raises BadRequest.
    """
    if (method, path) == ("GET", "/api/box"):
        return None, ""
    for action in ACTIONS:
        if (named := action.named_by(method, path)) and not action.needs_server:
            return action, named.groupdict().get("room", "")
    raise BadRequest("there is nothing at this address")


def _asked(action: Action, body: str, fields: Mapping[str, str]) -> Any:
    """Return what an action is asked for. Raise BadRequest, and NotAllowed for seats by link."""
    if action.takes is bytes:
        return body.encode()
    if action.takes is None:
        if fields.get(action.query) == "":
            raise BadRequest("there is nothing at this address")
        return read_number(fields.get(action.query), action.query)
    asked = json.loads(body)
    if action.takes is NewRoom and (preset := presets().get(asked.pop("preset", ""))):
        asked["format"] = str(Format.parse(asked.get("format", ""), preset.format))
    found = shaped(asked, action.takes)
    if isinstance(found, NewRoom) and any(seat.who == "link" for seat in found.seats):
        raise NotAllowed("nobody comes by a link here; play round this screen")
    return found


class _Console:
    """Tells the console of the browser what is wrong."""

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
        """Return what is answered: its status, and what it says, as JSON."""
        path, _, query = address.partition("?")
        fields = parse_qs(query, keep_blank_values=True)  # no preset is a choice, too
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

    # What the page hears

    async def listen(self, id: str, since: int) -> None:
        """Send the page all that happens in a room after that number, while it is there."""
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
        """Let happen here what has happened on another page, in a room that is open here."""
        await self.rooms.heard_change(id)

    def _gone(self, id: str) -> None:
        """Tell the page that a room is there no more, which it may have drawn from a copy."""
        self._post(json_text({"gone": id}))

    def _shown(self, live: LiveRoom) -> None:
        """Tell the page what the next one is drawn from."""
        people = (n for n, seat in enumerate(live.room.seats) if not seat.plan.computer)
        sight = RoomCaller(self._me, live, Viewer(frozenset(people), host=True, watcher=True)).sight
        goes_on = sight.view.phase in ("waiting", "playing")
        card = table_card(live.room, sight.view) if goes_on else None
        boot = json_text({**vars(sight), "kinds": stand_ins()})
        self._post(json_text({"room": live.room.id, "boot": boot, "card": card}))

    def _refused(self, live: LiveRoom, error: ShutboxError) -> None:
        """Tell the page why a computer player does nothing: nobody asked, so nobody is answered."""
        self._post(json_text({"room": live.room.id, "refusal": sentence(error)}))
