"""Links to tables and other pages, as mail programs, messengers and people leave them."""

import tomllib
from pathlib import Path
from urllib.parse import quote, unquote

from listing import assert_none
from people import Person
from shutbox.web.rooms.links import find_challenge, find_key

PARTS = {
    "LINK": "https://box.example/r/ROOM#KEY",
    "ROOM": "kq3v9x2m7dxy",
    "KEY": "AbCdEfGhIjKlMn-_QrStUv",
    "DICE": "AbCdEfGhIjKlMn-_QrStUvWxYz",
}
TEXT = Path(__file__).with_name("links.toml").read_text("utf-8")
for part, text in PARTS.items():
    TEXT = TEXT.replace(part, text)
KEY, LINKS = PARTS["KEY"], tomllib.loads(TEXT)


def test_a_key_is_found_wherever_a_link_was_changed() -> None:
    wanted = {"whole": KEY, "short": KEY[:10], "none": ""}
    keys = [(link, find_key(link), key) for kind, key in wanted.items() for link in LINKS[kind]]
    keys += [(link, find_challenge(link), PARTS["DICE"]) for link in LINKS["challenges"]]
    assert_none((sent, f"{got!r}", wanted) for sent, got, wanted in keys if got != wanted)


def test_an_address_that_was_changed_leads_to_its_page(ann: Person) -> None:
    asked = {quote(path): to for path, to in LINKS["paths"].items()} | LINKS["addresses"]
    faults = []
    for address, to in asked.items():
        answer = ann.client.get(f"http://testserver{address}", follow_redirects=False)
        got = unquote(answer.headers.get("location", ""))
        faults += [(address, got, to)] if got != to else []
    assert_none(faults)
