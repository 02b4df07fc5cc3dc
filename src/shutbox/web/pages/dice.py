"""The card of the sealed dice at a table, the page about the dice here, and challenges."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.errors import ShutboxError
from shutbox.match import Match
from shutbox.web import limits
from shutbox.web.actions import replays
from shutbox.web.http.requests import browser_of, caller_of, read_form, room_caller_of, services_of
from shutbox.web.pages.home import came_from
from shutbox.web.pages.table import to_table
from shutbox.web.pages.templates import render
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.links import find_challenge
from shutbox.web.rooms.requests import TakeChallenge
from shutbox.web.rooms.shapes import shaped

_STEP = re.compile(r'"step":"(\w+)"|"deed":"throws ([0-9+]+)(?: of ([0-9d+]+))?"')
_MOST_TABLES = 1_000


async def of_table(request: Request) -> Response:
    """Show the envelope of a table's current game; after its end also challenge links."""
    inside = await room_caller_of(request)
    inside.check(Permission.SEES)
    links = dict[str, str]()
    with suppress(ShutboxError):  # not over, or not to be played alone
        links = (await replays.challenges(inside)).links
    return render("dice.html", view=inside.live.current_view(), you=inside.you, links=links)


async def challenge(request: Request) -> Response:
    """Show the game in a challenge's link, and a button to `take` it. Raises as `in_link`."""
    dice = find_challenge(request.url.query)
    plays = replays.challenge_in_link(dice).solo_game
    rounds = plays.format.length if isinstance(plays, Match) else ""
    return render("challenge.html", dice=dice, title=plays.card().title, rounds=rounds)


async def take(request: Request) -> Response:
    """Open a new table with the dice of a challenge, and redirect to it."""
    form, caller = await read_form(request), browser_of(request)
    fields = {"action": form.action, "dice": form.one("dice")}
    reply = await replays.take_challenge(caller, shaped(fields, TakeChallenge))
    return to_table(reply.view.room, request, caller)


async def fair(request: Request) -> Response:
    """Show how often each face fell at the newest sealed tables, and what sealed dice promise."""
    caller_of(request).count(limits.HINTS_OF_ADDRESS, "records")
    fell, steps = dict[int, list[int]](), Counter[str]()
    for text, number in await services_of(request).rooms.stored_log.count_beginnings(_MOST_TABLES):
        step, thrown, dice = match.groups("") if (match := _STEP.search(text)) else ("", "", "")
        steps[step] += number
        for sides, face in _dice_thrown(thrown, dice) if thrown else ():
            fell.setdefault(sides, [0] * sides)[face - 1] += number
    faces, back_to = sorted(fell.items()), came_from(request)
    return render("fair.html", fell=faces, steps=steps, most=_MOST_TABLES, came_from=back_to)


def _dice_thrown(thrown: str, dice: str) -> Iterator[tuple[int, int]]:
    """Yield the sides and the face of each die of a throw like `3+5`; `dice` is like `1d6+1d8`.

    Without `dice`, all have six sides.
    """
    faces = [int(face) for face in thrown.split("+")]
    kinds = [kind.partition("d") for kind in (dice or f"{len(faces)}d6").split("+")]
    sides = [int(most) for number, _, most in kinds for _ in range(int(number))]
    yield from zip(sides, faces, strict=True)
