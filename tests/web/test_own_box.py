"""A box set up by hand in the form for a new table, without script."""

import re

import pytest

from people import Person
from shutbox import find
from shutbox.solving.odds import odds_of
from shutbox.solving.solvers import solve
from shutbox.web.pages.new_table_form import BY_HAND, FormSetup, rule_choices, setup_of
from shutbox.web.rooms.requests import Form

Fields = list[tuple[str, str]]


def drawn(game: str, code: str = "") -> Fields:
    """The fields of the controls as a browser would send them from a page that was just drawn."""
    box = own_box([("game", game), ("overrides", code)])
    assert not box.errors
    values = box.page["values"].items()
    sent = [(name, [value] if isinstance(value, str) else value) for name, value in values]
    return [(name, one) for name, all in sent for one in all]


def own_box(fields: Fields) -> FormSetup:
    return setup_of(Form(fields))


def with_changes(fields: Fields, **changes: str | list[str]) -> Fields:
    kept = [(name, value) for name, value in fields if name not in changes]
    for name, value in changes.items():
        kept += [(name, one) for one in ([value] if isinstance(value, str) else value)]
    return kept


def tiles(box: FormSetup) -> set[int]:
    return {*map(int, box.page["values"]["own_tile"])}


BOXES = ["classic", "two-to-go", "2012", "the-300", "double-shutter", "win-at-three", "markers"]


@pytest.mark.parametrize("game", BOXES)
def test_a_form_that_is_sent_as_it_was_drawn_changes_nothing(game: str) -> None:
    for code in ("", "stop_on=7" if game != "2012" else "stop_on=20"):
        sent = own_box(drawn(game, code))
        assert (sent.setup.game, sent.errors) == (find(f"{game}({code})").name, ())


def test_what_is_pressed_goes_into_the_code_beside_what_is_typed() -> None:
    fields = drawn("classic", "stop_on=7,tiles=1-8")
    more = [str(number) for number in range(1, 11)]
    box = own_box(with_changes(fields, own_tile=more, own_cover="one", own_down="2"))
    assert box.errors == ()
    assert box.setup.game == find("classic(tiles=1-10,down=2,cover=one,stop_on=7)").name
    assert tiles(box) == set(range(1, 11))
    assert ("Tile 2 is down from the start.", True) in box.page["lines"]
    assert box.page["miniature"].count(" mk") == 2  # tile 2, which is down; 9 and 10 are new


def test_the_text_wins_where_the_controls_are_those_of_before() -> None:
    typed = with_changes(drawn("classic"), overrides="tiles=1-12")
    assert tiles(own_box(typed)) == set(range(1, 13))
    another = with_changes(drawn("classic"), game="six", own_tile=["1", "2"])
    assert tiles(own_box(another)) == set(range(1, 7))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"own_tile": []}, "Tiles: none"),
        ({"own_dice": "13"}, "13d6"),
        ({"own_dice": "many"}, "man"),
        ({"own_cover": "<b>"}, "<b>"),
        ({"own_tile": [str(n) for n in range(1, 25)], "own_dice": "12"}, "covers"),
        ({"overrides": "nonsense=1"}, "nonsense"),
        ({"overrides": "((("}, "(("),
    ],
)
def test_what_cannot_be_played_is_said(changes: dict[str, str | list[str]], says: str) -> None:
    box = own_box(with_changes(drawn("classic"), **changes))
    assert says in " ".join(box.page["problems"])
    assert box.page["lines"] == own_box([]).page["lines"]
    values = box.page["values"]
    assert all(values[name] == sent for name, sent in changes.items()), "it stands as it was sent"


def test_any_fields_make_a_page(ann: Person) -> None:
    for query in (
        "game=nonsense",
        "game=classic(down=2)",
        "game=./x.toml",
        "game=classic&shown=%00&own_tile=-1&own_tile=1e9&own_sides=six",
        "game=cargo&shown=cargo&own_sides=6&own_tile=4",
        f"game=classic&own_sides=6&own_tile={'7' * 4_301}&own_down={'7' * 9_000}",
        "game=classic(((",
    ):
        response = ann.get(f"/new?{query}")
        assert response.status_code == 200, query
        assert 'id="sofar"' in response.text, query
    assert own_box([("game", "classic(down=2)")]).page["values"]["own_down"] == ["2"]


def test_every_value_of_a_rule_has_words() -> None:
    said = [says for values in rule_choices().values() for _, says in values]
    assert all(says[0].isupper() for says in said)
    assert len(set(said)) == len(said)
    assert {*BY_HAND} - {"tiles", "down", "dice"} == set(rule_choices())


def test_the_page_says_what_a_box_is_worth(ann: Person) -> None:
    game = find("classic(tiles=1-6)")
    odds = odds_of(solve(game), game.start())
    assert odds.mean is not None
    assert odds.shut is not None
    page = ann.get("/new?game=classic&overrides=tiles=1-6").text
    assert f"<dd>{float(odds.mean):.1f}</dd>" in page
    assert f"<dd>1 in {round(1 / odds.shut)}</dd>" in page
    assert "<dd>11.0</dd>" in ann.get("/new").text
    asked = "/new/changed?game=classic&overrides=tiles=1-6"
    assert ann.get(f"{asked}&at_once=on").json()["figures"] is None  # it must be solved first
    found = ann.get(asked).json()
    assert found["figures"] == [f"1 in {round(1 / odds.shut)}", f"{float(odds.mean):.1f}"]
    assert found["words"]["says-box"] == "Classic with six tiles."
    assert found["values"]["own_tile"] == ["1", "2", "3", "4", "5", "6"]
    known = ann.get("/new/changed?game=ten&at_once=on").json()
    assert known["figures"] == ["1 in 19", "16.6"]
    large = ann.get("/new?game=the-300").text
    assert re.search(r"<dd>about 1[34]\d</dd>", large)


def test_a_table_is_opened_with_the_box_that_was_set_up(ann: Person) -> None:
    fields = with_changes(drawn("classic"), own_tile=["1", "2", "3"], own_dice="１", own_sides="4")
    fields += [("who", "me"), ("name", "")]
    body = {name: Form(fields).all(name) for name, _ in fields}
    response = ann.client.post("/new", data=body).history[-1]
    assert response.status_code == 303, response.text
    room = response.headers["location"].removeprefix("/r/")
    settings = ann.get(f"/api/rooms/{room}").json()["view"]["settings"]
    assert find(settings["game"]) == find("classic(tiles=1-3,dice=1d4)")
