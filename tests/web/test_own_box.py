"""A box set up by hand in the form for a new table, without script."""

import re

import pytest

from people import Person
from shutbox import find
from shutbox.solving.odds import odds_of
from shutbox.solving.solvers import solve
from shutbox.web.actions.new_table import BY_HAND, OwnBox, code_of, own_box, rule_choices
from shutbox.web.rooms.requests import Form

Fields = list[tuple[str, str]]


def drawn(game: str, code: str = "") -> Fields:
    """The fields of the controls as a browser would send them from a page that was just drawn."""
    box = own_box(game, Form([("overrides", code)]))
    assert not box.problems
    values = box.setup["values"].items()
    sent = [(name, [value] if isinstance(value, str) else value) for name, value in values]
    return [("game", box.game), *((name, one) for name, all in sent for one in all)]


def with_changes(fields: Fields, **changes: str | list[str]) -> Form:
    kept = [(name, value) for name, value in fields if name not in changes]
    for name, value in changes.items():
        kept += [(name, one) for one in ([value] if isinstance(value, str) else value)]
    return Form(kept)


def tiles(box: OwnBox) -> set[int]:
    return {*map(int, box.setup["values"]["own_tile"])}


BOXES = ["classic", "two-to-go", "2012", "the-300", "double-shutter", "win-at-three", "markers"]


@pytest.mark.parametrize("game", BOXES)
def test_a_form_that_is_sent_as_it_was_drawn_changes_nothing(game: str) -> None:
    assert code_of(Form(drawn(game))) == ""
    assert own_box(game, Form(drawn(game))).code == ""
    other = drawn(game, "stop_on=7" if game != "2012" else "stop_on=20")
    assert code_of(Form(other)).startswith("stop_on=")


def test_what_is_pressed_goes_into_the_code_beside_what_is_typed() -> None:
    fields = drawn("classic", "stop_on=7,tiles=1-8")
    more = [str(number) for number in range(1, 11)]
    box = own_box("classic", with_changes(fields, own_tile=more, own_cover="one", own_down="2"))
    assert box.problems == ()
    assert find(f"classic({box.code})") == find("classic(tiles=1-10,down=2,cover=one,stop_on=7)")
    assert tiles(box) == set(range(1, 11))
    assert ("Tile 2 is down from the start.", True) in box.setup["lines"]
    assert (
        box.setup["miniature"].count(" mk") == 2
    )  # tile 2, which is down, and tiles 9 and 10 are new


def test_the_text_wins_where_the_controls_are_those_of_before() -> None:
    typed = with_changes(drawn("classic"), overrides="tiles=1-12")
    assert tiles(own_box("classic", typed)) == set(range(1, 13))
    another = with_changes(drawn("classic"), game="six", own_tile=["1", "2"])
    assert tiles(own_box("six", another)) == set(range(1, 7))


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
    box = own_box("classic", with_changes(drawn("classic"), **changes))
    assert says in " ".join(box.problems)
    assert box.setup["lines"] == own_box("classic", Form([])).setup["lines"]


def test_any_fields_make_a_page(ann: Person) -> None:
    for query in (
        "game=nonsense",
        "game=classic(down=2)&own_of=classic",
        "game=./x.toml",
        "game=classic&own_of=classic&own_was=%00&own_tile=-1&own_tile=1e9&own_sides=six",
        "game=cargo&own_of=cargo&own_tile=4",
        f"game=classic&own_of=classic&own_was=x&own_tile={'7' * 4_301}&own_down={'7' * 9_000}",
        "game=classic(((",
    ):
        response = ann.get(f"/new?{query}")
        assert response.status_code == 200, query
        assert 'id="sofar"' in response.text, query
    assert own_box("classic(down=2)", Form([])).setup["values"]["own_down"] == ["2"]


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
    fields = with_changes(drawn("classic"), own_tile=["1", "2", "3"], own_sides="4")
    body = {name: fields.all(name) for name in ("game", "overrides", "own_of", "own_was")}
    body |= {"own_tile": fields.all("own_tile"), "own_dice": ["1"], "own_sides": ["4"]}
    body |= {f"own_{key}": fields.all(f"own_{key}") for key in ("fewer", "cover", "score")}
    body |= {"who": ["me"], "name": [""]}
    response = ann.client.post("/new", data=body).history[-1]
    assert response.status_code == 303, response.text
    room = response.headers["location"].removeprefix("/r/")
    settings = ann.get(f"/api/rooms/{room}").json()["view"]["settings"]
    assert find(settings["game"]) == find("classic(tiles=1-3,dice=1d4)")
