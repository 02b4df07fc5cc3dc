"""QR codes for inviting players: a phone reads the link from the screen.

The address of the picture names a seat but contains no secret. The link is only in the picture,
which is drawn for viewers who can share it.
"""

from io import BytesIO
from typing import Any

import segno
from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.errors import NotAllowed
from shutbox.web.http.context import room_caller_of
from shutbox.web.rooms.permissions import Permission
from shutbox.web.rooms.requests import read_number

_LOOK: Any = {"border": 3, "omitsize": True, "dark": "#000", "light": "#fff"}


async def qr(request: Request) -> Response:
    """Draw the link to the `seat` in the query: a number, or `free` for any free seat.

    Without one, draws the watch link. Raises NotAllowed if the caller may not share the link, and
    BadRequest for any other text.
    """
    caller = await room_caller_of(request)
    caller.check(Permission.SEES)
    named, links = request.query_params.get("seat"), caller.you.links
    if named == "free":
        link = links.join
    else:
        seat = read_number(named, "seat")
        link = links.watch if seat is None else links.seats.get(str(seat))
    if link is None:
        raise NotAllowed("you cannot share this link")
    return Response(picture(link), media_type="image/svg+xml")


def picture(text: str) -> bytes:
    """Return a text as a QR code in SVG; dark on light in every theme, so that phones can read it.

    >>> picture("https://box.example/r/abc#key").startswith(b"<svg ")
    True
    """
    out = BytesIO()
    _code(text).save(out, kind="svg", xmldecl=False, nl=False, **_LOOK)
    return out.getvalue()


def in_page(text: str) -> str:
    """Return the QR code of a text as a data URI, for a link that is shown only once.

    >>> in_page("https://box.example/games/take#key")[:18]
    'data:image/svg+xml'
    """
    return _code(text).svg_data_uri(**_LOOK)


def _code(text: str) -> segno.QRCode:
    return segno.make(text, error="m", micro=False)
