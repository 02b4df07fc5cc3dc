"""Inviting somebody: the code of a link, and what a chat shows of it."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import segno

from people import Person
from shutbox.web.pages.invite import picture

Make = Callable[[], Person]
SEATS = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]


@pytest.fixture
def opened(person: Make) -> tuple[Person, dict[str, Any]]:
    ann = person()
    return ann, ann.open(game="classic", seats=SEATS)


def test_the_code_of_each_link_is_that_of_its_address(opened: tuple[Person, Any]) -> None:
    ann, table = opened
    room, links = table["view"]["room"], table["you"]["links"]
    seen = {}
    for seat, link in (("", links["watch"]), ("?seat=1", links["seats"]["1"])):
        answer = ann.get(f"/r/{room}/qr{seat}")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == picture(link)
        assert link.partition("#")[2] not in answer.text + str(answer.url)
        seen[seat] = answer.content
    assert len(set(seen.values())) == 2


def test_the_picture_has_every_dark_square_of_the_code() -> None:
    code = segno.make("https://box.example/r/abc#key", error="m", micro=False)
    [line] = re.findall(r'd="(M[^"]+)"', picture("https://box.example/r/abc#key").decode())[1:]
    drawn = sum(int(run) for run in re.findall(r"h(\d+)", line))
    assert drawn == sum(sum(row) for row in code.matrix)


@pytest.mark.parametrize("seat", ["0", "7", "-2", "x"])
def test_who_may_not_hand_a_link_on_gets_no_code(
    person: Make, opened: tuple[Person, Any], seat: str
) -> None:
    ann, table = opened
    room = table["view"]["room"]
    bob = person()
    bob.enter(room, table["keys"]["1"])
    refused = bob.get(f"/r/{room}/qr?seat={seat}")
    assert refused.status_code in (400, 403, 422)
    assert person().get(f"/r/{room}/qr?seat=1").status_code == 403
    assert ann.get("/r/nowhere/qr").status_code == 404


def test_a_chat_shows_a_link_without_its_secret(person: Make, opened: tuple[Person, Any]) -> None:
    _, table = opened
    room = table["view"]["room"]
    page = person().get(f"/r/{room}")
    assert page.status_code == 200
    about = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert about.keys() >= {"title", "description", "image"}
    assert re.fullmatch(r"http://testserver/static/icons/full\.png\?v=\w+", about["image"])
    assert person().get(about["image"]).status_code == 200
    for secret in (*table["keys"].values(), "Ann", "Bob", "Classic"):
        assert secret not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
