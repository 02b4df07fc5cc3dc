"""The middleware of every request: checks of host and origin, log entries, headers.

It is plain ASGI, without the framework's wrapper, so that streams pass through unchanged.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from shutbox.engine.messages import gettext, speaking
from shutbox.web.actions.context import Services, Site
from shutbox.web.errors import NotAllowed
from shutbox.web.http.requests import host_of, language_of, without_default_port
from shutbox.web.logs import log

CONTENT_SECURITY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "font-src 'self'; manifest-src 'self'; worker-src 'self'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_NEAR = (".local", ".localhost", ".lan", ".home", ".internal", ".localdomain", ".home.arpa", ".svc")
_FOR_HOSTS = ("/health", "/ready")
"""Paths for the host's tools, by any name of the host."""
_SAFE = ("GET", "HEAD", "OPTIONS")  # they change nothing


def is_same_origin(connection: HTTPConnection, site: Site) -> bool:
    """Whether a request comes from a page of this site, or from no page at all."""
    sent = connection.headers.get("origin")
    if sent is None:
        return connection.headers.get("sec-fetch-site", "none") in ("same-origin", "none")
    if site.url:
        return sent.lower() == site.origin
    # A proxy may not say by which scheme the visitor came.
    return without_default_port(urlsplit(sent).netloc.lower()) == host_of(connection)


def is_our_host(connection: HTTPConnection, site: Site) -> bool:
    """Whether a request names the configured host; if none is configured, an IP or local name."""
    host = host_of(connection)
    return host == without_default_port(urlsplit(site.origin).netloc) if site.url else is_near(host)


def is_near(host: str) -> bool:
    """Whether a host is an IP address or a local name, which no other site can have.

    >>> [is_near(host) for host in ("127.0.0.1:8000", "[::1]", "box:8000", "box.local")]
    [True, True, True, True]
    >>> is_near("evil.example:8000")
    False
    """
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        return "." not in name or name.endswith(_NEAR) or ip_address(name) is not None
    except ValueError:  # not an address
        return False


@dataclass
class EveryRequest:
    """The middleware that refuses cross-site requests, logs and sets headers."""

    app: ASGIApp
    server: Services
    answer_error: Callable[[Request, Exception], Response]  # to a refusal or any other error

    def __post_init__(self) -> None:
        self.headers = {**HEADERS, "Cache-Control": "no-store"}
        if self.server.site.secure:
            self.headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request in the language of its client."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        with speaking(language_of(HTTPConnection(scope), self.server.site.language_cookie)):
            answer = self._answer if scope["type"] == "http" else self.app
            await answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = time.perf_counter()
        status, has_begun = 500, False

        async def send_with_headers(message: Message) -> None:
            nonlocal status, has_begun
            has_begun = True
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if to := headers.get("location"):
                    # A proxy may not say by which scheme the visitor came.
                    headers["location"] = re.sub(r"^(?:[a-z]+:)?//[^/]*/*", "/", to)
            await send(message)

        try:
            refusal = self._refusal(Request(scope))
            await (refusal or self.app)(scope, receive, send_with_headers)
        except Exception as error:
            answer = self.answer_error(Request(scope), error)
            if has_begun:  # too late for an error page: the connection is cut off
                raise
            await answer(scope, receive, send_with_headers)
        finally:
            _log(scope, status, time.perf_counter() - begun)

    def _refusal(self, request: Request) -> Response | None:
        """Return the answer if refused, None to let the request through."""
        site = self.server.site
        is_for_host = request.scope["path"] in _FOR_HOSTS
        if not is_for_host and not is_our_host(request, site):
            message = gettext("No such host.")
            if not site.url:
                message = gettext("No such host. If people use this name, say so with --url.")
            return PlainTextResponse(f"{message}\n", 421)
        if request.method not in _SAFE and not is_same_origin(request, site):
            refusal = NotAllowed("the request comes from a page of another site")
            return self.answer_error(request, refusal)
        return None


def _log(scope: Scope, status: int, seconds: float) -> None:
    route = getattr(scope.get("route"), "path", "none")
    method = scope["method"] if scope["method"] in (*_SAFE, "POST") else "OTHER"
    agent = Headers(scope=scope).get("user-agent", "")[:80]
    agent = "".join(sign if sign.isprintable() else "?" for sign in agent)
    write = log.debug if route.startswith(("/static/", "/health")) else log.info
    ms = round(1000 * seconds, 1)
    write("request", method=method, route=route, status=status, ms=ms, agent=agent)


class Compressed(GZipMiddleware):
    """The middleware that compresses all but static files, the engine and rooms' short replies."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, compressed if useful. Static files are compressed at server start."""
        path = scope.get("path", "")
        is_short_reply = scope.get("method") == "POST" and path.startswith("/api/rooms/")
        uncompressed = is_short_reply or path.startswith(("/static/", "/device/engine/"))
        await (self.app if uncompressed else super().__call__)(scope, receive, send)
