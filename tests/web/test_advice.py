"""Advice and verdicts at a table: what a hint recommends, and the account of a finished game."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from people import Person
from shutbox import find, solve
from shutbox.engine.game import Choose, Throw
from shutbox.solving.review.report import SeatVerdict, Verdict
from shutbox.table.bots import bot
from shutbox.web.actions.accounts import account
from shutbox.web.compute.tasks import can_advise
from web.doors.device import Disk
from web.test_device import ME, Page


async def advised(game: Any, position: Any, **settings: str) -> str:
    """The choice that is advised at a table that stands there, by the engine of a browser."""
    page = Page(Disk())
    await page.open(ME, game=game.name, position=game.position_id(position), **settings)
    status, hint = await page.ask("GET", "/hint")
    assert status == 200, hint
    return str(hint["choice"])


def thrown(game: Any) -> list[Any]:
    """The positions after a first throw where something is to be chosen."""
    start, awaited = game.start(), game.awaits(game.start())
    assert isinstance(awaited, Throw)
    after = [game.rolled(start, roll) for roll, _ in awaited.dice.outcomes()]
    return [position for position in after if isinstance(game.awaits(position), Choose)]


@pytest.mark.parametrize("name", ["classic", "two-to-go"])
def test_after_every_first_throw_a_best_choice_is_advised(name: str) -> None:
    game = find(name)
    solution = solve(game)
    for position in thrown(game):
        options = solution.options(position)
        texts = {
            game.choice_text(choice)
            for choice, value in zip(options.choices, options.values, strict=True)
            if value == options.top
        }
        assert asyncio.run(advised(game, position)) in texts, game.position_id(position)


def test_where_no_box_is_solved_the_careful_player_advises() -> None:
    game = find("the-300")
    assert not can_advise(game)
    for position in thrown(game)[::9]:
        awaited = game.awaits(position)
        assert isinstance(awaited, Choose)
        careful = bot("careful").pick(game, position, awaited.choices)
        assert asyncio.run(advised(game, position)) == game.choice_text(careful)


def verdict(person: Person, room: str) -> dict[str, Any]:
    response = person.get(f"/api/rooms/{room}/verdict")
    assert response.status_code == 200, response.text
    found: dict[str, Any] = response.json()
    return found


def adds_up(seat: dict[str, Any]) -> bool:
    tenths = [round(10 * seat[key]) for key in ("expected", "luck", "mistakes", "others")]
    return bool(sum(tenths) == round(10 * seat["result"]))


def test_a_turn_alone_is_judged_by_its_points_and_its_place(ann: Person) -> None:
    room = ann.open(game="classic")["view"]["room"]
    table = ann.play_out(room)
    found = verdict(ann, room)
    [seat] = found["verdict"]["seats"]
    score = int(table["scores"][0])
    assert (seat["score"], seat["result"], seat["expected"]) == (score, score, 11.0)
    assert adds_up(seat)
    assert found["game"] == 1
    assert found["says"][-1] == f"Perfect play leaves 11.0, so you left {score}."
    assert sum(chance for _, chance in found["verdict"]["distribution"]) == pytest.approx(1)


def test_a_match_is_judged_by_its_points(ann: Person) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = ann.open(game="six", format="rounds=2", seats=seats)["view"]["room"]
    table = ann.play_out(room)
    found = verdict(ann, room)
    told = found["verdict"]["seats"]
    assert [seat["name"] for seat in told] == [row["name"] for row in found["account"]["rows"]]
    assert all(map(adds_up, told))
    assert [seat["result"] for seat in told] == [*map(float, table["scores"])]
    assert found["verdict"]["winners"] == table["winners"]
    assert found["verdict"]["margin"] == table["margin"]


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
    room = ann.open(game="cargo(hold=each)")["view"]["room"]
    table = ann.table(room)
    while table["does"] == "throw":
        table = ann.step(room, table)
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
    asked = []
    with ThreadPoolExecutor(3) as pool:
        asked = [*pool.map(lambda _: ann.get(f"/api/rooms/{room}/verdict"), range(3))]
    assert [reply.status_code for reply in asked] == [200, 200, 200]
    assert len({reply.text for reply in asked}) == 1
