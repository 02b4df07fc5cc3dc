"""Reviews and verdicts: one account, moments with addresses, and what a hint recommends."""

import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from typing import Any

import msgspec
import pytest

import shutbox
from nightly import one_in
from people import Person
from shutbox import find
from shutbox.engine.dice import Roll
from shutbox.engine.game import Choose
from shutbox.solving.review.report import SeatVerdict, Verdict
from shutbox.table.bots import bot
from shutbox.table.lookup import find_position
from shutbox.web.actions import reviews
from shutbox.web.actions.accounts import account
from shutbox.web.compute.tasks import can_advise, hint
from shutbox.web.pages.review import ShownReview
from shutbox.web.rooms.shapes import encode
from web.test_positions import words


def played(ann: Person, seed: int, **room: Any) -> str:
    """A room whose game was played to its end, with choices by chance."""
    opened = ann.open(**{"game": "classic", "seats": [{"who": "me", "name": "Ann"}], **room})
    id: str = opened["view"]["room"]
    ann.play_out(id, random.Random(seed))
    return id


def moments(ann: Person, room: str) -> list[reviews.ReviewStep]:
    """The steps that cost something, the costliest first."""
    found = reviews.review_record(ann.get(f"/api/rooms/{room}/record").content)
    return sorted((step for step in found.steps if step.cost), key=lambda step: -step.cost)


def figures(page: str) -> list[str]:
    """The rows of the account, in words."""
    return re.findall(r'<span class="away">([^<]*: [^<]* expected[^<]*)</span></li>', page)


def test_every_moment_has_its_page(ann: Person) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = played(ann, 4, seats=seats, format="rounds=3")
    costly = moments(ann, room)[:3]
    assert len(costly) == 3
    for number, step in enumerate(costly, start=1):
        page = ann.get(f"/r/{room}/review?moment={number}").text
        [now] = re.findall(r'<a class="moment"[^>]*moment=(\d)"[^>]* aria-current="true"', page)
        assert now == str(number)
        [move] = [move for move in step.moves if move.cost]
        board = page[page.index('id="moment"') : page.index('id="because"')]
        game, here = find_position(move.position)
        scene = game.scene(here)
        assert f'<p class="away">{scene.board} {scene.dice}</p>' in board  # and no picture is read
        takes = {offer.text: set(offer.takes) for offer in scene.offers}
        tiles = re.findall(r'data-key="([^"]*)"(.*?)</li>', board, re.S)
        best = {key for key, inside in tiles if " data-best>" in inside}
        chosen = {key for key, inside in tiles if "yourtag" in inside}
        assert (best, chosen) == (takes[move.best or ""], takes[move.choice])
        assert board.count('<span class="die" data-state="lying"') == len(step.faces)
        [because] = re.findall(r'id="because" aria-live="polite">([^<]*)<', page)
        assert unescape(because) == move.why[1]
        assert f"{'Ann' if step.seat == 0 else 'Bob'} chose {move.says}: " in because
    last = ann.get(f"/r/{room}/review?moment=999").text  # the nearest one
    assert re.search(r'data-moment="3" aria-current', last)
    assert ann.get(f"/r/{room}/review?moment=x").status_code == 400
    page = words(ann.get(f"/r/{ann.played(99, game='lucky-seven')}/review").text)
    for says in ("You made no mistake", "Every choice was best."):
        assert says in page
    assert "Next moment" not in page


def test_a_moment_is_tried_again_at_a_table_of_ones_own(ann: Person) -> None:
    rooms = (played(ann, seed) for seed in range(20))
    room = next(room for room in rooms if moments(ann, room))
    worst = moments(ann, room)[0]
    page = ann.get(f"/r/{room}/review").text
    form = page[page.index('<form id="try"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)[:2])
    again = ann.send_form("/play", fields).headers["location"].removeprefix("/r/")
    begun = ann.table(again)
    [move] = [move for move in worst.moves if move.cost]
    game, here = find_position(move.position)
    scene = game.scene(here)
    assert (begun["does"], begun["board"], begun["dice"]) == ("choose", scene.board, scene.dice)
    ann.play_out(again, random.Random(1))
    record = ann.get(f"/api/rooms/{again}/record").content
    start = move.position.partition(":")[2]
    assert f"\nposition {start}\n".encode() in record
    # It is reviewed from there on, and another game begins there once more.
    [seat] = shutbox.review(record).seats
    assert seat.start == shutbox.solve("classic").value(start)
    [row] = ann.get(f"/api/rooms/{again}/verdict").json()["account"]["rows"]
    assert figures(ann.get(f"/r/{again}/review").text) == [row["spoken"]]
    assert ann.post(f"/api/rooms/{again}/rematch", game=1).status_code == 200
    assert ann.table(again)["board"] == scene.board


@pytest.mark.parametrize("game", one_in(4, ["cargo", "double-shutter", "thai-style", "two-to-go"]))
def test_other_games_are_reviewed(ann: Person, game: str) -> None:
    room = played(ann, 1, game=game)
    page = ann.get(f"/r/{room}/review")
    assert page.status_code == 200, words(page.text)
    for number in set(re.findall(r'data-moment="(\d+)"', page.text)):
        assert ann.get(f"/r/{room}/review?moment={number}").status_code == 200


def test_programs_get_the_figures_of_the_page(ann: Person) -> None:
    for about in ({}, {"game": "six", "seats": [{"who": "me"}] * 2}):
        room = played(ann, 5, **about)
        record = ann.get(f"/api/rooms/{room}/record").content
        found = ann.get(f"/api/rooms/{room}/review?game=1").json()
        assert found == json.loads(encode(reviews.review_record(record)))
        sent = ann.client.post("/api/review", content=record, headers={"content-type": PLAIN})
        assert sent.json() == found
        review = msgspec.convert(found, reviews.ReviewView)
        page = unescape(ann.get(f"/r/{room}/review").text)
        moments = ShownReview(review, None, () if about else (0,)).moments
        assert all(moment.because in page for moment in moments)


PLAIN = "text/plain"


def test_the_games_before_are_reviewed_while_another_is_played(ann: Person) -> None:
    room = played(ann, 2)
    first = ann.get(f"/r/{room}/review").text
    assert ann.post(f"/api/rooms/{room}/rematch", game=1).status_code == 200
    assert "not over yet" in words(ann.get(f"/r/{room}/review").text)
    again = ann.get(f"/r/{room}/review?game=1")
    assert again.status_code == 200
    assert figures(again.text) == figures(first)
    assert ann.get(f"/r/{room}/review?game=9").status_code == 404


def test_a_record_that_is_sent_is_reviewed_step_by_step(ann: Person) -> None:
    rooms = (played(ann, seed) for seed in range(20))
    room = next(room for room in rooms if len(moments(ann, room)) > 1)
    record = ann.get(f"/api/rooms/{room}/record").content
    page = ann.client.post("/review", files={"record": ("game.shutbox", record)}).text
    own = figures(ann.get(f"/r/{room}/review").text)
    assert figures(page) == [row.replace("You:", "Ann:") for row in own]
    # Each moment sends the text that the page holds, with the line ends of forms.
    held = re.search(r'<textarea name="text"[^>]*>\n(.*?)</textarea>', page, re.DOTALL)
    assert held is not None
    text = unescape(held[1])
    assert text.encode() == record
    for moment, shows in (
        ("2", 'value="2" data-moment="2" aria-current'),
        ("watch", 'id="slider"'),
    ):
        files = {"text": (None, text.replace("\n", "\r\n")), "moment": (None, moment)}
        second = ann.client.post("/review", files=files)
        assert shows in second.text
        assert 'id="again"' in second.text
    for data in (b"no record", b""):
        refused = ann.client.post("/review", files={"record": ("game.shutbox", data)})
        assert refused.status_code == 422
        assert len(words(refused.text).split()) > 4
    part = '--x\r\nContent-Disposition: form-data; name="record"; filename=""\r\n\r\n\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    refused = ann.client.post("/review", content=part.encode(), headers=headers)
    assert "no file was sent" in words(refused.text).lower()


def test_a_game_that_is_not_judged_is_watched(ann: Person) -> None:
    """While it is played, or where it takes too long; the words say why."""

    def events_of(page: str) -> Any:
        [found] = re.findall(r'<script type="application/json" id="boot">(.*?)</script>', page)
        return json.loads(found)["steps"]

    page = ann.get(f"/r/{ann.played(1)}/review").text
    events = events_of(page)
    assert len(events) == 2
    assert all(" ".join(event["says"]) in words(page) for event in events)
    assert len(events_of(ann.get(f"/r/{played(ann, 3)}/review?watch=1").text)) > 2
    record = ann.get(f"/api/rooms/{ann.played(1, game='tray')}/record").content
    page = ann.client.post("/review", files={"record": ("tray.shutbox", record)}).text
    assert "Tray has no score" in words(page)
    assert len(events_of(page)) == 2


def test_where_no_box_is_solved_the_careful_player_advises() -> None:
    game = find("the-300")
    assert not can_advise(game)
    for roll in ((1, 2, 3, 4), (1, 1, 5, 6), (6, 6, 6, 6)):
        position = game.rolled(game.start(), Roll(roll))
        awaited = game.awaits(position)
        assert isinstance(awaited, Choose)
        careful = bot("careful").pick(game, position, awaited.choices)
        assert hint(game, position, "explained").choice == game.choice_text(careful)


def verdict(person: Person, room: str) -> dict[str, Any]:
    response = person.get(f"/api/rooms/{room}/verdict")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def test_an_account_of_the_win_is_in_percent() -> None:
    """What others did is luck, too: the figures of a row add up."""
    seats = (
        SeatVerdict(0, "Ann", 50.0, 20.0, -3.0, 33.0, 100.0, 1, None),
        SeatVerdict(1, "Bob", 50.0, -30.0, -3.0, -17.0, 0.0, 1, None),
    )
    found = account(Verdict("share", False, seats, (), (0,)), (0,))
    ann, bob = found.rows
    assert (found.perfect, found.most, found.least) == ("50.0\u00a0%", "of the win", "")
    assert (ann.name, ann.mistakes, ann.luck, ann.result) == ("You", "3.0", "53.0", "100\u00a0%")
    assert (bob.perfect, bob.end) == (ann.perfect, 0)
    assert (found.heading, found.says[-1]) == ("You had 50.0 % more luck", "You win.")


def test_what_was_taken_back_is_judged_anew(ann: Person) -> None:
    table: dict[str, Any] = {"does": "over"}
    while table["does"] != "choose":
        room = ann.played(1, game="cargo(hold=each)")
        table = ann.table(room)
    assert ann.act(room, table, "choose", choice="accept").status_code == 200
    first = verdict(ann, room)["verdict"]["seats"]
    assert ann.act(room, ann.table(room), "take-back", seat=0).status_code == 200
    assert verdict(ann, room)["verdict"] is None
    table = ann.table(room)
    again = next(offer["text"] for offer in table["offers"] if offer["text"] != "accept")
    assert ann.act(room, table, "choose", choice=again).status_code == 200
    scores = ann.play_out(room)["scores"]
    second = verdict(ann, room)["verdict"]["seats"]
    assert second[0]["result"] == int(scores[0])
    assert second != first


@pytest.mark.parametrize("seats", [1, 2])
def test_table_and_review_draw_one_account_without_script(ann: Person, seats: int) -> None:
    room = ann.open(game="six", seats=[{"who": "me"}, {"who": "here"}][:seats])["view"]["room"]
    ann.play_out(room)
    assert f'href="/r/{room}/verdict"' in ann.get(f"/r/{room}").text
    found = verdict(ann, room)["account"]
    drawn = []
    for page in ("verdict", "review"):
        text = ann.get(f"/r/{room}/{page}").text
        drawn.append(text[text.index('<ul class="duel">') : text.index('<p class="legend"')])
        assert found["heading"] in text
        assert " ".join(found["says"]) in text
    assert drawn[0] == drawn[1]
    for row in found["rows"]:
        assert row["spoken"] in drawn[0]
        assert f'<circle class="ring" cx="{100 * row["play"]:.2f}%"' in drawn[0]


def test_pages_that_need_one_verdict_at_once_share_it(ann: Person) -> None:
    room = ann.open(game="classic(tiles=1-8)")["view"]["room"]
    ann.play_out(room)
    with ThreadPoolExecutor(3) as pool:
        found = [*pool.map(lambda _: verdict(ann, room), range(3))]
    assert found == found[:1] * 3
