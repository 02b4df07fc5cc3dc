"""The review of a table's game: figures that add up, steps with addresses, and permissions."""

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
from people import Person
from records import header
from shutbox.engine.play import Chosen
from shutbox.engine.scene import Kind
from shutbox.record import written
from shutbox.solving.review.report import seat_verdict
from shutbox.table.lookup import find_position
from shutbox.web.actions import reviews
from shutbox.web.actions.replays import replayed
from shutbox.web.pages.review import Shown
from shutbox.web.pages.templates import environment
from shutbox.web.rooms import number_text
from shutbox.web.rooms.events import encode
from web.test_positions import words


def played(ann: Person, seed: int, **room: Any) -> str:
    """A room whose game was played to its end, with choices by chance."""
    opened = ann.open(**{"game": "classic", "seats": [{"who": "me", "name": "Ann"}], **room})
    id: str = opened["view"]["room"]
    ann.play_out(id, random.Random(seed))
    return id


def number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").removesuffix(" %"))


def figures(page: str) -> dict[str, float]:
    """The figures of the head."""
    head = page[page.index('class="figures"') : page.index("</dl>")]
    return {n: number(v) for n, v in re.findall(r"<dt>([^<]*)</dt><dd>([^<]*)</dd>", head)}


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(n, marks=pytest.mark.nightly("cases")) for n in (1, 2, 3))]
)
def test_what_is_printed_adds_up_and_is_true(ann: Person, seed: int) -> None:
    room = played(ann, seed)
    page = ann.get(f"/r/{room}/review")
    assert page.status_code == 200
    said = figures(page.text)
    parts = said["expected"] + said["luck"] + said["mistakes"]
    assert round(parts, 1) == said["result"]
    found = shutbox.review(ann.get(f"/api/rooms/{room}/record").content)
    [seat] = found.seats
    assert said["result"] == seat.result
    # The card at the end of the table prints the same.
    [verdict] = ann.get(f"/api/rooms/{room}/verdict").json()["verdict"]["seats"]
    assert said == {key: verdict[key] for key in said}


def test_a_half_is_rounded_and_a_small_share_printed_as_at_the_table(ann: Person) -> None:
    record = ann.get(f"/api/rooms/{played(ann, 7)}/record").content
    found, review = reviews.reviewed_record(record), shutbox.review(record)
    [seat] = review.seats
    planted = replace(seat, start=Fraction(45, 4), cost=Fraction(3), result=Fraction(14))
    verdict = seat_verdict(replace(review, seats=(planted,)), 0)
    printed = [row["value"] for row in Shown(found, None, "").figures(verdict)]
    assert printed == ["11.3", "\N{MINUS SIGN}0.3", "+3.0", "14"]
    share = replace(verdict, expected=0.3, luck=0.0, mistakes=-0.3, others=0.4, result=0.4)
    shown = Shown(replace(found, unit="share"), None, "").figures(share)
    assert [row["value"] for row in shown] == [
        *("0.3\u00a0%", "0.0\u00a0%", "\N{MINUS SIGN}0.3\u00a0%", "+0.4\u00a0%", "0.4\u00a0%")
    ]


def test_every_step_has_its_page(ann: Person) -> None:
    room = played(ann, 4, game="ten")
    found = reviews.reviewed_record(ann.get(f"/api/rooms/{room}/record").content)
    by_itself = ann.get(f"/r/{room}/review").text
    costliest = max(found.steps, key=lambda step: (step.cost, -step.number))
    assert f'data-now="{costliest.number}"' in by_itself
    alike = replace(found, steps=tuple(replace(step, moves=()) for step in found.steps))
    assert Shown(alike, None, "").now == alike.steps[0]
    wrong = [step.number for step in found.steps if step.mistake]
    assert len(wrong) > 1
    for step in found.steps:
        page = ann.get(f"/r/{room}/review?step={step.number}").text
        assert f'data-now="{step.number}"' in page
        assert f"throw {step.number} of {len(found.steps)}" in words(page)
        following = next((number for number in wrong if number > step.number), wrong[0])
        assert re.search(rf'id="mistake" href="[^"]*step={following}"', page)
        for move in step.moves:
            if move.cost:
                assert f"better {move.best.replace(' ', '+') if move.best else ''}" in words(page)
                analysis = re.search(r'href="(/p/[^"]+)"', page)
                assert analysis is not None
                assert ann.get(unescape(analysis[1])).status_code == 200
    # A step that is none is the nearest one.
    assert f'data-now="{len(found.steps)}"' in ann.get(f"/r/{room}/review?step=999").text
    assert ann.get(f"/r/{room}/review?step=x").status_code == 400


def test_yours_and_the_better_choice_are_boxes_as_at_the_table(ann: Person) -> None:
    room = played(ann, 7)
    found = reviews.reviewed_record(ann.get(f"/api/rooms/{room}/record").content)
    worst = max(found.steps, key=lambda step: (step.cost, -step.number))
    [move] = [move for move in worst.moves if move.cost]
    page = ann.get(f"/r/{room}/review").text
    _, mine, better = page.split('<div class="still"')
    for part, text in ((mine, move.after), (better, move.better)):
        game, here = find_position(text)
        assert f'role="img" aria-label="{game.scene(here).board} The dice show ' in part
        states = re.findall(r'class="tile fixed" data-state="(\w+)"', part)
        assert states == [p.state.value for p in game.scene(here).pieces if p.kind is Kind.TILE]
        assert part.count('<span class="die" data-state="lying"') == len(worst.faces)


def test_a_step_is_tried_again_at_a_table_of_ones_own(ann: Person) -> None:
    room = played(ann, 7)
    found = reviews.reviewed_record(ann.get(f"/api/rooms/{room}/record").content)
    worst = max(found.steps, key=lambda step: (step.cost, -step.number))
    page = ann.get(f"/r/{room}/review").text
    form = page[page.index('<form class="again"') :]
    fields = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
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
    review = shutbox.review(record)
    [seat] = review.seats
    assert seat.start == shutbox.solve("classic").value(move.position.partition(":")[2])
    said = figures(ann.get(f"/r/{again}/review").text)
    [verdict] = ann.get(f"/api/rooms/{again}/verdict").json()["verdict"]["seats"]
    assert said == {key: verdict[key] for key in said}
    assert ann.post(f"/api/rooms/{again}/rematch", game=1).status_code == 200
    assert ann.table(again)["board"] == scene.board


@pytest.mark.parametrize("game", ["double-shutter", "cargo", "thai-style", "two-to-go"])
def test_other_games_are_reviewed(ann: Person, game: str) -> None:
    room = played(ann, 1, game=game)
    page = ann.get(f"/r/{room}/review")
    assert page.status_code == 200, words(page.text)
    for step in re.findall(r'data-step="(\d+)"', page.text)[-3:]:
        assert ann.get(f"/r/{room}/review?step={step}").status_code == 200


def test_faces_without_pips_are_drawn_as_numbers() -> None:
    step = reviews.ReviewStep(
        1, 0, 0, (7, 9), (12, 12), 0.0, 1.0, 1.0, (reviews.Bar("luck", 0.0),), (), 1
    )
    turn = reviews.ReviewTurn(1, 0, 1, 1, 0)
    for sides in ((12, 12), (6, 6), (6,)):
        steps = (replace(step, sides=sides),)
        review = reviews.ReviewView("", "", "points", True, True, "", None, (), (turn,), steps)
        chart = environment().get_template("_waterfall.html")
        assert chart.render(shown=Shown(review, 1, "")).count("7+9") == 2


@pytest.mark.parametrize("about", [{}, {"game": "six", "seats": [{"who": "me"}] * 2}])
def test_programs_get_the_figures_of_the_page(ann: Person, about: dict[str, Any]) -> None:
    room = played(ann, 5, **about)
    record = ann.get(f"/api/rooms/{room}/record").content
    answer = ann.get(f"/api/rooms/{room}/review?game=1")
    assert answer.status_code == 200
    found = answer.json()
    assert found == json.loads(encode(reviews.reviewed_record(record)))
    sent = ann.client.post("/api/review", content=record, headers={"content-type": "text/plain"})
    assert sent.json() == found
    review = msgspec.convert(found, reviews.ReviewView)
    for step in review.steps:
        page = ann.get(f"/r/{room}/review?step={step.number}").text
        shown = Shown(review, step.number, "")
        assert unescape(shown.sentence) in unescape(page)
        for move in [move for move in step.moves if move.ranking and move is shown.move]:
            value = number_text.value_text(shown.aim, dict(move.ranking)[move.choice])
            assert f"</span><span>{value}</span></figcaption>" in unescape(page)


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
    assert figures(page.text) == figures(ann.get(f"/r/{room}/review").text)
    # Each step sends the text that the page holds, with the line ends of forms.
    held = re.search(r'<textarea name="text"[^>]*>\n(.*?)</textarea>', page.text, re.DOTALL)
    assert held is not None
    text = unescape(held[1])
    assert text.encode() == record
    files = {"text": (None, text.replace("\n", "\r\n")), "step": (None, "2")}
    second = ann.client.post("/review", files=files)
    assert 'data-now="2"' in second.text
    assert 'form="again"' in second.text


def test_what_is_no_record_is_refused_in_words(ann: Person) -> None:
    for data, status in ((b"no record", 422), (b"", 422)):
        refused = ann.client.post("/review", files={"record": ("game.shutbox", data)})
        assert refused.status_code == status
        assert len(words(refused.text).split()) > 4
    part = '--x\r\nContent-Disposition: form-data; name="record"; filename=""\r\n\r\n\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    refused = ann.client.post("/review", content=part.encode(), headers=headers)
    assert "no file was sent" in words(refused.text).lower()


def test_a_record_that_ends_before_a_throw_says_so(ann: Person) -> None:
    box = shutbox.find("classic")
    log = [Chosen(box.parse_choice(box.position_at("1-6"), "one die"))]
    record = written(header(position="1.2.3.4.5.6"), box, log)
    page = ann.client.post("/review", files={"record": ("game.shutbox", record)})
    assert "Throw 1: no dice yet. Chosen: one die" in words(page.text)


def boot_of(page: str) -> str:
    """The events of a game that is only watched."""
    found = re.search(r'<script type="application/json" id="boot">(.*?)</script>', page, re.S)
    assert found is not None
    return found[1]


def test_each_throw_of_a_review_ends_with_an_event_of_the_record(ann: Person) -> None:
    """Where throws and choices were taken back or corrected, too."""
    room = played(ann, 2)
    record = ann.get(f"/api/rooms/{room}/record").content
    events = replayed(record).steps
    found = reviews.reviewed_record(record)
    assert [step.event for step in found.steps] == sorted({step.event for step in found.steps})
    assert found.steps[-1].event == len(events) - 1
    for step in found.steps:
        throws = sum("threw" in " ".join(each.says).lower() for each in events[: step.event + 1])
        assert throws == step.number
        said = " ".join(events[step.event].says)
        assert ("threw" in said.lower()) is not bool(step.moves)
    page = ann.get(f"/r/{room}/review").text
    ends = re.search(r'data-ends="([^"]*)"', page)
    assert ends is not None
    assert ends[1].split() == [str(step.event) for step in found.steps]


def test_a_game_that_is_not_judged_is_watched(ann: Person) -> None:
    """While it is played, or where it takes too long; the words say why."""
    room = ann.open(game="classic")["view"]["room"]
    ann.act(room, ann.table(room), "throw")
    page = ann.get(f"/r/{room}/review").text
    events = json.loads(boot_of(page))["steps"]
    assert len(events) == 2
    assert all(" ".join(event["says"]) in words(page) for event in events)
    room = ann.open(game="tray")["view"]["room"]
    ann.act(room, ann.table(room), "throw")
    record = ann.get(f"/r/{room}/record").content
    page = ann.client.post("/review", files={"record": ("tray.shutbox", record)}).text
    assert "Tray has no score" in words(page)
    assert len(json.loads(boot_of(page))["steps"]) == 2
