"""The cookie by which a device is known again."""

from starlette.responses import Response

from shutbox.web.http.context import Site

_DAYS = 400
"""The longest that browsers keep a cookie."""


def give_device(response: Response, site: Site, device: str | None) -> None:
    """Give a device its secret."""
    response.set_cookie(
        site.cookie,
        device or "",
        max_age=_DAYS * 24 * 3600,
        path="/",
        secure=site.secure,
        httponly=True,
        samesite="lax",
    )
