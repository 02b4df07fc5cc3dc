"""The games of a device: listed, deleted, and the links that lead to its tables."""

import asyncio
import re
from collections.abc import Callable
from html import unescape
from typing import Any
from unittest.mock import AsyncMock

import pytest
import segno
from sqlalchemy import select

from people import Person, cookies_of, path_of
from push_service import Browser
from sealed_tables import at_two, play_out
from shutbox.web import limits
from shutbox.web.errors import Full
from shutbox.web.pages.links import qr_code
from shutbox.web.rooms.access import hashed
from shutbox.web.server.services import Server
from shutbox.web.storage.schema import metadata


def told(person: Person) -> list[dict[str, Any]]:
    answer = person.get("/games/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="shutbox-games.json"'
    tables: list[dict[str, Any]] = answer.json()["tables"]
    return tables


def test_who_has_played_nothing_is_shown_the_way(ann: Person) -> None:
    assert told(ann) == []
    assert "No games yet" in ann.get("/games").text


def test_tables_are_listed_with_their_turns(ann: Person) -> None:
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    scores = [int(ann.play_out(room)["scores"][0]) for room in rooms[:2]]
    ann.post(f"/api/rooms/{rooms[1]}/rematch", game=1)
    scores.append(int(ann.play_out(rooms[1])["scores"][0]))
    tables = told(ann)
    assert [table["room"] for table in tables] == rooms[::-1]
    assert [table["phase"] for table in tables] == ["playing", "over", "over"]
    assert [len(table["turns"]) for table in tables] == [0, 2, 1]
    assert sorted(t["score"] for table in tables for t in table["turns"]) == sorted(scores)
    page = ann.get("/games").text
    assert page.index("Your turn") < page.index("Finished")
    for room in rooms[:2]:
        assert f'href="/r/{room}/review"' in page
    assert f'href="/r/{rooms[2]}"' in page
    assert page.count('class="mini"') == 3
    left = [turn["score"] for table in tables[1:] for turn in table["turns"][-1:]]
    assert re.findall(r"<b>\s*You left ([0-9]+)", page) == [str(n) for n in left if n]
    assert "Your form" not in page, "which takes five turns"
    for position in ("", "", "1.2.3"):  # from there it is practice, and does not count
        room = ann.open(game="classic", position=position)["view"]["room"]
        score = int(ann.play_out(room)["scores"][0])
        scores += [] if position else [score]
    page = ann.get("/games").text
    dots = re.findall(r'<circle class="one(?: gold)?" cx="[0-9.]+" cy="([0-9.]+)"', page)
    assert len(dots) == 10, "once for a wide page and once for a phone"
    assert sorted(dots[:5], key=float) == [dots[scores.index(n)] for n in sorted(scores)]
    assert f"<dd>{sum(scores) / 5:.1f}</dd>" in page


def test_whose_turn_it_is_comes_first_and_no_two_games_look_alike(ann: Person, bob: Person) -> None:
    me = {"who": "me", "name": "Ann"}
    alone = ann.open(game="six", seats=[me])["view"]["room"]
    ann.step(alone, ann.table(alone))
    for throws in (1, 9):
        room = at_two(ann, bob, game="six", format="")
        while throws and (table := ann.table(room))["seat"] == 0:
            ann.step(room, table)
            throws -= 1
    ann.open(game="six", seats=[me, {"who": "link"}])
    cards = re.findall('<a class="run".*?</a>', ann.get("/games").text, re.DOTALL)
    parts = (card.partition("</svg>")[2].partition("<small>")[0] for card in cards)
    heard = (re.sub("<(i|span)[^>]* aria-hidden.*?</\\1>", "", part) for part in parts)
    plain = [re.sub("<[^>]+>|[\u2068\u2069]", "", part) for part in heard]
    heads = ["Your turn, Bob", "Your turn", "A free seat", "Bob to throw"]
    assert [head.strip() for head in plain] == heads
    assert len({re.findall("<svg.*?</svg>", card)[0] for card in cards}) == len(cards)


def test_a_plate_for_each_box_shut_darkens_with_its_age(ann: Person, server: Server) -> None:
    now = [1_790_000_000.0]
    server.rooms.now = lambda: now[0]
    assert 'class="wall"' not in ann.get("/games").text
    for days in (0, 76):
        now[0] += days * 86_400
        seats = [{"who": "me", "name": "Ann"}]
        room = ann.open(game="six", seats=seats, position="1-6", dice="hand")["view"]["room"]
        for number in "654321":
            assert ann.act(room, ann.table(room), "throw", roll=number).status_code == 200
            table = ann.table(room)
            if table["does"] == "choose":
                ann.act(room, table, "choose", choice=number)
        if not days:
            assert 'class="shut-plate shade-0"' in ann.get("/games").text
    page = ann.get("/games").text
    assert re.findall('class="shut-plate shade-([0-9])" href="/r/', page) == ["0", "4"]
    assert page.count('<bdi>Ann</bdi><span aria-hidden="true"> ·</span> 6 throws') == 2
    assert "You shut the box" in page


def test_turns_and_wins_are_those_of_the_players_at_the_device(ann: Person, bob: Person) -> None:
    room = at_two(ann, bob, game="classic", format="rounds=1,order=seats")
    play_out(room, ann, bob)
    winners = ann.table(room)["winners"]
    for who, seat, other in ((ann, 0, "Bob"), (bob, 1, "Ann")):
        [listed] = told(who)
        assert (listed["others"], listed["won"]) == ([other], seat in winners)
        assert [turn["seat"] for turn in listed["turns"]] == [seat]
    seats = [{"who": "me", "name": "Cleo"}, {"who": "here", "name": "Dan"}]
    room = ann.open(game="six", seats=seats, format="rounds=1,order=seats")["view"]["room"]
    assert re.search(r"<b>\s*⁨?(Cleo|Dan)⁩? to throw", ann.get("/games").text)
    winners = ann.play_out(room)["winners"]
    listed = told(ann)[0]
    assert (listed["here"], listed["others"], listed["won"]) == (["Cleo", "Dan"], [], False)
    assert listed["winners"] == [("Cleo", "Dan")[seat] for seat in winners]
    page = re.sub("[⁨⁩]", "", ann.get("/games").text)
    assert f"{' and '.join(listed['winners'])} " in page


def test_a_table_is_worked_out_once_and_the_list_is_bounded(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LISTED_TABLES", 2)
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    do = AsyncMock(wraps=server.pool.do)
    monkeypatch.setattr(server.pool, "do", do)
    for _ in range(2):
        assert [table["room"] for table in told(ann)] == rooms[:0:-1]
    assert [call.args[2] for call in do.await_args_list] == rooms[:0:-1]


def test_a_table_is_listed_even_while_too_much_is_being_worked_out(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann.open(game="classic")
    room = ann.open(game="classic")["view"]["room"]
    ann.play_out(room)
    with monkeypatch.context() as busy:
        full = AsyncMock(side_effect=Full("too much is being worked out just now; try again", 3))
        busy.setattr(server.pool, "do", full)
        table, other = told(ann)
        assert (table["room"], table["turns"], table["counted"]) == (room, [], False)
        assert (other["counted"], full.await_count) == (False, 1)
        page = ann.get("/games").text
        assert f'href="/r/{room}/review"' in page
        assert "not counted yet" in page
    table, _ = told(ann)
    assert (len(table["turns"]), table["counted"]) == (1, True)
    assert "not counted yet" not in ann.get("/games").text


def test_the_first_page_waits_for_no_box_of_the_day(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Play today\u0027s box" in unescape(ann.get("/").text)
    monkeypatch.setattr(limits, "HOME_SECONDS", 0.0)
    assert "Play today\u0027s box" not in unescape(ann.get("/").text)


SEATS = [{"who": "me", "name": "Ann"}, {"who": "link", "name": "Bob"}]


def test_the_code_of_each_link_is_that_of_its_address(ann: Person) -> None:
    table = ann.open(game="classic", seats=SEATS)
    room, links = table["view"]["room"], table["you"]["links"]
    for seat, link in (("", links["watch"]), ("?seat=1", links["seats"]["1"])):
        answer = ann.get(f"/r/{room}/qr{seat}")
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.content == qr_code(link)
        assert link.partition("#")[2] not in answer.text + str(answer.url)
    # The picture has every dark square of the code.
    code = segno.make("https://box.example/r/abc#key", error="m", micro=False)
    [line] = re.findall(r'd="(M[^"]+)"', qr_code("https://box.example/r/abc#key").decode())[1:]
    drawn = sum(int(run) for run in re.findall(r"h(\d+)", line))
    assert drawn == sum(sum(row) for row in code.matrix)


def test_a_chat_shows_a_link_without_its_secret_and_only_who_invites(
    ann: Person, bob: Person, person: Callable[[], Person]
) -> None:
    table = ann.open(game="classic", seats=[*SEATS, {"who": "link", "name": "Cleo"}])
    room, stranger = table["view"]["room"], person()
    bob.enter(room, table["keys"]["1"], "Bob")
    page = stranger.get(f"/r/{room}")
    assert page.status_code == 200
    about = dict(re.findall(r'<meta property="og:(\w+)" content="([^"]*)">', page.text))
    assert about.keys() >= {"title", "description", "image"}
    assert re.fullmatch(r"http://testserver/static/icons/full\.png\?v=\w+", about["image"])
    assert stranger.get(about["image"]).status_code == 200
    assert about["title"] == "Ann invites you to Shut the Box"
    assert about["description"].startswith("Classic: One round. A chair is free.")
    for secret in (*table["keys"].values(), "Bob", "Cleo"):
        assert secret not in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    for id, says in (
        (room[:9], "This link is missing its end."),
        (room[:-1] + "0", "There is no such table."),
    ):
        answer = stranger.get(f"/r/{id}")
        assert (answer.status_code, says in answer.text) == (404, True)
    ann.post(path_of(room, "stand-in"), seat=2)
    assert "Ann" not in stranger.get(f"/r/{room}").text, "nobody is invited any more"


def delete(person: Person) -> str:
    """What the page says once the data is deleted; the cookie is gone with it."""
    assert 'action="/games/delete"' in person.get("/games/delete").text
    answer = person.client.post("/games/delete", data={})
    assert answer.status_code == 200
    assert "device" not in person.client.cookies
    return str(answer.text)


def test_nothing_about_the_device_is_left(ann: Person, bob: Person, server: Server) -> None:
    room = ann.open(game="classic")["view"]["room"]
    today = ann.post("/api/today").json()["view"]["room"]
    assert ann.client.post("/games/link", data={}).status_code == 200
    found = Browser().subscribed("https://updates.push.services.mozilla.com/wpush/v2/ann")
    keys = {"endpoint": found.endpoint, "p256dh": found.key, "auth": found.auth}
    assert ann.post("/api/push", **keys).status_code == 200
    theirs, shared = bob.open(game="classic")["view"]["room"], at_two(ann, bob)
    cookies, device = cookies_of(ann.client), hashed(ann.client.cookies["device"])

    def tables_with_it() -> set[str]:
        """The tables of the database with a row about this device."""
        tables = [table for table in metadata.sorted_tables if "device" in table.c]
        rows = server.database.rows
        return {t.name for t in tables if rows(select(t).where(t.c.device == device))}

    assert tables_with_it() == {"grants", "tries", "handovers", "subscriptions"}
    assert "Your data is deleted" in delete(ann)
    assert tables_with_it() == set()
    for table in metadata.sorted_tables:
        if "room" in table.c:
            left = {row.room for row in server.database.rows(select(table.c.room))}
            assert left <= {theirs, shared, None}, table.name
    assert not {room, today} & set(asyncio.run(server.log.rooms_of(device, 9)))
    for path in (path_of(theirs), path_of(shared)):
        assert bob.get(path).status_code == 200
    assert ann.get(path_of(shared), headers=cookies).status_code == 403, "the cookie of before"
    assert "No games yet" in ann.client.post("/games/link", data={}).text


def test_the_newest_tables_are_deleted_up_to_a_bound(
    ann: Person, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LISTED_TABLES", 1)
    monkeypatch.setattr(limits, "MOST_FORGOTTEN", 2)
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    device = hashed(ann.client.cookies["device"])
    delete(ann)
    assert asyncio.run(server.log.rooms_of(device, 9)) == [rooms[0]]
