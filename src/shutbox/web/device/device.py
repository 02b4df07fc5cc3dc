"""What the page asks of the engine in the browser, by the addresses of the API of a server.

The rooms are those of a server, and so is the registry of what can be asked of them: here they have
another host, and nobody who comes by a link.
"""

import json
import logging
import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from shutbox.errors import OutOfDate, ShutboxError
from shutbox.games.catalogue import find
from shutbox.lru import LruCache
from shutbox.match import Format, presets
from shutbox.picture import miniature, with_dice
from shutbox.typed_text import parse_name
from shutbox.web import limits
from shutbox.web.actions.context import Caller, RoomCaller, Services, room_caller
from shutbox.web.actions.registry import ACTIONS, Action
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.device.log import AtOnce, DeviceLog, EventStore, Unlimited
from shutbox.web.errors import BadRequest, NotAllowed, UnknownRoom, sentence
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.bot_runner import BotRunner
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.live.repository import Rooms
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.evenings import Rules, choose
from shutbox.web.rooms.permissions import Viewer
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.shapes import json_text, shaped
from shutbox.web.rooms.view import table_card

_NUMBER = re.compile("[0-9]{1,9}", re.ASCII)


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


def _nothing() -> BadRequest:
    return BadRequest("there is nothing at this address")


def _named(method: str, path: str) -> tuple[Action | None, str]:
    """Return the action of an address and the room it names; None for a box that is drawn.

    Raises BadRequest.
    """
    if (method, path) == ("GET", "/api/box"):
        return None, ""
    for action in ACTIONS:
        if (named := action.named_by(method, path)) and not action.needs_server:
            return action, named.groupdict().get("room", "")
    raise _nothing()


def _asked(action: Action, body: str, fields: Mapping[str, str]) -> Any:
    """Return what an action is asked for. Raise BadRequest, and NotAllowed for seats by link."""
    if action.takes is bytes:
        return body.encode()
    if action.takes is None:
        number = fields.get(action.query)
        if number is not None and not _NUMBER.fullmatch(number):
            raise _nothing()
        return None if number is None else int(number)
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
        self.rates = Unlimited()
        self.pool = AtOnce()
        self.advisor = Advisor(self.pool)
        self.reviews = LruCache[str, Any](limits.KEPT_REVIEWS)
        self.rooms = Rooms(
            DeviceLog(store),
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
