"""The pages as an installable application: manifest, service worker, offline page."""

import asyncio
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from people import Person
from shutbox.web.errors import BadRequest
from shutbox.web.pages import install
from shutbox.web.pages.static_files import FILES, File, address
from shutbox.web.pages.templates import environment
from shutbox.web.server.app import app_of
from shutbox.web.server.services import Server
from shutbox.web.server.settings import Settings
from shutbox.web.storage.database import Database


@pytest.fixture
def ann(person: Callable[[], Person]) -> Person:
    return person()


def png_size(content: bytes) -> str:
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    return f"{width}x{height}"


def test_the_manifest_has_what_browsers_want(ann: Person) -> None:
    answer = ann.get("/manifest.webmanifest")
    assert answer.headers["content-type"] == "application/manifest+json"
    about: dict[str, Any] = answer.json()
    assert (about["start_url"], about["scope"], about["display"]) == ("/", "/", "standalone")
    sizes = []
    for icon in about["icons"]:
        picture = ann.get(icon["src"])
        assert picture.headers["content-type"] == icon["type"]
        assert "immutable" in picture.headers["cache-control"]
        assert len(picture.content) < 6_000
        if icon["type"] == "image/png":
            assert png_size(picture.content) == icon["sizes"]
            sizes.append((icon["sizes"], icon.get("purpose", "any")))
    assert sizes == [("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")]
    for page in ("/", "/help", "/r/nowhere"):
        assert '<link rel="manifest" href="/manifest.webmanifest">' in ann.get(page).text


def told(text: str) -> dict[str, Any]:
    found = re.match(r"self\.shutbox = (\{.*?\});\n", text)
    assert found is not None
    about: dict[str, Any] = json.loads(found[1])
    return about


def test_the_worker_keeps_what_the_page_without_network_is_made_of(ann: Person) -> None:
    answer = ann.get("/sw.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    assert answer.headers["cache-control"] == "no-cache"
    about = told(answer.text)
    for path in about["shell"]:
        assert "immutable" in ann.get(path).headers["cache-control"]
    page = ann.get(about["offline"]).text
    assert "You are offline" in page
    asked = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', page))
    picture = {address("icons/full.png")}  # of a home screen, not of this page
    assert asked - picture <= set(about["shell"])


def test_another_release_is_another_worker(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    before = told(ann.get("/sw.js").text)["release"]
    old = FILES["table.css"]
    newer = File(b"i {}", None, old.media, "0123456789")
    monkeypatch.setitem(FILES, "table.css", newer)
    install._worker.cache_clear()
    try:
        assert told(ann.get("/sw.js").text)["release"] != before
    finally:
        install._worker.cache_clear()


def test_a_server_offers_the_site_without_a_server(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "engine").mkdir(parents=True)
    (site / "sw.js").write_text("// worker")
    (site / "index.html").write_text("<h1>Site</h1>")
    database = f"sqlite:///{tmp_path}/tables.db"
    for offline, at in (("", ""), (str(site), "/device")):
        server = Server(Settings(database=database, offline=offline), Database(database))
        client = TestClient(app_of(server), base_url="http://127.0.0.1")
        assert environment().globals["offline_site"] == at
        assert ('id="site-keep"' in client.get("/help").text) is bool(at)
        assert ('id="alone"' in client.get("/offline").text) is bool(at)
        found = client.get("/device/index.html")
        assert found.status_code == (200 if at else 404)
        assert ("wasm-unsafe-eval" in found.headers["content-security-policy"]) is bool(at)
        assert client.get("/device/../help").status_code != 500
        assert "wasm" not in client.get("/help").headers["content-security-policy"]
        asyncio.run(server.close())
    environment().globals["offline_site"] = ""


def test_a_folder_without_the_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadRequest, match="make site"):
        Settings(offline=str(tmp_path))
