"""Addresses of databases and other services, as hosts, shells and files of settings leave them."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from shutbox.cli.main import main
from shutbox.engine.errors import NotKept
from shutbox.web.errors import BadRequest
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database
from terminal.pipe import piped

ODD, SUPPORTED = "this address of a database is not understood; ", "databases are not supported; "
REFUSED = {
    "sqlite://data/x.db": ODD,
    "sqlite://localhost/x.db": ODD,
    "sqlite:/x.db": ODD,
    "sqlite:///x?.db": ODD,
    "sqlite:///x.db?mode=ro": ODD,
    "sqlite:///file:x.db?uri=true": ODD,
    "sqlite:///": ODD,
    "sqlite:///:memory:": ODD,
    "sqlite+aiosqlite:///x.db": SUPPORTED,
    "x.db": ODD,
    "'sqlite:///x.db'": ODD,
    "mysql://ann:secret@h/x": SUPPORTED,
    "postgres://ann:secret@h/x": SUPPORTED,
    "postgresql+psycopg2://ann:secret@h/x": SUPPORTED,
    "postgresql://ann:secret@h:port/x": ODD,
    "postgresql://ann:secret@[::1/x": ODD,
    "postgresql://ann:1@secret@h/x": "an @ in the password of a database is written %40",
    "host=h user=ann password=secret": ODD,
}
FILES = {
    "sqlite:///x.db": "x.db",
    " sqlite:///x.db\r\n": "x.db",
    "sqlite:///a b%3F%25#c.db": "a b?%#c.db",
}


def test_an_address_of_a_database_is_understood_whole_or_refused_without_its_secret() -> None:
    faults = []
    for address, says in REFUSED.items() | {(a, f"no database {f}") for a, f in FILES.items()}:
        with pytest.raises(NotKept) as refusal:
            Database(address, for_admin=True).close()
        text = str(refusal.value)
        if says not in text or "secret" in text or "\n" in text:
            faults.append((address, text))
    assert not faults
    pytest.importorskip("psycopg", reason="psycopg is not installed: make tools")
    with closing(Database("postgresql://ann:a%40b@h:1/x?sslmode=disable")) as database:
        found = database.url
    assert (found.password, found.host, found.port, found.database) == ("a@b", "h", 1, "x")
    assert found.query == {"sslmode": "disable"}


def test_the_default_database_lies_in_the_folder_whatever_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "50%41?a=b#c"
    monkeypatch.setenv("SHUTBOX_DATA", str(folder))
    assert main(["admin", "list"]) == 1
    assert f"there is no database {folder / 'tables.db'}" in capsys.readouterr().err


URLS = {
    "https://box.example": "https://box.example",
    " https://box.example/ ": "https://box.example",
    "HTTPS://Box.Example:443": "https://box.example",
    "https://b\u00fccher.example": "https://xn--bcher-kva.example",
    "http://[0::1]:8000": "http://[::1]:8000",
    **dict.fromkeys(
        (
            *("https://box example", "https://box.example:", "https://BOX.example:0443"),
            *("https://box\n.example", "https://stra\u00dfe.example", "https://box.example:65536"),
            *(
                "https://ann@box.example",
                "https://box.example?",
                "ftp://box.example",
                "box.example",
            ),
            *("http://[::zz]", "https://", "https://box..example\u00e9"),
        ),
        "--url is not an address such as https://box.example",
    ),
}


def test_a_public_address_is_as_browsers_send_it_or_refused() -> None:
    found = {}
    for url in URLS:
        try:
            found[url] = Settings(url=url).origin
        except BadRequest as refusal:
            found[url] = str(refusal)
    assert found == URLS


PROXIES = [  # the scheme that a proxy says, the host that it passes on, and the address meant
    ("https", "box.local", "https://box.local"),
    ("https", "Box.local:443", "https://box.local"),
    ("http", "box.local:80", "http://box.local"),
    ("http", "box.local:8000", "http://box.local:8000"),
]


def test_what_a_proxy_says_of_an_address_is_understood(tmp_path: Path) -> None:
    faults: list[object] = []
    for public in (False, True):
        for scheme, host, meant in PROXIES:
            folder = tmp_path / f"{len(faults)} {public} {scheme} {host}"
            folder.mkdir()
            url = meant if public else ""
            settings = Settings(database=f"sqlite:///{folder / 'tables.db'}", url=url)
            app: Any = app_of(Server(settings, Database(settings.database)))
            proxied: Any = ProxyHeadersMiddleware(app, "*")
            sent = {"Host": host, "X-Forwarded-Proto": scheme, "Origin": meant}
            with TestClient(app), TestClient(proxied, headers=sent) as client:
                opened = client.post("/api/rooms", json={"action": "a" * 16, "game": "six"})
            if f'"{meant}/r/' not in opened.text:
                faults.append((public, scheme, host, opened.text))
    assert not faults


SECRETS = [
    ("serve", "postgresql://ann:se@cret@h/x"),
    ("serve", "--url", "https://ann:secret@box.example"),
]


def test_no_refused_option_of_a_server_repeats_a_password() -> None:
    for words in SECRETS:
        ended = piped(*words)
        assert ended.code in (1, 2)
        assert "cret" not in ended.refusal, words
