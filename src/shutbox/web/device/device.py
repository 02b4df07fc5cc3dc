"""What the page asks of the engine in the browser, by the addresses of the API of a server."""

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from shutbox.errors import OutOfDate, ShutboxError
from shutbox.game_names import parse_name
from shutbox.games.catalogue import find
from shutbox.match import Format, presets
from shutbox.picture import miniature, with_dice
from shutbox.seats import Seat
from shutbox.web.actions import replays
from shutbox.web.actions.plans import planned
from shutbox.web.actions.replies import Acted, Done, Hint, Judged, RoomReply
from shutbox.web.compute.budget import check_text, check_work
from shutbox.web.device.encode import encode
from shutbox.web.device.repository import AtOnce, DeviceRooms, EventStore, viewer
from shutbox.web.device.shapes import shaped
from shutbox.web.errors import BadRequest, NotAllowed, UnknownRoom, sentence
from shutbox.web.live.advisor import Advisor
from shutbox.web.live.live_room import LiveRoom
from shutbox.web.rooms import commands
from shutbox.web.rooms.cards import table_card
from shutbox.web.rooms.catalogue import stand_ins
from shutbox.web.rooms.evenings import Rules, choose
from shutbox.web.rooms.permissions import Who, check
from shutbox.web.rooms.requests import Act, Again, AtSeat, NewRoom, Plain, StandIn
from shutbox.web.rooms.view import You, log_lines, rules_of, you

_ROOM = re.compile(r"/api/rooms/(\w+)(?:/([a-z-]+))?")
_GAME = re.compile(r"game=([0-9]{1,9})")
ARRANGED: dict[str, tuple[type[Any], Who, Callable[..., commands.Events]]] = {
    "leave": (AtSeat, Who.SITS, commands.leave),
    "come-back": (AtSeat, Who.SITS, commands.come_back),
    "stand-in": (StandIn, Who.FILLS, commands.stand_in),
    "end": (Plain, Who.AT_TABLE, commands.give_up),
    "rematch": (Again, Who.AT_TABLE, commands.again),
}
"""What is done about seats and games, by its name: what it takes, who may, and the command."""
_DEVICE = "device"


def _nothing() -> BadRequest:
    return BadRequest("there is nothing at this address")


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
    pieces = game.scene(game.start()).pieces
    return {
        "rules": rules,
        "ends": rules.ends,
        "choice": choice,
        "miniature": miniature(with_dice(pieces)),
        "lines": game.card().lines,
    }


class Device:
    """The engine of one page. `post` sends a message to the page, as JSON."""

    def __init__(self, store: EventStore, post: Callable[[str], None]) -> None:
        self._post = post
        self._advisor = Advisor(AtOnce())
        self._rooms = DeviceRooms(store, self._shown, self._refused)

    async def ask(self, method: str, address: str, body: str) -> str:
        """What is answered: its status, and what it says, as JSON."""
        path, _, query = address.partition("?")
        try:
            return encode({"status": 200, "body": await self._answer(method, path, query, body)})
        except ShutboxError as error:
            reason = {"error": {"code": error.code, "message": sentence(error)}}
            found = _ROOM.fullmatch(path)
            if isinstance(error, UnknownRoom) and found:
                self._gone(found[1])
            if isinstance(error, OutOfDate) and found:
                view = (await self._rooms.find(found[1])).broadcast.present()
                reason |= {"number": view.number, "view": view}  # type: ignore[dict-item]
            return encode({"status": 422, "body": reason})

    async def _answer(self, method: str, path: str, query: str, body: str) -> Any:
        if (method, path) == ("POST", "/api/rooms"):
            return await self._open(json.loads(body))
        if (method, path) == ("GET", "/api/box"):
            fields = parse_qs(query, keep_blank_values=True)  # no preset is a choice, too
            return _box({key: values[0] for key, values in fields.items()})
        if (method, path) == ("POST", "/api/records"):
            return replays.replayed(body.encode())
        found = _ROOM.fullmatch(path)
        if not found:
            raise _nothing()
        live, what = await self._rooms.find(found[1]), found[2] or ""
        if method == "POST":
            return await self._done(live, what, json.loads(body))
        asked: dict[str, Callable[[], Awaitable[Any]]] = {
            "": lambda: self._sight(live),
            "hint": lambda: self._hint(live),
            "verdict": lambda: self._verdict(live),
            "record": lambda: self._record(live, query),
        }
        if what not in asked:
            raise _nothing()
        return await asked[what]()

    async def _open(self, asked: dict[str, Any]) -> dict[str, str]:
        """Open a table, with all that its page is drawn from."""
        preset = presets().get(asked.pop("preset", ""))
        if preset is not None:
            asked["format"] = str(Format.parse(asked.get("format", ""), preset.format))
        new = shaped(asked, NewRoom)
        if any(seat.who == "link" for seat in new.seats):
            raise NotAllowed("nobody comes by a link here; play round this screen")
        plan, game = planned(new)
        seats = [*(Seat(s.name, s.computer) for s in plan.seats), Seat("", plan.stand_in)]
        await self._advisor.check_players(game, seats, _DEVICE)
        live = await self._rooms.open(plan)
        return {"room": live.room.id}

    def _you(self, live: LiveRoom) -> You:
        return you(live.room, viewer(live.room), "", None, self._rooms.moment().now)

    async def _sight(self, live: LiveRoom) -> RoomReply:
        room = live.room
        return RoomReply(live.broadcast.present(), self._you(live), log_lines(room), rules_of(room))

    async def _done(self, live: LiveRoom, what: str, asked: dict[str, Any]) -> Acted | Done:
        mine = viewer(live.room)
        if what == "act":
            return await self._act(live, shaped(asked, Act))
        if what not in ARRANGED:
            raise _nothing()
        shape, who, command = ARRANGED[what]
        wanted = shaped(asked, shape)
        check(who, live.room, mine, getattr(wanted, "seat", -1))
        moment = self._rooms.moment(mine.seats)
        number = await self._rooms.change(live, lambda room: command(room, wanted, moment))
        return Done(number, live.broadcast.present(), self._you(live))

    async def _act(self, live: LiveRoom, asked: Act) -> Acted:
        throws = asked.do in ("throw", "correct")
        check(Who.THROWS if throws else Who.ACTS, live.room, viewer(live.room), asked.seat)
        coach: tuple[str, ...] = ()
        if live.is_coached(asked):
            coach = await self._advisor.judged(live, asked.choice, _DEVICE)
        number = await self._rooms.change(live, lambda room: commands.act(room, asked))
        line, view = live.room.log[number - 1], live.broadcast.present()
        mine = self._you(live)
        return Acted(number, line.says, coach, view, mine, line.move, line.brief)

    async def _hint(self, live: LiveRoom) -> Hint:
        return Hint(*await self._advisor.hint(live, _DEVICE))

    async def _verdict(self, live: LiveRoom) -> Judged:
        return Judged.of(live.room.game, await self._advisor.verdict(live, _DEVICE))

    async def _record(self, live: LiveRoom, query: str) -> str:
        found = _GAME.fullmatch(query)
        if not found:
            raise _nothing()
        history = await self._rooms.history(live.room.id)
        return replays.record_of(live.room.id, history, int(found[1])).decode()

    # What the page hears

    async def listen(self, id: str, since: int) -> None:
        """Send the page all that happens in a room after that number, while it is there."""
        try:
            live = await self._rooms.find(id)
        except UnknownRoom:
            self._gone(id)
            return
        listener = live.broadcast.listen(since, viewer(live.room))
        while messages := await listener.next():
            for message in messages:
                self._post(encode({"room": id, "message": json.loads(message)}))

    async def look(self, id: str) -> None:
        """Another page of this browser has played on in a room."""
        await self._rooms.look(id)

    def _gone(self, id: str) -> None:
        """Tell the page that a room is there no more, which it may have drawn from a copy."""
        self._post(encode({"gone": id}))

    def _shown(self, live: LiveRoom) -> None:
        """Tell the page what the next one is drawn from."""
        room, view = live.room, live.broadcast.present()
        boot = {"view": view, "you": self._you(live), "log": log_lines(room)}
        boot |= {"rules": rules_of(room), "kinds": stand_ins()}
        goes_on = view.phase in ("waiting", "playing")
        card = table_card(view) if goes_on else None
        self._post(encode({"room": room.id, "boot": encode(boot), "card": card}))

    def _refused(self, live: LiveRoom, error: ShutboxError) -> None:
        """Tell the page why a computer player does nothing: nobody asked, so nobody is answered."""
        self._post(encode({"room": live.room.id, "refusal": sentence(error)}))
