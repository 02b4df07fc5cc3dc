"""The engine in the browser, which answers the page at the addresses of the server's API.

Rooms, actions and pages are the same as on a server, but there are no links and no workers, and the
log is in the database of the browser. Other pages of the browser write to the same log; if two
write at once, the database accepts the first.

The server's code makes the pages, too. Only their addresses change: the site is plain files in some
folder, so a file stands for each page, and the query has the parts of its path.
"""

import asyncio
import json
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from html import escape, unescape
from types import SimpleNamespace
from typing import Any, TypeVar
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from starlette.requests import Request
from starlette.types import Message

from shutbox.engine.errors import NotKept, OutOfDate, ShutboxError
from shutbox.engine.messages import language
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, Services, Site, room_caller
from shutbox.web.actions.registry import ACTIONS, Action
from shutbox.web.actions.tables import stand_ins
from shutbox.web.device.days import DeviceDays
from shutbox.web.errors import BadRequest, NotAllowed, UnknownRoom, sentence
from shutbox.web.http.responses import refusal
from shutbox.web.live.bots import BotRunner
from shutbox.web.live.identity import opener_seats
from shutbox.web.live.live_room import Listener, LiveRoom
from shutbox.web.live.repository import RoomRepository
from shutbox.web.live.room_dice import open_due_envelopes
from shutbox.web.pages.routes import SHARED
from shutbox.web.pages.templates import compile_templates, environment, refusal_page
from shutbox.web.rooms import events
from shutbox.web.rooms.access import SHORTEST_DEVICE, Viewer
from shutbox.web.rooms.changes import Entries, IdempotencyKey, RoomChange
from shutbox.web.rooms.requests import NewRoom, read_number
from shutbox.web.rooms.room import Room, replay_room
from shutbox.web.rooms.shapes import json_text, shaped
from shutbox.web.rooms.view import table_card

T = TypeVar("T")
PAGES = {(method, path): page for method, path, page, _ in SHARED}
FILES = {path: file for _, path, _, file in SHARED} | {
    "/r/{room}": "table.html",
    "/r/{room}/{form}": "table.html",  # a form that is only needed without script
    "/language": "language.html",  # a form that a script answers
    "/manifest.webmanifest": "manifest.webmanifest",
}
"""The file at the site for each path of the server; parts in braces go into the query."""
_PATHS = {path: re.compile(re.sub(r"{(\w+)(:path)?}", r"(?P<\1>.+?)", path)) for path in FILES}
_ADDRESS = re.compile(r'\b(href|src|action|formaction)="(/[^"]*)"')
_SCRIPT = re.compile(r'<script type="module" src="((?:\.\./)?static/)(pages/[^"]*)">')
ORIGIN = Site("./", "")
_COOKIE = ORIGIN.cookie.encode() + b"=" + b"-" * SHORTEST_DEVICE  # of the only device
_HEADERS = [(b"cookie", _COOKIE), (b"content-type", b"application/x-www-form-urlencoded")]
_OPENS_SECONDS = 0.5  # between two looks for games that have ended


class _DeviceLog:
    """The log in the browser's database, in place of `StoredLog`; `store` is `script/store.js`."""

    def __init__(self, store: Any) -> None:
        self._store = store
        self._seats: dict[str, frozenset[int]] = {}
        """The seats of each room that was read: everyone at the screen may use every human seat."""

    async def replay(self, room: str) -> tuple[Room, Entries]:
        entries = await self.read(room)
        return replay_room(room, entries.events), entries

    async def read(self, room: str, after: int = 0, seal: str = "") -> Entries:
        rows = json.loads(await _ask_store(self._store.read(room, max(0, after - 1))))
        if not rows or rows[0][0] != max(1, after):  # the browser has cleared its data
            raise UnknownRoom("there is no such table")
        numbered = [(number, at, events.decode_event(text)) for number, at, text in rows]
        if after:
            return Entries(numbered[1:])
        self._seat(room, numbered[0][2])
        return Entries(numbered)

    async def append(
        self,
        room: Room,
        seal: str,
        change: RoomChange,
        at: float,
        key: IdempotencyKey | None = None,
    ) -> tuple[str, int]:
        numbered = change.numbered(room.event_count, at)
        if numbered:
            rows = json.dumps([(n, at, events.encode_event(event)) for n, at, event in numbered])
            # The further write of a try at the box of a day takes the place of a seed.
            seed: Any = change.write(None) if change.write else change.seed
            if not await _ask_store(self._store.append(room.id, rows, *seed)):
                raise OutOfDate("the table has moved on; look again")
            self._seat(room.id, numbered[0][2])
        return "", 0

    def _seat(self, room: str, event: events.RoomEvent) -> None:
        if isinstance(event, events.Opened):
            self._seats[room] = frozenset(opener_seats(event))

    async def seats_of(self, room: str, device: str) -> frozenset[int]:
        return self._seats.get(room, frozenset())

    async def seed_of(self, gid: str) -> bytes:
        """Return the seed of sealed dice by their gid, or no bytes if it is gone."""
        return bytes.fromhex(await _ask_store(self._store.seed(gid)))

    async def count_beginnings(self, most: int) -> Sequence[tuple[str, int]]:
        """As in `StoredLog`, but of the sealed rooms among the `most` newest ones of any kind."""
        counts = Counter[str]()
        for room in await self.rooms_of("", most):
            texts = [text for _, _, text in json.loads(await _ask_store(self._store.read(room, 0)))]
            if any('"step":"envelope"' in text for text in texts):
                counts.update(text[:60] for text in texts)
        return list(counts.items())

    async def rooms_of(self, device: str, most: int) -> Sequence[str]:
        return tuple(json.loads(await _ask_store(self._store.rooms(most))))


async def _ask_store(question: Awaitable[T]) -> T:
    """Return what the browser's database answers. Raise NotKept for any error."""
    try:
        return await question
    except Exception as error:  # usually storage that is full or disabled
        raise NotKept("this browser cannot save any more: {why}", why=error) from None


async def _do_at_once(caller: str, work: Callable[..., T], *arguments: Any, **queue: Any) -> T:
    """Do the work at once, in place of `Pool.do`, and return its result."""
    return work(*arguments)


def _allow(*checked: object, **more: object) -> None:
    """Stand in for the checks of rates, and allow everything: a device has only its own user."""


def _find_action(method: str, path: str) -> tuple[Action, str]:
    """Return the action at an address, and its room or "". Raises BadRequest without an action."""
    for action in ACTIONS:
        if (match := action.match(method, path)) and not action.needs_server:
            return action, match.groupdict().get("room", "")
    raise BadRequest("there is nothing at this address")


def _read_request(action: Action, body: str, fields: Mapping[str, str]) -> Any:
    """Return an action's request, from body or query. Raises BadRequest and NotAllowed."""
    if action.takes is bytes:
        return body.encode()
    if action.takes is None:
        return read_number(fields.get(action.query), action.query)
    request = shaped(json.loads(body), action.takes)
    if isinstance(request, NewRoom) and any(seat.who == "link" for seat in request.seats):
        raise NotAllowed("there are no links here; play together at this screen")
    return request


_WORKERS: Any = SimpleNamespace(closed=False, do=_do_at_once, warm=lambda: None)  # there are none
_UNCOUNTED: Any = SimpleNamespace(check=_allow, check_day=_allow, count_stored=_allow)


class Device(Services):
    """The engine that serves the pages. `store` is `script/store.js`.

    `post` sends JSON to all of them, or with the number of a page to that one.
    """

    largest_form = 3 * limits.LARGEST_RECORD  # with its record; nobody else waits for it

    def __init__(self, store: Any, post: Callable[..., None]) -> None:
        super().__init__(ORIGIN, _WORKERS, _UNCOUNTED)
        self._post = post
        log: Any = _DeviceLog(store)
        self.rooms = RoomRepository(log, None)
        self.rooms.on_shown = self._send_card
        self.refresh = self.rooms.catch_up  # another page may have stored more
        self.days: Any = DeviceDays(self.rooms, store)
        self._listeners: dict[int, Listener] = {}  # by the number of the page
        self._opening: asyncio.Task[None] | None = None
        BotRunner(self.rooms, self.pool, refused=self._send_refusal)
        self._me = Caller(self, "device", (), "", "")

    async def ask(self, method: str, address: str, body: str) -> str:
        """Answer a request as JSON: `status`, and as `body` the reply, refusal or page's text."""
        path, _, query = address.partition("?")
        if not path.startswith("/api/"):
            status, text = await answer(self, method, address, body)
            return json_text({"status": status, "body": text})
        room, live = "", None
        try:
            action, room = _find_action(method, path)
            context = await room_caller(self._me, room) if action.takes_room else self._me
            if isinstance(context, RoomCaller) and path == f"/api/rooms/{room}":
                self._send_card(context.live)  # the page has no copy of it
            reply = await action.run(context, _read_request(action, body, dict(parse_qsl(query))))
            if isinstance(reply, bytes):
                reply = json.loads(reply) if action.gives else reply.decode()
            return json_text({"status": 200, "body": reply})
        except ShutboxError as error:
            if isinstance(error, UnknownRoom) and room:
                self._forget_room(room)
            if isinstance(error, OutOfDate) and room:
                live = await self.rooms.find(room)
            return json_text({"status": 422, "body": json.loads(bytes(refusal(error, live).body))})

    # Messages to the pages

    async def listen(self, id: str, since: int, page: int = 0) -> None:
        """Send a page a room's messages after event `since` until they end; "gone" if unknown."""
        try:
            inside = await room_caller(self._me, id)
        except UnknownRoom:
            self._forget_room(id)
            return
        listener = self._listeners[page] = inside.live.listen(since, inside.viewer)
        while messages := await listener.next():
            for message in messages:
                self._post(json_text({"room": id, "message": json.loads(message)}), page)
        inside.live.leave(listener)

    def leave(self, page: int) -> None:
        """End the messages to a page that was left."""
        if listener := self._listeners.pop(page, None):
            listener.drop()

    async def look(self, id: str) -> None:
        """Load the new events of a room, written by another page, if the room is loaded here."""
        await self.rooms.on_room_changed(id)

    def _forget_room(self, id: str) -> None:
        """Tell the pages that a room is gone: one of them may have drawn it from a copy."""
        self._post(json_text({"gone": id}))

    def _send_card(self, live: LiveRoom) -> None:
        """Send the pages a room's card, and a snapshot for the next; open its envelope soon."""
        if live.room.needs_opening and (self._opening is None or self._opening.done()):
            self._opening = asyncio.create_task(self._open_envelopes())
        everybody = Viewer(frozenset(live.room.people), opener=True, watcher=True)
        snapshot = RoomCaller(self._me, live, everybody).snapshot
        goes_on = snapshot.view.phase in ("waiting", "playing")
        card = table_card(live.room, snapshot.view) if goes_on else None
        tag = language().replace("_", "-")
        boot = json_text({**vars(snapshot), "kinds": stand_ins(), "language": tag})
        self._post(json_text({"room": live.room.id, "boot": boot, "card": card}))

    async def _open_envelopes(self) -> None:
        """Open the envelopes of ended games; if one fails, it opens when its room is read again."""
        wait = True
        while wait:
            await asyncio.sleep(_OPENS_SECONDS)
            with suppress(ShutboxError):
                wait = await open_due_envelopes(self.rooms)

    def _send_refusal(self, live: LiveRoom, error: ShutboxError) -> None:
        """Tell the pages why a computer player cannot act: there is no request to answer."""
        self._post(json_text({"room": live.room.id, "refusal": sentence(error)}))


def draw_for_site() -> None:
    """Let this process draw pages for the static site from now on; compile all templates."""

    def root() -> str:
        """Return the site's folder, as seen from a page; other languages are in folders below."""
        return "" if language() == "en" else "../"

    drawn = environment().globals
    drawn.update(engine="engine/worker.js", root=root, static=lambda name: f"{root()}static/{name}")
    compile_templates()


def at_site(address: str) -> str:
    """Return the site's address for an address of the server. Raises LookupError without one.

    >>> at_site("/r/abc/review?game=1&step=2"), at_site("/p/classic:1.2/3+4?aim=shut")
    ('review.html?room=abc&game=1&step=2', 'position.html?text=classic:1.2/3%2B4&aim=shut')
    >>> at_site("/#boxes")
    'index.html#boxes'
    """
    parts = urlsplit(address)
    for path, pattern in _PATHS.items():
        if match := pattern.fullmatch(unquote(parts.path)):
            named = [*match.groupdict().items(), *parse_qsl(parts.query, keep_blank_values=True)]
            query = urlencode(named, safe=":/")
            return FILES[path] + (query and f"?{query}") + (parts.fragment and f"#{parts.fragment}")
    raise LookupError(f"a page leads to {address}, which the site has not got")


def for_site(page: str) -> str:
    """Return a page's HTML with the site's addresses and loader script. Raises as `at_site`."""

    def mend(match: re.Match[str]) -> str:
        return f'{match[1]}="{escape(at_site(unescape(match[2])))}"'

    begun = r'<script type="module" id="begin" data-then="\1\2" src="\1device/begin.js">'
    return _SCRIPT.sub(begun, _ADDRESS.sub(mend, page))


async def answer(services: Services, method: str, address: str, body: str) -> tuple[int, str]:
    """Return the status and text that answer a request for a page; a refusal has a page, too.

    `address` is one of the site, `body` a form in URL encoding. With status 303 the text is the
    address of another page there.
    """
    parts = urlsplit(address)
    fields = parse_qsl(parts.query, keep_blank_values=True)

    async def receive() -> Message:
        return {"type": "http.request", "body": body.encode(), "more_body": False}

    try:
        path, named = _find_page(method, parts.path, dict(fields))
        query = urlencode([(name, value) for name, value in fields if name not in named])
        scope = {
            "type": "http",
            "method": method,
            "path": address,
            "path_params": named,
            "query_string": query.encode(),
            "headers": _HEADERS,
            "app": SimpleNamespace(state=SimpleNamespace(server=services)),
        }
        reply = await PAGES[method, path](Request(scope, receive))
    except ShutboxError as error:
        reply = refusal_page(error)
    if to := reply.headers.get("location"):
        return reply.status_code, at_site(to)
    text = bytes(reply.body).decode()
    return reply.status_code, for_site(text) if reply.media_type == "text/html" else text


def _find_page(method: str, file: str, fields: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Return the route, as "/r/{room}", of a site's file, and its values. Raises BadRequest."""
    for path, pattern in _PATHS.items():
        is_it, names = FILES[path] == file and (method, path) in PAGES, pattern.groupindex
        if is_it and fields.keys() >= names.keys():
            return path, {name: fields[name] for name in names}
    raise BadRequest("there is nothing at this address")
