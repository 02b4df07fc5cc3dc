"""The review of a table's game: one account, moments with addresses, and permissions."""

import json
import random
import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from html import unescape
from typing import Any

import msgspec
import pytest

import shutbox
from nightly import one_in
from people import Person
from shutbox.solving.review.report import Verdict, seat_verdict
from shutbox.table.lookup import find_position
from shutbox.web.actions import reviews
from shutbox.web.actions.accounts import account
from shutbox.web.pages.review import ShownReview
from shutbox.web.rooms.shapes import encode
from web.test_positions import words


def played(ann: Person, seed: int, **room: Any) -> str:
    """A room whose game was played to its end, with choices by chance."""
    opened = ann.open(**{"game": "classic", "seats": [{"who": "me", "name": "Ann"}], **room})
    id: str = opened["view"]["room"]
    ann.play_out(id, random.Random(seed))
    return id


def figures(page: str) -> list[str]:
    """The rows of the account, in words."""
    return re.findall(r'<span class="away">([^<]*: [^<]* expected[^<]*)</span></li>', page)


def test_a_half_is_rounded_as_at_the_table(ann: Person) -> None:
    record = ann.get(f"/api/rooms/{played(ann, 7)}/record").content
    review = shutbox.review(record)
    [seat] = review.seats
    planted = replace(seat, start=Fraction(45, 4), cost=Fraction(3), result=Fraction(14))
    verdict = seat_verdict(replace(review, seats=(planted,)), 0)
    found = account(Verdict("points", True, (verdict,), ()))
    assert (found.perfect, found.rows[0].luck, found.rows[0].mistakes) == ("11.3", "0.3", "3.0")


def test_every_moment_has_its_page(ann: Person) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = played(ann, 4, seats=seats, format="rounds=3")
    found = reviews.review_record(ann.get(f"/api/rooms/{room}/record").content)
    costly = sorted((step for step in found.steps if step.cost), key=lambda step: -step.cost)[:3]
    assert len(costly) == 3
    assert ShownReview(replace(found, steps=())).moments == []
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


def test_where_every_choice_was_best_there_is_no_moment(ann: Person) -> None:
    room = ann.open(game="lucky-seven")["view"]["room"]
    ann.play_out(room)
    page = words(ann.get(f"/r/{room}/review").text)
    assert "You made no mistake" in page
    assert "Every choice was best." in page
    assert "Next moment" not in page


def test_a_moment_is_tried_again_at_a_table_of_ones_own(ann: Person) -> None:
    room = played(ann, 7)
    found = reviews.review_record(ann.get(f"/api/rooms/{room}/record").content)
    worst = max(found.steps, key=lambda step: (step.cost, -step.number))
    page = ann.get(f"/r/{room}/review").text
    form = page[page.index('<form id="try"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form)[:2])
    opened = ann.client.post("/play", data=fields, follow_redirects=False)
    assert opened.status_code == 303
    again = opened.headers["location"].removeprefix("/r/")
    begun = ann.table(again)
    [move] = [move for move in worst.moves if move.cost]
    game, here = find_position(move.position)
    scene = game.scene(here)
    assert (begun["does"], begun["board"], begun["dice"]) == ("choose", scene.board, scene.dice)
    ann.play_out(again, random.Random(1))
    record = ann.get(f"/api/rooms/{again}/record").content
    assert f"\nposition {move.position.partition(':')[2]}\n".encode() in record
    # It is reviewed from there on, and another game begins there once more.
    [seat] = shutbox.review(record).seats
    assert seat.start == shutbox.solve("classic").value(move.position.partition(":")[2])
    judged = ann.get(f"/api/rooms/{again}/verdict").json()
    [row] = judged["account"]["rows"]
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


@pytest.mark.parametrize("about", [{}, {"game": "six", "seats": [{"who": "me"}] * 2}])
def test_programs_get_the_figures_of_the_page(ann: Person, about: dict[str, Any]) -> None:
    room = played(ann, 5, **about)
    record = ann.get(f"/api/rooms/{room}/record").content
    answer = ann.get(f"/api/rooms/{room}/review?game=1")
    assert answer.status_code == 200
    found = answer.json()
    assert found == json.loads(encode(reviews.review_record(record)))
    sent = ann.client.post("/api/review", content=record, headers={"content-type": "text/plain"})
    assert sent.json() == found
    review = msgspec.convert(found, reviews.ReviewView)
    page = unescape(ann.get(f"/r/{room}/review").text)
    assert all(
        moment.because in page
        for moment in ShownReview(review, None, (0,) * bool(not about)).moments
    )


def test_the_games_before_are_reviewed_while_another_is_played(
    person: Callable[[], Person],
) -> None:
    ann = person()
    room = played(ann, 2)
    first = ann.get(f"/r/{room}/review").text
    assert ann.post(f"/api/rooms/{room}/rematch", game=1).status_code == 200
    assert "not over yet" in words(ann.get(f"/r/{room}/review").text)
    again = ann.get(f"/r/{room}/review?game=1")
    assert again.status_code == 200
    assert figures(again.text) == figures(first)
    assert ann.get(f"/r/{room}/review?game=9").status_code == 404


def test_a_record_that_is_sent_is_reviewed_step_by_step(ann: Person) -> None:
    room = played(ann, 7)
    record = ann.get(f"/api/rooms/{room}/record").content
    page = ann.client.post("/review", files={"record": ("game.shutbox", record)})
    assert page.status_code == 200
    own = figures(ann.get(f"/r/{room}/review").text)
    assert figures(page.text) == [row.replace("You:", "Ann:") for row in own]
    # Each moment sends the text that the page holds, with the line ends of forms.
    held = re.search(r'<textarea name="text"[^>]*>\n(.*?)</textarea>', page.text, re.DOTALL)
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


def test_what_is_no_record_is_refused_in_words(ann: Person) -> None:
    for data, status in ((b"no record", 422), (b"", 422)):
        refused = ann.client.post("/review", files={"record": ("game.shutbox", data)})
        assert refused.status_code == status
        assert len(words(refused.text).split()) > 4
    part = '--x\r\nContent-Disposition: form-data; name="record"; filename=""\r\n\r\n\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    refused = ann.client.post("/review", content=part.encode(), headers=headers)
    assert "no file was sent" in words(refused.text).lower()


def boot_of(page: str) -> str:
    """The events of a game that is only watched."""
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', page, re.S)
    assert found is not None
    return found[1]


def test_a_game_that_is_not_judged_is_watched(ann: Person) -> None:
    """While it is played, or where it takes too long; the words say why."""
    room = ann.open(game="classic")["view"]["room"]
    ann.act(room, ann.table(room), "throw")
    page = ann.get(f"/r/{room}/review").text
    events = json.loads(boot_of(page))["steps"]
    assert len(events) == 2
    assert all(" ".join(event["says"]) in words(page) for event in events)
    watched = ann.get(f"/r/{played(ann, 3)}/review?watch=1").text
    assert len(json.loads(boot_of(watched))["steps"]) > 2
    room = ann.open(game="tray")["view"]["room"]
    ann.act(room, ann.table(room), "throw")
    record = ann.get(f"/r/{room}/record").content
    page = ann.client.post("/review", files={"record": ("tray.shutbox", record)}).text
    assert "Tray has no score" in words(page)
    assert len(json.loads(boot_of(page))["steps"]) == 2
