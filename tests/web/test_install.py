"""The pages as an installable application: manifest, service worker, offline page."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest

from people import Person
from shutbox.web.pages import install
from shutbox.web.pages.static_files import FILES, File, address


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
