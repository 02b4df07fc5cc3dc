"""Choosing another match or box after rules were set by hand: no rule is lost silently."""

from collections.abc import Callable

import pytest

from people import Person
from shutbox import find
from shutbox.match import presets
from shutbox.web.actions.evenings import LABELS, Choice, Rules, choose, choose_length
from shutbox.web.actions.new_table import form_rules
from shutbox.web.rooms.requests import Form

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
    """Whatever was set by hand is still so, and said to stay, or stands among what changes."""
    for code in ("tiles=1-10", "fewer=must-sum", "cover=one", "score=count", "down=2", "dice=3d6"):
        choice, [key] = chosen(Rules(f"classic({code})"), preset), [code.partition("=")[0]]
        told = {rule: old == new for rule, old, new in choice.changes}
        stays = find(choice.rules.game).card().options.get(key) == code.partition("=")[2]
        assert told[LABELS[key]] is stays, code
        assert stays or choice.asks, code


@pytest.mark.parametrize(
    ("now", "length", "game", "format", "changed"),
    [
        (Rules(), ("target", 100), "classic(score=covered)", "target=100", []),
        (Rules(HAND), ("target", 100), f"{HAND[:-1]},score=covered)", "target=100", ["Result"]),
        (Rules(HAND), ("rounds", 5), HAND, "rounds=5", []),
        (Rules("covered"), ("limit", 45), "covered(score=sum)", "limit=45", []),
        (Rules("covered", "race-200"), ("target", 110), "covered", "target=110", []),
        (Rules("cargo"), ("limit", 45), "cargo", "limit=45", []),
        (Rules("classic", "pub", "stake=2"), ("rounds", 3), "classic", "rounds=3,stake=2", []),
        (Rules(format="until=shut,stake=2"), ("rounds", 1), "classic", "stake=2", []),
    ],
)
def test_a_length_brings_the_result_that_it_needs(
    now: Rules, length: tuple[str, int], game: str, format: str, changed: list[str]
) -> None:
    choice = choose_length(now, *length)
    assert (choice.rules.game, choice.rules.format) == (find(game).name, format)
    assert choice.rules.preset == ""
    assert choice.asks is bool(changed)
    assert not changed or [r for r, old, new in choice.changes if old != new] == changed


def test_another_length_gives_back_the_result_that_a_race_has_changed() -> None:
    """Also after another box was chosen meanwhile; a result set by hand is asked about."""
    raced = choose_length(Rules("classic(tiles=1-10,score=count)"), "target", 200).rules
    assert raced.game == "classic(tiles=1-10,score=covered)"
    assert choose_length(raced, "rounds", 3).rules.game == "classic(tiles=1-10,score=count)"
    six = choose(choose_length(Rules(), "target", 100).rules, "six", "")
    assert (six.rules.game, six.asks) == ("six(score=covered)", False)
    assert choose_length(six.rules, "limit", 45).rules == Rules("six", "", "limit=45")


FIELDS = {"game": "classic", "game_was": "classic", "preset_was": "", "game_before": ""}
BY_HAND = {**FIELDS, "overrides": "tiles=1-10", "who": "me", "name": "Ann"}


def test_a_form_with_a_choice_that_is_not_agreed_to_opens_nothing(
    person: Callable[[], Person],
) -> None:
    ann = person()
    asked = ann.client.post("/new", data={**BY_HAND, "preset": "race-200"})
    assert asked.status_code == 422
    assert "Race to 200 changes 2 rules" in asked.text
    assert ann.get("/games").text.count("/r/") == 0
    kept = ann.get("/new", params={**BY_HAND, "preset": "race-200", "take": "no"})
    assert "changes 2 rules" not in kept.text
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
    assert (other.rules.game, other.before) == ("six(score=covered)", "")  # the race needs it
