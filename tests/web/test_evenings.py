"""The form for a new table: each control sets one value, and "Undo" brings the last setup back."""

from typing import Any

import pytest

from people import Person
from shutbox import find
from shutbox.match import Format, presets
from shutbox.web.pages.new_table_form import FormSetup, setup_of
from shutbox.web.pages.setup_rules import Setup
from shutbox.web.rooms.requests import Form

HAND = "classic(tiles=1-10,fewer=must-sum)"


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
    assert pressed(chosen, preset="").setup == Setup(match.game)


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


@pytest.mark.parametrize(
    ("now", "length", "game", "format"),
    [
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
    ],
)
def test_a_length_brings_the_result_that_it_needs_and_takes_it_along(
    now: Setup, length: str, game: str, format: str
) -> None:
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


@pytest.mark.parametrize(
    "text", ["./x.toml;", "classic;nonsense", "classic:1.2;", "\0", "x" * 9_000]
)
def test_a_setup_that_no_page_has_sent_changes_nothing(text: str) -> None:
    for take in ("", "undo"):
        found = setup_of(Form([("shown", text), ("before", text), ("take", take)]))
        assert (found.setup, found.errors) == (Setup(), ())


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
