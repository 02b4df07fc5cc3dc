"""Addresses of databases and other services, as hosts, shells and files of settings leave them."""

import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from in_process import server_of, settings_in
from listing import assert_none
from shutbox.cli.main import main
from shutbox.engine.errors import NotKept
from shutbox.web.errors import BadRequest
from shutbox.web.push import SERVICES, WebPush, new_key
from shutbox.web.server.app import app_of
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database
from terminal.pipe import piped

TABLE: dict[str, Any] = tomllib.loads(
    Path(__file__).with_name("addresses.toml").read_text(encoding="utf-8")
)


def test_an_address_of_a_database_is_understood_whole_or_refused_without_its_secret() -> None:
    faults = []
    wanted = {address: says for says, texts in TABLE["refused"].items() for address in texts}
    wanted |= {address: f"no database {file}" for address, file in TABLE["files"].items()}
    for address, says in wanted.items():
        with pytest.raises(NotKept) as refusal:
            Database(address, for_admin=True).close()
        text = str(refusal.value)
        if says not in text or "secret" in text or "\n" in text:
            faults.append((address, text))
    assert_none(faults)
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


def test_a_public_address_is_as_browsers_send_it_or_refused() -> None:
    assert_none(
        (url, meant) for url, meant in TABLE["urls"].items() if Settings(url=url).origin != meant
    )
    for url in TABLE["no_urls"]:
        with pytest.raises(BadRequest, match="--url is not an address such as"):
            _ = Settings(url=url).origin


def test_only_known_push_services_are_called() -> None:
    sender = WebPush(new_key(), "https://box.example")
    assert_none(address for address in TABLE["no_push_services"] if sender.accepts(address))
    for host in (*SERVICES[:3], "wns2-by3p.notify.windows.com"):
        assert sender.accepts(f"https://{host}/abc/d-e_f:1?g=h")


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
            app: Any = app_of(server_of(settings_in(folder, url=url)))
            proxied: Any = ProxyHeadersMiddleware(app, "*")
            sent = {"Host": host, "X-Forwarded-Proto": scheme, "Origin": meant}
            with TestClient(app), TestClient(proxied, headers=sent) as client:
                opened = client.post("/api/rooms", json={"action": "a" * 16, "game": "six"})
            if f'"{meant}/r/' not in opened.text:
                faults.append((public, scheme, host, opened.text))
    assert_none(faults)


def test_no_refused_option_of_a_server_repeats_a_password() -> None:
    for option, address in (
        ("--database", "postgresql://ann:se@cret@h/x"),
        ("--url", "https://ann:secret@box.example"),
    ):
        ended = piped("serve", option, address)
        assert ended.code in (1, 2)
        assert "cret" not in ended.refusal, address
