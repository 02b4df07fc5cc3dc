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
    assert about["title"] == "Ann invites you to Shut the Box"
    assert about["description"].startswith("Classic: One round. A chair is free.")
    for secret in (*table["keys"].values(), "Bob"):
        assert secret not in page.text
    assert page.headers["x-robots-tag"] == "noindex"


# One link for all friends

FRIENDS = [{"who": "me", "name": "Ann"}, {"who": "link"}, {"who": "link"}]


def invitation(person: Person, room: str) -> str | None:
    """The link by which friends of this person come to a free seat."""
    link: str | None = person.get(f"/api/rooms/{room}").json()["you"]["links"]["join"]
    return link


def gathering(person: Make, seats: list[dict[str, str]]) -> tuple[Person, str, str]:
    """Somebody who has opened a table, its id, and the key of the invitation to it."""
    ann = person()
    opened = ann.open(game="classic", seats=seats)
    room = opened["view"]["room"]
    address, _, key = opened["you"]["links"]["join"].partition("#")
    assert address == f"http://testserver/r/{room}"
    assert key not in opened["keys"].values()
    return ann, room, key


def test_only_the_host_is_told_the_invitation(
    person: Make, capsys: pytest.CaptureFixture[str]
) -> None:
    ann, room, key = gathering(person, FRIENDS)
    bob, eve, stranger = person(), person(), person()
    bob.enter(room, key, "Bob")
    watch = ann.get(f"/api/rooms/{room}").json()["you"]["links"]["watch"]
    eve.enter(room, watch.partition("#")[2])
    for who in (bob, eve, stranger):
        for address in (f"/r/{room}", f"/api/rooms/{room}", "/", "/games"):
            answer = who.get(address)
            assert key not in f"{answer.text} {answer.headers}", address
        assert who.get(f"/r/{room}/qr?seat=free").status_code == 403
    drawn = ann.get(f"/r/{room}/qr?seat=free")
    assert drawn.content == picture(invitation(ann, room) or "")
    assert key in ann.get(f"/r/{room}").text
    logged = capsys.readouterr().out
    assert "/api/rooms/{room}/enter" in logged
    assert key not in logged
