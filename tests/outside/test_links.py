"""Links to a table, as mail programs, messengers and people leave them."""

import tomllib
from pathlib import Path

from listing import assert_none
from shutbox.web.rooms.links import find_key, mended

ROOM, KEY = "kq3v9x2m7dxy", "AbCdEfGhIjKlMn-_QrStUv"
TEXT = Path(__file__).with_name("links.toml").read_text("utf-8")
LINKS = tomllib.loads(
    TEXT.replace("LINK", "https://box.example/r/ROOM#KEY").replace("ROOM", ROOM).replace("KEY", KEY)
)


def test_a_key_is_found_wherever_a_link_was_changed() -> None:
    wanted = {"whole": KEY, "short": KEY[:10], "none": ""}
    keys = [(link, find_key(link), key) for kind, key in wanted.items() for link in LINKS[kind]]
    paths = [(path, mended(path), to) for path, to in LINKS["paths"].items()]
    assert_none((sent, f"{got!r}", wanted) for sent, got, wanted in keys + paths if got != wanted)
