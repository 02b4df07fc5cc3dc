"""The first page and its gallery of all games; help; settings.

In the gallery, every game is a small box that shows how it differs from Classic. The length of a
turn and the weight of skill come from figures in `gallery.toml`, computed exactly by
`docs/gallery.py`. A game whose catalogue entry names no `picture` is shown at its start, with dice.
"""

import asyncio
import tomllib
from bisect import bisect
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from operator import itemgetter
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from shutbox import catalogue, find
from shutbox.engine.errors import ShutboxError
from shutbox.engine.game import Over
from shutbox.engine.messages import cached, gettext, gettext_noop
from shutbox.engine.scene import Kind, Piece
from shutbox.match import presets
from shutbox.output.picture import miniature, with_dice
from shutbox.table.lookup import difference
from shutbox.table.today import Day, streak_of
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.tables import catalogue as playable
from shutbox.web.actions.tables import open_room, stand_ins
from shutbox.web.http.requests import browser, caller, give_device, read_form
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.access import hashed
from shutbox.web.rooms.events import shaped
from shutbox.web.rooms.requests import NewRoom
from shutbox.web.rooms.view import TableCard, table_card

LENGTHS = ("short", "middle", "long")
LUCKS = ("luck", "both", "skill")
FIRST_BOXES = ("classic", "ten", "six", "even-stevens", "two-to-go", "lucky-seven")
_GROUPS = (
    gettext_noop("Start here"),
    gettext_noop("Other tiles"),
    gettext_noop("Other rules"),
    gettext_noop("Other games"),
)
_LONGER = (4.0, 6.0)  # expected throws from which a turn is middle, and long
_SKILLED = (0.4, 0.9)  # values of `skill` from which a game is both, and skill; see docs/gallery.py


@dataclass(frozen=True, slots=True)
class GalleryBox:
    """A game as the gallery shows it."""

    id: str
    title: str
    about: str  # how it differs from Classic, in a few words
    miniature: str  # the markup of its picture
    length: str  # one of LENGTHS; empty if unknown
    luck: str  # one of LUCKS; empty if unknown
    group: int  # the index in _GROUPS of its group


async def home(request: Request) -> Response:
    """Show the first page, with the gallery filtered by the length and the luck in the query."""
    who, query = caller(request), request.query_params
    length = wanted if (wanted := query.get("length", "")) in LENGTHS else ""
    luck = wanted if (wanted := query.get("luck", "")) in LUCKS else ""
    return rendered(
        "home.html",
        **choices(),
        box=_box(),
        today=await _today(who),
        mine=await _tables_of(who),
        groups=groups(),
        chosen={g.id for g in gallery() if length in ("", g.length) and luck in ("", g.luck)},
        filter={"length": length, "luck": luck},
        origin=who.origin,
    )


async def _tables_of(who: Caller) -> list[TableCard]:
    """Return cards of a device's latest unfinished tables, first those where its player is due."""
    rooms, cards = who.services.rooms, list[tuple[bool, TableCard]]()
    if who.device is None:
        return []
    for id in await rooms.log.rooms_of(hashed(who.device), limits.MOST_OWN_TABLES):
        with suppress(ShutboxError):
            live = await rooms.glance(id, who.waits_as)
            view = live.present()
            if view.phase in ("waiting", "playing"):
                viewer = await rooms.access.viewer(live, who.device, who.keys)
                waits = not any(view.seats[seat].due for seat in viewer.seats)
                own = min(viewer.seats) if len(viewer.seats) == 1 else None
                cards.append((waits, table_card(live.room, view, own)))
    return [card for _, card in sorted(cards, key=itemgetter(0))]


async def _today(who: Caller) -> dict[str, Any] | None:
    """Return today's box and the progress of the caller's try; None if it cannot be read."""
    days = who.services.days
    with suppress(ShutboxError, TimeoutError):
        async with asyncio.timeout(limits.HOME_SECONDS):
            day = await days.made(days.today)
        tried = await days.try_of(day.day, who.by)
        results = await days.results_of(who.by)
        return {
            "day": day.day,
            "title": find(day.game).card().title,
            "begun": tried is not None,
            "streak": streak_of(results, day.day).days,
            **await box_of(who, day, tried.room if tried else None),
        }
    return None


async def box_of(who: Caller, day: Day, room: str | None) -> dict[str, Any]:
    """Return the `box` of a day as it stands in the `room` of a try, and whether it is `over`.

    Before a try, the box shows its first throw. `cover` is the sum that tiles must cover, if any.
    The `room` returned is None without one, or if it was deleted or cannot be read.
    """
    scene, over = day.opening(), False
    try:
        if room is not None:
            table = (await who.services.rooms.glance(room, who.waits_as)).room.playing()
            scene, over = table.scene, isinstance(table.awaits, Over)
    except ShutboxError:
        room = None
    return {"box": scene, "room": room, "over": over, "cover": scene.target}


@cached
def _box() -> tuple[Piece, ...]:
    """Return the pieces of Classic at its start, with 3 and 6 thrown."""
    classic = find("classic")
    return classic.scene(classic.position_at("1-9/3+6")).pieces


@cached
def choices() -> dict[str, Any]:
    """Return the options of the forms: games, presets and computer players.

    Each preset has its game, a few words on how it differs, and the picture of the game beside it.
    """
    of_presets = zip(playable().presets, presets().values(), strict=True)
    evenings = [(p, of.game, difference(p.id), picture_of(of.game)) for p, of in of_presets]
    return {
        "games": catalogue(),
        "presets": evenings,
        "kinds": playable().computers,
        "stand_ins": stand_ins(),
        "characters": playable().characters,
    }


async def play(request: Request) -> Response:
    """Open a table as a button of a page asks: alone, with another player, or from a position."""
    form, who = await read_form(request), browser(request)
    game, other = form.one("game") or "classic", form.one("with")
    action = (
        f"{form.action[:40]}-{hashed(game + other)[:16]}"  # the buttons of a page share one form
    )
    fields: dict[str, Any] = {"action": action, "game": game}
    if other:
        fields["seats"] = [{"who": "me"}, {"who": other}]
    elif position := form.one("position"):
        fields["position"] = position
    reply = await open_room(who, shaped(fields, NewRoom))
    return to_table(reply.view.room, request, who)


async def help(request: Request) -> Response:
    """Show how to play in three pictures, and answer questions, such as what keys there are."""
    return rendered("help.html", pictures=classics("1-9/3+6", "1-9/3+6 3.6", "1.2"))


def classics(*positions: str) -> list[str]:
    """Return pictures of Classic at these positions, each with the tiles to mark after a space."""
    classic, parts = find("classic"), [position.partition(" ") for position in positions]
    pieces = [classic.scene(classic.position_at(at)).pieces for at, _, _ in parts]
    return [miniature(p, m.split(".")) for p, (_, _, m) in zip(pieces, parts, strict=True)]


async def settings(request: Request) -> Response:
    """Show all settings, which the page's script stores, beside a box that shows their effect."""
    return rendered("settings.html", box=_box())


def to_table(room: str, request: Request, who: Caller) -> Response:
    """Redirect a browser to a table, with the cookie of its device if the device is new."""
    return give_device(RedirectResponse(f"/r/{room}", 303), request, who)


@cache
def figures() -> dict[str, dict[str, float]]:
    """Return the figures of a turn, by the name of the game; large games have none.

    They are the expected score `mean` and number of `throws`, chance to `shut`, weight of `skill`.
    """
    return tomllib.loads((files(__package__) / "gallery.toml").read_text(encoding="utf-8"))


@cached
def gallery() -> tuple[GalleryBox, ...]:
    """Return every game, in the order of the catalogue.

    >>> [(shown.id, shown.length, shown.luck) for shown in gallery()][:2]
    [('classic', 'middle', 'skill'), ('two-to-go', 'middle', 'both')]
    """
    boxes = list[GalleryBox]()
    for entry in catalogue():
        known, differs = figures().get(entry.name), difference(entry.name)
        length = LENGTHS[bisect(_LONGER, known["throws"])] if known else ""
        luck = LUCKS[bisect(_SKILLED, known["skill"])] if known else ""
        picture, group = picture_of(entry.name), _group_of(entry.name)
        boxes.append(GalleryBox(entry.name, entry.title, differs, picture, length, luck, group))
    return tuple(boxes)


def _group_of(name: str) -> int:
    """Return the index in _GROUPS of a game's group."""
    if name in FIRST_BOXES:
        return 0
    plain, options = (find(game).card().options for game in (FIRST_BOXES[0], name))
    if options.keys() != plain.keys():
        return 3
    return 1 if any(options[key] != plain[key] for key in ("tiles", "behind", "down")) else 2


@cached
def groups() -> tuple[tuple[str, list[GalleryBox]], ...]:
    """Return every game once, in four groups with their titles; the first group is FIRST_BOXES.

    >>> [(title, len(boxes)) for title, boxes in groups()]
    [('Start here', 6), ('Other tiles', 7), ('Other rules', 13), ('Other games', 3)]
    """
    boxes = [[box for box in gallery() if box.group == group] for group in range(len(_GROUPS))]
    boxes[0].sort(key=lambda box: FIRST_BOXES.index(box.id))
    return tuple(zip(map(gettext, _GROUPS), boxes, strict=True))


@cache
def picture_of(name: str) -> str:
    """Return a small SVG of a game's box, with marks where it differs, as the catalogue says."""
    game = find(name)
    entry = next((e for e in catalogue() if e.name == name and e.picture), None)
    if entry is None:
        return miniature(with_dice(game))
    pieces = game.scene(game.position_at(entry.picture)).pieces
    tiles = {piece.key for piece in pieces if piece.kind is Kind.TILE}
    keys = {key.replace("die", "die ") for key in entry.marked.split()}
    return miniature(pieces, tiles if "*" in keys else keys, entry.badge)
