"""The form for a new table: each control sets one value, and "Undo" brings the last setup back.

A box set up by hand has controls, and the texts about rules and formats are complete and true.
"""

import re
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import pytest

from people import Person
from shutbox import find
from shutbox.engine.errors import NotUnderstood
from shutbox.engine.seats import MOST_SEATS
from shutbox.games.box.game import KEYS as RULE_KEYS
from shutbox.games.box.game import help_texts
from shutbox.match import Format, presets
from shutbox.match.format import ATOMS, MOST_BONUS, MOST_ROUNDS
from shutbox.solving.odds import odds_of
from shutbox.solving.solvers import solve
from shutbox.web.pages.new_table_form import BY_HAND, FormSetup, rule_choices, setup_of
from shutbox.web.pages.setup_rules import Setup
from shutbox.web.rooms.requests import Form

HAND = "classic(tiles=1-10,fewer=must-sum)"
BOXES = ["classic", "two-to-go", "2012", "the-300", "double-shutter", "win-at-three", "markers"]
TEXTS = help_texts() | {key: atom.says for key, atom in ATOMS.items()}
READERS: dict[str, Callable[[str], Any]] = {
    **{key: row.read for key, row in RULE_KEYS.items()},
    **{key: atom.read for key, atom in ATOMS.items()},
}
EXAMPLES = ("tiles=1-9", "tiles=1.3.5", "dice=2d6", "dice=1d20", "purse=20.20.5")


def pressed(now: FormSetup | Setup, **changes: str | list[str]) -> FormSetup:
    """What the page shows once its controls have other values; the rest is sent as drawn."""
    drawn = setup_of(Form([("shown", str(now))])) if isinstance(now, Setup) else now
    values: dict[str, Any] = {**drawn.page["values"], **changes}
    lists = {name: [one] if isinstance(one, str) else one for name, one in values.items()}
    return setup_of(Form([(name, one) for name, all in lists.items() for one in all]))


@pytest.mark.parametrize("preset", presets())
@pytest.mark.parametrize("now", [Setup(), Setup(HAND, "limit=45,order=rotate,stake=2")])
def test_a_preset_sets_all_rules_and_undo_brings_them_back(now: Setup, preset: str) -> None:
    chosen = pressed(now, preset=preset)
    match = presets()[preset]
    assert chosen.setup == Setup(match.game, str(match.format))
    assert (chosen.page["values"]["preset"], chosen.errors) == (preset, ())
    back = pressed(chosen, take="undo")
    assert back.setup == now
    assert pressed(back, take="undo").setup == chosen.setup
    alone = pressed(chosen, preset="")
    assert (alone.setup, alone.page["words"]["says-match"]) == (Setup(match.game), "One round.")


@pytest.mark.parametrize(
    ("now", "game", "then"),
    [
        (Setup(HAND, "rounds=5,stake=1"), "six", Setup("six", "rounds=5,stake=1")),
        (Setup("classic(score=covered)", "target=100"), "six", Setup("six(score=covered)", "t")),
        (Setup("covered", "target=200,begins=high-roll,end=stop"), "cargo", Setup("cargo", "t")),
        (Setup("covered"), "classic", Setup("classic")),
    ],
)
def test_a_box_sets_the_rules_of_the_box_and_leaves_the_match(
    now: Setup, game: str, then: Setup
) -> None:
    chosen = pressed(now, game=game)
    assert chosen.setup == Setup(then.game, now.format)
    assert pressed(chosen, take="undo").setup == now


LENGTHS = (
    (Setup(), "to-100", "classic(score=covered)", "target=100"),
    (Setup(HAND), "to-100", f"{HAND[:-1]},score=covered)", "target=100"),
    (Setup("classic(score=count)"), "to-200", "classic(score=covered)", "target=200"),
    (Setup("classic(score=count)"), "rounds", "classic(score=count)", "rounds=5"),
    (Setup("covered"), "knockout", "covered(score=sum)", "limit=45"),
    (Setup("covered(score=sum)", "limit=45"), "to-100", "covered", "target=100"),
    (Setup("classic(score=covered)", "target=100"), "one", "classic", ""),
    (Setup("cargo"), "knockout", "cargo", "limit=45"),
    (Setup("classic", "rounds=1,stake=2"), "three", "classic", "rounds=3,stake=2"),
    (Setup("classic", "until=shut,stake=2"), "one", "classic", "rounds=1,stake=2"),
)


def test_a_length_brings_the_result_that_it_needs_and_takes_it_along() -> None:
    for now, length, game, format in LENGTHS:
        chosen = pressed(now, length=length)
        assert chosen.setup == Setup(find(game).name, format)
        assert chosen.page["values"]["length"] == length
        assert bool(chosen.errors) is (game == "cargo")
        assert pressed(chosen, take="undo").setup == now


def test_each_control_of_the_match_sets_one_value_in_the_digits_of_any_script() -> None:
    now = pressed(Setup("covered", "target=200"), **{"number_to-200": "٢٥٠"})
    now = pressed(now, chips=["on"], stake="３")
    now = pressed(now, begins="winner")
    assert str(now.setup) == "covered;target=250,order=winner,stake=3"
    assert now.page["values"]["length"] == "to-200"
    assert pressed(now, format=" TARGET = 250, stake=3,order=winner").setup == now.setup
    assert pressed(now, begins="seats", stake="many").setup.format == "target=250,stake=3"
    assert pressed(now, chips=[]).setup.format == "target=250,order=winner"
    by_point = pressed(now, points=["on"])
    assert dict(Format.parse(by_point.setup.format).options)["pays"] == "difference"
    assert pressed(by_point, points=[]).setup == now.setup
    wrong = pressed(now, **{"number_to-200": "0"}, chips=[])  # what can be read is set
    assert wrong.page["problems"] == ["Target: 0 is not allowed; it is 1 or more."]
    assert wrong.page["values"]["number_to-200"] == "0"
    assert wrong.setup.format == "target=250,order=winner"


def test_one_throw_each_is_pressed_and_refused_for_a_game_without_rows() -> None:
    rows = pressed(Setup("ten"), turns="throw")
    assert (str(rows.setup), rows.errors) == ("ten;rounds=1,turns=throw", ())
    assert pressed(rows, turns="whole").setup == Setup("ten")
    passes = Setup("ten", "turns=throw,stuck=passes")
    assert pressed(passes, turns="whole").setup == Setup("ten")
    refused = pressed(Setup("cargo"), turns="throw").page["problems"]
    assert refused == ["Turns: only a box with tiles can be played with one throw each."]


def test_a_form_is_opened_as_it_is_and_undone_without_script(ann: Person) -> None:
    fields = {"shown": "classic(tiles=1-10);", "game": "classic", "overrides": "tiles=1-10"}
    changed = ann.get("/new", params={**fields, "preset": "race-200"}).text
    assert 'name="shown" value="covered;target=200,begins=high-roll,end=stop"' in changed
    assert 'name="before" value="classic(tiles=1-10);"' in changed
    assert "The first to reach a total of 200 wins." in changed
    back = ann.get("/new", params={**fields, "before": "six;rounds=3", "take": "undo"}).text
    assert 'name="shown" value="six;rounds=3"' in back
    people = {"who": ["me", "here"], "name": ["Ann", "Bob"]}
    opened = ann.client.post("/new", data={**fields, **people, "length": "to-100"})
    assert opened.status_code == 200
    room = opened.url.path.removeprefix("/r/")
    settings = ann.get(f"/api/rooms/{room}").json()["view"]["settings"]
    assert settings["game"] == "classic(tiles=1-10,score=covered)"
    assert settings["format"] == "target=100"
    box = {"own_tile": ["1", "2", "3"], "own_dice": "１", "own_sides": "4"}
    body = {**setup_of(Form([])).page["values"], **box, "who": "me", "name": ""}
    room = ann.client.post("/new", data=body).url.path.removeprefix("/r/")
    settings = ann.get(f"/api/rooms/{room}").json()["view"]["settings"]
    assert find(settings["game"]) == find("classic(tiles=1-3,dice=1d4)")


def test_a_form_that_is_sent_as_it_was_drawn_changes_nothing() -> None:
    for game in BOXES:
        for code in ("", "stop_on=7" if game != "2012" else "stop_on=20"):
            name = find(f"{game}({code})").name
            sent = pressed(Setup(name))
            assert (sent.setup.game, sent.errors) == (name, ())
    for text in ("./x.toml;", "classic;nonsense", "classic:1.2;", "\0", "x" * 9_000):
        for take in ("", "undo"):  # no page has sent this
            found = setup_of(Form([("shown", text), ("before", text), ("take", take)]))
            assert (found.setup, found.errors) == (Setup(), ())


def test_what_is_pressed_goes_into_the_code_beside_what_is_typed() -> None:
    more = [str(number) for number in range(1, 11)]
    now = Setup("classic(tiles=1-8,stop_on=7)")
    box = pressed(now, own_tile=more, own_cover="one", own_down="2")
    assert box.errors == ()
    assert box.setup.game == find("classic(tiles=1-10,down=2,cover=one,stop_on=7)").name
    assert box.page["values"]["own_tile"] == more
    assert ("Tile 2 is down from the start.", True) in box.page["lines"]
    assert box.page["miniature"].count(" mk") == 2  # tile 2, which is down; 9 and 10 are new
    # The text wins where the controls are those of before.
    assert pressed(Setup(), overrides="tiles=1-12").setup.game == "classic(tiles=1-12)"
    assert pressed(Setup(), game="six", own_tile=["1", "2"]).setup.game == "six"


WRONG: tuple[tuple[dict[str, str | list[str]], str], ...] = (
    ({"own_tile": []}, "Tiles: 0 in all"),
    ({"own_dice": "13"}, "13d6"),
    ({"own_dice": "many"}, "man"),
    ({"own_cover": "<b>"}, "<b>"),
    ({"own_tile": [str(n) for n in range(1, 25)], "own_dice": "12"}, "covers"),
    ({"overrides": "nonsense=1"}, "nonsense"),
    ({"overrides": "((("}, "(("),
)


def test_what_cannot_be_played_is_said() -> None:
    for changes, says in WRONG:
        box = pressed(Setup(), **changes)
        assert says in " ".join(box.page["problems"])
        assert box.page["lines"] == setup_of(Form([])).page["lines"]
        values = box.page["values"]
        assert all(values[name] == sent for name, sent in changes.items()), "it stands as sent"


def test_every_word_and_bound_of_a_rule_is_on_the_form(ann: Person) -> None:
    page = ann.get("/new").text
    assert set(ATOMS) == {field.name for field in fields(Format)}
    keys = []
    for key, read in READERS.items():
        with pytest.raises(NotUnderstood) as refused:
            read("nonsense")
        _, of_words, known = str(refused.value).partition("is not known; write ")
        named = set(re.findall(r"[a-z0-9-]+", TEXTS[key]))
        assert {*re.findall(r"[a-z0-9-]+", known)} - {"or"} <= named, key
        keys += [key] if of_words else []
        assert f"<code>{key}</code>" in page
    assert len(keys) == 11
    assert f"1 to {MOST_ROUNDS}" in TEXTS["rounds"]
    assert f"0 to {MOST_BONUS}" in TEXTS["bonus"]
    assert len(re.findall('name="who"', page)) == MOST_SEATS
    for example in EXAMPLES:
        key, value = example.split("=")
        assert value in TEXTS[key]
        READERS[key](value)
    said = [says for values in rule_choices().values() for _, says in values]
    assert all(says[0].isupper() for says in said)
    assert len(set(said)) == len(said)
    assert {*BY_HAND} - {"tiles", "down", "dice"} == set(rule_choices())


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
    assert setup_of(Form([("game", "classic(down=2)")])).page["values"]["own_down"] == ["2"]


def test_the_page_says_what_a_box_is_worth(ann: Person) -> None:
    game = find("classic(tiles=1-6)")
    odds = odds_of(solve(game), game.start())
    assert odds.mean is not None
    assert odds.shut is not None
    figures = [f"1 in {round(1 / odds.shut)}", f"{float(odds.mean):.1f}"]
    page = ann.get("/new?game=classic&overrides=tiles=1-6").text
    assert all(f"<dd>{figure}</dd>" in page for figure in figures)
    six = "game=classic&overrides=tiles=1-6"
    for query, wanted in (
        (f"{six}&at_once=on", None),  # it must be solved first
        (six, figures),
        ("game=ten&at_once=on", ["1 in 19", "16.6"]),  # known
        ("game=the-300", ["", ""]),  # too large
    ):
        found = ann.get(f"/new/changed?{query}").json()
        assert found["figures"] == wanted
        if query == six:
            assert found["words"]["says-box"] == "Classic with six tiles."
            assert found["values"]["own_tile"] == ["1", "2", "3", "4", "5", "6"]
