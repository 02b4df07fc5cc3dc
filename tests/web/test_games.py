"""The games of a device: the tables listed, and the games played at them."""

import re
from html import unescape
from typing import Any
from unittest.mock import AsyncMock

import pytest

from people import Person
from sealed_tables import at_two, play_out
from shutbox.web import limits
from shutbox.web.errors import Full
from shutbox.web.server.services import Server


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
