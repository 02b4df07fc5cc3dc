"""Choosing another match or box after rules were set by hand: no rule is lost silently."""

from collections.abc import Callable

import pytest

from people import Person
from shutbox import find
from shutbox.match import presets
from shutbox.web.http.requests import Form
from shutbox.web.pages.new_table import form_rules
from shutbox.web.rooms.evenings import Choice, Rules, choose

HAND = "classic(tiles=1-10,fewer=must-sum)"


def chosen(now: Rules, preset: str) -> Choice:
    return choose(now, presets()[preset].game, preset)


@pytest.mark.parametrize(
    ("now", "preset", "game", "format", "asks"),
    [
        (Rules(), "race-200", "covered", "", False),
        (Rules(HAND), "race-200", "covered(tiles=1-10,fewer=must-sum)", "", True),
        (Rules(HAND), "pub", HAND, "", False),
        (Rules("classic(score=covered)"), "race-200", "covered", "", False),
        (Rules("classic(score=count)"), "race-200", "covered", "", True),
        (Rules(HAND), "cargo-night", "cargo", "", True),
        (Rules(HAND), "lucky-seven-night", "lucky-seven", "", True),
        (Rules(format="rounds=5,stake=2"), "pub", "classic", "", True),
        (Rules(format="order=rotate"), "pub", "classic", "order=rotate", False),
        (Rules(format="stake=2,rounds=5"), "knockout", "classic", "stake=2", True),
        (Rules("covered", "race-200", "target=100"), "race-500", "covered", "", True),
        (Rules("covered", "race-200", "target=500"), "race-500", "covered", "target=500", False),
        (Rules(format="nonsense"), "pub", "classic", "nonsense", False),
    ],
)
def test_what_stays_and_what_a_preset_changes(
    now: Rules, preset: str, game: str, format: str, asks: bool
) -> None:
    choice = chosen(now, preset)
    assert choice.rules == Rules(find(game).name, preset, format)
    assert choice.asks is asks


@pytest.mark.parametrize("preset", presets())
def test_no_rule_set_by_hand_goes_without_being_told(preset: str) -> None:
    """Whatever was set by hand is still so, or stands among what goes."""
    for code in ("tiles=1-10", "fewer=must-sum", "cover=one", "score=count", "down=2", "dice=3d6"):
        now = Rules(f"classic({code})")
        choice = chosen(now, preset)
        plain, mine = find("classic").card().lines, find(now.game).card()
        after = find(choice.rules.game).card().lines
        for line in (line for line in mine.lines if line not in plain and line != mine.example):
            assert line in (choice.stays if line in after else choice.gone), (code, line)
            assert line in after or choice.asks, (code, line)


def test_the_sentence_tells_the_rules_that_are_played() -> None:
    assert Rules("covered", "race-200", "target=100").ends.startswith("The first to reach a total")
    assert "100" in Rules("covered", "race-200", "target=100").ends
    assert Rules().ends == ""
    assert Rules(format="rounds=3").ends == "There are 3 rounds; the lowest total wins."


FIELDS = {"game": "classic", "game_was": "classic", "preset_was": "", "game_before": ""}
BY_HAND = {**FIELDS, "overrides": "tiles=1-10", "who": "me", "name": "Ann"}


def test_a_form_with_a_choice_that_is_not_agreed_to_opens_nothing(
    person: Callable[[], Person],
) -> None:
    ann = person()
    asked = ann.client.post("/new", data={**BY_HAND, "preset": "race-200"})
    assert asked.status_code == 422
    assert "Race to 200 changes your rules" in asked.text
    assert '<option value="race-200" data-game="covered"' in asked.text
    assert ann.get("/games").text.count("/r/") == 0
    kept = ann.get("/new", params={**BY_HAND, "preset": "race-200", "take": "no"})
    assert "changes your rules" not in kept.text
    assert 'name="overrides" value="tiles=1-10"' in kept.text
    changed = ann.get("/new", params={**BY_HAND, "preset": "race-200", "take": "yes"})
    assert 'name="game_was" value="covered"' in changed.text
    assert "The first to reach a total of 200 wins." in changed.text
    agreed = {"preset": "race-200", "take": "yes", "who": ["me", "here"], "name": ["Ann", "Bob"]}
    opened = ann.client.post("/new", data={**BY_HAND, **agreed})
    assert opened.status_code == 200
    room = opened.url.path.removeprefix("/r/")
    settings = ann.get(f"/api/rooms/{room}").json()["view"]["settings"]
    assert settings["game"] == "covered(tiles=1-10)"
    assert settings["format"].startswith("target=200")


def test_a_typed_format_is_what_the_page_tells(person: Callable[[], Person]) -> None:
    page = person().get("/new?preset=race-200&format=target%3D100").text
    assert "The first to reach a total of 100 wins." in page
    assert "The first to reach a total of 200 wins.</small>" not in page


@pytest.mark.parametrize("take", ["", "yes", "no"])
def test_a_box_comes_back_once_its_evening_is_taken_back(take: str) -> None:
    form = Form([*{**FIELDS, "game": "ten", "game_was": "ten", "preset": "race-200"}.items()])
    brought = form_rules(form.changed("take", take))
    if take == "no":
        assert brought.rules == Rules("ten")
        return
    assert (brought.rules.game, brought.before) == ("covered", "ten")
    back = {
        "game": "covered",
        "game_was": "covered",
        "preset_was": "race-200",
        "game_before": "ten",
    }
    assert form_rules(Form([*back.items(), ("preset", "")])).rules == Rules("ten")
    # Another game that was chosen meanwhile stays.
    other = form_rules(Form([*{**back, "game": "six"}.items(), ("preset", "race-200")]))
    assert (other.rules.game, other.before) == ("six", "")


def test_a_form_of_a_program_that_knows_no_such_fields_is_taken_as_it_is() -> None:
    found = form_rules(Form([("game", "classic(tiles=1-10)"), ("preset", "pub")]))
    assert (found.question, found.choice) == ("", None)
    assert found.rules == Rules("classic(tiles=1-10)", "pub")
