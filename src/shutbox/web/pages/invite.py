"""Inviting somebody: a link as a picture that a phone reads from a screen.

The address of the picture names a seat and no secret; the link is in the picture, for anyone who
may hand it on.
"""

from io import BytesIO

import segno
from starlette.requests import Request
from starlette.responses import Response

from shutbox.web.errors import NotAllowed
from shutbox.web.http.identity import caller_there
from shutbox.web.http.requests import read_number
from shutbox.web.rooms.permissions import Who


async def qr(request: Request) -> Response:
    """The link to a seat, or where none is named, the one to watch. Raises NotAllowed."""
    there = await caller_there(request)
    there.check(Who.SEES)
    seat = read_number(request.query_params.get("seat"), "seat")
    links = there.you.links
    link = links.watch if seat is None else links.seats.get(str(seat))
    if link is None:
        raise NotAllowed("this link is not yours to hand on")
    return Response(picture(link), media_type="image/svg+xml")


def picture(text: str) -> bytes:
    """A text as a QR code, dark on light in every look: that is what phones read.

    >>> picture("https://box.example/r/abc#key").startswith(b"<svg ")
    True
    """
    out = BytesIO()
    code = segno.make(text, error="m", micro=False)
    colours = {"dark": "#000", "light": "#fff"}
    code.save(out, kind="svg", border=3, omitsize=True, xmldecl=False, nl=False, **colours)
    return out.getvalue()
