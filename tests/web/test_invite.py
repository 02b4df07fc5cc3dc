"""Invitations: the QR code of a link, and its preview in a chat."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import segno

from people import Person
from shutbox.web.pages.links import picture

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


def test_a_chat_shows_a_link_without_its_secret(person: Make, opened: tuple[Person, Any]) -> None:
    _, table = opened
    room = table["view"]["room"]
    page = person().get(f"/r/{room}")
    assert page.status_code == 200
    about = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert about.keys() >= {"title", "description", "image"}
    assert re.fullmatch(r"http://testserver/static/icons/full\.png\?v=\w+", about["image"])
    assert person().get(about["image"]).status_code == 200
    assert about["title"] == "Ann invites you to Shut the Box"
    assert about["description"].startswith("Classic: One round. A chair is free.")
    for secret in (*table["keys"].values(), "Bob"):
        assert secret not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    cut, gone = (person().get(f"/r/{id}") for id in (room[:9], room[:-1] + "0"))
    assert cut.status_code == gone.status_code == 404
    assert "This link is missing its end." in cut.text
    assert "There is no such table." in gone.text


# One link for all friends
