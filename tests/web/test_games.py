"""The games of a device: the tables listed, and the games played at them."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest

from people import Person
from shutbox.web import limits
from shutbox.web.errors import Full
from web.test_friends import at_two, played_out

Make = Callable[[], Person]


def told(person: Person) -> dict[str, Any]:
    answer = person.get("/games/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="shutbox-games.json"'
    about: dict[str, Any] = answer.json()
    return about


def test_who_has_played_nothing_is_shown_the_way(person: Make) -> None:
    ann = person()
    assert told(ann) == {"tables": []}
    assert "No games yet" in ann.get("/games").text


def test_tables_are_listed_with_their_turns(person: Make) -> None:
    ann = person()
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    scores = []
    for room in rooms[:2]:
        table = ann.play_out(room)
        scores.append(int(table["scores"][0]))
    ann.post(f"/api/rooms/{rooms[1]}/rematch", game=1)
    scores.append(int(ann.play_out(rooms[1])["scores"][0]))
    about = told(ann)
    assert [table["room"] for table in about["tables"]] == rooms[::-1]
    assert [table["phase"] for table in about["tables"]] == ["playing", "over", "over"]
    assert [len(table["turns"]) for table in about["tables"]] == [0, 2, 1]
    turns = [turn for table in about["tables"] for turn in table["turns"]]
    assert sorted(turn["score"] for turn in turns) == sorted(scores)
    page = ann.get("/games").text
    assert page.index("Your turn") < page.index("Finished")
    for room in rooms[:2]:
        assert f'href="/r/{room}/review"' in page
    assert f'href="/r/{rooms[2]}"' in page
    assert page.count('class="mini"') == 3
    left = [turn["score"] for table in about["tables"][1:] for turn in table["turns"][-1:]]
    assert re.findall(r"<b>\s*You left ([0-9]+)", page) == [str(n) for n in left if n]
    assert "Your form" not in page, "which takes five turns"
    for _ in range(2):
        again = ann.open(game="classic")["view"]["room"]
        scores.append(int(ann.play_out(again)["scores"][0]))
    page = ann.get("/games").text
    dots = re.findall(r'<circle class="one(?: gold)?" cx="[0-9.]+" cy="([0-9.]+)"', page)
    assert len(dots) == 10, "once for a wide page and once for a phone"
    assert sorted(dots[:5], key=float) == [dots[scores.index(n)] for n in sorted(scores)]
    assert f"<dd>{sum(scores) / 5:.1f}</dd>" in page


def test_whose_turn_it_is_comes_first_and_no_two_games_look_alike(person: Make) -> None:
    ann, bob, me = person(), person(), {"who": "me", "name": "Ann"}
    alone = ann.open(game="six", seats=[me])["view"]["room"]
    ann.step(alone, ann.table(alone))
    for throws in (1, 9):
        opened = ann.open(game="six", seats=[me, {"who": "link", "name": "Bob"}])
        room = opened["view"]["room"]
        bob.enter(room, opened["keys"]["1"], "Bob")
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


def test_a_plate_for_each_box_shut_darkens_with_its_age(
    person: Make, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, now = person(), [1_790_000_000.0]
    monkeypatch.setattr(server.rooms, "now", lambda: now[0])
    seats = [{"who": "me", "name": "Ann"}]
    assert 'class="wall"' not in ann.get("/games").text
    for days in (0, 76):
        now[0] += days * 86_400
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


def test_only_turns_of_ones_own_count(person: Make) -> None:
    ann, bob, room = at_two(person, format="rounds=1,order=seats")
    table = played_out(ann, bob, room)
    for who, seat, other in ((ann, 0, "Bob"), (bob, 1, "Ann")):
        [listed] = told(who)["tables"]
        assert listed["others"] == [other]
        assert [turn["seat"] for turn in listed["turns"]] == [seat]
        assert listed["won"] == (seat in table["winners"])
    assert told(person())["tables"] == []


def test_a_table_from_the_usual_start_counts(person: Make) -> None:
    ann = person()
    for position in ("1-6", "2-6"):
        ann.play_out(ann.open(game="six", position=position)["view"]["room"])
    assert [len(table["turns"]) for table in told(ann)["tables"]] == [0, 1]


def test_who_plays_on_one_device_is_named_and_so_is_who_won(person: Make) -> None:
    ann = person()
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = ann.open(game="classic", seats=seats, format="rounds=1,order=seats")["view"]["room"]
    assert re.search(r"<b>\s*⁨?(Ann|Bob)⁩? to throw", ann.get("/games").text)
    table = ann.play_out(room)
    [listed] = told(ann)["tables"]
    assert (listed["here"], listed["others"], listed["won"]) == (["Ann", "Bob"], [], False)
    assert listed["winners"] == [("Ann", "Bob")[seat] for seat in table["winners"]]
    page = re.sub("[⁨⁩]", "", ann.get("/games").text)
    assert f"{' and '.join(listed['winners'])} " in page


def test_a_table_is_worked_out_once_and_the_list_is_bounded(
    person: Make, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "MOST_LISTED_TABLES", 2)
    ann = person()
    rooms = [ann.open(game="classic")["view"]["room"] for _ in range(3)]
    asked = []
    pool_do = server.pool.do

    async def counted(who: str, task: Any, *about: Any, **how: Any) -> Any:
        asked.append(about[0])
        return await pool_do(who, task, *about, **how)

    monkeypatch.setattr(server.pool, "do", counted)
    for _ in range(2):
        assert [table["room"] for table in told(ann)["tables"]] == rooms[:0:-1]
    assert asked == rooms[:0:-1]


def test_a_table_is_listed_even_while_too_much_is_being_worked_out(
    person: Make, server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann, asked = person(), []
    ann.open(game="classic")
    room = ann.open(game="classic")["view"]["room"]
    ann.play_out(room)

    async def full(*about: Any, **how: Any) -> Any:
        asked.append(about)
        raise Full("too much is being worked out just now; try again", 3)

    with monkeypatch.context() as busy:
        busy.setattr(server.pool, "do", full)
        table, other = told(ann)["tables"]
        assert (table["room"], table["turns"], table["counted"]) == (room, [], False)
        assert (other["counted"], len(asked)) == (False, 1)
        page = ann.get("/games").text
        assert f'href="/r/{room}/review"' in page
        assert "not counted yet" in page
    table, _ = told(ann)["tables"]
    assert (len(table["turns"]), table["counted"]) == (1, True)
    assert "not counted yet" not in ann.get("/games").text


def test_the_first_page_waits_for_no_box_of_the_day(
    ann: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Play today\u0027s box" in unescape(ann.get("/").text)
    monkeypatch.setattr(limits, "HOME_SECONDS", 0.0)
    assert "Play today\u0027s box" not in unescape(ann.get("/").text)
