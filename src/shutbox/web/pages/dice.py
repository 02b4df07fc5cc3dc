"""The card of the sealed dice at a table, the page about the dice here, and challenges."""

import re
from collections import Counter
from contextlib import suppress

from starlette.requests import Request
from starlette.responses import Response

from shutbox.engine.errors import ShutboxError
from shutbox.match import Match
from shutbox.web import limits
from shutbox.web.actions import replays
from shutbox.web.http.requests import browser, caller, read_form, room_caller_of, services_of
from shutbox.web.pages.home import to_table
from shutbox.web.pages.templates import rendered
from shutbox.web.rooms.access import Permission
from shutbox.web.rooms.events import shaped
from shutbox.web.rooms.links import find_challenge
from shutbox.web.rooms.requests import TakeChallenge

_STEP = re.compile(r'"step":"(\w+)"|"deed":"throws ([0-9+]+)(?: of ([0-9d+]+))?"')
_MOST_TABLES = 1_000


async def of_table(request: Request) -> Response:
    """Show the envelope of a table's current game; after its end also challenge links."""
    inside = await room_caller_of(request)
    inside.check(Permission.SEES)
    links = dict[str, str]()
    with suppress(ShutboxError):  # not over, or not to be played alone
        links = (await replays.challenges(inside)).links
    return rendered("dice.html", view=inside.live.present(), you=inside.you, links=links)


async def challenge(request: Request) -> Response:
    """Show the game in a challenge's link, and a button to `take` it. Raises as `in_link`."""
    dice = find_challenge(request.url.query)
    plays = replays.in_link(dice).plays
    rounds = plays.format.length if isinstance(plays, Match) else ""
    return rendered("challenge.html", dice=dice, title=plays.card().title, rounds=rounds)


async def take(request: Request) -> Response:
    """Open a new table with the dice of a challenge, and redirect to it."""
    form, who = await read_form(request), browser(request)
    fields = {"action": form.action, "dice": form.one("dice")}
    reply = await replays.take_challenge(who, shaped(fields, TakeChallenge))
    return to_table(reply.view.room, request, who)


async def fair(request: Request) -> Response:
    """Show how often each face fell at the newest sealed tables, and what sealed dice promise."""
    caller(request).count(limits.HINTS_OF_ADDRESS, "records")
    fell, steps = dict[int, list[int]](), Counter[str]()
    for text, number in await services_of(request).rooms.log.newest_dice(_MOST_TABLES):
        step, thrown, of = match.groups("") if (match := _STEP.search(text)) else ("", "", "")
        steps[step] += number
        pips = [int(pip) for pip in thrown.split("+") if pip]
        kinds = [kind.partition("d") for kind in (of or f"{len(pips)}d6").split("+")]
        sides = [int(most) for many, _, most in kinds for _ in range(int(many))]
        for most, face in zip(sides, pips, strict=True):
            fell.setdefault(most, [0] * most)[face - 1] += number
    return rendered("fair.html", fell=sorted(fell.items()), most=_MOST_TABLES, steps=steps)
