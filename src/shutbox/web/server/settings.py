"""The settings of a server."""

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import ip_address, ip_network
from pathlib import Path
from urllib.parse import urlsplit

from shutbox.web.errors import BadRequest

_MOST_PORTS = 65_535


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server. Creating them raises BadRequest for one that cannot work.

    >>> Settings(url="https://box.example").origin, Settings(port=8000).origin
    ('https://box.example', 'http://127.0.0.1:8000')
    """

    database: str = "sqlite:///shutbox.db"
    host: str = "127.0.0.1"
    port: int = 8000
    url: str = ""  # the public URL, if a proxy stands before the server
    proxies: str = "127.0.0.1"
    """The proxies whose X-Forwarded-For is trusted: addresses and networks, with commas, or *."""
    unlimited: frozenset[str] = frozenset()  # addresses without rate limits
    name: str = "a"  # a letter, with which the ids of its rooms begin; each server has its own
    spare: bool = False  # whether to wait for the name, if another server has it
    expire: int = 0  # days without an event after which a room expires; 0 for never
    push: tuple[str, ...] = ()  # further services as HOST or HOST:PORT; ("off",) for no Web Push
    offline: str = ""  # folder of the site without a server, for visitors to keep; empty for none
    plugins: str = ""  # full names of the plugins' games and players offered, comma-separated
    phrases: bool = True  # whether players can say stock phrases at a table

    def __post_init__(self) -> None:
        if not re.fullmatch("[a-z]", self.name):
            raise BadRequest("--name is one letter, a to z, not {text!r}", text=self.name[:20])
        if not 1 <= self.port <= _MOST_PORTS:
            raise BadRequest("there is no port {port}; ports are 1 to 65535", port=self.port)
        if self.offline and not (Path(self.offline) / "sw.js").is_file():
            raise BadRequest(
                "{folder} is not a folder that make site has written", folder=self.offline
            )
        if self.expire < 0:
            raise BadRequest("--expire is a number of days, such as 400")
        if self.url and not _is(_origin_of, self.url):
            raise BadRequest("--url is not an address such as https://box.example")
        if urlsplit(self.url.strip()).path.strip("/"):
            raise BadRequest("--url has a path; shutbox needs a host name of its own")
        for proxy in filter(None, map(str.strip, self.proxies.split(","))):
            network = "/" in proxy and _is(ip_network, proxy)
            if not (proxy == "*" or network or _is(ip_address, proxy)):
                raise BadRequest(
                    "{proxy!r} is not an address or a network; write 192.0.2.7 or 192.0.2.0/24, "
                    "with commas between several",
                    proxy=proxy,
                )
        for address in self.unlimited:
            if not _is(ip_address, address):
                raise BadRequest("{address!r} is not an address such as 192.0.2.7", address=address)

    @property
    def origin(self) -> str:
        """The scheme, host and port of the public address, as browsers send them in Origin."""
        if self.url:
            return _origin_of(self.url)
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"


_URL = re.compile(r"(https?)://([\w.-]+|\[[0-9a-f:.]+\])(?::([1-9][0-9]{0,4}))?(/[^?#]*)?")


def _origin_of(url: str) -> str:
    """Return the origin of a site by its address, with or without a path. Raises ValueError.

    >>> _origin_of(" https://B\u00fccher.example:443/ "), _origin_of("http://[0:0::1]:8000")
    ('https://xn--bcher-kva.example', 'http://[::1]:8000')
    """
    parts = _URL.fullmatch(url := url.strip().lower())
    # Browsers encode these two letters otherwise than Python does.
    if not parts or int(parts[3] or 1) > _MOST_PORTS or {"\u00df", "\u03c2"} & {*url}:
        raise ValueError(url)
    scheme, host, port, _ = parts.groups()
    if host.startswith("["):
        host = f"[{ip_address(host[1:-1])}]"
    elif not host.isascii():
        host = host.encode("idna").decode()
    is_usual = port in (None, {"https": "443", "http": "80"}[scheme])
    return f"{scheme}://{host}" if is_usual else f"{scheme}://{host}:{port}"


def _is(kind: Callable[[str], object], text: str) -> bool:
    """Whether `kind` reads a text without a ValueError."""
    with suppress(ValueError):
        kind(text)
        return True
    return False
