"""The verdict on a finished game, as data for programs."""

import re
from collections import Counter
from random import Random
from typing import Any

import pytest

from people import Person
from shutbox.solving.review.report import SeatVerdict
from shutbox.web.pages.templates import environment, spoken


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
    assert found["says"][0].startswith(
        f"Your {score} beats {seat['better']} in 100 perfectly played turns."
    )
    assert sum(chance for _, chance in found["verdict"]["distribution"]) == pytest.approx(1)


def test_a_match_is_judged_by_the_win_for_every_seat(ann: Person) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = ann.open(game="classic(tiles=1-6)", format="rounds=1", seats=seats)["view"]["room"]
    table = ann.play_out(room)
    found = verdict(ann, room)
    told = found["verdict"]["seats"]
    assert found["verdict"]["unit"] == "share"
    assert [seat["name"] for seat in told] == ["Ann", "Bob"]
    assert all(map(adds_up, told))
    winners = table["winners"]
    assert [seat["result"] for seat in told] == [
        100 / len(winners) if seat in winners else 0 for seat in (0, 1)
    ]
    assert [line.partition(" ")[0].rstrip(":") for line in found["says"]] == ["Ann", "Bob"]


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


def test_mistakes_are_called_at_the_table_as_in_the_review(ann: Person) -> None:
    """Each grade has one name, and nothing is counted by the name of another."""
    seen: set[str] = set()
    for seed in (0, 4, 8):
        chance = Random(seed)
        room = ann.open(game="classic", dice="hand")["view"]["room"]
        while (table := ann.table(room))["does"] != "over":
            if table["does"] == "throw":
                roll = chance.choices("123456", k=1 + (table["throws"] == "two dice"))
                ann.act(room, table, "throw", roll="+".join(roll))
            else:
                ann.step(room, table, chance)
        page = ann.get(f"/r/{room}/verdict").text
        [said] = re.findall(r'<div class="(?:mistakes|none)"><dt>([^<]*)</dt>', page)
        review = ann.get(f"/r/{room}/review").text
        marks = Counter(re.findall(r'<span class="mark bad">.*?</span>(\w+)</span>', review))
        [worst] = [grade for grade in ("blunder", "mistake", "inaccuracy") if grade in marks][:1]
        more = marks.total() - marks[worst]
        wanted = f"{marks[worst]} {worst}{'s' if marks[worst] > 1 else ''}"
        assert said == (f"{wanted}, {more} smaller" if more else wanted)
        assert ann.get(f"/api/rooms/{room}/verdict").json()["mistakes"] == [said]
        seen |= {*marks}
    assert seen == {"inaccuracy", "blunder"}


def test_no_mistakes_are_no_cost(ann: Person) -> None:
    """What is coloured as a cost has cost something: in the verdict and in the review."""
    room = ann.open(game="lucky-seven")["view"]["room"]
    ann.play_out(room)
    page = ann.get(f"/r/{room}/verdict").text
    assert '<div class="none"><dt>no mistakes</dt><dd>0.0</dd></div>' in page
    review = ann.get(f"/r/{room}/review").text
    assert "<div><dt>mistakes</dt><dd>0.0</dd></div>" in review


@pytest.mark.parametrize("seats", [1, 2])
def test_the_page_has_the_figures_without_script(ann: Person, seats: int) -> None:
    room = ann.open(game="six", seats=[{"who": "me"}, {"who": "here"}][:seats])["view"]["room"]
    ann.play_out(room)
    assert f'href="/r/{room}/verdict"' in ann.get(f"/r/{room}").text
    page = ann.get(f"/r/{room}/verdict").text
    shown = page[page.index('id="verdict"') : page.index('class="after"')]
    judged = ann.get(f"/api/rooms/{room}/verdict").json()
    told = judged["verdict"]["points" if seats > 1 else "seats"]
    cells = re.findall(r"<(?:dd|td)>([^<]+)</", shown)
    numbers = [float(cell.replace("\N{MINUS SIGN}", "-")) for cell in cells]
    keys = ["expected", "luck", "mistakes", "result"]
    assert numbers == [seat[key] for seat in told for key in keys]


def words_of(played: list[tuple[float, float]], *about: Any) -> str:
    """What the page says of seats, given what their mistakes and their turns came to."""
    names = ("Ann", "Bob", "Cy")
    seats = [
        SeatVerdict(seat, names[seat], 11.0, result - 11 - lost, lost, 0.0, result, 0, None, None)
        for seat, (lost, result) in enumerate(played)
    ]
    macros: Any = environment().get_template("_verdict.html").module
    found = re.findall("<p>(.*?)</p>", macros.should(seats, *about), re.DOTALL)
    return spoken(" ".join(found))


@pytest.mark.parametrize(
    ("played", "mine", "winners", "margin", "says"),
    [
        (
            [(2, 8), (1.3, 13)],
            *({0}, [0], 5),
            "On play alone: Bob. The winner lost 0.7 more by mistakes but had 5.7 more luck, and "
            "won by 5.",
        ),
        (
            [(0, 8), (1.5, 13)],
            *({0}, [0], 5),
            "On play alone: you. The winner played 1.5 better and had 3.5 more luck, and won by 5.",
        ),
        (
            [(9, 13), (3, 8)],
            *({0, 1}, [1], 5),
            "On play alone: Bob. The winner had 1.0 less luck but played 6.0 better, and won by 5.",
        ),
        (
            [(2, 8), (2, 9)],
            *({1}, [0], 1),
            "On play alone: a draw. Both played equally well. The winner had 1.0 more luck.",
        ),
        (
            [(-2, 20), (-1, 15)],  # the more the better
            *({0}, [0], 5),
            "On play alone: Bob. The winner lost 1.0 more by mistakes but had 6.0 more luck, and "
            "won by 5.",
        ),
        ([(2, 8), (1, 8)], {0}, [0, 1], None, "On play alone: Bob."),
        ([(1, 8), (2, 13), (0.5, 20)], {2}, [0], 5, "On play alone: you."),
    ],
)
def test_who_should_have_won_is_said_in_numbers_that_add_up(
    played: list[tuple[float, float]],
    mine: set[int],
    winners: list[int],
    margin: int | None,
    says: str,
) -> None:
    assert words_of(played, mine, winners, margin) == says


def test_a_match_is_also_counted_in_points(ann: Person) -> None:
    seats = [{"who": "me", "name": "Ann"}, {"who": "here", "name": "Bob"}]
    room = ann.open(game="classic", format="rounds=2", seats=seats)["view"]["room"]
    table = ann.play_out(room)
    points = verdict(ann, room)["verdict"]["points"]
    assert all(map(adds_up, points))
    assert [seat["result"] for seat in points] == [float(score) for score in table["scores"]]
    page = ann.get(f"/r/{room}/verdict").text
    assert "Who should have won?" in page
    if table["margin"]:
        assert f"by {table['margin']}.</p>" in page or "Both played" in page
