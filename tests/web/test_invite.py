"""Invitations: the QR code of a link, and its preview in a chat."""

import re
from collections.abc import Callable
from typing import Any

import pytest
import segno

from people import Person, refusal
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


def test_one_link_gives_the_lowest_free_seat_until_none_is_free(person: Make) -> None:
    ann, room, key = gathering(person, FRIENDS)
    bob, cid, eve = person(), person(), person()
    link = invitation(ann, room)
    assert (link or "").endswith(f"#{key}")
    assert bob.enter(room, key, "Bob").json()["seat"] == 1
    assert invitation(ann, room) == link
    assert cid.enter(room, key, "Cid").json()["seat"] == 2
    assert invitation(ann, room) is None
    before = ann.get(f"/api/rooms/{room}").json()["view"]["number"]
    for name in ("Eve", None):
        refused = eve.enter(room, key, name)
        assert refusal(refused) == (403, "no-free-seat")
    assert "the last seat has just been taken" in refused.text.lower()
    view = ann.get(f"/api/rooms/{room}").json()["view"]
    assert (view["phase"], view["number"]) == ("playing", before)


def test_whoever_sits_at_the_table_takes_no_second_seat_by_the_invitation(person: Make) -> None:
    ann, room, key = gathering(person, FRIENDS)
    bob = person()
    bob.enter(room, key, "Bob")
    for who, seat in ((ann, 0), (bob, 1)):
        for name in (None, "Another"):
            again = who.enter(room, key, name).json()
            assert (again["seat"], again["you"]["seats"]) == (seat, [seat])
        own = {"authorization": f"Bearer {again['key']}"}
        mine = person().get(f"/api/rooms/{room}", headers=own).json()
        assert mine["you"]["seats"] == [seat]
    assert [seat["state"] for seat in mine["view"]["seats"]] == ["taken", "taken", "free"]


def test_a_host_who_is_not_known_any_more_is_asked_before_taking_a_seat(person: Make) -> None:
    _, room, key = gathering(person, FRIENDS)
    forgotten = person()
    asked = forgotten.enter(room, key)
    assert refusal(asked) == (422, "name-needed")
    # Nobody knows yet which of two seats it will be.
    assert asked.json()["invites"] == {**asked.json()["invites"], "players": ["Ann"], "name": ""}
    assert refusal(forgotten.enter(room, key, "Ann")) == (422, "bad-name")
    states = [seat.taken for seat in room_of(person, room)]
    assert states == [True, False, False]


def room_of(person: Make, room: str) -> Any:
    server = person().client.app.state.server  # type: ignore[attr-defined]
    return server.rooms.cached_room(room).room.seats


def test_an_invitation_that_is_asked_again_with_the_same_id_has_the_same_seat(
    person: Make,
) -> None:
    _, room, key = gathering(person, FRIENDS)
    lost, back = person(), person()
    asked = {"key": key, "name": "Bob", "action": "the-same-invitation"}
    first = lost.post(f"/api/rooms/{room}/enter", **asked).json()
    person().enter(room, key, "Cid")
    again = back.post(f"/api/rooms/{room}/enter", **asked).json()
    assert (again["seat"], again["key"]) == (first["seat"], first["key"]) == (1, first["key"])
    assert back.get(f"/api/rooms/{room}").json()["you"]["seats"] == [1]


def test_a_friend_gets_the_seat_of_that_name(person: Make) -> None:
    named = [SEATS[0], {"who": "link", "name": "Bob"}, {"who": "link", "name": "Cleo"}]
    _, room, key = gathering(person, named)
    cleo, bob = person(), person()
    assert cleo.enter(room, key, "cleo").json()["seat"] == 2
    assert bob.enter(room, key).json()["invites"]["name"] == "Bob"
    assert bob.enter(room, key, "Rob").json()["seat"] == 1


def test_a_seat_that_is_kept_for_a_friend_is_the_last_to_be_taken_by_others(person: Make) -> None:
    seats = [SEATS[0], {"who": "link", "name": "Bob"}, {"who": "link"}]
    _, room, key = gathering(person, seats)
    assert person().enter(room, key, "Zed").json()["seat"] == 2
    assert person().enter(room, key, "Bob").json()["seat"] == 1


def test_the_invitation_gives_nothing_but_a_seat(person: Make) -> None:
    ann, room, key = gathering(person, FRIENDS)
    path = f"/api/rooms/{room}"
    before = ann.get(path).json()["view"]["number"]
    bearer = {"authorization": f"Bearer {key}"}
    body = {"action": "by-the-invitation", "seat": 1}
    for address in (path, f"{path}/events", f"/r/{room}/qr", f"/r/{room}/qr?seat=free"):
        assert person().get(address, headers=bearer).status_code == 403
    for what in ("leave", "come-back", "stand-in", "renew"):
        refused = person().client.post(f"{path}/{what}", json=body, headers=bearer)
        assert refused.status_code == 403, what
    assert ann.get(path).json()["view"]["number"] == before


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


@pytest.mark.parametrize("seat", [1, 2])
def test_a_link_that_is_made_anew_makes_the_invitation_anew(person: Make, seat: int) -> None:
    ann, room, key = gathering(person, FRIENDS)
    assert ann.post(f"/api/rooms/{room}/renew", seat=seat).status_code == 200
    link = (invitation(ann, room) or "").partition("#")[2]
    assert link not in ("", key)
    bob = person()
    assert refusal(bob.enter(room, key, "Bob")) == (403, "not-allowed")
    assert bob.enter(room, link, "Bob").json()["seat"] == 1
    # The link of a seat that is taken has nothing to do with it.
    ann.post(f"/api/rooms/{room}/renew", seat=0)
    bob.post(f"/api/rooms/{room}/renew", seat=1)
    assert (invitation(ann, room) or "").endswith(f"#{link}")


def test_a_computer_player_in_the_last_free_seat_ends_the_invitation(person: Make) -> None:
    ann, room, key = gathering(person, FRIENDS)
    bob = person()
    bob.enter(room, key, "Bob")
    assert ann.post(f"/api/rooms/{room}/leave", seat=0).status_code == 200
    # A seat that somebody has left is not free: its player may come back.
    assert (invitation(ann, room) or "").endswith(f"#{key}")
    assert ann.post(f"/api/rooms/{room}/stand-in", seat=2).status_code == 200
    assert invitation(ann, room) is None
    assert refusal(person().enter(room, key, "Eve")) == (403, "no-free-seat")
