"""The cookie by which a device is known again."""

from starlette.responses import Response

from shutbox.web.http.identity import Caller

_DAYS = 400
"""The longest that browsers keep a cookie."""


def give_device(response: Response, who: Caller) -> None:
    """Give the device of whoever asks its secret."""
    settings = who.server.settings
    response.set_cookie(
        settings.cookie,
        who.device or "",
        max_age=_DAYS * 24 * 3600,
        path="/",
        secure=settings.secure,
        httponly=True,
        samesite="lax",
    )
